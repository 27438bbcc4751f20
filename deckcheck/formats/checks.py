"""The rules of a format, checked against the game and against sense."""

from __future__ import annotations

import string
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

from deckcheck.formats.build import CLAUSE_KEYS
from deckcheck.formats.merge import Merged, Placed
from deckcheck.formats.vocabulary import (
    Context,
    attribute_of,
    combined_status,
    inside,
    listed,
    settle_predicate,
    value_of,
    zone_of,
)
from deckcheck.rules.predicates import EACH
from deckcheck.schema import did_you_mean

BOUNDS = ("at_most", "at_least", "exactly", "one_of")
FIELDS = ("card", "found", "allowed", "zone", "each")


def check_head(merged: Merged, context: Context) -> None:
    """Note problems with the zones, with those of exchanges, and with the source."""
    for name, place in merged.zones.items():
        if name not in context.game.zones:
            hint = did_you_mean(name, context.game.zones)
            ja, en = f"「{name}」というゾーンはこのゲームにありません", f"the game has no zone {name!r}"
            context.wrong(place, ja, en, hint)
    if merged.exchange is not None:
        for at, item in enumerate(listed(merged.exchange)):
            zone_of(item, context)
            if item.data in merged.exchange.data[:at]:
                context.wrong(item, f"「{item.data}」が二度あります", f"{item.data!r} stands here twice")
    if "source" in merged.document.data:
        check_source(inside(Placed(merged.document.data, merged.document, ()), "source"), context)


def check_unused(merged: Merged, context: Context) -> None:
    """Note problems with the format's own definitions that no rule has looked into."""
    spare = replace(context, each=EACH, statuses={}, combined={})
    for name, place in merged.definitions.items():
        if name not in context.used and place.document is merged.document:
            settle_predicate(place, spare, (name,))


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


def settle_clause(pieces: list[Placed], context: Context) -> dict[str, Any]:
    """One clause; a later piece overrides what an earlier one says."""
    parts = {key: inside(piece, key) for piece in pieces for key in piece.data if key in CLAUSE_KEYS}
    context.each = _each(parts, context)
    settled = {key: _settle(key, part, context) for key, part in parts.items()}
    settled["line"] = pieces[-1].document.line(pieces[-1].keys)
    context.each = None
    for ja, en in _nonsense(settled):
        context.wrong(pieces[-1], ja, en)
    _check_attributes(parts, context)
    return settled


def _each(parts: dict[str, Placed], context: Context) -> str | None:
    place = parts.get("for_each") or parts.get("for_some")
    if place is None:
        return None
    [name] = place.data
    attribute = attribute_of(Placed(name, place.document, (*place.keys, name)), context)
    of = inside(place, name)
    if attribute is not None and attribute.kind != "values":
        context.wrong(of, f"「{name}」の値ごとには調べられません", f"{name!r} has no values to go through")
        return str(name)
    if isinstance(of.data, dict):
        zone_of(inside(of, "of"), context)
    elif attribute is not None and of.data != "every":
        for item in listed(of):
            value_of(attribute, item, context)
    elif attribute is not None and not attribute.values:
        ja, en = f"「{name}」の値は一覧になっていません", f"the values of {name!r} are not listed"
        context.wrong(of, ja, en)
    return str(name)


def _settle(key: str, place: Placed, context: Context) -> Any:
    match key:
        case "where":
            return settle_predicate(place, context)
        case "in":
            for item in listed(place):
                zone_of(item, context)
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
        for item in listed(inside(place, "in")):
            zone_of(item, context)
    if "where" in settled:
        settled["where"] = settle_predicate(inside(place, "where"), context)
    return settled


def check_date(place: Placed, context: Context) -> None:
    """Note a problem when a date is no day of the calendar."""
    try:
        date.fromisoformat(str(place.data))
    except ValueError:
        context.wrong(place, f"「{place.data}」という日はありません", f"there is no day {place.data!r}")


def check_source(place: Placed, context: Context) -> None:
    """Note problems with the days of a source and its editions."""
    if "date" in place.data:
        check_date(inside(place, "date"), context)
    before = ""
    for item in listed(inside(place, "editions")) if "editions" in place.data else ():
        day = inside(item, "date")
        check_date(day, context)
        if day.data <= before:
            context.wrong(day, "日付が古い順に並んでいません", "the days are not in order")
        before = day.data


def _check_fields(place: Placed, context: Context) -> None:
    texts = place.data.values() if isinstance(place.data, dict) else [place.data]
    for text in texts:
        try:
            fields = [one[1:] for one in string.Formatter().parse(text) if one[1] is not None]
        except ValueError:
            context.wrong(place, "波括弧の対応が取れていません", "the braces don't match")
            continue
        for name, spec, conversion in fields:
            if spec or conversion:
                ja, en = f"{{{name}}} に書式は付けられません", f"{{{name}}} takes no formatting"
                context.wrong(place, ja, en)
            if name not in FIELDS:
                hint = did_you_mean(name, FIELDS)
                context.wrong(
                    place, f"「{{{name}}}」という欄はありません", f"there is no field {{{name}}}", hint
                )


def _check_attributes(parts: dict[str, Placed], context: Context) -> None:
    per = parts.get("per")
    if per is not None and per.data != "name":
        attribute = attribute_of(per, context)
        if attribute is not None and attribute.kind != "values":
            context.wrong(per, f"「{per.data}」では分けられません", f"{per.data!r} makes no groups")
    count = parts.get("count")
    if count is not None and isinstance(count.data, dict):
        attribute = attribute_of(inside(count, "sum"), context)
        if attribute is not None and attribute.kind != "number":
            context.wrong(count, "数の属性だけを合計できます", "only numbers can be added up")


def _nonsense(clause: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What is wrong with a clause whose words are all right by themselves."""
    bounds = [key for key in BOUNDS if key in clause]
    if not bounds:
        yield (
            "at_most・at_least・exactly・one_of のどれかが必要です",
            "one of at_most, at_least, exactly, one_of is needed",
        )
    if "exactly" in bounds and len(bounds) > 1:
        yield "exactly はほかの上限・下限と一緒に使えません", "exactly stands alone, without other bounds"
    if "one_of" in bounds and len(bounds) > 1:
        yield "one_of はほかの上限・下限と一緒に使えません", "one_of stands alone, without other bounds"
    low, high = clause.get("at_least"), clause.get("at_most")
    if isinstance(low, int) and isinstance(high, int) and low > high:
        yield f"下限{low}が上限{high}を超えています", f"at_least {low} is over at_most {high}"
    if low == 0 and "at_most" not in clause:
        yield "at_least: 0 には効果がありません", "at_least: 0 has no effect"
    copies = clause.get("copies")
    if copies is not None:
        if clause.get("count") != "names":
            yield "copies は count: names と一緒に使います", "copies goes with count: names"
        if copies.get("at_least", 1) > copies.get("at_most", float("inf")):
            yield "copies の下限が上限を超えています", "the at_least of copies is over its at_most"
    if ("sides" in clause) != (clause.get("count") == "sides"):
        yield "sides は count: sides と一緒に使います", "sides goes with count: sides"
    if clause.get("count") == "sides" and "where" in clause:
        yield "count: sides に where は使えません", "count: sides takes no where"
    if "per" in clause and clause.get("count", "copies") != "copies":
        yield "per は枚数だけを分けます", "per groups copies only"
    if "for_each" in clause and "for_some" in clause:
        yield "for_each と for_some は一緒に使えません", "for_each and for_some don't go together"
    if clause.get("since", "") > clause.get("until", "9"):
        yield "since が until より後です", "since is after until"
