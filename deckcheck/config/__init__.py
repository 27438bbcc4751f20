"""What a project says once for all its decks: deckcheck.toml, or [tool.deckcheck] in pyproject.toml."""
