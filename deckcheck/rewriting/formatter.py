"""`deckcheck fmt`: brings the lines of a list into one form, in place.

Order, comments, headings in their language and empty lines stay. A card's line becomes `4 x NAME`, and what else it
holds a comment behind it. The result is read again: unless it is the same deck, the list is left as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from deckcheck.checking.judge import GameData
from deckcheck.decklists.decoding import clean_line
from deckcheck.decklists.header import read_header
from deckcheck.decklists.lexer import shape_of
from deckcheck.decklists.lines import (
    Blank,
    CardLine,
    Comment,
    CountLine,
    HeaderLine,
    Heading,
    Item,
    Label,
    Line,
    Stretches,
    Taken,
    Title,
    Told,
    Total,
)
from deckcheck.decklists.read import AS_TEXT, Outline, make_reader
from deckcheck.model.deck import Deck
from deckcheck.model.finding import FindingId
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import Words, _

_MOST_PASSES = 3
_HINT = _("it is left as it is")
_OTHER = _("it would be read as another list")
_SEVERAL_CARDS = _("with several cards on one line, it is unclear which one the instruction is about")
# Strings of YAML and JSON may contain these, but a text must not.
_NEVER_IN_FILES = re.compile("[\r\0\ud800-\udfff]|\\A\ufeff")
_JAPANESE = re.compile("[\u3041-\u30ff\u4e00-\u9fff]")
_REMARKS = frozenset({Taken.COMMENT, Taken.PRINTING, Taken.REMARK})
HEADER = ("format", "date", "as-of", "best-of", "deck", "player", "expect")
"""The header keys in writing order."""


class Formatter:
    """Formats lists of a game."""

    def __init__(self, table: GameData) -> None:
        self._game, self._read = table.game, table.read
        self._outline = make_reader(table.game, table.catalog).outline

    def format(self, text: str, path: str, zones: Iterable[str] = (), notation: str | None = None) -> str:
        """The list in one form, with the same meaning; formatting it again changes nothing.

        A list that isn't text is written by its zones: `zones` first, then those of the game. `notation` is that of the
        list, if known. Raises UserError for a list that can't be read or would lose something.
        """
        for _unused in range(_MOST_PASSES):
            formatted = self._format_once(text, path, [*zones], notation)
            if formatted == text:
                return formatted
            # The result is plain text, even if the path is that of a sheet or a tree.
            text, path, notation = formatted, path if path.endswith(".txt") else "-", None
        raise uncertain(path, _OTHER)

    def _format_once(self, text: str, path: str, zones: Sequence[str], notation: str | None) -> str:
        old, outline = self._read(text, path, notation), self._outline(text, path, notation)
        for diagnostic in old.diagnostics:
            if diagnostic.id == FindingId.INVALID_LINE:
                raise _refused(old, diagnostic.message, diagnostic.line, diagnostic.column)
        header = own_header(old, text)
        if header is None:
            raise uncertain(old.path, _("its header can be read in two ways"))
        if outline.notation == "text":
            formatted = "\n".join(self._lines(outline, old)).rstrip("\n") + "\n"
        else:
            formatted = self._by_zones(old, header, zones, _is_japanese(outline))
        new = self._read(formatted, "-")
        problem = difference(old, new, header)
        if problem is not None:
            raise uncertain(old.path, problem)
        if _NEVER_IN_FILES.search(formatted) or read_header(formatted).get("format") != read_header(text).get(
            "format"
        ):
            raise uncertain(old.path, _OTHER)
        return formatted

    def _by_zones(self, deck: Deck, header: Mapping[str, str], order: Sequence[str], japanese: bool) -> str:
        """A deck as text: its header, then its cards by zone."""
        blocks = ["\n".join(f"# {key}: {header[key]}" for key in HEADER if key in header)]
        rows: dict[str, list[str]] = {}
        for entry in deck.entries:
            rows.setdefault(entry.zone, []).append(f"{entry.copies} x {entry.name}")
        for zone in dict.fromkeys((*order, *self._game.zones, *rows)):
            if zone in rows:
                name = self._zone_name(zone, japanese=japanese)
                name = name if zone in self._game.zones else f"[{zone}]"
                blocks.append("\n".join([name, *rows[zone]]))
        return "\n\n".join(filter(None, blocks)) + "\n"

    def _lines(self, outline: Outline, deck: Deck) -> Iterator[str]:
        """The lines of a text in their form."""
        japanese = _is_japanese(outline)
        for number, line in outline.lines:
            source = outline.source[number - 1] if number else ""
            instruction = outline.directives.get(number)
            behind = "" if instruction is None else f" # deckcheck: {instruction}"
            try:
                written = [*self._written(line, source, japanese=japanese)]
            except UserError as error:
                raise _refused(deck, error.problems[0].message, number, 1) from error
            if behind and len(written) > 1:
                raise _refused(deck, _SEVERAL_CARDS, number, 1)
            for text in written:
                yield behind.strip() if text in ("", "#") and behind else text + behind

    def _written(self, line: Line, source: str, *, japanese: bool) -> Iterator[str]:
        """The lines in place of a line."""
        match line:
            case CardLine():
                yield from self._cards(line, source, japanese=japanese)
            case Heading():
                yield self._heading(line, japanese=japanese)
            case HeaderLine():
                yield f"# {line.key}: {line.value}"
            case Title():
                yield f"# deck: {line.written}"
            case Comment() if line.written and not _is_head(line):
                is_marked = line.written.startswith(("#", "//", "<!--", "/*"))
                yield line.written if is_marked else f"# {line.written}"
            case Label() | Total():
                if line.written:
                    yield line.written
            case Blank():
                yield ""
            case Comment() | CountLine():
                # A count is part of the card's line, and the heads of columns say nothing without them.
                return
            case Told():
                raise user_error(line.why)

    def _heading(self, line: Heading, *, japanese: bool) -> str:
        """The heading of a zone by its name, in the language in which it is written; others stay as written."""
        if line.zone not in self._game.zones or (
            line.written and line.total is None and any(map(str.isdigit, line.written))
        ):
            return line.written.strip()
        japanese = _JAPANESE.search(line.written) is not None if line.written else japanese
        name = self._zone_name(line.zone, japanese=japanese)
        return name if line.total is None else f"{name} {line.total}"

    def _cards(self, line: CardLine, source: str, *, japanese: bool) -> Iterator[str]:
        text = clean_line(source)[0]
        comment = _remarks(text, line.stretches)
        for index, item in enumerate(line.items):
            name = item.cards[0].name if len(item.cards) == 1 else item.written
            written = f"{self._zone_in_front(item, japanese=japanese)}{item.copies} x {name}"
            yield f"{written} # {comment}" if comment and index == len(line.items) - 1 else written

    def _zone_in_front(self, item: Item, *, japanese: bool) -> str:
        """The word for the zone that a card's own line names, in front of it; "" without one."""
        return "" if item.zone is None else f"{self._zone_name(item.zone, japanese=japanese)}: "

    def _zone_name(self, zone: str, *, japanese: bool) -> str:
        if zone not in self._game.zones:
            return zone
        name = self._game.zones[zone].name
        return name.ja if japanese else name.en


