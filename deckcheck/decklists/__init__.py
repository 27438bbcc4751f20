"""Readers: from what people paste to a Deck."""
