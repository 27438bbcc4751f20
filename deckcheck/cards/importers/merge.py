"""Makes cards of what was staged: one name one card, in the game's words, and what only the earlier table knew is kept."""

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from deckcheck.cards.cardfile import (
    MOST_ITEMS,
    Record,
    Vocabulary,
    check_text,
    each_card,
    line_of,
    normal,
    vocabulary,
)
from deckcheck.cards.compile import gather
from deckcheck.cards.importers.staging import Staged, Staging
from deckcheck.cards.sources import imported_file, sources_of
from deckcheck.model.card import INFINITY
from deckcheck.model.game import Game
from deckcheck.support.dates import is_day

_MOST_PRINTINGS = 500
"""Basic lands have more; a line of a card file has an end."""

_KEPT = ("name", "aliases", "home", "released", "printings", "parts", "faces", "made_of")
_LAST = ("printings", "parts", "faces", "partial")


class Earlier:
    """The card table as it was, as lines of a card file, since so many records would fill the memory.

    `own` are the folded names of the user's own cards. Raises UserError as `gather` does.
    """

    def __init__(self, game: Game, words: Vocabulary, bundled: Path | None) -> None:
        self._lines: dict[str, bytes] = {}
        self._by_alias: dict[str, str | None] = {}
        store = imported_file(game)
        sources = sources_of(game, (), bundled)._replace(imported=store.with_name(".none"))
        for key, item in gather(game, sources).cards.items():
            self._add(key, item.record)
        own = each_card(store, words) if store.exists() else ()
        self.own = sorted([self._add(words.fold(record["name"]), record) for record in own])

    def _add(self, key: str, record: Record) -> str:
        self._lines[key] = line_of(normal(record))
        for alias in record.get("aliases", ()):
            self._by_alias[alias] = key if self._by_alias.get(alias, key) == key else None
        return key

    def __contains__(self, key: str) -> bool:
        return key in self._lines

    def line(self, key: str) -> bytes:
        """The line of a card that is there."""
        return self._lines[key]

    def record(self, key: str) -> Record | None:
        """The card of that folded name."""
        return json.loads(self._lines[key]) if key in self._lines else None

    def key_of(self, alias: str | None) -> str | None:
        """The folded name of the one card that has this alias."""
        return None if alias is None else self._by_alias.get(alias)


class Notes(NamedTuple):
    """What people should know of an import.

    `doubles` are names that fold to that of another card, with that name;
    `clashes` aliases that can mean another card, with the card's own name.
    `unknown` counts the words that the game doesn't have.
    """

    doubles: list[tuple[str, str]]
    clashes: list[tuple[str, str]]
    unknown: Counter[str]


