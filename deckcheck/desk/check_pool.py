"""Checks lists for the pages, in a bounded pool of processes: questions in, answers as HTML or JSON out.

A question is a plain record, so that it passes between processes. Each process keeps the formats that it has loaded.
"""

import asyncio
import os
import re
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache, partial
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from markupsafe import Markup, escape
from msgspec import Meta, Struct, field
from msgspec.structs import replace
from starlette.exceptions import HTTPException

from deckcheck.analysis.repair import small_change
from deckcheck.cards.names import MOST_IN_LIST, FewSuggestions
from deckcheck.checking.judge import LoadedFormat, check
from deckcheck.checking.many_lists import processors
from deckcheck.checking.session import CheckOptions, Session
from deckcheck.decklists.header_directives_comments import read_header
from deckcheck.formats.lookup import ENDINGS, format_id, is_bundled
from deckcheck.model.finding import Finding, Report, singly
from deckcheck.report import json
from deckcheck.report.results import Mark, Places, RenderOptions, Results
from deckcheck.report.text import render_lists_briefly
from deckcheck.report.wording import LABELS, VERDICTS, Label, gravest_first, label_of, notes
from deckcheck.rewriting.conversion import TARGETS, convert
from deckcheck.rewriting.fmt_and_fix import spelt_in
from deckcheck.support.dates import is_day
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import _
from deckcheck.support.safe_text import safe
from deckcheck.support.templates import render

Result = TypeVar("Result")

MOST_WAITING = 1_000
"""The most checks that may be under way or waiting; a further one is refused."""

MOST_PROCESSES = 4
"""The most processes that check lists, of which there is one for each processor."""

MOST_SECONDS = 10.0
"""How long a page waits for a check."""

MOST_SUGGESTIONS = 3
"""The most cards that are suggested for a name."""

MOST_CORRECTED = 100
"""The most places of a list for which cards are suggested."""

LIST = "list"
"""The path of a pasted list in messages."""


class CheckPool:
    """Runs functions that check lists in an executor; bounded in number and time."""

    def __init__(
        self,
        options: CheckOptions,
        make: Callable[[], Executor],
        *,
        seconds: float = MOST_SECONDS,
        waiting: int = MOST_WAITING,
    ) -> None:
        self.options = options
        self._make = make
        self._executor = make()
        self._seconds = seconds
        self._most = waiting
        self._waiting = 0

    async def run(
        self, function: Callable[..., Result], *arguments: Any, seconds: float | None = None
    ) -> Result:
        """The result of `function(*arguments)`. Raises what it raises, or HTTPException if there is no time."""
        limit, call = seconds or self._seconds, partial(function, *arguments)
        executor = self._executor
        try:
            return await self._run_in(executor, limit, call)
        except BrokenProcessPool:
            # A process was killed, such as for want of memory; the others end with it.
            if self._executor is executor:
                self._executor = self._make()
            return await self._run_in(self._executor, limit, call)

    async def _run_in(self, executor: Executor, limit: float, call: Callable[[], Result]) -> Result:
        if self._waiting >= self._most:
            raise HTTPException(429, headers={"Retry-After": "2"})
        self._waiting += 1
        future = asyncio.get_running_loop().run_in_executor(executor, within, limit, call)
        future.add_done_callback(self._finish)
        try:
            return await asyncio.wait_for(asyncio.shield(future), limit)
        except TimeoutError:
            raise HTTPException(503, headers={"Retry-After": "10"}) from None

    def _finish(self, future: "asyncio.Future[Any]") -> None:
        self._waiting -= 1
        # Nobody may be waiting for it any more.
        if not future.cancelled():
            future.exception()

    @classmethod
    def of_processes(cls, options: CheckOptions, most: int = MOST_PROCESSES) -> "CheckPool":
        """A pool with one process per processor; they start at once, so that the first question need not wait for them."""
        processes = min(processors(), most)

        def make() -> Executor:
            # Forking a process that serves requests may copy locks that are held.
            spawn = get_context("spawn")
            executor = ProcessPoolExecutor(processes, spawn, initializer=begin, initargs=(options,))
            for _number in range(processes):
                executor.submit(os.getpid)
            return executor

        return cls(options, make)

    def close(self) -> None:
        """End the processes."""
        self._executor.shutdown(wait=False, cancel_futures=True)


