"""A run over decks: its options and formats, from a path to a deck that is ready to be judged, and many decks."""

import sys
from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from deckcheck.checking.judge import GameData, LoadedFormat, check, error_in_header, load_format, read_deck
from deckcheck.checking.walk import STANDARD_INPUT, DeckFile
from deckcheck.config.settings import DeckSettings, SettingsFor
from deckcheck.decklists.decode import decode
from deckcheck.decklists.directives import WORD, take_out
from deckcheck.decklists.header import read_header
from deckcheck.formats.lookup import (
    BUNDLED_ONLY,
    Folders,
    SeveralFormatsError,
    bundled_formats,
    known_formats,
)
from deckcheck.model.deck import Deck
from deckcheck.model.finding import Report
from deckcheck.report.writer import RenderOptions, Results, make_writer
from deckcheck.support.errors import Problem, UserError, placed_at, user_error
from deckcheck.support.files import read_bytes, shipped
from deckcheck.support.messages import _

MOST_TABLES = 4
"""Decks with cards of their own need a card table of their own; so many are held at a time."""

ENOUGH = 300
"""From so many lists on, starting more processes costs less than it saves."""

_CHUNK = 64
_NO_SETTINGS = DeckSettings()


class CheckOptions(NamedTuple):
    """The options for all decks of a run.

    `format`, `as_of` and `best_of` win over what a list says, and that over `settings_for`. `stdin_name` names standard
    input in messages; `notation` is that of all lists.
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
        """How messages name a list."""
        return self.stdin_name if path == STANDARD_INPUT and self.stdin_name is not None else path

    def settings_of(self, path: str) -> DeckSettings:
        """The settings for the list of that shown name."""
        return _NO_SETTINGS if self.settings_for is None else self.settings_for(path)


class OpenedDeck(NamedTuple):
    """A deck with the format to judge it by; `text` is that of the file.

    `as_of` and `best_of` are None where the list may say; `by_settings` tells whether the settings name the format.
    """

    text: str
    deck: Deck
    format: LoadedFormat
    as_of: str | None
    best_of: int | None
    settings: DeckSettings
    by_settings: bool

    def check(self, *, strict: bool = False) -> Report:
        """The report of the deck, graded as the settings say; a `strict` one ignores nothing. Raises UserError, placed."""
        try:
            report = check(
                self.deck, self.format, as_of=self.as_of, best_of=self.best_of, suppressions=not strict
            )
        except UserError as error:
            raise self.placed(error) from error
        if strict:
            return report
        report = graded_by(self.settings, report)
        return report._replace(chosen_by=self.settings.format_source) if self.by_settings else report

    def placed(self, error: UserError) -> UserError:
        """The error in judging the deck, with the line of the settings or the list that is to blame."""
        return placed_at(_at_settings(error, self.settings) if self.by_settings else error, self.deck.path)


def _at_settings(error: UserError, settings: DeckSettings) -> UserError:
    """The error with the line of the settings that names the format, where it has no place of its own."""
    source = settings.format_source
    if source is None or all(problem.path is not None for problem in error.problems):
        return error
    line, column = None, None
    # The file may have changed meanwhile.
    with suppress(UserError, IndexError):
        line = read_bytes(source.path).decode("utf-8", "replace").splitlines()[source.line - 1]
        column = len(line) - len(line.lstrip()) + 1
    return placed_at(error, source.path, source.line, column, line)


def graded_by(settings: DeckSettings, report: Report) -> Report:
    """The report graded as the settings say."""
    if settings.grading is None:
        return report
    from deckcheck.report.suppressions import graded

    return graded(report, settings.grading)


Load = Callable[[str, tuple[str, ...]], LoadedFormat]
"""From a format's reference and files of cards to the format."""


