"""Finds rules that make no sense, change nothing, or exclude one another, although all of their words are valid.

Only what is certain is reported. A more specific rule may make an inherited one redundant: that is its purpose.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from itertools import combinations

from deckcheck.formats.inheritance import DEFINITIONS, RULES, Inheritance
from deckcheck.formats.parsing import Context, ParsedClause, RuleParser, Scope, duplicate_problems
from deckcheck.model.banlist import Banlist, all_statuses
from deckcheck.model.format import EACH, All, Bound, Clause, Has, Linear, Outside, leaves
from deckcheck.rules.implication import always_holds, exclude_each_other, makes_idle, what_is_counted
from deckcheck.support.documents import Document
from deckcheck.support.messages import Message, _, n_

MOST_ALIKE = 200
"""The most clauses that count exactly the same; each is compared with each."""


def check_settings(found: Inheritance, context: Context) -> None:
    """Note problems with the zones, with those of exchanges, and with the source."""
    stand_ins: dict[str, str] = {}
    known = context.game.zones
    for name, node in found.zones.items():
        context.check_word(node, known, _("the game has no zone {zone!r}", zone=name), name)
        for listed_as in node.under("listed_as"):
            zone = listed_as.at("zone")
            if context.check_word(zone, known, _("the game has no zone {zone!r}", zone=zone.data)):
                for message in _mistakes_of_stand_in(name, zone, stand_ins, found, context):
                    context.report(zone, message)
                if "where" not in listed_as.data:
                    stand_ins.setdefault(zone.data, name)
    if found.exchange is not None:
        zones = found.exchange.items()
        for zone in zones:
            context.zone(zone)
        context.add(duplicate_problems(zones))
        if len(zones) == 1:
            context.report(
                found.exchange, n_("at least {n} entry is needed", "at least {n} entries are needed", 2)
            )
    for source in found.top.under("source"):
        context.source(source)


def _mistakes_of_stand_in(
    name: str, node: Document, stand_ins: dict[str, str], found: Inheritance, context: Context
) -> Iterator[Message]:
    """Yields why a zone can't stand in for another one in lists; `stand_ins` are the earlier ones."""
    zone = node.data
    # With a condition, it may stand in for several zones.
    if zone in stand_ins and "where" not in found.zones[name].data["listed_as"]:
        yield _("{zone!r} already stands in for {other!r}", zone=zone, other=stand_ins[zone])
    elif name == context.game.default_zone:
        yield _("cards under no heading are in {zone!r}, so no other zone stands in for it", zone=name)
    # A zone from another format may be inherited together with its stand-in.
    own = found.zones.get(zone)
    if own is not None and own.marks is node.marks:
        yield _("{zone!r} is a zone of this format, so it stands in for no other", zone=zone)


def check_statuses(banlists: Sequence[tuple[Document, Banlist]], context: Context) -> None:
    """Note statuses that a banlist gives but no rule uses, and those that rules use but no banlist gives."""
    for section, used in (("cards", context.statuses), ("combinations", context.combined)):
        known, given = context.game.statuses.keys(), set[str]()
        for name, banlist in banlists:
            statuses = all_statuses([banlist], combinations=section == "combinations")
            given |= statuses
            for status in sorted((statuses & known) - used.keys()):
                message = _(
                    "no rule looks at the status {status!r} of {section} in {list!r}, so it has no effect",
                    status=status,
                    section=section,
                    list=name.data,
                )
                context.report(name, message)
        for status, node in used.items():
            if status in known and status not in given:
                message = _(
                    "no banlist gives {section} the status {status!r}", section=section, status=status
                )
                context.report(node, message)


def check_unused(found: Inheritance, parser: RuleParser, context: Context) -> None:
    """Note problems in the format's own unused definitions, and that they are unused unless it is abstract."""
    own = {name: node for name, node in found.pieces(DEFINITIONS).items() if node.marks is found.top.marks}
    unused = {name: node for name, node in own.items() if name not in context.used}
    for name, node in unused.items():
        parser.resolved(node, Scope(EACH, refs=(name,)))
    if not context.problems and not found.top.data.get("abstract"):
        for name, node in unused.items():
            # Definitions that only others use aren't reported.
            if name not in context.used:
                context.report(node, _("no rule uses {name!r}", name=name))


def check_clauses(clauses: Iterable[ParsedClause], context: Context) -> None:
    """Note problems with clauses that make no sense, or have no effect, whatever the deck."""
    for parsed in clauses:
        for part in (parsed, *parsed.ways):
            for message in _mistakes(part.clause):
                context.report(part.node, message)


