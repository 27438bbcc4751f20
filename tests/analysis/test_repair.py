"""`deckcheck repair`: what it writes is legal, and nothing nearer is. What it says stands in the contract, `repair.yaml`."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from factories import files
from factories.commands import environment, run_here
from factories.events import put as write
from factories.garden_game import GAME_YAML
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from deckcheck.analysis.repair_search import Repair, repair
from deckcheck.checking.judge import LoadedFormat, load_format
from deckcheck.formats.lookup import Folders
from deckcheck.rewriting.deck_edits import judged
from deckcheck.support.documents import load_schema

FORMAT = """\
format: garden/small
name: {ja: 小さな庭, en: Small garden}
aliases: [SG]
zones: {main: {}, side: {}}
rules:
  - {id: size, in: main, exactly: 4}
  - {id: side-size, in: side, at_most: 1}
  - {id: copies, per: name, at_most: 2}
  - {id: no-weed, where: {name: Weed}, at_most: 0}
  - {id: red, in: main, where: {colour: red}, at_least: 2}
"""
COLOURS = {"Rose": "red", "Oak": "blue", "Iris": "blue", "Maple": "red", "Weed": "red"}
DAY = "2026-01-16"
HEAD = f"# format: garden/small\n# date: {DAY}\n# deck: Mine\n"


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The garden as a game of one's own."""
    folder = tmp_path_factory.mktemp("repair") / "garden"
    cards = (json.dumps({"name": name, "colour": [colour]}) + "\n" for name, colour in COLOURS.items())
    write(folder, {"game.yaml": GAME_YAML, "formats/small.yaml": FORMAT, "cards.jsonl": "".join(cards)})
    return folder


@pytest.fixture(autouse=True)
def here(garden: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test is run in a folder of its own, whose settings name the game."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DECKCHECK_LANG", "en")
    put(f"games = ['{garden}']\n", "deckcheck.toml")


def put(text: str, name: str = "deck.txt") -> Path:
    return files.put(name, text)


def run(*words: object) -> int:
    return run_here("repair", *words)


def answer(capfd: pytest.CaptureFixture[str], *words: object) -> tuple[int, Any]:
    status = run(*words, "--output-format", "json")
    said = json.loads(capfd.readouterr().out)
    Draft7Validator(load_schema("repair")).validate(said)
    return status, said


LEGAL = HEAD + "2 Rose\n2 Oak\n"
LARGE = HEAD + "\n2 Rose # from grandma\n2 Oak\n1 Iris\n"
FEW_BLUE = HEAD + "2 Oak\n"


@pytest.mark.parametrize(
    ("text", "words", "pool", "distance", "changes"),
    [
        (LEGAL, [], "", 0, []),
        # It moves to the other zone or goes: either way one of the blue cards.
        (LARGE, [], "", 1, None),
        (LARGE, ["--keep", "Iris", "--keep", "Oak", "--keep", "Rose"], "", 1, None),
        (LARGE, ["--without", "Rose"], "", None, None),
        (LEGAL, ["--without", "Rose"], "", 4, None),
        # A copy of a card of the list comes first, then the pool.
        (HEAD + "1 Rose\n2 Oak\n", [], "", 1, [("Rose", 1, 2)]),
        (HEAD + "1 Rose\n2 Oak\n", [], "2 Maple\n", 1, [("Rose", 1, 2)]),
        (FEW_BLUE, [], "2 Maple\n3 Iris\n", 2, [("Maple", 0, 2)]),
        (FEW_BLUE, [], "1 Maple\n1 Rose\n", 2, [("Maple", 0, 1), ("Rose", 0, 1)]),
        # A zone that the format lacks is emptied.
        (HEAD + "Bed\n2 Rose\n1 Oak\nGardener\n1 Oak\n", [], "", 1, None),
        # An unknown card can be taken out.
        (LARGE + "2 Mapel\n", ["--without", "mapel"], "", 3, None),
        (LEGAL + "1 Tulip\n", ["--without", "Tulip"], "", 1, [("Tulip", 1, 0)]),
    ],
)
def test_a_list_becomes_legal_with_few_changes(
    capfd: pytest.CaptureFixture[str],
    text: str,
    words: list[str],
    pool: str,
    distance: int | None,
    changes: list[tuple[str, int, int]] | None,
) -> None:
    put(text)
    if pool:
        put(pool, "pool.txt")
        words = [*words, "--pool", "pool.txt"]
    status, said = answer(capfd, "deck.txt", *words)
    (deck,) = said["decks"]
    assert status == min(deck["distance"], 1)
    if distance is not None:
        assert (deck["distance"], deck["bound"], deck["proven"]) == (distance, distance, True)
    if changes is not None:
        told = sorted((change["name"], change["from"], change["to"]) for change in deck["changes"])
        assert told == changes
    if "--without" in words:
        assert words[1].capitalize() not in deck["deck"]
    put(deck["deck"], "again.txt")
    assert run("again.txt") == 0
    if not changes and not distance and not words:
        assert deck["deck"] == text


