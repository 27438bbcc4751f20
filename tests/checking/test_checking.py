"""What a check tells besides the rules: days, zones, lists and facts of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from factories.garden_game import (
    GARDEN,
    OAK,
    ROSE,
    Held,
    Shelf,
    banlist_from,
    card,
    deck_of,
    format_of,
    table_of,
)
from msgspec.structs import replace

from deckcheck import check, load_format
from deckcheck.checking.judge import LoadedFormat, open_game_data
from deckcheck.model.deck import Deck
from deckcheck.support.errors import UserError

Rule = dict[str, Any]
SIZE: Rule = {"id": "size", "in": "main", "at_least": 0, "at_most": 60}


@pytest.mark.parametrize(
    "written", ["2021-03-04", "2021/3/4", "2021.03.04", "2021年3月4日", "2021年03月04日"]
)
def test_a_day_may_be_written_as_people_write_it(written: str) -> None:
    deck = replace(deck_of((ROSE, 1)), header={"date": written})
    assert check(deck, format_of(SIZE)).as_of == "2021-03-04"


@pytest.mark.parametrize("written", ["2021-02-30", "yesterday", "", "20210304", "2021年"])
def test_a_day_that_is_none_is_refused_with_a_hint(written: str) -> None:
    with pytest.raises(UserError) as caught:
        check(deck_of((ROSE, 1)), format_of(SIZE), as_of=written)
    [problem] = caught.value.problems
    assert problem.hint is not None and "YYYY-MM-DD" in problem.hint.en


def test_before_its_first_edition_there_was_no_format() -> None:
    loaded = load_format("duel-masters/commander")
    early = check("統率者: ボルメテウス・ホワイト・ドラゴン\n", loaded, as_of="2020-05-27")
    first = check("統率者: ボルメテウス・ホワイト・ドラゴン\n", loaded, as_of="2020-05-28")
    assert "not-yet-released" in {finding.rule for finding in early.findings}
    assert "not-yet-released" not in {finding.rule for finding in first.findings}
    assert (early.edition, first.edition) == (None, "初版")
    assert [used.edition for used in first.lists] == [None, "初版"]


def test_a_change_of_unknown_day_is_told_and_not_applied() -> None:
    unconfirmed = {"seen_by": "2021-05-01", "changes": [{"card": "Rose", "from": "free", "to": "out"}]}
    listed = {"complete_through": "2021-01-01", "unconfirmed": unconfirmed, "cards": []}
    ban = {"id": "ban", "where": {"status": "out"}, "at_most": 0}
    loaded = format_of(ban, banlists=[listed])
    late = check(deck_of((ROSE, 1), (OAK, 1)), loaded, as_of="2021-06-01")
    assert [(finding.rule, finding.severity, finding.line) for finding in late.findings] == [
        ("unconfirmed-change", "warning", 1)
    ]
    assert late.verdict == "legal"
    assert check(deck_of((ROSE, 1)), loaded, as_of="2021-01-01").findings == ()
    assert banlist_from({**listed, "banlist": "b", "name": "B", "path": "p"}).seen_by == "2021-05-01"


def test_only_so_many_unknown_names_are_looked_for() -> None:
    asked: list[str] = []

    class Asked(Shelf):
        def suggest(self, name: str) -> list[str]:
            asked.append(name)
            return ["Rose"]

    shelf = Asked(list(GARDEN))
    table = table_of(shelf)
    loaded = LoadedFormat(format_of(SIZE).format, table)
    names = [f"name {at}" for at in range(50)]
    report = check(deck_of(*((name, 1) for name in names for _ in range(2))), loaded, as_of="2020-01-01")
    [unknown] = report.findings
    assert len(unknown.parts) == len(unknown.cards) == 100
    assert asked == names[:20]
    assert unknown.parts[1].hint == unknown.parts[0].hint


def test_own_facts_that_replace_bundled_ones_are_told(tmp_path: Path) -> None:
    own = tmp_path / "cards.yaml"
    own.write_text(
        "cards:\n  - name: アクア・ガード\n    tag: [any-number]\n    home: main\n  - {name: 明日の新カード, home: main}\n",
        encoding="utf-8",
    )
    table = open_game_data("duel-masters", [own])
    loaded = load_format("duel-masters/original", games={"duel-masters": table})
    report = check("39 アクア・ガード\n1 明日の新カード\n", loaded, as_of="2022-01-01")
    assert [(finding.rule, finding.severity) for finding in report.findings] == [("own-facts", "info")]
    assert f"{own}:2" in report.findings[0].message.ja
    bundled = check("40 アクア・ガード\n", load_format("duel-masters/original"), as_of="2022-01-01")
    assert [finding.rule for finding in bundled.findings] == ["copies"]


def test_a_whole_pool_of_own_facts_is_told_once(tmp_path: Path) -> None:
    names = ["アクア・ガード", "アクア・サーファー", "青銅の鎧", "フェアリー・ライフ"]
    own = tmp_path / "cards.yaml"
    own.write_text("cards:\n" + "".join(f"  - name: {name}\n" for name in names), encoding="utf-8")
    loaded = load_format("duel-masters/original", cards=[own])

    def told(*held: str) -> list[str]:
        report = check("".join(f"4 {name}\n" for name in held), loaded, as_of="2022-01-01")
        return [one.message.en for one in report.findings if one.rule == "own-facts"]

    assert told(*names, names[0]) == [f"4 cards are judged by {own}, not by the bundled data"]
    assert told(names[1], names[1]) == [f"{names[1]} is judged by {own}:3, not by the bundled data"]


MAIN_CAP: Rule = {"id": "cap-main", "in": "main", "per": "name", "at_most": 4}
SIDE_CAP: Rule = {"id": "cap-side", "in": "side", "per": "name", "at_most": 2}
MANY: Rule = {"id": "many", "per": "name", "at_least": 8, "at_most": 9}
CAP: Rule = {"id": "cap", "per": "name", "at_most": 2}
REFUSED: Rule = {"id": "refused", "where": {"name": ROSE.name}, "at_most": 0}
FOREIGN: Rule = {
    "id": "foreign",
    "in": "main",
    "where": {"colour": {"containing": "r", "outside": "leader"}},
    "at_most": 0,
}
RED, GREEN, LEADER = (
    card("Red", colour=["red"]),
    card("Lime", colour=["lime"]),
    card("Leader", colour=["blue"]),
)


@pytest.mark.parametrize(
    ("rules", "held", "told"),
    [
        # Causes that differ are all told.
        ([MAIN_CAP, SIDE_CAP], [(ROSE, 7), (ROSE, 4, "side")], ["cap-main", "cap-side"]),
        ([MANY, CAP], [(ROSE, 5)], ["cap", "many"]),
        # Who moves the card has still too many; who takes out a card that is refused everywhere has not.
        ([CAP, REFUSED | {"id": "misplaced", "in": "side"}], [(ROSE, 3, "side")], ["cap", "misplaced"]),
        ([CAP, REFUSED], [(ROSE, 3, "side")], ["refused"]),
        # Both parts of a condition must hold.
        ([FOREIGN], [(RED, 1), (LEADER, 1, "leader")], ["foreign"]),
        ([FOREIGN], [(GREEN, 1), (LEADER, 1, "leader")], []),
        # A zone that nobody knows is told though no reader did.
        ([SIZE], [(ROSE, 3, "Main")], ["unknown-zone"]),
    ],
)
def test_what_is_told_of_a_deck(rules: list[Rule], held: list[Held], told: list[str]) -> None:
    loaded = format_of(*rules, cards=Shelf([ROSE, RED, GREEN, LEADER]))
    findings = check(deck_of(*held), loaded, as_of="2020-01-01").findings
    assert sorted(finding.rule for finding in findings) == told


def test_an_unread_line_may_have_named_any_zone() -> None:
    loaded = load_format("duel-masters/commander")
    deck: Deck = loaded.game_data.read("1 アクア・ガード\n", "x")
    known = check(deck, loaded, as_of="2021-04-01")
    assert "commander-count" in {finding.rule for finding in known.findings}
    unread = check("1 アクア・ガード\n3か4 アクア・ガード\n", loaded, as_of="2021-04-01")
    assert "invalid-line" in {finding.rule for finding in unread.findings}
    assert "commander-count" not in {finding.rule for finding in unread.findings}


ELSEWHERE = {
    "yugioh/ocg": ("Main Deck\n40 Kuriboh\nExtra Deck\n4 Raigeki\n", {"wrong-deck", "copies"}),
    "yugioh/traditional": (
        "Main Deck\n40 Kuriboh\nExtra Deck\n3 Pot of Greed\n",
        {"wrong-deck", "forbidden"},
    ),
    "duel-masters/advance": ("メイン\n40 フェアリー・ライフ\n超次元\n6 青銅の鎧\n", {"wrong-zone", "copies"}),
}


@pytest.mark.parametrize("format", ELSEWHERE)
def test_a_card_in_a_wrong_zone_and_too_many_copies_of_it_are_both_told(format: str) -> None:
    text, broken = ELSEWHERE[format]
    report = check(text, load_format(format), as_of="2026-09-20")
    assert {finding.rule for finding in report.findings if finding.line == 4} == broken


def test_what_is_corrected_with_one_finding_is_not_told_twice() -> None:
    report = check("40 青銅の鎧\n6 天災 デドダム\n", load_format("duel-masters/original"), as_of="2026-09-20")
    caps = [finding.rule for finding in report.findings if finding.line == 2]
    assert len(caps) == 1
