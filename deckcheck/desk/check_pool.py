"""Checks lists for the pages, in a bounded pool of processes: questions in, answers in plain words out, with the lines of
the list, marked stretches and what is said of each.

A question and its answer are plain records, so that they pass between processes. Each process keeps the formats that
it has loaded.
"""

import asyncio
import os
import re
import signal
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache, partial
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from markupsafe import Markup
from msgspec import Meta, Struct, field
from msgspec.structs import replace
from starlette.exceptions import HTTPException

from deckcheck.analysis.repaired_lists import small_change
from deckcheck.checking.judge import LoadedFormat, check
from deckcheck.checking.session import CheckOptions, Session
from deckcheck.decklists.header import read_header
from deckcheck.formats.lookup import ENDINGS, format_id, is_bundled
from deckcheck.model.deck import Deck, Entry
from deckcheck.model.finding import Finding, Report, Verdict, singly
from deckcheck.report import json
from deckcheck.report.text import render_lists_briefly
from deckcheck.report.wording import GRAVEST_FIRST, LABELS, Label, label_of, notes
from deckcheck.report.writer import Mark, Places, RenderOptions, Results
from deckcheck.rewriting.conversion import TARGETS, convert
from deckcheck.support.dates import is_day
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import Words, _
from deckcheck.support.safe_text import safe
from deckcheck.support.templates import render

Result = TypeVar("Result")

MOST_WAITING = 1_000
"""The most checks that may be under way or waiting; a further one is refused."""

MOST_SECONDS = 10.0
"""How long a page waits for a check."""

MOST_SUGGESTIONS = 3
"""The most cards that are suggested for a name."""

LIST = "list"
"""The path of a pasted list in messages."""


class Question(Struct, frozen=True, forbid_unknown_fields=True):
    """A list to check, as in the JSON of the API. `format` and `as_of` are "" where the list is to say them."""

    text: str = field(name="list")
    format: str = ""
    as_of: str = ""
    lang: Literal["ja", "en"] = "en"
    best_of: Annotated[int, Meta(ge=1)] | None = None


class Correction(Struct, frozen=True):
    """A stretch of a line and the text to put there: 1-based line and column, both in code points."""

    line: int
    column: int
    length: int
    text: str

    @classmethod
    def parse(cls, value: str) -> "Correction | None":
        """The correction in the value of a button, `LINE:COLUMN:LENGTH:TEXT`; None if it is none."""
        match = re.fullmatch(r"(\d{1,7}):(\d{1,7}):(\d{1,7}):(.*)", value, re.ASCII)
        return None if match is None else cls(int(match[1]), int(match[2]), int(match[3]), match[4])

    def applied(self, text: str) -> str:
        """The list with the correction; as it is where the list has no such place."""
        lines = text.split("\n")
        if not 1 <= self.line <= len(lines):
            return text
        line = lines[self.line - 1]
        start = self.column - 1
        if start < 0 or start + self.length > len(line):
            return text
        lines[self.line - 1] = line[:start] + self.text + line[start + self.length :]
        return "\n".join(lines)


class Piece(Struct, frozen=True):
    """A stretch of a line, marked or not."""

    text: str
    label: Label | None = None


class MarkedLine(Struct, frozen=True):
    """A line of the list, with the findings that are told there."""

    number: int
    pieces: tuple[Piece, ...]
    findings: Sequence[Finding]
    label: Label | None
    """The gravest label of its marks."""


class Answer(Struct, frozen=True):
    """What a page says of a checked list."""

    verdict: Verdict
    about: tuple[Words | str, ...]
    """The format, its edition if there is one, and the day."""
    zones: tuple[tuple[Words | str, int], ...]
    """The copies in each zone."""
    listed: Markup
    """The list with its findings, as HTML."""
    lists: str
    """The banlists that were used, each with its newest change, in one line."""
    notations: tuple[str, ...]
    """The notations in which the deck can be written."""


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
        """The result of `function(options, *arguments)`. Raises what it raises, or HTTPException if there is no time."""
        limit = seconds or self._seconds
        executor = self._executor
        try:
            return await self._run_in(executor, limit, partial(function, self.options, *arguments))
        except BrokenProcessPool:
            # A process was killed, such as for want of memory; the others end with it.
            if self._executor is executor:
                self._executor = self._make()
            return await self._run_in(self._executor, limit, partial(function, self.options, *arguments))

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
    def of_processes(cls, options: CheckOptions, processes: int) -> "CheckPool":
        """A pool of processes that have opened the card tables before the first question."""
        # Forking a process that serves requests may copy locks that are held.
        spawn = get_context("spawn")
        make = partial(
            ProcessPoolExecutor, processes, mp_context=spawn, initializer=begin, initargs=(options,)
        )
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
    previous = signal.signal(signal.SIGALRM, _give_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return call()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def _give_up(_signal: int, _frame: object) -> None:
    raise TimeoutError


def begin(options: CheckOptions) -> None:
    """Begin a process of the pool, which ends with the server, even if that is killed."""
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent.sentinel,), daemon=True).start()
    open_games(options)


def _end_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


def open_games(options: CheckOptions) -> None:
    """Open the card tables, so that the first question need not wait for them."""
    session = _session(options)
    if options.format is not None:
        session.load(options.format)
        return
    # A broken game of the user's own is told to whoever chooses it.
    for _table in session.games():
        pass


