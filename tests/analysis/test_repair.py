"""`deckcheck repair`: its options, its statuses, its outputs, and that nothing nearer is legal."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from factories.commands import environment, run_here
from factories.events import put as write
from factories.garden_game import GAME_YAML
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from deckcheck.analysis.repair import NotRepaired, Repair, repair
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
CLASHING = FORMAT.replace("at_least: 2", "at_least: 5").replace("small", "clash").replace("SG", "CG")
COLOURS = {"Rose": "red", "Oak": "blue", "Iris": "blue", "Maple": "red", "Weed": "red"}
DAY = "2026-01-16"
HEAD = f"# format: garden/small\n# date: {DAY}\n# deck: Mine\n"


def put_garden(folder: Path, format: str, colours: dict[str, str]) -> None:
    """The garden as a game of one's own."""
    cards = (json.dumps({"name": name, "colour": [colour]}) + "\n" for name, colour in colours.items())
    files = {"game.yaml": GAME_YAML, "formats/small.yaml": format, "formats/clash.yaml": CLASHING}
    write(folder, files | {"cards.jsonl": "".join(cards)})


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repair") / "garden"
    put_garden(folder, FORMAT, COLOURS)
    return folder


@pytest.fixture(autouse=True)
def here(garden: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test is run in a folder of its own, whose settings name the game."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DECKCHECK_LANG", "en")
    put(f"games = ['{garden}']\n", "deckcheck.toml")


def put(text: str, name: str = "deck.txt") -> Path:
    path = Path(name)
    path.write_text(text, "utf-8")
    return path


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


@pytest.mark.parametrize(
    ("text", "words", "lang", "lines"),
    [
        (LEGAL, [], "en", ["legal in Small garden (2026-01-16); nothing to change"]),
        (
            FEW_BLUE,
            [],
            "en",
            [
                "2 copies to change for a legal deck in Small garden (2026-01-16); proven smallest",
                "Bed: 2 more cards with colour Red that keep the other rules, such as Rose, Maple",
            ],
        ),
        (FEW_BLUE, [], "ja", ["小さな庭", "花壇: ", "あと2枚", "最小と証明済み"]),
        (
            HEAD + "2 Rose\n2 Oak\n2 Iris\nGlasshouse\n1 Maple\n",
            ["--keep", "Rose"],
            "en",
            ["Bed: Oak: 2 → 0\n  (or, for one of these 2 copies, a copy of Iris)\n"],
        ),
    ],
)
def test_the_changes_and_what_could_be_changed_instead_are_told(
    capfd: pytest.CaptureFixture[str], text: str, words: list[str], lang: str, lines: list[str]
) -> None:
    put(text)
    assert run("deck.txt", *words, "--lang", lang) == int(text != LEGAL)
    out = capfd.readouterr().out
    assert all(line in out for line in lines)


