"""The parts of a sheet in PDF, drawn on the same plan as in HTML."""

from collections.abc import Sequence

from deckcheck.registration.sheets import layout
from deckcheck.registration.sheets.head import QR, READING, ROWS, Cell, Row
from deckcheck.registration.sheets.layout import Box, Entry, Leaf
from deckcheck.registration.sheets.measure import MM, clip
from deckcheck.registration.sheets.model import Note, Page, Total, short
from deckcheck.registration.sheets.pen import DROPPED, HAIR, THICK, Pen
from deckcheck.registration.sheets.qr import QUIET, modules, runs
from deckcheck.registration.sheets.style import stamp_size
from deckcheck.registration.sheets.words import (
    APART,
    BOX,
    MARKS,
    STAMPS,
    WORDS,
    as_of_words,
    sum_words,
    total_words,
)
from deckcheck.report.wording import LABELS
from deckcheck.support.version import VERSION

_TURN = 32


def draw_leaf(pen: Pen, page: Page, leaf: Leaf) -> None:
    """Everything on one side of paper."""
    lang = page.lang
    stamp = None if page.verdict is None else STAMPS.get(page.verdict)
    if stamp is not None:
        _stamp(pen, stamp.in_(lang))
    y = _head(pen, page, leaf.head) if leaf.head else _short_head(pen, page)
    low = y
    for at, column in enumerate(leaf.columns):
        x, down = layout.SIDE + at * (layout.COLUMN + layout.GUTTER), y
        for box in column:
            _box(pen, x, down, box, lang)
            down += box.height
        low = max(low, down)
    if layout.unsure(leaf):
        pen.text(layout.SIDE, low - layout.GAP + 2.5, WORDS["unsure"].in_(lang), 7)
    end = layout.HEIGHT - layout.TOP - layout.COLOPHON
    if leaf.foot:
        end -= layout.foot_height(page)
        _foot(pen, page, end)
    if leaf.notes:
        _notes(pen, end, leaf.notes, lang)
    _colophon(pen, page, leaf)


def _stamp(pen: Pen, said: str) -> None:
    """Across the sheet, in outlines that spare ink and leave what stands there readable."""
    canvas, size = pen.canvas, stamp_size(said) / MM
    canvas.saveState()
    canvas.translate(layout.WIDTH / 2 / MM, layout.HEIGHT / 2 / MM)
    canvas.rotate(_TURN)
    words = canvas.beginText(-pen.width(said, size) / MM / 2, -DROPPED * size)
    words.setFont(pen.font, size)
    words.setTextRenderMode(1)
    canvas.setStrokeGray(0.75)
    canvas.setLineWidth(0.25 / MM)
    words.textOut(said)
    canvas.drawText(words)
    canvas.restoreState()


def _head(pen: Pen, page: Page, rows: Sequence[Row]) -> float:
    x, y, whole = layout.SIDE, layout.TOP, layout.WIDTH - 2 * layout.SIDE
    pen.box(x, y, whole, sum(row.height for row in rows))
    top = y
    for at, row in enumerate(rows):
        beside = 0 if page.empty or at >= len(ROWS) else QR
        if at:
            pen.line(x, y, x + whole - beside, y)
        left = x
        for number, cell in enumerate(row.cells):
            if number:
                pen.line(left, y, left, y + row.height)
            _cell(pen, left, y, row.height, cell)
            left += cell.width
        y += row.height
    if not page.empty:
        _code(pen, page, x + whole - QR, top)
    return y + layout.GAP


def _cell(pen: Pen, x: float, y: float, height: float, cell: Cell) -> None:
    left, room = x + layout.PAD, cell.width - 2 * layout.PAD
    pen.text(left, y + 2.1, cell.caption, 6.5, grey=0.2, most=room)
    low = y + height
    if cell.above is not None and not (cell.above and cell.values):
        pen.line(left, y + 7.6, left + room, y + 7.6, dotted=True)
        if cell.above:
            pen.text(left, y + 5.9, cell.above, READING, most=room)
    if not cell.values:
        pen.line(left, low - 1.6, left + room, low - 1.6, dotted=True)
        return
    if len(cell.sizes) == 3:
        for at, value in enumerate(cell.values):
            bold = cell.key == "verdict" and not at
            pen.text(left, y + 5.4 + 3.6 * at, value, cell.sizes[0], most=room, bold=bold)
        return
    [value] = cell.values
    size = cell.sizes[0]
    middle = low - 1.6 - 0.55 * size * MM if size > 12 else y + 7.1
    wide = pen.width(value, size)
    if cell.key == "table":
        pen.text(x + cell.width / 2, middle, value, size, at=0.5, most=room, bold=True)
        return
    pen.text(left, middle, value, size, most=room, bold=cell.key == "name")
    if cell.above and cell.values:
        over = max(min(wide, room), pen.width(cell.above, READING))
        pen.text(
            left + min(over, room) / 2, middle - 0.6 * size * MM - 1.6, cell.above, READING, at=0.5, most=room
        )


