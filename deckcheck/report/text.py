"""A report as text for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from deckcheck.model.finding import Finding, Report, Verdict
from deckcheck.report.locations import line_of, marks
from deckcheck.report.summary import render_lists, render_tally
from deckcheck.report.terminal import STYLES, labelled, marked_line, note, painted_verdict, painter
from deckcheck.report.wording import Label, label_of, notes
from deckcheck.report.writer import Ending, RenderOptions, Writer, place_of
from deckcheck.support.messages import Message, Words, _, n_, series
from deckcheck.support.safetext import safe

_MOST_LINES = 5


class TextWriter(Writer):
    """A text a deck, and beneath all of them the lists that were used and how many decks are what."""

    exact = False

    def fragment(self, report: Report) -> str:
        if not self.options.brief:
            return render(report, self.options)
        if report.findings or report.suppressed:
            return render(report, self.options) + "\n"
        return verdict_line(report, self.lang, color=self.options.color)

    def closing(self, ending: Ending) -> str:
        if not ending.tally.decks:
            return ""
        lists = render_lists(ending.lists, ending.held, self.lang, color=self.options.color)
        if not self.options.brief:
            return lists
        return lists + render_tally(ending.tally, ending.failed, ending.suppressed, self.lang)


def render(report: Report, options: RenderOptions) -> str:
    """All that there is to tell of one deck, ended by a line feed.

    Everything that comes from a file is made safe to show.
    """
    blocks = [render_finding(finding, report, options) for finding in report.findings]
    below = [line.in_(options.lang) for line in _lines_below(report, options)]
    verdict = verdict_line(report, options.lang, color=options.color)
    return "\n".join([*blocks, verdict + "".join(f"  {line}\n" for line in below)])


def render_finding(finding: Finding, report: Report, options: RenderOptions) -> str:
    """One finding with its lines of the list and what stands beneath them, ended by a line feed."""
    lang, paint = options.lang, painter(options.color)
    place = place_of(safe(report.deck.path), finding.line, finding.column)
    lines = [f"{paint(place + ':', 'bold')} {labelled(finding, lang, paint, lenient=options.lenient)}"]
    found = marks(finding, report)
    shown = found if len(found) <= _MOST_LINES else found[:2]
    gutter = len(str(max((mark.line for mark in shown), default=1)))
    for number, column, length in shown:
        lines += marked_line(
            number,
            line_of(report, number),
            column,
            length,
            gutter=gutter,
            width=options.width,
            paint=paint,
            style=STYLES[label_of(finding, options.lenient)],
        )
    below = notes(finding, report, lang)
    if len(shown) < len(found):
        more = n_("and {n} more line", "and {n} more lines", len(found) - len(shown))
        below.insert(0, more.in_(lang))
    lines += [note(line, gutter=gutter, paint=paint) for line in below]
    return "\n".join(lines) + "\n"


def verdict_line(report: Report, lang: str, *, color: bool) -> str:
    """Which deck, what of it and by which rules, in one line with its line feed."""
    path = painter(color)(safe(report.deck.path) + ":", "bold")
    verdict = _verdict(
        report.verdict, report.format_name, report.edition, report.as_of, len(report.suppressed), lang, color
    )
    if not report.name:
        return f"{path} {verdict}\n"
    named = _("“{name}” {verdict}", name=safe(report.name), verdict=verdict).in_(lang)
    return f"{path} {named}\n"


@lru_cache(maxsize=64)
def _verdict(
    verdict: Verdict,
    format_name: Words,
    edition: str | None,
    as_of: str,
    suppressed: int,
    lang: str,
    color: bool,
) -> str:
    result = painted_verdict(verdict, lang, painter(color))
    if suppressed:
        result = _("{verdict}, {number} ignored", verdict=result, number=suppressed).in_(lang)
    name = safe(format_name.in_(lang))
    if edition is None:
        return _("{verdict} ({format}, {day})", verdict=result, format=name, day=as_of).in_(lang)
    return _(
        "{verdict} ({format}, {edition}, {day})",
        verdict=result,
        format=name,
        edition=safe(edition),
        day=as_of,
    ).in_(lang)


def _lines_below(report: Report, options: RenderOptions) -> Iterator[Words]:
    """What stands beneath the verdict: sizes, how many findings, those that were suppressed, who chose the format."""
    lang, sizes = options.lang, report.sizes
    named = [
        _(
            "{zone} {count}",
            zone=safe(report.zone_names[zone].in_(lang) if zone in report.zone_names else zone),
            count=count,
        )
        for zone, count in sizes.items()
    ]
    if len(named) > 1:
        yield _("{sizes} ({total} cards)", sizes=series(named), total=sum(sizes.values()))
    else:
        yield series(named)
    counts = Counter(label_of(finding, options.lenient) for finding in report.findings)
    if counts:
        yield series(_count(label, counts[label]) for label in STYLES if counts[label])
    for one in report.suppressed:
        # An option of the command line has no lines.
        option = one.source.path.startswith("--")
        place = safe(one.source.path if option else f"{one.source.path}:{one.source.line}")
        rule = safe(one.finding.rule)
        if one.reason:
            yield _("ignored: {rule} ({place}): {reason}", rule=rule, place=place, reason=safe(one.reason))
        else:
            yield _("ignored: {rule} ({place})", rule=rule, place=place)
    if report.chosen_by is not None:
        source = report.chosen_by
        yield _("format chosen by: {place}", place=safe(f"{source.path}:{source.line}"))


def _count(label: Label, number: int) -> Message:
    match label:
        case "error":
            return n_("{n} error", "{n} errors", number)
        case "warning":
            return n_("{n} warning", "{n} warnings", number)
        case "undecided":
            return _("{number} undecided", number=number)
        case "info":
            return _("{number} info", number=number)
