"""The texts of the files that `deckcheck init` and `deckcheck event init` write."""

import json
import os
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

from deckcheck.checking.session import FormatCache
from deckcheck.formats.lookup import Folders, format_file, known_formats
from deckcheck.scaffold.survey import Guess, Parts, Survey
from deckcheck.support.dates import no_such_day, parse_day
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _
from deckcheck.support.yamlfile import parse_yaml, require_shape

LONGEST_REQUIREMENT = 1000
LISTS = "lists"
"""The folder that an event's file names for lists."""

_MOST_EXCLUDED = 100
_AHEAD = timedelta(days=7)
_FIRST_YEAR, _LAST_YEAR = 1993, 2199
"""No event was before card games were; who writes another year has mistyped it."""

_YAML_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
"""What YAML would not take for text."""


def _filled(template: str, values: Mapping[str, str]) -> str:
    """A template with its @MARKS@ replaced, a line that is left empty dropped; values are not looked at again."""
    text = (Path(__file__).parent.parent / "templates" / template).read_text(encoding="utf-8")
    return re.sub(r"@([A-Z]+)@(\n?)", lambda hit: values[hit[1]] + (hit[2] if values[hit[1]] else ""), text)


# Hooks and pipelines


def require_requirement(text: str) -> None:
    """Raise UserError for what pip would take for an option or what can't stand in the files."""
    fit = text.isprintable() and text.strip() == text and 0 < len(text) <= LONGEST_REQUIREMENT
    # GitHub would fill in what stands between ${{ and }} before the shell sees it.
    if not fit or text.startswith("-") or "${{" in text:
        raise user_error(
            _(
                "--requirement: pip can't be given {text!r} (but deckcheck==1.2, git+https://…, a wheel's URL)",
                text=text[:100],
            )
        )


def workflow(requirement: str, lang: str, *, formats: bool) -> str:
    """A GitHub workflow; with `formats` it tries the repository's own formats, too."""
    return _pipeline(
        f"workflow.{lang}.yml", f"workflow-formats.{lang}.yml", formats, shlex.quote(requirement)
    )


def gitlab(requirement: str, lang: str, *, formats: bool) -> str:
    """The same for GitLab."""
    return _pipeline(f"gitlab-ci.{lang}.yml", "gitlab-ci-formats.yml", formats, shlex.quote(requirement))


def pre_commit(requirement: str, lang: str, *, formats: bool) -> str:
    """A configuration of pre-commit with the hook, and with that for formats."""
    return _pipeline(f"pre-commit.{lang}.yaml", "pre-commit-formats.yaml", formats, _quoted(requirement))


def pre_commit_hook(whole: str) -> str:
    """Of what `pre_commit` returns that which belongs below an existing "repos:"."""
    return whole.partition("\nrepos:\n")[2]


def _pipeline(template: str, for_formats: str, formats: bool, requirement: str) -> str:
    requirement_only = {"REQUIREMENT": requirement}
    step = _filled(for_formats, requirement_only).removesuffix("\n") if formats else ""
    return _filled(template, {**requirement_only, "FORMATS": step})


# Settings


def settings(guess: Guess, found: Survey, lang: str, example: str) -> str:
    """The text of deckcheck.toml. `example` is the id of a format, for what stands in a comment only."""
    excluded = [exactly(parts) for parts in found.no_decks]
    if len(excluded) > _MOST_EXCLUDED:
        # So many are no lists that were forgotten: whole folders of them are theirs to name who know them.
        excluded = []
    tables = [
        f"[[decks]]\npath = {_quoted(all_below(mapped.parts))}\nformat = {_quoted(mapped.format)}"
        for mapped in guess.folders
    ]
    shown = f'# [[decks]]\n# path = "league/**"\n# format = {_quoted(example)}'
    values = {
        "FORMAT": _set("format", guess.format, example),
        "EXCLUDE": _set("exclude", excluded, ["drafts/", "*.old.txt"]),
        "FORMATS": _set("formats", _folders_of(one.parts for one in found.formats), ["formats"]),
        "BANLISTS": _set("banlists", _folders_of(found.banlists), ["banlists"]),
        "DECKS": "\n\n".join(tables) or shown,
    }
    return _filled(f"deckcheck.{lang}.toml", values)


def _set(key: str, value: str | Sequence[str] | None, example: str | Sequence[str]) -> str:
    """A line that sets a key, or a comment that shows how it is set."""
    return f"{key} = {_value(value)}" if value else f"# {key} = {_value(example)}"


def _value(value: str | Sequence[str]) -> str:
    return _quoted(value) if isinstance(value, str) else "[" + ", ".join(map(_quoted, value)) + "]"


