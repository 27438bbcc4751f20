"""Findings that somebody asked to leave out or to grade otherwise: kept and counted, never dropped."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
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


class Grading(NamedTuple):
    """Which findings a project wants to hear of, and how grave each is.

    `select` None: all; `selected_at` is where that is written. `ignore` maps
    rule ids to where that is asked, and wins over `select`. `severity` maps
    rule ids to what they count as.
    """

    select: frozenset[str] | None
    selected_at: Source
    ignore: Mapping[str, Source]
    severity: Mapping[str, Severity]

    def ignored_at(self, rule: str) -> Source | None:
        """Where it is asked to leave that rule out; None where it is not.

        What keeps a verdict open is left out only where its id is named.
        """
        if rule in NOT_SUPPRESSIBLE:
            return None
        deselected = self.select is not None and rule not in self.select and rule not in UNDECIDED
        return self.ignore.get(rule, self.selected_at if deselected else None)


_UNUSED = "unused-suppression"
_INVALID = "invalid-suppression"
NOT_SUPPRESSIBLE = UNCLEAR | {_INVALID}
"""What can't be ignored: that something of the deck is not known, and that a suppression makes no sense."""


class _Sorting:
    """The findings of a report on their way: those that stay, and those that are suppressed."""

    def __init__(self, report: Report, take: Callable[[Finding], Finding | Suppressed]) -> None:
        self._report = report
        self._take = take
        self.findings: list[Finding] = []
        self.suppressed: list[Suppressed] = list(report.suppressed)
        for finding in report.findings:
            self.add(finding)
        self.superseded = tuple(self._still_superseded(report.superseded))

    def add(self, finding: Finding) -> None:
        taken = self._take(finding)
        if isinstance(taken, Suppressed):
            self.suppressed.append(taken)
        else:
            self.findings.append(taken)

    def _still_superseded(self, superseded: Iterable[Superseded]) -> Iterable[Superseded]:
        """Those for which some error still speaks; the others are sorted like any finding.

        The strictest come first, so that one that counts again speaks for the rest.
        """
        for one in superseded:
            if self._is_spoken_for(one):
                yield one
            else:
                self.add(one.finding)

    def _is_spoken_for(self, one: Superseded) -> bool:
        if not one.by:
            return verdict_of(self.findings) == "illegal"
        spoken = {
            (finding.rule, card.line, card.column)
            for finding in self.findings
            if finding.severity == "error" and finding.rule in one.by
            for card in finding.cards
        }
        return all(
            any((rule, card.line, card.column) in spoken for rule in one.by) for card in one.finding.cards
        )

    def report(self) -> Report:
        """The report with what stayed."""
        findings = in_place_order(self.findings)
        return self._report._replace(
            findings=findings,
            suppressed=tuple(self.suppressed),
            superseded=self.superseded,
            verdict=verdict_of(findings),
        )


def graded(report: Report, grading: Grading) -> Report:
    """The report as a project's settings want it; lines that can't be read and unknown names stay as they are."""
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

    return _Sorting(report, take).report()


class _Directives:
    """What a list asks to ignore: by rule and line (None: the whole list), of two that ask for the same the first."""

    def __init__(self, directives: Iterable[Directive]) -> None:
        self._by_place: dict[tuple[str, int | None], Directive] = {}
        self.used: set[tuple[Directive, str]] = set()
        for directive in directives:
            for rule in directive.rules if directive.wrong is None else ():
                place = None if directive.whole else directive.line
                self._by_place.setdefault((rule, place), directive)

    def ignoring(self, finding: Finding) -> Directive | None:
        """The directive closest to the finding that asks to ignore it, which is then used; None where there is none.

        A finding stands on a line when its place or one of its cards does.
        """
        lines: list[int | None] = []
        if finding.line is not None:
            lines = [finding.line, *(card.line for card in finding.cards)]
        for line in (*lines, None):
            directive = self._by_place.get((finding.rule, line))
            if directive is not None:
                self.used.add((directive, finding.rule))
                return directive
        return None


def suppressed(report: Report, rules: Collection[str]) -> Report:
    """The report without what the list itself asks to ignore, and with what is wrong about the asking.

    `rules` are the ids of the format's rules, for telling what was meant.
    """
    directives = _Directives(report.deck.directives)

    def take(finding: Finding) -> Finding | Suppressed:
        directive = None if finding.rule in NOT_SUPPRESSIBLE else directives.ignoring(finding)
        if directive is None:
            return finding
        source = Source(report.deck.path, directive.line)
        return Suppressed(finding, "file" if directive.whole else "line", directive.reason, source)

    sorting = _Sorting(report, take)
    for one in sorting.superseded:
        if not one.by:
            # It comes to count once the deck is no longer illegal.
            directives.ignoring(one.finding)
    valid = []
    for directive in report.deck.directives:
        if directive.wrong is not None:
            sorting.findings.append(_on_directive(_INVALID, directive.wrong, directive))
        else:
            valid.append(directive)
    # Whoever ignores unused suppressions may well keep what is not needed; that one is looked at last.
    for directive, rule in _unused(valid, directives):
        if rule != _UNUSED:
            sorting.add(_unused_finding(directive, rule, rules))
    for directive, rule in _unused(valid, directives):
        if rule == _UNUSED:
            sorting.findings.append(_unused_finding(directive, rule, rules))
    return sorting.report()


def _unused(valid: Sequence[Directive], directives: _Directives) -> list[tuple[Directive, str]]:
    pairs = [(directive, rule) for directive in valid for rule in directive.rules]
    return [pair for pair in pairs if pair not in directives.used]


def _on_directive(rule: str, message: Words, directive: Directive, hint: Words | None = None) -> Finding:
    return engine_finding(rule, message, hint=hint)._replace(line=directive.line, column=directive.column)


def _unused_finding(directive: Directive, rule: str, rules: Collection[str]) -> Finding:
    hint: Words | None = None
    if rule in UNCLEAR:
        hint = _("what is not known can't be ignored")
    elif rule in NOT_SUPPRESSIBLE:
        hint = _("this can't be ignored")
    elif rule not in rules and rule not in ENGINE_IDS:
        from deckcheck.support.errors import did_you_mean

        hint = did_you_mean(rule, {*rules, *ENGINE_IDS}) or _("there is no such rule")
    elif not directive.whole:
        hint = _("put it at the end of the line that is meant; for the whole list it is ignore-file")
    return _on_directive(_UNUSED, _("ignoring '{rule}' has no effect here", rule=rule), directive, hint)
