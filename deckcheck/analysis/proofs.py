"""What follows from the rules of a format: whether a deck can keep all, break only one, or be exactly on a bound."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from deckcheck.analysis.constraints import includes
from deckcheck.analysis.deck_model import ClauseOnDay, DeckModel, FormatOnDay, caps_each
from deckcheck.analysis.search import DeckSearch, Found
from deckcheck.analysis.witness import Copies, judged, list_of, reading_difference, violated_rules
from deckcheck.checking.cases import assuming_complete_lists
from deckcheck.checking.judge import LoadedFormat, read_deck
from deckcheck.model.card import Card
from deckcheck.model.finding import Finding, Report
from deckcheck.model.format import Clause, HasStatus, Rule, Source, leaves
from deckcheck.rules.evaluator import PreparedClause
from deckcheck.rules.predicates import NO, holds
from deckcheck.support.dates import parse_day
from deckcheck.support.messages import Words

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
            prover = Prover(format, day, seconds)
            proof = prover.satisfiable()
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
        clash = self._needed(excluding, None) if answer.state == "none" else []
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

        broken, excluding = self._find(others, breaks, clause, same)
        implied_by = self._needed(excluding, clause) if broken.state == "none" else []
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
        answer, _excluding = self._find(self._day.errors, is_legal, tight)
        self._legal += [] if answer.copies is None else [answer.copies]
        return answer

    def _find(
        self,
        kept: Sequence[ClauseOnDay],
        accepted: Callable[[Report], bool],
        violated: ClauseOnDay | None = None,
        relaxed: Sequence[ClauseOnDay] = (),
    ) -> tuple[Answer, Sequence[ClauseOnDay]]:
        """A deck that keeps some clauses and breaks another and whose report is `accepted`; else what excludes it."""
        found = self._searched(self._search.find_in_any_zone, kept, violated, relaxed)
        if found.copies is None:
            is_proven = found.solution.status == "infeasible"
            return (Answer("none"), found.clauses) if is_proven else (Answer("open"), ())
        report = judged(found.copies, self.format, self.as_of)
        return (Answer("deck", found.copies, report) if accepted(report) else Answer("open")), ()

    def _searched(
        self,
        find: Callable[..., Found],
        kept: Sequence[ClauseOnDay],
        violated: ClauseOnDay | None,
        relaxed: Sequence[ClauseOnDay],
    ) -> Found:
        """The result of `find` for decks that keep some clauses and break another."""
        concerned = [] if violated is None else [violated]

        def wish(model: DeckModel) -> None:
            for clause in concerned:
                model.require_violated(clause)

        return find(kept, wish, self._seconds, concerned=concerned, relaxed=relaxed)

    def _excluded(
        self,
        kept: Sequence[ClauseOnDay],
        violated: ClauseOnDay | None,
        relaxed: Sequence[ClauseOnDay] = (),
    ) -> bool:
        """Whether it is proven that no deck keeps some clauses and breaks another.

        The caps of `relaxed` clauses may be exceeded by one copy.
        """
        same = [] if violated is None else [violated]
        found = self._searched(self._search.find, kept, violated, [*same, *relaxed])
        return found.solution.status == "infeasible"

    def _needed(self, kept: Sequence[ClauseOnDay], violated: ClauseOnDay | None) -> list[str]:
        """The rules of a minimal set of clauses that excludes every deck: none of them can be left out."""
        # Models are small if names have few copies, so the set is found in such models, and then proven.
        needed = self._filtered(kept, violated, relax=True)
        if self._excluded(_divided(kept, needed)[0], violated):
            return needed
        return self._filtered(kept, violated, relax=False)

    def _filtered(
        self, kept: Sequence[ClauseOnDay], violated: ClauseOnDay | None, *, relax: bool
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
