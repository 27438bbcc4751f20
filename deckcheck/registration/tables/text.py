"""The table of players for the terminal."""

from collections.abc import Mapping, Sequence

from deckcheck.registration.model import Roster, Row, State
from deckcheck.registration.tables.told import (
    Told,
    by_rules,
    flags,
    gravest,
    headline,
    is_unclear,
    lists_used,
    remarks,
    state_name,
    total_words,
    totals,
)
from deckcheck.report.summary import render_lists
from deckcheck.report.terminal import Paint, Style, painter
from deckcheck.support.messages import _, p_
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


def render(roster: Roster, lang: str, *, color: bool = False) -> str:
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
    lines = [paint(_row(heads, widths, first).rstrip(), "dim")]
    for row, line in zip(rows, table, strict=True):
        style: Style = "yellow" if is_unclear(row) else _STYLES[row.state]
        verdict = paint(line[-1], style if _stands(row) else "dim")
        start = _row(line[:-1], widths[:-1], first) + "  " + verdict
        gap = " " * (widths[-1] - cells(line[-1]) + 2)
        below = _below(row, lang, paint)
        lines.append(start + gap + below[0] if below else start)
        lines += [indent + more for more in below[1:]]
    return lines


def _stands(row: Row) -> bool:
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


def _row(parts: Sequence[str], widths: Sequence[int], first: int) -> str:
    number = " " * (first - cells(parts[0])) + parts[0]
    rest = [part + " " * (width - cells(part)) for part, width in zip(parts[1:], widths[1:], strict=True)]
    return "  ".join([number, *rest])


def _below(row: Row, lang: str, paint: Paint) -> list[str]:
    lines = []
    told = gravest(row) if _stands(row) else None
    if told is not None:
        lines.append(_told(told, lang, paint))
    if told is None and row.state in ("missing", "gone"):
        lines.append(paint(safe(row.submission.place), "dim"))
    said = ("、" if lang == "ja" else "; ").join(one.in_(lang) for one in flags(row))
    if said:
        lines.append(paint(safe(said), "yellow" if _stands(row) else "dim"))
    lines += [paint(safe(one.in_(lang)), "dim") for one in row.notes]
    return lines


def _told(told: Told, lang: str, paint: Paint) -> str:
    message = told.in_(lang)
    if told.hint is not None:
        message += _(" ({hint})", hint=told.hint).in_(lang)
    return paint(safe(told.place) + ":", "dim") + " " + safe(message)
