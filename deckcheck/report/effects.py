"""What a change of the lists does to decks: the model that the outputs of an impact write."""

from typing import NamedTuple

from deckcheck.model.finding import CardAt, Verdict
from deckcheck.model.rule import Source
from deckcheck.support.errors import Problem
from deckcheck.support.messages import Words


class Status(NamedTuple):
    """What a list says of cards: its id in the game, and in words. The id of nothing is "free"."""

    id: str
    name: Words


class Move(NamedTuple):
    """An entry of a list that says one thing on the earlier day and another on the later one.

    `sides` hold one side of one name for a card by itself, more for a
    combination. `since` is the day of the change that stands in the end,
    `source` the line that says so.
    """

    banlist: str
    list_name: Words
    sides: tuple[tuple[str, ...], ...]
    before: Status
    after: Status
    since: str
    source: Source


class Effect(NamedTuple):
    """What one moved entry does to one deck.

    `at` are the lines of the deck with its cards, `gained` and `lost` the ids
    of the rules whose findings come and go because of it. `decides` tells
    whether one of them has to do with the verdict.
    """

    move: Move
    at: tuple[CardAt, ...]
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    decides: bool


class Other(NamedTuple):
    """A finding that comes (`gained`) or goes for a reason that is no list's, and has to do with the verdict.

    `source` is the line of the rule; None for what the engine itself tells.
    """

    rule: str
    message: Words
    line: int | None
    source: Source | None
    gained: bool


class Impact(NamedTuple):
    """One deck that is judged otherwise on the later day, by its verdict or by its findings.

    Where the verdict stays there are only effects that don't decide, and no others.
    """

    path: str
    name: str | None
    format: str
    format_name: Words
    before: Verdict
    after: Verdict
    effects: tuple[Effect, ...]
    others: tuple[Other, ...]

    @property
    def turned(self) -> bool:
        """Whether the verdict is another one."""
        return self.before != self.after

    @property
    def worse(self) -> bool:
        """Whether the verdict is a worse one."""
        return _GRAVITY.index(self.after) > _GRAVITY.index(self.before)


_GRAVITY: tuple[Verdict, ...] = ("legal", "undecided", "illegal")


class Announced(NamedTuple):
    """The file with changes that are not yet in force, and the list that it changes."""

    path: str
    banlist: str


class Days(NamedTuple):
    """The two days, as ISO dates, and the announcement that is laid over the lists for the later one."""

    before: str
    after: str
    announced: Announced | None = None


class Impacts(NamedTuple):
    """All that a run has to tell.

    `turned` are the decks with another verdict, `touched` those with the same
    one and other findings because of a list, both in the order in which they
    were found. `decks` counts all that were judged, `failed` those that could
    not be, for the reasons in `problems`.
    """

    days: Days
    turned: tuple[Impact, ...]
    touched: tuple[Impact, ...]
    decks: int
    failed: int = 0
    problems: tuple[Problem, ...] = ()

    @property
    def worse(self) -> int:
        """How many decks have a worse verdict."""
        return sum(one.worse for one in self.turned)

    @property
    def unchanged(self) -> int:
        """How many decks there is nothing to tell of."""
        return self.decks - len(self.turned) - len(self.touched)
