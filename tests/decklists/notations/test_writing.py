"""What is written reads as the same deck, or is refused with what the notation can't hold."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

import pytest
from factories.errors import problem_of
from factories.examples import examples
from factories.notations import CARDS, DUELISTS, ENDINGS, SAMPLES, magic, table_for, yugioh
from factories.reader_lists import AWAY, HARD, PLAIN, cards, content, duel_masters, reader
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.checking.judge import GameData
from deckcheck.decklists.notations.registry import NAMES
from deckcheck.model.finding import fingerprint
from deckcheck.rewriting.conversion import TARGETS, convert
from deckcheck.support.errors import Problem, UserError

DUEL_MASTERS = GameData(duel_masters(), cards(), reader())
Cards = Mapping[str, Mapping[str, int]]


def listed(deck: Cards) -> str:
    """A deck as JSON, which can hold any."""
    return json.dumps(
        {
            "cards": [
                {"zone": zone, "count": copies, "name": name}
                for zone, rows in deck.items()
                for name, copies in rows.items()
            ]
        }
    )


def refusal(table: GameData, deck: Cards | str, to: str) -> Problem:
    text, path = (deck, "-") if isinstance(deck, str) else (listed(deck), "deck.json")
    return problem_of(convert, table, text, path, to)


def decks(zones: Sequence[str], names: Sequence[str]) -> st.SearchStrategy[dict[str, dict[str, int]]]:
    # Arena writes a companion into the sideboard, too; a count above 99 stands out and is told.
    rows = st.dictionaries(st.sampled_from(names), st.integers(1, 45), min_size=1, max_size=6)
    return st.dictionaries(st.sampled_from(zones), rows, min_size=1)


ODD = st.text("ab1 (){}[]<>&\"'|/#!:+*=.,-_あ★\t", min_size=1, max_size=10).map(str.strip).filter(bool)


def require_same(table: GameData, text: str, to: str) -> bool:
    """Whether the deck could be written; if so it must be the same deck, and the same when it is written again."""
    old = table.read(text, "deck.json")
    try:
        made = convert(table, text, "deck.json", to).text
    except UserError as error:
        assert all(one.message.ja and one.message.en for one in error.problems)
        return False
    named = None if to == "canonical" else to
    new = table.read(made, "-", named)
    assert content(new) == content(old)
    game = table.game.id
    assert fingerprint(new, game) == fingerprint(old, game)
    assert convert(table, made, "-", to, notation=named).text == made
    return True


@examples(200)
@given(
    deck=decks(["main", "side", "commander", "companion"], CARDS),
    to=st.sampled_from([name for name in TARGETS if name != "ydk"]),
)
def test_any_deck_is_the_same_or_refused(deck: Cards, to: str) -> None:
    holds = {
        "mtgo": {"main", "side"},
        "dek": {"main", "side"},
        "cockatrice": {"main", "side"},
        "xmage": {"main", "side"},
        "forge": {"main", "side", "commander"},
    }.get(to, {"main", "side", "commander", "companion"})
    alone = to == "mtgo" and "main" not in deck
    assert require_same(magic(), listed(deck), to) == (deck.keys() <= holds and not alone)


@examples(200)
@given(deck=decks(["main", "extra", "side"], DUELISTS))
def test_any_deck_of_cards_with_numbers_goes_into_a_ydk_and_back(deck: Cards) -> None:
    assert require_same(yugioh(), listed(deck), "ydk")


@examples(400)
@given(
    deck=decks(["main", "side"], PLAIN)
    | decks(["main", "side", "commander", "hyperspatial", "gr"], [*PLAIN, *HARD, *AWAY]),
    to=st.sampled_from(TARGETS),
)
def test_duel_masters_with_its_hardest_names_too(deck: Cards, to: str) -> None:
    same = require_same(DUEL_MASTERS, listed(deck), to)
    plain = deck.keys() <= {"main", "side"} and all(names.keys() <= {*PLAIN} for names in deck.values())
    assert same or not plain or to == "ydk" or (to == "mtgo" and "main" not in deck)


@examples(300)
@given(names=st.lists(ODD, min_size=1, max_size=4), to=st.sampled_from(TARGETS))
def test_names_that_nobody_knows_stay_as_they_are_or_are_refused(names: list[str], to: str) -> None:
    require_same(magic(), listed({"main": dict.fromkeys(names, 2), "side": {"Mountain": 1}}), to)


@pytest.mark.parametrize("to", NAMES)
def test_reading_what_was_written_of_a_sample_is_reading_the_sample(to: str) -> None:
    table, sample = table_for(to), SAMPLES[to]
    made = convert(table, sample, "-", to, notation=to).text
    old, new = table.read(sample, "-"), table.read(made, f"deck.{ENDINGS[to]}")
    assert content(new) == content(old)
    assert new.header == ({} if to in ("mtgo", "moxfield", "dek", "ydk") else old.header)


MOUNTAIN = {"main": {"Mountain": 20}}
BOSS = MOUNTAIN | {"commander": {"Krenko, Mob Boss": 1}}


@pytest.mark.parametrize(
    ("table", "deck", "to", "said"),
    [
        (magic, BOSS, "mtgo", "Magic Online's text has no place for “Commander”"),
        (magic, BOSS, "dek", "Magic Online's .dek has no place for “Commander”"),
        (magic, BOSS, "cockatrice", "Cockatrice's .cod has no place for “Commander”"),
        (magic, BOSS, "xmage", "XMage's .dck has no place for “Commander”"),
        (magic, MOUNTAIN | {"companion": {"Lurrus of the Dream-Den": 1}}, "forge", "Forge's .dck has no place for “Companion”"),
        (magic, {"side": {"Mountain": 1}}, "mtgo", "Magic Online's text can't hold a sideboard without a main deck"),
        (yugioh, {"main": {"Dark Magician": 3, "Twisted Personality": 1}}, "ydk", "the number (passcode) of 'Twisted Personality' isn't known, so YGOPro's and EDOPro's .ydk can't hold it"),
        # Names that can't be spelt.
        (lambda: DUEL_MASTERS, {"main": {"神聖十二神騎:||": 1}}, "forge", "Forge's .dck can't spell the name '神聖十二神騎:||'"),
        (magic, {"main": {"a (AB) 1\tx": 1, "Mountain": 1}}, "moxfield", "a (AB) 1"),
        (magic, {"main": {'=HYPERLINK("x")': 1}}, "csv", "formula"),
        # What is in doubt is not written.
        (magic, "Deck\n4 Lightning Bolt\n???4\n", "arena", "the list is not converted"),
        (magic, "[Main]\n4 Lightning Bolt\n[Planes]\n1 Mountain\n", "dek", "not converted"),
    ],
)  # fmt: skip
def test_what_a_notation_cannot_hold_is_named(
    table: Callable[[], GameData], deck: Cards | str, to: str, said: str
) -> None:
    one = refusal(table(), deck, to)
    assert said in one.message.en
    assert one.message.ja and one.message.ja != one.message.en
    if isinstance(deck, str):
        assert (one.line, one.excerpt) == (3, deck.split("\n")[2])


def test_xml_is_escaped() -> None:
    made = convert(magic(), listed({"main": {"Look at Me, I'm R&D": 2, 'a"<b': 1}}), "-", "dek").text
    assert 'Name="Look at Me, I&#x27;m R&amp;D"' in made and 'Name="a&quot;&lt;b"' in made
    titled = '{"deck": "<&]]>", "cards": [{"name": "Mountain", "count": 1}]}'
    done = convert(magic(), titled, "-", "cockatrice")
    assert "<deckname>&lt;&amp;]]&gt;</deckname>" in done.text and done.left_out == ()


@pytest.mark.parametrize("to", [name for name in TARGETS if name not in ("canonical", "ydk")])
def test_what_cannot_be_seen_is_not_written(to: str) -> None:
    table = magic()
    for char in ("\x1b", "\x07", "\x7f", "\u202e"):
        hidden = refusal(table, {"main": {f"Mount{char}ain x": 1}}, to)
        assert hidden.message.ja.isprintable() and hidden.message.en.isprintable()
    for char in ("\u2066", "\u200f", "\u200b"):
        assert char not in convert(table, listed({"main": {f"Fog{char} Bank": 1}}), "-", to).text
    titled = json.dumps({"deck": "a\u202eb", "cards": [{"name": "Mountain", "count": 1}]})
    with pytest.raises(UserError):
        convert(table, titled, "-", to)


def test_what_is_left_out_is_told() -> None:
    text = "# format: wizards/all\n# player: somebody\n# deck: Burn\n4 x Lightning Bolt # deckcheck: ignore[copies] why not\n"
    table = magic()
    assert [one.en for one in convert(table, text, "-", "forge").left_out] == [
        "format",
        "player",
        "1 instruction to deckcheck",
    ]
    assert [one.en for one in convert(table, text, "-", "dek").left_out] == [
        "deck",
        "format",
        "player",
        "1 instruction to deckcheck",
    ]
    assert [one.en for one in convert(table, text, "-", "yaml").left_out] == ["1 instruction to deckcheck"]
    made = convert(table, text, "-", "canonical")
    assert made.left_out == () and "ignore[copies]" in made.text and "# deck: Burn" in made.text


def test_where_only_the_name_of_the_notation_tells_that_is_said() -> None:
    deck = listed({"main": {"Mountain": 20}, "side": {"Pyroblast": 2}})
    assert not convert(magic(), deck, "-", "mtgo").unclear
    small = listed({"main": {"Mountain": 2}, "side": {"Pyroblast": 20}})
    assert convert(magic(), small, "-", "mtgo").unclear
    assert convert(DUEL_MASTERS, listed({"main": {PLAIN[0]: 4}, "side": {PLAIN[1]: 1}}), "-", "mtgo").unclear
    for to in ("dek", "arena", "moxfield", "cockatrice", "forge", "xmage", "csv", "json", "yaml"):
        target = f"deck.{ENDINGS.get(to, to)}"
        assert not convert(magic(), deck, "-", to, target=target).unclear, to
