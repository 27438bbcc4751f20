"""`deckcheck which`: lists in, the formats in which they are legal out."""

import typer

from deckcheck.analysis.which import FormatFinder, FormatMatches, render_text, which_object
from deckcheck.checking.deck_files import DeckFile, find_decks
from deckcheck.checking.runs import for_each
from deckcheck.checking.session import CheckOptions
from deckcheck.cli import options as opt
from deckcheck.cli.help import Command
from deckcheck.cli.run import Run, Status
from deckcheck.report.json import json_line
from deckcheck.report.screen import Progress, render_options
from deckcheck.support.messages import N_, _
from deckcheck.support.terminal import output, write_paths

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(
    cls=Command,
    no_args_is_help=True,
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
    _lang: opt.Lang = None,
) -> int:
    run: Run = ctx.obj
    options = CheckOptions(None, as_of, best_of, notation=notation)
    project = run.project(config, paths, options)
    as_text = output_format == "text"
    look = render_options(run.lang, color, plain=not as_text)
    repeated = opt.same_options(options, config)
    skipped: list[str] = []
    excluded: list[str] = []
    items = list(find_decks(paths, skipped, project.settings, excluded))
    fitting = FormatFinder(project.options)
    progress = Progress(len(items), run.lang)
    done: list[FormatMatches] = []
    with output(None, exact=not as_text) as write:

        def work(deck: DeckFile) -> None:
            fits, problems = fitting.fit(deck)
            progress.write_messages(problems, quiet=not as_text)
            if as_text:
                progress.clear()
                write(("\n" if done else "") + render_text(fits, look, repeated))
            done.append(fits)

        failed = for_each(items, progress, work, quiet=not as_text)
        if not as_text:
            write(json_line(which_object(done, tuple(progress.problems), run.lang)) + "\n")
    # Excluded files beside others are no mistake.
    write_paths(_("Skipped (not a decklist, or excluded)"), skipped if items else excluded, run.lang)
    verdicts = {fits.verdict for fits in done}
    # A format that could not be tried may be one in which a deck is legal.
    if failed or (progress.problems and verdicts != {"legal"}):
        return Status.ERROR
    return opt.status_of(verdicts)
