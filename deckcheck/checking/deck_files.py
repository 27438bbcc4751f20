"""Finds the decklists for the paths on the command line, and tells them from the other files of a folder."""

import json
import os
import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.config import NO_SETTINGS, Settings, folders_above
from deckcheck.formats.lookup import BUNDLED_ONLY, CASES, project_files
from deckcheck.model.card import Catalog
from deckcheck.model.deck import Deck
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.files import MOST_BYTES, Item, cannot_read, is_file, walk
from deckcheck.support.gitignore import GitIgnores, Patterns
from deckcheck.support.messages import Message, _, series
from deckcheck.support.safe_text import about, safe

STANDARD_INPUT = "-"
CARD_FILES = ("cards.yaml", "cards.yml")
"""The names of files with custom cards for the decks in their folder."""

MOST_DEEP = 200

_EXCLUDED = _("excluded")
_OF_OTHER_USE = _("holds cards, a format, a banlist, an event or results")

_OWN_ENDINGS = (".txt", ".csv", ".tsv", ".yaml", ".yml", ".json")
_ENDINGS = (*_OWN_ENDINGS, ".dec", ".dek", ".cod", ".dck", ".mwdeck", ".ydk")
# The top-level keys of formats, banlists, games, corrections, events and our own reports.
_OTHER_FILES = (
    {"format", "rules"},
    {"format", "extends"},
    {"format", "abstract"},
    {"banlist"},
    {"game", "attributes"},
    {"corrections"},
    {"event", "entries"},
    {"schema", "tool", "decks"},
)
_YAML_KEY = r"(?m)^(rules(?=[ \t]*:[ \t]*(?:[\[{#\r]|$))|(?!rules\b)[A-Za-z_-]+)[ \t]*:"
"""Matches a key at the top; a decklist may have a text under `rules`."""


COUNT = r"(?i)^\W*\d{1,3}\s*[x×枚]?\s*[^\W\d]|[x×]\s*\d{1,3}\W*$|\d{1,3}\s*枚"
"""A pattern of what may be a count of cards in a line."""
_NUMBER = r"\d\W*$"
_FEWEST, _FEWEST_NEAR = 3, 2
_MOST_TRIED = 20
_ALIKE = 85
"""How alike a name and one of a card are, of 100."""
_PLAIN_NOTATIONS = frozenset({"text", "csv", "tsv", "yaml", "json"})


class DeckFile(Struct, frozen=True):
    """The file of a deck ("-" for standard input), and the card files in its folder.

    A file that was not `named`, but found in a folder, may hold something else.
    """

    path: str
    cards: tuple[Path, ...] = ()
    named: bool = True


def find_decks(paths: Iterable[str], settings: Settings = NO_SETTINGS) -> Iterator[DeckFile | UserError]:
    """All decklists under `paths`, as `DeckSearch` finds them."""
    return DeckSearch(settings).decks(paths)