def _code(pen: Pen, page: Page, x: float, y: float) -> None:
    high = sum(ROWS)
    pen.line(x, y, x, y + high)
    square = modules(page)
    if square is None or page.fingerprint is None:
        said = WORDS["no-fingerprint"].in_(page.lang)
        pen.text(x + QR / 2, y + high / 2, said, 8, at=0.5, grey=0.2, most=QR - 2)
        return
    module = 24.5 / (len(square) + 2 * QUIET)
    left, top = x + (QR - 24.5) / 2 + QUIET * module, y + QUIET * module
    for down, row in enumerate(square):
        for at, length in runs(row):
            # A little more than a module, or seams show between the rows.
            pen.dark(left + at * module, top + down * module, length * module, module * 1.04)
    groups = short(page.fingerprint).split()
    pen.text(x + QR / 2, y + 25.4, " ".join(groups[:2]), 6.5, at=0.5)
    pen.text(x + QR / 2, y + 27.8, " ".join(groups[2:]), 6.5, at=0.5)


def _short_head(pen: Pen, page: Page) -> float:
    x, end = layout.SIDE, layout.WIDTH - layout.SIDE
    middle, low = layout.TOP + 6, layout.TOP + layout.SHORT_HEAD
    lang, player = page.lang, page.player
    name = clip(player.name, 40) if player.name else WORDS["decklist"].in_(lang)
    at = x + 1 + pen.text(x + 1, middle, name, 14, most=70, bold=True) + 5
    said = [
        f"{WORDS[key].in_(lang)} {clip(value, 20)}"
        for key, value in (("table", player.table), ("id", player.id))
        if value
    ]
    if page.event:
        said.append(clip(page.event, 40))
    room = end - at - (30 if page.fingerprint else 0)
    pen.text(at, middle, APART.in_(lang).join(said), 9, most=room)
    if page.fingerprint is not None:
        pen.text(end - 1, middle, short(page.fingerprint), 9, at=1)
    pen.line(x, low, end, low, THICK)
    return low + layout.GAP


def _box(pen: Pen, x: float, y: float, box: Box, lang: str) -> None:
    wide, pad = layout.COLUMN, layout.PAD
    middle = y + layout.TITLE / 2
    if box.sum is not None:
        pen.box(x, y, wide, layout.TITLE)
        used = _total(pen, x + wide - pad, middle, box.sum.total, lang)
        pen.text(
            x + pad, middle, clip(sum_words(box.sum, lang), 80), 11, most=wide - used - 3 * pad, bold=True
        )
        return
    if box.zone is None:
        return
    pen.box(x, y, wide, box.height - layout.GAP, dashed=not box.zone.played)
    used = 0.0 if box.continued else _total(pen, x + wide - pad, middle, box.zone.total, lang)
    if not box.zone.played:
        said = WORDS["not-played"].in_(lang)
        used += pad + pen.text(x + wide - used - 2 * pad, middle, said, 7, at=1)
    pen.text(x + pad, middle, layout.title_of(box, lang), 11, most=wide - used - 3 * pad, bold=True)
    y += layout.TITLE
    pen.line(x, y, x + wide, y)
    pen.text(x + layout.COPIES / 2, y + layout.CAPTIONS / 2, WORDS["copies"].in_(lang), 6.5, at=0.5, grey=0.2)
    pen.text(x + layout.COPIES + pad, y + layout.CAPTIONS / 2, WORDS["card"].in_(lang), 6.5, grey=0.2)
    y += layout.CAPTIONS
    top = y
    for entry in box.entries:
        pen.line(x, y, x + wide, y, HAIR)
        _entry(pen, x, y, entry, lang)
        y += entry.height
    pen.line(x + layout.COPIES, top, x + layout.COPIES, y, HAIR)


def _total(pen: Pen, x: float, y: float, total: Total, lang: str) -> float:
    """A total that ends at `x`; how wide it is."""
    found, wanted = total_words(total, lang)
    used = pen.text(x, y, f" / {wanted}", 10, at=1) if wanted else 0.0
    if found is None:
        pen.line(x - used - 11, y + 1.9, x - used, y + 1.9)
        return used + 11
    edge = 1.2 if total.fits is False else 0.0
    number = pen.text(x - used - edge, y, found, 13, at=1, bold=True)
    if edge:
        pen.box(x - used - number - 2 * edge, y - 2.7, number + 2 * edge, 5.4)
    return used + number + 2 * edge


