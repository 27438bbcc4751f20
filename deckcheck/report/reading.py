"""What the engine itself has to tell of a list: names, lines and zones that it could not settle."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from deckcheck.model.banlist import Banlist
from deckcheck.model.card import Card, Catalogue
from deckcheck.model.deck import Deck, Entry, Remark
from deckcheck.model.engineids import INFOS, PARTIAL, UNSETTLED, WARNINGS
from deckcheck.model.finding import CardAt, Finding, ListUsed
from deckcheck.model.format import Beside
from deckcheck.model.rule import Severity
from deckcheck.support.text import Text

WHOLE_LISTS = Text(
    "deckcheck banlists import でリスト全体を取り込めます",
    "`deckcheck banlists import` takes in whole lists",
)
"""What helps where a list holds only some of its entries."""


def of_remark(remark: Remark) -> Finding:
    """The finding that a reader's remark makes."""
    return Finding(
        rule=remark.id,
        severity=_severity(remark.id),
        verdict="undecided" if remark.id in UNSETTLED else "violated",
        message=remark.message,
        line=remark.line,
        column=remark.column,
        zone=remark.zone,
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
        ja, en = "、".join(f"《{one}》" for one in names), ", ".join(names)
        message = Text(f"「{name}」は{ja}のどれか決められません", f"{name!r} may be any of {en}")
        if len(entry.cards) == 1:
            message = Text(
                f"「{name}」の枚数が{entry.copies}枚とも{entry.most}枚とも読めます",
                f"the copies of {name!r} can be read as {entry.copies} or as {entry.most}",
            )
    else:
        rule = "unknown-card"
        message = Text(f"「{name}」はカード表にありません", f"{name!r} is not in the card table")
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
    ja, en = f"《{name}》", f"{name} is"
    if more:
        source = source.rpartition(":")[0]
        ja, en = f"《{name}》ほか{more}種類のカード", f"{name} and {more} more cards are"
    return Finding(
        "own-facts",
        "info",
        "violated",
        Text(
            f"{ja}は付属の情報ではなく{source}の情報で判定しています",
            f"{en} judged by {source}, not by the bundled facts",
        ),
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
        Text(
            f"《{card.name}》は{as_of}にはまだ発売されていません（{card.released}発売）",
            f"{card.name} was not yet released on {as_of} (released {card.released})",
        ),
        entry.line,
        entry.column,
        entry.zone,
        (CardAt(card.name, entry.copies, entry.line, entry.column),),
    )


def of_unconfirmed(entry: Entry, change: Text, banlist: Text) -> Finding:
    """The warning that a list was seen to speak otherwise of a card, on a day that nobody has told."""
    name = entry.cards[0].name
    return Finding(
        "unconfirmed-change",
        "warning",
        "violated",
        Text(
            f"《{name}》は{banlist.ja}で日付不明の変更（{change.ja}）が見つかっています。適用していません",
            f"{name} was seen changed in the {banlist.en} on an unknown day ({change.en}); this is not applied",
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
        Text(f"「{one.name.ja}」", f"the {one.name.en}")
        if one.partial
        else Text(
            f"「{one.name.ja}」の{one.complete_from}より前の分",
            f"the {one.name.en} before {one.complete_from}",
        )
        for one in banlists
    ]
    ja, en = "と".join(one.ja for one in names), " and ".join(one.en for one in names)
    return Finding(
        PARTIAL,
        "error",
        "undecided",
        Text(
            f"{ja}には一部のカードしか載っていないので、このデッキを使えるかどうかは分かりません",
            f"only some entries of {en} are known here, so whether this deck is legal can't be told",
        ),
        # What stood on the days before it, no list of today tells.
        hint=WHOLE_LISTS if any(one.partial for one in banlists) else None,
    )


def of_format_to_come(name: Text, first: str, as_of: str) -> Finding:
    """The warning that the format itself was not yet out on the day of the check."""
    return Finding(
        "not-yet-released",
        "warning",
        "violated",
        Text(
            f"{name.ja}は{first}からのフォーマットで、{as_of}にはまだありません",
            f"{name.en} begins on {first}; there was no such format on {as_of}",
        ),
    )


def zones_not_played(
    deck: Deck, zones: Mapping[str, Text], names: Mapping[str, Text], refused: Collection[Card]
) -> Iterator[Finding]:
    """A finding for each zone that the list has and the format has not.

    A zone whose cards are all refused by a rule has been told already.
    """
    told = {remark.zone for remark in deck.remarks if remark.id == "unknown-zone"}
    seen: dict[str, list[Entry]] = {}
    for entry in deck.entries:
        if entry.zone not in zones and entry.zone not in told:
            seen.setdefault(entry.zone, []).append(entry)
    for zone, entries in seen.items():
        if all(entry.cards and all(card in refused for card in entry.cards) for entry in entries):
            continue
        first, name = entries[0], names.get(zone, Text(zone, zone))
        yield Finding(
            "unknown-zone",
            "error",
            "undecided",
            Text(
                f"このフォーマットに「{name.ja}」はありません",
                f"this format has no zone {name.en!r}",
            ),
            first.line,
            first.column,
            zone,
            tuple(CardAt(one.written, one.copies, one.line, one.column) for one in entries),
        )


def set_beside(
    deck: Deck, beside: Sequence[Beside], catalogue: Catalogue
) -> tuple[tuple[Entry, ...], list[Finding]]:
    """The entries without what only lies beside the deck, and a hint for each of those."""
    kinds = {catalogue.fold(name): one for one in beside for name in one.names}
    kept, findings = [], []
    for entry in deck.entries:
        one = None if entry.cards else kinds.get(catalogue.fold(entry.written))
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
