"""Decks judged by formats: one deck, many decks, cases."""
