"""Recognises lists: whether a file in a folder is a decklist, and in which formats its cards may be played."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator

from deckcheck.checking.judge import GameData, LoadedFormat, check, read_deck
from deckcheck.formats.lookup import Folders, known_formats
from deckcheck.model.deck import Deck
from deckcheck.model.format import Clause, zones_needed
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.messages import Message, Words, _, series

Load = Callable[[str, tuple[str, ...]], LoadedFormat]
"""Loads a format by its reference and card files."""

_COUNT = r"(?i)^\W*\d{1,3}\s*[x×枚]?\s*[^\W\d]|[x×]\s*\d{1,3}\W*$|\d{1,3}\s*枚"
_FEWEST = 3
_PLAIN_NOTATIONS = frozenset({"text", "csv", "tsv", "yaml", "json"})
_MOST_NAMED = 4


class NotADecklistError(UserError):
    """A file in a folder isn't a decklist; a run over the folder counts it and continues."""

    def __init__(self, path: str) -> None:
        super().__init__([Problem(_("not a decklist"), path)])
        self.path = path


def is_decklist(deck: Deck) -> bool:
    """Whether enough of a text is cards: a quarter known ones, or half of it lines with a count.

    A file in the notation of a deck editor is one whatever it holds.
    """
    if deck.notation not in _PLAIN_NOTATIONS:
        return True
    lines = {entry.line for entry in deck.entries} | {found.line for found in deck.diagnostics}
    known = {entry.line for entry in deck.entries if entry.cards}
    many_known = 4 * len(known) >= len(lines)
    if many_known and (len(known) >= _FEWEST or any(entry.copies > 1 for entry in deck.entries)):
        return True
    counted = sum(bool(re.search(_COUNT, deck.lines[line - 1])) for line in lines if line <= len(deck.lines))
    if many_known and counted:
        return True
    return 2 * counted >= len(lines) and counted >= min(_FEWEST, len(lines)) > 0


def read_in_every_game(
    load: Load, folders: Folders, cards: tuple[str, ...], read: Callable[[GameData], Deck]
) -> Iterator[tuple[str, Deck]]:
    """A list read as a deck of each game, by id, without games whose formats can't be used. Raises as `read` does."""
    done = set[str]()
    for entry in known_formats(folders):
        if entry.abstract or entry.id.partition("/")[0] in done:
            continue
        try:
            data = load(entry.id, cards).game_data
        except UserError:
            continue
        if data.game.id not in done:
            done.add(data.game.id)
            yield data.game.id, read(data)


def formats_with_cards(
    formats: Collection[LoadedFormat], text: str, path: str, notation: str | None
) -> list[str]:
    """The ids of the formats in which all cards of a list may be played; first those in which it isn't illegal."""
    fitting: list[tuple[bool, str]] = []
    for format in formats:
        bans = {rule.id for rule in format.format.rules if any(map(_bans_cards, rule.clauses))}
        try:
            report = check(read_deck(format, text, path, notation), format)
        except UserError:
            continue
        if not any(item.rule in bans and item.verdict == "violated" for item in report.findings):
            fitting.append((report.verdict == "illegal", format.format.id))
    return [id for _is_illegal, id in sorted(fitting)]


def _bans_cards(clause: Clause) -> bool:
    """Whether it bans certain cards, regardless of their zones and of the rest of the deck."""
    selection = clause.selection
    return (
        clause.is_ban
        and clause.severity == "error"
        and clause.loop is None
        and clause.when is None
        and not zones_needed(selection.where)
    )


def choose_format(path: str, ids: Collection[str] = ()) -> Message:
    """The hint for a list without a format; `ids` are the formats in which all of its cards may be played."""
    if not ids:
        return _(
            "give --format, or a line “# format: NAME” at the top; `deckcheck which {path}` compares formats",
            path=path,
        )
    shown: Words = series(list(ids)[:_MOST_NAMED])
    if len(ids) > _MOST_NAMED:
        shown = _("{formats} and {more} more", formats=shown, more=len(ids) - _MOST_NAMED)
    return _(
        "its cards may be played in {formats}: give --format, or a line “# format: NAME” at the top; "
        "`deckcheck which {path}` compares them",
        formats=shown,
        path=path,
    )
