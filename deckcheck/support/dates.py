"""Days as people write them, and what day it is."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from functools import lru_cache

from deckcheck.support.errors import user_error
from deckcheck.support.messages import Message, _

_WRITTEN = re.compile(r"(\d{4})(?:[-/.]|年)(\d{1,2})(?:[-/.]|月)(\d{1,2})日?")


@lru_cache(maxsize=64)
def parse_day(written: str) -> date | None:
    """The day that is written as 2026-01-10, 2026/1/10, 2026.1.10 or 2026年1月10日; None for anything else."""
    match = _WRITTEN.fullmatch(written.strip())
    if match is None:
        return None
    try:
        return date(*map(int, match.groups()))
    except ValueError:
        return None


def is_day(text: object) -> bool:
    """Whether it is a day of the calendar, written YYYY-MM-DD in plain digits."""
    try:
        return isinstance(text, str) and date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def no_such_day(written: object) -> Message:
    """What to say of something that should be a day."""
    return _("“{day}” is not a valid date", day=str(written))


def day_of_option(option: str, written: str, hint: Message | None = None) -> str:
    """The ISO date that is given with an option. Raises UserError for anything else."""
    found = parse_day(written)
    if found is None:
        message = _("{option}: {problem}", option=option, problem=no_such_day(written))
        raise user_error(message, hint=hint or _("write YYYY-MM-DD"))
    return found.isoformat()


def now() -> datetime:
    """This moment, in UTC. Raises UserError where the computer's clock shows none that can be."""
    try:
        return datetime.now(UTC)
    except (OverflowError, OSError, ValueError) as error:
        raise user_error(_("the clock of this computer is wrong: its date can't be used")) from error


def today() -> date:
    """The day that it is where the computer stands. Raises UserError as `now` does."""
    try:
        return date.today()
    except (OverflowError, OSError, ValueError) as error:
        raise user_error(_("the clock of this computer is wrong: its date can't be used")) from error
