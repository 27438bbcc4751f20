"""One stretch of a line as a card and a count: every reading is tried, the card table decides."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from deckcheck.cards import Card, Catalogue
from deckcheck.decklists.shapes import (
    GUESSABLE,
    MOST_COPIES,
    clean,
    counts_left,
    counts_right,
    cuts,
    ordinal,
    trim,
    unwrapped,
    without_bullet,
)
from deckcheck.decklists.vocabulary import Vocabulary

_LONGEST_NAME = 240
_MOST_STATES = 160
_MOST_CUTS = 3


class Reading(NamedTuple):
    """A card and how many of it.

    `cards` is empty where the name isn't known, with several cards nobody can
    tell. `copies` is None where no count stands there, negative, 0 or absurd
    just as written; `most` differs from it only where two counts can be read.
    `number` is that of a numbered line; `zone` the one named on the line;
    `loose` is true where a bare word did that, so that it may be a title.
    """

    written: str
    cards: tuple[Card, ...]
    copies: int | None
    most: int | None
    start: int
    zone: str | None
    number: int | None
    loose: bool
    rank: int

    @property
    def countable(self) -> bool:
        """Whether the count is one that a deck can hold."""
        low, high = self.copies, self.most
        return low is None or high is None or (0 < low and high <= MOST_COPIES)


class _State(NamedTuple):
    start: int
    end: int
    copies: int | None
    rank: int
    number: int | None
    zone: str | None
    loose: bool
    cut: tuple[int, ...]
    quoted: bool = False


Read = Callable[[str, str, int, int], Reading | None]


class Reader(NamedTuple):
    """The readings of a stretch `start` to `end` of a line and its shape.

    `exactly` knows counts, bullets and brackets; `known` also cuts off what is
    no name; both give None where no reading names a known card. `guess` takes
    the most plausible reading without asking anybody; None where the stretch
    holds no letter or digit.
    """

    exactly: Read
    known: Read
    guess: Read
    name: Callable[[str], tuple[Card, ...]]


def make_reading(words: Vocabulary, catalogue: Catalogue) -> Reader:
    """The readings of a game's lines with a card table."""

    def find(text: str) -> tuple[Card, ...]:
        cards = catalogue.find(text)
        if cards or ("/" not in text and "／" not in text):
            return cards
        # All the faces of one physical card, written one after another.
        faces = [catalogue.find(part) for part in text.replace("／", "/").split("/", 8) if part.strip()]
        if len(faces) > 1 and all(len(face) == 1 and face[0] is faces[0][0] for face in faces):
            return faces[0]
        return ()

    def grow(first: list[_State], line: str, shape: str, seen: set[_State]) -> list[_State]:
        states: list[_State] = []
        while first and len(seen) < _MOST_STATES:
            state = first.pop()
            if state in seen or state.start >= state.end:
                continue
            seen.add(state)
            states.append(state)
            first.extend(_simpler(words, shape, state))
        return states

    def settled(states: list[_State], line: str, text: str) -> Reading | None:
        hits: dict[tuple[int, ...], list[tuple[_State, tuple[Card, ...]]]] = {}
        asked: dict[tuple[int, int], tuple[Card, ...]] = {}
        for state in states:
            span = (state.start, state.end)
            if span not in asked:
                asked[span] = find(text[slice(*span)]) if span[1] - span[0] <= _LONGEST_NAME else ()
            if asked[span]:
                hits.setdefault(state.cut, []).append((state, asked[span]))
        if not hits:
            return None
        best = max(hits.values(), key=lambda found: max(state.end - state.start for state, _ in found))
        return _merged(best, line)

    def search(line: str, shape: str, start: int, end: int, depth: int) -> Reading | None:
        start, end = trim(shape, start, end)
        text = clean(line)
        seen: set[_State] = set()
        states = grow([_State(start, end, None, 9, None, None, False, ())], line, shape, seen)
        for level in range(depth + 1):
            found = settled(states, line, text)
            if found is not None or level == depth:
                return found
            shorter = [cut for state in states for cut, _ in _cut(words, line, shape, state)]
            states = grow(shorter[:_MOST_STATES], line, shape, seen)
            if not states:
                return None
        return None

    def guess(line: str, shape: str, start: int, end: int) -> Reading | None:
        start, end = trim(shape, start, end)
        state = _State(start, end, None, 9, None, None, False, ())
        for _ in range(6):
            state = _plainest(words, shape, state)
            sure = [cut for cut, certain in _cut(words, line, shape, state) if certain and cut.start < cut.end]
            if not sure:
                break
            state = min(sure, key=lambda cut: cut.end - cut.start)
        first, last = state.start, state.end
        if not any(char.isalnum() for char in shape[first:last]):
            return None
        return Reading(
            line[first:last], (), state.copies, state.copies, first, state.zone, state.number, state.loose, state.rank
        )

    def name(text: str) -> tuple[Card, ...]:
        return find(clean(text)) if len(text) <= _LONGEST_NAME else ()

    return Reader(
        exactly=lambda line, shape, start, end: search(line, shape, start, end, 0),
        known=lambda line, shape, start, end: search(line, shape, start, end, _MOST_CUTS),
        guess=guess,
        name=name,
    )


