"""YGOPro's .ydk: #main, #extra and !side, and below each a card's passcode a line and a copy."""

from __future__ import annotations

from deckcheck.decklists.lines import Lines
from deckcheck.decklists.notations.common import (
    Listing,
    Names,
    Numbered,
    Row,
    entry_of_cards,
    placed,
    section,
    source_of,
)
from deckcheck.decklists.seen import BLANK, COMMENT, Seen, invalid
from deckcheck.decklists.shapes import compiled
from deckcheck.model.card import Card
from deckcheck.support.errors import user_error
from deckcheck.support.messages import Localized, _

NAME = Localized(".ydk", ".ydk")
MAIN = ("main",)
OTHERS: tuple[Names, ...] = (("extra", "Extra deck"), ("side", "Side deck", "Sideboard"))
_MARKS = {"main": "#main", "extra": "#extra", "side": "!side"}
_MAIN = r"(?m)^#main[ \t]*+$"
_CODE = r"[0-9]{1,10}"
_DIGITS = 8
_NO_CODE = _("this is no card's number (passcode)")


def detects(text: str, *, expected: bool) -> bool:  # noqa: ARG001 - see Notation
    """Whether there is a #main, and nothing but numbers below the marks."""
    if "#main" not in text or compiled(_MAIN).search(text) is None:
        return False
    rows = [line.strip() for line in text.split("\n")]
    said = [row for row in rows if row and row[0] not in "#!"]
    return bool(said) and all(compiled(_CODE).fullmatch(row) for row in said)


def seen_in(lines: Lines, text: str, path: str) -> list[Numbered]:
    """See Notation."""
    zone: str | None = lines.words.default
    found: list[Numbered] = []
    for number, line in enumerate(source_of(text, path), 1):
        bare = line.strip()
        begun = _section(lines, line) if bare[:1] in ("#", "!") else None
        if not bare:
            seen = BLANK
        elif begun is not None:
            seen = begun
            zone = begun.zone if begun.known else None
        elif bare[0] == "#":
            seen = lines.classify(line)
            seen = seen if seen.kind == "header" else COMMENT
        else:
            seen = _card(lines, line, zone)
        found.append((number, seen))
    return found


def _section(lines: Lines, line: str) -> Seen | None:
    bare = line.strip()
    mark = next((mark for mark in _MARKS.values() if bare.casefold() == mark), None)
    if mark is None:
        return None
    name = mark[1:]
    called = next((one for one in OTHERS if one[0] == name), ())
    return section(lines.words, name, line.index(bare) + 2, called or MAIN, main=not called)


def _card(lines: Lines, line: str, zone: str | None) -> Seen:
    code = line.strip()
    column = line.index(code) + 1
    if compiled(_CODE).fullmatch(code) is None:
        return invalid(line, _NO_CODE, column)
    return entry_of_cards(lines.words, code, _called(lines, code), 1, column, zone)


def _called(lines: Lines, code: str) -> tuple[Card, ...]:
    """The cards of a passcode; zeros before it never count, and a card's name of digits is no passcode."""
    for spelt in dict.fromkeys((code, code.lstrip("0"), code.zfill(_DIGITS))):
        cards = tuple(card for card in lines.reader.name(spelt) if int(code) in map(int, _codes(card)))
        if cards:
            return cards
    return ()


def _codes(card: Card) -> list[str]:
    return [alias for alias in card.aliases if compiled(_CODE).fullmatch(alias)]


def written(listing: Listing) -> str:
    """See Notation."""
    parts = ["#created by deckcheck\n"]
    for word, rows in placed(listing, NAME, MAIN, OTHERS):
        parts.append(f"{_MARKS[word]}\n")
        parts += [f"{_code(row)}\n" * row.copies for row in rows]
    return "".join(parts)


def _code(row: Row) -> str:
    codes = _codes(row.card) if row.card is not None else []
    if codes:
        return codes[0]
    if row.card is None and compiled(_CODE).fullmatch(row.name):
        # It came as a number, and goes as one.
        return row.name
    raise user_error(
        _("the number (passcode) of {row!r} isn't known, so {name} can't hold it", row=row.name, name=NAME)
    )
