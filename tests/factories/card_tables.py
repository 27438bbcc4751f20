"""A small table of the garden's cards, with every kind of name, and files that hold such tables."""

from __future__ import annotations

import json
from pathlib import Path

from deckcheck.cards.catalog import CardTable

SETS = {"released": {"K1": "2001-01-01", "K2": "2002-02-02"}, "approximate": ["K2"], "newest": "2002-02"}
CARDS = [
    {
        "name": "天の ドラゴン凧",
        "aliases": ["Sky Dragon"],
        "colour": ["red"],
        "cost": 3,
        "printings": [{"set": "K2", "rarity": "R"}, {"set": "K1"}, {"set": "K1", "rarity": None}],
    },
    {"name": "赤い凧／青い凧", "parts": [{"name": "赤い凧", "cost": 1}, {"name": "青い凧"}], "kind": []},
    {"name": "青い凧", "cost": "∞", "home": "side"},
    {"name": "表の月", "faces": [{"name": "裏の月"}, {"name": "影の月"}], "released": "2005-05-05"},
    {"name": "左の翼", "aliases": ["対の片方"]},
    {
        "name": "右の翼",
        "aliases": ["対の片方"],
        "printings": [{"set": "PROMO", "rarity": "<=U"}, {"set": "K1"}],
    },
    {"name": "大きな翼", "made_of": ["左の翼", "右の翼"]},
    {"name": "白き翼(ホワイト・ウイング)", "partial": ["kind"], "kind": ["wing"], "verified": False},
    {"name": "弓(ゆみ)"},
    {"name": "弓(きゅう)"},
]


def write_table(folder: Path, cards: list[dict[str, object]], corrections: str = "") -> Path:
    """A bundle of source files in `folder`, which is returned."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(card, ensure_ascii=False) + "\n" for card in cards)
    (folder / "cards.jsonl").write_text("".join(lines), encoding="utf-8")
    (folder / "sets.json").write_text(json.dumps(SETS), encoding="utf-8")
    if corrections:
        (folder / "corrections.yaml").write_text(corrections, encoding="utf-8")
    return folder


def names(table: CardTable, name: str) -> list[str]:
    return [card.name for card in table.find(name)]
