"""What follows from the rules of a format: whether a deck can keep all, break only one, or be exactly on a bound.

And from those of two: whether every deck that is legal in one is legal in the other, and the rules that make the difference.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Literal, NamedTuple

from deckcheck.analysis.card_classes import ClassMerger, ClauseOnDay, FormatOnDay, classes_for
from deckcheck.analysis.constraints import Number, includes
from deckcheck.analysis.deck_model import DeckModel, DeckSearch, Wish, caps_each
from deckcheck.analysis.witness import Copies, judged, list_of, reading_difference, violated_rules
from deckcheck.checking.cases import assuming_complete_lists
from deckcheck.checking.judge import LoadedFormat, read_deck
from deckcheck.model.card import Card
from deckcheck.model.finding import Finding, Report
from deckcheck.model.format import Clause, HasStatus, Rule, Source, leaves
from deckcheck.report.findings import coming_format_finding
from deckcheck.rules.evaluator import PreparedClause
from deckcheck.rules.predicates import NO, holds
from deckcheck.support.dates import parse_day
from deckcheck.support.errors import user_error
from deckcheck.support.messages import Words, _

State = Literal["deck", "none", "open"]
"""There is a deck; it is proven that there is none; it wasn't decided within the time limit."""


class Answer(NamedTuple):
    """Whether there is such a deck, and the deck with the evaluator's report on it."""

    state: State
    copies: Copies | None = None
    report: Report | None = None


class ClauseProof(NamedTuple):
    """What is proven about a clause on a day.

    `broken` is a deck that breaks only its rule; if there is none, the rules in `implied_by` imply it, or if that is
    (), no deck of the pool breaks it. `bounds` are legal decks exactly on its bounds, from the upper to the lower end.
    `unplayable` are the cards that it bans and that couldn't be in any deck without it either.
    """

    rule: Rule
    clause: Clause
    broken: Answer
    implied_by: tuple[str, ...] = ()
    bounds: tuple[Answer, ...] = ()
    unplayable: tuple[str, ...] = ()

    @property
    def source(self) -> Source:
        """The place of the clause."""
        source = self.rule.source
        return source if self.clause.line is None else source._replace(line=self.clause.line)

    @property
    def is_idle(self) -> bool:
        """Whether it is proven that no deck breaks only its rule."""
        return self.broken.state == "none"

    @property
    def message(self) -> Finding | None:
        """The evaluator's finding about the deck that breaks it."""
        findings = () if self.broken.report is None else self.broken.report.findings
        return next((finding for finding in findings if finding.rule == self.rule.id), None)


