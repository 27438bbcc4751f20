"""Decks to be judged by lists of which only some entries are known."""

from __future__ import annotations

from deckcheck.model.deck import Directive
from deckcheck.model.finding import Report
from deckcheck.report.suppressions import suppressed

DAY = "2026-11-21"
BOLTS = "4 Lightning Bolt\n56 Mountain\n"
LOTUS = "1 Black Lotus\n3 Lightning Bolt\n56 Mountain\n"


def asked(report: Report, *rules: str) -> Report:
    directive = Directive(True, rules, "", 9, 1, None)
    with_it = report._replace(deck=report.deck._replace(directives=(directive,)))
    return suppressed(with_it, {"out", "most"})
