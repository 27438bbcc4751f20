"""Finds rules that contradict themselves or one another, or can't have any effect, although all of their words are valid.

Only what is certain is reported.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from itertools import combinations

from deckcheck.formats.grammar import Context
from deckcheck.formats.inheritance import Inheritance, duplicate_problems
from deckcheck.formats.lookup import folded
from deckcheck.formats.rule_parser import ParsedClause, RuleParser, Scope
from deckcheck.model.banlist import Banlist, all_statuses
from deckcheck.model.format import EACH, Clause, CopiesOfEach, Linear, Severity
from deckcheck.rules.counting import INFINITY
from deckcheck.support.documents import Document
from deckcheck.support.messages import Message, _, localized, n_, p_

MOST_ALIKE = 200
"""The most clauses that count exactly the same and are compared, each with each."""


def check_names(format: Inheritance, context: Context) -> None:
    """Note zones of one name, each pair once."""
    own = {id: node.at("name") for id, node in format.zones.items() if "name" in node.data}
    names = {id: zone.name for id, zone in context.game.zones.items() if id in format.zones}
    names |= {id: localized(node.data) for id, node in own.items()}
    folds = {id: set(map(folded, name.both)) for id, name in names.items()}
    for zone, other in combinations(sorted(folds, key=lambda id: id in own), 2):
        if other in own and folds[zone] & folds[other]:
            message = _("{zone!r} and {other!r} have the same name", zone=other, other=zone)
            context.report(own[other], message)


def check_settings(format: Inheritance, context: Context) -> None:
    """Note problems with the zones, with those of exchanges, and with the source."""
    known = context.game.zones
    stand_ins: dict[str, str] = {}
    for name, node in format.zones.items():
        context.check_word(node, known, _("the game has no zone {zone!r}", zone=name), name)
        if name == context.game.default_zone and (node.data.get("on_top") or "listed_as" in node.data):
            message = _(
                "cards under no heading are in {zone!r}, so it needs no on_top or listed_as", zone=name
            )
            context.report(node, message)
        for listed_as in node.under("listed_as"):
            zone = listed_as.at("zone")
            message = _("the game has no zone {zone!r}", zone=zone.data)
            own = format.zones.get(zone.data)
            # A zone from another format may be inherited together with its stand-in.
            if context.check_word(zone, known, message) and own is not None and own.marks is node.marks:
                message = _("{zone!r} is a zone of this format, so it stands in for no other", zone=zone.data)
                context.report(zone, message)
            if "where" in listed_as.data:
                continue
            if zone.data in stand_ins:
                other = stand_ins[zone.data]
                context.report(
                    zone, _("{zone!r} already stands in for {other!r}", zone=zone.data, other=other)
                )
            stand_ins.setdefault(zone.data, name)
    if format.exchange is not None:
        zones = format.exchange.items()
        for zone in zones:
            context.zone(zone)
        context.add(duplicate_problems(zones))
        if len(zones) == 1:
            message = n_("at least {n} entry is needed", "at least {n} entries are needed", 2)
            context.report(format.exchange, message)
    for source in format.top.under("source"):
        context.source(source)


def check_statuses(names: Collection[Document], banlists: Sequence[Banlist], context: Context) -> None:
    """Note statuses that a banlist gives but no rule uses, at its name, and those that rules use but no banlist gives."""
    known = context.game.statuses.keys()
    for used, is_paired in ((context.statuses, False), (context.combined, True)):
        entries = _("combinations") if is_paired else p_("noun", "cards")
        given = set[str]()
        for name, banlist in zip(names, banlists, strict=True):
            statuses = all_statuses([banlist], combinations=is_paired)
            given |= statuses
            for status in sorted((statuses & known) - used.keys()):
                message = _(
                    "no rule looks at the status {status!r} of {entries} in {list!r}, so it has no effect",
                    status=status,
                    entries=entries,
                    list=name.data,
                )
                context.report(name, message)
        for status, node in used.items():
            if status in known and status not in given:
                message = _(
                    "no banlist gives {entries} the status {status!r}", entries=entries, status=status
                )
                context.report(node, message)


def unused_definitions(format: Inheritance, parser: RuleParser, context: Context) -> list[Document]:
    """The format's own definitions that no rule uses, the problems in which are noted."""
    own = {
        name: piece.node for name, piece in format.definitions.items() if piece.node.marks is format.top.marks
    }
    unused = {name: node for name, node in own.items() if name not in context.used}
    for name, node in unused.items():
        parser.resolved(node, Scope(EACH, refs=(name,)))
    return list(unused.values())


