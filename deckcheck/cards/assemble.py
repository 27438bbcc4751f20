"""Makes one card table of all its sources."""

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from deckcheck.cards.check import Flaw, Vocabulary, did_you_mean, vocabulary
from deckcheck.cards.corrections import Cards, Dates, correct, first_day
from deckcheck.cards.keys import Keys, keys_of, single_names
from deckcheck.cards.places import FORM, Sources
from deckcheck.cards.record import normal
from deckcheck.cards.source import MOST_BYTES, MOST_PROBLEMS, Located, read_cards, read_sets
from deckcheck.model.game import Game
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.files import read_bytes
from deckcheck.support.messages import _

Progress = Callable[[int, int], None]


class Table(NamedTuple):
    """A whole card table: records oldest first, numbered as they stand, and their keys."""

    records: list[dict[str, Any]]
    keys: Keys
    version: str


class Gathered(NamedTuple):
    """The cards by folded name in the order of the table, and what was said about them.

    `reasons` are those of the corrections, `dates` the days of the sets, `own`
    the places in the user's files that took the stead of bundled cards.
    """

    cards: Cards
    reasons: dict[str, list[str]]
    dates: Dates
    version: str
    own: dict[str, str]


def gather(game: Game, sources: Sources, progress: Progress | None = None) -> Gathered:
    """Reads, checks, corrects and overlays the sources.

    `progress` is told how many lines of how many are done. Raises UserError.
    """
    words = vocabulary(game)
    content = _content(sources)
    total = sum(data.count(b"\n") + 1 for data in content.values())
    done = 0

    def read(path: Path) -> list[Located]:
        nonlocal done
        before = done
        tick = None if progress is None else (lambda line: progress(before + line, total))
        found = read_cards(path, content[path], words, tick)
        done += content[path].count(b"\n") + 1
        return found

    dates: Dates = {}
    if sources.sets in content:
        dates = read_sets(sources.sets, content[sources.sets])
    cards: Cards = {}
    reasons: dict[str, list[str]] = {}
    own: dict[str, str] = {}
    if sources.cards in content:
        cards = {words.fold(item.record["name"]): item for item in read(sources.cards)}
    if sources.corrections in content:
        data = content[sources.corrections]
        reasons = correct(cards, sources.corrections, data, words, dates, game.default_zone)
    for path in dict.fromkeys((sources.imported, *sources.extra)):
        if path in content:
            for item in read(path):
                key = words.fold(item.record["name"])
                if key in cards:
                    own[key] = f"{item.path}:{item.line}"
                cards[key] = item
                reasons.pop(key, None)
    if progress is not None:
        progress(total, total)
    return Gathered(cards, reasons, dates, _version(sources, content), own)


def _content(sources: Sources) -> dict[Path, bytes]:
    found = {}
    for path in sources.all():
        if path in sources.extra or path.exists():
            found[path] = read_bytes(path, most=MOST_BYTES)
    return found


def _version(sources: Sources, content: dict[Path, bytes]) -> str:
    parts = [str(FORM)]
    for role, path in zip(
        (*sources._fields[:-1], *("extra" for _extra in sources.extra)), sources.all(), strict=True
    ):
        if path in content:
            parts.append(f"{role} {hashlib.sha256(content[path]).hexdigest()}")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def arrange(game: Game, gathered: Gathered) -> Table:
    """The table of the gathered cards. Raises UserError if one is made of cards that aren't there."""
    words = vocabulary(game)
    rows = []
    for key, item in gathered.cards.items():
        record = _dated(normal(item.record, game), gathered.dates)
        if key in gathered.reasons:
            record["mended"] = gathered.reasons[key]
        if key in gathered.own:
            record["own"] = gathered.own[key]
        rows.append((item, record))
    # A day that nobody knows stands behind all that are known.
    rows.sort(key=lambda row: row[1].get("released", "~"))
    records = [record for _, record in rows if "made_of" not in record]
    named = {words.fold(record["name"]): [number] for number, record in enumerate(records)}
    otherwise: dict[str, list[int]] = {}
    for number, record in enumerate(records):
        for name in single_names(record):
            otherwise.setdefault(words.fold(name), []).append(number)
    numbers = otherwise | named
    joint = [
        (record, _made_of(item, numbers, records, words)) for item, record in rows if "made_of" in record
    ]
    return Table(records, keys_of(records, joint, words.fold), gathered.version)


def _dated(record: dict[str, Any], dates: Dates) -> dict[str, Any]:
    day = first_day(record, dates)
    if day is not None:
        record["released"] = day
    if "printings" in record:
        record["printings"] = [
            item
            if "released" in item or item["set"] not in dates
            else {**item, "released": dates[item["set"]]}
            for item in record["printings"]
        ]
    return record


def _made_of(
    item: Located, numbers: Mapping[str, list[int]], records: list[dict[str, Any]], words: Vocabulary
) -> list[int]:
    problems: list[Problem] = []
    found: list[int] = []
    for place, name in enumerate(item.record["made_of"]):
        cards = numbers.get(words.fold(name), [])
        if not cards:
            hint = did_you_mean(name, [record["name"] for record in records])
            message = _("no such card: {name}", name=name)
            problems.append(item.problem(Flaw(("made_of", place), message, hint)))
        found += cards
    if problems:
        raise UserError(problems[:MOST_PROBLEMS])
    return found
