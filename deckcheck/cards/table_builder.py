"""Builds a game's card table: the cards that come with the game or the user's own over these, as SQLite tables."""

from __future__ import annotations

import json
import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.json import encode
from msgspec.structs import replace

from deckcheck.cards.card_file import (
    MOST_BYTES,
    CardSet,
    Entry,
    Record,
    card_at,
    read_cards,
    to_json,
    vocabulary,
)
from deckcheck.cards.names import Fold
from deckcheck.cards.sets_and_corrections import Sets, TableCards, bundled_cards, version_of
from deckcheck.model.game import Game
from deckcheck.support.documents import MOST_PROBLEMS, Document
from deckcheck.support.errors import Problem, UserError, did_you_mean
from deckcheck.support.files import read_bytes
from deckcheck.support.messages import _

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE card (
  id INTEGER PRIMARY KEY, name TEXT, released TEXT, record TEXT, dated TEXT, corrections TEXT, own TEXT
);
CREATE TABLE name (key TEXT, card INTEGER, PRIMARY KEY (key, card)) WITHOUT ROWID;
"""
"""Cards are numbered by age. A name that several cards show together is no card of its own: `meta` has its record."""

_UNKNOWN_DAY = "~"
"""Sorts behind every day."""

_READING = re.compile(r"\([^()]*\)")


def build_bundled_table(game: Game, texts: tuple[Path, Path, Path], state: str) -> sqlite3.Connection:
    """A table in memory of the cards that come with a game. Raises UserError for an invalid text."""
    return _written(game, bundled_cards(texts, vocabulary(game)), state)


def build_own_table(
    game: Game, own: Sequence[Path], bundled: sqlite3.Connection, state: str
) -> sqlite3.Connection:
    """A table in memory of the cards in the user's own files over a bundled table. Raises UserError for an invalid file."""
    words = vocabulary(game)
    contents = {path: read_bytes(path, most=MOST_BYTES) for path in own}
    # Mistakes are told before the bundled cards, which take a second, are read.
    files = [read_cards(path, content, words) for path, content in contents.items()]
    table = cards_of(game, bundled)
    for cards in files:
        table.cards.put_over(cards)
    return _written(game, replace(table, version=version_of(contents.values(), table.version)), state)


def cards_of(game: Game, table: sqlite3.Connection) -> TableCards:
    """The cards in a built table."""
    meta = dict(table.execute("SELECT key, value FROM meta"))
    cards = CardSet(vocabulary(game).fold)
    for record, reasons in table.execute("SELECT record, corrections FROM card"):
        cards.put(Entry(card_at(json.loads(record)), tuple(json.loads(reasons or "[]"))))
    for record in json.loads(meta["joint"]):
        cards.put(Entry(card_at(record)))
    return TableCards(cards, Sets(json.loads(meta["sets"])), json.loads(meta["version"]))


# Writing the tables


def check_members(table: TableCards) -> None:
    """Raises UserError if a card is made of unknown ones."""
    cards, joint = _parted(table)
    name_index([card.record for card in cards], joint, table.cards.fold)


def _parted(table: TableCards) -> tuple[list[Entry], list[Document]]:
    """The cards, oldest first, and the names that several of them show together."""
    cards = [card for card in table.cards if "made_of" not in card.record]
    joint = [card.item for card in table.cards if "made_of" in card.record]
    return sorted(cards, key=lambda card: table.sets.first_day(card.record) or _UNKNOWN_DAY), joint


def _written(game: Game, table: TableCards, state: str) -> sqlite3.Connection:
    cards, joint = _parted(table)
    records = [card.record for card in cards]
    sets = table.sets
    names = name_index(records, joint, table.cards.fold)
    meta = {
        "state": state,
        "version": to_json(table.version),
        "sets": to_json(sets.content),
        "dates": to_json({code: sets.day_of({"set": code}) for code in sets.released}),
        "joint": to_json([item.data for item in joint]),
        "words": to_json(_words_of(game, records)),
    }
    database = sqlite3.connect(":memory:", check_same_thread=False)
    database.executescript(_SCHEMA)
    with database:
        database.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
        database.executemany(
            "INSERT INTO card VALUES (?, ?, ?, ?, ?, ?, ?)",
            (_row(number, card, sets) for number, card in enumerate(cards, 1)),
        )
        database.executemany(
            "INSERT INTO name VALUES (?, ?)",
            ((key, number) for key in sorted(names) for number in sorted(names[key])),
        )
    return database


