"""Every card, however hard its name, in every notation that people write."""

from __future__ import annotations

from functools import cache

import pytest
from deckcheck.decklists.classify import LineReader
from deckcheck.decklists.simple_lists import SimpleListReader
from factories.examples import amount
from factories.reader_lists import (
    AWAY,
    COUNTED,
    HARD,
    PLAIN,
    TWINS,
    Cards,
    cards,
    duel_masters,
    ids,
    one,
    read,
    told,
)

from deckcheck.checking.judge import GameData, open_game_data
from deckcheck.decklists.read import make_reader
from deckcheck.decklists.vocabulary import Vocabulary

USUAL = [
    *(
        "{c} ×{n}",
        "《{c}》×{n}",
        "{c}{n}",
        "・{c}　{n}枚",
        "{n}枚：{c}",
        "{n}x {c}",
        "{c} {n}",
        "{n} 《{c}》",
    ),
    *("{c} x{n}", "{n}×{c}", "●《{c}》{n}枚"),
]
"""Notations beside `N x NAME` and `N NAME` that plain lists come in."""
BARE = [
    "{c}",
    "《{c}》",
    "・{c}",
    "●《{c}》",
    "- {c}",
    "《{c}",
    "{c}》",
    "3. {c}",
    "{c}(殿)",
    "{c} # 強い",
    "{c}\ufe0f",
    "　{c}　",
]
ALL = [*PLAIN, *HARD, *AWAY]


@cache
def table_of(game: str) -> GameData:
    return open_game_data(game)


@pytest.mark.parametrize("notation", COUNTED)
def test_every_name_with_a_count(notation: str) -> None:
    wrong = []
    for name in ALL:
        for copies in (4, 12):
            line = notation.format(c=name, n=copies)
            deck = read(line)
            if not deck.entries or one(deck)[:2] != (name, copies) or set(ids(deck)) - {"moved-to-home-zone"}:
                wrong.append((line, told(deck)))
    assert wrong == []


@pytest.mark.parametrize("notation", BARE)
def test_every_name_alone_is_one_copy(notation: str) -> None:
    wrong = []
    for name in ALL:
        line = notation.format(c=name)
        # Beside a line with a count, as most lists are.
        for text, place in ((line, 0), (f"4 x アクア・ガード\n{line}", 1)):
            deck = read(text)
            found = [entry for entry in deck.entries if entry.line == place + 1]
            if notation.startswith("3.") and place:
                assert found[0].copies == 3
                continue
            copies = 3 if notation.startswith("3.") else 1
            if [(entry.cards[0].name, entry.copies, entry.most) for entry in found] != [
                (name, copies, copies)
            ]:
                wrong.append((text, told(deck)))
    assert wrong == []


@pytest.mark.parametrize("notation", ["{c}{n}", "{n}{c}"])
def test_glued_counts(notation: str) -> None:
    wrong = []
    for name in ALL:
        line = notation.format(c=name, n=4)
        deck = read(line)
        if one(deck)[:2] != (name, 4):
            wrong.append((line, told(deck)))
    assert wrong == []


@pytest.mark.parametrize(
    ("line", "name", "copies", "column"),
    [
        ("４×天災 デドダム", "天災 デドダム", 4, 3),
        ("４　天災 デドダム", "天災 デドダム", 4, 3),
        ("天災デドダム 4", "天災 デドダム", 4, 1),
        ("天災・デドダム×４枚", "天災 デドダム", 4, 1),
        ("終末の時計ザクロック3", "終末の時計 ザ・クロック", 3, 1),
        ("   4 x 750男", "750男", 4, 8),
        ("4 x バングリッドX7 # X8はない", "バングリッドX7", 4, 5),
        ("4 リツイーギョ #桜 #満開 # 咲いた", "リツイーギョ #桜 #満開", 4, 3),
        ("リツイーギョ #桜 #満開 x4 # 咲いた", "リツイーギョ #桜 #満開", 4, 1),
        ("青銅の鎧 ×4", "?", 4, 1),
        ("天災 デドダム(てんさい デドダム) ×4", "天災 デドダム", 4, 1),
        (
            "時空の凶兵ブラック・ガンヴィート/凶刃王ブラック・ガンヴィート ×1",
            "時空の凶兵ブラック・ガンヴィート",
            1,
            1,
        ),
        ("**天災 デドダム** ×2", "天災 デドダム", 2, 3),
        ("𝟜 天災 デドダム", "天災 デドダム", 4, 3),
    ],
)
def test_spellings_and_columns(line: str, name: str, copies: int, column: int) -> None:
    deck = read(line)
    found = one(deck)
    assert (found[0] or "?", *found[1:]) == (name, copies, column)


