"""What `deckcheck init` finds in a folder of decks, and the files that it writes: settings, a hook, pipelines, an example."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path, PurePath
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

from deckcheck.checking.deck_files import DeckFile, NotADecklistError, find_decks
from deckcheck.checking.session import CheckOptions, Session, read_list
from deckcheck.config.settings import NAME as SETTINGS
from deckcheck.config.settings import SHARED_NAME, load_settings
from deckcheck.decklists.decode import decode
from deckcheck.decklists.header import read_header
from deckcheck.formats.lookup import (
    CASES,
    ENDINGS,
    Folders,
    FormatEntry,
    bundled_formats,
    folded,
    format_file,
    known_banlists,
    own_banlists,
    own_formats,
)
from deckcheck.support import VERSION
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import cannot_write, is_file, read_bytes, real_path, shipped, write_new
from deckcheck.support.messages import Message, Words, _
from deckcheck.support.templates import render
from deckcheck.support.terminal import show, show_lines, write_messages
from deckcheck.support.toml import as_toml

LONGEST_REQUIREMENT = 1000
_PACKAGE = "deckcheck"

Pipeline = Literal["pre_commit", "github", "gitlab"]


class _Template(NamedTuple):
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


class Source(NamedTuple):
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


class FileResult(NamedTuple):
    """The result for one file: its purpose, notes on it, text for the user to `add` to it, and what to do `next`."""

    path: str
    written: bool
    purpose: str | None = None
    notes: tuple[str, ...] = ()
    add: str | None = None
    next: Message | None = None


def set_up_told(
    folder: str, format: str | None, source: Source, pipelines: Sequence[Pipeline], lang: str
) -> None:
    """Set up the folder, and tell each file and what comes next. Raises UserError as `set_up` does."""
    lists = [item for item in find_decks([folder]) if isinstance(item, DeckFile)]
    following: list[Message | str] = []
    wrote = False
    for step in set_up(Path(folder), survey(Path(folder), lists, format), source, pipelines, lang):
        wrote = wrote or step.written
        state = _("written") if step.written else _("kept")
        line = _("{path}: {state}", path=step.path, state=state)
        if step.purpose is not None:
            line = _("{path}: {state}; {purpose}", path=step.path, state=state, purpose=step.purpose)
        show_lines([line, *(f"  {note}" for note in step.notes)], lang)
        if step.add is not None:
            show(step.add)
        if step.next is not None:
            following.append(step.next)
    if not wrote:
        show_lines([_("nothing to write")], lang)
        return
    if following:
        show_lines([_("installs: {requirement}", requirement=source.installs)], lang)
        if source.note is not None:
            write_messages(lang, source.note)
    todo = [f"deckcheck check {shlex.quote(folder)}", *following]
    show_lines((_("next: {step}", step=step) for step in todo), lang)


def set_up(
    folder: Path, survey: Survey, source: Source, pipelines: Sequence[Pipeline], lang: str
) -> Iterator[FileResult]:
    """Write the settings and the `pipelines` into `folder`, whose survey is `found`. Yields the result for each file.

    Raises UserError for a source that can't be used, before anything is written, and for a file that can't be written.
    """
    require_source(source)
    if is_file(folder / SHARED_NAME) and load_settings(folder / SHARED_NAME) is not None:
        # A deckcheck.toml would hide them.
        note = _("the settings are in [tool.deckcheck], so no deckcheck.toml is written")
        yield FileResult(SHARED_NAME, False, note.in_(lang))
    else:
        result = _write(folder, SETTINGS, settings(survey, lang).encode())
        notes = render("init.txt", lang, found=survey, file=SETTINGS) if result.written else ""
        yield result._replace(notes=tuple(notes.splitlines()))
        if result.written and not survey.decks:
            yield from _with_example(folder, survey.format, lang)
    whole = real_path(folder)
    top = next((place for place in (whole, *whole.parents) if os.path.lexists(place / ".git")), whole)
    if top != whole:
        # The other files are only read at the top of a repository.
        message = _(
            "the repository begins at {top}: run deckcheck init there for the hook and the workflow", top=top
        )
        yield FileResult(str(folder), False, message.in_(lang))
        return
    # The test of a format without cases would always fail.
    tested = bool(survey.formats) and all(
        (folder / file).with_suffix(CASES).is_dir() for file in survey.formats
    )
    for kind in pipelines:
        yield _write_pipeline(folder, kind, pipeline(kind, source, lang, formats=tested), lang)


def settings(survey: Survey, lang: str) -> str:
    """The text of deckcheck.toml."""
    folders = [
        {"path": as_toml(folder_pattern(folder)), "format": as_toml(format)}
        for folder, format in survey.folders.items()
    ]
    return render(
        f"deckcheck.{lang}.toml",
        lang,
        format=_setting_line("format", survey.format, survey.example),
        formats=_setting_line("formats", _folders_of(survey.formats), ["formats"]),
        banlists=_setting_line("banlists", _folders_of(survey.banlists), ["banlists"]),
        folders=folders,
        example=as_toml(survey.example),
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


def _write(folder: Path, name: str, content: bytes, purpose: str | None = None) -> FileResult:
    """Write a file unless it exists; the result has the purpose only if it was written. Raises UserError."""
    try:
        written = write_new(folder / name, content)
    except OSError as error:
        raise cannot_write(folder / name, error) from error
    return FileResult(name, written, purpose if written else None)


def _write_pipeline(folder: Path, kind: Pipeline, text: str, lang: str) -> FileResult:
    """Like `_write`; if the file exists without deckcheck and other tools use it, the result has the text to add."""
    template = _PIPELINES[kind]
    result = _write(folder, template.file, text.encode(), template.purpose.in_(lang))
    if result.written:
        return result._replace(next=template.next)
    if template.to_add is None or not is_file(folder / template.file):
        return result
    if re.search(rb"(?m)^[^#\n]*\bdeckcheck\b", read_bytes(folder / template.file)):
        return result
    return result._replace(purpose=template.to_add.in_(lang), add=text.rpartition("\nrepos:\n")[2])


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


# Hooks and pipelines


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


_UNKNOWN = ""


class Survey(NamedTuple):
    """What was found; paths are relative to the folder.

    `format` is that of decks without another one, `folders` maps folders to the formats of their decks, and `example` is
    a format for comments.
    """

    decks: tuple[PurePath, ...]
    format: str | None
    folders: Mapping[str, str]
    example: str
    formats: tuple[Path, ...] = ()
    banlists: tuple[Path, ...] = ()


def survey(folder: Path, lists: Iterable[DeckFile], format: str | None) -> Survey:
    """Examine the lists that `find_decks` found below `folder`; `format` is the one that was asked for, if any.

    Raises UserError if there is no such format.
    """
    formats, banlists = _own_rules(folder)
    bundled = [entry for entry in bundled_formats() if not entry.abstract]
    known = [*(entry for entry in formats if not entry.abstract), *bundled]
    if format is not None:
        format = _reference(format, folder, formats, known)
    session = Session(CheckOptions(folders=_format_folders(formats)))
    decks: dict[PurePath, str | None] = {}
    for deck in lists:
        path = PurePath(deck.path).relative_to(folder)
        is_case = any(part.endswith(CASES) for part in path.parts[:-1])
        # A name that isn't text can't be in settings.
        if not is_case and deck.path.isprintable() and _would_be_checked(deck, session):
            decks[path] = _named_format(deck)
    default, folders = guess(decks, known, format)
    game = (default or next(iter(folders.values()), bundled[0].id)).partition("/")[0]
    example = next((entry.id for entry in known if entry.id.partition("/")[0] == game), bundled[0].id)
    return Survey(
        tuple(decks),
        default,
        folders,
        example,
        tuple(entry.file.relative_to(folder) for entry in formats),
        tuple(file.relative_to(folder) for file in banlists),
    )


def _would_be_checked(file: DeckFile, session: Session) -> bool:
    """Whether `deckcheck check` on the folder takes the file for a decklist; also if it can't be read."""
    try:
        session.open(file)
    except NotADecklistError:
        return False
    except UserError:
        return True
    return True


