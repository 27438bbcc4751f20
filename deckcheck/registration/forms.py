"""Reads exports of forms with one row per player (CSV, TSV, XLSX), and guesses what their columns mean."""

import csv
import io
import re
import unicodedata
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, time, tzinfo
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.decklists.decoding import decode
from deckcheck.model.card import is_japanese
from deckcheck.model.game import Game
from deckcheck.registration.event import WORKBOOKS, Form
from deckcheck.registration.submissions import Submission, registration_words, submission
from deckcheck.support.dates import common_order, is_ambiguous, parse_time
from deckcheck.support.documents import Document, Keys
from deckcheck.support.errors import Problem, UserError, did_you_mean, user_error
from deckcheck.support.files import is_file, read_bytes
from deckcheck.support.messages import Words, _, series, shortened

if TYPE_CHECKING:
    from openpyxl import Workbook

LARGEST_FILE = 64 * 1024 * 1024
MOST_ROWS = 20_000
MOST_COLUMNS = 1_000
MOST_CELLS = 4_000_000
LARGEST_UNPACKED = 96 * 1024 * 1024
_DELIMITERS = ",\t;"
_XLS = bytes.fromhex("d0cf11e0a1b11ae1")
"""The first bytes of XLS files and of XLSX files with a password."""

_MOST_HEADS = 20
_TOO_MANY_CELLS = _("too many cells (at most {most:,})", most=MOST_CELLS)


Row = tuple[int, Sequence[str]]
"""A row that isn't empty: its number or first line, and its cells."""


class Columns(Struct, frozen=True):
    """The columns of the fields, of the lists with the headings of their zones (None for a whole list), and all heads."""

    fields: Mapping[str, tuple[int, ...]]
    lists: tuple[tuple[str | None, int], ...]
    heads: Sequence[str]


def read_form(form: Form, name: str, game: Game, zone: tzinfo) -> list[Submission]:
    """A submission without id for each row of the form, with a problem if it can't be read.

    `name` is the file's for messages. Raises UserError, without the contents of cells, for an unreadable file, and at
    the form's entry in the event's file if that doesn't fit what is there.
    """
    if not is_file(form.path):
        message = _("there is no file {name!r}", name=name)
        raise UserError([form.entry.problem(message, keys=("file",))])
    (_number, heads), *rows = _read_rows(form, name, _wanted_heads(form))
    columns = _columns_of(form, heads, game)
    place = name if form.worksheet is None else f"{name}!{form.worksheet}"
    submissions = [_submission(row, columns, place, zone) for row in rows]
    order = form.dates or common_order(one.submitted_as for one in submissions)
    if order is None and any(is_ambiguous(one.submitted_as) for one in submissions):
        message = _("dates such as 05/12/2026 can be read in two ways")
        hint = _("write “dates: day-first” or “dates: month-first” below “file”")
        raise UserError([form.entry.problem(message, hint, ("file",))])
    return [replace(one, submitted=parse_time(one.submitted_as, zone, order)) for one in submissions]


def _read_rows(form: Form, name: str, wanted: frozenset[str]) -> list[Row]:
    """The rows of a form, the heads first; `wanted` heads tell the delimiter of a text. Raises UserError."""
    data = read_bytes(form.path, most=LARGEST_FILE)
    if form.path.suffix.lower() in WORKBOOKS:
        rows = _rows_of_workbook(data, form)
    else:
        rows = _rows_of_text(data, name, wanted)
    if not rows:
        message = _("{name!r} is empty: it must begin with a header row", name=name)
        raise UserError([form.entry.problem(message, keys=("file",))])
    return rows


def _bounded(rows: Iterable[Row]) -> list[Row]:
    """The rows, at most so many as are allowed. Raises UserError."""
    kept: list[Row] = []
    for row in rows:
        if not kept and len(row[1]) > MOST_COLUMNS:
            raise user_error(_("too many columns (at most {most_columns:,})", most_columns=MOST_COLUMNS))
        if len(kept) > MOST_ROWS:
            raise user_error(_("too many rows (at most {most_rows:,})", most_rows=MOST_ROWS))
        kept.append(row)
    return kept


