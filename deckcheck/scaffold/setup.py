"""`deckcheck init` step by step: which files a folder needs, and what becomes of each."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from deckcheck.checking.session import CheckOptions, Session
from deckcheck.checking.walk import DeckFile
from deckcheck.formats.lookup import Folders, bundled_formats, format_file
from deckcheck.scaffold import contents
from deckcheck.scaffold.survey import Guess, Known, OwnFormat, Parts, Survey, called, guess, known_formats
from deckcheck.support.errors import UserError
from deckcheck.support.files import cannot_write, is_file, read_bytes, shipped, write_new
from deckcheck.support.messages import Words, _, n_, series

SETTINGS = "deckcheck.toml"
_MOST_LISTED = 20
"""A folder with a thousand folders is not read out."""


class InitOptions(NamedTuple):
    """What to write, and with what in it."""

    requirement: str
    """What pip installs deckcheck by."""
    format: str | None = None
    pre_commit: bool = True
    github: bool = True
    gitlab: bool = False
    lang: str = "en"


class Step(NamedTuple):
    """What became of one file."""

    path: str
    written: bool
    notes: tuple[Words, ...] = ()
    """Sentences about it."""
    add: str | None = None
    """Text for the user to put into it."""


def set_up(folder: Path, found: Survey, options: InitOptions) -> Iterator[Step]:
    """Write what is asked for into `folder`, in which `found` was found, and report each file.

    Raises UserError for what can't be asked for, before anything is written,
    and for a file that can't be written.
    """
    contents.require_requirement(options.requirement)
    known = known_formats(bundled_formats(), found.formats)
    if options.format is not None:
        options = options._replace(format=_reference(options.format, folder, found.formats, known))
    top = _repository_above(folder)
    if top is not None:
        # Nobody looks for these anywhere else than at the top.
        options = options._replace(pre_commit=False, github=False, gitlab=False)
    if _has_settings(folder):
        yield Step(
            "pyproject.toml",
            False,
            (_("[tool.deckcheck] holds the settings, so no deckcheck.toml is written"),),
        )
    else:
        guessed = guess(found.decks, known, options.format)
        text = contents.settings(guessed, found, options.lang, _example_format(guessed, known))
        step = _write(folder, SETTINGS, text, *_findings(guessed, found))
        yield step
        if step.written and not found.decks:
            yield from _with_example(folder, options.format)
    yield from _pipelines(folder, found, options)
    if top is not None:
        message = _(
            "the repository begins at {top}: run deckcheck init there for the hook and the workflow", top=top
        )
        yield Step(str(folder), False, (message,))


def _write(folder: Path, name: str, content: str | bytes, *notes: Words) -> Step:
    """Write a file that is not there yet; the notes are for a file that was written."""
    file = folder / name
    try:
        written = write_new(file, content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise cannot_write(file, error) from error
    return Step(name, written, notes if written else ())


def _with_example(folder: Path, format: str | None) -> Iterator[Step]:
    """A bundled deck that is legal in the format that it names; in `format`, where one is asked for."""
    session = Session(CheckOptions())
    for file in sorted(shipped("examples").iterdir()):
        try:
            report = session.open(DeckFile(str(file))).check()
        except UserError:
            continue
        if report.verdict == "legal" and format in (None, report.format):
            note = _("an example; replace it with your own decks")
            yield _write(folder, f"decks/{file.name}", read_bytes(file), note)
            return


def _pipelines(folder: Path, found: Survey, options: InitOptions) -> Iterator[Step]:
    own = [format for format in found.formats if not format.named.abstract]
    # One without cases would fail from the first day on.
    tested = bool(own) and all(format.cases for format in own)
    if options.pre_commit:
        text = contents.pre_commit(options.requirement, options.lang, formats=tested)
        note = _("checks the decks in each commit, once you run `pre-commit install`")
        hook = contents.pre_commit_hook(text)
        yield _add(folder, ".pre-commit-config.yaml", text, note, hook, _('add this below "repos:"'))
    if options.github:
        text = contents.workflow(options.requirement, options.lang, formats=tested)
        note = _("checks all decks at every push and pull request on GitHub")
        yield _write(folder, ".github/workflows/deckcheck.yml", text, note)
    if options.gitlab:
        text = contents.gitlab(options.requirement, options.lang, formats=tested)
        note = _("checks all decks in every pipeline on GitLab")
        yield _add(folder, ".gitlab-ci.yml", text, note, text, _("add this"))


def _add(folder: Path, name: str, text: str, note: Words, add: str, to_add: Words) -> Step:
    """As `_write`, for a file that others write into, too: where it is there without us, what to add is shown."""
    step = _write(folder, name, text, note)
    try:
        data = read_bytes(folder / name) if is_file(folder / name) else b"deckcheck"
        lacking = not re.search(rb"(?m)^[^#\n]*\bdeckcheck\b", data)
    except UserError:
        lacking = True
    return step._replace(notes=(to_add,), add=add) if lacking and not step.written else step


def _example_format(guessed: Guess, known: Sequence[Known]) -> str:
    """The format to name in comments: of the game that the decks are of, else of the first there is."""
    meant = guessed.format or next((folder.format for folder in guessed.folders), None)
    bundled = [format.id for format in known if format.file is None]
    game = (meant or bundled[0]).partition("/")[0]
    return next((id for id in reversed(bundled) if id.partition("/")[0] == game), bundled[0])


def _reference(format: str, folder: Path, own: Sequence[OwnFormat], known: Sequence[Known]) -> str:
    """How the settings are to name the format that was asked for. Raises UserError where there is none."""
    if not format.endswith((".yaml", ".yml")):
        named = called(format, known)
        if named is None:
            # Which says what was meant.
            format_file(format, folders=Folders(tuple(folder.joinpath(*one.parts[:-1]) for one in own)))
        return named or format
    file = Path(format)
    read_bytes(file)
    inside = {folder.joinpath(*one.parts).resolve(): one.named.id for one in own}
    return inside.get(file.resolve()) or Path(os.path.relpath(file, folder)).as_posix()


def _has_settings(folder: Path) -> bool:
    """Whether the folder's pyproject.toml holds the settings; a deckcheck.toml would hide them."""
    import tomllib

    file = folder / "pyproject.toml"
    if not is_file(file):
        return False
    try:
        tool = tomllib.loads(read_bytes(file).decode()).get("tool")
    except (UserError, ValueError):
        return False
    return isinstance(tool, dict) and "deckcheck" in tool


