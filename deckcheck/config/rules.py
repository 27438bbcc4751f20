"""Which rules settings and options may name."""

from __future__ import annotations

from typing import Literal

from deckcheck.model.engineids import UNCLEAR
from deckcheck.report.suppress import ALWAYS_TOLD
from deckcheck.support.errors import Problem
from deckcheck.support.text import Text

Key = Literal["select", "ignore", "severity"]

_UNKNOWN = Text(
    "分からないものがあるデッキを「問題なし」にはできません",
    "a deck with something unknown in it is never called legal",
)
_INVALID = Text(
    "無視の指定そのものが読めない、という知らせです",
    "it tells of an asking to ignore that makes no sense",
)


def unusable_rule(rule: str, key: Key, known: frozenset[str] | None) -> Problem | None:
    """Why a rule's id can't stand under that key; None where it can.

    `known` None: nobody can tell which rules there are.
    """
    if key == "ignore" and rule in ALWAYS_TOLD:
        message = Text(f"「{rule}」は無視できません", f"{rule!r} can't be ignored")
        return Problem(message, hint=_UNKNOWN if rule in UNCLEAR else _INVALID)
    if key == "severity" and rule in UNCLEAR:
        message = Text(f"「{rule}」の重さは変えられません", f"{rule!r} can't be graded otherwise")
        return Problem(message, hint=_UNKNOWN)
    if known is None or rule in known:
        return None
    from deckcheck.support.schema import did_you_mean

    message = Text(f"「{rule}」という規則はありません", f"there is no rule {rule!r}")
    return Problem(message, hint=did_you_mean(rule, known))
