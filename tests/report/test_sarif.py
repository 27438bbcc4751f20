"""SARIF: the OASIS schema, as a package on the index was made from it and as it is, and what it can't say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

import pytest
from factories.reports import RULES, few, finding, looks, problems, report, rule_info, runs, texts, written
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from pydantic_sarif.model import StaticAnalysisResultsFormatSarifVersion210JsonSchema as Log

from deckcheck.model.finding import ENGINE_IDS, CardAt, Report
from deckcheck.model.format import Source
from deckcheck.report.writer import RenderOptions
from deckcheck.support.errors import Problem
from deckcheck.support.messages import Localized

INFOS = [rule_info(rule) for rule in RULES]


def run_of(reports: list[Report], **others: Any) -> Any:
    text = written("sarif", reports, **({"rules": INFOS} | others))
    Log.model_validate_json(text)
    [run] = json.loads(text)["runs"]
    for result in run["results"]:
        keeps_to_the_text_of_the_standard(result, run["tool"]["driver"]["rules"])
    return run


def keeps_to_the_text_of_the_standard(result: Any, rules: list[Any]) -> None:
    """What no schema tells."""
    assert result.get("kind", "fail") == "fail" or result["level"] == "none"
    if "ruleIndex" in result:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    ids = [one["id"] for one in result["relatedLocations"]]
    assert len(set(ids)) == len(ids)
    for place in [*result["locations"], *result["relatedLocations"]]:
        region = place["physicalLocation"]["region"]
        assert region["startLine"] >= 1
        assert region.get("endColumn", 2) > region.get("startColumn", 1)
        uri = place["physicalLocation"]["artifactLocation"]["uri"]
        assert uri.isascii() and " " not in uri and ":" not in uri.removeprefix("file:")


@few
@given(runs, looks, st.lists(problems, max_size=3, unique=True), texts)
def test_each_finding_is_one_result(
    run: list[Report], look: RenderOptions, wrong: list[Problem], said: Localized
) -> None:
    infos = [replace(one, summary=said, format_name=said) for one in INFOS]
    found = run_of(run, look=look, problems=wrong, rules=infos)
    assert len(found["results"]) == sum(len(one.findings) + len(one.suppressed) for one in run)
    assert all("ruleIndex" in one for one in found["results"])
    [invocation] = found["invocations"]
    assert invocation["executionSuccessful"] == (not wrong)
    assert len(invocation["toolExecutionNotifications"]) == len(wrong)


def test_a_rule_is_listed_once_and_an_unknown_one_has_no_number() -> None:
    found = run_of([report(finding("copies"), finding("mystery"))], rules=[*INFOS, *INFOS])
    ids = [one["id"] for one in found["tool"]["driver"]["rules"]]
    assert len(ids) == len(set(ids)) == len(INFOS) + len(ENGINE_IDS)
    assert [("ruleIndex" in one) for one in found["results"]] == [True, False]
    assert found["results"][1]["ruleId"] == "house/cup/mystery"


def test_a_deck_as_a_whole_has_a_line_for_code_scanning() -> None:
    [result] = run_of([report(finding("main-size"))])["results"]
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 1}


@pytest.mark.parametrize(
    ("path", "uri", "base"),
    [
        ("decks/大会 #1.txt", "decks/%E5%A4%A7%E4%BC%9A%20%231.txt", "%SRCROOT%"),
        ("./a%b:c.txt", "a%25b%3Ac.txt", "%SRCROOT%"),
        ("/else where/x.txt", "file:///else%20where/x.txt", None),
        ("decks/\udce3.txt", "decks/%E3.txt", "%SRCROOT%"),
        ("formats/duel-masters/commander.yaml", "formats/duel-masters/commander.yaml", "%DECKCHECK%"),
    ],
)
def test_paths_are_uris(
    path: str, uri: str, base: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = run_of([report(finding(), path=path)])
    artifact = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact == ({"uri": uri} if base is None else {"uri": uri, "uriBaseId": base})
    assert base is None or base in run["originalUriBaseIds"]
    if base == "%SRCROOT%":
        assert unquote_to_bytes(uri) == path.removeprefix("./").encode("utf-8", "surrogateescape")


def test_a_file_of_ones_own_is_not_taken_for_a_bundled_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "formats" / "duel-masters" / "original.yaml"
    own.parent.mkdir(parents=True)
    own.write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    run = run_of([report(finding(source=Source("formats/duel-masters/original.yaml", 3)))])
    [place] = run["results"][0]["relatedLocations"]
    assert place["physicalLocation"]["artifactLocation"]["uriBaseId"] == "%SRCROOT%"


def test_fingerprints_hold_no_line_and_tell_findings_apart() -> None:
    def prints(*lines: int) -> list[str]:
        results = run_of(
            [report(*[finding("hall", line=line, cards=(CardAt("x", 2, line, 1),)) for line in lines])]
        )
        return [one["partialFingerprints"]["deckcheckFinding/v1"] for one in results["results"]]

    assert prints(1, 2) == prints(7, 9)
    assert len(set(prints(1, 2))) == 2


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("[x](http://evil.invalid)", r"\[x\](http://evil.invalid)"),
        ("[1] {0}", "[1] {{0}}"),
        ("a\\[b](1)", r"a\\\[b\](1)"),
    ],
)
def test_names_are_no_links_and_no_placeholders(message: str, text: str) -> None:
    [result] = run_of([report(finding(message=message))])["results"]
    assert result["message"]["text"] == text
