"""What a list or the settings ask not to be told is left out, counted and shown; nothing else of the deck changes."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from factories.examples import examples, within
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from deckcheck.checking.deck_files import DeckFile
from deckcheck.checking.judge import LoadedFormat, check, load_format
from deckcheck.checking.session import CheckOptions, Session
from deckcheck.decklists.header_directives_comments import MOST_DIRECTIVES, MOST_RULES, extract_directives
from deckcheck.model.finding import UNCLEAR, Report
from deckcheck.model.format import Source
from deckcheck.report.results import RenderOptions
from deckcheck.report.suppressions import Grading, graded
from deckcheck.report.text import render
from deckcheck.support.errors import UserError

FORMAT = Path(__file__).parent.parent / "fixtures" / "format.yaml"
A, B, LIMITED, NOBODY = "天災 デドダム", "青銅の鎧", "ボルメテウス・ホワイト・ドラゴン", "誰も知らないカード"
DAY = "2024-01-20"
FIVE, FOUR, TWO = f"5 x {A}", f"4 x {B}\n", f"2 x {LIMITED}"
RULES = "copies, hall"
HERE = Source("deckcheck.toml", 7)
NOTHING = Grading(None, HERE, {}, {})


@cache
def format() -> LoadedFormat:
    return load_format(FORMAT)


def judged(text: str, path: str = "deck.txt") -> Report:
    return check(text, format(), as_of=DAY, path=path)


def told(report: Report) -> list[str]:
    """The findings as "rule line"."""
    return [f"{one.rule} {one.line}" for one in report.findings]


def left_out(report: Report) -> list[str]:
    """What was left out as "rule by line reason"; the line is that of the asking."""
    return [
        f"{one.finding.rule} {one.by} {one.source.line} {one.reason}".rstrip() for one in report.suppressed
    ]


@pytest.mark.parametrize(
    ("text", "findings", "suppressed"),
    [
        (f"{FIVE}\n{FOUR}{TWO}\n", ["copies 1", "hall 3"], []),
        # On a line, in every way to write it.
        (f"{FIVE} # deckcheck: ignore[copies] for fun\n{FOUR}", [], ["copies line 1 for fun"]),
        (f"{FIVE} #deckcheck:ignore[copies]for fun\n{FOUR}", [], ["copies line 1 for fun"]),
        (f"{FIVE} // deckcheck: ignore[copies] for fun\n{FOUR}", [], ["copies line 1 for fun"]),
        (f"{FIVE} ##  deckcheck :  ignore  [ copies ]  for fun  \n{FOUR}", [], ["copies line 1 for fun"]),
        (f"{FIVE} ＃　deckcheck：　ignore［copies］　for fun\n{FOUR}", [], ["copies line 1 for fun"]),
        (f"{FIVE} # deckcheck: ignore[copies, copies]\n{FOUR}", [], ["copies line 1"]),
        (f"\n\n{FIVE}\t// deckcheck: ignore[copies] a, b\n\n{FOUR}", [], ["copies line 3 a, b"]),
        (f"3 x {A}\n2 x {A} # deckcheck: ignore[copies]\n{FOUR}", [], ["copies line 2"]),
        # It says nothing of other lines and rules.
        (
            f"{FIVE}\n5 x {B} # deckcheck: ignore[copies]\n{TWO} # deckcheck: ignore[copies]\n",
            ["copies 1", "hall 3", "unused-suppression 3"],
            ["copies line 2"],
        ),
        (f"{FIVE} # deckcheck: ignore[{RULES}]\n{FOUR}", ["unused-suppression 1"], ["copies line 1"]),
        # What has no line is ignored for the whole list only.
        (f"4 x {A} # deckcheck: ignore[main-size]\n", ["main-size None", "unused-suppression 1"], []),
        (f"4 x {A}\n# deckcheck: ignore-file[main-size]\n", [], ["main-size file 2"]),
        # For the whole list, wherever it stands.
        (f"# deckcheck: ignore-file[copies]\n{FIVE}\n5 x {B}", [], ["copies file 1"] * 2),
        (f"{FIVE}\n5 x {B}\n# deckcheck: ignore-file[copies]", [], ["copies file 3"] * 2),
        (f"{FIVE} # deckcheck: ignore-file[copies]\n5 x {B}", [], ["copies file 1"] * 2),
        (f"# deck: X # deckcheck: ignore-file[copies]\n{FIVE}\n5 x {B}", [], ["copies file 1"] * 2),
        # Several rules.
        *(
            (f"# deckcheck: ignore-file[{rules}] cube\n{FIVE}\n{FOUR}{TWO}\n", [], ["copies file 1 cube", "hall file 1 cube"])
            for rules in (RULES, "hall,copies", "copies hall", "copies、hall", "hall，copies,")
        ),
        # The nearest counts, and the first of two.
        (
            f"# deckcheck: ignore-file[copies] far\n{FIVE} # deckcheck: ignore[copies] near\n5 x {B}\n",
            [],
            ["copies line 2 near", "copies file 1 far"],
        ),
        (
            f"# deckcheck: ignore-file[copies] far\n{FIVE} # deckcheck: ignore[copies] near\n{FOUR}",
            ["unused-suppression 1"],
            ["copies line 2 near"],
        ),
        (f"{'# deckcheck: ignore-file[copies]'}\n" * 2 + f"{FIVE}\n{FOUR}", ["unused-suppression 2"], ["copies file 1"]),
        # What isn't needed can't be excused by the list.
        (f"4 x {A}\n{FOUR}# deckcheck: ignore-file[unused-suppression]\n", ["unused-suppression 3"], []),
        (
            f"4 x {A} # deckcheck: ignore[copies,unused-suppression]\n4 x {B}\n",
            ["unused-suppression 1", "unused-suppression 1"],
            [],
        ),
        # Comments that only speak of deckcheck.
        *(
            (f"{FIVE} {comment}\n{FOUR}", ["copies 1"], [])
            for comment in ("# checked with deckcheck", "# Deckcheck: x", "# mydeckcheck: x")
        ),
    ],
)  # fmt: skip
def test_what_a_list_asks_is_left_out(text: str, findings: list[str], suppressed: list[str]) -> None:
    report = judged(text)
    assert (told(report), left_out(report)) == (findings, suppressed)
    if not {"copies 1", "main-size None"} & {*findings}:
        assert report.verdict == "legal"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("deck.csv", f"name,count\n{A},5 # deckcheck: ignore[copies] one, two\n{B},4\n"),
        ("deck.csv", f"name,count\n{A},5,# deckcheck: ignore[copies] one, two\n{B},4\n"),
        ("deck.csv", f'count,name\n5,"{A}" # deckcheck: ignore[copies] one, two\n4,{B}\n'),
        ("deck.tsv", f"name\tcount\n{A}\t5\t# deckcheck: ignore[copies] one, two\n{B}\t4\n"),
        ("deck.yaml", f"main:\n  - 5 x {A} # deckcheck: ignore[copies] one, two\n  - 4 x {B}\n"),
        ("deck.yaml", f"main:\n  - {{name: {A}, count: 5}} # deckcheck: ignore[copies] one, two\n  - 4 x {B}\n"),
    ],
)  # fmt: skip
def test_in_every_notation_that_knows_comments(path: str, text: str) -> None:
    report = judged(text, path)
    assert left_out(report) == ["copies line 2 one, two"]
    assert (told(report), report.deck.notation) == ([], path.rpartition(".")[2])


# Askings that come to nothing.


@pytest.mark.parametrize(
    ("asking", "hint"),
    [
        ("ignore[copies]", "put it at the end of the card's line, or use ignore-file for the whole list"),
        ("ignore-file[copies]", None),
        ("ignore[copes]", "did you mean 'copies'?"),
        ("ignore[xyzzy]", "there is no such rule"),
        ("ignore[unknown-card]", "unknowns can't be ignored"),
        ("ignore-file[invalid-suppression]", "this can't be ignored"),
    ],
)
def test_an_asking_without_effect_is_told(asking: str, hint: str | None) -> None:
    report = judged(f"4 x {A}\n# deckcheck: {asking} why\n4 x {B}\n")
    [finding] = report.findings
    place = (finding.rule, finding.severity, finding.line, finding.column)
    assert place == ("unused-suppression", "warning", 2, 1)
    assert (None if finding.hint is None else finding.hint.en) == hint
    assert report.verdict == "legal", "it is no mistake of the deck"


@pytest.mark.parametrize(
    ("said", "message"),
    [
        *(
            (said, "this instruction to deckcheck can't be read")
            for said in ("", "ignore", "ignore[copies", "ignore copies", "ignores[copies]", "ignore-line[copies]")
        ),
        ("ignore[]", "this doesn't say which rule is meant"),
        ("ignore-file[ , 、]", "this doesn't say which rule is meant"),
        (f"ignore[{','.join(f'r{number}' for number in range(MOST_RULES + 1))}]", "too many rules (at most 50)"),
    ],
)  # fmt: skip
def test_an_asking_that_makes_no_sense_is_told(said: str, message: str) -> None:
    report = judged(f"{FIVE} # deckcheck: {said}\n{FOUR}# deckcheck: ignore-file[invalid-suppression]\n")
    assert told(report) == ["copies 1", "invalid-suppression 1", "unused-suppression 3"]
    assert report.findings[1].message.en.startswith(message)
    assert (report.findings[1].severity, left_out(report)) == ("warning", [])


@pytest.mark.parametrize(
    "said", ["# deckbox: ignore[copies]", "# I checked this; ignore the price", "# deckcheck ignore[copies]"]
)
def test_a_remark_asks_for_nothing(said: str) -> None:
    assert told(judged(f"{FIVE}\n{FOUR}{said}\n")) == ["copies 1"]


def test_what_is_unknown_cannot_be_ignored() -> None:
    rules = ", ".join(sorted(UNCLEAR))
    report = judged(
        f"# deckcheck: ignore-file[{rules}]\n8 x {A} # deckcheck: ignore[copies]\n"
        f"1 x {NOBODY} # deckcheck: ignore[{rules}]\n4\n"
    )
    assert report.verdict == "undecided"
    kept = [finding for finding in told(report) if not finding.startswith("unused")]
    assert kept == ["unknown-card 3", "invalid-line 4"]
    assert len(report.findings) == 2 + 2 * len(UNCLEAR)
    assert left_out(report) == ["copies line 2"]


def test_a_list_that_is_broken_is_broken_with_askings_too() -> None:
    with pytest.raises(UserError):
        judged('main: ["4 x\n# deckcheck: ignore-file[copies]\n', "deck.yaml")


# What is shown.


def test_what_is_left_out_is_shown_and_counted() -> None:
    report = judged(f"{FIVE} # deckcheck: ignore[copies] a \x1b[31mcube\n{FOUR}")
    ja, en = (render(report, RenderOptions(lang)) for lang in ("ja", "en"))
    assert en.startswith("deck.txt: legal, 1 ignored (")
    assert "  ignored: copies (deck.txt:1): a \\x1b[31mcube\n" in en
    assert ja.startswith("deck.txt: 問題なし、無視1件（")
    assert "  無視: copies（deck.txt:1）「a \\x1b[31mcube」\n" in ja
    [suppressed] = report.to_dict("en")["suppressed"]
    assert (suppressed["by"], suppressed["reason"]) == ("line", "a \x1b[31mcube")
    assert suppressed["source"] == {"path": "deck.txt", "line": 1}
    alone = check(f"{FIVE} # deckcheck: ignore[copies]\n{FOUR}", format(), as_of=DAY, suppressions=False)
    assert (told(alone), alone.suppressed) == (["copies 1"], ())


def test_a_header_may_ask_and_still_name_its_format(tmp_path: Path) -> None:
    deck = tmp_path / "deck.txt"
    for comment in ("# deckcheck: ignore-file[copies]", "// deckcheck: ignore-file[copies] why"):
        deck.write_text(f"# format: {FORMAT} {comment}\n# as-of: {DAY}\n{FIVE}\n{FOUR}", encoding="utf-8")
        report = Session(CheckOptions()).open(DeckFile(str(deck))).check()
        assert (report.format, told(report), len(report.suppressed)) == ("toy", [], 1)


# What they change of a deck: nothing.

NAMES = [A, B, LIMITED, NOBODY, "終末の時計 ザ・クロック", "“轟轟轟”ブランド", "リツイーギョ #桜 #満開"]
ENTRIES = st.lists(st.tuples(st.integers(1, 5), st.sampled_from(NAMES)), min_size=1, max_size=6)
REASONS = ["", "why", "a, b; c", "4 x 天災 デドダム", "main:", "- x", "[", '"', "'", "\t1\t2", "理由：あり"]
ASKINGS = st.builds(
    lambda mark, blank, whole, rules, reason: (
        f"{mark}{blank}deckcheck:{blank}ignore{whole}[{rules}]{blank}{reason}"
    ),
    st.sampled_from(["#", "##", "//", "＃"]),
    st.sampled_from(["", " ", "　"]),
    st.sampled_from(["", "-file"]),
    st.sampled_from(["copies", "copies, hall", "hall,main-size", "nosuch", "", "copies、hall"]),
    st.sampled_from(REASONS),
)


def as_text(entries: list[tuple[int, str]]) -> str:
    return "".join(["# deck: X\n", *(f"{count} x {name}\n" for count, name in entries), "\n[side]\n"])


def as_csv(entries: list[tuple[int, str]]) -> str:
    return "count,name\n" + "".join(f'{count},"{name}"\n' for count, name in entries)


def as_yaml(entries: list[tuple[int, str]]) -> str:
    lines = (json.dumps(f"{count} x {name}", ensure_ascii=False) for count, name in entries)
    return "deck: X\nmain:\n" + "".join(f"  - {line}\n" for line in lines)


NOTATIONS = [(as_text, "txt"), (as_csv, "csv"), (as_yaml, "yaml")]
PATHS = [(write, path) for write, suffix in NOTATIONS for path in (f"d.{suffix}", "d")]


@examples(300)
@given(
    st.sampled_from(PATHS),
    ENTRIES,
    st.lists(st.tuples(st.integers(0, 9), ASKINGS), min_size=1, max_size=3),
)
def test_an_asking_changes_nothing_of_the_deck(
    notation: tuple[Callable[[list[tuple[int, str]]], str], str],
    entries: list[tuple[int, str]],
    askings: list[tuple[int, str]],
) -> None:
    write, path = notation
    text = write(entries)
    lines = text.split("\n")
    moved = text.split("\n")
    for place, asking in askings:
        lines[place % (len(lines) - 1)] += f"  {asking}"
        moved.insert(place % len(moved), asking)
    # On a line of its own it only moves what stands below.
    if path.endswith((".txt", ".csv", ".yaml")):
        deck, plain = judged("\n".join(moved), path).deck, judged(text, path).deck
        for one, other in ((deck.entries, plain.entries), (deck.diagnostics, plain.diagnostics)):
            assert [replace(each, line=0) for each in one] == [replace(each, line=0) for each in other]
        assert (deck.header, deck.notation) == (plain.header, plain.notation)
    before, after = judged(text, path), judged("\n".join(lines), path)
    assert replace(after.deck, lines=(), directives=()) == replace(before.deck, lines=(), directives=())
    assert after.deck.lines == tuple(lines)
    assert after.deck.directives
    assert (after.fingerprint, after.sizes) == (before.fingerprint, before.sizes)
    # Every finding is told or left out, and what is new is about the askings.
    findings = [*after.findings, *(suppressed.finding for suppressed in after.suppressed)]
    kept = [finding for finding in findings if not finding.rule.endswith("-suppression")]
    assert all(finding in kept for finding in before.findings)
    known = [*before.findings, *(superseded.finding for superseded in before.superseded)]
    assert all(finding in known for finding in kept)


def test_quoted_words_say_nothing_to_us() -> None:
    text = json.dumps({"main": [FIVE, f"4 x {B}"], "note": "# deckcheck: ignore-file[copies]"})
    report = judged(text, "deck.json")
    assert "copies" in {finding.rule for finding in report.findings}
    assert report.deck.directives == ()
    deck = load_format("duel-masters/original").game_data.read(
        'deck: "ours # deckcheck: draft"\nmain:\n  青銅の鎧: 4\n', "a.yaml"
    )
    assert (deck.header["deck"], deck.directives) == ("ours # deckcheck: draft", ())
    assert [entry.copies for entry in deck.entries] == [4]


# Time.


def test_many_askings_take_no_longer_than_they_are_long() -> None:
    rules = ",".join(f"r{number}" for number in range(10))
    with within(4):
        report = judged(f"# deckcheck: ignore[{rules}]\n" * 1_100 + f"4 x {A}\n{FOUR}")
    [too_many] = [finding for finding in report.findings if finding.rule == "invalid-suppression"]
    assert too_many.line == MOST_DIRECTIVES + 1
    assert too_many.message.en == "too many instructions to deckcheck (at most 1,000)"
    with within(2):
        extract_directives("#" * 1_000_000 + " x deckcheck\n" + "# " * 900 + "deckcheck")


def test_settings_ignore_select_and_grade() -> None:
    report = judged(f"5 x {A}\n4 x {B}\n2 x {LIMITED}\n1 x {NOBODY}\n")
    assert told(report) == ["copies 1", "hall 3", "unknown-card 4"]
    assert graded(report, NOTHING) == report
    got = graded(report, replace(NOTHING, ignore={"copies": Source("s", 3)}))
    assert (told(got), got.verdict) == (["hall 3", "unknown-card 4"], "illegal")
    assert [(one.finding.rule, one.by, one.reason, one.source) for one in got.suppressed] == [("copies", "settings", "", Source("s", 3))]  # fmt: skip
    got = graded(report, replace(NOTHING, select=frozenset(["hall"])))
    assert told(got) == ["hall 3", "unknown-card 4"]
    assert got.suppressed[0].source == HERE
    got = graded(report, replace(NOTHING, select=frozenset(["hall"]), ignore={"hall": Source("s", 3)}))
    assert (told(got), got.verdict) == (["unknown-card 4"], "undecided"), "what is ignored is not selected"
    got = graded(report, replace(NOTHING, severity={"hall": "warning", "copies": "info"}))
    assert [one.severity for one in got.findings] == ["info", "warning", "error"]
    assert got.verdict == "undecided"


def test_settings_have_no_say_over_what_is_unknown() -> None:
    report = judged(f"8 x {A} # deckcheck: ignore[\n1 x {NOBODY}\n4\n")
    every = replace(
        NOTHING,
        select=frozenset(),
        ignore=dict.fromkeys([*UNCLEAR, "invalid-suppression", "copies"], HERE),
        severity=dict.fromkeys(UNCLEAR, "info"),
    )
    got = graded(report, every)
    assert told(got) == ["invalid-suppression 1", "unknown-card 2", "invalid-line 3"]
    assert got.verdict == "undecided"
    assert [one.severity for one in got.findings if one.rule in UNCLEAR] == ["error", "error"]


def test_what_the_list_and_the_settings_leave_out_adds_up() -> None:
    report = judged(
        f"5 x {A} # deckcheck: ignore[copies] why\n4 x {B}\n2 x {LIMITED}\n# deckcheck: ignore[x]\n"
    )
    got = graded(report, replace(NOTHING, ignore={"hall": HERE, "unused-suppression": HERE}))
    assert sorted(left_out(got)) == ["copies line 1 why", "hall settings 7", "unused-suppression settings 7"]
    assert (told(got), got.verdict) == ([], "legal")


PLAIN = "".join(
    f"4 x {name}\n"
    for name in (
        *("凶戦士ブレイズ・クロー", "喧嘩屋タイラー", "不死身男爵ボーグ", "一撃必殺のホーバス"),
        *("職人ピコラ", "小さな勇者ゲット", "技師ピーポ", "突神兵ドガーン"),
    )
)


@pytest.mark.parametrize(
    ("asking", "grading", "verdict", "rules"),
    [
        ("", NOTHING, "illegal", ["hall"]),
        ("ignore[hall]", NOTHING, "illegal", ["copies"]),
        ("ignore[hall, copies]", NOTHING, "legal", []),
        ("ignore[copies]", NOTHING, "illegal", ["hall", "unused-suppression"]),
        ("", replace(NOTHING, ignore={"hall": HERE}), "illegal", ["copies"]),
        ("", replace(NOTHING, select=frozenset(["copies"])), "illegal", ["copies"]),
        ("", replace(NOTHING, severity={"hall": "info"}), "illegal", ["hall", "copies"]),
        ("", Grading(None, HERE, {"hall": HERE}, {"copies": "warning"}), "legal", ["copies"]),
        ("", replace(NOTHING, ignore={"copies": HERE}), "illegal", ["hall"]),
    ],
)
def test_what_a_stricter_rule_spoke_for_is_told_when_that_is_ignored(
    asking: str, grading: Grading, verdict: str, rules: list[str]
) -> None:
    line = f"8 x エメラル # deckcheck: {asking}" if asking else "8 x エメラル"
    report = graded(check(PLAIN + line, load_format("duel-masters/original"), as_of="2026-01-10"), grading)
    assert (report.verdict, [one.rule for one in report.findings]) == (verdict, rules)


@pytest.mark.parametrize(
    ("asking", "verdict", "rule"),
    [
        ("", "illegal", "forbidden-kind"),
        (" # deckcheck: ignore[forbidden-kind]", "undecided", "unknown-zone"),
    ],
)
def test_a_zone_that_is_not_played_stays_unknown_when_its_ban_is_ignored(
    asking: str, verdict: str, rule: str
) -> None:
    text = f"{PLAIN}8 x 青銅の鎧 # deckcheck: ignore[copies]\n超次元\n1 x 時空の剣士アクア・カトラス{asking}"
    report = check(text, load_format("duel-masters/original"), as_of="2026-01-10")
    assert (report.verdict, [one.rule for one in report.findings]) == (verdict, [rule])
