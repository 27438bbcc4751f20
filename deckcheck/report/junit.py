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

from deckcheck.model.finding import Finding, Report, Verdict
from deckcheck.report.locations import from_root
from deckcheck.report.text import outdated_lines
from deckcheck.report.wording import LABELS, VERDICTS, Label, label_of, notes
from deckcheck.report.writer import RenderOptions, Results, Write
from deckcheck.support.dates import now
from deckcheck.support.errors import place_of
from deckcheck.support.messages import _
from deckcheck.support.safe_text import safe

Outcome = Literal["failure", "error", "skipped"]
_OUTCOMES: Mapping[Label, Outcome] = {Label.ERROR: "failure", Label.UNDECIDED: "error"}
_PROPERTIES = ("format", "edition", "as_of", "verdict")


class _Suite:
    """The element of a suite, to which cases are added."""

    def __init__(self, name: str, package: str, properties: Mapping[str, str | None]) -> None:
        self.element = Element("testsuite", id="", name=_xml(name), package=_xml(package), timestamp="")
        known = SubElement(self.element, "properties")
        for key, value in properties.items():
            if value:
                SubElement(known, "property", name=key, value=_xml(value))
        self._names: Counter[str] = Counter()
        self._outcomes: Counter[Outcome | None] = Counter()
        self._printed: list[str] = []

    def add(
        self, name: str, outcome: Outcome | None = None, kind: str = "", lines: Sequence[str] = ()
    ) -> None:
        """Add a case with the kind of its outcome and its text; the text of one that passes is printed by the suite."""
        self._names[name] += 1
        # A reader may drop the second of two cases with the same name.
        title = name if self._names[name] == 1 else f"{name} ({self._names[name]})"
        case = SubElement(
            self.element, "testcase", name=_xml(title), classname=self.element.attrib["name"], time="0"
        )
        self._outcomes[outcome] += 1
        if outcome is None:
            self._printed += lines
            return
        result = SubElement(case, outcome, type=_xml(kind), message=_xml(lines[0]))
        result.text = _lines(lines)

    def closed(self, notes: Sequence[str] = ()) -> Element:
        """The element with its numbers and what it printed, ended by notes."""
        outcomes = self._outcomes
        self.element.attrib |= {
            "hostname": "localhost",
            "tests": str(outcomes.total()),
            "failures": str(outcomes["failure"]),
            "errors": str(outcomes["error"]),
            "skipped": str(outcomes["skipped"]),
            "time": "0",
        }
        SubElement(self.element, "system-out").text = _lines([*self._printed, *notes])
        SubElement(self.element, "system-err")
        return self.element


def record(report: Report, options: RenderOptions) -> Element:
    """The suite of a deck."""
    properties = {key: getattr(report, key) for key in _PROPERTIES}
    suite = _Suite(from_root(report.deck.path), report.format, properties)
    if report.verdict == Verdict.LEGAL:
        suite.add(VERDICTS[Verdict.LEGAL].in_(options.lang))
    for finding in report.findings:
        label = label_of(finding, options.lenient)
        lines = [_line(finding, report, options), *notes(finding, report, options.lang)]
        lines += [_line(part, report, options, hint=True) for part in finding.parts]
        suite.add(_name(finding), _OUTCOMES.get(label), label, lines)
    for ignored in report.suppressed:
        place = ignored.source.place
        reason = safe(f"{place}: {ignored.reason}" if ignored.reason else place)
        lines = [_line(ignored.finding, report, options), reason]
        suite.add(_name(ignored.finding), "skipped", ignored.by, lines)
    return suite.closed(outdated_lines(report.lists, options.lang))


def write(records: Iterable[Element], results: Results, options: RenderOptions, out: Write) -> None:
    """Write a suite for each deck, and one for all lists that could not be checked."""
    root = Element("testsuites")
    root.extend(records)
    if results.problems:
        suite = _Suite(_("could not be checked").in_(options.lang), "deckcheck", {})
        for problem in results.problems:
            lines = [safe(problem.in_(options.lang))]
            suite.add(from_root(problem.path) if problem.path else "deckcheck", "error", "not-checked", lines)
        root.append(suite.closed())
    time = now().strftime("%Y-%m-%dT%H:%M:%S")
    for number, element in enumerate(root):
        element.attrib |= {"id": str(number), "timestamp": time}
    indent(root, "")
    out(f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n')


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
