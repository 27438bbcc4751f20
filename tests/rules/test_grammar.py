"""The grammar of the format language, and what the rest makes of it."""

from __future__ import annotations

import pytest
from factories.small import GAME, format_of

from deckcheck.checking.judge import load_format
from deckcheck.formats.description import describe_format
from deckcheck.formats.lookup import FormatEntry, bundled_formats
from deckcheck.model import format as predicates
from deckcheck.model.format import from_plain, to_plain
from deckcheck.rules.grammar import Grammar
from deckcheck.support.documents import load_schema


def test_every_word_is_described_once_and_stands_where_it_may() -> None:
    grammar, definitions = Grammar(), load_schema("format")["definitions"]
    rule, clause, way = (definitions[place]["properties"].keys() for place in ("rule", "clause", "way"))
    assert rule - clause == {"id", "cite", "clauses"}
    assert way < clause == grammar.rules.keys()
    for word in (*grammar.rules.values(), *grammar.conditions.values(), *grammar.comparisons.values()):
        assert {*word.excludes, *(word.needs or ())[:1]} <= grammar.rules.keys()
    for place in ("clause", "predicate", "comparison"):
        for name, value in definitions[place]["properties"].items():
            target = definitions[value["$ref"].rpartition("/")[2]] if "description" not in value else value
            assert target["description"] and target["ja"] and target["examples"], name


def test_words_that_are_retired_are_words_no_more() -> None:
    words = Grammar().rules.keys()
    assert not {"one_of", "copies"} & words
    assert all(retired["before"] != retired["now"] for retired in load_schema("format")["retired"])


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ({"in": "main", "exactly": 3}, "cards in Bed: exactly 3"),
        ({"in": "main", "exactly": [3, 5]}, "cards in Bed: 3 or 5"),
        ({"at_least": 2, "at_most": 4}, "cards in the whole deck: at least 2 and at most 4"),
        ({"per": "name", "at_most": 4}, "cards in the whole deck: at most 4 of each name"),
        (
            {"count": "names", "having": {"at_least": 2}, "at_most": 1},
            "different names in 2 or more copies of cards in the whole deck: at most 1",
        ),
        (
            {"count": {"sum": "cost"}, "at_most": 9},
            "the sum of cost of cards in the whole deck: at most 9",
        ),
        ({"sides": "pair", "at_most": 1}, "of the sides of each paired: at most 1"),
        (
            {"where": {"not": {"kind": "tree"}}, "at_most": 0},
            "no cards in the whole deck where not (kind is tree)",
        ),
        (
            {"for_each": {"colour": "every"}, "where": {"colour": "$each"}, "at_most": 2},
            "for each colour Red, Blue, Green: cards in the whole deck where it has that colour: at most 2",
        ),
        (
            {
                "when": {"best_of": 1},
                "in": "side",
                "at_most": 3,
                "since": "2026-01-01",
                "severity": "warning",
            },
            "when best_of = 1: cards in Glasshouse: at most 3 (from 2026-01-01) (warning only)",
        ),
    ],
)
def test_a_rule_is_said_as_its_words_are(rule: dict[str, object], said: str) -> None:
    assert f"\n  {said}\n" in describe_format(format_of(rule).format, GAME, "en")


def test_a_deep_condition_is_said_in_no_time() -> None:
    condition: dict[str, object] = {"kind": "tree"}
    for _ in range(30):
        condition = {"any_part": condition}
    said = describe_format(format_of({"where": condition, "at_most": 0}).format, GAME, "en")
    assert "of one half: (of one half: (" in said and said.count("kind is tree") == 1


def test_predicates_of_two_kinds_are_never_equal() -> None:
    part = predicates.Has("colour", frozenset([predicates.EACH]))
    words = frozenset(["main"])
    alike = [
        [predicates.All((part,)), predicates.AnyOf((part,))],
        [predicates.Not(part), predicates.AnyPart(part)],
        [predicates.Named(words), predicates.HasStatus(words)],
        [kind("kind", "main") for kind in (predicates.Outside, predicates.Naming, predicates.Containing)],
    ]
    for kinds in alike:
        assert len(set(kinds)) == len(kinds)


@pytest.mark.parametrize("entry", bundled_formats(), ids=lambda entry: entry.id)
def test_rules_that_are_kept_between_runs_are_the_same(entry: FormatEntry) -> None:
    if entry.abstract:
        return
    rules = load_format(entry.id).format.rules
    assert from_plain(to_plain(rules)) == rules
