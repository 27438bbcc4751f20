"""The roster as text for the terminal, as CSV for spreadsheets and as JSON, and what every output says of a row."""

import csv
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from io import StringIO
from typing import NamedTuple

from deckcheck.model.finding import Finding, ListUsed
from deckcheck.registration.conditions import all_failures, failures, unknown_times
from deckcheck.registration.model import FIELD_NAMES, Event, Roster, Row
from deckcheck.report.json import TOOL, deck_object, json_line, list_object, problem_object
from deckcheck.report.text import Paint, Style, painter, render_lists
from deckcheck.report.wording import LABELS, VERDICTS
from deckcheck.support.messages import SEMICOLON, Value, Words, _, n_, p_, series
from deckcheck.support.safetext import cells, safe

STATES: dict[str, Words] = {
    "legal": VERDICTS["legal"],
    "illegal": VERDICTS["illegal"],
    "undecided": VERDICTS["undecided"],
    "unreadable": _("unreadable"),
    "missing": _("no list"),
    "gone": _("gone"),
}
UNCLEAR = _("unclear which")

FORM = 1
"""The "schema" of the JSON; raised when a key changes its meaning or goes."""

BEGIN_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""A cell that begins so may be reckoned out when a spreadsheet opens the file."""

NOT_FOR_PLAYERS = "unconfirmed-change"
"""Speaks of what is known of a banlist; no player can do anything about it."""

_BESIDE_THE_LIST = {"gone", "namesake", "copied", "late", "untimed", "lacking", "changed"}
_STYLES: Mapping[str, Style] = {"legal": "green", "undecided": "yellow", "unclear": "yellow"}
_WIDEST = 24
"""So many cells a column may take; nobody's name may push the verdicts off the screen."""

_MOST_OTHERS = 5


class Worst(NamedTuple):
    """The worst problem of a row, with its place; `more` counts further errors."""

    place: str
    message: Words
    hint: Words | None
    more: int

    def in_(self, lang: str) -> str:
        """The message, and how many more there are."""
        more = _(", and {more} more", more=self.more).in_(lang) if self.more else ""
        return self.message.in_(lang) + more


def state_of(row: Row) -> str:
    """The state by which a row is coloured and found: "unclear" where nobody can tell which list counts."""
    return "unclear" if row.is_unclear else row.state


def state_name(row: Row) -> Words:
    """What the state of a row is called."""
    return UNCLEAR if row.is_unclear else STATES[row.state]


def worst_problem(row: Row) -> Worst | None:
    """The problem to show first; None where there is none."""
    place = row.submission.place
    if row.problems:
        first = row.problems[0]
        where = ":".join(str(part) for part in (first.path or place, first.line, first.column) if part)
        return Worst(where, first.message, first.hint, len(row.problems) - 1)
    # Infos and what concerns the banlist as a whole are no reason to look at a deck.
    ranked = [
        each for each in sorted_findings(row) if each.severity != "info" and each.rule != NOT_FOR_PLAYERS
    ]
    if not ranked:
        return None
    worst, *others = ranked
    message = worst.message
    if worst.severity == "warning":
        message = _("{warning}: {said}", warning=LABELS["warning"], said=message)
    where = ":".join(str(part) for part in (place, worst.line, worst.column) if part)
    return Worst(where, message, worst.hint, sum(other.severity == "error" for other in others))


def sorted_findings(row: Row) -> list[Finding]:
    """The findings, sure errors first, then open ones, then warnings; each in the order of the list."""

    def gravity(finding: Finding) -> tuple[int, bool]:
        return ("error", "warning", "info").index(finding.severity), finding.verdict != "violated"

    return [] if row.report is None else sorted(row.report.findings, key=gravity)


def flags(row: Row) -> list[Words]:
    """What there is to say of a row beside its list: gone, a copied seal, late, empty fields, registered twice, changed."""
    found = [failure.message for failure in all_failures(row) if failure.id in _BESIDE_THE_LIST]
    if row.others:
        some: list[Value] = [*row.others[:_MOST_OTHERS], *(["…"] if len(row.others) > _MOST_OTHERS else [])]
        others = series(some, p_("beside", ", "))
        if row.counts:
            found.append(
                _(
                    "registered more than once (also no. {others}; no. {number} counts)",
                    others=others,
                    number=row.submission.number,
                )
            )
        elif row.instead is not None:
            found.append(_("registered more than once (no. {instead} counts)", instead=row.instead))
        else:
            message = _(
                "registered more than once (also no. {others}); it is unclear which list counts",
                others=others,
            )
            found.append(message)
    if row.changed == "deadline":
        found.append(_("another list came after the deadline"))
    if row.accepted is not None:
        found.append(_("accepted ({accepted})", accepted=row.accepted))
    return found


