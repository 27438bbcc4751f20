"""Detects the notation of a list and reads it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from deckcheck.decklists.build import build_deck, with_diagnostic
from deckcheck.decklists.header import KEYS, header_line
from deckcheck.decklists.ignore_comments import WORD, extract_directives
from deckcheck.decklists.lexer import compiled, shape_of
from deckcheck.decklists.line import (
    COMMENT,
    COMMENT_MARKS,
    COUNTED_COMMENT,
    MOST_LINES,
    NAME_OR_HEADING,
    ZONES_BY_EMPTY_LINES,
    Line,
    comment_blocks,
)
from deckcheck.decklists.simple_lists import LineCache, SimpleListReader, read_together, too_many_lines
from deckcheck.decklists.vocabulary import Vocabulary
from deckcheck.model.card import Catalog, name_beside
from deckcheck.model.deck import Deck
from deckcheck.model.game import Game
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import _

if TYPE_CHECKING:
    from deckcheck.decklists.classify import LineReader


_SHEETS = ("csv", "tsv")
_COUNTED = r"\W*(?:x[ \t]*)?[0-9][0-9 +~〜～/-]*(?:(?:[x* \t]|WORD).*)?|(?:.*[^a-z0-9])?[x*]"
"""What begins with a count, or lacks one behind its sign."""
_MOST_CLASSIFIED = 1 << 14

AS_TEXT = frozenset({"text", "mtgo", "arena", "moxfield"})
"""The notations of plain lines, which can be corrected and formatted as text."""

MARKUP = frozenset({"dek", "cockatrice"})
"""The notations that are XML."""

_BY_SUFFIX = {"csv": "csv", "tsv": "tsv", "yaml": "yaml", "yml": "yaml", "json": "json"}


class Outline(NamedTuple):
    """The classified lines of a list, for rewriting it.

    `source` are the lines without directives; `directives` has those by line number, as written after the
    colon. `lines` are pairs of a number and a line in line.FINAL_KINDS; in CSV, YAML, JSON and XML they come
    in reading order, and several may share a number. Headings below their cards are moved above them; an
    added heading has the number 0. A `notation` in AS_TEXT is "text".
    """

    notation: str
    source: tuple[str, ...]
    directives: Mapping[int, str]
    lines: tuple[tuple[int, Line], ...]


class ListReader:
    """Reads lists of one game: `reader(text, path)` gives the Deck.

    The notation (text, csv, tsv, yaml, json or one of notations.registry.NAMES) is detected from the content,
    with the ending of `path` as a hint, unless given. Raises UserError for malformed CSV, YAML, JSON or XML
    and for lists that are too large; anything else that can't be read becomes a diagnostic of the deck. Lines
    are cached, within bounds, so use one reader for many lists.
    """

    def __init__(self, game: Game, catalog: Catalog) -> None:
        self.words = Vocabulary(game)
        self._catalog = catalog
        self._names = {zone.id: zone.name for zone in game.zones.values()}
        self._plain = SimpleListReader(self.words, catalog)
        self._empty_lines_matter = not ZONES_BY_EMPTY_LINES.isdisjoint(self.words.notations)
        self._classified = LineCache(lambda line: self._plain.line(line) or self.line_reader.classify(line))
        self.classify = lru_cache(_MOST_CLASSIFIED)(lambda line: self.line_reader.classify(line))

    @cached_property
    def line_reader(self) -> "LineReader":
        """The reader of single lines, which plain lists don't need."""
        from deckcheck.decklists.classify import LineReader

        return LineReader(self.words, self._catalog)

    def __call__(self, text: str, path: str, notation: str | None = None) -> Deck:
        text = text.removeprefix("\ufeff")
        detected = notation or detect(self.words, text, path)
        deck = self._with_directives(text, path, notation, detected)
        if deck.notation in AS_TEXT and any(sign in text for sign in _COMMENTS):
            deck = self._with_comments(deck)
        if detected != "text":
            return deck
        first, zones = self.words.default, {entry.zone for entry in deck.entries}
        if len(zones) > 1 and any(
            entry.zone != first == other.zone for entry, other in pairwise(deck.entries)
        ):
            from deckcheck.decklists.implied_zones import note_zone_of_one_line

            return note_zone_of_one_line(self.words, self._names, deck)
        if notation is None and self._empty_lines_matter and any(gap in text for gap in _EMPTY_LINES):
            from deckcheck.decklists.implied_zones import note_empty_line

            return note_empty_line(self.words, self._names, deck)
        return deck

    def outline(self, text: str, path: str, notation: str | None = None) -> Outline:
        """The classified lines of a list. Raises UserError as reading the list does."""
        text = text.removeprefix("\ufeff")
        notation = notation or detect(self.words, text, path)
        bare = text
        directives: Mapping[int, str] = {}
        if notation not in NO_COMMENTS:
            bare, _directives, directives = extract_directives(text, sheet=notation in _SHEETS)
        # Rewriting needs every line classified, so the fast reader isn't used.
        notation, source, lines = self._lines(bare, path, notation, self.classify)
        if notation in _SHEETS:
            lines = _without_heads(source, lines)
        elif notation == "yaml":
            lines = _with_comments(source, lines)
        elif notation in AS_TEXT:
            notation, lines = "text", list(lines)
            if any(line.kind == "label" and line.more for _, line in lines):
                from deckcheck.decklists.zone_extents import move_headings_above

                lines = move_headings_above(self.words, lines)
        return Outline(notation, tuple(source), directives, tuple(lines))

    def _with_directives(self, text: str, path: str, notation: str | None, detected: str) -> Deck:
        if WORD not in text or detected in NO_COMMENTS:
            return self._deck(text, path, detected)
        bare, directives, _sources = extract_directives(text, sheet=detected in _SHEETS)
        # Commas in a directive must not make the list look like CSV.
        detected = notation or detect(self.words, bare, path)
        try:
            deck = self._deck(bare, path, detected)
        except UserError:
            if detected not in ("yaml", *_SHEETS):
                raise
            # The match was within quotes, so it was no directive.
            return self._deck(text, path, detected)
        return deck._replace(lines=tuple(text.split("\n")), directives=directives) if directives else deck

    def _with_comments(self, deck: Deck) -> Deck:
        commented = (line for line in deck.lines if any(sign in line for sign in _COMMENTS))
        blocks = frozenset(comment_blocks(deck.lines))
        # A header is usual, and to compile the pattern takes longer than to know one.
        if not blocks and not any(
            header_line(line) is None and compiled(COUNTED_COMMENT).search(line) for line in commented
        ):
            return deck
        from deckcheck.decklists.classify import cards_in_comments

        lines = list(deck.lines)
        for entry in deck.entries:
            # Slashes and number signs within names begin no comment.
            lines[entry.line - 1] = lines[entry.line - 1].replace(entry.written, "x" * len(entry.written))
        remark = cards_in_comments(self.line_reader, lines, blocks)
        return deck if remark is None else with_diagnostic(deck, remark)

    def _deck(self, text: str, path: str, notation: str) -> Deck:
        if notation == "text":
            source = text.split("\n")
            plain = self._plain.deck(source, path) if len(source) <= MOST_LINES else None
            if plain is not None:
                return plain
        notation, source, lines = self._lines(text, path, notation, self._classified.__getitem__)
        return build_deck(
            lines,
            path=path,
            notation=notation,
            default=self.words.default,
            names=self._names,
            aside=self.words.aside,
            lines=source,
            suggest=lambda text: [
                name_beside(self._catalog, name, text) for name in self.line_reader.suggest(text)
            ],
            may_head=self._may_head,
        )

    def _may_head(self, line: Line) -> bool:
        """Whether an unusable line may be the heading of the cards below: it has neither a count nor a card's name."""
        if line.why != NAME_OR_HEADING and self._catalog.find(line.written):
            return False
        counted = _COUNTED.replace("WORD", self.words.patterns.counter)
        return compiled(counted).fullmatch(shape_of(line.written)) is None

    def _lines(
        self, text: str, path: str, notation: str, classify: Callable[[str], Line]
    ) -> tuple[str, list[str], Iterable[tuple[int, Line]]]:
        """The final notation of a list, its source lines, and its numbered lines, read in context."""
        source = text.split("\n")
        if len(source) > MOST_LINES:
            raise too_many_lines(path)
        lines = None if notation == "text" else lines_in_notation(self.line_reader, text, path, notation)
        if lines is not None:
            return notation, source, lines
        alone = list(map(classify, source))
        if any(mark in text for mark in COMMENT_MARKS):
            for at in comment_blocks(source):
                alone[at] = COMMENT
        in_context = read_together(lambda: self.line_reader, self.words, source, alone)
        return "text", source, enumerate(in_context, 1)