def _simpler(words: Vocabulary, shape: str, state: _State) -> Iterator[_State]:
    """The same stretch without a count, a bullet or the brackets around it."""
    start, end = state.start, state.end
    inner = unwrapped(shape, start, end)
    if inner is not None:
        quoted = state.quoted or shape[start] == "《"
        yield state._replace(start=inner[0], end=inner[1], quoted=quoted)
    for behind in without_bullet(shape, start, end):
        yield state._replace(start=behind, cut=(*state.cut, behind))
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


def _cut(words: Vocabulary, line: str, shape: str, state: _State) -> Iterator[tuple[_State, bool]]:
    """The stretch without a note, a comment, a price, a set's code or a zone's mark; and how sure that is."""
    start, end = state.start, state.end
    if start >= end:
        return
    notes = words.notes
    for first, last, said, sure in cuts(shape, line, start, end):
        zone = _zone(words, said) if said else None
        shorter = state._replace(start=first, end=last, cut=(*state.cut, first, last))
        if zone is not None:
            yield shorter._replace(zone=zone), True
        else:
            yield shorter, sure or said.strip() in notes
    for note in notes:
        if shape.startswith(note, start, end):
            at = trim(shape, start + len(note), end, " \t:")[0]
            yield state._replace(start=at, cut=(*state.cut, at)), False
        if shape.endswith(note, start, end):
            at = trim(shape, start, end - len(note))[1]
            yield state._replace(end=at, cut=(*state.cut, at)), False
    if state.zone is None:
        yield from _marked(words, shape, state)


def _marked(words: Vocabulary, shape: str, state: _State) -> Iterator[tuple[_State, bool]]:
    start, end = state.start, state.end
    for word, zone in words.prefixes:
        if shape.startswith(word, start, end):
            at = trim(shape, start + len(word), end)[0]
            if at < end and shape[at] == ":":
                at = trim(shape, at + 1, end)[0]
                yield state._replace(start=at, zone=zone, cut=(*state.cut, at)), True
    for word, zone in words.marks:
        if shape.startswith(word, start, end) and shape[start + len(word) : start + len(word) + 1] in " \t《":
            at = trim(shape, start + len(word), end)[0]
            yield state._replace(start=at, zone=zone, loose=True, cut=(*state.cut, at)), False
        if shape.endswith(word, start, end) and end - len(word) > start:
            at = trim(shape, start, end - len(word), " \t:-")[1]
            yield state._replace(end=at, zone=zone, loose=True, cut=(*state.cut, at)), False


def _zone(words: Vocabulary, said: str) -> str | None:
    bare = said.strip(" \t:")
    return next((zone for word, zone in words.marks if word == bare), None)


def _merged(found: list[tuple[_State, tuple[Card, ...]]], line: str) -> Reading:
    """One reading of those that stand side by side; two counts or two names stay two."""
    longest = max(found, key=lambda hit: (hit[0].end - hit[0].start, -hit[0].rank))[0]
    alternatives = {(state.copies, cards): None for state, cards in found}
    if len(alternatives) > 1:
        # The same name with a count and without: the count is a count.
        counted = {cards for copies, cards in alternatives if copies is not None}
        alternatives = {pair: None for pair in alternatives if pair[0] is not None or pair[1] not in counted}
    cards = tuple({id(card): card for _, some in alternatives for card in some}.values())
    counts = {copies for copies, _ in alternatives}
    low = high = longest.copies
    if len(counts) > 1:
        said = [1 if copies is None else copies for copies in counts]
        low, high = min(said), max(said)
    rank = min(state.rank for state, _ in found)
    start, end = _name_only(line, longest.start, longest.end)
    return Reading(
        line[start:end],
        cards,
        low,
        high,
        start,
        longest.zone,
        longest.number,
        longest.loose,
        rank,
    )


def _name_only(line: str, start: int, end: int) -> tuple[int, int]:
    """The stretch without a bullet or a dash that names don't count, so that they were found all the same."""
    start, _ = trim(line, start, end, "・･- \t\u3000")
    if end - start > 2 and line[end - 1] in "-・･~:" and line[end - 2] in " \t\u3000":
        end = trim(line, start, end - 1, " \t\u3000")[1]
    return start, end


def _plainest(words: Vocabulary, shape: str, state: _State) -> _State:
    """The stretch without its bullet, its brackets and, if it has one to believe in, its count."""
    for _ in range(4):
        start, end = state.start, state.end
        behind = next(without_bullet(shape, start, end), None)
        if behind is not None:
            state = state._replace(start=behind)
            continue
        inner = unwrapped(shape, start, end)
        if inner is not None:
            state = state._replace(start=inner[0], end=inner[1])
            continue
        if state.copies is not None or end - start > 2000:
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
