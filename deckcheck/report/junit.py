"""JUnit XML: a suite per deck, a case per finding, and a passing case for a legal deck.

A sure finding is a failure, an undecided one an error. Warnings and infos pass and are in the suite's output;
suppressed findings are skipped. The schemas of Ant and Jenkins both want a time of day and a host.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from msgspec import Struct

from deckcheck.model.finding import Finding, Report, Verdict
from deckcheck.report.results_and_fingerprints import RenderOptions, Results, Write, from_root
from deckcheck.report.wording import LABELS, VERDICTS, Label, label_of, notes
from deckcheck.support.dates import now
from deckcheck.support.errors import place_of
from deckcheck.support.messages import _
from deckcheck.support.safe_text import safe

Outcome = Literal["failure", "error", "skipped"]
_OUTCOMES: Mapping[Label, Outcome] = {Label.ERROR: "failure", Label.UNDECIDED: "error"}


class _Case(Struct, frozen=True):
    """A case: the lines that it says, and unless it passes, the kind of its outcome."""

    name: str
    lines: Sequence[str] = ()
    outcome: Outcome | None = None
    kind: str = ""


def record(report: Report, options: RenderOptions) -> Element:
    """The suite of a deck."""
    cases = []
    if report.verdict == Verdict.LEGAL:
        cases.append(_Case(VERDICTS[Verdict.LEGAL].in_(options.lang)))
    for finding in report.findings:
        label = label_of(finding, options.lenient)
        lines = [_line(finding, report, options), *notes(finding, report, options.lang)]
        lines += [_line(part, report, options, hint=True) for part in finding.parts]
        cases.append(_Case(_name(finding), lines, _OUTCOMES.get(label), label))
    for ignored in report.suppressed:
        place = ignored.source.place
        reason = safe(f"{place}: {ignored.reason}" if ignored.reason else place)
        lines = [_line(ignored.finding, report, options), reason]
        cases.append(_Case(_name(ignored.finding), lines, "skipped", ignored.by))
    return _suite(from_root(report.deck.path), report.format, cases)


def write(records: Iterable[Element], results: Results, options: RenderOptions, out: Write) -> None:
    """Write a suite for each deck, and one for all lists that could not be checked."""
    root = Element("testsuites")
    root.extend(records)
    if results.problems:
        cases = []
        for problem in results.problems:
            name = from_root(problem.path) if problem.path else "deckcheck"
            cases.append(_Case(name, [safe(problem.in_(options.lang))], "error", "not-checked"))
        root.append(_suite(_("could not be checked").in_(options.lang), "deckcheck", cases))
    time = now().strftime("%Y-%m-%dT%H:%M:%S")
    for number, element in enumerate(root):
        element.attrib |= {"id": str(number), "timestamp": time}
    indent(root, "")
    out(f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n')


def _suite(name: str, package: str, cases: Sequence[_Case]) -> Element:
    """A suite with its cases; what those that pass say is its output."""
    outcomes = Counter(case.outcome for case in cases)
    suite = Element(
        "testsuite",
        name=_xml(name),
        package=_xml(package),
        hostname="localhost",
        tests=str(len(cases)),
        failures=str(outcomes["failure"]),
        errors=str(outcomes["error"]),
        skipped=str(outcomes["skipped"]),
        time="0",
    )
    SubElement(suite, "properties")
    names: Counter[str] = Counter()
    for case in cases:
        names[case.name] += 1
        # A reader may drop the second of two cases with the same name.
        title = case.name if names[case.name] == 1 else f"{case.name} ({names[case.name]})"
        element = SubElement(suite, "testcase", name=_xml(title), classname=_xml(name), time="0")
        if case.outcome is not None:
            result = SubElement(element, case.outcome, type=_xml(case.kind), message=_xml(case.lines[0]))
            result.text = _lines(case.lines)
    said = [line for case in cases if case.outcome is None for line in case.lines]
    SubElement(suite, "system-out").text = _lines(said)
    SubElement(suite, "system-err")
    return suite


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


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(map(_xml, lines))


def _xml(text: str) -> str:
    """`text` without characters that XML can't represent."""
    # XML refuses these two; all others are hidden characters.
    return re.sub("[\ufffe\uffff]", lambda match: f"\\u{ord(match[0]):04x}", safe(text))
