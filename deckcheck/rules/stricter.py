"""One finding for one card and cause."""

from __future__ import annotations

from collections.abc import Iterable

from deckcheck.cards import Card
from deckcheck.rules.counting import is_ban
from deckcheck.rules.evaluate import Outcome


def told_once(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """Leave out what says nothing new: caps on a card's copies, and a rule that is open twice.

    A card that one rule refuses altogether, or caps lower, is told once, and
    of equal caps the first. Refusals are all told: each is a reason of its own.
    """
    outcomes = _open_once(outcomes)
    strictest: dict[Card, tuple[float, int]] = {}
    for at, one in enumerate(outcomes):
        cap = _cap(one)
        if cap is None or one.subject is None or one.state != "violated" or one.clause.severity != "error":
            continue
        strictest[one.subject] = min((cap, at), strictest.get(one.subject, (cap, at)))
    return [one for at, one in enumerate(outcomes) if not _says_nothing_new(one, at, strictest)]


def _cap(one: Outcome) -> float | None:
    return None if one.limits.high is None or one.limits.exact else one.limits.high.high


def _says_nothing_new(one: Outcome, at: int, strictest: dict[Card, tuple[float, int]]) -> bool:
    cap = _cap(one)
    if one.subject is None or cap is None or is_ban(one.clause) or one.clause.severity != "error":
        return False
    told = strictest.get(one.subject)
    return told is not None and told < (cap, at)


def _open_once(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """Without clauses of a rule that hang on the same cards as an earlier one and weigh no more than it."""
    errors: dict[tuple[str, tuple[Card, ...]], bool] = {}
    kept = []
    for one in outcomes:
        if one.state == "undecided":
            key, error = (one.rule.id, one.cards), one.clause.severity == "error"
            if key in errors and (errors[key] or not error):
                continue
            errors[key] = error
        kept.append(one)
    return kept
