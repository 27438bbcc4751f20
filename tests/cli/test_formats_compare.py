"""`deckcheck formats compare`: whether every legal deck of one format is legal in another, and why not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from factories.commands import run_here

DAY = "2026-01-01"
SIZE = "  - {id: size, in: main, exactly: 8}\n"


def written(folder: Path, name: str, rules: str, zones: str = "main: {}") -> Path:
    file = folder / f"{name}.yaml"
    head = f"format: {name}\nname: {{ja: 場{name}, en: {name.title()}}}\ngame: duel-masters\n"
    file.write_text(f"{head}zones: {{{zones}}}\nrules:\n{rules}", "utf-8")
    return file


def compared(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, Any]:
    status = run_here("formats", "compare", *words, "--isolated", "--lang", "en", "--output-format", "json")
    return status, json.loads(capsys.readouterr().out)


def test_a_stricter_format_is_included_and_not_the_other_way(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    strict = written(tmp_path, "strict", SIZE + "  - {id: copies, per: name, at_most: 1}\n")
    loose = written(tmp_path, "loose", SIZE + "  - {id: copies, per: name, at_most: 4}\n")
    status, found = compared(capsys, strict, loose)
    assert (status, found["first_in_second"]["included"]) == (0, True)
    [refusal] = found["second_in_first"]["refusals"]
    assert refusal["rule"] == "copies"
    assert max(refusal["deck"]["main"].values()) in (2, 3, 4)
    status, found = compared(capsys, loose, strict)
    assert (status, found["first_in_second"]["included"]) == (1, False)


def test_formats_that_allow_the_same_include_each_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = written(tmp_path, "first", SIZE)
    second = written(
        tmp_path, "second", "  - {id: low, in: main, at_least: 8}\n  - {id: high, in: main, at_most: 8}\n"
    )
    assert run_here("formats", "compare", first, second, "--isolated", "--lang", "ja") == 0
    out = capsys.readouterr().out.splitlines()
    assert len(out) == 2 and all(line.startswith("証明済み：") for line in out)


def test_a_zone_that_the_other_lacks_makes_a_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wide = written(tmp_path, "wide", SIZE, "main: {}, side: {}")
    narrow = written(tmp_path, "narrow", SIZE)
    status, found = compared(capsys, wide, narrow)
    [refusal] = found["first_in_second"]["refusals"]
    assert (status, refusal["rule"], "side" in refusal["deck"]) == (1, None, True)
    assert found["second_in_first"]["included"]


def test_one_format_on_two_days(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, "late", SIZE + "  - {id: copies, since: 2025-01-01, per: name, at_most: 1}\n")
    days = ("--as-of", "2024-12-31", "--as-of", "2025-01-01")
    status, found = compared(capsys, file, *days)
    assert (status, [refusal["rule"] for refusal in found["first_in_second"]["refusals"]]) == (1, ["copies"])
    assert run_here("formats", "compare", "duel-masters/original", *days[:2], "--as-of", "2026-01-01") == 1
    assert " → " in capsys.readouterr().out


def test_a_format_without_a_legal_deck_is_said_to_have_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    size = SIZE + "  - {id: side, in: side, at_most: 3}\n"
    empty = written(tmp_path, "empty", size + "  - {id: all, at_least: 12}\n", "main: {}, side: {}")
    some = written(tmp_path, "some", size, "main: {}, side: {}")
    status, found = compared(capsys, empty, some)
    assert (status, found["first_in_second"]["empty"], found["second_in_first"]["empty"]) == (0, True, False)
    run_here("formats", "compare", empty, some, "--isolated", "--lang", "en", "--as-of", DAY)
    assert capsys.readouterr().out.startswith(f"Proven: no deck at all is legal in Empty ({DAY}).\n")
    run_here("formats", "compare", empty, some, "--isolated", "--lang", "ja", "--as-of", DAY)
    assert "証明済み：場empty（2026-01-01）で使えるデッキは1つもありません" in capsys.readouterr().out


def test_a_day_before_the_format_is_warned_of(capsys: pytest.CaptureFixture[str]) -> None:
    days = ("--as-of", "2019-12-20", "--as-of", "2021-12-01")
    words = ("formats", "compare", "duel-masters/original", *days, "--isolated", "--lang", "en")
    run_here(*words)
    said = "Original begins on 2021-01-01; there was no such format on 2019-12-20"
    out = capsys.readouterr().out
    assert out.startswith(f"warning: {said}\n") and out.count(said) == 1
    _status, found = compared(capsys, "duel-masters/original", *days)
    assert found["warnings"] == [said]


def test_what_can_not_be_compared_is_status_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, "some", SIZE)
    cases = {
        (file, "magic/modern"): "are formats of different games",
        (file,): "give another format, or two dates with --as-of",
        (file, "--as-of", "2025-02-30"): "2025-02-30",
        (file, *(word for day in "123" for word in ("--as-of", f"2025-01-0{day}"))): "at most twice",
    }
    for words, message in cases.items():
        assert run_here("formats", "compare", *words, "--isolated", "--lang", "en") == 2
        assert message in capsys.readouterr().err
