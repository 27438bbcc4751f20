"""Reports as JSON Lines: a line a deck, then a line for each that could not be checked, then one for the run.

A deck's line is the object that the JSON output holds for it. The others have
one key that no deck has: "error" or "summary". Their shapes are published in
schemas/report.schema.json under "definitions".
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
    """A line an object."""
    lang = look.lang

    def closing(ending: Ending) -> str:
        lines: list[object] = [{"error": problem_object(one, lang)} for one in ending.problems]
        lines.append(
            {
                "summary": summary_object(ending),
                "lists": [list_object(one, lang) for one in ending.lists],
                "schema": FORM,
                "tool": dict(TOOL),
            }
        )
        return "".join(json_line(one) + "\n" for one in lines)

    return Writer(lambda report: json_line(deck_object(report, lang)) + "\n", closing)
