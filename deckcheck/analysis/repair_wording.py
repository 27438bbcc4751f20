"""Repairs in words: what keeps a list from being repaired, what changes, and which rules clash."""

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING

from deckcheck.checking.judge import LoadedFormat
from deckcheck.formats.description import rule_infos
from deckcheck.model.deck import Deck
from deckcheck.model.finding import PARTIAL, UNCLEAR, UNKNOWN_CARD, UNKNOWN_ZONE, Finding, Report, singly
from deckcheck.report.writer import marks
from deckcheck.support.errors import Problem
from deckcheck.support.messages import Words, _, n_, series, shortened

if TYPE_CHECKING:
    from deckcheck.analysis.repair import Choice, Clash, Repair

_MOST_NAMED = 5


def doubts_about(report: Report, format: LoadedFormat) -> Iterator[Problem]:
    """What keeps a list from being read or judged with certainty, as the check words it; nothing can be repaired then.

    `report` ignores no findings.
    """
    deck, game_zones = report.deck, format.game_data.game.zones
    for finding in singly(report.findings):
        # Cards in a zone of the game that the format lacks are moved.
        movable = finding.rule == UNKNOWN_ZONE and finding.zone in game_zones
        if finding.rule in UNCLEAR and not movable:
            problem = problem_of(finding, deck)
            if finding.rule in (UNKNOWN_CARD, "ambiguous-name"):
                option = shlex.join(["--without", finding.cards[0].name])
                hint = finding.hint or _("correct the line")
                problem = problem._replace(
                    hint=_("{hint} (or take it out: {option})", hint=hint, option=option)
                )
            yield problem
    for finding in (*report.findings, *(superseded.finding for superseded in report.superseded)):
        if finding.rule == PARTIAL:
            yield Problem(finding.message, deck.path, hint=finding.hint)


def problem_of(finding: Finding, deck: Deck) -> Problem:
    """A finding about a line of a list that can't be used because of it."""
    mark = next(iter(marks(finding, deck)), None)
    if mark is None:
        return Problem(finding.message, deck.path, hint=finding.hint)
    line, column, length = mark
    return Problem(finding.message, deck.path, line, column, deck.lines[line - 1], finding.hint, length)


def headline(found: "Repair", name: str, day: str) -> Words:
    """The size of a repair; `name` is that of the format."""
    if found.proven:
        return n_(
            "{n} copy to change for a legal deck in {format} ({day}); proven smallest",
            "{n} copies to change for a legal deck in {format} ({day}); proven smallest",
            found.distance,
            format=name,
            day=day,
        )
    return n_(
        "{n} copy to change for a legal deck in {format} ({day}); at least {bound} needed, not proven smallest",
        "{n} copies to change for a legal deck in {format} ({day}); at least {bound} needed, not proven smallest",
        found.distance,
        bound=found.bound,
        format=name,
        day=day,
    )


def change_lines(found: "Repair", format: LoadedFormat) -> Iterator[Words]:
    """The changes of a repair and what is free to choose in them, each in a line."""
    zones = {zone.id: zone.name for zone in format.game_data.game.zones.values()} | {**format.format.zones}
    alternatives = {(choice.zone, choice.name): choice for choice in found.choices if choice.name}
    named = {(change.zone, change.name) for change in found.changes}
    for zone, name, before, after in found.changes:
        zone_name = zones.get(zone, zone)
        yield _("{zone}: {name}: {before} → {after}", zone=zone_name, name=name, before=before, after=after)
        choice = alternatives.get((zone, name))
        if choice is not None:
            names = shortened(choice.examples[1:], _MOST_NAMED)
            yield _("(or one of these instead, copy by copy: {names})", names=names)
    for choice in found.choices:
        if (choice.zone, choice.name) not in named:
            yield _addition(choice, zones.get(choice.zone, choice.zone), format)


def _addition(choice: "Choice", zone: Words | str, format: LoadedFormat) -> Words:
    """Cards from nowhere: how many, what they have in common, and some of them."""
    examples = series(choice.examples)
    if not choice.facts:
        return n_(
            "{zone}: {n} more card, such as {names}",
            "{zone}: {n} more cards, such as {names}",
            choice.copies,
            zone=zone,
            names=examples,
        )
    attributes = format.game_data.game.attributes
    facts = []
    for attribute, value in choice.facts:
        names = attributes[attribute].names or {}
        facts.append(
            _("{attribute} {value}", attribute=attributes[attribute].name, value=names.get(value, value))
        )
    return n_(
        "{zone}: {n} more card ({facts}), such as {names}",
        "{zone}: {n} more cards ({facts}), such as {names}",
        choice.copies,
        zone=zone,
        facts=series(facts),
        names=examples,
    )


def clash_words(clash: "Clash", format: LoadedFormat) -> Iterator[Words]:
    """The rules and wishes of a clash, each in a line."""
    infos = {info.id: info for info in rule_infos(format.format, format.game_data.game)}
    for id in clash.rules:
        yield _("{rule}: {summary}", rule=id, summary=infos[id].summary)
    for option, names in (("--keep", clash.keep), ("--without", clash.without)):
        for name in names:
            yield _("{option} {name}", option=option, name=name)
