"""Names of several cards on one line without counts: read where nothing is left to guess, told elsewhere."""

from __future__ import annotations

import pytest
from listmaker import content, ids, told
from test_decklists_marks import LATHRIL, THRASIOS, TYMNA, _read

from deckcheck.decklists.several import SEVERAL


@pytest.mark.parametrize("head", ["統率者：", "【統率者】", "Commander: ", ""])
@pytest.mark.parametrize("joint", ["", " ", "、", "／", "＆", "と", " / "])
def test_names_in_double_brackets_are_an_entry_each(head: str, joint: str) -> None:
    deck = _read(f"98 平地\n{head}《織り手のティムナ》{joint}《トリトンの英雄、トラシオス》")
    zone = "commander" if head else "main"
    assert content(deck) == {("main", "Plains"): 98, (zone, TYMNA): 1, (zone, THRASIOS): 1}
    assert deck.remarks == ()


def test_an_unknown_name_in_double_brackets_is_one_beside_a_known_one() -> None:
    deck = _read("98 平地\n統率者：《織り手のテムナ》《トリトンの英雄、トラシオス》")
    assert content(deck) == {
        ("main", "Plains"): 98,
        ("commander", "?織り手のテムナ"): 1,
        ("commander", THRASIOS): 1,
    }


def test_two_unknown_names_in_double_brackets_are_told() -> None:
    deck = _read("98 平地\n統率者：《織り手のテムナ》、《トリトンの英雄》")
    assert content(deck) == {("main", "Plains"): 98}
    assert [remark.message for remark in deck.remarks] == [SEVERAL]


@pytest.mark.parametrize("head", ["Commander: ", "Commander = ", "[Commander] ", "1 ", "", "- "])
@pytest.mark.parametrize("joint", [" / ", "/", " & ", "＆", "／", "、", ", ", " + ", " and ", "と", " // "])
@pytest.mark.parametrize("first", [False, True])
def test_a_line_that_may_hold_two_cards_is_told(head: str, joint: str, first: bool) -> None:
    line = f"{head}{TYMNA}{joint}{THRASIOS}"
    deck = _read(f"{line}\n98 Plains" if first else f"98 Plains\n{line}")
    assert content(deck) == {("main", "Plains"): 98}
    assert [remark.message for remark in deck.remarks] == [SEVERAL]
    assert deck.header == {}


@pytest.mark.parametrize(
    "line",
    [
        "Fire // Ice",
        "Fire / Ice",
        "Fire/Ice",
        "Ice // Fire",
        "Commander: Fire // Ice",
        "4 Fire // Ice [Side]",
    ],
)
def test_a_whole_name_is_never_cut(line: str) -> None:
    deck = _read(f"98 Plains\n{line}")
    assert [entry.cards[0].name for entry in deck.entries] == ["Plains", "Fire // Ice"]
    assert deck.remarks == ()


@pytest.mark.parametrize(("line", "copies"), [("4 Opt // good with Duress", 4), ("4 Opt # Duress", 4)])
def test_a_comment_that_says_more_is_a_comment(line: str, copies: int) -> None:
    assert content(_read(f"98 Plains\n{line}")) == {("main", "Plains"): 98, ("main", "Opt"): copies}


def test_a_comment_of_two_slashes_stays_one_where_no_name_is_joined_so() -> None:
    deck = _read("4 天災 デドダム // 青銅の鎧", "duel-masters")
    assert content(deck) == {("main", "天災 デドダム"): 4} and deck.remarks == ()


def test_names_with_joints_of_their_own_are_whole() -> None:
    names = [THRASIOS, "Regna, the Redeemer", LATHRIL, "Fire // Ice"]
    deck = _read("\n".join(names))
    assert [entry.cards[0].name for entry in deck.entries] == names and deck.remarks == ()


def test_a_part_that_is_no_card_leaves_the_line_one_unknown_card() -> None:
    assert told(_read("98 Plains\n4 Frie // Ice")) == ["1:4 main 98 Plains", "2:3 main 4 ?Frie // Ice"]
    assert told(_read("98 Plains\nCommander: Tymna the Wever / Thrasios")) == [
        "1:4 main 98 Plains",
        "2:1 commander 1 ?Commander: Tymna the Wever / Thrasios",
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("4 龍装者 “OGU”ヴァル／「静謐よ、世界に満ちよ」", ["龍装者 “OGU”ヴァル/「静謐よ、世界に満ちよ」"]),
        ("4 天災 デドダム／みすすぺる", ["?"]),
        ("4 天災 デドダム／青銅の鎧", []),
        ("天災 デドダム／青銅の鎧 ×4", []),
        ("天災 デドダムと青銅の鎧", []),
    ],
)
def test_duel_masters(line: str, expected: list[str]) -> None:
    deck = _read(f"4 フェアリー・ライフ\n{line}", "duel-masters")
    found = [entry.cards[0].name if entry.cards else "?" for entry in deck.entries[1:]]
    assert [name.replace("／", "/") for name in found] == expected
    assert ids(deck) == ([] if expected else ["invalid-line"])


def test_a_cell_that_may_hold_two_cards_is_told() -> None:
    deck = _read(
        "Count,Name,Section\n98,Plains,\n"
        f'1,"{TYMNA} / {THRASIOS}",Commander\n4,Opt,"Sideboard{{noDeck}},Instant"\n4,Duress,"Sideboard,Main"\n'
    )
    assert content(deck) == {("main", "Plains"): 98, ("side", "Opt"): 4}
    assert [(remark.line, remark.message.en) for remark in deck.remarks] == [
        (3, SEVERAL.en),
        (5, "two zones are named"),
    ]
