"""What a list says at its top of who plays it."""

import json

from deckcheck.decklists.header import plain_value
from deckcheck.registration.entries.fields import KEYS

_MOST_LINES = 200
_NAMED = {key: key for key in KEYS} | {"player": "name"}
del _NAMED["name"]


def read_player(text: str, ending: str) -> dict[str, str]:
    """The player's fields and "submitted", as they are written; {} where a list says nothing.

    They stand in comments (`# player: NAME`) near the top, or at the top level
    of YAML and JSON. The first of a key counts. `ending` is that of the
    list's file.
    """
    if text.lstrip()[:1] == "{":
        return _of_json(text)
    found: dict[str, str] = {}
    mapping = ending in (".yaml", ".yml")
    for line in text.split("\n", _MOST_LINES)[:_MOST_LINES]:
        bare = line.strip()
        if not bare:
            continue
        marked = bare.startswith(("#", "//"))
        # Not only above the cards: whoever lays out a list may put comments below the first heading.
        if not marked and (not mapping or line[0] in " \t-"):
            continue
        word, _, value = bare.lstrip("#/").replace("：", ":", 1).partition(":")
        key = _NAMED.get(word.strip().casefold())
        if key is None:
            continue
        # A spreadsheet fills up the lines of a comment, too.
        value = value.strip().rstrip(",;\t ") if ending in (".csv", ".tsv") else value.strip()
        value = value if marked else plain_value(value)
        if value:
            found.setdefault(key, value)
    return found


def _of_json(text: str) -> dict[str, str]:
    try:
        tree = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    found: dict[str, str] = {}
    if isinstance(tree, dict):
        for word, value in tree.items():
            key = _NAMED.get(word.strip().casefold())
            if key and isinstance(value, str | int) and not isinstance(value, bool):
                found.setdefault(key, str(value))
    return found
