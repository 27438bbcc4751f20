"""One finding for one card and cause."""

from collections.abc import Iterable
from typing import NamedTuple

from deckcheck.model.card import Card
from deckcheck.rules.counting import is_ban
from deckcheck.rules.evaluate import Outcome


class Told(NamedTuple):
    """Outcomes to tell, and those that say nothing new beside them, the strictest cap first, with the rules that speak for each."""

    told: list[Outcome]
    superseded: list[tuple[Outcome, tuple[str, ...]]]


def told_once(outcomes: Iterable[Outcome]) -> Told:
    """Leave out what says nothing new: caps on a card's copies, and a rule that is open twice.

    A card that one rule refuses altogether, or caps lower, is told once, and
    of equal caps the first. Refusals are all told: each is a reason of its own.
    """
    outcomes = _open_once(outcomes)
    caps: dict[Card, list[tuple[int, Outcome]]] = {}
    for at, one in enumerate(outcomes):
        if _is_over_cap(one) and one.state == "violated" and one.clause.severity == "error":
            assert one.subject is not None
            caps.setdefault(one.subject, []).append((at, one))
    found = Told([], [])
    for at, one in enumerate(outcomes):
        by = _told_by(one, at, caps)
        if by:
            found.superseded.append((one, by))
        else:
            found.told.append(one)
    found.superseded.sort(key=lambda pair: _cap(pair[0]))
    return found


def _is_over_cap(one: Outcome) -> bool:
    high = one.limits.high
    return one.subject is not None and high is not None and one.found.high > high.high


def _told_by(one: Outcome, at: int, caps: dict[Card, list[tuple[int, Outcome]]]) -> tuple[str, ...]:
    """The rules with a stricter finding about the same copies of the card, which make this one idle."""
    if one.subject is None or is_ban(one.clause) or not _is_over_cap(one) or one.clause.severity != "error":
        return ()
    return tuple(
        other.rule.id
        for before, other in caps.get(one.subject, ())
        if (_cap(other), before) < (_cap(one), at) and _covers(other, one)
    )


def _cap(one: Outcome) -> float:
    return float("inf") if one.limits.high is None else one.limits.high.high


def _covers(other: Outcome, one: Outcome) -> bool:
    """Whether what is too many for `one` is so for `other`: the same zones or fewer were counted."""
    all_zones, zones = other.clause.selection.zones, one.clause.selection.zones
    return all_zones is None or zones is None or set(all_zones) <= set(zones) or set(zones) <= set(all_zones)


def _open_once(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """Without clauses of a rule that hang on the same cards as an earlier one and weigh no more than it."""
    errors: dict[tuple[str, frozenset[Card]], bool] = {}
    kept = []
    for one in outcomes:
        if one.state == "undecided":
            key, error = (one.rule.id, frozenset(one.cards)), one.clause.severity == "error"
            if key in errors and (errors[key] or not error):
                continue
            errors[key] = error
        kept.append(one)
    return kept
