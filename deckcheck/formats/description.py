"""A format in words: what each rule asks. How each word of the language is said is in the grammar."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from deckcheck.model import format as model
from deckcheck.model.format import Bound, Clause, Format, Growing, Predicate, Rule, RuleInfo, Selection
from deckcheck.model.game import Game
from deckcheck.rules.grammar import Grammar
from deckcheck.rules.implication import SEVERITIES
from deckcheck.support.messages import Localized, Message, Value, Words, _, n_, p_, series, shortened
from deckcheck.support.safetext import safe

MOST_CARDS = 3
_BANS = {
    "error": _("no {cards}"),
    "warning": _("a warning for {cards}"),
    "info": _("a note for {cards}"),
}
_WARNINGS = {"warning": _("{rest} (warning only)"), "info": _("{rest} (note only)")}


def describe_format(format: Format, game: Game, lang: str) -> str:
    """Every rule of the format in a sentence, with the section of the text and the line that says it."""
    describer = _Describer(format, game)
    lines = [f"{format.name.in_(lang)}  {format.id}", *(line.in_(lang) for line in describer.head()), ""]
    for rule in format.rules:
        cite = "" if rule.cite is None else _("  [{section}]", section=rule.cite).in_(lang)
        lines.append(f"{rule.id}{cite}  {rule.source.path}:{rule.source.line}")
        lines += [f"  {describer.sentence(clause).in_(lang)}" for clause in rule.clauses]
        for source in rule.replaces:
            lines.append(_("  (in place of {place})", place=f"{source.path}:{source.line}").in_(lang))
    for thing in format.set_aside:
        lines += [f"{thing.id}  {thing.source.path}:{thing.source.line}", f"  {thing.message.in_(lang)}"]
    return "\n".join(map(safe, lines)) + "\n"


def rule_infos(format: Format, game: Game) -> tuple[RuleInfo, ...]:
    """Each rule of the format with its summary in both languages; what is laid beside the deck last."""
    describer = _Describer(format, game)

    def info(rule: Rule) -> RuleInfo:
        sentences = [describer.sentence(clause) for clause in rule.clauses]
        ja, en = ("\n".join(sentence.in_(lang) for sentence in sentences) for lang in ("ja", "en"))
        gravest = max((clause.severity for clause in rule.clauses), key=SEVERITIES.index)
        return RuleInfo(format.id, format.name, rule.id, gravest, Localized(ja, en), rule.cite, rule.source)

    beside = (
        RuleInfo(format.id, format.name, thing.id, "info", thing.message, thing.cite, thing.source)
        for thing in format.set_aside
    )
    return (*map(info, format.rules), *beside)


class _Describer:
    """Says what the rules of a format ask."""

    def __init__(self, format: Format, game: Game) -> None:
        self._format = format
        self._game = game
        grammar = Grammar()
        self._rule_words = grammar.rules
        self._condition_words = grammar.conditions | grammar.comparisons

    def head(self) -> Iterator[Words]:
        """The source of the text, the zones, and the banlists in use."""
        format = self._format
        if format.title is not None:
            editions = [
                edition if day is None else _("{edition} ({day})", edition=edition, day=day)
                for edition, day in format.editions
            ]
            text = _joined(" ", format.title, series(editions)) if editions else format.title
            yield _("source: {text}", text=text)
        yield _("zones: {zones}", zones=series(map(self._zone, format.zones)))
        if format.exchange:
            yield _("exchange between games: {zones}", zones=series(map(self._zone, format.exchange)))
        for zone, (listed, most, where) in format.listed_as.items():
            other = self._zone(listed)
            if where is not None:
                other = _("{zone} where {condition}", zone=other, condition=self._condition(where))
            yield n_(
                "if {zone} has no cards, up to {n} card under {other} is taken for it",
                "if {zone} has no cards, up to {n} cards under {other} are taken for it",
                most,
                zone=self._zone(zone),
                other=other,
            )
        for banlist in format.banlists:
            notes = [_("banlist: {name}", name=banlist.name)]
            notes += [_(" (only some of its entries are known)")] if banlist.partial else []
            if banlist.complete_from is not None:
                notes.append(_(" (complete from {day})", day=banlist.complete_from))
            if banlist.complete_through is not None:
                notes.append(_(" (complete through {day})", day=banlist.complete_through))
            yield _joined("", *notes, f"  {banlist.path}")

    def sentence(self, clause: Clause) -> Words:
        """What a clause asks, with its days and what breaking it means."""
        words, text = self._rule_words, self._looped(clause)
        if clause.when is not None:
            best_of = clause.when.best_of
            parts: list[Value] = [] if best_of is None else [f"best_of = {best_of}"]
            if clause.when.selection is not None:
                parts.append(self._selected(clause.when.selection, held=True))
            text = words["when"].said.filled(condition=series(parts, p_("when", " and ")), rest=text)
        for word, day in (("since", clause.since), ("until", clause.until)):
            if day is not None:
                text = words[word].said.filled(day=day, rest=text)
        if clause.severity == "error" or clause.is_ban:
            return text
        return _WARNINGS[clause.severity].filled(rest=text)

    def _looped(self, clause: Clause) -> Words:
        text, loop = self._unlooped(clause), clause.loop
        if loop is None:
            return text
        attribute = self._attribute(loop.attribute)
        names = series(self._value(loop.attribute, value) for value in loop.listed)
        values: Words = _joined(" ", attribute, names)
        if loop.zones:
            values = _("{attribute} of the {zones}", attribute=attribute, zones=self._zones(loop.zones))
        word = "for_some" if loop.some else "for_each"
        return self._rule_words[word].said.filled(values=values, rest=text)

    def _unlooped(self, clause: Clause) -> Words:
        words = self._rule_words
        if clause.either:
            return words["either"].said.filled(
                ways=series(map(self._looped, clause.either), p_("ways", "; or "))
            )
        cards, bound = self._selected(clause.selection), self._bounds(clause)
        if clause.sides is not None:
            if isinstance(clause.sides, str):
                sides: Words = _("the sides of each {status}", status=self._game.statuses[clause.sides])
            else:
                shown = (_joined("", "[", self._condition(side), "]") for side in clause.sides)
                sides = _joined(" / ", *shown)
            return words["sides"].said.filled(sides=sides, bound=bound)
        if clause.is_ban:
            return _BANS[clause.severity].filled(cards=cards)
        if clause.per is not None:
            return words["per"].said.filled(cards=cards, bound=bound)
        if clause.summed:
            attribute = self._attribute(clause.counted)
            return words["count"].said.filled(attribute=attribute, cards=cards, bound=bound)
        if clause.counted != "names":
            return _("{cards}: {bound}", cards=cards, bound=bound)
        if clause.having is None:
            return _("different names of {cards}: {bound}", cards=cards, bound=bound)
        low = _number(clause.having.low, "copies")
        if clause.having.high is None:
            span = _("{low} or more", low=low)
        else:
            span = _("{low} to {high}", low=low, high=_number(clause.having.high, "copies"))
        return words["having"].said.filled(copies=span, cards=cards, bound=bound)

    def _selected(self, selection: Selection, *, held: bool = False) -> Words:
        """The cards, or with `held` that there is one."""
        zones, where = self._zones(selection.zones), selection.where
        if where is None:
            return (
                _("there is a card in {zones}", zones=zones) if held else _("cards in {zones}", zones=zones)
            )
        condition = self._condition(where)
        if held:
            return _("there is a card in {zones} where {condition}", zones=zones, condition=condition)
        return self._rule_words["where"].said.filled(zones=zones, condition=condition)

    def _bounds(self, clause: Clause) -> Words:
        unit = "sum" if clause.summed else clause.counted
        if clause.one_of is not None:
            return _any_of(_number(number, unit) for number in clause.one_of)
        ends = {"exactly": clause.low} if clause.exact else {"at_least": clause.low, "at_most": clause.high}
        return series(
            (
                self._rule_words[word].said.filled(number=self._bound(end, unit))
                for word, end in ends.items()
                if end is not None
            ),
            p_("bounds", " and "),
        )

    def _bound(self, bound: Bound, unit: str) -> Value:
        if not isinstance(bound, Growing):
            return _number(bound, unit)
        base, plus = _number(bound.base, unit), _number(bound.plus, unit)
        cards = self._selected(bound.copies_of)
        return _("{base} (+{plus} for each copy of {cards})", base=base, plus=plus, cards=cards)

    def _zone(self, zone: str) -> Value:
        if zone in self._format.zones:
            return self._format.zones[zone]
        return self._game.zones[zone].name if zone in self._game.zones else zone

    def _zones(self, zones: Sequence[str] | None) -> Words:
        if zones is None or (len(zones) > 1 and set(zones) == set(self._format.zones)):
            return _("the whole deck")
        return series(map(self._zone, zones), p_("zones", " and "))

    def _attribute(self, attribute: str) -> Words:
        return self._game.attributes[attribute].name

    def _value(self, attribute: str, value: str | float) -> Value:
        if not isinstance(value, str):
            return _plain(value)
        return (self._game.attributes[attribute].names or {}).get(value, value)

    def _condition(self, predicate: Predicate) -> Words:
        """What is true of the cards that the predicate means."""
        word = self._condition_words.get(predicate.tag)
        said = Message("") if word is None else word.said
        match predicate:
            case model.All(parts) | model.AnyOf(parts):
                # What could be misread goes in brackets.
                inner = ((part.tag in ("all", "any"), self._condition(part)) for part in parts)
                return series(
                    (_("({condition})", condition=words) if deep else words for deep, words in inner), said
                )
            case model.Not(part) | model.AnyPart(part):
                return said.filled(condition=self._condition(part))
            case model.Has(attribute, wanted) if model.EACH in wanted:
                return _("it has that {attribute}", attribute=self._attribute(attribute))
            case model.Has(attribute, wanted):
                values = _any_of(self._value(attribute, value) for value in sorted(wanted))
                return _("{attribute} is {values}", attribute=self._attribute(attribute), values=values)
            case model.Containing(attribute, text):
                return said.filled(attribute=self._attribute(attribute), text=text)
            case model.Outside(attribute, zone) | model.Naming(attribute, zone):
                return said.filled(attribute=self._attribute(attribute), zone=self._zone(zone))
            case model.Between(attribute, least, most) | model.Rank(attribute, _, least, most):
                name = self._attribute(attribute)
                low, high = (_plain(end) if isinstance(end, int | float) else end for end in (least, most))
                if low is not None and high is not None:
                    return _("{attribute} is from {low} to {high}", attribute=name, low=low, high=high)
                key, end = ("at_most", high) if low is None else ("at_least", low)
                return self._condition_words[key].said.filled(attribute=name, value=end)
            case model.Home(zones):
                homes = (_("“{zone}”", zone=self._zone(zone)) for zone in sorted(zones))
                return _("it belongs in {zones}", zones=_any_of(homes))
            case model.Named(cards):
                named = [p_("name of a card", "{name}", name=name) for name in sorted(cards)]
                return said.filled(cards=shortened(named, MOST_CARDS, p_("cards", ", ")))
            case model.HasStatus(statuses):
                names = (self._game.statuses[status] for status in sorted(statuses))
                return said.filled(statuses=_any_of(names))
            case model.NoOtherCard(same, where):
                return said.filled(attribute=self._attribute(same), condition=self._condition(where))


def _joined(separator: str, *items: Value) -> Words:
    """The items with a separator that both languages share."""
    return series(items, Message(separator, japanese=separator))


def _any_of(items: Iterable[Value]) -> Words:
    return series(items, p_("one of these", " or "))


def _number(number: int, unit: str) -> Value:
    """A number, in Japanese with what is counted behind it."""
    units = {
        "copies": p_("copies", "{n}", n=number),
        "names": p_("names", "{n}", n=number),
        "sides": p_("sides", "{n}", n=number),
    }
    return units.get(unit, number)


def _plain(number: float) -> str:
    return f"{number:.0f}" if number % 1 == 0 else f"{number:g}"
