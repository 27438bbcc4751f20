"""Which settings hold for some paths: those of the nearest file above all of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from deckcheck.config.settings import NO_SETTINGS, Settings
from deckcheck.support.errors import user_error
from deckcheck.support.files import working_folder
from deckcheck.support.messages import _

NAME = "deckcheck.toml"
SHARED_NAME = "pyproject.toml"
_MOST_LOOKED_AT = 1024 * 1024


def settings_of(file: str) -> Settings:
    """The settings in that file. Raises UserError with every mistake, and for a file that says nothing of deckcheck."""
    found = _load(file)
    if found is None:
        raise user_error(_("there is no [tool.deckcheck]"), path=file)
    return found


def settings_for(paths: Sequence[str]) -> Settings:
    """The settings of the nearest file above all of `paths`, or of the working folder where there are none.

    Raises UserError with every mistake in the file.
    """
    return next(filter(None, map(_load, _candidates(paths))), NO_SETTINGS)


def nearest_file(paths: Sequence[str]) -> str | None:
    """The file whose settings hold for `paths`, as far as that shows without reading it."""
    return next(_candidates(paths), None)


def folders_above(folder: str) -> Iterator[str]:
    """The folder itself, then each one that holds it."""
    while True:
        yield folder
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above


def _load(file: str) -> Settings | None:
    from deckcheck.config.settingsfile import load_settings

    return load_settings(Path(file))


def _candidates(paths: Sequence[str]) -> Iterator[str]:
    """The files that may hold settings, the nearest first: a folder's deckcheck.toml comes before its pyproject.toml.

    A pyproject.toml counts only with a table [tool.deckcheck].
    """
    here = working_folder()
    for folder in folders_above(_common_folder(paths, here)):
        own, shared = os.path.join(folder, NAME), os.path.join(folder, SHARED_NAME)
        if os.path.isfile(own):
            yield _shown(own, here)
        elif _names_us(shared):
            yield _shown(shared, here)


def _common_folder(paths: Sequence[str], here: str) -> str:
    folders = []
    for path in paths:
        try:
            # Links stay as they were named.
            whole = os.path.abspath(path)
            folders.append(whole if os.path.isdir(whole) else os.path.dirname(whole))
        except ValueError:
            # A name that no file can have is reported later.
            continue
    try:
        return os.path.commonpath(folders) if folders else here
    except ValueError:
        # On several drives.
        return folders[0]


def _shown(path: str, here: str) -> str:
    """How people at work here would write the path: from the working folder, where it lies in it or above it."""
    try:
        if os.path.commonpath([here, path]) in (here, os.path.dirname(path)):
            return os.path.relpath(path, here)
    except ValueError:
        pass
    return path


def _names_us(file: str) -> bool:
    """Whether a pyproject.toml may hold a table of ours; most don't and need not be parsed."""
    try:
        with open(file, "rb") as opened:
            return b"deckcheck" in opened.read(_MOST_LOOKED_AT)
    except (OSError, ValueError):
        return False
