"""Makes cards of what was staged: one name one card, in the game's words, and what only the earlier table knew is kept."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from deckcheck.cards.cardfile import MOST_ITEMS, Vocabulary, flaws, is_date, text_flaw
from deckcheck.cards.importers.staging import Staged, Staging
from deckcheck.model.card import INFINITY

_MOST_PRINTINGS = 500
"""Basic lands have more; a line of a card file has an end."""

_KEPT = ("name", "aliases", "home", "released", "printings", "parts", "faces", "made_of")


class Notes(NamedTuple):
    """What people should know of an import.

    `doubles` are names of cards that can't be told apart from that of another,
    with that; `clashes` aliases that mean another card (whose name it is, or
    which shares it), with the card that they were left away from or that shares
    them. `unknown` are words that the game doesn't have, each with how often it came.
    """

    doubles: list[tuple[str, str]]
    clashes: list[tuple[str, str]]
    unknown: Counter[str]


def merged_cards(
    staging: Staging, words: Vocabulary, notes: Notes, *, some_printings: bool
) -> Iterator[dict[str, Any]]:
    """The cards, each of another key, as they may stand in a card file.

    `some_printings` says that a card may have been printed elsewhere, too.
    What falls away is counted in `staging.left_out` or put into `notes`.
    """
    names = _names(staging, words, notes)
    halves: dict[str, list[str]] = {}
    for card in staging.cards():
        key = words.fold(card.record["name"])
        if names.first.get(key) != card.id:
            continue
        earlier = staging.earlier(key) or _by_code(staging, card, names)
        record = _record(card, earlier, words, names, notes, staging)
        record["printings"] = _printings(card, earlier, some_printings)
        fit = fitted(_in_order(record), words, notes.unknown)
        if fit is None:
            staging.left_out["flawed"] += 1
            continue
        if card.melds is not None:
            halves.setdefault(card.melds, []).append(fit["name"])
        yield fit
    for name, parts in halves.items():
        if words.fold(name) not in names.first:
            joint = fitted({"name": name, "made_of": parts}, words, notes.unknown)
            if joint is not None:
                yield joint


class _Names(NamedTuple):
    """Who owns the folded names of a file: `first` the cards' own, `shared` the aliases of several."""

    first: dict[str, int]
    shared: frozenset[str]


def _names(staging: Staging, words: Vocabulary, notes: Notes) -> _Names:
    first: dict[str, int] = {}
    weight: dict[int, tuple[str, int]] = {}
    for number, name, known in staging.heads():
        key = words.fold(name)
        weight[number] = (name, known)
        other = first.setdefault(key, number)
        if other != number:
            # Whichever is played in more formats is meant.
            winner, loser = (number, other) if known > weight[other][1] else (other, number)
            first[key] = winner
            notes.doubles.append((weight[loser][0], weight[winner][0]))
    owners: dict[str, int] = {}
    shared = set()
    for number, alias in staging.aliases():
        key = words.fold(alias)
        if owners.setdefault(key, number) != number and key not in first:
            shared.add(key)
    return _Names(first, frozenset(shared))


def _by_code(staging: Staging, card: Staged, names: _Names) -> dict[str, Any] | None:
    """The card under the name that it has in the table as it was, perhaps in another language."""
    key = None if card.code is None else staging.earlier_key(card.code)
    return None if key is None or key in names.first else staging.earlier(key)


def _record(
    card: Staged,
    earlier: Mapping[str, Any] | None,
    words: Vocabulary,
    names: _Names,
    notes: Notes,
    staging: Staging,
) -> dict[str, Any]:
    record = dict(card.record)
    own = words.fold(record["name"])
    aliases = list(card.aliases)
    if earlier is not None:
        if words.fold(earlier["name"]) != own:
            aliases.append(record["name"])
            record["name"] = earlier["name"]
        aliases += earlier.get("aliases", ())
    mine = words.fold(record["name"])
    kept: dict[str, str] = {}
    for alias in aliases:
        key = words.fold(alias)
        if not key or key in (mine, *kept):
            continue
        meant = names.first.get(key, card.id) != card.id
        meant = meant or (key != own and staging.earlier(key) is not None)
        if meant or key in names.shared:
            notes.clashes.append((alias, record["name"]))
        if not meant:
            kept[key] = alias
    # A number by which it is known stands first: notations that write numbers take that one.
    record["aliases"] = sorted(kept.values(), key=lambda alias: (alias != card.code, aliases.index(alias)))
    if "faces" in record:
        record["faces"] = [face for face in record["faces"] if words.fold(face["name"]) not in names.first]
    return record