SINGLETON = """\
format: magic-singleton
name: {ja: 1枚, en: Singleton}
game: magic
zones: {main: {}}
rules:
  - {id: size, in: main, exactly: 4}
  - {id: singleton, per: name, at_most: 1}
  - {id: pool, in: main, where: {not: {name: [NAMES]}}, at_most: 0}
  - {id: pair, sides: [{name: "Jace, the Mind Sculptor"}, {name: Lightning Bolt}], at_most: 1}
"""


@pytest.mark.usefixtures("fewer_cards")
def test_limits_and_names_with_commas(capfd: pytest.CaptureFixture[str]) -> None:
    names = [
        "Jace, the Mind Sculptor",
        "Elesh Norn, Grand Cenobite",
        "Lightning Bolt",
        "Duress",
        "Fry",
        "Shock",
    ]
    put(SINGLETON.replace("NAMES", ", ".join(f'"{name}"' for name in names)), "single.yaml")
    put("1 Shock\n")
    words = ("repair", "deck.txt", "--format", "single.yaml", "--lang")
    assert run_here(*words, "en") == 1
    line = capfd.readouterr().out.splitlines()[1]
    assert line.startswith("  Main deck: 3 more cards that keep the other rules, such as “")
    examples = re.findall("“([^”]+)”", line)
    assert len(examples) == 3
    # As many of the examples as are needed will do together.
    put("".join(f"1 {name}\n" for name in ["Shock", *examples]))
    assert run_here("check", "deck.txt", "--format", "single.yaml") == 0
    put("1 Shock\n")
    assert run_here(*words, "ja") == 1
    assert f"《{examples[0]}》、《" in capfd.readouterr().out


def test_warnings_of_the_check_are_not_lost(capfd: pytest.CaptureFixture[str]) -> None:
    later = "source: {title: T, edition: '1', date: 2026-02-01}\n"
    put(FORMAT.replace("garden/small\n", "later\ngame: garden\n") + later, "later.yaml")
    words = (put(LARGE), "--format", "later.yaml")
    assert run(*words) == 1
    warning = f"Small garden begins on 2026-02-01; there was no such format on {DAY}"
    assert f"  warning: {warning}\n" in capfd.readouterr().out
    _status, said = answer(capfd, *words)
    assert said["decks"][0]["warnings"] == [warning]


def test_write_follows_only_links_that_are_named(capfd: pytest.CaptureFixture[str]) -> None:
    outside = put(LARGE, "../outside.txt")
    Path("decks").mkdir()
    link = Path("decks/link.txt")
    link.symlink_to(outside.resolve())
    assert run("decks", "--write") == 0
    assert "Skipped" in capfd.readouterr().err and outside.read_text("utf-8") == LARGE
    assert run("decks") == 1
    assert run(str(link), "--write") == 1
    assert outside.read_text("utf-8") != LARGE and link.is_symlink()


def test_diff_and_write_keep_comments_header_and_line_ends(capfd: pytest.CaptureFixture[str]) -> None:
    text = HEAD + "\n3x Rose # from grandma\n1x Oak\n"
    path = put(text)
    path.write_bytes(text.replace("\n", "\r\n").encode())
    assert run("deck.txt", "--diff") == 1
    shown = capfd.readouterr().out
    assert "-3x Rose # from grandma" in shown and "+2x Rose # from grandma" in shown
    assert path.read_bytes() == text.replace("\n", "\r\n").encode()
    assert run("deck.txt", "--write") == 1
    assert path.read_bytes() == (HEAD + "\n2x Rose # from grandma\n2x Oak\n").replace("\n", "\r\n").encode()
    capfd.readouterr()
    assert run("deck.txt", "--diff") == 0
    assert capfd.readouterr().out == ""


DUELS = """\
format: duels
name: {ja: 小, en: Small}
game: duel-masters
zones: {main: {}}
rules:
  - {id: size, in: main, exactly: 2}
"""


