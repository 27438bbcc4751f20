"""A file as large as the real one, made up and imported: how fast, and with how much memory.

    python tests/benchmarks/importing.py [--megabytes N]

Peak is that of the whole process, as the system tells it.
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


def card(number: int) -> dict[str, Any]:
    """The facts of one of the cards."""
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


def measure(megabytes: int, folder: Path) -> bool:
    """Import a file of about this size; prints what it took. Whether the import succeeded."""
    file = folder / "default-cards.json"
    with file.open("w", encoding="utf-8") as out:
        out.writelines(default_cards(megabytes * 1_000_000))
    size = file.stat().st_size / 1_000_000
    environment = {
        **os.environ,
        "DECKCHECK_DATA_DIR": str(folder / "data"),
        "DECKCHECK_CACHE_DIR": str(folder / "cache"),
    }
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "deckcheck", "import", str(file), "--since", "2026-11-20", "--lang", "en"],
        env=environment,
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - start
    # In kilobytes, but on a Mac in bytes.
    peak = usage.ru_maxrss / (1_000_000 if sys.platform == "darwin" else 1_000)
    print(f"{size:,.0f} MB in {seconds:.1f} s, {size / seconds:.1f} MB/s, peak {peak:.0f} MB")
    return process.returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--megabytes", type=int, default=500)
    with tempfile.TemporaryDirectory() as folder:
        return 0 if measure(parser.parse_args().megabytes, Path(folder)) else 1


if __name__ == "__main__":
    sys.exit(main())
