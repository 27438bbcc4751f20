"""Check many lists: each one alone, in order, on all processors where there are enough of them."""

import os
import sys
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from deckcheck.checking import LoadedFormat, Table, check, load_format
from deckcheck.decklists.decode import decode
from deckcheck.decklists.header import read_header
from deckcheck.errors import Problem, UserError, wrong
from deckcheck.files import MOST_BYTES
from deckcheck.report.closing import Tally, tally_of
from deckcheck.report.violation import ListUsed, Report, Verdict
from deckcheck.text import Text
from deckcheck.walk import STANDARD_INPUT, Found

ENOUGH = 300
"""From so many lists on, starting more processes costs less than it saves."""

MOST_TABLES = 4
"""Decks with cards of their own need a card table of their own; so many are held at a time."""

_CHUNK = 64
_PIECE = 256 * 1024


OutputFormat = Literal["text", "json"]


class Request(NamedTuple):
    """How lists are to be checked, and how each is to be told.

    `format` None: as each list says itself. `lenient` shows what is unknown as
    a warning, `brief` tells a deck without findings in one line.
    """

    format: str | None = None
    as_of: str | None = None
    best_of: int | None = None
    cards: tuple[str, ...] = ()
    output: OutputFormat = "text"
    lang: str = "en"
    color: bool = False
    width: int = 100
    lenient: bool = False
    brief: bool = False


class Done(NamedTuple):
    """What became of some lists: one text a deck, and what the end of a run tells of them together.

    `size` counts the lists that were looked at, those with problems included;
    `held` names cards in the decks of which a list tells a change that was not
    applied.
    """

    size: int
    texts: tuple[str, ...]
    tally: Tally
    problems: tuple[Problem, ...]
    lists: tuple[ListUsed, ...]
    held: frozenset[str]


Item = Found | UserError
Check = Callable[[Sequence[Item]], Done]


def check_paths(
    items: Sequence[Item], request: Request, *, processes: int | None = None
) -> Generator[Done, None, None]:
    """Check every list, in order; the results of one list never hang on the others.

    `items` come from `walk.find_decks`. `processes` says how many to use
    (default: as many as there are processors, for many lists only). A list
    that can't be checked is a problem in its Done. Close the generator when
    you leave it early: other processes may be at work for it.
    """
    run = _checker(request)
    if processes is None and len(items) < ENOUGH:
        # One by one, so that the first result is there at once.
        return (run([item]) for item in items)
    from deckcheck.workers import can_fork, processors

    wanted = processors() if processes is None else processes
    if wanted < 2 or not can_fork():
        return (run([item]) for item in items)
    return _side_by_side(items, run, wanted)


def _side_by_side(items: Sequence[Item], run: Check, processes: int) -> Generator[Done, None, None]:
    from deckcheck.workers import in_order

    # What the other processes inherit they need not load: the format, the cards met so far. Standard input
    # is this process's alone.
    alone = _CHUNK
    for at, item in enumerate(items):
        if isinstance(item, Found) and item.path == STANDARD_INPUT:
            alone = max(alone, at + 1)
    for at in range(0, min(alone, len(items)), _CHUNK):
        yield run(items[at : min(at + _CHUNK, alone)])
    rest = [items[at : at + _CHUNK] for at in range(alone, len(items), _CHUNK)]
    if rest:
        yield from in_order(run, rest, processes)


