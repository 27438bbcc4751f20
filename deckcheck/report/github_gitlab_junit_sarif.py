"""The outputs for services: workflow commands of GitHub, Code Quality issues of GitLab, JUnit XML, and SARIF 2.1.0.

- GitHub annotates the lines of a list. It shows ten annotations of a kind in each step, so the gravest come first; the
  rest stand in the log.
- GitLab gets an issue for each finding that isn't suppressed, and for each list that wasn't checked.
- JUnit XML has a suite per deck, a case per finding, and a passing case for a legal deck. A sure finding is a failure, an
  undecided one an error. Warnings and infos pass and are in the suite's output; suppressed findings are skipped. The
  schemas of Ant and Jenkins both want a time of day and a host.
- In SARIF an undecided finding has its severity and not the kind "open", which code scanning ignores; the property
  "verdict" tells it apart. A suppressed finding is a note, since services that don't read suppressions would fail on an
  error.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.model.finding import ENGINE_IDS, Finding, Report, Suppressed, Verdict, singly
from deckcheck.model.format import RuleInfo, Severity
from deckcheck.report.findings import severity_of
from deckcheck.report.json import json_line
from deckcheck.report.results import Mark, Places, RenderOptions, Results, Write, line_of
from deckcheck.report.text import closing, render_tally
from deckcheck.report.wording import (
    GRAVEST_FIRST,
    LABELS,
    VERDICTS,
    Label,
    engine_guide,
    label_of,
    message_lines,
    notes,
)
from deckcheck.support import VERSION
from deckcheck.support.dates import now
from deckcheck.support.errors import Problem, place_of
from deckcheck.support.json import digest
from deckcheck.support.messages import Message, Words, _
from deckcheck.support.safe_text import cut, safe
from deckcheck.support.terminal import no_command

_Json = dict[str, Any]
_Outcome = Literal["failure", "error", "skipped"]


class _Grade(Struct, frozen=True):
    """What the services call a label."""

    github: str
    gitlab: str
    sarif: str
    junit: _Outcome | None = None


_GRADES: Mapping[Label, _Grade] = {
    Label.ERROR: _Grade("error", "critical", "error", "failure"),
    Label.UNDECIDED: _Grade("error", "major", "error", "error"),
    Label.WARNING: _Grade("warning", "minor", "warning"),
    Label.INFO: _Grade("notice", "info", "note"),
}

_ROOTS = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")
"""The environment variables in which services give the root of the repository."""


def from_root(path: str) -> str:
    """`path` from the root of the repository, if CI names it, else from the working folder, with forward slashes.

    A path outside of both stays as it is.
    """
    if path == "-":
        return path
    roots = [os.environ[name] for name in _ROOTS if os.environ.get(name)]
    # Links aren't resolved.
    whole, *above = (Path(os.path.abspath(folder)) for folder in (path, *roots, os.curdir))  # noqa: PTH100
    for root in above:
        if whole.is_relative_to(root):
            return whole.relative_to(root).as_posix()
    return os.path.normpath(path).replace(os.sep, "/")


def _lines_of(problem: Problem, lang: str) -> list[str]:
    """The message of a problem and, if there is one, the hint."""
    return [text.in_(lang) for text in (problem.message, problem.hint) if text is not None]


# The same finding in the next run


def identity(finding: Finding, report: Report) -> str:
    """A hash of the rule and its subject, without places and counts, the same in every language."""
    names = sorted({card.name for card in finding.cards})
    about = names or line_of(report, finding.line or 0).strip()
    wording = re.sub(r"\d+", "#", _singular(finding.message).in_("en"))
    return hash_of(report.format, finding.rule, finding.zone, about, wording)


def _singular(words: Words) -> Words:
    """The words without plurals: one copy and several have different templates."""
    if not isinstance(words, Message):
        return words
    fields = tuple(
        (name, _singular(value) if isinstance(value, Message) else value) for name, value in words.fields
    )
    return replace(words, fields=fields, plural=None)


def numbered(identities: Iterable[str]) -> list[str]:
    """The hashes in the same order, with a new one for each repetition."""
    counts: Counter[str] = Counter()
    unique = []
    for known in identities:
        counts[known] += 1
        unique.append(known if counts[known] == 1 else hash_of(known, counts[known]))
    return unique


def hash_of(*parts: str | int | list[str] | None) -> str:
    """A hash of what identifies a finding. Bytes of a path that aren't text are escaped."""
    return digest("finding", [_as_text(part) for part in parts])


