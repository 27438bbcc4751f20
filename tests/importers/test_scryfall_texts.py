"""What the rules of decks ask and the data doesn't say in a field. Names and texts are made up."""

from __future__ import annotations

import pytest
from factories.examples import within
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.importers.scryfall import (
    colours_of,
    has_activated_ability,
    mana_value,
    most_of_one_symbol,
    partners_of,
    tags_of,
    types_elsewhere,
)


@pytest.mark.parametrize(
    ("cost", "most"),
    [
        ("", 0),
        ("{0}", 1),
        ("{4}{R}", 1),
        ("{12}{U}", 1),
        ("{W}{W}", 2),
        ("{X}{X}{R}", 2),
        ("{X}{R}", 1),
        ("{C}{C}{C}", 3),
        # A hybrid symbol is a symbol of its own.
        ("{W/U}{W}{U}", 1),
        ("{W/U}{W/U}", 2),
        ("{2/W}{2/W}{2/U}", 2),
        # So is a Phyrexian one.
        ("{W/P}{W}", 1),
        ("{G/U/P}{G/U/P}", 2),
        ("{S}{S}", 2),
        ("{w}{W}", 2),
        # Both halves of a split card together.
        ("{1}{R}{1}{U}", 2),
        ("{2}{R}{1}{U}", 1),
    ],
)
def test_the_most_of_one_symbol(cost: str, most: int) -> None:
    assert most_of_one_symbol(cost) == most


@pytest.mark.parametrize(
    ("cost", "value", "colours"),
    [
        ("", 0, []),
        ("{X}{2}{G}{G}", 4, ["Green"]),
        ("{2/W}{B/P}", 3, ["White", "Black"]),
        ("{W/U}{C}{S}", 3, ["White", "Blue"]),
        ("{HW}", 0.5, ["White"]),
        ("{½}{R}", 1.5, ["Red"]),
        ("{1000000}", 1_000_000, []),
    ],
)
def test_value_and_colours_of_a_cost(cost: str, value: float, colours: list[str]) -> None:
    assert mana_value(cost) == value
    assert colours_of(cost) == colours


ACTIVATED = [
    "{T}: Add {G}.", "{2}, {T}, Sacrifice this artifact: Draw a card.", "Sacrifice a creature: Scry 1.",
    "Pay 2 life: Untap this.", "Flying\n{1}{W}: Gain 1 life.",
    # Loyalty abilities, as the two sources write them.
    "+1: Draw a card.\n−3: Lose.", "[+1]: Draw a card.", "[−X]: Count.", "0: Nothing.",
    # With the name of the ability before the cost.
    "Boast — {1}{R}: Draw a card.", "Exhaust — {3}: Grow.", "Channel — {X}, Discard this card: Burn.",
    "8+ | {2}, {T}: Draw.", "{1}{W}: Level 2",
    # Keywords that are activated abilities.
    "Equip {2}", "Equip—Pay 3 life.", "Equip legendary creature {3}\nEquip {7}",
    "Equip {3}. This ability costs {1} less to activate.", "Cycling {2}", "Flying, cycling {2}",
    "Basic landcycling {1}{G}", "Wizardcycling {3}", "Cycling—Discard another card.", "Crew 3",
    "Saddle 2", "Station (Tap another creature.)", "Level up {4}\nLEVEL 1-4\n2/2", "Ninjutsu {1}{U}",
    "Commander ninjutsu {U}{B}", "Transmute {1}{B}{B}", "Unearth {2}{B}", "Outlast {W}",
    "Reinforce 2—{1}{G}", "Scavenge {4}{G}", "Craft with two or more nonlands {5}", "Encore {3}{R}",
    "Eternalize—{2}{W}, Discard a card.", "Reconfigure {2}", "Fortify {3}", "Aura swap {2}{U}",
]  # fmt: skip
NOT_ACTIVATED = [
    "", "Flying, vigilance", "When this creature enters, draw a card.",
    "Whenever you cycle a card, choose one: Draw.",
    # In a reminder, or given to something else.
    "Morph {3}{G} (You may turn it face up: {3}{G}: anything.)", "Menace ({T}: Nobody reads this.)",
    'Enchanted creature has "{T}: Draw a card."', "Enchanted land has “{T}: Add {G}.”",
    # Costs and keywords that aren't activated.
    "Suspend 3—{R}", "Mutate {3}{G}", "Bestow {3}{W}", "Foretell {1}{U}", "Kicker {2}", "Plot {1}{R}",
    "Cumulative upkeep {1}", "Prototype {1}{B} — 2/1", "Equip costs you pay cost {1} less.",
    "Cycling abilities you activate cost {2} less.", "Cycling abilities can't be activated.",
    "Choose one —\n• Draw: a card\n• Sacrifice: a creature",
    "Search your library for a card named Ring of Two: Red.",
    "Companion — Each permanent card in your starting deck has an activated ability.",
    "I, II — Draw a card.", "7+ | Flying",
]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "Equip " + "a " * 5000 + "!",
        "Equip" + " " * 5000 + "!",
        "cycling " * 500 + "!",
        "“" * 20_000,
        '"' * 19_999,
        "(" * 20_000,
        "{" * 20_000,
        "As long as x isn't on the battlefield, it's a " + "X " * 5000,
        "partner with" + " " * 10_000,
    ],
)
def test_no_text_takes_long_to_read(text: str) -> None:
    with within(2):
        assert tags_of(text, [], [], "X") in (set(), {"every-creature-type"})
        assert partners_of(text) == []
        assert most_of_one_symbol("{G}{W}" * 100_000) == 100_000


