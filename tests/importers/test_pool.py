"""Cards of another program over those that are known."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from factories.files import put
from factories.scryfall import DEFAULT, printed, scryfall

from deckcheck.cards.catalog import open_catalog
from deckcheck.formats.loading import load_game
from deckcheck.importers.own_cards import ImportResult
from deckcheck.support.errors import UserError

GAME = load_game("magic")
Stored = Callable[[], dict[str, Any]]
Take = Callable[..., ImportResult]

KITE = scryfall([printed("Tin Kite")])


def test_what_the_file_does_not_say_is_kept(take: Take, stored: Stored) -> None:
    take(scryfall(DEFAULT))
    again = take(scryfall([printed("Tin Kite", cmc=3.0), printed("Tin Kite", "ddd", cmc=3.0, rarity=None)]))
    assert (again.added, again.changed, again.unchanged) == (0, 1, 0)
    card = stored()["Tin Kite"]
    assert card["aliases"] == ["Kite of Tales", "ブリキの凧"]
    assert card["printings"] == [
        {"set": "AAA", "released": "2001-01-01", "rarity": "rare"},
        {"set": "DDD", "released": "2001-01-01"},
    ]
    assert len(stored()) == 9


def test_imported_cards_stand_beside_own_ones_and_over_the_bundled(
    take: Take, store: Path, bundle: Path
) -> None:
    put(store, '{"name":"My Own","mana_value":3}\n{"name":"tin kite","mana_value":9}\n')
    put(bundle / "cards.jsonl", '{"name":"Tin Kite","mana_value":7}\n{"name":"Old Kite"}\n')
    taken = take(KITE)
    assert (taken.added, taken.changed) == (0, 1)
    cards = [json.loads(line) for line in store.read_text("utf-8").splitlines()]
    assert [(card["name"], card["mana_value"]) for card in cards] == [("My Own", 3), ("Tin Kite", 2)]
    table = open_catalog(GAME, bundled=bundle)
    assert table.find("Tin Kite")[0].facts["mana_value"] == 2 and len(table) == 3


def test_a_place_that_cannot_be_written_is_told(take: Take, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    with pytest.raises(UserError, match="can't be written"):
        take(KITE)


def test_words_that_the_game_does_not_have_are_told(take: Take, stored: Stored) -> None:
    odd = printed("Odd Kite", type_line="Contraption Artifact — Kite", rarity="shiny", colors=["W", "P"])
    taken = take(scryfall([odd, printed("Kite"), printed("Kite", "bbb")]))
    assert taken.unknown == {"rarity shiny": 1, "colour P": 1}
    card = stored()["Odd Kite"]
    assert card["type"] == ["Contraption", "Artifact"] and "colour" not in card
    # A rarity that the game doesn't have is unknown.
    assert card["printings"] == [{"set": "AAA", "released": "2001-01-01"}]


@pytest.mark.parametrize("values", [(2, 3, 2), (2, 3, 4), (2, 3, None), (None, 2)])
def test_what_the_entries_of_a_card_disagree_on_is_unknown(
    values: tuple[float | None, ...], take: Take, stored: Stored
) -> None:
    take(scryfall([printed("Moth", f"s{at}", mana_cost=None, cmc=value) for at, value in enumerate(values)]))
    assert "mana_value" not in stored()["Moth"]
    assert stored()["Moth"]["type"] == ["Artifact"]


def test_two_cards_with_one_name_are_a_card_of_what_they_share(take: Take, stored: Stored) -> None:
    versions = [
        printed("Odd Toy", oracle_id="a", oracle_text="{T}: One."),
        printed("Odd Toy", oracle_id="b", oracle_text="Two.", mana_cost="{1}{W}{W}"),
    ]
    take(scryfall(versions))
    card = stored()["Odd Toy"]
    assert "same_symbols" not in card and card["mana_value"] == 2
    assert "tag" not in card and card["type"] == ["Artifact"]


def test_names_that_fold_alike_are_as_many_cards(take: Take, stored: Stored, bundle: Path) -> None:
    known = [{"name": "Kite, the Bright", "aliases": ["甲"]}, {"name": "Kite the Bright", "aliases": ["乙"]}]
    put(bundle / "cards.jsonl", "".join(json.dumps(card) + "\n" for card in known))
    names = ("Kite, the Bright", "Kite the Bright", "Kite The Bright")
    taken = take(scryfall([printed(name) for name in names]))
    assert (taken.added, taken.changed, taken.unclear) == (1, 2, [])
    assert [card.get("aliases") for card in stored().values()] == [["甲"], ["乙"], None]
    table = open_catalog(GAME, bundled=bundle)
    assert [[card.name for card in table.find(name)] for name in names] == [[name] for name in names]


def test_a_card_that_may_be_another_spelling_of_several_is_left_out(
    take: Take, stored: Stored, bundle: Path
) -> None:
    put(bundle / "cards.jsonl", '{"name":"Kite, Bright"}\n{"name":"Kite Bright"}\n')
    taken = take(scryfall([printed("kite bright"), printed("Moth")]))
    assert taken.unclear == [("kite bright", "Kite, Bright")]
    assert list(stored()) == ["Moth"]


def test_an_alias_that_is_another_card_is_left_out_and_told(take: Take, stored: Stored) -> None:
    cards = [printed("Salt Kite") | {"flavor_name": "Real Kite"}, printed("Real Kite")]
    assert take(scryfall(cards)).unclear == [("Real Kite", "Salt Kite")]
    assert "aliases" not in stored()["Salt Kite"]
    shared = [printed("Left") | {"flavor_name": "Both"}, printed("Right") | {"flavor_name": "Both"}]
    take(scryfall(shared))
    assert stored()["Left"]["aliases"] == stored()["Right"]["aliases"] == ["Both"]


@pytest.mark.parametrize(("count", "known"), [(700, 700), (701, 0)])
def test_more_printings_than_fit_into_a_line_are_unknown(
    count: int, known: int, take: Take, stored: Stored
) -> None:
    take(scryfall([printed("Forest", f"s{number:04}") for number in range(count)]))
    assert len(stored()["Forest"].get("printings", ())) == known
