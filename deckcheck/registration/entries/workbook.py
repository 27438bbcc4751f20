"""The rows of an XLSX workbook."""

import io
import math
import re
import warnings
import zipfile
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any

from deckcheck.registration.entries.places import Placed
from deckcheck.registration.entries.rows import MOST_ROWS, Line
from deckcheck.registration.entries.sheet import too_many_rows
from deckcheck.support.errors import UserError, did_you_mean, wrong
from deckcheck.support.messages import _

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook

MOST_MEMBERS = 2_000
LARGEST_MEMBER = 96 * 1024 * 1024
LARGEST_WHOLE = 192 * 1024 * 1024
MOST_RATIO = 100
MOST_COLUMNS = 256
"""What stands further to the right is not looked at: every row is filled up to there."""

_SMALL = 16 * 1024 * 1024
_LAST_ROW = 1_048_576
_OLD = bytes.fromhex("d0cf11e0a1b11ae1")
"""How files of the older kind begin, and those with a password."""


def rows_of_workbook(data: bytes, shown: str, worksheet: str | None, placed: Placed) -> list[Line]:
    """The rows of a sheet that hold anything, its head first; [] for an empty one.

    The first sheet, unless one is named. Formulas are not computed: what was
    computed last counts. Raises UserError, which never shows what stands in the
    sheet, where it can't be read or is out of bounds.
    """
    try:
        import defusedxml  # noqa: F401 - openpyxl looks whether it is there
        from openpyxl import load_workbook
    except ImportError as error:
        raise wrong(
            _("reading XLSX takes more libraries"),
            path=shown,
            hint=_("run pip install 'deckcheck[xlsx]', or export it as CSV"),
        ) from error
    _require_bounds(data, shown)
    try:
        with warnings.catch_warnings():
            # They are about charts, colours and the like.
            warnings.simplefilter("ignore")
            book = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
            try:
                return _rows(_sheet(book, shown, worksheet, placed), shown)
            finally:
                book.close()
    except UserError:
        raise
    except Exception:
        # Whatever a broken file brings about; what is told of it may show what stands there.
        raise _broken(shown) from None


def _require_bounds(data: bytes, shown: str) -> None:
    """Raise UserError for what is no archive, or one that grows too large when it is opened.

    What a member says of its size holds: zipfile reads no further.
    """
    if data.startswith(_OLD):
        hint = _("save it as XLSX, without a password")
        raise wrong(_("this is not XLSX"), path=shown, hint=hint)
    if data.count(b"PK\x01\x02") > MOST_MEMBERS:
        raise _grows(shown)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
    except Exception:
        raise _broken(shown) from None
    whole = sum(one.file_size for one in members)
    packed = sum(one.compress_size for one in members)
    largest = max((one.file_size for one in members), default=0)
    if (
        len(members) > MOST_MEMBERS
        or largest > LARGEST_MEMBER
        or whole > LARGEST_WHOLE
        # Members that share their bytes.
        or packed > len(data)
        or (whole > _SMALL and whole > MOST_RATIO * packed)
    ):
        raise _grows(shown)


def _grows(shown: str) -> UserError:
    return wrong(_("it grows too large when it is unpacked"), path=shown)


def _broken(shown: str) -> UserError:
    return wrong(_("not readable as XLSX"), path=shown)


def _sheet(book: "Workbook", shown: str, name: str | None, placed: Placed) -> Any:
    sheets = {one.title: one for one in book.worksheets}
    if name is None:
        if not sheets:
            raise wrong(_("there is no sheet in it"), path=shown)
        return next(iter(sheets.values()))
    if name not in sheets:
        message = _("there is no sheet {name!r}", name=name)
        raise UserError([placed(("sheet",), message, did_you_mean(name, sheets))])
    return sheets[name]


def _rows(sheet: Any, shown: str) -> list[Line]:
    rows: list[Line] = []
    for line in _filled(sheet):
        if len(rows) > MOST_ROWS:
            raise too_many_rows(shown)
        rows.append(line)
    return rows


def _filled(sheet: Any) -> Iterator[Line]:
    """The rows that are not empty. What the file says of the sheet's size may be anything."""
    width = 0
    blank: Any = None
    found = sheet.iter_rows(min_row=1, max_row=_LAST_ROW, min_col=1, max_col=MOST_COLUMNS)
    for number, row in enumerate(found, 1):
        # Rows that the file leaves out are all one tuple, and there may be a million of them.
        if row is blank:
            continue
        filled = [at for at, cell in enumerate(row) if cell.value is not None]
        cells = [_text(cell) for cell in row[: filled[-1] + 1]] if filled else []
        if any(cell and not cell.isspace() for cell in cells):
            width = width or len(cells)
            yield Line(number, cells + [""] * (width - len(cells)))
        else:
            blank = row


def _text(cell: Any) -> str:
    """What a cell shows, as far as that matters for names, numbers, times and lists."""
    value = cell.value
    if value is None or cell.data_type == "e":
        return ""
    if isinstance(value, str):
        return value.replace("_x000D_", "").replace("\r\n", "\n").replace("\r", "\n")
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float):
        return _number(value, str(cell.number_format))
    if isinstance(value, datetime):
        whole = "h" in str(cell.number_format).lower() or value.time() != time()
        return f"{value:%Y-%m-%d %H:%M:%S}" if whole else f"{value:%Y-%m-%d}"
    if isinstance(value, date | time | timedelta):
        return str(value)
    return str(value)


def _number(value: int | float, shown_as: str) -> str:
    if isinstance(value, float):
        if not math.isfinite(value) or not value.is_integer():
            return str(value)
        value = int(value)
    # An id with zeros in front is a number that is shown with so many digits.
    return f"{value:0{len(shown_as)}d}" if re.fullmatch("0{2,30}", shown_as) else str(value)