def _mistakes(clause: Clause) -> Iterator[Message]:
    low, high = clause.low, clause.high
    if low is None and high is None and clause.one_of is None and not clause.either:
        yield _("one of at_most, at_least and exactly is needed")
    if clause.either and clause.message is None:
        # If several ways fail, no single one says what is wrong.
        yield _("either needs a message")
    elif clause.either and any(
        name in text for text in clause.message or () for name in ("{found}", "{allowed}")
    ):
        yield _("the message of either can't use {{found}} or {{allowed}}: they differ from count to count")
    yield from _mistakes_of_bounds(clause)
    if clause.condition is not None:
        yield from _mistakes_of_bounds(clause.condition)
    if low == 1 and clause.per is not None and high is None:
        # A group without cards isn't a group.
        yield _("every name that is there has at least 1 copy, so this has no effect")
    having = clause.having
    if having is not None and having.high is not None and having.low > having.high:
        yield _("at_least {low} is over at_most {high}", low=having.low, high=having.high)
    where = clause.selection.where
    asked = [where, *(term.clause.selection.where for term in clause.terms)]
    if clause.loop is not None and not any(
        isinstance(leaf, Has) and EACH in leaf.values for part in asked for leaf in leaves(part)
    ):
        loop = "for_some" if clause.loop.some else "for_each"
        yield _("there is no $each in where, so {loop} has no effect", loop=loop)
    if clause.since is not None and clause.until is not None and clause.since > clause.until:
        yield _("since is after until")
    if isinstance(clause.sides, tuple):
        number = len(clause.sides)
        if isinstance(high, int) and high >= number and not clause.exact:
            yield _("there are only {number} sides, so at_most has no effect", number=number)
        if isinstance(low, int) and low > number:
            yield _("there are only {number} sides, so no deck can keep this", number=number)
    parts = [where]
    # The conditions that must hold for every card.
    for part in parts:
        if isinstance(part, All):
            parts += part.parts
        elif isinstance(part, Outside) and clause.selection.zones == (part.zone,):
            yield _("no card in {zone!r} has a value outside {zone!r}, so this has no effect", zone=part.zone)


def _mistakes_of_bounds(clause: Clause) -> Iterator[Message]:
    low, high = clause.low, clause.high
    if isinstance(low, int) and isinstance(high, int) and low > high:
        yield _("at_least {low} is over at_most {high}", low=low, high=high)
    if low == 0 and high != 0:
        yield _("at_least: 0 has no effect")
    words = {"exactly": low} if clause.exact else {"at_least": low, "at_most": high}
    for word, bound in words.items():
        yield from _mistakes_of_bound(word, bound, clause)


def _mistakes_of_bound(word: str, bound: Bound | None, clause: Clause) -> Iterator[Message]:
    if not isinstance(bound, Linear):
        return
    terms = bound.plus
    if any(term.times == 0 for term in terms):
        yield _("what is taken 0 times has no effect on {word}", word=word)
    elif (
        word == "at_least"
        and bound.base <= 0
        and all(term.times < 0 and not term.clause.summed for term in terms)
    ):
        yield _("at_least is never over 0, so it has no effect")
    elif word != "at_least" and not clause.summed and len(terms) == 1:
        [(count, times, step)] = terms
        if bound.base + times < 0 and step == 1 and not count.summed and bound.base >= 0:
            yield _("a single copy takes {word} below 0, which no deck can keep", word=word)


def check_effects(found: Inheritance, clauses: Iterable[ParsedClause], context: Context) -> None:
    """Note problems with clauses that change nothing, or that exclude one another."""
    zones, every = tuple(found.zones), list(clauses)
    for parsed in every:
        _check_ways(parsed, zones, context)
    for group in _alike(every, zones):
        if len(group) > MOST_ALIKE:
            message = _("more than {most} rules count the same thing", most=MOST_ALIKE)
            context.report(group[MOST_ALIKE].node, message)
        else:
            for first, last in combinations(group, 2):
                _compare(first, last, found, context)


def _alike(clauses: Iterable[ParsedClause], zones: Iterable[str]) -> list[list[ParsedClause]]:
    """The clauses with bounds or numbers, grouped by what they count."""
    groups: dict[Hashable, list[ParsedClause]] = {}
    for parsed in clauses:
        if not parsed.clause.either:
            groups.setdefault(what_is_counted(parsed.clause, zones), []).append(parsed)
    return list(groups.values())


def _compare(first: ParsedClause, last: ParsedClause, found: Inheritance, context: Context) -> None:
    """Note a problem between two clauses that count the same at the more specific, else the later one."""
    earlier, later = (found.statements[RULES, parsed.rule][-1] for parsed in (first, last))
    if later.by in earlier.over:
        first, last, earlier, later = last, first, later, earlier
    flawed, other, zones = last, first, found.zones
    if exclude_each_other(first.clause, last.clause):
        message = _(
            "no deck can keep both this and {rule!r} ({place})", rule=first.rule, place=first.node.place
        )
    elif earlier.by in (later.by, *later.over) and makes_idle(first.clause, last.clause, zones):
        message = _idle_by(first)
    elif earlier.by == later.by and makes_idle(last.clause, first.clause, zones):
        flawed, other, message = first, last, _idle_by(last)
    else:
        return
    same = first.rule == last.rule or earlier.by == later.by
    hint = None if same else _("to replace it, give it the id {name!r}", name=other.rule)
    context.report(flawed.node, message, hint)


def _idle_by(strict: ParsedClause) -> Message:
    return _(
        "{rule!r} ({place}) counts the same and allows no more, so this has no effect",
        rule=strict.rule,
        place=strict.node.place,
    )


def _check_ways(parsed: ParsedClause, zones: Collection[str], context: Context) -> None:
    """Note a way under `either` that another one makes idle, and ways one of which always holds."""
    groups = _alike(parsed.ways, zones)
    if any(always_holds([way.clause for way in ways]) for ways in groups):
        context.report(parsed.node, _("one of these always holds, so this has no effect"))
        return
    for pair in (pair for ways in groups for pair in combinations(ways, 2)):
        for idle, by in (pair, pair[::-1]):
            if makes_idle(idle.clause, by.clause, zones):
                place = by.node.place
                message = _(
                    "{place} counts the same and allows all of it, so this has no effect", place=place
                )
                context.report(idle.node, message)
                break
