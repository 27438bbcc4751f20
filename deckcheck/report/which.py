"""In which formats a deck is legal: the records of `deckcheck which`, and its outputs."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from deckcheck.model.finding import PARTIAL, Finding, Report, Verdict
from deckcheck.report.json import SCHEMA, TOOL, finding_object, json_line, problem_object
from deckcheck.report.text import VERDICT_STYLES, labelled, painter, with_deck_name
from deckcheck.report.writer import RenderOptions, place_of
from deckcheck.support.errors import Problem
from deckcheck.support.messages import Message, Words, _, n_, series
from deckcheck.support.safetext import cells, safe

MOST_FINDINGS = 10
MOST_RULES = 3

_HEADS: Mapping[Verdict, Message] = {
    "legal": _("legal in:"),
    "undecided": _("undecided in:"),
    "illegal": _("illegal in:"),
}


class InGame(NamedTuple):
    """A list read as a deck of one game, in every format of that game.

    `reports` are sorted: legal first, then undecided, then illegal, those with the
    fewest errors first. `common` are the findings of every format, which are
    about the list itself: unknown names, unreadable lines, a wrong total.
    """

    game: str
    name: Words
    common: tuple[Finding, ...]
    reports: tuple[Report, ...]

    def beyond_common(self, report: Report) -> tuple[Finding, ...]:
        """The findings of the report that not all formats have."""
        common = {sameness(finding) for finding in self.common}
        return tuple(finding for finding in report.findings if sameness(finding) not in common)

    def obstacles(self, report: Report) -> tuple[Finding, ...]:
        """The findings that keep the deck from being legal in this format, sure errors first; of a legal one its warnings."""
        found = self.beyond_common(report)
        if report.verdict == "legal":
            return tuple(finding for finding in found if finding.severity == "warning")
        errors = [finding for finding in found if finding.severity == "error"]
        return tuple(sorted(errors, key=lambda finding: finding.verdict != "violated"))


class Fits(NamedTuple):
    """A list in the formats of every game that knows one of its cards.

    `own_format` is the format that the list names itself, which counts for nothing here.
    """

    path: str
    own_format: str | None
    games: tuple[InGame, ...]

    @property
    def verdict(self) -> Verdict:
        """Legal if it is so in some format, else undecided if it is so in one."""
        verdicts = {report.verdict for game in self.games for report in game.reports}
        return "legal" if "legal" in verdicts else "undecided" if "undecided" in verdicts else "illegal"


def sure_errors(report: Report) -> int:
    """How many errors make the deck illegal."""
    return sum(one.severity == "error" and one.verdict == "violated" for one in report.findings)


def sameness(finding: Finding) -> tuple[str, int | None, int | None, Words]:
    """What two findings share that are the same."""
    return finding.rule, finding.line, finding.column, finding.message


def render_json(decks: Sequence[Fits], problems: Sequence[Problem], lang: str) -> str:
    """All decks of a run and the problems as one JSON object, ended by a line feed.

    Its shape is in schemas/which.schema.json.
    """
    return json_line(which_object(decks, problems, lang)) + "\n"


def which_object(decks: Sequence[Fits], problems: Sequence[Problem], lang: str) -> dict[str, Any]:
    """All decks of a run and the problems as plain values."""
    return {
        "schema": SCHEMA,
        "tool": dict(TOOL),
        "decks": [
            {
                "path": fits.path,
                "name": fits.games[0].reports[0].name,
                "format_said": fits.own_format,
                "verdict": fits.verdict,
                "games": [_game(game, lang) for game in fits.games],
            }
            for fits in decks
        ],
        "errors": [problem_object(problem, lang) for problem in problems],
    }


def _game(game: InGame, lang: str) -> dict[str, Any]:
    return {
        "game": game.game,
        "name": game.name.in_(lang),
        "as_of": game.reports[0].as_of,
        "told": [finding_object(finding, lang) for finding in game.common],
        "formats": [
            {
                "format": report.format,
                "name": report.format_name.in_(lang),
                "edition": report.edition,
                "verdict": report.verdict,
                "findings": [finding_object(finding, lang) for finding in game.beyond_common(report)],
                "suppressed": len(report.suppressed),
            }
            for report in game.reports
        ],
    }


def render_text(fits: Fits, options: RenderOptions, check_options: Sequence[str] = ()) -> str:
    """All formats with the obstacles in each as text for people, ended by a line feed.

    `check_options` are those that `deckcheck check` needs to judge alike.
    Everything that comes from a file is made safe to show.
    """
    lines: list[str] = []
    for game in fits.games:
        lines += [*([""] if lines else []), *_head(game, fits, options), "", *_formats(game, options)]
    command = shlex.join(["deckcheck", "check", safe(fits.path), "--format", "ID", *map(safe, check_options)])
    lines += ["", _("all that was found: {command}", command=command).in_(options.lang)]
    return "".join(f"{line}\n" for line in lines)


def _head(game: InGame, fits: Fits, look: RenderOptions) -> Iterator[str]:
    """The deck, and the findings of every format."""
    lang, report = look.lang, game.reports[0]
    head = n_(
        "{game}, {n} card (by the rules of {day})",
        "{game}, {n} cards (by the rules of {day})",
        sum(entry.copies for entry in report.deck.entries),
        game=safe(game.name.in_(lang)),
        day=report.as_of,
    )
    path = painter(look.color)(safe(fits.path) + ":", "bold")
    yield f"{path} {with_deck_name(report.name, head, lang)}"
    if fits.own_format:
        yield "  " + _("the list itself names: {format}", format=safe(fits.own_format)).in_(lang)
    for finding in game.common[:MOST_FINDINGS]:
        place = place_of(None, finding.line, finding.column)
        line = _line(finding, look, finding.hint)
        yield "  " + (f"{place}: {line}" if place else line)
    yield from _more(len(game.common) - MOST_FINDINGS, "  ", lang)


def _formats(game: InGame, look: RenderOptions) -> Iterator[str]:
    """The formats by verdict, each with its obstacles."""
    lang, paint = look.lang, painter(look.color)
    if all(report.verdict != "legal" for report in game.reports):
        yield paint(_("legal in no format").in_(lang), "red")
    for verdict, heading in _HEADS.items():
        reports = [report for report in game.reports if report.verdict == verdict]
        if not reports:
            continue
        yield paint(heading.in_(lang), VERDICT_STYLES[verdict])
        width = max(cells(safe(report.format)) for report in reports)
        for report in reports:
            id = safe(report.format)
            parts: list[Words | str] = [safe(report.format_name.in_(lang))]
            if verdict == "illegal":
                parts.append(n_("{n} error", "{n} errors", sure_errors(report)))
            if report.suppressed:
                parts.append(_("{number} ignored", number=len(report.suppressed)))
            yield f"  {paint(id, 'bold')}{' ' * (width - cells(id))}  {series(parts).in_(lang)}"
            yield from _obstacles(game, report, look)
        yield from _partial_banlists(reports, look)


def _obstacles(game: InGame, report: Report, look: RenderOptions) -> Iterator[str]:
    """The obstacles in a format, a line a rule; partial banlists have a line below all formats."""
    lang, partial = look.lang, _partial(report)
    by_rule: dict[str, list[Finding]] = {}
    for finding in game.obstacles(report):
        if finding not in partial:
            by_rule.setdefault(finding.rule, []).append(finding)
    if not by_rule and not partial and report.verdict == "undecided":
        yield "    " + _("undecided only because of the lines above").in_(lang)
    groups = list(by_rule.values())
    for first, *alike in groups[:MOST_RULES]:
        line = _line(first, look)
        if alike:
            line = _("{finding}, and {number} more of these", finding=line, number=len(alike)).in_(lang)
        yield "    " + line
    yield from _more(sum(map(len, groups[MOST_RULES:])), "    ", lang)


def _partial_banlists(reports: Sequence[Report], look: RenderOptions) -> Iterator[str]:
    """The finding about partial banlists, in one line for all of these reports that have it."""
    having = [report for report in reports if _partial(report)]
    if not having:
        return
    findings = [finding for report in having for finding in _partial(report)]
    message: Words = findings[0].message
    if len(having) > 1:
        message = _(
            "only some entries of their lists are known, so it can't be decided whether the deck is legal"
        )
        if len(having) < len(reports):
            formats = series(report.format for report in having)
            message = _("{formats}: {message}", formats=formats, message=message)
    hint = next((one.hint for one in findings if one.hint is not None), None)
    yield "  " + _line(findings[0]._replace(message=message), look, hint)


def _partial(report: Report) -> list[Finding]:
    return [finding for finding in report.findings if finding.rule == PARTIAL]


def _line(finding: Finding, look: RenderOptions, hint: Words | None = None) -> str:
    line = labelled(finding, look.lang, painter(look.color), lenient=look.lenient)
    if hint is None:
        return line
    return _("{text} ({more})", text=line, more=safe(hint.in_(look.lang))).in_(look.lang)


def _more(number: int, indent: str, lang: str) -> Iterator[str]:
    if number > 0:
        yield indent + _("+{number} more", number=number).in_(lang)
