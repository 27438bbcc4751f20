"""Deck checks at the table: drawing the decks, and comparing a deck with the registered list."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from decimal import ROUND_CEILING, Decimal
from itertools import product
from pathlib import Path
from typing import Literal

from msgspec import Struct

from deckcheck.cards.names import MOST_IN_LIST, FewSuggestions
from deckcheck.checking.judge import LoadedFormat, check, read_deck
from deckcheck.checking.session import Session
from deckcheck.model import deck as model
from deckcheck.model.card import Catalog
from deckcheck.model.deck import Deck, Diagnostic
from deckcheck.model.finding import UNCOUNTED, CanonicalList, Finding, FindingId, list_of, uncertain_lines
from deckcheck.registration.event import Event, EventSession
from deckcheck.registration.log import (
    DeckCheck,
    Entry,
    Log,
    Receipt,
    deck_of,
    format_of,
    open_log,
    read_entry,
    read_log,
    utc,
)
from deckcheck.registration.players import ambiguous, is_meant
from deckcheck.support import VERSION
from deckcheck.support.dates import now
from deckcheck.support.errors import suggest, user_error
from deckcheck.support.files import is_file
from deckcheck.support.json import digest
from deckcheck.support.messages import _

MOST_SIMILAR = 3
"""The most suggestions for an unknown name."""


class Difference(Struct, frozen=True):
    """Copies of a card that differ from the registered list: missing, extra, or moved to another zone."""

    kind: Literal["missing", "extra", "moved"]
    card: str
    copies: int
    registered: str | None
    found: str | None


class Unknown(Struct, frozen=True):
    """An unclear name in the deck that isn't on the registered list; `near`: similar names, best first."""

    line: int
    written: str
    near: tuple[str, ...]


class Comparison(Struct, frozen=True):
    """The result of a comparison; `findings` are why an exchange between games is illegal.

    `notes` are about text of the deck that counts no card, so that it wasn't compared, and about wrong sums.
    """

    result: Literal["same", "different", "undecided"]
    differences: tuple[Difference, ...] = ()
    findings: tuple[Finding, ...] = ()
    unread: tuple[Diagnostic | model.Entry, ...] = ()
    unknown: tuple[Unknown, ...] = ()
    notes: tuple[Diagnostic, ...] = ()


# The registered list


def find_receipt(who: str, event: Event | None = None) -> Entry:
    """The receipt in a file, or with an event also that of a player: a submission's id, an id or a name.

    With an event, it must be in force by its log. Raises UserError, with the candidates if there are several.
    """
    if is_file(Path(who)):
        entry = read_entry(Path(who))
        if not isinstance(entry.value, Receipt):
            raise user_error(_("not a receipt"), path=who)
        return entry if event is None else _in_force(read_log(event), entry, who)
    if event is None:
        hint = _("a player's name or id works with --event, which has the log")
        raise user_error(_("no such file"), path=who, hint=hint)
    log = read_log(event)
    meant = {
        number: receipt
        for number, receipt in log.receipts.items()
        if is_meant(who, receipt.submission, receipt.player)
    }
    if not meant:
        raise user_error(_("no list was accepted for {who!r}", who=who))
    if len(meant) > 1:
        raise ambiguous(who, [(one.submission, number, one.player) for number, one in meant.items()])
    return log.entries[next(iter(meant)) - 1]


def _in_force(log: Log, entry: Entry, path: str) -> Entry:
    """The entry, which must be in the log and in force. Raises UserError, at `path`."""
    if all(known.hash != entry.hash for known in log.entries):
        raise user_error(_("this receipt is not in the event's log"), path=path)
    if entry.number not in log.receipts:
        raise user_error(_("this receipt was replaced by a newer one, or revoked"), path=path)
    return entry


# Comparing


