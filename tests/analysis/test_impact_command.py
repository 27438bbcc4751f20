"""`deckcheck impact` as people use it: statuses, settings, files of what is announced, and names that do harm."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from factories.analysis_runs import DAYS, DECKS, ENTRY, FORMAT, announced, impact, printed, run, saved
from factories.commands import run_here
from jsonschema import Draft7Validator
from msgspec.structs import replace

from deckcheck.analysis.which_and_impact import (
    ChangedEntry,
    ChangedFinding,
    Days,
    Impact,
    Impacts,
    Status,
    render_json,
    render_markdown,
    render_text,
)
from deckcheck.checking.deck_files import DeckSearch
from deckcheck.model.finding import CardAt, Finding, Verdict
from deckcheck.model.format import Source
from deckcheck.report.markdown import MOST
from deckcheck.report.results import RenderOptions
from deckcheck.support.documents import load_schema
from deckcheck.support.errors import UserError
from deckcheck.support.messages import Localized


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
    assert run(saved(tmp_path, text=text), "2024-01-11", "2024-01-15") == status


def test_what_cannot_be_read_is_2_and_does_not_stop_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved(tmp_path, name="a.txt", text="8 x 天災 デドダム\n")
    (tmp_path / "b.txt").write_bytes(b"\0\0")
    saved(tmp_path, name="c.txt", text="4 x コッコ・ルピア\n4 x 天災 デドダム\n")
    words = ("-f", FORMAT, "--from", "2024-01-11", "--to", "2024-01-15", "--lang", "en")
    assert run_here("impact", *words, tmp_path, tmp_path / "none.txt") == 2
    out, err = capsys.readouterr()
    assert "c.txt: legal → illegal" in out
    assert "2 decks: 1 with another verdict (1 worse)" in out
    assert "(and 2 that could not be checked)" in out
    assert "b.txt" in err
    assert "none.txt" in err
    assert run_here("impact", *words, "--output-format", "json", tmp_path) == 2
    report = json.loads(capsys.readouterr().out)
    Draft7Validator(load_schema("impact")).validate(report)
    assert [Path(one["path"]).name for one in report["errors"]] == ["b.txt"]
    assert report["summary"]["not_checked"] == 1


def test_the_day_of_the_deck_is_ignored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "# date: 2031-01-01\n# as-of: no day at all\n4 x コッコ・ルピア\n4 x 天災 デドダム\n"
    assert run(saved(tmp_path, text=text), "2024-01-11", "2024-01-15") == 1
    assert "legal → illegal" in capsys.readouterr().out


def test_the_results_go_over_no_file_that_is_read(tmp_path: Path) -> None:
    deck = saved(tmp_path)
    file = announced(tmp_path, ENTRY.format(day="2030-01-01", status="free"))
    for read in (deck, file):
        before = Path(read).read_bytes()
        assert run(deck, "2024-01-16", file, output=read, output_format="markdown") == 2
        assert Path(read).read_bytes() == before


def test_standard_input_and_its_language() -> None:
    text = "4 x コッコ・ルピア\n4 x 天災 デドダム\n".encode()
    arguments = ("-f", "format.yaml", "--from", "2024-01-11", "--to", "2024-01-15", "-")
    assert "-: legal → illegal" in impact(*arguments, given=text).stdout.decode()
    assert "問題なし → 違反あり" in impact(*arguments, given=text, LANG="ja_JP.UTF-8").stdout.decode()


def test_settings_count(tmp_path: Path) -> None:
    """Formats by path, lists from folders of one's own, what is ignored and what is left out."""
    banlist = (DECKS / "banlist.yaml").read_text("utf-8").replace("turning-list", "turning/list")
    format = (DECKS / "format.yaml").read_text("utf-8").replace("format: turning", "format: turning/own")
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


def test_a_report_of_ours_is_no_deck(tmp_path: Path) -> None:
    """So that a report in a folder of decks is not checked as one."""
    (tmp_path / "impact.json").write_bytes(printed(*DAYS, "--output-format", "json"))
    search = DeckSearch()
    assert all(isinstance(one, UserError) for one in search.decks([str(tmp_path)]))
    assert list(search.passed_over) == [str(tmp_path / "impact.json")]


# What is announced. Mistakes in it stand in the contract, `impact.yaml`.


