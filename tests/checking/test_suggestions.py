"""Suggestions for many names: the same ones, sooner, once for each name, and not without end."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest
from factories.examples import examples
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.cards.names import LetterIndex
from deckcheck.checking.judge import SuggestionCache, open_game_data
from deckcheck.model.card import Catalog
from deckcheck.support.errors import suggest


@cache
def known() -> list[str]:
    catalogue = open_game_data("duel-masters").catalog
    return [catalogue.fold(card.name) for card in catalogue]


@cache
def likeness() -> LetterIndex:
    return LetterIndex(known())


letters = st.sampled_from("アカサタナンー・ザ炎龍王xyz 0")


@st.composite
def misspelt(draw: st.DrawFn) -> str:
    """A name with a letter changed, a part of one, two in one, or its letters in disorder."""
    name = draw(st.sampled_from(known()))
    at = draw(st.integers(0, len(name)))
    match draw(st.sampled_from(["change", "cut", "join", "mix", "any"])):
        case "change":
            return name[:at] + draw(letters) + name[at + 1 :]
        case "cut":
            return name[at:] or name
        case "join":
            return name + draw(st.sampled_from(known()))
        case "mix":
            return "".join(draw(st.permutations(name)))
        case _:
            return draw(st.text(letters, max_size=40))


@examples(60)
@given(misspelt(), st.sampled_from([1, 3, 15]))
def test_an_index_of_letters_changes_no_suggestion(name: str, most: int) -> None:
    assert likeness().suggest(name, most=most) == suggest(name, known(), most=most)


words = st.text(st.sampled_from("aabcde "), max_size=12)


@examples(200)
@given(words, st.lists(words, max_size=12))
def test_it_changes_none_for_names_of_few_letters_and_of_several_words(name: str, others: list[str]) -> None:
    assert LetterIndex(others).suggest(name, most=9) == suggest(name, others, most=9)


def test_a_catalogue_suggests_the_same_whenever_it_is_asked() -> None:
    catalogue = open_game_data("duel-masters").catalog
    names = [f"{name[:-1]}ズ" for name in known()[::800]]
    first = [open_game_data("duel-masters").catalog.suggest(name) for name in names[:3]]
    assert [catalogue.suggest(name) for name in names][:3] == first
    assert [catalogue.suggest(name) for name in names][:3] == first
    assert any(first)


class Counting:
    """A catalogue that counts how often it is asked."""

    version, fold, find = "0", str, staticmethod(lambda _: ())
    beginning = staticmethod(lambda _: frozenset())

    def __init__(self) -> None:
        self.asked: list[str] = []

    def suggest(self, name: str) -> list[str]:
        self.asked.append(name)
        return [name.upper()]


def counting() -> tuple[Counting, Catalog]:
    one = Counting()
    return one, one  # type: ignore[return-value]


def test_a_name_is_looked_for_once() -> None:
    counted, catalogue = counting()
    remembering = SuggestionCache(catalogue)
    assert [remembering.suggest(name) for name in "abab"] == [["A"], ["B"], ["A"], ["B"]]
    assert counted.asked == ["a", "b"]
    assert not remembering.exhausted


@pytest.mark.parametrize("budget", [0, 1, 2])
def test_no_more_names_are_looked_for_than_the_budget_allows(budget: int) -> None:
    counted, catalogue = counting()
    remembering = SuggestionCache(catalogue, budget)
    found = [remembering.suggest(name) for name in "aba"]
    assert found == [["A"] if budget > 0 else [], ["B"] if budget > 1 else [], ["A"] if budget > 0 else []]
    assert len(counted.asked) == budget
    assert remembering.exhausted == (budget < 2)


def test_of_many_names_few_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    names = known()
    index = LetterIndex(names)
    compared: list[int] = []

    def counting(_: str, near: Sequence[str], **__: int) -> list[str]:
        compared.append(len(near))
        return []

    monkeypatch.setattr("deckcheck.cards.names.suggest", counting)
    asked = [name[:-1] + "ズ" for name in names[::40]]
    for name in asked:
        index.suggest(name)
    assert sum(compared) < len(asked) * len(names) / 3
