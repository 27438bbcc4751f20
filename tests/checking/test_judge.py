"""What a check tells besides the rules; facts that are assumed; and the interface for other programs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from factories.errors import problem_of
from factories.garden_game import (
    GAME_YAML,
    GARDEN,
    GHOST,
    IRIS,
    OAK,
    ROSE,
    Held,
    Shelf,
    banlist_from,
    card,
    deck_of,
    format_of,
    printing,
    table_of,
)
from jsonschema import Draft7Validator
from msgspec.structs import replace

from deckcheck import Deck, check, load_format
from deckcheck.checking.judge import LoadedFormat
from deckcheck.formats import loading
from deckcheck.formats.loading import load_game
from deckcheck.model.finding import Report
from deckcheck.support.documents import load_schema

Rule = dict[str, Any]
SIZE: Rule = {"id": "size", "in": "main", "at_least": 0, "at_most": 60}


def test_a_day_may_be_written_as_people_write_it_and_one_that_is_none_is_refused_with_a_hint() -> None:
    for written in ("2021-03-04", "2021/3/4", "2021.03.04", "2021年3月4日", "2021年03月04日"):
        deck = replace(deck_of((ROSE, 1)), header={"date": written})
        assert check(deck, format_of(SIZE)).as_of == "2021-03-04"
    for written in ("2021-02-30", "yesterday", "", "20210304", "2021年"):
        problem = problem_of(check, deck_of((ROSE, 1)), format_of(SIZE), as_of=written)
        assert problem.hint is not None and "YYYY-MM-DD" in problem.hint.en


def test_before_its_first_edition_there_was_no_format() -> None:
    loaded = load_format("duel-masters/commander")
    early = check("統率者: ボルメテウス・ホワイト・ドラゴン\n", loaded, as_of="2020-05-27")
    first = check("統率者: ボルメテウス・ホワイト・ドラゴン\n", loaded, as_of="2020-05-28")
    assert "not-yet-released" in {finding.rule for finding in early.findings}
    assert "not-yet-released" not in {finding.rule for finding in first.findings}
    assert (early.edition, first.edition) == (None, "初版")
    assert [used.edition for used in first.lists] == [None, "初版"]


def test_a_change_of_unknown_day_is_told_and_not_applied() -> None:
    unconfirmed = {"seen_by": "2021-05-01", "changes": [{"card": "Rose", "from": "free", "to": "out"}]}
    listed = {"complete_through": "2021-01-01", "unconfirmed": unconfirmed, "cards": []}
    ban = {"id": "ban", "where": {"status": "out"}, "at_most": 0}
    loaded = format_of(ban, banlists=[listed])
    late = check(deck_of((ROSE, 1), (OAK, 1)), loaded, as_of="2021-06-01")
    assert [(finding.rule, finding.severity, finding.line) for finding in late.findings] == [
        ("unconfirmed-change", "warning", 1)
    ]
    assert late.verdict == "legal"
    assert check(deck_of((ROSE, 1)), loaded, as_of="2021-01-01").findings == ()
    assert banlist_from({**listed, "banlist": "b", "name": "B", "path": "p"}).seen_by == "2021-05-01"


def test_only_so_many_unknown_names_are_looked_for() -> None:
    asked: list[str] = []

    class Asked(Shelf):
        def suggest(self, name: str) -> list[str]:
            asked.append(name)
            return ["Rose"]

    shelf = Asked(list(GARDEN))
    table = table_of(shelf)
    loaded = LoadedFormat(format_of(SIZE).format, table)
    names = [f"name {at}" for at in range(50)]
    report = check(deck_of(*((name, 1) for name in names for _ in range(2))), loaded, as_of="2020-01-01")
    [unknown] = report.findings
    assert len(unknown.parts) == len(unknown.cards) == 100
    assert list(dict.fromkeys(asked)) == names[:20]
    assert unknown.parts[1].hint == unknown.parts[0].hint


def test_own_facts_that_replace_bundled_ones_are_told_a_whole_pool_once(tmp_path: Path) -> None:
    names = ["アクア・ガード", "アクア・サーファー", "青銅の鎧", "フェアリー・ライフ"]
    own = tmp_path / "cards.yaml"
    cards = [f"  - {{name: {name}, tag: [any-number], home: main}}\n" for name in names]
    own.write_text(f"cards:\n{''.join(cards)}  - {{name: 明日の新カード, home: main}}\n", encoding="utf-8")
    loaded = load_format("duel-masters/original", cards=[own])

    def findings(text: str) -> list[tuple[str, str, str]]:
        report = check(text, loaded, as_of="2022-01-01")
        return [(one.rule, one.severity, one.message.en) for one in report.findings]

    one = f"{names[0]} is judged by {own}:2, not by the bundled data"
    assert findings("39 アクア・ガード\n1 明日の新カード\n") == [("own-facts", "info", one)]
    several = f"4 cards are judged by {own}, not by the bundled data"
    assert findings("".join(f"10 {name}\n" for name in names)) == [("own-facts", "info", several)]
    bundled = check("40 アクア・ガード\n", load_format("duel-masters/original"), as_of="2022-01-01")
    assert [finding.rule for finding in bundled.findings] == ["copies"]


MAIN_CAP: Rule = {"id": "cap-main", "in": "main", "per": "name", "at_most": 4}
SIDE_CAP: Rule = {"id": "cap-side", "in": "side", "per": "name", "at_most": 2}
MANY: Rule = {"id": "many", "per": "name", "at_least": 8, "at_most": 9}
CAP: Rule = {"id": "cap", "per": "name", "at_most": 2}
REFUSED: Rule = {"id": "refused", "where": {"name": ROSE.name}, "at_most": 0}
RED_OUTSIDE = {"colour": {"containing": "r", "outside": "leader"}}
FOREIGN: Rule = {"id": "foreign", "in": "main", "where": RED_OUTSIDE, "at_most": 0}
RED, GREEN = card("Red", colour=["red"]), card("Lime", colour=["lime"])
LEADER = card("Leader", colour=["blue"])
PLAIN: Rule = {"id": "plain", "where": {"rarity": {"at_most": "SR"}}, "at_most": 0}
COMMON = card("Common", printings=[printing("<=R")])


@pytest.mark.parametrize(
    ("rules", "held", "told"),
    [
        # Causes that differ are all told.
        ([MAIN_CAP, SIDE_CAP], [(ROSE, 7), (ROSE, 4, "side")], ["cap-main", "cap-side"]),
        ([MANY, CAP], [(ROSE, 5)], ["cap", "many"]),
        # Who moves the card has still too many; who takes out a card that is refused everywhere has not.
        ([CAP, REFUSED | {"id": "misplaced", "in": "side"}], [(ROSE, 3, "side")], ["cap", "misplaced"]),
        ([CAP, REFUSED], [(ROSE, 3, "side")], ["refused"]),
        # Both parts of a condition must hold.
        ([FOREIGN], [(RED, 1), (LEADER, 1, "leader")], ["foreign"]),
        ([FOREIGN], [(GREEN, 1), (LEADER, 1, "leader")], []),
        # A rank that is known up to a bound is certain where all below it will do.
        ([PLAIN], [(COMMON, 1)], ["plain"]),
        # A zone that nobody knows is told though no reader did.
        ([SIZE], [(ROSE, 3, "Main")], ["unknown-zone"]),
    ],
)
def test_what_is_told_of_a_deck(rules: list[Rule], held: list[Held], told: list[str]) -> None:
    loaded = format_of(*rules, cards=Shelf([ROSE, RED, GREEN, LEADER, COMMON]))
    findings = check(deck_of(*held), loaded, as_of="2020-01-01").findings
    assert sorted(finding.rule for finding in findings) == told


def test_names_that_a_format_gives_to_zones_are_headings(tmp_path: Path) -> None:
    file = tmp_path / "bench.yaml"
    file.write_text(
        "game: duel-masters\nformat: club/bench\nname: Bench\n"
        "zones: {main: {}, side: {name: {ja: 控え, en: Bench}}}\n"
        "rules: [{id: size, in: main, exactly: 4}, {id: bench, in: side, at_most: 1}]\n",
        encoding="utf-8",
    )
    loaded = load_format(file)
    for heading in ("控え", "Bench", "サイドボード"):
        report = check(f"4 青銅の鎧\n{heading}\n4 デーモン・ハンド\n", loaded, as_of="2026-01-01")
        assert [finding.rule for finding in report.findings] == ["bench"]
    assert check("4 青銅の鎧\n控え：なし\n", loaded, as_of="2026-01-01").verdict == "legal"


def test_an_unread_line_may_have_named_any_zone() -> None:
    loaded = load_format("duel-masters/commander")
    deck: Deck = loaded.game_data.read("1 アクア・ガード\n", "x")
    known = check(deck, loaded, as_of="2021-04-01")
    assert "commander-count" in {finding.rule for finding in known.findings}
    unread = check("1 アクア・ガード\n3か4 アクア・ガード\n", loaded, as_of="2021-04-01")
    assert "invalid-line" in {finding.rule for finding in unread.findings}
    assert "commander-count" not in {finding.rule for finding in unread.findings}


@pytest.mark.parametrize("second", ["Deck\n", "# name: B\n", "# name: B\nDeck\n"])
def test_two_lists_in_one_leave_open_to_which_the_cards_below_belong(second: str) -> None:
    one = "40 Island\n20 Mountain\n"
    side = "Sideboard\n9 Forest\n"
    report = check(f"# name: A\nDeck\n{one}{side}{second}{one}{side}", load_format("magic/vintage"))
    assert report.verdict == "undecided"
    assert {finding.rule for finding in report.findings} == {"invalid-line"}


@pytest.mark.parametrize(
    ("format", "text", "broken"),
    [
        ("yugioh/ocg", "Main Deck\n40 Kuriboh\nExtra Deck\n4 Raigeki", {"wrong-deck", "copies"}),
        (
            "yugioh/traditional",
            "Main Deck\n40 Kuriboh\nExtra Deck\n3 Pot of Greed",
            {"wrong-deck", "forbidden"},
        ),
        (
            "duel-masters/advance",
            "メイン\n40 フェアリー・ライフ\n超次元\n6 青銅の鎧",
            {"wrong-zone", "copies"},
        ),
    ],
)
def test_a_card_in_a_wrong_zone_and_too_many_copies_of_it_are_both_told(
    format: str, text: str, broken: set[str]
) -> None:
    report = check(text, load_format(format), as_of="2026-09-20")
    assert {finding.rule for finding in report.findings if finding.line == 4} == broken


def test_what_is_corrected_with_one_finding_is_not_told_twice() -> None:
    report = check("40 青銅の鎧\n6 天災 デドダム\n", load_format("duel-masters/original"), as_of="2026-09-20")
    caps = [finding.rule for finding in report.findings if finding.line == 2]
    assert len(caps) == 1


# Facts that a game takes to be absent where nobody knows: they keep rules, break none, and are reported

UNIQUE = {"id": "unique", "per": "name", "where": {"colour": "red"}, "at_most": 1}


def assuming(*rules: dict[str, object]) -> LoadedFormat:
    loaded = format_of(*rules)
    data = loaded.game_data
    game = replace(data.game, assumed_absent={"colour": frozenset({"red"})})
    return LoadedFormat(loaded.format, replace(data, game=game))


def judged(loaded: LoadedFormat, *entries: Held) -> Report:
    return check(deck_of(*entries), loaded, as_of="2020-01-01")


def said(report: Report) -> list[tuple[str, str]]:
    return [(one.rule, one.verdict) for one in report.findings]


MIXED = card("Mixed", colour=["blue"], partial=["colour"])
WANTED = {"id": "reds", "in": "main", "where": {"colour": "red"}, "at_least": 1}


@pytest.mark.parametrize(
    ("rule", "held", "told"),
    [
        # A rule that only an unknown fact could break is kept, and said to be.
        (UNIQUE, [(GHOST, 3), (IRIS, 2)], [("assumed", "violated")]),
        (UNIQUE, [(MIXED, 3)], [("assumed", "violated")]),
        (UNIQUE, [(GHOST, 1)], []),
        # What is known breaks it all the same.
        (UNIQUE, [(ROSE, 2), (GHOST, 3)], [("unique", "violated"), ("assumed", "violated")]),
        # An assumption makes no deck illegal and covers no other value.
        (UNIQUE | {"where": {"not": {"colour": "red"}}}, [(GHOST, 3)], [("unique", "undecided")]),
        (UNIQUE | {"where": {"colour": "blue"}}, [(GHOST, 3)], [("unique", "undecided")]),
        (UNIQUE | {"where": {"colour": ["red", "blue"]}}, [(GHOST, 3)], [("unique", "undecided")]),
        (WANTED, [(GHOST, 3)], [("reds", "undecided")]),
    ],
)
def test_what_nobody_knows_is_assumed_to_be_absent(
    rule: Rule, held: list[Held], told: list[tuple[str, str]]
) -> None:
    report = judged(assuming(rule), *held)
    assert said(report) == told
    states = dict(told)
    verdict = (
        "illegal"
        if states.get("unique") == "violated"
        else "undecided"
        if "undecided" in states.values()
        else "legal"
    )
    assert report.verdict == verdict


def test_what_is_assumed_is_said_in_a_sentence() -> None:
    [finding] = judged(assuming(UNIQUE), (GHOST, 3)).findings
    assert (finding.rule, finding.severity, finding.line) == ("assumed", "info", 1)
    assert finding.message.en == "no data says whether “Red” holds for Ghost Orchid; assumed it does not"
    assert judged(format_of(UNIQUE), (GHOST, 3)).verdict == "undecided"


def test_new_duel_masters_cards_leave_no_deck_undecided() -> None:
    text = "4 x ヒトリダチ ケントナーク\n36 x 750男\n"
    report = check(text, load_format("duel-masters/original"), as_of="2026-10-20")
    assert "one-per-deck" not in {one.rule for one in report.findings}
    assert "assumed" in {one.rule for one in report.findings}


@pytest.mark.parametrize("absent", ["{colour: [pink]}", "{cost: [red]}", "{smell: [red]}"])
def test_a_game_that_assumes_what_it_has_not_is_refused(
    absent: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "garden").mkdir()
    text = f"{GAME_YAML}\nassume_absent: {absent}\n"
    (tmp_path / "garden" / "game.yaml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(loading, "shipped", lambda _: tmp_path)
    problem = problem_of(load_game, "garden")
    assert problem.line is not None and "is not a listed value" in problem.in_("en")


# The interface for other programs

ORIGINAL = load_format("duel-masters/original")
DAY = "2026-01-10"

PROGRAM = """
from deckcheck import Deck, Finding, LoadedFormat, Report, UserError, check, load_format


