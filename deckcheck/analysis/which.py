"""`deckcheck which`: the formats in which a deck is legal, and why it isn't legal in the others."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.cards.names import SuggestionCache
from deckcheck.checking.deck_files import DeckFile, NotADecklistError, is_decklist
from deckcheck.checking.judge import LoadedFormat, check, read_deck
from deckcheck.checking.many_lists import Item, for_each
from deckcheck.checking.session import (
    CheckOptions,
    FormatCache,
    game_tables,
    games_that_know,
    graded_by,
    index_formats,
    read_in_games,
    read_list,
    unless_written,
)
from deckcheck.config.settings import DeckSettings
from deckcheck.decklists.read import NoCardReadError
from deckcheck.decklists.source import decode
from deckcheck.model.deck import Deck
from deckcheck.model.finding import ENGINE_IDS, INFOS, Finding, FindingId, Report, Verdict
from deckcheck.report.json import SCHEMA, TOOL, json_line, problem_object
from deckcheck.report.screen import Progress
from deckcheck.report.text import VERDICT_STYLES, labelled, outdated_lines, painter, with_deck_name
from deckcheck.report.wording import hint_of
from deckcheck.report.writer import RenderOptions
from deckcheck.support.errors import Problem, UserError, place_of, placed_at, user_error
from deckcheck.support.messages import Message, Words, _, n_, series
from deckcheck.support.safe_text import cells, safe
from deckcheck.support.terminal import output

MOST_FINDINGS = 10
MOST_RULES = 3

_HEADS: Mapping[Verdict, Message] = {
    Verdict.LEGAL: _("legal in:"),
    Verdict.UNDECIDED: _("undecided in:"),
    Verdict.ILLEGAL: _("illegal in:"),
}


class GameMatches(Struct, frozen=True):
    """A list read as a deck of one game, in every format of that game.

    `reports` are ordered by verdict and number of errors. `common` are the findings about the list itself.
    """

    game: str
    name: Words
    common: tuple[Finding, ...]
    reports: tuple[Report, ...]

    def beyond_common(self, report: Report) -> tuple[Finding, ...]:
        """The findings of the report that aren't common to all formats."""
        common = set(map(identity_of, self.common))
        return tuple(finding for finding in report.findings if identity_of(finding) not in common)

    def obstacles(self, report: Report) -> tuple[Finding, ...]:
        """The errors that make the deck not legal, violations first; for a legal deck its warnings."""
        wanted = "warning" if report.verdict == "legal" else "error"
        findings = (finding for finding in self.beyond_common(report) if finding.severity == wanted)
        return tuple(sorted(findings, key=lambda item: wanted == "error" and item.verdict != "violated"))


class FormatMatches(Struct, frozen=True):
    """The results of a list in all formats of the games that know its cards; its own format has no influence."""

    path: str
    own_format: str | None
    games: tuple[GameMatches, ...]

    @property
    def verdict(self) -> Verdict:
        """The best verdict of all formats."""
        verdicts = [report.verdict for game in self.games for report in game.reports]
        return min(verdicts, key=lambda verdict: verdict.gravity)


def sure_errors(report: Report) -> int:
    """The number of errors that make the deck illegal."""
    return sum(item.severity == "error" and item.verdict == "violated" for item in report.findings)


def identity_of(finding: Finding) -> tuple[str, int | None, int | None, Words]:
    """The identity of a finding across formats."""
    return finding.rule, finding.line, finding.column, finding.message


class FormatFinder:
    """Finds the formats that lists fit; loaded formats are cached."""

    def __init__(self, options: CheckOptions) -> None:
        self._options = options
        self._load = FormatCache(options.folders).load

    def fit(self, file: DeckFile) -> tuple[FormatMatches, tuple[Problem, ...]]:
        """The formats that a list fits, and problems of broken formats. Raises UserError, with place, for the list."""
        options, load, cards = self._options, self._load, self._options.cards + file.cards
        path = options.shown_name(file.path)
        as_of, best_of, notation = options.as_of, options.best_of, options.notation
        settings = options.settings_of(path)
        problems: tuple[Problem, ...] = ()
        try:
            text = decode(read_list(file.path), path)
            decks = dict(read_in_games(game_tables(load, options.folders, cards), text, path, notation))
            if not file.named and not any(map(is_decklist, decks.values())):
                raise NotADecklistError(path)
            games = games_that_know(decks)
            formats, problems = index_formats(load, options.folders, cards, games or None)
            fits = which(
                text, path, formats, as_of=as_of, best_of=best_of, settings=settings, notation=notation
            )
        except NotADecklistError:
            raise
        except NoCardReadError as error:
            if file.named:
                raise
            raise NotADecklistError(path) from error
        except UserError as error:
            raise UserError([*placed_at(error, path).problems, *problems]) from error
        return fits, problems


