"""What `deckcheck which` found, as it is told: to the letter, by its schema, and no more than one reads."""

from __future__ import annotations

import json

import pytest
from factories.analysis_runs import LISTS, formats, lines, reports_of
from factories.analysis_runs import which as run_which
from factories.commands import run_process
from factories.examples import examples
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from deckcheck.analysis.which import MOST_FINDINGS, MOST_RULES, render_text, which, which_object
from deckcheck.report.writer import RenderOptions
from deckcheck.support.documents import load_schema
from deckcheck.support.errors import UserError
from deckcheck.support.safe_text import safe


@examples(25)
@given(lines, st.text(max_size=20), st.text(max_size=20))
def test_json_keeps_to_its_schema_and_text_to_what_is_safe(body: list[str], name: str, path: str) -> None:
    text = "\n".join([f"# deck: {name}", f"# format: {name}", *body, "4 x アクア・サーファー"])
    try:
        fits = which(text, path or "-", formats(), as_of="2023-06-01")
    except UserError:
        return
    Draft7Validator(load_schema("which")).validate(json.loads(json.dumps(which_object([fits], [], "ja"))))
    for lang in ("ja", "en"):
        told = render_text(fits, RenderOptions(lang), ["--cards", path])
        assert all(safe(line) == line for line in told.split("\n"))
        assert not set(told) & set("\x1b\r\x00\x07\u202e\u2066")


def test_the_schema_tells_findings_as_a_report_does() -> None:
    mine, reports = load_schema("which")["definitions"], load_schema("report")["definitions"]
    for name in ("finding", "error"):
        assert mine[name] == reports[name]


@pytest.mark.parametrize("spoil", ["verdict", "games", "path"])
def test_the_schema_refuses_what_is_never_written(spoil: str) -> None:
    validator = Draft7Validator(load_schema("which"))
    told = which_object([which("4 x 青銅の鎧", "-", formats())], [], "en")
    assert validator.is_valid(told)
    told["decks"][0][spoil] = "fine" if spoil == "verdict" else []
    assert not validator.is_valid(told)


def test_what_is_unknown_is_told_once_and_at_the_top() -> None:
    text = "4 x 天災 デドダン\n4 x 青銅の鎧\n"
    told = render_text(which(text, "-", formats(), as_of="2023-06-01"), RenderOptions("en"))
    assert told.count("'天災 デドダン' is not in the card table") == 1
    assert "天災 デドダン" in told.partition("\n\n")[0]
    assert "did you mean 天災 デドダム" in told


def test_what_lies_beside_the_deck_in_one_format_is_unknown_in_the_others_only() -> None:
    [game] = which("1 x イエローカード\n4 x 青銅の鎧\n", "-", formats()).games
    assert game.common == ()
    unknown = [
        report.format for report in game.reports if "unknown-card" in {one.rule for one in report.findings}
    ]
    assert len(unknown) == len(game.reports) - 1
    assert "duel-masters/amadeus" not in unknown


def test_no_more_is_told_than_one_reads() -> None:
    names = [f"1~{n + 2} x 青銅の鎧" for n in range(MOST_FINDINGS + 5)]
    text = "\n".join(["9 x 青銅の鎧", "9 x 天災 デドダム", "4 x 魔龍バベルギヌス", *names])
    fits = which(text, "-", formats(), as_of="2023-06-01")
    told = render_text(fits, RenderOptions("en"))
    assert told.count("[invalid-line]") == MOST_FINDINGS
    assert "  +5 more\n" in told
    blocks = told.partition("illegal in:\n")[2].split("\n  duel-masters/")
    assert len(blocks) > 3
    for block in blocks:
        assert (
            sum(line.startswith(("    error[", "    undecided[")) for line in block.splitlines())
            <= MOST_RULES
        )
    assert "of these" in told


def test_a_legal_deck_is_told_its_warnings() -> None:
    text = (LISTS / "blog.txt").read_text("utf-8").replace("2023-06-01", "2020-08-01")
    fits = which(text, "-", formats())
    [original] = [report for report in reports_of(fits) if report.format == "duel-masters/original"]
    assert original.verdict == "legal"
    told = render_text(fits, RenderOptions("en"))
    assert "    warning[not-yet-released]: Original begins on 2021-01-01" in told


def test_the_command_that_shows_all_asks_the_same() -> None:
    done = run_which("blog.txt", "--as-of", "2022/01/02", "--best-of", "3", "--lang", "en")
    last = done.stdout.decode().splitlines()[-1]
    command = last.partition(": ")[2].replace("ID", "duel-masters/duemagic").split()
    assert command == [
        *("deckcheck", "check", "blog.txt", "--format", "duel-masters/duemagic"),
        *("--as-of", "2022-01-02", "--best-of", "3"),
    ]
    shown = run_process(command[1:], cwd=LISTS, encoding="utf-8")
    assert shown.returncode == 1
    assert "main-size" in shown.stdout
