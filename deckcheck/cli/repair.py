"""`deckcheck repair`: illegal lists in, near legal decks out."""

from typing import Annotated

import typer

from deckcheck.analysis.repair import NotRepaired
from deckcheck.analysis.repaired_lists import RepairedList, Repairer, repair_lines, repair_object
from deckcheck.checking.deck_files import STANDARD_INPUT, DeckFile, find_decks
from deckcheck.checking.runs import for_each
from deckcheck.checking.session import CheckOptions, Session
from deckcheck.cli import completion
from deckcheck.cli import options as opt
from deckcheck.cli.help import Command, examples
from deckcheck.cli.project import open_project
from deckcheck.cli.run import Run, Status
from deckcheck.report.json import problem_object
from deckcheck.report.screen import Progress, render_options, show_values
from deckcheck.report.text import painter
from deckcheck.rewriting.files import Rewrite, Rewriter, bytes_of, encoded, replace_file
from deckcheck.support.messages import N_, _
from deckcheck.support.terminal import output, write_paths

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(
    cls=Command,
    no_args_is_help=True,
    help=N_(
        "Find a legal deck near an illegal one: as few copies as possible to take out and to put in, where a move "
        "between zones counts once."
    ),
    epilog=examples("deckcheck repair deck.txt", "deckcheck repair deck.txt --keep 天災デドダム --diff")
    + N_(
        "Exit status: 0 every deck is legal already; 1 repaired; 2 something could not be checked; "
        "3 for some deck no legal deck was found."
    ),
)
def repair(
    ctx: typer.Context,
    decks: opt.Decks,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            autocompletion=completion.cards,
            help=N_("Keep all copies of this card (repeatable)."),
        ),
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", autocompletion=completion.cards, help=N_("Do without this card (repeatable).")
        ),
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
    cards: opt.Cards = None,
    games: opt.Games = None,
    notation: opt.Notation = None,
    config: opt.Config = None,
    output_format: opt.TextOrJson = "text",
    color: opt.Color = "auto",
    _lang: opt.Lang = None,
) -> int:
    run: Run = ctx.obj
    as_text = output_format == "text"
    opt.refuse_together("--diff", diff, {"--write": write, "--output-format": not as_text})
    opt.refuse_together("--write", write, {"--output-format": not as_text})
    options = CheckOptions(format, as_of, best_of, tuple(cards or ()), notation=notation)
    project = open_project(run, decks, options, games=games, config=config)
    look = render_options(run.lang, color, plain=not as_text)
    skipped: list[str] = []
    items = list(find_decks(decks, skipped, project.settings))
    # A link is rewritten only if it is named.
    open_list = Rewriter(project.options, decks).open if write else Session(project.options).open
    repairer = Repairer(keep or (), without or (), pool)
    progress, done = Progress(len(items), run.lang), list[RepairedList]()
    with output(None, exact=not as_text or (write and STANDARD_INPUT in decks)) as show:

        def work(deck: DeckFile) -> None:
            opened = open_list(deck)
            if opened is None:
                skipped.append(deck.path)
                return
            repaired = repairer.repaired(opened, run.lang)
            done.append(repaired)
            progress.clear()
            if write and deck.path == STANDARD_INPUT:
                show(repaired.text)
                return
            if diff:
                show(_diff(repaired, run.lang, look.color))
            elif as_text:
                show("".join(f"{line}\n" for line in repair_lines(repaired, run.lang, look.color)))
            if write and repaired.repair is not None:
                old = bytes_of(deck, opened)
                replace_file(deck.path, encoded(repaired.text, old, deck.path))

        failed = for_each(items, progress, work, quiet=not as_text)
    if not as_text:
        # By schemas/repair.schema.json.
        errors = [problem_object(problem, run.lang) for problem in progress.problems]
        values = {"decks": [repair_object(repaired, run.lang) for repaired in done], "errors": errors}
        show_values(values, run.lang)
    write_paths(_("Skipped (not a decklist, or excluded)"), skipped, run.lang)
    return Status.ERROR if failed or not items else max(map(_status, done), default=Status.OK)


def _diff(repaired: RepairedList, lang: str, color: bool) -> str:
    """The changes as a diff of the list; why there are none if no legal deck was found."""
    if repaired.repair is None:
        is_legal = repaired.outcome is None
        return "" if is_legal else "".join(f"{line}\n" for line in repair_lines(repaired, lang, color))
    path, text = repaired.opened.deck.path, repaired.opened.text
    rewrite = Rewrite(path, text, repaired.text, text.encode(), repaired.text.encode())
    return rewrite.diff(path, lang, painter(color))


def _status(repaired: RepairedList) -> Status:
    """The exit status for one list."""
    if repaired.outcome is None:
        return Status.OK
    return Status.UNDECIDED if isinstance(repaired.outcome, NotRepaired) else Status.PROBLEMS
