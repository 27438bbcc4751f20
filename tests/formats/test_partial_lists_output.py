"""How the commands tell that only some entries of a list are known."""

from __future__ import annotations

from pathlib import Path

import pytest
from factories.commands import run_here
from factories.partial_lists import BEFORE_LISTS, BOLTS, DAY, some_lists

THEIR = {
    "en": "  undecided[partial-banlist]: only some entries of their lists are known, so it can't be decided whether the deck is legal (`deckcheck import` imports whole lists)",
    "ja": "  要確認［partial-banlist］一部のカードしか載っていないリストを使うので、使えるかどうかは分かりません（deckcheck import でリスト全体を取り込めます）",
}  # fmt: skip


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


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_which_tells_it_once_for_all_formats(lang: str, capfd: pytest.CaptureFixture[str]) -> None:
    lines = out(capfd, "which", "deck.txt", "--as-of", DAY, lang=lang).splitlines()
    assert lines.count(THEIR[lang]) == sum("partial-banlist" in line for line in lines) == 1
    # Nothing of the list has to be corrected.
    assert not any("above" in line or "上の行" in line for line in lines)
    place = lines.index(THEIR[lang])
    formats = [line.split()[0] for line in lines[place - 3 : place]]
    assert formats == ["magic/legacy", "magic/pauper", "magic/vintage"]
    if lang == "en":
        # Where others are open for something else the formats are named.
        Path("deck.txt").write_text("4 Lightning Bolt\n36 Mountain\n20 Nobody knows\n")
        told = out(capfd, "which", "deck.txt", "--as-of", DAY, status=3)
        assert "undecided[partial-banlist]: magic/legacy, magic/pauper, magic/vintage: only some" in told
        assert told.count("undecided only because of the lines above") == 1
        shown = out(capfd, "formats", "show", "magic/legacy")
        assert "list: Legacy banned and restricted list (only some of its entries are known)" in shown
