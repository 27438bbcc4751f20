"""What a command works with: the project's settings, the options of a check completed from them, and formats."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deckcheck.checking.deck_files import STANDARD_INPUT
from deckcheck.checking.session import CheckOptions, FormatCache
from deckcheck.cli.run import Run
from deckcheck.config.settings import Settings, settings_for, settings_of, with_games
from deckcheck.formats.loading import own_games
from deckcheck.formats.lookup import Folders
from deckcheck.support.terminal import explain_first_run, user_language

if TYPE_CHECKING:
    from deckcheck.checking.judge import LoadedFormat
    from deckcheck.registration.event import EventSession

NO_OPTIONS = CheckOptions()


class Project(NamedTuple):
    """The settings, the options of a check (completed from the settings), and the formats."""

    settings: Settings
    options: CheckOptions
    formats: FormatCache

    @property
    def folders(self) -> Folders:
        """The folders with the project's formats, banlists and games."""
        return self.options.folders

    def load_format(self, reference: str) -> "LoadedFormat":
        """The format with the project's cards. Raises UserError, each time again, if it can't be loaded."""
        return self.formats.load(reference, self.options.cards)


def open_project(
    run: Run,
    paths: Sequence[str],
    options: CheckOptions = NO_OPTIONS,
    *,
    games: Sequence[str] | None = None,
    config: str | None = None,
) -> Project:
    """The project of lists at `paths`: its settings and formats, and the options completed from them.

    `games` are further folders with games, `config` is the settings file if it isn't the nearest one. Raises UserError.
    """
    settings = project_settings(run, paths, games=games, config=config)
    return project_with(run, settings, options)


def project_with(run: Run, settings: Settings, options: CheckOptions) -> Project:
    """A project with these settings; cards of the command line come last, so they win. Raises UserError."""
    explain_first_run(run.lang)
    cards = (*map(str, settings.cards), *options.cards)
    options = options._replace(cards=cards, folders=settings.folders, settings_for=settings.for_deck)
    return Project(settings, options, FormatCache(settings.folders))


def project_settings(
    run: Run,
    paths: Sequence[str],
    *,
    games: Sequence[str] | None = None,
    config: str | None = None,
    stdin_name: str | None = None,
) -> Settings:
    """The settings for lists at `paths`, from the file `config` or the nearest one; the run takes their language.

    Standard input counts as the file `stdin_name`. Raises UserError with every mistake in the file.
    """
    if config is not None:
        settings = settings_of(config)
    else:
        settings = settings_for([stdin_name or "." if path == STANDARD_INPUT else path for path in paths])
    run.lang = run.asked_lang or settings.lang or user_language()
    if games:
        settings = with_games(settings, games)
    # An invalid game would seem to have no formats.
    own_games(settings.folders.games)
    return settings


def same_options(
    options: CheckOptions, games: Sequence[str] | None = None, config: str | None = None
) -> list[str]:
    """The options, as words, with which another command judges the same lists alike."""
    words = [("--format", options.format), ("--as-of", options.as_of), ("--best-of", options.best_of)]
    words += [("--cards", file) for file in options.cards]
    words += [("--games", folder) for folder in games or ()]
    words += [("--notation", options.notation), ("--config", config)]
    return [word for option, value in words if value is not None for word in (option, str(value))]


def open_event(run: Run, path: str) -> "EventSession":
    """The event in the file at `path`. Raises UserError."""
    from deckcheck.registration.event import EventSession

    explain_first_run(run.lang)
    return EventSession.open(Path(path))