# What the processes do


def within(seconds: float, call: Callable[[], Result]) -> Result:
    """The result of the call. Raises TimeoutError once it takes longer, so that the process is free again.

    Where there are no such signals, or in a thread, it runs to its end.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        return call()
    signal.signal(signal.SIGALRM, _give_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return call()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _give_up(_signal: int, _frame: object) -> None:
    raise TimeoutError


def begin(options: CheckOptions) -> None:
    """Open the card tables. The process ends with the server, even if that is killed."""
    # ^C reaches this process, too; the server ends it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent.sentinel,), daemon=True).start()
    session = _session(options)
    if options.format is not None:
        session.load(options.format)
        return
    # A broken game of the user's own is told to whoever chooses it.
    for _table in session.loader().games():
        pass


def _end_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


@lru_cache(maxsize=1)
def _session(options: CheckOptions) -> Session:
    """The formats that this process has loaded."""
    return Session(options)


# Questions and answers


class Question(Struct, frozen=True, forbid_unknown_fields=True):
    """A list to check, as in the JSON of the API. `format` and `as_of` are "" where the list is to say them."""

    text: str = field(name="list")
    format: str = ""
    as_of: str = ""
    lang: Literal["ja", "en"] = "en"
    best_of: Annotated[int, Meta(ge=1)] | None = None


def answer(options: CheckOptions, question: Question, wanted: str, notation: str) -> str:
    """What is said of a list, as HTML: the verdict, the list with its findings, and what else is `wanted`.

    That may be a small change that makes the deck legal ("repair"), or the deck in another `notation` ("copy").
    """
    lang = question.lang
    values: dict[str, Any] = {"report": None, "change": None, "copied": None, "problems": ()}
    try:
        format, report = _checked(options, question)
        values |= {
            "report": report,
            "listed": list_with_findings(report, format, lang, corrected=True),
            "lists": render_lists_briefly(report.lists, lang, color=False).strip(),
            "notations": TARGETS if report.fingerprint is not None else (),
        }
        if wanted == "repair":
            change = small_change(report, format, options.best_of or question.best_of, lang)
            values["change"] = (
                _("no small change was found").in_(lang) if change is None else change.text.rstrip("\n")
            )
        elif wanted == "copy":
            if notation not in TARGETS:
                raise user_error(_("there is no notation {notation!r}", notation=notation))
            converted = convert(format.game_data, question.text, LIST, notation, format=format)
            values["copied"] = converted.text
    except UserError as error:
        values["problems"] = problems_of(error, lang)
    return render("desk/answer.html", lang, verdicts=VERDICTS, notation=notation, **values)


def json_answer(options: CheckOptions, question: Question) -> str:
    """The JSON report of `check --output-format json`. Raises UserError."""
    _format, report = _checked(options, question)
    results, look, parts = Results(), RenderOptions(question.lang), list[str]()
    results.add_report(report)
    json.write_json([json.record_json(report, look)], results, look, parts.append)
    return "".join(parts)


def _checked(options: CheckOptions, question: Question) -> tuple[LoadedFormat, Report]:
    if question.as_of and not is_day(question.as_of):
        raise user_error(_("{day!r} is no day; write YYYY-MM-DD", day=question.as_of))
    format = _format_of(options, question)
    as_of = options.as_of or question.as_of or None
    best_of = options.best_of or question.best_of
    report = check(question.text, format, as_of=as_of, best_of=best_of, path=LIST)
    if not report.deck.entries and not report.deck.diagnostics:
        raise user_error(_("no card is listed here"))
    return format, replace(report, findings=tuple(map(_without_folders, report.findings)))


def _without_folders(finding: Finding) -> Finding:
    """The finding with the bare names of the user's own files: where they are on the server is nobody's business."""
    source = finding.source
    return replace(
        finding,
        source=None if source is None else replace(source, path=_bare_name(source.path)),
        related=tuple(replace(one, path=_bare_name(one.path)) for one in finding.related),
        parts=tuple(map(_without_folders, finding.parts)),
    )


def _bare_name(path: str) -> str:
    return path if is_bundled(path) else Path(path).name


def _format_of(options: CheckOptions, question: Question) -> LoadedFormat:
    """The event's format, or the one that was chosen, or that the list names. A pasted list never names a file."""
    session = _session(options)
    if options.format is not None:
        return session.load(options.format)
    reference = question.format or read_header(question.text).get("format", "")
    if not reference:
        raise user_error(_("choose a format, or write a line “# format: NAME” at the top of the list"))
    if reference.endswith(ENDINGS):
        raise user_error(_("there is no format {reference!r}", reference=reference))
    # Other names than its id aren't kept, of which there may be any number.
    return session.load(format_id(reference, options.settings.folders))


