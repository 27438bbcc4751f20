"""What each notation says, with the line and the column of every card; and how each is known."""

from __future__ import annotations

import pytest
from factories.notations import (
    ARENA,
    COCKATRICE,
    DEK,
    ENDINGS,
    FORGE,
    MOXFIELD,
    MTGO,
    SAMPLES,
    XMAGE,
    magic,
    table_for,
    yugioh,
)
from factories.reader_lists import content, reader, told

from deckcheck.decklists.notations.registry import NAMES, detects
from deckcheck.decklists.source import decode
from deckcheck.model.deck import Deck


def read(text: str, path: str = "-", notation: str | None = None) -> Deck:
    return magic().read(text, path, notation)


EXPECTED = {
    "mtgo": [
        "1:3 main 4 Lightning Bolt",
        "2:4 main 20 Mountain",
        "3:3 main 1 Fire // Ice",
        "5:3 side 2 Pyroblast",
        "6:3 side 1 Krenko, Mob Boss",
    ],
    "arena": [
        "5:3 companion 1 Lurrus of the Dream-Den",
        "8:3 main 4 Lightning Bolt",
        "9:4 main 20 Mountain",
        "10:3 main 1 Fire // Ice",
        "13:3 side 2 Pyroblast",
    ],
    "moxfield": [
        "1:3 main 4 Lightning Bolt",
        "2:4 main 20 Mountain",
        "3:3 main 1 Fire // Ice",
        "4:3 main 1 Erase (Not the Urza's Legacy One)",
        "7:3 side 2 Pyroblast",
    ],
    "dek": [
        "5:61 main 4 Lightning Bolt",
        "6:62 main 20 Mountain",
        "7:61 main 1 Fire // Ice",
        "8:60 side 2 Pyroblast",
        "9:60 side 1 Look at Me, I'm R&D",
    ],
    "cockatrice": [
        "7:42 main 4 Lightning Bolt",
        "8:43 main 20 Mountain",
        "11:19 main 1 Fire // Ice",
        "14:42 side 2 Pyroblast",
    ],
    "forge": [
        "5:3 commander 1 Krenko, Mob Boss",
        "7:3 main 4 Lightning Bolt",
        "8:4 main 20 Mountain",
        "9:3 main 1 Fire // Ice",
        "10:3 main 1 +2 Mace",
        "12:3 side 2 Pyroblast",
    ],
    "xmage": [
        "3:13 main 4 Lightning Bolt",
        "4:14 main 20 Mountain",
        "5:16 main 1 Fire // Ice",
        "6:17 side 2 Pyroblast",
    ],
    "ydk": [
        "3:1 main 1 Dark Magician",
        "4:1 main 1 Dark Magician",
        "5:1 main 1 Mystical Space Typhoon",
        "6:1 main 1 ?12345678",
        "8:1 extra 1 Blue-Eyes Ultimate Dragon",
        "10:1 side 1 Blue-Eyes White Dragon",
    ],
}


@pytest.mark.parametrize("name", NAMES)
def test_every_card_with_its_zone_line_and_column(name: str) -> None:
    deck = table_for(name).read(SAMPLES[name], "-")
    assert deck.notation == name
    assert told(deck) == EXPECTED[name]
    assert deck.lines == tuple(SAMPLES[name].split("\n"))
    for entry in deck.entries:
        # Only what XML has to escape stands otherwise in its line.
        found = deck.lines[entry.line - 1][entry.column - 1 :].replace("&apos;", "'").replace("&amp;", "&")
        assert found.startswith(entry.written)


@pytest.mark.parametrize("name", ["arena", "cockatrice", "forge", "xmage"])
def test_the_name_of_the_deck(name: str) -> None:
    assert read(SAMPLES[name]).header == {"deck": "Red Deck Wins"}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("ended", ["lf", "crlf", "bom", "cp932", "utf-16"])
