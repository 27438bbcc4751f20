"""The commands of `deckcheck event`."""
