"""What `init` and `event init` write: commented settings, hooks and pipelines for a folder of decks, and the file of an event."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date, timedelta
from itertools import chain, count
from pathlib import Path, PurePath
from typing import Literal

from msgspec import Struct

from deckcheck.checking.deck_files import DeckFile, find_decks
from deckcheck.checking.judge import load_format
from deckcheck.config import NAME as SETTINGS
from deckcheck.config import SHARED_NAME, load_settings
from deckcheck.formats.lookup import (
    BUNDLED_ONLY,
    ENDINGS,
    Folders,
    bundled_formats,
    folded,
    format_id,
    known_formats,
)
from deckcheck.registration.event import Form
from deckcheck.registration.forms import guess_form
from deckcheck.support import VERSION
from deckcheck.support.dates import how_to_write, no_such_day, parse_day, today
from deckcheck.support.documents import parse_yaml, require_shape
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import cannot_write, is_file, path_from, read_bytes, real_path, write_new
from deckcheck.support.messages import _
from deckcheck.support.templates import render
from deckcheck.support.terminal import show
from deckcheck.support.toml import as_toml

Pipeline = Literal["pre_commit", "github", "gitlab"]


FILES: Mapping[Pipeline, str] = {
    "pre_commit": ".pre-commit-config.yaml",
    "github": ".github/workflows/deckcheck.yml",
    "gitlab": ".gitlab-ci.yml",
}
_SHARED_BY_TOOLS = (FILES["pre_commit"], FILES["gitlab"])
"""The files that may exist for other checks; what to add to them is shown."""


def set_up(folder: Path, format: str | None, pipelines: Sequence[Pipeline], lang: str) -> None:
    """Write the settings and the `pipelines` into `folder`, and tell each file and what comes next; no file is replaced.

    `format` is the one that was asked for. Raises UserError for an unknown format, before anything is written, and for
    a file that can't be written, after those before it were told.
    """
    asked = None if format is None else _named_from(folder / SETTINGS, format, BUNDLED_ONLY)
    # A deckcheck.toml would hide the settings in a pyproject.toml.
    hides_none = not is_file(folder / SHARED_NAME) or load_settings(folder / SHARED_NAME) is None
    folders = formats_of_folders(folder)
    texts = {SETTINGS: settings(asked, folders, lang)} if hides_none else {}
    whole = real_path(folder)
    top = next((place for place in (whole, *whole.parents) if os.path.lexists(place / ".git")), whole)
    if top == whole:
        # These are only read at the top of a repository.
        texts |= {FILES[kind]: pipeline(kind, lang) for kind in pipelines}
    written: dict[str, bool] = {}
    to_add: dict[str, list[str]] = {}
    try:
        for name, text in texts.items():
            written[name] = _write(folder / name, text)
            if not written[name] and name in _SHARED_BY_TOOLS and not _mentions_us(folder / name):
                to_add[name] = text.rpartition("\nrepos:\n")[2].splitlines()
    finally:
        # What was written is shown before any error.
        told = render(
            "init.txt",
            lang,
            settings=SETTINGS if hides_none else None,
            shared=SHARED_NAME,
            folder=str(folder),
            top=None if top == whole else str(top),
            written=written,
            is_complete=len(written) == len(texts),
            to_add=to_add,
            format=asked,
            folders=folders,
            check=f"deckcheck check {shlex.quote(str(folder))}",
        )
        show(told)


def _write(file: Path, text: str) -> bool:
    """Write a file unless it exists; whether it was written. Raises UserError."""
    try:
        return write_new(file, text.encode())
    except OSError as error:
        raise cannot_write(file, error) from error


def _mentions_us(file: Path) -> bool:
    """Whether a file runs deckcheck, or is none to which anything could be added."""
    return not is_file(file) or re.search(rb"(?m)^[^#\n]*\bdeckcheck\b", read_bytes(file)) is not None


def pipeline(kind: Pipeline, lang: str) -> str:
    """The text of a pipeline, which installs this version of deckcheck."""
    return render(f"{kind}.{lang}.yaml", lang, version=VERSION)


# The settings


def settings(format: str | None, folders: Mapping[str, str], lang: str) -> str:
    """The text of deckcheck.toml; `folders` maps folders of decks to their formats."""
    bundled = next(entry.id for entry in bundled_formats() if not entry.abstract)
    return render(
        f"deckcheck.{lang}.toml",
        lang,
        format=None if format is None else as_toml(format),
        folders=[
            {"path": as_toml(folder_pattern(folder)), "format": as_toml(of_folder)}
            for folder, of_folder in folders.items()
        ],
        example=as_toml(format or next(iter(folders.values()), bundled)),
    )


def folder_pattern(folder: str) -> str:
    """The pattern, as in .gitignore, for everything in a folder."""
    literal = re.sub(r"([\\*?\[\]])", r"\\\1", folder)
    # Some characters are special at the beginning.
    return f"{literal}/**" if re.match(r"[^\W_]", literal) else f"/{literal}/**"


def _named_from(file: Path, format: str, folders: Folders) -> str:
    """How a file should name that format: its id, or the path of its file. Raises UserError for an unknown one."""
    if not format.endswith(ENDINGS):
        return format_id(format, folders)
    read_bytes(Path(format))
    return path_from(file, Path(format))


def formats_of_folders(top: Path) -> dict[str, str]:
    """The bundled format of each folder of lists below `top` that is named after one."""
    known = [entry for entry in bundled_formats() if not entry.abstract]
    lists = [PurePath(item.path) for item in find_decks([str(top)]) if isinstance(item, DeckFile)]
    folders = {folder for path in lists for folder in path.relative_to(top).parents}
    formats: dict[str, str] = {}
    for folder in sorted(folders, key=lambda folder: folder.parts):
        ids = {entry.id for entry in known if folded(folder.name) in entry.names}
        # A name that isn't text can't be in settings.
        if len(ids) == 1 and str(folder).isprintable():
            formats[folder.as_posix()] = ids.pop()
    return formats


# The file of an event


LISTS = "lists"
"""The folder for lists in an event's file."""

