"""The data model: cards, decks, games, banlists, formats and findings."""
