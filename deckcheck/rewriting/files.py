"""Formats or corrects decklist files, of one run or one by one, and shows a diff or saves them."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, cycle, islice
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.checking.deck_files import STANDARD_INPUT, DeckFile
from deckcheck.checking.judge import read_deck
from deckcheck.checking.many_lists import Item, for_each
from deckcheck.checking.session import MOST_TABLES, CheckOptions, OpenedDeck, Session, read_list
from deckcheck.decklists.source import decode, encoding_of
from deckcheck.model.finding import FindingId
from deckcheck.report.screen import Progress
from deckcheck.report.writer import RenderOptions
from deckcheck.rewriting.fixes import Fix, Fixer
from deckcheck.rewriting.formatter import BELOW_EMPTY_LINE, Formatter, changed_card, uncertain
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import open_output
from deckcheck.support.messages import Message, _, n_
from deckcheck.support.safe_text import safe
from deckcheck.support.terminal import Paint, Style, painter, show, write_stderr

_STYLES: dict[str, Style] = {"-": "red", "+": "green", "@": "cyan"}

LeftAlone = Literal["structured", "foreign"]
"""Why a list isn't formatted: it is data, or in a notation of another tool, which couldn't read the result."""

_BY_ENDING: dict[str, LeftAlone] = {
    **dict.fromkeys(("csv", "tsv", "yaml", "yml", "json"), "structured"),
    **dict.fromkeys(("dek", "cod", "dck", "ydk"), "foreign"),
}


class Rewrite(Struct, frozen=True):
    """A list before and after, as text and as the bytes of its file; `fixes` are its corrections."""

    path: str
    before: str
    after: str
    old: bytes
    new: bytes
    fixes: tuple[Fix, ...] = ()

    @property
    def changes(self) -> bool:
        """Whether the text or its bytes change."""
        return self.old != self.new

    def save(self) -> None:
        """Write a changed list to its file. Raises UserError."""
        if self.changes:
            replace_file(self.path, self.new)

    def diff(self, path: str, lang: str, paint: Paint) -> str:
        """A unified diff of a file with the name `shown`; a note if only its bytes change."""
        from difflib import unified_diff

        name = safe(path)
        page = paint(f"--- {name}", "bold") + "\n" + paint(f"+++ {name}", "bold") + "\n"
        if self.before == self.after:
            return page + "(" + _("only the encoding or the line endings change").in_(lang) + ")\n"
        # Not splitlines, since only a line feed ends a line of a list.
        old, new = (re.findall("[^\n]*\n|[^\n]+", text) for text in (self.before, self.after))
        for line in islice(unified_diff(old, new), 2, None):
            bare = "\t".join(map(safe, line.removesuffix("\n").split("\t")))
            style = _STYLES.get(bare[:1])
            page += (paint(bare, style) if style else bare) + "\n"
            if not line.endswith("\n"):
                page += "\\ No newline at end of file\n"
        return page


class Rewriter:
    """Formats and corrects the lists of a run; follows links only if they are in `named`."""

    def __init__(self, options: CheckOptions, named: Sequence[str] = ()) -> None:
        self._options, self._named, self._session = options, named, Session(options)
        # Bounded, since each one keeps the card table of its format.
        self._formatter = lru_cache(MOST_TABLES)(lambda rules: Formatter(rules.game_data))
        self._fixer = lru_cache(MOST_TABLES)(lambda rules: Fixer(rules.game_data))

    def format(self, file: DeckFile) -> Rewrite | LeftAlone:
        """A list in canonical notation, or why it stays unchanged. Raises UserError if it can't be formatted."""
        why = _BY_ENDING.get(file.path.rpartition(".")[2].lower())
        if why == "structured" or (why == "foreign" and self._options.notation is None):
            return why
        opened = self.open(file)
        if opened is None:
            return "structured"
        deck = opened.deck
        if file.path != STANDARD_INPUT and deck.notation != "text":
            return _BY_ENDING.get(deck.notation, "foreign")
        formatter = self._formatter(opened.format)
        after = formatter.format(opened.text, deck.path, opened.format.format.zones, deck.notation)
        if any(diagnostic.id == FindingId.EMPTY_LINE for diagnostic in deck.diagnostics):
            # With a heading the list would say what the format and the sizes of its zones say now.
            again = replace(opened, deck=read_deck(opened.format, after, deck.path))
            if changed_card(deck, again.deck) or opened.check().verdict != again.check().verdict:
                raise uncertain(deck.path, BELOW_EMPTY_LINE)
        return Rewrite(file.path, opened.text, after, bytes_of(file, opened), after.encode())

    def open(self, file: DeckFile) -> OpenedDeck | None:
        """The opened list; None for a link that isn't in `named`. Raises UserError."""
        path = Path(file.path)
        if file.path not in self._named and path.is_symlink():
            return None
        if file.path != STANDARD_INPUT and path.exists() and not path.is_file():
            # A pipe can be read only once, and a device may be endless.
            raise user_error(_("not a regular file, so it cannot be rewritten"), path=file.path)
        return self._session.open(file)

    def correct(self, file: DeckFile, opened: OpenedDeck) -> Rewrite:
        """A list with its certain mistakes corrected. Raises UserError if the result can't be encoded."""
        text, deck, rules = opened.text, opened.deck, opened.format
        # Cards set aside from a deck need not be in the card table.
        set_aside = [name for other in rules.format.set_aside for name in other.names]
        fixed = self._fixer(rules).fix(text, deck.path, set_aside, deck.notation)
        if not fixed.fixes:
            return Rewrite(file.path, text, text, b"", b"")
        old = bytes_of(file, opened)
        new = encoded(fixed.text, old, file.path)
        return Rewrite(file.path, text, fixed.text, old, new, fixed.fixes)


