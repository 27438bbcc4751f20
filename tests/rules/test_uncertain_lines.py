"""What only an unsure line keeps open is told by that line, once, and not again by every rule that it might concern."""

from __future__ import annotations

import pytest

from deckcheck.checking.judge import check, load_format
from deckcheck.model.finding import FindingId, Report
from deckcheck.support.errors import UserError


def found(text: str, format: str = "magic/modern") -> Report:
    return check(text, load_format(format), as_of="2025-12-01")


def told(report: Report) -> set[str]:
    return {one.rule for one in report.findings} - {FindingId.PARTIAL_BANLIST}


@pytest.mark.parametrize(
    ("line", "id"),
    [
        ("Gibberish of nothing", "invalid-line"),
        ("4 Foo Bar Baz", "unknown-card"),
        ("Companion\n1 Foo Bar Baz", "unknown-card"),
        ("Nowhere:\n1 Opt", "unknown-zone"),
    ],
)
def test_an_unsure_line_opens_no_rule_that_is_settled_without_it(line: str, id: str) -> None:
    report = found(f"4 Lightning Bolt\n56 Mountain\n{line}\n")

    assert told(report) == {id}
    assert report.verdict == "undecided"


def test_what_is_broken_whatever_the_line_says_is_told_all_the_same() -> None:
    report = found("5 Lightning Bolt\n56 Mountain\n1 Foo Bar Baz\n")

    assert told(report) == {"copies", "unknown-card"}
    assert report.verdict == "illegal"


def test_a_rule_that_is_open_without_the_line_stays_open() -> None:
    facts = "3 Brainstorm\n53 Mountain\n4 Lightning Bolt\n"
    alone, beside = found(facts), found(f"{facts}1 Foo Bar Baz\n")

    assert told(alone) == {"pool"}
    assert told(beside) == {"pool", "unknown-card"}


def test_a_commander_nobody_knows_opens_the_rules_that_hang_on_it_once() -> None:
    report = found("Commander\n1 Foo Bar Baz\nDeck\n98 Plains\n1 Lightning Bolt\n", "magic/commander")

    assert told(report) == {"unknown-card"}
    assert report.verdict == "undecided"


@pytest.mark.parametrize("row", ["{n} {c}", "{n} x {c}", "{c} ×{n}", "・{c} {n}枚"])
def test_too_many_unknown_cards_are_too_many(row: str) -> None:
    def sideboard(number: int) -> Report:
        unknown = (row.format(n=1, c=f"Foo {chr(65 + at)}") for at in range(number))
        return found("\n".join([row.format(n=60, c="Mountain"), "Sideboard", *unknown]))

    report = sideboard(16)
    assert told(report) == {"side-size", "unknown-card"} and report.verdict == "illegal"
    assert told(sideboard(15)) == {"unknown-card"}


def test_a_line_without_a_count_may_be_no_card() -> None:
    lines = [f"Foo {first}{second}" for first in "ABCDEFGHIJK" for second in "ABCDEFGHIJ"]
    with pytest.raises(UserError, match="no card can be read in this list"):
        found("\n".join(lines), "magic/commander")
    counted = found("\n".join(f"1 {line}" for line in lines), "magic/commander")
    assert "deck-size" in {one.rule for one in counted.findings if one.verdict != "undecided"}


def test_an_unknown_card_that_may_live_in_another_zone_breaks_no_size_of_its_own() -> None:
    game = "duel-masters/original"
    report = found("40 x 青銅の鎧\n1 x なぞのカード", game)
    assert "main-size" not in {one.rule for one in report.findings if one.verdict != "undecided"}
    unknown = "\n".join(f"4 x なぞの{name}" for name in ("剣", "盾", "弓", "槍"))
    report = found(f"50 x 青銅の鎧\nサイド\n{unknown}", "duel-masters/duemagic")
    assert {"side-size"} <= {one.rule for one in report.findings if one.verdict != "undecided"}


@pytest.mark.parametrize("line", ["My EDH top 8", "Ramp 9", "Ramp x9", "Removal 90"])
def test_a_number_in_a_note_makes_it_no_card(line: str) -> None:
    cards = ["Commander", "1 Kenrith, the Returned King", "Deck", "99 Plains"]
    for lines in ([line, *cards], [*cards, line]):
        report = found("\n".join(lines), "magic/commander")
        assert "deck-size" not in {one.rule for one in report.findings if one.verdict != "undecided"}


def test_an_unknown_card_in_a_zone_that_was_guessed_may_be_in_another() -> None:
    report = found("99 Plains\nSB: 1 Giada, Font of Hope\nSB: 1 Nobody of Nowhere\n", "magic/commander")
    assert "deck-size" not in {one.rule for one in report.findings if one.verdict != "undecided"}


def test_cards_below_a_line_that_may_be_a_heading_may_be_in_another_zone_or_none() -> None:
    names = (
        "青銅の鎧",
        "フェアリー・ライフ",
        "アクア・ガード",
        "コッコ・ルピア",
        "アクア・ビークル",
        "炎のたてがみ",
    )
    names += ("白銀の牙", "からみカズラ", "スパイラル・ゲート", "デーモン・ハンド")
    main = "\n".join(f"4 {name}" for name in names)
    below = "4 ボルシャック・ドラゴン\n"

    assert told(found(f"{main}\n{below}", "duel-masters/original")) == {"main-size"}
    report = found(f"{main}\nサイドは\n{below}", "duel-masters/original")
    assert told(report) == {"invalid-line"} and report.verdict == "undecided"
    again = found(f"{main}\nサイドは\n{below}1 青銅の鎧\n", "duel-masters/original")
    assert told(again) == {"invalid-line", "copies"} and again.verdict == "undecided"
    [copies] = [finding for finding in again.findings if finding.rule == "copies"]
    assert copies.message.en == "4–5 copies of 青銅の鎧; at most 4 allowed"
    assert copies.message.ja == "《青銅の鎧》が4〜5枚あります（4枚まで）"
    above = found(f"{main}\n1 青銅の鎧\nサイドは\n{below}", "duel-masters/original")
    assert told(above) == {"invalid-line", "copies", "main-size"} and above.verdict == "illegal"


