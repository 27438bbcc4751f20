"""`deckcheck fmt`: many lists in, the same lists in canonical notation and an exit status out."""

from typing import Annotated

import typer

from deckcheck.checking.deck_files import STANDARD_INPUT, DeckFile, DeckSearch
from deckcheck.checking.session import CheckOptions
from deckcheck.cli import options as opt
from deckcheck.cli.help import App
from deckcheck.cli.run import Run, Status
from deckcheck.report.text import render_options
from deckcheck.rewriting.files import Mode, Rewriter, Rewritten, rewrite_lists
from deckcheck.support.messages import N_, Message, _, n_
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
    ctx: typer.Context,
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
    run: Run = ctx.obj
    session = run.session(config, paths, CheckOptions(format, notation=notation))
    options = session.options
    search = DeckSearch(options.settings)
    items = list(search.decks(paths))
    look = render_options(run.lang, color)
    mode: Mode = "diff" if diff else "list" if check else "write"
    done = rewrite_lists(items, Rewriter(options, paths).format, options, look, mode)
    skipped = _("Skipped (no text decklist; `deckcheck convert --to canonical` makes one of other lists)")
    write_paths(skipped, [*search.passed_over, *done.left], run.lang)
    if not items:
        write_paths(_("Nothing to format: all files are excluded"), search.excluded, run.lang)
    is_dry = mode != "write"
    if is_dry or not all(isinstance(item, DeckFile) and item.path == STANDARD_INPUT for item in items):
        write_messages(run.lang, _summary(done, is_dry))
    if done.failed:
        return Status.ERROR
    return Status.PROBLEMS if is_dry and done.changed else Status.OK


def _summary(done: Rewritten, is_dry: bool) -> Message:
    """The numbers of lists in a sentence."""
    if is_dry:
        files = n_("{n} file would be reformatted", "{n} files would be reformatted", done.changed)
    else:
        files = n_("{n} file reformatted", "{n} files reformatted", done.changed)
    if not done.failed:
        return _("{done}, {same} unchanged", done=files, same=done.same)
    return _(
        "{done}, {same} unchanged, {failed} could not be formatted",
        done=files,
        same=done.same,
        failed=done.failed,
    )
