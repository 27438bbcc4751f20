"""The interface for other programs: decks that were never lists, results as words and values, and values of wrong types."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from deckcheck import Deck, check, load_format
from deckcheck.support.documents import load_schema

ORIGINAL = load_format("duel-masters/original")
DAY = "2026-01-10"

PROGRAM = """
from deckcheck import Deck, Finding, LoadedFormat, Report, UserError, check, load_format


def judged(zones: dict[str, dict[str, int]], format: LoadedFormat) -> Report:
    return check(Deck.of(zones), format, as_of="2026-01-10", best_of=3)


def words(finding: Finding) -> str:
    return f"{finding.rule}: {finding.text('ja')} {finding.line} {finding.severity} {finding.verdict}"


try:
    report = judged({"main": {"青銅の鎧": 40}}, load_format("duel-masters/original"))
    told: list[str] = [words(finding) for finding in report.findings]
    values: dict[str, object] = report.to_dict(lang="en")
    print(report.verdict, report.fingerprint, told, values["verdict"])
except UserError as error:
    print([(problem.path, problem.line, problem.in_("en")) for problem in error.problems])
"""


def test_a_deck_of_names_is_judged_like_its_list() -> None:
    zones = {"main": {"青銅の鎧": 4, "アクア・ガード": 36}}
    report = check(Deck.of(zones), ORIGINAL, as_of=DAY)
    listed = check("4 x 青銅の鎧\n36 x アクア・ガード", ORIGINAL, as_of=DAY)
    assert (report.verdict, report.fingerprint) == (listed.verdict, listed.fingerprint)
    assert [finding.text("ja") for finding in report.findings] == [
        "《アクア・ガード》が36枚あります（4枚まで）"
    ]


def test_zones_are_known_by_id_and_heading_and_names_in_any_language() -> None:
    modern = load_format("magic/modern")
    first = Deck.of({"main": {"Lightning Bolt": 4, "Mountain": 56}, "Sideboard": {"Forest": 2}})
    second = Deck.of({"": {"稲妻": 4, "山": 56}, "side": {"森": 2}, "Maybeboard": {"Black Lotus": 1}})
    found = [check(deck, modern, as_of="2026-08-20") for deck in (first, second)]
    assert {report.verdict for report in found} == {"legal"}
    assert found[0].fingerprint == found[1].fingerprint is not None
    unknown = check(
        Deck.of({"Shed": {"Forest": 60}, "main": {"Nobody at all": 1}}), modern, as_of="2026-08-20"
    )
    assert {"unknown-zone", "unknown-card"} <= {finding.rule for finding in unknown.findings}


def test_a_report_as_values_is_that_of_the_published_json() -> None:
    values = check("5 x 青銅の鎧", ORIGINAL, as_of=DAY).to_dict("ja")
    schema = load_schema("report")
    Draft7Validator({**schema["definitions"]["deck"], "definitions": schema["definitions"]}).validate(values)
    assert values["findings"][0]["message"] == "メインデッキが5枚です（ちょうど40枚）"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: check(None, ORIGINAL), "the text of a list or a Deck, not NoneType"),  # type: ignore[arg-type]
        (lambda: check("4 x 青銅の鎧", "original"), "a format of load_format(), not str"),  # type: ignore[arg-type]
        (lambda: Deck.of(["main"]), "a mapping of zones, not list"),  # type: ignore[arg-type]
        (lambda: Deck.of({"main": ["x"]}), "not 'main' with list"),  # type: ignore[dict-item]
        (lambda: Deck.of({"main": {"x": "4"}}), "not 'x' with '4'"),  # type: ignore[dict-item]
    ],
)
def test_a_value_of_a_wrong_type_is_named(call: Any, said: str) -> None:
    with pytest.raises(TypeError) as caught:
        call()
    assert said in str(caught.value)
    with pytest.raises(ValueError, match="-1 copies"):
        Deck.of({"main": {"x": -1}})


def test_a_program_that_uses_it_runs(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(PROGRAM, "program.py", "exec"), {})
    told = capsys.readouterr().out
    assert told.startswith("illegal ") and "copies: 《青銅の鎧》が40枚あります" in told


@pytest.mark.setup
def test_a_program_that_uses_it_passes_strict_checks_of_types(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(PROGRAM, encoding="utf-8")
    words = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--follow-imports=silent", str(file)]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
