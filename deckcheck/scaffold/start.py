"""`deckcheck init` step by step: each file is put in its place, or kept, and what happened is told."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from deckcheck.scaffold.example import example_deck
from deckcheck.scaffold.plan import SETTINGS, Asked, Piece, has_settings, pieces, repository_of, settled
from deckcheck.scaffold.put import put
from deckcheck.scaffold.survey import Survey
from deckcheck.support.messages import Words, _


class Step(NamedTuple):
    """What became of one file. `notes` are sentences about it, `add` is text for the user to put into it."""

    path: str
    written: bool
    notes: tuple[Words, ...] = ()
    add: str | None = None


def set_up(folder: Path, found: Survey, asked: Asked) -> Iterator[Step]:
    """Write what is asked for into `folder`, in which `found` was found, and tell of each file.

    Raises UserError for what can't be asked for, before anything is written,
    and for a file that can't be written.
    """
    asked = settled(folder, found, asked)
    top = repository_of(folder)
    if top is not None:
        # Nobody looks for these anywhere else than at the top.
        asked = asked._replace(pre_commit=False, github=False, gitlab=False)
    planned = pieces(folder, found, asked)
    if has_settings(folder):
        planned = planned[1:]
        yield Step("pyproject.toml", False, (_SETTINGS_THERE,))
    for piece in planned:
        step = _step(folder, piece)
        yield step
        if step.path == SETTINGS and step.written and not found.decks:
            yield from _with_example(folder, asked.format)
    if top is not None:
        yield Step(
            str(folder),
            False,
            (
                _(
                    "the repository begins at {top}: run deckcheck init there for the hook and the workflow",
                    top=top,
                ),
            ),
        )


def _step(folder: Path, piece: Piece) -> Step:
    path = "/".join(piece.parts)
    if put(folder.joinpath(*piece.parts), piece.content):
        return Step(path, True, piece.written)
    return Step(path, False, piece.kept, piece.add)


def _with_example(folder: Path, format: str | None) -> Iterator[Step]:
    deck = example_deck(format)
    if deck is None:
        return
    name, content = deck
    yield _step(folder, Piece(("decks", name), content, (_EXAMPLE,)))


_SETTINGS_THERE = _("[tool.deckcheck] holds the settings, so no deckcheck.toml is written")
_EXAMPLE = _("an example; put decks of your own in its place")
