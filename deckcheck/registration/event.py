"""Reads the file of an event, and loads its formats with its own cards and folders, and their hashes."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo, available_timezones

from msgspec import Meta, Struct

from deckcheck.checking.judge import LoadedFormat, remembered
from deckcheck.checking.session import CheckOptions, Session
from deckcheck.config import Settings, own_cards, own_folders
from deckcheck.formats.inheritance import inherit
from deckcheck.formats.loading import game_file, own_games
from deckcheck.formats.lookup import (
    BUNDLED_ONLY,
    ENDINGS,
    Folders,
    banlist_file,
    bundled_formats,
    format_file,
)
from deckcheck.registration.submissions import FIELD_NAMES, FIELDS, SUBMITTED, Player
from deckcheck.support.dates import DateOrder, in_words, is_day, no_such_day, parse_time
from deckcheck.support.documents import MOST_PROBLEMS, Document, Keys, load_yaml, require_shape
from deckcheck.support.errors import Problem, UserError, did_you_mean, in_order
from deckcheck.support.files import is_file, is_folder, protect_inputs, read_bytes, real_path
from deckcheck.support.json import digest
from deckcheck.support.messages import Message, Words, _, localized, series

TIME_ZONE = "Asia/Tokyo"
"""The time zone of an event whose file names none."""

WORKBOOKS = (".xlsx", ".xlsm")
FORMS = (".csv", ".tsv", ".txt", *WORKBOOKS)


class Folder(Struct, frozen=True):
    """Lists in a folder, one file per player, who is named in its header; `entry` is its entry in the event's file."""

    path: Path
    entry: Document


class Form(Struct, frozen=True):
    """A CSV, TSV or XLSX export of a form, one row per player; `entry` is its entry in the event's file.

    `columns` maps "submitted", the players' fields and "deck", the list, to heads; a value in several columns is joined
    with blanks. In place of "deck", `zones` maps zone ids to heads. `worksheet` is None for the only one. `dates` says
    what comes first in dates such as 05/12/2026.
    """

    path: Path
    entry: Document
    columns: Mapping[str, tuple[str, ...]]
    zones: Mapping[str, str] = {}
    worksheet: str | None = None
    dates: DateOrder | None = None


class Event(Struct, frozen=True):
    """An event as the file at `path` describes it; `log` is the path of its log.

    `date` and `as_of` are ISO dates. `fields` are the names of fields that the event adds to those of Player,
    `required` those that every player must give; `language` is the default for players. `own_files` are absolute
    paths of files and folders that hold no submissions.
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
    fields: Mapping[str, Words] = {}
    required: tuple[str, ...] = ("name",)
    cards: tuple[Path, ...] = ()
    folders: Folders = BUNDLED_ONLY
    language: str | None = None

    @property
    def receipts(self) -> Path:
        """The folder of the receipt files, next to the log."""
        return self.log.with_name(self.log.name.removesuffix(".jsonl").removesuffix(".log") + ".receipts")

    @property
    def own_files(self) -> frozenset[str]:
        """The absolute paths of its own files and folders, in which no list of a player is."""
        forms = (source.path for source in self.sources if isinstance(source, Form))
        folders = (self.receipts, *self.folders.formats, *self.folders.banlists, *self.folders.games)
        paths = (self.path, self.log, *self.cards, *forms, *folders)
        # Links stay what they are.
        return frozenset(os.path.abspath(path) for path in paths)  # noqa: PTH100

    def field_name(self, field: str) -> Words:
        """The name of a player's field for messages."""
        return self.fields[field] if field in self.fields else FIELD_NAMES[field]

    def local_time(self, time: datetime) -> str:
        """A time in the event's time zone, as text for tables."""
        return f"{time.astimezone(ZoneInfo(self.time_zone)):%Y-%m-%d %H:%M}"

    def moment(self, time: datetime) -> Message:
        """A time with the event's time zone, in words."""
        local = time.astimezone(ZoneInfo(self.time_zone))
        return _("{day} {time} ({zone})", day=in_words(local), time=f"{local:%H:%M}", zone=local.tzname())

    def language_of(self, player: Player, usual: str = "ja") -> str:
        """The language for a player, "ja" or "en"."""
        return "en" if (player.language or self.language or usual) == "en" else "ja"


# The content of formats
#
# The hash of a banlist covers its file; that of a format covers its file, every file that it extends (in reading order)
# and its game's; CR LF counts as LF.


FormatId = Annotated[str, Meta(pattern=r"\A[a-z0-9][a-z0-9-]*(/[a-z0-9][a-z0-9-]*)?\Z", max_length=200)]
"""The id of a format or a banlist, which can't be a path."""
Hash = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]


class Stamp(Struct, frozen=True, forbid_unknown_fields=True):
    """The id of a format or a banlist, and the hash of its content in hex."""

    id: FormatId
    sha256: Hash


class Provenance(Struct, frozen=True):
    """The rules of a verdict: the format with all that it extends, and its banlists."""

    format: Stamp
    banlists: tuple[Stamp, ...]


