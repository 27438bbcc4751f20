"""Printed decklist sheets: what stands on them, and one HTML page for A4 paper, which a browser prints or saves as PDF."""

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC
from math import inf

import segno
from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from deckcheck.cards.names import KATAKANA
from deckcheck.checking.judge import LoadedFormat, PreparedFormat
from deckcheck.checking.session import OpenedDeck
from deckcheck.decklists.header_directives_comments import games_of
from deckcheck.model.deck import Deck, Entry
from deckcheck.model.finding import Copies, Finding, FindingId, Report, State
from deckcheck.model.format import AllCopies, Clause, CopiesOfEach, Format, Linear, Not, Severity
from deckcheck.registration.acceptance import as_finding
from deckcheck.registration.event import Event
from deckcheck.registration.log import Receipt, check_receipt
from deckcheck.registration.roster import Roster, Row
from deckcheck.registration.submissions import Player, submission_in
from deckcheck.report.wording import LABELS, VERDICTS, gravest_first, label_of
from deckcheck.rules.counting import tally
from deckcheck.support import VERSION
from deckcheck.support.messages import OR, _, series
from deckcheck.support.safe_text import cells, cut, safe
from deckcheck.support.templates import render, render_page

NOBODY = Player()

MOST_NOTES = 5
"""The most findings that are printed, so that the signature stays on the list's page."""

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

    def also(self, other: "Required") -> "Required":
        """This bound and another one."""
        lows = [low for low in (self.low, other.low) if low is not None]
        highs = [high for high in (self.high, other.high) if high is not None]
        listed = [set(numbers) for numbers in (self.one_of, other.one_of) if numbers is not None]
        one_of = tuple(sorted(set.intersection(*listed))) if listed else None
        return Required(max(lows, default=None), min(highs, default=None), one_of)

    def in_(self, lang: str) -> str:
        """The bound in short form, such as "50", "0–12" or "at least 40"; "" for none."""
        low, high = self.low, self.high
        if self.one_of is not None:
            return series(self.one_of, OR).in_(lang)
        if high is None:
            return "" if low is None else _("at least {low}", low=low).in_(lang)
        return str(high) if low == high else f"{low or 0}–{high}"


class Zone(Struct, frozen=True):
    """A zone, or several together, with the number of copies (None on an empty sheet) and the bound `required`.

    `blanks` is the number of ruled lines, `played` says whether the format has it. `sums` are this zone with others
    before it, if a bound counts them together.
    """

    title: str
    copies: int | None
    required: str = ""
    cards: tuple[Copies, ...] = ()
    blanks: int = 0
    played: bool = True
    sums: "tuple[Zone, ...]" = ()


class Page(Struct, frozen=True):
    """One player's sheet in its language; unknown values of the player and None are to be filled in by hand.

    `rules` are those of the day. `zones` are in the format's order, followed by those that it doesn't have. `notes` are
    printed above the report's findings.
    """

    lang: str
    player: Player
    event: Event | None
    format: Format
    rules: PreparedFormat
    zones: tuple[Zone, ...]
    report: Report | None = None
    notes: tuple[Finding, ...] = ()

    @property
    def deck_name(self) -> str | None:
        """The deck's name, as its player or the list says."""
        return self.player.deck_name or (None if self.report is None else self.report.name)

    @property
    def findings(self) -> list[Finding]:
        """What is printed beneath the list, the gravest findings of the report first."""
        return [*self.notes, *gravest_first(() if self.report is None else self.report.findings)]


def short(fingerprint: str) -> str:
    """The first 16 hex digits in groups of four: enough to tell decks apart by eye."""
    return " ".join(fingerprint[index : index + 4] for index in range(0, 16, 4))


def payload(format: str, fingerprint: str) -> str:
    """The text of the QR code; a format's id that doesn't fit into a code is left out."""
    id = format if re.fullmatch("[!-9;-~]{1,100}", format) else ""
    return f"deckcheck:1:{id}:{fingerprint}"


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
    notes: tuple[Finding, ...] = (),
) -> Page:
    """The sheet of a judged deck; an empty one, ruled for the format, without one."""
    prepared = format.prepared(as_of, best_of)
    deck = None if report is None else report.deck
    held: dict[str, list[Entry]] = {zone: [] for zone in format.format.zones}
    for entry in () if deck is None else deck.entries:
        held.setdefault(entry.zone, []).append(entry)
    names = format.zone_names
    titles = {zone: names[zone].in_(lang) if zone in names else zone for zone in held}
    bounds = required(prepared, format.format.zones, deck)
    blanks = rows(prepared, format.format.zones, bounds) if deck is None else {}

    def total(over: tuple[str, ...]) -> Zone:
        title = series([titles[zone] for zone in over], _PLUS).in_(lang)
        copies = sum(entry.copies for zone in over for entry in held[zone])
        return Zone(title, None if deck is None else copies, bounds.get(over, Required()).in_(lang))

    zones = [
        replace(
            total((zone,)),
            cards=_cards(zone, entries),
            blanks=blanks.get(zone, 0),
            played=zone in format.format.zones,
            sums=tuple(total(over) for over in bounds if len(over) > 1 and over[-1] == zone),
        )
        for zone, entries in held.items()
    ]
    return Page(lang, player, event, format.format, prepared, tuple(zones), report, notes)


