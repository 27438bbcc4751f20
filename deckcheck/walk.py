"""From what stands on the command line to the decks that are meant."""

import os
import re
import stat
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from deckcheck.errors import UserError, wrong
from deckcheck.files import MOST_BYTES

STANDARD_INPUT = "-"
CARDS_BESIDE = ("cards.yaml", "cards.yml")
"""A file of this name holds cards of one's own, for the decks in its folder."""

_ENDINGS = (".txt", ".csv", ".tsv", ".yaml", ".yml", ".json")
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
    frozenset(["schema", "tool", "decks"]),
)
_YAML_KEY = r"(?m)^([A-Za-z_-]+)[ \t]*:"


class Found(NamedTuple):
    """A list to check: how it is named, and the cards beside it. `path` "-" is standard input."""

    path: str
    cards: tuple[str, ...] = ()


def find_decks(paths: Iterable[str], passed_over: list[str] | None = None) -> Iterator[Found | UserError]:
    """Every list under `paths`, folders in the order of their names.

    In folders only files with an ending of lists count, and no hidden ones.
    A format, a banlist or a card file is no list and is passed over, too. What
    can't be found comes as the UserError that says so, in its place; so does
    a folder or a whole command line without a single list. What is passed over
    is added to `passed_over`.
    """
    others = [] if passed_over is None else passed_over
    beside: dict[str, tuple[str, ...]] = {}
    named, empty_handed = list(paths), True
    for path in named:
        for found in _under(path, beside, others):
            empty_handed = False
            yield found
    if empty_handed:
        yield wrong("デッキのファイルではありません", "no deck", path=named[0] if named else None)


def _under(path: str, beside: dict[str, tuple[str, ...]], others: list[str]) -> Iterator[Found | UserError]:
    if path == STANDARD_INPUT:
        yield Found(path)
        return
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - a path may be no text
    except (OSError, ValueError) as error:
        yield _unreachable(path, error)
        return
    if stat.S_ISDIR(mode):
        empty = True
        for found in _in_folder(path, beside, others):
            empty = False
            yield found
        if empty:
            yield wrong("デッキのファイルがありません", "no decks in this folder", path=path)
    # Reading from a pipe to see what it holds would take it away.
    elif not stat.S_ISREG(mode) or _is_deck(path):
        yield Found(path, _beside(os.path.dirname(path), beside))  # noqa: PTH120 - as above
    else:
        others.append(path)


def _in_folder(
    folder: str, beside: dict[str, tuple[str, ...]], others: list[str]
) -> Iterator[Found | UserError]:
    try:
        with os.scandir(folder) as entries:
            names = sorted(
                (entry.name, entry.is_dir(follow_symlinks=False), entry.is_file()) for entry in entries
            )
    except OSError as error:
        yield _unreachable(folder, error)
        return
    prefix = folder if folder.endswith(os.sep) else folder + os.sep
    cards: tuple[str, ...] | None = None
    if folder.count(os.sep) > MOST_DEEP:
        yield wrong("フォルダの入れ子が深すぎます", "folders nested too deeply", path=folder)
        return
    for name, is_folder, is_plain in names:
        # A pipe or a device in a folder may never come to an end.
        if name.startswith(".") or not (is_folder or is_plain):
            continue
        path = prefix + name
        if is_folder:
            yield from _in_folder(path, beside, others)
        elif name.lower() in CARDS_BESIDE:
            # It is used, for the decks beside it.
            continue
        elif not name.lower().endswith(_ENDINGS):
            others.append(path)
        elif _is_deck(path):
            if cards is None:
                cards = _beside(folder, beside)
            yield Found(path, cards)
        else:
            others.append(path)


def _beside(folder: str, known: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    if folder not in known:
        paths = [os.path.join(folder, name) for name in CARDS_BESIDE]  # noqa: PTH118 - a path may be no text
        known[folder] = tuple(path for path in paths if os.path.isfile(path))  # noqa: PTH113 - as above
    return known[folder]


def _is_deck(path: str) -> bool:
    """Whether a file may be a list: YAML and JSON of other sorts are told by the keys at their top."""
    lower = os.path.basename(path).lower()  # noqa: PTH119 - a path may be no text
    if not lower.endswith(_TREES):
        return True
    if lower in CARDS_BESIDE:
        return False
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - a path may be no text
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
        return wrong("ファイルがありません", "no such file or folder", path=path)
    reason = getattr(error, "strerror", None) or str(error)
    return wrong(f"読めません: {reason}", f"can't be read: {reason}", path=path)
