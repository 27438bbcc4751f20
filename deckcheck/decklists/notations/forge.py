"""Forge's .dck: [metadata], [Main], [Sideboard] and other sections of `4 Name|SET|1`."""

from __future__ import annotations

from deckcheck.decklists.lines import Lines
from deckcheck.decklists.notations.common import (
    SIDE,
    Listing,
    Names,
    Numbered,
    counted,
    line_safe,
    main_of,
    placed,
    section,
    source_of,
)
from deckcheck.decklists.patterns import compiled
from deckcheck.decklists.seen import BLANK, COMMENT, LONGEST_LINE, NOT_READ, TOO_LONG, Seen, invalid
from deckcheck.text import Text

NAME = Text("Forgeの.dck", "Forge's .dck")
MAIN = ("Main", "Deck")
OTHERS: tuple[Names, ...] = (
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
_METADATA = ("metadata", "general")
_SECTION = r"[ \t]*\[[ \t]*(?P<name>[^\[\]|:]{1,40}?)[ \t]*\][ \t]*"
_CARD = r"[ \t]*(?:(?P<n>[0-9]+)[ \t]+)?(?P<name>[^\s|][^|]*?)(?P<foil>\+?)[ \t]*(?:\|.*)?"
_FIELD = r"[ \t]*(?P<key>[A-Za-z][A-Za-z _-]{0,30}?)[ \t]*=[ \t]*(?P<value>.*?)[ \t]*"
_OWN = r"(?im)^[ \t]*\[metadata\][ \t]*$"
_MAIN = r"(?im)^[ \t]*\[main\][ \t]*$"
_PIPED = r"(?m)^[ \t]*[0-9]{1,3} [^\s|][^|\n]*\|[A-Z0-9_]{2,8}(?:\|[^|\s]+)*[ \t]*$"


def detects(text: str) -> bool:
    """Whether it says what it is, or has a [Main] with cards of sets behind bars."""
    if "[" not in text:
        return False
    return compiled(_OWN).search(text) is not None or (
        compiled(_MAIN).search(text) is not None and compiled(_PIPED).search(text) is not None
    )


def seen_in(lines: Lines, text: str, path: str) -> list[Numbered]:
    """See Notation."""
    words = lines.words
    zone: str | None = main_of(words, MAIN)
    fields = False
    found: list[Numbered] = []
    for number, line in enumerate(source_of(text, path), 1):
        bare = line.strip()
        begun = compiled(_SECTION).fullmatch(line) if bare[:1] == "[" and len(line) <= LONGEST_LINE else None
        if not bare:
            seen = BLANK
        elif bare.startswith(("#", "//")):
            seen = lines.classify(line)
            seen = seen if seen.kind == "header" else COMMENT
        elif begun is not None:
            name = begun["name"]
            fields = name.casefold() in _METADATA
            seen = BLANK if fields else _section(lines, name, begun.start("name") + 1)
            zone = zone if fields else seen.zone if seen.known else None
        elif fields:
            seen = _field(line)
        else:
            seen = _card(lines, line, zone)
        found.append((number, seen))
    return found


def _section(lines: Lines, name: str, column: int) -> Seen:
    folded = name.casefold()
    called = next((one for one in (MAIN, *OTHERS) if folded in map(str.casefold, one)), ())
    return section(lines.words, name, column, called, main=called == MAIN)


def _field(line: str) -> Seen:
    found = compiled(_FIELD).fullmatch(line) if len(line) <= LONGEST_LINE else None
    if found is not None and found["key"].casefold() == "name" and found["value"]:
        return Seen("header", found["value"], column=found.start("value") + 1, key="deck")
    return COMMENT


def _card(lines: Lines, line: str, zone: str | None) -> Seen:
    if len(line) > LONGEST_LINE:
        return invalid(line, TOO_LONG, LONGEST_LINE + 1)
    found = compiled(_CARD).fullmatch(line)
    if found is None:
        return invalid(line, NOT_READ, len(line) - len(line.lstrip()) + 1)
    name, column = found["name"], found.start("name") + 1
    whole = f"{found['n']} {name}" if found["n"] else name
    if found["foil"] and lines.reader.name(name + "+"):
        name += "+"
    elif found["n"] and lines.reader.name(whole) and not lines.reader.name(name):
        # A card whose name begins with a number, and no count.
        return counted(lines, line[found.start("n") : found.end("name")], "1", found.start("n") + 1, zone)
    return counted(lines, name, found["n"] or "1", column, zone, raw=line)


def written(listing: Listing) -> str:
    """See Notation."""
    parts = ["[metadata]\n"]
    if listing.title:
        parts.append(f"Name={line_safe(NAME, listing.title)}\n")
    for word, rows in placed(listing, NAME, MAIN, OTHERS):
        if rows or word == MAIN[0]:
            parts.append(f"[{word}]\n")
        parts += [f"{row.copies} {line_safe(NAME, row.name, '|')}\n" for row in rows]
    return "".join(parts)
