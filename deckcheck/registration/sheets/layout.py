"""Where things go on paper: a sheet as leaves of A4, all lengths in millimetres.

Both renderers follow this, so that HTML and PDF break at the same places.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deckcheck.registration.sheets.head import Row, full_head
from deckcheck.registration.sheets.measure import MM, clip, ems, lines_of, sized
from deckcheck.registration.sheets.model import Note, Page, Sum, Zone
from deckcheck.registration.sheets.words import WORDS, copies_words, counts_of

WIDTH, HEIGHT = 210.0, 297.0
SIDE, TOP = 12.0, 10.0
GUTTER = 5.0
COLUMN = (WIDTH - 2 * SIDE - GUTTER) / 2
COPIES = 13.0
"""The column of the numbers."""
PAD = 2.0
TITLE, CAPTIONS, GAP = 7.0, 4.4, 3.0
SHORT_HEAD, COLOPHON = 12.0, 6.0
LEADING = 3.6
"""From one line of a long name to the next."""
NOTE_SIZE, NOTE_LEADING = 8.5, 4.2
NAME_SIZES = (12.0, 11.0, 10.0, 9.0, 8.0)
ROW_HEIGHTS = (7.4, 6.6, 6.2, 5.8, 5.4, 5.2, 5.0)
"""From roomy to dense; twelve points are 4.2 mm high."""

_ROOM = HEIGHT - 2 * TOP - 1
"""A millimetre is left for what browsers round."""
_PRINTED = ROW_HEIGHTS[1:]
"""Only the pen needs the roomiest."""
_BY_ZONE, _BY_ZONE_EMPTY = 5.4, 6.2
"""Denser than this, a zone is rather split over both columns than kept whole."""
_LEGEND = 4.0
_LONE = 15
"""More rows than these are not left in one column with the other empty."""
MOST_CHARS = 240
"""More of a name or a sentence is not printed."""


class Entry(NamedTuple):
    """A row of a box: its texts (None: ruled for the pen), the size of the name in points, its lines and height."""

    copies: str | None
    name: str | None
    sure: bool
    size: float
    lines: int
    height: float


class Box(NamedTuple):
    """A zone's box, or as much of it as stands in one column; `sum` in its stead is a line of its own."""

    zone: Zone | None
    entries: tuple[Entry, ...]
    continued: bool = False
    sum: Sum | None = None

    @property
    def height(self) -> float:
        """With the gap beneath."""
        if self.sum is not None:
            return TITLE + GAP
        return TITLE + CAPTIONS + GAP + sum(entry.height for entry in self.entries)


Columns = tuple[tuple[Box, ...], tuple[Box, ...]]


class Leaf(NamedTuple):
    """One side of paper. `head` is empty where only name and number stand at the top; `foot` is there on the last."""

    number: int
    of: int
    head: tuple[Row, ...]
    columns: Columns
    row: float
    notes: tuple[Note, ...]
    foot: bool


def foot_height(page: Page) -> float:
    """Of signature and official-use box, with the gap above."""
    return GAP + 20.5 + 7.0 * len(count_rows(page))


def count_rows(page: Page) -> tuple[tuple[tuple[str, str], ...], ...]:
    """What a judge counts, with what is required, one or two on a line."""
    rows: list[tuple[tuple[str, str], ...]] = []
    waiting: tuple[str, str] | None = None
    for title, wanted in counts_of(page):
        one = (clip(title, 40), f"/ {wanted}" if wanted else "")
        if (ems(one[0]) + max(ems(one[1]), 2.5)) * 8 * MM > (COLUMN - 2 * PAD - 4) / 2 - 14:
            rows += [(waiting,), (one,)] if waiting is not None else [(one,)]
            waiting = None
        elif waiting is None:
            waiting = one
        else:
            rows.append((waiting, one))
            waiting = None
    if waiting is not None:
        rows.append((waiting,))
    return tuple(rows)


def note_words(note: Note, lang: str) -> str:
    """The line of a finding behind its label."""
    if note.rule is None:
        return clip(note.message, MOST_CHARS)
    rule = f"［{note.rule}］" if lang == "ja" else f"[{note.rule}] "
    return clip(rule + note.message, MOST_CHARS)


def note_height(note: Note, lang: str) -> float:
    """Of a finding's lines."""
    return NOTE_LEADING * lines_of(note_words(note, lang), WIDTH - 2 * SIDE - 2 * PAD - 18, NOTE_SIZE)


def leaves(page: Page) -> tuple[Leaf, ...]:
    """The sides of paper that a sheet takes: one wherever that is possible, else as many as the list needs."""
    head = full_head(page)
    top = sum(row.height for row in head) + GAP
    rest = _notes_height(page.notes, page.lang) + foot_height(page) + COLOPHON + _legend(page)
    whole = _one_leaf(page, _ROOM - top - rest)
    if whole is not None:
        columns, row = whole
        return (Leaf(1, 1, head, columns, row, page.notes, True),)
    made = list(_several(page, head, top))
    return tuple(leaf._replace(of=len(made)) for leaf in made)


def _legend(page: Page) -> float:
    return 0.0 if all(line.sure for zone in page.zones for line in zone.lines) else _LEGEND


