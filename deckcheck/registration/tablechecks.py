"""Decks at the table: which are drawn for a check, and how one differs from what was registered.

A deck's lot is a hash of the seed and of the deck's receipt. The lowest lots are
drawn. Who knows seed and log draws the same decks; who chose the list before the
seed was known could not choose the lot.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from decimal import ROUND_CEILING, Decimal
from typing import Literal, NamedTuple

from deckcheck.checking.judge import LoadedFormat, check
from deckcheck.model.card import Catalog
from deckcheck.model.deck import Deck, Diagnostic
from deckcheck.model.deck import Entry as Line
from deckcheck.model.finding import Finding
from deckcheck.registration.canonical import CanonicalList, Copies, deck_of, list_of, uncertain
from deckcheck.registration.log import Checked, Entry, Log, Receipt, standing
from deckcheck.report.findings import MOST_SUGGESTED
from deckcheck.support.canonicaljson import digest
from deckcheck.support.errors import suggest, user_error
from deckcheck.support.messages import _

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
    names: dict[Card, str] = {}
    key = _keys((*listed.cards, *deck.cards), fold)
    was = _by_card(listed.cards, key, names)
    now = _by_card(deck.cards, key, names)
    found: list[Difference] = []
    for card in was.keys() | now.keys():
        found += _of_card(names[card], was.get(card, Counter()), now.get(card, Counter()), exchange)

    def place(one: Difference) -> tuple[int, str, str, str, str]:
        zone = one.registered or one.found or ""
        return order.get(zone, len(order)), zone, one.card, one.kind, one.found or ""

    return tuple(sorted(found, key=place))


def strangers(listed: CanonicalList, deck: CanonicalList, fold: Callable[[str], str]) -> frozenset[str]:
    """Names in the deck that nobody knows and that are not on the registered list either."""
    key = _keys((*listed.cards, *deck.cards), fold)
    registered = {key(one) for one in listed.cards}
    return frozenset(one.card for one in deck.cards if not one.known and key(one) not in registered)


def _keys(cards: Iterable[Copies], fold: Callable[[str], str]) -> Callable[[Copies], Card]:
    """By what each of the cards is told from others."""
    every = tuple(cards)
    known: dict[str, set[str]] = {}
    if not all(one.known for one in every):
        for one in every:
            if one.known:
                known.setdefault(fold(one.card), set()).add(one.card)

    def key(one: Copies) -> Card:
        if one.known:
            return one.card, True
        folded = fold(one.card)
        # Which of several cards is meant nobody can tell.
        same = known.get(folded, set())
        return (next(iter(same)), True) if len(same) == 1 else (folded, False)

    return key


def _by_card(
    cards: Iterable[Copies], key: Callable[[Copies], Card], names: dict[Card, str]
) -> dict[Card, Counter[str]]:
    found: dict[Card, Counter[str]] = {}
    for one in cards:
        names.setdefault(key(one), one.card)
        found.setdefault(key(one), Counter())[one.zone] += one.copies
    return found


def _of_card(
    name: str, was: Mapping[str, int], now: Mapping[str, int], exchange: Sequence[str]
) -> list[Difference]:
    zones = sorted(was.keys() | now.keys())
    fewer = {zone: was.get(zone, 0) - now.get(zone, 0) for zone in zones}
    lacking = {zone: number for zone, number in fewer.items() if number > 0}
    spare = {zone: -number for zone, number in fewer.items() if number < 0}
    # What was exchanged as it may be is no difference.
    _moves(lacking, spare, lambda gone, come: gone in exchange and come in exchange)
    found = [
        Difference("moved", name, number, gone, come)
        for gone, come, number in _moves(lacking, spare, lambda *_: True)
    ]
    found += [Difference("missing", name, number, zone, None) for zone, number in lacking.items() if number]
    found += [Difference("extra", name, number, None, zone) for zone, number in spare.items() if number]
    return found


def _moves(
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


class Registered(NamedTuple):
    """A list that a deck is held against: that of a receipt or of an opened seal."""

    cards: CanonicalList
    format: str
    as_of: str
    best_of: int | None = None


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
    registered: Registered, deck: Deck, format: LoadedFormat, *, between_games: bool = False
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
    listed = _as_now(registered.cards, table.catalog)
    unknown = _unknown(deck, listed, strangers(listed, typed, fold), table.catalog)
    if unknown:
        return Verified("undecided", unknown=unknown)
    found = differences(listed, typed, fold, exchange=exchange, zones=rules.zones)
    findings: tuple[Finding, ...] = ()
    # The deck as it was registered was accepted as it is, whatever a judge had to say to it.
    if exchange and not found and differences(listed, typed, fold):
        report = check(deck, format, as_of=registered.as_of, best_of=registered.best_of, suppressions=False)
        findings = tuple(one for one in report.findings if one.severity == "error")
    return Verified("different" if found or findings else "same", found, findings)


def _as_now(listed: CanonicalList, catalog: Catalog) -> CanonicalList:
    """The list with the names that its cards have now."""
    deck = deck_of(listed, catalog.find, (), "")
    return list_of(deck, listed.game) or listed


def _unknown(
    deck: Deck, listed: CanonicalList, names: Collection[str], catalog: Catalog
) -> tuple[Unknown, ...]:
    if not names:
        return ()
    mine = {catalog.fold(one.card): one.card for one in listed.cards}
    near: dict[str, tuple[str, ...]] = {}
    found = []
    for entry in deck.entries:
        if len(entry.cards) == 1 or entry.written not in names:
            continue
        if entry.written not in near and len(near) < MOST_SUGGESTED:
            near[entry.written] = _near(entry, mine, catalog)
        found.append(Unknown(entry.written, entry.line, entry.column, near.get(entry.written, ())))
    return tuple(found)


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
    if isinstance(what, str):
        numbers = [entry.number for entry in log.entries if _commits(entry.value, what)]
        none = _("this seal is not in the event's log: it is not one that the organiser took")
        replaced = _("the receipt of this seal was replaced by a newer one")
    else:
        mine = log.entries[what.number - 1] if what.number <= len(log.entries) else None
        numbers = [what.number] if mine == what else []
        none = _("this receipt is not in the event's log")
        replaced = _("this receipt was replaced by a newer one")
    stand = {number: receipt for number, receipt in standing(log).items() if number in numbers}
    if len(stand) == 1:
        return stand.popitem()
    if stand:
        named = ", ".join(map(str, stand))
        raise user_error(
            _(
                "several receipts have this commitment (no. {named}): deckcheck event audit tells more",
                named=named,
            ),
            path=path,
        )
    said = replaced if numbers else none
    raise user_error(said, path=path)


def _commits(value: Receipt | Checked, commitment: str) -> bool:
    return isinstance(value, Receipt) and value.sealed == commitment


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
        hint = _("write it like 10%")
        raise user_error(_("--share: this is not a share"), hint=hint)
    return share


def draw(log: Log, share: Decimal, seed: str) -> Draw:
    """Draw so large a share of all accepted decks, rounded up, from those whose last check didn't find them right.

    A deck that differed from its list when it was last checked is drawn as one
    that was never checked is. Raises UserError for a seed without anything in it
    or of which something is no text.
    """
    if not seed.strip():
        raise user_error(
            _("--seed: the seed is empty"),
            hint=_("best chosen in public, such as by rolling dice"),
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
