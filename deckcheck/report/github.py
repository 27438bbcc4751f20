"""Workflow commands that make GitHub Actions annotate the lines of a list.

GitHub shows so many of a kind for each step and drops the others without a
word, so the gravest come first, the rest is written as plain lines, and a
notice in the end tells how many those are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from deckcheck.model.finding import Finding, Report
from deckcheck.report.escaping import github_data, github_line, github_property
from deckcheck.report.locations import from_root, marks
from deckcheck.report.summary import render_lists, render_tally
from deckcheck.report.wording import LABELS, label_of, level_of, notes
from deckcheck.report.writer import Ending, Writer, place_of, problem_lines
from deckcheck.support.errors import Problem
from deckcheck.support.messages import Message, _, n_, series
from deckcheck.support.safetext import safe

SHOWN = 10
"""So many annotations of each kind are shown for a step."""

_Kind = Literal["error", "warning", "notice"]
_KINDS: Sequence[_Kind] = ("error", "warning", "notice")
_BETWEEN = "\t"
_Place = Mapping[str, int | None]


class _Annotation(NamedTuple):
    """One thing to tell, as a command and as a plain line.

    `rank` orders what is of one kind: what is sure comes before what is open.
    """

    kind: _Kind
    rank: int
    command: str
    plain: str


class GithubWriter(Writer):
    """Commands for what GitHub shows, plain lines for the rest."""

    gathers = True

    def fragment(self, report: Report) -> str:
        annotations = [self._finding(finding, report) for finding in report.findings]
        # No text that was made safe holds a tab.
        return "".join(_BETWEEN.join(map(str, one)) + "\n" for one in annotations)

    def closing(self, ending: Ending) -> str:
        annotations = [self._problem(problem) for problem in ending.problems]
        annotations += map(_read, ending.lines)
        annotations.sort(key=lambda one: (_KINDS.index(one.kind), one.rank))
        counts = Counter(one.kind for one in annotations)
        room = dict.fromkeys(_KINDS, SHOWN)
        if max(counts.values(), default=0) > SHOWN:
            # The notice that tells of the others is one itself.
            room["notice"] -= 1
        shown: list[_Annotation] = []
        rest: list[_Annotation] = []
        for one in annotations:
            (shown if room[one.kind] > 0 else rest).append(one)
            room[one.kind] -= 1
        lines = [one.command for one in shown] + [one.plain for one in rest]
        if rest:
            more = _more(Counter(one.kind for one in rest)).in_(self.lang)
            lines.append(f"::notice title=deckcheck::{github_data(more)}")
        below = render_lists(ending.lists, ending.held, self.lang, color=False)
        below += render_tally(ending.tally, ending.failed, ending.suppressed, self.lang)
        lines += map(github_line, below.splitlines())
        return "".join(f"{line}\n" for line in lines)

    def _finding(self, finding: Finding, report: Report) -> _Annotation:
        level = level_of(finding, self.options.lenient)
        label = label_of(finding, self.options.lenient)
        message, rule, path = safe(finding.message.in_(self.lang)), safe(finding.rule), report.deck.path
        is_open = label == "undecided"
        title = f"{rule} ({LABELS[label].in_(self.lang)})" if is_open else rule
        mark = next(iter(marks(finding, report)), None)
        place: _Place = {}
        if mark is not None:
            place = {"line": mark.line, "col": mark.column, "endColumn": mark.column + mark.length}
        kind: _Kind = "notice" if level == "info" else level
        command = _command(kind, path, place, title, [message, *notes(finding, report, self.lang)])
        where = place_of(safe(path), finding.line, finding.column)
        return _Annotation(kind, int(is_open), command, github_line(f"{label}[{rule}] {where}: {message}"))

    def _problem(self, problem: Problem) -> _Annotation:
        lines = map(safe, problem_lines(problem, self.lang))
        place: _Place = {"line": problem.line, "col": problem.column}
        command = _command("error", problem.path, place, "deckcheck", lines)
        return _Annotation("error", 0, command, github_line(f"error: {safe(problem.in_(self.lang))}"))


def _command(kind: _Kind, path: str | None, place: _Place, title: str, lines: Iterable[str]) -> str:
    file = None if path in (None, "-") else safe(from_root(str(path)))
    properties = {"file": file, **place, "title": title}
    listed = ",".join(f"{key}={github_property(str(value))}" for key, value in properties.items() if value)
    return f"::{kind} {listed}::{github_data(chr(10).join(lines))}"


def _read(line: str) -> _Annotation:
    kind, rank, command, plain = line.split(_BETWEEN)
    return _Annotation(next(one for one in _KINDS if one == kind), int(rank), command, plain)


def _more(counts: Counter[_Kind]) -> Message:
    kinds = {
        "error": n_("{n} error", "{n} errors", counts["error"]),
        "warning": n_("{n} warning", "{n} warnings", counts["warning"]),
        "notice": n_("{n} notice", "{n} notices", counts["notice"]),
    }
    return _(
        "+{number} more in the log: {kinds} (GitHub annotates only {shown} of a kind)",
        number=counts.total(),
        kinds=series(kinds[kind] for kind in _KINDS if counts[kind]),
        shown=SHOWN,
    )
