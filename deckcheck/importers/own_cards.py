"""The user's own cards: those of card files and of other programs are added to them, and they are written."""

import hashlib
import os
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.cards.card_file import (
    MOST_BYTES,
    MOST_CARDS,
    MOST_ITEMS,
    MOST_LINE,
    Entry,
    Record,
    Vocabulary,
    card_at,
    line_of,
    mistakes,
    normal,
    read_cards,
    too_many_cards,
    vocabulary,
)
from deckcheck.cards.catalog import Sources, imported_file, open_table, sources_of
from deckcheck.cards.sets_and_corrections import TableCards
from deckcheck.cards.table_builder import cards_of, check_members
from deckcheck.importers.source_files import LEGAL_IN, Reason, SourceCard, SourceEntry, SourceKind
from deckcheck.model.game import Game
from deckcheck.support.documents import Document
from deckcheck.support.errors import user_error
from deckcheck.support.files import cannot_write, locked, read_bytes, user_folder, write_atomically
from deckcheck.support.messages import _

_MOST_PRINTINGS = 700
"""A line of a card file is bounded. No card has more than some 400 printings."""


class ImportResult(Struct, frozen=True):
    """How many cards an import added, changed and left unchanged in the file at `path`.

    The rest is for the files of other programs: the name of their `source`, and how many entries were left out, by
    reason. `unclear` are names that could mean other cards, with one of these: a card that several known cards could be
    is left out, and an alias of another card, too. `unknown` counts the words that the game doesn't have.
    """

    added: int
    changed: int
    unchanged: int
    path: Path
    source: str | None = None
    left_out: Mapping[Reason, int] = {}
    unclear: Sequence[tuple[str, str]] = ()
    unknown: Mapping[str, int] = {}


def import_cards(
    game: Game, file: Path, *, bundled: Path | None = None, store: Path | None = None
) -> ImportResult:
    """Add the cards of a card file to the user's own in `store` (default: for all decks), all or none.

    Raises UserError if anything in `file` is wrong, or the store can't be written.
    """
    store = store or imported_file(game)
    new = read_cards(file, read_bytes(file, most=MOST_BYTES), vocabulary(game))
    with import_lock(store):
        kept, table = _known_cards(game, bundled, store)
        taken = table.cards.put_over(new)
        # The cards that a card is made of may be in any of the sources.
        check_members(table)
        return _add_cards(store, kept, taken)


def import_card_pool(
    game: Game,
    kind: SourceKind,
    entries: Iterable[SourceEntry],
    *,
    bundled: Path | None = None,
    store: Path | None = None,
) -> ImportResult:
    """Add the cards of another program's file to the user's own in `store` (default: for all decks), all or none.

    A known card is replaced, but keeps its other names and printings. Raises UserError if there is no card, or
    something can't be written.
    """
    store = store or imported_file(game)
    listed = list(entries)
    left_out = Counter(entry for entry in listed if not isinstance(entry, SourceCard))
    groups = _grouped(entry for entry in listed if isinstance(entry, SourceCard))
    # A file with several entries of a card has all of its printings.
    repeated = any(not entry.is_fallback for group in groups for entry in group[1:])
    with import_lock(store):
        kept, table = _known_cards(game, bundled, store)
        pool = _Pool(
            list(map(_united, groups)),
            table,
            vocabulary(game),
            some_printings=kind.some_printings and not repeated,
        )
        new = list(pool.cards())
        if not new:
            raise user_error(_("it holds no card"))
        left_out["flawed"] += pool.flawed
        return replace(
            _add_cards(store, kept, new),
            source=kind.title,
            left_out=+left_out,
            unclear=pool.unclear,
            unknown=pool.unknown,
        )


def _known_cards(game: Game, bundled: Path | None, store: Path) -> tuple[list[Document], TableCards]:
    """The user's own cards in the store, which needn't exist; and these over the bundled ones. Raises UserError."""
    with closing(open_table(game, Sources(sources_of(game, (), bundled).folder))) as database:
        table = cards_of(game, database)
    kept = []
    if store.exists():
        kept = read_cards(store, read_bytes(store, most=MOST_BYTES), vocabulary(game))
    table.cards.put_over(kept)
    return kept, table


def _add_cards(store: Path, kept: Iterable[Document], new: Iterable[Entry]) -> ImportResult:
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
    return locked(target, _("another import is running"), lock=user_folder("cache") / "locks" / name)


# Entries of one card


def _grouped(entries: Iterable[SourceCard]) -> list[list[SourceCard]]:
    """The entries by card: those with the same id or name."""
    groups: dict[str, list[SourceCard]] = {}
    first_names: dict[str, str] = {}
    for entry in entries:
        name = entry.record["name"]
        if entry.source_id:
            name = first_names.setdefault(entry.source_id, name)
        groups.setdefault(name, []).append(entry)
    return list(groups.values())


def _united(entries: Sequence[SourceCard]) -> SourceCard:
    """One entry for all these entries of a card."""
    first = entries[0]
    versions = [entry.record for entry in entries if not entry.is_fallback] or [first.record]
    printings = {str(sorted(item.items())): item for entry in entries for item in entry.printings}
    return replace(
        first,
        record=_common_facts(versions) | {"name": first.record["name"]},
        aliases=tuple(dict.fromkeys(alias for entry in entries for alias in entry.aliases)),
        printings=tuple(printings[key] for key in sorted(printings)),
    )


