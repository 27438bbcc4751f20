"""The rules of a format, checked against the game and against sense."""

from __future__ import annotations

import string
from dataclasses import replace
from datetime import date
from typing import Any

from deckcheck.formats.build import ABOVE_EITHER, CLAUSE_KEYS
from deckcheck.formats.conditions import settle_predicate
from deckcheck.formats.merged import Merged
from deckcheck.formats.nonsense import nonsense
from deckcheck.formats.placed import Placed
from deckcheck.formats.vocabulary import (
    Context,
    attribute_of,
    combined_status,
    inside,
    listed,
    value_of,
    zone_of,
)
from deckcheck.model.rule import EACH
from deckcheck.support.errors import did_you_mean
from deckcheck.support.messages import _

LOOPS = frozenset(["for_each", "for_some"])
FIELDS = ("card", "found", "allowed", "zone", "each")


def check_head(merged: Merged, context: Context) -> None:
    """Note problems with the zones, with those of exchanges, and with the source."""
    taken: dict[str, str] = {}
    for name, place in merged.zones.items():
        if name not in context.game.zones:
            _no_such_zone(place, name, context)
        if "listed_as" in place.data:
            _check_listed(name, inside(inside(place, "listed_as"), "zone"), taken, merged, context)
    if merged.exchange is not None:
        for at, item in enumerate(listed(merged.exchange)):
            zone_of(item, context)
            if item.data in merged.exchange.data[:at]:
                context.wrong(item, _("{item!r} stands here twice", item=item.data))
        if len(merged.exchange.data) == 1:
            context.wrong(merged.exchange, _("at least 2 are needed"))
    if "source" in merged.document.data:
        check_source(inside(Placed(merged.document.data, merged.document, ()), "source"), context)


def _no_such_zone(place: Placed, name: str, context: Context) -> None:
    hint = did_you_mean(name, context.game.zones)
    message = _("the game has no zone {name!r}", name=name)
    context.wrong(place, message, hint)


def _check_listed(name: str, place: Placed, taken: dict[str, str], merged: Merged, context: Context) -> None:
    """Note the problem with a zone in which lists can't put the cards of another; `taken` are those that stood before."""
    zone = place.data
    if zone not in context.game.zones:
        _no_such_zone(place, zone, context)
        return
    if zone in taken:
        context.wrong(place, _("{zone!r} stands for {taken!r} already", zone=zone, taken=taken[zone]))
    elif name == context.game.default_zone:
        context.wrong(
            place, _("cards under no heading stand in {name!r}, so nothing stands for it", name=name)
        )
    taken.setdefault(zone, name)
    # A zone that comes from another format may come along with one that takes its place.
    own = merged.zones.get(zone)
    if own is not None and own.document is place.document:
        context.wrong(place, _("{zone!r} is a zone of this format and so stands for no other", zone=zone))


def check_unused(merged: Merged, context: Context) -> None:
    """Note problems with the format's own definitions that no rule has looked into.

    That nobody uses one is a problem, too, unless the format is only a base for
    others; it is told when nothing else is wrong.
    """
    spare = replace(context, each=EACH, statuses={}, combined={}, used=set(context.used))
    own = [one for one in merged.definitions.items() if one[1].document is merged.document]
    unused = [(name, place) for name, place in own if name not in context.used]
    for name, place in unused:
        settle_predicate(place, spare, (name,))
    if not context.problems and not merged.document.data.get("abstract"):
        for name, place in unused:
            if name in spare.used:
                continue
            context.wrong(place, _("no rule uses {name!r}", name=name))


def settle_rule(place: Placed, context: Context) -> dict[str, Any]:
    """The rule as plain values with canonical names and without refs; problems go to the context."""
    rule: dict[str, Any] = {
        "id": place.data["id"],
        "path": place.document.path,
        "line": place.document.line(place.keys),
    }
    if "cite" in place.data:
        rule["cite"] = place.data["cite"]
    own = [inside(place, "clauses", at) for at in range(len(place.data.get("clauses", ())))]
    rule["clauses"] = [settle_clause([place, part], context) for part in own] or [
        settle_clause([place], context)
    ]
    return rule


def settle_clause(pieces: list[Placed], context: Context, *, way: bool = False) -> dict[str, Any]:
    """One clause, or one way under `either`; a later piece overrides what an earlier one says."""
    parts = {key: inside(piece, key) for piece in pieces for key in piece.data if key in CLAUSE_KEYS}
    before = len(context.problems)
    context.each = _each(parts, context)
    settled = {key: _settle(key, part, context) for key, part in parts.items()}
    settled["line"] = pieces[-1].document.line(pieces[-1].keys)
    # Of several ways one may look at the value and another may not.
    loops = context.looped or "either" in parts or (way and not LOOPS & pieces[-1].data.keys())
    loops = loops or len(context.problems) > before
    context.each, context.looped = None, False
    if "either" in parts:
        above = [Placed(_without(one.data), one.document, one.keys) for one in pieces]
        settled["either"] = [
            settle_clause([*above, one], context, way=True) for one in listed(parts["either"])
        ]
    for message in nonsense(settled, loops=loops):
        context.wrong(pieces[-1], message)
    _check_attributes(parts, context)
    return settled


