"""What card files may say, and what is told about the rest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from factories.errors import problems_of
from factories.examples import examples
from factories.garden_game import GAME
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.cards import card_file
from deckcheck.cards.card_file import MOST_PROBLEMS, read_cards, vocabulary
from deckcheck.support.errors import Problem, UserError

pytestmark = pytest.mark.usefixtures("own_folders")

WORDS = vocabulary(GAME)


def refused(content: str | bytes, name: str = "cards.jsonl") -> tuple[Problem, ...]:
    data = content.encode() if isinstance(content, str) else content
    return problems_of(read_cards, Path(name), data, WORDS)


@pytest.mark.parametrize(
    ("facts", "message", "hint"),
    [
        ({"nam": "b"}, "unknown key 'nam'", "did you mean 'name'?"),
        ({"coluor": ["red"]}, "unknown key 'coluor'", "did you mean 'colour'?"),
        ({"colour": ["geen"]}, "colour[1]: 'geen' is not one of blue, green, red", "did you mean 'green'?"),
        ({"colour": "red"}, "colour: red is not allowed here; a list is needed", None),
        ({"home": "mian"}, "home: 'mian' is not one of", "did you mean 'main'?"),
        ({"home": ["main"]}, "home: '[…]' is not one of", None),
        ({"cost": "3"}, "cost: '3' is text: remove the quotes", None),
        ({"cost": True}, "cost: true is not allowed here; a number or ∞ is needed", None),
        ({"cost": 10**40}, "cost: must be at most 1000000000", None),
        ({"released": "2020-02-30"}, "not a date", None),
        ({"released": "2020-2-3"}, "not a date", None),
        ({"released": "２０２０-02-03"}, "not a date", None),
        ({"partial": ["cost"]}, "partial[1]: 'cost' is not one of", None),
        ({"printings": [{"rarity": "C"}]}, "printings[1]: missing: set", None),
        (
            {"printings": [{"set": "K", "rarity": "SRR"}]},
            "printings[1].rarity: 'SRR' is not one of",
            "did you mean 'SR'?",
        ),
        ({"printings": [{"set": "K", "rarity": "<=?C"}]}, "printings[1].rarity: '<=?C' is not one of", None),
        ({"printings": [{"set": "K", "rarity": ""}]}, "printings[1].rarity: '' is not one of", None),
        ({"printings": [{"set": "K", "released": "soon"}]}, "printings[1].released: not a date", None),
        ({"printings": ["K"]}, "printings[1]: K is not allowed here; a mapping", None),
        ({"parts": [{"name": "b", "rarity": "C"}]}, "parts[1]: unknown key 'rarity'", None),
        ({"faces": [{"cost": 3}]}, "faces[1]: missing: name", None),
        ({"verified": "no"}, "verified: no is not allowed here; true or false is needed", None),
        ({"kind": [""]}, "kind[1]: this is empty", None),
        ({"name": "a\nb"}, "name: contains a control character", None),
        ({"name": "a\u202eb"}, "name: contains a control character", None),
        ({"name": "\ud800"}, "name: contains a control character", None),
        ({"name": "・ー"}, "name: nothing is left of this name", None),
        ({"aliases": ["b", "・"]}, "aliases[2]: nothing is left of this name", None),
        ({"made_of": ["・"]}, "made_of[1]: nothing is left of this name", None),
        ({"parts": [{"name": "b"}, {"name": "-"}]}, "parts[2].name: nothing is left of this name", None),
        ({"faces": [{"name": "ー"}]}, "faces[1].name: nothing is left of this name", None),
        ({"aliases": [" "]}, "aliases[1]: this is empty", None),
        ({"printings": [{"set": " "}]}, "printings[1].set: this is empty", None),
        ({"kind": ["\u3000"]}, "kind[1]: this is empty", None),
        ({"name": "a" * 301}, "name: too long", None),
        ({"name": 750}, "name: 750 is not allowed here; text is needed", None),
        ({"name": "good"}, "line 1 has a card of the same name: good", None),
        ({"aliases": ["b"] * 1001}, "aliases: at most 1000 entries", None),
        (["a"], "this is not a JSON object", None),
    ],
)
def test_each_mistake_is_told_with_its_line(
    facts: dict[str, object] | list[str], message: str, hint: str | None
) -> None:
    card = {"name": "a"} | facts if isinstance(facts, dict) else facts
    problem = refused('{"name":"good"}\n\n' + json.dumps(card) + "\n")[0]
    assert (problem.path, problem.line) == ("cards.jsonl", 3)
    assert message in problem.message.en
    assert problem.message.ja != problem.message.en
    if hint is not None:
        assert problem.hint is not None and problem.hint.en == hint


def test_what_only_the_types_of_a_record_refuse_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(card_file, "shape_problems", lambda _card, _schema: [])
    (problem,) = refused('{"name":"a","cost":"3"}')
    assert problem.line == 1 and "`$.cost`" in problem.message.en


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"name":"a"', "not valid JSON"),
        (b'{"name":"a","name":"b"}', "this key appears twice: name"),
        (b'{"name":"a","cost":NaN}', "not a number: NaN"),
        (b'{"name":"a","cost":' + b"9" * 5000 + b"}", "not valid JSON"),
        (b'{"name":"a","cost":1e999}', "cost: must be at most"),
        (b'{"name":"\xff"}', "not UTF-8"),
        (b'{"name":"a","kind":' + b"[" * 30_000, "nested too deeply"),
        (
            b'{"name":"a","kind":' + b"[" * 700 + b"]" * 700 + b"}",
            "kind[1]: […] is not allowed here; text is needed",
        ),
        (b'{"name":"' + b"a" * 70_000 + b'"}', "the line is too long"),
    ],
)
def test_lines_that_are_not_sound_json(line: bytes, message: str) -> None:
    (problem,) = refused(b'\xef\xbb\xbf{"name":"good"}\r\n' + line + b"\r\n")
    assert problem.line == 2
    assert message in problem.message.en


def test_what_breaks_json_is_pointed_at() -> None:
    (problem,) = refused('{"name":"凧" 5}')
    assert (problem.line, problem.column) == (1, 13)


def test_all_mistakes_are_told_in_order_up_to_a_bound() -> None:
    mixed = '{"name":1}\nnot json\n{"name":2}\n'
    assert [problem.line for problem in refused(mixed)] == [1, 2, 3]
    assert len(refused('{"name":1}\n' * 50)) == MOST_PROBLEMS
    assert len(refused("nothing\n" * 50)) == MOST_PROBLEMS


def test_yaml_mistakes_are_told_at_their_own_place() -> None:
    text = "cards:\n  - {name: 凧, cost: 3}\n  - name: 弓\n    colour: [blue,\n             geen]\n"
    (problem,) = refused(text, "mine.yaml")
    assert (problem.line, problem.column, problem.excerpt) == (5, 14, "             geen]")
    assert problem.hint is not None and problem.hint.en == "did you mean 'green'?"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "- name: a",
        "cards: 5",
        "cards: []\nmore: 1",
        "cards: [{name: a}, {name: a}]",
        "cards: [{name: yes}]",
        "cards: [{name: a, name: b}]",
        "cards: [",
        "cards: " + "[" * 150_000 + "]" * 150_000,
    ],
)
def test_yaml_that_cannot_be_used(text: str) -> None:
    assert refused(text, "mine.yaml")[0].path == "mine.yaml"


KEYS = st.sampled_from([
    "name", "aliases", "home", "released", "partial", "printings", "parts", "faces", "made_of", "verified",
    "colour", "cost",
])  # fmt: skip
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
VALUES = st.recursive(
    LEAVES | st.sampled_from(["C", "K1", "red"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@examples(300)
@given(value=st.dictionaries(KEYS, VALUES, max_size=5))
def test_any_value_at_any_key_is_taken_or_refused(value: dict[str, object]) -> None:
    try:
        read_cards(Path("a.jsonl"), json.dumps(value).encode(), WORDS)
    except UserError as error:
        assert {problem.line for problem in error.problems} == {1}
