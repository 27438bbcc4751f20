"""What makes two findings the same finding, though the lines around them were moved."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from deckcheck.model.finding import Finding, Report
from deckcheck.report.marks import line_of
from deckcheck.support.canonicaljson import digest


def identity(finding: Finding, report: Report) -> str:
    """A hash of the rule and of what it is about, the same in every language.

    Neither the place nor any count is in it: a fifth copy that becomes a sixth
    is still the same finding.
    """
    names = sorted({card.name for card in finding.cards})
    about = names or line_of(report, finding.line or 0).strip()
    message = re.sub(r"\d+", "#", finding.message.en)
    return identity_of(report.format, finding.rule, finding.zone, about, message)


def numbered(identities: Iterable[str]) -> list[str]:
    """The same hashes in the same order, with another for each that was there already."""
    seen: Counter[str] = Counter()
    found = []
    for one in identities:
        seen[one] += 1
        found.append(one if seen[one] == 1 else identity_of(one, seen[one]))
    return found


def identity_of(*parts: str | int | list[str] | None) -> str:
    """A hash of whatever tells one thing from others. A path that is no text is one here."""
    return digest("finding", [_as_text(part) for part in parts])


def _as_text(part: object) -> object:
    if isinstance(part, list):
        return [_as_text(inner) for inner in part]
    return part.encode("utf-8", "backslashreplace").decode() if isinstance(part, str) else part
