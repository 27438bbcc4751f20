"""`deckcheck which`: all formats at once, and each as `deckcheck check` would say."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from deckcheck.checking import LoadedFormat, Table, check
from deckcheck.decklists.read import make_reader
from deckcheck.decks import Deck
from deckcheck.errors import UserError
from deckcheck.formats.build import format_from
from deckcheck.formats.find import BUNDLED_ONLY, bundled_formats
from deckcheck.opening import make_loader
from deckcheck.report.fits import Fits, apart, in_the_way, same, sure_errors
from deckcheck.report.places import safe
from deckcheck.report.suppress import Grading, graded
from deckcheck.report.violation import Report
from deckcheck.report.whichjson import which_object
from deckcheck.report.whichtext import MOST_RULES, MOST_TOLD, render
from deckcheck.report.writer import Look
from deckcheck.rules.clauses import Source
from deckcheck.schema import load_schema
from deckcheck.settings.model import ForDeck
from deckcheck.shelf import every_format, game_of, games_that_know
from deckcheck.which import which
from tests.engine.small import GAME, Shelf, card

GOLDEN = Path(__file__).parent / "golden" / "which"
DECKS = ["blog", "slips", "nowhere"]


@cache
def formats() -> tuple[LoadedFormat, ...]:
    found, problems = every_format(make_loader(), BUNDLED_ONLY)
    assert problems == ()
    return tuple(one.format for one in found if one.format.format.game == "duel-masters")


@cache
def every_game() -> tuple[LoadedFormat, ...]:
    found, _ = every_format(make_loader(), BUNDLED_ONLY)
    return tuple(one.format for one in found)


def reports_of(fits: Fits) -> list[Report]:
    return [report for game in fits.games for report in game.reports]


def deckcheck(*arguments: str, given: bytes = b"", cwd: Path = GOLDEN) -> subprocess.CompletedProcess[bytes]:
    kept = {key: value for key, value in os.environ.items() if key not in ("FORCE_COLOR", "LANG", "LC_ALL")}
    return subprocess.run(
        [sys.executable, "-m", "deckcheck", "which", *arguments, "--isolated"],
        input=given,
        cwd=cwd,
        capture_output=True,
        env=kept | {"PYTHONUTF8": "1"},
        timeout=60,
    )


# What is said is what a check says.

NAMES = [
    "アクア・サーファー",
    "終末の時計 ザ・クロック",
    "天災 デドダム",
    "青銅の鎧",
    "フェアリー・ライフ",
    "魔龍バベルギヌス",
    "時空の花カイマン",
    "全能ゼンノー",
    "零龍",
    "イエローカード",
    "誰も知らないカード",
    "激竜王ガイアール・オウドラゴン",
    "禁断英雄 モモキングダムX",
    "未来王龍 モモキングJO",
]
HEADINGS = ["メインデッキ", "サイドボード", "超次元ゾーン", "超GRゾーン", "統率者", "パートナー"]
card_lines = st.builds(
    "{} x {}{}".format,
    st.integers(1, 41),
    st.sampled_from(NAMES),
    st.sampled_from(
        ["", "", "", "  # deckcheck: ignore[copies] 練習", "  # deckcheck: ignore[main-size, ?]"]
    ),
)
lines = st.lists(
    st.one_of(card_lines, card_lines, st.sampled_from([*HEADINGS, "", "?? 4 4 ??", "合計 40枚"])), max_size=12
)
headers = st.lists(
    st.sampled_from(
        ["# date: 2020-08-01", "# date: 2023-06-01", "# best-of: 1", "# format: 殿堂ゼロ", "# deck: 名前"]
    ),
    max_size=3,
)


@settings(deadline=None, max_examples=60)
@given(
    headers,
    lines,
    st.sampled_from(["", "4 x アクア・サーファー"]),
    st.sampled_from([None, "2020-08-01", "2026-08-01"]),
    st.sampled_from([None, 1, 3]),
)
def test_every_format_says_what_a_check_says(
    header: list[str], body: list[str], known: str, as_of: str | None, best_of: int | None
) -> None:
    text = "\n".join([*header, *body, known])
    try:
        fits = which(text, "deck.txt", formats(), as_of=as_of, best_of=best_of)
    except UserError:
        deck = formats()[0].table.read(text, "deck.txt")
        assert not any(entry.cards for entry in deck.entries)
        return
    reports = {report.format: report for report in reports_of(fits)}
    assert reports.keys() == {one.format.id for one in formats()}
    for format in formats():
        alone = check(text, format, as_of=as_of, best_of=best_of, path="deck.txt")
        assert reports[format.format.id] == alone
    for game in fits.games:
        for report in game.reports:
            # Nothing is left out: it is told of the list, or of the format.
            told = {same(finding) for finding in game.told}
            rest = apart(report, game.told)
            assert told | {same(finding) for finding in rest} == {
                same(finding) for finding in report.findings
            }
            assert told.isdisjoint(same(finding) for finding in rest)
            if report.verdict == "illegal":
                assert in_the_way(report, game.told)[0].verdict == "violated"


@settings(deadline=None, max_examples=25)
@given(lines, st.randoms())
def test_the_answer_is_the_same_however_the_formats_stand(body: list[str], random: Any) -> None:
    text = "\n".join(["# date: 2023-06-01", *body, "4 x アクア・サーファー"])
    shuffled = list(formats())
    random.shuffle(shuffled)
    first, second = which(text, "-", formats()), which(text, "-", shuffled)
    assert first == second
    for lang in ("ja", "en"):
        assert render(first, Look(lang)) == render(second, Look(lang))


@settings(deadline=None, max_examples=40)
@given(lines)
def test_legal_formats_come_first_and_then_those_with_few_errors(body: list[str]) -> None:
    text = "\n".join(["# date: 2023-06-01", *body, "4 x アクア・サーファー"])
    [game] = which(text, "-", formats()).games
    order = ["legal", "undecided", "illegal"]
    keys = [(order.index(report.verdict), sure_errors(report), report.format) for report in game.reports]
    assert keys == sorted(keys)
    assert all((report.verdict == "illegal") == (sure_errors(report) > 0) for report in game.reports)


@pytest.mark.parametrize(
    "file", sorted((GOLDEN.parents[2] / "examples").glob("*.txt")), ids=lambda file: file.stem
)
def test_the_examples_fit_what_they_were_made_for(file: Path) -> None:
    text = file.read_text("utf-8")
    fits = which(text, file.name, every_game())
    assert fits.said is not None
    [mine] = [report for report in reports_of(fits) if report.format == fits.said]
    open_ones = dict.fromkeys(["dedodam-advance", "yugioh-blue-eyes"], "undecided")
    verdict = {**open_ones, "water-darkness-duemagic": "illegal"}.get(file.stem, "legal")
    assert mine.verdict == verdict


# What the settings say.


def test_the_settings_count_where_the_list_says_nothing() -> None:
    text = "4 x 天災 デドダム"
    early = ForDeck(as_of="2018-01-01", best_of=1)
    reports = reports_of(which(text, "-", formats(), mine=early))
    assert {report.as_of for report in reports} == {"2018-01-01"}
    dated = reports_of(which(f"# date: 2020-01-01\n{text}", "-", formats(), mine=early))
    assert {report.as_of for report in dated} == {"2020-01-01"}
    asked = reports_of(which(f"# date: 2020-01-01\n{text}", "-", formats(), as_of="2021-01-01", mine=early))
    assert {report.as_of for report in asked} == {"2021-01-01"}


def test_the_settings_games_of_a_match_count_where_the_list_says_none() -> None:
    text = "メインデッキ\n4 x 天災 デドダム\nサイドボード\n1 x 青銅の鎧\n"
    rule = "side-in-best-of-one"

    def found(text: str, best_of: int | None, mine: int | None) -> bool:
        reports = reports_of(which(text, "-", formats(), best_of=best_of, mine=ForDeck(best_of=mine)))
        return rule in {finding.rule for report in reports for finding in report.findings}

    assert found(text, None, 1)
    assert not found(f"# best-of: 3\n{text}", None, 1)
    assert not found(text, 3, 1)
    assert found(f"# best-of: 3\n{text}", 1, None)


def test_findings_are_graded_as_in_a_check() -> None:
    text = (GOLDEN / "nowhere.txt").read_text("utf-8")
    here = Source("deckcheck.toml", 1)
    grading = Grading(None, here, {"copies": here, "main-size": here}, {"hall": "info"})
    reports = {
        report.format: report
        for report in reports_of(which(text, "-", formats(), mine=ForDeck(grading=grading)))
    }
    for format in formats():
        assert reports[format.format.id] == graded(check(text, format), grading)


# Several games.

ROSE, IRIS, SHARED = card("Rose"), card("Iris"), card("アクア・ガード")


def garden(name: str, most: int) -> LoadedFormat:
    shelf = Shelf([ROSE, IRIS, SHARED])
    data = {
        "format": f"garden/{name}",
        "name": name,
        "zones": {"main": {}},
        "rules": [{"id": "size", "path": "g.yaml", "line": 1, "at_most": most}],
        "banlists": [],
        "path": "g.yaml",
        "line": 1,
    }
    return LoadedFormat(format_from(data, GAME), Table(GAME, shelf, make_reader(GAME, shelf)))


GARDENS = (garden("small", 2), garden("large", 9))


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("4 x Rose\n", ["garden"]),
        ("4 x 青銅の鎧\n", ["duel-masters"]),
        # One game knows all of it.
        ("1 x Rose\n1 x Iris\n1 x アクア・ガード\n", ["garden"]),
        ("1 x 青銅の鎧\n1 x アクア・ビークル\n1 x アクア・ガード\n", ["duel-masters"]),
        # Nobody knows all of it.
        ("1 x Rose\n1 x Iris\n1 x 青銅の鎧\n", ["garden", "duel-masters"]),
        ("1 x 青銅の鎧\n1 x アクア・ビークル\n1 x Rose\n", ["duel-masters", "garden"]),
        ("4 x アクア・ガード\n", ["duel-masters", "garden"]),
    ],
)
def test_a_list_is_judged_by_the_games_that_know_it(text: str, games: list[str]) -> None:
    fits = which(text, "deck.txt", (*GARDENS, *formats()))
    assert [game.game for game in fits.games] == games
    told = render(fits, Look("en"))
    assert [name in told for name in ("Garden", "Duel Masters")] == [
        name in games for name in ("garden", "duel-masters")
    ]


def test_a_deck_is_legal_where_one_game_says_so() -> None:
    fits = which("4 x Rose\n", "deck.txt", GARDENS)
    assert [report.format for report in reports_of(fits)] == ["garden/large", "garden/small"]
    assert fits.verdict == "legal"
    assert which("99 x Rose\n", "deck.txt", GARDENS).verdict == "illegal"
    assert which("4 x Rose\n9 x Orchid\n", "deck.txt", GARDENS[1:]).verdict == "undecided"


# What can't be read.


@pytest.mark.parametrize("text", ["", "\n# format: duemagic\n", "# a note\n"])
def test_an_empty_list_is_the_users_mistake(text: str) -> None:
    with pytest.raises(UserError, match="no card is listed here"):
        which(text, "deck.txt", formats())


def test_a_list_of_which_nobody_knows_a_card_is_no_deck() -> None:
    with pytest.raises(UserError) as error:
        which("4 x 牛乳\n2 x パン\n1 x 卵\n1 x 塩\n", "shopping.txt", formats())
    [problem] = error.value.problems
    assert problem.in_("en") == (
        "shopping.txt: no card is known here (not in the card table: '牛乳', 'パン', '卵')"
    )


@pytest.mark.parametrize(
    "text",
    ["# date: 2020-13-01\n4 x 青銅の鎧\n", "# best-of: many\n4 x 青銅の鎧\n", '{"cards": ['],
)
def test_what_a_check_refuses_is_refused(text: str) -> None:
    with pytest.raises(UserError):
        which(text, "deck.json" if text.startswith("{") else "deck.txt", formats())


# How it is told.


@pytest.mark.parametrize("form", ["ja.txt", "en.txt", "color.txt", "json"])
@pytest.mark.parametrize("deck", DECKS)
def test_output_is_as_expected(deck: str, form: str) -> None:
    options = {
        "ja.txt": ["--lang", "ja"],
        "en.txt": ["--lang", "en"],
        "color.txt": ["--lang", "en", "--color", "always"],
        "json": ["--lang", "ja", "--output-format", "json"],
    }[form]
    done = deckcheck(f"{deck}.txt", *options)
    assert done.stderr == b""
    assert done.returncode == {"blog": 0, "slips": 3, "nowhere": 1}[deck]
    file = GOLDEN / f"{deck}.{form}"
    if os.environ.get("DECKCHECK_UPDATE_GOLDEN"):
        file.write_bytes(done.stdout)
    assert done.stdout.decode() == file.read_bytes().decode()


@settings(deadline=None, max_examples=25)
@given(lines, st.text(max_size=20), st.text(max_size=20))
def test_json_keeps_to_its_schema_and_text_to_what_is_safe(body: list[str], name: str, path: str) -> None:
    text = "\n".join([f"# deck: {name}", f"# format: {name}", *body, "4 x アクア・サーファー"])
    try:
        fits = which(text, path or "-", formats(), as_of="2023-06-01")
    except UserError:
        return
    Draft7Validator(load_schema("which")).validate(json.loads(json.dumps(which_object([fits], [], "ja"))))
    for lang in ("ja", "en"):
        told = render(fits, Look(lang), ["--cards", path])
        assert all(safe(line) == line for line in told.split("\n"))
        assert not set(told) & set("\x1b\r\x00\x07\u202e\u2066")


def test_the_schema_tells_findings_as_a_report_does() -> None:
    mine, reports = load_schema("which")["definitions"], load_schema("report")["definitions"]
    for name in ("finding", "error"):
        assert mine[name] == reports[name]


@pytest.mark.parametrize("spoil", ["verdict", "games", "path"])
def test_the_schema_refuses_what_is_never_written(spoil: str) -> None:
    validator = Draft7Validator(load_schema("which"))
    told = which_object([which("4 x 青銅の鎧", "-", formats())], [], "en")
    assert validator.is_valid(told)
    told["decks"][0][spoil] = "fine" if spoil == "verdict" else []
    assert not validator.is_valid(told)


def test_what_is_unknown_is_told_once_and_at_the_top() -> None:
    text = "4 x 天災 デドダン\n4 x 青銅の鎧\n"
    told = render(which(text, "-", formats(), as_of="2023-06-01"), Look("en"))
    assert told.count("天災 デドダン") == 1
    assert "天災 デドダン" in told.partition("\n\n")[0]
    assert "did you mean 天災 デドダム" in told


def test_what_lies_beside_the_deck_in_one_format_is_unknown_in_the_others_only() -> None:
    [game] = which("1 x イエローカード\n4 x 青銅の鎧\n", "-", formats()).games
    assert game.told == ()
    unknown = [
        report.format for report in game.reports if "unknown-card" in {one.rule for one in report.findings}
    ]
    assert len(unknown) == len(game.reports) - 1
    assert "duel-masters/amadeus" not in unknown


def test_no_more_is_told_than_one_reads() -> None:
    names = [f"{n + 1} x 誰も知らないカード{'い' * n}" for n in range(MOST_TOLD + 5)]
    text = "\n".join(["9 x 青銅の鎧", "9 x 天災 デドダム", "4 x 魔龍バベルギヌス", *names])
    fits = which(text, "-", formats(), as_of="2023-06-01")
    told = render(fits, Look("en"))
    assert told.count("not in the card table") == MOST_TOLD
    assert "  +5 more\n" in told
    blocks = told.partition("illegal in:\n")[2].split("\n  duel-masters/")
    assert len(blocks) > 3
    for block in blocks:
        assert (
            sum(line.startswith(("    error[", "    undecided[")) for line in block.splitlines())
            <= MOST_RULES
        )
    assert "of these" in told


def test_a_legal_deck_is_told_its_warnings() -> None:
    text = (GOLDEN / "blog.txt").read_text("utf-8").replace("2023-06-01", "2020-08-01")
    fits = which(text, "-", formats())
    [original] = [report for report in reports_of(fits) if report.format == "duel-masters/original"]
    assert original.verdict == "legal"
    told = render(fits, Look("en"))
    assert "    warning[not-yet-released]: Original begins on 2021-01-01" in told


def test_the_command_that_shows_all_asks_the_same() -> None:
    done = deckcheck("blog.txt", "--as-of", "2022/01/02", "--best-of", "3", "--lang", "en")
    last = done.stdout.decode().splitlines()[-1]
    command = last.partition(": ")[2].replace("ID", "duel-masters/duemagic").split()
    assert command == [
        *("deckcheck", "check", "blog.txt", "--format", "duel-masters/duemagic"),
        *("--as-of", "2022-01-02", "--best-of", "3", "--isolated"),
    ]
    shown = subprocess.run(
        [sys.executable, "-m", *command], cwd=GOLDEN, capture_output=True, text=True, encoding="utf-8"
    )
    assert shown.returncode == 1
    assert "main-size" in shown.stdout


# The command.


def test_standard_input_needs_no_name() -> None:
    done = deckcheck("-", "--lang", "en", given=(GOLDEN / "blog.txt").read_bytes())
    assert done.returncode == 0
    assert done.stdout.decode().startswith("-: Duel Masters, 40 cards (by the rules of 2023-06-01)\n")


@pytest.mark.parametrize(
    ("decks", "status"),
    [
        (["blog.txt"], 0),
        (["slips.txt"], 3),
        (["blog.txt", "slips.txt"], 3),
        (["slips.txt", "nowhere.txt", "blog.txt"], 1),
        (["nowhere.txt", "none.txt"], 2),
    ],
)
def test_exit_status(decks: list[str], status: int) -> None:
    done = deckcheck(*decks, "--lang", "en")
    assert done.returncode == status
    assert (b"none.txt: error: no such file" in done.stderr) == (status == 2)
    for deck in decks:
        assert (f"\n{deck}: " in f"\n{done.stdout.decode()}") == (deck != "none.txt")


def test_a_bad_list_does_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xff\xfe\xfd\x00\x81")
    (tmp_path / "b.txt").write_text("4 x 青銅の鎧\n", "utf-8")
    done = deckcheck("a.txt", "b.txt", "--output-format", "json", "--lang", "en", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, b"")
    told = json.loads(done.stdout)
    Draft7Validator(load_schema("which")).validate(told)
    assert [deck["path"] for deck in told["decks"]] == ["b.txt"]
    assert [error["path"] for error in told["errors"]] == ["a.txt"]


def test_a_hostile_file_name_is_shown_and_not_obeyed(tmp_path: Path) -> None:
    name = "a\x1b[2J'; rm -rf x; '.txt"
    (tmp_path / name).write_text("4 x 青銅の鎧\n", "utf-8")
    done = deckcheck(name, "--lang", "en", cwd=tmp_path)
    told = done.stdout.decode()
    assert "\x1b" not in told
    assert "check 'a\\x1b[2J'\"'\"'; rm -rf x; '\"'\"'.txt' --format" in told


def test_without_a_deck_there_is_help() -> None:
    done = deckcheck()
    assert b"DECK..." in done.stdout + done.stderr
    assert done.returncode == 2 or b"Usage" in done.stdout


def test_cards_beside_the_deck_are_known(tmp_path: Path) -> None:
    (tmp_path / "cards.yaml").write_text(
        "cards:\n  - name: 作りかけの竜\n    civilization: [火]\n    type: [クリーチャー]\n", "utf-8"
    )
    (tmp_path / "deck.txt").write_text("4 x 作りかけの竜\n", "utf-8")
    done = deckcheck("deck.txt", "--lang", "en", cwd=tmp_path)
    assert done.returncode in (1, 3)
    assert b"unknown-card" not in done.stdout


def test_every_bundled_format_that_can_be_played_is_asked() -> None:
    done = deckcheck("blog.txt", "--output-format", "json")
    [deck] = json.loads(done.stdout)["decks"]
    asked = {one["format"] for game in deck["games"] for one in game["formats"]}
    # All of the one game that knows the list.
    assert asked == {
        one.id for one in bundled_formats() if not one.abstract and game_of(one) == "duel-masters"
    }


def reading(text: str) -> Callable[[Table], Deck]:
    return lambda table: table.read(text, "-")


def test_of_other_games_no_more_is_opened_than_it_takes_to_know_the_list() -> None:
    asked: list[str] = []
    load = make_loader()

    def watched(reference: str, cards: tuple[str, ...]) -> LoadedFormat:
        asked.append(reference.partition("/")[0])
        return load(reference, cards)

    games = games_that_know(watched, (), reading("4 x 青銅の鎧\n"))
    assert games == {"duel-masters"}
    assert max(map(asked.count, asked)) == 1
    shelf, _ = every_format(watched, BUNDLED_ONLY, (), games)
    assert {one.format.format.game for one in shelf} == games
    for text in ("1 x xyzzy\n", "1 x 青銅の鎧\n1 x Llanowar Elves\n", ""):
        several = games_that_know(load, (), reading(text))
        assert {"duel-masters", "magic"} <= several
    assert games_that_know(load, (), reading("4 Llanowar Elves\n")) == {"magic"}


# In a project.

OWN = """\
format: club/friday
game: duel-masters
name: Friday
zones: {main: {}}
rules:
  - {id: friday-size, in: main, exactly: 40}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("formats", "decks"):
        (tmp_path / name).mkdir()
    (tmp_path / "deckcheck.toml").write_text('formats = ["formats"]\nexclude = ["old*"]\n', "utf-8")
    (tmp_path / "formats" / "friday.yaml").write_text(OWN, "utf-8")
    for name in ("new", "old"):
        (tmp_path / "decks" / f"{name}.txt").write_bytes((GOLDEN / "blog.txt").read_bytes())
    return tmp_path