def _is_japanese(outline: Outline) -> bool:
    return any(_JAPANESE.search(line) for line in outline.source)


def _is_head(line: Comment) -> bool:
    """Whether a line holds the heads of columns or a word of another program, and nothing that somebody wrote."""
    return any(part.taken is Taken.HEAD for part in line.stretches)


def _remarks(text: str, stretches: Stretches) -> str:
    """What a card's line holds beside cards, counts and zones."""
    parts = [text[part.start : part.end].strip() for part in stretches if part.taken in _REMARKS]
    return " ".join(filter(None, (part.lstrip("#＃/／").strip() for part in parts)))


def _refused(deck: Deck, message: Words, line: int, column: int) -> UserError:
    refusal = _("{message}; the list is left as it is", message=message)
    excerpt = deck.lines[line - 1] if line else None
    return user_error(refusal, path=deck.path, line=line, column=column, excerpt=excerpt)


def uncertain(path: str, why: Words) -> UserError:
    """The UserError for a list that can't be formatted with certainty."""
    return user_error(_("this can't be formatted with certainty: {why}", why=why), path=path, hint=_HINT)


_UNKNOWN = "?"
BELOW_EMPTY_LINE = _("the zone of the cards below an empty line is unclear; put a heading there")
_DECORATION = " \t#/!■□◆◇▼▽▶►▷▸=─━:-()[]<>{}《》「」『』"


