"""Repairs in words: what prevents a list from being repaired, what changes, and which rules clash."""

import shlex
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from deckcheck.analysis.witness import zone_names
from deckcheck.checking.judge import LoadedFormat
from deckcheck.formats.description import described_cards, rule_infos
from deckcheck.model.deck import Deck
from deckcheck.model.finding import PARTIAL, UNCLEAR, UNKNOWN_CARD, UNKNOWN_ZONE, Finding, Report, singly
from deckcheck.model.format import All, Has
from deckcheck.report.locations import marks
from deckcheck.support.errors import Problem
from deckcheck.support.messages import Words, _, card_name, card_series, n_, shortened

if TYPE_CHECKING:
    from deckcheck.analysis.repair import Choice, Clash, Repair

_MOST_NAMED = 5


def doubts_about(report: Report, format: LoadedFormat) -> Iterator[Problem]:
    """Yields what prevents a list from being read or judged with certainty, and so repaired, in the check's words.

    `report` must not ignore findings.
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
    """A finding as a problem with the line of a list, which can't be used because of it."""
    mark = next(iter(marks(finding, deck)), None)
    if mark is None:
        return Problem(finding.message, deck.path, hint=finding.hint)
    line, column, length = mark
    return Problem(finding.message, deck.path, line, column, deck.lines[line - 1], finding.hint, length)


def headline(found: "Repair", name: str, day: str) -> Words:
    """The size of a repair; `name` is the format's, `day` an ISO date."""
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


def change_lines(found: "Repair", format: LoadedFormat, spelt: Callable[[str], str]) -> Iterator[Words]:
    """Yields the changes of a repair and their alternatives, one per line; `spelt` names a card as the list does."""
    zones = zone_names(format)
    alternatives = {(choice.zone, choice.name): choice for choice in found.choices if choice.name}
    named = {(change.zone, change.name) for change in found.changes}
    for zone, name, before, after in found.changes:
        yield _(
            "{zone}: {name}: {before} → {after}",
            zone=zones.get(zone, zone),
            name=spelt(name),
            before=before,
            after=after,
        )
        choice = alternatives.get((zone, name))
        if choice is not None:
            others = shortened([card_name(spelt(other)) for other in choice.examples[1:]], _MOST_NAMED)
            yield n_(
                "(or instead a copy of {names})",
                "(or, for one of these {n} copies, a copy of {names})",
                choice.copies,
                names=others,
            )
    for choice in found.choices:
        if (choice.zone, choice.name) not in named:
            yield _addition(choice, zones.get(choice.zone, choice.zone), format, spelt)


def _addition(
    choice: "Choice", zone: Words | str, format: LoadedFormat, spelt: Callable[[str], str]
) -> Words:
    """Cards from outside the list and the pool: how many, what they have in common, and some of them."""
    facts = tuple(Has(attribute, frozenset([value])) for attribute, value in choice.facts)
    cards = described_cards(
        format.format, format.game_data.game, All(facts) if facts else None, choice.copies
    )
    names = card_series(map(spelt, choice.examples))
    if choice.most < choice.copies:
        return _(
            "{zone}: {n} more {cards}, at most {most} of each, such as {names}",
            zone=zone,
            n=choice.copies,
            cards=cards,
            most=choice.most,
            names=names,
        )
    return _(
        "{zone}: {n} more {cards}, such as {names}", zone=zone, n=choice.copies, cards=cards, names=names
    )


def clash_words(clash: "Clash", format: LoadedFormat) -> Iterator[Words]:
    """Yields the rules and wishes of a clash, one per line."""
    infos = {info.id: info for info in rule_infos(format.format, format.game_data.game)}
    for id in clash.rules:
        yield _("{rule}: {summary}", rule=id, summary=infos[id].summary)
    for option, names in (("--keep", clash.keep), ("--without", clash.without)):
        for name in names:
            yield _("{option} {name}", option=option, name=name)
