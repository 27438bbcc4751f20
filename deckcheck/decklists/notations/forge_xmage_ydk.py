"""Text files with distinctive sections and cards: Forge's .dck, XMage's .dck, YGOPro's .ydk and ydke:// links."""

from __future__ import annotations

import base64
import binascii
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from deckcheck.decklists.decoding import clean, compiled
from deckcheck.decklists.header import header_line
from deckcheck.decklists.lines import (
    BLANK,
    LONGEST_LINE,
    NOT_READ,
    TOO_LONG,
    CardLine,
    Comment,
    Line,
    Numbered,
    told,
)
from deckcheck.decklists.notations.arena_moxfield_mtgo import PlainLines
from deckcheck.decklists.notations.registry import PASSCODE, SIDE, YDKE, Listing, Notation, Row
from deckcheck.decklists.rows import LineReader, item_of
from deckcheck.model.card import Card
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

_SECTION = r"(?i)[#!][ \t]*+(?P<title>main|extra|side)(?:[ \t]*+deck)?+[ \t]*+:?+"
_MOST_IN_LINK = 5000


def _codes_in(part: str) -> list[str] | None:
    """The passcodes in a part of a link, four bytes each with the lowest first; None if it is damaged."""
    try:
        data = base64.b64decode(part, validate=True)
    except (binascii.Error, ValueError):
        return None
    if len(data) % 4 or len(data) > 4 * _MOST_IN_LINK:
        return None
    return [str(int.from_bytes(data[index : index + 4], "little")) for index in range(0, len(data), 4)]


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
    link = ("main", "extra", "side")
    """The parts of a `ydke://` link, in their order."""

    def read(self, reader: LineReader, text: str, path: str) -> Iterator[Numbered]:  # noqa: ARG002 - as in Notation
        """The numbered lines; with a link in them, only that is read, and other lines are remarks or told."""
        self_zone = zone = self.section_zone(reader.words, self.main[0])
        has_link = compiled(YDKE).search(text) is not None
        for number, line in enumerate(text.split("\n"), 1):
            bare = clean(line).strip()
            section = compiled(_SECTION).fullmatch(bare) if len(line) <= LONGEST_LINE else None
            if not bare:
                yield number, BLANK
            elif has_link:
                yield from ((number, read) for read in self._with_link(reader, line))
            elif section is not None:
                heading = self.section(
                    reader.words, section["title"].strip(), line.index(section["title"]) + 1
                )
                zone = heading.zone if heading.is_known else self_zone
                yield number, heading
            elif bare.startswith("#"):
                yield number, header_line(line) or Comment(bare)
            elif len(line) > LONGEST_LINE:
                yield number, told(line, TOO_LONG, LONGEST_LINE + 1)
            else:
                yield number, self._card(reader, line, bare, zone)

    def _card(self, reader: LineReader, line: str, code: str, zone: str | None) -> Line:
        column = max(line.find(code), 0) + 1
        if compiled(PASSCODE).fullmatch(code) is None:
            # A section that nobody knows may hold cards that aren't in the deck.
            is_section = code.startswith("!")
            return told(line, _("this is no card's number (passcode)"), column, may_head=is_section)
        return CardLine((item_of(reader.words, code, self._cards_of(reader, code), 1, column, zone),))

    def _cards_of(self, reader: LineReader, code: str) -> tuple[Card, ...]:
        """The cards of a passcode. Leading zeros are ignored, and a card's name of digits is no passcode."""
        spellings = dict.fromkeys((code, code.lstrip("0"), code.zfill(self._DIGITS)))
        for spelling in spellings:
            cards = [card for card in reader.find(spelling) if int(code) in map(int, self._codes(card))]
            if cards:
                return tuple(cards)
        return ()

    def _with_link(self, reader: LineReader, line: str) -> Iterator[Line]:
        """The cards of the links on a line; what stands around them is told if it may be about cards."""
        rest = compiled(YDKE).sub(" ", line)
        for link in compiled(YDKE).finditer(line):
            for section, part in zip(self.link, link["parts"].split("!"), strict=False):
                zone = self.section_zone(reader.words, section)
                codes = _codes_in(part)
                if codes is None:
                    yield told(line[:LONGEST_LINE], _("this ydke:// link is damaged"), link.start() + 1)
                    return
                copies = Counter(codes)
                column = link.start() + 1
                yield CardLine(
                    tuple(
                        item_of(reader.words, code, self._cards_of(reader, code), number, column, zone)
                        for code, number in copies.items()
                    )
                )
        row = reader.row(rest[:LONGEST_LINE])
        if row.names or row.numbers or row.problem or reader.words.says_out(row.shape):
            yield told(rest, NOT_READ)

    _DIGITS = 8

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


NOTATIONS: Mapping[str, Notation] = {"forge": _Forge(), "xmage": _XMage(), "ydk": _Ydk()}
