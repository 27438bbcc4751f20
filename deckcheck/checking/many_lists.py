"""Runs over many lists: work for each with its errors told, and a check by several processes, written to several outputs."""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.checking.deck_files import STANDARD_INPUT, DeckFile, NotADecklistError, find_decks
from deckcheck.checking.judge import LoadedFormat
from deckcheck.checking.session import CheckOptions, Session
from deckcheck.model.finding import FindingId, Report
from deckcheck.model.format import Severity
from deckcheck.report.findings import own_file
from deckcheck.report.results import (
    DESCRIBE_RULES,
    FOR_PEOPLE,
    ONLY_FINDINGS,
    OUTPUT_FORMATS,
    RenderOptions,
    Results,
    output_named,
)
from deckcheck.report.text import Progress, outdated_lines, own_lines
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import protect_inputs, real_path
from deckcheck.support.messages import _, series
from deckcheck.support.terminal import is_terminal, output, write_paths, write_stderr

ENOUGH = 300
"""The number of lists from which several processes are worthwhile."""

_CHUNK, _AHEAD = 64, 4
"""How many lists a process gets at once, and how many chunks for each process may be under way or wait to be written."""

_SHARE = 32
"""One in so many lists is checked before other processes begin, at least a chunk."""

Item = DeckFile | UserError
"""A list, or why there is none."""


def single_list(path: str) -> DeckFile:
    """The list at that path. Raises UserError if it doesn't exist, is a folder, or isn't a list."""
    if path != STANDARD_INPUT and Path(path).is_dir():
        raise user_error(_("this is a folder; name a single file"), path=path)
    file = next(find_decks([path]))
    if isinstance(file, UserError):
        raise file
    return file


def protect_lists(outputs: str | Iterable[str] | None, items: Iterable[Item], *others: str) -> None:
    """Raises UserError if an output would overwrite one of the lists of a run, or another file that it reads."""
    lists = (item.path for item in items if isinstance(item, DeckFile) and item.path != STANDARD_INPUT)
    protect_inputs(outputs, map(Path, (*lists, *others)))


def for_each(items: Sequence[Item], progress: Progress, work: Callable[[DeckFile], None]) -> int:
    """Do `work` for each list, and tell the errors; returns how many failed."""
    failed, skipped = 0, list[str]()
    for item in items:
        try:
            if isinstance(item, UserError):
                raise item
            work(item)
        except NotADecklistError as error:
            skipped.append(error.path)
        except UserError as error:
            failed += 1
            progress.write_messages(error.problems)
        progress.advance()
    progress.clear()
    write_paths(_("Skipped (not a decklist)"), skipped, progress.lang)
    return failed


# Checking


class Target(Struct, frozen=True):
    """An output of a run: its format of OUTPUT_FORMATS, how results look in it, and its file (None: standard output)."""

    format: str = "text"
    look: RenderOptions = RenderOptions()
    file: str | None = None


def targets_of(first: Target, reports: Sequence[str]) -> list[Target]:
    """The first output, then the plain ones of `--report FORMAT=FILE`. Raises UserError for a wrong one or a file named twice."""
    targets = [first]
    look = RenderOptions(first.look.lang, lenient=first.look.lenient, brief=first.look.brief)
    for value in reports:
        format, _equals, file = value.partition("=")
        if format not in OUTPUT_FORMATS or not file:
            hint = _("write FORMAT=FILE with one of {formats}", formats=series(OUTPUT_FORMATS))
            raise user_error(_("--report: “{value}” names no format and file", value=value), hint=hint)
        if real_path(file) in [real_path(target.file) for target in targets if target.file is not None]:
            raise user_error(_("--report: two reports would be written to this file"), path=file)
        targets.append(Target(format, look, file))
    return targets


def check_lists(items: Sequence[Item], options: CheckOptions, targets: Sequence[Target]) -> Results:
    """Check the lists and write the results to each target; to the first as they come, to the others at the end.

    A list that can't be checked is a problem in the results.
    """
    first, total = targets[0], Results()
    progress = Progress(len(items), first.look.lang)
    # Results on the same terminal would be mixed with the bar.
    beside_bar = first.file is None and is_terminal(sys.stdout)
    kept: list[tuple[Any, ...]] = []
    with ExitStack() as stack:
        streams = [
            stack.enter_context(output(target.file, exact=target.format not in FOR_PEOPLE))
            for target in targets
        ]
        batches = stack.enter_context(closing(_checked(items, _Checker(options, targets))))

        def records() -> Iterator[Any]:
            for results in batches:
                if beside_bar:
                    progress.clear()
                for of_first, *of_others in results.records:
                    yield of_first
                    if of_others:
                        kept.append(tuple(of_others))
                progress.write_messages(results.problems)
                total.add(results)
                progress.advance(results.decks + results.failed + len(results.skipped))
            progress.clear()

        output_named(first.format).write(records(), total, first.look, streams[0])
        for number, target in enumerate(targets[1:]):
            of_target = (record[number] for record in kept)
            output_named(target.format).write(of_target, total, target.look, streams[number + 1])
    if first.format in ONLY_FINDINGS:
        lines = [*own_lines(total, first.look.lang), *outdated_lines(total.lists, first.look.lang)]
        write_stderr("".join(f"{line}\n" for line in lines))
    return total


