"""Detects the notation of a list, reads it, and says what each part of it was taken for."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.decklists.decoding import compiled, has_other_line_ends, sources_of, with_line_feeds
from deckcheck.decklists.header_directives_comments import (
    DIRECTIVE,
    KEYS,
    Extracted,
    cards_in_comments,
    extract_directives,
)
from deckcheck.decklists.lines import MOST_LINES, CardLine, Comment, Label, Numbered, Title, Told, Why
from deckcheck.decklists.notations.registry import notation as notation_named
from deckcheck.decklists.notations.registry import notation_of
from deckcheck.decklists.plain_lists import PlainListReader
from deckcheck.decklists.vocabulary import Vocabulary
from deckcheck.decklists.zones_and_totals import build_deck, with_zones
from deckcheck.model.card import Catalog
from deckcheck.model.deck import Deck, Directive
from deckcheck.model.game import Game
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.messages import Words, _

if TYPE_CHECKING:
    from deckcheck.decklists.line_reader import LineReader

_SHEETS = ("csv", "tsv")

AS_TEXT = frozenset({"text", "mtgo", "arena", "moxfield"})
"""The notations of plain lines, which can be corrected and formatted as text."""

AS_LINES = AS_TEXT | {"forge", "xmage"}
"""The notations whose lines can be written as plain lines one by one."""

MARKUP = frozenset({"dek", "cockatrice"})
"""The notations that are XML."""

_BY_SUFFIX = {"csv": "csv", "tsv": "tsv", "yaml": "yaml", "yml": "yaml", "json": "json"}
_COMMENT_SIGNS = ("#", "//", "＃", "／／", "<!--", "/*")

_JSON = r"\{\s*(?:\"|\}\s*$)|\[\s*(?:[{\"]|\[\s*[{\[\]\"0-9]|\]\s*$)"
_JSON_ROWS = r"(?:\{[^{}\n]*\}|\[[^\[\]\n]*\]),?[ \t]*\n\s*[{\[]"
_YAML_HEAD = rf"\s*+(?:{'|'.join(key for key in KEYS if key != 'deck')}|cards|decklist)[ \t]*:"
_YAML_DOCUMENT = r"\s*+---\n(?:(?!---)[^\n]*\n)*?(?:[^\n]*:[ \t]*[\n\[{]|(?!---)[^\n]*\Z)"
"""Matches the beginning of the only document, or of one with more than a header; rules may be around a text, too."""
_YAML_ITEM = r"(?:(?:#.*)?\n)*[^\s#:][^\n:]*:[ \t]*\n[ \t]*-[ \t]+(?:\{|name[ \t]*:|count[ \t]*:)"
_YAML = f"{_YAML_HEAD}|{_YAML_DOCUMENT}|{_YAML_ITEM}"

_QUOTED = ' "'
_MOST_TITLES = 5
_MOST_ABOVE = 60
"""The number of comment lines that may precede a sheet without a telling file name."""

NO_COMMENTS = frozenset({"json", *MARKUP})
"""The notations in which `#` doesn't begin a comment."""


class NoCardReadError(UserError):
    """A text has lines, but none that is like a card."""


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


class Outline(Struct, frozen=True):
    """The lines of a list as read, for rewriting it.

    `source` are the lines without directives; `written_directives` has those by line number, as written after the
    colon. In CSV, YAML, JSON and XML the lines come in reading order, and several may share a number.
    """

    notation: str
    source: tuple[str, ...]
    directives: tuple[Directive, ...]
    written_directives: Mapping[int, str]
    lines: tuple[Numbered, ...]

    def explained(self) -> tuple[ReadLine, ...]:
        """The lines with their parts, for people who report a misread list."""
        sources = sources_of("\n".join(self.source))
        explained = list[ReadLine]()
        for number, line in self.lines:
            # A label without words was added where a zone ends.
            if 1 <= number <= len(sources) and (not isinstance(line, Label) or line.written):
                source = sources[number - 1]
                parts = tuple(
                    Part(
                        part.taken.value,
                        source.text[part.start : part.end].strip(),
                        source.column(part.start),
                    )
                    for part in sorted(line.stretches, key=lambda part: part.start)
                )
                kind, why = str(line.__struct_config__.tag), line.why if isinstance(line, Told) else None
                explained.append(ReadLine(number, kind, source.raw, parts, why))
        return tuple(explained)


