"""Reads all submissions of an event, and exports of forms with one row per player: CSV, TSV and XLSX.

Workbooks are read as a stream, which keeps memory bounded whatever their unpacked size.
"""

import csv
import io
import math
import posixpath
import re
import unicodedata
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta, tzinfo
from functools import reduce
from itertools import pairwise
from typing import NamedTuple
from xml.etree.ElementTree import Element
from zoneinfo import ZoneInfo

from deckcheck.decklists.decode import decode
from deckcheck.model.game import Game
from deckcheck.registration.event import WORKBOOKS, Event, Form
from deckcheck.registration.submissions import (
    SUBMITTED,
    Submission,
    read_folder,
    sender_of,
    submission,
)
from deckcheck.support.documents import Keys, load_yaml
from deckcheck.support.errors import Problem, UserError, did_you_mean, placed_at, user_error
from deckcheck.support.files import is_file, is_folder, read_bytes
from deckcheck.support.messages import Words, _

PlacedProblem = Callable[[Keys, Words, Words | None], Problem]
"""Makes a Problem from the keys of a value within an entry, a message and a hint."""

LARGEST_TOGETHER = 256 * 1024 * 1024
"""The largest size of all lists of an event, in characters."""

MOST_ROWS = 20_000

# Bounds of text.
LARGEST_FILE = 64 * 1024 * 1024
MOST_COLUMNS = 1_000
MOST_CELLS = 4_000_000
_DELIMITERS = ",\t;"

# Bounds of workbooks. Empty cells count; columns beyond the bound are ignored. Texts are the shared strings.
MOST_MEMBERS = 2_000
LARGEST_MEMBER = 96 * 1024 * 1024
LARGEST_WHOLE = 192 * 1024 * 1024
MOST_RATIO = 100
MOST_WORKSHEET_COLUMNS = 256
MOST_WORKSHEET_CELLS = 500_000
MOST_TEXTS = 500_000
_SMALL = 16 * 1024 * 1024
_XLS = bytes.fromhex("d0cf11e0a1b11ae1")
"""The first bytes of XLS files and of XLSX files with a password."""

_REFERENCE = re.compile("([A-Z]{1,3})[1-9][0-9]*")

_TOO_MANY_ROWS = _("too many rows (at most {most_rows:,})", most_rows=MOST_ROWS)
_UNPACKS_TOO_LARGE = _("it grows too large when it is unpacked")


class Line(NamedTuple):
    """A row: its number or first line, cells, columns (from 0) of unreadable cells, problem of the row."""

    number: int
    cells: Sequence[str]
    unreadable: frozenset[int] = frozenset()
    problem: Words | None = None


class Columns(NamedTuple):
    """The columns of the fields, and of the lists with the headings of their zones (None for a whole list)."""

    fields: Mapping[str, int]
    lists: tuple[tuple[str | None, int], ...]
    width: int


def placed_in(event: Event, at: int) -> PlacedProblem:
    """Makes problems of the source at index `at`, placed in the event's file if that can be read."""

    def problem(keys: Keys, message: Words, hint: Words | None) -> Problem:
        try:
            return load_yaml(event.path).problem(message, hint, ("entries", at, *keys))
        except UserError:
            return Problem(message, str(event.path), hint=hint)

    return problem


def read_submissions(event: Event, game: Game) -> list[Submission]:
    """All submissions to an event, numbered. Raises UserError, without names, for an unusable source."""
    zone = ZoneInfo(event.time_zone)
    home = event.path.parent
    forms = [source.path for source in event.sources if isinstance(source, Form)]
    own = frozenset(str(path.absolute()) for path in (event.path, event.log, *event.cards, *forms))
    result: list[Submission] = []
    problems: list[Problem] = []
    size = 0
    for at, source in enumerate(event.sources):
        path, placed = source.path, placed_in(event, at)
        # The path as written in the event's file.
        shown = (path.relative_to(home) if path.is_relative_to(home) else path).as_posix()
        shown = shown.encode("utf-8", "backslashreplace").decode()
        try:
            if isinstance(source, Form):
                submissions = read_form(source, shown, game, zone, placed)
            elif is_folder(path):
                submissions = read_folder(path, shown, zone, own)
            else:
                raise UserError([placed((), _("there is no folder {shown!r}", shown=shown), None)])
            for submission in submissions:
                size += len(submission.text or "")
                if size > LARGEST_TOGETHER:
                    raise user_error(_("all lists together are too large"), path=str(event.path))
                result.append(submission._replace(number=len(result) + 1))
        except UserError as error:
            if size > LARGEST_TOGETHER:
                raise
            problems += placed_at(error, shown).problems
    if problems:
        raise UserError(problems)
    return result


