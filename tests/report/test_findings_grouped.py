"""Findings of one rule with one cause are one finding; outputs that mark lines mark each of its lines."""

from __future__ import annotations

import json

import pytest
from factories.reports import written as of_run
from jsonschema import Draft7Validator

from deckcheck.checking.judge import check, load_format
from deckcheck.model.finding import Finding, Report
from deckcheck.report.results import OUTPUT_FORMATS, RenderOptions
from deckcheck.support.documents import load_schema

OFF_COLOUR = ("アクア・サーファー", "天災 デドダム", "ゴースト・タッチ")
LEADER = "ボルメテウス・ホワイト・ドラゴン"
LIST = f"統率者\n1 {LEADER}\n\nメインデッキ\n" + "".join(f"1 {name}\n" for name in OFF_COLOUR)
MISSPELT = "4 Lightnig Bolt\n4 Nobody Knows\n48 Mountain\n4 Counterspel\n"


def commander(text: str = LIST) -> Report:
    return check(text, load_format("duel-masters/commander"), as_of="2021-04-01", path="deck.txt")


def modern(text: str = MISSPELT) -> Report:
    return check(text, load_format("magic/modern"), as_of="2025-12-01", path="deck.txt")


def of_rule(report: Report, rule: str) -> list[Finding]:
    return [finding for finding in report.findings if finding.rule == rule]


def written(report: Report, output: str, lang: str = "en") -> str:
    return of_run(output, [report], look=RenderOptions(lang))


def test_cards_outside_of_the_colours_are_one_finding_that_names_the_leader_and_its_colours() -> None:
    [finding] = of_rule(commander(), "civilization-identity")
    assert [card.name for card in finding.cards] == list(OFF_COLOUR)
    assert all(name in finding.message.in_("ja") for name in OFF_COLOUR)
    said = f"{OFF_COLOUR[0]} has a civilization that the commander lacks"
    assert finding.message.in_("en").startswith(said)
    [leader] = finding.related
    said = f"civilization of {LEADER}: Fire"
    assert (leader.message.in_("en"), leader.path, leader.line) == (said, "deck.txt", 2)
    hints = [part.hint and part.hint.in_("en").removeprefix("civilization: ") for part in finding.parts]
    assert hints == ["Water", "Water, Darkness, Nature", "Darkness"]
    # A card alone is a finding without parts.
    alone = commander(LIST.replace(f"1 {OFF_COLOUR[1]}\n1 {OFF_COLOUR[2]}\n", ""))
    [finding] = of_rule(alone, "civilization-identity")
    assert finding.parts == ()
    assert finding.message.in_("ja") == f"《{OFF_COLOUR[0]}》は統率者にない文明を持っています"


def test_cards_that_a_list_bans_are_banned_each_for_itself() -> None:
    assert len(of_rule(modern("4 Ponder\n4 Mental Misstep\n52 Mountain\n"), "banned")) == 2


def test_a_passcode_on_three_lines_is_one_finding() -> None:
    lines = "#main\n" + "99999999\n" * 3 + "89631139\n" * 37 + "#extra\n!side\n"
    [unknown] = of_rule(check(lines, load_format("yugioh/ocg"), path="deck.ydk"), "unknown-card")
    assert unknown.message.in_("en") == "'99999999' is not in the card table"
    assert [card.line for card in unknown.cards] == [2, 3, 4]


def test_a_line_may_ask_to_leave_out_its_own_card() -> None:
    asking = LIST.replace(OFF_COLOUR[1], f"{OFF_COLOUR[1]} # deckcheck: ignore[civilization-identity]")
    report = commander(asking)
    [finding] = of_rule(report, "civilization-identity")
    assert [card.name for card in finding.cards] == [OFF_COLOUR[0], OFF_COLOUR[2]]
    assert [one.finding.cards[0].name for one in report.suppressed] == [OFF_COLOUR[1]]


def test_many_lines_are_all_shown_without_carets() -> None:
    names = [f"Nobody {chr(65 + at)}{chr(65 + at)}" for at in range(21)]
    text = written(modern("".join(f"2 {name}\n" for name in names) + "18 Mountain\n"), "text")
    assert text.count("[unknown-card]") == 1 and "^" not in text
    assert all(f"| 2 {name}" in text for name in names)


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("output", OUTPUT_FORMATS)
def test_every_output_names_each_card_and_the_nearest_names(output: str, lang: str) -> None:
    text = written(modern(), output, lang)
    for name in ("Lightnig Bolt", "Nobody Knows", "Counterspel"):
        assert name in text, output
    if output not in ("concise", "gitlab"):
        assert "Lightning Bolt" in text and "Counterspell" in text


@pytest.mark.parametrize(
    ("output", "marks"),
    [
        ("github", ["line=1,", "line=2,", "line=4,"]),
        ("gitlab", ['"begin": 1}', '"begin": 2}', '"begin": 4}']),
        ("sarif", ['"startLine": 1,', '"startLine": 2,', '"startLine": 4,']),
        ("concise", ["deck.txt:1:3:", "deck.txt:2:3:", "deck.txt:4:3:"]),
        # These have one entry for all.
        ("text", ["[unknown-card]"]),
        ("markdown", ["| `unknown-card` |"]),
    ],
)
def test_outputs_for_lines_mark_each_line(output: str, marks: list[str]) -> None:
    text = written(modern(), output)
    assert [text.count(mark) for mark in marks] == [1] * len(marks), text


def test_json_has_the_parts_as_findings_of_their_own() -> None:
    run = json.loads(written(modern(), "json"))
    Draft7Validator(load_schema("report")).validate(run)
    [unknown] = [one for one in run["decks"][0]["findings"] if one["rule"] == "unknown-card"]
    lines = [[one["line"] for one in unknown[key]] for key in ("parts", "cards")]
    assert lines == [[1, 2, 4]] * 2
    assert unknown["parts"][0]["hint"].startswith("did you mean Lightning Bolt")
    assert all(part["parts"] == [] for part in unknown["parts"])
