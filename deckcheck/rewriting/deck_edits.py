"""Decks as copies of names in zones: taken from a list, judged, and written as that list: edited in its own lines if possible, else rewritten."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from io import StringIO

from msgspec.structs import replace

from deckcheck.checking.judge import LoadedFormat, check, read_deck
from deckcheck.decklists.decoding import clean_line
from deckcheck.decklists.lines import CardLine, Heading, Line, Taken
from deckcheck.decklists.notations.registry import NAMES, Row
from deckcheck.decklists.notations.registry import notation as notation_named
from deckcheck.decklists.read import AS_TEXT
from deckcheck.model.card import name_beside
from deckcheck.model.deck import Deck, Entry
from deckcheck.model.finding import Report
from deckcheck.rewriting.conversion import CANONICAL, UNREAD, listing_of, write
from deckcheck.rewriting.fmt_and_fix import changed_card, read_otherwise
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


def with_copies(format: LoadedFormat, text: str, deck: Deck, wanted: Copies) -> str:
    """The list `text` of a deck with these copies, and with its comments, header and notation if these can stay.

    Raises UserError if no list is read as these copies.
    """
    target = check(Deck.of(wanted), format).deck
    editor = _Editor(format, text, deck, target)
    reason: Words = _("unknown cards")
    for to in dict.fromkeys((None, CANONICAL if deck.notation in AS_TEXT else deck.notation, CANONICAL)):
        try:
            written = editor.edited() if to is None else editor.rewritten(to)
            is_text = to == CANONICAL or deck.notation in AS_TEXT
            path, notation = (deck.path if to is None else "-"), (None if is_text else deck.notation)
            read = read_deck(format, written, path, notation)
        except UserError as error:
            reason = error.problems[0].message
            continue
        unread = [item.message for item in read.diagnostics if item.id in UNREAD]
        changed = changed_card(target, read)
        if changed is not None:
            reason = read_otherwise(changed)
        elif unread:
            reason = unread[0]
        elif is_text or to is not None or read.header == deck.header:
            return written
    raise user_error(
        _("the changed list can't be written so that it reads as the same deck: {reason}", reason=reason),
        path=deck.path,
    )


class _Editor:
    """Writes a list with the copies of another deck."""

    def __init__(self, format: LoadedFormat, text: str, deck: Deck, target: Deck) -> None:
        self._format, self._text, self._deck = format, text, deck
        self._spelt = names_in_language_of(deck, format)
        self._words = format.game_data.read.words
        self._listing = listing_of(
            replace(target, lines=deck.lines), format.game_data, format, spelt=self._spelt
        )
        self._last = {entry.zone: entry for entry in deck.entries}
        """The last entry of each zone."""

    def rewritten(self, to: str) -> str:
        """The list written anew in that notation. Raises UserError if that can't represent it."""
        header = {key: " ".join(value.split()) for key, value in self._deck.header.items()}
        return write(self._listing, header, to, self._format.format)

    def edited(self) -> str:
        """The list with changed numbers, without lines of removed cards, and with lines of new cards.

        Raises UserError if there is no place for new cards.
        """
        deck, read = self._deck, dict[int, Line]()
        if deck.notation in AS_TEXT:
            read = dict(self._format.game_data.read.outline(self._text, deck.path, deck.notation).lines)
        lines: list[str | None] = [*self._text.split("\n")]
        new = self._with_numbers(lines, read)
        end = len("\n".join(line or "" for line in lines).rstrip().split("\n"))
        behind: dict[int, list[str]] = {}
        for zone, rows in new.items():
            place = self._last[zone].line if zone in self._last else end
            behind.setdefault(place, []).extend(self._new_lines(zone, rows))
        _drop_empty_sections(lines, read, behind)
        edited: list[str] = []
        for number, line in enumerate(lines, 1):
            edited += [*([] if line is None else [line]), *behind.get(number, ())]
        written = "\n".join(edited)
        # No JSON string has a line break.
        return re.sub(r",([ \t]*\n\s*[\]}])", r"\1", written) if deck.notation == "json" else written

    def _with_numbers(self, lines: list[str | None], read: Mapping[int, Line]) -> dict[str, list[Row]]:
        """Change the numbers in `lines`, None for removed ones; returns the rows of cards without a line, by zone."""
        of_card: dict[tuple[str, str], list[Entry]] = {}
        for entry in self._deck.entries:
            if entry.card is not None:
                of_card.setdefault((entry.zone, entry.card.name), []).append(entry)
            else:
                lines[entry.line - 1] = None
        new: dict[str, list[Row]] = {}
        numbers: dict[tuple[str, str], int] = {}
        for zone, rows in self._listing.zones.items():
            for row in rows:
                key = zone, row.card.name if row.card else row.name
                numbers[key] = row.copies
                if key not in of_card:
                    new.setdefault(zone, []).append(row)
        for key, entries in of_card.items():
            number = numbers.get(key, 0)
            for entry in entries:
                # The remaining copies go to the last line of the card.
                share = number if entry is entries[-1] else min(number, entry.copies)
                number -= share
                if not share:
                    lines[entry.line - 1] = None
                elif share != entry.copies:
                    line = lines[entry.line - 1] or ""
                    lines[entry.line - 1] = _renumbered(line, entry, share, read.get(entry.line))
        return new

    def _new_lines(self, zone: str, rows: Sequence[Row]) -> Sequence[str]:
        """The lines of new cards in a zone, in the form of the other lines. Raises UserError if there is no place."""
        deck, last = self._deck, self._last.get(zone)
        if deck.notation in AS_TEXT and "|" not in deck.lines[last.line - 1 if last else 0]:
            before, between = _form_of_rows(deck)
            lines = [f"{before}{row.copies}{between}{row.name}" for row in rows]
            return lines if last else ["", self._listing.names[zone].in_(self._listing.lang), *lines]
        if last is None or deck.notation not in (*AS_TEXT, *_DELIMITERS, *NAMES):
            raise user_error(_("there is no place for new cards"))
        if deck.notation not in NAMES:
            return self._table_rows(last, rows, _DELIMITERS.get(deck.notation, "|"))
        old = {entry.card: deck.lines[entry.line - 1] for entry in deck.entries}
        notation = notation_named(deck.notation)
        return [notation.line(self._listing, zone, row, old.get(row.card, "")) for row in rows]

    def _table_rows(self, last: Entry, rows: Sequence[Row], delimiter: str) -> list[str]:
        """The table rows of new cards: like the last row of the zone, with other cells empty."""
        [cells] = csv.reader([self._deck.lines[last.line - 1]], delimiter=delimiter)
        page = StringIO()
        writer = csv.writer(page, delimiter=delimiter, lineterminator="\n")
        for row in rows:
            written, digits = list[str](), str(last.copies)
            for cell in cells:
                bare = cell.strip()
                if digits and bare == digits:
                    written.append(cell.replace(digits, str(row.copies)))
                    digits = ""
                elif bare == last.written:
                    written.append(cell.replace(bare, row.name))
                elif self._words.zones.get(self._words.fold(bare)) == last.zone:
                    written.append(cell)
                else:
                    written.append(" " if delimiter == "|" and cell else "")
            writer.writerow(written)
        return page.getvalue().removesuffix("\n").split("\n")


def _drop_empty_sections(
    lines: list[str | None], read: Mapping[int, Line], behind: Mapping[int, Sequence[str]]
) -> None:
    """Remove headings whose cards are all removed, with the empty lines below; `behind` are new rows by line."""
    headings = [index for index in range(len(lines)) if isinstance(read.get(index + 1), Heading)]
    for index, end in zip(headings, [*headings[1:], len(lines)], strict=False):
        rest = lines[index + 1 : end]
        gone, is_bare = None in rest, not any(rest)
        if gone and is_bare and not any(behind.get(number + 1) for number in range(index, end)):
            lines[index:end] = [None] * (end - index)


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
