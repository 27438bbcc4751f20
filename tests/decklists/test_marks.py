"""Zones that are named on a card's own line, in the bundled games: which cards they hold, and what stays open."""

from __future__ import annotations

from functools import cache

import pytest
from deckcheck.decklists.parser import SEVERAL
from factories.reader_lists import content, ids, told

from deckcheck.checking.judge import open_game_data
from deckcheck.decklists.lexer import shape_of
from deckcheck.decklists.read import make_reader
from deckcheck.decklists.vocabulary import (
    Vocabulary,
    leading_zone,
    tagged_zones,
    zones_named,
)
from deckcheck.model.deck import Deck, Reader

LATHRIL, TYMNA, THRASIOS = "Lathril, Blade of the Elves", "Tymna the Weaver", "Thrasios, Triton Hero"


@cache
def _reader(game: str) -> Reader:
    table = open_game_data(game)
    return make_reader(table.game, table.catalog)


@cache
def _words(game: str) -> Vocabulary:
    return Vocabulary(open_game_data(game).game)


def _read(text: str, game: str = "magic") -> Deck:
    return _reader(game)(text, "deck.txt")


@pytest.mark.parametrize(
    ("line", "zone"),
    [
        ("11 沼（サイドボード）", "side"),
        ("11 沼（サイド）", "side"),
        ("沼 11【サイドボード】", "side"),
        ("【サイド】沼 11", "side"),
        ("11 Swamp (SB)", "side"),
        ("11 Swamp *SB*", "side"),
        ("11 Swamp [Sideboard]", "side"),
        ("11x Swamp (abc) 2 [Sideboard,Land]", "side"),
        ("11x Swamp (abc) 2 [Land,Sideboard]", "side"),
        ("11x Swamp (abc) 2 [Land, Sideboard{noDeck}]", "side"),
        ("11x Swamp (abc) 2 [Sideboard{noDeck}]", "side"),
        ("11x Swamp (abc) 2 [Sideboard{noDeck}{noPrice}]", "side"),
        ("11x Swamp (abc) 2 [Sideboard{noDeck}{noPrice},Land] ^Have,#37d67a^", "side"),
        ("11 Swamp (abc) 2 [Land] [Sideboard]", "side"),
        ("11 沼（土地、サイド）", "side"),
        ("11 Swamp [Side/Land]", "side"),
        ("11 Swamp ← サイド", "side"),
        ("11 Swamp #Sideboard", "side"),
        ("11 Swamp #Land #Sideboard", "side"),
        ("11 Swamp (side, sideboard)", "side"),
        ("11 Swamp [Commander{top},Land]", "commander"),
        ("11 沼（オースブレイカー）", "commander"),
        ("11 沼（シグネチャー・スペル）", "signature-spell"),
        ("11 沼（固有呪文）", "signature-spell"),
        ("11x Swamp (abc) 1 [Signature Spell{top}]", "signature-spell"),
        ("11x Swamp (abc) 1 [Companion,Land]", "companion"),
        ("11x Swamp (abc) 1 [Main]", "main"),
        ("11x Swamp (abc) 1 [Land]", "main"),
        ("11x Swamp (abc) 1 [Ramp,Land{noDeck}]", "main"),
        ("11 Swamp # Sideboard", "main"),
        ("11 Swamp (サイドから)", "main"),
    ],
)
def test_a_zone_in_brackets_beside_a_card(line: str, zone: str) -> None:
    for text in (f"29 Mountain\n{line}", f"{line}\n29 Mountain"):
        deck = _read(text)
        assert content(deck) == {("main", "Mountain"): 29, (zone, "Swamp"): 11}
        assert deck.diagnostics == ()


@pytest.mark.parametrize(
    "line",
    [
        "11 Swamp [Sideboard,Commander]",
        "11 Swamp (Main/Side)",
        "11 Swamp (サイド) [Main]",
        "11 Swamp [Maybeboard{noDeck},Sideboard]",
        "11 Swamp #Main #Sideboard",
        "Side: 11 Swamp [Main]",
        "11 Swampp [Sideboard,Commander]",
        "11 Swampp (サイド) [Main]",
    ],
)
def test_two_zones_are_never_chosen_from(line: str) -> None:
    deck = _read(f"29 Mountain\n{line}")
    assert content(deck) == {("main", "Mountain"): 29}
    assert [diagnostic.message.en for diagnostic in deck.diagnostics] == ["two zones are named"]


@pytest.mark.parametrize(
    "line",
    [
        "11 Swamp (SB candidate)",
        "11 沼（統率者候補）",
        "11 Swamp (side) 2",
        "11 Swamp (サイド 2枚)",
        "11 Swamp (SB 2)",
        "11 Swamp [Sideboard, Opt]",
        "11 Swamp [Opt, Sideboard]",
    ],
)
def test_a_zones_word_among_others_is_told(line: str) -> None:
    deck = _read(f"29 Mountain\n{line}")
    assert deck.entries[1:] == () or not all(entry.zone == "main" for entry in deck.entries)
    assert "invalid-line" in ids(deck) or len(deck.entries) == 3


