"""`deckcheck which` and `deckcheck impact` as commands, and lists for them."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from deckcheck.analysis.which_and_impact import FormatMatch, FormatMatches
from deckcheck.analysis.which_and_impact import which as find
from deckcheck.checking.judge import LoadedFormat, Loader
from deckcheck.checking.session import CheckOptions
from factories.commands import environment, run_here, run_process
from factories.files import put

DECKS = Path(__file__).parent.parent / "contract" / "files" / "impact"
FORMAT = str(DECKS / "format.yaml")
DAYS = ("--from", "2024-01-01", "--to", "2024-01-15")


def impact(
    *arguments: str, cwd: Path = DECKS, given: bytes = b"", **more: str
) -> subprocess.CompletedProcess[bytes]:
    return run_process(["impact", *arguments], cwd=cwd, env=environment(**more), given=given)


def printed(*arguments: str) -> bytes:
    done = impact("--format", "format.yaml", *arguments, "decks")
    assert (done.returncode, done.stderr) == (1, b"")
    return done.stdout


DECK = "4 x フェアリー・ライフ\n4 x コッコ・ルピア\n"


def run(path: str, *days: str, format: str = FORMAT, lang: str = "en", **options: str) -> int:
    """`deckcheck impact` in this process: `days` are the earlier one, which may be left out, and the later one."""
    words = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    before = [f"--from={day}" for day in days[:-1]]
    return run_here("impact", *before, f"--to={days[-1]}", "-f", format, "--lang", lang, *words, path)


def saved(folder: Path, *, name: str = "deck.txt", text: str = DECK) -> str:
    return str(put(folder / name, text))


ENTRY = "cards:\n  - card: 天災 デドダム\n    history:\n      - {{from: {day}, status: {status}}}\n"


def announced(folder: Path, text: str, *, banlist: str = "turning-list") -> str:
    return saved(folder, name="new.yaml", text=f"banlist: {banlist}\nname: New\n{text}")


# which

LISTS = Path(__file__).parent.parent / "contract" / "files" / "which"


@cache
def formats() -> tuple[LoadedFormat, ...]:
    found, problems = Loader().playable_formats()
    assert problems == ()
    return tuple(one for one in found if one.format.game == "duel-masters")


def matched(text: str, path: str, formats: Sequence[LoadedFormat], **options: Any) -> FormatMatches:
    """The list in each of the formats; options are those of a check."""
    tables = {one.format.game: one.game_data for one in formats}
    decks = {game: table.read(text, path, None) for game, table in tables.items()}
    return find(text, path, formats, CheckOptions(**options), decks)


def matches_of(found: FormatMatches) -> dict[str, FormatMatch]:
    """What each format says, by its id."""
    return {match.format: match for game in found.games for match in game.formats}


def which(*arguments: str, given: bytes = b"", cwd: Path = LISTS) -> subprocess.CompletedProcess[bytes]:
    return run_process(["which", *arguments], cwd=cwd, env=environment(), given=given)


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
