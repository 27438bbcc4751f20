"""What stands on a sheet, as plain data in the sheet's language; how it looks is the renderers' business."""

import re
from typing import Literal, NamedTuple

from deckcheck.model.finding import Verdict
from deckcheck.registration.model import Player
from deckcheck.report.wording import Label

NOBODY = Player()


class Required(NamedTuple):
    """How many copies have to be there: from `low` to `high` (None: no bound), and one of `one_of` if that is given.

    `step` is by how much the bound grows with something in the deck, None where
    it doesn't or where it is known by how much.
    """

    low: int | None = None
    high: int | None = None
    one_of: tuple[int, ...] | None = None
    step: int | None = None


class Line(NamedTuple):
    """Copies of one card. `most` differs from `copies` where the list can be read with two counts.

    `sure` says that the name is one certain card's, in its canonical form;
    otherwise it stands as it is written in the list.
    """

    copies: int
    most: int
    name: str
    sure: bool = True


class Total(NamedTuple):
    """Copies in one zone or several, against what is required.

    `found` is None on an empty sheet; a pair where the lines leave it open.
    `fits` is None where nothing is required or nobody can tell.
    """

    found: tuple[int, int] | None
    required: Required | None
    fits: bool | None = None


class Zone(NamedTuple):
    """A zone's box. `blanks` are the ruled lines of an empty one; `played` says that the format has the zone."""

    title: str
    lines: tuple[Line, ...]
    total: Total
    blanks: int = 0
    played: bool = True


class Sum(NamedTuple):
    """A bound over several zones together, which go by their titles."""

    titles: tuple[str, ...]
    total: Total


class ListDate(NamedTuple):
    """A banlist and its newest change as of the day; None where it had none by then."""

    name: str
    latest: str | None


class Note(NamedTuple):
    """A finding in the sheet's language. `rule` is its id, None for what is no rule's."""

    label: Label
    rule: str | None
    message: str


class Page(NamedTuple):
    """One player's sheet.

    None stands for what is not known and is left to the pen. `fingerprint` is
    that of the deck, 64 hex digits, None where there is no certain deck;
    `verdict` is None where no list was judged. `zones` stand in the format's
    order, then those that it doesn't have. `date` and `as_of` are ISO dates;
    `format` has the edition with it where there is one.
    """

    lang: Literal["ja", "en"]
    player: Player
    event: str | None
    organiser: str | None
    date: str | None
    format: str
    format_id: str
    as_of: str
    lists: tuple[ListDate, ...]
    zones: tuple[Zone, ...]
    sums: tuple[Sum, ...] = ()
    fingerprint: str | None = None
    verdict: Verdict | None = None
    notes: tuple[Note, ...] = ()
    empty: bool = False


def short(fingerprint: str) -> str:
    """The first 16 hex digits in groups of four: enough to tell decks apart by eye."""
    return " ".join(fingerprint[at : at + 4] for at in range(0, 16, 4))


def payload(page: Page) -> str | None:
    """What the QR code holds: `deckcheck:1:FORMAT-ID:FINGERPRINT`; None without a fingerprint.

    The number is raised when the form changes. An id that a code has no room
    for is left out.
    """
    if page.fingerprint is None:
        return None
    id = page.format_id if re.fullmatch("[!-9;-~]{1,100}", page.format_id) else ""
    return f"deckcheck:1:{id}:{page.fingerprint}"
