"""Reads the submissions to an event: from folders, and from exports of forms with one row per player (CSV, TSV, XLSX)."""

import csv
import io
import re
import unicodedata
import warnings
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from zoneinfo import ZoneInfo

from deckcheck.decklists.decode import decode
from deckcheck.model.game import Game
from deckcheck.registration.event import WORKBOOKS, Event, Form
from deckcheck.registration.submissions import (
    SUBMITTED,
    Entries,
    Submission,
    read_folder,
    sender_of,
    submission,
    with_ids,
)
from deckcheck.support.documents import Keys, load_yaml
from deckcheck.support.errors import Problem, UserError, did_you_mean, placed_at, user_error
from deckcheck.support.files import is_file, is_folder, read_bytes
from deckcheck.support.messages import Words, _, shortened

if TYPE_CHECKING:
    from openpyxl import Workbook

PlacedProblem = Callable[[Keys, Words, Words | None], Problem]
"""Makes a Problem from the keys of a value within an entry, a message and a hint."""

LARGEST_FILE = 64 * 1024 * 1024
MOST_ROWS = 20_000
MOST_COLUMNS = 1_000
MOST_CELLS = 4_000_000
_DELIMITERS = ",\t;"

# Bounds of workbooks, which are packed: a small file may hold much.
LARGEST_UNPACKED = 96 * 1024 * 1024
MOST_RATIO = 100
_SMALL = 16 * 1024 * 1024
_XLS = bytes.fromhex("d0cf11e0a1b11ae1")
"""The first bytes of XLS files and of XLSX files with a password."""

_MOST_HEADS = 20
_TOO_MANY_ROWS = _("too many rows (at most {most_rows:,})", most_rows=MOST_ROWS)
_TOO_MANY_COLUMNS = _("too many columns (at most {most_columns:,})", most_columns=MOST_COLUMNS)
_TOO_MANY_CELLS = _("too many cells (at most {most:,})", most=MOST_CELLS)
_UNPACKS_TOO_LARGE = _("it grows too large when it is unpacked")


class Line(NamedTuple):
    """A row: its number or first line, its cells, and the columns (from 0) of unreadable cells."""

    number: int
    cells: Sequence[str]
    unreadable: frozenset[int] = frozenset()


class Columns(NamedTuple):
    """The columns of the fields, and of the lists with the headings of their zones (None for a whole list)."""

    fields: Mapping[str, tuple[int, ...]]
    lists: tuple[tuple[str | None, int], ...]
    width: int

    @property
    def used(self) -> list[int]:
        """All columns that are read."""
        of_fields = [column for columns in self.fields.values() for column in columns]
        return [*of_fields, *(column for _heading, column in self.lists)]


def read_form(
    form: Form, path_shown: str, game: Game, zone: tzinfo, placed: PlacedProblem
) -> Iterator[Submission]:
    """A submission without id for each row of the form, with a problem if it can't be read.

    `shown` is the path for messages. Raises UserError, without the contents of cells, if the file can't be read.
    """
    if not is_file(form.path):
        raise UserError([placed(("file",), _("there is no file {shown!r}", shown=path_shown), None)])
    rows = read_rows(form.path, path_shown, form.worksheet, _wanted_heads(form), placed)
    if not rows:
        message = _("{shown!r} is empty: it must begin with a header row", shown=path_shown)
        raise UserError([placed(("file",), message, None)])
    if form.worksheet is not None:
        path_shown = f"{path_shown}!{form.worksheet}"
    columns = _columns_of(form, rows[0], game, placed)
    return (_submission(line, columns, path_shown, zone) for line in rows[1:])


def read_rows(
    path: Path, path_shown: str, worksheet: str | None, wanted: frozenset[str], placed: PlacedProblem
) -> list[Line]:
    """The filled rows of a file, the heads first; `wanted` heads tell the delimiter of a text. Raises UserError."""
    data = read_bytes(path, most=LARGEST_FILE)
    if path.suffix.lower() in WORKBOOKS:
        return _rows_of_workbook(data, worksheet, placed)
    return _rows_of_text(data, path_shown, wanted)


# Columns


