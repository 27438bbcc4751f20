"""Reads files of stored decks and writes results, a batch at a time: Parquet, Arrow, CSV and JSON Lines."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet as pq

from deckcheck.bulk.batches import ROWS, column_missing, column_twice, is_text
from deckcheck.bulk.stored_files import (
    COLUMNS,
    LISTS,
    Kind,
    are_lists,
    csv_columns,
    first_mistake,
    first_row,
    kind_of,
)
from deckcheck.bulk.verdicts import SCHEMA
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

LISTS_AT_ONCE = 2**12
"""The number of lists of text that take about as much memory as ROWS rows."""

_BLOCK, _BLOCK_OF_LISTS = 2**20, 2**23
"""The bytes of text that are read at once (at least a row); Arrow reads up to 32 such blocks ahead."""
_PAGE = 2**20
_ARROW_ROW = re.compile(r"Row #\d+: | in row \d+$")
"""The number of a row within its block, in Arrow's messages."""
_GROUP = 2**17
_NOTE = b"deckcheck"
_CODED = ["verdict", "rules.list.element", "open.list.element"]
_CODES = pa.dictionary(pa.int32(), pa.string())
_TYPES: Mapping[str, pa.DataType] = MappingProxyType(
    {"deck": pa.string(), "zone": _CODES, "card": _CODES, "copies": pa.int64(), "list": pa.string()}
)

FAILURES = (pa.ArrowException, OSError, UnicodeError)
"""The exceptions that reading a part may raise."""


# Reading


def read_batches(path: str) -> Iterator[pa.RecordBatch]:
    """Yields the columns on decks in a part, in batches, the first one empty. Raises UserError, or one of FAILURES."""
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
    return LISTS_AT_ONCE if are_lists(schema.names) else ROWS


def _columns(names: Sequence[str]) -> list[str]:
    """The columns to read. Raises UserError for two with the same name."""
    wanted = LISTS if are_lists(names) else COLUMNS
    for name in wanted:
        if names.count(name) > 1:
            raise column_twice(name)
    return [name for name in names if name in wanted]


def _block(columns: Sequence[str]) -> int:
    return _BLOCK_OF_LISTS if are_lists(columns) else _BLOCK


def _empty(schema: pa.Schema, columns: Sequence[str]) -> pa.RecordBatch:
    fields = [schema.field(name) for name in columns]
    return pa.RecordBatch.from_arrays(
        [pa.array([], field.type) for field in fields], schema=pa.schema(fields)
    )


def _read_parquet(path: str) -> Iterator[pa.RecordBatch]:
    schema = pq.read_schema(path)
    # Dictionary codes needn't be looked up per row; pages are read one by one.
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
            yield _with_wide_codes(batch.select(columns))


def _with_wide_codes(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The batch with dictionaries that can be joined with those of others, regardless of their sizes."""
    for at, field in enumerate(batch.schema):
        if pa.types.is_dictionary(field.type) and field.type.index_type.bit_width < 32:
            wide = pa.dictionary(pa.int32(), field.type.value_type)
            batch = batch.set_column(at, field.name, batch.column(at).cast(wide))
    return batch


def _read_csv(path: str) -> Iterator[pa.RecordBatch]:
    columns = _columns(csv_columns(path))
    schema = pa.schema([(name, _TYPES[name]) for name in columns])
    yield _empty(schema, columns)
    if not columns:
        return
    reading = pyarrow.csv.ReadOptions(use_threads=False, block_size=_block(columns))
    # Lists have several lines.
    parsing = pyarrow.csv.ParseOptions(newlines_in_values=True)
    converting = pyarrow.csv.ConvertOptions(
        column_types=schema, include_columns=columns, strings_can_be_null=False, null_values=[""]
    )
    yield from _with_mistakes(
        path, columns, lambda source: pyarrow.csv.open_csv(source, reading, parsing, converting)
    )


def _read_json_lines(path: str) -> Iterator[pa.RecordBatch]:
    row = first_row(path)
    columns = LISTS if are_lists(row) else COLUMNS
    for name in columns if row else ():
        # Rows without the column would be read as if it were null.
        if name not in row:
            raise column_missing(name, columns)
    # Names may be numbers in all rows.
    types = {
        name: pa.int64() if name == "copies" or type(row.get(name)) is int else pa.string()
        for name in columns
    }
    schema = pa.schema([*types.items()])
    yield _empty(schema, columns)
    if not row:
        return
    parsing = pyarrow.json.ParseOptions(
        explicit_schema=schema, unexpected_field_behavior="ignore", newlines_in_values=False
    )
    reading = pyarrow.json.ReadOptions(block_size=_block(columns))
    yield from _with_mistakes(path, columns, lambda source: pyarrow.json.open_json(source, reading, parsing))


def _with_mistakes(
    path: str, columns: Sequence[str], open: Callable[[pa.NativeFile], Any]
) -> Iterator[pa.RecordBatch]:
    """The batches of a reader of text. Raises UserError with the row of the first mistake in the columns."""
    rows, compression = 0, "gzip" if path.lower().endswith(".gz") else None
    try:
        with pa.input_stream(path, compression=compression) as source, open(source) as file:
            for batch in file:
                yield batch
                rows += batch.num_rows
    except (pa.ArrowInvalid, UnicodeDecodeError) as error:
        mistake = first_mistake(path, columns, rows)
        if mistake is None:
            reason = _ARROW_ROW.sub("", str(error).partition("\n")[0])
            mistake = user_error(_("can't be read: {reason}", reason=reason), path=path)
        raise mistake from error


# Writing


class Writer:
    """Writes results to a stream; `note` is stored in the metadata of Parquet and Arrow."""

    def __init__(self, kind: Kind, stream: BinaryIO, note: str) -> None:
        self._kind, self._stream, self._note = kind, stream, note
        self._file: Any = None
        self._waiting: list[pa.RecordBatch] = []

    def write(self, results: pa.RecordBatch | bytes) -> None:
        """Add results, encoded as by `encode`."""
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


def encode(results: pa.RecordBatch, kind: Kind) -> pa.RecordBatch | bytes:
    """Results in the form that a writer accepts."""
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
    """The note in a file of results; None if there is no such file or it can't be read."""
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
    columns = ["deck", "verdict", "rules", "open"]
    if kind_of(path.name) == "parquet":
        with pq.ParquetFile(path, pre_buffer=False) as file:
            yield from file.iter_batches(_GROUP, columns=columns, use_threads=False)
    else:
        with pa.memory_map(str(path)) as source:
            file = pa.ipc.open_file(source)
            for at in range(file.num_record_batches):
                yield file.get_batch(at).select(columns)
