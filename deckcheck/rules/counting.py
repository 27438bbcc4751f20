"""Count cards of a deck. Every count is an interval that holds the true number.

Sure copies of a card whose description is unknown count from 0; loose copies
(see tally.py) count in so far as every card they may be is so described.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from deckcheck.model.card import Card
from deckcheck.model.rule import Clause, Predicate, Range
from deckcheck.rules.bounds import Interval
from deckcheck.rules.judging import NO, UNKNOWN, YES, Binding, Trit, World, holds
from deckcheck.rules.tally import Copies, Loose, Tally, copies_in, loose_in

INFINITY = float("inf")


class Answers(dict[Card, Trit]):
    """The answers of one predicate in one world, kept as they are asked for."""

    __slots__ = ("binding", "predicate", "world")

    def __init__(self, predicate: Predicate | None, world: World, binding: Binding) -> None:
        self.predicate = predicate
        self.world = world
        self.binding = binding

    def __missing__(self, card: Card) -> Trit:
        predicate = self.predicate
        answer = YES if predicate is None else holds(predicate, card, self.world, self.binding)
        self[card] = answer
        return answer

    def of_loose(self, loose: Loose) -> Trit:
        """The answer for copies of which it is not sure whose they are."""
        if not loose.cards:
            return YES if self.predicate is None and loose.is_card else UNKNOWN
        answers = {self[card] for card in loose.cards}
        return answers.pop() if len(answers) == 1 else UNKNOWN


class Group(NamedTuple):
    """One thing that is bounded by itself.

    `number` holds the true number; `sure` is the same without loose copies.
    `cards` are those that are or may be counted. `label` is the value that
    makes the group, `subject` its only card where the group is one name;
    `open` says that the group itself may not exist.
    """

    number: Interval
    sure: Interval
    cards: tuple[Card, ...]
    subject: Card | None = None
    label: str | None = None
    open: bool = False


def groups(clause: Clause, deck: Tally, answers: Answers) -> Iterator[Group]:
    """What the clause bounds in this deck, group by group."""
    copies = copies_in(deck, clause.selection.zones)
    loose = loose_in(deck, clause.selection.zones) if deck.loose else []
    if clause.per == "name" or is_ban(clause):
        yield from _by_name(copies, loose, answers)
    elif clause.per is not None:
        yield from _by_value(clause.per, copies, loose, answers)
    elif clause.counted == "names":
        yield _names(clause.copies, copies, loose, answers)
    elif clause.summed:
        yield _sum(clause.counted, copies, loose, answers)
    else:
        yield _copies(copies, loose, answers)


def is_ban(clause: Clause) -> bool:
    """Whether the clause forbids cards, each for itself, rather than bounding a sum."""
    alone = clause.per is None or clause.per == "name"
    return clause.high == 0 and clause.counted == "copies" and alone and clause.selection.where is not None


def none_can_break(clause: Clause, deck: Tally, answers: Answers) -> bool:
    """A quick look that settles most clauses of a legal deck: nothing here comes near the bound."""
    if deck.loose or clause.low is not None or clause.exactly is not None or clause.one_of is not None:
        return False
    copies = copies_in(deck, clause.selection.zones)
    if clause.per == "name":
        return isinstance(clause.high, int) and max(copies.values(), default=0) <= clause.high
    return is_ban(clause) and not any(map(answers.__getitem__, copies))


def _by_name(copies: Copies, loose: list[Loose], answers: Answers) -> Iterator[Group]:
    for card, number in copies.items():
        answer = answers[card]
        if answer == NO:
            continue
        more = sum(one.high for one in loose if not one.cards or card in one.cards)
        sure = Interval(number, number)
        yield Group(Interval(number, number + more), sure, (card,), card, open=answer == UNKNOWN)
    nothing = Interval(0, 0)
    for one in loose:
        # All copies on one line bear one name, whichever it is; further copies of it may stand on other lines.
        if one.is_card and answers.of_loose(one) == YES:
            low = one.low if one.zone is not None else 0
            others = sum(other.high for other in loose)
            most = max(
                (number for card, number in copies.items() if not one.cards or card in one.cards), default=0
            )
            yield Group(Interval(low, others + most), nothing, one.cards, open=low == 0)


def _by_value(attribute: str, copies: Copies, loose: list[Loose], answers: Answers) -> Iterator[Group]:
    counted = [(card, number) for card, number in copies.items() if answers[card] != NO]
    values = sorted({value for card, _ in counted for value in _values(card, attribute) or ()})
    may_be_loose = sum(one.high for one in loose if answers.of_loose(one) != NO)
    for value in values:
        low = high = 0
        cards = []
        for card, number in counted:
            own = _values(card, attribute)
            if own is not None and value not in own and attribute not in card.partial:
                continue
            cards.append(card)
            high += number
            low += number if own is not None and value in own and answers[card] == YES else 0
        yield Group(
            Interval(low, high + may_be_loose), Interval(low, high), tuple(cards), label=value, open=low == 0
        )
    unsure = [
        (card, n) for card, n in counted if _values(card, attribute) is None or attribute in card.partial
    ]
    if unsure or may_be_loose:
        # They may have a value that no other card has.
        high = sum(number for _, number in unsure)
        sure = Interval(0, high)
        yield Group(Interval(0, high + may_be_loose), sure, tuple(card for card, _ in unsure), open=True)


def _values(card: Card, attribute: str) -> Iterable[str] | None:
    fact = card.facts.get(attribute)
    return fact if isinstance(fact, frozenset) else None


def _copies(copies: Copies, loose: list[Loose], answers: Answers) -> Group:
    if answers.predicate is None:
        low = high = sum(copies.values())
        cards: tuple[Card, ...] = ()
    else:
        counted = [(card, number) for card, number in copies.items() if answers[card] != NO]
        low = sum(number for card, number in counted if answers[card] == YES)
        high = sum(number for _, number in counted)
        cards = tuple(card for card, _ in counted)
    return _with_loose(Interval(low, high), loose, answers, cards)


def _with_loose(sure: Interval, loose: list[Loose], answers: Answers, cards: tuple[Card, ...]) -> Group:
    low, high = sure
    for one in loose:
        answer = answers.of_loose(one)
        low += one.low if answer == YES and one.zone is not None else 0
        high += one.high if answer != NO else 0
    return Group(Interval(low, high), sure, cards)


def _names(wanted: Range | None, copies: Copies, loose: list[Loose], answers: Answers) -> Group:
    low = high = sure_low = 0
    cards = []
    for card, number in copies.items():
        answer = answers[card]
        if answer == NO:
            continue
        more = sum(one.high for one in loose if not one.cards or card in one.cards)
        within = min(answer, _within(Interval(number, number + more), wanted))
        if within != NO:
            cards.append(card)
        high += within != NO
        low += within == YES
        sure_low += min(answer, _within(Interval(number, number), wanted)) == YES
    sure_high = sum(min(answers[card], _within(Interval(n, n), wanted)) != NO for card, n in copies.items())
    may_be_names = _loose_names(copies, [one for one in loose if answers.of_loose(one) != NO])
    return Group(Interval(low, high + may_be_names), Interval(sure_low, sure_high), tuple(cards))


def _loose_names(copies: Copies, loose: list[Loose]) -> float:
    """How many names loose copies may add to those that are sure; lines of one known card add one."""
    known = {one.cards[0] for one in loose if len(one.cards) == 1} - copies.keys()
    others = [one for one in loose if len(one.cards) != 1]
    return len(known) + sum(1 if one.is_card else INFINITY for one in others)


def _within(number: Interval, wanted: Range | None) -> Trit:
    if wanted is None:
        return YES
    top = INFINITY if wanted.high is None else wanted.high
    if wanted.low <= number.low and number.high <= top:
        return YES
    return NO if number.high < wanted.low or number.low > top else UNKNOWN


def _sum(attribute: str, copies: Copies, loose: list[Loose], answers: Answers) -> Group:
    low = high = 0.0
    cards = []
    for card, number in copies.items():
        answer = answers[card]
        if answer == NO:
            continue
        cards.append(card)
        fact = card.facts.get(attribute)
        worth = fact if isinstance(fact, int | float) else None
        if worth is None:
            # What is printed and unknown is taken to be no less than zero.
            high = INFINITY
            continue
        low += worth * number if answer == YES else min(0, worth * number)
        high += worth * number if answer == YES else max(0, worth * number)
    sure = Interval(low, high)
    may_be_loose = any(answers.of_loose(one) != NO for one in loose)
    return Group(Interval(low, INFINITY if may_be_loose else high), sure, tuple(cards))
