"""Comments in a list: cards with counts in them, which the report names, and directives (`# deckcheck: ignore[RULE] reason`)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from deckcheck.decklists.header import header_line
from deckcheck.decklists.lexer import compiled, shape_of
from deckcheck.decklists.lines import LONGEST_LINE, MOST_LIKELY
from deckcheck.model.deck import Deck, Diagnostic, Directive
from deckcheck.model.finding import FindingId
from deckcheck.support.messages import _, card_name, shortened

if TYPE_CHECKING:
    from deckcheck.decklists.rows import LineReader

_COMMENT = r"[#＃]|(?<![:：])//|／／|<!--|/\*"
_COMMENT_IN_MARKUP = "<!--|<comments>"
_BLOCKS = {"<!--": "-->", "<comments>": "</comments>", "/*": "*/"}
_MOST_NAMED = 4


def cards_in_comments(reader: "LineReader", deck: Deck, *, is_markup: bool = False) -> Diagnostic | None:
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


# Directives

WORD = "deckcheck"
MOST_RULES = 50
MOST_DIRECTIVES = 1_000

_MARK = r"(?:(?<![#＃])[#＃]++|//)[ \t　]*deckcheck[ \t　]*[:：][ \t　]*(?P<words>.*)"
_IGNORE = r"(?P<what>ignore(?P<whole>-file)?)[ \t　]*[\[［](?P<rules>[^\]］]*)[\]］][ \t　]*(?P<reason>.*)"
_BETWEEN = r"[\s,、，]+"


class Extracted(Struct, frozen=True):
    """The text without directives, lines and columns unchanged; the directives; their source text by line."""

    text: str
    directives: tuple[Directive, ...]
    sources: Mapping[int, str]


def extract_directives(text: str, *, sheet: bool = False) -> Extracted:
    """A list separated from its directives.

    A directive extends from its `#` or `//` to the end of the line; within a quoted cell of a `sheet`, to the
    end of the cell. A malformed directive, and the first one beyond MOST_DIRECTIVES, is a Directive with a
    problem; the rest beyond the limit stay ordinary comments.
    """
    lines = text.split("\n")
    directives: list[Directive] = []
    sources: dict[int, str] = {}
    for number, line in enumerate(lines, 1):
        match = compiled(_MARK).search(line) if WORD in line and len(line) <= LONGEST_LINE else None
        # Directives beyond the limit aren't read, so they stay in the text.
        if match is None or len(directives) > MOST_DIRECTIVES:
            continue
        end = _cell_end(line, match.start()) if sheet else len(line)
        words = line[match.start("words") : end].strip()
        sources[number] = words.replace('""', '"') if end < len(line) else words
        directive = _directive(sources[number], number, match.start() + 1)
        if len(directives) == MOST_DIRECTIVES:
            message = _(
                "too many instructions to deckcheck (at most {most_directives:,})",
                most_directives=MOST_DIRECTIVES,
            )
            directive = Directive(False, (), "", number, match.start() + 1, message)
        directives.append(directive)
        # A line with nothing else stays a comment, since an empty line may begin another zone.
        lines[number - 1] = (line[: match.start()].rstrip() + line[end:]) or "#"
    return Extracted("\n".join(lines), tuple(directives), sources)


_QUOTED = r'(?:^|(?<=[,;\t]))"(?:[^"]|"")*+"'


def _cell_end(line: str, index: int) -> int:
    """The index of the quote that closes the cell around `at`; the end of the line outside quotes."""
    quoted = (cell for cell in compiled(_QUOTED).finditer(line) if cell.start() < index < cell.end())
    return next((cell.end() - 1 for cell in quoted), len(line))


def _directive(words: str, line: int, column: int) -> Directive:
    match = compiled(_IGNORE).fullmatch(words)
    if match is None:
        wrong = _(
            "{no_sense}; {how}",
            no_sense=_("this instruction to deckcheck can't be read"),
            how=_("write “ignore[RULE] reason” or “ignore-file[RULE] reason”"),
        )
        return Directive(False, (), "", line, column, wrong)
    rules = tuple(filter(None, dict.fromkeys(compiled(_BETWEEN).split(match["rules"].strip()))))
    problem = None if rules else _("this doesn't say which rule is meant")
    if len(rules) > MOST_RULES:
        problem = _("too many rules (at most {most_rules})", most_rules=MOST_RULES)
    whole = match["whole"] is not None
    return Directive(whole, rules[:MOST_RULES], match["reason"].strip(), line, column, problem)