@pytest.mark.parametrize(
    ("line", "written", "copies"),
    [
        ("4 x みすすぺる", "みすすぺる", 4),
        ("《みすすぺる》×3", "みすすぺる", 3),
        ("・みすすぺる ×2枚", "みすすぺる", 2),
        ("みすすぺる3", "みすすぺる", 3),
        ("みすすぺる 3", "みすすぺる", 3),
        ("3枚 みすすぺる", "みすすぺる", 3),
        ("2 xyz", "xyz", 2),
        ("2 x xyz", "xyz", 2),
        ("2 みすすぺる # 初動", "みすすぺる", 2),
        ("2 みすすぺる(殿)", "みすすぺる", 2),
        ("2 みすすぺる (M21) 123", "みすすぺる", 2),
        ("みすすぺる", "みすすぺる", 1),
        ("半端者V8", "半端者V8", 1),
    ],
)
def test_an_unknown_name_keeps_its_count(line: str, written: str, copies: int) -> None:
    (entry,) = read(line).entries
    assert (entry.cards, entry.written, entry.copies, entry.most) == ((), written, copies, copies)


def test_two_readings_that_are_both_cards_stay_two() -> None:
    (entry,) = read("ガチャック2").entries
    assert sorted(card.name for card in entry.cards) == sorted(TWINS)
    assert (entry.copies, entry.most) == (1, 2)
    # Brackets and counts of their own leave no doubt.
    for line, copies in (
        ("《ガチャック2》", 1),
        ("3 ガチャック2", 3),
        ("ガチャック2 ×3", 3),
        ("3 | ガチャック2 | 火", 3),
    ):
        (entry,) = read(line).entries
        assert ([card.name for card in entry.cards], entry.copies, entry.most) == (
            ["ガチャック2"],
            copies,
            copies,
        )


def test_a_name_of_several_cards_is_never_guessed() -> None:
    (entry,) = read("4 x 半分").entries
    assert [card.name for card in entry.cards] == PLAIN[:2]
    assert (entry.copies, entry.zone) == (4, "main")


@pytest.mark.parametrize(
    "line",
    [
        "0 天災 デドダム",
        "天災 デドダム ×0",
        "1000 天災 デドダム",
        "99999999999999999999 天災 デドダム",
        "0 みすすぺる",
    ],
)
def test_counts_that_no_deck_holds(line: str) -> None:
    deck = read(line)
    assert (deck.entries, ids(deck)) == ((), ["invalid-line"])
    assert deck.diagnostics[0].message.en == "a count is a number from 1 to 999"


@pytest.mark.parametrize("text", ["Name,Count\n天災 デドダム,\n", '[{"name": "天災 デドダム", "count": ""}]'])
def test_a_cell_without_a_count_is_said_to_have_none(text: str) -> None:
    [diagnostic] = read(text).diagnostics
    assert diagnostic.message.en == "no count is given here (a number from 1 to 999)"


@pytest.mark.parametrize(
    "line", ["-4 天災 デドダム", "天災 デドダム x-1", "天災 デドダム -4", "-4 みすすぺる"]
)
def test_a_dash_before_a_count_is_told(line: str) -> None:
    deck = read(line)
    assert (deck.entries, ids(deck)) == ((), ["invalid-line"])
    assert deck.diagnostics[0].message.en == (
        "a count can't be negative (put a space after a dash that is a bullet)"
    )


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "天災 デドダム×4 終末の時計 ザ・クロック×3",
            ["1:1 main 4 天災 デドダム", "1:11 main 3 終末の時計 ザ・クロック"],
        ),
        (
            "4 天災 デドダム 3 究極防衛司令 コード 777",
            ["1:3 main 4 天災 デドダム", "1:13 main 3 究極防衛司令 コード 777"],
        ),
        ("《天災 デドダム》×4《750男》×3", ["1:2 main 4 天災 デドダム", "1:13 main 3 750男"]),
        ("4《天災 デドダム》3《750男》", ["1:3 main 4 天災 デドダム", "1:13 main 3 750男"]),
        ("その子供、凶暴につき×4、750男×3", ["1:1 main 4 その子供、凶暴につき", "1:14 main 3 750男"]),
        ("《天災 デドダム》《750男》", ["1:2 main 1 天災 デドダム", "1:11 main 1 750男"]),
        ("750男×4 / みすすぺる×3", ["1:1 main 4 750男", "1:10 main 3 ?みすすぺる"]),
    ],
)
def test_two_entries_on_one_line(line: str, expected: list[str]) -> None:
    assert told(read(line)) == expected


def test_seeing_a_line_again_changes_nothing() -> None:
    fresh = make_reader(duel_masters(), cards())
    text = "\n".join(notation.format(c=name, n=2) for name in HARD for notation in COUNTED[:20])
    assert fresh(text, "a") == fresh(text, "a") == read(text, "a")


