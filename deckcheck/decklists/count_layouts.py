"""Where a list has its counts: every layout reads all rows at a cost, and the cheapest wins by a margin.

A layout says where the count of a card stands: beside it, on the next or previous row, in front of a group, or nowhere
(numbered slots). It only places numbers; what it leaves unexplained is told later.
"""

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.decklists.decoding import compiled
from deckcheck.decklists.lexer import Name, Number
from deckcheck.decklists.line_reader import Row
from deckcheck.decklists.lines import (
    LEAST_NUMBERED,
    LEAST_SLOTS,
    MOST_COPIES,
    MOST_LIKELY,
    USUAL,
    Taken,
    are_dense,
    are_running,
    grow,
    may_number,
)

_UNEXPLAINED, _MISSING, _LONE, _MARGIN, _NUMBERING = 5.0, 4.0, 1.0, 2.0, 0.3
_LEAST_COLUMN = 3
_MOST_COLUMNS = 4
_MOSTLY = 0.8
_SIGNED = r"[-+−–=:/~]|[(\[<][^)\]>]"
"""Matches the characters around a number that is more than a fact: a sign, or a bracket around more than it."""
_BESIDE_NUMBER = " :()[]<>"


class Placed(Struct, frozen=True):
    """A card of a row with its count; without a name, the row's unread words are the name; without a number, it has none."""

    name: Name | None
    number: Number | None

    @property
    def copies(self) -> int | None:
        """The count; None without one."""
        return None if self.number is None else self.number.value


class Layout(Struct):
    """A reading of all rows: the cards of each by index, and the rows whose numbers count the card of another."""

    cost: float = 0.0
    placed: dict[int, list[Placed]] = {}
    counts_of_others: set[int] = set()
    unsure: set[int] = set()
    """Rows with a number or a card that this layout doesn't explain."""
    explained: dict[Number, Taken] = {}
    one_each: bool = False
    """Whether a card without a number is one copy by this layout, not for want of a count."""
    counts_in_front: bool = False

    def take(self, index: int, read: "_RowReading", *, is_sure: bool) -> None:
        """Takes the reading of a row."""
        self.cost += read.cost
        self.placed[index] = read.placed
        self.explained.update(read.explained)
        if not is_sure:
            self.unsure.add(index)

    def copies(self) -> dict[int, list[int]]:
        """The counts by row, as far as they are sure."""
        return {
            index: [item.copies or 1 for item in items]
            for index, items in self.placed.items()
            if index not in self.unsure
        }


Rows = Mapping[int, Row]
"""Rows by the index of their line."""


class Beside(Struct, frozen=True):
    """Which number beside a card is its count: the n-th on a side."""

    left: bool
    nth: int


_BESIDE = (Beside(True, 1), Beside(False, 1), Beside(True, 2), Beside(False, 2))


def choose(rows: Rows, written: Collection[str], *, has_heads: bool = False) -> tuple[Layout, Layout | None]:
    """The cheapest layout, and another one that costs about as much and gives other counts (None: there is none).

    `written` are the numbers of cards that people write. `has_heads`: the list names its columns, so a column of facts may be short.
    """
    running, may_run = _running(rows)
    facts = _columns_of_facts(rows, written, has_heads=has_heads)
    layouts = []
    alone = _ReadAlone(rows)
    most = max((len(row.numbers) for row in rows.values()), default=0)
    for beside in _BESIDE:
        if beside.nth > 1 and beside.nth > most:
            continue
        layouts.append(_beside(rows, beside, facts, alone))
        if not may_run and _is_settled(rows, layouts[-1]):
            return layouts[-1], None
        if running:
            known = facts | dict.fromkeys(running, Taken.NUMBERING)
            numbered = _beside(rows, beside, known, alone, one_each=True)
            ordinals = all(number.ordinal for number in running)
            # Numbers from one up in front of every row are no counts by chance.
            numbered.cost -= 5.0 if len(running) > LEAST_NUMBERED + 1 or ordinals else 0.01
            layouts.append(numbered)
    slots = _slots(rows)
    if slots is not None:
        layouts.append(slots)
    if any(row.has_only_numbers for row in rows.values()):
        layouts += [_across(rows, step=1), _across(rows, step=-1), _groups(rows)]
    layouts.sort(key=lambda layout: layout.cost)
    best = layouts[0]
    if may_run and best.counts_in_front and not best.one_each:
        best.unsure.update(rows)
        return best, None
    best.unsure.update(_perhaps_numbered(best))
    return best, next(
        (other for other in layouts[1:] if other.cost < best.cost + _MARGIN and _differ(best, other)), None
    )


