"""The file of an event to begin with, as text."""

import json
import os
import re
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

from deckcheck.checking.session import FormatCache
from deckcheck.formats.lookup import Folders, format_file, known_formats
from deckcheck.support.dates import no_such_day, parse_day
from deckcheck.support.errors import wrong
from deckcheck.support.messages import _
from deckcheck.support.schema import require_shape
from deckcheck.support.yamlfile import parse_yaml

LISTS = "lists"
"""The folder that the file names for lists."""

_AHEAD = timedelta(days=7)
_FIRST, _LAST = 1993, 2199
"""No event was before card games were; who writes another year has mistyped it."""


class AskedEvent(NamedTuple):
    """What the file is to say; the rest is for the organiser to fill in. None stands for a guess."""

    format: str | None = None
    date: str | None = None
    lang: str = "en"


class Written(NamedTuple):
    """The text of an event's file, and what it says of the day and the format."""

    text: str
    date: str
    format: str


def event_text(file: Path, asked: AskedEvent, folders: Folders, today: date) -> Written:
    """What is to stand in `file`. `folders` are those of the project's settings, which the event will name.

    Raises UserError for a day or a format that there isn't.
    """
    day = _day(asked.date, today)
    format = _format(asked.format, folders)
    eve = day - timedelta(days=1)
    filled = {
        "ID": f"event-{day.isoformat()}",
        "DATE": day.isoformat(),
        "EVE": eve.isoformat(),
        "DEADLINE": f"{eve.isoformat()} 20:00",
        "FORMAT": _scalar(_beside(Path(format), file) if _is_path(format) else format),
        "ZONES": _zones(format, folders, asked.lang),
        "FORMATS": _listed("formats", folders.formats, file),
        "BANLISTS": _listed("banlists", folders.banlists, file),
    }
    template = Path(__file__).parent.parent / "templates" / f"event.{asked.lang}.yaml"
    text = re.sub("@([A-Z]+)@", lambda hit: filled[hit[1]], template.read_text(encoding="utf-8"))
    require_shape(parse_yaml(text, str(file)), "event")
    return Written(text, day.isoformat(), format)


def _day(said: str | None, today: date) -> date:
    if said is None:
        return today + _AHEAD
    day = parse_day(said)
    if day is None or not _FIRST <= day.year <= _LAST:
        message = _("{option}: {problem}", option="--date", problem=no_such_day(said))
        raise wrong(message, hint=_("write YYYY-MM-DD"))
    return day


def _format(said: str | None, folders: Folders) -> str:
    """The format's id, or its file as it was given."""
    if said is None:
        # The one that is shown as an example elsewhere, too.
        return [one.id for one in known_formats(folders) if not one.abstract][-1]
    if _is_path(said):
        return said
    found = format_file(said, folders=folders)
    return next((one.id for one in known_formats(folders) if one.file == found), said)


def _is_path(format: str) -> bool:
    return format.endswith((".yaml", ".yml"))


def _zones(format: str, folders: Folders, lang: str) -> str:
    """The first two zones of the format, for what stands in a comment only. Raises UserError for one that is broken."""
    zones = list(FormatCache(folders).load(format).format.zones.items())[:2]
    if not zones:
        raise wrong(_("{format!r} is only there to be extended", format=format))
    return ", ".join(f"{id}: {_scalar(name.in_(lang))}" for id, name in zones)


def _listed(key: str, paths: Sequence[Path], file: Path) -> str:
    """A line with folders, or a comment that shows how it is written."""
    if not paths:
        return f"# {key}: [{key}]"
    return f"{key}: [{', '.join(_scalar(_beside(path, file)) for path in paths)}]"


def _beside(path: Path, file: Path) -> str:
    """A path as the file has to name it."""
    try:
        return Path(os.path.relpath(path.resolve(), file.parent.resolve())).as_posix()
    except ValueError:
        # On another drive.
        return path.absolute().as_posix()


def _scalar(text: str) -> str:
    plain = re.fullmatch(r"[^\W\d_]([\w/. -]*\w)?", text) and text.lower() not in _WORDS
    return text if plain else json.dumps(text, ensure_ascii=False)


_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
"""What YAML would not take for text."""