def provenance(reference: str, folders: Folders = BUNDLED_ONLY) -> Provenance:
    """The hashes of the format with that id, alias, name or path. Raises UserError."""
    inherited = inherit(format_file(reference, folders=folders), folders)
    files = [*inherited.files, game_file(str(inherited.game), folders)]
    whole = digest("format", [_content(file) for file in files])
    banlists = []
    for banlist in inherited.banlists.values():
        file = banlist_file(str(banlist.data), Path(banlist.path), folders)
        banlists.append(Stamp(str(load_yaml(file).data["banlist"]), digest("banlist", _content(file))))
    return Provenance(Stamp(str(inherited.top.data["format"]), whole), tuple(banlists))


def _content(file: Path) -> str:
    return sha256(read_bytes(file).replace(b"\r\n", b"\n")).hexdigest()


# The event with its formats


class EventSession(Session):
    """A session for an event: its lists are checked by its format, with its own cards and folders."""

    def __init__(self, event: Event) -> None:
        settings = Settings(cards=event.cards, folders=event.folders)
        super().__init__(CheckOptions(event.format, event.as_of, event.best_of, settings=settings))
        self.event = event
        self._provenance: dict[str, Provenance | UserError] = {}

    @property
    def format(self) -> LoadedFormat:
        """The event's format."""
        return self.load(self.event.format)

    def load(self, reference: str) -> LoadedFormat:
        """The format with that id or name. That of the event, which may be any file, also has its id. Raises UserError."""
        return super().load(self._written(reference))

    def provenance(self, reference: str) -> Provenance:
        """The hashes of the format with that id or name. Raises UserError."""
        folders = self.event.folders
        return remembered(self._provenance, self._written(reference), lambda name: provenance(name, folders))

    def _written(self, reference: str) -> str:
        own = self.event.format
        return own if reference == own or reference == self.format.format.id else reference


def open_event(path: Path) -> EventSession:
    """The event in the file at `path`. Raises UserError with every mistake in it or in its format."""
    session = EventSession(read_event(path))
    session.load(session.event.format)
    return session


# The event's file


def is_event(path: Path) -> bool:
    """Whether a file describes an event, judging by its keys, even if it is broken."""
    if not is_file(path):
        return False
    keys = re.findall(rb"(?m)^(event|entries)[ \t]*:", read_bytes(path))
    return b"event" in keys and (b"entries" in keys or path.suffix.lower() in (".yaml", ".yml"))


def protect_event(target: str | None, event: Event) -> None:
    """Raises UserError if an output would overwrite one of the event's own files or lists."""
    files = [event.path, event.log, *event.cards, *(source.path for source in event.sources)]
    folders = [event.receipts, *(source.path for source in event.sources if isinstance(source, Folder))]
    protect_inputs(target, files, folders)


def read_event(path: Path) -> Event:
    """The event in a file; its entries need not exist yet. Raises UserError with every mistake."""
    document = load_yaml(path)
    require_shape(document, "event")
    parser = _Parser(document, path)
    event = parser.event()
    if parser.problems:
        raise UserError(in_order(parser.problems)[:MOST_PROBLEMS])
    return event


