"""The roster as text for terminals, as CSV for spreadsheets, as JSON and as a web page."""

import csv
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import StringIO
from itertools import groupby
from typing import NamedTuple

from deckcheck.model.finding import ListUsed
from deckcheck.model.plain import plain
from deckcheck.registration.acceptance import (
    Worst,
    all_failures,
    failures,
    flags,
    points,
    unknown_times,
    worst_problem,
)
from deckcheck.registration.event import Event
from deckcheck.registration.roster import STATES, Roster, Row
from deckcheck.registration.submissions import FIELD_NAMES
from deckcheck.report.json import TOOL, deck_object, json_line, list_object, problem_object
from deckcheck.report.text import Paint, Style, excerpt, painter, render_lists
from deckcheck.report.wording import LABELS
from deckcheck.support.messages import SEMICOLON, Value, Words, _, n_, p_, series
from deckcheck.support.safe_text import cells, cut, safe
from deckcheck.support.templates import render_page

FORM = 1
"""The "schema" of the JSON; increased when a key changes its meaning or is removed."""

BEGIN_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""Spreadsheets may compute a cell that begins with one of these."""

_STYLES: Mapping[str, Style] = {"legal": "green", "undecided": "yellow", "unclear": "yellow"}
_WIDEST = 24
"""The widest column in terminal cells, so that a long name doesn't push the verdicts off the screen."""


# Shared by all outputs


def headline(event: Event) -> Words:
    """The name and date of the event."""
    return _("{event} ({date})", event=event.name, date=event.date)


def by_rules(roster: Roster) -> Words:
    """The rules by which the lists were checked."""
    name, day, match = roster.format.format.name, roster.event.as_of, roster.event.best_of
    if match:
        return _("{name}, by the rules of {day}, best of {match}", name=name, day=day, match=match)
    return _("{name}, by the rules of {day}", name=name, day=day)


def all_notes(roster: Roster) -> list[Words]:
    """The notes on the roster, beginning with one on unknown times."""
    return [*unknown_times(roster.event, roster.rows), *roster.notes]


def totals(roster: Roster) -> dict[str, int]:
    """Numbers of players by the keys of the JSON output; "entries" and "unknown_time" count submissions."""
    rows = roster.rows
    counting = [row for row in rows if row.counts]
    states = Counter[str](row.state for row in counting)
    players = Counter(row.group for row in rows)
    states["unclear"] = len(players) - len(counting)
    return {
        "players": len(players),
        "entries": sum(row.state != "gone" for row in rows),
        **{state: states[state] for state in STATES},
        "late": sum(row.late is True for row in counting),
        "unknown_time": sum(row.late is None for row in rows),
        "lacking": sum(bool(row.lacking) for row in counting),
        "twice": sum(number > 1 for number in players.values()),
        "changed": sum(row.changed is not None for row in counting),
        "accepted": len({row.group for row in rows if row.accepted is not None}),
    }


_BESIDES = {
    "late": p_("note", "late"),
    "lacking": _("with empty fields"),
    "twice": _("registered more than once"),
    "changed": _("with a changed list"),
    "accepted": _("accepted"),
}


def total_words(sums: Mapping[str, int]) -> Words:
    """All totals that aren't 0 in one line."""
    main, more = (
        series(
            _("{number:,} {name}", number=sums[key], name=name) for key, name in names.items() if sums[key]
        )
        for names in (STATES, _BESIDES)
    )
    states = main if main.items else _("none")
    line = n_("{n:,} player: {states}", "{n:,} players: {states}", sums["players"], states=states)
    return p_("totals", "{totals} ({more})", totals=line, more=more) if more.items else line


def lists_used(roster: Roster) -> tuple[tuple[ListUsed, ...], frozenset[str]]:
    """The banlists used, and the cards in the lists for which they have changes that weren't applied."""
    reports = [row.report for row in roster.rows if row.report is not None]
    used = reports[0].lists if reports else ()
    unapplied = {change.card for banlist in used for change in banlist.unapplied}
    entries = (entry for report in (reports if unapplied else ()) for entry in report.deck.entries)
    return used, frozenset(unapplied.intersection(entry.card.name for entry in entries if entry.card))


def submitted_words(row: Row, event: Event) -> str:
    """The time of submission in the event's time zone; as written if it can't be read."""
    submission = row.submission
    return submission.submitted_as if submission.submitted is None else event.local_time(submission.submitted)


# Text


def render_text(roster: Roster, lang: str, *, color: bool = False) -> str:
    """The submissions, the totals and the banlists used, ending in a line feed."""
    paint = painter(color)
    mark = paint(_("note: ").in_(lang), "yellow")
    lines = [
        paint(safe(headline(roster.event).in_(lang)), "bold"),
        safe(by_rules(roster).in_(lang)),
        "",
        *_table(roster.rows, lang, paint),
        "",
        paint(total_words(totals(roster)).in_(lang), "bold"),
        *(mark + safe(note.in_(lang)) for note in all_notes(roster)),
    ]
    return "\n".join(lines) + "\n" + render_lists(*lists_used(roster), lang, color=color)


