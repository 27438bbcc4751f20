"""The line grammars of known exports: each says where in a line the printing is, whatever numbers and codes are in it.

They are tried on the whole list and used if most of its counted lines are in one of them. Behind a set in brackets the
next word is the collector's number, whatever it looks like, and the longest name comes first. All else of the line is
read like any other line.
"""

import re
from collections.abc import Collection, Mapping

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.decklists.decoding import compiled, shape_of
from deckcheck.decklists.lexer import Name
from deckcheck.decklists.lines import Stretch, Taken
from deckcheck.decklists.rows import LineReader, Row
from deckcheck.decklists.vocabulary import Vocabulary, zones_named
from deckcheck.model.card import Card

_COUNT = re.compile(
    r"[ \t]*+(?P<bullet>(?:[-*•・][ \t]++)?+)(?:(?P<zone>(?!NR:)[A-Z]{2,10}):[ \t]*+)?+(?:NR:[ \t]*+)?+(?P<count>(?P<n>[0-9]{1,4}+)(?:[ \t]*+[x×](?=[ \t])|x(?=[0-9 ]))?+)[ \t]++"
)
_MARK = r"\*[A-Za-z-]{1,12}\*|\[[^\[\]]*+\]|\^[^^]*+\^|#.*+|F(?![^ \t])|\(foil\)"
_MARKS = rf"(?P<marks>(?:[ \t]++(?:{_MARK}))*+)[ \t]*+"
_SET = r"(?!x?[0-9]{1,4}x?(?![A-Za-z0-9_]))[A-Za-z0-9_]{2,8}"
"""A set's code, which is no number, unlike a count."""
_NAME = r"(?P<name>\S.*?)"

GRAMMARS: Mapping[str, str] = {
    "forge": rf"(?P<name>[^|]+?)\+?(?P<printed>\|{_SET}(?:\|[^|]*+)*+)",
    "xmage": rf"(?P<printed>\[{_SET}:[^\[\]:\s]++\])[ \t]*+{_NAME}{_MARKS}",
    "deckstats": rf"(?P<printed>\[{_SET}(?:#[^\]\s]*+)?\])[ \t]++{_NAME}(?P<note>(?:[ \t]++\([0-9]++\))?+){_MARKS}",
    "arena": rf"{_NAME}[ \t]++(?P<printed>\({_SET}\)(?:[ \t]++(?!(?:{_MARK})(?:[ \t]|$))[^\s,;|]++)?+){_MARKS}",
    "tappedout": rf"{_NAME}[ \t]++(?P<printed>\({_SET}(?::[^\s()]++)?\)){_MARKS}",
    "brackets": rf"{_NAME}[ \t]++(?P<printed>\[{_SET}:[^\s\[\]]++\]){_MARKS}",
    "reddit": rf"\[\[(?P<name>[^\[\]]++)\]\](?P<printed>){_MARKS}",
    "numbered": rf"{_NAME}[ \t]++(?P<printed>[(<][0-9]{{1,4}}[)>][ \t]++\[{_SET}\]){_MARKS}",
    "number only": rf"{_NAME}[ \t]++(?P<printed>[(<][0-9]{{1,4}}[)>]){_MARKS}",
    "marked": rf"{_NAME}(?P<printed>)(?P<marks>(?:[ \t]++(?:{_MARK}))++)[ \t]*+",
    "plain": r"(?P<name>\S.*?)(?P<printed>)[ \t]*+",
}
"""What follows the count of a line, by the tools that write it so."""
_EACH_MARK = re.compile(
    r"\*(?P<star>[A-Za-z-]+)\*|\[(?P<category>[^\[\]]*)\]|(?P<other>\^[^^]*\^|#.*)|F(?![^ \t])|\(foil\)"
)
_FLAGS = re.compile(r"\{[^{}]*\}")
"""Matches what a site adds to a category."""
_IN_BRACKETS = re.compile(r"[(\[](?P<word>\w+)[)\]]")
PROVEN = frozenset(GRAMMARS) - {"plain"}
"""The grammars with a sign that plain lists lack."""
_ABOVE_COUNTS = re.compile(r"[(<][0-9]{3,4}[)>]")