def answer(options: CheckOptions, question: Question) -> Answer:
    """Check the list. Raises UserError."""
    format, report = _checked(options, question)
    lang = question.lang
    about = (report.format_name, report.edition, report.as_of)
    return Answer(
        report.verdict,
        tuple(part for part in about if part is not None),
        tuple((report.zone_names.get(zone, zone), size) for zone, size in report.sizes.items()),
        list_with_findings(report, format, lang, corrected=True),
        render_lists_briefly(report.lists, lang, color=False).strip(),
        TARGETS if report.fingerprint is not None else (),
    )


def json_answer(options: CheckOptions, question: Question) -> str:
    """The JSON report of `check --output-format json`. Raises UserError."""
    _format, report = _checked(options, question)
    results = Results(1)
    results.verdicts[report.verdict] += 1
    results.suppressed = len(report.suppressed)
    results.lists = dict.fromkeys(report.lists)
    look, parts = RenderOptions(question.lang), list[str]()
    json.write([json.record(report, look)], results, look, parts.append)
    return "".join(parts)


def written(options: CheckOptions, question: Question, notation: str) -> str:
    """The list in another notation. Raises UserError if it can't be read with certainty or would lose something."""
    format = _format_of(options, question)
    if notation not in TARGETS:
        raise user_error(_("there is no notation {notation!r}", notation=notation))
    return convert(format.game_data, question.text, LIST, notation, format=format).text


def smallest_change(options: CheckOptions, question: Question) -> str:
    """A small change that makes the deck legal, in words; "" if none is found. Raises UserError."""
    format, report = _checked(options, question)
    change = small_change(report, format, options.best_of or question.best_of, question.lang)
    return "" if change is None else change.text.rstrip("\n")


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
    id = format_id(reference, options.settings.folders)
    try:
        return session.load(id)
    except UserError:
        # A format that is mended meanwhile is loaded again.
        _session.cache_clear()
        raise


@lru_cache(maxsize=1)
def _session(options: CheckOptions) -> Session:
    """The formats that this process has loaded."""
    return Session(options)


def problems_of(error: UserError, lang: str) -> tuple[str, ...]:
    """What is wrong, one sentence each."""
    return tuple(problem.in_(lang) for problem in error.problems)


# The list with what is said of it


def list_with_findings(report: Report, format: LoadedFormat, lang: str, *, corrected: bool) -> Markup:
    """The findings about the deck as a whole and the list, each line with its findings, as HTML; `corrected`: with buttons."""
    text = render(
        "desk/list.html",
        lang,
        report=report,
        on_deck=[finding for finding in singly(report.findings) if finding.line is None],
        lines=_marked_lines(report),
        corrections=_corrections(report.deck, format) if corrected else {},
        labels=LABELS,
        label_of=label_of,
        notes=notes,
    )
    return Markup(text)


def _marked_lines(report: Report) -> list[MarkedLine]:
    """The lines of the list with its findings at their first lines and marks at all of theirs."""
    places = Places(report.deck)
    findings: dict[int, list[Finding]] = {}
    marks: dict[int, list[tuple[Mark, Label]]] = {}
    for finding in singly(report.findings):
        if finding.line is not None:
            findings.setdefault(finding.line, []).append(finding)
        for mark in places.of(finding):
            marks.setdefault(mark.line, []).append((mark, label_of(finding, lenient=False)))
    lines = []
    for number, text in enumerate(report.deck.lines, 1):
        line_marks = marks.get(number, [])
        gravest = min((label for _mark, label in line_marks), key=GRAVEST_FIRST.index, default=None)
        lines.append(MarkedLine(number, _pieces(text, line_marks), findings.get(number, ()), gravest))
    return lines


def _pieces(text: str, line_marks: Sequence[tuple[Mark, Label]]) -> tuple[Piece, ...]:
    """The line in pieces; marks that overlap an earlier one are left out."""
    pieces = []
    end = 0
    for mark, label in sorted(line_marks, key=lambda item: (item[0].column, GRAVEST_FIRST.index(item[1]))):
        start = mark.column - 1
        if start < end or mark.length == 0:
            continue
        pieces += [Piece(safe(text[end:start])), Piece(safe(text[start : start + mark.length]), label)]
        end = start + mark.length
    pieces.append(Piece(safe(text[end:])))
    return tuple(piece for piece in pieces if piece.text)


def _corrections(deck: Deck, format: LoadedFormat) -> Mapping[int, list[Correction]]:
    """What the names that are unknown or mean several cards may be, by line."""
    corrections: dict[int, list[Correction]] = {}
    for entry in deck.entries:
        if len(entry.cards) == 1 or not _stands_in(entry, deck):
            continue
        names = [card.name for card in entry.cards] or format.game_data.catalog.suggest(entry.written)
        corrections.setdefault(entry.line, []).extend(
            Correction(entry.line, entry.column, len(entry.written), name)
            for name in names[:MOST_SUGGESTIONS]
        )
    return corrections


def _stands_in(entry: Entry, deck: Deck) -> bool:
    """Whether the name stands in its line as it was read, so that it can be replaced there."""
    return 0 < entry.line <= len(deck.lines) and deck.lines[entry.line - 1].startswith(
        entry.written, entry.column - 1
    )
