"""Patterns as in .gitignore, and the .gitignore files of a repository. A user's own git settings have no influence."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate

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
_PIECE = re.compile(
    r"\\(.)|\[([!^]?)((?>\]?(?:\[:\w+:\]|\\.|[^]\\])*))\]|\*+|.",
    re.DOTALL,
)
"""An escaped character, characters in brackets, stars, or any character."""
_MEMBER = re.compile(r"\[:(\w+):\]|(\\.|[^\\])-(\\.|[^\\])|\\?(.)", re.DOTALL)
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
    """The pattern of a line, None for a blank or a comment. Raises ValueError for one that can't be understood."""
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
    """The expression of a path made of such parts; None where one of them fits nothing.

    What stands between two `**` is found from the left and never given up, so time doesn't explode.
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
    pieces = [""]
    for found in _PIECE.finditer(part):
        char, negated, members = found.groups()
        if found[0][0] == "*":
            pieces.append("")
        elif found[0] == "?":
            pieces[-1] += "[^/]"
        elif members is not None:
            made = _members(members)
            if made is None:
                return None
            pieces[-1] += f"[^/{made}]" if negated else f"(?!/)[{made}]"
        elif found[0] == "[":
            return None
        elif found[0] == "\\":
            raise ValueError("nothing is escaped")
        else:
            pieces[-1] += re.escape(char or found[0])
    first, *others = pieces
    if not others:
        return first
    *between, last = others
    return first + "".join(f"(?>{_STAR}?{piece})" for piece in between if piece) + _STAR + last


def _members(text: str) -> str | None:
    """What stands in brackets as Python writes it; None for a class that git doesn't know."""
    made = ""
    for name, low, high, char in _MEMBER.findall(text):
        if low and low[-1] > high[-1]:
            raise ValueError("a range in the wrong order")
        if name and name not in _CLASSES:
            return None
        made += (
            _CLASSES[name] if name else "-".join(map(re.escape, (low[-1:], high[-1:]) if low else (char,)))
        )
    return made


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
        self._last_first = [
            (at, folders_only, re.compile(expression, re.DOTALL).fullmatch)
            for at, (_negated, folders_only, expression) in enumerate(patterns)
        ][::-1]
        self._last_above = lru_cache(_MOST_FOLDERS)(self._find_above)

    @classmethod
    def of(cls, lines: str | Sequence[str]) -> Patterns:
        """The patterns of one line or several. Raises ValueError as `translated`."""
        return cls(list(filter(None, map(translated, [lines] if isinstance(lines, str) else lines))))

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
    """A function from a path to the way to it from `root` ("" itself), with forward slashes; None for one elsewhere."""
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


def make_verdict(root: str, patterns: Sequence[str]) -> Callable[[str, bool], bool | None]:
    """A function that says whether patterns, which count from `root`, mean a path; None where they don't say."""
    below, rules = make_below(root), Patterns.of(patterns)

    def verdict(path: str, is_folder: bool) -> bool | None:
        way = below(path)
        return rules.verdict(way, is_folder) if way else None

    return verdict


def _ended(folder: str) -> str:
    return folder if folder.endswith(os.sep) else folder + os.sep


Chain = tuple[tuple[str, Patterns], ...]
"""The .gitignore files that hold in a folder, the nearest first, each behind its folder (absolute, with its end)."""


def entered(folder: str, above: Chain | None) -> Chain | None:
    """What holds in a folder (absolute), from what holds in the one above it; None outside of a repository."""
    # Where another repository begins, the outer one has no say.
    chain = () if os.path.exists(os.path.join(folder, ".git")) else above
    file = os.path.join(folder, GITIGNORE)
    # Git follows no links here.
    if chain is None or not os.path.isfile(file) or os.path.islink(file):
        return chain
    try:
        patterns = patterns_of(os.fsdecode(read_bytes(file, most=LARGEST_GITIGNORE)))
    except UserError:
        return chain
    return ((_ended(folder), Patterns(patterns)), *chain) if patterns else chain


def ignored(chain: Chain, path: str, is_folder: bool) -> bool | None:
    """What the files say of a path (absolute); None where they say nothing of it."""
    verdicts = (patterns.verdict(with_slashes(path[len(prefix) :]), is_folder) for prefix, patterns in chain)
    return next((verdict for verdict in verdicts if verdict is not None), None)
