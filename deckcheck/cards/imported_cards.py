"""The user's own cards, imported once and available in every later run."""

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from deckcheck.cards.card_file import (
    MOST_BYTES,
    MOST_CARDS,
    Located,
    Record,
    line_of,
    normal,
    read_cards,
    too_many_cards,
    vocabulary,
)
from deckcheck.cards.catalog import bundled_table
from deckcheck.cards.own_cards import OwnCards
from deckcheck.cards.sources import imported_file, sources_of
from deckcheck.model.game import Game
from deckcheck.support.cache import cache_folder
from deckcheck.support.errors import user_error
from deckcheck.support.files import cannot_write, locked, read_bytes, write_atomically
from deckcheck.support.messages import _


class ImportResult(NamedTuple):
    """How many cards an import added, changed and left unchanged in the store at `path`.

    The rest is for large files: the name of their `source`, the date that the data states, how many entries an
    interrupted import had read, and how many were left out, by reason. `doubles` are names that fold to that of another
    card, with that name; `clashes` are aliases that can mean another card, with the card's own name; `unknown` counts the
    words that the game doesn't have.
    """

    added: int
    changed: int
    unchanged: int
    path: Path
    source: str | None = None
    date: str | None = None
    resumed: int = 0
    left_out: Mapping[str, int] = MappingProxyType({})
    doubles: Sequence[tuple[str, str]] = ()
    clashes: Sequence[tuple[str, str]] = ()
    unknown: Mapping[str, int] = MappingProxyType({})


def import_cards(
    game: Game, file: Path, *, bundled: Path | None = None, store: Path | None = None
) -> ImportResult:
    """Add the cards of a card file to a `store` (default: the user's own), all or none; a known card is replaced.

    Raises UserError if anything in `file` is wrong, or the store can't be written.
    """
    words, store = vocabulary(game), store or imported_file(game)
    new = read_cards(file, read_bytes(file, most=MOST_BYTES), words)
    with import_lock(store):
        return _merge(game, new, bundled, store)


def _merge(game: Game, new: Sequence[Located], bundled: Path | None, store: Path) -> ImportResult:
    words = vocabulary(game)
    kept = read_cards(store, read_bytes(store, most=MOST_BYTES), words) if store.exists() else []
    with closing(bundled_table(game, sources_of(game, (), bundled))) as table:
        own = OwnCards(game, table)
        own.take(kept)
        taken = own.take(new)
        # The cards that a card is made of may be in any of the sources.
        own.compiled("", "").close()
    before = {item.record["name"]: item.record for item in kept}
    before |= {replaced["name"]: replaced for _item, replaced in taken if replaced is not None}
    return add_to_store(
        store,
        {name: line_of(normal(record)) for name, record in before.items()},
        [item.record["name"] for item in kept],
        (((replaced or item.record)["name"], item.record) for item, replaced in taken),
    )


def add_to_store(
    store: Path, before: Mapping[str, bytes], kept: Iterable[str], new: Iterable[tuple[str, Record]]
) -> ImportResult:
    """Write the user's own cards: the kept ones and, in their places or after them, the new ones.

    Cards go by the names that they had; `before` has the lines of all that are kept or replaced. Raises UserError.
    """
    counts = Counter[str]()
    old = {key: before[key] for key in kept}
    lines = dict(old)
    for key, record in new:
        plain = normal(record)
        is_same = key in before and json.loads(before[key]) == plain
        counts["unchanged" if is_same else "changed" if key in before else "added"] += 1
        if not is_same or key not in old:
            lines[key] = line_of(plain)
    if len(lines) > MOST_CARDS:
        raise too_many_cards()
    data = b"".join(lines.values())
    if len(data) > MOST_BYTES:
        raise user_error(_("would grow too large (at most {most:,} bytes)", most=MOST_BYTES), path=str(store))
    if lines != old:
        try:
            write_atomically(store, data, durable=True, private=False)
        except OSError as error:
            raise cannot_write(store, error) from error
    return ImportResult(counts["added"], counts["changed"], counts["unchanged"], store)


def import_lock(target: Path) -> AbstractContextManager[None]:
    """The lock under which an import reads and writes a file or folder. Entering raises UserError if it stays held."""
    # Only what is imported is stored beside decks, not locks.
    name = hashlib.sha256(os.fsencode(target.resolve())).hexdigest()[:16]
    return locked(target, _("another import is running"), lock=cache_folder() / "locks" / name)
