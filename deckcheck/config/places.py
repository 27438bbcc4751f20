"""Where the keys of a TOML file stand, which its parser doesn't tell.

Only files that the parser has read are looked through, so nothing here is
checked again: a key's place is its own, that of a list's item its beginning.
"""

import re
from bisect import bisect_right

Keys = tuple[str | int, ...]
Marks = dict[Keys, tuple[int, int]]
"""From the way to a value to its 1-based line and column."""

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_BLANK = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_QUOTED = re.compile(r'"(?:[^"\\\n]|\\.)*"|' r"'[^'\n]*'")
_LONG = re.compile(r'"""(?:[^\\]|\\.)*?"""(?:"{0,2})|' r"'''.*?'''(?:'{0,2})", re.DOTALL)
_PLAIN = re.compile(r"[^,\]}#\n]*")


def marks_of(text: str) -> Marks:
    """The places of all keys and items of a TOML file that can be read, lines ended by a line feed."""
    return _Reader(text).marks


class _Reader:
    """Goes through the text once; `marks` is what it found."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self.marks: Marks = {(): (1, 1)}
        self.at = 0
        self._tables()

    def _tables(self) -> None:
        table: Keys = ()
        numbers: dict[Keys, int] = {}
        self._skip(_BLANK)
        while self.at < len(self.text):
            start = self.at
            if self.text[start] == "[":
                several = self.text.startswith("[[", start)
                self.at += 2 if several else 1
                table = self._table(numbers, several)
                self.at += 2 if several else 1
                self.marks.setdefault(table, self._place(start))
            else:
                self._pair(table)
            self._skip(_BLANK)

    def _table(self, numbers: dict[Keys, int], several: bool) -> Keys:
        """The keys of a header; within a list of tables they go on from its last one."""
        keys: Keys = ()
        parts = self._parts()
        for at, (part, start) in enumerate(parts):
            keys = (*keys, part)
            self.marks.setdefault(keys, self._place(start))
            if several and at == len(parts) - 1:
                numbers[keys] = numbers.get(keys, -1) + 1
            if keys in numbers:
                keys = (*keys, numbers[keys])
        return keys

    def _parts(self) -> list[tuple[str, int]]:
        """A key with dots: its parts and where each begins."""
        parts: list[tuple[str, int]] = []
        while True:
            self._skip(_SPACE)
            start = self.at
            found = _BARE.match(self.text, start) or _QUOTED.match(self.text, start)
            if found is None:
                return parts
            self.at = found.end()
            parts.append((_unquoted(found[0]), start))
            self._skip(_SPACE)
            if not self.text.startswith(".", self.at):
                return parts
            self.at += 1

    def _pair(self, table: Keys) -> None:
        keys = table
        for part, start in self._parts():
            keys = (*keys, part)
            self.marks.setdefault(keys, self._place(start))
        # The equals sign.
        self.at += 1
        self._skip(_SPACE)
        self._value(keys)

    def _value(self, keys: Keys) -> None:
        char = self.text[self.at : self.at + 1]
        if char == "[":
            self._items(keys)
        elif char == "{":
            self._inline(keys)
        else:
            found = _LONG.match(self.text, self.at) or _QUOTED.match(self.text, self.at)
            self.at = found.end() if found is not None else self._skip(_PLAIN)

    def _items(self, keys: Keys) -> None:
        number = 0
        self.at += 1
        while True:
            self._skip(_BLANK)
            if self.at >= len(self.text) or self.text[self.at] == "]":
                break
            if self.text[self.at] == ",":
                self.at += 1
                continue
            self.marks[*keys, number] = self._place(self.at)
            before = self.at
            self._value((*keys, number))
            number += 1
            if self.at == before:
                break
        self.at += 1

    def _inline(self, keys: Keys) -> None:
        self.at += 1
        while True:
            self._skip(_BLANK)
            if self.at >= len(self.text) or self.text[self.at] == "}":
                break
            if self.text[self.at] == ",":
                self.at += 1
                continue
            self._pair(keys)
        self.at += 1

    def _skip(self, what: re.Pattern[str]) -> int:
        found = what.match(self.text, self.at)
        self.at = found.end() if found is not None else self.at
        return self.at

    def _place(self, at: int) -> tuple[int, int]:
        line = bisect_right(self.starts, at)
        return line, at - self.starts[line - 1] + 1


def _unquoted(word: str) -> str:
    if word[0] == "'":
        return word[1:-1]
    if word[0] != '"':
        return word
    if "\\" not in word:
        return word[1:-1]
    import tomllib

    return str(tomllib.loads(f"key = {word}")["key"])