def make_reader(game: Game, catalog: Catalog) -> ListReader:
    """A reader of lists of one game."""
    return ListReader(game, catalog)


def _without_heads(source: Sequence[str], lines: Iterable[tuple[int, Line]]) -> Iterator[tuple[int, Line]]:
    """The rows of a sheet without the column heads, which are useless without the columns."""
    for number, line in lines:
        if line.kind != "comment" or source[number - 1].lstrip().startswith(("#", "//")):
            yield number, line


def _with_comments(source: Sequence[str], lines: Iterable[tuple[int, Line]]) -> Iterator[tuple[int, Line]]:
    """The lines of a tree together with the comments, which its reader ignores."""
    comments = [
        number
        for number, line in enumerate(source, 1)
        if line.lstrip().startswith("#") and header_line(line) is None
    ]
    at = 0
    for number, line in lines:
        while at < len(comments) and comments[at] < number:
            yield comments[at], COMMENT
            at += 1
        yield number, line
    for number in comments[at:]:
        yield number, COMMENT


def lines_in_notation(
    reader: "LineReader", text: str, path: str, notation: str
) -> Iterable[tuple[int, Line]] | None:
    """The numbered lines of a list that isn't plain text; None for a sheet of one column, which is.

    `notation` is csv, tsv, yaml, json or one of notations.registry.NAMES. Raises UserError, with line and
    column, for malformed or too large input.
    """
    if notation in ("csv", "tsv"):
        from deckcheck.decklists.csv_tsv import read_csv

        return read_csv(reader, text, path, notation)
    if notation in ("yaml", "json"):
        from deckcheck.decklists.yaml_json import read_tree

        return _limit_cards(read_tree(reader, text, path, notation), path)
    from deckcheck.decklists.notations.registry import notation as module_of

    return _limit_cards(module_of(notation).read(reader, text, path), path)


