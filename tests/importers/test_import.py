"""`deckcheck import`: cards and lists of whatever kind, into the user's data or beside the decks."""

from __future__ import annotations

import json
import os
import re
import tomllib
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from factories.commands import run_here
from factories.files import put
from factories.scryfall import printed, scryfall
from factories.ygopro_files import cdb, lflist, packed

from deckcheck.importers.own_cards import import_lock
from deckcheck.support.documents import load_yaml, require_shape

pytestmark = pytest.mark.usefixtures("fewer_cards")

Run = Callable[..., str]


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DECKCHECK_DATA_DIR", str(tmp_path / "data"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """What a command prints, standard output first."""

    def running(*words: object, status: int = 0, lang: str = "en") -> str:
        ended = run_here(*words, "--lang", lang)
        said = "".join(capsys.readouterr())
        assert ended == status, said
        return said

    return running


NEW = '{"name": "明日の新カード", "civilization": ["火"], "cost": 5}\n'
ANNOUNCED = """\
banlist: duel-masters/hall-of-fame
name: Hall
cards:
  - card: 明日の新カード
    history: [{from: 2026-12-15, status: hall}]
"""


def kite(name: str = "oracle-cards-20261120.json", **legalities: str) -> Path:
    """Scryfall's data of a card."""
    data = scryfall([printed("Tin Kite", legalities=legalities)])
    return put(name, packed(data, "gz") if name.endswith(".gz") else data)


def history_of(file: Path, card: str) -> list[tuple[str, str]]:
    document = load_yaml(file)
    require_shape(document, "banlist")
    found = [one["history"] for one in document.data["cards"] if one["card"] == card]
    return [(change["from"], change["status"]) for history in found for change in history]


# Into the user's data


def test_cards_and_lists_of_one_file_are_there_at_once_and_everywhere(tmp_path: Path, run: Run) -> None:
    deck = put("deck.txt", "# format: magic/modern\n# date: 2026-11-21\n4 Tin Kite\n")
    assert "unknown-card" in run("check", deck, status=1)
    said = run("import", kite(modern="banned", penny="banned"))
    assert said.startswith("Scryfall\n1 added, 0 changed, 0 unchanged: ")
    stored = tmp_path / "data" / "banlists" / "magic" / "modern.yaml"
    assert f"magic/modern (from 2026-11-20): 1 added, 0 changed, 0 removed, 0 unchanged: {stored}\n" in said
    assert "left out, since deckcheck has no such format: penny" in said
    said = run("check", deck, status=1)
    assert "error[banned]: Tin Kite is banned" in said and str(stored) in said
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert "Tin Kite is banned" in run("check", deck.absolute(), status=1)


def test_lists_wait_for_the_cards_of_later_files(tmp_path: Path, run: Run) -> None:
    said = run("import", lflist(Path()), cdb(Path("cards.cdb")))
    assert "yugioh/ocg (from 2026-10-01)" in said
    stored = tmp_path / "data" / "banlists" / "yugioh"
    assert history_of(stored / "ocg.yaml", "Paper Dragon") == [("2026-10-01", "forbidden")]


def test_own_files_are_imported_whatever_is_in_them(tmp_path: Path, run: Run) -> None:
    cards, announced = put("new.jsonl", NEW), put("announcement.yaml", ANNOUNCED)
    yaml = "cards:\n  - {name: 昨日のカード, civilization: [水]}\n".encode()
    more = put("more.yaml.gz", packed(yaml, "gz"))
    said = run("import", announced, cards, more)
    assert said.count("1 added, 0 changed, 0 unchanged") == 2
    stored = tmp_path / "data" / "banlists" / "duel-masters" / "hall-of-fame.yaml"
    assert history_of(stored, "明日の新カード") == [("2026-12-15", "hall")]
    bundled = load_yaml(Path(__file__).parents[2] / "banlists/duel-masters/hall-of-fame.yaml").data
    kept = load_yaml(stored).data
    assert len(kept["cards"]) == len(bundled["cards"]) + 1
    assert kept["combinations"] == bundled["combinations"]
    assert kept["complete_through"] == bundled["complete_through"]
    # Once more it changes nothing; the same status from an earlier day is another history.
    before = stored.read_bytes()
    assert "0 added, 0 changed, 0 removed, 1 unchanged" in run("import", announced)
    assert stored.read_bytes() == before
    put(announced, ANNOUNCED.replace("12-15", "12-10"))
    assert "0 unchanged" in run("import", announced)
    assert history_of(stored, "明日の新カード") == [("2026-12-10", "hall")]