def test_the_number_behind_a_zone_is_a_count() -> None:
    assert content(_read("29 Mountain\nSwamp (side) 2")) == {("main", "Mountain"): 29, ("side", "Swamp"): 2}


def test_an_unknown_card_stands_in_the_zone_that_is_named_for_it() -> None:
    assert told(
        _read("29 Mountain\n1 みすすぺる（オースブレイカー）\n2x Misspeled (abc) 3 [Sideboard{noDeck}]")
    ) == [
        "1:4 main 29 Mountain",
        "2:3 commander 1 ?みすすぺる",
        "3:4 side 2 ?Misspeled",
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("4 天災 デドダム（サイド）", ("side", "天災 デドダム")),
        ("4 天災 デドダム(殿、サイド)", ("side", "天災 デドダム")),
        ("4 天災 デドダム (SIDEBOARD)", ("side", "天災 デドダム")),
        ("4 天災 デドダム【メイン】", ("main", "天災 デドダム")),
        ("4 天災 デドダム(主力)", ("main", "天災 デドダム")),
        ("4 リツイーギョ #桜 #満開", ("main", "リツイーギョ #桜 #満開")),
        (
            "4 【神回】バズレンダでマナが大変なことに?!【驚愕】",
            ("main", "【神回】バズレンダでマナが大変なことに?!【驚愕】"),
        ),
    ],
)
def test_brackets_in_duel_masters(line: str, expected: tuple[str, str]) -> None:
    deck = _read(f"2 青銅の鎧\n{line}", "duel-masters")
    assert content(deck)[expected] == 4
    assert len(deck.entries) == 2 and deck.diagnostics == ()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "4 時空の凶兵ブラック・ガンヴィート（超次元）",
            ("hyperspatial", "時空の凶兵ブラック・ガンヴィート"),
        ),
        ("4 ゴルドンゴルドー (GR)", ("gr", "ゴルドンゴルドー")),
        ("4 みすすぺる (GR)", ("gr", "?みすすぺる")),
        # Before a colon it is a heading, and holds.
        ("超次元：・4 天災 デドダム", ("hyperspatial", "天災 デドダム")),
        ("GR: 天災 デドダム x4", ("gr", "天災 デドダム")),
    ],
)
def test_where_cards_are_at_home_the_card_tells(line: str, expected: tuple[str, str]) -> None:
    assert content(_read(f"2 青銅の鎧\n{line}", "duel-masters"))[expected] == 4


@pytest.mark.parametrize(
    "line",
    [
        "4 天災 デドダム（超次元）",
        "4 天災 デドダム (GR)",
        "天災 デドダム ×4【超GRゾーン】",
        "4 天災 デドダム #超次元",
        "4 ゴルドンゴルドー (超次元)",
        "4 天災 デドダム [サイド] [GR]",
        "4 天災 デドダム (GR)、3 フェアリー・ライフ",
        "4 天災 デドダム、3 フェアリー・ライフ (GR)",
    ],
)
def test_another_zone_than_a_cards_home_is_told(line: str) -> None:
    deck = _read(f"2 青銅の鎧\n{line}", "duel-masters")
    assert content(deck) == {("main", "青銅の鎧"): 2} and ids(deck) == ["invalid-line"]


@pytest.mark.parametrize(
    "line",
    [
        "4 Counterspell {1}{U}",
        "4 Counterspell {1}",
        "4 Counterspell {2/W}{U}",
        "Counterspell {1}{U} x4",
        "4 Counterspell {10}",
    ],
)
def test_a_mana_cost_is_no_count(line: str) -> None:
    deck = _read(f"20 Island\n{line}")
    assert content(deck) == {("main", "Island"): 20, ("main", "Counterspell"): 4} and deck.diagnostics == ()


@pytest.mark.parametrize(
    ("line", "zone"),
    [
        ("2 ブラック・マジシャン（サイド）", "side"),
        ("2 Dark Magician (SIDE)", "side"),
        ("2 Dark Magician (EX)", "extra"),
        ("2 Dark Magician 【EXデッキ】", "extra"),
        ("2 Dark Magician (Extra Monster Area)", "main"),
        ("2 Dark Magician (制限)", "main"),
    ],
)
def test_brackets_in_yugioh(line: str, zone: str) -> None:
    deck = _read(line, "yugioh")
    assert content(deck) == {(zone, "Dark Magician"): 2} and deck.diagnostics == ()