def headline(event: Event) -> Words:
    """The name of the event and its day."""
    return _("{event} ({date})", event=event.name, date=event.date)


def by_rules(roster: Roster) -> Words:
    """By which rules the lists were judged."""
    name, day, match = roster.format.format.name, roster.event.as_of, roster.event.best_of
    if match:
        return _("{name}, by the rules of {day}, best of {match}", name=name, day=day, match=match)
    return _("{name}, by the rules of {day}", name=name, day=day)


def totals(roster: Roster) -> dict[str, int]:
    """How many players are what, by the keys of the JSON output.

    "entries" are all that came in, each other number but "unknown_time" counts players. "unclear" are those of whom
    nobody can tell which list counts; "unknown_time" counts lists without a time though there is a deadline.
    """
    rows = roster.rows
    counting = [row for row in rows if row.counts]
    states = Counter[str](row.state for row in counting)
    players = Counter(row.group for row in rows)
    return {
        "players": len(players),
        "entries": sum(row.state != "gone" for row in rows),
        **{state: states[state] for state in STATES},
        "unclear": len(players) - len(counting),
        "late": sum(row.late is True for row in counting),
        "unknown_time": sum(row.late is None for row in rows),
        "lacking": sum(bool(row.lacking) for row in counting),
        "twice": sum(number > 1 for number in players.values()),
        "changed": sum(row.changed is not None for row in counting),
        "accepted": len({row.group for row in rows if row.accepted is not None}),
    }


def total_words(found: Mapping[str, int]) -> Words:
    """All totals in one line; what is nought is left out."""
    besides: dict[str, Words] = {
        "late": p_("note", "late"),
        "lacking": _("with empty fields"),
        "twice": _("registered more than once"),
        "changed": _("with a changed list"),
        "accepted": _("accepted"),
    }
    main, more = (
        series(
            _("{number:,} {name}", number=found[key], name=name) for key, name in names.items() if found[key]
        )
        for names in (STATES | {"unclear": UNCLEAR}, besides)
    )
    line = n_(
        "{n:,} player: {states}",
        "{n:,} players: {states}",
        found["players"],
        states=main if main.items else _("none"),
    )
    return p_("totals", "{totals} ({more})", totals=line, more=more) if more.items else line


def remarks(roster: Roster) -> list[Words]:
    """What there is to say of the event as a whole."""
    unknown = unknown_times(roster.event, roster.rows)
    return [*([] if unknown is None else [unknown]), *roster.notes]


def lists_used(roster: Roster) -> tuple[tuple[ListUsed, ...], frozenset[str]]:
    """The banlists that were used, and the cards in lists of which they have a change that was not applied."""
    reports = [row.report for row in roster.rows if row.report is not None]
    used = reports[0].lists if reports else ()
    unapplied = {change.card for banlist in used for change in banlist.unapplied}
    names = (
        entry.cards[0].name
        for report in (reports if unapplied else ())
        for entry in report.deck.entries
        if len(entry.cards) == 1
    )
    return used, frozenset(unapplied.intersection(names))


def submitted_words(row: Row, event: Event) -> str:
    """When a list came in, by the clocks at the event; what is written there where that is no time."""
    submission = row.submission
    return submission.submitted_as if submission.submitted is None else event.local_time(submission.submitted)


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
    lines += [mark + safe(note.in_(lang)) for note in remarks(roster)]
    used, held = lists_used(roster)
    return "\n".join(lines) + "\n" + render_lists(used, held, lang, color=color)