def _entry(pen: Pen, x: float, y: float, entry: Entry, lang: str) -> None:
    if entry.name is None or entry.copies is None:
        return
    pen.text(x + layout.COPIES / 2, y + entry.height / 2, entry.copies, 12, at=0.5, most=layout.COPIES - 1)
    name = entry.name if entry.sure else f"{MARKS.in_(lang)} {entry.name}"
    left, room = x + layout.COPIES + layout.PAD, layout.COLUMN - layout.COPIES - 2 * layout.PAD
    size = entry.size
    lines = [name] if entry.lines == 1 else pen.lines(name, size, room)
    while len(lines) > entry.lines:
        size *= 0.95
        lines = pen.lines(name, size, room)
    first = y + entry.height / 2 - layout.LEADING * (len(lines) - 1) / 2
    for at, line in enumerate(lines):
        pen.text(left, first + at * layout.LEADING, line, size, most=room)


def _notes(pen: Pen, end: float, notes: Sequence[Note], lang: str) -> None:
    x, wide, pad = layout.SIDE, layout.WIDTH - 2 * layout.SIDE, layout.PAD
    high = layout.TITLE + sum(layout.note_height(note, lang) for note in notes)
    y = end - high
    pen.box(x, y, wide, high)
    pen.text(x + pad, y + layout.TITLE / 2, WORDS["findings"].in_(lang), 10, bold=True)
    y += layout.TITLE
    for note in notes:
        pen.text(
            x + pad, y + layout.NOTE_LEADING / 2, LABELS[note.label].in_(lang), layout.NOTE_SIZE, bold=True
        )
        lines = pen.lines(layout.note_words(note, lang), layout.NOTE_SIZE, wide - 2 * pad - 18)
        for at, line in enumerate(lines):
            pen.text(x + pad + 18, y + layout.NOTE_LEADING * (at + 0.5), line, layout.NOTE_SIZE)
        y += layout.note_height(note, lang)


def _foot(pen: Pen, page: Page, y: float) -> None:
    def say(key: str) -> str:
        return WORDS[key].in_(page.lang)

    high, wide, pad = layout.foot_height(page) - layout.GAP, layout.COLUMN, layout.PAD
    y += layout.GAP
    left, right = layout.SIDE + pad, layout.SIDE + layout.COLUMN + layout.GUTTER + pad
    room, low = wide - 2 * pad, y + high - 2.5
    pen.box(left - pad, y, wide, high)
    pen.box(right - pad, y, wide, high)
    pen.text(left, y + 3, say("signature"), 8, bold=True)
    pen.text(left, y + 7, say("declaration"), 8, most=room)
    _ruled(pen, left, low, room * 0.64, say("signature"))
    _ruled(pen, left + room * 0.68, low, room * 0.32, say("signed-on"))
    pen.text(right, y + 3, say("official"), 8, bold=True)
    half = (room - 4) / 2
    rows = layout.count_rows(page)
    y = low - 7 * (len(rows) + 1)
    _ruled(pen, right, y, half, say("checked-at"))
    _ruled(pen, right + half + 4, y, half, say("judge"))
    pen.text(
        right,
        y + 7,
        f"{say('result')}   {BOX} {say('match')}   {BOX} {say('mismatch')}",
        8,
        most=room,
    )
    for down, row in enumerate(rows, 2):
        share = (room - 4 * (len(row) - 1)) / len(row)
        for at, (title, wanted) in enumerate(row):
            x = right + at * (share + 4)
            end = x + share - max(pen.width(wanted, 8), 8)
            pen.text(x, y + 7 * down, title, 8, most=share - 24)
            pen.line(end - 12.5, y + 7 * down + 1.4, end - 1.5, y + 7 * down + 1.4)
            pen.text(end, y + 7 * down, wanted, 8)


def _ruled(pen: Pen, x: float, y: float, wide: float, caption: str) -> None:
    used = pen.text(x, y, caption, 8)
    pen.line(x + used + 1.5, y + 1.4, x + wide, y + 1.4)


def _colophon(pen: Pen, page: Page, leaf: Leaf) -> None:
    y = layout.HEIGHT - layout.TOP - 1.5
    said = [f"deckcheck {VERSION}", clip(page.format_id, 60), as_of_words(page)]
    if page.fingerprint is not None:
        said.append(f"SHA-256 {page.fingerprint}")
    room = layout.WIDTH - 2 * layout.SIDE - 12
    pen.text(layout.SIDE, y, APART.in_(page.lang).join(said), 6, grey=0.2, most=room)
    pen.text(layout.WIDTH - layout.SIDE, y, f"{leaf.number}/{leaf.of}", 6, at=1, grey=0.2)
