"""SARIF 2.1.0, for code scanning and for viewers.

What is open is a result of its severity and not of the kind "open": a result
of any other kind than "fail" must have the level "none", and code scanning
would show it as nothing to care for. The property "verdict" tells. What was
left out on somebody's word is a note with its suppression, for services that
don't read suppressions would fail on an error.

Columns are code points here as everywhere, so none is converted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from deckcheck.model.finding import ENGINE_IDS, INFOS, WARNINGS, Finding, Report, Suppressed
from deckcheck.model.rule import Severity
from deckcheck.report.engineguide import ENGINE_GUIDE
from deckcheck.report.identity import identity, numbered
from deckcheck.report.labels import level_of
from deckcheck.report.marks import Mark, marks
from deckcheck.report.notes import card_at, notes, said_by
from deckcheck.report.objects import json_line, list_object, summary_object
from deckcheck.report.paths import from_root, is_bundled, uri
from deckcheck.report.writer import Ending, Look, RuleInfo, Writer
from deckcheck.support.errors import Problem
from deckcheck.support.messages import _
from deckcheck.support.safetext import safe
from deckcheck.support.version import VERSION

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS: Mapping[Severity, str] = {"error": "error", "warning": "warning", "info": "note"}
_REPOSITORY, _BUNDLED = "%SRCROOT%", "%DECKCHECK%"
_BASES = {
    _REPOSITORY: _("the root of the repository"),
    _BUNDLED: _("the files that ship with deckcheck"),
}
# Code scanning takes no longer descriptions.
_MOST = 1000
_BETWEEN = "\t"
_Json = dict[str, Any]


def make_writer(look: Look) -> Writer:
    """One run: a result a finding, a notification for each list that could not be checked."""

    def fragment(report: Report) -> str:
        # Which number a rule has is known in the end only.
        return "".join(
            f"{json_line(rule)}{_BETWEEN}{json_line(result)}\n" for rule, result in _results(report, look)
        )

    return Writer(fragment, lambda ending: _closing(ending, look.lang), gathers=True, wants_rules=True)


def _results(report: Report, look: Look) -> Iterator[tuple[str, _Json]]:
    told: list[tuple[Finding, Suppressed | None]] = [(one, None) for one in report.findings]
    told += [(one.finding, one) for one in report.suppressed]
    known = numbered(identity(one, report) for one, _ in told)
    for (finding, suppressed), fingerprint in zip(told, known, strict=True):
        result = _result(finding, report, look, fingerprint)
        result["suppressions"] = [] if suppressed is None else [_suppression(suppressed)]
        if suppressed is not None:
            result["level"] = "note"
        yield _rule_id(finding.rule, report.format), result


def _rule_id(rule: str, format: str) -> str:
    return rule if rule in ENGINE_IDS else safe(f"{format}/{rule}")


def _result(finding: Finding, report: Report, look: Look, fingerprint: str) -> _Json:
    lang, path = look.lang, report.deck.path
    found = marks(finding, report)
    # Code scanning refuses what has no line.
    place = _marked(path, found[0]) if found else _at(path, 1)
    related = [_marked(path, mark) | _said(card_at(finding, mark.line, lang)) for mark in found[1:]]
    if finding.source is not None:
        says = said_by(finding, report, lang) or _("the line of the rule").in_(lang)
        related.append(_at(finding.source.path, finding.source.line) | _said(says))
    related += [_at(one.path, one.line) | _said(one.message.in_(lang)) for one in finding.related]
    return {
        "level": _LEVELS[level_of(finding, look.lenient)],
        **_said("\n".join([finding.message.in_(lang), *notes(finding, report, lang)])),
        "locations": [place],
        "relatedLocations": [{"id": at, **one} for at, one in enumerate(related, start=1)],
        "partialFingerprints": {"deckcheckFinding/v1": fingerprint},
        "properties": {
            "verdict": finding.verdict,
            "severity": finding.severity,
            "format": safe(report.format),
            "asOf": report.as_of,
        },
    }


def _suppression(one: Suppressed) -> _Json:
    kind = "external" if one.by == "settings" else "inSource"
    # Without a status it is accepted; older schemas have another name for that.
    suppression = {"kind": kind, "location": _at(one.source.path, one.source.line)}
    return suppression | {"justification": safe(one.reason)} if one.reason else suppression


def _said(text: str) -> _Json:
    """A message: braces stand for arguments and brackets for links in it, unless they are written so."""
    shown = "\n".join(map(safe, text.split("\n")))
    shown = re.sub(r"([{}])", r"\1\1", shown)
    if "](" in shown:
        shown = re.sub(r"([\\\[\]])", r"\\\1", shown)
    return {"message": {"text": shown}}


def _marked(path: str, mark: Mark) -> _Json:
    return _location(
        path,
        {"startLine": mark.line, "startColumn": mark.column, "endColumn": mark.column + mark.length},
    )


def _at(path: str, line: int) -> _Json:
    return _location(path, {"startLine": line})


def _location(path: str, region: _Json | None) -> _Json:
    physical: _Json = {"artifactLocation": _artifact(path)}
    return {"physicalLocation": physical if region is None else physical | {"region": region}}


def _artifact(path: str) -> _Json:
    if is_bundled(path):
        return {"uri": uri(path), "uriBaseId": _BUNDLED}
    shown = uri(from_root(path))
    return {"uri": shown} if shown.startswith("file:") else {"uri": shown, "uriBaseId": _REPOSITORY}


def _closing(ending: Ending, lang: str) -> str:
    rules = _rules(ending.rules, lang)
    places = {json_line(one["id"]): at for at, one in enumerate(rules)}
    driver = {"name": "deckcheck", "version": VERSION, "language": lang, "rules": rules}
    invocation = {
        "executionSuccessful": not (ending.problems or ending.failed),
        "toolExecutionNotifications": [_notification(one, lang) for one in ending.problems],
    }
    properties = {
        "lists": [list_object(one, lang) for one in ending.lists],
        "summary": summary_object(ending),
    }
    bases = {name: {"description": {"text": said.in_(lang)}} for name, said in _BASES.items()}
    listed = ",".join("\n" + _numbered(line, places) for text in ending.texts for line in text.splitlines())
    return (
        f'{{"$schema": {json_line(_SCHEMA)}, "version": "2.1.0", "runs": [{{\n'
        f'"tool": {json_line({"driver": driver})},\n'
        f'"columnKind": "unicodeCodePoints",\n'
        f'"originalUriBaseIds": {json_line(bases)},\n'
        f'"invocations": [{json_line(invocation)}],\n'
        f'"properties": {json_line(properties)},\n'
        f'"results": [{listed}\n]}}]}}\n'
    )


def _numbered(line: str, places: Mapping[str, int]) -> str:
    rule, result = line.split(_BETWEEN, 1)
    at = places.get(rule)
    return f'{{"ruleId": {rule}, ' + ("" if at is None else f'"ruleIndex": {at}, ') + result[1:]


def _rules(infos: Iterable[RuleInfo], lang: str) -> list[_Json]:
    rules: dict[str, _Json] = {}
    for one in infos:
        lines = one.summary.in_(lang).split("\n")
        where = f"{one.format_name.in_(lang)}  {one.source.path}:{one.source.line}"
        told = [*lines, *([one.cite] if one.cite else []), where]
        rule = _rule(_rule_id(one.id, one.format), lines, lines, told, one.severity)
        rule["properties"] = {"format": safe(one.format), "formatName": safe(one.format_name.in_(lang))}
        rules.setdefault(rule["id"], rule)
    for name in sorted(ENGINE_IDS):
        meaning, why, mend = (one.in_(lang) for one in ENGINE_GUIDE[name])
        severity: Severity = "warning" if name in WARNINGS else "info" if name in INFOS else "error"
        rules.setdefault(name, _rule(name, [meaning], [meaning, why], [meaning, why, mend], severity))
    return list(rules.values())


def _rule(name: str, short: list[str], full: list[str], told: list[str], severity: Severity) -> _Json:
    return {
        "id": name,
        "shortDescription": _text(short[:1]),
        "fullDescription": _text(full),
        "help": _text(told),
        "defaultConfiguration": {"level": _LEVELS[severity]},
    }


def _text(lines: Iterable[str]) -> _Json:
    said = "\n".join(map(safe, lines))
    return {"text": said if len(said) <= _MOST else said[: _MOST - 1] + "…"}


def _notification(problem: Problem, lang: str) -> _Json:
    texts = [problem.message] if problem.hint is None else [problem.message, problem.hint]
    notification = {"level": "error", **_said("\n".join(one.in_(lang) for one in texts))}
    if problem.path is None:
        return notification
    region: _Json | None = None
    if problem.line is not None:
        region = {"startLine": problem.line}
        region |= {"startColumn": problem.column} if problem.column is not None else {}
    return notification | {"locations": [_location(problem.path, region)]}
