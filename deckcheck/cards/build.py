"""Builds a game's card table: reads the cards, corrects the bundled ones, puts the user's own over them, and writes all of them into SQLite tables."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from deckcheck.cards.card_file import (
    MOST_BYTES,
    MOST_PROBLEMS,
    CardSet,
    Record,
    card_at,
    read_cards,
    to_json,
    vocabulary,
)
from deckcheck.cards.corrections import correct
from deckcheck.cards.names import Fold
from deckcheck.cards.sets import Sets, read_sets, sets_from
from deckcheck.cards.sources import Sources, form_of, meta_of, opened, stamp_of
from deckcheck.model.card import several_cards
from deckcheck.model.game import Game
from deckcheck.support.documents import Document
from deckcheck.support.errors import Problem, UserError, did_you_mean
from deckcheck.support.files import cannot_write, read_bytes, write_atomically
from deckcheck.support.messages import _

_CONTENT = "4"
"""Increased whenever the same files would give other cards; the version of a table depends on it."""

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE card (
  id INTEGER PRIMARY KEY, name TEXT, released TEXT, record TEXT, dated TEXT, corrections TEXT, own TEXT
);
CREATE TABLE joint (name TEXT PRIMARY KEY, record TEXT) WITHOUT ROWID;
CREATE TABLE name (key TEXT, card INTEGER, PRIMARY KEY (key, card)) WITHOUT ROWID;
CREATE TABLE word (attribute TEXT, word TEXT, PRIMARY KEY (attribute, word)) WITHOUT ROWID;
"""
"""Cards are numbered by age. `joint` has the names that several cards show together; these are no cards of their own.

`word` has the words that cards have for an attribute.
"""

_UNKNOWN_DAY = "~"
"""Sorts behind every day."""

_MOST_TABLES = 6
_READING = re.compile(r"\([^()]*\)")
_COUNT = re.compile("[x0-9]")


def build_table(
    game: Game, sources: Sources, stamp: str, bundled: sqlite3.Connection | None
) -> sqlite3.Connection:
    """A table in memory: of the cards in the user's own files over a `bundled` table, or (None) of the bundled texts.

    Raises UserError for an invalid file.
    """
    if bundled is None:
        return _written(game, _bundled_from_texts(game, sources), stamp)
    words = vocabulary(game)
    contents = [read_bytes(path, most=MOST_BYTES) for path in sources.own]
    # Mistakes are told before the bundled cards, which take a second, are read.
    own = [
        list(read_cards(path, content, words)) for path, content in zip(sources.own, contents, strict=True)
    ]
    table = cards_of(game, bundled)
    for cards in own:
        table.put_over(cards)
    return _written(game, table._replace(version=_hash_of(contents, table.version)), stamp)


def write_table(game: Game, sources: Sources, file: Path) -> None:
    """Write the table of the bundled texts to a file, unless that is their `built` table and fresh.

    Raises UserError for an invalid text, or if the file can't be written.
    """
    # Elsewhere, the table replaces the texts.
    stamp = stamp_of(sources.without_own()) if file == sources.built else ""
    with contextlib.suppress(sqlite3.Error), closing(opened(file)) as database:
        if stamp and meta_of(database) == (form_of(game), stamp):
            return
    with closing(build_table(game, sources, stamp, None)) as database:
        try:
            write_atomically(file, database.serialize())
            file.chmod(0o644)
        except OSError as error:
            raise cannot_write(file, error) from error


def write_cached(file: Path, database: sqlite3.Connection) -> bool:
    """Write a table into the cache, and delete the oldest ones of the game there; False if that fails."""
    try:
        write_atomically(file, database.serialize())
        game = file.stem.rpartition("-")[0]
        tables = sorted(file.parent.glob(f"{game}-????????.sqlite"), key=lambda file: -file.stat().st_mtime)
        for old in tables[_MOST_TABLES:]:
            old.unlink(missing_ok=True)
    except (OSError, sqlite3.Error, AttributeError):
        # Some builds of SQLite can't serialize a database.
        return False
    return True


# Collecting the cards


class NewCard(NamedTuple):
    """A card of the user's own, and the record that it replaces, if any."""

    record: Record
    replaced: Record | None


