"""Entries as files in a folder, one a player."""

import os
from collections.abc import Iterator
from datetime import tzinfo
from pathlib import Path

from deckcheck.checking.walk import DeckFile, find_decks
from deckcheck.config.settings import NO_SETTINGS
from deckcheck.decklists.decode import decode
from deckcheck.registration.entries.fields import LARGEST_LIST, TOO_LARGE, said_of, submission
from deckcheck.registration.entries.header import read_player
from deckcheck.registration.model import Submission
from deckcheck.support.errors import UserError, wrong
from deckcheck.support.files import read_bytes
from deckcheck.support.messages import _

MOST_FILES = 20_000
MOST_DEEP = 20


def read_folder(folder: Path, shown: str, zone: tzinfo, own: frozenset[str]) -> Iterator[Submission]:
    """A submission without number for each file below `folder`, in the order of their names.

    Hidden files and those in `own` (absolute paths) don't count. One that is no
    list comes with the problem that says so. `shown` is how the folder is
    named. Raises UserError where it can't be searched or holds too much.
    """
    top = str(folder)
    files = [parts for parts in _files(top, (), shown) if _absolute(top, parts) not in own]
    # Whoever collects lists keeps them out of a repository: .gitignore says nothing here.
    settings = NO_SETTINGS._replace(respect_gitignore=False)
    lists = {one.path for one in find_decks([top], settings=settings) if isinstance(one, DeckFile)}
    inside = os.path.realpath(top)
    for parts in sorted(files):
        path = os.path.join(top, *parts)  # noqa: PTH118 - a path may be no text
        place = "/".join((shown, *parts) if shown != "." else parts)
        place = place.encode("utf-8", "backslashreplace").decode()
        if os.path.islink(path) and not _is_below(os.path.realpath(path), inside):  # noqa: PTH114 - as above
            yield submission(place, said_of({}), None, zone, _LEADS_OUT)
        elif path not in lists:
            yield submission(place, said_of({}), None, zone, _NO_LIST)
        else:
            yield _read(path, place, zone)


def _read(path: str, place: str, zone: tzinfo) -> Submission:
    try:
        data = read_bytes(Path(path), most=LARGEST_LIST)
        text = decode(data, place)
    except UserError as error:
        message = error.problems[0].message
        too_large = _size(path) > LARGEST_LIST
        return submission(place, said_of({}), None, zone, TOO_LARGE if too_large else message)
    ending = os.path.splitext(path)[1].lower()  # noqa: PTH122 - as above
    return submission(place, said_of(read_player(text, ending)), text, zone, None)


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size  # noqa: PTH116 - as above
    except OSError:
        return 0


def _files(folder: str, above: tuple[str, ...], shown: str) -> list[tuple[str, ...]]:
    """The files below a folder that are not hidden, each as the names that lead to it."""
    if len(above) > MOST_DEEP:
        raise wrong(_("folders nested too deeply"), path=shown)
    try:
        with os.scandir(folder) as entries:
            inside = [(one.name, one.path, one.is_dir(follow_symlinks=False)) for one in entries]
    except OSError as error:
        reason = error.strerror or str(error)
        raise wrong(_("can't be read: {reason}", reason=reason), path=shown) from error
    found: list[tuple[str, ...]] = []
    for name, path, is_folder in inside:
        if name.startswith("."):
            continue
        if is_folder:
            found += _files(path, (*above, name), shown)
        else:
            found.append((*above, name))
        if len(found) > MOST_FILES:
            raise wrong(_("too many files (at most {most_files:,})", most_files=MOST_FILES), path=shown)
    return found


def _absolute(top: str, parts: tuple[str, ...]) -> str:
    return os.path.abspath(os.path.join(top, *parts))  # noqa: PTH100, PTH118 - as above


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)


_NO_LIST = _("not the file of a list")
_LEADS_OUT = _("a link that leads out of the folder")
