"""Imports large files of other people's data: staged in a database, merged with the card table as it was, and stored.

The database lies beside the user's cards, so an import that was cut off goes on where it was.
"""

import contextlib
import itertools
import json
import math
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from filelock import FileLock, Timeout

from deckcheck.cards.cardfile import (
    MOST_ITEMS,
    MOST_LINE,
    Record,
    check_text,
    each_card,
    line_of,
    normal,
    vocabulary,
)
from deckcheck.cards.compile import gather
from deckcheck.cards.importers import Item, Kind, LeftOut, Stamp
from deckcheck.cards.importers.stream import Advance
from deckcheck.cards.sources import imported_file, sources_of
from deckcheck.cards.userdata import ImportResult, store_lines
from deckcheck.model.card import INFINITY
from deckcheck.model.game import Game
from deckcheck.support import VERSION
from deckcheck.support.cache import stamp
from deckcheck.support.dates import is_day
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import cannot_write
from deckcheck.support.messages import _

FORM = 4
"""Raised whenever the staging database would read differently."""

_STEP = 2000
_MOST_PRINTINGS = 500
"""Basic lands have more; a line of a card file has an end."""

# `kind` is "word" (a name, or an id of the source behind a NUL), "record", "weak" (a record of a weak item), "alias" or
# "printing".
_LAYOUT = """
CREATE TABLE meta (file TEXT NOT NULL, state TEXT NOT NULL);
CREATE TABLE cards (id INTEGER PRIMARY KEY, name TEXT NOT NULL, melds TEXT, code TEXT);
CREATE TABLE parts (
  id INTEGER PRIMARY KEY, card INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL, same INTEGER NOT NULL,
  UNIQUE (card, kind, text)
);
"""
_STATE = ("done", "complete", "repeated", "date", "left_out")
_UNITED = "pool"
"""The attribute of which each version of a card may know another part."""

_KEPT = ("name", "aliases", "home", "released", "printings", "parts", "faces", "made_of")
_LAST = ("printings", "parts", "faces", "partial")


def import_bulk(
    game: Game,
    kind: Kind,
    file: Path,
    advance: Advance = lambda _count: None,
    *,
    bundled: Path | None = None,
) -> ImportResult:
    """Add the cards of a large file to the user's own, all of them or none, in little memory.

    A card that is known is replaced, but keeps other names and printings. `advance` gets how many more bytes of
    the file are done. Raises UserError when the file is broken, or when something can't be written.
    """
    store = imported_file(game)
    # What tells a file from another one or another state of it.
    file_id = f"{VERSION} {FORM} {kind.id} {stamp(file)}"
    try:
        store.parent.mkdir(parents=True, exist_ok=True)
        with (
            FileLock(store.with_name(".import.lock"), timeout=0),
            Staging(store.with_name(".import.sqlite"), file_id) as staging,
        ):
            resumed = staging.done
            if not staging.complete:
                for found in itertools.islice(kind.source.read(file, advance), resumed, None):
                    staging.add(found)
                staging.finish()
            merge = _Merge(game, staging, bundled, kind.some_printings and not staging.repeated)
            return merge.store(store)._replace(resumed=resumed)
    except Timeout as error:
        hint = _("wait for it to finish, then try again")
        raise user_error(_("another import is running"), path=str(store), hint=hint) from error
    except sqlite3.Error as error:
        raise user_error(_("can't be written: {reason}", reason=str(error)), path=str(store)) from error
    except OSError as error:
        raise cannot_write(store, error) from error