def _common_facts(versions: Sequence[Record]) -> dict[str, Any]:
    """The facts on which all versions of a card agree; others are unknown. Each may be legal in other formats."""
    common: dict[str, Any] = {}
    for key, first in versions[0].items():
        values = [version.get(key) for version in versions]
        if key == LEGAL_IN and None not in values:
            common[key] = sorted({format for formats in values for format in formats or ()})
        elif key in ("parts", "faces") or all(value == first for value in values):
            common[key] = first
    partial = dict.fromkeys(key for version in versions for key in version.get("partial", ()))
    return common | ({"partial": list(partial)} if partial else {})


# Over the known cards


class _Pool:
    """The cards of another program's file over the known ones; what only these say is kept.

    `some_printings` says that cards may have more printings than the file has.
    """

    def __init__(
        self, pool: Sequence[SourceCard], known: TableCards, words: Vocabulary, *, some_printings: bool
    ) -> None:
        self.unclear: list[tuple[str, str]] = []
        self.unknown = Counter[str]()
        self.flawed = 0
        self._pool, self._known, self._words = pool, known.cards, words
        self._some_printings = some_printings
        self._named = {card.record["name"] for card in pool}
        self._keys = set(map(words.fold, self._named))
        self._by_alias: dict[str, list[Entry]] = defaultdict(list)
        """By an alias as written, the known cards that have it."""
        for entry in known.cards:
            for alias in entry.record.get("aliases", ()):
                self._by_alias[alias].append(entry)

    def cards(self) -> Iterator[Entry]:
        """Yields the merged cards, then the names that several of them show together."""
        melding: dict[str, list[str]] = defaultdict(list)
        for card in self._pool:
            name, aliases = card.record["name"], list(card.aliases)
            known = self._known.find(name, self._named)
            if not known and card.code is not None:
                # The card may be known under a name in another language.
                same = self._by_alias.get(card.code, [])
                if len(same) == 1 and self._words.fold(same[0].name) not in self._keys:
                    known, name = same, same[0].name
                    aliases.append(card.record["name"])
            if len(known) > 1:
                self.unclear.append((name, known[0].name))
                continue
            earlier = known[0].record if known else {}
            aliases = self._aliases(card, name, [*aliases, *earlier.get("aliases", ())])
            record = {"name": name, "aliases": aliases}
            record |= {key: card.record[key] for key in sorted(card.record) if key != "name"}
            record["printings"] = self._printings(card.printings, earlier.get("printings", []))
            new = self._new(record, known)
            if new is None:
                self.flawed += 1
                continue
            yield new
            if card.melds is not None and self._words.fold(card.melds) not in self._keys:
                melding[card.melds].append(name)
        for name, parts in melding.items():
            known = self._known.find(name, self._named)
            new = self._new({"name": name, "made_of": parts}, known) if len(known) < 2 else None
            if new is not None:
                yield new

    def _new(self, record: dict[str, Any], known: Sequence[Entry]) -> Entry | None:
        """The card in the words of the game, in place of the known one, if any; None if no valid card is left."""
        valid = _within_game(record, self._words, self.unknown)
        if valid is None or len(line_of(normal(valid))) > MOST_LINE:
            return None
        return self._known.put_own(card_at(valid), known[0] if known else None)

    def _aliases(self, card: SourceCard, name: str, aliases: Sequence[str]) -> list[str]:
        """The aliases of a card that aren't names of other cards; unclear ones are noted."""
        kept: dict[str, str] = {self._words.fold(name): ""}
        for alias in aliases:
            key = self._words.fold(alias)
            if not key or key in kept:
                continue
            is_other = key in self._keys and alias != card.record["name"]
            if is_other or self._known.alike(alias):
                self.unclear.append((alias, name))
            else:
                kept[key] = alias
        # The code comes first, since notations with numbers write the first one.
        return sorted(filter(None, kept.values()), key=lambda alias: (alias != card.code, alias))[:MOST_ITEMS]

    def _printings(self, new: Sequence[dict[str, Any]], known: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The printings of a card. If only some were known, it would count as not printed in other sets."""
        if not new:
            return known
        printings = list(new)
        if self._some_printings:
            sets = {printing["set"] for printing in new}
            printings += [printing for printing in known if printing["set"] not in sets]
        is_whole = (known or not self._some_printings) and len(printings) <= _MOST_PRINTINGS
        return sorted(printings, key=_order) if is_whole else []


def _order(printing: Mapping[str, Any]) -> tuple[str, str, str]:
    return str(printing.get("released", "~")), printing["set"], str(printing)


# What the game has words for


def _within_game(record: Record, words: Vocabulary, unknown: Counter[str]) -> dict[str, Any] | None:
    """The record without what the game has no words for, which is counted; None if no valid card is left.

    An attribute with such a word is unknown: a part of its words could be taken for all of them.
    """
    card = _with_known_words(record, words, unknown)
    for key in ("parts", "faces", "printings"):
        if key in card:
            card[key] = [_with_known_words(part, words, unknown) for part in card[key]]
    # A missing attribute is unknown rather than partial.
    if "partial" in card:
        card["partial"] = [key for key in card["partial"] if key in card]
    return None if mistakes(card_at(card), words) else card


def _with_known_words(holder: Record, words: Vocabulary, unknown: Counter[str]) -> dict[str, Any]:
    closed: dict[str, Collection[str]] = {
        key: item.values for key, item in words.facts.items() if item.values
    }
    known = dict(holder)
    for key, allowed in (closed | {**words.ranks}).items():
        # A printing has one rank, or none.
        written = known.get(key) or ()
        odd = [word for word in ([written] if isinstance(written, str) else written) if word not in allowed]
        if odd:
            unknown.update(f"{key} {word[:60]}" for word in odd)
            del known[key]
    return known
