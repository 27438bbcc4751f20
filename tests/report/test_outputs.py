"""Every output, read as its readers read it: each finding once, nothing that anybody obeys, and what is its own."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes
from xml.etree import ElementTree

import cmarkgfm
import pytest
import xmlschema
from cmarkgfm.cmark import Options
from factories.actions_runner import commands
from factories.pages import PageRead
from factories.reports import (
    RULES,
    few,
    finding,
    hostile,
    lists,
    looks,
    obeyed,
    problems,
    report,
    rule_info,
    runs,
    texts,
    written,
)
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from junitparser import Error, Failure, Skipped
from junitparser.xunit2 import JUnitXml
from markdown_it import MarkdownIt
from msgspec.structs import replace
from pydantic_sarif.model import StaticAnalysisResultsFormatSarifVersion210JsonSchema as SarifLog

from deckcheck.model.finding import ENGINE_IDS, CardAt, ListUsed, Report, UnappliedChange
from deckcheck.report.markdown import MOST, markdown, markdown_code
from deckcheck.report.results import OUTPUT_FORMATS, RenderOptions
from deckcheck.report.wording import label_of
from deckcheck.support.documents import load_schema
from deckcheck.support.errors import Problem
from deckcheck.support.messages import Localized
from deckcheck.support.safe_text import safe

SCHEMAS = Path(__file__).parent.parent / "schemas"
INFOS = [rule_info(rule) for rule in RULES]

# Readers


@cache
def gitlab_schema() -> Draft7Validator:
    return Draft7Validator(json.loads((SCHEMAS / "gitlab.schema.json").read_text("utf-8")))


def issues(run: list[Report], **others: Any) -> list[Any]:
    """What GitLab reads."""
    found: list[Any] = json.loads(written("gitlab", run, **others))
    gitlab_schema().validate(found)
    return found


@cache
def junit_schema() -> xmlschema.XMLSchema10:
    return xmlschema.XMLSchema10(str(SCHEMAS / "junit.xsd"))


def suites(run: list[Report], **others: Any) -> list[Any]:
    """What a reader of JUnit XML reads."""
    text = written("junit", run, **others)
    junit_schema().validate(ElementTree.fromstring(text))
    return list(JUnitXml.fromstring(text.encode()))


def outcome(case: Any) -> str:
    kinds = {Failure: "failure", Error: "error", Skipped: "skipped"}
    return kinds[type(case.result[0])] if case.result else "passed"


def sarif(run: list[Report], **others: Any) -> Any:
    """What a reader of SARIF reads: the OASIS schema as a package has it, and what no schema tells."""
    text = written("sarif", run, **({"rules": INFOS} | others))
    SarifLog.model_validate_json(text)
    [found] = json.loads(text)["runs"]
    rules = found["tool"]["driver"]["rules"]
    for result in found["results"]:
        assert result.get("kind", "fail") == "fail" or result["level"] == "none"
        assert "ruleIndex" not in result or rules[result["ruleIndex"]]["id"] == result["ruleId"]
        for place in result["locations"]:
            region = place["physicalLocation"]["region"]
            assert region["startLine"] >= 1
            assert region.get("endColumn", 2) > region.get("startColumn", 1)
            uri = place["physicalLocation"]["artifactLocation"]["uri"]
            assert uri.isascii() and " " not in uri and ":" not in uri.removeprefix("file:")
    return found


MARKDOWN = MarkdownIt("gfm-like")
BLOCKS = [
    "heading",
    "paragraph",
    "strong",
    "bullet_list",
    "list_item",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
]
HARMLESS = {
    *(f"{name}_{side}" for name in BLOCKS for side in ("open", "close")),
    "inline",
    "text",
    "code_inline",
}
TAGS = {"h2", "h3", "p", "strong", "code", "table", "thead", "tbody", "tr", "th", "td", "ul", "li"}
# What GitHub makes links, mentions, pictures and formulas of, outside of code.
LIVE = re.compile(r"@\w|#\d|\bGH-\d|https?:|www\.|\$|:\w+:|\b[0-9a-f]{7,40}\b")


def rows_of(text: str) -> list[list[str]]:
    """The text of the cells in each row of Markdown's tables; heads are left out."""
    rows: list[list[str]] = []
    inside = False
    for token in MARKDOWN.parse(text):
        if token.type in ("tbody_open", "tbody_close"):
            inside = token.type == "tbody_open"
        elif inside and token.type == "tr_open":
            rows.append([])
        elif inside and token.type == "inline":
            rows[-1].append("".join(child.content for child in token.children or ()))
    return rows


