"""What a change of the lists does to decks."""
