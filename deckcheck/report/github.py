"""Workflow commands that make GitHub annotate the lines of a list.

GitHub shows ten of a kind in each step, so the gravest come first; the rest stand in the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain

from deckcheck.model.finding import Finding, Report, singly
from deckcheck.report.text import closing, render_tally
from deckcheck.report.wording import GRAVEST_FIRST, LABELS, Label, label_of, message_lines
from deckcheck.report.writer import Places, RenderOptions, Results, Write, from_root, problem_lines
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


def record(report: Report, options: RenderOptions) -> list[_Annotation]:
    """The annotations of a deck."""
    places = Places(report.deck)
    return [_of_finding(finding, places, report, options) for finding in singly(report.findings)]


def write(records: Iterable[list[_Annotation]], results: Results, options: RenderOptions, out: Write) -> None:
    """Write the annotations of all decks, then the lists that were used and the tally."""
    of_decks = list(chain.from_iterable(records))
    annotations = [_of_problem(problem, options.lang) for problem in results.problems] + of_decks
    annotations.sort(key=lambda annotation: GRAVEST_FIRST.index(annotation[0]))
    out("".join(f"{command}\n" for _label, command in annotations))
    last = closing(results, options) + render_tally(results, options.lang)
    out(no_command(last, {"GITHUB_ACTIONS": "true"}))


def _of_finding(finding: Finding, places: Places, report: Report, options: RenderOptions) -> _Annotation:
    label, rule = label_of(finding, options.lenient), safe(finding.rule)
    title = f"{rule} ({LABELS[label].in_(options.lang)})" if label == Label.UNDECIDED else rule
    place: dict[str, int | None] = {}
    for mark in places.of(finding)[:1]:
        place = {"line": mark.line, "col": mark.column, "endColumn": mark.column + mark.length}
    lines = [safe(line) for line in message_lines(finding, report, options.lang)]
    return _annotation(label, report.deck.path, place, title, lines)


def _of_problem(problem: Problem, lang: str) -> _Annotation:
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