def test_what_may_be_put_in_is_read_back_in_its_zone(capfd: pytest.CaptureFixture[str]) -> None:
    """Cards whose home is a zone that the format lacks are put nowhere, and none is advised."""
    put(DUELS, "duels.yaml")
    for text in ("1 青銅の鎧\n", "# 1 青銅の鎧\n"):
        put(text)
        capfd.readouterr()
        words = ("repair", "deck.txt", "--format", "duels.yaml", "--without", "青銅の鎧")
        assert run_here(*words, "--output-format", "json") == 1
        (deck,) = json.loads(capfd.readouterr().out)["decks"]
        cards = [name for choice in deck["choices"] for name in choice["examples"]]
        cards += [change["name"] for change in deck["changes"] if change["to"]]
        assert len(cards) >= 2
        for name in cards:
            put(f"2 {name}\n", "again.txt")
            assert run_here("check", "again.txt", "--format", "duels.yaml") == 0
        put(deck["deck"])
        assert run_here("check", "deck.txt", "--format", "duels.yaml") == 0


def test_a_japanese_list_gets_japanese_names() -> None:
    cards = ["ブラック・マジシャン", "青眼の白龍", "デーモンの召喚", "エルフの剣士", "岩石の巨兵"]
    text = "".join(f"3 x {name}\n" for name in cards) + "24 x 《ワイト》\n"
    put(text)
    assert run_here("repair", "deck.txt", "--format", "yugioh/ocg", "--write") == 1
    written = Path("deck.txt").read_text("utf-8")
    assert written.splitlines()[:5] == text.splitlines()[:5] and len(written.splitlines()) > 10
    assert not re.search("[a-wyz]{3}", written)


MAGICIAN = "46986414"
MONSTERS = [
    "89631139", "74677422", "70781052", "91152256", "15025844", "13039848", "97590747", "32274490", "11549357",
    "21844576", "58932615", "20721928",
]  # fmt: skip


def test_a_list_of_card_numbers_loses_and_gains_lines() -> None:
    words = ("repair", "deck.ydk", "--format", "yugioh/advanced", "--as-of", "2026-08-22")
    cards = [code for code in MONSTERS for _ in range(3)]
    begin, end = ["#created by a player", "#main"], ["#extra", "!side", ""]
    path = put("\n".join([*begin, *[MAGICIAN] * 4, *cards, "27288416", *end]), "deck.ydk")
    assert run_here(*words, "--write") == 1
    assert path.read_text("utf-8").split("\n") == [*begin, *[MAGICIAN] * 3, *cards, "27288416", *end]
    assert run_here(*words) == 0
    # Two monsters of a full list can be had a third time, and nothing else of it.
    put("\n".join([*begin, *[MAGICIAN] * 4, *cards[1:], cards[-1], *end]), "deck.ydk")
    assert run_here(*words, "--pool", put(f"3 {MONSTERS[0]}\n1 27288416\n", "pool.txt"), "--write") == 1
    written = path.read_text("utf-8").split("\n")
    assert written[:2] == begin and written[-3:] == end
    assert run_here(*words) == 0


def test_a_card_whose_facts_are_unknown_goes_where_a_rule_asks_for_them(
    capfd: pytest.CaptureFixture[str],
) -> None:
    few = "  - {id: few, in: main, where: {colour: red}, at_most: 2}\n"
    put(FORMAT.replace("garden/small\n", "few\ngame: garden\n") + few, "few.yaml")
    put("cards: [{name: Ghost, cost: 2}]\n", "cards.yaml")
    put("2 Oak\n2 Rose\n1 Ghost\n")
    words = ("deck.txt", "--format", "few.yaml")
    assert run_here("check", *words) == 1
    assert "undecided[few]" in capfd.readouterr().out
    _status, said = answer(capfd, *words)
    assert said["decks"][0]["changes"] == [{"zone": "main", "name": "Ghost", "from": 1, "to": 0}]


def test_a_list_that_needs_no_change_is_not_written() -> None:
    path = Path("legal.txt")
    path.write_bytes((LEGAL + "# ∵\n").encode("cp932").replace(b"\x81\xe6", b"\x87\x9a"))
    before = path.read_bytes()
    assert run("legal.txt", "--write") == 0
    assert path.read_bytes() == before


def closing_line(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: object) -> str:
    """What `check` names as a small change on a terminal; "" for nothing."""
    monkeypatch.setattr("deckcheck.cli.check.is_terminal", lambda _stream: True)
    run_here("check", *words, "--color", "never")
    found = [line for line in capfd.readouterr().out.splitlines() if "a small change" in line]
    assert len(found) <= 1
    return found[0] if found else ""


