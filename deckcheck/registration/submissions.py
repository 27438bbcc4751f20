"""Submissions to an event: who sent which list when, and lists as files in a folder."""

import base64
import os
import re
import secrets
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from functools import cache
from hashlib import sha256
from pathlib import Path, PurePath
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.checking.deck_files import COUNT, why_no_list
from deckcheck.decklists.decoding import decode
from deckcheck.decklists.header_directives_comments import (
    header_key,
    header_line,
    header_parts,
    json_header,
    misspelt_header,
    plain_value,
    read_header,
)
from deckcheck.support.dates import parse_time
from deckcheck.support.documents import load_yaml
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import (
    cannot_read,
    cannot_write,
    is_file,
    read_bytes,
    real_path,
    walk,
    write_atomically,
)
from deckcheck.support.json import canonical
from deckcheck.support.messages import Words, _
from deckcheck.support.safe_text import without_hidden


class Player(Struct, frozen=True):
    """A player with a list; fields are None if not given. `reading` is the name in kana, `language` "ja" or "en".

    `others` are the fields that the event adds, by their ids.
    """

    name: str | None = None
    reading: str | None = None
    handle: str | None = None
    id: str | None = None
    table: str | None = None
    language: str | None = None
    email: str | None = None
    deck_name: str | None = None
    others: tuple[tuple[str, str], ...] = ()

    @property
    def filled(self) -> dict[str, str]:
        """The fields with a value."""
        given = {field: getattr(self, field) for field in FIELDS}
        return {field: value for field, value in given.items() if value is not None} | dict(self.others)

    @property
    def public(self) -> dict[str, str]:
        """The fields with a value, without the email address, which is nobody else's business."""
        return {field: value for field, value in self.filled.items() if field != "email"}

    def with_fields(self, values: Mapping[str, str]) -> "Player":
        """The player with these values of fields."""
        own = {field: value for field, value in values.items() if field in FIELDS}
        others = dict(self.others) | {field: value for field, value in values.items() if field not in FIELDS}
        return replace(self, **own, others=tuple(others.items()))

    @property
    def called(self) -> str:
        """The name, else the handle or the id; "" for none."""
        return self.name or self.handle or self.id or ""


FIELDS = Player.__struct_fields__[:-1]
SUBMITTED = "submitted"
"""The field for the time of submission, in addition to those of Player."""

FIELD_NAMES: Mapping[str, Words] = {
    "name": _("name"),
    "reading": _("reading of the name"),
    "handle": _("handle"),
    "id": _("player id"),
    "table": _("table"),
    "language": _("language"),
    "email": _("email address"),
    "deck_name": _("deck name"),
    SUBMITTED: _("time of submission"),
}

LARGEST_LIST = 256 * 1024
"""The largest list, in bytes of UTF-8."""

LONGEST_FIELD = 1000
"""The longest field of a sender, in characters."""


ID_LENGTH = 6
"""The usual length of a submission's id."""

NOTICES_MARK = ".deckcheck-letters"
"""The name of the file that marks a folder as the notices of an event."""

