"""What stands beneath a finding's message: the count, who says so, what to do."""

from __future__ import annotations

import re
from collections.abc import Mapping

from deckcheck.model.finding import Finding, Number, Report
from deckcheck.support.messages import Words, _
from deckcheck.support.safetext import safe

_BOUNDS: Mapping[str, Words] = {
    "exactly": _("exactly"),
    "at_least": _("at least"),
    "at_most": _("at most"),
}


def notes(finding: Finding, report: Report, lang: str) -> list[str]:
    """Lines for people, safe to show: what was counted, the line that says so, others that matter, the hint."""
    lines = []
    counted = _counted(finding, lang)
    # A remark is no breach, and its bound only says when it is made.
    if counted and finding.severity != "info" and not _repeated(finding, lang):
        lines.append(counted)
    if finding.source is not None:
        place = f"{finding.source.path}:{finding.source.line}"
        said = said_by(finding, report, lang)
        if lang == "ja":
            lines.append(safe(f"{said}　{place}" if said else place))
        else:
            lines.append(safe(f"{said} ({place})" if said else place))
    for one in finding.related:
        lines.append(safe(f"{one.message.in_(lang)}{'：' if lang == 'ja' else ': '}{one.path}:{one.line}"))
    if finding.hint is not None:
        lines.append(safe(finding.hint.in_(lang)))
    return lines


def said_by(finding: Finding, report: Report, lang: str) -> str:
    """The rule text and its section that say so; "" where neither is known."""
    title = report.title
    if lang == "ja":
        return f"{title or ''}{f'「{finding.cite}」' if finding.cite else ''}"
    return ", ".join(part for part in (title, finding.cite) if part)


def card_at(finding: Finding, line: int, lang: str) -> str:
    """Which of a finding's cards stands on a line, and how many of it; "" for none."""
    for card in finding.cards:
        if card.line == line:
            return f"《{card.name}》{card.copies}枚" if lang == "ja" else f"{card.name}: {card.copies}"
    return ""


def _counted(finding: Finding, lang: str) -> str:
    if finding.found is None or finding.allowed is None:
        return ""
    allowed = []
    for key, value in finding.allowed.items():
        if isinstance(value, tuple):
            allowed.append((" か " if lang == "ja" else " or ").join(map(str, value)))
        else:
            allowed.append(f"{_BOUNDS[key].in_(lang)} {value}")
    if lang == "ja":
        return f"実際 {_number(finding.found, '〜')}、{'、'.join(allowed)}"
    return f"found {_number(finding.found, '–')}, {' and '.join(allowed)}"


def _number(found: Number, to: str) -> str:
    if isinstance(found, int):
        return str(found)
    low, high = found
    return f"{low}{to}{'' if high is None else high}"


def _repeated(finding: Finding, lang: str) -> bool:
    """Whether the message tells both numbers already."""
    said = {int(number) for number in re.findall(r"\d+", finding.message.in_(lang))}
    needed: set[int] = set()
    for value in (finding.found, *(finding.allowed or {}).values()):
        needed |= {value} if isinstance(value, int) else {one for one in value or () if one is not None}
    return needed <= said
