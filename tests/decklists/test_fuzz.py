"""Properties: the same deck in any notation and order, and nothing dropped in silence whatever comes."""

from __future__ import annotations

from collections import Counter

import pytest
from deckcheck.decklists.context import FINAL_KINDS
from factories.examples import amount, examples
from factories.reader_lists import HARD, PLAIN, USUAL, cards, content, duel_masters, read
from factories.time_limits import within
from hypothesis import example, given
from hypothesis import strategies as st

from deckcheck.decklists.decode import decode
from deckcheck.decklists.header import read_header
from deckcheck.decklists.lexer import shape_of
from deckcheck.decklists.read import make_reader
from deckcheck.support.errors import UserError

NAMES = st.sampled_from([*PLAIN, *HARD])
LINES = st.sampled_from([*USUAL, "{n} {c} # あ"])
SPELLINGS = {
    "main": ["メインデッキ", "■メイン", "[Main]", "#main", "Deck:", "【メインデッキ】"],
    "side": ["サイドボード", "Sideboard:", "!side", "//サイド", "== Side =="],
    "commander": ["統率者", "[Commander]", "●統率者"],
}
FILES = st.sampled_from(["text", "csv", "yaml", "json"])
DECKS = st.dictionaries(
    st.sampled_from(sorted(SPELLINGS)),
    st.dictionaries(NAMES, st.integers(1, 60), min_size=1, max_size=8),
    min_size=1,
)


@examples(150)
@given(deck=DECKS, notation=FILES, data=st.data())
def test_the_same_deck_in_any_notation(
    deck: dict[str, dict[str, int]], notation: str, data: st.DataObject
) -> None:
    wanted: Counter[tuple[str, str]] = Counter()
    for zone, copies in deck.items():
        for name, count in copies.items():
            wanted[zone, name] += count
    zones = data.draw(st.permutations(sorted(deck)))
    if notation == "text":
        rows = []
        for zone in zones:
            rows.append(data.draw(st.sampled_from(SPELLINGS[zone])))
            for name in data.draw(st.permutations(sorted(deck[zone]))):
                rows.append(data.draw(LINES).format(c=name, n=deck[zone][name]))
                rows += [""] * data.draw(st.integers(0, 1))
        text = "\n".join(rows)
    elif notation == "csv":
        rows = [(zone, name) for zone in zones for name in deck[zone]]
        rows = data.draw(st.permutations(rows))
        text = "Zone,Count,Name\n" + "\n".join(f"{zone},{deck[zone][name]},{name}" for zone, name in rows)
    else:
        import json

        tree = {
            zone: {name: deck[zone][name] for name in data.draw(st.permutations(sorted(deck[zone])))}
            for zone in zones
        }
        text = json.dumps(
            tree, ensure_ascii=data.draw(st.booleans()), indent=data.draw(st.sampled_from([None, 1]))
        )
    found = read(text, f"deck.{'txt' if notation == 'text' else notation}")
    assert content(found) == wanted
    assert found.diagnostics == ()
    for entry in found.entries:
        assert 1 <= entry.line <= len(found.lines) and 1 <= entry.column <= len(found.lines[entry.line - 1])


WORDS = [
    "3枚",
    "//",
    "-1",
    "合計",
    "計40枚",
    "メイン",
    "サイド",
    "統率者",
    "クリーチャー",
    "コスト3",
    "零龍",
    "ガチャック2",
    "半分",
    "(殿)",
    "1.",
    "==",
    "¥100",
    "枚数",
    "名前",
    "ゾーン",
]
PIECES = st.one_of(
    NAMES,
    st.text(max_size=12),
    st.sampled_from([*'4x×《》()[]【】|\t#:：■・-0『』、/＊\ufe0f\u3000{}",; ', *WORDS]),
)
ROWS = st.lists(PIECES, max_size=7).map(" ".join) | st.lists(PIECES, max_size=7).map("".join)
ANY = st.lists(ROWS, max_size=10).map("\n".join)

LISTS = make_reader(duel_masters(), cards())


@examples(600)
@given(ANY)
@example("天災 デドダム統率")
@example("4 | |\n|")
@example("『』\n[]\n【】：")
def test_no_line_is_dropped_in_silence(text: str) -> None:
    kinds_of = {number: line.kind for number, line in LISTS.outline(text, "a.txt", "text").lines if number}
    kinds = [kinds_of[number] for number in sorted(kinds_of)]
    deck = LISTS(text, "a.txt", "text")
    lines = text.split("\n")
    assert len(kinds) == len(lines) == len(deck.lines)
    entries = {entry.line for entry in deck.entries}
    diagnostics = {diagnostic.line for diagnostic in deck.diagnostics}
    for number, (line, kind) in enumerate(zip(lines, kinds, strict=True), 1):
        assert kind in FINAL_KINDS
        if kind in ("entry", "several"):
            assert number in entries | diagnostics
        elif kind == "invalid":
            assert number in diagnostics
        elif kind == "comment":
            bare = shape_of(line).strip()
            assert bare.startswith(("#", "//")) or not any(map(str.isalnum, bare)) or "名" in bare
        elif kind == "blank":
            assert not any(map(str.isalnum, line))
        if number in entries:
            assert kind in ("entry", "several")
    for entry in deck.entries:
        line = lines[entry.line - 1]
        assert line[entry.column - 1 :].startswith(entry.written) and entry.written.strip()
        assert 0 < entry.copies <= entry.most <= 999


@examples(400)
@given(ANY | st.text(), st.sampled_from(["a.txt", "a.csv", "a.tsv", "a.yaml", "a.json", "-"]))
@example("!", "a.yaml")
@example("\ud800: 1", "a.yaml")
@example('"\\ud800"', "a.json")
@example("? a\n: b", "a.yaml")
@example("\r0", "a.yaml")
@example("a:\u2028- b", "a.yaml")
@example('{"a": {"b": {}}}', "a.json")
@example("{[a]: 1, {b: c}: 2}", "a.yaml")
def test_whatever_comes_only_the_users_mistakes_are_raised(text: str, path: str) -> None:
    read_header(text)
    try:
        deck = read(text, path)
    except UserError as error:
        assert all(problem.path == path for problem in error.problems)
        return
    for place in (*deck.entries, *deck.diagnostics):
        assert 1 <= place.line <= len(deck.lines) and place.column >= 1


@examples(300)
@given(st.binary() | st.text().map(str.encode) | ANY.map(lambda text: text.encode("cp932", "replace")))
def test_any_bytes_decode_or_are_refused(data: bytes) -> None:
    try:
        text = decode(data, "a")
    except UserError as error:
        assert error.problems[0].line is not None
        return
    assert "\r" not in text and "\0" not in text


HOSTILE = [
    "天(",
    "《天》",
    "a#",
    "st",
    "x4",
    "1. ",
    "4 天 ",
    "|a",
    "a\t",
    "天×4 ",
    "(殿)",
    "  a",
    "-1",
    "=",
    "火水",
    "7",
    "a/",
    "、4",
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_long_lines_take_no_longer_than_their_length_asks(piece: str) -> None:
    line = (piece * 2000)[:1990]
    # Some milliseconds a line; a pattern that backtracks takes minutes.
    with within(5):
        for number in range(amount(20, 4)):
            read(f"{line}{number}")