@pytest.mark.parametrize(
    ("text", "pool", "said"),
    [
        (LEGAL + "1 Tulip\n", "", ["deck.txt:6"]),
        (LEGAL + "Rose 1 Oak 2 Iris\n", "", ["deck.txt:6"]),
        (LARGE + "2 Mapel\n", "", ["did you mean Maple? (or take it out: --without Mapel)", "^^^^^\n"]),
        (FEW_BLUE, "1 Mapel\n", ["pool.txt:1:3", "^^^^^\n", "did you mean Maple?"]),
        (FEW_BLUE, "\n", ["pool.txt: error: no cards in this collection"]),
        (
            "# format: magic/modern\n# date: 2020-01-01\n61 Black Lotus\n",
            "",
            ["deck.txt: error: only some entries of the Modern banned", "known, so no deck is surely legal"],
        ),
    ],
)
def test_what_cannot_be_read_cannot_be_repaired(
    capfd: pytest.CaptureFixture[str], text: str, pool: str, said: list[str]
) -> None:
    put(text)
    words = ["--pool", str(put(pool, "pool.txt"))] if pool else []
    assert run("deck.txt", *words) == 2
    err = capfd.readouterr().err
    assert all(words in err for words in said)


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
    put("# format: duel-masters/original\n# date: 2005-08-20\n41 アクア・ガード\n")
    assert run("deck.txt") == 1
    warning = "Original begins on 2021-01-01; there was no such format on 2005-08-20"
    assert f"  warning: {warning}\n" in capfd.readouterr().out
    _status, said = answer(capfd, "deck.txt")
    assert said["decks"][0]["warnings"] == [warning]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--keep", "Ros"], "--keep: there is no card 'Ros'"),
        (["--without", "Tulip"], "--without: there is no card 'Tulip'"),
        (["--keep", "Maple"], "--keep: the deck has no 'Maple'"),
        (["--keep", "Oak", "--without", "Oak"], "--keep and --without name the same card: 'Oak'"),
        (["--diff", "--write"], "--diff cannot be used with --write"),
        (["--diff", "--output-format", "json"], "--diff cannot be used with --output-format"),
        (["--write", "--output-format", "json"], "--write cannot be used with --output-format"),
    ],
)
def test_wrong_options(capfd: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    put(LARGE)
    assert run("deck.txt", *words) == 2
    assert said in capfd.readouterr().err


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


@pytest.mark.parametrize(
    ("name", "text", "changes"),
    [
        (
            "deck.csv",
            "Zone,Count,Name,Note\nmain,3,Rose,3 thorns\nmain,1,Oak,\n",
            [("main,3", "main,2"), ("main,1", "main,2")],
        ),
        (
            "deck.json",
            '{"format": "garden/small", "date": "2026-01-16", "cards": [{"zone": "main", "count": 3, "name": "Rose"}]}',
            None,
        ),
        (
            "deck.yaml",
            "format: garden/small\ndate: 2026-01-16\nmain:\n  Rose: 3 # from grandma\n  Oak: 1\n",
            [("Rose: 3", "Rose: 2"), ("Oak: 1", "Oak: 2")],
        ),
        (
            "table.json",
            '[\n{"zone": "main", "count": 3, "name": "Rose", "note": "1, ]"},\n{"zone": "main", "count": 2, "name": "Oak"},\n'
            '{"zone": "side", "count": 1, "name": "Weed"}\n]\n',
            [("3", "2"), (',\n{"zone": "side", "count": 1, "name": "Weed"}', "")],
        ),
        (
            "deck.md",
            "Mine\n\n| Count | Name | Note |\n|---|---|---|\n| 3 | Rose | 3 thorns |\n| 1 | Oak | |\n",
            [("| 3 | R", "| 2 | R"), ("1", "2")],
        ),
        (
            "new.csv",
            "Zone,Count,Name,Note\nmain,2,Oak,tall\n",
            [("tall\n", "tall\nmain,2,Rose,\n")],
        ),
        (
            "new.md",
            "Mine\n\n| Count | Name | Note |\n|---|---|---|\n| 2 | Oak | tall |\n",
            [("tall |\n", "tall |\n| 2 | Rose | |\n")],
        ),
        ("empty.txt", "Bed\n2 Rose\n2 Oak\n\nGlasshouse\n1 Weed\n", [("\nGlasshouse\n1 Weed\n", "")]),
    ],
)
def test_structured_lists_stay_what_they_are(
    name: str, text: str, changes: list[tuple[str, str]] | None
) -> None:
    put(text, name)
    words = (name, "--format", "SG", "--as-of", DAY)
    assert run(*words, "--write") == 1
    assert run(*words) == 0
    if changes is not None:
        for old, new in changes:
            text = text.replace(old, new)
        assert Path(name).read_text("utf-8") == text


COCKATRICE = """\
<?xml version="1.0" encoding="UTF-8"?>
<cockatrice_deck version="1">
    <deckname>Burn</deckname>
    <comments>hot &amp; fast</comments>
    <zone name="main">
        <card number="5" name="Lightning Bolt"/>
        <card number="55" name="Mountain"/>
    </zone>
</cockatrice_deck>
"""
DEK = """\
<?xml version="1.0" encoding="utf-8"?>
<Deck>
  <NetDeckID>0</NetDeckID>
  <Cards CatID="123" Quantity="5" Sideboard="false" Name="Lightning Bolt" Annotation="0" />
  <Cards CatID="456" Quantity="55" Sideboard="false" Name="Mountain" Annotation="0" />
</Deck>
"""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("mtgo.txt", "5 Lightning Bolt\n55 Mountain\n\n2 Smash to Smithereens\n"),
        ("arena.txt", "About\nName Burn\n\nDeck\n5 Lightning Bolt (M10) 146\n55 Mountain\n\nSideboard\n2 Fry\n"),
        ("moxfield.txt", "5 Lightning Bolt (M10) 146 *F*\n55 Mountain (M10) 246\n\nSIDEBOARD:\n2 Fry (M20) 140\n"),
        ("forge.dck", "[metadata]\nName=Burn\n[Main]\n5 Lightning Bolt|M10|1\n55 Mountain|M10\n[Sideboard]\n2 Fry|M20\n"),
        ("xmage.dck", "NAME:Burn\n5 [M10:146] Lightning Bolt\n55 [M10:246] Mountain\nSB: 2 [M20:140] Fry\n"),
        ("deck.cod", COCKATRICE),
        ("deck.dek", DEK),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("fewer_cards")
@pytest.mark.parametrize("mountains", [55, 56])
def test_other_programs_lists_keep_their_notation(
    capfd: pytest.CaptureFixture[str], name: str, text: str, mountains: int
) -> None:
    """Only the numbers change; printings, titles and comments stay."""
    text = text.replace("55", str(mountains))
    path = put(text, name)
    words = ("repair", name, "--format", "magic/modern", "--as-of", "2026-08-22")
    bolt = next(line for line in text.splitlines() if "Bolt" in line)
    fewer = bolt.replace("5", "4", 1)
    assert run_here(*words, "--diff") == 1
    lines = capfd.readouterr().out.splitlines()
    assert f"-{bolt}" in lines and f"+{fewer}" in lines
    assert path.read_text("utf-8") == text
    assert run_here(*words, "--write") == 1
    written = path.read_text("utf-8")
    if mountains == 56:
        assert written == text.replace(bolt, fewer)
    else:
        # Another copy of one of the other cards.
        kept = [line for line in text.replace(bolt, fewer).splitlines() if "Mountain" not in line]
        assert set(kept) <= {*written.splitlines()} and len(written.splitlines()) - len(kept) in (1, 2)
    assert run_here(*words) == 0


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


@pytest.mark.usefixtures("fewer_cards")
def test_a_card_that_moves_keeps_its_number_in_magic_online() -> None:
    forest = '  <Cards CatID="789" Quantity="{}" Sideboard="{}" Name="Forest" Annotation="0" />\n'
    put(DEK.replace("</Deck>", forest.format(16, "true") + "</Deck>").replace('"5"', '"4"'), "deck.dek")
    words = ("repair", "deck.dek", "--format", "magic/modern", "--as-of", "2026-08-22")
    assert run_here(*words, "--write") == 1
    written = Path("deck.dek").read_text("utf-8")
    assert forest.format(15, "true") in written and forest.format(1, "false") in written


MAGICIAN = "46986414"
MONSTERS = [
    "89631139",
    "74677422",
    "70781052",
    "91152256",
    "15025844",
    "13039848",
    "97590747",
    "32274490",
    "11549357",
    "21844576",
    "58932615",
    "20721928",
]


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


def test_a_card_that_no_list_can_name_is_given_as_the_reason(capfd: pytest.CaptureFixture[str]) -> None:
    must = "  - {id: must, in: main, where: {name: '4'}, at_least: 2}\n"
    put_garden(Path("own"), FORMAT + must, {"Rose": "red", "Oak": "red", "4": "red", "Weed": "red"})
    put("games = ['own']\n", "deckcheck.toml")
    put(LEGAL)
    assert run("deck.txt") == 2
    assert "reads as the same deck: '4' would be read otherwise\n" in capfd.readouterr().err


def test_where_no_legal_deck_is_found_the_remaining_findings_are_named(
    capfd: pytest.CaptureFixture[str],
) -> None:
    put(LEGAL)
    status, said = answer(capfd, "deck.txt", "--format", "CG")
    (deck,) = said["decks"]
    assert (status, deck["distance"], deck["deck"], deck["proven"]) == (3, None, None, False)
    assert deck["remaining"] and {one["rule"] for one in deck["remaining"]} <= {"size", "copies", "red"}
    put(HEAD + "2 Rose\n1 Oak\n1 Weed\n")
    assert run("deck.txt", "--keep", "Weed") == 3
    out = capfd.readouterr().out
    assert "no legal deck was found" in out and "  no-weed: " in out


def test_several_decks_have_the_worst_status() -> None:
    put(LEGAL, "a.txt"), put(LARGE, "b.txt"), put(HEAD + "1 Tulip\n", "c.txt")
    assert run("a.txt", "b.txt") == 1
    assert run("a.txt", "b.txt", "c.txt") == 2


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
    if isinstance(answer, NotRepaired):
        assert not fulfilling
    else:
        assert min(map(distance, fulfilling)) <= answer.distance <= min(map(distance, fulfilling)) + 1