def _as_text(part: object) -> object:
    if isinstance(part, list):
        return [_as_text(inner) for inner in part]
    return part.encode("utf-8", "backslashreplace").decode() if isinstance(part, str) else part


# GitHub

_Annotation = tuple[Label, str]
"""An annotation as a command, with its label."""


def record_github(report: Report, options: RenderOptions) -> list[_Annotation]:
    """The annotations of a deck."""
    places, lang, annotations = Places(report.deck), options.lang, list[_Annotation]()
    for finding in singly(report.findings):
        label, title = label_of(finding, options.lenient), safe(finding.rule)
        if label == Label.UNDECIDED:
            title += f" ({LABELS[label].in_(lang)})"
        place: dict[str, int | None] = {}
        for mark in places.of(finding)[:1]:
            place = {"line": mark.line, "col": mark.column, "endColumn": mark.column + mark.length}
        lines = message_lines(finding, report, lang)
        annotations.append(_annotation(label, report.deck.path, place, title, lines))
    return annotations


def write_github(
    records: Iterable[list[_Annotation]], results: Results, options: RenderOptions, out: Write
) -> None:
    """Write the annotations of all decks, then the lists that were used and the tally."""
    of_decks = list(chain.from_iterable(records))
    annotations = []
    for problem in results.problems:
        place, lines = {"line": problem.line, "col": problem.column}, _lines_of(problem, options.lang)
        annotations.append(_annotation(Label.ERROR, problem.path, place, "deckcheck", lines))
    annotations += of_decks
    annotations.sort(key=lambda annotation: GRAVEST_FIRST.index(annotation[0]))
    out("".join(f"{command}\n" for _label, command in annotations))
    last = closing(results, options) + render_tally(results, options.lang)
    out(no_command(last, {"GITHUB_ACTIONS": "true"}))


def _annotation(
    label: Label, path: str | None, place: Mapping[str, int | None], title: str, lines: Iterable[str]
) -> _Annotation:
    file = None if path in (None, "-") else safe(from_root(str(path)))
    properties = {"file": file, **place, "title": title}
    escaped = {key: _data(str(value)) for key, value in properties.items() if value}
    listed = ",".join(
        f"{key}={value.replace(':', '%3A').replace(',', '%2C')}" for key, value in escaped.items()
    )
    return (label, f"::{_GRADES[label].github} {listed}::{_data(chr(10).join(map(safe, lines)))}")


