"""Checking decks by formats: one deck, many decks, and the cases of formats."""