_EVENT_ID = re.compile(r"(?m)^event:[ \t]*[\"']?([a-z0-9-]+)")
_AHEAD = timedelta(days=7)
_FIRST_YEAR, _LAST_YEAR = 1993, 2199
"""The years of events: there were no such games before, and any other year is a typo."""


class NewEvent(Struct, frozen=True):
    """The text of an event's file, the folder for its lists, its day and format, its form, and the heads not used."""

    text: str
    lists: str
    day: str
    format: str
    form: Form | None = None
    unused: tuple[str, ...] = ()


def init_event(
    file: Path, written_day: str | None, format: str | None, lang: str, folders: Folders, form: Path | None
) -> NewEvent:
    """Write an event's file, and make the folder for its lists. Raises UserError as `event_text` does, and if it exists."""
    exists = user_error(_("already exists and was kept"), path=str(file))
    if os.path.lexists(file):
        raise exists
    made = event_text(file, written_day, format, lang, folders, today(), form)
    if not _write(file, made.text):
        raise exists
    try:
        # Lists say who plays them.
        Path(made.lists).mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise user_error(_("cannot be created: {reason}", reason=reason), path=made.lists) from error
    return made


def event_text(
    file: Path,
    written_day: str | None,
    format: str | None,
    lang: str,
    folders: Folders,
    today: date,
    form: Path | None = None,
) -> NewEvent:
    """The text of an event's `file`, which names the settings' `folders` (None: default day and format).

    `form` is an export of a form, whose columns it maps. Raises UserError for an invalid day or format, or a form
    that can't be read.
    """
    day = today + _AHEAD if written_day is None else parse_day(written_day)
    if day is None or not _FIRST_YEAR <= day.year <= _LAST_YEAR:
        message = _("{option}: {problem}", option="--date", problem=no_such_day(written_day))
        raise user_error(message, hint=how_to_write(str(written_day)))
    if format is None:
        # That of the examples in other files.
        format = [entry.id for entry in known_formats(folders) if not entry.abstract][-1]
    named, rules = _named_from(file, format, folders), load_format(format, folders=folders)
    guessed, unused = (None, ()) if form is None else guess_form(form, rules.game_data.game)
    zones = list(rules.format.zones.items())[:2]
    if not zones:
        raise user_error(_("{format!r} can only be extended", format=format))
    eve = (day - timedelta(days=1)).isoformat()
    text = render(
        f"event.{lang}.yaml",
        lang,
        id=_free_id(file.parent, f"event-{day.isoformat()}"),
        date=day.isoformat(),
        eve=eve,
        deadline=f"{eve} 20:00",
        format=_scalar(named),
        zones=", ".join(f"{id}: {_scalar(name.in_(lang))}" for id, name in zones),
        form=[] if guessed is None else _form_lines(path_from(file, guessed.path), guessed),
        formats=_folder_line("formats", folders.formats, file, folders.games),
        banlists=_folder_line("banlists", folders.banlists, file, folders.games),
        games=folders.games and _folder_line("games", folders.games, file),
    )
    require_shape(parse_yaml(text, str(file)), "event")
    return NewEvent(text, str(file.parent / LISTS), day.isoformat(), named, guessed, unused)


def _form_lines(path: str, form: Form) -> list[str]:
    """The lines of the entry of a form in an event's file."""
    lines = [f"  - file: {_scalar(path)}", "    columns:"]
    for field, heads in form.columns.items():
        named = [_scalar(head) for head in heads]
        lines.append(f"      {field}: {named[0] if len(named) == 1 else '[' + ', '.join(named) + ']'}")
    if form.zones:
        lines.append("      zones:")
        lines += [f"        {zone}: {_scalar(head)}" for zone, head in form.zones.items()]
    return lines


def _free_id(folder: Path, id: str) -> str:
    """The id, with a number if an event in the folder has it: events with the same id would share a log."""
    taken = {log.name.removesuffix(".log.jsonl") for log in folder.glob("*.log.jsonl")}
    for file in (path for ending in ENDINGS for path in folder.glob(f"*{ending}")):
        with suppress(UserError):
            taken.update(_EVENT_ID.findall(read_bytes(file).decode("utf-8", "replace")))
    return next(name for name in chain([id], (f"{id}-{number}" for number in count(2))) if name not in taken)


def _folder_line(key: str, paths: Sequence[Path], file: Path, others: Sequence[Path] = ()) -> str:
    """A line with the folders that aren't among `others`, or without any a comment that shows how to write it."""
    named = [_scalar(path_from(file, path)) for path in paths if path not in others]
    return f"{key}: [{', '.join(named)}]" if named else f"# {key}: [{key}]"


def _scalar(text: str) -> str:
    """A text as YAML, in quotes only if it needs them."""
    plain = re.fullmatch(r"[^\W\d_]([\w/. -]*\w)?", text) and parse_yaml(text, "").data == text
    return text if plain else as_toml(text)
