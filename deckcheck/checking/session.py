"""Opens lists by path with their formats, which are kept, as the options of a run and the settings say."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.checking.deck_files import STANDARD_INPUT, DeckFile, NotADecklistError, is_decklist
from deckcheck.checking.judge import (
    GameData,
    LoadedFormat,
    OpenedGames,
    check,
    load_format,
    read_deck,
    remembered,
)
from deckcheck.config.settings import DeckSettings, SettingsFor
from deckcheck.decklists.comments_and_directives import WORD, extract_directives
from deckcheck.decklists.decoding import decode
from deckcheck.decklists.header import error_in_header, read_header
from deckcheck.decklists.read import NoCardReadError
from deckcheck.formats.lookup import BUNDLED_ONLY, Folders, SeveralFormatsError, known_formats
from deckcheck.model.deck import Deck
from deckcheck.model.finding import Report
from deckcheck.model.format import Clause, zones_needed
from deckcheck.support.errors import Problem, UserError, placed_at, user_error
from deckcheck.support.files import read_bytes, shipped
from deckcheck.support.messages import Message, _, shortened

MOST_TABLES = 4
"""The most card tables in memory; decks with custom cards need tables of their own."""

_MOST_NAMED = 4
_NEARLY_ALL = 0.9
_NO_SETTINGS = DeckSettings()


class CheckOptions(Struct, frozen=True):
    """The options for all decks of a run.

    `format`, `as_of` and `best_of` override the list, which overrides `settings_for`. `stdin_name` is the
    name of standard input in messages; `notation` is that of all lists.
    """

    format: str | None = None
    as_of: str | None = None
    best_of: int | None = None
    cards: tuple[str, ...] = ()
    folders: Folders = BUNDLED_ONLY
    settings_for: SettingsFor | None = None
    stdin_name: str | None = None
    notation: str | None = None

    def shown_name(self, path: str) -> str:
        """The path of a list for messages."""
        return self.stdin_name if path == STANDARD_INPUT and self.stdin_name is not None else path

    def settings_of(self, path: str) -> DeckSettings:
        """The settings for the list with that shown name."""
        return _NO_SETTINGS if self.settings_for is None else self.settings_for(path)


class OpenedDeck(Struct, frozen=True):
    """A deck with its format; `text` is that of the file.

    `as_of` and `best_of` are None if the list's own apply; `by_settings`: the format comes from the settings.
    """

    text: str
    deck: Deck
    format: LoadedFormat
    as_of: str | None
    best_of: int | None
    settings: DeckSettings
    by_settings: bool

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
        report = graded_by(self.settings, report)
        return replace(report, chosen_by=self.settings.format_source) if self.by_settings else report

    def placed(self, error: UserError) -> UserError:
        """The error with the line of the settings or the path of the list, unless it has a place."""
        return placed_at(_at_settings(error, self.settings) if self.by_settings else error, self.deck.path)


def _at_settings(error: UserError, settings: DeckSettings) -> UserError:
    """The error with the line of the settings that names the format, unless it has a place."""
    node = settings.format_node
    if node is None:
        return error
    return UserError(
        [
            node.problem(problem.message, problem.hint) if problem.path is None else problem
            for problem in error.problems
        ]
    )


def graded_by(settings: DeckSettings, report: Report) -> Report:
    """The report, graded by the settings."""
    if settings.grading is None:
        return report
    from deckcheck.report.suppressions import graded

    return graded(report, settings.grading)


class FormatCache:
    """Formats by reference and card files, each loaded once."""

    def __init__(self, folders: Folders = BUNDLED_ONLY) -> None:
        self._folders = folders
        # By card files: the games with these cards, and their formats.
        self._tables: dict[tuple[str, ...], tuple[OpenedGames, dict[str, LoadedFormat | UserError]]] = {}

    def load(self, reference: str, cards: tuple[str, ...] = ()) -> LoadedFormat:
        """The format. Raises UserError, each time again, if it can't be loaded."""
        if cards not in self._tables and len(self._tables) >= MOST_TABLES:
            del self._tables[next(iter(self._tables))]
        games, formats = self._tables.setdefault(cards, ({}, {}))
        files = [Path(path) for path in cards]
        return remembered(
            formats,
            reference,
            lambda name: load_format(name, cards=files, games=games, folders=self._folders),
        )


