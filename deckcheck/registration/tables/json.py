"""The roster as JSON: one object, an entry a line. Its shape is published in schemas/roster.schema.json."""

from typing import Any

from deckcheck.registration.conditions import failures
from deckcheck.registration.model import Event, Roster, Row, Seal
from deckcheck.registration.tables.told import is_unclear, lists_used, remarks, totals
from deckcheck.report.escaping import json_line
from deckcheck.report.json import TOOL, deck_object, list_object, problem_object

FORM = 1
"""The "schema" of the output; raised when a key changes its meaning or goes."""


def render(roster: Roster, lang: str) -> str:
    """All that was found out, messages in `lang`."""
    head = {"schema": FORM, "tool": dict(TOOL), "event": _event(roster, lang)}
    entries = ",\n".join(json_line(_entry(row, lang)) for row in roster.rows)
    used, _ = lists_used(roster)
    notes = json_line([note.in_(lang) for note in remarks(roster)])
    lists = json_line([list_object(one, lang) for one in used])
    return (
        json_line(head).removesuffix("}")
        + f', "entries": [\n{entries}\n],\n"notes": {notes},\n"lists": {lists},\n"summary": {json_line(_summary(roster))}}}\n'
    )


def _event(roster: Roster, lang: str) -> dict[str, Any]:
    event: Event = roster.event
    return {
        "id": event.id,
        "name": event.name.in_(lang),
        "organiser": event.organiser,
        "date": event.date,
        "time_zone": event.time_zone,
        "game": roster.format.format.game,
        "format": roster.format.format.id,
        "as_of": event.as_of,
        "best_of": event.best_of,
        "deadline": None if event.deadline is None else event.deadline.isoformat(),
        "required": list(event.required),
        "sealed": event.sealed,
    }


def _entry(row: Row, lang: str) -> dict[str, Any]:
    one = row.submission
    return {
        "number": one.number,
        "place": one.place,
        "player": one.player._asdict(),
        "group": row.group,
        "submitted": None if one.submitted is None else one.submitted.isoformat(),
        "submitted_as": one.submitted_as,
        "state": row.state,
        "counts": None if is_unclear(row) else row.counts,
        "instead": row.instead,
        "others": list(row.others),
        "late": row.late,
        "untimed": row.untimed,
        "namesakes": list(row.namesakes),
        "copies": list(row.copies),
        "copied": row.copied,
        "lacking": list(row.lacking),
        "changed": row.changed,
        "accepted": row.accepted,
        "obstacles": [
            {"kind": against.id, "message": against.message.in_(lang), "by_word": against.by_word}
            for against in failures(row)
        ],
        "notes": [note.in_(lang) for note in row.notes],
        "problems": [problem_object(problem, lang) for problem in row.problems],
        "deck": None if row.report is None else deck_object(row.report, lang),
        "seal": None if row.seal is None else _seal(row.seal),
    }


def _seal(seal: Seal) -> dict[str, Any]:
    return {
        "commitment": seal.commitment,
        "verdict": seal.verdict,
        "game": seal.game,
        "format": seal.format,
        "format_sha256": seal.format_hash,
        "as_of": seal.as_of,
    }


def _summary(roster: Roster) -> dict[str, int]:
    found = totals(roster)
    return {
        "players": found.players,
        "entries": found.entries,
        **dict(found.states.items()),
        "unclear": found.unclear,
        "late": found.late,
        "unknown_time": found.unknown_time,
        "lacking": found.lacking,
        "twice": found.twice,
        "changed": found.changed,
        "accepted": found.accepted,
    }