class FormatCache:
    """Formats by their references and files of cards, each loaded once."""

    def __init__(self, folders: Folders = BUNDLED_ONLY) -> None:
        self._folders = folders
        # By files of cards: the games with these cards, and their formats.
        self._tables: dict[
            tuple[str, ...], tuple[dict[str, GameData], dict[str, LoadedFormat | UserError]]
        ] = {}

    def load(self, reference: str, cards: tuple[str, ...] = ()) -> LoadedFormat:
        """The format. The error of one that can't be used is raised each time."""
        if cards not in self._tables and len(self._tables) >= MOST_TABLES:
            del self._tables[next(iter(self._tables))]
        games, formats = self._tables.setdefault(cards, ({}, {}))
        if reference not in formats:
            files = [Path(path) for path in cards]
            try:
                formats[reference] = load_format(reference, cards=files, games=games, folders=self._folders)
            except UserError as error:
                formats[reference] = error
        found = formats[reference]
        if isinstance(found, UserError):
            raise found
        return found


def index_formats(
    load: Load, folders: Folders, cards: tuple[str, ...] = (), games: Collection[str] | None = None
) -> tuple[tuple[LoadedFormat, ...], tuple[Problem, ...]]:
    """All formats that can be played, by id, and the problems of the others; bundled ones of these `games` only."""
    found: list[LoadedFormat] = []
    problems: list[Problem] = []
    for entry in known_formats(folders):
        is_bundled = entry.file.is_relative_to(shipped("formats"))
        if entry.abstract or (games is not None and is_bundled and entry.id.partition("/")[0] not in games):
            continue
        try:
            found.append(load(entry.id, cards))
        except UserError as error:
            problems += error.problems
    return tuple(sorted(found, key=lambda one: one.format.id)), tuple(problems)


def games_that_know(load: Load, cards: tuple[str, ...], read: Callable[[GameData], Deck]) -> set[str]:
    """The bundled games whose cards are all that a list, read with them, names; if there are none, all games."""
    games: set[str] = set()
    knowing: set[str] = set()
    for entry in bundled_formats():
        game = entry.id.partition("/")[0]
        if entry.abstract or game in games:
            continue
        games.add(game)
        try:
            deck = read(load(entry.id, cards).game_data)
        except UserError:
            # The index of formats has the reason.
            continue
        if deck.entries and all(entry.cards for entry in deck.entries):
            knowing.add(game)
    return knowing or games


class Session:
    """Opens one list after the other; it keeps the formats of the lists."""

    def __init__(self, options: CheckOptions) -> None:
        self.options = options
        self.formats = FormatCache(options.folders)

    def open(self, found: DeckFile) -> OpenedDeck:
        """The list, ready to be judged. Raises UserError, placed, for one that can't be."""
        shown = self.options.shown_name(found.path)
        try:
            return self._open(found, shown)
        except UserError as error:
            raise placed_at(error, shown) from error

    def _open(self, found: DeckFile, shown: str) -> OpenedDeck:
        options = self.options
        text = decode(read_list(found.path), shown)
        settings = options.settings_of(shown)
        own = None if options.format is not None else _own_format(text, shown)
        reference = options.format or own or settings.format
        if reference is None:
            raise user_error(
                _("no format"),
                path=shown,
                hint=_("give --format, or a line “# format: NAME” at the top of the list"),
            )
        by_settings = options.format is None and own is None
        try:
            format = self._format(reference, options.cards + found.cards, text, shown)
        except UserError as error:
            if by_settings:
                raise _at_settings(error, settings) from error
            if own is not None:
                raise error_in_header(error, "format", text.splitlines(), shown) from error
            raise
        deck = read_deck(format, text, shown, options.notation)
        if not deck.entries and not deck.diagnostics:
            raise user_error(_("no card is listed here"), path=shown)
        as_of, best_of = unless_written(deck, (options.as_of, options.best_of), settings)
        return OpenedDeck(text, deck, format, as_of, best_of, settings, by_settings)

    def _format(self, reference: str, cards: tuple[str, ...], text: str, path: str) -> LoadedFormat:
        """The format; of several with one name the one whose game alone knows cards of the list. Raises UserError."""
        try:
            return self.formats.load(reference, cards)
        except SeveralFormatsError as error:
            formats = [self.formats.load(id, cards) for id in error.ids]
            known = [
                format
                for format in formats
                if any(entry.cards for entry in read_deck(format, text, path).entries)
            ]
            if len(known) != 1:
                raise
            return known[0]


