"""Reports as JSON: one object a run, one line a deck, so that a run of any size can be written as it goes.

The shape is published in schemas/report.schema.json.
"""

from __future__ import annotations

from deckcheck.report.objects import (
    FORM,
    TOOL,
    deck_object,
    json_line,
    list_object,
    problem_object,
    summary_object,
)
from deckcheck.report.writer import Ending, Look, Writer


def make_writer(look: Look) -> Writer:
    """One object a run, one line a deck."""
    return Writer(
        fragment=lambda report: "\n" + json_line(deck_object(report, look.lang)),
        closing=lambda ending: _closing(ending, look.lang),
        opening=f'{{"schema": {FORM}, "tool": {json_line(dict(TOOL))}, "decks": [',
        separator=",",
    )


def _closing(ending: Ending, lang: str) -> str:
    lists = json_line([list_object(one, lang) for one in ending.lists])
    errors = json_line([problem_object(one, lang) for one in ending.problems])
    summary = json_line(summary_object(ending))
    return f'\n],\n"lists": {lists},\n"errors": {errors},\n"summary": {summary}}}\n'
