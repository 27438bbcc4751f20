"""Decks at the table: which are drawn for a check, and how one differs from what was registered.

A deck's lot is a hash of the seed and of the deck's receipt. The lowest lots are
drawn. Who knows seed and log draws the same decks; who chose the list before the
seed was known could not choose the lot.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import ROUND_CEILING, Decimal
from pathlib import Path
from typing import Any, Literal, NamedTuple

from deckcheck.checking.judge import LoadedFormat, check
from deckcheck.model.card import Catalog
from deckcheck.model.deck import Deck, Diagnostic
from deckcheck.model.deck import Entry as Line
from deckcheck.model.finding import Finding
from deckcheck.registration.canonical import CanonicalList, Copies, deck_of, list_of, uncertain
from deckcheck.registration.log import Checked, Entry, Log, Receipt, entry_from, extend, read_log, standing
from deckcheck.registration.model import Event, Seal
from deckcheck.registration.seals import opening_from, opens, seal_from_file
from deckcheck.report.findings import MOST_SUGGESTED
from deckcheck.support.dates import now
from deckcheck.support.errors import suggest, user_error
from deckcheck.support.messages import _, series
from deckcheck.support.strictjson import digest, read_object

Card = tuple[str, bool]
"""A card's name, and whether the card table has it."""


class Difference(NamedTuple):
    """Copies of one card that are not where they were registered.

    "missing": so many stand on the list, in the zone `registered`, and not in
    the deck. "extra": so many are in the deck, in the zone `found`, and not on the list.
    "moved": so many are there and in another zone.
    """

    kind: Literal["missing", "extra", "moved"]
    card: str
    copies: int
    registered: str | None
    found: str | None


def differences(
    listed: CanonicalList,
    deck: CanonicalList,
    fold: Callable[[str], str],
    *,
    exchange: Sequence[str] = (),
    zones: Iterable[str] = (),
) -> tuple[Difference, ...]:
    """What differs between a registered list and a deck, zone by zone in the order of `zones`, then by name.

    Between the zones in `exchange` cards may have been exchanged, so that only
    their sums must agree. Known cards are the same by their names; a name that
    nobody knows is that of the one card, or of the other unknown name, that `fold` makes equal to it.
    """
    order = {zone: at for at, zone in enumerate(zones)}
    key = _keys((*listed.cards, *deck.cards), fold)
    names: dict[Card, str] = {}
    fewer: dict[Card, Counter[str]] = {}
    for sign, cards in ((1, listed.cards), (-1, deck.cards)):
        for copies in cards:
            names.setdefault(key(copies), copies.card)
            fewer.setdefault(key(copies), Counter())[copies.zone] += sign * copies.copies
    found: list[Difference] = []
    for card, numbers in fewer.items():
        name = names[card]
        lacking = {zone: number for zone, number in sorted(numbers.items()) if number > 0}
        spare = {zone: -number for zone, number in sorted(numbers.items()) if number < 0}
        # What was exchanged as it may be is no difference.
        _move(lacking, spare, lambda gone, come: gone in exchange and come in exchange)
        moves = _move(lacking, spare, lambda _gone, _come: True)
        found += [Difference("moved", name, number, gone, come) for gone, come, number in moves]
        found += [Difference("missing", name, lacking[zone], zone, None) for zone in lacking if lacking[zone]]
        found += [Difference("extra", name, spare[zone], None, zone) for zone in spare if spare[zone]]

    def place(difference: Difference) -> tuple[int, str, str, str, str]:
        kind, card, _copies, registered, now = difference
        zone = registered or now or ""
        return order.get(zone, len(order)), zone, card, kind, now or ""

    return tuple(sorted(found, key=place))


def _keys(cards: Sequence[Copies], fold: Callable[[str], str]) -> Callable[[Copies], Card]:
    """By what each of the cards is told from others."""
    known: dict[str, set[str]] = {}
    if not all(copies.known for copies in cards):
        for copies in cards:
            if copies.known:
                known.setdefault(fold(copies.card), set()).add(copies.card)

    def key(copies: Copies) -> Card:
        if copies.known:
            return copies.card, True
        folded = fold(copies.card)
        # Which of several cards is meant nobody can tell.
        same = known.get(folded, set())
        return (next(iter(same)), True) if len(same) == 1 else (folded, False)

    return key


def _move(
    lacking: dict[str, int], spare: dict[str, int], may: Callable[[str, str], bool]
) -> list[tuple[str, str, int]]:
    """Take copies that lack in one zone from what is spare in another, and say what was taken."""
    taken = []
    for gone in lacking:
        for come in spare:
            number = min(lacking[gone], spare[come])
            if number and may(gone, come):
                lacking[gone] -= number
                spare[come] -= number
                taken.append((gone, come, number))
    return taken


MOST_NEAR = 3
"""So many names are suggested in the place of one."""


