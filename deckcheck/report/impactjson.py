"""What a change of the lists does to decks, as one JSON object; its shape is in schemas/impact.schema.json."""

from __future__ import annotations

from typing import Any

from deckcheck.model.rule import Source
from deckcheck.report.effects import Effect, Impact, Impacts, Other, Status
from deckcheck.report.objects import FORM, TOOL, json_line, problem_object
from deckcheck.report.writer import Look


def render(impacts: Impacts, look: Look) -> str:
    """The object, one line a deck, those with another verdict first."""
    decks = ",".join("\n" + json_line(_deck(one, look.lang)) for one in (*impacts.turned, *impacts.touched))
    errors = [problem_object(one, look.lang) for one in impacts.problems]
    return (
        f'{{"schema": {FORM}, "tool": {json_line(dict(TOOL))},\n"days": {json_line(_days(impacts))},\n'
        f'"decks": [{decks}\n],\n"errors": {json_line(errors)},\n"summary": {json_line(_summary(impacts))}}}\n'
    )


def _days(impacts: Impacts) -> dict[str, Any]:
    before, after, announced = impacts.days
    file = None if announced is None else {"path": announced.path, "banlist": announced.banlist}
    return {"from": before, "to": after, "announcement": file}


def _summary(impacts: Impacts) -> dict[str, int]:
    return {
        "decks": impacts.decks,
        "other_verdict": len(impacts.turned),
        "worse": impacts.worse,
        "other_findings": len(impacts.touched),
        "unchanged": impacts.unchanged,
        "not_checked": impacts.failed,
    }


def _deck(impact: Impact, lang: str) -> dict[str, Any]:
    return {
        "path": impact.path,
        "name": impact.name,
        "format": impact.format,
        "before": impact.before,
        "after": impact.after,
        "worse": impact.worse,
        "entries": [_entry(one, lang) for one in impact.effects],
        "other_causes": [_other(one, lang) for one in impact.others],
    }


def _entry(effect: Effect, lang: str) -> dict[str, Any]:
    move = effect.move
    return {
        "list": move.banlist,
        "list_name": move.list_name.in_(lang),
        "sides": move.sides,
        "before": _status(move.before, lang),
        "after": _status(move.after, lang),
        "since": move.since,
        "source": _place(move.source),
        "cards": [
            {"name": card.name, "copies": card.copies, "line": card.line, "column": card.column}
            for card in effect.at
        ],
        "gained": effect.gained,
        "lost": effect.lost,
        "decides": effect.decides,
    }


def _status(status: Status, lang: str) -> dict[str, str]:
    return {"status": status.id, "name": status.name.in_(lang)}


def _place(source: Source) -> dict[str, Any]:
    return {"path": source.path, "line": source.line}


def _other(other: Other, lang: str) -> dict[str, Any]:
    return {
        "rule": other.rule,
        "message": other.message.in_(lang),
        "line": other.line,
        "source": None if other.source is None else _place(other.source),
        "change": "gained" if other.gained else "lost",
    }
