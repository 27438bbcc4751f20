"""How often each rule had something to tell over a whole run: the most frequent first."""

from __future__ import annotations

from collections import Counter

from deckcheck.model.finding import Report
from deckcheck.report.closing import render_tally
from deckcheck.report.labels import LABELS, label_of
from deckcheck.report.writer import Ending, Look, Writer
from deckcheck.support.safetext import safe


def make_writer(look: Look) -> Writer:
    """A line a rule with its count, the rule and how grave it is; then how many decks are what."""
    lang = look.lang

    def fragment(report: Report) -> str:
        return "".join(
            f"{safe(one.rule)}  {LABELS[label_of(one, look.lenient)].in_(lang)}\n" for one in report.findings
        )

    def closing(ending: Ending) -> str:
        counts = Counter(line for text in ending.texts for line in text.splitlines())
        width = len(str(max(counts.values(), default=0)))
        told = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        lines = [f"{number:>{width}}  {line}\n" for line, number in told]
        return "".join(lines) + render_tally(ending.tally, ending.failed, ending.suppressed, lang)

    return Writer(fragment, closing, exact=False, gathers=True)
