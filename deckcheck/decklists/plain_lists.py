"""The short way of plain lists: one pattern and one look-up a line, for lists in which every character is a count, a
sign, a name, a heading or a header.

Its results are those of the full reader, whose patterns take longer to compile than a plain list takes to check. A line
that has anything else sends the whole list there.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple
from unicodedata import normalize

from deckcheck.decklists.header import header_line
from deckcheck.decklists.lexer import compiled
from deckcheck.decklists.lines import (
    BLANK,
    LONGEST_LINE,
    MOST_LINES,
    Blank,
    HeaderLine,
    Heading,
    Label,
    may_number,
)
from deckcheck.decklists.vocabulary import Vocabulary, sort_of, sort_of_folded
from deckcheck.model.card import Card, Catalog
from deckcheck.model.deck import Deck, Entry
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

_MOST_REMEMBERED = 1 << 16
_LONGEST_REMEMBERED = 160


def too_many_lines(path: str) -> Exception:
    """The UserError for a list with more than MOST_LINES lines."""
    return user_error(
        _("too many lines (at most {most_lines:,})", most_lines=MOST_LINES),
        path=path,
        line=MOST_LINES + 1,
        column=1,
    )


_WITHOUT_GAPS = str.maketrans("", "", " ・")
_SIGNS, _BULLETS, _DIGITS = "x×X✕", ("・", "●"), frozenset("0123456789")
_COUNT_CHARS = _DIGITS.union(_SIGNS)
_NUMBER_JOINTS = frozenset("0123456789.,/:*+-#&@~^<([{")
"""Characters that may belong to the same number or sign as a digit directly after them."""
_NUMBER = r"(?P<n>[1-9][0-9]?)"
_COUNTS = {str(number): number for number in range(1, 100)}
_LEAST_PAIRS = 2


class _Name(NamedTuple):
    """An unambiguous name: its card, the home if that isn't the default zone, and the folded name.

    `may_continue`: a longer name continues with a sign or digit; `may_be_led`: one has them before this name.
    `only_quoted`: it is plain only in brackets, for it is an alias with signs.
    """

    cards: tuple[Card, ...]
    home: str | None
    folded: str
    may_continue: bool
    may_be_led: bool
    only_quoted: bool


class _HalfEntry(NamedTuple):
    """A line with a name, or with a count, whose other half is on the next line."""

    line: str
    number: int
    known: _Name | None
    copies: int


_Parts = tuple[str, int, int]
"""A name, its count, and the name's 1-based column."""


def _no_parts(_line: str) -> _Parts | None:
    return None


class _Style(NamedTuple):
    """How a line writes a card: whether the count is first, and the text before, between and after both."""

    left: bool
    before: str
    between: str
    after: str
    is_bare: bool
    """Whether there is at most a blank between them."""

    def split_left(self, line: str) -> _Parts | None:
        """The parts of a line whose count is first, if it is in this style; None if it may be in another one."""
        if not line.endswith(self.after):
            return None
        line = line.removesuffix(self.after)
        count, _, name = line.partition(self.between)
        copies = _COUNTS.get(count)
        # A sign or a digit next to the count may not belong to the name.
        if copies is None or (self.is_bare and name[:1] in _COUNT_CHARS):
            return None
        return name, copies, len(count) + len(self.between) + 1

    def split_right(self, line: str) -> _Parts | None:
        """The parts of a line whose count is last, if it is in this style; None if it may be in another one."""
        if not line.endswith(self.after):
            return None
        line = line.removesuffix(self.after)
        name, _, count = line.rpartition(self.between) if self.between else (line[:-1], "", line[-1:])
        copies, mark = _COUNTS.get(count), name[-1:]
        if copies is None or (self.is_bare and mark in _COUNT_CHARS):
            return None
        if not self.between and mark in _NUMBER_JOINTS:
            return None
        start = len(self.before)
        if not name.startswith(self.before) or name.startswith(_BULLETS, start):
            return None
        return name[start:], copies, start + 1


class _CertainNames(dict[str, _Name | None]):
    """The names that can't include a count beside them; None for all others.

    The count is in front of them if `is_led`, else behind them.
    """

    def __init__(self, look_up: Callable[[str], _Name | None], *, is_led: bool) -> None:
        super().__init__()
        self._look_up, self._is_led = look_up, is_led

    def __missing__(self, name: str) -> _Name | None:
        known = self._look_up(name)
        if known is None:
            return None
        certain = None if (known.may_be_led if self._is_led else known.may_continue) else known
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        self[name] = certain
        return certain


