"""Lists of trees and sheets: bounded however few lines they take, and what their cells say to deckcheck is heard."""

from __future__ import annotations

import json
from functools import cache

import pytest
from factories.examples import within

from deckcheck.checking.judge import open_game_data
from deckcheck.model.deck import Reader
from deckcheck.support.errors import UserError


@cache
def reader() -> Reader:
    return open_game_data("magic").read


def name_of(number: int) -> str:
    """A word without digits, which would be counts."""
    return "".join("bcdghjklmp"[int(digit)] for digit in str(number))


def dek(number: int) -> str:
    cards = "".join(
        f'<Cards Quantity="1" Sideboard="false" Name="Nobody {name_of(at)}"/>' for at in range(number)
    )
    return f"<Deck>{cards}</Deck>"


def cod(number: int) -> str:
    cards = "".join(f'<card number="1" name="Nobody {name_of(at)}"/>' for at in range(number))
    return f'<cockatrice_deck version="1"><zone name="main">{cards}</zone></cockatrice_deck>'


@pytest.mark.parametrize(
    ("content", "path"),
    [
        (dek, "a.dek"),
        (cod, "a.cod"),
        (
            lambda number: json.dumps(
                [{"name": f"Nobody {name_of(at)}", "count": 1} for at in range(number)]
            ),
            "a.json",
        ),
    ],
    ids=["dek", "cod", "json"],
)
def test_no_more_cards_than_a_text_has_lines(content: object, path: str) -> None:
    assert callable(content)
    with pytest.raises(UserError, match=r"too many cards \(at most 5,000\)") as caught:
        reader()(content(5_001), path)
    assert caught.value.problems[0].line == 1 and (caught.value.problems[0].column or 0) > 1000


def test_the_most_cards_on_one_line_are_read_soon() -> None:
    with within(10):
        assert len(reader()(dek(5_000), "a.dek").entries) == 5_000


@pytest.mark.parametrize(
    ("cell", "rules", "reason"),
    [
        ('"# deckcheck: ignore[x, y] because, really"', ("x", "y"), "because, really"),
        ('"a note # deckcheck: ignore[x] said ""so"""', ("x",), 'said "so"'),
        ("# deckcheck: ignore[x] plain", ("x",), "plain"),
    ],
)
def test_a_directive_in_a_cell(cell: str, rules: tuple[str, ...], reason: str) -> None:
    text = f'Count,Name,Note,Other\n4,Nobody,{cell}\n2,"Some, One",,b\n'
    deck = reader()(text, "a.csv")
    assert [(one.rules, one.reason, one.line) for one in deck.directives] == [(rules, reason, 2)]
    assert [(one.written, one.copies) for one in deck.entries] == [("Nobody", 4), ("Some, One", 2)]
    assert deck.lines[1] == text.split("\n")[1]


def test_what_stands_behind_the_cell_stays() -> None:
    deck = reader()('Note,Count,Name\n"# deckcheck: ignore[x] y",4,Nobody\n', "a.csv")
    assert [(one.written, one.copies) for one in deck.entries] == [("Nobody", 4)]
    assert [one.rules for one in deck.directives] == [("x",)]
