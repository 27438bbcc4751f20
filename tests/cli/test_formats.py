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
