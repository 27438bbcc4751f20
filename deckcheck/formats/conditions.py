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
from deckcheck.model.predicate import EACH
from deckcheck.support.schema import did_you_mean


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
        ja, en = f"{attribute.name.ja}は比べられません", f"cards can't be compared by {attribute.name.en}"
        context.wrong(same, ja, en)
    if context.asks == "no_other_card":
        context.wrong(place, "no_other_card は入れ子にできません", "no_other_card can't stand in another")
    with context.below(place, "no_other_card"):
        where = settle_predicate(inside(place, "where"), context, refs)
    return {"same": same.data, "where": where}


def _ref(place: Placed, context: Context, refs: tuple[str, ...]) -> dict[str, Any]:
    name = place.data
    found = context.definitions.get(name)
    if found is None:
        hint = did_you_mean(name, context.definitions)
        context.wrong(place, f"「{name}」は定義されていません", f"{name!r} is not defined", hint)
        return {"name": []}
    if name in refs:
        context.wrong(
            place, f"「{name}」の定義が輪になっています", f"the definition of {name!r} runs in a circle"
        )
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
                ja = f"$each は {context.asks} の中では使えません"
                context.wrong(item, ja, f"$each has no meaning inside of {context.asks}")
            elif context.each not in (key, EACH):
                ja = f"$each は for_each: {{{key}: …}} の中だけで使えます"
                context.wrong(item, ja, f"$each needs a for_each over {key!r}")
        else:
            value_of(attribute, item, context)
    if attribute.kind == "rank":
        ja, en = "at_least か at_most を使ってください", "a rank is compared with at_least or at_most"
        context.wrong(place, ja, en)
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
            ja = f"{attribute.name.ja}に「{key}」は使えません"
            context.wrong(part, ja, f"{key!r} can't be asked of {attribute.name.en}")
        elif key in ("outside", "naming"):
            if context.asks is not None:
                ja = f"{key} は {context.asks} の中では使えません"
                context.wrong(part, ja, f"{key} can't be asked inside of {context.asks}")
            zone_of(part, context)
        elif key == "containing":
            if not any(str(part.data) in value for value in context.values(attribute)):
                ja = f"「{part.data}」を含む{attribute.name.ja}はカード表にありません"
                context.wrong(part, ja, f"no {attribute.name.en} in the card table contains {part.data!r}")
        else:
            value_of(attribute, part, context)
    low, high = place.data.get("at_least"), place.data.get("at_most")
    ranks = {code: at for at, codes in enumerate(attribute.order) for code in codes}
    ends = [ranks.get(end) if isinstance(end, str) else end for end in (low, high)]
    numbers = [end for end in ends if isinstance(end, int | float)]
    if len(numbers) == 2 and numbers[0] > numbers[1]:
        context.wrong(place, f"下限{low}が上限{high}を超えています", f"at_least {low} is over at_most {high}")
    return place.data
