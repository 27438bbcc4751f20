"""Findings that a list or the settings leave out or grade differently: they are kept and counted, never dropped."""

from collections.abc import Callable, Collection, Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.model.deck import Directive
from deckcheck.model.finding import (
    ENGINE_IDS,
    UNCLEAR,
    UNDECIDED,
    Finding,
    FindingId,
    Report,
    Superseded,
    Suppressed,
    verdict_of,
)
from deckcheck.model.format import Severity, Source
from deckcheck.report.findings import engine_finding, in_place_order
from deckcheck.support.errors import did_you_mean
from deckcheck.support.messages import Words, _

NOT_SUPPRESSIBLE = UNCLEAR | {FindingId.INVALID_SUPPRESSION}
"""The ids that can't be ignored: something in the deck is unknown, or a suppression is invalid."""

_NEVER_BY_LISTS = NOT_SUPPRESSIBLE | {FindingId.UNUSED_SUPPRESSION}
"""The ids that a list can't ignore: only settings say that its suppressions need no effect."""


class Grading(Struct, frozen=True):
    """Which findings the settings select, and the severity of each.

    `select` is None for all; `selected_at` is its place. `ignore` maps rule ids to their places in the settings and wins
    over `select`. `severity` maps rule ids to new severities.
    """

    select: frozenset[str] | None = None
    selected_at: Source | None = None
    ignore: Mapping[str, Source] = {}
    severity: Mapping[str, Severity] = {}

    def ignored_at(self, rule: str) -> Source | None:
        """Where the settings ignore that rule, None if they don't; ids that keep a verdict open must be named."""
        if rule in NOT_SUPPRESSIBLE:
            return None
        deselected = self.select is not None and rule not in self.select and rule not in UNDECIDED
        return self.ignore.get(rule, self.selected_at if deselected else None)


def _sorted(report: Report, take: Callable[[Finding], Finding | Suppressed]) -> Report:
    """The report with the findings that stay, as `take` returns them, and those that it suppresses."""
    findings: list[Finding] = []
    left_out, superseded = list(report.suppressed), list[Superseded]()
    # The strictest come first, so that one that counts again supersedes the others.
    items: tuple[Finding | Superseded, ...] = (*report.findings, *report.superseded)
    for item in items:
        if isinstance(item, Superseded) and _is_superseded(item, findings):
            superseded.append(item)
            continue
        taken = take(item.finding if isinstance(item, Superseded) else item)
        if isinstance(taken, Suppressed):
            left_out.append(taken)
        else:
            findings.append(taken)
    sorted_out = replace(report, suppressed=tuple(left_out), superseded=tuple(superseded))
    return _with_findings(sorted_out, findings)


def _is_superseded(item: Superseded, findings: list[Finding]) -> bool:
    """Whether an error among the findings still makes the superseded one redundant."""
    if not item.by:
        return verdict_of(findings) == "illegal"
    covered = {
        (card.line, card.column)
        for finding in findings
        if finding.severity == "error" and finding.rule in item.by
        for card in finding.cards
    }
    return all((card.line, card.column) in covered for card in item.finding.cards)


def _with_findings(report: Report, findings: Iterable[Finding]) -> Report:
    ordered = in_place_order(findings)
    return replace(report, findings=ordered, verdict=verdict_of(ordered))


def graded(report: Report, grading: Grading) -> Report:
    """The report as graded by a project's settings; unreadable lines and unknown names stay as they are."""
    select, ignore, severity = grading.select, grading.ignore, grading.severity
    rules = {finding.rule for finding in report.findings}
    # Most decks need no grading, and there may be many of them.
    if not (rules & ignore.keys() or rules & severity.keys() or (select is not None and rules - select)):
        return report

    def take(finding: Finding) -> Finding | Suppressed:
        source = grading.ignored_at(finding.rule)
        if source is not None:
            return Suppressed(finding, "settings", "", source)
        if finding.rule in severity and finding.rule not in UNCLEAR:
            changed = severity[finding.rule]
            parts = tuple(replace(part, severity=changed) for part in finding.parts)
            return replace(finding, severity=changed, parts=parts)
        return finding

    return _sorted(report, take)


def suppressed(report: Report, rules: Collection[str]) -> Report:
    """The report without what the list ignores, with findings about wrong directives; `rules` are the format's ids."""
    directives = report.deck.directives
    valid = dict.fromkeys(
        (directive, rule) for directive in directives if directive.wrong is None for rule in directive.rules
    )
    # By rule and line, None for the whole list; the first of two for the same one counts.
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
        directive = None if finding.rule in _NEVER_BY_LISTS else ignoring(finding)
        if directive is None:
            return finding
        source = Source(report.deck.path, directive.line)
        return Suppressed(finding, "file" if directive.whole else "line", directive.reason, source)

    kept = _sorted(report, take)
    for item in kept.superseded:
        if not item.by:
            # It counts again once the deck is no longer illegal.
            ignoring(item.finding)
    wrong = [
        _on_directive(FindingId.INVALID_SUPPRESSION, directive.wrong, directive)
        for directive in directives
        if directive.wrong is not None
    ]
    known = ENGINE_IDS.union(rules)
    unused = [
        _on_directive(
            FindingId.UNUSED_SUPPRESSION,
            _("ignoring '{rule}' has no effect here", rule=rule),
            directive,
            _why_unused(rule, directive.whole, known),
        )
        for directive, rule in valid
        if (directive, rule) not in used
    ]
    return _with_findings(kept, [*kept.findings, *wrong, *unused])


def _on_directive(rule: str, message: Words, directive: Directive, hint: Words | None = None) -> Finding:
    return replace(engine_finding(rule, message, hint=hint), line=directive.line, column=directive.column)


def _why_unused(rule: str, whole: bool, known: Collection[str]) -> Words | None:
    """The hint about an id for which a directive, for the `whole` list or for its line, ignores nothing."""
    if rule in UNCLEAR:
        return _("unknowns can't be ignored")
    if rule in _NEVER_BY_LISTS:
        return _("this can't be ignored")
    if rule not in known:
        return did_you_mean(rule, known) or _("there is no such rule")
    return None if whole else _("put it at the end of the card's line, or use ignore-file for the whole list")
