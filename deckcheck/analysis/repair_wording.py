"""Repairs in words and as JSON values."""

from collections.abc import Callable, Iterator
from typing import Any

from deckcheck.analysis.repair import Additions, NotRepaired, Repair
from deckcheck.analysis.repaired_lists import RepairedList
from deckcheck.checking.deck_copies import names_in_language_of
from deckcheck.checking.judge import LoadedFormat
from deckcheck.formats.description import described_cards
from deckcheck.report.text import painter
from deckcheck.report.wording import LABELS, Label
from deckcheck.support.messages import Words, _, card_name, card_series, n_, p_, shortened
from deckcheck.support.safe_text import safe

_MOST_NAMED = 5


def repair_lines(repaired: RepairedList, lang: str, color: bool = False) -> Iterator[str]:
    """Yields the lines that say what to change in a list, why nothing was found, or that it is legal."""
    report, outcome, paint = repaired.report, repaired.outcome, painter(color)
    name, day = report.format_name, report.as_of
    lines: list[Words] = []
    match outcome:
        case None:
            head: Words = _("legal in {format} ({day}); nothing to change", format=name, day=day)
        case Repair():
            head = _headline(outcome, name, day)
            spelt = names_in_language_of(repaired.opened.deck, repaired.opened.format)
            lines += change_lines(outcome, repaired.opened.format, spelt)
        case NotRepaired():
            head = _(
                "no legal deck was found for {format} ({day}); of the nearest one tried remain:",
                format=name,
                day=day,
            )
            lines += [
                _("{rule}: {message}", rule=finding.rule, message=finding.message)
                for finding in outcome.findings
            ]
    for warning in repaired.warnings:
        lines.append(p_("problem", "{label}: {message}", label=LABELS[Label.WARNING], message=warning))
    yield f"{paint(safe(report.deck.path) + ':', 'bold')} {safe(head.in_(lang))}"
    yield from (f"  {safe(line.in_(lang))}" for line in lines)


def _headline(repair: Repair, name: Words, day: str) -> Words:
    if repair.is_proven:
        return n_(
            "{n} copy to change for a legal deck in {format} ({day}); proven smallest",
            "{n} copies to change for a legal deck in {format} ({day}); proven smallest",
            repair.distance,
            format=name,
            day=day,
        )
    return n_(
        "{n} copy to change for a legal deck in {format} ({day}); a small change",
        "{n} copies to change for a legal deck in {format} ({day}); a small change",
        repair.distance,
        format=name,
        day=day,
    )


def change_lines(repair: Repair, format: LoadedFormat, spelt: Callable[[str], str]) -> Iterator[Words]:
    """Yields the changes of a repair and their alternatives, one per line; `spelt` names a card as the list does."""
    zones = format.zone_names
    alternatives = {(other.zone, other.name): other for other in repair.alternatives}
    for change in repair.changes:
        yield _(
            "{zone}: {name}: {before} → {after}",
            zone=zones.get(change.zone, change.zone),
            name=spelt(change.name),
            before=change.before,
            after=change.after,
        )
        other = alternatives.get((change.zone, change.name))
        if other is not None:
            yield n_(
                "(or instead a copy of {names})",
                "(or, for one of these {n} copies, a copy of {names})",
                other.copies,
                names=shortened([card_name(spelt(name)) for name in other.names], _MOST_NAMED),
            )
    for addition in repair.additions:
        yield _(
            "{zone}: {n} more {cards} that keep the other rules, such as {names}",
            zone=zones.get(addition.zone, addition.zone),
            n=addition.copies,
            cards=_described(addition, format),
            names=card_series(map(spelt, addition.examples)),
        )


def _described(addition: Additions, format: LoadedFormat) -> Words:
    return described_cards(format.format, format.game_data.game, addition.where, addition.copies)


def repair_object(repaired: RepairedList, lang: str) -> dict[str, Any]:
    """A list and its repair as JSON values, by schemas/repair.schema.json."""
    report, outcome, format = repaired.report, repaired.outcome, repaired.opened.format
    repair = repaired.repair or Repair(0, 0, {}, ())
    is_found = not isinstance(outcome, NotRepaired)
    choices = [
        {
            "zone": other.zone,
            "direction": "in" if other.is_added else "out",
            "copies": other.copies,
            "name": other.name,
            "examples": [other.name, *other.names],
            "cards": None,
        }
        for other in repair.alternatives
    ]
    choices += [
        {
            "zone": addition.zone,
            "direction": "in",
            "copies": addition.copies,
            "name": None,
            "examples": list(addition.examples),
            "cards": _described(addition, format).in_(lang),
        }
        for addition in repair.additions
    ]
    return {
        "path": report.deck.path,
        "format": report.format,
        "as_of": report.as_of,
        "verdict": report.verdict,
        "distance": repair.distance if is_found else None,
        "proven": is_found and repair.is_proven,
        "bound": repair.bound if is_found else None,
        "warnings": [warning.in_(lang) for warning in repaired.warnings],
        "changes": [
            {"zone": change.zone, "name": change.name, "from": change.before, "to": change.after}
            for change in repair.changes
        ],
        "choices": choices,
        "remaining": [
            {"rule": finding.rule, "message": finding.message.in_(lang)}
            for finding in (outcome.findings if isinstance(outcome, NotRepaired) else ())
        ],
        "deck": repaired.text if is_found else None,
    }