Load = Callable[[str, tuple[str, ...]], LoadedFormat]
"""Loads a format by its reference and card files."""


def index_formats(
    load: Load, folders: Folders, cards: tuple[str, ...] = (), games: Collection[str] | None = None
) -> tuple[tuple[LoadedFormat, ...], tuple[Problem, ...]]:
    """All formats that can be played, by id, and the problems of the others; bundled ones of these `games` only."""
    formats: list[LoadedFormat] = []
    problems: list[Problem] = []
    for entry in known_formats(folders):
        is_bundled = entry.file.is_relative_to(shipped("formats"))
        if entry.abstract or (games is not None and is_bundled and entry.id.partition("/")[0] not in games):
            continue
        try:
            formats.append(load(entry.id, cards))
        except UserError as error:
            problems += error.problems
    return tuple(sorted(formats, key=lambda loaded: loaded.format.id)), tuple(problems)


def games_that_know(decks: Mapping[str, Deck], share: float = _NEARLY_ALL) -> list[str]:
    """The games that know nearly all cards of a list, of those that the one with the most knows; [] if none knows any.

    A name that two games happen to share doesn't make a list one of both. With `share` 1 only those with the most count.
    """
    known = {game: sum(bool(entry.cards) for entry in deck.entries) for game, deck in decks.items()}
    most = max(known.values(), default=0)
    return [game for game, number in known.items() if number and number >= share * most]


def game_tables(load: Load, folders: Folders, cards: tuple[str, ...]) -> Iterator[GameData]:
    """Each game with its cards, without games whose formats can't be used."""
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
            yield data


def read_in_games(
    tables: Iterable[GameData], text: str, path: str, notation: str | None
) -> Iterator[tuple[str, Deck]]:
    """A list read as a deck of each game, by id, without games in which no card of it can be read.

    Raises NoCardReadError if that is so in all, and otherwise as reading does.
    """
    unread: NoCardReadError | None = None
    is_read = False
    for data in tables:
        try:
            deck = data.read(text, path, notation)
        except NoCardReadError as error:
            unread = unread or error
            continue
        is_read = True
        yield data.game.id, deck
    if unread is not None and not is_read:
        raise unread


def formats_with_cards(
    formats: Collection[LoadedFormat], text: str, path: str, notation: str | None
) -> list[str]:
    """The ids of the formats in which all cards of a list may be played; first those in which it isn't illegal."""
    fitting: list[tuple[bool, str]] = []
    unasked = {format.format.id for format in formats if not format.format.suggested}
    for format in formats:
        bans = {rule.id for rule in format.format.rules if any(map(_bans_cards, rule.clauses))}
        try:
            report = check(read_deck(format, text, path, notation), format)
        except UserError:
            continue
        if not any(item.rule in bans and item.verdict == "violated" for item in report.findings):
            fitting.append((report.verdict == "illegal", format.format.id))
    asked = [(is_illegal, id) for is_illegal, id in fitting if id not in unasked]
    return [id for _is_illegal, id in sorted(asked or fitting)]


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
    return _(
        "its cards may be played in {formats}: give --format, or a line “# format: NAME” at the top; "
        "`deckcheck which {path}` compares them",
        formats=shortened(list(ids), _MOST_NAMED),
        path=path,
    )


