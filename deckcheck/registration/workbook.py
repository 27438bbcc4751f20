"""The rows of an XLSX workbook, read as a stream: however much one unpacks to, only what is needed is kept."""

import io
import math
import posixpath
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from itertools import pairwise
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, TreeBuilder

from deckcheck.registration.submissions import MOST_ROWS, Line, PlacedProblem, too_many_cells, too_many_rows
from deckcheck.support.errors import UserError, did_you_mean, user_error
from deckcheck.support.messages import _

MOST_MEMBERS = 2_000
LARGEST_MEMBER = 96 * 1024 * 1024
LARGEST_WHOLE = 192 * 1024 * 1024
MOST_RATIO = 100
MOST_COLUMNS = 256
"""What stands further to the right is not looked at."""

MOST_CELLS = 500_000
"""Also empty ones, and rows: twenty-five for each of the most players."""

MOST_TEXTS = 500_000
"""Texts that cells share."""

_SMALL = 16 * 1024 * 1024
_CHUNK = 64 * 1024
_OLD = bytes.fromhex("d0cf11e0a1b11ae1")
"""How files of the older kind begin, and those with a password."""

_REFERENCE = re.compile("([A-Z]{1,3})[1-9][0-9]*")


class _Book(NamedTuple):
    """What cells refer to: shared texts, how each style shows numbers, and from which day days are counted."""

    texts: Sequence[str]
    formats: Sequence[str]
    epoch: datetime


def rows_of_workbook(data: bytes, shown: str, worksheet: str | None, placed: PlacedProblem) -> list[Line]:
    """The rows of a sheet that hold anything, in the order of their numbers, its head first; [] for an empty one.

    The first sheet, unless one is named. Formulas are not computed: what was
    computed last counts. Raises UserError, which never shows what stands in the
    sheet, where it can't be read or is out of bounds.
    """
    try:
        import openpyxl  # noqa: F401 - it knows how days are kept
    except ImportError as error:
        raise user_error(
            _("reading XLSX requires more libraries"),
            path=shown,
            hint=_("run pip install 'deckcheck[xlsx]', or export it as CSV"),
        ) from error
    _require_bounds(data, shown)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            sheet, book = _opened(archive, shown, worksheet, placed)
            rows = list(_rows(archive, sheet, book, shown))
    except UserError:
        raise
    except Exception:
        # Whatever a broken file brings about; what is told of it may show what stands there.
        raise _broken(shown) from None
    return _in_order(rows)


def _require_bounds(data: bytes, shown: str) -> None:
    """Raise UserError for what is no archive, or one that grows too large when it is opened.

    What a member says of its size holds: zipfile reads no further.
    """
    if data.startswith(_OLD):
        hint = _("save it as XLSX, without a password")
        raise user_error(_("this is not XLSX"), path=shown, hint=hint)
    if data.count(b"PK\x01\x02") > MOST_MEMBERS:
        raise _grows(shown)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
    except Exception:
        raise _broken(shown) from None
    whole = sum(member.file_size for member in members)
    packed = sum(member.compress_size for member in members)
    if (
        len(members) > MOST_MEMBERS
        or max((member.file_size for member in members), default=0) > LARGEST_MEMBER
        or whole > LARGEST_WHOLE
        # Members that share their bytes.
        or packed > len(data)
        or (whole > _SMALL and whole > MOST_RATIO * packed)
    ):
        raise _grows(shown)


def _grows(shown: str) -> UserError:
    return user_error(_("it grows too large when it is unpacked"), path=shown)


def _broken(shown: str) -> UserError:
    return user_error(_("not readable as XLSX"), path=shown)


