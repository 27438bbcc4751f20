"""`deckcheck impact`: lists and two days in, the decks that change between them out."""

from typing import Annotated, Literal

import typer

from deckcheck.analysis.impact import compare_lists, days_between, render_json, render_markdown, render_text
from deckcheck.checking.deck_files import find_decks
from deckcheck.checking.many_lists import protect_lists
from deckcheck.checking.session import CheckOptions
from deckcheck.cli import options as opt
from deckcheck.cli.help import App
from deckcheck.cli.run import Run, Status
from deckcheck.report.text import render_options
from deckcheck.support.messages import N_
from deckcheck.support.terminal import show

_RENDERERS = {"text": render_text, "json": render_json, "markdown": render_markdown}

app = App()


@app.command(
    help=N_(
        "Find the decks whose verdict changes when the banlists change between two dates, and the entries that "
        "cause it. Exit status 1 means that some deck gets a worse verdict."
    ),
    epilog="deckcheck impact decks/ --to 2026-12-01\ndeckcheck impact decks/ --to announced.yaml",
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
    format: opt.Format = None,
    best_of: opt.BestOf = None,
    notation: opt.Notation = None,
    config: opt.Config = None,
    output_format: Annotated[
        Literal["text", "json", "markdown"], typer.Option(help=N_("Output format."))
    ] = "text",
    output: opt.Output = None,
    color: opt.Color = "auto",
) -> int:
    run: Run = ctx.obj
    options = CheckOptions(format, None, best_of, notation=notation)
    session = run.session(config, paths, options)
    days = days_between(from_, to)
    items = list(find_decks(paths, session.options.settings))
    protect_lists(output, items, *([] if days.announcement is None else [days.announcement.path]))
    impacts = compare_lists(items, session, days, run.lang)
    as_text = output_format == "text"
    look = render_options(run.lang, color, file=output, plain=not as_text)
    show(_RENDERERS[output_format](impacts, look), exact=not as_text, file=output)
    if impacts.failed:
        return Status.ERROR
    return Status.PROBLEMS if any(impact.worse for impact in impacts.impacts) else Status.OK
