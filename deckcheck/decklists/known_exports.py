"""The line grammars of known exports: each explains a whole line, whatever numbers and codes are in it.

They are tried on the whole list and used if most of its counted lines are in one of them. Behind a set in brackets the
next word is the collector's number, whatever it looks like, and the longest name comes first.
"""

import re
from collections.abc import Collection, Mapping

from msgspec import Struct

from deckcheck.decklists.decoding import compiled, shape_of
from deckcheck.decklists.lexer import Name, Number
from deckcheck.decklists.line_reader import LineReader, Row, ZoneWord
from deckcheck.decklists.lines import Stretch, Taken, Why
from deckcheck.decklists.vocabulary import zones_named
from deckcheck.model.card import Card

_COUNT = re.compile(
    r"[ \t]*+(?:[-*•・][ \t]++)?+(?:(?P<zone>(?!NR:)[A-Z]{2,10}):[ \t]*+)?+(?:NR:[ \t]*+)?+(?P<count>(?P<n>[0-9]{1,4}+)(?:[ \t]*+[x×](?=[ \t])|x(?=[0-9 ]))?+)[ \t]++"
)
_MARK = r"\*[A-Za-z-]{1,12}\*|\[[^\[\]]*+\]|\^[^^]*+\^|#.*+|F(?![^ \t])|\(foil\)"
_MARKS = rf"(?P<marks>(?:[ \t]++(?:{_MARK}))*+)[ \t]*+"
_SET = r"(?!x?[0-9]{1,4}x?(?![A-Za-z0-9_]))[A-Za-z0-9_]{2,8}"
"""A set's code, which is no number, unlike a count."""
_NAME = r"(?P<name>\S.*?)"

GRAMMARS: Mapping[str, str] = {
    "forge": rf"(?P<name>[^|]+?)\+?(?P<printed>\|{_SET}(?:\|[^|]*+)*+)(?P<marks>)",
    "xmage": rf"(?P<printed>\[{_SET}:[^\[\]:\s]++\])[ \t]*+{_NAME}{_MARKS}",
    "deckstats": rf"(?P<printed>\[{_SET}(?:#[^\]\s]*+)?\])[ \t]++{_NAME}(?P<note>(?:[ \t]++\([0-9]++\))?+){_MARKS}",
    "arena": rf"{_NAME}[ \t]++(?P<printed>\({_SET}(?::[^\s()]++)?\)(?:[ \t]++(?!(?:{_MARK})(?:[ \t]|$))[^\s,;|]++)?+){_MARKS}",
    "brackets": rf"{_NAME}[ \t]++(?P<printed>\[{_SET}:[^\s\[\]]++\]){_MARKS}",
    "reddit": rf"\[\[(?P<name>[^\[\]]++)\]\](?P<printed>){_MARKS}",
    "numbered": rf"{_NAME}[ \t]++(?P<printed>[(<][0-9]{{1,4}}[)>][ \t]++\[{_SET}\]){_MARKS}",
    "number only": rf"{_NAME}[ \t]++(?P<printed>[(<][0-9]{{1,4}}[)>]){_MARKS}",
    "marked": rf"{_NAME}(?P<printed>)(?P<marks>(?:[ \t]++(?:{_MARK}))++)[ \t]*+",
    "plain": r"(?P<name>\S.*?)(?P<printed>)(?P<marks>)[ \t]*+",
}
"""What follows the count of a line, by the tools that write it so."""
_EACH_MARK = re.compile(
    r"\*(?P<star>[A-Za-z-]+)\*|\[(?P<bracket>[^\[\]]*)\]|(?P<flag>\^[^^]*\^)|(?P<comment>#.*)|F(?![^ \t])|\(foil\)"
)
_SET_CODE = r"[A-Za-z]{2,5}-?[A-Za-z]{0,2}[0-9]{1,3}(?:[-/ ][A-Za-z]{0,2}[0-9]{1,3})?"
_CATEGORY = re.compile(r"[^0-9]*[^\W\d_][^0-9]*")
PROVEN = frozenset(GRAMMARS) - {"plain"}
"""The grammars with a sign that plain lists lack."""
_ABOVE_COUNTS = re.compile(r"[(<][0-9]{3,4}[)>]")


class Match(Struct, frozen=True):
    """A line in a grammar, as a row with all of it explained."""

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
        if bool(cards) != is_known or reader.is_doubtful_code(parts["printed"], cards):
            continue
        return Match(label, _row(reader, line, count, parts, cards))
    return None


def without_lone_numbers(matches: Mapping[int, Match]) -> dict[int, Match]:
    """The matches without numbers alone in brackets, unless all lines have them and one is too large for a count."""
    numbered = [read for read in matches.values() if read.label == "number only"]
    is_form = len(numbered) == len(matches) and any(_ABOVE_COUNTS.search(read.row.text) for read in numbered)
    return {index: read for index, read in matches.items() if is_form or read.label != "number only"}


def _row(
    reader: LineReader, line: str, count: re.Match[str], parts: re.Match[str], cards: tuple[Card, ...]
) -> Row:
    row = Row(line, shape_of(line))
    row.numbers.append(Number(int(count["n"]), *count.span("count")))
    if cards:
        row.names.append(Name(cards, *parts.span("name")))
    else:
        row.unread.append(parts.span("name"))
    if count["zone"]:
        zone = reader.words.zones.get(reader.words.fold(count["zone"]))
        if zone is None:
            row.refuse(Why.UNEXPLAINED.filled(part=count["zone"]), count.start("zone"))
        else:
            row.zones.append(ZoneWord(zone, *count.span("zone")))
    printed = [parts.span(group) for group in ("printed", "note") if parts.groupdict().get(group)]
    printed += [beside.span() for beside in re.finditer("NR:", count[0])]
    row.explained += [Stretch(Taken.PRINTING, *span) for span in printed]
    for mark in _EACH_MARK.finditer(line, *parts.span("marks")):
        _take_mark(reader, row, mark)
    return row


def _take_mark(reader: LineReader, row: Row, mark: re.Match[str]) -> None:
    """Takes a mark behind a card: a finish, a category or tag, a colour label, a comment."""
    if mark["comment"] is not None:
        reader.take_comment(row, mark[0], *mark.span())
        return
    words, is_known = reader.words, True
    tag = mark["star"] or mark["bracket"] or ""
    if mark["star"]:
        # A letter is a finish, such as foil.
        is_known = len(tag) == 1 or mark[0].lower() in map(str.lower, words.around.notes)
    elif mark["bracket"] is not None:
        # A category is the writer's own word, unless it has a number or takes the card out.
        has_word = _CATEGORY.fullmatch(re.sub(r"\{[^{}]*\}", "", tag)) is not None
        is_category = (
            has_word
            and not tag.isnumeric()
            and not words.says_out(shape_of(tag))
            and not words.is_amount(shape_of(tag))
        )
        is_code = compiled(_SET_CODE).fullmatch(tag) and not reader.is_doubtful_code(tag, row.cards)
        is_known = is_category or bool(is_code) or reader.is_value_of(tag, row.cards)
    zones = zones_named(words, tag)
    row.zones += [ZoneWord(zone, *mark.span()) for zone in zones]
    if not zones and not is_known:
        row.refuse(Why.UNEXPLAINED.filled(part=mark[0]), mark.start())
    if not zones:
        row.explained.append(Stretch(reader.taken_for(tag, row.cards), *mark.span()))
