"""What only an unsure line keeps open is told by that line, once, and not again by every rule that it might concern."""

from __future__ import annotations

from functools import cache

import pytest

from deckcheck.checking.judge import check, load_format
from deckcheck.model.finding import FindingId, Report
from deckcheck.support.errors import UserError

FORMATS = {
    "modern": "magic/modern",
    "commander": "magic/commander",
    "original": "duel-masters/original",
    "ocg": "yugioh/ocg",
}


_loaded = cache(load_format)


def found(text: str, format: str = "modern") -> Report:
    return check(text, _loaded(FORMATS.get(format, format)), as_of="2025-12-01")


def told(report: Report) -> set[str]:
    return {finding.rule for finding in report.findings} - {FindingId.PARTIAL_BANLIST}


def broken(report: Report) -> set[str]:
    return {finding.rule for finding in report.findings if finding.verdict == "violated"}


FORTY = "".join(
    f"4 {name}\n"
    for name in (
        "青銅の鎧", "フェアリー・ライフ", "アクア・ガード", "コッコ・ルピア", "アクア・ビークル", "炎のたてがみ",
        "白銀の牙", "からみカズラ", "スパイラル・ゲート", "デーモン・ハンド",
    )
)  # fmt: skip
DRAGON = "4 ボルシャック・ドラゴン\n"
BOLTS = "4 Lightning Bolt\n56 Mountain\n"
FILLER = "".join(f"3 Foo {letter}\n" for letter in "ABCDEFGHIJKL")


def sideboard(*counts: int, row: str = "{n} {c}") -> str:
    """Sixty known cards, and a sideboard of unknown ones."""
    unknown = [row.format(n=count, c=f"Foo {chr(65 + number)}") for number, count in enumerate(counts)]
    return "\n".join([row.format(n=60, c="Mountain"), "Sideboard", *unknown])


ROWS = ("{n} {c}", "{n} x {c}", "{c} ×{n}", "・{c} {n}枚")
CASES = [
    # A line opens no rule that is settled without it.
    ("modern", f"{BOLTS}Gibberish of nothing\n", {"invalid-line"}, "undecided"),
    ("modern", f"{BOLTS}4 Foo Bar Baz\n", {"unknown-card"}, "undecided"),
    ("modern", f"{BOLTS}Companion\n1 Foo Bar Baz\n", {"unknown-card"}, "undecided"),
    ("modern", f"{BOLTS}Nowhere:\n1 Opt\n", {"unknown-zone"}, "undecided"),
    ("modern", "5 Lightning Bolt\n56 Mountain\n1 Foo Bar Baz\n", {"copies", "unknown-card"}, "illegal"),
    ("modern", "3 Brainstorm\n53 Mountain\n4 Lightning Bolt\n", {"pool"}, None),
    ("modern", "3 Brainstorm\n53 Mountain\n4 Lightning Bolt\n1 Foo Bar Baz\n", {"pool", "unknown-card"}, None),
    ("commander", "Commander\n1 Foo Bar Baz\nDeck\n98 Plains\n1 Lightning Bolt\n", {"unknown-card"}, "undecided"),
    # Unknown cards are cards.
    *(("modern", sideboard(*[1] * 16, row=row), {"side-size", "unknown-card"}, "illegal") for row in ROWS),
    *(("modern", sideboard(*[1] * 15, row=row), {"unknown-card"}, "undecided") for row in ROWS[:2]),
    # A number that is the sum of other lines may be no card.
    ("modern", "60 Mountain\nSideboard\n5 Geschoepfe\n2 Foo A\n3 Foo B\n4 Foo C\n2 Foo D\n", {"unknown-card"}, "undecided"),
    # Too many of one unknown name are too many only where no card is an exception.
    ("ocg", f"{FILLER}3 Nobody Knows\n1 Nobody Knew\n", {"unknown-card"}, "undecided"),
    ("ocg", f"{FILLER}2 Nobody Knows\n2 Nobody Knew\n", {"unknown-card"}, "undecided"),
    ("modern", "56 Mountain\n4 Opt\n5 Foo Bar Baz\n", {"unknown-card"}, "undecided"),
    # Cards below a line that may be a heading may be in another zone or none.
    ("original", f"{FORTY}\n{DRAGON}", {"main-size"}, "illegal"),
    ("original", f"{FORTY}サイドは\n{DRAGON}", {"invalid-line"}, "undecided"),
    ("original", f"{FORTY}サイドは\n{DRAGON}1 青銅の鎧\n", {"invalid-line", "copies"}, "undecided"),
    ("original", f"{FORTY}1 青銅の鎧\nサイドは\n{DRAGON}", {"invalid-line", "copies", "main-size"}, "illegal"),
    ("modern", '{"deck": ["56 Island", "4 Shock"], "cards": ["56 Island", "4 Shock"]}', {"invalid-line", "copies"}, "undecided"),
    ("modern", '{"deck": {"main": {"Island": 60}, "side": ["4 Shock"]}, "old": {"side": ["15 Island"]}}', {"unknown-zone"}, "undecided"),
    *(
        ("original", f"4 青銅の鎧\n{line}\n1 無双竜機ボルバルザーク\n", {"invalid-line", "premium"}, "undecided")
        for line in ("入れ替えるかも", "候補2枚くらい", "入れ替えるかもしれない2枚", "Other cards that I would like to try some day")
    ),
]  # fmt: skip


