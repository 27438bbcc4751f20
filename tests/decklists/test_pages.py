"""Lists as they are copied from pages, chats and sheets: remarks, groups, row numbers, grids, marks instead of counts."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from factories.reader_lists import content, ids

from deckcheck.checking.judge import GameData, LoadedFormat, check, load_format, open_game_data
from deckcheck.model.deck import Deck
from deckcheck.model.finding import Report

NAMES = [
    *("アクア・ガード", "フェアリー・ライフ", "青銅の鎧", "デーモン・ハンド", "斬隠オロチ", "天災 デドダム"),
    *("コッコ・ルピア", "ボルシャック・ドラゴン", "終末の時計 ザ・クロック", "光牙忍ハヤブサマル"),
]
WHOLE = {("main", name): 4 for name in NAMES}
ROWS = [f"4 x {name}" for name in NAMES]
REMARKS = [
    "以上です！",
    "感想お待ちしてます！",
    "※プロキシあり",
    "ありがとうございました。",
    "Thanks for reading!",
]


@cache
def _table() -> GameData:
    return open_game_data("duel-masters")


def read(text: str, path: str = "-") -> Deck:
    return _table().read(text, path)


@pytest.fixture(scope="module")
def original() -> LoadedFormat:
    return load_format("duel-masters/original")


@pytest.fixture(scope="module")
def modern() -> LoadedFormat:
    return load_format("magic/modern")


def zones(report: Report) -> dict[str, int]:
    copies: Counter[str] = Counter()
    for entry in report.deck.entries:
        copies[entry.zone] += entry.copies
    return dict(copies)


# Remarks beside a whole deck


@pytest.mark.parametrize("remark", REMARKS)
def test_a_remark_below_a_whole_deck_is_no_card(remark: str) -> None:
    deck = read("\n".join([*ROWS, "", remark]))
    assert (content(deck), ids(deck)) == (WHOLE, ["remarks"])


@pytest.mark.parametrize("remark", REMARKS)
def test_only_a_sentence_below_a_deck_that_is_not_whole_is_no_card(remark: str) -> None:
    deck = read("\n".join([*ROWS[:-1], "", remark]))
    assert (ids(deck) == ["remarks"]) == (remark == "ありがとうございました。")


@pytest.mark.parametrize(
    "line",
    [
        "4 みすすぺる",
        "アクア・ガート",
        "天災 デドダム",
        "サイドボート",
        "三枚 みすすぺる",
        "Aqua Guart",
        "みすすぺる ×",
    ],
)
def test_what_may_be_a_card_below_a_whole_deck_is_no_remark(line: str) -> None:
    deck = read("\n".join([*ROWS, line]))
    assert ids(deck) or content(deck) != WHOLE or any(not entry.cards for entry in deck.entries)


def test_words_between_two_whole_decks_are_no_remark() -> None:
    deck = read("\n".join(["変更前", *ROWS, "変更後", *ROWS]))
    assert "invalid-line" in ids(deck)


@pytest.mark.parametrize("count", ["×4", "4枚", "4"])
@pytest.mark.parametrize("below", ["", "合計40枚", "合計：40枚", "40枚"])
def test_counts_on_the_next_line_above_the_end_of_a_page(count: str, below: str) -> None:
    deck = read("\n".join([*(f"{name}\n{count}" for name in NAMES), below]))
    assert (content(deck), ids(deck)) == (WHOLE, [])


# Headings that sort the cards


@pytest.mark.parametrize(
    "label",
    ["■クリーチャー×40", "クリーチャー x40", "クリーチャー 10種類 40枚", "クリーチャー 10種類", "呪文：10種"],
)
def test_a_label_with_the_number_of_its_cards_is_no_card(label: str) -> None:
    deck = read("\n".join([label, *ROWS]))
    assert (content(deck), ids(deck)) == (WHOLE, [])


def test_a_wrong_number_beside_a_label_is_told() -> None:
    # With a sign for copies, it may be that of unnamed cards.
    assert ids(read("\n".join(["■クリーチャー×39", *ROWS]))) == ["invalid-line"]
    assert ids(read("\n".join([*ROWS, "クリーチャー×4"]))) == ["invalid-line"]
    assert ids(read("\n".join(["■クリーチャー 39", *ROWS]))) == ["total-mismatch"]


@pytest.mark.parametrize("title", ["デッキ：赤単速攻", "Deck：赤単速攻", "【デッキ】赤単速攻"])
def test_a_word_for_the_main_deck_may_stand_before_the_name_of_the_deck(title: str) -> None:
    deck = read("\n".join([title, *ROWS]))
    assert (content(deck), ids(deck), deck.header) == (WHOLE, [], {"deck": "赤単速攻"})


@pytest.mark.parametrize(
    "line", ["デッキ：アクア・ガート", "サイド：赤単速攻", "メイン：赤単、速攻", "デッキ：4 みすすぺる"]
)
def test_what_may_be_a_card_of_a_zone_is_no_name_of_the_deck(line: str) -> None:
    assert read("\n".join([line, *ROWS])).header == {}


def test_unknown_headings_over_a_whole_deck_sort_its_cards(original: LoadedFormat) -> None:
    text = "\n".join(["【初動】", *ROWS[:3], "■フィニッシャー", *ROWS[3:6], "受け札：", *ROWS[6:]])
    report = check(text, original, as_of="2016-01-01")
    assert zones(report) == {"main": 40}
    assert "unknown-zone" not in {finding.rule for finding in report.findings}
    [finding] = [finding for finding in report.findings if finding.rule == "moved-to-home-zone"]
    assert finding.message.en == (
        "counted in “Main deck”, since the cards under “【初動】”, “■フィニッシャー”, “受け札：” complete it"
    )


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(
            ["【初動】", *ROWS[:3], "【受け】", *ROWS[3:6], "【締め】", *ROWS[6:-1]], id="one too few"
        ),
        pytest.param(
            ["【初動】", *ROWS[:3], "【受け】", *ROWS[3:6], "【締め】", *ROWS[6:], "1 x からみカズラ"],
            id="one too many",
        ),
        pytest.param(["【変更前】", *ROWS[:5], "【変更後】", *ROWS[5:]], id="two decks"),
        pytest.param([*ROWS[:9], "【次に試したいカード】", *ROWS[9:]], id="beside cards of the main deck"),
        pytest.param(
            ["【初動】", *ROWS[:3], "四 みすすぺる", "【受け】", *ROWS[3:6], "【締め】", *ROWS[6:]],
            id="an unread line",
        ),
    ],
)
def test_other_unknown_headings_are_unknown_zones(original: LoadedFormat, lines: list[str]) -> None:
    report = check("\n".join(lines), original)
    assert any(zone not in original.format.zones for zone in zones(report))
    assert "unknown-zone" in {finding.rule for finding in report.findings}


# Row numbers and slots


@pytest.mark.parametrize("number", ["{}. ", "{}) ", "({}) ", "{:02} "])
@pytest.mark.parametrize("beside", ["40枚", "殿堂2枚デッキ", "3キル率 40%"])
def test_numbered_rows_keep_their_counts_beside_other_numbers(number: str, beside: str) -> None:
    rows = [f"{number.format(at)}{name} ×4" for at, name in enumerate(NAMES, 1)]
    for lines in ([beside, *rows], [*rows, beside]):
        found = content(read("\n".join(lines)))
        assert {key: found[key] for key in WHOLE if key in found} == {key: 4 for key in WHOLE if key in found}
        assert len(WHOLE.keys() & found.keys()) >= 9


@pytest.mark.parametrize("digits", ["①②③④⑤⑥⑦⑧⑨⑩", "❶❷❸❹❺❻❼❽❾❿"])
def test_rows_numbered_in_circles(digits: str) -> None:
    rows = [f"{digit}{name} 4枚" for digit, name in zip(digits, NAMES, strict=True)]
    assert content(read("\n".join(rows))) == WHOLE


@pytest.mark.parametrize("same", ["〃", "〃〃", "同上", "同じ"])
@pytest.mark.parametrize("below", ["", "入れ替え候補：からみカズラ 2"])
def test_slots_above_a_candidate(same: str, below: str) -> None:
    contents = [text for name in NAMES[:3] for text in (name, same, same, name)]
    rows = [f"{at} {text}" for at, text in enumerate(contents, 1)]
    found = content(read("\n".join([*rows, below])))
    assert {key: copies for key, copies in found.items() if key[0] == "main"} == {
        ("main", name): 4 for name in NAMES[:3]
    }


# Counts that are written otherwise


@pytest.mark.parametrize(
    "row",
    [
        *(
            "{c}\t3+1",
            "{c}\t4/4",
            "{c}\t四",
            "{c}\tfour",
            "{c}\t●●●●",
            "{c} ○○○○",
            "{c} ★★★★",
            "{c} ✅✅✅✅",
        ),
        *("{c} ||||", '<card qty="4">{c}</card>', "《{c}》(×4で採用)", "{c} 2x4"),
    ],
)
@pytest.mark.parametrize("number", [2, 5, 10])
def test_marks_that_may_be_counts_are_not_dropped(row: str, number: int) -> None:
    deck = read("\n".join(row.format(c=name) for name in NAMES[:number]))
    assert len(ids(deck)) >= number
    assert content(deck) == {}


@pytest.mark.parametrize("row", ["❹ {c}", "{c} 𝟒枚", "{c}‥‥4", "[[{c}]] ×4"])
def test_counts_in_other_digits(row: str) -> None:
    deck = read("\n".join(row.format(c=name) for name in NAMES))
    assert (content(deck), ids(deck)) == (WHOLE, [])


@pytest.mark.parametrize(
    "row", ["[{c}](https://example.org/card/12) ×4", "- 4 [{c}](https://example.org/c?id=3)"]
)
def test_links_to_cards(row: str) -> None:
    deck = read("\n".join(row.format(c=name) for name in NAMES))
    assert (content(deck), ids(deck)) == (WHOLE, [])


@pytest.mark.parametrize("row", ["【4枚】《{a}》《{b}》", "4枚：{a}、{b}", "4枚：《{a}》《{b}》"])
def test_a_count_in_front_of_several_cards_is_that_of_each(row: str) -> None:
    deck = read(row.format(a=NAMES[0], b=NAMES[1]))
    assert content(deck) == {("main", NAMES[0]): 4, ("main", NAMES[1]): 4}


@pytest.mark.parametrize(
    "row",
    [
        "4枚《{a}》《{b}》",
        "《{a}》《{b}》×4",
        "4《{a}》《{b}》",
        "2：{a}、{b}",
        "(2) {a}、{b}",
        "4枚：{a}/{b}",
        "【8枚】《{a}》《{b}》",
    ],
)
def test_a_count_beside_several_cards_may_be_that_of_one(row: str) -> None:
    assert ids(read(row.format(a=NAMES[0], b=NAMES[1]))) == ["invalid-line"]


@pytest.mark.parametrize("row", ["稲妻 (Lightning Bolt) 133", "4 稲妻 (Lightning Bolt) 133"])
def test_a_number_behind_a_repeated_name_may_be_that_of_a_printing(modern: LoadedFormat, row: str) -> None:
    assert sum(entry.copies for entry in check(row, modern).deck.entries) <= 4


def test_an_english_name_in_brackets_before_the_count(modern: LoadedFormat) -> None:
    report = check("稲妻（Lightning Bolt） 4枚\n《対抗呪文》（Counterspell） 3枚\n", modern)
    assert [(entry.cards[0].name, entry.copies) for entry in report.deck.entries] == [
        ("Lightning Bolt", 4),
        ("Counterspell", 3),
    ]


# Tables


def test_a_grid_of_names_holds_a_copy_in_each_cell() -> None:
    a, b, c = NAMES[:3]
    for joint in ("\t", " | "):
        deck = read(f"{joint.join([a, a, a])}\n{joint.join([b, b, c])}")
        assert content(deck) == {("main", a): 3, ("main", b): 2, ("main", c): 1}
        deck = read("".join(joint.join([name] * 4) + "\n" for name in NAMES))
        assert content(deck) == {("main", name): 4 for name in NAMES}


def test_five_columns_of_names_hold_a_copy_in_each_cell() -> None:
    rows = [NAMES[at : at + 5] for at in range(len(NAMES) - 4)]
    for above in ([], [["カード名"] * 5], [["カード", "カード2", "カード3", "カード4", "カード5"]]):
        deck = read("".join("\t".join(row) + "\n" for row in above + rows))
        assert (sum(content(deck).values()), ids(deck)) == (5 * len(rows), [])


def test_names_in_two_languages_or_with_a_remark_are_no_grid() -> None:
    rows = [(name, name) for name in NAMES]
    assert "invalid-line" in ids(
        read("カード名\t英語名\tName\n" + "".join(f"{a}\tx\t{b}\n" for a, b in rows))
    )


def test_a_name_in_two_columns_is_one_card_though_one_row_differs() -> None:
    rows = [(name, name) for name in NAMES[:5]]
    deck = read("".join(f"{first}\t{second}\n" for first, second in [*rows, (NAMES[5], NAMES[6])]))
    assert content(deck)["main", NAMES[0]] == 1


def test_a_name_in_two_columns_is_one_card() -> None:
    deck = read("".join(f"{name}\t{name}\n" for name in NAMES))
    assert content(deck) == {("main", name): 1 for name in NAMES}


def test_a_slash_within_a_cell_moves_no_other_cell() -> None:
    text = "カード名 文明 コスト 枚数\n" + "\n".join(
        f"{name} {kind} {cost} 4"
        for name, kind, cost in zip(NAMES, ["火", "火/自然"] * 5, [3, 2] * 5, strict=True)
    )
    assert content(read(text)) == WHOLE


@pytest.mark.parametrize("row", ["4\t{c}", "| 4 | {c} |"])
def test_the_name_of_another_card_above_a_table_is_shown(row: str) -> None:
    deck = read("\n".join(["からみカズラ", *(row.format(c=name) for name in NAMES[:-1])]))
    assert content(deck) == dict.fromkeys(list(WHOLE)[:-1], 4)
    assert ids(deck) == ["invalid-line"]


# Comments and separators


@pytest.mark.parametrize("line", [f"<!-- 2 {NAMES[0]} -->", f"/* 2 {NAMES[0]} */"])
def test_comments_of_other_languages(line: str) -> None:
    assert content(read(f"{line}\n4 x {NAMES[1]}\n")) == {("main", NAMES[1]): 4}


def test_a_comment_of_several_lines_is_shown_for_its_cards_and_one_without_an_end_for_itself() -> None:
    for first in ("<!--", "<!-- old:"):
        assert ids(read(f"{first}\n2 {NAMES[0]}\n-->\n4 x {NAMES[1]}\n")) == ["card-in-comment"]
        assert ids(read(f"{first}\n2 {NAMES[0]}\n4 x {NAMES[1]}\n")) == ["invalid-line"]


@pytest.mark.parametrize(
    "line", [f"/* new */ 4 {NAMES[0]} /* test */", f"<!-- a --> 4 {NAMES[0]} <!-- b -->", f"/* 4 {NAMES[0]}"]
)
def test_a_card_beside_a_comment_does_not_vanish(line: str) -> None:
    assert ids(read(f"{line}\n4 x {NAMES[1]}\n")) == ["invalid-line"]


SIXTY = ["4 Lightning Bolt", "4 Lava Spike", "4 Rift Bolt", "4 Skullcrack", "24 Mountain", "20 Island"]
FIFTEEN = ["4 Smash to Smithereens", "4 Roiling Vortex", "3 Path to Exile", "4 Duress"]


@pytest.mark.parametrize("rule", ["---", "=====", "***", "~~~~", "____"])
def test_a_rule_below_a_whole_deck_begins_the_sideboard(modern: LoadedFormat, rule: str) -> None:
    report = check("\n".join([*SIXTY, rule, *FIFTEEN]), modern)
    assert zones(report) == {"main": 60, "side": 15}
    assert "empty-line" in {finding.rule for finding in report.findings}


def test_a_rule_within_a_deck_means_nothing(modern: LoadedFormat) -> None:
    report = check("\n".join([*SIXTY[:3], "---", *SIXTY[3:]]), modern)
    assert (zones(report), report.verdict) == ({"main": 60}, "legal")


def test_a_rule_in_a_deck_that_is_too_large_is_told(modern: LoadedFormat) -> None:
    report = check("\n".join(["2 Lightning Bolt", *SIXTY[1:], "---", *FIFTEEN[:1], "1 Duress"]), modern)
    assert zones(report) == {"main": 63}
    [told] = [finding for finding in report.findings if finding.rule == "unknown-zone"]
    assert (report.verdict, told.message.in_("en")) == (
        "undecided",
        "the cards from here may belong to “Main deck” or to “Sideboard”, and the verdict depends on it "
        "(put the heading “Sideboard” above, or join both blocks)",
    )


def test_the_sideboard_of_three_blocks_is_the_last(modern: LoadedFormat) -> None:
    blocks = [SIXTY[:3], SIXTY[3:], FIFTEEN]
    text = "\n\n".join("\n".join(f"{row} (M10) 1" for row in block) for block in blocks)
    assert zones(check(text, modern)) == {"main": 60, "side": 15}


@pytest.mark.parametrize("form", ["{0}", "{0} (M10) 1"])
def test_an_addition_below_an_export_is_shown(modern: LoadedFormat, form: str) -> None:
    report = check("\n".join([*(form.format(row) for row in SIXTY), "+1 Fireblast"]), modern)
    assert {entry.written for entry in report.deck.entries}.isdisjoint({"Fireblast"})
    assert "invalid-line" in {finding.rule for finding in report.findings}


def test_a_card_marked_as_a_candidate_in_a_sideboard_is_not_counted(modern: LoadedFormat) -> None:
    report = check("\n".join([*SIXTY, "", *FIFTEEN, "4 Fireblast (maybe)"]), modern)
    assert zones(report) == {"main": 60, "side": 15}


# Trees of other programs


@pytest.mark.parametrize(
    "record",
    [
        '{{"quantity": 4, "card": {{"id": "dm0", "name": "{c}", "cost": 3}}}}',
        '{{"count": 4, "card": {{"name": "{c}", "count": 9}}, "finish": "foil"}}',
        '["{c}", 4]',
        '[4, "{c}"]',
    ],
)
def test_names_in_inner_records_and_pairs(record: str) -> None:
    deck = read(f'{{"main": [{", ".join(record.format(c=name) for name in NAMES)}]}}')
    assert (content(deck), ids(deck)) == (WHOLE, [])


@pytest.mark.parametrize(
    "item", [f'["{NAMES[0]}", "{NAMES[1]}"]', f'["{NAMES[0]}"]', "[4, 4]", f'["{NAMES[0]}", 4, 3]']
)
def test_other_lists_within_lists_are_shown(item: str) -> None:
    assert ids(read(f"[{item}]", "a.json")) == ["invalid-line"]


@pytest.mark.parametrize("bullet", ["", "・"])
def test_a_count_for_everything_below_is_shown(bullet: str) -> None:
    assert ids(read("\n".join(["以下すべて4枚", *(bullet + name for name in NAMES)]))) == ["invalid-line"]


# Articles


@pytest.mark.parametrize(
    "head", ["今回のデッキ:", "Here it is:", "■赤単", "記事の文です。\n今回のデッキ:", "A:\nB:"]
)
def test_a_heading_of_no_zone_above_all_cards_is_the_name(head: str) -> None:
    deck = read("\n".join([head, *ROWS]))
    assert content(deck) == WHOLE
    assert set(ids(deck)) <= {"name-as-title"}


@pytest.mark.parametrize(
    "text",
    [
        # A slip in the word for a zone, a word for a zone in it, cards above it, and a heading of the main deck below.
        "サイドボート:\n" + "\n".join(ROWS),
        "サイドボード案:\n" + "\n".join(ROWS),
        "\n".join([*ROWS[:5], "以下は:", *ROWS[5:]]),
        "\n".join(["最初:", *ROWS[:5], "メイン:", *ROWS[5:]]),
        "\n".join(["最初:", *ROWS[:5], "次:", *ROWS[5:]]),
    ],
)
def test_other_headings_of_no_zone_are_shown(text: str) -> None:
    assert "unknown-zone" in ids(read(text))


PROSE = [
    "火文明は最初のターンから動けます。",
    "初動を引けたらそのまま勝てるはずです。",
    "This list won our last event of the season.",
    "（このデッキは2010年10月時点のカードで作られています。）",
]


@pytest.mark.parametrize("rows", [ROWS, ROWS[:7]])
@pytest.mark.parametrize("sentence", PROSE)
def test_a_sentence_around_the_cards_is_no_card(sentence: str, rows: list[str]) -> None:
    deck = read("\n".join([sentence, "", *rows, "", sentence]))
    assert (sum(content(deck).values()), ids(deck)) == (4 * len(rows), ["remarks"])


@pytest.mark.parametrize(
    "sentence",
    [
        # A count, a zone, and what may change the cards below.
        "緑の妖精も4枚入れています。",
        "ここから下はサイドボードのカードです。",
        "下のカードは入れ替え候補なので迷っています。",
    ],
)
def test_a_sentence_with_a_count_or_a_zone_is_shown(sentence: str) -> None:
    assert ids(read("\n".join(["赤単", sentence, *ROWS]))) != []


@pytest.mark.parametrize("sentence", ["あとは天災 デドダムを入れるだけです。"])
@pytest.mark.parametrize("rows", [ROWS, ROWS[:7]])
def test_a_sentence_with_a_card_below_the_others_is_shown(sentence: str, rows: list[str]) -> None:
    assert ids(read("\n".join([*rows, sentence]))) == ["invalid-line"]


@pytest.mark.parametrize("sentence", PROSE[:2])
def test_a_sentence_between_cards_is_shown(sentence: str) -> None:
    assert ids(read("\n".join([*ROWS[:5], sentence, *ROWS[5:]]))) == ["invalid-line"]
    assert ids(read("\n".join([*NAMES[:5], sentence, *NAMES[5:]]))) == ["invalid-line"]


def test_totals_below_their_cards_above_a_block_without_one(modern: LoadedFormat) -> None:
    deck = "4 Goblin Guide\n4 Monastery Swiftspear\n8 creatures\n\n20 Mountain\n20 lands\n\n"
    deck += "\n".join(f"4 {name}" for name in ("Opt", "Shock", "Lava Spike", "Skullcrack", "Lightning Bolt"))
    deck += "\n4 Rift Bolt\n4 Searing Blaze\n4 Lightning Helix\n32 other spells\n\n"
    report = check(deck + "4 Pyroblast\n3 Smash to Smithereens\n", modern)
    assert zones(report) == {"main": 67}
    doubts = [finding.line for finding in report.findings if finding.rule in ("empty-line", "total-mismatch")]
    assert doubts == [18]
    assert "total-mismatch" in {finding.rule for finding in check(deck.replace("32", "31"), modern).findings}


def test_a_row_whose_number_is_its_count() -> None:
    rows = [f"{number}. {name} ×4" for number, name in enumerate(NAMES, 1)]
    deck = read("\n".join([*rows[:2], "3. だれもしらないもの ×3", *rows[3:]]))
    assert [(entry.written, entry.copies) for entry in deck.entries][2] == ("だれもしらないもの", 3)
    assert ids(deck) == []


@pytest.mark.parametrize(
    ("text", "zones"),
    [
        ("メインデッキ(12枚): アクア・ガード×4、青銅の鎧×4、斬隠オロチ×4", {"main"}),
        ("Main Deck (12 cards): 4x アクア・ガード, 4x 青銅の鎧, 4x 斬隠オロチ.", {"main"}),
        ("サイドボード（12枚）：アクア・ガード×4、青銅の鎧×4、斬隠オロチ×4", {"side"}),
    ],
)
def test_a_paragraph_with_a_zone_and_its_sum(text: str, zones: set[str]) -> None:
    deck = read(text)
    assert ({zone for zone, _name in content(deck)}, sum(content(deck).values())) == (zones, 12)
    assert ids(deck) == []


@pytest.mark.parametrize("row", ['{{ card_name: "{c}", quantity: 4 }},', "{{name: '{c}', n: 4}}"])
def test_rows_of_objects_with_bare_keys(row: str) -> None:
    deck = read("\n".join(row.format(c=name) for name in NAMES))
    assert (content(deck), ids(deck)) == (WHOLE, [])


@pytest.mark.parametrize("first", ["{{< cardlist >}}", "{{decklist}}"])
def test_a_text_that_begins_like_a_template_is_no_json(first: str) -> None:
    deck = read("\n".join([first, *ROWS]))
    assert content(deck) == WHOLE


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("3x Dark Magician (LV 7)\n3 Kuriboh (レベル1)", "yugioh/ocg"),
        ("Tribute Monsters\n3 Dark Magician\nMagic\n3 Dark Hole", "yugioh/ocg"),
        ("スペル 4枚\n4 Opt\n土地 20枚\n20 Mountain", "magic/modern"),
        ("墓地進化4枚\n4 アクア・ガード\nマナ進化4枚\n4 青銅の鎧", "duel-masters/original"),
        ("Burn Deck List 2012\n4 Opt\n20 Mountain\n画像3", "magic/modern"),
    ],
)
def test_words_of_articles(text: str, format: str) -> None:
    report = check(text, load_format(format))
    assert {finding.rule for finding in report.findings}.isdisjoint(
        {"invalid-line", "unknown-card", "unknown-zone", "total-mismatch"}
    )


def test_headings_of_a_page_without_a_readable_card_are_shown() -> None:
    rows = [f'<img src="{at}.jpg" alt="{name}">' for at, name in enumerate(NAMES)]
    assert set(ids(read("\n".join(rows)))) == {"unknown-zone"}
    assert set(ids(read("\n".join([*rows, ROWS[0]])))) == {"unknown-zone"}


@pytest.mark.parametrize(
    "text", ["Sideboard (4): {c}", "Side (2 cards): 4x {c}", "メイン（40枚）：《{c}》×4《青銅の鎧》×4"]
)
def test_a_sum_in_front_of_cards_must_be_theirs(text: str) -> None:
    assert ids(read(text.format(c=NAMES[0]))) == ["invalid-line"]


@pytest.mark.parametrize(
    "sentence",
    [
        "4新カードの名前がここにある。",
        "④新カードの名前がここにある。",
        "・新カードの名前はここにあるのだ！",
        "緑の妖精をさらに２まい入れてください。",
        "I also play a full set of the newest fairy.",
    ],
)
def test_a_sentence_with_a_number_or_a_bullet_is_no_remark(sentence: str) -> None:
    report = check("\n".join([*ROWS, sentence]), load_format("duel-masters/original"), as_of="2026-01-01")
    assert {"invalid-line", "unknown-card"} & {finding.rule for finding in report.findings}


@pytest.mark.parametrize("bullet", ["", "・"])
def test_a_sentence_above_names_without_counts_is_shown(bullet: str) -> None:
    below = [bullet + name for name in NAMES[8:]]
    assert ids(read("\n".join([*ROWS[:8], "このへんは入れたいけど枠がないやつです。", *below]))) != [
        "remarks"
    ]


@pytest.mark.parametrize("head", ["■没カード", "■持ってないカード"])
def test_a_heading_whose_cards_end_at_a_label_is_no_name(head: str) -> None:
    text = "\n".join(["赤単", head, *ROWS[:2], "", "■クリーチャー", *ROWS[2:]])
    assert "unknown-zone" in ids(read(text))


@pytest.mark.parametrize(
    "row",
    [
        '{{ name: "{c}", cost: 4 }},',
        '{{ name: "{c}", main: 3, side: 1 }},',
        '{{ name: "{c}", count: 4, board: "maybe" }},',
        '{{ "name": "{c}", "count": 4, "board": "maybe" }},',
        '{{ name: "{c}", sideboard: 4 }},',
    ],
)
def test_rows_of_objects_with_other_keys_are_shown(row: str) -> None:
    deck = read("\n".join(row.format(c=name) for name in NAMES), "a.txt")
    assert not any(entry.cards for entry in deck.entries)


@pytest.mark.parametrize("side", ["// Sideboard", "side: ["])
def test_zones_between_rows_of_objects(side: str) -> None:
    rows = [f'{{ name: "{name}", count: 4 }},' for name in NAMES]
    deck = read("\n".join([*rows[:6], side, *rows[6:]]))
    assert {
        zone: sum(entry.copies for entry in deck.entries if entry.zone == zone) for zone in ("main", "side")
    } == {
        "main": 24,
        "side": 16,
    }


@pytest.mark.parametrize("variable", ["const cut = [", "const maybeboard = ["])
def test_other_names_between_rows_of_objects_are_shown(variable: str) -> None:
    rows = [f'{{ name: "{name}", count: 4 }},' for name in NAMES]
    assert ids(read("\n".join([*rows[:9], variable, *rows[9:]]))) != []


@pytest.mark.parametrize("label", ["呪文", "クリーチャー (12)", "# 以下は候補", "メインデッキ"])
def test_a_label_above_a_gap_heads_the_cards_below(label: str) -> None:
    fifty = "\n".join([*ROWS, "4 x アクア・ハルカス", "4 x スパイラル・ゲート", "2 x アクア・サーファー"])
    report = check(
        f"{fifty}\n{label}\n\n4 x フェアリー・シャワー\n4 x 超GR・チャージャー\n",
        load_format("duel-masters/duemagic"),
    )
    assert zones(report) == {"main": 58}
    assert report.verdict != "legal"


HEADS = "カード名 コスト 種類 文明 コメント"


@pytest.mark.parametrize("separator", [" ", "\t"])
@pytest.mark.parametrize(
    "remark", ["", "初動。4枚確定。", "3ターン目に出す。《バザガジール・ドラゴン》も可。"]
)
def test_counts_in_the_cells_of_names(separator: str, remark: str) -> None:
    cells = [[f"4 {name}", str(cost % 9 + 1), "クリ", "闇", remark] for cost, name in enumerate(NAMES)]
    cells[3][0] = "4 まだ出ていない名前"
    table = [HEADS.replace(" ", separator), *map(separator.join, cells)]
    deck = read("\n".join(["デッキ名:黒単", *table, "", "メインデッキ: 40枚"]))
    assert content(deck) == {("main", row[0][2:].replace("まだ", "?まだ")): 4 for row in cells}
    assert [entry.line for entry in deck.entries if not entry.cards] == [6]
    assert ids(deck) == []


@pytest.mark.parametrize("remark", ["2枚はサイドボード", "超次元ゾーン"])
def test_a_zone_in_the_remarks_of_a_table_is_no_part_of_it(remark: str) -> None:
    rows = [f"4 {name} 3 クリ 闇" for name in NAMES]
    rows[5] += f" {remark}"
    deck = read("\n".join([HEADS, *rows]))
    assert any(diagnostic.line == 7 for diagnostic in deck.diagnostics) or len(deck.entries) > len(NAMES)


@pytest.mark.parametrize(
    "heads", ["カード名 コスト", "カード名 カード名", "カード名 枚", "No. カード名 コスト", "コスト カード名"]
)
def test_other_heads_give_rows_no_count(heads: str) -> None:
    """Below fewer than three rows or other heads, the numbers have other meanings."""
    few = [f"4 {name} 3 クリ" for name in NAMES[: 2 if heads == "カード名 コスト" else 10]]
    deck = read("\n".join([heads, *few]))
    assert content(deck) != {("main", name): 4 for name in NAMES[: len(few)]} or deck.diagnostics


@pytest.mark.parametrize("counted", ["4枚:{}", "4枚：{}", "4枚・{}", "4枚{}"])
def test_an_unknown_name_behind_a_count_with_its_word(counted: str) -> None:
    deck = read("\n".join([*(counted.format(name) for name in NAMES[:5]), counted.format("未発売ドラゴンX")]))
    assert [(entry.written, entry.copies) for entry in deck.entries][-1] == ("未発売ドラゴンX", 4)


def test_an_unknown_name_may_end_in_a_word_for_other_cards(modern: LoadedFormat) -> None:
    """`out` behind a known name says that the card isn't in the deck; `Cross out` may be a name."""
    report = check("4 Lightning Bolt out\n4 Mountain\n4 Noblemen of Cross out", modern)
    assert [(entry.written, entry.copies) for entry in report.deck.entries][1:] == [
        ("Noblemen of Cross out", 4)
    ]
    assert ids(report.deck) == ["not-in-deck"]