def _elements(archive: zipfile.ZipFile, member: str, shown: str, *names: str) -> Iterator[Element]:
    """The elements of these names in an XML part, one after another, with what is in them; without namespaces.

    Raises ExpatError for what is no XML, ValueError for a document type (no
    workbook has one, and entities stand in nothing else), and UserError for one that holds too much.
    """
    from xml.parsers import expat

    found: list[Element] = []
    builder: TreeBuilder | None = None
    depth = held = 0

    def refuse(*_unused: object) -> None:
        raise ValueError("a document type")

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal builder, depth, held
        name = name.rpartition(":")[2]
        if builder is None and name in names:
            builder, depth, held = TreeBuilder(), 0, 0
        if builder is not None:
            builder.start(name, {key.rpartition(":")[2]: value for key, value in attributes.items()})
            depth += 1
            held += 1
            if held > MOST_CELLS:
                raise too_many_cells(shown, MOST_CELLS)

    def end(name: str) -> None:
        nonlocal builder, depth
        if builder is not None:
            builder.end(name.rpartition(":")[2])
            depth -= 1
            if depth == 0:
                found.append(builder.close())
                builder = None

    def text(piece: str) -> None:
        if builder is not None:
            builder.data(piece)

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = refuse
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text
    with archive.open(member) as stream:
        while chunk := stream.read(_CHUNK):
            parser.Parse(chunk, False)
            yield from found
            found.clear()
        parser.Parse(b"", True)
    yield from found


def _opened(
    archive: zipfile.ZipFile, shown: str, name: str | None, placed: PlacedProblem
) -> tuple[str, _Book]:
    """Where the sheet of that name stands in the archive (the first for None), and what its cells refer to."""
    from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900

    [member] = _related(archive, "", "_rels/.rels", shown, "officeDocument").values()
    folder, file = posixpath.split(member)
    relations = posixpath.join(folder, "_rels", f"{file}.rels")
    worksheets = _related(archive, folder, relations, shown, "worksheet")
    sheets: dict[str, str] = {}
    epoch = CALENDAR_WINDOWS_1900
    for element in _elements(archive, member, shown, "sheet", "workbookPr"):
        if element.tag == "workbookPr":
            epoch = CALENDAR_MAC_1904 if element.get("date1904") in ("1", "true") else epoch
        elif element.attrib["id"] in worksheets:
            sheets[element.attrib["name"]] = worksheets[element.attrib["id"]]
    if not sheets:
        raise user_error(_("there is no sheet in it"), path=shown)
    if name is not None and name not in sheets:
        message = _("there is no sheet {name!r}", name=name)
        raise UserError([placed(("sheet",), message, did_you_mean(name, sheets))])
    texts: list[str] = []
    formats: list[str] = []
    for part in _elements(archive, "[Content_Types].xml", shown, "Override"):
        kind, place = part.attrib["ContentType"], part.attrib["PartName"].lstrip("/")
        if kind.endswith("sharedStrings+xml"):
            for element in _elements(archive, place, shown, "si"):
                if len(texts) >= MOST_TEXTS:
                    raise _grows(shown)
                texts.append(_text(element))
        elif kind.endswith("styles+xml"):
            formats += _formats(_elements(archive, place, shown, "numFmt", "cellXfs"))
    return sheets[name] if name is not None else next(iter(sheets.values())), _Book(texts, formats, epoch)


def _related(
    archive: zipfile.ZipFile, folder: str, relations: str, shown: str, kind: str
) -> Mapping[str, str]:
    """The parts of that kind by the ids under which a part in the folder names them."""
    return {
        element.attrib["Id"]: posixpath.normpath(posixpath.join("/", folder, element.attrib["Target"]))[1:]
        for element in _elements(archive, relations, shown, "Relationship")
        if element.attrib["Type"].endswith(f"/{kind}")
    }


def _text(element: Element) -> str:
    """The text of an element, without how it is to be pronounced."""
    return "".join(
        "".join(part.text or "" for part in ([child] if child.tag == "t" else child.iter("t")))
        for child in element
        if child.tag != "rPh"
    )


def _formats(elements: Iterator[Element]) -> Iterator[str]:
    """How each style of a cell shows numbers."""
    from openpyxl.styles.numbers import BUILTIN_FORMATS

    known = dict(BUILTIN_FORMATS)
    for element in elements:
        if element.tag == "numFmt":
            known[int(element.attrib["numFmtId"])] = element.attrib["formatCode"]
        else:
            yield from (known.get(int(style.get("numFmtId", "0")), "") for style in element)