def run_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "deckcheck", "which", *arguments, "--lang", "en"],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONUTF8": "1"},
    )


def test_formats_of_a_project_are_asked_too(project: Path) -> None:
    done = run_in(project, "decks")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\nlegal in:\n  club/friday " in done.stdout
    assert "old.txt" not in done.stdout


def test_what_is_left_out_is_told_where_nothing_else_is(project: Path) -> None:
    (project / "decks" / "new.txt").unlink()
    done = run_in(project, "decks")
    assert "left out, being no decklist or excluded: decks" in done.stderr or "no decks" in done.stderr
    done = run_in(project, "decks/old.txt", "formats/friday.yaml")
    assert done.returncode == 0
    assert done.stderr == "left out, being no decklist or excluded: formats/friday.yaml\n"


def test_a_format_that_is_broken_is_told_and_the_others_asked(project: Path) -> None:
    (project / "formats" / "friday.yaml").write_text(OWN + "rules: 7\n", "utf-8")
    done = run_in(project, "decks")
    assert done.returncode == 0
    assert "friday.yaml:7:1: error" in done.stderr
    (project / "decks" / "new.txt").write_text("9 x 青銅の鎧\n", "utf-8")
    # It might have been legal there.
    assert run_in(project, "decks").returncode == 2


def test_settings_that_are_wrong_are_the_users_mistake(project: Path) -> None:
    (project / "deckcheck.toml").write_text("fromats = 7\n", "utf-8")
    done = run_in(project, "decks")
    assert (done.returncode, done.stdout) == (2, "")
    assert "fromats" in done.stderr
    assert run_in(project, "decks", "--isolated").returncode == 0
