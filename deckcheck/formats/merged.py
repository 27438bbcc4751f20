"""What a format says when all that it extends is taken in, and who has the say.

What a format says of a rule stands over what any format says that it extends,
directly or not: the more specific one wins. So a format that takes a rule over as
it is says nothing of it, and can't undo what another one changed. Sayings of
which neither is over the other are equals, and the last of them stands; whether
that may go without a word is for `sayings` to judge.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from deckcheck.formats.placed import Placed
from deckcheck.support.yamlfile import Document


class Said(NamedTuple):
    """What one format says of a name: a piece of its file, or that nothing bears that name (`dropped`).

    `by` is the format's file and `over` are all files that it extends.
    `instead_of` are the pieces whose place this one takes.
    """

    by: Path
    over: frozenset[Path]
    piece: Placed
    dropped: bool = False
    instead_of: tuple[Placed, ...] = ()

    @property
    def place(self) -> str:
        """The shown path and the line, and whether that is a `drop`."""
        return f"{self.piece.place} (drop)" if self.dropped else self.piece.place


Sayings = dict[str, tuple[Said, ...]]
"""By name, in the order in which the names are shown: the equals among which the last one stands."""


def together(parents: Iterable[Mapping[str, tuple[Said, ...]]]) -> Sayings:
    """What formats say that are extended in this order, without what a more specific one has overruled.

    A name keeps its place until a later format says something new of it.
    """
    joined: Sayings = {}
    for parent in parents:
        for name, said in parent.items():
            before = joined.get(name, ())
            known = {by for one in before for by in (one.by, *one.over)}
            again = {one.by for one in said}
            if not again <= known:
                joined.pop(name, None)
            joined[name] = (*(one for one in before if one.by not in again), *said)
    return {
        name: tuple(one for one in said if not any(one.by in other.over for other in said))
        for name, said in joined.items()
    }


def standing(sayings: Sayings) -> dict[str, Placed]:
    """The piece that stands under each name that has one."""
    return {name: said[-1].piece for name, said in sayings.items() if not said[-1].dropped}


@dataclass(slots=True)
class Merged:
    """What a format says when all that it extends is taken in.

    `said` holds, for "rules", "definitions" and "beside" by name and for
    "whole" by key, who says what; `over` are the files that are extended,
    `files` all files read, and `lent` the zones that the format of each file
    has, by shown path.
    """

    document: Document
    file: Path
    over: frozenset[Path] = frozenset()
    game: str = ""
    files: list[Path] = field(default_factory=list)
    lent: dict[str, frozenset[str]] = field(default_factory=dict)
    said: dict[str, Sayings] = field(default_factory=dict)

    @property
    def rules(self) -> dict[str, Placed]:
        """The rules that stand, in their order, each with the file that it came from."""
        return standing(self.said["rules"])

    @property
    def definitions(self) -> dict[str, Placed]:
        """The conditions that rules may refer to."""
        return standing(self.said["definitions"])

    @property
    def beside(self) -> dict[str, Placed]:
        """What lies beside the deck."""
        return standing(self.said["beside"])

    @property
    def zones(self) -> dict[str, Placed]:
        """The zones of a deck: those of equals are joined."""
        return {
            name: Placed(value, piece.document, (*piece.keys, name))
            for piece in self._pieces("zones")
            for name, value in piece.data.items()
        }

    @property
    def banlists(self) -> list[Placed]:
        """The lists that it leans on: those of equals are joined."""
        found: dict[str, Placed] = {}
        for piece in self._pieces("banlists"):
            for at, name in enumerate(piece.data):
                found.setdefault(name, Placed(name, piece.document, (*piece.keys, at)))
        return list(found.values())

    @property
    def exchange(self) -> Placed | None:
        """The zones between which cards are exchanged."""
        return next(iter(reversed(self._pieces("exchange"))), None)

    def _pieces(self, key: str) -> list[Placed]:
        return [one.piece for one in self.said["whole"].get(key, ())]
