"""Clauses with bounds drawn tighter, to find out whether a deck sits on one."""

from collections.abc import Iterator

from deckcheck.model.rule import Bound, Clause


def tighter(clause: Clause) -> Iterator[Clause]:
    """The clause with one bound drawn tighter by one: a deck that sits on the bound breaks it.

    Of what is forbidden altogether none is just enough.
    """
    if clause.either:
        # What none of the ways allows any more; each is drawn in at both ends, or there would be a crowd of them.
        yield clause._replace(either=tuple(map(_drawn_in, clause.either)))
    if clause.exactly is not None:
        yield clause._replace(exactly=_moved(clause.exactly, 1))
    if clause.one_of is not None:
        yield clause._replace(one_of=(-1,))
    if clause.low is not None:
        yield clause._replace(low=_moved(clause.low, 1))
    if clause.high is not None:
        yield clause._replace(high=_moved(clause.high, -1))


def _drawn_in(clause: Clause) -> Clause:
    return clause._replace(
        exactly=None if clause.exactly is None else _moved(clause.exactly, 1),
        one_of=None if clause.one_of is None else (-1,),
        low=None if clause.low is None else _moved(clause.low, 1),
        high=None if clause.high is None else _moved(clause.high, -1),
    )


def _moved(bound: Bound, by: int) -> Bound:
    return bound + by if isinstance(bound, int) else bound._replace(base=bound.base + by)
