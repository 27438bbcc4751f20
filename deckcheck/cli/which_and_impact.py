"""`deckcheck which` and `deckcheck impact`: lists in, the formats in which they are legal, or what changes between two days, out."""

from typing import Annotated, Literal

import typer

from deckcheck.analysis.which_and_impact import (
    compare_lists,
    days_between,
    render_json,
    render_markdown,
    render_text,
    write_matches,
)
from deckcheck.checking.deck_files import DeckSearch, find_decks
from deckcheck.checking.many_lists import protect_lists
from deckcheck.checking.session import CheckOptions
from deckcheck.cli import options as opt
from deckcheck.cli.help import App
from deckcheck.cli.run import Run, Status
from deckcheck.report.text import render_options
from deckcheck.support.messages import N_, _
from deckcheck.support.terminal import show, write_paths

which_app = App()


@which_app.command(
    help=N_("Find the formats in which a deck is legal, and what keeps it out of the others."),
    epilog="deckcheck which deck.txt\ndeckcheck which - --output-format json",
)
def which(
    ctx: typer.Context,
    paths: opt.Paths,
    as_of: opt.AsOf = None,
    best_of: opt.BestOf = None,
    notation: opt.Notation = None,
    config: opt.Config = None,
    output_format: opt.TextOrJson = "text",
    color: opt.Color = "auto",
) -> int:
    run: Run = ctx.obj
    options = CheckOptions(None, as_of, best_of, notation=notation)
    session = run.session(config, paths, options)
    is_text = output_format == "text"
    look = render_options(run.lang, color, plain=not is_text)
    search = DeckSearch(session.options.settings)
    items = list(search.decks(paths))
    repeated = opt.same_options(options, config)
    verdicts = write_matches(items, session, look, is_text=is_text, check_options=repeated)
    # Excluded files beside others are no mistake.
    skipped = list(search.passed_over) if items else search.excluded
    write_paths(_("Skipped (not a decklist, or excluded)"), skipped, run.lang)
    return Status.ERROR if verdicts is None else opt.status_of(verdicts)


_RENDERERS = {"text": render_text, "json": render_json, "markdown": render_markdown}

impact_app = App()


@impact_app.command(
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
