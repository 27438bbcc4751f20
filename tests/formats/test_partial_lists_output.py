"""How the commands tell that only some entries of a list are known."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from factories.commands import run_process
from factories.partial_lists import BEFORE_LISTS, BOLTS, DAY, some_lists

from deckcheck.analysis.which import render_text, which
from deckcheck.checking.session import FormatCache
from deckcheck.formats.lookup import Folders
from deckcheck.model.finding import FindingId
from deckcheck.report.writer import RenderOptions

# The commands.


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with lists of its own, of which only some entries are known."""
    some_lists(tmp_path)
    return tmp_path


def deckcheck(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return run_process(
        [*arguments, "--lang", "en"],
        cwd=cwd,
        env=os.environ | {"PYTHONUTF8": "1", "NO_COLOR": "1"},
        encoding="utf-8",
    )


def test_the_exit_status_and_what_changes_it(project: Path) -> None:
    (project / "deck.txt").write_text(f"# date: {DAY}\n{BOLTS}")
    words = ("check", "deck.txt", "--format", "magic/legacy")
    done = deckcheck(*words, cwd=project)
    assert (done.returncode, done.stderr) == (3, "")
    assert (
        f"deck.txt: undecided[{FindingId.PARTIAL_BANLIST}]: only some entries of the Legacy banned"
        in done.stdout
    )
    assert "only some entries of this list are known)" in done.stdout
    lenient = deckcheck(*words, "--unknown", "warn", cwd=project)
    assert lenient.returncode == 0
    assert f"warning[{FindingId.PARTIAL_BANLIST}]" in lenient.stdout
    ignored = deckcheck(*words, "--ignore", FindingId.PARTIAL_BANLIST, cwd=project)
    assert ignored.returncode == 0
    assert "legal, 1 ignored" in ignored.stdout
    (project / "deckcheck.toml").write_text(
        f'banlists = ["lists"]\nignore = ["{FindingId.PARTIAL_BANLIST}"]\n'
    )
    assert deckcheck(*words, cwd=project).returncode == 0


def test_the_sheet_of_a_card_does_not_call_it_free(tmp_path: Path) -> None:
    bolt = deckcheck("cards", "show", "Lightning Bolt", "--as-of", BEFORE_LISTS, cwd=tmp_path).stdout
    assert "Legacy banned and restricted list: unknown, for only some entries of this list are known" in bolt
    assert "Modern banned and restricted list: not limited" not in bolt
    # What is on a list is known of it, even where the rest is not.
    twin = deckcheck("cards", "show", "Splinter Twin", "--as-of", BEFORE_LISTS, cwd=tmp_path).stdout
    assert "Modern banned and restricted list: banned" in twin
    bolt = deckcheck("cards", "show", "Lightning Bolt", "--as-of", DAY, cwd=tmp_path).stdout
    assert "Legacy banned and restricted list: not limited" in bolt


def test_a_format_is_shown_with_what_is_known_of_its_lists(project: Path) -> None:
    told = deckcheck("formats", "show", "magic/legacy", cwd=project).stdout
    assert "list: Legacy banned and restricted list (only some of its entries are known)" in told


# In which formats a deck is legal.


def fits(project: Path, text: str, names: list[str]) -> Any:
    load = FormatCache(Folders(banlists=(project / "lists",))).load
    return which(text, "deck.txt", [load(name, ()) for name in names], as_of=DAY)


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "  undecided[partial-banlist]: only some entries of their lists are known, so it can't be decided whether the deck is legal (`deckcheck import` imports whole lists)"),
        ("ja", "  要確認［partial-banlist］一部のカードしか載っていないリストを使うので、使えるかどうかは分かりません（deckcheck import でリスト全体を取り込めます）"),
    ],
)  # fmt: skip
def test_which_tells_it_once_for_all_formats(lang: str, said: str, project: Path) -> None:
    asked = fits(project, BOLTS, ["magic/legacy", "magic/vintage", "magic/pauper", "magic/limited"])
    assert asked.games[0].common == ()
    told = render_text(asked, RenderOptions(lang)).splitlines()
    assert told.count(said) == 1
    assert sum(FindingId.PARTIAL_BANLIST in line for line in told) == 1
    # Nothing of the list has to be corrected.
    assert not any("above" in line or "上の行" in line for line in told)
    at = told.index(said)
    assert [line.split()[0] for line in told[at - 3 : at]] == [
        "magic/legacy",
        "magic/pauper",
        "magic/vintage",
    ]


def test_of_one_format_which_tells_the_list(project: Path) -> None:
    told = render_text(fits(project, BOLTS, ["magic/legacy", "magic/limited"]), RenderOptions("en"))
    assert (
        "  undecided[partial-banlist]: only some entries of the Legacy banned and restricted list are known"
        in told
    )


def test_where_others_are_open_for_something_else_the_formats_are_named(project: Path) -> None:
    text = "4 Lightning Bolt\n36 Mountain\n20 Nobody knows\n"
    told = render_text(
        fits(project, text, ["magic/legacy", "magic/vintage", "magic/modern"]), RenderOptions("en")
    )
    assert "undecided[partial-banlist]: magic/legacy, magic/vintage: only some entries" in told
    assert told.count("undecided only because of the lines above") == 1


def test_which_by_its_command(project: Path) -> None:
    (project / "deck.txt").write_text(BOLTS)
    done = deckcheck("which", "deck.txt", "--output-format", "json", "--as-of", DAY, cwd=project)
    [game] = json.loads(done.stdout)["decks"][0]["games"]
    verdicts = {one["format"]: one["verdict"] for one in game["formats"]}
    assert verdicts["magic/legacy"] == "undecided"
    assert verdicts["magic/modern"] == "legal"
    [legacy] = [one for one in game["formats"] if one["format"] == "magic/legacy"]
    assert [one["rule"] for one in legacy["findings"]] == [FindingId.OVERRIDDEN, FindingId.PARTIAL_BANLIST]
