"""What a command works on: the settings of the project, an event's rules, the lists that are meant, and files that must not be lost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deckcheck.checking.session import CheckOptions
from deckcheck.checking.walk import STANDARD_INPUT, DeckFile, find_decks
from deckcheck.cli.language import user_language
from deckcheck.config.find import settings_for, settings_of
from deckcheck.config.settings import NO_SETTINGS, Settings
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.files import shipped
from deckcheck.support.messages import _, series

if TYPE_CHECKING:
    from deckcheck.checking.judge import LoadedFormat
    from deckcheck.registration.model import Event
    from deckcheck.registration.provenance import Provenance
    from deckcheck.registration.roster import EventSession


def project_settings(
    paths: Sequence[str], *, config: str | None = None, isolated: bool = False, stdin_name: str | None = None
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


def check_options(
    settings: Settings,
    *,
    format: str | None = None,
    as_of: str | None = None,
    best_of: int | None = None,
    cards: Iterable[str] | None = None,
    stdin_name: str | None = None,
    notation: str | None = None,
) -> CheckOptions:
    """What is asked for all decks of a run: the options, and behind them the settings.

    `cards` from the command line come after those of the settings, so that
    they win.
    """
    own = (*map(str, settings.cards), *(cards or ()))
    return CheckOptions(
        format, as_of, best_of, own, settings.folders, settings.for_deck, stdin_name, notation
    )


def language_of(settings: Settings, lang: str | None) -> str:
    """The language of the output: as asked, else as the settings say, else the user's."""
    return lang or settings.lang or user_language()


def game_id(value: str | None) -> str:
    """The id of the game that was asked for, else of the only one there is.

    Raises UserError where there is none of that name, or a choice to make.
    """
    known = game_ids(None)
    if value is None and len(known) == 1:
        return known[0]
    if value is None:
        raise user_error(_("--game is required; choose from {games}", games=series(known)))
    if value not in known:
        raise user_error(
            _("--game: there is no game “{name}” (available: {games})", name=value, games=series(known))
        )
    return value


def game_ids(value: str | None) -> list[str]:
    """As `game_id`; all of them where none was asked for."""
    if value is not None:
        return [game_id(value)]
    return sorted(file.parent.name for file in shipped("formats").glob("*/game.yaml"))


def single_list(path: str) -> DeckFile:
    """The list at that path. Raises UserError where it is not there, a folder, or no list."""
    if path != STANDARD_INPUT and Path(path).is_dir():
        raise user_error(_("this is a folder; name a single file"), path=path)
    for found in find_decks([path]):
        if isinstance(found, UserError):
            raise found
        return found
    raise user_error(_("not a decklist"), path=path)


def protect_inputs(target: str, files: Iterable[Path], folders: Iterable[Path] = ()) -> None:
    """Raises UserError when a file at `target` would take the place of one of the files, or lie in one of the folders."""
    try:
        place = Path(target).resolve()
        if place.exists():
            taken = any(file.exists() and place.samefile(file) for file in files)
        else:
            taken = any(place == file.resolve() for file in files)
        taken = taken or any(place.is_relative_to(folder.resolve()) for folder in folders)
    except (OSError, ValueError):
        return
    if taken:
        raise user_error(_("this is one of the inputs and will not be overwritten"), path=target)


def protect_lists(target: str, items: Iterable[DeckFile | UserError], *others: str) -> None:
    """As `protect_inputs`, for the lists of a run and other files that it reads."""
    lists = (item.path for item in items if isinstance(item, DeckFile) and item.path != STANDARD_INPUT)
    protect_inputs(target, map(Path, (*lists, *others)))


def protect_event(target: str, event: Event) -> None:
    """As `protect_inputs`, for the event's own files and lists."""
    from deckcheck.registration.model import Folder

    files = [event.path, event.log, *event.cards, *(source.path for source in event.sources)]
    protect_inputs(target, files, [source.path for source in event.sources if isinstance(source, Folder)])


class Ruling(NamedTuple):
    """What is asked for, and the event's own session if there is an event."""

    options: CheckOptions
    session: EventSession | None


def ruling(options: CheckOptions, event: str | None) -> Ruling:
    """The options, and behind them the event whose file is named. Raises UserError."""
    if event is None:
        return Ruling(options, None)
    from deckcheck.registration.roster import EventSession

    session = EventSession.open(Path(event))
    of_event = CheckOptions(
        format=options.format or session.event.format,
        as_of=options.as_of or session.event.as_of,
        best_of=session.event.best_of if options.best_of is None else options.best_of,
        cards=(*map(str, session.event.cards), *options.cards),
        folders=session.event.folders,
    )
    return Ruling(of_event, session)


def format_named(reference: str, rules: Ruling) -> tuple[LoadedFormat, Provenance]:
    """The format with that id, with its content in hashes. Raises UserError."""
    from deckcheck.checking.judge import load_format
    from deckcheck.formats.lookup import format_file
    from deckcheck.registration.provenance import provenance

    options, session = rules
    if session is not None and session.format.format.id == reference:
        return session.format, provenance(session.event.format, session.event.folders)
    try:
        format_file(reference, folders=options.folders)
    except UserError as error:
        if session is not None:
            raise
        problem = Problem(
            _("the format “{format}” is not bundled, and it is not known where to find it", format=reference),
            hint=_("name the event file that uses it with --event"),
        )
        raise UserError([problem, *(other for other in error.problems if other.path is not None)]) from error
    cards = [Path(card) for card in options.cards]
    return load_format(reference, cards=cards, folders=options.folders), provenance(
        reference, options.folders
    )
