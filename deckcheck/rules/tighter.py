"""Clauses with bounds drawn tighter, to find out whether a deck sits on one."""

from collections.abc import Iterator
from itertools import product

from deckcheck.rules.clauses import Bound, Clause


def tighter(clause: Clause) -> Iterator[Clause]:
    """The clause with one bound drawn tighter by one: a deck that sits on the bound breaks it.

    Of what is forbidden altogether none is just enough.
    """
    # What none of the ways allows any more.
    for ways in product(*map(tighter, clause.either)) if clause.either else ():
        yield clause._replace(either=ways)
    if clause.exactly is not None:
        yield clause._replace(exactly=_moved(clause.exactly, 1))
    if clause.one_of is not None:
        yield clause._replace(one_of=(-1,))
    if clause.low is not None:
        yield clause._replace(low=_moved(clause.low, 1))
    if clause.high is not None:
        yield clause._replace(high=_moved(clause.high, -1))


def _moved(bound: Bound, by: int) -> Bound:
    return bound + by if isinstance(bound, int) else bound._replace(base=bound.base + by)
