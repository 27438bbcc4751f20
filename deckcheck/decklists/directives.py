"""Instructions to deckcheck within a list: `# deckcheck: ignore[RULE] reason`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from deckcheck.decklists.lexer import compiled
from deckcheck.decklists.line import LONGEST_LINE
from deckcheck.model.deck import Directive
from deckcheck.support.messages import _

WORD = "deckcheck"
MOST_RULES = 50
MOST_DIRECTIVES = 1_000

_MARK = r"(?:(?<![#＃])[#＃]++|//)[ \t　]*deckcheck[ \t　]*[:：][ \t　]*(?P<words>.*)"
_IGNORE = r"(?P<what>ignore(?P<whole>-file)?)[ \t　]*[\[［](?P<rules>[^\]］]*)[\]］][ \t　]*(?P<reason>.*)"
_BETWEEN = r"[\s,、，]+"


class Split(NamedTuple):
    """A list's text without its directives, these, and their words by line; columns and lines stay what they were."""

    text: str
    directives: tuple[Directive, ...]
    said: Mapping[int, str]


def take_out(text: str, *, sheet: bool = False) -> Split:
    """Separate a list from its directives.

    A directive is the rest of its line, from the `#` or `//` on; within the
    quotes of a cell in a `sheet`, the rest of the cell. What can't be
    understood comes as a Directive that says so; the first one too many says
    that, and those behind it are comments like others.
    """
    lines = text.split("\n")
    found: list[Directive] = []
    said: dict[int, str] = {}
    for number, line in enumerate(lines, 1):
        hit = compiled(_MARK).search(line) if WORD in line and len(line) <= LONGEST_LINE else None
        # What comes after too many is read by nobody, so nobody may take it away.
        if hit is None or len(found) > MOST_DIRECTIVES:
            continue
        end = _cell_end(line, hit.start()) if sheet else len(line)
        words = line[hit.start("words") : end].strip()
        said[number] = words.replace('""', '"') if end < len(line) else words
        directive = _directive(said[number], number, hit.start() + 1)
        if len(found) == MOST_DIRECTIVES:
            message = _(
                "too many instructions to deckcheck (at most {most_directives:,})",
                most_directives=MOST_DIRECTIVES,
            )
            directive = Directive(False, (), "", number, hit.start() + 1, message)
        found.append(directive)
        # A line that held nothing else stays a comment: an empty one could mean something.
        lines[number - 1] = (line[: hit.start()].rstrip() + line[end:]) or "#"
    return Split("\n".join(lines), tuple(found), said)


_QUOTED = r'(?:^|(?<=[,;\t]))"(?:[^"]|"")*+"'


def _cell_end(line: str, at: int) -> int:
    """Where the quotes around a place in a row end; the end of the line where none are around it."""
    quoted = (cell for cell in compiled(_QUOTED).finditer(line) if cell.start() < at < cell.end())
    return next((cell.end() - 1 for cell in quoted), len(line))


def _directive(words: str, line: int, column: int) -> Directive:
    found = compiled(_IGNORE).fullmatch(words)
    if found is None:
        wrong = _(
            "{no_sense}; {how}",
            no_sense=_("this instruction to deckcheck can't be read"),
            how=_("write “ignore[RULE] reason” or “ignore-file[RULE] reason”"),
        )
        return Directive(False, (), "", line, column, wrong)
    rules = tuple(filter(None, dict.fromkeys(compiled(_BETWEEN).split(found["rules"].strip()))))
    problem = None if rules else _("this doesn't say which rule is meant")
    if len(rules) > MOST_RULES:
        problem = _("too many rules (at most {most_rules})", most_rules=MOST_RULES)
    whole = found["whole"] is not None
    return Directive(whole, rules[:MOST_RULES], found["reason"].strip(), line, column, problem)
