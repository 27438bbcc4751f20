"""Cards of MTGJSON and Scryfall: each of the forms in which they come tells the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from factories.card_imports import Take
from factories.examples import amount
from factories.mtgjson import ATOMIC, all_printings, atomic, entry
from factories.scryfall import DEFAULT, ORACLE, printed, scryfall

from deckcheck.cards.catalog import open_catalog
from deckcheck.formats.loading import load_game
from deckcheck.model.format import Rank
from deckcheck.rules.predicates import rank_within

Stored = Callable[[], dict[str, Any]]

EVERY_FORM = {
    "atomic": atomic(),
    "all-printings": all_printings(),
    "oracle": scryfall(),
    "default": scryfall(DEFAULT),
}


@pytest.mark.parametrize("form", EVERY_FORM)
def test_every_form_tells_the_same_of_a_card(form: str, take: Take, stored: Stored) -> None:
    taken = take(EVERY_FORM[form])
    cards = stored()
    assert taken.added == len(cards) and not taken.doubles and not taken.unknown
    kite = cards["Tin Kite"]
    assert (kite["type"], kite["mana_value"], kite["same_symbols"]) == (["Artifact"], 2, 1)
    assert (kite["colour"], kite["keyword"], kite["tag"]) == ([], ["flying"], ["has-activated-ability"])
    assert {"modern", "legacy", "vintage"} <= {*kite["pool"]} and "pauper" not in kite["pool"]


@pytest.mark.parametrize("form", EVERY_FORM)
def test_a_split_card_is_both_halves(form: str, take: Take, stored: Stored) -> None:
    take(EVERY_FORM[form])
    card = stored()["Salt // Sand"]
    assert (card["colour"], card["type"]) == (["Blue", "Red"], ["Instant", "Sorcery"])
    assert (card["mana_value"], card["same_symbols"]) == (4, 2)
    assert [(one["name"], one["mana_value"], one["colour"]) for one in card["parts"]] == [
        ("Salt", 2, ["Red"]),
        ("Sand", 2, ["Blue"]),
    ]


@pytest.mark.parametrize("form", EVERY_FORM)
def test_an_adventure_is_its_creature(form: str, take: Take, stored: Stored) -> None:
    take(EVERY_FORM[form])
    card = stored()["Kite Giant"]
    assert (card["colour"], card["type"], card["mana_value"]) == (["Green"], ["Creature"], 3)
    assert card["aliases"] == ["Kite Giant // Wind Gust"]
    assert [one["name"] for one in card["parts"]] == ["Kite Giant", "Wind Gust"]


@pytest.mark.parametrize("form", EVERY_FORM)
def test_a_double_faced_card_is_its_front(form: str, take: Take, stored: Stored) -> None:
    take(EVERY_FORM[form])
    card = stored()["Day Moth"]
    assert (card["colour"], card["keyword"], card["tag"]) == (["White"], ["flying"], [])
    (back,) = card["faces"]
    # Its mana value is that of the front, which isn't told there.
    assert (back["name"], back["colour"], back.get("mana_value")) == ("Night Moth", ["Black"], None)


@pytest.mark.parametrize("form", EVERY_FORM)
def test_two_cards_meld_into_a_name_of_both(form: str, take: Take, stored: Stored, bundle: Path) -> None:
    take(EVERY_FORM[form])
    assert stored()["Great Bird"] == {"name": "Great Bird", "made_of": ["Left Wing", "Right Wing"]}
    table = open_catalog(load_game("magic"), bundled=bundle)
    assert [one.name for one in table.find("great bird")] == ["Left Wing", "Right Wing"]
    assert [one.name for one in table.find("Night Moth")] == ["Day Moth"]
    assert [one.name for one in table.find("Wind Gust")] == ["Kite Giant"]
    assert [one.name for one in table.find("salt/sand")] == ["Salt // Sand"]


@pytest.mark.parametrize("form", EVERY_FORM)
def test_what_is_no_card_for_a_deck_is_left_out(form: str, take: Take, stored: Stored) -> None:
    taken = take(EVERY_FORM[form])
    expected = {
        "atomic": {"beside": 1, "remade": 1},
        "all-printings": {"beside": 1, "remade": 1, "token": 2},
        "oracle": {"art": 1, "flawed": 1, "remade": 1, "token": 1},
        "default": {"art": 1, "flawed": 1, "remade": 1, "token": 1},
    }
    assert taken.left_out == expected[form]
    assert not {"A-Tin Kite", "Wide Field", "Bird"} & stored().keys()


@pytest.mark.parametrize("form", EVERY_FORM)
def test_what_is_missing_is_not_known(form: str, take: Take, stored: Stored) -> None:
    take(EVERY_FORM[form])
    card = stored()["Bare Thing"]
    assert not {"colour", "identity", "type", "supertype", "subtype", "pool"} & card.keys()
    # MTGJSON leaves away a text or cost that isn't there, Scryfall never does.
    if form in ("oracle", "default"):
        assert card["partial"] == ["tag", "partner_with"] and "same_symbols" not in card
        assert "mana_value" not in card and "keyword" not in card


def test_a_mana_value_is_told_or_comes_from_a_cost_or_is_not_known(take: Take, stored: Stored) -> None:
    told = {
        "Costless Thing": entry("Costless Thing", manaValue=None, manaCost=None, types=["Sorcery"]),
        "Plain Field": entry("Plain Field", manaValue=None, manaCost=None, types=["Land"]),
        "Green Thing": entry("Green Thing", manaValue=None, manaCost="{1}{G}", types=["Sorcery"]),
    }
    take(atomic({name: [card] for name, card in told.items()}))
    cards = stored()
    assert "mana_value" not in cards["Costless Thing"]
    assert (cards["Plain Field"]["mana_value"], cards["Green Thing"]["mana_value"]) == (0, 2)


def test_atomic_cards_tell_sets_without_rarities(take: Take, stored: Stored, bundle: Path) -> None:
    assert take(atomic()).date == "2026-11-20"
    assert stored()["Tin Kite"]["printings"] == [{"set": "AAA"}]
    assert is_common(bundle) == "unknown"


@pytest.mark.parametrize("form", ["all-printings", "default"])
def test_printings_have_rarity_and_day(form: str, take: Take, stored: Stored, bundle: Path) -> None:
    take(EVERY_FORM[form])
    assert stored()["Tin Kite"]["printings"] == [
        {"set": "CCC", "released": "1999-09-09", "rarity": None},
        {"set": "AAA", "released": "2001-01-01", "rarity": "rare"},
        {"set": "BBB", "released": "2020-02-02", "rarity": "common"},
    ]
    assert is_common(bundle) == "yes" and is_common(bundle, "2010-01-01") == "no"


def test_one_printing_of_several_tells_no_rarity(take: Take, stored: Stored, bundle: Path) -> None:
    take(scryfall())
    assert "printings" not in stored()["Tin Kite"]
    assert is_common(bundle) == "unknown"


def is_common(bundle: Path, day: str = "2026-11-21") -> str:
    game = load_game("magic")
    (card,) = open_catalog(game, bundled=bundle).find("Tin Kite")
    order = game.attributes["rarity"].order
    return ("no", "unknown", "yes")[rank_within(card, Rank("rarity", order, None, "common"), day)]


def test_banned_and_restricted_cards_are_in_the_pool(take: Take, stored: Stored) -> None:
    take(atomic())
    assert stored()["Kite Captain"]["pool"] == ["commander", "legacy", "modern", "vintage"]
    cards = [
        printed("Odd Kite", legalities={"modern": "banned", "legacy": "restricted", "vintage": "not_legal"})
    ]
    take(scryfall(cards))
    assert stored()["Odd Kite"]["pool"] == ["legacy", "modern"]


def test_a_printing_that_is_legal_nowhere_takes_nothing_away(take: Take, stored: Stored) -> None:
    nowhere = dict.fromkeys(("modern", "legacy"), "not_legal")
    take(scryfall([printed("Gold Kite"), printed("Gold Kite", "gld", legalities=nowhere)]))
    assert stored()["Gold Kite"]["pool"] == ["legacy", "modern", "vintage"]
    assert "partial" not in stored()["Gold Kite"]


def test_words_that_the_game_does_not_have_are_told(take: Take, stored: Stored) -> None:
    odd = printed("Odd Kite", type_line="Contraption Artifact — Kite", rarity="shiny", colors=["W", "P"])
    taken = take(scryfall([odd, printed("Kite"), printed("Kite", "bbb")]))
    assert taken.unknown == {"type Contraption": 1, "rarity shiny": 1, "colour P": 1}
    card = stored()["Odd Kite"]
    assert card["type"] == ["Contraption", "Artifact"] and card["partial"] == ["colour"]
    # A rarity that nobody knows is not known.
    assert card["printings"] == [{"set": "AAA", "released": "2001-01-01"}]


def test_what_the_file_does_not_say_stays_known(take: Take, stored: Stored) -> None:
    take(all_printings())
    again = take(
        atomic({"Tin Kite": [ATOMIC["Tin Kite"][0] | {"foreignData": [], "printings": ["AAA", "DDD"]}]})
    )
    assert (again.added, again.changed, again.unchanged) == (0, 1, 0)
    card = stored()["Tin Kite"]
    assert card["aliases"] == ["Kite of Tales", "ブリキの凧"]
    assert card["printings"] == [{"set": "AAA", "released": "2001-01-01", "rarity": "rare"}, {"set": "DDD"}]
    assert len(stored()) == 9


def test_importing_again_changes_nothing(take: Take) -> None:
    for content in (all_printings(), scryfall(DEFAULT)):
        first = take(content)
        written = first.path.read_bytes()
        again = take(content)
        assert (again.added, again.changed) == (0, 0)
        assert again.path.read_bytes() == written


@pytest.mark.parametrize(
    "value", [None, 7, "x", [], {}, [{}], [[1]], [{"name": 3}], {"name": ["x"]}, True][:: amount(1, 3)]
)
def test_a_field_of_another_shape_is_as_good_as_missing(value: Any, take: Take) -> None:
    for key in (
        *entry("x"),
        "text",
        "faceName",
        "side",
        "foreignData",
        "keywords",
        "leadershipSkills",
        "isRebalanced",
    ):
        if key != "name":
            take(atomic({"Kite": [entry("Kite") | {key: value}], "Fine": [entry("Fine")]}))
    for key in (*printed("x"), "card_faces", "all_parts", "printed_name", "promo_types"):
        if key != "name":
            take(scryfall([printed("Kite") | {key: value}, printed("Fine")]))


def test_a_card_without_a_name_is_counted(take: Take) -> None:
    taken = take(
        scryfall([printed("Kite"), {"object": "card"}, {"object": "card", "name": "\u202e"}, 3, "x", None])
    )  # type: ignore[list-item]
    assert taken.left_out == {"flawed": 5} and taken.added == 1


def test_the_sample_is_like_the_real_thing() -> None:
    assert json.loads(atomic())["data"].keys() == ATOMIC.keys()
    assert len(json.loads(scryfall())) == len(ORACLE)


@pytest.mark.parametrize("values", [(2, 3, 2), (2, 3, 4), (2, 3, None), (None, 2, 3)])
def test_what_the_appearances_of_a_card_disagree_on_is_not_known(
    values: tuple[float | None, ...], take: Take, stored: Stored
) -> None:
    take(scryfall([printed("Moth", f"s{at}", mana_cost=None, cmc=value) for at, value in enumerate(values)]))
    assert "mana_value" not in stored()["Moth"]
    assert stored()["Moth"]["type"] == ["Artifact"]


def test_what_only_some_appearances_of_a_card_tell_is_known(take: Take, stored: Stored) -> None:
    take(scryfall([printed("Moth", f"s{at}", mana_cost=None, cmc=cmc) for at, cmc in enumerate((None, 2))]))
    assert stored()["Moth"]["mana_value"] == 2
