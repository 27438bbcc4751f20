"""The notations of other tools: what each one's sections and lines are like, writing them, and detecting them."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, cast

from msgspec import Struct

from deckcheck.decklists.decoding import compiled
from deckcheck.decklists.lines import Heading, Numbered
from deckcheck.decklists.vocabulary import Vocabulary
from deckcheck.model.card import Card
from deckcheck.support.errors import user_error
from deckcheck.support.messages import Localized, Words, _

if TYPE_CHECKING:
    from deckcheck.decklists.line_reader import LineReader

_MODULES = {
    "mtgo": "text_notations",
    "dek": "xml_notations",
    "arena": "text_notations",
    "moxfield": "text_notations",
    "cockatrice": "xml_notations",
    "forge": "text_notations",
    "xmage": "text_notations",
    "ydk": "text_notations",
}
NAMES = tuple(_MODULES)


def notation(name: str) -> "Notation":
    """The notation of a name in NAMES."""
    module = import_module(f"deckcheck.decklists.notations.{_MODULES[name]}")
    return cast("Notation", module.NOTATIONS[name])


Names = tuple[str, ...]
"""The names of a section in a notation; the first is used for writing."""

SIDE: Names = ("Sideboard", "Side")


class Row(Struct, frozen=True):
    """A card to be written; `card` is None if the name is unknown or ambiguous."""

    name: str
    copies: int
    card: Card | None


class Listing(Struct, frozen=True):
    """A deck to be written: its rows by zone, in order.

    `names` are the display names of the zones, `lang` is the language of the list; `find` gives the cards of a name.
    """

    zones: Mapping[str, Sequence[Row]]
    words: Vocabulary
    names: Mapping[str, Words]
    find: Callable[[str], tuple[Card, ...]]
    lang: str


class Notation(ABC):
    """A notation of another tool: its sections and lines as data, and how to read it."""

    name: Words
    main: Names = ("Main", "Deck")
    """The names of the section for the game's default zone."""
    sections: tuple[Names, ...] = (main, SIDE)
    """All sections, in the order of writing."""
    always: Names = ()
    """The sections that are written even without cards."""
    begin: Sequence[str] = ()
    title = ""
    """The line with the deck's name; "" if the notation has none."""
    heading = ""
    entry = "{copies} {name}"
    """The line of a card; `in_side` says "true" or "false", `side` is "SB: " in the sideboard, `set` a set's code."""
    section_end: Sequence[str] = ()
    between = "\n"
    end = ""
    never = ""
    """Characters that no name may contain."""
    kept = ""
    """Matches what a card's line in another list keeps, where the entry has the same with 0."""
    one_slash = False
    """Whether one slash joins the halves of a name."""
    is_markup = False
    """Whether it is XML."""

    @abstractmethod
    def read(self, reader: "LineReader", text: str, path: str) -> Iterable[Numbered]:
        """The numbered lines of a text. Raises UserError for malformed input."""

    def write(self, listing: Listing, title: str) -> str:
        """The text of a deck with that name. Raises UserError if the notation lacks a section or can't spell a name."""
        parts = [*self.begin]
        if title and self.title:
            parts.append(self.title.format(self.spell(title)))
        for section, rows in self.section_rows(listing).items():
            if rows or section in self.always:
                lines = (self._line(listing, section, row) for row in rows)
                parts.append("\n".join([*self.section_lines(section), *lines, *self.section_end]))
        return self.between.join(parts) + "\n" + self.end

    def section_rows(self, listing: Listing) -> dict[str, Sequence[Row]]:
        """The rows by section, in order. Raises UserError for a zone with cards but without a section."""
        rows_by_section: dict[str, Sequence[Row]] = {section[0]: () for section in self.sections}
        for zone, rows in listing.zones.items():
            section = self.section_of(listing.words, zone)
            if section is None:
                name = listing.names.get(zone, Localized(zone, zone))
                raise user_error(_("{notation} has no place for “{name}”", notation=self.name, name=name))
            rows_by_section[section] = rows
        return rows_by_section

    def section_of(self, words: Vocabulary, zone: str) -> str | None:
        """The section for a zone; None if the notation has none."""
        if zone == self.section_zone(words, self.main[0]):
            return self.main[0]
        return next((names[0] for names in self.sections if zone_of(words, names) == zone), None)

    def section_lines(self, section: str) -> Sequence[str]:
        """The lines that begin a section."""
        return [self.heading.format(section)] if self.heading else ()

    def line(self, listing: Listing, zone: str, row: Row, old: str) -> str:
        """The line of a card in a zone, with what its `old` line keeps."""
        line = self._line(listing, self.section_of(listing.words, zone) or self.main[0], row)
        kept = compiled(self.kept).search(old) if self.kept else None
        return line if kept is None else line.replace(re.sub("[0-9]+", "0", kept[0]), kept[0], 1)

    def _line(self, listing: Listing, section: str, row: Row) -> str:
        name, printings = row.name, row.card.printings if row.card is not None else ()
        short = name.replace(" // ", "/") if self.one_slash else name
        if listing.find(name) == listing.find(short):
            name = short
        sets = (printing.set for printing in reversed(printings))
        return self.entry.format(
            copies=row.copies,
            name=self.spell(name),
            in_side=str(section == SIDE[0]).lower(),
            side="SB: " if section == SIDE[0] else "",
            set=next((code for code in sets if compiled(_SET).fullmatch(code)), _NO_SET),
        )

    def spell(self, name: str) -> str:
        """A name as the notation writes it. Raises UserError if it can't be written."""
        if any(char in name for char in self.never):
            raise user_error(_("{notation} can't spell the name {name!r}", notation=self.name, name=name))
        if not self.is_markup:
            return name
        # A plain check needs none of this.
        from html import escape

        return escape(name)

    def section_zone(self, words: Vocabulary, title: str) -> str | None:
        """The game's zone for a section title; None if there is none."""
        folded = title.strip().casefold()
        section = next((names for names in self.sections if folded in map(str.casefold, names)), ())
        return zone_of(words, (*section, title)) or (words.default if section == self.main else None)

    def section(self, words: Vocabulary, title: str, column: int) -> Heading:
        """The heading of a section; an unknown zone keeps the written title."""
        zone = self.section_zone(words, title)
        return Heading(title, zone or title, None, zone is not None, column)


