"""In which formats a deck is legal, as text for people."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence

from deckcheck.model.finding import PARTIAL, Finding, Report, Verdict
from deckcheck.report.fits import Fits, InGame, in_the_way, sure_errors
from deckcheck.report.labels import LABELS, Label, label_of
from deckcheck.report.paint import Style, painter
from deckcheck.report.writer import Look
from deckcheck.support.messages import Words, _
from deckcheck.support.safetext import cells, safe

MOST_TOLD = 10
MOST_RULES = 3

_HEADS: Mapping[Verdict, tuple[Words, Style]] = {
    "legal": (_("legal in"), "green"),
    "undecided": (_("undecided in"), "yellow"),
    "illegal": (_("illegal in"), "red"),
}
_NOWHERE = _("legal in no format")
_STYLES: Mapping[Label, Style] = {
    "error": "red",
    "undecided": "yellow",
    "warning": "yellow",
    "info": "cyan",
}
_ONLY_TOLD = _("open only for what is said above")
_PARTIAL = _("only some entries of their lists are known, so whether the deck is legal can't be told")
_ALL = _("all that was found")


def render(fits: Fits, look: Look, asked: Sequence[str] = ()) -> str:
    """All formats with what stands in the way of each, ended by a line feed.

    `asked` are the options that a check needs to ask the same. Everything that
    comes from a file is made safe to show.
    """
    lines: list[str] = []
    for game in fits.games:
        lines += [*([""] if lines else []), *_head(fits, game, look), ""]
        if not any(report.verdict == "legal" for report in game.reports):
            lines.append(painter(look.color)(_NOWHERE.in_(look.lang), "red"))
        for verdict in _HEADS:
            held = [report for report in game.reports if report.verdict == verdict]
            if held:
                lines += _group(held, verdict, game, look)
    words = ["deckcheck", "check", safe(fits.path), "--format", "ID", *map(safe, asked)]
    lines += ["", f"{_ALL.in_(look.lang)}{_colon(look.lang)}{shlex.join(words)}"]
    return "".join(f"{line}\n" for line in lines)


def _colon(lang: str) -> str:
    return "：" if lang == "ja" else ": "


def _head(fits: Fits, game: InGame, look: Look) -> Iterator[str]:
    lang, report = look.lang, game.reports[0]
    path = painter(look.color)(safe(fits.path) + ":", "bold")
    name, size = safe(report.name or ""), sum(entry.copies for entry in report.deck.entries)
    if lang == "ja":
        yield f"{path} {f'「{name}」' if name else ''}{safe(game.name.ja)}、{size}枚（{report.as_of}のルール）"
    else:
        named = f"“{name}” " if name else ""
        yield f"{path} {named}{safe(game.name.en)}, {size} cards (by the rules of {report.as_of})"
    if fits.said:
        head = _("the list itself says").in_(lang)
        yield f"  {head}{_colon(lang)}{safe(fits.said)}"
    for finding in game.told[:MOST_TOLD]:
        yield "  " + _told(finding, look)
    more = len(game.told) - MOST_TOLD
    if more > 0:
        yield "  " + _more(more, lang)


def _told(finding: Finding, look: Look) -> str:
    lang = look.lang
    place = ":".join(str(part) for part in (finding.line, finding.column) if part)
    said = _labelled(finding, look) + safe(finding.message.in_(lang))
    if finding.hint is not None:
        hint = safe(finding.hint.in_(lang))
        said += _(" ({hint})", hint=hint).in_(lang)
    return f"{place}: {said}" if place else said


def _group(reports: Sequence[Report], verdict: Verdict, game: InGame, look: Look) -> Iterator[str]:
    lang, paint = look.lang, painter(look.color)
    head, style = _HEADS[verdict]
    yield paint(head.in_(lang) + ("" if lang == "ja" else ":"), style)
    width = max(cells(safe(report.format)) for report in reports)
    for report in reports:
        id = safe(report.format)
        padded = paint(id, "bold") + " " * (width - cells(id))
        parts = [safe(report.format_name.in_(lang)), *_counts(report, verdict, lang)]
        yield f"  {padded}  " + ("、" if lang == "ja" else ", ").join(parts)
        yield from ("    " + line for line in _ways(report, game, look))
    open_lists = [report for report in reports if _of_lists(report)]
    if open_lists:
        yield "  " + _of_partial(open_lists, alone=len(open_lists) == len(reports), look=look)


def _of_lists(report: Report) -> list[Finding]:
    return [finding for finding in report.findings if finding.rule == PARTIAL]


def _of_partial(reports: Sequence[Report], *, alone: bool, look: Look) -> str:
    """What many formats of a game have in common, told once: of `reports`, and `alone` says that there are no others."""
    lang = look.lang
    said = safe((_PARTIAL if len(reports) > 1 else _of_lists(reports[0])[0].message).in_(lang))
    if len(reports) > 1 and not alone:
        ids = ("、" if lang == "ja" else ", ").join(safe(report.format) for report in reports)
        said = f"{ids}{_colon(lang)}{said}"
    findings = [finding for report in reports for finding in _of_lists(report)]
    hint = next((safe(one.hint.in_(lang)) for one in findings if one.hint is not None), "")
    if hint:
        said += _(" ({hint})", hint=hint).in_(lang)
    return _labelled(findings[0], look) + said


def _counts(report: Report, verdict: Verdict, lang: str) -> Iterator[str]:
    errors, ignored = sure_errors(report), len(report.suppressed)
    if verdict == "illegal":
        yield (_("{errors} errors", errors=errors) if errors > 1 else _("{errors} error", errors=errors)).in_(
            lang
        )
    if ignored:
        yield _("{ignored} ignored", ignored=ignored).in_(lang)


def _ways(report: Report, game: InGame, look: Look) -> Iterator[str]:
    """What stands in the way, a line a rule."""
    lists = _of_lists(report)
    # That is told below, once for all formats.
    found = [finding for finding in in_the_way(report, game.told) if finding not in lists]
    if not found and not lists and report.verdict == "undecided":
        yield _ONLY_TOLD.in_(look.lang)
    by_rule: dict[str, list[Finding]] = {}
    for finding in found:
        by_rule.setdefault(finding.rule, []).append(finding)
    shown = list(by_rule.values())[:MOST_RULES]
    for alike in shown:
        more = len(alike) - 1
        said = _labelled(alike[0], look) + safe(alike[0].message.in_(look.lang))
        if more:
            said += _(", and {more} more of these", more=more).in_(look.lang)
        yield said
    left = len(found) - sum(map(len, shown))
    if left:
        yield _more(left, look.lang)


def _more(number: int, lang: str) -> str:
    return _("+{number} more", number=number).in_(lang)


def _labelled(finding: Finding, look: Look) -> str:
    label = label_of(finding, look.lenient)
    said, rule, style = LABELS[label].in_(look.lang), safe(finding.rule), _STYLES[label]
    paint = painter(look.color)
    return paint(f"{said}［{rule}］", style) if look.lang == "ja" else paint(f"{said}[{rule}]:", style) + " "
