"""What the command prints for a handful of decks, to the letter.

Each deck in golden/decks has its outputs in golden/expected. After a change
that is meant, DECKCHECK_UPDATE_GOLDEN=1 writes them anew; read the difference.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from factories.commands import run_process
from jsonschema import Draft7Validator

from deckcheck.report.writer import OUTPUT_FORMATS
from deckcheck.support.documents import load_schema

GOLDEN = Path(__file__).parent.parent / "golden"
DECKS = sorted(path.name for path in (GOLDEN / "decks").iterdir() if path.name != "cards.yaml")
FORMS = {
    "en.txt": (),
    "json": ("--output-format", "json"),
    "color.txt": ("--color", "always"),
}
FOR_PROGRAMS = {
    "concise.txt": ("--output-format", "concise"),
    "jsonl": ("--output-format", "json-lines"),
    "github.txt": ("--output-format", "github"),
    "gitlab.json": ("--output-format", "gitlab"),
    "junit.xml": ("--output-format", "junit"),
    "sarif": ("--output-format", "sarif"),
    "rdjson": ("--output-format", "rdjson"),
    "en.md": ("--output-format", "markdown"),
}
IN_JAPANESE = {
    "wide.txt.ja.txt": ("decks/wide.txt",),
    "ignored.txt.ja.txt": ("decks/ignored.txt",),
    "all.ja.md": ("decks", "--output-format", "markdown"),
}
"""The others are in English; each message is translated by itself."""
RUNS = {"all": ("decks",), "clean": ("decks/clean.txt",), "missing": ("decks/clean.txt", "decks/nothing.txt")}


@cache
def run(*arguments: str, lang: str = "en") -> subprocess.CompletedProcess[bytes]:
    command = ["check", "--format", "format.yaml", "--as-of", "2024-03-02", "--lang", lang]
    # In CI, paths are told from the root of the repository.
    environ = {key: value for key, value in os.environ.items() if not key.startswith(("GITHUB_", "CI_"))}
    return run_process([*command, *arguments], cwd=GOLDEN, env=environ)


def printed(*arguments: str, lang: str = "en") -> bytes:
    done = run(*arguments, lang=lang)
    assert done.returncode in (0, 1, 3), done.stderr.decode()
    assert done.stderr == b""
    return done.stdout


def same(name: str, found: bytes) -> None:
    file = GOLDEN / "expected" / name
    if os.environ.get("DECKCHECK_UPDATE_GOLDEN"):
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(found)
    assert found.decode() == file.read_bytes().decode()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("deck", [*DECKS, ""])
def test_output_is_as_expected(deck: str, form: str) -> None:
    same(f"{deck or 'all'}.{form}", printed(f"decks/{deck}".rstrip("/"), *FORMS[form]))


@pytest.mark.parametrize("name", IN_JAPANESE)
def test_japanese_is_as_expected(name: str) -> None:
    same(name, printed(*IN_JAPANESE[name], lang="ja"))


@pytest.mark.parametrize("form", FOR_PROGRAMS)
@pytest.mark.parametrize("name", RUNS)
def test_output_for_programs_is_as_expected(name: str, form: str) -> None:
    done = run(*RUNS[name], *FOR_PROGRAMS[form])
    assert done.returncode == {"all": 1, "clean": 0, "missing": 2}[name]
    same(f"{name}.{form}", done.stdout)


def test_no_output_is_missing_here() -> None:
    covered = {given[1] for given in [*FOR_PROGRAMS.values(), FORMS["json"]]}
    assert covered == {*OUTPUT_FORMATS} - {"text"}


@pytest.mark.parametrize("deck", [*DECKS, ""])
def test_json_keeps_to_its_schema(deck: str) -> None:
    report = json.loads(printed(f"decks/{deck}".rstrip("/"), *FORMS["json"]))
    Draft7Validator(load_schema("report")).validate(report)
    verdicts = [one["verdict"] for one in report["decks"]]
    summary = report["summary"]
    assert summary["decks"] == len(verdicts) == (1 if deck else len(DECKS))
    assert all(summary[verdict] == verdicts.count(verdict) for verdict in ("legal", "illegal", "undecided"))


def _fine(report: Any) -> None:
    report["decks"][0]["verdict"] = "fine"


def _no_source(report: Any) -> None:
    del report["decks"][0]["findings"][0]["source"]


def _fewer_than_none(report: Any) -> None:
    report["summary"]["decks"] = -1


@pytest.mark.parametrize("spoil", [_fine, _no_source, _fewer_than_none])
def test_the_schema_refuses_what_a_report_never_holds(spoil: Callable[[Any], None]) -> None:
    validator = Draft7Validator(load_schema("report"))
    report = json.loads(printed("decks/wide.txt", *FORMS["json"]))
    assert validator.is_valid(report)
    spoil(report)
    assert not validator.is_valid(report)


@pytest.mark.parametrize("form", ["all", "clean"])
def test_every_line_of_json_lines_keeps_to_the_schema(form: str) -> None:
    definitions = load_schema("report")["definitions"]
    validator = Draft7Validator({"definitions": definitions, "$ref": "#/definitions/line"})
    lines = printed(*RUNS[form], *FOR_PROGRAMS["jsonl"]).decode().splitlines()
    assert len(lines) == (len(DECKS) if form == "all" else 1) + 1
    for line in lines:
        validator.validate(json.loads(line))
    whole = json.loads(printed(*RUNS[form], *FORMS["json"]))
    assert [json.loads(line) for line in lines[:-1]] == whole["decks"]
    assert json.loads(lines[-1])["summary"] == whole["summary"]


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_nothing_that_a_terminal_obeys_is_printed(lang: str) -> None:
    text = printed("decks", lang=lang).decode()
    assert all(char.isprintable() or char in "\n　" for char in text)


def test_japanese_output_holds_no_english_words() -> None:
    text = printed("decks/wide.txt", lang="ja").decode()
    for word in ("error", "warning", "undecided", "found", "allowed", "at most", "legal", "cards)"):
        assert word not in text
