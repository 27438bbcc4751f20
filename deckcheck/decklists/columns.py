"""What the cells beside a card tell of its zone, and where they could tell it but don't do so clearly."""

import re
from collections.abc import Callable, Collection, Sequence
from typing import Literal, NamedTuple

from deckcheck.decklists.seen import Seen
from deckcheck.decklists.shapes import compiled, shape_of
from deckcheck.decklists.vocabulary import TWO_ZONES, Vocabulary, heading_of, is_label, pieces
from deckcheck.support.messages import Words, _

How = Literal["zone", "kind", "flag", "near", "open"]
Named = Callable[[str], Collection[object]]

_LONGEST_HEAD = 40
_LONGEST_CELL = 400


class Teller(NamedTuple):
    """A column that may tell the zone of the cards in its rows.

    `how`: it is there for that ("zone"); it sorts the cards and may name a zone
    among other things ("kind"); its head is the word for `zone` and its cells
    say yes or no ("flag", with the cells that do so); nobody knows ("open"), though
    its head holds a zone's word ("near"). `of` is which of a row's cards it speaks of, None for each.
    """

    at: int
    head: str
    how: How
    zone: str = ""
    yes: frozenset[str] = frozenset()
    no: frozenset[str] = frozenset()
    of: int | None = None


def how_told(words: Vocabulary, head: str) -> tuple[How, str] | None:
    """How what stands under this head may tell a zone, and the zone of a "flag"; None where it holds something else."""
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


def tellers_of(
    words: Vocabulary,
    heads: Sequence[str],
    columns: Sequence[Collection[str]],
    names: Sequence[int],
    counts: Collection[int] = (),
) -> tuple[Teller, ...]:
    """The columns that may tell a zone, by their heads; `columns` are the cells that stand below each.

    `names` and `counts` are the columns that hold those. Where numbers of copies
    stand under the word for a zone, a 1 under another such word is no yes.
    """
    folded = [words.fold(head) for head in heads]
    of_zones = [at for at, word in enumerate(folded) if word in words.zones]
    copies = not set(counts).isdisjoint(of_zones) or any(
        _copies(words, cell) and _said(cell) not in _ONE for at in of_zones for cell in columns[at]
    )
    found: list[Teller] = []
    for at, head in enumerate(heads):
        told = None if at in names else how_told(words, head)
        if told is None:
            continue
        same = [other for other, word in enumerate(folded) if word == folded[at]]
        of = same.index(at) if len(same) == len(names) > 1 else None
        how, zone = told
        if at in counts:
            if how == "near" or (how == "flag" and zone != words.default):
                found.append(Teller(at, head, how, zone, of=of))
        elif how == "flag":
            yes, no = _answers(columns[at], numbers=not copies and not counts)
            found.append(Teller(at, head, "flag", zone, yes, no, of))
        else:
            found.append(Teller(at, head or _letter(at), how, of=of))
    return tuple(found)


def _letter(at: int) -> str:
    """What a column without a head is called in a sheet."""
    return chr(ord("A") + at) if at < 26 else str(at + 1)


YES = frozenset({"true", "yes", "on"})
NO = frozenset({"false", "no", "off", "null", "~", ""})
"""What is a yes and a no in every notation."""

_YES = YES | frozenset("yo○◯〇●◎✓✔☑✅") | {"はい", "有", "あり"}
_NO = NO | frozenset("n-–—―ー☐✗✘❌") | {"いいえ", "無", "なし", "none"}
_CHECKED = frozenset("x☒")
_CROSSED = frozenset("×✕✖")
_ONE, _ZERO = frozenset("1１"), frozenset("0０")


def _answers(cells: Collection[str], *, numbers: bool) -> tuple[frozenset[str], frozenset[str]]:
    """The cells of a column that say yes, and those that say no: a cross may be either, and a 1 one copy."""
    said = {_said(cell) for cell in cells}
    yes, no = _YES | _ONE if numbers else _YES, _NO | _ZERO
    if said & yes:
        no |= _CROSSED
    elif len(said & (_CHECKED | _CROSSED)) == 1:
        yes |= _CHECKED
    return yes, no


def _said(cell: str) -> str:
    return cell.strip().casefold()


def _copies(words: Vocabulary, cell: str) -> bool | None:
    """Whether a cell that holds nothing but a number of copies has more than none; None for any other cell."""
    found = compiled(words.counts.alone).fullmatch(shape_of(cell).strip())
    return None if found is None else found["n"].strip("0") != ""


