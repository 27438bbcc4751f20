"""A card that a list calls by another name is told by both names."""

from __future__ import annotations

from deckcheck.checking.judge import check, load_format
from deckcheck.model.finding import Report


def found(text: str) -> Report:
    return check(text, load_format("magic/modern"), as_of="2025-12-01")


def messages(report: Report, lang: str) -> dict[str, str]:
    return {one.rule: one.message.in_(lang) for one in report.findings if one.line is not None}


def test_a_name_in_another_language_is_told_beside_the_cards_own() -> None:
    report = found("53 山\n7 稲妻\n3 渦まく知識\n")

    assert messages(report, "ja") == {
        "copies": "《稲妻/Lightning Bolt》が7枚あります（4枚まで）",
        "pool": "《渦まく知識/Brainstorm》はモダンでは使えません",
    }
    assert messages(report, "en") == {
        "copies": "7 copies of 稲妻/Lightning Bolt; at most 4 allowed",
        "pool": "渦まく知識/Brainstorm is not in the card pool of Modern",
    }
    [copies] = [one for one in report.findings if one.rule == "copies"]
    assert copies.cards[0].name == "Lightning Bolt"


def test_the_name_of_a_message_that_a_format_gives_is_told_so_too() -> None:
    report = check("統率者\n1 稲妻\nデッキ\n99 山\n", load_format("magic/commander"), as_of="2025-12-01")

    assert messages(report, "ja")["commander-kind"].startswith("《稲妻/Lightning Bolt》は統率者にできません")


def test_another_spelling_is_no_other_name() -> None:
    report = found("53 Mountain\n4 lightning  bolt\n3 Lightning Bolt\n")

    assert messages(report, "en") == {"copies": "7 copies of Lightning Bolt; at most 4 allowed"}


def test_half_of_a_name_is_no_other_name() -> None:
    report = found("55 Island\n5 Fire\n")

    assert messages(report, "en") == {"copies": "5 copies of Fire // Ice; at most 4 allowed"}


def test_the_first_of_several_names_is_told() -> None:
    report = found("53 Mountain\n4 稲妻\n3 Lightning Bolt\n")

    assert messages(report, "ja") == {"copies": "《稲妻/Lightning Bolt》が7枚あります（4枚まで）"}
