"""Which entry, list or rule is blamed for what a deck becomes, and that the blame is fair."""

from __future__ import annotations

from factories.dated_lists import COPIES, OUT, RARE, between, entry, lists, told
from factories.garden_game import (
    FERN,
    GARDEN,
    IRIS,
    PLUM,
    ROSE,
    card,
    deck_of,
    format_of,
    printing,
)

from deckcheck.model.deck import Directive
from deckcheck.model.format import Source


def test_a_stricter_list_keeps_a_freed_card_out() -> None:
    freed = entry("Rose", ("2010-01-01", "out"), ("2012-01-01", "free"))
    house = lists(entry("Rose", ("2010-01-01", "out")), banlist="garden/house", path="h.yaml")
    assert (
        between(
            format_of(OUT, banlists=[lists(freed), house]), deck_of((ROSE, 1)), "2011-01-01", "2013-01-01"
        )
        is None
    )


def test_a_milder_list_that_is_left_over_is_not_blamed() -> None:
    freed = entry("Rose", ("2010-01-01", "out"), ("2012-01-01", "free"))
    house = lists(entry("Rose", ("2010-01-01", "rare")), banlist="garden/house", path="h.yaml")
    format = format_of(OUT, RARE, banlists=[lists(freed), house])
    impact = between(format, deck_of((ROSE, 2)), "2011-01-01", "2013-01-01")
    assert impact is not None
    [effect] = impact.effects
    assert (effect.list, effect.gained, effect.lost) == ("garden/list", ("rare",), ("out",))


def test_both_lists_are_named_where_each_does_it() -> None:
    both = [
        lists(entry("Rose", ("2012-01-01", "out"))),
        lists(entry("Rose", ("2012-01-01", "out")), banlist="garden/house", path="h.yaml"),
    ]
    impact = between(format_of(OUT, banlists=both), deck_of((ROSE, 1)), "2011-01-01", "2013-01-01")
    assert impact is not None
    assert [one.list for one in impact.effects] == ["garden/list", "garden/house"]


def test_a_rule_that_counts_what_is_not_listed_is_traced_to_the_entry() -> None:
    """The finding is about other cards than the one that is moved."""
    doubles = {
        "id": "doubles",
        "count": "names",
        "having": {"at_least": 2},
        "where": {"not": {"status": ["rare"]}},
        "at_least": 2,
    }
    moved = [
        entry("Rose", ("2012-01-01", "rare")),
        entry("Fern", ("2010-01-01", "rare"), ("2012-01-01", "free")),
    ]
    format = format_of(doubles, banlists=[lists(*moved)])
    impact = between(format, deck_of((ROSE, 2), (IRIS, 2), (FERN, 1)), "2011-01-01", "2013-01-01")
    assert told(impact) == [("free", "rare", "Rose")]
    assert impact is not None
    assert len(impact.effects) == 1


FEW = {"id": "few", "count": "names", "where": {"status": ["rare"]}, "at_most": 1}


def test_entries_that_do_it_together_are_all_named() -> None:
    moved = [entry(name, ("2012-01-01", "rare")) for name in ("Rose", "Iris", "Fern")]
    format = format_of(FEW, banlists=[lists(*moved, entry("Plum", ("2012-01-01", "out")))])
    impact = between(format, deck_of((ROSE, 1), (IRIS, 1), (PLUM, 1)), "2011-01-01", "2013-01-01")
    assert told(impact) == [("free", "rare", "Rose"), ("free", "rare", "Iris")]
    impact = between(format, deck_of((ROSE, 1), (IRIS, 1), (FERN, 1)), "2011-01-01", "2013-01-01")
    assert len(told(impact)) == 3


