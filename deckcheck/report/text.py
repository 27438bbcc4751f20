"""Text for people: excerpts of lines, problems, a deck, the whole run, the answers of other commands, and progress.

The output "concise" is here, too: a line per finding, `path:line:column: label[rule] message`, with labels for programs.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate, takewhile
from typing import Any

from msgspec import Struct

from deckcheck.model.finding import Finding, ListUsed, Report, Verdict, singly
from deckcheck.report.findings import own_facts
from deckcheck.report.json import json_answer
from deckcheck.report.results import Mark, Places, RenderOptions, Results, Write, line_of
from deckcheck.report.wording import LABELS, VERDICTS, Label, hint_of, label_of, notes
from deckcheck.support.errors import Problem, place_of
from deckcheck.support.messages import SEMICOLON, Message, Words, _, n_, p_, series, shortened
from deckcheck.support.safe_text import cells, safe
from deckcheck.support.terminal import (
    Bar,
    Color,
    Paint,
    Style,
    painter,
    show,
    wants_color,
    width_of,
    write_stderr,
)

_STYLES: Mapping[Label, Style] = {
    Label.ERROR: "red",
    Label.UNDECIDED: "yellow",
    Label.WARNING: "yellow",
    Label.INFO: "cyan",
}
_COUNTS: Mapping[Label, Message] = {
    Label.ERROR: n_("{n} error", "{n} errors", 0),
    Label.UNDECIDED: _("{n} undecided"),
    Label.WARNING: n_("{n} warning", "{n} warnings", 0),
    Label.INFO: _("{n} info"),
}
VERDICT_STYLES: Mapping[Verdict, Style] = {
    Verdict.LEGAL: "green",
    Verdict.UNDECIDED: "yellow",
    Verdict.ILLEGAL: "red",
}

_MOST_LINES = 5
_MOST_ROWS = 40
_TAB = 4
_MOST_SHOWN = 1000


def render_options(
    lang: str, color: Color = "auto", *, file: str | None = None, plain: bool = False
) -> RenderOptions:
    """How results look on standard output, or in a file; `plain` ones are never colored."""
    stream = None if file is not None else sys.stdout
    return RenderOptions(lang, not plain and wants_color(color, stream), width_of(stream))


# Excerpts


class Excerpt(Struct, frozen=True):
    """A line as shown, and the blanks and carets below it."""

    line: str
    carets: str


def excerpt(line: str, column: int, length: int, width: int) -> Excerpt:
    """The part of `line` around `column` (1-based, code points) that fits `width` cells, with `length` characters marked."""
    line = line.rstrip()
    marked = min(max(column - 1, 0), len(line))
    # Don't process the rest of a huge line.
    before, rest = line[max(0, marked - _MOST_SHOWN) : marked], line[marked : marked + _MOST_SHOWN]
    carets = cells(_visible(rest[: max(length, 1)]))
    if cells(_visible(before + rest)) > width:
        before = before[len(before) - _number_within(width // 3, reversed(before)) :]
        if len(before) < marked:
            before = "…" + before
        room = width - cells(_visible(before))
        if cells(_visible(rest)) > room:
            # A … may be wide.
            rest = rest[: _number_within(room - 2, rest)] + "…"
    before, rest = _visible(before), _visible(rest)
    carets = max(min(carets, cells(rest)), 1)
    return Excerpt(before + rest, " " * cells(before) + "^" * carets)


def _number_within(width: int, text: Iterable[str]) -> int:
    """How many characters of a text, made visible, fit a width: none is cut in the middle of its escape."""
    ends = accumulate(cells(_visible(char)) for char in text)
    return sum(1 for _end in takewhile(lambda end: end <= width, ends))


def _visible(text: str) -> str:
    return safe(text.replace("\t", " " * _TAB))


def _excerpts(
    places: Iterable[tuple[Mark, str, str]],
    notes: Iterable[str],
    gutter: int,
    width: int,
    paint: Paint,
    style: Style | None,
) -> Iterator[str]:
    """Marks, each with its line and a hint ("" for none), with styled carets below them; then notes, aligned."""
    for mark, line, hint in places:
        part = excerpt(line, mark.column, mark.length, max(width - gutter - 4, 20))
        row = f" {paint(f'{mark.line:>{gutter}} |', 'dim')} {part.line}"
        if style is None:
            yield f"{row}  {paint('=', 'dim')} {hint}" if hint else row
            continue
        yield row
        carets = part.carets.lstrip(" ")
        indent = " " * (len(part.carets) - len(carets))
        yield f" {paint(' ' * gutter + ' |', 'dim')} {indent}{paint(carets, style)} {hint}".rstrip()
    for note in notes:
        yield f" {' ' * gutter} {paint('=', 'dim')} {note}"


def write_problems(problems: Iterable[Problem], lang: str, kind: Label = Label.ERROR) -> None:
    """Write each of the user's mistakes to standard error, with its place, the line and the hint."""
    paint, width = painter(wants_color("auto", sys.stderr)), width_of(sys.stderr)
    lines = []
    for problem in problems:
        label, message = paint(LABELS[kind].in_(lang), _STYLES[kind]), safe(problem.message.in_(lang))
        head = p_("problem", "{label}: {message}", label=label, message=message).in_(lang)
        place = safe(problem.place)
        lines.append(f"{paint(place + ':', 'bold')} {head}" if place else head)
        places = []
        if problem.excerpt is not None and problem.line is not None:
            places.append((Mark(problem.line, problem.column or 1, problem.length), problem.excerpt, ""))
        hints = [] if problem.hint is None else [safe(problem.hint.in_(lang))]
        lines += _excerpts(places, hints, len(str(problem.line or "")), width, paint, _STYLES[kind])
    write_stderr("".join(f"{line}\n" for line in lines))


