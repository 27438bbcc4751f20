"""A game's vocabulary is data."""

from __future__ import annotations

import pytest

from deckcheck.formats.loading import game_file, load_game, read_game
from deckcheck.support.errors import UserError
from deckcheck.support.files import shipped


@pytest.mark.parametrize("game_id", [file.parent.name for file in shipped("formats").glob("*/game.yaml")])
def test_a_bundled_game_is_well_formed(game_id: str) -> None:
    game = load_game(game_id)
    assert game.id == game_id
    assert set(game.words.marks.values()) <= set(game.zones)
    assert "free" not in game.statuses
    for attribute in game.attributes.values():
        # Where any word may come, those that are named are some of them.
        assert not attribute.values or set(attribute.names or ()) <= set(attribute.values)
        assert bool(attribute.order) == (attribute.kind == "rank")
        codes = [code for together in attribute.order for code in together]
        assert len(codes) == len(set(codes))
    headings = [heading.casefold() for zone in game.zones.values() for heading in zone.headings]
    assert len(headings) == len(set(headings))
    words = {"all", "any", "not", "ref", "name", "status", "any_part", "no_other_card"}
    assert not words & set(game.attributes)


def test_a_kept_game_is_the_same_game() -> None:
    assert load_game("duel-masters") == load_game("duel-masters")
    assert load_game("duel-masters") == read_game(game_file("duel-masters"))


@pytest.mark.parametrize("game_id", ["desert", "", "..", "a/b"])
def test_a_game_that_is_not_there(game_id: str) -> None:
    with pytest.raises(UserError, match="there is no game"):
        load_game(game_id)