class Merge:
    """The staged cards on their way into the table of a game.

    `some_printings` says that a card may have been printed elsewhere, too.
    What falls away is counted in `staging.left_out` or put into `notes`.
    """

    def __init__(self, game: Game, staging: Staging, bundled: Path | None, *, some_printings: bool) -> None:
        self.words = vocabulary(game)
        self.earlier = Earlier(game, self.words, bundled)
        self.notes = Notes([], [], Counter())
        self._staging = staging
        self._some_printings = some_printings
        self._find_owners()

    def _find_owners(self) -> None:
        """Find whose the folded names are: the cards' own, and the aliases of several."""
        self._first: dict[str, int] = {}
        heads: dict[int, tuple[str, int]] = {}
        owners: dict[str, int] = {}
        shared = set()
        for card in self._staging.cards():
            name, key = card.record["name"], self.words.fold(card.record["name"])
            # Whichever is played in more formats is meant.
            known = sum(len(card.record.get(attribute, ())) for attribute in self._staging.united)
            heads[card.id] = name, known
            other = self._first.setdefault(key, card.id)
            if other != card.id:
                winner, loser = (card.id, other) if known > heads[other][1] else (other, card.id)
                self._first[key] = winner
                self.notes.doubles.append((heads[loser][0], heads[winner][0]))
            for alias in map(self.words.fold, card.aliases):
                if owners.setdefault(alias, card.id) != card.id:
                    shared.add(alias)
        self._shared = shared - self._first.keys()

    def cards(self) -> Iterator[dict[str, Any]]:
        """The cards as records of a card file, no two of one name."""
        halves: dict[str, list[str]] = {}
        for card in self._staging.cards():
            if self._first[self.words.fold(card.record["name"])] != card.id:
                continue
            fit = self._fitted(self._record(card))
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

    def _record(self, card: Staged) -> dict[str, Any]:
        """The card with what the earlier table knew of it, its keys in the order of the bundled tables."""
        fold, record = self.words.fold, card.record
        own = fold(record["name"])
        earlier = self.earlier.record(own)
        if earlier is None:
            # Perhaps the table has it under a name in another language.
            key = self.earlier.key_of(card.code)
            earlier = None if key is None or key in self._first else self.earlier.record(key)
        aliases = card.aliases
        if earlier is not None:
            if fold(earlier["name"]) != own:
                aliases = [*aliases, record["name"]]
                record["name"] = earlier["name"]
            aliases = [*aliases, *earlier.get("aliases", ())]
        first = {"name": record["name"], "aliases": self._aliases(card, aliases, own)}
        if "faces" in record:
            record["faces"] = [face for face in record["faces"] if fold(face["name"]) not in self._first]
        record["printings"] = self._printings(card.printings, earlier)
        last = {key: record.pop(key) for key in _LAST if key in record}
        return first | {key: value for key, value in record.items() if key not in first} | last

    def _aliases(self, card: Staged, aliases: Sequence[str], own: str) -> list[str]:
        """The aliases of a card of the folded name `own` that mean no other card."""
        mine = self.words.fold(card.record["name"])
        kept: dict[str, str] = {}
        for alias in aliases:
            key = self.words.fold(alias)
            if not key or key in (mine, *kept):
                continue
            is_taken = self._first.get(key, card.id) != card.id or (key != own and key in self.earlier)
            if is_taken or key in self._shared:
                self.notes.clashes.append((alias, card.record["name"]))
            if not is_taken:
                kept[key] = alias
        # The number by which it is known comes first: notations that write numbers take that one.
        return sorted(kept.values(), key=lambda alias: alias != card.code)

    def _printings(self, new: list[dict[str, Any]], earlier: Record | None) -> list[dict[str, Any]]:
        old = [] if earlier is None else list(earlier.get("printings", ()))
        if not new:
            return old
        if self._some_printings and not old:
            # With one of them known, the others would count as not there.
            return []
        full = [printing for printing in new if len(printing) > 1]
        sets = {printing["set"] for printing in full}
        bare = [printing for printing in new if len(printing) == 1 and printing["set"] not in sets]
        bare_sets = {printing["set"] for printing in bare}
        known = [
            printing
            for printing in old
            if printing["set"] not in sets and (self._some_printings or printing["set"] in bare_sets)
        ]
        known_sets = {printing["set"] for printing in known}
        every = [*full, *known, *(printing for printing in bare if printing["set"] not in known_sets)]

        def order(printing: Mapping[str, Any]) -> tuple[str, str, str]:
            released = printing.get("released")
            return str(released) if is_day(released) else "~", printing["set"], str(printing)

        return _bounded(sorted(every, key=order))

    def _fitted(self, record: Mapping[str, Any]) -> dict[str, Any] | None:
        """The record without what the game doesn't know; None where no card is left.

        An attribute that the game doesn't have goes. A word that a closed
        attribute doesn't have goes, too, and what is left is then a part of the truth.
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
        partial = [key for key in record.get("partial", ()) if key in self.words.listed]
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
        self.notes.unknown[f"{attribute} {str(value)[:60]}"] += 1


def _bounded(printings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first ones, and the first of each rank, on which all hangs that rules ask."""
    if len(printings) <= _MOST_PRINTINGS:
        return printings
    kept = printings[:_MOST_PRINTINGS]
    ranks: set[str] = set()
    for printing in printings:
        rank = str(sorted((key, value) for key, value in printing.items() if key not in ("set", "released")))
        if rank not in ranks:
            ranks.add(rank)
            if printing not in kept:
                kept.append(printing)
    return kept[:MOST_ITEMS]
