"""Exports of forms, one row a player: CSV, TSV and XLSX."""

import csv
import io
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from datetime import tzinfo
from pathlib import Path
from typing import NamedTuple

from deckcheck.decklists.decode import decode
from deckcheck.model.game import Game
from deckcheck.registration.model import SUBMITTED, Event, Sheet, Submission
from deckcheck.registration.submissions import (
    LARGEST_LIST,
    MOST_ROWS,
    TOO_LARGE,
    Line,
    PlacedProblem,
    read_fields,
    submission,
    too_many_cells,
    too_many_rows,
)
from deckcheck.support.errors import Problem, UserError, did_you_mean, user_error
from deckcheck.support.files import is_file, read_bytes
from deckcheck.support.messages import Words, _
from deckcheck.support.yamlfile import Keys, load_yaml

LARGEST_FILE = 64 * 1024 * 1024
MOST_COLUMNS = 1_000
MOST_CELLS = 4_000_000
_DELIMITERS = ",\t;"


class Columns(NamedTuple):
    """Where everything stands in a row, and how wide its head is. `lists` are headings of zones (None for none) and columns."""

    fields: Mapping[str, int]
    lists: tuple[tuple[str | None, int], ...]
    width: int


def placed_in(event: Event, at: int) -> PlacedProblem:
    """For problems with the source at `at`: placed on its lines of the event's file, while that is there."""

    def problem(keys: Keys, message: Words, hint: Words | None) -> Problem:
        try:
            return load_yaml(event.path).problem(("entries", at, *keys), message, hint)
        except UserError:
            return Problem(message, str(event.path), hint=hint)

    return problem


def shown_path(path: Path, event: Event) -> str:
    """How a file or folder of the event is named: as the event's file names it."""
    folder = event.path.parent
    said = path.relative_to(folder) if path.is_relative_to(folder) else path
    return said.as_posix().encode("utf-8", "backslashreplace").decode()


def read_form(
    sheet: Sheet, shown: str, game: Game, zone: tzinfo, placed: PlacedProblem
) -> Iterator[Submission]:
    """A submission without number for each row of the form; `shown` is how its file is named.

    A row that can't be read comes with the problem that says so. Raises UserError, which never
    shows what stands in the form, where it can't be read as a whole.
    """
    _require_zones(sheet, game, placed)
    if not is_file(sheet.path):
        raise UserError([placed(("file",), _("there is no file {shown!r}", shown=shown), None)])
    data = read_bytes(sheet.path, most=LARGEST_FILE)
    if sheet.path.suffix.lower() in (".xlsx", ".xlsm"):
        from deckcheck.registration.workbook import rows_of_workbook

        rows = rows_of_workbook(data, shown, sheet.worksheet, placed)
        if sheet.worksheet is not None:
            shown = f"{shown}!{sheet.worksheet}"
    else:
        rows = _rows_of_text(data, shown, _wanted_heads(sheet))
    if not rows:
        message = _("{shown!r} is empty: it must begin with a header row", shown=shown)
        raise UserError([placed(("file",), message, None)])
    columns = _columns_of(sheet, rows[0], game, placed)
    return _submissions(rows[1:], columns, shown, zone)


def _rows_of_text(data: bytes, shown: str, wanted: frozenset[str]) -> list[Line]:
    """The rows of a CSV or TSV text that hold anything, its head first.

    The encoding is told from the bytes, the delimiter from the head, which is to hold the `wanted` heads.
    """
    text = decode(data, shown, nul=True)
    # The limit is one of the whole process.
    before = csv.field_size_limit(max(len(text), 1))
    try:
        delimiter = _delimiter(text, shown, wanted)
        if text.count(delimiter) > MOST_CELLS:
            raise too_many_cells(shown, MOST_CELLS)
        rows: list[Line] = []
        for row in _filled(text, delimiter, shown):
            if not rows and len(row.cells) > MOST_COLUMNS:
                message = _("too many columns (at most {most_columns:,})", most_columns=MOST_COLUMNS)
                raise user_error(message, path=shown)
            if len(rows) > MOST_ROWS:
                raise too_many_rows(shown)
            rows.append(row)
        return rows
    finally:
        csv.field_size_limit(before)


