"""In which formats a deck is legal, and what stands in the way of the others."""

from __future__ import annotations

from collections.abc import Sequence

from deckcheck.checking.declared import unless_said
from deckcheck.checking.judge import LoadedFormat, check, read_deck
from deckcheck.checking.remembering import Remembering, with_catalog
from deckcheck.config.settings import DeckSettings
from deckcheck.model.deck import Deck
from deckcheck.model.finding import ENGINE_IDS, INFOS, PARTIAL, Finding, Report
from deckcheck.report.fits import Fits, InGame, same, sure_errors
from deckcheck.support.errors import wrong
from deckcheck.support.messages import Localized, _

_ORDER = {"legal": 0, "undecided": 1, "illegal": 2}


def which(
    text: str,
    path: str,
    formats: Sequence[LoadedFormat],
    *,
    as_of: str | None = None,
    best_of: int | None = None,
    mine: DeckSettings | None = None,
    notation: str | None = None,
) -> Fits:
    """The list judged by each of the formats, game by game, the game that knows most of its cards first.

    `as_of` and `best_of` win over what the list says, and that over `mine`,
    the settings for this list; `notation` is that of the list, where it is
    told. A game that knows none of the cards is left out, and so is one that
    doesn't know them all, where another does. Raises UserError for a list that
    can't be read, is empty or holds no card that any of the games knows.
    """
    by_game: dict[str, list[LoadedFormat]] = {}
    for format in formats:
        by_game.setdefault(format.format.game, []).append(format)
    settings = DeckSettings() if mine is None else mine
    said: str | None = None
    read: list[tuple[int, int, Sequence[LoadedFormat]]] = []
    unknown: Deck | None = None
    for one in by_game.values():
        deck = one[0].table.read(text, path, notation)
        said = said or deck.header.get("format")
        known = sum(bool(entry.cards) for entry in deck.entries)
        if known:
            read.append((known, len(deck.entries), one))
        elif deck.entries or deck.diagnostics:
            unknown = unknown or deck
    whole = [one for one in read if one[0] == one[1]]
    found = []
    for known, _whole, same_game in whole or read:
        decks = [read_deck(format, text, path, notation) for format in same_game]
        found.append((known, _in_game(decks, same_game, as_of, best_of, settings)))
    if not found:
        raise _no_deck(path, unknown)
    found.sort(key=lambda hit: (-hit[0], hit[1].game))
    return Fits(path, said, tuple(game for _, game in found))


def _in_game(
    decks: Sequence[Deck],
    formats: Sequence[LoadedFormat],
    as_of: str | None,
    best_of: int | None,
    mine: DeckSettings,
) -> InGame:
    as_of, best_of = unless_said(decks[0], (as_of, best_of), (mine.as_of, mine.best_of))
    catalog = Remembering(formats[0].table.catalog)
    asked = [with_catalog(format, catalog) for format in formats]
    reports = [_report(deck, format, as_of, best_of, mine) for deck, format in zip(decks, asked, strict=True)]
    reports.sort(key=lambda report: (_ORDER[report.verdict], sure_errors(report), report.format))
    game = formats[0].table.game
    return InGame(game.id, game.name, _told_alike(reports), tuple(reports))


def _report(
    deck: Deck, format: LoadedFormat, as_of: str | None, best_of: int | None, mine: DeckSettings
) -> Report:
    report = check(deck, format, as_of=as_of, best_of=best_of)
    if mine.grading is None:
        return report
    from deckcheck.report.suppress import graded

    return graded(report, mine.grading)


def _told_alike(reports: Sequence[Report]) -> tuple[Finding, ...]:
    """What the engine tells of the list in every one of the reports."""
    common = set.intersection(*({same(finding) for finding in report.findings} for report in reports))
    return tuple(
        finding
        for finding in reports[0].findings
        if finding.rule in ENGINE_IDS - INFOS - {PARTIAL} and same(finding) in common
    )


def _no_deck(path: str, unknown: Deck | None) -> Exception:
    if unknown is None:
        return wrong(_("no card is listed here"), path=path)
    names = [entry.written for entry in unknown.entries[:3]]
    listed = Localized("、".join(f"「{name}」" for name in names), ", ".join(map(repr, names)))
    return wrong(
        _("no card is known here"),
        path=path,
        hint=None if not names else _("not in the card table: {listed}", listed=listed),
    )
