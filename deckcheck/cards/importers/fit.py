"""Makes what a source says fit for the game's vocabulary, and remembers what didn't fit."""

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

from deckcheck.cards.check import MOST_ITEMS, Vocabulary, flaws, is_date, text_flaw
from deckcheck.cards.record import INFINITY

_KEPT = frozenset(
    {"name", "aliases", "home", "released", "partial", "printings", "parts", "faces", "made_of"}
)


class Unknown:
    """Words that the game doesn't have, each with how often it came."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()

    def tell(self, attribute: str, value: object) -> None:
        """It came once more."""
        self.seen[f"{attribute} {str(value)[:60]}"] += 1


def fitted(record: Mapping[str, Any], words: Vocabulary, unknown: Unknown) -> dict[str, Any] | None:
    """The record without what the game doesn't know; None where no card is left.

    An attribute that the game doesn't have goes. A word that a closed
    attribute doesn't have goes, too, and what is left is then a part of the truth.
    """
    made = _facts_fitted(record, words, unknown)
    for key in ("parts", "faces"):
        if record.get(key):
            parts = [_facts_fitted(part, words, unknown) for part in record[key]]
            # A part can't say that it is incomplete.
            for part in parts:
                for attribute in part.pop("partial", ()):
                    part.pop(attribute, None)
            made[key] = parts
    if "printings" in record:
        made["printings"] = [_printing(one, words, unknown) for one in record["printings"]][:MOST_ITEMS]
    if "aliases" in record:
        made["aliases"] = [alias for alias in record["aliases"] if not text_flaw(alias) and words.fold(alias)]
        del made["aliases"][MOST_ITEMS:]
    return None if next(flaws(made, words), None) is not None else made


def _facts_fitted(record: Mapping[str, Any], words: Vocabulary, unknown: Unknown) -> dict[str, Any]:
    made: dict[str, Any] = {}
    partial = [key for key in record.get("partial", ()) if key in words.listed]
    for key, value in record.items():
        attribute = words.facts.get(key)
        if attribute is None:
            if key in _KEPT and key != "partial":
                made[key] = value
        elif attribute.kind == "number":
            if value == INFINITY or (isinstance(value, int | float) and math.isfinite(value)):
                made[key] = value
        else:
            known = attribute.values or attribute.names
            fit = [word for word in value if word in attribute.values or not attribute.values]
            for word in value:
                if known and word not in known:
                    unknown.tell(key, word)
            if len(fit) < len(value):
                partial.append(key)
            made[key] = fit
    if "home" in made and made["home"] not in words.zones:
        unknown.tell("home", made.pop("home"))
    # What is wholly unknown has no part that is known.
    partial = [key for key in dict.fromkeys(partial) if key in made]
    return {**made, "partial": partial} if partial else made


def _printing(printing: Mapping[str, Any], words: Vocabulary, unknown: Unknown) -> dict[str, Any]:
    made: dict[str, Any] = {"set": printing["set"]}
    if is_date(printing.get("released")):
        made["released"] = printing["released"]
    for key, known in words.ranks.items():
        if printing.get("aside") or (key in printing and printing[key] is None):
            made[key] = None
        elif printing.get(key) in known:
            made[key] = printing[key]
        elif key in printing:
            unknown.tell(key, printing[key])
    return made


def joined(
    first: Mapping[str, Any], second: Mapping[str, Any], united: frozenset[str], *, one: bool
) -> dict[str, Any]:
    """Two versions of a card: what both agree on.

    Where sets of words differ, what both have is a part of the truth; other
    facts that differ are not known. The attributes in `united` are those of
    which each version may know another part. Where it is certainly `one` card,
    what only one version tells is true as well.
    """
    made: dict[str, Any] = {}
    partial = dict.fromkeys([*first.get("partial", ()), *second.get("partial", ())])
    for key in dict.fromkeys([*first, *second]):
        value, other = first.get(key), second.get(key)
        if key == "partial":
            continue
        if key in ("name", "parts", "faces") or value == other:
            made[key] = value if key in first else other
        elif value is None or other is None:
            if one:
                made[key] = other if value is None else value
        elif isinstance(value, list):
            both = [word for word in value if word in other]
            if key in united:
                both = sorted({*value, *other})
            elif len(both) < max(len(value), len(other)):
                partial[key] = None
            made[key] = both
    if partial:
        made["partial"] = list(partial)
    return made
