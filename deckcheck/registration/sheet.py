"""Printed decklist sheets: what stands on them, and one HTML page for A4 paper, which a browser prints or saves as PDF."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC
from math import inf

import segno
from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from deckcheck.checking.judge import LoadedFormat, PreparedFormat
from deckcheck.checking.session import OpenedDeck
from deckcheck.decklists.header_directives_comments import games_of
from deckcheck.model.deck import Deck, Entry
from deckcheck.model.finding import Finding, FindingId, Report, Verdict
from deckcheck.model.format import AllCopies, Clause, CopiesOfEach, Format, Linear, Not
from deckcheck.registration.event import Event
from deckcheck.registration.log import Receipt, check_receipt
from deckcheck.registration.roster import Roster, Row
from deckcheck.registration.submissions import Player, read_sender, submission
from deckcheck.report.wording import GRAVEST_FIRST, LABELS, VERDICTS, Label, label_of
from deckcheck.rules.counting import tally
from deckcheck.support import VERSION
from deckcheck.support.messages import OR, _, series
from deckcheck.support.safe_text import cells, cut, safe
from deckcheck.support.templates import render, render_page

NOBODY = Player()

MOST_NOTES = 5
"""The most rules whose findings are printed, so that the signature stays on the list's page."""

_PLUS = _(" + ")
_MOST_ROWS = 100
_ROWS_BY_DEFAULT = 10
_WRITTEN_ONCE = 15


class Required(Struct, frozen=True):
    """A bound on copies."""

    low: int | None = None
    high: int | None = None
    one_of: tuple[int, ...] | None = None

    @property
    def most(self) -> int | None:
        """The highest number allowed, or else the lowest required; None if there is neither."""
        return max(self.one_of) if self.one_of else self.low if self.high is None else self.high

    def in_(self, lang: str) -> str:
        """The bound in short form, such as "50", "0–12" or "at least 40"; "" for none."""
        low, high = self.low, self.high
        if self.one_of is not None:
            return series(self.one_of, OR).in_(lang)
        if high is None:
            return "" if low is None else _("at least {low}", low=low).in_(lang)
        return str(high) if low == high else f"{low or 0}–{high}"


class Line(Struct, frozen=True):
    """Copies of one card; the name is as in the list unless it is `sure`."""

    copies: int
    name: str
    sure: bool = True


class Total(Struct, frozen=True):
    """Copies in zones, None on an empty sheet, and the bound `required`."""

    title: str
    copies: int | None
    required: str = ""


class Zone(Struct, frozen=True):
    """A zone; `blanks` is the number of ruled lines, `played` says whether the format has it.

    `sums` are the totals of this zone with others before it, if a bound counts them together.
    """

    total: Total
    lines: tuple[Line, ...]
    blanks: int = 0
    played: bool = True
    sums: tuple[Total, ...] = ()


class Note(Struct, frozen=True):
    """Findings of one rule in the sheet's language. `rule` is its id, None for other notes."""

    label: Label
    rule: str | None
    message: str


class Page(Struct, frozen=True):
    """One player's sheet in its language; None is for unknown values, to be filled in by hand.

    `rules` are those of the day. `zones` are in the format's order, followed by those that it doesn't have.
    """

    lang: str
    player: Player
    event: Event | None
    format: Format
    rules: PreparedFormat
    zones: tuple[Zone, ...]
    deck: str | None = None
    fingerprint: str | None = None
    verdict: Verdict | None = None
    notes: tuple[Note, ...] = ()


def short(fingerprint: str) -> str:
    """The first 16 hex digits in groups of four: enough to tell decks apart by eye."""
    return " ".join(fingerprint[index : index + 4] for index in range(0, 16, 4))


def payload(page: Page) -> str | None:
    """The text of the QR code, None without a fingerprint; an id that doesn't fit into a code is left out."""
    if page.fingerprint is None:
        return None
    id = page.format.id if re.fullmatch("[!-9;-~]{1,100}", page.format.id) else ""
    return f"deckcheck:1:{id}:{page.fingerprint}"


