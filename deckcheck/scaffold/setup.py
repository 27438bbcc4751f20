"""The files that `deckcheck init` and `deckcheck event init` write: settings, a hook, pipelines, an event."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, timedelta
from itertools import chain, count
from pathlib import Path
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

from deckcheck.checking.deck_files import DeckFile
from deckcheck.checking.session import CheckOptions, FormatCache, Session
from deckcheck.config.settings import NAME as SETTINGS
from deckcheck.config.settings import SHARED_NAME, load_settings
from deckcheck.formats.lookup import CASES, ENDINGS, Folders, FormatEntry, format_file, known_formats
from deckcheck.registration.form_columns import FormColumns, guess_columns
from deckcheck.scaffold.survey import Guess, Parts, Survey, format_id, guess, playable_formats
from deckcheck.support import VERSION
from deckcheck.support.dates import no_such_day, parse_day
from deckcheck.support.documents import as_toml, parse_yaml, require_shape
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import (
    cannot_write,
    is_file,
    path_from,
    read_bytes,
    real_path,
    shipped,
    write_new,
)
from deckcheck.support.messages import Message, Words, _
from deckcheck.support.templates import render

LONGEST_REQUIREMENT = 1000
LISTS = "lists"
"""The folder for lists in an event's file."""

_PACKAGE = "deckcheck"
_COMMIT = re.compile(r"[0-9a-f]{40,64}")
_REVISION = re.compile(r"[\w.][\w./-]{0,99}")
_EVENT_ID = re.compile(r"(?m)^event:[ \t]*[\"']?([a-z0-9-]+)")
_MOST_LISTED = 20
_MOST_EXCLUDED = 100
_AHEAD = timedelta(days=7)
_FIRST_YEAR, _LAST_YEAR = 1993, 2199
"""The years of events: there were no such games before, and any other year is a typo."""

Pipeline = Literal["pre_commit", "github", "gitlab"]


_PIPELINES: Mapping[Pipeline, tuple[str, str, Message, Message, Message | None]] = {
    "pre_commit": (
        ".pre-commit-config.yaml",
        "pre-commit.{lang}.yaml",
        _("checks the decks in each commit"),
        _("pre-commit install (enables the hook)"),
        _('add this below "repos:"'),
    ),
    "github": (
        ".github/workflows/deckcheck.yml",
        "workflow.{lang}.yml",
        _("checks all decks at every push and pull request on GitHub"),
        _("git push (starts the workflow)"),
        None,
    ),
    "gitlab": (
        ".gitlab-ci.yml",
        "gitlab-ci.{lang}.yml",
        _("checks all decks in every pipeline on GitLab"),
        _("git push (starts the pipeline)"),
        _("add this"),
    ),
}
"""Files with their templates, what they do, what to do then, and how to introduce text to add, if other tools use them."""


class Source(NamedTuple):
    """What hooks and pipelines install: the `requirement` that was asked for, else what this copy was installed from.

    The latter is a `specifier` for pip, with its repository, the `commit` there, and a tag or branch for that; `note`
    says what prevents others from installing it. Pipelines also import `facts`, files and addresses of cards and banlists.
    """

    specifier: str = ""
    repository: str | None = None
    commit: str | None = None
    revision: str | None = None
    note: Words | None = None
    requirement: str | None = None
    facts: tuple[str, ...] = ()

    @property
    def installs(self) -> str:
        """The requirement for pip."""
        if self.requirement is not None:
            return self.requirement
        return f"{_PACKAGE}{'[import]' if self.facts else ''}{self.specifier}"


class FileResult(NamedTuple):
    """The result for one file: its purpose, notes on it, text for the user to `add` to it, and what to do `next`."""

    path: str
    written: bool
    purpose: str | None = None
    notes: tuple[str, ...] = ()
    add: str | None = None
    next: Message | None = None


