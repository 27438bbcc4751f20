"""What makes two findings the same finding, though the lines around them were moved."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256

from deckcheck.model.finding import Finding, Report
from deckcheck.report.marks import line_of


def identity(finding: Finding, report: Report) -> str:
    """A hash of the rule and of what it is about, the same in every language.

    Neither the place nor any count is in it: a fifth copy that becomes a sixth
    is still the same finding.
    """
    names = sorted({card.name for card in finding.cards})
    about = names or line_of(report, finding.line or 0).strip()
    message = re.sub(r"\d+", "#", finding.message.en)
    return _hash([report.format, finding.rule, finding.zone, about, message])


def numbered(identities: Iterable[str]) -> list[str]:
    """The same hashes in the same order, with another for each that was there already."""
    seen: Counter[str] = Counter()
    found = []
    for one in identities:
        seen[one] += 1
        found.append(one if seen[one] == 1 else _hash([one, seen[one]]))
    return found


def identity_of(*parts: str | None) -> str:
    """A hash of anything else."""
    return _hash(list(parts))


def _hash(parts: list[object]) -> str:
    return sha256(json.dumps(parts).encode()).hexdigest()
