"""A deck at the table against its receipt: the same cards, in the same places or as they may be between games."""

from collections.abc import Collection, Mapping
from typing import Literal, NamedTuple

from deckcheck.checking.judge import MOST_SUGGESTED, LoadedFormat, check
from deckcheck.model.card import Catalog
from deckcheck.model.deck import Deck, Diagnostic
from deckcheck.model.deck import Entry as Line
from deckcheck.model.finding import Finding
from deckcheck.registration.canonical import CanonicalList, deck_of, list_of, uncertain
from deckcheck.registration.compare import Difference, differences, strangers
from deckcheck.registration.log import Log, standing
from deckcheck.registration.receipts import Checked, Entry, Receipt
from deckcheck.support.errors import suggest, wrong
from deckcheck.support.messages import _

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
        raise wrong(_("in {rules} no cards are exchanged between games", rules=rules.name))
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
        raise wrong(
            _(
                "several receipts have this commitment (no. {named}): deckcheck event audit tells more",
                named=named,
            ),
            path=path,
        )
    said = replaced if numbers else none
    raise wrong(said, path=path)


def _commits(value: Receipt | Checked, commitment: str) -> bool:
    return isinstance(value, Receipt) and value.sealed == commitment