@pytest.mark.parametrize(("format", "text", "rules", "verdict"), CASES)
def test_what_is_told_and_decided(format: str, text: str, rules: set[str], verdict: str | None) -> None:
    report = found(text, format)
    assert told(report) == rules
    assert verdict in (None, report.verdict)


PLAINS = "Commander\n1 Kenrith, the Returned King\nDeck\n99 Plains\n"
NOTES = ("My EDH top 8", "Ramp 9", "Ramp x9", "Removal 90")
STUFF = "Some other stuff I like\n"
UNKNOWN = "".join(f"4 x なぞの{name}\n" for name in ("剣", "盾", "弓", "槍"))
BELOW = FORTY.replace("4 アクア・ガード\n", "").replace("4 コッコ・ルピア\n", "")


@pytest.mark.parametrize(
    ("format", "text", "rule", "is_broken"),
    [
        # An unknown card may live in another zone than the one where it stands, or was guessed to.
        ("original", "40 x 青銅の鎧\n1 x なぞのカード", "main-size", False),
        ("duel-masters/duemagic", f"50 x 青銅の鎧\nサイド\n{UNKNOWN}", "side-size", True),
        ("commander", "99 Plains\nSB: 1 Giada, Font of Hope\nSB: 1 Nobody of Nowhere\n", "deck-size", False),
        # A number in a note makes it no card.
        *(("commander", f"{note}\n{PLAINS}", "deck-size", False) for note in NOTES),
        *(("commander", f"{PLAINS}{note}\n", "deck-size", False) for note in NOTES),
        # Unknown names below a line that may be a heading may be in no deck.
        ("ocg", f"4 Xyzzy Foo\n3 Ash Blossom & Joyous Spring\n{STUFF}3 Effect Veiler\n", "copies", True),
        ("ocg", f"3 Ash Blossom & Joyous Spring\n{STUFF}4 Xyzzy Foo\n", "copies", False),
        # An unreadable line that can be no heading leaves the cards below it in the deck.
        *(
            ("original", f"{BELOW}{line}\n1 青銅の鎧\n", "copies", True)
            for line in ("~~アクア・ガード~~", "コッコ・ルピア ×", "2+2 なぞのカード")
        ),
    ],
)
def test_what_is_broken_for_sure(format: str, text: str, rule: str, is_broken: bool) -> None:
    assert (rule in broken(found(text, format))) == is_broken


def test_a_line_without_a_count_may_be_no_card() -> None:
    lines = [f"Foo {first}{second}" for first in "ABCDEFGHIJK" for second in "ABCDEFGHIJ"]
    with pytest.raises(UserError, match="no card can be read in this list"):
        found("\n".join(lines), "commander")
    assert "deck-size" in broken(found("\n".join(f"1 {line}" for line in lines), "commander"))


def test_copies_that_may_be_in_the_deck_are_told_as_a_range() -> None:
    report = found(f"{FORTY}サイドは\n{DRAGON}1 青銅の鎧\n", "original")
    [copies] = [finding for finding in report.findings if finding.rule == "copies"]
    assert copies.message.en == "4–5 copies of 青銅の鎧; at most 4 allowed"
    assert copies.message.ja == "《青銅の鎧》が4〜5枚あります（4枚まで）"


@pytest.mark.parametrize("rows", [["4 Nobody Knows"], ["2 Nobody Knows", "2 Nobody Knows"]])
def test_too_many_copies_of_an_unknown_name_are_told_with_their_lines(rows: list[str]) -> None:
    report = found(FILLER + "\n".join(rows), "ocg")
    [copies] = [finding for finding in report.findings if finding.rule == "copies"]
    assert report.verdict == "illegal" and copies.verdict == "violated"
    assert copies.found == sum(int(row[0]) for row in rows) and copies.allowed == {"at_most": 3}
    assert [card.line for card in copies.cards] == list(range(13, 13 + len(rows)))
    assert copies.message.in_("en") == f"{copies.found} copies of Nobody Knows; at most 3 allowed"


def test_unknown_names_are_one_finding_with_all_lines_and_the_nearest_names() -> None:
    report = found("4 Lightnig Bolt\n4 Foo Bar Baz\n48 Mountain\n4 Lightnig Bolt\n")
    [unknown] = [finding for finding in report.findings if finding.rule == "unknown-card"]
    assert unknown.message.in_("en") == "2 names are not in the card table: 'Lightnig Bolt', 'Foo Bar Baz'"
    lines = [(card.name, card.line) for card in unknown.cards]
    assert lines == [("Lightnig Bolt", 1), ("Foo Bar Baz", 2), ("Lightnig Bolt", 4)]
    assert unknown.hint is not None and "import" in unknown.hint.in_("en")
    hints = [part.hint and part.hint.in_("en") for part in unknown.parts]
    assert hints[0] == hints[2] and str(hints[0]).startswith("did you mean Lightning Bolt")
