"""What a list asks not to be told is left out, counted and shown."""

from __future__ import annotations

import pytest
from factories.suppressions import DAY, LIMITED, NOBODY, A, B, format, judged, left_out, told

from deckcheck.checking.judge import check
from deckcheck.decklists.comments import MOST_RULES
from deckcheck.model.finding import UNCLEAR
from deckcheck.model.format import Source
from deckcheck.report.json import deck_object
from deckcheck.report.text import render
from deckcheck.report.writer import RenderOptions
from deckcheck.support.errors import UserError


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
            "put it at the end of the card's line, or use ignore-file for the whole list",
        ),
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


def test_a_list_that_is_broken_is_broken_with_askings_too() -> None:
    with pytest.raises(UserError):
        judged('main: ["4 x\n# deckcheck: ignore-file[copies]\n', "deck.yaml")


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


# What is shown.


def test_what_is_left_out_is_shown_and_counted() -> None:
    report = judged(f"5 x {A} # deckcheck: ignore[copies] a \x1b[31mcube\n4 x {B}\n")
    ja, en = (render(report, RenderOptions(lang)) for lang in ("ja", "en"))
    assert en.startswith("deck.txt: legal, 1 ignored (")
    assert "  ignored: copies (deck.txt:1): a \\x1b[31mcube\n" in en
    assert ja.startswith("deck.txt: 問題なし、無視1件（")
    assert "  無視: copies（deck.txt:1）「a \\x1b[31mcube」\n" in ja
    [one] = deck_object(report, "en")["suppressed"]
    assert (one["by"], one["reason"]) == ("line", "a \x1b[31mcube")
    assert one["source"] == {"path": "deck.txt", "line": 1}
    assert one["finding"]["rule"] == "copies"


def test_suppressions_may_be_left_alone() -> None:
    text = f"5 x {A} # deckcheck: ignore[copies]\n4 x {B} # deckcheck: ignore[\n"
    report = check(text, format(), as_of=DAY, suppressions=False)
    assert (told(report), report.suppressed) == (["copies 1"], ())
