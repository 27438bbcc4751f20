"""Lists written anew on disk, and shown before."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from deckcheck.checking.judge import GameData
from deckcheck.checking.session import MOST_TABLES
from deckcheck.report.terminal import Paint, Style
from deckcheck.support.errors import UserError, wrong
from deckcheck.support.files import cannot_write, write_atomically
from deckcheck.support.messages import _
from deckcheck.support.safetext import safe

Made = TypeVar("Made")

_ONLY_BYTES = _("only its encoding or its line ends change")
_STYLES: dict[str, Style] = {"-": "red", "+": "green", "@": "cyan"}


def diff_of(path: str, before: str, after: str, *, lang: str, paint: Paint) -> str:
    """What changes in a list, as a unified diff; a line in words where no character does."""
    from difflib import unified_diff

    name = safe(path)
    head = paint(f"--- {name}", "bold") + "\n" + paint(f"+++ {name}", "bold") + "\n"
    if before == after:
        return head + f"({_ONLY_BYTES.in_(lang)})\n"
    changes = unified_diff(_lines(before), _lines(after))
    return head + "".join(_shown(changes, paint))


def _lines(text: str) -> list[str]:
    # Not splitlines: a list's lines end with a line feed and with nothing else.
    *whole, last = text.split("\n")
    return [line + "\n" for line in whole] + ([last] if last else [])


def _shown(changes: Iterator[str], paint: Paint) -> Iterator[str]:
    for at, line in enumerate(changes):
        if at < 2:
            continue
        bare = "\t".join(safe(part) for part in line.removesuffix("\n").split("\t"))
        style = _STYLES.get(bare[:1])
        yield (paint(bare, style) if style else bare) + "\n"
        if not line.endswith("\n"):
            yield "\\ No newline at end of file\n"


def require_plain_file(path: str) -> None:
    """Raises UserError for what can be read only once, or not to an end; what is not there is told by reading it."""
    if Path(path).exists() and not Path(path).is_file():
        raise _no_plain_file(path)


def _no_plain_file(path: str) -> UserError:
    return wrong(
        _("not a plain file, so it can't be rewritten"),
        path=path,
    )


def leads_away(path: str, named: Sequence[str]) -> bool:
    """Whether a list found in a folder is a link: what it leads to was not named, so it is not rewritten."""
    return path not in named and Path(path).is_symlink()


def replace_file(path: str, data: bytes) -> None:
    """Write a file anew: all of it or nothing, with the mode that it has, through symbolic links.

    Raises UserError where that can't be done.
    """
    try:
        target = Path(path).resolve(strict=True)
        if not target.is_file():
            raise _no_plain_file(path)
        if not os.access(target, os.W_OK):
            raise wrong(_("can't be written: it is read-only"), path=path)
        write_atomically(target, data, private=False)
    except OSError as error:
        raise cannot_write(path, error) from error


def one_a_table(make: Callable[[GameData], Made]) -> Callable[[GameData], Made]:
    """`make`, done once for each of the card tables that were met last."""
    kept: dict[int, tuple[GameData, Made]] = {}

    def made(table: GameData) -> Made:
        found = kept.get(id(table))
        if found is None:
            while len(kept) >= MOST_TABLES:
                del kept[next(iter(kept))]
            # The table is kept with it, or its id could become another's.
            found = kept[id(table)] = (table, make(table))
        return found[1]

    return made
