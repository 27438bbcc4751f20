"""Times as forms and people write them."""

import re
import unicodedata
from datetime import UTC, datetime, timedelta, timezone, tzinfo

_LONGEST = 64
_DAY = r"(?P<y>\d{4})(?:-|/|\.|年)\s?(?P<m>\d{1,2})(?:-|/|\.|月)\s?(?P<d>\d{1,2})日?"
_DAY_EN = r"(?P<m>\d{1,2})/(?P<d>\d{1,2})/(?P<y>\d{4})"
_WEEKDAY = r"(?:\s*\([^()\d]{1,9}\))?"
_HALF = r"午前|午後|[AP]\.?M\.?"
_CLOCK = r"(?P<H>\d{1,2})(?::|時)\s?(?P<M>\d{1,2})分?(?::?\s?(?P<S>\d{1,2})秒?(?:[.,]\d{1,9})?)?"
_CLOCK_BARE = r"(?P<H>\d{1,2})時"
_OFFSET = r"(?P<utc>Z|UTC|GMT)|(?P<jst>JST)|(?:UTC|GMT)?(?P<sign>[+-])(?P<oh>\d{1,2})(?::?(?P<om>\d{2}))?"
_BEHIND = rf"(?:\s*(?P<after>{_HALF}))?(?:\s*(?:{_OFFSET}))?"
_BEFORE = rf"(?:\s*T\s*|\s*,\s*|\s+|(?<=日)|(?<=\)))(?:(?P<before>{_HALF})\s*)?"
_FORMS = tuple(
    re.compile(rf"{day}{_WEEKDAY}{_BEFORE}{clock}{_BEHIND}", re.IGNORECASE | re.ASCII)
    for day in (_DAY, _DAY_EN)
    for clock in (_CLOCK, _CLOCK_BARE)
)
_FIRST, _LAST = 1970, 2999
_TOKYO = timezone(timedelta(hours=9))


def parse_time(text: str, zone: tzinfo) -> datetime | None:
    """The time that `text` gives, in `zone` where it names no offset; None where it is no time.

    Read are ISO 8601 and what Google Forms and spreadsheets export in Japanese
    and English (month first). A day without a time of day is none, nor is one
    that could be read in two ways, such as one in the hour that comes twice
    when summer time ends, or in the hour that is left out when it begins.
    """
    plain = unicodedata.normalize("NFKC", text[: _LONGEST + 1]).strip()
    if len(text) > _LONGEST:
        return None
    found = next((hit for form in _FORMS if (hit := form.fullmatch(plain)) is not None), None)
    if found is None:
        return None
    said = found.groupdict()
    year = int(said["y"])
    hour = _hour(int(said["H"]), said["before"], said["after"])
    try:
        offset = _offset(said)
        if hour is None or not _FIRST <= year <= _LAST:
            return None
        when = datetime(
            year,
            int(said["m"]),
            int(said["d"]),
            hour,
            int(said.get("M") or 0),
            int(said.get("S") or 0),
            tzinfo=zone if offset is None else offset,
        )
        return when if when.utcoffset() == when.replace(fold=1).utcoffset() else None
    except ValueError:
        return None


def _hour(hour: int, before: str | None, after: str | None) -> int | None:
    """The hour of the day; None where it contradicts what stands beside it."""
    half = before or after
    if half is None:
        return hour
    if before is not None and after is not None:
        return None
    late = half[0] in "Pp" or half == "午後"
    if hour > 12:
        return hour if late else None
    return hour % 12 + 12 * late


def _offset(said: dict[str, str | None]) -> tzinfo | None:
    """Raises ValueError for one that there can't be."""
    if said["utc"]:
        return UTC
    if said["jst"]:
        return _TOKYO
    hours, minutes = said["oh"], int(said["om"] or 0)
    if hours is None:
        return None
    if int(hours) > 15 or minutes > 59:
        raise ValueError(hours)
    size = timedelta(hours=int(hours), minutes=minutes)
    return timezone(-size if said["sign"] == "-" else size)
