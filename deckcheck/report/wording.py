"""Findings in words: labels, the message of a finding, the notes below it, and the meaning of our own findings."""

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from msgspec import Struct, convert

from deckcheck.formats.lookup import is_bundled
from deckcheck.model.banlist import Listing
from deckcheck.model.card import Card
from deckcheck.model.finding import Allowed, Finding, Report, State, Verdict
from deckcheck.model.format import (
    AllCopies,
    Clause,
    CopiesOfEach,
    DifferentNames,
    Format,
    Severity,
    Source,
    Sum,
    statuses_in,
)
from deckcheck.model.game import Game
from deckcheck.rules.clauses import Outcome
from deckcheck.rules.counting import INFINITY, Interval, Limits
from deckcheck.support.documents import load_yaml
from deckcheck.support.messages import (
    AND,
    OR,
    SEMICOLON,
    Localized,
    Message,
    Value,
    Words,
    _,
    card_name,
    localized,
    n_,
    p_,
    series,
    shortened,
)
from deckcheck.support.safe_text import safe

NONE_ALLOWED: Allowed = MappingProxyType({"at_most": 0})
"""The number that a rule allows of cards that may not be played."""


class Label(StrEnum):
    """The word before the message of a finding."""

    ERROR = "error"
    UNDECIDED = "undecided"
    WARNING = "warning"
    INFO = "info"


GRAVEST_FIRST = tuple(Label)

LABELS: Mapping[Label, Message] = {
    Label.ERROR: _("error"),
    Label.UNDECIDED: _("undecided"),
    Label.WARNING: _("warning"),
    Label.INFO: _("info"),
}

VERDICTS: Mapping[Verdict, Message] = {
    Verdict.LEGAL: _("legal"),
    Verdict.ILLEGAL: _("illegal"),
    Verdict.UNDECIDED: p_("verdict", "undecided"),
}


def label_of(finding: Finding, lenient: bool) -> Label:
    """The label before the message of a finding: its severity, or "undecided" ("warning" if `lenient`) for an open error."""
    if finding.severity == Severity.ERROR and finding.verdict == State.UNDECIDED:
        return Label.WARNING if lenient else Label.UNDECIDED
    return Label(finding.severity)


def gravest_first(findings: Iterable[Finding]) -> list[Finding]:
    """The findings, sorted by their labels."""
    return sorted(findings, key=lambda finding: GRAVEST_FIRST.index(label_of(finding, lenient=False)))


def status_name(status: str, game: Game) -> Words:
    """The name of a status; "free" if the game has none with that id."""
    return game.statuses.get(status) or _("free")


class Names(Struct, frozen=True):
    """The names that messages use.

    `zones` are all zones of the game. `written` are cards with other names in the list, see `findings.written_names`.
    """

    game: Game
    format: Format
    zones: Mapping[str, Words]
    statuses: Mapping[str, Listing]
    written: Mapping[Card, str] = MappingProxyType({})

    def card(self, card: Card) -> str:
        """The card's name for people who look at the list."""
        return self.written.get(card, card.name)

    def zone(self, zone: str) -> Words | str:
        """The zone's name; an unknown heading is its own name."""
        return self.zones.get(zone, zone)


Unit = Literal["cards", "names", "number"]

_COUNTS: Mapping[Unit, Message] = {
    "cards": n_("{found} card", "{found} cards", 0),
    "names": n_("{found} name", "{found} names", 0),
    "number": p_("number", "{found}"),
}
_COPIES = n_(
    "{found} copy of {card}; at most {allowed} allowed",
    "{found} copies of {card}; at most {allowed} allowed",
    0,
)
_COPIES_LISTED = n_(
    "{found} copy of {card} ({status}); at most {allowed} allowed",
    "{found} copies of {card} ({status}); at most {allowed} allowed",
    0,
)

_CARDS: Mapping[Unit, Message] = {
    "cards": p_("cards", "{found} {cards}"),
    "names": _("{found} different names among {cards}"),
}
_CARDS_ALLOWED = p_("counted", "{cards}; {allowed} allowed")
_CARDS_NEEDED = p_("counted", "{cards}; {allowed} needed")
_COUNTED = _("{subject}: {count}")
_ALLOWED = _("{subject}: {count}; {allowed} allowed")
_NEEDED = _("{subject}: {count}; {allowed} needed")

