"""Bytes, headers, and what is too large, in files: CSV, TSV, YAML, JSON."""

from __future__ import annotations

import json

import pytest
from factories.errors import problem_of
from factories.reader_lists import AWAY, HARD, PLAIN, ids, read, told

from deckcheck.checking.judge import Loader
from deckcheck.decklists.decoding import decode
from deckcheck.decklists.header_directives_comments import read_header
from deckcheck.support.errors import UserError

TEXT = "メイン\n4 天災 デドダム\n"
ALL = [*PLAIN, *HARD, *AWAY]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp932"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(encoding: str, end: str) -> None:
    assert decode(TEXT.replace("\n", end).encode(encoding), "a.txt") == TEXT
    big = b"\xfe\xff" + TEXT.encode("utf-16-be")
    assert decode(big, "a.txt") == TEXT


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [
        (b"ab\ncd\x00e", 2, 3),
        ("あ\nいう".encode() + b"\xff\xff", 2, 3),
        ("あ\r\nいう".encode("cp932") + b"\xfd\xff", 2, 3),
        (b"\xef\xbb\xbf" + "あ".encode() + b"\xff", 1, 2),
        (b"\xff\xfea\x00b", 1, 2),
        (b"\xff\xfea\x00\n\x00\x00\x00", 2, 1),
    ],
)
def test_what_is_no_text_is_refused_with_its_place(data: bytes, line: int, column: int) -> None:
    problem = problem_of(decode, data, "a.txt")
    assert (problem.path, problem.line, problem.column) == ("a.txt", line, column)


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("# format: a/b\n# date: 2024-01-01\n\n4 x\n# player: no", {"format": "a/b", "date": "2024-01-01"}),
        ("// Name: Foo: bar\n# AS_OF：2020\n", {"deck": "Foo: bar", "as-of": "2020"}),
        (
            "# just a comment\n# best of: 1\n# expect: illegal deck-size\n",
            {"best-of": "1", "expect": "illegal deck-size"},
        ),
        ("format: a/b\nmain:\n  - 4 x foo\nplayer: 'Jo'", {"format": "a/b", "player": "Jo"}),
        ("main:\n  - 4 x foo\nformat: a/b # yes", {"format": "a/b"}),
        ("---\ndeck: Foo\nmain: [a]", {"deck": "Foo"}),
        ("format: x\ndeck:\n  - 4 x a", {"format": "x"}),
        (
            '{"format": "a/b", "best_of": 3, "name": "Foo", "main": {"deck": 4}}',
            {"format": "a/b", "best-of": "3", "deck": "Foo"},
        ),
        ('{"format": ', {}),
        ("Deck: 40\n4 x a", {}),
        ("4 x a\n# format: a/b", {}),
        ("", {}),
    ],
)
def test_headers_before_the_game_is_known(text: str, header: dict[str, str]) -> None:
    assert read_header(text) == header


def quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


SHAPES = {
    "csv": [
        "枚数,カード名\n{n},{c}",
        "名前;Count\n{c};{n}",
    ],
    "txt": ["{n},{c},水\n1,アクア・ガード,火", '{n},"{c}"\n', "{c}\t{n}\n"],
    "tsv": ["Qty\tCard name\tZone\n{n}\t{c}\tメイン"],
    "yaml": [
        "main:\n  - {q}: {n}\n",
        "main:\n  {q}: {n}",
        "- {{name: {q}, count: {n}}}",
        "cards:\n- 枚数: {n}\n  カード名: {q}",
        "deck:\n  main:\n    {q}: {{count: {n}}}",
    ],
    "json": [
        '{{"main": {{{q}: {n}}}}}',
        '[{{"name": {q}, "count": {n}}}]',
        '{{"cards": [{{{q}: "{n}"}}]}}',
        '["{n} x {j}"]',
    ],
}


