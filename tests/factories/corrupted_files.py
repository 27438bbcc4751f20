"""Files broken at random: lines and values deleted, repeated, swapped and replaced."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import yaml

ODD: list[Any] = [
    None, True, 0, 1, -1, 2.5, 10**30, "", "0", "$each", "main", "every", "hall", "SR", "クリーチャー", "2020-01-01",
    "2020-02-30", "{card} {found} {allowed} {zone} {each}", "{", "{x}", "\0", "a" * 400, [], {}, [[]], [None], {"": ""},
    {"of": "main"}, {"outside": "main"}, {"at_least": 1}, {"at_least": 3, "at_most": 2}, {"containing": "x"},
    {"not": {"cost": 3}}, {"any": [{"tag": "any-number"}, {"home": "main"}]}, {"ref": "creature"}, {"ja": "あ", "en": "a"},
    {"sum": "cost"}, {"civilization": {"of": "main"}}, {"civilization": "every"}, {"civilization": "$each"},
    {"base": 1, "plus": {"times": 2, "in": "main"}}, {"any_part": {"cost": {"at_least": 5}}},
    {"no_other_card": {"same": "civilization", "where": {"rarity": {"at_least": "SR"}}}},
    {"civilization": {"outside": "main"}}, {"status": ["hall", "premium"]}, {"in": "main", "where": {"cost": 1}},
]  # fmt: skip
KEYS = [
    "in", "count", "where", "per", "copies", "sides", "at_most", "at_least", "exactly", "one_of", "for_each",
    "for_some", "when", "plus", "base", "times", "step", "since", "until", "severity", "message", "cite", "clauses", "id", "extends", "drop", "banlists",
    "zones", "definitions", "rules", "beside", "game", "abstract", "source", "civilization", "type", "cost", "rarity",
    "home", "tag", "name", "status", "any_part", "no_other_card", "all", "any", "not", "ref", "history", "card", "from",
]  # fmt: skip


def break_lines(text: str, chance: Random) -> str:
    """The text with a few lines or characters gone wrong."""
    lines = text.splitlines(keepends=True)
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(lines))
        match chance.randrange(7):
            case 0:
                del lines[at : at + chance.randint(1, 4)]
            case 1:
                lines[at:at] = lines[at : at + chance.randint(1, 6)]
            case 2:
                other = chance.randrange(len(lines))
                lines[at], lines[other] = lines[other], lines[at]
            case 3:
                lines[at] = " " * chance.randint(0, 6) + lines[at].lstrip()
            case 4:
                words = lines[at].split()
                if words:
                    lines[at] = lines[at].replace(chance.choice(words), chance.choice(KEYS), 1)
            case 5:
                spot = chance.randrange(len(lines[at]) or 1)
                lines[at] = (
                    lines[at][:spot] + chance.choice("{}[]:,&*!|>'\"%@`#\t\n\0-?・９") + lines[at][spot + 1 :]
                )
            case _:
                spot = chance.randrange(len(lines[at]) or 1)
                lines[at] = lines[at][:spot] + lines[at][spot + chance.randint(1, 3) :]
        if not lines:
            return ""
    return "".join(lines)


def break_values(text: str, chance: Random) -> str:
    """The same document with a few values or keys gone wrong: still YAML, so it gets further."""
    data = yaml.safe_load(text)
    for _ in range(chance.randint(1, 3)):
        places = list(_places(data))
        if not places:
            break
        parent, key = chance.choice(places)
        match chance.randrange(6):
            case 0:
                del parent[key]
            case 1 | 2:
                parent[key] = copy.deepcopy(chance.choice(ODD))
            case 3:
                other, at = chance.choice(places)
                parent[key] = copy.deepcopy(other[at])
            case 4 if isinstance(parent, dict):
                parent[chance.choice(KEYS)] = parent.pop(key)
            case 5 if isinstance(parent, dict):
                parent[chance.choice(KEYS)] = copy.deepcopy(chance.choice(ODD))
            case _ if isinstance(parent, list):
                parent.insert(chance.randrange(len(parent) + 1), copy.deepcopy(parent[key]))
    return str(yaml.safe_dump(data, allow_unicode=True, sort_keys=False))


def _places(data: Any) -> Any:
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in list(items):
        yield data, key
        yield from _places(value)
