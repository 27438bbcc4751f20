"""Readers that turn a pasted list into a Deck."""
