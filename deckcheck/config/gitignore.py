"""What git leaves out of a repository: the .gitignore files from its root down to a folder.

What else git may be told (`.git/info/exclude`, a user's own list) is not
looked at: a deck is checked alike on every machine.
"""

import os
from pathlib import Path
from typing import NamedTuple

from deckcheck.config.find import folders_above
from deckcheck.config.patterns import Says, make_says
from deckcheck.support.cache import cached
from deckcheck.support.errors import UserError

NAME = ".gitignore"
MOST_BYTES = 256 * 1024
"""A file larger than that is no list of patterns."""

_GIT = ".git"


class Level(NamedTuple):
    """The patterns of one file: they speak of what lies below `prefix` (absolute, ended by a separator)."""

    prefix: str
    says: Says


Chain = tuple[Level, ...]
"""The files that hold for what lies in a folder, the nearest first."""


def entered(folder: str, above: Chain | None) -> Chain | None:
    """What holds in a folder (absolute), from what holds in the one above it; None outside of a repository."""
    # Where another repository begins, the outer one has no say.
    chain = () if os.path.exists(os.path.join(folder, _GIT)) else above
    if chain is None:
        return None
    level = level_of(folder)
    return chain if level is None else (level, *chain)


def chain_of(folder: str) -> Chain | None:
    """What holds in a folder (absolute); None outside of a repository."""
    chain: Chain | None = None
    for one in reversed(list(folders_above(folder))):
        chain = entered(one, chain)
    return chain


def level_of(folder: str) -> Level | None:
    """What the file in a folder (absolute) says; None where there is none, or nothing in it."""
    file = os.path.join(folder, NAME)
    # Git follows no links here.
    if not os.path.isfile(file) or os.path.islink(file):
        return None

    def read() -> tuple[list[object], list[Path]]:
        from deckcheck.config.patterns import patterns_of
        from deckcheck.support.files import read_bytes

        path = Path(file)
        try:
            text = os.fsdecode(read_bytes(path, most=MOST_BYTES))
        except UserError:
            text = ""
        return list(patterns_of(text)), [path]

    patterns = cached("gitignore", Path(file), read)
    prefix = folder if folder.endswith(os.sep) else folder + os.sep
    return Level(prefix, make_says(patterns)) if patterns else None


def ignored(chain: Chain, path: str, folder: bool) -> bool | None:
    """What the files say of a path (absolute); None where they say nothing of it."""
    for prefix, says in chain:
        way = path[len(prefix) :]
        said = says(way if os.sep == "/" else way.replace(os.sep, "/"), folder)
        if said is not None:
            return said
    return None