class PlainListReader:
    """Reads lines and lists that are unambiguous; None for all others.

    The full reader's patterns take longer to compile than a plain list takes to check; its results are the same.
    """

    def __init__(self, words: Vocabulary, catalog: Catalog) -> None:
        self._words, self._catalog = words, catalog
        counters = "|".join(re.escape(word) for word in words.counters if not word.isascii())
        counter = f"(?:{counters})" if counters else "(?!)"
        self._left = (
            rf"{_NUMBER}(?: ?[{_SIGNS}] ?|{counter}(?:[：:] ?| )?| )(?P<q>《)?(?P<c>[^《》]+)(?(q)》)"
        )
        self._right = (
            rf"(?:[{''.join(_BULLETS)}] ?)?(?P<q>《)?(?P<c>[^《》]*?[^《》\s])(?(q)》)"
            rf"(?:[ \u3000]?[{_SIGNS}] ?|[ \u3000])?{_NUMBER}{counter}?"
        )
        self._alone = rf"(?:[{_SIGNS}] ?)?{_NUMBER}{counter}?"
        self._names: dict[str, _Name | None] = {}
        self._after_counts = _CertainNames(self._name, is_led=True)
        self._before_counts = _CertainNames(self._name, is_led=False)
        self._counts: dict[str, int] = {}
        self._sign = catalog.fold("x")

    def deck(self, source: Sequence[str], path: str) -> Deck | None:
        """The deck of a list of such lines, of names in brackets, or of alternating lines of names and counts.

        Each line is split in the style of the one before, which takes a single look-up.
        """
        draft = _Draft(self._words)
        entries, certain, default = draft.entries, self._after_counts, self._words.default
        split: Callable[[str], _Parts | None] = _no_parts
        for number, line in enumerate(source, 1):
            parts = split(line)
            known = certain[parts[0]] if parts else None
            if parts and known and (known.home is None or draft.zone != default):
                # What `draft.add` would do, without the call.
                name, copies, column = parts
                entries.append(Entry(name, known.cards, copies, draft.zone, number, column))
                continue
            entry = self._entry(line)
            if entry is None:
                if not entries and self._bracketed(line) is not None:
                    return self._singles(source, path)
                if not entries and (self._count(line) or self._name(line)):
                    return self._alternating(source, path)
                if draft.add_other(self._other(line), is_last=number == len(source)):
                    continue
                return None
            style, known, parts = entry
            if not self._is_certain(style, known, *parts[:2]) or not draft.add(known, parts, number):
                return None
            split = style.split_left if style.left else style.split_right
            certain = self._after_counts if style.left else self._before_counts
        return draft.deck(source, path)

    def _singles(self, source: Sequence[str], path: str) -> Deck | None:
        """The deck of a list of names in brackets, one copy of each, without counts."""
        draft = _Draft(self._words)
        for number, line in enumerate(source, 1):
            known = self._bracketed(line)
            if known is not None:
                is_added = draft.add(known, (line[1:-1], 1, 2), number)
            else:
                is_added = draft.add_other(self._other(line), is_last=number == len(source))
            if not is_added:
                return None
        return draft.deck(source, path)

    def _bracketed(self, line: str) -> _Name | None:
        """The name that is all of a line, in its brackets, without a digit; else None."""
        is_bracketed = line[:1] == "《" and line[-1:] == "》" and _DIGITS.isdisjoint(line)
        return self._name(line[1:-1], quoted=True) if is_bracketed else None

    def _alternating(self, source: Sequence[str], path: str) -> Deck | None:
        """The deck of a list in which each count is on the line after its name, or before it."""
        draft = _Draft(self._words)
        first: _HalfEntry | None = None
        names_first: bool | None = None
        for number, line in enumerate(source, 1):
            known = self._name(line)
            count = 0 if known is not None else self._count(line)
            if known is None and not count:
                if first is None and draft.add_other(self._other(line), is_last=number == len(source)):
                    continue
                return None
            if first is None:
                first = _HalfEntry(line, number, known, count)
                if names_first not in (None, known is not None):
                    return None
                names_first = known is not None
                continue
            if names_first is (known is not None):
                return None
            named = first if count else _HalfEntry(line, number, known, first.copies)
            if named.known is None or not draft.add(
                named.known, (named.line, count or named.copies, 1), named.number
            ):
                return None
            first = None
        return draft.deck(source, path) if first is None and len(draft.entries) >= _LEAST_PAIRS else None

    def _entry(self, line: str) -> tuple[_Style, _Name, _Parts] | None:
        """The style, name and parts of a card's line."""
        if len(line) > _LONGEST_REMEMBERED or _DIGITS.isdisjoint(line) or line[:1] in "/<":
            return None
        left = "1" <= line[:1] <= "9"
        match = compiled(self._left if left else self._right).fullmatch(line)
        known = None if match is None else self._name(match["c"], quoted=match["q"] is not None)
        if known is None and left:
            # A name may begin with a number.
            left, match = False, compiled(self._right).fullmatch(line)
            known = None if match is None else self._name(match["c"], quoted=match["q"] is not None)
        if match is None or known is None:
            return None
        first, second = ("n", "c") if left else ("c", "n")
        between = line[match.end(first) : match.start(second)]
        is_bare = not between.strip()
        style = _Style(left, line[: match.start(first)], between, line[match.end(second) :], is_bare)
        return style, known, (match["c"], int(match["n"]), match.start("c") + 1)

    def _is_certain(self, style: _Style, known: _Name, name: str, copies: int) -> bool:
        """Whether no other name may contain the count or its sign."""
        if not style.left:
            return not known.may_continue and (bool(style.between) or name[-1] not in _NUMBER_JOINTS)
        if not known.may_be_led or style.after:
            return True
        before = self._sign if not _COUNT_CHARS.isdisjoint(style.between) else str(copies)
        return not self._catalog.has(before + known.folded)

    def _count(self, line: str) -> int:
        """The count on a line without anything else; 0 if there is none."""
        count = self._counts.get(line, 0)
        if not count and not _DIGITS.isdisjoint(line):
            match = compiled(self._alone).fullmatch(line)
            if match is not None:
                count = self._counts[line] = int(match["n"])
        return count

    def _name(self, name: str, *, quoted: bool = False) -> _Name | None:
        names = self._names
        if name not in names:
            if len(name) > _LONGEST_REMEMBERED:
                return None
            if len(names) >= _MOST_REMEMBERED:
                names.clear()
            names[name] = self._look_up(name)
        known = names[name]
        return None if known is not None and known.only_quoted and not quoted else known

    def _look_up(self, name: str) -> _Name | None:
        words, catalog = self._words, self._catalog
        cards = catalog.find(name)
        if len(cards) != 1:
            return None
        # In a spelling other than the card's own, digits, brackets and marks may have a meaning.
        only_quoted = name != cards[0].name and not name.translate(_WITHOUT_GAPS).isalpha()
        if only_quoted and name not in cards[0].aliases and normalize("NFKC", name) not in cards[0].aliases:
            return None
        folded = words.fold(name)
        if (
            name.isdecimal()
            or name in _SIGNS
            or name.strip() != name
            or sort_of_folded(words, folded) is not None
        ):
            return None
        aliases = cards[0].aliases
        if "《" in name or any(alias[:1] == "《" for alias in aliases):
            return None
        home = cards[0].home
        return _Name(
            cards,
            home if home != words.default else None,
            folded,
            folded in catalog.before_counts,
            folded in catalog.behind_counts,
            only_quoted,
        )

    def _other(self, line: str) -> Blank | HeaderLine | Heading | Label | None:
        words = self._words
        if not line:
            return BLANK
        if line[0] == "#" and len(line) <= LONGEST_LINE:
            header = header_line(line)
            return None if header is None else HeaderLine(header[0], header[1])
        bare = line[1:-1] if line[0] == "【" and line[-1] == "】" else line
        sort = sort_of(words, bare) if bare.isalpha() and len(line) <= LONGEST_LINE else None
        if sort is None or self._catalog.find(line):
            return None
        if sort == ("label", None):
            return Label(line)
        zone = sort[1]
        if sort[0] != "zone" or zone is None:
            return None
        return Heading(line, zone, None, zone in words.zone_ids)


