"""`judge` says of each deck what a check says, and what a change doesn't affect is judged alike before and after."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any, NamedTuple

import pytest
from factories.examples import amount
from factories.garden_game import GAME, ZONES, Shelf, card, format_of, format_with, read_rules
from factories.memory_catalog import MemoryCatalog
from factories.random_cards import DAYS, often, pools
from factories.random_rules import rules
from factories.stored_decks import Row, by_evaluator, by_judge, case_decks, mishandled
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from deckcheck.bulk import affected
from deckcheck.checking.judge import GameData, LoadedFormat, load_format, open_game_data
from deckcheck.formats.lookup import bundled_formats
from deckcheck.model.banlist import BanlistEntry
from deckcheck.model.card import Card, Days

WORDS = {"花壇": "main", "Bed": "main", "Glasshouse": "side", "温室": "side", "gardener": "leader"}
BANLISTS: list[dict[str, Any]] = [
    {
        "cards": [
            {"card": "Card 0", "history": [{"from": DAYS[1], "status": "out", "line": 1}]},
            {"card": "Card 1", "history": [{"from": DAYS[0], "status": "rare", "line": 2}]},
        ],
        "combinations": [
            {
                "sides": [["Card 0"], ["Card 1", "Card 2"]],
                "history": [{"from": DAYS[1], "status": "pair", "line": 3}],
            }
        ],
    }
]
CAPS: list[dict[str, Any]] = [
    {"per": "name", "at_most": 2},
    {"per": "name", "at_most": 3, "in": ["main", "side"]},
    {"per": "name", "at_most": 1, "where": {"status": "rare"}},
    {"per": "name", "at_most": 1, "where": {"kind": "flower"}, "in": "main"},
    {"per": "name", "at_most": {"base": 1, "plus": {"in": "leader"}}},
    {"where": {"status": "out"}, "at_most": 0},
    {"where": {"colour": "red"}, "at_most": 0},
    {"sides": "pair", "at_most": 1},
    {"either": [{"sides": "pair", "at_most": 1}, {"at_least": 9}]},
]


@st.composite
def formats(draw: st.DrawFn, pool: list[Any]) -> LoadedFormat:
    """A format of a few rules, some of which supersede others, some in several clauses."""
    clauses = [draw(rules() | st.sampled_from(CAPS)) for _ in range(draw(st.integers(1, 4)))]
    for clause in clauses:
        if draw(st.integers(0, 9)) == 0:
            clause["severity"] = "warning"
    cards, zones = Shelf(pool), draw(st.sampled_from([ZONES, ZONES, ("main", "leader")]))
    read = read_rules(*clauses, cards=cards, zones=ZONES)
    if len(read) > 1 and draw(st.booleans()):
        read = (replace(read[0], clauses=read[0].clauses + read[1].clauses), *read[2:])
    banlists = draw(st.sampled_from([[], BANLISTS, BANLISTS, [BANLISTS[0] | {"partial": True}]]))
    format = format_with(read, cards, zones, banlists)
    absent = draw(
        st.sampled_from([{}, {"kind": frozenset({"flower", "tree"}), "colour": frozenset({"red"})}])
    )
    data = format.game_data
    return LoadedFormat(
        format.format, GameData(replace(GAME, assumed_absent=absent), data.catalog, data.read)
    )


def random_decks(pool: list[Any], format: LoadedFormat, chance: Random) -> list[Row]:
    """The rows of decks, some with names and zones that nobody knows."""
    names = [card.name for card in pool] * 4 + ["card 0", "nobody"]
    zones = ["main", "main", "leader", "side", *WORDS, None]
    strict = [zone for zone in ("main", "leader", "side") if zone in format.format.zones]
    decks: list[Row] = []
    for number in range(amount(30, 12)):
        own = strict if chance.random() < 0.7 else zones
        known = names[:-2] if chance.random() < 0.8 else names
        rows: list[Row] = [
            ("", chance.choice(own), chance.choice(known), chance.randint(0, 4))
            for _ in range(chance.randint(0, 6))
        ]
        decks += mishandled(rows, f"deck {number}", chance, known, own)
    return decks


@often(amount(4000, 60))
@given(st.data())
def test_random_formats_and_decks(data: st.DataObject) -> None:
    pool = data.draw(pools())
    format, day = data.draw(formats(pool)), data.draw(st.sampled_from(DAYS))
    chance = Random(data.draw(st.integers(0, 2**32)))
    decks = random_decks(pool, format, chance)
    if chance.random() < 0.5:
        chance.shuffle(decks)
    assert by_judge(decks, format, day, 3) == by_evaluator(decks, format, day, 3, WORDS)


def left_out_are_alike(
    decks: list[Row], format: LoadedFormat, spelt: set[str], days: Sequence[str], best_of: int | None
) -> int:
    """How many decks of cards in the table's spelling a change between two days leaves out; each is judged alike on both."""
    names = affected(format, *days, best_of=best_of)
    if names == "all":
        return 0
    find = format.game_data.catalog.find
    chosen = {
        deck
        for deck, _zone, card, _copies in decks
        if card in names or card not in spelt or len(find(card)) != 1
    }
    first, last = (by_judge(decks, format, day, best_of) for day in days)
    left_out = first.keys() - chosen
    assert {name: first[name] for name in left_out} == {name: last[name] for name in left_out}
    return len(left_out)


