"""Zones in YAML and JSON: keys side by side, yes and no under a zone's word, texts of several lines."""

from __future__ import annotations

import json
from functools import cache

import pytest

from deckcheck.checking.judge import LoadedFormat, check, load_format, read_deck
from deckcheck.model.deck import Deck


@cache
def loaded(format: str) -> LoadedFormat:
    return load_format(format)


def read(text: object, path: str = "a.json", format: str = "magic/limited") -> Deck:
    return read_deck(loaded(format), text if isinstance(text, str) else json.dumps(text), path)


def told(deck: Deck) -> list[str]:
    entries = [f"{e.zone} {e.copies} {e.cards[0].name if e.cards else '?' + e.written}" for e in deck.entries]
    return [*entries, *(f"{one.id} {one.line}" for one in deck.diagnostics)]


def placed(text: str) -> list[str]:
    """As `told`, with the line and column of each entry and no name."""
    deck = read(text, "a.yaml")
    entries = [f"{e.line}:{e.column} {e.zone} {e.copies}" for e in deck.entries]
    return [*entries, *(f"! {one.line}:{one.column} {one.id}" for one in deck.diagnostics)]


# Records.


def test_two_cards_in_one_record_are_read_or_told() -> None:
    both = {"name": "Opt", "count": 3, "name2": "Swamp", "count2": 2}
    assert told(read([both])) == ["main 3 Opt", "main 2 Swamp"]
    one = {"name": "Opt", "count": 3}
    for more in (
        {"other": "Swamp", "x": 2},
        {"other": "2 Swamp"},
        {"note": "Swamp x2"},
        {"card": "Swamp"},
        {"text": "Opt", "card": "Swamp"},
    ):
        assert told(read([one | more])) == ["invalid-line 1"], more
    for same in (
        {"card": "Opt"},
        {"other": "Opt", "x": 2},
        {"note": "cut 2 for game 3"},
        {"cmc": 2, "set": "M10"},
    ):
        assert told(read([one | same])) == ["main 3 Opt"], same


def test_of_two_names_the_known_one_is_read() -> None:
    assert told(read([{"card": "c-1234", "name": "Opt", "count": 3}])) == ["main 3 Opt"]
    assert told(read("card,name,count\nc-1234,Opt,3\n", "a.csv")) == ["main 3 Opt"]


@pytest.mark.parametrize("text", ["Count,Name,Also\n3,Opt,2 Swamp\n", "Count,Name,Also,x\n3,Opt,Swamp,2\n"])
def test_a_second_card_in_a_sheet_is_told(text: str) -> None:
    assert told(read(text, "a.csv")) == ["invalid-line 2"]


@pytest.mark.parametrize("key", ["sideboard", "Sideboard", "サイド", "side"])
def test_a_zones_word_with_yes_or_no(key: str) -> None:
    records = [
        {"name": "Opt", "count": 3, key: True},
        {"name": "Island", "count": 2, key: False},
        {"name": "Swamp", "count": 1, key: None},
        {"name": "Plains", "count": 1},
    ]
    found = ["side 3 Opt", "main 2 Island", "main 1 Swamp", "main 1 Plains"]
    assert told(read(records)) == told(read({"cards": records})) == told(read({"main": records})) == found
    text = f"cards:\n- {{name: Opt, count: 3, {key}: true}}\n- {{name: Island, count: 2, {key}: no}}\n"
    assert told(read(text, "a.yaml")) == found[:2]
    assert told(read({"main": {"Opt": {"count": 3, key: True}, "Island": {key: True}}})) == [
        "side 3 Opt",
        "side 1 Island",
    ]


@pytest.mark.parametrize("value", [2, 1, 0, "maybe", ["4 Swamp"], {"copies": 2}, "Opt"])
def test_anything_else_under_a_zones_word_is_told(value: object) -> None:
    found = told(read([{"name": "Opt", "count": 3, "sideboard": value}, {"name": "Island", "count": 2}]))
    assert found == ["main 2 Island", "invalid-line 1"]


@pytest.mark.parametrize("key", ["category", "type", "board", "zone", "tags", "deck", "区分", "備考"])
def test_a_field_that_sorts_the_cards_names_a_zone_as_well(key: str) -> None:
    for value in ("Sideboard", ["Land", "Sideboard"], "Land, Sideboard", "サイド"):
        assert told(read([{"name": "Opt", "count": 3, key: value}])) == ["side 3 Opt"], value
    for other in ("Land", ["Land", "Red"], "", None, []):
        assert told(read([{"name": "Opt", "count": 3, key: other}])) == ["main 3 Opt"], other


