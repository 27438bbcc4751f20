"""What an importer says of one thing in its source."""

from typing import Any, Literal, NamedTuple

Reason = Literal["token", "art", "beside", "other", "unreleased", "double", "flawed"]
"""Why something is left out: it is a token, an art card, a card that is in no deck, another game's, not out, one
of two whose names can't be told apart, or nothing of which a card could be made."""


class Item(NamedTuple):
    """A card, or one appearance of a card that comes several times.

    `record` is in the source form, without aliases and printings. Two items
    are one card when `same` (an id in the source) or the name agrees. The
    facts of a `weak` item only count while there are no others. `melds` names
    what the card becomes one half of.
    """

    record: dict[str, Any]
    same: str = ""
    aliases: tuple[str, ...] = ()
    printings: tuple[dict[str, Any], ...] = ()
    weak: bool = False
    melds: str | None = None


class LeftOut(NamedTuple):
    """So many things that are no cards for a deck, and why."""

    reason: Reason
    count: int = 1


class Stamp(NamedTuple):
    """The day of the data, as it stands there."""

    date: str | None
