"""`deckcheck which`: the formats in which a deck is legal, and why it isn't legal in the others."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from deckcheck.checking.deck_files import DeckFile
from deckcheck.checking.judge import LoadedFormat, check, read_deck
from deckcheck.checking.many_lists import Item, for_each
from deckcheck.checking.session import CheckOptions, Session, games_that_know
from deckcheck.model.deck import Deck
from deckcheck.model.finding import ENGINE_IDS, INFOS, Finding, FindingId, ListUsed, Report, State, Verdict
from deckcheck.model.format import Severity
from deckcheck.model.game import Game
from deckcheck.report.json import json_answer
from deckcheck.report.results import RenderOptions
from deckcheck.report.text import Progress, answer, outdated_lines
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import Words, _, fields_of, series
from deckcheck.support.safe_text import safe
from deckcheck.support.terminal import show


class FormatMatch(Struct, frozen=True):
    """A deck in one format; the `findings` that are common to all formats of the game aren't among them."""

    format: str
    name: Words
    edition: str | None
    verdict: Verdict
    findings: tuple[Finding, ...]
    suppressed: int

    @property
    def errors(self) -> int:
        """The number of errors that make the deck illegal."""
        return _violations(self.findings)

    @property
    def obstacles(self) -> list[list[Finding]]:
        """By rule, the errors that make the deck not legal, violations first; for a legal deck its warnings."""
        wanted = Severity.WARNING if self.verdict == Verdict.LEGAL else Severity.ERROR
        by_rule: dict[str, list[Finding]] = {}
        for finding in sorted(self.findings, key=_is_violation, reverse=True):
            if finding.severity == wanted:
                by_rule.setdefault(finding.rule, []).append(finding)
        return list(by_rule.values())


class GameMatches(Struct, frozen=True):
    """A list read as a deck of one game, in every format of that game, by verdict and number of errors.

    `common` are the findings about the list itself, `cards` is the number of cards.
    """

    game: str
    name: Words
    as_of: str
    cards: int
    common: tuple[Finding, ...]
    formats: tuple[FormatMatch, ...]

    def to_dict(self, lang: str) -> dict[str, Any]:
        """The game as plain values."""
        return fields_of(self, ("game", "name", "as_of", "common", "formats"), lang)


class FormatMatches(Struct, frozen=True):
    """The results of a list in all formats of the games that know its cards; its own format has no influence.

    The verdict is the best of all formats, `lists` are the banlists in use.
    """

    path: str
    name: str | None
    own_format: str | None
    verdict: Verdict
    games: tuple[GameMatches, ...]
    lists: tuple[ListUsed, ...]

    def to_dict(self, lang: str) -> dict[str, Any]:
        """The results as plain values, by schemas/which.schema.json."""
        return fields_of(self, ("path", "name", "own_format", "verdict", "games"), lang)


def _is_violation(finding: Finding) -> bool:
    return finding.severity == Severity.ERROR and finding.verdict == State.VIOLATED


def _violations(findings: Iterable[Finding]) -> int:
    return sum(map(_is_violation, findings))


def identity_of(finding: Finding) -> tuple[str, int | None, int | None, Words]:
    """What makes a finding the same in every format."""
    return finding.rule, finding.line, finding.column, finding.message


def which(
    text: str,
    path: str,
    formats: Sequence[LoadedFormat],
    options: CheckOptions,
    decks: Mapping[str, Deck],
) -> FormatMatches:
    """The list checked by each of the formats, by game; the game that knows most of its cards comes first.

    `decks` is the list as each game reads it. The options override the list, which overrides the settings. Games that
    know far fewer cards than another one are left out. Raises UserError for a list that is empty or has no known card.
    """
    settings = options.settings.for_deck(path)
    by_game: dict[str, list[LoadedFormat]] = {}
    for format in formats:
        by_game.setdefault(format.format.game, []).append(format)
    known = {
        game: sum(bool(entry.cards) for entry in decks[game].entries)
        for game in games_that_know(decks)
        if game in by_game
    }
    if not known:
        raise _no_deck(path, list(decks.values()))
    games = []
    lists: dict[ListUsed, None] = {}
    for game in sorted(known, key=lambda id: (-known[id], id)):
        reports, suggested = list[Report](), list[Report]()
        for format in by_game[game]:
            deck = read_deck(format, text, path, options.notation)
            as_of, best_of = options.unless_written(deck, settings)
            reports.append(settings.graded(check(deck, format, as_of=as_of, best_of=best_of)))
            suggested += reports[-1:] if format.format.suggested else []
        # Those that nearly any cards fit are named only if no other one fits.
        if any(report.verdict != Verdict.ILLEGAL for report in suggested):
            reports = suggested
        reports.sort(key=lambda report: (report.verdict.gravity, _violations(report.findings), report.format))
        lists |= {used: None for report in reports for used in report.lists}
        games.append(_game_matches(by_game[game][0].game_data.game, decks[game], reports))
    best = min((game.formats[0].verdict for game in games), key=lambda verdict: verdict.gravity)
    own_formats = (deck.header.get("format") for deck in decks.values())
    return FormatMatches(
        path,
        decks[games[0].game].header.get("deck"),
        next(filter(None, own_formats), None),
        best,
        tuple(games),
        tuple(lists),
    )


