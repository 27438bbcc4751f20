"""Decks as copies of names in zones: taken from a list, judged, and written as that list: edited in their own lines if possible, else rewritten."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from io import StringIO

from deckcheck.checking.judge import LoadedFormat, check, read_deck
from deckcheck.decklists.lines import CardLine, Heading, Line, Taken
from deckcheck.decklists.notations.common import Listing, Row
from deckcheck.decklists.notations.registry import NAMES
from deckcheck.decklists.notations.registry import notation as notation_named
from deckcheck.decklists.read import AS_TEXT, make_reader
from deckcheck.decklists.source import clean_line
from deckcheck.decklists.vocabulary import Vocabulary
from deckcheck.model.card import card_named, name_beside
from deckcheck.model.deck import Deck, Entry
from deckcheck.model.finding import Report
from deckcheck.rewriting.conversion import UNREAD, write_for
from deckcheck.rewriting.formatter import changed_card, read_otherwise
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import Words, _

Copies = Mapping[str, Mapping[str, int]]
"""The copies of each name, by zone."""

_DELIMITERS = {"csv": ",", "tsv": "\t"}
_ROW = re.compile(r"(\s*)[0-9]+(\s*[xX×]\s*|\s+)")


def copies_of(deck: Deck) -> dict[str, dict[str, int]]:
    """The copies of the known cards in a deck."""
    by_zone: dict[str, dict[str, int]] = {}
    for entry in deck.entries:
        if entry.card is not None and entry.copies:
            held = by_zone.setdefault(entry.zone, {})
            held[entry.card.name] = held.get(entry.card.name, 0) + entry.copies
    return by_zone


def judged(copies: Copies, format: LoadedFormat, as_of: str, best_of: int | None = None) -> Report:
    """The evaluator's report on the copies on an ISO date, in a match of `best_of` games."""
    return check(Deck.of(copies), format, as_of=as_of, best_of=best_of)


def names_in_language_of(deck: Deck, format: LoadedFormat) -> Callable[[str], str]:
    """A function from the name of a card to its name in the language of a list."""
    written = next((entry.written for entry in deck.entries), "")
    catalog = format.game_data.catalog

    def spelt(name: str) -> str:
        beside = name_beside(catalog, name, written)
        return beside if isinstance(beside, str) else beside.ja

    return spelt


def with_copies(format: LoadedFormat, text: str, deck: Deck, wanted: Copies, lang: str) -> str:
    """The list `text` of a deck with these copies, and with its comments, header and notation if these can stay.

    Raises UserError if no list is read as these copies.
    """
    is_text = deck.notation in AS_TEXT
    wanted = {zone: held for zone, held in wanted.items() if any(held.values())}
    target = check(Deck.of(wanted), format).deck
    reason: Words = _("unknown cards")
    for attempt in (_edited, _anew) if is_text else (_edited, _in_notation, _anew):
        try:
            written = attempt(format, text, deck, wanted, lang)
            notation = None if is_text or attempt is _anew else deck.notation
            read = read_deck(format, written, deck.path if attempt is _edited else "-", notation)
        except UserError as error:
            reason = error.problems[0].message
            continue
        unread = [item.message for item in read.diagnostics if item.id in UNREAD]
        changed = changed_card(target, read)
        if changed is not None:
            reason = read_otherwise(changed)
        elif unread:
            reason = unread[0]
        elif is_text or attempt is not _edited or read.header == deck.header:
            return written
    raise user_error(
        _("the changed list can't be written so that it reads as the same deck: {reason}", reason=reason),
        path=deck.path,
    )