class TableCards(NamedTuple):
    """The cards of a table, with all that is known about them.

    `corrected` has the reasons of corrections by the card's name, `replacing` the place in the user's file of each card
    that replaces another one, `sets` are those of the game, and `version` is a hash of the content.
    """

    cards: CardSet
    corrected: dict[str, list[str]]
    replacing: dict[str, str]
    sets: Sets
    version: str

    def put_over(self, items: Iterable[Document]) -> list[NewCard]:
        """Add the cards of one of the user's files; returns each with the record that it replaces.

        A card with the same name is replaced, else the only one whose name folds alike. Raises UserError for a name by
        which several cards could be meant.
        """
        groups: dict[str, list[Document]] = {}
        for item in items:
            groups.setdefault(self.cards.fold(item.data["name"]), []).append(item)
        taken: list[NewCard] = []
        problems: list[Problem] = []
        for group in groups.values():
            names = {item.data["name"] for item in group}
            earlier = {name: self.cards[name] for name in self.cards.alike(next(iter(names)))}
            others = sorted(earlier.keys() - names)
            new = names - earlier.keys()
            for item in group:
                name = item.data["name"]
                replaced = name if name in earlier else None
                if replaced is None and others:
                    if len(others) > 1 or len(new) > 1:
                        problems.append(item.problem(several_cards(name, others), keys=("name",)))
                        continue
                    replaced = others[0]
                taken.append(NewCard(item.data, None if replaced is None else earlier[replaced].data))
                self._put(item, replaced)
        if problems:
            raise UserError(problems)
        return taken

    def _put(self, item: Document, replaced: str | None) -> None:
        self.cards.put(item, replaced)
        if replaced is not None:
            self.corrected.pop(replaced, None)
            self.replacing.pop(replaced, None)
            self.replacing[item.data["name"]] = item.place


def cards_of(game: Game, table: sqlite3.Connection) -> TableCards:
    """The cards in a built table."""
    cards, corrected = CardSet(vocabulary(game).fold), dict[str, list[str]]()
    for name, record, reasons in table.execute("SELECT name, record, corrections FROM card"):
        cards.put(card_at(json.loads(record)))
        if reasons is not None:
            corrected[name] = json.loads(reasons)
    for (record,) in table.execute("SELECT record FROM joint"):
        cards.put(card_at(json.loads(record)))
    meta = dict(table.execute("SELECT key, value FROM meta"))
    return TableCards(cards, corrected, {}, sets_from(json.loads(meta["sets"])), meta["version"])


def _bundled_from_texts(game: Game, sources: Sources) -> TableCards:
    words = vocabulary(game)
    contents = [read_bytes(path, most=MOST_BYTES) if path.exists() else b"" for path in sources.bundled]
    texts, set_days, corrections = contents
    sets = read_sets(sources.sets, set_days) if set_days else Sets()
    cards = CardSet(words.fold)
    for item in read_cards(sources.cards, texts, words):
        # Bundled cards without a home belong in the first zone; for the user's own cards, it is unknown.
        cards.put(item._replace(data={"home": words.zones[0], **item.data}))
    corrected = correct(cards, sources.corrections, corrections, words, sets) if corrections else {}
    return TableCards(cards, corrected, {}, sets, _hash_of(contents))


def _hash_of(contents: Iterable[bytes], *before: str) -> str:
    marks = [hashlib.sha256(content).hexdigest() for content in contents]
    return hashlib.sha256("\n".join([_CONTENT, *before, *marks]).encode()).hexdigest()


# What names mean


class _Names(NamedTuple):
    """The names of a card: its own with aliases and other faces, several joined by slashes, and those of its halves."""

    own: list[str]
    joined: list[str]
    halves: list[str]


def _names_of(record: Record) -> _Names:
    faces = [face["name"] for face in record.get("faces", ())]
    halves = [half["name"] for half in record.get("parts", ())]
    joined = [f"{record['name']}/{face}" for face in faces]
    if faces:
        joined.append("/".join([record["name"], *faces]))
    if halves:
        joined.append("/".join(halves))
    return _Names([record["name"], *record.get("aliases", ()), *faces], joined, halves)


def name_index(cards: Sequence[Document], joint: Sequence[Document], fold: Fold) -> dict[str, set[int]]:
    """The numbers (from 1) of the cards that each folded name means.

    The name of a whole card goes before that of a half, and a name without its reading in brackets counts only if it is
    that of one card. Raises UserError if a card is made of unknown ones.
    """
    whole: dict[str, set[int]] = defaultdict(set)
    halves: dict[str, set[int]] = defaultdict(set)
    unread: dict[str, set[int]] = defaultdict(set)

    def add(record: Record, numbers: Iterable[int]) -> None:
        names = _names_of(record)
        keys = set(map(fold, (*names.own, *names.joined))) - {""}
        for key in keys:
            whole[key].update(numbers)
            if "(" in key:
                unread[_READING.sub("", key)].update(numbers)
        for key in set(map(fold, names.halves)) - keys:
            halves[key].update(numbers)

    for number, item in enumerate(cards, 1):
        add(item.data, [number])
    for item, members in zip(joint, _members(cards, joint, fold), strict=True):
        add(item.data, members)
    for key in halves.keys() - whole.keys():
        whole[key] = halves[key]
    for key in unread.keys() - whole.keys():
        if len(unread[key]) == 1:
            whole[key] = unread[key]
    whole.pop("", None)
    return whole


