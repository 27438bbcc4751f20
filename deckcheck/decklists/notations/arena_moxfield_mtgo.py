"""Plain lines under headings: Magic Online's text, Magic Arena's and Moxfield's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from deckcheck.decklists.classify import LineReader
from deckcheck.decklists.context import SILENT, resolve
from deckcheck.decklists.lexer import compiled
from deckcheck.decklists.line import BLANK, COMMENT, FINAL_KINDS, LONGEST_LINE, TOO_LONG, Line, invalid
from deckcheck.decklists.notations.common import (
    SIDE,
    Listing,
    Notation,
    Numbered,
    Row,
    counted_entry,
    deck_name,
    section_line,
    side_of,
    zone_of,
)
from deckcheck.decklists.simple_lists import refuse_changes, with_list_zones
from deckcheck.decklists.vocabulary import sort_of
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

_COUNT = r"[ \t]*+(?P<mark>SB:[ \t]*+)?+(?P<n>[0-9]{1,4}+)x?+[ \t]++"
# A set, a number, foil marks and tags, each possessive, so that matching takes linear time.
_SUFFIX = (
    r"(?<=\S)[ \t]++\((?P<set>[A-Za-z0-9_]{2,8}+)\)(?:[ \t]++[^\s()*#]{1,12}+)?+"
    r"(?:[ \t]++\*[A-Za-z]\*)*+(?:[ \t]++#.*+)?+[ \t]*+$"
)
_MOST_REMEMBERED = 1 << 16
_LONGEST_REMEMBERED = 160
_ABOUT, _NAME = "About", "Name "


class _PlainLines(Notation):
    """Lines of a count and a name, perhaps with a set and a number; other lines are read as plain text."""

    between = "\n\n"
    gap_begins_side = True

    def read(self, reader: LineReader, text: str, path: str) -> Sequence[Numbered]:  # noqa: ARG002 - as in Notation
        source = text.split("\n")
        lines = [_about(source, at) or _classify_cached(reader, line) for at, line in enumerate(source)]
        if not FINAL_KINDS.issuperset(line.kind for line in lines):
            first = next((line.kind for line in lines if line.kind not in SILENT), None)
            lines = resolve(reader, source, lines)
            if first == "bare":
                # Another card's name may be the deck's.
                from deckcheck.decklists.layouts import with_style

                lines = with_style(reader, source, lines)
        if any(raw.startswith("+") for raw in source):
            lines = refuse_changes(source, lines)
        lines = with_list_zones(reader.words, lines)
        return list(enumerate(_with_side(reader, lines) if self.gap_begins_side else lines, 1))


class _MagicOnline(_PlainLines):
    """The main deck, an empty line and the sideboard, without headings."""

    name = _("Magic Online's text")
    one_slash = True

    def section_rows(self, listing: Listing) -> dict[str, Sequence[Row]]:
        rows = super().section_rows(listing)
        if rows[SIDE[0]] and not rows[self.main[0]]:
            raise user_error(_("{name} can't hold a sideboard without a main deck", name=self.name))
        return rows


class _Arena(_PlainLines):
    """`4 Name (SET) 123` under Deck, Sideboard, Commander and Companion."""

    name = _("Magic Arena's text")
    main = ("Deck", "Main")
    companion = ("Companion",)
    sections = (("Commander",), companion, main, SIDE)
    title = f"{_ABOUT}\n{_NAME}{{}}"
    heading = "{}"

    def read(self, reader: LineReader, text: str, path: str) -> Sequence[Numbered]:
        """The numbered lines; a companion that is also listed in the sideboard counts once."""
        numbered = super().read(reader, text, path)
        words = reader.words
        companion, side = zone_of(words, self.companion), zone_of(words, SIDE)
        if companion is None or side is None:
            return numbered
        zone = words.default
        cards: list[tuple[str, Numbered]] = []
        counted_already: dict[object, int] = {}
        for number, line in numbered:
            zone = (line.zone or zone) if line.kind == "heading" else zone
            where = line.zone or zone if line.kind == "entry" and line.cards else ""
            if where == companion:
                counted_already[line.cards] = counted_already.get(line.cards, 0) + line.copies
            cards.append((where, (number, line)))
        without_companion: list[Numbered] = []
        for where, (number, line) in cards:
            if where == side and (taken := min(counted_already.get(line.cards, 0), line.copies)):
                counted_already[line.cards] -= taken
                copies = line.copies - taken
                line = line._replace(copies=copies, most=copies) if copies else COMMENT
            without_companion.append((number, line))
        return without_companion

    def section_rows(self, listing: Listing) -> dict[str, Sequence[Row]]:
        """The rows by section; Arena lists a companion's copies in the sideboard again."""
        rows = super().section_rows(listing)
        twice = {row.name: row.copies for row in rows[self.companion[0]]}
        rows[SIDE[0]] = [row._replace(copies=row.copies + twice.get(row.name, 0)) for row in rows[SIDE[0]]]
        return rows


