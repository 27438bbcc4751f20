"""Which files hold stored decks, by their names and heads. Nothing here needs Arrow."""

import csv
import gzip
import io
import json
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO, Literal, NamedTuple, cast

from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.files import cannot_read, walk
from deckcheck.support.messages import Message, _, series

COLUMNS = ("deck", "zone", "card", "copies")
"""One row per card: the deck, the zone (null: where the card belongs), the card by name or id, and the copies."""
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
_NO_OBJECT = _("row {row} isn't a JSON object")


class Part(NamedTuple):
    """A file of decks; `name` is its path in the folder that was named, or the name of the file."""

    path: str
    name: str

    @property
    def stem(self) -> str:
        """The name without its ending."""
        return self.name.removesuffix(ending_of(self.name) or "")


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
    """The parts at paths, of folders in the order of their names. Raises UserError for a path without any.

    Files and folders whose names begin with . or _ hold no decks, as engines have it.
    """
    parts, others, problems = dict[Path, Part](), list[str](), list[Problem]()
    for path in paths:
        place = Path(path)
        before = len(parts), len(problems)
        if not place.is_dir():
            if not place.exists():
                raise user_error(_("no such file or folder"), path=path)
            if kind_of(place.name) is None:
                message = _("the name of a file of decks ends in {endings}", endings=series(ENDINGS))
                raise user_error(message, path=path)
            parts.setdefault(place.absolute(), Part(path, place.name))
            continue
        for item in walk(path, lambda folder: not folder.name.startswith("_")):
            file = Path(item.path)
            if item.error is not None:
                problems += cannot_read(item.path, item.error).problems
            elif item.kind == "file" and kind_of(item.name) is not None and not item.name.startswith("_"):
                parts.setdefault(file.absolute(), Part(item.path, str(file.relative_to(place))))
            elif item.kind == "file" and (kind_of(item.name) is not None or not item.name.startswith("_")):
                others.append(item.path)
        if (len(parts), len(problems)) == before:
            raise user_error(_("no files of decks in this folder"), path=path)
    return Inputs(list(parts.values()), others, problems)


def hold_stored_decks(paths: Iterable[str]) -> bool:
    """Whether some file at paths has a name and columns of stored decks, so that it is no list."""
    for path in paths:
        files = [item.path for item in walk(path) if item.kind == "file"] if Path(path).is_dir() else [path]
        if any(map(_holds_stored_decks, files)):
            return True
    return False


def _holds_stored_decks(path: str) -> bool:
    kind = kind_of(path)
    if kind not in ("csv", "jsonl") or path.lower().endswith(".gz"):
        return kind is not None
    try:
        columns = csv_columns(path) if kind == "csv" else list(first_row(path))
    except UserError:
        return False
    rows = COLUMNS if kind == "csv" else ("deck", "card")
    return {*columns}.issuperset(LISTS if are_lists(columns) else rows)


def csv_columns(path: str) -> list[str]:
    """The columns of a CSV file. Raises UserError."""
    return next(csv.reader([_first_line(path)]), [])


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


# Mistakes, which libraries report without a row or in words of their own


def first_mistake(path: str, before: int) -> UserError | None:
    """The first mistake in the rows of a CSV file or of JSON Lines after so many others; None if none is found."""
    find = _mistakes_in_csv if kind_of(path) == "csv" else _mistakes_in_json
    try:
        with _opened(path) as stream:
            text = io.TextIOWrapper(stream, "utf-8-sig", errors="surrogateescape", newline="")
            for row, message in find(text):
                if row > before:
                    return user_error(message, path=path)
    except (OSError, EOFError, zlib.error, csv.Error):
        pass
    return None


def _mistakes_in_csv(text: Iterable[str]) -> Iterator[tuple[int, Message]]:
    rows = filter(None, csv.reader(text))
    columns = next(rows, [])
    for number, row in enumerate(rows, 1):
        if len(row) != len(columns):
            yield (
                number,
                _("row {row}: {n} columns instead of {wanted}", row=number, n=len(row), wanted=len(columns)),
            )
        for name, value in zip(columns, row, strict=False):
            is_number = value.removeprefix("-").isdecimal() and value.isascii()
            yield from _mistakes_in(number, name, value, is_right=name != "copies" or is_number or not value)


def _mistakes_in_json(text: Iterable[str]) -> Iterator[tuple[int, Message]]:
    first = dict[str, Any]()
    for number, line in enumerate(filter(str.strip, text), 1):
        row = _json_object(line)
        if row is None:
            yield number, _NO_OBJECT.filled(row=number)
            continue
        first = first or row
        for name in (*COLUMNS, *LISTS[1:]):
            value, before = row.get(name), first.get(name)
            wanted = int if name == "copies" or type(before) is int else str
            yield from _mistakes_in(number, name, value, is_right=value is None or type(value) is wanted)


def _mistakes_in(row: int, column: str, value: object, *, is_right: bool) -> Iterator[tuple[int, Message]]:
    if not is_right:
        wanted = _("whole numbers") if column == "copies" or isinstance(value, str) else _("text")
        shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        reason = _("“{value}” instead of {wanted}", value=shown, wanted=wanted)
    elif isinstance(value, str) and any("\udc80" <= sign <= "\udcff" for sign in value):
        reason = _("not UTF-8")
    else:
        return
    yield row, _("column {column}, row {row}: {reason}", column=column, row=row, reason=reason)
