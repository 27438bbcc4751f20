"""Facts that a game takes to be absent where nobody knows: they keep rules, break none, and are reported."""

from __future__ import annotations

from pathlib import Path

import pytest
from factories.garden_game import GAME_YAML, GHOST, IRIS, ROSE, card, deck_of, format_of
from msgspec.structs import replace

from deckcheck.checking.judge import LoadedFormat, check, load_format
from deckcheck.formats import loading
from deckcheck.formats.loading import load_game
from deckcheck.model.card import Card
from deckcheck.model.finding import Report
from deckcheck.support.errors import UserError

UNIQUE = {"id": "unique", "per": "name", "where": {"colour": "red"}, "at_most": 1}


def assuming(*rules: dict[str, object]) -> LoadedFormat:
    loaded = format_of(*rules)
    data = loaded.game_data
    game = replace(data.game, assumed_absent={"colour": frozenset({"red"})})
    return LoadedFormat(loaded.format, replace(data, game=game))


def judged(loaded: LoadedFormat, *entries: tuple[Card, int]) -> Report:
    return check(deck_of(*entries), loaded, as_of="2020-01-01")


def said(report: Report) -> list[tuple[str, str]]:
    return [(one.rule, one.verdict) for one in report.findings]


def test_a_rule_that_only_an_unknown_fact_could_break_is_kept_and_said_to_be() -> None:
    report = judged(assuming(UNIQUE), (GHOST, 3), (IRIS, 2))
    assert report.verdict == "legal"
    [finding] = report.findings
    assert (finding.rule, finding.severity, finding.line) == ("assumed", "info", 1)
    assert finding.message.en == "no data says whether “Red” holds for Ghost Orchid; assumed it does not"
    assert judged(format_of(UNIQUE), (GHOST, 3), (IRIS, 2)).verdict == "undecided"


def test_what_is_known_breaks_the_rule_all_the_same() -> None:
    report = judged(assuming(UNIQUE), (ROSE, 2), (GHOST, 3))
    assert said(report) == [("unique", "violated"), ("assumed", "violated")]
    assert report.verdict == "illegal"


def test_nothing_is_assumed_where_one_copy_keeps_the_rule_anyway() -> None:
    assert judged(assuming(UNIQUE), (GHOST, 1)).findings == ()


@pytest.mark.parametrize(
    "where",
    [{"not": {"colour": "red"}}, {"colour": "blue"}, {"any": [{"colour": "red"}, {"colour": "blue"}]}],
)
def test_an_assumption_makes_no_deck_illegal_and_covers_no_other_value(where: dict[str, object]) -> None:
    report = judged(assuming({**UNIQUE, "where": where}), (GHOST, 3))
    assert said(report) == [("unique", "undecided")] and report.verdict == "undecided"


def test_a_bound_that_wants_such_cards_stays_open() -> None:
    report = judged(
        assuming({"id": "reds", "in": "main", "where": {"colour": "red"}, "at_least": 1}), (GHOST, 3)
    )
    assert said(report) == [("reds", "undecided")]


def test_a_partly_known_fact_is_assumed_too() -> None:
    mixed = card("Mixed", colour=["blue"], partial=["colour"])
    assert judged(assuming(UNIQUE), (mixed, 3)).verdict == "legal"


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
    with pytest.raises(UserError) as caught:
        load_game("garden")
    [problem] = caught.value.problems
    assert problem.line is not None and "is not a listed value" in problem.in_("en")