@pytest.mark.parametrize("game", ["duel-masters", "magic", "yugioh"])
def test_a_name_that_ends_in_a_zones_word_stays_a_name(game: str) -> None:
    """Every real name in which brackets stand is read whole, whatever the brackets say."""
    table = open_game_data(game)
    names = [card.name for card in table.catalog if set(card.name) & set("()[]（）【】<>＜＞{}#")]
    read = _reader(game)
    wrong = [
        name
        for name in names
        if [(entry.copies, entry.cards[0].name) for entry in read(f"4 x {name}", "a").entries if entry.cards]
        != [(4, name)]
    ]
    assert wrong == [] and (names or game != "duel-masters")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Sideboard: 4 Opt, 11 Swamp", {("side", "Opt"): 4, ("side", "Swamp"): 11}),
        ("Side = 4 Opt; 11 Swamp", {("side", "Opt"): 4, ("side", "Swamp"): 11}),
        ("サイドボード：4 選択、11 沼", {("side", "Opt"): 4, ("side", "Swamp"): 11}),
        ("・サイド：選択×4、沼×11", {("side", "Opt"): 4, ("side", "Swamp"): 11}),
        ("SB: 4 Duress, 11 Swamp", {("side", "Duress"): 4, ("side", "Swamp"): 11}),
        ("[Sideboard] 4 Opt, 11 Swamp", {("side", "Opt"): 4, ("side", "Swamp"): 11}),
        ("【サイド】4 選択、11 沼", {("side", "Opt"): 4, ("side", "Swamp"): 11}),
        (
            "Commander: 1 Tymna the Weaver, 1 Regna, the Redeemer",
            {("commander", TYMNA): 1, ("commander", "Regna, the Redeemer"): 1},
        ),
        (
            "Main: 9 Island; Side: 4 Opt, 2 Swamp",
            {("main", "Island"): 9, ("side", "Opt"): 4, ("side", "Swamp"): 2},
        ),
        ("4 Opt [Sideboard], 11 Swamp", {("side", "Opt"): 4, ("main", "Swamp"): 11}),
        ("SB: 4 Misspeled, 11 Swamp", {("side", "?Misspeled"): 4, ("side", "Swamp"): 11}),
        ("SB: 4 Opt, 11 Misspeled", {("side", "Opt"): 4, ("side", "?Misspeled"): 11}),
    ],
)
def test_a_zone_ahead_holds_for_all_behind_it(line: str, expected: dict[tuple[str, str], int]) -> None:
    for text in (f"29 Mountain\n{line}", f"{line}\n29 Mountain"):
        deck = _read(text)
        assert content(deck) == {("main", "Mountain"): 29, **expected}
        assert deck.diagnostics == ()


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("SB 4 Duress, 11 Swamp", {}),
        ("統率者 《織り手のティムナ》《トリトンの英雄、トラシオス》", {}),
        ("Side: 4 Duress, 11 Swamp [Main]", {("side", "Duress"): 4}),
    ],
)
def test_a_zone_that_may_be_meant_for_some_of_them_is_told(
    line: str, read: dict[tuple[str, str], int]
) -> None:
    deck = _read(f"29 Mountain\n{line}")
    assert content(deck) == {("main", "Mountain"): 29, **read}
    assert ids(deck) == ["invalid-line"]


@pytest.mark.parametrize("sign", ["*F*", "*E*", "*f*", "*F* *E*", ""])
@pytest.mark.parametrize(
    ("mark", "zone"),
    [
        ("[Commander{top}]", "commander"),
        ("[Commander{top},Creature] ^Have,#37d67a^", "commander"),
        ("*CMDR*", "commander"),
        ("#Commander", "commander"),
        ("[Creature]", "main"),
        ("", "main"),
    ],
)
@pytest.mark.parametrize("printed", ["(khc) 1", "(plst) KHC-1", "(khc) 1★", "(khc) 1p"])
def test_set_number_foil_and_then_a_mark(printed: str, sign: str, mark: str, zone: str) -> None:
    deck = _read(f"29 Mountain\n1x {LATHRIL} {printed} {sign} {mark}".rstrip())
    assert content(deck) == {("main", "Mountain"): 29, (zone, LATHRIL): 1}
    assert deck.diagnostics == ()


def test_a_foil_sign_begins_no_card() -> None:
    deck = _read("60x Mountain (abc) 1 *F* [Land]")
    assert content(deck) == {("main", "Mountain"): 60} and deck.diagnostics == ()
    deck = _read("60x Mountain (abc) 1 *F* whatever\n4 Opt")
    assert told(deck) == ["2:3 main 4 Opt", "! 1:1 invalid-line 60x Mountain (abc) 1 *F* whatever"]


