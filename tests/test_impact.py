"""What a change of the lists does to a deck: the verdicts are those of two plain checks, and the blame is fair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from engine.small import (
    FERN,
    GAME,
    GARDEN,
    IRIS,
    OAK,
    PLUM,
    ROSE,
    Held,
    card,
    deck_of,
    format_of,
    printing,
    table_of,
    unread,
)
from engine.unknowns import often
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.banlists import Banlist, standing
from deckcheck.cards import Card
from deckcheck.checking import LoadedFormat, check
from deckcheck.decks import Deck, Directive
from deckcheck.errors import UserError
from deckcheck.formats.announce import Announcement, lay_over
from deckcheck.impact.judge import Turn, impact_on
from deckcheck.opening import Opened
from deckcheck.report.effects import Announced, Days, Impact
from deckcheck.report.suppress import Grading
from deckcheck.rules.clauses import Source
from deckcheck.settings.model import ForDeck
from deckcheck.yamlfile import parse_yaml

DAYS = [f"20{year:02}-01-01" for year in range(10, 16)]
STATUSES = ("rare", "out")
CARDS = (ROSE, IRIS, FERN, OAK, PLUM)

OUT = {"id": "out", "where": {"status": ["out"]}, "at_most": 0}
RARE = {"id": "rare", "per": "name", "where": {"status": ["rare"]}, "at_most": 1}
COPIES = {"id": "copies", "per": "name", "at_most": 3}
PAIR = {"id": "pair", "count": "sides", "sides": "pair", "at_most": 1}


def entry(name: str, *history: tuple[str, str], line: int = 1) -> dict[str, Any]:
    changes = [{"from": day, "status": status, "line": line + at} for at, (day, status) in enumerate(history)]
    return {"card": name, "history": changes}


def pair(sides: Sequence[Sequence[str]], *history: tuple[str, str], line: int = 1) -> dict[str, Any]:
    return {"sides": sides, "history": entry("", *history, line=line)["history"]}


def lists(
    *cards: Mapping[str, Any], combinations: Sequence[Mapping[str, Any]] = (), **more: Any
) -> dict[str, Any]:
    return {"cards": cards, "combinations": combinations, **more}


def between(
    format: LoadedFormat,
    deck: Deck,
    before: str,
    after: str,
    *,
    grading: Grading | None = None,
    best_of: int | None = None,
) -> Impact | None:
    opened = Opened("", deck, format, None, best_of, ForDeck(grading=grading), False)
    return impact_on(opened, Turn(format, format, Days(before, after)))


def told(impact: Impact | None) -> list[tuple[str, ...]]:
    """The effects that decide, in short."""
    assert impact is not None
    return [
        (one.move.before.id, one.move.after.id, *(card.name for card in one.at))
        for one in impact.effects
        if one.decides
    ]


@pytest.mark.parametrize(
    ("history", "held", "verdicts", "change"),
    [
        ([("2012-01-01", "rare")], 2, ("legal", "illegal"), ("free", "rare")),
        ([("2010-01-01", "rare"), ("2012-01-01", "free")], 2, ("illegal", "legal"), ("rare", "free")),
        ([("2010-01-01", "rare"), ("2012-01-01", "out")], 1, ("legal", "illegal"), ("rare", "out")),
        ([("2010-01-01", "out"), ("2012-01-01", "rare")], 1, ("illegal", "legal"), ("out", "rare")),
    ],
)
def test_an_entry_that_turns_a_deck_is_named(
    history: list[tuple[str, str]], held: int, verdicts: tuple[str, str], change: tuple[str, str]
) -> None:
    format = format_of(OUT, RARE, banlists=[lists(entry("Rose", *history, line=7), entry("Iris", *history))])
    impact = between(format, deck_of((FERN, 1), (ROSE, held)), "2011-01-01", "2013-01-01")
    assert impact is not None
    assert (impact.before, impact.after) == verdicts
    [effect] = impact.effects
    assert told(impact) == [(*change, "Rose")]
    assert effect.move.since == "2012-01-01"
    assert effect.move.source == Source("l.yaml", 6 + len(history))
    assert [(at.line, at.copies) for at in effect.at] == [(2, held)]
    assert not impact.others


def test_of_several_changes_only_the_last_is_told() -> None:
    history = [("2011-01-01", "out"), ("2012-01-01", "rare"), ("2013-01-01", "free"), ("2014-01-01", "rare")]
    format = format_of(OUT, RARE, banlists=[lists(entry("Rose", *history))])
    impact = between(format, deck_of((ROSE, 2)), "2010-06-01", "2014-06-01")
    assert told(impact) == [("free", "rare", "Rose")]
    assert impact is not None
    assert impact.effects[0].move.since == "2014-01-01"
    assert between(format, deck_of((ROSE, 2)), "2012-06-01", "2014-06-01") is None
    assert between(format, deck_of((ROSE, 2)), "2010-06-01", "2013-06-01") is None


def test_a_pair_is_told_with_both_of_its_cards() -> None:
    sides = [["Rose"], ["Iris", "Fern"]]
    format = format_of(PAIR, banlists=[lists(combinations=[pair(sides, ("2012-01-01", "pair"), line=5)])])
    impact = between(format, deck_of((ROSE, 1), (FERN, 2), (PLUM, 1)), "2011-01-01", "2013-01-01")
    assert told(impact) == [("free", "pair", "Rose", "Fern")]
    assert impact is not None
    assert impact.effects[0].move.sides == (("Rose",), ("Fern", "Iris"))
    assert impact.effects[0].move.source.line == 5
    assert between(format, deck_of((IRIS, 1), (FERN, 2)), "2011-01-01", "2013-01-01") is None


def test_a_deck_that_stays_illegal_is_told_apart() -> None:
    format = format_of(COPIES, RARE, banlists=[lists(entry("Rose", ("2012-01-01", "rare")))])
    impact = between(format, deck_of((ROSE, 2), (IRIS, 9)), "2011-01-01", "2013-01-01")
    assert impact is not None
    assert (impact.before, impact.turned, impact.worse) == ("illegal", False, False)
    [effect] = impact.effects
    assert (effect.gained, effect.lost, effect.decides) == (("rare",), (), False)
    # A card that the deck has too many of for another reason is told by the stricter cap from then on.
    impact = between(format, deck_of((ROSE, 4)), "2011-01-01", "2013-01-01")
    assert impact is not None
    [effect] = impact.effects
    assert (effect.gained, effect.lost) == (("rare",), ("copies",))


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
    assert (effect.move.banlist, effect.gained, effect.lost) == ("garden/list", ("rare",), ("out",))


def test_both_lists_are_named_where_each_does_it() -> None:
    both = [
        lists(entry("Rose", ("2012-01-01", "out"))),
        lists(entry("Rose", ("2012-01-01", "out")), banlist="garden/house", path="h.yaml"),
    ]
    impact = between(format_of(OUT, banlists=both), deck_of((ROSE, 1)), "2011-01-01", "2013-01-01")
    assert impact is not None
    assert [one.move.banlist for one in impact.effects] == ["garden/list", "garden/house"]


def test_a_rule_that_counts_what_is_not_listed_is_traced_to_the_entry() -> None:
    """The finding is about other cards than the one that is moved."""
    doubles = {
        "id": "doubles",
        "count": "names",
        "copies": {"at_least": 2},
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
    assert [one.at[0].name for one in impact.effects] == ["Rose", "Iris", "Fern"]
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
    assert [one.rule for one in impact.others] == ["twice"]


def test_a_rule_that_begins_is_no_lists_doing() -> None:
    moved = lists(entry("Rose", ("2010-01-01", "rare")), entry("Iris", ("2012-01-01", "rare")))
    format = format_of(RARE | {"since": "2012-06-01"}, banlists=[moved])
    impact = between(format, deck_of((ROSE, 2), (IRIS, 1)), "2011-01-01", "2013-01-01")
    assert impact is not None
    assert (impact.turned, impact.effects) == (True, ())
    [other] = impact.others
    assert (other.rule, other.gained, other.line, other.source) == ("rare", True, 1, Source("f.yaml", 1))


def test_a_rule_that_ends_is_no_lists_doing() -> None:
    format = format_of(COPIES | {"until": "2012-01-01"})
    impact = between(format, deck_of((ROSE, 9)), "2011-01-01", "2013-01-01")
    assert impact is not None
    assert [(one.rule, one.gained) for one in impact.others] == [("copies", False)]
    assert not impact.worse


def test_a_new_printing_is_no_lists_doing() -> None:
    rose = card("Tall Rose", printings=[printing("C"), printing("SR", "2012-01-01")])
    format = format_of({"id": "rank", "where": {"not": {"rarity": {"at_least": "SR"}}}, "at_most": 0})
    impact = between(format, deck_of((rose, 1)), "2011-01-01", "2013-01-01")
    assert impact is not None
    assert (impact.after, [one.rule for one in impact.others]) == ("legal", ["rank"])


def test_list_and_rule_are_told_each_for_its_own() -> None:
    format = format_of(
        OUT, COPIES | {"since": "2012-01-01"}, banlists=[lists(entry("Iris", ("2012-01-01", "out")))]
    )
    impact = between(format, deck_of((ROSE, 4), (IRIS, 1)), "2011-01-01", "2013-01-01")
    assert told(impact) == [("free", "out", "Iris")]
    assert impact is not None
    assert [one.rule for one in impact.others] == ["copies"]


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
    assert (impact.after, impact.effects, [one.rule for one in impact.others]) == ("illegal", (), ["alone"])


def test_warnings_have_no_say_in_the_verdict() -> None:
    warn = {"id": "warn", "where": {"status": ["rare"]}, "at_most": 0, "severity": "warning"}
    moved = [entry("Rose", ("2012-01-01", "rare")), entry("Iris", ("2012-01-01", "out"))]
    format = format_of(warn, OUT, banlists=[lists(*moved)])
    impact = between(format, deck_of((ROSE, 1), (IRIS, 1)), "2011-01-01", "2013-01-01")
    assert impact is not None
    assert [(one.at[0].name, one.decides) for one in impact.effects] == [("Rose", False), ("Iris", True)]


def test_what_is_suppressed_does_not_count() -> None:
    format = format_of(OUT, banlists=[lists(entry("Rose", ("2012-01-01", "out")))])
    ignoring = Directive(False, ("out",), "", 1, 9)
    deck = deck_of((ROSE, 1))._replace(directives=(ignoring,))
    impact = between(format, deck, "2011-01-01", "2013-01-01")
    assert impact is not None
    assert (impact.before, impact.after) == ("legal", "legal")
    assert [(one.gained, one.lost) for one in impact.effects] == [((), ("unused-suppression",))]


@pytest.mark.parametrize(
    ("asked", "after"),
    [
        ({"ignore": {"out": Source("s", 1)}}, None),
        ({"select": frozenset(["rare"])}, None),
        ({"severity": {"out": "info"}}, "legal"),
        ({}, "illegal"),
    ],
)
def test_the_settings_grading_counts(asked: dict[str, Any], after: str | None) -> None:
    grading = Grading(**{"select": None, "selected_at": Source("s", 1), "ignore": {}, "severity": {}} | asked)
    format = format_of(OUT, banlists=[lists(entry("Rose", ("2012-01-01", "out")))])
    impact = between(format, deck_of((ROSE, 1)), "2011-01-01", "2013-01-01", grading=grading)
    assert (None if impact is None else impact.after) == after


def test_best_of_counts() -> None:
    format = format_of(OUT | {"when": {"best_of": 3}}, banlists=[lists(entry("Rose", ("2012-01-01", "out")))])
    assert between(format, deck_of((ROSE, 1)), "2011-01-01", "2013-01-01") is None
    impact = between(format, deck_of((ROSE, 1)), "2011-01-01", "2013-01-01", best_of=3)
    assert told(impact) == [("free", "out", "Rose")]


def test_what_is_unknown_stays_unknown() -> None:
    format = format_of(OUT, banlists=[lists(entry("Rose", ("2010-01-01", "out"), ("2012-01-01", "free")))])
    impact = between(format, deck_of((ROSE, 1), ("Nobody knows", 1)), "2011-01-01", "2013-01-01")
    assert impact is not None
    assert (impact.before, impact.after, impact.worse) == ("illegal", "undecided", False)
    assert told(impact) == [("out", "free", "Rose")]
    # A name that may mean either of two is judged as either.
    impact = between(format, deck_of(((ROSE, IRIS), 1)), "2011-01-01", "2013-01-01")
    assert impact is None or impact.before != impact.after


def test_a_line_that_says_no_copies_holds_no_card() -> None:
    format = format_of(OUT, banlists=[lists(entry("Rose", ("2012-01-01", "out")))])
    assert between(format, deck_of((ROSE, 0), (IRIS, 9)), "2011-01-01", "2013-01-01") is None


histories = st.lists(
    st.tuples(st.sampled_from(DAYS), st.sampled_from(["free", "rare", "out"])), max_size=3
).map(lambda changes: sorted(dict(changes).items()))
HOLDABLE: list[Card | str | tuple[Card, ...]] = [*CARDS, (ROSE, IRIS), "Nobody knows"]
held_cards: st.SearchStrategy[list[Held]] = st.lists(
    st.tuples(st.sampled_from(HOLDABLE), st.integers(0, 4)), max_size=6
)
RULES = [
    OUT,
    RARE,
    COPIES,
    PAIR,
    {"id": "few", "count": "names", "where": {"status": ["rare"]}, "at_most": 1},
    {"id": "others", "where": {"not": {"status": ["rare", "out"]}}, "at_least": 2},
    {"id": "when", "when": {"where": {"status": ["rare"]}}, "at_most": 5},
    {"id": "warn", "where": {"status": ["rare"]}, "at_most": 0, "severity": "warning"},
    {"id": "begins", "where": {"name": ["Iris"]}, "at_most": 1, "since": "2012-06-01"},
    {"id": "ends", "per": "name", "at_most": 2, "until": "2012-06-01"},
]


@st.composite
def turns(draw: st.DrawFn) -> tuple[LoadedFormat, list[Held], str, str, dict[str, list[Any]]]:
    chosen = draw(st.lists(st.sampled_from(RULES), min_size=1, max_size=5, unique_by=lambda one: one["id"]))
    given: dict[str, list[Any]] = {name: [] for name in ("a", "b")}
    banlists = []
    for name in given:
        cards = [entry(one.name, *draw(histories), line=10 * at) for at, one in enumerate(CARDS, 1)]
        pairs = [pair([["Rose"], ["Iris"]], *[(d, "pair" if s != "free" else s) for d, s in draw(histories)])]
        given[name] = cards
        banlists.append(lists(*cards, combinations=pairs, banlist=f"garden/{name}", path=f"{name}.yaml"))
    before, after = sorted([draw(st.sampled_from(DAYS)), draw(st.sampled_from(DAYS))])
    return format_of(*chosen, banlists=banlists), draw(held_cards), before, after, given


@often(400)
@given(turns())
def test_the_verdicts_are_those_of_two_checks_and_each_turn_has_a_cause(
    turn: tuple[LoadedFormat, list[Held], str, str, dict[str, list[Any]]],
) -> None:
    format, held, before, after, given = turn
    deck = deck_of(*held, remarks=[unread()] if len(held) == 6 else [])
    verdicts = [check(deck, format, as_of=day).verdict for day in (before, after)]
    impact = between(format, deck, before, after)
    if impact is None:
        assert verdicts[0] == verdicts[1]
        return
    assert [impact.before, impact.after] == verdicts
    assert impact == between(format, deck, before, after)
    deciding = [one for one in impact.effects if one.decides]
    if impact.turned:
        assert deciding or impact.others
    else:
        assert impact.effects
        assert not deciding
        assert not impact.others
    for one in impact.effects:
        move = one.move
        assert one.gained or one.lost
        assert one.at
        assert move.before != move.after
        if len(move.sides) == 1:
            [said] = [card for card in given[move.banlist[-1]] if card["card"] == move.sides[0][0]]
            past = [change for change in said["history"] if change["from"] <= after]
            assert (past[-1]["line"], past[-1]["from"], past[-1]["status"]) == (
                move.source.line,
                move.since,
                move.after.id,
            )
            assert move.source.path == f"{move.banlist[-1]}.yaml"


@often(300)
@given(st.lists(histories, min_size=3, max_size=3), st.lists(st.integers(0, 3), min_size=3, max_size=3))
def test_with_one_list_exactly_the_cards_that_change_are_named(
    given_histories: list[list[tuple[str, str]]], copies: list[int]
) -> None:
    """A second opinion: of bans and caps on single cards, the reasons are the cards, one by one."""
    cards = (ROSE, IRIS, FERN)
    format = format_of(
        OUT,
        RARE,
        banlists=[lists(*(entry(one.name, *h) for one, h in zip(cards, given_histories, strict=True) if h))],
    )
    before, after = DAYS[1], DAYS[4]

    def broken(day: str) -> set[str]:
        found = set()
        for one, history, number in zip(cards, given_histories, copies, strict=True):
            status = [status for since, status in history if since <= day][-1:] or ["free"]
            if (status == ["out"] and number) or (status == ["rare"] and number > 1):
                found.add(one.name)
        return found

    impact = between(format, deck_of(*zip(cards, copies, strict=True)), before, after)
    if bool(broken(before)) == bool(broken(after)):
        assert impact is None or not impact.turned
    else:
        assert {names[2] for names in told(impact)} == broken(before) | broken(after)


ANNOUNCED = """
banlist: garden/list
name: New
"""


def announcement(text: str) -> Announcement:
    return Announcement(parse_yaml(ANNOUNCED + text, "new.yaml"), "2020-01-01")


def laid(text: str, *banlists: Banlist) -> tuple[Banlist, ...]:
    return lay_over(announcement(text), banlists, GAME, GARDEN)


def listed(*cards: Mapping[str, Any], combinations: Sequence[Mapping[str, Any]] = ()) -> Banlist:
    return format_of(RARE, banlists=[lists(*cards, combinations=combinations)]).format.banlists[0]


BASE = listed(
    entry("Rose", ("2010-01-01", "rare"), ("2011-01-01", "out")),
    entry("Iris", ("2010-01-01", "rare")),
    combinations=[pair([["Rose"], ["Fern", "Iris"]], ("2010-01-01", "pair"))],
)


@often(200)
@given(histories, histories)
def test_histories_are_put_together_by_day_and_the_announcement_wins(
    base: list[tuple[str, str]], new: list[tuple[str, str]]
) -> None:
    merged = dict(base) | dict(new)
    before = "free"
    idle = False
    for day in sorted(merged):
        idle |= day in dict(new) and merged[day] == before
        before = merged[day]
    seen = entry("Oak", ("2009-01-01", "rare"), ("2009-01-02", "out"))
    banlist = listed(entry("Rose", *base, line=90), seen)
    changes = "".join(f"\n      - {{from: {day}, status: {status}}}" for day, status in new)
    text = f"cards:\n  - card: rose\n    history:{changes or ' []'}"
    if idle:
        with pytest.raises(UserError, match="no effect"):
            laid(text, banlist)
        return
    [found] = laid(text, banlist)
    assert [one.card for one in found.cards] == ["Rose", "Oak"]
    for day in DAYS:
        past = [merged[since] for since in sorted(merged) if since <= day]
        stands = standing(found.cards[0].history, day)
        assert (None if stands is None else stands.status) == (
            past[-1] if past and past[-1] != "free" else None
        )
    lines = {change.since: change.line for change in found.cards[0].history}
    assert all(lines[day] == 7 + at for at, (day, _) in enumerate(new))


def test_an_announcement_may_name_new_cards_and_combinations() -> None:
    text = """