def problems_of(error: UserError, lang: str) -> tuple[str, ...]:
    """What is wrong, one sentence each."""
    return tuple(problem.in_(lang) for problem in error.problems)


# The list with what is said of it


def corrected(text: str, value: str) -> str:
    """The list as the pressed button corrects it; unchanged if the name is no longer there.

    The value of a button is `LINE:COLUMN:LENGTH:`, the name as written, which has that length, and the new one.
    """
    match = re.fullmatch(r"(\d{1,7}):(\d{1,7}):(\d{1,7}):(.*)", value, re.ASCII | re.DOTALL)
    if match is None:
        return text
    lines, number, start, length = text.split("\n"), int(match[1]) - 1, int(match[2]) - 1, int(match[3])
    written, name = match[4][:length], match[4][length:]
    if 0 <= number < len(lines) and start >= 0 and written and lines[number].startswith(written, start):
        lines[number] = lines[number][:start] + name + lines[number][start + length :]
    return "\n".join(lines)


def list_with_findings(report: Report, format: LoadedFormat, lang: str, *, corrected: bool) -> Markup:
    """The findings about the deck as a whole and the list, each line with its findings, as HTML; `corrected`: with buttons."""
    places = Places(report.deck)
    findings: dict[int | None, list[Finding]] = {}
    marks: dict[int, list[tuple[Mark, Label]]] = {}
    for finding in gravest_first(singly(report.findings)):
        findings.setdefault(finding.line, []).append(finding)
        for mark in places.of(finding):
            marks.setdefault(mark.line, []).append((mark, label_of(finding, lenient=False)))
    text = render(
        "desk/list.html",
        lang,
        report=report,
        findings=findings,
        marks=marks,
        marked=_marked,
        corrections=_corrections(report, format) if corrected else {},
        labels=LABELS,
        label_of=label_of,
        notes=notes,
    )
    return Markup(text)


def _marked(text: str, line_marks: Sequence[tuple[Mark, Label]]) -> Markup:
    """The line as HTML with its marks, the gravest first; those that overlap an earlier one are left out."""
    pieces, end = list[Markup](), 0
    for mark, label in sorted(line_marks, key=lambda item: item[0].column):
        start = mark.column - 1
        stretch = text[start : start + mark.length]
        if start >= end and stretch:
            pieces.append(escape(safe(text[end:start])))
            pieces.append(Markup('<mark class="{}">{}</mark>').format(label, safe(stretch)))
            end = start + mark.length
    return Markup().join((*pieces, escape(safe(text[end:]))))


def _corrections(report: Report, format: LoadedFormat) -> dict[tuple[int, int], dict[str, str]]:
    """The buttons that correct names that are unknown or mean several cards, where they stand in the list as read.

    By line and column, the names of cards with the values of their buttons, in which they are spelt for the notation.
    """
    corrections: dict[tuple[int, int], dict[str, str]] = {}
    lines, catalog = report.deck.lines, FewSuggestions(format.game_data.catalog, MOST_IN_LIST)
    for entry in report.deck.entries:
        line, column, written = entry.line, entry.column, entry.written
        text = lines[line - 1] if 0 < line <= len(lines) else ""
        if len(entry.cards) == 1 or not text.startswith(written, column - 1):
            continue
        names = [card.name for card in entry.cards] or catalog.suggest(written)
        if names and len(corrections) < MOST_CORRECTED:
            corrections[line, column] = {
                name: f"{line}:{column}:{len(written)}:{written}{spelt}"
                for name in names[:MOST_SUGGESTIONS]
                if (spelt := spelt_in(report.deck.notation, text[: column - 1], name)) is not None
            }
    return corrections
