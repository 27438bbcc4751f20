"""Files of stored decks, and of results: Parquet, Arrow, CSV and JSON Lines, read and written a batch at a time."""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO, Literal, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet as pq

from deckcheck.bulk.rows import COLUMNS, LISTS, is_text
from deckcheck.bulk.streams import ROWS
from deckcheck.bulk.verdicts import SCHEMA
from deckcheck.support.errors import user_error
from deckcheck.support.files import cannot_read, walk
from deckcheck.support.messages import _, series

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

LISTS_AT_ONCE = 2**12
"""So many lists of text take about as much memory as ROWS rows."""

_BLOCK = 2**23
_PAGE = 2**20
_LONGEST_LINE = 2**23
_GROUP = 2**17
_NOTE = b"deckcheck"
_CODED = ["verdict", "rules.list.element", "open.list.element"]
_JSON_ROW = re.compile(r" in row (\d+)$")
_CODES = pa.dictionary(pa.int32(), pa.string())
_TYPES: Mapping[str, pa.DataType] = MappingProxyType(
    {"deck": pa.string(), "zone": _CODES, "card": _CODES, "copies": pa.int64(), "list": pa.string()}
)

FAILURES = (pa.ArrowException, OSError, UnicodeError)
"""What may be raised while a part is read."""


class Part(NamedTuple):
    """A file of decks; `name` is its path in the folder that was named, or the name of the file."""

    path: str
    name: str

    @property
    def stem(self) -> str:
        """The name without its ending."""
        return self.name.removesuffix(ending_of(self.name) or "")


def ending_of(name: str) -> str | None:
    """The ending that says how a part is written, as it is in the name; None without any."""
    found = max((end for end in ENDINGS if name.lower().endswith(end)), key=len, default=None)
    return None if found is None else name[-len(found) :]


def kind_of(name: str) -> Kind | None:
    """How a part of that name is written."""
    ending = ending_of(name)
    return None if ending is None else ENDINGS[ending.lower()]


def find_parts(paths: Iterable[str]) -> tuple[list[Part], list[str]]:
    """The parts at paths, of folders in the order of their names; and the files there that are none. Raises UserError.

    Files and folders whose names begin with . or _ hold no decks.
    """
    parts, others = dict[Path, Part](), list[str]()
    for path in paths:
        place = Path(path)
        before = len(parts)
        if not place.is_dir():
            if not place.exists():
                raise user_error(_("no such file or folder"), path=path)
            if kind_of(place.name) is None:
                message = _("the name of a file of decks ends in {endings}", endings=series(ENDINGS))
                raise user_error(message, path=path)
            parts.setdefault(place.absolute(), Part(path, place.name))
            continue
        for item in walk(path, lambda folder: not folder.name.startswith("_")):
            if item.error is not None:
                raise cannot_read(item.path, item.error)
            file = Path(item.path)
            if item.kind != "file" or item.name.startswith("_"):
                continue
            if kind_of(item.name) is None:
                others.append(item.path)
            else:
                parts.setdefault(file.absolute(), Part(item.path, str(file.relative_to(place))))
        if len(parts) == before:
            raise user_error(_("no files of decks in this folder"), path=path)
    return list(parts.values()), others


# Reading


def read_batches(path: str) -> Iterator[pa.RecordBatch]:
    """The columns about decks in a part, in batches of which the first is empty. Raises UserError, or one of FAILURES."""
    match kind_of(path):
        case "parquet":
            yield from _read_parquet(path)
        case "arrow":
            yield from _read_arrow(path)
        case "csv":
            yield from _read_csv(path)
        case _:
            yield from _read_json_lines(path)


def rows_at_once(schema: pa.Schema) -> int:
    """How many rows of a part to judge together."""
    return LISTS_AT_ONCE if "list" in schema.names else ROWS


def _columns(names: Sequence[str]) -> list[str]:
    """The columns to read. Raises UserError for one that is there twice."""
    found = [name for name in names if name in _TYPES and (name != "list" or "card" not in names)]
    for name in found:
        if found.count(name) > 1:
            raise user_error(_("column {column}: {reason}", column=name, reason=_("it is there twice")))
    return found


def _empty(schema: pa.Schema, columns: Sequence[str]) -> pa.RecordBatch:
    fields = [schema.field(name) for name in columns]
    return pa.RecordBatch.from_arrays(
        [pa.array([], field.type) for field in fields], schema=pa.schema(fields)
    )


def _read_parquet(path: str) -> Iterator[pa.RecordBatch]:
    schema = pq.read_schema(path)
    # Codes needn't be looked up row by row; pages are read one by one.
    coded = [name for name in ("zone", "card") if name in schema.names and is_text(schema.field(name).type)]
    with pq.ParquetFile(path, read_dictionary=coded, buffer_size=_PAGE, pre_buffer=False) as file:
        columns = _columns(file.schema_arrow.names)
        yield (first := _empty(file.schema_arrow, columns))
        yield from file.iter_batches(rows_at_once(first.schema), columns=columns, use_threads=False)


def _read_arrow(path: str) -> Iterator[pa.RecordBatch]:
    with pa.memory_map(path) as source:
        try:
            file = pa.ipc.open_file(source)
            batches = (file.get_batch(at) for at in range(file.num_record_batches))
        except pa.ArrowInvalid:
            source.seek(0)
            file = batches = pa.ipc.open_stream(source)
        columns = _columns(file.schema.names)
        yield _empty(file.schema, columns)
        for batch in batches:
            yield batch.select(columns)


