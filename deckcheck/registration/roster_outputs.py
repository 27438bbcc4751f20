"""The roster as text for the terminal, as CSV for spreadsheets and as JSON; as a web page see roster_html."""

import csv
from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any

from deckcheck.registration.conditions import all_failures, failures
from deckcheck.registration.model import FIELD_NAMES, Event, Roster, Row, Seal, State
from deckcheck.registration.roster_summary import (
    Worst,
    by_rules,
    flags,
    headline,
    is_unclear,
    lists_used,
    remarks,
    state_name,
    total_words,
    totals,
    worst_problem,
)
from deckcheck.report.json import TOOL, deck_object, json_line, list_object, problem_object
from deckcheck.report.text import Paint, Style, painter, render_lists
from deckcheck.support.messages import SEMICOLON, Words, _, p_, series
from deckcheck.support.safetext import cells, safe

_STYLES: Mapping[State, Style] = {
    "legal": "green",
    "illegal": "red",
    "undecided": "yellow",
    "unreadable": "red",
    "missing": "red",
    "gone": "red",
}
_WIDEST = 24
"""So many cells a column may take; nobody's name may push the verdicts off the screen."""

_HEADS = (_("no."), _("name"), p_("roster", "table"), _("verdict"))
BEGIN_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""A cell that begins so may be reckoned out when a spreadsheet opens the file."""

_FIRST_HEADS = (_("number"), _("place"))
_LAST_HEADS = (
    _("submitted"),
    _("late"),
    _("stands"),
    _("verdict"),
    _("first problem"),
    _("where"),
    _("more problems"),
    _("not filled in"),
    _("registered again as"),
    _("changed"),
    _("accepted as"),
    _("fingerprint"),
    _("remarks"),
)
_YES, _NO, _UNKNOWN = _("yes"), _("no"), _("unknown")
_CHANGES = {
    "deadline": _("another list after the deadline"),
    "acceptance": _("since it was accepted"),
}
FORM = 1
"""The "schema" of the output; raised when a key changes its meaning or goes."""


def render_text(roster: Roster, lang: str, *, color: bool = False) -> str:
    """A line or two a submission, the totals and what the verdicts rest on, ended by a line feed."""
    paint = painter(color)
    found = totals(roster)
    lines = [
        paint(safe(headline(roster.event).in_(lang)), "bold"),
        safe(by_rules(roster).in_(lang)),
        "",
        *_table(roster.rows, lang, paint),
        "",
        paint(total_words(found).in_(lang), "bold"),
    ]
    mark = paint(_("note: ").in_(lang), "yellow")
    lines += [mark + safe(note.in_(lang)) for note in remarks(roster)]
    used, held = lists_used(roster)
    return "\n".join(lines) + "\n" + render_lists(used, held, lang, color=color)


def _table(rows: Sequence[Row], lang: str, paint: Paint) -> list[str]:
    if not rows:
        return [_("nobody has registered yet.").in_(lang)]
    with_tables = any(row.submission.player.table for row in rows)
    heads = [head.in_(lang) for head in _HEADS]
    table = [[*_columns(row), state_name(row).in_(lang)] for row in rows]
    if not with_tables:
        del heads[2]
        for line in table:
            del line[2]
    widths = [max(cells(line[at]) for line in [heads, *table]) for at in range(len(heads))]
    first = widths[0]
    indent = " " * (sum(widths) + 2 * len(widths))
    lines = [paint(_line(heads, widths, first).rstrip(), "dim")]
    for row, line in zip(rows, table, strict=True):
        style: Style = "yellow" if is_unclear(row) else _STYLES[row.state]
        verdict = paint(line[-1], style if _counts(row) else "dim")
        start = _line(line[:-1], widths[:-1], first) + "  " + verdict
        gap = " " * (widths[-1] - cells(line[-1]) + 2)
        below = _below(row, lang, paint)
        lines.append(start + gap + below[0] if below else start)
        lines += [indent + more for more in below[1:]]
    return lines


def _counts(row: Row) -> bool:
    return row.counts or is_unclear(row)


def _columns(row: Row) -> list[str]:
    player = row.submission.player
    name = player.name or player.handle or player.id or "—"
    return [str(row.submission.number), _clipped(safe(name)), _clipped(safe(player.table or ""))]


def _clipped(text: str) -> str:
    if cells(text) <= _WIDEST:
        return text
    kept, room = [], _WIDEST - 1
    for char in text:
        room -= cells(char)
        if room < 0:
            break
        kept.append(char)
    return "".join(kept) + "…"


def _line(parts: Sequence[str], widths: Sequence[int], first: int) -> str:
    number = " " * (first - cells(parts[0])) + parts[0]
    rest = [part + " " * (width - cells(part)) for part, width in zip(parts[1:], widths[1:], strict=True)]
    return "  ".join([number, *rest])


def _below(row: Row, lang: str, paint: Paint) -> list[str]:
    lines = []
    worst = worst_problem(row) if _counts(row) else None
    if worst is not None:
        lines.append(_problem(worst, lang, paint))
    if worst is None and row.state in ("missing", "gone"):
        lines.append(paint(safe(row.submission.place), "dim"))
    said = series(flags(row), SEMICOLON).in_(lang)
    if said:
        lines.append(paint(safe(said), "yellow" if _counts(row) else "dim"))
    lines += [paint(safe(one.in_(lang)), "dim") for one in row.notes]
    return lines


def _problem(worst: Worst, lang: str, paint: Paint) -> str:
    message = worst.in_(lang)
    if worst.hint is not None:
        message += _(" ({hint})", hint=worst.hint).in_(lang)
    return paint(safe(worst.place) + ":", "dim") + " " + safe(message)


def render_csv(roster: Roster, lang: str) -> str:
    """A head and a line a submission, as RFC 4180 has it; the mark before it tells Excel that it is UTF-8."""
    written = StringIO()
    # Where a semicolon parts cells, one without quotes would begin anew behind it.
    writer = csv.writer(written, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    heads = [*_FIRST_HEADS, *FIELD_NAMES.values(), *_LAST_HEADS]
    writer.writerow([head.in_(lang) for head in heads])
    writer.writerows([[harmless(cell) for cell in _csv_row(row, roster.event, lang)] for row in roster.rows])
    return "\ufeff" + written.getvalue()


def harmless(cell: str) -> str:
    """A cell that shows what it holds, on one line, and that no spreadsheet reckons out."""
    shown = safe(cell)
    return "'" + shown if shown.startswith(BEGIN_FORMULAS) else shown


def _csv_row(row: Row, event: Event, lang: str) -> Sequence[str]:
    one = row.submission
    worst = worst_problem(row)
    fingerprint = None if row.report is None else row.report.fingerprint
    return [
        str(one.number),
        one.place,
        *((getattr(one.player, field) or "") for field in FIELD_NAMES),
        one.submitted_as if one.submitted is None else event.local_time(one.submitted),
        _answer(row.late, lang),
        _answer(None if is_unclear(row) else row.counts, lang),
        state_name(row).in_(lang),
        "" if worst is None else worst._replace(more=0).in_(lang),
        "" if worst is None else worst.place,
        "" if worst is None else str(worst.more),
        series(FIELD_NAMES[field] for field in row.lacking).in_(lang),
        series(row.others).in_(lang),
        "" if row.changed is None else _CHANGES[row.changed].in_(lang),
        "" if row.accepted is None else str(row.accepted),
        fingerprint or ("" if row.seal is None else row.seal.commitment),
        series(_remarks(row)).in_(lang),
    ]


def _remarks(row: Row) -> list[Words]:
    """What no other column says."""
    failed = [one.message for one in all_failures(row) if one.id in ("namesake", "copied")]
    return [*failed, *row.notes]


def _answer(value: bool | None, lang: str) -> str:
    return (_UNKNOWN if value is None else _YES if value else _NO).in_(lang)


def render_json(roster: Roster, lang: str) -> str:
    """All that was found out, messages in `lang`."""
    head = {"schema": FORM, "tool": dict(TOOL), "event": _event(roster, lang)}
    entries = ",\n".join(json_line(_entry(row, lang)) for row in roster.rows)
    used, _held = lists_used(roster)
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
