"""From what was found out about a deck to a sheet, and from a format to an empty one."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from deckcheck.checking.judge import LoadedFormat
from deckcheck.model.deck import Entry
from deckcheck.model.finding import Finding, ListUsed, Report
from deckcheck.registration.model import Event, Player
from deckcheck.registration.sheets.model import (
    NOBODY,
    Line,
    ListDate,
    Note,
    Page,
    Required,
    Sum,
    Total,
    Zone,
)
from deckcheck.registration.sheets.sizes import Sizes, fits, required, rows
from deckcheck.report.wording import label_of
from deckcheck.support.messages import _

Lang = Literal["ja", "en"]

MOST_NOTES = 40
"""Who has more wrong has another list than the one that is meant; the rest is counted."""


def sheet_of(
    report: Report,
    format: LoadedFormat,
    lang: Lang,
    *,
    player: Player = NOBODY,
    event: Event | None = None,
    best_of: int | None = None,
) -> Page:
    """The sheet of a deck that was judged by `format`."""
    day = format.prepared(report.as_of, best_of)
    deck = report.deck
    sizes = required(day, report.zones, deck)
    held: dict[str, list[Entry]] = {zone: [] for zone in report.zones}
    for entry in deck.entries:
        held.setdefault(entry.zone, []).append(entry)
    titles = {zone: report.zone_names[zone].in_(lang) for zone in held if zone in report.zone_names}
    counted = {zone: _count(entries) for zone, entries in held.items()}
    # A line that can't be read may hold cards of any zone.
    whole = all(diagnostic.id != "invalid-line" for diagnostic in deck.diagnostics)
    zones = tuple(
        Zone(
            titles.get(zone, zone),
            _lines(entries),
            _total(counted[zone], sizes.get((zone,)), whole),
            played=zone in report.zones,
        )
        for zone, entries in held.items()
    )
    page = _page(lang, player, event, format, report.as_of, report.edition, report.lists)
    return page._replace(
        zones=zones,
        sums=_sums(sizes, titles, counted, whole),
        fingerprint=report.fingerprint,
        verdict=report.verdict,
        notes=_notes(report.findings, lang),
    )


def empty_sheet(
    format: LoadedFormat,
    as_of: str,
    lang: Lang,
    *,
    player: Player = NOBODY,
    event: Event | None = None,
    best_of: int | None = None,
    notes: Sequence[Note] = (),
) -> Page:
    """A sheet to be filled in by hand, with ruled lines as the format needs them; `notes` tell why it is empty."""
    day = format.prepared(as_of, best_of)
    names = format.format.zones
    sizes = required(day, names, None)
    lines = rows(day, names, sizes)
    titles = {zone: name.in_(lang) for zone, name in names.items()}
    page = _page(lang, player, event, format, as_of, day.edition, day.lists)
    return page._replace(
        zones=tuple(
            Zone(titles[zone], (), Total(None, sizes.get((zone,))), blanks=lines[zone]) for zone in names
        ),
        sums=_sums(sizes, titles, None),
        notes=tuple(notes),
        empty=True,
    )


def _page(
    lang: Lang,
    player: Player,
    event: Event | None,
    format: LoadedFormat,
    as_of: str,
    edition: str | None,
    lists: Iterable[ListUsed],
) -> Page:
    """What is alike on a sheet with a list and on an empty one."""
    name = format.format.name.in_(lang)
    return Page(
        lang=lang,
        player=player,
        event=None if event is None else event.name.in_(lang),
        organiser=None if event is None else event.organiser,
        date=None if event is None else event.date,
        format=f"{name} {edition}" if edition else name,
        format_id=format.format.id,
        as_of=as_of,
        lists=tuple(ListDate(one.name.in_(lang), one.latest) for one in lists),
        zones=(),
    )


def _lines(entries: Iterable[Entry]) -> tuple[Line, ...]:
    """One line a card in the order of the list; what is written twice is added up."""
    lines: dict[tuple[str, bool], Line] = {}
    for entry in entries:
        if not entry.most:
            continue
        sure = len(entry.cards) == 1
        name = entry.cards[0].name if sure else entry.written
        before = lines.get((name, sure), Line(0, 0, name, sure))
        lines[name, sure] = before._replace(
            copies=before.copies + entry.copies, most=before.most + entry.most
        )
    return tuple(lines.values())


def _count(entries: Iterable[Entry]) -> tuple[int, int]:
    pairs = [(entry.copies, entry.most) for entry in entries]
    return sum(copies for copies, _ in pairs), sum(most for _, most in pairs)


def _total(found: tuple[int, int], wanted: Required | None, whole: bool) -> Total:
    return Total(found, wanted, fits(found, wanted) if whole else None)


def _sums(
    sizes: Sizes,
    titles: Mapping[str, str],
    counted: Mapping[str, tuple[int, int]] | None,
    whole: bool = True,
) -> tuple[Sum, ...]:
    sums = []
    for over, wanted in sizes.items():
        if len(over) > 1:
            named = tuple(titles[zone] for zone in over)
            if counted is None:
                sums.append(Sum(named, Total(None, wanted)))
            else:
                ends = [counted[zone] for zone in over]
                found = (sum(low for low, _ in ends), sum(high for _, high in ends))
                sums.append(Sum(named, _total(found, wanted, whole)))
    return tuple(sums)


def _notes(findings: Sequence[Finding], lang: Lang) -> tuple[Note, ...]:
    """The findings, what makes the deck illegal first."""
    order = ("error", "undecided", "warning", "info")
    ranked = sorted(findings, key=lambda one: order.index(label_of(one, False)))
    notes = [Note(label_of(one, False), one.rule, one.message.in_(lang)) for one in ranked[:MOST_NOTES]]
    left = len(ranked) - len(notes)
    if left:
        said = _("and {left} more", left=left).in_(lang)
        notes.append(Note(label_of(ranked[MOST_NOTES], False), None, said))
    return tuple(notes)
