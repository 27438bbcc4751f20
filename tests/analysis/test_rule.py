"""Pages of rules: every id is explained, and every example shows what it says."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from unittest import mock

import pytest
from factories.commands import deckcheck, run_here
from factories.examples import amount

from deckcheck.analysis.cases_and_rule_pages import (
    assuming_complete_lists,
    pages_of,
    render_engine_page,
    render_list,
    render_pages,
    rules_of,
)
from deckcheck.checking.judge import LoadedFormat, check, load_format, read_deck
from deckcheck.checking.session import CheckOptions, Session
from deckcheck.decklists.header_directives_comments import read_header
from deckcheck.formats import loading
from deckcheck.formats.inheritance import inherit
from deckcheck.formats.lookup import Folders, bundled_formats, source_file
from deckcheck.model.finding import ENGINE_IDS, UNCLEAR, FindingId
from deckcheck.report.results import RenderOptions
from deckcheck.report.wording import engine_guide
from deckcheck.support.files import shipped
from deckcheck.support.messages import Localized
from deckcheck.support.safe_text import cells

session = Session(CheckOptions())


@cache
def shelf() -> tuple[LoadedFormat, ...]:
    found, problems = session.loader().playable_formats()
    assert problems == ()
    return found


def rules(step: int = 1) -> Iterator[tuple[str, str]]:
    """Format and id of every rule that can be played by, in one format of so many."""
    for one in [entry for entry in bundled_formats() if not entry.abstract][::step]:
        inherited = inherit(one.file)
        for rule in inherited.rules:
            yield one.id, rule


# What the engine tells.


def test_the_guide_explains_the_engines_ids_and_no_others() -> None:
    assert set(engine_guide()) == ENGINE_IDS
    for explained in engine_guide().values():
        for text in (explained.meaning, explained.reason, explained.remedy):
            assert text.ja != text.en
            assert text.ja.endswith("。")
            assert text.en.endswith(".")
            assert text.en.isascii() or "“" in text.en


NEED_FILES = {FindingId.OVERRIDDEN, FindingId.OWN_FACTS, FindingId.UNCONFIRMED_CHANGE}
"""What no list shows without other files."""


@pytest.mark.parametrize("id", sorted(ENGINE_IDS))
def test_a_list_shows_each_id_of_the_engine_and_another_how_it_is_corrected(id: str) -> None:
    guide = engine_guide()[id]
    assert bool(guide.example) == bool(guide.corrected) == (id not in NEED_FILES)
    told = render_engine_page(id, RenderOptions("en"))
    assert ("can't be ignored" in told) == (id in UNCLEAR)
    if id in NEED_FILES:
        return
    for text in (guide.example, guide.corrected):
        assert len(text.splitlines()) <= 7
        assert all(f"    {line}\n" in told for line in text.splitlines())
    broken, kept = rules_found(guide.example), rules_found(guide.corrected)
    assert broken & ENGINE_IDS == {id} and not kept & ENGINE_IDS
    # A part of a deck is too small for most formats.
    assert kept - broken <= {"main-size"}


def rules_found(text: str) -> set[str]:
    format = session.load(read_header(text)["format"])
    return {finding.rule for finding in check(read_deck(format, text, "-"), format).findings}


# What formats ask.


@pytest.mark.parametrize(("format", "rule"), list(rules(amount(1, 4))))
def test_every_rule_is_shown_broken_and_kept(format: str, rule: str) -> None:
    one = next(one for one in shelf() if one.format.id == format)
    [page] = pages_of(rule, [one])
    assert (page.info.format, page.info.id) == (format, rule)
    assert page.info.summary.ja and page.info.summary.en
    if page.breaks is None:
        # What a base shows by the list of another format breaks nothing here.
        base = source_file(page.info.source.path)
        assert base != source_file(one.format.source.path)
        assert any(base.with_suffix(".cases").iterdir())
    else:
        assert all(page.breaks.note.both) and page.breaks.report is not None
        assert {finding.rule for finding in page.breaks.report.findings} == {rule}
        assert all(finding.verdict == "violated" for finding in page.breaks.report.findings)
    # What lies beside the deck has no bound.
    assert (page.keeps is None) == (rule in {beside.id for beside in one.format.set_aside})
    if page.keeps is not None:
        assert all(page.keeps.note.both)
        file = shipped("formats") / page.keeps.path.removeprefix("formats/")
        deck = one.game_data.read(file.read_text("utf-8"), page.keeps.path)
        kept, own = assuming_complete_lists(check(deck, one)), source_file(one.format.source.path)
        # The case of a base was made for one of the formats that extend it.
        assert kept.verdict == "legal" or file.parent != own.with_suffix(".cases")
        assert rule not in {finding.rule for finding in kept.findings}


def test_what_is_the_same_for_several_formats_is_said_once() -> None:
    pages = pages_of("copies", shelf())
    told = render_pages(pages, RenderOptions("en"))
    assert "copies  Legacy  magic/legacy\ncopies  Modern  magic/modern\n" in told
    of_magic = [page for page in pages if page.info.format.startswith("magic/")]
    assert 1 <= told.count("  source: Magic Tournament Rules, CR 100.2a") < len(of_magic)
    for page in pages:
        assert told.count(f"  {page.info.format}\n") == 1
    ids = [page.info.format for page in pages]
    assert ids == sorted(ids)


@pytest.mark.parametrize(("lang", "width"), [("ja", 100), ("en", 40)])
def test_the_list_names_every_id_with_its_formats(lang: str, width: int) -> None:
    told = render_list(rules_of(shelf()), RenderOptions(lang, width=width), engine=True).splitlines()
    for format, rule in rules():
        [line] = [line for line in told if line.split()[:1] == [rule]]
        assert format in line
        summary = told[told.index(line) + 1]
        assert summary.startswith("  ")
        assert cells(summary) <= width
    assert set(told) >= ENGINE_IDS


# The command.


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["copys"], ["there is no rule 'copys'", "did you mean 'copies'?"]),
        (["unknown-crad"], ["did you mean 'unknown-card'?"]),
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
    done = deckcheck("rule", *arguments, "--lang", "en")
    assert (done.status, done.out) == (2, "")
    assert "Traceback" not in done.err
    assert "\x1b" not in done.err
    for one in told:
        assert one in done.err


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


def test_a_format_of_ones_own_is_explained_too(own: Folders) -> None:
    found = load_format("club/own", folders=own)
    [page] = pages_of("own-size", [found])
    assert page.breaks is not None
    assert page.breaks.note == Localized("3枚 \x1b[31m", "three")
    assert page.keeps is not None
    assert page.keeps.path.endswith("good.txt")
    # It has no Japanese note, so the one that it has is shown.
    assert page.keeps.note == Localized("two \x1b[31m", "two \x1b[31m")
    told = {lang: render_pages([page], RenderOptions(lang)) for lang in ("ja", "en")}
    for text in told.values():
        assert "\x1b" not in text
        assert "two \\x1b[31m\n" in text
        assert "\\x1b[2J" in text
    assert "breaks it: three\n" in told["en"]
    assert "破る例：3枚 \\x1b[31m\n" in told["ja"]
    assert "three" not in told["ja"]
    # A rule without cases says so.
    [page] = pages_of("copies", [found])
    assert (page.breaks, page.keeps) == (None, None)
    assert "breaks it: there is no example" in render_pages([page], RenderOptions("en"))


@pytest.mark.parametrize(
    ("rule", "said", "games"),
    [
        ("copys", "did you mean 'copies'", set()),
        ("unknown-card", "The card table has no card of this name.", set()),
        ("hall", "duel-masters/", {"duel-masters"}),
    ],
)
def test_no_more_formats_are_loaded_than_have_the_rule(
    rule: str, said: str, games: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with mock.patch.object(loading, "load_format", side_effect=loading.load_format) as load:
        run_here("rule", rule, "--lang", "en")
    assert said in "".join(capsys.readouterr())
    loaded = [call.args[0] for call in load.call_args_list]
    assert {reference.partition("/")[0] for reference in loaded} <= games
    assert rule == "hall" or len(loaded) <= 1


def test_formats_of_a_project_are_explained_and_guessed(own: Folders, tmp_path: Path) -> None:
    (tmp_path / "deckcheck.toml").write_text('formats = ["formats"]\nlang = "en"\n', "utf-8")
    done = deckcheck("rule", "own-size", cwd=tmp_path)
    assert (done.status, done.err) == (0, "")
    assert "breaks it: three\n" in done.out
    done = deckcheck("rule", "own-siez", cwd=tmp_path)
    assert (done.status, done.out) == (2, "")
    assert "'own-size'" in done.err
    (own.formats[0] / "bad.yaml").write_text("format: club/bad\nrules: 7\n", "utf-8")
    done = deckcheck("rule", "own-size", cwd=tmp_path)
    assert done.status == 0
    assert "bad.yaml" in done.err