MOST_FILES = 20_000
MOST_DEEP = 20
TOO_LARGE = _("the list is too large (at most {largest_list} KiB)", largest_list=LARGEST_LIST // 1024)

_MOST_LINES = 200
_LONGEST_KEY = 20
_LONGEST_REMARK = 400
_NUMBER_AT_END = re.compile(r"(?<![\d:/.])\d{1,2}\W*$")
_STORED = "# deckcheck submission"
_LINK_LENGTH = 16
_STORED_NAME = re.compile(rf"[a-z2-7]+-(?P<link>[a-z2-7]{{{_LINK_LENGTH}}})\.txt")


@cache
def registration_words() -> Mapping[str, Any]:
    """The words of data/registration.yaml."""
    words: Mapping[str, Any] = load_yaml(Path(__file__).parents[1] / "data" / "registration.yaml").data
    return words


class Submission(Struct, frozen=True):
    """A submitted list. `id` is derived from the player, the time and the list, so that it never changes.

    `place` says where it is without naming the player: "lists/a.txt", or "form.csv:17" with the line of the row.
    `submitted` is None if `submitted_as`, the written time, can't be read; `timed`: a time is expected.
    `text` is None without a list; `problem` says why it can't be read. `is_file`: a whole file, no row of a form.
    `misspelt` are headers that are no fields, each with the similar field. `columns`: where
    the zones of the list are in columns of a form, their headings' lines in the text and the columns' heads.
    Submissions of one private link have the same `link`.
    """

    place: str
    player: Player
    text: str | None
    submitted: datetime | None = None
    submitted_as: str = ""
    problem: Words | None = None
    timed: bool = False
    is_file: bool = False
    misspelt: tuple[tuple[str, str], ...] = ()
    columns: tuple[tuple[int, str], ...] = ()
    link: str = ""
    id: str = ""

    @property
    def timestamp(self) -> float:
        """The time of submission for sorting; those without a time come first."""
        return -1.0 if self.submitted is None else self.submitted.timestamp()


def submission(
    place: str, given: Mapping[str, str], text: str | None, zone: tzinfo, problem: Words | None = None
) -> Submission:
    """A submission without its id, from what was given by field (with "submitted"); with a problem, it has no text."""
    values: dict[str, str] = {}
    for field, written in given.items():
        if len(written) > LONGEST_FIELD:
            problem = problem or _(
                "{name} is too long (at most {longest_field:,} characters)",
                name=FIELD_NAMES.get(field, field),
                longest_field=LONGEST_FIELD,
            )
        elif value := " ".join(without_hidden(written).split()):
            values[field] = value
    submitted = values.pop(SUBMITTED, "")
    # A language that isn't known is none.
    named = values.pop("language", "").casefold()
    for id, words in registration_words()["languages"].items():
        if named in words or re.split("[-_]", named)[0] in words:
            values["language"] = id
    # Encode only long texts: no character has more than four bytes.
    if text is not None and 4 * len(text) > LARGEST_LIST < len(text.encode("utf-8", "replace")):
        problem = problem or TOO_LARGE
    if text is not None and "\0" in text:
        problem = problem or _("the list has a character that is no text (NUL)")
    if problem is not None or (text is not None and not text.strip()):
        text = None
    when = parse_time(submitted, zone)
    return Submission(place, Player().with_fields(values), text, when, submitted, problem)


# Ids of submissions, and names for comparing


def with_ids(submissions: Iterable[Submission], zone: tzinfo) -> list[Submission]:
    """The submissions with their ids. Equal ones are told apart by their order, and clashing ids are longer."""
    known: Counter[str] = Counter()
    made = []
    for one in submissions:
        content = _content(one, zone)
        known[content] += 1
        repeated = f"{content} {known[content]}" if known[content] > 1 else content
        made.append((one, base64.b32encode(sha256(repeated.encode()).digest()).decode().lower()))
    starts = Counter(whole[:ID_LENGTH] for _one, whole in made)
    return [
        replace(one, id=whole[:ID_LENGTH] if starts[whole[:ID_LENGTH]] == 1 else whole[: 2 * ID_LENGTH])
        for one, whole in made
    ]


def _content(one: Submission, zone: tzinfo) -> str:
    """What came in, without what a new export of a form writes in another way."""
    # An id doesn't change when it is said whether days or months come first.
    month_first = parse_time(one.submitted_as, zone, "month-first")
    when = one.submitted_as if month_first is None else month_first.astimezone(UTC).isoformat()
    lines = [line.rstrip() for line in (one.text or "").strip().splitlines()]
    id, name = id_key(one.player.id), name_key(one.player.name)
    given = [id, name, when, "\n".join(lines), one.place if one.problem is not None else ""]
    return canonical([text.encode("utf-8", "backslashreplace").decode() for text in given]).decode()


def id_key(text: str | None) -> str:
    """A player's id for comparing, without regard to case."""
    return name_key(text).casefold()


def name_key(text: str | None) -> str:
    """A name for comparing: NFKC, without blanks and invisible characters."""
    visible = without_hidden(unicodedata.normalize("NFKC", text or ""), joiners=True)
    return "".join(visible.split())


def spelling_key(text: str | None) -> str:
    """A name for comparing without regard to case, apostrophes, hyphens and other punctuation."""
    plain = name_key(text).casefold()
    return "".join(char for char in plain if not unicodedata.category(char).startswith(("P", "S"))) or plain


# What stands in texts: no list, and senders


def written_in(text: str) -> list[str]:
    """The lines of a text that are neither comments nor headers."""
    lines = text.splitlines()
    return [line for line in lines if not line.lstrip().startswith("#") and header_line(line) is None]


def says_no_list(text: str) -> bool:
    """Whether a text without cards says that its player withdraws or sends a list later."""
    if len(text) > _LONGEST_REMARK:
        return False
    written = unicodedata.normalize("NFKC", " ".join(written_in(text)))
    plain = " ".join(written.casefold().replace("’", "'").split())
    joined = "".join(plain.split())
    return any(
        re.search(rf"\b{re.escape(word)}\b", plain) if word.isascii() else word in joined
        for word in registration_words()["no_list"]
    )


def has_count(text: str) -> bool:
    """Whether a line has a number that may be a count of cards, links aside."""
    lines = [re.sub(r"https?://\S+", "", line) for line in written_in(unicodedata.normalize("NFKC", text))]
    return any(re.search(COUNT, line) or _NUMBER_AT_END.search(line) for line in lines)


def _sender_key(word: str, fields: Sequence[str]) -> str | None:
    """The field of a header in a list, also by the name of a form's column; `name` is that of the deck."""
    key = word.strip().casefold()
    if key in ("player", *FIELDS, SUBMITTED, *fields):
        return "name" if key == "player" else None if key == "name" else key
    if header_key(key) is not None:
        return None
    columns = registration_words()["columns"].items()
    return next((field for field, heads in columns if field != "deck" and key in heads), None)


def submission_in(text: str, place: str, zone: tzinfo, fields: Sequence[str] = ()) -> Submission:
    """The submission without its id in a text: a list that says itself who sent it, or one that deckcheck stored.

    A list says it by comments near its top (`# player: NAME`), unmarked above the cards, or as keys of YAML and JSON.
    `fields` are those that the event adds. In the text of the submission, unmarked headers that say it are comments.
    """
    listed, stored, sender = text.rpartition(f"\n{_STORED}\n")
    ending = Path(place).suffix.lower()
    if stored:
        _lines, given, misspelt = _sender(sender, ending, fields)
    elif text.lstrip()[:1] == "{":
        listed, given, misspelt = text, json_header(text, lambda word: _sender_key(word, fields)), []
    else:
        listed, given, misspelt = _sender(text, ending, fields)
    # The reader also takes a header beneath a title.
    if not stored and (player := read_header(listed).get("player")):
        given = {"name": player} | given
    name = _STORED_NAME.fullmatch(PurePath(place).name) if stored else None
    link = "" if name is None else name["link"]
    return replace(submission(place, given, listed, zone), is_file=True, misspelt=tuple(misspelt), link=link)


def _sender(
    text: str, ending: str, fields: Sequence[str]
) -> tuple[str, dict[str, str], list[tuple[str, str]]]:
    """The text, in which unmarked headers are comments, values by field, and keys that are no fields with similar ones."""
    is_above, lines = ending in ("", ".txt"), text.split("\n")
    given: dict[str, str] = {}
    misspelt: list[tuple[str, str]] = []
    for index, line in enumerate(lines[:_MOST_LINES]):
        word, value, marked = header_parts(line)
        key = _sender_key(word, fields)
        if is_above and line.strip() and not marked:
            is_above = bool(value) and (key is not None or header_line(line) is not None)
            marked = is_above and key is not None
            lines[index] = f"# {line.strip()}" if marked else line
        # Comments may also come after the first heading.
        is_key = ending in (".yaml", ".yml") and line[:1] not in (" ", "\t", "-")
        if key is None and marked and value:
            misspelt += [(word, field) for field in _similar_fields(word, line, fields)]
        elif key is not None and (marked or is_key):
            # Spreadsheets pad comment lines with delimiters.
            value = value.rstrip(",;\t ") if ending in (".csv", ".tsv") else value
            value = value if marked else plain_value(value)
            if value:
                given.setdefault(key, value)
    return "\n".join(lines), given, misspelt


def _similar_fields(word: str, line: str, fields: Sequence[str]) -> list[str]:
    """The field that the key of a comment may mean, unless it is that of another header, or similar to one."""
    from difflib import get_close_matches

    if len(word) > _LONGEST_KEY or header_key(word) or misspelt_header(line):
        return []
    known = ["player", *FIELDS, SUBMITTED, *fields]
    return get_close_matches(word.casefold().replace(" ", "_"), known, 1, 0.8)


# Lists that deckcheck itself stores
#
# By a private link, which holds a random token, a player comes back to what was submitted on the event's page. Its hash
# stands in the names of the files, so that whoever reads them can't tell the token.


def link_of(token: str) -> str:
    """What is the same in the names of all files of a private link."""
    return base64.b32encode(sha256(token.encode()).digest()).decode().lower()[:_LINK_LENGTH]


def store_submission(folder: Path, token: str, player: Player, text: str, when: datetime) -> None:
    """Write a submission as a new file in an event's folder, on disk afterwards and readable by its owner only.

    `text` is kept as it is; who sent it stands at its end. `when` counts in seconds. Raises UserError, also for a list
    that is too large.
    """
    given = player.filled | {SUBMITTED: when.isoformat(timespec="seconds")}
    [stored] = with_ids([submission("", given, text, UTC)], UTC)
    if stored.problem is not None:
        raise user_error(stored.problem)
    fields = stored.player.filled | {SUBMITTED: stored.submitted_as}
    lines = [f"# {'player' if key == 'name' else key}: {value}" for key, value in fields.items()]
    page = "\n".join([text, _STORED, *lines, ""]).encode("utf-8", "backslashreplace")
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_atomically(folder / f"{stored.id}-{link_of(token)}.txt", page, durable=True)
    except OSError as error:
        raise cannot_write(folder, error) from error


def read_stored(folder: Path, token: str, fields: Sequence[str] = ()) -> list[Submission]:
    """What `store_submission` wrote there under this token, the latest last. Raises UserError."""
    stored = []
    link = link_of(token)
    for file in folder.glob("*.txt"):
        name = _STORED_NAME.fullmatch(file.name)
        if name is not None and secrets.compare_digest(name["link"], link):
            text = decode(read_bytes(file), str(file))
            stored.append(submission_in(text, str(file), UTC, fields))
    return with_ids(sorted(stored, key=lambda one: one.timestamp), UTC)


# Folders


def read_folder(
    folder: Path, name: str, zone: tzinfo, own: frozenset[str], fields: Sequence[str] = ()
) -> list[Submission]:
    """A submission without id for each file under `folder`, by name, except hidden files and what is in `own`.

    Files that are no lists, such as pictures, have no text. `name` is the folder's for messages, `own` are absolute
    paths of files and folders. Raises UserError if the folder can't be searched or holds too much.
    """
    inside = real_path(folder)
    submissions: list[Submission] = []
    for item in walk(str(folder), lambda item: not _is_own(Path(item.path), own)):
        path = Path(item.path)
        if item.kind == "unreadable" and item.error is not None:
            raise cannot_read(name, item.error)
        if item.kind == "folder" and item.depth >= MOST_DEEP:
            raise user_error(_("folders nested too deeply"))
        if item.kind == "folder" or _is_own(path, own):
            continue
        if len(submissions) == MOST_FILES:
            raise user_error(_("too many files (at most {most_files:,})", most_files=MOST_FILES))
        place = readable(PurePath(name, path.relative_to(folder)))
        # Ignored by Git or not, all lists count: they often are kept out of a repository.
        if why_no_list(item.path, is_file=item.kind == "file") is None:
            submissions.append(_read_list(path, place, inside, zone, fields))
        else:
            submissions.append(Submission(place, Player(), None, is_file=True))
    return submissions


def _read_list(path: Path, place: str, inside: Path, zone: tzinfo, fields: Sequence[str]) -> Submission:
    """The submission without id in a file, which must be `inside` a folder."""
    try:
        if path.is_symlink() and not real_path(path).is_relative_to(inside):
            raise user_error(_("a link that leads out of the folder"))
        return submission_in(decode(read_bytes(path, most=LARGEST_LIST), place), place, zone, fields)
    except UserError as error:
        is_large = is_file(path) and path.stat().st_size > LARGEST_LIST
        problem = TOO_LARGE if is_large else error.problems[0].message
        return Submission(place, Player(), None, problem=problem, is_file=True)


def _is_own(path: Path, own: frozenset[str]) -> bool:
    """Whether a path is one of the event's own files or folders, or a folder of notices."""
    return os.path.abspath(path) in own or (path / NOTICES_MARK).is_file()  # noqa: PTH100


def readable(path: PurePath) -> str:
    """A path for messages, also if its name isn't UTF-8."""
    return path.as_posix().encode("utf-8", "backslashreplace").decode()
