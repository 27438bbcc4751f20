"""Workflow commands that make GitHub annotate the lines of a list, and Code Quality issues for GitLab.

GitHub shows ten annotations of a kind in each step, so the gravest come first; the rest stand in the log. GitLab gets an
issue for each finding that isn't suppressed, and for each list that wasn't checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

from deckcheck.model.finding import Finding, Report, singly
from deckcheck.report.json import json_line
from deckcheck.report.results_and_fingerprints import (
    Places,
    RenderOptions,
    Results,
    Write,
    from_root,
    hash_of,
    identity,
    numbered,
    problem_lines,
)
from deckcheck.report.text import closing, render_tally
from deckcheck.report.wording import GRAVEST_FIRST, LABELS, Label, label_of, message_lines
from deckcheck.support.errors import Problem
from deckcheck.support.safe_text import safe
from deckcheck.support.terminal import no_command

_KINDS: Mapping[Label, str] = {
    Label.ERROR: "error",
    Label.UNDECIDED: "error",
    Label.WARNING: "warning",
    Label.INFO: "notice",
}


_Annotation = tuple[Label, str]
"""An annotation as a command, with its label."""


def record_github(report: Report, options: RenderOptions) -> list[_Annotation]:
    """The annotations of a deck."""
    places = Places(report.deck)
    return [_annotation_of(finding, places, report, options) for finding in singly(report.findings)]


def write_github(
    records: Iterable[list[_Annotation]], results: Results, options: RenderOptions, out: Write
) -> None:
    """Write the annotations of all decks, then the lists that were used and the tally."""
    of_decks = list(chain.from_iterable(records))
    annotations = [_annotation_of_problem(problem, options.lang) for problem in results.problems] + of_decks
    annotations.sort(key=lambda annotation: GRAVEST_FIRST.index(annotation[0]))
    out("".join(f"{command}\n" for _label, command in annotations))
    last = closing(results, options) + render_tally(results, options.lang)
    out(no_command(last, {"GITHUB_ACTIONS": "true"}))


def _annotation_of(finding: Finding, places: Places, report: Report, options: RenderOptions) -> _Annotation:
    label, rule = label_of(finding, options.lenient), safe(finding.rule)
    title = f"{rule} ({LABELS[label].in_(options.lang)})" if label == Label.UNDECIDED else rule
    place: dict[str, int | None] = {}
    for mark in places.of(finding)[:1]:
        place = {"line": mark.line, "col": mark.column, "endColumn": mark.column + mark.length}
    lines = [safe(line) for line in message_lines(finding, report, options.lang)]
    return _annotation(label, report.deck.path, place, title, lines)


def _annotation_of_problem(problem: Problem, lang: str) -> _Annotation:
    place = {"line": problem.line, "col": problem.column}
    lines = map(safe, problem_lines(problem, lang))
    return _annotation(Label.ERROR, problem.path, place, "deckcheck", lines)


def _annotation(
    label: Label, path: str | None, place: Mapping[str, int | None], title: str, lines: Iterable[str]
) -> _Annotation:
    file = None if path in (None, "-") else safe(from_root(str(path)))
    properties = {"file": file, **place, "title": title}
    escaped = {key: _data(str(value)) for key, value in properties.items() if value}
    listed = ",".join(
        f"{key}={value.replace(':', '%3A').replace(',', '%2C')}" for key, value in escaped.items()
    )
    return (label, f"::{_KINDS[label]} {listed}::{_data(chr(10).join(lines))}")


def _data(text: str) -> str:
    """`text` for the part of a command after the colons."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


_SEVERITIES: Mapping[Label, str] = {
    Label.ERROR: "critical",
    Label.UNDECIDED: "major",
    Label.WARNING: "minor",
    Label.INFO: "info",
}


def record_gitlab(report: Report, options: RenderOptions) -> list[dict[str, Any]]:
    """The issues of a deck."""
    path, issues = _gitlab_path(report.deck.path), []
    for finding in singly(report.findings):
        fingerprint = hash_of(path, identity(finding, report))
        severity = _SEVERITIES[label_of(finding, options.lenient)]
        message = finding.message.in_(options.lang)
        issues.append(_issue(fingerprint, path, finding.line, finding.rule, severity, message))
    return issues


def write_gitlab(
    records: Iterable[list[dict[str, Any]]], results: Results, options: RenderOptions, out: Write
) -> None:
    """Write the issues of all decks; only now it is known which fingerprints are repeated."""
    issues = list(chain.from_iterable(records))
    for problem in results.problems:
        path, message = _gitlab_path(problem.path or "-"), " ".join(problem_lines(problem, options.lang))
        fingerprint = hash_of(path, "not-checked", problem.message.in_("en"))
        issues.append(_issue(fingerprint, path, problem.line, "not-checked", "blocker", message))
    fingerprints = numbered(issue["fingerprint"] for issue in issues)
    for issue, fingerprint in zip(issues, fingerprints, strict=True):
        issue["fingerprint"] = fingerprint
    out(json_line(issues) + "\n")


def _issue(
    fingerprint: str, path: str, line: int | None, rule: str, severity: str, message: str
) -> dict[str, Any]:
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
