"""SARIF 2.1.0, for code scanning and for viewers.

An undecided finding has its severity and not the kind "open", which code scanning ignores; the property "verdict" tells
it apart. A suppressed finding is a note, since services that don't read suppressions would fail on an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any
from urllib.parse import quote

from deckcheck.formats.lookup import is_bundled
from deckcheck.model.finding import ENGINE_IDS, Finding, Report, Suppressed, singly
from deckcheck.model.format import RuleInfo, Severity
from deckcheck.report.findings import severity_of
from deckcheck.report.json import json_line, summary_object
from deckcheck.report.locations import Mark, Places, from_root, identity, numbered
from deckcheck.report.text import outdated_lines
from deckcheck.report.wording import Label, authority_of, engine_guide, label_of, message_lines
from deckcheck.report.writer import RenderOptions, Results, Write, problem_lines
from deckcheck.support import VERSION
from deckcheck.support.errors import Problem
from deckcheck.support.messages import Message, _, plain
from deckcheck.support.safe_text import cut, safe

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS: Mapping[Label, str] = {
    Label.ERROR: "error",
    Label.UNDECIDED: "error",
    Label.WARNING: "warning",
    Label.INFO: "note",
}
_REPOSITORY, _BUNDLED = "%SRCROOT%", "%DECKCHECK%"
_BASES: Mapping[str, Message] = {
    _REPOSITORY: _("the root of the repository"),
    _BUNDLED: _("the files that ship with deckcheck"),
}
# Bytes of a path that isn't text are low surrogates; other surrogates mean nothing.
_HALVES = "[\ud800-\udc7f\udd00-\udfff]"
# Code scanning doesn't accept longer descriptions.
_MOST = 1000
_Json = dict[str, Any]


def record(report: Report, options: RenderOptions) -> list[_Json]:
    """The results of a deck."""
    findings: list[tuple[Finding, Suppressed | None]] = [
        (finding, None) for finding in singly(report.findings)
    ]
    findings += [(ignored.finding, ignored) for ignored in report.suppressed]
    fingerprints = numbered(identity(finding, report) for finding, _suppressed in findings)
    places, results = Places(report.deck), []
    for (finding, suppressed), fingerprint in zip(findings, fingerprints, strict=True):
        result = _result(finding, places.of(finding), report, options, fingerprint)
        result["suppressions"] = [] if suppressed is None else [_suppression(suppressed)]
        if suppressed is not None:
            result["level"] = "note"
        results.append(result)
    return results


def write(records: Iterable[list[_Json]], results: Results, options: RenderOptions, out: Write) -> None:
    """Write one run: a result for each finding, notifications of lists not checked and of old banlists."""
    lang, listed = options.lang, list(chain.from_iterable(records))
    rules = _rules(results.rules, lang)
    places = {rule["id"]: place for place, rule in enumerate(rules)}
    for result in listed:
        if result["ruleId"] in places:
            result["ruleIndex"] = places[result["ruleId"]]
    notifications = [_notification(problem, lang) for problem in results.problems]
    notifications += [{"level": "note", **_message(line)} for line in outdated_lines(results.lists, lang)]
    succeeded = not (results.problems or results.failed)
    run = {
        "tool": {"driver": {"name": "deckcheck", "version": VERSION, "language": lang, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {
            name: {"description": {"text": base.in_(lang)}} for name, base in _BASES.items()
        },
        "invocations": [{"executionSuccessful": succeeded, "toolExecutionNotifications": notifications}],
        "properties": {
            "lists": plain([*results.lists], lang),
            "summary": summary_object(results),
        },
        "results": listed,
    }
    out(json_line({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}) + "\n")


def _result(
    finding: Finding, marks: list[Mark], report: Report, options: RenderOptions, fingerprint: str
) -> _Json:
    lang, path = options.lang, report.deck.path
    # Code scanning refuses results without a line.
    first = next(iter(marks), Mark(1))
    related = [
        _location(where, mark) | _message(text or _("the line of the rule").in_(lang))
        for text, where, mark in _related_places(finding, marks[1:], report, lang)
    ]
    return {
        "ruleId": _rule_id(finding.rule, report.format),
        "level": _LEVELS[label_of(finding, options.lenient)],
        **_message("\n".join(message_lines(finding, report, lang))),
        "locations": [_location(path, first)],
        "relatedLocations": [{"id": number, **place} for number, place in enumerate(related, start=1)],
        "partialFingerprints": {"deckcheckFinding/v1": fingerprint},
        "properties": {
            "verdict": finding.verdict,
            "severity": finding.severity,
            "format": safe(report.format),
            "asOf": report.as_of,
        },
    }


def _related_places(
    finding: Finding, others: list[Mark], report: Report, lang: str
) -> Iterator[tuple[str, str, Mark]]:
    """The other places of a finding, each with a message ("" for none) and its path: further cards, then sources."""
    for mark in others:
        card = next(card for card in finding.cards if card.line == mark.line)
        copies = _("{card}: {copies}", card=card.name, copies=card.copies)
        yield copies.in_(lang), report.deck.path, mark
    if finding.source is not None:
        authority = authority_of(finding.cite, report.title)
        yield authority.in_(lang) if authority else "", finding.source.path, Mark(finding.source.line)
    for related in finding.related:
        yield related.message.in_(lang), related.path, Mark(related.line)


def _rules(infos: Iterable[RuleInfo], lang: str) -> list[_Json]:
    rules: dict[str, _Json] = {}
    for info in infos:
        name, lines = info.format_name.in_(lang), info.summary.in_(lang).split("\n")
        cite = [info.cite.in_(lang)] if info.cite else []
        help = [*lines, *cite, f"{name}  {info.source.place}"]
        rule = _rule(_rule_id(info.id, info.format), lines, lines, help, info.severity)
        rule["properties"] = {"format": safe(info.format), "formatName": safe(name)}
        rules.setdefault(rule["id"], rule)
    for id in sorted(ENGINE_IDS):
        guide = engine_guide()[id]
        meaning, reason, remedy = (text.in_(lang) for text in (guide.meaning, guide.reason, guide.remedy))
        rules.setdefault(
            id, _rule(id, [meaning], [meaning, reason], [meaning, reason, remedy], severity_of(id))
        )
    return list(rules.values())


def _notification(problem: Problem, lang: str) -> _Json:
    notification = {"level": "error", **_message("\n".join(problem_lines(problem, lang)))}
    if problem.path is None:
        return notification
    mark = None if problem.line is None else Mark(problem.line, problem.column or 0)
    return notification | {"locations": [_location(problem.path, mark)]}


def _rule_id(rule: str, format: str) -> str:
    return rule if rule in ENGINE_IDS else safe(f"{format}/{rule}")


def _suppression(ignored: Suppressed) -> _Json:
    kind = "external" if ignored.by == "settings" else "inSource"
    # A suppression without a status is accepted; older schemas name that status differently.
    suppression = {"kind": kind, "location": _location(ignored.source.path, Mark(ignored.source.line))}
    return suppression | {"justification": safe(ignored.reason)} if ignored.reason else suppression


def _message(text: str) -> _Json:
    """A message; in SARIF braces stand for arguments and brackets for links unless they are escaped."""
    escaped = re.sub(r"([{}])", r"\1\1", "\n".join(map(safe, text.split("\n"))))
    return {"message": {"text": re.sub(r"([\\\[\]])", r"\\\1", escaped) if "](" in escaped else escaped}}


def _location(path: str, mark: Mark | None) -> _Json:
    physical: _Json = {"artifactLocation": _artifact(path)}
    if mark is not None:
        region = physical["region"] = {"startLine": mark.line}
        if mark.column:
            region["startColumn"] = mark.column
            if mark.length:
                region["endColumn"] = mark.column + mark.length
    return {"physicalLocation": physical}


def _artifact(path: str) -> _Json:
    if is_bundled(path):
        return {"uri": _uri_of(path), "uriBaseId": _BUNDLED}
    uri = _uri_of(from_root(path))
    return {"uri": uri} if uri.startswith("file:") else {"uri": uri, "uriBaseId": _REPOSITORY}


def _uri_of(path: str) -> str:
    """The URI of a path with forward slashes: percent-encoded, relative unless the path is absolute."""
    data = re.sub(_HALVES, "\ufffd", path).encode("utf-8", "surrogateescape")
    if path.startswith("/"):
        return "file://" + quote(data)
    if re.match("[A-Za-z]:/", path):
        return "file:///" + quote(data, safe="/:")
    return quote(data)


def _rule(id: str, short: list[str], full: list[str], help: list[str], severity: Severity) -> _Json:
    return {
        "id": id,
        "shortDescription": _text(short[:1]),
        "fullDescription": _text(full),
        "help": _text(help),
        "defaultConfiguration": {"level": _LEVELS[Label(severity)]},
    }


def _text(lines: Iterable[str]) -> _Json:
    text = "\n".join(map(safe, lines))
    return {"text": cut(text, _MOST)}
