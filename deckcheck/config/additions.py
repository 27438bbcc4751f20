"""Folders that settings should name: written into a new file, or what to add to one that is there."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import NamedTuple

from deckcheck.config.settings import NAME, SECTION, SHARED_NAME, settings_for, settings_of
from deckcheck.support.documents import as_toml, load_toml
from deckcheck.support.files import open_output, path_from, real_path


class Addition(NamedTuple):
    """Lines for a settings file, which were `written` if there was none; otherwise the user adds them."""

    file: Path
    lines: tuple[str, ...]
    written: bool


def add_folders(
    folders: Mapping[str, Sequence[Path]], beside: Path, config: str | None = None
) -> Addition | None:
    """What the settings that apply to `beside` need to name folders under keys ("cards", "banlists"); None for nothing.

    Without settings, a deckcheck.toml is written: in the working folder if `beside` is in it, else next to `beside`.
    Raises UserError for settings that can't be read, and if the file can't be written.
    """
    settings = settings_of(config) if config is not None else settings_for([str(beside / "-")])
    if settings.file is not None:
        file = Path(settings.file)
        document = load_toml(file).section(SECTION if file.name == SHARED_NAME else ())
        before = {} if document is None else document.data
    else:
        inside = real_path(beside).is_relative_to(real_path("."))
        file, before = (Path(NAME) if inside else beside.parent / NAME), {}
    lines = []
    for key, paths in folders.items():
        named = before.get(key, [])
        known = [os.path.normpath(name) for name in named]
        missing = [
            name
            for name in (path_from(file, path) for path in paths)
            # A folder above holds what is below it.
            if not any(PurePath(name).is_relative_to(outer) for outer in known)
        ]
        if missing:
            lines.append(f"{key} = {as_toml([*named, *missing])}")
    if not lines:
        return None
    if settings.file is None:
        with open_output(str(file)) as stream:
            stream.write("".join(f"{line}\n" for line in lines).encode())
    return Addition(file, tuple(lines), settings.file is None)
