"""Lines as people type them, under headings: Magic Online's text, Magic Arena's and Moxfield's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from deckcheck.decklists.classify import LineReader
from deckcheck.decklists.context import resolve
from deckcheck.decklists.lexer import compiled
from deckcheck.decklists.line import BLANK, CLEAR, COMMENT, LONGEST_LINE, TOO_LONG, Line, invalid
from deckcheck.decklists.notations.common import (
    SIDE,
    Listing,
    Notation,
    Numbered,
    Row,
    counted,
    deck_name,
    section_line,
    side_of,
    zone_of,
)
from deckcheck.decklists.plain import arranged
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

_COUNT = r"[ \t]*+(?P<mark>SB:[ \t]*+)?+(?P<n>[0-9]{1,4}+)x?+[ \t]++"
# A set, a number, marks of foil, tags: each is tried once, so no line takes longer than it is long.
_BEHIND = (
    r"(?<=\S)[ \t]++\([A-Za-z0-9_]{2,8}+\)(?:[ \t]++[^\s()*#]{1,12}+)?+"
    r"(?:[ \t]++\*[A-Za-z]\*)*+(?:[ \t]++#.*+)?+[ \t]*+$"
)
# "4 x Name" is what people type. Few names hold a parenthesis, and few are enough.
_CODED = (
    r"(?m)^[ \t]*+(?:SB:[ \t]*+)?+[0-9]{1,4}+x?+[ \t]++(?!x )[^\n#|(]++(?<=[ \t])"
    r"\([A-Z0-9_]{2,8}\)[ \t]++[^\s()*#]{1,12}+(?!\S)"
)
_STATEMENT = r"(?m)^[ \t]*+(?:[^\s#/]|/(?!/))"
_MOST_REMEMBERED = 1 << 16
_LONGEST_REMEMBERED = 160
_ABOUT, _NAME = "About", "Name "


def is_coded(text: str) -> bool:
    """Whether at least half of the lines that aren't comments are cards with a set and a number."""
    if ")" not in text:
        return False
    coded = len(compiled(_CODED).findall(text))
    return coded > 0 and 2 * coded >= len(compiled(_STATEMENT).findall(text))


class _Typed(Notation):
    """Lines of a count and a name, perhaps with a set and a number; other lines are read as in any text."""

    between = "\n\n"
    gap_begins_side = True

    def read(self, reader: LineReader, text: str, path: str) -> Sequence[Numbered]:  # noqa: ARG002 - as in Notation
        source = text.split("\n")
        lines = [_about(source, at) or _remembered(reader, line) for at, line in enumerate(source)]
        if not CLEAR.issuperset(line.kind for line in lines):
            lines = resolve(reader, source, lines)
        lines = arranged(reader.words, lines)
        return list(enumerate(_with_side(reader, lines) if self.gap_begins_side else lines, 1))


class _MagicOnline(_Typed):
    """The main deck, an empty line, the sideboard. Nothing says which is which."""

    name = _("Magic Online's text")
    one_slash = True

    _LINE = r"[ \t]*+[0-9]{1,3} (?!x )[^\s][^\n]*+"
    _GAP = r"(?:[ \t]*+\n)++"
    # Each part takes all that it can, and no line can be two of them.
    _BLOCKS = (
        rf"(?:[ \t]*+(?:(?:#|//)[^\n]*+)?+\n)*+((?:{_LINE}\n)++){_GAP}"
        rf"({_LINE}(?:\n{_LINE})*+)\s*+"
    )
    _COUNTS = r"(?m)^[ \t]*+([0-9]{1,3}) "

    def detects(self, text: str, *, expected: bool) -> bool:
        """Whether there are two blocks of bare lines, the smaller one below; elsewhere that says nothing."""
        found = compiled(self._BLOCKS).fullmatch(text) if expected else None
        if found is None:
            return False
        main, side = (sum(map(int, compiled(self._COUNTS).findall(block))) for block in found.groups())
        return main > side

    def placed(self, listing: Listing) -> dict[str, Sequence[Row]]:
        found = super().placed(listing)
        if found[SIDE[0]] and not found[self.main[0]]:
            raise user_error(_("{name} can't hold a sideboard without a main deck", name=self.name))
        return found