def _read_csv(path: str) -> Iterator[pa.RecordBatch]:
    columns = _columns(next(csv.reader([_first_line(path)]), []))
    if not columns:
        yield _empty(pa.schema([]), [])
        return
    reading = pyarrow.csv.ReadOptions(use_threads=False, block_size=_BLOCK)
    # Lists have several lines.
    parsing = pyarrow.csv.ParseOptions(newlines_in_values=True)
    converting = pyarrow.csv.ConvertOptions(
        column_types=dict(_TYPES), include_columns=columns, strings_can_be_null=False, null_values=[""]
    )
    with pyarrow.csv.open_csv(path, reading, parsing, converting) as file:
        yield _empty(file.schema, columns)
        yield from file


def _read_json_lines(path: str) -> Iterator[pa.RecordBatch]:
    line, rows = _first_line(path), 0
    try:
        row = json.loads(line or "{}")
    except ValueError as error:
        raise user_error(_("row {row} is no JSON object", row=1)) from error
    if not isinstance(row, dict):
        raise user_error(_("row {row} is no JSON object", row=1))
    # Names may be numbers in all rows.
    numbers = {name: pa.int64() for name in ("deck", "zone", "card") if type(row.get(name)) is int}
    texts = {name: pa.string() for name in (LISTS if "list" in row and "card" not in row else COLUMNS)}
    schema = pa.schema(
        [*({**texts, "copies": pa.int64()} | numbers).items()]
        if "copies" in texts
        else [*(texts | numbers).items()]
    )
    yield _empty(schema, schema.names)
    if not line:
        return
    parsing = pyarrow.json.ParseOptions(
        explicit_schema=schema, unexpected_field_behavior="ignore", newlines_in_values=False
    )
    try:
        with pyarrow.json.open_json(path, pyarrow.json.ReadOptions(block_size=_BLOCK), parsing) as file:
            for batch in file:
                yield batch
                rows += batch.num_rows
    except pa.ArrowInvalid as error:
        # The number of the row is that in its block.
        reason = _JSON_ROW.sub(lambda found: f" in row {rows + int(found[1]) + 1}", str(error))
        raise user_error(_("can't be read: {reason}", reason=reason)) from error


def _first_line(path: str) -> str:
    """The first line that isn't empty, decompressed."""
    with pa.input_stream(path, compression="detect") as source:
        lines = io.BufferedReader(source)
        while line := lines.readline(_LONGEST_LINE):
            if line.strip():
                return line.decode("utf-8-sig").strip("\r\n")
    return ""


# Writing


class Writer:
    """Writes results to a stream; `note` is kept in what Parquet and Arrow know about a file."""

    def __init__(self, kind: Kind, stream: BinaryIO, note: str) -> None:
        self._kind, self._stream, self._note = kind, stream, note
        self._file: Any = None
        self._waiting: list[pa.RecordBatch] = []

    def write(self, results: pa.RecordBatch | bytes) -> None:
        """Add results, encoded as by `encoded`."""
        if isinstance(results, bytes):
            if self._file is None and self._kind == "csv":
                self._stream.write(",".join(SCHEMA.names).encode() + b"\n")
            self._file = self._stream
            self._stream.write(results)
            return
        if self._file is None:
            schema = results.schema.with_metadata({_NOTE: self._note})
            if self._kind == "arrow":
                self._file = pa.ipc.new_file(self._stream, schema)
            else:
                self._file = pq.ParquetWriter(self._stream, schema, use_dictionary=_CODED)
        self._waiting.append(results)
        if sum(batch.num_rows for batch in self._waiting) >= _GROUP:
            self._flush()

    def _flush(self) -> None:
        if self._waiting:
            self._file.write_table(pa.Table.from_batches(self._waiting))
            self._waiting = []

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, *_error: object) -> None:
        self._flush()
        if self._file is not None and self._file is not self._stream:
            self._file.close()


def encoded(results: pa.RecordBatch, kind: Kind) -> pa.RecordBatch | bytes:
    """Results as a writer takes them."""
    if kind in ("parquet", "arrow"):
        return results
    if kind == "jsonl":
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in results.to_pylist()).encode()
    for name in ("rules", "open"):
        at = results.schema.get_field_index(name)
        results = results.set_column(at, name, pc.binary_join(results.column(at), " "))
    stream = pa.BufferOutputStream()
    pyarrow.csv.write_csv(results, stream, pyarrow.csv.WriteOptions(include_header=False))
    return bytes(stream.getvalue())


def note_of(path: Path) -> str | None:
    """The note in a file of results; None without such a file, and for one that can't be read."""
    try:
        match kind_of(path.name):
            case "parquet":
                schema = pq.read_schema(path)
            case "arrow":
                with pa.memory_map(str(path)) as source:
                    schema = pa.ipc.open_file(source).schema
            case _:
                return None
    except FAILURES:
        return None
    note: bytes | None = (schema.metadata or {}).get(_NOTE)
    return None if note is None else note.decode()


def read_results(path: Path) -> Iterator[pa.RecordBatch]:
    """The results in a file with a note. Raises one of FAILURES."""
    columns = ["deck", "verdict", "rules"]
    if kind_of(path.name) == "parquet":
        with pq.ParquetFile(path, pre_buffer=False) as file:
            yield from file.iter_batches(_GROUP, columns=columns, use_threads=False)
    else:
        with pa.memory_map(str(path)) as source:
            file = pa.ipc.open_file(source)
            for at in range(file.num_record_batches):
                yield file.get_batch(at).select(columns)
