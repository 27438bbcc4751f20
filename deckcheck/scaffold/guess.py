"""Which decks are meant for which format, guessed from folders' names and from what lists say of themselves."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from unicodedata import normalize

from deckcheck.formats.lookup import FormatEntry
from deckcheck.scaffold.survey import FoundDeck, OwnFormat, Parts


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

    `format` is for all other decks; `open` counts those of which nobody says
    what they are meant for.
    """

    format: str | None
    folders: tuple[Mapped, ...]
    open: int


class _Folder:
    """What lies below a folder: `says` are the formats that lists name, without those in folders named so."""

    __slots__ = ("decks", "folders", "says")

    def __init__(self) -> None:
        self.decks: list[str | None] = []
        self.folders: dict[str, _Folder] = {}
        self.says: set[str] = set()


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

    A folder called like a format is for that format. Any other one counts
    where the lists in it that name a format name the same, and it is the
    innermost that holds them all. `format` is for everything else.
    """
    root = _Folder()
    files = {one.file: one.id for one in known if one.file is not None}
    for deck in decks:
        at = root
        for part in deck.parts[:-1]:
            at = at.folders.setdefault(part, _Folder())
        at.decks.append(_own(deck, known, files))
    _gather(root, known)
    default = format or _agreed(root, known)
    folders = [
        mapped
        for name, inner in sorted(root.folders.items())
        for mapped in _walk((name,), inner, known, default)
    ]
    return Guess(default, tuple(folders), 0 if default else _open(root, (), {one.parts for one in folders}))


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


def _gather(folder: _Folder, known: Sequence[Known]) -> None:
    folder.says = {one for one in folder.decks if one}
    for name, inner in folder.folders.items():
        _gather(inner, known)
        if called(name, known) is None:
            folder.says |= inner.says


def _agreed(folder: _Folder, known: Sequence[Known]) -> str | None:
    """The format that the lists below a folder agree upon, if no inner folder holds all that name it."""
    if len(folder.says) != 1:
        return None
    [format] = folder.says
    holding = [inner for name, inner in folder.folders.items() if inner.says and called(name, known) is None]
    return format if format in folder.decks or len(holding) > 1 else None


def _walk(parts: Parts, folder: _Folder, known: Sequence[Known], outer: str | None) -> Iterator[Mapped]:
    named = called(parts[-1], known)
    format = named or _agreed(folder, known)
    if format is not None and format != outer:
        yield Mapped(parts, format, named is not None)
        outer = format
    for name, inner in sorted(folder.folders.items()):
        yield from _walk((*parts, name), inner, known, outer)


def _open(folder: _Folder, parts: Parts, mapped: set[Parts]) -> int:
    """How many lists name no format and lie in no folder that is mapped."""
    if parts in mapped:
        return 0
    inner = sum(_open(one, (*parts, name), mapped) for name, one in folder.folders.items())
    return folder.decks.count(None) + inner