class _Arena(_Typed):
    """`4 Name (SET) 123` under Deck, Sideboard, Commander and Companion."""

    name = _("Magic Arena's text")
    main = ("Deck", "Main")
    companion = ("Companion",)
    sections = (("Commander",), companion, main, SIDE)
    title = f"{_ABOUT}\n{_NAME}{{}}"
    heading = "{}"

    _HEADS = "(?:Commander|Companion|Deck|Sideboard)"
    _BEGIN = rf"\s*+{_ABOUT}\nName \S[^\n]*+\n\s*+{_HEADS}[ \t]*+\n"
    _HEAD = rf"(?m)^{_HEADS}[ \t]*+$"
    _COMPANION = r"(?m)^Companion[ \t]*+$"
    _CARD = r"[ \t]*+[0-9]{1,3} (?!x )\S[^\n]*+\n"
    _NOTHING = r"(?:[ \t]*+(?:(?:#|//)[^\n]*+)?+\n)"
    # What sites give out "for Arena": its headings, and nothing but counts and names below.
    _BARE = rf"{_NOTHING}*+(?:{_HEADS}[ \t]*+\n(?:{_CARD})++{_NOTHING}*+){{2,5}}+"

    def detects(self, text: str, *, expected: bool) -> bool:
        """Whether it begins with a name as Arena writes it, or has cards with set and number under its headings.

        Where such lists are expected, a companion under its heading and bare names are enough.
        """
        if compiled(self._BEGIN).match(text) is not None:
            return True
        if (
            expected
            and compiled(self._COMPANION).search(text)
            and compiled(self._BARE).fullmatch(text + "\n")
        ):
            return True
        return (expected or compiled(self._HEAD).search(text) is not None) and is_coded(text)

    def read(self, reader: LineReader, text: str, path: str) -> Sequence[Numbered]:
        """A companion that is listed in the sideboard, too, is one card."""
        found = super().read(reader, text, path)
        words = reader.words
        companion, side = zone_of(words, self.companion), zone_of(words, SIDE)
        if companion is None or side is None:
            return found
        zone = words.default
        cards: list[tuple[str, Numbered]] = []
        left: dict[object, int] = {}
        for number, line in found:
            zone = (line.zone or zone) if line.kind == "heading" else zone
            where = line.zone or zone if line.kind == "entry" and line.cards else ""
            if where == companion:
                left[line.cards] = left.get(line.cards, 0) + line.copies
            cards.append((where, (number, line)))
        less: list[Numbered] = []
        for where, (number, line) in cards:
            if where == side and (taken := min(left.get(line.cards, 0), line.copies)):
                left[line.cards] -= taken
                copies = line.copies - taken
                line = line._replace(copies=copies, most=copies) if copies else COMMENT
            less.append((number, line))
        return less

    def placed(self, listing: Listing) -> dict[str, Sequence[Row]]:
        """A companion with copies in the sideboard counts there as well."""
        found = super().placed(listing)
        twice = {row.name: row.copies for row in found[self.companion[0]]}
        found[SIDE[0]] = [row._replace(copies=row.copies + twice.get(row.name, 0)) for row in found[SIDE[0]]]
        return found


class _Moxfield(_Typed):
    """`1 Name (SET) 123 *F*`, with `SIDEBOARD:` and the like above what isn't the main deck."""

    name = _("Moxfield's text")
    main = ("Main", "Mainboard", "Deck")
    sections = (main, ("Commander",), ("Companion",), SIDE)
    gap_begins_side = False

    _SIGN = r"(?m)\*[FE]\*|^(?:SIDEBOARD|COMMANDER|COMPANION|MAYBEBOARD|CONSIDERING|TOKENS)S?:[ \t]*+$"
    _TAGGED = r"\)[ \t]++[^\s()]++[ \t]++#"

    def detects(self, text: str, *, expected: bool) -> bool:
        """Whether most lines carry a set and a number, and something that only Moxfield writes."""
        signs = (self._SIGN, self._TAGGED) if expected else (self._SIGN,)
        return is_coded(text) and any(compiled(sign).search(text) for sign in signs)

    def headed(self, word: str) -> Sequence[str]:
        return () if word == self.main[0] else [f"{word.upper()}:"]


NOTATIONS: Mapping[str, Notation] = {"mtgo": _MagicOnline(), "arena": _Arena(), "moxfield": _Moxfield()}


def _about(source: Sequence[str], at: int) -> Line | None:
    """What a line says of the whole deck, as Arena writes it; None for others."""
    line = source[at]
    bare = line.strip()
    if bare == _ABOUT:
        return BLANK
    if not at or source[at - 1].strip() != _ABOUT or not bare.startswith(_NAME):
        return None
    if len(line) > LONGEST_LINE:
        return invalid(line, TOO_LONG, LONGEST_LINE + 1)
    return deck_name(line, line.index(_NAME) + len(_NAME))


def _remembered(reader: LineReader, line: str) -> Line:
    memory = reader.memory
    found = memory.get(line)
    if found is None:
        found = _exact(reader, line) or reader.classify(line)
        if len(line) <= _LONGEST_REMEMBERED:
            if len(memory) >= _MOST_REMEMBERED:
                memory.clear()
            memory[line] = found
    return found


def _exact(reader: LineReader, line: str) -> Line | None:
    """A line of a count and a card's exact name, with a set, a number and marks behind it or not; None for others."""
    found = compiled(_COUNT).match(line) if len(line) <= LONGEST_LINE else None
    if found is None:
        return None
    start = found.end()
    name = line[start:].rstrip()
    if not reader.parser.name(name):
        behind = compiled(_BEHIND).search(line, start + 1)
        if behind is None:
            return None
        name = line[start : behind.start()]
        if "|" in name or "#" in name or not reader.parser.name(name):
            return None
    zone = side_of(reader.words) if found["mark"] else None
    return counted(reader, name, found["n"], start + 1, zone, raw=line)


def _with_side(reader: LineReader, lines: list[Line]) -> list[Line]:
    """The same lines, with the first empty one behind a card as the heading of the side.

    Where a heading or a mark names a zone, empty lines mean nothing.
    """
    cards = [at for at, line in enumerate(lines) if line.kind in ("entry", "several")]
    named = any(line.kind == "heading" or (line.kind == "entry" and line.zone is not None) for line in lines)
    if not cards or named:
        return lines
    gap = next((at for at in range(cards[0], cards[-1]) if lines[at].kind == "blank"), None)
    if gap is None:
        return lines
    zone = zone_of(reader.words, SIDE)
    return [*lines[:gap], section_line("" if zone else SIDE[0], 1, zone), *lines[gap + 1 :]]
