"""JUnit XML: a suite per deck, a case per finding, and a passing case for a legal deck.

A sure finding is a failure, an undecided one an error. Warnings and infos pass and are in the suite's output;
suppressed findings are skipped. The schemas of Ant and Jenkins both want a time of day and a host.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from deckcheck.model.finding import Finding, Report, Verdict
from deckcheck.report.wording import LABELS, VERDICTS, Label, label_of, notes
from deckcheck.report.writer import Results, Writer
from deckcheck.support.errors import place_of
from deckcheck.support.messages import _
from deckcheck.support.safe_text import safe

_NO_DAY = "1970-01-01"

Outcome = Literal["failure", "error", "skipped"]
_OUTCOMES: Mapping[Label, Outcome] = {Label.ERROR: "failure", Label.UNDECIDED: "error"}


class _Case(NamedTuple):
    """One case with the kind of its outcome and its text."""

    name: str
    outcome: Outcome | None = None
    kind: str = ""
    lines: Sequence[str] = ()


class JunitWriter(Writer):
    """One suite per deck, and one for all lists that could not be checked."""

    gathers = True

    def fragment(self, report: Report) -> list[str]:
        cases = [] if report.verdict != "legal" else [_Case(VERDICTS[Verdict.LEGAL].in_(self.lang))]
        for finding in report.findings:
            label = label_of(finding, self.lenient)
            lines = [self._line(finding, report), *notes(finding, report, self.lang)]
            lines += [self._line(part, report, hint=True) for part in finding.parts]
            cases.append(_Case(_name(finding), _OUTCOMES.get(label), label, lines))
        for ignored in report.suppressed:
            place = ignored.source.place
            reason = safe(f"{place}: {ignored.reason}" if ignored.reason else place)
            lines = [self._line(ignored.finding, report), reason]
            cases.append(_Case(_name(ignored.finding), "skipped", ignored.by, lines))
        properties = {key: getattr(report, key) for key in ("format", "edition", "as_of", "verdict")}
        return [_suite(report.deck.path, report.format, report.as_of, properties, cases)]

    def closing(self, results: Results) -> str:
        suites = list(results.fragments)
        cases = [
            _Case(problem.path or "deckcheck", "error", "not-checked", [safe(problem.in_(self.lang))])
            for problem in results.problems
        ]
        if cases:
            suites.append(_suite(_("could not be checked").in_(self.lang), "deckcheck", _NO_DAY, {}, cases))
        # Only the first attribute is written: the totals are known at the end of the run.
        body = "".join(f'<testsuite id="{at}" {suite}' for at, suite in enumerate(suites))
        return f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n{body}</testsuites>\n'

    def _line(self, finding: Finding, report: Report, *, hint: bool = False) -> str:
        place = place_of(report.deck.path, finding.line, finding.column)
        label = LABELS[label_of(finding, self.lenient)].in_(self.lang)
        message = finding.message.in_(self.lang)
        if hint and finding.hint is not None:
            message = _("{text} ({more})", text=message, more=finding.hint).in_(self.lang)
        return safe(f"{place}: {label}[{finding.rule}] {message}")


def _name(finding: Finding) -> str:
    """The rule, and the card if it is about one, which stays the same when lines move."""
    names = {card.name for card in finding.cards}
    return f"{finding.rule}: {names.pop()}" if len(names) == 1 else finding.rule


def _suite(
    name: str, package: str, day: str, properties: Mapping[str, str | None], cases: Sequence[_Case]
) -> str:
    """A suite, starting from its second attribute."""
    outcomes = Counter(case.outcome for case in cases)
    attributes = {
        "name": name,
        "package": package,
        "timestamp": f"{day}T00:00:00",
        "hostname": "localhost",
        "tests": len(cases),
        "failures": outcomes["failure"],
        "errors": outcomes["error"],
        "skipped": outcomes["skipped"],
        "time": 0,
    }
    pairs = ({"name": key, "value": value} for key, value in properties.items() if value)
    known = "".join(f"<property {_attributes(pair)}/>" for pair in pairs)
    lines = [f"{_attributes(attributes)}>", f"<properties>{known}</properties>"]
    counts: Counter[str] = Counter()
    for case in cases:
        counts[case.name] += 1
        # A reader may drop the second of two cases with the same name.
        title = case.name if counts[case.name] == 1 else f"{case.name} ({counts[case.name]})"
        head = f"<testcase {_attributes({'name': title, 'classname': name, 'time': 0})}"
        if case.outcome is None:
            lines.append(head + "/>")
            continue
        outcome = _attributes({"type": case.kind, "message": case.lines[0]})
        lines.append(f"{head}>\n<{case.outcome} {outcome}>{_lines(case.lines)}</{case.outcome}>\n</testcase>")
    printed = [line for case in cases if case.outcome is None for line in case.lines]
    lines += [f"<system-out>{_lines(printed)}</system-out>", "<system-err></system-err>", "</testsuite>"]
    return "".join(f"{line}\n" for line in lines)


def _attributes(values: Mapping[str, object]) -> str:
    return " ".join(f'{key}="{_xml(str(value))}"' for key, value in values.items())


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(map(_xml, lines))


def _xml(text: str) -> str:
    """`text` for an element or an attribute."""
    from html import escape

    # XML can't represent these two; all others that it refuses are hidden characters.
    return escape(re.sub("[\ufffe\uffff]", lambda match: f"\\u{ord(match[0]):04x}", safe(text)))
