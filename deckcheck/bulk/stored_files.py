"""Which files hold stored decks, by their names and heads. Nothing here needs Arrow."""

import csv
import gzip
import io
import json
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO, Literal, NamedTuple, cast

from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.files import Item, cannot_read, walk
from deckcheck.support.messages import Message, _, series

COLUMNS = ("deck", "zone", "card", "copies")
"""One row per card: the deck, the zone (null: the card's home), the card by name or id, and the copies."""
LISTS = ("deck", "list")
"""One row per deck: the deck and its list as text."""

Kind = Literal["parquet", "arrow", "csv", "jsonl"]

ENDINGS: Mapping[str, Kind] = MappingProxyType(
    {
        ".parquet": "parquet",
        ".arrow": "arrow",
        ".feather": "arrow",
        ".ipc": "arrow",
        ".csv": "csv",
        ".csv.gz": "csv",
        ".jsonl": "jsonl",
        ".ndjson": "jsonl",
        ".jsonl.gz": "jsonl",
        ".ndjson.gz": "jsonl",
    }
)
"""The endings of the names of parts."""

_LONGEST_LINE = 2**23
_MOST_DIGITS = 20
_NO_OBJECT = _("row {row} isn't a JSON object")


Identity = list[str | int]


class Part(NamedTuple):
    """A file of decks; `name` is its path in the folder that was named, or the name of the file."""

    path: str
    name: str

    @property
    def stem(self) -> str:
        """The name without its ending."""
        return self.name.removesuffix(ending_of(self.name) or "")

    def identity(self) -> Identity:
        """Values that change with the content of the file; the time of the last change can't be set back."""
        file = Path(self.path)
        with suppress(OSError):
            status = file.stat()
            return [
                str(file.absolute()),
                status.st_ino,
                status.st_size,
                status.st_mtime_ns,
                status.st_ctime_ns,
            ]
        return [str(file.absolute())]


class Inputs(NamedTuple):
    """The parts at some paths, the other files there, and the folders that can't be read."""

    parts: Sequence[Part]
    others: Sequence[str]
    problems: Sequence[Problem]


def ending_of(name: str) -> str | None:
    """The ending that says how a part is written, as it is in the name; None without any."""
    found = max((end for end in ENDINGS if name.lower().endswith(end)), key=len, default=None)
    return None if found is None else name[-len(found) :]


def kind_of(name: str) -> Kind | None:
    """How a part of that name is written."""
    ending = ending_of(name)
    return None if ending is None else ENDINGS[ending.lower()]


def are_lists(columns: Collection[str]) -> bool:
    """Whether columns hold a list per deck rather than a row per card."""
    return "list" in columns and "card" not in columns


def find_parts(paths: Iterable[str]) -> Inputs:
    """The parts at paths, in folders ordered by name. Raises UserError for a path without any.

    As in other engines, files and folders whose names begin with . or _ are skipped.
    """
    parts, others, problems = dict[Path, Part](), list[str](), list[Problem]()
    for path in paths:
        place = Path(path)
        found = len(problems)
        if not place.is_dir():
            if not place.exists():
                raise user_error(_("no such file or folder"), path=path)
            if kind_of(place.name) is None:
                message = _("the name of a file of decks ends in {endings}", endings=series(ENDINGS))
                raise user_error(message, path=path)
            parts.setdefault(place.absolute(), Part(path, place.name))
            continue
        is_empty = True
        for item in walk(path, _holds_parts):
            file, may_be = Path(item.path), kind_of(item.name) is not None
            if item.error is not None:
                problems += cannot_read(item.path, item.error).problems
            elif item.kind == "file" and may_be and not item.name.startswith("_"):
                is_empty = False
                parts.setdefault(file.absolute(), Part(item.path, str(file.relative_to(place))))
            elif item.kind == "other" or (item.kind == "file" and (may_be or not item.name.startswith("_"))):
                others.append(item.path)
        if is_empty and len(problems) == found:
            raise user_error(_("no files of decks in this folder"), path=path)
    return Inputs(list(parts.values()), others, problems)


def hold_stored_decks(paths: Iterable[str]) -> bool:
    """Whether any file at paths has a name and columns of stored decks, so that it isn't a list."""
    for path in paths:
        if not Path(path).is_dir():
            files = [path]
        else:
            items = walk(path, _holds_parts)
            files = [item.path for item in items if item.kind == "file" and not item.name.startswith("_")]
        if any(map(holds_stored_decks, files)):
            return True
    return False


