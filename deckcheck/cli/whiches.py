"""`deckcheck which`: lists in, the formats in which they are legal out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from deckcheck.analysis.which import which
from deckcheck.checking.format_index import games_that_know, index_formats
from deckcheck.checking.session import CheckOptions, FormatCache, read_list
from deckcheck.checking.walk import DeckFile, find_decks
from deckcheck.cli.check import tell_first_time
from deckcheck.cli.project import language_of, project, wish_of
from deckcheck.cli.screen import Color, complain, output, tell_problems, wants_color, width_of
from deckcheck.decklists.decode import decode
from deckcheck.report.which import Fits, render_text
from deckcheck.report.which import render_json as render_json
from deckcheck.report.writer import RenderOptions
from deckcheck.support.errors import Problem, UserError, placed_at
from deckcheck.support.messages import _
from deckcheck.support.safetext import about

LEGAL, ILLEGAL, NOT_READ, UNDECIDED = 0, 1, 2, 3

_LEFT_OUT = _("left out, being no decklist or excluded")


class Asked(NamedTuple):
    """What stands on the command line beside the lists."""

    as_of: str | None = None
    best_of: int | None = None
    cards: tuple[str, ...] = ()
    lang: str | None = None
    output: Literal["text", "json"] = "text"
    color: Color = "auto"
    notation: str | None = None


def run(paths: Sequence[str], asked: Asked, *, config: str | None, isolated: bool) -> int:
    """Write for every list in which formats it is legal, and return the exit status.

    What could not be read goes to standard error. Raises UserError for
    settings that can't be used.
    """
    settings = project(paths, config=config, isolated=isolated)
    wish = wish_of(
        settings, as_of=asked.as_of, best_of=asked.best_of, cards=asked.cards, notation=asked.notation
    )
    lang = language_of(settings, asked.lang)
    tell_first_time(lang)
    as_text = asked.output == "text"
    look = RenderOptions(lang, as_text and wants_color(asked.color, sys.stdout), width_of(sys.stdout))
    fitting = make_fitting(wish)
    again = _options(asked, config, isolated)
    done: list[Fits] = []
    problems: dict[Problem, None] = {}
    passed_over: list[str] = []
    excluded: list[str] = []
    broken = False
    with output(None, exact=not as_text) as write:
        for item in find_decks(paths, passed_over, settings, excluded):
            try:
                if isinstance(item, UserError):
                    raise item
                fits, others = fitting(item)
            except UserError as error:
                fits, others, broken = None, error.problems, True
            new = [one for one in dict.fromkeys(others) if one not in problems]
            problems |= dict.fromkeys(new)
            if as_text:
                tell_problems(new, lang)
            if fits is not None:
                if as_text:
                    write(("\n" if done else "") + render_text(fits, look, again))
                done.append(fits)
        if not as_text:
            write(render_json(done, tuple(problems), lang))
    # That some of a folder is excluded is as it should be.
    left_out = passed_over or ([] if done or problems else excluded)
    if left_out:
        complain(about(_LEFT_OUT, left_out).in_(lang) + "\n")
    return _status(done, broken=broken, unsure=bool(problems))


def make_fitting(wish: CheckOptions) -> Callable[[DeckFile], tuple[Fits, tuple[Problem, ...]]]:
    """A function from a list to the formats it fits, and what is wrong with formats that can't be used.

    It raises UserError, placed, for a list that can't be read.
    """
    load = FormatCache(wish.folders).load

    def fitting(found: DeckFile) -> tuple[Fits, tuple[Problem, ...]]:
        shown = wish.shown_name(found.path)
        cards = wish.cards + found.cards
        problems: tuple[Problem, ...] = ()
        try:
            text = decode(read_list(found.path), shown)
            games = games_that_know(load, cards, lambda table: table.read(text, shown, wish.notation))
            shelf, problems = index_formats(load, wish.folders, cards, games)
            formats = [one.format for one in shelf]
            fits = which(
                text,
                shown,
                formats,
                as_of=wish.as_of,
                best_of=wish.best_of,
                settings=wish.settings_of(shown),
                notation=wish.notation,
            )
        except UserError as error:
            raise UserError([*placed_at(error, shown).problems, *problems]) from error
        return fits, problems

    return fitting


def _options(asked: Asked, config: str | None, isolated: bool) -> list[str]:
    """What `deckcheck check` needs to be asked the same."""
    said = [
        ("--as-of", asked.as_of),
        ("--best-of", None if asked.best_of is None else str(asked.best_of)),
        *(("--cards", file) for file in asked.cards),
        ("--notation", asked.notation),
        ("--config", config),
    ]
    options = [word for key, value in said if value is not None for word in (key, value)]
    return [*options, "--isolated"] if isolated else options


def _status(done: Sequence[Fits], *, broken: bool, unsure: bool) -> int:
    """The status of the run; `unsure` says that some format could not be asked."""
    verdicts = {fits.verdict for fits in done}
    if broken or (unsure and verdicts != {"legal"}):
        return NOT_READ
    return ILLEGAL if "illegal" in verdicts else UNDECIDED if "undecided" in verdicts else LEGAL
