"""What only the lines around can tell: titles, numbered lines, tables, cards that are called like headings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from deckcheck.decklists.classify import LineReader
from deckcheck.decklists.lexer import MOST_COPIES, compiled, shape_of
from deckcheck.decklists.line import (
    BAD_COUNT,
    CLEAR,
    COMMENT,
    NO_COUNTS,
    NO_TITLE,
    NOT_READ,
    NUMBER_OR_COUNT,
    Line,
)
from deckcheck.decklists.tables import Table, entries_in, headed, headless
from deckcheck.decklists.titles import as_one, may_be_title, quoted_title
from deckcheck.decklists.vocabulary import ahead

_SILENT = ("comment", "blank", "header")


def resolve(reader: LineReader, text: Sequence[str], lines: Sequence[Line]) -> list[Line]:
    """The same lines with none left of a kind outside CLEAR; lines are told apart by the others' looks."""
    found = list(lines)
    kinds = {line.kind for line in lines}
    if kinds & {"table", "head"}:
        found = _tables(reader, text, found)
    if "numbered" in kinds:
        found = _numbered(text, found)
    counted = _counted(found)
    first = next((at for at, line in enumerate(found) if line.kind not in _SILENT), None)
    starts = [raw.lstrip()[:1] for raw in text]
    cards = {
        start
        for start, line in zip(starts, found, strict=True)
        if line.kind in ("entry", "bare", "several") and not start.isalnum()
    }
    for at, line in enumerate(found):
        if line.kind in CLEAR:
            continue
        if line.kind == "bare":
            face = _is_other_face(reader, line, found[:at], starts[at], counted=counted)
            found[at] = Line("furniture", line.written) if face else line._replace(kind="entry")
        elif line.kind == "heading?":
            found[at] = line.more[1 if starts[at] in cards else 0]
            if found[at].kind == "unknown":
                found[at] = found[at]._replace(kind="invalid", why=NOT_READ) if counted else as_one(found[at])
        elif line.kind == "either":
            after = next((other for other in found[at + 1 :] if other.kind not in _SILENT), None)
            heads = counted and at != first and after is not None and after.kind in ("entry", "several")
            found[at] = line.more[0 if heads else 1]
        elif line.kind == "title?":
            found[at] = quoted_title(line, found[at + 1 :], starts, at == first, counted)
        elif line.kind == "total?":
            found[at] = line._replace(kind="total")
        elif line.kind == "unknown":
            found[at] = _unknown(reader, line, text[at], at == first, counted)
    return found


_USUAL = 4
_FACE_SIGNS = frozenset("/／＋+⇔→⇒(（")


def _is_other_face(
    reader: LineReader, line: Line, above: Sequence[Line], start: str, *, counted: bool
) -> bool:
    """Whether a line without a count names the other face of the card on the line above it."""
    before = above[-1] if above else None
    if before is None or before.kind != "entry" or len(line.cards) != 1 or before.cards != line.cards:
        return False
    sides = line.cards[0].faces or line.cards[0].parts
    fold = reader.words.fold
    return bool(sides) and (counted or start in _FACE_SIGNS) and fold(line.written) != fold(before.written)


def _counted(lines: Sequence[Line]) -> bool:
    """Whether this list writes counts, so that a line without one wants a reason."""
    counts = sum(line.kind in ("entry", "several") for line in lines)
    return counts > 0 and 4 * counts >= sum(line.kind == "bare" for line in lines)


def _unknown(reader: LineReader, line: Line, raw: str, first: bool, counted: bool) -> Line:
    if line.zone is not None:
        # A zone is named for it, so it is meant to be a card.
        return as_one(line)
    if first and (counted or line.home is not None):
        if may_be_title(reader, raw):
            return line._replace(kind="title", zone=line.home)
        return line._replace(kind="invalid", why=NO_TITLE)
    if counted:
        return line._replace(kind="invalid", why=NOT_READ)
    return as_one(line.more[0] if line.more else line)


def _numbered(text: Sequence[str], lines: Sequence[Line]) -> list[Line]:
    """Lines that are numbered one after another hold one copy each; else the numbers are counts.

    Where the numbers only grow, as in a list that lost a line, they are told unless they can't be counts.
    """
    padded = any(
        line.kind == "numbered" and shape_of(raw).lstrip().startswith("0")
        for raw, line in zip(text, lines, strict=True)
    )
    resolved = _without_zeros(text, lines) if padded else list(lines)
    numbers = [line.total or 0 for line in resolved if line.kind == "numbered"]
    single = _run(resolved, padded) and (len(numbers) == 1 or max(numbers) > 1)
    growing = not single and len(numbers) > 1 and all(low < high for low, high in pairwise(numbers))
    single = single or (
        growing and numbers[0] == 1 and len(numbers) > _USUAL and numbers[-1] <= 2 * len(numbers)
    )
    unsure = growing and not single and (numbers[0] == 1 or len(numbers) > 2)
    for at, line in enumerate(resolved):
        if line.kind != "numbered":
            continue
        copies = 1 if single else line.total or 0
        resolved[at] = line._replace(kind="entry", copies=copies, most=copies, total=None)
        if not 0 < copies <= MOST_COPIES:
            resolved[at] = line._replace(kind="invalid", why=BAD_COUNT)
        elif unsure and copies > 1:
            resolved[at] = line._replace(kind="invalid", why=NUMBER_OR_COUNT)
    return resolved