def holds_stored_decks(path: str) -> bool:
    """Whether a file has a name and columns of stored decks."""
    kind = kind_of(path)
    if kind not in ("csv", "jsonl"):
        return kind is not None
    try:
        columns = csv_columns(path) if kind == "csv" else list(first_row(path))
    except UserError:
        return False
    rows = COLUMNS if kind == "csv" else ("deck", "card")
    return {*columns}.issuperset(LISTS if are_lists(columns) else rows)


def _holds_parts(folder: Item) -> bool:
    return not folder.name.startswith("_")


def csv_columns(path: str) -> list[str]:
    """The columns of a CSV file. Raises UserError."""
    try:
        return next(csv.reader([_first_line(path)]), [])
    except csv.Error as error:
        raise user_error(_("can't be read: {reason}", reason=str(error)), path=path) from error


def first_row(path: str) -> dict[str, Any]:
    """The first row of a file of JSON Lines; {} without rows. Raises UserError."""
    row = _json_object(_first_line(path) or "{}")
    if row is None:
        raise user_error(_NO_OBJECT.filled(row=1), path=path)
    return row


def _json_object(line: str) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _first_line(path: str) -> str:
    """The first line that isn't empty, decompressed. Raises UserError."""
    try:
        with _opened(path) as lines:
            while line := lines.readline(_LONGEST_LINE):
                if line.strip():
                    return line.decode("utf-8-sig").strip("\r\n")
    except UnicodeDecodeError as error:
        raise user_error(_("not UTF-8"), path=path) from error
    except (EOFError, zlib.error) as error:
        raise user_error(_("can't be read: {reason}", reason=str(error)), path=path) from error
    except OSError as error:
        raise cannot_read(path, error) from error
    return ""


def _opened(path: str) -> BinaryIO:
    """The bytes of a file, decompressed."""
    return cast(BinaryIO, gzip.open(path)) if path.lower().endswith(".gz") else Path(path).open("rb")


# Mistakes, which libraries report without a row or in their own words


def first_mistake(path: str, columns: Collection[str], before: int) -> UserError | None:
    """The first mistake in columns of a CSV file or of JSON Lines after some rows; None if none is found."""
    find = _mistakes_in_csv if kind_of(path) == "csv" else _mistakes_in_json
    try:
        with _opened(path) as stream:
            text = io.TextIOWrapper(stream, "utf-8-sig", errors="surrogateescape", newline="")
            for row, message in find(text, columns):
                if row > before:
                    return user_error(message, path=path)
    except (OSError, EOFError, zlib.error, csv.Error):
        pass
    return None


_Mistakes = Iterator[tuple[int, Message]]


def _mistakes_in_csv(text: Iterable[str], columns: Collection[str]) -> _Mistakes:
    rows = filter(None, csv.reader(text))
    names = next(rows, [])
    for number, row in enumerate(rows, 1):
        if len(row) != len(names):
            yield (
                number,
                _("row {row}: {n} columns instead of {wanted}", row=number, n=len(row), wanted=len(names)),
            )
        for name, value in zip(names, row, strict=False):
            if name in columns:
                yield from _mistakes_in(number, name, value, is_number=name == "copies" and value != "")


def _mistakes_in_json(text: Iterable[str], columns: Collection[str]) -> _Mistakes:
    first = dict[str, Any]()
    for number, line in enumerate(filter(str.strip, text), 1):
        row = _json_object(line)
        if row is None:
            yield number, _NO_OBJECT.filled(row=number)
            continue
        first = first or row
        for name in columns:
            if (value := row.get(name)) is not None:
                is_number = name == "copies" or type(first.get(name)) is int
                yield from _mistakes_in(number, name, value, is_number=is_number, of_json=True)


def _mistakes_in(
    row: int, column: str, value: object, *, is_number: bool, of_json: bool = False
) -> _Mistakes:
    if is_number and not _is_whole(value, of_json=of_json):
        wanted = _("whole numbers")
    elif not is_number and not isinstance(value, str):
        wanted = _("text")
    elif isinstance(value, str) and any("\udc80" <= sign <= "\udcff" for sign in value):
        yield row, _("column {column}, row {row}: {reason}", column=column, row=row, reason=_("not UTF-8"))
        return
    else:
        return
    shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    reason = _("“{value}” instead of {wanted}", value=shown, wanted=wanted)
    yield row, _("column {column}, row {row}: {reason}", column=column, row=row, reason=reason)


def _is_whole(value: object, *, of_json: bool) -> bool:
    """Whether a value is a whole number that Arrow can hold."""
    if isinstance(value, str) and not of_json:
        digits = value.strip().removeprefix("-")
        value = int(value) if digits.isascii() and digits.isdecimal() and len(digits) < _MOST_DIGITS else None
    return type(value) is int and -(2**63) <= value < 2**63
