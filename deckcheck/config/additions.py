"""Adds folders to a settings file, leaving everything else as it was written."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from deckcheck.config.settings import NAME, SHARED_NAME, settings_for, settings_of
from deckcheck.support.documents import as_toml
from deckcheck.support.errors import user_error
from deckcheck.support.files import is_file, open_output, path_from, read_text
from deckcheck.support.messages import _

_SECTION = "tool.deckcheck"
_STRING = r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\''
_TOKEN = re.compile(rf"(?P<string>{_STRING})|(?P<comment>#[^\n]*)|(?P<bracket>[\[\]])", re.DOTALL)


def add_folders(
    folders: Mapping[str, Sequence[Path]], beside: Path, config: str | None = None
) -> Path | None:
    """Add folders under keys ("cards", "banlists") of the settings that apply to `beside`; returns their file.

    Without settings, a deckcheck.toml is written: in the working folder if `beside` is in it, else next to `beside`.
    Returns None if nothing is missing. Raises UserError, with what to write, for a file that can't be changed.
    """
    import tomllib

    found = settings_of(config) if config is not None else settings_for([str(beside / "-")])
    file = Path(found.file) if found.file is not None else _new_file(beside)
    text = read_text(file) if is_file(file) else ""
    section = _SECTION if file.name == SHARED_NAME else ""
    before = _table(tomllib.loads(text), section)
    wanted = dict(before)
    for key, paths in folders.items():
        named = [path_from(file, path) for path in paths]
        # A folder above holds what is below it.
        known = [_normal(name) for name in before.get(key, ())]
        new = [name for name in named if not any(_holds(outer, name) for outer in known)]
        if new:
            wanted[key] = [*before.get(key, ()), *new]
            text = _with_items(text, section, key, new, is_new=key not in before)
    if wanted == before:
        return None
    try:
        is_right = _table(tomllib.loads(text), section) == wanted
    except tomllib.TOMLDecodeError:
        is_right = False
    if not is_right:
        lines = "; ".join(
            f"{key} = {as_toml(wanted[key])}" for key in folders if wanted[key] != before.get(key)
        )
        raise user_error(_("write this into the settings yourself: {lines}", lines=lines), path=str(file))
    with open_output(str(file)) as stream:
        stream.write(text.encode())
    return file


def _new_file(beside: Path) -> Path:
    is_inside = beside.resolve().is_relative_to(Path.cwd())
    return Path(NAME) if is_inside else beside.parent / NAME


def _normal(name: str) -> str:
    return os.path.normpath(name).replace(os.sep, "/")


def _holds(outer: str, name: str) -> bool:
    return outer == "." or name == outer or name.startswith(f"{outer}/")


def _table(data: Mapping[str, Any], section: str) -> Mapping[str, Any]:
    for key in filter(None, section.split(".")):
        data = data.get(key, {})
    return data


def _with_items(text: str, section: str, key: str, items: Sequence[str], *, is_new: bool) -> str:
    """The text with more items in the list under a key of a section, or with the key."""
    begin, end = _stretch(text, section)
    if is_new:
        line = f"{key} = {as_toml(list(items))}\n"
        shown = re.compile(rf"(?m)^#[ \t]*{key}[ \t]*=[^\n]*\n").search(text, begin, end)
        if shown is not None:
            # The example that `deckcheck init` wrote.
            return text[: shown.start()] + line + text[shown.end() :]
        before = text[:end].rstrip("\n")
        gap = "" if not before else "\n"
        return f"{before}{gap}{line}" + ("\n" + text[end:] if text[end:] else "")
    start = re.compile(rf"(?m)^[ \t]*{key}[ \t]*=").search(text, begin, end)
    close = _close(text, start.end()) if start is not None else None
    if start is None or close is None:
        return text
    # As long as the text, so that places in it are places in the text.
    bare = _TOKEN.sub(lambda hit: " " * len(hit[0]) if hit["comment"] else hit[0], text[:close])
    last = len(bare.rstrip())
    comma = "" if bare[last - 1] in ",[" else ","
    added = ", ".join(map(as_toml, items))
    if "\n" not in text[start.end() : close]:
        return text[:close] + f"{comma}{' ' if comma else ''}{added}" + text[close:]
    # On a line of their own below the last item and its comments.
    return text[:last] + comma + text[last:close].rstrip() + f"\n  {added},\n" + text[close:]


def _stretch(text: str, section: str) -> tuple[int, int]:
    """The range of the keys of a section; those of the whole file are before its first table."""
    begin = 0
    if section:
        head = re.compile(rf"(?m)^[ \t]*\[[ \t]*{re.escape(section)}[ \t]*\][^\n]*(?:\n|\Z)").search(text)
        begin = head.end() if head is not None else len(text)
    table = re.compile(r"(?m)^[ \t]*\[").search(text, begin)
    while table is not None and _depth(text, begin, table.start()):
        # It is inside a list.
        table = re.compile(r"(?m)^[ \t]*\[").search(text, table.end())
    return begin, table.start() if table is not None else len(text)


def _depth(text: str, begin: int, end: int) -> int:
    return sum(
        {"[": 1, "]": -1}[hit["bracket"]] for hit in _TOKEN.finditer(text, begin, end) if hit["bracket"]
    )


def _close(text: str, at: int) -> int | None:
    """The end of the list that begins after `at`."""
    depth = 0
    for hit in _TOKEN.finditer(text, at):
        depth += {"[": 1, "]": -1, None: 0}[hit["bracket"]]
        if hit["bracket"] == "]" and depth == 0:
            return hit.start()
    return None
