"""Submissions to an event: senders and times, and lists as files in a folder."""

import os
import re
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta, timezone, tzinfo
from pathlib import Path
from typing import NamedTuple

from deckcheck.checking.deck_files import DeckFile, find_decks
from deckcheck.config.settings import NO_SETTINGS
from deckcheck.decklists.decode import decode
from deckcheck.decklists.header import header_parts, json_header, plain_value
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import cannot_read, is_file, read_bytes, walk
from deckcheck.support.messages import Words, _
from deckcheck.support.safe_text import without_hidden


class Player(NamedTuple):
    """A player; fields are None if not given. `reading` is the name in kana, `language` "ja" or "en"."""

    name: str | None = None
    reading: str | None = None
    handle: str | None = None
    id: str | None = None
    table: str | None = None
    language: str | None = None

    @property
    def filled(self) -> dict[str, str]:
        """The fields with a value."""
        return {field: value for field, value in self._asdict().items() if value is not None}


FIELDS = Player._fields
SUBMITTED = "submitted"
"""The field for the time of submission, in addition to those of Player."""

FIELD_NAMES: Mapping[str, Words] = {
    "name": _("name"),
    "reading": _("reading of the name"),
    "handle": _("handle"),
    "id": _("player id"),
    "table": _("table"),
    "language": _("language"),
}
TIME = _("time of submission")

LARGEST_LIST = 256 * 1024
"""The largest list, in bytes of UTF-8."""

LONGEST_FIELD = 1000
"""The longest field of a sender, in characters."""

MOST_FILES = 20_000
MOST_DEEP = 20
TOO_LARGE = _("the list is too large (at most {largest_list} KiB)", largest_list=LARGEST_LIST // 1024)

_MOST_LINES = 200
_LANGUAGES = {
    **dict.fromkeys(("ja", "jp", "jpn", "japanese", "日本語"), "ja"),
    **dict.fromkeys(("en", "eng", "english", "英語"), "en"),
}


class Submission(NamedTuple):
    """A submitted list, numbered from 1 over all sources of the event.

    `place` identifies it without naming the player: "lists/a.txt", or "form.csv:17" with the line of the row.
    `submitted` is None if `submitted_as`, the written time, can't be read; `timed`: a time is expected.
    `text` is None without a list; `problem` says why it can't be read.
    """

    number: int
    place: str
    player: Player
    text: str | None
    submitted: datetime | None = None
    submitted_as: str = ""
    problem: Words | None = None
    timed: bool = False


class Sender(NamedTuple):
    """The player who sent a list, the time as written, and a problem with these."""

    player: Player = Player()
    submitted: str = ""
    problem: Words | None = None


def sender_of(fields: Mapping[str, str]) -> Sender:
    """The sender from texts by field: those of Player, and "submitted"."""
    plain: dict[str, str | None] = {}
    problem: Words | None = None
    for key, text in fields.items():
        if len(text) > LONGEST_FIELD:
            problem = problem or _(
                "{name} is too long (at most {longest_field:,} characters)",
                name=TIME if key == SUBMITTED else FIELD_NAMES[key],
                longest_field=LONGEST_FIELD,
            )
            text = ""
        plain[key] = " ".join(without_hidden(text).split()) or None
    submitted = plain.pop(SUBMITTED, None) or ""
    word = (plain.get("language") or "").casefold()
    if word:
        plain["language"] = _LANGUAGES.get(word) or _LANGUAGES.get(re.split("[-_]", word)[0])
    return Sender(Player(**plain), submitted, problem)


def submission(
    place: str, sender: Sender, text: str | None, zone: tzinfo, problem: Words | None, *, timed: bool = False
) -> Submission:
    """A submission without its number (0); with a problem, it has no text."""
    problem = problem or sender.problem
    # Encode only long texts: no character has more than four bytes.
    if text is not None and 4 * len(text) > LARGEST_LIST < len(text.encode("utf-8", "replace")):
        problem = problem or TOO_LARGE
    if problem is not None or (text is not None and not text.strip()):
        text = None
    when = parse_time(sender.submitted, zone) if sender.submitted else None
    return Submission(0, place, sender.player, text, when, sender.submitted, problem, timed)


def read_sender(text: str, path: str) -> Sender:
    """The sender in a list: in comments near its top (`# player: NAME`), or at the top of YAML and JSON."""
    if text.lstrip()[:1] == "{":
        return sender_of(json_header(text, _key_of))
    ending = Path(path).suffix.lower()
    fields: dict[str, str] = {}
    mapping = ending in (".yaml", ".yml")
    for line in text.split("\n", _MOST_LINES)[:_MOST_LINES]:
        word, value, marked = header_parts(line)
        key = _key_of(word)
        # Comments may also come after the first heading.
        if key is None or (not marked and (not mapping or line[0] in " \t-")):
            continue
        # Spreadsheets pad comment lines with delimiters.
        value = value.rstrip(",;\t ") if ending in (".csv", ".tsv") else value
        value = value if marked else plain_value(value)
        if value:
            fields.setdefault(key, value)
    return sender_of(fields)


def _key_of(word: str) -> str | None:
    """The field for a word at the top of a list, where the name's key is "player"; None if there is none."""
    key = word.strip().casefold()
    return "name" if key == "player" else key if key in (*FIELDS, SUBMITTED) and key != "name" else None


def read_folder(folder: Path, shown: str, zone: tzinfo, own: frozenset[str]) -> Iterator[Submission]:
    """A submission without number for each file below `folder`, by name, except hidden files and those in `own`.

    Files that aren't lists have a problem. Raises UserError if the folder can't be searched or holds too much.
    """
    files: list[Path] = []
    for item in walk(str(folder)):
        if item.kind == "unreadable" and item.error is not None:
            raise cannot_read(shown, item.error)
        if item.kind == "folder" and item.depth >= MOST_DEEP:
            raise user_error(_("folders nested too deeply"))
        if item.kind != "folder":
            files.append(Path(item.path))
        if len(files) > MOST_FILES:
            raise user_error(_("too many files (at most {most_files:,})", most_files=MOST_FILES))
    # Ignored by Git or not, all lists count: they often are kept out of a repository.
    settings = NO_SETTINGS._replace(respect_gitignore=False)
    decks = find_decks([str(folder)], settings=settings)
    lists = {Path(deck.path) for deck in decks if isinstance(deck, DeckFile)}
    inside = os.path.realpath(folder)
    for path in files:
        if os.path.abspath(path) in own:  # noqa: PTH100 - links stay what they are
            continue
        within = path.relative_to(folder).as_posix()
        place = within if shown == "." else f"{shown}/{within}"
        place = place.encode("utf-8", "backslashreplace").decode()
        problem: Words | None = None
        text, sender = None, Sender()
        if path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(inside):
            problem = _("a link that leads out of the folder")
        elif path not in lists:
            problem = _("not the file of a list")
        else:
            try:
                text = decode(read_bytes(path, most=LARGEST_LIST), place)
                sender = read_sender(text, path.name)
            except UserError as error:
                large = is_file(path) and path.stat().st_size > LARGEST_LIST
                problem = TOO_LARGE if large else error.problems[0].message
        yield submission(place, sender, text, zone, problem)


# Times as forms, spreadsheets and people write them

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
