"""Turns the YAML of rules into typed clauses, checked against the game."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.formats.grammar import COMPARED, MESSAGE_FIELDS, Context, cite_of, date_problems, values_of
from deckcheck.formats.inheritance import Piece, duplicate_problems
from deckcheck.model import format as model
from deckcheck.model.game import Attribute, AttributeKind
from deckcheck.support.documents import Document
from deckcheck.support.errors import UserError, there_are, which_of
from deckcheck.support.messages import Localized, Message, _, localized

MOST_DEPTH = 50
MOST_CONDITIONS = 20_000
EVERY = "every"
SAYS = "says"
BOUNDS = ("at_most", "at_least", "exactly")
_OF_EITHER = frozenset(["either", "when", "since", "until", *BOUNDS, SAYS])
"""Words of a clause that apply to all counts under its `either` together, not to single ones."""
_OF_RULES = frozenset(["id", "cite", "clauses"])

WrittenClause = Mapping[str, Document]
"""The parts of a clause, by word."""


class ParsedClause(Struct, frozen=True):
    """A clause with the piece of the file that has it."""

    clause: model.Clause
    node: Document
    rule: str


class Scope(Struct, frozen=True):
    """Where a condition is: the attribute of its loop (EACH: any), and the word in which `$each` and zones mean nothing."""

    loop: str | None = None
    inside: str | None = None
    refs: tuple[str, ...] = ()
    depth: int = 1


def _words(*pieces: Document) -> dict[str, Document]:
    """The parts of a clause; a later piece overrides an earlier one."""
    return {key: piece.at(key) for piece in pieces for key in piece.data if key not in _OF_RULES}


class RuleParser:
    """Reads rules against a game; problems go to the context."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._report = context.report
        self._grammar = context.grammar

    def rule(self, piece: Piece) -> tuple[model.Rule, list[ParsedClause]]:
        """The rule with canonical names and without refs, and its clauses with their places."""
        node, replaced = piece.node, piece.replaces
        id = node.data["id"]
        pieces = [[node, clause] for clause in node.under("clauses")] or [[node]]
        parsed = [ParsedClause(self._parsed(_words(*parts), parts[-1]), parts[-1], id) for parts in pieces]
        clauses = tuple(part.clause for part in parsed)
        replaces = None if replaced is None else model.Source(replaced.path, replaced.line())
        source = model.Source(node.path, node.line())
        return model.Rule(id, clauses, source, cite_of(node.data), replaces), parsed

    def listed_as(self, node: Document) -> model.ListedAs:
        """The zone where a zone's cards are listed instead, how many, and which."""
        where = self.resolved(node.at("where"), Scope(inside="listed_as")) if "where" in node.data else None
        return model.ListedAs(node.data["zone"], node.data["at_most"], where)

    def _parsed(self, words: WrittenClause, node: Document) -> model.Clause:
        """The clause with these words, of which a wrong one is reported, else one that makes no sense, whatever the deck."""
        before = len(self._context.problems)
        data = {key: piece.data for key, piece in words.items()}
        for word, other in self._grammar.clashing(data):
            self._report(node, _("{word!r} and {other!r} don't go together", word=word, other=other))
        for word in ("since", "until"):
            if word in words:
                self._context.add(date_problems([words[word]]))
        shared = {key: piece for key, piece in words.items() if key not in _OF_EITHER}
        ways = words["either"].items() if "either" in words else []
        loop = self._loop(words)
        clause = replace(
            self._count(words, node, Scope(None if loop is None else loop.attribute)),
            loop=loop,
            when=self._when(words["when"], loop) if "when" in words else None,
            message=self._message(words["message"]) if "message" in words else None,
            says=self._says(words[SAYS]) if SAYS in words else None,
            severity=model.Severity(data.get("severity", "error")),
            since=data.get("since"),
            until=data.get("until"),
            line=node.line(),
            either=tuple(self._parsed(shared | _words(way), way) for way in ways),
        )
        if len(self._context.problems) == before:
            for message in _mistakes(clause):
                self._report(node, message)
        return clause

    def _count(self, words: WrittenClause, node: Document, scope: Scope) -> model.Clause:
        """A clause of what the words count, with its bounds."""
        zones = self._zones(words["in"]) if "in" in words else None
        where = self.resolved(words["where"], scope) if "where" in words else None
        exactly = words["exactly"].data if "exactly" in words else None
        if isinstance(exactly, list):
            self._context.add(duplicate_problems(words["exactly"].items()))
        return model.Clause(
            selection=model.Selection(zones, where),
            measure=self._measure(words, node, scope),
            low=self._bound(words, "at_least", scope),
            high=self._bound(words, "at_most", scope),
            one_of=tuple(exactly) if isinstance(exactly, list) and len(exactly) > 1 else None,
        )

    def _measure(self, words: WrittenClause, node: Document, scope: Scope) -> model.Measure:
        counted: Any = words["count"].data if "count" in words else "copies"
        if "having" in words and counted != "names":
            self._report(node, _("{word!r} needs {needed!r}", word="having", needed="count: names"))
        if "sides" in words:
            return self._sides(words["sides"], replace(scope, inside="sides"))
        if "per" in words:
            return model.CopiesOfEach()
        if counted == "names":
            return model.DifferentNames(_range(words["having"].data) if "having" in words else None)
        if counted == "copies":
            return model.AllCopies()
        return model.Sum(self._summed(words["count"]), once=counted.get("of") == "names")

    def _summed(self, node: Document) -> str:
        """The id of the attribute that is added up."""
        attribute = self._context.attribute(node.at("sum"))
        if attribute is not None and attribute.kind != AttributeKind.NUMBER:
            self._report(
                node, _("only numbers can be added up"), self._context.attributes_of(AttributeKind.NUMBER)
            )
        return str(node.data["sum"]) if attribute is None else attribute.id

    def _bound(self, words: WrittenClause, word: str, scope: Scope) -> model.Bound | None:
        node = words.get(word) or words.get("exactly")
        if node is None:
            return None
        if isinstance(node.data, list):
            return int(node.data[0]) if len(node.data) == 1 else None
        if isinstance(node.data, dict):
            terms = tuple(self._term(term, scope) for term in node.under("plus"))
            return model.Linear(node.data.get("base", 0), terms)
        return int(node.data)

    def _term(self, node: Document, scope: Scope) -> model.Term:
        count = self._count(_words(node), node, scope)
        return model.Term(count, node.data.get("times", 1), node.data.get("step", 1))

    def _sides(self, node: Document, scope: Scope) -> model.Measure:
        if not isinstance(node.data, str):
            return model.Sides(tuple(self.resolved(side, scope) for side in node.items()))
        self._context.combined.setdefault(node.data, node)
        self._context.status(node)
        return model.Combinations(node.data)

    def _when(self, node: Document, loop: model.Loop | None) -> model.When:
        words, best_of = _words(node), node.data.get("best_of")
        if words.keys() <= {"best_of"}:
            return model.When(None, best_of)
        count = self._count(words, node, Scope(None if loop is None else loop.attribute, "when"))
        if not words.keys() & set(BOUNDS):
            count = replace(count, low=1)
        return model.When(count, best_of)

    def _loop(self, words: WrittenClause) -> model.Loop | None:
        word = next((word for word in ("for_each", "for_some") if word in words), None)
        if word is None:
            return None
        [name] = words[word].data
        node, loop = words[word].at(name), model.Loop(name, some=word == "for_some")
        attribute = self._context.attribute(node, name)
        if attribute is None:
            return loop
        if attribute.kind != AttributeKind.VALUES:
            message = _("{name!r} has no values to go through", name=attribute.id)
            self._report(node, message, self._context.attributes_of(AttributeKind.VALUES))
        elif isinstance(node.data, dict):
            for zone in node.under("of"):
                self._context.zone(zone)
            loop = replace(loop, zones=tuple(zone.data for zone in node.under("of")))
        elif node.data == EVERY:
            loop = replace(loop, listed=attribute.values)
            if not attribute.values:
                self._report(node, _("the values of {name!r} are not listed", name=attribute.id))
        else:
            values = (str(self._context.value(attribute, item)) for item in node.items())
            loop = replace(loop, listed=tuple(values))
        return replace(loop, attribute=attribute.id)

    def _message(self, node: Document) -> Localized:
        """A message of the file, whose fields are checked."""
        message = localized(node.data)
        for text in dict.fromkeys(message.both):
            try:
                pieces = list(string.Formatter().parse(text))
            except ValueError:
                self._report(node, _("the braces don't match"))
                continue
            for piece in pieces:
                name, spec, conversion = piece[1:]
                if spec or conversion:
                    self._report(node, _("{{{name}}} takes no formatting", name=name))
                if name is not None and name not in MESSAGE_FIELDS:
                    hint = which_of(name, MESSAGE_FIELDS)
                    self._report(node, _("there is no field {{{name}}}", name=name), hint)
        return message

    def _says(self, node: Document) -> Localized:
        """A description in the file, in one line."""
        says = localized(node.data)
        if any(not text.strip() or "\n" in text for text in says.both):
            self._report(node, _("this takes one line of text"))
        return says

    def _zones(self, node: Document) -> tuple[str, ...]:
        """The zones at the node; in inherited lists, without those that only extended formats have: here, they have no cards."""
        context = self._context
        context.add(duplicate_problems(node.items()))
        is_inherited = node.path != context.own_path
        may_lack = context.unplayed if is_inherited and isinstance(node.data, list) else ()
        zones = [zone for zone in node.items() if zone.data not in may_lack]
        for zone in zones:
            context.zone(zone)
        if not zones:
            self._report(node, _("this format has none of these zones"))
        return tuple(zone.data for zone in zones)

    def resolved(self, node: Document, scope: Scope) -> model.Predicate:
        """The condition with canonical names, and with definitions instead of refs.

        Raises UserError for one that is too large: by referring to one another, few lines can write huge ones.
        """
        context = self._context
        context.conditions += 1
        if scope.depth > MOST_DEPTH or context.conditions > MOST_CONDITIONS:
            problem = node.problem(_("the conditions are too large or nested too deeply"))
            raise UserError([*context.problems, problem])
        inner = replace(scope, depth=scope.depth + 1)
        predicate = _joined(
            model.All, [self._part(key, node.at(key), inner) for key in node.data if key != SAYS]
        )
        if SAYS in node.data:
            context.descriptions[predicate] = self._says(node.at(SAYS))
            if len(node.data) == 1:
                self._report(node, _("a condition is needed beside says"))
        return predicate

    def _part(self, key: str, node: Document, scope: Scope) -> model.Predicate:
        context = self._context
        match key:
            case "all" | "any":
                parts = [self.resolved(item, scope) for item in node.items()]
                return _joined(model.All if key == "all" else model.AnyOf, parts)
            case "not":
                return model.Not(self.resolved(node, scope))
            case "any_part":
                return model.AnyPart(self.resolved(node, scope))
            case "ref":
                return self._ref(node, scope)
            case "name":
                return model.Named(frozenset(map(context.card_name, node.items())))
            case "status":
                for item in node.items():
                    context.statuses.setdefault(str(item.data), item)
                    context.status(item)
                return model.HasStatus(frozenset(str(item.data) for item in node.items()))
            case "no_other_card":
                return self._no_other_card(node, scope)
        attribute = context.attribute(node, key)
        if attribute is None:
            return model.Named(frozenset())
        if isinstance(node.data, dict):
            return self._comparison(attribute, node, scope)
        return self._match(attribute, node, scope)

    def _ref(self, node: Document, scope: Scope) -> model.Predicate:
        context, name = self._context, node.data
        definition = context.definitions.get(name)
        if definition is None:
            message = _("{name!r} is not defined", name=name)
            context.check_word(node, context.definitions, message)
        elif name in scope.refs:
            self._report(node, _("the definition of {name!r} refers to itself", name=name))
        else:
            context.used.add(name)
            return self.resolved(definition.node, replace(scope, refs=(*scope.refs, name)))
        return model.Named(frozenset())

    def _no_other_card(self, node: Document, scope: Scope) -> model.Predicate:
        same = node.at("same")
        attribute = self._context.attribute(same)
        if attribute is not None and attribute.kind not in (AttributeKind.VALUES, AttributeKind.NUMBER):
            message = _("cards can't be compared by {attribute}", attribute=attribute.name)
            self._report(
                same, message, self._context.attributes_of(AttributeKind.VALUES, AttributeKind.NUMBER)
            )
        if scope.inside == "no_other_card":
            self._report(node, _("no_other_card can't be used inside another"))
        where = self.resolved(node.at("where"), replace(scope, inside="no_other_card"))
        return model.NoOtherCard(str(same.data) if attribute is None else attribute.id, where)

    def _match(self, attribute: Attribute, node: Document, scope: Scope) -> model.Predicate:
        """The condition that an attribute has one of some values; `$each` is the value of the loop."""
        name, values = attribute.id, set[Any]()
        has_loop_value = False
        for item in node.items():
            if item.data != model.EACH:
                values.add(self._context.value(attribute, item))
                continue
            has_loop_value = True
            if scope.inside is not None:
                self._report(item, _("$each has no meaning inside {word}", word=scope.inside))
            elif scope.loop not in (name, model.EACH):
                self._report(item, _("$each needs a for_each over {attribute!r}", attribute=name))
        if attribute.kind == AttributeKind.RANK:
            self._report(node, _("compare a rank with at_least or at_most"))
        if attribute.kind == AttributeKind.HOME:
            return model.Home(frozenset(values), name)
        groups = [frozenset([model.EACH])] if has_loop_value else []
        groups += [frozenset(values)] if values else []
        return _joined(model.AnyOf, [model.Has(name, group) for group in groups])

    def _comparison(self, attribute: Attribute, node: Document, scope: Scope) -> model.Predicate:
        parts: list[model.Predicate] = []
        for key in node.data:
            part = node.at(key)
            if key not in COMPARED[attribute.kind]:
                message = _("{attribute} can't be compared with {word!r}", attribute=attribute.name, word=key)
                self._report(part, message, there_are(COMPARED[attribute.kind]))
            elif key in ("outside", "naming"):
                parts.append(self._zone_comparison(key, attribute, part, scope))
            elif key == "containing":
                parts.append(self._containing(attribute, part))
        if attribute.kind in (AttributeKind.VALUES, AttributeKind.HOME):
            return _joined(model.All, parts)
        return self._between(attribute, node)

    def _zone_comparison(
        self, key: str, attribute: Attribute, node: Document, scope: Scope
    ) -> model.Predicate:
        if scope.inside is not None:
            message = _("{word} has no meaning inside {outer}", word=key, outer=scope.inside)
            self._report(node, message)
        self._context.zone(node)
        kind = model.Outside if key == "outside" else model.Naming
        return kind(attribute.id, node.data)

    def _containing(self, attribute: Attribute, node: Document) -> model.Predicate:
        text, context = str(node.data), self._context
        if not any(text in value for value in values_of(attribute, context.game, context.catalog)):
            message = _(
                "no {attribute} in the card table contains {text!r}", attribute=attribute.name, text=text
            )
            self._report(node, message)
        return model.Containing(attribute.id, text)

    def _between(self, attribute: Attribute, node: Document) -> model.Predicate:
        """The condition that a number or a rank is within bounds."""
        ends: dict[str, Any] = {
            word: self._context.value(attribute, node.at(word))
            for word in ("at_least", "at_most")
            if word in node.data
        }
        low, high = ends.get("at_least"), ends.get("at_most")
        ranks = {code: place for place, codes in enumerate(attribute.order) for code in codes}
        first, last = (ranks.get(end) if isinstance(end, str) else end for end in (low, high))
        if first is not None and last is not None and first > last:
            self._report(node, _("at_least {low} is over at_most {high}", low=low, high=high))
        if attribute.kind == AttributeKind.RANK:
            return model.Rank(attribute.id, attribute.order, low, high)
        if low is not None and low == high:
            return model.Has(attribute.id, frozenset([low]))
        return model.Between(attribute.id, low, high)


