"""Output that holds names: files for their owner alone to read, and never over what it was made from."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from deckcheck.registration.model import Event, Folder
from deckcheck.support.errors import wrong
from deckcheck.support.files import open_output
from deckcheck.support.messages import _


def write_private(data: bytes, path: str | None) -> None:
    """Write to standard output or, whole and for its owner alone to read, to a file. Raises UserError."""
    if path is None:
        if sys.stdout is None:
            raise wrong(_("standard output is closed"))
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    with suppress(OSError, ValueError):
        Path(path).resolve().parent.mkdir(parents=True, exist_ok=True)
    with open_output(path, private=True) as stream:
        stream.write(data)


def spare(path: str, files: Iterable[Path], folders: Iterable[Path] = ()) -> None:
    """Raises UserError when a file at `path` would take the place of one of the files, or lie in one of the folders."""
    try:
        place = Path(path).resolve()
        mine = any(place == file.resolve() for file in files) or any(
            place.is_relative_to(folder.resolve()) for folder in folders
        )
    except (OSError, ValueError):
        return
    if mine:
        raise wrong(
            _("this is what it is made from, so it won't be written over"),
            path=path,
        )


def spare_event(path: str, event: Event) -> None:
    """Raises UserError when `path` belongs to the event's own files or lists."""
    files = [event.path, event.log, *event.cards, *(one.path for one in event.sources)]
    spare(path, files, [one.path for one in event.sources if isinstance(one, Folder)])
