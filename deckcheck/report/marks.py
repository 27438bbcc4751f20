"""Which stretches of a list's lines a finding is about."""

from typing import NamedTuple

from deckcheck.model.finding import Finding, Report


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
    written |= {
        (diagnostic.line, diagnostic.column): diagnostic.written for diagnostic in report.deck.diagnostics
    }
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
