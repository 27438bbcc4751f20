"""How a judge would say it: the sentence of a finding, in both languages."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from deckcheck.model.banlist import CardStatus
from deckcheck.model.card import Card
from deckcheck.model.game import Game
from deckcheck.model.rule import Clause
from deckcheck.rules.bounds import Interval, Limits
from deckcheck.rules.counting import is_ban
from deckcheck.rules.evaluate import Outcome
from deckcheck.support.messages import AND, Localized, Words, _, series
from deckcheck.support.text import Text


class Wording(NamedTuple):
    """What sentences are made with: the game's and the format's names for things.

    `played` are the format's zones, `zones` all that the game has, too.
    `called` are names of cards for which a list has others, see `called_in`.
    """

    game: Game
    played: Mapping[str, Words]
    zones: Mapping[str, Words]
    standings: Mapping[str, CardStatus]
    called: Mapping[Card, str] = MappingProxyType({})

    def card(self, card: Card) -> str:
        """What people who look at the list call the card."""
        return self.called.get(card, card.name)


def sentence(outcome: Outcome, words: Wording) -> Words:
    """The message of a finding."""
    if outcome.state == "undecided":
        return _undecided(outcome, words)
    clause = outcome.clause
    if clause.message is not None:
        return _filled(clause.message, outcome, words)
    standing = words.standings.get(outcome.subject.name) if outcome.subject is not None else None
    if outcome.subject is not None and (is_ban(clause) or clause.per == "name"):
        return _one_card(outcome, outcome.subject, standing, words)
    return _counted(outcome, words)


def _filled(template: Words, outcome: Outcome, words: Wording) -> Words:
    return Localized(
        template.ja.format(**_fields(outcome, words, "ja")),
        template.en.format(**_fields(outcome, words, "en")),
    )


def _fields(outcome: Outcome, words: Wording, lang: str) -> dict[str, str]:
    unit = _unit(outcome.clause)
    cards = outcome.cards if outcome.subject is None else (outcome.subject,)
    return {
        "card": card_names([words.card(card) for card in cards]).in_(lang),
        "found": number(outcome.found),
        "allowed": allowed_words(outcome.limits, unit).in_(lang),
        "zone": zone_names(outcome.clause.selection.zones, words).in_(lang),
        "each": value_name(outcome, words).in_(lang),
    }


def _one_card(outcome: Outcome, card: Card, standing: CardStatus | None, words: Wording) -> Words:
    clause, name = outcome.clause, words.card(card)
    if is_ban(clause):
        if standing is not None:
            status = words.game.statuses[standing.status].name
            title = standing.banlist.name
            return _(
                "{name} is {status} ({title}, since {since})",
                name=name,
                status=status,
                title=title,
                since=standing.since,
            )
        return _("{name} may not be played", name=name)
    allowed = allowed_words(outcome.limits, _unit(clause))
    found = number(outcome.found)
    where = "" if standing is None else f"{words.game.statuses[standing.status].name.ja}の"
    kind = "" if standing is None else f" ({words.game.statuses[standing.status].name.en})"
    return Text(
        f"{where}《{name}》が{found}枚あります（{allowed.ja}）",
        f"{found} copies of {name}{kind}; {allowed.en} allowed",
    )


def _counted(outcome: Outcome, words: Wording) -> Words:
    clause = outcome.clause
    zone = zone_names(clause.selection.zones, words)
    unit = _unit(clause)
    allowed = allowed_words(outcome.limits, unit)
    found = number(outcome.found)
    each = value_name(outcome, words)
    prefix = Text(f"{each.ja}: " if each.ja else "", f"{each.en}: " if each.en else "")
    thing = {"copies": "cards", "names": "names"}.get(clause.counted, "in all")
    return Text(
        f"{prefix.ja}{zone.ja}が{found}{unit}です（{allowed.ja}）",
        f"{prefix.en}{zone.en}: {found} {thing}; {allowed.en} needed"
        if outcome.limits.high is None or outcome.limits.exact
        else f"{prefix.en}{zone.en}: {found} {thing}; {allowed.en} allowed",
    )


def _undecided(outcome: Outcome, words: Wording) -> Words:
    if not outcome.open_facts:
        return _("nobody can tell whether this holds")
    parts_ja, parts_en = [], []
    for card, facts in outcome.open_facts[:3]:
        names, called = [words.game.attributes[fact].name for fact in sorted(facts)], words.card(card)
        parts_ja.append(f"《{called}》の{'・'.join(name.ja for name in names)}が不明")
        verb = "is" if len(names) == 1 else "are"
        parts_en.append(f"the {' and the '.join(name.en for name in names)} of {called} {verb} unknown")
    more = len(outcome.open_facts) - 3
    message = Text(
        "、".join(parts_ja) + (f"、ほか{more}枚" if more > 0 else ""),
        ", ".join(parts_en) + (f", and {more} more" if more > 0 else ""),
    )
    return _("undecided: {message}", message=message)


def card_names(cards: Sequence[str], most: int = 4) -> Words:
    """Some cards' names in a row, no more than `most` of them."""
    names, more = cards[:most], len(cards) - most
    return Text(
        "".join(f"《{name}》" for name in names) + (f"ほか{more}枚" if more > 0 else ""),
        ", ".join(names) + (f" and {more} more" if more > 0 else ""),
    )


