"""Cells and heads of tables: splitting rows, the roles of columns by their heads, columns of zones."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from deckcheck.decklists.lexer import compiled, shape_of, trim
from deckcheck.decklists.line import Line
from deckcheck.decklists.vocabulary import (
    NOT_PLAYED,
    TWO_ZONES,
    Vocabulary,
    contains_zone_word,
    heading_of,
    is_label,
    phrases,
)
from deckcheck.model.finding import ASIDE
from deckcheck.support.messages import Words, _

Role = Literal["name", "count", "zone", "other"]
ZoneRole = Literal["zone", "kind", "flag", "used", "near", "open", "other"]
FindCards = Callable[[str], Collection[object]]

MOST_CELLS = 64
_LONGEST_HEAD = 40
_LONGEST_CELL = 400
_BAR = r"\t|(?:(?<=[ \t])|^)\|(?=[ \t]|$)"
_TIGHT = r"[\t|]"


def split_row(line: str, shape: str, names: Iterable[tuple[int, int]] = ()) -> tuple[str, ...]:
    """The cells of a line, separated by tabs or bars; bars within the spans in `names` don't separate."""
    start, end = trim(shape, 0, len(shape))
    # In a row enclosed in bars, they separate cells even without blanks around them.
    fenced = end - start > 2 and shape[start] == "|" == shape[end - 1]
    if fenced:
        start, end = trim(shape, start + 1, end - 1)
    pattern = compiled(_BAR if compiled(_BAR).search(shape, start, end) else _TIGHT)
    name_spans = tuple(names)
    bars = [
        bar.span()
        for bar in pattern.finditer(shape, start, end)
        if not any(first <= bar.start() < last for first, last in name_spans)
    ]
    begins, ends = [start, *(last for _first, last in bars)], [*(first for first, _last in bars), end]
    places = [trim(shape, first, last) for first, last in zip(begins, ends, strict=True)]
    if not fenced and places[0][0] >= places[0][1]:
        places = places[1:]
    if not fenced and places and places[-1][0] >= places[-1][1]:
        places = places[:-1]
    return tuple(line[first:last] for first, last in places)


def column_role(words: Vocabulary, head: str) -> Role:
    """The role of the column under `head`."""
    folded = words.fold(head) if len(head) < _LONGEST_HEAD else ""
    # "name 2" is the head of a second column of names.
    role = words.columns.get(folded) or words.columns.get(folded.rstrip("23456789"))
    return "count" if role == "count" else "name" if role == "name" else "zone" if role == "zone" else "other"


def roles_of(words: Vocabulary, head: Sequence[str]) -> list[Role]:
    """The roles of the columns under a row of heads."""
    return [column_role(words, shape_of(cell).strip()) for cell in head]


def is_head(words: Vocabulary, row: Sequence[str]) -> bool:
    """Whether a row holds column heads: for card names, or for the cards or counts of zones."""
    roles = roles_of(words, row)
    if sum(bool(cell.strip()) for cell in row) < 2 or "name" in roles:
        return "name" in roles and len(row) > 1
    cells = [cell for cell in row if cell.strip()]
    zones = {zone_of_head(words, cell) for cell in cells} - {None}
    # Other columns may sort the cards or hold facts about them.
    return len(zones) > ("count" not in roles) and all(is_known_head(words, cell) for cell in cells)


def is_known_head(words: Vocabulary, head: str) -> bool:
    """Whether the game defines this head, for a column or a zone."""
    folded = words.fold(head) if len(head) < _LONGEST_HEAD else ""
    return folded in words.columns or folded in words.zones


def zone_of_head(words: Vocabulary, head: str) -> str | None:
    """The zone that a column head names, None if it names none."""
    return words.zones.get(words.fold(head)) if len(head) < _LONGEST_HEAD else None


