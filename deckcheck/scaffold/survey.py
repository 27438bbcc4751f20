"""What lies in a folder of decks, and the formats for which these are meant.

Formats are guessed from the names of folders and from what lists say of themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from deckcheck.checking.judge import open_game_data
from deckcheck.checking.session import read_list
from deckcheck.checking.walk import DeckFile
from deckcheck.decklists.decode import decode
from deckcheck.decklists.header import read_header
from deckcheck.formats.lookup import CASES, FormatEntry, bundled_banlists, own_banlists, own_formats
from deckcheck.model.deck import Reader
from deckcheck.support.errors import UserError
from deckcheck.support.files import shipped

_COUNTED = re.compile(r"^\W*[0-9０-９]{1,2}\s*[xX×枚]\s*\S|\S\s*[xX×]\s*[0-9０-９]{1,2}\s*枚?\s*$")

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

    A file that can't be read counts as a deck, so that a check reports it. One
    whose name is no text can't be named in settings either, and is left alone.
    """
    knows = _card_finder()
    found: list[tuple[FoundDeck, bool]] = []
    sure = False
    for one in lists:
        parts = Path(one.path).relative_to(folder).parts
        if not _is_text(one.path) or any(part.endswith(CASES) for part in parts[:-1]):
            continue
        try:
            text = decode(read_list(one.path), one.path)
        except UserError:
            found.append((FoundDeck(parts, None), True))
            continue
        own = read_header(text).get("format")
        held = own is not None or knows(text) or _counts(text)
        sure = sure or held
        found.append((FoundDeck(parts, own), held))
    # Where no list has a card that is known, the cards are new and the lists may be lists all the same.
    formats, banlists = _rules(folder, {Path(one) for one in others if _is_text(one)})
    return Survey(
        tuple(deck for deck, held in found if held or not sure),
        tuple(deck.parts for deck, held in found if sure and not held),
        formats,
        banlists,
    )


def _counts(text: str) -> bool:
    """Whether most lines say how many of something: such a list holds cards, though nobody knows them yet."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith(("#", "//"))]
    return 2 * sum(bool(_COUNTED.search(line)) for line in lines) > len(lines)


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _card_finder() -> Callable[[str], bool]:
    """A function that tells whether a text read as a list names a card of any game."""
    games = sorted(file.parent.name for file in shipped("formats").glob("*/game.yaml"))
    readers = [open_game_data(game).read for game in games]

    def holds_cards(read: Reader, text: str) -> bool:
        try:
            return any(entry.cards for entry in read(text, "-").entries)
        except UserError:
            return False

    return lambda text: any(holds_cards(read, text) for read in readers)


def _rules(folder: Path, others: set[Path]) -> tuple[tuple[OwnFormat, ...], tuple[Parts, ...]]:
    """The formats and banlists among the files that are no lists."""
    try:
        formats = [one for one in own_formats([folder]) if one.file in others]
        # One of a bundled id is an announcement or a copy; named in the settings it would replace the whole list.
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


# Guessing


class Known(NamedTuple):
    """A format that decks may be meant for, with everything by which it may be called, folded."""

    id: str
    calls: frozenset[str]
    file: Parts | None = None


class Mapped(NamedTuple):
    """A folder and the format of its decks; `by_name` tells that the folder is called like the format."""

    parts: Parts
    format: str
    by_name: bool


class Guess(NamedTuple):
    """What is to be written down, outer folders before inner ones.

    `format` is for all other decks; `open` counts those of which nobody says what they are meant for.
    """

    format: str | None
    folders: tuple[Mapped, ...]
    open: int


def known_formats(bundled: Iterable[FormatEntry], own: Iterable[OwnFormat]) -> list[Known]:
    """Every format for which decks can be meant; one's own in the place of a bundled one of the same id."""
    mine = [_known(one.named, one.parts) for one in own if not one.named.abstract]
    ids = {one.id for one in mine}
    return mine + [_known(one) for one in bundled if not one.abstract and one.id not in ids]


def _known(one: FormatEntry, file: Parts | None = None) -> Known:
    names = (one.id, one.id.rpartition("/")[2], one.ja, one.en, *one.aliases)
    return Known(one.id, frozenset(map(_folded, names)) - {""}, file)


def _folded(name: str) -> str:
    return re.sub(r"[\s/_-]", "", normalize("NFKC", name).casefold())


def called(name: str, known: Sequence[Known]) -> str | None:
    """The id of the one format that is called so, None where there is none or more than one."""
    wanted = _folded(name)
    hits = [one.id for one in known if wanted in one.calls]
    return hits[0] if len(hits) == 1 else None


def guess(decks: Iterable[FoundDeck], known: Sequence[Known], format: str | None = None) -> Guess:
    """Where the decks of a folder all seem to be meant for one format.

    A folder called like a format is for that format. Any other one counts where the lists in it that name a
    format name the same, and it is the innermost that holds them all. `format` is for everything else.
    """
    root = _Folder()
    files = {one.file: one.id for one in known if one.file is not None}
    for deck in decks:
        at = root
        for part in deck.parts[:-1]:
            if part not in at.folders:
                at.folders[part] = _Folder(called(part, known))
            at = at.folders[part]
        at.decks.append(_own(deck, known, files))
    default = format or root.agreed()
    folders = tuple(mapped for name, inner in root.inner() for mapped in inner.mapped((name,), default))
    return Guess(default, folders, 0 if default else root.open((), {one.parts for one in folders}))


def _own(deck: FoundDeck, known: Sequence[Known], files: dict[Parts, str]) -> str | None:
    """The id of the format that a list names, "" for one that nobody here knows, None where it names none."""
    if deck.format is None:
        return None
    if not deck.format.endswith((".yaml", ".yml")):
        return called(deck.format, known) or ""
    way: list[str] = list(deck.parts[:-1])
    for part in deck.format.split("/"):
        if part == "..":
            del way[-1:]
        elif part != ".":
            way.append(part)
    return files.get(tuple(way), "")


class _Folder:
    """A folder, the format that it is called like, and its decks, each as the format that it names (see `_own`)."""

    def __init__(self, named: str | None = None) -> None:
        self.named = named
        self.decks: list[str | None] = []
        self.folders: dict[str, _Folder] = {}

    def inner(self) -> list[tuple[str, _Folder]]:
        """The folders in it, by name."""
        return sorted(self.folders.items())

    def said(self) -> set[str]:
        """The formats that the lists below name, without those in folders called like a format."""
        inner = (folder.said() for folder in self.folders.values() if folder.named is None)
        return set(filter(None, self.decks)).union(*inner)

    def agreed(self) -> str | None:
        """The format on which the lists below agree, if no inner folder holds all that name it."""
        said = self.said()
        if len(said) != 1:
            return None
        [format] = said
        holding = [folder for folder in self.folders.values() if folder.named is None and folder.said()]
        return format if format in self.decks or len(holding) > 1 else None

    def mapped(self, parts: Parts, outer: str | None) -> Iterator[Mapped]:
        """This folder and those below that are for another format than the one around them."""
        format = self.named or self.agreed()
        if format is not None and format != outer:
            yield Mapped(parts, format, self.named is not None)
        for name, folder in self.inner():
            yield from folder.mapped((*parts, name), format or outer)

    def open(self, parts: Parts, mapped: set[Parts]) -> int:
        """How many lists name no format and lie in no folder that is mapped."""
        if parts in mapped:
            return 0
        below = sum(folder.open((*parts, name), mapped) for name, folder in self.folders.items())
        return self.decks.count(None) + below
