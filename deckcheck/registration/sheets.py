"""Sheets of paper for players and judges: from a judged list, or from a format alone, to a page; the pages of an event.

Pages are plain data in the sheet's language; sheet_layout says how they look.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from math import inf
from typing import Literal, NamedTuple

from deckcheck.checking.judge import LoadedFormat, PreparedFormat
from deckcheck.model.deck import Deck, Entry
from deckcheck.model.finding import Finding, ListUsed, Report, Verdict
from deckcheck.model.format import Clause, Growing, Not
from deckcheck.registration.canonical import check_list
from deckcheck.registration.eventfile import Event
from deckcheck.registration.log import Receipt
from deckcheck.registration.precedence import mark_of
from deckcheck.registration.roster import Roster, Row
from deckcheck.registration.submissions import Player
from deckcheck.report.wording import Label, label_of
from deckcheck.rules.counting import Interval, Limits, judge, tally
from deckcheck.support.messages import _

Lang = Literal["ja", "en"]

NOBODY = Player()


class Required(NamedTuple):
    """How many copies have to be there: from `low` to `high` (None: no bound), and one of `one_of` if that is given.

    `step` is by how much the bound grows with something in the deck, None where
    it doesn't or where it is known by how much.
    """

    low: int | None = None
    high: int | None = None
    one_of: tuple[int, ...] | None = None
    step: int | None = None


class Line(NamedTuple):
    """Copies of one card. `most` differs from `copies` where the list can be read with two counts.

    `sure` says that the name is one certain card's, in its canonical form;
    otherwise it stands as it is written in the list.
    """

    copies: int
    most: int
    name: str
    sure: bool = True


class Total(NamedTuple):
    """Copies in one zone or several, against what is required.

    `found` is None on an empty sheet; a pair where the lines leave it open.
    `fits` is None where nothing is required or nobody can tell.
    """

    found: tuple[int, int] | None
    required: Required | None
    fits: bool | None = None


class Zone(NamedTuple):
    """A zone's box. `blanks` are the ruled lines of an empty one; `played` says that the format has the zone."""

    title: str
    lines: tuple[Line, ...]
    total: Total
    blanks: int = 0
    played: bool = True


class Sum(NamedTuple):
    """A bound over several zones together, which go by their titles."""

    titles: tuple[str, ...]
    total: Total


class ListDate(NamedTuple):
    """A banlist and its newest change as of the day; None where it had none by then."""

    name: str
    latest: str | None


class Note(NamedTuple):
    """A finding in the sheet's language. `rule` is its id, None for what is no rule's."""

    label: Label
    rule: str | None
    message: str


class Page(NamedTuple):
    """One player's sheet.

    None stands for what is not known and is left to the pen. `fingerprint` is
    that of the deck, 64 hex digits, None where there is no certain deck;
    `verdict` is None where no list was judged. `zones` stand in the format's
    order, then those that it doesn't have. `date` and `as_of` are ISO dates;
    `format` has the edition with it where there is one.
    """

    lang: Lang
    player: Player
    event: str | None
    organiser: str | None
    date: str | None
    format: str
    format_id: str
    as_of: str
    lists: tuple[ListDate, ...]
    zones: tuple[Zone, ...]
    sums: tuple[Sum, ...] = ()
    fingerprint: str | None = None
    verdict: Verdict | None = None
    notes: tuple[Note, ...] = ()
    empty: bool = False


def short(fingerprint: str) -> str:
    """The first 16 hex digits in groups of four: enough to tell decks apart by eye."""
    return " ".join(fingerprint[at : at + 4] for at in range(0, 16, 4))


