"""From an event's file to the Event."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deckcheck.formats.lookup import Folders, bundled_formats, files_below, format_file
from deckcheck.registration.model import Event, Folder, Sheet
from deckcheck.registration.submissions import parse_time
from deckcheck.support.errors import Problem, UserError, did_you_mean
from deckcheck.support.files import is_file
from deckcheck.support.messages import Words, _, localized
from deckcheck.support.schema import MOST_PROBLEMS, require_shape
from deckcheck.support.yamlfile import Document, Keys, load_yaml

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

TIME_ZONE = "Asia/Tokyo"
"""Where times are from, unless the event says otherwise."""

SHEETS = (".csv", ".tsv", ".txt", ".xlsx", ".xlsm")
WORKBOOKS = (".xlsx", ".xlsm")
CARDS = (".yaml", ".yml", ".jsonl")


def read_event(path: Path) -> Event:
    """The event that the file describes. Paths in it count from its folder.

    What it is judged by must be there; its entries need not be, yet. Raises
    UserError with every mistake and its place.
    """
    return event_from(load_yaml(path), path)


def event_from(document: Document, path: Path) -> Event:
    """As `read_event`, from what stands in the file at `path`, or is to stand there."""
    require_shape(document, "event")
    problems: list[Problem] = []
    event = _Reading(document, path, problems).event()
    if event is None or problems:
        problems.sort(key=lambda one: (one.line or 0, one.column or 0))
        raise UserError(problems[:MOST_PROBLEMS])
    return event


class _Reading:
    """One file on its way to an Event; what is wrong in it goes to `problems`."""

    def __init__(self, document: Document, path: Path, problems: list[Problem]) -> None:
        self.document, self.path, self.problems = document, path, problems
        self.data: Mapping[str, Any] = document.data

    def event(self) -> Event | None:
        data = self.data
        day = self._day("date")
        as_of = self._day("as_of") if "as_of" in data else day
        zone = self._zone()
        deadline = self._deadline(zone)
        folders = Folders(tuple(self._folders("formats")), tuple(self._folders("banlists")))
        cards = tuple(self._cards())
        format = self._format(folders)
        required = tuple(dict.fromkeys(data.get("required", ["name"])))
        sources = tuple(self._sources(required))
        log = self._log(sources)
        if day is None or as_of is None or zone is None or format is None:
            return None
        return Event(
            id=data["event"],
            name=localized(data["name"]),
            date=day,
            time_zone=zone.key,
            format=format,
            as_of=as_of,
            path=self.path,
            log=log,
            sources=sources,
            organiser=data.get("organiser"),
            best_of=data.get("best_of"),
            deadline=deadline,
            required=required,
            cards=cards,
            folders=folders,
            language=data.get("language"),
            sealed=data.get("sealed", False),
        )

    def _wrong(self, keys: Keys, message: Words, hint: Words | None = None) -> None:
        self.problems.append(self.document.problem(keys, message, hint))

    def _beside(self, said: str) -> Path:
        return self.path.parent / said

    def _day(self, key: str) -> str | None:
        said = str(self.data[key])
        try:
            return date.fromisoformat(said).isoformat()
        except ValueError:
            self._wrong((key,), _("there is no date {said!r}", said=said))
            return None

    def _zone(self) -> ZoneInfo | None:
        from zoneinfo import ZoneInfo, available_timezones

        said = self.data.get("time_zone", TIME_ZONE)
        try:
            return ZoneInfo(said)
        except (KeyError, ValueError, OSError):
            message = _("there is no time zone {said!r}", said=said)
            hint = _("write it like Asia/Tokyo")
            self._wrong(("time_zone",), message, did_you_mean(said, available_timezones()) or hint)
            return None

    def _deadline(self, zone: ZoneInfo | None) -> datetime | None:
        said = self.data.get("deadline")
        if said is None or zone is None:
            return None
        found = parse_time(said, zone)
        if found is None:
            hint = _("write it like 2026-11-27 20:00")
            if parse_time(f"{said} Z", zone) is not None:
                hint = _(
                    "the clocks change, so this time occurs twice or never: add the offset, as in "
                    "2026-10-25 02:30 +01:00"
                )
            self._wrong(("deadline",), _("{said!r} is not a time", said=said), hint)
        return found

    def _folders(self, key: str) -> Iterator[Path]:
        for at, said in enumerate(self.data.get(key, ())):
            path = self._beside(said)
            if _is_folder(path):
                yield path
            else:
                self._wrong((key, at), _("there is no folder {said!r}", said=said))

    def _cards(self) -> Iterator[Path]:
        for at, said in enumerate(self.data.get("cards", ())):
            path = self._beside(said)
            if _is_folder(path):
                yield from files_below(path, CARDS)[1]
            elif is_file(path):
                yield path
            else:
                self._wrong(("cards", at), _("there is no file or folder {said!r}", said=said))

    def _format(self, folders: Folders) -> str | None:
        said = str(self.data["format"])
        if said.endswith((".yaml", ".yml")):
            path = self._beside(said)
            if is_file(path):
                return str(path)
            self._wrong(("format",), _("there is no file {said!r}", said=said))
            return None
        try:
            file = format_file(said, folders=folders)
        except UserError as error:
            for one in error.problems:
                if one.path is None:
                    self._wrong(("format",), one.message, one.hint)
                else:
                    self.problems.append(one)
            return None
        if any(one.abstract and one.file == file for one in bundled_formats()):
            self._wrong(("format",), _("{said!r} can only be extended", said=said))
            return None
        return said

    def _sources(self, required: tuple[str, ...]) -> Iterator[Folder | Sheet]:
        met: set[tuple[Path, str | None]] = set()
        for at, said in enumerate(self.data["entries"]):
            keys: Keys = ("entries", at)
            if isinstance(said, str):
                source: Folder | Sheet | None = self._folder(said, keys)
            else:
                source = self._sheet(said, keys, required)
            if source is None:
                continue
            name = (source.path.absolute(), source.worksheet if isinstance(source, Sheet) else None)
            if name in met:
                self._wrong(keys, _("this appears here twice"))
            met.add(name)
            yield source

    def _folder(self, said: str, keys: Keys) -> Folder | None:
        path = self._beside(said)
        if said.lower().endswith(SHEETS) and not _is_folder(path):
            hint = _("a form needs “file: …” and “columns: …”")
            self._wrong(keys, _("{said!r} is not a folder", said=said), hint)
            return None
        return Folder(path)

    def _sheet(self, said: Mapping[str, Any], keys: Keys, required: tuple[str, ...]) -> Sheet | None:
        file, before = str(said["file"]), len(self.problems)
        if not file.lower().endswith(SHEETS):
            message = _("{file!r} is a kind of file that can't be read", file=file)
            hint = _("export it as CSV, TSV or XLSX")
            self._wrong((*keys, "file"), message, hint)
        if "sheet" in said and not file.lower().endswith(WORKBOOKS):
            self._wrong((*keys, "sheet"), _("only XLSX files have sheets"))
        columns = dict(said["columns"])
        deck, zones = columns.pop("deck", None), columns.pop("zones", None)
        place = (*keys, "columns")
        if deck is None and zones is None:
            self._wrong(place, _("the columns of the list are missing: deck or zones"))
        elif deck is not None and zones is not None:
            message = _("use either deck or zones, not both")
            self._wrong((*place, "zones"), message)
        for field in required:
            if field not in columns:
                self._wrong(place, _("the required column for {field!r} is missing", field=field))
        heads: dict[str, str] = {}
        for zone, head in (zones or {}).items():
            if head in heads:
                self._wrong((*place, "zones", zone), _("the same column as {head!r}", head=heads[head]))
            heads.setdefault(head, zone)
        if len(self.problems) > before:
            return None
        return Sheet(self._beside(file), columns, deck, zones, said.get("sheet"))

    def _log(self, sources: tuple[Folder | Sheet, ...]) -> Path:
        said = self.data.get("log")
        path = self._beside(said if said is not None else f"{self.data['event']}.log.jsonl")
        if _is_folder(path):
            self._wrong(("log",), _("{path!r} is a folder", path=path.name))
        used = {one.path.absolute() for one in sources if isinstance(one, Sheet)}
        if path.absolute() in used | {self.path.absolute()}:
            self._wrong(("log",), _("{path!r} is another file of the event", path=path.name))
        return path


def _is_folder(path: Path) -> bool:
    """Whether there is such a folder; a name that none can have is none."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False
