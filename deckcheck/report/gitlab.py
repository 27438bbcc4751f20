"""Code Quality issues for GitLab: a JSON array, shown in merge requests and in their changes.

GitLab knows an issue again by its fingerprint, which therefore holds no line
number. What was suppressed in a deck is one issue a deck.
"""

from __future__ import annotations

from deckcheck.model.finding import Report
from deckcheck.report.escaping import json_line
from deckcheck.report.locations import from_root, hash_of, identity, numbered
from deckcheck.report.wording import Label, label_of, suppressed_note
from deckcheck.report.writer import Ending, Writer, problem_lines
from deckcheck.support.errors import Problem
from deckcheck.support.safetext import safe

_SEVERITIES: dict[Label, str] = {
    "error": "critical",
    "undecided": "major",
    "warning": "minor",
    "info": "info",
}
_BETWEEN = "\t"


class GitlabWriter(Writer):
    """An issue a finding, and one for each list that could not be checked."""

    gathers = True

    def fragment(self, report: Report) -> str:
        path = _path(report.deck.path)
        rows = []
        for finding in report.findings:
            severity = _SEVERITIES[label_of(finding, self.options.lenient)]
            message = finding.message.in_(self.lang)
            issue = _issue(path, finding.line, finding.rule, severity, message)
            rows.append(_row(hash_of(path, identity(finding, report)), issue))
        ignored = suppressed_note(report)
        if ignored is not None:
            issue = _issue(path, None, "ignored", "info", ignored.in_(self.lang))
            rows.append(_row(hash_of(path, "ignored"), issue))
        return "".join(f"{row}\n" for row in rows)

    def closing(self, ending: Ending) -> str:
        rows = [*ending.lines, *map(self._problem, ending.problems)]
        pairs = [row.split(_BETWEEN, 1) for row in rows]
        fingerprints = numbered(known for known, _ in pairs)
        issues = [
            f'\n{{"fingerprint": "{fingerprint}", {issue[1:]}'
            for fingerprint, (_, issue) in zip(fingerprints, pairs, strict=True)
        ]
        return "[" + ",".join(issues) + "\n]\n"

    def _problem(self, problem: Problem) -> str:
        path, message = _path(problem.path or "-"), " ".join(problem_lines(problem, self.lang))
        issue = _issue(path, problem.line, "not-checked", "blocker", message)
        return _row(hash_of(path, "not-checked", problem.message.in_("en")), issue)


def _row(known: str, issue: dict[str, object]) -> str:
    """An issue behind what tells it apart: only the end of the run knows which are there twice."""
    return f"{known}{_BETWEEN}{json_line(issue)}"


def _issue(path: str, line: int | None, rule: str, severity: str, message: str) -> dict[str, object]:
    return {
        "description": safe(message),
        "check_name": safe(rule),
        "severity": severity,
        "location": {"path": path, "lines": {"begin": line or 1}},
    }


def _path(path: str) -> str:
    """As GitLab wants it: relative, even where the file lies elsewhere."""
    return safe(from_root(path)).lstrip("/") or "-"