def _repository_above(folder: Path) -> Path | None:
    """The top of the repository in which a folder lies below the top; None for a top, or outside of any."""
    whole = folder.resolve()
    top = next((place for place in (whole, *whole.parents) if os.path.lexists(place / ".git")), None)
    return None if top == whole else top


# What is reported of the settings


def _findings(guessed: Guess, found: Survey) -> Iterator[Words]:
    yield n_("{n} deck found", "{n} decks found", len(found.decks))
    for mapped in guessed.folders[:_MOST_LISTED]:
        folder, format = "/".join(mapped.parts), mapped.format
        if mapped.by_name:
            yield _("{folder}/: {format} (by the folder's name)", folder=folder, format=format)
        else:
            yield _("{folder}/: {format} (as its decks say)", folder=folder, format=format)
    more = len(guessed.folders) - _MOST_LISTED
    if more > 0:
        yield n_("and {n} more folder", "and {n} more folders", more)
    if guessed.format is not None:
        yield _("other decks: {format}", format=guessed.format)
    if guessed.open:
        yield n_(
            "{n} of them names no format: set format in {file}",
            "{n} of them name no format: set format in {file}",
            guessed.open,
            file=SETTINGS,
        )
    if found.formats:
        yield _("formats of your own: {files}", files=_listed([format.parts for format in found.formats]))
    if found.banlists:
        yield _("banlists of your own: {files}", files=_listed(found.banlists))
    if found.no_decks:
        yield _("excluded because they contain no known card: {files}", files=_listed(found.no_decks))


def _listed(files: Sequence[Parts]) -> Words:
    names = series("/".join(parts) for parts in files[:_MOST_LISTED])
    more = len(files) - _MOST_LISTED
    return _("{names} … (+{more})", names=names, more=more) if more > 0 else names
