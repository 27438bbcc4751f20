"""What every part of deckcheck stands on: words in both languages."""
