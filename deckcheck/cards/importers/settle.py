"""Makes cards of what was staged: one name one card, and what was known before and the file doesn't say is kept."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from deckcheck.cards.check import MOST_ITEMS, Vocabulary, is_date
from deckcheck.cards.importers.fit import Unknown, fitted
from deckcheck.cards.importers.staging import Staged, Staging
from deckcheck.cards.record import Record

_MOST_PRINTINGS = 500
"""Basic lands have more; a line of a card file has an end."""


class Names(NamedTuple):
    """Who owns the folded names of a file: `first` the cards' own, `shared` the aliases of several."""

    first: dict[str, int]
    shared: frozenset[str]


class Told(NamedTuple):
    """What people should know of a file, filled while its cards are made.

    `doubles` are names of cards that can't be told apart from that of another,
    with that; `clashes` aliases that mean another card (whose name it is, or
    which shares it), with the card that they were left away from or that shares
    them. `unknown` are words that the game doesn't have.
    """

    doubles: list[tuple[str, str]]
    clashes: list[tuple[str, str]]
    unknown: Unknown


def remember(staging: Staging, key: str, record: Record, *, own: bool) -> None:
    """Put a card of the table as it was into the staging; a later one of the same key takes its place."""
    text = json.dumps(record, ensure_ascii=False)
    staging.database.execute("INSERT OR REPLACE INTO earlier VALUES (?, ?, ?)", (key, text, own))
    for alias in record.get("aliases", ()):
        staging.database.execute("INSERT OR IGNORE INTO earlier_aliases VALUES (?, ?)", (alias, key))


def forget_earlier(staging: Staging) -> None:
    """Make room for another table."""
    staging.database.execute("DELETE FROM earlier")
    staging.database.execute("DELETE FROM earlier_aliases")


def earlier(staging: Staging, key: str) -> dict[str, Any] | None:
    """The card of that key in the table as it was."""
    row = staging.database.execute("SELECT record FROM earlier WHERE key = ?", (key,)).fetchone()
    return None if row is None else json.loads(row[0])


def settled(
    staging: Staging, words: Vocabulary, told: Told, *, some_printings: bool
) -> Iterator[dict[str, Any]]:
    """The cards, each of another key, as they may stand in a card file.

    `some_printings` says that a card may have been printed elsewhere, too.
    What falls away is counted in `staging.left_out` or put into `told`.
    """
    names = _names(staging, words, told)
    halves: dict[str, list[str]] = {}
    for card in staging.cards():
        key = words.fold(card.record["name"])
        if names.first.get(key) != card.id:
            continue
        before = earlier(staging, key) or _by_code(staging, card, names)
        made = _made(card, before, words, names, told, staging)
        made["printings"] = _printings(card, before, some_printings)
        fit = fitted(_in_order(made), words, told.unknown)
        if fit is None:
            staging.left_out["flawed"] += 1
            continue
        if card.melds is not None:
            halves.setdefault(card.melds, []).append(fit["name"])
        yield fit
    for name, parts in halves.items():
        if words.fold(name) not in names.first:
            joint = fitted({"name": name, "made_of": parts}, words, told.unknown)
            if joint is not None:
                yield joint


def _names(staging: Staging, words: Vocabulary, told: Told) -> Names:
    first: dict[str, int] = {}
    weight: dict[int, tuple[str, int]] = {}
    for number, name, known, _ in staging.heads():
        key = words.fold(name)
        weight[number] = (name, known)
        rival = first.get(key)
        if rival is None:
            first[key] = number
            continue
        # Whichever is played in more formats is meant.
        winner, loser = (number, rival) if known > weight[rival][1] else (rival, number)
        first[key] = winner
        told.doubles.append((weight[loser][0], weight[winner][0]))
    owners: dict[str, int] = {}
    shared = set()
    for number, alias in staging.aliases():
        key = words.fold(alias)
        if owners.setdefault(key, number) != number and key not in first:
            shared.add(key)
    return Names(first, frozenset(shared))


def _by_code(staging: Staging, card: Staged, names: Names) -> dict[str, Any] | None:
    """The card under the name that it has in the table as it was, perhaps in another language."""
    if card.code is None:
        return None
    rows = staging.database.execute(
        "SELECT key FROM earlier_aliases WHERE alias = ?", (card.code,)
    ).fetchall()
    if len(rows) != 1 or rows[0][0] in names.first:
        return None
    return earlier(staging, rows[0][0])


def _made(
    card: Staged,
    before: Mapping[str, Any] | None,
    words: Vocabulary,
    names: Names,
    told: Told,
    staging: Staging,
) -> dict[str, Any]:
    made = dict(card.record)
    own = words.fold(made["name"])
    aliases = list(card.aliases)
    if before is not None:
        if words.fold(before["name"]) != own:
            aliases.append(made["name"])
            made["name"] = before["name"]
        aliases += before.get("aliases", ())
    mine = words.fold(made["name"])
    kept: dict[str, str] = {}
    for alias in aliases:
        key = words.fold(alias)
        if not key or key in (mine, *kept):
            continue
        meant = names.first.get(key, card.id)
        if meant != card.id or (key != own and earlier(staging, key) is not None):
            told.clashes.append((alias, made["name"]))
            continue
        if key in names.shared:
            told.clashes.append((alias, made["name"]))
        kept[key] = alias
    # A number by which it is known stands first: notations that write numbers take that one.
    made["aliases"] = sorted(kept.values(), key=lambda alias: (alias != card.code, aliases.index(alias)))
    if "faces" in made:
        faces = ((words.fold(face["name"]), face) for face in made["faces"])
        made["faces"] = [face for key, face in faces if names.first.get(key) is None]
    return made


def _printings(card: Staged, before: Mapping[str, Any] | None, some: bool) -> list[dict[str, Any]]:
    old = [] if before is None else list(before.get("printings", ()))
    new = card.printings
    if not new:
        return old
    if some and not old:
        # With one of them known, the others would count as not there.
        return []
    told = {one["set"] for one in new if len(one) > 1}
    bare = [one for one in new if len(one) == 1 and one["set"] not in told]
    full = [one for one in new if len(one) > 1]
    known = [
        one
        for one in old
        if one["set"] not in told and (some or any(one["set"] == code["set"] for code in bare))
    ]
    filled = {one["set"] for one in known}
    every = [*full, *known, *(one for one in bare if one["set"] not in filled)]
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
    for one in printings:
        said = str(sorted((key, value) for key, value in one.items() if key not in ("set", "released")))
        if said not in seen:
            seen.add(said)
            if one not in kept:
                kept.append(one)
    return kept[:MOST_ITEMS]


def _in_order(record: dict[str, Any]) -> dict[str, Any]:
    """The keys as they stand in the bundled tables: the names first, the long ones last."""
    first = {key: record[key] for key in ("name", "aliases") if key in record}
    last = {key: record[key] for key in ("printings", "parts", "faces", "partial") if key in record}
    return first | {key: value for key, value in record.items() if key not in last} | last