def test_check_names_the_command_for_an_illegal_deck(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    put(LARGE, "my deck.txt"), put(LEGAL, "legal.txt")
    assert run_here("check", "my deck.txt") == 1
    assert "small change" not in capfd.readouterr().out, "this is no terminal"
    said = "a small change that makes it legal: deckcheck repair 'my deck.txt'"
    assert closing_line(capfd, monkeypatch, "my deck.txt") == said
    put(Path("deckcheck.toml").read_text("utf-8"), "other.toml")
    options = ["--format", "garden/small", "--as-of", DAY, "--best-of", "3", "--notation", "text"]
    options += ["--config", "other.toml"]
    shown = closing_line(capfd, monkeypatch, "my deck.txt", *options)
    assert shown == f"{said} {' '.join(options)}"
    # What it names does what it says.
    assert run_here(*shlex.split(shown.partition(": deckcheck ")[2])) == 1
    assert "1 copy to change for a legal deck" in capfd.readouterr().out
    assert not closing_line(capfd, monkeypatch, "legal.txt")
    assert not closing_line(capfd, monkeypatch, "my deck.txt", "legal.txt")
    assert not closing_line(capfd, monkeypatch, "my deck.txt", "--output-format", "concise")
    assert not closing_line(capfd, monkeypatch, "my deck.txt", "--output", "out.txt")
    assert "small change" not in Path("out.txt").read_text("utf-8")
    run_here("check", "my deck.txt", "--output-format", "markdown")
    assert "A small change that makes it legal: `deckcheck repair 'my deck.txt'`" in capfd.readouterr().out
    put(HEAD + "2 Rose\n2 Tulip\n", "unknown.txt")
    put(LARGE + "1 Tuilp\n", "large.txt")
    for unclear in ("unknown.txt", "large.txt"):
        assert not closing_line(capfd, monkeypatch, unclear)
        run_here("check", unclear, "--output-format", "markdown")
        assert "small change" not in capfd.readouterr().out
        assert run_here("repair", unclear) == 2


def test_the_answer_is_the_same_every_time(capfd: pytest.CaptureFixture[str]) -> None:
    """Whatever the order in which Python keeps its sets."""
    words = ("repair", str(put(HEAD + "1 Oak\n1 Weed\n3 Iris\n")), "--output-format", "json")
    assert run_here(*words) == 1
    command = [sys.executable, "-m", "deckcheck", *words]
    done = subprocess.run(command, env=environment(PYTHONHASHSEED="1"), stdout=subprocess.PIPE, check=False)
    assert done.stdout.decode() == capfd.readouterr().out and b'"distance": 5' in done.stdout


# Against every deck there is.

_NAMES = list(COLOURS)
_ZONES = ("main", "side")
Held = dict[str, tuple[int, int]]
"""The copies of each name in both zones."""


def _deck_of(held: Held) -> dict[str, dict[str, int]]:
    return {
        zone: {name: copies[at] for name, copies in held.items() if copies[at]}
        for at, zone in enumerate(_ZONES)
    }


@pytest.fixture(scope="module")
def small(garden: Path) -> LoadedFormat:
    return load_format("garden/small", folders=Folders().with_games([garden]))


@pytest.fixture(scope="module")
def legal(small: LoadedFormat) -> list[Held]:
    """All legal decks."""
    every = (
        dict(zip(_NAMES, copies, strict=True))
        for copies in product(product(range(3), range(2)), repeat=len(_NAMES))
        if sum(main for main, _ in copies) == 4
    )
    found = [held for held in every if judged(_deck_of(held), small, DAY).verdict == "legal"]
    assert len(found) > 20
    return found


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2)), min_size=5, max_size=5))
def test_hardly_anything_nearer_is_legal(
    small: LoadedFormat, legal: list[Held], copies: list[tuple[int, int]]
) -> None:
    given = dict(zip(_NAMES, copies, strict=True))
    deck = _deck_of(given)

    def distance(other: Held) -> int:
        pairs = [list(zip(given[name], other[name], strict=True)) for name in _NAMES]
        return sum(
            max(sum(max(a - b, 0) for a, b in pair), sum(max(b - a, 0) for a, b in pair)) for pair in pairs
        )

    found = repair(deck, small, DAY)
    assert isinstance(found, Repair)
    nearest = min(map(distance, legal))
    assert found.bound <= nearest <= found.distance <= nearest + 1
    assert (found.distance == 0) == (judged(deck, small, DAY).verdict == "legal")
    after = {name: tuple(found.copies[zone].get(name, 0) for zone in _ZONES) for name in _NAMES}
    assert after in legal
    kept = [name for name, held in given.items() if any(held)][:1]
    answer = repair(deck, small, DAY, keep=kept)
    fulfilling = [other for other in legal if all(sum(other[name]) >= sum(given[name]) for name in kept)]
    if not isinstance(answer, Repair):
        assert not fulfilling
    else:
        assert min(map(distance, fulfilling)) <= answer.distance <= min(map(distance, fulfilling)) + 1
