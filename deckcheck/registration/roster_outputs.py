"""The roster as text for the terminal, as CSV for spreadsheets and as JSON."""

import csv
from collections.abc import Callable, Mapping, Sequence
from io import StringIO

from deckcheck.registration.eventfile import Event
from deckcheck.registration.roster import (
    STATES,
    Roster,
    Row,
    Worst,
    all_failures,
    by_rules,
    failures,
    flags,
    headline,
    lacking_names,
    lists_used,
    submitted_words,
    total_words,
    totals,
    worst_problem,
)
from deckcheck.registration.submissions import FIELD_NAMES
from deckcheck.report.json import TOOL, deck_object, json_line, list_object, problem_object
from deckcheck.report.text import Paint, Style, painter, render_lists
from deckcheck.support.messages import SEMICOLON, Value, Words, _, p_, series
from deckcheck.support.safetext import cells, safe

FORM = 1
"""The "schema" of the JSON; raised when a key changes its meaning or goes."""

BEGIN_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""A spreadsheet may compute a cell that begins so."""

_STYLES: Mapping[str, Style] = {"legal": "green", "undecided": "yellow", "unclear": "yellow"}
_WIDEST = 24
"""A column may take so many cells; nobody's name may push the verdicts off the screen."""


# Text


def render_text(roster: Roster, lang: str, *, color: bool = False) -> str:
    """A line or two a submission, the totals and what the verdicts rest on, ended by a line feed."""
    paint = painter(color)
    lines = [
        paint(safe(headline(roster.event).in_(lang)), "bold"),
        safe(by_rules(roster).in_(lang)),
        "",
        *_table(roster.rows, lang, paint),
        "",
        paint(total_words(totals(roster)).in_(lang), "bold"),
    ]
    mark = paint(_("note: ").in_(lang), "yellow")
    lines += [mark + safe(note.in_(lang)) for note in roster.remarks]
    used, held = lists_used(roster)
    return "\n".join(lines) + "\n" + render_lists(used, held, lang, color=color)


def _table(rows: Sequence[Row], lang: str, paint: Paint) -> list[str]:
    if not rows:
        return [_("nobody has registered yet.").in_(lang)]
    table = [[head.in_(lang) for head in (_("no."), _("name"), p_("roster", "table"), _("verdict"))]]
    for row in rows:
        player = row.submission.player
        name = _clipped(safe(player.name or player.handle or player.id or "—"))
        seat = _clipped(safe(player.table or ""))
        table.append([str(row.submission.number), name, seat, STATES[row.shown_state].in_(lang)])
    if not any(row.submission.player.table for row in rows):
        for line in table:
            del line[2]
    widths = [max(map(cells, column)) for column in zip(*table, strict=True)]
    indent = " " * (sum(widths) + 2 * len(widths))
    lines = []
    for number, (first, *others) in enumerate(table):
        gaps = [" " * (width - cells(cell)) for cell, width in zip((first, *others), widths, strict=True)]
        begin = [gaps[0] + first, *(cell + gap for cell, gap in zip(others[:-1], gaps[1:], strict=False))]
        verdict = others[-1]
        if not number:
            lines.append(paint("  ".join([*begin, verdict]), "dim"))
            continue
        row = rows[number - 1]
        shown = row.counts or row.is_unclear
        color = _STYLES.get(row.shown_state, "red") if shown else "dim"
        below = _below(row, lang, paint, shown)
        gap = gaps[-1] + "  " if below else ""
        lines.append("  ".join([*begin, paint(verdict, color)]) + gap + "".join(below[:1]))
        lines += [indent + more for more in below[1:]]
    return lines


def _clipped(text: str) -> str:
    if cells(text) <= _WIDEST:
        return text
    kept, room = "", _WIDEST - 1
    for char in text:
        room -= cells(char)
        if room < 0:
            break
        kept += char
    return kept + "…"


def _below(row: Row, lang: str, paint: Paint, shown: bool) -> list[str]:
    lines = []
    worst = worst_problem(row) if shown else None
    if worst is not None:
        message = worst.in_(lang)
        if worst.hint is not None:
            message += _(" ({hint})", hint=worst.hint).in_(lang)
        lines.append(paint(safe(worst.place) + ":", "dim") + " " + safe(message))
    elif row.state in ("missing", "gone"):
        lines.append(paint(safe(row.submission.place), "dim"))
    text = series(flags(row), SEMICOLON).in_(lang)
    if text:
        lines.append(paint(safe(text), "yellow" if shown else "dim"))
    return lines + [paint(safe(note.in_(lang)), "dim") for note in row.notes]


# CSV

