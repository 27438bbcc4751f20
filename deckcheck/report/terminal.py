"""What the outputs for people share: colours, excerpts of lines with carets, and problems."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Literal

from deckcheck.model.finding import Finding, Verdict
from deckcheck.report.wording import LABELS, VERDICTS, Label, label_of
from deckcheck.report.writer import place_of
from deckcheck.support.errors import Problem
from deckcheck.support.messages import _, p_
from deckcheck.support.safetext import excerpt, safe

Style = Literal["bold", "dim", "red", "yellow", "cyan", "green"]
Paint = Callable[[str, Style], str]

_CODES: dict[Style, str] = {
    "bold": "1",
    "dim": "2",
    "red": "1;31",
    "yellow": "1;33",
    "cyan": "1;36",
    "green": "1;32",
}
STYLES: Mapping[Label, Style] = {
    "error": "red",
    "undecided": "yellow",
    "warning": "yellow",
    "info": "cyan",
}
_VERDICT_STYLES: Mapping[Verdict, Style] = {"legal": "green", "illegal": "red", "undecided": "yellow"}


def painter(color: bool) -> Paint:
    """A function that gives text a style, or leaves it as it is where no colour is wanted."""
    return _painted if color else _plain


def _painted(text: str, style: Style) -> str:
    return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if text else text


def _plain(text: str, style: Style) -> str:  # noqa: ARG001 - the same shape as _painted
    return text


def painted_verdict(verdict: Verdict, lang: str, paint: Paint) -> str:
    """The verdict in words and in its colour."""
    return paint(VERDICTS[verdict].in_(lang), _VERDICT_STYLES[verdict])


def labelled(finding: Finding, lang: str, paint: Paint, *, lenient: bool) -> str:
    """The message of a finding behind its label and rule, safe to show."""
    label = label_of(finding, lenient)
    heading = _("{label}[{rule}]:", label=LABELS[label], rule=safe(finding.rule)).in_(lang)
    message = safe(finding.message.in_(lang))
    return _("{heading} {message}", heading=paint(heading, STYLES[label]), message=message).in_(lang)


def marked_line(
    number: int, line: str, column: int, length: int, *, gutter: int, width: int, paint: Paint, style: Style
) -> list[str]:
    """A numbered line and the carets under it; `gutter` is the width of the numbers."""
    shown = excerpt(line, column, length, max(width - gutter - 4, 20))
    return [
        f" {paint(f'{number:>{gutter}} |', 'dim')} {shown.line}",
        f" {paint(' ' * gutter + ' |', 'dim')} {paint_carets(shown.carets, paint, style)}",
    ]


def paint_carets(carets: str, paint: Paint, style: Style) -> str:
    """Blanks and carets, the carets in their style."""
    bare = carets.lstrip(" ")
    return " " * (len(carets) - len(bare)) + paint(bare, style)


def note(text: str, *, gutter: int, paint: Paint) -> str:
    """A line beneath an excerpt, aligned with its gutter."""
    return f" {' ' * gutter} {paint('=', 'dim')} {text}"


def render_problems(problems: Iterable[Problem], lang: str, *, color: bool, width: int = 100) -> str:
    """Each problem with its place, the line where it stands and what to do instead."""
    return "".join(_problem(problem, lang, painter(color), width) for problem in problems)


def _problem(problem: Problem, lang: str, paint: Paint, width: int) -> str:
    label, message = paint(LABELS["error"].in_(lang), "red"), safe(problem.message.in_(lang))
    head = p_("problem", "{label}: {message}", label=label, message=message).in_(lang)
    place = safe(place_of(problem.path, problem.line, problem.column))
    lines = [f"{paint(place + ':', 'bold')} {head}" if place else head]
    gutter = len(str(problem.line or ""))
    if problem.excerpt is not None and problem.line is not None:
        column = problem.column or 1
        lines += marked_line(
            problem.line, problem.excerpt, column, 1, gutter=gutter, width=width, paint=paint, style="red"
        )
    if problem.hint is not None:
        lines.append(note(safe(problem.hint.in_(lang)), gutter=gutter, paint=paint))
    return "\n".join(lines) + "\n"
