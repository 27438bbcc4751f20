"""What stands on a sheet: lines, totals against what is required, blanks."""

from __future__ import annotations

from pathlib import Path

import pytest
from factories import printed_sheets
from factories.printed_sheets import EVENT, PLAYER, loaded, sheet

from deckcheck.checking.judge import check, load_format
from deckcheck.registration.sheet import (
    Line,
    Note,
    Required,
    Total,
    payload,
    required,
    rows,
    sheet_of,
    short,
)
from deckcheck.registration.submissions import Player

SIZES = {
    "advance": {("main",): "40、45、…", ("hyperspatial",): "0–8", ("gr",): "0か12", ("start",): "0か1か5"},
    "amadeus": {("main",): "40", ("hyperspatial",): "0–8"},
    "commander": {("commander",): "1", ("commander", "main"): "60"},
    "duel-party": {("partner",): "1", ("partner", "main"): "60"},
    "duemagic": {("main",): "50", ("side",): "0–12"},
    "original": {("main",): "40"},
}


@pytest.mark.parametrize("format", SIZES)
def test_what_is_required_is_read_from_the_format(format: str) -> None:
    rules = loaded(format)
    found = required(rules.prepared("2026-11-21"), rules.format.zones, None)
    said = {zones: one.in_("ja").replace("・", "、") for zones, one in found.items()}
    assert {zones: said.get(zones) for zones in SIZES[format]} == SIZES[format]


DATED = """\
format: club/dated
name: Dated
game: duel-masters
zones:
  main: {}
rules:
  - id: old-size
    until: 2019-12-31
    exactly: 40
  - id: new-size
    since: 2020-01-01
    at_least: 50
  - id: most
    since: 2020-01-01
    in: main
    at_most: 60
"""


def test_only_what_stands_on_the_day_is_required_and_rules_add_up(tmp_path: Path) -> None:
    file = tmp_path / "dated.yaml"
    file.write_text(DATED, encoding="utf-8")
    rules = load_format(file)
    zones = rules.format.zones
    assert required(rules.prepared("2019-12-31"), zones, None) == {("main",): Required(40, 40)}
    assert required(rules.prepared("2020-01-01"), zones, None) == {("main",): Required(50, 60)}


def test_a_warning_and_a_rule_with_a_condition_require_nothing() -> None:
    """In a best of one the rules warn of a sideboard; it is allowed all the same."""
    rules = loaded("duemagic")
    found = required(rules.prepared("2026-11-21", 1), rules.format.zones, None)
    assert found["side",] == Required(None, 12)


def test_a_bound_that_grows_is_that_of_the_deck() -> None:
    plan = "4 x フェアリー・ライフ\n超次元ゾーン\n{} x 13番目の計画\n"
    for copies, wanted in ((1, "45"), (2, "50")):
        assert sheet(plan.format(copies), "advance").zones[0].total[:2] == (4, wanted)
    assert sheet("4 x フェアリー・ライフ\n", "advance").zones[0].total[:2] == (4, "40")


@pytest.mark.parametrize(
    ("copies", "wanted", "answer"),
    [
        (50, Required(50, 50), True),
        (49, Required(50, 50), False),
        (51, Required(50, 50), False),
        (0, Required(None, 12), True),
        (12, Required(0, 12), True),
        (13, Required(0, 12), False),
        (41, Required(40, None), True),
        (0, Required(one_of=(0, 12)), True),
        (11, Required(one_of=(0, 12)), False),
    ],
)
def test_totals_fit_or_not(copies: int, wanted: Required, answer: bool) -> None:
    assert wanted.fits(copies) is answer


@pytest.mark.parametrize(
    ("wanted", "ja", "en"),
    [
        (Required(50, 50), "50", "50"),
        (Required(None, 12), "0–12", "0–12"),
        (Required(40, 60), "40–60", "40–60"),
        (Required(40, None), "40以上", "at least 40"),
        (Required(one_of=(0, 1, 5)), "0か1か5", "0 or 1 or 5"),
        (Required(40, 40, step=5), "40・45・…", "40, 45, …"),
        (Required(), "", ""),
    ],
)
def test_what_is_required_reads_short(wanted: Required, ja: str, en: str) -> None:
    assert (wanted.in_("ja"), wanted.in_("en")) == (ja, en)


def test_a_sheet_says_who_where_and_by_which_rules() -> None:
    page = printed_sheets.legal()
    assert page.player == PLAYER
    assert (page.event, page.organiser, page.date) == (EVENT.name.ja, EVENT.organiser, EVENT.date)
    assert (page.format, page.format_id) == ("デュエマジック 初版", "duel-masters/duemagic")
    assert [latest for _name, latest in page.lists] == ["2020-07-01", "2020-04-28"]
    assert (page.verdict, page.as_of, page.notes) == ("legal", "2020-08-01", ())
    assert printed_sheets.legal("en").event == EVENT.name.en


def test_totals_stand_against_what_is_required() -> None:
    page = printed_sheets.illegal()
    assert [(zone.title, zone.total) for zone in page.zones] == [
        ("メインデッキ", Total(51, "50", False)),
        ("サイドボード", Total(12, "0–12", True)),
    ]
    whole = printed_sheets.sixty()
    assert [zone.total for zone in whole.zones] == [Total(1, "1", True), Total(59)]
    sums = [zone.sums for zone in whole.zones]
    assert sums == [(), (("統率者＋メインデッキ", Total(60, "60", True)),)]


