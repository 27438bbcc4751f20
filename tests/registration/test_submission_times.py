"""Times as forms and people write them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.registration.submissions import parse_time

TOKYO = ZoneInfo("Asia/Tokyo")
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
    ],
)
def test_a_time_is_read(text: str, when: datetime) -> None:
    assert parse_time(text, TOKYO) == when


@pytest.mark.parametrize(
    "text",
    [
        "",
        "昨日の夜",
        # No time of day: before or after the deadline?
        "2026/11/27",
        "19:59",
        # Day first, or month first?
        "27/11/2026 19:59:03",
        "2026/13/01 10:00",
        "2026/02/30 10:00",
        "2026/11/27 25:00",
        "2026/11/27 19:60",
        "2026/11/27 午前 19:00",
        "2026/11/27 午前 7:00 PM",
        "2026/11/27 19:59 +24:00",
        "0001/01/01 00:00",
        "9999-12-31 23:59:59-1500",
        "2026/11/27 19:59" + " " * 100,
        "2026/11/27 19:59 or so",
    ],
)
def test_what_is_no_time_or_not_certain_is_none(text: str) -> None:
    assert parse_time(text, TOKYO) is None


def test_local_times_are_in_the_zone_of_the_event() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    summer, winter = parse_time("2026-07-01 12:00", berlin), parse_time("2026-12-01 12:00", berlin)
    assert summer is not None and summer.utcoffset() == timedelta(hours=2)
    assert winter is not None and winter.utcoffset() == timedelta(hours=1)


@pytest.mark.parametrize(
    ("text", "certain"),
    [
        # Comes twice, so nobody knows on which side of a deadline it lies.
        ("2026-10-25 02:00", False),
        ("2026-10-25 02:59:59", False),
        ("2026-10-25 02:30 +01:00", True),
        ("2026-10-25T00:30Z", True),
        ("2026-10-25 01:59:59", True),
        ("2026-10-25 03:00", True),
        # Never was.
        ("2026-03-29 02:30", False),
        ("2026-03-29 01:59", True),
        ("2026-03-29 03:00", True),
    ],
)
def test_an_hour_that_comes_twice_or_never_tells_no_time(text: str, certain: bool) -> None:
    assert (parse_time(text, ZoneInfo("Europe/Berlin")) is not None) is certain


def test_an_offset_wins_over_the_zone_of_the_event() -> None:
    found = parse_time("2026-11-27T19:59+02:30", TOKYO)
    assert found is not None and found.tzinfo == timezone(timedelta(hours=2, minutes=30))
    found = parse_time("2026-11-27T19:59Z", TOKYO)
    assert found is not None and found.tzinfo is UTC


@given(st.text(max_size=80))
def test_no_text_makes_it_stumble(text: str) -> None:
    found = parse_time(text, TOKYO)
    assert found is None or found < datetime(3000, 1, 2, tzinfo=UTC)