def test_what_is_an_activated_ability_and_what_is_none() -> None:
    for text in ACTIVATED:
        assert has_activated_ability(text), text
        assert tags_of(text, [], []) == {"has-activated-ability"}
    assert [text for text in NOT_ACTIVATED if has_activated_ability(text)] == []
    # The basic land types bring an ability along.
    assert has_activated_ability("", ["Island"])
    assert tags_of("", ["Land"], ["Forest", "Cave"]) == {"has-activated-ability"}
    assert not has_activated_ability("", ["Cave", "Gate"])


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("A deck can have any number of cards named Tin Kite.", "any-number"),
        ("A deck can have up to seven cards named Tin Kite.", "up-to-seven"),
        ("A deck can have up to nine cards named Tin Kite.", "up-to-nine"),
        ("Partner (You can have two.)", "partner"),
        ("Flying, partner", "partner"),
        ("Friends forever", "friends-forever"),
        ("Partner—Friends forever", "friends-forever"),
        ("Partner—Survivors (Both have it.)", "partner-survivors"),
        ("Partner—Father & Son", "partner-father-and-son"),
        ("Partner—Character select (Both have it.)", "partner-character-select"),
        ("Choose a Background", "choose-a-background"),
        ("Doctor's companion", "doctors-companion"),
        ("Doctor’s companion (Beside a Doctor.)", "doctors-companion"),
        ("Tin Kite can be your commander.", "can-be-commander"),
        ("Companion — Your starting deck has no kites.", "companion"),
        ("Changeling (Every type.)", "every-creature-type"),
        ("Flying, changeling", "every-creature-type"),
        ("Tin Kite is every creature type.", "every-creature-type"),
        ("This card is every creature type.", "every-creature-type"),
        ("As long as Tin Kite isn't on the battlefield, it's a 1/1 Insect creature.", "can-be-commander"),
    ],
)
def test_tags_of_a_text(text: str, tag: str) -> None:
    assert tags_of(text, [], [], "Tin Kite, of Tales" if "Tin Kite is" in text else "Tin Kite") == {tag}


@pytest.mark.parametrize(
    "text",
    [
        "Partner with Salt Kite",
        "Partner—Strangers",
        "Creatures you control have partner.",
        "Enchanted creature is every creature type.",
        "Creatures you control are every creature type.",
        "Create a token with changeling.",
        'It gains "Changeling".',
        "Target creature becomes a Doctor's companion of yours.",
        "Choose a Background at random, or two.",
        "A deck can have fun.",
    ],
)
def test_texts_that_only_sound_like_it(text: str) -> None:
    assert tags_of(text, ["Creature"], [], "Tin Kite") == set()


def test_names_and_types_in_a_text() -> None:
    text = "Flying\nPartner with Salt, Kite of Two (When it enters, take the other.)"
    assert (partners_of(text), partners_of("Partner")) == (["Salt, Kite of Two"], [])
    text = "As long as X isn't on the battlefield, it's a 1/1 Elder Insect creature too."
    assert (types_elsewhere(text), types_elsewhere("It's a 1/1 Insect creature.")) == (
        ["Elder", "Insect"],
        [],
    )


@given(st.text(max_size=400), st.lists(st.sampled_from(["Island", "Cave"]), max_size=2))
def test_no_text_is_too_odd(text: str, subtypes: list[str]) -> None:
    assert isinstance(has_activated_ability(text, subtypes), bool)
    assert all(tags_of(text, [], subtypes, text[:9]))
    assert all(partners_of(text))
