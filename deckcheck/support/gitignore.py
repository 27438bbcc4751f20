"""Patterns as in .gitignore, relative to a folder, and the .gitignore files of a repository."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterable
from itertools import takewhile
from typing import TYPE_CHECKING

from deckcheck.support.errors import UserError
from deckcheck.support.files import read_bytes

if TYPE_CHECKING:
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

GITIGNORE = ".gitignore"
LARGEST_GITIGNORE = 256 * 1024
"""The largest .gitignore that is read."""

MOST_CHARACTERS = 1000
MOST_DOUBLE_STARS = 4
MOST_STARS = 3
MOST_PATTERNS = 5_000
_DIR_MARK = "ps_d"


def compiled(line: str) -> GitIgnoreSpecPattern | None:
    """The pattern in a line of a .gitignore; None if it matches nothing. Raises ValueError for an invalid one.

    Matching takes time that grows with the power of the stars in one name, so patterns have bounds.
    """
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    names = re.sub(r"\*\*+", "**", line).split("/")
    if len(line) > MOST_CHARACTERS or names.count("**") > MOST_DOUBLE_STARS:
        raise ValueError("too complicated")
    if any(name.count("*") > MOST_STARS for name in names):
        raise ValueError("too complicated")
    with warnings.catch_warnings():
        # Python warns of sets whose meaning may change.
        warnings.simplefilter("ignore", FutureWarning)
        try:
            pattern = GitIgnoreSpecPattern(line)
        except re.error as error:
            raise ValueError(str(error)) from error
    return None if pattern.include is None else pattern


def folder_of(line: str) -> str:
    """The path, relative to its folder, in or at which everything is that the pattern in a line matches."""
    names = line.strip("/").split("/")
    is_anywhere = len(names) == 1 and not line.startswith("/")
    return "" if is_anywhere else "/".join(takewhile(lambda name: not re.search(r"[*?\[\\]", name), names))


class Patterns:
    """Patterns relative to a folder; the last one that matches decides."""

    def __init__(self, root: str, patterns: Iterable[GitIgnoreSpecPattern]) -> None:
        from pathspec import GitIgnoreSpec

        self._top = os.path.join(os.path.abspath(root), "")
        self._last_first = list(patterns)[::-1]
        self._spec = GitIgnoreSpec(self._last_first[::-1])

    def excluded(self, path: str, is_folder: bool = False) -> bool | None:
        """Whether they exclude this path; None if no pattern matches. The folders above it are asked before."""
        inner = self._inner(path)
        if inner is None:
            return None
        if is_folder:
            inner += "/"
        for pattern in self._last_first:
            result = pattern.match_file(inner)
            if result is None:
                continue
            # The library marks where it matched a folder, which may be one above.
            in_folder = result.match.groupdict().get(_DIR_MARK) is not None
            if not in_folder or result.match.end() == len(inner):
                return pattern.include
        return None

    def include(self, path: str) -> bool:
        """Whether they match a file, itself or by a folder above it."""
        inner = self._inner(path)
        return inner is not None and self._spec.match_file(inner)

    def _inner(self, path: str) -> str | None:
        whole = os.path.abspath(path)
        return whole[len(self._top) :].replace(os.sep, "/") if whole.startswith(self._top) else None


class GitIgnores:
    """The .gitignore files of repositories, without the user's own Git settings."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Patterns, ...] | None] = {}

    def of_folder(self, folder: str) -> tuple[Patterns, ...] | None:
        """The patterns that apply in an absolute folder, nearest first; None outside a repository."""
        if folder not in self._known:
            parent = os.path.dirname(folder)
            # An inner repository doesn't inherit patterns.
            if os.path.exists(os.path.join(folder, ".git")):
                above: tuple[Patterns, ...] | None = ()
            else:
                above = None if parent == folder else self.of_folder(parent)
            file = os.path.join(folder, GITIGNORE)
            # Git doesn't follow links to .gitignore files.
            if above is not None and os.path.isfile(file) and not os.path.islink(file):
                above = (Patterns(folder, _read(file)), *above)
            self._known[folder] = above
        return self._known[folder]


def _read(file: str) -> list[GitIgnoreSpecPattern]:
    """The patterns in a .gitignore, up to a limit. Like git, skips what it can't understand."""
    try:
        text = os.fsdecode(read_bytes(file, most=LARGEST_GITIGNORE))
    except UserError:
        return []
    patterns = []
    for line in text.removeprefix("\ufeff").split("\n")[:MOST_PATTERNS]:
        try:
            pattern = compiled(line.removesuffix("\r"))
        except ValueError:
            continue
        if pattern is not None:
            patterns.append(pattern)
    return patterns
