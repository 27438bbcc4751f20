"""Clauses that make no sense, or have no effect, whatever the deck."""

from collections.abc import Iterator, Mapping
from typing import Any

BOUNDS = ("at_most", "at_least", "exactly", "one_of")


def nonsense(clause: Mapping[str, Any], *, loops: bool) -> Iterator[tuple[str, str]]:
    """What is wrong with a settled clause whose words are all right by themselves, in both languages.

    `loops` tells that its condition looks at `$each`.
    """
    bounds = [key for key in BOUNDS if key in clause]
    if bounds and "either" in clause:
        yield (
            "either の横に上限・下限は書けません（その中に書きます）",
            "bounds stand inside of either, not beside it",
        )
    elif not bounds and "either" not in clause:
        yield (
            "at_most・at_least・exactly・one_of のどれかが必要です",
            "one of at_most, at_least, exactly, one_of is needed",
        )
    if "either" in clause and ("for_each" in clause or "for_some" in clause):
        # Whether one way is to hold for all values or each value may have its own can't be seen.
        yield (
            "either の横に for_each・for_some は書けません（その中に書きます）",
            "for_each and for_some stand inside of either, not beside it",
        )
    if "either" in clause and "message" not in clause:
        # Of several ways that fail no single one says what is wrong.
        yield "either には message が必要です", "either needs a message"
    elif "either" in clause and any(field in str(clause["message"]) for field in ("{found}", "{allowed}")):
        ja = "either の message に {found} と {allowed} は使えません（数え方によって違うため）"
        yield ja, "the message of either takes no {found} and no {allowed}, which differ from count to count"
    if "exactly" in bounds and len(bounds) > 1:
        yield "exactly はほかの上限・下限と一緒に使えません", "exactly stands alone, without other bounds"
    if "one_of" in bounds and len(bounds) > 1:
        yield "one_of はほかの上限・下限と一緒に使えません", "one_of stands alone, without other bounds"
    low, high = clause.get("at_least"), clause.get("at_most")
    if isinstance(low, int) and isinstance(high, int) and low > high:
        yield f"下限{low}が上限{high}を超えています", f"at_least {low} is over at_most {high}"
    if low == 0:
        yield "at_least: 0 には効果がありません", "at_least: 0 has no effect"
    if low == 1 and "per" in clause and "at_most" not in clause:
        # A group of which there is nothing is no group.
        yield (
            "per のグループにはいつも1枚以上あるので、効果がありません",
            "every group that there is holds at least 1, so this has no effect",
        )
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
    elif ("for_each" in clause or "for_some" in clause) and not loops:
        loop = "for_each" if "for_each" in clause else "for_some"
        ja = f"where に $each がないので、{loop} に効果がありません"
        yield ja, f"there is no $each in where, so {loop} has no effect"
    if clause.get("since", "") > clause.get("until", "9"):
        yield "since が until より後です", "since is after until"
    yield from _growing(clause)
    yield from _sides(clause)
    yield from _inside_out(clause)


def _growing(clause: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key in ("at_most", "at_least", "exactly"):
        bound = clause.get(key)
        if not isinstance(bound, Mapping):
            continue
        base, plus = bound["base"], bound["plus"]
        if plus == 0:
            yield f"plus: 0 では {key} が増えません", f"with plus: 0 {key} doesn't grow"
        elif base == 0 and plus < 0 and key == "at_least":
            yield (
                "at_least がいつも0以下なので、効果がありません",
                "at_least is never over 0, so it has no effect",
            )
        elif base + plus < 0 and key != "at_least" and not isinstance(clause.get("count"), Mapping):
            ja = f"1枚あるだけで {key} が0を下回り、守れなくなります"
            yield ja, f"a single copy takes {key} below 0, which nothing can keep"


def _sides(clause: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    sides = clause.get("sides")
    if not isinstance(sides, list):
        return
    low, high = clause.get("at_least", 0), clause.get("at_most", 0)
    if isinstance(high, int) and high >= len(sides):
        yield (
            f"側は{len(sides)}つしかないので、at_most に効果がありません",
            f"there are only {len(sides)} sides, so at_most has no effect",
        )
    if isinstance(low, int) and low > len(sides):
        yield (
            f"側は{len(sides)}つしかないので、守れません",
            f"there are only {len(sides)} sides, so nothing can keep this",
        )


def _inside_out(clause: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """No card in a zone has a value that no card in that zone has."""
    zones = clause.get("in")
    alone = zones if isinstance(zones, str) else zones[0] if zones and len(zones) == 1 else None
    waiting = [clause.get("where", {})]
    while waiting:
        where = waiting.pop()
        waiting += where.get("all", ())
        for value in where.values():
            if isinstance(value, Mapping) and alone is not None and value.get("outside") == alone:
                ja = f"「{alone}」の中に「{alone}」にない値のカードはないので、効果がありません"
                yield ja, f"no card in {alone!r} has a value outside of {alone!r}, so this has no effect"
