"""`deckcheck formats` and `deckcheck cards`."""

from __future__ import annotations

from pathlib import Path

import pytest
from factories.commands import deckcheck, run_here

TOY = Path(__file__).parent.parent / "fixtures"


def run(*words: str, cwd: Path = TOY) -> tuple[int, str, str]:
    done = deckcheck(*words, cwd=cwd)
    return done.status, done.out, done.err


def test_formats_are_listed_with_their_names_and_editions() -> None:
    status, out, err = run("formats", "--lang", "ja")
    assert (status, err) == (0, "")
    [line] = [line for line in out.splitlines() if line.startswith("duel-masters/commander ")]
    assert "DMコマンダー" in line
    assert "DMC" in line
    assert "第6版" in line
    assert "main-deck-only" not in out, "a base for other formats is none to play"


def test_columns_stand_below_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    from wcwidth import wcswidth

    assert run_here("formats", "--lang", "ja") == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.endswith(("  初版", "  第6版"))]
    starts = {wcswidth(line.rpartition("  ")[0]) for line in lines}
    assert len(lines) == 2
    assert len(starts) == 1


def test_formats_without_cases_fail_their_test() -> None:
    status, out, _ = run("formats", "test", "format.yaml", "--lang", "en")
    assert status == 1
    assert out.startswith("FAILED  format.yaml: ")
    assert out.endswith("0 of 1 passed\n")


def test_a_format_that_cannot_be_used_is_status_2(tmp_path: Path) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text("format: broken\nrules: 3\n", "utf-8")
    status, out, _ = run("formats", "test", str(broken), "format.yaml", "--lang", "en")
    assert status == 2
    assert "broken.yaml:2:" in out
    assert "format.yaml: there are no cases" in out, "the others are still tested"


def test_a_listed_card_is_shown_with_the_line_that_lists_it() -> None:
    _, out, _ = run("cards", "show", "ヘル・スラッシュ", "--lang", "ja", "--as-of", "2006-01-01")
    [line] = [line for line in out.splitlines() if "banlists/duel-masters/hall-of-fame.yaml:" in line]
    assert "殿堂（2005-07-15から）" in line
    _, out, _ = run("cards", "show", "ヘル・スラッシュ", "--lang", "ja", "--as-of", "2005-07-14")
    assert "hall-of-fame.yaml" not in out


def test_facts_that_are_not_known_are_said_to_be(tmp_path: Path) -> None:
    (tmp_path / "deckcheck.toml").write_text('cards = ["own.yaml"]\n', encoding="utf-8")
    (tmp_path / "own.yaml").write_text(
        "cards:\n  - name: 作りかけの竜\n    cost: 7\n    printings: [{set: X-1, rarity: '?SR'}, {set: X-2}]\n",
        encoding="utf-8",
    )
    status, out, _ = run("cards", "show", "作りかけの竜", "--lang", "ja", cwd=tmp_path)
    assert status == 0
    lines = out.splitlines()
    assert {"  文明：不明", "  コスト：7", "  特徴：不明", "  発売日：不明"} <= set(lines)
    assert "  X-1  発売日不明  レアリティ おそらくSR（未確認）" in lines
    assert "  X-2  発売日不明  レアリティ 不明" in lines


def test_a_card_that_is_not_there_is_status_1_with_suggestions() -> None:
    status, out, err = run("cards", "show", "アクア・ハルカズ", "--lang", "en")
    assert (status, out) == (1, "")
    assert "  アクア・ハルカス\n" in err
    status, _, err = run("cards", "show", "\x1b[31m", "--lang", "en")
    assert status == 1
    assert "\x1b" not in err


def test_cards_are_searched_by_a_piece_of_their_name() -> None:
    status, out, _ = run("cards", "search", "デドダム", "--lang", "en")
    assert status == 0
    assert "天災 デドダム" in out.splitlines()
    status, out, err = run("cards", "search", "竜", "--limit", "3", "--lang", "en")
    assert (status, len(out.splitlines())) == (0, 3)
    assert "first 3 shown" in err
    assert run("cards", "search", "そんな名前のカードはない")[0] == 1
