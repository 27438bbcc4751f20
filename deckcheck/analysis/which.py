"""In which formats a deck is legal, and the obstacles in the others."""

from __future__ import annotations

from collections.abc import Sequence

from deckcheck.checking.judge import LoadedFormat, SuggestionCache, check, read_deck
from deckcheck.checking.session import (
    CheckOptions,
    FormatCache,
    games_that_know,
    graded_by,
    index_formats,
    read_list,
    unless_written,
)
from deckcheck.checking.walk import DeckFile
from deckcheck.config.settings import DeckSettings
from deckcheck.decklists.decode import decode
from deckcheck.model.deck import Deck
from deckcheck.model.finding import ENGINE_IDS, INFOS, PARTIAL, Finding, Report
from deckcheck.report.which import Fits, InGame, sameness, sure_errors
from deckcheck.support.errors import Problem, UserError, placed_at, user_error
from deckcheck.support.messages import _, series

_ORDER = {"legal": 0, "undecided": 1, "illegal": 2}


class Fitting:
    """Finds the formats that lists fit; it keeps the formats of earlier lists."""

    def __init__(self, options: CheckOptions) -> None:
        self._options = options
        self._load = FormatCache(options.folders).load

    def fit(self, found: DeckFile) -> tuple[Fits, tuple[Problem, ...]]:
        """The formats that a list fits, and the problems of formats that can't be used.

        Raises UserError, placed, for a list that can't be read.
        """
        options, load = self._options, self._load
        shown = options.shown_name(found.path)
        cards = options.cards + found.cards
        problems: tuple[Problem, ...] = ()
        try:
            text = decode(read_list(found.path), shown)
            games = games_that_know(load, cards, lambda game: game.read(text, shown, options.notation))
            formats, problems = index_formats(load, options.folders, cards, games)
            fits = which(
                text,
                shown,
                formats,
                as_of=options.as_of,
                best_of=options.best_of,
                settings=options.settings_of(shown),
                notation=options.notation,
            )
        except UserError as error:
            raise UserError([*placed_at(error, shown).problems, *problems]) from error
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
) -> Fits:
    """The list judged by each of the formats, game by game, the game that knows most of its cards first.

    `as_of` and `best_of` win over what the list says, and that over `settings`,
    those for this list; `notation` is that of the list, if it is known. Games
    that know none of the cards are left out, and so are those that don't know
    them all if another does. Raises UserError for a list that can't be read, is
    empty or has no card that any of the games knows.
    """
    settings = settings or DeckSettings()
    by_game: dict[str, list[LoadedFormat]] = {}
    for format in formats:
        by_game.setdefault(format.format.game, []).append(format)
    decks = {game: formats[0].game_data.read(text, path, notation) for game, formats in by_game.items()}
    known = {game: sum(bool(entry.cards) for entry in deck.entries) for game, deck in decks.items()}
    if not any(known.values()):
        raise _no_deck(path, list(decks.values()))
    whole = [game for game, deck in decks.items() if 0 < known[game] == len(deck.entries)]
    games = []
    for game in whole or [game for game in decks if known[game]]:
        read = [read_deck(format, text, path, notation) for format in by_game[game]]
        options = unless_written(read[0], (as_of, best_of), settings)
        games.append(_in_game(read, by_game[game], options, settings))
    games.sort(key=lambda one: (-known[one.game], one.game))
    own_format: str | None = None
    for deck in decks.values():
        own_format = own_format or deck.header.get("format")
    return Fits(path, own_format, tuple(games))


def _in_game(
    decks: Sequence[Deck],
    formats: Sequence[LoadedFormat],
    options: tuple[str | None, int | None],
    settings: DeckSettings,
) -> InGame:
    as_of, best_of = options
    data = formats[0].game_data
    catalog = SuggestionCache(data.catalog)
    reports = []
    for deck, format in zip(decks, formats, strict=True):
        report = check(deck, format.with_catalog(catalog), as_of=as_of, best_of=best_of)
        reports.append(graded_by(settings, report))
    reports.sort(key=lambda report: (_ORDER[report.verdict], sure_errors(report), report.format))
    return InGame(data.game.id, data.game.name, _common(reports), tuple(reports))


def _common(reports: Sequence[Report]) -> tuple[Finding, ...]:
    """deckcheck's own findings that all of the reports have."""
    common = set.intersection(*({sameness(finding) for finding in report.findings} for report in reports))
    return tuple(
        finding
        for finding in reports[0].findings
        if finding.rule in ENGINE_IDS - INFOS - {PARTIAL} and sameness(finding) in common
    )


def _no_deck(path: str, decks: Sequence[Deck]) -> UserError:
    unknown = next((deck for deck in decks if deck.entries or deck.diagnostics), None)
    if unknown is None:
        return user_error(_("no card is listed here"), path=path)
    names = [_("{name!r}", name=entry.written) for entry in unknown.entries[:3]]
    hint = _("not in the card table: {names}", names=series(names)) if names else None
    return user_error(_("no card is known here"), path=path, hint=hint)
