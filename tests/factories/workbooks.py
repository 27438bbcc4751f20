"""Workbooks with players and their lists, well made or tampered with."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

from deckcheck.registration.submissions import Submission
from deckcheck.support.errors import Problem, UserError
from factories import forms

HEAD = ("タイムスタンプ", "お名前", "会員番号", "デッキリスト")
COLUMNS = "{submitted: タイムスタンプ, name: お名前, id: 会員番号, deck: デッキリスト}"
DECK = forms.DECK
SENT = datetime(2026, 11, 27, 19, 59, 3)
NAME = forms.NAMES[0]
ROW = (SENT, NAME, 12, DECK)
SHEET = "xl/worksheets/sheet1.xml"


def book(rows: Iterable[Sequence[Any]], change: Callable[[Any], object] | None = None) -> bytes:
    made = Workbook()
    for row in rows:
        made.active.append(row)
    if change is not None:
        change(made.active)
    return saved(made)


def saved(made: Workbook) -> bytes:
    told = io.BytesIO()
    made.save(told)
    return told.getvalue()


@cache
def plain() -> bytes:
    return book([HEAD, ROW])


def repacked(
    data: bytes, change: Callable[[str, bytes], bytes], more: dict[str, bytes] | None = None
) -> bytes:
    """A workbook with its members changed, and more of them."""
    told = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(told, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, change(name, old.read(name)))
        for name, content in (more or {}).items():
            new.writestr(name, content)
    return told.getvalue()


def with_sheet(xml: str) -> bytes:
    """A workbook whose sheet is this."""
    return repacked(plain(), lambda name, old: xml.encode() if name == SHEET else old)


def read(folder: Path, data: bytes, more: str = "", file: str = "form.xlsx") -> list[Submission]:
    return forms.read(folder, data, f"{COLUMNS}\n{more}", file)


def mistake(folder: Path, data: bytes, more: str = "") -> Problem:
    """What is told of a workbook that can't be used, in which no player is named."""
    with pytest.raises(UserError) as caught:
        read(folder, data, more)
    [problem] = caught.value.problems
    assert NAME not in problem.in_("ja") + problem.in_("en") + str(problem.excerpt) + str(caught.value)
    return problem


def with_rows(*rows: str, above: str = "", dimension: str = "") -> bytes:
    """A workbook with the usual head, these rows, and what stands above them."""
    head = "".join(
        f'<c r="{column}1" t="inlineStr"><is><t>{text}</t></is></c>'
        for column, text in zip("ABCD", HEAD, strict=True)
    )
    return with_sheet(
        f'<?xml version="1.0"?>{above}'
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        f'{dimension}<sheetData><row r="1">{head}</row>{"".join(rows)}</sheetData></worksheet>'
    )