def _members(cards: Sequence[Document], joint: Sequence[Document], fold: Fold) -> list[set[int]]:
    """The numbers of the cards that show each joint name together. Raises UserError for an unknown card."""
    if not joint:
        return []
    by_key: dict[str, list[int]] = defaultdict(list)
    for number, item in enumerate(cards, 1):
        for key in set(map(fold, _names_of(item.data).own)):
            by_key[key].append(number)
    members_by_joint: list[set[int]] = []
    problems: list[Problem] = []
    for item in joint:
        members = set[int]()
        for place, name in enumerate(item.data["made_of"]):
            key = fold(name)
            meant = by_key.get(key, [])
            # A card's own name goes before an alias, and an exact spelling before one that folds alike.
            meant = [number for number in meant if fold(cards[number - 1].data["name"]) == key] or meant
            meant = [number for number in meant if name in _names_of(cards[number - 1].data).own] or meant
            members.update(meant)
            if not meant:
                hint = did_you_mean(name, (card.data["name"] for card in cards))
                problems.append(item.problem(_("no such card: {name}", name=name), hint, ("made_of", place)))
        members_by_joint.append(members)
    if problems:
        raise UserError(problems[:MOST_PROBLEMS])
    return members_by_joint


def behind_counts(keys: Iterable[str]) -> set[str]:
    """What follows a sign or a number at the beginning of keys."""
    ends = set()
    for key in keys:
        is_number = "1" <= key[:1] <= "9"
        if is_number or key[:1] == "x":
            ends.add(key[1:])
        if is_number:
            ends.add(key[2:])
    return ends


def before_counts(keys: Iterable[str]) -> set[str]:
    """What precedes a sign or a digit in keys."""
    return {key[: match.start()] for key in keys for match in _COUNT.finditer(key, 1)}


# Writing the tables


def check_table(table: TableCards) -> None:
    """Raises UserError if a card is made of unknown ones."""
    cards, joint = _parted(table)
    _members(cards, joint, table.cards.fold)


def _parted(table: TableCards) -> tuple[list[Document], list[Document]]:
    """The cards, oldest first, and the names that several of them show together."""
    cards = [item for item in table.cards if "made_of" not in item.data]
    joint = [item for item in table.cards if "made_of" in item.data]
    return sorted(cards, key=lambda item: table.sets.first_day(item.data) or _UNKNOWN_DAY), joint


def _written(game: Game, table: TableCards, stamp: str) -> sqlite3.Connection:
    cards, joint = _parted(table)
    names = name_index(cards, joint, table.cards.fold)
    rows = []
    for number, item in enumerate(cards, 1):
        name = item.data["name"]
        dated = table.sets.days_of_values(item.data)
        reasons, place = table.corrected.get(name), table.replacing.get(name)
        rows.append(
            (
                number,
                name,
                table.sets.first_day(item.data),
                to_json(item.data),
                to_json(dated) if dated else None,
                None if reasons is None else to_json(reasons),
                # The path of a file may have bytes that aren't text, which SQLite can't store.
                None if place is None else json.dumps(place),
            )
        )
    meta = {
        "form": form_of(game),
        "stamp": stamp,
        "version": table.version,
        "sets": table.sets.to_json(),
        "dates": to_json({code: table.sets.day_of({"set": code}) for code in table.sets.released}),
        "behind_counts": "\n".join(sorted(behind_counts(names) & names.keys())),
        "before_counts": "\n".join(sorted(before_counts(names) & names.keys())),
    }
    database = sqlite3.connect(":memory:", check_same_thread=False)
    database.executescript(_SCHEMA)
    with database:
        database.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
        database.executemany("INSERT INTO card VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        database.executemany(
            "INSERT INTO joint VALUES (?, ?)",
            ((item.data["name"], to_json(item.data)) for item in joint),
        )
        database.executemany(
            "INSERT INTO name VALUES (?, ?)",
            ((key, number) for key in sorted(names) for number in sorted(names[key])),
        )
        database.executemany("INSERT INTO word VALUES (?, ?)", _words_of(game, cards))
    return database


def _words_of(game: Game, cards: Iterable[Document]) -> list[tuple[str, str]]:
    """Each attribute with each word that a card, a half or another face has for it."""
    attributes = [item.id for item in game.attributes.values() if item.kind == "values"]
    words = set[tuple[str, str]]()
    for item in cards:
        for holder in (item.data, *item.data.get("parts", ()), *item.data.get("faces", ())):
            for attribute in attributes:
                words.update((attribute, word) for word in holder.get(attribute, ()))
    return sorted(words)