def test_a_list_whose_id_names_no_game_belongs_to_the_game_of_its_cards(tmp_path: Path, run: Run) -> None:
    text = "banlist: club/friday\nname: Friday\ncards:\n  - card: {}\n    history: [{{from: 2026-01-09, status: {}}}]\n"
    run("import", put("a.yaml", text.format("青銅の鎧", "hall")))
    assert history_of(tmp_path / "data/banlists/club/friday.yaml", "青銅の鎧") == [("2026-01-09", "hall")]
    wrong = put("b.yaml", text.format("Nobody Knows", "hall"))
    assert "--game is required" in run("import", wrong, status=2)
    said = run("import", wrong, "--game", "duel-masters", status=2)
    assert said.startswith("b.yaml:4:5: error: there is no card 'Nobody Knows'\n")


def test_the_later_of_an_imported_and_a_bundled_list_counts(tmp_path: Path, run: Run) -> None:
    stored = tmp_path / "data/banlists/duel-masters/hall-of-fame.yaml"
    deck = put("deck.txt", "# format: duel-masters/original\n# date: 2026-11-21\n40 青銅の鎧\n")
    text = """\
banlist: duel-masters/hall-of-fame
name: Mine
complete_through: {}
cards:
  - card: 青銅の鎧
    history: [{{from: 2000-01-01, status: hall}}]
  - card: 天災 デドダム
    history: [{{from: 2000-01-01, status: premium}}]
combinations:
  - sides: [[アクア・ハルカス], [アクア・サーファー]]
    history: [{{from: 2000-01-01, status: pair}}]
"""
    stored.parent.mkdir(parents=True)
    for through, counts in (("2099-01-01", True), ("2001-01-01", False), ("2099-01-02", True)):
        stored.write_text(text.format(through), encoding="utf-8")
        assert ("Mine, newest change 2000-01-01" in run("check", deck, status=1)) is counts, through
    stored.unlink()
    assert "Mine" not in run("check", deck, status=1)


def test_what_fails_does_not_keep_the_rest_out(run: Run) -> None:
    said = run("import", "missing.json", put("new.jsonl", NEW), put("x.json", "{}"), status=2)
    assert "missing.json: error: no such file" in said
    assert "x.json: error: not a known kind of card data" in said
    assert "Scryfall, EDOPro/YGOPro (.cdb), lflist.conf can be imported" in said
    assert "1 added" in said
    assert "cannot import from standard input" in run("import", "-", status=2)


# Lists of simulators


GOAT = """\
#[2005.4 GOAT]
!2005.4 GOAT
$whitelist
-- forbidden
// limited
100 1 --Paper Dragon
200 3
!2026.11 Genesys
$genesys
300 33 -- points
"""


@pytest.fixture
def goat(run: Run) -> str:
    """What an import of a list of what may be played says; a format uses it."""
    put("lflist.conf", GOAT)
    put(
        "goat.yaml",
        "format: club/goat\ngame: yugioh\nname: Goat\nbanlists: [yugioh/goat]\nzones: {main: {}, extra: {}}\nrules:\n"
        "  - {id: forbidden, where: {status: forbidden}, at_most: 0}\n"
        "  - {id: limited, per: name, where: {status: limited}, at_most: 1}\n",
    )
    return run("import", cdb(Path("cards.cdb")), "lflist.conf")


