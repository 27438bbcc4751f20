"""The user's own cards: those of card files and of other programs are added to them, and they are written."""

import hashlib
import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from deckcheck.cards.build import NewCard, TableCards, cards_of, check_table
from deckcheck.cards.card_file import (
    MOST_BYTES,
    MOST_CARDS,
    MOST_ITEMS,
    MOST_LINE,
    Record,
    Vocabulary,
    flaws,
    line_of,
    normal,
    read_cards,
    too_many_cards,
    vocabulary,
)
from deckcheck.cards.catalog import open_table
from deckcheck.cards.sources import imported_file, sources_of
from deckcheck.importers.reading import LEGAL_IN, Entry, Reason, SourceCard, SourceKind
from deckcheck.model.game import Game
from deckcheck.support.cache import cache_folder
from deckcheck.support.dates import is_day
from deckcheck.support.documents import Document
from deckcheck.support.errors import user_error
from deckcheck.support.files import cannot_write, locked, read_bytes, write_atomically
from deckcheck.support.messages import Message, _, shortened

_REASONS: Mapping[Reason, Message] = {
    "token": _("tokens and emblems"),
    "art": _("art cards"),
    "beside": _("cards that are never in a deck"),
    "remade": _("digital-only versions"),
    "other": _("cards of other games"),
    "unreleased": _("unreleased cards"),
    "flawed": _("unreadable entries"),
}
"""Why an import leaves cards out."""


_MOST_PRINTINGS = 500
"""A few cards have more, but a line of a card file is bounded."""

_NOBODY = -1
_LAST = ("printings", "parts", "faces", "partial")


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
    left_out: Mapping[Reason, int] = MappingProxyType({})
    doubles: Sequence[tuple[str, str]] = ()
    clashes: Sequence[tuple[str, str]] = ()
    unknown: Mapping[str, int] = MappingProxyType({})

    def lines(self) -> Iterator[Message | str]:
        """What was done, in words; for the file of another program, more than the numbers of cards."""
        if self.source is not None:
            yield self.source
        yield _(
            "{added} added, {changed} changed, {unchanged} unchanged: {path}",
            added=self.added,
            changed=self.changed,
            unchanged=self.unchanged,
            path=str(self.path),
        )
        if self.source is None:
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
        kept, table = _known_cards(game, bundled, store)
        taken = table.put_over(new)
        # The cards that a card is made of may be in any of the sources.
        check_table(table)
        return _add_cards(store, kept, taken)


def import_card_pool(
    game: Game,
    kind: SourceKind,
    entries: Iterable[Entry],
    *,
    bundled: Path | None = None,
    store: Path | None = None,
) -> ImportResult:
    """Add the cards of another program's file to the user's own in `store` (default: for all decks), all or none.

    A known card is replaced, but keeps its other names and printings. Raises UserError if there is no card, or
    something can't be written.
    """
    store = store or imported_file(game)
    left_out = Counter[Reason]()
    cards: list[SourceCard] = []
    for entry in entries:
        if isinstance(entry, SourceCard):
            cards.append(entry)
        else:
            left_out[entry] += 1
    groups = _grouped(cards)
    # A file with several entries of a card has all of its printings.
    repeated = any(not entry.is_fallback for group in groups for entry in group[1:])
    with import_lock(store):
        kept, table = _known_cards(game, bundled, store)
        merge = _Merge(
            list(map(_united, groups)),
            table,
            vocabulary(game),
            some_printings=kind.some_printings and not repeated,
        )
        new = list(merge.cards())
        if not new:
            raise user_error(_("it holds no card"))
        left_out["flawed"] += merge.flawed
        return _add_cards(store, kept, new)._replace(
            source=kind.title,
            left_out=+left_out,
            doubles=merge.doubles,
            clashes=merge.clashes,
            unknown=merge.unknown,
        )


def _known_cards(game: Game, bundled: Path | None, store: Path) -> tuple[list[Document], TableCards]:
    """The user's own cards in the store, which needn't exist; and these over the bundled ones. Raises UserError."""
    with closing(open_table(game, sources_of(game, (), bundled).without_own())) as database:
        table = cards_of(game, database)
    kept = []
    if store.exists():
        kept = read_cards(store, read_bytes(store, most=MOST_BYTES), vocabulary(game))
    table.put_over(kept)
    return kept, table


def _add_cards(store: Path, kept: Iterable[Document], new: Iterable[NewCard]) -> ImportResult:
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


# Entries of one card


def _grouped(entries: Iterable[SourceCard]) -> list[list[SourceCard]]:
    """The entries by card: those with the same id or name."""
    groups: list[list[SourceCard]] = []
    by_key: dict[str, list[SourceCard]] = {}
    for entry in entries:
        name = entry.record["name"]
        keys = [f"\0{entry.source_id}", name] if entry.source_id else [name]
        group = next((by_key[key] for key in keys if key in by_key), None)
        if group is None:
            group = by_key[name] = []
            groups.append(group)
        by_key.setdefault(keys[0], group)
        group.append(entry)
    return groups


