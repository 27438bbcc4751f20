"""Games of one's own: a folder with a game, its cards, formats and banlists is like a bundled one in every command."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from factories.commands import run_here
from factories.files import put

from deckcheck.checking.judge import Loader, check, load_format
from deckcheck.cli import options
from deckcheck.formats.loading import known_games, own_games
from deckcheck.formats.lookup import Folders
from deckcheck.registration.event import open_event

EXAMPLES = Path(__file__).parents[2] / "examples"
NETRUNNER = EXAMPLES / "netrunner"
GAME = """\
game: {id}
name: {{ja: 庭, en: Yard}}
attributes:
  height: {{kind: number, name: {{ja: 高さ, en: height}}}}
zones: {{yard: {{name: {{ja: 庭, en: Yard}}}}}}
"""
FORMAT = """\
format: {id}/small
name: {{ja: 小さな庭, en: Small yard}}
aliases: [SY]
zones: {{yard: {{}}}}
rules: [{{id: size, in: yard, exactly: 2}}]
"""
CARDS = '{"name": "Rose", "height": 1}\n{"name": "Oak", "height": 9}\n'
LIST = "# format: {id}/small\n# date: 2026-01-16\n1 x Rose\n1 x Oak\n"


def put_game(folder: str, id: str = "yard", cards: str = CARDS) -> None:
    put(f"{folder}/game.yaml", GAME.format(id=id))
    put(f"{folder}/formats/small.yaml", FORMAT.format(id=id))
    put(f"{folder}/cards.jsonl", cards)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def yard() -> None:
    put_game("yard")
    put("decks/a.txt", LIST.format(id="yard"))
    put("deckcheck.toml", 'games = ["yard"]\n')


def out(capfd: pytest.CaptureFixture[str], *words: object, status: int = 0) -> str:
    assert run_here(*words, "--lang", "en") == status
    return capfd.readouterr().out


@pytest.mark.usefixtures("yard")
@pytest.mark.usefixtures("fewer_cards")
def test_every_command_knows_the_game(capfd: pytest.CaptureFixture[str]) -> None:
    assert "legal (Small yard, 2026-01-16)" in out(capfd, "check", "decks")
    assert "legal (Small yard, 2026-01-16)" in out(capfd, "check", "decks", "-f", "SY")
    assert "yard/small" in out(capfd, "formats") and "exactly 2" in out(capfd, "formats", "show", "SY")
    assert "legal in:\n  yard/small" in out(capfd, "which", "decks/a.txt")
    assert "height: 9" in out(capfd, "cards", "show", "oak")
    assert out(capfd, "cards", "search", "oa", "--game", "yard") == "Oak\n"
    assert "Yard: exactly 2 cards" in out(capfd, "rule", "size", "--format", "SY")
    loose = put("loose/b.txt", LIST.format(id="yard").replace("1 x", "1"))
    assert "+1 x Oak" in out(capfd, "fmt", "--diff", loose, status=1)
    assert "Rose" in out(capfd, "convert", "decks/a.txt", "--to", "csv")
    assert "yard/small" in options.complete_formats("yard") and "sy" in options.complete_formats("s")


@pytest.mark.usefixtures("yard")
@pytest.mark.usefixtures("fewer_cards")
def test_words_that_lists_of_any_game_have_need_no_mention(capfd: pytest.CaptureFixture[str]) -> None:
    put("sheet.csv", "Qty,カード名\n1,Oak\n1,Rose\n")
    assert "legal (Small yard" in out(capfd, "check", "sheet.csv", "-f", "SY")
    put("doubtful.txt", "1 Oak\n1 Rose (not owned)\n")
    assert "not owned" in out(capfd, "check", "doubtful.txt", "-f", "SY", status=3)


@pytest.mark.usefixtures("fewer_cards")
def test_a_folder_may_hold_several_games(capfd: pytest.CaptureFixture[str]) -> None:
    put_game("all/one", "one")
    put_game("all/two", "two")
    put_game("three", "three")
    lists = [put(f"{id}.txt", LIST.format(id=id)) for id in ("one", "two", "three")]
    put("deckcheck.toml", 'games = ["all", "three"]\n')
    assert out(capfd, "check", *lists, "--verbose").count("legal (Small yard") == 3
    known = known_games(Folders().with_games((Path("all"),)))
    assert known == ["duel-masters", "magic", "one", "two", "yugioh"]
    # A list of cards that two games know belongs to the one whose format it names.
    put("deckcheck.toml", 'games = ["all/one"]\n')
    assert "one/small" in out(capfd, "which", "one.txt")


@pytest.mark.usefixtures("yard")
def test_cards_formats_and_cases_of_the_game_are_no_decks(capfd: pytest.CaptureFixture[str]) -> None:
    put("yard/formats/small.cases/two.txt", "# expect: size\n1 x Rose\n")
    put("yard/lists/banned.yaml", "banlist: yard/l\nname: L\ncards: []\n")
    assert "1 deck: 1 legal, " in out(capfd, "check", ".", "--output-format", "concise")
    assert "1 of 1 passed" in out(capfd, "formats", "test")


@pytest.mark.usefixtures("yard")
def test_an_event_names_its_games() -> None:
    event = put(
        "event.yaml",
        "event: cup\nname: Cup\ndate: '2026-01-16'\nformat: yard/small\ngames: [yard]\nentries: [lists]\n",
    )
    Path("lists").mkdir()
    session = open_event(event)
    assert session.format.format.id == "yard/small"
    assert session.provenance(session.event.format).format.id == "yard/small"


@pytest.mark.usefixtures("yard")
def test_more_cards_and_a_changed_game_count_at_once() -> None:
    folders = Folders().with_games((Path("yard"),))
    more = put("more.jsonl", '{"name": "Fern", "height": 1}\n')
    known = Loader([more], folders).game("yard").catalog
    assert known.find("fern") and known.find("OAK")
    put("yard/cards.jsonl", CARDS + '{"name": "Moss"}\n')
    assert Loader((), folders).game("yard").catalog.find("moss")
    assert check("1 Oak\n1 Moss", load_format("SY", folders=folders)).verdict == "legal"


BAD = [
    ("no folder", "deckcheck.toml:1:10: error: there is no folder 'no folder'", None),
    ("empty", "deckcheck.toml:1:10: error: there is no game.yaml in this folder, nor in one in it", ("empty/a.txt", "")),
    ("bad", "bad/game.yaml:1:1: error: missing: name, attributes, zones", ("bad/game.yaml", "game: bad\n")),
    ("bad", "bad/game.yaml:2:1: error: not valid YAML: a value or the closing ] is missing", ("bad/game.yaml", "game: [\n")),
    ("bad", "bad/game.yaml:1:1: error: the id 'magic' is that of a bundled game", ("bad/game.yaml", GAME.format(id="magic"))),
    ("bad", "bad/two/game.yaml:1:1: error: bad/one/game.yaml already has the id 'yard'", ("bad/one/game.yaml", GAME.format(id="yard")), ("bad/two/game.yaml", GAME.format(id="yard"))),
    ("bad", "bad/cards.jsonl: error: the game 'yard' has no cards", ("bad/game.yaml", GAME.format(id="yard")), ("bad/formats/a.yaml", FORMAT.format(id="yard"))),
    ("bad", "bad/cards.jsonl: error: the game 'yard' has no cards", ("bad/game.yaml", GAME.format(id="yard")), ("bad/formats/a.yaml", FORMAT.format(id="yard")), ("bad/cards.jsonl", "\n")),
    ("bad", "bad/cards.jsonl:2: error: unknown key 'hight'", ("bad/game.yaml", GAME.format(id="yard")), ("bad/formats/a.yaml", FORMAT.format(id="yard")), ("bad/cards.jsonl", '{"name": "Oak"}\n{"name": "Fir", "hight": 2}\n')),
    ("bad", "bad/game.yaml:3:14: error: 'name' already has another meaning", ("bad/game.yaml", "game: yard\nname: X\nattributes: {name: {kind: values, name: N}}\nzones: {a: {name: A}}\n")),
    ("bad", "bad/game.yaml:3:14: error: a rank needs its order", ("bad/game.yaml", "game: yard\nname: X\nattributes: {rarity: {kind: rank, name: N}}\nzones: {a: {name: A}}\n")),
    ("bad", "bad/game.yaml:5:17: error: the game has no zone 'b'", ("bad/game.yaml", "game: yard\nname: X\nattributes: {}\nzones: {a: {name: A}}\nwords: {marks: {side: b}}\n")),
    ("bad", "bad/game.yaml:4:65: error: 'DECK' is listed twice", ("bad/game.yaml", "game: yard\nname: X\nattributes: {}\nzones: {a: {name: A, headings: [Deck]}, b: {name: B, headings: [DECK]}}\n")),
    ("bad", "bad/game.yaml:5:12: error: 'free' already has another meaning", ("bad/game.yaml", "game: yard\nname: X\nattributes: {}\nzones: {a: {name: A}}\nstatuses: {free: Free}\n")),
    ("bad", "bad/game.yaml:3:62: error: 'y' is not a listed value of 'k'", ("bad/game.yaml", "game: yard\nname: X\nattributes: {k: {kind: values, name: K, values: [x], names: {y: Y}}}\nzones: {a: {name: A}}\n")),
    ("bad", "bad/game.yaml:3:1: error: 'My height' is malformed", ("bad/game.yaml", "game: yard\nname: X\nattributes: {My height: {kind: number, name: N}}\nzones: {a: {name: A}}\n")),
    ("bad", "bad/game.yaml:5:9: error: unknown key 'colums'", ("bad/game.yaml", "game: yard\nname: X\nattributes: {}\nzones: {a: {name: A}}\nwords: {colums: {}}\n")),
    ("bad", "bad/formats/a.yaml:6:1: error: there is no game 'yart'", ("bad/game.yaml", GAME.format(id="yard")), ("bad/formats/a.yaml", FORMAT.format(id="yart").replace("yart/small", "yard/small") + "game: yart\n"), ("bad/cards.jsonl", CARDS)),
]  # fmt: skip


@pytest.mark.parametrize("row", BAD, ids=[row[1][:60] for row in BAD])
def test_what_is_wrong_with_a_game_is_one_message_with_its_place(
    row: tuple[str, str, tuple[str, str]], capfd: pytest.CaptureFixture[str]
) -> None:
    games, message, *files = row
    for file in filter(None, files):
        put(*file)
    put("deckcheck.toml", f'games = ["{games}"]\n')
    put("a.txt", LIST.format(id="yard"))
    assert run_here("check", "a.txt", "--lang", "en") == 2
    err = capfd.readouterr().err
    assert message in err and "Traceback" not in err
    assert err.count("error: ") == 1


def test_one_file_named_twice_is_one_game() -> None:
    put_game("yard")
    assert list(own_games((Path("yard"), Path("yard"), Path("yard").absolute()))) == ["yard"]


# The game of the tutorial.


@pytest.fixture(scope="module")
def netrunner() -> Folders:
    return Folders().with_games((NETRUNNER,))


def test_the_lists_of_netrunner_are_legal(capfd: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(EXAMPLES, "examples")
    assert run_here("check", "examples/netrunner/decks", "--lang", "en") == 0
    assert "2 decks: 2 legal, 0 illegal, 0 undecided" in capfd.readouterr().out


def test_an_identity_that_nobody_knows_leaves_its_bounds_open(netrunner: Folders) -> None:
    put("new.jsonl", '{"name": "Newcomer", "home": "identity", "side": ["Runner"], "type": ["Identity"]}\n')
    format = load_format("netrunner/standard", cards=[Path("new.jsonl")], folders=netrunner)
    deck = (NETRUNNER / "decks" / "zahya.txt").read_text("utf-8")
    deck = deck.replace("Zahya Sadeghi: Versatile Smuggler", "Newcomer")
    report = check(deck, format)
    assert report.verdict == "undecided"
    assert {finding.rule for finding in report.findings} == {"deck-size", "influence", "rotation"}
    # Four of a card are too many under every identity.
    assert check(deck.replace("3x Sure", "4x Sure"), format).verdict == "illegal"


def test_every_card_of_netrunner_is_a_fact_without_text() -> None:
    lines = (NETRUNNER / "cards.jsonl").read_text("utf-8").splitlines()
    cards = [json.loads(line) for line in lines]
    assert len({card["name"] for card in cards}) == len(cards) == 100
    assert all(not {"text", "flavor"} & card.keys() for card in cards)
    for card in cards:
        is_identity = card["type"] == ["Identity"]
        assert is_identity == (card["home"] == "identity") == ("minimum-deck-size" in card), card["name"]
        assert is_identity != ("deck-limit" in card), card["name"]
        assert ("agenda-points" in card) == (card["type"] == ["Agenda"]), card["name"]
