"""A game's vocabulary is data."""

from __future__ import annotations

from pathlib import Path

import pytest
from factories.garden_game import GAME, GAME_YAML

from deckcheck.formats.loading import game_file, game_from, load_game, read_game
from deckcheck.support.documents import load_yaml, parse_yaml, require_shape
from deckcheck.support.errors import UserError
from deckcheck.support.files import shipped
from deckcheck.support.messages import Localized


def test_what_a_game_says_is_carried_over() -> None:
    assert (GAME.id, GAME.name, GAME.default_zone) == ("garden", Localized("庭", "Garden"), "main")
    assert list(GAME.zones) == ["main", "leader", "side"]
    assert GAME.zones["leader"].headings == ("庭師", "Gardener")
    assert list(GAME.statuses) == ["rare", "pair", "out"]
    colour, rarity = GAME.attributes["colour"], GAME.attributes["rarity"]
    assert (colour.kind, colour.values) == ("values", ("red", "blue", "green"))
    assert colour.names is not None
    assert colour.names["red"] == Localized("赤", "Red")
    assert rarity.order == (("C",), ("U",), ("R",), ("SR", "SSR"), ("L",))
    assert GAME.attributes["kind"].names == {}


def test_what_a_game_does_not_say_is_empty() -> None:
    game = game_from({"game": "g", "name": "G", "attributes": {}, "zones": {"a": {"name": "A"}}})
    assert (game.folding.drop, dict(game.folding.replace), dict(game.statuses)) == ("", {}, {})
    assert game.words.marks == {}
    assert game.words.labels == frozenset()
    assert game.name == Localized("G", "G")


@pytest.mark.parametrize("game_id", [file.parent.name for file in shipped("formats").glob("*/game.yaml")])
def test_a_bundled_game_is_well_formed(game_id: str) -> None:
    document = load_yaml(shipped("formats") / game_id / "game.yaml")
    require_shape(document, "game")
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


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("kind: number", "kind: numbr", ":10: 'numbr' is not one of values, number, rank, home (did you mean 'number'?)"),
        ("attributes:", "atributes:", "x:2:1: missing: attributes"),
        ("game: garden", "game: Garden/1", "x:2:1: 'Garden/1' is malformed"),
        ("statuses:", "stati:", "unknown key 'stati' (did you mean 'statuses'?)"),
        ("order: [[C]", "order: [C", "C is not allowed here; a list is needed"),
    ],
)  # fmt: skip
def test_mistakes_in_a_game_are_told(old: str, new: str, said: str) -> None:
    with pytest.raises(UserError) as caught:
        require_shape(parse_yaml(GAME_YAML.replace(old, new, 1), "x"), "game")
    assert any(said in problem.in_("en") for problem in caught.value.problems), caught.value.problems


def test_the_cached_name_of_a_game_stays_inside_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DECKCHECK_CACHE_DIR", str(tmp_path / "cache"))
    with pytest.raises(UserError):
        load_game("../../outside")
    assert list(tmp_path.rglob("*.json")) == []