def _mistakes(clause: model.Clause) -> Iterator[Message]:
    if clause.low is None and clause.high is None and clause.one_of is None and not clause.either:
        yield _("one of at_most, at_least and exactly is needed")
    message = clause.message
    if clause.either and message is None:
        # If several ways fail, no single one says what is wrong.
        yield _("either needs a message")
    elif clause.either and message and re.search("{(found|allowed)}", "".join(message.both)):
        yield _("the message of either can't use {{found}} or {{allowed}}: they differ from count to count")
    yield from _mistakes_of_bounds(clause)
    if clause.since is not None and clause.until is not None and clause.since > clause.until:
        yield _("since is after until")
    if clause.loop is not None and not _uses_loop(clause):
        loop = "for_some" if clause.loop.some else "for_each"
        yield _("there is no $each in where, so {loop} has no effect", loop=loop)


def _mistakes_of_bounds(clause: model.Clause) -> Iterator[Message]:
    measure = clause.measure
    having = measure.having if isinstance(measure, model.DifferentNames) else None
    for span in (clause, clause.condition, having):
        low, high = (None, None) if span is None else (span.low, span.high)
        if isinstance(low, int) and isinstance(high, int) and low > high:
            yield _("at_least {low} is over at_most {high}", low=low, high=high)
        elif low == 0 and high is None and not isinstance(measure, model.Sum):
            yield _("no count is below 0, so at_least 0 has no effect")
    if isinstance(measure, model.Sides):
        number = len(measure.descriptions)
        if isinstance(clause.low, int) and clause.low > number:
            yield _("there are only {number} sides, so no deck can keep this", number=number)
        elif clause.low is None and isinstance(clause.high, int) and clause.high >= number:
            yield _("there are only {number} sides, so this has no effect", number=number)


def _uses_loop(clause: model.Clause) -> bool:
    """Whether a condition of the clause or of its bounds has the value of the loop."""
    conditions = [clause.selection.where, *(term.clause.selection.where for term in clause.terms)]
    return any(
        isinstance(leaf, model.Has) and model.EACH in leaf.values
        for condition in conditions
        for leaf in model.leaves(condition)
    )


def _range(having: Mapping[str, int]) -> model.Range:
    """The copies that `having` asks for; at least one by default."""
    low, high = (having.get("exactly", having.get(word)) for word in ("at_least", "at_most"))
    return model.Range(1 if low is None else low, high)


def _joined(
    kind: Callable[[tuple[model.Predicate, ...]], model.Predicate], parts: Sequence[model.Predicate]
) -> model.Predicate:
    return parts[0] if len(parts) == 1 else kind(tuple(parts))
