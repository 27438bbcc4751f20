"""Patterns as in .gitignore, and the .gitignore files of a repository, without the user's own Git settings."""

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
"""A translated pattern: whether it is negated (`!`), whether it matches folders only, and the regular expression."""

Verdict = Callable[[str, bool], bool | None]
"""Maps a path, and whether it is a folder, to whether it is excluded; None if no pattern matches."""

GITIGNORE = ".gitignore"
LARGEST_GITIGNORE = 256 * 1024
"""The largest .gitignore that is read."""

MOST_CHARACTERS = 1_000
MOST_PATTERNS = 5_000
_STAR = "[^/]*"
_FOLDERS = "(?:[^/]+/)*"
_BRACKETS = re.compile(r"\\.|(\[(?!\^/\])\^?\]?[^]]*\])", re.DOTALL)
"""In an expression of the library: an escaped character, or a bracket set from the pattern."""
# Git supports these in brackets, but the library doesn't.
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


def translate(pattern: str) -> Plain | None:
    """Translate a line of a .gitignore; None if it matches nothing. Raises ValueError for an invalid pattern."""
    # The first trailing blank may be escaped.
    body = pattern.rstrip(" ")
    if body.endswith("\\") and len(body) < len(pattern):
        body += " "
    if not body or body.startswith("#"):
        return None
    if len(body) > MOST_CHARACTERS:
        raise ValueError("too long")
    is_negated = body.startswith("!")
    body = body.removeprefix("!")
    path = body.removesuffix("/")
    # Git treats a part of three or more stars as two.
    parts = [
        "**" if len(part) > 2 and set(part) == {"*"} else part for part in path.removeprefix("/").split("/")
    ]
    if not all(parts):
        return None
    if "/" not in path:
        parts = ["**", *("*" if part == "**" else part for part in parts)]
    groups = [""]
    for part in parts:
        expression = "" if part == "**" else _translate_part(part)
        if expression is None:
            return None
        if part == "**":
            groups.append("")
        else:
            groups[-1] += f"{expression}/"
    expression = _with_wildcard(_FOLDERS, groups)
    expression = expression.removesuffix("/") if groups[-1] else expression + ".+"
    _compile(expression)
    return is_negated, body.endswith("/"), expression


def _translate_part(part: str) -> str | None:
    """The expression for a part of a path; None if it matches nothing. Raises ValueError like `translate`."""
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    if part == "*":
        return "[^/]+"
    for name, characters in _CLASSES.items():
        part = part.replace(f"[:{name}:]", characters)
    expression, _is_included = GitIgnoreSpecPattern.pattern_to_regex(f"/{part}/")
    if expression is None:
        return None
    # Drop the library's group for the slash after the name. No set may match a slash.
    expression = expression[1 : expression.rindex("(?P<")]
    expression = _BRACKETS.sub(lambda match: f"(?!/){match[1]}" if match[1] else match[0], expression)
    return _with_wildcard(_STAR, expression.split(_STAR))


def _with_wildcard(wildcard: str, pieces: Sequence[str]) -> str:
    """The pieces joined by a wildcard, each matched as far left as possible to avoid exponential time."""
    first, *others = pieces
    if not others:
        return first
    *between, last = others
    return first + "".join(f"(?>{wildcard}?{piece})" for piece in between if piece) + wildcard + last


def _compile(expression: str) -> re.Pattern[str]:
    with warnings.catch_warnings():
        # Python warns of sets whose meaning may change.
        warnings.simplefilter("ignore", FutureWarning)
        try:
            return re.compile(expression, re.DOTALL)
        except re.error as error:
            raise ValueError(str(error)) from error


def translate_all(text: str) -> list[Plain]:
    """The patterns of a .gitignore, up to a limit. Like git, skips invalid lines."""
    patterns: list[Plain] = []
    for line in text.removeprefix("\ufeff").split("\n"):
        try:
            pattern = translate(line.removesuffix("\r"))
        except ValueError:
            continue
        if pattern is not None:
            patterns.append(pattern)
        if len(patterns) >= MOST_PATTERNS:
            break
    return patterns


class Patterns:
    """Patterns relative to one folder; the last one that matches decides."""

    def __init__(self, patterns: Sequence[Plain]) -> None:
        self._negated = [is_negated for is_negated, _folders_only, _expression in patterns]
        self._last_first = [
            (at, folders_only, _compile(expression).fullmatch)
            for at, (_is_negated, folders_only, expression) in enumerate(patterns)
        ][::-1]
        self._last_above = lru_cache(_MOST_FOLDERS)(self._find_above)

    def verdict(self, path: str, is_folder: bool) -> bool | None:
        """Whether a relative path with "/" is excluded itself; None if no pattern matches."""
        at = self._last(path, is_folder)
        return None if at < 0 else not self._negated[at]

    def include(self, path: str) -> bool:
        """Whether a file matches, itself or by a folder above it."""
        at = max(self._last_above(path.rpartition("/")[0]), self._last(path, False))
        return at >= 0 and not self._negated[at]

    def _last(self, path: str, is_folder: bool) -> int:
        """The index of the last pattern that matches the path, or -1."""
        for at, folders_only, matches in self._last_first:
            if (is_folder or not folders_only) and matches(path):
                return at
        return -1

    def _find_above(self, folder: str) -> int:
        folders = accumulate(folder.split("/"), "{}/{}".format) if folder else ()
        return max((self._last(path, True) for path in folders), default=-1)


def make_relative(root: str) -> Callable[[str], str | None]:
    """A function to make paths relative to `root`, with "/"; "" for `root` itself, None for paths elsewhere."""
    start = os.path.abspath(root)
    prefix = os.path.join(start, "")

    def from_root(path: str) -> str | None:
        whole = os.path.abspath(path)
        if whole.startswith(prefix):
            return with_slashes(whole[len(prefix) :])
        return "" if whole == start else None

    folder_from_root = lru_cache(_MOST_FOLDERS)(from_root)

    def relative(path: str) -> str | None:
        folder, name = os.path.split(path)
        inner = None if name in ("", ".", "..") else folder_from_root(folder or ".")
        return from_root(path) if inner is None else f"{inner}/{name}" if inner else name

    return relative


def make_verdict(root: str, patterns: Sequence[Plain], otherwise: Verdict | None = None) -> Verdict:
    """The verdict of patterns relative to `root`; that of `otherwise` if none matches."""
    relative, rules = make_relative(root), Patterns(patterns)

    def verdict(path: str, is_folder: bool) -> bool | None:
        inner = relative(path)
        excluded = rules.verdict(inner, is_folder) if inner else None
        return otherwise(path, is_folder) if excluded is None and otherwise is not None else excluded

    return verdict


def gitignore_verdict(folder: str, above: Verdict | None) -> Verdict | None:
    """The verdict of the .gitignore files for a folder, from that of its parent; None outside a repository."""
    if os.path.exists(os.path.join(folder, ".git")):
        # An inner repository doesn't inherit patterns.
        above = _undecided
    file = os.path.join(folder, GITIGNORE)
    # Git doesn't follow links to .gitignore files.
    if above is None or not os.path.isfile(file) or os.path.islink(file):
        return above
    patterns = cached("gitignore", Path(file), lambda: (_read_gitignore(file), [Path(file)]))
    return make_verdict(folder, patterns, above) if patterns else above


def _undecided(_path: str, _is_folder: bool) -> None:
    return None


def _read_gitignore(file: str) -> list[Plain]:
    try:
        return translate_all(os.fsdecode(read_bytes(file, most=LARGEST_GITIGNORE)))
    except UserError:
        return []
