"""Asking not to be told of something changes nothing of the deck, and costs no time."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from factories.examples import examples, within
from factories.suppressions import DAY, FORMAT, LIMITED, NOBODY, A, B, judged, told
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.checking.deck_files import DeckFile
from deckcheck.checking.judge import load_format
from deckcheck.checking.session import CheckOptions, Session
from deckcheck.decklists.comments import MOST_DIRECTIVES, MOST_RULES, extract_directives
from deckcheck.model.finding import Report

CARDS = st.sampled_from(
    [A, B, LIMITED, NOBODY, "終末の時計 ザ・クロック", "“轟轟轟”ブランド", "リツイーギョ #桜 #満開"]
)
ENTRIES = st.lists(st.tuples(st.integers(1, 5), CARDS), min_size=1, max_size=6)
ASKINGS = st.builds(
    lambda mark, blank, whole, rules, reason: (
        f"{mark}{blank}deckcheck:{blank}ignore{whole}[{rules}]{blank}{reason}"
    ),
    st.sampled_from(["#", "##", "//", "＃"]),
    st.sampled_from(["", " ", "　"]),
    st.sampled_from(["", "-file"]),
    st.sampled_from(["copies", "copies, hall", "hall,main-size", "nosuch", "", "copies、hall"]),
    st.sampled_from(
        ["", "why", "a, b; c", "4 x 天災 デドダム", "main:", "- x", "[", '"', "'", "\t1\t2", "理由：あり"]
    ),
)


def as_text(entries: list[tuple[int, str]]) -> str:
    return "".join(["# deck: X\n", *(f"{count} x {name}\n" for count, name in entries), "\n[side]\n"])


def as_csv(entries: list[tuple[int, str]]) -> str:
    return "count,name\n" + "".join(f'{count},"{name}"\n' for count, name in entries)


def as_tsv(entries: list[tuple[int, str]]) -> str:
    return "name\tcount\n" + "".join(f"{name}\t{count}\n" for count, name in entries)


def as_yaml(entries: list[tuple[int, str]]) -> str:
    return "deck: X\nmain:\n" + "".join(f"  - {json.dumps(f'{count} x {name}', ensure_ascii=False)}\n" for count, name in entries)  # fmt: skip


@examples(200)
@given(
    st.sampled_from(
        [
            (as_text, "d.txt"),
            (as_text, "d"),
            (as_csv, "d.csv"),
            (as_csv, "d"),
            (as_tsv, "d.tsv"),
            (as_tsv, "d"),
            (as_yaml, "d.yaml"),
            (as_yaml, "d"),
        ]
    ),
    ENTRIES,
    st.lists(st.tuples(st.integers(0, 9), ASKINGS), min_size=1, max_size=3),
)
def test_an_asking_behind_a_line_changes_nothing_of_the_deck(
    notation: tuple[Callable[[list[tuple[int, str]]], str], str],
    entries: list[tuple[int, str]],
    askings: list[tuple[int, str]],
) -> None:
    write, path = notation
    text = write(entries)
    lines = text.split("\n")
    for at, asking in askings:
        number = at % (len(lines) - 1)
        lines[number] += f"  {asking}"
    changed = "\n".join(lines)
    before, after = judged(text, path), judged(changed, path)
    assert after.deck._replace(lines=(), directives=()) == before.deck._replace(lines=(), directives=())
    assert after.deck.lines == tuple(lines)
    assert after.deck.directives
    assert after.fingerprint == before.fingerprint
    assert after.sizes == before.sizes
    # Every finding is told or left out, and what is new is about the askings.
    kept = [one for one in after.findings if not one.rule.endswith("-suppression")]
    gone = [one.finding for one in after.suppressed if not one.finding.rule.endswith("-suppression")]
    again = [one for one in kept + gone if one not in before.findings]
    assert all(one in kept + gone for one in before.findings)
    assert all(one in [superseded.finding for superseded in before.superseded] for one in again)


@examples(200)
@given(ENTRIES, st.lists(st.tuples(st.integers(0, 9), ASKINGS), min_size=1, max_size=3))
def test_an_asking_on_a_line_of_its_own_only_moves_what_stands_below(
    entries: list[tuple[int, str]], askings: list[tuple[int, str]]
) -> None:
    for text, path in ((as_text(entries), "d.txt"), (as_csv(entries), "d.csv"), (as_yaml(entries), "d.yaml")):
        lines = text.split("\n")
        for at, asking in askings:
            lines.insert(at % len(lines), asking)
        before, after = judged(text, path), judged("\n".join(lines), path)

        def contents(report: Report) -> object:
            deck = report.deck
            remarks = [(one.id, one.message, one.column, one.zone, one.written) for one in deck.diagnostics]
            return [one._replace(line=0) for one in deck.entries], remarks, deck.header, deck.notation

        assert contents(after) == contents(before)
        assert after.fingerprint == before.fingerprint


@given(st.text(st.sampled_from("#/ dk:：[]［］,、ae\nxignore-file"), max_size=60) | st.text(max_size=60))
def test_whatever_stands_in_a_list_lines_and_columns_stay(text: str) -> None:
    text = text.replace("x", " # deckcheck: ")
    bare, directives, said = extract_directives(text)
    before = text.split("\n")
    assert len(bare.split("\n")) == len(before)
    for line, was in zip(bare.split("\n"), before, strict=True):
        assert was.startswith(line) or line == "#"
    for one in directives:
        assert before[one.line - 1][one.column - 1] in "#＃/"
    assert all(words in before[line - 1] for line, words in said.items())


def test_a_comment_that_only_speaks_of_us_is_a_comment() -> None:
    for comment in (
        "# checked with deckcheck",
        "# deckcheck ignore[copies]",
        "# Deckcheck: x",
        "# mydeckcheck: x",
    ):
        assert judged(f"4 x {A} {comment}\n4 x {B}\n").deck.directives == ()


def test_json_knows_no_comments() -> None:
    text = json.dumps({"main": [f"5 x {A}", f"4 x {B}"], "note": "# deckcheck: ignore-file[copies]"})
    report = judged(text, "deck.json")
    assert "copies" in {one.rule for one in report.findings}
    assert report.deck.directives == ()


def test_a_header_may_ask_and_still_name_its_format(tmp_path: Path) -> None:
    deck = tmp_path / "deck.txt"
    for comment in ("# deckcheck: ignore-file[copies]", "// deckcheck: ignore-file[copies] why"):
        deck.write_text(f"# format: {FORMAT} {comment}\n# as-of: {DAY}\n5 x {A}\n4 x {B}\n", encoding="utf-8")
        report = Session(CheckOptions()).open(DeckFile(str(deck))).check()
        assert (report.format, told(report), len(report.suppressed)) == ("toy", [], 1)


def test_many_askings_take_no_longer_than_they_are_long() -> None:
    lines = [f"# deckcheck: ignore[{','.join(f'r{at}' for at in range(MOST_RULES))}]" for _ in range(4_000)]
    with within(10):
        report = judged("\n".join([*lines, f"4 x {A}", f"4 x {B}"]))
    [too_many] = [one for one in report.findings if one.rule == "invalid-suppression"]
    assert too_many.line == MOST_DIRECTIVES + 1
    assert too_many.message.en == "too many instructions to deckcheck (at most 1,000)"


def test_a_line_of_marks_takes_no_time() -> None:
    with within(2):
        extract_directives("#" * 1_000_000 + " x deckcheck\n" + "# " * 900 + "deckcheck")


def test_what_is_beyond_the_limit_stays_in_the_text() -> None:
    lines = [f"1 x 青銅の鎧 # deckcheck: ignore[copies] {number}" for number in range(MOST_DIRECTIVES + 5)]
    split = extract_directives("\n".join(lines))
    assert len(split.directives) == MOST_DIRECTIVES + 1
    assert split.text.split("\n")[-1] == lines[-1]


def test_quoted_words_in_yaml_say_nothing_to_us() -> None:
    deck = load_format("duel-masters/original").game_data.read(
        'deck: "ours # deckcheck: draft"\nmain:\n  青銅の鎧: 4\n', "a.yaml"
    )
    assert deck.header["deck"] == "ours # deckcheck: draft"
    assert deck.directives == ()
    assert [entry.copies for entry in deck.entries] == [4]
