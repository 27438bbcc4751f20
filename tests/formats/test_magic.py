"""Magic: commanders and companions, names of formats that several games have, and cases of a base."""

from __future__ import annotations

from pathlib import Path

import pytest
from factories.errors import problem_of

from deckcheck.analysis import cases_and_rule_pages as cases
from deckcheck.checking.deck_files import DeckFile
from deckcheck.checking.judge import check, load_format
from deckcheck.checking.session import CheckOptions, Session


def test_what_no_pair_allows_is_said_in_one_sentence() -> None:
    format = load_format("magic/commander")
    text = "Commander\n1 Tymna the Weaver\n1 Lathril, Blade of the Elves\nDeck\n98 Forest\n"
    [finding] = check(text, format, as_of="2025-12-01").findings
    assert finding.rule == "commander-pair"
    assert finding.message.en.startswith("these two can't be commanders together")
    assert finding.message.ja.startswith("この2枚は一緒に統率者にできません")
    assert [one.line for one in finding.cards] == [2, 3]
    assert finding.allowed is None


PARTNERS = "cards:\n" + "".join(
    f"  - {{name: {name}, tag: [{tag}], supertype: [Legendary], type: [Creature], subtype: [], identity: [],\n"
    "     partner_with: [], pool: [commander]}\n"
    for name, tag in (
        ("Tin Survivor", "partner-survivors"),
        ("Brass Survivor", "partner-survivors"),
        ("Tin Father", "partner-father-and-son"),
        ("Tin Partner", "partner"),
        ("Tin Friend", "friends-forever"),
    )
)


@pytest.mark.usefixtures("fewer_cards")
def test_each_kind_of_partner_goes_with_its_own(tmp_path: Path) -> None:
    (tmp_path / "cards.yaml").write_text(PARTNERS, encoding="utf-8")
    commander = load_format("magic/commander", cards=[tmp_path / "cards.yaml"])
    for other, together in (
        ("Brass Survivor", True),
        *((f"Tin {name}", False) for name in ("Father", "Partner", "Friend")),
    ):
        text = f"Commander\n1 Tin Survivor\n1 {other}\nDeck\n98 Wastes\n"
        report = check(text, commander, as_of="2025-12-01")
        assert ("commander-pair" not in [finding.rule for finding in report.findings]) == together


@pytest.mark.parametrize(("copies", "is_over"), [(3, False), (4, True)])
def test_a_companion_beside_copies_in_the_deck_counts_with_them(copies: int, is_over: bool) -> None:
    name = "Kaheera, the Orphanguard"
    text = f"Companion\n1 {name}\n\nDeck\n{copies} {name}\n60 Plains\n\nSideboard\n1 {name}\n14 Plains\n"
    report = check(text, load_format("magic/legacy"), as_of="2025-12-01")
    assert ("copies" in [finding.rule for finding in report.findings]) == is_over


# Formats of one name.

DUEL = "統率者\n天災 デドダム\n"
MAGIC = "Commander\n1 Giada, Font of Hope\nDeck\n99 Plains\n"


@pytest.mark.parametrize("said", ["header", "option"])
@pytest.mark.parametrize(("text", "format"), [(DUEL, "duel-masters/commander"), (MAGIC, "magic/commander")])
def test_a_name_of_two_formats_means_that_of_the_game_that_knows_the_list(
    text: str, format: str, said: str, tmp_path: Path
) -> None:
    file = tmp_path / "deck.txt"
    file.write_text(("# format: commander\n" if said == "header" else "") + text, "utf-8")
    opened = Session(CheckOptions(format=None if said == "header" else "commander")).open(DeckFile(str(file)))
    assert opened.format.format.id == format


@pytest.mark.parametrize("text", ["1 xyzzy\n", DUEL + "メインデッキ\nLlanowar Elves\n"])
def test_where_the_list_does_not_tell_both_are_named(text: str, tmp_path: Path) -> None:
    file = tmp_path / "deck.txt"
    file.write_text(text, "utf-8")
    problem = problem_of(Session(CheckOptions(format="commander")).open, DeckFile(str(file)))
    assert problem.path == str(file)
    assert problem.message.en == "'commander' may be any of duel-masters/commander, magic/commander"


# Cases of a base.

OWN = """\
format: club/base
game: magic
name: Base
abstract: true
zones: {main: {}}
rules:
- {id: size, in: main, at_least: 2}
"""


def faults(folder: Path, *files: str) -> list[str]:
    results = cases.test_cases([str(folder / one) for one in files], Session(CheckOptions()))
    return [result.text.in_("en") for result in results if result.outcome != cases.Outcome.PASSED]


@pytest.fixture
def club(tmp_path: Path) -> Path:
    (tmp_path / "base.yaml").write_text(OWN)
    (tmp_path / "x.yaml").write_text(
        "format: club/x\ngame: magic\nname: X\nextends: base.yaml\nrules: [{id: top, at_most: 3}]\n"
    )
    for folder, decks in {
        "base": {"kept": "legal\n# bound: size\n# format: ../x.yaml\n2 Plains", "one": "size\n# format: ../x.yaml\n1 Plains"},
        "x": {"three": "legal\n# bound: top\n3 Plains", "four": "top\n4 Plains"},
    }.items():  # fmt: skip
        (tmp_path / f"{folder}.cases").mkdir()
        for name, text in decks.items():
            shown = text.replace("../", "")
            (tmp_path / f"{folder}.cases" / f"{name}.txt").write_text(f"# expect: {shown}\n")
    return tmp_path


def test_a_base_shows_its_rules_by_formats_that_extend_it(club: Path) -> None:
    assert faults(club, "base.yaml", "x.yaml") == []
    (club / "base.cases" / "one.txt").unlink()
    [fault] = faults(club, "base.yaml", "x.yaml")
    assert "base.yaml: no case has 'size' as its only finding" in fault
    # Without cases of the base the format shows all.
    (club / "base.cases" / "kept.txt").unlink()
    told = faults(club, "base.yaml", "x.yaml")
    assert len(told) == 2
    assert all("x.yaml: no " in one and "'size'" in one for one in told)


@pytest.mark.parametrize(
    ("header", "fault"),
    [
        ("", "a case of an abstract format names, with # format:, a format that extends it"),
        ("# format: magic/modern\n", "'magic/modern' uses no rule of 'club/base'"),
        ("# format: nowhere\n", "there is no format 'nowhere'"),
    ],
)
def test_the_case_of_a_base_says_who_judges_it(header: str, fault: str, club: Path) -> None:
    (club / "base.cases" / "more.txt").write_text(f"# expect: legal\n{header}2 Plains\n")
    [told] = faults(club, "base.yaml")
    assert f"more.txt: {fault}" in told
