"""Findings that somebody asked to leave out or to grade otherwise: kept and counted, never dropped."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from deckcheck.decks import Directive
from deckcheck.engineids import ENGINE_IDS, UNSETTLED
from deckcheck.report.findings import in_place_order
from deckcheck.report.violation import Finding, Report, Suppressed, verdict_of
from deckcheck.rules.clauses import Severity, Source
from deckcheck.text import Text


class Grading(NamedTuple):
    """Which findings a project wants to hear of, and how grave each is.

    `select` None: all. `ignore` wins over `select`. `severity` maps rule ids
    to what they count as. `source` is where that is written.
    """

    select: frozenset[str] | None
    ignore: frozenset[str]
    severity: Mapping[str, Severity]
    source: Source


# What is not known can't be ignored away, nor what is said of the directives themselves.
_ALWAYS_TOLD = UNSETTLED | {"invalid-suppression"}


def graded(report: Report, grading: Grading) -> Report:
    """The report as a project's settings want it; lines that can't be read and unknown names stay as they are."""
    findings: list[Finding] = []
    suppressed = list(report.suppressed)
    for finding in report.findings:
        rule = finding.rule
        if rule in _ALWAYS_TOLD:
            findings.append(finding)
        elif rule in grading.ignore or (grading.select is not None and rule not in grading.select):
            suppressed.append(Suppressed(finding, "settings", "", grading.source))
        else:
            severity = grading.severity.get(rule, finding.severity)
            findings.append(finding._replace(severity=severity))
    return _with(report, findings, suppressed)


def suppressed(report: Report, rules: Collection[str]) -> Report:
    """The report without what the list itself asks to leave out, and with what is wrong about the asking.

    A finding stands on a line when its place or one of its cards does.
    `rules` are the ids of the format's rules, for telling what was meant.
    """
    directives = report.deck.directives
    usable = [one for one in directives if one.wrong is None]
    used: set[tuple[Directive, str]] = set()
    findings: list[Finding] = []
    left_out: list[Suppressed] = []
    for finding in report.findings:
        asked = None if finding.rule in _ALWAYS_TOLD else _asked(finding, usable)
        if asked is None:
            findings.append(finding)
            continue
        used.add((asked, finding.rule))
        source = Source(report.deck.path, asked.line)
        left_out.append(Suppressed(finding, "file" if asked.whole else "line", asked.reason, source))
    findings += [_invalid(one, one.wrong) for one in directives if one.wrong is not None]
    # Whoever ignores that may well keep what is not needed.
    unused = [_unused(one, rule, rules) for one in usable for rule in one.rules if (one, rule) not in used]
    for told in unused:
        asked = _asked(told, usable)
        if asked is None:
            findings.append(told)
        else:
            left_out.append(
                Suppressed(
                    told,
                    "file" if asked.whole else "line",
                    asked.reason,
                    Source(report.deck.path, asked.line),
                )
            )
    return _with(report, findings, left_out)


def _asked(finding: Finding, directives: Sequence[Directive]) -> Directive | None:
    lines = set() if finding.line is None else {finding.line, *(card.line for card in finding.cards)}
    mine = [one for one in directives if finding.rule in one.rules and (one.whole or one.line in lines)]
    # The one closest to the finding is the one that was meant.
    return next((one for one in mine if not one.whole), mine[0] if mine else None)


def _with(report: Report, findings: Sequence[Finding], left_out: Sequence[Suppressed]) -> Report:
    told = in_place_order(findings)
    return report._replace(findings=told, suppressed=tuple(left_out), verdict=verdict_of(told))


def _invalid(directive: Directive, why: Text) -> Finding:
    return Finding("invalid-suppression", "warning", "violated", why, directive.line, directive.column)


def _unused(directive: Directive, rule: str, rules: Collection[str]) -> Finding:
    hint = None
    if rule in UNSETTLED:
        hint = Text("分からないことは無視できません", "what is not known can't be ignored")
    elif rule not in rules and rule not in ENGINE_IDS:
        from deckcheck.schema import did_you_mean

        hint = did_you_mean(rule, {*rules, *ENGINE_IDS}) or Text(
            "そういう規則はありません", "there is no such rule"
        )
    elif not directive.whole:
        hint = Text(
            "カードの行の後ろに書きます。デッキ全体なら ignore-file です",
            "it belongs at the end of the line that is meant; for the whole list it is ignore-file",
        )
    return Finding(
        "unused-suppression",
        "warning",
        "violated",
        Text(f"「{rule}」を無視する指定は何にも効いていません", f"ignoring {rule!r} has no effect here"),
        directive.line,
        directive.column,
        hint=hint,
    )