class _Moxfield(_PlainLines):
    """`1 Name (SET) 123 *F*`, with headings such as `SIDEBOARD:` for all but the main deck."""

    name = _("Moxfield's text")
    main = ("Main", "Mainboard", "Deck")
    sections = (main, ("Commander",), ("Companion",), SIDE)
    gap_begins_side = False

    def section_lines(self, word: str) -> Sequence[str]:
        return () if word == self.main[0] else [f"{word.upper()}:"]


NOTATIONS: Mapping[str, Notation] = {"mtgo": _MagicOnline(), "arena": _Arena(), "moxfield": _Moxfield()}


def _about(source: Sequence[str], at: int) -> Line | None:
    """Arena's two lines for the deck's name: a blank line and a header; None for other lines."""
    line = source[at]
    bare = line.strip()
    if bare == _ABOUT:
        return BLANK
    if not at or source[at - 1].strip() != _ABOUT or not bare.startswith(_NAME):
        return None
    if len(line) > LONGEST_LINE:
        return invalid(line, TOO_LONG, LONGEST_LINE + 1)
    return deck_name(line, line.index(_NAME) + len(_NAME))


def _classify_cached(reader: LineReader, line: str) -> Line:
    memory = reader.memory
    classified = memory.get(line)
    if classified is None:
        classified = _exact(reader, line) or reader.classify(line)
        if len(line) <= _LONGEST_REMEMBERED:
            if len(memory) >= _MOST_REMEMBERED:
                memory.clear()
            memory[line] = classified
    return classified


def _exact(reader: LineReader, line: str) -> Line | None:
    """The entry of a count and an exact name, perhaps with set, number and marks; None for other lines."""
    match = compiled(_COUNT).match(line) if len(line) <= LONGEST_LINE else None
    if match is None:
        return None
    start = match.end()
    name = line[start:].rstrip()
    if not reader.parser.name(name):
        suffix = compiled(_SUFFIX).search(line, start + 1)
        if suffix is None:
            return None
        name = line[start : suffix.start()]
        if "|" in name or "#" in name or not reader.parser.name(name):
            return None
        if sort_of(reader.words, suffix["set"]) is not None:
            return None
    zone = side_of(reader.words) if match["mark"] else None
    return counted_entry(reader, name, match["n"], start + 1, zone, raw=line)


def _with_side(reader: LineReader, lines: list[Line]) -> list[Line]:
    """The lines with the first empty one between cards as the heading of the side.

    If a heading or mark names a zone, empty lines mean nothing.
    """
    cards = [at for at, line in enumerate(lines) if line.kind in ("entry", "several")]
    unnamed = {None, *reader.words.aside}
    named = any(
        line.kind == "heading" or (line.kind == "entry" and line.zone not in unnamed) for line in lines
    )
    if not cards or named:
        return lines
    gap = next((at for at in range(cards[0], cards[-1]) if lines[at].kind == "blank"), None)
    if gap is None:
        return lines
    zone = zone_of(reader.words, SIDE)
    return [*lines[:gap], section_line("" if zone else SIDE[0], 1, zone), *lines[gap + 1 :]]