def test_where_none_does_it_alone_and_none_is_needed_all_are_named() -> None:
    moved = [entry(name, ("2012-01-01", "rare")) for name in ("Rose", "Iris", "Fern", "Plum")]
    format = format_of(FEW, banlists=[lists(*moved)])
    ignoring = Directive(True, ("few",), "", 1, 1)
    deck = deck_of((ROSE, 1), (IRIS, 1), (FERN, 1), (PLUM, 0))._replace(directives=(ignoring,))
    impact = between(format, deck, "2011-01-01", "2013-01-01")
    assert impact is not None
    assert [one.cards[0].name for one in impact.effects] == ["Rose", "Iris", "Fern"]
    assert {one.lost for one in impact.effects} == {("unused-suppression",)}


def test_what_list_and_rule_both_bring_is_told_of_both() -> None:
    twice = {
        "id": "twice",
        "at_most": 0,
        "clauses": [{"where": {"name": ["Rose"]}, "since": "2012-01-01"}, {"where": {"status": ["out"]}}],
    }
    format = format_of(twice, banlists=[lists(entry("Rose", ("2012-01-01", "out")))])
    impact = between(format, deck_of((ROSE, 1)), "2011-01-01", "2013-01-01")
    assert told(impact) == [("free", "out", "Rose")]
    assert impact is not None
    assert [one.finding.rule for one in impact.others] == ["twice"]


def test_a_rule_that_begins_is_no_lists_doing() -> None:
    moved = lists(entry("Rose", ("2010-01-01", "rare")), entry("Iris", ("2012-01-01", "rare")))
    format = format_of(RARE | {"since": "2012-06-01"}, banlists=[moved])
    impact = between(format, deck_of((ROSE, 2), (IRIS, 1)), "2011-01-01", "2013-01-01")
    assert impact is not None
    assert (impact.changes_verdict, impact.effects) == (True, ())
    [other] = impact.others
    assert (other.finding.rule, other.gained, other.finding.line, other.source) == (
        "rare",
        True,
        1,
        Source("f.yaml", 1),
    )


def test_a_rule_that_ends_is_no_lists_doing() -> None:
    format = format_of(COPIES | {"until": "2012-01-01"})
    impact = between(format, deck_of((ROSE, 9)), "2011-01-01", "2013-01-01")
    assert impact is not None
    assert [(one.finding.rule, one.gained) for one in impact.others] == [("copies", False)]
    assert not impact.worse


def test_a_new_printing_is_no_lists_doing() -> None:
    rose = card("Tall Rose", printings=[printing("C"), printing("SR", "2012-01-01")])
    format = format_of({"id": "rank", "where": {"not": {"rarity": {"at_least": "SR"}}}, "at_most": 0})
    impact = between(format, deck_of((rose, 1)), "2011-01-01", "2013-01-01")
    assert impact is not None
    assert (impact.after, [one.finding.rule for one in impact.others]) == ("legal", ["rank"])


def test_list_and_rule_are_told_each_for_its_own() -> None:
    format = format_of(
        OUT, COPIES | {"since": "2012-01-01"}, banlists=[lists(entry("Iris", ("2012-01-01", "out")))]
    )
    impact = between(format, deck_of((ROSE, 4), (IRIS, 1)), "2011-01-01", "2013-01-01")
    assert told(impact) == [("free", "out", "Iris")]
    assert impact is not None
    assert [one.finding.rule for one in impact.others] == ["copies"]


def test_a_card_outside_of_the_deck_is_told_as_the_rules_doing() -> None:
    """The lists do it, but by an entry of a card that the deck has not."""
    alone = {
        "id": "alone",
        "where": {"name": ["Plum"], "no_other_card": {"same": "kind", "where": {"status": ["rare"]}}},
        "at_most": 0,
    }
    tree = card("Elm", kind=["tree"])
    garden = type(GARDEN)([PLUM, tree, ROSE])
    moved = lists(
        entry("Elm", ("2010-01-01", "rare"), ("2012-01-01", "free")), entry("Rose", ("2012-01-01", "rare"))
    )
    format = format_of(alone, cards=garden, banlists=[moved])
    impact = between(format, deck_of((PLUM, 1), (ROSE, 1)), "2011-01-01", "2013-01-01")
    assert impact is not None
    assert (impact.after, impact.effects, [one.finding.rule for one in impact.others]) == (
        "illegal",
        (),
        ["alone"],
    )
