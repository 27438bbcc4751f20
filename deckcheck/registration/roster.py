"""All lists of an event, each judged by the event's format on the event's day."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from deckcheck.checking.judge import LoadedFormat, check, read_deck
from deckcheck.checking.suggestions import MemoisedSuggestions
from deckcheck.formats.lookup import Folders, known_formats
from deckcheck.model.deck import Deck
from deckcheck.registration.model import Accepted, Event, Roster, Row, Submission
from deckcheck.registration.provenance import Provenance
from deckcheck.registration.rivals import is_late, lacking, settled
from deckcheck.registration.sealed import of_seal, seal_in
from deckcheck.registration.together import (
    by_earlier_rules,
    compared,
    gone,
    grouped,
    last_of_each,
    recognised,
    side_by_side,
)
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.messages import Words, _
from deckcheck.support.text import Text

MOST_SUGGESTED = 1000
"""Unknown names of an event for which names like them are looked for; it takes some milliseconds for each."""

_OF_A_LIST = ("as-of", "date", "best-of")
"""What a list may say of its own check, and what an event says in its stead."""

_BLANK = "\ufeff \t\r\n　"

# Of a secret list nothing may get into the organiser's tables, not even what is wrong with it.
_OPEN = _("lists are handed in sealed at this event")
_SEAL_IT = _("deckcheck seal makes a seal")

_NOT_SUGGESTED = _(
    "so many names are not in the card table that names like them were looked for "
    "{most_suggested:,} times only",
    most_suggested=MOST_SUGGESTED,
)

Another = Callable[[str], Words | None]


class _Bench(NamedTuple):
    """What every list of the event is judged with."""

    event: Event
    format: LoadedFormat
    another: Another
    rules: Provenance | None


def judge_event(
    event: Event,
    submissions: Sequence[Submission],
    format: LoadedFormat,
    accepted: Sequence[Accepted] = (),
    rules: Provenance | None = None,
) -> Roster:
    """What was found out about each submission, and which one stands for its player.

    `format` is the event's, and `rules` its content in hashes, which a sealed
    event must have. What a list says of format, day and games of a
    match never wins over the event, and what it asks to ignore is told all the
    same. Raises UserError for a format that can't be played.
    """
    format.prepared(event.as_of, event.best_of)
    catalog = MemoisedSuggestions(format.game_data.catalog, MOST_SUGGESTED)
    bench = _Bench(event, format.with_catalog(catalog), _others_by_name(format, event.folders), rules)
    numbers, before = grouped(submissions, accepted)
    mine: dict[int, list[Row]] = {}
    for one, group in zip(submissions, numbers, strict=True):
        mine.setdefault(group, []).append(_judged(bench, one, group))
    judged = [row for several in mine.values() for row in several]
    standing = recognised(last_of_each(accepted, before), judged)
    rows = [
        compared(row, standing.get(group))
        for group, several in mine.items()
        for row in settled(event, several)
    ]
    rows.sort(key=lambda row: row.submission.number)
    last = max((one.number for one in submissions), default=0)
    rows = side_by_side([*rows, *gone(standing, rows, last)], standing)
    earlier = by_earlier_rules(standing, rules)
    notes = ([] if earlier is None else [earlier]) + ([_NOT_SUGGESTED] if catalog.exhausted else [])
    return Roster(event, format, tuple(rows), tuple(notes))


def _judged(bench: _Bench, one: Submission, group: int) -> Row:
    event = bench.event
    row = Row(one, "missing", group, lacking=lacking(event, one.player))
    if one.problem is not None:
        problem = Problem(one.problem, one.place)
        return row._replace(state="unreadable", problems=(problem,), late=is_late(event, one))
    if one.text is None or not one.text.strip(_BLANK):
        return row
    found = _read(bench, row, one.text)
    return found if found.state == "missing" else found._replace(late=is_late(event, one))


def _read(bench: _Bench, row: Row, text: str) -> Row:
    event, format, another, rules = bench
    place = row.submission.place
    try:
        bare = text.strip(_BLANK)
        said = seal_in(bare)
        if said is not None:
            return of_seal(event, row, bare, said, format.format, rules)
        if event.sealed:
            return row._replace(state="unreadable", problems=(Problem(_OPEN, place, hint=_SEAL_IT),))
        deck = read_deck(format, text, place)
        if not deck.entries and not deck.diagnostics:
            return row
        header = {key: value for key, value in deck.header.items() if key not in _OF_A_LIST}
        report = check(
            deck._replace(header=header),
            format,
            as_of=event.as_of,
            best_of=event.best_of,
            suppressions=False,
        )
    except UserError as error:
        problems = tuple(one if one.path is not None else one._replace(path=place) for one in error.problems)
        return row._replace(state="unreadable", problems=problems)
    return row._replace(state=report.verdict, report=report, notes=_notes(deck, another))


def _notes(deck: Deck, another: Another) -> tuple[Words, ...]:
    notes = []
    said = deck.header.get("format")
    other = None if said is None else another(said)
    if other is not None:
        notes.append(other)
    if deck.directives:
        notes.append(_("the list asks to ignore findings; at an event that doesn't count"))
    return tuple(notes)


def _others_by_name(format: LoadedFormat, folders: Folders) -> Another:
    """A function that tells, from what a list says, that it was made for another format than the event's."""
    rules = format.format
    mine = {_folded(one) for one in _names(rules.id, rules.name.ja, rules.name.en, rules.aliases)}

    @cache
    def known() -> Mapping[str, set[tuple[str, str, str]]]:
        found: dict[str, set[tuple[str, str, str]]] = {}
        for one in known_formats(folders):
            for name in _names(one.id, one.ja, one.en, one.aliases):
                found.setdefault(_folded(name), set()).add((one.id, one.ja, one.en))
        return found

    def another(said: str) -> Words | None:
        wanted = _folded(said)
        if wanted in mine:
            return None
        hits = known().get(wanted, set())
        if len(hits) != 1:
            return None
        [(id, ja, en)] = hits
        if id == rules.id:
            return None
        return Text(
            f"リストには「{ja}」用とありますが、{rules.name.ja}として調べました",
            f"the list says it is for {en}; it was judged as {rules.name.en}",
        )

    return another


def _names(id: str, ja: str, en: str, aliases: Sequence[str]) -> list[str]:
    return [name for name in (id, id.rpartition("/")[2], ja, en, *aliases) if name]


def _folded(name: str) -> str:
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())