# Columns


def _wanted_heads(form: Form) -> frozenset[str]:
    """The heads in the event's file, normalized."""
    heads = [head for heads in form.columns.values() for head in heads]
    return frozenset(map(_plain_head, [*heads, *form.zones.values()]))


def _plain_head(text: str) -> str:
    """A column's head for comparing, without regard to width, blanks and line breaks."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def _columns_of(form: Form, cells: Sequence[str], game: Game) -> Columns:
    """The columns of a form. Raises UserError for missing or ambiguous ones."""
    heads = [_plain_head(cell) for cell in cells]
    problems: list[Problem] = []

    def find(keys: Keys, wanted: str) -> int:
        plain = _plain_head(wanted)
        number = heads.count(plain)
        if number == 1:
            return heads.index(plain)
        if number:
            message, hint = _("there are {n} columns {wanted!r}", n=number, wanted=wanted), None
        else:
            message, hint = _("there is no column {wanted!r}", wanted=wanted), _near_heads(form, plain, heads)
        problems.append(form.entry.problem(message, hint, ("columns", *keys)))
        return 0

    fields = {key: tuple(find((key,), head) for head in wanted) for key, wanted in form.columns.items()}
    lists: list[tuple[str | None, int]] = [(None, column) for column in fields.pop("deck", ())]
    for zone, wanted in form.zones.items():
        known = game.zones.get(zone)
        if known is None:
            message = _("there is no zone {zone!r}, only {zones}", zone=zone, zones=", ".join(game.zones))
            hint = did_you_mean(zone, game.zones)
            problems.append(form.entry.problem(message, hint, ("columns", "zones", zone)))
            continue
        heading = known.name.in_("ja" if is_japanese(wanted) else "en")
        lists.append((heading, find(("zones", zone), wanted)))
    if problems:
        raise UserError(problems)
    return Columns(fields, tuple(lists), cells)


def _near_heads(form: Form, wanted: str, heads: Sequence[str]) -> Words:
    """A hint with the most similar head, and the heads that there are."""
    # Without any known head, the first line may be a player's, and must not be shown.
    if _wanted_heads(form).isdisjoint(heads):
        return _("none of the columns exists: the first line must contain their headers")
    there = list(dict.fromkeys(head for head in heads if head))
    columns = shortened([_("“{name}”", name=head) for head in there], _MOST_HEADS)
    near = did_you_mean(wanted, there)
    if near is None:
        return _("the columns are {columns}", columns=columns)
    return _("{near}; the columns are {columns}", near=near, columns=columns)


def _submission(row: Row, columns: Columns, name: str, zone: tzinfo) -> Submission:
    (number, written), width = row, len(columns.heads)
    cells = [*written, *[""] * (width - len(written))]
    given = {field: " ".join(cells[part] for part in parts) for field, parts in columns.fields.items()}
    problem = None
    if any(text.strip() for text in cells[width:]):
        problem = _("this row has more cells than there are columns")
    elif len(written) <= max(chain(*columns.fields.values(), (column for _heading, column in columns.lists))):
        problem = _("this row ends before its last columns")
    lines: list[str] = []
    begins: list[tuple[int, str]] = []
    for heading, column in columns.lists:
        if cells[column].strip() and heading is not None:
            begins.append((len(lines) + 1, columns.heads[column]))
            lines.append(f"■{heading}")
        if cells[column].strip():
            lines += cells[column].split("\n")
    made = submission(f"{name}:{number}", given, "\n".join(lines), zone, problem)
    return replace(made, columns=tuple(begins))


# Text


def _rows_of_text(data: bytes, name: str, wanted: frozenset[str]) -> list[Row]:
    """The rows of a CSV or TSV text, with the delimiter that gives most of the `wanted` heads."""
    text = decode(data, name, nul=True)
    # This limit is global, so it is restored below.
    before = csv.field_size_limit(max(len(text), 1))
    try:
        best = max(_DELIMITERS, key=lambda delimiter: _heads_with(delimiter, text, wanted))
        if text.count(best) > MOST_CELLS:
            raise user_error(_TOO_MANY_CELLS)
        return _bounded(_filled_rows(text, best, name))
    finally:
        csv.field_size_limit(before)


def _heads_with(delimiter: str, text: str, wanted: frozenset[str]) -> tuple[int, int]:
    """How many of the `wanted` heads, and how many cells, the first row has with a delimiter."""
    try:
        _number, heads = next(_filled_rows(text, delimiter, ""), (1, []))
    except UserError:
        return -1, -1
    return len(wanted.intersection(map(_plain_head, heads))), len(heads)


def _filled_rows(text: str, delimiter: str, name: str) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for cells in reader:
            if any(cell and not cell.isspace() for cell in cells):
                yield line, cells
            line = reader.line_num + 1
    except csv.Error:
        # No cause and no excerpt: the line is a player's.
        message = _("not readable as CSV: a quote is not closed, or text follows it")
        raise user_error(message, path=name, line=line) from None


# Workbooks


def _rows_of_workbook(data: bytes, form: Form) -> list[Row]:
    """The rows of the form's worksheet, the head first; formulas aren't computed.

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
            # No more is read of a member than it says; members that overlap are counted each.
            size = sum(member.file_size for member in archive.infolist())
        if size > LARGEST_UNPACKED:
            raise user_error(_("it grows too large when it is unpacked"))
        with warnings.catch_warnings():
            # On what it leaves out, such as styles and validations.
            warnings.simplefilter("ignore")
            workbook = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
            return _bounded(_worksheet_rows(_worksheet(workbook, form)))
    except UserError:
        raise
    except Exception:
        # A broken file can raise anything, and the original message may contain cells.
        raise user_error(_("not readable as XLSX")) from None


