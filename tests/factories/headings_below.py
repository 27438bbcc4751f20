"""Lists with headings and sums below their cards, for the tests of how they are read and written."""

from __future__ import annotations

from collections import Counter
from functools import cache

from hypothesis import strategies as st

from deckcheck.checking.judge import LoadedFormat, load_format
from deckcheck.model.deck import Deck

OFFICIAL = """\
4 《稲妻》
4 《選択》
-呪文(8)-

22 《山》
-土地(22)-
{main}
11 《沼》
-サイドボード(11)-
"""
MAIN = "\n-メイン(30)-\n"
READ = {"main": {"Lightning Bolt": 4, "Opt": 4, "Mountain": 22}, "side": {"Swamp": 11}}
A, B, C, D = "天災 デドダム", "アクア・ガード", "斬隠オロチ", "フェアリー・ライフ"


@cache
def limited() -> LoadedFormat:
    return load_format("magic/limited")


def zones(deck: Deck) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    for entry in deck.entries:
        name = entry.cards[0].name if entry.cards else entry.written
        found.setdefault(entry.zone, Counter())[name] += entry.copies
    return found


HEADINGS = {"main": "メイン", "side": "サイドボード", "hyperspatial": "超次元", "gr": "超GR"}
LABELS = ["クリーチャー", "呪文", "水", "光文明", "進化クリーチャー", "コスト3"]
ROWS = st.lists(st.tuples(st.integers(1, 4), st.sampled_from([A, B, C, D])), min_size=1, max_size=3)
PARTS = st.lists(st.tuples(st.sampled_from(LABELS), ROWS), min_size=1, max_size=3)
SECTIONS = st.dictionaries(st.sampled_from(list(HEADINGS)), PARTS, min_size=1, max_size=4)
Sections = dict[str, list[tuple[str, list[tuple[int, str]]]]]


def copies(rows: list[tuple[int, str]]) -> int:
    return sum(number for number, _ in rows)


def wanted(sections: Sections) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    for zone, parts in sections.items():
        for number, name in (row for _, rows in parts for row in rows):
            found[zone, name] += number
    return found


def laid(sections: Sections, *, below: bool, off: int | None = None) -> str:
    """The list with headings above or below their cards; the sum of that place is too high by one."""
    lines: list[str] = []
    sums = 0

    def mark(word: str, total: int) -> str:
        nonlocal sums
        sums += 1
        return f"-{word}（{total + (sums - 1 == off)}枚）-"

    for zone, parts in sections.items():
        heading = mark(HEADINGS[zone], sum(copies(rows) for _, rows in parts))
        inner: list[str] = []
        for label, rows in parts:
            said, listed = mark(label, copies(rows)), [f"{number} {name}" for number, name in rows]
            inner += [*listed, said, ""] if below else [said, *listed, ""]
        lines += [*inner, heading, ""] if below else [heading, *inner]
    return "\n".join(lines)
