"""What a list asks not to be told is left out and counted, and changes nothing else."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as tries
from hypothesis import strategies as st

from deckcheck.batch import make_judge
from deckcheck.checking import LoadedFormat, check, load_format
from deckcheck.decklists.directives import MOST_DIRECTIVES, MOST_RULES, take_out
from deckcheck.engineids import UNCLEAR
from deckcheck.errors import UserError
from deckcheck.opening import Wish
from deckcheck.report.jsonfile import make_writer as make_json
from deckcheck.report.suppress import Grading, graded
from deckcheck.report.text import render
from deckcheck.report.violation import Report
from deckcheck.report.writer import Ending, Look
from deckcheck.rules.clauses import Source
from deckcheck.walk import Found

FORMAT = Path(__file__).parent / "golden" / "format.yaml"
A, B, LIMITED, NOBODY = "天災 デドダム", "青銅の鎧", "ボルメテウス・ホワイト・ドラゴン", "誰も知らないカード"
DAY = "2024-01-20"


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


def test_without_asking_all_is_told() -> None:
    report = judged(f"5 x {A}\n4 x {B}\n2 x {LIMITED}\n")
    assert told(report) == ["copies 1", "hall 3"]
    assert (report.verdict, report.suppressed) == ("illegal", ())


# On a line.


@pytest.mark.parametrize(
    "asking",
    [
        "# deckcheck: ignore[copies] a friendly match",
        "#deckcheck:ignore[copies]a friendly match",
        "// deckcheck: ignore[copies] a friendly match",
        "##  deckcheck :  ignore  [ copies ]  a friendly match  ",
        "＃　deckcheck：　ignore［copies］　a friendly match",
        "# deckcheck: ignore[copies, copies] a friendly match",
    ],
)
def test_a_line_may_ask_for_itself(asking: str) -> None:
    report = judged(f"5 x {A} {asking}\n4 x {B}\n")
    assert left_out(report) == ["copies line 1 a friendly match"]
    assert (told(report), report.verdict) == ([], "legal")
    assert report.suppressed[0].source == Source("deck.txt", 1)
    assert report.suppressed[0].finding.message.en


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("deck.csv", f"name,count\n{A},5 # deckcheck: ignore[copies] one, two\n{B},4\n", 2),
        ("deck.csv", f"name,count\n{A},5,# deckcheck: ignore[copies] one, two\n{B},4\n", 2),
        ("deck.csv", f'count,name\n5,"{A}" # deckcheck: ignore[copies] one, two\n4,{B}\n', 2),
        ("deck.tsv", f"name\tcount\n{A}\t5\t# deckcheck: ignore[copies] one, two\n{B}\t4\n", 2),
        ("deck.yaml", f"main:\n  - 5 x {A} # deckcheck: ignore[copies] one, two\n  - 4 x {B}\n", 2),
        (
            "deck.yaml",
            f"main:\n  - {{name: {A}, count: 5}} # deckcheck: ignore[copies] one, two\n  - 4 x {B}\n",
            2,
        ),
        ("deck.txt", f"\n\n5 {A}\t// deckcheck: ignore[copies] one, two\n\n4 {B}\n", 3),
    ],
)
def test_in_every_notation_that_knows_comments(path: str, text: str, line: int) -> None:
    report = judged(text, path)
    assert left_out(report) == [f"copies line {line} one, two"]
    assert (told(report), report.deck.notation) == ([], path.rpartition(".")[2].replace("txt", "text"))


def test_one_of_several_lines_is_enough() -> None:
    report = judged(f"3 x {A}\n2 x {A} # deckcheck: ignore[copies]\n4 x {B}\n")
    assert (told(report), left_out(report)) == ([], ["copies line 2"])


def test_a_line_asks_for_no_other_line_and_no_other_rule() -> None:
    report = judged(
        f"5 x {A}\n5 x {B} # deckcheck: ignore[copies]\n2 x {LIMITED} # deckcheck: ignore[copies]\n"
    )
    assert left_out(report) == ["copies line 2"]
    assert told(report) == ["copies 1", "hall 3", "unused-suppression 3"]


def test_several_rules_at_once() -> None:
    deck = f"5 x {A}\n4 x {B}\n2 x {LIMITED}\n"
    for rules in ("copies, hall", "hall,copies", "copies hall", "copies、hall", "hall，copies,"):
        report = judged(f"# deckcheck: ignore-file[{rules}] a cube\n{deck}")
        assert left_out(report) == ["copies file 1 a cube", "hall file 1 a cube"]
        assert told(report) == []


def test_what_has_no_line_can_only_be_ignored_for_the_whole_list() -> None:
    report = judged(f"4 x {A} # deckcheck: ignore[main-size]\n")
    assert told(report) == ["main-size None", "unused-suppression 1"]
    assert report.findings[1].hint is not None
    assert "ignore-file" in report.findings[1].hint.en


# For the whole list.


@pytest.mark.parametrize("place", ["first", "last", "behind a card", "behind the header"])
def test_a_list_may_ask_for_all_of_it(place: str) -> None:
    asking = "# deckcheck: ignore-file[copies] a cube"
    lines = ["# deck: Cube", f"5 x {A}", f"5 x {B}"]
    if place == "first":
        lines.insert(0, asking)
    elif place == "last":
        lines.append(asking)
    else:
        lines[1 if place == "behind a card" else 0] += " " + asking
    report = judged("\n".join(lines))
    at = next(number for number, line in enumerate(lines, 1) if asking in line)
    assert left_out(report) == [f"copies file {at} a cube"] * 2
    assert (told(report), report.name) == ([], "Cube")


def test_the_nearer_asking_is_the_one_that_counts() -> None:
    text = f"# deckcheck: ignore-file[copies] far\n5 x {A} # deckcheck: ignore[copies] near\n"
    assert left_out(judged(text + f"5 x {B}\n")) == ["copies line 2 near", "copies file 1 far"]
    report = judged(text + f"4 x {B}\n")
    assert (told(report), left_out(report)) == (["unused-suppression 1"], ["copies line 2 near"])


# Askings that come to nothing.


@pytest.mark.parametrize(
    ("asking", "hint"),
    [
        (
            "ignore[copies]",
            "it belongs at the end of the line that is meant; for the whole list it is ignore-file",
        ),
        ("ignore-file[copies]", None),
        ("ignore[copes]", "did you mean 'copies'?"),
        ("ignore[xyzzy]", "there is no such rule"),
        ("ignore[unknown-card]", "what is not known can't be ignored"),
        ("ignore-file[invalid-suppression]", "this can't be ignored"),
    ],
)
def test_an_asking_without_effect_is_told(asking: str, hint: str | None) -> None:
    report = judged(f"4 x {A}\n# deckcheck: {asking} why\n4 x {B}\n")
    [finding] = report.findings
    assert (finding.rule, finding.severity, finding.line, finding.column) == (
        "unused-suppression",
        "warning",
        2,
        1,
    )
    assert (None if finding.hint is None else finding.hint.en) == hint
    assert report.verdict == "legal", "it is no mistake of the deck"


def test_of_several_rules_each_must_have_an_effect() -> None:
    report = judged(f"5 x {A} # deckcheck: ignore[copies, hall]\n4 x {B}\n")
    assert told(report) == ["unused-suppression 1"]
    assert "'hall'" in report.findings[0].message.en


def test_the_same_asking_twice_has_an_effect_once() -> None:
    report = judged(f"# deckcheck: ignore-file[copies]\n# deckcheck: ignore-file[copies]\n5 x {A}\n4 x {B}\n")
    assert (told(report), left_out(report)) == (["unused-suppression 2"], ["copies file 1"])


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("", "this instruction to deckcheck can't be read"),
        ("ignore", "this instruction to deckcheck can't be read"),
        ("ignore[copies", "this instruction to deckcheck can't be read"),
        ("ignore copies", "this instruction to deckcheck can't be read"),
        ("ignores[copies]", "this instruction to deckcheck can't be read"),
        ("ignore-line[copies]", "this instruction to deckcheck can't be read"),
        ("ignore[]", "this doesn't say which rule is meant"),
        ("ignore-file[ , 、]", "this doesn't say which rule is meant"),
        (f"ignore[{','.join(f'r{at}' for at in range(MOST_RULES + 1))}]", "too many rules (at most 50)"),
    ],
)
def test_an_asking_that_makes_no_sense_is_told(said: str, message: str) -> None:
    report = judged(f"5 x {A} # deckcheck: {said}\n4 x {B}\n# deckcheck: ignore-file[invalid-suppression]\n")
    assert told(report) == ["copies 1", "invalid-suppression 1", "unused-suppression 3"]
    assert report.findings[1].message.en.startswith(message)
    assert report.findings[1].severity == "warning"
    assert left_out(report) == []


def test_what_is_not_needed_may_be_kept_on_purpose() -> None:
    deck = f"4 x {A}\n4 x {B}\n"
    report = judged(deck + "# deckcheck: ignore-file[copies, unused-suppression] until spring\n")
    assert (told(report), left_out(report)) == ([], ["unused-suppression file 3 until spring"])
    report = judged(deck + "# deckcheck: ignore-file[unused-suppression]\n")
    assert (told(report), left_out(report)) == (["unused-suppression 3"], []), "it can't excuse itself"
    report = judged(
        f"4 x {A} # deckcheck: ignore[copies,unused-suppression]\n4 x {B} # deckcheck: ignore[copies]\n"
    )
    assert (told(report), left_out(report)) == (["unused-suppression 2"], ["unused-suppression line 1"])


# What nobody knows.


def test_what_is_unknown_cannot_be_ignored() -> None:
    rules = ", ".join(sorted(UNCLEAR))
    report = judged(
        f"# deckcheck: ignore-file[{rules}]\n8 x {A} # deckcheck: ignore[copies]\n1 x {NOBODY} # deckcheck: ignore[{rules}]\n4\n"
    )
    assert report.verdict == "undecided"
    kept = [one for one in told(report) if not one.startswith("unused")]
    assert kept == ["unknown-card 3", "invalid-line 4"]
    assert len(report.findings) == 2 + 2 * len(UNCLEAR)
    assert left_out(report) == ["copies line 2"]


# Nothing else changes.

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


@tries(max_examples=200, deadline=None)
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
    assert all(one in [unsaid.finding for unsaid in before.unsaid] for one in again)


@tries(max_examples=200, deadline=None)
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
            remarks = [(one.id, one.message, one.column, one.zone, one.written) for one in deck.remarks]
            return [one._replace(line=0) for one in deck.entries], remarks, deck.header, deck.notation

        assert contents(after) == contents(before)
        assert after.fingerprint == before.fingerprint


@given(st.text(st.sampled_from("#/ dk:：[]［］,、ae\nxignore-file"), max_size=60) | st.text(max_size=60))
def test_whatever_stands_in_a_list_lines_and_columns_stay(text: str) -> None:
    bare, directives = take_out(text.replace("x", " # deckcheck: "))
    before = text.replace("x", " # deckcheck: ").split("\n")
    assert len(bare.split("\n")) == len(before)
    for line, was in zip(bare.split("\n"), before, strict=True):
        assert was.startswith(line) or line == "#"
    for one in directives:
        assert before[one.line - 1][one.column - 1] in "#＃/"


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
        report, _ = make_judge(Wish())(Found(str(deck)))
        assert (report.format, told(report), len(report.suppressed)) == ("golden", [], 1)


def test_many_askings_take_no_longer_than_they_are_long() -> None:
    lines = [f"# deckcheck: ignore[{','.join(f'r{at}' for at in range(MOST_RULES))}]" for _ in range(4_000)]
    start = time.perf_counter()
    report = judged("\n".join([*lines, f"4 x {A}", f"4 x {B}"]))
    assert time.perf_counter() - start < 20
    [too_many] = [one for one in report.findings if one.rule == "invalid-suppression"]
    assert too_many.line == MOST_DIRECTIVES + 1
    assert too_many.message.en == "too many instructions to deckcheck (at most 1,000)"


# What is shown.


def test_what_is_left_out_is_shown_and_counted() -> None:
    report = judged(f"5 x {A} # deckcheck: ignore[copies] a \x1b[31mcube\n4 x {B}\n")
    ja, en = (render(report, lang, color=False) for lang in ("ja", "en"))
    assert en.startswith("deck.txt: legal, 1 ignored (")
    assert "  ignored: copies (deck.txt:1): a \\x1b[31mcube\n" in en
    assert ja.startswith("deck.txt: 問題なし、無視1件（")
    assert "  無視: copies（deck.txt:1）「a \\x1b[31mcube」\n" in ja
    writer = make_json(Look("en"))
    shown = json.loads(writer.opening + writer.fragment(report) + writer.closing(Ending()))
    [one] = shown["decks"][0]["suppressed"]
    assert (one["by"], one["reason"]) == ("line", "a \x1b[31mcube")
    assert one["source"] == {"path": "deck.txt", "line": 1}
    assert one["finding"]["rule"] == "copies"


def test_suppressions_may_be_left_alone() -> None:
    text = f"5 x {A} # deckcheck: ignore[copies]\n4 x {B} # deckcheck: ignore[\n"
    report = check(text, format(), as_of=DAY, suppressions=False)
    assert (told(report), report.suppressed) == (["copies 1"], ())


# Settings.

HERE = Source("deckcheck.toml", 7)
NOTHING = Grading(None, HERE, {}, {})


def test_settings_ignore_select_and_grade() -> None:
    report = judged(f"5 x {A}\n4 x {B}\n2 x {LIMITED}\n1 x {NOBODY}\n")
    assert told(report) == ["copies 1", "hall 3", "unknown-card 4"]
    assert graded(report, NOTHING) == report
    got = graded(report, NOTHING._replace(ignore={"copies": Source("s", 3)}))
    assert (told(got), got.verdict) == (["hall 3", "unknown-card 4"], "illegal")
    assert [(one.finding.rule, one.by, one.reason, one.source) for one in got.suppressed] == [("copies", "settings", "", Source("s", 3))]  # fmt: skip
    got = graded(report, NOTHING._replace(select=frozenset(["hall"])))
    assert told(got) == ["hall 3", "unknown-card 4"]
    assert got.suppressed[0].source == HERE
    got = graded(report, NOTHING._replace(select=frozenset(["hall"]), ignore={"hall": Source("s", 3)}))
    assert (told(got), got.verdict) == (["unknown-card 4"], "undecided"), "what is ignored is not selected"
    got = graded(report, NOTHING._replace(severity={"hall": "warning", "copies": "info"}))
    assert [one.severity for one in got.findings] == ["info", "warning", "error"]
    assert got.verdict == "undecided"


def test_settings_have_no_say_over_what_is_unknown() -> None:
    report = judged(f"8 x {A} # deckcheck: ignore[\n1 x {NOBODY}\n4\n")
    every = NOTHING._replace(
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
    got = graded(report, NOTHING._replace(ignore={"hall": HERE, "unused-suppression": HERE}))
    assert sorted(left_out(got)) == ["copies line 1 why", "hall settings 7", "unused-suppression settings 7"]
    assert (told(got), got.verdict) == ([], "legal")


def test_a_list_that_is_broken_is_broken_with_askings_too() -> None:
    with pytest.raises(UserError):
        judged('main: ["4 x\n# deckcheck: ignore-file[copies]\n', "deck.yaml")


BUNDLED = load_format("duel-masters/original")
PLAIN = "".join(
    f"4 x {name}\n"
    for name in (
        "凶戦士ブレイズ・クロー",
        "喧嘩屋タイラー",
        "不死身男爵ボーグ",
        "一撃必殺のホーバス",
        "職人ピコラ",
        "小さな勇者ゲット",
        "技師ピーポ",
        "突神兵ドガーン",
    )
)


def told_of(line: str, grading: Grading | None = None) -> tuple[str, list[str]]:
    report = check(PLAIN + line, BUNDLED, as_of="2026-01-10")
    if grading is not None:
        report = graded(report, grading)
    return report.verdict, [one.rule for one in report.findings]


HALL = "8 x エメラル"


@pytest.mark.parametrize(
    ("line", "verdict", "rules"),
    [
        (HALL, "illegal", ["hall"]),
        (f"{HALL} # deckcheck: ignore[hall]", "illegal", ["copies"]),
        (f"{HALL} # deckcheck: ignore[hall, copies]", "legal", []),
        (f"{HALL} # deckcheck: ignore[copies]", "illegal", ["hall", "unused-suppression"]),
    ],
)
def test_what_a_stricter_rule_spoke_for_is_told_when_that_is_ignored(
    line: str, verdict: str, rules: list[str]
) -> None:
    assert told_of(line) == (verdict, rules)


@pytest.mark.parametrize(
    ("grading", "verdict", "rules"),
    [
        (Grading(None, HERE, {"hall": HERE}, {}), "illegal", ["copies"]),
        (Grading(frozenset(["copies"]), HERE, {}, {}), "illegal", ["copies"]),
        (Grading(None, HERE, {}, {"hall": "info"}), "illegal", ["hall", "copies"]),
        (Grading(None, HERE, {"hall": HERE}, {"copies": "warning"}), "legal", ["copies"]),
        (Grading(None, HERE, {"copies": HERE}, {}), "illegal", ["hall"]),
    ],
)
def test_the_same_goes_for_what_the_settings_say(grading: Grading, verdict: str, rules: list[str]) -> None:
    assert told_of(HALL, grading) == (verdict, rules)


def test_a_zone_that_is_not_played_stays_unknown_when_its_ban_is_ignored() -> None:
    text = f"{PLAIN}8 x 青銅の鎧 # deckcheck: ignore[copies]\n超次元\n1 x 時空の剣士アクア・カトラス"
    refused = check(text, load_format("duel-masters/original"), as_of="2026-01-10")
    assert [one.rule for one in refused.findings] == ["forbidden-kind"]
    ignored = check(text + " # deckcheck: ignore[forbidden-kind]", BUNDLED, as_of="2026-01-10")
    assert (ignored.verdict, [one.rule for one in ignored.findings]) == ("undecided", ["unknown-zone"])


def test_a_line_of_marks_takes_no_time() -> None:
    started = time.perf_counter()
    take_out("#" * 1_000_000 + " x deckcheck\n" + "# " * 900 + "deckcheck")
    assert time.perf_counter() - started < 2


def test_what_is_beyond_the_limit_stays_in_the_text() -> None:
    lines = [f"1 x 青銅の鎧 # deckcheck: ignore[copies] {number}" for number in range(MOST_DIRECTIVES + 5)]
    split = take_out("\n".join(lines))
    assert len(split.directives) == MOST_DIRECTIVES + 1
    assert split.text.split("\n")[-1] == lines[-1]


def test_quoted_words_in_yaml_say_nothing_to_us() -> None:
    deck = BUNDLED.table.read('deck: "ours # deckcheck: draft"\nmain:\n  青銅の鎧: 4\n', "a.yaml")
    assert deck.header["deck"] == "ours # deckcheck: draft"
    assert deck.directives == ()
    assert [entry.copies for entry in deck.entries] == [4]