def _data(text: str) -> str:
    """`text` for the part of a command after the colons."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


# GitLab


def record_gitlab(report: Report, options: RenderOptions) -> list[_Json]:
    """The issues of a deck."""
    path, issues = _gitlab_path(report.deck.path), []
    for finding in singly(report.findings):
        fingerprint = hash_of(path, identity(finding, report))
        severity = _GRADES[label_of(finding, options.lenient)].gitlab
        message = finding.message.in_(options.lang)
        issues.append(_issue(fingerprint, path, finding.line, finding.rule, severity, message))
    return issues


def write_gitlab(
    records: Iterable[list[_Json]], results: Results, options: RenderOptions, out: Write
) -> None:
    """Write the issues of all decks; only now it is known which fingerprints are repeated."""
    issues = list(chain.from_iterable(records))
    for problem in results.problems:
        path, message = _gitlab_path(problem.path or "-"), " ".join(_lines_of(problem, options.lang))
        fingerprint = hash_of(path, "not-checked", problem.message.in_("en"))
        issues.append(_issue(fingerprint, path, problem.line, "not-checked", "blocker", message))
    fingerprints = numbered(issue["fingerprint"] for issue in issues)
    for issue, fingerprint in zip(issues, fingerprints, strict=True):
        issue["fingerprint"] = fingerprint
    out(json_line(issues) + "\n")


def _issue(fingerprint: str, path: str, line: int | None, rule: str, severity: str, message: str) -> _Json:
    return {
        "fingerprint": fingerprint,
        "description": safe(message),
        "check_name": safe(rule),
        "severity": severity,
        "location": {"path": path, "lines": {"begin": line or 1}},
    }


def _gitlab_path(path: str) -> str:
    """The path as GitLab requires it: relative, even if the file is elsewhere."""
    return safe(from_root(path)).lstrip("/") or "-"


# JUnit


class _Case(Struct, frozen=True):
    """A case: the lines that it says, and unless it passes, the kind of its outcome."""

    name: str
    lines: Sequence[str] = ()
    outcome: _Outcome | None = None
    kind: str = ""


def record_junit(report: Report, options: RenderOptions) -> Element:
    """The suite of a deck."""
    cases = []
    if report.verdict == Verdict.LEGAL:
        cases.append(_Case(VERDICTS[Verdict.LEGAL].in_(options.lang)))
    for finding in report.findings:
        label = label_of(finding, options.lenient)
        lines = [_line(finding, report, options), *notes(finding, report, options.lang)]
        lines += [_line(part, report, options, hint=True) for part in finding.parts]
        cases.append(_Case(_name(finding), lines, _GRADES[label].junit, label))
    for ignored in report.suppressed:
        place = ignored.source.place
        reason = safe(f"{place}: {ignored.reason}" if ignored.reason else place)
        lines = [_line(ignored.finding, report, options), reason]
        cases.append(_Case(_name(ignored.finding), lines, "skipped", ignored.by))
    return _suite(from_root(report.deck.path), report.format, cases)


def write_junit(records: Iterable[Element], results: Results, options: RenderOptions, out: Write) -> None:
    """Write a suite for each deck, and one for all lists that could not be checked."""
    root = Element("testsuites")
    root.extend(records)
    if results.problems:
        cases = []
        for problem in results.problems:
            name = from_root(problem.path) if problem.path else "deckcheck"
            cases.append(_Case(name, [safe(problem.in_(options.lang))], "error", "not-checked"))
        root.append(_suite(_("could not be checked").in_(options.lang), "deckcheck", cases))
    time = now().strftime("%Y-%m-%dT%H:%M:%S")
    for number, element in enumerate(root):
        element.attrib |= {"id": str(number), "timestamp": time}
    indent(root, "")
    out(f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n')


def _suite(name: str, package: str, cases: Sequence[_Case]) -> Element:
    """A suite with its cases; what those that pass say is its output."""
    outcomes = Counter(case.outcome for case in cases)
    counts = {"failures": outcomes["failure"], "errors": outcomes["error"], "skipped": outcomes["skipped"]}
    suite = Element("testsuite", name=_xml(name), package=_xml(package), hostname="localhost")
    suite.attrib |= {key: str(count) for key, count in {"tests": len(cases), **counts, "time": 0}.items()}
    SubElement(suite, "properties")
    names: Counter[str] = Counter()
    for case in cases:
        names[case.name] += 1
        # A reader may drop the second of two cases with the same name.
        title = case.name if names[case.name] == 1 else f"{case.name} ({names[case.name]})"
        element = SubElement(suite, "testcase", name=_xml(title), classname=_xml(name), time="0")
        if case.outcome is not None:
            result = SubElement(element, case.outcome, type=_xml(case.kind), message=_xml(case.lines[0]))
            result.text = "\n".join(map(_xml, case.lines))
    said = [line for case in cases if case.outcome is None for line in case.lines]
    SubElement(suite, "system-out").text = "\n".join(map(_xml, said))
    SubElement(suite, "system-err")
    return suite


def _line(finding: Finding, report: Report, options: RenderOptions, *, hint: bool = False) -> str:
    place = place_of(report.deck.path, finding.line, finding.column)
    label = LABELS[label_of(finding, options.lenient)].in_(options.lang)
    message = finding.message.in_(options.lang)
    if hint and finding.hint is not None:
        message = _("{text} ({more})", text=message, more=finding.hint).in_(options.lang)
    return safe(f"{place}: {label}[{finding.rule}] {message}")


def _name(finding: Finding) -> str:
    """The rule, and the card if it is about one, which stays the same when lines move."""
    names = {card.name for card in finding.cards}
    return f"{finding.rule}: {names.pop()}" if len(names) == 1 else finding.rule


def _xml(text: str) -> str:
    """`text` without characters that XML can't represent."""
    # XML refuses these two; all others are hidden characters.
    return re.sub("[\ufffe\uffff]", lambda match: f"\\u{ord(match[0]):04x}", safe(text))


