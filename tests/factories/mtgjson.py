"""Small files in the forms of MTGJSON. The cards are made up."""

from __future__ import annotations

import json
from typing import Any

EVERYWHERE = {"modern": "Legal", "legacy": "Legal", "vintage": "Legal", "commander": "Legal"}

Json = dict[str, Any]


def entry(name: str, **more: Any) -> Json:
    """A card of MTGJSON: an artifact for {2} that is legal in some formats."""
    made = {
        "name": name,
        "layout": "normal",
        "manaCost": "{2}",
        "manaValue": 2.0,
        "colors": [],
        "colorIdentity": [],
        "supertypes": [],
        "types": ["Artifact"],
        "subtypes": [],
        "type": "Artifact",
        "legalities": EVERYWHERE,
        "printings": ["AAA"],
        "identifiers": {"scryfallOracleId": f"oracle-{name}"},
    }
    return {key: value for key, value in (made | more).items() if value is not None}


def sides(whole: str, layout: str, *faces: Json) -> list[Json]:
    """The entries of a card with several faces, each with its own keys."""
    return [
        entry(
            whole,
            **(
                {
                    "layout": layout,
                    "faceName": whole.split(" // ")[at],
                    "side": "abc"[at],
                    "identifiers": {"scryfallOracleId": f"oracle-{whole}"},
                }
                | face
            ),
        )
        for at, face in enumerate(faces)
    ]


def creature(cost: str, value: float, colours: str, subtypes: list[str], text: str = "", **more: Any) -> Json:
    return {
        "manaCost": cost,
        "manaValue": value,
        "colors": list(colours),
        "colorIdentity": list(colours),
        "types": ["Creature"],
        "subtypes": subtypes,
        "type": "Creature",
        "power": "1",
        "toughness": "1",
        **({"text": text} if text else {}),
        **more,
    }


ATOMIC: dict[str, list[Json]] = {
    "Tin Kite": [
        entry(
            "Tin Kite",
            text="{T}: Fly once.",
            keywords=["Flying"],
            foreignData=[
                {"language": "Japanese", "name": "ブリキの凧"},
                {"language": "German", "name": "Blechdrachen"},
            ],
        )
    ],
    "Salt // Sand": sides(
        "Salt // Sand",
        "split",
        {
            "manaCost": "{1}{R}",
            "manaValue": 4.0,
            "faceManaValue": 2.0,
            "colors": ["R"],
            "colorIdentity": ["R", "U"],
            "types": ["Instant"],
            "foreignData": [{"language": "Japanese", "name": "塩 // 砂", "faceName": "塩"}],
        },
        {
            "manaCost": "{1}{U}",
            "manaValue": 4.0,
            "faceManaValue": 2.0,
            "colors": ["U"],
            "colorIdentity": ["R", "U"],
            "types": ["Sorcery"],
            "foreignData": [{"language": "Japanese", "name": "塩 // 砂", "faceName": "砂"}],
        },
    ),
    "Kite Giant // Wind Gust": sides(
        "Kite Giant // Wind Gust",
        "adventure",
        creature("{2}{G}", 3.0, "G", ["Giant"]) | {"faceManaValue": 3.0},
        {
            "manaCost": "{1}{R}",
            "manaValue": 3.0,
            "faceManaValue": 2.0,
            "colors": ["R"],
            "colorIdentity": ["G", "R"],
            "types": ["Instant"],
            "subtypes": ["Adventure"],
        },
    ),
    "Day Moth // Night Moth": sides(
        "Day Moth // Night Moth",
        "transform",
        creature("{W}", 1.0, "W", ["Insect"], "Flying", keywords=["Flying"]),
        creature("", 1.0, "B", ["Insect"], "{B}: Buzz.", manaCost=None),
    ),
    "Left Wing // Great Bird": sides(
        "Left Wing // Great Bird",
        "meld",
        creature("{3}{W}", 4.0, "W", ["Bird"], cardParts=["Right Wing", "Left Wing", "Great Bird"]),
        creature("", 8.0, "W", ["Bird"], manaCost=None, cardParts=["Right Wing", "Left Wing", "Great Bird"]),
    ),
    "Right Wing // Great Bird": sides(
        "Right Wing // Great Bird",
        "meld",
        creature("{2}{W}", 3.0, "W", ["Bird"], cardParts=["Right Wing", "Left Wing", "Great Bird"]),
        creature("", 8.0, "W", ["Bird"], manaCost=None, cardParts=["Right Wing", "Left Wing", "Great Bird"]),
    ),
    "Bare Thing": [
        entry("Bare Thing", manaValue=None, colors=None, types=None, supertypes=None, subtypes=None)
        | {"colorIdentity": "W", "legalities": None, "somethingNew": {"deep": [1, {"er": None}]}}
    ],
    "Kite Captain": [
        entry(
            "Kite Captain",
            **creature("{1}{W/U}{W/U}", 3.0, "UW", ["Human"], "Partner"),
            supertypes=["Legendary"],
        )
        | {"keywords": ["Partner"], "legalities": EVERYWHERE | {"vintage": "Restricted", "modern": "Banned"}}
    ],
    "A-Tin Kite": [entry("A-Tin Kite", isRebalanced=True)],
    "Wide Field": [entry("Wide Field", types=["Plane"], subtypes=["Kites"], manaCost=None)],
}


def atomic(cards: Json | None = None, date: str | None = "2026-11-20") -> bytes:
    """AtomicCards."""
    meta = {"version": "5.2.2"} | ({"date": date} if date else {})
    return json.dumps({"meta": meta, "data": ATOMIC if cards is None else cards}, ensure_ascii=False).encode()


def all_printings() -> bytes:
    """AllPrintings: each card in AAA, the Tin Kite again at common in BBB and in an Arena set, tokens beside."""
    every = [one for entries in ATOMIC.values() for one in entries]
    first = [
        one | {"rarity": "rare", "availability": ["paper", "mtgo"], "printings": None, "uuid": f"u{at}"}
        for at, one in enumerate(every)
    ]
    again = [
        ATOMIC["Tin Kite"][0]
        | {"rarity": "common", "availability": ["paper"], "flavorName": "Kite of Tales"},
        ATOMIC["Tin Kite"][0] | {"rarity": "common", "availability": ["paper"], "number": "12a"},
    ]
    data = {
        "AAA": {
            "code": "AAA",
            "releaseDate": "2001-01-01",
            "cards": first,
            "tokens": [{"name": "Bird"}, {"name": "Kite"}],
        },
        "BBB": {"cards": again, "code": "BBB", "releaseDate": "2020-02-02", "booster": {"x": [1]}},
        "CCC": {
            "code": "CCC",
            "releaseDate": "1999-09-09",
            "cards": [ATOMIC["Tin Kite"][0] | {"rarity": "mythic", "availability": ["arena"]}],
        },
    }
    return json.dumps({"meta": {"date": "2026-11-20"}, "data": data}, ensure_ascii=False).encode()
