"""`judge` says of each deck what a check says, and what a change doesn't affect is judged alike before and after."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from factories.examples import amount
from factories.garden_game import GAME, ZONES, Shelf, card, format_of, format_with, read_rules
from factories.random_cards import DAYS, often, pools
from factories.random_rules import rules
from factories.stored_decks import Row, batch_of
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from deckcheck import Deck
from deckcheck.bulk import affected, judge
from deckcheck.checking.judge import GameData, LoadedFormat, check
from deckcheck.model.card import Days

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


def by_check(rows: Sequence[Row], format: LoadedFormat, day: str) -> dict[str, Result]:
    """What a check says of each deck, one by one."""
    decks: dict[str, dict[str, dict[str, int]]] = {}
    for deck, zone, name, copies in rows:
        held = decks.setdefault(deck, {}).setdefault(zone or "", {})
        held[name] = held.get(name, 0) + copies
    results = {}
    for deck, zones in decks.items():
        report = check(Deck.of(zones), format, as_of=day, best_of=3)
        violated, opened = (
            {one.rule for one in report.findings if (one.severity, one.verdict) == ("error", state)}
            for state in ("violated", "undecided")
        )
        results[deck] = (str(report.verdict), violated, opened, report.fingerprint)
    return results


def by_judge(rows: Sequence[Row], format: LoadedFormat, day: str) -> dict[str, Result]:
    """What `judge` says of the same decks."""
    found = judge(batch_of(rows), format, as_of=day, best_of=3).to_pylist()
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


def random_decks(names: list[str], format: LoadedFormat, chance: Random) -> list[Row]:
    """The rows of decks in any order, some with names and zones that nobody knows."""
    zones = ["main", "leader", "side", "花壇", "Bed", "Glasshouse", "gardener", "Shed", None]
    played = [zone for zone in ZONES if zone in format.format.zones]
    rows: list[Row] = []
    for deck in range(amount(30, 12)):
        own = played if chance.random() < 0.7 else [*played, *zones]
        known = names if chance.random() < 0.8 else [*names, "card 0", "nobody"]
        rows += [
            (f"deck {deck}", chance.choice(own), chance.choice(known), chance.choice((0, 1, 1, 2, 4, 40_000)))
            for _ in range(chance.randint(1, 9))
        ]
    chance.shuffle(rows)
    return rows


@often(amount(4000, 80))
@given(st.data())
def test_random_formats_and_decks(data: st.DataObject) -> None:
    pool = data.draw(pools())
    format, days = data.draw(formats(pool)), data.draw(st.tuples(*[st.sampled_from(DAYS)] * 2))
    decks = random_decks([one.name for one in pool], format, Random(data.draw(st.integers(0, 2**32))))
    first, last = (by_judge(decks, format, day) for day in days)
    assert first == by_check(decks, format, days[0])
    concerned = affected(format, *days, best_of=3)
    if concerned != "all":
        spelt = {name for one in pool for name in one.names} - concerned
        others = {deck for deck, _zone, name, _copies in decks if name not in spelt}
        assert all(first[deck] == last[deck] for deck in first.keys() - others)


def test_a_change_of_a_bundled_list_concerns_the_cards_that_it_names() -> None:
    days = ("2026-08-09", "2026-08-10")
    concerned = affected("duel-masters/original", *days)
    assert {"フェアリー・ギフト", "お目覚めメイ様"} <= set(concerned) and "青銅の鎧" not in concerned


def test_a_value_that_only_a_loop_asks_for_concerns_the_cards_that_get_it() -> None:
    late = replace(card("Rose", colour=["red"]), dated={"colour": {"red": Days(DAYS[1], DAYS[1])}})
    rule = {"for_each": {"colour": ["red", "blue"]}, "where": {"colour": "$each"}, "at_most": 2}
    format, rows = format_of(rule, cards=Shelf([late])), [("a", "main", "Rose", 3)]
    verdicts = [by_judge(rows, format, day)["a"][0] for day in DAYS[::2]]
    assert (verdicts, affected(format, DAYS[0], DAYS[2])) == (["legal", "illegal"], {"Rose"})
