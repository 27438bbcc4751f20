"""The grammar of the format language, and what the rest makes of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from factories.garden_game import GAME, format_of, load
from msgspec import convert, to_builtins

from deckcheck.checking.judge import load_format
from deckcheck.formats.description import describe_format
from deckcheck.formats.grammar import Grammar
from deckcheck.formats.lookup import FormatEntry, bundled_formats
from deckcheck.model import format as predicates
from deckcheck.support.documents import load_schema


def test_every_word_is_described_once_and_stands_where_it_may() -> None:
    grammar, definitions = Grammar(), load_schema("format")["definitions"]
    rule, clause, way = (definitions[place]["properties"].keys() for place in ("rule", "clause", "way"))
    assert rule - clause == {"id", "cite", "clauses"}
    assert way < clause == grammar.rules.keys()
    for word in (*grammar.rules.values(), *grammar.conditions.values(), *grammar.comparisons.values()):
        assert {*word.excludes} <= grammar.rules.keys()
    for place in ("clause", "predicate", "comparison"):
        for name, value in definitions[place]["properties"].items():
            target = definitions[value["$ref"].rpartition("/")[2]] if "description" not in value else value
            assert target["description"] and target["ja"] and target["examples"], name


TREES = {"where": {"kind": "tree"}}
EITHER = [{"in": "leader", "at_most": 1}, TREES | {"exactly": 2}]
NO_TREES = {"where": {"not": {"kind": "tree"}}}
EACH = {"for_each": {"colour": "every"}, "where": {"colour": "$each"}}
ONE_GAME = {"when": {"best_of": 1}, "in": "side", "since": "2026-01-01", "severity": "warning"}


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ({"in": "main", "exactly": 3}, "Bed: exactly 3 cards"),
        ({"in": "main", "exactly": [3, 5]}, "Bed: 3 or 5 cards"),
        ({"at_least": 2, "at_most": 4}, "2 to 4 cards"),
        ({"per": "name", "at_most": 4}, "At most 4 of each card"),
        (
            {"either": EITHER, "message": "no pair"},
            "One of these: Gardener: at most 1 card; or exactly 2 cards with kind tree",
        ),
        (
            {"where": {"colour": {"outside": "leader"}}, "at_most": 0},
            "No cards with a colour that no card in Gardener has",
        ),
        (
            {"count": "names", "having": {"at_least": 2}, "at_most": 1},
            "At most 1 different name, each in 2 or more copies, among cards",
        ),
        ({"count": {"sum": "cost"}, "at_most": 9}, "Cost of cards added up: at most 9"),
        ({"sides": "pair", "at_most": 1}, "At most 1 of the sides of each paired"),
        (NO_TREES | {"at_most": 0}, "Only cards with kind tree"),
        (EACH | {"at_most": 2}, "For each colour Red, Blue, Green, at most 2 cards with that colour"),
        (
            ONE_GAME | {"at_most": 3},
            "In a best of 1, Glasshouse: at most 3 cards (from 2026-01-01) (warning only)",
        ),
    ],
)
def test_a_rule_is_said_as_its_words_are(rule: dict[str, object], said: str) -> None:
    assert f"\n  {said}\n" in describe_format(format_of(rule).format, GAME, "en")


SAYING = """
format: garden/saying
name: Saying
zones: {main: {}, side: {}}
definitions:
  tall: {kind: tree, says: {ja: 背の高い, en: that are tall}}
rules:
  - {id: size, at_most: 9, says: {ja: 9枚まで, en: "nine, no more"}, severity: warning, since: 2026-01-01}
  - id: both
    says: {ja: どちらも守る, en: one way or the other}
    clauses: [{in: main, exactly: 2}, {in: side, at_least: 1}, {in: side, at_most: 3, says: three}]
  - {id: two, where: {ref: tall}, per: name, at_most: 2}
  - {id: others, where: {colour: red, kind: tree, not: {kind: tree}}, at_most: 0}
"""


def test_a_file_may_say_what_a_rule_asks_and_what_cards_are_called(tmp_path: Path) -> None:
    (tmp_path / "saying.yaml").write_text(SAYING, encoding="utf-8")
    loaded = load(tmp_path / "saying.yaml").format
    ja, en = (describe_format(loaded, GAME, lang) for lang in ("ja", "en"))
    assert "  Nine, no more (from 2026-01-01) (warning only)\n" in en
    assert "  9枚まで（2026-01-01から）（警告のみ）\n" in ja
    assert "  One way or the other\n  Three\n" in en and "  どちらも守る\n  three\n" in ja
    # The words of a condition are used wherever it is written.
    assert en.count("that are tall") == 3 and ja.count("背の高い") == 3 and "tree" not in en + ja


def test_a_deep_condition_is_said_in_no_time() -> None:
    condition: dict[str, object] = {"kind": "tree"}
    for _ in range(30):
        condition = {"any_part": condition}
    said = describe_format(format_of({"where": condition, "at_most": 0}).format, GAME, "en")
    assert "with a half with a half " in said and said.count("with kind tree") == 1


@pytest.mark.parametrize("entry", bundled_formats(), ids=lambda entry: entry.id)
def test_rules_that_are_kept_between_runs_are_the_same(entry: FormatEntry) -> None:
    if entry.abstract:
        return
    rules = load_format(entry.id).format.rules
    assert convert(to_builtins(rules, enc_hook=dict), tuple[predicates.Rule, ...]) == rules
