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
from deckcheck.report.closing import render_lists, render_tally
from deckcheck.report.labels import LABELS, label_of, level_of
from deckcheck.report.marks import marks
from deckcheck.report.notes import notes
from deckcheck.report.paths import from_root
from deckcheck.report.writer import Ending, Look, Writer
from deckcheck.support.errors import Problem
from deckcheck.support.safetext import safe

SHOWN = 10
"""So many annotations of each kind are shown for a step."""

_Kind = Literal["error", "warning", "notice"]
_KINDS: Sequence[_Kind] = ("error", "warning", "notice")
_BETWEEN = "\t"
_Place = Mapping[str, int | None]


class _Told(NamedTuple):
    """One thing to tell, as a command and as a plain line.

    `rank` orders what is of one kind: what is sure comes before what is open.
    """

    kind: _Kind
    rank: int
    command: str
    plain: str


def make_writer(look: Look) -> Writer:
    """Commands for what GitHub shows, plain lines for the rest."""

    def fragment(report: Report) -> str:
        told = (_finding(one, report, look) for one in report.findings)
        # No text that was made safe holds a tab.
        return "".join(_BETWEEN.join(map(str, one)) + "\n" for one in told)

    return Writer(fragment, lambda ending: _closing(ending, look.lang), gathers=True)


def _finding(finding: Finding, report: Report, look: Look) -> _Told:
    level = level_of(finding, look.lenient)
    label = label_of(finding, look.lenient)
    message, rule, path = safe(finding.message.in_(look.lang)), safe(finding.rule), report.deck.path
    is_open = label == "undecided"
    open_too = f" ({LABELS[label].in_(look.lang)})" if is_open else ""
    mark = next(iter(marks(finding, report)), None)
    place: _Place = {}
    if mark is not None:
        place = {"line": mark.line, "col": mark.column, "endColumn": mark.column + mark.length}
    kind: _Kind = "notice" if level == "info" else level
    command = _command(kind, path, place, rule + open_too, [message, *notes(finding, report, look.lang)])
    where = ":".join(str(part) for part in (safe(path), finding.line, finding.column) if part)
    return _Told(kind, int(is_open), command, _plain(f"{label}[{rule}] {where}: {message}"))


def _problem(problem: Problem, lang: str) -> _Told:
    texts = [problem.message] if problem.hint is None else [problem.message, problem.hint]
    said = [safe(one.in_(lang)) for one in texts]
    place: _Place = {"line": problem.line, "col": problem.column}
    plain = _plain(f"error: {safe(problem.in_(lang))}")
    return _Told("error", 0, _command("error", problem.path, place, "deckcheck", said), plain)


def _command(kind: _Kind, path: str | None, place: _Place, title: str, lines: Iterable[str]) -> str:
    file = None if path in (None, "-") else safe(from_root(str(path)))
    properties = {"file": file, **place, "title": title}
    said = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items() if value)
    return f"::{kind} {said}::{_data(chr(10).join(lines))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _plain(line: str) -> str:
    """A line in which no command is found: the old form may stand anywhere, the new one at the beginning."""
    line = line.replace("##[", r"##\x5b")
    bare = line.lstrip()
    return r"\x3a" + bare[1:] if bare.startswith("::") else line


def _closing(ending: Ending, lang: str) -> str:
    told = [_problem(one, lang) for one in ending.problems]
    told += [_read(line) for text in ending.texts for line in text.splitlines()]
    told.sort(key=lambda one: (_KINDS.index(one.kind), one.rank))
    counts = Counter(one.kind for one in told)
    room = dict.fromkeys(_KINDS, SHOWN)
    if max(counts.values(), default=0) > SHOWN:
        # The notice that tells of the others is one itself.
        room["notice"] -= 1
    shown: list[_Told] = []
    rest: list[_Told] = []
    for one in told:
        (shown if room[one.kind] > 0 else rest).append(one)
        room[one.kind] -= 1
    lines = [one.command for one in shown] + [one.plain for one in rest]
    if rest:
        lines.append(_more(Counter(one.kind for one in rest), lang))
    below = render_lists(ending.lists, ending.held, lang, color=False)
    below += render_tally(ending.tally, ending.failed, ending.suppressed, lang)
    lines += map(_plain, below.splitlines())
    return "".join(f"{line}\n" for line in lines)


def _read(line: str) -> _Told:
    kind, rank, command, plain = line.split(_BETWEEN)
    return _Told(next(one for one in _KINDS if one == kind), int(rank), command, plain)


def _more(counts: Counter[_Kind], lang: str) -> str:
    total = counts.total()
    if lang == "ja":
        names = {"error": "エラー", "warning": "警告", "notice": "情報"}
        listed = "、".join(f"{names[kind]}{counts[kind]}件" for kind in _KINDS if counts[kind])
        said = f"+{total}件はログにあります: {listed}（GitHubの注釈は種類ごとに{SHOWN}件まで）"
    else:
        listed = ", ".join(
            f"{counts[kind]} {kind}{'s' if counts[kind] > 1 else ''}" for kind in _KINDS if counts[kind]
        )
        said = f"+{total} more in the log: {listed} (GitHub annotates only {SHOWN} of a kind)"
    return f"::notice title=deckcheck::{_data(said)}"