def _wanted_heads(form: Form) -> frozenset[str]:
    """The heads in the event's file, normalized."""
    heads = [head for heads in form.columns.values() for head in heads]
    heads += [*form.zones.values(), *([] if form.deck is None else [form.deck])]
    return frozenset(map(plain_head, heads))


def plain_head(text: str) -> str:
    """A column's head for comparing, without regard to width, blanks and line breaks."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def _columns_of(form: Form, head: Line, game: Game, placed: PlacedProblem) -> Columns:
    """The columns of a form. Raises UserError, placed in the event's file, for missing or ambiguous ones."""
    heads = [plain_head(cell) for cell in head.cells]
    problems: list[Problem] = []

    def find(keys: Keys, wanted: str) -> int:
        plain = plain_head(wanted)
        number = heads.count(plain)
        if number == 1:
            return heads.index(plain)
        if number:
            message = _("there are {n} columns {wanted!r}", n=number, wanted=wanted)
            problems.append(placed(("columns", *keys), message, None))
        else:
            message = _("there is no column {wanted!r}", wanted=wanted)
            problems.append(placed(("columns", *keys), message, _near_heads(form, plain, heads)))
        return 0

    fields = {key: tuple(find((key,), head) for head in wanted) for key, wanted in form.columns.items()}
    lists: list[tuple[str | None, int]] = []
    if form.deck is not None:
        lists.append((None, find(("deck",), form.deck)))
    for zone, wanted in form.zones.items():
        known = game.zones.get(zone)
        if known is None:
            message = _("there is no zone {zone!r}, only {zones}", zone=zone, zones=", ".join(game.zones))
            problems.append(placed(("columns", "zones", zone), message, did_you_mean(zone, game.zones)))
            continue
        heading = known.headings[0] if known.headings else known.name.ja
        lists.append((heading, find(("zones", zone), wanted)))
    if problems:
        raise UserError(problems)
    return Columns(fields, tuple(lists), len(heads))


def _near_heads(form: Form, wanted: str, heads: Sequence[str]) -> Words:
    """A hint with the most similar head, and the heads that there are."""
    # Without any known head, the first line may be a player's, and must not be shown.
    if _wanted_heads(form).isdisjoint(heads):
        return _("none of the columns exists: the first line must contain their headers")
    there = list(dict.fromkeys(head for head in heads if head))
    columns = shortened([f"“{head}”" for head in there], _MOST_HEADS)
    near = did_you_mean(wanted, there)
    if near is None:
        return _("the columns are {columns}", columns=columns)
    return _("{near}; the columns are {columns}", near=near, columns=columns)


def _submission(line: Line, columns: Columns, path_shown: str, zone: tzinfo) -> Submission:
    def cell(column: int) -> str:
        return line.cells[column] if column < len(line.cells) else ""

    sender = sender_of({key: " ".join(map(cell, parts)) for key, parts in columns.fields.items()})
    lists = [(heading, cell(column)) for heading, column in columns.lists]
    unreadable = sorted(line.unreadable.intersection(columns.used))
    problem = None
    if any(text.strip() for text in line.cells[columns.width :]):
        problem = _("this row has more cells than there are columns")
    elif len(line.cells) <= max(columns.used):
        problem = _("this row ends before its last columns")
    elif unreadable:
        problem = _("the cell in column {column} of this row can't be read", column=unreadable[0] + 1)
    text = None
    if problem is None:
        filled = ((heading, part) for heading, part in lists if part.strip())
        text = "\n".join(part if heading is None else f"■{heading}\n{part}" for heading, part in filled)
    timed = SUBMITTED in columns.fields
    return submission(f"{path_shown}:{line.number}", sender, text, zone, problem, timed=timed)


# Text


def _rows_of_text(data: bytes, path_shown: str, wanted: frozenset[str]) -> list[Line]:
    """The filled rows of a CSV or TSV text, with the delimiter that gives most of the `wanted` heads."""
    text = decode(data, path_shown, nul=True)
    # This limit is global, so it is restored below.
    before = csv.field_size_limit(max(len(text), 1))
    try:
        best = max(_DELIMITERS, key=lambda delimiter: _heads_with(delimiter, text, wanted))
        if text.count(best) > MOST_CELLS:
            raise user_error(_TOO_MANY_CELLS)
        return _bounded(_filled_rows(text, best, path_shown))
    finally:
        csv.field_size_limit(before)


