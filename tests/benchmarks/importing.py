"""Files as large as the real ones, made up and taken in: how fast, and with how much memory.

    python tests/benchmarks/importing.py [--megabytes N] [--form all-printings|default-cards]

Promise: less than 300 MB of memory at any time, for files of 500 MB. Peak is
that of the whole process, as the system tells it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MOST_MEGABYTES = 300
CARDS = 32_000
COLOURS = "WUBRG"
WORDS = [
    "kite",
    "wing",
    "wind",
    "sand",
    "salt",
    "moth",
    "paper",
    "tin",
    "bell",
    "lamp",
    "rope",
    "mist",
    "fern",
    "reed",
    "tide",
    "dawn",
]
TYPES = ("Artifact", "Creature", "Enchantment", "Instant", "Land", "Sorcery")
FORMATS = (
    "standard",
    "pioneer",
    "modern",
    "legacy",
    "vintage",
    "pauper",
    "commander",
    "brawl",
    "oathbreaker",
)
LANGUAGES = ("Japanese", "German", "French", "Italian", "Spanish", "Korean", "Russian")


def card(number: int) -> dict[str, Any]:
    """What both forms need of one of the cards."""
    chance = random.Random(number)
    letters = chance.sample(COLOURS, chance.randrange(3))
    return {
        "name": f"{chance.choice(WORDS).title()} {chance.choice(WORDS).title()} {number}",
        "cost": f"{{{chance.randrange(1, 7)}}}" + "".join(f"{{{letter}}}" for letter in letters),
        "colours": letters,
        "type": chance.choice(TYPES),
        "subtype": chance.choice(WORDS).title(),
        "text": "\n".join(
            (
                f"When this enters, {' '.join(chance.choices(WORDS, k=20))}.",
                "{T}: Add {C}.",
                '"Quoted {T}: no."',
            )
        ),
        "legal": {name: "Legal" if chance.random() < 0.7 else "Banned" for name in FORMATS},
    }


def mtgjson_entry(number: int, code: str) -> dict[str, Any]:
    """One appearance in AllPrintings."""
    made = card(number)
    filler = " ".join(WORDS)
    return {
        "artist": "Nobody",
        "availability": ["mtgo", "paper"],
        "boosterTypes": ["default"],
        "borderColor": "black",
        "colorIdentity": made["colours"],
        "colors": made["colours"],
        "edhrecRank": number,
        "finishes": ["nonfoil", "foil"],
        "foreignData": [
            {
                "language": one,
                "name": f"{made['name']} ({one})",
                "text": filler,
                "flavorText": filler,
                "type": filler,
            }
            for one in LANGUAGES
        ],
        "identifiers": {
            "scryfallOracleId": f"oracle-{number}",
            "mcmId": "1",
            "scryfallId": f"{code}-{number}",
        },
        "keywords": [],
        "layout": "normal",
        "legalities": made["legal"],
        "manaCost": made["cost"],
        "manaValue": 3.0,
        "name": made["name"],
        "number": str(number),
        "printings": [code],
        "purchaseUrls": {"one": "-" * 60, "two": "-" * 60},
        "rarity": "common",
        "rulings": [{"date": "2020-01-01", "text": filler} for _ in range(4)],
        "sourceProducts": {"foil": ["-" * 36] * 6, "nonfoil": ["-" * 36] * 6},
        "subtypes": [made["subtype"]],
        "supertypes": [],
        "text": made["text"],
        "type": made["type"],
        "types": [made["type"]],
        "uuid": f"{number:036}",
    }


def all_printings(size: int) -> Iterator[str]:
    """About so many bytes of AllPrintings: sets of 300 cards, one of them with 2,500, in one line."""
    yield '{"meta": {"date": "2026-11-20", "version": "5.2.2"}, "data": {'
    done = number = sets = 0
    while done < size:
        code = f"S{sets:03}"
        yield f'{", " if sets else ""}"{code}": {{"baseSetSize": 300, "booster": {{}}, "cards": ['
        for at in range(2500 if sets == 20 else 300):
            piece = (", " if at else "") + json.dumps(mtgjson_entry(number % CARDS, code), ensure_ascii=False)
            done += len(piece)
            number += 1
            yield piece
        yield f'], "code": "{code}", "releaseDate": "{2000 + sets % 26}-01-01", "tokens": []}}'
        sets += 1
    yield "}}"


def default_cards(size: int) -> Iterator[str]:
    """About so many bytes of Scryfall's default cards, one a line."""
    done = number = 0
    while done < size:
        made = card(number % CARDS)
        links = dict.fromkeys(("small", "normal", "large", "png", "art_crop", "border_crop"), "-" * 100)
        whole = {
            "object": "card",
            "id": f"{number:036}",
            "oracle_id": f"oracle-{number % CARDS}",
            "name": made["name"],
            "lang": "en",
            "released_at": f"{2000 + number // CARDS}-01-01",
            "layout": "normal",
            "image_uris": links,
            "mana_cost": made["cost"],
            "cmc": 3.0,
            "type_line": f"{made['type']} — {made['subtype']}",
            "oracle_text": made["text"],
            "colors": made["colours"],
            "color_identity": made["colours"],
            "keywords": [],
            "legalities": {name: said.lower() for name, said in made["legal"].items()},
            "games": ["paper", "mtgo"],
            "set": f"s{number // CARDS:03}",
            "rarity": "uncommon",
            "prices": {"usd": "1.00", "eur": None},
            "related_uris": links,
            "purchase_uris": links,
        }
        piece = json.dumps(whole, ensure_ascii=False)
        yield ("[\n" if not number else ",\n") + piece
        done += len(piece)
        number += 1
    yield "\n]\n"


FORMS = {"all-printings": all_printings, "default-cards": default_cards}


def measure(form: str, megabytes: int, folder: Path) -> bool:
    """Whether memory stayed within what is promised; prints what was measured."""
    file = folder / f"{form}.json"
    with file.open("w", encoding="utf-8") as out:
        for piece in FORMS[form](megabytes * 1_000_000):
            out.write(piece)
    size = file.stat().st_size / 1_000_000
    environment = {
        **os.environ,
        "DECKCHECK_DATA_DIR": str(folder / "data"),
        "DECKCHECK_CACHE_DIR": str(folder / "cache"),
    }
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "deckcheck", "cards", "import", str(file), "--lang", "en"], env=environment
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    took = time.perf_counter() - start
    # In kilobytes, but on a Mac in bytes.
    peak = usage.ru_maxrss / (1_000_000 if sys.platform == "darwin" else 1_000)
    file.unlink()
    print(f"{form}: {size:,.0f} MB in {took:.1f} s, {size / took:.1f} MB/s, peak {peak:.0f} MB")
    return process.returncode == 0 and peak < MOST_MEGABYTES


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--megabytes", type=int, default=500)
    parser.add_argument("--form", choices=sorted(FORMS), action="append")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        held = [measure(form, asked.megabytes, Path(folder)) for form in asked.form or FORMS]
    print("the promise holds" if all(held) else "the promise does not hold")
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
