"""Findings: those of broken rules, and those that deckcheck itself makes of a list, its cards and the banlists.

Findings of one rule with the same cause become one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from deckcheck.cards.names import MOST_IN_LIST, FewSuggestions
from deckcheck.model.banlist import Banlist, edition_on
from deckcheck.model.card import Card, Catalog, name_beside, several_cards
from deckcheck.model.deck import Deck, Diagnostic, Entry
from deckcheck.model.finding import (
    INFOS,
    UNDECIDED,
    WARNINGS,
    CardAt,
    Finding,
    FindingId,
    ListUsed,
    Number,
    Related,
    State,
    UnappliedChange,
)
from deckcheck.model.format import Clause, Format, Outside, SetAside, Severity, Source, leaves
from deckcheck.model.game import Attribute, Game
from deckcheck.report.wording import (
    NONE_ALLOWED,
    Names,
    allowed_by,
    card_names,
    cited_listing,
    finite,
    sentence,
    status_name,
)
from deckcheck.rules.clauses import Outcome
from deckcheck.rules.counting import Interval
from deckcheck.rules.evaluator import Assumption
from deckcheck.support.messages import AND, OR, Message, Words, _, card_series, n_, series, shortened

ADD_CARDS = _("correct the spelling, or add newer cards with `deckcheck import`")
"""The hint for unknown names."""

# Broken rules


EntriesByCard = Mapping[Card | str, Mapping[int, Entry]]
"""By a card or an unknown name, the entries of a deck that may be it, with their indexes."""


def entries_by_card(deck: Deck) -> EntriesByCard:
    """The entries of a deck, so that many outcomes are placed in one list quickly."""
    entries: dict[Card | str, dict[int, Entry]] = {}
    for index, entry in enumerate(deck.entries):
        for key in entry.cards or (entry.written,):
            entries.setdefault(key, {})[index] = entry
    return entries


def _entries_of(outcome: Outcome, by_card: EntriesByCard, zones: tuple[str, ...] | None) -> list[Entry]:
    """The entries that an outcome is about, in these zones (None: in any), in the order of the list."""
    keys: set[Card | str] = {*outcome.cards, *([outcome.name] if outcome.name else ())}
    entries = dict(item for key in keys for item in by_card.get(key, {}).items())
    return [
        entry
        for _index, entry in sorted(entries.items())
        if keys.issuperset(entry.cards) and (zones is None or entry.zone in zones)
    ]


def rule_finding(outcome: Outcome, deck: Deck, by_card: EntriesByCard, names: Names) -> Finding:
    """The finding for an outcome in this deck."""
    clause, limits, rule = outcome.clause, outcome.limits, outcome.rule
    zones = clause.selection.zones
    # The cards that keep a rule open may be outside the zones where it counts.
    entries = _entries_of(outcome, by_card, zones) or _entries_of(outcome, by_card, None)
    # Missing cards have no place: pointing at those in the deck would mislead.
    first = entries[0] if entries and not outcome.is_short else None
    held = tuple({entry.zone for entry in entries})
    counted = held if len(held) == 1 else zones or ()
    source = rule.source if clause.line is None else replace(rule.source, line=clause.line)
    listed = cited_listing(outcome, names)
    by_rule = () if listed is None else (Related(_("by this rule"), source.path, source.line),)
    return Finding(
        rule=rule.id,
        severity=clause.severity,
        verdict=outcome.state,
        message=sentence(outcome, names),
        line=None if first is None else first.line,
        column=None if first is None else first.column,
        zone=counted[0] if len(counted) == 1 else None,
        cards=tuple(map(card_at, entries)),
        found=_number(outcome.number),
        allowed=allowed_by(limits) or None,
        cite=rule.cite,
        source=source if listed is None else Source(listed.path, listed.line),
        related=(*by_rule, *_owners(clause, deck, names)),
        hint=None if outcome.subject is None else _values_outside(clause, outcome.subject, deck, names),
    )


def _owners(clause: Clause, deck: Deck, names: Names) -> Iterator[Related]:
    """Yields the cards to whose values a clause compares others, each with these values and its line."""
    for attribute, entries in _compared(clause, deck, names):
        for entry in entries:
            values = _values((entry,), attribute)
            if values is not None:
                message = _(
                    "{attribute} of {card}: {values}",
                    attribute=attribute.name,
                    card=names.card(entry.cards[0]),
                    values=attribute.value_names(values),
                )
                yield Related(message, deck.path, entry.line)


def _values_outside(clause: Clause, card: Card, deck: Deck, names: Names) -> Words | None:
    """The card's values that the cards to which a clause compares it lack; None if unknown."""
    for attribute, entries in _compared(clause, deck, names):
        own, others = card.facts.get(attribute.id), _values(entries, attribute)
        if isinstance(own, frozenset) and others is not None:
            lacking = attribute.value_names(own - others)
            return _("{attribute}: {values}", attribute=attribute.name, values=lacking)
    return None


