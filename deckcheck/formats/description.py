"""A format in words: what each rule asks. The grammar has the wording for each word of the language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from deckcheck.formats.grammar import Grammar
from deckcheck.formats.lookup import is_bundled
from deckcheck.model import format as model
from deckcheck.model.game import Game
from deckcheck.support.messages import (
    Localized,
    Message,
    Value,
    Words,
    _,
    card_name,
    n_,
    p_,
    series,
    shortened,
)
from deckcheck.support.templates import render

MOST_CARDS = 3
_BANS = {
    model.Severity.WARNING: _("a warning for {cards}"),
    model.Severity.INFO: _("a note for {cards}"),
}
_WARNINGS = {
    model.Severity.WARNING: _("{rest} (warning only)"),
    model.Severity.INFO: _("{rest} (note only)"),
}


def describe_format(format: model.Format, game: Game, lang: str) -> str:
    """Every rule of the format as a sentence, with the section of the rule text and the line of the rule."""
    describer = _Describer(format, game)
    return render(
        "format.txt",
        lang,
        format=format,
        is_bundled=is_bundled,
        format_id=lambda path: path.removeprefix("formats/").removesuffix(".yaml"),
        zone_names=lambda zones: list(map(describer.zone, zones)),
        cards=describer.cards,
        sentences=describer.sentences,
    )


def rule_infos(format: model.Format, game: Game) -> tuple[model.RuleInfo, ...]:
    """Each rule of the format with its summary in both languages; those about cards beside the deck come last."""
    describer = _Describer(format, game)

    def info(rule: model.Rule) -> model.RuleInfo:
        sentences = describer.sentences(rule)
        ja, en = ("\n".join(sentence.in_(lang) for sentence in sentences) for lang in ("ja", "en"))
        gravest = min((clause.severity for clause in rule.clauses), key=list(model.Severity).index)
        return model.RuleInfo(
            format.id, format.name, rule.id, gravest, Localized(ja, en), rule.cite, rule.source
        )

    beside = (
        model.RuleInfo(
            format.id, format.name, thing.id, model.Severity.INFO, thing.message, thing.cite, thing.source
        )
        for thing in format.set_aside
    )
    return (*map(info, format.rules), *beside)


def described_cards(format: model.Format, game: Game, where: model.Predicate | None, number: int) -> Words:
    """A number of cards for which a predicate holds, as a noun with its conditions."""
    return _Describer(format, game).cards(where, number)


class _Describer:
    """Describes what the rules of a format ask."""

    def __init__(self, format: model.Format, game: Game) -> None:
        self._format = format
        self._game = game
        self._descriptions = dict(format.descriptions)
        self._grammar = Grammar()

    def _said(self, word: str, **fields: Value) -> Words:
        """The sentence of a word of rules."""
        return self._grammar.rules[word].said.filled(**fields)

    def _said_of_cards(self, word: str, **fields: Value) -> Words:
        """The description of cards that meet a condition with that word."""
        words = self._grammar.conditions if word in self._grammar.conditions else self._grammar.comparisons
        return words[word].said.filled(**fields)

    def sentences(self, rule: model.Rule) -> list[Localized]:
        """What a rule asks; clauses with the same description in the file share a sentence."""
        said = (self._sentence(clause) for clause in rule.clauses)
        texts = ((text.in_("ja"), text.in_("en")) for text in said)
        return list(dict.fromkeys(Localized(ja, en[:1].upper() + en[1:]) for ja, en in texts))

    def _sentence(self, clause: model.Clause) -> Words:
        """What a clause asks, with its days and the consequence of breaking it."""
        text: Words = clause.says or self._looped(clause)
        if clause.when is not None and clause.says is None:
            for condition in self._conditions_of(clause.when):
                text = self._said("when", condition=condition, rest=text)
        for word, day in (("since", clause.since), ("until", clause.until)):
            if day is not None:
                text = self._said(word, day=day, rest=text)
        if clause.severity == model.Severity.ERROR or (clause.is_ban and clause.says is None):
            return text
        return _WARNINGS[clause.severity].filled(rest=text)

    def _conditions_of(self, when: model.When) -> Iterator[Words]:
        count = when.clause
        if count is not None and count == model.Clause(count.selection, low=1):
            cards, zones = self.cards(count.selection.where, 1), self._zones(count.selection.zones)
            yield _("if there is {cards} in {zones}", cards=cards, zones=zones)
        elif count is not None:
            yield _("if {count}", count=self._unlooped(count))
        if when.best_of is not None:
            yield _("in a best of {number}", number=when.best_of)

    def _looped(self, clause: model.Clause) -> Words:
        text, loop = self._unlooped(clause), clause.loop
        if loop is None:
            return text
        attribute = self._attribute(loop.attribute)
        names = series(self._value(loop.attribute, value) for value in loop.listed)
        values: Words = _joined(" ", attribute, names)
        if loop.zones:
            values = _("{attribute} of the {zones}", attribute=attribute, zones=self._zones(loop.zones))
        return self._said("for_some" if loop.some else "for_each", values=values, rest=text)

    def _unlooped(self, clause: model.Clause) -> Words:
        bound = self._bounds(clause)
        if clause.either:
            return self._said("either", ways=series(map(self._looped, clause.either), p_("ways", "; or ")))
        measure = clause.measure
        if isinstance(measure, model.Sides | model.Combinations):
            return self._said("sides", sides=self._sides(measure), bound=bound)
        if isinstance(measure, model.Sum):
            return _("{sum}: {bound}", sum=self._sum(measure, clause.selection), bound=bound)
        text, zones = self._counted(clause, bound), clause.selection.zones
        if self._is_whole(zones):
            return text
        is_of_all = isinstance(measure, model.AllCopies) or measure == model.DifferentNames()
        if is_of_all and clause.selection.where is None:
            return p_("size", "{zones}: {rest}", zones=self._zones(zones), rest=text)
        return _("{zones}: {rest}", zones=self._zones(zones), rest=text)

    def _counted(self, clause: model.Clause, bound: Words) -> Words:
        """How many cards, or names of cards, are allowed."""
        where = clause.selection.where
        if clause.is_ban and clause.severity != model.Severity.ERROR:
            return _BANS[clause.severity].filled(cards=self.cards(where))
        if clause.is_ban:
            if isinstance(where, model.Not) and where not in self._descriptions:
                return p_("ban", "only {cards}", cards=self.cards(where.part))
            return p_("ban", "no {cards}", cards=self.cards(where))
        if isinstance(clause.measure, model.CopiesOfEach) and where is None:
            return p_("count", "{bound} of each card", bound=bound)
        if isinstance(clause.measure, model.CopiesOfEach):
            return self._said("per", cards=self.cards(where, 1), bound=bound)
        number = _plural(clause)
        if isinstance(clause.measure, model.DifferentNames):
            bound = n_("{bound} different name", "{bound} different names", number, bound=bound)
            return self._names_counted(clause.measure.having, where, bound)
        if where is None:
            return n_("{bound} card", "{bound} cards", number, bound=bound)
        return p_("count", "{bound} {cards}", bound=bound, cards=self.cards(where, number))

    def _names_counted(
        self, having: model.Range | None, where: model.Predicate | None, bound: Words
    ) -> Words:
        if having is not None:
            low = _number(having.low, model.AllCopies())
            span = _("{low} or more", low=low)
            if having.high is not None:
                span = _("{low} to {high}", low=low, high=_number(having.high, model.AllCopies()))
            return self._said("having", copies=span, cards=self.cards(where), bound=bound)
        if where is None:
            return bound
        return p_("count", "{bound} among {cards}", bound=bound, cards=self.cards(where))

    def _sides(self, measure: model.Sides | model.Combinations) -> Words:
        if isinstance(measure, model.Combinations):
            return _("the sides of each {status}", status=self._game.statuses[measure.status])
        sides = series(map(self.cards, measure.descriptions), Message(" / ", japanese="／"))
        return _("these: {sides}", sides=sides)

    def cards(self, where: model.Predicate | None, number: int = 2) -> Words:
        """The described cards, in a number."""
        noun = p_("noun", "card") if number == 1 else p_("noun", "cards")
        if where is None:
            return noun
        if where in self._descriptions:
            return self._described(noun, where)
        if isinstance(where, model.Named):
            return self._names(where)
        parts = where.parts if isinstance(where, model.All) else (where,)
        but = [part.part for part in parts if isinstance(part, model.Not) and part not in self._descriptions]
        first = [part for part in parts if not (isinstance(part, model.Not) and part.part in but)]
        cards: Words = noun
        if first:
            cards = self._described(noun, first[0] if len(first) == 1 else model.All(tuple(first)))
        for part in but:
            if isinstance(part, model.Named):
                others = self._names(part)
            else:
                others = _("those {condition}", condition=self._condition(part))
            cards = _("{cards} except {others}", cards=cards, others=others)
        return cards

    def _described(self, noun: Words, where: model.Predicate) -> Words:
        return self._said("where", cards=noun, condition=self._condition(where))

    def _names(self, named: model.Named) -> Words:
        names = list(map(card_name, sorted(named.names)))
        return shortened(names, MOST_CARDS, p_("cards", ", "))

    def _bounds(self, clause: model.Clause) -> Words:
        unit = clause.measure
        if clause.one_of is not None:
            return _any_of(_number(number, unit) for number in clause.one_of)
        low, high = clause.low, clause.high
        if isinstance(low, int) and isinstance(high, int) and low != high:
            return _("{low} to {high}", low=low, high=_number(high, unit))
        ends = {"exactly": low} if low == high else {"at_least": low, "at_most": high}
        return series(
            (
                self._said(word, number=self._bound(end, unit))
                for word, end in ends.items()
                if end is not None
            ),
            p_("bounds", " and "),
        )

    def _held_in(self, selection: model.Selection, number: int = 2) -> Words:
        """The cards that are selected, with their zones."""
        cards = self.cards(selection.where, number)
        if self._is_whole(selection.zones):
            return cards
        return _("{cards} in {zones}", cards=cards, zones=self._zones(selection.zones))

    def _sum(self, measure: model.Sum, selection: model.Selection) -> Words:
        attribute, cards = self._attribute(measure.attribute), self._held_in(selection)
        if measure.once:
            return _("{attribute} of {cards} added up, once for each name", attribute=attribute, cards=cards)
        return self._said("count", attribute=attribute, cards=cards)

    def _bound(self, bound: model.Bound, unit: model.Measure) -> Value:
        if not isinstance(bound, model.Linear):
            return _number(bound, unit)
        if bound.base == 0 and len(bound.plus) == 1:
            return self._term(bound.plus[0], unit)
        terms = series((self._term(term, unit, signed=True) for term in bound.plus), p_("terms", ", "))
        return _("{base} ({terms})", base=_number(bound.base, unit), terms=terms)

    def _term(self, term: model.Term, unit: model.Measure, *, signed: bool = False) -> Words:
        """What a count adds to a bound."""
        measure, selection, step = term.clause.measure, term.clause.selection, term.step
        times = _number(abs(term.times) if signed else term.times, unit)
        if signed:
            times = p_("term", "{sign}{n}", sign="−" if term.times < 0 else "+", n=times)
        if isinstance(measure, model.Sum):
            total = self._sum(measure, selection)
            if term.times == step == 1:
                return p_("term", "+ {term}", term=total) if signed else total
            return n_(
                "{times} for each point of {sum}",
                "{times} for every {n} points of {sum}",
                step,
                times=times,
                sum=total,
            )
        if isinstance(measure, model.DifferentNames):
            return n_(
                "{times} for each name of {cards}",
                "{times} for every {n} names of {cards}",
                step,
                times=times,
                cards=self._held_in(selection),
            )
        cards = self._held_in(selection, step)
        return n_("{times} for each {cards}", "{times} for every {n} {cards}", step, times=times, cards=cards)

    def zone(self, zone: str) -> Value:
        """The name of a zone, as the format or else its game has it."""
        if zone in self._format.zones:
            return self._format.zones[zone]
        return self._game.zones[zone].name if zone in self._game.zones else zone

    def _is_whole(self, zones: Sequence[str] | None) -> bool:
        return zones is None or (len(zones) > 1 and set(zones) == set(self._format.zones))

    def _zones(self, zones: Sequence[str] | None) -> Words:
        if zones is None or self._is_whole(zones):
            return _("the whole deck")
        return series(map(self.zone, zones), p_("zones", " and "))

    def _attribute(self, attribute: str) -> Words:
        return self._game.attributes[attribute].name

    def _value(self, attribute: str, value: str | float) -> Value:
        if not isinstance(value, str):
            return _plain(value)
        return self._game.attributes[attribute].value_name(value)

    def _condition(self, predicate: model.Predicate) -> Words:
        """The description of the cards that the predicate means, after “cards” in English and before it in Japanese."""
        if predicate in self._descriptions:
            return self._descriptions[predicate]
        match predicate:
            case model.All(parts) | model.AnyOf(parts):
                word = "all" if isinstance(predicate, model.All) else "any"
                return series(map(self._part, parts), self._grammar.conditions[word].said)
            case model.Not(part):
                return self._said_of_cards("not", condition=self._condition(part))
            case model.AnyPart(part):
                return self._said_of_cards("any_part", condition=self._condition(part))
            case model.Has(attribute, values):
                return self._with_values(attribute, values)
            case model.Containing(attribute, text):
                return self._said_of_cards("containing", attribute=self._attribute(attribute), text=text)
            case model.Outside(attribute, zone) | model.Naming(attribute, zone):
                word = "outside" if isinstance(predicate, model.Outside) else "naming"
                name = self._attribute(attribute)
                return self._said_of_cards(word, attribute=name, zone=self.zone(zone))
            case model.Between(attribute, low, high):
                ends = [None if end is None else _plain(end) for end in (low, high)]
                return self._within(attribute, ends[0], ends[1])
            case model.Rank(attribute=attribute, at_least=low, at_most=high):
                return self._within(attribute, low, high)
            case model.Home(zones):
                return _("that belong in {zones}", zones=_any_of(map(self.zone, sorted(zones))))
            case model.Named():
                return self._said_of_cards("name", cards=self._names(predicate))
            case model.HasStatus(statuses):
                names = (self._game.statuses[status] for status in sorted(statuses))
                return self._said_of_cards("status", statuses=_any_of(names))
            case model.NoOtherCard(same, where):
                name = self._attribute(same)
                return self._said_of_cards("no_other_card", attribute=name, condition=self._condition(where))

    def _part(self, part: model.Predicate) -> Words:
        """One of several conditions, in brackets if it could be misread."""
        words = self._condition(part)
        is_deep = isinstance(part, model.All | model.AnyOf) and part not in self._descriptions
        return _("({condition})", condition=words) if is_deep else words

    def _within(self, attribute: str, low: str | None, high: str | None) -> Words:
        name = self._attribute(attribute)
        if low is not None and high is not None:
            return _("with {attribute} {low} to {high}", attribute=name, low=low, high=high)
        word, end = ("at_most", high) if low is None else ("at_least", low)
        return self._said_of_cards(word, attribute=name, value=end)

    def _with_values(self, attribute: str, wanted: frozenset[str | float]) -> Words:
        if model.EACH in wanted:
            return _("with that {attribute}", attribute=self._attribute(attribute))
        ordered: Sequence[str | float] = sorted(wanted)
        says = self._game.attributes[attribute].says
        if says.keys() >= wanted:
            return _any_of((says[str(value)] for value in ordered), said=True)
        values = _any_of(self._value(attribute, value) for value in ordered)
        return _("with {attribute} {values}", attribute=self._attribute(attribute), values=values)


def _joined(separator: str, *items: Value) -> Words:
    """The items with a separator that both languages share."""
    return series(items, Message(separator, japanese=separator))


def _any_of(items: Iterable[Value], *, said: bool = False) -> Words:
    """Several values, of which one is enough, or with `said` the description of cards with one."""
    *first, last = items
    last_two = _(" or ") if said else p_("one of these", " or ")
    return series([series(first), last], last_two) if first else series([last])


def _plural(clause: model.Clause) -> int:
    """Whether a sentence is about one card (1) or several."""
    last = clause.one_of[-1] if clause.one_of else clause.low if clause.high is None else clause.high
    return last if isinstance(last, int) else 2


def _number(number: int, unit: model.Measure) -> Value:
    """A number, in Japanese followed by what is counted."""
    match unit:
        case model.DifferentNames():
            return p_("names", "{n}", n=number)
        case model.Sides() | model.Combinations():
            return p_("sides", "{n}", n=number)
        case model.Sum():
            return number
        case _:
            return p_("copies", "{n}", n=number)


def _plain(number: float) -> str:
    return f"{number:.0f}" if number % 1 == 0 else f"{number:g}"
