"""How a judge would say it: the sentence of a finding, in both languages."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from deckcheck.model.banlist import Standing
from deckcheck.model.card import Card
from deckcheck.model.game import Game
from deckcheck.model.rule import Clause
from deckcheck.rules.bounds import Interval, Limits
from deckcheck.rules.counting import is_ban
from deckcheck.rules.evaluate import Outcome
from deckcheck.support.text import Text


class Words(NamedTuple):
    """What sentences are made with: the game's and the format's names for things.

    `played` are the format's zones, `zones` all that the game has, too.
    `called` are names of cards for which a list has others, see `called_in`.
    """

    game: Game
    played: Mapping[str, Text]
    zones: Mapping[str, Text]
    standings: Mapping[str, Standing]
    called: Mapping[Card, str] = MappingProxyType({})

    def card(self, card: Card) -> str:
        """What people who look at the list call the card."""
        return self.called.get(card, card.name)


def sentence(outcome: Outcome, words: Words) -> Text:
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


def _filled(template: Text, outcome: Outcome, words: Words) -> Text:
    return Text(
        template.ja.format(**_fields(outcome, words, "ja")),
        template.en.format(**_fields(outcome, words, "en")),
    )


def _fields(outcome: Outcome, words: Words, lang: str) -> dict[str, str]:
    unit = _unit(outcome.clause)
    cards = outcome.cards if outcome.subject is None else (outcome.subject,)
    return {
        "card": card_names([words.card(card) for card in cards]).in_(lang),
        "found": number(outcome.found),
        "allowed": allowed_words(outcome.limits, unit).in_(lang),
        "zone": zone_names(outcome.clause.selection.zones, words).in_(lang),
        "each": value_name(outcome, words).in_(lang),
    }


def _one_card(outcome: Outcome, card: Card, standing: Standing | None, words: Words) -> Text:
    clause, name = outcome.clause, words.card(card)
    if is_ban(clause):
        if standing is not None:
            status = words.game.statuses[standing.status].name
            title = standing.banlist.name
            return Text(
                f"《{name}》は{status.ja}（{title.ja}、{standing.since}から）",
                f"{name} is {status.en} ({title.en}, since {standing.since})",
            )
        return Text(f"《{name}》は使えません", f"{name} may not be played")
    allowed = allowed_words(outcome.limits, _unit(clause))
    found = number(outcome.found)
    where = "" if standing is None else f"{words.game.statuses[standing.status].name.ja}の"
    kind = "" if standing is None else f" ({words.game.statuses[standing.status].name.en})"
    return Text(
        f"{where}《{name}》が{found}枚あります（{allowed.ja}）",
        f"{found} copies of {name}{kind}; {allowed.en} allowed",
    )


def _counted(outcome: Outcome, words: Words) -> Text:
    clause = outcome.clause
    zone = zone_names(clause.selection.zones, words)
    unit = _unit(clause)
    allowed = allowed_words(outcome.limits, unit)
    found = number(outcome.found)
    each = value_name(outcome, words)
    prefix_ja = f"{each.ja}: " if each.ja else ""
    prefix_en = f"{each.en}: " if each.en else ""
    thing = {"copies": "cards", "names": "names"}.get(clause.counted, "in all")
    return Text(
        f"{prefix_ja}{zone.ja}が{found}{unit}です（{allowed.ja}）",
        f"{prefix_en}{zone.en}: {found} {thing}; {allowed.en} needed"
        if outcome.limits.high is None or outcome.limits.exact
        else f"{prefix_en}{zone.en}: {found} {thing}; {allowed.en} allowed",
    )


def _undecided(outcome: Outcome, words: Words) -> Text:
    if not outcome.open_facts:
        return Text("条件を満たすか判定できません", "nobody can tell whether this holds")
    parts_ja, parts_en = [], []
    for card, facts in outcome.open_facts[:3]:
        names, called = [words.game.attributes[fact].name for fact in sorted(facts)], words.card(card)
        parts_ja.append(f"《{called}》の{'・'.join(name.ja for name in names)}が不明")
        verb = "is" if len(names) == 1 else "are"
        parts_en.append(f"the {' and the '.join(name.en for name in names)} of {called} {verb} unknown")
    more = len(outcome.open_facts) - 3
    ja = "、".join(parts_ja) + (f"、ほか{more}枚" if more > 0 else "")
    en = ", ".join(parts_en) + (f", and {more} more" if more > 0 else "")
    return Text(f"判定できません: {ja}", f"undecided: {en}")


def card_names(cards: Sequence[str], most: int = 4) -> Text:
    """Some cards' names in a row, no more than `most` of them."""
    names, more = cards[:most], len(cards) - most
    ja = "".join(f"《{name}》" for name in names) + (f"ほか{more}枚" if more > 0 else "")
    en = ", ".join(names) + (f" and {more} more" if more > 0 else "")
    return Text(ja, en)


def zone_names(zones: tuple[str, ...] | None, words: Words) -> Text:
    """The zones that a clause looks at, in words; all of them are "the deck"."""
    asked = tuple(words.played) if zones is None else zones
    if len(asked) > 1 and set(asked) == set(words.played):
        return Text("デッキ全体", "the whole deck")
    known = [words.zones.get(zone, Text(zone, zone)) for zone in asked]
    return Text("と".join(name.ja for name in known), " and ".join(name.en for name in known))


def value_name(outcome: Outcome, words: Words) -> Text:
    """The value that makes the group or is tried, in words; empty where there is none."""
    if outcome.label is None:
        return Text("", "")
    clause = outcome.clause
    values = clause.for_each or clause.for_some
    attribute = words.game.attributes[values.attribute if values is not None else str(clause.per)]
    names = attribute.names or {}
    return names.get(outcome.label, Text(outcome.label, outcome.label))


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


def allowed_words(limits: Limits, unit: str) -> Text:
    """What a count may be, in words."""
    if limits.one_of is not None:
        listed = [str(one) for one in limits.one_of]
        return Text("か".join(f"{one}{unit}" for one in listed), " or ".join(listed))
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
