"""Whatever a text holds, it is read in time: a hundred kilobytes in about a second, on one line or on thousands."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from functools import cache
from types import FrameType

import pytest
from factories.examples import amount, within

from deckcheck import UserError, check, load_format
from deckcheck.checking.judge import GameData, LoadedFormat
from deckcheck.decklists.read import ListReader

SIZE = amount(100_000, 4_000)
LINES = amount(4900, 240)
MOST_SECONDS = amount(8, 2)
"""Of processor time, on a machine that is slow and busy; what isn't bounded takes minutes."""

CARD = "ボルシャック・ドラゴン"
CARD_IN_XML = '<Cards Quantity="1" Name="Nobody"/>'
PIECES = [
    "(", "((1))", "[", "[[a]]", "<", "{a:", "《", f"《{CARD}", "「", "【", "・", "■", "* ",
    "- - - ", "※", "←", "#", "//", "/", "／", "→", ";", ",", "、", "|", "|a|b", "\t", "  ", "4",
    "1 ", "1,", "①", "枚", "4枚", "40枚 ", "x", "x4", "4x ", "(4)", "[4]", "1-2 ", "1/2 ", "1. ",
    "(1", "(ABC) ", "4 x (ABC) 12 ", "[ABC:12] ", "ab-12 ", "100円 ", "¥100 ", "12:30 ", "〃", "~~",
    "*F* ", "^a^", "メイン", "サイド: ", "殿堂", "クリーチャー ", "20種 ", CARD, f"{CARD} ",
    f"{CARD}/", f"{CARD}×4 ", CARD[:4], "!", "#!a", "# !a ", "11/23 ", "1,20 €", "●", "‥", "_",
    "約", "各4", "<!-- ", "/* ", "[a](http://a) ", "A", "Z ", "\ufe0f", "ﾎﾞ", "a: ", "'a',", "<s>",
    "<!--", "http://a ", "No.1 ", "</p>", "<p>a", "</td> ", "<p class=a ",
]  # fmt: skip
WHOLE = {
    "lone numbers": "4\n" * LINES,
    "totals": "".join(f"合計 {number}枚\n" for number in range(LINES)),
    "headings": "".join(f"【見出し{number}】 40枚\n" for number in range(LINES)),
    "a bullet, dots and a count": f"- - - {CARD}4\n" + "- - - …4\n" * LINES,
    "misspelt names, six a line": "".join(
        f"4 x {'・'.join(f'{CARD[:5]}ヌ{CARD[6:]}{n}' for n in range(6))}\n" for _ in range(LINES // 12)
    ),
    "misspelt names": "".join(f"4 x {CARD[:5]}ヌ{number}{CARD[6:]}\n" for number in range(LINES // 2)),
    "names without a card and their counts": "".join(
        f"みすすぺる{number}\n×4\n" for number in range(LINES // 2)
    ),
    "tags": "".join(
        f"1 {CARD} {tags} x\n"
        for tags in ("#" + "!" * 1900, "#!a" * 600, "# " + "!a " * 600) * (LINES // 240)
    ),
    "marks": f"{CARD} {'●' * 1900}a\n{CARD} {'|' * 1900}a\n" * (LINES // 240),
    "remarks below a whole deck": "".join(f"10 x {CARD}\n" * 4)
    + "".join(f"{CARD[:5]}ヌ{CARD[6:]}{'あ' * (number % 40)}\n" for number in range(LINES // 2)),
    "slots": "".join(f"{number} {CARD}\n" for number in range(1, LINES // 2)),
    "a huge cell": f'name,count\n"{CARD * 2500}",4\n',
    "many cells": "name,count\n" + "x," * 50_000,
    "quotes in a cell": "name,count\n" + '""' * 50_000,
    "JSON, deep": "[" * 50_000 + "]" * 50_000,
    "JSON, a huge name": f'[{{"name": "{CARD * 2500}", "count": 4}}]',
    "YAML, deep": "cards:\n" + "".join(f"{' ' * depth}a:\n" for depth in range(400)),
    "YAML, aliases": "cards:\n- &a [x, x]\n" + "".join(f"- &a{n} [*a, *a]\n" for n in range(5000)),
    "XML, deep": "<a>" * 30_000,
    "XML, many cards": f"<Deck>{CARD_IN_XML * LINES}</Deck>",
}


def texts() -> Iterator[tuple[str, str]]:
    for piece in PIECES[:: amount(1, 2)]:
        yield f"one line of {piece!r}", piece * (SIZE // len(piece.encode()))
        line = piece * (1990 // len(piece))
        yield f"long lines of {piece!r}", f"{line}\n" * (SIZE // len(line.encode()))
        yield f"short lines of {piece!r}", f"{piece}\n" * LINES
    yield from WHOLE.items()


@pytest.fixture(scope="module")
def format() -> LoadedFormat:
    return load_format("duel-masters/original")


@pytest.mark.parametrize("text", [pytest.param(text, id=label) for label, text in texts()])
def test_no_text_takes_long(format: LoadedFormat, text: str) -> None:
    with within(MOST_SECONDS), contextlib.suppress(UserError):
        check(text, format, as_of="2026-01-01")


def _words(number: int) -> str:
    """A word that is no card's name, another one for each number."""
    return "".join("アカサタナハマヤラワ"[int(digit)] for digit in f"{number * 7919:08}")


GROWING = {
    "short lines": lambda size: "\n".join(f"{at % 4 + 1} x {CARD}" for at in range(size)),
    "odd lines": lambda size: "\n".join(f"{CARD} {at % 7} {at % 5}" for at in range(size)),
    "unknown names": lambda size: "\n".join(f"4 x {_words(at)}" for at in range(size)),
    "unknown words": lambda size: "\n".join(map(_words, range(size))),
    "unknown headings": lambda size: "\n".join(f"{_words(at)}:\n4 x {CARD}" for at in range(size // 2)),
    "sums": lambda size: "\n".join(f"4 x {CARD}\n合計 {at}" for at in range(size // 2)),
    "long lines": lambda size: "\n".join(["4 x " + _words(7) * 20 + " 4"] * (size // 20)),
    "one line of names": lambda size: f"{CARD} 4 " * (size // 6),
    "brackets": lambda size: "\n".join("(" * 20 + _words(at) + ")" * 20 for at in range(size // 4)),
    "counts below": lambda size: "\n".join(f"{_words(at)}\n4" for at in range(size // 2)),
}
SMALL, LEAST_CALLS = amount(400, 120), 20_000
"""So many calls that what is done once for a list matters little."""


def _calls(text: str) -> int:
    """How many functions of Python are called while a list is read: work that no busy machine changes."""
    game = _data()
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    reader = ListReader(game.game, game.catalog)
    previous = sys.getprofile()
    sys.setprofile(count)
    try:
        with contextlib.suppress(UserError):
            reader(text, "-")
    finally:
        sys.setprofile(previous)
    return calls


@cache
def _data() -> GameData:
    return load_format("duel-masters/original").game_data


@pytest.mark.parametrize("kind", GROWING)
def test_four_times_the_text_is_at_most_about_four_times_the_work(kind: str) -> None:
    make = GROWING[kind]
    _calls(make(10))
    once, fourfold = (_calls(make(SMALL * times)) for times in (1, 4))
    assert fourfold <= 5.5 * once + LEAST_CALLS
