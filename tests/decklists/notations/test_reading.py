"""How each notation is known, in whatever bytes. What each says stands in lists/notations.yaml."""

from __future__ import annotations

import pytest
from factories.notations import DEK, ENDINGS, SAMPLES, magic, table_for, yugioh
from factories.reader_lists import content, told

from deckcheck.decklists.decoding import decode
from deckcheck.decklists.notations.registry import NAMES, detects


@pytest.mark.parametrize("name", NAMES)
def test_however_the_file_is_encoded_and_whatever_it_is_called(name: str) -> None:
    text, table = SAMPLES[name], table_for(name)
    wanted = [line for line in told(table.read(text, "-")) if line[0] != "!"]
    for data in (
        text.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + text.encode(),
        text.replace("254★", "254").replace("Red Deck", "赤い Deck").encode("cp932"),
        b"\xff\xfe" + text.encode("utf-16-le"),
    ):
        deck = table.read(decode(data, "deck"), "deck." + ENDINGS[name])
        assert deck.notation == name
        assert [line for line in told(deck) if line[0] != "!"] == wanted
    assert table.read(text, "deck.json", name).notation == name
    assert table.read("4 x Lightning Bolt", "deck.ydk", "text").notation == "text"


def test_instructions_and_headers_are_read_where_there_are_comments() -> None:
    deck = yugioh().read(
        "# format: duel/all\n#main\n46986414 # deckcheck: ignore[copies] friendly game\n", "a.ydk"
    )
    assert deck.header == {"format": "duel/all"}
    assert [(one.rules, one.line) for one in deck.directives] == [(("copies",), 3)]
    assert content(deck) == {("main", "Dark Magician"): 1}
    # In XML the same signs are text.
    marked = magic().read(DEK.replace("</Deck>", "<!-- # deckcheck: ignore[copies] no --></Deck>"), "-")
    assert marked.directives == () and told(marked) == told(magic().read(DEK, "-"))


def test_each_notation_detects_its_own_alone() -> None:
    """What one finds in the text of another is never asked, or is the same reading."""
    for name, text in SAMPLES.items():
        taken = {other for other in NAMES if detects(other, text, expected=True)}
        assert name in taken
        assert taken - {name} <= {"arena"}, (name, taken)
        # Where nothing is expected, only what says itself what it is.
        sure = {other for other in NAMES if detects(other, text)}
        assert sure - {name} <= {"arena"} and (name in sure or name == "mtgo"), (name, sure)


@pytest.mark.parametrize("side", ["!side", "#side", "# Side", "! SIDE", "#side deck", "!Side:"])
@pytest.mark.parametrize("main", ["#main", "# Main", "#MAIN"])
def test_the_side_deck_of_a_ydk_opens_however_it_is_spelt(main: str, side: str) -> None:
    deck = yugioh().read(
        f"#created by Kaiba\n{main}\n89631139\n#extra\n{side}\n46986414\n# side note\n", "a.ydk"
    )
    assert (deck.notation, deck.diagnostics) == ("ydk", ())
    assert [(entry.written, entry.zone) for entry in deck.entries] == [
        ("89631139", "main"),
        ("46986414", "side"),
    ]