class FormatProof(NamedTuple):
    """What is proven about a format on a day. If no deck is legal, the rules in `clash` exclude one another."""

    as_of: str
    legal: Answer
    clash: tuple[Rule, ...] = ()
    clauses: tuple[ClauseProof, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether it is undecided if any deck is legal, or if one breaks only some rule."""
        answers = [self.legal, *(clause.broken for clause in self.clauses)]
        return any(answer.state == "open" for answer in answers)


def is_legal(report: Report) -> bool:
    """Whether a deck is legal if the banlists in use are complete."""
    return assuming_complete_lists(report).verdict == "legal"


def change_days(format: LoadedFormat, until: str) -> list[str]:
    """The days up to `until` when rules, banlists or editions change and no list is partial; ISO dates in order."""
    rules = format.format
    days = {edition.date for edition in rules.editions}
    days |= {
        change.since for banlist in rules.banlists for entry in banlist.entries for change in entry.history
    }
    for rule in rules.rules:
        for clause in rule.clauses:
            last = None if clause.until is None else parse_day(clause.until)
            after = None if last is None else last.fromordinal(last.toordinal() + 1).isoformat()
            days |= {clause.since, after}
    first = min((edition.date for edition in rules.editions if edition.date), default="")
    partial = [banlist for banlist in rules.banlists if banlist.partial or banlist.complete_from]
    return [
        day
        for day in sorted(day for day in days if day is not None)
        if first <= day <= until and not any(banlist.partial_on(day) for banlist in partial)
    ]


def unsatisfiable_days(
    format: LoadedFormat, days: Iterable[str], seconds: float, done: Callable[[], None]
) -> Iterator[FormatProof]:
    """Yields the proofs for the days without a known legal deck. `done` is called after each day."""
    copies: Copies | None = None
    for day in days:
        if copies is None or not is_legal(judged(copies, format, day)):
            proof = Prover(format, day, seconds).satisfiable()
            copies = proof.legal.copies
            if copies is None:
                yield proof
        done()


class Prover:
    """Answers questions about a format on a day, each within a time limit in seconds."""

    def __init__(self, format: LoadedFormat, as_of: str, seconds: float) -> None:
        self.format, self.as_of, self._seconds = format, as_of, seconds
        self._day = FormatOnDay(format, as_of)
        self._search = DeckSearch(format, self._day.classes_of)
        self._legal: list[Copies] = []

    @property
    def clauses(self) -> list[ClauseOnDay]:
        """The clauses about which something can be proven: errors and warnings."""
        return [clause for clause in self._day.clauses if clause.clause.clause.severity != "info"]

    def satisfiable(self) -> FormatProof:
        """A legal deck, or the rules that exclude one another; none of them can be left out."""
        answer, excluding = self._find(self._day.errors, is_legal)
        if answer.copies is not None:
            self._legal.append(answer.copies)
        clash = self._needed(excluding, ()) if answer.state == "none" else []
        rules = {rule.id: rule for rule in self.format.format.rules}
        return FormatProof(self.as_of, answer, tuple(rules[id] for id in clash))

    def prove(self, clause: ClauseOnDay) -> ClauseProof:
        """What is proven about a clause."""
        rule, prepared = clause.clause.rule, clause.clause
        others = [other for other in self._day.errors if other.clause.rule.id != rule.id]
        same = [other for other in self._day.errors if other.clause.rule.id == rule.id]
        wanted = {rule.id} if clause.is_error else set()

        def breaks(report: Report) -> bool:
            found = {finding.rule for finding in report.findings if finding.verdict == "violated"}
            return violated_rules(report) == wanted and rule.id in found

        broken, excluding = self._find(others, breaks, [clause], same)
        implied_by = self._needed(excluding, [clause]) if broken.state == "none" else []
        bounds = tuple(self._on_bound(clause, tight) for tight in self._day.tighter(clause))
        unplayable = self._unplayable(clause, others)
        return ClauseProof(rule, prepared.clause, broken, tuple(implied_by), bounds, tuple(unplayable))

    def _on_bound(self, clause: ClauseOnDay, tight: ClauseOnDay) -> Answer:
        """A legal deck that breaks the tighter clause."""
        # Every deck is on the bound of a ban.
        is_ban = clause.clause.clause.is_ban
        known = (copies for copies in self._legal if is_ban or self._search.breaks(copies, tight))
        if (copies := next(known, None)) is not None:
            return Answer("deck", copies, judged(copies, self.format, self.as_of))
        answer, _excluding = self._find(self._day.errors, is_legal, [tight])
        self._legal += [] if answer.copies is None else [answer.copies]
        return answer

    def _find(
        self,
        kept: Sequence[ClauseOnDay],
        accepted: Callable[[Report], bool],
        violated: Sequence[ClauseOnDay] = (),
        relaxed: Sequence[ClauseOnDay] = (),
    ) -> tuple[Answer, Sequence[ClauseOnDay]]:
        """A deck that keeps some clauses and breaks others and whose report is `accepted`; else what excludes it."""
        find, wish = self._search.find_in_any_zone, _breaking(violated)
        found = find(kept, wish, self._seconds, concerned=violated, relaxed=relaxed)
        if found.copies is None:
            is_proven = found.solution.status == "infeasible"
            return (Answer("none"), found.clauses) if is_proven else (Answer("open"), ())
        report = judged(found.copies, self.format, self.as_of)
        return (Answer("deck", found.copies, report) if accepted(report) else Answer("open")), ()

    def _excluded(
        self,
        kept: Sequence[ClauseOnDay],
        violated: Sequence[ClauseOnDay],
        relaxed: Sequence[ClauseOnDay] = (),
    ) -> bool:
        """Whether it is proven that no deck keeps some clauses and breaks the others.

        The caps of `relaxed` clauses may be exceeded by one copy.
        """
        find, relaxed = self._search.find, [*violated, *relaxed]
        found = find(kept, _breaking(violated), self._seconds, concerned=violated, relaxed=relaxed)
        return found.solution.status == "infeasible"

    def _needed(self, kept: Sequence[ClauseOnDay], violated: Sequence[ClauseOnDay]) -> list[str]:
        """The rules of a minimal set of clauses that excludes every deck: none of them can be left out."""
        # Models are small if names have few copies, so the set is found in such models, and then proven.
        needed = self._filtered(kept, violated, relax=True)
        if self._excluded(_divided(kept, needed)[0], violated):
            return needed
        return self._filtered(kept, violated, relax=False)

    def _filtered(
        self, kept: Sequence[ClauseOnDay], violated: Sequence[ClauseOnDay], *, relax: bool
    ) -> list[str]:
        """The rules that remain after leaving out those without which every deck is still excluded."""
        needed = list(dict.fromkeys(clause.clause.rule.id for clause in kept))
        size = max(len(needed) // 2, 1)
        while True:
            for start in range(0, len(needed), size)[::-1]:
                fewer = needed[:start] + needed[start + size :]
                rest, others = _divided(kept, fewer)
                if self._excluded(rest, violated, others if relax else ()):
                    needed = fewer
            if size == 1:
                return needed
            size //= 2

    def _unplayable(self, clause: ClauseOnDay, others: Sequence[ClauseOnDay]) -> list[str]:
        """The listed cards that a clause bans, but that other clauses exclude from every deck, too."""
        prepared = clause.clause
        where = prepared.clause.selection.where
        listed = any(isinstance(leaf, HasStatus) for leaf in leaves(where))
        if not (clause.is_error and prepared.clause.is_ban and listed) or where is None:
            return []
        forbidden = [names for names in self._day.classes if holds(where, names.card, prepared.world) != NO]
        zones = prepared.clause.selection.zones or self._day.zones
        bans = [other.assuming for other in others if _bans_each(other)]
        return [
            name
            for names in forbidden
            if all(any(_bans(ban, names.card, zone) for ban in bans) for zone in zones)
            for name in names.names
        ]


def _breaking(clauses: Sequence[ClauseOnDay]) -> Wish:
    """The wish that a deck breaks clauses."""

    def wish(model: DeckModel) -> None:
        for clause in clauses:
            model.require_violated(clause)

    return wish


def _bans_each(clause: ClauseOnDay) -> bool:
    """Whether the clause bans the same cards from every deck."""
    return clause.assuming.clause.is_ban and caps_each(clause.assuming.clause)


def _bans(ban: PreparedClause, card: Card, zone: str) -> bool:
    """Whether the ban excludes a card from a zone."""
    zones, where = ban.clause.selection
    return includes(zones, zone) and (where is None or holds(where, card, ban.world) != NO)


def _divided(
    clauses: Iterable[ClauseOnDay], ids: Sequence[str]
) -> tuple[list[ClauseOnDay], list[ClauseOnDay]]:
    """The clauses of the rules with these ids, and the others."""
    clauses = list(clauses)
    return (
        [clause for clause in clauses if clause.clause.rule.id in ids],
        [clause for clause in clauses if clause.clause.rule.id not in ids],
    )


def cases_of(format: LoadedFormat, proof: FormatProof) -> dict[str, str | Words]:
    """The decks of a proof as lists, by file name; what is wrong with a list if it is read as another deck."""
    cases: dict[str, str | Words] = {}
    for number, clause in enumerate(proof.clauses, start=1):
        decks = [(f"proof-{number:02}-{clause.rule.id}", clause.broken, "")]
        decks += [
            (f"proof-{number:02}-{clause.rule.id}-bound-{at}", bound, clause.rule.id)
            for at, bound in enumerate(clause.bounds, start=1)
        ]
        for name, answer, bound in decks:
            if answer.copies is not None:
                cases[f"{name}.txt"] = _case(format, answer.copies, proof.as_of, bound)
    return cases


def _case(format: LoadedFormat, copies: Copies, as_of: str, bound: str) -> str | Words:
    """The deck as a case, on a rule's `bound` or breaking a rule; what is wrong if its list is read as another deck."""
    expected = assuming_complete_lists(judged(copies, format, as_of))
    ids = sorted({finding.rule for finding in expected.findings})
    header = {"expect": ", ".join([expected.verdict, *ids]), "as-of": as_of}
    text = list_of(copies, format, "en", header | ({"bound": bound} if bound else {}))
    return reading_difference(read_deck(format, text, "-"), copies, format) or text


# Comparing two formats


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
        undecided: dict[object, str] = {}
        shared = list(_shared(legal, other))
        questions: list[tuple[object, str, ClauseOnDay | str]] = [
            (clause.clause.rule.id, clause.clause.rule.id, clause)
            for clause in other.errors
            if clause not in shared
        ]
        questions += [((zone, ""), zone, zone) for zone in legal.zones if zone not in other.zones]
        for key, name, by in questions:
            if key in refusals:
                continue
            copies = self._refused(legal, by)
            refusal = self._judged(copies, legal, other, by) if copies else None
            if refusal is not None:
                refusals[key] = refusal
            elif copies is not False:
                undecided[key] = name
        is_empty = not refusals and self._found(legal) is False
        left = () if is_empty else tuple(name for key, name in undecided.items() if key not in refusals)
        return Direction(tuple(refusals.values()), left, is_empty)

    def _refused(self, legal: FormatOnDay, by: ClauseOnDay | str) -> Copies | Literal[False] | None:
        """A small deck that is legal in `legal` and breaks the clause `by`, or has cards in the zone `by`.

        False if there is none, None if that isn't known.
        """

        def wish(model: DeckModel) -> Number:
            if isinstance(by, str):
                model.logic.require_any([model.is_held((by,))])
            else:
                model.require_violated(by)
            return sum(names.copies(None) for names in model.names)

        return self._found(legal, wish, [] if isinstance(by, str) else [by])

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
