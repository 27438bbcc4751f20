"""Directives in a list: `# deckcheck: ignore[RULE] reason`."""

from collections.abc import Mapping
from typing import NamedTuple

from deckcheck.decklists.lexer import compiled
from deckcheck.decklists.lines import LONGEST_LINE
from deckcheck.model.deck import Directive
from deckcheck.support.messages import _

WORD = "deckcheck"
MOST_RULES = 50
MOST_DIRECTIVES = 1_000

_MARK = r"(?:(?<![#＃])[#＃]++|//)[ \t　]*deckcheck[ \t　]*[:：][ \t　]*(?P<words>.*)"
_IGNORE = r"(?P<what>ignore(?P<whole>-file)?)[ \t　]*[\[［](?P<rules>[^\]］]*)[\]］][ \t　]*(?P<reason>.*)"
_BETWEEN = r"[\s,、，]+"


class Extracted(NamedTuple):
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
