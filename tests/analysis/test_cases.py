"""The cases of the bundled formats, and the runner that tries them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from deckcheck.analysis import cases_and_rule_pages as cases
from deckcheck.checking.judge import Loader, check
from deckcheck.checking.session import CheckOptions, Session
from deckcheck.decklists.decoding import decode
from deckcheck.formats.lookup import bundled_formats
from deckcheck.support.documents import load_yaml, require_shape
from deckcheck.support.errors import UserError
from deckcheck.support.files import shipped
from deckcheck.support.safe_text import safe

FOLDER = shipped("formats") / "duel-masters"
CASES = sorted(file for file in FOLDER.glob("*.cases/*") if file.is_file())
CLAUSES = {
    "duemagic": [f"D{n}" for n in range(1, 12)],
    "commander": [f"C{n}" for n in range(1, 13)],
    "amadeus": [f"A{n}" for n in range(1, 16)],
}
# The same deck in several notations.
TWINS = [
    [f"advance.cases/molt-notation{end}" for end in ("-n-brackets.txt", ".json", "-english-bom.txt")],
    [f"amadeus.cases/three-colours-notation-{end}.txt" for end in ("mai", "table")],
    [f"duemagic.cases/water-darkness-notation{end}" for end in ("-glued.txt", ".csv")],
    [f"original.cases/bolshack-notation{end}" for end in ("-brackets-times.txt", ".yaml")],
    [f"original.cases/red-notation-{end}.txt" for end in ("n-x-name", "cp932-crlf")],
]


Line = tuple[bool, str]
"""Whether a case or a format passes, and what is said of it."""


def results_of(*references: str, lang: str = "en") -> list[Line]:
    results = cases.test_cases(references, Session(CheckOptions()))
    return [(result.outcome == cases.Outcome.PASSED, safe(result.text.in_(lang))) for result in results]


def text_of(file: Path) -> str:
    return decode(file.read_bytes(), file.name)


def note_of(file: Path) -> str:
    found = re.search(r"^# note: (.+)$", text_of(file), re.MULTILINE)
    return found[1] if found else ""


@pytest.mark.parametrize("folder", ["formats", "banlists"])
def test_bundled_files_keep_to_their_schemas(folder: str) -> None:
    """An installed package doesn't look at that again."""
    files = sorted(shipped(folder).glob("*/*.yaml"))
    assert len(files) > 10
    for file in files:
        schema = "game" if file.name == "game.yaml" else folder.removesuffix("s")
        require_shape(load_yaml(file), schema)


def test_no_reference_means_every_bundled_format_and_all_pass() -> None:
    lines = results_of(lang="ja")
    assert faults(lines) == []
    told = "\n".join(told for _, told in lines)
    for one in bundled_formats():
        assert f"formats/{one.id}.yaml: " in told
    for file in CASES:
        assert f"{file.parent.name}/{file.name}: " in told


def test_every_clause_is_shown_by_a_named_case() -> None:
    for name, clauses in CLAUSES.items():
        shown = {note_of(file).partition(":")[0] for file in CASES if file.parent.name == f"{name}.cases"}
        assert [clause for clause in clauses if clause not in shown] == []


def test_every_case_tells_its_day_and_what_it_shows_in_both_languages() -> None:
    clause = re.compile(r"[A-Z]\d+: ")
    for file in CASES:
        text = text_of(file)
        assert re.search(r'^[#\s"]*as-of"?: "?\d{4}-\d\d-\d\d', text, re.MULTILINE), file
        # JSON has no comments.
        if file.suffix == ".json":
            continue
        [(english, japanese)] = re.findall(r"^# note: (.+)\n# note-ja: (.+)$", text, re.MULTILINE)
        assert clause.findall(english)[:1] == clause.findall(japanese)[:1], file
        assert re.search(r"[ぁ-んァ-ヶ一-龠]", clause.sub("", japanese, count=1)), file
        assert not japanese.endswith("。") and text.count("note-ja") == 1, file


