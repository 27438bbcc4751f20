"""What stands on a sheet: from a judged list, or from a format alone, to a page; and the pages of an event."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from deckcheck.checking.judge import LoadedFormat, PreparedFormat, check
from deckcheck.model.deck import Deck, Entry
from deckcheck.model.finding import Finding, ListUsed, Report
from deckcheck.model.format import Clause, Growing, Not
from deckcheck.registration.canonical import deck_of
from deckcheck.registration.log import Receipt
from deckcheck.registration.model import Event, Player, Roster, Row
from deckcheck.registration.precedence import mark_of
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
    short,
)
from deckcheck.report.wording import label_of
from deckcheck.rules.counting import Interval, Limits, judge, tally
from deckcheck.support.messages import _

Lang = Literal["ja", "en"]
Sizes = dict[tuple[str, ...], Required]
"""From zones, in the format's order, to what is required of them together."""

MOST_NOTES = 40
"""Who has more wrong has another list than the one that is meant; the rest is counted."""

_MOST_ROWS = 60
_ROWS_BY_DEFAULT = 10
_WRITTEN_ONCE = 15


class Sheets(NamedTuple):
    """The pages, and the places of submissions without one since it can't be told which of the player's counts."""

    pages: tuple[Page, ...]
    unclear: tuple[str, ...]


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
    prepared = format.prepared(report.as_of, best_of)
    deck = report.deck
    sizes = required(prepared, report.zones, deck)
    held: dict[str, list[Entry]] = {zone: [] for zone in report.zones}
    for entry in deck.entries:
        held.setdefault(entry.zone, []).append(entry)
    titles = {zone: report.zone_names[zone].in_(lang) for zone in held if zone in report.zone_names}
    # A line that can't be read may hold cards of any zone.
    whole = all(diagnostic.id != "invalid-line" for diagnostic in deck.diagnostics)

    def total(zones: Iterable[str], wanted: Required | None) -> Total:
        entries = [entry for zone in zones for entry in held[zone]]
        found = sum(entry.copies for entry in entries), sum(entry.most for entry in entries)
        return Total(found, wanted, fits(found, wanted) if whole else None)

    page = _page(lang, player, event, format, report.as_of, report.edition, report.lists)
    return page._replace(
        zones=tuple(
            Zone(
                titles.get(zone, zone),
                _lines(entries),
                total([zone], sizes.get((zone,))),
                played=zone in report.zones,
            )
            for zone, entries in held.items()
        ),
        sums=tuple(
            Sum(tuple(titles[zone] for zone in over), total(over, wanted))
            for over, wanted in sizes.items()
            if len(over) > 1
        ),
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
    prepared = format.prepared(as_of, best_of)
    titles = {zone: name.in_(lang) for zone, name in format.format.zones.items()}
    sizes = required(prepared, titles, None)
    lines = rows(prepared, titles, sizes)
    page = _page(lang, player, event, format, as_of, prepared.edition, prepared.lists)
    return page._replace(
        zones=tuple(
            Zone(title, (), Total(None, sizes.get((zone,))), blanks=lines[zone])
            for zone, title in titles.items()
        ),
        sums=tuple(
            Sum(tuple(titles[zone] for zone in over), Total(None, wanted))
            for over, wanted in sizes.items()
            if len(over) > 1
        ),
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


def _notes(findings: Sequence[Finding], lang: Lang) -> tuple[Note, ...]:
    """The findings, what makes the deck illegal first."""
    order = ("error", "undecided", "warning", "info")
    ranked = sorted(findings, key=lambda finding: order.index(label_of(finding, False)))
    notes = [
        Note(label_of(finding, False), finding.rule, finding.message.in_(lang))
        for finding in ranked[:MOST_NOTES]
    ]
    left = len(ranked) - len(notes)
    if left:
        message = _("and {left} more", left=left).in_(lang)
        notes.append(Note(label_of(ranked[MOST_NOTES], False), None, message))
    return tuple(notes)


def required(format: PreparedFormat, zones: Iterable[str], deck: Deck | None) -> Sizes:
    """The bounds on copies of any cards, by the zones that they are over.

    Only bounds without conditions count. Bounds that grow with what is in the
    deck are those of `deck`; without one they have their step.
    """
    order = tuple(zones)
    if deck is None:
        held = tally((), 0, frozenset())
    else:
        unread = sum(diagnostic.id == "invalid-line" for diagnostic in deck.diagnostics)
        held = tally(deck.entries, unread, frozenset(format.names.zones))
    found: Sizes = {}
    for evaluated in format.program.clauses:
        clause = evaluated.clause
        wanted = clause.selection.zones
        over = order if wanted is None else tuple(zone for zone in order if zone in wanted)
        if over and _bounds_copies(clause):
            step = _step(clause) if deck is None else None
            bound = _required(evaluated.limits(held), step)
            found[over] = _both(found[over], bound) if over in found else bound
    return found


def _bounds_copies(clause: Clause) -> bool:
    conditional = clause.when is not None and clause.when.selection is not None
    return (
        clause.counted == "copies"
        and clause.selection.where is None
        and clause.per is None
        and clause.severity == "error"
        and not (conditional or clause.for_each or clause.for_some)
    )


def _step(clause: Clause) -> int | None:
    bounds = (clause.low, clause.high)
    return next((bound.plus for bound in bounds if isinstance(bound, Growing)), None)


def _required(limits: Limits, step: int | None) -> Required:
    low = None if limits.low is None else int(limits.low.low)
    high = None if limits.high is None or limits.high.high == float("inf") else int(limits.high.high)
    return Required(low, high, limits.one_of, step)


def _both(first: Required, second: Required) -> Required:
    """Both at once."""
    low = max((end for end in (first.low, second.low) if end is not None), default=None)
    high = min((end for end in (first.high, second.high) if end is not None), default=None)
    listed = first.one_of or second.one_of
    if first.one_of is not None and second.one_of is not None:
        listed = tuple(number for number in first.one_of if number in second.one_of)
    return Required(low, high, listed, first.step or second.step)


def fits(found: tuple[int, int], wanted: Required | None) -> bool | None:
    """Whether so many copies are right; None where nothing is wanted or nobody can tell."""
    if wanted is None:
        return None
    low, high = (None if end is None else Interval(end, end) for end in (wanted.low, wanted.high))
    return {"kept": True, "violated": False}.get(judge(Interval(*found), Limits(low, high, wanted.one_of)))


def rows(format: PreparedFormat, zones: Iterable[str], sizes: Sizes) -> Mapping[str, int]:
    """How many ruled lines each zone of an empty sheet gets.

    As many as there can be names where a name may be there once; otherwise
    fewer than there are cards, since most are played several times.
    """
    order = tuple(zones)
    single = {zone for clause in _singletons(format) for zone in clause.selection.zones or order}
    most = {zone: _most(sizes.get((zone,))) for zone in order}
    for over, wanted in sizes.items():
        open_zones = [zone for zone in over if most[zone] is None]
        whole = _most(wanted)
        if len(over) > 1 and len(open_zones) == 1 and whole is not None:
            most[open_zones[0]] = max(whole - sum(most[zone] or 0 for zone in over), 0)
    return {zone: _rows(most[zone], zone in single) for zone in order}


def _singletons(format: PreparedFormat) -> Iterator[Clause]:
    """The clauses that allow a name once, exceptions aside."""
    for evaluated in format.program.clauses:
        clause = evaluated.clause
        where = clause.selection.where
        everywhere = where is None or isinstance(where, Not)
        if everywhere and clause.counted == "copies" and clause.per == "name" and clause.high == 1:
            yield clause


def _most(wanted: Required | None) -> int | None:
    if wanted is None:
        return None
    if wanted.one_of:
        return max(wanted.one_of)
    return wanted.high if wanted.high is not None else wanted.low


def _rows(most: int | None, single: bool) -> int:
    if most is None:
        return _ROWS_BY_DEFAULT
    if not single and most > _WRITTEN_ONCE:
        most = max(_WRITTEN_ONCE, -(-most * 3 // 5))
    return min(most, _MOST_ROWS)


def sheets_of(
    roster: Roster, lang: Lang, receipts: Mapping[int, Receipt] | None = None, *, always: bool = False
) -> Sheets:
    """A page for each row that counts, by table; who sent no list that can be read gets an empty one.

    Of `receipts`, by number, the lists are printed that were accepted, whatever came in since.
    A page is in its player's language, else in the event's, else in `lang`;
    with `always` it is in `lang`.
    """
    accepted = receipts or {}
    printed: dict[int, Row] = {}
    for row in roster.rows:
        # Where nobody can tell which list counts, one that was accepted does.
        unclear = row.instead is None and row.group not in printed
        if row.counts or (unclear and _accepted_list(row, accepted)):
            printed[row.group] = row
    pages = tuple(
        _page_of_row(row, roster, lang if always else _language(row, roster.event, lang), accepted)
        for row in sorted(printed.values(), key=_place)
    )
    return Sheets(pages, tuple(row.submission.place for row in roster.rows if row.group not in printed))


def _accepted_list(row: Row, receipts: Mapping[int, Receipt]) -> Receipt | None:
    """The receipt whose list is to be printed instead of what came in; None where that is as it was accepted."""
    receipt = None if row.accepted is None else receipts.get(row.accepted)
    if receipt is None or receipt.listed is None or (row.counts and mark_of(row) == receipt.mark):
        return None
    return receipt


def _language(row: Row, event: Event, lang: Lang) -> Lang:
    return "ja" if (row.submission.player.language or event.language or lang) == "ja" else "en"


def _place(row: Row) -> tuple[bool, tuple[tuple[bool, int, str], ...], str, int]:
    """By table (table 9 before table 10, those without one last), by reading, by number."""
    player = row.submission.player
    table = player.table or ""
    parts = re.findall(r"(\d{1,18})|([^\d]+)", table[:100])
    numbered = tuple((not digits, int(digits or 0), other) for digits, other in parts)
    return not table, numbered, player.reading or player.name or "", row.submission.number


def _page_of_row(row: Row, roster: Roster, lang: Lang, receipts: Mapping[int, Receipt]) -> Page:
    event, player, format = roster.event, row.submission.player, roster.format
    receipt = _accepted_list(row, receipts)
    if receipt is not None and receipt.listed is not None:
        deck = deck_of(receipt.listed, format.game_data.catalog.find, format.format.zones, receipt.place)
        report = check(deck, format, as_of=receipt.as_of, best_of=receipt.best_of, suppressions=False)
        page = sheet_of(report, format, lang, player=player, event=event, best_of=receipt.best_of)
        message = _(
            "the list as it was accepted (receipt {accepted}), not one that came in later",
            accepted=row.accepted,
        )
        return page._replace(notes=(Note("info", None, message.in_(lang)), *page.notes))
    if row.report is not None:
        return sheet_of(row.report, format, lang, player=player, event=event, best_of=event.best_of)
    notes = _reasons(row, lang)
    return empty_sheet(
        format, event.as_of, lang, player=player, event=event, best_of=event.best_of, notes=notes
    )


def _reasons(row: Row, lang: Lang) -> Sequence[Note]:
    """Why there is no list on the sheet. Nothing of where a file lies, which is the organiser's business."""
    if row.state == "gone":
        # The receipt holds it; here there is nothing to copy it from.
        message = _("the accepted list is gone (receipt {accepted})", accepted=row.accepted)
        return [Note("error", None, message.in_(lang))]
    if row.seal is not None:
        message = _("handed in sealed ({sealed})", sealed=short(row.seal.commitment))
        return [Note("info", None, message.in_(lang))]
    return [Note("error", None, problem.message.in_(lang)) for problem in row.problems[:MOST_NOTES]]
