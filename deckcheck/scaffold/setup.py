"""`deckcheck init`: writes commented settings, a hook and pipelines into a folder of decks."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import Any, Literal
from urllib.parse import urlsplit

from msgspec import Struct

from deckcheck.checking.deck_files import DeckFile, find_decks
from deckcheck.config.settings import NAME as SETTINGS
from deckcheck.config.settings import SHARED_NAME, load_settings
from deckcheck.formats.lookup import (
    CASES,
    ENDINGS,
    Folders,
    bundled_formats,
    folded,
    format_id,
    known_banlists,
    known_formats,
    own_banlists,
    own_formats,
)
from deckcheck.support import VERSION
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import cannot_write, is_file, read_bytes, real_path, write_new
from deckcheck.support.messages import Message, Words, _
from deckcheck.support.templates import render
from deckcheck.support.terminal import show, show_lines, write_messages
from deckcheck.support.toml import as_toml

LONGEST_REQUIREMENT = 1000
_PACKAGE = "deckcheck"

Pipeline = Literal["pre_commit", "github", "gitlab"]


class _Template(Struct, frozen=True):
    """A file with its template, what it does, what to do then, and how to introduce text to add if it exists."""

    file: str
    name: str
    purpose: Message
    next: Message
    to_add: Message | None = None


_PIPELINES: Mapping[Pipeline, _Template] = {
    "pre_commit": _Template(
        ".pre-commit-config.yaml",
        "pre-commit.{lang}.yaml",
        _("checks the decks in each commit"),
        _("pre-commit install (enables the hook)"),
        _('add this below "repos:"'),
    ),
    "github": _Template(
        ".github/workflows/deckcheck.yml",
        "workflow.{lang}.yml",
        _("checks all decks at every push and pull request on GitHub"),
        _("git push (starts the workflow)"),
    ),
    "gitlab": _Template(
        ".gitlab-ci.yml",
        "gitlab-ci.{lang}.yml",
        _("checks all decks in every pipeline on GitLab"),
        _("git push (starts the pipeline)"),
        _("add this"),
    ),
}


def set_up(
    folder: Path, format: str | None, source: Source, pipelines: Sequence[Pipeline], lang: str
) -> None:
    """Write the settings and the `pipelines` into `folder`, and tell each file and what comes next.

    `format` is the one that was asked for. Raises UserError for a format or source that can't be used, before
    anything is written, and for a file that can't be written.
    """
    there = survey(folder, format)
    require_source(source)
    wrote = _write_settings(folder, there, lang)
    whole = real_path(folder)
    top = next((place for place in (whole, *whole.parents) if os.path.lexists(place / ".git")), whole)
    todo: list[Message] = []
    if top != whole:
        # The other files are only read at the top of a repository.
        _tell(
            str(folder),
            False,
            _(
                "the repository begins at {top}: run deckcheck init there for the hook and the workflow",
                top=top,
            ),
            lang,
        )
        pipelines = ()
    # The test of a format without cases would always fail.
    tested = bool(there.formats) and all(
        (folder / file).with_suffix(CASES).is_dir() for file in there.formats
    )
    for kind in pipelines:
        if _write_pipeline(folder, kind, pipeline(kind, source, lang, formats=tested), lang):
            todo.append(_PIPELINES[kind].next)
    if todo:
        show_lines([_("installs: {requirement}", requirement=source.installs)], lang)
        if source.note is not None:
            write_messages(lang, source.note)
    if not wrote and not todo:
        show_lines([_("nothing to write")], lang)
        return
    steps: list[Message | str] = [f"deckcheck check {shlex.quote(str(folder))}", *todo]
    show_lines((_("next: {step}", step=step) for step in steps), lang)


def _tell(path: str, written: bool, about: Words | None, lang: str) -> None:
    """Write whether a file was written, and what it is for or why not."""
    state = _("written") if written else _("kept")
    if about is None:
        line = _("{path}: {state}", path=path, state=state)
    else:
        line = _("{path}: {state}; {purpose}", path=path, state=state, purpose=about)
    show_lines([line], lang)


def _write(folder: Path, name: str, text: str) -> bool:
    """Write a file unless it exists; whether it was written. Raises UserError."""
    try:
        return write_new(folder / name, text.encode())
    except OSError as error:
        raise cannot_write(folder / name, error) from error


def _write_settings(folder: Path, there: Survey, lang: str) -> bool:
    """Write deckcheck.toml, unless it or other settings exist; whether it was written."""
    if is_file(folder / SHARED_NAME) and load_settings(folder / SHARED_NAME) is not None:
        # A deckcheck.toml would hide them.
        note = _("the settings are in [tool.deckcheck], so no deckcheck.toml is written")
        _tell(SHARED_NAME, False, note, lang)
        return False
    wrote = _write(folder, SETTINGS, settings(there, lang))
    _tell(SETTINGS, wrote, None, lang)
    if wrote:
        show(render("init.txt", lang, found=there))
    return wrote


def _write_pipeline(folder: Path, kind: Pipeline, text: str, lang: str) -> bool:
    """Write a pipeline unless it exists; whether it was written. Shows what to add to one that others use, too."""
    template = _PIPELINES[kind]
    if _write(folder, template.file, text):
        _tell(template.file, True, template.purpose, lang)
        return True
    to_add = template.to_add if is_file(folder / template.file) else None
    if to_add is None or re.search(rb"(?m)^[^#\n]*\bdeckcheck\b", read_bytes(folder / template.file)):
        _tell(template.file, False, None, lang)
        return False
    _tell(template.file, False, to_add, lang)
    show(text.rpartition("\nrepos:\n")[2])
    return False


# Settings


def settings(there: Survey, lang: str) -> str:
    """The text of deckcheck.toml."""
    bundled = next(entry.id for entry in bundled_formats() if not entry.abstract)
    example = there.format or next(iter(there.folders.values()), bundled)
    return render(
        f"deckcheck.{lang}.toml",
        lang,
        format=_setting_line("format", there.format, example),
        formats=_setting_line("formats", _folders_of(there.formats), ["formats"]),
        banlists=_setting_line("banlists", _folders_of(there.banlists), ["banlists"]),
        folders=[
            {"path": as_toml(folder_pattern(folder)), "format": as_toml(format)}
            for folder, format in there.folders.items()
        ],
        example=as_toml(example),
    )


def folder_pattern(folder: str) -> str:
    """The pattern, as in .gitignore, for everything in a folder."""
    literal = re.sub(r"([\\*?\[\]])", r"\\\1", folder)
    # Some characters are special at the beginning.
    return f"{literal}/**" if re.match(r"[^\W_]", literal) else f"/{literal}/**"


def _setting_line(key: str, value: object, example: object) -> str:
    """A line that sets a key, or without a value a comment that shows how to."""
    return f"{'' if value else '# '}{key} = {as_toml(value or example)}"


def _folders_of(files: Sequence[Path]) -> list[str]:
    return sorted({file.parent.as_posix() for file in files})


class Survey(Struct, frozen=True):
    """What was found; paths are relative to the folder.

    `format` is the one that was asked for, `folders` maps folders of decks to the formats after which they are named.
    """

    format: str | None = None
    folders: Mapping[str, str] = MappingProxyType({})
    formats: tuple[Path, ...] = ()
    banlists: tuple[Path, ...] = ()


def survey(folder: Path, format: str | None) -> Survey:
    """Examine a folder; `format` is the one that was asked for, if any. Raises UserError if there is no such format."""
    lists = [item.path for item in find_decks([str(folder)]) if isinstance(item, DeckFile)]
    try:
        formats = [entry.file for entry in own_formats([folder])]
        # A list with a bundled id is an announcement or a copy.
        bundled = set(known_banlists())
        banlists = [entry.file for entry in own_banlists([folder]) if entry.id not in bundled]
    except (UserError, UnicodeError):
        # Far more files than in a repository of decks, or names that aren't text.
        formats, banlists = [], []
    own = Folders(tuple(sorted({file.parent for file in formats})))
    return Survey(
        None if format is None else _reference(format, folder, own),
        _formats_of_folders((PurePath(path).relative_to(folder) for path in lists), own),
        tuple(file.relative_to(folder) for file in formats),
        tuple(file.relative_to(folder) for file in banlists),
    )


def _reference(format: str, folder: Path, own: Folders) -> str:
    """How the settings should name that format: its id, or the path of its file. Raises UserError for an unknown one."""
    if not format.endswith(ENDINGS):
        return format_id(format, own)
    file = Path(format)
    read_bytes(file)
    return file.relative_to(folder).as_posix() if file.is_relative_to(folder) else file.absolute().as_posix()


def _formats_of_folders(lists: Iterable[PurePath], own: Folders) -> dict[str, str]:
    """The format of each folder of lists that is named after one."""
    known = [entry for entry in known_formats(own) if not entry.abstract]
    folders = {folder for path in lists for folder in path.parents}
    formats: dict[str, str] = {}
    for folder in sorted(folders, key=lambda folder: folder.parts):
        ids = {entry.id for entry in known if folded(folder.name) in entry.names}
        # A name that isn't text can't be in settings.
        if len(ids) == 1 and str(folder).isprintable():
            formats[folder.as_posix()] = ids.pop()
    return formats


# Hooks and pipelines


class Source(Struct, frozen=True):
    """What hooks and pipelines install: a requirement for pip, and the `repository` and `commit` of a clone.

    `note` says what prevents others from installing it. Pipelines also import `facts`, files and addresses of cards and
    banlists.
    """

    requirement: str
    repository: str | None = None
    commit: str | None = None
    note: Words | None = None
    facts: tuple[str, ...] = ()

    @property
    def installs(self) -> str:
        """The requirement, with the extra for large card data if there are facts to import."""
        if not self.facts:
            return self.requirement
        return re.sub(rf"^{_PACKAGE}(?= @ |==)", f"{_PACKAGE}[import]", self.requirement)


def require_source(source: Source) -> None:
    """Raise UserError for values that pip or the shell would take as options, or that can't be in the files."""
    if not _fits(source.requirement):
        message = _(
            "--requirement: pip cannot install {text!r} (examples: deckcheck==1.2, git+https://…, a wheel's URL)",
            text=source.requirement[:100],
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
    """The text of a pipeline; with `formats`, it also tests the repository's own formats."""
    quoted = as_toml if kind == "pre_commit" else shlex.quote
    return render(
        _PIPELINES[kind].name.format(lang=lang),
        lang,
        requirement=quoted(source.installs),
        repository=source.repository and as_toml(source.repository),
        commit=as_toml(source.commit),
        facts=shlex.join(source.facts),
        tested=formats,
    )


def installed_source() -> Source:
    """What the running copy was installed from, as pip noted it (PEP 610): a clone, an address, else the package index."""
    noted = None
    with suppress(PackageNotFoundError, OSError):
        noted = distribution(_PACKAGE).read_text("direct_url.json")
    return source_of(noted)


def source_of(written: str | None) -> Source:
    """The source in the text of a direct_url.json; the package index without one or without a usable address."""
    data: Any = None
    with suppress(ValueError):
        data = json.loads(written or "")
    url = data.get("url") if isinstance(data, dict) else None
    if not isinstance(url, str) or not _fits(url) or " " in url:
        return Source(f"{_PACKAGE}=={VERSION}")
    note = None
    if urlsplit(url).scheme in ("file", ""):
        note = _("only this machine can install from there; for CI, name another source with --requirement")
    version = data.get("vcs_info")
    if isinstance(version, dict) and version.get("vcs") == "git":
        commit = str(version.get("commit_id"))
        if re.fullmatch(r"[0-9a-f]{40,64}", commit):
            return Source(f"{_PACKAGE} @ git+{url}@{commit}", url, commit, note)
    return Source(f"{_PACKAGE} @ {url}", note=note)
