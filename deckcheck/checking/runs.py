"""Runs over many lists: work for each with its errors told, and a check that writes its results to several outputs."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from deckcheck.checking.deck_files import STANDARD_INPUT, DeckFile, NotADecklistError, find_decks
from deckcheck.checking.session import Item, Request, check_paths
from deckcheck.report.screen import Progress
from deckcheck.report.text import outdated_lines, own_lines
from deckcheck.report.writer import FOR_PEOPLE, OUTPUT_FORMATS, TELL_OUTDATED_LISTS, TELL_OWN_FACTS, Results
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import protect_inputs
from deckcheck.support.messages import _, series
from deckcheck.support.terminal import is_terminal, output, write_paths, write_stderr


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
    write_stderr("".join(f"{line}\n" for line in _lines_beside(total, request)))
    return total


def _lines_beside(total: Results, request: Request) -> list[str]:
    """What is said of the run and has no place in the output."""
    lines: list[str] = []
    if request.output not in TELL_OWN_FACTS:
        lines += own_lines(total, request.render.lang)
    if request.output not in TELL_OUTDATED_LISTS:
        lines += outdated_lines(total.lists, request.render.lang)
    return lines
