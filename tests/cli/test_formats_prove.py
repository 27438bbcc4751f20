"""`deckcheck formats prove`: rules with and without an effect, days without a legal deck, and decks as proof."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from factories.commands import environment, run_here

DAY = "2026-01-01"
HEAD = "format: small\nname: {ja: 小, en: Small}\ngame: duel-masters\nzones: {main: {}, side: {}}\nrules:\n"
SIZE = "  - {id: size, in: main, exactly: 8}\n"
COPIES = "  - {id: copies, per: name, at_most: 2}\n"
SIDE = "  - {id: side, in: side, at_most: 3}\n"
SOUND = SIZE + COPIES + SIDE


def written(folder: Path, rules: str) -> Path:
    file = folder / "small.yaml"
    file.write_text(HEAD + rules, "utf-8")
    return file


def prove(file: Path, output_format: str, *more: str) -> int:
    return run_here(
        "formats", "prove", file, "--isolated", "--as-of", DAY, "--output-format", output_format, *more
    )


def proven(file: Path, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, Any]:
    status = prove(file, "json", "--lang", "en", *more)
    [found] = json.loads(capsys.readouterr().out)["formats"]
    return status, found


def rules(found: Any) -> dict[str, Any]:
    [proof] = found["proofs"]
    return {rule["rule"]: rule for rule in proof["rules"]}


def test_each_rule_of_a_sound_format_can_be_broken_alone_and_met_exactly(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, found = proven(written(tmp_path, SOUND), capsys)
    assert status == 0
    assert [rule["breakable"] for rule in rules(found).values()] == [True, True, True]
    assert all(bound["reachable"] for rule in rules(found).values() for bound in rule["bounds"])
    assert max(rules(found)["copies"]["deck"]["main"].values()) == 3
    side = sum(rules(found)["side"]["bounds"][0]["deck"]["side"].values())
    assert (side, sum(rules(found)["side"]["deck"]["side"].values()) > 3) == (3, True)


def test_decks_hold_only_cards_that_a_list_can_have_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A card whose home is a zone that the format lacks would be read there."""
    more = "  - {id: dark, in: main, where: {civilization: 闇}, at_least: 4}\n"
    _status, found = proven(written(tmp_path, SOUND + more), capsys)
    decks = [rule["deck"] for rule in rules(found).values()]
    decks += [bound["deck"] for rule in rules(found).values() for bound in rule["bounds"]]
    names = {name for deck in decks if deck for name in deck.get("main", ())}
    assert names
    listing = tmp_path / "deck.txt"
    listing.write_text("".join(f"1 {name}\n" for name in sorted(names)), "utf-8")
    words = ("check", listing, "--format", tmp_path / "small.yaml", "--isolated", "--output-format", "json")
    run_here(*words)
    [report] = json.loads(capsys.readouterr().out)["decks"]
    assert report["sizes"] == {"main": len(names), "side": 0}


