"""SARIF 2.1.0, for code scanning and for viewers.

What is open is a result of its severity and not of the kind "open": a result
of any other kind than "fail" must have the level "none", and code scanning
would show it as nothing to care for. The property "verdict" tells. What was
suppressed is a note with its suppression, for services that don't read
suppressions would fail on an error.

Columns are code points here as everywhere, so none is converted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from deckcheck.model.finding import ENGINE_IDS, Finding, Report, Suppressed
from deckcheck.model.format import RuleInfo, Severity
from deckcheck.report.engineguide import ENGINE_GUIDE
from deckcheck.report.escaping import json_line, sarif, uri
from deckcheck.report.findings import severity_of
from deckcheck.report.json import list_object, summary_object
from deckcheck.report.locations import Mark, from_root, identity, is_bundled, marks, numbered
from deckcheck.report.wording import authority_of, card_at, level_of, notes
from deckcheck.report.writer import Ending, Writer, problem_lines
from deckcheck.support.errors import Problem
from deckcheck.support.messages import Message, _
from deckcheck.support.safetext import safe
from deckcheck.support.version import VERSION

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS: Mapping[Severity, str] = {"error": "error", "warning": "warning", "info": "note"}
_REPOSITORY, _BUNDLED = "%SRCROOT%", "%DECKCHECK%"
_BASES: Mapping[str, Message] = {
    _REPOSITORY: _("the root of the repository"),
    _BUNDLED: _("the files that ship with deckcheck"),
}
# Code scanning takes no longer descriptions.
_MOST = 1000
_BETWEEN = "\t"
_Json = dict[str, Any]


class SarifWriter(Writer):
    """One run: a result a finding, a notification for each list that could not be checked."""

    gathers = True
    wants_rules = True

    def fragment(self, report: Report) -> str:
        findings: list[tuple[Finding, Suppressed | None]] = [(finding, None) for finding in report.findings]
        findings += [(one.finding, one) for one in report.suppressed]
        fingerprints = numbered(identity(finding, report) for finding, _suppressed in findings)
        lines = []
        for (finding, suppressed), fingerprint in zip(findings, fingerprints, strict=True):
            result = self._result(finding, report, fingerprint)
            result["suppressions"] = [] if suppressed is None else [_suppression(suppressed)]
            if suppressed is not None:
                result["level"] = "note"
            # Which number a rule has is known in the end only.
            rule = json_line(_rule_id(finding.rule, report.format))
            lines.append(f"{rule}{_BETWEEN}{json_line(result)}\n")
        return "".join(lines)

    def closing(self, ending: Ending) -> str:
        rules = self._rules(ending.rules)
        places = {json_line(rule["id"]): at for at, rule in enumerate(rules)}
        driver = {"name": "deckcheck", "version": VERSION, "language": self.lang, "rules": rules}
        invocation = {
            "executionSuccessful": not (ending.problems or ending.failed),
            "toolExecutionNotifications": [self._notification(problem) for problem in ending.problems],
        }
        bases = {name: {"description": {"text": base.in_(self.lang)}} for name, base in _BASES.items()}
        properties = {
            "lists": [list_object(used, self.lang) for used in ending.lists],
            "summary": summary_object(ending),
        }
        listed = ",".join("\n" + _numbered(line, places) for line in ending.lines)
        return (
            f'{{"$schema": {json_line(_SCHEMA)}, "version": "2.1.0", "runs": [{{\n'
            f'"tool": {json_line({"driver": driver})},\n'
            f'"columnKind": "unicodeCodePoints",\n'
            f'"originalUriBaseIds": {json_line(bases)},\n'
            f'"invocations": [{json_line(invocation)}],\n'
            f'"properties": {json_line(properties)},\n'
            f'"results": [{listed}\n]}}]}}\n'
        )

    def _result(self, finding: Finding, report: Report, fingerprint: str) -> _Json:
        lang, path, found = self.lang, report.deck.path, marks(finding, report)
        # Code scanning refuses what has no line.
        place = _marked(path, found[0]) if found else _at(path, 1)
        related = [_marked(path, mark) | _message(card_at(finding, mark.line, lang)) for mark in found[1:]]
        if finding.source is not None:
            authority = authority_of(finding.cite, report.title, lang) or _("the line of the rule").in_(lang)
            related.append(_at(*finding.source) | _message(authority))
        related += [_at(one.path, one.line) | _message(one.message.in_(lang)) for one in finding.related]
        return {
            "level": _LEVELS[level_of(finding, self.options.lenient)],
            **_message("\n".join([finding.message.in_(lang), *notes(finding, report, lang)])),
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

    def _rules(self, infos: Iterable[RuleInfo]) -> list[_Json]:
        rules: dict[str, _Json] = {}
        for info in infos:
            name, lines = info.format_name.in_(self.lang), info.summary.in_(self.lang).split("\n")
            where = f"{name}  {info.source.path}:{info.source.line}"
            help = [*lines, *([info.cite] if info.cite else []), where]
            rule = _rule(_rule_id(info.id, info.format), lines, lines, help, info.severity)
            rule["properties"] = {"format": safe(info.format), "formatName": safe(name)}
            rules.setdefault(rule["id"], rule)
        for id in sorted(ENGINE_IDS):
            meaning, why, mend = (text.in_(self.lang) for text in ENGINE_GUIDE[id])
            rules.setdefault(id, _rule(id, [meaning], [meaning, why], [meaning, why, mend], severity_of(id)))
        return list(rules.values())

    def _notification(self, problem: Problem) -> _Json:
        notification = {"level": "error", **_message("\n".join(problem_lines(problem, self.lang)))}
        if problem.path is None:
            return notification
        region: _Json | None = None
        if problem.line is not None:
            region = {"startLine": problem.line}
            region |= {"startColumn": problem.column} if problem.column is not None else {}
        return notification | {"locations": [_location(problem.path, region)]}


def _rule_id(rule: str, format: str) -> str:
    return rule if rule in ENGINE_IDS else safe(f"{format}/{rule}")


def _suppression(one: Suppressed) -> _Json:
    kind = "external" if one.by == "settings" else "inSource"
    # Without a status it is accepted; older schemas have another name for that.
    suppression = {"kind": kind, "location": _at(one.source.path, one.source.line)}
    return suppression | {"justification": safe(one.reason)} if one.reason else suppression


def _message(text: str) -> _Json:
    return {"message": {"text": sarif(text)}}


def _marked(path: str, mark: Mark) -> _Json:
    end = mark.column + mark.length
    return _location(path, {"startLine": mark.line, "startColumn": mark.column, "endColumn": end})


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


def _numbered(line: str, places: Mapping[str, int]) -> str:
    rule, result = line.split(_BETWEEN, 1)
    at = places.get(rule)
    return f'{{"ruleId": {rule}, ' + ("" if at is None else f'"ruleIndex": {at}, ') + result[1:]


def _rule(id: str, short: list[str], full: list[str], help: list[str], severity: Severity) -> _Json:
    return {
        "id": id,
        "shortDescription": _text(short[:1]),
        "fullDescription": _text(full),
        "help": _text(help),
        "defaultConfiguration": {"level": _LEVELS[severity]},
    }


def _text(lines: Iterable[str]) -> _Json:
    text = "\n".join(map(safe, lines))
    return {"text": text if len(text) <= _MOST else text[: _MOST - 1] + "…"}