def _row(number: int, card: Entry, sets: Sets) -> tuple[Any, ...]:
    """The row of a card."""
    dated = sets.days_of_values(card.record)
    return (
        number,
        card.name,
        sets.first_day(card.record),
        to_json(card.record),
        encode(dated).decode() if dated else None,
        to_json(card.corrections) if card.corrections else None,
        # The path of a file may have bytes that aren't text, which SQLite can't store.
        None if card.replaced is None else json.dumps(card.item.place),
    )


def _words_of(game: Game, records: Iterable[Record]) -> dict[str, list[str]]:
    """By attribute, the words that a card, a half or another face has for it."""
    attributes = [item.id for item in game.attributes.values() if item.kind == "values"]
    words: dict[str, set[str]] = {attribute: set() for attribute in attributes}
    for record in records:
        for holder in (record, *record.get("parts", ()), *record.get("faces", ())):
            for attribute in attributes:
                words[attribute].update(holder.get(attribute, ()))
    return {attribute: sorted(words[attribute]) for attribute in attributes}


# What names mean


def name_index(cards: Sequence[Record], joint: Sequence[Document], fold: Fold) -> dict[str, set[int]]:
    """The numbers (from 1) of the cards that each folded name means.

    The name of a whole card goes before that of a half, and a name without its reading in brackets counts only if it is
    that of one card. Raises UserError if a card is made of unknown ones.
    """
    whole: dict[str, set[int]] = defaultdict(set)
    halves: dict[str, set[int]] = defaultdict(set)
    for number, record in enumerate(cards, 1):
        keys = set(map(fold, _names_of(record)))
        for key in keys:
            whole[key].add(number)
        for half in record.get("parts", ()):
            key = fold(half["name"])
            if key not in keys:
                halves[key].add(number)
    members = _members(cards, joint, whole, fold)
    for item in joint:
        for key in set(map(fold, _names_of(item.data))):
            whole[key] |= members[item.data["name"]]
    unread: dict[str, set[int]] = defaultdict(set)
    for key, numbers in whole.items():
        if "(" in key:
            unread[_READING.sub("", key)] |= numbers
    for key in halves.keys() - whole.keys():
        whole[key] = halves[key]
    for key in unread.keys() - whole.keys():
        if len(unread[key]) == 1:
            whole[key] = unread[key]
    whole.pop("", None)
    return whole


def _names_of(record: Record) -> list[str]:
    """The names of a whole card: its own, aliases and other faces, and several of them joined by slashes."""
    faces = [face["name"] for face in record.get("faces", ())]
    halves = [half["name"] for half in record.get("parts", ())]
    names = [record["name"], *record.get("aliases", ()), *faces]
    names += [f"{record['name']}/{face}" for face in faces]
    names += ["/".join([record["name"], *faces]), "/".join(halves)]
    return names


def _members(
    cards: Sequence[Record], joint: Sequence[Document], whole: Mapping[str, set[int]], fold: Fold
) -> dict[str, set[int]]:
    """By a name that several cards show together, the numbers of these. Raises UserError for an unknown card."""
    members: dict[str, set[int]] = {}
    problems: list[Problem] = []
    for item in joint:
        numbers = members[item.data["name"]] = set()
        for place, name in enumerate(item.data["made_of"]):
            meant = whole.get(fold(name), set())
            if not meant:
                hint = did_you_mean(name, (card["name"] for card in cards))
                problems.append(item.problem(_("no such card: {name}", name=name), hint, ("made_of", place)))
            # An exact spelling goes before one that folds alike, and a card's own name before an alias.
            exact = {number for number in meant if cards[number - 1]["name"] == name}
            alike = {number for number in meant if fold(cards[number - 1]["name"]) == fold(name)}
            numbers |= exact or alike or meant
    if problems:
        raise UserError(problems[:MOST_PROBLEMS])
    return members
