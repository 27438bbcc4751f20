"""The roster as a page for the organiser: one file that needs no network and runs nothing but its own script."""

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from deckcheck.model.finding import Finding, Report
from deckcheck.registration.model import Event, Roster, Row
from deckcheck.registration.roster_summary import (
    STATES,
    UNCLEAR,
    Statistics,
    by_rules,
    flags,
    headline,
    is_unclear,
    lists_used,
    remarks,
    sorted_findings,
    state_name,
    statistics_of,
    total_words,
    totals,
    worst_problem,
)
from deckcheck.registration.webpage import render_page
from deckcheck.report.text import render_lists
from deckcheck.report.wording import LABELS, label_of
from deckcheck.report.writer import line_of, marks
from deckcheck.support.messages import Localized, Words, _, p_

WORDS: Mapping[str, Words] = {
    "private": _(
        "This page contains names and lists of players: keep it where only the organiser can see it."
    ),
    "verdicts": _("Verdicts"),
    "cards": _("Most played cards"),
    "card": _("Card"),
    "decks": _("Decks"),
    "copies": _("Copies"),
    "value": _("Value"),
    "share": _("Share"),
    "find": _("Find"),
    "hint": _("name, id, card, …"),
    "all": _("All"),
    "shown": _("{{found}} of {{all}}"),
    "filter": _("Filter by verdict"),
    "nobody": _("Nobody has registered yet."),
    "list": _("List"),
    "findings": _("Findings and list"),
    "no-name": _("(no name)"),
}
"""Captions, by the names that the template gives them."""

HEADS: Mapping[str, Words] = {
    "no": _("No."),
    "who": p_("roster", "Name"),
    "id": Localized("ID", "ID"),
    "seat": p_("roster", "Table"),
    "what": _("Verdict"),
    "more": _("Details"),
}

_LONGEST_LINE = 200
_MOST_LINES = 6


def render(roster: Roster, lang: str) -> str:
    """The whole page in `lang`, ended by a line feed."""
    event, found = roster.event, totals(roster)
    about = [(_("Date"), event.date), (_("Format"), by_rules(roster).in_(lang))]
    if event.deadline is not None:
        about.append((_("Deadline"), event.local_time(event.deadline)))
    if event.organiser:
        about.append((_("Organiser"), event.organiser))
    named = [(state, STATES[state].in_(lang), number) for state, number in found.states.items()]
    used, held = lists_used(roster)
    return render_page(
        "roster.html",
        style="roster.css",
        script="roster.js",
        lang=lang,
        words={key: said.in_(lang) for key, said in WORDS.items()},
        heads={key: head.in_(lang) for key, head in HEADS.items()},
        title=headline(event).in_(lang),
        name=event.name.in_(lang),
        about=[(caption.in_(lang), value) for caption, value in about],
        notes=[note.in_(lang) for note in remarks(roster)],
        totals=total_words(found).in_(lang),
        players=max(found.players, 1),
        states=[one for one in (*named, ("unclear", UNCLEAR.in_(lang), found.unclear)) if one[2]],
        filters={_state(row) for row in roster.rows},
        statistics=_statistics(statistics_of(roster), lang),
        rows=[_row(row, event, lang) for row in roster.rows],
        lists=[line.strip() for line in render_lists(used, held, lang, color=False).splitlines()],
    )


def _statistics(found: Statistics, lang: str) -> dict[str, Any]:
    return {
        "decks": found.decks,
        "charts": [
            (chart.name.in_(lang), [(one.name.in_(lang), one.decks) for one in chart.slices])
            for chart in found.charts
        ],
        "cards": found.cards,
    }


def _state(row: Row) -> str:
    """The state by which a row is coloured and found."""
    return "unclear" if is_unclear(row) else row.state


def _row(row: Row, event: Event, lang: str) -> dict[str, Any]:
    submission, worst, report = row.submission, worst_problem(row), row.report
    came = submission.submitted_as if submission.submitted is None else event.local_time(submission.submitted)
    return {
        "number": submission.number,
        "player": submission.player,
        "state": _state(row),
        "state_name": state_name(row).in_(lang),
        "aside": not (row.counts or is_unclear(row)),
        "worst": None if worst is None else worst.in_(lang),
        "flags": [text.in_(lang) for text in flags(row)],
        "notes": [text.in_(lang) for text in row.notes],
        "place": submission.place,
        "came": came,
        "problems": [
            {
                "label": "error",
                "where": "" if problem.line is None else _line(problem.line, lang),
                "message": problem.message.in_(lang),
                "excerpt": None if problem.excerpt is None else _cut(problem.excerpt),
                "hint": None if problem.hint is None else problem.hint.in_(lang),
            }
            for problem in row.problems
        ],
        "findings": [] if report is None else [_finding(one, report, lang) for one in sorted_findings(row)],
        "zones": [] if report is None else _zones(report, lang),
    }


def _finding(finding: Finding, report: Report, lang: str) -> dict[str, Any]:
    label = label_of(finding, lenient=False)
    found = marks(finding, report)
    more = len(found) - _MOST_LINES
    return {
        "label": label,
        "label_name": LABELS[label].in_(lang),
        "message": finding.message.in_(lang),
        "lines": [
            (_line(line, lang), *_marked(line_of(report, line), column, length))
            for line, column, length in found[:_MOST_LINES]
        ],
        "more": _("and {more} more lines", more=more).in_(lang) if more > 0 else None,
        "hint": None if finding.hint is None else finding.hint.in_(lang),
    }


def _line(number: int, lang: str) -> str:
    return _("line {number}", number=number).in_(lang)


def _marked(line: str, column: int, length: int) -> tuple[str, str, str]:
    """What is before the marked stretch of a line, the stretch, and what is behind it; of a long line a part."""
    start = max(column - 1, 0)
    first = max(0, start - _LONGEST_LINE // 2)
    last = min(len(line), start + max(length, _LONGEST_LINE // 2), start + _LONGEST_LINE)
    end = min(start + length, last)
    cut = "…" if last < len(line.rstrip()) else ""
    return ("…" if first else "") + line[first:start], line[start:end], line[start + length : last] + cut


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_LINE else text[:_LONGEST_LINE] + "…"


def _zones(report: Report, lang: str) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Each zone of a list with its size, and its cards with their copies."""
    order = {zone: at for at, zone in enumerate(report.zone_names)}
    entries = sorted(report.deck.entries, key=lambda entry: order.get(entry.zone, len(order)))
    zones = []
    for zone, group in groupby(entries, key=lambda entry: entry.zone):
        held = list(group)
        name = report.zone_names[zone].in_(lang) if zone in report.zone_names else zone
        size = p_("cards in a zone", "{number}", number=sum(entry.copies for entry in held)).in_(lang)
        cards = [
            (
                str(entry.copies) if entry.copies == entry.most else f"{entry.copies}–{entry.most}",
                _cut(entry.cards[0].name if len(entry.cards) == 1 else entry.written),
            )
            for entry in held
        ]
        zones.append((name, size, cards))
    return zones