def count_in(words: Vocabulary, cell: str) -> int | None:
    """The count in a cell that holds nothing else (`4`, `x4`, with a counter); None for other cells."""
    match = compiled(words.patterns.alone).fullmatch(shape_of(cell).strip())
    return (int(match["n"]) if len(match["n"]) < 9 else 10**9) if match else None


class ZoneColumn(NamedTuple):
    """A column that may name the zone of the cards in its rows.

    `role`: "zone" for a column of zones; "kind" if it sorts the cards and may name zones among other things;
    "flag" if its head names `zone` and its cells say yes or no (those in `yes` and `no`); "used" if they say
    whether the card is in the deck; "near" if its head
    contains a zone word; "other" if its cells name no zone, but say which cards aren't in the deck; "open" for
    anything else. `card` is the index of the card of the row that it applies to,
    None for all. In a `merged` column an empty cell may mean the zone above it.
    """

    at: int
    head: str
    role: ZoneRole
    zone: str = ""
    yes: frozenset[str] = frozenset()
    no: frozenset[str] = frozenset()
    card: int | None = None
    merged: bool = False


def zone_role(words: Vocabulary, head: str) -> tuple[ZoneRole, str] | None:
    """The role of the column under a head, with the zone of a "flag"; None if it can't name a zone."""
    folded = words.fold(head) if len(head) < _LONGEST_HEAD else ""
    role = words.columns.get(folded)
    if role is not None:
        known: Mapping[str, ZoneRole] = {"zone": "zone", "kind": "kind", "used": "used"}
        return (known[role], "") if role in known else None
    zone = words.zones.get(folded)
    if zone is not None:
        return "flag", zone
    if folded in words.totals or (folded and is_label(words, folded, words.facts)):
        return None
    return ("near" if contains_zone_word(words, shape_of(head).casefold()) else "open"), ""


def zone_columns(
    words: Vocabulary,
    heads: Sequence[str],
    columns: Sequence[Collection[str]],
    names: Sequence[int],
    counts: Collection[int] = (),
    zones: Collection[int] = (),
) -> tuple[ZoneColumn, ...]:
    """The columns that may name a zone, by their heads; `columns` are the cells below each head.

    `names`, `counts` and `zones` are the columns known to hold those. Where one zone's column holds numbers
    of copies, a 1 in another one doesn't mean yes.
    """
    folded = [words.fold(head) for head in heads]
    of_zones = [at for at, word in enumerate(folded) if word in words.zones]
    copies = not set(counts).isdisjoint(of_zones) or any(
        count_in(words, cell) and _folded(cell) not in _ONE for at in of_zones for cell in columns[at]
    )
    result: list[ZoneColumn] = []
    for at, head in enumerate(heads):
        known: tuple[ZoneRole, str] | None = ("zone", "") if at in zones else zone_role(words, head)
        if known is None and any(words.fold(cell) in words.unused for cell in columns[at]):
            known = "other", ""
        if known is None or at in names or not any(map(str.strip, columns[at])):
            continue
        role, zone = known
        if _may_say_use(words, folded[at], role, columns[at]):
            role = "used"
        same = [other for other, word in enumerate(folded) if word == folded[at]]
        card = same.index(at) if len(same) == len(names) > 1 else None
        yes, no = frozenset[str](), frozenset[str]()
        if at in counts:
            if role != "near" and (role != "flag" or zone == words.default):
                continue
        elif role in ("flag", "used"):
            yes, no = _yes_and_no(columns[at], numbers=role == "used" or (not copies and not counts))
        filled = [bool(cell.strip()) for cell in columns[at]]
        merged = role == "zone" and filled[:1] == [True] and not all(filled)
        result.append(ZoneColumn(at, head, role, zone, yes, no, card, merged))
    return tuple(result)


