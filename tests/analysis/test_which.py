"""`deckcheck which`: all formats at once, and each as `deckcheck check` would say."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from factories.analysis_runs import LISTS, formats, lines, reports_of
from factories.examples import examples
from factories.garden_game import GAME, Shelf, card, format_of
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from deckcheck.analysis.which import identity_of, render_text, sure_errors, which
from deckcheck.checking.judge import GameData, LoadedFormat, check
from deckcheck.checking.session import FormatCache, index_formats
from deckcheck.config.settings import DeckSettings
from deckcheck.decklists.read import make_reader
from deckcheck.formats.lookup import BUNDLED_ONLY
from deckcheck.model.format import Source
from deckcheck.report.suppressions import Grading, graded
from deckcheck.report.writer import RenderOptions
from deckcheck.support.errors import UserError
from deckcheck.support.messages import localized


@cache
def every_game() -> tuple[LoadedFormat, ...]:
    found, _ = index_formats(FormatCache().load, BUNDLED_ONLY)
    return found


# What is said is what a check says.

headers = st.lists(
    st.sampled_from(
        ["# date: 2020-08-01", "# date: 2023-06-01", "# best-of: 1", "# format: 殿堂ゼロ", "# deck: 名前"]
    ),
    max_size=3,
)


@examples(60)
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
        deck = formats()[0].game_data.read(text, "deck.txt")
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
            told = {identity_of(finding) for finding in game.common}
            rest = game.beyond_common(report)
            assert told | {identity_of(finding) for finding in rest} == {
                identity_of(finding) for finding in report.findings
            }
            assert told.isdisjoint(identity_of(finding) for finding in rest)
            if report.verdict == "illegal":
                assert game.obstacles(report)[0].verdict == "violated"


@examples(25)
@given(lines, st.randoms())
def test_the_answer_is_the_same_however_the_formats_stand(body: list[str], random: Any) -> None:
    text = "\n".join(["# date: 2023-06-01", *body, "4 x アクア・サーファー"])
    shuffled = list(formats())
    random.shuffle(shuffled)
    first, second = which(text, "-", formats()), which(text, "-", shuffled)
    assert first == second
    for lang in ("ja", "en"):
        assert render_text(first, RenderOptions(lang)) == render_text(second, RenderOptions(lang))


@examples(40)
@given(lines)
def test_legal_formats_come_first_and_then_those_with_few_errors(body: list[str]) -> None:
    text = "\n".join(["# date: 2023-06-01", *body, "4 x アクア・サーファー"])
    [game] = which(text, "-", formats()).games
    order = ["legal", "undecided", "illegal"]
    keys = [(order.index(report.verdict), sure_errors(report), report.format) for report in game.reports]
    assert keys == sorted(keys)
    assert all((report.verdict == "illegal") == (sure_errors(report) > 0) for report in game.reports)


@pytest.mark.parametrize(
    "file", sorted((Path(__file__).parents[2] / "examples").glob("*.txt")), ids=lambda file: file.stem
)
def test_the_examples_fit_what_they_were_made_for(file: Path) -> None:
    text = file.read_text("utf-8")
    fits = which(text, file.name, every_game())
    assert fits.own_format is not None
    [mine] = [report for report in reports_of(fits) if report.format == fits.own_format]
    others = {"dedodam-advance": "undecided", "water-darkness-duemagic": "illegal", "burn-modern": "illegal"}
    verdict = others.get(file.stem, "legal")
    assert mine.verdict == verdict


# What the settings say.


def test_the_settings_count_where_the_list_says_nothing() -> None:
    text = "4 x 天災 デドダム"
    early = DeckSettings(as_of="2018-01-01", best_of=1)
    reports = reports_of(which(text, "-", formats(), settings=early))
    assert {report.as_of for report in reports} == {"2018-01-01"}
    dated = reports_of(which(f"# date: 2020-01-01\n{text}", "-", formats(), settings=early))
    assert {report.as_of for report in dated} == {"2020-01-01"}
    asked = reports_of(
        which(f"# date: 2020-01-01\n{text}", "-", formats(), as_of="2021-01-01", settings=early)
    )
    assert {report.as_of for report in asked} == {"2021-01-01"}


def test_the_settings_games_of_a_match_count_where_the_list_says_none() -> None:
    text = "メインデッキ\n4 x 天災 デドダム\nサイドボード\n1 x 青銅の鎧\n"
    rule = "side-in-best-of-one"

    def found(text: str, best_of: int | None, mine: int | None) -> bool:
        reports = reports_of(
            which(text, "-", formats(), best_of=best_of, settings=DeckSettings(best_of=mine))
        )
        return rule in {finding.rule for report in reports for finding in report.findings}

    assert found(text, None, 1)
    assert not found(f"# best-of: 3\n{text}", None, 1)
    assert not found(text, 3, 1)
    assert found(f"# best-of: 3\n{text}", 1, None)


def test_findings_are_graded_as_in_a_check() -> None:
    text = (LISTS / "nowhere.txt").read_text("utf-8")
    here = Source("deckcheck.toml", 1)
    grading = Grading(None, here, {"copies": here, "main-size": here}, {"hall": "info"})
    reports = {
        report.format: report
        for report in reports_of(which(text, "-", formats(), settings=DeckSettings(grading=grading)))
    }
    for format in formats():
        assert reports[format.format.id] == graded(check(text, format), grading)


# Several games.

ROSE, IRIS, SHARED = card("Rose"), card("Iris"), card("アクア・ガード")


def garden(name: str, most: int) -> LoadedFormat:
    shelf = Shelf([ROSE, IRIS, SHARED])
    plain = format_of({"id": "size", "at_most": most}, cards=shelf, zones=["main"]).format
    named = replace(plain, id=f"garden/{name}", name=localized(name))
    return LoadedFormat(named, GameData(GAME, shelf, make_reader(GAME, shelf)))


GARDENS = (garden("small", 2), garden("large", 9))


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("4 x Rose\n", ["garden"]),
        ("4 x 青銅の鎧\n", ["duel-masters"]),
        # One game knows all of it.
        ("1 x Rose\n1 x Iris\n1 x アクア・ガード\n", ["garden"]),
        ("1 x 青銅の鎧\n1 x アクア・ビークル\n1 x アクア・ガード\n", ["duel-masters"]),
        # Of a game that knows far fewer cards than another, the name is shared by chance.
        ("1 x Rose\n1 x Iris\n1 x 青銅の鎧\n", ["garden"]),
        ("1 x 青銅の鎧\n1 x アクア・ビークル\n1 x Rose\n", ["duel-masters"]),
        ("4 x アクア・ガード\n", ["duel-masters", "garden"]),
    ],
)
def test_a_list_is_judged_by_the_games_that_know_it(text: str, games: list[str]) -> None:
    fits = which(text, "deck.txt", (*GARDENS, *formats()))
    assert [game.game for game in fits.games] == games
    told = render_text(fits, RenderOptions("en"))
    assert [name in told for name in ("Garden", "Duel Masters")] == [
        name in games for name in ("garden", "duel-masters")
    ]


def test_a_deck_is_legal_where_one_game_says_so() -> None:
    fits = which("4 x Rose\n", "deck.txt", GARDENS)
    assert [report.format for report in reports_of(fits)] == ["garden/large", "garden/small"]
    assert fits.verdict == "legal"
    assert which("99 x Rose\n", "deck.txt", GARDENS).verdict == "illegal"
    assert which("4 x Rose\n9 x Orchid\n", "deck.txt", GARDENS[1:]).verdict == "undecided"
    # Too many are too many, whatever they are.
    unknown = "4 x Rose\n3 x Orchid\n3 x Lotus\n"
    assert which(unknown, "deck.txt", GARDENS[1:]).verdict == "illegal"


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


@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        ("1 Kenrith, the Returned King\n1 Sol Ring\n98 Plains\n", False),
        ("Commander\n1 Kenrith, the Returned King\nDeck\n99 Plains\n", False),
        ("17 Plains\n16 Island\n7 Giant Growth\n", True),
    ],
)
def test_a_format_that_nearly_any_cards_fit_is_named_only_if_no_other_fits(text: str, is_named: bool) -> None:
    fits = which(text, "-", every_game())
    assert ("magic/limited" in {report.format for report in fits.games[0].reports}) == is_named