def _rows(archive: zipfile.ZipFile, sheet: str, book: _Book, shown: str) -> Iterator[Line]:
    """The rows that are not empty, as they come."""
    filled = cells = number = 0
    for row in _elements(archive, sheet, shown, "row"):
        cells += 1 + len(row)
        if cells > MOST_CELLS:
            raise too_many_cells(shown, MOST_CELLS)
        line = _line(row, number + 1, book)
        number = line.number
        if line.problem is not None or line.unreadable or any(cell.strip() for cell in line.cells):
            filled += 1
            yield line
        if filled > MOST_ROWS + 1:
            raise too_many_rows(shown)


def _line(row: Element, number: int, book: _Book) -> Line:
    """A row; `number` is its own where it gives none."""
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
            found = _REFERENCE.fullmatch(cell.attrib["r"])
            if found is None:
                problem = misplaced
            else:
                column = _column(found[1])
        if column >= MOST_COLUMNS or not len(cell):
            continue
        try:
            values[column] = _shown_in_cell(cell, book)
        except (ValueError, OverflowError, LookupError):
            unreadable.add(column)
    filled = (at for at, text in values.items() if text)
    width = max((*filled, *unreadable), default=-1) + 1
    return Line(number, [values.get(at, "") for at in range(width)], frozenset(unreadable), problem)


def _in_order(rows: Sequence[Line]) -> list[Line]:
    """The rows by their numbers and as wide as the head; those of one number say so."""
    rows = sorted(rows, key=lambda row: row.number)
    twice = {row.number for row, next in pairwise(rows) if row.number == next.number}
    width = len(rows[0].cells) if rows else 0
    return [
        row._replace(
            cells=[*row.cells, *[""] * (width - len(row.cells))],
            problem=_("several rows of the sheet have this number") if row.number in twice else row.problem,
        )
        for row in rows
    ]


def _column(letters: str) -> int:
    """The column that letters name, from 0."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _shown_in_cell(cell: Element, book: _Book) -> str:
    """What a cell shows, as far as that matters for names, numbers, times and lists.

    Raises ValueError, OverflowError or LookupError for what no program writes.
    """
    kind, written = cell.get("t", "n"), cell.findtext("v") or ""
    if kind == "inlineStr":
        inline = cell.find("is")
        written = "" if inline is None else _text(inline)
    if kind == "e" or not written:
        return ""
    if kind in ("s", "str", "inlineStr"):
        text = book.texts[_index(written)] if kind == "s" else written
        return text.replace("_x000D_", "").replace("\r\n", "\n").replace("\r", "\n")
    if kind == "b":
        return str(bool(int(written))).upper()
    if kind == "d":
        from openpyxl.utils.datetime import from_ISO8601

        return _day(from_ISO8601(written), "")  # type: ignore[no-untyped-call]
    style = cell.get("s")
    return _number(written, "" if style is None else book.formats[_index(style)], book.epoch)


def _index(written: str) -> int:
    index = int(written)
    if index < 0:
        raise LookupError(index)
    return index


def _number(written: str, shown_as: str, epoch: datetime) -> str:
    from openpyxl.styles.numbers import is_date_format, is_timedelta_format
    from openpyxl.utils.datetime import from_excel

    value = float(written) if re.search("[.eE]", written) else int(written)
    if not math.isfinite(value):
        raise ValueError("no number")
    if is_date_format(shown_as):
        return _day(from_excel(value, epoch, timedelta=is_timedelta_format(shown_as)), shown_as)
    if isinstance(value, float):
        if not value.is_integer():
            return str(value)
        value = int(value)
    # An id with zeros in front is a number that is shown with so many digits.
    return f"{value:0{len(shown_as)}d}" if re.fullmatch("0{2,30}", shown_as) else str(value)


def _day(value: Any, shown_as: str) -> str:
    if isinstance(value, datetime):
        whole = "h" in shown_as.lower() or value.time() != time()
        return f"{value:%Y-%m-%d %H:%M:%S}" if whole else f"{value:%Y-%m-%d}"
    if isinstance(value, date | time | timedelta):
        return str(value)
    raise ValueError("no day")