class DeckSearch:
    """A search for decks; `passed_over` are the paths that it has skipped so far, with the reasons, and `excluded` others.

    `stdin_name` is the name of standard input, on which it depends whether that is excluded.
    """

    def __init__(self, settings: Settings = NO_SETTINGS, stdin_name: str | None = None) -> None:
        self.passed_over: dict[str, Message] = {}
        self.excluded: list[str] = []
        self._settings, self._stdin_name = settings, stdin_name
        # The project's own files (absolute): settings, cards, formats and banlists.
        own = [*map(str, settings.cards), *([settings.file] if settings.file is not None else [])]
        if settings.folders != BUNDLED_ONLY:
            own += map(str, project_files(settings.folders))
        self._own = frozenset(map(os.path.abspath, own))
        self._cards: dict[str, tuple[Path, ...]] = {}
        self._formats = [os.path.join(os.path.abspath(folder), "") for folder in settings.folders.formats]
        self._git_ignores = GitIgnores()

    def decks(self, paths: Iterable[str]) -> Iterator[DeckFile | UserError]:
        """All decklists under `paths`, each once, or a UserError for a path without any.

        Folders are sorted; their hidden files, files with other endings and excluded ones are skipped. Named
        paths are skipped only if exclusion is forced.
        """
        named, nothing_found, is_forced = list(paths), True, self._settings.force_exclude
        known: set[str] = set()
        for path in named:
            place = self._stdin_name if path == STANDARD_INPUT else path
            if is_forced and place is not None and self._excludes_named(place):
                self.excluded.append(place)
                continue
            for result in self._under(path):
                nothing_found = False
                if is_forced and isinstance(result, DeckFile) and path != STANDARD_INPUT:
                    # A hook names every file of a commit: what is no decklist is passed over as in a folder.
                    result = replace(result, named=False)
                if len(named) > 1 and isinstance(result, DeckFile):
                    whole = result.path if result.path == STANDARD_INPUT else os.path.abspath(result.path)
                    if whole in known:
                        continue
                    known.add(whole)
                yield result
        if nothing_found and not is_forced:
            yield user_error(_("not a decklist"), path=named[0] if named else None)

    def why_skipped(self) -> Iterator[Message]:
        """A line for each skipped path, with the reason."""
        for path, reason in (*self.passed_over.items(), *((path, _EXCLUDED) for path in self.excluded)):
            yield _("Skipped: {path} ({reason})", path=safe(path), reason=reason)

    def _excludes_named(self, path: str) -> bool:
        """Whether a named path is excluded, itself or by a folder above it."""
        place = os.path.abspath(path)
        is_folder = os.path.isdir(place)
        above = folders_above(os.path.dirname(place))
        return self._excludes(place, is_folder) or any(self._excludes(folder, True) for folder in above)

    def _excludes(self, place: str, is_folder: bool) -> bool:
        """Whether an absolute path is excluded itself."""
        # The cases of a format aren't the user's decks.
        if is_folder and place.endswith(CASES) and place.startswith(tuple(self._formats)):
            return True
        patterns: tuple[Patterns, ...] = self._settings.excluded
        if self._settings.respect_gitignore:
            patterns += self._git_ignores.of_folder(os.path.dirname(place)) or ()
        verdicts = (pattern_list.excluded(place, is_folder) for pattern_list in patterns)
        return next((verdict for verdict in verdicts if verdict is not None), False)

    def _under(self, path: str) -> Iterator[DeckFile | UserError]:
        """The decks under a path from the command line."""
        if path == STANDARD_INPUT:
            yield DeckFile(path)
            return
        try:
            mode = os.stat(path).st_mode
        except (OSError, ValueError) as error:
            yield _unreachable(path, error)
            return
        if stat.S_ISDIR(mode):
            yield from self._under_folder(path)
            return
        # A pipe isn't inspected, since that would consume its content.
        reason = self._why_not_named(path) if stat.S_ISREG(mode) else None
        if reason is None:
            yield self._deck(path)
        else:
            self.passed_over[path] = reason

    def _why_not_named(self, path: str) -> Message | None:
        """Why a file that was named isn't checked; its ending counts only if exclusion is forced."""
        if os.path.abspath(path) in self._own:
            return _("used by the settings")
        if self._settings.force_exclude:
            return why_no_list(path)
        return _OF_OTHER_USE if _has_other_use(path) else None

    def _under_folder(self, top: str) -> Iterator[DeckFile | UserError]:
        before, nothing_found = len(self.excluded), True
        start, absolute_top = len(os.path.join(top, "")), os.path.join(os.path.abspath(top), "")

        def enter(folder: Item) -> bool:
            if self._excludes(absolute_top + folder.path[start:], True):
                self.excluded.append(folder.path)
                return False
            return folder.depth < MOST_DEEP

        for item in walk(top, enter):
            result: DeckFile | UserError | None = None
            if item.kind == "folder" and item.depth == MOST_DEEP:
                result = user_error(_("folders nested too deeply"), path=item.path)
            elif item.kind == "unreadable":
                assert item.error is not None
                result = _unreachable(item.path, item.error)
            elif item.kind == "file" or (item.kind == "other" and item.error is not None):
                result = self._file(item, absolute_top + item.path[start:])
            if result is not None:
                nothing_found = False
                yield result
        if nothing_found:
            excluded = self.excluded[before:]
            hint = about(_EXCLUDED, excluded) if excluded else None
            yield user_error(_("no decks in this folder"), path=top, hint=hint)

    def _file(self, item: Item, place: str) -> DeckFile | None:
        if self._excludes(place, False):
            if item.name.lower().endswith(_ENDINGS):
                self.excluded.append(item.path)
            return None
        # Cards of the folder, or a file of the project.
        if item.name.lower() in CARD_FILES or place in self._own:
            return None
        reason = why_no_list(item.path, is_file=item.kind == "file")
        if item.error is not None:
            reason = _("a broken link")
        if reason is not None:
            self.passed_over[item.path] = reason
            return None
        return replace(self._deck(item.path), named=False)

    def _deck(self, path: str) -> DeckFile:
        folder = os.path.dirname(path)
        if folder not in self._cards:
            files = [Path(folder, name) for name in CARD_FILES]
            self._cards[folder] = tuple(file for file in files if is_file(file))
        return DeckFile(path, self._cards[folder])


