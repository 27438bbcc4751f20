"""What an importer says of one thing in its source."""

from typing import Any, Literal, NamedTuple

Reason = Literal["token", "art", "beside", "remade", "other", "unreleased", "flawed"]
"""Why something is left out: it is a token, an art card, a card that is in no deck, a version that only one program
has, another game's, not out, or nothing of which a card could be made."""


class Item(NamedTuple):
    """A card, or one appearance of a card that comes several times.

    `record` is in the source form, without aliases and printings. Two items
    are one card when `same` (an id in the source) or the name agrees. The
    facts of a `weak` item only count while there are no others. `melds` names
    what the card becomes one half of. `code` is the one of the aliases by which
    an earlier table may know the card under a name in another language.
    """

    record: dict[str, Any]
    same: str = ""
    aliases: tuple[str, ...] = ()
    printings: tuple[dict[str, Any], ...] = ()
    weak: bool = False
    melds: str | None = None
    code: str | None = None


class LeftOut(NamedTuple):
    """So many things that are no cards for a deck, and why."""

    reason: Reason
    number: int = 1


class Stamp(NamedTuple):
    """The day of the data, as it stands there."""

    date: str | None
