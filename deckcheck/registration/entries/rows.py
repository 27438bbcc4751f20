"""From the rows of a form to submissions, wherever the rows were read from."""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from datetime import tzinfo
from typing import NamedTuple

from deckcheck.model.game import Game
from deckcheck.registration.entries.fields import (
    LARGEST_LIST,
    SUBMITTED,
    TOO_LARGE,
    said_of,
    submission,
)
from deckcheck.registration.entries.places import Placed
from deckcheck.registration.model import Sheet, Submission
from deckcheck.support.errors import Problem, UserError, did_you_mean
from deckcheck.support.messages import Words, _
from deckcheck.support.yamlfile import Keys

MOST_ROWS = 20_000
MOST_COLUMNS = 1_000


class Line(NamedTuple):
    """A row as it was read: the line on which it begins, 1-based, and its cells."""

    number: int
    cells: Sequence[str]


class Columns(NamedTuple):
    """Where everything stands in a row, and how wide its head is. `zones` are headings and their columns."""

    fields: Mapping[str, int]
    deck: int | None
    zones: tuple[tuple[str, int], ...]
    width: int


def plain_head(text: str) -> str:
    """A column's head for comparing: width, blanks and line breaks don't count."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def wanted_heads(sheet: Sheet) -> frozenset[str]:
    """The heads that a sheet is said to have, for comparing."""
    named = [*sheet.columns.values(), *(sheet.zones or {}).values()]
    return frozenset(map(plain_head, [*named, sheet.deck] if sheet.deck is not None else named))


def require_zones(sheet: Sheet, game: Game, placed: Placed) -> None:
    """Raise UserError for zones that the game doesn't have."""
    problems = [
        placed(
            ("columns", "zones", zone),
            _("there is no zone {zone!r}, only {zones}", zone=zone, zones=", ".join(game.zones)),
            did_you_mean(zone, game.zones),
        )
        for zone in sheet.zones or {}
        if zone not in game.zones
    ]
    if problems:
        raise UserError(problems)


def columns_of(sheet: Sheet, head: Line, game: Game, placed: Placed) -> Columns:
    """Where the columns of a sheet stand.

    Raises UserError, placed in the event's file, for those that are not there
    or there twice.
    """
    heads = [plain_head(cell) for cell in head.cells]
    sure = not wanted_heads(sheet).isdisjoint(heads)
    problems: list[Problem] = []

    def find(keys: Keys, wanted: str) -> int:
        plain = plain_head(wanted)
        hits = [at for at, one in enumerate(heads) if one == plain]
        if not hits:
            # Without a head in the first line, that line is about a player.
            hint = did_you_mean(plain, [one for one in heads if one]) if sure else _NO_HEAD
            message = _("there is no column {wanted!r}", wanted=wanted)
            problems.append(placed(("columns", *keys), message, hint))
        elif len(hits) > 1:
            problems.append(
                placed(
                    ("columns", *keys),
                    _("there are {n} columns {wanted!r}", n=len(hits), wanted=wanted),
                    None,
                )
            )
        return hits[0] if hits else 0

    fields = {key: find((key,), wanted) for key, wanted in sheet.columns.items()}
    deck = None if sheet.deck is None else find(("deck",), sheet.deck)
    zones = tuple(
        (_heading(game, zone), find(("zones", zone), wanted)) for zone, wanted in (sheet.zones or {}).items()
    )
    if problems:
        raise UserError(problems)
    return Columns(fields, deck, zones, len(heads))


def submissions(lines: Sequence[Line], columns: Columns, shown: str, zone: tzinfo) -> Iterator[Submission]:
    """A submission without number for each row; `shown` is how the file is named."""
    for number, cells in lines:
        said = said_of({key: _cell(cells, at) for key, at in columns.fields.items()})
        problem = _misshapen(cells, columns)
        text = None
        if problem is None:
            held = [(None, columns.deck)] if columns.deck is not None else columns.zones
            parts = [(heading, _cell(cells, at)) for heading, at in held]
            if sum(len(part) for _, part in parts) > LARGEST_LIST:
                problem = TOO_LARGE
            else:
                text = "\n".join(_part(heading, part) for heading, part in parts if part.strip())
        timed = SUBMITTED in columns.fields
        yield submission(f"{shown}:{number}", said, text, zone, problem, timed=timed)


def _part(heading: str | None, text: str) -> str:
    return text if heading is None else f"■{heading}\n{text}"


def _cell(cells: Sequence[str], at: int) -> str:
    return cells[at] if at < len(cells) else ""


def _misshapen(cells: Sequence[str], columns: Columns) -> Words | None:
    """What is to be said of a row that doesn't fit under its head."""
    if any(cell.strip() for cell in cells[columns.width :]):
        return _("this row has more cells than there are columns")
    used = [*columns.fields.values(), *(at for _unused, at in columns.zones)]
    if columns.deck is not None:
        used.append(columns.deck)
    if len(cells) <= max(used, default=-1):
        return _("this row ends before its last columns")
    return None


def _heading(game: Game, zone: str) -> str:
    named = game.zones[zone]
    return named.headings[0] if named.headings else named.name.ja


_NO_HEAD = _("none of the columns is there: see that the first line holds their heads")
