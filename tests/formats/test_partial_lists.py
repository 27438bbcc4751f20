"""Lists of which only some entries are known: by them no deck is ever called legal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from factories.commands import run_here
from factories.dated_lists import between
from factories.events import JUDGE, a_list, accept, an_event, put, receipts
from factories.garden_game import FERN, GAME, IRIS, ROSE, Held, banlist_from, deck_of, format_of
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from deckcheck.analysis import cases_and_rule_pages as cases
from deckcheck.checking.judge import LoadedFormat, check, load_format
from deckcheck.checking.session import CheckOptions, Session
from deckcheck.formats.banlist_files import Announcement, with_announcement
from deckcheck.formats.lookup import Folders
from deckcheck.model.deck import Directive
from deckcheck.model.finding import FindingId, Report
from deckcheck.model.format import Source
from deckcheck.report.suppressions import Grading, graded, suppressed
from deckcheck.support.documents import parse_yaml

DAY = "2026-08-01"
BEFORE_LISTS = "2024-01-01"
"""Before the first day for which the bundled lists of Legacy, Vintage and Pauper are complete."""
BOLTS = "4 Lightning Bolt\n56 Mountain\n"
PARTIAL = FindingId.PARTIAL_BANLIST
HERE = Source("deckcheck.toml", 1)
OUT = {"id": "out", "where": {"status": ["out"]}, "at_most": 0}
MOST = {"id": "most", "per": "name", "at_most": 2}
SOME = {
    "partial": True,
    "cards": [{"card": "Iris", "history": [{"from": "2020-01-01", "status": "out", "line": 4}]}],
}


def ids(report: Report) -> list[str]:
    return [finding.rule for finding in report.findings]


def judged(*held: Held, format: LoadedFormat | None = None, as_of: str = DAY) -> Report:
    """The deck by a list of which only some entries are known."""
    return check(deck_of(*held), format or format_of(OUT, MOST, banlists=[SOME]), as_of=as_of)


# The verdict.


@given(st.lists(st.tuples(st.sampled_from([ROSE, IRIS, FERN, "nobody"]), st.integers(1, 3)), max_size=4))
def test_a_deck_is_what_it_would_be_by_a_whole_list_but_never_legal(held: list[Held]) -> None:
    whole = format_of(OUT, MOST, banlists=[{**SOME, "partial": False}])
    before, after = judged(*held, format=whole), judged(*held)
    assert after.verdict == ("undecided" if before.verdict == "legal" else before.verdict)
    more = [] if before.verdict == "illegal" else [PARTIAL]
    assert sorted(ids(after)) == sorted([*ids(before), *more])


def test_one_finding_of_the_deck_names_all_such_lists() -> None:
    other = {"banlist": "garden/other", "name": {"ja": "ほか", "en": "Other"}, "partial": True}
    lists = [SOME, other, {"banlist": "garden/whole", "name": "Whole"}]
    [finding] = judged((ROSE, 1), format=format_of(OUT, MOST, banlists=lists)).findings
    assert (finding.rule, finding.severity, finding.verdict) == (PARTIAL, "error", "undecided")
    assert (finding.line, finding.column, finding.zone, finding.cards) == (None, None, None, ())
    assert finding.message.en.startswith("only some entries of the List and the Other are known")
    assert finding.message.ja.startswith("「List」と「ほか」には一部のカードしか載っていない")
    assert finding.hint is not None and "deckcheck import" in finding.hint.en + finding.hint.ja


def test_before_its_first_sure_day_a_list_is_partial() -> None:
    format = format_of(OUT, banlists=[{**SOME, "partial": False, "complete_from": "2020-01-01"}])
    before, after = (judged((ROSE, 1), format=format, as_of=day) for day in ("2019-12-31", "2020-01-01"))
    assert (before.verdict, after.verdict, after.lists[0].notes) == ("undecided", "legal", ())
    assert [note.en for note in before.lists[0].notes] == [
        "this list is only known to be complete from 2020-01-01"
    ]
    [finding] = before.findings
    assert "the List before 2020-01-01 are known" in finding.message.en
    assert finding.hint is None, "a newer list doesn't tell of older days"


@pytest.mark.parametrize("name", ["magic/legacy", "magic/vintage", "magic/pauper"])
def test_a_bundled_format_calls_no_deck_legal_before_its_list_is_complete(name: str) -> None:
    format = load_format(name)
    report = check(BOLTS, format, as_of=BEFORE_LISTS)
    assert (report.verdict, ids(report)) == ("undecided", [PARTIAL])
    assert check(BOLTS, format, as_of=DAY).verdict == "legal"


BANNED = "cards:\n- card: Black Lotus\n  history: [{from: 2004-09-20, status: banned}]\n"


@pytest.mark.usefixtures("fewer_cards")
@pytest.mark.parametrize(
    ("said", "verdict"), [("", "legal"), ("partial: false\n", "legal"), ("partial: true\n", "undecided")]
)
def test_an_own_list_is_whole_unless_it_says_otherwise(said: str, verdict: str, tmp_path: Path) -> None:
    head = "banlist: magic/legacy\nname: Mine\nreplaces_bundled: true\n"
    (tmp_path / "legacy.yaml").write_text(head + said + BANNED, "utf-8")
    # Kept from one run to the next, it says the same.
    for _ in range(2):
        format = load_format("magic/legacy", folders=Folders(banlists=(tmp_path,)))
        assert check(BOLTS, format, as_of=DAY).verdict == verdict
        assert check(f"1 Black Lotus\n{BOLTS}", format, as_of=DAY).verdict == "illegal"


# Announcements and what they do.


@pytest.mark.parametrize("said", [True, False])
@pytest.mark.parametrize("before", [True, False])
def test_no_announcement_makes_a_list_whole(said: bool, before: bool) -> None:
    text = "banlist: garden/list\nname: List\ncards: [{card: Rose, history: [{from: 2026-12-01, status: out}]}]\n"
    document = parse_yaml(text + ("partial: true\n" if said else ""), "next.yaml")
    announced = Announcement(document, "garden/list", document)
    banlist = banlist_from({**SOME, "partial": before})
    [after] = with_announcement(announced, [banlist], GAME, format_of(OUT).game_data.catalog)
    assert after.partial == (said or before)


@pytest.mark.parametrize(
    ("status", "verdicts"), [("out", ("undecided", "illegal")), ("free", ("illegal", "undecided"))]
)
def test_only_the_finding_of_the_changed_entry_is_told(status: str, verdicts: tuple[str, str]) -> None:
    history = [{"from": "2010-01-01", "status": "out", "line": 1}] if status == "free" else []
    history.append({"from": "2020-01-01", "status": status, "line": 2})
    format = format_of(OUT, banlists=[{"partial": True, "cards": [{"card": "Iris", "history": history}]}])
    impact = between(format, deck_of((IRIS, 1)), "2019-01-01", "2021-01-01")
    assert impact is not None and (impact.before, impact.after) == verdicts
    [changed] = impact.findings
    assert (changed.finding.rule, len(changed.entries)) == ("out", 1)
    assert between(format, deck_of((ROSE, 1)), "2019-01-01", "2021-01-01") is None, "only the list is open"


# Asking not to be told of it.


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
    report = graded(judged((ROSE, copies)), Grading(**(empty | said)))
    assert (report.verdict, ids(report)) == (verdict, left)
    # A list may ask the same. Of no use today, it is of use once the deck is corrected.
    if said.keys() == {"ignore"}:
        by_list = asking(judged((ROSE, copies)), *said["ignore"])
        assert (by_list.verdict, ids(by_list)) == (verdict, left)


def asking(report: Report, *rules: str) -> Report:
    """The report of a list that asks to ignore these rules."""
    deck = replace(report.deck, directives=(Directive(True, rules, "", 9, 1, None),))
    return suppressed(replace(report, deck=deck), {"out", "most"})


def test_to_ignore_it_is_of_no_use_where_all_lists_are_whole() -> None:
    assert ids(asking(judged((ROSE, 1), format=format_of(OUT, MOST)), PARTIAL)) == ["unused-suppression"]


# What is shown, cases, and events.


def test_what_is_shown_of_a_card_or_format_does_not_call_it_free(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def said(*words: str) -> str:
        assert run_here(*words, "--lang", "en") == 0
        return capfd.readouterr().out

    legacy, modern = "Legacy banned and restricted list", "Modern banned and restricted list"
    unknown = f"{legacy}: unknown, for only some entries of this list are known"
    bolt = said("cards", "show", "Lightning Bolt", "--as-of", BEFORE_LISTS)
    assert unknown in bolt and f"{modern}: not limited" not in bolt
    # What is on a list is known of it, even where the rest is not.
    assert f"{modern}: banned" in said("cards", "show", "Splinter Twin", "--as-of", BEFORE_LISTS)
    assert f"{legacy}: not limited" in said("cards", "show", "Lightning Bolt", "--as-of", DAY)
    own = f"banlist: magic/legacy\nname: {legacy}\nreplaces_bundled: true\npartial: true\n{BANNED}"
    put(tmp_path, {"lists/legacy.yaml": own, "deckcheck.toml": 'banlists = ["lists"]\n'})
    monkeypatch.chdir(tmp_path)
    shown = said("formats", "show", "magic/legacy")
    assert f"list: {legacy} (only some of its entries are known)" in shown


CLUB = {
    "some.yaml": "format: club/some\ngame: magic\nname: Some\nbanlists: [list.yaml]\nzones: {main: {}}\nrules:\n"
    "- {id: two, exactly: 2}\n- {id: banned, where: {status: banned}, at_most: 0}\n",
    "list.yaml": f"banlist: club/list\nname: Some\npartial: true\n{BANNED}",
    "some.cases/kept.txt": "# expect: legal\n# bound: two, banned\n2 Forest\n",
    "some.cases/three.txt": "# expect: two\n3 Forest\n",
    "some.cases/lotus.txt": "# expect: banned\n1 Black Lotus\n1 Forest\n",
    # What no rule has to do with it stays undecided.
    "some.cases/nobody.txt": "# expect: undecided, unknown-card\n1 Nobody at all\n1 Forest\n",
}


@pytest.mark.usefixtures("fewer_cards")
def test_cases_show_the_rules_by_the_list_as_it_stands_and_can_not_expect_it(tmp_path: Path) -> None:
    put(tmp_path, CLUB)

    def told() -> list[str]:
        results = cases.test_cases([str(tmp_path / "some.yaml")], Session(CheckOptions()))
        return [result.text.in_("en") for result in results if result.outcome != cases.Outcome.PASSED]

    assert check("2 Forest\n", load_format(tmp_path / "some.yaml")).verdict == "undecided"
    assert told() == []
    for expected in (PARTIAL, f"undecided, {PARTIAL}", "undecided"):
        put(tmp_path, {"some.cases/kept.txt": f"# expect: {expected}\n2 Forest\n"})
        assert any(f"expected {expected}; found legal" in said for said in told())


@pytest.mark.usefixtures("fewer_cards")
def test_a_judges_word_lets_such_a_list_in_and_a_players_own_asking_does_not(tmp_path: Path) -> None:
    event = f"event: e\nname: E\ndate: 2026-11-28\nas_of: {BEFORE_LISTS}\nformat: magic/legacy\nentries: [lists]\n"
    quiet = f"# deckcheck: ignore-file[{PARTIAL}] ok\n{BOLTS}"
    an_event(tmp_path, a_list("水野 光", quiet, id="1"), text=event)
    assert accept(tmp_path).status == 1
    assert accept(tmp_path, "1", *JUDGE).status == 0
    [receipt] = receipts(tmp_path, "e")
    assert (receipt["despite"], receipt["verdict"]) == (["undecided"], "undecided")
    assert receipt["faults"] == [PARTIAL]