def read_form(
    form: Form, shown: str, game: Game, zone: tzinfo, placed: PlacedProblem
) -> Iterator[Submission]:
    """A submission without number for each row of the form, with a problem if it can't be read.

    `shown` is the path for messages. Raises UserError, without the contents of cells, if the file can't be read.
    """
    if not is_file(form.path):
        raise UserError([placed(("file",), _("there is no file {shown!r}", shown=shown), None)])
    data = read_bytes(form.path, most=LARGEST_FILE)
    if form.path.suffix.lower() in WORKBOOKS:
        rows = _rows_of_workbook(data, form.worksheet, placed)
        if form.worksheet is not None:
            shown = f"{shown}!{form.worksheet}"
    else:
        rows = _rows_of_text(data, shown, _wanted_heads(form))
    if not rows:
        message = _("{shown!r} is empty: it must begin with a header row", shown=shown)
        raise UserError([placed(("file",), message, None)])
    columns = _columns_of(form, rows[0], game, placed)
    return (_submission(line, columns, shown, zone) for line in rows[1:])


def _wanted_heads(form: Form) -> frozenset[str]:
    """The heads in the event's file, normalized."""
    deck = () if form.deck is None else (form.deck,)
    return frozenset(map(_plain_head, (*form.columns.values(), *form.zones.values(), *deck)))


def _plain_head(text: str) -> str:
    """A column's head for comparing, without regard to width, blanks and line breaks."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def _columns_of(form: Form, head: Line, game: Game, placed: PlacedProblem) -> Columns:
    """The columns of a form. Raises UserError, placed in the event's file, for missing or ambiguous ones."""
    heads = [_plain_head(cell) for cell in head.cells]
    problems: list[Problem] = []

    def find(keys: Keys, wanted: str) -> int:
        plain = _plain_head(wanted)
        number = heads.count(plain)
        if number == 1:
            return heads.index(plain)
        hint: Words | None = None
        message = _("there are {n} columns {wanted!r}", n=number, wanted=wanted)
        if not number:
            message = _("there is no column {wanted!r}", wanted=wanted)
            # Without any known head, the first line may be a player's, and must not be shown.
            hint = _("none of the columns exists: the first line must contain their headers")
            if not _wanted_heads(form).isdisjoint(heads):
                hint = did_you_mean(plain, filter(None, heads))
        problems.append(placed(("columns", *keys), message, hint))
        return 0

    fields = {key: find((key,), wanted) for key, wanted in form.columns.items()}
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


def _submission(line: Line, columns: Columns, shown: str, zone: tzinfo) -> Submission:
    def cell(at: int) -> str:
        return line.cells[at] if at < len(line.cells) else ""

    sender = sender_of({key: cell(at) for key, at in columns.fields.items()})
    parts = [(heading, cell(at)) for heading, at in columns.lists]
    used = [*columns.fields.values(), *(at for _heading, at in columns.lists)]
    bad = sorted(at + 1 for at in line.unreadable.intersection(used))
    problem = line.problem
    if problem is None and any(text.strip() for text in line.cells[columns.width :]):
        problem = _("this row has more cells than there are columns")
    elif problem is None and len(line.cells) <= max(used):
        problem = _("this row ends before its last columns")
    elif problem is None and bad:
        problem = _("the cell in column {column} of this row can't be read", column=bad[0])
    text = None
    if problem is None:
        filled = ((heading, part) for heading, part in parts if part.strip())
        text = "\n".join(part if heading is None else f"■{heading}\n{part}" for heading, part in filled)
    timed = SUBMITTED in columns.fields
    return submission(f"{shown}:{line.number}", sender, text, zone, problem, timed=timed)


