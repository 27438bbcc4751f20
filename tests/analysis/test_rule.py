"""Pages of rules: every id is explained, and every example shows what it says."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from msgspec.structs import astuple

from deckcheck.analysis.rule_pages import (
    EXAMPLES,
    engine_page,
    game_showing,
    pages_of,
    render_engine_page,
    render_list,
    render_pages,
    rules_of,
)
from deckcheck.checking.cases import assuming_complete_lists
from deckcheck.checking.judge import LoadedFormat, check
from deckcheck.checking.session import FormatCache, index_formats
from deckcheck.formats.inheritance import inherit
from deckcheck.formats.lookup import BUNDLED_ONLY, bundled_formats, source_file
from deckcheck.model.finding import ENGINE_IDS, UNCLEAR, FindingId
from deckcheck.report.wording import engine_guide
from deckcheck.report.writer import RenderOptions
from deckcheck.support.files import shipped
from deckcheck.support.safe_text import cells

GAMES = sorted(file.parent.name for file in shipped("formats").glob("*/game.yaml"))
load = FormatCache().load


@cache
def shelf() -> tuple[LoadedFormat, ...]:
    found, problems = index_formats(load, BUNDLED_ONLY)
    assert problems == ()
    return found


def rules() -> Iterator[tuple[str, str]]:
    """Format and id of every rule that can be played by."""
    for one in bundled_formats():
        if not one.abstract:
            inherited = inherit(one.file)
            for rule in (*inherited.rules, *inherited.beside):
                yield one.id, rule


# What the engine tells.


def test_the_guide_explains_the_engines_ids_and_no_others() -> None:
    assert set(engine_guide()) == ENGINE_IDS
    for explained in engine_guide().values():
        for text in astuple(explained):
            assert text.ja != text.en
            assert text.ja.endswith("。")
            assert text.en.endswith(".")
            assert text.en.isascii() or "“" in text.en


ELSEWHERE = {FindingId.PARTIAL_BANLIST, FindingId.EMPTY_LINE}
"""What the first game can't show."""
NOWHERE = {FindingId.OVERRIDDEN}
"""What no list can show."""


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_two_lists_for_every_id_of_the_engine(game: str) -> None:
    """In the first game for every one but what its whole lists, or its empty lines, can't show, in the others for those that they can show."""
    named = {file.name for file in (shipped("formats") / game / EXAMPLES).glob("*.txt")}
    shown = shown_ids(game)
    assert named == {f"{id}{end}" for id in shown for end in (".txt", ".corrected.txt")}
    assert shown == ENGINE_IDS - ELSEWHERE - NOWHERE if game == GAMES[0] else shown <= ENGINE_IDS


def shown_ids(game: str) -> set[str]:
    return {file.name.partition(".")[0] for file in (shipped("formats") / game / EXAMPLES).glob("*.txt")}


@pytest.mark.parametrize(("game", "id"), [(game, id) for game in GAMES for id in sorted(shown_ids(game))])
def test_the_lists_show_the_id_and_how_it_is_corrected(id: str, game: str) -> None:
    page = engine_page(id, game, load)
    assert page.breaks is not None
    assert page.keeps is not None
    assert page.breaks.report is not None
    assert {finding.rule for finding in page.breaks.report.findings} == {id}
    assert page.keeps.report is None
    assert page.breaks.lines != page.keeps.lines
    assert len(page.breaks.lines) <= 6
    assert len(page.keeps.lines) <= 6


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("id", sorted(ENGINE_IDS))
def test_an_id_of_the_engine_is_told_with_both_lists(id: str, lang: str) -> None:
    game = game_showing(id, GAMES)
    assert (game == GAMES[0]) == (id not in ELSEWHERE)
    page = engine_page(id, game, load)
    told = render_engine_page(page, RenderOptions(lang))
    for text in astuple(engine_guide()[id]):
        assert text.in_(lang) in told
    if id in NOWHERE:
        assert page.breaks is page.keeps is None
        return
    assert f"{id}.txt:" in told
    assert f"{id}.corrected.txt" in told
    assert page.keeps is not None
    assert all(line in told for line in page.keeps.lines)
    assert ("can't be ignored" in told or "無視はできません" in told) == (id in UNCLEAR)


def test_a_game_without_lists_still_has_the_words() -> None:
    page = engine_page("unknown-card", "no-such-game", load)
    assert (page.breaks, page.keeps) == (None, None)
    assert "there is no example" in render_engine_page(page, RenderOptions("en"))
    assert game_showing("unknown-card", ["no-such-game", "nor-this"]) == "no-such-game"


# What formats ask.


@pytest.mark.parametrize(("format", "rule"), list(rules()))
def test_every_rule_is_shown_broken_and_kept(format: str, rule: str) -> None:
    one = next(one for one in shelf() if one.format.id == format)
    [page] = pages_of(rule, [one])
    assert page.info.format == format
    assert page.info.id == rule
    assert page.info.summary.ja
    assert page.info.summary.en
    if page.breaks is None:
        # What a base shows by the list of another format breaks nothing here.
        base = source_file(page.info.source.path)
        assert base != source_file(one.format.source.path)
        assert any(base.with_suffix(".cases").iterdir())
    else:
        assert all(page.breaks.note.both)
        assert page.breaks.report is not None
        assert {finding.rule for finding in page.breaks.report.findings} == {rule}
        assert all(finding.verdict == "violated" for finding in page.breaks.report.findings)
    # What lies beside the deck has no bound.
    assert (page.keeps is None) == (rule in {beside.id for beside in one.format.set_aside})
    if page.keeps is not None:
        assert all(page.keeps.note.both)
        file = shipped("formats") / page.keeps.path.removeprefix("formats/")
        kept = assuming_complete_lists(
            check(one.game_data.read(file.read_text("utf-8"), page.keeps.path), one)
        )
        # The case of a base was made for one of the formats that extend it.
        assert kept.verdict == "legal" or file.parent != source_file(one.format.source.path).with_suffix(
            ".cases"
        )
        assert rule not in {finding.rule for finding in kept.findings}


def test_a_rule_has_a_block_for_each_format_in_the_order_of_their_ids() -> None:
    pages = pages_of("singleton", shelf())
    told = [page.info.format for page in pages]
    assert told[:2] == ["duel-masters/commander", "duel-masters/duel-party"]
    assert told == sorted(told)
    assert pages == pages_of("singleton", shelf())


def test_what_is_the_same_for_several_formats_is_said_once() -> None:
    pages = pages_of("copies", shelf())
    told = render_pages(pages, RenderOptions("en"))
    assert "copies  Legacy  magic/legacy\ncopies  Modern  magic/modern\n" in told
    of_magic = [page for page in pages if page.info.format.startswith("magic/")]
    assert 1 <= told.count("  source: Magic Tournament Rules, CR 100.2a") < len(of_magic)
    for page in pages:
        assert told.count(f"  {page.info.format}\n") == 1


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("width", [40, 100])
def test_the_list_names_every_id_with_its_formats(lang: str, width: int) -> None:
    told = render_list(rules_of(shelf()), RenderOptions(lang, width=width), engine=True).splitlines()
    for format, rule in rules():
        [line] = [line for line in told if line.split()[:1] == [rule]]
        assert format in line
        summary = told[told.index(line) + 1]
        assert summary.startswith("  ")
        assert cells(summary) <= width
    assert set(told) >= ENGINE_IDS
