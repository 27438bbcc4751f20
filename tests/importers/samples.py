"""Small files in the forms of other people's card data. The cards are made up."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import sqlite3
import zipfile
from pathlib import Path
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
    | {"keywords": 7, "colors": None, "color_identity": None, "new_field": [[1]]},
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

CDB_CARDS: list[tuple[int, int, int, int, str | None]] = [
    # passcode, scope, alias, type, name
    (100, 3, 0, 0x11, "Paper Dragon"),
    (101, 3, 100, 0x11, "Paper Dragon"),
    (200, 3, 0, 0x61, "Fused Paper"),
    (300, 3, 0, 0x1000021, "Swinging Paper"),
    (301, 3, 0, 0x1802021, "Swinging Tuned Paper"),
    (400, 1, 0, 0x82, "Paper Rite"),
    (500, 2, 0, 0x4, "Paper Trap"),
    (600, 3, 0, 0x4011, "Paper Token"),
    (700, 4, 0, 0x21, "Paper of the Show"),
    (800, 0x200, 0, 0x21, "Rush Paper"),
    (900, 3, 0, 0x21, None),
    (1000, 3, 0, 0x21, "Lady Paper"),
    (1001, 3, 1000, 0x11, "Lady Paper 1"),
    (1100, 3, 0, 0x4000021, "Linked Paper"),
]


def cdb(path: Path, cards: list[tuple[int, int, int, int, str | None]] | None = None) -> Path:
    """A database of YGOPro."""
    with sqlite3.connect(path) as database:
        database.execute(
            "CREATE TABLE datas(id integer primary key,ot integer,alias integer,setcode integer,type integer,"
            "atk integer,def integer,level integer,race integer,attribute integer,category integer)"
        )
        database.execute("CREATE TABLE texts(id integer primary key,name text,desc text,str1 text)")
        for code, scope, alias, type, name in CDB_CARDS if cards is None else cards:
            database.execute("INSERT INTO datas VALUES (?,?,?,0,?,0,0,0,0,0,0)", (code, scope, alias, type))
            if name is not None:
                database.execute("INSERT INTO texts VALUES (?,?,'','')", (code, name))
    database.close()
    return path


def packed(data: bytes, how: str) -> bytes:
    """The data in a .gz, .xz, .bz2 or .zip."""
    if how == "zip":
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("cards.json", data)
        return buffer.getvalue()
    return {"gz": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress}[how](data)


PACKINGS = ("gz", "xz", "bz2", "zip")
