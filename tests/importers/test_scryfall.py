"""What is read of Scryfall's data: each of its forms says the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from factories.examples import amount
from factories.scryfall import DEFAULT, face, faced, printed, scryfall

from deckcheck.cards.catalog import open_catalog
from deckcheck.formats.loading import load_game
from deckcheck.importers import scryfall as source
from deckcheck.importers.own_cards import ImportResult
from deckcheck.model.format import Rank
from deckcheck.rules.predicates import rank_within

Stored = Callable[[], dict[str, Any]]
Take = Callable[..., ImportResult]

FORMS = {"oracle": scryfall(), "default": scryfall(DEFAULT)}
every_form = pytest.mark.parametrize("form", FORMS)


@every_form
def test_facts_of_cards(form: str, take: Take, stored: Stored, bundle: Path) -> None:
    taken = take(FORMS[form])
    cards = stored()
    assert taken.added == len(cards) and not taken.unclear and not taken.unknown
    kite = cards["Tin Kite"]
    assert (kite["type"], kite["mana_value"], kite["same_symbols"]) == (["Artifact"], 2, 1)
    assert (kite["colour"], kite["keyword"], kite["tag"]) == ([], ["flying"], ["has-activated-ability"])
    assert {"modern", "legacy", "vintage"} <= {*kite["pool"]} and "pauper" not in kite["pool"]
    # A split card is both halves.
    split = cards["Salt // Sand"]
    assert (split["colour"], split["type"]) == (["Blue", "Red"], ["Instant", "Sorcery"])
    assert (split["mana_value"], split["same_symbols"]) == (4, 2)
    assert [part["name"] for part in split["parts"]] == ["Salt", "Sand"]
    # An adventure is its creature.
    giant = cards["Kite Giant"]
    assert (giant["colour"], giant["type"], giant["mana_value"]) == (["Green"], ["Creature"], 3)
    assert giant["aliases"] == ["Kite Giant // Wind Gust"]
    # A double-faced card is its front, whose mana value the back has without saying so.
    moth = cards["Day Moth"]
    assert (moth["colour"], moth["keyword"], moth["tag"]) == (["White"], ["flying"], [])
    (back,) = moth["faces"]
    assert (back["name"], back["colour"], back.get("mana_value")) == ("Night Moth", ["Black"], None)
    # Two cards meld into a name of both.
    assert cards["Great Bird"] == {"name": "Great Bird", "made_of": ["Left Wing", "Right Wing"]}
    table = open_catalog(load_game("magic"), bundled=bundle)
    assert [card.name for card in table.find("great bird")] == ["Left Wing", "Right Wing"]
    assert [card.name for card in table.find("Night Moth")] == ["Day Moth"]
    assert [card.name for card in table.find("salt/sand")] == ["Salt // Sand"]
    # What is missing is unknown.
    bare = cards["Bare Thing"]
    assert not {"colour", "identity", "type", "supertype", "subtype", "pool", "keyword"} & bare.keys()
    assert bare["partial"] == ["tag", "partner_with"]
    assert not {"same_symbols", "mana_value"} & bare.keys()


@every_form
def test_what_is_no_card_for_a_deck_is_left_out(form: str, take: Take, stored: Stored) -> None:
    assert take(FORMS[form]).left_out == {"unplayable": 3, "flawed": 2}
    assert not {"A-Tin Kite", "Bird"} & stored().keys()


def test_a_mana_value_is_stated_or_comes_from_a_cost_or_is_unknown(take: Take, stored: Stored) -> None:
    blank = {"cmc": None, "mana_cost": ""}
    things = [
        printed("Costless Thing", **blank, type_line="Sorcery"),
        printed("Plain Field", **blank, type_line="Land"),
        printed("Green Thing", cmc=None, mana_cost="{1}{G}", type_line="Sorcery"),
    ]
    take(scryfall(things))
    cards = stored()
    assert "mana_value" not in cards["Costless Thing"]
    assert (cards["Plain Field"]["mana_value"], cards["Green Thing"]["mana_value"]) == (0, 2)


def is_common(bundle: Path, day: str = "2026-11-21") -> str:
    game = load_game("magic")
    (card,) = open_catalog(game, bundled=bundle).find("Tin Kite")
    order = game.attributes["rarity"].order
    return ("no", "unknown", "yes")[rank_within(card, Rank("rarity", order, None, "common"), day)]


def test_printings_have_rarity_and_day(take: Take, stored: Stored, bundle: Path) -> None:
    take(FORMS["default"])
    assert stored()["Tin Kite"]["printings"] == [
        {"set": "CCC", "released": "1999-09-09", "rarity": None},
        {"set": "AAA", "released": "2001-01-01", "rarity": "rare"},
        {"set": "BBB", "released": "2020-02-02", "rarity": "common"},
    ]
    assert is_common(bundle) == "yes" and is_common(bundle, "2010-01-01") == "no"


def test_one_printing_of_several_says_no_rarity(take: Take, stored: Stored, bundle: Path) -> None:
    take(FORMS["oracle"])
    assert "printings" not in stored()["Tin Kite"]
    assert is_common(bundle) == "unknown"


def test_banned_and_restricted_cards_are_in_the_pool(take: Take, stored: Stored) -> None:
    legalities = {"modern": "banned", "legacy": "restricted", "vintage": "not_legal"}
    take(scryfall([printed("Odd Kite", legalities=legalities)]))
    assert stored()["Odd Kite"]["pool"] == ["legacy", "modern"]


def test_a_printing_that_is_legal_nowhere_takes_nothing_away(take: Take, stored: Stored) -> None:
    nowhere = dict.fromkeys(("modern", "legacy"), "not_legal")
    take(scryfall([printed("Gold Kite"), printed("Gold Kite", "gld", legalities=nowhere)]))
    assert stored()["Gold Kite"]["pool"] == ["legacy", "modern", "vintage"]
    assert "partial" not in stored()["Gold Kite"]


def test_a_reversible_card_is_one_card(take: Take, stored: Stored) -> None:
    take(FORMS["default"])
    card = stored()["Mirror Kite"]
    assert card["mana_value"] == 3 and "faces" not in card and "parts" not in card
    take(scryfall([*DEFAULT, printed("Mirror Kite", mana_cost="{4}", cmc=4.0)]))
    assert stored()["Mirror Kite"]["mana_value"] == 4


def test_layouts_with_two_faces(take: Take, stored: Stored) -> None:
    def half(name: str, line: str, cost: str = "", **more: Any) -> dict[str, Any]:
        return face(name, line, cost, **more)

    cards = [
        faced("Ant // Ant King", "flip", half("Ant", "Creature — Ant", "{G}"), half("Ant King", "Creature")),
        faced("Hill // Dale", "modal_dfc", half("Hill", "Land"), half("Dale", "Instant", "{2}{B}", cmc=3.0)),
        faced("Up // Down", "aftermath", half("Up", "Instant", "{R}"), half("Down", "Instant", "{R}")),
    ]
    take(scryfall(cards))
    assert [part["name"] for part in stored()["Ant"]["parts"]] == ["Ant", "Ant King"]
    assert (stored()["Hill"]["type"], stored()["Hill"]["faces"][0]["mana_value"]) == (["Land"], 3)
    assert stored()["Up // Down"]["same_symbols"] == 2


def test_partners_and_leaders(take: Take, stored: Stored) -> None:
    elsewhere = "As long as Bug Walker isn't on the battlefield, it's a 1/1 Insect creature."
    cards = [
        printed("One", type_line="Legendary Creature", oracle_text="Partner with Two (Find it.)"),
        printed("Ship", type_line="Legendary Artifact — Spacecraft", power="3"),
        printed("Boat", type_line="Legendary Artifact — Vehicle", power="3"),
        printed("Engine", type_line="Legendary Artifact — Vehicle", oracle_text="Engine can be your commander."),
        printed("Doctor", type_line="Legendary Creature — Time Lord Doctor"),
        printed("Other Doctor", type_line="Legendary Creature — Time Lord Human Doctor"),
        printed("Quiet Walker", type_line="Legendary Planeswalker"),
        printed("Bug Walker", type_line="Legendary Planeswalker", oracle_text=elsewhere),
    ]  # fmt: skip
    take(scryfall(cards))
    by_name = stored()
    assert by_name["One"]["partner_with"] == ["Two"] and by_name["One"]["tag"] == []
    leaders = {name for name, card in by_name.items() if "can-be-commander" in card["tag"]}
    assert leaders == {"Ship", "Engine", "Bug Walker"}
    assert [name for name, card in by_name.items() if "time-lord-doctor" in card["tag"]] == ["Doctor"]
    walker = by_name["Bug Walker"]
    assert (walker["type"], walker["subtype"]) == (["Planeswalker", "Creature"], ["Insect"])


@pytest.mark.parametrize(
    "value", [None, 7, "x", [], {}, [{}], [[1]], [{"name": 3}], {"name": ["x"]}, True][:: amount(1, 3)]
)
def test_an_entry_with_a_field_of_another_shape_keeps_nothing_else_out(value: Any, take: Take) -> None:
    for key in (*printed("x"), "card_faces", "all_parts", "printed_name", "promo_types"):
        if key != "name":
            take(scryfall([printed("Kite") | {key: value}, printed("Fine")]))


def test_what_has_no_name_or_no_end_is_no_card_and_counted(take: Take) -> None:
    odd: list[Any] = [{"object": "card"}, {"object": "card", "name": "\u202e"}, 3, "x", None]
    endless = [printed("A", oracle_text="Flying. " * 3000), printed("B", mana_cost="{G}" * 10_000)]
    taken = take(scryfall([printed("Kite"), *odd, *endless]))
    assert taken.left_out == {"flawed": 7} and taken.added == 1


def test_a_list_for_each_format_with_the_day_in_the_files_name(tmp_path: Path) -> None:
    path = tmp_path / "default-cards-20261118100506.json"
    cards = [
        printed("A", legalities={"modern": "banned", "vintage": "restricted", "legacy": "legal"}),
        # A printing that is legal nowhere says nothing of the card.
        printed("A", "gld", legalities={"modern": "not_legal"}),
        printed("B", legalities={"modern": "legal"}),
        printed("C", legalities=None),
    ]
    path.write_bytes(scryfall(cards))
    modern, vintage = source.banlists(path, source.read(path))
    assert (modern.id, modern.date, modern.statuses) == ("modern", "2026-11-18", {"A": "banned"})
    assert modern.free == {"B"}
    assert (vintage.statuses, vintage.free) == ({"A": "restricted"}, frozenset())
