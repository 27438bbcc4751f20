"""Text files with marks of their own for sections and cards: Forge's .dck, XMage's .dck and YGOPro's .ydk."""

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
    counted,
    deck_name,
    side_of,
)
from deckcheck.model.card import Card
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

# All patterns are possessive where they can be: a line of blanks must not be tried in every way to share them out.
_NEVER = "(?!)"
_FOIL = "+"


class _Marked(Notation):
    """Read by patterns: sections (`title`), fields (`key`, ending where the value begins), cards (`n`, `name`, `side`)."""

    section_pattern = _NEVER
    fields = _NEVER
    metadata: Names = ()
    """The sections that hold nothing but fields; without them, fields may stand anywhere."""
    skipped: Names = ()
    """How lines begin that say nothing of the deck."""
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
                found = BLANK
            elif begun is not None and (title := begun["title"].strip()):
                in_metadata = title.casefold() in self.metadata
                found = BLANK
                if not in_metadata:
                    found = self.section(reader.words, title, line.index(title) + 1)
                    zone = found.zone if found.known else None
            elif bare.startswith(self.comments):
                found = reader.classify(line)
                found = found if found.kind == "header" else COMMENT
            elif field is not None:
                is_name = short and field["key"].strip().casefold() == "name"
                found = (deck_name(line, field.end()) if is_name else None) or COMMENT
            elif not short:
                found = invalid(line, TOO_LONG, LONGEST_LINE + 1)
            elif in_metadata:
                # No field; behind a section whose brackets are broken it may well be a card.
                found = invalid(line, NOT_READ, line.index(bare) + 1)
            else:
                found = self.card(reader, line, zone)
            yield number, found

    def card(self, reader: LineReader, line: str, zone: str | None) -> Line:
        """A line with a count and a name; a mark of foil, or a number at its head, may belong to the name."""
        found = compiled(self.cards).match(line)
        name = found["name"].rstrip() if found is not None else ""
        if found is None or not name:
            return invalid(line, NOT_READ, len(line) - len(line.lstrip()) + 1)
        if found.groupdict().get("side"):
            zone = side_of(reader.words)
        digits, column, cards = found["n"] or "1", found.start("name") + 1, reader.parser.name(name)
        if not cards and name.endswith(_FOIL) and len(name) > 1:
            name = name[:-1].rstrip()
            cards = reader.parser.name(name)
        if not cards and found["n"]:
            # A card whose name begins with a number has no count.
            whole = line[found.start("n") : column - 1 + len(name)]
            cards = reader.parser.name(whole)
            if cards:
                name, digits, column = whole, "1", found.start("n") + 1
        return counted(reader, name, digits, column, zone, raw=line, cards=cards)


class _Forge(_Marked):
    """[metadata], [Main], [Sideboard] and other sections of `4 Name|SET|1`."""

    name = _("Forge's .dck")
    sections = (
        _Marked.main,
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
    never = _Marked.never + "|"

    _OWN = r"(?im)^[ \t]*+\[metadata\][ \t]*+$"
    _MAIN = r"(?im)^[ \t]*+\[main\][ \t]*+$"
    _PIPED = r"(?m)^[ \t]*+[0-9]{1,3} [^\s|][^|\n]*+\|[A-Z0-9_]{2,8}+(?:\|[^|\s]++)*+[ \t]*+$"

    def detects(self, text: str, *, expected: bool) -> bool:  # noqa: ARG002 - it is known by its marks
        """Whether it says what it is, or has a [Main] with cards of sets behind bars."""
        if "[" not in text:
            return False
        return compiled(self._OWN).search(text) is not None or (
            compiled(self._MAIN).search(text) is not None and compiled(self._PIPED).search(text) is not None
        )


class _XMage(_Marked):
    """`4 [SET:123] Name`, with `SB:` before what is in the sideboard."""

    _BEFORE = r"[ \t]*+(?P<side>SB:)?+[ \t]*+(?:NR:)?+[ \t]*+"

    name = _("XMage's .dck")
    fields = r"\s*+(?P<key>NAME|AUTHOR):"
    skipped = ("LAYOUT ",)
    cards = _BEFORE + r"(?P<n>[0-9]++)[ \t]*+(?:\[[^\[\]:\s]*+:[^\[\]:\s]*+\])?+[ \t]*+(?P<name>.*+)"
    title = "NAME:{}"

    _OWN = rf"(?m)^{_BEFORE}[0-9]{{1,3}}+[ \t]*+\[[A-Za-z0-9_]++:[^\[\]:\s]++\][ \t]*+\S"
    _SET = r"[A-Z0-9]{2,6}"
    _NO_SET = "XXX"

    def detects(self, text: str, *, expected: bool) -> bool:  # noqa: ARG002 - it is known by its marks
        """Whether a card stands behind its set and number in brackets."""
        return "[" in text and compiled(self._OWN).search(text) is not None

    def line(self, listing: Listing, word: str, row: Row) -> str:  # noqa: ARG002 - as in Notation
        """The number within the set isn't known, so the name has to tell."""
        mark = "SB: " if word == SIDE[0] else ""
        sets = [printing.set for printing in row.card.printings] if row.card is not None else []
        known = next((code for code in reversed(sets) if re.fullmatch(self._SET, code)), self._NO_SET)
        return f"{mark}{row.copies} [{known}:0] {self.spelt(row.name)}"


class _Ydk(_Marked):
    """#main, #extra and !side, and below each a card's passcode a line and a copy."""

    name = _("YGOPro's and EDOPro's .ydk")
    main = ("main",)
    sections = (main, ("extra", "Extra deck"), ("side", "Side deck", "Sideboard"))
    always = ("main", "extra", "side")
    section_pattern = r"(?i)(?:#(?=[me])|!(?=s))(?P<title>main|extra|side)"
    comments = ("#",)
    begin = ("#created by deckcheck",)

    _MAIN = r"(?m)^#main[ \t]*+$"
    _CODE = r"[0-9]{1,10}"
    _DIGITS = 8

    def detects(self, text: str, *, expected: bool) -> bool:  # noqa: ARG002 - it is known by its marks
        """Whether there is a #main, and nothing but numbers below the marks."""
        if "#main" not in text or compiled(self._MAIN).search(text) is None:
            return False
        rows = [row for line in text.split("\n") if (row := line.strip()) and row[0] not in "#!"]
        return bool(rows) and all(compiled(self._CODE).fullmatch(row) for row in rows)

    def card(self, reader: LineReader, line: str, zone: str | None) -> Line:
        code = line.strip()
        column = line.index(code) + 1
        if compiled(self._CODE).fullmatch(code) is None:
            return invalid(line, _("this is no card's number (passcode)"), column)
        # Zeros before it never count, and a card's name of digits is no passcode.
        spellings = dict.fromkeys((code, code.lstrip("0"), code.zfill(self._DIGITS)))
        found = (
            tuple(card for card in reader.parser.name(spelling) if int(code) in map(int, self._codes(card)))
            for spelling in spellings
        )
        return counted(reader, code, "1", column, zone, cards=next(filter(None, found), ()))

    def _codes(self, card: Card) -> list[str]:
        return [alias for alias in card.aliases if compiled(self._CODE).fullmatch(alias)]

    def headed(self, word: str) -> Sequence[str]:
        return ["!side" if word == "side" else f"#{word}"]

    def line(self, listing: Listing, word: str, row: Row) -> str:  # noqa: ARG002 - as in Notation
        codes = self._codes(row.card) if row.card is not None else []
        if row.card is None and compiled(self._CODE).fullmatch(row.name):
            # It came as a number, and goes as one.
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
