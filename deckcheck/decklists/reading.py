"""One stretch of a line as a card and a count: every reading is tried, the card table decides."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from deckcheck.decklists.names import Cover, linked
from deckcheck.decklists.residue import Around, Beside, beside_pattern, judge
from deckcheck.decklists.shapes import MOST_COPIES, clean, trim
from deckcheck.decklists.stretches import Stretch, cut_down, plainest, simpler
from deckcheck.decklists.vocabulary import TWO_ZONES, Vocabulary, tagged, zones_beside
from deckcheck.model.card import Card, Catalog
from deckcheck.support.messages import Words

_LONGEST_NAME = 240
_MOST_STATES = 160
_MOST_CUTS = 3
_FLAG = "^"
_TAG = ("#", "//")


class Reading(NamedTuple):
    """A card and how many of it.

    `cards` is empty where the name isn't known, with several cards nobody can
    tell. `copies` is None where no count stands there, negative, 0 or absurd
    just as written; `most` differs from it only where two counts can be read.
    `number` is that of a numbered line; `zone` the one named on the line;
    `loose` is true where a bare word did that, so that it may be a title.
    `twice` tells that the count is said more than once. `trouble` says why the
    line can't be used though it names a known card.
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
    twice: bool = False
    trouble: Words | None = None

    @property
    def countable(self) -> bool:
        """Whether the count is one that a deck can hold."""
        low, high = self.copies, self.most
        return low is None or high is None or (low > 0 and high <= MOST_COPIES)


Read = Callable[[str, str, int, int], Reading | None]
Judge = Callable[[Stretch, tuple[Card, ...]], Beside | None]


class Reader(NamedTuple):
    """The readings of a stretch `start` to `end` of a line and its shape.

    `exactly` knows counts, bullets and brackets; `known` also cuts off what is
    no name; `named` does so too where the count stands elsewhere, so that every
    digit is the name's. All give None where no reading names a known card. `guess` takes
    the most plausible reading without asking anybody; None where the stretch
    holds no letter or digit.
    """

    exactly: Read
    known: Read
    named: Read
    guess: Read
    name: Callable[[str], tuple[Card, ...]]
    cover: Cover