class _Read(NamedTuple):
    """The zones that a cell names; whether there is something in it that nobody knows, or a number beside a zone."""

    zones: frozenset[str]
    unclear: bool
    counted: bool = False


_NOTHING = _Read(frozenset(), False)


def _read(words: Vocabulary, cell: str) -> _Read:
    bare, parts = pieces(shape_of(cell))
    whole = _part(words, bare)
    if whole is not None:
        return whole
    if len(parts) < 2:
        return _Read(frozenset(), True)
    found = [_part(words, part) or _Read(frozenset(), True) for part in parts]
    return _Read(
        frozenset().union(*(one.zones for one in found)),
        any(one.unclear for one in found),
        any(one.counted for one in found),
    )


def _part(words: Vocabulary, part: str) -> _Read | None:
    part = part.strip()
    if not any(map(str.isalnum, part)):
        return _NOTHING
    folded = words.fold(part) if len(part) < _LONGEST_HEAD else ""
    if folded in words.zones:
        return _Read(frozenset({words.zones[folded]}), False)
    heading = heading_of(words, part)
    if heading is not None and heading.sort == "zone" and heading.zone:
        counted = heading.total is not None
        return _Read(frozenset({heading.zone}), counted, counted)
    if heading is not None or (folded and is_label(words, folded, words.facts)):
        return _NOTHING
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


def _may_name(words: Vocabulary, cell: str) -> bool:
    """Whether a cell holds the word for any zone: nearly none does, and a table may have very many of them."""
    folded = words.fold(cell)
    return any(word in folded for word in words.zones)


def _maybe_copies(head: str, number: str) -> Words:
    return _("it isn't clear whether {number} under “{head}” is a number of copies", number=number, head=head)


def told_beside(
    words: Vocabulary, named: Named, seen: Seen, tellers: Sequence[Teller], cells: Sequence[str]
) -> Seen:
    """An entry in the zone that the cells of its row name; as it was where they name none.

    Where they name it in a way that nobody can be sure of, it stands in a zone
    that isn't known, called like the cells. Where they name two, or hold what may
    be a number of copies, it can't be read.
    """
    if seen.kind != "entry":
        return seen
    found: dict[str, str] = {} if seen.zone is None else {seen.zone: seen.written}
    maybe: dict[str, str] = {}
    doubts: list[str] = []
    elsewhere = ""
    # What isn't in the deck may be a remark on any card.
    marked = words.zone_ids & (words.beside | {seen.home})
    for teller in tellers:
        cell = cells[teller.at].strip()[:_LONGEST_CELL] if teller.at < len(cells) else ""
        if not cell:
            continue
        shown = f"{teller.head}: {cell}"
        said, how = _said(cell), teller.how
        if how == "flag":
            if said in teller.yes or words.zones.get(words.fold(cell)) == teller.zone:
                found[teller.zone] = shown
                continue
            first = teller.zone == words.default
            copies = _copies(words, cell)
            if said in teller.no or copies is False:
                elsewhere = shown if first else elsewhere
                continue
            if not first and copies is None:
                doubts.append(shown)
                continue
            # Under the first zone's word it may be a count, or the name of the deck.
            how = "open" if first else "near"
        if how == "near" and _copies(words, cell):
            return seen._replace(kind="invalid", why=_maybe_copies(teller.head, cell))
        if how == "near" and said in _YES | _CHECKED:
            doubts.append(shown)
            continue
        if how != "zone" and not _may_name(words, cell):
            continue
        read = _read(words, cell)
        others = dict.fromkeys((read.zones & marked) - {words.default}, shown)
        if how == "zone":
            found.update(dict.fromkeys(read.zones, shown))
            if read.unclear:
                doubts.append(cell)
        elif how == "kind":
            if read.counted and others:
                doubts.append(shown)
            elif len(read.zones & marked) > 1:
                found.update(dict.fromkeys(read.zones, shown))
            else:
                found.update(others)
        elif not named(cell):
            maybe.update(others)
    if maybe.keys() - found.keys() - {seen.home}:
        doubts += maybe.values()
    if len(found) > 1:
        return seen._replace(kind="invalid", why=TWO_ZONES)
    if elsewhere and not found:
        doubts.append(elsewhere)
    if doubts:
        return seen._replace(zone=" / ".join(dict.fromkeys(doubts)), known=False)
    if not found or seen.zone in found:
        return seen
    return seen._replace(zone=next(iter(found)), known=True)
