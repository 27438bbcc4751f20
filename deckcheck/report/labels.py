"""What findings are called, by how grave they are and whether they are sure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from deckcheck.model.finding import Finding, Report, Verdict
from deckcheck.model.rule import Severity
from deckcheck.support.messages import Words, _, p_, series

Label = Literal["error", "undecided", "warning", "info"]

LABELS: Mapping[Label, Words] = {
    "error": _("error"),
    "undecided": _("undecided"),
    "warning": _("warning"),
    "info": _("info"),
}

VERDICTS: Mapping[Verdict, Words] = {
    "legal": _("legal"),
    "illegal": _("illegal"),
    "undecided": p_("label", "undecided"),
}


def label_of(finding: Finding, lenient: bool) -> Label:
    """What a finding is called before its message: its severity, or that it is open.

    `lenient` calls an error that is open a warning.
    """
    if finding.severity == "error" and finding.verdict == "undecided":
        return "warning" if lenient else "undecided"
    return finding.severity


def level_of(finding: Finding, lenient: bool) -> Severity:
    """How grave a finding is, for formats that know no open errors: those are errors, or warnings if `lenient`."""
    label = label_of(finding, lenient)
    return "error" if label == "undecided" else label


def left_out(report: Report, lang: str) -> str:
    """How many findings somebody asked not to be told of this deck, and of which rules; "" for none."""
    number = len(report.suppressed)
    if not number:
        return ""
    rules = sorted({one.finding.rule for one in report.suppressed})
    return (
        _("{number} findings ignored: {rules}", number=number, rules=series(rules))
        if number > 1
        else _("{number} finding ignored: {rules}", number=number, rules=series(rules))
    ).in_(lang)
