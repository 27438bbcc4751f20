"""Outputs for services that show findings beside the lines of a change: GitHub Actions, GitLab and reviewdog."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple

from deckcheck.formats.lookup import is_bundled
from deckcheck.model.finding import Finding, Report, singly
from deckcheck.model.format import Severity
from deckcheck.report.json import json_line, json_list
from deckcheck.report.locations import Mark, from_root, line_of, marks, related_places
from deckcheck.report.markdown import markdown
from deckcheck.report.text import render_lists, render_tally
from deckcheck.report.wording import LABELS, Label, label_of, level_of, message_lines, suppressed_note
from deckcheck.report.writer import Results, Writer, hash_of, identity, numbered, problem_lines
from deckcheck.support.errors import Problem, place_of
from deckcheck.support.files import with_slashes
from deckcheck.support.messages import Message, _, n_, series
from deckcheck.support.safe_text import safe

# GitHub

SHOWN = 10
"""The number of annotations of each kind that are shown for a step."""

_Kind = Literal["error", "warning", "notice"]
_KINDS: Mapping[_Kind, Message] = {
    "error": n_("{n} error", "{n} errors", 0),
    "warning": n_("{n} warning", "{n} warnings", 0),
    "notice": n_("{n} notice", "{n} notices", 0),
}


_KIND_OF: Mapping[Severity, _Kind] = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "notice",
}


class _Annotation(NamedTuple):
    """An annotation as a command and as a plain line. Sure ones of a kind come before open ones."""

    kind: _Kind
    is_open: bool
    command: str
    plain: str


class GithubWriter(Writer):
    """Workflow commands that make GitHub annotate the lines of a list.

    GitHub shows ten of a kind in each step, so the gravest come first; the rest are plain lines, counted in a notice.
    """

    gathers = True

    def fragment(self, report: Report) -> list[_Annotation]:
        return [self._finding(finding, report) for finding in singly(report.findings)]

    def closing(self, results: Results) -> str:
        annotations = [self._problem(problem) for problem in results.problems]
        annotations += results.fragments
        annotations.sort(key=lambda note: note.is_open)
        by_kind = {kind: [note for note in annotations if note.kind == kind] for kind in _KINDS}
        room = dict.fromkeys(_KINDS, SHOWN)
        if any(len(own) > SHOWN for own in by_kind.values()):
            # The notice about the others is one itself.
            room["notice"] -= 1
        lines = [note.command for kind, own in by_kind.items() for note in own[: room[kind]]]
        rest = [note for kind, own in by_kind.items() for note in own[room[kind] :]]
        if rest:
            lines += [*(note.plain for note in rest), self._notice(Counter(note.kind for note in rest))]
        below = render_lists(results.lists, results.held, self.lang, color=False)
        below += render_tally(results, self.lang)
        return "".join(f"{line}\n" for line in [*lines, *map(_plain_line, below.splitlines())])

    def _finding(self, finding: Finding, report: Report) -> _Annotation:
        label, level = label_of(finding, self.lenient), level_of(finding, self.lenient)
        rule, path, is_open = safe(finding.rule), report.deck.path, label == "undecided"
        title = f"{rule} ({LABELS[label].in_(self.lang)})" if is_open else rule
        place: dict[str, int | None] = {}
        for line, column, length in marks(finding, report.deck)[:1]:
            place = {"line": line, "col": column, "endColumn": column + length}
        kind = _KIND_OF[level]
        lines = [safe(line) for line in message_lines(finding, report, self.lang)]
        where = place_of(safe(path), finding.line, finding.column)
        plain = _plain_line(f"{label}[{rule}] {where}: {lines[0]}")
        return _Annotation(kind, is_open, _command(kind, path, place, title, lines), plain)

    def _problem(self, problem: Problem) -> _Annotation:
        place = {"line": problem.line, "col": problem.column}
        lines = map(safe, problem_lines(problem, self.lang))
        command = _command("error", problem.path, place, "deckcheck", lines)
        return _Annotation("error", False, command, _plain_line(f"error: {safe(problem.in_(self.lang))}"))

    def _notice(self, counts: Counter[_Kind]) -> str:
        """How many annotations GitHub doesn't show."""
        more = _(
            "+{number} more in the log: {kinds} (GitHub annotates only {shown} of a kind)",
            number=counts.total(),
            kinds=series(message.filled(n=counts[kind]) for kind, message in _KINDS.items() if counts[kind]),
            shown=SHOWN,
        )
        return f"::notice title=deckcheck::{_data(more.in_(self.lang))}"


def _command(
    kind: _Kind, path: str | None, place: Mapping[str, int | None], title: str, lines: Iterable[str]
) -> str:
    file = None if path in (None, "-") else safe(from_root(str(path)))
    properties = {"file": file, **place, "title": title}
    escaped = {key: _data(str(value)) for key, value in properties.items() if value}
    listed = ",".join(
        f"{key}={value.replace(':', '%3A').replace(',', '%2C')}" for key, value in escaped.items()
    )
    return f"::{kind} {listed}::{_data(chr(10).join(lines))}"


