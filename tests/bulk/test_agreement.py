"""`judge` says of each deck what a check says, and what a change doesn't affect is judged alike before and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, NamedTuple

import pytest
from factories.examples import amount
from factories.garden_game import GAME, ZONES, Shelf, card, format_of, format_with, read_rules
from factories.memory_catalog import MemoryCatalog
from factories.random_cards import DAYS, often, pools
from factories.random_rules import rules
from factories.stored_decks import Row, batch_of, mishandled
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from deckcheck.bulk import affected, judge
from deckcheck.cards.names import SuggestionCache
from deckcheck.checking.judge import GameData, LoadedFormat, check, load_format, open_game_data, read_deck
from deckcheck.decklists.source import decode
from deckcheck.formats.lookup import bundled_formats
from deckcheck.model.banlist import BanlistEntry
from deckcheck.model.card import Card, Days
from deckcheck.model.deck import Deck, Diagnostic, Entry
from deckcheck.model.finding import Report
from deckcheck.support.files import shipped
from deckcheck.support.messages import Localized

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


Result = tuple[str, set[str], set[str], str | None]
"""A verdict, the ids that are violated and those that are open, and the fingerprint."""


def results_of(report: Report) -> Result:
    """Those of a report."""
    errors = [finding for finding in report.findings if finding.severity == "error"]
    violated, opened = (
        {finding.rule for finding in errors if finding.verdict == state}
        for state in ("violated", "undecided")
    )
    return report.verdict, violated, opened, report.fingerprint


def deck_of_rows(rows: Sequence[Row], format: LoadedFormat, zone_words: Mapping[str, str]) -> Deck:
    """The deck of rows as a table says it, with a zone on each row."""
    data, entries, lines, diagnostics = format.game_data, [], [], []
    for number, (_, word, name, copies) in enumerate(rows, 1):
        cards = data.catalog.find(name)
        home = cards[0].home if len(cards) == 1 else None
        zone = zone_words.get(word, word) if word else home or data.game.default_zone
        entries.append(Entry(name, cards, copies, zone, number, 1))
        lines.append(f"{copies} x {name}")
        if zone not in {*data.game.zones, *format.format.zones}:
            message = Localized("?", "?")
            diagnostics.append(Diagnostic("unknown-zone", message, number, 1, zone, zone))
    return Deck("-", tuple(entries), tuple(diagnostics), {}, "csv", tuple(lines))


def by_evaluator(
    rows: Sequence[Row],
    format: LoadedFormat,
    day: str,
    best_of: int | None = None,
    zone_words: Mapping[str, str] | None = None,
) -> dict[str, Result]:
    """What the evaluator says of each deck, one by one."""
    decks: dict[str, list[Row]] = {}
    for row in rows:
        decks.setdefault(row[0], []).append(row)
    plain = format.with_catalog(SuggestionCache(format.game_data.catalog, budget=0))
    return {
        name: results_of(
            check(deck_of_rows(own, format, zone_words or {}), plain, as_of=day, best_of=best_of)
        )
        for name, own in decks.items()
    }


def by_judge(
    rows: Sequence[Row], format: LoadedFormat, day: str, best_of: int | None = None
) -> dict[str, Result]:
    """What `judge` says of the same decks."""
    found = judge(batch_of(rows), format, as_of=day, best_of=best_of).to_pylist()
    for row in found:
        assert len({*row["rules"]}) == len(row["rules"]) and len({*row["open"]}) == len(row["open"])
    return {
        row["deck"]: (row["verdict"], {*row["rules"]}, {*row["open"]}, row["fingerprint"]) for row in found
    }


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


def left_out(
    decks: list[Row], format: LoadedFormat, spelt: set[str], days: Sequence[str], best_of: int | None
) -> set[str]:
    """The decks of cards in the table's spelling that a change between two days doesn't concern."""
    names = affected(format, *days, best_of=best_of)
    if names == "all":
        return set()
    find = format.game_data.catalog.find
    concerned = {
        deck
        for deck, _zone, card, _copies in decks
        if card in names or card not in spelt or len(find(card)) != 1
    }
    return {deck for deck, *_row in decks} - concerned


@often(amount(4000, 80))
@given(st.data())
def test_random_formats_and_decks(data: st.DataObject) -> None:
    pool = data.draw(pools())
    format, days = data.draw(formats(pool)), data.draw(st.tuples(*[st.sampled_from(DAYS)] * 2))
    decks = random_decks(pool, format, Random(data.draw(st.integers(0, 2**32))))
    first, last = (by_judge(decks, format, day, 3) for day in days)
    assert first == by_evaluator(decks, format, days[0], 3, WORDS)
    spelt = {name for one in pool for name in one.names}
    for name in left_out(decks, format, spelt, days, 3):
        assert first[name] == last[name]


BUNDLED = [entry.id for entry in bundled_formats() if not entry.abstract][:: amount(1, 5)]
CHANGES = (
    ("2026-08-09", "2026-08-20"),
    ("2025-08-01", "2026-01-10"),
    ("2023-12-01", "2024-06-01"),
    ("2026-08-20", "2019-12-11"),
)


def case_decks(format: LoadedFormat, step: int) -> list[list[Row]]:
    """The decks of the cases of a format's game, one of so many."""
    decks = []
    for file in sorted(shipped("formats").glob(f"{format.format.game}/*.cases/*"))[::step]:
        deck = read_deck(format, decode(file.read_bytes(), file.name), file.name)
        rows = [
            (entry.cards[0].name if entry.cards else entry.written, entry.copies, entry.zone)
            for entry in deck.entries
        ]
        decks.append([("", zone, name, copies) for name, copies, zone in rows])
    return decks


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
    names, spelt = [card.name for card in cards], {name for card in cards for name in card.names}
    often_played = [card for rows in cases for _, _, card, _ in rows]
    listed = [name for entry in listings(format) for side in entry.sides for name in side]
    pools, zones, alike = (
        [often_played, often_played, names, listed or names, listed[-20:] or names],
        list(format.format.zones),
        0,
    )
    for days in CHANGES[: amount(4, 2)]:
        best_of, decks = chance.choice((None, 1)), []
        for number in range(amount(700, 30)):
            everywhere = zones if chance.random() < 0.9 else list(format.game_data.game.zones)
            decks += mishandled(
                chance.choice(cases), f"deck {number}", chance, chance.choice(pools), everywhere
            )
        chance.shuffle(decks)
        first, last = (by_judge(decks, format, day, best_of) for day in days)
        assert first == by_evaluator(decks, format, days[0], best_of)
        for name in left_out(decks, format, spelt, days, best_of):
            alike += 1
            assert first[name] == last[name]
    assert alike


def test_a_value_that_only_a_loop_asks_for_concerns_the_cards_that_get_it() -> None:
    late = replace(card("Rose", colour=["red"]), dated={"colour": {"red": Days(DAYS[1], DAYS[1])}})
    rule = {"for_each": {"colour": ["red", "blue"]}, "where": {"colour": "$each"}, "at_most": 2}
    format, rows = format_of(rule, cards=Shelf([late])), [("a", "main", "Rose", 3)]
    verdicts = [by_judge(rows, format, day)["a"][0] for day in DAYS[::2]]
    assert (verdicts, affected(format, DAYS[0], DAYS[2])) == (["legal", "illegal"], {"Rose"})
