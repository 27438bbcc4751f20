"""JUnit XML: a suite per deck, a case per finding, and a passing case for a legal deck.

A sure finding is a failure, an undecided one an error. Warnings and infos pass and are in the suite's output;
suppressed findings are skipped. The schemas of Ant and Jenkins both want a time of day and a host.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Literal, NamedTuple

from deckcheck.model.finding import Finding, Report, Verdict
from deckcheck.report.text import outdated_lines
from deckcheck.report.wording import LABELS, VERDICTS, Label, label_of, notes
from deckcheck.report.writer import RenderOptions, Results, Write
from deckcheck.support.dates import now
from deckcheck.support.errors import place_of
from deckcheck.support.files import with_slashes
from deckcheck.support.messages import _
from deckcheck.support.safe_text import safe

Outcome = Literal["failure", "error", "skipped"]
_OUTCOMES: Mapping[Label, Outcome] = {Label.ERROR: "failure", Label.UNDECIDED: "error"}


class _Case(NamedTuple):
    """One case with the kind of its outcome and its text."""

    name: str
    outcome: Outcome | None = None
    kind: str = ""
    lines: Sequence[str] = ()


class _Suite(NamedTuple):
    """The cases of a deck."""

    name: str
    package: str
    properties: Mapping[str, str | None]
    cases: Sequence[_Case]
    notes: Sequence[str] = ()


def record(report: Report, options: RenderOptions) -> _Suite:
    """The suite of a deck."""
    cases = [_Case(VERDICTS[Verdict.LEGAL].in_(options.lang))] if report.verdict == Verdict.LEGAL else []
    for finding in report.findings:
        label = label_of(finding, options.lenient)
        lines = [_line(finding, report, options), *notes(finding, report, options.lang)]
        lines += [_line(part, report, options, hint=True) for part in finding.parts]
        cases.append(_Case(_name(finding), _OUTCOMES.get(label), label, lines))
    for ignored in report.suppressed:
        place = ignored.source.place
        reason = safe(f"{place}: {ignored.reason}" if ignored.reason else place)
        lines = [_line(ignored.finding, report, options), reason]
        cases.append(_Case(_name(ignored.finding), "skipped", ignored.by, lines))
    properties = {key: getattr(report, key) for key in ("format", "edition", "as_of", "verdict")}
    notes_on_lists = outdated_lines(report.lists, options.lang)
    return _Suite(relative(report.deck.path), report.format, properties, cases, notes_on_lists)


def write(records: Iterable[_Suite], results: Results, options: RenderOptions, out: Write) -> None:
    """Write a suite for each deck, and one for all lists that could not be checked."""
    suites = list(records)
    cases = [
        _Case(
            relative(problem.path or "deckcheck"), "error", "not-checked", [safe(problem.in_(options.lang))]
        )
        for problem in results.problems
    ]
    if cases:
        suites.append(_Suite(_("could not be checked").in_(options.lang), "deckcheck", {}, cases))
    time = now().strftime("%Y-%m-%dT%H:%M:%S")
    body = "".join(_suite(suite, number, time) for number, suite in enumerate(suites))
    out(f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n{body}</testsuites>\n')


def relative(path: str) -> str:
    """A path without `./` and with slashes."""
    return path if path == "-" else with_slashes(os.path.normpath(path))


def _line(finding: Finding, report: Report, options: RenderOptions, *, hint: bool = False) -> str:
    place = place_of(report.deck.path, finding.line, finding.column)
    label = LABELS[label_of(finding, options.lenient)].in_(options.lang)
    message = finding.message.in_(options.lang)
    if hint and finding.hint is not None:
        message = _("{text} ({more})", text=message, more=finding.hint).in_(options.lang)
    return safe(f"{place}: {label}[{finding.rule}] {message}")


def _name(finding: Finding) -> str:
    """The rule, and the card if it is about one, which stays the same when lines move."""
    names = {card.name for card in finding.cards}
    return f"{finding.rule}: {names.pop()}" if len(names) == 1 else finding.rule


def _suite(suite: _Suite, number: int, time: str) -> str:
    outcomes = Counter(case.outcome for case in suite.cases)
    attributes = {
        "id": number,
        "name": suite.name,
        "package": suite.package,
        "timestamp": time,
        "hostname": "localhost",
        "tests": len(suite.cases),
        "failures": outcomes["failure"],
        "errors": outcomes["error"],
        "skipped": outcomes["skipped"],
        "time": 0,
    }
    pairs = ({"name": key, "value": value} for key, value in suite.properties.items() if value)
    properties = "".join(f"<property {_attributes(pair)}/>" for pair in pairs)
    lines = [f"<testsuite {_attributes(attributes)}>", f"<properties>{properties}</properties>"]
    counts: Counter[str] = Counter()
    for case in suite.cases:
        counts[case.name] += 1
        # A reader may drop the second of two cases with the same name.
        title = case.name if counts[case.name] == 1 else f"{case.name} ({counts[case.name]})"
        head = f"<testcase {_attributes({'name': title, 'classname': suite.name, 'time': 0})}"
        if case.outcome is None:
            lines.append(head + "/>")
            continue
        outcome = _attributes({"type": case.kind, "message": case.lines[0]})
        lines.append(f"{head}>\n<{case.outcome} {outcome}>{_lines(case.lines)}</{case.outcome}>\n</testcase>")
    printed = [line for case in suite.cases if case.outcome is None for line in case.lines]
    printed += suite.notes
    lines += [f"<system-out>{_lines(printed)}</system-out>", "<system-err></system-err>", "</testsuite>"]
    return "".join(f"{line}\n" for line in lines)


def _attributes(values: Mapping[str, object]) -> str:
    return " ".join(f'{key}="{_xml(str(value))}"' for key, value in values.items())


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(map(_xml, lines))


def _xml(text: str) -> str:
    """`text` for an element or an attribute."""
    # XML can't represent these two; all others that it refuses are hidden characters.
    return escape(re.sub("[\ufffe\uffff]", lambda match: f"\\u{ord(match[0]):04x}", safe(text)))
