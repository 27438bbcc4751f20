"""Cards with counts in the comments of a list, which aren't counted: the report says so."""

from deckcheck.decklists.header import header_line
from deckcheck.decklists.ignore_comments import WORD
from deckcheck.decklists.lexer import compiled, shape_of
from deckcheck.decklists.line_reader import LineReader
from deckcheck.decklists.lines import LONGEST_LINE, MOST_LIKELY
from deckcheck.model.deck import Deck, Diagnostic
from deckcheck.model.finding import FindingId
from deckcheck.support.messages import _, card_name, shortened

_COMMENT = r"[#＃]|(?<![:：])//|／／|<!--|/\*"
_COMMENT_IN_MARKUP = "<!--|<comments>"
_BLOCKS = {"<!--": "-->", "<comments>": "</comments>", "/*": "*/"}
_MOST_NAMED = 4


def cards_in_comments(reader: LineReader, deck: Deck, *, is_markup: bool = False) -> Diagnostic | None:
    """One diagnostic, at the first, for all comments of a text that hold a card and its count; None without any."""
    lines = list(deck.lines)
    for entry in deck.entries:
        # Signs within names begin no comment.
        line = lines[entry.line - 1]
        lines[entry.line - 1] = line.replace(entry.written, "x" * len(entry.written))
    commented: list[tuple[int, int, str]] = []
    end = ""
    for number, line in enumerate(lines, 1):
        opened = compiled(_COMMENT_IN_MARKUP if is_markup else _COMMENT).search(line)
        start = 0 if end else opened.start() if opened is not None else None
        if start is None or len(line) > LONGEST_LINE:
            continue
        if not end and opened is not None and opened[0] in _BLOCKS and _BLOCKS[opened[0]] not in line:
            end = _BLOCKS[opened[0]]
        elif end and end in line:
            end = ""
        if (WORD in line or header_line(line) is not None) and not end:
            continue
        comment = line[start:].lstrip("#＃/／*<!- ")
        if not any(map(str.isnumeric, shape_of(comment))):
            continue
        row = reader.row(comment)
        # A larger number is a year, a price or a rating.
        numbers = [one for one in row.numbers if one.taken is None and one.value <= MOST_LIKELY]
        if row.names and numbers:
            name = row.names[0]
            column = len(line) - len(comment) + name.start + 1
            commented.append((number, column, comment[name.start : name.end]))
    if not commented:
        return None
    names = list(dict.fromkeys(name for _number, _column, name in commented))
    message = _(
        "commented out, so not counted: {cards}",
        cards=shortened([card_name(name) for name in names], _MOST_NAMED),
    )
    number, column, first = commented[0]
    return Diagnostic(FindingId.CARD_IN_COMMENT, message, number, column, None, first)
