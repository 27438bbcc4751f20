"""The words of a predicate, checked against the game: attributes, values, names, statuses, refs, zones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from deckcheck.cards import Catalogue
from deckcheck.errors import Problem
from deckcheck.formats.merge import Placed
from deckcheck.games import Attribute, Game
from deckcheck.rules.predicates import EACH
from deckcheck.schema import did_you_mean
from deckcheck.text import Text
from deckcheck.yamlfile import Document, Keys

INFINITY = "∞"


@dataclass(slots=True)
class Context:
    """What the words are checked against, and what has been found so far.

    `statuses` collects the statuses that some rule looks at; `each` is the
    attribute of the `for_each` around the predicate at hand.
    """

    game: Game
    catalogue: Catalogue
    zones: Iterable[str]
    definitions: dict[str, Placed]
    problems: list[Problem] = field(default_factory=list)
    statuses: dict[str, tuple[Document, Keys]] = field(default_factory=dict)
    each: str | None = None

    def wrong(self, place: Placed, ja: str, en: str, hint: Text | None = None) -> None:
        """Note a problem at a place."""
        self.problems.append(place.document.problem(place.keys, ja, en, hint))


def inside(place: Placed, *keys: str | int) -> Placed:
    """The piece below a piece."""
    data = place.data
    for key in keys:
        data = data[key]
    return Placed(data, place.document, (*place.keys, *keys))


def listed(place: Placed) -> Iterator[Placed]:
    """The items of a list, or the one value that stands in its stead."""
    if isinstance(place.data, list):
        for at in range(len(place.data)):
            yield inside(place, at)
    else:
        yield place


def settle_predicate(place: Placed, context: Context, refs: tuple[str, ...] = ()) -> dict[str, Any]:
    """The predicate with canonical names and without refs; problems are noted in the context."""
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
                attribute_of(inside(part, "same"), context)
                where = settle_predicate(inside(part, "where"), context, refs)
                settled[key] = {"same": part.data["same"], "where": where}
            case _:
                settled[key] = _matcher(key, part, context)
    return settled


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
    return settle_predicate(found, context, (*refs, name))


def card_name(place: Placed, context: Context) -> str:
    """The canonical name of the one card that is meant."""
    name = str(place.data)
    cards = context.catalogue.find(name)
    if len(cards) == 1:
        return cards[0].name
    if cards:
        names = " / ".join(card.name for card in cards)
        context.wrong(place, f"「{name}」は {names} のどれですか", f"{name!r} may be any of {names}")
    else:
        near = context.catalogue.suggest(name)[:1]
        hint = Text(f"「{near[0]}」のことですか", f"did you mean {near[0]!r}?") if near else None
        context.wrong(place, f"「{name}」というカードはありません", f"there is no card {name!r}", hint)
    return name


def status_of(place: Placed, context: Context) -> str:
    """The status that a word names; the context remembers that a rule looks at it."""
    name = str(place.data)
    if name not in context.game.statuses:
        hint = did_you_mean(name, context.game.statuses)
        context.wrong(place, f"「{name}」という扱いはありません", f"there is no status {name!r}", hint)
    context.statuses.setdefault(name, (place.document, place.keys))
    return name


def attribute_of(place: Placed, context: Context) -> Attribute | None:
    """The attribute that a word names."""
    return _attribute(str(place.data), place, context)


def _attribute(name: str, place: Placed, context: Context) -> Attribute | None:
    found = context.game.attributes.get(name)
    if found is None:
        words = [
            *context.game.attributes,
            "all",
            "any",
            "not",
            "ref",
            "name",
            "status",
            "any_part",
            "no_other_card",
        ]
        hint = did_you_mean(name, words)
        context.wrong(place, f"「{name}」という属性はありません", f"there is no attribute {name!r}", hint)
    return found


def zone_of(place: Placed, context: Context) -> None:
    """Note a problem when a word names no zone of the format."""
    if place.data not in context.zones:
        hint = did_you_mean(place.data, context.zones)
        ja, en = (
            f"「{place.data}」というゾーンはこのフォーマットにありません",
            f"this format has no zone {place.data!r}",
        )
        context.wrong(place, ja, en, hint)


def _matcher(key: str, place: Placed, context: Context) -> Any:
    attribute = _attribute(key, place, context)
    if attribute is None:
        return place.data
    if isinstance(place.data, dict):
        return _comparison(attribute, place, context)
    for item in listed(place):
        if item.data == EACH:
            if context.each != key:
                ja = f"$each は for_each: {{{key}: …}} の中だけで使えます"
                context.wrong(item, ja, f"$each needs a for_each over {key!r}")
        else:
            value_of(attribute, item, context)
    if attribute.kind == "rank":
        context.wrong(place, "at_least を使ってください", "a rank is compared with at_least")
    return place.data


def value_of(attribute: Attribute, place: Placed, context: Context) -> None:
    """Note a problem when a value is none of the attribute's."""
    known: Iterable[str] = attribute.values
    if attribute.kind == "home":
        known = context.game.zones
    elif attribute.kind == "number":
        if not isinstance(place.data, int | float):
            context.wrong(place, f"「{place.data}」は数ではありません", f"{place.data!r} is no number")
        return
    elif attribute.kind == "rank":
        known = [code for codes in attribute.order for code in codes]
    if known and str(place.data) not in known:
        hint = did_you_mean(place.data, known)
        ja = f"「{place.data}」は{attribute.name.ja}の値ではありません"
        context.wrong(place, ja, f"{place.data!r} is no {attribute.name.en}", hint)


def _comparison(attribute: Attribute, place: Placed, context: Context) -> Any:
    allowed = {
        "values": ("containing", "outside"),
        "number": ("at_least", "at_most"),
        "rank": ("at_least",),
        "home": (),
    }[attribute.kind]
    for key in place.data:
        part = inside(place, key)
        if key not in allowed:
            ja = f"{attribute.name.ja}に「{key}」は使えません"
            context.wrong(part, ja, f"{key!r} can't be asked of {attribute.name.en}")
        elif key == "outside":
            zone_of(part, context)
        elif key != "containing":
            value_of(attribute, part, context)
    return place.data
