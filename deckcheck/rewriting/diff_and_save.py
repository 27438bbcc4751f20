"""Formats or corrects decklist files, of one run or one by one, and shows a diff or saves them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
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
from deckcheck.decklists.decoding import decode, encoding_of
from deckcheck.decklists.read import AS_LINES
from deckcheck.model.finding import FindingId
from deckcheck.report.results import RenderOptions
from deckcheck.report.text import Progress, write_problems
from deckcheck.report.wording import Label
from deckcheck.rewriting.conversion import CANONICAL, convert
from deckcheck.rewriting.fmt_and_fix import DIRECTIVES_MOVE, Fix, Fixer, changed_card, formatted, uncertain
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.files import open_output
from deckcheck.support.messages import _
from deckcheck.support.safe_text import safe
from deckcheck.support.terminal import Paint, Style, painter, show, write_stderr

_STYLES: dict[str, Style] = {"-": "red", "+": "green", "@": "cyan"}

Mode = Literal["write", "list", "diff"]

_NOT_TEXT = frozenset({"csv", "tsv", "yaml", "yml", "json", "dec", "dek", "cod", "dck", "mwdeck", "ydk"})
"""The endings of data and of other tools' lists, which are left alone: these tools couldn't read the result."""


class Rewrite(Struct, frozen=True):
    """A list before and after, as text and as the bytes of its file; its corrections, and the `unclear` lines, which stay."""

    path: str
    before: str
    after: str
    old: bytes
    new: bytes
    fixes: tuple[Fix, ...] = ()
    unclear: tuple[Problem, ...] = ()

    @property
    def changes(self) -> bool:
        """Whether the text or its bytes change."""
        return self.old != self.new

    def save(self) -> None:
        """Write a changed list to its file. Raises UserError."""
        if self.changes:
            replace_file(self.path, self.new)

    def diff(self, path: str, lang: str, paint: Paint) -> str:
        """A unified diff of the file, named by `path`; a note if only its bytes change."""
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
        self._fixer = lru_cache(MOST_TABLES)(lambda rules: Fixer(rules.game_data))

    def format(self, file: DeckFile) -> Rewrite | None:
        """A list in canonical notation; None for what isn't a text list. Raises UserError if it can't be formatted."""
        ending = file.path.rpartition(".")[2].lower()
        if ending in _NOT_TEXT and self._options.notation is None:
            return None
        opened = self.open(file)
        if opened is None:
            return None
        deck = opened.deck
        if file.path != STANDARD_INPUT and deck.notation != "text":
            return None
        rules = opened.format
        table, unclear = rules.game_data, tuple[Problem, ...]()
        if deck.notation in AS_LINES:
            done = formatted(table, opened.text, deck.path, deck.notation, rules.zone_names)
            after, unclear = done.text, done.unclear
        else:
            made = convert(table, opened.text, deck.path, CANONICAL, notation=deck.notation, format=rules)
            if made.left_out:
                raise uncertain(deck.path, DIRECTIVES_MOVE)
            after = made.text
        if any(diagnostic.id == FindingId.EMPTY_LINE for diagnostic in deck.diagnostics):
            # With a heading the list would say what the format and the sizes of its zones say now.
            again = replace(opened, deck=read_deck(opened.format, after, deck.path))
            if changed_card(deck, again.deck) or opened.check().verdict != again.check().verdict:
                reason = _("the zone of the cards below an empty line is unclear; put a heading there")
                raise uncertain(deck.path, reason)
        return Rewrite(
            file.path, opened.text, after, _bytes_of(file, opened), after.encode(), unclear=unclear
        )

    def open(self, file: DeckFile) -> OpenedDeck | None:
        """The opened list; None for a link that isn't in `named`. Raises UserError."""
        path = Path(file.path)
        if file.path not in self._named and path.is_symlink():
            return None
        if file.path != STANDARD_INPUT and path.exists() and not path.is_file():
            # A pipe can be read only once, and a device may be endless.
            raise user_error(_("not a regular file, so it cannot be rewritten"), path=file.path)
        return self._session.open(file)

    def correct(self, file: DeckFile, *, strict: bool = True) -> Rewrite | None:
        """A list with its certain mistakes corrected; None for a link that isn't in `named`.

        Raises UserError; unless `strict`, the result for a file that can't be read is None, too.
        """
        try:
            opened = self.open(file)
        except UserError:
            if strict or file.path == STANDARD_INPUT:
                raise
            return None
        if opened is None:
            return None
        text, deck, rules = opened.text, opened.deck, opened.format
        # Cards set aside from a deck need not be in the card table.
        set_aside = [name for other in rules.format.set_aside for name in other.names]
        fixed = self._fixer(rules).fix(text, deck.path, set_aside, deck.notation)
        if not fixed.fixes:
            return Rewrite(file.path, text, text, b"", b"")
        return replace(rewritten(file, opened, fixed.text), fixes=fixed.fixes)


def rewritten(file: DeckFile, opened: OpenedDeck, after: str) -> Rewrite:
    """A list with another text, in the encoding and with the line endings of its file. Raises UserError."""
    old = _bytes_of(file, opened)
    return Rewrite(file.path, opened.text, after, old, encoded(after, old, file.path))


def _bytes_of(file: DeckFile, opened: OpenedDeck) -> bytes:
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


class Rewritten(Struct, frozen=True):
    """What became of the lists of a run: how many changed or would, or kept some `unclear` lines, and which were left alone."""

    changed: int
    same: int
    unclear: int
    failed: int
    left: list[str]


def rewrite_lists(
    items: Sequence[Item],
    change: Callable[[DeckFile], Rewrite | None],
    options: CheckOptions,
    look: RenderOptions,
    mode: Mode = "write",
) -> Rewritten:
    """Rewrite every list as `change` says (None: not at all), or only `list` the changed ones or show a `diff` of each.

    Standard input is written to standard output. Corrections are told on standard error.
    """
    progress, paint = Progress(len(items), look.lang), painter(look.color)
    left = list[str]()
    changes, unclear = list[bool](), list[bool]()

    def work(deck: DeckFile) -> None:
        file, name = change(deck), options.shown_name(deck.path)
        if file is None:
            left.append(deck.path)
            return
        changes.append(file.changes)
        unclear.append(bool(file.unclear))
        is_shown = mode == "write" and deck.path == STANDARD_INPUT
        if is_shown or file.fixes or file.unclear or (file.changes and mode != "write"):
            progress.clear()
        if is_shown:
            show(file.after, exact=True)
        elif mode == "write":
            file.save()
        elif file.changes:
            show(safe(name) + "\n" if mode == "list" else file.diff(name, look.lang, paint))
        write_problems(file.unclear, look.lang, Label.UNDECIDED)
        for fix in file.fixes if mode == "write" else ():
            write_stderr(f"{safe(name)}:{fix.line}: {safe(fix.was)} → {safe(fix.now)}\n")

    failed = for_each(items, progress, work)
    return Rewritten(sum(changes), changes.count(False), sum(unclear), failed, left)