def _without_zeros(text: Sequence[str], lines: Sequence[Line]) -> list[Line]:
    """The lines, with those numbered that go on where the numbers from 01 to 09 end."""
    found = list(lines)
    before = 0
    for at, line in enumerate(found):
        if line.kind == "numbered":
            before = line.total or 0
        elif line.kind == "entry" and line.copies == before + 1 > 9 and _is_led(text[at], line.copies):
            found[at] = line._replace(kind="numbered", total=line.copies)
            before += 1
    return found


def _is_led(raw: str, number: int) -> bool:
    """Whether a line begins with this number, which nothing marks as a count."""
    return compiled(rf"\W*{number}[ \t]+[^ \tx*]").match(shape_of(raw)) is not None


def _run(lines: Sequence[Line], padded: bool) -> bool:
    """Whether numbered lines are numbered one after another, perhaps several times anew.

    Numbers that are `padded` with zeros may be counts, and begin anew only below a heading.
    """
    before, lost, anew = 0, 0, True
    for line in lines:
        if line.kind == "numbered":
            number = line.total or 0
            if not before < number <= before + 1 + lost and (number > 1 or not anew):
                return False
            before, lost, anew = number, 0, not padded
        # A line that can't be read may have had a number, too.
        lost += line.kind == "invalid"
        anew = anew or line.kind in ("heading", "label")
    return True


def _tables(reader: LineReader, text: Sequence[str], lines: Sequence[Line]) -> list[Line]:
    """The lines with the rows of tables read, under their heads or without."""
    found = list(lines)
    heads = [at for at, line in enumerate(lines) if line.kind == "head"]
    for at, end in zip([-1, *heads], [*heads, len(lines)], strict=True):
        rows = {
            row: lines[row] if lines[row].kind == "table" else reader.tabulate(text[row])
            for row in range(at + 1, end)
            if lines[row].kind == "table" or (at >= 0 and lines[row].kind in _ROWS and _barred(text[row]))
        }
        if at >= 0 and not _fenced(text[at]):
            # A row that begins and ends with an empty cell looks like one between two bars.
            rows = {
                row: line._replace(cells=("", *line.cells)) if _fenced(text[row]) else line
                for row, line in rows.items()
            }
        tabs = {row: _tabs(text[row]) for row in ([at] if at >= 0 else []) + [*rows]}
        indent = min(tabs.values(), default=0)
        rows = {
            row: line._replace(cells=("",) * (tabs[row] - indent) + line.cells) for row, line in rows.items()
        }
        cells = [row.cells for row in rows.values() if row.kind != "invalid"]
        if at < 0:
            table = headless(reader, cells)
        else:
            table = headed(reader, ("",) * (tabs[at] - indent) + lines[at].cells, cells)
            found[at] = (
                COMMENT if table.counted or not rows else lines[at]._replace(kind="invalid", why=NO_COUNTS)
            )
        for row, line in rows.items():
            found[row] = _row(reader, table, text[row], line)
    return found


_ROWS = ("entry", "bare", "several", "table")


def _fenced(raw: str) -> bool:
    return raw.strip()[:1] in "|｜"


def _tabs(raw: str) -> int:
    """With how many tabs a line begins: each stands behind an empty cell."""
    return len(raw) - len(raw.lstrip("\t"))


def _barred(raw: str) -> bool:
    return any(bar in raw for bar in "|\t｜│┃")


def _row(reader: LineReader, table: Table, raw: str, line: Line) -> Line:
    """What a row says; a zone's word at its head speaks of all its cards."""
    if line.kind == "invalid":
        return line
    shape = shape_of(raw)
    said = ahead(reader.words, shape, 0, len(shape))
    starts: list[int] = []
    for cell in line.cells:
        starts.append(max(raw.find(cell, starts[-1] + len(line.cells[len(starts) - 1]) if starts else 0), 0))
    found = entries_in(
        reader, table, line.cells, line.written, lambda at: (0, starts[at] + 1 if at < len(starts) else 1)
    )
    if not found:
        return line._replace(kind="invalid", why=NOT_READ)
    entries = [
        entry._replace(zone=said.zone)
        if said is not None and entry.kind == "entry" and entry.zone is None
        else entry
        for _number, entry in found
    ]
    return line._replace(kind="several", more=tuple(entries), cells=())