# One deck


def render(report: Report, options: RenderOptions) -> str:
    """Everything about one deck, ended by a line feed. Everything that comes from a file is made safe to show."""
    places = Places(report.deck)
    blocks = [render_finding(finding, places, report, options) for finding in report.findings]
    following = [safe(line.in_(options.lang)) for line in _lines_below(report, options)]
    verdict = verdict_line(report, options)
    return "\n".join([*blocks, verdict + "".join(f"  {line}\n" for line in following)])


def render_finding(finding: Finding, places: Places, report: Report, options: RenderOptions) -> str:
    """One finding with its marked lines of the list and the notes below them, ended by a line feed."""
    lang, paint, marks = options.lang, painter(options.color), places.of(finding)
    place = place_of(safe(report.deck.path), finding.line, finding.column)
    most = _MOST_ROWS if finding.parts else _MOST_LINES
    marked = marks if len(marks) <= most else marks[: most // 2]
    note_lines = notes(finding, report, lang)
    if len(marked) < len(marks):
        more = n_("and {n} more line", "and {n} more lines", len(marks) - len(marked))
        note_lines.insert(0, more.in_(lang))
    hints = {
        part.line: safe(part.hint.in_(lang))
        for part in finding.parts
        if part.hint not in (None, finding.hint)
    }
    rows = [(mark, line_of(report, mark.line), hints.get(mark.line, "")) for mark in marked]
    gutter = max((len(str(mark.line)) for mark in marked), default=1)
    # Many lines are shown without carets.
    style = _STYLES[label_of(finding, options.lenient)] if len(marked) <= _MOST_LINES else None
    lines = [f"{paint(place + ':', 'bold')} {_labelled(finding, options)}"]
    lines += _excerpts(rows, note_lines, gutter, options.width, paint, style)
    return "\n".join(lines) + "\n"


def _labelled(finding: Finding, options: RenderOptions) -> str:
    """The message of a finding after its label and rule, safe to show."""
    label, lang = label_of(finding, options.lenient), options.lang
    heading = _("{label}[{rule}]:", label=LABELS[label], rule=safe(finding.rule)).in_(lang)
    painted = painter(options.color)(heading, _STYLES[label])
    return _("{heading} {message}", heading=painted, message=safe(finding.message.in_(lang))).in_(lang)


def verdict_line(report: Report, options: RenderOptions) -> str:
    """The deck, its verdict and the format, in one line with its line feed."""
    paint, lang = painter(options.color), options.lang
    path = paint(safe(report.deck.path) + ":", "bold")
    verdict = paint(VERDICTS[report.verdict].in_(lang), VERDICT_STYLES[report.verdict])
    if report.suppressed:
        verdict = _("{verdict}, {number} ignored", verdict=verdict, number=len(report.suppressed)).in_(lang)
    about = (report.format_name.in_(lang), report.edition, report.as_of)
    known = series((safe(part) for part in about if part is not None), p_("beside", ", "))
    line = _("{verdict} ({format})", verdict=verdict, format=known)
    if report.name:
        line = _("“{name}” {verdict}", name=safe(report.name), verdict=line)
    return f"{path} {line.in_(lang)}\n"


def _lines_below(report: Report, options: RenderOptions) -> Iterator[Words]:
    """Yields the lines below a verdict: sizes, numbers of findings, suppressions, the setting that chose the format."""
    zones, sizes = report.zone_names, report.sizes
    named = series(_("{zone} {count}", zone=zones.get(id, id), count=count) for id, count in sizes.items())
    total = sum(sizes.values())
    yield n_("{sizes} ({n} card)", "{sizes} ({n} cards)", total, sizes=named) if len(sizes) > 1 else named
    counts = Counter(label_of(finding, options.lenient) for finding in report.findings)
    if counts:
        yield series(message.filled(n=counts[label]) for label, message in _COUNTS.items() if counts[label])
    for ignored in report.suppressed:
        rule, reason, place = ignored.finding.rule, ignored.reason, ignored.source.place
        if reason:
            yield _("ignored: {rule} ({place}): {reason}", rule=rule, place=place, reason=reason)
        else:
            yield _("ignored: {rule} ({place})", rule=rule, place=place)
    if report.chosen_by is not None:
        yield _("format chosen by: {place}", place=report.chosen_by.place)


# A run


def render_lists(lists: Iterable[ListUsed], lang: str, *, color: bool) -> str:
    """Each banlist in use with its newest change and its notes; "" for no lists."""
    from deckcheck.support import templates

    return templates.render("lists-used.txt", lang, color=color, lists=list(lists))


def render_lists_briefly(lists: Iterable[ListUsed], lang: str, *, color: bool) -> str:
    """The banlists in use in one line; "" for no lists."""
    used = [safe(list_in_brief(banlist).in_(lang)) for banlist in lists]
    if not used:
        return ""
    heading = painter(color)(_("lists used:").in_(lang), "dim")
    return f"{heading} {series(used, SEMICOLON).in_(lang)}\n"


def list_in_brief(used: ListUsed) -> Words:
    """A banlist with its newest change and its notes."""
    latest = used.latest
    line = used.name if latest is None else _("{list}, newest change {day}", list=used.name, day=latest)
    return _("{list} ({notes})", list=line, notes=series(used.notes)) if used.notes else line


def outdated_lines(lists: Iterable[ListUsed], lang: str) -> list[str]:
    """One line, safe to show, if the day of some deck is after the last known day of a list; else none."""
    outdated = [
        _("{list} ({day})", list=used.name, day=used.complete_through) for used in lists if used.outdated
    ]
    if not outdated:
        return []
    note = _("changes of banlists after these days are not known: {lists}", lists=shortened(outdated))
    return [safe(_("note: {note}", note=note).in_(lang))]


def own_lines(results: Results, lang: str) -> list[str]:
    """A line for each of the user's own files, safe to show, with the number of the decks' cards that it decided on."""
    return [safe(own_facts(file, len(cards)).in_(lang)) for file, cards in results.own_facts.items()]


def render_tally(results: Results, lang: str) -> str:
    """The numbers of decks by verdict, of ignored findings and of lists that could not be checked, in one line."""
    line = n_(
        "{n:,} deck: {legal:,} legal, {illegal:,} illegal, {undecided:,} undecided",
        "{n:,} decks: {legal:,} legal, {illegal:,} illegal, {undecided:,} undecided",
        results.decks,
        legal=results.verdicts[Verdict.LEGAL],
        illegal=results.verdicts[Verdict.ILLEGAL],
        undecided=results.verdicts[Verdict.UNDECIDED],
    )
    if results.suppressed:
        line = n_(
            "{tally}; {n:,} finding ignored",
            "{tally}; {n:,} findings ignored",
            results.suppressed,
            tally=line,
        )
    if results.failed:
        line = _("{tally} (and {failed:,} that could not be checked)", tally=line, failed=results.failed)
    return line.in_(lang) + "\n"


def record_text(report: Report, options: RenderOptions) -> str:
    """The text about a deck; of many decks, one without findings has none, or with `verbose` a line."""
    if not options.brief:
        return render(report, options)
    if report.findings or report.suppressed:
        return render(report, options) + "\n"
    return verdict_line(report, options) if options.verbose else ""


def write_text(records: Iterable[str], results: Results, options: RenderOptions, out: Write) -> None:
    """Write the texts about all decks as they come, then what is said of the run."""
    for text in records:
        out(text)
    if results.decks:
        out(closing(results, options))
        out(render_tally(results, options.lang) if options.brief else "")


def closing(results: Results, options: RenderOptions) -> str:
    """The banlists that a run used, and the user's own files that decided on cards."""
    render_used = render_lists if options.verbose else render_lists_briefly
    used = render_used(results.lists, options.lang, color=options.color)
    return used + "".join(f"{line}\n" for line in own_lines(results, options.lang))


def record_concise(report: Report, options: RenderOptions) -> str:
    """The lines of a deck: one per finding."""
    lines = []
    for finding in singly(report.findings):
        place = place_of(safe(report.deck.path), finding.line, finding.column)
        label, message = label_of(finding, options.lenient), safe(finding.message.in_(options.lang))
        lines.append(f"{place}: {label}[{safe(finding.rule)}] {message}\n")
    return "".join(lines)


def write_concise(records: Iterable[str], results: Results, options: RenderOptions, out: Write) -> None:
    """Write the lines of all decks as they come, then the tally."""
    for lines in records:
        out(lines)
    out(render_tally(results, options.lang))


# The answers of other commands


def answer(template: str, look: RenderOptions, **fields: Any) -> str:
    """The text of an answer, from a template with `fields` and with what words findings and verdicts."""
    from deckcheck.support import templates

    words: dict[str, Any] = {
        "verdicts": VERDICTS,
        "styles": VERDICT_STYLES,
        "labelled": lambda finding: _labelled(finding, look),
        "hint_of": hint_of,
    }
    return templates.render(template, look.lang, color=look.color, **(words | fields))


def show_answer(
    output_format: str,
    look: RenderOptions,
    template: str,
    fields: Mapping[str, object],
    values: Mapping[str, object],
) -> None:
    """Write a result: a template filled with `fields`, or a JSON object with `values`."""
    if output_format == "json":
        show(json_answer(values, look.lang), exact=True)
    else:
        show(answer(template, look, **fields))


# Progress


class Progress(Bar):
    """The bar of a run over lists, and the problems of the run, which are only remembered if it is `quiet`."""

    def __init__(self, total: int, lang: str = "en", *, quiet: bool = False) -> None:
        super().__init__(total)
        self.problems: dict[Problem, None] = {}
        self.lang, self._quiet = lang, quiet

    def write_messages(self, problems: Iterable[Problem]) -> None:
        """Show the problems that are new to the run."""
        new = [problem for problem in dict.fromkeys(problems) if problem not in self.problems]
        self.problems |= dict.fromkeys(new)
        if new and not self._quiet:
            self.clear()
            write_problems(new, self.lang)
