"""What a format says when all that it extends is taken in."""

from dataclasses import dataclass, field
from pathlib import Path

from deckcheck.formats.placed import Placed
from deckcheck.formats.precedence import Sayings, standing
from deckcheck.yamlfile import Document


@dataclass(slots=True)
class Merged:
    """What a format says when all that it extends is taken in.

    `said` holds, for "rules", "definitions" and "beside" by name and for
    "whole" by key, who says what; `over` are the files that are extended,
    `files` all files read.
    """

    document: Document
    file: Path
    over: frozenset[Path] = frozenset()
    game: str = ""
    files: list[Path] = field(default_factory=list)
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
        return [one.piece for one in self.said["whole"].get(key, ()) if one.piece is not None]