# Text


def _rows_of_text(data: bytes, shown: str, wanted: frozenset[str]) -> list[Line]:
    """The filled rows of a CSV or TSV text, with the delimiter that gives most of the `wanted` heads."""
    text = decode(data, shown, nul=True)
    # This limit is global, so it is restored below.
    before = csv.field_size_limit(max(len(text), 1))
    try:
        best = max(_DELIMITERS, key=lambda delimiter: _heads_with(delimiter, text, wanted))
        if text.count(best) > MOST_CELLS:
            raise _too_many_cells(MOST_CELLS)
        rows: list[Line] = []
        for row in _filled_rows(text, best, shown):
            if not rows and len(row.cells) > MOST_COLUMNS:
                raise user_error(_("too many columns (at most {most_columns:,})", most_columns=MOST_COLUMNS))
            if len(rows) > MOST_ROWS:
                raise user_error(_TOO_MANY_ROWS)
            rows.append(row)
        return rows
    finally:
        csv.field_size_limit(before)


def _heads_with(delimiter: str, text: str, wanted: frozenset[str]) -> tuple[int, int]:
    """How many of the `wanted` heads, and how many cells, the first row has with a delimiter."""
    try:
        head = next(_filled_rows(text, delimiter, ""), Line(1, []))
    except UserError:
        return -1, -1
    return len(wanted.intersection(map(_plain_head, head.cells))), len(head.cells)