def which(
    text: str,
    path: str,
    formats: Sequence[LoadedFormat],
    *,
    as_of: str | None = None,
    best_of: int | None = None,
    settings: DeckSettings | None = None,
    notation: str | None = None,
) -> FormatMatches:
    """The list checked by each of the formats, by game; the game that knows most of its cards comes first.

    `as_of` and `best_of` override the list, which overrides `settings`. Games that know far fewer
    cards than another one are left out. Raises UserError for a list that can't be read, is empty or has no known card.
    """
    settings = settings or DeckSettings()
    by_game: dict[str, list[LoadedFormat]] = {}
    for format in formats:
        by_game.setdefault(format.format.game, []).append(format)
    tables = [formats[0].game_data for formats in by_game.values()]
    decks = dict(read_in_games(tables, text, path, notation))
    knowing = games_that_know(decks)
    if not knowing:
        raise _no_deck(path, list(decks.values()))
    games = []
    for game in knowing:
        data = by_game[game][0].game_data
        catalog = SuggestionCache(data.catalog)
        reports = []
        for format in by_game[game]:
            deck = read_deck(format, text, path, notation)
            day, match = unless_written(deck, (as_of, best_of), settings)
            report = check(deck, format.with_catalog(catalog), as_of=day, best_of=match)
            reports.append(graded_by(settings, report))
        others = [item for item in by_game[game] if not item.format.suggested]
        reports = _without_unasked(reports, {item.format.id for item in others})
        reports.sort(key=lambda report: (report.verdict.gravity, sure_errors(report), report.format))
        games.append(GameMatches(game, data.game.name, _common(reports), tuple(reports)))
    known = {game: sum(bool(entry.cards) for entry in decks[game].entries) for game in knowing}
    games.sort(key=lambda result: (-known[result.game], result.game))
    named = (deck.header.get("format") for deck in decks.values())
    return FormatMatches(path, next(filter(None, named), None), tuple(games))


def _without_unasked(reports: Sequence[Report], unasked: Collection[str]) -> list[Report]:
    """The reports without those of formats that nearly any cards fit, unless no other format fits."""
    others = [report for report in reports if report.format not in unasked]
    return list(reports) if all(report.verdict == Verdict.ILLEGAL for report in others) else others


def _common(reports: Sequence[Report]) -> tuple[Finding, ...]:
    """The built-in findings common to all reports."""
    common = set.intersection(*(set(map(identity_of, report.findings)) for report in reports))
    return tuple(
        finding
        for finding in reports[0].findings
        if finding.rule in ENGINE_IDS - INFOS - {FindingId.PARTIAL_BANLIST} and identity_of(finding) in common
    )


def _no_deck(path: str, decks: Sequence[Deck]) -> UserError:
    unknown = next((deck for deck in decks if deck.entries or deck.diagnostics), None)
    if unknown is None:
        return user_error(_("no card is listed here"), path=path)
    names = [_("{name!r}", name=entry.written) for entry in unknown.entries[:3]]
    hint = _("not in the card table: {names}", names=series(names)) if names else None
    return user_error(_("no card is known here"), path=path, hint=hint)


# Outputs


class MatchesWritten(Struct, frozen=True):
    """The best verdicts of the lists of a run; `is_incomplete` if one couldn't be read, or might be legal where none could try it."""

    verdicts: set[Verdict]
    is_incomplete: bool


def write_matches(
    items: Sequence[Item],
    options: CheckOptions,
    look: RenderOptions,
    *,
    is_text: bool,
    check_options: Sequence[str] = (),
) -> MatchesWritten:
    """Write the formats of each list as text or JSON; `check_options` are added to the suggested command."""
    finder, progress = FormatFinder(options), Progress(len(items), look.lang)
    done: list[FormatMatches] = []
    with output(None, exact=not is_text) as write:

        def work(deck: DeckFile) -> None:
            fits, problems = finder.fit(deck)
            progress.write_messages(problems, quiet=not is_text)
            if is_text:
                progress.clear()
                write(("\n" if done else "") + render_text(fits, look, check_options))
            done.append(fits)

        failed = for_each(items, progress, work, quiet=not is_text)
        if not is_text:
            write(json_line(which_object(done, tuple(progress.problems), look.lang)) + "\n")
    verdicts = {fits.verdict for fits in done}
    # A format that could not be tried may be one in which a deck is legal.
    return MatchesWritten(verdicts, failed > 0 or (bool(progress.problems) and verdicts != {Verdict.LEGAL}))


def which_object(decks: Sequence[FormatMatches], problems: Sequence[Problem], lang: str) -> dict[str, Any]:
    """The results of a run and the problems as values for JSON, by schemas/which.schema.json."""
    return {
        "schema": SCHEMA,
        "tool": dict(TOOL),
        "decks": [
            {
                "path": fits.path,
                "name": fits.games[0].reports[0].name,
                "own_format": fits.own_format,
                "verdict": fits.verdict,
                "games": [_game_object(game, lang) for game in fits.games],
            }
            for fits in decks
        ],
        "errors": [problem_object(problem, lang) for problem in problems],
    }