def payload(page: Page) -> str | None:
    """What the QR code holds: `deckcheck:1:FORMAT-ID:FINGERPRINT`; None without a fingerprint.

    The number is raised when the form changes. An id that a code has no room
    for is left out.
    """
    if page.fingerprint is None:
        return None
    id = page.format_id if re.fullmatch("[!-9;-~]{1,100}", page.format_id) else ""
    return f"deckcheck:1:{id}:{page.fingerprint}"


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
    deck = report.deck
    sizes = required(format.prepared(report.as_of, best_of), report.zones, deck)
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
                _lines(held[zone]),
                total([zone], sizes.get((zone,))),
                0,
                zone in report.zones,
            )
            for zone in held
        ),
        sums=_sums(titles, {over: total(over, wanted) for over, wanted in sizes.items()}),
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
            Zone(title, (), Total(None, sizes.get((zone,))), lines[zone]) for zone, title in titles.items()
        ),
        sums=_sums(titles, {over: Total(None, wanted) for over, wanted in sizes.items()}),
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


def _sums(titles: Mapping[str, str], totals: Mapping[tuple[str, ...], Total]) -> tuple[Sum, ...]:
    """The totals over several zones."""
    return tuple(
        Sum(tuple(titles[zone] for zone in over), total) for over, total in totals.items() if len(over) > 1
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
            limits = evaluated.limits(held)
            low = None if limits.low is None else int(limits.low.low)
            high = None if limits.high is None or limits.high.high == inf else int(limits.high.high)
            steps = [
                end.plus for end in (clause.low, clause.high) if isinstance(end, Growing) and deck is None
            ]
            bound = Required(low, high, limits.one_of, next(iter(steps), None))
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
    single: set[str] = set()
    for evaluated in format.program.clauses:
        clause = evaluated.clause
        # Exceptions aside.
        everywhere = clause.selection.where is None or isinstance(clause.selection.where, Not)
        if everywhere and clause.counted == "copies" and clause.per == "name" and clause.high == 1:
            single.update(clause.selection.zones or order)
    most = {zone: _most(sizes.get((zone,))) for zone in order}
    for over, wanted in sizes.items():
        open_zones = [zone for zone in over if most[zone] is None]
        whole = _most(wanted)
        if len(over) > 1 and len(open_zones) == 1 and whole is not None:
            most[open_zones[0]] = max(whole - sum(most[zone] or 0 for zone in over), 0)
    return {zone: _rows(most[zone], zone in single) for zone in order}


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
        _page_of_row(
            row, roster, lang if always else roster.event.language_of(row.submission.player, lang), accepted
        )
        for row in sorted(printed.values(), key=_place)
    )
    return Sheets(pages, tuple(row.submission.place for row in roster.rows if row.group not in printed))


def _accepted_list(row: Row, receipts: Mapping[int, Receipt]) -> Receipt | None:
    """The receipt whose list is to be printed instead of what came in; None where that is as it was accepted."""
    receipt = None if row.accepted is None else receipts.get(row.accepted)
    if receipt is None or receipt.listed is None or (row.counts and mark_of(row) == receipt.mark):
        return None
    return receipt


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
        report = check_list(receipt.listed, format, receipt.place, receipt.as_of, receipt.best_of)
        page = sheet_of(report, format, lang, player=player, event=event, best_of=receipt.best_of)
        message = _(
            "the list as it was accepted (receipt {accepted}), not one that came in later",
            accepted=row.accepted,
        )
        return page._replace(notes=(Note("info", None, message.in_(lang)), *page.notes))
    if row.report is not None:
        return sheet_of(row.report, format, lang, player=player, event=event, best_of=event.best_of)
    # Nothing of where a file lies, which is the organiser's business.
    notes = [Note("error", None, problem.message.in_(lang)) for problem in row.problems[:MOST_NOTES]]
    if row.state == "gone":
        # The receipt holds it; here there is nothing to copy it from.
        gone = _("the accepted list is gone (receipt {accepted})", accepted=row.accepted)
        notes = [Note("error", None, gone.in_(lang))]
    elif row.seal is not None:
        sealed = _("handed in sealed ({sealed})", sealed=short(row.seal.commitment))
        notes = [Note("info", None, sealed.in_(lang))]
    return empty_sheet(
        format, event.as_of, lang, player=player, event=event, best_of=event.best_of, notes=notes
    )
