"""YAML with places, within bounds, and nothing but a clear error from anyone's bytes."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from factories.errors import problem_of
from factories.examples import within
from factories.random_cards import often
from hypothesis import example, given
from hypothesis import strategies as st

from deckcheck.support.documents import load_yaml, parse_yaml
from deckcheck.support.errors import UserError
from deckcheck.support.messages import Localized

TEXT = """\
# a comment
format: garden/x
day: 2020-01-01
rules:
  - id: size   # the first
    at_most: 60
  - {id: other, where: {name: ["薔薇", 'Iris']}}
"""


def test_every_key_and_item_knows_its_place() -> None:
    document = parse_yaml(TEXT, "x.yaml")
    places = {
        ("format",): (2, 1),
        ("rules",): (4, 1),
        ("rules", 0): (5, 5),
        ("rules", 0, "at_most"): (6, 5),
        ("rules", 1): (7, 5),
        ("rules", 1, "where", "name"): (7, 25),
        ("rules", 1, "where", "name", 1): (7, 38),
    }
    assert {keys: document.marks[keys] for keys in places} == places
    assert document.line(("rules", 1, "where", "nothing", "there")) == 7
    assert document.line(("nowhere",)) == 2


def test_a_problem_shows_its_line_and_counts_characters_not_bytes() -> None:
    problem = parse_yaml(TEXT, "x.yaml").at("rules", 1, "where", "name", 1).problem(Localized("だめ", "bad"))
    assert (problem.line, problem.column) == (7, 38)
    assert problem.excerpt == TEXT.splitlines()[6]
    assert problem.in_("ja") == "x.yaml:7:38: だめ"
    assert problem.excerpt[37:43] == "'Iris'"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2020-01-01", "2020-01-01"),
        ("60", 60),
        ("-3", -3),
        ("2.5", 2.5),
        ("1_000", "1_000"),
        ("0x10", "0x10"),
        ("1e3", "1e3"),
        (".inf", ".inf"),
        ("12:30:45", "12:30:45"),
        ("'60'", "60"),
        ("true", True),
        ("no", False),
        ("~", None),
        ("", None),
        ("null", None),
        ("750男", "750男"),
        ("<<", "<<"),
    ],
)
def test_values_are_plain(text: str, value: object) -> None:
    assert parse_yaml(f"key: {text}", "x").data == {"key": value}


@pytest.mark.parametrize("text", ["!!python/object/apply:os.system [ls]", "!!binary aGk=", "{!x a: 1}"])
def test_tags_are_refused(text: str) -> None:
    with pytest.raises(UserError, match="tags"):
        parse_yaml(f"key: {text}", "x")


def test_keys_stay_the_words_they_are() -> None:
    assert parse_yaml("1: a\nyes: b\n2020-01-01: c\n~: d\n", "x").data == {
        "1": "a",
        "yes": "b",
        "2020-01-01": "c",
        "~": "d",
    }


def test_a_file_may_be_shown_by_another_name(tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    file.write_text("a: [")
    with pytest.raises(UserError, match=r"^shown\.yaml:2:1: not valid YAML"):
        load_yaml(file, "shown.yaml")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a: b\nc: \0d", (2, 4)),
        ("\x07", (1, 1)),
        ("ab\ufffe", (1, 3)),
        ("a:\n  b: '\x7f'", (2, 7)),
        ("\ud800", (1, 1)),
    ],
)
def test_characters_that_yaml_cannot_hold_have_a_place(text: str, place: tuple[int, int]) -> None:
    problem = problem_of(parse_yaml, text, "x")
    assert (problem.line, problem.column) == place


def test_a_file_never_grows_when_it_is_read() -> None:
    laughs = "a: &a [x, x]\n" + "".join(
        f"{name}: &{name} [*{before}, *{before}]\n"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    with pytest.raises(UserError, match="anchors and aliases"):
        parse_yaml(laughs, "x")
    with pytest.raises(UserError, match="anchors and aliases"):
        parse_yaml("a: {x: 1}\nb: {<<: *a}\n", "x")


YAML_LIKE = st.text(alphabet="ab:-?[]{},&*!|>'\"%@`# \n\t0.~<=é花", max_size=60)


@often(700)
@given(st.binary(max_size=200) | YAML_LIKE.map(str.encode))
@example(b"\xef\xbb\xbf\xef\xbb\xbf")
@example(b"!<!!x>")
@example(b"? ? ? [")
@example(b"%YAML 9.9\n---\n")
@example(b"key: !!int '+-5'")
@example("key: !!int ²".encode())
@example(b"key: !!float 1.1.1")
@example(b"- |9\n x")
def test_any_bytes_are_read_or_refused_at_a_place(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    file = tmp_path_factory.getbasetemp() / "bytes.yaml"
    file.write_bytes(data)
    try:
        document = load_yaml(file)
    except UserError as error:
        for problem in error.problems:
            assert problem.in_("ja") and problem.in_("en")
            assert problem.line is None or 1 <= problem.line <= len(re.split(rb"\r\n|\r|\n", data)) + 1
        return
    assert all(
        1 <= line <= len(document.lines) + 1 and column >= 1 for line, column in document.marks.values()
    )


def test_long_files_of_rubbish_are_done_with_quickly() -> None:
    chance = Random(1)
    text = "".join(chance.choice("ab:-[]{},\n  '\"#") for _ in range(200_000))
    with within(5), pytest.raises(UserError):
        parse_yaml(text, "x")
