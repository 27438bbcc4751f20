"""A cache of results on disk. If it can't be written or is damaged, results are computed again."""

from __future__ import annotations

import contextlib
import json
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from msgspec import ValidationError, convert, to_builtins

from deckcheck.support import VERSION
from deckcheck.support.files import user_folder, write_atomically

FORM = 28
"""Increased whenever cached results change their meaning, so that old ones aren't used."""

T = TypeVar("T")

_DAMAGE = (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError, ValidationError)
"""What reading a damaged file may raise."""


def stamp(path: Path) -> list[int] | None:
    """The size and modification time of a file; None without such a file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return [status.st_size, status.st_mtime_ns]


def cached(
    name: str,
    of: Path,
    kind: type[T],
    make: Callable[[], tuple[T, list[Path]]],
    valid: Callable[[T], bool] = lambda _: True,
) -> T:
    """The record cached under `name` for the file `of`, or a new one if any of its source files has changed.

    `make` returns the record, of the type `kind`, and its source files, even missing ones; `valid` may reject a record.
    """
    key = f"{of} {of.absolute()} {VERSION} {FORM}"
    file = user_folder("cache") / f"{name}-{_checksum(key.encode('utf-8', 'surrogateescape'))}.json"
    with contextlib.suppress(*_DAMAGE):
        checksum, _newline, content = file.read_bytes().partition(b"\n")
        entry = json.loads(content) if checksum.decode("ascii") == _checksum(content) else {}
        # Checksums of two keys may collide.
        is_current = entry["of"] == key and bool(entry["from"])
        if is_current and all(stamp(Path(path)) == was for path, was in entry["from"]):
            record = convert(entry["value"], kind)
            if valid(record):
                return record
    before = time.time_ns()
    record, files = make()
    value = to_builtins(record, enc_hook=dict)
    stamps = [(str(path), stamp(path)) for path in dict.fromkeys(path.absolute() for path in files)]
    # Don't cache if a file was written meanwhile, since its old content may have been read.
    if all(was is None or was[1] < before for _, was in stamps):
        content = json.dumps({"of": key, "from": stamps, "value": value}, ensure_ascii=False).encode(
            "utf-8", "surrogatepass"
        )
        with contextlib.suppress(OSError):
            write_atomically(file, _checksum(content).encode() + b"\n" + content)
    return convert(value, kind)


def _checksum(data: bytes) -> str:
    return f"{zlib.crc32(data):08x}"
