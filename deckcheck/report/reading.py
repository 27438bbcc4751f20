"""What the engine itself has to tell of a list: names, lines and zones that it could not settle."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from deckcheck.model.banlist import Banlist
from deckcheck.model.card import Card, Catalog
from deckcheck.model.deck import Deck, Diagnostic, Entry
from deckcheck.model.finding import INFOS, PARTIAL, UNDECIDED, WARNINGS, CardAt, Finding, ListUsed
from deckcheck.model.format import SetAside
from deckcheck.model.rule import Severity
from deckcheck.support.messages import AND, Localized, Words, _, series
from deckcheck.support.text import Text

WHOLE_LISTS = _("`deckcheck banlists import` takes in whole lists")
"""What helps where a list holds only some of its entries."""


def of_diagnostic(diagnostic: Diagnostic) -> Finding:
    """The finding that a reader's remark makes."""
    return Finding(
        rule=diagnostic.id,
        severity=_severity(diagnostic.id),
        verdict="undecided" if diagnostic.id in UNDECIDED else "violated",
        message=diagnostic.message,
        line=diagnostic.line,
        column=diagnostic.column,
        zone=diagnostic.zone,
    )


def _severity(engine_id: str) -> Severity:
    return "warning" if engine_id in WARNINGS else "info" if engine_id in INFOS else "error"


def of_entry(entry: Entry, near: Sequence[str]) -> Finding:
    """The finding of an entry that is not one certain card; `near` are names like the one written."""
    name = entry.written
    hint = None
    if entry.cards:
        rule = "ambiguous-name"
        names = [card.name for card in entry.cards[:6]]
        sentence = Localized("、".join(f"《{one}》" for one in names), ", ".join(names))
        message = _("{name!r} may be any of {sentence}", name=name, sentence=sentence)
        if len(entry.cards) == 1:
            message = _(
                "the copies of {name!r} can be read as {copies} or as {most}",
                name=name,
                copies=entry.copies,
                most=entry.most,
            )
    else:
        rule = "unknown-card"
        message = _("{name!r} is not in the card table", name=name)
        if near:
            listed = "、".join(f"《{one}》" for one in near)
            hint = Text(f"もしかして: {listed}", f"did you mean {' or '.join(near)}?")
    return Finding(
        rule,
        "error",
        "undecided",
        message,
        entry.line,
        entry.column,
        entry.zone,
        (CardAt(name, entry.copies, entry.line, entry.column),),
        hint=hint,
    )


def of_own_facts(entry: Entry, source: str, more: int = 0) -> Finding:
    """The note that the user's own file speaks of a card, and of `more` others, in the stead of the bundled facts."""
    name = entry.cards[0].name
    message = _("{name} is", name=name)
    if more:
        source = source.rpartition(":")[0]
        message = _("{name} and {more} more cards are", name=name, more=more)
    return Finding(
        "own-facts",
        "info",
        "violated",
        _("{message} judged by {source}, not by the bundled facts", message=message, source=source),
        entry.line,
        entry.column,
        entry.zone,
        (CardAt(name, entry.copies, entry.line, entry.column),),
    )


def of_unreleased(entry: Entry, as_of: str) -> Finding:
    """The warning that a card was not yet out on the day of the check."""
    card = entry.cards[0]
    return Finding(
        "not-yet-released",
        "warning",
        "violated",
        _(
            "{card} was not yet released on {as_of} (released {released})",
            card=card.name,
            as_of=as_of,
            released=card.released,
        ),
        entry.line,
        entry.column,
        entry.zone,
        (CardAt(card.name, entry.copies, entry.line, entry.column),),
    )


def of_unconfirmed(entry: Entry, change: Words, banlist: Words) -> Finding:
    """The warning that a list was seen to speak otherwise of a card, on a day that nobody has told."""
    name = entry.cards[0].name
    return Finding(
        "unconfirmed-change",
        "warning",
        "violated",
        _(
            "{name} was seen changed in the {banlist} on an unknown day ({change}); this is not applied",
            name=name,
            banlist=banlist,
            change=change,
        ),
        entry.line,
        entry.column,
        entry.zone,
        (CardAt(name, entry.copies, entry.line, entry.column),),
    )


