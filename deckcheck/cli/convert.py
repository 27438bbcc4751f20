"""`deckcheck convert`: one list in, the same list in another notation out."""

# The annotations are read by typer, so they are no strings here.

from pathlib import Path
from typing import Literal

from deckcheck.checking.judge import open_game_data
from deckcheck.checking.session import CheckOptions, Session, read_list
from deckcheck.cli import options as opt
from deckcheck.cli.command import command
from deckcheck.cli.project import game_id, open_project, single_list
from deckcheck.cli.terminal import output as writing
from deckcheck.cli.terminal import tell
from deckcheck.decklists.decode import decode
from deckcheck.decklists.notations.registry import all_of_them
from deckcheck.rewriting import conversion
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _, series


@command(
    _(
        "Convert a decklist to the notation of another tool. Cards, counts and zones stay. If the notation "
        "cannot hold all of them, this is reported and nothing is written. Only canonical keeps comments.\n\n"
        "Notations: canonical (as written by fmt), csv, tsv, yaml, json, {notations}.",
        notations=all_of_them(),
    ),
    epilog=_("Exit status: 0 converted; 2 not converted."),
    help_if_bare=True,
)
def convert(
    deck: opt.DeckFile,
    to: Literal["canonical", opt.ForeignNotation] = opt.option(
        _("Notation to write (canonical: as written by fmt)."), default=...
    ),
    output: opt.OutputFile = None,
    force: bool = opt.flag("--force", _("Overwrite the output file if it exists.")),
    notation: opt.Notation = None,
    format: opt.Format = None,
    game: opt.Game = None,
    cards: opt.Cards = None,
    config: opt.Config = None,
    isolated: opt.Isolated = False,
    lang: opt.Lang = None,
) -> int:
    asked = CheckOptions(format, cards=tuple(cards or ()), notation=notation)
    project = open_project([deck], lang, config, isolated, asked)
    options = project.options
    found = single_list(deck)
    # A pipe or a device loses nothing.
    if output is not None and not force and (Path(output).is_file() or Path(output).is_symlink()):
        raise user_error(_("already exists; use --force to overwrite"), path=output)
    if game is None:
        opened = Session(options).open(found)
        text, table, rules = opened.text, opened.format.game_data, opened.format.format
        options = options._replace(notation=opened.deck.notation)
    else:
        table = open_game_data(game_id(game), [Path(file) for file in options.cards + found.cards])
        text, rules = decode(read_list(deck), deck), None
    done = conversion.convert(
        table, text, deck, to, notation=options.notation, format=rules, target=output or "-"
    )
    with writing(output, exact=True) as write:
        write(done.text)
    if done.left_out:
        left_out = _(
            "left out (not supported by {notation}): {names}", notation=to, names=series(done.left_out)
        )
        tell(project.lang, left_out)
    if done.unclear:
        hint = _(
            "this notation cannot be detected from the content; use --notation {notation} to read it",
            notation=to,
        )
        tell(project.lang, hint)
    return 0