# Japanese counts each with its own word.
_AMOUNTS: Mapping[Unit, Message] = {
    "cards": p_("cards", "{allowed}"),
    "names": p_("names", "{allowed}"),
    "number": p_("number", "{allowed}"),
}
_LIMITS: Mapping[str, Message] = {
    "at_most": p_("limit", "at most {allowed}"),
    "at_least": p_("limit", "at least {allowed}"),
    "between": p_("limit", "at least {at_least} and at most {at_most}"),
    "exactly": p_("limit", "exactly {allowed}"),
    "one_of": p_("limit", "{allowed}"),
}


def allowed_by(limits: Limits) -> Allowed:
    """The bounds of a count for reports, the widest possible if they depend on unknown cards; empty for none."""
    if limits.one_of is not None:
        return {"one_of": limits.one_of}
    low = None if limits.low is None else finite(limits.low.low)
    # A bound that grows with unreadable lines is infinite.
    high = None if limits.high is None else finite(limits.high.high)
    if low is not None and low == high:
        return {"exactly": low}
    bounds = {"at_least": low, "at_most": high}
    return {key: bound for key, bound in bounds.items() if bound is not None}


def finite(bound: float) -> int | None:
    """The number; None for an infinite one."""
    return None if bound in (INFINITY, -INFINITY) else int(bound)


def sentence(outcome: Outcome, names: Names) -> Words:
    """The message of a finding."""
    if outcome.state == "undecided" and not _is_range(outcome):
        return _undecided(outcome, names)
    clause, card, allowed = outcome.clause, outcome.subject, allowed_by(outcome.limits)
    if clause.message is not None:
        said = clause.message
        return Message(said.en, _template_fields(outcome, allowed, names), japanese=said.ja)
    if (card is None and not outcome.name) or not (clause.is_ban or isinstance(clause.measure, CopiesOfEach)):
        zones, loop_value = zone_names(clause.selection.zones, names), value_name(outcome, names)
        measure, where = clause.measure, clause.selection.where
        is_of_cards = isinstance(measure, AllCopies | DifferentNames) and where is not None
        if is_of_cards and not loop_value:
            return _counted_cards(outcome, allowed, names)
        subject: Words = _("{each}: {zone}", each=loop_value, zone=zones) if loop_value else zones
        if isinstance(measure, Sum):
            attribute = names.game.attributes[measure.attribute].name
            if where is None or loop_value:
                subject = _("{zone}: total {attribute}", zone=subject, attribute=attribute)
            else:
                cards = _described_cards(clause, names, 2)
                subject = _(
                    "{zone}: total {attribute} of {cards}", zone=subject, attribute=attribute, cards=cards
                )
        elif clause.is_of_sides and outcome.cards:
            cards = card_names([names.card(card) for card in outcome.cards])
            subject = _("{zone}: combination of {cards}", zone=subject, cards=cards)
        return _counted(outcome, allowed, subject)
    name = outcome.name if card is None else names.card(card)
    if clause.is_ban:
        cited = cited_listing(outcome, names)
        if cited is None:
            return _("{card} may not be played", card=name)
        return _(
            "{card} is {status} ({list}, since {since})",
            card=name,
            status=names.game.statuses[cited.status],
            list=cited.banlist.name,
            since=cited.since,
        )
    listed = None if card is None else names.statuses.get(card.name)
    status = None if listed is None else names.game.statuses[listed.status]
    if allowed.keys() == {"at_most"} and _unit(clause) == "cards":
        copies = _COPIES if status is None else _COPIES_LISTED
        fields = {"card": name} if status is None else {"card": name, "status": status}
        return copies.filled(**_count_fields(outcome), **fields, **_bound_fields(allowed))
    subject = card_name(name)
    if status is not None:
        subject = _("{card} ({status})", card=name, status=status)
    return _counted(outcome, allowed, subject)


def _described_cards(clause: Clause, names: Names, number: int) -> Words:
    """The cards that a clause counts, in words; a deck that keeps all rules needs none."""
    from deckcheck.formats.description import described_cards

    return described_cards(names.format, names.game, clause.selection.where, number)


def _counted_cards(outcome: Outcome, allowed: Allowed, names: Names) -> Message:
    """The message of a count of cards that meet a condition, with that condition."""
    clause = outcome.clause
    unit, fields = _unit(clause), _count_fields(outcome)
    cards = _described_cards(clause, names, 1 if fields["n"] == 1 else 2)
    counted = _CARDS[unit].filled(cards=cards, found=fields["found"])
    if clause.selection.zones is not None:
        counted = _("{zone}: {cards}", zone=zone_names(clause.selection.zones, names), cards=counted)
    if not allowed:
        return p_("counted", "{cards}", cards=counted)
    message = _CARDS_ALLOWED if "at_most" in allowed else _CARDS_NEEDED
    return message.filled(
        cards=counted, allowed=_limits(unit, allowed), found=fields["found"], **_numbers(allowed)
    )


