"""Whether a deck is legal, why not, and where.

    >>> from deckcheck import check, load_format
    >>> report = check("4 x 天災 デドダム", load_format("duel-masters/original"), as_of="2026-01-01")
    >>> report.verdict
    'illegal'

What is named here is the public interface; everything else may change.
"""

from deckcheck.check import LoadedFormat, check, load_format
from deckcheck.decks import Deck
from deckcheck.errors import UserError
from deckcheck.report.violation import Finding, Report

__all__ = ["Deck", "Finding", "LoadedFormat", "Report", "UserError", "check", "load_format"]
