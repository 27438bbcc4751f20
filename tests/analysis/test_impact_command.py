"""`deckcheck impact` as people use it: days, settings, statuses, files."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from factories.analysis_runs import DECKS, ENTRY, FORMAT, announced, impact, run, saved
from factories.commands import run_here
from jsonschema import Draft7Validator

from deckcheck.support.documents import load_schema


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("4 x コッコ・ルピア\n4 x フェアリー・ライフ\n", 0),
        ("4 x コッコ・ルピア\n4 x 青銅の鎧\n", 0),
        ("4 x コッコ・ルピア\n4 x 天災 デドダム\n", 1),
        ("4 x 天災 デドダム\n4 x 誰も知らない\n", 1),
        ("4 x 青銅の鎧\n4 x 誰も知らない\n", 0),
        ("9 x コッコ・ルピア\n4 x 天災 デドダム\n", 0),
    ],
)
def test_the_status_tells_whether_some_deck_is_worse(tmp_path: Path, text: str, status: int) -> None:
    assert run(saved(tmp_path, text=text), "2024-01-11", "2024-01-15") == status


def test_what_cannot_be_read_is_2_and_does_not_stop_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved(tmp_path, name="a.txt", text="8 x 天災 デドダム\n")
    (tmp_path / "b.txt").write_bytes(b"\0\0")
    saved(tmp_path, name="c.txt", text="4 x コッコ・ルピア\n4 x 天災 デドダム\n")
    words = ("-f", FORMAT, "--from", "2024-01-11", "--to", "2024-01-15", "--lang", "en")
    assert run_here("impact", *words, tmp_path, tmp_path / "none.txt") == 2
    out, err = capsys.readouterr()
    assert "c.txt: legal → illegal" in out
    assert "2 decks: 1 with another verdict (1 worse)" in out
    assert "(and 2 that could not be checked)" in out
    assert "b.txt" in err
    assert "none.txt" in err
    assert run_here("impact", *words, "--output-format", "json", tmp_path) == 2
    report = json.loads(capsys.readouterr().out)
    Draft7Validator(load_schema("impact")).validate(report)
    assert [Path(one["path"]).name for one in report["errors"]] == ["b.txt"]
    assert report["summary"]["not_checked"] == 1


def test_the_day_of_the_deck_is_ignored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "# date: 2031-01-01\n# as-of: no day at all\n4 x コッコ・ルピア\n4 x 天災 デドダム\n"
    assert run(saved(tmp_path, text=text), "2024-01-11", "2024-01-15") == 1
    assert "legal → illegal" in capsys.readouterr().out


def test_from_is_today_unless_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(saved(tmp_path), "2024-01-15") == 2
    assert re.search(r"is after 2024-01-15\n.*--from", capsys.readouterr().err)
    assert run(saved(tmp_path), "2999-01-01") == 0
    assert re.match(r"\d{4}-\d\d-\d\d → 2999-01-01\n", capsys.readouterr().out)


def test_a_later_day_is_a_date_or_a_file_in_yaml(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(saved(tmp_path), "2024-01-01", "soon") == 2
    assert "--to: “soon” is not a valid date" in capsys.readouterr().err


def test_the_results_go_to_a_file_and_over_none_that_is_read(tmp_path: Path) -> None:
    deck, target = saved(tmp_path), tmp_path / "impact.md"
    file = announced(tmp_path, ENTRY.format(day="2030-01-01", status="free"))
    form = {"output_format": "markdown"}
    assert run(deck, "2024-01-16", file, output=str(target), **form) == 0
    assert target.read_text("utf-8").startswith("## What the lists change\n")
    for read in (deck, file):
        before = Path(read).read_bytes()
        assert run(deck, "2024-01-16", file, output=read, **form) == 2
        assert Path(read).read_bytes() == before


def test_standard_input_and_its_language() -> None:
    text = "4 x コッコ・ルピア\n4 x 天災 デドダム\n".encode()
    arguments = ("-f", "format.yaml", "--from", "2024-01-11", "--to", "2024-01-15", "-")
    assert "-: legal → illegal" in impact(*arguments, given=text).stdout.decode()
    assert "問題なし → 違反あり" in impact(*arguments, given=text, LANG="ja_JP.UTF-8").stdout.decode()


def test_settings_count(tmp_path: Path) -> None:
    """Formats by path, lists from folders of one's own, what is ignored and what is left out."""
    banlist = (DECKS / "banlist.yaml").read_text("utf-8").replace("turning-list", "turning/list")
    format = (DECKS / "format.yaml").read_text("utf-8").replace("format: turning", "format: turning/own")
    saved(tmp_path, name="lists/turning/list.yaml", text=banlist)
    saved(tmp_path, name="rules/turning/own.yaml", text=format.replace("[banlist.yaml]", "[turning/list]"))
    settings = """
formats = ["rules"]
banlists = ["lists"]
exclude = ["old"]
lang = "ja"

[[decks]]
path = "league/**"
format = "turning/own"
as-of = 2001-01-01

[[decks]]
path = "league/mild/**"
ignore = ["hall"]
"""
    saved(tmp_path, name="deckcheck.toml", text=settings)
    for folder in ("league", "league/mild", "old"):
        saved(tmp_path, name=f"{folder}/deck.txt", text="4 x コッコ・ルピア\n4 x 天災 デドダム\n")
    done = impact("--from", "2024-01-11", "--to", "2024-01-15", ".", cwd=tmp_path)
    out = done.stdout.decode()
    assert (done.returncode, done.stderr.decode()) == (1, "")
    assert "deck.txt: 問題なし → 違反あり" in out
    assert "2件のデッキ: 判定が変わる1" in out
    assert "lists/turning/list.yaml:14" in out
    text = ENTRY.format(day="2030-01-01", status="free")
    file = announced(tmp_path, text, banlist="turning/list")
    done = impact("--from", "2024-01-16", "--to", file, ".", cwd=tmp_path)
    assert "違反あり → 問題なし" in done.stdout.decode()
