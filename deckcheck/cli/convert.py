"""`deckcheck convert`: one list in, the same list in another notation out."""

from pathlib import Path
from typing import Literal

from deckcheck.checking.judge import open_game_data
from deckcheck.checking.session import Session, read_list
from deckcheck.cli import options as opt
from deckcheck.cli import terminal
from deckcheck.cli.command import Run, command
from deckcheck.cli.project import open_project, single_list
from deckcheck.decklists.decode import decode
from deckcheck.decklists.notations.registry import describe_all
from deckcheck.formats.loading import game_id
from deckcheck.rewriting import conversion
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _, series


@command(
    _(
        "Convert a decklist to the notation of another tool. Cards, counts and zones stay. If the notation "
        "cannot hold all of them, this is reported and nothing is written. Only canonical keeps comments.\n\n"
        "Notations: canonical (as written by fmt), csv, tsv, yaml, json, {notations}.",
        notations=describe_all(),
    ),
    "* output notation format game cards games config isolated lang",
    epilog=_("Exit status: 0 converted; 2 not converted."),
    help_if_bare=True,
)
def convert(
    run: Run,
    deck: str = opt.DECK,
    to: Literal["canonical", opt.ForeignNotation] = opt.option(
        _("Notation to write (canonical: as written by fmt)."), default=...
    ),
    force: bool = opt.flag(_("Overwrite the output file if it exists.")),
) -> int:
    options, output, game = open_project(run, [deck]).options, run.output, run.game
    found = single_list(deck)
    # A pipe or a device loses nothing.
    if output is not None and not force and (Path(output).is_file() or Path(output).is_symlink()):
        raise user_error(_("already exists; use --force to overwrite"), path=output)
    notation = options.notation
    if game is None:
        opened = Session(options).open(found)
        text, table, rules = opened.text, opened.format.game_data, opened.format.format
        notation = opened.deck.notation
    else:
        known = game_id(game, options.folders)
        table = open_game_data(known, [Path(file) for file in options.cards + found.cards], options.folders)
        text, rules = decode(read_list(deck), deck), None
    done = conversion.convert(
        table,
        text,
        deck,
        to,
        notation=notation,
        format=rules,
        target=output or "-",
        by_sizes=options.notation is None,
    )
    terminal.show(done.text, exact=True, file=output)
    if done.left_out:
        names = series(done.left_out)
        terminal.write_messages(
            run.lang, _("left out (not supported by {notation}): {names}", notation=to, names=names)
        )
    if done.unclear:
        hint = _(
            "this notation cannot be detected from the content; use --notation {notation} to read it",
            notation=to,
        )
        terminal.write_messages(run.lang, hint)
    return 0
