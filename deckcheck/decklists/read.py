"""Which notation a list is written in, and its reader."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING

from deckcheck.decklists.header import KEYS, WORD, take_out
from deckcheck.decklists.lexer import compiled
from deckcheck.decklists.plain import make_plain, make_simple
from deckcheck.decklists.seen import MOST_LINES, Seen
from deckcheck.decklists.vocabulary import Vocabulary, make_vocabulary
from deckcheck.decklists.walk import walk
from deckcheck.model.card import Catalog
from deckcheck.model.deck import Deck, Reader
from deckcheck.model.game import Game
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import _

if TYPE_CHECKING:
    from deckcheck.decklists.lines import Lines


AS_TEXT = frozenset({"text", "mtgo", "arena", "moxfield"})
"""The notations that are lines as people type them, and can be corrected and formatted as such."""

MARKUP = frozenset({"dek", "cockatrice"})
"""The notations that are XML."""

BY_GAPS = frozenset({"mtgo"})
"""The notations in which an empty line, and nothing else, may begin another zone."""

_BY_SUFFIX = {"csv": "csv", "tsv": "tsv", "yaml": "yaml", "yml": "yaml", "json": "json"}


def make_reader(game: Game, catalog: Catalog) -> Reader:
    """A reader of lists of one game: `reader(text, path)` gives the Deck.

    The notation (text, csv, tsv, yaml, json or one of notations.registry.NAMES) is
    told from the content, with the ending of `path` as a hint, unless a third
    argument names it. Raises UserError where CSV, YAML, JSON or XML is
    malformed or where a list is larger than any deck; whatever else can't be
    read becomes a remark of the deck. The reader remembers lines that it saw,
    within bounds, so make one and use it for many lists.
    """
    words = make_vocabulary(game)
    names = {zone.id: zone.name for zone in game.zones.values()}

    @cache
    def lines() -> Lines:
        # Most lists never ask for it.
        from deckcheck.decklists.lines import make_lines

        return make_lines(words, catalog)

    gaps_matter = not BY_GAPS.isdisjoint(words.notations)
    plain, _ = make_plain(make_simple(words, catalog), lines, words, names)

    def read(text: str, path: str, notation: str | None = None) -> Deck:
        if text[:1] == "\ufeff":
            text = text[1:]
        told = notation or detect(words, text, path)
        if notation is None and told == "text" and gaps_matter and any(gap in text for gap in _GAPS):
            from deckcheck.decklists.impliedzones import note_gap

            return note_gap(words, names, read_as(text, path, None, told))
        return read_as(text, path, notation, told)

    def read_as(text: str, path: str, notation: str | None, told: str) -> Deck:
        if WORD not in text or told in NO_COMMENTS:
            return by_notation(text, path, told)
        bare, directives, _said = take_out(text, sheet=told in ("csv", "tsv"))
        # What it says to us must not look like a sheet's commas.
        told = notation or detect(words, bare, path)
        try:
            deck = by_notation(bare, path, told)
        except UserError:
            if told not in ("yaml", "csv", "tsv"):
                raise
            # It stood within quotes, and so said nothing to us.
            return by_notation(text, path, told)
        return deck._replace(lines=tuple(text.split("\n")), directives=directives) if directives else deck

    def by_notation(text: str, path: str, notation: str) -> Deck:
        seen = None
        if notation != "text":
            seen = seen_in_notation(lines(), text, path, notation)
        if seen is None:
            return plain(text, path)
        return walk(
            seen,
            path=path,
            notation=notation,
            default=words.default,
            names=names,
            lines=text.split("\n"),
            near=lines().near,
        )

    return read


def seen_in_notation(lines: Lines, text: str, path: str, notation: str) -> Iterable[tuple[int, Seen]] | None:
    """Each line that holds something, with its number; None for a sheet of one column, which is plain text.

    `notation` is csv, tsv, yaml, json or one of notations.registry.NAMES. Raises
    UserError, with the place, for what is malformed or too large.
    """
    if notation in ("csv", "tsv"):
        from deckcheck.decklists.sheets import read_sheet

        return read_sheet(lines, text, path, notation)
    if notation in ("yaml", "json"):
        from deckcheck.decklists.trees import read_tree

        return _bounded(read_tree(lines, text, path, notation), path)
    from deckcheck.decklists.notations.registry import notation as module_of

    return _bounded(module_of(notation).read(lines, text, path), path)


def _bounded(seen: Iterable[tuple[int, Seen]], path: str) -> Iterator[tuple[int, Seen]]:
    """The same, with no more cards than a text has lines: all of a tree may stand on one line."""
    cards = 0
    for number, line in seen:
        cards += line.kind in ("entry", "several", "invalid")
        if cards > MOST_LINES:
            message = _("too many cards (at most {most:,})", most=MOST_LINES)
            raise user_error(message, path=path, line=number, column=line.column)
        yield number, line


_GAPS = ("\n\n", "\n ", "\n\t")
"""What every text with an empty line below another line holds; a full look costs more than most lists need."""

_JSON = r"[{\[]\s*(?:[{\[\"]|\}\s*$|\]\s*$)"
_JSON_ROWS = r"(?:\{[^{}\n]*\}|\[[^\[\]\n]*\]),?[ \t]*\n\s*[{\[]"
_YAML = rf"(?:{'|'.join(sorted(KEYS - {'deck'}))}|cards|decklist)[ \t]*:"
_YAML_ITEM = r"(?:(?:#.*)?\n)*[^\s#:][^\n:]*:[ \t]*\n[ \t]*-[ \t]+(?:\{|name[ \t]*:|count[ \t]*:)"

_QUOTED = ' "'
_MOST_TITLES = 5
_MOST_ABOVE = 60
"""How many lines of comments may stand above a sheet that doesn't say that it is one."""


NO_COMMENTS = frozenset({"json", *MARKUP})
"""The notations in which `#` begins no comment."""

_FOREIGN_ENDINGS = frozenset({"dek", "cod", "dck", "ydk"})
_SET_IN_BRACKETS = r"\[[A-Za-z0-9_]++:[^\[\]:\s]++\]"
_SET_IN_PARENTHESES = r"\([A-Za-z0-9_]{2,8}\)[ \t]"


def _may_be_foreign(text: str, start: str) -> bool:
    """Whether a text holds what few lists do that people type: then it takes a closer look."""
    if start[:1] == "<" or "#main" in text or "About\nName " in text:
        return True
    if "[" in text and ("|" in text or "etadata]" in text or compiled(_SET_IN_BRACKETS).search(text)):
        return True
    return ") " in text and compiled(_SET_IN_PARENTHESES).search(text) is not None


def detect(words: Vocabulary, text: str, path: str) -> str:
    """The notation of a list: "text", "csv", "tsv", "yaml", "json" or one of notations.registry.NAMES."""
    ending = path.rpartition(".")[2].lower()
    said = _BY_SUFFIX.get(ending, "text")
    if said in ("json", "yaml"):
        return said
    start = text.lstrip()[:64]
    if start[:1] in "{[" and start and compiled(_JSON).match(text.lstrip()):
        # One object a line is a part of something that was pasted, and no JSON.
        return "text" if said == "text" and compiled(_JSON_ROWS).match(text.lstrip()) else "json"
    if said != "text":
        return said
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
            # A title row of a sheet has the sheet's delimiters, too.
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
