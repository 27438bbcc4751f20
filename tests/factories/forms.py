"""CSV exports of a form with players and their lists."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from deckcheck.formats.loading import load_game
from deckcheck.registration.event import Event, read_event
from deckcheck.registration.roster import read_entries
from deckcheck.registration.submissions import Submission
from deckcheck.support.errors import Problem, UserError

GAME = load_game("duel-masters")
HEAD = ("タイムスタンプ", "お名前", "ふりがな", "会員番号", "デッキリスト")
COLUMNS = "{submitted: タイムスタンプ, name: お名前, reading: ふりがな, id: 会員番号, deck: デッキリスト}"
DECK = "4 x 天災 デドダム\n36 x 青銅の鎧"
SENT = "2026/11/27 19:59:03"
NAMES = ("山田花子", "やまだはなこ", "M-4711")
ROW = (SENT, *NAMES, DECK)


def event_at(folder: Path, columns: str = COLUMNS, file: str = "form.csv") -> Event:
    path = folder / "event.yaml"
    path.write_text(
        "event: friday\nname: 金曜杯\ndate: 2026-11-28\nformat: duel-masters/original\n"
        f"entries:\n  - file: {file}\n    columns: {columns}\n",
        encoding="utf-8",
    )
    return read_event(path)


def sheet(*rows: tuple[str, ...], delimiter: str = ",", end: str = "\r\n") -> str:
    told = io.StringIO(newline="")
    csv.writer(told, delimiter=delimiter, lineterminator=end).writerows(rows)
    return told.getvalue()


def read(folder: Path, data: str | bytes, columns: str = COLUMNS, file: str = "form.csv") -> list[Submission]:
    (folder / file).write_bytes(data.encode() if isinstance(data, str) else data)
    return read_entries(event_at(folder, columns, file), GAME).submissions


def mistakes(folder: Path, data: str | bytes, columns: str = COLUMNS) -> tuple[Problem, ...]:
    """What is told of a form that can't be used, in which no player is named."""
    with pytest.raises(UserError) as caught:
        read(folder, data, columns)
    for one in caught.value.problems:
        told = [one.in_("ja"), one.in_("en"), one.excerpt or "", str(caught.value)]
        assert not [name for name in NAMES for text in told if name in text]
    return caught.value.problems
