"""The strategies of `deckcheck.testing` give what they promise."""

from collections import Counter

import pytest
from factories.examples import amount
from hypothesis import given, settings
from hypothesis import strategies as st

from deckcheck import UserError, check, load_format
from deckcheck.testing import breaking_decks, decks_on_bound, legal_decks

DAY = "2026-08-20"
FORMATS = {id: load_format(id) for id in ("duel-masters/duemagic", "duel-masters/amadeus", "yugioh/ocg")}


@pytest.mark.parametrize("format_id", FORMATS)
def test_legal_decks(format_id: str) -> None:
    format, drawn = FORMATS[format_id], set[str]()

    @settings(max_examples=amount(50, 5), database=None, deadline=None)
    @given(legal_decks(format, DAY))
    def try_deck(deck: str) -> None:
        assert check(deck, format).verdict == "legal"
        drawn.add(deck)

    try_deck()
    assert len(drawn) > 2


@settings(max_examples=amount(60, 6), database=None, deadline=None)
@given(st.data())
def test_decks_that_break_one_rule(data: st.DataObject) -> None:
    format = FORMATS["duel-masters/duemagic"]
    rule = data.draw(
        st.sampled_from(["main-size", "side-size", "copies", "hall", "premium", "pair", "banned"])
    )
    report = check(data.draw(breaking_decks(format, rule, DAY)), format)
    assert report.verdict == "illegal"
    assert {finding.rule for finding in report.findings if finding.severity == "error"} == {rule}


@settings(max_examples=amount(60, 6), database=None, deadline=None)
@given(st.data())
def test_decks_on_a_bound(data: st.DataObject) -> None:
    format = FORMATS["duel-masters/duemagic"]
    rule = data.draw(st.sampled_from(["main-size", "side-size", "copies", "hall", "premium"]))
    listed = data.draw(decks_on_bound(format, rule, DAY))
    assert check(listed, format).verdict == "legal"
    found = Counter[str]()
    for line in listed.splitlines():
        number, _x, name = line.partition(" x ")
        found[name] += int(number) if name else 0
    hall = {name for name, status in format.prepared(DAY).world.statuses.items() if status == "hall"}
    assert {
        "side-size": sum(found.values()) == 62,
        "copies": 4 in found.values(),
        "hall": any(found[name] == 1 for name in hall),
    }.get(rule, True)


def test_an_unknown_rule() -> None:
    with pytest.raises(UserError, match="no rule 'halls' in yugioh/ocg"):
        breaking_decks(FORMATS["yugioh/ocg"], "halls")
