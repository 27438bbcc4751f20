"""What a command works with: the project's settings, an event's rules, the lists that are meant, and files that must not be lost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deckcheck.checking.session import CheckOptions
from deckcheck.checking.walk import STANDARD_INPUT, DeckFile, find_decks
from deckcheck.cli.terminal import first_of, tell, tell_first_time, user_language
from deckcheck.config.settings import NO_SETTINGS, Settings, settings_for, settings_of
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.files import shipped
from deckcheck.support.messages import _, series
from deckcheck.support.safetext import safe

if TYPE_CHECKING:
    from deckcheck.checking.judge import LoadedFormat
    from deckcheck.registration.commitments import Provenance
    from deckcheck.registration.event_session import EventSession
    from deckcheck.registration.eventfile import Event


class Project(NamedTuple):
    """The settings, the options of a check (with the settings and the event behind them), the language, the event."""

    settings: Settings
    options: CheckOptions
    lang: str
    event: EventSession | None = None


def open_project(
    paths: Sequence[str],
    lang: str | None,
    config: str | None,
    isolated: bool,
    given: CheckOptions = CheckOptions(),
    *,
    event: str | None = None,
) -> Project:
    """The project of lists at `paths`; `given` are the options of the command line. Raises UserError."""
    settings = project_settings(paths, config, isolated, given.stdin_name)
    language = language_of(settings, lang)
    tell_first_time(language)
    warn_of_contradictions(given.cards, language)
    if event is None:
        return Project(settings, with_settings(given, settings), language)
    from deckcheck.registration.event_session import EventSession

    session = EventSession.open(Path(event))
    own = session.event
    options = CheckOptions(
        format=given.format or own.format,
        as_of=given.as_of or own.as_of,
        best_of=own.best_of if given.best_of is None else given.best_of,
        cards=(*map(str, (*own.cards, *settings.cards)), *given.cards),
        folders=own.folders,
    )
    return Project(settings, options, language, session)


def project_settings(
    paths: Sequence[str], config: str | None = None, isolated: bool = False, stdin_name: str | None = None
) -> Settings:
    """The settings for lists at `paths`: those of `config`, else of the nearest file, with `isolated` none.

    Standard input counts as the file `stdin_name`. Raises UserError with every mistake in the file.
    """
    if isolated:
        return NO_SETTINGS
    if config is not None:
        return settings_of(config)
    return settings_for([stdin_name or "." if path == STANDARD_INPUT else path for path in paths])


def with_settings(given: CheckOptions, settings: Settings) -> CheckOptions:
    """The options with the settings behind them; cards of the command line come last, so that they win."""
    return given._replace(
        cards=(*map(str, settings.cards), *given.cards),
        folders=settings.folders,
        settings_for=settings.for_deck,
    )


def warn_of_contradictions(cards: Iterable[str], lang: str) -> None:
    """Warn of cards on which two readable files of the command line contradict each other; the later file wins."""
    files = list(dict.fromkeys(cards))
    if len(files) < 2:
        return
    from deckcheck.cards.cardfile import MOST_BYTES, normal, read_cards, vocabulary
    from deckcheck.formats.loading import load_game
    from deckcheck.support.files import read_bytes

    differing: dict[tuple[str, str], dict[str, None]] = {}
    for game in game_ids(None):
        words = vocabulary(load_game(game))
        stated: dict[str, tuple[str, object]] = {}
        for file in files:
            try:
                found = read_cards(Path(file), read_bytes(Path(file), most=MOST_BYTES), words)
            except UserError:
                continue
            for card in found:
                name, record = card.record["name"], normal(card.record)
                earlier, before = stated.get(words.fold(name), (file, record))
                if before != record:
                    differing.setdefault((earlier, file), {})[name] = None
                stated[words.fold(name)] = file, record
    for (earlier, later), names in differing.items():
        warning = _(
            "warning: {earlier} and {later} contradict each other; {later} is used for {cards}",
            earlier=safe(earlier),
            later=safe(later),
            cards=first_of(list(names)),
        )
        tell(lang, warning)


def language_of(settings: Settings, lang: str | None) -> str:
    """The language of the output: that of the option, else of the settings, else the user's."""
    return lang or settings.lang or user_language()


def open_event(path: str, lang: str) -> EventSession:
    """The event whose file is at `path`. Raises UserError."""
    from deckcheck.registration.event_session import EventSession

    tell_first_time(lang)
    return EventSession.open(Path(path))


def format_named(reference: str, project: Project) -> tuple[LoadedFormat, Provenance]:
    """The format with that id, with its content in hashes. Raises UserError."""
    from deckcheck.checking.judge import load_format
    from deckcheck.formats.lookup import format_file
    from deckcheck.registration.commitments import provenance

    options, session = project.options, project.event
    if session is not None and session.format.format.id == reference:
        return session.rules
    try:
        format_file(reference, folders=options.folders)
    except UserError as error:
        if session is not None:
            raise
        problem = Problem(
            _("the format “{format}” is not bundled, and its file is unknown", format=reference),
            hint=_("name the event file that uses it with --event"),
        )
        raise UserError([problem, *(other for other in error.problems if other.path is not None)]) from error
    format = load_format(reference, cards=[Path(card) for card in options.cards], folders=options.folders)
    return format, provenance(reference, options.folders)


def game_id(value: str | None) -> str:
    """The id of the named game, else of the only one. Raises UserError for an unknown name or a choice to make."""
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
    """As `game_id`; all of them where none is named."""
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


# Files that must not be lost


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
    from deckcheck.registration.eventfile import Folder

    files = [event.path, event.log, *event.cards, *(source.path for source in event.sources)]
    protect_inputs(target, files, [source.path for source in event.sources if isinstance(source, Folder)])