cards:
  - {card: Fern, history: [{from: 2020-01-01, status: out}]}
combinations:
  - {sides: [[Iris, Fern], [Rose]], history: [{from: 2020-01-01, status: free}]}
  - {sides: [[Plum], [Oak, Great Oak]], history: [{from: 2020-01-01, status: pair}]}
"""
    [found] = laid(text.replace("Oak, Great Oak", "Great Oak"), BASE)
    assert [one.card for one in found.cards] == ["Rose", "Iris", "Fern"]
    assert [len(one.history) for one in found.combinations] == [2, 1]
    assert found.combinations[1].sides == (frozenset(["Great Oak"]), frozenset(["Plum"]))


def test_other_lists_stay_as_they_are() -> None:
    other = BASE._replace(id="garden/other")
    text = "cards: [{card: Fern, history: [{from: 2020-01-01, status: out}]}]"
    found = laid(text, other, BASE)
    assert found[0] is other
    assert len(found[1].cards) == 3
    assert laid(text, other) == (other,)


def test_what_gets_a_day_is_no_longer_without_one() -> None:
    base = format_of(
        RARE,
        banlists=[
            lists(
                entry("Iris", ("2010-01-01", "rare")),
                unconfirmed={
                    "seen_by": "2012-01-01",
                    "changes": [
                        {"card": "Rose", "from": "free", "to": "rare"},
                        {"card": "Fern", "from": "free", "to": "rare"},
                    ],
                },
                complete_through="2011-01-01",
            )
        ],
    ).format.banlists[0]
    dated = "cards: [{card: Rose, history: [{from: 2013-01-01, status: rare}]}]\n"
    [found] = laid(dated, base)
    assert [one.card for one in found.unconfirmed] == ["Fern"]
    assert found.complete_through == "2011-01-01"
    rest = "complete_through: 2013-01-01\nunconfirmed: {seen_by: 2013-01-01, changes: [{card: plum, from: free, to: rare}]}"
    [found] = laid(dated + rest, base)
    assert [one.card for one in found.unconfirmed] == ["Plum"]
    assert found.complete_through == "2013-01-01"


def test_lines_of_the_announcement_are_told_as_its_own() -> None:
    text = "cards:\n  - card: Iris\n    history:\n      - {from: 2020-01-01, status: out}"
    format = format_of(
        OUT,
        RARE,
        banlists=[lists(entry("Iris", ("2010-01-01", "rare")), entry("Rose", ("2019-01-01", "out")))],
    )
    banlists = laid(text, *format.format.banlists)
    after = LoadedFormat(format.format._replace(banlists=banlists), table_of())
    turn = Turn(format, after, Days("2018-01-01", "2020-01-01", Announced("new.yaml", "garden/list")))
    impact = impact_on(Opened("", deck_of((IRIS, 1), (ROSE, 1)), format, None, None, ForDeck(), False), turn)
    assert impact is not None
    assert [one.move.source for one in impact.effects] == [Source("new.yaml", 7), Source("l.yaml", 1)]
