"""From what stands on the command line to the decks that are meant."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from deckcheck.config.find import folders_above
from deckcheck.config.settings import NO_SETTINGS, Settings
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import MOST_BYTES, Item, cannot_read, walk
from deckcheck.support.messages import _

if TYPE_CHECKING:
    from deckcheck.config.patterns import Chain

STANDARD_INPUT = "-"
CARD_FILES = ("cards.yaml", "cards.yml")
"""A file of this name holds cards of one's own, for the decks in its folder."""

MOST_DEEP = 200

_ENDINGS = (".txt", ".csv", ".tsv", ".yaml", ".yml", ".json", ".dek", ".cod", ".dck", ".ydk")
# The keys at the top of a format, a banlist, a game, corrections, an event or a report of our own.
_OTHER_FILES = tuple(
    map(
        frozenset,
        (
            ["format", "rules"],
            ["format", "extends"],
            ["format", "abstract"],
            ["banlist"],
            ["game", "attributes"],
            ["corrections"],
            ["event", "entries"],
            ["schema", "tool", "decks"],
        ),
    )
)
_YAML_KEY = re.compile(r"(?m)^([A-Za-z_-]+)[ \t]*:")


class DeckFile(NamedTuple):
    """A file to read a deck from, and the card files beside it. `path` "-" is standard input."""

    path: str
    cards: tuple[str, ...] = ()


def find_decks(
    paths: Iterable[str],
    passed_over: list[str] | None = None,
    settings: Settings = NO_SETTINGS,
    excluded: list[str] | None = None,
    stdin_name: str | None = None,
) -> Iterator[DeckFile | UserError]:
    """Every decklist under `paths`, each once, folders in the order of their names.

    In folders only files with an ending of lists count, no hidden ones, and
    nothing that the settings or a repository's .gitignore exclude; what is
    named itself always counts unless exclusion is forced. A format, a banlist or a
    card file is no list and is passed over, too. What can't be found comes as
    the UserError that says so, in its place; so does a folder or a whole
    command line without a single list, but not where exclusion is forced:
    then whoever names files knows not what they are. What is passed over is added to `passed_over`, what is excluded to
    `excluded`. Standard input is excluded where `stdin_name` would be.
    """
    search = _Search(
        settings,
        [] if passed_over is None else passed_over,
        [] if excluded is None else excluded,
    )
    named, nothing_found = list(paths), True
    known: set[str] = set()
    for path in named:
        place = stdin_name if path == STANDARD_INPUT else path
        if settings.force_exclude and place is not None and search.exclusion.of_named(place):
            search.excluded.append(place)
            continue
        for found in search.under(path):
            nothing_found = False
            if len(named) > 1 and isinstance(found, DeckFile):
                whole = found.path if found.path == STANDARD_INPUT else _absolute(found.path)
                if whole in known:
                    continue
                known.add(whole)
            yield found
    if nothing_found and not settings.force_exclude:
        yield user_error(_("not a decklist"), path=named[0] if named else None)


