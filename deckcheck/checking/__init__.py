"""Checking decks by formats: one deck and many decks."""
