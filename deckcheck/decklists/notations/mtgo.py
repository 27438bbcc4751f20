"""Magic Online's text: the main deck, an empty line, the sideboard. Nothing says which is which."""

from __future__ import annotations

from deckcheck.decklists.lines import Lines
from deckcheck.decklists.notations.common import SIDE, Listing, Numbered, source_of
from deckcheck.decklists.notations.typed import blocks, numbered, parted, seen_lines
from deckcheck.decklists.patterns import compiled
from deckcheck.errors import wrong
from deckcheck.text import Text

NAME = Text("Magic Onlineのテキスト", "Magic Online's text")
MAIN = ("Main", "Deck")
_LINE = r"([0-9]{1,3}) (?!x )[^\s].*"


def detects(text: str) -> bool:
    """Whether there are two blocks of bare lines, the smaller one below; other lists may look so, too."""
    sums = [0]
    gap = False
    for line in text.rstrip("\n").split("\n"):
        bare = line.strip()
        if bare.startswith(("#", "//")) and len(sums) == 1 and not sums[0]:
            continue
        if not bare:
            gap = sums[0] > 0
            continue
        found = compiled(_LINE).fullmatch(bare)
        if found is None:
            return False
        if gap:
            sums.append(0)
            gap = False
        sums[-1] += int(found[1])
    return len(sums) == 2 and sums[0] > sums[1]


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
        raise wrong(
            f"{NAME.ja}では、メインデッキなしでサイドボードだけを書けません",
            f"{NAME.en} can't hold a sideboard without a main deck",
        )
    return "\n\n".join("\n".join(rows) for rows in found.values()) + "\n"
