"""Which decks are checked at the table: drawn so that anybody can draw them again.

A deck's lot is a hash of the seed and of the deck's receipt. The lowest lots are
drawn. Who knows seed and log draws the same decks; who chose the list before the
seed was known could not choose the lot.
"""

import re
from decimal import ROUND_CEILING, Decimal
from typing import NamedTuple

from deckcheck.registration.log import Log, standing
from deckcheck.registration.receipts import Checked, Receipt
from deckcheck.support.canonicaljson import digest
from deckcheck.support.errors import wrong
from deckcheck.support.messages import _

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
        hint = _("it is written like 10%")
        raise wrong(_("--share: this is no share"), hint=hint)
    return share


def draw(log: Log, share: Decimal, seed: str) -> Draw:
    """Draw so large a share of all accepted decks, rounded up, from those whose last check didn't find them right.

    A deck that differed from its list when it was last checked is drawn as one
    that was never checked is. Raises UserError for a seed without anything in it
    or of which something is no text.
    """
    if not seed.strip():
        raise wrong(
            _("--seed: the seed is empty"),
            hint=_("best decided in public, such as by dice"),
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
        raise wrong(_("--seed: the seed is no text")) from error
    wanted = int((share * len(decks)).to_integral_value(ROUND_CEILING))
    drawn = tuple(Drawn(number, decks[number]) for number in lots[:wanted])
    return Draw(drawn, len(decks), len(decks) - len(left))
