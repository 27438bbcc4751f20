"""A format in words: what each rule asks, for people who don't read YAML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deckcheck.model.format import Format
from deckcheck.model.game import Game
from deckcheck.model.rule import Bound, Clause, Loop, Range, Selection, Severity
from deckcheck.report.phrases import Names, condition
from deckcheck.report.writer import RuleInfo
from deckcheck.rules.counting import is_ban
from deckcheck.support.messages import OR, Localized, _
from deckcheck.support.safetext import safe
from deckcheck.support.text import Text

_GRAVITY: Sequence[Severity] = ("error", "warning", "info")


def describe_format(format: Format, game: Game, lang: str) -> str:
    """Every rule of the format in a sentence, with the section of the text and the line that says it."""
    names = Names(game, format.zones, lang)
    lines = [f"{format.name.in_(lang)}  {format.id}"]
    lines += list(_sources(format, names))
    lines.append("")
    for rule in format.rules:
        place = f"{rule.source.path}:{rule.source.line}"
        cite = "" if rule.cite is None else names.say(_("  [{cite}]", cite=rule.cite))
        lines.append(f"{rule.id}{cite}  {place}")
        lines += [f"  {sentence(clause, names)}" for clause in rule.clauses]
        for one in rule.instead_of:
            before = f"{one.path}:{one.line}"
            lines.append(names.say(_("  (in place of {before})", before=before)))
    for beside in format.set_aside:
        lines.append(f"{beside.id}  {beside.source.path}:{beside.source.line}")
        lines.append(f"  {beside.message.in_(lang)}")
    return "\n".join(map(safe, lines)) + "\n"


def rule_infos(format: Format, game: Game) -> tuple[RuleInfo, ...]:
    """Each rule of the format with its summary in both languages; what lies beside the deck last."""
    names = [Names(game, format.zones, lang) for lang in ("ja", "en")]
    found = []
    for rule in format.rules:
        ja, en = ("\n".join(sentence(clause, one) for clause in rule.clauses) for one in names)
        gravest = min((clause.severity for clause in rule.clauses), key=_GRAVITY.index)
        found.append(
            RuleInfo(format.id, format.name, rule.id, gravest, Localized(ja, en), rule.cite, rule.source)
        )
    for beside in format.set_aside:
        found.append(
            RuleInfo(format.id, format.name, beside.id, "info", beside.message, beside.cite, beside.source)
        )
    return tuple(found)


def _sources(format: Format, names: Names) -> Iterator[str]:
    if format.title is not None:
        editions = [
            one.edition
            if one.date is None
            else names.say(_("{edition} ({date})", edition=one.edition, date=one.date))
            for one in format.editions
        ]
        yield names.say(_("source: ")) + " ".join([format.title, *names.joined(editions)])
    zones = names.listed([names.zone(zone) for zone in format.zones])
    yield names.say(_("zones: {zones}", zones=zones))
    if format.exchange:
        between = names.listed([names.zone(zone) for zone in format.exchange])
        yield names.say(_("exchange between games: {between}", between=between))
    for zone, (listed, most) in format.listed_as.items():
        own, other = names.zone(zone), names.zone(listed)
        yield names.say(
            _(
                "where nothing stands under {own}, up to {most} cards under {other} are taken for it",
                own=own,
                most=most,
                other=other,
            ),
        )
    for banlist in format.banlists:
        start, through = banlist.complete_from, banlist.complete_through
        known = "" if start is None else names.say(_(" (complete from {start})", start=start))
        if through is not None:
            known += names.say(_(" (complete through {through})", through=through))
        if banlist.partial:
            known = names.say(_(" (only some of its entries are known)")) + known
        yield names.say(_("list: ")) + banlist.name.in_(names.lang) + known + f"  {banlist.path}"


def sentence(clause: Clause, names: Names) -> str:
    """What one clause asks, with its days and what breaking it means."""
    said = _when(clause, names) + _each(clause, names) + _asked(clause, names)
    if clause.since is not None:
        said += names.say(_(" (from {since})", since=clause.since))
    if clause.until is not None:
        said += names.say(_(" (until {until})", until=clause.until))
    if clause.severity != "error" and not is_ban(clause):
        said += (
            names.say(_(" (warning only)")) if clause.severity == "warning" else names.say(_(" (note only)"))
        )
    return said


def _when(clause: Clause, names: Names) -> str:
    if clause.when is None:
        return ""
    parts = [f"{key} = {value}" for key, value in clause.when.options]
    if clause.when.selection is not None:
        parts.append(_held(clause.when.selection, names))
    joined = names.say(Text("・", " and ")).join(parts)
    return names.say(_("when {joined}: ", joined=joined))


def _each(clause: Clause, names: Names) -> str:
    for values, ja, en in (
        (clause.for_each, "それぞれについて", "for each"),
        (clause.for_some, "どれかについて", "for some"),
    ):
        if values is not None:
            return names.say(Text(f"{_values(values, names)}の{ja}、", f"{en} {_values(values, names)}: "))
    return ""


def _values(values: Loop, names: Names) -> str:
    attribute = names.attribute(values.attribute)
    if values.zone is not None:
        return names.say(_("{attribute} of the {zone}", attribute=attribute, zone=names.zone(values.zone)))
    return f"{attribute} " + names.listed([names.value(values.attribute, one) for one in values.listed])


def _asked(clause: Clause, names: Names) -> str:
    if clause.either:
        ways = names.say(_("; or ")).join(_each(one, names) + _asked(one, names) for one in clause.either)
        return names.say(_("one of these: {ways}", ways=ways))
    cards = _selected(clause.selection, names)
    bound = _bounds(clause, names)
    if clause.counted == "sides":
        sides = _sides(clause, names)
        return names.say(_("of {sides}: {bound}", sides=sides, bound=bound))
    if is_ban(clause):
        return {
            "error": names.say(_("no {cards}", cards=cards)),
            "warning": names.say(_("a warning for {cards}", cards=cards)),
            "info": names.say(_("a note for {cards}", cards=cards)),
        }[clause.severity]
    if clause.per == "name":
        return names.say(_("{cards}: {bound} of each name", cards=cards, bound=bound))
    if clause.per is not None:
        group = names.attribute(clause.per)
        return names.say(_("{cards}: {bound} for each {group}", cards=cards, bound=bound, group=group))
    if clause.counted == "names":
        copies = _copies(clause.copies, names)
        return names.say(
            _("different names{copies} of {cards}: {bound}", copies=copies, cards=cards, bound=bound)
        )
    if clause.summed:
        total = names.attribute(clause.counted)
        return names.say(_("the sum of {total} of {cards}: {bound}", total=total, cards=cards, bound=bound))
    return names.say(_("{cards}: {bound}", cards=cards, bound=bound))


def _selected(selection: Selection, names: Names) -> str:
    zones = names.zones(selection.zones)
    if selection.where is None:
        return names.say(_("cards in {zones}", zones=zones))
    which = condition(selection.where, names)
    return names.say(_("cards in {zones} where {which}", zones=zones, which=which))


def _held(selection: Selection, names: Names) -> str:
    zones = names.zones(selection.zones)
    if selection.where is None:
        return names.say(_("there is a card in {zones}", zones=zones))
    which = condition(selection.where, names)
    return names.say(_("there is a card in {zones} where {which}", zones=zones, which=which))


def _copies(copies: Range | None, names: Names) -> str:
    if copies is None:
        return ""
    if copies.high is None:
        return names.say(_(" in {low} copies or more", low=copies.low))
    return names.say(_(" in {low} to {high} copies", low=copies.low, high=copies.high))


def _sides(clause: Clause, names: Names) -> str:
    if isinstance(clause.sides, str):
        status = names.game.statuses[clause.sides].name.in_(names.lang)
        return names.say(_("the sides of each {status}", status=status))
    return " / ".join(f"[{condition(side, names)}]" for side in clause.sides or ())


def _bounds(clause: Clause, names: Names) -> str:
    unit = names.say(
        Text({"names": "種類", "sides": "方"}.get(clause.counted, "" if clause.summed else "枚"), "")
    )
    if clause.one_of is not None:
        return names.say(OR).join(f"{one}{unit}" for one in clause.one_of)
    if clause.exactly is not None:
        exact = _bound(clause.exactly, unit, names)
        return names.say(_("exactly {exact}", exact=exact))
    parts = []
    if clause.low is not None:
        low = _bound(clause.low, unit, names)
        parts.append(names.say(_("at least {low}", low=low)))
    if clause.high is not None:
        high = _bound(clause.high, unit, names)
        parts.append(names.say(_("at most {high}", high=high)))
    return names.say(Text("、", " and ")).join(parts)


def _bound(bound: Bound, unit: str, names: Names) -> str:
    if isinstance(bound, int):
        return f"{bound}{unit}"
    cards = _selected(bound.copies_of, names)
    return names.say(
        Text(
            f"{bound.base}{unit}（{cards}1枚につき+{bound.plus}{unit}）",
            f"{bound.base} (+{bound.plus} for each copy of {cards})",
        ),
    )
