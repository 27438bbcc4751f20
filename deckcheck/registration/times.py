"""Reads the time of a submission, as forms, spreadsheets and people write it."""

import re
import unicodedata
from datetime import datetime, timedelta, timezone, tzinfo

_LONGEST_TIME = 64
_DAY = r"(?P<y>\d{4})(?:-|/|\.|年)\s?(?P<m>\d{1,2})(?:-|/|\.|月)\s?(?P<d>\d{1,2})日?"
_DAY_EN = r"(?P<m>\d{1,2})/(?P<d>\d{1,2})/(?P<y>\d{4})"
_WEEKDAY = r"(?:\s*\([^()\d]{1,9}\))?"
_HALF = r"午前|午後|[AP]\.?M\.?"
_CLOCK = r"(?P<H>\d{1,2})(?:(?::|時)\s?(?P<M>\d{1,2})分?(?::?\s?(?P<S>\d{1,2})秒?(?:[.,]\d{1,9})?)?|時)"
_OFFSET = r"(?P<utc>Z|UTC|GMT)|(?P<jst>JST)|(?:UTC|GMT)?(?P<sign>[+-])(?P<oh>\d{1,2})(?::?(?P<om>\d{2}))?"
_AFTER = rf"(?:\s*(?P<after>{_HALF}))?(?:\s*(?:{_OFFSET}))?"
_BEFORE = rf"(?:\s*T\s*|\s*,\s*|\s+|(?<=日)|(?<=\)))(?:(?P<before>{_HALF})\s*)?"
_FORMS = tuple(
    re.compile(rf"{day}{_WEEKDAY}{_BEFORE}{_CLOCK}{_AFTER}", re.IGNORECASE | re.ASCII)
    for day in (_DAY, _DAY_EN)
)
_FIRST_YEAR, _LAST_YEAR = 1970, 2999


def parse_time(text: str, zone: tzinfo) -> datetime | None:
    """The time in `text`, in `zone` unless it has an offset; None if it can't be read.

    Reads ISO 8601 and the exports of Google Forms and spreadsheets in Japanese and English (month first). A
    date alone isn't enough, nor is a time that occurs twice or never because the clocks change.
    """
    if len(text) > _LONGEST_TIME:
        return None
    plain = unicodedata.normalize("NFKC", text).strip()
    match = next((hit for form in _FORMS if (hit := form.fullmatch(plain)) is not None), None)
    if match is None:
        return None
    parts = match.groupdict()
    year, month, day, hour = (int(parts[key]) for key in ("y", "m", "d", "H"))
    half = parts["before"] or parts["after"]
    if not _FIRST_YEAR <= year <= _LAST_YEAR or (parts["before"] and parts["after"]):
        return None
    if half is not None:
        late = half[0] in "Pp" or half == "午後"
        if hour > 12 and not late:
            return None
        hour = hour if hour > 12 else hour % 12 + 12 * late
    where: tzinfo = zone
    if parts["jst"]:
        where = timezone(timedelta(hours=9))
    elif parts["utc"] or parts["sign"]:
        hours, minutes = int(parts["oh"] or 0), int(parts["om"] or 0)
        if hours > 15 or minutes > 59:
            return None
        offset = timedelta(hours=hours, minutes=minutes)
        where = timezone(-offset if parts["sign"] == "-" else offset)
    try:
        minute, second = (int(parts[key] or 0) for key in ("M", "S"))
        when = datetime(year, month, day, hour, minute, second, tzinfo=where)
        return when if when.utcoffset() == when.replace(fold=1).utcoffset() else None
    except ValueError:
        return None