class Reference(NamedTuple):
    """A registered list that a deck is compared with, and where it was taken from.

    From the "log": `number` is that of the receipt. From a "receipt" or an
    "opening" alone, nobody can tell whether it is what the organiser has. `what`
    is the receipt's entry, or the commitment that the opening opens.
    """

    cards: CanonicalList
    format: str
    as_of: str
    best_of: int | None = None
    source: Literal["log", "receipt", "opening"] = "receipt"
    what: Entry | str = ""
    number: int | None = None


class Unknown(NamedTuple):
    """A name in the deck that is no certain card and not on the registered list; `near` are names like it, likeliest first."""

    written: str
    line: int
    column: int
    near: tuple[str, ...]


class Verified(NamedTuple):
    """What came of it.

    `unread` are lines of the deck that can't be read for certain, `unknown`
    names that mean nothing here; while there are any the result is
    "undecided". `findings` tell why cards may not stand as they do between games.
    """

    result: Literal["same", "different", "undecided"]
    differences: tuple[Difference, ...] = ()
    findings: tuple[Finding, ...] = ()
    unread: tuple[Diagnostic | Line, ...] = ()
    unknown: tuple[Unknown, ...] = ()


def verify(
    registered: Reference, deck: Deck, format: LoadedFormat, *, between_games: bool = False
) -> Verified:
    """Hold a deck against what was registered, in the format of the registration.

    Names are those that the card table has now: one that was unknown when the
    list was accepted may have become a card's. `between_games` admits every
    exchange of cards that the format allows there and that leaves the deck
    legal, and nothing else. Raises UserError when the format knows no such exchange.
    """
    rules, table = format.format, format.game_data
    exchange = rules.exchange if between_games else ()
    if between_games and not exchange:
        raise user_error(_("in {rules} no cards are exchanged between games", rules=rules.name))
    game, fold = registered.cards.game, table.catalog.fold
    typed = list_of(deck, game)
    if typed is None:
        return Verified("undecided", unread=tuple(uncertain(deck)))
    # Names as they are now.
    now = deck_of(registered.cards, table.catalog.find, (), "")
    listed = list_of(now, game) or registered.cards
    unknown = tuple(_unknown(deck, typed, listed, table.catalog))
    if unknown:
        return Verified("undecided", unknown=unknown)
    found = differences(listed, typed, fold, exchange=exchange, zones=rules.zones)
    findings: tuple[Finding, ...] = ()
    # The deck as it was registered was accepted as it is, whatever a judge had to say to it.
    if exchange and not found and differences(listed, typed, fold):
        report = check(deck, format, as_of=registered.as_of, best_of=registered.best_of, suppressions=False)
        findings = tuple(finding for finding in report.findings if finding.severity == "error")
    return Verified("different" if found or findings else "same", found, findings)


def _unknown(deck: Deck, typed: CanonicalList, listed: CanonicalList, catalog: Catalog) -> Iterator[Unknown]:
    """Names in the deck that nobody knows and that are not on the registered list either."""
    key = _keys((*listed.cards, *typed.cards), catalog.fold)
    registered = {key(copies) for copies in listed.cards}
    names = {copies.card for copies in typed.cards if not copies.known and key(copies) not in registered}
    mine = {catalog.fold(copies.card): copies.card for copies in listed.cards} if names else {}
    near: dict[str, tuple[str, ...]] = {}
    for entry in deck.entries:
        written = entry.written
        if len(entry.cards) == 1 or written not in names:
            continue
        if written not in near and len(near) < MOST_SUGGESTED:
            near[written] = _near(entry, mine, catalog)
        yield Unknown(written, entry.line, entry.column, near.get(written, ()))


def _near(entry: Line, mine: Mapping[str, str], catalog: Catalog) -> tuple[str, ...]:
    """Names that may be meant, those on the registered list first: whoever holds that deck most likely mistyped one."""
    if entry.cards:
        names = sorted((card.name for card in entry.cards), key=lambda name: name not in mine.values())
    else:
        likely = suggest(catalog.fold(entry.written), list(mine), most=MOST_NEAR)
        names = [*(mine[key] for key in likely), *catalog.suggest(entry.written)]
    return tuple(dict.fromkeys(names))[:MOST_NEAR]


def in_log(log: Log, what: Entry | str, path: str) -> tuple[int, Receipt]:
    """The receipt of the log that a receipt from elsewhere is, or that of the sealed list with this commitment, and its number.

    Raises UserError, at `path`, where the log has none, or one that no longer stands.
    """
    numbers: set[int] = set()
    if isinstance(what, str):
        for entry in log.entries:
            if isinstance(entry.value, Receipt) and entry.value.sealed == what:
                numbers.add(entry.number)
        none = _("this seal is not in the event's log: it is not one that the organiser took")
        replaced = _("the receipt of this seal was replaced by a newer one")
    else:
        if what in log.entries[what.number - 1 : what.number]:
            numbers.add(what.number)
        none = _("this receipt is not in the event's log")
        replaced = _("this receipt was replaced by a newer one")
    stand = {number: receipt for number, receipt in standing(log).items() if number in numbers}
    if len(stand) == 1:
        return stand.popitem()
    message = replaced if numbers else none
    if stand:
        named = series(stand)
        message = _(
            "several receipts have this commitment (no. {named}): deckcheck event audit tells more",
            named=named,
        )
    raise user_error(message, path=path)


