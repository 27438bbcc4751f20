"""Decklist files rewritten on disk: formatted or corrected, shown as a diff or saved."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Literal, NamedTuple

from deckcheck.checking.session import MOST_TABLES, CheckOptions, OpenedDeck, Session, read_list
from deckcheck.checking.walk import STANDARD_INPUT, DeckFile
from deckcheck.decklists.decode import decode, encoding_of
from deckcheck.model.finding import EMPTY_LINE
from deckcheck.report.text import Paint, Style
from deckcheck.rewriting.corrections import Fix, Fixer
from deckcheck.rewriting.formatter import Formatter
from deckcheck.support.errors import user_error
from deckcheck.support.files import open_output
from deckcheck.support.messages import _
from deckcheck.support.safetext import safe

_STYLES: dict[str, Style] = {"-": "red", "+": "green", "@": "cyan"}

LeftAlone = Literal["structured", "foreign"]
"""Why a list is not formatted: it is data, or in the notation of another tool, which couldn't read it any more."""

_BY_ENDING: dict[str, LeftAlone] = {
    **dict.fromkeys(("csv", "tsv", "yaml", "yml", "json"), "structured"),
    **dict.fromkeys(("dek", "cod", "dck", "ydk"), "foreign"),
}


class Rewrite(NamedTuple):
    """A list before and after, as text and as the bytes of its file; `fixes` are the corrections made in it."""

    path: str
    before: str
    after: str
    old: bytes
    new: bytes
    fixes: tuple[Fix, ...] = ()

    @property
    def changes(self) -> bool:
        """Whether anything is other than it was, if only in bytes."""
        return self.old != self.new

    def save(self) -> None:
        """Write what changed to the file. Raises UserError where that can't be done."""
        if self.changes:
            replace_file(self.path, self.new)

    def diff(self, shown: str, lang: str, paint: Paint) -> str:
        """What changes, as a unified diff of a file with that name; a line in words where no character does."""
        from difflib import unified_diff

        name = safe(shown)
        page = paint(f"--- {name}", "bold") + "\n" + paint(f"+++ {name}", "bold") + "\n"
        if self.before == self.after:
            return page + "(" + _("only the encoding or the line endings change").in_(lang) + ")\n"
        # Not splitlines: a list's lines end with a line feed and with nothing else.
        old, new = (re.findall("[^\n]*\n|[^\n]+", text) for text in (self.before, self.after))
        for line in islice(unified_diff(old, new), 2, None):
            bare = "\t".join(map(safe, line.removesuffix("\n").split("\t")))
            style = _STYLES.get(bare[:1])
            page += (paint(bare, style) if style else bare) + "\n"
            if not line.endswith("\n"):
                page += "\\ No newline at end of file\n"
        return page


class Rewriter:
    """Formats and corrects the lists of a run; links are followed only where they were `named`."""

    def __init__(self, options: CheckOptions, named: Sequence[str] = ()) -> None:
        self._options, self._named, self._session = options, named, Session(options)
        # Of the formats that were met last; their card tables are kept with them.
        self._formatter = lru_cache(MOST_TABLES)(lambda rules: Formatter(rules.game_data))
        self._fixer = lru_cache(MOST_TABLES)(lambda rules: Fixer(rules.game_data))

    def formatted(self, found: DeckFile) -> Rewrite | LeftAlone:
        """A list in canonical notation, or why it is left alone. Raises UserError where it can't be formatted."""
        why = _BY_ENDING.get(found.path.rpartition(".")[2].lower())
        if why == "structured" or (why == "foreign" and self._options.notation is None):
            return why
        opened = self.open(found)
        if opened is None:
            return "structured"
        deck = opened.deck
        if found.path != STANDARD_INPUT and deck.notation != "text":
            return _BY_ENDING.get(deck.notation, "foreign")
        formatter = self._formatter(opened.format)
        after = formatter.format(opened.text, deck.path, opened.format.format.zones, deck.notation)
        return Rewrite(found.path, opened.text, after, _bytes_of(found, opened), after.encode())

    def open(self, found: DeckFile) -> OpenedDeck | None:
        """A list that may be rewritten, None for a link to one that was not named. Raises UserError."""
        path = Path(found.path)
        if found.path not in self._named and path.is_symlink():
            return None
        if found.path != STANDARD_INPUT and path.exists() and not path.is_file():
            # It can be read only once, or not to an end.
            raise user_error(_("not a regular file, so it cannot be rewritten"), path=found.path)
        return self._session.open(found)

    def corrected(self, found: DeckFile, opened: OpenedDeck) -> Rewrite:
        """A list with its certain mistakes corrected. Raises UserError where they can't be written."""
        text, deck, rules = opened.text, opened.deck, opened.format
        # The card table needn't know what is set aside from a deck.
        beside = [name for other in rules.format.set_aside for name in other.names]
        # Below an empty line a card may be in another zone.
        merge = all(diagnostic.id != EMPTY_LINE for diagnostic in deck.diagnostics)
        fixed = self._fixer(rules).fix(text, deck.path, beside, deck.notation, merge=merge)
        if not fixed.fixes:
            return Rewrite(found.path, text, text, b"", b"")
        old = _bytes_of(found, opened)
        new = with_lines(old, fixed.lines, found.path)
        return Rewrite(found.path, text, fixed.text, old, new, fixed.fixes)


def _bytes_of(found: DeckFile, opened: OpenedDeck) -> bytes:
    """What stands in the file of a list. Raises UserError where that is no longer what was read."""
    if found.path == STANDARD_INPUT:
        return opened.text.encode()
    data = read_list(found.path)
    if decode(data, found.path) != opened.text:
        raise user_error(_("the file changed while it was being rewritten"), path=found.path)
    return data


def replace_file(path: str, data: bytes) -> None:
    """Write a file anew: all of it or nothing, with the mode that it has, through links. Raises UserError."""
    if not Path(path).is_file():
        raise user_error(_("not a regular file, so it cannot be rewritten"), path=path)
    if not os.access(path, os.W_OK):
        raise user_error(_("can't be written: it is read-only"), path=path)
    with open_output(path) as stream:
        stream.write(data)


def with_lines(data: bytes, lines: Mapping[int, str | None], path: str) -> bytes:
    """The bytes of a list with other lines, or None, in the place of those named by number; all others stay.

    Raises UserError for a character that the encoding doesn't have.
    """
    mark, encoding = encoding_of(data)
    # What is not changed is not decoded: no other byte of a character looks like a line's end, but in UTF-16.
    lossless = encoding if encoding.startswith("utf-16") else "latin-1"
    parts = [*re.split("(\r\n|\r|\n)", data[len(mark) :].decode(lossless)), ""]
    try:
        for number, line in lines.items():
            at = 2 * number - 2
            if line is None:
                parts[at : at + 2] = "", ""
            else:
                parts[at] = line.encode(encoding).decode(lossless)
    except UnicodeEncodeError as error:
        message = _(
            "its encoding ({encoding}) has no {char!r}", encoding=encoding, char=error.object[error.start]
        )
        raise user_error(message, path=path) from error
    return mark + "".join(parts).encode(lossless)
