"""One line a finding, for editors and for reading along: `path:line:column: severity[rule] message`.

The words before the rule are the same in every language, since programs look
for them: error, undecided, warning, info.
"""

from __future__ import annotations

from deckcheck.model.finding import Finding, Report
from deckcheck.report.closing import render_tally
from deckcheck.report.labels import label_of
from deckcheck.report.writer import Ending, Look, Writer
from deckcheck.support.safetext import safe


def make_writer(look: Look) -> Writer:
    """A line a finding, and in the end how many decks are what."""

    def line(finding: Finding, path: str) -> str:
        place = ":".join(str(part) for part in (path, finding.line, finding.column) if part)
        message = safe(finding.message.in_(look.lang))
        return f"{place}: {label_of(finding, look.lenient)}[{safe(finding.rule)}] {message}\n"

    def fragment(report: Report) -> str:
        path = safe(report.deck.path)
        return "".join(line(one, path) for one in report.findings)

    def closing(ending: Ending) -> str:
        return render_tally(ending.tally, ending.failed, ending.suppressed, look.lang)

    return Writer(fragment, closing, exact=False)
