"""Code Quality issues for GitLab: one per finding that isn't suppressed, one for each list not checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

from deckcheck.model.finding import Report, singly
from deckcheck.report.json import json_line
from deckcheck.report.wording import Label, label_of
from deckcheck.report.writer import (
    RenderOptions,
    Results,
    Write,
    from_root,
    hash_of,
    identity,
    numbered,
    problem_lines,
)
from deckcheck.support.safe_text import safe

_SEVERITIES: Mapping[Label, str] = {
    Label.ERROR: "critical",
    Label.UNDECIDED: "major",
    Label.WARNING: "minor",
    Label.INFO: "info",
}


def record(report: Report, options: RenderOptions) -> list[dict[str, Any]]:
    """The issues of a deck."""
    path, issues = _gitlab_path(report.deck.path), []
    for finding in singly(report.findings):
        fingerprint = hash_of(path, identity(finding, report))
        severity = _SEVERITIES[label_of(finding, options.lenient)]
        message = finding.message.in_(options.lang)
        issues.append(_issue(fingerprint, path, finding.line, finding.rule, severity, message))
    return issues


def write(
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