def check_deck(
    session: Session, entry: Entry, text: str, path: str, *, between_games: bool, by: str, who: str
) -> Comparison:
    """Compare a deck at the table, as a judge typed it, with the registered list of a receipt by its format.

    With the session of an event, a result that is certain is written into its log, as that of the judge `by`. `path` and
    `who` are the deck's and the receipt's names for messages. Raises UserError if the deck can't be read or has no
    card, without the format, which the event may have left since, and for a receipt out of force.
    """
    registered = entry.receipt
    format = format_of(registered, session)
    if format is None:
        hint = _("name the event file that uses it with --event")
        raise user_error(
            _("the format “{format}” is not bundled, and its file is unknown", format=registered.format.id),
            hint=None if isinstance(session, EventSession) else hint,
        )
    deck = read_deck(format, text, path)
    if not deck.entries and not deck.diagnostics:
        raise user_error(_("no card is listed here"), path=path)
    comparison = verify(registered, deck, format, between_games=between_games)
    if isinstance(session, EventSession) and comparison.result != "undecided":
        with open_log(session.event) as writer:
            result = DeckCheck(
                event=session.event.id,
                at=utc(now()),
                tool=VERSION,
                receipt=_in_force(writer.log, entry, who).number,
                result=comparison.result,
                between_games=between_games,
                by=by,
            )
            writer.add(result)
    return comparison


def verify(
    registered: Receipt, deck: Deck, format: LoadedFormat, *, between_games: bool = False
) -> Comparison:
    """Compare a deck with the registered list, by the present card names.

    `between_games` accepts every exchange of cards that the format allows and that leaves the deck legal. Raises
    UserError if the format has no such exchange.
    """
    rules, catalog = format.format, format.game_data.catalog
    exchange = frozenset(rules.exchange if between_games else ())
    if between_games and not exchange:
        raise user_error(_("in {rules} no cards are exchanged between games", rules=rules.name))
    typed = list_of(deck)
    notes = tuple(item for item in deck.diagnostics if item.id in UNCOUNTED)
    sums = tuple(item for item in deck.diagnostics if item.id == FindingId.TOTAL_MISMATCH)
    if typed is None or sums:
        return Comparison("undecided", unread=tuple(uncertain_lines(deck)), notes=(*notes, *sums))
    listed = list_of(deck_of(registered.listed, catalog)) or registered.listed
    unknown = tuple(_unknown(deck, listed, catalog))
    if unknown:
        return Comparison("undecided", unknown=unknown, notes=notes)
    differing = differences(listed, typed, catalog.fold, exchange=exchange, zones=rules.zones)
    findings: tuple[Finding, ...] = ()
    # The unchanged list was accepted, perhaps by a judge's decision, so it needs no check.
    if exchange and not differing and differences(listed, typed, catalog.fold):
        day, games = registered.as_of.isoformat(), registered.best_of
        findings = check(deck, format, as_of=day, best_of=games, suppressions=False).errors
    return Comparison("different" if differing or findings else "same", differing, findings, notes=notes)


def differences(
    listed: CanonicalList,
    deck: CanonicalList,
    fold: Callable[[str], str],
    *,
    exchange: frozenset[str] = frozenset(),
    zones: Iterable[str] = (),
) -> tuple[Difference, ...]:
    """The differences between a registered list and a deck, in the order of `zones`, then by name.

    For the zones in `exchange` only the sums must agree. Known cards are compared by name, unknown ones by
    folded name.
    """
    names: dict[tuple[str, bool], str] = {}
    missing: dict[tuple[str, bool], Counter[str]] = defaultdict(Counter)
    for sign, cards in ((1, listed.copies), (-1, deck.copies)):
        for copies in cards:
            key = (copies.card if copies.known else fold(copies.card), copies.known)
            names.setdefault(key, copies.card)
            missing[key][copies.zone] += sign * copies.copies
    differing: list[Difference] = []
    for key, name in sorted(names.items()):
        numbers = dict(sorted(missing[key].items()))
        lacking = [zone for zone, number in numbers.items() if number > 0]
        extra = [zone for zone, number in numbers.items() if number < 0]
        # Allowed exchanges first.
        for source, target in sorted(product(lacking, extra), key=lambda way: not exchange.issuperset(way)):
            number = min(numbers[source], -numbers[target])
            numbers[source] -= number
            numbers[target] += number
            if number and not exchange.issuperset((source, target)):
                differing.append(Difference("moved", name, number, source, target))
        differing += [Difference("missing", name, n, zone, None) for zone, n in numbers.items() if n > 0]
        differing += [Difference("extra", name, -n, None, zone) for zone, n in numbers.items() if n < 0]
    order = {zone: index for index, zone in enumerate(zones)}
    return tuple(sorted(differing, key=lambda one: order.get(one.registered or one.found or "", len(order))))


