"""A checked list as the page shows it: numbered lines with marked stretches and, below each line, what is said of it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from deckcheck.checking.judge import LoadedFormat
from deckcheck.model.deck import Deck, Entry
from deckcheck.model.finding import Finding, FindingId, Report, singly
from deckcheck.report.locations import Mark, Places
from deckcheck.report.wording import LABELS, Label, label_of, notes
from deckcheck.support.safe_text import safe

MOST_SUGGESTIONS = 3


class Correction(NamedTuple):
    """A stretch of a line and the text to put there: 1-based line and column, both in code points."""

    line: int
    column: int
    length: int
    text: str

    @property
    def value(self) -> str:
        """As the value of a button: `LINE:COLUMN:LENGTH:TEXT`."""
        return f"{self.line}:{self.column}:{self.length}:{self.text}"

    @classmethod
    def parse(cls, value: str) -> "Correction | None":
        """The correction with that `value`; None if it is none."""
        numbers, text = value.split(":", 3)[:3], value.split(":", 3)[3:]
        if len(numbers) != 3 or not text or "\n" in text[0]:
            return None
        if not all(number.isascii() and number.isdigit() and len(number) < 8 for number in numbers):
            return None
        line, column, length = map(int, numbers)
        return cls(line, column, length, text[0])

    def applied(self, text: str) -> str:
        """The list with the correction; as it is where the list has no such place."""
        lines = text.split("\n")
        if not 1 <= self.line <= len(lines):
            return text
        line = lines[self.line - 1]
        start = self.column - 1
        if start < 0 or start + self.length > len(line):
            return text
        lines[self.line - 1] = line[:start] + self.text + line[start + self.length :]
        return "\n".join(lines)


class Note(NamedTuple):
    """A finding in words."""

    label: Label
    label_name: str
    rule: str
    message: str
    details: tuple[str, ...]
    """The counts, who says so, and what helps."""
    corrections: tuple[Correction, ...] = ()


class Piece(NamedTuple):
    """A stretch of a line, marked or not."""

    text: str
    label: Label | None = None


class MarkedLine(NamedTuple):
    """A line of the list."""

    number: int
    pieces: tuple[Piece, ...]
    notes: tuple[Note, ...]
    label: Label | None
    """The gravest label of its marks."""


_GRAVEST_FIRST = (Label.ERROR, Label.UNDECIDED, Label.WARNING, Label.INFO)


def notes_on_deck(report: Report, lang: str) -> tuple[Note, ...]:
    """The findings about the deck as a whole, in words."""
    return tuple(_note(finding, report, lang) for finding in singly(report.findings) if finding.line is None)


def marked_lines(report: Report, format: LoadedFormat, lang: str) -> tuple[MarkedLine, ...]:
    """The lines of the list with its findings at their first lines and marks at all of theirs."""
    suggestions, places = _corrections(report.deck, format), Places(report.deck)
    notes_by_line: dict[int, list[Note]] = {}
    marks_by_line: dict[int, list[tuple[Mark, Label]]] = {}
    for finding in singly(report.findings):
        if finding.line is None:
            continue
        note = _note(finding, report, lang)
        if finding.rule in _ABOUT_NAMES:
            note = note._replace(corrections=tuple(suggestions.get(finding.line, ())))
        notes_by_line.setdefault(finding.line, []).append(note)
        for mark in places.of(finding):
            marks_by_line.setdefault(mark.line, []).append((mark, note.label))
    lines = []
    for number, text in enumerate(report.deck.lines, 1):
        line_marks = marks_by_line.get(number, [])
        labels = [label for _mark, label in line_marks]
        gravest = min(labels, key=_GRAVEST_FIRST.index, default=None)
        lines.append(
            MarkedLine(number, _pieces(text, line_marks), tuple(notes_by_line.get(number, ())), gravest)
        )
    return tuple(lines)


_ABOUT_NAMES = frozenset({FindingId.UNKNOWN_CARD, FindingId.AMBIGUOUS_NAME})


def _note(finding: Finding, report: Report, lang: str) -> Note:
    label = label_of(finding, lenient=False)
    return Note(
        label,
        LABELS[label].in_(lang),
        finding.rule,
        safe(finding.message.in_(lang)),
        tuple(notes(finding, report, lang)),
    )


def _pieces(text: str, line_marks: Sequence[tuple[Mark, Label]]) -> tuple[Piece, ...]:
    """The line in pieces; marks that overlap an earlier one are left out."""
    pieces = []
    end = 0
    for mark, label in sorted(line_marks, key=lambda item: (item[0].column, _GRAVEST_FIRST.index(item[1]))):
        start = mark.column - 1
        if start < end or mark.length == 0:
            continue
        pieces += [Piece(safe(text[end:start])), Piece(safe(text[start : start + mark.length]), label)]
        end = start + mark.length
    pieces.append(Piece(safe(text[end:])))
    return tuple(piece for piece in pieces if piece.text)


def _corrections(deck: Deck, format: LoadedFormat) -> Mapping[int, list[Correction]]:
    """What the names that are unknown or mean several cards may be, by line."""
    corrections: dict[int, list[Correction]] = {}
    for entry in deck.entries:
        if len(entry.cards) == 1 or not _stands_in(entry, deck):
            continue
        names = [card.name for card in entry.cards] or format.game_data.catalog.suggest(entry.written)
        corrections.setdefault(entry.line, []).extend(
            Correction(entry.line, entry.column, len(entry.written), name)
            for name in names[:MOST_SUGGESTIONS]
        )
    return corrections


def _stands_in(entry: Entry, deck: Deck) -> bool:
    """Whether the name stands in its line as it was read, so that it can be replaced there."""
    return 0 < entry.line <= len(deck.lines) and deck.lines[entry.line - 1].startswith(
        entry.written, entry.column - 1
    )