def _table(rows: Sequence[Row], lang: str, paint: Paint) -> list[str]:
    if not rows:
        return [_("nobody has registered yet.").in_(lang)]
    heads = [head.in_(lang) for head in (_("no."), _("name"), p_("roster", "table"), _("verdict"))]
    table = [heads, *([*_columns(row), state_name(row).in_(lang)] for row in rows)]
    if not any(row.submission.player.table for row in rows):
        for cells_of_row in table:
            del cells_of_row[2]
    widths = [max(map(cells, column)) for column in zip(*table, strict=True)]
    indent = " " * (sum(widths) + 2 * len(widths))
    padded = [
        [
            " " * room + cell if at == 0 else cell + " " * room
            for at, (cell, width) in enumerate(zip(line, widths, strict=True))
            for room in [width - cells(cell)]
        ]
        for line in table
    ]
    lines = [paint("  ".join(padded[0]).rstrip(), "dim")]
    for row, plain, line in zip(rows, table[1:], padded[1:], strict=True):
        shown = row.counts or row.is_unclear
        verdict = paint(plain[-1], _STYLES.get(state_of(row), "red") if shown else "dim")
        below = _below(row, lang, paint, shown)
        gap = line[-1].removeprefix(plain[-1]) + "  " if below else ""
        lines.append("  ".join([*line[:-1], verdict]) + gap + "".join(below[:1]))
        lines += [indent + more for more in below[1:]]
    return lines


def _columns(row: Row) -> list[str]:
    player = row.submission.player
    name = player.name or player.handle or player.id or "—"
    return [str(row.submission.number), _clipped(safe(name)), _clipped(safe(player.table or ""))]


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
_YES, _NO, _UNKNOWN = _("yes"), _("no"), _("unknown")
_COLUMNS: tuple[tuple[Words, Callable[[Row, Event, Worst | None], Value]], ...] = (
    (_("number"), lambda row, *_rest: row.submission.number),
    (_("place"), lambda row, *_rest: row.submission.place),
    *(
        (name, lambda row, *_rest, field=field: getattr(row.submission.player, field))
        for field, name in FIELD_NAMES.items()
    ),
    (_("submitted"), lambda row, event, _worst: submitted_words(row, event)),
    (_("late"), lambda row, *_rest: _answer(row.late)),
    (_("stands"), lambda row, *_rest: _answer(None if row.is_unclear else row.counts)),
    (_("verdict"), lambda row, *_rest: state_name(row)),
    (_("first problem"), lambda _row, _event, worst: worst and worst.message),
    (_("where"), lambda _row, _event, worst: worst and worst.place),
    (_("more problems"), lambda _row, _event, worst: worst and worst.more),
    (_("not filled in"), lambda row, *_rest: series(FIELD_NAMES[field] for field in row.lacking)),
    (_("registered again as"), lambda row, *_rest: series(row.others)),
    (_("changed"), lambda row, *_rest: row.changed and _CHANGES[row.changed]),
    (_("accepted as"), lambda row, *_rest: row.accepted),
    (_("fingerprint"), lambda row, *_rest: _hash(row)),
    (_("remarks"), lambda row, *_rest: series(_remarks(row))),
)
"""The heads of the CSV, and what stands beneath them."""


def render_csv(roster: Roster, lang: str) -> str:
    """A head and a line a submission, as RFC 4180 has it; the mark before it tells Excel that it is UTF-8."""
    text = StringIO()
    # Where a semicolon parts cells, one without quotes would begin anew behind it.
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow([head.in_(lang) for head, _value in _COLUMNS])
    for row in roster.rows:
        worst = worst_problem(row)
        writer.writerow([_cell(value(row, roster.event, worst), lang) for _head, value in _COLUMNS])
    return "\ufeff" + text.getvalue()


def _cell(value: Value, lang: str) -> str:
    """A cell that shows what it holds, on one line, and that no spreadsheet reckons out."""
    text = safe("" if value is None else value.in_(lang) if hasattr(value, "in_") else str(value))
    return "'" + text if text.startswith(BEGIN_FORMULAS) else text


def _answer(value: bool | None) -> Words:
    return _UNKNOWN if value is None else _YES if value else _NO


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
    event, used = roster.event, lists_used(roster)[0]
    head = {
        "schema": FORM,
        "tool": dict(TOOL),
        "event": {
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
        },
    }
    entries = ",\n".join(json_line(_entry(row, lang)) for row in roster.rows)
    rest = {
        "notes": [note.in_(lang) for note in remarks(roster)],
        "lists": [list_object(banlist, lang) for banlist in used],
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