def _named_format(deck: DeckFile) -> str | None:
    """The format that a list names; None also for one that can't be read."""
    try:
        return read_header(decode(read_list(deck.path), deck.path)).get("format")
    except UserError:
        return None


def _own_rules(folder: Path) -> tuple[list[FormatEntry], list[Path]]:
    try:
        # A list with a bundled id is an announcement or a copy.
        bundled = set(known_banlists())
        banlists = [entry.file for entry in own_banlists([folder]) if entry.id not in bundled]
        return own_formats([folder]), banlists
    except (UserError, UnicodeError):
        # Far more files than in a repository of decks, or names that aren't text: nothing is guessed.
        return [], []


def _format_folders(formats: Iterable[FormatEntry]) -> Folders:
    return Folders(tuple(sorted({entry.file.parent for entry in formats})))


def _reference(format: str, folder: Path, own: Sequence[FormatEntry], known: Sequence[FormatEntry]) -> str:
    """How the settings should name that format: its id, or the path of its file. Raises UserError for an unknown one."""
    if not format.endswith(ENDINGS):
        id = format_id(format, known)
        if id is None:
            # Raises an error with suggestions.
            format_file(format, folders=_format_folders(own))
        return id or format
    file = Path(format)
    read_bytes(file)
    return file.relative_to(folder).as_posix() if file.is_relative_to(folder) else file.absolute().as_posix()


# Guessing


def format_id(name: str, known: Sequence[FormatEntry]) -> str | None:
    """The id of the only format with that name; None for none or several."""
    wanted = _key(name)
    ids = {entry.id for entry in known if wanted and wanted in map(_key, entry.names)}
    return ids.pop() if len(ids) == 1 else None


def _key(name: str) -> str:
    return re.sub("[/_-]", "", folded(name))


def guess(
    decks: Mapping[PurePath, str | None], known: Sequence[FormatEntry], format: str | None = None
) -> tuple[str | None, dict[str, str]]:
    """The format of most decks (`format` if given) and those of single folders, by the formats that their lists name.

    A folder named after a format is for that format. Any other folder is for the format that the lists directly in it
    name, if those that name one agree.
    """
    folders = sorted({folder for path in decks for folder in path.parents}, key=lambda folder: folder.parts)
    by_lists: dict[PurePath, set[str]] = {folder: set() for folder in folders}
    for path, name in decks.items():
        if name:
            by_lists[path.parent].add(format_id(name, known) or _UNKNOWN)
    formats: dict[PurePath, str | None] = {PurePath(): None}
    mapped: dict[str, str] = {}
    for folder in folders:
        own = format_id(folder.name, known)
        if own is None and len(by_lists[folder]) == 1:
            [named] = by_lists[folder]
            own = None if named == _UNKNOWN else named
        if folder == PurePath():
            formats[folder] = format or own
            continue
        outer = formats[folder.parent]
        formats[folder] = own or outer
        if own is not None and own != outer:
            mapped[folder.as_posix()] = own
    return formats.get(PurePath()) or format, mapped
