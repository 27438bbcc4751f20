"""What the command prints for a handful of decks, to the letter.

Each deck in golden/decks has its outputs in golden/expected. After a change
that is meant, DECKCHECK_UPDATE_GOLDEN=1 writes them anew; read the difference.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from deckcheck.schema import load_schema

GOLDEN = Path(__file__).parent / "golden"
DECKS = sorted(path.name for path in (GOLDEN / "decks").iterdir() if path.name != "cards.yaml")
FORMS = {
    "ja.txt": ("--lang", "ja"),
    "en.txt": ("--lang", "en"),
    "json": ("--output-format", "json", "--lang", "ja"),
    "color.txt": ("--lang", "en", "--color", "always"),
}


def printed(*arguments: str) -> bytes:
    command = [sys.executable, "-m", "deckcheck", "check", "--format", "format.yaml", "--as-of", "2024-03-02"]
    done = subprocess.run([*command, *arguments], cwd=GOLDEN, capture_output=True, timeout=60)
    assert done.returncode in (0, 1, 3), done.stderr.decode()
    assert done.stderr == b""
    return done.stdout


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("deck", [*DECKS, ""])
def test_output_is_as_expected(deck: str, form: str) -> None:
    file = GOLDEN / "expected" / f"{deck or 'all'}.{form}"
    found = printed(f"decks/{deck}".rstrip("/"), *FORMS[form])
    if os.environ.get("DECKCHECK_UPDATE_GOLDEN"):
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(found)
    assert found.decode() == file.read_bytes().decode()


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


@pytest.mark.parametrize("form", ["ja.txt", "en.txt"])
def test_nothing_that_a_terminal_obeys_is_printed(form: str) -> None:
    text = printed("decks", *FORMS[form]).decode()
    assert all(char.isprintable() or char in "\n　" for char in text)


def test_japanese_output_holds_no_english_words() -> None:
    text = printed("decks/wide.txt", *FORMS["ja.txt"]).decode()
    for word in ("error", "warning", "undecided", "found", "allowed", "at most", "legal", "cards)"):
        assert word not in text