def _united(entries: Sequence[SourceCard]) -> SourceCard:
    """One entry for all these entries of a card."""
    first = entries[0]
    if len(entries) == 1:
        return first
    versions = [entry for entry in entries if not entry.is_fallback] or entries
    same = first.source_id != "" and all(entry.source_id == first.source_id for entry in versions)
    record = _common_facts([entry.record for entry in versions], same)
    printings = {str(sorted(item.items())): item for entry in entries for item in entry.printings}
    return first._replace(
        record=record | {"name": first.record["name"]},
        aliases=tuple(sorted({alias for entry in entries for alias in entry.aliases})),
        printings=tuple(printings[key] for key in sorted(printings)),
    )


def _common_facts(versions: Sequence[Record], same: bool) -> dict[str, Any]:
    """The facts on which versions of a card agree.

    Lists that differ are reduced to the common words and marked as partial (but joined for LEGAL_IN); other facts that
    differ are unknown. Facts that only some versions state are kept only for the `same` card.
    """
    common: dict[str, Any] = {}
    partial = {key: None for version in versions for key in version.get("partial", ())}
    for key in dict.fromkeys(key for version in versions for key in version if key != "partial"):
        values = [version[key] for version in versions if key in version]
        if key in ("name", "parts", "faces"):
            common[key] = values[0]
        elif not same and len(values) < len(versions):
            continue
        elif all(value == values[0] for value in values):
            common[key] = values[0]
        elif key == LEGAL_IN:
            common[key] = sorted(set[str]().union(*values))
        elif isinstance(values[0], list):
            common[key] = [word for word in values[0] if all(word in other for other in values)]
            if len(common[key]) < max(map(len, values)):
                partial[key] = None
    return common | ({"partial": list(partial)} if partial else {})


# Over the known cards