def _quoted(text: str) -> str:
    """A string in double quotes, as TOML and YAML both read it."""

    def escaped(match: re.Match[str]) -> str:
        char = match[0]
        if char.isprintable():
            return char
        return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"

    # JSON leaves DEL and what lies above ASCII as it is; both want some of that written out.
    return re.sub(r"[^ -~]", escaped, json.dumps(text, ensure_ascii=False))


def all_below(parts: Parts) -> str:
    """The pattern, as in .gitignore, of everything in a folder."""
    return exactly((*parts, "")).rstrip("/") + "/**"


def exactly(parts: Parts) -> str:
    """The pattern of just this file, from the folder in which the settings stand."""
    literal = "/".join(re.sub(r"([\\*?\[\]])", r"\\\1", part) for part in parts)
    plain = re.fullmatch(r"[^\W_][^\n]*/.*", literal)
    # Without a slash in it a pattern would hold for inner folders, too; and not everything may stand first.
    return literal if plain else "/" + literal


def _folders_of(files: Iterable[Parts]) -> list[str]:
    """The folders that hold these files, without those inside of others among them."""
    folders = sorted({parts[:-1] for parts in files})
    outer = [
        folder
        for folder in folders
        if not any(folder != other and folder[: len(other)] == other for other in folders)
    ]
    return ["/".join(folder) or "." for folder in outer]


# An event


class EventOptions(NamedTuple):
    """What the file of an event is to say; the rest is for the organiser to fill in. None stands for a guess."""

    format: str | None = None
    date: str | None = None
    lang: str = "en"


class EventText(NamedTuple):
    """The text of an event's file, and what it says of the day and the format."""

    text: str
    date: str
    format: str


def event_text(file: Path, options: EventOptions, folders: Folders, today: date) -> EventText:
    """What is to stand in `file`. `folders` are those of the project's settings, which the event will name.

    Raises UserError for a day or a format that there isn't.
    """
    day = today + _AHEAD if options.date is None else _event_day(options.date)
    format = _event_format(options.format, folders)
    eve = (day - timedelta(days=1)).isoformat()
    values = {
        "ID": f"event-{day.isoformat()}",
        "DATE": day.isoformat(),
        "EVE": eve,
        "DEADLINE": f"{eve} 20:00",
        "FORMAT": _scalar(_path_from(file, Path(format)) if _is_path(format) else format),
        "ZONES": _first_zones(format, folders, options.lang),
        "FORMATS": _folder_line("formats", folders.formats, file),
        "BANLISTS": _folder_line("banlists", folders.banlists, file),
    }
    text = _filled(f"event.{options.lang}.yaml", values)
    require_shape(parse_yaml(text, str(file)), "event")
    return EventText(text, day.isoformat(), format)


def _event_day(written: str) -> date:
    day = parse_day(written)
    if day is None or not _FIRST_YEAR <= day.year <= _LAST_YEAR:
        message = _("{option}: {problem}", option="--date", problem=no_such_day(written))
        raise user_error(message, hint=_("write YYYY-MM-DD"))
    return day


def _event_format(reference: str | None, folders: Folders) -> str:
    """The format's id, or its file as it was given."""
    if reference is None:
        # The one that is shown as an example elsewhere, too.
        return [format.id for format in known_formats(folders) if not format.abstract][-1]
    if _is_path(reference):
        return reference
    found = format_file(reference, folders=folders)
    return next((format.id for format in known_formats(folders) if format.file == found), reference)


def _is_path(format: str) -> bool:
    return format.endswith((".yaml", ".yml"))


def _first_zones(format: str, folders: Folders, lang: str) -> str:
    """The first two zones of the format, for what stands in a comment only. Raises UserError for one that is broken."""
    zones = list(FormatCache(folders).load(format).format.zones.items())[:2]
    if not zones:
        raise user_error(_("{format!r} can only be extended", format=format))
    return ", ".join(f"{id}: {_scalar(name.in_(lang))}" for id, name in zones)


def _folder_line(key: str, paths: Sequence[Path], file: Path) -> str:
    """A line with folders, or a comment that shows how it is written."""
    if not paths:
        return f"# {key}: [{key}]"
    return f"{key}: [{', '.join(_scalar(_path_from(file, path)) for path in paths)}]"


def _path_from(file: Path, path: Path) -> str:
    """A path as the file has to name it."""
    try:
        return Path(os.path.relpath(path.resolve(), file.parent.resolve())).as_posix()
    except ValueError:
        # On another drive.
        return path.absolute().as_posix()


def _scalar(text: str) -> str:
    plain = re.fullmatch(r"[^\W\d_]([\w/. -]*\w)?", text) and text.lower() not in _YAML_WORDS
    return text if plain else json.dumps(text, ensure_ascii=False)
