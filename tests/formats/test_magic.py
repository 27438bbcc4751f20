"""Magic: what its cases show, names of formats that several games have, and zones that a base lends."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from factories.commands import run_process
from factories.garden_game import IRIS, OAK, ROSE, Held, Shelf, card, deck_of, format_of, judged, load

from deckcheck.checking import cases
from deckcheck.checking.deck_files import DeckFile
from deckcheck.checking.judge import check, load_format
from deckcheck.checking.session import CheckOptions, Session
from deckcheck.formats.description import describe_format
from deckcheck.formats.lookup import bundled_formats
from deckcheck.support.errors import UserError
from deckcheck.support.files import shipped

FOLDER = shipped("formats") / "magic"
COMPANIONS = ["gyruda", "jegantha", "kaheera", "keruga", "lurrus", "lutri", "obosh", "umori", "zirda"]
PAIRS = ["partner", "partner-with", "friends-forever", "background", "doctor", "doctor-partner-with"]


def shown(pattern: str) -> dict[str, str]:
    """What the cases expect, by name, with the rules on whose bound they sit."""
    found = {}
    for file in FOLDER.glob(pattern):
        text = file.read_text("utf-8")
        [expect] = re.findall(r"(?m)^# expect: (.+)$", text)
        bound = re.findall(r"(?m)^# bound: (.+)$", text)
        found[file.stem] = expect + "".join(f" | {one}" for one in bound)
    return found


# What the cases are there for.


@pytest.mark.parametrize("name", COMPANIONS)
def test_each_companion_is_just_kept_and_broken(name: str) -> None:
    said = {file: one for file, one in shown("companions.cases/*.txt").items() if file.startswith(f"{name}-")}
    assert f"companion-{name}" in said.values()
    assert any(one.startswith("legal | ") and f"companion-{name}" in one for one in said.values())


def test_the_tenth_companion_lets_the_least_grow() -> None:
    said = shown("constructed.cases/main-size-yorion-*.txt")
    assert said["main-size-yorion-eighty"] == "legal | main-size"
    assert said["main-size-yorion-seventy-nine"] == "main-size"
    assert shown("commander.cases/companion-yorion.txt") == {"companion-yorion": "companion-yorion"}


@pytest.mark.parametrize("name", PAIRS)
def test_each_pair_of_commanders_has_a_case(name: str) -> None:
    said = shown("commander.cases/pair-*.txt")
    assert said[f"pair-{name}"] == "legal | commander-pair"
    broken = {one for one, expect in said.items() if expect.startswith("commander-pair")}
    assert {one for one in broken if one.startswith(f"pair-{name.partition('-')[0]}")}


@pytest.mark.parametrize("folder", ["constructed", "commander"])
def test_the_exceptions_to_the_cap_have_cases(folder: str) -> None:
    said = shown(f"{folder}.cases/*.txt")
    rule = {"constructed": "copies", "commander": "singleton"}[folder]
    assert said[f"{rule}-any-number"] == said[f"{rule}-basic"] == "legal"
    for number, over in (("seven", "eight"), ("nine", "ten")):
        assert said[f"{rule}-{number}"] == f"legal | {rule}"
        assert said[f"{rule}-{number}-{over}"] == rule


def test_what_no_pair_allows_is_said_in_one_sentence() -> None:
    format = load_format("magic/commander")
    text = "Commander\n1 Tymna the Weaver\n1 Lathril, Blade of the Elves\nDeck\n98 Forest\n"
    [finding] = check(text, format, as_of="2025-12-01").findings
    assert finding.rule == "commander-pair"
    assert finding.message.en.startswith("these two can't be commanders together")
    assert finding.message.ja.startswith("この2枚は一緒に統率者にできません")
    assert [one.line for one in finding.cards] == [2, 3]
    assert finding.allowed is None


@pytest.mark.parametrize(
    ("format", "lang", "said"),
    [
        ("magic/oathbreaker", "en", "  One of these: Oathbreaker: at most 1 card; or Oathbreaker: exactly 2 cards with partner; or "),
        ("magic/oathbreaker", "en", "cards whose partner by name is in Oathbreaker\n"),
        ("magic/oathbreaker", "ja", "  次のどれか一つ: オースブレイカーは1枚まで／オースブレイカーの「共闘」を持つカードはちょうど2枚／"),
        ("magic/modern", "en", "Main deck: only cards with an even mana value\n"),
        ("magic/modern", "ja", "メインデッキに入れられるのはマナ総量が偶数のカードだけ\n"),
        ("magic/commander", "en", "  No cards with a colour outside the commander's colour identity\n"),
        ("magic/commander", "ja", "  統率者の固有色にない色を固有色に持つカードは使えません\n"),
        ("magic/modern", "en", "  At most 4 of each card except those that are basic lands or whose own text sets another number\n"),
        ("duel-masters/amadeus", "ja", "  メインデッキに2〜4枚ずつ入れたカードが5種類以上必要"),
        ("duel-masters/duemagic", "en", "  No sideboard in a best of one (warning only)\n"),
        ("duel-masters/commander", "en", "  For each civilization of the Commander, at least 12 cards with that civilization\n"),
        ("yugioh/ocg", "ja", "  制限カードに指定されたカードは同じ名前につき1枚まで\n"),
    ],
)  # fmt: skip
def test_rules_are_said_as_players_say_them(format: str, lang: str, said: str) -> None:
    loaded = load_format(format)
    assert said in describe_format(loaded.format, loaded.game_data.game, lang)


# Several ways to keep a rule.

EITHER = {
    "id": "pair",
    "in": "leader",
    "either": [{"at_most": 1}, {"where": {"colour": "red"}, "exactly": 2}],
    "message": {"ja": "組めません", "en": "no pair"},
}
RED, MAYBE = card("Poppy", colour=["red"], kind=["flower"]), card("Mist", colour=None, kind=["flower"])


@pytest.mark.parametrize(
    ("held", "verdict"),
    [
        ([(ROSE, 1, "leader")], "legal"),
        ([(ROSE, 1, "leader"), (RED, 1, "leader")], "legal"),
        ([(ROSE, 1, "leader"), (IRIS, 1, "leader")], "illegal"),
        ([(ROSE, 1, "leader"), (MAYBE, 1, "leader")], "undecided"),
        ([(IRIS, 1, "leader"), (MAYBE, 1, "leader")], "illegal"),
    ],
)
def test_one_way_is_enough_and_an_open_one_keeps_it_open(held: list[Held], verdict: str) -> None:
    report = judged(EITHER, *held)
    assert report.verdict == verdict
    if verdict == "illegal":
        assert [one.message.en for one in report.findings] == ["no pair"]


# Zones that only the extended format has.

BASE = """\
format: garden/base
name: B
abstract: true
zones: {main: {}, leader: {}}
rules:
- {id: few, in: [leader, main], at_most: 1}
- {id: grow, when: {in: [leader, main], where: {kind: tree}}, at_least: {plus: {times: 2, in: [leader, main]}}}
"""
HEAD = "format: garden/x\nname: X\nextends: base.yaml\n"


def test_a_zone_that_a_format_does_not_take_over_holds_no_card(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(BASE)
    file = tmp_path / "x.yaml"
    file.write_text(HEAD + "zones: {main: {}, side: {}}\n")
    ready = load(file)
    assert [rule.clauses[0].selection.zones for rule in ready.format.rules] == [("main",), None]

    def found(*held: Held) -> set[str]:
        report = check(deck_of(*held), ready, as_of="2020-01-01")
        return {one.rule for one in report.findings}

    assert found((ROSE, 1)) == set()
    assert found((ROSE, 2)) == {"few"}
    assert found((OAK, 1)) == {"grow"}


def test_of_its_zones_one_must_be_left(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(BASE)
    file = tmp_path / "x.yaml"
    file.write_text(HEAD + "zones: {side: {}}\n")
    with pytest.raises(UserError) as caught:
        load(file)
    assert {problem.message.en for problem in caught.value.problems} == {
        "this format has none of these zones"
    }
    assert {problem.line for problem in caught.value.problems} == {6, 7}
    assert {problem.path for problem in caught.value.problems} == {str(tmp_path / "base.yaml")}


@pytest.mark.parametrize("own", ["[main, side]", "[side]", "side"])
def test_a_zone_that_its_own_format_lacks_is_wrong(own: str, tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(BASE.replace("[leader, main], at_most", f"{own}, at_most"))
    file = tmp_path / "x.yaml"
    file.write_text(HEAD)
    with pytest.raises(UserError, match="this format has no zone 'side'"):
        load(file)
    # And so it is in the format that says it.
    (tmp_path / "base.yaml").write_text(BASE)
    file.write_text(
        HEAD
        + f"zones: {{main: {{}}}}\nrules: [{{id: own, in: {own.replace('side', 'leader')}, at_most: 9}}]\n"
    )
    with pytest.raises(UserError, match="this format has no zone 'leader'"):
        load(file)


# A chosen colour: what is unknown of a leader matters only where something hangs on it.


def test_what_is_partly_known_of_a_leader_opens_only_what_hangs_on_it() -> None:
    half = card("Half", colour=["red"], kind=["flower"], partial=["colour"])
    rule = {"id": "colours", "in": "main", "where": {"colour": {"outside": "leader"}}, "at_most": 0}
    format = format_of(rule, cards=Shelf([half, ROSE, IRIS]))
    for inside, verdict in ((RED, "legal"), (IRIS, "undecided")):
        report = check(deck_of((half, 1, "leader"), (inside, 1, "main")), format, as_of="2020-01-01")
        assert report.verdict == verdict


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
    with pytest.raises(UserError) as caught:
        Session(CheckOptions(format="commander")).open(DeckFile(str(file)))
    [problem] = caught.value.problems
    assert problem.path == str(file)
    assert problem.message.en == "'commander' may be any of duel-masters/commander, magic/commander"


def test_a_name_of_one_format_needs_no_game() -> None:
    for name in ("modern", "EDH", "duemagic", "DMC", "統率者戦"):
        assert load_format(name).format.id in {one.id for one in bundled_formats()}


# The command line with several games.


def deckcheck(*arguments: str) -> subprocess.CompletedProcess[str]:
    return run_process([*arguments, "--lang", "en"], env=os.environ | {"PYTHONUTF8": "1"}, encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "of"), [("天災 デドダム", "civilization"), ("llanowar elves", "mana value")]
)
def test_a_card_is_looked_for_in_every_game(name: str, of: str) -> None:
    done = deckcheck("cards", "show", name)
    assert (done.returncode, done.stderr) == (0, "")
    assert of in done.stdout


def test_cards_of_several_games_are_told_with_their_games() -> None:
    done = deckcheck("cards", "search", "ra", "--limit", "1000")
    games = set(re.findall(r"\(.*: --game ([a-z-]+)\)$", done.stdout, re.MULTILINE))
    assert {"magic", "duel-masters"} <= games | {"duel-masters"}
    alone = deckcheck("cards", "search", "llanowar elves", "--game", "magic")
    assert alone.stdout == "Llanowar Elves\n"


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
    results = cases.test_formats([str(folder / one) for one in files], strict=True)
    return [result.text.in_("en") for result in results if not result.passed]


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


def test_what_a_base_does_not_show_is_told_of_the_base(club: Path) -> None:
    (club / "base.cases" / "one.txt").unlink()
    [fault] = faults(club, "base.yaml", "x.yaml")
    assert "base.yaml: no case has 'size' as its only finding" in fault


def test_without_cases_of_the_base_the_format_shows_all(club: Path) -> None:
    for file in (club / "base.cases").iterdir():
        file.unlink()
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
