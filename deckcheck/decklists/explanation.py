"""What a list was read as, line by line and part by part, for people who report one that was misread."""

from collections.abc import Sequence

from msgspec import Struct

from deckcheck.decklists.decoding import Source, sources_of
from deckcheck.decklists.lines import (
    Blank,
    CardLine,
    Comment,
    CountLine,
    HeaderLine,
    Heading,
    Label,
    Line,
    Numbered,
    Title,
    Told,
    Total,
)
from deckcheck.support.messages import Words

_KINDS: tuple[tuple[type[Line], str], ...] = (
    (CardLine, "cards"),
    (CountLine, "count"),
    (Heading, "zone"),
    (Label, "label"),
    (Total, "sum"),
    (HeaderLine, "header"),
    (Title, "title"),
    (Comment, "comment"),
    (Blank, "blank"),
    (Told, "unread"),
)


class Part(Struct, frozen=True):
    """A part of a line and what it was taken for: "card", "count", "zone", "sum", "printing", "numbering", "comment",
    "remark", "title", "header" or "head". `column` is 1-based."""

    taken: str
    text: str
    column: int


class ReadLine(Struct, frozen=True):
    """A line as it was read: "cards", "count" (of a card on another line), "zone", "label", "sum", "header", "title",
    "comment", "blank" or "unread"; of the last, `why` says why.

    What no part holds only separates or decorates. In CSV, YAML, JSON and XML lines have no parts.
    """

    number: int
    kind: str
    text: str
    parts: tuple[Part, ...]
    why: Words | None = None


def explained(lines: Sequence[Numbered], source: Sequence[str]) -> tuple[ReadLine, ...]:
    """The lines of a list as read, with their parts; `source` is the text without directives."""
    sources = sources_of("\n".join(source))
    # A label without words was added where a zone ends.
    written = [(number, line) for number, line in lines if not isinstance(line, Label) or line.written]
    return tuple(
        _read_line(line, sources[number - 1]) for number, line in written if 1 <= number <= len(sources)
    )


def _read_line(line: Line, source: Source) -> ReadLine:
    kind = next(name for record, name in _KINDS if isinstance(line, record))
    parts = tuple(
        Part(part.taken.value, source.text[part.start : part.end].strip(), source.column(part.start))
        for part in sorted(line.stretches, key=lambda part: part.start)
    )
    return ReadLine(source.number, kind, source.raw, parts, line.why if isinstance(line, Told) else None)
