"""Other tools' notations in lines of text: plain ones under headings (Magic Online's, Magic Arena's, Moxfield's), and ones with
sections and cards of their own (Forge's and XMage's .dck, YGOPro's .ydk and ydke:// links).
"""

from __future__ import annotations

import base64
import binascii
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from deckcheck.decklists.decoding import clean, compiled
from deckcheck.decklists.header_directives_comments import header_line
from deckcheck.decklists.line_reader import LineReader, item_of
from deckcheck.decklists.lines import (
    BLANK,
    COMMENT,
    LONGEST_LINE,
    CardLine,
    Comment,
    Heading,
    Item,
    Line,
    Numbered,
    Why,
    told,
)
from deckcheck.decklists.notations.registry import PASSCODE, SIDE, YDKE, Listing, Notation, Row, zone_of
from deckcheck.decklists.text import read_text
from deckcheck.decklists.zones_and_totals import with_side
from deckcheck.model.card import Card
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _


class PlainLines(Notation):
    """Lines that the reader of text knows by their own signs."""

    gap_begins_side = False

    def read(self, reader: LineReader, text: str, path: str) -> Iterable[Numbered]:  # noqa: ARG002 - as in Notation
        lines = read_text(reader, text, rules_are_gaps=not self.gap_begins_side)
        return with_side(reader.words, lines, zone_of(reader.words, SIDE)) if self.gap_begins_side else lines


class _MagicOnline(PlainLines):
    """The main deck, an empty line and the sideboard, without headings."""

    between = "\n\n"
    gap_begins_side = True
    name = _("Magic Online's text")
    one_slash = True

    def section_rows(self, listing: Listing) -> dict[str, Sequence[Row]]:
        rows = super().section_rows(listing)
        if rows[SIDE[0]] and not rows[self.main[0]]:
            raise user_error(_("{name} can't hold a sideboard without a main deck", name=self.name))
        return rows


class _Arena(PlainLines):
    """`4 Name (SET) 123` under Deck, Sideboard, Commander and Companion."""

    between = "\n\n"
    gap_begins_side = True
    name = _("Magic Arena's text")
    main = ("Deck", "Main")
    companion = ("Companion",)
    sections = (("Commander",), companion, main, SIDE)
    title = "About\nName {}"
    heading = "{}"

    def read(self, reader: LineReader, text: str, path: str) -> Iterable[Numbered]:
        """The numbered lines; a companion that is also listed in the sideboard counts once."""
        numbered = list(super().read(reader, text, path))
        words = reader.words
        companion, side = zone_of(words, self.companion), zone_of(words, SIDE)
        zone = words.default
        counted_already: Counter[tuple[Card, ...]] = Counter()
        for _number, line in numbered:
            zone = line.zone if isinstance(line, Heading) else zone
            for item in line.items if isinstance(line, CardLine) else ():
                if (item.zone or zone) == companion and item.cards:
                    counted_already[item.cards] += item.copies
        zone = words.default
        for index, (number, line) in enumerate(numbered):
            zone = line.zone if isinstance(line, Heading) else zone
            if not isinstance(line, CardLine) or zone != side or companion is None:
                continue
            items = []
            for item in line.items:
                twice = min(counted_already[item.cards], item.copies)
                counted_already[item.cards] -= twice
                items += [replace(item, copies=item.copies - twice)] if item.copies > twice else []
            numbered[index] = number, (replace(line, items=tuple(items)) if items else COMMENT)
        return numbered

    def section_rows(self, listing: Listing) -> dict[str, Sequence[Row]]:
        """The rows by section; Arena lists a companion's copies in the sideboard again."""
        rows = super().section_rows(listing)
        twice = {row.name: row.copies for row in rows[self.companion[0]]}
        rows[SIDE[0]] = [replace(row, copies=row.copies + twice.get(row.name, 0)) for row in rows[SIDE[0]]]
        return rows