def test_lines_keep_the_order_of_the_list_and_add_up_what_is_written_twice() -> None:
    page = sheet("2 x 青銅の鎧\n4 x 天災 デドダム\n1 x 青銅の鎧\n0 x フェアリー・ライフ\n", "duemagic")
    assert page.zones[0].lines == (Line(3, "青銅の鎧"), Line(4, "天災 デドダム"))


def test_names_are_canonical_and_what_is_no_certain_card_is_marked() -> None:
    page = sheet("4 x フェアリーライフ\n4 x 天災 デドダン\n", "duemagic")
    assert page.zones[0].lines == (Line(4, "フェアリー・ライフ"), Line(4, "天災 デドダン", sure=False))
    assert page.fingerprint is None and page.verdict == "illegal"


def test_a_zone_that_the_format_lacks_has_a_box_of_its_own() -> None:
    page = sheet("4 x 青銅の鎧\n謎の場所:\n2 x フェアリー・ライフ\n", "duemagic")
    assert [(zone.title, zone.played) for zone in page.zones][:2] == [
        ("メインデッキ", True),
        ("サイドボード", True),
    ]
    assert [line.name for zone in page.zones for line in zone.lines] == ["青銅の鎧", "フェアリー・ライフ"]


def test_a_total_says_nothing_while_a_line_can_not_be_read() -> None:
    page = sheet(printed_sheets.legal_fifty() + "\n1~2 x 青銅の鎧\n", "duemagic")
    assert any(note.rule == "invalid-line" for note in page.notes)
    assert {zone.total.fits for zone in page.zones} == {None}


def test_findings_stand_in_the_language_of_the_sheet_the_gravest_first() -> None:
    ja, en = printed_sheets.illegal().notes, printed_sheets.illegal("en").notes
    assert [note.rule for note in ja] == [note.rule for note in en] == ["main-size", "copies", "banned"]
    assert "51枚" in ja[0].message and "51 cards" in en[0].message
    unknown = "".join(f"1 x 知らないカード{chr(0x4E00 + at)}\n" for at in range(99))
    many = sheet(unknown + "9 x 青銅の鎧\n5 x 天災 デドダム\n", "duemagic").notes
    assert [(note.label, note.rule) for note in many] == [("error", "copies"), ("undecided", "unknown-card")]
    assert many[0].message.count("枚あります") == 2 and "／" in many[0].message
    assert many[1].message.endswith("／ほか95件")


def test_what_a_list_asks_to_ignore_is_left_to_the_caller() -> None:
    """The sheet shows the findings of the report that it is given."""
    rules = loaded("duemagic")
    text = "5 x 青銅の鎧  # deckcheck: ignore[copies] why not\n"
    told, left = (
        sheet_of(rules, "en", report.as_of, report=report).notes
        for report in (check(text, rules, suppressions=False), check(text, rules))
    )
    assert "copies" in {note.rule for note in told} and "copies" not in {note.rule for note in left}


def test_the_fingerprint_is_short_for_the_eye_and_whole_in_the_code() -> None:
    page = printed_sheets.legal()
    assert page.fingerprint is not None
    assert short(page.fingerprint) == " ".join(page.fingerprint[at : at + 4] for at in (0, 4, 8, 12))
    assert payload(page) == f"deckcheck:1:duel-masters/duemagic:{page.fingerprint}"
    assert payload(printed_sheets.undecided()) is None
    for id in ("a" * 9000, "\ud800", "a:b"):
        assert payload(page._replace(format_id=id)) == f"deckcheck:1::{page.fingerprint}"


@pytest.mark.parametrize(
    ("format", "lines"),
    [
        ("duemagic", {"メインデッキ": 30, "サイドボード": 12}),
        ("commander", {"統率者": 1, "メインデッキ": 59}),
        ("duel-party", {"パートナー": 1, "メインデッキ": 59}),
        ("original", {"メインデッキ": 24}),
        ("advance", {"メインデッキ": 24, "超次元ゾーン": 8, "超GRゾーン": 12, "ゲーム開始前に置くカード": 5}),
    ],
)
def test_an_empty_sheet_has_as_many_lines_as_the_format_needs(format: str, lines: dict[str, int]) -> None:
    page = printed_sheets.empty(format=format)
    assert {zone.title: zone.blanks for zone in page.zones} == lines
    assert page.empty and page.verdict is None and page.fingerprint is None
    assert all(zone.total.copies is None and not zone.lines for zone in page.zones)


def test_an_empty_sheet_may_say_why_it_is_empty() -> None:
    note = Note("error", None, "unreadable")
    page = sheet_of(loaded("duemagic"), "en", "2026-11-21", player=Player("A"), notes=[note])
    assert page.notes == (note,) and page.event is None and page.player.name == "A"


def test_a_zone_of_no_told_size_gets_some_lines() -> None:
    rules = loaded("original")
    day = rules.prepared("2026-11-21")
    assert rows(day, ["main"], {}) == {"main": 10}
