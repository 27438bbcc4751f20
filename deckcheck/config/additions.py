"""Adds folders to a settings file, leaving everything else as it was written."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any

from deckcheck.config.settings import NAME, SECTION, SHARED_NAME, settings_for, settings_of
from deckcheck.support.documents import as_toml
from deckcheck.support.errors import user_error
from deckcheck.support.files import is_file, open_output, path_from, read_text, real_path
from deckcheck.support.messages import _

_STRING = r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\''
_COMMENT = r"#[^\n]*"
_ITEM = rf"(?:{_STRING}|{_COMMENT}|[^][#\"'])"
_LIST = rf"\[(?P<items>(?:{_ITEM}|\[{_ITEM}*+\])*+)\]"
_TOKEN = re.compile(rf"{_STRING}|(?P<comment>{_COMMENT})", re.DOTALL)
_SPAN = re.compile(rf"{_STRING}|{_COMMENT}|=[ \t]*{_LIST}|(?P<table>^[ \t]*\[)", re.DOTALL | re.MULTILINE)


def add_folders(
    folders: Mapping[str, Sequence[Path]], beside: Path, config: str | None = None
) -> Path | None:
    """Add folders under keys ("cards", "banlists") of the settings that apply to `beside`; returns their file.

    Without settings, a deckcheck.toml is written: in the working folder if `beside` is in it, else next to `beside`.
    Returns None if nothing is missing. Raises UserError, with what to write, for a file that can't be changed.
    """
    import tomllib

    found = settings_of(config) if config is not None else settings_for([str(beside / "-")])
    if found.file is not None:
        file = Path(found.file)
    else:
        file = Path(NAME) if real_path(beside).is_relative_to(Path.cwd()) else beside.parent / NAME
    text = read_text(file) if is_file(file) else ""
    section = SECTION if file.name == SHARED_NAME else ()
    before = _table(tomllib.loads(text), section)
    wanted = dict(before)
    for key, paths in folders.items():
        known = [os.path.normpath(name) for name in before.get(key, ())]
        # A folder above holds what is below it.
        new = [
            name
            for name in (path_from(file, path) for path in paths)
            if not any(PurePath(name).is_relative_to(outer) for outer in known)
        ]
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


def _table(data: Mapping[str, Any], section: Sequence[str]) -> Mapping[str, Any]:
    for key in section:
        data = data.get(key, {})
    return data


def _with_items(text: str, section: Sequence[str], key: str, items: Sequence[str], *, is_new: bool) -> str:
    """The text with more items in the list under a key of a section, or with the key; unchanged if it isn't found."""
    begin, end = _range_of(text, section)
    if is_new:
        line = f"{key} = {as_toml(list(items))}\n"
        shown = re.compile(rf"(?m)^#[ \t]*{key}[ \t]*=[^\n]*\n").search(text, begin, end)
        if shown is not None:
            # The example that `deckcheck init` wrote.
            return text[: shown.start()] + line + text[shown.end() :]
        before = text[:end].rstrip("\n")
        gap = "" if not before else "\n"
        return f"{before}{gap}{line}" + ("\n" + text[end:] if text[end:] else "")
    found = re.compile(rf"(?ms)^[ \t]*{key}[ \t]*=[ \t]*{_LIST}").search(text, begin, end)
    if found is None:
        return text
    # As long as the text, so that places in it are places in the text.
    bare = _TOKEN.sub(lambda hit: " " * len(hit[0]) if hit["comment"] else hit[0], found["items"]).rstrip()
    comma = "," if bare and not bare.endswith(",") else ""
    last, close = found.start("items") + len(bare), found.end("items")
    added = ", ".join(map(as_toml, items))
    if "\n" not in found["items"]:
        return text[:close] + f"{comma}{' ' if comma else ''}{added}" + text[close:]
    # On a line of their own below the last item and its comments.
    return text[:last] + comma + text[last:close].rstrip() + f"\n  {added},\n" + text[close:]


def _range_of(text: str, section: Sequence[str]) -> tuple[int, int]:
    """The range of the keys of a section; those of the whole file are before its first table."""
    begin = 0
    if section:
        name = re.escape(".".join(section))
        head = re.compile(rf"(?m)^[ \t]*\[[ \t]*{name}[ \t]*\][^\n]*(?:\n|\Z)").search(text)
        begin = head.end() if head is not None else len(text)
    tables = (hit.start() for hit in _SPAN.finditer(text, begin) if hit["table"])
    return begin, next(tables, len(text))