def _perhaps_numbered(layout: Layout) -> list[int]:
    """The rows that a dot or bracket may number from one, and that have no other count, in a list that counts others."""
    counts = {index: items[0].number for index, items in layout.placed.items() if items and items[0].number}
    if layout.one_each or len({number.ordinal for number in counts.values()}) < 2:
        return []
    numbered: list[int] = []
    last = 0
    for index, number in counts.items():
        begins, follows = number.value == 1, last > 0 and number.value == last + 1
        if number.ordinal and (begins or follows):
            numbered.append(index)
            last = number.value
        else:
            last = 0
    return numbered


def _is_settled(rows: Rows, layout: Layout) -> bool:
    """Whether each row has one card and one number, which this layout counts, so that no other one explains more."""
    counts = [items[0].copies for items in layout.placed.values() if len(items) == 1 and items[0].name]
    are_counted = len(counts) == len(rows) and not layout.unsure and None not in counts
    has_others = any(len(row.numbers) > 1 for row in rows.values())
    is_mixed = len({number.ordinal for row in rows.values() for number in row.numbers}) > 1
    return are_counted and not (has_others or is_mixed) and not may_number([count or 0 for count in counts])


def _differ(one: Layout, other: Layout) -> bool:
    first, second = one.copies(), other.copies()
    return any(first[index] != second[index] for index in first.keys() & second.keys())


def _start_of_card(row: Row) -> int:
    """Where the first card or unread word begins."""
    starts = [name.start for name in row.names] + [start for start, _end in row.unread]
    return min(starts, default=len(row.text))


def _running(rows: Rows) -> tuple[list[Number], bool]:
    """The numbers 1, 2, 3, … in front of the rows, which only number them; and whether others may do so, with gaps."""
    with_cards = [row for row in rows.values() if row.names or row.unread]
    firsts = [
        row.numbers[0] for row in with_cards if row.numbers and row.numbers[0].start < _start_of_card(row)
    ]
    values = [number.value for number in firsts]
    if (
        len(firsts) < 2
        or len(firsts) < _MOSTLY * len(with_cards)
        or any(number.marked or number.taken for number in firsts)
    ):
        return [], False
    runs = are_running(values)
    may_run = grow(values) and (are_dense(values) or all(number.ordinal for number in firsts))
    return (firsts if runs else []), may_run and not runs


def _columns_of_facts(rows: Rows, written: Collection[str], *, has_heads: bool) -> dict[Number, Taken]:
    """The numbers in columns that hold a fact of the card beside them (its cost, its power) in nearly every row."""
    facts: dict[Number, Taken] = {}
    own = [row for row in rows.values() if row.names and len(row.numbers) > 1]
    for left in (True, False):
        for nth in range(_MOST_COLUMNS):
            column = []
            for row in own:
                side = [number for number in row.numbers if (number.start < row.names[0].start) == left]
                side = side[::-1] if left else side
                column += [(side[nth], row)] if nth < len(side) else []
            fitting = [
                number for number, row in column if _is_bare(number, row) and _is_fact(number, row, written)
            ]
            least = max(1 if has_heads else _LEAST_COLUMN, _MOSTLY * len(column))
            if len(fitting) >= least and len({row.names[0].cards for _number, row in column}) > 1 - has_heads:
                facts.update(dict.fromkeys(fitting, Taken.PRINTING))
    return facts


def _is_bare(number: Number, row: Row) -> bool:
    """Whether a number has no sign, counter or word for a zone beside it, and nothing else within its brackets."""
    part = row.shape[number.start : number.end]
    # Signs at the ends of a name belong to it.
    first = max((name.end for name in row.names if name.end <= number.start), default=0)
    last = min((name.start for name in row.names if name.start >= number.end), default=len(row.shape))
    around = row.shape[first : number.start].rstrip()[-1:] + row.shape[number.end : last].lstrip()[:1]
    gaps = (row.shape[min(word.end, number.end) : max(word.start, number.start)] for word in row.zones)
    is_among_zones = any(not gap.strip(_BESIDE_NUMBER) for gap in gaps)
    is_alone = compiled(r"[(\[<]?[0-9]+[)\]>]?").fullmatch(part) is not None
    return is_alone and not number.marked and not is_among_zones and not compiled(_SIGNED).match(around)


