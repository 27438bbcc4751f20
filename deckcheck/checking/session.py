"""From a path to a deck that is ready to be judged: its text, its format, its day."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from deckcheck.checking.declared import unless_said
from deckcheck.checking.judge import LoadedFormat, Table, load_format, read_deck
from deckcheck.checking.walk import STANDARD_INPUT, DeckFile
from deckcheck.config.settings import DeckSettings, SettingsFor
from deckcheck.decklists.decode import decode
from deckcheck.decklists.directives import WORD, take_out
from deckcheck.decklists.header import header_place, read_header
from deckcheck.formats.find import BUNDLED_ONLY, Folders, SeveralFormatsError
from deckcheck.model.deck import Deck
from deckcheck.model.rule import Source
from deckcheck.support.errors import UserError, placed_at, wrong
from deckcheck.support.files import MOST_BYTES, read_bytes
from deckcheck.support.messages import _

MOST_TABLES = 4
"""Decks with cards of their own need a card table of their own; so many are held at a time."""

_PIECE = 256 * 1024
_NOTHING_SAID = DeckSettings()


class Wish(NamedTuple):
    """What was asked for all decks of a run.

    `format`, `as_of` and `best_of` win over what a list says of itself, and
    that over `settings_for`. `cards` are files with cards of one's own.
    `stdin_name` is what standard input is called, None for "-". `notation` is
    that of all lists, None where each may be in another.
    """

    format: str | None = None
    as_of: str | None = None
    best_of: int | None = None
    cards: tuple[str, ...] = ()
    folders: Folders = BUNDLED_ONLY
    settings_for: SettingsFor | None = None
    stdin_name: str | None = None
    notation: str | None = None


class Opened(NamedTuple):
    """A deck, the format to judge it by, and what else was said.

    `as_of` and `best_of` are None where the list itself may say. `mine` is
    what the settings say, `text` the list's text as it stands in the file.
    """

    text: str
    deck: Deck
    format: LoadedFormat
    as_of: str | None
    best_of: int | None
    mine: DeckSettings
    by_settings: bool


Load = Callable[[str, tuple[str, ...]], LoadedFormat]
Open = Callable[[DeckFile], Opened]


def make_loader(folders: Folders = BUNDLED_ONLY) -> Load:
    """A function from a format's reference and files of cards to the format; it keeps those that it met.

    What it raises for a format that can't be used it raises each time.
    """
    tables: dict[tuple[str, ...], dict[str, Table]] = {}
    formats: dict[tuple[str, tuple[str, ...]], LoadedFormat | UserError] = {}

    def load(reference: str, cards: tuple[str, ...]) -> LoadedFormat:
        found = formats.get((reference, cards))
        if found is None:
            while len(tables) >= MOST_TABLES and cards not in tables:
                oldest = next(iter(tables))
                del tables[oldest]
                for key in [key for key in formats if key[1] == oldest]:
                    del formats[key]
            try:
                found = load_format(
                    reference,
                    cards=[Path(path) for path in cards],
                    tables=tables.setdefault(cards, {}),
                    folders=folders,
                )
            except UserError as error:
                found = error
            formats[reference, cards] = found
        if isinstance(found, UserError):
            raise found
        return found

    return load


def make_opener(wish: Wish) -> Open:
    """A function that opens one list after the other; it keeps the formats that it met.

    It raises UserError, placed, for a list that can't be judged.
    """
    load = make_loader(wish.folders)

    def opened(found: DeckFile) -> Opened:
        shown = shown_name(found.path, wish.stdin_name)
        text = decode(read_list(found.path), shown)
        mine = _NOTHING_SAID if wish.settings_for is None else wish.settings_for(shown)
        own = None if wish.format is not None else _own_format(text, shown)
        reference = wish.format or own or mine.format
        if reference is None:
            raise _no_format(shown)
        by_settings = wish.format is None and own is None
        try:
            try:
                format = load(reference, wish.cards + found.cards)
            except SeveralFormatsError as error:
                format = _meant(error, text, shown, lambda id: load(id, wish.cards + found.cards))
        except UserError as error:
            if by_settings:
                raise _at_settings(error, mine) from error
            raise (_at_header(error, text, shown) if wish.format is None else error) from error
        deck = read_deck(format, text, shown, wish.notation)
        if not deck.entries and not deck.diagnostics:
            raise wrong(_("no card is listed here"), path=shown)
        as_of, best_of = unless_said(deck, (wish.as_of, wish.best_of), (mine.as_of, mine.best_of))
        return Opened(text, deck, format, as_of, best_of, mine, by_settings)

    def placed(found: DeckFile) -> Opened:
        try:
            return opened(found)
        except UserError as error:
            shown = shown_name(found.path, wish.stdin_name)
            raise placed_at(error, shown) from error

    return placed


def shown_name(path: str, stdin_name: str | None) -> str:
    """How a list is named in what is told of it."""
    return stdin_name if path == STANDARD_INPUT and stdin_name is not None else path


def placed_error(error: UserError, one: Opened) -> UserError:
    """What is wrong with judging a deck, with the line of the settings or the list that is to blame."""
    at_settings = _at_settings(error, one.mine) if one.by_settings else error
    return placed_at(at_settings, one.deck.path)


def read_list(path: str) -> bytes:
    """The bytes of a list; as files.read_bytes, with less around it and for standard input too."""
    try:
        if path == STANDARD_INPUT and sys.stdin is None:
            raise wrong(_("standard input is closed"), path=path)
        if path == STANDARD_INPUT:
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
            try:
                data = _all_of(handle)
            finally:
                os.close(handle)
    except OSError as error:
        reason = error.strerror or str(error)
        raise wrong(_("can't be read: {reason}", reason=reason), path=path) from error
    if len(data) > MOST_BYTES:
        raise wrong(
            _("too large (at most {most_bytes:,} bytes)", most_bytes=MOST_BYTES),
            path=path,
        )
    return data


def _all_of(handle: int) -> bytes:
    parts = [os.read(handle, _PIECE)]
    size = len(parts[0])
    # A pipe gives what it has, not what was asked for.
    while parts[-1] and size <= MOST_BYTES:
        parts.append(os.read(handle, _PIECE))
        size += len(parts[-1])
    return b"".join(parts)


def _meant(
    error: SeveralFormatsError, text: str, path: str, load: Callable[[str], LoadedFormat]
) -> LoadedFormat:
    """Of several formats that go by one name the one whose game alone knows cards of the list.

    Raises the error where no game knows any, or more than one.
    """
    known = [
        format
        for format in map(load, error.ids)
        if any(one.cards for one in read_deck(format, text, path).entries)
    ]
    if len(known) != 1:
        raise error
    return known[0]


def _own_format(text: str, path: str) -> str | None:
    """The format that a list names in its header; a file is looked for beside the list."""
    # JSON knows no comments.
    bare = take_out(text).text if WORD in text and text.lstrip()[:1] not in ("{", "[") else text
    reference = read_header(bare).get("format")
    if reference and reference.endswith((".yaml", ".yml")) and path != STANDARD_INPUT:
        return str(Path(path).parent / reference)
    return reference or None


def _no_format(path: str) -> UserError:
    return wrong(
        _("no format"),
        path=path,
        hint=_("give --format, or a line “# format: NAME” at the top of the list"),
    )


def _at_header(error: UserError, text: str, path: str) -> UserError:
    """The error with the line of the list that names the format, where it has no place of its own."""
    lines = text.splitlines()
    place = header_place(lines, "format")
    if place is None:
        return error
    line, column = place
    return placed_at(error, path, line, column, lines[line - 1])


def _at_settings(error: UserError, mine: DeckSettings) -> UserError:
    """The error with the line of the settings that names the format, where it has no place of its own."""
    source = mine.format_source
    if source is None or all(one.path is not None for one in error.problems):
        return error
    line = _line_at(source)
    column = None if line is None else len(line) - len(line.lstrip()) + 1
    return placed_at(error, source.path, source.line, column, line)


def _line_at(source: Source) -> str | None:
    """The line itself, if it is still there."""
    try:
        text = read_bytes(Path(source.path)).decode("utf-8", "replace")
    except UserError:
        return None
    lines = text.splitlines()
    return lines[source.line - 1] if source.line <= len(lines) else None