def _bounded(rows: Iterator[Line]) -> list[Line]:
    """The rows, at most so many as are allowed. Raises UserError."""
    kept: list[Line] = []
    for row in rows:
        if not kept and len(row.cells) > MOST_COLUMNS:
            raise user_error(_TOO_MANY_COLUMNS)
        if len(kept) > MOST_ROWS:
            raise user_error(_TOO_MANY_ROWS)
        kept.append(row)
    return kept


def _heads_with(delimiter: str, text: str, wanted: frozenset[str]) -> tuple[int, int]:
    """How many of the `wanted` heads, and how many cells, the first row has with a delimiter."""
    try:
        head = next(_filled_rows(text, delimiter, ""), Line(1, []))
    except UserError:
        return -1, -1
    return len(wanted.intersection(map(plain_head, head.cells))), len(head.cells)


def _filled_rows(text: str, delimiter: str, path_shown: str) -> Iterator[Line]:
    """The rows that aren't empty."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for cells in reader:
            if any(cell and not cell.isspace() for cell in cells):
                yield Line(
                    line, cells, frozenset(column for column, cell in enumerate(cells) if "\0" in cell)
                )
            line = reader.line_num + 1
    except csv.Error:
        # No cause and no excerpt: the line is a player's.
        message = _("not readable as CSV: a quote is not closed, or text follows it")
        raise user_error(message, path=path_shown, line=line) from None


# Workbooks


def _rows_of_workbook(data: bytes, worksheet: str | None, placed: PlacedProblem) -> list[Line]:
    """The filled rows of a worksheet (None: the first), the head first; formulas aren't computed.

    Raises UserError, without the contents of cells, if the file can't be read or is out of bounds.
    """
    try:
        # With defusedxml, openpyxl refuses document types, which could define entities.
        import defusedxml  # noqa: F401
        from openpyxl import load_workbook
    except ImportError as error:
        hint = _("run pip install 'deckcheck[xlsx]', or export it as CSV")
        raise user_error(_("reading XLSX requires more libraries"), hint=hint) from error
    if data.startswith(_XLS):
        hint = _("save it as XLSX, without a password")
        raise user_error(_("this is not XLSX"), hint=hint)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if _is_too_large(archive.infolist(), len(data)):
                raise user_error(_UNPACKS_TOO_LARGE)
        with warnings.catch_warnings():
            # On what it leaves out, such as styles and validations.
            warnings.simplefilter("ignore")
            workbook = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
            return _bounded(_worksheet_rows(_worksheet(workbook, worksheet, placed)))
    except UserError:
        raise
    except Exception:
        # A broken file can raise anything, and the original message may contain cells.
        raise user_error(_("not readable as XLSX")) from None


def _is_too_large(members: Sequence[zipfile.ZipInfo], size: int) -> bool:
    """Whether an archive unpacks to too much; zipfile reads no more than the stated size of a member."""
    whole = sum(member.file_size for member in members)
    packed = sum(member.compress_size for member in members)
    # Overlapping members together are larger than the file.
    return whole > LARGEST_UNPACKED or packed > size or (whole > _SMALL and whole > MOST_RATIO * packed)


def _worksheet(workbook: "Workbook", name: str | None, placed: PlacedProblem) -> Any:
    """The worksheet of that name, the first one for None. Raises UserError if there is none."""
    worksheets = {worksheet.title: worksheet for worksheet in workbook.worksheets}
    if not worksheets:
        raise user_error(_("there is no sheet in it"))
    if name is not None and name not in worksheets:
        message = _("there is no sheet {name!r}", name=name)
        raise UserError([placed(("sheet",), message, did_you_mean(name, worksheets))])
    return worksheets[name or next(iter(worksheets))]


def _worksheet_rows(worksheet: Any) -> Iterator[Line]:
    """The rows that aren't empty; the cells of each are filled up to the width of the first one."""
    width = cells = 0
    for number, row in _rows_as_stored(worksheet):
        # The numbers of columns may have gaps.
        columns = max((cell.column for cell in row), default=0)
        cells += 1 + max(columns, len(row))
        if cells > MOST_CELLS:
            raise user_error(_TOO_MANY_CELLS)
        texts = [""] * max(columns, width)
        for cell in row:
            texts[cell.column - 1] = _cell_text(cell)
        if any(text.strip() for text in texts):
            width = width or len(texts)
            yield Line(number, texts)