def why_no_list(path: str, *, is_file: bool = True) -> Message | None:
    """Why a path is no list, judging by its ending, and YAML and JSON files by their top-level keys; None if it may be one."""
    if not path.lower().endswith(_ENDINGS):
        return _("lists end in {endings}", endings=series(_ENDINGS))
    return _OF_OTHER_USE if is_file and _has_other_use(path) else None


def _has_other_use(path: str) -> bool:
    """Whether a file is no list, judging YAML and JSON by their top-level keys."""
    lower = os.path.basename(path).lower()
    if not lower.endswith((".yaml", ".yml", ".json")):
        return False
    if lower in CARD_FILES:
        return True
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES)
    except OSError:
        return False
    if not lower.endswith(".json"):
        keys = set(re.findall(_YAML_KEY, data.decode("utf-8", "replace")))
    else:
        try:
            tree = json.loads(data)
        except (ValueError, RecursionError):
            return False
        keys = set(tree) if isinstance(tree, dict) else set()
    return any(kind <= keys for kind in _OTHER_FILES)


def _unreachable(path: str, error: OSError | ValueError) -> UserError:
    if isinstance(error, FileNotFoundError):
        return user_error(_("no such file or folder"), path=path)
    return cannot_read(path, error)


class NotADecklistError(UserError):
    """A file in a folder isn't a decklist; a run over the folder counts it and continues."""

    def __init__(self, path: str) -> None:
        super().__init__([Problem(_("not a decklist"), path)])
        self.path = path


def is_decklist(deck: Deck, catalog: Catalog) -> bool:
    """Whether enough of a text is cards: a quarter known ones, or half of it lines with a count or a card's name.

    A number behind a name that resembles one of the catalog is a count, too.

    A file in the notation of a deck editor is one whatever it holds.
    """
    if deck.notation not in _PLAIN_NOTATIONS:
        return True
    lines = {entry.line for entry in deck.entries} | {diagnostic.line for diagnostic in deck.diagnostics}
    known = {entry.line for entry in deck.entries if entry.cards}
    named = known | {diagnostic.line for diagnostic in deck.diagnostics if diagnostic.names_card}
    if 2 * len(named) >= len(lines) and len(named) >= _FEWEST:
        return True
    counted = sum(bool(re.search(COUNT, deck.lines[line - 1])) for line in lines if line <= len(deck.lines))
    has_counts = counted or any(entry.copies > 1 for entry in deck.entries)
    if 4 * len(known) >= len(lines) and (len(known) >= _FEWEST or has_counts):
        return True
    if 2 * counted >= len(lines) and counted >= min(_FEWEST, len(lines)) > 0:
        return True
    numbered = [
        entry
        for entry in deck.entries
        if not entry.cards and re.search(_NUMBER, deck.lines[entry.line - 1]) is not None
    ]
    if 2 * len(numbered) < len(lines):
        return False
    tried = numbered[:_MOST_TRIED]
    near = sum(_resembles_card(entry.written, catalog) for entry in tried)
    return near >= _FEWEST_NEAR and 2 * near >= len(tried)


def _resembles_card(name: str, catalog: Catalog) -> bool:
    from rapidfuzz import fuzz

    folded = catalog.fold(name)
    return any(fuzz.ratio(folded, catalog.fold(near)) >= _ALIKE for near in catalog.suggest(name))
