"""SARIF 2.1.0, for code scanning and for viewers.

An undecided finding has its severity and not the kind "open", which code scanning ignores; the property "verdict" tells
it apart. A suppressed finding is a note, since services that don't read suppressions would fail on an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any
from urllib.parse import quote

from deckcheck.model.finding import ENGINE_IDS, Finding, Report, Suppressed, singly
from deckcheck.model.format import RuleInfo, Severity
from deckcheck.report.findings import severity_of
from deckcheck.report.json import json_line
from deckcheck.report.results_and_fingerprints import (
    Mark,
    Places,
    RenderOptions,
    Results,
    Write,
    from_root,
    identity,
    numbered,
    problem_lines,
)
from deckcheck.report.wording import Label, engine_guide, label_of, message_lines
from deckcheck.support import VERSION
from deckcheck.support.errors import Problem
from deckcheck.support.safe_text import cut, safe

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS: Mapping[Label, str] = {
    Label.ERROR: "error",
    Label.UNDECIDED: "error",
    Label.WARNING: "warning",
    Label.INFO: "note",
}
# Bytes of a path that isn't text are low surrogates; other surrogates mean nothing.
_HALVES = "[\ud800-\udc7f\udd00-\udfff]"
# Code scanning doesn't accept longer descriptions.
_MOST = 1000
_Json = dict[str, Any]


def record(report: Report, options: RenderOptions) -> list[_Json]:
    """The results of a deck."""
    findings = [*singly(report.findings), *(ignored.finding for ignored in report.suppressed)]
    fingerprints = numbered(identity(finding, report) for finding in findings)
    places = Places(report.deck)
    results = [
        _result(finding, places, report, options, fingerprint)
        for finding, fingerprint in zip(findings, fingerprints, strict=True)
    ]
    told = len(results) - len(report.suppressed)
    for result, ignored in zip(results[told:], report.suppressed, strict=True):
        result["level"] = "note"
        result["suppressions"] = [_suppression(ignored)]
    return results


def write(records: Iterable[list[_Json]], results: Results, options: RenderOptions, out: Write) -> None:
    """Write one run: a result for each finding, and a notification for each list that could not be checked."""
    lang, listed = options.lang, list(chain.from_iterable(records))
    rules = _rules(results.rules, lang)
    places = {rule["id"]: place for place, rule in enumerate(rules)}
    for result in listed:
        if result["ruleId"] in places:
            result["ruleIndex"] = places[result["ruleId"]]
    notifications = [_notification(problem, lang) for problem in results.problems]
    succeeded = not (results.problems or results.failed)
    run = {
        "tool": {"driver": {"name": "deckcheck", "version": VERSION, "language": lang, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": succeeded, "toolExecutionNotifications": notifications}],
        "results": listed,
    }
    out(json_line({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}) + "\n")


def _result(
    finding: Finding, places: Places, report: Report, options: RenderOptions, fingerprint: str
) -> _Json:
    # Code scanning refuses results without a line.
    marks = places.of(finding) or [Mark(1)]
    return {
        "ruleId": _rule_id(finding.rule, report.format),
        "level": _LEVELS[label_of(finding, options.lenient)],
        "message": _message(message_lines(finding, report, options.lang)),
        "locations": [_location(report.deck.path, mark) for mark in marks],
        "partialFingerprints": {"deckcheckFinding/v1": fingerprint},
        "suppressions": [],
        "properties": {"verdict": finding.verdict},
    }


def _rules(infos: Iterable[RuleInfo], lang: str) -> list[_Json]:
    """The rules of the formats, and deckcheck's own findings."""
    rules: dict[str, _Json] = {}
    for info in infos:
        cite = [info.cite.in_(lang)] if info.cite else []
        origin = f"{info.format_name.in_(lang)}  {info.source.place}"
        id = _rule_id(info.id, info.format)
        lines = info.summary.in_(lang).split("\n")
        rules.setdefault(id, _rule(id, info.severity, lines, [*cite, origin]))
    for id in sorted(ENGINE_IDS):
        guide = engine_guide()[id]
        lines = [guide.meaning.in_(lang), guide.reason.in_(lang)]
        rules.setdefault(id, _rule(id, severity_of(id), lines, [guide.remedy.in_(lang)]))
    return list(rules.values())


def _rule(id: str, severity: Severity, lines: Sequence[str], more: Sequence[str]) -> _Json:
    """A rule with its meaning in some lines, and what else helps."""
    return {
        "id": id,
        "shortDescription": _description(lines[:1]),
        "fullDescription": _description(lines),
        "help": _description([*lines, *more]),
        "defaultConfiguration": {"level": _LEVELS[Label(severity)]},
    }


def _description(lines: Iterable[str]) -> _Json:
    return {"text": cut("\n".join(map(safe, lines)), _MOST)}


def _rule_id(rule: str, format: str) -> str:
    return rule if rule in ENGINE_IDS else safe(f"{format}/{rule}")


def _notification(problem: Problem, lang: str) -> _Json:
    notification: _Json = {"level": "error", "message": _message(problem_lines(problem, lang))}
    if problem.path is not None:
        mark = None if problem.line is None else Mark(problem.line, problem.column or 0)
        notification["locations"] = [_location(problem.path, mark)]
    return notification


def _suppression(ignored: Suppressed) -> _Json:
    kind = "external" if ignored.by == "settings" else "inSource"
    # A suppression without a status is accepted; older schemas name that status differently.
    suppression = {"kind": kind, "location": _location(ignored.source.path, Mark(ignored.source.line))}
    return suppression | {"justification": safe(ignored.reason)} if ignored.reason else suppression


def _message(lines: Iterable[str]) -> _Json:
    """A message; in SARIF braces stand for arguments and brackets for links unless they are escaped."""
    escaped = re.sub(r"([{}])", r"\1\1", "\n".join(map(safe, lines)))
    return {"text": re.sub(r"([\\\[\]])", r"\\\1", escaped) if "](" in escaped else escaped}


def _location(path: str, mark: Mark | None) -> _Json:
    physical: _Json = {"artifactLocation": {"uri": _uri_of(from_root(path))}}
    if mark is not None:
        region = physical["region"] = {"startLine": mark.line}
        if mark.column:
            region["startColumn"] = mark.column
            if mark.length:
                region["endColumn"] = mark.column + mark.length
    return {"physicalLocation": physical}


def _uri_of(path: str) -> str:
    """The URI of a path with forward slashes, percent-encoded; from the root of the repository unless it is absolute."""
    data = re.sub(_HALVES, "\ufffd", path).encode("utf-8", "surrogateescape")
    if path.startswith("/"):
        return "file://" + quote(data)
    if re.match("[A-Za-z]:/", path):
        return "file:///" + quote(data, safe="/:")
    return quote(data)