def test_a_whitelist_forbids_every_other_card(goat: str, run: Run) -> None:
    assert "“GOAT” states no day: it is taken from 2005-04-01 on" in goat
    assert "skipped: “Genesys” cannot be imported" in goat
    deck = put("deck.txt", "Main Deck\n2 Paper Dragon\n1 Swinging Paper\n\nExtra Deck\n3 Fused Paper\n")
    said = run("check", deck, "-f", "goat.yaml", "--as-of", "2005-05-01", status=1)
    assert "2 copies of Paper Dragon (Limited); at most 1 allowed" in said
    assert "Swinging Paper is Forbidden" in said
    assert "Fused Paper" not in said
    # Nobody knows what was before.
    before = run("check", deck, "-f", "goat.yaml", "--as-of", "2005-03-31", status=3)
    assert "partial-banlist" in before


def test_the_next_whitelist_is_the_whole_truth(tmp_path: Path, goat: str, run: Run) -> None:
    assert goat
    run("import", put("later.conf", "!2006.4.1 GOAT\n$whitelist\n300 3\n"))
    stored = tmp_path / "data/banlists/yugioh/goat.yaml"
    assert history_of(stored, "Paper Dragon") == [("2005-04-01", "limited"), ("2006-04-01", "forbidden")]
    assert history_of(stored, "Swinging Paper") == [("2006-04-01", "free")]
    # A list that only restricts some ends it.
    run("import", put("last.conf", "!2007.4.1 GOAT\n300 0\n"))
    data = load_yaml(stored).data
    assert data["others"] == [
        {"from": "2005-04-01", "status": "forbidden"},
        {"from": "2007-04-01", "status": "free"},
    ]
    assert history_of(stored, "Swinging Paper")[-1] == ("2007-04-01", "forbidden")
    deck = put("deck.txt", "1 Swinging Paper\n1 Paper Dragon\n1 Lady Paper\n")
    said = run("check", deck, "-f", "goat.yaml", "--as-of", "2007-05-01", status=1)
    assert said.count("error[") == 1 and "Swinging Paper is Forbidden" in said


def test_a_month_is_the_day_of_a_known_change_in_it(tmp_path: Path, run: Run) -> None:
    run("import", cdb(Path("cards.cdb")), put("a.conf", "!2026.11.16 Club\n100 0\n"))
    said = run("import", put("b.conf", "!2026.11 Club\n100 0\n200 1\n"))
    assert "yugioh/club (from 2026-11-16): 1 added, 0 changed, 0 removed, 1 unchanged" in said
    stored = tmp_path / "data/banlists/yugioh/club.yaml"
    assert history_of(stored, "Paper Dragon") == [("2026-11-16", "forbidden")]
    assert "(from 2026-12-01)" in run("import", put("c.conf", "!2026.12 Club\n100 0\n"))
    assert "(from 2027-01-09)" in run("import", "c.conf", "--since", "2027-01-09")


# Beside the decks


@pytest.fixture
def both(tmp_path: Path) -> tuple[Path, Path]:
    """Cards of two games with their lists."""
    return kite("oracle-cards-20261120.json.gz", modern="banned"), cdb(tmp_path / "cards.cdb")


def settings() -> dict[str, Any]:
    return tomllib.loads(Path("deckcheck.toml").read_text("utf-8"))


