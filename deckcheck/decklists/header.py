"""What a list says of itself, before anybody knows its game."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from deckcheck.decklists.lexer import compiled

KEYS = frozenset({"format", "date", "player", "deck", "expect", "as-of", "best-of"})
_OTHER_NAMES = {
    "name": "deck",
    "deckname": "deck",
    "deck-name": "deck",
    "asof": "as-of",
    "bestof": "best-of",
    "フォーマット": "format",
}
_MOST_LINES = 200
_MOST_ABOVE = 5
"""How many lines may stand above an unmarked header."""
_LONGEST_KEY = 12


def header_key(word: str) -> str | None:
    """The header key that `word` spells, None if it spells none."""
    if len(word) > _LONGEST_KEY:
        return None
    key = word.strip().casefold().replace("_", "-").replace(" ", "-")
    key = _OTHER_NAMES.get(key, key)
    return key if key in KEYS else None


def header_parts(line: str) -> tuple[str, str, bool]:
    """The word before the first colon and the value behind it, and whether the line is a comment; "" for none."""
    bare = line.strip()
    marked = bare.startswith(("#", "//"))
    word, *value = compiled("[:：]").split(bare.lstrip("#/") if marked else bare, 1)
    return (word.strip(), value[0].strip(), marked) if value else ("", "", marked)


def header_line(line: str) -> tuple[str, str, bool] | None:
    """Key, value and whether it was marked (`# key: value`, `// key: value`); None for other lines.

    Unmarked lines only count with a value that can't be something else: a
    deck's name has to be marked, since `Deck: 40` is a heading.
    """
    word, value, marked = header_parts(line)
    key = header_key(word)
    return (key, value, marked) if key and value and (marked or key != "deck") else None


def header_meant(line: str) -> tuple[str, str] | None:
    """The key as written and the one that it misspells, in a marked line that is no header; None for others."""
    word = header_parts(line)[0]
    if not 3 <= len(word) <= _LONGEST_KEY or not word.isascii() or header_key(word) is not None:
        return None
    from difflib import get_close_matches

    close = get_close_matches(word.casefold().replace("_", "-"), sorted(KEYS), 1, 0.8)
    return (word, close[0]) if close else None


def read_header(text: str) -> dict[str, str]:
    """The header of a list in any notation, lower-case keys; {} where it has none.

    Looks at the top of a text list, where only an unmarked header may follow a
    title or links, and at the top level of YAML and JSON. It only reads: what
    is malformed is for the reader to tell.
    """
    if text.lstrip()[:1] == "{":
        return json_header(text, header_key)
    found: dict[str, str] = {}
    mapping = False
    others = 0
    for line in text.split("\n", _MOST_LINES)[:_MOST_LINES]:
        bare = line.strip()
        if not bare or (mapping and (":" not in bare or line[0] in " \t-")):
            continue
        word, value, marked = header_parts(line)
        key = header_key(word)
        if key and value and (not others if marked else mapping or key != "deck"):
            mapping = mapping or not marked
            if value := value if marked else plain_value(value):
                found.setdefault(key, value)
        elif bare == "---" or bare.endswith(":"):
            mapping = True
        elif not mapping and not marked:
            others += 1
        if others > _MOST_ABOVE:
            break
    return found


def header_place(lines: Sequence[str], key: str) -> tuple[int, int] | None:
    """Line and column (both 1-based) at which a list in any notation says `key` of itself; None if nowhere."""
    for number, line in enumerate(lines[:_MOST_LINES], 1):
        bare = line.lstrip("#/{,\"' \t\u3000")
        word = bare.replace("：", ":").partition(":")
        if word[1] and header_key(word[0].strip("\"' \t")) == key:
            return number, len(line) - len(line.lstrip()) + 1
    return None


def plain_value(value: str) -> str:
    """A YAML scalar on one line without its quotes and without a comment behind it."""
    value = value.strip()
    if value[:1] in ("'", '"'):
        end = value.find(value[0], 1)
        return value[1:end] if end > 0 else value[1:]
    return "" if value.startswith("#") else value.partition(" #")[0].strip()


def json_header(text: str, key_of: Callable[[str], str | None]) -> dict[str, str]:
    """What stands at the top level of a JSON text under the words for which `key_of` has a key; {} for anything else."""
    import json

    try:
        tree = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    found: dict[str, str] = {}
    if isinstance(tree, dict):
        for word, value in tree.items():
            key = key_of(word)
            if key and isinstance(value, str | int) and not isinstance(value, bool):
                found.setdefault(key, str(value))
    return found