@pytest.mark.parametrize(
    ("key", "value"),
    [("foo", "Sideboard"), ("foo", {"at": ["side"]}), ("isSideboard", True), ("in_side", "yes")],
)
def test_a_zone_in_a_field_that_nobody_knows_is_told(key: str, value: object) -> None:
    deck = read([{"name": "Opt", "count": 3, key: value}])
    assert told(deck)[1:] == ["unknown-zone 1"]
    assert check(deck, loaded("magic/limited"), as_of="2025-12-01").verdict != "legal"


@pytest.mark.parametrize(
    "more",
    [
        {"foo": "bar", "set": "Commander", "keywords": ["Partner"], "id": 7},
        {"legalities": {"commander": "legal"}, "isSideboard": False, "text": "Partner"},
        {"main": True, "deck": "Red Deck Wins", "price": 2},
    ],
)
def test_other_fields_are_left_alone(more: dict[str, object]) -> None:
    assert told(read([{"name": "Opt", "count": 3, **more}])) == ["main 3 Opt"]


def test_two_answers_in_one_record_are_told() -> None:
    for record in (
        '{"name": "Opt", "count": 3, "count": 4}',
        '{"name": "Opt", "count": 3, "quantity": 4}',
        '{"name": "Opt", "name": "Swamp", "count": 3}',
        '{"name": "Opt", "count": 3, "main": true, "side": true}',
    ):
        assert told(read(f"[{record}]")) == ["invalid-line 1"], record
    assert told(read('[{"name": "Opt", "count": 3, "quantity": 3}]')) == ["main 3 Opt"]


# Keys side by side.


def test_a_key_twice_loses_nothing() -> None:
    text = '{"main": ["40 Mountain"], "side": {"Opt": 1}, "main": {"Swamp": 2}, "side": ["1 Island"], "main": []}'
    assert told(read(text)) == ["main 40 Mountain", "side 1 Opt", "main 2 Swamp", "side 1 Island"]
    assert told(read('{"main": {"Opt": 1, "Opt": 2}}')) == ["main 1 Opt", "main 2 Opt"]
    assert told(read('{"cards": ["1 Opt"], "cards": ["2 Swamp"]}')) == ["main 1 Opt", "main 2 Swamp"]


def test_a_label_beside_zones_is_in_none_of_them() -> None:
    found = told(read({"main": {"Mountain": 40}, "side": {"Swamp": 11}, "lands": {"Opt": 4}}))
    assert found == ["main 40 Mountain", "side 11 Swamp", "main 4 Opt"]
    text = "commander: Abdel Adrian, Gorion's Ward\nlands: {Forest: 99}\n"
    for path in ("a.yaml", "-"):
        deck = read(f"format: magic/commander\n{text}", path, "magic/commander")
        assert told(deck) == ["commander 1 Abdel Adrian, Gorion's Ward", "main 99 Forest"]
    assert told(read({"side": ["1 Opt"], "Swamp": 4, "Island": {"count": 2}, "Plains": "3"})) == [
        "side 1 Opt",
        "main 4 Swamp",
        "main 2 Island",
        "main 3 Plains",
    ]


def test_a_label_within_a_zone_stays_in_it() -> None:
    tree = {"side": {"lands": {"Swamp": 11}, "Opt": 1, "spells": ["2 Ponder"]}, "lands": {"Island": 2}}
    found = ["side 11 Swamp", "side 1 Opt", "side 2 Ponder", "main 2 Island"]
    assert told(read(tree)) == told(read({"deck": tree})) == told(read([tree])) == found
    text = "side:\n  lands:\n    Swamp: 11\n  Opt: 1\n  spells:\n  - 2 Ponder\nlands:\n  Island: 2\n"
    assert told(read(text, "a.yaml")) == found


