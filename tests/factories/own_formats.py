"""Formats and banlists of one's own, in the working folder."""

from __future__ import annotations

import os
from pathlib import Path

from deckcheck.checking.judge import LoadedFormat, check
from deckcheck.formats.loading import load_format
from deckcheck.formats.lookup import Folders
from factories.garden_game import GARDEN, ROSE, deck_of, opened, table_of

TEXT = (
    "format: {id}\nname: {{ja: 庭の{name}, en: {name}}}\naliases: [{alias}]\n"
    "zones: {{main: {{}}, leader: {{}}, side: {{}}}}\nrules: [{{id: most, at_most: {most}}}]\n"
)
BANNED = "banlist: {id}\nname: L\ncards: [{{card: {card}, history: [{{from: 2000-01-01, status: out}}]}}]\n"


def put(name: str, content: str) -> Path:
    file = Path(name)
    file.parent.mkdir(parents=True, exist_ok=True)
    before = file.stat().st_mtime_ns if file.exists() else 0
    file.write_text(content, encoding="utf-8")
    # Another time, even where two writes fall into one tick of the clock.
    os.utime(file, ns=(before + 10**9, before + 10**9))
    return file


def own(name: str, id: str, *, most: int = 9, alias: str = "nick", title: str = "Bed") -> Path:
    return put(name, TEXT.format(id=id, most=most, alias=alias, name=title))


def most(reference: str, folders: Folders) -> int:
    """How many cards a format of the garden allows."""
    loaded = LoadedFormat(load_format(reference, opened(), folders), table_of(GARDEN))
    return next(
        number - 1
        for number in range(1, 99)
        if check(deck_of((ROSE, number)), loaded, as_of="2020-01-01").findings
    )


FORMATS = Folders((Path("formats"),), ())
