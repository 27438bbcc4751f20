"""The line grammars of known exports: each explains a whole line, whatever numbers and codes are in it.

They are tried on the whole list and used if most of its counted lines are in one of them. Behind a set in brackets the
next word is the collector's number, whatever it looks like, and the longest name comes first.
"""

import re
from collections.abc import Collection, Mapping

from msgspec import Struct

from deckcheck.decklists.decoding import compiled, shape_of
from deckcheck.decklists.lexer import Name, Number
from deckcheck.decklists.lines import Stretch, Taken, Why
from deckcheck.decklists.rows import LineReader, Row, ZoneWord
from deckcheck.decklists.vocabulary import Vocabulary, is_note_of_zone, zones_in_comment, zones_named
from deckcheck.model.card import Card
from deckcheck.support.messages import Words

_COUNT = re.compile(
    r"[ \t]*+(?:[-*•・][ \t]++)?+(?:(?P<zone>(?!NR:)[A-Z]{2,10}):[ \t]*+)?+(?:NR:[ \t]*+)?+(?P<count>(?P<n>[0-9]{1,4}+)(?:[ \t]*+[x×](?=[ \t])|x(?=[0-9 ]))?+)[ \t]++"
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
    r"\*(?P<star>[A-Za-z-]+)\*|\[(?P<bracket>[^\[\]]*)\]|(?P<flag>\^[^^]*\^)|(?P<comment>#.*)|F(?![^ \t])|\(foil\)"
)
_IN_BRACKETS = re.compile(r"[(\[](?P<word>\w+)[)\]]")
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
        if bool(cards) != is_known or _is_word_for_zone(reader.words, parts["printed"]):
            continue
        return Match(label, _row(reader.words, line, count, parts, cards))
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
    words: Vocabulary, line: str, count: re.Match[str], parts: re.Match[str], cards: tuple[Card, ...]
) -> Row:
    row = Row(line, shape_of(line))
    row.numbers.append(Number(int(count["n"]), *count.span("count")))
    if cards:
        row.names.append(Name(cards, *parts.span("name")))
    else:
        row.unread.append(parts.span("name"))
    if parts["printed"]:
        row.explained.append(Stretch(Taken.PRINTING, *parts.span("printed")))
    if count["zone"]:
        zone = words.zones.get(words.fold(count["zone"]))
        if zone is None:
            row.refuse(Why.UNEXPLAINED.filled(part=count["zone"]), count.start("zone"))
        else:
            row.zones.append(ZoneWord(zone, *count.span("zone")))
    if between := re.search(r"NR:", line[: count.start("n")]):
        row.explained.append(Stretch(Taken.PRINTING, *between.span()))
    if parts.groupdict().get("marks"):
        for mark in _EACH_MARK.finditer(line, parts.start("marks"), parts.end("marks")):
            _take_mark(words, row, mark)
    if parts.groupdict().get("note"):
        row.explained.append(Stretch(Taken.PRINTING, *parts.span("note")))
    return row


def _take_mark(words: Vocabulary, row: Row, mark: re.Match[str]) -> None:
    """Takes a mark behind a card: a finish, a category or tag, a colour label, a comment."""
    problem: Words = Why.UNEXPLAINED.filled(part=mark[0])
    zones: tuple[str, ...] = ()
    if mark["star"] is not None:
        zone = words.zones.get(words.fold(mark["star"]))
        zones = () if zone is None else (zone,)
        # A letter is a finish, such as foil.
        if (
            zone is None
            and len(mark["star"]) > 1
            and mark[0].lower() not in map(str.lower, words.around.notes)
        ):
            row.refuse(problem, mark.start())
    elif mark["bracket"] is not None:
        zones = zones_named(words, mark["bracket"])
        sets = {words.fold(printing.set) for card in row.cards for printing in card.printings}
        is_set = words.fold(mark["bracket"]) in sets or compiled(_SET_CODE).fullmatch(mark["bracket"])
        # A category is the writer's own word, unless it has a number or takes the card out.
        says_out = words.says_out(shape_of(mark["bracket"]))
        if (
            not zones
            and not is_set
            and (says_out or not _CATEGORY.fullmatch(re.sub(r"\{[^{}]*\}", "", mark["bracket"])))
        ):
            row.refuse(problem, mark.start())
    elif mark["comment"] is not None:
        shape = shape_of(mark["comment"])
        zones = zones_in_comment(words, shape)
        if words.comment_says_out(shape) or (not zones and is_note_of_zone(words, shape)):
            row.refuse(problem, mark.start())
    if zones:
        row.zones += [ZoneWord(zone, *mark.span()) for zone in zones]
    else:
        taken = Taken.COMMENT if mark["comment"] is not None else Taken.PRINTING
        row.explained.append(Stretch(taken, *mark.span()))