def _data(text: str) -> str:
    """`text` for the part of a command after the colons."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _plain_line(line: str) -> str:
    """A line in which the runner finds no command: the old form works anywhere, the new one at the beginning."""
    line = line.replace("##[", r"##\x5b")
    bare = line.lstrip()
    return r"\x3a" + bare[1:] if bare.startswith("::") else line


# GitLab

_SEVERITIES: Mapping[Label, str] = {
    Label.ERROR: "critical",
    Label.UNDECIDED: "major",
    Label.WARNING: "minor",
    Label.INFO: "info",
}


class GitlabWriter(Writer):
    """Code Quality issues: one per finding, one for a deck's suppressed findings, one for each list not checked."""

    gathers = True

    def fragment(self, report: Report) -> list[tuple[str, str]]:
        """Each issue as JSON after its fingerprint: only at the end of the run is it known which are repeated."""
        path, issues = _gitlab_path(report.deck.path), []
        for finding in singly(report.findings):
            severity = _SEVERITIES[label_of(finding, self.lenient)]
            issue = _issue(path, finding.line, finding.rule, severity, finding.message.in_(self.lang))
            issues.append((hash_of(path, identity(finding, report)), issue))
        ignored = suppressed_note(report)
        if ignored is not None:
            issue = _issue(path, None, "ignored", "info", ignored.in_(self.lang))
            issues.append((hash_of(path, "ignored"), issue))
        return issues

    def closing(self, results: Results) -> str:
        issues: list[tuple[str, str]] = list(results.fragments)
        for problem in results.problems:
            path, message = _gitlab_path(problem.path or "-"), " ".join(problem_lines(problem, self.lang))
            known = hash_of(path, "not-checked", problem.message.in_("en"))
            issues.append((known, _issue(path, problem.line, "not-checked", "blocker", message)))
        fingerprints = numbered(known for known, _issue in issues)
        listed = json_list(
            f'{{"fingerprint": "{fingerprint}", {issue[1:]}'
            for fingerprint, (_known, issue) in zip(fingerprints, issues, strict=True)
        )
        return listed + "\n"


def _issue(path: str, line: int | None, rule: str, severity: str, message: str) -> str:
    location = {"path": path, "lines": {"begin": line or 1}}
    return json_line(
        {
            "description": safe(message),
            "check_name": safe(rule),
            "severity": severity,
            "location": location,
        }
    )


def _gitlab_path(path: str) -> str:
    """The path as GitLab requires it: relative, even if the file is elsewhere."""
    return safe(from_root(path)).lstrip("/") or "-"


# reviewdog


class RdjsonWriter(Writer):
    """Reviewdog's diagnostics: one per finding, one for a deck's suppressed findings, one for each list not checked."""

    gathers = True

    def fragment(self, report: Report) -> list[str]:
        diagnostics = [self._finding(finding, report) for finding in singly(report.findings)]
        ignored = suppressed_note(report)
        if ignored is not None:
            place = _location(report.deck.path)
            diagnostics.append(_diagnostic([ignored.in_(self.lang)], place, "info", "ignored"))
        return [json_line(diagnostic) for diagnostic in diagnostics]

    def closing(self, results: Results) -> str:
        lines = [*results.fragments, *(json_line(self._problem(problem)) for problem in results.problems)]
        return f'{{"source": {json_line({"name": "deckcheck"})}, "diagnostics": {json_list(lines)}}}\n'

    def _finding(self, finding: Finding, report: Report) -> dict[str, Any]:
        lang, path = self.lang, report.deck.path
        first = next(iter(marks(finding, report.deck)), None)
        place = _location(path, first, line_of(report, finding.line or 0))
        lines = message_lines(finding, report, lang)
        diagnostic = _diagnostic(lines, place, level_of(finding, self.lenient), finding.rule)
        related = [
            ({"message": markdown(text)} if text else {})
            | {"location": _location(where, mark, line_of(report, mark.line))}
            for text, where, mark in related_places(finding, report, lang)
            if where == path or not is_bundled(where)
        ]
        return diagnostic | {"relatedLocations": related} if related else diagnostic

    def _problem(self, problem: Problem) -> dict[str, Any]:
        mark = None
        if problem.line is not None:
            mark = Mark(problem.line, 0 if problem.excerpt is None else problem.column or 0)
        place = _location(problem.path or "-", mark, problem.excerpt or "")
        return _diagnostic(problem_lines(problem, self.lang), place, "error", "not-checked")


def _diagnostic(lines: list[str], place: dict[str, Any], level: str, rule: str) -> dict[str, Any]:
    return {
        "message": "\n".join(map(markdown, lines)),
        "location": place,
        "severity": level.upper(),
        "code": {"value": safe(rule)},
    }


def _location(path: str, mark: Mark | None = None, text: str = "") -> dict[str, Any]:
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
