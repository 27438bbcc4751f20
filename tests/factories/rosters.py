"""Rosters of made-up players, tame and hostile, by a small format that doesn't move with the bundled ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import chdir
from datetime import UTC, date, datetime, timedelta, timezone
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

from msgspec.structs import replace

from deckcheck.checking.judge import LoadedFormat, load_format
from deckcheck.model.finding import CanonicalList, list_of
from deckcheck.registration.event import Event, EventSession, Provenance, Stamp
from deckcheck.registration.log import BEGINNING, Entry, Log, Receipt
from deckcheck.registration.roster import Roster, Row, build_roster
from deckcheck.registration.submissions import Player, Submission
from deckcheck.support.messages import Localized
from factories import random_lists

FORMAT = Path(__file__).parent.parent / "fixtures"
JST = timezone(timedelta(hours=9), "JST")
DEADLINE = datetime(2024, 3, 1, 18, 0, tzinfo=JST)
IN_TIME = DEADLINE - timedelta(hours=20)
TOO_LATE = DEADLINE + timedelta(minutes=1)

LEGAL = "4 アクア・ハルカス\n4 フェアリー・ライフ\n"
OTHER = "4 天災 デドダム\n4 アクア・ハルカス\n"
SAME_AS_LEGAL = "メインデッキ\n4枚 フェアリー・ライフ\n・《アクア・ハルカス》 ×4\n"
ILLEGAL = "4 アクア・ハルカス\n3 フェアリー・ライフ\n2 フェアリー・ライフ\n"
UNDECIDED = "4 アクア・ハルカス\n4 フェアリー・ライプ\n"
UNSETTLED = "4 アクア・ハルカス\n4 フェアリー・ライフ\n謎の置き場所:\n1 青銅の鎧\n"
UNREADABLE = '{"main": ['

EVENT = Event(
    id="cup",
    name=Localized("春の玩具店杯", "Spring toy cup"),
    date="2024-03-03",
    time_zone="Asia/Tokyo",
    format="toy",
    as_of="2024-03-02",
    path=Path("event.yaml"),
    log=Path("cup.log.jsonl"),
    sources=(),
    organiser="まちの玩具店",
    deadline=DEADLINE,
    required=("name",),
)
RULES = Provenance(Stamp("toy", "cd" * 32), (Stamp("toy/list", "ef" * 32),))
"""What the files of the format are said to hold."""

OPEN_END = replace(EVENT, deadline=None)


@cache
def toy_format() -> LoadedFormat:
    """A format of a few rules; its files are named as seen from their folder."""
    with chdir(FORMAT):
        return load_format("format.yaml")


def entry(
    number: int,
    text: str | None = LEGAL,
    name: str | None = None,
    submitted: datetime | None = IN_TIME,
    **player: str,
) -> Submission:
    """What came in as this number, from a player of their own unless a name is given."""
    named = Player(name=f"参加者{number}" if name is None else name, **player)
    return Submission(f"lists/{number:02}.txt", named, text, submitted, id=str(number))


def judged(
    *entries: Submission, event: Event = EVENT, accepted: Sequence[tuple[int, Receipt]] = ()
) -> Roster:
    """The roster of these entries."""
    return judge_event(event, entries, toy_format(), dict(sorted(accepted, key=lambda pair: pair[0])))


class _MadeUpSession(EventSession):
    """A session in which the content of the format is said to be RULES."""

    def __init__(self, event: Event, format: LoadedFormat) -> None:
        super().__init__(event)
        self._loaded = format

    @property
    def format(self) -> LoadedFormat:
        return self._loaded

    def provenance(self, reference: str) -> Provenance:  # noqa: ARG002
        return RULES


def judge_event(
    event: Event,
    entries: Sequence[Submission],
    format: LoadedFormat,
    accepted: Mapping[int, Receipt] = {},
) -> Roster:
    """The roster of these entries and receipts by a format; its content is said to be RULES."""
    session = _MadeUpSession(event, format)
    with mock.patch("deckcheck.registration.roster.read_entries", lambda *_: entries):
        return build_roster(session, log_of(accepted))


def log_of(receipts: Mapping[int, Receipt]) -> Log:
    """A log with these receipts."""
    return Log(
        tuple(Entry(number, BEGINNING, BEGINNING, receipt, {}) for number, receipt in receipts.items())
    )


def receipt(
    number: int, player: Player, listed: CanonicalList, place: str = "", rules: Provenance = RULES
) -> tuple[int, Receipt]:
    """A receipt of a list, with its number."""
    made = random_lists.receipt(
        at=datetime(2024, 3, 1, tzinfo=UTC),
        date=date.fromisoformat(EVENT.date),
        player=player,
        place=place,
        submitted=None,
        game="duel-masters",
        format=rules.format,
        banlists=rules.banlists,
        as_of=date.fromisoformat(EVENT.as_of),
        best_of=None,
        listed=listed,
    )
    return number, made


def row(text: str | None = LEGAL, event: Event = EVENT, **others: Any) -> Row:
    """The row of a single entry."""
    [only] = judged(replace(entry(1, text), **others), event=event).rows
    return only


HOSTILE = (
    "<script>alert('x')</script>",
    '"><img src=x onerror=alert(1)>',
    "</td></tr></table>&amp;",
    '=HYPERLINK("http://example.invalid","x")',
    "\u202e\u2066evil\x1b[31m",
    "../../etc/passwd",
    "＝1+1",
    "a\r\nb;=1",
    "\ud800",
)
"""Names that would do harm if they were taken for more than names."""


ANOTHER = CanonicalList({"main": {"学校男": 1}}, {})


def listed() -> CanonicalList:
    """The legal list as it is accepted."""
    report = row().report
    assert report is not None
    found = list_of(report.deck)
    assert found is not None
    return found