def _without(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key not in ABOVE_EITHER}


def _each(parts: dict[str, Placed], context: Context) -> str | None:
    place = parts.get("for_each") or parts.get("for_some")
    if place is None:
        return None
    [name] = place.data
    attribute = attribute_of(Placed(name, place.document, (*place.keys, name)), context)
    of = inside(place, name)
    if attribute is not None and attribute.kind != "values":
        context.wrong(of, _("{name!r} has no values to go through", name=name))
        return str(name)
    if isinstance(of.data, dict):
        zone_of(inside(of, "of"), context)
    elif attribute is not None and of.data != "every":
        for item in listed(of):
            value_of(attribute, item, context)
    elif attribute is not None and not attribute.values:
        message = _("the values of {name!r} are not listed", name=name)
        context.wrong(of, message)
    return str(name)


def _settle(key: str, place: Placed, context: Context) -> Any:
    match key:
        case "where":
            return settle_predicate(place, context)
        case "in":
            return _zones_in(place, context)
        case "when":
            with context.below(place, "when"):
                return _selection(place, context)
        case "sides" if isinstance(place.data, list):
            with context.below(place, "sides"):
                return [settle_predicate(item, context) for item in listed(place)]
        case "sides":
            return combined_status(place, context)
        case "at_most" | "at_least" | "exactly" if isinstance(place.data, dict):
            with context.below(place, "for_each_copy"):
                grows = _selection(inside(place, "for_each_copy"), context)
            return place.data | {"for_each_copy": grows}
        case "message":
            _check_fields(place, context)
        case "since" | "until":
            check_date(place, context)
    return place.data


def _selection(place: Placed, context: Context) -> dict[str, Any]:
    settled = dict(place.data)
    if "in" in settled:
        settled["in"] = _zones_in(inside(place, "in"), context)
    if "where" in settled:
        settled["where"] = settle_predicate(inside(place, "where"), context)
    return settled


def _zones_in(place: Placed, context: Context) -> str | list[str]:
    """One zone or several, without those that only the format whose file says so has: here they hold no card."""
    if isinstance(place.data, str):
        zone_of(place, context)
        return place.data
    lent = context.lent.get(place.document.path, frozenset())
    for at, item in enumerate(listed(place)):
        if item.data in place.data[:at]:
            context.wrong(item, _("{item!r} stands here twice", item=item.data))
        if item.data not in lent:
            zone_of(item, context)
    there = [zone for zone in place.data if zone in context.zones or zone not in lent]
    if not there:
        message = _("this format has none of these zones")
        context.wrong(place, message)
    return there


def check_date(place: Placed, context: Context) -> None:
    """Note a problem when a date is no day of the calendar."""
    try:
        date.fromisoformat(str(place.data))
    except ValueError:
        context.wrong(place, _("there is no day {data!r}", data=place.data))


def check_source(place: Placed, context: Context) -> None:
    """Note problems with the days of a source and its editions."""
    if "date" in place.data:
        check_date(inside(place, "date"), context)
    before = ""
    for item in listed(inside(place, "editions")) if "editions" in place.data else ():
        day = inside(item, "date")
        check_date(day, context)
        if day.data <= before:
            context.wrong(day, _("the days are not in order"))
        before = day.data


def _check_fields(place: Placed, context: Context) -> None:
    texts = place.data.values() if isinstance(place.data, dict) else [place.data]
    for text in texts:
        try:
            fields = [one[1:] for one in string.Formatter().parse(text) if one[1] is not None]
        except ValueError:
            context.wrong(place, _("the braces don't match"))
            continue
        for name, spec, conversion in fields:
            if spec or conversion:
                message = _("{{{name}}} takes no formatting", name=name)
                context.wrong(place, message)
            if name not in FIELDS:
                hint = did_you_mean(name, FIELDS)
                context.wrong(place, _("there is no field {{{name}}}", name=name), hint)


def _check_attributes(parts: dict[str, Placed], context: Context) -> None:
    per = parts.get("per")
    if per is not None and per.data != "name":
        attribute = attribute_of(per, context)
        if attribute is not None and attribute.kind != "values":
            context.wrong(per, _("{per!r} makes no groups", per=per.data))
    count = parts.get("count")
    if count is not None and isinstance(count.data, dict):
        attribute = attribute_of(inside(count, "sum"), context)
        if attribute is not None and attribute.kind != "number":
            context.wrong(count, _("only numbers can be added up"))