def _limit_cards(lines: Iterable[tuple[int, Line]], path: str) -> Iterator[tuple[int, Line]]:
    """The lines. Raises UserError for more than MOST_LINES cards, which may all be on one line of a tree."""
    cards = 0
    for number, line in lines:
        cards += line.kind in ("entry", "several", "invalid")
        if cards > MOST_LINES:
            message = _("too many cards (at most {most:,})", most=MOST_LINES)
            raise user_error(message, path=path, line=number, column=line.column)
        yield number, line


_COMMENTS = ("#", "//", "＃", "／／", *COMMENT_MARKS)
_EMPTY_LINES = ("\n\n", "\n ", "\n\t")
"""A quick test: every text with an empty line below another one contains one of these."""

_JSON = r"\{\s*(?:\"|\}\s*$)|\[\s*(?:[{\"]|\[\s*[{\[\]\"0-9]|\]\s*$)"
_JSON_ROWS = r"(?:\{[^{}\n]*\}|\[[^\[\]\n]*\]),?[ \t]*\n\s*[{\[]"
_YAML = rf"(?:{'|'.join(sorted(KEYS - {'deck'}))}|cards|decklist)[ \t]*:"
_YAML_ITEM = r"(?:(?:#.*)?\n)*[^\s#:][^\n:]*:[ \t]*\n[ \t]*-[ \t]+(?:\{|name[ \t]*:|count[ \t]*:)"

_QUOTED = ' "'
_MOST_TITLES = 5
_MOST_ABOVE = 60
"""The number of comment lines that may precede a sheet without a telling file name."""


NO_COMMENTS = frozenset({"json", *MARKUP})
"""The notations in which `#` doesn't begin a comment."""

_FOREIGN_ENDINGS = frozenset({"dek", "cod", "dck", "ydk"})
_SET_IN_BRACKETS = r"\[[A-Za-z0-9_]++:[^\[\]:\s]++\]"
_SET_IN_PARENTHESES = r"\([A-Za-z0-9_]{2,8}\)[ \t]"


def _may_be_foreign(text: str, start: str) -> bool:
    """Whether a text has signs of another tool's notation and needs a closer look."""
    if start[:1] == "<" or "#main" in text or "About\nName " in text:
        return True
    if "[" in text and ("|" in text or "etadata]" in text or compiled(_SET_IN_BRACKETS).search(text)):
        return True
    return ") " in text and compiled(_SET_IN_PARENTHESES).search(text) is not None


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
    if (
        ending in _FOREIGN_ENDINGS
        or _may_be_foreign(text, start)
        or (words.notations and ("\n\n" in text or ") " in text))
    ):
        from deckcheck.decklists.notations.registry import notation_of

        foreign = notation_of(words, text, path)
        if foreign is not None:
            return foreign
    if start.startswith("---\n") or (
        ":" in text and (compiled(_YAML).match(start) or ("\n" in text and compiled(_YAML_ITEM).match(text)))
    ):
        return "yaml"
    if not any(delimiter in text for delimiter in "\t,;"):
        return "text"
    top = text.split("\n", _MOST_ABOVE)[:_MOST_ABOVE]
    filled = [line for line in top if line.strip() and not line.lstrip().startswith(("#", "//"))]
    for delimiter, notation in (("\t", "tsv"), (",", "csv"), (";", "csv")):
        for at, line in enumerate(filled[:_MOST_TITLES]):
            # Even the title row of a sheet has its delimiters.
            if delimiter not in line:
                break
            roles = {
                words.columns.get(words.fold(cell.strip(_QUOTED)))
                for cell in line.split(delimiter, 16)
                if len(cell) < 40
            }
            below = filled[at + 1 : at + 2]
            same = bool(below) and below[0].count(delimiter) == line.count(delimiter)
            if {"name", "count"} <= roles or ("name" in roles and same):
                return notation
    return "text"
