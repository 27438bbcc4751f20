"""`deckcheck fmt`: many lists in, the same lists in canonical notation and an exit status out."""

from typing import Annotated

import typer

from deckcheck.checking.deck_files import STANDARD_INPUT, DeckFile, DeckSearch
from deckcheck.checking.session import CheckOptions
from deckcheck.cli import options as opt
from deckcheck.cli.help import App
from deckcheck.cli.run import Run, Status
from deckcheck.report.screen import render_options
from deckcheck.rewriting.files import format_lists
from deckcheck.support.messages import N_, _
from deckcheck.support.terminal import write_messages, write_paths

app = App()


@app.command(
    help=N_(
        "Rewrite decklists in one canonical notation. Cards, counts, zones and comments stay; a file with an "
        "unreadable line is left alone. With --check or --diff, exit status 1 means that something would change."
    ),
    epilog="deckcheck fmt deck.txt\ndeckcheck fmt --check decks/",
)
def fmt(
    run: Run,
    paths: opt.Paths,
    check: Annotated[
        bool, typer.Option("--check", help=N_("Write nothing; list the files that would change."))
    ] = False,
    diff: Annotated[bool, typer.Option("--diff", help=N_("Write nothing; show what would change."))] = False,
    format: opt.Format = None,
    notation: opt.Notation = None,
    config: opt.Config = None,
    color: opt.Color = "auto",
) -> int:
    options = CheckOptions(format, notation=notation)
    project = run.project(config, paths, options)
    search = DeckSearch(project.settings)
    items = list(search.decks(paths))
    look = render_options(run.lang, color)
    done = format_lists(items, project.options, look, named=paths, check=check, diff=diff)
    write_paths(_("Skipped (not a text decklist)"), [*search.passed_over, *done.structured], run.lang)
    foreign = _("Skipped (in another tool's notation; `deckcheck convert --to canonical` rewrites it)")
    write_paths(foreign, done.foreign, run.lang)
    if not items:
        write_paths(_("Nothing to format: all files are excluded"), search.excluded, run.lang)
    is_dry = check or diff
    if is_dry or not all(isinstance(item, DeckFile) and item.path == STANDARD_INPUT for item in items):
        write_messages(run.lang, done.summary(is_dry))
    if done.failed:
        return Status.ERROR
    return Status.PROBLEMS if is_dry and done.changed else Status.OK