def _is_fact(number: Number, row: Row, written: Collection[str]) -> bool:
    """Whether a number is a fact of a card beside it; by chance one in ten is."""
    if number.value >= 500 and number.value % 100 == 0:
        return True
    for card in (card for name in row.names for card in name.cards):
        for facts in (card.facts, *(part.facts for part in (*card.parts, *card.faces))):
            if any(number.value == facts.get(attribute) for attribute in written):
                return True
    return False


def _price(count: int) -> float:
    if 0 < count <= USUAL:
        return 0.0
    if 0 < count <= 30:
        return 0.5
    return 1.0 if 0 < count <= MOST_LIKELY else 4.0


class _RowReading(Struct, frozen=True):
    placed: list[Placed]
    cost: float
    whole: bool
    """Whether every number is explained."""
    explained: dict[Number, Taken]


def _read_row(
    row: Row, beside: Beside, known: Mapping[Number, Taken], *, one_each: bool = False
) -> _RowReading:
    """The cards of a row with the n-th number beside each; `known` are numbers that are no counts."""
    names: list[Name | None] = [*row.names] or ([None] if row.unread else [])
    spans = [(name.start, name.end) if name else row.words_span for name in names]
    numbers = [number for number in row.numbers if number.taken is None]
    if numbers and numbers[-1].for_each:
        last = numbers[-1]
        is_behind = len(numbers) == 1 and all(end <= last.start for _start, end in spans)
        counted = [Placed(name, last) for name in names]
        return _RowReading(counted, _price(last.value), is_behind, {last: Taken.COUNT})
    placed: list[Placed] = []
    explained: dict[Number, Taken] = {}
    cost, whole = 0.0, True
    gaps = _gaps(spans, numbers)
    for index, name in enumerate(names):
        near = gaps[index][::-1] if beside.left else gaps[index + 1]
        near = [number for number in near if known.get(number) is not Taken.NUMBERING] if one_each else near
        count = near[beside.nth - 1] if beside.nth <= len(near) else None
        placed.append(Placed(name, count))
        if count is None:
            cost += 0.0 if one_each else _LONE
        else:
            explained[count] = Taken.COUNT
            cost += _price(count.value)
            is_plain_count = count.marked or count.start < spans[index][0]
            whole = whole and count.value <= (MOST_COPIES if is_plain_count else MOST_LIKELY)
    for number in numbers:
        if number in explained:
            continue
        if number in known or _is_ordinal(number, placed):
            explained[number] = known.get(number, Taken.NUMBERING)
            cost += _NUMBERING
        else:
            cost += _UNEXPLAINED + (2 if number.marked else 0)
            whole = False
    counted = [item for item in placed if item.number is not None]
    if len(placed) > 1 and 0 < len(counted) < len(placed):
        cost, whole = cost + _MISSING, False
    return _RowReading(placed, cost, whole, explained)


def _gaps(spans: Sequence[tuple[int, int]], numbers: Sequence[Number]) -> list[list[Number]]:
    """The numbers in front of the first span, between each two, and behind the last."""
    gaps: list[list[Number]] = [[] for _gap in range(len(spans) + 1)]
    index = 0
    for number in numbers:
        while index < len(spans) and number.start >= spans[index][1]:
            index += 1
        if index == len(spans) or number.start < spans[index][0]:
            gaps[index].append(number)
    return gaps


def _is_ordinal(number: Number, placed: Sequence[Placed]) -> bool:
    """Whether a number with a dot or bracket behind it at the start of a row numbers it: its card has a count behind it.

    One within brackets may be a count itself, unless the whole list is numbered.
    """
    is_apart = number.ordinal and not number.boxed
    return is_apart and all(item.number is not None and item.number.start > number.start for item in placed)


