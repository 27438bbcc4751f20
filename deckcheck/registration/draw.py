"""Draws the decks to check at the table.

Each deck's lot is a hash of the seed and its receipt, and the lowest lots are drawn. So anyone with the seed
and the log draws the same decks, and players who submit before the seed is known can't choose their lot.
"""

import re
from decimal import ROUND_CEILING, Decimal
from typing import NamedTuple

from deckcheck.registration.log import DeckCheck, Log, Receipt
from deckcheck.support.errors import user_error
from deckcheck.support.hashes import digest
from deckcheck.support.messages import _

_SHARE = re.compile(r"\s*(\d{1,3}(?:\.\d{1,6})?)\s*[%％]\s*")


class Draw(NamedTuple):
    """The drawn receipts with their numbers, in the order drawn; the `total` of accepted decks, and how many
    of them were left out because they were `checked` and found as registered.
    """

    drawn: tuple[tuple[int, Receipt], ...]
    total: int
    checked: int


def share_of(written: str) -> Decimal:
    """The share written like "10%", more than 0 and at most 1. Raises UserError."""
    match = _SHARE.fullmatch(written)
    share = Decimal(0) if match is None else Decimal(match[1]) / 100
    if not 0 < share <= 1:
        raise user_error(_("--share: this is not a share"), hint=_("write it like 10%"))
    return share


def draw(log: Log, share: Decimal, seed: str) -> Draw:
    """Draw a share of all accepted decks, rounded up, from those not yet checked as registered. Raises UserError."""
    if not seed.strip():
        raise user_error(
            _("--seed: the seed is empty"), hint=_("best chosen in public, such as by rolling dice")
        )
    hashes = {entry.number: entry.hash for entry in log.entries}
    last = {
        entry.value.receipt: entry.value.result for entry in log.entries if isinstance(entry.value, DeckCheck)
    }
    decks = log.receipts
    left = [number for number in decks if last.get(number) != "same"]
    try:
        lots = sorted(left, key=lambda number: digest("lot", {"seed": seed, "receipt": hashes[number]}))
    except ValueError as error:
        raise user_error(_("--seed: the seed is not text")) from error
    wanted = int((share * len(decks)).to_integral_value(ROUND_CEILING))
    drawn = tuple((number, decks[number]) for number in lots[:wanted])
    return Draw(drawn, len(decks), len(decks) - len(left))


def draw_values(found: Draw) -> dict[str, object]:
    """The drawn decks as values for JSON."""
    drawn = [{"number": number, "player": receipt.player.filled} for number, receipt in found.drawn]
    return {"accepted": found.total, "checked": found.checked, "drawn": drawn}