_MOST_OWN = 3
"""Who took a whole card pool in doesn't want a note for each card."""


def of_cards(deck: Deck, as_of: str) -> Iterator[Finding]:
    """What to tell of single cards on that day: facts from a file of the user's own, and those not yet out."""
    own: dict[str, dict[str, list[Entry]]] = {}
    for entry in deck.entries:
        card = entry.cards[0] if len(entry.cards) == 1 else None
        if card is not None and card.own is not None:
            own.setdefault(card.own.rpartition(":")[0], {}).setdefault(card.own, []).append(entry)
        if card is not None and (card.released or "") > as_of:
            yield of_unreleased(entry, as_of)
    for cards in own.values():
        if len(cards) > _MOST_OWN:
            source, entries = next(iter(cards.items()))
            yield of_own_facts(entries[0], source, len(cards) - 1)
        else:
            for source, entries in cards.items():
                yield from (of_own_facts(entry, source) for entry in entries)


def of_unapplied(deck: Deck, used: ListUsed) -> list[Finding]:
    """A warning for each entry of a card of which the list tells a change without a day."""
    changes = {one.card: one.change for one in used.unapplied}
    return [
        of_unconfirmed(entry, changes[entry.cards[0].name], used.name)
        for entry in deck.entries
        if len(entry.cards) == 1 and entry.cards[0].name in changes
    ]


def of_partial(banlists: Sequence[Banlist]) -> Finding | None:
    """That of these lists in use only some entries are known, so that no deck is surely legal; None for no lists."""
    if not banlists:
        return None
    names = [
        _("the {name}", name=one.name)
        if one.partial
        else _("the {name} before {complete_from}", name=one.name, complete_from=one.complete_from)
        for one in banlists
    ]
    message = series(names, AND)
    return Finding(
        PARTIAL,
        "error",
        "undecided",
        _(
            "only some entries of {message} are known here, so whether this deck is legal can't be told",
            message=message,
        ),
        # What stood on the days before it, no list of today tells.
        hint=WHOLE_LISTS if any(one.partial for one in banlists) else None,
    )


def of_format_to_come(name: Words, first: str, as_of: str) -> Finding:
    """The warning that the format itself was not yet out on the day of the check."""
    return Finding(
        "not-yet-released",
        "warning",
        "violated",
        _(
            "{name} begins on {first}; there was no such format on {as_of}",
            name=name,
            first=first,
            as_of=as_of,
        ),
    )


def zones_not_played(
    deck: Deck, zones: Mapping[str, Words], names: Mapping[str, Words], refused: Collection[Card]
) -> Iterator[Finding]:
    """A finding for each zone that the list has and the format has not.

    A zone whose cards are all refused by a rule has been told already.
    """
    told = {diagnostic.zone for diagnostic in deck.diagnostics if diagnostic.id == "unknown-zone"}
    seen: dict[str, list[Entry]] = {}
    for entry in deck.entries:
        if entry.zone not in zones and entry.zone not in told:
            seen.setdefault(entry.zone, []).append(entry)
    for zone, entries in seen.items():
        if all(entry.cards and all(card in refused for card in entry.cards) for entry in entries):
            continue
        first, name = entries[0], names.get(zone, Localized(zone, zone))
        yield Finding(
            "unknown-zone",
            "error",
            "undecided",
            _("this format has no zone {name!r}", name=name),
            first.line,
            first.column,
            zone,
            tuple(CardAt(one.written, one.copies, one.line, one.column) for one in entries),
        )


def set_beside(
    deck: Deck, beside: Sequence[SetAside], catalog: Catalog
) -> tuple[tuple[Entry, ...], list[Finding]]:
    """The entries without what only lies beside the deck, and a hint for each of those."""
    kinds = {catalog.fold(name): one for one in beside for name in one.names}
    kept, findings = [], []
    for entry in deck.entries:
        one = None if entry.cards else kinds.get(catalog.fold(entry.written))
        if one is None:
            kept.append(entry)
            continue
        findings.append(
            Finding(
                one.id,
                "info",
                "violated",
                one.message,
                entry.line,
                entry.column,
                entry.zone,
                (CardAt(entry.written, entry.copies, entry.line, entry.column),),
                cite=one.cite,
                source=one.source,
            )
        )
    return tuple(kept), findings
