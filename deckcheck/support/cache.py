"""Results that are kept between runs, because making them costs more than the check itself.

Everything here may fail without harm: where nothing can be kept, the result is
made anew each time.
"""

from __future__ import annotations

import contextlib
import json
import time
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from deckcheck.support.files import user_folder, write_atomically
from deckcheck.support.version import VERSION

FORM = 2
"""Raised whenever a kept result would read differently, so that old ones are never used."""

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
    """The JSON value kept under `name` for the file `of`, made anew when a file it came from has changed.

    `make` returns the value and the files that it was made from (files that
    were looked for and not found included); `valid` may refuse a kept value
    for a reason that no file shows. Another place, another version of
    deckcheck: another value.
    """
    whose = f"{of} {of.absolute()} {VERSION} {FORM}"
    mark = zlib.crc32(whose.encode("utf-8", "surrogateescape"))
    file = cache_folder() / f"{name}-{mark:08x}.json"
    try:
        found = json.loads(file.read_bytes())
        # Two places may share a mark.
        if (
            found["of"] == whose
            and found["from"]
            and all(stamp(Path(path)) == was for path, was in found["from"])
        ):
            value = found["value"]
            if valid(value):
                return value
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        pass
    before = time.time_ns()
    value, files = make()
    stamps = _stamps(files)
    # A file that was written meanwhile may have been read before.
    if all(was is None or was[1] < before for _, was in stamps):
        _keep(file, {"of": whose, "from": stamps, "value": value})
    return value


def _stamps(files: Iterable[Path]) -> list[tuple[str, list[int] | None]]:
    return [(str(path), stamp(path)) for path in dict.fromkeys(path.absolute() for path in files)]


def _keep(file: Path, content: object) -> None:
    with contextlib.suppress(OSError):
        write_atomically(file, json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass"))
