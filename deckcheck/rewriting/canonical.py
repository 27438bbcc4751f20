"""`deckcheck fmt`: a list in the canonical notation, or the reason why it is left as it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from deckcheck.checking.judge import GameData
from deckcheck.decklists.decode import decode
from deckcheck.decklists.header import read_header
from deckcheck.model.deck import Deck
from deckcheck.rewriting.layout import Ending, lay_out
from deckcheck.rewriting.same import difference, own_header
from deckcheck.rewriting.style import Style, make_style
from deckcheck.support.errors import UserError, wrong
from deckcheck.support.messages import Words, _

_ENDINGS: tuple[Ending, ...] = ("as written", "apart", "within")
_MOST_PASSES = 4
_HINT = _("it is left as it is")


class Formatter(Protocol):
    """From a list's text and path to the same list in canonical notation; `zones` come first, in this order.

    `notation` is that of the list, where it is told.
    """

    def __call__(
        self, text: str, path: str, zones: Sequence[str] = (), notation: str | None = None
    ) -> str: ...


def make_formatter(table: GameData) -> Formatter:
    """The formatter of a game's lists.

    The result reads the same, and formatting it again changes nothing. Zones
    that are not told stand in the game's order. It raises UserError for a list that can't be read at all, or of which
    something would be lost.
    """
    known = make_style(table.game, table.catalog)

    def once(style: Style, text: str, path: str, notation: str | None) -> tuple[str, bool]:
        old = table.read(text, path, notation)
        _require_readable(old)
        header = own_header(old, text)
        if header is None:
            raise _left_alone(path, _("its header can be read in two ways"))
        look = style.looker.look(text, path, notation)
        beside = {} if look.notation == "text" else header
        why: Words | None = None
        for ending in _ENDINGS:
            found = lay_out(style, look, path, beside, ending)
            new = table.read(found, "-")
            problem = difference(old, new, table.game.zones, header)
            if problem is None and new.notation == "text" and _is_plain(found):
                if read_header(found).get("format") != read_header(text).get("format"):
                    raise _late_format(path)
                return found, look.notation == "text"
            why = why or problem or _OTHER
        raise _left_alone(path, why or _OTHER)

    def formatted(text: str, path: str, zones: Sequence[str] = (), notation: str | None = None) -> str:
        style = known._replace(order=tuple(dict.fromkeys((*zones, *known.order))))
        for _unused in range(_MOST_PASSES):
            found, was_text = once(style, text, path, notation)
            if found == text:
                return found
            # What was a sheet or a tree is one no longer, whatever its path says.
            text, path, notation = found, path if was_text else "-", None
        raise _left_alone(path, _OTHER)

    return formatted


def _is_plain(text: str) -> bool:
    """Whether a text comes out of a file as it went in: strings of YAML and JSON may hold what no text does."""
    try:
        return decode(text.encode(), "-") == text
    except (UnicodeEncodeError, UserError):
        return False


_OTHER = _("it would be read as another list")


def _require_readable(deck: Deck) -> None:
    """Raises UserError with the first line that can't be read."""
    for diagnostic in deck.diagnostics:
        if diagnostic.id == "invalid-line":
            raise wrong(
                _("{message}; the list is left as it is", message=diagnostic.message),
                path=deck.path,
                line=diagnostic.line,
                column=diagnostic.column,
                excerpt=deck.lines[diagnostic.line - 1],
            )


def _left_alone(path: str, why: Words) -> UserError:
    return wrong(
        _("this can't be formatted with certainty: {why}", why=why),
        path=path,
        hint=_HINT,
    )


def _late_format(path: str) -> UserError:
    return wrong(
        _("its line with the format isn't at the top, and moving it could change the verdict"),
        path=path,
        hint=_HINT,
    )
