"""What a line can be, and what is said of a line that can't be used."""

from typing import Literal, NamedTuple

from deckcheck.decklists.lexer import MOST_COPIES
from deckcheck.model.card import Card
from deckcheck.support.messages import Words, _

MOST_LINES = 5000
LONGEST_LINE = 2000

Kind = Literal[
    "entry",
    "several",
    "heading",
    "label",
    "total",
    "header",
    "title",
    "comment",
    "blank",
    "invalid",
    # What the whole list explains: a count that stands on another line than its card, and what surrounds a list.
    "count",
    "furniture",
    # What only the lines around can tell (see context.py):
    "bare",
    "unknown",
    "either",
    "numbered",
    "heading?",
    "title?",
    "total?",
    "table",
    "head",
]


class Line(NamedTuple):
    """One line, classified.

    For an entry the card's side is filled in: `zone` is one named on the line
    itself, `home` the card's home where that isn't the zone in which cards
    stand unless told otherwise. For a heading `zone` is a zone id or the
    heading as written, `known` tells which. `more` holds the entries of a line
    with several, or what else the line could be. `total` is a sum that it
    states, or the number of a numbered line. `cells` are those of a table's row.
    """

    kind: Kind
    written: str = ""
    cards: tuple[Card, ...] = ()
    copies: int = 0
    most: int = 0
    column: int = 1
    zone: str | None = None
    home: str | None = None
    total: int | None = None
    known: bool = True
    key: str = ""
    why: Words | None = None
    more: "tuple[Line, ...]" = ()
    cells: tuple[str, ...] = ()
    loose: bool = False


CLEAR = frozenset(
    {
        *("entry", "several", "heading", "label", "total", "header", "title", "comment", "blank", "invalid"),
        *("count", "furniture"),
    }
)
"""The kinds that say all by themselves; the others hang on the lines around."""

COUNTED_COMMENT = r"^(?>.*?(?:[#＃]|(?<![:：])//|／／)).*[\d①-⑨一-十]"
"""A comment with a number in it."""

BLANK = Line("blank")
COMMENT = Line("comment")

NOT_READ = _("this line can't be read")
TOO_LONG = _("the line is too long (at most {longest_line} characters)", longest_line=LONGEST_LINE)
BAD_COUNT = _("a count is a number from 1 to {most_copies}", most_copies=MOST_COPIES)
NEGATIVE = _("a count can't be negative (put a space after a dash that is a bullet)")
NO_TITLE = _("this can be read neither as the deck's name nor as a card's line")
NAME_OR_CARD = _("this is the deck's name or a card (put “#” before a name, a count before a card)")
NAME_AS_TITLE = _("taken as the deck's name (put a count before it if it is a card)")
SUM_OR_COUNT = _(
    "this may be the sum of the cards below or the copies of each (write each card's count beside it)"
)
NO_COUNTS = _("it isn't clear which column holds the counts (give it the head “Count”)")
NUMBER_OR_COUNT = _("this may be the line's number or a count (write “{form}” for a count)", form="4 x NAME")
NO_CARD = _("this doesn't look like a card's line")
MARKED = _("a zone is named, but no card beside it can be read")
STRUCK_OUT = _("this line is struck out (delete it, or the marks around it)")
TOO_MUCH = _("too many items on one line")


def invalid(line: str, why: Words, column: int = 1) -> Line:
    """A line that is shown as it is, for it can't be used."""
    return Line("invalid", line.strip()[:LONGEST_LINE], column=column, why=why)
