"""Reports as plain values for JSON; their shape is published in schemas/report.schema.json."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from deckcheck.model.finding import Finding, ListUsed, Number, Report, Suppressed
from deckcheck.model.rule import Source
from deckcheck.report.writer import Ending
from deckcheck.support.errors import Problem
from deckcheck.support.version import VERSION

# JSON allows them raw, but a terminal that shows the object obeys them.
_TRICKS = "[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"

FORM = 1
"""The "schema" of the outputs; raised when a key changes its meaning or goes."""

TOOL: Mapping[str, str] = MappingProxyType({"name": "deckcheck", "version": VERSION})


def summary_object(ending: Ending) -> dict[str, int]:
    """How many decks of a run are what, and how many findings were left out, as plain values."""
    tally = ending.tally
    return {
        "decks": tally.decks,
        "legal": tally.legal,
        "illegal": tally.illegal,
        "undecided": tally.undecided,
        "suppressed": ending.suppressed,
    }


def deck_object(report: Report, lang: str) -> dict[str, Any]:
    """The report of one deck as plain values."""
    return {
        "path": report.deck.path,
        "name": report.name,
        "game": report.game,
        "format": report.format,
        "edition": report.edition,
        "as_of": report.as_of,
        "verdict": report.verdict,
        "sizes": report.sizes,
        "fingerprint": report.fingerprint,
        "findings": [_finding(one, lang) for one in report.findings],
        "suppressed": [_suppressed(one, lang) for one in report.suppressed],
        "format_chosen_by": None if report.chosen_by is None else _place(report.chosen_by),
    }


def _suppressed(one: Suppressed, lang: str) -> dict[str, Any]:
    return {
        "by": one.by,
        "reason": one.reason,
        "source": _place(one.source),
        "finding": _finding(one.finding, lang),
    }


def _place(source: Source) -> dict[str, Any]:
    return {"path": source.path, "line": source.line}


def _finding(finding: Finding, lang: str) -> dict[str, Any]:
    source = finding.source
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "verdict": finding.verdict,
        "message": finding.message.in_(lang),
        "line": finding.line,
        "column": finding.column,
        "zone": finding.zone,
        "cards": [
            {"name": card.name, "copies": card.copies, "line": card.line, "column": card.column}
            for card in finding.cards
        ],
        "found": _number(finding.found),
        "allowed": None if finding.allowed is None else _allowed(finding.allowed.items()),
        "cite": finding.cite,
        "source": None if source is None else _place(source),
        "related": [
            {"message": one.message.in_(lang), "path": one.path, "line": one.line} for one in finding.related
        ],
        "hint": None if finding.hint is None else finding.hint.in_(lang),
    }


def _number(found: Number | None) -> int | dict[str, int | None] | None:
    return {"min": found[0], "max": found[1]} if isinstance(found, tuple) else found


def _allowed(items: Iterable[tuple[str, int | tuple[int, ...]]]) -> dict[str, int | list[int]]:
    return {key: list(value) if isinstance(value, tuple) else value for key, value in items}


def list_object(used: ListUsed, lang: str) -> dict[str, Any]:
    """A dated list as it was used, as plain values."""
    return {
        "id": used.id,
        "name": used.name.in_(lang),
        "edition": used.edition,
        "latest": used.latest,
        "complete_through": used.complete_through,
        "notes": [one.in_(lang) for one in used.notes],
        "unapplied": [{"card": one.card, "change": one.change.in_(lang)} for one in used.unapplied],
    }


def problem_object(problem: Problem, lang: str) -> dict[str, Any]:
    """A problem as plain values."""
    return {
        "path": problem.path,
        "line": problem.line,
        "column": problem.column,
        "message": problem.message.in_(lang),
        "hint": None if problem.hint is None else problem.hint.in_(lang),
    }


def json_line(value: object) -> str:
    """A value as JSON in one line, without anything that a terminal obeys."""
    return _tame(json.dumps(value, ensure_ascii=False))


def json_page(value: object) -> str:
    """As `json_line`, laid out for people, with a line feed at its end."""
    return _tame(json.dumps(value, ensure_ascii=False, indent=2)) + "\n"


def _tame(text: str) -> str:
    # Half a surrogate pair, from a path that is no text, has no place in UTF-8.
    return text if text.isprintable() else re.sub(_TRICKS, lambda match: f"\\u{ord(match[0]):04x}", text)