class _Draft:
    """A deck under construction."""

    def __init__(self, words: Vocabulary) -> None:
        self._default = self.zone = words.default
        self._ends_at_label = words.ends_at_label
        self._header: dict[str, str] = {}
        self._may_end_zone = False
        """Whether an empty line begins the default zone unless that has cards below a heading."""
        self.entries: list[Entry] = []

    def add(self, known: _Name, parts: _Parts, number: int) -> bool:
        """Adds a card; False if it would have to move to its home."""
        zone = self.zone
        if known.home is not None and zone == self._default:
            return False
        name, copies, column = parts
        self.entries.append(Entry(name, known.cards, copies, zone, number, column))
        return True

    def add_other(self, line: Blank | HeaderLine | Heading | Label | None, *, is_last: bool) -> bool:
        """Adds a line without a card; False if it may change the meaning of others."""
        match line:
            case Heading():
                self.zone = line.zone
                return line.is_known
            case HeaderLine():
                self._header.setdefault(line.key, line.value)
                return not self.entries
            case Label():
                return self.zone == self._default and self.zone not in self._ends_at_label
            case Blank():
                if self.zone in self._ends_at_label and not is_last:
                    self._may_end_zone = True
                return True
        return False

    def deck(self, source: Sequence[str], path: str) -> Deck | None:
        """The deck; None if it is empty or its numbers may not be counts."""
        if not self.entries or may_number([entry.copies for entry in self.entries]):
            return None
        if self._may_end_zone and all(entry.zone != self._default for entry in self.entries):
            return None
        return Deck(path, tuple(self.entries), (), self._header, "text", tuple(source))