# One sheet


def sheet_of(
    format: LoadedFormat,
    lang: str,
    as_of: str,
    *,
    report: Report | None = None,
    player: Player = NOBODY,
    event: Event | None = None,
    best_of: int | None = None,
    notes: tuple[Note, ...] = (),
) -> Page:
    """The sheet of a judged deck, with `notes` before the findings; an empty one, ruled for the format, without one."""
    prepared = format.prepared(as_of, best_of)
    deck = None if report is None else report.deck
    held: dict[str, list[Entry]] = {zone: [] for zone in format.format.zones}
    for entry in () if deck is None else deck.entries:
        held.setdefault(entry.zone, []).append(entry)
    names = format.zone_names
    titles = {zone: names[zone].in_(lang) if zone in names else zone for zone in held}
    bounds = required(prepared, format.format.zones, deck)
    blanks = rows(prepared, format.format.zones, bounds) if deck is None else {}

    def total(over: tuple[str, ...]) -> Total:
        title = series([titles[zone] for zone in over], _PLUS).in_(lang)
        copies = sum(entry.copies for zone in over for entry in held[zone])
        return Total(title, None if deck is None else copies, bounds.get(over, Required()).in_(lang))

    zones = [
        Zone(
            total((zone,)),
            _lines(entries),
            blanks.get(zone, 0),
            zone in format.format.zones,
            tuple(total(over) for over in bounds if len(over) > 1 and over[-1] == zone),
        )
        for zone, entries in held.items()
    ]
    page = Page(lang, player, event, format.format, prepared, tuple(zones), player.deck_name, notes=notes)
    if report is None:
        return page
    return replace(
        page,
        deck=player.deck_name or report.name,
        fingerprint=report.fingerprint,
        verdict=report.verdict,
        notes=(*notes, *_notes(report.findings, lang)),
    )


def _lines(entries: Iterable[Entry]) -> tuple[Line, ...]:
    """One line per card, in the order of the list; entries of the same card are added up."""
    copies: Counter[tuple[str, bool]] = Counter()
    for entry in entries:
        copies[entry.name, entry.card is not None] += entry.copies
    return tuple(Line(number, name, sure) for (name, sure), number in copies.items() if number)


def _notes(findings: Sequence[Finding], lang: str) -> list[Note]:
    """At most MOST_NOTES findings, those that make the deck illegal first; the others are only counted."""
    notes = [Note(label_of(finding, False), finding.rule, finding.message.in_(lang)) for finding in findings]
    notes.sort(key=lambda note: GRAVEST_FIRST.index(note.label))
    if len(notes) > MOST_NOTES:
        left = _("and {left} more", left=len(notes) - MOST_NOTES)
        notes[MOST_NOTES:] = [Note(notes[MOST_NOTES].label, None, left.in_(lang))]
    return notes


def required(
    format: PreparedFormat, zones: Iterable[str], deck: Deck | None
) -> dict[tuple[str, ...], Required]:
    """The unconditional bounds on copies of any cards, by zones; those that grow are calculated for the deck."""
    order = tuple(zones)
    entries = () if deck is None else deck.entries
    unread = () if deck is None else [line for line in deck.diagnostics if line.id == FindingId.INVALID_LINE]
    held = tally(entries, len(unread), frozenset(format.names.zones))
    bounds: dict[tuple[str, ...], list[Required]] = {}
    for evaluated in format.clauses:
        clause = evaluated.clause
        wanted = clause.selection.zones
        over = order if wanted is None else tuple(zone for zone in order if zone in wanted)
        if not over or not _bounds_copies(clause):
            continue
        limits = evaluated.limits(held)
        low = None if limits.low is None else int(limits.low.low)
        high = None if limits.high is None or limits.high.high == inf else int(limits.high.high)
        # How far an upper bound grows isn't known yet on an empty sheet.
        if deck is None and isinstance(clause.high, Linear):
            high = None
        bounds.setdefault(over, []).append(Required(low, high, limits.one_of))
    return {over: _together(several) for over, several in bounds.items()}