class _Moxfield(PlainLines):
    """`1 Name (SET) 123 *F*`, with headings such as `SIDEBOARD:` for all but the main deck."""

    between = "\n\n"
    name = _("Moxfield's text")
    main = ("Main", "Mainboard", "Deck")
    sections = (main, ("Commander",), ("Companion",), SIDE)

    def section_lines(self, section: str) -> Sequence[str]:
        return () if section == self.main[0] else [f"{section.upper()}:"]


_SECTION = r"(?i)[#!][ \t]*+(?P<title>main|extra|side)(?:[ \t]*+deck)?+[ \t]*+:?+"
_WORD = r"[#!][ \t]*+(?P<word>(?![0-9]+:?$)[^\s#!]+?):?"
"""Matches a comment of one word, which may be a zone."""
_OTHER_SECTION = r"(?i)#[a-z_-]+:?"
"""Matches what other programs write for a section."""
_MOST_IN_LINK = 5000
_DIGITS = 8
"""A passcode is written with so many digits, or without leading zeros."""
_NO_PASSCODE = _("this is no card's number (passcode)")
_NO_SECTION = _("the cards below may not be in the deck (delete this line if they are)")


class _Forge(PlainLines):
    """[metadata], [Main], [Sideboard] and other sections of `4 Name|SET|1`."""

    name = _("Forge's .dck")
    sections = (
        Notation.main,
        ("Commander",),
        SIDE,
        ("Avatar",),
        ("Planes",),
        ("Schemes",),
        ("Conspiracy",),
        ("Dungeon",),
        ("Attractions",),
        ("Contraptions",),
    )
    always = ("Main",)
    begin = ("[metadata]",)
    title = "Name={}"
    heading = "[{}]"
    never = "|"


class _XMage(PlainLines):
    """`4 [SET:123] Name`, with `SB:` before cards of the sideboard."""

    name = _("XMage's .dck")
    title = "NAME:{}"
    entry = "{side}{copies} [{set}:0] {name}"
    """0 stands for the unknown number within the set; XMage finds the card by its name."""


