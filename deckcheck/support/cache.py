"""A cache of results on disk. If it can't be written or is damaged, results are computed again."""

from __future__ import annotations

import contextlib
import json
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from deckcheck.support import VERSION
from deckcheck.support.files import user_folder, write_atomically

FORM = 22
"""Increased whenever cached results change their form, so that old ones aren't used."""


def cache_folder() -> Path:
    """$DECKCHECK_CACHE_DIR, else the user's cache folder."""
    return user_folder("cache")


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
    make: Callable[[], tuple[Any, list[Path]]],
    valid: Callable[[Any], bool] = lambda _: True,
) -> Any:
    """The JSON value cached under `name` for the file `of`, or a new one if any of its source files has changed.

    `make` returns the value and its source files, even missing ones; `valid` may reject a value.
    """
    key = f"{of} {of.absolute()} {VERSION} {FORM}"
    file = cache_folder() / f"{name}-{_checksum(key.encode('utf-8', 'surrogateescape'))}.json"
    with contextlib.suppress(OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        checksum, _newline, content = file.read_bytes().partition(b"\n")
        entry = json.loads(content) if checksum.decode("ascii") == _checksum(content) else {}
        # Checksums of two keys may collide.
        if (
            entry["of"] == key
            and entry["from"]
            and all(stamp(Path(path)) == was for path, was in entry["from"])
            and valid(entry["value"])
        ):
            return entry["value"]
    before = time.time_ns()
    value, files = make()
    stamps = [(str(path), stamp(path)) for path in dict.fromkeys(path.absolute() for path in files)]
    # Don't cache if a file was written meanwhile, since its old content may have been read.
    if all(was is None or was[1] < before for _, was in stamps):
        content = json.dumps({"of": key, "from": stamps, "value": value}, ensure_ascii=False).encode(
            "utf-8", "surrogatepass"
        )
        with contextlib.suppress(OSError):
            write_atomically(file, _checksum(content).encode() + b"\n" + content)
    return value


def _checksum(data: bytes) -> str:
    return f"{zlib.crc32(data):08x}"
