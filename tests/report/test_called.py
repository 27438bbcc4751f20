"""A card that a list calls by another name is told by both names."""

from __future__ import annotations

import pytest

from deckcheck.checking.judge import check, load_format

BOTH = "《稲妻/Lightning Bolt》"


@pytest.mark.parametrize(
    ("text", "lang", "said"),
    [
        (
            "53 山\n7 稲妻\n3 渦まく知識\n",
            "ja",
            {
                "copies": f"{BOTH}が7枚あります（4枚まで）",
                "pool": "《渦まく知識/Brainstorm》はモダンでは使えません",
            },
        ),
        (
            "53 山\n7 稲妻\n3 渦まく知識\n",
            "en",
            {
                "copies": "7 copies of 稲妻/Lightning Bolt; at most 4 allowed",
                "pool": "渦まく知識/Brainstorm is not in the card pool of Modern",
            },
        ),
        # The first of several names; neither another spelling nor half of a name is another name.
        ("53 Mountain\n4 稲妻\n3 Lightning Bolt\n", "ja", {"copies": f"{BOTH}が7枚あります（4枚まで）"}),
        (
            "53 Mountain\n4 lightning  bolt\n3 Lightning Bolt\n",
            "en",
            {"copies": "7 copies of Lightning Bolt; at most 4 allowed"},
        ),
        ("55 Island\n5 Fire\n", "en", {"copies": "5 copies of Fire // Ice; at most 4 allowed"}),
    ],
)
def test_a_card_is_told_by_both_names(text: str, lang: str, said: dict[str, str]) -> None:
    report = check(text, load_format("magic/modern"), as_of="2025-12-01")
    placed = [finding for finding in report.findings if finding.line is not None]
    assert {finding.rule: finding.message.in_(lang) for finding in placed} == said
    assert all("/" not in card.name or " // " in card.name for finding in placed for card in finding.cards)


def test_the_name_of_a_message_that_a_format_gives_is_told_so_too() -> None:
    report = check("統率者\n1 稲妻\nデッキ\n99 山\n", load_format("magic/commander"), as_of="2025-12-01")
    [kind] = [finding for finding in report.findings if finding.rule == "commander-kind"]
    assert kind.message.in_("ja").startswith(f"{BOTH}は統率者にできません")
