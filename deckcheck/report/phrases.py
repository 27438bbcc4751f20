"""Predicates as conditions in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from deckcheck.model.game import Game
from deckcheck.model.predicate import (
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
from deckcheck.support.text import Text


@dataclass(frozen=True, slots=True)
class Names:
    """What things are called in one language; `played` are the zones of the format at hand."""

    game: Game
    played: Mapping[str, Text]
    lang: str

    def say(self, ja: str, en: str) -> str:
        """The one of two wordings that fits the language."""
        return ja if self.lang == "ja" else en

    def zone(self, zone: str) -> str:
        """A zone's name."""
        known = self.played.get(zone)
        if known is None and zone in self.game.zones:
            known = self.game.zones[zone].name
        return zone if known is None else known.in_(self.lang)

    def zones(self, zones: tuple[str, ...] | None) -> str:
        """Some zones; None is the whole deck."""
        if zones is None or (len(zones) > 1 and set(zones) == set(self.played)):
            return self.say("デッキ全体", "the whole deck")
        return self.say("と", " and ").join(map(self.zone, zones))

    def attribute(self, attribute: str) -> str:
        """An attribute's name."""
        return self.game.attributes[attribute].name.in_(self.lang)

    def value(self, attribute: str, value: str) -> str:
        """A value's name."""
        names = self.game.attributes[attribute].names or {}
        return names.get(value, Text(value, value)).in_(self.lang)

    def listed(self, words: Sequence[str]) -> str:
        """Words in a row."""
        return self.say("、", ", ").join(words)

    def joined(self, words: Sequence[str]) -> list[str]:
        """Words in a row, or nothing at all where there are none."""
        return [self.listed(words)] if words else []

    def cards(self, cards: Sequence[str], most: int = 3) -> str:
        """Some cards' names, no more than `most` of them."""
        shown = [self.say(f"《{card}》", card) for card in cards[:most]]
        more = len(cards) - most
        rest = self.say(f"ほか{more}枚", f" and {more} more") if more > 0 else ""
        return self.say("", ", ").join(shown) + rest

    def either(self, words: Sequence[str]) -> str:
        """One of several words."""
        return self.say("か", " or ").join(words)


def condition(predicate: Predicate, names: Names) -> str:
    """What is true of the cards that the predicate means."""
    say = names.say
    match predicate:
        case All(parts):
            return say(" かつ ", " and ").join(_inner(part, names) for part in parts)
        case AnyOf(parts) if (numbers := _numbers(parts)) is not None:
            of, attribute = names.either([_number(one) for one in numbers[1]]), names.attribute(numbers[0])
            return say(f"{attribute}が{of}", f"{attribute} is {of}")
        case AnyOf(parts):
            return say(" または ", " or ").join(_inner(part, names) for part in parts)
        case Not(part):
            return say(f"「{condition(part, names)}」でない", f"not ({condition(part, names)})")
        case Has(attribute, values):
            listed = names.either([names.value(attribute, value) for value in sorted(values)])
            return say(f"{names.attribute(attribute)}が{listed}", f"{names.attribute(attribute)} is {listed}")
        case HasEach(attribute):
            return say(f"その{names.attribute(attribute)}を持つ", f"it has that {names.attribute(attribute)}")
        case Containing(attribute, text):
            of = names.attribute(attribute)
            return say(f"{of}に「{text}」を含む", f"{of} contains “{text}”")
        case Outside(attribute, zone):
            of, held = names.attribute(attribute), names.zone(zone)
            return say(f"「{held}」にない{of}を持つ", f"it has a {of} that none has in “{held}”")
        case Naming(attribute, zone):
            of, held = names.attribute(attribute), names.zone(zone)
            return say(f"{of}が「{held}」にある", f"its {of} stands in “{held}”")
        case Between(attribute, low, high):
            return _between(names.attribute(attribute), low, high, names)
        case Rank(attribute, _, lowest, highest):
            return _ranked(names.attribute(attribute), lowest, highest, names)
        case Home(zones):
            held = names.either(
                [
                    f"「{names.zone(zone)}」" if names.lang == "ja" else f"“{names.zone(zone)}”"
                    for zone in sorted(zones)
                ]
            )
            return say(f"{held}に置く", f"it belongs in {held}")
        case Named(cards):
            listed = names.cards(sorted(cards))
            return say(listed, f"it is {listed}")
        case HasStatus(statuses):
            listed = names.either([names.game.statuses[one].name.in_(names.lang) for one in sorted(statuses)])
            return say(f"{listed}", f"it is listed as {listed}")
        case AnyPart(part):
            return say(f"どれかの面が「{condition(part, names)}」", f"of one half: {_inner(part, names)}")
        case NoOtherCard(same, where):
            of, which = names.attribute(same), condition(where, names)
            return say(
                f"{of}がまったく同じで「{which}」のカードがほかにない",
                f"no other card has the very same {of} and is such that ({which})",
            )


def _inner(predicate: Predicate, names: Names) -> str:
    """A condition inside another, in brackets where the two could be misread."""
    said = condition(predicate, names)
    if isinstance(predicate, All | AnyOf):
        return names.say(f"（{said}）", f"({said})")
    return said


def _ranked(attribute: str, low: str | None, high: str | None, names: Names) -> str:
    if low is not None and high is not None:
        return names.say(f"{attribute}が{low}〜{high}", f"{attribute} is from {low} to {high}")
    if low is not None:
        return names.say(f"{attribute}が{low}以上", f"{attribute} is {low} or above")
    return names.say(f"{attribute}が{high}以下", f"{attribute} is {high} or below")


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
        return names.say(f"{attribute}が{span}", f"{attribute} is {span}")
    if low is not None:
        return names.say(f"{attribute}が{ends[0]}以上", f"{attribute} is {ends[0]} or more")
    return names.say(f"{attribute}が{ends[0]}以下", f"{attribute} is {ends[0]} or less")
