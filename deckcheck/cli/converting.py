"""`deckcheck convert`: one list in, the same list in another notation out."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from deckcheck.checking.judge import GameData, open_game_data
from deckcheck.checking.session import CheckOptions, Session, read_list
from deckcheck.checking.walk import DeckFile, find_decks
from deckcheck.cli.check import tell_first_time
from deckcheck.cli.options import game_id
from deckcheck.cli.screen import complain, output
from deckcheck.decklists.decode import decode
from deckcheck.model.format import Format
from deckcheck.rewriting.converting import Converted, convert
from deckcheck.support.errors import UserError, wrong
from deckcheck.support.messages import Words, _, series
from deckcheck.support.safetext import safe
from deckcheck.support.text import Text

DONE = 0


class _Opened(NamedTuple):
    """A list's text, its game's table, its format and its notation, None where nobody knows it yet."""

    text: str
    table: GameData
    format: Format | None
    notation: str | None


def run(
    path: str,
    to: str,
    wish: CheckOptions,
    lang: str,
    *,
    game: str | None,
    target: str | None,
    force: bool = False,
) -> int:
    """Write the list at `path` in the notation `to` to `target` (None: standard output), and return the exit status.

    `game` names the game where no format has to. A file that is there already
    is only replaced with `force`. What isn't carried over is told on standard
    error. Raises UserError for what can't be done.
    """
    found = _only(path)
    if target is not None and not force:
        _require_free(target)
    tell_first_time(lang)
    one = _opened(found, wish, game)
    done = convert(
        one.table, one.text, path, to, notation=one.notation, format=one.format, target=target or "-"
    )
    with output(target, exact=True) as write:
        write(done.text)
    for said in _told(done, to):
        complain(said.in_(lang) + "\n")
    return DONE


def _only(path: str) -> DeckFile:
    """The one list that is meant."""
    if Path(path).is_dir():
        raise wrong(
            _("one deck's file, not a folder"),
            path=path,
        )
    for item in find_decks([path]):
        if isinstance(item, UserError):
            raise item
        return item
    raise wrong(_("no deck"), path=path)


def _require_free(target: str) -> None:
    """Raises UserError where a file would be lost; a pipe or a device loses nothing."""
    if Path(target).is_file() or Path(target).is_symlink():
        raise wrong(
            _("this file is there already"),
            path=target,
            hint=_("--force writes over it"),
        )


def _opened(found: DeckFile, wish: CheckOptions, game: str | None) -> _Opened:
    if game is None:
        one = Session(wish).open(found)
        return _Opened(one.text, one.format.game_data, one.format.format, one.deck.notation)
    table = open_game_data(game_id(game), [Path(file) for file in wish.cards + found.cards])
    return _Opened(decode(read_list(found.path), found.path), table, None, wish.notation)


def _told(done: Converted, to: str) -> list[Words]:
    found: list[Words] = []
    if done.left_out:
        message = series(done.left_out)
        found.append(
            Text(
                f"書けないので省きました: {safe(message.ja)}",
                f"left out, having no place there: {safe(message.en)}",
            )
        )
    if done.unclear:
        found.append(_("its content doesn't tell what it is: read it with --notation {to}", to=to))
    return found
