"""Imports cards into the user's own: from a card file, or from large files of other sources.

The entries of a large file are noted in a journal beside the user's cards, so an interrupted import can be resumed.
"""

import contextlib
import hashlib
import itertools
import json
import os
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from deckcheck.cards.card_file import (
    MOST_BYTES,
    MOST_CARDS,
    MOST_ITEMS,
    MOST_LINE,
    Record,
    each_card,
    flaws,
    line_of,
    normal,
    read_cards,
    too_many_cards,
    vocabulary,
)
from deckcheck.cards.catalog import bundled_table
from deckcheck.cards.compile import OwnCards, combined_records, records_of
from deckcheck.cards.database import imported_file, sources_of
from deckcheck.importers.json_stream import Advance
from deckcheck.importers.source_kinds import DataDate, Omission, SourceCard, SourceKind
from deckcheck.model.game import Game
from deckcheck.support import VERSION
from deckcheck.support.cache import cache_folder, stamp
from deckcheck.support.dates import is_day
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import cannot_write, locked, read_bytes, write_atomically
from deckcheck.support.messages import _

FORM = 7
"""Increased whenever the same file would give a different journal."""

_STEP = 2000
_MOST_PRINTINGS = 500
"""Basic lands have more, but a line of a card file is bounded."""

_NOBODY = -1

_LAST = ("printings", "parts", "faces", "partial")
_KINDS = {kind.__name__: kind for kind in (SourceCard, Omission, DataDate)}


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
        kept = read_cards(store, read_bytes(store, most=MOST_BYTES), words) if store.exists() else []
        with closing(bundled_table(game, sources_of(game, (), bundled))) as table:
            own = OwnCards(game, table)
            own.take(kept)
            taken = own.take(new)
            # The cards that a card is made of may be in any of the sources.
            own.compiled("", "").close()
        before = {item.record["name"]: item.record for item in kept}
        before |= {replaced["name"]: replaced for _item, replaced in taken if replaced is not None}
        return _add_to_store(
            store,
            {name: line_of(normal(record)) for name, record in before.items()},
            [item.record["name"] for item in kept],
            (((replaced or item.record)["name"], item.record) for item, replaced in taken),
        )


