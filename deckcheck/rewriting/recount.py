"""Lists with other copies: on their own lines where that can be, else written anew."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from deckcheck.checking.judge import LoadedFormat, read_deck
from deckcheck.decklists.decode import encoding_of
from deckcheck.decklists.notations.common import Listing, Row
from deckcheck.decklists.notations.registry import NAMES
from deckcheck.decklists.notations.registry import notation as notation_named
from deckcheck.decklists.read import AS_TEXT, make_reader
from deckcheck.decklists.vocabulary import Vocabulary
from deckcheck.model.deck import Deck, Entry
from deckcheck.rewriting.conversion import write_for
from deckcheck.rewriting.trailing_comments import remainder
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import _

_ROW = re.compile(r"(\s*)[0-9]+(\s*[xX×]\s*|\s+)")
Copies = Mapping[str, Mapping[str, int]]
"""By zone, the copies of each name."""


def copies_of(deck: Deck) -> dict[str, dict[str, int]]:
    """The copies of the known cards of a deck."""
    found: dict[str, dict[str, int]] = {}
    for entry in deck.entries:
        if entry.card is not None and entry.copies:
            held = found.setdefault(entry.zone, {})
            held[entry.card.name] = held.get(entry.card.name, 0) + entry.copies
    return found


def with_copies(format: LoadedFormat, text: str, deck: Deck, wanted: Copies, lang: str) -> str:
    """The list `text` of a deck with these copies, and with its comments, header and notation where they can stay.

    Raises UserError if no list reads back so.
    """
    attempts: list[Callable[[LoadedFormat, str, Deck, Copies, str], str]]
    attempts = [_edited] if deck.notation in AS_TEXT else [_edited_in_notation, _in_notation]
    target = {zone: dict(held) for zone, held in wanted.items() if any(held.values())}
    for attempt in (*attempts, _anew):
        try:
            written = attempt(format, text, deck, target, lang)
            notation = deck.notation if attempt in (_edited_in_notation, _in_notation) else None
            read = read_deck(format, written, deck.path if attempt is _edited else "-", notation)
        except UserError:
            continue
        doubts = any(item.id in ("invalid-line", "unknown-zone") for item in read.diagnostics)
        doubts |= attempt is _edited_in_notation and read.header != deck.header
        if copies_of(read) == target and not doubts and all(entry.card for entry in read.entries):
            return written
    raise _unwritable(deck)


def _unwritable(deck: Deck) -> UserError:
    return user_error(
        _("the changed list can't be written so that it reads as the same deck"), path=deck.path
    )


def encoded(text: str, old: bytes, path: str) -> bytes:
    """A list in the encoding and with the line endings of the file that it replaces.

    Raises UserError for a character that the encoding doesn't have.
    """
    mark, encoding = encoding_of(old)
    first, _feed, _rest = old[len(mark) :].decode(encoding).partition("\n")
    if first.endswith("\r"):
        text = text.replace("\n", "\r\n")
    try:
        return mark + text.removeprefix("\ufeff").encode(encoding)
    except UnicodeEncodeError as error:
        char = error.object[error.start]
        message = _("its encoding ({encoding}) has no {char!r}", encoding=encoding, char=char)
        raise user_error(message, path=path) from error


class _Edit:
    """The lines of a list with other numbers, without those of cards that go; `new` are cards that have no line.

    `renumbered` gives a line of an entry with other copies. `last` is the last line of each zone with cards.
    """

    def __init__(
        self, text: str, deck: Deck, wanted: Copies, renumbered: Callable[[str, Entry, int], str]
    ) -> None:
        self._lines: list[str | None] = [*text.split("\n")]
        self.last: dict[str, int] = {}
        self.new = {zone: dict(held) for zone, held in wanted.items()}
        of_card: dict[tuple[str, str], list[Entry]] = {}
        for entry in deck.entries:
            self.last[entry.zone] = entry.line
            if entry.card is not None:
                of_card.setdefault((entry.zone, entry.card.name), []).append(entry)
        for (zone, name), entries in of_card.items():
            number = self.new.get(zone, {}).pop(name, 0)
            for at, entry in enumerate(entries):
                # What is left goes to the last line of the card.
                share = number if at == len(entries) - 1 else min(number, entry.copies)
                number -= share
                if not share:
                    self._lines[entry.line - 1] = None
                elif share != entry.copies:
                    line = self._lines[entry.line - 1] or ""
                    self._lines[entry.line - 1] = renumbered(line, entry, share)

    @property
    def end(self) -> int:
        """The number of the last line that isn't empty."""
        return len("\n".join(line or "" for line in self._lines).rstrip().split("\n"))

    def with_rows(self, behind: Mapping[int, Sequence[str]]) -> str:
        """The text with more rows behind lines, by their numbers."""
        written: list[str] = []
        for number, line in enumerate(self._lines, 1):
            written += [] if line is None else [line]
            written += behind.get(number, ())
        return "\n".join(written)