class _Edit:
    """The lines of a list with changed numbers, without those of removed cards; `new` are cards without a line.

    `read` is what lines of text were read as. `last` is the last line of each zone with cards, and `old` a line of
    each card.
    """

    def __init__(self, text: str, deck: Deck, wanted: Copies, read: Mapping[int, Line]) -> None:
        self._lines: list[str | None] = [*text.split("\n")]
        self._read = read
        self.last: dict[str, int] = {}
        self.old = {entry.card: deck.lines[entry.line - 1] for entry in deck.entries}
        self.new = {zone: dict(held) for zone, held in wanted.items()}
        of_card: dict[tuple[str, str], list[Entry]] = {}
        for entry in deck.entries:
            self.last[entry.zone] = entry.line
            if entry.card is not None:
                of_card.setdefault((entry.zone, entry.card.name), []).append(entry)
            else:
                self._lines[entry.line - 1] = None
        for (zone, name), entries in of_card.items():
            number = self.new.get(zone, {}).pop(name, 0)
            for index, entry in enumerate(entries):
                # The remaining copies go to the last line of the card.
                share = number if index == len(entries) - 1 else min(number, entry.copies)
                number -= share
                if not share:
                    self._lines[entry.line - 1] = None
                elif share != entry.copies:
                    line = self._lines[entry.line - 1] or ""
                    self._lines[entry.line - 1] = _renumbered(line, entry, share, read.get(entry.line))

    @property
    def end(self) -> int:
        """The number of the last line that isn't empty."""
        return len("\n".join(line or "" for line in self._lines).rstrip().split("\n"))

    def drop_empty_sections(self, behind: Mapping[int, Sequence[str]]) -> None:
        """Remove headings whose cards are all removed, with the empty lines below; `behind` are new rows by line."""
        last = len(self._lines)
        headings = [
            number - 1 for number in range(1, last + 1) if isinstance(self._read.get(number), Heading)
        ]
        for index, end in zip(headings, [*headings[1:], last], strict=False):
            rest = self._lines[index + 1 : end]
            gone, is_bare = None in rest, not any(rest)
            if gone and is_bare and not any(behind.get(number + 1) for number in range(index, end)):
                self._lines[index:end] = [None] * (end - index)

    def with_rows(self, behind: Mapping[int, Sequence[str]]) -> str:
        """The text with new rows after lines, by their numbers."""
        written: list[str] = []
        for number, line in enumerate(self._lines, 1):
            written += [] if line is None else [line]
            written += behind.get(number, ())
        return "\n".join(written)


def _edited(format: LoadedFormat, text: str, deck: Deck, wanted: Copies, lang: str) -> str:
    """The list with changed numbers, without lines of removed cards, and with lines of new cards.

    Raises UserError if there is no place for new cards.
    """
    data, read = format.game_data, dict[int, Line]()
    if deck.notation in AS_TEXT:
        outline = make_reader(data.game, data.catalog).outline(text, deck.path, deck.notation)
        read = dict(outline.lines)
    edit = _Edit(text, deck, wanted, read)
    behind: dict[int, list[str]] = {}
    for zone, held in edit.new.items():
        held = {name: number for name, number in held.items() if number}
        if held:
            rows = _new_rows(format, deck, edit, zone, held, lang)
            behind.setdefault(edit.last.get(zone, edit.end), []).extend(rows)
    edit.drop_empty_sections(behind)
    written = edit.with_rows(behind)
    # No JSON string has a line break.
    return re.sub(r",([ \t]*\n\s*[\]}])", r"\1", written) if deck.notation == "json" else written


def _new_rows(
    format: LoadedFormat, deck: Deck, edit: _Edit, zone: str, held: Mapping[str, int], lang: str
) -> Sequence[str]:
    """The lines of new cards in a zone, in the form of the other lines. Raises UserError if there is no place."""
    last = edit.last.get(zone)
    if deck.notation in _DELIMITERS:
        return _table_rows(format, deck, zone, held, _DELIMITERS[deck.notation])
    if deck.notation in AS_TEXT:
        if "|" in deck.lines[(last or 1) - 1]:
            return _table_rows(format, deck, zone, held, "|")
        (before, between), spelt = _form_of_rows(deck), names_in_language_of(deck, format)
        rows = [f"{before}{number}{between}{spelt(name)}" for name, number in held.items()]
        return rows if last is not None else ["", format.format.zones[zone].in_(lang), *rows]
    if deck.notation not in NAMES or last is None:
        raise user_error(_("there is no place for new cards"))
    notation, listing = notation_named(deck.notation), _listing(format, deck, {zone: held})
    [word] = (word for word, rows in notation.section_rows(listing).items() if rows)
    return [
        notation.again(notation.line(listing, word, row), edit.old.get(row.card, ""))
        for row in listing.zones[zone]
    ]


