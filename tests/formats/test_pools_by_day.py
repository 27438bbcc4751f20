"""Since when cards may be played: both sides of the day of the first printing that counts."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from deckcheck import check, load_format

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