def _edited(format: LoadedFormat, text: str, deck: Deck, wanted: Copies, lang: str) -> str:
    """The list of plain lines with other numbers, without lines of cards that go, and with lines of new cards."""
    data = format.game_data
    reader = make_reader(data.game, data.catalog)

    def renumbered(line: str, entry: Entry, copies: int) -> str:
        item = reader.classify(line)
        place = remainder(reader.line_reader, line, [item]).digits[0] if item.kind == "entry" else None
        name = entry.column - 1
        if place is None:
            return f"{line[:name]}{copies} x {line[name:]}"
        return line[: place[0]] + str(copies) + line[place[1] :]

    edit = _Edit(text, deck, wanted, renumbered)
    behind: dict[int, list[str]] = {}
    row = _form_of_rows(deck)
    for zone, held in edit.new.items():
        rows = [f"{row[0]}{number}{row[1]}{name}" for name, number in held.items() if number]
        if rows and zone not in edit.last:
            rows = ["", format.format.zones[zone].in_(lang), *rows]
        behind.setdefault(edit.last.get(zone, edit.end), []).extend(rows)
    return edit.with_rows(behind)


def _edited_in_notation(format: LoadedFormat, text: str, deck: Deck, wanted: Copies, _lang: str) -> str:
    """The same for other notations. Raises UserError unless each line shows its number, and new cards have a place."""
    edit = _Edit(text, deck, wanted, _renumbered)
    new = {zone: held for zone, held in edit.new.items() if held}
    behind: dict[int, list[str]] = {}
    if new and deck.notation not in NAMES:
        raise _unwritable(deck)
    if new:
        notation, listing = notation_named(deck.notation), _listing(format, deck, new)
        sections = notation.section_rows(listing)
        for zone, rows in listing.zones.items():
            if zone not in edit.last:
                raise _unwritable(deck)
            [word] = (word for word, held in sections.items() if held is rows)
            behind.setdefault(edit.last[zone], []).extend(notation.line(listing, word, row) for row in rows)
    return edit.with_rows(behind)


def _renumbered(line: str, entry: Entry, copies: int) -> str:
    """A line with another number, or as many lines as copies where it is nothing but the card."""
    if line.strip() == entry.written:
        return "\n".join([line] * copies)
    name = range(entry.column - 1, entry.column - 1 + len(entry.written))
    for number in re.finditer("[0-9]+", line):
        if int(number[0]) == entry.copies and number.start() not in name:
            return line[: number.start()] + str(copies) + line[number.end() :]
    return line


def _form_of_rows(deck: Deck) -> tuple[str, str]:
    """What most lines have before the number and between it and the name, where they have just that."""
    befores = [deck.lines[entry.line - 1][: entry.column - 1] for entry in deck.entries]
    found = Counter(match.groups() for match in map(_ROW.fullmatch, befores) if match)
    before, between = max(found, key=found.__getitem__) if found else ("", " x ")
    return before, between


def _in_notation(format: LoadedFormat, _text: str, deck: Deck, wanted: Copies, _lang: str) -> str:
    """The list written anew in the notation that it has."""
    header = {key: " ".join(value.split()) for key, value in deck.header.items()}
    return write_for(format.format, _listing(format, deck, wanted), header, deck.notation)


def _listing(format: LoadedFormat, deck: Deck, wanted: Copies) -> Listing:
    data = format.game_data
    find = data.catalog.find
    rows = {
        zone: tuple(
            Row(name, number, next(card for card in find(name) if card.name == name))
            for name, number in held.items()
        )
        for zone, held in wanted.items()
    }
    names = {zone.id: zone.name for zone in data.game.zones.values()}
    title = " ".join(deck.header.get("deck", "").split())
    return Listing(title, rows, Vocabulary(data.game), names, find)


def _anew(format: LoadedFormat, _text: str, deck: Deck, wanted: Copies, lang: str) -> str:
    """A plain list with the header of this one."""
    lines = [f"# {key}: {' '.join(value.split())}" for key, value in deck.header.items()]
    for zone, held in wanted.items():
        lines += [*([""] if lines else []), format.format.zones[zone].in_(lang)]
        lines += [f"{number} x {name}" for name, number in held.items() if number]
    return "\n".join(lines) + "\n"