class ListReader:
    """Reads lists of one game: `reader(text, path)` gives the Deck.

    The notation (text, csv, tsv, yaml, json or one of notations.registry.NAMES) is detected from the content,
    with the ending of `path` as a hint, unless given. Raises UserError for malformed CSV, YAML, JSON or XML,
    for lists that are too large, and for a text of which nothing can be read; anything else that can't be read becomes a
    diagnostic of the deck. Rows are cached, within bounds, so use one reader for many lists.
    """

    def __init__(self, game: Game, catalog: Catalog) -> None:
        self.words = Vocabulary(game)
        self._catalog = catalog
        self._names = {zone.id: zone.name for zone in game.zones.values()}
        self._plain = PlainListReader(self.words, catalog)

    @cached_property
    def line_reader(self) -> "LineReader":
        """The reader of single lines, which plain lists don't need."""
        from deckcheck.decklists.line_reader import LineReader

        return LineReader(self.words, self._catalog)

    def __call__(self, text: str, path: str, notation: str | None = None) -> Deck:
        text = with_line_feeds(text.removeprefix("\ufeff"))
        outline = self._outline(text, path, notation, needs_stretches=False)
        source = tuple(text.split("\n"))
        deck = build_deck(
            self.words,
            outline.lines,
            line_reader=lambda: self.line_reader,
            path=path,
            notation=outline.notation,
            names=self._names,
            lines=source,
        )
        deck = replace(deck, directives=outline.directives) if outline.directives else deck
        signs = ("<!--", "<comments>") if deck.notation in MARKUP else _COMMENT_SIGNS
        if deck.notation != "json" and any(sign in text for sign in signs):
            remark = cards_in_comments(self.line_reader, deck, is_markup=deck.notation in MARKUP)
            deck = deck if remark is None else deck.with_diagnostic(remark)
        return deck

    def outline(self, text: str, path: str, notation: str | None = None) -> Outline:
        """The lines of a list as read. Raises UserError as reading the list does."""
        text = with_line_feeds(text.removeprefix("\ufeff"))
        return self._outline(text, path, notation, needs_stretches=True)

    def _outline(self, text: str, path: str, notation: str | None, *, needs_stretches: bool) -> Outline:
        detected = notation or detect(self.words, text, path)
        whole = extracted = Extracted(text, (), {})
        if DIRECTIVE in text and detected not in NO_COMMENTS:
            extracted = extract_directives(text, sheet=detected in _SHEETS)
            # Commas in a directive must not make the list look like CSV.
            detected = notation or detect(self.words, extracted.text, path)
        try:
            return self._read(extracted, path, detected, needs_stretches=needs_stretches)
        except UserError:
            if extracted is whole or detected not in ("yaml", *_SHEETS):
                raise
            # The match was within quotes, so it was no directive.
            return self._read(whole, path, detected, needs_stretches=needs_stretches)

    def _read(self, extracted: Extracted, path: str, notation: str, *, needs_stretches: bool) -> Outline:
        """The lines of a text without directives. Raises UserError for malformed or too large input."""
        text, source = extracted.text, tuple(extracted.text.split("\n"))
        if len(source) > MOST_LINES:
            message = _("too many lines (at most {most_lines:,})", most_lines=MOST_LINES)
            raise user_error(message, path=path, line=MOST_LINES + 1, column=1)
        lines: Iterable[Numbered] | None = None
        if notation == "text" and not needs_stretches and not has_other_line_ends(text):
            lines = self._plain.lines(source)
        is_plain = lines is not None
        if lines is None:
            notation, lines = self._lines(text, path, notation)
        read = with_zones(self.words, [*lines] if is_plain else _limited(lines, path))
        if not is_plain:
            self._require_something(read, text, path)
        return Outline(notation, source, extracted.directives, extracted.sources, tuple(read))

    def _lines(self, text: str, path: str, notation: str) -> tuple[str, Iterable[Numbered]]:
        """The final notation of a list and its numbered lines."""
        if notation in ("yaml", "json"):
            from deckcheck.decklists.trees import read_tree

            return notation, read_tree(self.line_reader, text, path, notation)
        if notation not in ("text", *_SHEETS):
            return notation, notation_named(notation).read(self.line_reader, text, path)
        from deckcheck.decklists.tables import cells_of_sheet, has_heads
        from deckcheck.decklists.text import read_text

        sheet = cells_of_sheet(text, path, notation) if notation in _SHEETS else None
        if sheet is None or not has_heads(self.line_reader, text.split("\n"), sheet):
            return "text", read_text(self.line_reader, text)
        return notation, read_text(self.line_reader, text, sheet=sheet)

    def _require_something(self, lines: Sequence[Numbered], text: str, path: str) -> None:
        """Raises NoCardReadError for a text without anything like a card in which lines are no explicit comments."""
        if any(isinstance(line, CardLine) for _number, line in lines):
            return
        unread = [
            (number, line)
            for number, line in lines
            if isinstance(line, Told | Title) or (isinstance(line, Comment) and line.remark)
        ]
        if not unread or any(self.line_reader.row(line.written).names for _number, line in unread):
            return
        number, line = next(((number, line) for number, line in unread if isinstance(line, Told)), unread[0])
        excerpt = text.split("\n")[number - 1] if number else None
        why = line.why if isinstance(line, Told) else Why.NOT_READ
        message = _("no card can be read in this list: {why}", why=why)
        raise NoCardReadError([Problem(message, path, number, line.column, excerpt)])


