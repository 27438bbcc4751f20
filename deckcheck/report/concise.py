"""A line per finding, `path:line:column: label[rule] message` with labels for programs, then a note on old banlists and the tally."""

from collections.abc import Iterable

from deckcheck.model.finding import Report, singly
from deckcheck.report.text import outdated_lines, render_tally
from deckcheck.report.wording import label_of
from deckcheck.report.writer import RenderOptions, Results, Write
from deckcheck.support.errors import place_of
from deckcheck.support.safe_text import safe


def record(report: Report, options: RenderOptions) -> str:
    """The lines of a deck."""
    lines = []
    for finding in singly(report.findings):
        place = place_of(safe(report.deck.path), finding.line, finding.column)
        label, message = label_of(finding, options.lenient), safe(finding.message.in_(options.lang))
        lines.append(f"{place}: {label}[{safe(finding.rule)}] {message}\n")
    return "".join(lines)


def write(records: Iterable[str], results: Results, options: RenderOptions, out: Write) -> None:
    """Write the lines of all decks as they come."""
    for lines in records:
        out(lines)
    out("".join(f"{line}\n" for line in outdated_lines(results.lists, options.lang)))
    out(render_tally(results, options.lang))