def _unknown(deck: Deck, listed: CanonicalList, catalog: Catalog) -> Iterator[Unknown]:
    """Unknown names in the deck that aren't on the registered list."""
    by_folded = {catalog.fold(copies.card): copies.card for copies in listed.copies}
    registered = {catalog.fold(copies.card) for copies in listed.copies if not copies.known}
    suggestions = FewSuggestions(catalog, MOST_IN_LIST)
    for entry in deck.entries:
        folded = catalog.fold(entry.written)
        if entry.card is not None or not entry.copies or folded in registered:
            continue
        # A mistyped name from the registered list is most likely.
        if entry.cards:
            likely = sorted(
                (card.name for card in entry.cards), key=lambda name: name not in by_folded.values()
            )
        else:
            likely = [by_folded[name] for name in suggest(folded, list(by_folded), most=MOST_SIMILAR)]
            likely += suggestions.suggest(entry.written)
        yield Unknown(entry.line, entry.written, tuple(dict.fromkeys(likely))[:MOST_SIMILAR])


def comparison_values(comparison: Comparison, recorded: Entry | None = None) -> dict[str, object]:
    """The comparison as values for JSON; `recorded` is the entry of a receipt that is in an event's log."""
    return {
        "result": comparison.result,
        "differences": comparison.differences,
        "findings": [{"rule": finding.rule, "message": finding.message} for finding in comparison.findings],
        "unread": [{"line": line.line, "written": line.written} for line in comparison.unread],
        "unknown": comparison.unknown,
        "notes": [{"line": note.line, "message": note.message} for note in comparison.notes],
        "source": "receipt" if recorded is None else "log",
        "receipt": None if recorded is None else recorded.number,
        "kept": recorded is not None and comparison.result != "undecided",
    }


# Drawing
#
# Each deck's lot is a hash of the seed and its receipt, and the lowest lots are drawn. So anyone with the seed
# and the log draws the same decks, and players who submit before the seed is known can't choose their lot.


_SHARE = re.compile(r"\s*(\d{1,3}(?:\.\d{1,6})?)\s*[%％]\s*")


class Draw(Struct, frozen=True):
    """The entries of the drawn receipts in the order drawn; the `total` of accepted decks, and how many of them were
    left out because they were `checked` and found as registered.
    """

    drawn: tuple[Entry, ...]
    total: int
    checked: int


def share_of(written: str) -> Decimal:
    """The share written like "10%", more than 0 and at most 1. Raises UserError."""
    match = _SHARE.fullmatch(written)
    share = Decimal(0) if match is None else Decimal(match[1]) / 100
    if not 0 < share <= 1:
        raise user_error(
            _("--share: this is not a share"), hint=_("write it like 10%: more than 0%, at most 100%")
        )
    return share


def draw(log: Log, share: Decimal, seed: str) -> Draw:
    """Draw a share of all accepted decks, rounded up, from those not yet checked as registered. Raises UserError."""
    if not seed.strip():
        raise user_error(
            _("--seed: the seed is empty"),
            hint=_("give any text, best chosen in public, such as by rolling dice"),
        )
    last = {
        entry.value.receipt: entry.value.result for entry in log.entries if isinstance(entry.value, DeckCheck)
    }
    decks = log.receipts
    left = [log.entries[number - 1] for number in decks if last.get(number) != "same"]
    try:
        lots = sorted(left, key=lambda entry: digest("lot", {"seed": seed, "receipt": entry.hash}))
    except ValueError as error:
        raise user_error(_("--seed: the seed is not text")) from error
    wanted = int((share * len(decks)).to_integral_value(ROUND_CEILING))
    return Draw(tuple(lots[:wanted]), len(decks), len(decks) - len(left))
