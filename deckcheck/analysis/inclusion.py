"""Whether every deck that is legal in one format is legal in another, and the rules that make the difference."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Literal, NamedTuple

from deckcheck.analysis.card_classes import ClassMerger
from deckcheck.analysis.constraints import Number
from deckcheck.analysis.deck_model import ClauseOnDay, DeckModel, FormatOnDay, classes_for
from deckcheck.analysis.proofs import is_legal
from deckcheck.analysis.search import DeckSearch, Wish
from deckcheck.analysis.witness import Copies, judged
from deckcheck.checking.judge import LoadedFormat
from deckcheck.model.finding import Finding
from deckcheck.model.format import Rule
from deckcheck.report.findings import coming_format_finding
from deckcheck.support.errors import user_error
from deckcheck.support.messages import Words, _


class Refusal(NamedTuple):
    """A rule of one format, or a zone that it lacks, and a deck that it refuses but that is legal in the other format.

    `finding` is the evaluator's finding about the deck.
    """

    rule: Rule | None
    zone: Words | None
    copies: Copies
    finding: Finding | None


class Direction(NamedTuple):
    """Whether decks that are legal in one format are legal in another.

    `refusals` has an entry for each rule or zone that refuses some of them; those in `undecided` weren't decided within
    the time limit. `is_empty`: it is proven that no deck is legal in the first of the two.
    """

    refusals: tuple[Refusal, ...]
    undecided: tuple[str, ...]
    is_empty: bool = False

    @property
    def is_included(self) -> bool:
        """Whether it is proven that all of these decks are legal in the other format."""
        return not self.refusals and not self.undecided


class StatusChange(NamedTuple):
    """A card with its status in each of two formats; None for no status."""

    card: str
    before: str | None
    after: str | None


def status_changes(first: FormatOnDay, second: FormatOnDay) -> list[StatusChange]:
    """The cards that have another status in the second format, sorted by name."""
    before, after = (each.prepared.world.statuses for each in (first, second))
    changed = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    return [StatusChange(name, before.get(name), after.get(name)) for name in changed]


class Inclusion:
    """Two formats of one game, each on a day; each question is answered within a time limit in seconds."""

    def __init__(
        self, first: LoadedFormat, day: str, second: LoadedFormat, other_day: str, seconds: float
    ) -> None:
        if first.format.game != second.format.game:
            message = _(
                "{first} and {second} are formats of different games",
                first=first.format.id,
                second=second.format.id,
            )
            raise user_error(message)
        self.first, self.second = FormatOnDay(first, day), FormatOnDay(second, other_day)
        self._merger = ClassMerger(classes_for(first, [*self.first.clauses, *self.second.clauses]))
        self._seconds = seconds

    @property
    def warnings(self) -> list[Words]:
        """Warnings about the days."""
        found = (coming_format_finding(each.format.format, each.as_of) for each in (self.first, self.second))
        return list(dict.fromkeys(finding.message for finding in found if finding is not None))

    def first_in_second(self) -> Direction:
        """Whether decks that are legal in the first format are legal in the second."""
        return self._direction(self.first, self.second)

    def second_in_first(self) -> Direction:
        """Whether decks that are legal in the second format are legal in the first."""
        return self._direction(self.second, self.first)

    def _direction(self, legal: FormatOnDay, other: FormatOnDay) -> Direction:
        refusals: dict[object, Refusal] = {}
        undecided: dict[str, None] = {}
        shared = list(_shared(legal, other))
        for clause in other.errors:
            rule = clause.clause.rule
            if rule.id in refusals or clause in shared:
                continue
            found = self._refused(legal, other, clause)
            if isinstance(found, Refusal):
                refusals[rule.id] = found
            elif found is None:
                undecided[rule.id] = None
        for zone in legal.zones:
            if zone not in other.zones:
                found = self._refused(legal, other, zone)
                if isinstance(found, Refusal):
                    refusals[zone, ""] = found
                elif found is None:
                    undecided[zone] = None
        open_rules = tuple(id for id in undecided if id not in refusals)
        is_empty = not refusals and self._found(legal) is False
        return Direction(tuple(refusals.values()), () if is_empty else open_rules, is_empty)

    def _refused(
        self, legal: FormatOnDay, other: FormatOnDay, by: ClauseOnDay | str
    ) -> Refusal | bool | None:
        """A small deck that is legal in `legal` and breaks the clause `by` of `other`, or has cards in the zone `by`.

        False if there is none, None if that isn't known.
        """
        concerned = [] if isinstance(by, str) else [by]

        def wish(model: DeckModel) -> Number:
            if isinstance(by, str):
                model.logic.require_any([model.is_held((by,))])
            else:
                model.require_violated(by)
            return sum(names.copies(None) for names in model.names)

        found = self._found(legal, wish, concerned)
        return self._judged(found, legal, other, by) if isinstance(found, Mapping) else found

    def _found(
        self, legal: FormatOnDay, wish: Wish = lambda _model: None, concerned: Sequence[ClauseOnDay] = ()
    ) -> Copies | Literal[False] | None:
        """A deck that is legal in a format and fulfils a wish; False if there is none, None if that isn't known."""
        search = DeckSearch(legal.format, lambda clauses: self._merger(chain(*clauses)))
        found = search.find_in_any_zone(legal.errors, wish, self._seconds, concerned=concerned)
        return False if found.solution.status == "infeasible" else found.copies

    @staticmethod
    def _judged(
        copies: Copies, legal: FormatOnDay, other: FormatOnDay, by: ClauseOnDay | str
    ) -> Refusal | None:
        """The deck as a refusal if the evaluator agrees, else None."""
        report = judged(copies, other.format, other.as_of)
        if not is_legal(judged(copies, legal.format, legal.as_of)) or is_legal(report):
            return None
        if isinstance(by, str):
            return Refusal(None, legal.format.format.zones[by], copies, None)
        rule = by.clause.rule
        findings = [*report.findings, *(superseded.finding for superseded in report.superseded)]
        found = [finding for finding in findings if finding.rule == rule.id]
        return Refusal(rule, None, copies, found[0]) if found else None


def _shared(legal: FormatOnDay, other: FormatOnDay) -> Iterator[ClauseOnDay]:
    """Yields the other format's clauses that are also in the first one, so every legal deck keeps them."""
    if legal.prepared.world.statuses != other.prepared.world.statuses or legal.as_of != other.as_of:
        return
    own = [(clause.clause.clause, clause.clause.combinations) for clause in legal.errors]
    for clause in other.errors:
        if any(clause.clause.clause == mine and not combined for mine, combined in own):
            yield clause