@pytest.mark.parametrize(
    ("heading", "zone"),
    [
        ("Commander(s):", "commander"),
        ("Commander(s)", "commander"),
        ("[Commander(s)]", "commander"),
        ("// Commander(s) (1)", "commander"),
        ("Oathbreaker(s):", "commander"),
        ("Companion(s):", "companion"),
        ("固有呪文", "signature-spell"),
        ("Signature Spell(s):", "signature-spell"),
    ],
)
def test_headings_with_brackets_in_their_words(heading: str, zone: str) -> None:
    deck = _read(f"29 Mountain\n{heading}\n1 Opt")
    assert content(deck) == {("main", "Mountain"): 29, (zone, "Opt"): 1} and deck.diagnostics == ()


def test_what_a_text_names() -> None:
    words = _words("magic")
    assert zones_named(words, "Sideboard{noDeck},Land") == ("side",)
    assert zones_named(words, "Land, Main / サイド") == ("main", "side")
    assert zones_named(words, "my side") == zones_named(words, "") == zones_named(words, "," * 300) == ()
    assert tagged_zones(words, "#Ramp #Sideboard ") == ("side",)
    for tags in ("# !Sideboard", "#!Sideboard #Ramp", "#Sideboard!", "#!!Sideboard", "# !Ramp !Sideboard"):
        assert tagged_zones(words, tags) == ("side",), tags
    assert (
        tagged_zones(words, "# Sideboard")
        == tagged_zones(words, "// Sideboard")
        == tagged_zones(words, "#Side board")
        == ()
    )


@pytest.mark.parametrize(
    ("line", "zone", "rest"),
    [
        ("Side: 4 Opt", "side", "4 Opt"),
        ("- 【サイド】4 選択", "side", "4 選択"),
        ("Commander(s): Opt", "commander", "Opt"),
        ("Side:", None, ""),
        ("Circle of Protection: Red", None, ""),
        ("Side 4 Opt", None, ""),
        ("[Main/Side] 4 Opt", None, ""),
    ],
)
def test_what_stands_ahead(line: str, zone: str | None, rest: str) -> None:
    found = leading_zone(_words("magic"), shape_of(line), 0, len(line))
    assert (found and (found.zone, line[found.start :])) == (zone and (zone, rest))


# Marks that name several zones.


@pytest.mark.parametrize("head", ["統率者：", "【統率者】", "Commander: ", ""])
@pytest.mark.parametrize("joint", ["", " ", "、", "／", "＆", "と", " / "])
def test_names_in_double_brackets_are_an_entry_each(head: str, joint: str) -> None:
    deck = _read(f"98 平地\n{head}《織り手のティムナ》{joint}《トリトンの英雄、トラシオス》")
    zone = "commander" if head else "main"
    assert content(deck) == {("main", "Plains"): 98, (zone, TYMNA): 1, (zone, THRASIOS): 1}
    assert deck.diagnostics == ()


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
    assert [diagnostic.message for diagnostic in deck.diagnostics] == [SEVERAL]


@pytest.mark.parametrize("head", ["Commander: ", "Commander = ", "[Commander] ", "1 ", "", "- "])
@pytest.mark.parametrize("joint", [" / ", "/", " & ", "＆", "／", "、", ", ", " + ", " and ", "と", " // "])
@pytest.mark.parametrize("first", [False, True])
def test_a_line_that_may_hold_two_cards_is_told(head: str, joint: str, first: bool) -> None:
    line = f"{head}{TYMNA}{joint}{THRASIOS}"
    deck = _read(f"{line}\n98 Plains" if first else f"98 Plains\n{line}")
    assert content(deck) == {("main", "Plains"): 98}
    assert [diagnostic.message for diagnostic in deck.diagnostics] == [SEVERAL]
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
    assert deck.diagnostics == ()


@pytest.mark.parametrize(("line", "copies"), [("4 Opt // good with Duress", 4), ("4 Opt # Duress", 4)])
def test_a_comment_that_says_more_is_a_comment(line: str, copies: int) -> None:
    assert content(_read(f"98 Plains\n{line}")) == {("main", "Plains"): 98, ("main", "Opt"): copies}


def test_a_comment_of_two_slashes_stays_one_where_no_name_is_joined_so() -> None:
    deck = _read("4 天災 デドダム // 青銅の鎧", "duel-masters")
    assert content(deck) == {("main", "天災 デドダム"): 4} and deck.diagnostics == ()


def test_names_with_joints_of_their_own_are_whole() -> None:
    names = [THRASIOS, "Regna, the Redeemer", LATHRIL, "Fire // Ice"]
    deck = _read("\n".join(names))
    assert [entry.cards[0].name for entry in deck.entries] == names and deck.diagnostics == ()


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
    assert [(diagnostic.line, diagnostic.message.en) for diagnostic in deck.diagnostics] == [
        (3, SEVERAL.en),
        (5, "two zones are named"),
    ]
