"""The sets of a game: when they came out, and what that says of the cards printed in them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from deckcheck.model.card import Days
from deckcheck.support.dates import is_day
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import Words, _
from deckcheck.support.safe_text import brief
from deckcheck.support.strict_json import parse_json

_LISTS = ("approximate", "ongoing")
_KEYS = ("released", *_LISTS, "opening", "newest")


class Sets(NamedTuple):
    """The sets of a game by their codes, as in sets.json."""

    released: Mapping[str, str] = MappingProxyType({})
    """The ISO days on which they came out."""
    approximate: frozenset[str] = frozenset()
    """Those whose day is a guess."""
    ongoing: frozenset[str] = frozenset()
    """Those to which cards are added for years: their day is only that of the first."""
    opening: Mapping[str, Mapping[str, frozenset[str]]] = MappingProxyType({})
    """By attribute and value, those that give the value to the cards printed in them, on the day of the printing."""

    def day_of(self, printing: Mapping[str, Any]) -> str | None:
        """The day of a printing: its own, or that of its set unless cards are added to it for years."""
        code = printing["set"]
        return printing.get("released") or (None if code in self.ongoing else self.released.get(code))

    def first_day(self, record: Mapping[str, Any]) -> str | None:
        """The day since which a card exists: its own, else that of its first printing whose day is certain.

        None if there is no such printing, or one in an unknown set.
        """
        if "released" in record:
            return str(record["released"])
        days = []
        for printing in record.get("printings", ()):
            code = printing["set"]
            if "released" in printing:
                days.append(printing["released"])
            elif code not in self.released:
                return None
            elif code not in self.approximate | self.ongoing:
                days.append(self.released[code])
        return min(days, default=None)

    def days_of_values(self, record: Mapping[str, Any]) -> dict[str, dict[str, Days]]:
        """By attribute and value, when a card got the values that a set opens, if that was after its first day."""
        by_attribute: dict[str, dict[str, Days]] = {}
        first = self.first_day(record) or ""
        for attribute, opening in self.opening.items():
            for value in record.get(attribute, ()):
                days = (
                    self._days_in(opening[value], record.get("printings", ())) if value in opening else None
                )
                if days is not None and days.sure > first:
                    by_attribute.setdefault(attribute, {})[value] = days
        return by_attribute

    def _days_in(self, codes: frozenset[str], printings: Sequence[Mapping[str, Any]]) -> Days | None:
        """The days of the first printing in one of these sets; None if no day is known.

        A printing whose day is unknown may have been the first. Without a printing in one of these sets, it may have
        been any, since the file may not know the newest sets.
        """
        inside = [printing for printing in printings if printing["set"] in codes]
        days = [self.day_of(printing) for printing in inside or printings]
        known = [day for day in days if day is not None]
        if not known:
            return None
        first = "" if len(known) < len(days) else min(known)
        return Days(first, min(known) if inside else max(known))

    def to_json(self) -> str:
        """The sets as in a file."""
        plain = {
            "released": dict(self.released),
            "approximate": sorted(self.approximate),
            "ongoing": sorted(self.ongoing),
            "opening": {
                attribute: {value: sorted(codes) for value, codes in values.items()}
                for attribute, values in self.opening.items()
            },
        }
        return json.dumps(plain, separators=(",", ":"))


def read_sets(path: Path, data: bytes) -> Sets:
    """The sets in sets.json. Raises UserError."""
    value = parse_json(data, str(path))

    def wrong(message: Words) -> UserError:
        return user_error(message, path=str(path))

    if (
        not isinstance(value, dict)
        or value.keys() - set(_KEYS)
        or not isinstance(value.get("released"), dict)
    ):
        raise wrong(_("must hold {keys} only", keys=", ".join(_KEYS)))
    for code, day in value["released"].items():
        if not is_day(day):
            raise wrong(_("{set}: not a date: {date}", set=brief(code), date=brief(day)))
    opening = value.get("opening", {})
    groups = {key: value.get(key, []) for key in _LISTS}
    if not isinstance(opening, dict) or not all(isinstance(values, dict) for values in opening.values()):
        raise wrong(_("opening: must be a mapping of attributes to values and their sets"))
    for attribute, values in opening.items():
        groups |= {f"opening.{attribute}.{word}": codes for word, codes in values.items()}
    for key, codes in groups.items():
        if not isinstance(codes, list) or not all(isinstance(code, str) for code in codes):
            raise wrong(_("{key}: must be a list of set codes", key=brief(key)))
    return sets_from(value)


def sets_from(value: Mapping[str, Any]) -> Sets:
    """The sets in the checked content of a file."""
    opening = {
        attribute: {word: frozenset(codes) for word, codes in values.items()}
        for attribute, values in value.get("opening", {}).items()
    }
    approximate, ongoing = (frozenset(value.get(key, ())) for key in _LISTS)
    return Sets(value["released"], approximate, ongoing, opening)
