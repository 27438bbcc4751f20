"""In which formats decks are legal, as JSON: one object a run. The shape is published in schemas/which.schema.json."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from deckcheck.model.finding import Finding, Report
from deckcheck.report.fits import Fits, InGame, apart
from deckcheck.report.objects import FORM, TOOL, deck_object, json_line, problem_object
from deckcheck.support.errors import Problem


def render(decks: Sequence[Fits], problems: Sequence[Problem], lang: str) -> str:
    """All decks of a run and what could not be read, ended by a line feed."""
    return json_line(which_object(decks, problems, lang)) + "\n"


def which_object(decks: Sequence[Fits], problems: Sequence[Problem], lang: str) -> dict[str, Any]:
    """All decks of a run as plain values, and what could not be read."""
    return {
        "schema": FORM,
        "tool": dict(TOOL),
        "decks": [_deck(one, lang) for one in decks],
        "errors": [problem_object(one, lang) for one in problems],
    }


def _deck(fits: Fits, lang: str) -> dict[str, Any]:
    return {
        "path": fits.path,
        "name": fits.games[0].reports[0].name,
        "format_said": fits.said,
        "verdict": fits.verdict,
        "games": [_game(one, lang) for one in fits.games],
    }


def _game(game: InGame, lang: str) -> dict[str, Any]:
    return {
        "game": game.game,
        "name": game.name.in_(lang),
        "as_of": game.reports[0].as_of,
        "told": _findings(game.reports[0], game.told, lang),
        "formats": [_format(report, game, lang) for report in game.reports],
    }


def _format(report: Report, game: InGame, lang: str) -> dict[str, Any]:
    return {
        "format": report.format,
        "name": report.format_name.in_(lang),
        "edition": report.edition,
        "verdict": report.verdict,
        "findings": _findings(report, apart(report, game.told), lang),
        "suppressed": len(report.suppressed),
    }


def _findings(report: Report, findings: Sequence[Finding], lang: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = deck_object(report._replace(findings=tuple(findings)), lang)["findings"]
    return found