class Exclusion:
    """What the settings and the .gitignore files of a repository leave out; paths as absolute ones too."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._above: dict[str, tuple[bool, Chain | None]] = {}

    def chain_of(self, folder: str) -> Chain | None:
        """What .gitignore says in a folder (absolute)."""
        chain: Chain | None = None
        for above in reversed(list(folders_above(folder))):
            chain = self.entered(above, chain)
        return chain

    def entered(self, folder: str, above: Chain | None) -> Chain | None:
        """As `chain_of`, from what it says in the folder above."""
        if not self._settings.respect_gitignore:
            return None
        from deckcheck.config.patterns import entered

        return entered(folder, above)

    def of(self, path: str, place: str, is_folder: bool, chain: Chain | None) -> bool:
        """Whether a path, `place` when absolute, is excluded itself, where `chain` is what .gitignore says."""
        rules = self._settings.excluded
        verdict = None if rules is None else rules(path, is_folder)
        if verdict is None and chain:
            from deckcheck.config.patterns import ignored

            verdict = ignored(chain, place, is_folder)
        return bool(verdict)

    def of_named(self, path: str) -> bool:
        """Whether a path that was named is excluded, itself or by a folder above it."""
        try:
            place = _absolute(path)
        except ValueError:
            return False
        is_folder = os.path.isdir(place)
        out, chain = self._within(os.path.dirname(place))
        return out or self.of(place, place, is_folder, chain)

    def _within(self, folder: str) -> tuple[bool, Chain | None]:
        """Whether a folder (absolute) is excluded, and what .gitignore says in it."""
        out, chain = False, None
        for above in reversed(list(folders_above(folder))):
            if above not in self._above:
                out = out or self.of(above, above, True, chain)
                self._above[above] = out, self.entered(above, chain)
            out, chain = self._above[above]
        return out, chain


class _Search:
    """One search for decks, with what it leaves out by the way."""

    def __init__(self, settings: Settings, passed_over: list[str], excluded: list[str]) -> None:
        self.passed_over, self.excluded = passed_over, excluded
        self.exclusion = Exclusion(settings)
        self._excluding = settings.excluded is not None
        self._own = _project_files(settings)
        self._cards: dict[str, tuple[str, ...]] = {}

    def under(self, path: str) -> Iterator[DeckFile | UserError]:
        """The decks that a path from the command line means."""
        if path == STANDARD_INPUT:
            yield DeckFile(path)
            return
        try:
            mode = os.stat(path).st_mode
        except (OSError, ValueError) as error:
            yield _unreachable(path, error)
            return
        if stat.S_ISDIR(mode):
            before = len(self.excluded)
            found = False
            for item in self._in_folder(path):
                found = True
                yield item
            if not found:
                yield self._empty(path, self.excluded[before:])
        # Reading from a pipe to see what it holds would take it away.
        elif not stat.S_ISREG(mode) or (_absolute(path) not in self._own and _is_deck(path)):
            yield self._deck(path, os.path.dirname(path))
        else:
            self.passed_over.append(path)

    def _empty(self, folder: str, left_out: list[str]) -> UserError:
        hint = None
        if left_out:
            from deckcheck.support.safetext import about

            hint = about(_("excluded"), left_out)
        return user_error(_("no decks in this folder"), path=folder, hint=hint)

    def _in_folder(self, top: str) -> Iterator[DeckFile | UserError]:
        place = _absolute(top)
        chains = {top: self.exclusion.chain_of(place)}
        start, ended = len(_ended(top)), _ended(place)

        def enter(folder: Item) -> bool:
            chain, whole = chains[folder.folder], ended + folder.path[start:]
            if (self._excluding or chain) and self.exclusion.of(folder.path, whole, True, chain):
                self.excluded.append(folder.path)
                return False
            chains[folder.path] = self.exclusion.entered(whole, chain)
            return folder.depth < MOST_DEEP

        for item in walk(top, enter):
            if item.kind == "folder":
                if item.depth == MOST_DEEP:
                    yield user_error(_("folders nested too deeply"), path=item.path)
            elif item.kind == "unreadable":
                assert item.error is not None
                yield _unreachable(item.path, item.error)
            elif item.kind == "file" or item.error is not None:
                yield from self._item(item, ended + item.path[start:], chains[item.folder])

    def _item(self, item: Item, place: str, chain: Chain | None) -> Iterator[DeckFile]:
        lower = item.name.lower()
        if (self._excluding or chain) and self.exclusion.of(item.path, place, False, chain):
            if lower.endswith(_ENDINGS):
                self.excluded.append(item.path)
        # It is used, for the decks beside it or for all.
        elif lower in CARD_FILES or place in self._own:
            pass
        elif item.error is None and lower.endswith(_ENDINGS) and _is_deck(item.path):
            yield self._deck(item.path, item.folder)
        else:
            self.passed_over.append(item.path)

    def _deck(self, path: str, folder: str) -> DeckFile:
        if folder not in self._cards:
            paths = [os.path.join(folder, name) for name in CARD_FILES]
            self._cards[folder] = tuple(file for file in paths if os.path.isfile(file))
        return DeckFile(path, self._cards[folder])


def _project_files(settings: Settings) -> frozenset[str]:
    """The settings, cards, formats and lists of the project (absolute): they are used and are no decks."""
    files = [str(card) for card in settings.cards]
    if settings.file is not None:
        files.append(settings.file)
    if any(settings.folders):
        from deckcheck.formats.lookup import searched_files

        files += map(str, searched_files(settings.folders))
    return frozenset(map(_absolute, files))


def _is_deck(path: str) -> bool:
    """Whether a file may be a list: YAML and JSON of other sorts are told by the keys at their top."""
    lower = os.path.basename(path).lower()
    if not lower.endswith((".yaml", ".yml", ".json")):
        return True
    if lower in CARD_FILES:
        return False
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES)
    except OSError:
        return True
    keys = (
        _json_keys(data)
        if lower.endswith(".json")
        else set(_YAML_KEY.findall(data.decode("utf-8", "replace")))
    )
    return not any(kind <= keys for kind in _OTHER_FILES)


def _json_keys(data: bytes) -> set[str]:
    import json

    try:
        tree = json.loads(data)
    except (ValueError, RecursionError):
        return set()
    return set(tree) if isinstance(tree, dict) else set()


def _absolute(path: str) -> str:
    return os.path.abspath(path)


def _ended(folder: str) -> str:
    return folder if folder.endswith(os.sep) else folder + os.sep


def _unreachable(path: str, error: OSError | ValueError) -> UserError:
    if isinstance(error, FileNotFoundError):
        return user_error(_("no such file or folder"), path=path)
    return cannot_read(path, error)
