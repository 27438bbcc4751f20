"""Card tables with some of the bundled cards, for tests that open or compile whole tables over and over."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import yaml

from deckcheck.cards.catalog import DATA
from deckcheck.support.files import shipped

STEP = 40
"""Of so many cards one is kept, whatever it is."""
PLAIN_NAMES = {
    "Bell",
    "Black Lotus",
    "Blue-Eyes White Dragon",
    "Dark Magician",
    "Duress",
    "Elesh Norn, Grand Cenobite",
    "Erase (Not the Urza's Legacy One)",
    "Forest",
    "Fry",
    "Island",
    "Lightning Bolt",
    "Llanowar Elves",
    "Mountain",
    "Plains",
    "Pyroblast",
    "Shock",
    "Smash to Smithereens",
    "Swamp",
    "アクア・ガード",
    "アクア・サーファー",
    "アクア・ナイト",
    "アクア・ハルカス",
    "アクア・ビークル",
    "コッコ・ルピア",
    "デーモン・ハンド",
    "フェアリー・ライフ",
    "ホーリー・スパーク",
    "ローズ・キャッスル",
    "全能ゼンノー",
    "天災 デドダム",
    "時空の花カイマン",
    "白銀の牙",
    "青銅の鎧",
}
"""Cards that tests put into decks, and that neither a format nor a list names."""


def write_fewer_cards(folder: Path) -> None:
    """Write the texts of all games' cards, as `deckcheck/data` has them, but of fewer cards.

    Kept are those that formats, banlists and corrections name, one with each word that cards can have, and some others.
    """
    if folder.exists():
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=folder.parent))
    for cards in DATA.glob("*/cards.jsonl"):
        game = made / cards.parent.name
        shutil.copytree(cards.parent, game, ignore=shutil.ignore_patterns("cards.*"))
        (game / "cards.jsonl").write_text("".join(_kept(cards)), "utf-8")
    try:
        made.rename(folder)
    except OSError:
        # Another process was earlier.
        shutil.rmtree(made)


def _kept(cards: Path) -> Iterator[str]:
    game = cards.parent.name
    texts = [cards.with_name("corrections.yaml"), *(shipped("formats") / game).glob("*.yaml")]
    texts += (shipped("banlists") / game).glob("*.yaml")
    named = set(PLAIN_NAMES)
    for text in texts:
        if text.exists():
            named.update(_leaves(yaml.load(text.read_text("utf-8"), yaml.CBaseLoader)))
    records = {line: msgspec.json.decode(line) for line in cards.read_text("utf-8").splitlines(keepends=True)}
    named.update(name for record in records.values() for name in record.get("made_of") or ())
    words: set[tuple[str, str]] = set()
    for number, (line, record) in enumerate(records.items()):
        parts = (part["name"] for part in record.get("parts", ()))
        names = {record["name"], *record.get("aliases", ()), *parts}
        new = set(_words(record)) - words
        if number % STEP == 0 or new or not named.isdisjoint(names):
            words |= new
            yield line


def _leaves(tree: Any) -> Iterator[str]:
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield key
            yield from _leaves(value)
    elif isinstance(tree, list):
        for item in tree:
            yield from _leaves(item)
    else:
        yield tree


def _words(record: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for key, value in record.items():
        for item in (
            value if isinstance(value, list) and key not in ("aliases", "partner_with", "made_of") else ()
        ):
            if isinstance(item, dict):
                yield from _words(item)
            else:
                yield key, item
