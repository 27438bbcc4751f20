"""Results that are kept between runs. Where none can be kept, or one is damaged, it is made anew."""

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

FORM = 11
"""Raised whenever a cached result would read differently, so that old ones are never used."""

Made = tuple[Any, list[Path]]


def cache_folder() -> Path:
    """$DECKCHECK_CACHE_DIR, else the user's cache folder."""
    return user_folder("cache")


def stamp(path: Path) -> list[int] | None:
    """What changes when a file changes; None when there is no such file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return [found.st_size, found.st_mtime_ns]


def cached(
    name: str, of: Path, make: Callable[[], Made], valid: Callable[[Any], bool] = lambda _: True
) -> Any:
    """The JSON value cached under `name` for the file `of`, or a new one if a file it was made from has changed.

    `make` returns the value and those files, even missing ones; `valid` may refuse a value for another reason.
    """
    whose = f"{of} {of.absolute()} {VERSION} {FORM}"
    file = cache_folder() / f"{name}-{_checksum(whose.encode('utf-8', 'surrogateescape'))}.json"
    with contextlib.suppress(OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        checksum, _newline, content = file.read_bytes().partition(b"\n")
        found = json.loads(content) if checksum.decode("ascii") == _checksum(content) else {}
        # Two places may share a file.
        if (
            found["of"] == whose
            and found["from"]
            and all(stamp(Path(path)) == was for path, was in found["from"])
            and valid(found["value"])
        ):
            return found["value"]
    before = time.time_ns()
    value, files = make()
    stamps = [(str(path), stamp(path)) for path in dict.fromkeys(path.absolute() for path in files)]
    # A file that was written meanwhile may have been read before.
    if all(was is None or was[1] < before for _, was in stamps):
        content = json.dumps({"of": whose, "from": stamps, "value": value}, ensure_ascii=False).encode(
            "utf-8", "surrogatepass"
        )
        with contextlib.suppress(OSError):
            write_atomically(file, _checksum(content).encode() + b"\n" + content)
    return value


def _checksum(data: bytes) -> str:
    return f"{zlib.crc32(data):08x}"
