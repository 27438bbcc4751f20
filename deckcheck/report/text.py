"""A report as text for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from deckcheck.model.finding import Finding, Report, Verdict
from deckcheck.report.closing import render_lists, render_tally
from deckcheck.report.labels import LABELS, VERDICTS, Label, label_of
from deckcheck.report.marks import line_of, marks
from deckcheck.report.notes import notes
from deckcheck.report.paint import Paint, Style, marked_line, note, painter
from deckcheck.report.writer import Ending, Look, Writer
from deckcheck.support.messages import Words, _
from deckcheck.support.safetext import safe

_MOST_LINES = 5
_STYLES: Mapping[Label, Style] = {
    "error": "red",
    "undecided": "yellow",
    "warning": "yellow",
    "info": "cyan",
}
_VERDICT_STYLES: Mapping[Verdict, Style] = {"legal": "green", "illegal": "red", "undecided": "yellow"}


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
    return _("{path} “{name}” {said}", path=path, name=safe(name), said=said).in_(lang)


@lru_cache(maxsize=64)
def _verdict(
    verdict: Verdict,
    format_name: Words,
    edition: str | None,
    as_of: str,
    left_out: int,
    lang: str,
    color: bool,
) -> str:
    said = painter(color)(VERDICTS[verdict].in_(lang), _VERDICT_STYLES[verdict])
    if left_out:
        said += _(", {left_out} ignored", left_out=left_out).in_(lang)
    parts = [safe(part) for part in (format_name.in_(lang), edition, as_of) if part]
    return f"{said}（{'・'.join(parts)}）\n" if lang == "ja" else f"{said} ({', '.join(parts)})\n"


def _finding(finding: Finding, report: Report, lang: str, paint: Paint, width: int, lenient: bool) -> str:
    name = label_of(finding, lenient)
    label, style = LABELS[name], _STYLES[name]
    place = ":".join(str(part) for part in (safe(report.deck.path), finding.line, finding.column) if part)
    message = safe(finding.message.in_(lang))
    rule = safe(finding.rule)
    if lang == "ja":
        head = f"{paint(f'{label.ja}［{rule}］', style)}{message}"
    else:
        head = f"{paint(f'{label.en}[{rule}]:', style)} {message}"
    found = marks(finding, report)
    shown = found if len(found) <= _MOST_LINES else found[:2]
    gutter = len(str(max((line for line, _unused, _unused in shown), default=1)))
    lines = [f"{paint(place + ':', 'bold')} {head}"]
    for number, column, length in shown:
        text = line_of(report, number)
        lines += marked_line(
            number, text, column, length, gutter=gutter, width=width, paint=paint, style=style
        )
    if len(shown) < len(found):
        more = len(found) - len(shown)
        lines.append(note(_("and {more} more lines", more=more).in_(lang), gutter=gutter, paint=paint))
    lines += [note(text, gutter=gutter, paint=paint) for text in notes(finding, report, lang)]
    return "\n".join(lines) + "\n"


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
        return "  " + "、".join(f"{LABELS[key].ja}{counts[key]}件" for key in LABELS if counts[key]) + "\n"
    return "  " + ", ".join(_counted_label(key, counts[key]) for key in LABELS if counts[key]) + "\n"


def _counted_label(key: Label, count: int) -> str:
    label = LABELS[key].en
    return f"{count} {label}{'s' if count > 1 and key in ('error', 'warning') else ''}"


def _left_out(report: Report, lang: str) -> str:
    """A line for each finding that somebody asked not to be told, with where and why."""
    lines = []
    for one in report.suppressed:
        # An option of the command line has no lines.
        option = one.source.path.startswith("--")
        place = one.source.path if option else f"{one.source.path}:{one.source.line}"
        reason = f"「{one.reason}」" if lang == "ja" else f": {one.reason}"
        said = f"{one.finding.rule} ({place})" if lang != "ja" else f"{one.finding.rule}（{place}）"
        head = _("ignored: ").in_(lang)
        lines.append("  " + safe(head + said + (reason if one.reason else "")) + "\n")
    return "".join(lines)


def _chosen_by(report: Report, lang: str) -> str:
    """Which line of the settings gave the format, where one did."""
    source = report.chosen_by
    if source is None:
        return ""
    head = _("format chosen by: ").in_(lang)
    return "  " + safe(f"{head}{source.path}:{source.line}") + "\n"