def _notes_height(notes: Sequence[Note], lang: str) -> float:
    return TITLE + GAP + sum(note_height(one, lang) for one in notes) if notes else 0.0


def _boxes(page: Page, row: float) -> list[Box]:
    boxes = [Box(zone, tuple(_entries(zone, row))) for zone in page.zones]
    return boxes + [Box(None, (), sum=one) for one in page.sums]


def _entries(zone: Zone, row: float) -> Iterator[Entry]:
    for line in zone.lines:
        name = clip(line.name, MOST_CHARS)
        # The mark of a name that is not settled takes its room, too.
        shown = name if line.sure else "※ " + name
        size, lines = sized(shown, COLUMN - COPIES - 2 * PAD, NAME_SIZES)
        height = row if lines == 1 else max(row, LEADING * lines + 1.4)
        yield Entry(copies_words(line), name, line.sure, size, lines, height)
    for _ in range(zone.blanks):
        yield Entry(None, None, True, NAME_SIZES[0], 1, row)
    if not zone.lines and not zone.blanks:
        yield Entry("–", "", True, NAME_SIZES[0], 1, row)


def _one_leaf(page: Page, room: float) -> tuple[Columns, float] | None:
    """Two columns no higher than `room` that hold everything, and the height of a row; None if it can't be."""
    heights, least = (ROW_HEIGHTS, _BY_ZONE_EMPTY) if page.empty else (_PRINTED, _BY_ZONE)
    for row in heights:
        if row >= least and (found := _by_zone(_boxes(page, row), room)):
            return found, row
    for row in heights:
        if found := _balanced(_boxes(page, row), room):
            return found, row
    return None


def _by_zone(boxes: Sequence[Box], room: float) -> Columns | None:
    """The most even way to have whole zones in the columns; a sum stays with the zone before it."""
    best: Columns | None = None
    least = room + GAP
    for at in range(1, len(boxes) + 1):
        left, right = tuple(boxes[:at]), tuple(boxes[at:])
        lone = not any(box.zone for box in right)
        if (right and right[0].sum is not None) or (lone and sum(len(box.entries) for box in left) > _LONE):
            continue
        height = max(_height(left), _height(right))
        if height <= least:
            best, least = (left, right), height - 0.01
    return best


def _height(boxes: Sequence[Box]) -> float:
    return sum(box.height for box in boxes)


def _balanced(boxes: Sequence[Box], room: float) -> Columns | None:
    """Both columns filled one after the other, about equally high."""
    height = max(_height(boxes) / 2, 1.0)
    while room > 0:
        # The gap beneath the last box, which a column may do without, is reckoned in already.
        height = min(height, room)
        left, rest = _fill(boxes, height)
        right, rest = _fill(rest, height)
        if not rest:
            return left, right
        if height >= room:
            break
        height += 1.0
    return None


def _fill(boxes: Sequence[Box], height: float) -> tuple[tuple[Box, ...], list[Box]]:
    """The boxes that find room in a column, the last perhaps only in part, and what is left."""
    column: list[Box] = []
    rest = list(boxes)
    while rest:
        box = rest[0]
        if box.height <= height + GAP:
            column.append(box)
            height -= box.height
            del rest[0]
            continue
        free = height - TITLE - CAPTIONS
        taken = 0
        for entry in box.entries:
            if entry.height > free:
                break
            free -= entry.height
            taken += 1
        # A heading wants two rows beneath it, and what goes on wants as many.
        taken = min(taken, len(box.entries) - 2) if len(box.entries) > 3 else 0
        if taken >= 2:
            column.append(box._replace(entries=box.entries[:taken]))
            rest[0] = box._replace(entries=box.entries[taken:], continued=True)
        break
    return tuple(column), rest


def _several(page: Page, head: tuple[Row, ...], top: float) -> Iterator[Leaf]:
    row = ROW_HEIGHTS[-2]
    boxes = _boxes(page, row)
    notes = list(page.notes)
    number = 1
    while True:
        room = _ROOM - (top if number == 1 else SHORT_HEAD + GAP) - COLOPHON - _legend(page)
        columns = _balanced(boxes, room)
        if columns is None:
            left, boxes = _fill(boxes, room)
            right, boxes = _fill(boxes, room)
            columns = (left, right)
        else:
            boxes = []
        room -= max(_height(column) for column in columns)
        some: list[Note] = []
        if not boxes:
            room -= TITLE + GAP
            while notes and note_height(notes[0], page.lang) <= room:
                room -= note_height(notes[0], page.lang)
                some.append(notes.pop(0))
            room += 0 if some else TITLE + GAP
        last = not boxes and not notes and foot_height(page) <= room
        yield Leaf(number, number, head if number == 1 else (), columns, row, tuple(some), last)
        if last:
            return
        number += 1


def unsure(leaf: Leaf) -> bool:
    """Whether a name stands there that is not one certain card's."""
    return any(not entry.sure for column in leaf.columns for box in column for entry in box.entries)


def title_of(box: Box, lang: str) -> str:
    """What stands at the top of a box."""
    if box.zone is None:
        return ""
    title = clip(box.zone.title, 80)
    return title + WORDS["continued"].in_(lang) if box.continued else title