def _compared(clause: Clause, deck: Deck, names: Names) -> Iterator[tuple[Attribute, list[Entry]]]:
    """Yields the attributes by which a clause compares cards with those in a zone, and the zone's entries."""
    for leaf in leaves(clause.selection.where):
        if isinstance(leaf, Outside):
            entries = [entry for entry in deck.entries if entry.zone == leaf.zone and entry.card is not None]
            yield names.game.attributes[leaf.attribute], entries


def _values(entries: Iterable[Entry], attribute: Attribute) -> frozenset[str] | None:
    """The values that any of the cards has; None if those of one card are unknown."""
    held = [entry.cards[0].facts.get(attribute.id) for entry in entries]
    known = [values for values in held if isinstance(values, frozenset)]
    return frozenset[str]().union(*known) if len(known) == len(held) else None


def _number(counted: Interval) -> Number | None:
    low, high = finite(counted.low), finite(counted.high)
    # A sum over a card that prints infinity has no number; the message says so.
    if low is None or counted.low == counted.high:
        return low
    return (low, high)


def written_names(entries: Iterable[Entry], fold: Callable[[str], str]) -> dict[Card, str]:
    """Both names of each card for which a list uses another name, such as an alias, that isn't a part of its own."""
    both_names: dict[Card, str] = {}
    for entry in entries:
        card = entry.card
        if card is None or card in both_names or entry.written == card.name:
            continue
        written, own = fold(entry.written), fold(card.name)
        if own in written:
            continue
        # Spelled as in the card table: on the line it may be in brackets.
        others = [*card.aliases, *(face.name for face in card.faces)]
        meant = [name for name in others if fold(name) in written and fold(name) not in own]
        if meant:
            both_names[card] = f"{max(meant, key=len)}/{card.name}"
    return both_names


def in_place_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings about the whole deck first, then down the list."""
    return tuple(sorted(findings, key=lambda finding: (finding.line or 0, finding.column or 0)))


def card_at(entry: Entry) -> CardAt:
    """The card of an entry, or its name as written if the card isn't certain, with its place."""
    card = entry.card
    return CardAt(entry.written if card is None else card.name, entry.copies, entry.line, entry.column)


# deckcheck's own


def engine_finding(rule: str, message: Words, *entries: Entry, hint: Words | None = None) -> Finding:
    """A finding of deckcheck itself about the whole list, or about entries, at the first of them."""
    verdict = State.UNDECIDED if rule in UNDECIDED else State.VIOLATED
    finding = Finding(rule, severity_of(rule), verdict, message, hint=hint)
    if not entries:
        return finding
    first, cards = entries[0], tuple(map(card_at, entries))
    return replace(finding, line=first.line, column=first.column, zone=first.zone, cards=cards)


