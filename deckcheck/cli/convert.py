"""`deckcheck convert`: one list in, the same list in another notation out."""

# The annotations are read by typer, so they are no strings here.

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from deckcheck.cli.errors import command
from deckcheck.cli.language import language_of_arguments
from deckcheck.cli.options import (
    Cards,
    Config,
    DeckFile,
    ForeignNotation,
    Format,
    Game,
    Isolated,
    Lang,
    Notation,
)
from deckcheck.support.errors import user_error
from deckcheck.support.messages import Message, _

if TYPE_CHECKING:
    from deckcheck.rewriting.converting import Converted


def register(app: typer.Typer) -> None:
    """Add the command."""
    from deckcheck.decklists.notations.registry import all_of_them

    what = _(
        "Convert a decklist to the notation of another tool. Cards, counts and zones stay. If the notation "
        "cannot hold all of them, this is reported and nothing is written. Only canonical keeps comments.\n\n"
        "Notations: canonical (as written by fmt), csv, tsv, yaml, json, {notations}.",
        notations=all_of_them(),
    )
    app.command(
        "convert",
        no_args_is_help=True,
        short_help=_("Convert a decklist to another notation.").key,
        help=what.in_(language_of_arguments(sys.argv[1:])),
        epilog=_("Exit status: 0 converted; 2 not converted.").key,
    )(convert)


@command
def convert(
    deck: DeckFile,
    to: Annotated[
        Literal["canonical", ForeignNotation],
        typer.Option("--to", help=_("Notation to write (canonical: as written by fmt).").key),
    ],
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help=_("Write to this file instead of standard output.").key
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help=_("Overwrite the output file if it exists.").key)
    ] = False,
    notation: Notation = None,
    format: Format = None,
    game: Game = None,
    cards: Cards = None,
    config: Config = None,
    isolated: Isolated = False,
    lang: Lang = None,
) -> int:
    from deckcheck.checking.judge import open_game_data
    from deckcheck.checking.session import Session, read_list
    from deckcheck.cli.project import check_options, game_id, language_of, project_settings, single_list
    from deckcheck.cli.terminal import complain, tell_first_time
    from deckcheck.cli.terminal import output as writing
    from deckcheck.decklists.decode import decode
    from deckcheck.rewriting import converting

    settings = project_settings([deck], config=config, isolated=isolated)
    options = check_options(settings, format=format, cards=cards, notation=notation)
    spoken = language_of(settings, lang)
    found = single_list(deck)
    if output is not None and not force:
        _require_free(output)
    tell_first_time(spoken)
    given: str | None
    if game is None:
        one = Session(options).open(found)
        text, table, rules, given = one.text, one.format.game_data, one.format.format, one.deck.notation
    else:
        table = open_game_data(game_id(game), [Path(file) for file in options.cards + found.cards])
        text, rules, given = decode(read_list(deck), deck), None, options.notation
    done = converting.convert(table, text, deck, to, notation=given, format=rules, target=output or "-")
    with writing(output, exact=True) as write:
        write(done.text)
    for remark in _remarks(done, to):
        complain(remark.in_(spoken) + "\n")
    return 0


def _require_free(target: str) -> None:
    """Raises UserError where a file would be lost; a pipe or a device loses nothing."""
    if Path(target).is_file() or Path(target).is_symlink():
        raise user_error(_("already exists; use --force to overwrite"), path=target)


def _remarks(done: "Converted", to: str) -> Iterator[Message]:
    from deckcheck.support.messages import series

    if done.left_out:
        yield _("left out (not supported by {notation}): {names}", notation=to, names=series(done.left_out))
    if done.unclear:
        yield _(
            "this notation cannot be detected from the content; use --notation {notation} to read it",
            notation=to,
        )