def _rows_as_stored(worksheet: Any) -> Iterator[tuple[int, list[Any]]]:
    """The number and the cells of each row in the order of the file.

    The worksheet's own `iter_rows` leaves out rows whose numbers don't grow.
    """
    from openpyxl.cell.read_only import ReadOnlyCell
    from openpyxl.worksheet._reader import WorkSheetParser

    book = worksheet.parent
    with worksheet._get_source() as source:
        parser = WorkSheetParser(
            source,
            worksheet._shared_strings,
            data_only=True,
            epoch=book.epoch,
            date_formats=book._date_formats,
            timedelta_formats=book._timedelta_formats,
        )
        for number, row in parser.parse():
            yield number, [ReadOnlyCell(worksheet, **cell) for cell in row]


def _cell_text(cell: Any) -> str:
    """The text of a cell as it is shown."""
    value = cell.value
    if value is None or cell.data_type == "e":
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, str):
        return value.replace("_x000D_", "").replace("\r\n", "\n").replace("\r", "\n")
    shown_as = cell.number_format or ""
    if isinstance(value, datetime):
        whole = "h" in shown_as.lower() or value.time() != time()
        return f"{value:%Y-%m-%d %H:%M:%S}" if whole else f"{value:%Y-%m-%d}"
    if isinstance(value, date | time) or (isinstance(value, float) and not value.is_integer()):
        return str(value)
    if isinstance(value, int | float):
        # An id with leading zeros is stored as a number with a format of as many digits.
        digits = len(shown_as) if re.fullmatch("0{2,30}", shown_as) else 0
        return f"{int(value):0{digits}d}"
    return str(value)


# All sources of an event


LARGEST_TOGETHER = 256 * 1024 * 1024
"""The largest size of all lists of an event, in characters."""


def read_entries(event: Event, game: Game) -> Entries:
    """All submissions to an event, with their ids. Raises UserError, without names, for an unusable source."""
    zone = ZoneInfo(event.time_zone)
    home = event.path.parent
    entries = Entries([], [])
    problems: list[Problem] = []
    size = 0
    for index, source in enumerate(event.sources):
        path, placed = source.path, _placed_in(event, index)
        # The path as written in the event's file.
        path_shown = (path.relative_to(home) if path.is_relative_to(home) else path).as_posix()
        path_shown = path_shown.encode("utf-8", "backslashreplace").decode()
        try:
            if isinstance(source, Form):
                content = Entries(list(read_form(source, path_shown, game, zone, placed)), [])
            elif is_folder(path):
                content = read_folder(path, path_shown, zone, event.own_files, tuple(event.fields))
            else:
                raise UserError([placed((), _("there is no folder {shown!r}", shown=path_shown), None)])
        except UserError as error:
            problems += placed_at(error, path_shown).problems
            continue
        size += sum(len(one.text or "") for one in content.submissions)
        if size > LARGEST_TOGETHER:
            raise user_error(_("all lists together are too large"), path=str(event.path))
        entries.submissions.extend(content.submissions)
        entries.passed_over.extend(content.passed_over)
    if problems:
        raise UserError(problems)
    return entries._replace(submissions=with_ids(entries.submissions))


def _placed_in(event: Event, index: int) -> PlacedProblem:
    """Makes problems of the source at index `at`, placed in the event's file if that can be read."""

    def problem(keys: Keys, message: Words, hint: Words | None) -> Problem:
        try:
            return load_yaml(event.path).problem(message, hint, ("entries", index, *keys))
        except UserError:
            return Problem(message, str(event.path), hint=hint)

    return problem
