"""Whatever a text holds, it is read in time: a hundred kilobytes in about a second, on one line or on thousands."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest
from factories.examples import amount
from factories.time_limits import within

from deckcheck import UserError, check, load_format
from deckcheck.checking.judge import LoadedFormat

SIZE = amount(100_000, 25_000)
LINES = amount(4900, 1200)
MOST_SECONDS = 8
"""Of processor time, on a machine that is slow and busy; what isn't bounded takes minutes."""

CARD = "ボルシャック・ドラゴン"
PIECES = [
    *("(", "((1))", "[", "[[a]]", "<", "{a:", "《", f"《{CARD}", "「", "【"),
    *(
        "・",
        "■",
        "* ",
        "- - - ",
        "※",
        "←",
        "#",
        "//",
        "/",
        "／",
        "→",
        ";",
        ",",
        "、",
        "|",
        "|a|b",
        "\t",
        "  ",
    ),
    *(
        "4",
        "1 ",
        "1,",
        "①",
        "枚",
        "4枚",
        "40枚 ",
        "x",
        "x4",
        "4x ",
        "(4)",
        "[4]",
        "1-2 ",
        "1/2 ",
        "1. ",
        "(1",
    ),
    *(
        "(ABC) ",
        "4 x (ABC) 12 ",
        "[ABC:12] ",
        "ab-12 ",
        "100円 ",
        "¥100 ",
        "12:30 ",
        "〃",
        "~~",
        "*F* ",
        "^a^",
    ),
    *(
        "メイン",
        "サイド: ",
        "殿堂",
        "クリーチャー ",
        "20種 ",
        CARD,
        f"{CARD} ",
        f"{CARD}/",
        f"{CARD}×4 ",
        CARD[:4],
    ),
    *("!", "#!a", "# !a ", "11/23 ", "1,20 €", "●", "‥", "_", "約", "各4", "<!-- ", "/* ", "[a](http://a) "),
    *("A", "Z ", "\ufe0f", "ﾎﾞ", "a: ", "'a',", "<s>", "<!--", "http://a ", "No.1 "),
]
WHOLE = {
    "lone numbers": "4\n" * 4900,
    "totals": "".join(f"合計 {number}枚\n" for number in range(4900)),
    "headings": "".join(f"【見出し{number}】 40枚\n" for number in range(3500)),
    "a bullet, dots and a count": f"- - - {CARD}4\n" + "- - - …4\n" * 4000,
    "misspelt names, six a line": "".join(
        f"4 x {'・'.join(f'{CARD[:5]}ヌ{CARD[6:]}{n}' for n in range(6))}\n" for _ in range(400)
    ),
    "misspelt names": "".join(f"4 x {CARD[:5]}ヌ{number}{CARD[6:]}\n" for number in range(2500)),
    "names without a card and their counts": "".join(f"みすすぺる{number}\n×4\n" for number in range(2400)),
    "tags": "".join(
        f"1 {CARD} {tags} x\n" for tags in ("#" + "!" * 1900, "#!a" * 600, "# " + "!a " * 600) * 15
    ),
    "marks": f"{CARD} {'●' * 1900}a\n{CARD} {'|' * 1900}a\n" * 20,
    "remarks below a whole deck": "".join(f"10 x {CARD}\n" * 4)
    + "".join(f"{CARD[:5]}ヌ{CARD[6:]}{'あ' * (number % 40)}\n" for number in range(2000)),
    "slots": "".join(f"{number} {CARD}\n" for number in range(1, 2500)),
    "a huge cell": f'name,count\n"{CARD * 2500}",4\n',
    "many cells": "name,count\n" + "x," * 50_000,
    "quotes in a cell": "name,count\n" + '""' * 50_000,
    "JSON, deep": "[" * 50_000 + "]" * 50_000,
    "JSON, a huge name": f'[{{"name": "{CARD * 2500}", "count": 4}}]',
    "YAML, deep": "cards:\n" + "".join(f"{' ' * depth}a:\n" for depth in range(400)),
    "YAML, aliases": "cards:\n- &a [x, x]\n" + "".join(f"- &a{n} [*a, *a]\n" for n in range(5000)),
    "XML, deep": "<a>" * 30_000,
}


def texts() -> Iterator[tuple[str, str]]:
    for piece in PIECES:
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
