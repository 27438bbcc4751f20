"""Which rules settings and options may name."""

from __future__ import annotations

from typing import Literal

from deckcheck.model.finding import UNCLEAR
from deckcheck.report.suppressions import NOT_SUPPRESSIBLE
from deckcheck.support.errors import Problem
from deckcheck.support.messages import _

Key = Literal["select", "ignore", "severity"]

_UNKNOWN = _("a deck with something unknown in it is never called legal")
_INVALID = _("it tells of an asking to ignore that makes no sense")


def unusable_rule(rule: str, key: Key, known: frozenset[str] | None) -> Problem | None:
    """Why a rule's id can't stand under that key; None where it can.

    `known` None: nobody can tell which rules there are.
    """
    if key == "ignore" and rule in NOT_SUPPRESSIBLE:
        message = _("{rule!r} can't be ignored", rule=rule)
        return Problem(message, hint=_UNKNOWN if rule in UNCLEAR else _INVALID)
    if key == "severity" and rule in UNCLEAR:
        message = _("{rule!r} can't be graded otherwise", rule=rule)
        return Problem(message, hint=_UNKNOWN)
    if known is None or rule in known:
        return None
    from deckcheck.support.errors import did_you_mean

    message = _("there is no rule {rule!r}", rule=rule)
    return Problem(message, hint=did_you_mean(rule, known))
