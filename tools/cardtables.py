"""The built card tables: `python tools/cardtables.py` writes that of each bundled game beside its texts."""

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def build_tables(folder: Path | None = None, root: Path = ROOT) -> dict[str, Path]:
    """Write the table of each game: beside its texts, unless a fresh one is there, or into a folder per game in
    `folder`, where it replaces the texts. Returns the files by game.
    """
    sys.path.insert(0, str(root))
    try:
        from deckcheck.cards.catalog import sources_of, write_table
        from deckcheck.formats.loading import game_file, known_games, read_game
    finally:
        sys.path.remove(str(root))
    tables = {}
    for id in known_games():
        game = read_game(game_file(id))
        sources = sources_of(game)
        if sources.has_texts:
            file = sources.built if folder is None else folder / id / sources.built.name
            write_table(game, sources, file)
            tables[id] = file
    return tables


if __name__ == "__main__":
    build_tables()