def test_a_rule_that_another_implies_is_idle(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = "  - {id: few, per: name, where: {civilization: 火}, at_most: 2}\n"
    status, found = proven(written(tmp_path, SOUND + more), capsys)
    assert (status, rules(found)["few"]["breakable"]) == (1, False)
    assert rules(found)["few"]["implied_by"] == ["copies"]


def test_a_rule_that_two_others_imply_only_together_names_both(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = "  - {id: all, at_most: 11}\n"
    status, found = proven(written(tmp_path, SOUND + more), capsys)
    assert (status, rules(found)["all"]["implied_by"]) == (1, ["size", "side"])
    words = ("formats", "prove", tmp_path / "small.yaml", "--isolated", "--as-of", DAY, "--lang")
    run_here(*words, "en")
    out = capsys.readouterr().out
    assert "idle: whatever breaks this rule also breaks at least one of size, side\n" in out
    assert out.endswith("  a legal deck exists\n")
    run_here(*words, "ja")
    assert "この規則に反するデッキは、必ずsize、sideの少なくとも1つにも反します" in capsys.readouterr().out


def test_a_sum_names_what_is_summed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = "  - {id: dear, in: main, count: {sum: cost}, at_most: 40}\n"
    more += "  - {id: one, sides: [{name: アクア・ガード}, {name: アクア・ナイト}], at_most: 1}\n"
    _status, found = proven(written(tmp_path, SOUND + more), capsys)
    assert rules(found)["dear"]["message"].startswith("Main deck: total cost: ")
    both = "combination of アクア・ガード, アクア・ナイト: 2; at most 1 allowed"
    assert rules(found)["one"]["message"] == f"the whole deck: {both}"


def test_a_rule_that_no_card_can_break_is_idle(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = "  - {id: dear, where: {cost: 4321}, at_most: 0}\n"
    status, found = proven(written(tmp_path, SOUND + more), capsys)
    assert (status, rules(found)["dear"]["breakable"], rules(found)["dear"]["implied_by"]) == (1, False, [])


def test_rules_that_exclude_one_another_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = "  - {id: big, at_least: 12}\n"
    file = written(tmp_path, SOUND + more)
    status, found = proven(file, capsys)
    [proof] = found["proofs"]
    assert (status, proof["satisfiable"], proof["clash"]) == (1, False, ["size", "side", "big"])
    assert run_here("formats", "prove", file, "--isolated", "--as-of", DAY, "--lang", "en") == 1
    out = capsys.readouterr().out
    assert f"{file}:6: error[unsatisfiable]: no deck is legal on {DAY}" in out
    assert "size, side, big" in out


def test_a_day_without_a_legal_deck_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = "  - {id: once, at_least: 12, since: 2025-03-01, until: 2025-03-31}\n"
    status, found = proven(written(tmp_path, SOUND + more), capsys)
    assert (status, found["days"]) == (1, 3)
    [day] = found["unsatisfiable"]
    assert (day["as_of"], day["clash"]) == ("2025-03-01", ["size", "side", "once"])


def test_growing_bounds_loops_and_alternatives_have_decks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = """  - {id: grow, in: main, where: {cost: {at_least: 7}}, at_most: {plus: [{in: side}]}}
  - {id: each, for_each: {civilization: [火, 水]}, in: main, where: {civilization: $each}, at_most: 6}
  - id: ways
    message: {ja: どちらも違う, en: neither way}
    either:
      - {in: side, exactly: 0}
      - {in: main, where: {civilization: 火}, at_least: 2}
"""
    status, found = proven(written(tmp_path, SOUND + more), capsys)
    assert {id: rule["breakable"] for id, rule in rules(found).items()} == dict.fromkeys(rules(found), True)
    assert status == 0


def test_sarif_is_at_the_line_of_the_rule(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = "  - {id: few, per: name, at_most: 3}\n"
    file = written(tmp_path, SIZE + COPIES + SIDE + more.replace("per: name,", "per: name, in: main,"))
    assert prove(file, "sarif", "--lang", "ja") == 1
    [run] = json.loads(capsys.readouterr().out)["runs"]
    [result] = run["results"]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert (result["ruleId"], result["level"], region["startLine"]) == ("small/few", "warning", 9)
    assert "必ずcopiesにも反します" in result["message"]["text"]


def test_sarif_has_the_mistakes_of_a_format_that_does_not_load(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, SIZE.replace("main", "mian"))
    words = ("formats", "prove", file, "--isolated", "--output-format", "sarif", "--lang", "en")
    assert run_here(*words) == 2
    done = capsys.readouterr()
    [run] = json.loads(done.out)["runs"]
    [invocation] = run["invocations"]
    [problem] = invocation["toolExecutionNotifications"]
    assert (run["results"], invocation["executionSuccessful"]) == ([], False)
    assert "this format has no zone 'mian'" in problem["message"]["text"]
    assert problem["locations"][0]["physicalLocation"]["region"]["startLine"] == 6
    assert "small.yaml:6" in done.err


def test_decks_are_written_as_cases_and_none_is_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, SIZE + COPIES)
    words = ("formats", "prove", file, "--isolated", "--as-of", DAY, "--write-cases", "--lang", "en")
    assert run_here(*words) == 0
    cases = sorted((tmp_path / "small.cases").iterdir())
    assert cases
    cases[0].write_text("mine", "utf-8")
    assert run_here(*words) == 0
    assert cases[0].read_text("utf-8") == "mine"
    cases[0].unlink()
    assert run_here(*words) == 0
    capsys.readouterr()
    assert run_here("formats", "test", file, "--isolated", "--lang", "en") == 0
    assert "FAILED" not in capsys.readouterr().out


def test_decks_whose_lists_are_read_otherwise_are_left_out_and_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, SIZE + "  - {id: gr, in: main, where: {type: GRクリーチャー}, at_most: 0}\n")
    words = ("formats", "prove", file, "--isolated", "--as-of", DAY, "--write-cases", "--lang", "en")
    assert run_here(*words) == 0
    cases = {case.name for case in (tmp_path / "small.cases").iterdir()}
    (tmp_path / "small.cases" / "proof-02-gr-bound-1.txt").unlink()
    err = capsys.readouterr().err
    assert f"{len(cases)} cases written, 0 kept" in err and "proof-02-gr.txt" not in cases
    assert "1 deck left out, because its list is read as another deck: proof-02-gr.txt (" in err
    assert "is read as a card of Ultra GR zone)" in err
    assert run_here(*words) == 0
    assert f"1 case written, {len(cases) - 1} kept" in capsys.readouterr().err


def test_a_base_and_a_missing_file_are_status_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_here("formats", "prove", "magic/constructed", "--isolated", "--lang", "en") == 2
    assert "is a base for other formats" in capsys.readouterr().err
    assert run_here("formats", "prove", tmp_path / "none.yaml", "--isolated", "--lang", "en") == 2


def test_without_the_solver_there_is_one_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, SOUND)
    gone = {name: None for name in sys.modules if name.startswith(("ortools", "deckcheck.analysis"))}
    with mock.patch.dict(sys.modules, gone | {"ortools": None}):
        for name in gone:
            if name.startswith("deckcheck"):
                del sys.modules[name]
        assert run_here("formats", "prove", file, "--isolated", "--lang", "en") == 2
    assert "pip install 'deckcheck[prove]'" in capsys.readouterr().err


def test_what_the_time_does_not_suffice_for_is_undecided(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from deckcheck.analysis.constraints import Solution

    with mock.patch("deckcheck.analysis.deck_model.solve", return_value=Solution("unknown")):
        status, found = proven(written(tmp_path, SOUND), capsys)
        assert (status, found["proofs"][0]["satisfiable"]) == (1, None)
        words = (
            "formats",
            "prove",
            tmp_path / "small.yaml",
            "--isolated",
            "--time-limit",
            "3",
            "--lang",
            "en",
        )
        assert run_here(*words) == 1
    assert "not decided within 3 s" in capsys.readouterr().out


def test_each_rule_on_every_day_of_change(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dated = "  - {id: copies, per: name, at_most: 2, until: 2024-12-31}\n  - {id: few, since: 2025-01-01, per: name, at_most: 1}\n"
    edition = "source: {title: Small, editions: [{edition: first, date: 2024-06-01}]}\n"
    file = tmp_path / "small.yaml"
    file.write_text(HEAD.replace("rules:", f"{edition}rules:") + SIZE + dated, "utf-8")
    status, found = proven(file, capsys, "--all-dates")
    assert (status, found["unsatisfiable"]) == (0, [])
    on_days = {proof["as_of"]: [rule["rule"] for rule in proof["rules"]] for proof in found["proofs"]}
    assert on_days == {
        "2024-06-01": ["size", "copies"],
        "2025-01-01": ["size", "few"],
        DAY: ["size", "few"],
    }


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_an_interrupt_ends_it_at_once() -> None:
    command = [sys.executable, "-m", "deckcheck", "formats", "prove", "--isolated", "magic/commander"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, env=environment()) as process:
        # Long enough to begin, and well before the end.
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=30)
        finally:
            process.kill()
    assert (process.returncode, out) == (130, b"")
    assert b"Traceback" not in err
