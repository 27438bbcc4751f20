"""A deck at the table against its receipt: the same cards, in the same places or as they may be between games."""

from typing import Literal, NamedTuple

from deckcheck.checking import LoadedFormat, check
from deckcheck.decks import Deck, Entry, Remark
from deckcheck.errors import wrong
from deckcheck.registration.canonical import CanonicalList, list_of
from deckcheck.registration.compare import Difference, differences
from deckcheck.report.violation import Finding
from deckcheck.text import Text


class Registered(NamedTuple):
    """A list that a deck is held against: that of a receipt or of an opened seal."""

    cards: CanonicalList
    format: str
    as_of: str
    best_of: int | None = None


class Verified(NamedTuple):
    """What came of it.

    `unread` are lines of the deck that can't be read for certain; while there
    are any the result is "undecided". `findings` tell why cards may not stand as
    they do between games.
    """

    result: Literal["same", "different", "undecided"]
    differences: tuple[Difference, ...] = ()
    findings: tuple[Finding, ...] = ()
    unread: tuple[Remark | Entry, ...] = ()


def verify(
    registered: Registered, deck: Deck, format: LoadedFormat, *, between_games: bool = False
) -> Verified:
    """Hold a deck against what was registered, in the format of the registration.

    `between_games` admits every exchange of cards that the format allows there
    and that leaves the deck legal, and nothing else. Raises UserError when the format knows no such exchange.
    """
    rules, table = format.format, format.table
    exchange = rules.exchange if between_games else ()
    if between_games and not exchange:
        raise wrong(
            f"{rules.name.ja}には、対戦の間にカードを入れ替える決まりがありません",
            f"in {rules.name.en} no cards are exchanged between games",
        )
    listed = list_of(deck, registered.cards.game)
    if listed is None:
        return Verified("undecided", unread=_unread(deck))
    found = differences(registered.cards, listed, table.catalogue.fold, exchange=exchange, zones=rules.zones)
    findings: tuple[Finding, ...] = ()
    # The deck as it was registered was accepted as it is, whatever a judge had to say to it.
    if exchange and not found and listed != registered.cards:
        report = check(deck, format, as_of=registered.as_of, best_of=registered.best_of, suppressions=False)
        findings = tuple(one for one in report.findings if one.severity == "error")
    return Verified("different" if found or findings else "same", found, findings)


def _unread(deck: Deck) -> tuple[Remark | Entry, ...]:
    lines: list[Remark | Entry] = [one for one in deck.remarks if one.id in ("invalid-line", "unknown-zone")]
    lines += [one for one in deck.entries if one.copies != one.most]
    return tuple(sorted(lines, key=lambda one: (one.line, one.column)))


def no_list() -> Text:
    """Why a receipt of a sealed list can't be compared with anything."""
    return Text(
        "この受付証のリストは封印されています。開封用のファイルを指定してください",
        "the list of this receipt is sealed; give the file that opens it",
    )
