"""What everything speaks of: cards, decks, games, banlists, formats, findings."""
