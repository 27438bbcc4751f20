"""`deckcheck fmt`, `deckcheck convert` and `deckcheck repair`: lists in, the lists in canonical or another notation, or made legal, out."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from deckcheck.analysis.repair import RepairedList, Repairer, write_repairs
from deckcheck.checking.deck_files import STANDARD_INPUT, DeckFile, DeckSearch
from deckcheck.checking.judge import LoadedFormat
from deckcheck.checking.many_lists import single_list
from deckcheck.checking.session import CheckOptions, read_list
from deckcheck.cli import options as opt
from deckcheck.cli.help import App
from deckcheck.cli.run import Run, Status
from deckcheck.decklists.decoding import decode
from deckcheck.formats.loading import game_id
from deckcheck.report.text import render_options
from deckcheck.rewriting import conversion
from deckcheck.rewriting.diff_and_save import Mode, Rewriter, Rewritten, rewrite_lists
from deckcheck.support.errors import user_error
from deckcheck.support.messages import N_, Message, _, n_
from deckcheck.support.terminal import show, write_messages, write_paths

fmt_app = App()


@fmt_app.command(
    help=N_(
        "Rewrite decklists in one canonical notation. Cards, counts, zones and comments stay, and so do lines of "
        "which it isn't clear what they say (exit status 3). With --check or --diff, exit status 1 means that "
        "something would change."
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
        write_messages(run.lang, _formatted(done, is_dry))
    if done.failed:
        return Status.ERROR
    if is_dry and done.changed:
        return Status.PROBLEMS
    return Status.UNDECIDED if done.unclear else Status.OK


def _formatted(done: Rewritten, is_dry: bool) -> Message:
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


convert_app = App()


@convert_app.command(
    help=N_(
        "Convert a decklist to the notation of another tool. Cards, counts and zones stay. If the notation "
        "cannot hold all of them, this is reported and nothing is written. Only canonical keeps comments."
    ),
    epilog="deckcheck convert deck.txt --to csv\ndeckcheck convert deck.dek --to canonical -o deck.txt",
)
def convert(
    ctx: typer.Context,
    deck: opt.Deck,
    to: Annotated[
        Literal["canonical", opt.ForeignNotation],
        typer.Option(help=N_("Notation to write (canonical: as written by fmt).")),
    ],
    force: Annotated[
        bool, typer.Option("--force", help=N_("Overwrite the output file if it exists."))
    ] = False,
    format: opt.Format = None,
    game: opt.Game = None,
    notation: opt.Notation = None,
    config: opt.Config = None,
    output: opt.Output = None,
) -> None:
    run: Run = ctx.obj
    given = CheckOptions(format, notation=notation)
    session = run.session(config, [deck], given)
    file = single_list(deck)
    # A pipe or a device loses nothing.
    if output is not None and not force and (Path(output).is_file() or Path(output).is_symlink()):
        raise user_error(_("already exists; use --force to overwrite"), path=output)
    rules: LoadedFormat | None = None
    if game is None:
        opened = session.open(file)
        text, table, rules = opened.text, opened.format.game_data, opened.format
    else:
        table = session.loader(*file.cards).game(game_id(game, session.options.settings.folders))
        text = decode(read_list(deck), deck)
    done = conversion.convert(table, text, deck, to, notation=notation, format=rules, target=output or "-")
    show(done.text, exact=True, file=output)
    write_messages(run.lang, *done.notes(to))


repair_app = App()


@repair_app.command(
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
    return max(map(_status_of_repair, done), default=Status.OK)


def _status_of_repair(repaired: RepairedList) -> Status:
    if repaired.repair is None:
        return Status.UNDECIDED
    return Status.PROBLEMS if repaired.repair.distance else Status.OK
