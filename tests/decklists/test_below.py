"""Lists with headings and their sums below the cards of which they speak: read so, or left as they are and told."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from deckcheck.decklists.classify import LineReader
from deckcheck.decklists.zone_extents import resolve_headings_below
from factories.canonical_lists import fmt
from factories.examples import examples
from factories.headings_below import (
    MAIN,
    OFFICIAL,
    READ,
    SECTIONS,
    A,
    B,
    C,
    D,
    Sections,
    laid,
    limited,
    wanted,
    zones,
)
from factories.reader_lists import AWAY, cards, content, duel_masters, ids, read, told
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.checking.judge import check, load_format, read_deck
from deckcheck.decklists.vocabulary import Vocabulary
from deckcheck.support.errors import UserError

PSYCHIC = "時空の凶兵ブラック・ガンヴィート"


# What is read so.


@pytest.mark.parametrize("main", ["", MAIN, "-合計(30)-\n", "-合計メイン(30)-\n", "// 土地はここまで\n"])
def test_headings_below_their_cards(main: str) -> None:
    deck = read_deck(limited(), OFFICIAL.format(main=main), "-")
    assert zones(deck) == READ
    assert deck.diagnostics == ()


def test_a_main_deck_that_is_too_small_is_told() -> None:
    deck = read_deck(limited(), OFFICIAL.format(main=MAIN), "-")
    report = check(deck, limited(), as_of="2025-12-01")
    assert [one.rule for one in report.findings] == ["main-size"]


@pytest.mark.parametrize("main", ["", "-メイン(99)-\n"])
def test_a_commander_above_its_heading(main: str) -> None:
    text = f"1 《Wilson, Refined Grizzly》\n-統率者(1)-\n\n1 《Serra Angel》\n-クリーチャー(1)-\n98 《森》\n-土地(98)-\n{main}"
    deck = read_deck(load_format("magic/commander"), text, "-")
    assert zones(deck) == {
        "commander": {"Wilson, Refined Grizzly": 1},
        "main": {"Serra Angel": 1, "Forest": 98},
    }
    assert deck.diagnostics == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Labels alone: all in the first zone.
        (f"4 {A}\n水(4)\n2 {B}\n1 {C}\n闇(3)", ["main 4 A", "main 2 B", "main 1 C"]),
        (f"4 {A}\nコスト3: 4枚\n2 {B}\nコスト5: 2枚\n", ["main 4 A", "main 2 B"]),
        (f"4 {A}\nクリーチャー 4\n2 {B}\n呪文 2\n合計 6枚\n", ["main 4 A", "main 2 B"]),
        # A zone that sums up its labels, rows of its own beside them, and one that doesn't.
        (f"4 {A}\n水(4)\n2 {B}\nサイド(6)\n", ["side 4 A", "side 2 B"]),
        (f"4 {A}\n水(4)\n2 {B}\nサイド(2)\n", ["main 4 A", "side 2 B"]),
        (f"4 {A}\n水(4)\nメイン 4\n2 {B}\n水(2)\n1 {C}\n闇(1)\nサイド(3)\n", ["main 4 A", "side 2 B", "side 1 C"]),
        (f"1 {A}\n統率者(1)\n2 {B}\n水(2)\n3 {C}\nサイド(3)\n", ["commander 1 A", "main 2 B", "side 3 C"]),
        (f"4 {A}\nメイン 4\n2 {B}\n合計サイド 2\n1 {C}\n超次元 1", ["main 4 A", "side 2 B", "hyperspatial 1 C"]),
        (f"4 {A}\nメイン(4)\nサイド(0)\n2 {B}\nGR(2)\n", ["main 4 A", "gr 2 B"]),
        # Several on a line.
        (f"4 {A} 2 {B}\n水(6)\n1 {C}、3 {D}\nサイド(4)\n", ["main 4 A", "main 2 B", "side 1 C", "side 3 D"]),
        # Names that nobody knows are rows, too; an entry that names its zone keeps it.
        (f"4 {A}\n水(4)\n2 誰も知らない\nサイド(2)\n", ["main 4 A", "side 2 ?誰も知らない"]),
        (f"4 {A}\n3 {B}(統率者)\n水(7)\n2 {C}\nサイド(2)\n", ["main 4 A", "commander 3 B", "side 2 C"]),
    ],
)  # fmt: skip
def test_each_block_stands_in_its_zone(text: str, expected: list[str]) -> None:
    deck = read(text)
    names = {A: "A", B: "B", C: "C", D: "D"}
    rows = [f"{one.zone} {one.copies} {names.get(one.written, f'?{one.written}')}" for one in deck.entries]
    assert rows == expected
    assert ids(deck) == []


def test_cards_still_go_home_from_the_first_zone() -> None:
    deck = read(f"2 {A}\n1 {PSYCHIC}\n水(3)\n4 {B}\n1 零龍\nサイド(5)\n")
    assert told(deck) == [
        f"1:3 main 2 {A}",
        f"2:3 {AWAY[PSYCHIC]} 1 {PSYCHIC}",
        f"4:3 side 4 {B}",
        "5:3 side 1 零龍",
        f"! 2:3 moved-to-home-zone {PSYCHIC}",
    ]


@pytest.mark.parametrize("notation", ["text", "mtgo", "arena", "moxfield"])
@pytest.mark.parametrize("main", ["", MAIN])
def test_in_the_notations_that_are_typed_too(notation: str, main: str) -> None:
    text = OFFICIAL.format(main=main).replace("《", "").replace("》", "")
    deck = limited().game_data.read(text, "-", notation)
    assert zones(deck) == READ
    assert deck.diagnostics == ()
    # No empty line begins a sideboard where the sums say what there is.
    only = limited().game_data.read("4 稲妻\n-呪文(4)-\n\n22 山\n-土地(22)-\n", "-", notation)
    assert zones(only) == {"main": {"Lightning Bolt": 4, "Mountain": 22}}
    assert only.diagnostics == ()


# What stays as it is.


@pytest.mark.parametrize(
    ("text", "expected", "wrong"),
    [
        # A row is missing, or a sum is wrong.
        (f"4 {A}\n水(4)\n2 {B}\n闇(3)\n1 {C}\nサイド(1)\n", ["main", "main", "main"], [2, 4, 6]),
        (f"4 {A}\n水(4)\n2 {B}\n闇(2)\nメイン 8\n1 {C}\nサイド(1)\n", ["main", "main", "main"], [2, 4, 5, 7]),
        (f"1 {A}\n統率者(1)\n2 {B}\n水(2)\n3 {C}\n闇(4)\n", ["main", "commander", "commander"], [2, 4, 6]),
        # Cards below the last of them; one without a sum; one above all cards.
        (f"4 {A}\n水(4)\n2 {B}\nサイド(2)\n1 {C}\n", ["main", "main", "side"], [2, 4]),
        (f"4 {A}\n水\n2 {B}\nサイド(2)\n", ["main", "main"], [4]),
        (f"4 {A}\nメイン\n2 {B}\nサイド(2)\n", ["main", "main"], [4]),
        (f"合計 6\n4 {A}\n水(4)\n2 {B}\nサイド(2)\n", ["main", "main"], [3, 5]),
        (f"メイン(4)\n4 {A}\n水(4)\n2 {B}\nサイド(2)\n", ["main", "main"], [1, 3, 5]),
        # The first zone has a sum in which these two aren't, or an entry names another zone than its sum.
        (f"4 {A}\nメイン(4)\n2 {B}\n水(2)\n1 {C}\nサイド(1)\n", ["main", "main", "main"], [2, 4, 6]),
        (f"4 {A}\n2 {B}(統率者)\nメイン(6)\n1 {C}\nサイド(1)\n", ["main", "commander", "main"], [3, 5]),
        (f"4 {A}\n1 {PSYCHIC}\nメイン(5)\n2 {C}\nサイド(2)\n", ["main", "hyperspatial", "main"], [3, 5]),
        # A line that can be read with two counts.
        (f"ガチャック2\n水(1)\n2 {B}\nサイド(2)\n", ["main", "main"], [2, 4]),
        # A zone that nobody knows; a name over the list that tells the first card's zone.
        (f"4 {A}\n水(4)\n2 {B}\n候補(2)\n", ["main", "main"], [2, 4]),
        (f"{A}統率\n1 {A}\n水(1)\n2 {B}\nサイド(2)\n", ["commander", "main"], [3, 5]),
        # The zone's heading above its cards, and labels below theirs.
        (f"4 {A}\n水(4)\n超次元(4)\n4 {B}\n火(4)\n", ["main", "hyperspatial"], [2, 5]),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told_and_not_turned(text: str, expected: list[str], wrong: list[int]) -> None:
    deck = read(text)
    assert [entry.zone for entry in deck.entries] == expected
    assert [one.line for one in deck.diagnostics if one.id == "total-mismatch"] == wrong


def test_lines_that_cannot_be_read_leave_the_list_alone() -> None:
    whole = f"4 {A}\n水(4)\n2 {B}\nサイド(2)\n"
    for line in ("-3 天災 デドダム", f"0 {C}", f"{C} 3枚 4枚"):
        for at in range(5):
            lines = whole.split("\n")
            lines.insert(at, line)
            deck = read("\n".join(lines))
            assert "total-mismatch" in ids(deck), deck
            assert "side" not in {entry.zone for entry in deck.entries if at < 4}


@pytest.mark.parametrize(
    "text",
    [
        f"クリーチャー(4)\n4 {A}\n呪文(2)\n2 {B}\n合計(6)\nサイド(1)\n1 {C}\n",
        f"メイン(6)\n4 {A}\n2 {B}\n\n超次元(4)\n4 {C}\n",
        f"4 {A}\n2 {B}\nサイド(1)\n1 {C}\n",
        f"4 {A}\n2 {B}\nメイン(6)\n",
        f"4 {A}\n2 {B}\n合計 6枚\n",
        f"4 {A}\n2 {B}\n6\n",
        f"4 {A}\n2 {B}\nサイド\n",
        # Both ways fit: as ever.
        f"4 {A}\nサイド(4)\n4 {B}\nメイン(4)\n",
    ],
)
def test_a_list_that_fits_is_never_turned(text: str) -> None:
    words = Vocabulary(duel_masters())
    seen = [LineReader(words, cards()).classify(line) for line in text.split("\n")]
    assert resolve_headings_below(words, [line._replace(kind="total") if line.kind == "total?" else line for line in seen]) is None  # fmt: skip
    assert ids(read(text)) == []


# Lists of any make.


@examples(150)
@given(SECTIONS)
def test_below_says_the_same_as_above(sections: Sections) -> None:
    for text in (laid(sections, below=True), laid(sections, below=False)):
        deck = read(text)
        assert content(deck) == wanted(sections), text
        assert ids(deck) == [], text


@examples(150)
@given(SECTIONS, st.integers(0, 30))
def test_a_wrong_sum_is_never_silent(sections: Sections, at: int) -> None:
    sums = sum(1 + len(parts) for parts in sections.values())
    deck = read(laid(sections, below=True, off=at % sums))
    assert "total-mismatch" in ids(deck)
    # As the list would be read without this: the first label is below the first cards.
    assert deck.entries[0].zone == "main"


PIECES = st.sampled_from(
    [f"4 {A}", f"2 {B}", f"1 {C} 1 {D}", f"1 {PSYCHIC}", "", "水(4)", "闇(2)", "メイン(4)", "サイド(2)", "超次元(1)",
     "合計 4", "合計サイド 2", "4", f"{C}(SB) 2", f"SB: 2 {C}", "# 水(4)", "メイン", "呪文", "候補(2)", f"{A} 4-5枚"]
)  # fmt: skip


@examples(400)
@given(st.lists(PIECES, max_size=9))
def test_any_list_keeps_its_cards_and_is_formatted_as_it_is_read(lines: list[str]) -> None:
    text = "\n".join(lines)
    look = LineReader(Vocabulary(duel_masters()), cards()).classify
    deck = read(text)
    rows = Counter((entry.written, entry.copies, entry.line) for entry in deck.entries)
    alone = [(number, look(line)) for number, line in enumerate(lines, 1)]
    parts = [
        (part.written, part.copies, number)
        for number, line in alone
        for part in (line.more if line.kind == "several" else [line] if line.kind == "entry" else [])
    ]
    assert rows == Counter(parts)
    try:
        again = fmt(text)
    except UserError:
        return
    assert sorted(ids(read(again))) == sorted(ids(deck)), again
    assert Counter((one.zone, one.written, one.copies) for one in read(again).entries) == Counter(
        (one.zone, one.written, one.copies) for one in deck.entries
    ), again


@pytest.mark.parametrize(
    ("text", "loaded"),
    [
        ("4 x 天災 デドダム\n4 x フェアリー・ライフ\n合計 8枚\n", False),
        ("メイン\n4 x 天災 デドダム\nクリーチャー\n4 x フェアリー・ライフ\n", False),
        ("メイン 8\n4 x 天災 デドダム\n4 x フェアリー・ライフ\n", True),
    ],
)
def test_it_is_loaded_where_a_heading_has_a_sum(text: str, loaded: bool, tmp_path: Path) -> None:
    deck = tmp_path / "deck.txt"
    deck.write_text(f"# format: original\n{text}", "utf-8")
    script = (
        "import sys\n"
        f"sys.argv = ['deckcheck', 'check', {str(deck)!r}]\n"
        "from deckcheck.cli.app import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print('deckcheck.decklists.zone_extents' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, encoding="utf-8")
    assert done.stdout.splitlines()[-1] == str(loaded), done.stdout
