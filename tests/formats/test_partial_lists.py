"""Lists of which only some entries are known: by them no deck is ever called legal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from factories.garden_game import FERN, GAME, IRIS, ROSE, Held, banlist_from, deck_of, format_of
from factories.partial_lists import BEFORE_LISTS, BOLTS, DAY, asked, some_lists
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.analysis.impact import Days, Impact, Transition
from deckcheck.checking.judge import LoadedFormat, check, load_format
from deckcheck.checking.session import OpenedDeck
from deckcheck.config.settings import DeckSettings
from deckcheck.formats.banlist_files import Announcement, with_announcement
from deckcheck.model.finding import FindingId, Report
from deckcheck.model.format import Source
from deckcheck.report.suppressions import Grading, graded
from deckcheck.support.documents import parse_yaml

HERE = Source("deckcheck.toml", 1)
OUT = {"id": "out", "where": {"status": ["out"]}, "at_most": 0}
MOST = {"id": "most", "per": "name", "at_most": 2}
SOME = {
    "partial": True,
    "cards": [{"card": "Iris", "history": [{"from": "2020-01-01", "status": "out", "line": 4}]}],
}


def ids(report: Report) -> list[str]:
    return [finding.rule for finding in report.findings]


def partly(*more: dict[str, Any]) -> LoadedFormat:
    return format_of(OUT, MOST, banlists=[SOME, *more])


def found(*held: Held, format: LoadedFormat | None = None) -> Report:
    return check(deck_of(*held), partly() if format is None else format, as_of=DAY)


# The verdict.


@given(st.lists(st.tuples(st.sampled_from([ROSE, IRIS, FERN, "nobody"]), st.integers(1, 3)), max_size=4))
def test_a_deck_is_what_it_would_be_by_a_whole_list_but_never_legal(held: list[Held]) -> None:
    whole = format_of(OUT, MOST, banlists=[{**SOME, "partial": False}])
    before, after = found(*held, format=whole), found(*held)
    assert after.verdict == ("undecided" if before.verdict == "legal" else before.verdict)
    more = [] if before.verdict == "illegal" else [FindingId.PARTIAL_BANLIST]
    assert sorted(ids(after)) == sorted([*ids(before), *more])


def test_one_finding_of_the_deck_names_all_such_lists() -> None:
    more: dict[str, Any] = {"banlist": "garden/other", "name": {"ja": "ほか", "en": "Other"}, "partial": True}
    whole = {"banlist": "garden/whole", "name": "Whole"}
    [finding] = found((ROSE, 1), format=partly(more, whole)).findings
    assert (finding.rule, finding.severity, finding.verdict) == (
        FindingId.PARTIAL_BANLIST,
        "error",
        "undecided",
    )
    assert (finding.line, finding.column, finding.zone, finding.cards) == (None, None, None, ())
    assert finding.message.en.startswith("only some entries of the List and the Other are known")
    assert finding.message.ja.startswith("「List」と「ほか」には一部のカードしか載っていない")
    assert finding.hint is not None
    for lang in ("ja", "en"):
        assert "deckcheck import" in finding.hint.in_(lang)


@pytest.mark.parametrize(("day", "verdict"), [("2019-12-31", "undecided"), ("2020-01-01", "legal")])
def test_before_its_first_sure_day_a_list_is_partial(day: str, verdict: str) -> None:
    format = format_of(OUT, banlists=[{**SOME, "partial": False, "complete_from": "2020-01-01"}])
    report = check(deck_of((ROSE, 1)), format, as_of=day)
    assert report.verdict == verdict
    assert [note.en for note in report.lists[0].notes] == (
        [] if verdict == "legal" else ["this list is only known to be complete from 2020-01-01"]
    )
    if verdict == "undecided":
        [finding] = report.findings
        assert "the List before 2020-01-01 are known" in finding.message.en
        # A newer list doesn't tell of older days.
        assert finding.hint is None


def test_a_format_with_such_a_list_calls_no_deck_legal(tmp_path: Path) -> None:
    format = load_format("magic/vintage", folders=some_lists(tmp_path))
    assert [banlist.partial for banlist in format.format.banlists] == [True]
    report = check(BOLTS, format, as_of=DAY)
    assert (report.verdict, ids(report)) == ("undecided", [FindingId.OVERRIDDEN, FindingId.PARTIAL_BANLIST])


@pytest.mark.parametrize("name", ["magic/legacy", "magic/vintage", "magic/pauper"])
def test_a_bundled_format_calls_no_deck_legal_before_its_list_is_complete(name: str) -> None:
    format = load_format(name)
    report = check(BOLTS, format, as_of=BEFORE_LISTS)
    assert (report.verdict, ids(report)) == ("undecided", [FindingId.PARTIAL_BANLIST])
    assert check(BOLTS, format, as_of=DAY).verdict == "legal"


def test_a_format_without_lists_is_not_touched() -> None:
    report = check("4 Lightning Bolt\n36 Mountain\n", load_format("magic/limited"), as_of=DAY)
    assert (report.verdict, report.findings) == ("legal", ())


# Announcements and what they do.

HEAD = "banlist: garden/list\nname: List\n"
TO_COME = "cards:\n- card: Rose\n  history: [{from: 2026-12-01, status: out}]\n"


@pytest.mark.parametrize("said", [True, False])
@pytest.mark.parametrize("before", [True, False])
def test_no_announcement_makes_a_list_whole(said: bool, before: bool) -> None:
    banlist = banlist_from(
        {"banlist": "garden/list", "name": "List", "path": "l.yaml", **SOME, "partial": before}
    )
    text = HEAD + ("partial: true\n" if said else "") + TO_COME
    document = parse_yaml(text, "next.yaml")
    announced = Announcement(document, "garden/list", "2026-12-01")
    [after] = with_announcement(announced, [banlist], GAME, partly().game_data.catalog)
    assert after.partial == (said or before)


def impact(format: LoadedFormat, *held: Held, before: str, after: str) -> Impact | None:
    opened = OpenedDeck("", deck_of(*held), format, None, None, DeckSettings(), False)
    return Transition(format, format, Days(before, after)).impact_on(opened)


@pytest.mark.parametrize(
    ("status", "verdicts"), [("out", ("undecided", "illegal")), ("free", ("illegal", "undecided"))]
)
def test_only_the_finding_of_the_changed_entry_is_told(status: str, verdicts: tuple[str, str]) -> None:
    history = [{"from": "2010-01-01", "status": "out", "line": 1}] if status == "free" else []
    history.append({"from": "2020-01-01", "status": status, "line": 2})
    format = format_of(OUT, banlists=[{"partial": True, "cards": [{"card": "Iris", "history": history}]}])
    told = impact(format, (IRIS, 1), before="2019-01-01", after="2021-01-01")
    assert told is not None
    assert (told.before, told.after) == verdicts
    [changed] = told.findings
    assert (changed.finding.rule, len(changed.entries)) == ("out", 1)


def test_a_deck_of_which_only_the_list_is_open_has_no_impact() -> None:
    assert impact(partly(), (ROSE, 1), before="2019-01-01", after="2021-01-01") is None


# Asking not to be told of it.


PARTIAL = FindingId.PARTIAL_BANLIST


@pytest.mark.parametrize(
    ("copies", "said", "verdict", "left"),
    [
        # Whoever ignores it takes the list for whole; a selection of other rules doesn't ignore it.
        (1, {"ignore": {PARTIAL: HERE}}, "legal", []),
        (1, {"severity": {PARTIAL: "warning"}}, "legal", [PARTIAL]),
        (1, {"select": frozenset({"most"})}, "undecided", [PARTIAL]),
        # It is told once nothing else makes the deck illegal.
        (3, {}, "illegal", ["most"]),
        (3, {"ignore": {"most": HERE}}, "undecided", [PARTIAL]),
        (3, {"select": frozenset({"out"})}, "undecided", [PARTIAL]),
        (3, {"severity": {"most": "warning"}}, "undecided", [PARTIAL, "most"]),
        (3, {"ignore": {"most": HERE, PARTIAL: HERE}}, "legal", []),
        (3, {"ignore": {PARTIAL: HERE}}, "illegal", ["most"]),
    ],
)
def test_who_asks_not_to_be_told_of_it(
    copies: int, said: dict[str, Any], verdict: str, left: list[str]
) -> None:
    empty: dict[str, Any] = {"select": None, "selected_at": HERE, "ignore": {}, "severity": {}}
    report = graded(found((ROSE, copies)), Grading(**(empty | said)))
    assert (report.verdict, ids(report)) == (verdict, left)
    # A list may ask the same. Of no use today, it is of use once the deck is corrected.
    if said.keys() == {"ignore"}:
        by_list = asked(found((ROSE, copies)), *said["ignore"])
        assert (by_list.verdict, ids(by_list)) == (verdict, left)


def test_to_ignore_it_is_of_no_use_where_all_lists_are_whole() -> None:
    report = asked(found((ROSE, 1), format=format_of(OUT, MOST)), PARTIAL)
    assert ids(report) == ["unused-suppression"]
