"""Times as forms, spreadsheets and people write them: read if they are certain."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.support.dates import parse_time

TOKYO, BERLIN = ZoneInfo("Asia/Tokyo"), ZoneInfo("Europe/Berlin")
EVENING = datetime(2026, 11, 27, 19, 59, 3, tzinfo=TOKYO)
MINUTE = EVENING.replace(second=0)


@pytest.mark.parametrize(
    ("text", "when"),
    [
        # Google Forms, Japanese: in the sheet, and in the export of the answers.
        ("2026/11/27 19:59:03", EVENING),
        ("2026/11/27 午後 7:59:03", EVENING),
        ("2026/11/27 7:59:03 午後 GMT+9", EVENING),
        ("2026/11/27 午後7:59:03", EVENING),
        # Google Forms, English.
        ("11/27/2026 19:59:03", EVENING),
        ("11/27/2026 7:59:03 PM", EVENING),
        ("2026/11/27 7:59:03 PM GMT+9", EVENING),
        ("11/27/2026, 7:59 p.m.", MINUTE),
        # ISO 8601.
        ("2026-11-27T19:59:03", EVENING),
        ("2026-11-27T19:59:03.250+09:00", EVENING),
        ("2026-11-27T10:59:03Z", EVENING),
        ("2026-11-27 10:59:03 UTC", EVENING),
        ("2026-11-27T05:59:03-0500", EVENING),
        ("2026-11-27 19:59:03 JST", EVENING),
        ("2026-11-27 19:59", MINUTE),
        # People, and spreadsheets.
        ("2026年11月27日 19時59分", MINUTE),
        ("2026年11月27日19時59分03秒", EVENING),
        ("2026年11月27日(金) 19:59", MINUTE),
        ("2026年11月27日 午後7時59分", MINUTE),
        ("2026.11.27 19:59", MINUTE),
        ("２０２６／１１／２７　１９：５９：０３", EVENING),
        ("  2026/11/27 19:59:03  ", EVENING),
        ("2026年11月27日 19時", MINUTE.replace(minute=0)),
        # Noon and midnight.
        ("2026/11/27 12:30 AM", MINUTE.replace(hour=0, minute=30)),
        ("2026/11/27 12:30 PM", MINUTE.replace(hour=12, minute=30)),
        ("2026/11/27 午後 0:30", MINUTE.replace(hour=12, minute=30)),
        # There is no 27th month; the 12th may be a day.
        ("27/11/2026 19:59:03", EVENING),
        ("11/11/2026 19:59:03", EVENING.replace(day=11)),
        *((text, None) for text in ("05/12/2026 19:59:03", "12/05/2026 19:59:03", "05/12/2026 19:59 Z")),
        # No time of day: before or after the deadline?
        *((text, None) for text in ("", "昨日の夜", "2026/11/27", "19:59")),
        # No such time.
        *((text, None) for text in ("2026/13/01 10:00", "2026/02/30 10:00", "2026/11/27 25:00", "2026/11/27 19:60")),
        *((text, None) for text in ("2026/11/27 午前 19:00", "2026/11/27 午前 7:00 PM", "2026/11/27 19:59 +24:00")),
        *((text, None) for text in ("0001/01/01 00:00", "9999-12-31 23:59:59-1500")),
        *(("2026/11/27 19:59" + more, None) for more in (" " * 100, " or so")),
    ],
)  # fmt: skip
def test_a_time_is_read_if_it_is_certain(text: str, when: datetime | None) -> None:
    assert parse_time(text, TOKYO) == when


@pytest.mark.parametrize(
    ("text", "zone", "hours"),
    [
        # Local times are in the zone of the event, and an offset wins.
        ("2026-07-01 12:00", BERLIN, 2),
        ("2026-12-01 12:00", BERLIN, 1),
        ("2026-11-27T19:59+02:30", TOKYO, 2.5),
        ("2026-11-27T19:59Z", TOKYO, 0),
        # Comes twice, so nobody knows on which side of a deadline it lies.
        ("2026-10-25 02:00", BERLIN, None),
        ("2026-10-25 02:59:59", BERLIN, None),
        ("2026-10-25 02:30 +01:00", BERLIN, 1),
        ("2026-10-25T00:30Z", BERLIN, 0),
        ("2026-10-25 01:59:59", BERLIN, 2),
        ("2026-10-25 03:00", BERLIN, 1),
        # Never was.
        ("2026-03-29 02:30", BERLIN, None),
        ("2026-03-29 01:59", BERLIN, 1),
        ("2026-03-29 03:00", BERLIN, 2),
    ],
)
def test_an_hour_has_its_offset_and_one_that_comes_twice_or_never_tells_no_time(
    text: str, zone: ZoneInfo, hours: float | None
) -> None:
    found = parse_time(text, zone)
    assert (None if found is None else found.utcoffset()) == (
        None if hours is None else timedelta(hours=hours)
    )


@given(st.text(max_size=80))
def test_no_text_makes_it_stumble(text: str) -> None:
    found = parse_time(text, TOKYO)
    assert found is None or found < datetime(3000, 1, 2, tzinfo=UTC)
