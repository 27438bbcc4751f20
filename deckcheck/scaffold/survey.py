"""What lies in a folder that is to be checked: decks, formats, banlists, and what only looks like a deck."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from deckcheck.checking.judge import open_game_data
from deckcheck.checking.session import read_list
from deckcheck.checking.walk import DeckFile
from deckcheck.decklists.decode import decode
from deckcheck.decklists.header import read_header
from deckcheck.formats.lookup import CASES, FormatEntry, bundled_banlists, own_banlists, own_formats
from deckcheck.model.deck import Reader
from deckcheck.support.errors import UserError
from deckcheck.support.files import shipped

Parts = tuple[str, ...]
"""A path from the folder that is looked at."""


class FoundDeck(NamedTuple):
    """A deck, and the format that it names itself, None for none."""

    parts: Parts
    format: str | None


class OwnFormat(NamedTuple):
    """A format of one's own, and whether it has cases."""

    parts: Parts
    named: FormatEntry
    cases: bool


class Survey(NamedTuple):
    """What was found. `no_decks` have the ending of a list and hold no card that anybody knows."""

    decks: tuple[FoundDeck, ...] = ()
    no_decks: tuple[Parts, ...] = ()
    formats: tuple[OwnFormat, ...] = ()
    banlists: tuple[Parts, ...] = ()


def survey(folder: Path, lists: Iterable[DeckFile], others: Iterable[str]) -> Survey:
    """Look at what `walk.find_decks` found below `folder`, and at the files that it passed over.

    A file that can't be read counts as a deck, so that a check tells of it. One
    whose name is no text can't be named in settings either, and is left alone.
    """
    found = [(_parts(one.path, folder), one) for one in lists if _is_text(one.path)]
    looked_at = [(parts, *_look(one.path)) for parts, one in found if not _is_case(parts)]
    knows = _card_finder()
    known = [
        (parts, text, own, own is not None or text is None or knows(text) or _counts(text))
        for parts, text, own in looked_at
    ]
    # Where no list has a card that is known, the cards are new and the lists may be lists all the same.
    sure = any(held and text is not None for _, text, _, held in known)
    formats, banlists = _rules(folder, {Path(one) for one in others if _is_text(one)})
    return Survey(
        tuple(FoundDeck(parts, own) for parts, _, own, held in known if held or not sure),
        tuple(parts for parts, _, _, held in known if sure and not held),
        formats,
        banlists,
    )


def _counts(text: str) -> bool:
    """Whether most lines say how many of something: such a list holds cards, though nobody knows them yet."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith(("#", "//"))]
    counted = sum(bool(re.search(_COUNTED, line)) for line in lines)
    return 2 * counted > len(lines)


_COUNTED = r"^\W*[0-9０-９]{1,2}\s*[xX×枚]\s*\S|\S\s*[xX×]\s*[0-9０-９]{1,2}\s*枚?\s*$"


def _parts(path: str, folder: Path) -> Parts:
    return Path(path).relative_to(folder).parts


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_case(parts: Parts) -> bool:
    return any(part.endswith(CASES) for part in parts[:-1])


def _look(path: str) -> tuple[str | None, str | None]:
    """The text of a list, None where it can't be read, and the format that it names."""
    try:
        text = decode(read_list(path), path)
    except UserError:
        return None, None
    return text, read_header(text).get("format")


def _card_finder() -> Callable[[str], bool]:
    """A function that tells whether a text read as a list names a card of any game."""
    games = sorted(file.parent.name for file in shipped("formats").glob("*/game.yaml"))
    readers = [open_game_data(game).read for game in games]
    return lambda text: any(_holds_cards(read, text) for read in readers)


def _holds_cards(read: Reader, text: str) -> bool:
    try:
        return any(entry.cards for entry in read(text, "-").entries)
    except UserError:
        return False


def _rules(folder: Path, others: set[Path]) -> tuple[tuple[OwnFormat, ...], tuple[Parts, ...]]:
    """The formats and banlists among the files that are no lists."""
    try:
        formats = [one for one in own_formats([folder]) if one.file in others]
        # One of a bundled id is an announcement or a copy; named in the settings it would stand for the whole list.
        bundled = set(bundled_banlists())
        banlists = [one for one in own_banlists([folder]) if one.file in others and one.id not in bundled]
    except (UserError, UnicodeError):
        # Far more files than a repository of decks has, or names that are no text: nothing is guessed.
        return (), ()
    return (
        tuple(
            OwnFormat(one.file.relative_to(folder).parts, one, one.file.with_suffix(CASES).is_dir())
            for one in formats
        ),
        tuple(one.file.relative_to(folder).parts for one in banlists),
    )