def _printings(card: Staged, earlier: Mapping[str, Any] | None, some: bool) -> list[dict[str, Any]]:
    old = [] if earlier is None else list(earlier.get("printings", ()))
    new = card.printings
    if not new:
        return old
    if some and not old:
        # With one of them known, the others would count as not there.
        return []
    full = [printing for printing in new if len(printing) > 1]
    sets = {printing["set"] for printing in full}
    bare = [printing for printing in new if len(printing) == 1 and printing["set"] not in sets]
    bare_sets = {printing["set"] for printing in bare}
    known = [
        printing for printing in old if printing["set"] not in sets and (some or printing["set"] in bare_sets)
    ]
    filled = {printing["set"] for printing in known}
    every = [*full, *known, *(printing for printing in bare if printing["set"] not in filled)]
    every.sort(
        key=lambda one: (one["released"] if is_date(one.get("released")) else "~", one["set"], str(one))
    )
    return _bounded(every)


def _bounded(printings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first ones, and the first of each rank, on which all hangs that rules ask."""
    if len(printings) <= _MOST_PRINTINGS:
        return printings
    kept = printings[:_MOST_PRINTINGS]
    seen: set[str] = set()
    for printing in printings:
        ranks = str(sorted((key, value) for key, value in printing.items() if key not in ("set", "released")))
        if ranks not in seen:
            seen.add(ranks)
            if printing not in kept:
                kept.append(printing)
    return kept[:MOST_ITEMS]


def _in_order(record: dict[str, Any]) -> dict[str, Any]:
    """The keys as they stand in the bundled tables: the names first, the long ones last."""
    first = {key: record[key] for key in ("name", "aliases") if key in record}
    last = {key: record[key] for key in ("printings", "parts", "faces", "partial") if key in record}
    return first | {key: value for key, value in record.items() if key not in last} | last


def fitted(record: Mapping[str, Any], words: Vocabulary, unknown: Counter[str]) -> dict[str, Any] | None:
    """The record without what the game doesn't know; None where no card is left.

    An attribute that the game doesn't have goes. A word that a closed
    attribute doesn't have goes, too, and what is left is then a part of the truth.
    """
    made = _facts(record, words, unknown)
    for key in ("parts", "faces"):
        if record.get(key):
            parts = [_facts(part, words, unknown) for part in record[key]]
            # A part can't say that it is incomplete.
            for part in parts:
                for attribute in part.pop("partial", ()):
                    part.pop(attribute, None)
            made[key] = parts
    if "printings" in record:
        made["printings"] = [_printing(item, words, unknown) for item in record["printings"][:MOST_ITEMS]]
    if "aliases" in record:
        fit = [alias for alias in record["aliases"] if not text_flaw(alias) and words.fold(alias)]
        made["aliases"] = fit[:MOST_ITEMS]
    return None if next(flaws(made, words), None) is not None else made


def _facts(record: Mapping[str, Any], words: Vocabulary, unknown: Counter[str]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    partial = [key for key in record.get("partial", ()) if key in words.listed]
    for key, value in record.items():
        attribute = words.facts.get(key)
        if attribute is None:
            if key in _KEPT:
                made[key] = value
        elif attribute.kind == "number":
            if value == INFINITY or (isinstance(value, int | float) and math.isfinite(value)):
                made[key] = value
        else:
            known = attribute.values or attribute.names
            fit = [word for word in value if word in attribute.values or not attribute.values]
            for word in value:
                if known and word not in known:
                    _count(unknown, key, word)
            if len(fit) < len(value):
                partial.append(key)
            made[key] = fit
    if "home" in made and made["home"] not in words.zones:
        _count(unknown, "home", made.pop("home"))
    # What is wholly unknown has no part that is known.
    partial = [key for key in dict.fromkeys(partial) if key in made]
    return {**made, "partial": partial} if partial else made


def _printing(printing: Mapping[str, Any], words: Vocabulary, unknown: Counter[str]) -> dict[str, Any]:
    made: dict[str, Any] = {"set": printing["set"]}
    if is_date(printing.get("released")):
        made["released"] = printing["released"]
    for key, known in words.ranks.items():
        if printing.get("aside") or (key in printing and printing[key] is None):
            made[key] = None
        elif printing.get(key) in known:
            made[key] = printing[key]
        elif key in printing:
            _count(unknown, key, printing[key])
    return made


def _count(unknown: Counter[str], attribute: str, value: object) -> None:
    unknown[f"{attribute} {str(value)[:60]}"] += 1
