"""`deckcheck rule`: every id is explained, and every example shows what it says."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from deckcheck.cases.run import by_the_lists
from deckcheck.checking import check
from deckcheck.engineids import ENGINE_IDS, PARTIAL, UNCLEAR
from deckcheck.errors import UserError
from deckcheck.files import shipped
from deckcheck.formats.find import BUNDLED_ONLY, Folders, bundled_formats, source_file
from deckcheck.opening import make_loader
from deckcheck.report.engineguide import ENGINE_GUIDE
from deckcheck.report.places import cells
from deckcheck.report.rulepages import RulePage
from deckcheck.report.ruletext import render_engine_page, render_list, render_pages
from deckcheck.report.writer import Look
from deckcheck.rulebook import EXAMPLES, engine_page, game_showing, no_such_rule, pages_of, rules_of
from deckcheck.shelf import Shelved, every_format
from deckcheck.text import Text

GOLDEN = Path(__file__).parent / "golden" / "rule"
GAMES = sorted(file.parent.name for file in shipped("formats").glob("*/game.yaml"))
load = make_loader()


@cache
def shelf() -> tuple[Shelved, ...]:
    found, problems = every_format(load, BUNDLED_ONLY)
    assert problems == ()
    return found


def rules() -> Iterator[tuple[str, str]]:
    """Format and id of every rule that can be played by."""
    for one in bundled_formats():
        if not one.abstract:
            format = load(one.id, ()).format
            for rule in (*format.rules, *format.beside):
                yield one.id, rule.id


def deckcheck(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    kept = {
        key: value for key, value in os.environ.items() if not key.startswith(("DECKCHECK_F", "DECKCHECK_L"))
    }
    return subprocess.run(
        [sys.executable, "-m", "deckcheck", "rule", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=kept | {"NO_COLOR": "1", "PYTHONUTF8": "1"},
        timeout=60,
    )


# What the engine tells.


def test_the_guide_explains_the_engines_ids_and_no_others() -> None:
    assert set(ENGINE_GUIDE) == ENGINE_IDS
    for explained in ENGINE_GUIDE.values():
        for text in explained:
            assert text.ja != text.en
            assert text.ja.endswith("。")
            assert text.en.endswith(".")
            assert text.en.isascii() or "“" in text.en


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_two_lists_for_every_id_of_the_engine(game: str) -> None:
    """In the first game for every one but what its whole lists can't show, in the others for those that they can show."""
    named = {file.name for file in (shipped("formats") / game / EXAMPLES).glob("*.txt")}
    shown = shown_ids(game)
    assert named == {f"{id}{end}" for id in shown for end in (".txt", ".mended.txt")}
    assert shown == ENGINE_IDS - {PARTIAL} if game == GAMES[0] else shown <= ENGINE_IDS


def shown_ids(game: str) -> set[str]:
    return {file.name.partition(".")[0] for file in (shipped("formats") / game / EXAMPLES).glob("*.txt")}


@pytest.mark.parametrize(("game", "id"), [(game, id) for game in GAMES for id in sorted(shown_ids(game))])
def test_the_lists_show_the_id_and_how_it_is_mended(id: str, game: str) -> None:
    page = engine_page(id, game, load)
    assert page.breaks is not None
    assert page.keeps is not None
    assert page.breaks.report is not None
    assert {finding.rule for finding in page.breaks.report.findings} == {id}
    assert page.keeps.report is None
    assert page.breaks.lines != page.keeps.lines
    assert len(page.breaks.lines) <= 4
    assert len(page.keeps.lines) <= 5


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("id", sorted(ENGINE_IDS))
def test_an_id_of_the_engine_is_told_with_both_lists(id: str, lang: str) -> None:
    game = game_showing(id, GAMES)
    assert (game == GAMES[0]) == (id != PARTIAL)
    page = engine_page(id, game, load)
    told = render_engine_page(page, Look(lang))
    for text in ENGINE_GUIDE[id]:
        assert text.in_(lang) in told
    assert f"{id}.txt:" in told
    assert f"{id}.mended.txt" in told
    assert page.keeps is not None
    assert all(line in told for line in page.keeps.lines)
    assert ("can't be ignored" in told or "無視はできません" in told) == (id in UNCLEAR)


def test_a_game_without_lists_still_has_the_words() -> None:
    page = engine_page("unknown-card", "no-such-game", load)
    assert (page.breaks, page.keeps) == (None, None)
    assert "there is no example" in render_engine_page(page, Look("en"))
    assert game_showing("unknown-card", ["no-such-game", "nor-this"]) == "no-such-game"


# What formats ask.