_SET, _NO_SET = r"[A-Z0-9]{2,6}", "XXX"


def zone_of(words: Vocabulary, section: Names) -> str | None:
    """The game's zone for any of the names of a section; None if there is none."""
    zones = (words.zones.get(words.fold(word)) for word in section)
    return next((zone for zone in zones if zone in words.zone_ids), None)


# Detecting a notation by its content doesn't load its module. Patterns are possessive, so that matching takes linear time.

_BY_ENDING = {"dek": ("dek",), "cod": ("cockatrice",), "dck": ("forge", "xmage"), "ydk": ("ydk",)}
_ROOTS = {"cockatrice": r"<cockatrice_deck", "dek": r"<Deck[\s/>]"}
"""The root elements of the notations that are XML."""
_XML = r"\s*+(?:<\?xml\b|<(?:cockatrice_deck|Deck)\b[^>]*+>\s*+(?:<!--[^>]*+>\s*+)*+<[A-Za-z/])"
_TREE = r"\s*+<[A-Za-z?!]"
_MOST_BEFORE_ROOT = 4096
_SECTION = r"(?im)^[ \t]*+(?:\[[a-z]++\]|[#!][ \t]*+(?:main|extra|side))[ \t]*+$"


def notation_of(words: Vocabulary, text: str, path: str) -> str | None:
    """The notation of a text by its content, with the ending of `path` as a hint; None if not in NAMES.

    A notation that resembles plain lists is only detected if the game names it.
    """
    by_ending = _BY_ENDING.get(path.rpartition(".")[2].lower(), ())
    named_xml = not set(by_ending).isdisjoint(_ROOTS)
    if text.lstrip()[:1] == "<" and compiled(_TREE if named_xml else _XML).match(text):
        # Other XML is refused when it is read.
        detected = (name for name in _ROOTS if detects(name, text))
        return next(detected, by_ending[0] if by_ending else "dek")
    for name in dict.fromkeys((*by_ending, *_DETECTORS)):
        if name not in _ROOTS and detects(name, text, expected=name in words.around.notations):
            return name
    return by_ending[0] if by_ending and not named_xml and compiled(_SECTION).search(text) else None


def detects(name: str, text: str, *, expected: bool = False) -> bool:
    """Whether the content is in that notation; weak signs count only if it is `expected`."""
    if name in _ROOTS:
        return compiled(_ROOTS[name]).search(text, 0, _MOST_BEFORE_ROOT) is not None
    return _DETECTORS[name](text, expected)


_LINE = r"[ \t]*+[0-9]{1,3} (?!x )[^\s][^\n]*+"
_GAP = r"(?:[ \t]*+\n)++"
# No line matches two of the parts.
_BLOCKS = rf"(?:[ \t]*+(?:(?:#|//)[^\n]*+)?+\n)*+((?:{_LINE}\n)++){_GAP}({_LINE}(?:\n{_LINE})*+)\s*+"
_COUNTS = r"(?m)^[ \t]*+([0-9]{1,3}) "


def _is_mtgo(text: str, expected: bool) -> bool:
    """Whether there are two blocks of plain lines, the smaller one below; only if `expected`."""
    # Most plain lists have a heading, and need no pattern.
    has_gap = "\n\n" in text or "\n " in text
    may_match = expected and has_gap and not any(line[:1].isalpha() for line in text.split("\n"))
    match = compiled(_BLOCKS).fullmatch(text) if may_match else None
    if match is None:
        return False
    main, side = (sum(map(int, compiled(_COUNTS).findall(block))) for block in match.groups())
    return main > side