def test_into_a_folder_makes_it_and_settles_the_settings(
    tmp_path: Path, both: tuple[Path, Path], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = run("import", *both, "--into", "facts")
    assert "facts/cards/magic.jsonl" in said and "deckcheck.toml: now names facts\n" in said
    assert settings() == {"cards": ["facts/cards"], "banlists": ["facts/banlists"]}
    files = {path.relative_to("facts").as_posix() for path in Path("facts").rglob("*") if path.is_file()}
    assert files == {"cards/magic.jsonl", "cards/yugioh.jsonl", "banlists/magic/modern.yaml"}
    assert not list((tmp_path / "data").rglob("cards.jsonl")), "nothing goes into the user's own data"
    # Cards of two games side by side, wherever the folder is taken.
    Path.cwd().rename(tmp_path / "moved")
    monkeypatch.chdir(tmp_path / "moved")
    put("kite.txt", "# format: magic/modern\n# date: 2026-11-21\n4 Tin Kite\n")
    assert "Tin Kite is banned" in run("check", "kite.txt", status=1)
    put("paper.txt", "# format: yugioh/traditional\n3 Paper Dragon\n")
    assert "unknown-card" not in run("check", "paper.txt", status=1)
    assert "now" not in run("import", *both, "--into", "facts"), "it is named already"


WHERE = "write this into {file}: "


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("", ["facts/cards"]),
        ("[[decks]]\npath = 'a/**'\n", ["facts/cards"]),
        ('# Ours.\ncards = [\n  "mine.yaml",  # [one]\n  "more",\n]\n', ["mine.yaml", "more", "facts/cards"]),
        ("[tool.deckcheck]\nlang = 'en'\n\n[tool.ruff]\nline-length = 100\n", ["facts/cards"]),
    ],
)
def test_settings_stay_and_what_to_add_is_shown(
    text: str, cards: list[str], both: tuple[Path, Path], run: Run
) -> None:
    put("mine.yaml", "cards: []\n")
    put("more/a.yaml", "cards: []\n")
    file = "pyproject.toml" if "[tool" in text else "deckcheck.toml"
    put(file, text)
    said = run("import", both[0], "--into", "facts")
    [line] = [line for line in said.splitlines() if line.startswith(WHERE.format(file=file))]
    to_add = tomllib.loads(line.removeprefix(WHERE.format(file=file)).replace("; ", "\n"))
    assert to_add == {"cards": cards, "banlists": ["facts/banlists"]}
    assert Path(file).read_text("utf-8") == text


# Own facts


def test_own_facts_are_said_once_for_a_run(tmp_path: Path, run: Run) -> None:
    cards = put(
        "own.jsonl", "".join(f'{{"name": "{name}", "cost": 2}}\n' for name in ("青銅の鎧", "天災 デドダム"))
    )
    run("import", cards, "--game", "duel-masters")
    stored = tmp_path / "data/duel-masters/cards.jsonl"
    for number in range(4):
        put(f"decks/{number}.txt", "# format: duel-masters/original\n4 青銅の鎧\n4 天災 デドダム\n")
    note = f"2 cards are judged by {stored}, not by the bundled data\n"
    for output in ("text", "markdown", "concise", "github", "junit"):
        said = run("check", "decks", "--output-format", output, status=1)
        assert said.replace("\\_", "_").count("2 cards are judged by") == 1, output
        assert "own-facts" not in said
    assert run("check", "decks", status=1).count(note) == 1
    assert run("check", "decks/1.txt", status=1).count(note) == 1
    assert "judged by" not in run("check", "decks", "--ignore", "own-facts", status=1)
    found = json.loads(run("check", "decks", "--output-format", "json", status=1))
    assert found["own_facts"] == [{"path": str(stored), "cards": 2}]
    assert all(one["rule"] != "own-facts" for deck in found["decks"] for one in deck["findings"])
    put("deckcheck.toml", 'severity = {own-facts = "warning"}\n')
    said = run("check", "decks", status=1)
    assert said.count("warning[own-facts]: 2 cards are judged by") == 4, "who wants it of each deck gets it"


# Several reports of one run


