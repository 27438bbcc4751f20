"""What a list declares of its own check: the day, and the games of a match."""

import re
from collections.abc import Mapping
from datetime import date
from functools import lru_cache

from deckcheck.decklists.header import header_place
from deckcheck.model.deck import Deck
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.messages import Words, _


def day_of(deck: Deck, as_of: str | None = None) -> str:
    """The day of a check: as told, else as the list says ("as-of", "date"), else today."""
    key = "as-of" if deck.header.get("as-of") else "date"
    said = as_of if as_of is not None else deck.header.get(key)
    if said is None:
        return date.today().isoformat()
    try:
        return _iso(said)
    except ValueError as error:
        hint = _("write YYYY-MM-DD")
        message = _("there is no day {said!r}", said=said)
        raise _wrong_header(deck, key if as_of is None else None, message, hint) from error


@lru_cache(maxsize=64)
def _iso(said: str) -> str:
    """The day as an ISO date; all lists of a run are most often for one day. Raises ValueError."""
    written = re.fullmatch(r"(\d{4})(?:[-/.]|年)(\d{1,2})(?:[-/.]|月)(\d{1,2})日?", said.strip())
    if written is None:
        raise ValueError(said)
    return date(*map(int, written.groups())).isoformat()


def games_of(deck: Deck, best_of: int | None = None) -> int | None:
    """The games of a match: as told, else as the list says ("best-of"); None where nobody does.

    Raises UserError, with the line, where the list says something else than a number.
    """
    said = deck.header.get("best-of")
    if best_of is not None or said is None:
        return best_of
    if not said.isdecimal() or len(said) > 9:
        message = _("best-of is no number: {said}", said=said)
        raise _wrong_header(deck, "best-of", message)
    return int(said)


Asked = tuple[str | None, int | None]
"""The day of a check and the games of a match; None for what nobody said."""


def unless_said(deck: Deck, asked: Asked, otherwise: Asked) -> Asked:
    """What was asked for; where nothing was, and the list itself says nothing either, what holds otherwise."""
    as_of, best_of = asked
    if as_of is None and "as-of" not in deck.header and "date" not in deck.header:
        as_of = otherwise[0]
    if best_of is None and "best-of" not in deck.header:
        best_of = otherwise[1]
    return as_of, best_of


def options_for(best_of: int | None) -> Mapping[str, int]:
    """The games of a match as the options that growing bounds ask for."""
    return {} if best_of is None else {"best_of": best_of}


def _wrong_header(deck: Deck, key: str | None, message: Words, hint: Words | None = None) -> UserError:
    """What is wrong with what the list says of itself under `key`, with its line."""
    place = None if key is None else header_place(deck.lines, key)
    if place is None:
        return UserError([Problem(message, deck.path, hint=hint)])
    line, column = place
    return UserError([Problem(message, deck.path, line, column, deck.lines[line - 1], hint)])
