"""A list line by line, with what each line is: for whoever writes the list anew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from deckcheck.decklists.header import Split, header_line, take_out
from deckcheck.decklists.lines import Classify, make_lines
from deckcheck.decklists.plain import as_a_whole, too_many_lines
from deckcheck.decklists.read import AS_TEXT, NO_COMMENTS, detect, seen_in_notation
from deckcheck.decklists.seen import COMMENT, MOST_LINES, Seen
from deckcheck.decklists.vocabulary import Vocabulary, make_vocabulary
from deckcheck.model.card import Catalog
from deckcheck.model.game import Game

_REMEMBERED = 1 << 14


class Look(NamedTuple):
    """A list as its reader sees it.

    `source` are its lines without what they say to us, which stands in `said`
    by line, as written behind the colon. `lines` are the lines' numbers and what each is, of a
    kind in seen.CLEAR; in CSV, YAML, JSON and XML they come in the order in which
    they are read, and several may share a number. Headings that stand below
    their cards come above them; a heading that the list needs then and doesn't
    have has the number 0. A `notation` in read.AS_TEXT is "text" here.
    """

    notation: str
    source: tuple[str, ...]
    said: Mapping[int, str]
    lines: tuple[tuple[int, Seen], ...]


class LookAt(Protocol):
    """From the text of a list and its path to what its reader sees; in `notation`, where it is told."""

    def __call__(self, text: str, path: str, notation: str | None = None) -> Look: ...


class Looker(NamedTuple):
    """`look` at a whole list, `classify` a line alone, and the game's `words`."""

    look: LookAt
    classify: Classify
    words: Vocabulary


def make_looker(game: Game, catalog: Catalog) -> Looker:
    """A second look at lists of one game, with the eyes of their reader.

    `look` raises UserError as the reader does.
    """
    words = make_vocabulary(game)
    lines = make_lines(words, catalog)
    classify = lru_cache(_REMEMBERED)(lines.classify)

    def look(text: str, path: str, notation: str | None = None) -> Look:
        text = text.removeprefix("\ufeff")
        notation = notation or detect(words, text, path)
        sheet = notation in ("csv", "tsv")
        bare, _directives, said = (
            Split(text, (), {}) if notation in NO_COMMENTS else take_out(text, sheet=sheet)
        )
        source = bare.split("\n")
        seen = None if notation == "text" else seen_in_notation(lines, bare, path, notation)
        if seen is not None and notation in ("csv", "tsv"):
            seen = _without_heads(source, seen)
        elif seen is not None and notation == "yaml":
            seen = _with_comments(source, seen)
        elif notation in AS_TEXT:
            notation = "text"
        if seen is None:
            notation, seen = "text", enumerate(plain(source, path), 1)
        if notation == "text":
            seen = list(seen)
            if any(line.kind == "label" and line.more for _, line in seen):
                from deckcheck.decklists.sections import headed_above

                seen = headed_above(words, seen)
        return Look(notation, tuple(source), said, tuple(seen))

    def plain(source: list[str], path: str) -> Sequence[Seen]:
        if len(source) > MOST_LINES:
            raise too_many_lines(path)
        return as_a_whole(lambda: lines, words, source, [classify(line) for line in source])

    return Looker(look, classify, words)


def _without_heads(source: Sequence[str], seen: Iterable[tuple[int, Seen]]) -> Iterator[tuple[int, Seen]]:
    """A sheet's rows without the heads of its columns, which say nothing once the columns are gone."""
    for number, line in seen:
        if line.kind != "comment" or source[number - 1].lstrip().startswith(("#", "//")):
            yield number, line


def _with_comments(source: Sequence[str], seen: Iterable[tuple[int, Seen]]) -> Iterator[tuple[int, Seen]]:
    """What a tree holds, and the comments between, which its reader never sees."""
    comments = [
        number
        for number, line in enumerate(source, 1)
        if line.lstrip().startswith("#") and header_line(line) is None
    ]
    at = 0
    for number, line in seen:
        while at < len(comments) and comments[at] < number:
            yield comments[at], COMMENT
            at += 1
        yield number, line
    for number in comments[at:]:
        yield number, COMMENT