def _worksheet(workbook: "Workbook", form: Form) -> Any:
    """The worksheet that the form names, else the only one with rows. Raises UserError if there is none, or several."""
    worksheets = {worksheet.title: worksheet for worksheet in workbook.worksheets}
    if not worksheets:
        raise user_error(_("there is no sheet in it"))
    if form.worksheet is None:
        filled = [
            name
            for name, worksheet in worksheets.items()
            if worksheet.sheet_state == "visible" and any(_worksheet_rows(worksheet))
        ]
        if len(filled) > 1:
            names = shortened([_("“{name}”", name=name) for name in filled], _MOST_HEADS)
            several = _("there are several sheets in it: {names}", names=names)
            how = _("write “sheet: NAME” below “file”")
            raise UserError([form.entry.problem(several, how, ("file",))])
        return worksheets[next(iter(filled or worksheets))]
    if form.worksheet not in worksheets:
        message = _("there is no sheet {name!r}", name=form.worksheet)
        hint = did_you_mean(form.worksheet, worksheets)
        raise UserError([form.entry.problem(message, hint, ("sheet",))])
    return worksheets[form.worksheet]


def _worksheet_rows(worksheet: Any) -> Iterator[Row]:
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
            yield number, texts


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
    value, number_format = cell.value, cell.number_format or ""
    match value:
        case None:
            return ""
        case bool():
            return str(value).upper()
        case str():
            plain = value.replace("_x000D_", "").replace("\r\n", "\n").replace("\r", "\n")
            return "" if cell.data_type == "e" else plain
        case datetime():
            whole = "h" in number_format.lower() or value.time() != time()
            return f"{value:%Y-%m-%d %H:%M:%S}" if whole else f"{value:%Y-%m-%d}"
        case float() if not value.is_integer():
            return str(value)
        case int() | float():
            # An id with leading zeros is stored as a number with a format of as many digits.
            digits = len(number_format) if re.fullmatch("0{2,30}", number_format) else 0
            return f"{int(value):0{digits}d}"
    return str(value)


# Guessing columns


