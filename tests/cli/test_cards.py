"""`deckcheck cards`: the answers are in the language of the question."""

from __future__ import annotations

import pytest
from factories.commands import run_here


@pytest.mark.parametrize(
    ("text", "game", "first"),
    [
        ("稲妻", "magic", "稲妻 = Lightning Bolt"),
        ("Lightning Bolt", "magic", "Lightning Bolt"),
        ("ブラック・マジシャン", "yugioh", "ブラック・マジシャン = Dark Magician"),
        ("デドダム", "duel-masters", "天災 デドダム"),
    ],
)
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_cards_are_found_under_the_name_in_the_language_asked_in(
    text: str, game: str, first: str, lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_here("cards", "search", text, "--game", game, "--lang", lang) == 0
    assert first in capsys.readouterr().out.splitlines()[:2]
