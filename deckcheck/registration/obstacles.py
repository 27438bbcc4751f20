"""What stands in the way of accepting a list."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from deckcheck.registration.canonical import uncertain, uncertainty
from deckcheck.registration.model import Row
from deckcheck.support.messages import Words, _, series
from deckcheck.support.text import Text

Kind = Literal[
    "missing",
    "unreadable",
    "superseded",
    "unclear",
    "unsettled",
    "illegal",
    "undecided",
    "late",
    "lacking",
    "changed",
    "untimed",
    "namesake",
    "copied",
    "gone",
]

FIELD_NAMES: Mapping[str, Words] = {
    "name": _("name"),
    "reading": _("reading of the name"),
    "handle": _("handle"),
    "id": _("player id"),
    "table": _("table"),
    "language": _("language"),
}
"""What the fields of a Player are called."""


class Obstacle(NamedTuple):
    """One thing that stands in the way; `by_word` says that a judge may accept the list all the same."""

    kind: Kind
    message: Words
    by_word: bool


_MESSAGES: Mapping[Kind, Words] = {
    "missing": _("there is no list"),
    "unreadable": _("the list can't be read"),
    "unclear": _("this player registered more than once, and which list stands can't be told"),
    "illegal": _("the list is illegal"),
    "undecided": _("whether the list is legal can't be decided"),
    "late": _("the list came after the deadline"),
    "changed": _("the list is not the one that was accepted"),
    "untimed": _("when the list came in can't be read, so nobody knows whether it is late"),
    "gone": _("accepted, but no longer among the entries"),
}

_MOST_NAMED = 5


def obstacles(row: Row) -> tuple[Obstacle, ...]:
    """All that stands in the way of accepting this row's list, the gravest first; () for nothing.

    What no word of a judge can mend: no list, none that can be read, another
    one that counts, a seal that another player handed in as well, a name that
    may be anybody's. That nothing tells the times of lists is told elsewhere and hinders nothing; a time that
    should stand there and can't be read does.
    """
    if row.state == "gone":
        return (Obstacle("gone", _MESSAGES["gone"], by_word=False),)
    found = list(_final(row))
    if row.state == "illegal" or row.state == "undecided":
        found.append(Obstacle(row.state, _MESSAGES[row.state], by_word=True))
    if row.late:
        found.append(Obstacle("late", _MESSAGES["late"], by_word=True))
    if row.untimed:
        found.append(Obstacle("untimed", _MESSAGES["untimed"], by_word=True))
    if row.lacking:
        found.append(Obstacle("lacking", lacking_fields(row.lacking), by_word=True))
    if row.changed == "acceptance":
        found.append(Obstacle("changed", _MESSAGES["changed"], by_word=True))
    return tuple(found)


def shared_name(numbers: tuple[int, ...]) -> Words:
    """That several players have this name, so that nobody can tell whose list this is."""
    named = numbered(numbers)
    return _(
        "several players have this name, so whose it is can't be told without an id ({named})", named=named
    )


def copied_seal(row: Row) -> Words | None:
    """That another player handed in the same seal; None where nobody did."""
    if not row.copies and row.copied is None:
        return None
    named = numbered(row.copies) if row.copies else _("receipt {copied}", copied=row.copied)
    return _("the same seal as another player's ({named})", named=named)


def numbered(numbers: Sequence[int], most: int = _MOST_NAMED) -> Words:
    """Submissions by their numbers, the first of them."""
    some, more = numbers[:most], len(numbers) - most
    return Text(
        "、".join(f"{number}番" for number in some) + (f"、ほか{more:,}件" if more > 0 else ""),
        "no. " + ", ".join(map(str, some)) + (f" and {more:,} more" if more > 0 else ""),
    )


def lacking_fields(fields: tuple[str, ...]) -> Words:
    """That these fields of a player were left empty."""
    names = [FIELD_NAMES[field] for field in fields]
    return _("not filled in: {names}", names=series(names))


def _final(row: Row) -> list[Obstacle]:
    found = []
    if row.state == "missing":
        found.append(Obstacle("missing", _MESSAGES["missing"], by_word=False))
    if row.state == "unreadable":
        found.append(Obstacle("unreadable", _MESSAGES["unreadable"], by_word=False))
    if not row.counts:
        if row.instead is None:
            found.append(Obstacle("unclear", _MESSAGES["unclear"], by_word=False))
        else:
            message = _("another list of the same player stands (no. {instead})", instead=row.instead)
            found.append(Obstacle("superseded", message, by_word=False))
    # What was accepted before another came is not undone by the other.
    if row.namesakes and not row.settled:
        found.append(Obstacle("namesake", shared_name(row.namesakes), by_word=False))
    copied = None if row.settled else copied_seal(row)
    if copied is not None:
        found.append(Obstacle("copied", copied, by_word=False))
    unsure = [] if row.report is None else uncertain(row.report.deck)
    if unsure:
        found.append(Obstacle("unsettled", uncertainty(unsure), by_word=False))
    return found
