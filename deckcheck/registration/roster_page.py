"""The roster as a web page in one file."""

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from deckcheck.registration.acceptance import flags, points, worst_problem
from deckcheck.registration.roster import STATES, Roster, Row
from deckcheck.registration.tables import (
    all_notes,
    by_rules,
    headline,
    lists_used,
    submitted_words,
    total_words,
    totals,
)
from deckcheck.report.text import render_lists
from deckcheck.report.wording import LABELS
from deckcheck.support.messages import Words, p_
from deckcheck.support.safe_text import cut
from deckcheck.support.templates import render_page

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
        flags=lambda row: flags(row, roster.event),
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
    """Statistics of the lists that count and can be read."""
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
