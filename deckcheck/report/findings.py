"""The findings of a deck: those of broken rules, and what the engine itself has to tell of a list."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from deckcheck.model.banlist import Banlist, CardStatus
from deckcheck.model.card import Card, Catalog
from deckcheck.model.deck import Deck, Diagnostic, Entry
from deckcheck.model.finding import (
    INFOS,
    PARTIAL,
    UNDECIDED,
    WARNINGS,
    CardAt,
    Finding,
    ListUsed,
    Number,
    Related,
)
from deckcheck.model.format import Clause, SetAside, Severity, Source, statuses_in
from deckcheck.report.wording import INFINITY, Names, allowed_by, sentence
from deckcheck.rules.counting import Interval
from deckcheck.rules.evaluator import Outcome
from deckcheck.support.messages import AND, OR, Message, Words, _, p_, series

IMPORT_WHOLE_LISTS = _("`deckcheck banlists import` imports whole lists")
"""What helps where a list holds only some of its entries."""

_MOST_OWN = 3
"""Whoever imported a whole card pool doesn't want a note for each card."""


def rule_finding(outcome: Outcome, deck: Deck, names: Names) -> Finding:
    """The finding that an outcome makes in this deck."""
    clause, limits = outcome.clause, outcome.limits
    entries = _entries_of(outcome.cards, clause.selection.zones, deck)
    # What keeps a rule open may stand outside of the zones that it counts in.
    entries = entries or _entries_of(outcome.cards, None, deck)
    # Too few cards are nowhere: pointing at those that are there would mislead.
    short = limits.low is not None and outcome.found.high < limits.low.low
    first = entries[0] if entries and not short else None
    source, related = _sources(outcome, names)
    return Finding(
        rule=outcome.rule.id,
        severity=clause.severity,
        verdict="violated" if outcome.state == "violated" else "undecided",
        message=sentence(outcome, names),
        line=None if first is None else first.line,
        column=None if first is None else first.column,
        zone=_zone_of(clause, {entry.zone for entry in entries}),
        cards=tuple(_card_at(entry) for entry in entries),
        found=_number(outcome.found),
        allowed=allowed_by(limits) or None,
        cite=outcome.rule.cite,
        source=source,
        related=related,
    )


def written_names(entries: Iterable[Entry], fold: Callable[[str], str]) -> dict[Card, str]:
    """Both names of each card that a list calls by another, by an alias in another language above all.

    A name that is only a part of the card's own isn't another.
    """
    found: dict[Card, str] = {}
    for entry in entries:
        card = entry.cards[0] if len(entry.cards) == 1 else None
        if card is None or card in found or entry.written == card.name:
            continue
        written, own = fold(entry.written), fold(card.name)
        if own in written:
            continue
        # As it is spelled in the card table: on the line it may stand in brackets.
        others = [*card.aliases, *(face.name for face in card.faces)]
        meant = [name for name in others if fold(name) in written and fold(name) not in own]
        if meant:
            found[card] = f"{max(meant, key=len)}/{card.name}"
    return found


