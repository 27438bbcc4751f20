"""Where findings are: marks in lists, paths from the root of a repository; and by what CI services know them again."""

import os
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.model.deck import Deck
from deckcheck.model.finding import Finding, Report
from deckcheck.support.files import with_slashes
from deckcheck.support.json import digest
from deckcheck.support.messages import Message, Words

_ROOTS = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")
"""The environment variables in which services give the root of the repository."""


class Mark(Struct, frozen=True):
    """A stretch of a line: 1-based line and column, and how many code points. Column 0 is the whole line."""

    line: int
    column: int = 0
    length: int = 0


class Places:
    """Where the findings of a deck are in its list."""

    def __init__(self, deck: Deck) -> None:
        self._lines = deck.lines
        self._written = {(entry.line, entry.column): entry.written for entry in deck.entries}
        for diagnostic in deck.diagnostics:
            self._written[diagnostic.line, diagnostic.column] = diagnostic.written

    def of(self, finding: Finding) -> list[Mark]:
        """The marks of a finding, one per line, the primary one first; none for the deck as a whole."""
        if finding.line is None:
            return []
        firsts = {finding.line: finding.column or 1}
        for card in finding.cards:
            firsts.setdefault(card.line, card.column)
        return [self._mark(line, column) for line, column in firsts.items()]

    def _mark(self, line: int, column: int) -> Mark:
        name = self._written.get((line, column), "")
        # In YAML and JSON, a name may be written with escapes.
        as_written = 0 < line <= len(self._lines) and self._lines[line - 1].startswith(name, column - 1)
        return Mark(line, column, (len(name) or 1) if as_written else 1)


def line_of(report: Report, number: int) -> str:
    """A line of the list by its 1-based number; "" if there is none."""
    return report.deck.lines[number - 1] if 0 < number <= len(report.deck.lines) else ""


def from_root(path: str) -> str:
    """`path` from the root of the repository, if CI names it, else from the working folder, with forward slashes.

    A path outside of both stays as it is.
    """
    if path == "-":
        return path
    roots = [os.environ[name] for name in _ROOTS if os.environ.get(name)]
    # Links aren't resolved.
    whole, *above = (Path(os.path.abspath(folder)) for folder in (path, *roots, os.curdir))  # noqa: PTH100
    for root in above:
        if whole.is_relative_to(root):
            return whole.relative_to(root).as_posix()
    return with_slashes(os.path.normpath(path))


# The same finding in the next run


def identity(finding: Finding, report: Report) -> str:
    """A hash of the rule and its subject, without places and counts, the same in every language."""
    names = sorted({card.name for card in finding.cards})
    about = names or line_of(report, finding.line or 0).strip()
    wording = re.sub(r"\d+", "#", _singular(finding.message).in_("en"))
    return hash_of(report.format, finding.rule, finding.zone, about, wording)


def _singular(words: Words) -> Words:
    """The words without plurals: one copy and several have different templates."""
    if not isinstance(words, Message):
        return words
    fields = tuple(
        (name, _singular(value) if isinstance(value, Message) else value) for name, value in words.fields
    )
    return replace(words, fields=fields, plural=None)


def numbered(identities: Iterable[str]) -> list[str]:
    """The hashes in the same order, with a new one for each repetition."""
    counts: Counter[str] = Counter()
    unique = []
    for known in identities:
        counts[known] += 1
        unique.append(known if counts[known] == 1 else hash_of(known, counts[known]))
    return unique


def hash_of(*parts: str | int | list[str] | None) -> str:
    """A hash of what identifies a finding. Bytes of a path that aren't text are escaped."""
    return digest("finding", [_as_text(part) for part in parts])


def _as_text(part: object) -> object:
    if isinstance(part, list):
        return [_as_text(inner) for inner in part]
    return part.encode("utf-8", "backslashreplace").decode() if isinstance(part, str) else part