def test_one_run_writes_several_reports(run: Run) -> None:
    put("a.txt", "# format: duel-masters/original\n4 青銅の鎧\n")
    put("b.txt", "no card\n")
    reports = {name: f"out.{name}" for name in ("json", "markdown", "junit", "sarif", "gitlab", "text")}
    options = [f"--report={name}={file}" for name, file in reports.items()]
    said = run("check", "a.txt", "b.txt", "--output-format", "github", *options, status=2)
    assert "::error" in said
    for name, file in reports.items():
        run("check", "a.txt", "b.txt", "--output-format", name, "-o", "alone", status=2)
        # A second may have passed.
        together, alone = (
            re.sub(r'timestamp="[^"]*"', "", Path(f).read_text("utf-8")) for f in (file, "alone")
        )
        assert together == alone, name


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--report", "json"], "“json” names no format and file"),
        (["--report", "xyz=a"], "“xyz=a” names no format and file"),
        (["--report", "json=a", "--report", "junit=a"], "a: error: --report: two reports would be written"),
        (["--report", "json=a", "-o", "a"], "a: error: --report: two reports would be written"),
        (["--report", "json=a", "--report", "junit=./a"], "./a: error: --report: two reports would be"),
        (["--report", "json=link.json", "-o", "a"], "link.json: error: --report: two reports would be"),
        (["--report", "json=deck.txt"], "deck.txt: error: this is one of the inputs"),
        (["--report", "json=none/a"], "none/a: error: can't be written"),
    ],
)
def test_reports_that_cannot_be_written(words: list[str], said: str, run: Run) -> None:
    put("deck.txt", "# format: duel-masters/original\n4 青銅の鎧\n")
    Path("link.json").symlink_to("a")
    assert said in run("check", "deck.txt", *words, status=2)
    assert not Path("a").exists()


@pytest.mark.parametrize(
    ("card", "said"),
    [
        ("{card: Lightning Bolt, history: [{from: 2024-02-31, status: banned}]}", "2024-02-31"),
        ("{card: Lightning Bolt, history: [{from: 2024-02-01, status: bannned}]}", "bannned"),
        ("{x: 1}", "card"),
        ("5", "5"),
    ],
)
def test_a_list_of_ones_own_that_no_check_could_read_is_not_imported(card: str, said: str, run: Run) -> None:
    put("own.yaml", f"banlist: magic/modern\nname: Own\ncomplete_from: 2024-01-01\ncards:\n  - {card}\n")
    message = run("import", "own.yaml", status=2)
    assert said in message and "own.yaml:" in message and "Traceback" not in message
    put("deck.txt", "4 Lightning Bolt\n56 Mountain\n")
    assert "legal" in run("check", "deck.txt", "-f", "magic/modern", "--as-of", "2026-01-01")


# Cards that lists name


def test_lists_may_name_cards_of_the_settings(run: Run) -> None:
    put("mine.yaml", "cards:\n  - {name: 明日の新カード, civilization: [火]}\n")
    put("deckcheck.toml", 'cards = ["mine.yaml"]\n')
    assert "1 added" in run("import", put("announcement.yaml", ANNOUNCED))
    # Those of another game are in nobody's way.
    assert "magic/modern (from 2026-11-20): 1 added" in run("import", kite(modern="banned"))


# Two at once


def test_an_import_waits_for_another_one_into_the_same_place(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = (put("new.jsonl", NEW), lflist(Path()), cdb(Path("cards.cdb")))
    for target in (tmp_path / "data/duel-masters/cards.jsonl", tmp_path / "data/banlists"):
        with monkeypatch.context() as patch, import_lock(target):
            patch.setattr("deckcheck.support.files.PATIENCE", 0.1)
            said = run("import", *files[:1] if "cards" in target.name else files[1:], status=2)
            assert f"{target}: error: another import is running" in said
    assert "error" not in run("import", *files)


def started(*words: str) -> int:
    """The command in a process of its own, which sees the same cards; its number."""
    with warnings.catch_warnings():
        # A newer Python warns of threads that our tests' own runner has; the child uses none.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        status = 9
        try:
            status = run_here(*words)
        finally:
            os._exit(status)
    return child


def test_imports_at_the_same_time_lose_nothing(tmp_path: Path) -> None:
    names = [f"明日の新カード{number}" for number in range(2)]
    files = [put(f"{name}.jsonl", f'{{"name": "{name}", "civilization": ["火"]}}\n') for name in names]
    running = [started("import", str(file)) for file in files]
    assert [os.waitpid(process, 0)[1] for process in running] == [0, 0]
    stored = (tmp_path / "data/duel-masters/cards.jsonl").read_text("utf-8")
    assert all(name in stored for name in names)
