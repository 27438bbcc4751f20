"""What a list asks not to be told: `# deckcheck: ignore[RULE] reason`, taken out before the list is read."""

from collections.abc import Mapping
from typing import NamedTuple

from deckcheck.decklists.patterns import compiled
from deckcheck.decklists.seen import LONGEST_LINE
from deckcheck.model.deck import Directive
from deckcheck.support.messages import _

WORD = "deckcheck"
MOST_RULES = 50
MOST_DIRECTIVES = 1_000

_MARK = r"(?:(?<![#＃])[#＃]++|//)[ \t　]*deckcheck[ \t　]*[:：][ \t　]*(?P<said>.*)"
_ASKED = r"(?P<what>ignore(?P<whole>-file)?)[ \t　]*[\[［](?P<rules>[^\]］]*)[\]］][ \t　]*(?P<reason>.*)"
_BETWEEN = r"[\s,、，]+"
_NO_SENSE = _("this instruction to deckcheck can't be read")
_HOW = _("write “ignore[RULE] reason” or “ignore-file[RULE] reason”")
_NO_RULE = _("this doesn't say which rule is meant")
_TOO_MANY = _("too many rules (at most {most_rules})", most_rules=MOST_RULES)
_TOO_OFTEN = _(
    "too many instructions to deckcheck (at most {most_directives:,})", most_directives=MOST_DIRECTIVES
)


class Split(NamedTuple):
    """A list's text without what it says to us, and that, with its words by line; columns and lines stay what they were."""

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
    mark = compiled(_MARK)
    lines = text.split("\n")
    found: list[Directive] = []
    said: dict[int, str] = {}
    for at, line in enumerate(lines):
        hit = mark.search(line) if WORD in line and len(line) <= LONGEST_LINE else None
        if hit is not None:
            end = _cell_end(line, hit.start()) if sheet else len(line)
            words = line[hit.start("said") : end].strip()
            if len(found) <= MOST_DIRECTIVES:
                said[at + 1] = words.replace('""', '"') if end < len(line) else words
            if len(found) < MOST_DIRECTIVES:
                found.append(_directive(said[at + 1], at + 1, hit.start() + 1))
            elif len(found) == MOST_DIRECTIVES:
                found.append(Directive(False, (), "", at + 1, hit.start() + 1, _TOO_OFTEN))
            else:
                # Nobody reads it, so nobody may take it away.
                continue
            # A line that held nothing else stays a comment: an empty one could mean something.
            lines[at] = (line[: hit.start()].rstrip() + line[end:]) or "#"
    return Split("\n".join(lines), tuple(found), said)


_QUOTED = r'(?:^|(?<=[,;\t]))"(?:[^"]|"")*+"'


def _cell_end(line: str, at: int) -> int:
    """Where the quotes around a place in a row end; the end of the line where none are around it."""
    quoted = (cell for cell in compiled(_QUOTED).finditer(line) if cell.start() < at < cell.end())
    return next((cell.end() - 1 for cell in quoted), len(line))


def _directive(said: str, line: int, column: int) -> Directive:
    asked = compiled(_ASKED).fullmatch(said)
    if asked is None:
        how = _("{no_sense}; {how}", no_sense=_NO_SENSE, how=_HOW)
        return Directive(False, (), "", line, column, how)
    rules = tuple(dict.fromkeys(one for one in compiled(_BETWEEN).split(asked["rules"].strip()) if one))
    wrong = _NO_RULE if not rules else _TOO_MANY if len(rules) > MOST_RULES else None
    return Directive(
        asked["whole"] is not None, rules[:MOST_RULES], asked["reason"].strip(), line, column, wrong
    )
