"""Reviewdog's diagnostic format, for comments on the changes of a pull request.

Columns count bytes of UTF-8 there. Reviewdog posts messages as Markdown, so
they are escaped for it. The suppressed findings of a deck are one diagnostic.
"""

from __future__ import annotations

from typing import Any

from deckcheck.model.finding import Finding, Report
from deckcheck.report.json import json_line, json_list
from deckcheck.report.markdown import markdown
from deckcheck.report.wording import level_of, notes, suppressed_note
from deckcheck.report.writer import (
    Mark,
    Results,
    Writer,
    is_bundled,
    line_of,
    marks,
    problem_lines,
    related_places,
    with_slashes,
)
from deckcheck.support.errors import Problem
from deckcheck.support.safetext import safe


class RdjsonWriter(Writer):
    """A diagnostic a finding, and one for each list that could not be checked."""

    gathers = True

    def fragment(self, report: Report) -> list[str]:
        diagnostics = [self._finding(finding, report) for finding in report.findings]
        ignored = suppressed_note(report)
        if ignored is not None:
            place = _place(report.deck.path)
            diagnostics.append(_diagnostic([ignored.in_(self.lang)], place, "info", "ignored"))
        return [json_line(diagnostic) for diagnostic in diagnostics]

    def closing(self, results: Results) -> str:
        lines = [line for fragment in results.fragments for line in fragment]
        lines += [json_line(self._problem(problem)) for problem in results.problems]
        return f'{{"source": {json_line({"name": "deckcheck"})}, "diagnostics": {json_list(lines)}}}\n'

    def _finding(self, finding: Finding, report: Report) -> dict[str, Any]:
        lang, path = self.lang, report.deck.path
        first = next(iter(marks(finding, report)), None)
        place = _place(path, first, "" if first is None else line_of(report, first.line))
        lines = [finding.message.in_(lang), *notes(finding, report, lang)]
        diagnostic = _diagnostic(lines, place, level_of(finding, self.lenient), finding.rule)
        related = [
            ({"message": markdown(text)} if text else {})
            | {"location": _place(where, mark, line_of(report, mark.line))}
            for text, where, mark in related_places(finding, report, lang)
            if where == path or not is_bundled(where)
        ]
        return diagnostic | {"relatedLocations": related} if related else diagnostic

    def _problem(self, problem: Problem) -> dict[str, Any]:
        mark = None
        if problem.line is not None:
            column = problem.column if problem.excerpt is not None else 0
            mark = Mark(problem.line, column or 0)
        place = _place(problem.path or "-", mark, problem.excerpt or "")
        return _diagnostic(problem_lines(problem, self.lang), place, "error", "not-checked")


def _diagnostic(lines: list[str], place: dict[str, Any], level: str, rule: str) -> dict[str, Any]:
    return {
        "message": "\n".join(map(markdown, lines)),
        "location": place,
        "severity": level.upper(),
        "code": {"value": safe(rule)},
    }


def _place(path: str, mark: Mark | None = None, text: str = "") -> dict[str, Any]:
    """A mark in a file; `text` is the line that is marked, for its columns."""
    place: dict[str, Any] = {"path": safe(with_slashes(path))}
    if mark is not None:
        start, end = {"line": mark.line}, {"line": mark.line}
        place["range"] = {"start": start}
        if mark.column:
            start["column"] = _byte(text, mark.column)
            if mark.length:
                end["column"] = _byte(text, mark.column + mark.length)
                place["range"]["end"] = end
    return place


def _byte(line: str, column: int) -> int:
    """The 1-based column in bytes of UTF-8."""
    return len(line[: column - 1].encode("utf-8", "surrogatepass")) + 1
