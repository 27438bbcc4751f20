"""`deckcheck which`: lists in, the formats in which they are legal out."""

# The annotations are read by typer, so they are no strings here.

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from deckcheck.cli.errors import command
from deckcheck.cli.options import (
    AsOf,
    BestOf,
    Cards,
    ColorChoice,
    Config,
    Isolated,
    JsonOrText,
    Lang,
    Notation,
)
from deckcheck.support.messages import _

if TYPE_CHECKING:
    from deckcheck.report.which import Fits

LEGAL, ILLEGAL, NOT_READ, UNDECIDED = 0, 1, 2, 3


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "which",
        no_args_is_help=True,
        help=_("Find the formats in which a deck is legal, and what keeps it out of the others.").key,
        epilog=_(
            "Exit status: 0 every deck is legal in some format; 1 some deck is legal in none; 2 something could not be "
            "read; 3 no deck is illegal everywhere, but some are undecided."
        ).key,
    )(which)


@command
def which(
    decks: Annotated[
        list[str],
        typer.Argument(metavar="DECK...", help=_("Decklist files, folders, or - for standard input.").key),
    ],
    as_of: AsOf = None,
    best_of: BestOf = None,
    output_format: JsonOrText = "text",
    lang: Lang = None,
    color: ColorChoice = "auto",
    cards: Cards = None,
    notation: Notation = None,
    config: Config = None,
    isolated: Isolated = False,
) -> int:
    import sys

    from deckcheck.analysis.which import Fitting
    from deckcheck.checking.walk import find_decks
    from deckcheck.cli.project import check_options, language_of, project_settings
    from deckcheck.cli.terminal import (
        output,
        tell_first_time,
        tell_paths,
        tell_problems,
        wants_color,
        width_of,
    )
    from deckcheck.report.which import render_json, render_text
    from deckcheck.report.writer import RenderOptions
    from deckcheck.support.errors import Problem, UserError

    settings = project_settings(decks, config=config, isolated=isolated)
    options = check_options(settings, as_of=as_of, best_of=best_of, cards=cards, notation=notation)
    spoken = language_of(settings, lang)
    tell_first_time(spoken)
    as_text = output_format == "text"
    look = RenderOptions(spoken, as_text and wants_color(color, sys.stdout), width_of(sys.stdout))
    repeated = _as_words(as_of, best_of, cards or (), notation, config, isolated)
    fitting = Fitting(options)
    done: list[Fits] = []
    problems: dict[Problem, None] = {}
    skipped: list[str] = []
    excluded: list[str] = []
    broken = False
    with output(None, exact=not as_text) as write:
        for item in find_decks(decks, skipped, settings, excluded):
            try:
                if isinstance(item, UserError):
                    raise item
                fits, others = fitting.fit(item)
            except UserError as error:
                fits, others, broken = None, error.problems, True
            new = [problem for problem in dict.fromkeys(others) if problem not in problems]
            problems |= dict.fromkeys(new)
            if as_text:
                tell_problems(new, spoken)
            if fits is not None:
                if as_text:
                    write(("\n" if done else "") + render_text(fits, look, repeated))
                done.append(fits)
        if not as_text:
            write(render_json(done, tuple(problems), spoken))
    # That some of a folder is excluded is as it should be.
    tell_paths(
        _("Skipped (not a decklist, or excluded)"), skipped or ([] if done or problems else excluded), spoken
    )
    return _status(done, broken=broken, unsure=bool(problems))


def _as_words(
    as_of: str | None,
    best_of: int | None,
    cards: Sequence[str],
    notation: str | None,
    config: str | None,
    isolated: bool,
) -> list[str]:
    """The options that `deckcheck check` needs for the same result."""
    pairs = [
        ("--as-of", as_of),
        ("--best-of", None if best_of is None else str(best_of)),
        *(("--cards", file) for file in cards),
        ("--notation", notation),
        ("--config", config),
    ]
    words = [word for name, value in pairs if value is not None for word in (name, value)]
    return [*words, "--isolated"] if isolated else words


def _status(done: "Sequence[Fits]", *, broken: bool, unsure: bool) -> int:
    """The status of the run; `unsure` says that some format could not be tried."""
    verdicts = {fits.verdict for fits in done}
    if broken or (unsure and verdicts != {"legal"}):
        return NOT_READ
    return ILLEGAL if "illegal" in verdicts else UNDECIDED if "undecided" in verdicts else LEGAL
