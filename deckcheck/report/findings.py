"""From what the evaluator says to findings with places in the list."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from deckcheck.model.banlist import CardStatus
from deckcheck.model.card import Card
from deckcheck.model.deck import Deck, Entry
from deckcheck.model.finding import CardAt, Finding, Number, Related
from deckcheck.model.predicate import statuses_in
from deckcheck.model.rule import Clause, Source
from deckcheck.report.wording import Wording, sentence
from deckcheck.rules.bounds import Interval, Limits
from deckcheck.rules.evaluate import Outcome
from deckcheck.support.messages import _

INFINITY = float("inf")


def finding_of(outcome: Outcome, deck: Deck, words: Wording) -> Finding:
    """The finding that an outcome makes in this deck."""
    clause = outcome.clause
    entries = _entries(deck, outcome.cards, clause.selection.zones)
    # What keeps a rule open may stand outside of the zones that it counts in.
    entries = entries or _entries(deck, outcome.cards, None)
    # Too few cards are nowhere: pointing at those that are there would mislead.
    short = outcome.limits.low is not None and outcome.found.high < outcome.limits.low.low
    first = entries[0] if entries and not short else None
    zones = {entry.zone for entry in entries}
    source, related = _sources(outcome, words)
    return Finding(
        rule=outcome.rule.id,
        severity=clause.severity,
        verdict="violated" if outcome.state == "violated" else "undecided",
        message=sentence(outcome, words),
        line=None if first is None else first.line,
        column=None if first is None else first.column,
        zone=_zone(clause, zones),
        cards=tuple(CardAt(_name(entry), entry.copies, entry.line, entry.column) for entry in entries),
        found=_number(outcome.found),
        allowed=_allowed(outcome.limits),
        cite=outcome.rule.cite,
        source=source,
        related=related,
    )


def called_in(entries: Iterable[Entry], fold: Callable[[str], str]) -> dict[Card, str]:
    """Both names of each card that a list calls by another, by an alias in another language above all.

    A name that is only a part of the card's own isn't another.
    """
    called: dict[Card, str] = {}
    for entry in entries:
        card = entry.cards[0] if len(entry.cards) == 1 else None
        if card is None or card in called or entry.written == card.name:
            continue
        written, own = fold(entry.written), fold(card.name)
        if own in written:
            continue
        # As it is spelled in the card table: on the line it may stand in brackets.
        others = [*card.aliases, *(face.name for face in card.faces)]
        meant = [name for name in others if fold(name) in written and fold(name) not in own]
        if meant:
            called[card] = f"{max(meant, key=len)}/{card.name}"
    return called


def _name(entry: Entry) -> str:
    return entry.cards[0].name if len(entry.cards) == 1 else entry.written


def _entries(deck: Deck, cards: tuple[Card, ...], zones: tuple[str, ...] | None) -> list[Entry]:
    wanted = set(cards)
    return [
        entry
        for entry in deck.entries
        if entry.cards
        and all(card in wanted for card in entry.cards)
        and (zones is None or entry.zone in zones)
    ]


def _zone(clause: Clause, zones: set[str]) -> str | None:
    if len(zones) == 1:
        return next(iter(zones))
    asked = clause.selection.zones
    return asked[0] if asked is not None and len(asked) == 1 else None


def _sources(outcome: Outcome, words: Wording) -> tuple[Source, tuple[Related, ...]]:
    """The line that says so: the banlist's where one speaks of the card, else the format's."""
    rule = outcome.rule.source
    if outcome.clause.line is not None:
        rule = rule._replace(line=outcome.clause.line)
    standing = _asked_standing(outcome, words)
    if standing is not None:
        listed = Source(standing.banlist.path, standing.line)
    elif outcome.listed is not None:
        banlist, change = outcome.listed
        listed = Source(banlist.path, change.line)
    else:
        return rule, ()
    return listed, (Related(_("by this rule"), rule.path, rule.line),)


def _asked_standing(outcome: Outcome, words: Wording) -> CardStatus | None:
    if outcome.subject is None:
        return None
    standing = words.standings.get(outcome.subject.name)
    where = outcome.clause.selection.where
    return standing if standing is not None and standing.status in statuses_in(where) else None


def _number(found: Interval) -> Number | None:
    if found.low in (INFINITY, -INFINITY):
        # A sum over a card that prints infinity; the sentence says so.
        return None
    low = int(found.low)
    if found.low == found.high:
        return low
    return (low, None if found.high == INFINITY else int(found.high))


def _allowed(limits: Limits) -> dict[str, int | tuple[int, ...]] | None:
    if limits.one_of is not None:
        return {"one_of": limits.one_of}
    if limits.exact and limits.low is not None and limits.low.low > -INFINITY:
        return {"exactly": int(limits.low.low)}
    allowed: dict[str, int | tuple[int, ...]] = {}
    if limits.low is not None and limits.low.low > -INFINITY:
        allowed["at_least"] = int(limits.low.low)
    # A bound that grows with lines that can't be read has no end.
    if limits.high is not None and limits.high.high < INFINITY:
        allowed["at_most"] = int(limits.high.high)
    return allowed or None


def in_place_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings about the whole deck first, then down the list."""
    return tuple(sorted(findings, key=lambda one: (one.line or 0, one.column or 0)))
