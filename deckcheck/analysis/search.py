"""Searches for decks that keep clauses and fulfil a wish, with as few of the clauses in the model as possible.

A deck keeps most clauses of a format by chance, and each clause splits classes of cards. So a clause is added to the
model only after a deck that doesn't keep it was found. Decks that a model excludes are also excluded with further
clauses, and its nearest deck is no farther than the nearest one that keeps all clauses.
"""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from deckcheck.analysis.card_classes import CardClass
from deckcheck.analysis.constraints import Number, Solution
from deckcheck.analysis.deck_model import ClauseOnDay, DeckModel, caps_each
from deckcheck.analysis.witness import Copies, tally_of
from deckcheck.checking.judge import LoadedFormat
from deckcheck.rules.counting import Tally
from deckcheck.rules.evaluator import PreparedClause, evaluate

Wish = Callable[[DeckModel], Number | None]
"""Adds a wish to a model, and returns the number to minimize, or None."""


class Found(NamedTuple):
    """The last model with its solution and clauses. `copies` is the deck, which keeps all clauses; None for no deck."""

    model: DeckModel
    solution: Solution
    clauses: tuple[ClauseOnDay, ...]
    copies: Copies | None = None


class DeckSearch:
    """Searches the decks of a format. `classes` returns the classes of cards that some clauses can't tell apart."""

    def __init__(
        self, format: LoadedFormat, classes: Callable[[Collection[ClauseOnDay]], list[CardClass]]
    ) -> None:
        self._format, self._classes = format, classes

    def find(
        self,
        kept: Sequence[ClauseOnDay],
        wish: Wish,
        seconds: float,
        *,
        concerned: Sequence[ClauseOnDay] = (),
        relaxed: Sequence[ClauseOnDay] = (),
        first: Collection[ClauseOnDay] = (),
        default_zone: str | None = None,
    ) -> Found:
        """A deck that keeps all clauses `kept`, or a proof that there is none, within a time limit in seconds.

        The clauses in `first` and all caps are in the model from the start. The wish may be about the clauses in
        `concerned`. For `relaxed` and `default_zone` see `DeckModel`.
        """
        deadline = time.monotonic() + seconds
        chosen = [clause for clause in kept if clause in first or caps_each(clause.assuming.clause)]
        while True:
            classes = self._classes([*chosen, *concerned, *relaxed])
            model = DeckModel(tuple(self._format.format.zones), classes, chosen, relaxed, default_zone)
            objective = wish(model)
            solution = model.solve(max(deadline - time.monotonic(), 0.05), objective)
            if solution.values is None:
                return Found(model, solution, tuple(chosen))
            copies = model.deck(solution.values)
            failing = set(self._not_kept(copies, kept)).difference(chosen)
            if not failing:
                return Found(model, solution, tuple(chosen), copies)
            chosen = [clause for clause in kept if clause in failing or clause in chosen]

    def find_in_any_zone(
        self, kept: Sequence[ClauseOnDay], wish: Wish, seconds: float, **more: Sequence[ClauseOnDay]
    ) -> Found:
        """Like `find`, but if there is no such deck, cards may also be in zones where lists can't have them."""
        for default_zone in dict.fromkeys((self._format.game_data.game.default_zone, None)):
            found = self.find(kept, wish, seconds, default_zone=default_zone, **more)
            if found.solution.status != "infeasible":
                break
        return found

    def keeps(self, copies: Copies, clauses: Iterable[ClauseOnDay]) -> bool:
        """Whether a deck certainly keeps all of the clauses."""
        return next(self._not_kept(copies, clauses), None) is None

    def breaks(self, copies: Copies, clause: ClauseOnDay) -> bool:
        """Whether a deck certainly breaks a clause."""
        outcomes = clause.clause.outcomes(tally_of(copies, self._format))
        return any(outcome.state == "violated" for outcome in outcomes)

    def _not_kept(self, copies: Copies, clauses: Iterable[ClauseOnDay]) -> Iterator[ClauseOnDay]:
        """The clauses that the deck breaks or leaves undecided."""
        contents = tally_of(copies, self._format)
        absent = self._format.game_data.game.assumed_absent
        return (clause for clause in clauses if evaluate([clause.clause], contents, absent)[0])


def is_condition_unmet(clause: ClauseOnDay, contents: Tally) -> bool:
    """Whether the condition of the clause certainly doesn't hold for a deck."""
    prepared = clause.clause
    condition = prepared.clause.condition
    if condition is None:
        return False
    outcomes = PreparedClause(prepared.rule, condition, (), prepared.world).outcomes(contents)
    return any(outcome.state == "violated" for outcome in outcomes)
