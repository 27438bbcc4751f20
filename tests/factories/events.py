"""Events on disk, of real cards and made-up players, and what the command line does with them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from deckcheck.checking.judge import LoadedFormat, load_format
from factories.commands import Done, deckcheck

NOW = datetime(2026, 11, 27, 12, 0, tzinfo=UTC)
MAIN = (
    "アクア・サーファー",
    "エナジー・ライト",
    "エマージェンシー・タイフーン",
    "ドンドン吸い込むナウ",
    "フェイト・カーペンター",
    "デーモン・ハンド",
    "地獄門デス・ゲート",
    "ゴースト・タッチ",
    "学校男",
    "停滞の影タイム・トリッパー",
    "福腹人形コダマンマ",
    "青銅の鎧",
)
SIDE = ("悪魔神バロム", "フェアリー・ライフ", "アクア・ハルカス")
EVENT = """\
event: winter-cup
name: {ja: 冬のデュエマジック杯, en: Winter cup}
date: 2026-11-28
as_of: 2026-11-27
format: duel-masters/duemagic
entries:
  - lists
"""
FORM = """\
event: cup
name: Cup
date: 2026-11-28
as_of: 2026-11-27
deadline: 2026-11-27 20:00
format: duel-masters/duemagic
entries:
  - file: form.csv
    columns: {submitted: タイムスタンプ, name: お名前, id: 会員番号, deck: リスト}
"""
OWN_RULES = {
    "x.yaml": "format: club/x\nname: X\nextends: base.yaml\nbanlists: [list.yaml]\n",
    "base.yaml": "format: duel-masters/base\nname: B\nzones: {main: {}}\nrules:\n"
    "  - {id: size, in: main, exactly: 40}\n  - {id: out, where: {status: banned}, at_most: 0}\n",
    "list.yaml": "banlist: club/list\nname: L\n"
    "cards: [{card: 学校男, history: [{from: 2026-01-01, status: banned}]}]\n",
}
"""A format that an organiser wrote, of three files: forty cards, 学校男 banned."""
JUDGE = ("--by", "白石", "--reason", "train was late")


@cache
def duemagic() -> LoadedFormat:
    """The format of most events here."""
    return load_format("duel-masters/duemagic")


def legal(turn: int = 0) -> str:
    """A legal list of 50 and 12 cards; another for each `turn` of 12."""
    names = MAIN[turn % 12 :] + MAIN[: turn % 12]
    main = [f"4 x {name}" for name in names[:11]] + [f"3 x {names[11]}", "3 x アクア・ナイト"]
    side = [f"4 x {name}" for name in SIDE]
    return "\n".join(["メインデッキ", *main, "", "サイドボード", *side, ""])


ILLEGAL = legal().replace("4 x アクア・サーファー", "5 x アクア・サーファー")
"""Five of a name, and 51 cards."""

UNDECIDED = legal().replace("3 x アクア・ナイト", "3 x 誰も知らない新カード")
"""A card that nobody knows."""

UNREADABLE = legal().replace("4 x アクア・サーファー", "4 x アクア・サーファー\n&&&& ???? 12:")
"""A line that is no card."""


def put(folder: Path, files: Mapping[str, str]) -> None:
    """Write files into a folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def a_list(player: str | None, text: str, **fields: str) -> str:
    """A list with a header that says who plays it."""
    said = ({"player": player} if player is not None else {}) | fields
    return "".join(f"# {key}: {value}\n" for key, value in said.items()) + text


def an_event(folder: Path, *lists: str, more: str = "", text: str = EVENT) -> Path:
    """The file of an event in `folder` with these lists; their files are called 01.txt and so on."""
    (folder / "lists").mkdir(exist_ok=True)
    put(folder, {f"lists/{number:02}.txt": written for number, written in enumerate(lists, 1)})
    put(folder, {"event.yaml": text + more})
    return folder / "event.yaml"


def event_of_three(folder: Path) -> Path:
    """A folder with an event: two legal lists and an illegal one."""
    lists = (
        a_list("水野 光", legal(), reading="みずの ひかる", id="0017"),
        a_list("乙", legal(1)),
        a_list("甲", ILLEGAL),
    )
    return an_event(folder, *lists).parent


def form_row(when: str, name: str, id: str, text: str) -> str:
    """A row of the form; the day stands for the year's, `when` being like "26 10:00"."""
    return f'2026/11/{when}:00,{name},{id},"{text}"\n'


def form_event(folder: Path, *rows: str) -> None:
    """An event whose lists come by a form."""
    put(folder, {"event.yaml": FORM, "form.csv": "タイムスタンプ,お名前,会員番号,リスト\n" + "".join(rows)})


def run(folder: Path, *words: str, stdin: str = "") -> Done:
    """What deckcheck does in the folder of an event."""
    return deckcheck(*words, cwd=folder, given=stdin, DECKCHECK_LANG="en")


def accept(folder: Path, *words: str) -> Done:
    """Accept all lists, or those of the players that are named."""
    return run(folder, "event", "accept", "event.yaml", *words)


def entries(folder: Path) -> list[dict[str, Any]]:
    """The roster as JSON has it."""
    done = run(folder, "event", "check", "event.yaml", "--output-format", "json")
    found: list[dict[str, Any]] = json.loads(done.out)["entries"]
    return found


def receipts(folder: Path, event: str = "cup") -> list[dict[str, Any]]:
    """The receipts in the log, as they are written there."""
    lines = (folder / f"{event}.log.jsonl").read_text("utf-8").splitlines()
    return [entry for entry in map(json.loads, lines) if entry["kind"] == "receipt"]
