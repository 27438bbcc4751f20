"""`deckcheck impact` as people use it: days, announcements, outputs, statuses."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from deckcheck.cli import impacts
from deckcheck.cli.impacts import Asked
from deckcheck.errors import UserError
from deckcheck.report import impactmarkdown
from deckcheck.report.effects import Days, Effect, Impact, Impacts, Move, Status
from deckcheck.report.impactjson import render as render_json
from deckcheck.report.impactmarkdown import render as render_markdown
from deckcheck.report.impacttext import render as render_text
from deckcheck.report.violation import CardAt
from deckcheck.report.writer import Look
from deckcheck.rules.clauses import Source
from deckcheck.schema import load_schema
from deckcheck.text import Text
from deckcheck.walk import find_decks

GOLDEN = Path(__file__).parent / "golden" / "impact"
FORMAT = str(GOLDEN / "format.yaml")
DAYS = ("--from", "2024-01-01", "--to", "2024-01-15")
ANNOUNCED = ("--from", "2024-01-16", "--to", "announcement.yaml")
RUNS = {"days": DAYS, "announced": ANNOUNCED}
FORMS = {
    "ja.txt": ("--lang", "ja"),
    "en.txt": ("--lang", "en"),
    "color.txt": ("--lang", "en", "--color", "always"),
    "json": ("--output-format", "json", "--lang", "ja"),
    "ja.md": ("--output-format", "markdown", "--lang", "ja"),
    "en.md": ("--output-format", "markdown", "--lang", "en"),
}


def impact(
    *arguments: str, cwd: Path = GOLDEN, given: bytes = b"", **more: str
) -> subprocess.CompletedProcess[bytes]:
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    for key in ("LC_ALL", "LC_MESSAGES", "LANG"):
        kept.pop(key, None)
    command = [sys.executable, "-m", "deckcheck", "impact", *arguments]
    return subprocess.run(
        command,
        cwd=cwd,
        input=given,
        env=kept | {"PYTHONUTF8": "1"} | more,
        capture_output=True,
        timeout=120,
    )


def printed(*arguments: str) -> bytes:
    done = impact("--format", "format.yaml", "--isolated", *arguments, "decks")
    assert (done.returncode, done.stderr) == (1, b"")
    return done.stdout


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("run", RUNS)
def test_output_is_as_expected(run: str, form: str) -> None:
    file = GOLDEN / "expected" / f"{run}.{form}"
    found = printed(*RUNS[run], *FORMS[form])
    if os.environ.get("DECKCHECK_UPDATE_GOLDEN"):
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(found)
    assert found.decode() == file.read_bytes().decode()


@pytest.mark.parametrize("run", RUNS)
def test_json_keeps_to_its_schema(run: str) -> None:
    report = json.loads((GOLDEN / "expected" / f"{run}.json").read_bytes())
    Draft7Validator(load_schema("impact")).validate(report)
    summary = report["summary"]
    turned = [one for one in report["decks"] if one["before"] != one["after"]]
    assert summary["other_verdict"] == len(turned)
    assert summary["other_findings"] == len(report["decks"]) - len(turned)
    assert report["decks"][: len(turned)] == turned
    assert summary["worse"] == sum(one["worse"] for one in report["decks"])
    assert summary["unchanged"] + len(report["decks"]) == summary["decks"]


def _fine(report: Any) -> None:
    report["decks"][0]["after"] = "fine"


def _nowhere(report: Any) -> None:
    report["decks"][0]["entries"][0]["source"] = None


def _unheard_of(report: Any) -> None:
    report["summary"]["more"] = 1


@pytest.mark.parametrize("spoil", [_fine, _nowhere, _unheard_of])
def test_the_schema_refuses_what_is_never_written(spoil: Callable[[Any], None]) -> None:
    validator = Draft7Validator(load_schema("impact"))
    report = json.loads((GOLDEN / "expected" / "days.json").read_bytes())
    assert validator.is_valid(report)
    spoil(report)
    assert not validator.is_valid(report)


def test_a_report_of_ours_is_no_deck(tmp_path: Path) -> None:
    """So that a report in a folder of decks is not checked as one."""
    (tmp_path / "impact.json").write_bytes((GOLDEN / "expected" / "days.json").read_bytes())
    passed_over: list[str] = []
    assert all(isinstance(one, UserError) for one in find_decks([str(tmp_path)], passed_over))
    assert passed_over == [str(tmp_path / "impact.json")]


@pytest.mark.parametrize("name", ["days.ja.txt", "announced.en.txt", "days.ja.md", "days.json"])
def test_nothing_that_a_terminal_obeys_is_printed(name: str) -> None:
    text = (GOLDEN / "expected" / name).read_text("utf-8")
    assert all(char.isprintable() or char in "\n　" for char in text)


def test_japanese_output_holds_no_english_words() -> None:
    for name in ("days.ja.txt", "announced.ja.txt", "days.ja.md"):
        text = (GOLDEN / "expected" / name).read_text("utf-8")
        for word in ("legal", "verdict", "since", "line ", "unchanged", "decks\n"):
            assert word not in text


DECK = "4 x フェアリー・ライフ\n4 x コッコ・ルピア\n"


def asked(before: str | None, after: str, **more: Any) -> Asked:
    return Asked(before, after, format=more.pop("format", FORMAT), lang="en", **more)


def run(paths: list[str], wanted: Asked) -> int:
    return impacts.run(paths, wanted, config=None, isolated=True)


def saved(folder: Path, *, name: str = "deck.txt", text: str = DECK) -> str:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return str(file)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("4 x コッコ・ルピア\n4 x フェアリー・ライフ\n", 0),
        ("4 x コッコ・ルピア\n4 x 青銅の鎧\n", 0),
        ("4 x コッコ・ルピア\n4 x 天災 デドダム\n", 1),
        ("4 x 天災 デドダム\n4 x 誰も知らない\n", 1),
        ("4 x 青銅の鎧\n4 x 誰も知らない\n", 0),
        ("9 x コッコ・ルピア\n4 x 天災 デドダム\n", 0),
    ],
)
def test_the_status_tells_whether_some_deck_is_worse(tmp_path: Path, text: str, status: int) -> None:
    assert run([saved(tmp_path, text=text)], asked("2024-01-11", "2024-01-15")) == status


def test_what_cannot_be_read_is_2_and_does_not_stop_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved(tmp_path, name="a.txt", text="8 x 天災 デドダム\n")
    (tmp_path / "b.txt").write_bytes(b"\0\0")
    saved(tmp_path, name="c.txt", text="4 x コッコ・ルピア\n4 x 天災 デドダム\n")
    assert run([str(tmp_path), str(tmp_path / "none.txt")], asked("2024-01-11", "2024-01-15")) == 2
    out, err = capsys.readouterr()
    assert "c.txt: legal → illegal" in out
    assert "2 decks: 1 with another verdict (1 worse)" in out
    assert "(and 2 that could not be checked)" in out
    assert "b.txt" in err
    assert "none.txt" in err


def test_problems_stand_in_the_json_too(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    wanted = asked("2024-01-11", "2024-01-15", output="json")
    assert run([saved(tmp_path), str(tmp_path / "none.txt")], wanted) == 2
    report = json.loads(capsysbinary.readouterr().out)
    Draft7Validator(load_schema("impact")).validate(report)
    assert [Path(one["path"]).name for one in report["errors"]] == ["none.txt"]
    assert report["summary"]["not_checked"] == 1


def test_exit_zero_is_for_decks_and_not_for_mistakes(tmp_path: Path) -> None:
    deck = saved(tmp_path, text="8 x 天災 デドダム\n")
    days = ("--from", "2024-01-11", "--to", "2024-01-15", "--isolated")
    worse = saved(tmp_path, name="w.txt", text="4 x 天災 デドダム\n4 x コッコ・ルピア\n")
    assert impact("-f", FORMAT, *days, worse).returncode == 1
    assert impact("-f", FORMAT, *days, worse, "--exit-zero").returncode == 0
    assert impact("-f", FORMAT, *days, deck, str(tmp_path / "none"), "--exit-zero").returncode == 2


def test_the_day_of_the_deck_is_ignored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "# date: 2031-01-01\n# as-of: no day at all\n4 x コッコ・ルピア\n4 x 天災 デドダム\n"
    assert run([saved(tmp_path, text=text)], asked("2024-01-11", "2024-01-15")) == 1
    assert "legal → illegal" in capsys.readouterr().out


def test_from_is_today_unless_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UserError, match="is after 2024-01-15") as caught:
        run([saved(tmp_path)], asked(None, "2024-01-15"))
    hint = caught.value.problems[0].hint
    assert hint is not None
    assert "--from" in hint.en
    assert run([saved(tmp_path)], asked(None, "2999-01-01")) == 0
    assert re.match(r"\d{4}-\d\d-\d\d → 2999-01-01\n", capsys.readouterr().out)


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (asked("2024-01-16", "2024-01-15"), "--from: 2024-01-16 is after 2024-01-15"),
        (asked("2024-13-01", "2024-01-15"), "--from: there is no day '2024-13-01'"),
        (asked("2024-01-01", "soon"), "--to: there is no day 'soon'"),
        (asked("2024-01-01", "2024-01-15", on="2024-01-15"), "--on goes with a file"),
        (asked("2024-01-01", str(GOLDEN / "announcement.yaml"), on="x"), "--on: there is no day 'x'"),
        (asked("2024-01-01", str(GOLDEN / "announcement.yaml"), on="2023-01-01"), "is after 2023-01-01"),
        (asked("2024-01-01", "missing.yaml"), "no such file"),
    ],
)
def test_days_that_make_no_sense_are_errors(tmp_path: Path, wanted: Asked, said: str) -> None:
    with pytest.raises(UserError, match=re.escape(said)):
        run([saved(tmp_path)], wanted)


def test_to_is_needed() -> None:
    done = impact("decks")
    assert done.returncode == 2
    assert b"--to" in done.stderr


def test_an_announcement_counts_on_its_newest_day_or_on_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deck, file = saved(tmp_path), str(GOLDEN / "announcement.yaml")
    assert run([deck], asked("2024-01-16", file)) == 1
    assert "Premium Hall of Fame since 2024-06-01" in capsys.readouterr().out
    assert run([deck], asked("2024-01-16", file, on="2024-05-31")) == 1
    out = capsys.readouterr().out
    assert out.startswith("2024-01-16 → 2024-05-31 (announcement: ")
    assert "free → Hall of Fame since 2024-05-01" in out
    assert f"{file}:10" in out
    assert run([deck], asked("2024-01-16", file, on="2024-04-30")) == 0


ENTRY = "cards:\n  - card: 天災 デドダム\n    history:\n      - {{from: {day}, status: {status}}}\n"


def announced(folder: Path, text: str, *, banlist: str = "turning-list") -> str:
    return saved(folder, name="new.yaml", text=f"banlist: {banlist}\nname: New\n{text}")


@pytest.mark.parametrize(
    ("text", "said", "place"),
    [
        (ENTRY.format(day="2024-13-01", status="hall"), "there is no day '2024-13-01'", (6, 10)),
        (ENTRY.format(day="2030-01-01", status="hal"), "there is no status 'hal'", (6, 28)),
        (ENTRY.format(day="2030-01-01", status="hall"), "this change has no effect", (6, 28)),
        (ENTRY.format(day="2010-01-01", status="free"), "this change has no effect", (6, 28)),
        (ENTRY.format(day="2030-01-01", status="banned"), "no rule of the decks' format", (6, 28)),
        (ENTRY.format(day="2030-01-01", status="pair"), "no rule of the decks' format", (6, 28)),
        (
            ENTRY.format(day="2030-01-01", status="free") + "      - {from: 2029-01-01, status: hall}\n",
            "the days are not in order",
            (7, 10),
        ),
        (
            ENTRY.format(day="2030-01-01", status="free").replace("デドダム", "デドダメ"),
            "there is no card '天災 デドダメ'",
            (4, 5),
        ),
        (
            ENTRY.format(day="2030-01-01", status="free")
            + ENTRY.format(day="2030-01-01", status="free").replace("cards:\n", ""),
            "stands here twice",
            (7, 5),
        ),
        (
            "combinations:\n  - sides: [[青銅の鎧], [青銅の鎧, 天災 デドダム]]\n"
            "    history: [{from: 2030-01-01, status: pair}]\n",
            "one card stands on two sides",
            (4, 5),
        ),
        (
            2 * "  - sides: [[青銅の鎧], [天災 デドダム]]\n    history: [{from: 2030-01-01, status: pair}]\n",
            "this combination stands here twice",
            (6, 5),
        ),
        ("cards: []\n", "no change is written here", (1, 1)),
        ("card: []\n", "unknown key 'card'", (3, 1)),
        (ENTRY.format(day="2030-01-01", status="free") + "complete_through: 2024-02-31\n", "no day", (7, 1)),
        (
            ENTRY.format(day="2030-01-01", status="free") + "source: {title: x, date: 2024-02-31}\n",
            "there is no day '2024-02-31'",
            (7, 20),
        ),
        (
            ENTRY.format(day="2030-01-01", status="free")
            + "unconfirmed: {seen_by: 2024-01-01, changes: [{card: 青銅の鎧, from: free, to: hal}]}\n",
            "there is no status 'hal'",
            (7, 71),
        ),
        ("cards: {\n", "not valid YAML", (4, 1)),
    ],
)
def test_a_mistake_in_an_announcement_is_shown_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: str, place: tuple[int, int]
) -> None:
    if text.startswith("  - sides"):
        text = "combinations:\n" + text
    file = announced(tmp_path, text)
    with pytest.raises(UserError) as caught:
        run([saved(tmp_path)], asked("2024-01-16", file, on="2031-01-01"))
    [problem] = caught.value.problems
    assert said in problem.message.en
    assert (problem.path, problem.line, problem.column) == (file, *place)
    assert problem.excerpt is not None or "YAML" in said
    assert re.search("[ぁ-ん]", problem.message.ja)
    assert capsys.readouterr().out == ""


def test_all_mistakes_of_an_announcement_are_told_in_their_order(tmp_path: Path) -> None:
    text = (
        "combinations:\n  - sides: [[いない], [青銅の鎧]]\n    history: [{from: 2030-01-01, status: pair}]\n"
    )
    file = announced(
        tmp_path, text + ENTRY.format(day="2030-01-01", status="hal") + "complete_through: 2024-02-31\n"
    )
    with pytest.raises(UserError) as caught:
        run([saved(tmp_path)], asked("2024-01-16", file))
    assert [one.line for one in caught.value.problems] == [4, 9, 10]


def test_an_announcement_for_a_list_that_nobody_uses_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = ENTRY.format(day="2030-01-01", status="free")
    for name, hint in (("turning-lists", "did you mean 'turning-list'?"), ("zzz", "turning-list")):
        file = announced(tmp_path, entry, banlist=name)
        with pytest.raises(UserError, match=f"no deck's format leans on a list '{name}'") as caught:
            run([saved(tmp_path)], asked("2024-01-16", file))
        [problem] = caught.value.problems
        assert (problem.path, problem.line) == (file, 1)
        assert problem.hint is not None
        assert hint in problem.hint.en
    assert capsys.readouterr().out == ""
    # Where no deck can be read, nobody knows which lists are used.
    assert run([str(tmp_path / "none.txt")], asked("2024-01-16", file)) == 2


def test_the_whole_list_is_as_good_as_what_is_new(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = (GOLDEN / "banlist.yaml").read_text("utf-8")
    new = "  - card: フェアリー・ライフ\n    history:\n      - {from: 2024-06-01, status: premium}\n"
    outputs = []
    for name, text in (
        ("whole", whole.replace("cards:\n", "cards:\n" + new)),
        ("new", f"banlist: turning-list\nname: New\ncards:\n{new}"),
    ):
        file = saved(tmp_path, name=f"{name}.yaml", text=text)
        assert run([saved(tmp_path)], asked("2024-01-16", file)) == 1
        out = capsys.readouterr().out
        assert f"{file}:6" in out
        outputs.append(out.replace(file, "FILE"))
    assert outputs[0] == outputs[1]


def test_the_results_go_to_a_file_and_over_none_that_is_read(tmp_path: Path) -> None:
    deck, target = saved(tmp_path), tmp_path / "impact.md"
    file = announced(tmp_path, ENTRY.format(day="2030-01-01", status="free"))
    wanted = asked("2024-01-16", file, output="markdown", file=str(target))
    assert run([deck], wanted) == 0
    assert target.read_text("utf-8").startswith("## What the lists change\n")
    for read in (deck, file):
        before = Path(read).read_bytes()
        with pytest.raises(UserError, match="won't be written over"):
            run([deck], wanted._replace(file=read))
        assert Path(read).read_bytes() == before


def test_standard_input_and_its_language() -> None:
    text = "4 x コッコ・ルピア\n4 x 天災 デドダム\n".encode()
    arguments = ("-f", "format.yaml", "--from", "2024-01-11", "--to", "2024-01-15", "--isolated", "-")
    assert "-: legal → illegal" in impact(*arguments, given=text).stdout.decode()
    assert "問題なし → 違反あり" in impact(*arguments, given=text, LANG="ja_JP.UTF-8").stdout.decode()


def test_settings_count(tmp_path: Path) -> None:
    """Formats by path, lists from folders of one's own, what is ignored and what is left out."""
    banlist = (GOLDEN / "banlist.yaml").read_text("utf-8").replace("turning-list", "turning/list")
    format = (GOLDEN / "format.yaml").read_text("utf-8").replace("format: turning", "format: turning/own")
    saved(tmp_path, name="lists/turning/list.yaml", text=banlist)
    saved(tmp_path, name="rules/turning/own.yaml", text=format.replace("[banlist.yaml]", "[turning/list]"))
    settings = """
formats = ["rules"]
banlists = ["lists"]
exclude = ["old"]
lang = "ja"

[[decks]]
path = "league/**"
format = "turning/own"
as-of = 2001-01-01

[[decks]]
path = "league/mild/**"
ignore = ["hall"]
"""
    saved(tmp_path, name="deckcheck.toml", text=settings)
    for folder in ("league", "league/mild", "old"):
        saved(tmp_path, name=f"{folder}/deck.txt", text="4 x コッコ・ルピア\n4 x 天災 デドダム\n")
    done = impact("--from", "2024-01-11", "--to", "2024-01-15", ".", cwd=tmp_path)
    out = done.stdout.decode()
    assert (done.returncode, done.stderr.decode()) == (1, "")
    assert "deck.txt: 問題なし → 違反あり" in out
    assert "2件のデッキ: 判定が変わる1" in out
    assert "lists/turning/list.yaml:14" in out
    text = ENTRY.format(day="2030-01-01", status="free")
    file = announced(tmp_path, text, banlist="turning/list")
    done = impact("--from", "2024-01-16", "--to", file, ".", cwd=tmp_path)
    assert "違反あり → 問題なし" in done.stdout.decode()


