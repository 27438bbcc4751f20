"""The user's mistakes as text."""

from __future__ import annotations

from collections.abc import Iterable

from deckcheck.report.paint import marked_line, note, painter
from deckcheck.support.errors import Problem
from deckcheck.support.messages import _
from deckcheck.support.safetext import safe

_ERROR = _("error")


def render_problems(problems: Iterable[Problem], lang: str, *, color: bool, width: int = 100) -> str:
    """Each problem with its place, the line where it stands and what to do instead."""
    return "".join(_render(problem, lang, color, width) for problem in problems)


def _render(problem: Problem, lang: str, color: bool, width: int) -> str:
    paint = painter(color)
    place = ":".join(safe(str(part)) for part in (problem.path, problem.line, problem.column) if part)
    colon = "：" if lang == "ja" else ": "
    head = f"{paint(_ERROR.in_(lang), 'red')}{colon}{safe(problem.message.in_(lang))}"
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
