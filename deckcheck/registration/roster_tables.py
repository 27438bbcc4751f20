"""The roster as text for terminals, as CSV for spreadsheets and as JSON."""

import csv
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from typing import Any

from msgspec.structs import replace

from deckcheck.model.finding import ListUsed
from deckcheck.registration.acceptance import failures, worst_problem
from deckcheck.registration.event import Event
from deckcheck.registration.roster import STATES, Roster, Row
from deckcheck.registration.submissions import FIELDS, Player, Submission
from deckcheck.report.json import TOOL, json_line
from deckcheck.report.results import RenderOptions
from deckcheck.report.text import answer, render_lists
from deckcheck.support.errors import place_of
from deckcheck.support.messages import Value, Words, _, fields_of, plain, series, shortened
from deckcheck.support.safe_text import safe
from deckcheck.support.terminal import Style

FORM = 2
"""The "schema" of the JSON; increased when a key changes its meaning or is removed."""

BEGIN_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""Spreadsheets may compute a cell that begins with one of these."""

_STYLES: Mapping[str, Style] = {"legal": "green", "undecided": "yellow", "unclear": "yellow"}


# Shared by all outputs


def totals(roster: Roster) -> dict[str, int]:
    """Numbers of players by the keys of the JSON output; "entries" and "unknown_time" count submissions."""
    rows = roster.rows
    counting = [row for row in rows if row.counts]
    states = Counter[str](row.state for row in counting)
    players = Counter(row.group for row in rows if row.withdrawn is None)
    states["unclear"] = len({row.group for row in rows if row.counts is None})
    states["withdrawn"] = len({row.group for row in rows if row.withdrawn is not None})
    return {
        "players": len(players),
        "entries": sum(row.state != "gone" for row in rows),
        **{state: states[state] for state in STATES},
        "late": sum(row.late is True for row in counting),
        "unknown_time": sum(row.late is None for row in rows),
        "lacking": sum(bool(row.lacking) for row in counting),
        "twice": sum(number > 1 for number in players.values()),
        "changed": sum(row.changed is not None for row in counting),
        "accepted": len({row.group for row in rows if row.accepted is not None and row.withdrawn is None}),
    }


def lists_used(roster: Roster) -> tuple[ListUsed, ...]:
    """The banlists used."""
    return next((row.report.lists for row in roster.rows if row.report is not None), ())


def submitted_words(row: Row, event: Event) -> str:
    """The time of submission in the event's time zone; as written if it can't be read."""
    submission = row.submission
    return submission.submitted_as if submission.submitted is None else event.local_time(submission.submitted)


# Text


def render_text(roster: Roster, look: RenderOptions) -> str:
    """The submissions, the totals and the banlists used, ending in a line feed."""
    return answer(
        "roster.txt",
        look,
        event=roster.event,
        format=roster.format.format,
        rows=roster.rows,
        states=STATES,
        state_styles=_STYLES,
        worst_problem=worst_problem,
        place_of=place_of,
        failures=failures,
        shortened=shortened,
        totals=totals(roster),
        notes=roster.notes,
        lists=render_lists(lists_used(roster), look.lang, color=look.color),
    )


# CSV

_CHANGES = {
    "deadline": _("another list after the deadline"),
    "acceptance": _("since it was accepted"),
}
_ANSWERS = {True: _("yes"), False: _("no"), None: _("unknown")}


def _columns(row: Row, event: Event) -> list[tuple[Words, Value]]:
    """The heads of the CSV columns with the row's values."""
    player, worst = replace(row.player, deck_name=row.deck_name).filled, worst_problem(row)
    remarks = [failure.message for failure in failures(row, event) if failure.kind in ("whose", "withdrawn")]
    return [
        (_("id"), row.id),
        (_("place"), row.submission.place),
        *((event.field_name(field), player.get(field)) for field in (*FIELDS, *event.fields)),
        (_("submitted"), submitted_words(row, event)),
        (_("late"), _ANSWERS[row.late]),
        (_("counts"), _ANSWERS[row.counts]),
        (_("verdict"), STATES[row.told_state]),
        (_("first problem"), None if worst is None else worst.message),
        (_("where"), None if worst is None else place_of(row.submission.place, worst.line, worst.column)),
        (_("not filled in"), series(event.field_name(field) for field in row.lacking)),
        (_("registered again as"), series(row.others)),
        (_("changed"), row.changed and _CHANGES[row.changed]),
        (_("accepted as"), row.accepted if row.is_frozen or row.state == "gone" else None),
        (_("fingerprint"), None if row.report is None else row.report.fingerprint),
        # Everything without a column of its own.
        (_("remarks"), series([*remarks, *row.notes])),
    ]


def render_csv(roster: Roster, lang: str) -> str:
    """One line per submission, for spreadsheets."""
    nobody = Row(Submission("", Player(), None), "missing")
    heads = [head.in_(lang) for head, _value in _columns(nobody, roster.event)]
    rows = [[_cell(value, lang) for _head, value in _columns(row, roster.event)] for row in roster.rows]
    return csv_text(heads, rows)


def _cell(value: Value, lang: str) -> str:
    return safe("" if value is None else value.in_(lang) if hasattr(value, "in_") else str(value))


def csv_text(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """CSV by RFC 4180, with a byte order mark so that Excel reads UTF-8; no cell can be computed as a formula."""
    text = StringIO()
    # All cells are quoted, since a semicolon in an unquoted one may separate cells.
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(heads)
    for row in rows:
        writer.writerow([f"'{cell}" if cell.startswith(BEGIN_FORMULAS) else cell for cell in row])
    return "\ufeff" + text.getvalue()


# JSON


def render_json(roster: Roster, lang: str) -> str:
    """The roster as JSON by schemas/roster.schema.json, with messages in `lang`; one submission a line."""
    event, format = roster.event, roster.format.format
    values = {
        "schema": FORM,
        "tool": TOOL,
        "event": {
            **fields_of(event, ("id", "name", "organiser", "date", "time_zone"), lang),
            "game": format.game,
            "format": format.id,
            **fields_of(event, ("as_of", "best_of"), lang),
            "deadline": event.deadline and event.deadline.isoformat(),
            "required": event.required,
        },
        "notes": roster.notes,
        "lists": lists_used(roster),
        "summary": totals(roster),
    }
    entries = ",\n".join(json_line(_entry_values(row, event, lang)) for row in roster.rows)
    return json_line(plain(values, lang)).removesuffix("}") + f', "entries": [\n{entries}\n]}}\n'


def _entry_values(row: Row, event: Event, lang: str) -> dict[str, Any]:
    """A row of the roster as values for JSON."""
    submission = row.submission
    given = submission.player.filled
    values = {
        **fields_of(row, ("id",), lang),
        "place": submission.place,
        "player": {field: given.get(field) for field in (*FIELDS, *event.fields)},
        "group": row.group,
        "submitted": submission.submitted and submission.submitted.isoformat(),
        "submitted_as": submission.submitted_as,
        "state": row.state,
        "counts": row.counts,
        **fields_of(row, ("instead", "others", "late", "untimed", "lacking", "changed", "accepted"), lang),
        "frozen": row.is_frozen,
        **fields_of(row, ("conflict", "rivals", "withdrawn"), lang),
        "obstacles": failures(row, event),
        **fields_of(row, ("notes", "problems"), lang),
        "deck": row.report,
    }
    return {key: plain(value, lang) for key, value in values.items()}
