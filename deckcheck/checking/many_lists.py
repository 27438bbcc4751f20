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
from deckcheck.checking.session import CheckOptions, Session
from deckcheck.model.finding import FindingId, Report
from deckcheck.model.format import Severity
from deckcheck.report.findings import own_file
from deckcheck.report.text import Progress, outdated_lines, own_lines
from deckcheck.report.writer import (
    DESCRIBE_RULES,
    FOR_PEOPLE,
    ONLY_FINDINGS,
    OUTPUT_FORMATS,
    Output,
    RenderOptions,
    Results,
    output_named,
)
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import protect_inputs
from deckcheck.support.messages import _, series
from deckcheck.support.terminal import is_terminal, output, write_paths, write_stderr

ENOUGH = 300
"""The number of lists from which several processes are worthwhile."""

_CHUNK = 64
_AHEAD = 4
"""How many chunks wait for each process, so that none is idle and few results are held."""

Item = DeckFile | UserError
"""A list, or why there is none."""


def single_list(path: str) -> DeckFile:
    """The list at that path. Raises UserError if it doesn't exist, is a folder, or isn't a list."""
    if path != STANDARD_INPUT and Path(path).is_dir():
        raise user_error(_("this is a folder; name a single file"), path=path)
    for file in find_decks([path]):
        if isinstance(file, UserError):
            raise file
        return file
    raise user_error(_("not a decklist"), path=path)


def protect_lists(target: str | None, items: Iterable[Item], *others: str) -> None:
    """Raises UserError if an output would overwrite one of the lists of a run, or another file that it reads."""
    lists = (item.path for item in items if isinstance(item, DeckFile) and item.path != STANDARD_INPUT)
    protect_inputs(target, map(Path, (*lists, *others)))


def for_each(
    items: Sequence[Item],
    progress: Progress,
    work: Callable[[DeckFile], None],
    *,
    fatal: type[UserError] | tuple[()] = (),
    quiet: bool = False,
) -> int:
    """Do `work` for each list; returns how many failed. Shows their errors unless `quiet`; raises `fatal` ones."""
    failed, skipped = 0, list[str]()
    for item in items:
        try:
            if isinstance(item, UserError):
                raise item
            work(item)
        except fatal:
            progress.clear()
            raise
        except NotADecklistError as error:
            skipped.append(error.path)
        except UserError as error:
            failed += 1
            progress.write_messages(error.problems, quiet=quiet)
        progress.advance()
    progress.clear()
    write_paths(_("Skipped (not a decklist)"), skipped, progress.lang)
    return failed


# Checking


class Request(Struct, frozen=True):
    """How to check lists and render the reports.

    `output` and `reports`, further outputs of the same run which are always plain, are among OUTPUT_FORMATS.
    """

    check: CheckOptions = CheckOptions()
    output: str = "text"
    render: RenderOptions = RenderOptions()
    reports: tuple[str, ...] = ()

    def outputs(self) -> list[tuple[Output, RenderOptions]]:
        """Each output with its options."""
        plain = RenderOptions(self.render.lang, lenient=self.render.lenient, brief=self.render.brief)
        return [
            (output_named(self.output), self.render),
            *((output_named(name), plain) for name in self.reports),
        ]


def reports_of(values: Sequence[str], output: str | None) -> dict[str, str]:
    """The formats of further reports by their files. Raises UserError for an unknown one or a file named twice."""
    by_file: dict[str, str] = {}
    places = set[str]() if output is None else {os.path.realpath(output)}
    for value in values:
        format, _equals, file = value.partition("=")
        if format not in OUTPUT_FORMATS or not file:
            hint = _("write FORMAT=FILE with one of {formats}", formats=series(OUTPUT_FORMATS))
            raise user_error(_("--report: “{value}” names no format and file", value=value), hint=hint)
        place = os.path.realpath(file)
        if place in places:
            raise user_error(_("--report: two reports would be written to this file"), path=file)
        places.add(place)
        by_file[file] = format
    return by_file


