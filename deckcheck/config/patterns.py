"""Patterns as in .gitignore: which files and folders they mean.

A pattern is kept as plain values, so that the next run need not translate it.
"""

import os
import re
import warnings
from collections.abc import Callable, Iterable, Sequence

Plain = tuple[bool, bool, str]
"""A pattern: whether it takes back (`!`), whether it means folders only, and the expression that a path must be."""

Says = Callable[[str, bool], bool | None]
"""Whether a path (its parts joined by "/", from the patterns' folder) is meant itself; None: they say nothing of it."""

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
    body = _trimmed(pattern)
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

    Whatever stands between two `**` is looked for from the left and never
    given up again: later parts have the most room that way, and time does not
    grow with the ways to try.
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


def _trimmed(line: str) -> str:
    """The line without the blanks at its end, of which one may be escaped."""
    bare = line.rstrip(" ")
    return bare + " " if bare.endswith("\\") and len(bare) < len(line) else bare


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


Last = Callable[[str, bool], int]


def _make_last(patterns: Iterable[Plain]) -> Last:
    """A function from a path, and whether it is a folder, to the place of the last pattern that means it, or -1."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        made = [
            (at, folders_only, re.compile(expression, re.DOTALL).fullmatch)
            for at, (_, folders_only, expression) in enumerate(patterns)
        ]
    made.reverse()

    def last(path: str, folder: bool) -> int:
        for at, folders_only, means in made:
            if (folder or not folders_only) and means(path):
                return at
        return -1

    return last


def make_says(patterns: Sequence[Plain]) -> Says:
    """What the patterns say of a path itself: the last one that means it decides."""
    last = _make_last(patterns)

    def says(path: str, folder: bool) -> bool | None:
        at = last(path, folder)
        return None if at < 0 else not patterns[at][0]

    return says


def make_includes(patterns: Sequence[Plain]) -> Callable[[str], bool]:
    """Whether a file is meant: the last pattern that means it, or a folder above it, decides."""
    last = _make_last(patterns)
    folders: dict[str, int] = {}

    def above(folder: str) -> int:
        known = folders.get(folder)
        if known is None:
            parts = folder.split("/") if folder else []
            ways = ["/".join(parts[: at + 1]) for at in range(len(parts))]
            known = max((last(way, True) for way in ways), default=-1)
            if len(folders) >= _MOST_FOLDERS:
                folders.clear()
            folders[folder] = known
        return known

    def includes(path: str) -> bool:
        at = max(above(path.rpartition("/")[0]), last(path, False))
        return at >= 0 and not patterns[at][0]

    return includes


def make_below(root: str) -> Callable[[str], str | None]:
    """A function from a path to the way to it from `root`, its parts joined by "/"; None for one elsewhere.

    `root` itself is "".
    """
    start = os.path.abspath(root)
    prefix = start if start.endswith(os.sep) else start + os.sep
    folders: dict[str, str | None] = {}

    def below(path: str) -> str | None:
        above, separator, name = path.rpartition(os.sep)
        folder = above + separator
        if name in ("", ".", "..") or (os.altsep is not None and os.altsep in name):
            return way_to(path)
        if folder not in folders:
            if len(folders) >= _MOST_FOLDERS:
                folders.clear()
            folders[folder] = way_to(folder or ".")
        way = folders[folder]
        return f"{way}/{name}" if way else name if way == "" else way_to(path)

    def way_to(path: str) -> str | None:
        whole = os.path.abspath(path)
        if whole.startswith(prefix):
            way = whole[len(prefix) :]
            return way if os.sep == "/" else way.replace(os.sep, "/")
        return "" if whole == start else None

    return below
