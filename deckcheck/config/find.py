"""Which settings hold for some paths: those of the nearest file above all of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from deckcheck.config.settings import NO_SETTINGS, Settings
from deckcheck.support.errors import wrong
from deckcheck.support.messages import _

NAME = "deckcheck.toml"
SHARED_NAME = "pyproject.toml"
_WORD = b"deckcheck"
_MOST_LOOKED_AT = 1024 * 1024


def settings_of(file: str) -> Settings:
    """The settings in that file. Raises UserError with every mistake, and for a file that says nothing of deckcheck."""
    from deckcheck.config.load import load_settings

    found = load_settings(Path(file))
    if found is None:
        raise wrong(_("there is no [tool.deckcheck]"), path=file)
    return found


def settings_for(paths: Sequence[str]) -> Settings:
    """The settings of the nearest file above all of `paths`, or of the working folder where there are none.

    Raises UserError with every mistake in the file.
    """
    for file in _candidates(paths):
        from deckcheck.config.load import load_settings

        found = load_settings(Path(file))
        if found is not None:
            return found
    return NO_SETTINGS


def nearest_file(paths: Sequence[str]) -> str | None:
    """The file whose settings hold for `paths`, as far as that can be told without reading it."""
    return next(_candidates(paths), None)


def _candidates(paths: Sequence[str]) -> Iterator[str]:
    """The files that may hold settings, the nearest first: a folder's deckcheck.toml comes before its pyproject.toml.

    A pyproject.toml counts only with a table [tool.deckcheck].
    """
    for folder in folders_above(_common_folder(paths)):
        own = os.path.join(folder, NAME)
        if os.path.isfile(own):
            yield _shown(own)
            continue
        shared = os.path.join(folder, SHARED_NAME)
        if _names_us(shared):
            yield _shown(shared)


def _common_folder(paths: Sequence[str]) -> str:
    folders = []
    for path in paths:
        try:
            # Links stay as they were named.
            whole = os.path.abspath(path)
            folders.append(whole if os.path.isdir(whole) else os.path.dirname(whole))
        except ValueError:
            # A name that no file can have is told of later.
            continue
    try:
        return os.path.commonpath(folders) if folders else os.getcwd()
    except ValueError:
        # On several drives.
        return folders[0]


def folders_above(folder: str) -> Iterator[str]:
    """The folder itself, then each one that holds it."""
    while True:
        yield folder
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above


def _shown(path: str) -> str:
    """How people at work here would write the path: from the working folder, where it lies in it or above it."""
    here = os.getcwd()
    folder = os.path.dirname(path)
    try:
        if os.path.commonpath([here, path]) in (here, folder):
            return os.path.relpath(path, here)
    except ValueError:
        pass
    return path


def _names_us(file: str) -> bool:
    """Whether a pyproject.toml may hold a table of ours; most don't and need not be parsed."""
    try:
        with open(file, "rb") as opened:
            return _WORD in opened.read(_MOST_LOOKED_AT)
    except (OSError, ValueError):
        return False