def _may_say_use(words: Vocabulary, head: str, role: ZoneRole, cells: Iterable[str]) -> bool:
    """Whether a column without a head, or under a word for the whole deck, may say which cards are in it."""
    if role != "open" if not head else role != "kind" or words.zones.get(head) != words.default:
        return False
    answers = {_folded(cell) for cell in cells} - {""}
    return bool(answers & _UNUSED) and answers <= _YES | _CROSSED | _UNUSED


def _column_letter(at: int) -> str:
    """The letter that a spreadsheet gives a column (its number from 27 on)."""
    return chr(ord("A") + at) if at < 26 else str(at + 1)


YES = frozenset({"true", "yes", "on"})
NO = frozenset({"false", "no", "off", "null", "~", ""})
"""The values for yes and no in every notation."""

_YES = YES | frozenset("yo○◯〇●◎✓✔☑✅") | {"はい", "有", "あり"}
_NO = NO | NOT_PLAYED | frozenset("n-–—―ー")
_CHECKED = frozenset("x☒")
_CROSSED = frozenset("×✕✖")
_UNUSED = frozenset({"false", "no", "☐"})
_ONE, _ZERO = frozenset("1１"), frozenset("0０")


def _yes_and_no(cells: Collection[str], *, numbers: bool) -> tuple[frozenset[str], frozenset[str]]:
    """The values that mean yes and no in a column; a cross may be either, 1 only if `numbers` are answers."""
    answers = set(map(_folded, cells))
    yes, no = (_YES | _ONE, _NO | _ZERO) if numbers else (_YES, _NO | _ZERO)
    if answers & yes:
        no |= _CROSSED
    elif len(answers & (_CHECKED | _CROSSED)) == 1:
        yes |= _CHECKED
    return yes, no


def _folded(cell: str) -> str:
    return cell.strip().casefold()


class _CellZones(NamedTuple):
    """The zones that a cell names; whether part of it is `unclear`, and whether a zone is `counted`."""

    zones: frozenset[str] = frozenset()
    unclear: bool = False
    counted: bool = False


def _zones_in(words: Vocabulary, cell: str) -> _CellZones:
    whole, parts = phrases(shape_of(cell))
    meaning = _zones_in_part(words, whole)
    if meaning is not None or len(parts) < 2:
        return meaning or _CellZones(unclear=True)
    meanings = [_zones_in_part(words, part) or _CellZones(unclear=True) for part in parts]
    zones = frozenset(zone for part in meanings for zone in part.zones)
    return _CellZones(zones, any(part.unclear for part in meanings), any(part.counted for part in meanings))


def _zones_in_part(words: Vocabulary, part: str) -> _CellZones | None:
    part = part.strip()
    if not any(map(str.isalnum, part)):
        return _CellZones()
    folded = words.fold(part) if len(part) < _LONGEST_HEAD else ""
    if folded in words.zones:
        return _CellZones(frozenset({words.zones[folded]}))
    heading = heading_of(words, part)
    if heading is not None and heading.sort == "zone" and heading.zone:
        counted = heading.total is not None
        return _CellZones(frozenset({heading.zone}), counted, counted)
    if heading is not None or (folded and is_label(words, folded, words.facts)):
        return _CellZones()
    return None


_EMPTY = _("the cell for the zone is empty (write the zone into each row)")
_LONGEST_REMARK = 16


def _in_deck_or_not(text: str) -> Words:
    return _("it isn't clear whether “{text}” means that the card is in the deck", text=text)


def _splits_copies(words: Vocabulary, meaning: _CellZones, cell: str) -> bool:
    """Whether a short remark seems to say how many of the copies are in another zone."""
    digits = len(cell) <= _LONGEST_REMARK and any(map(str.isdigit, cell))
    return digits and meaning.unclear and contains_zone_word(words, shape_of(cell).casefold())


