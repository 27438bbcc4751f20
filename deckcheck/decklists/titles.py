"""Tells the deck's name above the cards from a card's line with a typing error."""

from __future__ import annotations

from collections.abc import Sequence

from deckcheck.decklists.classify import LineReader
from deckcheck.decklists.lexer import BULLETS, KANJI, compiled, shape_of
from deckcheck.decklists.line import Line
from deckcheck.decklists.vocabulary import misspells_zone

DECORATION = frozenset("『【[［<＜■□●◆◇★☆#")
"""Characters that may begin a title but hardly a card's line."""
_FRAME = "『』【】[]<>＜＞■□●◆◇★☆ "
_SHORTEST, _LONGEST = 4, 60
_SHORTEST_NAME = 3
_SIMILAR = 85
_SENTENCE_ENDS = frozenset("。！!？?♪")
MOST_REMARKS = 40
"""So many lines below a whole deck are compared with the names of cards."""


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
    if counted or any(map(str.isdigit, bare)) or misspells_zone(reader.words, bare):
        return False
    folded = reader.words.fold(bare)
    similar = [reader.words.fold(name) for name in reader.suggest(bare)]
    contains_name = any(len(name) >= _SHORTEST_NAME and name in folded for name in similar)
    return not contains_name and not _is_similar(folded, similar)


def is_remark(reader: LineReader, raw: str) -> bool:
    """Whether a line below a whole deck, which names no card, is a sentence or begins with a reference mark."""
    bare = raw.strip()
    is_sentence = bare[-1:] in _SENTENCE_ENDS or bare[:1] == "※"
    if not is_sentence or bare[:1] in "《→↓+-":
        return False
    text = bare.lstrip("※ \t>")
    return may_be_title(reader, text) and not _is_similar(
        reader.words.fold(text), _similar_names(reader, text)
    )


def misspells_card(reader: LineReader, line: str) -> bool:
    """Whether a line is a card's name, perhaps with its count, or a zone word with a typing error."""
    bare = compiled(r"^[\W\d_]+|[\W\d_]+$").sub("", compiled(r"[：:]").split(line)[-1])
    bare = compiled(rf"(?:{reader.words.patterns.counter})$").sub("", bare)
    bare = compiled(r"[\W\d_]+[x×]?$").sub("", bare)
    if not _SHORTEST <= len(bare) <= _LONGEST:
        return False
    folded = reader.words.fold(bare)
    similar = [reader.words.fold(name) for name in reader.suggest(bare)]
    return misspells_zone(reader.words, bare) or (folded not in similar and _is_similar(folded, similar))


def _similar_names(reader: LineReader, text: str) -> list[str]:
    """All names, folded, of the cards that are suggested for a text."""
    cards = {card for name in reader.suggest(text) for card in reader.parser.name(name)}
    return [reader.words.fold(name) for card in cards for name in card.names]


def _is_similar(folded: str, names: Sequence[str]) -> bool:
    """Whether a folded text is nearly the same as one of the folded names."""
    if not names:
        return False
    from rapidfuzz import fuzz
    from rapidfuzz.distance import OSA

    return any(fuzz.ratio(folded, name) >= _SIMILAR or OSA.distance(folded, name) <= 1 for name in names)
