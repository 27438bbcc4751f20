"""One line a finding, for editors and for reading along: `path:line:column: severity[rule] message`.

The words before the rule are the same in every language, since programs look
for them: error, undecided, warning, info.
"""

from __future__ import annotations

from deckcheck.model.finding import Report
from deckcheck.report.summary import render_tally
from deckcheck.report.wording import label_of
from deckcheck.report.writer import Ending, Writer, place_of
from deckcheck.support.safetext import safe


class ConciseWriter(Writer):
    """A line a finding, and in the end how many decks are what."""

    exact = False

    def fragment(self, report: Report) -> str:
        lines = []
        for finding in report.findings:
            place = place_of(safe(report.deck.path), finding.line, finding.column)
            label, message = label_of(finding, self.options.lenient), safe(finding.message.in_(self.lang))
            lines.append(f"{place}: {label}[{safe(finding.rule)}] {message}\n")
        return "".join(lines)

    def closing(self, ending: Ending) -> str:
        return render_tally(ending.tally, ending.failed, ending.suppressed, self.lang)
