"""Results, problems and answers on the screen: how they look, and progress."""

import sys
import time
from collections.abc import Iterable, Mapping

from deckcheck.report.json import json_answer
from deckcheck.report.text import answer, render_problems
from deckcheck.report.writer import RenderOptions
from deckcheck.support.errors import Problem
from deckcheck.support.terminal import Color, is_terminal, show, wants_color, width_of, write_stderr

_PATIENCE = 1.0
_BAR = 24


def render_options(
    lang: str, color: Color = "auto", *, file: str | None = None, plain: bool = False
) -> RenderOptions:
    """How results look on standard output, or in a file; `plain` ones are never colored."""
    stream = None if file is not None else sys.stdout
    return RenderOptions(lang, not plain and wants_color(color, stream), width_of(stream))


def write_problems(problems: Iterable[Problem], lang: str) -> None:
    """Write the user's mistakes to standard error."""
    color = wants_color("auto", sys.stderr)
    write_stderr(render_problems(problems, lang, color=color, width=width_of(sys.stderr)))


def show_answer(
    output_format: str,
    look: RenderOptions,
    template: str,
    fields: Mapping[str, object],
    values: Mapping[str, object],
) -> None:
    """Write a result: a template filled with `fields`, or a JSON object with `values`."""
    if output_format == "json":
        show(json_answer(values, look.lang), exact=True)
    else:
        show(answer(template, look, **fields))


class Progress:
    """A bar on standard error, shown when a run takes longer than a moment, and the problems of the run."""

    def __init__(self, total: int, lang: str = "en", title: str = "") -> None:
        self.problems: dict[Problem, None] = {}
        self.lang, self._title, self._total = lang, title, total
        self._done = 0
        self._shown = False
        self._watched = is_terminal(sys.stderr)
        self._start = self._drawn = time.monotonic()

    def advance(self, count: int = 1) -> None:
        """Note that `count` more are done."""
        self._done += count
        now = time.monotonic()
        if self._watched and now - self._start > _PATIENCE and now - self._drawn > 0.1:
            self._drawn, self._shown = now, True
            filled = min(_BAR * self._done // max(self._total, 1), _BAR)
            bar = "#" * filled + "." * (_BAR - filled)
            counts = f"[{bar}] {self._done:,}/{self._total:,}" if self._total else f"{self._done:,}"
            write_stderr(f"\r{self._title}{counts}")

    def reach(self, done: int, total: int) -> None:
        """Note how many are done, and a total that wasn't known before (0: still unknown)."""
        self._total = total
        self.advance(done - self._done)

    def clear(self) -> None:
        """Remove the bar, so that other lines can be written."""
        if self._shown:
            write_stderr("\r\x1b[K")
            self._shown = False

    def write_messages(self, problems: Iterable[Problem], *, quiet: bool = False) -> None:
        """Show the problems that are new to the run; if `quiet`, only remember them."""
        new = [problem for problem in dict.fromkeys(problems) if problem not in self.problems]
        self.problems |= dict.fromkeys(new)
        if new and not quiet:
            self.clear()
            write_problems(new, self.lang)
