"""An event, the lists that came in for it, and what was found out about each."""

from collections.abc import Mapping
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Literal, NamedTuple

from deckcheck.checking.judge import LoadedFormat
from deckcheck.formats.lookup import BUNDLED_ONLY, Folders
from deckcheck.model.finding import Report, Verdict
from deckcheck.registration.canonical import Provenance, Stamp
from deckcheck.support.errors import Problem
from deckcheck.support.messages import Words, _


class Player(NamedTuple):
    """Who plays; None where nothing was given. `reading` is the name in kana (furigana), `language` "ja" or "en"."""

    name: str | None = None
    reading: str | None = None
    handle: str | None = None
    id: str | None = None
    table: str | None = None
    language: str | None = None

    @property
    def given(self) -> dict[str, str]:
        """The fields that have a value."""
        return {field: value for field, value in self._asdict().items() if value is not None}


FIELDS = Player._fields
"""What a player may be asked for."""

SUBMITTED = "submitted"
"""Beside these fields, the time at which a list came in."""

MOST_OTHERS = 100
"""Of the submissions that a row has something in common with, so many are named."""

FIELD_NAMES: Mapping[str, Words] = {
    "name": _("name"),
    "reading": _("reading of the name"),
    "handle": _("handle"),
    "id": _("player id"),
    "table": _("table"),
    "language": _("language"),
}
"""What the fields of a Player are called."""


class Folder(NamedTuple):
    """Lists in a folder, one file a player; each says in its header who plays it."""

    path: Path


class Form(NamedTuple):
    """A CSV, TSV or XLSX export of a form, one row a player.

    `columns` maps "submitted" and the fields of Player to the heads of their
    columns. The list stands in the column `deck`, or else in one column a
    zone: `zones` maps zone ids to heads. `worksheet` names the sheet of an
    XLSX file, None for its first.
    """

    path: Path
    columns: Mapping[str, str]
    deck: str | None = None
    zones: Mapping[str, str] = {}
    worksheet: str | None = None


class Event(NamedTuple):
    """An event as its file describes it.

    `path` is that file; `log` is where its receipts are kept. `date` and
    `as_of` are ISO dates, `deadline` knows its time zone, `time_zone` is an
    IANA name. `required` names the fields that every player must give.
    `language` is that of notices and sheets for players who name none. With
    `sealed` nothing but a commitment and a verdict is kept of a list.
    """

    id: str
    name: Words
    date: str
    time_zone: str
    format: str
    as_of: str
    path: Path
    log: Path
    sources: tuple[Folder | Form, ...]
    organiser: str | None = None
    best_of: int | None = None
    deadline: datetime | None = None
    required: tuple[str, ...] = ("name",)
    cards: tuple[Path, ...] = ()
    folders: Folders = BUNDLED_ONLY
    language: str | None = None
    sealed: bool = False

    def clock(self, time: datetime) -> datetime:
        """The same time in the event's time zone, where the system knows that."""
        from zoneinfo import ZoneInfo

        try:
            return time.astimezone(ZoneInfo(self.time_zone))
        except (LookupError, ValueError, OSError):
            return time

    def local_time(self, time: datetime) -> str:
        """A time as the clocks at the event show it."""
        return f"{self.clock(time):%Y-%m-%d %H:%M}"

    def language_of(self, player: Player, usual: str = "ja") -> Literal["ja", "en"]:
        """The language of what a player gets."""
        return "en" if (player.language or self.language or usual) == "en" else "ja"


class Submission(NamedTuple):
    """One list as it came in.

    `number` is 1-based over all sources of the event, in their order; files of
    a folder are sorted by name. `place` names it without telling who it is
    from: "lists/a.txt", or "form.csv:17" with the 1-based line on which the row
    begins (in XLSX: its row). `submitted` is None where no time is given, or
    where `submitted_as`, what is written there, is no time. `text` is None where
    there is no list; `problem` tells why what is there can't be read. `timed` says
    that a time belongs there: there is a column for it.
    """

    number: int
    place: str
    player: Player
    text: str | None
    submitted: datetime | None = None
    submitted_as: str = ""
    problem: Words | None = None
    timed: bool = False


class Seal(NamedTuple):
    """What is public of a secret list.

    `commitment` is a SHA-256 in hex; `verdict` is what whoever sealed the list
    says of it, on the day `as_of` and by the format and the banlists of these stamps.
    """

    commitment: str
    verdict: Verdict
    game: str
    format: Stamp
    as_of: str
    banlists: tuple[Stamp, ...] = ()


State = Literal["legal", "illegal", "undecided", "unreadable", "missing", "gone"]


class Row(NamedTuple):
    """What was found out about one submission.

    `report` is there when a list was judged, `seal` when a seal came instead;
    `problems` tell why it is unreadable. `late` is None where the time is not
    known and a deadline is set. `lacking` are required fields without a value.

    Rows of one player share their `group`; `numbers` are those of all the player's
    submissions, where there are several. `counts` says that this submission is the
    player's list; where it can't be told which is, none counts. `instead` is the
    number of the one that counts in this one's stead. `accepted` is the number of
    the player's receipt, None before acceptance. `changed` says that another list
    came in after the "deadline" and doesn't count, or that this one is not the list
    that was accepted. A row is "gone" where a list was accepted and nothing of its
    player is among the entries any more.

    `namesakes` are the submissions of several players, told apart by their ids, with
    the name of this one, who has no id. `copies` are other players' submissions with
    the same seal, `copied` is the receipt of such a seal. `notes` change nothing.
    """

    submission: Submission
    state: State
    group: int
    report: Report | None = None
    seal: Seal | None = None
    problems: tuple[Problem, ...] = ()
    late: bool | None = False
    lacking: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    counts: bool = True
    accepted: int | None = None
    changed: Literal["deadline", "acceptance"] | None = None
    instead: int | None = None
    notes: tuple[Words, ...] = ()
    namesakes: tuple[int, ...] = ()
    copies: tuple[int, ...] = ()
    copied: int | None = None

    @property
    def untimed(self) -> bool:
        """Whether there is a deadline, and nobody can read the time that stands here or should."""
        return self.late is None and (self.submission.timed or bool(self.submission.submitted_as))

    @property
    def others(self) -> tuple[int, ...]:
        """The numbers of the player's other submissions, the first of them."""
        own = self.submission.number
        return tuple(islice((number for number in self.numbers if number != own), MOST_OTHERS))

    @property
    def is_unclear(self) -> bool:
        """Whether nobody can tell which of the player's lists counts."""
        return not self.counts and self.instead is None

    @property
    def is_frozen(self) -> bool:
        """Whether this list was accepted as it is."""
        return self.counts and self.accepted is not None and self.changed != "acceptance"


class Accepted(NamedTuple):
    """What was accepted before: the receipt's number, whose it is, and the mark of the list (see precedence.mark_of).

    `place` is where the list came from, `rules` by what it was judged; None where that isn't known.
    """

    number: int
    player: Player
    mark: str
    place: str = ""
    rules: Provenance | None = None


class Roster(NamedTuple):
    """All submissions of an event, judged, in their order; behind them the rows that are gone.

    `notes` are remarks about the event as a whole.
    """

    event: Event
    format: LoadedFormat
    rows: tuple[Row, ...]
    notes: tuple[Words, ...] = ()