def check_lists(items: Sequence[Item], request: Request, files: Sequence[str | None]) -> Results:
    """Check the lists and write the results, each output of the request to its file (None: standard output)."""
    total, progress = Results(), Progress(len(items), request.render.lang)
    # Results on the same terminal would be mixed with the bar.
    beside_bar = files[0] is None and is_terminal(sys.stdout)
    outputs = request.outputs()
    # The first output is written as its records come, the reports at the end.
    kept: list[list[Any]] = [[] for _output in outputs]
    with ExitStack() as stack:
        names = (request.output, *request.reports)
        streams = [
            stack.enter_context(output(file, exact=name not in FOR_PEOPLE))
            for name, file in zip(names, files, strict=True)
        ]
        batches = stack.enter_context(closing(check_paths(items, request)))

        def records() -> Iterator[Any]:
            for results in batches:
                if beside_bar:
                    progress.clear()
                for of_deck in results.records:
                    yield of_deck[0]
                    for number, record in enumerate(of_deck):
                        if number:
                            kept[number].append(record)
                progress.write_messages(results.problems)
                total.add(results)
                progress.advance(results.size)
            progress.clear()

        for number, ((writer, options), write) in enumerate(zip(outputs, streams, strict=True)):
            writer.write(kept[number] if number else records(), total, options, write)
    if request.output in ONLY_FINDINGS:
        lang = request.render.lang
        beside = [*own_lines(total, lang), *outdated_lines(total.lists, lang)]
        write_stderr("".join(f"{line}\n" for line in beside))
    return total


def check_paths(
    items: Sequence[Item], request: Request, *, processes: int | None = None
) -> Generator[Results, None, None]:
    """Check the results of `find_decks`, in order, by several processes (default: by the number of lists).

    A list that can't be checked is a problem in the results. Close the generator to stop early.
    """
    batch, wanted = _Batch(request), processes
    if wanted is None:
        wanted = processors() if len(items) >= ENOUGH else 1
    if wanted < 2 or not hasattr(os, "fork"):
        # One at a time, so that the first result is immediate.
        for item in items:
            yield batch.run([item])
        return
    # The first lists, and standard input, are checked here, so that child processes inherit the loaded formats.
    alone = _CHUNK
    for place, item in enumerate(items, start=1):
        if isinstance(item, DeckFile) and item.path == STANDARD_INPUT:
            alone = max(alone, place)
    for start in range(0, min(alone, len(items)), _CHUNK):
        yield batch.run(items[start : min(start + _CHUNK, alone)])
    chunks = [items[start : start + _CHUNK] for start in range(alone, len(items), _CHUNK)]
    if chunks:
        yield from _in_processes(batch, chunks, wanted)


def _in_processes(
    batch: _Batch, chunks: Sequence[Sequence[Item]], processes: int
) -> Generator[Results, None, None]:
    """The results for the chunks, in order, by forked processes, which run at most a few chunks ahead."""
    from concurrent.futures import Future, ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    executor = ProcessPoolExecutor(processes, get_context("fork"), _begin_work, (batch,))
    waiting: deque[Future[Results]] = deque()
    left = iter(chunks)
    try:
        while True:
            for chunk in islice(left, _AHEAD * processes - len(waiting)):
                waiting.append(executor.submit(_work, chunk))
            if not waiting:
                return
            yield waiting.popleft().result()
    except BrokenProcessPool as error:
        raise user_error(_("a process of the run was ended before its work was done")) from error
    finally:
        executor.shutdown(cancel_futures=True)


_batches: list[_Batch] = []
"""In a child process, what checks its lists; it isn't sent with each chunk, since it holds the formats."""


def _begin_work(batch: _Batch) -> None:
    # ^C reaches the children, too; the parent ends them.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _batches.append(batch)


def _work(chunk: Sequence[Item]) -> Results:
    return _batches[0].run(chunk)


def processors() -> int:
    """The number of processors that this process may use."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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


class _Batch:
    """Checks lists with one session and one set of writers."""

    def __init__(self, request: Request) -> None:
        self._session = Session(request.check)
        self._outputs = request.outputs()
        self._wants_rules = not DESCRIBE_RULES.isdisjoint((request.output, *request.reports))
        self._described: set[tuple[str, str]] = set()

    def run(self, items: Sequence[Item]) -> Results:
        """The results of these lists."""
        results = Results(len(items))
        lists = None
        for item in items:
            try:
                if isinstance(item, UserError):
                    raise item
                opened = self._session.open(item)
                report = opened.check()
            except NotADecklistError as error:
                results.size -= 1
                results.skipped.append(error.path)
                continue
            except UserError as error:
                results.problems |= dict.fromkeys(error.problems)
                continue
            report = _without_own_facts(report, results)
            results.records.append(tuple(output.record(report, options) for output, options in self._outputs))
            results.verdicts[report.verdict] += 1
            results.suppressed += len(report.suppressed)
            if report.lists is not lists:
                lists = report.lists
                results.lists |= dict.fromkeys(lists)
            # Lists may name different format files with the same id.
            format, game = opened.format.format, opened.format.game_data.game
            key = (format.id, format.source.path)
            if self._wants_rules and key not in self._described:
                from deckcheck.formats.description import rule_infos

                self._described.add(key)
                results.rules |= dict.fromkeys(rule_infos(format, game))
        return results
