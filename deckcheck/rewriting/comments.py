"""What a line says beside its cards, their counts and their zones: the comments to be kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from deckcheck.decklists.seen import Seen
from deckcheck.decklists.shapes import BULLETS, compiled, number_said, shape_of
from deckcheck.decklists.vocabulary import Vocabulary

_PAIRS = {
    "《": "》",
    "[": "]",
    "(": ")",
    "<": ">",
    "{": "}",
    "「": "」",
    "『": "』",
    "“": "”",
    '"': '"',
    "'": "'",
    "*": "*",
}
_OPENING, _CLOSING = "".join(_PAIRS), "".join(_PAIRS.values())
_BETWEEN = " \t|,、:=;・.。~…"
_PARTING = "/&+"
_JOINING = ("x", "*", "と")
# A comment begins here; "https://" has slashes of its own.
_COMMENT = r"#|(?<!:)//"
_BEHIND = r"[ \t]*[x*](?![a-z0-9])"
_CIRCLED = r"[①-⑨]"
_ORDINAL = r"[^0-9a-z①-⑳]*?(?:(?:no\.?[ \t]*)?[0-9]{1,3}[ \t]*[.)](?![0-9])|[①-⑳])"


class Number(NamedTuple):
    """A number beside a name: what it says, where it stands with the words around it, and where its digits do.

    `plain` is false where those words say that it is a count.
    """

    value: int
    start: int
    end: int
    digits: tuple[int, int]
    plain: bool


def numbers_in(words: Vocabulary, shape: str, start: int, end: int) -> list[Number]:
    """The numbers on `start` to `end` of a line's shape that could be counts."""
    numbers = []
    for found in compiled(words.counts.left).finditer(shape, start, end):
        behind = compiled(_BEHIND).match(shape, found.end("n"), end)
        last = max(found.end("c"), behind.end() if behind else found.end("n"))
        first = found.start()
        # The x of a word is no "times".
        times = found["x"] is not None and not shape[max(first - 1, start) : first].isalnum()
        numbers.append(
            Number(
                number_said(found["n"]),
                first if times else found.start("n"),
                last,
                found.span("n"),
                not (times or found["c"] or behind),
            )
        )
    circled = compiled(_CIRCLED).finditer(shape, start, end)
    numbers += [Number(number_said(one[0]), *one.span(), one.span(), True) for one in circled]
    return sorted(numbers, key=lambda one: one.start)


class Beside(NamedTuple):
    """What was found beside the entries of a line.

    `comments` holds a text for each entry, "" where nothing is to be kept;
    `counts` the number that is its count, None where none stands there alone.
    """

    comments: tuple[str, ...]
    counts: tuple[Number | None, ...]


def beside(words: Vocabulary, line: str, entries: Sequence[Seen]) -> Beside:
    """What stands on a line of text around its entries, in their order."""
    marks = _Marks(words, line, entries)
    marks.unwrap()
    counts = [marks.count(at) for at in range(len(entries))]
    marks.unwrap()
    marks.number()
    for at in range(len(entries)):
        marks.zone(at)
    return Beside(tuple(marks.comment(at) for at in range(len(entries))), tuple(counts))


