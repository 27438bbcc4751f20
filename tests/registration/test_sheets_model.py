"""What stands on a sheet: lines, totals against what is required, blanks."""

from __future__ import annotations

from pathlib import Path

import pytest
from factories import printed_sheets
from factories.printed_sheets import loaded, sheet
from msgspec.structs import replace

from deckcheck.checking.judge import load_format
from deckcheck.registration.sheet import Line, Required, Total, payload, required, sheet_of, short

SIZES = {
    "advance": {("main",): "40以上", ("hyperspatial",): "0–8", ("gr",): "0か12", ("start",): "0か1か5"},
    "amadeus": {("main",): "40", ("hyperspatial",): "0–8"},
    "commander": {("commander",): "1", ("commander", "main"): "60"},
    "duel-party": {("partner",): "1", ("partner", "main"): "60"},
    "duemagic": {("main",): "50", ("side",): "0–12"},
    "original": {("main",): "40"},
}
BLANKS = {
    "advance": {"メインデッキ": 24, "超次元ゾーン": 8, "超GRゾーン": 12, "ゲーム開始前に置くカード": 5},
    "commander": {"統率者": 1, "メインデッキ": 59},
    "duel-party": {"パートナー": 1, "メインデッキ": 59},
    "duemagic": {"メインデッキ": 30, "サイドボード": 12},
    "original": {"メインデッキ": 24},
}


@pytest.mark.parametrize("format", SIZES)
def test_what_is_required_is_read_from_the_format_and_an_empty_sheet_is_ruled_for_it(format: str) -> None:
    rules = loaded(format)
    bounds = required(rules.prepared("2026-11-21"), rules.format.zones, None)
    assert {zones: bounds[zones].in_("ja") for zones in SIZES[format]} == SIZES[format]
    page = printed_sheets.empty(format=format)
    blanks = {zone.title: zone.blanks for zone in page.zones}
    assert format not in BLANKS or blanks == BLANKS[format]
    assert page.empty and page.verdict is None and page.fingerprint is None
    assert all(zone.total.copies is None and not zone.lines for zone in page.zones)


DATED = """\
format: club/dated
name: Dated
game: duel-masters
zones: {main: {}, side: {}}
rules:
  - {id: old-size, in: main, until: 2019-12-31, exactly: 40}
  - {id: new-size, in: main, since: 2020-01-01, at_least: 50}
  - {id: most, in: main, since: 2020-01-01, at_most: 60}
"""


def test_only_what_stands_on_the_day_is_required_and_rules_add_up(tmp_path: Path) -> None:
    (tmp_path / "dated.yaml").write_text(DATED, encoding="utf-8")
    rules = load_format(tmp_path / "dated.yaml")
    for day, bound in (("2019-12-31", Required(40, 40)), ("2020-01-01", Required(50, 60))):
        assert required(rules.prepared(day), rules.format.zones, None) == {("main",): bound}
    # A zone of no told size gets some lines.
    assert [zone.blanks for zone in sheet_of(rules, "en", "2020-01-01").zones] == [36, 10]


def test_a_warning_and_a_rule_with_a_condition_require_nothing() -> None:
    """In a best of one the rules warn of a sideboard; it is allowed all the same."""
    rules = loaded("duemagic")
    assert required(rules.prepared("2026-11-21", 1), rules.format.zones, None)["side",] == Required(None, 12)


def test_a_bound_that_grows_is_that_of_the_deck() -> None:
    plan = "4 x フェアリー・ライフ\n超次元ゾーン\n{} x 13番目の計画\n"
    for copies, wanted in ((1, "45"), (2, "50")):
        total = sheet(plan.format(copies), "advance").zones[0].total
        assert (total.copies, total.required) == (4, wanted)
    total = sheet("4 x フェアリー・ライフ\n", "advance").zones[0].total
    assert (total.copies, total.required) == (4, "40")


@pytest.mark.parametrize(
    ("wanted", "fitting", "unfit", "words"),
    [
        (Required(50, 50), (50,), (49, 51), "50"),
        (Required(None, 12), (0, 12), (13,), "0–12"),
        (Required(40, 60), (40, 60), (39, 61), "40–60"),
        (Required(40, None), (40, 99), (39,), "at least 40"),
        (Required(one_of=(0, 1, 5)), (0, 5), (2, 6), "0 or 1 or 5"),
        (Required(), (0, 99), (), ""),
    ],
)
def test_totals_fit_or_not(
    wanted: Required, fitting: tuple[int, ...], unfit: tuple[int, ...], words: str
) -> None:
    assert all(map(wanted.fits, fitting)) and not any(map(wanted.fits, unfit))
    assert wanted.in_("en") == words


def test_totals_stand_against_what_is_required() -> None:
    page = printed_sheets.illegal()
    assert [(zone.title, zone.total) for zone in page.zones] == [
        ("メインデッキ", Total(51, "50", False)),
        ("サイドボード", Total(12, "0–12", True)),
    ]
    whole = printed_sheets.sixty()
    assert [zone.total for zone in whole.zones] == [Total(1, "1", True), Total(59)]
    assert [zone.sums for zone in whole.zones] == [(), (("統率者＋メインデッキ", Total(60, "60", True)),)]


def test_lines_are_canonical_in_the_order_of_the_list_and_mark_what_is_no_certain_card() -> None:
    page = sheet(
        "2 x フェアリーライフ\n4 x 天災 デドダン\n1 x フェアリー・ライフ\n0 x 青銅の鎧\n", "duemagic"
    )
    assert page.zones[0].lines == (Line(3, "フェアリー・ライフ"), Line(4, "天災 デドダン", sure=False))
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
    assert [note.label for note in many[:3]] == ["error", "error", "undecided"] and len(many) <= 9


def test_the_fingerprint_is_short_for_the_eye_and_whole_in_the_code() -> None:
    page = printed_sheets.legal()
    assert page.fingerprint is not None
    assert short(page.fingerprint) == " ".join(page.fingerprint[at : at + 4] for at in (0, 4, 8, 12))
    assert payload(page) == f"deckcheck:1:duel-masters/duemagic:{page.fingerprint}"
    assert payload(printed_sheets.undecided()) is None
    for id in ("a" * 9000, "\ud800", "a:b"):
        assert (
            payload(replace(page, format=replace(page.format, id=id))) == f"deckcheck:1::{page.fingerprint}"
        )
