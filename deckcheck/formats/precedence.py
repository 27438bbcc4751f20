"""Who has the say, where a format extends several that say different things of one name.

What a format says of a rule stands over what any format says that it extends,
directly or not: the more specific one wins. So a format that takes a rule over as
it is says nothing of it, and can't undo what another one changed. Sayings of
which neither is over the other are equals, and the last of them stands; whether
that may go without a word is for `merge` to judge.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from deckcheck.formats.placed import Placed


class Said(NamedTuple):
    """What one format says of a name: a piece of its file, or that nothing bears that name (`piece` None).

    `by` is the format's file and `over` are all files that it extends.
    `instead_of` are the pieces whose place this one takes.
    """

    by: Path
    over: frozenset[Path]
    piece: Placed | None
    instead_of: tuple[Placed, ...] = ()


Sayings = dict[str, tuple[Said, ...]]
"""By name, in the order in which the names are shown: the equals among which the last one stands."""


def together(parents: Iterable[Mapping[str, tuple[Said, ...]]]) -> Sayings:
    """What formats say that are extended in this order, without what a more specific one has overruled.

    A name keeps its place until a later format says something new of it.
    """
    joined: Sayings = {}
    for parent in parents:
        for name, said in parent.items():
            before = joined.get(name, ())
            if not {one.by for one in said} <= {one.by for one in before}:
                joined.pop(name, None)
            again = {one.by for one in said}
            joined[name] = (*(one for one in before if one.by not in again), *said)
    return {
        name: tuple(one for one in said if not any(one.by in other.over for other in said))
        for name, said in joined.items()
    }


def standing(sayings: Sayings) -> dict[str, Placed]:
    """The piece that stands under each name that has one."""
    found = ((name, said[-1].piece) for name, said in sayings.items())
    return {name: piece for name, piece in found if piece is not None}
