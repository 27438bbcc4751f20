"""Turns the YAML of a format into typed clauses, and checks its words against the game.

Before the game is known, conditions are read as they are written; then with canonical names and without `ref`.
"""

from __future__ import annotations

import json
import string
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

from deckcheck.model import format as model
from deckcheck.model.banlist import Edition
from deckcheck.model.card import Catalog, several_cards
from deckcheck.model.game import Attribute, Game
from deckcheck.rules.grammar import COMPARED, MESSAGE_FIELDS, Grammar
from deckcheck.support.dates import is_day, no_such_day
from deckcheck.support.documents import MOST_PROBLEMS, Document
from deckcheck.support.errors import Problem, UserError, did_you_mean
from deckcheck.support.messages import Localized, Message, Words, _, localized

MOST_DEPTH = 50
MOST_CONDITIONS = 20_000
EVERY = "every"
SAYS = "says"
_OF_EITHER = frozenset(["either", "when", "since", "until", "at_most", "at_least", "exactly", SAYS])
"""Words of a clause that apply to all counts under its `either` together, not to single ones."""
_OF_RULES = frozenset(["id", "cite", "clauses"])


LISTED_TWICE = _("{name!r} is listed twice")


def duplicate_problems(nodes: Iterable[Document], message: Message = LISTED_TWICE) -> Iterator[Problem]:
    """Yields problems with values that repeat an earlier one."""
    seen: set[Any] = set()
    for node in nodes:
        if node.data in seen:
            yield node.problem(message.filled(name=str(node.data)))
        seen.add(node.data)


def date_problems(days: Iterable[Document]) -> Iterator[Problem]:
    """Yields problems with invalid dates and dates that aren't in order."""
    before = ""
    for day in days:
        if not is_day(day.data):
            yield day.problem(no_such_day(day.data))
        elif day.data <= before:
            yield day.problem(_("the dates are not in order"))
        before = day.data


