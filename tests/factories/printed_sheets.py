"""Sheets for the tests: of legal, illegal, undecided, long and empty lists."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from msgspec.structs import replace

from deckcheck.checking.judge import LoadedFormat, OpenedGames, check, load_format
from deckcheck.registration.event import Event
from deckcheck.registration.sheet import MOST_NOTES, Note, Page, sheet_of
from deckcheck.registration.submissions import Player
from deckcheck.support.files import shipped
from deckcheck.support.messages import Localized

PLAYER = Player("山田 花子", "やまだ はなこ", "hanako_dm", "0012-3456", "17")
EVENT = Event(
    id="autumn-2026",
    name=Localized("秋のデュエル祭 2026", "Autumn Duels 2026"),
    date="2026-11-22",
    time_zone="Asia/Tokyo",
    format="duel-masters/duemagic",
    as_of="2026-11-21",
    path=Path("event.yaml"),
    log=Path("log.jsonl"),
    sources=(),
    organiser="カードショップ アトラス",
)
Lang = str


Make = Callable[..., Page]
"""Makes a page, in Japanese unless told."""


def font_file() -> Path:
    """The font of the tests: Noto Sans CJK JP, whose outlines are CFF."""
    spec = find_spec("noto_cjk_sans_jp_regular")
    assert spec is not None and spec.submodule_search_locations
    [file] = Path(spec.submodule_search_locations[0]).glob("*.otf")
    return file


@cache
def loaded(format: str) -> LoadedFormat:
    return load_format(f"duel-masters/{format}", games=_TABLES)


_TABLES: OpenedGames = {}


def example(name: str) -> str:
    return (shipped("examples") / name).read_text("utf-8")


def legal_fifty() -> str:
    """Fifty cards and twelve beside them, legal."""
    text = example("water-darkness-duemagic.txt").replace("5 x アクア・サーファー", "4 x アクア・サーファー")
    return text.replace("3 x 終末の時計 ザ・クロック", "3 x アクア・ハルカス")


def sheet(
    text: str, format: str, lang: Lang = "ja", *, player: Player = PLAYER, event: Event | None = EVENT
) -> Page:
    rules = loaded(format)
    report = check(text, rules)
    return sheet_of(rules, lang, report.as_of, report=report, player=player, event=event)


def legal(lang: Lang = "ja") -> Page:
    return sheet(legal_fifty(), "duemagic", lang)


def illegal(lang: Lang = "ja") -> Page:
    player = replace(PLAYER, reading=None, table=None)
    return sheet(example("water-darkness-duemagic.txt"), "duemagic", lang, player=player)


def undecided(lang: Lang = "ja") -> Page:
    return sheet(example("dedodam-advance.txt"), "advance", lang)


def sixty(lang: Lang = "ja") -> Page:
    """Sixty names in one copy each."""
    return sheet(example("white-dragon-commander.txt"), "commander", lang)


def long_names(lang: Lang = "ja") -> Page:
    """The longest names that there are, which take several lines."""
    catalog = loaded("advance").game_data.catalog
    names = sorted((card.name for card in catalog), key=lambda name: (-len(name), name))[:14]
    return sheet("".join(f"3 x {name}\n" for name in names), "advance", lang)


def hundred(lang: Lang = "ja") -> Page:
    """A hundred different cards, as unlike in length as they come, and findings of as many rules as are printed."""
    # Pdfium reads no hyphen at the end of a line, and quotes in small print are too small to compare.
    cards = [
        card.name for card in loaded("commander").game_data.catalog if not re.search("[!-~‘-”]", card.name)
    ]
    cards = cards[2000:10000:79][:100]
    page = sheet(
        f"統率者\n1 x {cards[0]}\n" + "".join(f"1 x {name}\n" for name in cards[1:]), "commander", lang
    )
    long = {"ja": "とても長い説明です。" * 9, "en": "a very long explanation " * 8}[lang]
    notes = [Note("error", f"rule-{at}", f"{at} {long}") for at in range(MOST_NOTES // 2)]
    return replace(page, notes=tuple(notes))


def empty(lang: Lang = "ja", format: str = "duemagic") -> Page:
    return sheet_of(loaded(format), lang, "2026-11-21", event=EVENT)


def names_of(page: Page) -> list[str]:
    return [line.name for zone in page.zones for line in zone.lines]


def squeezed(text: str) -> str:
    return "".join(unicodedata.normalize("NFC", text).split())
