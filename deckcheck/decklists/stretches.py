"""The smaller stretches that a stretch of a line can be read as."""

from collections.abc import Iterator
from typing import NamedTuple

from deckcheck.decklists.cuts import cuts
from deckcheck.decklists.marks import zones_beside
from deckcheck.decklists.shapes import (
    GUESSABLE,
    counts_left,
    counts_right,
    ordinal,
    trim,
    unwrapped,
    without_bullet,
)
from deckcheck.decklists.vocabulary import Vocabulary

_HALVES = " // "


class Stretch(NamedTuple):
    """A part of a line that may be a card's name, and what was read beside it.

    `rank` is how odd the count is, `cut` where it was cut off something that
    may have been the name's (-1 where it wasn't), `quoted` whether it stands in 《》, `split` whether two zones are named for it.
    """

    start: int
    end: int
    copies: int | None
    rank: int
    number: int | None
    zone: str | None
    loose: bool
    cut: tuple[int, int]
    quoted: bool = False
    split: bool = False


def _shorter(state: Stretch, start: int, end: int) -> Stretch:
    left, right = state.cut
    return state._replace(
        start=start,
        end=end,
        cut=(start if start > state.start else left, end if end < state.end else right),
    )


def simpler(words: Vocabulary, shape: str, state: Stretch) -> Iterator[Stretch]:
    """The same stretch without a count, a bullet or the brackets around it."""
    start, end = state.start, state.end
    for inner in unwrapped(shape, start, end):
        quoted = state.quoted or shape[start] == "《" or shape[end - 1] == "》"
        yield state._replace(start=inner[0], end=inner[1], quoted=quoted)
    for behind in without_bullet(shape, start, end):
        yield _shorter(state, behind, end)
    if state.copies is not None:
        return
    numbered = ordinal(shape, start, end) if state.number is None else None
    if numbered is not None:
        number, at = numbered
        yield state._replace(start=trim(shape, at, end)[0], number=number)
    for find in (counts_left, counts_right):
        for found in find(words.counts, shape, start, end):
            # Digits within 《》 belong to the name unless they say plainly what they are.
            if state.quoted and found.rank > 1:
                continue
            yield state._replace(start=found.start, end=found.end, copies=found.copies, rank=found.rank)


def cut_down(words: Vocabulary, line: str, shape: str, state: Stretch) -> Iterator[tuple[Stretch, bool]]:
    """The stretch without a note, a comment, a price, a set's code or a zone's mark; and how sure that is."""
    start, end = state.start, state.end
    if start >= end:
        return
    notes = words.notes
    for first, last, said, sure in cuts(shape, line, start, end):
        zones = zones_beside(words, said) if said else ()
        shorter = _shorter(state, first, last)
        if zones:
            split = state.split or {state.zone, *zones} - {None, zones[0]} != set()
            yield shorter._replace(zone=zones[0], split=split), True
        elif sure and shape.startswith(_HALVES, last, end) and not words.fold("/"):
            # Where names may be joined so, what stands behind may be the other half of one that nobody knows.
            yield shorter, False
        else:
            yield shorter, sure or said.strip() in notes
    for note in notes:
        if shape.startswith(note, start, end):
            at = trim(shape, start + len(note), end, " \t:")[0]
            yield _shorter(state, at, end), False
        if shape.endswith(note, start, end):
            at = trim(shape, start, end - len(note))[1]
            yield _shorter(state, start, at), False
    if state.zone is None:
        yield from _marked(words, shape, state)


_JOINTS = (" ", "\t", ",", "、", "→", "-", "|")


def _marked(words: Vocabulary, shape: str, state: Stretch) -> Iterator[tuple[Stretch, bool]]:
    start, end = state.start, state.end
    joined = ":" in shape[start:end] or "=" in shape[start:end]
    for word, zone in words.prefixes if joined else ():
        if shape.startswith(word, start, end):
            at = trim(shape, start + len(word), end)[0]
            if at < end and shape[at] in ":=":
                at = trim(shape, at + 1, end)[0]
                yield _shorter(state, at, end)._replace(zone=zone), True
    for word, zone in words.marks:
        behind = start + len(word)
        if shape.startswith(word, start, end) and shape[behind : behind + 1] in _JOINTS:
            at = trim(shape, behind, end, " \t,、→>|-")[0]
            if shape[behind:at].strip(" \t"):
                yield _shorter(state, at, end)._replace(zone=zone), True
        if shape.startswith(word, start, end) and shape[behind : behind + 1] in " \t《「『":
            at = trim(shape, start + len(word), end)[0]
            yield _shorter(state, at, end)._replace(zone=zone, loose=True), False
        if shape.endswith(word, start, end) and end - len(word) > start:
            at = trim(shape, start, end - len(word), " \t:-")[1]
            yield _shorter(state, start, at)._replace(zone=zone, loose=True), False


def plainest(words: Vocabulary, shape: str, state: Stretch) -> Stretch:
    """The stretch without its bullet, its brackets and, if it has one to believe in, its count."""
    for _ in range(8):
        start, end = state.start, state.end
        inner = next(unwrapped(shape, start, end), None)
        if inner is not None:
            state = state._replace(start=inner[0], end=inner[1])
            continue
        behind = next(without_bullet(shape, start, end), None)
        if behind is not None:
            state = state._replace(start=behind)
            continue
        if state.copies is not None:
            break
        counts = [
            found
            for find in (counts_left, counts_right)
            for found in find(words.counts, shape, start, end)
            if found.rank < GUESSABLE and found.start < found.end
        ]
        numbered = ordinal(shape, start, end) if state.number is None else None
        if numbered is not None:
            state = state._replace(number=numbered[0], start=trim(shape, numbered[1], end)[0])
        elif counts:
            best = min(counts, key=lambda found: found.rank)
            state = state._replace(start=best.start, end=best.end, copies=best.copies, rank=best.rank)
        else:
            break
    return state