def set_up(
    folder: Path,
    found: Survey,
    source: Source,
    format: str | None,
    pipelines: Sequence[Pipeline],
    lang: str,
) -> Iterator[FileResult]:
    """Write the settings and the `pipelines` into `folder`, whose survey is `found`. Yields a step for each file.

    Raises UserError for a source or format that can't be used, before anything is written, and for a file that can't be
    written.
    """
    require_source(source)
    known = playable_formats(found.formats)
    if format is not None:
        format = _format_reference(format, folder, found.formats, known)
    if is_file(folder / SHARED_NAME) and load_settings(folder / SHARED_NAME) is not None:
        # A deckcheck.toml would hide them.
        note = _("the settings are in [tool.deckcheck], so no deckcheck.toml is written")
        yield FileResult(SHARED_NAME, False, note.in_(lang))
    else:
        guessed = guess(found.decks, known, format)
        notes = render("init.txt", lang, guessed=guessed, found=found, file=SETTINGS, most=_MOST_LISTED)
        text = settings(guessed, found, lang, _example_format(guessed, known))
        step = _write(folder, SETTINGS, text.encode())
        yield step._replace(notes=tuple(notes.splitlines()) if step.written else ())
        if step.written and not found.decks:
            yield from _with_example(folder, format, lang)
    whole = real_path(folder)
    top = next((place for place in (whole, *whole.parents) if os.path.lexists(place / ".git")), whole)
    if top != whole:
        # The other files are only read at the top of a repository.
        message = _(
            "the repository begins at {top}: run deckcheck init there for the hook and the workflow", top=top
        )
        yield FileResult(str(folder), False, message.in_(lang))
        return
    own = [folder / entry.file for entry in found.formats if not entry.abstract]
    # The test of a format without cases would always fail.
    tested = bool(own) and all(file.with_suffix(CASES).is_dir() for file in own)
    for kind in pipelines:
        yield _write_pipeline(folder, kind, pipeline(kind, source, lang, formats=tested), lang)


def _write(folder: Path, name: str, content: bytes, purpose: str | None = None) -> FileResult:
    """Write a file unless it exists; the step has the purpose only if it was written. Raises UserError."""
    try:
        written = write_new(folder / name, content)
    except OSError as error:
        raise cannot_write(folder / name, error) from error
    return FileResult(name, written, purpose if written else None)


def _write_pipeline(folder: Path, kind: Pipeline, text: str, lang: str) -> FileResult:
    """Like `_write`; if the file exists without deckcheck and other tools use it, the step has the text to add."""
    name, _template, note, following, to_add = _PIPELINES[kind]
    step = _write(folder, name, text.encode(), note.in_(lang))
    if step.written:
        return step._replace(next=following)
    if to_add is None:
        return step
    try:
        data = read_bytes(folder / name) if is_file(folder / name) else b"deckcheck"
    except UserError:
        data = b""
    if re.search(rb"(?m)^[^#\n]*\bdeckcheck\b", data):
        return step
    return step._replace(purpose=to_add.in_(lang), add=text.rpartition("\nrepos:\n")[2])


def _with_example(folder: Path, format: str | None, lang: str) -> Iterator[FileResult]:
    """Write a bundled deck that is legal in the format that it names, which is `format` if that is given."""
    session = Session(CheckOptions())
    for file in sorted(shipped("examples").iterdir()):
        try:
            report = session.open(DeckFile(str(file))).check()
        except UserError:
            continue
        if report.verdict == "legal" and format in (None, report.format):
            note = _("an example; replace it with your own decks").in_(lang)
            yield _write(folder, f"decks/{file.name}", read_bytes(file), note)
            return


def _format_reference(
    format: str, folder: Path, own: Sequence[FormatEntry], known: Sequence[FormatEntry]
) -> str:
    """How the settings should name that format: its id or file. Raises UserError if there is none with that name."""
    if not format.endswith(ENDINGS):
        named = format_id(format, known)
        if named is None:
            # Raises an error with suggestions.
            format_file(format, folders=Folders(tuple((folder / entry.file).parent for entry in own)))
        return named or format
    file = Path(format)
    read_bytes(file)
    inside = {(folder / entry.file).resolve(): entry.id for entry in own}
    return inside.get(real_path(file)) or Path(os.path.relpath(file, folder)).as_posix()


