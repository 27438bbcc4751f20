"""Lists of Magic Online and of Arena: what an empty line means, and what behind a card is no part of its name."""

from __future__ import annotations

import pytest
from factories.notations import ARENA, MTGO, magic, yugioh
from factories.reader_lists import content, told

from deckcheck import load_format
from deckcheck.checking.judge import read_deck
from deckcheck.model.deck import Deck


def read(text: str, path: str = "-", notation: str | None = None) -> Deck:
    return magic().read(text, path, notation)


# Magic Online: an empty line


def test_an_empty_line_starts_the_sideboard_only_where_the_game_says_so() -> None:
    assert read(MTGO).notation == "mtgo"
    assert yugioh().read("3 Dark Magician\n\n1 Pot of Greed\n", "-").notation == "text"


@pytest.mark.parametrize(
    "text",
    [
        "4 Lightning Bolt\n\n20 Mountain\n\n2 Pyroblast\n",
        "2 Pyroblast\n\n20 Mountain\n",
        "Deck\n4 Lightning Bolt\n\n2 Pyroblast\n",
        "4 x Lightning Bolt\n\n2 x Pyroblast\n",
        "4 Lightning Bolt\n2 Pyroblast\n",
        "4 Lightning Bolt\n\nburn\n2 Pyroblast\n",
    ],
)
def test_lists_of_other_kinds_stay_what_they_are(text: str) -> None:
    deck = read(text)
    assert deck.notation == "text"
    assert {entry.zone for entry in deck.entries} == {"main"}


def test_named_it_is_the_first_empty_line_that_counts() -> None:
    text = "\n\n4 Lightning Bolt\n\n20 Mountain\n\n2 Pyroblast\n"
    assert content(read(text, notation="mtgo")) == {
        ("main", "Lightning Bolt"): 4,
        ("side", "Mountain"): 20,
        ("side", "Pyroblast"): 2,
    }


def test_where_something_names_the_sideboard_empty_lines_mean_nothing() -> None:
    for text in (
        "4 Lightning Bolt\n\n20 Mountain\n\nSideboard\n2 Pyroblast\n",
        "4 Lightning Bolt\n\n20 Mountain\nSB: 2 Pyroblast\n",
    ):
        assert content(read(text, notation="mtgo")) == {
            ("main", "Lightning Bolt"): 4,
            ("main", "Mountain"): 20,
            ("side", "Pyroblast"): 2,
        }


def test_a_header_above_is_no_block() -> None:
    deck = read("# format: wizards/all\n\n" + MTGO)
    assert (deck.notation, deck.header) == ("mtgo", {"format": "wizards/all"})


# Arena


def test_without_headings_an_empty_line_parts_as_in_old_exports() -> None:
    deck = read("20 Mountain (ANB) 114\n\n2 Pyroblast (EMA) 142\n")
    assert deck.notation == "arena"
    assert content(deck) == {("main", "Mountain"): 20, ("side", "Pyroblast"): 2}


def test_a_companion_in_the_sideboard_too_is_one_card() -> None:
    more = ARENA.replace("1 Lurrus of the Dream-Den (IKO) 226\n", "2 Lurrus of the Dream-Den (IKO) 226\n")
    more = more.replace("2 Lurrus", "1 Lurrus", 1)
    found = content(read(more))
    assert found["companion", "Lurrus of the Dream-Den"] == 1
    assert found["side", "Lurrus of the Dream-Den"] == 1


def test_a_number_in_a_name_is_no_count() -> None:
    assert told(read("2 +2 Mace (AFR) 1\n", notation="arena")) == ["1:3 main 2 +2 Mace"]


def test_a_name_in_parentheses_is_no_set() -> None:
    assert told(read("1 Erase (Not the Urza's Legacy One)\n", notation="arena")) == [
        "1:3 main 1 Erase (Not the Urza's Legacy One)"
    ]


def test_cards_with_sets_are_no_arena_where_people_type_so_too() -> None:
    """Elsewhere a blank line means nothing, whatever stands behind the names."""
    text = "3 Dark Magician (LOB) 5\n1 Mystical Space Typhoon (MRL) 47\n\n1 Pot of Greed (LOB) 119 #new\n"
    deck = yugioh().read(text, "-")
    assert deck.notation == "text" and {entry.zone for entry in deck.entries} == {"main"}
    assert read("4 Lightning Bolt (M10) 146\n20 Mountain (M10) 242\n").notation == "arena"
    assert read("4 x Lightning Bolt (M10) 146\n").notation == "text"
    under = yugioh().read("Deck\n3 Dark Magician (LOB) 5\n", "-")
    assert (under.notation, content(under)) == ("arena", {("main", "Dark Magician"): 3})


def test_tags_and_marks_behind_a_card_are_no_part_of_its_name() -> None:
    for behind in ("*F*", "#burn", "*E* #a #b (AB) 1", "#!x *F*", "*F* *E*"):
        assert told(read(f"4 Lightning Bolt (M10) 146 {behind}\n")) == ["1:3 main 4 Lightning Bolt"], behind


MOXFIELD_CSV = """"Count","Tradelist Count","Name","Edition","Condition","Language","Foil","Tags","Last Modified","Collector Number","Alter","Proxy","Purchase Price"
"4","0","Lightning Bolt","m10","Near Mint","English","","","2025-01-01 10:00:00.000000","146","False","False",""
"20","2","Mountain","m10","Near Mint","English","foil","","2025-01-01 10:00:00.000000","242","False","False","1.50"
"1","0","Krenko, Mob Boss","m13","Near Mint","English","","","2025-01-01 10:00:00.000000","139","False","False",""
"1","1","Fire // Ice","mh2","Near Mint","English","","","2025-01-01 10:00:00.000000","290","False","False",""
"""


@pytest.mark.parametrize("path", ["-", "deck.csv", "deck.txt"])
def test_a_table_as_moxfield_gives_it(path: str) -> None:
    deck = read(MOXFIELD_CSV, path)
    assert deck.notation == "csv"
    assert told(deck) == [
        "2:10 main 4 Lightning Bolt",
        "3:11 main 20 Mountain",
        "4:10 main 1 Krenko, Mob Boss",
        "5:10 main 1 Fire // Ice",
    ]


def test_a_format_without_a_sideboard_has_no_use_for_an_empty_line() -> None:
    text = "4 Lightning Bolt\n20 Mountain\n\n1 Pyroblast\n"
    modern, commander = load_format("magic/modern"), load_format("magic/commander")
    assert {entry.zone for entry in read_deck(modern, text, "-").entries} == {"main", "side"}
    assert read_deck(modern, text, "-").notation == "mtgo"
    several = text + "2 Red Elemental Blast\n"
    assert {entry.zone for entry in read_deck(commander, several, "-").entries} == {"main"}
    assert read_deck(commander, text, "-", "mtgo").notation == "mtgo"
