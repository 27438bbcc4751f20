"""`deckcheck cards import`: cards of a file become the user's own."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from deckcheck.cards.userdata import ImportResult
from deckcheck.cli.options import game_id, game_ids
from deckcheck.cli.screen import is_terminal, output
from deckcheck.formats.games import load_game
from deckcheck.model.game import Game
from deckcheck.support.errors import UserError, wrong
from deckcheck.support.messages import COMMA, Words, _
from deckcheck.support.safetext import safe

if TYPE_CHECKING:
    from deckcheck.cards.importers.kinds import Kind
    from deckcheck.cards.importers.taking import Taken

Advance = Callable[[int], None]

DONE = 0
_OWN_ENDINGS = (".yaml", ".yml", ".jsonl")
_MOST_TOLD = 10
_REASONS = {
    "token": _("tokens and emblems"),
    "art": _("art cards"),
    "beside": _("cards that are in no deck"),
    "remade": _("versions of a card that only one program has"),
    "other": _("cards of another game"),
    "unreleased": _("cards that aren't out"),
    "flawed": _("entries of which no card could be made"),
}


def take_in(file: str, source: str | None, game: str | None, lang: str, *, quiet: bool = False) -> int:
    """Add the cards of a file to the user's own."""
    require_file(file)
    kind = _kind(file, source)
    if kind is None:
        from deckcheck.cards.userdata import import_cards

        id = _told_game(Path(file)) if game is None else game_id(game)
        done = import_cards(load_game(id), Path(file))
        with output(None, exact=False) as write:
            write(_result(done, lang))
        return DONE
    from deckcheck.cards.importers.taking import take_in as take

    played = _game(kind, game)
    with progress(file, lang, shown=not quiet) as advance:
        taken = take(played, kind, Path(file), advance)
    with output(None, exact=False) as write:
        if not quiet:
            write("".join(f"{line}\n" for line in _seen(kind, taken, lang)))
        write(_result(taken.result, lang))
        if not quiet:
            write("".join(f"{line}\n" for line in _left(taken, lang)))
    return DONE


def _kind(file: str, source: str | None) -> Kind | None:
    if source is None and file.lower().endswith(_OWN_ENDINGS):
        return None
    from deckcheck.cards.importers.kinds import kind_named, kind_of

    return kind_of(Path(file)) if source is None else kind_named(source)


def require_file(file: str) -> None:
    """Raises UserError for what can't be read a second time: standard input and pipes."""
    path = Path(file)
    if (file == "-" and not path.exists()) or path.is_fifo() or path.is_char_device():
        raise wrong(
            _("standard input and pipes can't be taken in; give a file"),
            path=file,
        )


def _told_game(file: Path) -> str:
    """The id of the one game whose words a card file of deckcheck's own keeps to.

    Raises UserError where there are several or none.
    """
    from deckcheck.cards.check import vocabulary
    from deckcheck.cards.importers.kinds import KINDS
    from deckcheck.cards.source import MOST_BYTES, read_cards
    from deckcheck.support.files import read_bytes

    data = read_bytes(file, most=MOST_BYTES)
    meant, refused = [], []
    for id in game_ids(None):
        try:
            if read_cards(file, data, vocabulary(load_game(id))):
                meant.append(id)
        except UserError as error:
            refused.append(error)
    if len(meant) == 1:
        return meant[0]
    if not meant and not file.name.lower().endswith(_OWN_ENDINGS):
        raise wrong(
            _("is no card data that is known"),
            path=str(file),
            hint=_(
                "--from names whose data it is: {kinds}; --game is for a file of your own",
                kinds=", ".join(KINDS),
            ),
        )
    if not meant and refused and all(error.problems == refused[0].problems for error in refused):
        raise refused[0]
    return game_id(None)


def _game(kind: Kind, game: str | None) -> Game:
    if game is not None and game != kind.game:
        raise wrong(_("--game: {kind} is data of {game}", kind=kind.title, game=kind.game))
    return load_game(kind.game)


@contextmanager
def progress(file: str, lang: str, *, shown: bool) -> Iterator[Advance]:
    """A bar on a terminal while a file is read; elsewhere nothing."""
    if not (shown and is_terminal(sys.stderr)):
        yield lambda _unused: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    said = _("reading").in_(lang)
    columns = (TextColumn(said), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        place = Path(file)
        task = bar.add_task("", total=place.stat().st_size if place.is_file() else None)
        yield lambda count: bar.advance(task, count)


def _result(done: ImportResult, lang: str) -> str:
    place = safe(str(done.path))
    return _(
        "{added} added, {changed} changed, {unchanged} as before: {place}\n",
        added=done.added,
        changed=done.changed,
        unchanged=done.unchanged,
        place=place,
    ).in_(lang)


def _seen(kind: Kind, taken: Taken, lang: str) -> Iterator[str]:
    day = f" ({safe(taken.date[:20])})" if taken.date else ""
    yield f"{kind.title}{day}"
    if taken.resumed:
        yield _(
            "went on with an earlier import ({resumed:,} entries had been read)", resumed=taken.resumed
        ).in_(lang)


def _left(taken: Taken, lang: str) -> Iterator[str]:
    told = taken.told
    counted = [
        f"{_REASONS[reason].in_(lang)} {number:,}"
        for reason, number in sorted(taken.left_out.items())
        if number and reason in _REASONS
    ]
    if counted:
        yield _("left out: ").in_(lang) + COMMA.in_(lang).join(counted)
    doubles = [
        _("{safe} (reads like {other})", safe=safe(one), other=safe(other)).in_(lang)
        for one, other in told.doubles
    ]
    yield from _some(doubles, _("cards left out for their names"), lang)
    clashes = [
        _("{alias} ({name})", alias=safe(alias), name=safe(name)).in_(lang) for alias, name in told.clashes
    ]
    yield from _some(clashes, _("other names that may mean another card, too"), lang)
    unknown = [f"{safe(word)} ({number:,})" for word, number in sorted(told.unknown.seen.items())]
    yield from _some(unknown, _("words that the game doesn't know"), lang)


def _some(items: Sequence[str], title: Words, lang: str) -> Iterator[str]:
    if not items:
        return
    more = len(items) - _MOST_TOLD
    shown = list(items[:_MOST_TOLD])
    if more > 0:
        shown.append(_("{more:,} more", more=more).in_(lang))
    yield f"{title.in_(lang)}: " + COMMA.in_(lang).join(shown)
