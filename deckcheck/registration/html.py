"""The roster and printed sheets as web pages: one file each, which needs no network and runs nothing but its own script."""

from base64 import b64encode
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from deckcheck.model.finding import Finding, Report
from deckcheck.registration.roster import (
    STATES,
    Roster,
    Worst,
    by_rules,
    flags,
    headline,
    lists_used,
    sorted_findings,
    submitted_words,
    total_words,
    totals,
    worst_problem,
)
from deckcheck.registration.sheet_layout import document
from deckcheck.registration.sheets import Page
from deckcheck.report.text import render_lists
from deckcheck.report.wording import LABELS, label_of
from deckcheck.report.writer import line_of, marks
from deckcheck.support.messages import Words, _, p_
from deckcheck.support.safetext import safe

TEMPLATES = Path(__file__).parents[1] / "templates"
MOST_CARDS = 20

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
"""Captions of the roster, by the names that the template gives them."""

HEADS: Mapping[str, Words | str] = {
    "no": _("No."),
    "who": p_("roster", "Name"),
    "id": "ID",
    "seat": p_("roster", "Table"),
    "what": _("Verdict"),
    "more": _("Details"),
}

_LONGEST_LINE = 200
_MOST_LINES = 6


def render_sheets(pages: Sequence[Page]) -> str:
    """The file of these sheets, of which there is at least one."""
    data = document(pages)
    return _render(
        "sheets.html",
        style="sheets.css",
        title=data["title"],
        lang=data["lang"],
        all_words=data["words"],
        sheets=data["sheets"],
    )


def render_roster(roster: Roster, lang: str) -> str:
    """The page of a roster in `lang`, ended by a line feed."""
    event, found = roster.event, totals(roster)
    deadline = None if event.deadline is None else event.local_time(event.deadline)
    about = {
        _("Date"): event.date,
        _("Format"): by_rules(roster),
        _("Deadline"): deadline,
        _("Organiser"): event.organiser,
    }
    return _render(
        "roster.html",
        style="roster.css",
        script="roster.js",
        lang=lang,
        words=WORDS,
        heads=HEADS,
        title=headline(event),
        name=event.name,
        about=about.items(),
        notes=roster.remarks,
        totals=total_words(found),
        players=max(found["players"], 1),
        states=[(state, name, found[state]) for state, name in STATES.items() if found[state]],
        filters={row.shown_state for row in roster.rows},
        state_names=STATES,
        statistics=statistics_of(roster, lang),
        rows=[
            {
                "row": row,
                "worst": worst_problem(row),
                "flags": flags(row),
                "came": submitted_words(row, event),
                "findings": [_finding(each, row.report) for each in sorted_findings(row) if row.report],
                "zones": [] if row.report is None else _zones(row.report),
            }
            for row in roster.rows
        ],
        cut=_cut,
        line=_line,
        lists=[line.strip() for line in render_lists(*lists_used(roster), lang, color=False).splitlines()],
    )


def _render(template: str, *, style: str, lang: str, script: str | None = None, **values: Any) -> str:
    """The page that a template makes of `values`, in which `style` and `script`, files too, are allowed to work.

    Every value is put into `lang` and escaped; invisible characters and those that change the direction
    of writing are written out.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    def shown(value: Any) -> Any:
        text = value.in_(lang) if isinstance(value, Words | Worst) else value
        return safe(text) if type(text) is str else text

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        finalize=shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    rules = ["default-src 'none'"]
    for key, name in (("style", style), ("script", script)):
        if name is not None:
            text = (TEMPLATES / name).read_text(encoding="utf-8")
            digest = b64encode(sha256(text.encode()).digest()).decode()
            rules.append(f"{key}-src 'sha256-{digest}'")
            values[key] = Markup(text)
    # Escaping would break its quotes; nothing in it comes from outside.
    values["policy"] = Markup("; ".join([*rules, "base-uri 'none'", "form-action 'none'"]))
    return environment.get_template(template).render(values, lang=lang)


class Statistics(NamedTuple):
    """What is played in `decks` lists.

    `charts` are attributes, each with its values in the game's order and the number of decks that hold a card with the
    value; `cards` are the most played ones, each with the number of decks and of copies.
    """

    decks: int
    charts: list[tuple[str, list[tuple[str, int]]]]
    cards: list[tuple[str, int, int]]


def statistics_of(roster: Roster, lang: str) -> Statistics:
    """What is played at an event; lists that don't count, can't be read or are sealed are left out."""
    game = roster.format.game_data.game
    decks = [
        [entry for entry in row.report.deck.entries if len(entry.cards) == 1 and entry.copies]
        for row in roster.rows
        if row.counts and row.report is not None
    ]
    players: Counter[str] = Counter()
    copies: Counter[str] = Counter()
    for entries in decks:
        players.update({entry.cards[0].name for entry in entries})
        for entry in entries:
            copies[entry.cards[0].name] += entry.copies
    best = sorted(players, key=lambda name: (-players[name], -copies[name], name))[:MOST_CARDS]
    charts = []
    for key in game.charts:
        attribute = game.attributes[key]
        counts: Counter[str] = Counter()
        for entries in decks:
            facts = [entry.cards[0].facts.get(key) for entry in entries]
            counts.update({value for fact in facts if isinstance(fact, frozenset) for value in fact})
        others = sorted(counts.keys() - set(attribute.values), key=lambda value: (-counts[value], value))
        names = {value: name.in_(lang) for value, name in (attribute.names or {}).items()}
        values = [*attribute.values, *others[:MOST_CARDS]]
        slices = [(names.get(value, value), counts[value]) for value in values]
        charts.append((attribute.name.in_(lang), slices))
    return Statistics(len(decks), charts, [(name, players[name], copies[name]) for name in best])


def _finding(finding: Finding, report: Report) -> dict[str, Any]:
    label = label_of(finding, lenient=False)
    found = marks(finding, report)
    more = len(found) - _MOST_LINES
    return {
        "label": label,
        "label_name": LABELS[label],
        "message": finding.message,
        "lines": [
            (_line(line), *_marked(line_of(report, line), column, length))
            for line, column, length in found[:_MOST_LINES]
        ],
        "more": _("and {more} more lines", more=more) if more > 0 else None,
        "hint": finding.hint,
    }


def _line(number: int) -> Words:
    return _("line {number}", number=number)


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


def _zones(report: Report) -> list[tuple[Words | str, Words, list[tuple[str, str]]]]:
    """Each zone of a list with its size, and its cards with their copies."""
    order = {zone: at for at, zone in enumerate(report.zone_names)}
    entries = sorted(report.deck.entries, key=lambda entry: order.get(entry.zone, len(order)))
    zones: list[tuple[Words | str, Words, list[tuple[str, str]]]] = []
    for zone, group in groupby(entries, key=lambda entry: entry.zone):
        held = list(group)
        size = p_("cards in a zone", "{number}", number=sum(entry.copies for entry in held))
        cards = [
            (
                str(entry.copies) if entry.copies == entry.most else f"{entry.copies}–{entry.most}",
                _cut(entry.cards[0].name if len(entry.cards) == 1 else entry.written),
            )
            for entry in held
        ]
        zones.append((report.zone_names.get(zone, zone), size, cards))
    return zones