class Staging:
    """The items of one file in a database, without those of any other file. Raises sqlite3.Error.

    `done` counts what was added, `complete` says whether that is all, `repeated` whether a card came several times.
    """

    def __init__(self, file: Path, file_id: str) -> None:
        self._file = file
        self._database = sqlite3.connect(file)
        try:
            kept, written = self._database.execute("SELECT file, state FROM meta").fetchone()
            state: dict[str, Any] = json.loads(written)
        except (sqlite3.DatabaseError, TypeError, ValueError):
            # New, or damaged.
            kept = None
        if kept != file_id:
            self._database.close()
            self._remove()
            self._database = sqlite3.connect(file)
            self._database.executescript(_LAYOUT)
            self._database.execute("INSERT INTO meta VALUES (?, '{}')", (file_id,))
            self._database.commit()
            state = {}
        self.done: int = state.get("done", 0)
        self.complete: bool = state.get("complete", False)
        self.repeated: bool = state.get("repeated", False)
        self.date: str | None = state.get("date")
        self.left_out = Counter[str](state.get("left_out", {}))
        words = self._database.execute("SELECT text, card FROM parts WHERE kind = 'word'")
        self._numbers: dict[str, int] = dict(words)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        """Close the database, and delete it unless a later import of the same file can use it."""
        self._database.close()
        is_broken = isinstance(error, UserError) and not self.complete
        is_damaged = type(error) is sqlite3.DatabaseError
        if error is None or is_broken or is_damaged:
            with contextlib.suppress(OSError):
                self._remove()

    def _remove(self) -> None:
        """Delete the database, with what SQLite may have put beside it."""
        for end in ("", "-journal", "-wal", "-shm"):
            self._file.with_name(self._file.name + end).unlink(missing_ok=True)

    def add(self, found: Item | LeftOut | Stamp | None) -> None:
        """Add what comes next in the file; None is something that says nothing."""
        if isinstance(found, Item):
            self._add_item(found)
        elif isinstance(found, LeftOut):
            self.left_out[found.reason] += found.number
        elif isinstance(found, Stamp):
            self.date = found.date
        self.done += 1
        if self.done % _STEP == 0:
            self._commit()

    def finish(self) -> None:
        """Note that nothing more comes."""
        self.complete = True
        self._commit()

    def _commit(self) -> None:
        state = {key: getattr(self, key) for key in _STATE}
        self._database.execute("UPDATE meta SET state = ?", (json.dumps(state),))
        self._database.commit()

    def _add_item(self, item: Item) -> None:
        name, id = item.record["name"], f"\0{item.same}"
        same = bool(item.same) and id in self._numbers
        number = self._numbers.get(id if same else name)
        words = [id] if item.same and not same else []
        if number is None:
            insert = "INSERT INTO cards (name, melds, code) VALUES (?, ?, ?)"
            number = self._database.execute(insert, (name, item.melds, item.code)).lastrowid
            assert number is not None
            words.append(name)
        elif not item.weak:
            self.repeated = True
        self._numbers |= dict.fromkeys(words, number)
        parts = [
            *(("word", word) for word in words),
            ("weak" if item.weak else "record", _text(item.record)),
            *(("alias", alias) for alias in item.aliases),
            *(("printing", _text(printing)) for printing in item.printings),
        ]
        self._database.executemany(
            "INSERT OR IGNORE INTO parts (card, kind, text, same) VALUES (?, ?, ?, ?)",
            [(number, kind, text, same) for kind, text in parts],
        )

    def cards(self) -> Iterator[tuple[int, Item]]:
        """Each card, as all its items say it together, with its number; in the order in which they came first."""
        execute = self._database.execute
        for number, name, melds, code in execute("SELECT id, name, melds, code FROM cards ORDER BY id"):
            parts: dict[str, list[tuple[str, bool]]] = {}
            of_card = execute("SELECT kind, text, same FROM parts WHERE card = ? ORDER BY id", (number,))
            for kind, text, same in of_card:
                parts.setdefault(kind, []).append((text, bool(same)))
            versions = parts.get("record") or parts["weak"]
            record: dict[str, Any] = json.loads(versions[0][0])
            for text, same in versions[1:]:
                record = _joined(record, json.loads(text), same=same)
            aliases, printings = (
                sorted(text for text, _same in parts.get(kind, ())) for kind in ("alias", "printing")
            )
            item = Item(record | {"name": name}, "", tuple(aliases), tuple(map(json.loads, printings)))
            yield number, item._replace(melds=melds, code=code)


