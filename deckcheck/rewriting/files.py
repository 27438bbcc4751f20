"""Decklist files rewritten on disk: formatted or corrected, shown as a diff or saved."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

from deckcheck.checking.judge import GameData
from deckcheck.checking.session import MOST_TABLES, CheckOptions, Session, read_list
from deckcheck.checking.walk import STANDARD_INPUT, DeckFile
from deckcheck.decklists.decode import decode
from deckcheck.report.text import Paint, Style
from deckcheck.rewriting.canonical import make_formatter
from deckcheck.rewriting.fixing import Fixed, make_fixer
from deckcheck.rewriting.inplace import with_lines
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import cannot_write, write_atomically
from deckcheck.support.messages import _
from deckcheck.support.safetext import safe

Made = TypeVar("Made")

_STYLES: dict[str, Style] = {"-": "red", "+": "green", "@": "cyan"}
_STRUCTURED_ENDINGS = (".csv", ".tsv", ".yaml", ".yml", ".json")
_FOREIGN_ENDINGS = (".dek", ".cod", ".dck", ".ydk")
_STRUCTURED = ("csv", "tsv", "yaml", "json")

LeftAlone = Literal["structured", "foreign"]
"""Why a list is not formatted: it is data, or in the notation of another tool, which couldn't read it any more."""


class FormattedFile(NamedTuple):
    """A list before and after; `changes` also where only bytes differ."""

    before: str
    after: str
    changes: bool


class CorrectedFile(NamedTuple):
    """A list and its corrections; `data` is what stands in the file, None for standard input."""

    before: str
    fixed: Fixed
    data: bytes | None = None

    def save(self, path: str) -> None:
        """Write the corrections to the file. Raises UserError where that can't be done."""
        if self.data is not None and self.fixed.fixes:
            replace_file(path, with_lines(self.data, self.fixed.lines, path))


def make_file_formatter(options: CheckOptions) -> Callable[[DeckFile], FormattedFile | LeftAlone]:
    """A function from a list to what it is in canonical notation, or why it is left alone.

    It raises UserError for a list that can't be formatted.
    """
    opened = Session(options).open
    formatter = _one_a_table(make_formatter)

    def formatted(found: DeckFile) -> FormattedFile | LeftAlone:
        given = found.path == STANDARD_INPUT
        if not given:
            _require_plain_file(found.path)
            if found.path.lower().endswith(_STRUCTURED_ENDINGS):
                return "structured"
            if options.notation is None and found.path.lower().endswith(_FOREIGN_ENDINGS):
                return "foreign"
        one = opened(found)
        if not given and one.deck.notation != "text":
            return "structured" if one.deck.notation in _STRUCTURED else "foreign"
        zones = tuple(one.format.format.zones)
        after = formatter(one.format.game_data)(one.text, one.deck.path, zones, one.deck.notation)
        if given:
            return FormattedFile(one.text, after, one.text != after)
        data = read_list(found.path)
        if decode(data, found.path) != one.text:
            raise user_error(_("the file changed while it was being formatted"), path=found.path)
        return FormattedFile(one.text, after, data != after.encode())

    return formatted


def make_file_fixer(options: CheckOptions) -> Callable[[DeckFile], CorrectedFile]:
    """A function from a list to the list with its certain mistakes corrected.

    It raises UserError for a list that can't be read or corrected.
    """
    opened = Session(options).open
    fixer = _one_a_table(make_fixer)

    def corrected(found: DeckFile) -> CorrectedFile:
        given = found.path == STANDARD_INPUT
        if not given:
            _require_plain_file(found.path)
        one = opened(found)
        # What lies beside a deck the card table needn't know.
        beside = [name for other in one.format.format.set_aside for name in other.names]
        fixed = fixer(one.format.game_data)(one.text, one.deck.path, beside, one.deck.notation)
        if given or not fixed.fixes:
            return CorrectedFile(one.text, fixed)
        data = read_list(found.path)
        if decode(data, found.path) != one.text:
            # It changed meanwhile.
            fixed = Fixed(one.text, {}, ())
        return CorrectedFile(one.text, fixed, data)

    return corrected


def diff_of(path: str, before: str, after: str, *, lang: str, paint: Paint) -> str:
    """What changes in a list, as a unified diff; a line in words where no character does."""
    from difflib import unified_diff

    name = safe(path)
    head = paint(f"--- {name}", "bold") + "\n" + paint(f"+++ {name}", "bold") + "\n"
    if before == after:
        return head + "(" + _("only the encoding or the line endings change").in_(lang) + ")\n"
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


def _require_plain_file(path: str) -> None:
    """Raises UserError for what can be read only once, or not to an end; what is not there is told by reading it."""
    if Path(path).exists() and not Path(path).is_file():
        raise _no_plain_file(path)


def _no_plain_file(path: str) -> UserError:
    return user_error(_("not a regular file, so it cannot be rewritten"), path=path)


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
            raise user_error(_("can't be written: it is read-only"), path=path)
        write_atomically(target, data, private=False)
    except OSError as error:
        raise cannot_write(path, error) from error


def _one_a_table(make: Callable[[GameData], Made]) -> Callable[[GameData], Made]:
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
