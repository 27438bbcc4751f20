"""What a command works with: the project's settings, an event's rules, the lists that are meant, and files that must not be lost."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deckcheck.checking.deck_files import STANDARD_INPUT, DeckFile, find_decks
from deckcheck.checking.session import CheckOptions, FormatCache
from deckcheck.cli.run import Run
from deckcheck.cli.terminal import explain_first_run, user_language, write_messages
from deckcheck.config.settings import Settings, settings_for, settings_of, with_games
from deckcheck.formats.loading import known_games, own_games
from deckcheck.formats.lookup import BUNDLED_ONLY, Folders
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.messages import _, card_name, shortened
from deckcheck.support.safe_text import safe

if TYPE_CHECKING:
    from deckcheck.checking.judge import LoadedFormat
    from deckcheck.registration.canonical import Provenance
    from deckcheck.registration.event import Event, EventSession

NO_OPTIONS = CheckOptions()


class Project(NamedTuple):
    """The settings, the options of a check (completed from the settings and the event), the formats, and the event."""

    settings: Settings
    options: CheckOptions
    formats: FormatCache
    event: "EventSession | None" = None

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
    event: str | None = None,
) -> Project:
    """The project of lists at `paths`, or of an event: its settings and formats, and the options completed from them.

    `games` are further folders with games, `config` is the settings file if it isn't the nearest one. Raises UserError.
    """
    settings = project_settings(run, paths, games=games, config=config)
    note_card_tables(run, options.cards, settings.folders)
    completed = with_settings(options, settings)
    if event is None:
        return Project(settings, completed, FormatCache(completed.folders))
    from deckcheck.registration.event import EventSession

    session = EventSession.open(Path(event))
    completed = with_event(completed, session.event)
    return Project(settings, completed, FormatCache(completed.folders), session)


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


def with_settings(options: CheckOptions, settings: Settings) -> CheckOptions:
    """The options completed from the settings; cards of the command line come last, so they win."""
    cards = (*map(str, settings.cards), *options.cards)
    return options._replace(cards=cards, folders=settings.folders, settings_for=settings.for_deck)


def with_event(options: CheckOptions, event: "Event") -> CheckOptions:
    """The options completed from an event, whose lists no settings concern."""
    return options._replace(
        format=options.format or event.format,
        as_of=options.as_of or event.as_of,
        best_of=event.best_of if options.best_of is None else options.best_of,
        cards=(*map(str, event.cards), *options.cards),
        folders=event.folders,
        settings_for=None,
    )


def same_options(
    options: CheckOptions, games: Sequence[str] | None = None, config: str | None = None
) -> list[str]:
    """The options, as words, with which another command judges the same lists alike."""
    given: dict[str, Sequence[object]] = {
        "--format": [options.format],
        "--as-of": [options.as_of],
        "--best-of": [options.best_of],
        "--cards": options.cards,
        "--games": games or (),
        "--notation": [options.notation],
        "--config": [config],
    }
    return [
        word
        for option, values in given.items()
        for value in values
        if value is not None
        for word in (option, str(value))
    ]


def note_card_tables(run: Run, cards: Sequence[str], folders: Folders = BUNDLED_ONLY) -> None:
    """Say if the card table must be made first, and where card files of the command line contradict each other."""
    explain_first_run(run.lang)
    files = list(dict.fromkeys(cards))
    if len(files) < 2:
        return
    from deckcheck.cards.card_file import MOST_BYTES, normal, read_cards, vocabulary
    from deckcheck.formats.loading import load_game
    from deckcheck.support.files import read_bytes

    differing: dict[tuple[str, str], dict[str, None]] = {}
    for game in known_games(folders):
        words = vocabulary(load_game(game, folders))
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
            cards=shortened([card_name(safe(name)) for name in names], 10),
        )
        write_messages(run.lang, warning)


def open_event(run: Run, path: str) -> "EventSession":
    """The event in the file at `path`. Raises UserError."""
    from deckcheck.registration.event import EventSession

    explain_first_run(run.lang)
    return EventSession.open(Path(path))


def format_named(reference: str, project: Project) -> "tuple[LoadedFormat, Provenance]":
    """The format with that id, with its content in hashes. Raises UserError."""
    from deckcheck.formats.lookup import format_file
    from deckcheck.registration.canonical import provenance

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
    return project.load_format(reference), provenance(reference, options.folders)


def single_list(path: str) -> DeckFile:
    """The list at that path. Raises UserError if it doesn't exist, is a folder, or isn't a list."""
    if path != STANDARD_INPUT and Path(path).is_dir():
        raise user_error(_("this is a folder; name a single file"), path=path)
    for found in find_decks([path]):
        if isinstance(found, UserError):
            raise found
        return found
    raise user_error(_("not a decklist"), path=path)


# Files that must not be lost


def protect_inputs(
    targets: str | Iterable[str] | None, files: Iterable[Path], folders: Iterable[Path] = ()
) -> None:
    """Raises UserError if a target is one of the files or in one of the folders."""
    if targets is None:
        return
    inputs = {identity for file in files for identity in _identities(file)}
    inside = [folder.resolve() for folder in folders]
    for target in [targets] if isinstance(targets, str) else targets:
        identities = _identities(Path(target))
        if not inputs.isdisjoint(identities) or any(
            isinstance(place, Path) and place.is_relative_to(folder)
            for folder in inside
            for place in identities
        ):
            raise user_error(_("this is one of the inputs and will not be overwritten"), path=target)


def _identities(file: Path) -> list[Path | tuple[int, int]]:
    """The path of a file and, if it exists, its device and inode."""
    found: list[Path | tuple[int, int]] = []
    with suppress(OSError, ValueError, RuntimeError):
        found.append(file.resolve())
        status = file.stat()
        found.append((status.st_dev, status.st_ino))
    return found


def protect_lists(target: str | None, items: Iterable[DeckFile | UserError], *others: str) -> None:
    """Like `protect_inputs`, for the lists of a run and other files that it reads."""
    lists = (item.path for item in items if isinstance(item, DeckFile) and item.path != STANDARD_INPUT)
    protect_inputs(target, map(Path, (*lists, *others)))


def protect_event(target: str | None, event: "Event") -> None:
    """Like `protect_inputs`, for the event's own files and lists."""
    from deckcheck.registration.event import Folder

    files = [event.path, event.log, *event.cards, *(source.path for source in event.sources)]
    folders = [event.receipts, *(source.path for source in event.sources if isinstance(source, Folder))]
    protect_inputs(target, files, folders)
