"""Opens lists by path with their formats, which are kept, as the options of a run and the settings say."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.checking.deck_files import STANDARD_INPUT, DeckFile, NotADecklistError, is_decklist
from deckcheck.checking.judge import LoadedFormat, Loader, check, read_deck
from deckcheck.config import NO_SETTINGS, DeckSettings, Settings
from deckcheck.decklists.decoding import decode
from deckcheck.decklists.header_directives_comments import (
    DIRECTIVE,
    error_in_header,
    extract_directives,
    lost_format,
    read_header,
)
from deckcheck.decklists.read import NoCardReadError
from deckcheck.formats.lookup import SeveralFormatsError
from deckcheck.model.deck import Deck
from deckcheck.model.finding import Report
from deckcheck.model.format import Clause, zones_needed
from deckcheck.report.suppressions import graded
from deckcheck.support.errors import UserError, placed_at, user_error
from deckcheck.support.files import read_bytes
from deckcheck.support.messages import _, shortened

MOST_TABLES = 4
"""The most card tables in memory; decks with custom cards need tables of their own."""

_NEARLY_ALL = 0.9

_Result = TypeVar("_Result")


class CheckOptions(Struct, frozen=True):
    """The options for all decks of a run.

    `format`, `as_of` and `best_of` override the list, which overrides the settings. `notation` is that of all lists,
    `stdin_name` the name of standard input in messages.
    """

    format: str | None = None
    as_of: str | None = None
    best_of: int | None = None
    notation: str | None = None
    stdin_name: str | None = None
    settings: Settings = NO_SETTINGS

    def shown_name(self, path: str) -> str:
        """The path of a list for messages."""
        return self.stdin_name if path == STANDARD_INPUT and self.stdin_name is not None else path

    def unless_written(self, deck: Deck, settings: DeckSettings) -> tuple[str | None, int | None]:
        """The day and the games of a match: as in the options, None if the list has its own, else as in its settings."""
        has_day, has_games = not {"as-of", "date"}.isdisjoint(deck.header), "best-of" in deck.header
        as_of = self.as_of or (None if has_day else settings.as_of)
        return as_of, self.best_of or (None if has_games else settings.best_of)


class OpenedDeck(Struct, frozen=True):
    """A deck with its format; `text` is that of the file.

    `as_of` and `best_of` are None if the list's own apply; the settings have a format only if it is this one.
    """

    text: str
    deck: Deck
    format: LoadedFormat
    as_of: str | None
    best_of: int | None
    settings: DeckSettings

    def check(self, *, strict: bool = False) -> Report:
        """The report on the deck, graded by the settings; nothing is ignored if `strict`. Raises UserError, with place."""
        try:
            report = check(
                self.deck, self.format, as_of=self.as_of, best_of=self.best_of, suppressions=not strict
            )
        except UserError as error:
            raise self.placed(error) from error
        if strict:
            return report
        return replace(graded(report, self.settings.grading), chosen_by=self.settings.format_source)

    def placed(self, error: UserError) -> UserError:
        """The error with the line of the settings or the path of the list, unless it has a place."""
        return placed_at(self.settings.placed(error), self.deck.path)


class Session:
    """Opens the lists of a run; what it loads for them is loaded once for the same files of cards."""

    def __init__(self, options: CheckOptions) -> None:
        self.options = options
        folders = options.settings.folders
        # Bounded, since decks with cards of their own need tables of their own.
        self._loaders = lru_cache(MOST_TABLES)(lambda cards: Loader(cards, folders))

    def loader(self, *beside: Path) -> Loader:
        """What loads games and formats with the cards of the settings, and with those of files beside a list."""
        return self._loaders((*self.options.settings.cards, *beside))

    def load(self, reference: str) -> LoadedFormat:
        """The format with the cards of the settings. Raises UserError, each time again."""
        return self.loader().format(reference)

    def read_in_games(self, file: DeckFile, text: str, path: str) -> dict[str, Deck]:
        """A list read as a deck of each game, by id, without games in which no card of it can be read.

        Raises NotADecklistError for a file in a folder that is no decklist in any of them, and otherwise as reading does.
        """
        loader, decks = self.loader(*file.cards), dict[str, Deck]()
        unread: NoCardReadError | None = None
        for data in loader.games():
            try:
                decks[data.game.id] = data.read(text, path, self.options.notation)
            except NoCardReadError as error:
                unread = unread or error
        if unread is not None and not decks:
            raise unread
        is_list = file.named or any(
            is_decklist(deck, loader.game(game).catalog) for game, deck in decks.items()
        )
        if not is_list:
            raise NotADecklistError(path)
        return decks

    def open(self, file: DeckFile) -> OpenedDeck:
        """The list with its format. Raises UserError, with place."""
        return self.with_text(file, self._opened)

    def with_text(self, file: DeckFile, work: Callable[[DeckFile, str, str], _Result]) -> _Result:
        """What `work` makes of a list, its text and its path for messages. Raises UserError, with place.

        A file in a folder of which no card can be read raises NotADecklistError; one with a format is as good as named.
        """
        path = self.options.shown_name(file.path)
        try:
            text = decode(read_list(file.path), path)
            if not file.named and _own_format(text, path) is not None:
                file = replace(file, named=True)
            return work(file, text, path)
        except NotADecklistError:
            raise
        except NoCardReadError as error:
            if file.named:
                raise
            raise NotADecklistError(path) from error
        except UserError as error:
            raise placed_at(error, path) from error

    def _opened(self, file: DeckFile, text: str, path: str) -> OpenedDeck:
        options = self.options
        settings = options.settings.for_deck(path)
        own = None if options.format is not None else _own_format(text, path)
        if options.format is not None or own is not None:
            settings = replace(settings, format=None, format_node=None)
        reference = options.format or own or settings.format
        if reference is None:
            raise self._no_format(file, text, path)
        try:
            format = self._format(reference, file, text, path)
        except NotADecklistError:
            raise
        except UserError as error:
            if settings.format is not None:
                raise settings.placed(error) from error
            if own is not None:
                raise error_in_header(error, "format", text.split("\n"), path) from error
            if isinstance(error, SeveralFormatsError):
                raise
            # An error of the option is the same for every list, so a run reports it once.
            raise placed_at(error, "--format") from error
        deck = read_deck(format, text, path, options.notation)
        if not file.named and not is_decklist(deck, format.game_data.catalog):
            raise NotADecklistError(path)
        if not deck.entries and not deck.diagnostics:
            raise user_error(_("no card is listed here"), path=path)
        as_of, best_of = options.unless_written(deck, settings)
        return OpenedDeck(text, deck, format, as_of, best_of, settings)

    def _format(self, reference: str, file: DeckFile, text: str, path: str) -> LoadedFormat:
        """The format; if several have the name, the only one whose game knows cards of the list. Raises UserError."""
        loader = self.loader(*file.cards)
        try:
            return loader.format(reference)
        except SeveralFormatsError as error:
            games = games_that_know(self.read_in_games(file, text, path), share=1)
            formats = map(loader.format, error.ids)
            of_list = [format for format in formats if format.format.game in games]
            if len(of_list) != 1:
                raise
            return of_list[0]

    def _no_format(self, file: DeckFile, text: str, path: str) -> UserError:
        """The error for a list without a format; for a named list, it names the formats that have all of its cards."""
        decks = self.read_in_games(file, text, path)
        lines = text.split("\n")
        if (lost := lost_format(lines)) is not None:
            number, hint = lost
            return user_error(
                _("no format"), path=path, line=number, column=1, excerpt=lines[number - 1], hint=hint
            )
        games = games_that_know(decks, share=1)
        ids: list[str] = []
        # A folder may have thousands of lists.
        if file.named and len(games) == 1:
            formats, _problems = self.loader(*file.cards).playable_formats(games)
            own = [format for format in formats if format.format.game == games[0]]
            ids = _formats_with_cards(own, text, path, self.options.notation)
        hint = _(
            "give --format, or a line “# format: NAME” at the top; `deckcheck which {path}` compares formats",
            path=path,
        )
        if ids:
            hint = _("its cards may be played in {formats}: {hint}", formats=shortened(ids), hint=hint)
        return user_error(_("no format"), path=path, hint=hint)


def games_that_know(decks: Mapping[str, Deck], share: float = _NEARLY_ALL) -> list[str]:
    """The games that know nearly all cards of a list, of those that the one with the most knows; [] if none knows any.

    A name that two games happen to share doesn't make a list one of both. With `share` 1 only those with the most count.
    """
    known = {game: sum(bool(entry.cards) for entry in deck.entries) for game, deck in decks.items()}
    most = max(known.values(), default=0)
    return [game for game, number in known.items() if number and number >= share * most]


def _formats_with_cards(
    formats: Collection[LoadedFormat], text: str, path: str, notation: str | None
) -> list[str]:
    """The ids of the formats in which all cards of a list may be played; first those in which it isn't illegal."""
    fitting: list[tuple[bool, bool, str]] = []
    for format in formats:
        bans = {rule.id for rule in format.format.rules if any(map(_bans_cards, rule.clauses))}
        try:
            report = check(read_deck(format, text, path, notation), format)
        except UserError:
            continue
        if not any(item.rule in bans and item.verdict == "violated" for item in report.findings):
            fitting.append((not format.format.suggested, report.verdict == "illegal", format.format.id))
    fitting.sort()
    return [id for is_unasked, _is_illegal, id in fitting if is_unasked == fitting[0][0]]


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


def read_list(path: str) -> bytes:
    """The bytes of a list, which may be standard input. Raises UserError."""
    if path != STANDARD_INPUT:
        return read_bytes(path)
    if sys.stdin is None:
        raise user_error(_("standard input is closed"), path=path)
    return read_bytes(path, stream=sys.stdin.buffer)


def _own_format(text: str, path: str) -> str | None:
    """The format in a list's header; the path of a file is relative to the list."""
    # JSON has no comments.
    bare = (
        extract_directives(text).text if DIRECTIVE in text and text.lstrip()[:1] not in ("{", "[") else text
    )
    reference = read_header(bare).get("format")
    if reference and reference.endswith((".yaml", ".yml")) and path != STANDARD_INPUT:
        return str(Path(path).parent / reference)
    return reference or None
