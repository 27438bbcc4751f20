"""From the YAML of a rule to typed clauses.

Conditions are read in one of two ways: as they are written, for what is
compared before the game is known, or resolved against the game, with
canonical names and with definitions in the place of `ref`.
"""

from __future__ import annotations

import json
import string
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, cast

from deckcheck.formats.nodes import Context, Node, listed_twice, twice
from deckcheck.model import predicate as predicates
from deckcheck.model.game import Attribute
from deckcheck.model.predicate import EACH, Predicate
from deckcheck.model.rule import Bound, Clause, Growing, Loop, Range, Rule, Selection, Source, When
from deckcheck.rules.grammar import COMPARED, MESSAGE_FIELDS, Grammar
from deckcheck.support.errors import did_you_mean
from deckcheck.support.messages import _, localized

EVERY = "every"
_OF_EITHER = frozenset(["either", "when", "since", "until", "at_most", "at_least", "exactly"])
"""What of a clause concerns all the counts under its `either` together, and none by itself; it has no bound."""
_OF_RULES = frozenset(["id", "cite", "clauses"])


class AsWritten(NamedTuple):
    """A condition that is not resolved: two are equal if a file writes them alike."""

    text: str
    tag: str = "as_written"


class Reader(Protocol):
    """Reads what of a clause hangs on the game."""

    def condition(self, node: Node, word: str) -> Predicate:
        """The condition at the node, which belongs to the word."""

    def zones(self, node: Node) -> tuple[str, ...]:
        """The zones at the node."""

    def every(self, attribute: str) -> tuple[str, ...]:
        """The values that the game lists for the attribute."""


class Unresolved:
    """Reads clauses as they are written, before the game is known."""

    def condition(self, node: Node, word: str) -> Predicate:  # noqa: ARG002
        return cast(Predicate, AsWritten(json.dumps(node.data, sort_keys=True)))

    def zones(self, node: Node) -> tuple[str, ...]:
        return tuple(zone.data for zone in node.items())

    def every(self, attribute: str) -> tuple[str, ...]:  # noqa: ARG002
        return (EVERY,)


class ParsedClause(NamedTuple):
    """A clause with the piece of the file that says it; `ways` are the counts under its `either`."""

    clause: Clause
    node: Node
    ways: tuple[ParsedClause, ...] = ()


class ParsedRule(NamedTuple):
    """A rule with the pieces of the file that say it."""

    rule: Rule
    node: Node
    clauses: tuple[ParsedClause, ...]


def clause_nodes(rule: Node) -> list[list[Node]]:
    """For each clause of a rule the pieces that say it; a later one overrides what an earlier one says."""
    return [[rule, clause] for clause in rule.under("clauses")] or [[rule]]


def written_clauses(rule: Node) -> tuple[Clause, ...]:
    """The clauses of a rule as they are written; the shape of the file must be right."""
    return tuple(read_clause(words_of(pieces), Unresolved()) for pieces in clause_nodes(rule))


def words_of(pieces: Sequence[Node]) -> dict[str, Node]:
    """What is said of a clause, by word."""
    return {key: piece.at(key) for piece in pieces for key in piece.data if key not in _OF_RULES}


def words_of_way(above: Mapping[str, Node], way: Node) -> dict[str, Node]:
    """What is said of one of the counts under `either`, by word, with what is written beside `either`."""
    return {key: node for key, node in above.items() if key not in _OF_EITHER} | words_of([way])


def read_clause(words: Mapping[str, Node], reader: Reader) -> Clause:
    """The clause of these words."""
    data = {key: node.data for key, node in words.items()}
    count, exactly = data.get("count", "copies"), data.get("exactly")
    summed = isinstance(count, dict)
    bounds = {key: _bound(words[key], reader) for key in ("at_least", "at_most", "exactly") if key in words}
    loops = {key: _values(data[key], reader) for key in ("for_each", "for_some") if key in data}
    ways = words["either"].items() if "either" in words else []
    return Clause(
        selection=_selection(words, reader),
        counted="sides" if "sides" in words else count["sum"] if summed else count,
        summed=summed,
        per=data.get("per"),
        having=_range(data["having"]) if "having" in data else None,
        sides=_sides(words["sides"], reader) if "sides" in words else None,
        low=bounds.get("at_least", bounds.get("exactly")),
        high=bounds.get("at_most", bounds.get("exactly")),
        one_of=tuple(exactly) if isinstance(exactly, list) else None,
        for_each=loops.get("for_each"),
        for_some=loops.get("for_some"),
        when=_when(words["when"], reader) if "when" in words else None,
        since=data.get("since"),
        until=data.get("until"),
        severity=data.get("severity", "error"),
        message=localized(data["message"]) if "message" in data else None,
        either=tuple(read_clause(words_of_way(words, way), reader) for way in ways),
    )


