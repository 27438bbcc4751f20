"""The constraint model and the evaluator are two readings of one language: they agree on every deck."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any

import pytest
from factories.examples import amount
from factories.garden_game import GAME, Shelf, format_of
from factories.random_cards import DAYS, decks, often, pools
from factories.random_rules import rules
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.analysis.card_classes import CardClass, ClauseOnDay, FormatOnDay, clauses_on
from deckcheck.analysis.constraints import Number
from deckcheck.analysis.deck_model import MOST_COPIES, DeckModel, DeckSearch, State
from deckcheck.analysis.witness import deck_of, judged, list_of, violated_rules
from deckcheck.checking.judge import LoadedFormat, check, load_format
from deckcheck.formats.lookup import bundled_formats
from deckcheck.model.card import Card
from deckcheck.rules.counting import tally
from deckcheck.rules.evaluator import evaluate

Held = Mapping[str, Mapping[str, int]]
"""By zone, the copies of each name."""


def states_in_model(
    zones: Iterable[str], cards: Iterable[Card], held: Held, clauses: Iterable[ClauseOnDay]
) -> list[State | None]:
    """What the model says of each clause for one deck."""
    model = DeckModel(tuple(zones), [CardClass(card, (card.name,)) for card in cards], firm=())
    logic = model.logic
    for names in model.names:
        for zone, number in names.variables.items():
            logic.require(number == held.get(zone, {}).get(names.card_class.names[0], 0))
    marks = []
    for clause in clauses:
        kept, violated = logic.literal(), logic.literal()
        model.require_kept(clause, kept)
        model.require_violated(clause, violated)
        marks.append((kept, violated))
    wanted: Number = -sum(kept + violated for kept, violated in marks)
    values = model.solve(60, wanted).values
    assert values is not None
    found: list[State | None] = []
    for kept, violated in marks:
        assert not (values(kept) and values(violated))
        found.append("kept" if values(kept) else "violated" if values(violated) else None)
    return found


def states_by_evaluator(
    format: LoadedFormat, deck: Any, clauses: Iterable[ClauseOnDay]
) -> list[State | None]:
    """What the evaluator says of each of them."""
    contents = tally(deck.entries, 0, frozenset(format.format.zones))
    absent = format.game_data.game.assumed_absent
    found: list[State | None] = []
    for clause in clauses:
        outcomes, _assumed = evaluate([clause.clause], contents, absent)
        states = {outcome.state for outcome in outcomes}
        found.append("violated" if "violated" in states else None if states else "kept")
    return found


def held_in(deck: Any) -> dict[str, Counter[str]]:
    """The copies of a deck by zone and name."""
    held: dict[str, Counter[str]] = {}
    for entry in deck.entries:
        held.setdefault(entry.zone, Counter())[entry.cards[0].name] += entry.copies
    return held


@often(amount(3000, 800))
@given(st.data())
def test_random_rules_and_decks(data: st.DataObject) -> None:
    pool = data.draw(pools())
    rule = data.draw(rules())
    format = format_of(rule, cards=Shelf(pool))
    day = data.draw(st.sampled_from(DAYS))
    clauses = clauses_on(format.prepared(day), GAME.assumed_absent)
    for _ in range(3):
        deck = data.draw(decks(pool, loose=False))
        expected = states_by_evaluator(format, deck, clauses)
        assert states_in_model(format.format.zones, pool, held_in(deck), clauses) == expected


BUNDLED = [entry.id for entry in bundled_formats() if not entry.abstract][:: amount(1, 4)]
DAY = "2026-08-20"


def shuffled(chance: Random, zones: Sequence[str], held: Held, classes: Sequence[CardClass]) -> Held:
    """A deck with a few cards more, fewer, or in other zones."""
    deck = {zone: Counter(names) for zone, names in held.items()}
    for _ in range(chance.choice((0, 1, 1, 2, 3))):
        zone, other = chance.choice(zones), chance.choice(zones)
        if deck[zone] and chance.random() < 0.6:
            name = chance.choice(sorted(deck[zone]))
            deck[zone][name] -= 1
        else:
            name = chance.choice(chance.choice(classes).names)
        if chance.random() < 0.8 and deck[other][name] < MOST_COPIES:
            deck[other][name] += 1
        deck[zone] += Counter()
    return deck


@pytest.mark.parametrize("format_id", BUNDLED)
@pytest.mark.usefixtures("fewer_cards")
def test_bundled_formats(format_id: str) -> None:
    format, chance = load_format(format_id), Random(format_id)
    on_day = FormatOnDay(format, DAY)
    search = DeckSearch(format, on_day.classes_of)
    found = [search.find(on_day.errors, lambda _model: None, 60, default_zone=on_day.default_zone)]
    for clause in chance.sample(on_day.errors, min(amount(12, 2), len(on_day.errors))):
        others = [each for each in on_day.errors if each is not clause]
        broken = partial(DeckModel.require_violated, clause=clause)
        found.append(search.find(others, broken, 60, concerned=[clause], relaxed=[clause]))
    decks = [
        model.deck(solution.values, chance.sample)
        for model, solution, *_ in found
        if solution.values is not None
    ]
    assert found[0].copies is not None
    assert violated_rules(judged(found[0].copies, format, DAY)) == set()
    states = Counter[State | None]()
    for _ in range(amount(600, 6)):
        held = shuffled(chance, on_day.zones, chance.choice(decks), on_day.classes)
        deck = deck_of(held, format)
        cards = {entry.cards[0]: None for entry in deck.entries}
        expected = states_by_evaluator(format, deck, on_day.clauses)
        assert states_in_model(on_day.zones, cards, held, on_day.clauses) == expected, held
        states.update(expected)
    assert states["kept"] > states["violated"] > 0


@pytest.mark.parametrize("format_id", ["duel-masters/commander", "duel-masters/amadeus", "magic/modern"])
def test_no_clause_tells_the_cards_of_a_class_apart(format_id: str) -> None:
    format, chance = load_format(format_id), Random(1)
    on_day = FormatOnDay(format, DAY)
    classes = [names for names in on_day.classes if len(names.names) > 1]
    for names in chance.sample(classes, min(amount(200, 20), len(classes))):
        name = chance.choice(names.names)
        (card,) = [card for card in format.game_data.catalog.find(name) if card.name == name]
        for zone in on_day.zones:
            decks = [{zone: {each.name: 2}} for each in (names.card, card)]
            first, second = (
                states_by_evaluator(format, deck_of(deck, format), on_day.clauses) for deck in decks
            )
            assert first == second, (names.card.name, name, zone)


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("format_id", BUNDLED)
@pytest.mark.usefixtures("fewer_cards")
def test_a_legal_deck_reads_back(format_id: str, lang: str) -> None:
    format = load_format(format_id)
    on_day = FormatOnDay(format, DAY)
    search = DeckSearch(format, on_day.classes_of)
    copies = search.find(on_day.errors, lambda _model: None, 60, default_zone=on_day.default_zone).copies
    assert copies is not None
    listed = list_of(copies, format, lang, {"format": format_id, "as-of": DAY})
    assert check(listed, format).verdict == "legal"