class _ReadAlone:
    """Rows that don't fit their list, read by themselves, each once for all layouts."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._readings: dict[int, list[_RowReading]] = {}

    def best(self, index: int, read: _RowReading) -> _RowReading:
        """The reading of a row by itself if that explains all of it (`NAME ×4` among `4 NAME`), else `read`."""
        row = self._rows[index]
        if index not in self._readings:
            self._readings[index] = [_read_row(row, beside, {}) for beside in _BESIDE[:2]]
        is_marked = any(number.marked for number in row.numbers)
        for own in self._readings[index]:
            usual = all(item.copies in range(1, USUAL + 1) for item in own.placed)
            counted = own.placed and all(item.copies for item in own.placed)
            if own.whole and (usual or is_marked) and counted and own.cost + _LONE <= read.cost + 1e-9:
                return replace(own, cost=own.cost + _LONE)
        return read


def _beside(
    rows: Rows, beside: Beside, known: Mapping[Number, Taken], alone: _ReadAlone, *, one_each: bool = False
) -> Layout:
    layout = Layout(one_each=one_each, counts_in_front=beside.left)
    for index, row in rows.items():
        if not row.names and not row.unread:
            unknown = [number for number in row.numbers if number not in known and number.taken is None]
            if row.numbers and not unknown:
                layout.counts_of_others.add(index)
            elif unknown:
                layout.cost += _UNEXPLAINED
                layout.unsure.add(index)
            continue
        read = _read_row(row, beside, known, one_each=one_each)
        is_lacking = not read.whole or (not one_each and any(item.number is None for item in read.placed))
        if row.numbers and is_lacking:
            read = alone.best(index, read)
        layout.take(index, read, is_sure=read.whole)
    return layout


def _across(rows: Rows, *, step: int) -> Layout:
    """Counts on the row after (`step` 1) or before the card's."""
    layout = Layout()
    order = list(rows)
    for place, index in enumerate(order):
        row = rows[index]
        if row.has_only_numbers or (not row.names and not row.unread):
            continue
        if row.numbers:
            options = [_read_row(row, beside, {}) for beside in _BESIDE[:2]]
            read = min(options, key=lambda option: option.cost)
            is_counted = read.whole and all(item.copies for item in read.placed)
            layout.take(index, read, is_sure=is_counted)
            layout.cost += _LONE if is_counted else _MISSING
            continue
        beside = order[place + step] if 0 <= place + step < len(order) else None
        count = None if beside is None or beside in layout.counts_of_others else _only_number(rows[beside])
        if count is None or beside is None or len(row.names) > 1:
            layout.cost += _MISSING if row.names else 0.5
            if row.names:
                layout.placed[index] = [Placed(name, None) for name in row.names]
                layout.unsure.add(index)
            continue
        layout.counts_of_others.add(beside)
        layout.cost += _price(count.value)
        layout.placed[index] = [Placed(row.names[0] if row.names else None, count)]
        layout.explained[count] = Taken.COUNT
    for index, row in rows.items():
        if row.has_only_numbers and index not in layout.counts_of_others:
            layout.cost += 1.0 if row.numbers[0].value > USUAL else _UNEXPLAINED
    return layout


def _only_number(row: Row) -> Number | None:
    """The number of a row without anything else."""
    return row.numbers[0] if row.has_only_numbers and len(row.numbers) == 1 else None


def _groups(rows: Rows) -> Layout:
    """One count above each group of cards without counts."""
    layout = Layout()
    count: Number | None = None
    sizes: list[bool] = []
    for index, row in rows.items():
        only = _only_number(row)
        if only is not None:
            count = only
            sizes.append(False)
            layout.counts_of_others.add(index)
            layout.explained[only] = Taken.COUNT
            layout.cost += _price(only.value) + (0.5 if only.marked else _MISSING)
        elif row.names and not row.numbers and count is not None:
            layout.placed[index] = [Placed(name, count) for name in row.names]
            sizes[-1] = True
            layout.cost += 0.05
        elif row.names or row.numbers:
            layout.cost += _MISSING
            layout.placed[index] = [Placed(name, None) for name in row.names]
            layout.unsure.add(index)
    if len(sizes) < 2 or not all(sizes):
        layout.cost += _UNEXPLAINED * (2 + len(rows))
    return layout


def _slots(rows: Rows) -> Layout | None:
    """Numbered slots, one card each, in any order of columns; a ditto mark repeats the card of the slot before."""
    slots: dict[int, tuple[int, Name, Number]] = {}
    layout = Layout(one_each=True)
    for index, row in rows.items():
        numbers = [number for number in row.numbers if number.taken is None]
        if row.unread or len(numbers) < len(row.names):
            return None
        if not row.names and numbers:
            return None
        for name in row.names:
            before = [
                number for number in numbers if number.start < name.start and number not in layout.explained
            ]
            if not before or before[-1].value in slots:
                return None
            slots[before[-1].value] = (index, name, before[-1])
            layout.explained[before[-1]] = Taken.NUMBERING
        if any(number not in layout.explained for number in numbers):
            return None
    if len(slots) < LEAST_SLOTS or sorted(slots) != list(range(1, len(slots) + 1)):
        return None
    last: Name | None = None
    for slot in sorted(slots):
        index, name, _number = slots[slot]
        if not name.cards:
            if last is None:
                return None
            name = Name(last.cards, name.start, name.end)
        last = name
        layout.placed.setdefault(index, []).append(Placed(name, None))
    layout.cost = -3.0
    return layout