def _limited(lines: Iterable[Numbered], path: str) -> list[Numbered]:
    """The lines. Raises UserError for more than MOST_LINES cards, which may all be on one line of a tree."""
    cards = 0
    limited = []
    for number, line in lines:
        columns = [item.column for item in line.items] if isinstance(line, CardLine) else []
        columns += [line.column] if isinstance(line, Told) else []
        if cards + len(columns) > MOST_LINES:
            message = _("too many cards (at most {most:,})", most=MOST_LINES)
            raise user_error(message, path=path, line=number, column=columns[MOST_LINES - cards])
        cards += len(columns)
        limited.append((number, line))
    return limited


def detect(words: Vocabulary, text: str, path: str) -> str:
    """The notation of a list: "text", "csv", "tsv", "yaml", "json" or one of notations.registry.NAMES."""
    ending = path.rpartition(".")[2].lower()
    by_suffix = _BY_SUFFIX.get(ending, "text")
    if by_suffix in ("json", "yaml"):
        return by_suffix
    start = text.lstrip()[:64]
    if start[:1] in "{[" and start and compiled(_JSON).match(text.lstrip()):
        # Objects line by line are a pasted excerpt, not valid JSON.
        return "text" if by_suffix == "text" and compiled(_JSON_ROWS).match(text.lstrip()) else "json"
    if by_suffix != "text":
        return by_suffix
    foreign = notation_of(words, text, path)
    if foreign is not None:
        return foreign
    if (
        (":" in text or start[:3] == "---")
        and compiled(_YAML).match(text)
        and all(line[:1] in " \t-#.]}" or ":" in line for line in text.split("\n") if line.strip())
    ):
        return "yaml"
    if not any(delimiter in text for delimiter in "\t,;"):
        return "text"
    top = text.split("\n", _MOST_ABOVE)[:_MOST_ABOVE]
    filled = [line for line in top if line.strip() and not line.lstrip().startswith(("#", "//"))]
    for delimiter, notation in (("\t", "tsv"), (",", "csv"), (";", "csv")):
        for index, line in enumerate(filled[:_MOST_TITLES]):
            # Even the title row of a sheet has its delimiters.
            if delimiter not in line:
                break
            cells = [words.fold(cell.strip(_QUOTED)) for cell in line.split(delimiter, 16) if len(cell) < 40]
            roles = set(map(words.columns.get, cells))
            has_zones = sum(cell in words.zones for cell in cells) > 1
            next_row = filled[index + 1 : index + 2]
            same = bool(next_row) and next_row[0].count(delimiter) == line.count(delimiter)
            if ("count" in roles and ("name" in roles or has_zones)) or ("name" in roles and same):
                return notation
    return "text"