@pytest.mark.parametrize(
    ("game", "least"), [("duel-masters", 40_000), ("magic", 120_000), ("yugioh", 40_000)]
)
def test_the_short_way_reads_what_the_long_way_reads(game: str, least: int) -> None:
    table = table_of(game)
    step = amount(1, 50 if game == "duel-masters" else 200)
    words = Vocabulary(table.game)
    lines = LineReader(words, table.catalog)
    simple = SimpleListReader(words, table.catalog).line
    names = {
        name
        for card in table.catalog
        for name in (
            card.name,
            card.name.replace(" ", ""),
            *card.aliases,
            *(part.name for part in card.parts),
        )
    }
    headings = {word for zone in table.game.zones.values() for word in (zone.id, *zone.name, *zone.headings)}
    said = headings | table.game.words.labels | table.game.words.totals | table.game.words.marks.keys()
    written = [
        form.format(n=number, c=name)
        for place, name in enumerate(sorted(names | said))
        if place % step == 0 or name in said
        for number in (4, 12)
        for form in ("{n} x {c}", "{n} {c}", USUAL[place % len(USUAL)])
    ]
    headers = [
        f"{mark}{key}: x" for mark in ("# ", "#", "## ", "") for key in ("format", "date", "deck", "no")
    ]
    short = dict.fromkeys(("entry", "heading", "label", "header", "blank"), 0)
    marked = [f"【{word}】" for word in said]
    for line in ["", " ", "#", *headers, *written, *said, *marked, *sorted(names)[::step]]:
        found = simple(line)
        if found is not None:
            short[found.kind] += 1
            assert found == lines.classify(line), line
    assert short["entry"] > least // step
    assert short["heading"] > 10 and short["label"] > 10
    assert short["header"] == 9
    assert short["blank"] == 1


HEADS = ((), ("サイドボード",), ("", "【超次元ゾーン】"), ("", "呪文"))


@pytest.mark.parametrize(
    "form",
    [
        *(
            "{n} x {c}",
            "{n} {c}",
            "{n}枚：{c}",
            "{n} 《{c}》",
            "{c} ×{n}",
            "{c}{n}",
            "{c}　{n}",
            "《{c}》×{n}",
        ),
        *("《{c}》", "・{c}　{n}枚", "{c}\n×{n}", "{c}\n{n}枚", "{c}\n{n}", "{n}\n{c}", "x{n}\n{c}"),
    ],
)
def test_a_plain_list_is_read_as_the_long_way_reads_it(form: str) -> None:
    table = table_of("duel-masters")
    names = [card.name for card in table.catalog if card.home == "main"]
    for start in range(amount(400, 30)):
        chosen = names[start :: len(names) // 12][:12]
        counts = [(start * place) % 4 + 1 for place in range(len(chosen))]
        rows = [form.format(n=count, c=name) for count, name in zip(counts, chosen, strict=True)]
        text = "\n".join(["# deck: x", "クリーチャー", *rows[:8], *HEADS[start % 4], *rows[8:]])
        # Only a list without a comment is plain.
        plain, other = table.read(f"{text}\n", "a"), table.read(f"{text}\n//\n", "a")
        assert (plain.entries, plain.diagnostics) == (other.entries, other.diagnostics), text


@pytest.mark.parametrize(
    "line",
    [
        "0 x 青銅の鎧",
        "04 x 青銅の鎧",
        "100 x 青銅の鎧",
        "-4 x 青銅の鎧",
        " 4 x 青銅の鎧",
        "4 x 青銅の鎧 ",
        "4 x  青銅の鎧",
        "4 x 青銅の鎧 x 2",
        "4 x 青銅の鎧 # 強い",
        "4 x 青銅の鎧:",
        "4 x クリーチャー",
        "4 x 知らないカード",
        "4 x ",
        "04 青銅の鎧",
        "100 青銅の鎧",
        "4  青銅の鎧",
        "4 青銅の鎧 2",
        "4 青銅の鎧:",
        "4 クリーチャー",
        "4 知らないカード",
        "4 ",
        "x 青銅の鎧",
        "²  x 青銅の鎧",
        "青銅の鎧",
        "【メインデッキ 40】",
        "メインデッキ 40",
        "# 合計 40枚",
        " ",
    ],
)
def test_what_may_mean_more_takes_the_long_way(line: str) -> None:
    table = table_of("duel-masters")
    assert SimpleListReader(Vocabulary(table.game), table.catalog).line(line) is None


def test_only_bullets_may_be_before_a_name() -> None:
    table = table_of("duel-masters")
    plain = SimpleListReader(Vocabulary(table.game), table.catalog).line
    forms = ("{mark}青銅の鎧 ×4", "{mark} 青銅の鎧 ×4", "{mark}《青銅の鎧》 4")
    read = {
        mark
        for mark in map(chr, (*range(33, 127), *map(ord, "・●○")))
        for form in forms
        if plain(form.format(mark=mark))
    }
    assert read == {"・", "●"}


def test_a_name_behind_a_sign_is_not_plain_where_the_sign_may_be_part_of_it() -> None:
    game, found = duel_masters(), cards()
    plain = SimpleListReader(Vocabulary(game), found).line
    assert plain("4 x 斬隠オロチ") is not None
    twin = Cards(game)
    twin._found[twin.fold("x斬隠オロチ")] = (twin.cards[0],)
    assert SimpleListReader(Vocabulary(game), twin).line("4 x 斬隠オロチ") is None
    assert plain("4 斬隠オロチ") is not None
    twin._found[twin.fold("4斬隠オロチ")] = (twin.cards[0],)
    assert SimpleListReader(Vocabulary(game), twin).line("4 斬隠オロチ") is None
    assert SimpleListReader(Vocabulary(game), twin).line("3 斬隠オロチ") is not None
