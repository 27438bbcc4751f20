"""Lists of one's own: which of them are whole, and what cases and events make of the others."""

from __future__ import annotations

from pathlib import Path

import pytest
from factories.events import JUDGE, a_list, accept, an_event, put, receipts
from factories.partial_lists import BEFORE_LISTS, BOLTS, DAY, LOTUS

from deckcheck.checking import cases
from deckcheck.checking.judge import check, load_format
from deckcheck.formats.lookup import Folders
from deckcheck.model.finding import FindingId
from deckcheck.support.errors import UserError

pytestmark = pytest.mark.usefixtures("fewer_cards")


def own(folder: Path, text: str) -> Folders:
    (folder / "legacy.yaml").write_text(
        f"banlist: magic/legacy\nname: Mine\nreplaces_bundled: true\n{text}", "utf-8"
    )
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
        ("partial: 'yes'\n", 4, "true or false is needed"),
        ("partial: 1\n", 4, "true or false is needed"),
        ("partial: 2026-01-01\n", 4, "true or false is needed"),
        ("partail: true\n", 4, "partial"),
        ("complete_from: yesterday\n", 4, "write it like 2020-01-31"),
        ("complete_from: 2026-02-30\n", 4, "2026-02-30"),
    ],
)
def test_a_mistake_in_it_is_told_with_its_line(text: str, line: int, said: str, tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        load_format("magic/legacy", folders=own(tmp_path, text + CARDS))
    problem = caught.value.problems[0]
    assert problem.line == line
    assert said in problem.in_("en")


# Cases, and events.

CLUB = """\
format: club/some
game: magic
name: Some
banlists: [lists/some.yaml]
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
    banlist = f"banlist: club/list\nname: Some\npartial: true\n{CARDS}"
    put(tmp_path, {"some.yaml": CLUB, "lists/some.yaml": banlist})
    put(tmp_path, {f"some.cases/{name}.txt": f"# expect: {text}\n" for name, text in CLUB_CASES.items()})
    return tmp_path


def told_of(folder: Path) -> list[str]:
    results = cases.test_formats([str(folder / "some.yaml")], strict=True)
    return [result.text.in_("en") for result in results if not result.passed]


def test_cases_show_the_rules_by_the_list_as_it_stands(club: Path) -> None:
    assert check("2 Forest\n", load_format(club / "some.yaml")).verdict == "undecided"
    file = club / "some.cases" / "nobody.txt"
    file.write_text("# expect: undecided, unknown-card\n1 Nobody at all\n1 Forest\n")
    assert told_of(club) == [], "what no rule has to do with it stays undecided"


def test_a_case_can_expect_neither_it_nor_what_comes_of_it(club: Path) -> None:
    for expected in (FindingId.PARTIAL_BANLIST, f"undecided, {FindingId.PARTIAL_BANLIST}", "undecided"):
        (club / "some.cases" / "kept.txt").write_text(f"# expect: {expected}\n2 Forest\n")
        assert any(f"expected {expected}; found legal" in said for said in told_of(club))


def test_a_judges_word_lets_such_a_list_in_and_a_players_own_asking_does_not(tmp_path: Path) -> None:
    event = f"event: e\nname: E\ndate: 2026-11-28\nas_of: {BEFORE_LISTS}\nformat: magic/legacy\nentries: [lists]\n"
    quiet = f"# deckcheck: ignore-file[{FindingId.PARTIAL_BANLIST}] ok\n{BOLTS}"
    an_event(tmp_path, a_list("水野 光", quiet, id="1"), text=event)
    assert accept(tmp_path).status == 1
    assert accept(tmp_path, "1", *JUDGE).status == 0
    [receipt] = receipts(tmp_path, "e")
    assert (receipt["despite"], receipt["verdict"]) == (["undecided"], "undecided")
    assert receipt["faults"] == [FindingId.PARTIAL_BANLIST]
