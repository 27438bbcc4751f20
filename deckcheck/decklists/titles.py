"""Text around the cards: the deck's name and remarks, told apart from cards with typing errors."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from deckcheck.decklists.classify import COUNTED_TEXT, LineReader, is_prose
from deckcheck.decklists.lexer import BULLETS, DATE, KANJI, compiled, shape_of
from deckcheck.decklists.line import CARDS, HEADING_AS_TITLE, Kind, Line
from deckcheck.decklists.vocabulary import Vocabulary, contains_zone_word, misspells_zone

DECORATION = frozenset("『【[［<＜■□●◆◇★☆#")
"""Characters that may begin a title but hardly a card's line."""
_FRAME = "『』【】[]<>＜＞■□●◆◇★☆ "
_SHORTEST, _LONGEST = 4, 60
_SHORTEST_NAME = 3
_SIMILAR = 85
_LONGEST_HEADING, _FIRST_JAPANESE = 24, "\u3000"
_MOST_ABOVE = 4
"""More unknown headings of no cards than this above the first card may be unreadable cards."""
AMOUNT = (
    r"\b(?:one|two|three|four|ones?|sets?|playsets?|cop(?:y|ies)|each|singletons?|below|following|these)\b"
)
_WORDS = 5
"""The fewest blanks of a sentence in English."""


def bare_title(line: str) -> str:
    """A title without surrounding brackets and marks."""
    return line.strip().strip(_FRAME)


def with_marked_title(reader: LineReader, text: Sequence[str], lines: list[Line]) -> list[Line]:
    """Turns a decorated first line, if it is an unknown heading and no plausible zone, into a title."""
    rows = [at for at, line in enumerate(lines) if line.kind not in ("blank", "comment", "header")]
    headings = [at for at, line in enumerate(lines) if line.kind == "heading"]
    if len(rows) < 2 or headings[:1] != rows[:1] or any(line.key == "deck" for line in lines):
        return lines
    top, bare = lines[rows[0]], text[rows[0]].strip()
    alone = len(headings) == 1 or headings[1] == rows[1]
    if top.known or top.total is not None or not alone or bare[0] not in DECORATION or bare[-1] in ":：":
        return lines
    if any(not lines[at].known for at in headings[1:]) or misspells_zone(reader.words, bare_title(bare)):
        return lines
    return [*lines[: rows[0]], Line("title", bare_title(bare)), *lines[rows[0] + 1 :]]


def with_heading_as_title(reader: LineReader, text: Sequence[str], lines: list[Line]) -> list[Line]:
    """Turns the only unknown heading of cards, if it is above all of them and no plausible zone, into a title.

    Unknown headings above the cards with nothing below become titles or furniture.
    """
    cards = [at for at, line in enumerate(lines) if line.kind in CARDS]
    headings = [at for at, line in enumerate(lines) if line.kind == "heading"]
    above = [at for at in headings if not lines[at].known and cards and at < cards[0]]
    if not above or len(above) > _MOST_ABOVE:
        return lines
    ends = dict(pairwise((*headings, len(lines))))
    of_cards = [at for at in headings if not lines[at].known and any(at < card < ends[at] for card in cards)]
    result = list(lines)
    titled = any(line.kind == "title" for line in lines)
    between = {line.kind for line in lines[above[-1] + 1 : cards[0]]}
    below = {line.kind for line in lines[cards[0] : min(cards[-1], ends[above[-1]])]}
    # A label or an empty line below the first cards may end what the heading began.
    is_ended = any(kind in below and kind not in between for kind in ("label", "blank"))
    if of_cards in ([], above[-1:]) and not (of_cards and is_ended):
        for at in of_cards:
            if may_name_deck(reader.words, text[at], lines[cards[0] :]):
                bare = bare_title(text[at]).rstrip(":： ")
                result[at], titled = Line("title", bare, column=lines[at].column, why=HEADING_AS_TITLE), True
        empty = [at for at in above if at not in of_cards]
        # Several without a colon may be cards in the brackets of headings.
        if len(above) > 1 and any(text[at].rstrip()[-1:] not in ":：" for at in empty):
            empty = []
        for at in empty:
            if all(line.kind in _WITHOUT_CARDS for line in lines[at + 1 : ends[at]]):
                kind: Kind = "furniture" if titled else "title"
                result[at], titled = Line(kind, bare_title(text[at]), column=lines[at].column), True
    return result


def may_name_deck(words: Vocabulary, heading: str, below: Sequence[Line]) -> bool:
    """Whether an unknown heading above the lines `below` may be the deck's name, not that of a zone."""
    bare = bare_title(heading).rstrip(":： ")
    # The cards above a heading of the default zone are in another one.
    if any(line.kind == "heading" and line.zone in (None, words.default) for line in below):
        return False
    # Long English text may contain such a word.
    is_short = len(bare) <= _LONGEST_HEADING or max(bare) >= _FIRST_JAPANESE
    names_zone = is_short and contains_zone_word(words, shape_of(bare).casefold())
    return not (names_zone or misspells_zone(words, bare))


