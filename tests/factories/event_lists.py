"""Lists and events to register: real cards, made-up players."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from deckcheck.checking.judge import LoadedFormat, load_format

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


@cache
def duemagic() -> LoadedFormat:
    """The format of most tests here."""
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


def a_list(player: str | None, text: str, **fields: str) -> str:
    """A list with a header that says who plays it."""
    said = ({"player": player} if player is not None else {}) | fields
    return "".join(f"# {key}: {value}\n" for key, value in said.items()) + text


def an_event(folder: Path, *lists: str, more: str = "", text: str = EVENT) -> Path:
    """The file of an event in `folder` with these lists; their files are called 01.txt and so on."""
    home = folder / "lists"
    home.mkdir(exist_ok=True)
    for number, written in enumerate(lists, 1):
        (home / f"{number:02}.txt").write_text(written, encoding="utf-8")
    file = folder / "event.yaml"
    file.write_text(text + more, encoding="utf-8")
    return file