def _game_matches(game: Game, deck: Deck, reports: Sequence[Report]) -> GameMatches:
    """The reports on a deck by the formats of one game, in order, with what is common to them told once."""
    in_all = set.intersection(*(set(map(identity_of, report.findings)) for report in reports))
    about_list = ENGINE_IDS - INFOS - {FindingId.PARTIAL_BANLIST}
    common = {
        identity_of(finding): finding
        for finding in reports[0].findings
        if finding.rule in about_list and identity_of(finding) in in_all
    }
    formats = tuple(
        FormatMatch(
            report.format,
            report.format_name,
            report.edition,
            report.verdict,
            tuple(finding for finding in report.findings if identity_of(finding) not in common),
            len(report.suppressed),
        )
        for report in reports
    )
    cards = sum(entry.copies for entry in deck.entries)
    return GameMatches(game.id, game.name, reports[0].as_of, cards, tuple(common.values()), formats)


def _no_deck(path: str, decks: Sequence[Deck]) -> UserError:
    unknown = next((deck for deck in decks if deck.entries or deck.diagnostics), None)
    if unknown is None:
        return user_error(_("no card is listed here"), path=path)
    names = [_("{name!r}", name=entry.written) for entry in unknown.entries[:3]]
    hint = _("not in the card table: {names}", names=series(names)) if names else None
    return user_error(_("no card is known here"), path=path, hint=hint)


# Outputs


def write_matches(
    items: Sequence[Item],
    session: Session,
    look: RenderOptions,
    *,
    is_text: bool,
    check_options: Sequence[str] = (),
) -> set[Verdict] | None:
    """Write the formats of each list as text or JSON; `check_options` are added to the suggested command.

    Returns the best verdicts; None if a list couldn't be read, or might be legal in a format that can't be tried.
    """
    progress = Progress(len(items), look.lang)
    done: list[FormatMatches] = []

    def work(deck: DeckFile) -> None:
        matches = session.with_text(deck, matches_of)
        if is_text:
            progress.clear()
            show(("\n" if done else "") + matches_text(matches, look, check_options))
        done.append(matches)

    def matches_of(file: DeckFile, text: str, path: str) -> FormatMatches:
        decks = session.read_in_games(file, text, path)
        # If no game knows a card, the problems of formats may say why, such as a wrong file of cards.
        wanted = games_that_know(decks) or None
        formats, problems = session.loader(*file.cards).playable_formats(wanted)
        progress.write_messages(problems, quiet=not is_text)
        return which(text, path, formats, session.options, decks)

    failed = for_each(items, progress, work, quiet=not is_text)
    if not is_text:
        # By schemas/which.schema.json.
        answers = {"decks": done, "errors": [*progress.problems]}
        show(json_answer(answers, look.lang, in_line=True), exact=True)
    verdicts = {matches.verdict for matches in done}
    is_incomplete = failed or (progress.problems and verdicts != {Verdict.LEGAL})
    return None if is_incomplete else verdicts


def matches_text(matches: FormatMatches, look: RenderOptions, check_options: Sequence[str] = ()) -> str:
    """The formats with the obstacles in each as text; `check_options` are added to the suggested command."""
    command = ["deckcheck", "check", safe(matches.path), "--format", "ID", *map(safe, check_options)]
    return answer(
        "which.txt",
        look,
        matches=matches,
        outdated=outdated_lines(matches.lists, look.lang),
        command=shlex.join(command),
    )