def severity_of(engine_id: str) -> Severity:
    """The severity of a finding with that id of deckcheck's own."""
    if engine_id in WARNINGS:
        return Severity.WARNING
    return Severity.INFO if engine_id in INFOS else Severity.ERROR


def diagnostic_finding(diagnostic: Diagnostic) -> Finding:
    """The finding for a diagnostic of the reader."""
    finding = engine_finding(diagnostic.id, diagnostic.message)
    return replace(finding, line=diagnostic.line, column=diagnostic.column, zone=diagnostic.zone)


def uncertain_findings(deck: Deck, catalog: Catalog) -> Iterator[Finding]:
    """Yields a finding for each entry whose card or number isn't certain."""
    suggestions = FewSuggestions(catalog, MOST_IN_LIST)
    for entry in deck.entries:
        name = entry.written
        if len(entry.cards) > 1:
            message = several_cards(name, (card.name for card in entry.cards[:6]))
            yield engine_finding(FindingId.AMBIGUOUS_NAME, message, entry)
        elif not entry.cards:
            others = [other for other in suggestions.suggest(name) if other != name][:3]
            near = card_series([name_beside(catalog, other, name) for other in others], OR)
            message = _("'{name}' is not in the card table", name=name)
            hint = _("did you mean {cards}?", cards=near) if others else ADD_CARDS
            yield engine_finding(FindingId.UNKNOWN_CARD, message, entry, hint=hint)


def card_findings(deck: Deck, as_of: str) -> Iterator[Finding]:
    """Findings about single cards: those judged by a file of the user's own, and those not yet out on that day."""
    own: dict[str, list[Entry]] = {}
    for entry in deck.entries:
        card = entry.card
        if card is None:
            continue
        if card.own is not None:
            own.setdefault(own_file(card), []).append(entry)
        if (card.released or "") > as_of:
            message = _(
                "{card} was not yet released on {day} (released {released})",
                card=card.name,
                day=as_of,
                released=card.released,
            )
            yield engine_finding(FindingId.NOT_YET_RELEASED, message, entry)
    for file, entries in own.items():
        card, *more = {entry.cards[0]: None for entry in entries}
        message = own_facts(file, len(more) + 1)
        if not more:
            message = _(
                "{card} is judged by {place}, not by the bundled data", card=card.name, place=card.own
            )
        yield engine_finding(FindingId.OWN_FACTS, message, *entries)


def own_file(card: Card) -> str:
    """The user's file by which a card is judged; "" if by the bundled data."""
    return (card.own or "").rpartition(":")[0]


def own_facts(file: str, cards: int) -> Message:
    """The message that a number of cards is judged by the user's own file."""
    return n_(
        "{n:,} card is judged by {file}, not by the bundled data",
        "{n:,} cards are judged by {file}, not by the bundled data",
        cards,
        file=file,
    )


def assumption_finding(assumption: Assumption, deck: Deck, game: Game) -> Finding:
    """The hint that cards were assumed to lack a value, since nothing is known about it."""
    attribute = game.attributes[assumption.attribute]
    message = _(
        "no data says whether “{value}” holds for {cards}; assumed it does not",
        value=series(map(attribute.value_name, sorted(assumption.values))),
        cards=card_series(dict.fromkeys(card.name for card in assumption.cards)),
    )
    return engine_finding(
        FindingId.ASSUMED, message, *(entry for entry in deck.entries if entry.card in assumption.cards)
    )


