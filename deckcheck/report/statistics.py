"""How often each rule had something to tell over a whole run: the most frequent first."""

from __future__ import annotations

from collections import Counter

from deckcheck.model.finding import Report
from deckcheck.report.summary import render_tally
from deckcheck.report.wording import LABELS, label_of
from deckcheck.report.writer import Ending, Writer
from deckcheck.support.safetext import safe


class StatisticsWriter(Writer):
    """A line a rule with its count, the rule and how grave it is; then how many decks are what."""

    exact = False
    gathers = True

    def fragment(self, report: Report) -> str:
        labels = [LABELS[label_of(finding, self.options.lenient)] for finding in report.findings]
        return "".join(
            f"{safe(finding.rule)}  {label.in_(self.lang)}\n"
            for finding, label in zip(report.findings, labels, strict=True)
        )

    def closing(self, ending: Ending) -> str:
        counts = Counter(ending.lines)
        width = len(str(max(counts.values(), default=0)))
        ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        lines = [f"{number:>{width}}  {line}\n" for line, number in ranked]
        return "".join(lines) + render_tally(ending.tally, ending.failed, ending.suppressed, self.lang)
