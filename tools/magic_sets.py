"""Writes into Magic's sets.json which sets open which card pools: `python tools/magic_sets.py CHECKOUT`.

CHECKOUT holds https://github.com/magefree/mage, whose sources tell the kind and the day of each set. Sets that have no
day in sets.json yet are left out, and named.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
FILE = ROOT / "deckcheck" / "data" / "magic" / "sets.json"

STANDARD = {"CORE", "EXPANSION", "SUPPLEMENTAL_STANDARD_LEGAL"}
POOLS = {
    "modern": ({*STANDARD, "SUPPLEMENTAL_MODERN_LEGAL"}, "2003-07-28"),
    "pioneer": (STANDARD, "2012-10-05"),
    # Since the rotation of 2025-08-01.
    "standard": (STANDARD, "2023-09-08"),
}
"""The kinds of sets that open a pool, and the day of the first one."""

SET = re.compile(
    r'super\(\s*"(?:[^"\\]|\\.)*",\s*"(?P<code>[^"]+)",\s*ExpansionSet\.buildDate\([^)]*\),\s*SetType\.(?P<kind>\w+)'
)


def set_kinds(checkout: Path) -> dict[str, str]:
    """The kind of each set, by code."""
    found = {}
    for file in sorted((checkout / "Mage.Sets" / "src" / "mage" / "sets").glob("*.java")):
        match = SET.search(file.read_text(encoding="utf-8"))
        if match is not None:
            found[match["code"]] = match["kind"]
    return found


def opening_sets(kinds: dict[str, str], released: dict[str, str]) -> dict[str, list[str]]:
    """The sets that open each pool, oldest first."""
    return {
        pool: [code for code, day in released.items() if kinds.get(code) in wanted and day >= first]
        for pool, (wanted, first) in POOLS.items()
    }


def main(checkout: Path) -> None:
    """Bring sets.json up to date."""
    sets: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    kinds = set_kinds(checkout)
    sets["opening"] = {"pool": opening_sets(kinds, sets["released"])}
    FILE.write_text(json.dumps(sets, indent=2) + "\n", encoding="utf-8")
    openers = {kind for wanted, _first in POOLS.values() for kind in wanted}
    unknown = sorted(code for code, kind in kinds.items() if kind in openers and code not in sets["released"])
    sys.stdout.write(f"sets without a day: {', '.join(unknown) or 'none'}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