def _text(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _joined(first: Mapping[str, Any], second: Mapping[str, Any], *, same: bool) -> dict[str, Any]:
    """What two versions of a card agree on.

    Where sets of words differ, what both have is a part of the truth; other facts that differ are not known.
    Of the `same` card, what one version says is true.
    """
    made: dict[str, Any] = {}
    partial = dict.fromkeys([*first.get("partial", ()), *second.get("partial", ())])
    for key in dict.fromkeys([*first, *second]):
        value, other = first.get(key), second.get(key)
        if key == "partial":
            continue
        if key in ("name", "parts", "faces") or value == other:
            made[key] = value if key in first else other
        elif value is None or other is None:
            if same:
                made[key] = other if value is None else value
        elif isinstance(value, list):
            both = [word for word in value if word in other]
            if key == _UNITED:
                both = sorted({*value, *other})
            elif len(both) < max(len(value), len(other)):
                partial[key] = None
            made[key] = both
    return made | ({"partial": list(partial)} if partial else {})


class _Merge:
    """The staged cards on their way into the table of a game: one name one card, in the game's words.

    What only the earlier table knew is kept; it is held as lines, since so many records would fill the memory.
    `some_printings` says that a card may have been printed elsewhere, too.
    """

    def __init__(self, game: Game, staging: Staging, bundled: Path | None, some_printings: bool) -> None:
        self.words = vocabulary(game)
        self._doubles: list[tuple[str, str]] = []
        self._clashes: list[tuple[str, str]] = []
        self._unknown = Counter[str]()
        self._staging = staging
        self._some_printings = some_printings
        self._earlier: dict[str, bytes] = {}
        self._by_alias: dict[str, str | None] = {}
        store = imported_file(game)
        sources = sources_of(game, (), bundled)._replace(imported=store.with_name(".none"))
        for item in gather(game, sources).cards.values():
            self._keep(item.record)
        self._own = sorted(map(self._keep, each_card(store, self.words))) if store.exists() else []
        self._find_owners()

    def _keep(self, record: Record) -> str:
        """Note a card of the earlier table; its folded name."""
        key = self.words.fold(record["name"])
        self._earlier[key] = line_of(normal(record))
        for alias in record.get("aliases", ()):
            self._by_alias[alias] = key if self._by_alias.get(alias, key) == key else None
        return key

    def _known(self, key: str) -> Record | None:
        return json.loads(self._earlier[key]) if key in self._earlier else None

    def _find_owners(self) -> None:
        """Find whose the folded names are: the cards' own, and the aliases of several."""
        self._first: dict[str, int] = {}
        heads: dict[int, tuple[str, int]] = {}
        owners: dict[str, int] = {}
        shared = set()
        for number, card in self._staging.cards():
            name, key = card.record["name"], self.words.fold(card.record["name"])
            # Whichever is played in more formats is meant.
            known = len(card.record.get(_UNITED, ()))
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
        """Write the user's own cards: the merged ones, and those of which the file says nothing. Raises UserError."""
        counts = Counter[str]()
        new: dict[str, bytes] = {}
        for record in self._cards():
            plain = normal(record)
            line = line_of(plain)
            if len(line) > MOST_LINE:
                self._staging.left_out["flawed"] += 1
                continue
            key = self.words.fold(record["name"])
            known = self._known(key)
            counts["added" if known is None else "unchanged" if known == plain else "changed"] += 1
            new[key] = line
        if not new:
            raise user_error(_("it holds no card"))
        store_lines(path, [*(self._earlier[key] for key in self._own if key not in new), *new.values()])
        return ImportResult(
            counts["added"],
            counts["changed"],
            counts["unchanged"],
            path,
            self._staging.date,
            left_out=dict(self._staging.left_out),
            doubles=self._doubles,
            clashes=self._clashes,
            unknown=self._unknown,
        )

    def _cards(self) -> Iterator[dict[str, Any]]:
        """The cards as records of a card file, no two of one name."""
        halves: dict[str, list[str]] = {}
        for number, card in self._staging.cards():
            if self._first[self.words.fold(card.record["name"])] != number:
                continue
            fit = self._fitted(self._record(number, card))
            if fit is None:
                self._staging.left_out["flawed"] += 1
                continue
            if card.melds is not None:
                halves.setdefault(card.melds, []).append(fit["name"])
            yield fit
        for name, parts in halves.items():
            if self.words.fold(name) not in self._first:
                joint = self._fitted({"name": name, "made_of": parts})
                if joint is not None:
                    yield joint

    def _record(self, number: int, card: Item) -> dict[str, Any]:
        """The card with what the earlier table knew of it, its keys in the order of the bundled tables."""
        fold, record = self.words.fold, card.record
        own = fold(record["name"])
        earlier = self._known(own)
        if earlier is None and card.code is not None:
            # Perhaps the table has it under a name in another language.
            key = self._by_alias.get(card.code)
            earlier = None if key is None or key in self._first else self._known(key)
        aliases = list(card.aliases)
        if earlier is not None:
            if fold(earlier["name"]) != own:
                aliases.append(record["name"])
                record["name"] = earlier["name"]
            aliases += earlier.get("aliases", ())
        first = {"name": record["name"], "aliases": self._aliases(number, card, aliases, own)}
        if "faces" in record:
            record["faces"] = [face for face in record["faces"] if fold(face["name"]) not in self._first]
        record["printings"] = self._printings(card.printings, earlier)
        last = {key: record.pop(key) for key in _LAST if key in record}
        return first | {key: value for key, value in record.items() if key not in first} | last

    def _aliases(self, number: int, card: Item, aliases: Sequence[str], own: str) -> list[str]:
        """The aliases of a card of the folded name `own` that mean no other card."""
        mine = self.words.fold(card.record["name"])
        kept: dict[str, str] = {}
        for alias in aliases:
            key = self.words.fold(alias)
            if not key or key in (mine, *kept):
                continue
            is_taken = self._first.get(key, number) != number or (key != own and key in self._earlier)
            if is_taken or key in self._shared:
                self._clashes.append((alias, card.record["name"]))
            if not is_taken:
                kept[key] = alias
        # The number by which it is known comes first: notations that write numbers take that one.
        return sorted(kept.values(), key=lambda alias: alias != card.code)

    def _printings(self, new: Sequence[dict[str, Any]], earlier: Record | None) -> list[dict[str, Any]]:
        old = [] if earlier is None else list(earlier.get("printings", ()))
        if not new:
            return old
        if self._some_printings and not old:
            # With one of them known, the others would count as not there.
            return []
        # Of each set the printings that say most: the new ones, those known before, the mere name of the set.
        full, known = _by_set(printing for printing in new if len(printing) > 1), _by_set(old)
        bare = _by_set(new)
        sets = bare.keys() | known.keys() if self._some_printings else bare.keys()
        every = [printing for code in sets for printing in full.get(code) or known.get(code) or bare[code]]

        def order(printing: Mapping[str, Any]) -> tuple[str, str, str]:
            released = printing.get("released")
            return str(released) if is_day(released) else "~", printing["set"], str(printing)

        return _bounded(sorted(every, key=order))

    def _fitted(self, record: Mapping[str, Any]) -> dict[str, Any] | None:
        """The record without attributes and words that the game doesn't have; None where no card is left.

        What is left of a closed attribute is then a part of the truth.
        """
        made = self._facts(record)
        for key in ("parts", "faces"):
            if record.get(key):
                made[key] = parts = [self._facts(part) for part in record[key]]
                # A part can't say that it is incomplete.
                for part in parts:
                    for attribute in part.pop("partial", ()):
                        part.pop(attribute, None)
        if "printings" in record:
            made["printings"] = [self._printing(item) for item in record["printings"][:MOST_ITEMS]]
        if "aliases" in record:
            fit = [alias for alias in record["aliases"] if not check_text(alias) and self.words.fold(alias)]
            made["aliases"] = fit[:MOST_ITEMS]
        return None if next(iter(self.words.card(made)), None) is not None else made

    def _facts(self, record: Mapping[str, Any]) -> dict[str, Any]:
        made: dict[str, Any] = {}
        partial = [
            key
            for key in record.get("partial", ())
            if key in self.words.facts and self.words.facts[key].kind == "values"
        ]
        for key, value in record.items():
            attribute = self.words.facts.get(key)
            if attribute is None:
                if key in _KEPT:
                    made[key] = value
            elif attribute.kind == "number":
                if value == INFINITY or (isinstance(value, int | float) and math.isfinite(value)):
                    made[key] = value
            else:
                known = attribute.values or attribute.names
                for word in value:
                    if known and word not in known:
                        self._count(key, word)
                made[key] = [word for word in value if word in attribute.values or not attribute.values]
                if len(made[key]) < len(value):
                    partial.append(key)
        if "home" in made and made["home"] not in self.words.zones:
            self._count("home", made.pop("home"))
        # What is wholly unknown has no part that is known.
        partial = [key for key in dict.fromkeys(partial) if key in made]
        return {**made, "partial": partial} if partial else made

    def _printing(self, printing: Mapping[str, Any]) -> dict[str, Any]:
        made: dict[str, Any] = {"set": printing["set"]}
        if is_day(printing.get("released")):
            made["released"] = printing["released"]
        for key, known in self.words.ranks.items():
            if printing.get("aside") or (key in printing and printing[key] is None):
                made[key] = None
            elif printing.get(key) in known:
                made[key] = printing[key]
            elif key in printing:
                self._count(key, printing[key])
        return made

    def _count(self, attribute: str, value: object) -> None:
        self._unknown[f"{attribute} {str(value)[:60]}"] += 1


def _by_set(printings: Iterable[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for printing in printings:
        found.setdefault(printing["set"], []).append(printing)
    return found


def _bounded(printings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first ones, and the first of each rank, on which all hangs that rules ask."""
    kept = printings[:_MOST_PRINTINGS]
    ranks: set[str] = set()
    for printing in printings:
        rank = str(sorted((key, value) for key, value in printing.items() if key not in ("set", "released")))
        if rank not in ranks and printing not in kept:
            kept.append(printing)
        ranks.add(rank)
    return kept[:MOST_ITEMS]