def test_unknown_names_below_a_line_that_may_be_a_heading_may_be_in_no_deck() -> None:
    above, heading, unknown = "3 Ash Blossom & Joyous Spring\n", "Some other stuff I like\n", "4 Xyzzy Foo\n"
    assert "copies" in told(found(f"{unknown}{above}{heading}3 Effect Veiler\n", "yugioh/ocg"))
    assert "copies" not in told(found(f"{above}{heading}{unknown}", "yugioh/ocg"))


@pytest.mark.parametrize(
    "line",
    [
        "入れ替えるかも",
        "候補2枚くらい",
        "入れ替えるかもしれない2枚",
        "Other cards that I would like to try some day",
    ],
)
def test_a_banned_card_below_a_line_that_may_be_a_heading_is_named(line: str) -> None:
    report = found(f"4 青銅の鎧\n{line}\n1 無双竜機ボルバルザーク\n", "duel-masters/original")
    assert told(report) == {"invalid-line", "premium"} and report.verdict == "undecided"
    assert {finding.verdict for finding in report.findings if finding.rule == "premium"} == {"undecided"}


def copies_of(*rows: str) -> Report:
    filler = (f"3 Foo {chr(65 + at)}" for at in range(12))
    return found("\n".join([*filler, *rows]), "yugioh/ocg")


@pytest.mark.parametrize(
    "rows", [["4 Nobody Knows"], ["5 Nobody Knows"], ["2 Nobody Knows", "2 Nobody Knows"]]
)
def test_too_many_copies_of_an_unknown_name_are_too_many_where_no_card_is_an_exception(
    rows: list[str],
) -> None:
    report = copies_of(*rows)
    [copies] = [one for one in report.findings if one.rule == "copies"]
    assert report.verdict == "illegal" and copies.verdict == "violated"
    assert copies.found == sum(int(row[0]) for row in rows) and copies.allowed == {"at_most": 3}
    assert [card.line for card in copies.cards] == list(range(13, 13 + len(rows)))
    assert copies.message.in_("en") == f"{copies.found} copies of Nobody Knows; at most 3 allowed"


@pytest.mark.parametrize("rows", [["3 Nobody Knows", "1 Nobody Knew"], ["2 Nobody Knows", "2 Nobody Knew"]])
def test_few_enough_copies_of_each_unknown_name_break_nothing(rows: list[str]) -> None:
    assert told(copies_of(*rows)) == {"unknown-card"}


def test_an_unknown_name_may_be_a_card_that_may_be_played_in_any_number() -> None:
    assert told(found("56 Mountain\n4 Opt\n5 Foo Bar Baz\n")) == {"unknown-card"}


def test_a_number_that_is_the_sum_of_other_lines_may_be_no_card() -> None:
    def sideboard(*counts: int) -> set[str]:
        rows = [f"{count} Foo {chr(65 + at)}" for at, count in enumerate(counts)]
        return told(found("\n".join(["60 Mountain", "Sideboard", "5 Geschoepfe", *rows])))

    assert sideboard(2, 3, 4, 2) == {"unknown-card"}
    assert sideboard(2, 4, 3, 2) == {"unknown-card", "side-size"}


def test_unknown_names_are_one_finding_with_all_lines_and_the_nearest_names() -> None:
    report = found("4 Lightnig Bolt\n4 Foo Bar Baz\n48 Mountain\n4 Lightnig Bolt\n")
    [unknown] = [one for one in report.findings if one.rule == "unknown-card"]
    assert unknown.message.in_("en") == "2 names are not in the card table: 'Lightnig Bolt', 'Foo Bar Baz'"
    assert [(card.name, card.line) for card in unknown.cards] == [
        ("Lightnig Bolt", 1),
        ("Foo Bar Baz", 2),
        ("Lightnig Bolt", 4),
    ]
    assert unknown.hint is not None and "import" in unknown.hint.in_("en")
    hints = [part.hint and part.hint.in_("en") for part in unknown.parts]
    assert hints[0] == hints[2] and str(hints[0]).startswith("did you mean Lightning Bolt")


@pytest.mark.parametrize("line", ["~~アクア・ガード~~", "コッコ・ルピア ×", "2+2 なぞのカード"])
def test_an_unreadable_line_that_can_be_no_heading_leaves_the_cards_below_in_the_deck(line: str) -> None:
    names = (
        "フェアリー・ライフ",
        "アクア・ビークル",
        "炎のたてがみ",
        "白銀の牙",
        "からみカズラ",
        "スパイラル・ゲート",
    )
    main = "".join(f"4 {name}\n" for name in names)
    report = found(f"{main}4 青銅の鎧\n{line}\n1 青銅の鎧\n", "duel-masters/original")
    assert told(report) >= {"invalid-line", "copies"} and report.verdict == "illegal"