def bytes_of(file: DeckFile, opened: OpenedDeck) -> bytes:
    """The bytes of a list's file. Raises UserError if the file has changed since it was read."""
    if file.path == STANDARD_INPUT:
        return opened.text.encode()
    data = read_list(file.path)
    if decode(data, file.path) != opened.text:
        raise user_error(_("the file changed while it was being rewritten"), path=file.path)
    return data


def replace_file(path: str, data: bytes) -> None:
    """Replace a file atomically, keeping its mode and links to it. Raises UserError."""
    if not Path(path).is_file():
        raise user_error(_("not a regular file, so it cannot be rewritten"), path=path)
    if not os.access(path, os.W_OK):
        raise user_error(_("can't be written: it is read-only"), path=path)
    with open_output(path) as stream:
        stream.write(data)


def encoded(text: str, old: bytes, path: str) -> bytes:
    """A list in the encoding and with the line endings of the file that it replaces.

    Raises UserError for a character that the encoding doesn't have.
    """
    mark, encoding = encoding_of(old)
    ends = re.findall("\r\n|\r|\n", old[len(mark) :].decode(encoding))
    *lines, last = text.removeprefix("\ufeff").split("\n")
    # Further lines end like the first one.
    further = ends[:1] or ["\n"]
    endings = chain(ends, cycle(further))
    parts = [line + end for line, end in zip(lines, endings, strict=False)]
    try:
        return mark + "".join([*parts, last]).encode(encoding)
    except UnicodeEncodeError as error:
        char = error.object[error.start]
        message = _("its encoding ({encoding}) has no {char!r}", encoding=encoding, char=char)
        raise user_error(message, path=path) from error


class Fixed(Struct, frozen=True):
    """The lists of a run left to check, how many were (or would be) changed, and how many failed."""

    items: list[Item]
    changed: int
    failed: int


def fix_lists(
    items: Sequence[Item],
    options: CheckOptions,
    look: RenderOptions,
    *,
    named: Sequence[str] = (),
    diff: bool = False,
) -> Fixed:
    """Correct the certain mistakes of every list, and report each on standard error; with `diff` only show them.

    Links are followed only if they are `named`. Standard input is written to standard output and not left to check. A list
    that can't be read is left for the check to report, if one follows.
    """
    rewriter, paint = Rewriter(options, named), painter(look.color)
    lists = [item for item in items if diff or isinstance(item, DeckFile)]
    progress = Progress(len(lists), look.lang)
    changed = 0

    def work(deck: DeckFile) -> None:
        nonlocal changed
        is_input, name = deck.path == STANDARD_INPUT, options.shown_name(deck.path)
        try:
            opened = rewriter.open(deck)
        except UserError:
            if is_input or diff:
                raise
            return
        if opened is None:
            return
        file = rewriter.correct(deck, opened)
        changed += bool(file.fixes)
        if file.fixes or is_input:
            progress.clear()
        if diff:
            show(file.diff(name, look.lang, paint) if file.fixes else "")
            return
        if is_input:
            show(file.after, exact=True)
        else:
            file.save()
        for fix in file.fixes:
            write_stderr(f"{safe(name)}:{fix.line}: {safe(fix.was)} → {safe(fix.now)}\n")

    failed = for_each(lists, progress, work)
    left = [item for item in items if not isinstance(item, DeckFile) or item.path != STANDARD_INPUT]
    return Fixed(left, changed, failed)


class Formatted(Struct, frozen=True):
    """What became of the lists of a run; the paths of those left alone as they are data or another tool's."""

    changed: int
    same: int
    failed: int
    structured: tuple[str, ...]
    foreign: tuple[str, ...]

    def summary(self, is_dry: bool) -> Message:
        """The numbers in a sentence; `is_dry`: nothing was written."""
        if is_dry:
            done = n_("{n} file would be reformatted", "{n} files would be reformatted", self.changed)
        else:
            done = n_("{n} file reformatted", "{n} files reformatted", self.changed)
        if not self.failed:
            return _("{done}, {same} unchanged", done=done, same=self.same)
        return _(
            "{done}, {same} unchanged, {failed} could not be formatted",
            done=done,
            same=self.same,
            failed=self.failed,
        )


def format_lists(
    items: Sequence[Item],
    options: CheckOptions,
    look: RenderOptions,
    *,
    named: Sequence[str] = (),
    check: bool = False,
    diff: bool = False,
) -> Formatted:
    """Rewrite every list in canonical notation; with `check` only list those that change, with `diff` only show how.

    Links are followed only if they are `named`. Standard input is written to standard output.
    """
    rewriter, paint = Rewriter(options, named), painter(look.color)
    progress = Progress(len(items), look.lang)
    left: dict[LeftAlone, list[str]] = {"structured": [], "foreign": []}
    changes: list[bool] = []

    def work(deck: DeckFile) -> None:
        file = rewriter.format(deck)
        if isinstance(file, str):
            left[file].append(deck.path)
            return
        changes.append(file.changes)
        is_input = deck.path == STANDARD_INPUT
        if is_input or (file.changes and (check or diff)):
            progress.clear()
        if diff:
            show(file.diff(deck.path, look.lang, paint) if file.changes else "")
        elif check:
            show(safe(deck.path) + "\n" if file.changes else "")
        elif is_input:
            show(file.after, exact=True)
        else:
            file.save()

    failed = for_each(items, progress, work)
    structured, foreign = tuple(left["structured"]), tuple(left["foreign"])
    return Formatted(sum(changes), changes.count(False), failed, structured, foreign)