class _Marks:
    """A line on which everything is struck out that is said by the canonical line, too."""

    def __init__(self, words: Vocabulary, line: str, entries: Sequence[Seen]) -> None:
        self._words, self._line, self._entries = words, line, entries
        self._shape = shape_of(line)
        self._gone = [False] * len(line)
        self._places = sorted(range(len(entries)), key=lambda at: entries[at].column)
        edges = [0]
        for at in self._places:
            start = entries[at].column - 1
            end = start + len(entries[at].written)
            edges += [start, end]
            self._strike(start, end)
        last = edges[-1]
        found = compiled(_COMMENT).search(self._shape, last)
        self._end = found.start() if found else len(line)
        edges.append(self._end)
        # The stretches before, between and behind the names.
        self._gaps = list(zip(edges[::2], edges[1::2], strict=True))

    def _strike(self, start: int, end: int) -> None:
        self._gone[start:end] = [True] * (end - start)

    def _around(self, at: int) -> tuple[tuple[int, int], tuple[int, int]]:
        place = self._places.index(at)
        return self._gaps[place], self._gaps[place + 1]

    def _free(self, start: int, end: int) -> bool:
        return not any(self._gone[start:end])

    def unwrap(self) -> None:
        """Strike out the brackets and quotes around each name, also where one of them got lost."""
        for at in self._places:
            (first, start), (end, last) = self._around(at)
            while True:
                left, right = self._next(start - 1, first - 1, -1), self._next(end, last, 1)
                before = self._shape[left] if left >= first else ""
                behind = self._shape[right] if right < last else ""
                if before and _PAIRS.get(before) == behind:
                    self._gone[left] = self._gone[right] = True
                elif before == "《":
                    self._gone[left] = True
                elif behind == "》":
                    self._gone[right] = True
                else:
                    break

    def _next(self, at: int, stop: int, step: int) -> int:
        while at != stop and (self._gone[at] or self._shape[at] in " \t"):
            at += step
        return at

    def count(self, at: int) -> Number | None:
        """Strike out an entry's count; None where none stands there, or more than one."""
        copies = self._entries[at].copies
        left, right = self._around(at)
        found = [
            one
            for gap in (left, right)
            for one in numbers_in(self._words, self._shape, *gap)
            if one.value == copies
            and self._free(one.start, one.end)
            and (copies > 1 or not one.plain or self._beside_name(at, one))
        ]
        if not found:
            return None
        best = min(found, key=lambda one: one.plain)
        self._strike(best.start, best.end)
        return best if len(found) == 1 else None

    def _beside_name(self, at: int, number: Number) -> bool:
        start = self._entries[at].column - 1
        end = start + len(self._entries[at].written)
        first, last = (number.end, start) if number.end <= start else (end, number.start)
        return not any(map(str.isalnum, self._shape[first:last]))

    def number(self) -> None:
        """Strike out the number of a numbered line."""
        start, end = self._gaps[0]
        found = compiled(_ORDINAL).match(self._shape, start, end)
        if found and self._free(*found.span()):
            self._strike(*found.span())

    def zone(self, at: int) -> None:
        """Strike out the word that names an entry's zone."""
        zone = self._entries[at].zone
        if zone is None:
            return
        said = [word for word, named in (*self._words.prefixes, *self._words.marks) if named == zone]
        for word in sorted({*said, shape_of(zone).strip()}, key=len, reverse=True):
            for start, end in self._around(at):
                found = self._shape.find(word, start, end) if word else -1
                if found >= 0 and self._free(found, found + len(word)):
                    self._strike(found, found + len(word))
                    return

    def comment(self, at: int) -> str:
        """What is left for an entry: behind it, and before it where it is the first."""
        place, last = self._places.index(at), len(self._places) - 1
        pieces = self._pieces(*self._gaps[0], _BETWEEN + BULLETS, _BETWEEN) if place == 0 else []
        ends = _BETWEEN + _PARTING if place < last else _BETWEEN
        found = self._pieces(*self._gaps[place + 1], ends, ends)
        if place < last:
            # Between two entries there are signs that only part them.
            found = [piece for piece in found if any(map(str.isalnum, piece))]
        else:
            found.append(said(self._line[self._end :]))
        return " ".join(piece for piece in pieces + found if piece)

    def _pieces(self, start: int, end: int, before: str, behind: str) -> list[str]:
        pieces: list[str] = []
        at = start
        while at < end:
            stop = at
            while stop < end and self._gone[stop] == self._gone[at]:
                stop += 1
            if not self._gone[at]:
                pieces.append(self._piece(at, stop, before, behind))
            at = stop
        return pieces

    def _piece(self, start: int, end: int, before: str, behind: str) -> str:
        shape = self._shape
        while start < end and shape[start] in before + _CLOSING and not self._closed(start, end):
            start += 1
        while end > start and shape[end - 1] in behind + _OPENING and not self._opened(start, end):
            end -= 1
        left = shape[start:end].strip(before + _OPENING + _CLOSING)
        return "" if not left or left in _JOINING else said(self._line[start:end])

    def _closed(self, start: int, end: int) -> bool:
        """Whether what begins here is a bracket that has its counterpart."""
        return _PAIRS.get(self._shape[start], "\0") in self._shape[start + 1 : end]

    def _opened(self, start: int, end: int) -> bool:
        """Whether what ends here is a bracket that has its counterpart."""
        pairs = {close: opening for opening, close in _PAIRS.items()}
        return pairs.get(self._shape[end - 1], "\0") in self._shape[start : end - 1]


def said(comment: str) -> str:
    """The words of a comment without what marks it as one."""
    return comment.strip().lstrip("#＃/／").strip()