class _Ydk(Notation):
    """#main, #extra and !side, each followed by a line with a passcode for every copy; people mix # and ! up."""

    name = _("YGOPro's and EDOPro's .ydk")
    main = ("main",)
    sections = (main, ("extra", "Extra deck"), ("side", "Side deck", "Sideboard"))
    always = ("main", "extra", "side")
    begin = ("#created by deckcheck",)

    def read(self, reader: LineReader, text: str, path: str) -> Iterator[Numbered]:  # noqa: ARG002 - as in Notation
        """The numbered lines; with a link in them, only that is read, and other lines are remarks or told."""
        default = zone = self.section_zone(reader.words, self.main[0])
        has_link = compiled(YDKE).search(text) is not None
        lines = text.split("\n")
        for number, line in enumerate(lines, 1):
            bare = clean(line).strip()
            if not bare:
                yield number, BLANK
            elif has_link:
                yield from ((number, read) for read in self._with_link(reader, line))
            elif bare.startswith(("#", "!")):
                is_above_card = compiled(PASSCODE).fullmatch("".join(lines[number : number + 1]).strip())
                read = self._marked(reader, line, bare, is_above_card=is_above_card is not None)
                if isinstance(read, Heading):
                    zone = read.zone if read.is_known else default
                yield number, read
            elif len(line) > LONGEST_LINE:
                yield number, told(line, Why.TOO_LONG, LONGEST_LINE + 1)
            elif compiled(PASSCODE).fullmatch(bare) is None:
                yield number, told(line, _NO_PASSCODE, _column(line, bare))
            else:
                yield number, CardLine((self._item(reader, bare, 1, _column(line, bare), zone),))

    def _marked(self, reader: LineReader, line: str, bare: str, *, is_above_card: bool) -> Line:
        """A line that begins with `#` or `!`: a section, a header or a comment."""
        words, section = reader.words, compiled(_SECTION).fullmatch(bare[:LONGEST_LINE])
        if section is not None:
            return self.section(words, section["title"], _column(line, section["title"]))
        word = compiled(_WORD).fullmatch(bare[:LONGEST_LINE])
        written = "" if word is None else word["word"]
        folded = words.fold(written)
        if folded in words.zones:
            return Heading(written, words.zones[folded], None, True, _column(line, written))
        is_own_word = folded in words.labels or bool(reader.find(written))
        is_other = (
            is_above_card and not is_own_word and compiled(_OTHER_SECTION).fullmatch(bare[:LONGEST_LINE])
        )
        if bare.startswith("!") or is_other:
            return told(line, _NO_SECTION, _column(line, bare), may_head=True)
        return header_line(line) or Comment(bare)

    def _item(self, reader: LineReader, code: str, copies: int, column: int, zone: str | None) -> Item:
        """The card of a passcode. Leading zeros are ignored, and a card's name of digits is no passcode."""
        bare = code.lstrip("0") or "0"
        for spelling in dict.fromkeys((code, bare, bare.zfill(_DIGITS))):
            named = reader.find(spelling)
            cards = tuple(card for card in named if int(code) in map(int, self._codes(card)))
            if cards:
                return item_of(reader.words, code, cards, copies, column, zone)
        return item_of(reader.words, code, (), copies, column, zone)

    def _with_link(self, reader: LineReader, line: str) -> Iterator[Line]:
        """The cards of the links on a line; what stands around them is told if it may be about cards."""
        for link in compiled(YDKE).finditer(line):
            column = link.start() + 1
            for section, part in zip(self.always, link["parts"].split("!"), strict=False):
                zone, codes = self.section_zone(reader.words, section), _codes_in(part)
                if codes is None:
                    yield told(line[:LONGEST_LINE], _("this ydke:// link is damaged"), column)
                    return
                items = (self._item(reader, code, number, column, zone) for code, number in codes.items())
                yield CardLine(tuple(items))
        rest = compiled(YDKE).sub(" ", line)
        row = reader.row(rest[:LONGEST_LINE])
        if row.names or row.numbers or row.problem or reader.words.says_out(row.shape):
            yield told(rest, Why.NOT_READ)

    def _codes(self, card: Card) -> list[str]:
        return [alias for alias in card.aliases if compiled(PASSCODE).fullmatch(alias)]

    def section_lines(self, section: str) -> Sequence[str]:
        return ["!side" if section == "side" else f"#{section}"]

    def _line(self, listing: Listing, section: str, row: Row) -> str:  # noqa: ARG002 - as in Notation
        codes = self._codes(row.card) if row.card is not None else []
        if row.card is None and compiled(PASSCODE).fullmatch(row.name):
            # An unknown card that was read as a passcode is written as one.
            codes = [row.name]
        if not codes:
            message = _(
                "the number (passcode) of {row!r} isn't known, so {name} can't hold it",
                row=row.name,
                name=self.name,
            )
            raise user_error(message)
        return "\n".join(codes[:1] * row.copies)


def _column(line: str, part: str) -> int:
    return max(line.find(part), 0) + 1


def _codes_in(part: str) -> Counter[str] | None:
    """The passcodes in a part of a link, four bytes each with the lowest first; None if it is damaged."""
    try:
        data = base64.b64decode(part, validate=True)
    except (binascii.Error, ValueError):
        return None
    if len(data) % 4 or len(data) > 4 * _MOST_IN_LINK:
        return None
    return Counter(str(int.from_bytes(data[index : index + 4], "little")) for index in range(0, len(data), 4))


NOTATIONS: Mapping[str, Notation] = {
    "mtgo": _MagicOnline(),
    "arena": _Arena(),
    "moxfield": _Moxfield(),
    "forge": _Forge(),
    "xmage": _XMage(),
    "ydk": _Ydk(),
}
