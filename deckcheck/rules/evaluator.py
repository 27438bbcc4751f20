"""The evaluator: what a deck breaks or leaves open among the clauses in force, each cause once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.model.card import Card
from deckcheck.model.finding import State
from deckcheck.model.format import Clause, Has, Severity, leaves
from deckcheck.rules.clauses import Outcome, PreparedClause
from deckcheck.rules.counting import INFINITY, Interval, Tally, judge


class Assumption(Struct, frozen=True):
    """An assumption by which a clause is kept: these cards lack the `values` of `attribute`, which are unknown."""

    attribute: str
    values: frozenset[str]
    cards: tuple[Card, ...]


def evaluate(
    clauses: Iterable[PreparedClause],
    deck: Tally,
    assumed_absent: Mapping[str, frozenset[str]] = MappingProxyType({}),
) -> tuple[list[Outcome], list[Assumption]]:
    """Every clause that the deck breaks or that stays open, in the order of the format, and what had to be assumed.

    Values that are `assumed_absent` are only assumed if a clause stays open without that and is kept with it.
    """
    outcomes: list[Outcome] = []
    assumptions: list[Assumption] = []
    sure_entries = Tally(deck.zones, unplaced=deck.unplaced) if deck.uncertain else None
    placed_cards = deck.without_unplaced() if deck.unplaced else None
    for clause in clauses:
        of_clause = clause.outcomes(deck)
        if of_clause and sure_entries is not None:
            of_clause = list(certain_outcomes(of_clause, clause.outcomes(sure_entries)))
        if of_clause and placed_cards is not None:
            of_clause = list(open_without_unplaced(of_clause, clause.outcomes(placed_cards)))
        if assumed_absent and any(outcome.state == State.UNDECIDED for outcome in of_clause):
            of_clause, made = _without_assumed(clause, deck, of_clause, assumed_absent)
            assumptions += made
        outcomes += of_clause
    return outcomes, assumptions


def _without_assumed(
    clause: PreparedClause,
    deck: Tally,
    outcomes: list[Outcome],
    assumed_absent: Mapping[str, frozenset[str]],
) -> tuple[list[Outcome], list[Assumption]]:
    """The outcomes without those that are open only because of facts that may be assumed absent.

    Only the clause's selection is searched for such facts, not its condition or alternatives.
    """
    absent = absent_facts(clause.clause, assumed_absent)
    if not absent:
        return outcomes, []
    still_open = {outcome.about for outcome in clause.assuming(absent).outcomes(deck)}
    kept: list[Outcome] = []
    assumptions: list[Assumption] = []
    for outcome in outcomes:
        made: list[Assumption] = []
        if outcome.state == State.UNDECIDED and outcome.about not in still_open:
            made = _assumptions(outcome, absent)
        if made:
            assumptions += made
        else:
            kept.append(outcome)
    return kept, assumptions


def _assumptions(outcome: Outcome, absent: Mapping[str, frozenset[str]]) -> list[Assumption]:
    """What has to be assumed of the cards whose facts keep an outcome open."""
    assumptions = []
    for attribute, values in absent.items():
        cards = tuple(fact.card for fact in outcome.open_facts if attribute in fact.attributes)
        if cards:
            assumptions.append(Assumption(attribute, values, cards))
    return assumptions


def absent_facts(clause: Clause, assumed_absent: Mapping[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    """For each attribute, the values by which the clause selects and that cards may be assumed to lack."""
    absent: dict[str, frozenset[str]] = {}
    for leaf in leaves(clause.selection.where):
        if isinstance(leaf, Has) and leaf.values <= assumed_absent.get(leaf.attribute, frozenset()):
            absent[leaf.attribute] = absent.get(leaf.attribute, frozenset()) | set(map(str, leaf.values))
    return absent


def certain_outcomes(outcomes: Iterable[Outcome], of_sure_entries: Iterable[Outcome]) -> Iterator[Outcome]:
    """The outcomes without those that only uncertain entries leave open.

    `of_sure_entries` are those of the deck without such entries. If one of these settles a single card or combination,
    it is reported instead of the whole interval.
    """
    by_subject = {outcome.about: outcome for outcome in of_sure_entries}
    for outcome in outcomes:
        sure = by_subject.get(outcome.about)
        if outcome.state == State.UNDECIDED and (sure is None or sure.state != State.UNDECIDED):
            continue
        is_single = outcome.subject is not None or outcome.clause.is_of_sides
        if sure is not None and is_single and judge(sure.number, outcome.limits) == outcome.state:
            outcome = replace(outcome, number=sure.number)
        written = Interval(outcome.number.low, outcome.number.low)
        if outcome.name and judge(written, outcome.limits) == outcome.state:
            # All unknown names may be the same card, but that isn't worth reporting.
            outcome = replace(outcome, number=written)
        yield outcome


def open_without_unplaced(
    outcomes: Iterable[Outcome], of_placed_cards: Iterable[Outcome]
) -> Iterator[Outcome]:
    """The outcomes, undecided if the deck may keep the clause without its unplaced cards.

    `of_placed_cards` are those of the deck without the unplaced cards.
    """
    lows: dict[object, float] = {}
    violated: set[object] = set()
    for outcome in of_placed_cards:
        key = (*outcome.about, outcome.name)
        lows[key] = max(outcome.number.low, lows.get(key, 0))
        if outcome.state == State.VIOLATED:
            violated.add(key)
    for outcome in outcomes:
        key = (*outcome.about, outcome.name)
        if outcome.state == State.VIOLATED and key not in violated:
            number = Interval(lows.get(key, 0), outcome.number.low)
            outcome = replace(outcome, state=State.UNDECIDED, number=number)
        yield outcome


class SupersededOutcome(Struct, frozen=True):
    """An outcome that is redundant, with the ids of the rules whose outcomes say as much about the same card."""

    outcome: Outcome
    by: tuple[str, ...]


def one_per_cause(outcomes: Iterable[Outcome]) -> tuple[list[Outcome], list[SupersededOutcome]]:
    """The outcomes that say something new, and those superseded (strictest first) by the rules of others. Bans stay."""
    outcomes = _undecided_once(outcomes)
    caps: dict[Card | None, list[tuple[int, Outcome]]] = {}
    for position, outcome in enumerate(outcomes):
        if outcome.state == State.VIOLATED and _is_over_cap(outcome):
            caps.setdefault(outcome.subject, []).append((position, outcome))
    kept: list[Outcome] = []
    superseded: list[SupersededOutcome] = []
    for position, outcome in enumerate(outcomes):
        by: list[str] = []
        if _is_over_cap(outcome) and not outcome.clause.is_ban:
            for other_position, other in caps.get(outcome.subject, ()):
                is_stricter = (_cap(other), other_position) < (_cap(outcome), position)
                if is_stricter and _covers(other, outcome):
                    by.append(other.rule.id)
        if by:
            superseded.append(SupersededOutcome(outcome, tuple(by)))
        else:
            kept.append(outcome)
    return kept, sorted(superseded, key=lambda item: _cap(item.outcome))


def _is_over_cap(outcome: Outcome) -> bool:
    """Whether a single card has too many copies, with severity error."""
    is_error = outcome.clause.severity == Severity.ERROR
    return is_error and outcome.subject is not None and outcome.number.high > _cap(outcome)


def _cap(outcome: Outcome) -> float:
    return INFINITY if outcome.limits.high is None else outcome.limits.high.high


def _covers(strict: Outcome, other: Outcome) -> bool:
    """Whether fixing the strict outcome also fixes the other, which counts in no other zone.

    A card that may not be in some zones can be moved to another, which doesn't change its number of copies.
    """
    zones, other_zones = strict.clause.selection.zones, other.clause.selection.zones
    if zones is None:
        return True
    return not strict.clause.is_ban and other_zones is not None and set(other_zones) <= set(zones)


def _undecided_once(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """The outcomes without undecided ones about the same cards as an earlier one of their rule, and no more severe."""
    seen: dict[tuple[str, frozenset[Card]], bool] = {}
    kept = []
    for outcome in outcomes:
        if outcome.state == State.UNDECIDED:
            key = (outcome.rule.id, frozenset(outcome.cards))
            is_error = outcome.clause.severity == Severity.ERROR
            if key in seen and (seen[key] or not is_error):
                continue
            seen[key] = is_error
        kept.append(outcome)
    return kept
