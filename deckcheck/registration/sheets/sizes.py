"""What a format requires of the number of copies, as its rules say it on a day; and room for it on an empty sheet."""

from collections.abc import Iterable, Iterator, Mapping

from deckcheck.checking.judge import PreparedFormat
from deckcheck.model.deck import Deck
from deckcheck.model.predicate import Not
from deckcheck.model.rule import Clause, Growing
from deckcheck.registration.sheets.model import Required
from deckcheck.rules.counting import Interval, Limits, Tally, judge, tally

Sizes = dict[tuple[str, ...], Required]
"""From zones, in the format's order, to what is required of them together."""

_MOST_ROWS = 60
_ROWS_UNSAID = 10
_WRITTEN_ONCE = 15
_INFINITY = float("inf")


def required(day: PreparedFormat, zones: Iterable[str], deck: Deck | None) -> Sizes:
    """The bounds on copies of any cards, by the zones that they are over.

    Only what stands without conditions counts. Bounds that grow with what is
    in the deck are those of `deck`; without one they are told with their step.
    """
    order = tuple(zones)
    held = _held(deck, day)
    found: Sizes = {}
    for prepared in day.program.clauses:
        clause = prepared.clause
        if not _bounds_copies(clause):
            continue
        asked = clause.selection.zones
        over = order if asked is None else tuple(zone for zone in order if zone in asked)
        if over:
            step = _step(clause) if deck is None else None
            one = _required(prepared.limits(held), step)
            found[over] = _both(found[over], one) if over in found else one
    return found


def _held(deck: Deck | None, day: PreparedFormat) -> Tally:
    if deck is None:
        return tally((), 0, frozenset())
    unread = sum(diagnostic.id == "invalid-line" for diagnostic in deck.diagnostics)
    return tally(deck.entries, unread, frozenset(day.names.zones))


def _bounds_copies(clause: Clause) -> bool:
    conditional = clause.when is not None and clause.when.selection is not None
    return (
        clause.counted == "copies"
        and clause.selection.where is None
        and clause.per is None
        and clause.severity == "error"
        and not (conditional or clause.for_each or clause.for_some)
    )


def _step(clause: Clause) -> int | None:
    bounds = (clause.low, clause.high)
    return next((one.plus for one in bounds if isinstance(one, Growing)), None)


def _required(limits: Limits, step: int | None) -> Required:
    low = None if limits.low is None else int(limits.low.low)
    high = None if limits.high is None or limits.high.high == _INFINITY else int(limits.high.high)
    return Required(low, high, limits.one_of, step)


def _both(one: Required, other: Required) -> Required:
    """Both at once."""
    low = max((end for end in (one.low, other.low) if end is not None), default=None)
    high = min((end for end in (one.high, other.high) if end is not None), default=None)
    listed = one.one_of or other.one_of
    if one.one_of is not None and other.one_of is not None:
        listed = tuple(number for number in one.one_of if number in other.one_of)
    return Required(low, high, listed, one.step or other.step)


def fits(found: tuple[int, int], wanted: Required | None) -> bool | None:
    """Whether so many copies are right; None where nothing is wanted or nobody can tell."""
    if wanted is None:
        return None
    low, high = (None if end is None else Interval(end, end) for end in (wanted.low, wanted.high))
    return {"kept": True, "violated": False}.get(judge(Interval(*found), Limits(low, high, wanted.one_of)))


def rows(day: PreparedFormat, zones: Iterable[str], sizes: Sizes) -> Mapping[str, int]:
    """How many ruled lines each zone of an empty sheet gets.

    As many as there can be names where a name may be there once; otherwise
    fewer than there are cards, since most are played several times.
    """
    order = tuple(zones)
    single = {zone for clause in _once(day) for zone in clause.selection.zones or order}
    most = {zone: _most(sizes.get((zone,))) for zone in order}
    for over, wanted in sizes.items():
        open_zones = [zone for zone in over if most[zone] is None]
        whole = _most(wanted)
        if len(over) > 1 and len(open_zones) == 1 and whole is not None:
            most[open_zones[0]] = max(whole - sum(most[zone] or 0 for zone in over), 0)
    return {zone: _rows(most[zone], zone in single) for zone in order}


def _once(day: PreparedFormat) -> Iterator[Clause]:
    """The clauses that allow a name once, exceptions aside."""
    for prepared in day.program.clauses:
        clause = prepared.clause
        where = clause.selection.where
        if (
            clause.counted == "copies"
            and clause.per == "name"
            and clause.high == 1
            and (where is None or isinstance(where, Not))
        ):
            yield clause


def _most(wanted: Required | None) -> int | None:
    if wanted is None:
        return None
    if wanted.one_of:
        return max(wanted.one_of)
    return wanted.high if wanted.high is not None else wanted.low


def _rows(most: int | None, single: bool) -> int:
    if most is None:
        return _ROWS_UNSAID
    if not single and most > _WRITTEN_ONCE:
        most = max(_WRITTEN_ONCE, -(-most * 3 // 5))
    return min(most, _MOST_ROWS)
