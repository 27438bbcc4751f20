"""JUnit XML: a suite a deck, a case a finding, and a passing case for a deck that breaks nothing.

What is sure is a failure. What is open is an error: the question was not
answered, as in a test that could not be run. Warnings and infos pass, with
their text in the suite's output; what somebody asked to ignore is skipped.

There is no one schema, so what is written keeps to those of Ant and of
Jenkins at once. Both want a time of day and a host where there is none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape
from typing import Literal, NamedTuple

from deckcheck.model.finding import Finding, Report, Suppressed
from deckcheck.report.labels import LABELS, VERDICTS, label_of
from deckcheck.report.notes import notes
from deckcheck.report.writer import Ending, Look, Writer
from deckcheck.support.errors import Problem
from deckcheck.support.messages import _
from deckcheck.support.safetext import safe

# XML has no way to write them; all others that it refuses are hidden ones.
_ILLEGAL = "[\ufffe\uffff]"
_NO_DAY = "1970-01-01"
_NOT_CHECKED = _("could not be checked")


class _Case(NamedTuple):
    """One case; `kind` says of what sort its outcome is, `lines` are what there is to tell."""

    name: str
    outcome: Literal["failure", "error", "skipped"] | None
    kind: str
    lines: Sequence[str]


def make_writer(look: Look) -> Writer:
    """A suite a deck, and one for all that could not be checked."""

    def closing(ending: Ending) -> str:
        suites = list(ending.texts)
        if ending.problems:
            suites.append(_problems(ending.problems, look.lang))
        head = '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n'
        # Each begins with its first attribute; only the end of the run knows their numbers.
        return (
            head + "".join(f'<testsuite id="{at}" {one}' for at, one in enumerate(suites)) + "</testsuites>\n"
        )

    return Writer(lambda report: _suite(report, look), closing, gathers=True)


def _suite(report: Report, look: Look) -> str:
    lang, path = look.lang, report.deck.path
    cases = [_found(one, report, look) for one in report.findings]
    cases += [_ignored(one, report, look) for one in report.suppressed]
    if report.verdict == "legal":
        cases.insert(0, _Case(VERDICTS["legal"].in_(lang), None, "", ()))
    known = {
        "format": report.format,
        "edition": report.edition,
        "as_of": report.as_of,
        "verdict": report.verdict,
    }
    return _written(path, report.format, report.as_of, known, cases)


def _found(finding: Finding, report: Report, look: Look) -> _Case:
    label = label_of(finding, look.lenient)
    lines = [_line(finding, report, look), *notes(finding, report, look.lang)]
    if label == "error":
        return _Case(_name(finding), "failure", label, lines)
    if label == "undecided":
        return _Case(_name(finding), "error", label, lines)
    return _Case(_name(finding), None, label, lines)


def _ignored(one: Suppressed, report: Report, look: Look) -> _Case:
    place = f"{one.source.path}:{one.source.line}"
    said = f"{place}: {one.reason}" if one.reason else place
    return _Case(_name(one.finding), "skipped", one.by, [_line(one.finding, report, look), safe(said)])


def _problems(problems: Iterable[Problem], lang: str) -> str:
    cases = [
        _Case(one.path or "deckcheck", "error", "not-checked", [safe(one.in_(lang))]) for one in problems
    ]
    return _written(_NOT_CHECKED.in_(lang), "deckcheck", _NO_DAY, {}, cases)


def _name(finding: Finding) -> str:
    """The rule, and the card where it is about one: that stays the same when lines move."""
    names = {card.name for card in finding.cards}
    return f"{finding.rule}: {names.pop()}" if len(names) == 1 else finding.rule


def _line(finding: Finding, report: Report, look: Look) -> str:
    place = ":".join(str(part) for part in (report.deck.path, finding.line, finding.column) if part)
    label = LABELS[label_of(finding, look.lenient)].in_(look.lang)
    return safe(f"{place}: {label}[{finding.rule}] {finding.message.in_(look.lang)}")


def _written(name: str, package: str, day: str, known: dict[str, str | None], cases: Sequence[_Case]) -> str:
    """A suite from its second attribute on."""
    outcomes = Counter(one.outcome for one in cases)
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
    properties = "".join(
        f'<property name="{key}" value="{_xml(value)}"/>' for key, value in known.items() if value
    )
    lines = [f"{_attributes(attributes)}>", f"<properties>{properties}</properties>"]
    seen: Counter[str] = Counter()
    for one in cases:
        seen[one.name] += 1
        # Of two cases with one name a reader may drop the second.
        title = one.name if seen[one.name] == 1 else f"{one.name} ({seen[one.name]})"
        lines.append(_case(one, title, name))
    printed = [line for one in cases if one.outcome is None for line in one.lines]
    lines.append(f"<system-out>{_xml_lines(printed)}</system-out>")
    lines += ["<system-err></system-err>", "</testsuite>"]
    return "".join(f"{line}\n" for line in lines)


def _case(case: _Case, title: str, classname: str) -> str:
    head = f"<testcase {_attributes({'name': title, 'classname': classname, 'time': 0})}"
    if case.outcome is None:
        return head + "/>"
    said = _attributes({"type": case.kind, "message": case.lines[0]})
    return f"{head}>\n<{case.outcome} {said}>{_xml_lines(case.lines)}</{case.outcome}>\n</testcase>"


def _attributes(values: dict[str, str | int]) -> str:
    return " ".join(f'{key}="{_xml(str(value))}"' for key, value in values.items())


def _xml_lines(lines: Iterable[str]) -> str:
    return "\n".join(map(_xml, lines))


def _xml(text: str) -> str:
    return escape(re.sub(_ILLEGAL, lambda match: f"\\u{ord(match[0]):04x}", safe(text)))
