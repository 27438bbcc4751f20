"""Bytes, headers, and the notations that are files: CSV, TSV, YAML, JSON."""

from __future__ import annotations

import json

import pytest
from factories.reader_lists import AWAY, HARD, PLAIN, content, ids, read, told

from deckcheck.decklists.header import read_header
from deckcheck.decklists.source import decode
from deckcheck.support.errors import UserError

TEXT = "メイン\n4 天災 デドダム\n"
ALL = [*PLAIN, *HARD, *AWAY]


def refused(text: str, path: str) -> tuple[int | None, int | None]:
    """Where the text is refused."""
    with pytest.raises(UserError) as caught:
        read(text, path)
    (problem,) = caught.value.problems
    assert problem.path == path and problem.message.ja and problem.message.en
    return problem.line, problem.column


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
    with pytest.raises(UserError) as caught:
        decode(data, "a.txt")
    (problem,) = caught.value.problems
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


@pytest.mark.parametrize(
    "text",
    [
        "# format: a/b\n# best-of: 1\n4 天災 デドダム",
        "format: a/b\nbest-of: 1\nmain:\n- 4 天災 デドダム",
        '{"format": "a/b", "best-of": 1, "main": ["4 天災 デドダム"]}',
        "# format: a/b\n# best-of: 1\n枚数,名前\n4,天災 デドダム",
    ],
)
def test_the_reader_finds_the_same_header(text: str) -> None:
    deck = read(text, "-")
    assert deck.header == read_header(text) == {"format": "a/b", "best-of": "1"}
    assert content(deck) == {("main", "天災 デドダム"): 4}


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


def test_yaml_zones_and_places() -> None:
    text = """\
# a comment
format: duel-masters/duemagic
main:
  - 4 x 天災 デドダム
  - 750男: 3
  - {name: "バングリッドX7", count: 2, zone: サイド}
  - ガチャック2
サイドボード:
  天災 デドダム: 1
クリーチャー: 7
おまけ: [零龍]
"""
    deck = read(text, "a.yaml")
    assert told(deck)[:6] == [
        "4:9 main 4 天災 デドダム",
        "5:5 main 3 750男",
        "6:13 side 2 バングリッドX7",
        "7:5 main 1 ガチャック2",
        "9:3 side 1 天災 デドダム",
        "11:7 おまけ 1 零龍",
    ]
    assert ids(deck) == ["total-mismatch", "unknown-zone"]
    assert deck.header == {"format": "duel-masters/duemagic"}


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("main:\n- 天災 デドダム: x", "a.yaml"),
        ("main:\n- 天災 デドダム:", "a.yaml"),
        ("main:\n- 天災 デドダム: 1.5", "a.yaml"),
        ("main:\n- {name: 天災 デドダム, count: -1}", "a.yaml"),
        ("main:\n- [天災 デドダム]", "a.yaml"),
        ("main:\n- ", "a.yaml"),
        ("author: somebody", "a.yaml"),
        ('{"main": {"天災 デドダム": null}}', "a.json"),
        ('{"main": [{"count": 3}]}', "a.json"),
        ('{"main": [4]}', "a.json"),
        ("枚数,名前\nx,天災 デドダム", "a.csv"),
        ("枚数,名前\n,天災 デドダム", "a.csv"),
        ("枚数,名前\n4,", "a.csv"),
    ],
)
def test_what_can_not_be_used_is_shown(text: str, path: str) -> None:
    try:
        deck = read(text, path)
    except UserError as error:
        assert error.problems[0].line is not None
        return
    assert ids(deck) == ["invalid-line"] or [entry.cards for entry in deck.entries] == [()]


@pytest.mark.parametrize(
    ("text", "path"), [("main:\n- 天災 デドダム: 0", "a.yaml"), ("枚数,名前\n0,天災 デドダム", "a.csv")]
)
def test_no_copies_are_no_card(text: str, path: str) -> None:
    assert (read(text, path).entries, read(text, path).diagnostics) == ((), ())