@pytest.mark.parametrize(("format", "rule"), list(rules()))
def test_every_rule_is_shown_broken_and_kept(format: str, rule: str) -> None:
    one = next(one for one in shelf() if one.format.format.id == format)
    [page] = pages_of(rule, [one])
    assert page.info.format == format
    assert page.info.id == rule
    assert page.info.summary.ja
    assert page.info.summary.en
    if page.breaks is None:
        # What a base shows by the list of another format breaks nothing here.
        base = source_file(page.info.source.path)
        assert base != one.file
        assert any(base.with_suffix(".cases").iterdir())
    else:
        assert all(page.breaks.note)
        assert page.breaks.report is not None
        assert {finding.rule for finding in page.breaks.report.findings} == {rule}
        assert all(finding.verdict == "violated" for finding in page.breaks.report.findings)
    # What lies beside the deck has no bound.
    assert (page.keeps is None) == (rule in {beside.id for beside in one.format.format.beside})
    if page.keeps is not None:
        assert all(page.keeps.note)
        file = shipped("formats") / page.keeps.path.removeprefix("formats/")
        kept = by_the_lists(
            check(one.format.table.read(file.read_text("utf-8"), page.keeps.path), one.format)
        )
        # The case of a base was made for one of the formats that extend it.
        assert kept.verdict == "legal" or file.parent != one.file.with_suffix(".cases")
        assert rule not in {finding.rule for finding in kept.findings}


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_the_place_that_says_it_is_told(lang: str) -> None:
    for page in pages_of("copies", shelf()):
        told = render_pages([page], Look(lang))
        assert f"{page.info.source.path}:{page.info.source.line}" in told
        assert page.info.cite is not None
        assert page.info.cite in told
        for sentence in page.info.summary.in_(lang).split("\n"):
            assert sentence in told


def test_a_rule_has_a_block_for_each_format_in_the_order_of_their_ids() -> None:
    pages = pages_of("singleton", shelf())
    told = [page.info.format for page in pages]
    assert told[:2] == ["duel-masters/commander", "duel-masters/duel-party"]
    assert told == sorted(told)
    assert pages == pages_of("singleton", shelf())


def test_what_is_the_same_for_several_formats_is_said_once() -> None:
    told = render_pages(pages_of("copies", shelf()), Look("en"))
    assert "copies  Legacy  magic/legacy\ncopies  Modern  magic/modern\n" in told
    assert told.count("formats/magic/constructed.yaml:48)") == 1
    for page in pages_of("copies", shelf()):
        assert told.count(f"  {page.info.format}\n") == 1


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("width", [40, 100])
def test_the_list_names_every_id_with_its_formats(lang: str, width: int) -> None:
    told = render_list(rules_of(shelf()), Look(lang, width=width), engine=True).splitlines()
    for format, rule in rules():
        [line] = [line for line in told if line.split()[:1] == [rule]]
        assert format in line
        summary = told[told.index(line) + 1]
        assert summary.startswith("  ")
        assert cells(summary) <= width
    assert set(told) >= ENGINE_IDS


def test_the_list_is_the_same_however_the_formats_stand() -> None:
    infos = rules_of(shelf())
    told = render_list(infos, Look("en"), engine=False)
    ids = [line.split()[0] for line in told.splitlines() if line and line[0] != " "][:-2]
    assert ids == sorted({info.id for info in infos})


# The command.

COMMANDS = {
    "hall-duemagic": ("hall", "--format", "duemagic"),
    "singleton": ("singleton",),
    "beside": ("cards-beside-the-deck",),
    "unknown-card": ("unknown-card",),
    "unused-suppression": ("unused-suppression",),
}


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("name", COMMANDS)
def test_output_is_as_expected(name: str, lang: str) -> None:
    done = deckcheck(*COMMANDS[name], "--lang", lang, "--isolated")
    assert (done.returncode, done.stderr) == (0, "")
    file = GOLDEN / f"{name}.{lang}.txt"
    if os.environ.get("DECKCHECK_UPDATE_GOLDEN"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(done.stdout, "utf-8")
    assert done.stdout == file.read_text("utf-8")


def test_without_an_id_all_are_listed() -> None:
    done = deckcheck("--lang", "en", "--isolated")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\nunknown-card\n" in done.stdout
    assert done.stdout.endswith("ignore-file in the whole list.\n")


def test_one_format_has_its_own_list() -> None:
    done = deckcheck("--format", "duemagic", "--lang", "en", "--isolated")
    assert "side-size  duel-masters/duemagic\n" in done.stdout
    assert "duel-masters/original" not in done.stdout
    assert "unknown-card" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["copys"], ["there is no rule 'copys'", "did you mean 'copies'", "deckcheck rule lists them all"]),
        (["unknown-crad"], ["'unknown-card'"]),
        (["zzzzzzzzzzzz"], ["there is no rule 'zzzzzzzzzzzz'", "deckcheck rule lists them all"]),
        (
            ["side-size", "--format", "original"],
            ["duel-masters/original has no rule 'side-size'", "it is a rule of duel-masters/duemagic"],
        ),
        (["copies", "--format", "orignal"], ["there is no format 'orignal'"]),
        (["\x1b[31m"], ["\\x1b[31m"]),
    ],
)
def test_what_is_not_there_is_the_users_mistake(arguments: list[str], told: list[str]) -> None:
    done = deckcheck(*arguments, "--lang", "en", "--isolated")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    assert "\x1b" not in done.stderr
    for one in told:
        assert one in done.stderr


