"""What is in a folder of decks, and the formats that they are meant for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePath
from typing import NamedTuple

from deckcheck.checking.deck_files import DeckFile, NotADecklistError
from deckcheck.checking.session import CheckOptions, Session, read_list
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
from deckcheck.support.errors import UserError
from deckcheck.support.files import read_bytes

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
    session = Session(CheckOptions(folders=_folders_of(formats)))
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


def _folders_of(formats: Iterable[FormatEntry]) -> Folders:
    return Folders(tuple(sorted({entry.file.parent for entry in formats})))


def _reference(format: str, folder: Path, own: Sequence[FormatEntry], known: Sequence[FormatEntry]) -> str:
    """How the settings should name that format: its id, or the path of its file. Raises UserError for an unknown one."""
    if not format.endswith(ENDINGS):
        id = format_id(format, known)
        if id is None:
            # Raises an error with suggestions.
            format_file(format, folders=_folders_of(own))
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

    A folder named after a format is for that format. In any other folder, all lists that name a format must name the
    same one, and the innermost folder that contains all of them gets it.
    """
    folders = sorted({folder for path in decks for folder in path.parents}, key=lambda folder: folder.parts)
    by_name = {folder: format_id(folder.name, known) for folder in folders}
    # For each folder, the formats that lists below it name, each with the folders of these lists.
    named: dict[PurePath, dict[str, list[PurePath]]] = {folder: {} for folder in folders}
    for path, name in decks.items():
        if not name:
            continue
        id = format_id(name, known) or _UNKNOWN
        for folder in path.parents:
            named[folder].setdefault(id, []).append(path.parent)
            if by_name[folder]:
                break

    def agreed(folder: PurePath) -> str | None:
        if len(named[folder]) != 1:
            return None
        [(id, homes)] = named[folder].items()
        innermost = next(
            above
            for above in (homes[0], *homes[0].parents)
            if all(above in (home, *home.parents) for home in homes)
        )
        return id if innermost == folder and id != _UNKNOWN else None

    top = PurePath()
    formats = {top: format or (agreed(top) if folders else None)}
    mapped: dict[str, str] = {}
    for folder in folders[1:]:
        outer, own = formats[folder.parent], by_name[folder] or agreed(folder)
        formats[folder] = own or outer
        if own is not None and own != outer:
            mapped[folder.as_posix()] = own
    return formats[top], mapped
