"""Magic Online's text: the main deck, an empty line, the sideboard. Nothing says which is which."""

from __future__ import annotations

from deckcheck.decklists.lines import Lines
from deckcheck.decklists.notations.common import SIDE, Listing, Numbered, source_of
from deckcheck.decklists.notations.typed import blocks, numbered, parted, seen_lines
from deckcheck.decklists.shapes import compiled
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

NAME = _("Magic Online's text")
MAIN = ("Main", "Deck")
_LINE = r"[ \t]*+[0-9]{1,3} (?!x )[^\s][^\n]*+"
_GAP = r"(?:[ \t]*+\n)++"
# Each part takes all that it can, and no line can be two of them.
_BLOCKS = (
    rf"(?:[ \t]*+(?:(?:#|//)[^\n]*+)?+\n)*+(?P<main>(?:{_LINE}\n)++){_GAP}"
    rf"(?P<side>{_LINE}(?:\n{_LINE})*+)\s*+"
)
_COUNTS = r"(?m)^[ \t]*+([0-9]{1,3}) "


def detects(text: str, *, expected: bool) -> bool:
    """Whether there are two blocks of bare lines, the smaller one below; elsewhere that says nothing."""
    found = compiled(_BLOCKS).fullmatch(text) if expected else None
    return found is not None and _copies(found["main"]) > _copies(found["side"])


def _copies(block: str) -> int:
    return sum(map(int, compiled(_COUNTS).findall(block)))


def seen_in(lines: Lines, text: str, path: str) -> list[Numbered]:
    """See Notation."""
    return numbered(parted(lines, seen_lines(lines, source_of(text, path))))


def joined(listing: Listing, name: str) -> str:
    """A name of halves as Magic Online spells it, with one slash, where that is still the same card's."""
    short = name.replace(" // ", "/")
    return short if short != name and listing.find(name) == listing.find(short) else name


def written(listing: Listing) -> str:
    """See Notation."""
    found = dict(blocks(listing, NAME, MAIN, [SIDE], lambda name: joined(listing, name)))
    if SIDE[0] in found and MAIN[0] not in found:
        raise user_error(_("{name} can't hold a sideboard without a main deck", name=NAME))
    return "\n\n".join("\n".join(rows) for rows in found.values()) + "\n"
