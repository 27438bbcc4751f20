"""The cards of another program's file, added to the user's own: a known card keeps its other names and printings."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from deckcheck.cards.build import NewCard
from deckcheck.cards.card_file import (
    MOST_ITEMS,
    MOST_LINE,
    Record,
    Vocabulary,
    flaws,
    line_of,
    normal,
    vocabulary,
)
from deckcheck.cards.sources import imported_file
from deckcheck.importers.own_cards import (
    ImportResult,
    add_cards,
    bundled_cards,
    import_lock,
    stored_cards,
)
from deckcheck.importers.reading import LEGAL_IN, Entry, SourceCard, SourceKind
from deckcheck.model.game import Game
from deckcheck.support.dates import is_day
from deckcheck.support.documents import Document
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

_MOST_PRINTINGS = 500
"""A few cards have more, but a line of a card file is bounded."""

_NOBODY = -1
_LAST = ("printings", "parts", "faces", "partial")


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
    left_out = Counter[str]()
    cards: list[SourceCard] = []
    for entry in entries:
        if isinstance(entry, SourceCard):
            cards.append(entry)
        else:
            left_out[entry] += 1
    groups = grouped(cards)
    # A file with several entries of a card has all of its printings.
    repeated = any(not entry.is_fallback for group in groups for entry in group[1:])
    pool = list(map(united, groups))
    with import_lock(store):
        kept = stored_cards(game, store)
        known = _KnownCards(vocabulary(game), list(bundled_cards(game, bundled).cards), kept)
        merge = _Merge(pool, known, some_printings=kind.some_printings and not repeated)
        new = list(merge.cards())
        if not new:
            raise user_error(_("it holds no card"))
        left_out["flawed"] += merge.flawed
        return add_cards(store, kept, new)._replace(
            source=kind.title,
            left_out=+left_out,
            doubles=merge.doubles,
            clashes=merge.clashes,
            unknown=merge.unknown,
        )


# Entries of one card


def grouped(entries: Iterable[SourceCard]) -> list[list[SourceCard]]:
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


def united(entries: Sequence[SourceCard]) -> SourceCard:
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


class _KnownCards:
    """The bundled cards of a game and the user's own over them, by the keys of their names."""

    def __init__(self, words: Vocabulary, bundled: Sequence[Document], kept: Sequence[Document]) -> None:
        self.words = words
        names: dict[str, list[str]] = defaultdict(list)
        for item in bundled:
            names[words.fold(item.data["name"])].append(item.data["name"])
        self.alike = {key: alike for key, alike in names.items() if len(alike) > 1}
        """By folded name, the bundled cards if there are several."""
        self.records: dict[str, Record] = {}
        self._by_alias: dict[str, set[str]] = defaultdict(set)
        for item in (*bundled, *kept):
            key = self.key(item.data["name"])
            self.records[key] = item.data
            for alias in item.data.get("aliases", ()):
                self._by_alias[alias].add(key)

    def key(self, name: str) -> str:
        """The folded name, followed by the name itself if it is one of several bundled ones with that key."""
        key = self.words.fold(name)
        return f"{key}\t{name}" if name in self.alike.get(key, ()) else key

    def with_alias(self, alias: str) -> set[str]:
        """The keys of the cards that have exactly this alias."""
        return self._by_alias.get(alias, set())


class _Merge:
    """The cards of a pool merged with the known ones. What only these say is kept.

    `some_printings` says that cards may have more printings than the pool has.
    """

    def __init__(self, pool: Sequence[SourceCard], known: _KnownCards, *, some_printings: bool) -> None:
        self.doubles: list[tuple[str, str]] = []
        self.clashes: list[tuple[str, str]] = []
        self.unknown = Counter[str]()
        self.flawed = 0
        self._pool, self._known, self._some_printings = pool, known, some_printings
        self._owner: dict[str, int] = {}
        """By the key of a name, the number of the card in the pool that it belongs to."""
        self._shared: set[str] = set()
        """The folded aliases of several cards."""
        self._find_owners()

    def _find_owners(self) -> None:
        alias_owner: dict[str, int] = {}
        for number, card in enumerate(self._pool):
            name = card.record["name"]
            key = self._known.key(name)
            if key in self._known.alike:
                # It's unknown which of them is meant.
                self._owner[key] = _NOBODY
                self.doubles.append((name, self._known.alike[key][0]))
                continue
            other = self._owner.setdefault(key, number)
            if other != number:
                # The name belongs to the card that is played in more formats.
                is_more_played = _times_played(card) > _times_played(self._pool[other])
                winner, loser = (number, other) if is_more_played else (other, number)
                self._owner[key] = winner
                self.doubles.append((self._pool[loser].record["name"], self._pool[winner].record["name"]))
            for alias in map(self._known.words.fold, card.aliases):
                if alias_owner.setdefault(alias, number) != number:
                    self._shared.add(alias)
        self._shared -= self._owner.keys()

    def cards(self) -> Iterator[NewCard]:
        """Yields the merged cards, then the names that several of them show together."""
        known = self._known
        melding: dict[str, list[str]] = defaultdict(list)
        for number, card in enumerate(self._pool):
            if self._owner[known.key(card.record["name"])] != number:
                continue
            record = within_game(self._record(number, card), known.words, self.unknown)
            if record is None or len(line_of(normal(record))) > MOST_LINE:
                self.flawed += 1
                continue
            if card.melds is not None:
                melding[card.melds].append(record["name"])
            yield NewCard(record, known.records.get(known.key(record["name"])))
        for name, parts in melding.items():
            joint = within_game({"name": name, "made_of": parts}, known.words, self.unknown)
            if joint is not None and known.key(name) not in self._owner:
                yield NewCard(joint, known.records.get(known.key(name)))

    def _record(self, number: int, card: SourceCard) -> dict[str, Any]:
        """The card's record with what was known before, its keys in the order of the bundled files."""
        record = dict(card.record)
        own_key = key = self._known.key(record["name"])
        if key not in self._known.records and card.code is not None:
            # The card may be known under a name in another language.
            keys = self._known.with_alias(card.code)
            key = next(iter(keys)) if len(keys) == 1 and keys.isdisjoint(self._owner) else ""
        known: Record = self._known.records.get(key, {})
        aliases = list(card.aliases)
        if known and key != own_key:
            aliases.append(record["name"])
            record["name"] = known["name"]
        aliases += known.get("aliases", ())
        merged = {"name": record["name"], "aliases": self._aliases(number, card, record["name"], aliases)}
        merged |= dict(sorted(record.items()))
        if "faces" in merged:
            merged["faces"] = [
                face for face in merged["faces"] if self._known.key(face["name"]) not in self._owner
            ]
        merged["printings"] = self._printings(card.printings, known.get("printings", []))
        return merged | {key: merged.pop(key) for key in _LAST if key in merged}

    def _aliases(self, number: int, card: SourceCard, name: str, aliases: Sequence[str]) -> list[str]:
        """The aliases of a card that aren't names of other cards; clashes are noted."""
        kept: dict[str, str] = {self._known.key(name): ""}
        for alias in aliases:
            key = self._known.key(alias)
            if not key or key in kept:
                continue
            is_taken = self._owner.get(key, number) != number or key in self._known.records
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


def within_game(record: dict[str, Any], words: Vocabulary, unknown: Counter[str]) -> dict[str, Any] | None:
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