class _Merge:
    """The cards of a pool merged with the known ones. What only these say is kept.

    `some_printings` says that cards may have more printings than the pool has.
    """

    def __init__(
        self, pool: Sequence[SourceCard], known: TableCards, words: Vocabulary, *, some_printings: bool
    ) -> None:
        self.doubles: list[tuple[str, str]] = []
        self.clashes: list[tuple[str, str]] = []
        self.unknown = Counter[str]()
        self.flawed = 0
        self._pool, self._known, self._words = pool, known.cards, words
        self._some_printings = some_printings
        self._by_alias: dict[str, list[str]] = defaultdict(list)
        """By an alias as written, the names of the known cards that have it."""
        for item in known.cards:
            for alias in item.data.get("aliases", ()):
                self._by_alias[alias].append(item.data["name"])
        self._owner: dict[str, int] = {}
        """By the key of a name, the number of the card in the pool that it belongs to."""
        self._shared: set[str] = set()
        """The folded aliases of several cards."""
        self._find_owners()

    def _key(self, name: str) -> str:
        """The folded name, followed by the name itself if it is one of several known ones with that key."""
        alike = self._known.alike(name)
        key = self._words.fold(name)
        return f"{key}\t{name}" if len(alike) > 1 and name in alike else key

    def _known_record(self, name: str) -> Record | None:
        """The known card with that name; None if there is none, or several."""
        cards = self._known.find(name)
        return cards[0].data if len(cards) == 1 else None

    def _find_owners(self) -> None:
        alias_owner: dict[str, int] = {}
        for number, card in enumerate(self._pool):
            name = card.record["name"]
            key = self._key(name)
            meant = self._known.find(name)
            if len(meant) > 1:
                self._owner[key] = _NOBODY
                self.doubles.append((name, meant[0].data["name"]))
                continue
            other = self._owner.setdefault(key, number)
            if other != number:
                # The name belongs to the card that is played in more formats.
                is_more_played = _times_played(card) > _times_played(self._pool[other])
                winner, loser = (number, other) if is_more_played else (other, number)
                self._owner[key] = winner
                self.doubles.append((self._pool[loser].record["name"], self._pool[winner].record["name"]))
            for alias in map(self._words.fold, card.aliases):
                if alias_owner.setdefault(alias, number) != number:
                    self._shared.add(alias)
        self._shared -= self._owner.keys()

    def cards(self) -> Iterator[NewCard]:
        """Yields the merged cards, then the names that several of them show together."""
        melding: dict[str, list[str]] = defaultdict(list)
        for number, card in enumerate(self._pool):
            if self._owner[self._key(card.record["name"])] != number:
                continue
            record = _within_game(self._record(number, card), self._words, self.unknown)
            if record is None or len(line_of(normal(record))) > MOST_LINE:
                self.flawed += 1
                continue
            if card.melds is not None:
                melding[card.melds].append(record["name"])
            yield NewCard(record, self._known_record(record["name"]))
        for name, parts in melding.items():
            joint = _within_game({"name": name, "made_of": parts}, self._words, self.unknown)
            if joint is not None and self._key(name) not in self._owner:
                yield NewCard(joint, self._known_record(name))

    def _record(self, number: int, card: SourceCard) -> dict[str, Any]:
        """The card's record with what was known before, its keys in the order of the bundled files."""
        record = dict(card.record)
        known = self._known_record(record["name"])
        aliases = list(card.aliases)
        if known is None and card.code is not None:
            # The card may be known under a name in another language.
            names = self._by_alias.get(card.code, [])
            if len(names) == 1 and self._key(names[0]) not in self._owner:
                known = self._known[names[0]].data
                aliases.append(record["name"])
                record["name"] = names[0]
        earlier = known or {}
        aliases += earlier.get("aliases", ())
        merged = {"name": record["name"], "aliases": self._aliases(number, card, record["name"], aliases)}
        merged |= dict(sorted(record.items()))
        if "faces" in merged:
            merged["faces"] = [face for face in merged["faces"] if self._key(face["name"]) not in self._owner]
        merged["printings"] = self._printings(card.printings, earlier.get("printings", []))
        return merged | {key: merged.pop(key) for key in _LAST if key in merged}

    def _aliases(self, number: int, card: SourceCard, name: str, aliases: Sequence[str]) -> list[str]:
        """The aliases of a card that aren't names of other cards; clashes are noted."""
        kept: dict[str, str] = {self._key(name): ""}
        for alias in aliases:
            key = self._key(alias)
            if not key or key in kept:
                continue
            is_taken = self._owner.get(key, number) != number or bool(self._known.alike(alias))
            if is_taken or key in self._shared:
                self.clashes.append((alias, name))
            if not is_taken:
                kept[key] = alias
        # The code comes first, since notations with numbers write the first one.
        return sorted(filter(None, kept.values()), key=lambda alias: alias != card.code)[:MOST_ITEMS]

    def _printings(self, new: Sequence[dict[str, Any]], known: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if not new:
            return known
        if self._some_printings and not known:
            # If only one were known, the card would count as not printed in other sets.
            return []
        # For each set, its most detailed printings: new ones with details, earlier ones, or the bare set.
        detailed = _by_set(printing for printing in new if len(printing) > 1)
        earlier, bare = _by_set(known), _by_set(new)
        sets = bare.keys() | earlier.keys() if self._some_printings else bare.keys()
        printings = [
            printing for code in sets for printing in detailed.get(code) or earlier.get(code) or bare[code]
        ]
        return _bounded(sorted(printings, key=_order))


def _times_played(card: SourceCard) -> int:
    return len(card.record.get(LEGAL_IN, ()))


def _by_set(printings: Iterable[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    by_set: dict[str, list[dict[str, Any]]] = {}
    for printing in printings:
        by_set.setdefault(printing["set"], []).append(printing)
    return by_set


def _order(printing: Mapping[str, Any]) -> tuple[str, str, str]:
    released = printing.get("released")
    return str(released) if is_day(released) else "~", printing["set"], str(printing)


def _bounded(printings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first printings, and the first of each rank, which is all that rules depend on."""
    kept = printings[:_MOST_PRINTINGS]
    firsts: dict[str, dict[str, Any]] = {}
    for printing in printings:
        ranks = sorted((key, value) for key, value in printing.items() if key not in ("set", "released"))
        firsts.setdefault(str(ranks), printing)
    return [*kept, *(printing for printing in firsts.values() if printing not in kept)][:MOST_ITEMS]


# What the game has words for


def _within_game(record: dict[str, Any], words: Vocabulary, unknown: Counter[str]) -> dict[str, Any] | None:
    """The record without what the game doesn't have, which is counted; None if no valid card is left.

    A list that lost words is marked as partial.
    """
    _count_unnamed(record, words, unknown)
    shortened: list[tuple[dict[str, Any], str]] = []
    partial = list(record.pop("partial", ()))
    for flaw in reversed(list(flaws(words.card, record))):
        *way, last = flaw.keys
        if last == "name":
            return None
        outer: Any = None
        holder: Any = record
        for step in way:
            outer, holder = holder, holder[step]
        attribute = str(way[-1] if isinstance(last, int) else last)
        is_word = isinstance(last, int) and attribute in words.facts
        if is_word or attribute in words.ranks or attribute == "home":
            unknown[_named(attribute, holder[last])] += 1
        del holder[last]
        if is_word and outer is record:
            partial.append(attribute)
        elif is_word:
            # Parts can't mark attributes as partial.
            shortened.append((outer, attribute))
    for part, attribute in shortened:
        part.pop(attribute, None)
    # A missing attribute is unknown rather than partial.
    if partial := [key for key in dict.fromkeys(partial) if key in record]:
        record["partial"] = partial
    return None if any(flaws(words.card, record)) else record


def _count_unnamed(record: Record, words: Vocabulary, unknown: Counter[str]) -> None:
    """Count the words that the game accepts but has no name for."""
    named = {key: item for key, item in words.facts.items() if item.names and not item.values}
    for holder in (record, *record.get("parts", ()), *record.get("faces", ())):
        for key, attribute in named.items():
            unknown.update(_named(key, word) for word in holder.get(key, ()) if word not in attribute.names)


def _named(attribute: str, value: object) -> str:
    return f"{attribute} {str(value)[:60]}"
