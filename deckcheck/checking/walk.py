"""From what stands on the command line to the decks that are meant."""

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from deckcheck.config.find import folders_above
from deckcheck.config.settings import NO_SETTINGS, Excluded, Settings
from deckcheck.support.errors import UserError, wrong
from deckcheck.support.files import MOST_BYTES
from deckcheck.support.messages import _

if TYPE_CHECKING:
    from deckcheck.config.gitignore import Chain

STANDARD_INPUT = "-"
CARD_FILES = ("cards.yaml", "cards.yml")
"""A file of this name holds cards of one's own, for the decks in its folder."""

_ENDINGS = (".txt", ".csv", ".tsv", ".yaml", ".yml", ".json", ".dek", ".cod", ".dck", ".ydk")
_TREES = (".yaml", ".yml", ".json")
MOST_DEEP = 200
# What tells a format, a banlist, a game, corrections, an event or a report of our own by the keys at its top.
_NO_DECK = (
    frozenset(["format", "rules"]),
    frozenset(["format", "extends"]),
    frozenset(["format", "abstract"]),
    frozenset(["banlist"]),
    frozenset(["game", "attributes"]),
    frozenset(["corrections"]),
    frozenset(["event", "entries"]),
    frozenset(["schema", "tool", "decks"]),
)
_YAML_KEY = r"(?m)^([A-Za-z_-]+)[ \t]*:"


class DeckFile(NamedTuple):
    """A list to check: how it is named, and the cards beside it. `path` "-" is standard input."""

    path: str
    cards: tuple[str, ...] = ()


def find_decks(
    paths: Iterable[str],
    passed_over: list[str] | None = None,
    settings: Settings = NO_SETTINGS,
    excluded: list[str] | None = None,
    stdin_name: str | None = None,
) -> Iterator[DeckFile | UserError]:
    """Every list under `paths`, each once, folders in the order of their names.

    In folders only files with an ending of lists count, no hidden ones, and
    nothing that the settings or a repository's .gitignore exclude; what is
    named itself always counts unless they are forced. A format, a banlist or a
    card file is no list and is passed over, too. What can't be found comes as
    the UserError that says so, in its place; so does a folder or a whole
    command line without a single list, but not where settings force to exclude:
    then whoever names files knows not what they are. What is passed over is added to `passed_over`, what is excluded to
    `excluded`. Standard input is excluded where `stdin_name` would be.
    """
    walk = _Walk(
        settings,
        [] if passed_over is None else passed_over,
        [] if excluded is None else excluded,
        {},
        _own_files(settings),
        make_forced(settings) if settings.force_exclude else None,
    )
    named, empty_handed = list(paths), True
    met: set[str] = set()
    for path in named:
        place = stdin_name if path == STANDARD_INPUT else path
        if walk.forced is not None and place is not None and walk.forced(place):
            walk.excluded.append(place)
            continue
        for found in _under(path, walk):
            empty_handed = False
            if len(named) > 1 and isinstance(found, DeckFile):
                whole = found.path if found.path == STANDARD_INPUT else os.path.abspath(found.path)
                if whole in met:
                    continue
                met.add(whole)
            yield found
    if empty_handed and not settings.force_exclude:
        yield wrong(_("no deck"), path=named[0] if named else None)


class _Walk(NamedTuple):
    """What goes with a walk: what it notes by the way, the cards found in each folder, the project's own files."""

    settings: Settings
    others: list[str]
    excluded: list[str]
    beside: dict[str, tuple[str, ...]]
    own: frozenset[str]
    forced: Callable[[str], bool] | None


def _under(path: str, walk: _Walk) -> Iterator[DeckFile | UserError]:
    if path == STANDARD_INPUT:
        yield DeckFile(path)
        return
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError) as error:
        yield _unreachable(path, error)
        return
    if stat.S_ISDIR(mode):
        empty, before = True, len(walk.excluded)
        place = os.path.abspath(path)
        chain = None
        if walk.settings.respect_gitignore:
            from deckcheck.config.gitignore import chain_of

            chain = chain_of(place)
        for found in _in_folder(path, _ended(place), chain, walk):
            empty = False
            yield found
        if empty:
            hint = None
            if left_out := walk.excluded[before:]:
                from deckcheck.support.safetext import about

                hint = about(_("excluded"), left_out)
            yield wrong(_("no decks in this folder"), path=path, hint=hint)
    # Reading from a pipe to see what it holds would take it away.
    elif not stat.S_ISREG(mode) or (os.path.abspath(path) not in walk.own and _is_deck(path)):
        yield DeckFile(path, _beside(os.path.dirname(path), walk.beside))
    else:
        walk.others.append(path)


def _ended(folder: str) -> str:
    return folder if folder.endswith(os.sep) else folder + os.sep


