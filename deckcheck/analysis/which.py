"""In which formats a deck is legal, and what stands in the way of the others."""

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
    """Finds the formats that lists fit; it keeps the formats that it met."""

    def __init__(self, options: CheckOptions) -> None:
        self._options = options
        self._load = FormatCache(options.folders).load

    def fit(self, found: DeckFile) -> tuple[Fits, tuple[Problem, ...]]:
        """The formats that a list fits, and what is wrong with formats that can't be used.

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
    those for this list; `notation` is that of the list, where it is known. A
    game that knows none of the cards is left out, and so is one that doesn't
    know them all, where another does. Raises UserError for a list that
    can't be read, is empty or holds no card that any of the games knows.
    """
    by_game: dict[str, list[LoadedFormat]] = {}
    for format in formats:
        by_game.setdefault(format.format.game, []).append(format)
    own_format: str | None = None
    read: list[tuple[int, bool, Sequence[LoadedFormat]]] = []
    unknown: Deck | None = None
    for formats in by_game.values():
        deck = formats[0].game_data.read(text, path, notation)
        own_format = own_format or deck.header.get("format")
        known = sum(bool(entry.cards) for entry in deck.entries)
        if known:
            read.append((known, known == len(deck.entries), formats))
        elif deck.entries or deck.diagnostics:
            unknown = unknown or deck
    if not read:
        raise _no_deck(path, unknown)
    whole = [one for one in read if one[1]]
    found = []
    for known, _whole, same_game in whole or read:
        decks = [read_deck(format, text, path, notation) for format in same_game]
        asked = unless_written(decks[0], (as_of, best_of), settings or DeckSettings())
        found.append((known, _in_game(decks, same_game, asked, settings or DeckSettings())))
    found.sort(key=lambda hit: (-hit[0], hit[1].game))
    return Fits(path, own_format, tuple(game for _known, game in found))


def _in_game(
    decks: Sequence[Deck],
    formats: Sequence[LoadedFormat],
    asked: tuple[str | None, int | None],
    settings: DeckSettings,
) -> InGame:
    as_of, best_of = asked
    catalog = SuggestionCache(formats[0].game_data.catalog)
    reports = []
    for deck, format in zip(decks, formats, strict=True):
        report = check(deck, format.with_catalog(catalog), as_of=as_of, best_of=best_of)
        reports.append(graded_by(settings, report))
    reports.sort(key=lambda report: (_ORDER[report.verdict], sure_errors(report), report.format))
    game = formats[0].game_data.game
    return InGame(game.id, game.name, _common(reports), tuple(reports))


def _common(reports: Sequence[Report]) -> tuple[Finding, ...]:
    """What the engine finds in the list in every one of the reports."""
    common = set.intersection(*({sameness(finding) for finding in report.findings} for report in reports))
    return tuple(
        finding
        for finding in reports[0].findings
        if finding.rule in ENGINE_IDS - INFOS - {PARTIAL} and sameness(finding) in common
    )


def _no_deck(path: str, unknown: Deck | None) -> UserError:
    if unknown is None:
        return user_error(_("no card is listed here"), path=path)
    names = [_("{name!r}", name=entry.written) for entry in unknown.entries[:3]]
    hint = _("not in the card table: {names}", names=series(names)) if names else None
    return user_error(_("no card is known here"), path=path, hint=hint)
