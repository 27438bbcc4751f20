"""In which formats a deck is legal: the model of `deckcheck which`, and its outputs."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from deckcheck.model.finding import PARTIAL, Finding, Report, Verdict
from deckcheck.report.json import SCHEMA, TOOL, finding_object, json_line, problem_object
from deckcheck.report.text import Style, labelled, painter
from deckcheck.report.writer import RenderOptions, place_of
from deckcheck.support.errors import Problem
from deckcheck.support.messages import Message, Words, _, n_, series
from deckcheck.support.safetext import cells, safe

MOST_FINDINGS = 10
MOST_RULES = 3

_HEADS: Mapping[Verdict, tuple[Message, Style]] = {
    "legal": (_("legal in:"), "green"),
    "undecided": (_("undecided in:"), "yellow"),
    "illegal": (_("illegal in:"), "red"),
}


class InGame(NamedTuple):
    """A list read as a deck of one game, in every format of that game.

    `reports` stand legal first, then undecided, then illegal, those with the
    fewest errors first. `common` is what every format finds alike, since it is
    about the list and not about the format: names that nobody knows, lines
    that can't be read, a wrong total.
    """

    game: str
    name: Words
    common: tuple[Finding, ...]
    reports: tuple[Report, ...]

    def beyond_common(self, report: Report) -> tuple[Finding, ...]:
        """What the report finds beyond what all formats find alike."""
        common = {sameness(finding) for finding in self.common}
        return tuple(finding for finding in report.findings if sameness(finding) not in common)

    def obstacles(self, report: Report) -> tuple[Finding, ...]:
        """What keeps the deck from being legal in this format, sure errors first; of a legal one its warnings."""
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
        """Legal where some format calls it so, else undecided where one leaves it open."""
        verdicts = {report.verdict for game in self.games for report in game.reports}
        return "legal" if "legal" in verdicts else "undecided" if "undecided" in verdicts else "illegal"


def sure_errors(report: Report) -> int:
    """How many errors make the deck illegal."""
    return sum(one.severity == "error" and one.verdict == "violated" for one in report.findings)


def sameness(finding: Finding) -> tuple[str, int | None, int | None, Words]:
    """What two findings share that say the same."""
    return finding.rule, finding.line, finding.column, finding.message


def render_json(decks: Sequence[Fits], problems: Sequence[Problem], lang: str) -> str:
    """All decks of a run and what could not be read as one JSON object, ended by a line feed.

    Its shape is published in schemas/which.schema.json.
    """
    return json_line(which_object(decks, problems, lang)) + "\n"


def which_object(decks: Sequence[Fits], problems: Sequence[Problem], lang: str) -> dict[str, Any]:
    """All decks of a run as plain values, and what could not be read."""
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
    """All formats with what stands in the way of each as text for people, ended by a line feed.

    `check_options` are those that `deckcheck check` needs to judge alike.
    Everything that comes from a file is made safe to show.
    """
    lines: list[str] = []
    for game in fits.games:
        text = _GameText(game, options)
        lines += [*([""] if lines else []), *text.head(fits), "", *text.groups()]
    command = shlex.join(["deckcheck", "check", safe(fits.path), "--format", "ID", *map(safe, check_options)])
    lines += ["", _("all that was found: {command}", command=command).in_(options.lang)]
    return "".join(f"{line}\n" for line in lines)


class _GameText:
    """The text of a deck in the formats of one game."""

    def __init__(self, game: InGame, options: RenderOptions) -> None:
        self._game = game
        self._lang = options.lang
        self._lenient = options.lenient
        self._paint = painter(options.color)

    def head(self, fits: Fits) -> Iterator[str]:
        """Which deck it is, and what every format finds."""
        game, report = self._game, self._game.reports[0]
        head = n_(
            "{game}, {n} card (by the rules of {day})",
            "{game}, {n} cards (by the rules of {day})",
            sum(entry.copies for entry in report.deck.entries),
            game=safe(game.name.in_(self._lang)),
            day=report.as_of,
        )
        if report.name:
            head = _("“{name}” {verdict}", name=safe(report.name), verdict=head)
        yield f"{self._paint(safe(fits.path) + ':', 'bold')} {head.in_(self._lang)}"
        if fits.own_format:
            yield "  " + _("the list itself names: {format}", format=safe(fits.own_format)).in_(self._lang)
        for finding in game.common[:MOST_FINDINGS]:
            place = place_of(None, finding.line, finding.column)
            line = self._with_hint(self._labelled(finding), finding)
            yield "  " + (f"{place}: {line}" if place else line)
        more = len(game.common) - MOST_FINDINGS
        if more > 0:
            yield "  " + self._more(more)

    def groups(self) -> Iterator[str]:
        """The formats by verdict, each with what stands in its way."""
        by_verdict: dict[Verdict, list[Report]] = {verdict: [] for verdict in _HEADS}
        for report in self._game.reports:
            by_verdict[report.verdict].append(report)
        if not by_verdict["legal"]:
            yield self._paint(_("legal in no format").in_(self._lang), "red")
        for verdict, reports in by_verdict.items():
            if reports:
                heading, style = _HEADS[verdict]
                yield self._paint(heading.in_(self._lang), style)
                yield from self._group(reports)

    def _group(self, reports: Sequence[Report]) -> Iterator[str]:
        width = max(cells(safe(report.format)) for report in reports)
        for report in reports:
            id = safe(report.format)
            padding = " " * (width - cells(id))
            parts = series([safe(report.format_name.in_(self._lang)), *self._counts(report)])
            yield f"  {self._paint(id, 'bold')}{padding}  {parts.in_(self._lang)}"
            yield from ("    " + line for line in self._obstacles(report))
        partial = [report for report in reports if _partial(report)]
        if partial:
            yield "  " + self._partial_lists(partial, alone=len(partial) == len(reports))

    def _counts(self, report: Report) -> Iterator[Message]:
        if report.verdict == "illegal":
            yield n_("{n} error", "{n} errors", sure_errors(report))
        if report.suppressed:
            yield _("{number} ignored", number=len(report.suppressed))

    def _obstacles(self, report: Report) -> Iterator[str]:
        """What stands in the way, a line a rule."""
        partial = _partial(report)
        # That is told below, once for all formats.
        found = [finding for finding in self._game.obstacles(report) if finding not in partial]
        if not found and not partial and report.verdict == "undecided":
            yield _("undecided only because of the lines above").in_(self._lang)
        by_rule: dict[str, list[Finding]] = {}
        for finding in found:
            by_rule.setdefault(finding.rule, []).append(finding)
        shown = list(by_rule.values())[:MOST_RULES]
        for alike in shown:
            line = self._labelled(alike[0])
            if len(alike) > 1:
                more = len(alike) - 1
                line = _("{finding}, and {number} more of these", finding=line, number=more).in_(self._lang)
            yield line
        left = len(found) - sum(map(len, shown))
        if left:
            yield self._more(left)

    def _partial_lists(self, reports: Sequence[Report], *, alone: bool) -> str:
        """What many formats of a game have in common, told once: of `reports`, and `alone` says that there are no others."""
        findings = [finding for report in reports for finding in _partial(report)]
        finding = next((one for one in findings if one.hint is not None), findings[0])
        message: Words = findings[0].message
        if len(reports) > 1:
            message = _(
                "only some entries of their lists are known, so it can't be decided whether the deck is legal"
            )
            if not alone:
                formats = series(report.format for report in reports)
                message = _("{formats}: {message}", formats=formats, message=message)
        return self._with_hint(self._labelled(findings[0]._replace(message=message)), finding)

    def _with_hint(self, line: str, finding: Finding) -> str:
        if finding.hint is None:
            return line
        return _("{text} ({more})", text=line, more=safe(finding.hint.in_(self._lang))).in_(self._lang)

    def _labelled(self, finding: Finding) -> str:
        return labelled(finding, self._lang, self._paint, lenient=self._lenient)

    def _more(self, number: int) -> str:
        return _("+{number} more", number=number).in_(self._lang)


def _partial(report: Report) -> list[Finding]:
    return [finding for finding in report.findings if finding.rule == PARTIAL]
