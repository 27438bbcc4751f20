"""The predicates of a format, checked against the game and settled: canonical names, and no refs."""

from __future__ import annotations

from typing import Any

from deckcheck.formats.placed import Placed
from deckcheck.formats.vocabulary import (
    Context,
    attribute_named,
    attribute_of,
    card_name,
    inside,
    listed,
    status_of,
    value_of,
    zone_of,
)
from deckcheck.model.game import Attribute
from deckcheck.model.rule import EACH
from deckcheck.support.errors import did_you_mean
from deckcheck.support.messages import _


def settle_predicate(place: Placed, context: Context, refs: tuple[str, ...] = ()) -> dict[str, Any]:
    """The predicate with canonical names and without refs; problems are noted in the context."""
    with context.below(place):
        return _settled(place, context, refs)


def _settled(place: Placed, context: Context, refs: tuple[str, ...]) -> dict[str, Any]:
    settled: dict[str, Any] = {}
    for key in place.data:
        part = inside(place, key)
        match key:
            case "all" | "any":
                items = [settle_predicate(item, context, refs) for item in listed(part)]
                settled.setdefault(key, []).extend(items)
            case "not" | "any_part":
                settled[key] = settle_predicate(part, context, refs)
            case "ref":
                settled.setdefault("all", []).append(_ref(part, context, refs))
            case "name":
                settled[key] = [card_name(item, context) for item in listed(part)]
            case "status":
                settled[key] = [status_of(item, context) for item in listed(part)]
            case "no_other_card":
                settled[key] = _no_other_card(part, context, refs)
            case _:
                settled[key] = _matcher(key, part, context)
    return settled


def _no_other_card(place: Placed, context: Context, refs: tuple[str, ...]) -> dict[str, Any]:
    same = inside(place, "same")
    attribute = attribute_of(same, context)
    if attribute is not None and attribute.kind not in ("values", "number"):
        message = _("cards can't be compared by {attribute}", attribute=attribute.name)
        context.wrong(same, message)
    if context.asks == "no_other_card":
        context.wrong(place, _("no_other_card can't stand in another"))
    with context.below(place, "no_other_card"):
        where = settle_predicate(inside(place, "where"), context, refs)
    return {"same": same.data, "where": where}


def _ref(place: Placed, context: Context, refs: tuple[str, ...]) -> dict[str, Any]:
    name = place.data
    found = context.definitions.get(name)
    if found is None:
        hint = did_you_mean(name, context.definitions)
        context.wrong(place, _("{name!r} is not defined", name=name), hint)
        return {"name": []}
    if name in refs:
        context.wrong(place, _("the definition of {name!r} runs in a circle", name=name))
        return {"name": []}
    context.used.add(name)
    return settle_predicate(found, context, (*refs, name))


def _matcher(key: str, place: Placed, context: Context) -> Any:
    attribute = attribute_named(key, place, context)
    if attribute is None:
        return place.data
    if isinstance(place.data, dict):
        return _comparison(attribute, place, context)
    for item in listed(place):
        if item.data == EACH:
            context.looped = True
            if context.asks is not None:
                context.wrong(item, _("$each has no meaning inside of {asks}", asks=context.asks))
            elif context.each not in (key, EACH):
                context.wrong(item, _("$each needs a for_each over {key!r}", key=key))
        else:
            value_of(attribute, item, context)
    if attribute.kind == "rank":
        message = _("a rank is compared with at_least or at_most")
        context.wrong(place, message)
    return place.data


def _comparison(attribute: Attribute, place: Placed, context: Context) -> Any:
    allowed = {
        "values": ("containing", "outside", "naming"),
        "number": ("at_least", "at_most"),
        "rank": ("at_least", "at_most"),
        "home": (),
    }[attribute.kind]
    for key in place.data:
        part = inside(place, key)
        if key not in allowed:
            context.wrong(part, _("{key!r} can't be asked of {attribute}", key=key, attribute=attribute.name))
        elif key in ("outside", "naming"):
            if context.asks is not None:
                context.wrong(part, _("{key} can't be asked inside of {asks}", key=key, asks=context.asks))
            zone_of(part, context)
        elif key == "containing":
            if not any(str(part.data) in value for value in context.values(attribute)):
                context.wrong(
                    part,
                    _(
                        "no {attribute} in the card table contains {data!r}",
                        attribute=attribute.name,
                        data=part.data,
                    ),
                )
        else:
            value_of(attribute, part, context)
    low, high = place.data.get("at_least"), place.data.get("at_most")
    ranks = {code: at for at, codes in enumerate(attribute.order) for code in codes}
    ends = [ranks.get(end) if isinstance(end, str) else end for end in (low, high)]
    numbers = [end for end in ends if isinstance(end, int | float)]
    if len(numbers) == 2 and numbers[0] > numbers[1]:
        context.wrong(place, _("at_least {low} is over at_most {high}", low=low, high=high))
    return place.data