def check_effects(format: Inheritance, clauses: Iterable[ParsedClause], context: Context) -> None:
    """Note clauses of the format's own file that change nothing, and clauses that exclude one another."""
    order = [top.path for top in format.applied.values()]
    alike: dict[object, list[ParsedClause]] = {}
    for parsed in clauses:
        if not parsed.clause.either:
            alike.setdefault(what_is_counted(parsed.clause, format.zones), []).append(parsed)
    for group in alike.values():
        group.sort(key=lambda parsed: order.index(parsed.node.path))
        for earlier, later in combinations(group[:MOST_ALIKE], 2):
            _compare(earlier, later, format.top.path, context)


def _compare(earlier: ParsedClause, later: ParsedClause, own: str, context: Context) -> None:
    """Note a problem between two clauses that count the same, at the later one; `own` is the format's own file."""
    is_inherited = earlier.node.path != own
    replace_it = _("to replace it, give it the id {name!r} and write override: [{name}]", name=earlier.rule)
    replacing = replace_it if is_inherited and earlier.rule != later.rule else None
    if exclude_each_other(earlier.clause, later.clause):
        message = _(
            "no deck can keep both this and {rule!r} ({place})", rule=earlier.rule, place=earlier.node.place
        )
        context.report(later.node, message, replacing)
    elif later.node.path == own and makes_idle(earlier.clause, later.clause):
        context.report(later.node, _idle_by(earlier), replacing)
    elif not is_inherited and makes_idle(later.clause, earlier.clause):
        context.report(earlier.node, _idle_by(later))


def _idle_by(strict: ParsedClause) -> Message:
    return _(
        "{rule!r} ({place}) counts the same and allows no more, so this has no effect",
        rule=strict.rule,
        place=strict.node.place,
    )


# What one clause implies about another

Ranges = tuple[tuple[float, float], ...]
_FIRST, _LAST = "0001-01-01", "9999-12-31"
_GRAVEST_FIRST = list(Severity)


def what_is_counted(clause: Clause, zones: Iterable[str]) -> Hashable:
    """A key that is equal for clauses that count exactly the same; `zones` are all zones of the format."""
    counted = frozenset(zones if clause.selection.zones is None else clause.selection.zones)
    return counted, clause.selection.where, clause.measure, clause.loop


def allowed(clause: Clause) -> Ranges | None:
    """The ranges of numbers that a clause allows; None if they depend on the deck."""
    low, high = clause.low, clause.high
    if clause.either or isinstance(low, Linear) or isinstance(high, Linear):
        return None
    if clause.one_of is not None:
        return tuple((number, number) for number in clause.one_of)
    return ((-INFINITY if low is None else low, INFINITY if high is None else high),)


def _days(clause: Clause) -> tuple[str, str]:
    """The first and the last day on which it is in force."""
    return clause.since or _FIRST, clause.until or _LAST


def makes_idle(strict: Clause, idle: Clause) -> bool:
    """For clauses that count exactly the same: whether decks that break `idle` break `strict`, no less severely."""
    numbers, others = allowed(strict), allowed(idle)
    if numbers is None or others is None:
        return False
    if strict.when is not None and strict.when != idle.when:
        return False
    (since, until), (first, last) = _days(strict), _days(idle)
    is_severe = _GRAVEST_FIRST.index(strict.severity) <= _GRAVEST_FIRST.index(idle.severity)
    is_in_force = since <= first <= last <= until
    is_within = all(any(low <= least and most <= high for low, high in others) for least, most in numbers)
    return is_severe and is_in_force and is_within


def exclude_each_other(clause: Clause, other: Clause) -> bool:
    """For clauses that count exactly the same: whether there are days on which no deck can keep both."""
    for count in (clause, other):
        # There may be no group, so that nothing is bounded.
        is_grouped = isinstance(count.measure, CopiesOfEach) or count.is_of_sides or count.loop is not None
        if count.severity != Severity.ERROR or count.when is not None or is_grouped:
            return False
    (since, until), (first, last) = _days(clause), _days(other)
    if max(since, first) > min(until, last):
        return False
    numbers, others = allowed(clause), allowed(other)
    if numbers is None or others is None:
        return False
    return not any(max(low, least) <= min(high, most) for low, high in numbers for least, most in others)
