"""Whether a deck is legal, why not, and where."""
