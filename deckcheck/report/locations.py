"""Where a finding stands: the marks on the lines of a list, paths as programs know them, and what stays when lines move."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from deckcheck.model.finding import Finding, Report
from deckcheck.support.canonicaljson import digest
from deckcheck.support.files import is_file, shipped
from deckcheck.support.messages import Message

_ROOTS = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")
_STANDARD_INPUT = "-"


class Mark(NamedTuple):
    """A stretch of a line: 1-based line and column, and how many code points, at least one."""

    line: int
    column: int
    length: int


def marks(finding: Finding, report: Report) -> list[Mark]:
    """What to mark: one place a line, the primary one first; none where the deck as a whole is meant."""
    if finding.line is None:
        return []
    places = [(finding.line, finding.column or 1)]
    places += [(card.line, card.column) for card in finding.cards]
    firsts: dict[int, int] = {}
    for line, column in places:
        firsts.setdefault(line, column)
    written = {(entry.line, entry.column): entry.written for entry in report.deck.entries}
    written |= {(remark.line, remark.column): remark.written for remark in report.deck.diagnostics}
    return [
        Mark(line, column, _length(report, line, column, written.get((line, column), "")))
        for line, column in firsts.items()
    ]


def _length(report: Report, line: int, column: int, written: str) -> int:
    # In YAML and JSON a name may be written otherwise than it reads.
    return (len(written) or 1) if line_of(report, line).startswith(written, column - 1) else 1


def line_of(report: Report, number: int) -> str:
    """A line of the list by its 1-based number; "" where there is none."""
    return report.deck.lines[number - 1] if 0 < number <= len(report.deck.lines) else ""


def from_root(path: str, environ: Mapping[str, str] = os.environ) -> str:
    """`path` from the root of the repository, where CI tells it, else from the working folder.

    With forward slashes, and without "./" before it. What lies outside of both keeps the way that it was named by.
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


@lru_cache(maxsize=256)
def is_bundled(path: str) -> bool:
    """Whether a shown path names a file that ships with deckcheck, and none of the user's own."""
    from pathlib import Path

    first, _, rest = path.partition("/")
    if first not in ("formats", "banlists") or ".." in rest.split("/") or is_file(Path(path)):
        return False
    return is_file(shipped(first) / rest)


def identity(finding: Finding, report: Report) -> str:
    """A hash of the rule and of what it is about, the same in every language.

    Neither the place nor any count is in it: a fifth copy that becomes a sixth
    is still the same finding.
    """
    names = sorted({card.name for card in finding.cards})
    about = names or line_of(report, finding.line or 0).strip()
    # One copy and several are told by two templates.
    message = (
        finding.message._replace(plural=None) if isinstance(finding.message, Message) else finding.message
    )
    wording = re.sub(r"\d+", "#", message.in_("en"))
    return hash_of(report.format, finding.rule, finding.zone, about, wording)


def numbered(identities: Iterable[str]) -> list[str]:
    """The same hashes in the same order, with another for each that was there already."""
    counts: Counter[str] = Counter()
    found = []
    for known in identities:
        counts[known] += 1
        found.append(known if counts[known] == 1 else hash_of(known, counts[known]))
    return found


def hash_of(*parts: str | int | list[str] | None) -> str:
    """A hash of whatever tells one thing from others. A path that is no text is one here."""
    return digest("finding", [_as_text(part) for part in parts])


def _as_text(part: object) -> object:
    if isinstance(part, list):
        return [_as_text(inner) for inner in part]
    return part.encode("utf-8", "backslashreplace").decode() if isinstance(part, str) else part
