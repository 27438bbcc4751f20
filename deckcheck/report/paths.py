"""How files are named to programs that know a repository: from its root, with forward slashes."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import lru_cache

from deckcheck.support.files import is_file, shipped

_ROOTS = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")
_STANDARD_INPUT = "-"
# What is no byte of a path that the system could not decode.
_HALVES = "[\ud800-\udc7f\udd00-\udfff]"


def from_root(path: str, environ: Mapping[str, str] = os.environ) -> str:
    """`path` from the root of the repository, where CI tells it, else from the working folder.

    Without "./" before it. What lies outside of both keeps the way that it was named by.
    """
    if path == _STANDARD_INPUT:
        return path
    whole = os.path.abspath(path)  # noqa: PTH100 - the path may be no text, and its links are its own affair
    for root in (*(environ[name] for name in _ROOTS if environ.get(name)), os.curdir):
        try:
            relative = with_slashes(os.path.relpath(whole, root))
        except ValueError:
            # Another drive.
            continue
        if relative != ".." and not relative.startswith("../"):
            return relative
    return with_slashes(os.path.normpath(path))


def with_slashes(path: str) -> str:
    """`path` with forward slashes, also where the system has others."""
    return path.replace(os.sep, "/")


def uri(path: str) -> str:
    """The URI of a path with forward slashes: percent-encoded, relative unless the path is absolute."""
    from urllib.parse import quote

    data = re.sub(_HALVES, "\ufffd", path).encode("utf-8", "surrogateescape")
    if path.startswith("/"):
        return "file://" + quote(data)
    if re.match("[A-Za-z]:/", path):
        return "file:///" + quote(data, safe="/:")
    return quote(data)


@lru_cache(maxsize=256)
def is_bundled(path: str) -> bool:
    """Whether a shown path names a file that ships with deckcheck, and none of the user's own."""
    from pathlib import Path

    first, _, rest = path.partition("/")
    if first not in ("formats", "banlists") or ".." in rest.split("/") or is_file(Path(path)):
        return False
    return is_file(shipped(first) / rest)