class Match(Struct, frozen=True):
    """A line in a grammar, as a row in which the printing is explained."""

    label: str
    row: Row


def match(
    reader: LineReader, line: str, among: Collection[str] = tuple(GRAMMARS), *, is_known: bool = True
) -> Match | None:
    """A line by the first grammar `among` that it is in; its name is a card's if `is_known`, else no card's."""
    count = _COUNT.match(line)
    if count is None:
        return None
    plain = compiled(GRAMMARS["plain"]).fullmatch(line, count.end())
    labels = [label for label in GRAMMARS if label in among]
    if is_known and plain is not None and reader.find(plain["name"]):
        # The longest name first: what looks like a mark may belong to it.
        labels = ["plain"]
    for label in labels:
        parts = compiled(GRAMMARS[label]).fullmatch(line, count.end())
        if parts is None:
            continue
        cards = reader.find(parts["name"])
        if bool(cards) != is_known or _is_word_for_zone(reader.words, parts["printed"]):
            continue
        return Match(label, _row(reader, line, count, parts, cards))
    return None


def without_lone_numbers(matches: Mapping[int, Match]) -> dict[int, Match]:
    """The matches without numbers alone in brackets, unless all lines have them and one is too large for a count."""
    numbered = [read for read in matches.values() if read.label == "number only"]
    is_form = len(numbered) == len(matches) and any(_ABOVE_COUNTS.search(read.row.text) for read in numbered)
    return {index: read for index, read in matches.items() if is_form or read.label != "number only"}


def _is_word_for_zone(words: Vocabulary, printed: str) -> bool:
    """Whether what stands where a set does is a word that says where the card is, or that it is out."""
    inner = _IN_BRACKETS.search(printed)
    return inner is not None and (
        words.fold(inner["word"]) in words.zones or words.says_out(inner["word"].lower())
    )


def _row(
    reader: LineReader, line: str, count: re.Match[str], parts: re.Match[str], cards: tuple[Card, ...]
) -> Row:
    """The row of a line without what the grammar explains, which is on no other line."""
    explained = [parts.span(group) for group in ("printed", "note") if parts.groupdict().get(group)]
    explained += [between.span() for between in re.finditer("NR:", count[0])]
    marks = parts.span("marks") if "marks" in parts.groupdict() else (0, 0)
    for mark in _EACH_MARK.finditer(line, *marks):
        explained += _of_printing(reader.words, mark)
    rest = line
    for start, end in (count.span("bullet"), *explained):
        rest = rest[:start] + " " * (end - start) + rest[end:]
    row = reader.row(rest)
    row = replace(row, text=line, shape=shape_of(line))
    row.explained += [Stretch(Taken.PRINTING, start, end) for start, end in explained]
    start, end = parts.span("name")
    row.names = [Name(cards, start, end)] if cards else []
    row.unread = [span for span in row.unread if span[1] <= start or end <= span[0]]
    row.unread += [] if cards else [(start, end)]
    return row


def _of_printing(words: Vocabulary, mark: re.Match[str]) -> list[tuple[int, int]]:
    """The spans of a mark behind a card that say no more than where it was printed, or how its owner sorts it.

    A finish such as foil does, and a category, unless it is a zone's word, has a number or takes the card out.
    """
    if mark["category"] is None:
        is_note = mark[0].lower() in map(str.lower, words.around.notes)
        is_finish = mark["star"] is None or len(mark["star"]) == 1 or is_note
        return [mark.span()] if is_finish and mark["other"] is None else []
    flags = [flags.span() for flags in _FLAGS.finditer(mark.string, *mark.span("category"))]
    category = _FLAGS.sub("", mark["category"])
    is_word = any(map(str.isalpha, category)) and not any(map(str.isdigit, category))
    is_own = is_word and not zones_named(words, category) and not words.says_out(shape_of(category))
    return [mark.span()] if is_own else flags