def in_place_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings about the whole deck first, then down the list."""
    return tuple(sorted(findings, key=lambda finding: (finding.line or 0, finding.column or 0)))


def _entries_of(cards: tuple[Card, ...], zones: tuple[str, ...] | None, deck: Deck) -> list[Entry]:
    wanted = set(cards)
    return [
        entry
        for entry in deck.entries
        if entry.cards
        and all(card in wanted for card in entry.cards)
        and (zones is None or entry.zone in zones)
    ]


def _card_at(entry: Entry) -> CardAt:
    name = entry.cards[0].name if len(entry.cards) == 1 else entry.written
    return CardAt(name, entry.copies, entry.line, entry.column)


def _zone_of(clause: Clause, held: set[str]) -> str | None:
    zones = held if len(held) == 1 else clause.selection.zones or ()
    return next(iter(zones)) if len(zones) == 1 else None


def _sources(outcome: Outcome, names: Names) -> tuple[Source, tuple[Related, ...]]:
    """The line that says so: the banlist's where one speaks of the card, else the format's."""
    rule = outcome.rule.source
    if outcome.clause.line is not None:
        rule = rule._replace(line=outcome.clause.line)
    status = _status_asked_for(outcome, names)
    if status is not None:
        listed = Source(status.banlist.path, status.line)
    elif outcome.listed is not None:
        banlist, change = outcome.listed
        listed = Source(banlist.path, change.line)
    else:
        return rule, ()
    return listed, (Related(_("by this rule"), rule.path, rule.line),)


def _status_asked_for(outcome: Outcome, names: Names) -> CardStatus | None:
    """The status of the card that breaks the rule, where the rule is about that status."""
    status = None if outcome.subject is None else names.statuses.get(outcome.subject.name)
    wanted = statuses_in(outcome.clause.selection.where)
    return status if status is not None and status.status in wanted else None


def _number(found: Interval) -> Number | None:
    if found.low in (INFINITY, -INFINITY):
        # A sum over a card that prints infinity; the sentence says so.
        return None
    low = int(found.low)
    if found.low == found.high:
        return low
    return (low, None if found.high == INFINITY else int(found.high))


def engine_finding(
    rule: str, message: Words, entry: Entry | None = None, hint: Words | None = None
) -> Finding:
    """The finding that the engine itself makes, of the whole list or of one of its entries."""
    finding = Finding(
        rule,
        severity_of(rule),
        "undecided" if rule in UNDECIDED else "violated",
        message,
        hint=hint,
    )
    if entry is None:
        return finding
    return finding._replace(line=entry.line, column=entry.column, zone=entry.zone, cards=(_card_at(entry),))


def severity_of(engine_id: str) -> Severity:
    """How grave a finding with that id of the engine is."""
    return "warning" if engine_id in WARNINGS else "info" if engine_id in INFOS else "error"


def diagnostic_finding(diagnostic: Diagnostic) -> Finding:
    """The finding of something that the reader noticed."""
    finding = engine_finding(diagnostic.id, diagnostic.message)
    return finding._replace(line=diagnostic.line, column=diagnostic.column, zone=diagnostic.zone)


def uncertain_findings(deck: Deck, catalog: Catalog, most_suggested: int) -> Iterator[Finding]:
    """A finding for each entry that is not one certain card in a certain number.

    For so many names at most names like them are suggested.
    """
    near: dict[str, list[str]] = {}
    for entry in deck.entries:
        name = entry.written
        if len(entry.cards) > 1:
            cards = series(p_("card", "{card}", card=card.name) for card in entry.cards[:6])
            message = _("'{name}' may be any of {cards}", name=name, cards=cards)
            yield engine_finding("ambiguous-name", message, entry)
        elif not entry.cards:
            if name not in near and len(near) < most_suggested:
                near[name] = catalog.suggest(name)[:3]
            message = _("'{name}' is not in the card table", name=name)
            yield engine_finding("unknown-card", message, entry, suggestion(near.get(name, ())))
        elif entry.copies != entry.most:
            message = _(
                "the copies of '{name}' can be read as {copies} or as {most}",
                name=name,
                copies=entry.copies,
                most=entry.most,
            )
            yield engine_finding("ambiguous-name", message, entry)


def suggestion(names: Sequence[str]) -> Message | None:
    """The question whether one of these cards was meant; None for none."""
    if not names:
        return None
    cards = [p_("card", "{card}", card=name) for name in names]
    return _("did you mean {cards}?", cards=series(cards, OR))


def card_findings(deck: Deck, as_of: str) -> Iterator[Finding]:
    """What to tell of single cards on that day: facts from a file of the user's own, and those not yet out."""
    own: dict[str, dict[str, list[Entry]]] = {}
    for entry in deck.entries:
        card = entry.cards[0] if len(entry.cards) == 1 else None
        if card is None:
            continue
        if card.own is not None:
            own.setdefault(card.own.rpartition(":")[0], {}).setdefault(card.own, []).append(entry)
        if (card.released or "") > as_of:
            message = _(
                "{card} was not yet released on {day} (released {released})",
                card=card.name,
                day=as_of,
                released=card.released,
            )
            yield engine_finding("not-yet-released", message, entry)
    for file, cards in own.items():
        more = len(cards) - 1
        if more >= _MOST_OWN:
            entry = next(iter(cards.values()))[0]
            message = _(
                "{card} and {more} more cards are judged by {place}, not by the bundled facts",
                card=entry.cards[0].name,
                more=more,
                place=file,
            )
            yield engine_finding("own-facts", message, entry)
            continue
        for place, entries in cards.items():
            for entry in entries:
                card = entry.cards[0]
                message = _(
                    "{card} is judged by {place}, not by the bundled facts", card=card.name, place=place
                )
                yield engine_finding("own-facts", message, entry)


