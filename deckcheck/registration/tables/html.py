"""The roster as a page for the organiser: one file that needs no network and runs nothing but its own script."""

from collections.abc import Iterator

from deckcheck.registration.model import Roster
from deckcheck.registration.tables.field import Chart, Field, Played, field_of
from deckcheck.registration.tables.markup import bar, foreign, page, shown
from deckcheck.registration.tables.people import people, state_of
from deckcheck.registration.tables.told import (
    STATES,
    UNCLEAR,
    Totals,
    by_rules,
    headline,
    lists_used,
    local,
    remarks,
    total_words,
    totals,
)
from deckcheck.report.summary import render_lists
from deckcheck.support.messages import Words, _

_DAY = _("Date")
_RULES = _("Format")
_HOST = _("Organiser")
_UNTIL = _("Deadline")
_PRIVATE = _("This page holds names and lists of players: keep it where only the organiser can see it.")
_VERDICTS = _("Verdicts")
_CARDS = _("Most played cards")
_CARD, _DECKS, _COPIES = _("Card"), _("Decks"), _("Copies")
_VALUE, _SHARE = _("Value"), _("Share")
_FIND = _("Find")
_HINT = _("name, id, card, …")
_ALL = _("All")
_SHOWN = _("{{found}} of {{all}}")
_FILTER = _("Filter by verdict")
_NOBODY = _("Nobody has registered yet.")


def render(roster: Roster, lang: str) -> str:
    """The whole page in `lang`, ended by a line feed."""
    found = totals(roster)
    parts = [*_head(roster, lang), *_field(roster, found, lang)]
    if roster.rows:
        parts += [*_search(roster, found, lang), people(roster.rows, roster.event, lang)]
    else:
        parts.append(f"<p>{shown(_NOBODY.in_(lang))}</p>")
    parts.append("</main>")
    parts += _foot(roster, lang)
    title = headline(roster.event).in_(lang)
    return page(title, "\n".join(parts), lang, style="roster.css", script="roster.js")


def _head(roster: Roster, lang: str) -> Iterator[str]:
    event = roster.event
    about = [(_DAY, event.date), (_RULES, by_rules(roster).in_(lang))]
    if event.deadline is not None:
        about.append((_UNTIL, local(event.deadline, event)))
    if event.organiser:
        about.append((_HOST, event.organiser))
    told = "".join(
        f"<div><dt>{shown(name.in_(lang))}</dt><dd>{foreign(said)}</dd></div>" for name, said in about
    )
    yield f"<header><h1>{foreign(event.name.in_(lang))}</h1>"
    yield f'<dl class="about">{told}</dl><p class="private">{shown(_PRIVATE.in_(lang))}</p></header>'
    yield "<main>"
    for note in remarks(roster):
        yield f'<p class="note">{shown(note.in_(lang))}</p>'


def _field(roster: Roster, found: Totals, lang: str) -> Iterator[str]:
    if not roster.rows:
        return
    field = field_of(roster)
    states = [(state, STATES[state], number) for state, number in found.states.items()]
    counted = [*states, ("unclear", UNCLEAR, found.unclear)]
    yield '<div class="field"><div>'
    yield f'<section class="verdicts"><h2>{shown(_VERDICTS.in_(lang))}</h2>'
    yield f'<p class="big">{shown(total_words(found).in_(lang))}</p>'
    yield bar((number / max(found.players, 1), state) for state, _, number in counted if number)
    legend = "".join(
        f'<li class="{state}">{_DOT}{shown(name.in_(lang))}<b>{number}</b></li>'
        for state, name, number in counted
        if number
    )
    yield f'<ul class="legend">{legend}</ul></section>'
    if field.decks:
        yield from (_chart(chart, field, lang) for chart in field.charts)
        yield "</div><div>"
        yield _most_played(field, lang)
    yield "</div></div>"


_DOT = (
    '<svg class="dot" viewBox="0 0 10 10" aria-hidden="true" focusable="false">'
    '<rect width="10" height="10" fill="currentColor"/></svg>'
)


def _chart(chart: Chart, field: Field, lang: str) -> str:
    rows = "".join(
        f'<tr><th scope="row">{foreign(one.name.in_(lang))}</th>'
        f'<td class="shape">{bar([(one.decks / field.decks, "plain")])}</td>'
        f'<td class="number">{one.decks}</td><td class="number">{round(100 * one.decks / field.decks)}%</td></tr>'
        for one in chart.slices
    )
    heads = _heads([_VALUE, None, _DECKS, _SHARE], lang)
    return f"<section><h2>{shown(chart.name.in_(lang))}</h2>{_table(heads, rows)}</section>"


def _most_played(field: Field, lang: str) -> str:
    rows = "".join(_played(one, field) for one in field.cards)
    heads = _heads([_CARD, None, _DECKS, _COPIES], lang)
    return f"<section><h2>{shown(_CARDS.in_(lang))}</h2>{_table(heads, rows)}</section>"


def _played(one: Played, field: Field) -> str:
    return (
        f'<tr><th scope="row">{foreign(one.card)}</th>'
        f'<td class="shape">{bar([(one.decks / field.decks, "plain")])}</td>'
        f'<td class="number">{one.decks}</td><td class="number">{one.copies}</td></tr>'
    )


def _heads(names: list[Words | None], lang: str) -> str:
    return "".join(
        "<td></td>"
        if name is None
        else f'<th scope="col"{"" if at == 0 else _NUMBER}>{shown(name.in_(lang))}</th>'
        for at, name in enumerate(names)
    )


_NUMBER = ' class="number"'


def _table(heads: str, rows: str) -> str:
    return f'<table class="counts"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>'


def _search(roster: Roster, found: Totals, lang: str) -> Iterator[str]:
    states = {state_of(row) for row in roster.rows}
    names = [(state, STATES[state], number) for state, number in found.states.items()]
    buttons = "".join(
        f'<button type="button" data-state="{state}" aria-pressed="false">{shown(name.in_(lang))}<b>{number}</b></button>'
        for state, name, number in [*names, ("unclear", UNCLEAR, found.unclear)]
        if state in states and number
    )
    yield '<div class="search" id="search" role="search" hidden>'
    yield f'<label for="find">{shown(_FIND.in_(lang))}</label>'
    yield f'<input id="find" type="search" autocomplete="off" spellcheck="false" placeholder="{shown(_HINT.in_(lang))}">'
    yield f'<div class="states" role="group" aria-label="{shown(_FILTER.in_(lang))}">'
    yield f'<button type="button" data-state="" aria-pressed="true">{shown(_ALL.in_(lang))}</button>{buttons}</div>'
    yield f'<output id="shown" for="find" data-words="{shown(_SHOWN.in_(lang))}"></output></div>'


def _foot(roster: Roster, lang: str) -> Iterator[str]:
    used, held = lists_used(roster)
    told = render_lists(used, held, lang, color=False).splitlines()
    if told:
        items = "".join(f"<li>{foreign(line.strip())}</li>" for line in told[1:])
        yield f"<footer><p>{shown(told[0])}</p><ul>{items}</ul></footer>"