def _filled_rows(text: str, delimiter: str, shown: str) -> Iterator[Line]:
    """The rows that aren't empty."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for cells in reader:
            if any(cell and not cell.isspace() for cell in cells):
                yield Line(line, cells, frozenset(at for at, cell in enumerate(cells) if "\0" in cell))
            line = reader.line_num + 1
    except csv.Error:
        # No cause and no excerpt: the line is a player's.
        message = _("not readable as CSV: a quote is not closed, or text follows it")
        raise user_error(message, path=shown, line=line) from None


def _too_many_cells(most: int) -> UserError:
    return user_error(_("too many cells (at most {most:,})", most=most))


# Workbooks


def _rows_of_workbook(data: bytes, worksheet: str | None, placed: PlacedProblem) -> list[Line]:
    """The filled rows of a worksheet (None: the first), the head first; formulas aren't computed.

    Raises UserError, without the contents of cells, if the file can't be read or is out of bounds.
    """
    try:
        import defusedxml  # noqa: F401
        import openpyxl  # noqa: F401 - for its knowledge of dates
    except ImportError as error:
        hint = _("run pip install 'deckcheck[xlsx]', or export it as CSV")
        raise user_error(_("reading XLSX requires more libraries"), hint=hint) from error
    if data.startswith(_XLS):
        hint = _("save it as XLSX, without a password")
        raise user_error(_("this is not XLSX"), hint=hint)
    if data.count(b"PK\x01\x02") > MOST_MEMBERS:
        raise user_error(_UNPACKS_TOO_LARGE)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if _is_too_large(archive.infolist(), len(data)):
                raise user_error(_UNPACKS_TOO_LARGE)
            rows = sorted(_Workbook(archive, worksheet, placed).rows(), key=lambda row: row.number)
    except UserError:
        raise
    except Exception:
        # A broken file can raise anything, and the original message may contain cells.
        raise user_error(_("not readable as XLSX")) from None
    twice = {row.number for row, following in pairwise(rows) if row.number == following.number}
    width = len(rows[0].cells) if rows else 0
    return [
        row._replace(
            cells=[*row.cells, *[""] * (width - len(row.cells))],
            problem=_("several rows of the sheet have this number") if row.number in twice else row.problem,
        )
        for row in rows
    ]


def _is_too_large(members: Sequence[zipfile.ZipInfo], size: int) -> bool:
    """Whether an archive unpacks to too much; zipfile reads no more than the stated size of a member."""
    whole = sum(member.file_size for member in members)
    packed = sum(member.compress_size for member in members)
    return (
        any(member.file_size > LARGEST_MEMBER for member in members)
        or whole > LARGEST_WHOLE
        # Overlapping members.
        or packed > size
        or (whole > _SMALL and whole > MOST_RATIO * packed)
    )


class _Workbook:
    """A worksheet in an archive, with shared strings, number formats and the epoch of dates."""

    def __init__(self, archive: zipfile.ZipFile, worksheet: str | None, placed: PlacedProblem) -> None:
        """Find the worksheet of that name, the first one for None. Raises UserError if there is none."""
        from openpyxl.styles.numbers import BUILTIN_FORMATS
        from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900

        self.archive = archive
        self.texts: dict[int, str] = {}
        self.formats: dict[int, str] = {}
        self.epoch: datetime = CALENDAR_WINDOWS_1900
        [member] = self._related("", "_rels/.rels", "officeDocument").values()
        folder, file = posixpath.split(member)
        parts = self._related(folder, posixpath.join(folder, "_rels", f"{file}.rels"), "worksheet")
        members: dict[str, str] = {}
        for element in self._elements(member, "sheet", "workbookPr"):
            given = {key.rpartition("}")[2]: value for key, value in element.attrib.items()}
            if given.get("id") in parts:
                members[given["name"]] = parts[given["id"]]
            elif given.get("date1904") in ("1", "true"):
                self.epoch = CALENDAR_MAC_1904
        if not members:
            raise user_error(_("there is no sheet in it"))
        if worksheet is not None and worksheet not in members:
            message = _("there is no sheet {name!r}", name=worksheet)
            raise UserError([placed(("sheet",), message, did_you_mean(worksheet, members))])
        self.member = next(iter(members.values())) if worksheet is None else members[worksheet]
        codes = dict(BUILTIN_FORMATS)
        for part in self._elements("[Content_Types].xml", "Override"):
            kind, place = part.attrib["ContentType"], part.attrib["PartName"].lstrip("/")
            if kind.endswith("sharedStrings+xml"):
                for element in self._elements(place, "si"):
                    if len(self.texts) >= MOST_TEXTS:
                        raise user_error(_UNPACKS_TOO_LARGE)
                    self.texts[len(self.texts)] = _text(element)
            elif kind.endswith("styles+xml"):
                for element in self._elements(place, "numFmt", "cellXfs"):
                    if "formatCode" in element.attrib:
                        codes[int(element.attrib["numFmtId"])] = element.attrib["formatCode"]
                    else:
                        shown_as = (codes.get(int(style.get("numFmtId", "0")), "") for style in element)
                        self.formats |= enumerate(shown_as, len(self.formats))

    def _related(self, folder: str, relations: str, kind: str) -> Mapping[str, str]:
        """The parts of a kind that a part in `folder` refers to, by their ids."""
        return {
            element.attrib["Id"]: posixpath.normpath(
                posixpath.join("/", folder, element.attrib["Target"])
            ).removeprefix("/")
            for element in self._elements(relations, "Relationship")
            if element.attrib["Type"].endswith(f"/{kind}")
        }

    def _elements(self, member: str, *names: str) -> Iterator[Element]:
        """The elements with these names, in any namespace, in an XML part, one after another.

        Raises UserError for an element that is too large, and other errors for broken XML or a document type,
        which could define entities.
        """
        from defusedxml.ElementTree import iterparse

        path: list[Element] = []
        # The depth of the current wanted element (0 outside of one), and the number of elements in it.
        wanted = size = 0
        with self.archive.open(member) as stream:
            for event, element in iterparse(stream, ("start", "end"), forbid_dtd=True):
                if event == "start":
                    path.append(element)
                    if not wanted and element.tag.rpartition("}")[2] in names:
                        wanted, size = len(path), 0
                    size += 1
                    if wanted and size > MOST_WORKSHEET_CELLS:
                        raise _too_many_cells(MOST_WORKSHEET_CELLS)
                    continue
                if wanted == len(path):
                    wanted = 0
                    yield element
                path.pop()
                if path and not wanted:
                    path[-1].remove(element)

    def rows(self) -> Iterator[Line]:
        """The rows that aren't empty, in file order."""
        filled = cells = number = 0
        for row in self._elements(self.member, "row"):
            cells += 1 + len(row)
            if cells > MOST_WORKSHEET_CELLS:
                raise _too_many_cells(MOST_WORKSHEET_CELLS)
            line = self._line(row, number + 1)
            number = line.number
            if line.problem is not None or line.unreadable or any(cell.strip() for cell in line.cells):
                filled += 1
                yield line
            if filled > MOST_ROWS + 1:
                raise user_error(_TOO_MANY_ROWS)

    def _line(self, row: Element, number: int) -> Line:
        """A row; `number` is used if it has none of its own."""
        problem = None
        misplaced = _("the number of this row or the place of one of its cells can't be read")
        try:
            number = int(float(row.get("r", number)))
        except (ValueError, OverflowError):
            problem = misplaced
        values: dict[int, str] = {}
        unreadable = set()
        column = -1
        for cell in row:
            column += 1
            if "r" in cell.attrib:
                match = _REFERENCE.fullmatch(cell.attrib["r"])
                if match is None:
                    problem = misplaced
                else:
                    column = reduce(lambda before, letter: 26 * before + ord(letter) - 64, match[1], 0) - 1
            if column >= MOST_WORKSHEET_COLUMNS or not len(cell):
                continue
            try:
                if value := self._value(cell):
                    values[column] = value
            except (ValueError, OverflowError, LookupError):
                unreadable.add(column)
        width = max((*values, *unreadable), default=-1) + 1
        return Line(number, [values.get(at, "") for at in range(width)], frozenset(unreadable), problem)

    def _value(self, cell: Element) -> str:
        """The text of a cell as shown. Raises ValueError, OverflowError or LookupError for an invalid one."""
        from openpyxl.styles.numbers import is_date_format, is_timedelta_format
        from openpyxl.utils.datetime import from_excel, from_ISO8601

        kind, written = cell.get("t", "n"), cell.findtext("{*}v") or ""
        if kind == "inlineStr":
            written = "".join(map(_text, cell.iterfind("{*}is")))
        if kind == "e" or not written:
            return ""
        if kind in ("s", "str", "inlineStr"):
            text = self.texts[int(written)] if kind == "s" else written
            return text.replace("_x000D_", "").replace("\r\n", "\n").replace("\r", "\n")
        if kind == "b":
            return str(bool(int(written))).upper()
        if kind == "d":
            return _day(from_ISO8601(written), "")  # type: ignore[no-untyped-call]
        style = cell.get("s")
        shown_as = "" if style is None else self.formats[int(style)]
        value = float(written) if re.search("[.eE]", written) else int(written)
        if not math.isfinite(value):
            raise ValueError("no number")
        if is_date_format(shown_as):
            return _day(from_excel(value, self.epoch, timedelta=is_timedelta_format(shown_as)), shown_as)
        if isinstance(value, float) and not value.is_integer():
            return str(value)
        # An id with leading zeros is stored as a number with a format of as many digits.
        digits = len(shown_as) if re.fullmatch("0{2,30}", shown_as) else 0
        return f"{int(value):0{digits}d}"


def _text(element: Element) -> str:
    """The text of an element, without phonetic guides."""
    parts = (part for path in ("{*}t", "{*}r/{*}t") for part in element.iterfind(path))
    return "".join(part.text or "" for part in parts)


def _day(value: date | time | timedelta, shown_as: str) -> str:
    if isinstance(value, datetime):
        whole = "h" in shown_as.lower() or value.time() != time()
        return f"{value:%Y-%m-%d %H:%M:%S}" if whole else f"{value:%Y-%m-%d}"
    return str(value)