def format_findings(format: Format, as_of: str) -> Iterator[Finding]:
    """Yields a finding for each file of the user's own in place of a bundled one, and for a format that is still to come."""
    if format.replaces_bundled:
        message = _("{path} is used in place of the bundled format", path=format.source.path)
        yield engine_finding(FindingId.OVERRIDDEN, message)
    for banlist in format.banlists:
        if banlist.replaces_bundled:
            message = _("{path} is used in place of the bundled list", path=banlist.path)
            yield engine_finding(FindingId.OVERRIDDEN, message)
        for path in banlist.announcements:
            message = _("the {list} is used with the changes in {path}", list=banlist.name, path=path)
            yield engine_finding(FindingId.OVERRIDDEN, message)
    first = format.editions[0].date if format.editions else None
    if first is not None and as_of < first:
        message = _(
            "{format} begins on {first}; there was no such format on {day}",
            format=format.name,
            first=first,
            day=as_of,
        )
        yield engine_finding(FindingId.NOT_YET_RELEASED, message)


def foreign_zone_findings(deck: Deck, names: Names, refused: set[Card]) -> Iterator[tuple[Finding, bool]]:
    """A finding for each zone of the list that the format lacks, and whether all cards there are refused by a rule."""
    unknown = {diagnostic.zone for diagnostic in deck.diagnostics if diagnostic.id == FindingId.UNKNOWN_ZONE}
    held: dict[str, list[Entry]] = {}
    for entry in deck.entries:
        if entry.zone not in names.format.zones and entry.zone not in unknown:
            held.setdefault(entry.zone, []).append(entry)
    for zone, entries in held.items():
        message = _("this format has no zone '{zone}'", zone=names.zone(zone))
        cards = tuple(replace(card_at(entry), name=entry.written) for entry in entries)
        finding = replace(engine_finding(FindingId.UNKNOWN_ZONE, message, entries[0]), cards=cards)
        yield finding, all(entry.cards and refused.issuperset(entry.cards) for entry in entries)


def set_aside(
    deck: Deck, kinds: Sequence[SetAside], catalog: Catalog
) -> tuple[tuple[Entry, ...], list[Finding]]:
    """The entries that belong in the deck, and a hint for each of the others."""
    by_name = {catalog.fold(name): kind for kind in kinds for name in kind.names}
    kept: list[Entry] = []
    findings = []
    for entry in deck.entries:
        kind = None if entry.cards else by_name.get(catalog.fold(entry.written))
        if kind is None:
            kept.append(entry)
        else:
            finding = engine_finding(kind.id, kind.message, entry)
            findings.append(replace(finding, severity=Severity.INFO, cite=kind.cite, source=kind.source))
    return tuple(kept), findings


# Banlists


def list_used(banlist: Banlist, game: Game, as_of: str) -> ListUsed:
    """The banlist on that day, with a note for each reason not to rely on it."""
    notes: list[Words] = []
    unapplied: tuple[UnappliedChange, ...] = ()
    through, is_incomplete = banlist.complete_through, banlist.incomplete_on(as_of)
    if banlist.replaces_bundled:
        notes.append(_("{path} is used in place of the bundled list", path=banlist.path))
    if banlist.announcements:
        notes.append(_("with the changes in {paths}", paths=series(banlist.announcements)))
    if banlist.partial:
        notes.append(_("only some entries of this list are known"))
    elif banlist.partial_on(as_of):
        notes.append(_("this list is only known to be complete from {day}", day=banlist.complete_from))
    if is_incomplete:
        notes.append(_("this list is only known to be complete through {day}", day=through))
    if banlist.unconfirmed and (is_incomplete or banlist.partial):
        note = n_(
            "{n} change with an unknown date was noticed by {day} (not applied)",
            "{n} changes with unknown dates were noticed by {day} (not applied)",
            len(banlist.unconfirmed),
            day=banlist.seen_by,
        )
        notes.append(note)
        unapplied = tuple(
            UnappliedChange(
                change.card,
                _(
                    "{before} → {after}",
                    before=status_name(change.before, game),
                    after=status_name(change.after, game),
                ),
            )
            for change in banlist.unconfirmed
        )
    edition, latest = edition_on(banlist.editions, as_of), banlist.latest(as_of)
    return ListUsed(
        banlist.id,
        banlist.name,
        banlist.title,
        edition,
        latest,
        through,
        tuple(notes),
        unapplied,
        outdated=is_incomplete,
    )


