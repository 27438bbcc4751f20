"""`deckcheck convert`: one list in, the same list in another notation out."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from deckcheck.checking.judge import LoadedFormat
from deckcheck.checking.many_lists import single_list
from deckcheck.checking.session import CheckOptions, read_list
from deckcheck.cli import options as opt
from deckcheck.cli.help import App
from deckcheck.cli.run import Run
from deckcheck.decklists.decoding import decode
from deckcheck.formats.loading import game_id
from deckcheck.rewriting import conversion
from deckcheck.support.errors import user_error
from deckcheck.support.messages import N_, _
from deckcheck.support.terminal import show, write_messages

app = App()


@app.command(
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
