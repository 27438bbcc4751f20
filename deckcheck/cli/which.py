"""`deckcheck which`: lists in, the formats in which they are legal out."""

import typer

from deckcheck.analysis.which import FormatFinder, FormatMatches, render_text, which_object
from deckcheck.checking.deck_files import DeckFile, find_decks
from deckcheck.checking.runs import for_each
from deckcheck.checking.session import CheckOptions
from deckcheck.cli import options as opt
from deckcheck.cli.help import Command, examples
from deckcheck.cli.project import open_project, same_options
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
    epilog=examples("deckcheck which deck.txt", "deckcheck which - --output-format json")
    + N_(
        "Exit status: 0 every deck is legal in some format; 1 some deck is legal in none; 2 something could not be "
        "read; 3 no deck is illegal everywhere, but some are undecided."
    ),
)
def which(
    ctx: typer.Context,
    decks: opt.Decks,
    as_of: opt.AsOf = None,
    best_of: opt.BestOf = None,
    cards: opt.Cards = None,
    games: opt.Games = None,
    notation: opt.Notation = None,
    config: opt.Config = None,
    output_format: opt.TextOrJson = "text",
    color: opt.Color = "auto",
    _lang: opt.Lang = None,
) -> int:
    run: Run = ctx.obj
    options = CheckOptions(None, as_of, best_of, tuple(cards or ()), notation=notation)
    project = open_project(run, decks, options, games=games, config=config)
    as_text = output_format == "text"
    look = render_options(run.lang, color, plain=not as_text)
    repeated = same_options(options, games, config)
    skipped: list[str] = []
    excluded: list[str] = []
    items = list(find_decks(decks, skipped, project.settings, excluded))
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
    # Excluded files in a folder are no mistake.
    left_out = skipped or ([] if done or progress.problems else excluded)
    write_paths(_("Skipped (not a decklist, or excluded)"), left_out, run.lang)
    verdicts = {fits.verdict for fits in done}
    # A format that could not be tried may be one in which a deck is legal.
    if failed or (progress.problems and verdicts != {"legal"}):
        return Status.ERROR
    return opt.status_of(verdicts)
