"""Predicates as conditions in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from deckcheck.model.game import Game
from deckcheck.model.rule import (
    All,
    AnyOf,
    AnyPart,
    Between,
    Containing,
    Has,
    HasEach,
    HasStatus,
    Home,
    Named,
    Naming,
    NoOtherCard,
    Not,
    Outside,
    Predicate,
    Rank,
)
from deckcheck.support.messages import AND, COMMA, OR, Localized, Words, _
from deckcheck.support.text import Text


@dataclass(frozen=True, slots=True)
class Names:
    """What things are called in one language; `played` are the zones of the format at hand."""

    game: Game
    played: Mapping[str, Words]
    lang: str

    def say(self, message: Words) -> str:
        """The one of two wordings that fits the language."""
        return message.in_(self.lang)

    def zone(self, zone: str) -> str:
        """A zone's name."""
        known = self.played.get(zone)
        if known is None and zone in self.game.zones:
            known = self.game.zones[zone].name
        return zone if known is None else known.in_(self.lang)

    def zones(self, zones: tuple[str, ...] | None) -> str:
        """Some zones; None is the whole deck."""
        if zones is None or (len(zones) > 1 and set(zones) == set(self.played)):
            return self.say(_("the whole deck"))
        return self.say(AND).join(map(self.zone, zones))

    def attribute(self, attribute: str) -> str:
        """An attribute's name."""
        return self.game.attributes[attribute].name.in_(self.lang)

    def value(self, attribute: str, value: str) -> str:
        """A value's name."""
        names = self.game.attributes[attribute].names or {}
        return names.get(value, Localized(value, value)).in_(self.lang)

    def listed(self, words: Sequence[str]) -> str:
        """Words in a row."""
        return self.say(COMMA).join(words)

    def joined(self, words: Sequence[str]) -> list[str]:
        """Words in a row, or nothing at all where there are none."""
        return [self.listed(words)] if words else []

    def cards(self, cards: Sequence[str], most: int = 3) -> str:
        """Some cards' names, no more than `most` of them."""
        shown = [self.say(_("{card}", card=card)) for card in cards[:most]]
        more = len(cards) - most
        rest = self.say(_(" and {more} more", more=more)) if more > 0 else ""
        return self.say(Text("", ", ")).join(shown) + rest

    def either(self, words: Sequence[str]) -> str:
        """One of several words."""
        return self.say(OR).join(words)


def condition(predicate: Predicate, names: Names) -> str:
    """What is true of the cards that the predicate means."""
    say = names.say
    match predicate:
        case All(parts):
            return say(Text(" かつ ", " and ")).join(_inner(part, names) for part in parts)
        case AnyOf(parts) if (numbers := _numbers(parts)) is not None:
            of, attribute = names.either([_number(one) for one in numbers[1]]), names.attribute(numbers[0])
            return say(_("{attribute} is {of}", attribute=attribute, of=of))
        case AnyOf(parts):
            return say(Text(" または ", " or ")).join(_inner(part, names) for part in parts)
        case Not(part):
            return say(_("not ({part})", part=condition(part, names)))
        case Has(attribute, values):
            listed = names.either([names.value(attribute, value) for value in sorted(values)])
            return say(_("{attribute} is {listed}", attribute=names.attribute(attribute), listed=listed))
        case HasEach(attribute):
            return say(_("it has that {attribute}", attribute=names.attribute(attribute)))
        case Containing(attribute, text):
            of = names.attribute(attribute)
            return say(_("{of} contains “{text}”", of=of, text=text))
        case Outside(attribute, zone):
            of, held = names.attribute(attribute), names.zone(zone)
            return say(_("it has a {of} that none has in “{held}”", of=of, held=held))
        case Naming(attribute, zone):
            of, held = names.attribute(attribute), names.zone(zone)
            return say(_("its {of} stands in “{held}”", of=of, held=held))
        case Between(attribute, low, high):
            return _between(names.attribute(attribute), low, high, names)
        case Rank(attribute, _, lowest, highest):
            return _ranked(names.attribute(attribute), lowest, highest, names)
        case Home(zones):
            held = names.either(
                [_("“{zone}”", zone=names.zone(zone)).in_(names.lang) for zone in sorted(zones)]
            )
            return say(_("it belongs in {held}", held=held))
        case Named(cards):
            listed = names.cards(sorted(cards))
            return say(_("it is {listed}", listed=listed))
        case HasStatus(statuses):
            listed = names.either([names.game.statuses[one].name.in_(names.lang) for one in sorted(statuses)])
            return say(_("it is listed as {listed}", listed=listed))
        case AnyPart(part):
            return say(
                Text(f"どれかの面が「{condition(part, names)}」", f"of one half: {_inner(part, names)}")
            )
        case NoOtherCard(same, where):
            of, which = names.attribute(same), condition(where, names)
            return say(
                _("no other card has the very same {of} and is such that ({which})", of=of, which=which)
            )


def _inner(predicate: Predicate, names: Names) -> str:
    """A condition inside another, in brackets where the two could be misread."""
    said = condition(predicate, names)
    if isinstance(predicate, All | AnyOf):
        return names.say(_("({said})", said=said))
    return said


def _ranked(attribute: str, low: str | None, high: str | None, names: Names) -> str:
    if low is not None and high is not None:
        return names.say(_("{attribute} is from {low} to {high}", attribute=attribute, low=low, high=high))
    if low is not None:
        return names.say(_("{attribute} is {low} or above", attribute=attribute, low=low))
    return names.say(_("{attribute} is {high} or below", attribute=attribute, high=high))


def _numbers(parts: Sequence[Predicate]) -> tuple[str, list[float]] | None:
    """The attribute and its numbers, where nothing else is asked."""
    asked = [(one.attribute, one.low) for one in parts if isinstance(one, Between) and one.low == one.high]
    numbers = [low for _, low in asked if low is not None]
    if len(numbers) < len(parts) or len({attribute for attribute, _ in asked}) != 1:
        return None
    return asked[0][0], numbers


def _number(number: float) -> str:
    return f"{number:.0f}" if number % 1 == 0 else f"{number:g}"


def _between(attribute: str, low: float | None, high: float | None, names: Names) -> str:
    ends = [f"{end:g}" for end in (low, high) if end is not None]
    if low is not None and high is not None:
        span = ends[0] if low == high else "〜".join(ends)
        return names.say(_("{attribute} is {span}", attribute=attribute, span=span))
    if low is not None:
        return names.say(_("{attribute} is {end} or more", attribute=attribute, end=ends[0]))
    return names.say(_("{attribute} is {end} or less", attribute=attribute, end=ends[0]))