def test_what_stands_beside_zones_in_a_list_is_in_none_of_them() -> None:
    found = told(
        read([{"side": {"Swamp": 11}}, {"name": "Opt", "count": 4}, "3 Island", {"lands": ["2 Plains"]}])
    )
    assert found == ["side 11 Swamp", "main 4 Opt", "main 3 Island", "main 2 Plains"]
    found = told(read({"side": ["1 Opt"], "cards": ["4 Swamp"], "foo": ["1 Island"], "lands": ["2 Plains"]}))
    assert found == ["side 1 Opt", "main 4 Swamp", "foo 1 Island", "main 2 Plains", "unknown-zone 1"]


def test_sums_beside_zones_are_those_of_the_rows() -> None:
    tree = {"main": {"Mountain": 40, "合計": 40}, "side": {"Swamp": 11}, "合計": 51}
    assert told(read(tree)) == ["main 40 Mountain", "side 11 Swamp"]


def test_lines_in_a_list_are_read_as_lines_are() -> None:
    tree = {"main": ["4 Opt", "Sideboard", "3 Swamp", "Lands", "2 Island"], "lands": ["1 Plains"]}
    assert told(read(tree)) == ["main 4 Opt", "side 3 Swamp", "side 2 Island", "main 1 Plains"]


# Texts of several lines.


def test_a_block_of_lines_is_a_list() -> None:
    text = "main: |\n  20 Mountain\n\n    29 Swamp\nside: |-\n  3 Opt\nSideboard: |+ # the rest\n  2 Opt\n  1 Ponder\n\n"
    found = ["2:6 main 20", "4:8 main 29", "6:5 side 3", "8:5 side 2", "9:5 side 1"]
    assert placed(text) == placed(text.rstrip()) == found
    assert placed(f"# format: magic/limited\n---\n{text}") == [
        f"{int(line.partition(':')[0]) + 2}:{line.partition(':')[2]}" for line in found
    ]
    assert placed("deck: |\n  20 Mountain\n  Sideboard\n  3 Opt\n") == ["2:6 main 20", "4:5 side 3"]
    assert placed("|\n  20 Mountain\n  3 Opt\n") == ["2:6 main 20", "3:5 main 3"]


def test_a_block_with_a_line_that_is_no_card_is_told() -> None:
    assert told(read("main: |\n  20 Mountain\n  foo bar\n", "a.yaml")) == [
        "main 20 Mountain",
        "main 1 ?foo bar",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "main:\n  20 Mountain\n  29 Swamp\n",
        "main: >\n  20 Mountain\n  29 Swamp\n",
        "main: >-\n\n  20 Mountain\n\n  29 Swamp\n",
        'main: "20 Mountain\n  29 Swamp"\n',
        "main:\n- 20 Mountain\n  29 Swamp\n",
    ],
)
def test_lines_that_are_joined_are_told(text: str) -> None:
    deck = read(text, "a.yaml")
    assert [one.id for one in deck.diagnostics] == ["invalid-line"] and deck.entries == ()
    assert check(deck, loaded("magic/limited"), as_of="2025-12-01").verdict == "undecided"


@pytest.mark.parametrize(
    "text", ['main: "\n\n  "\n', "main: '\n  '\n", "main: |\n", "main: >\n\n", "main:\n- |\n\n"]
)
def test_nothing_on_several_lines_is_told_and_no_card(text: str) -> None:
    deck = read(text, "a.yaml")
    assert deck.entries == () and [one.id for one in deck.diagnostics] == ["invalid-line"]


def test_a_name_that_goes_on_in_the_next_line_is_one_card() -> None:
    for text in ("main:\n- 4 Lightning\n  Bolt\n", "main: >\n  4 Lightning\n  Bolt\n"):
        assert told(read(text, "a.yaml")) == ["main 4 Lightning Bolt"]


def test_a_block_of_one_line_is_what_it_says() -> None:
    deck = read("deck: |\n  Burn\nmain:\n- name: >\n    Opt\n  count: 3\n", "a.yaml")
    assert told(deck) == ["main 3 Opt"] and deck.header["deck"] == "Burn"
    assert placed("main: |\n\nside: [1 Opt]") == ["3:10 side 1", "! 1:1 invalid-line"]


def test_line_breaks_within_a_string_part_the_cards() -> None:
    assert told(read({"main": "4 Opt\n\n3 Swamp\n", "side": ["1 Island\r\n2 Plains"]})) == [
        "main 4 Opt",
        "main 3 Swamp",
        "side 1 Island",
        "side 2 Plains",
    ]
