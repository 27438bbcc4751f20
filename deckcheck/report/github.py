"""Workflow commands that make GitHub Actions annotate the lines of a list.

GitHub shows ten of a kind for each step and drops the others, so the gravest
come first, the rest is written as plain lines, and a notice tells how many
those are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from deckcheck.model.finding import Finding, Report
from deckcheck.report.text import render_lists, render_tally
from deckcheck.report.wording import LABELS, label_of, level_of, notes
from deckcheck.report.writer import Results, Writer, from_root, marks, place_of, problem_lines
from deckcheck.support.errors import Problem
from deckcheck.support.messages import Message, _, n_, series
from deckcheck.support.safetext import safe

SHOWN = 10
"""So many annotations of each kind are shown for a step."""

_Kind = Literal["error", "warning", "notice"]
_KINDS: Sequence[_Kind] = ("error", "warning", "notice")
_Place = Mapping[str, int | None]


class _Annotation(NamedTuple):
    """An annotation as a command and as a plain line. `rank` orders those of a kind: sure ones before open ones."""

    kind: _Kind
    rank: int
    command: str
    plain: str


class GithubWriter(Writer):
    """Commands for what GitHub shows, plain lines for the rest."""

    gathers = True

    def fragment(self, report: Report) -> list[_Annotation]:
        return [self._finding(finding, report) for finding in report.findings]

    def closing(self, results: Results) -> str:
        annotations = [self._problem(problem) for problem in results.problems]
        annotations += (one for fragment in results.fragments for one in fragment)
        annotations.sort(key=lambda one: (_KINDS.index(one.kind), one.rank))
        counts = Counter(one.kind for one in annotations)
        room = dict.fromkeys(_KINDS, SHOWN)
        if max(counts.values(), default=0) > SHOWN:
            # The notice about the others is one itself.
            room["notice"] -= 1
        shown: list[str] = []
        rest: list[_Annotation] = []
        for one in annotations:
            if room[one.kind] > 0:
                shown.append(one.command)
            else:
                rest.append(one)
            room[one.kind] -= 1
        lines = shown + [one.plain for one in rest]
        if rest:
            more = _more(Counter(one.kind for one in rest)).in_(self.lang)
            lines.append(f"::notice title=deckcheck::{_data(more)}")
        below = render_lists(results.lists, results.held, self.lang, color=False)
        below += render_tally(results, self.lang)
        return "".join(f"{line}\n" for line in [*lines, *map(_line, below.splitlines())])

    def _finding(self, finding: Finding, report: Report) -> _Annotation:
        label, level = label_of(finding, self.lenient), level_of(finding, self.lenient)
        message, rule, path = safe(finding.message.in_(self.lang)), safe(finding.rule), report.deck.path
        is_open = label == "undecided"
        title = f"{rule} ({LABELS[label].in_(self.lang)})" if is_open else rule
        place: _Place = {}
        for line, column, length in marks(finding, report)[:1]:
            place = {"line": line, "col": column, "endColumn": column + length}
        kind: _Kind = "notice" if level == "info" else level
        command = _command(kind, path, place, title, [message, *notes(finding, report, self.lang)])
        where = place_of(safe(path), finding.line, finding.column)
        return _Annotation(kind, int(is_open), command, _line(f"{label}[{rule}] {where}: {message}"))

    def _problem(self, problem: Problem) -> _Annotation:
        place: _Place = {"line": problem.line, "col": problem.column}
        lines = map(safe, problem_lines(problem, self.lang))
        command = _command("error", problem.path, place, "deckcheck", lines)
        return _Annotation("error", 0, command, _line(f"error: {safe(problem.in_(self.lang))}"))


def _command(kind: _Kind, path: str | None, place: _Place, title: str, lines: Iterable[str]) -> str:
    file = None if path in (None, "-") else safe(from_root(str(path)))
    properties = {"file": file, **place, "title": title}
    listed = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items() if value)
    return f"::{kind} {listed}::{_data(chr(10).join(lines))}"


def _data(text: str) -> str:
    """`text` behind the colons of a command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _line(line: str) -> str:
    """A line in which the runner finds no command: the old form may be anywhere, the new one at the beginning."""
    line = line.replace("##[", r"##\x5b")
    bare = line.lstrip()
    return r"\x3a" + bare[1:] if bare.startswith("::") else line


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
