"""The user's own cards, imported once and there in every later run."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from deckcheck.cards.cardfile import (
    MOST_BYTES,
    MOST_CARDS,
    Record,
    line_of,
    normal,
    read_cards,
    too_many_cards,
    vocabulary,
)
from deckcheck.cards.compile import arrange, gather
from deckcheck.cards.sources import imported_file, sources_of
from deckcheck.model.game import Game
from deckcheck.support.errors import user_error
from deckcheck.support.files import cannot_write, read_bytes, write_atomically
from deckcheck.support.messages import _


class ImportResult(NamedTuple):
    """What an import did to the table as it was before, by numbers of cards; `path` is the store.

    The rest is there for large files: the stated day of the data, how many entries an import that was cut off had
    read, and what was left out by reason. `doubles` are names that fold to that of another card, with that name;
    `clashes` aliases that can mean another card, with the card's own name; `unknown` counts the words that the
    game doesn't have.
    """

    added: int
    changed: int
    unchanged: int
    path: Path
    date: str | None = None
    resumed: int = 0
    left_out: Mapping[str, int] = MappingProxyType({})
    doubles: Sequence[tuple[str, str]] = ()
    clashes: Sequence[tuple[str, str]] = ()
    unknown: Mapping[str, int] = MappingProxyType({})


def import_cards(game: Game, file: Path, *, bundled: Path | None = None) -> ImportResult:
    """Add the cards of a card file to the user's own, all of them or none; a card that is known is replaced.

    Raises UserError when anything in `file` is wrong, or when the store can't be written.
    """
    words = vocabulary(game)
    new = {words.fold(item.record["name"]): item for item in read_cards(file, _content(file), words)}
    before = gather(game, sources_of(game, (), bundled))
    # The cards that a card is made of may be in any of the sources.
    arrange(game, before._replace(cards=before.cards | new))
    store = imported_file(game)
    kept = read_cards(store, _content(store), words) if store.exists() else []
    return add_to_store(
        store,
        {key: line_of(normal(item.record)) for key, item in before.cards.items()},
        [words.fold(item.record["name"]) for item in kept],
        ((key, item.record) for key, item in new.items()),
    )


def add_to_store(
    store: Path, before: Mapping[str, bytes], kept: Iterable[str], new: Iterable[tuple[str, Record]]
) -> ImportResult:
    """Write the user's own cards: those kept and, in their places or behind them, the new ones.

    Cards go by their folded names; `before` has the lines of all that were in the table. Raises UserError.
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
            write_atomically(store, data, durable=True)
        except OSError as error:
            raise cannot_write(store, error) from error
    return ImportResult(counts["added"], counts["changed"], counts["unchanged"], store)


def _content(file: Path) -> bytes:
    return read_bytes(file, most=MOST_BYTES)
