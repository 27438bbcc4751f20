"""What a command works with besides its own options: the settings of the project that its paths belong to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from deckcheck.checking.session import CheckOptions
from deckcheck.checking.walk import STANDARD_INPUT
from deckcheck.cli.language import user_language
from deckcheck.config.find import settings_for, settings_of
from deckcheck.config.settings import NO_SETTINGS, Settings


def project(
    paths: Sequence[str],
    *,
    config: str | None = None,
    isolated: bool = False,
    stdin_name: str | None = None,
) -> Settings:
    """The settings for lists at `paths`: those of `config`, else of the nearest file, with `isolated` none.

    Standard input stands where `stdin_name` says, else in the working folder.
    Raises UserError with every mistake in the file.
    """
    if isolated:
        return NO_SETTINGS
    if config is not None:
        return settings_of(config)
    return settings_for([stdin_name or "." if path == STANDARD_INPUT else path for path in paths])


def wish_of(
    settings: Settings,
    *,
    format: str | None = None,
    as_of: str | None = None,
    best_of: int | None = None,
    cards: Iterable[str] = (),
    stdin_name: str | None = None,
    notation: str | None = None,
) -> CheckOptions:
    """What is asked for all decks of a run: options, and behind them the settings.

    `cards` from the command line come after those of the settings, so that
    they win.
    """
    own = (*map(str, settings.cards), *cards)
    return CheckOptions(
        format, as_of, best_of, own, settings.folders, settings.for_deck, stdin_name, notation
    )


def language_of(settings: Settings, lang: str | None) -> str:
    """The language of the output: as asked, else as the settings say, else the user's."""
    return lang or settings.lang or user_language()
