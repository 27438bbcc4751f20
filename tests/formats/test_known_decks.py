"""Bundled facts: since when cards may be played, what changes of a list do, and ordinary decks that are legal."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from deckcheck.checking.judge import check, load_format

DAYS = {
    "modern": {
        "Serra Angel": "2003-07-28", "Llanowar Elves": "2005-07-29", "Avalanche Riders": "2006-10-06",
        "Overrun": "2007-07-13", "Lightning Bolt": "2009-07-17", "Goblin Piledriver": "2015-07-17",
        "Opt": "2017-09-29", "Flusterstorm": "2019-06-14", "Counterspell": "2021-06-18",
        "Cabal Coffers": "2021-06-18", "Orim's Chant": "2024-06-14", "Sylvan Safekeeper": "2024-06-14",
    },
    "pioneer": {
        "Steam Vents": "2012-10-05", "Thoughtseize": "2013-09-27", "Typhoid Rats": "2014-07-18",
        "Fiery Temper": "2016-04-08", "Omniscience": "2018-07-13", "Cultivate": "2020-07-03",
        "Adarkar Wastes": "2022-09-09", "Day of Judgment": "2024-11-15", "Tarmogoyf": "2026-10-02",
    },
    "standard": {"Steam Vents": "2026-01-23", "Tarmogoyf": "2026-10-02"},
    "pauper": {
        "Abrade": "2020-08-07", "Advanced Stitchwing": "2022-07-08", "Monastery Swiftspear": "2022-07-08",
        "Chainer's Edict": "2014-06-16", "Essence Flux": "2025-01-24", "Counterspell": "1995-06-03",
        "Alloy Myr": "2015-05-22", "All That Glitters": "2023-08-04",
    },
}  # fmt: skip


@pytest.mark.parametrize("format", DAYS)
def test_a_card_may_be_played_from_the_day_of_the_printing_that_counts(format: str) -> None:
    loaded = load_format(f"magic/{format}")

    def refused(card: str, day: str) -> bool:
        report = check(f"4 {card}\n56 Plains", loaded, as_of=day)
        return any(finding.rule in ("pool", "common") for finding in report.findings)

    for card, first in DAYS[format].items():
        day_before = str(date.fromisoformat(first) - timedelta(days=1))
        assert (refused(card, day_before), refused(card, first)) == (True, False), card


def test_a_set_that_goes_on_for_years_gives_no_first_day() -> None:
    legacy = load_format("magic/legacy")
    text = "4 Sheltered by Ghosts\n4 Kratos, God of War\n52 Plains"
    early, late = (check(text, legacy, as_of=day) for day in ("2024-09-26", "2024-09-27"))
    (finding,) = [finding for finding in early.findings if finding.rule == "not-yet-released"]
    assert finding.line == 1
    assert all(finding.rule != "not-yet-released" for finding in late.findings)


def test_a_printing_without_a_day_leaves_open_what_depends_on_it() -> None:
    report = check("4 Burning-Tree Emissary\n56 Mountain", load_format("magic/pauper"), as_of="2015-06-01")
    assert [(finding.rule, finding.verdict) for finding in report.findings if finding.rule == "common"] == [
        ("common", "undecided")
    ]


DECKS = Path(__file__).parent / "decks"
LEGAL = [
    ("magic/modern", "modern", "2026-08-01"),
    ("magic/pauper", "pauper", "2026-08-01"),
    ("magic/legacy", "legacy", "2026-08-01"),
    ("magic/vintage", "vintage", "2026-08-01"),
    ("magic/pioneer", "pioneer", "2026-08-01"),
    ("magic/standard", "standard", "2026-08-01"),
    ("magic/commander", "magic-commander", "2026-08-01"),
    ("magic/brawl", "brawl", "2026-08-01"),
    ("magic/oathbreaker", "oathbreaker", "2026-08-01"),
    ("yugioh/advanced", "advanced", "2026-09-28"),
    ("yugioh/traditional", "advanced", "2026-09-28"),
    ("yugioh/ocg", "advanced", "2026-10-01"),
]


@pytest.mark.parametrize(("format", "name", "day"), LEGAL)
def test_an_ordinary_deck_is_legal_by_a_list_whose_limits_are_told(format: str, name: str, day: str) -> None:
    deck, loaded = (DECKS / f"{name}.txt").read_text("utf-8"), load_format(format)
    report = check(deck, loaded, as_of=day)
    assert (report.verdict, [finding.message.en for finding in report.findings]) == ("legal", [])
    [used] = report.lists
    assert used.complete_through is not None and used.notes == ()
    [used] = check(deck, loaded, as_of="2026-12-01").lists
    assert [note.en for note in used.notes] == [
        f"this list is only known to be complete through {used.complete_through}"
    ]
    [used] = check(deck, loaded, as_of="2004-01-01").lists
    assert any("only known to be complete from" in note.en for note in used.notes)


LISTED = ("banned", "restricted", "forbidden", "limited", "semi-limited", "hall", "premium")


@pytest.mark.parametrize(
    ("format", "line", "day", "before", "after"),
    [
        ("magic/modern", "4 Amped Raptor", "2024-12-16", "", "banned"),
        ("magic/modern", "4 Phlage, Titan of Fire's Fury", "2026-05-18", "", "banned"),
        ("magic/modern", "4 Mox Opal", "2024-12-16", "banned", ""),
        ("magic/pauper", "4 Kuldotha Rebirth", "2025-03-31", "", "banned"),
        ("magic/pauper", "4 High Tide", "2025-03-31", "banned", ""),
        ("magic/pauper", "4 High Tide", "2025-11-10", "", "banned"),
        ("magic/legacy", "3 Psychic Frog", "2024-12-16", "", "banned"),
        ("magic/legacy", "3 Entomb", "2025-11-10", "", "banned"),
        ("magic/vintage", "4 Urza's Saga", "2024-08-26", "", "restricted"),
        ("magic/pioneer", "4 Smuggler's Copter", "2023-12-04", "banned", ""),
        ("magic/standard", "4 Screaming Nemesis", "2025-11-10", "", "banned"),
        ("magic/commander", "1 Jeweled Lotus", "2024-09-23", "", "banned"),
        ("magic/commander", "1 Biorhythm", "2026-02-09", "banned", ""),
        ("magic/brawl", "1 Force of Will", "2026-06-29", "", "banned"),
        ("yugioh/advanced", "3 Dimensional Barrier", "2025-10-27", "", "forbidden"),
        ("yugioh/advanced", "3 Solemn Judgment", "2025-09-15", "", "limited"),
        ("yugioh/traditional", "1 Dimensional Barrier", "2025-10-27", "", ""),
        ("yugioh/traditional", "3 Dimensional Barrier", "2025-10-27", "", "forbidden"),
        ("yugioh/ocg", "1 Called by the Grave", "2026-07-01", "", "forbidden"),
        ("yugioh/ocg", "3 Metamorphosis", "2026-10-01", "semi-limited", ""),
        ("yugioh/ocg", "3 心変わり", "2026-10-01", "", ""),
        ("duel-masters/original", "4 フェアリー・ギフト", "2026-08-10", "hall", "premium"),
        ("duel-masters/original", "4 奇跡の精霊ミルザム", "2026-08-10", "premium", "hall"),
        ("duel-masters/original", "4 “龍装”チュリス", "2026-08-10", "hall", ""),
        ("duel-masters/original", "4 お目覚めメイ様", "2026-08-10", "", "hall"),
    ],
)
def test_a_change_of_the_list_counts_from_its_day(
    format: str, line: str, day: str, before: str, after: str
) -> None:
    eve = str(date.fromisoformat(day) - timedelta(days=1))
    for as_of, rule in ((eve, before), (day, after)):
        findings = check(line, load_format(format), as_of=as_of).findings
        rules = [(finding.rule, finding.verdict) for finding in findings if finding.rule in LISTED]
        assert rules == ([(rule, "violated")] if rule else []), as_of
