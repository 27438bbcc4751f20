"""Lists, the formats that they may fit, and `deckcheck which` as a command."""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

from deckcheck.analysis.which import FormatMatches
from deckcheck.checking.judge import LoadedFormat
from deckcheck.checking.session import FormatCache, index_formats
from deckcheck.formats.lookup import BUNDLED_ONLY
from deckcheck.model.finding import Report
from factories.commands import run_process

LISTS = Path(__file__).parent.parent / "contract" / "files" / "which"


@cache
def formats() -> tuple[LoadedFormat, ...]:
    found, problems = index_formats(FormatCache().load, BUNDLED_ONLY)
    assert problems == ()
    return tuple(one for one in found if one.format.game == "duel-masters")


def reports_of(fits: FormatMatches) -> list[Report]:
    return [report for game in fits.games for report in game.reports]


def deckcheck(*arguments: str, given: bytes = b"", cwd: Path = LISTS) -> subprocess.CompletedProcess[bytes]:
    kept = {key: value for key, value in os.environ.items() if key not in ("FORCE_COLOR", "LANG", "LC_ALL")}
    return run_process(["which", *arguments], cwd=cwd, env=kept | {"PYTHONUTF8": "1"}, given=given)


NAMES = [
    "アクア・サーファー", "終末の時計 ザ・クロック", "天災 デドダム", "青銅の鎧",
    "フェアリー・ライフ", "魔龍バベルギヌス", "時空の花カイマン", "全能ゼンノー", "零龍",
    "イエローカード", "誰も知らないカード", "激竜王ガイアール・オウドラゴン",
    "禁断英雄 モモキングダムX", "未来王龍 モモキングJO",
]  # fmt: skip
HEADINGS = ["メインデッキ", "サイドボード", "超次元ゾーン", "超GRゾーン", "統率者", "パートナー"]
card_lines = st.builds(
    "{} x {}{}".format,
    st.integers(1, 41),
    st.sampled_from(NAMES),
    st.sampled_from(
        ["", "", "", "  # deckcheck: ignore[copies] 練習", "  # deckcheck: ignore[main-size, ?]"]
    ),
)
lines = st.lists(
    st.one_of(card_lines, card_lines, st.sampled_from([*HEADINGS, "", "?? 4 4 ??", "合計 40枚"])), max_size=12
)
