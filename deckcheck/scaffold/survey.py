"""What is in a folder of decks, and which formats they are meant for, by folders' names and lists' headers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from deckcheck.checking.deck_files import DeckFile, is_decklist
from deckcheck.checking.judge import open_game_data
from deckcheck.checking.session import read_list
from deckcheck.decklists.decode import decode
from deckcheck.decklists.header import read_header
from deckcheck.formats.loading import bundled_games
from deckcheck.formats.lookup import (
    CASES,
    ENDINGS,
    FormatEntry,
    bundled_formats,
    folded,
    known_banlists,
    own_banlists,
    own_formats,
)
from deckcheck.model.deck import Reader
from deckcheck.support.errors import UserError

_NOT_TEXT = re.compile("[\ud800-\udfff]")

Parts = tuple[str, ...]
"""A path relative to the surveyed folder."""


class FoundDeck(NamedTuple):
    """A deck, and the format that it names; None if it names none."""

    parts: Parts
    format: str | None


class Survey(NamedTuple):
    """What was found. `no_decks` have the ending of a list but other content; files are relative to the folder."""

    decks: tuple[FoundDeck, ...] = ()
    no_decks: tuple[Parts, ...] = ()
    formats: tuple[FormatEntry, ...] = ()
    banlists: tuple[Parts, ...] = ()


def survey(folder: Path, lists: Iterable[DeckFile], others: Iterable[str]) -> Survey:
    """Examine the lists that `walk.find_decks` found below `folder`, and the files that it skipped.

    An unreadable file counts as a deck, so that a check reports it. A name that isn't text can't be in settings.
    """
    readers = [open_game_data(game).read for game in bundled_games()]
    found: list[tuple[FoundDeck, bool]] = []
    any_cards = False
    for deck in lists:
        parts = Path(deck.path).relative_to(folder).parts
        if _NOT_TEXT.search(deck.path) or any(part.endswith(CASES) for part in parts[:-1]):
            continue
        try:
            text = decode(read_list(deck.path), deck.path)
        except UserError:
            found.append((FoundDeck(parts, None), True))
            continue
        named = read_header(text).get("format")
        is_deck = named is not None or any(_is_list(read, text) for read in readers)
        any_cards = any_cards or is_deck
        found.append((FoundDeck(parts, named), is_deck))
    # If no list has a known card, the cards may simply be new.
    formats, banlists = _own_rules(folder, {Path(path) for path in others if not _NOT_TEXT.search(path)})
    return Survey(
        tuple(deck for deck, is_deck in found if is_deck or not any_cards),
        tuple(deck.parts for deck, is_deck in found if any_cards and not is_deck),
        formats,
        banlists,
    )


def _is_list(read: Reader, text: str) -> bool:
    """Whether a text is a list of the game that `read` is for."""
    try:
        return is_decklist(read(text, "-"))
    except UserError:
        return False


def _own_rules(folder: Path, others: set[Path]) -> tuple[tuple[FormatEntry, ...], tuple[Parts, ...]]:
    """The formats and banlists among the files that aren't lists."""
    try:
        formats = [entry for entry in own_formats([folder]) if entry.file in others]
        # A list with a bundled id is an announcement or a copy; in the settings it would replace the bundled list.
        bundled = set(known_banlists())
        banlists = [
            entry for entry in own_banlists([folder]) if entry.file in others and entry.id not in bundled
        ]
    except (UserError, UnicodeError):
        # Far more files than in a repository of decks, or names that aren't text: nothing is guessed.
        return (), ()
    return (
        tuple(entry._replace(file=entry.file.relative_to(folder)) for entry in formats),
        tuple(entry.file.relative_to(folder).parts for entry in banlists),
    )


# Guessing


class FolderFormat(NamedTuple):
    """A folder and the format of its decks; `by_name`: the folder is named after the format."""

    parts: Parts
    format: str
    by_name: bool


class Guess(NamedTuple):
    """A format for each of the `folders`, outer ones first, and for other decks; `open` counts decks without any."""

    format: str | None
    folders: tuple[FolderFormat, ...]
    open: int


def playable_formats(own: Iterable[FormatEntry] = ()) -> list[FormatEntry]:
    """Every format that decks can be meant for; the user's own replace bundled ones with the same ids."""
    mine = [entry for entry in own if not entry.abstract]
    ids = {entry.id for entry in mine}
    return mine + [entry for entry in bundled_formats() if not entry.abstract and entry.id not in ids]


def format_id(name: str, known: Sequence[FormatEntry]) -> str | None:
    """The id of the only format with that name; None for none or several."""
    wanted = _folded(name)
    hits = [entry.id for entry in known if wanted and wanted in map(_folded, entry.names)]
    return hits[0] if len(hits) == 1 else None


@lru_cache(maxsize=4096)
def _folded(name: str) -> str:
    return re.sub("[/_-]", "", folded(name))


def guess(decks: Iterable[FoundDeck], known: Sequence[FormatEntry], format: str | None = None) -> Guess:
    """The format that the decks of each folder are probably meant for; `format` is for everything else.

    A folder named after a format is for that format. In any other folder, all lists that name a format must name the
    same one, and the innermost folder that contains all of them gets it.
    """
    own = [(deck.parts[:-1], _format_of(deck, known)) for deck in decks]
    folders = sorted({(), *(parts[:depth] for parts, _format in own for depth in range(1, len(parts) + 1))})
    by_name = {folder: format_id(folder[-1], known) if folder else None for folder in folders}
    # For each folder, and each format that lists in it name: the innermost folder that contains all these lists.
    homes: dict[Parts, dict[str, Parts]] = {folder: {} for folder in folders}
    for parts, named in own:
        if not named:
            continue
        for depth in range(len(parts), -1, -1):
            home = homes[parts[:depth]].get(named, parts)
            while parts[: len(home)] != home:
                home = home[:-1]
            homes[parts[:depth]][named] = home
            if by_name[parts[:depth]]:
                break

    def agreed(folder: Parts) -> str | None:
        return next(iter(homes[folder])) if [*homes[folder].values()] == [folder] else None

    default = format or agreed(())
    meant: dict[Parts, str | None] = {(): default}
    mapped = []
    for folder in folders[1:]:
        outer, own_format = meant[folder[:-1]], by_name[folder] or agreed(folder)
        meant[folder] = own_format or outer
        if own_format is not None and own_format != outer:
            mapped.append(FolderFormat(folder, own_format, by_name[folder] is not None))
    return Guess(default, tuple(mapped), sum(named is None and meant[parts] is None for parts, named in own))


def _format_of(deck: FoundDeck, known: Sequence[FormatEntry]) -> str | None:
    """The id of the format that a list names, "" if it is unknown, None if the list names none."""
    if deck.format is None or not deck.format.endswith(ENDINGS):
        return deck.format and (format_id(deck.format, known) or "")
    path: list[str] = list(deck.parts[:-1])
    for part in deck.format.split("/"):
        if part == "..":
            del path[-1:]
        elif part != ".":
            path.append(part)
    return next((entry.id for entry in known if entry.file == Path(*path)), "")
