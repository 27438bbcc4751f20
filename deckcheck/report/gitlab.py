"""Code Quality issues for GitLab: a JSON array, shown in merge requests and in their changes.

GitLab knows an issue again by its fingerprint, which therefore holds no line
number. What was left out of a deck on somebody's word is one issue a deck.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from deckcheck.model.finding import Report
from deckcheck.report.identity import identity, identity_of, numbered
from deckcheck.report.labels import Label, label_of, left_out
from deckcheck.report.objects import json_line
from deckcheck.report.paths import from_root
from deckcheck.report.writer import Ending, Look, Writer
from deckcheck.support.errors import Problem
from deckcheck.support.safetext import safe

_SEVERITIES: dict[Label, str] = {
    "error": "critical",
    "undecided": "major",
    "warning": "minor",
    "info": "info",
}
_NOT_CHECKED = "blocker"
_BETWEEN = "\t"


def make_writer(look: Look) -> Writer:
    """An issue a finding, and one for each list that could not be checked."""
    lang = look.lang

    def fragment(report: Report) -> str:
        # What tells an issue apart comes before it: only the end of the run knows which are there twice.
        return "".join(f"{known}{_BETWEEN}{json_line(issue)}\n" for known, issue in _issues(report, look))

    def closing(ending: Ending) -> str:
        rows = [line.split(_BETWEEN, 1) for text in ending.texts for line in text.splitlines()]
        for one in ending.problems:
            path, issue = _problem(one, lang)
            rows.append([identity_of(path, "not-checked", one.message.en), json_line(issue)])
        fingerprints = numbered(known for known, _ in rows)
        issues = [
            f'{{"fingerprint": "{one}", {issue[1:]}'
            for one, (_, issue) in zip(fingerprints, rows, strict=True)
        ]
        return "[" + ",".join(f"\n{issue}" for issue in issues) + "\n]\n"

    return Writer(fragment, closing, gathers=True)


def _issues(report: Report, look: Look) -> Iterator[tuple[str, dict[str, Any]]]:
    path = _path(report.deck.path)
    for one in report.findings:
        severity = _SEVERITIES[label_of(one, look.lenient)]
        issue = _issue(path, one.line, one.rule, severity, one.message.in_(look.lang))
        yield identity_of(path, identity(one, report)), issue
    ignored = left_out(report, look.lang)
    if ignored:
        yield identity_of(path, "ignored"), _issue(path, None, "ignored", "info", ignored)


def _problem(problem: Problem, lang: str) -> tuple[str, dict[str, Any]]:
    path = _path(problem.path or "-")
    texts = [problem.message] if problem.hint is None else [problem.message, problem.hint]
    said = " ".join(one.in_(lang) for one in texts)
    return path, _issue(path, problem.line, "not-checked", _NOT_CHECKED, said)


def _issue(path: str, line: int | None, rule: str, severity: str, message: str) -> dict[str, Any]:
    return {
        "description": safe(message),
        "check_name": safe(rule),
        "severity": severity,
        "location": {"path": path, "lines": {"begin": line or 1}},
    }


def _path(path: str) -> str:
    """As GitLab wants it: relative, even where the file lies elsewhere."""
    return safe(from_root(path)).lstrip("/") or "-"
