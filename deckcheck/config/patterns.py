"""Patterns as in .gitignore, and the .gitignore files of a repository: which files and folders they mean.

A pattern is kept as plain values, so that the next run need not translate it. What else git may be told
(`.git/info/exclude`, a user's own list) is not looked at: a deck is checked alike on every machine.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate
from pathlib import Path

from deckcheck.support.cache import cached
from deckcheck.support.errors import UserError
from deckcheck.support.files import read_bytes, with_slashes

Plain = tuple[bool, bool, str]
"""A pattern: whether it takes back (`!`), whether it means folders only, and the expression that a path must be."""

GITIGNORE = ".gitignore"
LARGEST_GITIGNORE = 256 * 1024
"""A file larger than that is no list of patterns."""

MOST_CHARACTERS = 1_000
MOST_PATTERNS = 5_000
_STAR = "[^/]*"
_DEEPER = "(?:[^/]+/)*"
# Git knows these in brackets, the library does not.
_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": " \t",
    "digit": "0-9",
    "lower": "a-z",
    "space": " \t\n\r\f\v",
    "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
}
_MOST_FOLDERS = 20_000


def translated(pattern: str) -> Plain | None:
    """The pattern of a line, None for one that means nothing (blank, a comment).

    Raises ValueError for one that can't be understood.
    """
    # Of the blanks at its end one may be escaped.
    body = pattern.rstrip(" ")
    if body.endswith("\\") and len(body) < len(pattern):
        body += " "
    if not body or body.startswith("#"):
        return None
    if len(body) > MOST_CHARACTERS:
        raise ValueError("too long")
    negated = body.startswith("!")
    body = body.removeprefix("!")
    folders_only = body.endswith("/")
    body = body.removesuffix("/")
    if not body:
        return None
    parts = body.removeprefix("/").split("/")
    if not all(parts):
        return None
    # However many stars a part is made of, git takes it for two.
    parts = ["**" if len(part) > 2 and set(part) == {"*"} else part for part in parts]
    expression = _path(parts if "/" in body else ["**", *("*" if part == "**" else part for part in parts)])
    return None if expression is None else (negated, folders_only, expression)


def _path(parts: Sequence[str]) -> str | None:
    """The expression of a path that is made of such parts, from the top; None where one of them fits nothing.

    Whatever stands between two `**` is looked for from the left and never given up again: later parts have
    the most room that way, and time does not grow with the ways to try.
    """
    groups: list[list[str]] = [[]]
    for part in parts[:-1] if parts[-1] == "**" else parts:
        if part == "**":
            groups.append([])
        else:
            made = _part(part)
            if made is None:
                return None
            groups[-1].append(made)
    first, *others = ["".join(f"{part}/" for part in group) for group in groups]
    found = [group for group in others if group]
    if parts[-1] == "**":
        return first + "".join(f"(?>{_DEEPER}?{group})" for group in found) + ".+"
    if not others:
        return first.removesuffix("/")
    *between, last = found
    return first + "".join(f"(?>{_DEEPER}?{group})" for group in between) + _DEEPER + last.removesuffix("/")


def _part(part: str) -> str | None:
    """The expression of one part; what stands between two stars is looked for as `_path` does."""
    if part == "*":
        return "[^/]+"
    translation = _by_library(part)
    if translation is None:
        return None
    # What a bracket leaves out it may not take for the end of a folder's name either.
    first, *others = (re.sub(r"(?<!\[)\[\^(?!/)", "[^/", piece) for piece in translation.split(_STAR))
    if not others:
        return first
    *between, last = others
    return first + "".join(f"(?>{_STAR}?{piece})" for piece in between if piece) + _STAR + last


def _by_library(part: str) -> str | None:
    """What the library makes of one part, without what it adds for all that lies below."""
    from pathspec import GitIgnoreSpec

    for name, characters in _CLASSES.items():
        part = part.replace(f"[:{name}:]", characters)
    with warnings.catch_warnings():
        # Brackets that Python may one day read otherwise are no business of the user's.
        warnings.simplefilter("ignore", FutureWarning)
        try:
            made, plain = GitIgnoreSpec.from_lines([f"/{part}", "/x"]).patterns
        except re.error as error:
            raise ValueError(str(error)) from error
    if made.regex is None or plain.regex is None:
        return None
    end = plain.regex.pattern.removeprefix("^x")
    return str(made.regex.pattern).removeprefix("^").removesuffix(end)


def patterns_of(text: str) -> list[Plain]:
    """The patterns of a .gitignore, so many at most; a line that can't be understood means nothing, as for git."""
    found: list[Plain] = []
    for line in text.removeprefix("\ufeff").split("\n"):
        try:
            pattern = translated(line.removesuffix("\r"))
        except ValueError:
            continue
        if pattern is not None:
            found.append(pattern)
        if len(found) >= MOST_PATTERNS:
            break
    return found


