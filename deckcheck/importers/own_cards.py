"""The user's own cards: a card file is added to them, and they are written."""

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from deckcheck.cards.build import NewCard, TableCards, cards_of, check_table
from deckcheck.cards.card_file import (
    MOST_BYTES,
    MOST_CARDS,
    Record,
    line_of,
    normal,
    read_cards,
    too_many_cards,
    vocabulary,
)
from deckcheck.cards.catalog import open_table
from deckcheck.cards.sources import imported_file, sources_of
from deckcheck.model.game import Game
from deckcheck.support.cache import cache_folder
from deckcheck.support.documents import Document
from deckcheck.support.errors import user_error
from deckcheck.support.files import cannot_write, locked, read_bytes, write_atomically
from deckcheck.support.messages import Message, _, shortened

_REASONS = {
    "token": _("tokens and emblems"),
    "art": _("art cards"),
    "beside": _("cards that are never in a deck"),
    "remade": _("digital-only versions"),
    "other": _("cards of other games"),
    "unreleased": _("unreleased cards"),
    "flawed": _("unreadable entries"),
}
"""Why an import leaves cards out."""


class ImportResult(NamedTuple):
    """How many cards an import added, changed and left unchanged in the file at `path`.

    The rest is for the files of other programs: the name of their `source`, and how many entries were left out, by
    reason. `doubles` are names that fold to that of another card, with that name; `clashes` are aliases that can mean
    another card, with the card's own name; `unknown` counts the words that the game doesn't have.
    """

    added: int
    changed: int
    unchanged: int
    path: Path
    source: str | None = None
    left_out: Mapping[str, int] = MappingProxyType({})
    doubles: Sequence[tuple[str, str]] = ()
    clashes: Sequence[tuple[str, str]] = ()
    unknown: Mapping[str, int] = MappingProxyType({})

    def lines(self, *, brief: bool) -> Iterator[Message | str]:
        """What was done, in words; for the file of another program, more than the numbers of cards unless `brief`."""
        whole = self.source is not None and not brief
        if whole:
            yield str(self.source)
        yield _(
            "{added} added, {changed} changed, {unchanged} unchanged: {path}",
            added=self.added,
            changed=self.changed,
            unchanged=self.unchanged,
            path=str(self.path),
        )
        if not whole:
            return
        left_out = [
            _("{what} {count:,}", what=_REASONS[reason], count=count)
            for reason, count in sorted(self.left_out.items())
            if count
        ]
        doubles = [_("“{name}” (same as “{other}”)", name=name, other=other) for name, other in self.doubles]
        clashes = [_("“{alias}” ({name})", alias=alias, name=name) for alias, name in self.clashes]
        unknown = [
            _("{word} ({count:,})", word=word, count=count) for word, count in sorted(self.unknown.items())
        ]
        if left_out:
            yield _("left out: {items}", items=shortened(left_out, 10))
        if doubles:
            yield _("left out because of their names: {items}", items=shortened(doubles, 10))
        if clashes:
            yield _("aliases that could mean another card, too: {items}", items=shortened(clashes, 10))
        if unknown:
            yield _("words that the game does not define: {items}", items=shortened(unknown, 10))


def import_cards(
    game: Game, file: Path, *, bundled: Path | None = None, store: Path | None = None
) -> ImportResult:
    """Add the cards of a card file to the user's own in `store` (default: for all decks), all or none.

    Raises UserError if anything in `file` is wrong, or the store can't be written.
    """
    store = store or imported_file(game)
    new = read_cards(file, read_bytes(file, most=MOST_BYTES), vocabulary(game))
    with import_lock(store):
        table = bundled_cards(game, bundled)
        kept = stored_cards(game, store)
        table.put_over(kept)
        taken = table.put_over(new)
        # The cards that a card is made of may be in any of the sources.
        check_table(table)
        return add_cards(store, kept, taken)


def bundled_cards(game: Game, bundled: Path | None = None) -> TableCards:
    """The bundled cards of the game, or those in another folder. Raises UserError."""
    with closing(open_table(game, sources_of(game, (), bundled).without_own())) as table:
        return cards_of(game, table)


def stored_cards(game: Game, store: Path) -> list[Document]:
    """The user's own cards in a file, which needn't exist. Raises UserError."""
    if not store.exists():
        return []
    return read_cards(store, read_bytes(store, most=MOST_BYTES), vocabulary(game))


def add_cards(store: Path, kept: Iterable[Document], new: Iterable[NewCard]) -> ImportResult:
    """Write the user's own cards: the `kept` ones and, in their places or after them, the new ones. Raises UserError."""
    counts = Counter[str]()
    before: dict[str, Record] = {item.data["name"]: item.data for item in kept}
    cards = dict(before)
    for card in new:
        record = normal(card.record)
        key = (card.replaced or card.record)["name"]
        is_same = card.replaced is not None and normal(card.replaced) == record
        counts["unchanged" if is_same else "added" if card.replaced is None else "changed"] += 1
        if not is_same or key not in before:
            cards[key] = record
    if len(cards) > MOST_CARDS:
        raise too_many_cards()
    if cards != before:
        data = b"".join(line_of(normal(record)) for record in cards.values())
        if len(data) > MOST_BYTES:
            message = _("would grow too large (at most {most:,} bytes)", most=MOST_BYTES)
            raise user_error(message, path=str(store))
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
