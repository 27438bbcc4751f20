"""Cards and decks at random, and every way to fill what is unknown of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations, product
from random import Random

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from deckcheck.model.card import Card, Fact, Part, Printing
from deckcheck.model.deck import Deck, Diagnostic, Entry
from deckcheck.support.messages import Localized
from factories.examples import examples
from factories.garden_game import COLOURS, COSTS, KINDS, RANKS, ZONES, deck_from, unread
from factories.naive_evaluator import Copy

DAYS = ("2001-01-01", "2002-02-02", "2003-03-03")
"""The days on which anything happens here."""

_subsets: Mapping[str, list[frozenset[str]]] = {
    name: [frozenset(some) for size in range(len(words) + 1) for some in combinations(words, size)]
    for name, words in (("colour", COLOURS), ("kind", KINDS))
}


def _facts(draw: st.DrawFn, hide: bool) -> dict[str, Fact]:
    facts: dict[str, Fact] = {
        "colour": draw(st.sampled_from(_subsets["colour"])),
        "kind": draw(st.sampled_from(_subsets["kind"])),
        "cost": draw(st.sampled_from([*COSTS, float("inf")])),
    }
    hidden = draw(st.sets(st.sampled_from(sorted(facts)), max_size=2)) if hide else set()
    return {key: value for key, value in facts.items() if key not in hidden}


@cache
@st.composite
def printings(draw: st.DrawFn, hide: bool = True) -> Printing:
    """A printing; with `hide` perhaps without a day, or with a rank that is not quite known."""
    ranks = [*RANKS, ""]
    if hide:
        ranks += [None, "?SR", "<=R", "<=SR"]
    rank = draw(st.sampled_from(ranks))
    day = draw(st.sampled_from([*DAYS, None] if hide else DAYS))
    return Printing("set", day, {} if rank is None else {"rarity": rank})


@cache
@st.composite
def cards(draw: st.DrawFn, name: str = "Card", hide: bool = True) -> Card:
    """A card; with `hide` some of its facts are unknown or known in part."""
    parts = ()
    if draw(st.integers(0, 4)) == 0:
        parts = tuple(Part(f"{name} {half}", _facts(draw, hide)) for half in "ab")
    facts = _facts(draw, hide)
    lists = sorted(key for key in facts if key != "cost")
    partial = draw(st.sets(st.sampled_from(lists), max_size=1)) if hide and lists else set()
    days = [*DAYS, None] if hide else DAYS
    released = draw(st.sampled_from(days))
    shown = draw(st.lists(printings(hide), min_size=0 if hide else 1, max_size=2))
    # No printing is older than its card.
    shown = [
        Printing(one.set, max(one.released, released), one.ranks) if one.released and released else one
        for one in shown
    ]
    return Card(
        name,
        draw(st.sampled_from(ZONES)),
        facts,
        partial=frozenset(partial),
        released=released,
        printings=tuple(shown),
        parts=parts,
    )


@st.composite
def pools(draw: st.DrawFn, hide: bool = True, most: int = 5) -> list[Card]:
    """A few cards, together all that exist."""
    return [draw(cards(f"Card {at}", hide)) for at in range(draw(st.integers(2, most)))]


def _fillings(facts: Mapping[str, Fact], partial: frozenset[str]) -> Iterator[dict[str, Fact]]:
    domains: list[list[Fact]] = []
    for key in ("colour", "kind", "cost"):
        fact = facts.get(key)
        if fact is None:
            domains.append(list(COSTS) if key == "cost" else list(_subsets[key]))
        elif key in partial and isinstance(fact, frozenset):
            domains.append([one for one in _subsets[key] if fact <= one])
        else:
            domains.append([fact])
    for values in product(*domains):
        yield dict(zip(("colour", "kind", "cost"), values, strict=True))


def _ranks(code: str | None) -> list[str]:
    if code is None or code.startswith("?"):
        return ["", *RANKS]
    return list(RANKS[: RANKS.index(code[2:]) + 1]) if code.startswith("<=") else [code]


def _printing_fillings(printing: Printing, since: str) -> Iterator[Printing]:
    days = [printing.released] if printing.released else [day for day in DAYS if day >= since]
    for day, rank in product(days, _ranks(printing.ranks.get("rarity"))):
        yield Printing(printing.set, day, {"rarity": rank})


def some_completion(card: Card, chance: Random) -> Card:
    """One way in which the card may truly be."""
    released = card.released or chance.choice(DAYS)
    shown = card.printings or (Printing("set", None, {}),)
    return Card(
        card.name,
        card.home,
        chance.choice(list(_fillings(card.facts, card.partial))),
        released=released,
        printings=tuple(chance.choice(list(_printing_fillings(one, released))) for one in shown),
        parts=tuple(
            Part(half.name, chance.choice(list(_fillings(half.facts, card.partial)))) for half in card.parts
        ),
    )


@st.composite
def entries(draw: st.DrawFn, pool: list[Card], line: int, loose: bool) -> Entry:
    """A line of a deck: one card, or with `loose` perhaps several or none, or of unsure zone."""
    zone = draw(st.sampled_from(["main", "main", "leader", "side"]))
    copies = draw(st.integers(0, 4))
    named: tuple[Card, ...] = (draw(st.sampled_from(pool)),)
    if loose:
        kind = draw(st.sampled_from(["sure", "several", "unknown", "zone"]))
        if kind == "several":
            named = tuple(draw(st.lists(st.sampled_from(pool), min_size=2, max_size=3, unique_by=id)))
        elif kind == "unknown":
            named = ()
        elif kind == "zone":
            zone = "Shed"
    return Entry("as written", named, copies, zone, line, 1)


@st.composite
def decks(draw: st.DrawFn, pool: list[Card], loose: bool = True) -> Deck:
    """A deck of a few lines; with `loose` some of them may be read in several ways or not at all."""
    held = []
    wild = loose and draw(st.booleans())
    for line in range(1, draw(st.integers(0, 6)) + 1):
        held.append(draw(entries(pool, line, wild and draw(st.integers(0, 2)) == 0)))
    diagnostics = [
        Diagnostic("unknown-zone", Localized("?", "?"), one.line, 1, one.zone, "Shed")
        for one in held
        if one.zone == "Shed"
    ]
    if wild and draw(st.integers(0, 3)) == 0:
        diagnostics.append(unread(draw(st.sampled_from(["main", "leader", "Shed", None]))))
    return deck_from(held, diagnostics)


def true_deck(deck: Deck, truth: Mapping[str, Card], chance: Random) -> list[Copy]:
    """One way in which the deck may truly be, made of the true cards.

    A copy whose zone nobody knows may also be no part of the deck at all, and
    a name that nobody knows may be no card.
    """
    held: list[Copy] = []

    def put(card: Card, copies: int, zone: str | None) -> None:
        if zone not in ZONES:
            zone = chance.choice([*ZONES, None])
        if zone is not None:
            held.extend([(card, zone)] * copies)

    everything = sorted(truth)
    for entry in deck.entries:
        if entry.cards or chance.random() < 0.8:
            names = [card.name for card in entry.cards] or everything
            put(truth[chance.choice(names)], entry.copies, entry.zone)
    for diagnostic in deck.diagnostics:
        if diagnostic.id == "invalid-line" and chance.random() < 0.7:
            put(truth[chance.choice(everything)], chance.randint(0, 5), None)
    return held


def often(times: int) -> settings:
    """Settings for a property: so many examples, however long each takes, nothing kept on disk."""
    return examples(times, database=None, suppress_health_check=list(HealthCheck))