HALL = "duel-masters/hall-of-fame"


@pytest.mark.parametrize(
    ("days", "held", "turn", "change"),
    [
        (("2024-03-10", "2024-03-11"), (4, "超神羅星アポロヌス・ドラゲリオン"), "worse", ("free", "hall")),
        (("2024-03-10", "2024-03-11"), (4, "ボルバルザーク・エクス"), "better", ("hall", "free")),
        (("2025-08-11", "2025-08-12"), (1, "雷炎翔鎧バルピアレスク"), "worse", ("hall", "premium")),
        (("2025-03-09", "2025-08-12"), (1, "雷炎翔鎧バルピアレスク"), "worse", ("free", "premium")),
        (("2021-06-30", "2021-07-01"), (1, "サイバー・ブレイン"), "better", ("premium", "hall")),
        (("2022-08-14", "2022-08-15"), (1, "禁断英雄 モモキングダムX"), "worse", ("free", "pair")),
    ],
)
def test_changes_of_the_official_list(
    tmp_path: Path,
    capsysbinary: pytest.CaptureFixture[bytes],
    days: tuple[str, str],
    held: tuple[int, str],
    turn: str,
    change: tuple[str, str],
) -> None:
    fill = [
        "青銅の鎧",
        "フェアリー・ライフ",
        "アクア・ハルカス",
        "コッコ・ルピア",
        "ボルシャック・ドラゴン",
        "アクア・サーファー",
        "ホーリー・スパーク",
        "デーモン・ハンド",
        "ローズ・キャッスル",
        "アクア・ガード",
    ]
    lines = [f"{held[0]} x {held[1]}", "1 x 未来王龍 モモキングJO"]
    left = 39 - held[0]
    for name in fill:
        lines.append(f"{min(4, left)} x {name}")
        left -= min(4, left)
    deck = saved(tmp_path, text="\n".join(line for line in lines if not line.startswith("0")) + "\n")
    status = run([deck], asked(*days, format="duel-masters/original", output="json"))
    report = json.loads(capsysbinary.readouterr().out)
    Draft7Validator(load_schema("impact")).validate(report)
    assert status == (turn == "worse")
    [found] = report["decks"]
    verdicts = ("legal", "illegal") if turn == "worse" else ("illegal", "legal")
    assert (found["before"], found["after"]) == verdicts
    [entry] = found["entries"]
    assert (entry["before"]["status"], entry["after"]["status"]) == change
    assert (entry["list"], entry["decides"], entry["since"]) == (HALL, True, days[1])
    root = Path(__file__).parent.parent
    said = (root / entry["source"]["path"]).read_text("utf-8").splitlines()[entry["source"]["line"] - 1]
    assert said.split() == f"- {{from: {days[1]}, status: {change[1]}}}".split()
    assert entry["cards"][0] == {"name": held[1], "copies": held[0], "line": 1, "column": 5}
    assert found["other_causes"] == []