@pytest.mark.parametrize("price", ["10 cents each", "10-30 cents each", "50 cents", "100-150円"])
def test_prices_in_words(price: str, modern: LoadedFormat) -> None:
    report = check(f"4: Mountain ({price})\n3: Island ({price})", modern)
    assert zones(report) == {"main": 7}
    assert {finding.rule for finding in report.findings} == {"main-size"}


def test_a_title_above_the_heads_of_a_table_is_a_remark() -> None:
    rows = [f"{name} クリーチャー {cost} 4 C 2000" for cost, name in enumerate(NAMES, 1)]
    deck = read("\n".join(["○優勝デッキ", "", "カード名 種類 コスト 枚数 レアリティ パワー", *rows]))
    assert content(deck) == WHOLE and ids(deck) == ["remarks"]


@pytest.mark.parametrize("row", ["{n}. {c} ×4", "{n} {c} ×4", "{n} {c} 3 クリ 4枚", "{n}) {c} 4"])
def test_numbers_of_rows_below_heads_are_no_counts(row: str) -> None:
    rows = [row.format(n=number, c=name) for number, name in enumerate(NAMES, 1)]
    deck = read("\n".join([HEADS, *rows]))
    assert not {entry.copies for entry in deck.entries} - {4} or deck.diagnostics


@pytest.mark.parametrize(
    "rest", ["／まだ出ていない面", " / まだ出ていない面", "・まだ出ていない名前", "<まだ>"]
)
def test_half_a_name_in_a_table_is_shown(rest: str) -> None:
    rows = [f"4 {name} 3 クリ" for name in NAMES]
    rows[4] = f"4 {NAMES[4]}{rest} 3 クリ"
    deck = read("\n".join([HEADS, *rows]))
    assert not any(entry.line == 6 and entry.cards for entry in deck.entries) or any(
        diagnostic.line == 6 for diagnostic in deck.diagnostics
    )


@pytest.mark.parametrize("row", ["4 {c} out", "{c} 4", "4 火 3 x {c}", "a b 4 {c} 3"])
def test_a_table_whose_rows_have_other_cells_is_no_error(row: str) -> None:
    deck = read("\n".join(["名前 文明 コスト 枚数 レアリティ", *(row.format(c=name) for name in NAMES[:3])]))
    assert {diagnostic.line for diagnostic in deck.diagnostics} | {entry.line for entry in deck.entries} >= {
        2,
        3,
    }