def _selection(words: Mapping[str, Node], reader: Reader, word: str = "where") -> Selection:
    zones = reader.zones(words["in"]) if "in" in words else None
    return Selection(zones, reader.condition(words["where"], word) if "where" in words else None)


def _sides(node: Node, reader: Reader) -> tuple[Predicate, ...] | str:
    return (
        tuple(reader.condition(side, "sides") for side in node.items())
        if isinstance(node.data, list)
        else str(node.data)
    )


def _range(data: Mapping[str, int]) -> Range:
    exactly = data.get("exactly")
    return Range(data.get("at_least", 1), data.get("at_most")) if exactly is None else Range(exactly, exactly)


def _bound(node: Node, reader: Reader) -> Bound | None:
    if isinstance(node.data, dict):
        copies_of = _selection(words_of([node.at("for_each_copy")]), reader, "for_each_copy")
        return Growing(node.data["base"], node.data["plus"], copies_of)
    return None if isinstance(node.data, list) else int(node.data)


def _values(data: Mapping[str, Any], reader: Reader) -> Loop:
    [(attribute, of)] = data.items()
    if isinstance(of, dict):
        return Loop(attribute, (of["of"],) if isinstance(of["of"], str) else tuple(of["of"]))
    return Loop(attribute, listed=reader.every(attribute) if of == EVERY else tuple(of))


def _when(node: Node, reader: Reader) -> When:
    words = words_of([node])
    cards = _selection(words, reader, "when") if words.keys() & {"in", "where"} else None
    return When(
        cards, tuple((key, option.data) for key, option in words.items() if key not in ("in", "where"))
    )