@often(amount(4000, 80))
@given(st.data())
def test_decks_that_a_change_leaves_out_are_judged_alike(data: st.DataObject) -> None:
    pool = data.draw(pools())
    format, days = data.draw(formats(pool)), data.draw(st.tuples(*[st.sampled_from(DAYS)] * 2))
    decks = random_decks(pool, format, Random(data.draw(st.integers(0, 2**32))))
    spelt = {name for card in pool for name in card.names}
    left_out_are_alike(decks, format, spelt, days, data.draw(st.sampled_from([None, 3])))


BUNDLED = [entry.id for entry in bundled_formats() if not entry.abstract][:: amount(1, 5)]
ON = ("2026-08-20", "2026-01-10", "2023-04-01", "2020-06-07", "2019-01-01")


class Bundled(NamedTuple):
    """A bundled format with the decks of its game's cases, their cards, and some others."""

    format: LoadedFormat
    decks: list[list[Row]]
    cards: list[Card]


@cache
def cards_of(game: str) -> list[Card]:
    return list(open_game_data(game).catalog)


@cache
def bundled(id: str) -> Bundled:
    format = load_format(id)
    decks = case_decks(format, amount(1, 4))
    played = {card for rows in decks for _deck, _zone, card, _copies in rows}
    played |= {name for entry in listings(format) for side in entry.sides for name in side}
    cards = [
        card
        for number, card in enumerate(cards_of(format.format.game))
        if card.name in played or number % amount(1, 40) == 0
    ]
    return Bundled(format.with_catalog(MemoryCatalog(format.game_data.catalog.fold, cards)), decks, cards)


def listings(format: LoadedFormat) -> list[BanlistEntry]:
    return [entry for banlist in format.format.banlists for entry in banlist.entries]


@pytest.mark.parametrize("format_id", BUNDLED)
def test_bundled_formats(format_id: str) -> None:
    (format, cases, cards), chance = bundled(format_id), Random(format_id)
    names = [card.name for card in cards]
    often_played = [card for rows in cases for _, _, card, _ in rows]
    zones = list(format.format.zones)
    for day in ON[: amount(5, 1)]:
        for best_of in (None, 1):
            decks = []
            for number in range(amount(700, 25)):
                some = often_played if chance.random() < 0.8 else names
                everywhere = zones if chance.random() < 0.9 else list(format.game_data.game.zones)
                decks += mishandled(chance.choice(cases), f"deck {number}", chance, some, everywhere)
            chance.shuffle(decks)
            assert by_judge(decks, format, day, best_of) == by_evaluator(decks, format, day, best_of)


def test_a_value_that_only_a_loop_asks_for_concerns_the_cards_that_get_it() -> None:
    late = replace(card("Rose", colour=["red"]), dated={"colour": {"red": Days(DAYS[1], DAYS[1])}})
    rule = {"for_each": {"colour": ["red", "blue"]}, "where": {"colour": "$each"}, "at_most": 2}
    format, rows = format_of(rule, cards=Shelf([late])), [("a", "main", "Rose", 3)]
    verdicts = [by_judge(rows, format, day)["a"][0] for day in DAYS[::2]]
    assert (verdicts, affected(format, DAYS[0], DAYS[2])) == (["legal", "illegal"], {"Rose"})


CHANGES = (
    ("2026-08-09", "2026-08-20"),
    ("2025-08-01", "2026-01-10"),
    ("2023-12-01", "2024-06-01"),
    ("2026-08-20", "2019-12-11"),
)


@pytest.mark.parametrize("format_id", BUNDLED)
def test_decks_that_a_bundled_change_leaves_out_are_judged_alike(format_id: str) -> None:
    (format, cases, cards), chance = bundled(format_id), Random(format_id)
    names, spelt = [card.name for card in cards], {name for card in cards for name in card.names}
    listed = [name for entry in listings(format) for side in entry.sides for name in side]
    left_out = 0
    for days in CHANGES[: amount(4, 2)]:
        decks: list[Row] = []
        for number in range(amount(700, 30)):
            some = chance.choice([names, listed or names, listed[-20:] or names])
            decks += mishandled(
                chance.choice(cases), f"deck {number}", chance, some, list(format.format.zones)
            )
        left_out += left_out_are_alike(decks, format, spelt, days, None)
    assert left_out
