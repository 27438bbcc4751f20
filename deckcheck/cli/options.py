"""What option values mean."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from deckcheck.support.errors import wrong
from deckcheck.support.files import shipped
from deckcheck.support.messages import _


def day(value: str | None) -> str | None:
    """The ISO date that was given, if one was. Raises UserError if there is no such day."""
    if value is None:
        return None
    try:
        return date.fromisoformat(value.replace("/", "-")).isoformat()
    except ValueError as error:
        raise wrong(
            _("--as-of: there is no day {value!r} (it is written YYYY-MM-DD)", value=value)
        ) from error


def game_id(value: str | None) -> str:
    """The id of the game that was asked for, else of the only one there is.

    Raises UserError where there is none of that name, or a choice to make.
    """
    known = sorted(file.parent.name for file in shipped("formats").glob("*/game.yaml"))
    if value is not None and value in known:
        return value
    if value is None and len(known) == 1:
        return known[0]
    listed = ", ".join(known)
    if value is None:
        raise wrong(_("--game is needed, one of {listed}", listed=listed))
    raise wrong(_("--game: there is no {value!r} (only {listed})", value=value, listed=listed))


def game_ids(value: str | None) -> list[str]:
    """As `game_id`; all of them where none was asked for."""
    if value is not None:
        return [game_id(value)]
    return sorted(file.parent.name for file in shipped("formats").glob("*/game.yaml"))


def listed(values: Iterable[str] | None) -> list[str]:
    """Every value of an option that may be given several times and may hold several with commas between."""
    parts = (part.strip() for value in values or () for part in value.split(","))
    return list(dict.fromkeys(part for part in parts if part))
