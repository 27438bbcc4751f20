"""`deckcheck fmt`: many lists in, the same lists in canonical notation and an exit status out."""

import sys
from typing import Annotated

import typer

from deckcheck.checking.deck_files import STANDARD_INPUT, DeckFile, find_decks
from deckcheck.checking.runs import for_each
from deckcheck.checking.session import CheckOptions
from deckcheck.cli import options as opt
from deckcheck.cli.help import Command, examples
from deckcheck.cli.project import open_project
from deckcheck.cli.run import Run, Status
from deckcheck.report.screen import Progress
from deckcheck.report.text import painter
from deckcheck.rewriting.files import LeftAlone, Rewriter
from deckcheck.support.messages import N_, _, n_
from deckcheck.support.safe_text import safe
from deckcheck.support.terminal import show, wants_color, write_messages, write_paths

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(
    cls=Command,
    no_args_is_help=True,
    help=N_(
        "Rewrite decklists in one canonical notation. Cards, counts, zones and comments stay; a file with an "
        "unreadable line is left alone."
    ),
    epilog=examples("deckcheck fmt deck.txt", "deckcheck fmt --check decks/")
    + N_(
        "Exit status: 0 done (with --check or --diff: nothing would change); 1 with --check or --diff: something "
        "would change; 2 something could not be formatted."
    ),
)
def fmt(
    ctx: typer.Context,
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH...",
            help=N_(
                "Decklist files, folders, or - for standard input to standard output (which also turns CSV, YAML, "
                "JSON and the notations of other tools into text)."
            ),
        ),
    ],
    check: Annotated[
        bool, typer.Option("--check", help=N_("Write nothing; list the files that would change."))
    ] = False,
    diff: Annotated[bool, typer.Option("--diff", help=N_("Write nothing; show what would change."))] = False,
    format: opt.Format = None,
    cards: opt.Cards = None,
    games: opt.Games = None,
    notation: opt.Notation = None,
    config: opt.Config = None,
    color: opt.Color = "auto",
    _lang: opt.Lang = None,
) -> int:
    run: Run = ctx.obj
    options = CheckOptions(format, cards=tuple(cards or ()), notation=notation)
    project = open_project(run, paths, options, games=games, config=config)
    excluded: list[str] = []
    left: dict[LeftAlone, list[str]] = {"structured": [], "foreign": []}
    items = list(find_decks(paths, left["structured"], project.settings, excluded))
    rewriter = Rewriter(project.options, paths)
    paint = painter(wants_color(color, sys.stdout))
    progress = Progress(len(items), run.lang)
    dry = check or diff
    changes: list[bool] = []

    def work(deck: DeckFile) -> None:
        file = rewriter.format(deck)
        if isinstance(file, str):
            left[file].append(deck.path)
            return
        is_listed = dry and file.changes
        if is_listed or deck.path == STANDARD_INPUT:
            progress.clear()
        if is_listed:
            show(file.diff(deck.path, run.lang, paint) if diff else safe(deck.path) + "\n")
        elif not dry and deck.path == STANDARD_INPUT:
            show(file.after, exact=True)
        elif not dry:
            file.save()
        changes.append(file.changes)

    failed = for_each(items, progress, work)
    write_paths(_("Skipped (not a text decklist)"), left["structured"], run.lang)
    foreign = _("Skipped (in another tool's notation; `deckcheck convert --to canonical` rewrites it)")
    write_paths(foreign, left["foreign"], run.lang)
    if not items:
        write_paths(_("Nothing to format: all files are excluded"), excluded, run.lang)
    changed, same = sum(changes), changes.count(False)
    if dry:
        done = n_("{n} file would be reformatted", "{n} files would be reformatted", changed)
    else:
        done = n_("{n} file reformatted", "{n} files reformatted", changed)
    summary = _("{done}, {same} unchanged", done=done, same=same)
    if failed:
        summary = _(
            "{done}, {same} unchanged, {failed} could not be formatted", done=done, same=same, failed=failed
        )
    if dry or not all(isinstance(item, DeckFile) and item.path == STANDARD_INPUT for item in items):
        write_messages(run.lang, summary)
    if failed:
        return Status.ERROR
    return Status.PROBLEMS if dry and changed else Status.OK
