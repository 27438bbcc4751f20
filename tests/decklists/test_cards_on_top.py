"""Lists with the commander on top, as Moxfield's plain text has it: read, or undecided with the heading to write."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from deckcheck import check, load_format
from deckcheck.model.finding import Report

LEADER, WHITE = "Kenrith, the Returned King", "Adeline, Resplendent Cathar"
PARTNERS = ("Thrasios, Triton Hero", "Tymna the Weaver")
HEADING = "write that heading above them"


def report_of(*cards: str, format: str = "magic/commander") -> Report:
    lines = [card if not card or card[0].isdigit() or card.endswith(":") else f"1 {card}" for card in cards]
    return check("\n".join(lines) + "\n", load_format(format), as_of="2026-11-01")


def on_top(report: Report, zone: str = "commander") -> list[str]:
    return [entry.written for entry in report.deck.entries if entry.zone == zone]


@pytest.mark.parametrize(
    ("cards", "leaders"),
    [
        ([LEADER, "Sol Ring", "98 Plains"], [LEADER]),
        ([LEADER, "", "Sol Ring", "98 Plains"], [LEADER]),
        ([LEADER, WHITE, "98 Plains"], [LEADER]),
        ([*PARTNERS, "Sol Ring", "97 Plains"], [*PARTNERS]),
        ([*PARTNERS, "", "Sol Ring", "97 Plains"], [*PARTNERS]),
        ([f"{LEADER} (ELD) 303", "", "1 Sol Ring (C15) 100", "98 Plains (M10) 230"], [LEADER]),
        ([LEADER, "99 Plains", "", "SIDEBOARD:", "Umori, the Collector"], [LEADER]),
    ],
)
def test_the_first_cards_that_may_lead_are_the_commanders(
    cards: Sequence[str], leaders: Sequence[str]
) -> None:
    report = report_of(*cards)
    assert on_top(report) == list(leaders)
    assert report.verdict == "legal"
    said = next(item for item in report.findings if "on top" in item.text())
    assert (said.severity, said.line) == ("info", 1)
    assert all(f"“{name}”" in said.text() for name in leaders)


@pytest.mark.parametrize(
    "cards",
    [
        ["Sol Ring", "98 Plains", LEADER],
        [WHITE, "Sol Ring", "97 Island", LEADER],
        [WHITE, "Sol Ring", "96 Island", "", "Lightning Bolt", LEADER],
    ],
)
def test_where_others_may_lead_one_message_says_which_heading_to_write(cards: Sequence[str]) -> None:
    report = report_of(*cards)
    assert report.verdict == "undecided"
    [finding] = report.findings
    assert HEADING in finding.text() and "“Commander”" in finding.text()
    assert "「統率者」" in finding.text("ja")


def test_what_is_wrong_whoever_leads_is_illegal() -> None:
    banned = report_of("Mana Crypt", "98 Plains", LEADER)
    assert banned.verdict == "illegal"
    assert {item.rule for item in banned.findings} == {"banned", "unknown-zone"}
    too_many = report_of(LEADER, "Sol Ring", "99 Plains")
    assert (too_many.verdict, {item.rule for item in too_many.findings}) == (
        "illegal",
        {"deck-size", "moved-to-home-zone"},
    )
    apart = report_of(WHITE, "", LEADER, "98 Island")
    assert (apart.verdict, on_top(apart)) == ("illegal", [WHITE])


def test_a_list_without_anybody_who_may_lead_lacks_one() -> None:
    report = report_of("Sol Ring", "99 Plains")
    assert (report.verdict, [item.rule for item in report.findings]) == ("illegal", ["commander-count"])


def test_a_list_that_names_the_zone_is_left_as_it_is() -> None:
    report = report_of(WHITE, "98 Plains", "Commander:", LEADER)
    assert (report.verdict, on_top(report)) == ("legal", [LEADER])


def test_two_zones_may_be_on_top() -> None:
    report = report_of("Saheeli Rai", "Ponder", "58 Island", format="magic/oathbreaker")
    assert on_top(report) == ["Saheeli Rai"]
    assert on_top(report, "signature-spell") == ["Ponder"]
    assert report.verdict == "legal"