def _in_folder(folder: str, place: str, chain: "Chain | None", walk: _Walk) -> Iterator[DeckFile | UserError]:
    """`place` is the folder as an absolute path ended by a separator, `chain` what .gitignore says in it."""
    try:
        with os.scandir(folder) as entries:
            names = sorted(
                (entry.name, entry.is_dir(follow_symlinks=False), entry.is_file()) for entry in entries
            )
    except OSError as error:
        yield _unreachable(folder, error)
        return
    prefix = _ended(folder)
    cards: tuple[str, ...] | None = None
    if folder.count(os.sep) > MOST_DEEP:
        yield wrong(_("folders nested too deeply"), path=folder)
        return
    says, own = walk.settings.excluded, walk.own
    excluding = says is not None or bool(chain)
    for name, is_folder, is_plain in names:
        # A pipe or a device in a folder may never come to an end.
        if name.startswith(".") or not (is_folder or is_plain):
            continue
        path, lower = prefix + name, name.lower()
        if excluding and _is_excluded(path, place + name, is_folder, chain, says):
            if is_folder or lower.endswith(_ENDINGS):
                walk.excluded.append(path)
        elif is_folder:
            inner = place + name
            yield from _in_folder(path, inner + os.sep, _entered(inner, chain, walk.settings), walk)
        elif lower in CARD_FILES or (own and place + name in own):
            # It is used, for the decks beside it or for all.
            continue
        elif lower.endswith(_ENDINGS) and _is_deck(path):
            if cards is None:
                cards = _beside(folder, walk.beside)
            yield DeckFile(path, cards)
        else:
            walk.others.append(path)


def _is_excluded(path: str, place: str, folder: bool, chain: "Chain | None", says: Excluded | None) -> bool:
    said = None if says is None else says(path, folder)
    if said is None and chain:
        from deckcheck.config.gitignore import ignored

        said = ignored(chain, place, folder)
    return bool(said)


def _entered(place: str, above: "Chain | None", settings: Settings) -> "Chain | None":
    if not settings.respect_gitignore:
        return None
    from deckcheck.config.gitignore import entered

    return entered(place, above)


def _own_files(settings: Settings) -> frozenset[str]:
    """The settings, cards, formats and lists of the project (absolute): they are used and are no decks."""
    files = [str(card) for card in settings.cards]
    if settings.file is not None:
        files.append(settings.file)
    if any(settings.folders):
        from deckcheck.formats.folders import looked_through

        files += map(str, looked_through(*settings.folders))
    return frozenset(map(os.path.abspath, files))


def make_forced(settings: Settings) -> Callable[[str], bool]:
    """Whether a path that was named is excluded, itself or by a folder above it."""
    known: dict[str, tuple[bool, Chain | None]] = {}

    def within(folder: str) -> tuple[bool, "Chain | None"]:
        """Whether a folder is excluded, and what holds in it."""
        out, chain = False, None
        for one in reversed(list(folders_above(folder))):
            if one not in known:
                out = out or _is_excluded(one, one, True, chain, settings.excluded)
                known[one] = out, _entered(one, chain, settings)
            out, chain = known[one]
        return out, chain

    def forced(path: str) -> bool:
        try:
            place = os.path.abspath(path)
        except ValueError:
            return False
        folder = os.path.isdir(place)
        out, chain = within(os.path.dirname(place))
        return out or _is_excluded(place, place, folder, chain, settings.excluded)

    return forced


def _beside(folder: str, known: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    if folder not in known:
        paths = [os.path.join(folder, name) for name in CARD_FILES]
        known[folder] = tuple(path for path in paths if os.path.isfile(path))
    return known[folder]


def _is_deck(path: str) -> bool:
    """Whether a file may be a list: YAML and JSON of other sorts are told by the keys at their top."""
    lower = os.path.basename(path).lower()
    if not lower.endswith(_TREES):
        return True
    if lower in CARD_FILES:
        return False
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES)
    except OSError:
        return True
    keys = _json_keys(data) if lower.endswith(".json") else _yaml_keys(data)
    return not any(sort <= keys for sort in _NO_DECK)


def _yaml_keys(data: bytes) -> set[str]:
    return set(re.findall(_YAML_KEY, data.decode("utf-8", "replace")))


def _json_keys(data: bytes) -> set[str]:
    import json

    try:
        tree = json.loads(data)
    except (ValueError, RecursionError):
        return set()
    return set(tree) if isinstance(tree, dict) else set()


def _unreachable(path: str, error: OSError | ValueError) -> UserError:
    if isinstance(error, FileNotFoundError):
        return wrong(_("no such file or folder"), path=path)
    reason = getattr(error, "strerror", None) or str(error)
    return wrong(_("can't be read: {reason}", reason=reason), path=path)