def test_however_the_file_is_encoded(name: str, ended: str) -> None:
    text = SAMPLES[name]
    data = {
        "lf": text.encode(),
        "crlf": text.replace("\n", "\r\n").encode(),
        "bom": b"\xef\xbb\xbf" + text.encode(),
        "cp932": text.replace("254★", "254").replace("Red Deck", "赤い Deck").encode("cp932"),
        "utf-16": b"\xff\xfe" + text.encode("utf-16-le"),
    }[ended]
    deck = table_for(name).read(decode(data, "deck"), "deck." + ENDINGS[name])
    assert deck.notation == name
    assert [line for line in told(deck) if line[0] != "!"] == EXPECTED[name]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_for_the_notation_wins_over_content_and_ending(name: str) -> None:
    assert table_for(name).read(SAMPLES[name], "deck.json", name).notation == name
    assert table_for(name).read("4 x Lightning Bolt", "deck.ydk", "text").notation == "text"


def test_the_ending_is_a_hint_and_no_more() -> None:
    assert read("[Main]\n4 Lightning Bolt\n", "a.dck").notation == "forge"
    assert read("[Main]\n4 Lightning Bolt\n", "a.txt").notation == "text"
    assert read("4 Lightning Bolt\n", "a.dck").notation == "text"
    assert read(XMAGE, "a.ydk").notation == "xmage"
    assert read(DEK, "a.cod").notation == "dek"
    assert read(COCKATRICE, "a.dek").notation == "cockatrice"
    assert read("4 Lightning Bolt\n", "a.dek").notation == "text"
    assert yugioh().read("#main\n#extra\n!side\n", "a.ydk").notation == "ydk"


# What isn't known is shown


def test_what_isnt_known_is_shown_with_its_place() -> None:
    assert told(read(FORGE.replace("Mountain", "Mountian")))[2] == "8:4 main 20 ?Mountian"
    assert told(read(XMAGE.replace("Mountain", "Mountian")))[1] == "4:14 main 20 ?Mountian"
    assert told(read(DEK.replace("Mountain", "Mountian")))[1] == "6:62 main 20 ?Mountian"
    assert told(read(COCKATRICE.replace("Mountain", "Mountian")))[1] == "8:43 main 20 ?Mountian"
    assert told(read(ARENA.replace("Mountain", "Mountian")))[2] == "9:4 main 20 ?Mountian"
    assert told(read(MTGO.replace("Mountain", "Mountian")))[1] == "2:4 main 20 ?Mountian"
    assert told(read(MOXFIELD.replace("Mountain", "Mountian")))[1] == "2:4 main 20 ?Mountian"


@pytest.mark.parametrize(
    ("text", "path", "line"),
    [
        ("[Main]\n4 Lightning Bolt\n|M10\n", "a.dck", "! 3:1 invalid-line |M10"),
        ("[Main]\n00 Lightning Bolt\n", "a.dck", "! 2:1 invalid-line 00 Lightning Bolt"),
        ("[Main]\n12345 Lightning Bolt\n", "a.dck", "! 2:1 invalid-line 12345 Lightning Bolt"),
        ("[Main]\n4 Lightning Bolt\n[Planes]\n1 Mountain\n", "a.dck", "! 3:2 unknown-zone Planes"),
        ("4 [M10:146] Lightning Bolt\nMountain\n", "a.dck", "! 2:1 invalid-line Mountain"),
        (
            DEK.replace('"20"', '"many"'),
            "a.dek",
            '! 6:34 invalid-line <Cards CatID="40110" Quantity="many" Sideboard="false" Name="Mountain" Annotation="0" />',
        ),
        (
            DEK.replace('"true" Name="P', '"perhaps" Name="P'),
            "a.dek",
            '! 8:48 invalid-line <Cards CatID="60012" Quantity="2" Sideboard="perhaps" Name="Pyroblast" Annotation="0" />',
        ),
        (
            DEK.replace('<Cards CatID="40110"', "<Card"),
            "a.dek",
            '! 6:3 invalid-line <Card Quantity="20" Sideboard="false" Name="Mountain" Annotation="0" />',
        ),
        (
            COCKATRICE.replace('number="20" ', ""),
            "a.cod",
            '! 8:31 invalid-line <card price="0" name="Mountain"/>',
        ),
        (COCKATRICE.replace('zone name="side"', 'zone name="plan"'), "a.cod", "! 13:17 unknown-zone plan"),
    ],
)
def test_what_cant_be_read_is_shown_with_its_place(text: str, path: str, line: str) -> None:
    assert line in told(read(text, path))


