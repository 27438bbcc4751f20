"""Code Quality issues for GitLab: a JSON array, shown in merge requests and in their changes.

GitLab recognises an issue by its fingerprint, which therefore holds no line
number. The suppressed findings of a deck are one issue.
"""

from __future__ import annotations

from deckcheck.model.finding import Report
from deckcheck.report.json import json_line, json_list
from deckcheck.report.wording import Label, label_of, suppressed_note
from deckcheck.report.writer import Results, Writer, from_root, hash_of, identity, numbered, problem_lines
from deckcheck.support.safetext import safe

_SEVERITIES: dict[Label, str] = {
    "error": "critical",
    "undecided": "major",
    "warning": "minor",
    "info": "info",
}


class GitlabWriter(Writer):
    """An issue a finding, and one for each list that could not be checked."""

    gathers = True

    def fragment(self, report: Report) -> list[tuple[str, str]]:
        path, issues = _path(report.deck.path), []
        for finding in report.findings:
            severity = _SEVERITIES[label_of(finding, self.lenient)]
            issue = _issue(path, finding.line, finding.rule, severity, finding.message.in_(self.lang))
            issues.append((hash_of(path, identity(finding, report)), issue))
        ignored = suppressed_note(report)
        if ignored is not None:
            issue = _issue(path, None, "ignored", "info", ignored.in_(self.lang))
            issues.append((hash_of(path, "ignored"), issue))
        return issues

    def closing(self, results: Results) -> str:
        issues = [issue for fragment in results.fragments for issue in fragment]
        for problem in results.problems:
            path, message = _path(problem.path or "-"), " ".join(problem_lines(problem, self.lang))
            known = hash_of(path, "not-checked", problem.message.in_("en"))
            issues.append((known, _issue(path, problem.line, "not-checked", "blocker", message)))
        # Only the end of the run knows which fingerprints are there twice.
        fingerprints = numbered(known for known, _issue in issues)
        return (
            json_list(
                f'{{"fingerprint": "{fingerprint}", {issue[1:]}'
                for fingerprint, (_known, issue) in zip(fingerprints, issues, strict=True)
            )
            + "\n"
        )


def _issue(path: str, line: int | None, rule: str, severity: str, message: str) -> str:
    return json_line(
        {
            "description": safe(message),
            "check_name": safe(rule),
            "severity": severity,
            "location": {"path": path, "lines": {"begin": line or 1}},
        }
    )


def _path(path: str) -> str:
    """As GitLab wants it: relative, even if the file is elsewhere."""
    return safe(from_root(path)).lstrip("/") or "-"
