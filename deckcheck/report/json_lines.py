"""JSON Lines: a line for each deck, one for each list that could not be checked ("error"), and one for the run."""

from collections.abc import Iterable
from typing import Any

from deckcheck.model.finding import Report
from deckcheck.report.json import SCHEMA, TOOL, deck_object, json_line, run_object
from deckcheck.report.writer import RenderOptions, Results, Write


def record(report: Report, options: RenderOptions) -> dict[str, Any]:
    """The report of a deck as plain values."""
    return deck_object(report, options.lang)


def write(records: Iterable[dict[str, Any]], results: Results, options: RenderOptions, out: Write) -> None:
    """Write the lines of all decks, then those of the run."""
    for deck in records:
        out(json_line(deck) + "\n")
    run = run_object(results, options.lang)
    for error in run.pop("errors"):
        out(json_line({"error": error}) + "\n")
    out(json_line({**run, "schema": SCHEMA, "tool": dict(TOOL)}) + "\n")