_CHANGES = {
    "deadline": _("another list after the deadline"),
    "acceptance": _("since it was accepted"),
}
_ANSWERS = {True: _("yes"), False: _("no"), None: _("unknown")}
_COLUMNS: tuple[tuple[Words, Callable[[Row, Event, Worst | None], Value]], ...] = (
    (_("number"), lambda row, *_rest: row.submission.number),
    (_("place"), lambda row, *_rest: row.submission.place),
    *(
        (name, lambda row, *_rest, field=field: getattr(row.submission.player, field))
        for field, name in FIELD_NAMES.items()
    ),
    (_("submitted"), lambda row, event, _worst: submitted_words(row, event)),
    (_("late"), lambda row, *_rest: _ANSWERS[row.late]),
    (_("stands"), lambda row, *_rest: _ANSWERS[None if row.is_unclear else row.counts]),
    (_("verdict"), lambda row, *_rest: STATES[row.shown_state]),
    (_("first problem"), lambda _row, _event, worst: worst and worst.message),
    (_("where"), lambda _row, _event, worst: worst and worst.place),
    (_("more problems"), lambda _row, _event, worst: worst and worst.more),
    (_("not filled in"), lambda row, *_rest: lacking_names(row)),
    (_("registered again as"), lambda row, *_rest: series(row.others)),
    (_("changed"), lambda row, *_rest: row.changed and _CHANGES[row.changed]),
    (_("accepted as"), lambda row, *_rest: row.accepted),
    (_("fingerprint"), lambda row, *_rest: _hash(row)),
    (_("remarks"), lambda row, *_rest: series(_remarks(row))),
)
"""The heads of the CSV, and the values below them."""


def render_csv(roster: Roster, lang: str) -> str:
    """A head and a line a submission, as RFC 4180 has it; the mark before it tells Excel that it is UTF-8."""
    text = StringIO()
    # Where a semicolon separates cells, one without quotes would begin a new cell behind it.
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow([head.in_(lang) for head, _value in _COLUMNS])
    for row in roster.rows:
        worst = worst_problem(row)
        writer.writerow([_cell(value(row, roster.event, worst), lang) for _head, value in _COLUMNS])
    return "\ufeff" + text.getvalue()


def _cell(value: Value, lang: str) -> str:
    """A cell on one line that no spreadsheet computes."""
    text = safe("" if value is None else value.in_(lang) if hasattr(value, "in_") else str(value))
    return "'" + text if text.startswith(BEGIN_FORMULAS) else text


def _hash(row: Row) -> str | None:
    if row.report is not None:
        return row.report.fingerprint
    return None if row.seal is None else row.seal.commitment


def _remarks(row: Row) -> list[Words]:
    """What no other column says."""
    failed = [failure.message for failure in all_failures(row) if failure.id in ("namesake", "copied")]
    return [*failed, *row.notes]


# JSON


def render_json(roster: Roster, lang: str) -> str:
    """All that was found out, messages in `lang`."""
    event, format = roster.event, roster.format.format
    head = {
        "schema": FORM,
        "tool": dict(TOOL),
        "event": {
            "id": event.id,
            "name": event.name.in_(lang),
            "organiser": event.organiser,
            "date": event.date,
            "time_zone": event.time_zone,
            "game": format.game,
            "format": format.id,
            "as_of": event.as_of,
            "best_of": event.best_of,
            "deadline": None if event.deadline is None else event.deadline.isoformat(),
            "required": list(event.required),
            "sealed": event.sealed,
        },
    }
    entries = ",\n".join(json_line(_entry(row, lang)) for row in roster.rows)
    rest = {
        "notes": [note.in_(lang) for note in roster.remarks],
        "lists": [list_object(banlist, lang) for banlist in lists_used(roster)[0]],
        "summary": totals(roster),
    }
    lines = ",\n".join(f'"{key}": {json_line(value)}' for key, value in rest.items())
    return json_line(head).removesuffix("}") + f', "entries": [\n{entries}\n],\n{lines}}}\n'


def _entry(row: Row, lang: str) -> dict[str, object]:
    submission, seal = row.submission, row.seal
    return {
        "number": submission.number,
        "place": submission.place,
        "player": submission.player._asdict(),
        "group": row.group,
        "submitted": None if submission.submitted is None else submission.submitted.isoformat(),
        "submitted_as": submission.submitted_as,
        "state": row.state,
        "counts": None if row.is_unclear else row.counts,
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
        "obstacles": [failure.object(lang) for failure in failures(row)],
        "notes": [note.in_(lang) for note in row.notes],
        "problems": [problem_object(problem, lang) for problem in row.problems],
        "deck": None if row.report is None else deck_object(row.report, lang),
        "seal": None
        if seal is None
        else {
            "commitment": seal.commitment,
            "verdict": seal.verdict,
            "game": seal.game,
            "format": seal.format.id,
            "format_sha256": seal.format.sha256,
            "as_of": seal.as_of,
        },
    }