def _game_object(game: GameMatches, lang: str) -> dict[str, Any]:
    return {
        "game": game.game,
        "name": game.name.in_(lang),
        "as_of": game.reports[0].as_of,
        "common": [finding.to_dict(lang) for finding in game.common],
        "formats": [
            {
                "format": report.format,
                "name": report.format_name.in_(lang),
                "edition": report.edition,
                "verdict": report.verdict,
                "findings": [finding.to_dict(lang) for finding in game.beyond_common(report)],
                "suppressed": len(report.suppressed),
            }
            for report in game.reports
        ],
    }


def render_text(fits: FormatMatches, options: RenderOptions, check_options: Sequence[str] = ()) -> str:
    """The formats with the obstacles in each as text; `check_options` are added to the suggested command."""
    lines = list[str]()
    for game in fits.games:
        lines += [*([""] if lines else []), *_head(game, fits, options), "", *_formats(game, options)]
    command = shlex.join(["deckcheck", "check", safe(fits.path), "--format", "ID", *map(safe, check_options)])
    lists = {used: None for game in fits.games for report in game.reports for used in report.lists}
    lines += ["", *outdated_lines(lists, options.lang)]
    lines += [_("for all findings: {command}", command=command).in_(options.lang)]
    return "".join(f"{line}\n" for line in lines)


def _head(game: GameMatches, fits: FormatMatches, look: RenderOptions) -> Iterator[str]:
    """The deck, and the findings common to all formats."""
    report = game.reports[0]
    head = n_(
        "{game}, {n} card (by the rules of {day})",
        "{game}, {n} cards (by the rules of {day})",
        sum(entry.copies for entry in report.deck.entries),
        game=safe(game.name.in_(look.lang)),
        day=report.as_of,
    )
    path = painter(look.color)(safe(fits.path) + ":", "bold")
    yield f"{path} {with_deck_name(report.name, head, look.lang)}"
    if fits.own_format:
        yield "  " + _("the list itself names: {format}", format=safe(fits.own_format)).in_(look.lang)
    for finding in game.common[:MOST_FINDINGS]:
        place = place_of(None, finding.line, finding.column)
        yield f"  {place}{': ' if place else ''}{_finding(finding, look, hint_of(finding))}"
    yield from _more(len(game.common) - MOST_FINDINGS, "  ", look)


def _formats(game: GameMatches, look: RenderOptions) -> Iterator[str]:
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


def _obstacles(game: GameMatches, report: Report, look: RenderOptions) -> Iterator[str]:
    """The obstacles in a format, one line per rule; those of partial banlists are shown below all formats."""
    by_rule: dict[str, list[str]] = {}
    for finding in game.obstacles(report):
        by_rule.setdefault(finding.rule, []).append(_finding(finding, look))
    partial = by_rule.pop(FindingId.PARTIAL_BANLIST, None)
    if not by_rule and not partial and report.verdict == "undecided":
        yield "    " + _("undecided only because of the lines above").in_(look.lang)
    groups = list(by_rule.values())
    for first, *alike in groups[:MOST_RULES]:
        line = _("{finding}, and {number} more of these", finding=first, number=len(alike))
        yield "    " + (line.in_(look.lang) if alike else first)
    yield from _more(sum(map(len, groups[MOST_RULES:])), "    ", look)


def _partial_banlists(reports: Sequence[Report], look: RenderOptions) -> Iterator[str]:
    """The finding about partial banlists, in one line for all reports that have it."""
    having = {
        report.format: finding
        for report in reports
        for finding in report.findings
        if finding.rule == FindingId.PARTIAL_BANLIST
    }
    if not having:
        return
    first = next(iter(having.values()))
    message = first.message
    if len(having) > 1:
        message = _(
            "only some entries of their lists are known, so it can't be decided whether the deck is legal"
        )
        if len(having) < len(reports):
            message = _("{formats}: {message}", formats=series(having), message=message)
    hint = next((finding.hint for finding in having.values() if finding.hint is not None), None)
    yield "  " + _finding(replace(first, message=message), look, hint)


def _finding(finding: Finding, look: RenderOptions, hint: Words | None = None) -> str:
    line = labelled(finding, look.lang, painter(look.color), lenient=look.lenient)
    if hint is None:
        return line
    return _("{text} ({more})", text=line, more=safe(hint.in_(look.lang))).in_(look.lang)


def _more(number: int, indent: str, look: RenderOptions) -> Iterator[str]:
    if number > 0:
        yield indent + _("+{number} more", number=number).in_(look.lang)
