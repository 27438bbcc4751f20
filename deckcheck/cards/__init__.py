"""The cards of a game: their files, the table that is built from these, and looking cards up in it."""
