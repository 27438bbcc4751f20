"""The cards of a table while it is made: found by name, corrected, and replaced by the user's own."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from deckcheck.cards.card_file import Located, Record
from deckcheck.cards.names import Fold
from deckcheck.cards.sets import Sets
from deckcheck.model.card import several_cards
from deckcheck.support.errors import Problem, UserError


class CardSet:
    """Cards by name, in order. If two names fold alike, an exact spelling decides."""

    def __init__(self, fold: Fold) -> None:
        self.fold = fold
        self._cards: dict[str, Located] = {}
        self._alike: dict[str, list[str]] = {}

    def __iter__(self) -> Iterator[Located]:
        return iter(self._cards.values())

    def __contains__(self, name: str) -> bool:
        return name in self._cards

    def __getitem__(self, name: str) -> Located:
        return self._cards[name]

    def alike(self, name: str) -> list[str]:
        """The names of the cards whose name folds like this one."""
        return list(self._alike.get(self.fold(name), ()))

    def find(self, name: str) -> list[Located]:
        """The cards that a name can mean."""
        names = [name] if name in self._cards else self.alike(name)
        return [self._cards[known] for known in names]

    def put(self, item: Located, instead_of: str | None = None) -> None:
        """Add a card, in place of one with the same name or the one named."""
        name = item.record["name"]
        if instead_of is not None and instead_of != name:
            del self._cards[instead_of]
            self._alike[self.fold(instead_of)].remove(instead_of)
        if name not in self._cards:
            self._alike.setdefault(self.fold(name), []).append(name)
        self._cards[name] = item


class TableCards(NamedTuple):
    """The cards of a table, with all that is known about them.

    `corrected` has the reasons of corrections by the card's name, `replacing` the place in the user's file of each card
    that replaces another one, `sets` are those of the game, and `version` is a hash of the content.
    """

    cards: CardSet
    corrected: dict[str, list[str]]
    replacing: dict[str, str]
    sets: Sets
    version: str

    def put_over(self, items: Iterable[Located]) -> list[tuple[Located, Record | None]]:
        """Add the cards of one of the user's files; returns each with the record that it replaces, or None.

        A card with the same name is replaced, else the only one whose name folds alike. Raises UserError for a name by
        which several cards could be meant.
        """
        groups: dict[str, list[Located]] = {}
        for item in items:
            groups.setdefault(self.cards.fold(item.record["name"]), []).append(item)
        taken: list[tuple[Located, Record | None]] = []
        problems: list[Problem] = []
        for group in groups.values():
            names = {item.record["name"] for item in group}
            earlier = {name: self.cards[name] for name in self.cards.alike(next(iter(names)))}
            others = sorted(earlier.keys() - names)
            new = names - earlier.keys()
            for item in group:
                name = item.record["name"]
                replaced = name if name in earlier else None
                if replaced is None and others:
                    if len(others) > 1 or len(new) > 1:
                        problems.append(item.problem(several_cards(name, others), ("name",)))
                        continue
                    replaced = others[0]
                taken.append((item, None if replaced is None else earlier[replaced].record))
                self._put(item, replaced)
        if problems:
            raise UserError(problems)
        return taken

    def _put(self, item: Located, replaced: str | None) -> None:
        self.cards.put(item, replaced)
        if replaced is not None:
            self.corrected.pop(replaced, None)
            self.replacing.pop(replaced, None)
            self.replacing[item.record["name"]] = f"{item.path}:{item.line}"
