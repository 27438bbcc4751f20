"""`deckcheck impact`: lists and two days in, the decks that change between them out."""

from collections.abc import Sequence
from typing import Annotated, Literal

import typer

from deckcheck.analysis.impact import (
    AnnouncementError,
    Comparison,
    Days,
    Impact,
    Impacts,
    render_json,
    render_markdown,
    render_text,
)
from deckcheck.checking.deck_files import DeckFile, find_decks
from deckcheck.checking.runs import for_each, protect_lists
from deckcheck.checking.session import CheckOptions
from deckcheck.cli import options as opt
from deckcheck.cli.help import OUTPUT, Command, examples
from deckcheck.cli.project import open_project
from deckcheck.cli.run import Run, Status
from deckcheck.formats.banlist_files import read_announcement, unused_announcement
from deckcheck.report.screen import Progress, render_options
from deckcheck.support.dates import day_of_option, today
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import N_, _
from deckcheck.support.terminal import show

_RENDERERS = {"text": render_text, "json": render_json, "markdown": render_markdown}

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(
    cls=Command,
    no_args_is_help=True,
    help=N_(
        "Find the decks whose verdict changes when the banlists change between two dates, and the entries that "
        "cause it."
    ),
    epilog=examples("deckcheck impact decks/ --to 2026-12-01", "deckcheck impact decks/ --to announced.yaml")
    + N_("Exit status: 0 no deck gets a worse verdict; 1 some deck does; 2 something could not be checked."),
)
def impact(
    ctx: typer.Context,
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH...",
            help=N_(
                "Decklist files, folders, or - for standard input. Dates given in a deck (# date: …) are ignored."
            ),
        ),
    ],
    to: Annotated[
        str,
        typer.Option(
            metavar="DATE|FILE.yaml",
            help=N_("The later day, or a banlist file with announced changes that are not yet in force."),
        ),
    ],
    from_: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="DATE", callback=opt.day, help=N_("The earlier day (default: today).")
        ),
    ] = None,
    on: Annotated[
        str | None,
        typer.Option(
            metavar="DATE",
            callback=opt.day,
            help=N_("The later day if --to is a file (default: the newest day in it)."),
        ),
    ] = None,
    format: opt.Format = None,
    best_of: opt.BestOf = None,
    cards: opt.Cards = None,
    games: opt.Games = None,
    notation: opt.Notation = None,
    config: opt.Config = None,
    output_format: Annotated[
        Literal["text", "json", "markdown"], typer.Option(rich_help_panel=OUTPUT, help=N_("Output format."))
    ] = "text",
    output: opt.Output = None,
    exit_zero: opt.ExitZero = False,
    color: opt.Color = "auto",
    _lang: opt.Lang = None,
) -> int:
    run: Run = ctx.obj
    options = CheckOptions(format, None, best_of, tuple(cards or ()), notation=notation)
    project = open_project(run, paths, options, games=games, config=config)
    days = _days(from_, to, on)
    announcement = days.announcement
    comparison = Comparison(project.options, days)
    items = list(find_decks(paths, settings=project.settings))
    protect_lists(output, items, *_files_of(days))
    impacts = _compare(items, comparison, days, run.lang)
    if announcement is not None and impacts.decks and announcement.banlist not in comparison.lists:
        raise unused_announcement(announcement, comparison.lists)
    as_text = output_format == "text"
    look = render_options(run.lang, color, file=output, plain=not as_text)
    show(_RENDERERS[output_format](impacts, look), exact=not as_text, file=output)
    if impacts.failed:
        return Status.ERROR
    worse = any(impact.worse for impact in impacts.impacts)
    return Status.PROBLEMS if worse and not exit_zero else Status.OK


def _compare(items: Sequence[DeckFile | UserError], comparison: Comparison, days: Days, lang: str) -> Impacts:
    progress, results = Progress(len(items), lang), list[Impact | None]()

    def work(file: DeckFile) -> None:
        results.append(comparison.compare(file))

    failed = for_each(items, progress, work, fatal=AnnouncementError)
    impacts = tuple(impact for impact in results if impact is not None)
    return Impacts(days, impacts, len(results), failed, tuple(progress.problems))


def _files_of(days: Days) -> list[str]:
    return [] if days.announcement is None else [days.announcement.path]


def _days(from_: str | None, to: str, on: str | None) -> Days:
    before = from_ or today().isoformat()
    announcement = None
    if to.lower().endswith((".yaml", ".yml")):
        announcement = read_announcement(to)
        after = on or announcement.newest
    elif on is not None:
        raise user_error(_("--on can only be used if --to is a file"))
    else:
        after = day_of_option("--to", to, hint=_("the name of a banlist file must end in .yaml"))
    if before > after:
        raise user_error(
            _("--from: {before} is after {after}", before=before, after=after),
            hint=_("use --from to set the earlier day (default: today)") if from_ is None else None,
        )
    return Days(before, after, announcement)
