"""Words that are offered to a shell: none becomes a command, and who doesn't ask doesn't pay."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from factories.examples import amount

from deckcheck.checking.judge import open_game_data
from deckcheck.cli import completion
from deckcheck.formats.lookup import Folders, known_formats

# What a stranger's files say must not become a command.

HOSTILE = [
    "$(touch x)",
    "`touch x`",
    "'; touch x; '",
    '"; touch x; "',
    "a b",
    "\\$(touch x)",
    "--config=x",
    "a\nb",
]


def test_names_that_a_shell_could_obey_are_not_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "formats"
    folder.mkdir()
    aliases = ", ".join(
        f'"{name.encode("unicode_escape").decode().replace(chr(34), chr(92) + chr(34))}"' for name in HOSTILE
    )
    (folder / "own.yaml").write_text(
        f"format: club/own\ngame: duel-masters\nname: Own\naliases: [fine, {aliases}]\n"
        'zones: {main: {}}\nrules:\n  - {id: "$(touch x)", in: main, exactly: 1}\n  - {id: own-size, at_most: 1}\n',
        "utf-8",
    )
    known = known_formats(Folders(formats=(folder,)))
    monkeypatch.setattr(completion, "known_formats", lambda _folders: known)
    offered = completion.formats("x")
    assert {"club/own", "own", "fine"} <= set(offered)
    rules = completion.rules("")
    assert "own-size" in rules
    for word in (*offered, *rules):
        assert re.fullmatch(r"[\w./][\w./-]*", word), word


@pytest.mark.parametrize("word", HOSTILE)
def test_a_word_is_made_harmless(word: str) -> None:
    assert not completion.is_plain(word)
    assert re.fullmatch(r"[^\x00-\x7f]*", re.sub(r"[\w./-]", "", completion.plain_word(word)))


@pytest.mark.usefixtures("fewer_cards")
def test_a_card_that_is_offered_is_the_one_that_was_begun() -> None:
    catalog = open_game_data("duel-masters").catalog
    tried = 0
    for begun in ("轟轟", "Dの", "禁断", "偽りの", "超", "ＤＧ", "dg", "零"):
        for name in completion.cards(begun):
            tried += 1
            [card] = catalog.find(name)
            assert name.startswith(begun)
            assert catalog.fold(card.name).startswith(catalog.fold(begun))
            assert completion.is_plain(name)
    assert tried > amount(50, 5)


@pytest.mark.parametrize("begun", ["", " ", "天災 デ", "$(x)", "-", "'"])
def test_no_card_is_offered_for_what_a_shell_would_break_up(begun: str) -> None:
    assert completion.cards(begun) == []


# Who doesn't ask doesn't pay.


def test_completion_is_loaded_for_those_who_ask_only() -> None:
    source = (
        "import sys; from deckcheck.cli.command import ROOT; ROOT.find('check');"
        "print([name for name in sys.modules if name in ('argcomplete', 'argparse', 'deckcheck.cli.completion')])"
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