def make_reading(words: Vocabulary, catalog: Catalog) -> Reader:
    """The readings of a game's lines with a card table."""
    pattern = beside_pattern(*words.around)

    def find(text: str) -> tuple[Card, ...]:
        return linked(catalog.find, text)

    def longer(name: str) -> bool:
        start = catalog.fold(f"{name}<")
        return start.endswith("<") and bool(catalog.beginning(start))

    def zones(text: str) -> tuple[str, ...]:
        return tagged(words, text) if text.startswith(_TAG) else zones_beside(words, text)

    def grow(first: list[Stretch], shape: str, seen: set[Stretch]) -> list[Stretch]:
        states: list[Stretch] = []
        while first and len(seen) < _MOST_STATES:
            state = first.pop()
            if state in seen or state.start >= state.end:
                continue
            seen.add(state)
            states.append(state)
            first.extend(simpler(words, shape, state))
        return states

    def settled(
        states: list[Stretch],
        line: str,
        text: str,
        asked: dict[tuple[int, int], tuple[Card, ...]],
        beside: Judge,
    ) -> Reading | None:
        hits: dict[tuple[int, int], list[tuple[Stretch, tuple[Card, ...]]]] = {}
        spoilt: list[tuple[Stretch, tuple[Card, ...], Beside]] = []
        twice = False
        for state in states:
            span = (state.start, state.end)
            if span not in asked:
                asked[span] = find(text[slice(*span)]) if span[1] - span[0] <= _LONGEST_NAME else ()
            if not asked[span]:
                continue
            said = beside(state, asked[span])
            if said is not None:
                if said.trouble is not None:
                    spoilt.append((state, asked[span], said))
                    continue
                twice = twice or said.twice
                state = state._replace(
                    copies=said.copies, number=said.number, zone=said.zone, loose=said.loose
                )
            hits.setdefault(state.cut, []).append((state, asked[span]))
        if hits:
            best = max(hits.values(), key=lambda found: max(state.end - state.start for state, _ in found))
            return _merged(best, line)._replace(twice=twice)
        if spoilt:
            state, cards, said = max(spoilt, key=lambda hit: hit[0].end - hit[0].start)
            return _merged([(state, cards)], line)._replace(trouble=said.trouble)
        return None

    def search(
        line: str, shape: str, start: int, end: int, depth: int, copies: int | None = None
    ) -> Reading | None:
        start, end = trim(shape, start, end)
        if end - start > 1 and not cover.occur(line, start, end):
            return None
        if depth and shape.endswith(_FLAG, start, end):
            start, end = trim(shape, start, _without_flag(shape, start, end))
        text = clean(line)
        seen: set[Stretch] = set()
        asked: dict[tuple[int, int], tuple[Card, ...]] = {}
        judged: dict[tuple[int, int], Beside] = {}
        spoilt: Reading | None = None

        def beside(state: Stretch, cards: tuple[Card, ...]) -> Beside | None:
            if state.cut == (-1, -1) and copies is None:
                return None
            span = (state.start, state.end)
            if span not in judged:
                around = Around(line, shape, state.start, state.end, cards, longer)
                judged[span] = judge(pattern, zones, find, around, start, end)
            return judged[span]

        states = grow([Stretch(start, end, copies, 9, None, None, False, (-1, -1))], shape, seen)
        for level in range(depth + 1):
            found = settled(states, line, text, asked, beside)
            if found is not None and found.trouble is None:
                return found
            spoilt = spoilt or found
            if level == depth:
                break
            shorter = [cut for state in states for cut, _ in cut_down(words, line, shape, state)]
            states = grow(shorter[:_MOST_STATES], shape, seen)
            if not states:
                break
        return spoilt

    def named(line: str, shape: str, start: int, end: int) -> Reading | None:
        found = search(line, shape, start, end, _MOST_CUTS, 1)
        return None if found is None or found.copies is not None else found

    def guess(line: str, shape: str, start: int, end: int) -> Reading | None:
        start, end = trim(shape, start, end)
        state = Stretch(start, end, None, 9, None, None, False, (-1, -1))
        for _ in range(6):
            state = plainest(words, shape, state)
            sure = [
                cut for cut, certain in cut_down(words, line, shape, state) if certain and cut.start < cut.end
            ]
            if not sure:
                break
            state = min(sure, key=lambda cut: cut.end - cut.start)
        first, last = state.start, state.end
        if not any(char.isalnum() for char in shape[first:last]):
            return None
        return Reading(
            line[first:last],
            (),
            state.copies,
            state.copies,
            first,
            state.zone,
            state.number,
            state.loose,
            state.rank,
            trouble=TWO_ZONES if state.split else None,
        )

    def name(text: str) -> tuple[Card, ...]:
        return find(clean(text)) if len(text) <= _LONGEST_NAME else ()

    cover = Cover(catalog, name, words.counts.apart)
    return Reader(
        exactly=lambda line, shape, start, end: search(line, shape, start, end, 0),
        known=lambda line, shape, start, end: search(line, shape, start, end, _MOST_CUTS),
        named=named,
        guess=guess,
        name=name,
        cover=cover,
    )


def _without_flag(shape: str, start: int, end: int) -> int:
    """Where a stretch ends without `^Have,#37d67a^`, as sites write a coloured label behind everything else."""
    at = shape.rfind(_FLAG, start, end - 1)
    return at if at > start and shape[at - 1] in " \t" else end


def _merged(found: list[tuple[Stretch, tuple[Card, ...]]], line: str) -> Reading:
    """One reading of those that stand side by side; two counts or two names stay two."""
    # A count that no deck holds is only believed where there is no other.
    sane = [hit for hit in found if hit[0].copies is None or 0 < hit[0].copies <= MOST_COPIES]
    found = sane or found
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
    start, end = _name_only(line, longest.start, longest.end, cards)
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


def _name_only(line: str, start: int, end: int, cards: Sequence[Card]) -> tuple[int, int]:
    """The stretch without a bullet or a dash that names don't count, so that they were found all the same."""
    start, _ = trim(line, start, end, "・･-:： \t\u3000")
    quoted = end - start > 2 and line[start] == "《" and line[end - 1] == "》"
    if quoted and not any(name[:1] == "《" for card in cards for name in (card.name, *card.aliases)):
        start, end = trim(line, start + 1, end - 1, " \t\u3000")
    if end - start > 2 and line[end - 1] in "-・･~:" and line[end - 2] in " \t\u3000":
        end = trim(line, start, end - 1, " \t\u3000")[1]
    return start, end
