"""Small lists that ask not to be told of something, judged, and what is told of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from deckcheck.checking.judge import LoadedFormat, check, load_format
from deckcheck.model.finding import Report

FORMAT = Path(__file__).parent.parent / "fixtures" / "format.yaml"
A, B, LIMITED, NOBODY = "天災 デドダム", "青銅の鎧", "ボルメテウス・ホワイト・ドラゴン", "誰も知らないカード"
DAY = "2024-01-20"


@cache
def format() -> LoadedFormat:
    """The small format of the fixtures."""
    return load_format(FORMAT)


def judged(text: str, path: str = "deck.txt") -> Report:
    """The report of a list by that format."""
    return check(text, format(), as_of=DAY, path=path)


def told(report: Report) -> list[str]:
    """The findings as "rule line"."""
    return [f"{one.rule} {one.line}" for one in report.findings]


def left_out(report: Report) -> list[str]:
    """What was left out as "rule by line reason"; the line is that of the asking."""
    return [
        f"{one.finding.rule} {one.by} {one.source.line} {one.reason}".rstrip() for one in report.suppressed
    ]