def _checker(request: Request) -> Check:
    """A function that checks lists one after the other; it keeps the formats that it met."""
    tables: dict[tuple[str, ...], dict[str, Table]] = {}
    formats: dict[tuple[str, tuple[str, ...]], LoadedFormat | UserError] = {}
    tell = _teller(request)

    def load(reference: str, cards: tuple[str, ...]) -> LoadedFormat:
        found = formats.get((reference, cards))
        if found is None:
            while len(tables) >= MOST_TABLES and cards not in tables:
                oldest = next(iter(tables))
                del tables[oldest]
                for key in [key for key in formats if key[1] == oldest]:
                    del formats[key]
            try:
                found = load_format(
                    reference, cards=[Path(path) for path in cards], tables=tables.setdefault(cards, {})
                )
            except UserError as error:
                found = error
            formats[reference, cards] = found
        if isinstance(found, UserError):
            raise found
        return found

    def one(found: Found) -> Report:
        text = decode(_read(found.path), found.path)
        reference = request.format or _own_format(text, found.path)
        format = load(reference, request.cards + found.cards)
        deck = format.table.read(text, found.path)
        if not deck.entries and not deck.remarks:
            raise wrong("カードが1枚も書かれていません", "no card is listed here", path=found.path)
        return check(deck, format, as_of=request.as_of, best_of=request.best_of)

    def run(items: Sequence[Item]) -> Done:
        texts: list[str] = []
        verdicts: list[Verdict] = []
        problems: list[Problem] = []
        lists: dict[ListUsed, None] = {}
        held: set[str] = set()
        unapplied: set[str] = set()
        used: tuple[ListUsed, ...] | None = None
        for item in items:
            try:
                if isinstance(item, UserError):
                    raise item
                report = one(item)
            except UserError as error:
                path = item.path if isinstance(item, Found) else None
                problems += (_placed(problem, path) for problem in error.problems)
                continue
            texts.append(tell(report))
            verdicts.append(report.verdict)
            if report.lists is not used:
                used = report.lists
                lists |= dict.fromkeys(used)
                unapplied = {change.card for one in used for change in one.unapplied}
            if unapplied:
                held |= unapplied & {card.name for entry in report.deck.entries for card in entry.cards}
        return Done(
            len(items), tuple(texts), tally_of(verdicts), tuple(problems), tuple(lists), frozenset(held)
        )

    return run


def _teller(request: Request) -> Callable[[Report], str]:
    lang = request.lang
    if request.output == "json":
        from deckcheck.report.jsonfile import fragment

        return lambda report: fragment(report, lang)
    from deckcheck.report.text import render, verdict_line

    def tell(report: Report) -> str:
        if request.brief and not report.findings:
            return verdict_line(report, lang, color=request.color)
        said = render(report, lang, color=request.color, width=request.width, lenient=request.lenient)
        return said + "\n" if request.brief else said

    return tell


def _read(path: str) -> bytes:
    """The bytes of a list; as files.read_bytes, with less around it and for standard input too."""
    try:
        if path == STANDARD_INPUT:
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
            try:
                data = _all_of(handle)
            finally:
                os.close(handle)
    except OSError as error:
        reason = error.strerror or str(error)
        raise wrong(f"読めません: {reason}", f"can't be read: {reason}", path=path) from error
    if len(data) > MOST_BYTES:
        raise wrong(
            f"大きすぎます（{MOST_BYTES:,}バイトまで）",
            f"too large (at most {MOST_BYTES:,} bytes)",
            path=path,
        )
    return data


def _all_of(handle: int) -> bytes:
    parts = [os.read(handle, _PIECE)]
    size = len(parts[0])
    # A pipe gives what it has, not what was asked for.
    while parts[-1] and size <= MOST_BYTES:
        parts.append(os.read(handle, _PIECE))
        size += len(parts[-1])
    return b"".join(parts)


def _own_format(text: str, path: str) -> str:
    """The format that a list names in its header; a file is looked for beside the list."""
    reference = read_header(text).get("format")
    if not reference:
        raise wrong(
            "フォーマットが分かりません",
            "no format",
            path=path,
            hint=Text(
                "--format で指定するか、リストの先頭に「# format: 名前」と書いてください",
                "give --format, or a line “# format: NAME” at the top of the list",
            ),
        )
    if reference.endswith((".yaml", ".yml")) and path != STANDARD_INPUT:
        return str(Path(path).parent / reference)
    return reference


def _placed(problem: Problem, path: str | None) -> Problem:
    """The problem with the path of the list, where it doesn't name a file of its own."""
    if problem.path is not None or path is None:
        return problem
    return Problem(problem.message, path, problem.line, problem.column, problem.excerpt, problem.hint)