def _table(rows: Sequence[Row], lang: str, paint: Paint) -> list[str]:
    if not rows:
        return [_("nobody has registered yet.").in_(lang)]
    table = [[head.in_(lang) for head in (_("no."), _("name"), p_("roster", "table"))]]
    for row in rows:
        player = row.submission.player
        name = player.name or player.handle or player.id or "—"
        texts = (excerpt(text, 1, 1, _WIDEST).line for text in (name, player.table or ""))
        table.append([str(row.submission.number), *texts])
    if not any(row.submission.player.table for row in rows):
        table = [line[:2] for line in table]
    widths = [max(map(cells, column)) for column in zip(*table, strict=True)]
    states = {state: name.in_(lang) for state, name in STATES.items()}
    verdict = _("verdict").in_(lang)
    widest = max(map(cells, (verdict, *(states[row.shown_state] for row in rows))))
    indent = " " * (sum(widths) + 2 * len(widths) + widest + 2)
    starts = []
    for line in table:
        gaps = [" " * (width - cells(text)) for text, width in zip(line, widths, strict=True)]
        others = (text + gap for text, gap in zip(line[1:], gaps[1:], strict=True))
        starts.append("  ".join([gaps[0] + line[0], *others, ""]))
    lines = [paint(starts[0] + verdict, "dim")]
    for row, start in zip(rows, starts[1:], strict=True):
        shown = row.counts or row.is_unclear
        state = states[row.shown_state]
        first = start + paint(state, _STYLES.get(row.shown_state, "red") if shown else "dim")
        beside, *below = _details(row, lang, paint, shown) or [""]
        lines.append(first + " " * (widest - cells(state)) + "  " + beside if beside else first)
        lines += [indent + text for text in below]
    return lines


def _details(row: Row, lang: str, paint: Paint, shown: bool) -> list[str]:
    """The details of a row: its most serious problem or missing list, flags and notes."""
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
    (_("counts"), lambda row, *_rest: _ANSWERS[None if row.is_unclear else row.counts]),
    (_("verdict"), lambda row, *_rest: STATES[row.shown_state]),
    (_("first problem"), lambda _row, _event, worst: worst and worst.message),
    (_("where"), lambda _row, _event, worst: worst and worst.place),
    (_("more problems"), lambda _row, _event, worst: worst and worst.more),
    (_("not filled in"), lambda row, *_rest: series(FIELD_NAMES[field] for field in row.lacking)),
    (_("registered again as"), lambda row, *_rest: series(row.others)),
    (_("changed"), lambda row, *_rest: row.changed and _CHANGES[row.changed]),
    (_("accepted as"), lambda row, *_rest: row.accepted),
    (
        _("fingerprint"),
        lambda row, *_rest: row.report.fingerprint if row.report else row.seal and row.seal.commitment,
    ),
    # Everything without a column of its own.
    (
        _("remarks"),
        lambda row, *_rest: series(
            [*(item.message for item in all_failures(row) if item.id in ("namesake", "copied")), *row.notes]
        ),
    ),
)
"""The heads of the CSV columns, and their values."""


def render_csv(roster: Roster, lang: str) -> str:
    """One line per submission, by RFC 4180, with a byte order mark so that Excel reads UTF-8."""
    text = StringIO()
    # All cells are quoted, since a semicolon in an unquoted one may separate cells.
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow([head.in_(lang) for head, _value in _COLUMNS])
    for row in roster.rows:
        worst = worst_problem(row)
        writer.writerow([_cell(value(row, roster.event, worst), lang) for _head, value in _COLUMNS])
    return "\ufeff" + text.getvalue()


def _cell(value: Value, lang: str) -> str:
    """A cell on one line, protected from being computed as a formula."""
    text = safe("" if value is None else value.in_(lang) if hasattr(value, "in_") else str(value))
    return "'" + text if text.startswith(BEGIN_FORMULAS) else text


# JSON


def render_json(roster: Roster, lang: str) -> str:
    """The roster as JSON, with messages in `lang`."""
    event, format = roster.event, roster.format.format
    head = {
        "schema": FORM,
        "tool": dict(TOOL),
        "event": {
            "id": event.id,
            "name": event.name.in_(lang),
            **_values(event, "organiser", "date", "time_zone"),
            "game": format.game,
            "format": format.id,
            **_values(event, "as_of", "best_of"),
            "deadline": None if event.deadline is None else event.deadline.isoformat(),
            **_values(event, "required", "sealed"),
        },
    }
    entries = ",\n".join(json_line(_entry(row, lang)) for row in roster.rows)
    rest = {
        "notes": [note.in_(lang) for note in all_notes(roster)],
        "lists": [list_object(banlist, lang) for banlist in lists_used(roster)[0]],
        "summary": totals(roster),
    }
    lines = ",\n".join(f'"{key}": {json_line(value)}' for key, value in rest.items())
    return json_line(head).removesuffix("}") + f', "entries": [\n{entries}\n],\n{lines}}}\n'