# Formats of one's own.

OWN = """\
format: club/own
game: duel-masters
name: "Own \\e[31m"
zones: {main: {}}
rules:
  - {id: own-size, in: main, exactly: 2, cite: "\\e[2J"}
  - {id: copies, per: name, at_most: 1}
"""


@pytest.fixture
def own(tmp_path: Path) -> Folders:
    folder = tmp_path / "formats"
    (folder / "own.cases").mkdir(parents=True)
    (folder / "own.yaml").write_text(OWN, "utf-8")
    for name, text in {
        "good.txt": "# expect: legal\n# bound: own-size\n# note: two \x1b[31m\n1 アクア・ガード\n1 アクア・ビークル\n",
        "a-lie.txt": "# expect: own-size\n# note: a lie\n1 アクア・ガード\n1 アクア・ビークル\n",
        "broken.txt": "# expect: own-size\n# note: three\n# note-ja: 3枚 \x1b[31m\n1 アクア・ガード\n1 アクア・ビークル\n1 アクア・ナイト\n",
        "noise.txt": "own-size \x00\x01",
        "no-day.txt": "# expect: own-size\n# as-of: 2020-13-01\n1 アクア・ガード\n",
        "silent.txt": "own-size, and no word of what it shows\n",
    }.items():
        (folder / "own.cases" / name).write_text(text, "utf-8")
    return Folders(formats=(folder,))


def own_pages(id: str, folders: Folders) -> tuple[RulePage, ...]:
    found, problems = every_format(make_loader(folders), folders)
    assert problems == ()
    return pages_of(id, found)


def test_a_format_of_ones_own_is_explained_too(own: Folders) -> None:
    [page] = own_pages("own-size", own)
    assert page.breaks is not None
    assert page.breaks.note == Text("3枚 \x1b[31m", "three")
    assert page.keeps is not None
    assert page.keeps.path.endswith("good.txt")
    # It has no Japanese note, so the one that it has is shown.
    assert page.keeps.note == Text("two \x1b[31m", "two \x1b[31m")
    told = {lang: render_pages([page], Look(lang)) for lang in ("ja", "en")}
    for text in told.values():
        assert "\x1b" not in text
        assert "two \\x1b[31m\n" in text
        assert "\\x1b[2J" in text
    assert "breaks it: three\n" in told["en"]
    assert "破る例：3枚 \\x1b[31m\n" in told["ja"]
    assert "three" not in told["ja"]


def test_a_rule_without_cases_says_so(own: Folders) -> None:
    page = next(page for page in own_pages("copies", own) if page.info.format == "club/own")
    assert (page.breaks, page.keeps) == (None, None)
    assert "breaks it: there is no example" in render_pages([page], Look("en"))


def test_a_format_that_is_broken_hides_no_other(own: Folders) -> None:
    (own.formats[0] / "bad.yaml").write_text("format: club/bad\nrules: 7\n", "utf-8")
    found, problems = every_format(make_loader(own), own)
    assert {"club/own", "duel-masters/original"} <= {one.format.format.id for one in found}
    assert any("bad.yaml" in str(problem.path) for problem in problems)


def test_a_guess_names_ids_of_ones_own(own: Folders) -> None:
    found, _ = every_format(make_loader(own), own)
    error = no_such_rule("own-siez", found)
    assert isinstance(error, UserError)
    assert "'own-size'" in error.problems[0].in_("en")


def test_the_settings_name_folders_of_formats(own: Folders, tmp_path: Path) -> None:
    (tmp_path / "deckcheck.toml").write_text('formats = ["formats"]\nlang = "en"\n', "utf-8")
    done = deckcheck("own-size", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "breaks it: three\n" in done.stdout
    assert deckcheck("own-size", "--isolated", cwd=tmp_path).returncode == 2
    (own.formats[0] / "bad.yaml").write_text("format: club/bad\nrules: 7\n", "utf-8")
    done = deckcheck("own-size", cwd=tmp_path)
    assert done.returncode == 0
    assert "bad.yaml" in done.stderr
