"""Cells and heads of tables: how a line is split, what a column holds by its head, and which columns tell a zone."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Literal, NamedTuple

from deckcheck.decklists.lexer import compiled, shape_of, trim
from deckcheck.decklists.line import Line
from deckcheck.decklists.vocabulary import NOT_PLAYED, TWO_ZONES, Vocabulary, heading_of, is_label, pieces
from deckcheck.support.messages import _

Role = Literal["name", "count", "zone", "other"]
ZoneRole = Literal["zone", "kind", "flag", "near", "open"]
Named = Callable[[str], Collection[object]]

MOST_CELLS = 64
_LONGEST_HEAD = 40
_LONGEST_CELL = 400
_BAR = r"\t|(?:(?<=[ \t])|^)\|(?=[ \t]|$)"
_TIGHT = r"[\t|]"


def split_row(line: str, shape: str, names: Iterable[tuple[int, int]] = ()) -> tuple[str, ...]:
    """The cells of a line that tabs or bars part; a bar within one of `names` parts nothing."""
    start, end = trim(shape, 0, len(shape))
    # A row may be fenced with bars: between two of them these part cells without a blank, too.
    fenced = end - start > 2 and shape[start] == "|" == shape[end - 1]
    if fenced:
        start, end = trim(shape, start + 1, end - 1)
    pattern = compiled(_BAR if compiled(_BAR).search(shape, start, end) else _TIGHT)
    kept = tuple(names)
    bars = [
        found.span()
        for found in pattern.finditer(shape, start, end)
        if not any(first <= found.start() < last for first, last in kept)
    ]
    begins, ends = [start, *(last for _first, last in bars)], [*(first for first, _last in bars), end]
    places = [trim(shape, first, last) for first, last in zip(begins, ends, strict=True)]
    if not fenced and places[0][0] >= places[0][1]:
        places = places[1:]
    if not fenced and places and places[-1][0] >= places[-1][1]:
        places = places[:-1]
    return tuple(line[first:last] for first, last in places)


def column_role(words: Vocabulary, head: str) -> Role:
    """What the column under `head` holds."""
    folded = words.fold(head) if len(head) < _LONGEST_HEAD else ""
    # "name 2" heads a second column of names.
    role = words.columns.get(folded) or words.columns.get(folded.rstrip("23456789"))
    return "count" if role == "count" else "name" if role == "name" else "zone" if role == "zone" else "other"


def roles_of(words: Vocabulary, head: Sequence[str]) -> list[Role]:
    """What the columns under a head hold."""
    return [column_role(words, shape_of(cell).strip()) for cell in head]


def is_head(words: Vocabulary, row: Sequence[str]) -> bool:
    """Whether a row says what the columns below it hold: names of cards, or the cards or counts of zones."""
    roles = roles_of(words, row)
    if sum(bool(cell.strip()) for cell in row) < 2 or "name" in roles:
        return "name" in roles and len(row) > 1
    zones = [zone_headed(words, cell) for cell in row if cell.strip()]
    known = zones.count(None) == roles.count("count")
    return known and len({*zones} - {None}) > ("count" not in roles)


def zone_headed(words: Vocabulary, head: str) -> str | None:
    """The zone whose word heads a column, None for any other head."""
    return words.zones.get(words.fold(head)) if len(head) < _LONGEST_HEAD else None


def count_in(words: Vocabulary, cell: str) -> int | None:
    """The count that a cell holds alone (`4`, `x4`, with a counter); None for any other cell."""
    found = compiled(words.patterns.alone).fullmatch(shape_of(cell).strip())
    return (int(found["n"]) if len(found["n"]) < 9 else 10**9) if found else None


class ZoneColumn(NamedTuple):
    """A column that may tell the zone of the cards in its rows.

    `role`: it is there for that ("zone"); it sorts the cards and may name a zone
    among other things ("kind"); its head is the word for `zone` and its cells
    say yes or no ("flag", with the cells that do so); unknown ("open"), though
    its head holds a zone's word ("near"). `of` is which of a row's cards it speaks of, None for each. Where a column
    is `merged`, an empty cell may mean the zone above it.
    """

    at: int
    head: str
    role: ZoneRole
    zone: str = ""
    yes: frozenset[str] = frozenset()
    no: frozenset[str] = frozenset()
    of: int | None = None
    merged: bool = False


def zone_role(words: Vocabulary, head: str) -> tuple[ZoneRole, str] | None:
    """How the column under a head may tell a zone, with the zone of a "flag"; None where it holds something else."""
    folded = words.fold(head) if len(head) < _LONGEST_HEAD else ""
    role = words.columns.get(folded)
    if role is not None:
        return ("zone", "") if role == "zone" else ("kind", "") if role == "kind" else None
    zone = words.zones.get(folded)
    if zone is not None:
        return "flag", zone
    if folded in words.totals or (folded and is_label(words, folded, words.facts)):
        return None
    return ("near" if _holds_word(words, shape_of(head).casefold()) else "open"), ""


def zone_columns(
    words: Vocabulary,
    heads: Sequence[str],
    columns: Sequence[Collection[str]],
    names: Sequence[int],
    counts: Collection[int] = (),
    zones: Collection[int] = (),
) -> tuple[ZoneColumn, ...]:
    """The columns that may tell a zone, by their heads; `columns` are the cells that stand below each.

    `names`, `counts` and `zones` are the columns known to hold those. Where numbers of copies
    stand under the word for a zone, a 1 under another such word is no yes.
    """
    folded = [words.fold(head) for head in heads]
    of_zones = [at for at, word in enumerate(folded) if word in words.zones]
    copies = not set(counts).isdisjoint(of_zones) or any(
        count_in(words, cell) and _folded(cell) not in _ONE for at in of_zones for cell in columns[at]
    )
    found: list[ZoneColumn] = []
    for at, head in enumerate(heads):
        known: tuple[ZoneRole, str] | None = ("zone", "") if at in zones else zone_role(words, head)
        if known is None or at in names:
            continue
        role, zone = known
        same = [other for other, word in enumerate(folded) if word == folded[at]]
        of = same.index(at) if len(same) == len(names) > 1 else None
        yes, no = frozenset[str](), frozenset[str]()
        if at in counts:
            if role != "near" and (role != "flag" or zone == words.default):
                continue
        elif role == "flag":
            yes, no = _answers(columns[at], numbers=not copies and not counts)
        filled = [bool(cell.strip()) for cell in columns[at]]
        merged = role == "zone" and filled[:1] == [True] and not all(filled)
        found.append(ZoneColumn(at, head, role, zone, yes, no, of, merged))
    return tuple(found)


def _letter(at: int) -> str:
    """What a column without a head is called in a sheet."""
    return chr(ord("A") + at) if at < 26 else str(at + 1)


YES = frozenset({"true", "yes", "on"})
NO = frozenset({"false", "no", "off", "null", "~", ""})
"""What is a yes and a no in every notation."""

_YES = YES | frozenset("yo○◯〇●◎✓✔☑✅") | {"はい", "有", "あり"}
_NO = NO | NOT_PLAYED | frozenset("n-–—―ー")
_CHECKED = frozenset("x☒")
_CROSSED = frozenset("×✕✖")
_ONE, _ZERO = frozenset("1１"), frozenset("0０")


def _answers(cells: Collection[str], *, numbers: bool) -> tuple[frozenset[str], frozenset[str]]:
    """The cells of a column that say yes, and those that say no: a cross may be either, and a 1 one copy."""
    answers = set(map(_folded, cells))
    yes, no = (_YES | _ONE, _NO | _ZERO) if numbers else (_YES, _NO | _ZERO)
    if answers & yes:
        no |= _CROSSED
    elif len(answers & (_CHECKED | _CROSSED)) == 1:
        yes |= _CHECKED
    return yes, no


def _folded(cell: str) -> str:
    return cell.strip().casefold()


class _Meaning(NamedTuple):
    """The zones that a cell names; whether something in it is unknown, or a number stands beside a zone."""

    zones: frozenset[str] = frozenset()
    unclear: bool = False
    counted: bool = False


def _meaning(words: Vocabulary, cell: str) -> _Meaning:
    whole, parts = pieces(shape_of(cell))
    meaning = _part(words, whole)
    if meaning is not None or len(parts) < 2:
        return meaning or _Meaning(unclear=True)
    found = [_part(words, part) or _Meaning(unclear=True) for part in parts]
    zones = frozenset(zone for part in found for zone in part.zones)
    return _Meaning(zones, any(part.unclear for part in found), any(part.counted for part in found))


def _part(words: Vocabulary, part: str) -> _Meaning | None:
    part = part.strip()
    if not any(map(str.isalnum, part)):
        return _Meaning()
    folded = words.fold(part) if len(part) < _LONGEST_HEAD else ""
    if folded in words.zones:
        return _Meaning(frozenset({words.zones[folded]}))
    heading = heading_of(words, part)
    if heading is not None and heading.sort == "zone" and heading.zone:
        counted = heading.total is not None
        return _Meaning(frozenset({heading.zone}), counted, counted)
    if heading is not None or (folded and is_label(words, folded, words.facts)):
        return _Meaning()
    return None


_LONG_WORD = 4
"""A word of Latin letters as long as this is seen in others that it is joined to."""


def _holds_word(words: Vocabulary, shape: str) -> bool:
    """Whether a levelled text holds the word for a zone other than the first."""
    return any(
        word in shape
        and (
            not word.isascii()
            or len(word) >= _LONG_WORD
            or re.search(rf"(?<![0-9a-z]){re.escape(word)}(?![0-9a-z])", shape, re.ASCII) is not None
        )
        for word, zone in words.prefixes
        if zone != words.default and len(word) > 1
    )


_EMPTY = _("the cell for the zone is empty (write the zone into each row)")
_LONGEST_REMARK = 16


def _splits_copies(words: Vocabulary, meaning: _Meaning, cell: str) -> bool:
    """Whether a remark says how many of the copies are in another zone."""
    digits = len(cell) <= _LONGEST_REMARK and any(map(str.isdigit, cell))
    return digits and meaning.unclear and _holds_word(words, shape_of(cell).casefold())


def with_zone(
    words: Vocabulary, named: Named, entry: Line, columns: Sequence[ZoneColumn], cells: Sequence[str]
) -> Line:
    """An entry in the zone that the cells of its row name; as it was where they name none.

    Where they name it in a way that nobody can be sure of, it stands in a zone
    that isn't known, called like the cells. Where they name two, or hold what may
    be a number of copies, it can't be read.
    """
    if entry.kind != "entry":
        return entry
    found: dict[str, str] = {} if entry.zone is None else {entry.zone: entry.written}
    maybe: dict[str, str] = {}
    doubts: list[str] = []
    elsewhere = ""
    is_unknown = False
    empty = ""
    # What isn't in the deck may be a remark on any card.
    marked = words.zone_ids & (words.beside | {entry.home})
    for column in columns:
        cell = cells[column.at].strip()[:_LONGEST_CELL] if column.at < len(cells) else ""
        if not cell:
            empty = f"{column.head or _letter(column.at)}?" if column.merged else empty
            continue
        shown = f"{column.head}: {cell}" if column.head else f"{cell}?"
        answer, role = _folded(cell), column.role
        copies = count_in(words, cell) if role in ("flag", "near") else None
        if role == "flag":
            first = column.zone == words.default
            if answer in column.yes or words.zones.get(words.fold(cell)) == column.zone:
                found[column.zone] = shown
                continue
            if answer in column.no or copies == 0:
                elsewhere = shown if first else elsewhere
                continue
            if not first and copies is None:
                doubts.append(shown)
                continue
            # Under the first zone's word it may be a count, or the name of the deck.
            role = "open" if first else "near"
        if role == "near" and copies:
            why = _(
                "it isn't clear whether {number} under “{head}” is a number of copies",
                number=cell,
                head=column.head or _letter(column.at),
            )
            return entry._replace(kind="invalid", why=why)
        if role == "near" and answer in _YES | _CHECKED:
            doubts.append(shown)
            continue
        folded = words.fold(cell)
        # Nearly no cell holds the word for a zone, and a table may have very many of them.
        if role != "zone" and not any(word in folded for word in words.zones):
            continue
        meaning = _meaning(words, cell)
        others = dict.fromkeys((meaning.zones & marked) - {words.default}, shown)
        if role == "zone":
            found.update(dict.fromkeys(meaning.zones, shown))
            if meaning.unclear:
                doubts.append(cell)
                is_unknown = True
        elif (role == "kind" and meaning.counted and others) or _splits_copies(words, meaning, cell):
            doubts.append(shown)
        elif role == "kind":
            several = len(meaning.zones & marked) > 1
            found.update(dict.fromkeys(meaning.zones, shown) if several else others)
        elif not named(cell):
            maybe.update(others)
    if maybe.keys() - found.keys() - {entry.home}:
        doubts += maybe.values()
    if len(found) > 1:
        return entry._replace(kind="invalid", why=TWO_ZONES)
    if elsewhere and not found:
        doubts.append(elsewhere)
    if empty:
        return entry._replace(zone=empty, known=False, why=_EMPTY)
    if doubts:
        doubt = " / ".join(dict.fromkeys(doubts))
        said = _("it isn't clear which zone “{text}” means", text=doubt)
        return entry._replace(zone=doubt, known=False, why=None if is_unknown else said)
    if not found or entry.zone in found:
        return entry
    return entry._replace(zone=next(iter(found)), known=True)
