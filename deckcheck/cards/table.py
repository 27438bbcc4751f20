"""Opens a built card table: the one that comes with deckcheck, the cached one, or a new one if these are stale or damaged."""

import contextlib
import sqlite3
from pathlib import Path

from deckcheck.cards.sources import Sources, cached_table, form_of, meta_of, opened, stamp_of
from deckcheck.model.game import Game
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _


def open_table(game: Game, sources: Sources, *, anew: bool = False) -> sqlite3.Connection:
    """The table of the cards in these files, read-only; `anew`: built again, since it turned out to be damaged.

    Raises UserError for an invalid card file, and for a damaged table without the texts that it was built from.
    """
    form, stamp, cached = form_of(game), stamp_of(sources), cached_table(game, sources)
    files = [cached] if sources.own or sources.is_own_game else [sources.built, cached]
    for file in () if anew else files:
        database = _fresh(file, form, stamp)
        if database is not None:
            return database
    if not sources.own and stamp == "":
        hint = _("install deckcheck again")
        raise user_error(_("the card table is damaged"), path=str(sources.built), hint=hint)
    # A run over a fresh table doesn't need the builder and what it reads files with.
    from deckcheck.cards.build import build_table, write_cached

    if sources.own:
        with contextlib.closing(open_table(game, sources.without_own())) as bundled:
            built = build_table(game, sources, stamp, bundled)
    else:
        built = build_table(game, sources, stamp, None)
    if write_cached(cached, built):
        # The file is shared with other processes, but memory isn't.
        database = _fresh(cached, form, stamp)
        if database is not None:
            built.close()
            return database
    return built


def _fresh(file: Path, form: str, stamp: str) -> sqlite3.Connection | None:
    """The table in a file; None if there is none, or one that is damaged, or made in another form or from other files."""
    with contextlib.suppress(sqlite3.Error):
        database = opened(file)
        with contextlib.suppress(sqlite3.Error):
            if meta_of(database) == (form, stamp):
                return database
        database.close()
    return None