def own_header(deck: Deck, text: str) -> dict[str, str] | None:
    """The header of a list, including that in the comments of YAML; None if the two contradict each other."""
    if deck.notation in AS_TEXT:
        return dict(deck.header)
    header = read_header(text)
    if any(deck.header.get(key, value) != value for key, value in header.items()):
        return None
    return {**deck.header, **header}


def difference(old: Deck, new: Deck, header: Mapping[str, str]) -> Words | None:
    """The difference between a rewritten list and the old one with `header`; None if they mean the same.

    The order of lines may differ, and so may the decoration of headings that name no zone.
    """
    if header != new.header:
        return _("its header would change")
    name = changed_card(old, new)
    if name is not None:
        return read_otherwise(name)
    _cards, directives, diagnostics = _facts(old)
    _cards, new_directives, new_diagnostics = _facts(new)
    if directives != new_directives:
        return _("an instruction to deckcheck would move")
    if diagnostics[FindingId.EMPTY_LINE, ""] and not new_diagnostics[FindingId.EMPTY_LINE, ""]:
        return BELOW_EMPTY_LINE
    return None if diagnostics == new_diagnostics else _("a sum or a zone would be read otherwise")


def read_otherwise(name: str) -> Words:
    """The message that a rewritten list wouldn't mean the same for a card."""
    return _("{name!r} would be read otherwise", name=name)


def changed_card(old: Deck, new: Deck) -> str | None:
    """The name of a card with different copies in a zone of the two decks; None if there is none."""
    before, after = _facts(old)[0], _facts(new)[0]
    return next((key[1].removeprefix(_UNKNOWN) for key in (*(before - after), *(after - before))), None)


def _facts(deck: Deck) -> tuple[Counter[Any], Counter[Any], Counter[tuple[str, str]]]:
    """The copies of each card by zone, the directives with what is on their lines, and the diagnostics.

    Leaves out diagnostics that follow from the zones, and those on comments, which keep what fits nowhere else.
    """
    cards: Counter[Any] = Counter()
    diagnostics: Counter[tuple[str, str]] = Counter()
    on_line: dict[int, list[tuple[object, ...]]] = {}
    for entry in deck.entries:
        name = " ".join(card.name for card in entry.cards) or _UNKNOWN + entry.written
        card = shape_of(entry.zone).strip(_DECORATION), name
        cards[card] += entry.copies
        on_line.setdefault(entry.line, []).append((*card, entry.copies))
    with_cards = frozenset(on_line)
    for diagnostic in deck.diagnostics:
        if diagnostic.line not in with_cards and diagnostic.id not in (
            FindingId.CARD_IN_COMMENT,
            FindingId.REMARKS,
        ):
            on_line.setdefault(diagnostic.line, []).append((diagnostic.id,))
        if diagnostic.id not in (
            FindingId.CARD_IN_COMMENT,
            FindingId.MOVED_TO_HOME_ZONE,
            FindingId.REMARKS,
            FindingId.ZONE_OF_ONE_LINE,
        ):
            total = shape_of(diagnostic.written) if diagnostic.id == FindingId.TOTAL_MISMATCH else ""
            diagnostics[diagnostic.id, "".join(filter(str.isdecimal, total))] += 1
    if diagnostics[FindingId.UNKNOWN_ZONE, ""]:
        # It may be reported once or on each card's line.
        diagnostics[FindingId.UNKNOWN_ZONE, ""] = 1
    directives = Counter(
        (item.whole, item.rules, item.reason, item.wrong is None, *sorted(on_line.get(item.line, ())))
        for item in deck.directives
    )
    return cards, directives, diagnostics