# "4 x Name" is a plain list. Names with a parenthesis are rare enough to be left out.
_CODED = (
    r"(?m)^[ \t]*+(?:SB:[ \t]*+)?+[0-9]{1,4}+x?+[ \t]++(?!x )[^\n#|(]++(?<=[ \t])"
    r"\([A-Z0-9_]{2,8}\)[ \t]++[^\s()*#]{1,12}+(?!\S)"
)
_STATEMENT = r"(?m)^[ \t]*+(?:[^\s#/]|/(?!/))"


def _is_coded(text: str) -> bool:
    """Whether at least half of the lines that aren't comments are cards with a set and a number."""
    if ") " not in text:
        return False
    coded = len(compiled(_CODED).findall(text))
    return coded > 0 and 2 * coded >= len(compiled(_STATEMENT).findall(text))


_ABOUT = "About\nName "
_HEADS = "(?:Commander|Companion|Deck|Sideboard)"
_BEGIN = rf"\s*+{_ABOUT}\S[^\n]*+\n\s*+{_HEADS}[ \t]*+\n"
_HEAD = rf"(?m)^{_HEADS}[ \t]*+$"
_COMPANION = r"(?m)^Companion[ \t]*+$"
_CARD = r"[ \t]*+[0-9]{1,3} (?!x )\S[^\n]*+\n"
_NOTHING = r"(?:[ \t]*+(?:(?:#|//)[^\n]*+)?+\n)"
# Web sites export "for Arena" with headings, but only counts and names.
_BARE = rf"{_NOTHING}*+(?:{_HEADS}[ \t]*+\n(?:{_CARD})++{_NOTHING}*+){{2,5}}+"


def _is_arena(text: str, expected: bool) -> bool:
    """Whether it begins with Arena's lines for the name, or has headings and cards with set and number.

    If expected, a companion heading with plain lines below is enough.
    """
    if _ABOUT in text and compiled(_BEGIN).match(text) is not None:
        return True
    if (
        expected
        and "\n\n" in text
        and "Companion" in text
        and compiled(_COMPANION).search(text)
        and compiled(_BARE).fullmatch(text + "\n")
    ):
        return True
    return _is_coded(text) and (expected or compiled(_HEAD).search(text) is not None)


_MOXFIELD = r"(?m)\*[FE]\*|^(?:SIDEBOARD|COMMANDER|COMPANION|MAYBEBOARD|CONSIDERING|TOKENS)S?:[ \t]*+$"
_TAGGED = r"\)[ \t]++[^\s()]++[ \t]++#"


def _is_moxfield(text: str, expected: bool) -> bool:
    """Whether most lines have a set and a number, and there is a sign that only Moxfield writes."""
    signs = (_MOXFIELD, _TAGGED) if expected else (_MOXFIELD,)
    return _is_coded(text) and any(compiled(sign).search(text) for sign in signs)


_METADATA = r"(?im)^[ \t]*+\[metadata\][ \t]*+$"
_MAIN = r"(?im)^[ \t]*+\[main\][ \t]*+$"
_PIPED = r"(?m)^[ \t]*+[0-9]{1,3} [^\s|][^|\n]*+\|[A-Z0-9_]{2,8}+(?:\|[^|\s]++)*+[ \t]*+$"


def _is_forge(text: str, _expected: bool) -> bool:
    """Whether there is a [metadata] section, or a [Main] and cards with sets after bars."""
    if "[" not in text:
        return False
    return compiled(_METADATA).search(text) is not None or (
        compiled(_MAIN).search(text) is not None and compiled(_PIPED).search(text) is not None
    )


BEFORE_XMAGE_CARD = r"[ \t]*+(?P<side>SB:)?+[ \t]*+(?:NR:)?+[ \t]*+"
_XMAGE = rf"(?m)^{BEFORE_XMAGE_CARD}[0-9]{{1,3}}+[ \t]*+\[[A-Za-z0-9_]++:[^\[\]:\s]++\][ \t]*+\S"


def _is_xmage(text: str, _expected: bool) -> bool:
    """Whether a card follows its set and number in brackets."""
    return "[" in text and compiled(_XMAGE).search(text) is not None


PASSCODE = r"[0-9]{1,10}"
YDKE = r"ydke://(?P<parts>[A-Za-z0-9+/=]*+(?:![A-Za-z0-9+/=]*+){0,3})"
"""Matches a link that holds a deck."""
_YDK_MAIN = r"(?im)^#[ \t]*+main[ \t]*+$"


def _is_ydk(text: str, _expected: bool) -> bool:
    """Whether there is a link with a deck; or a #main, and all other lines but comments and sections are numbers."""
    if "ydke://" in text and compiled(YDKE).search(text) is not None:
        return True
    if "#main" not in text or compiled(_YDK_MAIN).search(text) is None:
        return False
    rows = [row for line in text.split("\n") if (row := line.strip()) and row[0] not in "#!"]
    return bool(rows) and all(compiled(PASSCODE).fullmatch(row) for row in rows)


_DETECTORS: Mapping[str, Callable[[str, bool], bool]] = {
    "forge": _is_forge,
    "xmage": _is_xmage,
    "ydk": _is_ydk,
    "moxfield": _is_moxfield,
    "arena": _is_arena,
    "mtgo": _is_mtgo,
}