# Settings


def settings(guess: Guess, found: Survey, lang: str, example: str) -> str:
    """The text of deckcheck.toml; `example` is a format's id for the comments."""
    # If there are more, they aren't there by mistake, and the user knows their folders.
    excluded = found.no_decks if len(found.no_decks) <= _MOST_EXCLUDED else ()
    folders = [
        {"path": as_toml(folder_pattern(mapped.parts)), "format": as_toml(mapped.format)}
        for mapped in guess.folders
    ]
    return render(
        f"deckcheck.{lang}.toml",
        lang,
        format=_setting_line("format", guess.format, example),
        exclude=_setting_line(
            "exclude", [file_pattern(parts) for parts in excluded], ["drafts/", "*.old.txt"]
        ),
        formats=_setting_line(
            "formats", _folders_of([entry.file.parts for entry in found.formats]), ["formats"]
        ),
        banlists=_setting_line("banlists", _folders_of(found.banlists), ["banlists"]),
        folders=folders,
        example=as_toml(example),
    )


def _setting_line(key: str, value: object, example: object) -> str:
    """A line that sets a key, or without a value a comment that shows how to."""
    return f"{'' if value else '# '}{key} = {as_toml(value or example)}"


def folder_pattern(parts: Parts) -> str:
    """The pattern, as in .gitignore, for everything in a folder."""
    return file_pattern((*parts, "")).rstrip("/") + "/**"


def file_pattern(parts: Parts) -> str:
    """The pattern for only this file, relative to the folder of the settings."""
    literal = "/".join(re.sub(r"([\\*?\[\]])", r"\\\1", part) for part in parts)
    plain = re.fullmatch(r"[^\W_][^\n]*/.*", literal)
    # Without a slash, a pattern also applies to inner folders, and some characters are special at the beginning.
    return literal if plain else "/" + literal


def _folders_of(files: Sequence[Parts]) -> list[str]:
    """The folders that contain these files, without folders inside others."""
    outer: list[Parts] = []
    for folder in sorted({parts[:-1] for parts in files}):
        if not any(folder[: len(other)] == other for other in outer):
            outer.append(folder)
    return ["/".join(folder) or "." for folder in outer]


def _example_format(guessed: Guess, known: Sequence[FormatEntry]) -> str:
    """The id of the format to name in comments: one of the decks' game, else of the first game."""
    meant = guessed.format or next((mapped.format for mapped in guessed.folders), None)
    bundled = [entry.id for entry in known if entry.file.is_absolute()]
    game = (meant or bundled[0]).partition("/")[0]
    return next((id for id in reversed(bundled) if id.partition("/")[0] == game), bundled[0])


# Hooks and pipelines


def require_source(source: Source) -> None:
    """Raise UserError for values that pip or the shell would take as options, or that can't be in the files."""
    if not _fits(source.installs):
        message = _(
            "--requirement: pip cannot install {text!r} (examples: deckcheck==1.2, git+https://…, a wheel's URL)",
            text=source.installs[:100],
        )
        raise user_error(message)
    for name in source.facts:
        if not _fits(name):
            raise user_error(_("--facts: {name!r} names no file or address", name=name[:100]))


def _fits(text: str) -> bool:
    printable = text.isprintable() and text.strip() == text and 0 < len(text) <= LONGEST_REQUIREMENT
    # GitHub would replace what is between ${{ and }} before the shell sees it.
    return printable and not text.startswith("-") and "${{" not in text


