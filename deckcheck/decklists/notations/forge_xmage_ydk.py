"""Text files with distinctive sections and cards: Forge's .dck, XMage's .dck and YGOPro's .ydk."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from deckcheck.decklists.classify import LineReader
from deckcheck.decklists.lexer import compiled
from deckcheck.decklists.line import BLANK, COMMENT, LONGEST_LINE, NOT_READ, TOO_LONG, Line, invalid
from deckcheck.decklists.notations.common import (
    SIDE,
    Listing,
    Names,
    Notation,
    Numbered,
    Row,
    counted_entry,
    deck_name,
    side_of,
)
from deckcheck.decklists.notations.registry import BEFORE_XMAGE_CARD, PASSCODE
from deckcheck.model.card import Card
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

# Patterns are possessive wherever possible, to avoid backtracking over long runs of blanks.
_NEVER = "(?!)"
_FOIL = "+"


class _ByPatterns(Notation):
    """Read by patterns: sections (`title`), fields (`key`, up to the value), cards (`n`, `name`, `side`)."""

    section_pattern = _NEVER
    fields = _NEVER
    metadata: Names = ()
    """The sections that hold only fields; if empty, fields may appear anywhere."""
    skipped: Names = ()
    """The beginnings of lines that are ignored."""
    comments: Names = ("#", "//")
    cards = _NEVER

    def read(self, reader: LineReader, text: str, path: str) -> Iterator[Numbered]:  # noqa: ARG002 - as in Notation
        zone = self.section_zone(reader.words, self.main[0])
        in_metadata = False
        section_at, field_at = compiled(self.section_pattern).fullmatch, compiled(self.fields).match
        for number, line in enumerate(text.split("\n"), 1):
            bare = line.strip()
            short = len(line) <= LONGEST_LINE
            begun = section_at(bare) if short else None
            field = field_at(line) if in_metadata or not self.metadata else None
            if not bare or bare.startswith(self.skipped):
                read = BLANK
            elif begun is not None and (title := begun["title"].strip()):
                in_metadata = title.casefold() in self.metadata
                read = BLANK
                if not in_metadata:
                    read = self.section(reader.words, title, line.index(title) + 1)
                    zone = read.zone if read.known else None
            elif bare.startswith(self.comments):
                read = reader.classify(line)
                read = read if read.kind == "header" else COMMENT
            elif field is not None:
                is_name = short and field["key"].strip().casefold() == "name"
                read = (deck_name(line, field.end()) if is_name else None) or COMMENT
            elif not short:
                read = invalid(line, TOO_LONG, LONGEST_LINE + 1)
            elif in_metadata:
                # It isn't a field; after a malformed section line it may well be a card.
                read = invalid(line, NOT_READ, line.index(bare) + 1)
            else:
                read = self.card(reader, line, zone)
            yield number, read

    def card(self, reader: LineReader, line: str, zone: str | None) -> Line:
        """The entry of a count and a name; a foil mark or a leading number may belong to the name."""
        match = compiled(self.cards).match(line)
        name = match["name"].rstrip() if match is not None else ""
        if match is None or not name:
            return invalid(line, NOT_READ, len(line) - len(line.lstrip()) + 1)
        if match.groupdict().get("side"):
            zone = side_of(reader.words)
        digits, column, cards = match["n"] or "1", match.start("name") + 1, reader.parser.name(name)
        if not cards and name.endswith(_FOIL) and len(name) > 1:
            name = name[:-1].rstrip()
            cards = reader.parser.name(name)
        if not cards and match["n"]:
            # The number may begin the card's name.
            whole = line[match.start("n") : column - 1 + len(name)]
            cards = reader.parser.name(whole)
            if cards:
                name, digits, column = whole, "1", match.start("n") + 1
        return counted_entry(reader, name, digits, column, zone, raw=line, cards=cards)


class _Forge(_ByPatterns):
    """[metadata], [Main], [Sideboard] and other sections of `4 Name|SET|1`."""

    name = _("Forge's .dck")
    sections = (
        _ByPatterns.main,
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
    section_pattern = r"\[(?P<title>[^\[\]|:]+)\]"
    fields = r"(?P<key>[^=]*+)="
    metadata = ("metadata", "general")
    cards = r"[ \t]*+(?:(?P<n>[0-9]++)[ \t]++)?+(?P<name>[^|]*+)"
    begin = ("[metadata]",)
    title = "Name={}"
    heading = "[{}]"
    never = _ByPatterns.never + "|"


class _XMage(_ByPatterns):
    """`4 [SET:123] Name`, with `SB:` before cards of the sideboard."""

    name = _("XMage's .dck")
    fields = r"\s*+(?P<key>NAME|AUTHOR):"
    skipped = ("LAYOUT ",)
    cards = (
        BEFORE_XMAGE_CARD + r"(?P<n>[0-9]++)[ \t]*+(?:\[[^\[\]:\s]*+:[^\[\]:\s]*+\])?+[ \t]*+(?P<name>.*+)"
    )
    title = "NAME:{}"

    _SET = r"[A-Z0-9]{2,6}"
    _NO_SET = "XXX"

    def line(self, listing: Listing, word: str, row: Row) -> str:  # noqa: ARG002 - as in Notation
        """Writes 0 for the unknown number within the set; XMage finds the card by its name."""
        mark = "SB: " if word == SIDE[0] else ""
        sets = [printing.set for printing in row.card.printings] if row.card is not None else []
        known = next((code for code in reversed(sets) if re.fullmatch(self._SET, code)), self._NO_SET)
        return f"{mark}{row.copies} [{known}:0] {self.spell(row.name)}"


class _Ydk(_ByPatterns):
    """#main, #extra and !side, each followed by a line with a passcode for every copy; people mix # and ! up."""

    name = _("YGOPro's and EDOPro's .ydk")
    main = ("main",)
    sections = (main, ("extra", "Extra deck"), ("side", "Side deck", "Sideboard"))
    always = ("main", "extra", "side")
    section_pattern = r"(?i)[#!][ \t]*+(?P<title>main|extra|side)(?:[ \t]*+deck)?+[ \t]*+:?+"
    comments = ("#",)
    begin = ("#created by deckcheck",)

    _DIGITS = 8

    def card(self, reader: LineReader, line: str, zone: str | None) -> Line:
        code = line.strip()
        column = line.index(code) + 1
        if compiled(PASSCODE).fullmatch(code) is None:
            return invalid(line, _("this is no card's number (passcode)"), column)
        # Leading zeros are ignored, and a card's name of digits is no passcode.
        spellings = dict.fromkeys((code, code.lstrip("0"), code.zfill(self._DIGITS)))
        matches = (
            tuple(card for card in reader.parser.name(spelling) if int(code) in map(int, self._codes(card)))
            for spelling in spellings
        )
        return counted_entry(reader, code, "1", column, zone, cards=next(filter(None, matches), ()))

    def _codes(self, card: Card) -> list[str]:
        return [alias for alias in card.aliases if compiled(PASSCODE).fullmatch(alias)]

    def section_lines(self, word: str) -> Sequence[str]:
        return ["!side" if word == "side" else f"#{word}"]

    def line(self, listing: Listing, word: str, row: Row) -> str:  # noqa: ARG002 - as in Notation
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
