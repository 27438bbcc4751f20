"""Dates and times as people, forms and spreadsheets write them, and the current time."""

from __future__ import annotations

import re
import time
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, tzinfo
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from deckcheck.support.errors import user_error
from deckcheck.support.messages import OR, Message, _, series

_WRITTEN = re.compile(r"(\d{4})(?:[-/.]|年)(\d{1,2})(?:[-/.]|月)(\d{1,2})日?")
_LONGEST_TIME = 64
_WEEKDAY = re.compile(r"\s*\([^()\d]{1,9}\)")
_YEAR_LAST = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})")


def parse_day(written: str) -> date | None:
    """The date written like 2026-01-10, 2026/1/10, 2026.1.10 or in Japanese, perhaps with its weekday; None for anything else."""
    bare = _WEEKDAY.sub("", unicodedata.normalize("NFKC", written)) if len(written) <= _LONGEST_TIME else ""
    match = _WRITTEN.fullmatch(bare.strip())
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


def in_words(day: date) -> Message:
    """A date as people write it."""
    return _("{year}-{month:02}-{day:02}", year=day.year, month=day.month, day=day.day)


def no_such_day(written: object) -> Message:
    """The message for an invalid date."""
    return _("“{day}” is not a valid date", day=str(written))


def how_to_write(day: str) -> Message:
    """The hint for an invalid date; for one with the year last, with the days that it may be."""
    first, second, year = match.groups() if (match := _YEAR_LAST.fullmatch(day.strip())) else ("", "", "")
    days = {parse_day(f"{year}-{first}-{second}"), parse_day(f"{year}-{second}-{first}")} - {None}
    return _("write {days}", days=series(sorted(map(str, days)), OR)) if days else _("write YYYY-MM-DD")


def day_of_option(option: str, written: str, hint: Message | None = None) -> str:
    """The ISO date given with an option. Raises UserError for an invalid one."""
    day = parse_day(written)
    if day is None:
        message = _("{option}: {problem}", option=option, problem=no_such_day(written))
        raise user_error(message, hint=hint or how_to_write(written))
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


# Times, as forms, spreadsheets and people write them

DateOrder = Literal["month-first", "day-first"]
DATE_ORDERS: tuple[DateOrder, ...] = get_args(DateOrder)
"""What comes first in a date such as 05/12/2026."""
_DAY = (
    r"(?P<y>\d{4})[-/.]\s?(?P<m>\d{1,2})[-/.]\s?(?P<d>\d{1,2})"
    r"|(?P<first>\d{1,2})/(?P<second>\d{1,2})/(?P<last>\d{4})"
)
_HALF = r"(?P<{}>[AP])\.?M\.?"
_CLOCK = r"(?P<H>\d{1,2}):\s?(?:(?P<M>\d{1,2}):?\s?(?:(?P<S>\d{1,2})(?:[.,]\d{1,9})?)?)?"
_OFFSET = r"(?P<utc>Z|UTC|GMT)|(?P<jst>JST)|(?:UTC|GMT)?(?P<sign>[+-])(?P<oh>\d{1,2})(?::?(?P<om>\d{2}))?"
_TIME = re.compile(
    rf"(?:{_DAY})[\sT,]+(?:{_HALF.format('before')}\s*)?{_CLOCK}"
    rf"(?:\s*{_HALF.format('after')})?(?:\s*(?:{_OFFSET}))?",
    re.IGNORECASE | re.ASCII,
)
_FIRST_YEAR, _LAST_YEAR = 1970, 2999


def parse_time(text: str, zone: tzinfo, dates: DateOrder | None = None) -> datetime | None:
    """The time in `text`, in `zone` unless it has an offset; None if it can't be read for certain.

    Reads ISO 8601 and the exports of Google Forms and spreadsheets in Japanese and English. A date alone isn't enough,
    nor is a time that occurs twice or never because the clocks change, nor 05/12/2026 unless `dates` says what comes
    first there.
    """
    parts = _parts_of(text)
    orders = DATE_ORDERS if dates is None else (dates,)
    days = {day for order in orders if (day := _day_of(parts, order)) is not None}
    return _time_of(parts, days.pop(), zone) if len(days) == 1 else None


def common_order(texts: Iterable[str]) -> DateOrder | None:
    """What comes first in the dates of these times, as days above 12 say; None if none says it, or several disagree."""
    possible = [[order for order in DATE_ORDERS if _day_of(_parts_of(text), order)] for text in texts]
    certain = {order for orders in possible if len(orders) == 1 for order in orders}
    return certain.pop() if len(certain) == 1 else None


def is_ambiguous(text: str) -> bool:
    """Whether a time has a date like 05/12/2026, which is another day if the month comes first."""
    days = {_day_of(_parts_of(text), order) for order in DATE_ORDERS}
    return len(days - {None}) == 2


def _parts_of(text: str) -> Mapping[str, str]:
    """The parts of a time as written, "" for those that it lacks; empty if it is none."""
    if len(text) > _LONGEST_TIME:
        return {}
    plain = _WEEKDAY.sub(" ", unicodedata.normalize("NFKC", text))
    for word, sign in _clock_signs().items():
        plain = plain.replace(word, sign)
    match = _TIME.fullmatch(plain.strip())
    return {} if match is None else match.groupdict("")


@cache
def _clock_signs() -> Mapping[str, str]:
    """The words of data/dates.yaml, with the signs for which they stand."""
    # Commands that read no times don't need it.
    from deckcheck.support.documents import load_yaml

    signs: Mapping[str, str] = load_yaml(Path(__file__).parents[1] / "data" / "dates.yaml").data
    return signs


def _day_of(parts: Mapping[str, str], order: DateOrder) -> date | None:
    """The day of a time in parts; None if there is no such day."""
    if not parts:
        return None
    year, month, day = parts["y"], parts["m"], parts["d"]
    if not year:
        year, month, day = parts["last"], parts["first"], parts["second"]
        if order == "day-first":
            month, day = day, month
    try:
        return date(int(year), int(month), int(day)) if _FIRST_YEAR <= int(year) <= _LAST_YEAR else None
    except ValueError:
        return None


def _time_of(parts: Mapping[str, str], day: date, zone: tzinfo) -> datetime | None:
    """The time with these parts on that day; None if there is none, or if it occurs twice."""
    if parts["before"] and parts["after"]:
        return None
    hour, half = int(parts["H"]), (parts["before"] or parts["after"]).upper()
    if half == "A" and hour > 12:
        return None
    if half and hour <= 12:
        hour = hour % 12 + (12 if half == "P" else 0)
    offset = f"{parts['sign']}{parts['oh']:0>2}:{parts['om'] or '00'}" if parts["sign"] else ""
    offset = "+09:00" if parts["jst"] else "+00:00" if parts["utc"] else offset
    clock = f"{hour:02}:{parts['M']:0>2}:{parts['S']:0>2}"
    try:
        when = datetime.fromisoformat(f"{day}T{clock}{offset}")
    except ValueError:
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=zone)
    return when if when.utcoffset() == when.replace(fold=1).utcoffset() else None