def unconfirmed_findings(deck: Deck, used: ListUsed) -> Iterator[Finding]:
    """A warning for each entry of a card for which the list knows a change without a day."""
    changes = {change.card: change.change for change in used.unapplied}
    for entry in deck.entries:
        change = changes.get(entry.cards[0].name) if len(entry.cards) == 1 else None
        if change is not None:
            message = _(
                "{card} was seen changed in the {list} on an unknown day ({change}); this is not applied",
                card=entry.cards[0].name,
                list=used.name,
                change=change,
            )
            yield engine_finding("unconfirmed-change", message, entry)


def partial_finding(banlists: Sequence[Banlist]) -> Finding | None:
    """That of these lists in use only some entries are known, so that no deck is surely legal; None for no lists."""
    if not banlists:
        return None
    lists = series(
        [
            _("the {list}", list=banlist.name)
            if banlist.partial
            else _("the {list} before {day}", list=banlist.name, day=banlist.complete_from)
            for banlist in banlists
        ],
        AND,
    )
    message = _(
        "only some entries of {lists} are known here, so whether this deck is legal can't be told",
        lists=lists,
    )
    # What stood on the days before it, no list of today tells.
    hint = IMPORT_WHOLE_LISTS if any(banlist.partial for banlist in banlists) else None
    return engine_finding(PARTIAL, message, hint=hint)


def coming_format_finding(name: Words, first: str, as_of: str) -> Finding:
    """The warning that the format itself was not yet out on the day of the check."""
    message = _(
        "{format} begins on {first}; there was no such format on {day}", format=name, first=first, day=as_of
    )
    return engine_finding("not-yet-released", message)


def foreign_zone_findings(deck: Deck, names: Names, refused: Collection[Card]) -> Iterator[Finding]:
    """A finding for each zone that the list has and the format has not.

    A zone whose cards are all refused by a rule has been told already.
    """
    unknown = {diagnostic.zone for diagnostic in deck.diagnostics if diagnostic.id == "unknown-zone"}
    held: dict[str, list[Entry]] = {}
    for entry in deck.entries:
        if entry.zone not in names.played and entry.zone not in unknown:
            held.setdefault(entry.zone, []).append(entry)
    for zone, entries in held.items():
        if not all(entry.cards and all(card in refused for card in entry.cards) for entry in entries):
            message = _("this format has no zone '{zone}'", zone=names.zone(zone))
            cards = tuple(_card_at(entry)._replace(name=entry.written) for entry in entries)
            yield engine_finding("unknown-zone", message, entries[0])._replace(cards=cards)


def set_aside(
    deck: Deck, kinds: Sequence[SetAside], catalog: Catalog
) -> tuple[tuple[Entry, ...], list[Finding]]:
    """The entries without what only lies beside the deck, and a hint for each of those."""
    by_name = {catalog.fold(name): kind for kind in kinds for name in kind.names}
    kept: list[Entry] = []
    findings = []
    for entry in deck.entries:
        kind = None if entry.cards else by_name.get(catalog.fold(entry.written))
        if kind is None:
            kept.append(entry)
        else:
            finding = engine_finding(kind.id, kind.message, entry)
            findings.append(finding._replace(severity="info", cite=kind.cite, source=kind.source))
    return tuple(kept), findings