def unless_written(
    deck: Deck, options: tuple[str | None, int | None], settings: DeckSettings
) -> tuple[str | None, int | None]:
    """The day and the games of a match: as the options say, None where the list does, else as the settings say."""
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
    """The format that a list names in its header; a file is looked for beside the list."""
    # JSON knows no comments.
    bare = take_out(text).text if WORD in text and text.lstrip()[:1] not in ("{", "[") else text
    reference = read_header(bare).get("format")
    if reference and reference.endswith((".yaml", ".yml")) and path != STANDARD_INPUT:
        return str(Path(path).parent / reference)
    return reference or None


# Many decks


class Request(NamedTuple):
    """How lists are to be checked, and how each is to be written: `output` is a name of `make_writer`."""

    check: CheckOptions = CheckOptions()
    output: str = "text"
    render: RenderOptions = RenderOptions()


Item = DeckFile | UserError


def check_paths(
    items: Sequence[Item], request: Request, *, processes: int | None = None
) -> Generator[Results, None, None]:
    """Check the lists that `find_decks` found, in order, by so many processes (default: as makes sense).

    A list that can't be checked is a problem in its results. Close the generator when you leave it early.
    """
    batch, wanted = _Batch(request), 1
    if processes is not None or len(items) >= ENOUGH:
        from deckcheck.support.workers import map_in_processes, processors

        wanted = processes or processors()
    if wanted < 2:
        # One by one, so that the first result is there at once.
        for item in items:
            yield batch.run([item])
        return
    # What this process loads first the others need not: the format and the cards so far. Standard input is its alone.
    alone = _CHUNK
    for at, item in enumerate(items):
        if isinstance(item, DeckFile) and item.path == STANDARD_INPUT:
            alone = max(alone, at + 1)
    for at in range(0, min(alone, len(items)), _CHUNK):
        yield batch.run(items[at : min(at + _CHUNK, alone)])
    rest = [items[at : at + _CHUNK] for at in range(alone, len(items), _CHUNK)]
    if rest:
        yield from map_in_processes(batch.run, rest, wanted)


class _Batch:
    """Checks lists one after the other with one session and one writer."""

    def __init__(self, request: Request) -> None:
        self._session = Session(request.check)
        self._writer = make_writer(request.output, request.render)
        self._described: set[tuple[str, str]] = set()

    def run(self, items: Sequence[Item]) -> Results:
        """The results of these lists."""
        results = Results(len(items))
        lists = None
        unapplied: set[str] = set()
        for item in items:
            try:
                if isinstance(item, UserError):
                    raise item
                opened = self._session.open(item)
                report = opened.check()
            except UserError as error:
                results.problems |= dict.fromkeys(error.problems)
                continue
            results.fragments.append(self._writer.fragment(report))
            results.verdicts[report.verdict] += 1
            results.suppressed += len(report.suppressed)
            if report.lists is not lists:
                lists = report.lists
                results.lists |= dict.fromkeys(lists)
                unapplied = {change.card for one in lists for change in one.unapplied}
            if unapplied:
                names = {card.name for entry in report.deck.entries for card in entry.cards}
                results.held |= unapplied & names
            # Lists in several folders may each name a file of their own, with one id.
            format, game = opened.format.format, opened.format.game_data.game
            key = (format.id, format.source.path)
            if self._writer.wants_rules and key not in self._described:
                from deckcheck.formats.description import rule_infos

                self._described.add(key)
                results.rules |= dict.fromkeys(rule_infos(format, game))
        return results