@dataclass(slots=True)
class Context:
    """What the words of a format are checked against, and the problems found so far.

    `extended_zones` are the zones of the format of each file, by shown path; `statuses` and `combined` the statuses of
    cards and of combinations that rules look at; `used` the definitions that conditions refer to; `descriptions` what the
    file calls the cards that meet some conditions.
    """

    game: Game
    catalog: Catalog
    zones: Collection[str] = ()
    definitions: Mapping[str, Document] = field(default_factory=dict)
    extended_zones: Mapping[str, frozenset[str]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    statuses: dict[str, Document] = field(default_factory=dict)
    combined: dict[str, Document] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    descriptions: dict[model.Predicate, Localized] = field(default_factory=dict)
    conditions: int = 0
    _values: dict[str, frozenset[str]] = field(default_factory=dict)

    def report(self, node: Document, message: Words, hint: Words | None = None) -> None:
        """Note a problem. Raises UserError with all of them if there are MOST_PROBLEMS."""
        self.add([node.problem(message, hint)])

    def add(self, problems: Iterable[Problem]) -> None:
        """Like `report`, for complete problems."""
        for problem in problems:
            self.problems.append(problem)
            if len(self.problems) >= MOST_PROBLEMS:
                raise UserError(self.problems)

    def refuse(self) -> None:
        """Raise UserError with the problems, each once, if there are any."""
        if self.problems:
            raise UserError(list(dict.fromkeys(self.problems)))

    def check_word(
        self, node: Document, known: Iterable[str], message: Words, word: str | None = None
    ) -> bool:
        """Whether the word, by default that at the node, is known; if not, note the problem."""
        word = str(node.data) if word is None else word
        if word in known:
            return True
        self.report(node, message, did_you_mean(word, known))
        return False

    def values(self, attribute: Attribute) -> Collection[str]:
        """The words that an attribute can have: those that the game lists, else its names and those of the card table."""
        if attribute.values:
            return attribute.values
        if attribute.id not in self._values:
            words = self.catalog.words(attribute.id)
            self._values[attribute.id] = words.union(attribute.names or ())
        return self._values[attribute.id]

    def card_name(self, node: Document) -> str:
        """The canonical name of the single card that is meant; if there is none, notes the problem."""
        name = str(node.data)
        cards = self.catalog.find(name)
        if len(cards) == 1:
            return cards[0].name
        if cards:
            self.report(node, several_cards(name, (card.name for card in cards)))
        else:
            near = self.catalog.suggest(name)[:1]
            hint = _("did you mean {near!r}?", near=near[0]) if near else None
            self.report(node, _("there is no card {name!r}", name=name), hint)
        return name

    def status(self, node: Document, *others: str) -> bool:
        """Whether a word is a status of the game or one of these others; if not, note the problem."""
        known = (*self.game.statuses, *others)
        return self.check_word(node, known, _("there is no status {name!r}", name=str(node.data)))

    def attribute(self, node: Document, name: str | None = None) -> Attribute | None:
        """The attribute that the word, or `name` in its place, means; if there is none, notes the problem."""
        name = str(node.data) if name is None else name
        if name not in self.game.attributes:
            known = [*self.game.attributes, *Grammar().conditions]
            self.report(node, _("there is no attribute {name!r}", name=name), did_you_mean(name, known))
        return self.game.attributes.get(name)

    def zone(self, node: Document) -> None:
        """Note a problem if a word isn't a zone of the format."""
        self.check_word(node, self.zones, _("this format has no zone {zone!r}", zone=str(node.data)))

    def value(self, attribute: Attribute, node: Document) -> None:
        """Note a problem if the attribute can't have the value."""
        value, name = node.data, attribute.name
        if attribute.kind == "number":
            if not isinstance(value, int | float):
                self.report(node, _("{value!r} is not a number", value=value))
        elif not isinstance(value, str):
            message = _(
                "the values of {attribute} are words: put {value} in quotes", attribute=name, value=value
            )
            self.report(node, message)
        else:
            ranks = [code for codes in attribute.order for code in codes]
            known = {"home": self.game.zones, "rank": ranks}.get(attribute.kind) or self.values(attribute)
            if known:
                message = _("{attribute} has no value {value!r}", attribute=name, value=value)
                self.check_word(node, known, message)

    def source(self, node: Document) -> None:
        """Note problems with the days of a source and its editions."""
        self.add(date_problems(node.under("date")))
        self.add(date_problems(edition.at("date") for edition in node.under("editions")))


def editions_of(source: Mapping[str, Any]) -> tuple[Edition, ...]:
    """The editions that a `source` gives: several, one, or none."""
    editions = source.get("editions") or ([source] if "edition" in source else [])
    return tuple(Edition(edition["edition"], edition.get("date")) for edition in editions)


def cite_of(data: Mapping[str, Any]) -> Localized | None:
    """The section of the rule text that a rule or a hint names."""
    return localized(data["cite"]) if "cite" in data else None


class AsWritten(NamedTuple):
    """A condition that isn't resolved: two are equal if they are written alike in a file."""

    text: str
    tag: str = "as_written"


class ParsedClause(NamedTuple):
    """A clause with the piece of the file that has it; `ways` are the counts under its `either`."""

    clause: model.Clause
    node: Document
    rule: str
    ways: tuple[ParsedClause, ...] = ()


def written_clauses(rule: Document) -> tuple[model.Clause, ...]:
    """The clauses of a rule as written; the file must be valid by the schema."""
    reader = ClauseReader()
    return tuple(reader.clause(_words(*pieces)) for pieces in _clause_nodes(rule))


def _without_descriptions(condition: Any) -> Any:
    """A condition as written, without words that only describe it."""
    if isinstance(condition, dict):
        return {key: _without_descriptions(value) for key, value in condition.items() if key != SAYS}
    return [_without_descriptions(item) for item in condition] if isinstance(condition, list) else condition


def _clause_nodes(rule: Document) -> list[list[Document]]:
    """For each clause of a rule the pieces that define it; a later one overrides an earlier one."""
    return [[rule, clause] for clause in rule.under("clauses")] or [[rule]]


def _words(*pieces: Document) -> dict[str, Document]:
    """The parts of a clause, by word."""
    return {key: piece.at(key) for piece in pieces for key in piece.data if key not in _OF_RULES}


def _ways(words: Mapping[str, Document]) -> list[tuple[dict[str, Document], Document]]:
    """The parts of each count under `either`, by word, with those beside `either`, and the piece that defines it."""
    shared = {key: node for key, node in words.items() if key not in _OF_EITHER}
    return [(shared | _words(way), way) for way in (words["either"].items() if "either" in words else ())]


class ClauseReader:
    """Reads clauses as written, before the game is known."""

    def _condition(self, node: Document, _word: str) -> model.Predicate:
        """The condition at the node, which belongs to the word."""
        return cast(model.Predicate, AsWritten(json.dumps(_without_descriptions(node.data), sort_keys=True)))

    def _zones(self, node: Document) -> tuple[str, ...]:
        return tuple(zone.data for zone in node.items())

    def _every(self, _attribute: str) -> tuple[str, ...]:
        """The values that the game lists for the attribute."""
        return (EVERY,)

    def clause(self, words: Mapping[str, Document]) -> model.Clause:
        """The clause with these words."""
        data = {key: node.data for key, node in words.items()}
        counted = self._count(words, "where")
        return counted._replace(
            counted="sides" if "sides" in data else counted.counted,
            sides=self._sides(words["sides"]) if "sides" in data else None,
            loop=self._loop(data),
            when=self._when(words["when"]) if "when" in data else None,
            message=localized(data["message"]) if "message" in data else None,
            says=localized(data[SAYS]) if SAYS in data else None,
            either=tuple(self.clause(way) for way, _node in _ways(words)),
            severity=model.Severity(data.get("severity", "error")),
            **{key: data[key] for key in ("per", "since", "until") if key in data},
        )

    def _count(self, words: Mapping[str, Document], inside: str) -> model.Clause:
        """A clause of what the words count, with its bounds; the condition belongs to the word `inside`."""
        data = {key: node.data for key, node in words.items()}
        count, exactly, having = data.get("count", "copies"), data.get("exactly"), data.get("having")
        summed = isinstance(count, dict)
        ends = () if having is None else (having.get("at_least", 1), having.get("at_most"))
        zones = self._zones(words["in"]) if "in" in words else None
        return model.Clause(
            selection=model.Selection(
                zones, self._condition(words["where"], inside) if "where" in words else None
            ),
            counted=count["sum"] if summed else count,
            summed=count.get("of", "copies") if summed else None,
            having=None if having is None else model.Range(*(having.get("exactly", end) for end in ends)),
            low=self._bound(words, "at_least", inside),
            high=self._bound(words, "at_most", inside),
            one_of=tuple(exactly) if isinstance(exactly, list) else None,
        )

    def _sides(self, node: Document) -> tuple[model.Predicate, ...] | str:
        if isinstance(node.data, str):
            return node.data
        return tuple(self._condition(side, "sides") for side in node.items())

    def _bound(self, words: Mapping[str, Document], word: str, inside: str) -> model.Bound | None:
        node = words.get(word) or words.get("exactly")
        if node is None or isinstance(node.data, list):
            return None
        if isinstance(node.data, dict):
            terms = tuple(self._term(term, inside) for term in node.under("plus"))
            return model.Linear(node.data.get("base", 0), terms)
        return int(node.data)

    def _term(self, node: Document, inside: str) -> model.Term:
        count = self._count(_words(node), inside)
        return model.Term(count, node.data.get("times", 1), node.data.get("step", 1))

    def _loop(self, data: Mapping[str, Any]) -> model.Loop | None:
        word = next((word for word in ("for_each", "for_some") if word in data), None)
        if word is None:
            return None
        [(attribute, of)] = data[word].items()
        zones = of["of"] if isinstance(of, dict) else ()
        listed = () if zones else self._every(attribute) if of == EVERY else tuple(of)
        zones = (zones,) if isinstance(zones, str) else tuple(zones)
        return model.Loop(attribute, zones, listed, some=word == "for_some")

    def _when(self, node: Document) -> model.When:
        words, best_of = _words(node), node.data.get("best_of")
        if words.keys() <= {"best_of"}:
            return model.When(None, best_of)
        count = self._count(words, "when")
        if not words.keys() & {"at_most", "at_least", "exactly"}:
            count = count._replace(low=1)
        return model.When(count, best_of)


class Scope(NamedTuple):
    """Where a condition is: the attribute of its loop (EACH: any), and the word in which `$each` and zones mean nothing."""

    each: str | None = None
    inside: str | None = None
    refs: tuple[str, ...] = ()
    depth: int = 1


class RuleParser(ClauseReader):
    """Reads rules against a game; problems go to the context."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._report = context.report
        self._grammar = Grammar()
        self._each: str | None = None

    def rule(
        self, node: Document, replaces: tuple[model.Source, ...] = ()
    ) -> tuple[model.Rule, list[ParsedClause]]:
        """The rule with canonical names and without refs, and its clauses with their places."""
        id = node.data["id"]
        parsed = [self._parsed(_words(*pieces), pieces[-1], id) for pieces in _clause_nodes(node)]
        clauses = tuple(clause for clause, *_places in parsed)
        return model.Rule(
            id, clauses, model.Source(node.path, node.line()), cite_of(node.data), replaces
        ), parsed

    def _parsed(self, words: Mapping[str, Document], node: Document, rule: str) -> ParsedClause:
        self._check_words(words, node)
        clause = self.clause({key: piece for key, piece in words.items() if key != "either"})
        ways = tuple(self._parsed(*way, rule) for way in _ways(words))
        clause = clause._replace(line=node.line(), either=tuple(way.clause for way in ways))
        return ParsedClause(clause, node, rule, ways)

    def _check_words(self, words: Mapping[str, Document], node: Document) -> None:
        """Note problems with words that don't go together, and with words that can be checked without parsing."""
        context, data = self._context, {key: piece.data for key, piece in words.items()}
        for word, other in self._grammar.clashing(data):
            self._report(node, _("{word!r} and {other!r} don't go together", word=word, other=other))
        self._each = None
        self._check_count(words, node)
        for word in words:
            match word:
                case "since" | "until":
                    context.add(date_problems([words[word]]))
                case "for_each" | "for_some":
                    self._check_loop(words[word])
                case "message":
                    self._check_fields(words[word])
                case "says":
                    self._check_says(words[word])
                case "sides" if isinstance(data[word], str):
                    context.combined.setdefault(data[word], words[word])
                    context.status(words[word])
                case "when":
                    self._check_count(_words(words[word]), words[word])

    def _check_count(self, words: Mapping[str, Document], node: Document) -> None:
        """Note problems with what a rule, a condition or a part of a bound counts, and with its own bounds."""
        for word, needed in self._grammar.unmet({key: piece.data for key, piece in words.items()}):
            self._report(node, _("{word!r} needs {needed!r}", word=word, needed=needed))
        if "count" in words and isinstance(words["count"].data, dict):
            attribute = self._context.attribute(words["count"].at("sum"))
            if attribute is not None and attribute.kind != "number":
                self._report(words["count"], _("only numbers can be added up"))
        for bound in (words[word] for word in ("at_most", "at_least", "exactly") if word in words):
            for term in bound.under("plus") if isinstance(bound.data, dict) else ():
                self._check_count(_words(term), term)

    def _check_fields(self, node: Document) -> None:
        for text in node.data.values() if isinstance(node.data, dict) else [node.data]:
            try:
                fields = [part[1:] for part in string.Formatter().parse(text) if part[1] is not None]
            except ValueError:
                self._report(node, _("the braces don't match"))
                continue
            for name, spec, conversion in fields:
                if spec or conversion:
                    self._report(node, _("{{{name}}} takes no formatting", name=name))
                if name not in MESSAGE_FIELDS:
                    hint = did_you_mean(name, MESSAGE_FIELDS)
                    self._report(node, _("there is no field {{{name}}}", name=name), hint)

    def _check_says(self, node: Document) -> None:
        for text in map(str, node.data.values() if isinstance(node.data, dict) else [node.data]):
            if not text.strip() or "\n" in text:
                self._report(node, _("this takes one line of text"))

    def _check_loop(self, node: Document) -> None:
        context = self._context
        [self._each] = node.data
        of = node.at(self._each)
        attribute = context.attribute(of, self._each)
        if attribute is None:
            return
        if attribute.kind != "values":
            self._report(of, _("{name!r} has no values to go through", name=attribute.id))
        elif isinstance(of.data, dict):
            for zone in of.under("of"):
                context.zone(zone)
        elif of.data != EVERY:
            for item in of.items():
                context.value(attribute, item)
        elif not attribute.values:
            self._report(of, _("the values of {name!r} are not listed", name=attribute.id))

    def _condition(self, node: Document, word: str) -> model.Predicate:
        return self.resolved(node, Scope(self._each, None if word == "where" else word))

    def _zones(self, node: Document) -> tuple[str, ...]:
        """The zones at the node, without those that only the format of its file has: here, they have no cards."""
        context, alone = self._context, isinstance(node.data, str)
        extended = frozenset() if alone else context.extended_zones.get(node.path, frozenset())
        context.add(duplicate_problems(node.items()))
        there = []
        for item in node.items():
            if item.data not in extended:
                context.zone(item)
            if item.data in context.zones or item.data not in extended:
                there.append(item.data)
        if not there:
            self._report(node, _("this format has none of these zones"))
        return tuple(there)

    def _every(self, attribute: str) -> tuple[str, ...]:
        known = self._context.game.attributes.get(attribute)
        return () if known is None else known.values

    def resolved(self, node: Document, scope: Scope) -> model.Predicate:
        """The condition with canonical names, and with definitions instead of refs.

        Raises UserError for one that is too large: by referring to one another, few lines can write huge ones.
        """
        context = self._context
        context.conditions += 1
        if scope.depth > MOST_DEPTH or context.conditions > MOST_CONDITIONS:
            problem = node.problem(_("the conditions are too large or nested too deeply"))
            raise UserError([*context.problems, problem])
        below = scope._replace(depth=scope.depth + 1)
        found = _joined(model.All, [self._part(key, node.at(key), below) for key in node.data if key != SAYS])
        if SAYS in node.data:
            self._check_says(node.at(SAYS))
            if len(node.data) == 1:
                self._report(node, _("a condition is needed beside says"))
            context.descriptions[found] = localized(node.data[SAYS])
        return found

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
                same = node.at("same")
                attribute = context.attribute(same)
                if attribute is not None and attribute.kind not in ("values", "number"):
                    self._report(same, _("cards can't be compared by {attribute}", attribute=attribute.name))
                if scope.inside == key:
                    self._report(node, _("no_other_card can't be used inside another"))
                where = self.resolved(node.at("where"), scope._replace(inside=key))
                return model.NoOtherCard(str(same.data), where)
        attribute = context.attribute(node, key)
        if attribute is None:
            return model.Named(frozenset())
        compare = self._comparison if isinstance(node.data, dict) else self._match
        return compare(attribute, node, scope)

    def _ref(self, node: Document, scope: Scope) -> model.Predicate:
        context, name = self._context, node.data
        found = context.definitions.get(name)
        if found is None:
            hint = did_you_mean(name, context.definitions)
            self._report(node, _("{name!r} is not defined", name=name), hint)
        elif name in scope.refs:
            self._report(node, _("the definition of {name!r} refers to itself", name=name))
        else:
            context.used.add(name)
            return self.resolved(found, scope._replace(refs=(*scope.refs, name)))
        return model.Named(frozenset())

    def _match(self, attribute: Attribute, node: Document, scope: Scope) -> model.Predicate:
        """The condition that an attribute has one of some values; `$each` is the value of the loop."""
        name, values = attribute.id, frozenset(item.data for item in node.items())
        for item in node.items():
            if item.data != model.EACH:
                self._context.value(attribute, item)
            elif scope.inside is not None:
                self._report(item, _("$each has no meaning inside {word}", word=scope.inside))
            elif scope.each not in (name, model.EACH):
                self._report(item, _("$each needs a for_each over {attribute!r}", attribute=name))
        if attribute.kind == "rank":
            self._report(node, _("compare a rank with at_least or at_most"))
        if attribute.kind == "home":
            return model.Home(values, name)
        groups = (values & {model.EACH}, values - {model.EACH})
        return _joined(model.AnyOf, [model.Has(name, group) for group in groups if group])

    def _comparison(self, attribute: Attribute, node: Document, scope: Scope) -> model.Predicate:
        context, id, name = self._context, attribute.id, attribute.name
        parts: list[model.Predicate] = []
        for key in node.data:
            part = node.at(key)
            if key not in COMPARED[attribute.kind]:
                message = _("{attribute} can't be compared with {word!r}", attribute=name, word=key)
                self._report(part, message)
            elif key in ("outside", "naming"):
                if scope.inside is not None:
                    message = _("{word} has no meaning inside {outer}", word=key, outer=scope.inside)
                    self._report(part, message)
                context.zone(part)
                parts.append((model.Outside if key == "outside" else model.Naming)(id, part.data))
            elif key == "containing":
                text = str(part.data)
                if not any(text in value for value in context.values(attribute)):
                    message = _(
                        "no {attribute} in the card table contains {text!r}", attribute=name, text=text
                    )
                    self._report(part, message)
                parts.append(model.Containing(id, text))
            else:
                context.value(attribute, part)
        if attribute.kind in ("values", "home"):
            return _joined(model.All, parts)
        low, high = node.data.get("at_least"), node.data.get("at_most")
        ranks = {code: at for at, codes in enumerate(attribute.order) for code in codes}
        first, last = (ranks.get(end) if isinstance(end, str) else end for end in (low, high))
        if first is not None and last is not None and first > last:
            self._report(node, _("at_least {low} is over at_most {high}", low=low, high=high))
        if attribute.kind == "rank":
            return model.Rank(id, attribute.order, low, high)
        if low is not None and low == high:
            return model.Has(id, frozenset([low]))
        return model.Between(id, low, high)


def _joined(
    kind: Callable[[tuple[model.Predicate, ...]], model.Predicate], parts: Sequence[model.Predicate]
) -> model.Predicate:
    return parts[0] if len(parts) == 1 else kind(tuple(parts))