def test_one_deck_has_one_fingerprint_in_every_notation_also_from_windows() -> None:
    loader = Loader()
    for one, *others in TWINS:
        loaded = loader.format(f"duel-masters/{one.partition('.')[0]}")
        first = check(text_of(FOLDER / one), loaded, path=one)
        assert first.fingerprint
        for other in others:
            assert check(text_of(FOLDER / other), loaded, path=other).fingerprint == first.fingerprint
    data = (FOLDER / TWINS[-1][-1]).read_bytes()
    assert data.count(b"\r\n") == data.count(b"\n") > 10
    with pytest.raises(UnicodeDecodeError):
        data.decode("utf-8")


def test_the_examples_show_all_three_verdicts() -> None:
    found, loader = {}, Loader()
    for file in sorted(file for file in shipped("examples").iterdir() if file.suffix in (".txt", ".csv")):
        deck = text_of(file)
        said = re.search(r"^# format: (\S+)$", deck, re.MULTILINE)
        assert said
        assert re.search(r"^# date: \d{4}-\d\d-\d\d$", deck, re.MULTILINE)
        report = check(deck, loader.format(said[1]), path=file.name)
        found[file.stem] = (report.verdict, {finding.rule for finding in report.findings})
    assert found == {
        "burn-modern": ("illegal", {"side-size", "banned", "copies"}),
        "yugioh-blue-eyes": ("legal", set()),
        "dedodam-advance": ("undecided", {"unknown-card"}),
        "red-original": ("legal", set()),
        "three-colours-amadeus": ("legal", set()),
        "water-darkness-duemagic": ("illegal", {"main-size", "copies", "banned"}),
        "white-dragon-commander": ("legal", set()),
    }


# A format with one rule of each kind, and cases that show all of it.