def guess_form(path: Path, game: Game) -> tuple[Form, tuple[str, ...]]:
    """The export at `path` with what its columns mean, by their heads; and the heads that aren't used.

    Raises UserError if it can't be read, or if names or lists aren't found.
    """
    words = registration_words()
    ways = [way for ways in words["columns"].values() for way in ways]
    wanted = frozenset(_plain_head(head) for way in ways for head in ([way] if isinstance(way, str) else way))
    entry = Document(str(path), None, {}, ())
    (_number, head), *rows = _read_rows(Form(path, entry, {}), str(path), wanted)
    free = _free_heads(head, [cells for _number, cells in rows])
    zones = _guess_zones(free, game)
    fields: dict[str, tuple[str, ...]] = {}
    for whole in (True, False):
        for field, ways in words["columns"].items():
            if field not in fields and not (field == "deck" and zones):
                heads = next(filter(None, (_take(free, way, whole) for way in ways)), None)
                fields |= {} if heads is None else {field: heads}
    if "name" not in fields and "handle" in fields:
        fields["name"] = fields.pop("handle")
    lacking = [] if "name" in fields else ["name"]
    lacking += [] if "deck" in fields or zones else ["deck"]
    if lacking:
        columns = series([_("“{name}”", name=cell) for cell in head if cell.strip()])
        twice = [
            _("“{name}”", name=cell) for cell in dict.fromkeys(head) if cell.strip() and head.count(cell) > 1
        ]
        message = _("no column looks like {lacking}", lacking=series(lacking))
        if twice:
            message = _(
                "{problem}; these headers are there twice: {twice}", problem=message, twice=series(twice)
            )
        raise user_error(message, path=str(path), hint=_("the columns are {columns}", columns=columns))
    order = {cell: index for index, cell in enumerate(head)}
    fields = dict(sorted(fields.items(), key=lambda pair: order[pair[1][0]]))
    return Form(path, entry, fields, zones), tuple(sorted(free, key=order.__getitem__))


def _free_heads(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The heads that may be named, those of questions before those that Microsoft Forms adds."""
    words = registration_words()
    added, nobody = set(words["added_columns"]), {"", *words["nobody"]}
    questions, of_microsoft = [], []
    for index, head in enumerate(heads):
        values = {_folded(cells[index]) for cells in rows if index < len(cells)}
        # A head that stands there twice can't be named.
        if not head.strip() or heads.count(head) > 1:
            continue
        if _folded(head) not in added:
            questions.append(head)
        elif not values or not values <= nobody:
            of_microsoft.append(head)
    return questions + of_microsoft


def _guess_zones(free: list[str], game: Game) -> dict[str, str]:
    """The columns of the game's zones, if there are several; they are taken from the free heads."""
    zones: dict[str, str] = {}
    for zone in game.zones.values():
        names = [_folded(name) for name in (zone.name.in_("ja"), zone.name.in_("en"), *zone.headings)]
        fitting = [head for head in free if _folded(head) in names]
        fitting += [head for head in free if any(len(name) > 3 and name in _folded(head) for name in names)]
        # A column belongs to the zone that fits it first.
        if fitting and fitting[0] not in zones.values():
            zones[zone.id] = fitting[0]
    if len(zones) < 2:
        return {}
    free[:] = [head for head in free if head not in zones.values()]
    return zones


def _take(free: list[str], way: str | Sequence[str], whole: bool) -> tuple[str, ...] | None:
    """The heads that are these words (or contain them), taken from the free ones; None if there aren't any."""
    words = [way] if isinstance(way, str) else way
    # Parts of a name are short words, which other heads contain by chance.
    least = 2 if isinstance(way, str) else 3
    taken: list[str] = []
    for word in map(_folded, words):
        fitting = [head for head in free if head not in taken and _folded(head) == word]
        if not whole and len(word) >= least:
            fitting += [head for head in free if head not in taken and word in _folded(head)]
        if not fitting:
            return None
        taken.append(fitting[0])
    free[:] = [head for head in free if head not in taken]
    return tuple(taken)


def _folded(text: str) -> str:
    return _plain_head(text).casefold()
