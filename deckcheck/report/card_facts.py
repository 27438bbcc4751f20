"""The facts of one card in words, unknown ones included."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from deckcheck.model.banlist import Banlist, Change, change_on
from deckcheck.model.card import NO_RANK, Card, Days, Fact, Printing
from deckcheck.model.game import Attribute, Game
from deckcheck.report.wording import status_name
from deckcheck.support.messages import Value, Words, _, card_series, p_, series
from deckcheck.support.safe_text import safe


class ListedStatus(NamedTuple):
    """The status of a card in one list on a day. Without `change` it is free, if `is_listed`, or not in the list."""

    banlist: Banlist
    change: Change | None
    with_cards: tuple[tuple[str, ...], ...] = ()
    is_listed: bool = True


def listed_statuses(card: Card, banlists: Iterable[Banlist], as_of: str) -> list[ListedStatus]:
    """The status of the card in each list on a day: its own, then each combination that it is in."""
    statuses = []
    for banlist in banlists:
        entries = [entry for entry in banlist.entries if any(card.name in side for side in entry.sides)]
        history = next((entry.history for entry in entries if not entry.is_combination), ())
        is_listed = any(change.since <= as_of for change in history)
        statuses.append(ListedStatus(banlist, change_on(history, as_of), is_listed=is_listed))
        for entry in entries:
            change = change_on(entry.history, as_of)
            if change is not None and entry.is_combination:
                others = tuple(tuple(sorted(side)) for side in entry.sides if card.name not in side)
                statuses.append(ListedStatus(banlist, change, others))
    return statuses


def card_sheet(card: Card, game: Game, statuses: Sequence[ListedStatus], as_of: str, lang: str) -> str:
    """The card's facts, sides, printings, status on the day and corrections, ended by a line feed."""
    lines: list[tuple[int, Words | str]] = [(0, card.name)]
    lines += ((1, line) for line in _whole(card, game))
    for label, parts in ((_("half"), card.parts), (_("other side"), card.faces)):
        for part in parts:
            lines.append((1, _pair(label, part.name)))
            lines += ((2, line) for line in _facts(part.facts, frozenset(), game))
    lines.append((0, _("printings:")))
    lines += ((1, _printing(printing, game)) for printing in card.printings)
    if not card.printings:
        lines.append((1, _("unknown")))
    lines.append((0, _("legal status on {day}:", day=as_of)))
    for status in statuses:
        lines.append((1, _status(status, game, as_of)))
        lines += ((2, line) for line in _uncertainties(status, card, game, as_of))
    if card.corrections:
        lines.append((0, _("corrections to the data:")))
        lines += ((1, line) for line in card.corrections)
    return "".join(
        "  " * depth + safe(line if isinstance(line, str) else line.in_(lang)) + "\n" for depth, line in lines
    )


def _pair(name: Value, value: Value) -> Words:
    return _("{name}: {value}", name=name, value=value)


def _whole(card: Card, game: Game) -> Iterator[Words]:
    if card.aliases:
        yield _pair(_("also called"), card_series(card.aliases))
    if card.made_of:
        yield _pair(_("made of"), card_series(card.made_of))
    home = _("unknown") if card.home is None else game.zones[card.home].name
    for attribute in game.attributes.values():
        if attribute.kind == "home":
            yield _pair(attribute.name, home)
    yield _pair(_("released"), card.released or _("unknown"))
    yield from _facts(card.facts, card.partial, game, card.dated)
    if not card.verified:
        yield _("only one source has this card")


def _facts(
    facts: Mapping[str, Fact],
    partial: frozenset[str],
    game: Game,
    dated: Mapping[str, Mapping[str, Days]] = MappingProxyType({}),
) -> Iterator[Words]:
    for attribute in game.attributes.values():
        if attribute.kind in ("values", "number"):
            fact = facts.get(attribute.id)
            value = _("unknown") if fact is None else _fact(attribute, fact, dated.get(attribute.id, {}))
            if attribute.id in partial:
                value = _("{values} and perhaps more", values=value)
            yield _pair(attribute.name, value)


def _fact(attribute: Attribute, fact: Fact, dated: Mapping[str, Days]) -> Words | str:
    if not isinstance(fact, frozenset):
        return "∞" if fact == float("inf") else f"{fact:g}"
    if not dated:
        return attribute.value_names(fact)
    return series(_since(attribute.value_name(value), dated.get(value)) for value in sorted(fact))


def _since(value: Words, days: Days | None) -> Words:
    if days is None:
        return value
    if days.first == days.sure:
        return _("{value} (since {day})", value=value, day=days.sure)
    return _("{value} (since {day} at the latest)", value=value, day=days.sure)


def _printing(printing: Printing, game: Game) -> Words:
    parts: list[Value] = [printing.set, printing.released or _("date unknown")]
    for attribute in game.attributes.values():
        if attribute.kind == "rank":
            rank = _rank(printing.ranks.get(attribute.id))
            parts.append(_("{attribute} {rank}", attribute=attribute.name, rank=rank))
    return series(parts, p_("columns", "  "))


def _rank(code: str | None) -> Words | str:
    if code is None:
        return _("unknown")
    if code == NO_RANK:
        return _("none")
    if code.startswith("<="):
        return _("{rank} or below", rank=code[2:])
    if code.startswith("?"):
        return _("probably {rank} (unconfirmed)", rank=code[1:])
    return code


def _status(listed: ListedStatus, game: Game, as_of: str) -> Words:
    banlist, change, others = listed.banlist, listed.change, listed.with_cards
    if change is None:
        if listed.is_listed or not banlist.partial_on(as_of):
            return _pair(banlist.name, _("not limited"))
        return _pair(banlist.name, _("unknown, for only some entries of this list are known"))
    status = game.statuses[change.status]
    since = _("{status} (since {day})", status=status, day=change.since)
    if others:
        cards = series((card_series(side) for side in others), _(" / "))
        since = _("{status}, with {cards}", status=since, cards=cards)
    return _pair(banlist.name, _("{status}  {place}", status=since, place=f"{banlist.path}:{change.line}"))


def _uncertainties(listed: ListedStatus, card: Card, game: Game, as_of: str) -> Iterator[Words]:
    """Why the status may be different."""
    banlist, is_incomplete = listed.banlist, listed.banlist.incomplete_on(as_of)
    if listed.with_cards or not (is_incomplete or banlist.partial):
        return
    if is_incomplete:
        yield _("(only known to be complete through {day})", day=banlist.complete_through)
    for change in banlist.unconfirmed:
        if change.card == card.name:
            after = status_name(change.after, game)
            yield _("(changed on an unknown date: {status})", status=after)