class _Parser:
    """Builds an Event from a file, collecting its mistakes in `problems`; with any, the event is of no use."""

    def __init__(self, document: Document, path: Path) -> None:
        self.document, self.path, self.home = document, path, path.parent
        self.data: Mapping[str, Any] = document.data
        self.problems: list[Problem] = []

    def event(self) -> Event:
        data = self.data
        day = self._day("date")
        time_zone = data.get("time_zone", TIME_ZONE)
        zone = self._zone(time_zone)
        folders = own_folders(self.document, self.home, self.problems)
        try:
            # An invalid game would seem to have no formats.
            own_games(folders.games)
        except UserError as error:
            self.problems += error.problems
        fields = {field: localized(name) for field, name in data.get("fields", {}).items()}
        self._check_fields(fields)
        required = tuple(dict.fromkeys(data.get("required", ["name"])))
        sources = tuple(self._sources(required))
        return Event(
            id=data["event"],
            name=localized(data["name"]),
            date=day,
            time_zone=time_zone,
            format=self._format(str(data["format"]), folders),
            as_of=self._day("as_of") if "as_of" in data else day,
            path=self.path,
            log=self._log(sources),
            sources=sources,
            deadline=self._deadline(data["deadline"], zone) if "deadline" in data else None,
            fields=fields,
            required=required,
            cards=own_cards(self.document, self.home, self.problems),
            folders=folders,
            **{key: data[key] for key in ("organiser", "best_of", "language") if key in data},
        )

    def _refuse(self, keys: Keys, message: Words, hint: Words | None = None) -> None:
        self.problems.append(self.document.problem(message, hint, keys))

    def _check_fields(self, fields: Mapping[str, Words]) -> None:
        """Refuse fields that players have anyway, and unknown ones in other places."""
        known = (*FIELDS, *fields)
        for field in fields:
            if field in (*FIELDS, SUBMITTED, "deck", "zones", "player"):
                self._refuse(("fields", field), _("every event has this field"))
        for index, field in enumerate(self.data.get("required", ())):
            if field not in known:
                self._refuse_field(("required", index), field, known)
        for index, entry in enumerate(self.data["entries"]):
            for field in () if isinstance(entry, str) else entry["columns"]:
                if field not in (*known, SUBMITTED, "deck", "zones"):
                    self._refuse_field(("entries", index, "columns", field), field, known)

    def _refuse_field(self, keys: Keys, field: str, known: Sequence[str]) -> None:
        hint = did_you_mean(field, known) or _(
            "add it under “fields”; there are {known}", known=series(known)
        )
        self._refuse(keys, _("there is no field {field!r}", field=field), hint)

    def _day(self, key: str) -> str:
        written = str(self.data[key])
        if not is_day(written):
            self._refuse((key,), no_such_day(written))
        return written

    def _zone(self, name: str) -> tzinfo:
        try:
            return ZoneInfo(name)
        except (KeyError, ValueError, OSError):
            hint = did_you_mean(name, available_timezones()) or _("write it like Asia/Tokyo")
            self._refuse(("time_zone",), _("there is no time zone {said!r}", said=name), hint)
            return UTC

    def _deadline(self, written: str, zone: tzinfo) -> datetime | None:
        time = parse_time(written, zone)
        if time is None:
            hint = _(
                "write it like 2026-11-27 20:00; where the clocks change then, add the offset, as in 02:30 +01:00"
            )
            self._refuse(("deadline",), _("{said!r} is not a certain time", said=written), hint)
        return time

    def _format(self, written: str, folders: Folders) -> str:
        if written.endswith(ENDINGS):
            if not is_file(self.home / written):
                self._refuse(("format",), _("there is no file {name!r}", name=written))
            return str(self.home / written)
        try:
            file = format_file(written, folders=folders)
            if any(bundled.abstract and bundled.file == file for bundled in bundled_formats()):
                self._refuse(("format",), _("{format!r} can only be extended", format=written))
        except UserError as error:
            self.problems += (
                self.document.problem(problem.message, problem.hint, ("format",))
                if problem.path is None
                else problem
                for problem in error.problems
            )
        return written

    def _sources(self, required: tuple[str, ...]) -> Iterator[Folder | Form]:
        known: set[tuple[Path, str | None]] = set()
        for index, written in enumerate(self.data["entries"]):
            keys: Keys = ("entries", index)
            source: Folder | Form
            if isinstance(written, str):
                source = Folder(self.home / written, self.document.at(*keys))
                if written.lower().endswith(FORMS) and not is_folder(source.path):
                    hint = _("a form needs “file: …” and “columns: …”")
                    self._refuse(keys, _("{said!r} is not a folder", said=written), hint)
            else:
                source = self._form(written, keys, required)
            name = (source.path.absolute(), source.worksheet if isinstance(source, Form) else None)
            if name in known:
                self._refuse(keys, _("this appears here twice"))
            known.add(name)
            yield source

    def _form(self, entry: Mapping[str, Any], keys: Keys, required: tuple[str, ...]) -> Form:
        file = str(entry["file"])
        if not file.lower().endswith(FORMS):
            message = _("{file!r} is a kind of file that can't be read", file=file)
            self._refuse((*keys, "file"), message, _("export it as CSV, TSV or XLSX"))
        if "sheet" in entry and not file.lower().endswith(WORKBOOKS):
            self._refuse((*keys, "sheet"), _("only XLSX files have sheets"))
        columns = dict(entry["columns"])
        zones = columns.pop("zones", {})
        heads_of = {
            key: (heads,) if isinstance(heads, str) else tuple(heads) for key, heads in columns.items()
        }
        place = (*keys, "columns")
        if "deck" not in columns and not zones:
            self._refuse(place, _("the columns of the list are missing: deck or zones"))
        elif "deck" in columns and zones:
            self._refuse((*place, "zones"), _("use either deck or zones, not both"))
        for field in required:
            if field not in columns:
                self._refuse(place, _("the required column for {field!r} is missing", field=field))
        known: dict[str, str] = {}
        for zone, head in zones.items():
            if known.setdefault(head, zone) != zone:
                self._refuse((*place, "zones", zone), _("the same column as {head!r}", head=known[head]))
        return Form(
            path=self.home / file,
            entry=self.document.at(*keys),
            columns=heads_of,
            zones=zones,
            worksheet=entry.get("sheet"),
            dates=entry.get("dates"),
        )

    def _log(self, sources: tuple[Folder | Form, ...]) -> Path:
        path = self.home / str(self.data.get("log", f"{self.data['event']}.log.jsonl"))
        target = real_path(path)
        used = {self.path, *(source.path for source in sources if isinstance(source, Form))}
        if target.is_symlink() or (target.exists() and not target.is_file()):
            self._refuse(("log",), _("{path!r} is no file that can hold a log", path=path.name))
        elif target in map(real_path, used):
            self._refuse(("log",), _("{path!r} is another file of the event", path=path.name))
        return path