def test_a_passcode_must_be_one() -> None:
    deck = yugioh().read("#main\n46986414\nPot of Greed\n7\n00000007\n", "-", "ydk")
    assert told(deck) == [
        "2:1 main 1 Dark Magician",
        "4:1 main 1 ?7",
        "5:1 main 1 ?00000007",
        "! 3:1 invalid-line Pot of Greed",
    ]


def test_a_card_in_the_wrong_deck_is_left_there() -> None:
    """Files say where each card is; only in what people type is a card moved to where it belongs."""
    assert told(yugioh().read("#main\n23995346\n", "-", "ydk")) == ["2:1 main 1 Blue-Eyes Ultimate Dragon"]


def test_instructions_and_headers_are_read_where_there_are_comments() -> None:
    deck = yugioh().read(
        "# format: duel/all\n#main\n46986414 # deckcheck: ignore[copies] friendly game\n", "a.ydk"
    )
    assert deck.header == {"format": "duel/all"}
    assert [(one.rules, one.line) for one in deck.directives] == [(("copies",), 3)]
    assert content(deck) == {("main", "Dark Magician"): 1}
    # In XML the same signs are text.
    marked = DEK.replace("</Deck>", "<!-- # deckcheck: ignore[copies] no --></Deck>")
    assert read(marked).directives == () and told(read(marked)) == EXPECTED["dek"]


def test_each_notation_detects_its_own_alone() -> None:
    """What one finds in the text of another is never asked, or is the same reading."""
    for name, text in SAMPLES.items():
        found = {other for other in NAMES if detects(other, text, expected=True)}
        assert name in found
        assert found - {name} <= {"arena"}, (name, found)
        # Where nothing is expected, only what says itself what it is.
        sure = {other for other in NAMES if detects(other, text)}
        assert sure - {name} <= {"arena"} and (name in sure or name == "mtgo"), (name, sure)


def test_a_name_that_begins_with_a_number_is_one_copy_or_told() -> None:
    assert told(reader()("750男", "-", "xmage")) == ["1:1 main 1 750男"]
    assert told(reader()("750男|DM", "-", "forge")) == ["! 1:6 invalid-line 750男|DM"]


def test_no_copies_of_a_card_are_none() -> None:
    deck = read("[Main]\n0 Lightning Bolt\n4 Mountain\n", "a.dck")
    assert told(deck) == ["3:3 main 4 Mountain"]


def test_the_name_of_a_deck_is_read_as_arena_writes_it_in_like_notations() -> None:
    text = "About\nName Red\n\nDeck\n4 Lightning Bolt (M10) 146 *F*\n"
    for name in ("arena", "moxfield", "mtgo"):
        deck = magic().read(text, "-", name)
        assert deck.header == {"deck": "Red"} and not deck.diagnostics


@pytest.mark.parametrize("side", ["!side", "#side", "# Side", "! SIDE", "#side deck", "!Side:"])
@pytest.mark.parametrize("main", ["#main", "# Main", "#MAIN"])
def test_the_side_deck_of_a_ydk_opens_however_it_is_spelt(main: str, side: str) -> None:
    text = f"#created by Kaiba\n{main}\n89631139\n#extra\n{side}\n46986414\n# side note\n"
    deck = yugioh().read(text, "a.ydk")
    assert (deck.notation, deck.diagnostics) == ("ydk", ())
    assert [(entry.written, entry.zone) for entry in deck.entries] == [
        ("89631139", "main"),
        ("46986414", "side"),
    ]