def with_zone(
    words: Vocabulary, find_cards: FindCards, entry: Line, columns: Sequence[ZoneColumn], cells: Sequence[str]
) -> Line:
    """The entry with the zone that the cells of its row name; unchanged if they name none.

    A card that isn't in the deck, as they say, gets a zone of its own and the key ASIDE. If the cells are
    unclear, the zone is unknown and has their text as its name. If they name two zones, or
    one may be a number of copies, the line is invalid.
    """
    if entry.kind != "entry":
        return entry
    zones: dict[str, str] = {} if entry.zone is None else {entry.zone: entry.written}
    maybe: dict[str, str] = {}
    doubts: list[str] = []
    not_default = ""
    is_unknown = False
    empty = ""
    # Any card may carry a remark that it isn't in the deck.
    marked = words.zone_ids & (words.markable_zones | {entry.home})
    for column in columns:
        cell = cells[column.at].strip()[:_LONGEST_CELL] if column.at < len(cells) else ""
        if column.role == "used":
            answer = _folded(cell)
            if cell and answer in column.no and column.head:
                return entry._replace(zone=f"{column.head}: {cell}", key=ASIDE)
            if answer not in column.yes:
                text = f"{column.head or _column_letter(column.at)}: {cell}"
                return entry._replace(kind="invalid", why=_in_deck_or_not(text))
            continue
        if not cell:
            empty = f"{column.head or _column_letter(column.at)}?" if column.merged else empty
            continue
        shown = f"{column.head}: {cell}" if column.head else f"{cell}?"
        answer, role, folded = _folded(cell), column.role, words.fold(cell)
        if folded in words.unused and not find_cards(cell):
            zones[words.zones[folded]] = shown
            continue
        if role == "other":
            continue
        copies = count_in(words, cell) if role in ("flag", "near") else None
        if role == "flag":
            first = column.zone == words.default
            if answer in column.yes or words.zones.get(folded) == column.zone:
                zones[column.zone] = shown
                continue
            if answer in column.no or copies == 0:
                not_default = shown if first else not_default
                continue
            if not first and copies is None:
                doubts.append(shown)
                continue
            # Under the word for the default zone it may be a count or the name of the deck.
            role = "open" if first else "near"
        if role == "near" and copies:
            why = _(
                "it isn't clear whether {number} under “{head}” is a number of copies",
                number=cell,
                head=column.head or _column_letter(column.at),
            )
            return entry._replace(kind="invalid", why=why)
        if role == "near" and answer in _YES | _CHECKED:
            doubts.append(shown)
            continue
        # A shortcut: hardly any cell contains a zone word.
        if role != "zone" and not any(word in folded for word in words.zones):
            continue
        meaning = _zones_in(words, cell)
        others = dict.fromkeys((meaning.zones & marked) - {words.default}, shown)
        if role != "zone" and not meaning.zones.isdisjoint(words.aside) and not find_cards(cell):
            # The word may also sort cards that are in the deck.
            doubts.append(shown)
        elif role == "zone":
            zones.update(dict.fromkeys(meaning.zones, shown))
            if meaning.unclear:
                doubts.append(cell)
                is_unknown = True
        elif (role == "kind" and meaning.counted and others) or _splits_copies(words, meaning, cell):
            doubts.append(shown)
        elif role == "kind":
            several = len(meaning.zones & marked) > 1
            zones.update(dict.fromkeys(meaning.zones, shown) if several else others)
        elif not find_cards(cell):
            maybe.update(others)
    if maybe.keys() - zones.keys() - {entry.home}:
        doubts += maybe.values()
    if len(zones) > 1:
        return entry._replace(kind="invalid", why=TWO_ZONES)
    if not_default and not zones:
        doubts.append(not_default)
    if empty:
        return entry._replace(zone=empty, known=False, why=_EMPTY)
    if doubts:
        doubt = " / ".join(dict.fromkeys(doubts))
        message = _("it isn't clear which zone “{text}” means", text=doubt)
        return entry._replace(zone=doubt, known=False, why=None if is_unknown else message)
    if not zones or entry.zone in zones:
        return entry
    return entry._replace(zone=next(iter(zones)), known=True)