def _cards(zone: str, entries: Iterable[Entry]) -> tuple[Copies, ...]:
    """The cards of a zone in the order of the list; entries of the same card are added up."""
    copies: Counter[tuple[str, bool]] = Counter()
    for entry in entries:
        copies[entry.name, entry.card is not None] += entry.copies
    return tuple(Copies(zone, name, number, known) for (name, known), number in copies.items() if number)


def required(
    format: PreparedFormat, zones: Iterable[str], deck: Deck | None
) -> dict[tuple[str, ...], Required]:
    """The unconditional bounds on copies of any cards, by zones; those that grow are calculated for the deck."""
    order = tuple(zones)
    entries = () if deck is None else deck.entries
    unread = () if deck is None else [line for line in deck.diagnostics if line.id == FindingId.INVALID_LINE]
    held = tally(entries, len(unread), frozenset(format.names.zones))
    bounds: dict[tuple[str, ...], Required] = {}
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
        bounds[over] = bounds.get(over, Required()).also(Required(low, high, limits.one_of))
    return bounds


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
    player = submission_in(opened.text, opened.deck.path, UTC).player
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
    asked = {(row.group, row.id): row for row in rows or roster.player_rows.values() if row.withdrawn is None}
    pages = []
    unclear = set()
    for row in sorted(asked.values(), key=_by_table):
        receipt = None if row.accepted is None else receipts.get(row.accepted)
        # If it is unclear which list counts, an accepted one does, or one that was named.
        if rows or row.counts or receipt is not None:
            chosen = lang if always else roster.event.language_of(row.player, lang)
            pages.append(_page_of_row(row, receipt, roster, chosen))
        else:
            unclear.add(row.group)
    return pages, [row.submission.place for row in roster.rows if row.group in unclear]


def _by_table(row: Row) -> tuple[bool, list[tuple[bool, int, str]], str, str]:
    """Sort key: the table (9 before 10, those without one last), then the reading or name in any kana, then the id."""
    player = row.player
    table = player.table or ""
    parts = re.findall(r"(\d{1,18})|([^\d]+)", table[:100])
    numbered = [(not digits, int(digits or 0), other) for digits, other in parts]
    spoken = unicodedata.normalize("NFKC", player.reading or player.name or "").translate(KATAKANA)
    return not table, numbered, spoken, row.id


def _page_of_row(row: Row, receipt: Receipt | None, roster: Roster, lang: str) -> Page:
    """The sheet of a row, with the list of the player's receipt if that is another one."""
    event, format, report = roster.event, roster.format, row.report
    as_of, best_of, deck_name = event.as_of, event.best_of, row.deck_name
    # Without the places of files, which are the organiser's business.
    notes = tuple(as_finding(problem) for problem in row.problems)
    if receipt is not None and receipt.fingerprint != row.mark:
        as_of, best_of, deck_name = receipt.as_of.isoformat(), receipt.best_of, receipt.player.deck_name
        report = check_receipt(receipt, format)
        message = _(
            "the list as it was accepted (receipt {accepted}), not one that came in later",
            accepted=row.accepted,
        )
        notes = (Finding("", Severity.INFO, State.KEPT, message),)
    player = replace(row.player, deck_name=deck_name)
    return sheet_of(
        format, lang, as_of, report=report, player=player, event=event, best_of=best_of, notes=notes
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
    title = first.deck_name if first.event is None else first.event.name.in_(first.lang)
    return render_page(
        "sheets.html",
        style="sheets.css",
        title=clip(title, 90) or _("Decklist"),
        lang=first.lang,
        sheets=[Markup(_sheet(page)) for page in pages],
    )


def clip(text: str | None, most: int = MOST_CHARS) -> str:
    """The text on one line, without hidden characters and cut to `most` characters; "" for None."""
    return cut(safe(" ".join(cut(text or "", 4 * most).split())), most)


def _sheet(page: Page) -> str:
    """One sheet in its language."""
    fingerprint = None if page.report is None else page.report.fingerprint
    code = None
    if fingerprint is not None:
        made = segno.make(payload(page.format.id, fingerprint), error="m", micro=False, boost_error=False)
        code = Markup(made.svg_inline(border=_QUIET, omitsize=True, svgclass=None, lineclass=None))
    return render(
        "sheet.html",
        page.lang,
        page=page,
        player=page.player,
        most_notes=MOST_NOTES,
        label_of=label_of,
        clip=clip,
        style=_style(page),
        verdicts=VERDICTS,
        labels=LABELS,
        fingerprint="" if fingerprint is None else short(fingerprint),
        code=code,
        version=VERSION,
    )


def _style(page: Page) -> int:
    """The number of the style in which zones and notes should fit on one sheet."""
    told = [clip(finding.message.in_(page.lang)) for finding in page.findings[: MOST_NOTES + 1]]
    lines = sum(1 + cells(message) // _CELLS_OF_A_NOTE for message in told) * _LINES_OF_A_NOTE
    for zone in page.zones:
        lines += _LINES_OF_A_ZONE + len(zone.sums) + zone.blanks
        lines += sum(1 + cells(clip(held.card)) // _CELLS_OF_A_NAME for held in zone.cards)
    return bisect_left(_ROOM, lines)