def judged(zones: dict[str, dict[str, int]], format: LoadedFormat) -> Report:
    return check(Deck.of(zones), format, as_of="2026-01-10", best_of=3)


def words(finding: Finding) -> str:
    return f"{finding.rule}: {finding.text('ja')} {finding.line} {finding.severity} {finding.verdict}"


try:
    report = judged({"main": {"青銅の鎧": 40}}, load_format("duel-masters/original"))
    told: list[str] = [words(finding) for finding in report.findings]
    values: dict[str, object] = report.to_dict(lang="en")
    print(report.verdict, report.fingerprint, told, values["verdict"])
except UserError as error:
    print([(problem.path, problem.line, problem.in_("en")) for problem in error.problems])
"""


def test_a_deck_of_names_is_judged_like_its_list() -> None:
    zones = {"main": {"青銅の鎧": 4, "アクア・ガード": 36}}
    report = check(Deck.of(zones), ORIGINAL, as_of=DAY)
    listed = check("4 x 青銅の鎧\n36 x アクア・ガード", ORIGINAL, as_of=DAY)
    assert (report.verdict, report.fingerprint) == (listed.verdict, listed.fingerprint)
    said = "《アクア・ガード》が36枚あります（4枚まで）"
    assert [finding.text("ja") for finding in report.findings] == [said]
    # As values it is that of the published JSON.
    values, schema = report.to_dict("ja"), load_schema("report")
    Draft7Validator({**schema["definitions"]["deck"], "definitions": schema["definitions"]}).validate(values)
    assert values["findings"][0]["message"] == said


def test_zones_are_known_by_id_and_heading_and_names_in_any_language() -> None:
    modern = load_format("magic/modern")
    first = Deck.of({"main": {"Lightning Bolt": 4, "Mountain": 56}, "Sideboard": {"Forest": 2}})
    second = Deck.of({"": {"稲妻": 4, "山": 56}, "side": {"森": 2}, "Maybeboard": {"Black Lotus": 1}})
    found = [check(deck, modern, as_of="2026-08-20") for deck in (first, second)]
    assert {report.verdict for report in found} == {"legal"}
    assert found[0].fingerprint == found[1].fingerprint is not None
    unknown = check(
        Deck.of({"Shed": {"Forest": 60}, "main": {"Nobody at all": 1}}), modern, as_of="2026-08-20"
    )
    assert {"unknown-zone", "unknown-card"} <= {finding.rule for finding in unknown.findings}


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: check(None, ORIGINAL), "the text of a list or a Deck, not NoneType"),  # type: ignore[arg-type]
        (lambda: check("4 x 青銅の鎧", "original"), "a format of load_format(), not str"),  # type: ignore[arg-type]
        (lambda: Deck.of(["main"]), "a mapping of zones, not list"),  # type: ignore[arg-type]
        (lambda: Deck.of({"main": ["x"]}), "not 'main' with list"),  # type: ignore[dict-item]
        (lambda: Deck.of({"main": {"x": "4"}}), "not 'x' with '4'"),  # type: ignore[dict-item]
    ],
)
def test_a_value_of_a_wrong_type_is_named(call: Any, said: str) -> None:
    with pytest.raises(TypeError) as caught:
        call()
    assert said in str(caught.value)
    with pytest.raises(ValueError, match="-1 copies"):
        Deck.of({"main": {"x": -1}})


def test_a_program_that_uses_it_runs(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(PROGRAM, "program.py", "exec"), {})
    told = capsys.readouterr().out
    assert told.startswith("illegal ") and "copies: 《青銅の鎧》が40枚あります" in told


@pytest.mark.setup
def test_a_program_that_uses_it_passes_strict_checks_of_types(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(PROGRAM, encoding="utf-8")
    words = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--follow-imports=silent", str(file)]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
