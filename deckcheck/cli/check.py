"""`deckcheck check`: many lists in, results and an exit status out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Sequence
from contextlib import closing
from pathlib import Path
from typing import Literal

from deckcheck.batch import Item, OutputFormat, Request, check_paths
from deckcheck.cache import cache_folder
from deckcheck.cli.language import user_language
from deckcheck.cli.options import day
from deckcheck.cli.screen import (
    Color,
    Progress,
    Write,
    complain,
    is_terminal,
    output,
    tell_problems,
    wants_color,
    width_of,
)
from deckcheck.errors import Problem, wrong
from deckcheck.report.closing import Tally, render_lists, render_tally
from deckcheck.report.places import safe
from deckcheck.report.violation import ListUsed
from deckcheck.text import Text
from deckcheck.walk import STANDARD_INPUT, Found, find_decks

ALL_LEGAL, SOME_ILLEGAL, NOT_CHECKED, SOME_UNDECIDED = 0, 1, 2, 3

_FIRST_TIME = Text(
    "カード表を準備しています（初回だけ、少し時間がかかります）…",
    "preparing the card table (the first time only, this takes a moment)…",
)


def check_decks(
    paths: Sequence[str],
    *,
    format: str | None = None,
    as_of: str | None = None,
    best_of: int | None = None,
    output_format: OutputFormat = "text",
    output: str | None = None,
    lang: str | None = None,
    unknown: Literal["error", "warn"] = "error",
    color: Color = "auto",
    cards: Sequence[str] | None = None,
) -> int:
    """Do what the options of the command line ask for; see `run`."""
    request = Request(
        format=format,
        as_of=day(as_of),
        best_of=best_of,
        cards=tuple(cards or ()),
        output=output_format,
        lang=lang or user_language(),
        lenient=unknown == "warn",
    )
    return run(paths, request, file=output, color=color)


def run(paths: Sequence[str], request: Request, *, file: str | None = None, color: Color = "auto") -> int:
    """Check every list under `paths`, write the results, and return the exit status.

    What could not be checked goes to standard error. Raises UserError when
    the results can't be written.
    """
    stream = None if file is not None else sys.stdout
    passed_over: list[str] = []
    items = list(find_decks(paths, passed_over))
    if file is not None:
        _spare(file, items)
    if passed_over:
        complain(_passed_over(passed_over).in_(request.lang) + "\n")
    request = request._replace(
        color=request.output == "text" and wants_color(color, stream),
        width=width_of(stream),
        brief=len(items) > 1,
    )
    tell_first_time(request.lang)
    with output(file, exact=request.output == "json") as write:
        return _checked(items, request, write, apart=not is_terminal(stream))


def _passed_over(paths: Sequence[str]) -> Text:
    first, number = safe(paths[0]), len(paths)
    return Text(
        f"リストではないので調べていません: {first}" + (f" ほか{number - 1}件" if number > 1 else ""),
        f"not checked, being no decklist: {first}" + (f" and {number - 1} more" if number > 1 else ""),
    )


def _spare(file: str, items: Sequence[Item]) -> None:
    """Raises UserError when the results would be written over one of the lists."""
    target = Path(file)
    lists = [item.path for item in items if isinstance(item, Found) and item.path != STANDARD_INPUT]
    if target.exists() and any(target.samefile(path) for path in lists):
        ja = "調べるデッキそのものには書き込めません"
        raise wrong(ja, "this is one of the decks to check, so it won't be written over", path=file)


def tell_first_time(lang: str) -> None:
    """Tell whoever watches why nothing happens for a second, when no card table was made yet."""
    if is_terminal(sys.stderr) and not any(cache_folder().glob("*.sqlite")):
        complain(_FIRST_TIME.in_(lang) + "\n")


def _checked(items: Sequence[Item], request: Request, write: Write, *, apart: bool) -> int:
    """As `run`; `apart` says that results don't land on the terminal on which the progress bar stands."""
    begin, between, end = _frame(request)
    tally, failed = Tally(), 0
    lists: dict[ListUsed, None] = {}
    problems: dict[Problem, None] = {}
    held: set[str] = set()
    progress = Progress(len(items))
    first = True
    if begin:
        write(begin)
    with closing(check_paths(items, request)) as all_done:
        for done in all_done:
            new = [one for one in dict.fromkeys(done.problems) if one not in problems]
            if new or not apart:
                progress.clear()
            if done.texts:
                write(("" if first else between) + between.join(done.texts))
                first = False
            if new:
                tell_problems(new, request.lang)
            problems |= dict.fromkeys(new)
            lists |= dict.fromkeys(done.lists)
            held |= done.held
            tally = tally.plus(done.tally)
            failed += done.size - done.tally.decks
            progress.advance(done.size)
    progress.clear()
    write(end(tally, failed, list(lists), list(problems), held))
    if failed:
        return NOT_CHECKED
    if tally.illegal:
        return SOME_ILLEGAL
    return SOME_UNDECIDED if tally.undecided and not request.lenient else ALL_LEGAL


End = Callable[[Tally, int, Sequence[ListUsed], Sequence[Problem], Collection[str]], str]


def _frame(request: Request) -> tuple[str, str, End]:
    """What stands before all decks, between two, and after the last."""
    lang = request.lang
    if request.output == "json":
        from deckcheck.report import jsonfile
        from deckcheck.version import VERSION

        def close(
            tally: Tally,
            failed: int,  # noqa: ARG001 - the errors tell
            lists: Sequence[ListUsed],
            problems: Sequence[Problem],
            held: Collection[str],  # noqa: ARG001 - all changes are in the lists
        ) -> str:
            return jsonfile.closing(tally, lists, problems, lang)

        return jsonfile.opening("deckcheck", VERSION), jsonfile.SEPARATOR, close

    def end(
        tally: Tally,
        failed: int,
        lists: Sequence[ListUsed],
        problems: Sequence[Problem],  # noqa: ARG001 - they went to standard error
        held: Collection[str],
    ) -> str:
        if not tally.decks:
            return ""
        said = render_lists(lists, held, lang, color=request.color)
        return said + render_tally(tally, failed, lang) if request.brief else said

    return "", "", end