@pytest.mark.parametrize(
    ("text", "path", "line", "column"),
    [
        ("main:\n  - a\n b: [", "a.yaml", 3, 2),
        ("main: &x [a]\nside: *x", "a.yaml", 1, 7),
        ("main: [*x]", "a.yaml", 1, 8),
        ("main: !!python/name:os.system [a]", "a.yaml", 1, 7),
        ("main: !x a", "a.yaml", 1, 7),
        ("a: 1\n---\nb: 1", "a.yaml", 3, 1),
        ("main:\n- a\x07", "a.yaml", 2, 4),
        ("[" * 50, "a.yaml", 1, 9),
        ("- " * 50, "a.yaml", 1, 17),
        ('{"main": [1,]}', "a.json", 1, 13),
        ('{"main": \n "a"', "a.json", 2, 5),
        ('{"main": 1} x', "a.json", 1, 13),
        ("[" * 12 + "]" * 12, "a.json", 1, 9),
        ("[" * 100_000 + "]" * 100_000, "a.json", 1, 1),
        ("[" + "9" * 5000 + "]", "a.json", 1, 1),
        ('名前,数\n"天災', "a.csv", 2, 1),
        ('名前,数\n"天災"x,1', "a.csv", 2, 1),
        ("\n" * 5000, "a.txt", 5001, 1),
        ("\n" * 5000, "a.csv", 5001, 1),
        ("\n" * 5000, "a.yaml", 5001, 1),
        ("[" + "1," * 40_000 + "1]", "a.json", 1, 80_002),
    ],
)
def test_malformed_files_are_refused_with_their_place(text: str, path: str, line: int, column: int) -> None:
    assert refused(text, path) == (line, column)


def test_csv_columns_zones_and_sections() -> None:
    deck = read(
        "ゾーン,枚数,カード名\nメイン,4,天災 デドダム\nサイド,3枚,750男\n,1,0点男\nすみっこ,1,零龍", "a.csv"
    )
    assert told(deck) == [
        "2:7 main 4 天災 デドダム",
        "3:8 side 3 750男",
        "4:4 ゾーン? 1 0点男",
        "5:8 すみっこ 1 零龍",
        "! 4:4 unknown-zone 0点男",
        "! 5:8 unknown-zone 零龍",
    ]
    deck = read("4,天災 デドダム,\n3,750男,\nサイドボード,,\n1,零龍,\n合計,8,\n", "a.csv")
    assert told(deck) == ["1:3 main 4 天災 デドダム", "2:3 main 3 750男", "4:3 side 1 零龍"]
    assert told(read("4 x 天災 デドダム\n3 x 750男", "a.csv")) == [
        "1:5 main 4 天災 デドダム",
        "2:5 main 3 750男",
    ]


@pytest.mark.parametrize(
    ("text", "path", "notation"),
    [
        ("4 天災 デドダム", "a.txt", "text"),
        ("[Main]\n4 天災 デドダム", "-", "text"),
        ("main:\n- 4 天災 デドダム", "-", "text"),
        ("main:\n- {name: 天災 デドダム, count: 4}", "-", "yaml"),
        ("format: a/b\nmain:\n- 4 天災 デドダム", "a.txt", "yaml"),
        ('{"main": ["4 天災 デドダム"]}', "a.txt", "json"),
        ('["4 天災 デドダム"]', "-", "json"),
        ("枚数,カード名\n4,天災 デドダム", "a.txt", "csv"),
        ("Count;Name\n4;天災 デドダム", "-", "csv"),
        ("Count\tName\n4\t天災 デドダム", "-", "tsv"),
        ("4\t天災 デドダム", "-", "text"),
        ("4,天災 デドダム\n1,750男", "a.CSV", "text"),
    ],
)
def test_the_notation_is_told_from_the_content(text: str, path: str, notation: str) -> None:
    deck = read(text, path)
    assert deck.notation == notation
    assert content(deck)["main", "天災 デドダム"] == 4


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
    text = f'Count,Name,Note,Other\n4,Nobody,{cell}\n2,"Some, One",,b\n'
    deck = read(text, "a.csv")
    assert [(one.rules, one.reason, one.line) for one in deck.directives] == [(rules, reason, 2)]
    assert [(one.written, one.copies) for one in deck.entries] == [("Nobody", 4), ("Some, One", 2)]
    assert deck.lines[1] == text.split("\n")[1]


def test_what_stands_behind_the_cell_stays() -> None:
    deck = read('Note,Count,Name\n"# deckcheck: ignore[x] y",4,Nobody\n', "a.csv")
    assert [(one.written, one.copies) for one in deck.entries] == [("Nobody", 4)]
    assert [one.rules for one in deck.directives] == [("x",)]