def _table_rows(
    format: LoadedFormat, deck: Deck, zone: str, held: Mapping[str, int], delimiter: str
) -> list[str]:
    """The table rows of new cards: like the last row of the zone, with other cells empty."""
    spelt, words = names_in_language_of(deck, format), Vocabulary(format.game_data.game)
    last = next((entry for entry in reversed(deck.entries) if entry.zone == zone), None)
    if last is None:
        raise user_error(_("there is no place for new cards"))
    [cells] = csv.reader([deck.lines[last.line - 1]], delimiter=delimiter)
    page = StringIO()
    writer = csv.writer(page, delimiter=delimiter, lineterminator="\n")
    for name, number in held.items():
        row, digits = list[str](), str(last.copies)
        for cell in cells:
            bare = cell.strip()
            if digits and bare == digits:
                row.append(cell.replace(digits, str(number)))
                digits = ""
            elif bare == last.written:
                row.append(cell.replace(bare, spelt(name)))
            else:
                row.append(
                    cell
                    if words.zones.get(words.fold(bare)) == zone
                    else " " * (delimiter == "|" and cell != "")
                )
        writer.writerow(row)
    return page.getvalue().removesuffix("\n").split("\n")


def _renumbered(line: str, entry: Entry, copies: int, read: Line | None) -> str:
    """A line with another number, or one line per copy if it has only the card; `read` is what it was read as."""
    if line.strip() == entry.written:
        return "\n".join([line] * copies)
    start, name = 0, range(entry.column - 1, entry.column - 1 + len(entry.written))
    if isinstance(read, CardLine) and clean_line(line)[0] == line:
        counts = [part.start for part in read.stretches if part.taken is Taken.COUNT]
        start = counts[0] if len(counts) == 1 else 0
    for number in re.compile("[0-9]+").finditer(line, start):
        if int(number[0]) == entry.copies and number.start() not in name:
            return line[: number.start()] + str(copies) + line[number.end() :]
    return f"{line[: name.start]}{copies} x {line[name.start :]}"


def _form_of_rows(deck: Deck) -> tuple[str, str]:
    """What most lines have before the number and between number and name, of those that have nothing else."""
    befores = [deck.lines[entry.line - 1][: entry.column - 1] for entry in deck.entries]
    forms = Counter(match.groups() for match in map(_ROW.fullmatch, befores) if match)
    before, between = max(forms, key=forms.__getitem__) if forms else ("", " x ")
    return before, between


def _in_notation(format: LoadedFormat, _text: str, deck: Deck, wanted: Copies, _lang: str) -> str:
    """The list rewritten in its own notation."""
    header = {key: " ".join(value.split()) for key, value in deck.header.items()}
    return write_for(format.format, _listing(format, deck, wanted), header, deck.notation)


def _listing(format: LoadedFormat, deck: Deck, wanted: Copies) -> Listing:
    data, spelt = format.game_data, names_in_language_of(deck, format)
    rows = {
        zone: tuple(
            Row(spelt(name), number, card)
            for name, number in held.items()
            if (card := card_named(data.catalog, name))
        )
        for zone, held in wanted.items()
    }
    names = {zone.id: zone.name for zone in data.game.zones.values()}
    title = " ".join(deck.header.get("deck", "").split())
    return Listing(title, rows, Vocabulary(data.game), names, data.catalog.find)


def _anew(format: LoadedFormat, _text: str, deck: Deck, wanted: Copies, lang: str) -> str:
    """A plain list with the header of this one."""
    spelt = names_in_language_of(deck, format)
    lines = [f"# {key}: {' '.join(value.split())}" for key, value in deck.header.items()]
    for zone, names in wanted.items():
        if any(names.values()):
            lines += [""] if lines else []
            lines.append(format.format.zones[zone].in_(lang))
            lines += [f"{number} x {spelt(name)}" for name, number in names.items() if number]
    return "\n".join(lines) + "\n"