# SARIF

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
# Bytes of a path that isn't text are low surrogates; other surrogates mean nothing.
_HALVES = "[\ud800-\udc7f\udd00-\udfff]"
# Code scanning doesn't accept longer descriptions.
_MOST = 1000


def record_sarif(report: Report, options: RenderOptions) -> list[_Json]:
    """The results of a deck."""
    told: list[tuple[Finding, Suppressed | None]] = [(finding, None) for finding in singly(report.findings)]
    told += [(ignored.finding, ignored) for ignored in report.suppressed]
    fingerprints = numbered(identity(finding, report) for finding, _ignored in told)
    places, path = Places(report.deck), report.deck.path
    return [
        {
            "ruleId": _rule_id(finding.rule, report.format),
            "level": _GRADES[label_of(finding, options.lenient)].sarif if ignored is None else "note",
            "message": _message(message_lines(finding, report, options.lang)),
            # Code scanning refuses results without a line.
            "locations": [_location(path, mark) for mark in places.of(finding) or [Mark(1)]],
            "partialFingerprints": {"deckcheckFinding/v1": fingerprint},
            "suppressions": [] if ignored is None else [_suppression(ignored)],
            "properties": {"verdict": finding.verdict},
        }
        for (finding, ignored), fingerprint in zip(told, fingerprints, strict=True)
    ]


def write_sarif(records: Iterable[list[_Json]], results: Results, options: RenderOptions, out: Write) -> None:
    """Write one run: a result for each finding, and a notification for each list that could not be checked."""
    lang, listed = options.lang, list(chain.from_iterable(records))
    rules = _rules(results.rules, lang)
    places = {rule["id"]: place for place, rule in enumerate(rules)}
    for result in listed:
        if result["ruleId"] in places:
            result["ruleIndex"] = places[result["ruleId"]]
    notifications = []
    for problem in results.problems:
        notification: _Json = {"level": "error", "message": _message(_lines_of(problem, lang))}
        if problem.path is not None:
            mark = None if problem.line is None else Mark(problem.line, problem.column or 0)
            notification["locations"] = [_location(problem.path, mark)]
        notifications.append(notification)
    succeeded = not (results.problems or results.failed)
    run = {
        "tool": {"driver": {"name": "deckcheck", "version": VERSION, "language": lang, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": succeeded, "toolExecutionNotifications": notifications}],
        "results": listed,
    }
    out(json_line({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}) + "\n")


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
        "defaultConfiguration": {"level": _GRADES[Label(severity)].sarif},
    }


def _description(lines: Iterable[str]) -> _Json:
    return {"text": cut("\n".join(map(safe, lines)), _MOST)}


def _rule_id(rule: str, format: str) -> str:
    return rule if rule in ENGINE_IDS else safe(f"{format}/{rule}")


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
