"""Reports as JSON: one object a run, one line a deck, so that a run of any size can be written as it goes.

The shape is published in schemas/report.schema.json.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from deckcheck.errors import Problem
from deckcheck.report.closing import Tally
from deckcheck.report.violation import Finding, ListUsed, Number, Report

# JSON allows them raw, but a terminal that shows the object obeys them.
_TRICKS = "[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"

FORM = 1
"""The "schema" of the object; raised when a key changes its meaning or goes."""


def opening(name: str, version: str) -> str:
    """All that comes before the first deck."""
    return f'{{"schema": {FORM}, "tool": {_line({"name": name, "version": version})}, "decks": ['


def fragment(report: Report, lang: str) -> str:
    """One deck, without what stands between two of them."""
    return "\n" + _line(deck_object(report, lang))


SEPARATOR = ","


def closing(tally: Tally, lists: Iterable[ListUsed], problems: Iterable[Problem], lang: str) -> str:
    """All that comes after the last deck, with a line feed at the end."""
    summary = {
        "decks": tally.decks,
        "legal": tally.legal,
        "illegal": tally.illegal,
        "undecided": tally.undecided,
    }
    listed = [_list(one, lang) for one in lists]
    errors = [_problem(one, lang) for one in problems]
    return f'\n],\n"lists": {_line(listed)},\n"errors": {_line(errors)},\n"summary": {_line(summary)}}}\n'


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
    }


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
        "source": None if source is None else {"path": source.path, "line": source.line},
        "related": [
            {"message": one.message.in_(lang), "path": one.path, "line": one.line} for one in finding.related
        ],
        "hint": None if finding.hint is None else finding.hint.in_(lang),
    }


def _number(found: Number | None) -> int | dict[str, int | None] | None:
    return {"min": found[0], "max": found[1]} if isinstance(found, tuple) else found


def _allowed(items: Iterable[tuple[str, int | tuple[int, ...]]]) -> dict[str, int | list[int]]:
    return {key: list(value) if isinstance(value, tuple) else value for key, value in items}


def _list(used: ListUsed, lang: str) -> dict[str, Any]:
    return {
        "id": used.id,
        "name": used.name.in_(lang),
        "edition": used.edition,
        "latest": used.latest,
        "complete_through": used.complete_through,
        "notes": [one.in_(lang) for one in used.notes],
        "unapplied": [{"card": one.card, "change": one.change.in_(lang)} for one in used.unapplied],
    }


def _problem(problem: Problem, lang: str) -> dict[str, Any]:
    return {
        "path": problem.path,
        "line": problem.line,
        "column": problem.column,
        "message": problem.message.in_(lang),
        "hint": None if problem.hint is None else problem.hint.in_(lang),
    }


def _line(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    # Half a surrogate pair, from a path that is no text, has no place in UTF-8.
    return text if text.isprintable() else re.sub(_TRICKS, lambda match: f"\\u{ord(match[0]):04x}", text)