class Session:
    """Opens lists; keeps their formats."""

    def __init__(self, options: CheckOptions) -> None:
        self.options = options
        self.formats = FormatCache(options.folders)

    def open(self, file: DeckFile) -> OpenedDeck:
        """The list with its format. Raises UserError, with place."""
        path = self.options.shown_name(file.path)
        try:
            return self._open(file, path)
        except NotADecklistError:
            raise
        except NoCardReadError as error:
            if file.named or _own_format(decode(read_list(file.path), path), path) is not None:
                raise
            raise NotADecklistError(path) from error
        except UserError as error:
            raise placed_at(error, path) from error

    def _open(self, file: DeckFile, path: str) -> OpenedDeck:
        options = self.options
        text = decode(read_list(file.path), path)
        settings = options.settings_of(path)
        own = None if options.format is not None else _own_format(text, path)
        reference = options.format or own or settings.format
        if reference is None:
            raise self._no_format(file, text, path)
        by_settings = options.format is None and own is None
        try:
            format = self._format(reference, options.cards + file.cards, text, path)
        except UserError as error:
            if by_settings:
                raise _at_settings(error, settings) from error
            if own is not None:
                raise error_in_header(error, "format", text.splitlines(), path) from error
            if isinstance(error, SeveralFormatsError):
                raise
            # An error of the option is the same for every list, so a run reports it once.
            raise placed_at(error, "--format") from error
        deck = read_deck(format, text, path, options.notation)
        if own is None and not file.named and not is_decklist(deck):
            raise NotADecklistError(path)
        if not deck.entries and not deck.diagnostics:
            raise user_error(_("no card is listed here"), path=path)
        as_of, best_of = unless_written(deck, (options.as_of, options.best_of), settings)
        return OpenedDeck(text, deck, format, as_of, best_of, settings, by_settings)

    def _no_format(self, file: DeckFile, text: str, path: str) -> UserError:
        """The error for a list without a format; for a named list, it names the formats that have all of its cards."""
        options, cards = self.options, self.options.cards + file.cards
        decks = self._decks_by_game(text, path, cards)
        if not file.named:
            # A folder may have thousands of these: reading each in one game is mostly enough.
            if not any(is_decklist(deck) for _game, deck in decks):
                return NotADecklistError(path)
            return user_error(_("no format"), path=path, hint=choose_format(path))
        games = games_that_know(dict(decks), share=1)
        fitting: list[str] = []
        if len(games) == 1:
            formats, _problems = index_formats(self.formats.load, options.folders, cards, games)
            own = [format for format in formats if format.format.game == games[0]]
            fitting = formats_with_cards(own, text, path, options.notation)
        return user_error(_("no format"), path=path, hint=choose_format(path, fitting))

    def _decks_by_game(self, text: str, path: str, cards: tuple[str, ...]) -> Iterator[tuple[str, Deck]]:
        tables = game_tables(self.formats.load, self.options.folders, cards)
        return read_in_games(tables, text, path, self.options.notation)

    def _format(self, reference: str, cards: tuple[str, ...], text: str, path: str) -> LoadedFormat:
        """The format; if several have the name, the only one whose game knows cards of the list. Raises UserError."""
        try:
            return self.formats.load(reference, cards)
        except SeveralFormatsError as error:
            games = games_that_know(dict(self._decks_by_game(text, path, cards)), share=1)
            formats = [self.formats.load(id, cards) for id in error.ids]
            of_list = [format for format in formats if format.format.game in games]
            if len(of_list) != 1:
                raise
            return of_list[0]


def unless_written(
    deck: Deck, options: tuple[str | None, int | None], settings: DeckSettings
) -> tuple[str | None, int | None]:
    """The day and the games of a match: as in the options, None if the list has its own, else as in the settings."""
    as_of, best_of = options
    if as_of is None and "as-of" not in deck.header and "date" not in deck.header:
        as_of = settings.as_of
    if best_of is None and "best-of" not in deck.header:
        best_of = settings.best_of
    return as_of, best_of


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
    bare = extract_directives(text).text if WORD in text and text.lstrip()[:1] not in ("{", "[") else text
    reference = read_header(bare).get("format")
    if reference and reference.endswith((".yaml", ".yml")) and path != STANDARD_INPUT:
        return str(Path(path).parent / reference)
    return reference or None
