"""Ranks are borne by printings, and a printing counts from the day it is out."""

from __future__ import annotations

from deckcheck.model.card import NO_RANK, Card, Printing

Order = tuple[tuple[str, ...], ...]


def rank_within(
    card: Card, attribute: str, order: Order, low: str | None, high: str | None, as_of: str
) -> int:
    """Whether a printing out by `as_of` bears a rank from `low` to `high`: 0 no, 1 unknown, 2 yes.

    Either end may be open (None). A printing without a date may or may not be
    out; a card of which no printing is known at all may have any rank.
    """
    if not card.printings:
        return 1
    place = {code: at for at, codes in enumerate(order) for code in codes}
    wanted = range(0 if low is None else place[low], len(order) if high is None else place[high] + 1)
    return max(
        min(_is_out(card, one, as_of), _bears(one, attribute, place, wanted)) for one in card.printings
    )


def _is_out(card: Card, printing: Printing, as_of: str) -> int:
    if printing.released is not None:
        return 2 if printing.released <= as_of else 0
    # No printing is older than the card.
    return 0 if card.released is not None and card.released > as_of else 1


def _bears(printing: Printing, attribute: str, place: dict[str, int], wanted: range) -> int:
    code = printing.ranks.get(attribute)
    if code is None or code.startswith("?"):
        return 1
    if code == NO_RANK:
        return 0
    if code.startswith("<="):
        within = [at in wanted for at in range(place[code[2:]] + 1)]
        return 2 if all(within) else 1 if any(within) else 0
    return 2 if place[code] in wanted else 0