HOSTILE = "\x1b[31m|<b>`@all`\n::error::\u202ehttps://x.y #1 ![a](b)"


def hostile_impacts(decks: int = 1) -> Impacts:
    name = Text(HOSTILE, HOSTILE)
    move = Move(
        HOSTILE,
        name,
        ((HOSTILE,),),
        Status("free", name),
        Status("hall", name),
        "2024-01-15",
        Source(HOSTILE, 3),
    )
    effect = Effect(move, (CardAt(HOSTILE, 4, 1, 5),), (HOSTILE,), (), True)
    one = Impact(HOSTILE, HOSTILE, HOSTILE, name, "legal", "illegal", (effect,), ())
    return Impacts(
        Days("2024-01-01", "2024-01-15"), (one,) * decks, (one._replace(before="illegal"),), decks + 1
    )


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_hostile_names_do_nothing(lang: str) -> None:
    impacts_ = hostile_impacts()
    for said in (
        render_text(impacts_, Look(lang)),
        render_markdown(impacts_, Look(lang)),
        render_json(impacts_, Look(lang)),
    ):
        assert all(char.isprintable() or char in "\n　" for char in said)
        assert not re.search(r"(?m)^::", said)
    assert len(render_text(impacts_, Look(lang)).splitlines()) == 14
    assert json.loads(render_json(impacts_, Look(lang)))["decks"][0]["path"] == HOSTILE
    table = render_markdown(impacts_, Look(lang))
    rows = [line for line in table.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {6}
    # Outside of code there is nothing that Markdown reads.
    assert not re.search(r"[<@#!\[]", re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", "\n".join(rows)))


def test_markdown_is_no_longer_than_a_comment_may_be() -> None:
    said = render_markdown(hostile_impacts(2000), Look("en"))
    assert len(said.encode()) <= impactmarkdown.MOST_BYTES
    told = said.count("legal → illegal")
    assert 10 < told < 2000
    assert f"and {2000 - told:,} more decks" in said
    assert "### Same verdict, other findings" in said


def test_a_run_is_deterministic(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for at in range(60):
        text = f"{at % 4 + 1} x 天災 デドダム\n4 x コッコ・ルピア\n{at % 5 + 1} x 青銅の鎧\n1 x ボルメテウス・ホワイト・ドラゴン\n"
        saved(tmp_path, name=f"{at:02}.txt", text=text)
    seen = []
    for _ in range(2):
        run([str(tmp_path)], asked("2024-01-01", "2024-01-15"))
        seen.append(capsys.readouterr().out)
    assert seen[0] == seen[1]
    assert "60 decks" in seen[0]
    paths = re.findall(r"(?m)^\S+?(\d\d)\.txt:", seen[0].partition("same verdict")[0])
    assert paths == sorted(paths)


def test_the_environment_may_name_the_format() -> None:
    named = impact("--isolated", *DAYS, "--lang", "en", "decks", DECKCHECK_FORMAT="format.yaml")
    assert named.stdout == printed(*DAYS, "--lang", "en")