def unconfirmed_findings(deck: Deck, lists: Iterable[ListUsed]) -> Iterator[Finding]:
    """A warning for each entry of a card for which a banlist has a change without a day."""
    for used in lists:
        changes = {change.card: change.change for change in used.unapplied}
        for entry in deck.entries if changes else ():
            if entry.card is not None and entry.card.name in changes:
                message = _(
                    "the status of {card} in the {list} changed on an unknown date ({change}); this is not applied",
                    card=entry.card.name,
                    list=used.name,
                    change=changes[entry.card.name],
                )
                yield engine_finding(FindingId.UNCONFIRMED_CHANGE, message, entry)


def partial_finding(banlists: Sequence[Banlist]) -> Finding | None:
    """The finding that these banlists are known only in part, so no deck is certainly legal; None for no banlists."""
    if not banlists:
        return None
    lists = [
        _("the {list}", list=banlist.name)
        if banlist.partial
        else _("the {list} before {day}", list=banlist.name, day=banlist.complete_from)
        for banlist in banlists
    ]
    message = _(
        "only some entries of {lists} are known, so no deck is surely legal",
        lists=series(lists, AND),
    )
    # Today's lists don't have the entries of earlier days.
    whole = _("`deckcheck import` imports whole lists")
    hint = whole if any(banlist.partial for banlist in banlists) else None
    return engine_finding(FindingId.PARTIAL_BANLIST, message, hint=hint)


# Findings with one cause


def grouped(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings; those with the same cause become the `parts` of one, in the place of the first."""
    by_cause: dict[Hashable, list[Finding]] = {}
    for position, finding in enumerate(findings):
        by_cause.setdefault(_cause(finding) or position, []).append(finding)
    return tuple(alike[0] if len(alike) == 1 else _summed_up(alike) for alike in by_cause.values())


def _cause(finding: Finding) -> Hashable:
    """A key shared by findings with the same cause; None for a finding that is never combined."""
    message = finding.message
    if not finding.cards or finding.line is None or not isinstance(message, Message):
        return None
    # Cards that a clause refuses have one cause, other findings of rules their own; banlists are the source of theirs.
    if finding.source is not None and finding.allowed != NONE_ALLOWED:
        return None
    head = (finding.rule, finding.severity, finding.verdict, finding.source)
    if finding.rule == FindingId.UNKNOWN_CARD:
        return head
    # Only the names of the cards may differ in the message.
    texts = (message.key, message.plural or "", message.japanese or "")
    fields = (field for field in message.fields if any(f"{{{field[0]}" in text for text in texts))
    return *head, message.key, tuple(field for field in fields if field[0] != "card")


def _summed_up(parts: Sequence[Finding]) -> Finding:
    first, counts = parts[0], [part.found for part in parts]
    names = list(dict.fromkeys(card.name for part in parts for card in part.cards))
    hint = first.hint if len({part.hint for part in parts}) == 1 else None
    if first.rule == FindingId.UNKNOWN_CARD:
        hint = hint or ADD_CARDS
    return replace(
        first,
        message=first.message if len(names) == 1 else _summary(first, names),
        cards=tuple(card for part in parts for card in part.cards),
        zone=first.zone if len({part.zone for part in parts}) == 1 else None,
        found=sum(count for count in counts if isinstance(count, int)) if None not in counts else None,
        hint=hint,
        parts=tuple(parts),
    )


def _summary(first: Finding, names: Sequence[str]) -> Words:
    if first.rule == FindingId.UNKNOWN_CARD:
        quoted = shortened([_("{name!r}", name=name) for name in names])
        return _("{number} names are not in the card table: {names}", number=len(names), names=quoted)
    return _(
        "{message}; the same goes for {number} more: {cards}",
        message=first.message,
        number=len(names) - 1,
        cards=card_names(names[1:]),
    )
