"""Lists of which only some entries are known: by them no deck is ever called legal."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from engine.small import FERN, GAME, IRIS, ROSE, Held, deck_of, format_of
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.banlists import banlist_from
from deckcheck.cases import run as cases
from deckcheck.checking import LoadedFormat, check, load_format
from deckcheck.decks import Directive
from deckcheck.engineids import PARTIAL
from deckcheck.errors import UserError
from deckcheck.files import shipped
from deckcheck.formats.announce import Announcement, lay_over
from deckcheck.formats.find import Folders
from deckcheck.impact.judge import Turn, impact_on
from deckcheck.newlists import NewList, merged, written
from deckcheck.opening import Opened, make_loader
from deckcheck.report.effects import Days, Impact
from deckcheck.report.suppress import Grading, graded, suppressed
from deckcheck.report.violation import Report
from deckcheck.report.whichtext import render
from deckcheck.report.writer import Look
from deckcheck.rules.clauses import Source
from deckcheck.settings.model import ForDeck
from deckcheck.which import which
from deckcheck.yamlfile import load_yaml, parse_yaml
from tests.registration.lists import a_list, an_event
from tests.registration.test_accept import WORD, accepted, kinds, receipts

DAY = "2026-11-21"
BOLTS = "4 Lightning Bolt\n56 Mountain\n"
LOTUS = "1 Black Lotus\n3 Lightning Bolt\n56 Mountain\n"
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
    more = [] if before.verdict == "illegal" else [PARTIAL]
    assert sorted(ids(after)) == sorted([*ids(before), *more])


def test_one_finding_of_the_deck_names_all_such_lists() -> None:
    more: dict[str, Any] = {"banlist": "garden/other", "name": {"ja": "ほか", "en": "Other"}, "partial": True}
    whole = {"banlist": "garden/whole", "name": "Whole"}
    [finding] = found((ROSE, 1), format=partly(more, whole)).findings
    assert (finding.rule, finding.severity, finding.verdict) == (PARTIAL, "error", "undecided")
    assert (finding.line, finding.column, finding.zone, finding.cards) == (None, None, None, ())
    assert finding.message.en.startswith("only some entries of the List and the Other are known here")
    assert finding.message.ja.startswith("「List」と「ほか」には一部のカードしか載っていない")
    assert finding.hint is not None
    for said in finding.hint:
        assert "deckcheck banlists import" in said


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


@pytest.mark.parametrize("name", ["magic/legacy", "magic/vintage", "magic/pauper"])
def test_a_bundled_format_with_such_a_list_calls_no_deck_legal(name: str) -> None:
    format = load_format(name)
    assert [banlist.partial for banlist in format.format.banlists] == [True]
    report = check(BOLTS, format, as_of=DAY)
    assert (report.verdict, ids(report)) == ("undecided", [PARTIAL])


def test_all_bundled_lists_that_are_not_whole_say_so() -> None:
    for file in shipped("banlists").glob("*/*.yaml"):
        data = load_yaml(file).data
        assert data.get("partial", False) == (file.parent.name != "duel-masters"), file


def test_what_is_illegal_stays_so_without_a_word_of_it() -> None:
    report = check(LOTUS, load_format("magic/legacy"), as_of=DAY)
    assert (report.verdict, ids(report)) == ("illegal", ["banned"])


def test_a_format_without_lists_is_not_touched() -> None:
    report = check("4 Lightning Bolt\n36 Mountain\n", load_format("magic/limited"), as_of=DAY)
    assert (report.verdict, report.findings) == ("legal", ())


# Lists of one's own.


def own(folder: Path, text: str) -> Folders:
    (folder / "legacy.yaml").write_text(f"banlist: magic/legacy\nname: Mine\n{text}", "utf-8")
    return Folders(banlists=(folder,))


CARDS = "cards:\n- card: Black Lotus\n  history: [{from: 2004-09-20, status: banned}]\n"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [(CARDS, "legal"), (f"partial: false\n{CARDS}", "legal"), (f"partial: true\n{CARDS}", "undecided")],
)
def test_an_own_list_is_whole_unless_it_says_otherwise(text: str, verdict: str, tmp_path: Path) -> None:
    format = load_format("magic/legacy", folders=own(tmp_path, text))
    assert check(BOLTS, format, as_of=DAY).verdict == verdict
    assert check(LOTUS, format, as_of=DAY).verdict == "illegal"
    # Kept from one run to the next, it says the same.
    again = load_format("magic/legacy", folders=own(tmp_path, text))
    assert [one.partial for one in again.format.banlists] == [verdict == "undecided"]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("partial: 'yes'\n", 3, "true or false is needed"),
        ("partial: 1\n", 3, "true or false is needed"),
        ("partial: 2026-01-01\n", 3, "true or false is needed"),
        ("partail: true\n", 3, "partial"),
        ("complete_from: yesterday\n", 3, "written like 2020-01-31"),
        ("complete_from: 2026-02-30\n", 3, "2026-02-30"),
    ],
)
def test_a_mistake_in_it_is_told_with_its_line(text: str, line: int, said: str, tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        load_format("magic/legacy", folders=own(tmp_path, text + CARDS))
    problem = caught.value.problems[0]
    assert problem.line == line
    assert said in problem.in_("en")


# What is taken in.

NAMES = {name: name for name in ("Black Lotus", "Lightning Bolt", "Oko, Thief of Crowns")}


def taken(folder: Path, statuses: dict[str, str], since: str) -> NewList:
    new = merged("magic/legacy", "Legacy", statuses, None, since, NAMES.get, Folders(), folder)
    written([new])
    return new


def test_what_is_taken_in_is_whole_from_its_day_on(tmp_path: Path) -> None:
    assert load_yaml(shipped("banlists") / "magic/legacy.yaml").data["partial"] is True
    data = taken(tmp_path, {"Black Lotus": "banned"}, "2026-11-20").data
    assert "partial" not in data
    assert (data["complete_from"], data["complete_through"]) == ("2026-11-20", "2026-11-20")
    assert list(data)[-1] == "cards"
    format = load_format("magic/legacy", folders=Folders(banlists=(tmp_path,)))
    assert check(BOLTS, format, as_of=DAY).verdict == "legal"
    # Of the days before nobody knows what else was on it.
    assert check(BOLTS, format, as_of="2026-11-19").verdict == "undecided"
    assert check(LOTUS, format, as_of="2026-11-19").verdict == "illegal"


def test_the_next_list_begins_no_later(tmp_path: Path) -> None:
    taken(tmp_path, {"Black Lotus": "banned"}, "2026-11-20")
    assert taken(tmp_path, {"Lightning Bolt": "banned"}, "2026-12-01").data["complete_from"] == "2026-11-20"
    assert taken(tmp_path, {}, "2026-10-01").data["complete_from"] == "2026-10-01"


def test_a_list_that_names_what_nobody_knows_stays_partial_until_it_is_known(tmp_path: Path) -> None:
    some = taken(tmp_path, {"Black Lotus": "banned", "Nobody": "banned"}, "2026-11-20").data
    assert some["partial"] is True
    assert "complete_from" not in some
    format = load_format("magic/legacy", folders=Folders(banlists=(tmp_path,)))
    assert check(BOLTS, format, as_of=DAY).verdict == "undecided"
    whole = taken(tmp_path, {"Black Lotus": "banned"}, "2026-12-01").data
    assert "partial" not in whole
    assert whole["complete_from"] == "2026-12-01"


def test_an_own_list_with_its_history_stays_whole(tmp_path: Path) -> None:
    own(tmp_path, CARDS)
    data = taken(tmp_path, {"Black Lotus": "banned"}, "2026-11-20").data
    assert data.keys().isdisjoint({"partial", "complete_from"})


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
    announced = Announcement(parse_yaml(text, "next.yaml"), "2026-12-01")
    [after] = lay_over(announced, [banlist], GAME, partly().table.catalogue)
    assert after.partial == (said or before)


def impact(format: LoadedFormat, *held: Held, before: str, after: str) -> Impact | None:
    opened = Opened("", deck_of(*held), format, None, None, ForDeck(), False)
    return impact_on(opened, Turn(format, format, Days(before, after)))


@pytest.mark.parametrize(
    ("status", "verdicts"), [("out", ("undecided", "illegal")), ("free", ("illegal", "undecided"))]
)
def test_the_entry_that_turns_a_deck_is_blamed_alone(status: str, verdicts: tuple[str, str]) -> None:
    history = [{"from": "2010-01-01", "status": "out", "line": 1}] if status == "free" else []
    history.append({"from": "2020-01-01", "status": status, "line": 2})
    format = format_of(OUT, banlists=[{"partial": True, "cards": [{"card": "Iris", "history": history}]}])
    told = impact(format, (IRIS, 1), before="2019-01-01", after="2021-01-01")
    assert told is not None
    assert (told.before, told.after) == verdicts
    [effect] = told.effects
    assert {*effect.gained, *effect.lost} == {"out"}
    assert effect.decides
    assert told.others == ()


def test_a_deck_of_which_only_the_list_is_open_has_no_impact() -> None:
    assert impact(partly(), (ROSE, 1), before="2019-01-01", after="2021-01-01") is None


# Asking not to be told of it.


def grading(**said: Any) -> Grading:
    empty: dict[str, Any] = {"select": None, "selected_at": HERE, "ignore": {}, "severity": {}}
    return Grading(**(empty | said))


def test_whoever_ignores_it_takes_the_list_for_whole() -> None:
    report = graded(found((ROSE, 1)), grading(ignore={PARTIAL: HERE}))
    assert (report.verdict, ids(report)) == ("legal", [])
    assert [one.finding.rule for one in report.suppressed] == [PARTIAL]


def test_it_may_be_a_warning_only() -> None:
    report = graded(found((ROSE, 1)), grading(severity={PARTIAL: "warning"}))
    assert (report.verdict, ids(report)) == ("legal", [PARTIAL])


def test_a_selection_of_other_rules_does_not_ignore_it() -> None:
    for select in (frozenset({"most"}), frozenset({"most", PARTIAL})):
        report = graded(found((ROSE, 1)), grading(select=select))
        assert (report.verdict, ids(report)) == ("undecided", [PARTIAL])


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ({"ignore": {"most": HERE}}, [PARTIAL]),
        ({"select": frozenset({"out"})}, [PARTIAL]),
        ({"severity": {"most": "warning"}}, [PARTIAL, "most"]),
        ({"ignore": {"most": HERE, PARTIAL: HERE}}, []),
        ({"ignore": {PARTIAL: HERE}}, ["most"]),
    ],
)
def test_it_is_told_once_nothing_else_makes_the_deck_illegal(said: dict[str, Any], left: list[str]) -> None:
    report = found((ROSE, 3))
    assert (report.verdict, ids(report)) == ("illegal", ["most"])
    after = graded(report, grading(**said))
    assert ids(after) == left
    assert after.verdict == ("undecided" if PARTIAL in left else "illegal" if left else "legal")


def asked(report: Report, *rules: str) -> Report:
    directive = Directive(True, rules, "", 9, 1, None)
    with_it = report._replace(deck=report.deck._replace(directives=(directive,)))
    return suppressed(with_it, {"out", "most"})


def test_a_list_may_ask_the_same() -> None:
    alone = asked(found((ROSE, 1)), PARTIAL)
    assert (alone.verdict, ids(alone)) == ("legal", [])
    quiet = asked(found((ROSE, 3)), "most")
    assert (quiet.verdict, ids(quiet)) == ("undecided", [PARTIAL])
    both = asked(found((ROSE, 3)), "most", PARTIAL)
    assert (both.verdict, ids(both)) == ("legal", [])
    # Of no use today, it is of use once the deck is mended.
    assert ids(asked(found((ROSE, 3)), PARTIAL)) == ["most"]
    whole = format_of(OUT, MOST)
    assert ids(asked(found((ROSE, 1), format=whole), PARTIAL)) == ["unused-suppression"]


# The commands.


def deckcheck(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "deckcheck", *arguments, "--lang", "en"],
        cwd=cwd,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONUTF8": "1", "NO_COLOR": "1"},
    )


def test_the_exit_status_and_what_changes_it(tmp_path: Path) -> None:
    (tmp_path / "deck.txt").write_text(f"# date: {DAY}\n{BOLTS}")
    words = ("check", "deck.txt", "--format", "magic/legacy")
    done = deckcheck(*words, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (3, "")
    assert f"deck.txt: undecided[{PARTIAL}]: only some entries of the Legacy banned" in done.stdout
    assert "note: only some entries of this list are known" in done.stdout
    lenient = deckcheck(*words, "--unknown", "warn", cwd=tmp_path)
    assert lenient.returncode == 0
    assert f"warning[{PARTIAL}]" in lenient.stdout
    ignored = deckcheck(*words, "--ignore", PARTIAL, cwd=tmp_path)
    assert ignored.returncode == 0
    assert "legal, 1 ignored" in ignored.stdout
    (tmp_path / "deckcheck.toml").write_text(f'ignore = ["{PARTIAL}"]\n')
    assert deckcheck(*words, cwd=tmp_path).returncode == 0


def test_the_sheet_of_a_card_does_not_call_it_free(tmp_path: Path) -> None:
    bolt = deckcheck("cards", "show", "Lightning Bolt", "--as-of", DAY, cwd=tmp_path).stdout
    assert "Legacy banned and restricted list: unknown, for only some entries of this list are known" in bolt
    assert "not limited" not in bolt
    twin = deckcheck("cards", "show", "Splinter Twin", "--as-of", DAY, cwd=tmp_path).stdout
    assert "Modern banned and restricted list: not limited" in twin


def test_a_format_is_shown_with_what_is_known_of_its_lists(tmp_path: Path) -> None:
    told = deckcheck("formats", "show", "magic/legacy", cwd=tmp_path).stdout
    assert "list: Legacy banned and restricted list (only some of its entries are known)" in told


# In which formats a deck is legal.


def fits(text: str, names: list[str]) -> Any:
    load = make_loader()
    return which(text, "deck.txt", [load(name, ()) for name in names], as_of=DAY)


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "  undecided[partial-banlist]: only some entries of their lists are known, so whether the deck is legal can't be told (`deckcheck banlists import` takes in whole lists)"),
        ("ja", "  要確認［partial-banlist］一部のカードしか載っていないリストを使うので、使えるかどうかは分かりません（deckcheck banlists import でリスト全体を取り込めます）"),
    ],
)  # fmt: skip
def test_which_tells_it_once_for_all_formats(lang: str, said: str) -> None:
    asked = fits(BOLTS, ["magic/legacy", "magic/vintage", "magic/pauper", "magic/limited"])
    assert asked.games[0].told == ()
    told = render(asked, Look(lang)).splitlines()
    assert told.count(said) == 1
    assert sum(PARTIAL in line for line in told) == 1
    # Nothing of the list has to be mended.
    assert not any("above" in line or "上の行" in line for line in told)
    at = told.index(said)
    assert [line.split()[0] for line in told[at - 3 : at]] == [
        "magic/legacy",
        "magic/pauper",
        "magic/vintage",
    ]


def test_of_one_format_which_tells_the_list() -> None:
    told = render(fits(BOLTS, ["magic/legacy", "magic/limited"]), Look("en"))
    assert (
        "  undecided[partial-banlist]: only some entries of the Legacy banned and restricted list are known here"
        in told
    )


def test_where_others_are_open_for_something_else_the_formats_are_named() -> None:
    text = "4 Lightning Bolt\n36 Mountain\n20 Nobody knows\n"
    told = render(fits(text, ["magic/legacy", "magic/vintage", "magic/limited"]), Look("en"))
    assert "undecided[partial-banlist]: magic/legacy, magic/vintage: only some entries" in told
    assert told.count("open only for what is said above") == 1


def test_which_by_its_command(tmp_path: Path) -> None:
    (tmp_path / "deck.txt").write_text(BOLTS)
    done = deckcheck("which", "deck.txt", "--output-format", "json", "--as-of", DAY, cwd=tmp_path)
    [game] = json.loads(done.stdout)["decks"][0]["games"]
    verdicts = {one["format"]: one["verdict"] for one in game["formats"]}
    assert verdicts["magic/legacy"] == "undecided"
    assert verdicts["magic/limited"] == "legal"
    [legacy] = [one for one in game["formats"] if one["format"] == "magic/legacy"]
    assert [one["rule"] for one in legacy["findings"]] == [PARTIAL]


# Cases, and events.

CLUB = """\
format: club/some
game: magic
name: Some
banlists: [some.yaml]
zones: {main: {}}
rules:
- {id: two, exactly: 2}
- {id: banned, where: {status: banned}, at_most: 0}
"""
CLUB_CASES = {
    "kept": "legal\n# bound: two, banned\n2 Forest",
    "three": "two\n3 Forest",
    "lotus": "banned\n1 Black Lotus\n1 Forest",
}


@pytest.fixture
def club(tmp_path: Path) -> Path:
    (tmp_path / "some.cases").mkdir()
    (tmp_path / "some.yaml").write_text(CLUB)
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / "some.yaml").write_text(f"banlist: club/list\nname: Some\npartial: true\n{CARDS}")
    (tmp_path / "some.yaml").write_text(CLUB.replace("some.yaml", "lists/some.yaml"))
    for name, text in CLUB_CASES.items():
        (tmp_path / "some.cases" / f"{name}.txt").write_text(f"# expect: {text}\n")
    return tmp_path


def told_of(folder: Path) -> list[str]:
    return [
        said for fine, said in cases.test_formats([str(folder / "some.yaml")], "en", strict=True) if not fine
    ]


def test_cases_show_the_rules_by_the_list_as_it_stands(club: Path) -> None:
    assert check("2 Forest\n", load_format(club / "some.yaml")).verdict == "undecided"
    assert told_of(club) == []


def test_a_case_can_expect_neither_it_nor_what_comes_of_it(club: Path) -> None:
    for expected in (PARTIAL, f"undecided, {PARTIAL}", "undecided"):
        (club / "some.cases" / "kept.txt").write_text(f"# expect: {expected}\n2 Forest\n")
        assert any(f"expected {expected}; found legal" in said for said in told_of(club))


def test_what_no_rule_has_to_do_with_it_stays_undecided_in_a_case(club: Path) -> None:
    file = club / "some.cases" / "nobody.txt"
    file.write_text("# expect: undecided, unknown-card\n1 Nobody\n1 Forest\n")
    assert told_of(club) == []


def test_a_judges_word_lets_such_a_list_in(tmp_path: Path) -> None:
    event = "event: e\nname: E\ndate: 2026-11-28\nas_of: 2026-11-27\nformat: magic/legacy\nentries: [lists]\n"
    file = an_event(tmp_path, a_list("水野 光", BOLTS, id="1"), text=event)
    assert kinds(accepted(file)) == [["undecided"]]
    # A player's own asking is no word.
    quiet = f"# deckcheck: ignore-file[{PARTIAL}] ok\n{BOLTS}"
    an_event(tmp_path, a_list("水野 光", quiet, id="1"), text=event)
    assert kinds(accepted(file)) == [["undecided"]]
    [receipt] = receipts(accepted(file, only=["1"], word=WORD))
    assert (receipt.verdict, receipt.faults) == ("undecided", (PARTIAL,))
