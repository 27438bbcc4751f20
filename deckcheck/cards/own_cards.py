"""The user's own cards: a small table over that of the bundled cards, with only their changes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from deckcheck.cards.card_file import MOST_BYTES, Located, Record, read_cards, vocabulary
from deckcheck.cards.compile import (
    CheckedCards,
    Index,
    Named,
    before_counts,
    behind_counts,
    by_day,
    combined_records,
    compiled,
    hash_of,
    members,
    members_by_name,
    record_of,
    table_parts,
)
from deckcheck.cards.corrections import Cards
from deckcheck.cards.database import CardNumbers, Meta, Table, numbers_in
from deckcheck.cards.sources import form_of
from deckcheck.model.card import several_cards
from deckcheck.model.game import Game
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.files import read_bytes


def compile_own(game: Game, below: Table, files: Sequence[Path], stamp: str) -> sqlite3.Connection:
    """The table of the cards in the files; later files replace cards of earlier ones. Raises UserError."""
    contents = [read_bytes(path, most=MOST_BYTES) for path in files]
    words = vocabulary(game)
    own = OwnCards(game, below)
    for path, content in zip(files, contents, strict=True):
        own.take(read_cards(path, content, words))
    return own.compiled(stamp, hash_of(contents, below.meta.version))


class OwnCards:
    """Cards over a table: what they replace, and what their keys and those of replaced cards mean."""

    def __init__(self, game: Game, below: Table) -> None:
        self._game, self._below = game, below
        self._fold = vocabulary(game).fold
        self._cards = Cards(self._fold)
        self._places: dict[str, str] = {}
        self._made: dict[str, Record] = {record["name"]: record for record in combined_records(below)}
        self._replaced: dict[int, Record] = {}
        self._unmade: list[Record] = []

    def take(self, items: Iterable[Located]) -> list[tuple[Located, Record | None]]:
        """Add the cards of a file; returns each with the record that it replaces, or None.

        A card with the same name is replaced, or the only one whose name folds alike. Raises UserError for a name by
        which several cards could be meant.
        """
        alike: dict[str, list[Located]] = {}
        for item in items:
            alike.setdefault(self._fold(item.record["name"]), []).append(item)
        taken: list[tuple[Located, Record | None]] = []
        problems: list[Problem] = []
        for key, group in alike.items():
            earlier: dict[str, Record] = {record["name"]: record for record in self._named(key)}
            others = {*earlier} - {item.record["name"] for item in group}
            respelt = [item for item in group if item.record["name"] not in earlier]
            for item in group:
                name = item.record["name"]
                if item in respelt and others and (len(others) > 1 or len(respelt) > 1):
                    problems.append(item.problem(several_cards(name, sorted(others)), ("name",)))
                    continue
                replaced = earlier.get(name if item not in respelt else next(iter(others), ""))
                self._put(item, replaced)
                taken.append((item, replaced))
        if problems:
            raise UserError(problems)
        return taken

    def _named(self, key: str) -> Iterator[Record]:
        """Yields the existing cards whose own name folds to the key."""
        for name in self._cards.alike(key):
            yield self._cards.find(name)[0].record
        for record in self._made.values():
            if self._fold(record["name"]) == key:
                yield record
        for _number, record in self._below_named(key):
            if self._fold(record["name"]) == key:
                yield record

    def _below_named(self, key: str) -> Iterator[Named]:
        """Yields the cards below with that folded name that aren't replaced."""
        line = self._below.line("keys", key)
        for number in numbers_in(line).names if line is not None else ():
            if number not in self._replaced:
                yield number, record_of(self._below, self._game, number)

    def _put(self, item: Located, replaced: Record | None) -> None:
        if replaced is None:
            self._cards.put(item)
            return
        name = replaced["name"]
        self._places.pop(name, None)
        self._places[item.record["name"]] = f"{item.path}:{item.line}"
        if self._cards.has(name):
            self._cards.put(item, name)
            return
        if self._made.pop(name, None) is not None:
            self._unmade.append(replaced)
        else:
            key = self._fold(name)
            self._replaced |= {
                number: record for number, record in self._below_named(key) if record["name"] == name
            }
        self._cards.put(item)

    def compiled(self, stamp: str, version: str) -> sqlite3.Connection:
        """The table of these cards. Raises UserError for a card made of unknown cards."""
        (dates,) = self._below.rows("dates", 0)
        found = CheckedCards([], {}, json.loads(dates), version, self._places)
        cards, made = by_day(self._cards, found.dates)
        index = self._index(cards, made)
        every = index.all_keys()
        meta = Meta(
            form=form_of(self._game),
            stamp=stamp,
            version=version,
            cards=str(len(cards)),
            behind_counts="\n".join(sorted(self._behind_counts(every))),
            before_counts="\n".join(sorted(self._before_counts(every))),
            replaced=" ".join(map(str, sorted(self._replaced))),
        )
        # Keys without a card are kept, since the table below may have them.
        return compiled(table_parts(self._game, meta, found, cards, made, index, is_over=True))

    def _index(self, cards: Sequence[Located], made: Sequence[Located]) -> Index:
        """What all keys mean for which any card was added or replaced."""
        index, first = Index(self._fold), self._below.count
        for number, item in enumerate(cards, first):
            index.add(item.record, [number])
        by_name = members_by_name(((first + at, item.record) for at, item in enumerate(cards)), self._fold)

        def find(name: str) -> list[Named]:
            key = self._fold(name)
            every = [*by_name.get(key, ()), *self._below_named(key)]
            return [each for each in every if self._fold(each[1]["name"]) == key] or every

        def names() -> Iterator[str]:
            yield from (item.record["name"] for item in cards)
            yield from map(self._below.card_name, range(first))

        remade = [record for record in self._made.values() if self._members(record) & self._replaced.keys()]
        for item in (*made, *(Located(record, "", 0) for record in remade)):
            index.add(item.record, members(item, find, names))
        for record in (*self._replaced.values(), *self._unmade):
            index.add(record, [])
        gone = self._no_longer_meant([*self._unmade, *remade], index)
        for key in index.all_keys():
            line = self._below.line("keys", key) or self._below.ambiguous(key)
            found = numbers_in(line) if line is not None else CardNumbers()
            for numbers, of in zip(found, (index.names, index.halves, index.shorts), strict=True):
                of[key].update(
                    number for number in numbers if number not in self._replaced and (key, number) not in gone
                )
        return index

    def _members(self, record: Record) -> set[int]:
        """The numbers of the cards below that show a name together."""
        line = self._below.line("keys", self._fold(record["name"]))
        return set(numbers_in(line).names if line is not None else ())

    def _no_longer_meant(self, records: Iterable[Record], index: Index) -> set[tuple[str, int]]:
        """The keys of names that cards below showed together, each with the number of such a card without that key."""
        return {
            (key, number)
            for record in records
            for number in self._members(record)
            for key in index.keys_of(record) - index.keys_of(record_of(self._below, self._game, number))
        }

    def _behind_counts(self, own: set[str]) -> set[str]:
        """The keys of both tables that a longer one has after a sign or a number."""
        below = self._below
        longer = (line.partition("\t")[0] for start in "x123456789" for line in below.beginning(start))
        return {*below.meta.behind_counts.split("\n"), *(behind_counts(longer) & own)}.union(
            key for key in behind_counts(own) if key in own or below.line("keys", key) is not None
        )

    def _before_counts(self, own: set[str]) -> set[str]:
        """The keys of both tables that a longer one has before a sign or a digit."""
        below = self._below
        longer = {
            key
            for key in own
            if any(True for count in "x0123456789" for _line in below.beginning(key + count))
        }
        return {*below.meta.before_counts.split("\n"), *longer}.union(
            key for key in before_counts(own) if key in own or below.line("keys", key) is not None
        )
