"""The user's own cards, imported once and there in every later run."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from deckcheck.cards.cardfile import (
    MOST_BYTES,
    MOST_CARDS,
    Record,
    Vocabulary,
    line_of,
    normal,
    read_cards,
    too_many_cards,
    vocabulary,
)
from deckcheck.cards.compile import arrange, gather
from deckcheck.cards.corrections import Cards
from deckcheck.cards.sources import imported_file, sources_of
from deckcheck.model.game import Game
from deckcheck.support.errors import user_error
from deckcheck.support.files import cannot_write, read_bytes, write_atomically
from deckcheck.support.messages import _


class ImportResult(NamedTuple):
    """What an import did to the table as it was before, by numbers of cards; `path` is the store.

    The rest is told of large files: the stated day of the data, how many entries an import that was cut off had
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
    new = _read(file, words)
    before = gather(game, sources_of(game, (), bundled))
    # The cards that a card is made of may be in any of the sources.
    arrange(game, before._replace(cards=before.cards | new))
    store = imported_file(game)
    kept = _read(store, words) if store.exists() else {}
    known, stored, merged = _plain(before.cards), _plain(kept), _plain(kept | new)
    if merged != stored:
        try:
            store_lines(store, [line_of(record) for record in merged.values()])
        except OSError as error:
            raise cannot_write(store, error) from error
    added = sum(key not in known for key in new)
    unchanged = sum(known.get(key) == record for key, record in _plain(new).items())
    return ImportResult(added, len(new) - added - unchanged, unchanged, store)


def _read(path: Path, words: Vocabulary) -> Cards:
    found = read_cards(path, read_bytes(path, most=MOST_BYTES), words)
    return {words.fold(item.record["name"]): item for item in found}


def _plain(cards: Cards) -> dict[str, Record]:
    return {key: normal(item.record) for key, item in cards.items()}


def store_lines(path: Path, lines: list[bytes]) -> None:
    """Write the user's own cards. Raises OSError, and UserError where they would be too many."""
    if len(lines) > MOST_CARDS:
        raise too_many_cards()
    data = b"".join(lines)
    if len(data) > MOST_BYTES:
        raise user_error(_("would grow too large (at most {most:,} bytes)", most=MOST_BYTES), path=str(path))
    write_atomically(path, data, durable=True)