@pytest.mark.parametrize(
    ("ending", "shape"), [(ending, shape) for ending in SHAPES for shape in SHAPES[ending]]
)
def test_every_name_in_every_file(ending: str, shape: str) -> None:
    wrong = []
    for name in ALL:
        text = shape.format(c=name, q=quoted(name), j=quoted(name)[1:-1], n=4)
        deck = read(text, f"deck.{ending}")
        entry = deck.entries[0] if deck.entries else None
        found = entry and entry.cards and entry.cards[0].name == name and entry.copies == 4
        notation = {"txt": "text"}.get(ending, ending)
        if not found or set(ids(deck)) - {"moved-to-home-zone"} or deck.notation != notation:
            wrong.append((text, told(deck)))
            continue
        assert entry is not None
        assert deck.lines[entry.line - 1][entry.column - 1 :].startswith(quoted(name)[1:-1]), (text, entry)
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "path", "line", "column"),
    [
        ("[" * 50, "a.yaml", 1, 9),
        ("- " * 50, "a.yaml", 1, 17),
        ("[" * 100_000 + "]" * 100_000, "a.json", 1, 1),
        ("[" + "9" * 5000 + "]", "a.json", 1, 1),
        *(("\n" * 5000, f"a.{ending}", 5001, 1) for ending in ("txt", "csv", "yaml")),
        ("[" + "1," * 40_000 + "1]", "a.json", 1, 80_002),
    ],
)
def test_what_is_too_large_or_too_deep_is_refused_with_its_place(
    text: str, path: str, line: int, column: int
) -> None:
    problem = problem_of(read, text, path)
    assert (problem.path, problem.line, problem.column) == (path, line, column)
    assert problem.message.ja and problem.message.en


@pytest.mark.parametrize("path", ["a.txt", "a.csv", "a.tsv", "a.yaml", "a.json", "-"])
def test_an_empty_list_is_an_empty_deck(path: str) -> None:
    for text in ("", "\n\n", "\ufeff"):
        deck = read(text, path)
        assert (deck.entries, deck.diagnostics, deck.path) == ((), (), path)


def _word(number: int) -> str:
    """A word without digits, which would be counts."""
    return "".join("bcdghjklmp"[int(digit)] for digit in str(number))


@pytest.mark.parametrize(
    ("shape", "joint", "item", "path"),
    [
        ("<Deck>{}</Deck>", "", '<Cards Quantity="1" Sideboard="false" Name="Nobody {}"/>', "a.dek"),
        ("[{}]", ",", '{{"name": "Nobody {}", "count": 1}}', "a.json"),
    ],
)
def test_no_more_cards_than_a_text_has_lines(shape: str, joint: str, item: str, path: str) -> None:
    text = shape.format(joint.join(item.format(_word(number)) for number in range(5_001)))
    with pytest.raises(UserError, match=r"too many cards \(at most 5,000\)") as caught:
        read(text, path)
    assert caught.value.problems[0].line == 1 and (caught.value.problems[0].column or 0) > 1000


@pytest.mark.parametrize(
    ("cell", "rules", "reason"),
    [
        ('"# deckcheck: ignore[x, y] because, really"', ("x", "y"), "because, really"),
        ('"a note # deckcheck: ignore[x] said ""so"""', ("x",), 'said "so"'),
        ("# deckcheck: ignore[x] plain", ("x",), "plain"),
    ],
)
def test_a_directive_in_a_cell(cell: str, rules: tuple[str, ...], reason: str) -> None:
    text = f'Count,Note,Name\n4,{cell},Nobody\n2,,"Some, One"\n'
    if not cell.startswith('"'):
        # What isn't quoted goes on to the end of the line.
        text = f'Count,Name,Note\n4,Nobody,{cell}\n2,"Some, One",b\n'
    deck = read(text, "a.csv")
    assert [(one.rules, one.reason, one.line) for one in deck.directives] == [(rules, reason, 2)]
    assert [(one.written, one.copies) for one in deck.entries] == [("Nobody", 4), ("Some, One", 2)]
    assert deck.lines[1] == text.split("\n")[1]


def test_a_second_deck_in_one_file_is_told() -> None:
    text = '[{"main": {"Negate": 4}},\n{"main": {"Negate": 4}}]\n'
    deck = Loader().game("magic").read(text, "decks.json")
    assert [(item.id, item.line) for item in deck.diagnostics] == [("invalid-line", 2)]


def test_a_workbook_is_told_to_be_saved_as_text() -> None:
    assert problem_of(decode, b"PK\x03\x04\x14\0\x06\0\xff\xfe", "deck.xlsx").hint is not None
