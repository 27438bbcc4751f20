"""Where findings are: marks in lists, further places, and paths as CI services want them."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from deckcheck.model.deck import Deck
from deckcheck.model.finding import Finding, Report
from deckcheck.report.wording import authority_of
from deckcheck.support.files import with_slashes
from deckcheck.support.messages import _

_ROOTS = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")
"""The environment variables in which services give the root of the repository."""
# Bytes of a path that isn't text are low surrogates; other surrogates mean nothing.
_HALVES = "[\ud800-\udc7f\udd00-\udfff]"


class Mark(NamedTuple):
    """A stretch of a line: 1-based line and column, and how many code points. Column 0 is the whole line."""

    line: int
    column: int = 0
    length: int = 0


class _LastDeck:
    """The names as written in a deck by line and column, kept for the last deck: a report asks once for each finding."""

    def __init__(self) -> None:
        self._known: tuple[Deck, dict[tuple[int, int], str]] | None = None

    def names_of(self, deck: Deck) -> dict[tuple[int, int], str]:
        """The names written in the deck, by line and column."""
        known = self._known
        if known is not None and known[0] is deck:
            return known[1]
        names = {(entry.line, entry.column): entry.written for entry in deck.entries}
        names |= {(diagnostic.line, diagnostic.column): diagnostic.written for diagnostic in deck.diagnostics}
        self._known = (deck, names)
        return names


_last_deck = _LastDeck()


def marks(finding: Finding, deck: Deck) -> list[Mark]:
    """The places of a finding in the list, one per line, the primary one first; none for the deck as a whole."""
    if finding.line is None:
        return []
    firsts = {finding.line: finding.column or 1}
    for card in finding.cards:
        firsts.setdefault(card.line, card.column)
    written = _last_deck.names_of(deck)
    places = []
    for line, column in firsts.items():
        name = written.get((line, column), "")
        # In YAML and JSON, a name may be written with escapes.
        as_written = 0 < line <= len(deck.lines) and deck.lines[line - 1].startswith(name, column - 1)
        places.append(Mark(line, column, (len(name) or 1) if as_written else 1))
    return places


def line_of(report: Report, number: int) -> str:
    """A line of the list by its 1-based number; "" if there is none."""
    return report.deck.lines[number - 1] if 0 < number <= len(report.deck.lines) else ""


def related_places(finding: Finding, report: Report, lang: str) -> Iterator[tuple[str, str, Mark]]:
    """The other places of a finding, each with a message ("" for none) and its path: further cards, then sources."""
    for mark in marks(finding, report.deck)[1:]:
        card = next(card for card in finding.cards if card.line == mark.line)
        copies = _("{card}: {copies}", card=card.name, copies=card.copies)
        yield copies.in_(lang), report.deck.path, mark
    if finding.source is not None:
        authority = authority_of(finding.cite, report.title)
        yield authority.in_(lang) if authority else "", finding.source.path, Mark(finding.source.line)
    for related in finding.related:
        yield related.message.in_(lang), related.path, Mark(related.line)


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


def uri_of(path: str) -> str:
    """The URI of a path with forward slashes: percent-encoded, relative unless the path is absolute."""
    from urllib.parse import quote

    data = re.sub(_HALVES, "\ufffd", path).encode("utf-8", "surrogateescape")
    if path.startswith("/"):
        return "file://" + quote(data)
    if re.match("[A-Za-z]:/", path):
        return "file:///" + quote(data, safe="/:")
    return quote(data)
