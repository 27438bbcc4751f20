"""What is known of one card, in words; what is not known is said."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from deckcheck.model.banlist import Banlist, Change, change_on
from deckcheck.model.card import NO_RANK, Card, Fact, Printing
from deckcheck.model.game import Attribute, Game
from deckcheck.support.messages import Localized, _
from deckcheck.support.safetext import safe

_UNKNOWN = _("unknown")
_NONE = _("none")
_FREE = _("not limited")
_UNLISTED = _("unknown, for only some entries of this list are known")


class CardStatus(NamedTuple):
    """What one list says of a card on a day; `change` None: that it is free, or nothing. `told` tells one from the other."""

    banlist: Banlist
    change: Change | None
    with_cards: tuple[tuple[str, ...], ...] = ()
    told: bool = True


def standings_of(card: Card, banlists: Iterable[Banlist], as_of: str) -> list[CardStatus]:
    """What each list says of the card on a day: its own status, then each combination that it is in."""
    found = []
    for banlist in banlists:
        own = [one.history for one in banlist.cards if one.card == card.name]
        change = next((change for history in own if (change := change_on(history, as_of)) is not None), None)
        told = any(one.since <= as_of for history in own for one in history)
        found.append(CardStatus(banlist, change, told=told))
        for one in banlist.combinations:
            change = change_on(one.history, as_of)
            if change is not None and any(card.name in side for side in one.sides):
                others = tuple(tuple(sorted(side)) for side in one.sides if card.name not in side)
                found.append(CardStatus(banlist, change, others))
    return found


def card_sheet(card: Card, game: Game, standings: Sequence[CardStatus], as_of: str, lang: str) -> str:
    """The card's facts, sides, printings, status on the day and corrections, ended by a line feed."""
    lines = [card.name, *_indented(_whole(card, game, lang))]
    for head, parts in (
        (_("half"), card.parts),
        (_("other side"), card.faces),
    ):
        for part in parts:
            lines.append(f"  {head.in_(lang)}{_colon(lang)}{part.name}")
            lines += _indented(_indented(_facts(part.facts, frozenset(), game, lang)))
    lines.append(_("printings:").in_(lang))
    lines += _indented([_printing(one, game, lang) for one in card.printings] or [_UNKNOWN.in_(lang)])
    lines.append(_("legal status on {as_of}:", as_of=as_of).in_(lang))
    lines += _indented(line for one in standings for line in _status(one, card, game, as_of, lang))
    if card.mended:
        lines.append(_("corrections to the data:").in_(lang))
        lines += _indented(card.mended)
    return "".join(safe(line) + "\n" for line in lines)


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"  {line}" for line in lines)


def _colon(lang: str) -> str:
    return "：" if lang == "ja" else ": "


def _pair(name: str, value: str, lang: str) -> str:
    return f"{name}{_colon(lang)}{value}"


def _whole(card: Card, game: Game, lang: str) -> Iterator[str]:
    if card.aliases:
        yield _pair(_("also called").in_(lang), _joined(card.aliases, lang), lang)
    if card.made_of:
        yield _pair(_("made of").in_(lang), _joined(card.made_of, lang), lang)
    home = game.zones[card.home].name if card.home in game.zones else Localized(card.home, card.home)
    for attribute in game.attributes.values():
        if attribute.kind == "home":
            yield _pair(attribute.name.in_(lang), home.in_(lang), lang)
    yield _pair(_("released").in_(lang), card.released or _UNKNOWN.in_(lang), lang)
    yield from _facts(card.facts, card.partial, game, lang)
    if not card.verified:
        yield _("only one source tells of this card").in_(lang)


def _facts(facts: Mapping[str, Fact], partial: frozenset[str], game: Game, lang: str) -> Iterator[str]:
    for attribute in game.attributes.values():
        if attribute.kind not in ("values", "number"):
            continue
        fact = facts.get(attribute.id)
        said = _UNKNOWN.in_(lang) if fact is None else _fact(attribute, fact, lang)
        if attribute.id in partial:
            said += _(" and perhaps more").in_(lang)
        yield _pair(attribute.name.in_(lang), said, lang)


def _fact(attribute: Attribute, fact: Fact, lang: str) -> str:
    if not isinstance(fact, frozenset):
        return "∞" if fact == float("inf") else f"{fact:g}"
    order = {value: at for at, value in enumerate(attribute.values)}
    values = sorted(fact, key=lambda value: (order.get(value, len(order)), value))
    names = attribute.names or {}
    return _joined([names[one].in_(lang) if one in names else one for one in values], lang) or _NONE.in_(lang)


def _printing(printing: Printing, game: Game, lang: str) -> str:
    said = [printing.set, printing.released or _("date unknown").in_(lang)]
    for attribute in game.attributes.values():
        if attribute.kind == "rank":
            rank = _rank(printing.ranks.get(attribute.id), lang)
            said.append(f"{attribute.name.in_(lang)} {rank}")
    return "  ".join(said)


def _rank(code: str | None, lang: str) -> str:
    if code is None:
        return _UNKNOWN.in_(lang)
    if code == NO_RANK:
        return _NONE.in_(lang)
    if code.startswith("<="):
        return _("{code} or below", code=code[2:]).in_(lang)
    if code.startswith("?"):
        return _("probably {code} (unconfirmed)", code=code[1:]).in_(lang)
    return code


def _status(said: CardStatus, card: Card, game: Game, as_of: str, lang: str) -> Iterator[str]:
    banlist, change, others, told = said
    name = banlist.name.in_(lang)
    if change is None:
        free = _FREE if told or not banlist.partial_on(as_of) else _UNLISTED
        yield _pair(name, free.in_(lang), lang)
    else:
        status = game.statuses[change.status].name.in_(lang)
        since = _(" (since {since})", since=change.since).in_(lang)
        beside = _(" / ").in_(lang).join(_joined(side, lang) for side in others)
        with_cards = _(", with {beside}", beside=beside).in_(lang) if others else ""
        yield _pair(name, f"{status}{since}{with_cards}  {banlist.path}:{change.line}", lang)
    through = banlist.complete_through
    beyond = through is not None and as_of > through
    if others or not (beyond or banlist.partial):
        return
    if beyond:
        yield "  " + _("(only known to be complete through {through})", through=through).in_(lang)
    for one in banlist.unconfirmed:
        if one.card == card.name:
            after = game.statuses[one.after].name if one.after in game.statuses else _FREE
            yield "  " + _("(a change without a date was seen: {after})", after=after).in_(lang)


def _joined(values: Iterable[str], lang: str) -> str:
    return ("、" if lang == "ja" else ", ").join(values)