def pipeline(kind: Pipeline, source: Source, lang: str, *, formats: bool) -> str:
    """The text of a hook or pipeline; with `formats`, it also tests the repository's own formats."""
    quoted = as_toml if kind == "pre_commit" else shlex.quote
    return render(
        _PIPELINES[kind][1].format(lang=lang),
        lang,
        requirement=quoted(source.installs),
        repository=source.repository and as_toml(source.repository),
        commit=as_toml(source.commit),
        revision=source.revision,
        facts=shlex.join(source.facts),
        tested=formats,
    )


# Where this copy was installed from, so that hooks and pipelines can install the same


def installed_source() -> Source:
    """What the running copy was installed from: its source folder, what pip noted (PEP 610), else the package index."""
    folder = Path(__file__).parents[2]
    if (folder / "pyproject.toml").is_file() and (folder / ".pre-commit-hooks.yaml").is_file():
        return _of_folder(folder)
    from importlib.metadata import PackageNotFoundError, distribution

    noted = None
    with suppress(PackageNotFoundError, OSError):
        noted = distribution(_PACKAGE).read_text("direct_url.json")
    return source_of(noted)


def source_of(written: str | None) -> Source:
    """The source in the text of a direct_url.json (PEP 610); the package index without one or without a usable URL."""
    data: Any = None
    with suppress(ValueError):
        data = json.loads(written or "")
    url = data.get("url") if isinstance(data, dict) else None
    if not isinstance(url, str) or not url.isprintable() or " " in url:
        return Source(f"=={VERSION}")
    if isinstance(data.get("dir_info"), dict):
        from urllib.request import url2pathname

        return _of_folder(Path(url2pathname(urlsplit(url).path)))

    def noted(*keys: str) -> str:
        value: Any = data
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        return str(value)

    commit, revision = noted("vcs_info", "commit_id"), noted("vcs_info", "requested_revision")
    if noted("vcs_info", "vcs") == "git" and _COMMIT.fullmatch(commit):
        return _of_commit(url, commit, revision if _REVISION.fullmatch(revision) else None)
    sha256 = noted("archive_info", "hashes", "sha256")
    mark = f"#sha256={sha256}" if re.fullmatch(r"[0-9a-f]{64}", sha256) else ""
    return Source(f" @ {url}{mark}", note=_reach(url))


def _of_commit(url: str, commit: str, revision: str | None = None) -> Source:
    return Source(
        f" @ git+{url}@{commit}", url, commit, None if revision == commit else revision, _reach(url)
    )


def _of_folder(folder: Path) -> Source:
    """The commit of a clone, in its public repository if it was pushed there; else the folder as it is."""
    commit = _git(folder, "rev-parse", "HEAD") if (folder / ".git").exists() else ""
    if not _COMMIT.fullmatch(commit):
        return Source(f" @ {folder.as_uri()}", note=_reach(folder.as_uri()))
    remote = _git(folder, "remote", "get-url", "origin")
    is_public = urlsplit(remote).scheme == "https" and "@" not in remote and remote.isprintable()
    if is_public and _git(folder, "branch", "--remotes", "--contains", commit):
        return _of_commit(remote, commit)
    return _of_commit(folder.as_uri(), commit)


def _git(folder: Path, *words: str) -> str:
    """The output of git; "" if it fails or isn't installed."""
    try:
        done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.decode("utf-8", "replace").strip()


def _reach(url: str) -> Words | None:
    if urlsplit(url).scheme not in ("file", ""):
        return None
    return _("only this machine can install from there; for CI, name another source with --requirement")


# An event


class EventText(NamedTuple):
    """The text of an event's file, its day and format, and the columns of its form."""

    text: str
    day: str
    format: str
    form: FormColumns | None = None