def _add_to_store(
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


# Large files


def import_card_pool(
    game: Game,
    kind: SourceKind,
    file: Path,
    advance: Advance = lambda _count: None,
    *,
    bundled: Path | None = None,
    store: Path | None = None,
) -> ImportResult:
    """Add the cards of a large file to a `store` (default: the user's own), all or none, using little memory.

    A known card is replaced, but keeps its other names and printings. `advance` is called with the number of further
    bytes of the file that are done. Raises UserError if the file is broken or something can't be written.
    """
    # Only the cards are stored beside decks, not the lock and the journal.
    own = imported_file(game)
    store = store or own
    # Identifies the file and its state.
    file_id = f"{VERSION} {FORM} {kind.id} {stamp(file)}"
    busy, lock = _("another import is running"), own.with_name(".import.lock")
    with (
        locked(store, busy, lock=lock, patience=0),
        Journal(own.with_name(".import.journal"), file_id, kind.merged_attribute) as journal,
    ):
        resumed = journal.done
        if not journal.complete:
            for found in itertools.islice(kind.source.read(file, advance), resumed, None):
                journal.add(found)
            journal.add(None)
        some_printings = kind.some_printings and not journal.repeated
        with import_lock(store):
            merge = _Merge(game, journal, bundled, store, some_printings)
            return merge.store(store)._replace(source=kind.title, resumed=resumed)


class Journal:
    """The entries read from one file: a line that identifies the file, then one line per entry. Raises OSError.

    `done` counts the entries, `complete` says whether these are all, `repeated` whether a card came several times.
    Lines have checksums: the import is resumed at the first damaged or incomplete one.
    """

    def __init__(self, path: Path, file_id: str, merged_attribute: str) -> None:
        self.merged_attribute = merged_attribute
        self.done, self.complete, self.repeated = 0, False, False
        self.date: str | None = None
        self.left_out = Counter[str]()
        self._cards: list[list[int]] = []
        self._numbers: dict[str, int] = {}
        self._path = path
        self._file = path.open("a+b")
        self._file.seek(0)
        first = _line(file_id)
        self._end = len(first)
        if self._file.readline() == first:
            for line in self._file:
                mark, _blank, content = line.partition(b" ")
                if mark != _checksum(content):
                    break
                self._note(_parsed(content), len(line))
            self._file.truncate(self._end)
        else:
            self._file.truncate(0)
            self._file.write(first)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        """Close the file, and delete it unless a later import of the same file can use it."""
        self._file.close()
        if error is None or (isinstance(error, UserError) and not self.complete):
            with contextlib.suppress(OSError):
                self._path.unlink()

    def add(self, found: SourceCard | Omission | DataDate | None) -> None:
        """Add the next entry of the file; None at its end."""
        plain = found._replace(statuses=None) if isinstance(found, SourceCard) else found
        line = _line(plain and [type(plain).__name__, *plain])
        self._file.write(line)
        self._note(found, len(line))
        if found is None or self.done % _STEP == 0:
            self._file.flush()

    def _note(self, found: SourceCard | Omission | DataDate | None, size: int) -> None:
        if isinstance(found, SourceCard):
            self._note_item(found)
        elif isinstance(found, Omission):
            self.left_out[found.reason] += 1
        elif isinstance(found, DataDate):
            self.date = found.date
        self.complete = found is None
        self.done += not self.complete
        self._end += size

    def _note_item(self, item: SourceCard) -> None:
        name = item.record["name"]
        keys = (f"\0{item.source_id}", name) if item.source_id else (name,)
        number = next((self._numbers[key] for key in keys if key in self._numbers), None)
        if number is None:
            number = self._numbers[name] = len(self._cards)
            self._cards.append([])
        elif not item.is_fallback:
            self.repeated = True
        self._numbers.setdefault(keys[0], number)
        self._cards[number].append(self._end)

    def cards(self) -> Iterator[tuple[int, SourceCard]]:
        """Yields each card, united from all its items, with its number, in the order of first appearance."""
        for number, places in enumerate(self._cards):
            yield number, _merged_item([self._item(place) for place in places], self.merged_attribute)

    def _item(self, place: int) -> SourceCard:
        self._file.seek(place)
        found = _parsed(self._file.readline().partition(b" ")[2])
        assert isinstance(found, SourceCard)
        return found


def _line(value: object) -> bytes:
    content = json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"
    return _checksum(content) + b" " + content


def _checksum(content: bytes) -> bytes:
    return f"{zlib.crc32(content):08x}".encode()


def _parsed(content: bytes) -> SourceCard | Omission | DataDate | None:
    value = json.loads(content)
    return value and _KINDS[value[0]](*value[1:])


def _merged_item(items: Sequence[SourceCard], merged_attribute: str) -> SourceCard:
    """One item for all these items of a card."""
    first = items[0]
    if len(items) == 1:
        return first
    versions = [item for item in items if not item.is_fallback] or items
    same = first.source_id != "" and all(item.source_id == first.source_id for item in versions)
    printings = {str(sorted(printing.items())): printing for item in items for printing in item.printings}
    return first._replace(
        record=_common_facts([item.record for item in versions], same, merged_attribute)
        | {"name": first.record["name"]},
        aliases=tuple(sorted({alias for item in items for alias in item.aliases})),
        printings=tuple(printing for _text, printing in sorted(printings.items())),
    )


def _common_facts(versions: Sequence[Record], same: bool, merged_attribute: str) -> dict[str, Any]:
    """The facts on which versions of a card agree.

    Lists that differ are reduced to the common words and marked as partial (but joined for `merged_attribute`); other facts that
    differ are unknown. Facts that only some versions state are kept only for the `same` card.
    """
    made: dict[str, Any] = {}
    partial = {key: None for version in versions for key in version.get("partial", ())}
    for key in dict.fromkeys(key for version in versions for key in version if key != "partial"):
        values = [version[key] for version in versions if key in version]
        if key in ("name", "parts", "faces") or all(value == values[0] for value in values):
            if same or len(values) == len(versions) or key in ("name", "parts", "faces"):
                made[key] = values[0]
        elif isinstance(values[0], list) and (same or len(values) == len(versions)):
            made[key] = [word for word in values[0] if all(word in other for other in values)]
            if key == merged_attribute:
                made[key] = sorted(set[str]().union(*values))
            elif len(made[key]) < max(map(len, values)):
                partial[key] = None
    return made | ({"partial": list(partial)} if partial else {})


class _Merge:
    """Merges the cards of a journal into the table of a game: one card per name, in the game's words.

    What only the earlier table knew is kept. It is held as lines, since parsed records would fill the memory.
    `some_printings` says that cards may have more printings than the journal has.
    """

    def __init__(
        self, game: Game, journal: Journal, bundled: Path | None, store: Path, some_printings: bool
    ) -> None:
        self.words = vocabulary(game)
        self._doubles: list[tuple[str, str]] = []
        self._clashes: list[tuple[str, str]] = []
        self._unknown = Counter[str]()
        self._journal = journal
        self._some_printings = some_printings
        self._earlier: dict[str, bytes] = {}
        self._by_alias: dict[str, str | None] = {}
        with closing(bundled_table(game, sources_of(game, (), bundled))) as table:
            made, names = combined_records(table), dict[str, list[str]]()
            for name in (*map(table.card_name, range(table.count)), *(record["name"] for record in made)):
                names.setdefault(self.words.fold(name), []).append(name)
            self._alike = {key: alike for key, alike in names.items() if len(alike) > 1}
            for record in itertools.chain((record for record, _extra in records_of(table, game)), made):
                self._keep(record)
        content = read_bytes(store, most=MOST_BYTES) if store.exists() else b""
        self._own = [self._keep(item.record) for item in each_card(store, content, self.words)]
        self._find_owners()

    def _keep(self, record: Record) -> str:
        """Note a card of the earlier table; returns its key."""
        key = self._key(record["name"])
        self._earlier[key] = line_of(normal(record))
        for alias in record.get("aliases", ()):
            self._by_alias[alias] = key if self._by_alias.get(alias, key) == key else None
        return key

    def _key(self, name: str) -> str:
        """The folded name, followed by the name itself if it is one of several with that key in the earlier table."""
        key = self.words.fold(name)
        return f"{key}\t{name}" if name in self._alike.get(key, ()) else key

    def _find_owners(self) -> None:
        """Find which card each key belongs to (`_first`), and the aliases of several cards (`_shared`)."""
        self._first: dict[str, int] = {}
        heads: dict[int, tuple[str, int]] = {}
        owners: dict[str, int] = {}
        shared = set()
        for number, card in self._journal.cards():
            name, key = card.record["name"], self._key(card.record["name"])
            if key in self._alike:
                # It's unknown which of them is meant.
                self._first[key] = _NOBODY
                self._doubles.append((name, self._alike[key][0]))
                continue
            # The name belongs to the card that is played in more formats.
            known = len(card.record.get(self._journal.merged_attribute, ()))
            heads[number] = name, known
            other = self._first.setdefault(key, number)
            if other != number:
                winner, loser = (number, other) if known > heads[other][1] else (other, number)
                self._first[key] = winner
                self._doubles.append((heads[loser][0], heads[winner][0]))
            for alias in map(self.words.fold, card.aliases):
                if owners.setdefault(alias, number) != number:
                    shared.add(alias)
        self._shared = shared - self._first.keys()

    def store(self, path: Path) -> ImportResult:
        """Write the merged cards and the stored ones not in the file. Raises UserError, also if there is no card."""
        done = _add_to_store(path, self._earlier, self._own, self._cards())
        if not done.added + done.changed + done.unchanged:
            raise user_error(_("it holds no card"))
        return done._replace(
            date=self._journal.date,
            left_out=dict(self._journal.left_out),
            doubles=self._doubles,
            clashes=self._clashes,
            unknown=self._unknown,
        )

    def _cards(self) -> Iterator[tuple[str, Record]]:
        """Yields the cards as their unique keys and records of a card file."""
        halves: dict[str, list[str]] = {}
        for number, card in self._journal.cards():
            if self._first[self._key(card.record["name"])] != number:
                continue
            record = normal(self._restricted_to_game(self._record(number, card)) or {})
            if not record or len(line_of(record)) > MOST_LINE:
                self._journal.left_out["flawed"] += 1
                continue
            if card.melds is not None:
                halves.setdefault(card.melds, []).append(record["name"])
            yield self._key(record["name"]), record
        for name, parts in halves.items():
            joint = self._restricted_to_game({"name": name, "made_of": parts})
            if joint is not None and self._key(name) not in self._first:
                yield self._key(name), joint

    def _record(self, number: int, card: SourceCard) -> dict[str, Any]:
        """The card's record with what the earlier table knew, its keys in the order of the bundled tables."""
        record = card.record
        own: str | None = self._key(record["name"])
        if own not in self._earlier and card.code is not None:
            # The table may have it under a name in another language.
            own = self._by_alias.get(card.code)
            own = None if own in self._first else own
        aliases = list(card.aliases)
        earlier: Record = json.loads(self._earlier.get(own or "", b"{}"))
        if earlier and own != self._key(record["name"]):
            aliases.append(record["name"])
            record["name"] = earlier["name"]
        aliases += earlier.get("aliases", ())
        made = {"name": record["name"], "aliases": self._aliases(number, card, aliases)}
        made |= dict(sorted(record.items()))
        if "faces" in made:
            made["faces"] = [face for face in made["faces"] if self._key(face["name"]) not in self._first]
        made["printings"] = self._printings(card.printings, earlier.get("printings", []))
        return made | {key: made.pop(key) for key in _LAST if key in made}

    def _aliases(self, number: int, card: SourceCard, aliases: Sequence[str]) -> list[str]:
        """The aliases of a card that aren't names of other cards; clashes are noted."""
        kept: dict[str, str] = {self._key(card.record["name"]): ""}
        for alias in aliases:
            key = self._key(alias)
            if not key or key in kept:
                continue
            is_taken = self._first.get(key, number) != number or key in self._earlier
            if is_taken or key in self._shared:
                self._clashes.append((alias, card.record["name"]))
            if not is_taken:
                kept[key] = alias
        # The code comes first, since notations with numbers write the first one.
        return sorted(filter(None, kept.values()), key=lambda alias: alias != card.code)[:MOST_ITEMS]

    def _printings(self, new: Sequence[dict[str, Any]], old: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if not new:
            return old
        if self._some_printings and not old:
            # If only one were known, the card would count as not printed in other sets.
            return []
        # For each set, its most detailed printings: new ones with details, earlier ones, or the bare set.
        full, known = _by_set(printing for printing in new if len(printing) > 1), _by_set(old)
        bare = _by_set(new)
        sets = bare.keys() | known.keys() if self._some_printings else bare.keys()
        every = [printing for code in sets for printing in full.get(code) or known.get(code) or bare[code]]

        def order(printing: Mapping[str, Any]) -> tuple[str, str, str]:
            released = printing.get("released")
            return str(released) if is_day(released) else "~", printing["set"], str(printing)

        return _bounded(sorted(every, key=order))

    def _restricted_to_game(self, record: dict[str, Any]) -> dict[str, Any] | None:
        """The record without what the game doesn't have, which is counted; None if no valid card is left.

        A list that lost words is marked as partial.
        """
        self._count_unnamed(record)
        shortened: list[tuple[dict[str, Any], str]] = []
        partial = list(record.pop("partial", ()))
        for flaw in reversed(list(flaws(self.words.card, record))):
            *way, last = flaw.keys
            if last == "name":
                return None
            outer: Any = None
            holder: Any = record
            for step in way:
                outer, holder = holder, holder[step]
            attribute = str(way[-1] if isinstance(last, int) else last)
            is_word = isinstance(last, int) and attribute in self.words.facts
            if is_word or attribute in self.words.ranks or attribute == "home":
                self._count(attribute, holder[last])
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
        return None if any(flaws(self.words.card, record)) else record

    def _count_unnamed(self, record: Record) -> None:
        """Count the words that the game accepts but has no name for."""
        for holder in (record, *record.get("parts", ()), *record.get("faces", ())):
            for key, attribute in self.words.facts.items():
                if attribute.names and not attribute.values:
                    for word in holder.get(key, ()):
                        if word not in attribute.names:
                            self._count(key, word)

    def _count(self, attribute: str, value: object) -> None:
        self._unknown[f"{attribute} {str(value)[:60]}"] += 1


def _by_set(printings: Iterable[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for printing in printings:
        found.setdefault(printing["set"], []).append(printing)
    return found


def _bounded(printings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first printings, and the first of each rank, which is all that rules depend on."""
    kept = printings[:_MOST_PRINTINGS]
    firsts: dict[str, dict[str, Any]] = {}
    for printing in printings:
        ranks = sorted((key, value) for key, value in printing.items() if key not in ("set", "released"))
        firsts.setdefault(str(ranks), printing)
    return [*kept, *(printing for printing in firsts.values() if printing not in kept)][:MOST_ITEMS]