def zone_names(zones: tuple[str, ...] | None, words: Wording) -> Words:
    """The zones that a clause looks at, in words; all of them are "the deck"."""
    asked = tuple(words.played) if zones is None else zones
    if len(asked) > 1 and set(asked) == set(words.played):
        return _("the whole deck")
    known = [words.zones.get(zone, Localized(zone, zone)) for zone in asked]
    return series(known, AND)


def value_name(outcome: Outcome, words: Wording) -> Words:
    """The value that makes the group or is tried, in words; empty where there is none."""
    if outcome.label is None:
        return Localized("", "")
    clause = outcome.clause
    values = clause.for_each or clause.for_some
    attribute = words.game.attributes[values.attribute if values is not None else str(clause.per)]
    names = attribute.names or {}
    return names.get(outcome.label, Localized(outcome.label, outcome.label))


def number(found: Interval) -> str:
    """A count, or the interval that holds it."""
    if found.low == found.high:
        return _plain(found.low)
    return (
        f"{_plain(found.low)}-" if found.high == float("inf") else f"{_plain(found.low)}-{_plain(found.high)}"
    )


def _plain(value: float) -> str:
    if value in (float("inf"), float("-inf")):
        return "∞" if value > 0 else "-∞"
    return str(int(value)) if value == int(value) else str(value)


def _unit(clause: Clause) -> str:
    if clause.summed:
        return ""
    return {"copies": "枚", "names": "種類", "sides": "組"}[clause.counted]


def allowed_words(limits: Limits, unit: str) -> Words:
    """What a count may be, in words."""
    if limits.one_of is not None:
        listed = [str(one) for one in limits.one_of]
        return Localized("か".join(f"{one}{unit}" for one in listed), " or ".join(listed))
    if limits.exact and limits.low is not None:
        exact = number(limits.low)
        return Text(f"ちょうど{exact}{unit}", f"exactly {exact}")
    parts_ja, parts_en = [], []
    if limits.low is not None:
        parts_ja.append(f"{number(limits.low)}{unit}以上")
        parts_en.append(f"at least {number(limits.low)}")
    if limits.high is not None:
        none = limits.high == (0, 0)
        parts_ja.append("0枚" if none and unit == "枚" else f"{number(limits.high)}{unit}まで")
        parts_en.append("none" if none else f"at most {number(limits.high)}")
    return Text("、".join(parts_ja), " and ".join(parts_en))