def cited_listing(outcome: Outcome, names: Names) -> Listing | None:
    """The entry of a banlist that a finding cites: of its card or combination, if the rule is about such a status."""
    card = outcome.subject
    listed = None if card is None else names.statuses.get(card.name)
    is_meant = listed is not None and listed.status in statuses_in(outcome.clause.selection.where)
    return listed if is_meant else outcome.listed


def _counted(outcome: Outcome, allowed: Allowed, subject: Words | str) -> Message:
    unit, counted = _unit(outcome.clause), number(outcome.number)
    count = _COUNTS[unit].filled(**_count_fields(outcome))
    limits = _limits(unit, allowed) if allowed else None
    message = _ALLOWED if "at_most" in allowed else _NEEDED if allowed else _COUNTED
    return message.filled(subject=subject, count=count, allowed=limits, found=counted, **_numbers(allowed))


def _count_fields(outcome: Outcome) -> dict[str, Value]:
    counted = number(outcome.number)
    return {"n": counted if isinstance(counted, int) else 2, "found": counted}


def _limits(unit: Unit, allowed: Allowed) -> Message:
    """The bounds in words, such as "at most 4"."""
    if unit == "cards" and allowed == {"at_most": 0}:
        return p_("cards", "none")
    amounts = {key: _AMOUNTS[unit].filled(allowed=bound) for key, bound in _bound_fields(allowed).items()}
    return _LIMITS["between" if len(allowed) > 1 else next(iter(allowed))].filled(**amounts)


def _template_fields(outcome: Outcome, allowed: Allowed, names: Names) -> tuple[tuple[str, Value], ...]:
    clause = outcome.clause
    cards = outcome.cards if outcome.subject is None else (outcome.subject,)
    written = [outcome.name] if outcome.name else [names.card(card) for card in cards]
    return (
        ("card", card_names(written)),
        ("found", number(outcome.number)),
        ("allowed", _limits(_unit(clause), allowed) if allowed else ""),
        ("zone", zone_names(clause.selection.zones, names)),
        ("each", value_name(outcome, names)),
    )


def _unit(clause: Clause) -> Unit:
    if isinstance(clause.measure, Sum) or clause.is_of_sides:
        return "number"
    return "names" if isinstance(clause.measure, DifferentNames) else "cards"


def _bound_fields(allowed: Allowed) -> dict[str, Value]:
    """The bounds, by their names in messages."""
    if len(allowed) == 1:
        [bound] = allowed.values()
        return {"allowed": series(bound, OR) if isinstance(bound, tuple) else bound}
    return _numbers(allowed)


def _numbers(allowed: Allowed) -> dict[str, Value]:
    """The bounds that are numbers, for programs with their own wording."""
    return {key: bound for key, bound in allowed.items() if isinstance(bound, int)}


def _is_range(outcome: Outcome) -> bool:
    """Whether only the copies of one card are unclear, so that the sentence about too many of them says what is."""
    counted, clause, cap = outcome.number, outcome.clause, outcome.limits.high
    depends = clause.when or clause.loop or clause.either or outcome.open_facts
    if outcome.subject is None or depends or cap is None or outcome.limits.low is not None:
        return False
    return counted.low <= cap.low == cap.high < counted.high < INFINITY


def _undecided(outcome: Outcome, names: Names) -> Message:
    if not outcome.open_facts:
        return _("can't tell whether this rule is kept")
    attributes = names.game.attributes
    facts = [
        (series([attributes[id].name for id in sorted(fact.attributes)], AND), names.card(fact.card))
        for fact in outcome.open_facts[:3]
    ]
    if len(outcome.open_facts) == 1:
        return n_(
            "undecided: the {facts} of {card} is unknown",
            "undecided: the {facts} of {card} are unknown",
            len(outcome.open_facts[0].attributes),
            facts=facts[0][0],
            card=facts[0][1],
        )
    unknown = [_("the {facts} of {card}", facts=about, card=card) for about, card in facts]
    more = len(outcome.open_facts) - len(facts)
    if more:
        return n_(
            "undecided: {facts} and {more} more card are unknown",
            "undecided: {facts} and {more} more cards are unknown",
            more,
            facts=series(unknown),
            more=more,
        )
    return _("undecided: {facts} and {last} are unknown", facts=series(unknown[:-1]), last=unknown[-1])


