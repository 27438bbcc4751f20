"""Small files in the forms of Scryfall. The cards are made up."""

from __future__ import annotations

import json
from typing import Any

Json = dict[str, Any]

LEGAL = {"modern": "legal", "legacy": "legal", "pauper": "not_legal", "vintage": "legal"}


def printed(name: str, set: str = "aaa", **more: Any) -> Json:
    """A card of Scryfall: an artifact for {2}."""
    made = {
        "object": "card",
        "oracle_id": f"oracle-{name}",
        "name": name,
        "lang": "en",
        "layout": "normal",
        "mana_cost": "{2}",
        "cmc": 2.0,
        "type_line": "Artifact",
        "oracle_text": "",
        "colors": [],
        "color_identity": [],
        "keywords": [],
        "legalities": LEGAL,
        "games": ["paper", "mtgo"],
        "set": set,
        "released_at": "2001-01-01",
        "rarity": "rare",
        "image_uris": {"small": "-"},
    }
    return {key: value for key, value in (made | more).items() if value is not None}


def face(name: str, line: str, cost: str, colours: str = "", text: str = "", **more: Any) -> Json:
    return {
        "object": "card_face",
        "name": name,
        "type_line": line,
        "mana_cost": cost,
        "colors": list(colours),
        "oracle_text": text,
    } | more


def faced(name: str, layout: str, *faces: Json, **more: Any) -> Json:
    blank = {"mana_cost": None, "oracle_text": None, "colors": None}
    line = " // ".join(one["type_line"] for one in faces)
    return printed(name, layout=layout, type_line=line, card_faces=list(faces), **(blank | more))


ORACLE: list[Json] = [
    printed("Tin Kite", oracle_text="{T}: Fly once.", keywords=["Flying"]),
    faced(
        "Salt // Sand",
        "split",
        face("Salt", "Instant", "{1}{R}", "R"),
        face("Sand", "Sorcery", "{1}{U}", "U"),
        mana_cost="{1}{R} // {1}{U}",
        colors=["R", "U"],
        color_identity=["R", "U"],
        cmc=4.0,
    ),
    faced(
        "Kite Giant // Wind Gust",
        "adventure",
        face("Kite Giant", "Creature — Giant", "{2}{G}", "G", power="4", toughness="3"),
        face("Wind Gust", "Instant — Adventure", "{1}{R}", "R"),
        color_identity=["G", "R"],
        colors=["G"],
        cmc=3.0,
    ),
    faced(
        "Day Moth // Night Moth",
        "transform",
        face("Day Moth", "Creature — Insect", "{W}", "W", "Flying"),
        face("Night Moth", "Creature — Insect", "", "B", "{B}: Buzz."),
        color_identity=["B", "W"],
        keywords=["Flying", "Buzz"],
        cmc=1.0,
    ),
    printed(
        "Left Wing",
        layout="meld",
        type_line="Creature — Bird",
        mana_cost="{3}{W}",
        cmc=4.0,
        colors=["W"],
        all_parts=[
            {"object": "related_card", "component": "meld_part", "name": "Right Wing"},
            {"object": "related_card", "component": "meld_result", "name": "Great Bird"},
        ],
    ),
    printed(
        "Right Wing",
        layout="meld",
        type_line="Creature — Bird",
        all_parts=[{"object": "related_card", "component": "meld_result", "name": "Great Bird"}],
    ),
    printed(
        "Great Bird",
        layout="meld",
        type_line="Creature — Bird",
        all_parts=[{"object": "related_card", "component": "meld_result", "name": "Great Bird"}],
    ),
    printed("Bare Thing", type_line=None, mana_cost=None, cmc=None, oracle_text=None, legalities=None)
    | {"keywords": None, "colors": None, "color_identity": None, "new_field": [[1]]},
    printed("Odd Thing", keywords=7),
    printed("A-Tin Kite", promo_types=["rebalanced"], games=["arena"]),
    printed("Bird", layout="token", type_line="Token Creature — Bird"),
    printed("Tin Kite", layout="art_series", type_line="Card // Card", oracle_id="art"),
    {"object": "set", "code": "aaa"},
]


def scryfall(cards: list[Json] | None = None) -> bytes:
    """Bulk data as it comes: a card a line."""
    lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in (ORACLE if cards is None else cards))
    return f"[\n{lines}\n]\n".encode()


DEFAULT = [
    *ORACLE,
    printed(
        "Tin Kite",
        "bbb",
        rarity="common",
        released_at="2020-02-02",
        oracle_text="{T}: Fly once.",
        keywords=["Flying"],
    )
    | {"flavor_name": "Kite of Tales"},
    printed("Tin Kite", "ccc", games=["arena"], oracle_text="{T}: Fly once.", keywords=["Flying"], lang="ja")
    | {"printed_name": "ブリキの凧", "released_at": "1999-09-09"},
    printed(
        "Mirror Kite // Mirror Kite", layout="reversible_card", oracle_id=None, type_line=None, mana_cost=None
    )
    | {
        "card_faces": [
            face("Mirror Kite", "Artifact", "{3}", oracle_id="oracle-Mirror Kite", layout="normal", cmc=3.0),
            face("Mirror Kite", "Artifact", "{3}", oracle_id="oracle-Mirror Kite", layout="normal", cmc=3.0),
        ]
    },
]
