"""Magic Online's .dek: attributes in other letters' case, and others that speak of a zone."""

from __future__ import annotations

from functools import cache

import pytest

from deckcheck.checking.judge import LoadedFormat, check, load_format, read_deck


@cache
def limited() -> LoadedFormat:
    return load_format("magic/limited")


def told(*cards: str) -> list[str]:
    deck = read_deck(limited(), "<Deck>\n" + "\n".join(cards) + "\n</Deck>\n", "a.dek")
    entries = [f"{e.line}:{e.column} {e.zone} {e.copies} {e.cards[0].name}" for e in deck.entries]
    return [*entries, *(f"{one.id} {one.line}:{one.column}" for one in deck.diagnostics)]


def test_attributes_are_found_in_any_case() -> None:
    assert told(
        '<Cards Quantity="3" sideboard="true" Name="Opt"/>',
        '<Cards QUANTITY="2" SIDEBOARD="True" NAME="Swamp"/>',
        '<Cards quantity="1" sideBoard="false" name="Plains"/>',
        '<cards quantity="1" sideboard="true" name="Island"/>',
    ) == ["2:44 side 3 Opt", "3:44 side 2 Swamp", "4:45 main 1 Plains", "5:44 side 1 Island"]


def test_the_exact_name_comes_first() -> None:
    card = '<Cards name="Swamp" Name="Opt" quantity="9" Quantity="3" Sideboard="true" sideboard="false"/>'
    assert told(card) == ["2:27 side 3 Opt"]
    assert told(card.replace('"true" sideboard="false"', '"false" sideboard="true"')) == ["invalid-line 2:87"]


@pytest.mark.parametrize(
    "more",
    [
        'InSideboard="true"',
        'IsSideboard="True"',
        'side="1"',
        'iscommander="true"',
        'Board="Sideboard"',
        'Zone="side"',
    ],
)
def test_another_attribute_that_names_a_zone_is_told(more: str) -> None:
    assert told(f'<Cards Quantity="3" Name="Opt" {more}/>') == ["invalid-line 2:" + str(33 + more.index('"'))]
    text = (
        f'<Deck>\n<Cards Quantity="40" Name="Mountain"/>\n<Cards Quantity="3" Name="Opt" {more}/>\n</Deck>\n'
    )
    report = check(read_deck(limited(), text, "a.dek"), limited(), as_of="2025-12-01")
    assert report.verdict == "undecided"


@pytest.mark.parametrize(
    "more",
    [
        'InSideboard="false"',
        'Sideboard="false" IsSideboard="0"',
        'CatID="7" Annotation="0"',
        'IsFoil="true"',
        'Board="main"',
        'InMain="true"',
        'Set="Commander Legends"',
    ],
)
def test_other_attributes_are_left_alone(more: str) -> None:
    assert told(f'<Cards Quantity="3" Name="Opt" {more}/>') == ["2:27 main 3 Opt"]


def test_attributes_that_agree_are_read() -> None:
    assert told('<Cards Quantity="3" Name="Opt" Sideboard="true" InSideboard="true"/>') == ["2:27 side 3 Opt"]


def test_other_elements_with_a_name_or_a_quantity_are_told() -> None:
    assert told('<Card quantity="3" name="Opt"/>', "<NetDeckID>0</NetDeckID>") == ["invalid-line 2:1"]
    assert told('<Cards Sideboard="1" Quantity="3" Name="Opt"/>') == ["invalid-line 2:19"]