def card_names(cards: Sequence[str]) -> Words:
    """The names of at most the first four cards, as one value."""
    return shortened(list(map(card_name, cards)))


def zone_names(zones: tuple[str, ...] | None, names: Names) -> Words:
    """The zones that a clause looks at, in words; all of them are "the deck"."""
    looked_at = tuple(names.format.zones) if zones is None else zones
    if len(looked_at) > 1 and set(looked_at) == set(names.format.zones):
        return _("the whole deck")
    return series(map(names.zone, looked_at), AND)


def value_name(outcome: Outcome, names: Names) -> Words | str:
    """The value of a group or loop, in words; empty if there is none."""
    if outcome.label is None:
        return ""
    loop = outcome.clause.loop
    assert loop is not None
    return names.game.attributes[loop.attribute].value_name(outcome.label)


def number(count: Interval) -> Value:
    """A count, or the interval that contains it, in words."""
    low, high = _plain(count.low), _plain(count.high)
    if count.low == count.high:
        return low
    return (
        p_("number", "at least {low}", low=low)
        if count.high == INFINITY
        else _("{low}–{high}", low=low, high=high)
    )


def _plain(value: float) -> int | str:
    if value in (INFINITY, -INFINITY):
        return "∞" if value > 0 else "-∞"
    return int(value) if value == int(value) else str(value)


def message_lines(finding: Finding, report: Report, lang: str) -> list[str]:
    """The message of a finding, not yet safe to show, and its notes."""
    return [finding.message.in_(lang), *notes(finding, report, lang)]


def notes(finding: Finding, report: Report, lang: str) -> list[str]:
    """Lines below a finding, safe to show: the count, the line of the rule, related lines, the hint."""
    lines: list[Words | None] = [_count_note(finding, lang)]
    if finding.source is not None:
        lines.append(source_note(finding.cite, report.title, finding.source))
    lines += [
        _("{note}: {place}", note=related.message, place=f"{related.path}:{related.line}")
        for related in finding.related
        if not is_bundled(related.path)
    ]
    return [safe(line.in_(lang)) for line in (*lines, finding.hint) if line is not None]


def hint_of(finding: Finding) -> Words | None:
    """What to do, in one line: the hints on single cards, then that of the finding."""
    hints: list[Words] = [
        _("{card}: {hint}", card=part.cards[0].name, hint=part.hint)
        for part in finding.parts
        if part.hint is not None and part.hint != finding.hint
    ]
    if finding.hint is not None:
        hints.append(finding.hint)
    return series(hints, SEMICOLON) if hints else None


def source_note(cite: Words | None, title: str | None, source: Source) -> Words | None:
    """The rule text and its section, as far as they are known, and the line of the rule if it is in the user's own file."""
    if cite is None:
        authority: Words | None = localized(title) if title else None
    elif title is None:
        authority = p_("section", "{section}", section=cite)
    else:
        authority = _("{title}, {section}", title=title, section=cite)
    if is_bundled(source.path):
        return authority
    place = source.place
    return _("{authority} ({place})", authority=authority, place=place) if authority else localized(place)


def _count_note(finding: Finding, lang: str) -> Message | None:
    """The count and its bounds, unless the message has all of these numbers."""
    counted, allowed = finding.found, finding.allowed
    # The bound of an info isn't one of the deck: it only says when to report.
    if (
        counted is None
        or not allowed
        or finding.severity == "info"
        or (allowed == NONE_ALLOWED and finding.cards)
    ):
        return None
    repeated = {int(number) for number in re.findall(r"\d+", finding.message.in_(lang))}
    numbers: set[int | None] = set()
    for value in (counted, *allowed.values()):
        numbers |= {value} if isinstance(value, int) else set(value)
    if numbers - {None} <= repeated:
        return None
    low, high = (counted, counted) if isinstance(counted, int) else counted
    count = number(Interval(low, INFINITY if high is None else high))
    return _("found {found}, {allowed}", found=count, allowed=_limits("number", allowed))


class Explanation(Struct, frozen=True):
    """An explanation of deckcheck's own finding: what it means, why it is reported, how to fix it.

    Two lists show it, the second one corrected; "" where a list alone can't show it.
    """

    meaning: Localized
    reason: Localized
    remedy: Localized
    example: str = ""
    corrected: str = ""


@cache
def engine_guide() -> Mapping[str, Explanation]:
    """The findings that deckcheck itself makes, by id."""
    guide = load_yaml(Path(__file__).parents[1] / "data" / "findings.yaml").data
    return convert(guide, dict[str, Explanation])
