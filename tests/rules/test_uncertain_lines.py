"""What only an unsure line keeps open is told by that line, once, and not again by every rule that it might concern."""

from __future__ import annotations

import pytest

from deckcheck.checking.judge import check, load_format
from deckcheck.model.finding import PARTIAL, Report


def found(text: str, format: str = "magic/modern") -> Report:
    return check(text, load_format(format), as_of="2025-12-01")


def told(report: Report) -> set[str]:
    return {one.rule for one in report.findings} - {PARTIAL}


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
