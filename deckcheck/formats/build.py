"""From the plain values of a format, already checked, to the records of model.py."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from deckcheck.model.banlist import banlist_from
from deckcheck.model.format import Edition, Format, SetAside
from deckcheck.model.game import Game
from deckcheck.model.rule import (
    Bound,
    Clause,
    Growing,
    Loop,
    Predicate,
    Range,
    Rule,
    Selection,
    Source,
    When,
    parse,
)
from deckcheck.support.messages import Localized, Words, localized

CLAUSE_KEYS = frozenset(
    [
        "in",
        "count",
        "where",
        "per",
        "copies",
        "sides",
        "at_most",
        "at_least",
        "exactly",
        "one_of",
        "for_each",
        "for_some",
        "either",
        "when",
        "since",
        "until",
        "severity",
        "message",
    ]
)
ABOVE_EITHER = frozenset(["either", "when", "since", "until", "at_most", "at_least", "exactly", "one_of"])
"""What of a clause concerns all the counts under its `either` together, and none by itself; it has no bound."""


def format_from(data: Mapping[str, Any], game: Game) -> Format:
    """A Format from plain values in which names are canonical and `ref`s replaced."""
    source = data.get("source") or {}
    editions = source.get("editions") or ([source] if "edition" in source else [])
    return Format(
        id=data["format"],
        name=localized(data["name"]),
        game=game.id,
        aliases=tuple(data.get("aliases") or ()),
        abstract=bool(data.get("abstract")),
        title=source.get("title"),
        editions=tuple(Edition(one["edition"], one.get("date")) for one in editions),
        zones={key: _zone_name(key, value, game) for key, value in data["zones"].items()},
        rules=tuple(_rule(one, game) for one in data["rules"]),
        set_aside=tuple(
            SetAside(one["id"], tuple(one["names"]), localized(one["message"]), _source(one), one.get("cite"))
            for one in data.get("beside") or ()
        ),
        banlists=tuple(banlist_from(one) for one in data["banlists"]),
        source=_source(data),
        exchange=tuple(data.get("exchange") or ()),
        listed_as={
            key: (value["listed_as"]["zone"], value["listed_as"]["at_most"])
            for key, value in data["zones"].items()
            if "listed_as" in value
        },
    )


def _zone_name(key: str, data: Mapping[str, Any], game: Game) -> Words:
    if data and "name" in data:
        return localized(data["name"])
    return game.zones[key].name if key in game.zones else Localized(key, key)


def _source(data: Mapping[str, Any]) -> Source:
    return Source(data["path"], data["line"])


def _rule(data: Mapping[str, Any], game: Game) -> Rule:
    return Rule(
        data["id"],
        tuple(_clause(one, game) for one in clauses_of(data)),
        _source(data),
        data.get("cite"),
        tuple(_source(one) for one in data.get("instead_of", ())),
    )


def clauses_of(rule: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The clauses of a rule's plain values, each with what the rule says above them."""
    shared = {key: value for key, value in rule.items() if key in CLAUSE_KEYS}
    return [shared | one for one in rule.get("clauses") or [{}]]


def alternative(clause: Mapping[str, Any], one: Mapping[str, Any]) -> dict[str, Any]:
    """One of the counts under `either`, with what the clause says above them for all of them."""
    return {key: value for key, value in clause.items() if key not in ABOVE_EITHER} | dict(one)


def _clause(data: Mapping[str, Any], game: Game) -> Clause:
    count = data.get("count", "copies")
    summed = isinstance(count, Mapping)
    copies = data.get("copies")
    message = data.get("message")
    return Clause(
        selection=_selection(data, game),
        counted=count["sum"] if summed else count,
        summed=summed,
        per=data.get("per"),
        copies=None if copies is None else Range(copies.get("at_least", 1), copies.get("at_most")),
        sides=_sides(data.get("sides"), game),
        low=_bound(data.get("at_least"), game),
        high=_bound(data.get("at_most"), game),
        exactly=_bound(data.get("exactly"), game),
        one_of=tuple(data["one_of"]) if "one_of" in data else None,
        for_each=_values(data.get("for_each"), game),
        for_some=_values(data.get("for_some"), game),
        when=_when(data.get("when"), game),
        since=data.get("since"),
        until=data.get("until"),
        severity=data.get("severity", "error"),
        message=None if message is None else localized(message),
        line=data.get("line"),
        either=tuple(_clause(alternative(data, one), game) for one in data.get("either") or ()),
    )


def _selection(data: Mapping[str, Any], game: Game) -> Selection:
    zones = data.get("in")
    where = data.get("where")
    return Selection(
        zones=None if zones is None else (zones,) if isinstance(zones, str) else tuple(zones),
        where=None if where is None else parse(where, game),
    )


def _sides(data: Any, game: Game) -> tuple[Predicate, ...] | str | None:
    return data if data is None or isinstance(data, str) else tuple(parse(one, game) for one in data)


def _bound(data: Any, game: Game) -> Bound | None:
    if isinstance(data, Mapping):
        return Growing(data["base"], data["plus"], _selection(data["for_each_copy"], game))
    return None if data is None else int(data)


def _values(data: Mapping[str, Any] | None, game: Game) -> Loop | None:
    if data is None:
        return None
    [(attribute, of)] = data.items()
    if isinstance(of, Mapping):
        return Loop(attribute, of["of"], ())
    return Loop(attribute, None, game.attributes[attribute].values if of == "every" else tuple(of))


def _when(data: Mapping[str, Any] | None, game: Game) -> When | None:
    if data is None:
        return None
    asks_cards = "in" in data or "where" in data
    options = tuple((key, value) for key, value in data.items() if key not in ("in", "where"))
    return When(_selection(data, game) if asks_cards else None, options)