def test_the_whole_list_is_as_good_as_what_is_new(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = (DECKS / "banlist.yaml").read_text("utf-8")
    new = "  - card: フェアリー・ライフ\n    history:\n      - {from: 2024-06-01, status: premium}\n"
    outputs = []
    for name, text in (
        ("whole", whole.replace("cards:\n", "cards:\n" + new)),
        ("new", f"banlist: turning-list\nname: New\ncards:\n{new}"),
    ):
        file = saved(tmp_path, name=f"{name}.yaml", text=text)
        assert run(saved(tmp_path), "2024-01-16", file) == 1
        out = capsys.readouterr().out
        assert f"{file}:6" in out
        outputs.append(out.replace(file, "FILE"))
    assert outputs[0] == outputs[1]


@pytest.mark.parametrize(
    ("days", "held", "turn", "change"),
    [
        (("2024-03-10", "2024-03-11"), "4 x 超神羅星アポロヌス・ドラゲリオン", "gained", ("free", "hall")),
        (("2024-03-10", "2024-03-11"), "4 x ボルバルザーク・エクス", "lost", ("hall", "free")),
        (("2025-08-11", "2025-08-12"), "1 x 雷炎翔鎧バルピアレスク", "gained", ("hall", "premium")),
        (("2022-08-14", "2022-08-15"), "1 x 禁断英雄 モモキングダムX", "gained", ("free", "pair")),
    ],
)
def test_changes_of_the_official_list(
    capsysbinary: pytest.CaptureFixture[bytes],
    tmp_path: Path,
    days: tuple[str, str],
    held: str,
    turn: str,
    change: tuple[str, str],
) -> None:
    deck = saved(tmp_path, text=f"{held}\n1 x 未来王龍 モモキングJO\n35 x アクア・ガード\n")
    run(deck, *days, format="duel-masters/original", output_format="json")
    report = json.loads(capsysbinary.readouterr().out)
    Draft7Validator(load_schema("impact")).validate(report)
    [changed] = [one for found in report["decks"] for one in found["findings"] if one["rule"] != "copies"]
    [entry] = changed["entries"]
    assert (changed["change"], changed["line"]) == (turn, 1)
    assert (entry["before"]["status"], entry["after"]["status"]) == change
    assert (entry["list"], entry["since"]) == ("duel-masters/hall-of-fame", days[1])
    said = (Path(__file__).parents[2] / entry["source"]["path"]).read_text("utf-8").splitlines()
    line = said[entry["source"]["line"] - 1]
    assert line.split() == f"- {{from: {days[1]}, status: {change[1]}}}".split()


# Names that do harm.

HOSTILE = "\x1b[31m|<b>`@all`\n::error::\u202ehttps://x.y #1 ![a](b)"


def hostile_impacts(decks: int = 1) -> Impacts:
    name = Localized(HOSTILE, HOSTILE)
    entry = ChangedEntry(
        HOSTILE,
        name,
        ((HOSTILE,),),
        Status("free", name),
        Status("hall", name),
        "2024-01-15",
        Source(HOSTILE, 3),
    )
    finding = Finding(HOSTILE, "error", "violated", name, 1, 5, cards=(CardAt(HOSTILE, 4, 1, 5),))
    changed = ChangedFinding(finding, True, (entry,))
    one = Impact(HOSTILE, HOSTILE, HOSTILE, name, Verdict.LEGAL, Verdict.ILLEGAL, (changed,))
    return Impacts(
        Days("2024-01-01", "2024-01-15"), (*(one,) * decks, replace(one, before=Verdict.ILLEGAL)), decks + 1
    )


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_hostile_names_do_nothing(lang: str) -> None:
    impacts_ = hostile_impacts()
    for said in (
        render_text(impacts_, RenderOptions(lang)),
        render_markdown(impacts_, RenderOptions(lang)),
        render_json(impacts_, RenderOptions(lang)),
    ):
        assert all(char.isprintable() or char in "\n　" for char in said)
        assert not re.search(r"(?m)^::", said)
    assert len(render_text(impacts_, RenderOptions(lang)).splitlines()) == 17
    assert json.loads(render_json(impacts_, RenderOptions(lang)))["decks"][0]["path"] == HOSTILE
    table = render_markdown(impacts_, RenderOptions(lang))
    rows = [line for line in table.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {5}
    # Outside of code there is nothing that Markdown reads.
    assert not re.search(r"[<@#!\[]", re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", "\n".join(rows)))


def test_markdown_is_no_longer_than_a_comment_may_be() -> None:
    said = render_markdown(hostile_impacts(2000), RenderOptions("en"))
    assert len(said) <= MOST
    told = said.count("legal → illegal")
    assert 10 < told < 2000
    assert f"and {2000 - told:,} more decks" in said
    assert "### Same verdict, other findings" in said
