"""A report as text for people."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from deckcheck.report.closing import render_lists, render_tally
from deckcheck.report.paint import Paint, Style, marked_line, note, painter
from deckcheck.report.places import safe
from deckcheck.report.violation import Finding, Number, Report, Verdict
from deckcheck.report.writer import Ending, Look, Writer
from deckcheck.text import Text

_MOST_LINES = 5
_LABELS: Mapping[str, tuple[Text, Style]] = {
    "error": (Text("エラー", "error"), "red"),
    "undecided": (Text("要確認", "undecided"), "yellow"),
    "warning": (Text("警告", "warning"), "yellow"),
    "info": (Text("情報", "info"), "cyan"),
}
_VERDICTS: Mapping[Verdict, tuple[Text, Style]] = {
    "legal": (Text("問題なし", "legal"), "green"),
    "illegal": (Text("違反あり", "illegal"), "red"),
    "undecided": (Text("判定できません", "undecided"), "yellow"),
}
_BOUNDS: Mapping[str, Text] = {
    "exactly": Text("指定", "exactly"),
    "at_least": Text("下限", "at least"),
    "at_most": Text("上限", "at most"),
}


def render(report: Report, lang: str, *, color: bool, width: int = 100, lenient: bool = False) -> str:
    """All that there is to tell of one deck, ended by a line feed.

    `width` is how many cells an excerpt may take; `lenient` shows what is
    unknown as a warning. Everything that comes from a file is made safe to show.
    """
    paint = painter(color)
    blocks = [_finding(one, report, lang, paint, width, lenient) for one in report.findings]
    blocks.append(
        verdict_line(report, lang, color=color)
        + _sizes(report, lang)
        + _counts(report, lang, lenient)
        + _left_out(report, lang)
        + _chosen_by(report, lang)
    )
    return "\n".join(blocks)


def make_writer(look: Look) -> Writer:
    """A text a deck, and beneath all of them the lists that were used and how many decks are what."""
    lang, color = look.lang, look.color

    def fragment(report: Report) -> str:
        if look.brief and not report.findings and not report.suppressed:
            return verdict_line(report, lang, color=color)
        said = render(report, lang, color=color, width=look.width, lenient=look.lenient)
        return said + "\n" if look.brief else said

    def closing(ending: Ending) -> str:
        if not ending.tally.decks:
            return ""
        said = render_lists(ending.lists, ending.held, lang, color=color)
        return (
            said + render_tally(ending.tally, ending.failed, ending.suppressed, lang) if look.brief else said
        )

    return Writer(fragment, closing, exact=False)


def verdict_line(report: Report, lang: str, *, color: bool) -> str:
    """Which deck, what of it and by which rules, in one line with its line feed."""
    path = painter(color)(safe(report.deck.path) + ":", "bold")
    said = _verdict(
        report.verdict, report.format_name, report.edition, report.as_of, len(report.suppressed), lang, color
    )
    name = report.name
    if not name:
        return f"{path} {said}"
    return f"{path} 「{safe(name)}」{said}" if lang == "ja" else f"{path} “{safe(name)}” {said}"


@lru_cache(maxsize=64)
def _verdict(
    verdict: Verdict,
    format_name: Text,
    edition: str | None,
    as_of: str,
    left_out: int,
    lang: str,
    color: bool,
) -> str:
    text, style = _VERDICTS[verdict]
    said = painter(color)(text.in_(lang), style)
    if left_out:
        said += f"、無視{left_out}件" if lang == "ja" else f", {left_out} ignored"
    parts = [safe(part) for part in (format_name.in_(lang), edition, as_of) if part]
    return f"{said}（{'・'.join(parts)}）\n" if lang == "ja" else f"{said} ({', '.join(parts)})\n"


def label_of(finding: Finding, lenient: bool) -> str:
    """What a finding is called before its message: its severity, or that it is open."""
    if finding.severity == "error" and finding.verdict == "undecided":
        return "warning" if lenient else "undecided"
    return finding.severity


def _finding(finding: Finding, report: Report, lang: str, paint: Paint, width: int, lenient: bool) -> str:
    label, style = _LABELS[label_of(finding, lenient)]
    place = ":".join(str(part) for part in (safe(report.deck.path), finding.line, finding.column) if part)
    message = safe(finding.message.in_(lang))
    rule = safe(finding.rule)
    if lang == "ja":
        head = f"{paint(f'{label.ja}［{rule}］', style)}{message}"
    else:
        head = f"{paint(f'{label.en}[{rule}]:', style)} {message}"
    marks = _marks(finding, report)
    shown = marks if len(marks) <= _MOST_LINES else marks[:2]
    gutter = len(str(max((line for line, _, _ in shown), default=1)))
    lines = [f"{paint(place + ':', 'bold')} {head}"]
    for number, column, length in shown:
        text = report.deck.lines[number - 1] if number <= len(report.deck.lines) else ""
        lines += marked_line(
            number, text, column, length, gutter=gutter, width=width, paint=paint, style=style
        )
    if len(shown) < len(marks):
        more = len(marks) - len(shown)
        lines.append(
            note(f"ほか{more}行" if lang == "ja" else f"and {more} more lines", gutter=gutter, paint=paint)
        )
    lines += [note(text, gutter=gutter, paint=paint) for text in _notes(finding, report, lang)]
    return "\n".join(lines) + "\n"


def _marks(finding: Finding, report: Report) -> list[tuple[int, int, int]]:
    """Line, column and length of what to mark: one place a line, the primary one first."""
    if finding.line is None:
        return []
    places = [(finding.line, finding.column or 1)]
    places += [(card.line, card.column) for card in finding.cards]
    firsts: dict[int, int] = {}
    for line, column in places:
        firsts.setdefault(line, column)
    written = {(entry.line, entry.column): entry.written for entry in report.deck.entries}
    written |= {(remark.line, remark.column): remark.written for remark in report.deck.remarks}
    return [
        (line, column, _length(report, line, column, written.get((line, column), "")))
        for line, column in firsts.items()
    ]


def _length(report: Report, line: int, column: int, written: str) -> int:
    text = report.deck.lines[line - 1] if line <= len(report.deck.lines) else ""
    # In YAML and JSON a name may be written otherwise than it reads.
    return len(written) if text.startswith(written, column - 1) else 1


def _notes(finding: Finding, report: Report, lang: str) -> list[str]:
    lines = []
    counted = _counted(finding, lang)
    if counted and not _repeated(finding, lang):
        lines.append(counted)
    if finding.source is not None:
        lines.append(_reason(finding, report, lang, f"{finding.source.path}:{finding.source.line}"))
    for one in finding.related:
        lines.append(safe(f"{one.message.in_(lang)}{'：' if lang == 'ja' else ': '}{one.path}:{one.line}"))
    if finding.hint is not None:
        lines.append(safe(finding.hint.in_(lang)))
    return lines


def _reason(finding: Finding, report: Report, lang: str, place: str) -> str:
    """The section of the rule text and the line of the file that says so."""
    title = report.title
    if lang == "ja":
        cite = f"「{finding.cite}」" if finding.cite else ""
        said = f"{title or ''}{cite}"
        return safe(f"{said}　{place}" if said else place)
    said = ", ".join(part for part in (title, finding.cite) if part)
    return safe(f"{said} ({place})" if said else place)


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


def _sizes(report: Report, lang: str) -> str:
    sizes = report.sizes
    named = [
        (safe(report.zone_names[zone].in_(lang) if zone in report.zone_names else zone), count)
        for zone, count in sizes.items()
    ]
    total = sum(sizes.values())
    if lang == "ja":
        listed = "、".join(f"{name} {count}枚" for name, count in named)
        return f"  {listed}" + (f"（計{total}枚）\n" if len(named) > 1 else "\n")
    listed = ", ".join(f"{name} {count}" for name, count in named)
    return f"  {listed}" + (f" ({total} cards)\n" if len(named) > 1 else "\n")


def _counts(report: Report, lang: str, lenient: bool) -> str:
    counts = Counter(label_of(one, lenient) for one in report.findings)
    if not counts:
        return ""
    if lang == "ja":
        return (
            "  " + "、".join(f"{_LABELS[key][0].ja}{counts[key]}件" for key in _LABELS if counts[key]) + "\n"
        )
    return "  " + ", ".join(_counted_label(key, counts[key]) for key in _LABELS if counts[key]) + "\n"


def _counted_label(key: str, count: int) -> str:
    label = _LABELS[key][0].en
    return f"{count} {label}{'s' if count > 1 and key in ('error', 'warning') else ''}"


def _left_out(report: Report, lang: str) -> str:
    """A line for each finding that somebody asked not to be told, with where and why."""
    lines = []
    for one in report.suppressed:
        place = f"{one.source.path}:{one.source.line}"
        reason = f"「{one.reason}」" if lang == "ja" else f": {one.reason}"
        said = f"{one.finding.rule} ({place})" if lang != "ja" else f"{one.finding.rule}（{place}）"
        head = "無視: " if lang == "ja" else "ignored: "
        lines.append("  " + safe(head + said + (reason if one.reason else "")) + "\n")
    return "".join(lines)


def _chosen_by(report: Report, lang: str) -> str:
    """Which line of the settings gave the format, where one did."""
    source = report.chosen_by
    if source is None:
        return ""
    head = "フォーマットの指定: " if lang == "ja" else "format chosen by: "
    return "  " + safe(f"{head}{source.path}:{source.line}") + "\n"
