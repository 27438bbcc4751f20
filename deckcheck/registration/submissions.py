"""What came in for an event: who sent a list and when, and lists as files in a folder."""

import os
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from pathlib import Path
from typing import NamedTuple

from deckcheck.checking.walk import DeckFile, find_decks
from deckcheck.config.settings import NO_SETTINGS
from deckcheck.decklists.decode import decode
from deckcheck.decklists.header import header_parts, json_header, plain_value
from deckcheck.registration.model import FIELD_NAMES, FIELDS, SUBMITTED, Player, Submission
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.files import read_bytes
from deckcheck.support.messages import Words, _
from deckcheck.support.safetext import without_hidden
from deckcheck.support.yamlfile import Keys

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


KEYS = frozenset({*FIELDS, SUBMITTED})
"""What may be told of a submission besides its list."""

TIME = _("time of submission")
"""What "submitted" is called."""

LARGEST_LIST = 256 * 1024
"""In bytes of UTF-8; no list comes near this."""

LONGEST_FIELD = 1000
"""In characters; no name comes near this."""

TOO_LARGE = _("the list is too large (at most {largest_list} KiB)", largest_list=LARGEST_LIST // 1024)

_LANGUAGES = {
    **dict.fromkeys(("ja", "jp", "jpn", "japanese", "日本語"), "ja"),
    **dict.fromkeys(("en", "eng", "english", "英語"), "en"),
}


MOST_ROWS = 20_000

PlacedProblem = Callable[[Keys, Words, Words | None], Problem]
"""From the way to a value within an entry, a message and a hint to the problem with its place."""


class Line(NamedTuple):
    """A row as it was read: the line on which it begins, 1-based, and its cells.

    `unreadable` are the columns (0-based) of cells that hold what can't be
    read; `problem` tells of the row as a whole.
    """

    number: int
    cells: Sequence[str]
    unreadable: frozenset[int] = frozenset()
    problem: Words | None = None


class Sender(NamedTuple):
    """Who sent a list and when, and what is wrong with how that is told."""

    player: Player
    submitted: str
    problem: Words | None


def read_fields(fields: Mapping[str, str]) -> Sender:
    """The player and the time that the texts of `fields` (keys of KEYS) give."""
    plain: dict[str, str | None] = {}
    problem: Words | None = None
    for key, text in fields.items():
        if len(text) > LONGEST_FIELD:
            name = TIME if key == SUBMITTED else FIELD_NAMES[key]
            problem = problem or _(
                "{name} is too long (at most {longest_field:,} characters)",
                name=name,
                longest_field=LONGEST_FIELD,
            )
            plain[key] = None
        else:
            plain[key] = cleaned(text) or None
    submitted = plain.pop(SUBMITTED, None) or ""
    if plain.get("language"):
        plain["language"] = _language(str(plain["language"]))
    return Sender(Player(**plain), submitted, problem)


def submission(
    place: str, sender: Sender, text: str | None, zone: tzinfo, problem: Words | None, *, timed: bool = False
) -> Submission:
    """A submission without its number. One with a problem shows no list. `timed` says that a time belongs there."""
    trouble = problem or sender.problem
    if text is not None and trouble is None and is_large(text):
        trouble = TOO_LARGE
    shown = text if trouble is None and text is not None and text.strip() else None
    when = parse_time(sender.submitted, zone) if sender.submitted else None
    return Submission(0, place, sender.player, shown, when, sender.submitted, trouble, timed)


def too_many_rows(shown: str) -> UserError:
    """The user's mistake of giving a form that can't be one of an event."""
    return user_error(_("too many rows (at most {most_rows:,})", most_rows=MOST_ROWS), path=shown)


def too_many_cells(shown: str, most: int) -> UserError:
    """As `too_many_rows`."""
    return user_error(_("too many cells (at most {most:,})", most=most), path=shown)


def is_large(text: str) -> bool:
    """Whether a text is larger than a list may be."""
    return 4 * len(text) > LARGEST_LIST and len(text.encode("utf-8", "replace")) > LARGEST_LIST


def cleaned(text: str) -> str:
    """`text` in one line, without what can't be seen."""
    return " ".join(without_hidden(text).split())


def _language(text: str) -> str | None:
    word = text.casefold()
    return _LANGUAGES.get(word) or _LANGUAGES.get(re.split("[-_]", word)[0])


_MOST_LINES = 200


def read_player(text: str, ending: str) -> dict[str, str]:
    """The player's fields and "submitted", as they are written; {} where a list says nothing.

    They stand in comments (`# player: NAME`) near the top, or at the top level
    of YAML and JSON. The first of a key counts. `ending` is that of the
    list's file.
    """
    if text.lstrip()[:1] == "{":
        return json_header(text, _key_of)
    found: dict[str, str] = {}
    mapping = ending in (".yaml", ".yml")
    for line in text.split("\n", _MOST_LINES)[:_MOST_LINES]:
        word, value, marked = header_parts(line)
        key = _key_of(word)
        # Not only above the cards: whoever lays out a list may put comments below the first heading.
        if key is None or (not marked and (not mapping or line[0] in " \t-")):
            continue
        # A spreadsheet fills up the lines of a comment, too.
        value = value.rstrip(",;\t ") if ending in (".csv", ".tsv") else value
        value = value if marked else plain_value(value)
        if value:
            found.setdefault(key, value)
    return found


def _key_of(word: str) -> str | None:
    """The field that a word at the top of a list stands for. A player's name is called "player" there."""
    key = word.strip().casefold()
    return "name" if key == "player" else key if key in KEYS and key != "name" else None


MOST_FILES = 20_000
MOST_DEEP = 20


def read_folder(folder: Path, shown: str, zone: tzinfo, own: frozenset[str]) -> Iterator[Submission]:
    """A submission without number for each file below `folder`, in the order of their names.

    Hidden files and those in `own` (absolute paths) don't count. One that is no
    list comes with the problem that says so. `shown` is how the folder is
    named. Raises UserError where it can't be searched or holds too much.
    """
    top = str(folder)
    files = [parts for parts in _files(top, (), shown) if _absolute(top, parts) not in own]
    # Whoever collects lists keeps them out of a repository: .gitignore says nothing here.
    settings = NO_SETTINGS._replace(respect_gitignore=False)
    lists = {one.path for one in find_decks([top], settings=settings) if isinstance(one, DeckFile)}
    inside = os.path.realpath(top)
    for parts in sorted(files):
        path = os.path.join(top, *parts)  # noqa: PTH118 - a path may be no text
        place = "/".join((shown, *parts) if shown != "." else parts)
        place = place.encode("utf-8", "backslashreplace").decode()
        if os.path.islink(path) and not _is_below(os.path.realpath(path), inside):  # noqa: PTH114 - as above
            yield submission(place, read_fields({}), None, zone, _("a link that leads out of the folder"))
        elif path not in lists:
            yield submission(place, read_fields({}), None, zone, _("not the file of a list"))
        else:
            yield _read(path, place, zone)


def _read(path: str, place: str, zone: tzinfo) -> Submission:
    try:
        data = read_bytes(Path(path), most=LARGEST_LIST)
        text = decode(data, place)
    except UserError as error:
        message = error.problems[0].message
        too_large = _size(path) > LARGEST_LIST
        return submission(place, read_fields({}), None, zone, TOO_LARGE if too_large else message)
    ending = os.path.splitext(path)[1].lower()  # noqa: PTH122 - as above
    return submission(place, read_fields(read_player(text, ending)), text, zone, None)


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size  # noqa: PTH116 - as above
    except OSError:
        return 0


def _files(folder: str, above: tuple[str, ...], shown: str) -> list[tuple[str, ...]]:
    """The files below a folder that are not hidden, each as the names that lead to it."""
    if len(above) > MOST_DEEP:
        raise user_error(_("folders nested too deeply"), path=shown)
    try:
        with os.scandir(folder) as entries:
            inside = [(one.name, one.path, one.is_dir(follow_symlinks=False)) for one in entries]
    except OSError as error:
        reason = error.strerror or str(error)
        raise user_error(_("can't be read: {reason}", reason=reason), path=shown) from error
    found: list[tuple[str, ...]] = []
    for name, path, is_folder in inside:
        if name.startswith("."):
            continue
        if is_folder:
            found += _files(path, (*above, name), shown)
        else:
            found.append((*above, name))
        if len(found) > MOST_FILES:
            raise user_error(_("too many files (at most {most_files:,})", most_files=MOST_FILES), path=shown)
    return found


def _absolute(top: str, parts: tuple[str, ...]) -> str:
    return os.path.abspath(os.path.join(top, *parts))  # noqa: PTH100, PTH118 - as above


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)
