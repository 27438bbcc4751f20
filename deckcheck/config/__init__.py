"""The settings of a project: deckcheck.toml, or [tool.deckcheck] in pyproject.toml."""
