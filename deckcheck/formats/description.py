"""A format in words: what each rule asks, for people who don't read YAML.

How a word of the format language is said stands in the grammar.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from deckcheck.model import format as model
from deckcheck.model.format import Bound, Clause, Format, Growing, Loop, Predicate, Rule, RuleInfo, Selection
from deckcheck.model.game import Game
from deckcheck.rules.grammar import Grammar
from deckcheck.rules.implication import SEVERITIES
from deckcheck.support.messages import Localized, Message, Words, _, p_
from deckcheck.support.safetext import safe

MOST_CARDS = 3


def describe_format(format: Format, game: Game, lang: str) -> str:
    """Every rule of the format in a sentence, with the section of the text and the line that says it."""
    words = _Describer(format, game, lang)
    lines = [f"{format.name.in_(lang)}  {format.id}", *words.head(), ""]
    for rule in format.rules:
        cite = "" if rule.cite is None else words.say(_("  [{section}]", section=rule.cite))
        lines.append(f"{rule.id}{cite}  {rule.source.path}:{rule.source.line}")
        lines += [f"  {words.sentence(clause)}" for clause in rule.clauses]
        for source in rule.replaces:
            lines.append(words.say(_("  (in place of {place})", place=f"{source.path}:{source.line}")))
    for thing in format.set_aside:
        lines += [f"{thing.id}  {thing.source.path}:{thing.source.line}", f"  {thing.message.in_(lang)}"]
    return "\n".join(map(safe, lines)) + "\n"


def rule_infos(format: Format, game: Game) -> tuple[RuleInfo, ...]:
    """Each rule of the format with its summary in both languages; what is laid beside the deck last."""
    ja, en = (_Describer(format, game, lang) for lang in ("ja", "en"))

    def info(rule: Rule) -> RuleInfo:
        summary = Localized(*("\n".join(map(words.sentence, rule.clauses)) for words in (ja, en)))
        gravest = max((clause.severity for clause in rule.clauses), key=SEVERITIES.index)
        return RuleInfo(format.id, format.name, rule.id, gravest, summary, rule.cite, rule.source)

    beside = (
        RuleInfo(format.id, format.name, thing.id, "info", thing.message, thing.cite, thing.source)
        for thing in format.set_aside
    )
    return (*map(info, format.rules), *beside)


class _Describer:
    """Says in one language what the rules of a format ask."""

    def __init__(self, format: Format, game: Game, lang: str) -> None:
        self._format = format
        self._game = game
        self._lang = lang
        grammar = Grammar()
        self._rule_words = grammar.rules
        self._condition_words = grammar.conditions | grammar.comparisons

    def say(self, words: Words) -> str:
        """The words in the language."""
        return words.in_(self._lang)

    def _word(self, name: str, **fields: str) -> str:
        """A part of a rule, as the grammar says that word."""
        return self._said(self._rule_words[name].said, fields)

    def _condition_word(self, name: str, **fields: str) -> str:
        """A part of a condition, as the grammar says that word."""
        return self._said(self._condition_words[name].said, fields)

    def _said(self, said: Localized | None, fields: dict[str, str]) -> str:
        assert said is not None
        return self.say(said).format(**fields)

    def _list(self, items: Iterable[str], separator: Message) -> str:
        return self.say(separator).join(items)

    def _any_of(self, items: Iterable[str]) -> str:
        return self._list(items, p_("one of these", " or "))

    def head(self) -> Iterator[str]:
        """The source of the text, the zones, and the banlists in use."""
        format = self._format
        if format.title is not None:
            editions = [
                edition if day is None else self.say(_("{edition} ({day})", edition=edition, day=day))
                for edition, day in format.editions
            ]
            text = " ".join([format.title, *([self._list(editions, _(", "))] if editions else [])])
            yield self.say(_("source: {text}", text=text))
        yield self.say(_("zones: {zones}", zones=self._list(map(self._zone, format.zones), _(", "))))
        if format.exchange:
            zones = self._list(map(self._zone, format.exchange), _(", "))
            yield self.say(_("exchange between games: {zones}", zones=zones))
        for zone, (listed, most) in format.listed_as.items():
            message = _(
                "if {zone} has no cards, up to {most} cards under {other} are taken for it",
                zone=self._zone(zone),
                most=most,
                other=self._zone(listed),
            )
            yield self.say(message)
        for banlist in format.banlists:
            line = self.say(_("banlist: {name}", name=banlist.name))
            if banlist.partial:
                line += self.say(_(" (only some of its entries are known)"))
            if banlist.complete_from is not None:
                line += self.say(_(" (complete from {day})", day=banlist.complete_from))
            if banlist.complete_through is not None:
                line += self.say(_(" (complete through {day})", day=banlist.complete_through))
            yield f"{line}  {banlist.path}"

    def sentence(self, clause: Clause) -> str:
        """What a clause asks, with its days and what breaking it means."""
        text = self._looped(clause)
        if clause.when is not None:
            parts = [f"{key} = {value}" for key, value in clause.when.options]
            if clause.when.selection is not None:
                parts.append(self._held(clause.when.selection))
            text = self._word("when", condition=self._list(parts, p_("when", " and ")), rest=text)
        if clause.since is not None:
            text = self._word("since", day=clause.since, rest=text)
        if clause.until is not None:
            text = self._word("until", day=clause.until, rest=text)
        if clause.severity == "error" or clause.is_ban:
            return text
        if clause.severity == "warning":
            return self.say(_("{rest} (warning only)", rest=text))
        return self.say(_("{rest} (note only)", rest=text))

    def _looped(self, clause: Clause) -> str:
        text = self._unlooped(clause)
        for word, values in (("for_each", clause.for_each), ("for_some", clause.for_some)):
            if values is not None:
                text = self._word(word, values=self._values(values), rest=text)
        return text

    def _values(self, values: Loop) -> str:
        attribute = self._attribute(values.attribute)
        if values.zones:
            zones = self._zones(values.zones)
            return self.say(_("{attribute} of the {zones}", attribute=attribute, zones=zones))
        names = [self._value(values.attribute, value) for value in values.listed]
        return f"{attribute} {self._list(names, _(', '))}"

    def _unlooped(self, clause: Clause) -> str:
        if clause.either:
            ways = self._list(map(self._looped, clause.either), p_("ways", "; or "))
            return self._word("either", ways=ways)
        cards, bound = self._selected(clause.selection), self._bounds(clause)
        if isinstance(clause.sides, str):
            status = self._game.statuses[clause.sides].name
            sides = self.say(_("the sides of each {status}", status=status))
            return self._word("sides", sides=sides, bound=bound)
        if clause.sides is not None:
            sides = " / ".join(f"[{self._condition(side)}]" for side in clause.sides)
            return self._word("sides", sides=sides, bound=bound)
        if clause.is_ban:
            bans = {
                "error": _("no {cards}", cards=cards),
                "warning": _("a warning for {cards}", cards=cards),
                "info": _("a note for {cards}", cards=cards),
            }
            return self.say(bans[clause.severity])
        if clause.per is not None:
            return self._word("per", cards=cards, bound=bound)
        if clause.summed:
            return self._word("count", attribute=self._attribute(clause.counted), cards=cards, bound=bound)
        if clause.counted != "names":
            return self.say(_("{cards}: {bound}", cards=cards, bound=bound))
        if clause.having is None:
            return self.say(_("different names of {cards}: {bound}", cards=cards, bound=bound))
        low = self._number(clause.having.low, "copies")
        if clause.having.high is None:
            span = _("{low} or more", low=low)
        else:
            span = _("{low} to {high}", low=low, high=self._number(clause.having.high, "copies"))
        return self._word("having", copies=self.say(span), cards=cards, bound=bound)

    def _selected(self, selection: Selection) -> str:
        zones = self._zones(selection.zones)
        if selection.where is None:
            return self.say(_("cards in {zones}", zones=zones))
        return self._word("where", zones=zones, condition=self._condition(selection.where))

    def _held(self, selection: Selection) -> str:
        zones = self._zones(selection.zones)
        if selection.where is None:
            return self.say(_("there is a card in {zones}", zones=zones))
        condition = self._condition(selection.where)
        return self.say(_("there is a card in {zones} where {condition}", zones=zones, condition=condition))

    def _bounds(self, clause: Clause) -> str:
        unit = "sum" if clause.summed else clause.counted
        if clause.one_of is not None:
            return self._any_of(self._number(number, unit) for number in clause.one_of)
        if clause.exact:
            return self._word("exactly", number=self._bound(clause.low, unit))
        ends = (("at_least", clause.low), ("at_most", clause.high))
        parts = (self._word(word, number=self._bound(end, unit)) for word, end in ends if end is not None)
        return self._list(parts, p_("bounds", " and "))

    def _bound(self, bound: Bound | None, unit: str) -> str:
        if not isinstance(bound, Growing):
            return self._number(bound or 0, unit)
        base, plus = self._number(bound.base, unit), self._number(bound.plus, unit)
        cards = self._selected(bound.copies_of)
        return self.say(_("{base} (+{plus} for each copy of {cards})", base=base, plus=plus, cards=cards))

    def _number(self, number: int, unit: str) -> str:
        """A number, in Japanese with what is counted behind it."""
        units = {
            "copies": p_("copies", "{n}", n=number),
            "names": p_("names", "{n}", n=number),
            "sides": p_("sides", "{n}", n=number),
        }
        return self.say(units[unit]) if unit in units else str(number)

    def _zone(self, zone: str) -> str:
        if zone in self._format.zones:
            return self.say(self._format.zones[zone])
        return self.say(self._game.zones[zone].name) if zone in self._game.zones else zone

    def _zones(self, zones: Sequence[str] | None) -> str:
        if zones is None or (len(zones) > 1 and set(zones) == set(self._format.zones)):
            return self.say(_("the whole deck"))
        return self._list(map(self._zone, zones), p_("zones", " and "))

    def _attribute(self, attribute: str) -> str:
        return self.say(self._game.attributes[attribute].name)

    def _value(self, attribute: str, value: str) -> str:
        names = self._game.attributes[attribute].names or {}
        return self.say(names[value]) if value in names else value

    def _condition(self, predicate: Predicate) -> str:
        """What is true of the cards that the predicate means."""
        match predicate:
            case model.AnyOf(parts) if (numbers := _numbers(parts)) is not None:
                attribute, values = numbers
                return self._is(attribute, map(_plain, values))
            case model.All(parts):
                return self._condition_word("all").join(map(self._inner, parts))
            case model.AnyOf(parts):
                return self._condition_word("any").join(map(self._inner, parts))
            case model.Not(part):
                return self._condition_word("not", condition=self._condition(part))
            case model.AnyPart(part):
                inner = self._inner(part)
                return self._condition_word("any_part", condition=self._condition(part), inner=inner)
            case model.Has(attribute, wanted):
                return self._is(attribute, (self._value(attribute, value) for value in sorted(wanted)))
            case model.HasEach(attribute):
                return self.say(_("it has that {attribute}", attribute=self._attribute(attribute)))
            case model.Containing(attribute, text):
                return self._condition_word("containing", attribute=self._attribute(attribute), text=text)
            case model.Outside(attribute, zone) | model.Naming(attribute, zone):
                fields = {"attribute": self._attribute(attribute), "zone": self._zone(zone)}
                return self._condition_word(predicate.tag, **fields)
            case model.Between(attribute, low, high) if low == high and low is not None:
                return self._is(attribute, [_plain(low)])
            case model.Between(attribute, low, high):
                ends = (None if end is None else _plain(end) for end in (low, high))
                return self._between(attribute, *ends)
            case model.Rank(attribute, _order, lowest, highest):
                return self._between(attribute, lowest, highest)
            case model.Home(zones):
                homes = [self.say(_("“{zone}”", zone=self._zone(zone))) for zone in sorted(zones)]
                return self.say(_("it belongs in {zones}", zones=self._any_of(homes)))
            case model.Named(cards):
                return self._condition_word("name", cards=self._cards(sorted(cards)))
            case model.HasStatus(statuses):
                names = [self.say(self._game.statuses[status].name) for status in sorted(statuses)]
                return self._condition_word("status", statuses=self._any_of(names))
            case model.NoOtherCard(same, where):
                fields = {"attribute": self._attribute(same), "condition": self._condition(where)}
                return self._condition_word("no_other_card", **fields)

    def _cards(self, cards: Sequence[str]) -> str:
        names = [self.say(p_("name of a card", "{name}", name=name)) for name in cards[:MOST_CARDS]]
        listed = self._list(names, p_("cards", ", "))
        more = len(cards) - MOST_CARDS
        return self.say(_("{cards} and {more} more", cards=listed, more=more)) if more > 0 else listed

    def _is(self, attribute: str, values: Iterable[str]) -> str:
        listed = self._any_of(values)
        return self.say(_("{attribute} is {values}", attribute=self._attribute(attribute), values=listed))

    def _between(self, attribute: str, low: str | None, high: str | None) -> str:
        name = self._attribute(attribute)
        if low is not None and high is not None:
            return self.say(_("{attribute} is from {low} to {high}", attribute=name, low=low, high=high))
        word, end = ("at_most", high) if low is None else ("at_least", low)
        return self._condition_word(word, attribute=name, value=end or "")

    def _inner(self, predicate: Predicate) -> str:
        """A condition inside another, in brackets where the two could be misread."""
        text = self._condition(predicate)
        return self.say(_("({condition})", condition=text)) if predicate.tag in ("all", "any") else text


def _numbers(parts: Sequence[Predicate]) -> tuple[str, list[float]] | None:
    """The attribute and its numbers, where nothing else is asked."""
    asked = [
        (part.attribute, part.low)
        for part in parts
        if isinstance(part, model.Between) and part.low == part.high
    ]
    numbers = [low for _attribute, low in asked if low is not None]
    if len(numbers) < len(parts) or len({attribute for attribute, _low in asked}) != 1:
        return None
    return asked[0][0], numbers


def _plain(number: float) -> str:
    return f"{number:.0f}" if number % 1 == 0 else f"{number:g}"
