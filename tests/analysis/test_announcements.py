"""`deckcheck impact` with a file of what is announced: its days, its mistakes, and the official list."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from factories.analysis_runs import DECKS, ENTRY, announced, run, saved
from jsonschema import Draft7Validator

from deckcheck.support.documents import load_schema


def test_an_announcement_counts_on_its_newest_day(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deck, file = saved(tmp_path), str(DECKS / "announcement.yaml")
    assert run(deck, "2024-01-16", file) == 1
    out = capsys.readouterr().out
    assert out.startswith("2024-01-16 → 2024-06-01 (announcement: ")
    assert "Premium Hall of Fame since 2024-06-01" in out and f"{file}:" in out


@pytest.mark.parametrize(
    ("text", "said", "place"),
    [
        (ENTRY.format(day="2024-13-01", status="hall"), "“2024-13-01” is not a valid date", (6, 10)),
        (ENTRY.format(day="2030-01-01", status="hal"), "there is no status 'hal'", (6, 28)),
        (ENTRY.format(day="2030-01-01", status="hall"), "this change has no effect", (6, 28)),
        (ENTRY.format(day="2010-01-01", status="free"), "this change has no effect", (6, 28)),
        (ENTRY.format(day="2030-01-01", status="banned"), "no rule of the decks' format", (6, 28)),
        (ENTRY.format(day="2030-01-01", status="pair"), "no rule of the decks' format", (6, 28)),
        (
            ENTRY.format(day="2030-01-01", status="free") + "      - {from: 2029-01-01, status: hall}\n",
            "the dates are not in order",
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
            "is listed twice",
            (7, 5),
        ),
        (
            "combinations:\n  - sides: [[青銅の鎧], [青銅の鎧, 天災 デドダム]]\n"
            "    history: [{from: 2030-01-01, status: pair}]\n",
            "one card is on two sides",
            (4, 5),
        ),
        (
            2 * "  - sides: [[青銅の鎧], [天災 デドダム]]\n    history: [{from: 2030-01-01, status: pair}]\n",
            "this combination is listed twice",
            (6, 5),
        ),
        ("cards: []\n", "no change is written here", (1, 1)),
        ("card: []\n", "unknown key 'card'", (3, 1)),
        (
            ENTRY.format(day="2030-01-01", status="free") + "complete_through: 2024-02-31\n",
            "not a valid date",
            (7, 1),
        ),
        (
            ENTRY.format(day="2030-01-01", status="free") + "source: {title: x, date: 2024-02-31}\n",
            "“2024-02-31” is not a valid date",
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
    assert run(saved(tmp_path), "2005-01-01", file) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"{file}:{place[0]}:{place[1]}: error: ") and err.count("error: ") == 1
    assert said in err and ("^" in err or "YAML" in said)
    run(saved(tmp_path), "2005-01-01", file, lang="ja")
    assert re.search("エラー：.*[ぁ-ん]", capsys.readouterr().err)


def test_all_mistakes_of_an_announcement_are_told_in_their_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (
        "combinations:\n  - sides: [[いない], [青銅の鎧]]\n    history: [{from: 2030-01-01, status: pair}]\n"
    )
    file = announced(
        tmp_path, text + ENTRY.format(day="2030-01-01", status="hal") + "complete_through: 2024-02-31\n"
    )
    assert run(saved(tmp_path), "2024-01-16", file) == 2
    assert re.findall(r"(?m):(\d+):\d+: error: ", capsys.readouterr().err) == ["4", "9", "10"]


def test_an_announcement_for_a_list_that_nobody_uses_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = ENTRY.format(day="2030-01-01", status="free")
    for name, hint in (("turning-lists", "did you mean 'turning-list'?"), ("zzz", "turning-list")):
        file = announced(tmp_path, entry, banlist=name)
        assert run(saved(tmp_path), "2024-01-16", file) == 2
        out, err = capsys.readouterr()
        assert out == "" and err.startswith(f"{file}:1:")
        assert f"'{name}'" in err and hint in err
    # Where no deck can be read, nobody knows which lists are used.
    assert run(str(tmp_path / "none.txt"), "2024-01-16", file) == 2


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
    status = run(deck, *days, format="duel-masters/original", output_format="json")
    report = json.loads(capsysbinary.readouterr().out)
    Draft7Validator(load_schema("impact")).validate(report)
    assert status == (turn == "worse")
    [found] = report["decks"]
    verdicts = ("legal", "illegal") if turn == "worse" else ("illegal", "legal")
    assert (found["before"], found["after"]) == verdicts
    [changed] = found["findings"]
    [entry] = changed["entries"]
    assert (entry["before"]["status"], entry["after"]["status"]) == change
    assert (entry["list"], entry["since"], changed["line"]) == (HALL, days[1], 1)
    root = Path(__file__).parent.parent.parent
    said = (root / entry["source"]["path"]).read_text("utf-8").splitlines()[entry["source"]["line"] - 1]
    assert said.split() == f"- {{from: {days[1]}, status: {change[1]}}}".split()
