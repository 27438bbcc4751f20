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
from deckcheck.model.rule import Severity, Source
from deckcheck.report.findings import in_place_order
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


_UNUSED = "unused-suppression"
ALWAYS_TOLD = UNCLEAR | {"invalid-suppression"}
"""What can't be ignored: that something of the deck is not known, and that an asking to ignore makes no sense."""


def graded(report: Report, grading: Grading) -> Report:
    """The report as a project's settings want it; lines that can't be read and unknown names stay as they are."""
    select, ignore, severity = grading.select, grading.ignore, grading.severity
    told = {finding.rule for finding in report.findings}
    # Most decks have nothing of the kind, and there may be many of them.
    if not (told & ignore.keys() or told & severity.keys() or (select is not None and told - select)):
        return report
    findings: list[Finding] = []
    left_out = list(report.suppressed)

    def sort_out(finding: Finding) -> None:
        asked = _where_asked(finding.rule, grading)
        if asked is not None:
            left_out.append(Suppressed(finding, "settings", "", asked))
        elif finding.rule in severity and finding.rule not in UNCLEAR:
            findings.append(finding._replace(severity=severity[finding.rule]))
        else:
            findings.append(finding)

    for finding in report.findings:
        sort_out(finding)
    superseded = _still_unsaid(report.superseded, findings, sort_out)
    return _with(report, findings, left_out, superseded)


def _still_unsaid(
    superseded: Iterable[Superseded], findings: Sequence[Finding], sort_out: Callable[[Finding], None]
) -> tuple[Superseded, ...]:
    """Those for which some error still speaks; the others are sorted out like any finding.

    The strictest come first, so that one that is told again speaks for the rest.
    """
    left = []
    for one in superseded:
        if not one.by:
            if verdict_of(tuple(findings)) == "illegal":
                left.append(one)
            else:
                sort_out(one.finding)
            continue
        spoken = {
            (finding.rule, card.line, card.column)
            for finding in findings
            if finding.severity == "error" and finding.rule in one.by
            for card in finding.cards
        }
        places = [(card.line, card.column) for card in one.finding.cards]
        if all(any((rule, *place) in spoken for rule in one.by) for place in places):
            left.append(one)
        else:
            sort_out(one.finding)
    return tuple(left)


def _where_asked(rule: str, grading: Grading) -> Source | None:
    """Where it is asked not to tell of that rule; None where it is not.

    What keeps a verdict open is left out only where its id is named.
    """
    if rule in ALWAYS_TOLD:
        return None
    deselected = grading.select is not None and rule not in grading.select and rule not in UNDECIDED
    return grading.ignore.get(rule, grading.selected_at if deselected else None)


def suppressed(report: Report, rules: Collection[str]) -> Report:
    """The report without what the list itself asks to leave out, and with what is wrong about the asking.

    A finding stands on a line when its place or one of its cards does.
    `rules` are the ids of the format's rules, for telling what was meant.
    """
    directives = report.deck.directives
    asked_for = _asked_for(directives)
    used: set[tuple[Directive, str]] = set()
    findings: list[Finding] = []
    left_out: list[Suppressed] = []

    def sort_out(finding: Finding) -> None:
        asked = None if finding.rule in ALWAYS_TOLD else _asked(finding, asked_for)
        if asked is None:
            findings.append(finding)
            return
        used.add((asked, finding.rule))
        source = Source(report.deck.path, asked.line)
        left_out.append(Suppressed(finding, "file" if asked.whole else "line", asked.reason, source))

    for finding in report.findings:
        sort_out(finding)
    superseded = _still_unsaid(report.superseded, findings, sort_out)
    for quiet in superseded:
        asked = None if quiet.by else _asked(quiet.finding, asked_for)
        if asked is not None:
            # It comes to count once the deck is no longer illegal.
            used.add((asked, quiet.finding.rule))
    findings += [_invalid(one, one.wrong) for one in directives if one.wrong is not None]
    unused = [
        (one, rule)
        for one in directives
        if one.wrong is None
        for rule in one.rules
        if (one, rule) not in used and rule != _UNUSED
    ]
    # Whoever ignores that may well keep what is not needed.
    for one, rule in unused:
        sort_out(_unused(one, rule, rules))
    for one in directives:
        if one.wrong is None and _UNUSED in one.rules and (one, _UNUSED) not in used:
            findings.append(_unused(one, _UNUSED, rules))
    return _with(report, findings, left_out, superseded)


def _asked_for(directives: Iterable[Directive]) -> dict[tuple[str, int | None], Directive]:
    """The directives by rule and line (None: the whole list); of two that ask for the same, the first."""
    found: dict[tuple[str, int | None], Directive] = {}
    for one in directives:
        if one.wrong is None:
            for rule in one.rules:
                found.setdefault((rule, None if one.whole else one.line), one)
    return found


def _asked(finding: Finding, asked_for: Mapping[tuple[str, int | None], Directive]) -> Directive | None:
    lines = [] if finding.line is None else [finding.line, *(card.line for card in finding.cards)]
    # The one closest to the finding is the one that was meant.
    near = (asked_for.get((finding.rule, line)) for line in lines)
    return next((one for one in near if one is not None), asked_for.get((finding.rule, None)))


def _with(
    report: Report,
    findings: Sequence[Finding],
    left_out: Sequence[Suppressed],
    superseded: tuple[Superseded, ...],
) -> Report:
    told = in_place_order(findings)
    return report._replace(
        findings=told, suppressed=tuple(left_out), verdict=verdict_of(told), superseded=superseded
    )


def _invalid(directive: Directive, why: Words) -> Finding:
    return Finding("invalid-suppression", "warning", "violated", why, directive.line, directive.column)


def _unused(directive: Directive, rule: str, rules: Collection[str]) -> Finding:
    hint: Words | None = None
    if rule in UNCLEAR:
        hint = _("what is not known can't be ignored")
    elif rule in ALWAYS_TOLD:
        hint = _("this can't be ignored")
    elif rule not in rules and rule not in ENGINE_IDS:
        from deckcheck.support.errors import did_you_mean

        hint = did_you_mean(rule, {*rules, *ENGINE_IDS}) or _("there is no such rule")
    elif not directive.whole:
        hint = _("it belongs at the end of the line that is meant; for the whole list it is ignore-file")
    return Finding(
        _UNUSED,
        "warning",
        "violated",
        _("ignoring {rule!r} has no effect here", rule=rule),
        directive.line,
        directive.column,
        hint=hint,
    )