class RuleParser:
    """Reads rules against a game; what is wrong goes to the context."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._grammar = Grammar()
        self._each: str | None = None

    def rule(self, node: Node) -> ParsedRule:
        """The rule with canonical names and without refs."""
        clauses = tuple(self._clause(words_of(pieces), pieces[-1]) for pieces in clause_nodes(node))
        source = Source(node.document.path, node.line)
        rule = Rule(node.data["id"], tuple(one.clause for one in clauses), source, node.data.get("cite"))
        return ParsedRule(rule, node, clauses)

    def _clause(self, words: Mapping[str, Node], node: Node) -> ParsedClause:
        self._check_words(words, node)
        self._each = self._loop(words)
        clause = read_clause({key: piece for key, piece in words.items() if key != "either"}, self)
        either = words["either"].items() if "either" in words else []
        ways = tuple(self._clause(words_of_way(words, way), way) for way in either)
        clause = clause._replace(line=node.line, either=tuple(way.clause for way in ways))
        return ParsedClause(clause, node, ways)

    def _check_words(self, words: Mapping[str, Node], node: Node) -> None:
        """Note problems with words that don't go together, and with what needs no reading."""
        context, data = self.context, {key: piece.data for key, piece in words.items()}
        for word, other in self._grammar.clashing(data):
            context.wrong(node, _("{word!r} and {other!r} don't go together", word=word, other=other))
        for word, needed in self._grammar.unmet(data):
            context.wrong(node, _("{word!r} needs {needed!r}", word=word, needed=needed))
        for key in ("since", "until"):
            if key in words:
                context.day(words[key])
        if "message" in words:
            self._check_fields(words["message"])
        if isinstance(data.get("sides"), str):
            context.status(words["sides"], context.combined)
        if isinstance(data.get("count"), dict):
            attribute = context.attribute(words["count"].at("sum"))
            if attribute is not None and attribute.kind != "number":
                context.wrong(words["count"], _("only numbers can be added up"))

    def _loop(self, words: Mapping[str, Node]) -> str | None:
        """The attribute of the loop, its values checked."""
        node = words.get("for_each") or words.get("for_some")
        if node is None:
            return None
        context = self.context
        [name] = node.data
        of = node.at(name)
        attribute = context.attribute(of, name)
        if attribute is not None and attribute.kind != "values":
            context.wrong(of, _("{name!r} has no values to go through", name=name))
        elif isinstance(of.data, dict):
            for zone in of.under("of"):
                context.zone(zone)
        elif attribute is not None and of.data != EVERY:
            for item in of.items():
                context.value(attribute, item)
        elif attribute is not None and not attribute.values:
            context.wrong(of, _("the values of {name!r} are not listed", name=name))
        return str(name)

    def condition(self, node: Node, word: str) -> Predicate:
        """The condition at the node, resolved."""
        return self.resolved(node, Scope(self._each, None if word == "where" else word))

    def zones(self, node: Node) -> tuple[str, ...]:
        """The zones at the node, without those that only the format of its file has: here they hold no card."""
        context, alone = self.context, isinstance(node.data, str)
        extended = frozenset() if alone else context.extended_zones.get(node.document.path, frozenset())
        for item in twice(node.items()):
            context.wrong(item, listed_twice(item.data))
        for item in node.items():
            if item.data not in extended:
                context.zone(item)
        there = [
            item.data for item in node.items() if item.data in context.zones or item.data not in extended
        ]
        if not there:
            context.wrong(node, _("this format has none of these zones"))
        return tuple(there)

    def every(self, attribute: str) -> tuple[str, ...]:
        """The values that the game lists for the attribute."""
        known = self.context.game.attributes.get(attribute)
        return () if known is None else known.values

    def _check_fields(self, node: Node) -> None:
        context = self.context
        for text in node.data.values() if isinstance(node.data, dict) else [node.data]:
            try:
                fields = [part[1:] for part in string.Formatter().parse(text) if part[1] is not None]
            except ValueError:
                context.wrong(node, _("the braces don't match"))
                continue
            for name, spec, conversion in fields:
                if spec or conversion:
                    context.wrong(node, _("{{{name}}} takes no formatting", name=name))
                if name not in MESSAGE_FIELDS:
                    hint = did_you_mean(name, MESSAGE_FIELDS)
                    context.wrong(node, _("there is no field {{{name}}}", name=name), hint)

    def resolved(self, node: Node, scope: Scope) -> Predicate:
        """The condition with canonical names and with definitions in the place of refs."""
        self.context.count_condition(node, scope.depth)
        below = scope._replace(depth=scope.depth + 1)
        parts = tuple(self._term(key, node.at(key), below) for key in node.data)
        return parts[0] if len(parts) == 1 else predicates.All(parts)

    def _term(self, key: str, node: Node, scope: Scope) -> Predicate:
        context = self.context
        match key:
            case "all" | "any":
                parts = tuple(self.resolved(item, scope) for item in node.items())
                return (
                    parts[0]
                    if len(parts) == 1
                    else predicates.All(parts)
                    if key == "all"
                    else predicates.AnyOf(parts)
                )
            case "not":
                return predicates.Not(self.resolved(node, scope))
            case "any_part":
                return predicates.AnyPart(self.resolved(node, scope))
            case "ref":
                return self._ref(node, scope)
            case "name":
                return predicates.Named(frozenset(map(context.card_name, node.items())))
            case "status":
                return predicates.HasStatus(
                    frozenset(context.status(item, context.statuses) for item in node.items())
                )
            case "no_other_card":
                return self._no_other_card(node, scope)
        attribute = context.attribute(node, key)
        return predicates.Named(frozenset()) if attribute is None else self._matcher(attribute, node, scope)

    def _ref(self, node: Node, scope: Scope) -> Predicate:
        context, name = self.context, node.data
        found = context.definitions.get(name)
        if found is None:
            hint = did_you_mean(name, context.definitions)
            context.wrong(node, _("{name!r} is not defined", name=name), hint)
        elif name in scope.refs:
            context.wrong(node, _("the definition of {name!r} refers to itself", name=name))
        else:
            context.used.add(name)
            return self.resolved(found, scope._replace(refs=(*scope.refs, name)))
        return predicates.Named(frozenset())

    def _no_other_card(self, node: Node, scope: Scope) -> Predicate:
        context, same = self.context, node.at("same")
        attribute = context.attribute(same)
        if attribute is not None and attribute.kind not in ("values", "number"):
            context.wrong(same, _("cards can't be compared by {attribute}", attribute=attribute.name))
        if scope.inside == "no_other_card":
            context.wrong(node, _("no_other_card can't be used inside another"))
        where = self.resolved(node.at("where"), scope._replace(inside="no_other_card"))
        return predicates.NoOtherCard(str(same.data), where)

    def _matcher(self, attribute: Attribute, node: Node, scope: Scope) -> Predicate:
        name = attribute.id
        if isinstance(node.data, dict):
            return self._comparison(attribute, node, scope)
        words = [item.data for item in node.items() if not self._is_each(attribute, item, scope)]
        if attribute.kind == "rank":
            self.context.wrong(node, _("compare a rank with at_least or at_most"))
        parts: list[Predicate] = [predicates.HasEach(name)] if len(words) < len(node.items()) else []
        if attribute.kind == "home":
            parts.append(predicates.Home(frozenset(map(str, words)), name))
        elif attribute.kind == "number":
            parts += [predicates.Between(name, number, number) for number in words]
        elif words:
            parts.append(predicates.Has(name, frozenset(map(str, words))))
        return parts[0] if len(parts) == 1 else predicates.AnyOf(tuple(parts))

    def _is_each(self, attribute: Attribute, node: Node, scope: Scope) -> bool:
        """Whether it is `$each`; any other value is checked."""
        if node.data != EACH:
            self.context.value(attribute, node)
            return False
        if scope.inside is not None:
            self.context.wrong(node, _("$each has no meaning inside {word}", word=scope.inside))
        elif scope.each not in (attribute.id, EACH):
            self.context.wrong(node, _("$each needs a for_each over {attribute!r}", attribute=attribute.id))
        return True

    def _comparison(self, attribute: Attribute, node: Node, scope: Scope) -> Predicate:
        context, data = self.context, node.data
        parts: list[Predicate] = []
        for key in data:
            part = node.at(key)
            if key not in COMPARED[attribute.kind]:
                message = _("{attribute} can't be compared with {word!r}", attribute=attribute.name, word=key)
                context.wrong(part, message)
            elif key in ("outside", "naming"):
                if scope.inside is not None:
                    context.wrong(
                        part, _("{word} has no meaning inside {outer}", word=key, outer=scope.inside)
                    )
                context.zone(part)
                parts.append(
                    (predicates.Outside if key == "outside" else predicates.Naming)(attribute.id, part.data)
                )
            elif key == "containing":
                text = str(part.data)
                if not any(text in value for value in context.values(attribute)):
                    message = _(
                        "no {attribute} in the card table contains {text!r}",
                        attribute=attribute.name,
                        text=text,
                    )
                    context.wrong(part, message)
                parts.append(predicates.Containing(attribute.id, text))
            else:
                context.value(attribute, part)
        if attribute.kind in ("values", "home"):
            return parts[0] if len(parts) == 1 else predicates.All(tuple(parts))
        low, high = data.get("at_least"), data.get("at_most")
        ranks = {code: at for at, codes in enumerate(attribute.order) for code in codes}
        first, last = (ranks.get(end) if isinstance(end, str) else end for end in (low, high))
        if first is not None and last is not None and first > last:
            context.wrong(node, _("at_least {low} is over at_most {high}", low=low, high=high))
        if attribute.kind == "rank":
            return predicates.Rank(attribute.id, attribute.order, low, high)
        return predicates.Between(attribute.id, low, high)


class Scope(NamedTuple):
    """Where a condition is: the attribute of the loop around it (EACH: any would do), the word inside which
    neither `$each` nor what the zones of the deck hold has a meaning, the refs on the way, and how deep."""

    each: str | None = None
    inside: str | None = None
    refs: tuple[str, ...] = ()
    depth: int = 1
