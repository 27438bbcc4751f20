"""JUnit XML: a suite a deck, a case a finding, and a passing case for a deck that breaks nothing.

What is sure is a failure. What is open is an error: the question was not
answered, as in a test that could not be run. Warnings and infos pass, with
their text in the suite's output; what somebody asked to ignore is skipped.

There is no one schema, so what is written keeps to those of Ant and of
Jenkins at once. Both want a time of day and a host where there is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from deckcheck.model.finding import Finding, Report
from deckcheck.report.escaping import xml
from deckcheck.report.wording import LABELS, VERDICTS, Label, label_of, notes
from deckcheck.report.writer import Ending, Writer, place_of
from deckcheck.support.errors import Problem
from deckcheck.support.messages import _
from deckcheck.support.safetext import safe

_NO_DAY = "1970-01-01"

Outcome = Literal["failure", "error", "skipped"]
_OUTCOMES: Mapping[Label, Outcome] = {"error": "failure", "undecided": "error"}


class _Case(NamedTuple):
    """One case; `kind` says of what sort its outcome is, `lines` are what there is to tell."""

    name: str
    outcome: Outcome | None
    kind: str
    lines: Sequence[str]


class JunitWriter(Writer):
    """A suite a deck, and one for all that could not be checked."""

    gathers = True

    def fragment(self, report: Report) -> str:
        cases = [self._found(finding, report) for finding in report.findings]
        for one in report.suppressed:
            place = f"{one.source.path}:{one.source.line}"
            reason = safe(f"{place}: {one.reason}" if one.reason else place)
            lines = [self._line(one.finding, report), reason]
            cases.append(_Case(_name(one.finding), "skipped", one.by, lines))
        if report.verdict == "legal":
            cases.insert(0, _Case(VERDICTS["legal"].in_(self.lang), None, "", ()))
        properties = {
            "format": report.format,
            "edition": report.edition,
            "as_of": report.as_of,
            "verdict": report.verdict,
        }
        return _suite(report.deck.path, report.format, report.as_of, properties, cases)

    def closing(self, ending: Ending) -> str:
        suites = list(ending.texts)
        if ending.problems:
            suites.append(self._problems(ending.problems))
        # Each begins with its first attribute; only the end of the run knows their numbers.
        body = "".join(f'<testsuite id="{at}" {suite}' for at, suite in enumerate(suites))
        return f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n{body}</testsuites>\n'

    def _found(self, finding: Finding, report: Report) -> _Case:
        label = label_of(finding, self.options.lenient)
        lines = [self._line(finding, report), *notes(finding, report, self.lang)]
        return _Case(_name(finding), _OUTCOMES.get(label), label, lines)

    def _line(self, finding: Finding, report: Report) -> str:
        place = place_of(report.deck.path, finding.line, finding.column)
        label = LABELS[label_of(finding, self.options.lenient)].in_(self.lang)
        return safe(f"{place}: {label}[{finding.rule}] {finding.message.in_(self.lang)}")

    def _problems(self, problems: Iterable[Problem]) -> str:
        cases = [
            _Case(problem.path or "deckcheck", "error", "not-checked", [safe(problem.in_(self.lang))])
            for problem in problems
        ]
        return _suite(_("could not be checked").in_(self.lang), "deckcheck", _NO_DAY, {}, cases)


def _name(finding: Finding) -> str:
    """The rule, and the card where it is about one: that stays the same when lines move."""
    names = {card.name for card in finding.cards}
    return f"{finding.rule}: {names.pop()}" if len(names) == 1 else finding.rule


def _suite(
    name: str, package: str, day: str, properties: Mapping[str, str | None], cases: Sequence[_Case]
) -> str:
    """A suite from its second attribute on."""
    outcomes = Counter(case.outcome for case in cases)
    attributes: dict[str, str | int] = {
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
    known = "".join(
        f'<property name="{key}" value="{xml(value)}"/>' for key, value in properties.items() if value
    )
    lines = [f"{_attributes(attributes)}>", f"<properties>{known}</properties>"]
    counts: Counter[str] = Counter()
    for case in cases:
        counts[case.name] += 1
        # Of two cases with one name a reader may drop the second.
        title = case.name if counts[case.name] == 1 else f"{case.name} ({counts[case.name]})"
        lines.append(_case(case, title, name))
    printed = [line for case in cases if case.outcome is None for line in case.lines]
    lines.append(f"<system-out>{_lines(printed)}</system-out>")
    lines += ["<system-err></system-err>", "</testsuite>"]
    return "".join(f"{line}\n" for line in lines)


def _case(case: _Case, title: str, classname: str) -> str:
    head = f"<testcase {_attributes({'name': title, 'classname': classname, 'time': 0})}"
    if case.outcome is None:
        return head + "/>"
    attributes = _attributes({"type": case.kind, "message": case.lines[0]})
    return f"{head}>\n<{case.outcome} {attributes}>{_lines(case.lines)}</{case.outcome}>\n</testcase>"


def _attributes(values: Mapping[str, str | int]) -> str:
    return " ".join(f'{key}="{xml(str(value))}"' for key, value in values.items())


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(map(xml, lines))
