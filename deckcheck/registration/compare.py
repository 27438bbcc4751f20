"""A deck on the table beside the list that was registered."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from deckcheck.registration.canonical import CanonicalList, Copies

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
