"""Whether a deck is legal, why not, and where.

    >>> from deckcheck import check, load_format
    >>> report = check("4 x 天災 デドダム", load_format("duel-masters/original"), as_of="2026-01-01")
    >>> print(report.verdict)
    illegal

What is named here is the public interface; everything else may change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deckcheck.checking.judge import LoadedFormat, check, explain, load_format
    from deckcheck.model.deck import Deck
    from deckcheck.model.finding import Finding, Report
    from deckcheck.support.errors import UserError

__all__ = ["Deck", "Finding", "LoadedFormat", "Report", "UserError", "check", "explain", "load_format"]


def __getattr__(name: str) -> object:
    # The command line begins here too, and takes only what it needs.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from deckcheck.checking import judge as checking
    from deckcheck.model import deck as decks
    from deckcheck.model import finding as violation
    from deckcheck.support import errors

    for module in (checking, decks, errors, violation):
        if name in vars(module):
            return vars(module)[name]
    raise AttributeError(name)
