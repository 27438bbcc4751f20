"""How the commands tell that only some entries of a list are known."""

from __future__ import annotations

from pathlib import Path

import pytest
from factories.commands import run_here
from factories.partial_lists import BEFORE_LISTS, BOLTS, DAY, some_lists


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a deck, and lists of its own, of which only some entries are known."""
    some_lists(tmp_path)
    (tmp_path / "deck.txt").write_text(f"# date: {DAY}\n{BOLTS}")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def out(capfd: pytest.CaptureFixture[str], *words: str, status: int = 0, lang: str = "en") -> str:
    assert run_here(*words, "--lang", lang) == status
    return capfd.readouterr().out


@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        ([], 3, "deck.txt: undecided[partial-banlist]: only some entries of the Legacy banned"),
        ([], 3, "only some entries of this list are known)"),
        (["--unknown", "warn"], 0, "warning[partial-banlist]"),
        (["--ignore", "partial-banlist"], 0, "legal, 1 ignored"),
    ],
)
def test_the_exit_status_and_what_changes_it(
    options: list[str], status: int, said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ("check", "deck.txt", "--format", "magic/legacy")
    assert said in out(capfd, *words, *options, status=status)
    Path("deckcheck.toml").write_text('banlists = ["lists"]\nignore = ["partial-banlist"]\n')
    out(capfd, *words)


def test_the_sheet_of_a_card_does_not_call_it_free(capfd: pytest.CaptureFixture[str]) -> None:
    Path("deckcheck.toml").unlink()
    legacy, modern = "Legacy banned and restricted list", "Modern banned and restricted list"
    unknown = f"{legacy}: unknown, for only some entries of this list are known"
    bolt = out(capfd, "cards", "show", "Lightning Bolt", "--as-of", BEFORE_LISTS)
    assert unknown in bolt and f"{modern}: not limited" not in bolt
    # What is on a list is known of it, even where the rest is not.
    assert f"{modern}: banned" in out(capfd, "cards", "show", "Splinter Twin", "--as-of", BEFORE_LISTS)
    assert f"{legacy}: not limited" in out(capfd, "cards", "show", "Lightning Bolt", "--as-of", DAY)


# In which formats a deck is legal.


@pytest.mark.parametrize("more", ["", "20 Nobody knows\n"])
def test_which_tells_it_of_each_format(more: str, capfd: pytest.CaptureFixture[str]) -> None:
    Path("deck.txt").write_text(f"4 Lightning Bolt\n{56 if not more else 36} Mountain\n{more}")
    lines = out(capfd, "which", "deck.txt", "--as-of", DAY, status=3 if more else 0).splitlines()
    told = [line for line in lines if "undecided[partial-banlist]: only some entries of the" in line]
    assert len(told) == 3
    formats = [lines[lines.index(line) - 1].split()[0] for line in told]
    assert formats == ["magic/legacy", "magic/pauper", "magic/vintage"]
    # Nothing of the list has to be corrected, unless it has a name that is unknown.
    assert sum("above" in line for line in lines) == bool(more)
    shown = out(capfd, "formats", "show", "magic/legacy")
    assert "list: Legacy banned and restricted list (only some of its entries are known)" in shown