def event_text(
    file: Path,
    written_day: str | None,
    format: str | None,
    lang: str,
    folders: Folders,
    today: date,
    form: Path | None = None,
) -> EventText:
    """The text of an event's `file`, which names the settings' `folders` (None: default day and format).

    `form` is an export of a form, whose columns it maps. Raises UserError for an invalid day or format, or a form
    that can't be read.
    """
    day = today + _AHEAD if written_day is None else parse_day(written_day)
    if day is None or not _FIRST_YEAR <= day.year <= _LAST_YEAR:
        message = _("{option}: {problem}", option="--date", problem=no_such_day(written_day))
        raise user_error(message, hint=_("write YYYY-MM-DD"))
    format = _event_format(format, folders)
    eve = (day - timedelta(days=1)).isoformat()
    columns = None if form is None else guess_columns(form, FormatCache(folders).load(format).game_data.game)
    text = render(
        f"event.{lang}.yaml",
        lang,
        id=_free_id(file.parent, f"event-{day.isoformat()}"),
        date=day.isoformat(),
        eve=eve,
        deadline=f"{eve} 20:00",
        format=_scalar(path_from(file, Path(format)) if format.endswith(ENDINGS) else format),
        zones=_first_zones(format, folders, lang),
        form=[] if form is None or columns is None else _form_lines(path_from(file, form), columns),
        formats=_folder_line("formats", folders.formats, file, folders.games),
        banlists=_folder_line("banlists", folders.banlists, file, folders.games),
        games=folders.games and _folder_line("games", folders.games, file),
    )
    require_shape(parse_yaml(text, str(file)), "event")
    return EventText(text, day.isoformat(), format, columns)


def _form_lines(path: str, columns: FormColumns) -> list[str]:
    """The lines of the entry of a form in an event's file."""
    lines = [f"  - file: {_scalar(path)}", "    columns:"]
    for field, heads in columns.fields.items():
        named = [_scalar(head) for head in heads]
        lines.append(f"      {field}: {named[0] if len(named) == 1 else '[' + ', '.join(named) + ']'}")
    if columns.deck is not None:
        lines.append(f"      deck: {_scalar(columns.deck)}")
    elif columns.zones:
        lines.append("      zones:")
        lines += [f"        {zone}: {_scalar(head)}" for zone, head in columns.zones.items()]
    return lines


def _free_id(folder: Path, id: str) -> str:
    """The id, with a number if an event in the folder has it: events with the same id would share a log."""
    taken = {log.name.removesuffix(".log.jsonl") for log in folder.glob("*.log.jsonl")}
    for file in (path for ending in ENDINGS for path in folder.glob(f"*{ending}")):
        with suppress(UserError):
            taken.update(_EVENT_ID.findall(read_bytes(file).decode("utf-8", "replace")))
    return next(name for name in chain([id], (f"{id}-{number}" for number in count(2))) if name not in taken)


def _event_format(reference: str | None, folders: Folders) -> str:
    """The format's id, or its file as it was given; by default the one in the examples of other files."""
    if reference is None:
        return [format.id for format in known_formats(folders) if not format.abstract][-1]
    if reference.endswith(ENDINGS):
        return reference
    found = format_file(reference, folders=folders)
    return next((format.id for format in known_formats(folders) if format.file == found), reference)


def _first_zones(format: str, folders: Folders, lang: str) -> str:
    """The first two zones of the format, for a comment. Raises UserError for a broken or abstract format."""
    zones = list(FormatCache(folders).load(format).format.zones.items())[:2]
    if not zones:
        raise user_error(_("{format!r} can only be extended", format=format))
    return ", ".join(f"{id}: {_scalar(name.in_(lang))}" for id, name in zones)


def _folder_line(key: str, paths: Sequence[Path], file: Path, others: Sequence[Path] = ()) -> str:
    """A line with the folders that aren't among `others`, or without any a comment that shows how to write it."""
    named = [_scalar(path_from(file, path)) for path in paths if path not in others]
    return f"{key}: [{', '.join(named)}]" if named else f"# {key}: [{key}]"


def _scalar(text: str) -> str:
    """A text as YAML, in quotes only if it needs them."""
    plain = re.fullmatch(r"[^\W\d_]([\w/. -]*\w)?", text) and parse_yaml(text, "").data == text
    return text if plain else as_toml(text)
