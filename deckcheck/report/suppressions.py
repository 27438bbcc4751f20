"""Findings that a list or the settings ask to leave out or to grade otherwise: kept and counted, never dropped."""

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from deckcheck.model.deck import Directive
from deckcheck.model.finding import (
    ENGINE_IDS,
    UNCLEAR,
    UNDECIDED,
    Finding,
    Report,
    Superseded,
    Suppressed,
    verdict_of,
)
from deckcheck.model.format import Severity, Source
from deckcheck.report.findings import engine_finding, in_place_order
from deckcheck.support.messages import Words, _

_UNUSED = "unused-suppression"
_INVALID = "invalid-suppression"
NOT_SUPPRESSIBLE = UNCLEAR | {_INVALID}
"""What can't be ignored: that something of the deck is not known, and that a suppression is invalid."""


class Grading(NamedTuple):
    """Which findings the settings select, and the severity of each.

    `select` is None for all; `selected_at` is its place. `ignore` maps rule ids to their places in the settings and wins
    over `select`. `severity` maps rule ids to new severities.
    """

    select: frozenset[str] | None
    selected_at: Source
    ignore: Mapping[str, Source]
    severity: Mapping[str, Severity]

    def ignored_at(self, rule: str) -> Source | None:
        """Where the settings ignore that rule, None if they don't; what keeps a verdict open is ignored only by its id."""
        if rule in NOT_SUPPRESSIBLE:
            return None
        deselected = self.select is not None and rule not in self.select and rule not in UNDECIDED
        return self.ignore.get(rule, self.selected_at if deselected else None)


Take = Callable[[Finding], Finding | Suppressed]


class _Sorter:
    """Sorts the findings of a report into those that stay, as `take` returns them, and those that it suppresses."""

    def __init__(self, report: Report, take: Take) -> None:
        self._report = report
        self._take = take
        self.findings: list[Finding] = []
        self.suppressed = list(report.suppressed)
        for finding in report.findings:
            self.add(finding)
        self.superseded: list[Superseded] = []
        # The strictest come first, so that one that counts again stands for the rest.
        for one in report.superseded:
            if self._is_superseded(one):
                self.superseded.append(one)
            else:
                self.add(one.finding)

    def add(self, finding: Finding) -> None:
        taken = self._take(finding)
        if isinstance(taken, Suppressed):
            self.suppressed.append(taken)
        else:
            self.findings.append(taken)

    def _is_superseded(self, one: Superseded) -> bool:
        """Whether an error that stays still makes the finding redundant."""
        if not one.by:
            return verdict_of(self.findings) == "illegal"
        covered = {
            (card.line, card.column)
            for finding in self.findings
            if finding.severity == "error" and finding.rule in one.by
            for card in finding.cards
        }
        return all((card.line, card.column) in covered for card in one.finding.cards)

    def report(self) -> Report:
        """The report with the findings that stay."""
        findings = in_place_order(self.findings)
        return self._report._replace(
            findings=findings,
            suppressed=tuple(self.suppressed),
            superseded=tuple(self.superseded),
            verdict=verdict_of(findings),
        )


def graded(report: Report, grading: Grading) -> Report:
    """The report as a project's settings want it; unreadable lines and unknown names stay as they are."""
    select, ignore, severity = grading.select, grading.ignore, grading.severity
    rules = {finding.rule for finding in report.findings}
    # Most decks have nothing of the kind, and there may be many of them.
    if not (rules & ignore.keys() or rules & severity.keys() or (select is not None and rules - select)):
        return report

    def take(finding: Finding) -> Finding | Suppressed:
        source = grading.ignored_at(finding.rule)
        if source is not None:
            return Suppressed(finding, "settings", "", source)
        if finding.rule in severity and finding.rule not in UNCLEAR:
            return finding._replace(severity=severity[finding.rule])
        return finding

    return _Sorter(report, take).report()


def suppressed(report: Report, rules: Collection[str]) -> Report:
    """The report without what the list ignores, with findings about wrong directives; `rules` are the format's ids."""
    directives = report.deck.directives
    valid = dict.fromkeys((one, rule) for one in directives if one.wrong is None for rule in one.rules)
    # By rule and line, None for the whole list; of two for the same the first counts.
    by_place: dict[tuple[str, int | None], Directive] = {}
    for directive, rule in valid:
        by_place.setdefault((rule, None if directive.whole else directive.line), directive)
    used: set[tuple[Directive, str]] = set()

    def ignoring(finding: Finding) -> Directive | None:
        """The directive closest to the finding that ignores it; the lines of a finding are its own and its cards'."""
        lines = [] if finding.line is None else [finding.line, *(card.line for card in finding.cards)]
        for line in (*lines, None):
            directive = by_place.get((finding.rule, line))
            if directive is not None:
                used.add((directive, finding.rule))
                return directive
        return None

    def take(finding: Finding) -> Finding | Suppressed:
        directive = None if finding.rule in NOT_SUPPRESSIBLE else ignoring(finding)
        if directive is None:
            return finding
        source = Source(report.deck.path, directive.line)
        return Suppressed(finding, "file" if directive.whole else "line", directive.reason, source)

    sorter = _Sorter(report, take)
    for one in sorter.superseded:
        if not one.by:
            # It comes to count once the deck is no longer illegal.
            ignoring(one.finding)
    for directive in directives:
        if directive.wrong is not None:
            sorter.findings.append(_on_directive(_INVALID, directive.wrong, directive))
    # To ignore unused suppressions is to keep them; only when the others are sorted is it known whether that was used.
    for directive, rule in valid:
        if rule != _UNUSED and (directive, rule) not in used:
            sorter.add(_unused_finding(directive, rule, rules))
    for directive, rule in valid:
        if rule == _UNUSED and (directive, rule) not in used:
            sorter.findings.append(_unused_finding(directive, rule, rules))
    return sorter.report()


def _on_directive(rule: str, message: Words, directive: Directive, hint: Words | None = None) -> Finding:
    return engine_finding(rule, message, hint=hint)._replace(line=directive.line, column=directive.column)


def _unused_finding(directive: Directive, rule: str, rules: Collection[str]) -> Finding:
    hint: Words | None = None
    if rule in UNCLEAR:
        hint = _("unknowns can't be ignored")
    elif rule in NOT_SUPPRESSIBLE:
        hint = _("this can't be ignored")
    elif rule not in rules and rule not in ENGINE_IDS:
        from deckcheck.support.errors import did_you_mean

        hint = did_you_mean(rule, {*rules, *ENGINE_IDS}) or _("there is no such rule")
    elif not directive.whole:
        hint = _("put it at the end of the card's line, or use ignore-file for the whole list")
    return _on_directive(_UNUSED, _("ignoring '{rule}' has no effect here", rule=rule), directive, hint)