class _Checker:
    """Checks lists with one session, and makes of each report what the targets need."""

    def __init__(self, options: CheckOptions, targets: Sequence[Target]) -> None:
        self._session, self._targets = Session(options), targets
        self._outputs = [output_named(target.format) for target in targets]
        self._wants_rules = not DESCRIBE_RULES.isdisjoint(target.format for target in targets)
        self._described: set[LoadedFormat] = set()

    def results_of(self, items: Sequence[Item]) -> Results:
        """The results of these lists."""
        results = Results()
        for item in items:
            try:
                if isinstance(item, UserError):
                    raise item
                opened = self._session.open(item)
                report = opened.check()
            except NotADecklistError as error:
                results.skipped.append(error.path)
                continue
            except UserError as error:
                results.failed += 1
                results.problems |= dict.fromkeys(error.problems)
                continue
            report = _without_own_facts(report, results)
            results.records.append(
                tuple(
                    written.record(report, target.look)
                    for written, target in zip(self._outputs, self._targets, strict=True)
                )
            )
            results.add_report(report)
            if self._wants_rules and opened.format not in self._described:
                from deckcheck.formats.description import rule_infos

                self._described.add(opened.format)
                rules = rule_infos(opened.format.format, opened.format.game_data.game)
                results.rules |= dict.fromkeys(rules)
        return results


def _without_own_facts(report: Report, results: Results) -> Report:
    """The report without what is said once for the whole run, which goes to its results."""
    own = [
        finding
        for finding in report.findings
        if finding.rule == FindingId.OWN_FACTS and finding.severity == Severity.INFO
    ]
    if not own:
        return report
    files = {card.name: own_file(card) for entry in report.deck.entries for card in entry.cards}
    for name in (card.name for finding in own for card in finding.cards):
        results.own_facts.setdefault(files[name], set()).add(name)
    return replace(report, findings=tuple(finding for finding in report.findings if finding not in own))


# Several processes


def processors() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _checked(items: Sequence[Item], checker: _Checker) -> Generator[Results, None, None]:
    """The results of lists, in order, by several processes if there are enough. Close it to stop early."""
    if len(items) >= ENOUGH and processors() > 1 and hasattr(os, "fork"):
        # The first lists are checked here, so that child processes inherit the formats and cards that they load.
        first = max(_CHUNK, len(items) // _SHARE)
        yield checker.results_of(items[:first])
        yield from _by_processes(items[first:], checker)
        return
    # One at a time, so that the first result is immediate.
    for item in items:
        yield checker.results_of([item])


def _by_processes(items: Sequence[Item], checker: _Checker) -> Generator[Results, None, None]:
    from concurrent.futures import Future, ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    executor = ProcessPoolExecutor(processors(), get_context("fork"), _begin_work, (checker,))
    chunks = (items[start : start + _CHUNK] for start in range(0, len(items), _CHUNK))
    # Results wait here for those before them.
    window: deque[Future[Results]] = deque()

    def begun(chunk: Sequence[Item]) -> Future[Results]:
        if not any(isinstance(item, DeckFile) and item.path == STANDARD_INPUT for item in chunk):
            return executor.submit(_work, chunk)
        # Child processes have no standard input.
        future = Future[Results]()
        future.set_result(checker.results_of(chunk))
        return future

    try:
        while True:
            for chunk in islice(chunks, _AHEAD * processors() - len(window)):
                window.append(begun(chunk))
            if not window:
                return
            yield window.popleft().result()
    except BrokenProcessPool as error:
        raise user_error(_("a process of the run was ended before its work was done")) from error
    finally:
        executor.shutdown(cancel_futures=True)


_checkers: list[_Checker] = []
"""In a child process, what checks its lists; it isn't sent with each chunk, since it holds the formats."""


def _begin_work(checker: _Checker) -> None:
    # ^C reaches the children, too; the parent ends them.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _checkers.append(checker)


def _work(chunk: Sequence[Item]) -> Results:
    return _checkers[0].results_of(chunk)
