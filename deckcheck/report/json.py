"""Reports as JSON or JSON Lines, and the objects that other outputs share; the shape is in schemas/report.schema.json."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from deckcheck.model.finding import Report, Verdict
from deckcheck.report.results import RenderOptions, Results, Write
from deckcheck.support import VERSION
from deckcheck.support.messages import plain
from deckcheck.support.safe_text import UNSAFE

SCHEMA = 1
"""The "schema" of the outputs; increased when a key changes its meaning or is removed."""

TOOL: Mapping[str, str] = MappingProxyType({"name": "deckcheck", "version": VERSION})

# JSON allows them unescaped, but a terminal would obey them.
_OBEYED = re.compile(rf"(?!\n){UNSAFE}")


def json_line(value: object) -> str:
    """A value as one line of JSON, without control characters for terminals."""
    return _escaped(json.dumps(value, ensure_ascii=False))


def json_page(value: object) -> str:
    """Like `json_line`, but indented for people and with a line feed at the end."""
    return _escaped(json.dumps(value, ensure_ascii=False, indent=2)) + "\n"


def _escaped(text: str) -> str:
    if text.isprintable():
        return text
    return _OBEYED.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def record_json(report: Report, options: RenderOptions) -> dict[str, Any]:
    """The report of a deck as plain values."""
    return report.to_dict(options.lang)


record_json_lines = record_json


def write_json(
    records: Iterable[dict[str, Any]], results: Results, options: RenderOptions, out: Write
) -> None:
    """Write one object for the run."""
    decks = list(records)
    run = {"schema": SCHEMA, "tool": dict(TOOL), "decks": decks, **_run_object(results, options.lang)}
    out(json_line(run) + "\n")


def write_json_lines(
    records: Iterable[dict[str, Any]], results: Results, options: RenderOptions, out: Write
) -> None:
    """Write a line for each deck as it comes, one for each list that could not be checked ("error"), one for the run."""
    for deck in records:
        out(json_line(deck) + "\n")
    run = _run_object(results, options.lang)
    for error in run.pop("errors"):
        out(json_line({"error": error}) + "\n")
    out(json_line({**run, "schema": SCHEMA, "tool": dict(TOOL)}) + "\n")


def _run_object(results: Results, lang: str) -> dict[str, Any]:
    """What is said of a whole run: the lists used, the problems and the numbers."""
    own = [{"path": file, "cards": len(cards)} for file, cards in results.own_facts.items()]
    counts = {str(verdict): results.verdicts[verdict] for verdict in Verdict}
    return {
        "lists": plain([*results.lists], lang),
        **({"own_facts": own} if own else {}),
        "errors": plain([*results.problems], lang),
        "summary": {"decks": results.decks, **counts, "suppressed": results.suppressed},
    }


def json_answer(values: Mapping[str, object], lang: str, *, in_line: bool = False) -> str:
    """A JSON object with `values`, which may be records and words; for people, unless it is `in_line`."""
    page = {"schema": SCHEMA, "tool": dict(TOOL), **plain(values, lang)}
    return json_line(page) + "\n" if in_line else json_page(page)