def _values(record: object, *fields: str) -> dict[str, object]:
    return {field: getattr(record, field) for field in fields}


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
        **_values(row, "instead", "others", "late", "untimed", "namesakes", "copies", "copied", "lacking"),
        **_values(row, "changed", "accepted"),
        "obstacles": [plain(failure.values, lang) for failure in failures(row)],
        "notes": [note.in_(lang) for note in row.notes],
        "problems": [problem_object(problem, lang) for problem in row.problems],
        "deck": None if row.report is None else deck_object(row.report, lang),
        "seal": None
        if seal is None
        else {
            **_values(seal, "commitment", "verdict", "game"),
            "format": seal.format.id,
            "format_sha256": seal.format.sha256,
            "as_of": seal.as_of,
        },
    }


# Web page

MOST_CARDS = 20
"""How many of the most played cards are shown."""

_LONGEST_LINE = 200


def render_html(roster: Roster, lang: str) -> str:
    """The roster as a web page without network access, which runs only its own script."""
    numbers = totals(roster)
    return render_page(
        "roster.html",
        style="roster.css",
        script="roster.js",
        lang=lang,
        title=headline(roster.event),
        rules=by_rules(roster),
        notes=all_notes(roster),
        totals=total_words(numbers),
        players=max(numbers["players"], 1),
        states=[(state, name, numbers[state]) for state, name in STATES.items() if numbers[state]],
        filters={row.shown_state for row in roster.rows},
        state_names=STATES,
        statistics=statistics_of(roster, lang),
        rows=roster.rows,
        event=roster.event,
        worst_problem=worst_problem,
        flags=flags,
        submitted_words=submitted_words,
        points=points,
        labels=LABELS,
        marked=_split_at_mark,
        zones=_zones,
        cut=lambda text: cut(text, _LONGEST_LINE),
        lists=[line.strip() for line in render_lists(*lists_used(roster), lang, color=False).splitlines()],
    )


class Statistics(NamedTuple):
    """Statistics of `decks` lists: attribute values by decks, and the most played cards by decks and copies."""

    decks: int
    charts: list[tuple[str, list[tuple[str, int]]]]
    cards: list[tuple[str, int, int]]


def statistics_of(roster: Roster, lang: str) -> Statistics:
    """Statistics of the lists that count and can be read; sealed ones are left out."""
    game = roster.format.game_data.game
    decks = [
        [(entry.card, entry.copies) for entry in row.report.deck.entries if entry.card and entry.copies]
        for row in roster.rows
        if row.counts and row.report is not None
    ]
    players: Counter[str] = Counter()
    copies: Counter[str] = Counter()
    for entries in decks:
        players.update({card.name for card, _number in entries})
        for card, number in entries:
            copies[card.name] += number
    best = sorted(players, key=lambda name: (-players[name], -copies[name], name))[:MOST_CARDS]
    charts = []
    for key in game.charts:
        attribute = game.attributes[key]
        counts: Counter[str] = Counter()
        for entries in decks:
            facts = [card.facts.get(key) for card, _number in entries]
            counts.update({value for fact in facts if isinstance(fact, frozenset) for value in fact})
        others = sorted(counts.keys() - set(attribute.values), key=lambda value: (-counts[value], value))
        values = [*attribute.values, *others[:MOST_CARDS]]
        slices = [(attribute.value_name(value).in_(lang), counts[value]) for value in values]
        charts.append((attribute.name.in_(lang), slices))
    return Statistics(len(decks), charts, [(name, players[name], copies[name]) for name in best])


def _split_at_mark(line: str, column: int, length: int) -> tuple[str, str, str]:
    """The text before, in and after the marked part of a line; a long line is cut."""
    start = max(column - 1, 0)
    first = max(0, start - _LONGEST_LINE // 2)
    last = min(len(line), start + max(length, _LONGEST_LINE // 2), start + _LONGEST_LINE)
    end = min(start + length, last)
    cut = "…" if last < len(line.rstrip()) else ""
    return ("…" if first else "") + line[first:start], line[start:end], line[start + length : last] + cut


def _zones(row: Row) -> Iterator[tuple[Words | str, Words, list[tuple[str, str]]]]:
    """Each zone of a list with its size, and its cards with copies."""
    if row.report is None:
        return
    names = row.report.zone_names
    order = {zone: at for at, zone in enumerate(names)}
    entries = sorted(row.report.deck.entries, key=lambda entry: order.get(entry.zone, len(order)))
    for zone, group in groupby(entries, key=lambda entry: entry.zone):
        members = list(group)
        size = p_("cards in a zone", "{number}", number=sum(entry.copies for entry in members))
        cards = [
            (
                str(entry.copies) if entry.copies == entry.most else f"{entry.copies}–{entry.most}",
                cut(entry.name, _LONGEST_LINE),
            )
            for entry in members
        ]
        yield names.get(zone, zone), size, cards