def joined(text: str) -> str:
    """As JSON tells it: two halves of a character beside each other are that character."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def in_xml(text: str) -> str:
    return re.sub("[\ufffe\uffff]", lambda match: f"\\u{ord(match[0]):04x}", safe(text))


# Whatever stands in the files


@few
@given(runs, looks, st.lists(problems, max_size=2, unique=True), st.lists(lists, max_size=2), texts)
def test_each_finding_is_told_once_and_nothing_is_obeyed(
    run: list[Report], look: RenderOptions, wrong: list[Problem], used: list[ListUsed], said: Localized
) -> None:
    infos = [replace(one, summary=said, cite=said, format_name=said) for one in INFOS]
    text = {
        name: written(name, run, look=look, problems=wrong, lists=used, rules=infos)
        for name in OUTPUT_FORMATS
    }
    assert [name for name in OUTPUT_FORMATS if obeyed(text[name])] == []
    told = [one for deck in run for one in deck.findings]
    assert len(written("concise", run, look=look).splitlines()) == len(told) + 1
    orders = [*commands(text["github"])]
    order = ["error", "warning", "notice"]
    assert len(orders) == len(wrong) + len(told)
    assert [one.name for one in orders] == sorted((one.name for one in orders), key=order.index)
    messages = {safe(one.message.in_(look.lang)) for one in (*wrong, *told)}
    assert {one.data.split("\n")[0] for one in orders} == messages
    prints = [one["fingerprint"] for one in issues(run, look=look, problems=wrong)]
    assert len(set(prints)) == len(prints) == len(told) + len(wrong)
    keeps_to_json_lines(text["json-lines"], run, look, wrong)
    is_sarif(run, look, wrong, infos)
    is_junit(run, look, wrong)
    is_harmless_markdown(text["markdown"], run, look)


def keeps_to_json_lines(text: str, run: list[Report], look: RenderOptions, wrong: list[Problem]) -> None:
    records = [json.loads(line) for line in text.splitlines()]
    definitions = load_schema("report")["definitions"]
    validator = Draft7Validator({"definitions": definitions, "$ref": "#/definitions/line"})
    for record in records:
        validator.validate(record)
    decks, errors, last = records[: len(run)], records[len(run) : -1], records[-1]
    assert [len(one["findings"]) for one in decks] == [len(one.findings) for one in run]
    assert [one["path"] for one in decks] == [joined(one.deck.path) for one in run]
    messages = [joined(one.message.in_(look.lang)) for one in wrong]
    assert [one["error"]["message"] for one in errors] == messages
    assert last["summary"]["decks"] == len(run)


def is_sarif(run: list[Report], look: RenderOptions, wrong: list[Problem], infos: list[Any]) -> None:
    found = sarif(run, look=look, problems=wrong, rules=infos)
    assert len(found["results"]) == sum(len(one.findings) + len(one.suppressed) for one in run)
    assert all("ruleIndex" in one for one in found["results"])
    [invocation] = found["invocations"]
    assert invocation["executionSuccessful"] == (not wrong)
    assert len(invocation["toolExecutionNotifications"]) == len(wrong)


def is_junit(run: list[Report], look: RenderOptions, wrong: list[Problem]) -> None:
    found = suites(run, look=look, problems=wrong)
    assert len(found) == len(run) + bool(wrong)
    for suite, deck in zip(found, run, strict=False):
        cases = list(suite)
        assert suite.name == in_xml(os.path.normpath(deck.deck.path))
        kinds = {"error": "failure", "undecided": "error"}
        wanted = Counter(kinds.get(label_of(one, look.lenient), "passed") for one in deck.findings)
        wanted += Counter({"skipped": len(deck.suppressed), "passed": deck.verdict == "legal"})
        assert Counter(map(outcome, cases)) == wanted
        counts = {"failure": suite.failures, "error": suite.errors, "skipped": suite.skipped}
        assert suite.tests == len({case.name for case in cases}) == len(cases)
        assert counts == {kind: wanted[kind] for kind in counts}
        results = [case.result[0].text or "" for case in cases if case.result]
        said = "\n".join([*results, suite.system_out or ""])
        assert all(in_xml(one.message.in_(look.lang)) in said for one in deck.findings)
    if wrong:
        assert [outcome(case) for case in found[-1]] == ["error"] * len(wrong)


def is_harmless_markdown(text: str, run: list[Report], look: RenderOptions) -> None:
    """For two parsers of it: what stands in the files is shown, and nothing else comes of it."""
    tokens = [child for token in MARKDOWN.parse(text) for child in (token, *(token.children or ()))]
    assert {token.type for token in tokens} <= HARMLESS
    html = PageRead(cmarkgfm.github_flavored_markdown_to_html(text, Options.CMARK_OPT_UNSAFE))
    assert html.tags.keys() <= TAGS and html.attributes <= {"align"}
    assert not LIVE.search(html.text_outside("code"))
    # Each finding is a row that shows its message.
    brackets = "（{}）" if look.lang == "ja" else " ({})"
    wanted = []
    for message, more in [
        *((one.message, one.hint and one.hint.in_(look.lang)) for deck in run for one in deck.findings),
        *((one.finding.message, one.reason) for deck in run for one in deck.suppressed),
    ]:
        wanted.append(safe(message.in_(look.lang) + (brackets.format(more) if more else "")))
    assert sorted(row[3] for row in rows_of(written("markdown", run, look=look))) == sorted(wanted)


# All outputs beside each other


@pytest.mark.parametrize(
    ("severity", "verdict", "lenient", "words"),
    [
        ("error", "violated", False, "error critical error error"),
        ("error", "violated", True, "error critical error error"),
        ("error", "undecided", False, "error major error undecided"),
        ("error", "undecided", True, "warning minor warning warning"),
        ("warning", "violated", False, "warning minor warning warning"),
        ("warning", "undecided", False, "warning minor warning warning"),
        ("info", "violated", False, "notice info note info"),
    ],
)
def test_each_output_says_how_grave_a_finding_is(
    severity: str, verdict: str, lenient: bool, words: str
) -> None:
    decks = [report(finding(severity=severity, verdict=verdict, line=4, column=5, message="x"))]
    text = {name: written(name, decks, look=RenderOptions(lenient=lenient)) for name in OUTPUT_FORMATS}
    github, gitlab, level, label = words.split()
    assert text["github"].startswith(f"::{github} ")
    assert ("(undecided)" in text["github"]) == (label == "undecided")
    assert f'"severity": "{gitlab}"' in text["gitlab"]
    assert f'"level": "{level}"' in text["sarif"] and f'"verdict": "{verdict}"' in text["sarif"]
    assert text["concise"].startswith(f"decks/a.txt:4:5: {label}[copies] x\n")
    assert f"| 4 | {label} |" in text["markdown"]
    failed = ("<failure" in text["junit"], "<error" in text["junit"])
    assert failed == (label == "error", label == "undecided")


def test_the_gravest_come_first() -> None:
    decks = [
        report(finding("cheap", "warning"), path="a.txt"),
        report(finding("unknown-card", verdict="undecided"), path="b.txt"),
        report(finding(), path="c.txt"),
        report(finding(), path="d.txt"),
    ]
    for name, place in (("markdown", r"### `(.)\.txt`"), ("github", r"file=(.)\.txt")):
        assert re.findall(place, written(name, decks)) == ["c", "d", "b", "a"]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("github", ["::error file=decks/b.txt,line=4,col=3"]),
        ("gitlab", ['"severity": "blocker"', '"path": "decks/b.txt"', '"begin": 4']),
        ("json", ['"line": 4']),
        ("json-lines", ['"line": 4']),
        ("junit", ["<error"]),
        ("markdown", ["b.txt:4:3`"]),
        ("sarif", ['"executionSuccessful": false', '"startColumn": 3', '"startLine": 4']),
    ],
)
def test_what_could_not_be_checked_is_told_with_its_place(name: str, told: list[str]) -> None:
    message, hint = Localized("読めません", "can't be read"), Localized("直す", "mend it")
    text = written(name, [], problems=[Problem(message, "./decks/b.txt", 4, 3, hint=hint)])
    assert [part for part in ("can't be read", "mend it", *told) if part not in text] == []


def test_paths_begin_at_the_root_of_the_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lists").mkdir()
    monkeypatch.chdir(tmp_path / "lists")
    away = str(tmp_path / "d.txt")
    paths = ("./a.txt", "b/../c.txt", away, "/elsewhere/e.txt", "-")
    decks = [report(finding(), path=path) for path in paths]

    def told(name: str) -> list[str]:
        return re.findall(r'(?:file=|"path": ")([^",]+)', written(name, decks))

    assert told("github") == ["a.txt", "c.txt", away, "/elsewhere/e.txt"]
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    monkeypatch.setenv("CI_PROJECT_DIR", str(tmp_path))
    assert told("github") == ["lists/a.txt", "lists/c.txt", "d.txt", "/elsewhere/e.txt"]
    assert told("gitlab") == ["lists/a.txt", "lists/c.txt", "d.txt", "elsewhere/e.txt", "-"]


# Fingerprints know a finding again


def gitlab_prints(*decks: Report, lang: str = "en") -> list[str]:
    return [one["fingerprint"] for one in issues([*decks], look=RenderOptions(lang))]


def sarif_prints(*decks: Report, lang: str = "en") -> list[str]:
    results = sarif([*decks], look=RenderOptions(lang))["results"]
    return [one["partialFingerprints"]["deckcheckFinding/v1"] for one in results]


def five(
    line: int = 3, copies: int = 5, name: str = "天災 デドダム", rule: str = "copies", path: str = "a.txt"
) -> Report:
    """A deck with that many copies of a card on that line."""
    message = Localized(f"《{name}》が{copies}枚", f"{copies} copies of {name}")
    one = replace(finding(rule, line=line, cards=(CardAt(name, copies, line, 5),)), message=message)
    return report(one, lines=["#"] * (line - 1) + [f"{copies} x {name}"], path=path)


def unread(line: int, text: str) -> Report:
    one = finding("invalid-line", verdict="undecided", message="this line can't be read", line=line)
    return report(one, lines=["#"] * (line - 1) + [text])


@pytest.mark.parametrize("prints", [gitlab_prints, sarif_prints])
def test_a_fingerprint_stays_when_lines_move_and_counts_change_and_tells_findings_apart(prints: Any) -> None:
    assert prints(five()) == prints(five(line=9, copies=6)) == prints(five(), lang="ja")
    every = [five(), five(rule="hall"), five(name="青銅の鎧")]
    assert len(set(prints(*every))) == len(every)
    # A line that can't be read is known by what it says.
    assert prints(unread(2, "前置き")) == prints(unread(5, "  前置き ")) != prints(unread(2, "後書き"))
    # The same finding twice is numbered.
    once, twice = report(finding(line=1)), report(finding(line=1), finding(line=2))
    assert len(set(prints(twice))) == 2 and prints(once) == prints(twice)[:1]
    # Code scanning itself keeps decks apart; elsewhere one that is named twice is told twice.
    if prints is gitlab_prints:
        assert prints(once, once) == prints(twice) and prints(five()) != prints(five(path="b.txt"))


# GitHub


def test_what_ends_a_property_is_written_otherwise() -> None:
    deck = report(finding("copies", message="5 copies: 100%"), path="decks/a,b:c%.txt")
    [first, *_] = written("github", [deck]).splitlines()
    assert first == "::error file=decks/a%2Cb%3Ac%25.txt,title=copies::5 copies: 100%25"
    [command] = commands(first)
    assert command.properties["file"] == "decks/a,b:c%.txt"


def test_a_path_that_looks_like_a_command_is_none() -> None:
    path = "::error title=x::y ##[error]z\n::error::w.txt"
    deck, said = report(*[finding(message=path)] * 12, path=path), Localized(path, path)
    told = [*commands(written("github", [deck], problems=[Problem(said, path, hint=said)]))]
    assert [one.name for one in told] == ["error"] * 13
    assert {one.properties.get("old") for one in told} == {None}


# SARIF


def test_a_rule_is_listed_once_and_an_unknown_one_has_no_number() -> None:
    found = sarif([report(finding("copies"), finding("mystery"))], rules=[*INFOS, *INFOS])
    ids = [one["id"] for one in found["tool"]["driver"]["rules"]]
    assert len(ids) == len(set(ids)) == len(INFOS) + len(ENGINE_IDS)
    assert [("ruleIndex" in one) for one in found["results"]] == [True, False]
    assert found["results"][1]["ruleId"] == "house/cup/mystery"
    # A deck as a whole has a line for code scanning.
    assert found["results"][0]["locations"][0]["physicalLocation"]["region"] == {"startLine": 1}


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("decks/大会 #1.txt", "decks/%E5%A4%A7%E4%BC%9A%20%231.txt"),
        ("./a%b:c.txt", "a%25b%3Ac.txt"),
        ("/else where/x.txt", "file:///else%20where/x.txt"),
        ("decks/\udce3.txt", "decks/%E3.txt"),
    ],
)
def test_paths_are_uris(path: str, uri: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    [result] = sarif([report(finding(), path=path)])["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": uri}
    if not uri.startswith("file:"):
        assert unquote_to_bytes(uri) == path.removeprefix("./").encode("utf-8", "surrogateescape")


def test_all_lines_of_a_card_are_its_places() -> None:
    cards = (CardAt("A", 3, 2, 3), CardAt("A", 2, 4, 3))
    [result] = sarif([report(finding(line=2, column=3, cards=cards), lines=["#", "3 A", "#", "2 A"])])[
        "results"
    ]
    lines = [place["physicalLocation"]["region"]["startLine"] for place in result["locations"]]
    assert lines == [2, 4]


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("[x](http://evil.invalid)", r"\[x\](http://evil.invalid)"),
        ("[1] {0}", "[1] {{0}}"),
        ("a\\[b](1)", r"a\\\[b\](1)"),
    ],
)
def test_names_are_no_links_and_no_placeholders(message: str, text: str) -> None:
    [result] = sarif([report(finding(message=message))])["results"]
    assert result["message"]["text"] == text


# Markdown


@given(hostile)
@example(" ")
@example("a|b")
@example("\\|")
@example("`\\`|`")
@example(" `a` ")
@example("<b>&amp;")
@example("-")
@example("1.")
def test_a_text_reads_as_itself_in_a_cell_and_in_a_line(text: str) -> None:
    for written_as in (markdown(text), markdown_code(text)):
        assert rows_of(f"| a | b |\n| --- | --- |\n| x | {written_as} |\n") == [["x", safe(text)]]
        [paragraph] = [token for token in MARKDOWN.parse(f"- {written_as}\n") if token.type == "inline"]
        assert "".join(child.content for child in paragraph.children or ()) == safe(text)


def test_it_stays_within_what_github_takes_and_counts_the_rest() -> None:
    findings = [finding(message=f"card {at}", line=at) for at in range(1, 30)]
    decks = [report(*findings, path=f"decks/{number}.txt") for number in range(200)]
    text = written("markdown", decks, look=RenderOptions("ja"))
    assert MOST - 2000 < len(text) <= MOST
    shown, whole = len(rows_of(text)), text.count("### ")
    [last] = [line for line in text.splitlines() if f"{200 * 29 - shown:,}" in line]
    assert f"{200 - whole + (shown % 29 > 0):,}" in last


def test_nobody_makes_it_longer_than_it_may_be() -> None:
    long = "`|" * 2_000
    text = Localized(long, long)
    deck = report(*[finding(message=long, line=1, hint=text)] * 50, path=long)
    deck = replace(deck, format_name=text, edition=long)
    used = ListUsed("x", text, long, long, None, None, (text,) * 500, (UnappliedChange(long, text),) * 500)
    wrong = [Problem(text, f"{at}{long}", hint=text) for at in range(500)]
    found = written("markdown", [deck] * 2, problems=wrong, lists=[used])
    assert len(found) <= MOST
    assert "and 4" in found