MINI = """\
format: duel-masters/mini
name: {ja: ミニ, en: Mini}
game: duel-masters
zones: {main: {}, side: {}}
rules:
  - {id: size, in: main, exactly: {base: 5, plus: {in: side}}}
  - {id: copies, per: name, at_most: 2}
  - {id: kinds, in: main, count: names, where: {civilization: 自然}, at_least: 2}
  - {id: few, in: side, exactly: [0, 1, 3]}
  - {id: dark, where: {civilization: 闇}, at_most: 0}
  - {id: pair, sides: [{name: アクア・ガード}, {name: アクア・ナイト}], at_most: 1}
  - {id: single, when: {best_of: 1}, in: side, at_most: 0, severity: warning}
"""
NATURE = "1 からみカズラ\n1 アルティメット・フォース\n"
LEGAL = f"2 アクア・ビークル\n1 アクア・ガード\n{NATURE}"
SIDE = "サイドボード\n1 アクア・ハルカス\n"
Case = tuple[str, str]
GOOD: dict[str, Case] = {
    "bound": ("legal\n# best-of: 1\n# bound: size, copies, kinds, few, dark, pair, single", LEGAL),
    "bound-grown": ("legal\n# bound: size, few", f"1 アクア・ソルジャー\n{LEGAL}{SIDE}"),
    "size": ("size", f"1 アクア・ソルジャー\n{LEGAL}"),
    "copies": ("copies", f"3 アクア・ビークル\n{NATURE}"),
    "kinds": ("kinds", "2 アクア・ビークル\n1 アクア・ガード\n2 からみカズラ"),
    "few": ("few", f"2 アクア・ソルジャー\n{LEGAL}{SIDE}1 アクア・ハルカス"),
    "dark": ("dark", f"2 アクア・ビークル\n1 うごめく者ボーン・グール\n{NATURE}"),
    "pair": ("pair", f"1 アクア・ビークル\n1 アクア・ガード\n1 アクア・ナイト\n{NATURE}"),
    "single": ("legal, single\n# best-of: 1", f"1 アクア・ソルジャー\n{LEGAL}{SIDE}"),
}
Run = Callable[..., list[Line]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs the format with its cases, some of them put in other words or (None) left out."""

    def run(changed: dict[str, Case | None] | None = None, text: str = MINI, lang: str = "en") -> list[Line]:
        (tmp_path / "mini.yaml").write_text(text, "utf-8")
        folder = tmp_path / "mini.cases"
        folder.mkdir(exist_ok=True)
        for name, case in (GOOD | (changed or {})).items():
            file = folder / f"{name}.txt"
            file.unlink(missing_ok=True)
            if case is not None:
                lines = f"# expect: {case[0]}\n# as-of: 2020-01-01\n{case[1]}\n"
                file.write_text(lines, "utf-8")
        return results_of(str(tmp_path / "mini.yaml"), lang=lang)

    return run


def faults(lines: list[Line]) -> list[str]:
    return [told for fine, told in lines if not fine]


def test_a_format_with_all_its_cases_passes(run: Run) -> None:
    lines = run()
    assert faults(lines) == []
    assert len(lines) == len(GOOD) + 1
    assert lines[-1][1].endswith("mini.yaml: 7 rules, 9 cases")
    assert run(lang="ja")[-1][1].endswith("mini.yaml: 規則7件、例9件")


SIX = f"1 アクア・ソルジャー\n{LEGAL}"
"""A card too many."""


@pytest.mark.parametrize(
    ("expect", "deck", "told"),
    [
        ("size", LEGAL, "expected size; found legal"),
        ("legal", SIX, "expected legal; found illegal, size"),
        ("size, dark", SIX, "expected dark, size; found illegal, size"),
        ("single", SIX + SIDE, "expected single; found legal"),
        # That nobody can tell has to be said.
        ("copies", LEGAL.replace("ガード", "ガーゼ"), "expected copies; found undecided, unknown-card"),
        ("legal, undecided", LEGAL, "“# expect:” names two verdicts"),
        ("siez", LEGAL, "there is no rule 'siez' (did you mean 'size'?)"),
        ("legal\n# bound: siez", LEGAL, "there is no rule 'siez' (did you mean 'size'?)"),
        ("legal\n# bound: unknown-card", LEGAL, "there is no rule 'unknown-card'"),
        ("", LEGAL, "no “# expect:” line"),
        ("dark\n# note: a dark one\x1b[31m", LEGAL, "expected dark; found legal [a dark one\\x1b[31m]"),
    ],
)
def test_a_wrong_expectation_is_a_fault(run: Run, expect: str, deck: str, told: str) -> None:
    [fault] = faults(run({"more": (expect, deck)}))
    assert f"more.txt: {told}" in fault


@pytest.mark.parametrize(
    ("notes", "ja", "en"),
    [
        ("# note: a dark one\n# note-ja: 闇が1枚", "闇が1枚", "a dark one"),
        ("# note-ja: 闇が1枚\n# note: a dark one", "闇が1枚", "a dark one"),
        ("// note：a dark one\n//note-ja：闇が1枚", "闇が1枚", "a dark one"),
        # With only one it stands for both languages.
        ("# note: a dark one", "a dark one", "a dark one"),
        ("# note-ja: 闇が1枚", "闇が1枚", "闇が1枚"),
        ("# note: a dark one\n# note-ja:", "a dark one", "a dark one"),
        ("# note-xx: nobody's", "", ""),
        ("# anything", "", ""),
    ],
)
def test_a_note_is_told_in_the_language_that_is_asked_for(run: Run, notes: str, ja: str, en: str) -> None:
    [told] = faults(run({"more": (f"dark\n{notes}", LEGAL)}))
    assert told.endswith(f"expected dark; found legal [{en}]" if en else "found legal")
    [told] = faults(run({"more": (f"dark\n{notes}", LEGAL)}, lang="ja"))
    assert told.endswith(f"期待は dark、結果は 問題なし [{ja}]" if ja else "結果は 問題なし")


@pytest.mark.parametrize(
    ("case", "said"),
    [
        (("legal\n# bound: copies", f"1 アクア・ビークル\n1 アクア・ガード\n1 アクア・ソルジャー\n{NATURE}"), "bound of 'copies'"),
        (("legal\n# bound: kinds", f"2 アクア・ビークル\n1 フェアリー・ライフ\n{NATURE}"), "bound of 'kinds'"),
        (("legal\n# bound: pair", f"2 アクア・ビークル\n1 アクア・ソルジャー\n{NATURE}"), "bound of 'pair'"),
        # Best of one isn't said, so the rule doesn't stand.
        (("legal\n# bound: single", LEGAL), "it does not sit on the bound of 'single'"),
        (("size\n# bound: copies", f"1 アクア・ソルジャー\n{LEGAL}"), "only a legal deck sits on a bound"),
    ],
)  # fmt: skip
def test_a_false_claim_to_sit_on_a_bound_is_a_fault(run: Run, case: Case, said: str) -> None:
    [fault] = faults(run({"more": case}))
    assert said in fault


def test_a_rule_that_no_case_shows_is_a_gap(run: Run) -> None:
    for rule in [name for name in GOOD if not name.startswith("bound")]:
        [fault] = faults(run({rule: None}))
        assert re.search(rf"no case has '{rule}' as its only finding \[.*mini\.yaml:\d+\]$", fault)
    expect, deck = GOOD["bound"]
    for rule in ("copies", "kinds", "dark", "pair", "single"):
        [fault] = faults(run({"bound": (expect.replace(f" {rule}", ""), deck)}))
        assert f"no legal case sits on the bound of '{rule}'" in fault
    # What is only open doesn't show a rule: nobody knows the civilizations of that card.
    nameless = f"2 アクア・ビークル\n1 無名\n{NATURE}"
    [fault] = faults(run({"dark": ("undecided, dark", nameless)}))
    assert "no case has 'dark' as its only finding" in fault


def test_a_gap_of_ones_own_format_is_told_and_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    file.write_text(
        "format: club/own\ngame: duel-masters\nname: Own\nzones: {main: {}}\n"
        "rules:\n  - {id: size, in: main, exactly: 1}\n",
        encoding="utf-8",
    )
    (tmp_path / "own.cases").mkdir()
    (tmp_path / "own.cases" / "one.txt").write_text("# expect: legal\n1 x アクア・ガード\n", encoding="utf-8")
    notes = [
        result
        for result in cases.test_cases([str(file)], Session(CheckOptions()))
        if result.outcome != cases.Outcome.PASSED
    ]
    assert {note.outcome for note in notes} == {cases.Outcome.NOTE}
    assert any("only finding" in note.text.in_("en") for note in notes)


def test_a_broken_format_is_told_with_its_place(run: Run) -> None:
    for reference in ("duel-masters/commandar", "nowhere.yaml"):
        with pytest.raises(UserError):
            results_of(reference)
    lines = run(text=MINI.replace("civilization: 闇", "civilisation: 闇"))
    assert [fine for fine, _ in lines] == [False]
    assert re.search(r"mini\.yaml:10:\d+: there is no attribute 'civilisation' \(did you mean", lines[0][1])


def test_cases_that_are_missing_or_no_text_are_faults(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bare.yaml").write_text(MINI, "utf-8")
    [fault] = faults(results_of(str(tmp_path / "bare.yaml")))
    assert fault.endswith("bare.yaml: there are no cases (put them in bare.cases)")
    (tmp_path / "mini.cases").mkdir()
    (tmp_path / "mini.cases" / "noise.txt").write_bytes(b"\xff\xfe\xfd\x00\x81")
    [fault] = faults(run())
    assert "noise.txt: not readable as text" in fault
