"""Dates in several notations, and the current time."""

from __future__ import annotations

import re
import time
from datetime import UTC, date, datetime
from functools import lru_cache

from deckcheck.support.errors import user_error
from deckcheck.support.messages import Message, _

_WRITTEN = re.compile(r"(\d{4})(?:[-/.]|年)(\d{1,2})(?:[-/.]|月)(\d{1,2})日?")


@lru_cache(maxsize=64)
def parse_day(written: str) -> date | None:
    """The date written like 2026-01-10, 2026/1/10, 2026.1.10 or in Japanese; None for anything else."""
    match = _WRITTEN.fullmatch(written.strip())
    if match is None:
        return None
    try:
        return date(*map(int, match.groups()))
    except ValueError:
        return None


def is_day(text: object) -> bool:
    """Whether the value is a valid date as YYYY-MM-DD in ASCII digits."""
    try:
        return isinstance(text, str) and date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def no_such_day(written: object) -> Message:
    """The message for an invalid date."""
    return _("“{day}” is not a valid date", day=str(written))


def day_of_option(option: str, written: str, hint: Message | None = None) -> str:
    """The ISO date given with an option. Raises UserError for an invalid one."""
    day = parse_day(written)
    if day is None:
        message = _("{option}: {problem}", option=option, problem=no_such_day(written))
        raise user_error(message, hint=hint or _("write YYYY-MM-DD"))
    return day.isoformat()


def now() -> datetime:
    """The current time in UTC. Raises UserError if the clock is out of range."""
    try:
        return datetime.fromtimestamp(time.time(), UTC)
    except (OverflowError, OSError, ValueError) as error:
        raise user_error(_("the clock of this computer is wrong: its date can't be used")) from error


def today() -> date:
    """The current date in local time. Raises UserError as `now` does."""
    return now().astimezone().date()