def _filled(text: str, delimiter: str, shown: str) -> Iterator[Line]:
    """The rows that are not empty."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for cells in reader:
            if any(cell and not cell.isspace() for cell in cells):
                unreadable = frozenset(at for at, cell in enumerate(cells) if "\0" in cell)
                yield Line(line, cells, unreadable)
            line = reader.line_num + 1
    except csv.Error:
        # The cause would be shown with it, and the line is about a player.
        raise user_error(
            _("not readable as CSV: a quote is not closed, or something stands behind it"),
            path=shown,
            line=line,
        ) from None


def _delimiter(text: str, shown: str, wanted: frozenset[str]) -> str:
    """The one that makes the most of the head."""
    best, most = _DELIMITERS[0], (-1, -1)
    for delimiter in _DELIMITERS:
        try:
            head = next(_filled(text, delimiter, shown), None)
        except UserError:
            continue
        cells = [_plain_head(cell) for cell in head.cells] if head is not None else []
        found = (len(wanted.intersection(cells)), len(cells))
        if found > most:
            best, most = delimiter, found
    return best


def _plain_head(text: str) -> str:
    """A column's head for comparing: width, blanks and line breaks don't count."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def _wanted_heads(sheet: Sheet) -> frozenset[str]:
    """The heads that a sheet is said to have, for comparing."""
    named = [*sheet.columns.values(), *(sheet.zones or {}).values()]
    return frozenset(map(_plain_head, [*named, sheet.deck] if sheet.deck is not None else named))


def _require_zones(sheet: Sheet, game: Game, placed: PlacedProblem) -> None:
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


def _columns_of(sheet: Sheet, head: Line, game: Game, placed: PlacedProblem) -> Columns:
    """Where the columns of a sheet stand.

    Raises UserError, placed in the event's file, for those that are not there
    or there twice.
    """
    heads = [_plain_head(cell) for cell in head.cells]
    sure = not _wanted_heads(sheet).isdisjoint(heads)
    problems: list[Problem] = []

    def find(keys: Keys, wanted: str) -> int:
        plain = _plain_head(wanted)
        hits = [at for at, text in enumerate(heads) if text == plain]
        if len(hits) == 1:
            return hits[0]
        if hits:
            message = _("there are {n} columns {wanted!r}", n=len(hits), wanted=wanted)
            hint = None
        else:
            message = _("there is no column {wanted!r}", wanted=wanted)
            # Without a head in the first line, that line is about a player.
            hint = (
                did_you_mean(plain, filter(None, heads))
                if sure
                else _("none of the columns exists: the first line must contain their headers")
            )
        problems.append(placed(("columns", *keys), message, hint))
        return 0

    fields = {key: find((key,), wanted) for key, wanted in sheet.columns.items()}
    lists: list[tuple[str | None, int]] = (
        [(None, find(("deck",), sheet.deck))]
        if sheet.deck is not None
        else [
            (_heading(game, zone), find(("zones", zone), wanted))
            for zone, wanted in (sheet.zones or {}).items()
        ]
    )
    if problems:
        raise UserError(problems)
    return Columns(fields, tuple(lists), len(heads))


def _submissions(lines: Sequence[Line], columns: Columns, shown: str, zone: tzinfo) -> Iterator[Submission]:
    timed = SUBMITTED in columns.fields
    for line in lines:
        sender = read_fields({key: _cell(line.cells, at) for key, at in columns.fields.items()})
        problem = _misshapen(line, columns)
        text = None
        if problem is None:
            parts = [(heading, _cell(line.cells, at)) for heading, at in columns.lists]
            if sum(len(part) for _unused, part in parts) > LARGEST_LIST:
                problem = TOO_LARGE
            else:
                text = "\n".join(
                    part if heading is None else f"■{heading}\n{part}"
                    for heading, part in parts
                    if part.strip()
                )
        yield submission(f"{shown}:{line.number}", sender, text, zone, problem, timed=timed)


def _cell(cells: Sequence[str], at: int) -> str:
    return cells[at] if at < len(cells) else ""


def _misshapen(line: Line, columns: Columns) -> Words | None:
    """What is to be said of a row that doesn't fit under its head, or of which something can't be read."""
    if line.problem is not None:
        return line.problem
    if any(cell.strip() for cell in line.cells[columns.width :]):
        return _("this row has more cells than there are columns")
    used = [*columns.fields.values(), *(at for _unused, at in columns.lists)]
    if len(line.cells) <= max(used, default=-1):
        return _("this row ends before its last columns")
    bad = sorted(at + 1 for at in line.unreadable.intersection(used))
    return _("the cell in column {column} of this row can't be read", column=bad[0]) if bad else None


def _heading(game: Game, zone: str) -> str:
    named = game.zones[zone]
    return named.headings[0] if named.headings else named.name.ja