def _together(bounds: Sequence[Required]) -> Required:
    """Several bounds as one."""
    listed = [set(bound.one_of) for bound in bounds if bound.one_of is not None]
    return Required(
        max((bound.low for bound in bounds if bound.low is not None), default=None),
        min((bound.high for bound in bounds if bound.high is not None), default=None),
        tuple(sorted(set.intersection(*listed))) if listed else None,
    )


def _bounds_copies(clause: Clause) -> bool:
    is_of_all = clause.selection.where is None and isinstance(clause.measure, AllCopies) and not clause.loop
    return is_of_all and clause.severity == "error" and clause.condition is None


def rows(
    format: PreparedFormat, zones: Iterable[str], sizes: Mapping[tuple[str, ...], Required]
) -> Mapping[str, int]:
    """How many ruled lines each zone of an empty sheet gets: fewer than cards if most are played in several copies."""
    order = tuple(zones)
    single: set[str] = set()
    for evaluated in format.clauses:
        clause = evaluated.clause
        # Exceptions don't count.
        everywhere = clause.selection.where is None or isinstance(clause.selection.where, Not)
        if everywhere and isinstance(clause.measure, CopiesOfEach) and clause.high == 1:
            single.update(clause.selection.zones or order)
    most = {zone: sizes.get((zone,), Required()).most for zone in order}
    for over, wanted in sizes.items():
        open_zones = [zone for zone in over if most[zone] is None]
        if len(over) > 1 and len(open_zones) == 1 and wanted.most is not None:
            most[open_zones[0]] = max(wanted.most - sum(most[zone] or 0 for zone in over), 0)
    lines = {}
    for zone, number in most.items():
        number = _ROWS_BY_DEFAULT if number is None else number
        if zone not in single and number > _WRITTEN_ONCE:
            number = max(_WRITTEN_ONCE, -(-number * 3 // 5))
        lines[zone] = min(number, _MOST_ROWS)
    return lines


def sheet_of_list(opened: OpenedDeck, asked_lang: str | None, lang: str, name: str | None = None) -> Page:
    """The sheet of one list, in the language asked for or else in that of its player; `name` goes before the list's.

    Raises UserError.
    """
    # Sheets are for judges, who ignore nothing.
    report = opened.check(strict=True)
    path = opened.deck.path
    player = submission(path, read_sender(opened.text, path).given, None, UTC).player
    if name is not None:
        player = replace(player, name=name)
    best_of = games_of(opened.deck, opened.best_of)
    lang = asked_lang or player.language or lang
    return sheet_of(opened.format, lang, report.as_of, report=report, player=player, best_of=best_of)


# The sheets of an event


def sheets_of(
    roster: Roster, lang: str, rows: Sequence[Row] = (), *, always: bool = False
) -> tuple[list[Page], list[str]]:
    """A page for each row that counts, by table, and the places of submissions if it is unclear which of them counts.

    `rows` are the only ones to print, all if there are none; players who have withdrawn are left out. An accepted list
    is printed as it was accepted. With `always`, pages are in `lang`, else in the player's language.
    """
    receipts = roster.log.receipts
    # A submission may be named twice.
    asked = {(row.group, row.id): row for row in rows or roster.player_rows.values()}
    pages = []
    unclear = set()
    for row in sorted(asked.values(), key=_place):
        receipt = None if row.accepted is None else receipts.get(row.accepted)
        # If it is unclear which list counts, an accepted one does, or one that was named.
        if row.withdrawn is not None:
            continue
        if rows or row.counts or receipt is not None:
            chosen = lang if always else roster.event.language_of(row.player, lang)
            pages.append(_page_of_row(row, receipt, roster, chosen))
        else:
            unclear.add(row.group)
    return pages, [row.submission.place for row in roster.rows if row.group in unclear]


def _place(row: Row) -> tuple[bool, list[tuple[bool, int, str]], str, str]:
    """Sort key: the table (9 before 10, those without one last), then the reading or name, then the id."""
    player = row.player
    table = player.table or ""
    parts = re.findall(r"(\d{1,18})|([^\d]+)", table[:100])
    numbered = [(not digits, int(digits or 0), other) for digits, other in parts]
    return not table, numbered, player.reading or player.name or "", row.id


def _page_of_row(row: Row, receipt: Receipt | None, roster: Roster, lang: str) -> Page:
    """The sheet of a row, with the list of the player's receipt if that is another one."""
    event, format, report = roster.event, roster.format, row.report
    as_of, best_of = event.as_of, event.best_of
    deck = row.deck_name
    if receipt is not None and receipt.fingerprint != row.mark:
        as_of, best_of = receipt.as_of.isoformat(), receipt.best_of
        deck = receipt.player.deck_name
        report = check_receipt(receipt, format)
        message = _(
            "the list as it was accepted (receipt {accepted}), not one that came in later",
            accepted=row.accepted,
        )
        notes = [Note(Label.INFO, None, message.in_(lang))]
    else:
        # Without the places of files, which are the organiser's business.
        notes = [Note(Label.ERROR, None, problem.message.in_(lang)) for problem in row.problems[:MOST_NOTES]]
    player = replace(row.player, deck_name=deck)
    return sheet_of(
        format, lang, as_of, report=report, player=player, event=event, best_of=best_of, notes=tuple(notes)
    )


# As HTML

MOST_CHARS = 240
"""The most characters of a name or sentence that are printed."""

_QUIET = 4
"""The width, in modules, of the blank margin that readers need around a QR code."""


_ROOM = (45, 53, 67, 105, 120)
"""How many lines fit on a sheet in each of the styles of sheets.css, from large to small, but the last."""

_LINES_OF_A_ZONE, _LINES_OF_A_NOTE = 3, 2
"""How many lines the head of a zone with the space below it takes, and a line of a note across all columns."""

_CELLS_OF_A_NAME, _CELLS_OF_A_NOTE = 28, 110
"""How many terminal cells of a name and of a note fit on a line."""


def render_html(pages: Sequence[Page]) -> str:
    """The web page of these sheets, at least one; it needs no network and runs no scripts."""
    first = pages[0]
    event = None if first.event is None else first.event.name.in_(first.lang)
    return render_page(
        "sheets.html",
        style="sheets.css",
        title=clip(event or first.deck, 90) or _("Decklist"),
        lang=first.lang,
        sheets=[Markup(_sheet(page)) for page in pages],
    )


def clip(text: str | None, most: int = MOST_CHARS) -> str:
    """The text on one line, without hidden characters and cut to `most` characters; "" for None."""
    return cut(safe(" ".join(cut(text or "", 4 * most).split())), most)


def _sheet(page: Page) -> str:
    """One sheet in its language."""
    return render(
        "sheet.html",
        page.lang,
        page=page,
        player=page.player,
        clip=clip,
        style=_style(page),
        verdicts=VERDICTS,
        labels=LABELS,
        fingerprint="" if page.fingerprint is None else short(page.fingerprint),
        code=_code(page),
        version=VERSION,
    )


def _style(page: Page) -> int:
    """The number of the style in which zones and notes should fit on one sheet."""
    notes = sum(1 + cells(clip(note.message)) // _CELLS_OF_A_NOTE for note in page.notes)
    lines = notes * _LINES_OF_A_NOTE
    for zone in page.zones:
        lines += _LINES_OF_A_ZONE + len(zone.sums) + zone.blanks
        lines += sum(1 + cells(clip(line.name)) // _CELLS_OF_A_NAME for line in zone.lines)
    return bisect_left(_ROOM, lines)


def _code(page: Page) -> Markup | None:
    """The QR code of a sheet as SVG; None without a fingerprint."""
    text = payload(page)
    if text is None:
        return None
    code = segno.make(text, error="m", micro=False, boost_error=False)
    return Markup(code.svg_inline(border=_QUIET, omitsize=True, svgclass=None, lineclass=None))