class Patterns:
    """Patterns of one place, of which the last one that means a path decides."""

    def __init__(self, patterns: Sequence[Plain]) -> None:
        self._negated = [negated for negated, _folders_only, _expression in patterns]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            self._last_first = [
                (at, folders_only, re.compile(expression, re.DOTALL).fullmatch)
                for at, (_negated, folders_only, expression) in enumerate(patterns)
            ][::-1]
        self._last_above = lru_cache(_MOST_FOLDERS)(self._find_above)

    def verdict(self, path: str, is_folder: bool) -> bool | None:
        """Whether a path (its parts joined by "/", from the patterns' folder) is meant itself; None: they don't say."""
        at = self._last(path, is_folder)
        return None if at < 0 else not self._negated[at]

    def include(self, path: str) -> bool:
        """Whether a file is meant, itself or by a folder above it."""
        at = max(self._last_above(path.rpartition("/")[0]), self._last(path, False))
        return at >= 0 and not self._negated[at]

    def _last(self, path: str, is_folder: bool) -> int:
        """The place of the last pattern that means the path, or -1."""
        for at, folders_only, means in self._last_first:
            if (is_folder or not folders_only) and means(path):
                return at
        return -1

    def _find_above(self, folder: str) -> int:
        ways = accumulate(folder.split("/"), "{}/{}".format) if folder else ()
        return max((self._last(way, True) for way in ways), default=-1)


def make_below(root: str) -> Callable[[str], str | None]:
    """A function from a path to the way to it from `root`, its parts joined by "/"; None for one elsewhere.

    `root` itself is "".
    """
    start = os.path.abspath(root)
    prefix = _ended(start)

    def way_to(path: str) -> str | None:
        whole = os.path.abspath(path)
        if whole.startswith(prefix):
            return with_slashes(whole[len(prefix) :])
        return "" if whole == start else None

    way_to_folder = lru_cache(_MOST_FOLDERS)(way_to)

    def below(path: str) -> str | None:
        above, separator, name = path.rpartition(os.sep)
        if name in ("", ".", "..") or (os.altsep is not None and os.altsep in name):
            return way_to(path)
        way = way_to_folder(above + separator or ".")
        return f"{way}/{name}" if way else name if way == "" else way_to(path)

    return below


def _ended(folder: str) -> str:
    return folder if folder.endswith(os.sep) else folder + os.sep


Chain = tuple[tuple[str, Patterns], ...]
"""The .gitignore files that hold for what lies in a folder, the nearest first, each behind its folder (absolute,
ended by a separator)."""


def entered(folder: str, above: Chain | None) -> Chain | None:
    """What holds in a folder (absolute), from what holds in the one above it; None outside of a repository."""
    # Where another repository begins, the outer one has no say.
    chain = () if os.path.exists(os.path.join(folder, ".git")) else above
    file = os.path.join(folder, GITIGNORE)
    # Git follows no links here.
    if chain is None or not os.path.isfile(file) or os.path.islink(file):
        return chain
    patterns = cached("gitignore", Path(file), lambda: _read_gitignore(Path(file)))
    return ((_ended(folder), Patterns(patterns)), *chain) if patterns else chain


def ignored(chain: Chain, path: str, is_folder: bool) -> bool | None:
    """What the files say of a path (absolute); None where they say nothing of it."""
    verdicts = (patterns.verdict(with_slashes(path[len(prefix) :]), is_folder) for prefix, patterns in chain)
    return next((verdict for verdict in verdicts if verdict is not None), None)


def _read_gitignore(file: Path) -> tuple[list[Plain], list[Path]]:
    try:
        text = os.fsdecode(read_bytes(file, most=LARGEST_GITIGNORE))
    except UserError:
        text = ""
    return patterns_of(text), [file]
