"""`deckcheck cards`: the answers are in the language of the question."""

from __future__ import annotations

from pathlib import Path

import pytest
from factories.commands import deckcheck, run_here


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


def test_a_listed_card_is_shown_with_the_line_that_lists_it() -> None:
    done = deckcheck("cards", "show", "ヘル・スラッシュ", "--lang", "ja", "--as-of", "2006-01-01")
    [line] = [line for line in done.out.splitlines() if "banlists/duel-masters/hall-of-fame.yaml:" in line]
    assert "殿堂（2005-07-15から）" in line
    done = deckcheck("cards", "show", "ヘル・スラッシュ", "--lang", "ja", "--as-of", "2005-07-14")
    assert "hall-of-fame.yaml" not in done.out


def test_facts_that_are_not_known_are_said_to_be(tmp_path: Path) -> None:
    (tmp_path / "deckcheck.toml").write_text('cards = ["own.yaml"]\n', encoding="utf-8")
    (tmp_path / "own.yaml").write_text(
        "cards:\n  - name: 作りかけの竜\n    cost: 7\n    printings: [{set: X-1, rarity: '?SR'}, {set: X-2}]\n",
        encoding="utf-8",
    )
    done = deckcheck("cards", "show", "作りかけの竜", "--lang", "ja", cwd=tmp_path)
    assert done.status == 0
    lines = done.out.splitlines()
    assert {"  文明：不明", "  コスト：7", "  特徴：不明", "  発売日：不明"} <= set(lines)
    assert "  X-1  発売日不明  レアリティ おそらくSR（未確認）" in lines
    assert "  X-2  発売日不明  レアリティ 不明" in lines
