"""Cards of MTGJSON and Scryfall that have several names, faces, versions or partners."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from factories.card_imports import Take
from factories.mtgjson import all_printings, atomic, creature, entry, sides
from factories.scryfall import DEFAULT, face, faced, printed, scryfall

from deckcheck.cards.catalog import open_catalog
from deckcheck.formats.loading import load_game

Stored = Callable[[], dict[str, Any]]


def test_other_names_are_known(take: Take, bundle: Path) -> None:
    take(all_printings())
    table = open_catalog(load_game("magic"), bundled=bundle)
    for name in ("ブリキの凧", "Kite of Tales", "tin kite"):
        assert [one.name for one in table.find(name)] == ["Tin Kite"], name
    assert not table.find("Blechdrachen")
    assert [one.name for one in table.find("塩 // 砂")] == ["Salt // Sand"]


def test_printed_names_of_scryfall_are_known(take: Take, stored: Stored) -> None:
    take(scryfall(DEFAULT))
    assert stored()["Tin Kite"]["aliases"] == ["Kite of Tales", "ブリキの凧"]


def test_a_reversible_card_is_one_card(take: Take, stored: Stored) -> None:
    take(scryfall(DEFAULT))
    card = stored()["Mirror Kite"]
    assert card["mana_value"] == 3 and "faces" not in card and "parts" not in card
    take(scryfall([*DEFAULT, printed("Mirror Kite", mana_cost="{4}", cmc=4.0)]))
    assert stored()["Mirror Kite"]["mana_value"] == 4


def test_a_flip_card_is_its_upper_half_and_a_modal_one_its_front(take: Take, stored: Stored) -> None:
    cards = [
        faced(
            "Ant // Ant King",
            "flip",
            face("Ant", "Creature — Ant", "{G}", "G"),
            face("Ant King", "Creature", ""),
        ),
        faced(
            "Hill // Dale",
            "modal_dfc",
            face("Hill", "Land", ""),
            face("Dale", "Instant", "{2}{B}", "B", cmc=3.0),
        ),
    ]
    take(scryfall(cards))
    assert [one["name"] for one in stored()["Ant"]["parts"]] == ["Ant", "Ant King"]
    assert stored()["Hill"]["faces"][0]["mana_value"] == 3
    assert stored()["Hill"]["type"] == ["Land"]


def test_an_aftermath_and_a_room_are_both_halves(take: Take, stored: Stored) -> None:
    halves = {"manaCost": "{R}", "manaValue": 3.0, "faceManaValue": 1.0, "colors": ["R"]}
    rooms = halves | {"types": ["Enchantment"], "subtypes": ["Room"]}
    data = {
        "Up // Down": sides("Up // Down", "aftermath", halves, halves),
        "Hall // Attic": sides("Hall // Attic", "split", rooms, rooms),
    }
    take(atomic(data))
    assert stored()["Up // Down"]["same_symbols"] == 2
    assert stored()["Hall // Attic"]["subtype"] == ["Room"]


def test_pairs_and_leaders(take: Take, stored: Stored) -> None:
    legend = {"supertypes": ["Legendary"]}
    data = {
        one["name"]: [one]
        for one in (
            entry("One", **creature("{W}", 1, "W", [], "Partner with Two (Find it.)"), **legend),
            entry("Ship", types=["Artifact"], subtypes=["Spacecraft"], power="3", **legend),
            entry("Boat", types=["Artifact"], subtypes=["Vehicle"], power="3", **legend),
            entry(
                "Engine",
                types=["Artifact"],
                subtypes=["Vehicle"],
                text="Engine can be your commander.",
                leadershipSkills={"commander": True},
                **legend,
            ),
            entry(
                "Cart",
                types=["Artifact"],
                subtypes=["Vehicle"],
                leadershipSkills={"commander": True},
                **legend,
            ),
            entry("Doctor", types=["Creature"], subtypes=["Time Lord", "Doctor"], **legend),
            entry("Other Doctor", types=["Creature"], subtypes=["Time Lord", "Human", "Doctor"], **legend),
            entry("Walker", types=["Planeswalker"], leadershipSkills={"commander": True}, **legend),
            entry("Quiet Walker", types=["Planeswalker"], leadershipSkills={"commander": False}, **legend),
            entry(
                "Bug Walker",
                types=["Planeswalker"],
                text="As long as Bug Walker isn't on the battlefield, it's a 1/1 Insect creature.",
                **legend,
            ),
        )
    }
    take(atomic(data))
    cards = stored()
    assert cards["One"]["partner_with"] == ["Two"] and cards["One"]["tag"] == []
    leaders = {name for name, one in cards.items() if "can-be-commander" in one["tag"]}
    assert leaders == {"Ship", "Engine", "Walker", "Bug Walker"}
    assert [name for name, one in cards.items() if "time-lord-doctor" in one["tag"]] == ["Doctor"]
    assert (cards["Bug Walker"]["type"], cards["Bug Walker"]["subtype"]) == (
        ["Planeswalker", "Creature"],
        ["Insect"],
    )


def test_names_that_read_alike_are_told_and_the_one_that_is_played_stays(take: Take, stored: Stored) -> None:
    data = {
        "Kite, the Bright": [entry("Kite, the Bright", legalities={})],
        "Kite the Bright": [entry("Kite the Bright")],
    }
    taken = take(atomic(data))
    assert taken.doubles == [("Kite, the Bright", "Kite the Bright")]
    assert list(stored()) == ["Kite the Bright"]


def test_versions_under_one_name_are_one_card_of_what_they_share(take: Take, stored: Stored) -> None:
    versions = [
        entry("Odd Toy", text="{T}: One.", identifiers={"scryfallOracleId": "a"}),
        entry("Odd Toy", text="Two.", manaCost="{1}{W}{W}", identifiers={"scryfallOracleId": "b"}),
    ]
    take(atomic({"Odd Toy": versions}))
    card = stored()["Odd Toy"]
    assert "same_symbols" not in card and card["mana_value"] == 2
    assert card["tag"] == [] and "tag" in card["partial"]


def test_an_alias_that_is_another_card_is_left_away_and_told(take: Take, stored: Stored) -> None:
    cards = [printed("Salt Kite") | {"flavor_name": "Real Kite"}, printed("Real Kite")]
    assert take(scryfall(cards)).clashes == [("Real Kite", "Salt Kite")]
    assert "aliases" not in stored()["Salt Kite"]
    shared = [printed("Left") | {"flavor_name": "Both"}, printed("Right") | {"flavor_name": "Both"}]
    assert take(scryfall(shared)).clashes == [("Both", "Left"), ("Both", "Right")]
    assert stored()["Left"]["aliases"] == stored()["Right"]["aliases"] == ["Both"]


def test_the_many_printings_of_a_basic_land_fit_into_a_line(take: Take, stored: Stored) -> None:
    many = [
        printed(
            "Forest",
            f"s{at:04}",
            released_at=f"{2000 + at // 300}-01-{at % 28 + 1:02}",
            rarity="rare" if at < 900 else "common",
        )
        for at in range(1300)
    ]
    take(scryfall(many))
    printings = stored()["Forest"]["printings"]
    assert 500 <= len(printings) < 600
    assert {one["rarity"] for one in printings} == {"rare", "common"}


def test_names_that_read_alike_and_are_both_known_stay_two_cards(
    take: Take, stored: Stored, bundle: Path
) -> None:
    known = [{"name": "Kite, the Bright", "aliases": ["甲"]}, {"name": "Kite the Bright", "aliases": ["乙"]}]
    text = "".join(json.dumps(card) + "\n" for card in known)
    (bundle / "cards.jsonl").write_text(text, encoding="utf-8")
    names = ("Kite, the Bright", "Kite the Bright", "Kite The Bright")
    taken = take(atomic({name: [entry(name)] for name in names}))
    assert {name: card["aliases"] for name, card in stored().items()} == {
        "Kite, the Bright": ["甲"],
        "Kite the Bright": ["乙"],
    }
    # Of which of the two the third is another spelling can't be told.
    assert taken.doubles == [("Kite The Bright", "Kite, the Bright")]
    table = open_catalog(load_game("magic"), bundled=bundle)
    assert [[card.name for card in table.find(name)] for name in names[:2]] == [[name] for name in names[:2]]
