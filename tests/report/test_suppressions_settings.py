"""What the settings ask not to be told, and what is told in its place."""

from __future__ import annotations

import pytest
from factories.suppressions import LIMITED, NOBODY, A, B, judged, left_out, told
from msgspec.structs import replace

from deckcheck.checking.judge import check, load_format
from deckcheck.model.finding import UNCLEAR
from deckcheck.model.format import Source
from deckcheck.report.suppressions import Grading, graded

HERE = Source("deckcheck.toml", 7)
NOTHING = Grading(None, HERE, {}, {})


def test_settings_ignore_select_and_grade() -> None:
    report = judged(f"5 x {A}\n4 x {B}\n2 x {LIMITED}\n1 x {NOBODY}\n")
    assert told(report) == ["copies 1", "hall 3", "unknown-card 4"]
    assert graded(report, NOTHING) == report
    got = graded(report, replace(NOTHING, ignore={"copies": Source("s", 3)}))
    assert (told(got), got.verdict) == (["hall 3", "unknown-card 4"], "illegal")
    assert [(one.finding.rule, one.by, one.reason, one.source) for one in got.suppressed] == [("copies", "settings", "", Source("s", 3))]  # fmt: skip
    got = graded(report, replace(NOTHING, select=frozenset(["hall"])))
    assert told(got) == ["hall 3", "unknown-card 4"]
    assert got.suppressed[0].source == HERE
    got = graded(report, replace(NOTHING, select=frozenset(["hall"]), ignore={"hall": Source("s", 3)}))
    assert (told(got), got.verdict) == (["unknown-card 4"], "undecided"), "what is ignored is not selected"
    got = graded(report, replace(NOTHING, severity={"hall": "warning", "copies": "info"}))
    assert [one.severity for one in got.findings] == ["info", "warning", "error"]
    assert got.verdict == "undecided"


def test_settings_have_no_say_over_what_is_unknown() -> None:
    report = judged(f"8 x {A} # deckcheck: ignore[\n1 x {NOBODY}\n4\n")
    every = replace(
        NOTHING,
        select=frozenset(),
        ignore=dict.fromkeys([*UNCLEAR, "invalid-suppression", "copies"], HERE),
        severity=dict.fromkeys(UNCLEAR, "info"),
    )
    got = graded(report, every)
    assert told(got) == ["invalid-suppression 1", "unknown-card 2", "invalid-line 3"]
    assert got.verdict == "undecided"
    assert [one.severity for one in got.findings if one.rule in UNCLEAR] == ["error", "error"]


def test_what_the_list_and_the_settings_leave_out_adds_up() -> None:
    report = judged(
        f"5 x {A} # deckcheck: ignore[copies] why\n4 x {B}\n2 x {LIMITED}\n# deckcheck: ignore[x]\n"
    )
    got = graded(report, replace(NOTHING, ignore={"hall": HERE, "unused-suppression": HERE}))
    assert sorted(left_out(got)) == ["copies line 1 why", "hall settings 7", "unused-suppression settings 7"]
    assert (told(got), got.verdict) == ([], "legal")


PLAIN = "".join(
    f"4 x {name}\n"
    for name in (
        "凶戦士ブレイズ・クロー",
        "喧嘩屋タイラー",
        "不死身男爵ボーグ",
        "一撃必殺のホーバス",
        "職人ピコラ",
        "小さな勇者ゲット",
        "技師ピーポ",
        "突神兵ドガーン",
    )
)


def told_of(line: str, grading: Grading | None = None) -> tuple[str, list[str]]:
    report = check(PLAIN + line, load_format("duel-masters/original"), as_of="2026-01-10")
    if grading is not None:
        report = graded(report, grading)
    return report.verdict, [one.rule for one in report.findings]


HALL = "8 x エメラル"


@pytest.mark.parametrize(
    ("line", "verdict", "rules"),
    [
        (HALL, "illegal", ["hall"]),
        (f"{HALL} # deckcheck: ignore[hall]", "illegal", ["copies"]),
        (f"{HALL} # deckcheck: ignore[hall, copies]", "legal", []),
        (f"{HALL} # deckcheck: ignore[copies]", "illegal", ["hall", "unused-suppression"]),
    ],
)
def test_what_a_stricter_rule_spoke_for_is_told_when_that_is_ignored(
    line: str, verdict: str, rules: list[str]
) -> None:
    assert told_of(line) == (verdict, rules)


@pytest.mark.parametrize(
    ("grading", "verdict", "rules"),
    [
        (Grading(None, HERE, {"hall": HERE}, {}), "illegal", ["copies"]),
        (Grading(frozenset(["copies"]), HERE, {}, {}), "illegal", ["copies"]),
        (Grading(None, HERE, {}, {"hall": "info"}), "illegal", ["hall", "copies"]),
        (Grading(None, HERE, {"hall": HERE}, {"copies": "warning"}), "legal", ["copies"]),
        (Grading(None, HERE, {"copies": HERE}, {}), "illegal", ["hall"]),
    ],
)
def test_the_same_goes_for_what_the_settings_say(grading: Grading, verdict: str, rules: list[str]) -> None:
    assert told_of(HALL, grading) == (verdict, rules)


def test_a_zone_that_is_not_played_stays_unknown_when_its_ban_is_ignored() -> None:
    text = f"{PLAIN}8 x 青銅の鎧 # deckcheck: ignore[copies]\n超次元\n1 x 時空の剣士アクア・カトラス"
    refused = check(text, load_format("duel-masters/original"), as_of="2026-01-10")
    assert [one.rule for one in refused.findings] == ["forbidden-kind"]
    ignored = check(
        text + " # deckcheck: ignore[forbidden-kind]",
        load_format("duel-masters/original"),
        as_of="2026-01-10",
    )
    assert (ignored.verdict, [one.rule for one in ignored.findings]) == ("undecided", ["unknown-zone"])
