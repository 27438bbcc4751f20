"""Reviewdog's diagnostic format, for comments on the changes of a pull request.

Columns count bytes of UTF-8 there. Reviewdog posts messages as Markdown, so
what Markdown would read in them is written as code. What was suppressed in a
deck is one diagnostic a deck.
"""

from __future__ import annotations

from typing import Any

from deckcheck.model.finding import Finding, Report
from deckcheck.report.escaping import json_line, markdown
from deckcheck.report.locations import Mark, is_bundled, line_of, marks, with_slashes
from deckcheck.report.wording import authority_of, card_at, level_of, notes, suppressed_note
from deckcheck.report.writer import Ending, Writer, problem_lines
from deckcheck.support.errors import Problem
from deckcheck.support.safetext import safe


class RdjsonWriter(Writer):
    """A diagnostic a finding, and one for each list that could not be checked."""

    gathers = True

    def fragment(self, report: Report) -> str:
        diagnostics = [self._finding(finding, report) for finding in report.findings]
        ignored = suppressed_note(report)
        if ignored is not None:
            place = {"path": _path(report.deck.path)}
            diagnostics.append(_diagnostic([ignored.in_(self.lang)], place, "info", "ignored"))
        return "".join(f"{json_line(diagnostic)}\n" for diagnostic in diagnostics)

    def closing(self, ending: Ending) -> str:
        lines = [*ending.lines, *(json_line(self._problem(problem)) for problem in ending.problems)]
        listed = ",".join(f"\n{line}" for line in lines)
        return f'{{"source": {json_line({"name": "deckcheck"})}, "diagnostics": [{listed}\n]}}\n'

    def _finding(self, finding: Finding, report: Report) -> dict[str, Any]:
        lang, found = self.lang, marks(finding, report)
        place = _place(report, found[0]) if found else {"path": _path(report.deck.path)}
        lines = [finding.message.in_(lang), *notes(finding, report, lang)]
        diagnostic = _diagnostic(lines, place, level_of(finding, self.options.lenient), finding.rule)
        related = [_related(card_at(finding, mark.line, lang), _place(report, mark)) for mark in found[1:]]
        sources = [(one.message.in_(lang), one.path, one.line) for one in finding.related]
        if finding.source is not None:
            sources.insert(0, (authority_of(finding.cite, report.title, lang), *finding.source))
        related += [_related(text, _line(path, line)) for text, path, line in sources if not is_bundled(path)]
        return diagnostic | {"relatedLocations": related} if related else diagnostic

    def _problem(self, problem: Problem) -> dict[str, Any]:
        place: dict[str, Any] = {"path": _path(problem.path or "-")}
        if problem.line is not None:
            place = _line(problem.path or "-", problem.line)
            if problem.column is not None and problem.excerpt is not None:
                place["range"]["start"]["column"] = _byte(problem.excerpt, problem.column)
        return _diagnostic(problem_lines(problem, self.lang), place, "error", "not-checked")


def _diagnostic(lines: list[str], place: dict[str, Any], level: str, rule: str) -> dict[str, Any]:
    return {
        "message": "\n".join(map(markdown, lines)),
        "location": place,
        "severity": level.upper(),
        "code": {"value": safe(rule)},
    }


def _related(text: str, place: dict[str, Any]) -> dict[str, Any]:
    return {"message": markdown(text), "location": place} if text else {"location": place}


def _place(report: Report, mark: Mark) -> dict[str, Any]:
    line = line_of(report, mark.line)
    start = {"line": mark.line, "column": _byte(line, mark.column)}
    end = {"line": mark.line, "column": _byte(line, mark.column + mark.length)}
    return {"path": _path(report.deck.path), "range": {"start": start, "end": end}}


def _line(path: str, line: int) -> dict[str, Any]:
    return {"path": _path(path), "range": {"start": {"line": line}}}


def _byte(line: str, column: int) -> int:
    """The 1-based column in bytes of UTF-8."""
    return len(line[: column - 1].encode("utf-8", "surrogatepass")) + 1


def _path(path: str) -> str:
    return safe(with_slashes(path))