_WITHOUT_CARDS = frozenset({"blank", "comment", "header", "title", "furniture", "invalid"})


def quoted_title(
    line: Line, after: Sequence[Line], starts: Sequence[str], first: bool, counted: bool
) -> Line:
    """Resolves a line of the kind "title?", followed by the lines `after`, to the deck's name or a card.

    `starts` are the first characters of all lines; `first`: no line precedes; `counted`: the list has counts.
    """
    card = line.more[0]
    if line.loose:
        # A card with a zone mark above the list, and the card itself in it.
        below = next((other for other in after if other.kind in ("entry", "bare", "title?")), None)
        same = below is not None and below.cards == line.cards
        return line._replace(kind="title", written=line.key) if same else as_one(card)
    if first and starts.count("『") == 1:
        return line._replace(kind="title", written=line.written.strip("『』"), zone=None)
    if card.kind == "unknown":
        return card._replace(kind="title", zone=None) if counted else as_one(card)
    return card._replace(kind="entry")


def as_one(line: Line) -> Line:
    """The line as one copy of a card."""
    return line._replace(kind="entry", copies=1, most=1, home=None)


def may_be_title(reader: LineReader, raw: str) -> bool:
    """Whether a line that names no card may be the deck's name, not a card's line with an error."""
    bare = raw.strip()
    if bare[0] in BULLETS and bare[-1] not in BULLETS:
        return False
    counted = compiled(f"[{KANJI}][ \\t]*{reader.words.patterns.counter}").search(shape_of(bare))
    bare = compiled(DATE).sub("", bare)
    if counted or any(map(str.isdigit, bare)) or misspells_zone(reader.words, raw.strip()):
        return False
    # In other languages, names are often words that titles have.
    return not _resembles(reader, bare, list(map(reader.words.fold, reader.suggest(bare))))


def resembles_card(reader: LineReader, bare: str) -> bool:
    """Whether a text contains a name, in any language, of a card that is suggested for it, or is nearly one."""
    return _resembles(reader, bare, _names_like(reader, bare))


def _resembles(reader: LineReader, text: str, names: Sequence[str]) -> bool:
    folded = reader.words.fold(text)
    contains_name = any(len(name) >= _SHORTEST_NAME and name in folded for name in names)
    return contains_name or _is_similar(folded, names)


def is_sentence(reader: LineReader, raw: str) -> bool:
    """Whether a line that names no card is a whole sentence, which names no zone either."""
    bare = compiled(DATE).sub("", raw.strip().lstrip("※ \t>"))
    is_english = bare[-1:] in ".!?)" and bare.isascii() and bare.count(" ") >= _WORDS
    if not (
        (is_english and not compiled(AMOUNT).search(shape_of(bare))) or is_prose(reader.words, shape_of(bare))
    ):
        return False
    names_zone = contains_zone_word(reader.words, shape_of(bare).casefold())
    return (
        bare[0] not in "《→↓"
        and not names_zone
        and may_be_title(reader, bare)
        and not resembles_card(reader, bare)
    )


def has_count_or_zone(words: Vocabulary, raw: str) -> bool:
    """Whether a text has a number that may be a count, or a word for a zone other than the default one."""
    shape = shape_of(raw.strip())
    counted = compiled(COUNTED_TEXT.replace("WORD", words.patterns.counter))
    return counted.search(shape) is not None or contains_zone_word(words, shape.casefold())


def misspells_card(reader: LineReader, line: str) -> bool:
    """Whether a line is a card's name, perhaps with its count, or a zone word with a typing error."""
    bare = compiled(r"^[\W\d_]+|[\W\d_]+$").sub("", compiled(r"[：:]").split(line)[-1])
    bare = compiled(rf"(?:{reader.words.patterns.counter})$").sub("", bare)
    bare = compiled(r"[\W\d_]+[x×]?$").sub("", bare)
    if not _SHORTEST <= len(bare) <= _LONGEST:
        return False
    folded, names = reader.words.fold(bare), list(map(reader.words.fold, reader.suggest(bare)))
    return misspells_zone(reader.words, bare) or (folded not in names and _is_similar(folded, names))


def _names_like(reader: LineReader, text: str) -> list[str]:
    """The folded names, in all languages, of the cards that are suggested for a text."""
    cards = {card for name in reader.suggest(text) for card in reader.parser.name(name)}
    return [reader.words.fold(name) for card in cards for name in card.names]


def _is_similar(folded: str, names: Sequence[str]) -> bool:
    """Whether a folded text is nearly the same as one of the folded names."""
    if not names:
        return False
    from rapidfuzz import fuzz
    from rapidfuzz.distance import OSA

    return any(fuzz.ratio(folded, name) >= _SIMILAR or OSA.distance(folded, name) <= 1 for name in names)
