"""A decklist as it was written: who stands where, on which line."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from deckcheck.model.card import Card
from deckcheck.support.messages import Words


class Entry(NamedTuple):
    """One mention of a card on one line.

    `cards` are the cards it can mean: one (resolved), several (ambiguous) or
    none (not in the card table). `copies` is at least 0; `most` differs from it
    only where the line itself can be read with two counts. `line` and `column`
    are 1-based, the column in code points and of the name's first character.
    """

    written: str
    cards: tuple[Card, ...]
    copies: int
    most: int
    zone: str
    line: int
    column: int


class Diagnostic(NamedTuple):
    """Something the reader noticed that is no entry.

    `id` is one of the engine ids: invalid-line, unknown-zone, total-mismatch,
    moved-to-home-zone, ... `zone` is where it was met, None before the first.
    """

    id: str
    message: Words
    line: int
    column: int
    zone: str | None
    written: str


class Directive(NamedTuple):
    """A comment in a list that asks for findings to be left out.

    `whole` says that it speaks of the whole list and not of its own line only;
    `rules` are the ids it names and `reason` the words behind them. `wrong`
    tells why it can't be understood, None where it can. Place as for Entry.
    """

    whole: bool
    rules: tuple[str, ...]
    reason: str
    line: int
    column: int
    wrong: Words | None = None


class Deck(NamedTuple):
    """What a reader made of one list.

    `header` holds what the list says of itself in lower-case keys ("format",
    "date", "player", "deck", "expect", "as-of", "best-of"). `lines` are the
    lines of the source without their ends, for excerpts. A zone of an entry is
    a zone id of the game or, under a heading that names no zone, that heading
    as written (a remark "unknown-zone" says so). `directives` are what the list
    asks not to be told.
    """

    path: str
    entries: tuple[Entry, ...]
    diagnostics: tuple[Diagnostic, ...]
    header: Mapping[str, str]
    notation: str
    lines: tuple[str, ...]
    directives: tuple[Directive, ...] = ()


class Reader(Protocol):
    """From the text of a list and the path that names it to a Deck; in `notation`, where it is told."""

    def __call__(self, text: str, path: str, notation: str | None = None) -> Deck: ...