def read_reference(path: Path, event: Event | None = None) -> Reference:
    """The reference in a file; of an event, as it stands in its log. Raises UserError."""
    data = read_object(path)
    alone = _of_opening(data, path) if "opening" in data else _of_receipt(data, path)
    if event is None:
        return alone
    number, receipt = in_log(read_log(event.log, event.id), alone.what, str(path))
    rules = receipt.format.id, receipt.as_of, receipt.best_of
    return Reference(alone.cards, *rules, "log", alone.what, number)


def _of_opening(data: Mapping[str, Any], path: Path) -> Reference:
    opening = opening_from(data, str(path))
    seal = opening.seal
    if not opens(opening, seal.commitment):
        raise user_error(_("the list in this opening file is not the one that was sealed"), path=str(path))
    return Reference(opening.cards, seal.format.id, seal.as_of, None, "opening", seal.commitment)


def _of_receipt(data: Mapping[str, Any], path: Path) -> Reference:
    entry = entry_from(data, str(path))
    receipt = entry.value
    if not isinstance(receipt, Receipt):
        raise user_error(_("not a receipt"), path=str(path))
    if receipt.listed is None:
        raise user_error(
            _("the list of this receipt is sealed"),
            path=str(path),
            hint=_("use the player's opening file instead, with --event to look it up in the log"),
        )
    rules = receipt.format.id, receipt.as_of, receipt.best_of
    return Reference(receipt.listed, *rules, "receipt", entry)


def record_check(
    event: Event,
    reference: Reference,
    result: Literal["same", "different"],
    *,
    between_games: bool,
    by: str,
    path: str,
) -> None:
    """Add a check to the event's log. Raises UserError, at `path`, where its receipt is no longer in force."""

    def made(log: Log) -> list[Checked]:
        number, _receipt = in_log(log, reference.what, path)
        return [Checked(event.id, now().strftime("%Y-%m-%dT%H:%M:%SZ"), number, result, between_games, by)]

    extend(event.log, event.id, made)


def read_seal(path: Path) -> tuple[Seal, int | None]:
    """The seal in a file, or that of a receipt, and the games of a match, None where nothing gives them. Raises UserError."""
    data = read_object(path)
    if "deckcheck_log" not in data:
        return seal_from_file(data, str(path)), None
    receipt = entry_from(data, str(path)).value
    if not isinstance(receipt, Receipt) or receipt.sealed is None:
        raise user_error(_("not the receipt of a sealed list"), path=str(path))
    rules = receipt.format, receipt.as_of, receipt.banlists
    return Seal(receipt.sealed, receipt.verdict, receipt.game, *rules), receipt.best_of


_SHARE = re.compile(r"\s*(\d{1,3}(?:\.\d{1,6})?)\s*[%％]\s*")


class Drawn(NamedTuple):
    """A receipt that was drawn, with its number."""

    number: int
    receipt: Receipt


class Draw(NamedTuple):
    """Decks in the order in which they were drawn; `total` stand accepted, `checked` of them were found to be right."""

    drawn: tuple[Drawn, ...]
    total: int
    checked: int


def share_of(written: str) -> Decimal:
    """The share that is written as "10%": more than 0 and at most 1. Raises UserError."""
    found = _SHARE.fullmatch(written)
    share = Decimal(found[1]) / 100 if found is not None else Decimal(0)
    if not 0 < share <= 1:
        raise user_error(_("--share: this is not a share"), hint=_("write it like 10%"))
    return share


def draw(log: Log, share: Decimal, seed: str) -> Draw:
    """Draw so large a share of all accepted decks, rounded up, from those whose last check didn't find them right.

    A deck that differed from its list when it was last checked is drawn as one
    that was never checked is. Raises UserError for a seed without anything in it
    or of which something is no text.
    """
    if not seed.strip():
        raise user_error(
            _("--seed: the seed is empty"), hint=_("best chosen in public, such as by rolling dice")
        )
    hashes = {entry.number: entry.hash for entry in log.entries}
    last = {
        entry.value.receipt: entry.value.result for entry in log.entries if isinstance(entry.value, Checked)
    }
    decks = standing(log)
    left = [number for number in decks if last.get(number) != "same"]
    try:
        lots = sorted(left, key=lambda number: digest("lot", {"seed": seed, "receipt": hashes[number]}))
    except ValueError as error:
        raise user_error(_("--seed: the seed is not text")) from error
    wanted = int((share * len(decks)).to_integral_value(ROUND_CEILING))
    drawn = tuple(Drawn(number, decks[number]) for number in lots[:wanted])
    return Draw(drawn, len(decks), len(decks) - len(left))
