"""Reviewdog's diagnostic format, for comments on the changes of a pull request.

Columns count bytes of UTF-8 there. Reviewdog posts messages as Markdown, so
what Markdown would read in them is written as code. What was left out of a
deck on somebody's word is one diagnostic a deck.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from deckcheck.model.finding import Finding, Report
from deckcheck.report.labels import left_out, level_of
from deckcheck.report.marks import Mark, line_of, marks
from deckcheck.report.markup import inline
from deckcheck.report.notes import card_at, notes, said_by
from deckcheck.report.objects import json_line
from deckcheck.report.paths import is_bundled, with_slashes
from deckcheck.report.writer import Ending, Look, Writer
from deckcheck.support.errors import Problem
from deckcheck.support.safetext import safe


def make_writer(look: Look) -> Writer:
    """A diagnostic a finding, and one for each list that could not be checked."""

    def fragment(report: Report) -> str:
        return "".join(f"{json_line(one)}\n" for one in _diagnostics(report, look))

    def closing(ending: Ending) -> str:
        lines = [line for text in ending.texts for line in text.splitlines()]
        lines += [json_line(_problem(one, look.lang)) for one in ending.problems]
        listed = ",".join(f"\n{line}" for line in lines)
        return f'{{"source": {json_line({"name": "deckcheck"})}, "diagnostics": [{listed}\n]}}\n'

    return Writer(fragment, closing, gathers=True)


def _diagnostics(report: Report, look: Look) -> Iterator[dict[str, Any]]:
    for one in report.findings:
        yield _finding(one, report, look)
    ignored = left_out(report, look.lang)
    if ignored:
        yield _diagnostic(ignored, {"path": _path(report.deck.path)}, "info", "ignored")


def _finding(finding: Finding, report: Report, look: Look) -> dict[str, Any]:
    lang = look.lang
    message = "\n".join(map(inline, [finding.message.in_(lang), *notes(finding, report, lang)]))
    found = marks(finding, report)
    place = _place(report, found[0]) if found else {"path": _path(report.deck.path)}
    diagnostic = _diagnostic(message, place, level_of(finding, look.lenient), finding.rule)
    related = [_related(card_at(finding, mark.line, lang), _place(report, mark)) for mark in found[1:]]
    says = finding.source
    if says is not None and not is_bundled(says.path):
        related.append(_related(said_by(finding, report, lang), _line_at(says.path, says.line)))
    for one in finding.related:
        if not is_bundled(one.path):
            related.append(_related(one.message.in_(lang), _line_at(one.path, one.line)))
    return diagnostic | {"relatedLocations": related} if related else diagnostic


def _problem(problem: Problem, lang: str) -> dict[str, Any]:
    texts = [problem.message] if problem.hint is None else [problem.message, problem.hint]
    place: dict[str, Any] = {"path": _path(problem.path or "-")}
    if problem.line is not None:
        place = _line_at(problem.path or "-", problem.line)
        if problem.column is not None and problem.excerpt is not None:
            place["range"]["start"]["column"] = _byte(problem.excerpt, problem.column)
    return _diagnostic("\n".join(inline(one.in_(lang)) for one in texts), place, "error", "not-checked")


def _diagnostic(message: str, place: dict[str, Any], level: str, rule: str) -> dict[str, Any]:
    return {
        "message": message,
        "location": place,
        "severity": level.upper(),
        "code": {"value": safe(rule)},
    }


def _related(message: str, place: dict[str, Any]) -> dict[str, Any]:
    return {"message": inline(message), "location": place} if message else {"location": place}


def _place(report: Report, mark: Mark) -> dict[str, Any]:
    line = line_of(report, mark.line)
    start = {"line": mark.line, "column": _byte(line, mark.column)}
    end = {"line": mark.line, "column": _byte(line, mark.column + mark.length)}
    return {"path": _path(report.deck.path), "range": {"start": start, "end": end}}


def _line_at(path: str, line: int) -> dict[str, Any]:
    return {"path": _path(path), "range": {"start": {"line": line}}}


def _byte(line: str, column: int) -> int:
    """The 1-based column in bytes of UTF-8."""
    return len(line[: column - 1].encode("utf-8", "surrogatepass")) + 1


def _path(path: str) -> str:
    return safe(with_slashes(path))
