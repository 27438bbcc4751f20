"""`deckcheck repair`: illegal lists in, near legal decks out."""

from typing import Annotated

import typer

from deckcheck.analysis.repaired_lists import RepairedList, Repairer, write_repairs
from deckcheck.checking.deck_files import DeckSearch
from deckcheck.checking.session import CheckOptions
from deckcheck.cli import options as opt
from deckcheck.cli.help import App
from deckcheck.cli.run import Run, Status
from deckcheck.report.text import render_options
from deckcheck.rewriting.files import Rewriter
from deckcheck.support.messages import N_, _
from deckcheck.support.terminal import write_paths

app = App()


@app.command(
    help=N_(
        "Find a legal deck near an illegal one: as few copies as possible to take out and to put in, where a move "
        "between zones counts once."
    ),
    epilog="deckcheck repair deck.txt\ndeckcheck repair deck.txt --keep 天災デドダム --diff",
)
def repair(
    ctx: typer.Context,
    paths: opt.Paths,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help=N_("Keep all copies of this card (repeatable)."),
        ),
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help=N_("Do without this card (repeatable).")),
    ] = None,
    pool: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help=N_(
                "Of cards that the deck lacks, put in those of this collection first (a list in any notation)."
            ),
        ),
    ] = None,
    diff: Annotated[bool, typer.Option("--diff", help=N_("Show the changes as a diff of the list."))] = False,
    write: Annotated[
        bool,
        typer.Option(
            "--write",
            help=N_("Change the list itself. A deck on standard input is written to standard output."),
        ),
    ] = False,
    format: opt.Format = None,
    as_of: opt.AsOf = None,
    best_of: opt.BestOf = None,
    notation: opt.Notation = None,
    config: opt.Config = None,
    output_format: opt.TextOrJson = "text",
    color: opt.Color = "auto",
) -> int:
    run: Run = ctx.obj
    is_text = output_format == "text"
    opt.refuse_together("--diff", diff, {"--write": write, "--output-format": not is_text})
    opt.refuse_together("--write", write, {"--output-format": not is_text})
    options = CheckOptions(format, as_of, best_of, notation=notation)
    session = run.session(config, paths, options)
    look = render_options(run.lang, color, plain=not is_text)
    search = DeckSearch(session.options.settings)
    items = list(search.decks(paths))
    # A link is rewritten only if it is named.
    open_list = Rewriter(session.options, paths).open if write else session.open
    repairer = Repairer(keep or (), without or (), pool)
    done = write_repairs(
        items, open_list, repairer, look, output_format="diff" if diff else output_format, save=write
    )
    write_paths(_("Skipped (not a decklist, or excluded)"), [*search.passed_over], run.lang)
    if done is None or not items:
        return Status.ERROR
    return max(map(_status, done), default=Status.OK)


def _status(repaired: RepairedList) -> Status:
    if repaired.repair is None:
        return Status.UNDECIDED
    return Status.PROBLEMS if repaired.repair.distance else Status.OK
