"""The settings of a project: reading the file, the settings of each deck, and additions by options."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.formats.inheritance import rule_ids
from deckcheck.formats.lookup import BUNDLED_ONLY, ENDINGS, Folders, files_below, game_files
from deckcheck.model.finding import UNCLEAR
from deckcheck.model.format import Severity, Source
from deckcheck.report.suppressions import NOT_SUPPRESSIBLE, Grading
from deckcheck.support.dates import is_day, no_such_day
from deckcheck.support.documents import MOST_PROBLEMS, Document, of_option, require_shape
from deckcheck.support.errors import Problem, UserError, did_you_mean, in_order, user_error
from deckcheck.support.files import open_output, path_from, real_path, working_folder
from deckcheck.support.gitignore import Patterns, compiled, folder_of
from deckcheck.support.messages import Message, _

NAME = "deckcheck.toml"
SHARED_NAME = "pyproject.toml"
SECTION = ("tool", "deckcheck")
_MOST_LOOKED_AT = 1024 * 1024
_CARD_ENDINGS = (".yaml", ".yml", ".jsonl")
_UNNAMED = "-"


class DeckSettings(Struct, frozen=True):
    """The settings of one deck; `format` is as on the command line, `format_node` where it is written."""

    format: str | None = None
    format_node: Document | None = None
    as_of: str | None = None
    best_of: int | None = None
    grading: Grading = Grading()

    @property
    def format_source(self) -> Source | None:
        """The line that names the format."""
        return None if self.format_node is None else _source(self.format_node)

    def placed(self, error: UserError) -> UserError:
        """The error with the line that names the format, unless it has a place."""
        node = self.format_node
        if node is None:
            return error
        return UserError(
            [
                node.problem(problem.message, problem.hint) if problem.path is None else problem
                for problem in error.problems
            ]
        )


class DeckTable(Struct, frozen=True):
    """A table of settings, for the decks that match any of its patterns; None for all decks, also those without a path."""

    values: Document
    patterns: Patterns | None = None


class Settings(Struct, frozen=True):
    """The settings of a project; `file` is its path for messages.

    `excluded` are patterns, the most important first; `tables` begin with the one for all decks and end with those of
    options. `formats` are the references to formats. For the rest see config.schema.json.
    """

    file: str | None = None
    folders: Folders = BUNDLED_ONLY
    cards: tuple[Path, ...] = ()
    lang: str | None = None
    unknown: str | None = None
    output_format: str | None = None
    respect_gitignore: bool = True
    force_exclude: bool = False
    excluded: tuple[Patterns, ...] = ()
    tables: tuple[DeckTable, ...] = ()
    formats: tuple[str, ...] = ()

    def for_deck(self, path: str) -> DeckSettings:
        """The settings of the deck at that path: of several tables that apply, the last one with a key wins.

        Ignored rules and severities add up.
        """
        values: dict[str, Document] = {}
        ignore: dict[str, Source] = {}
        severity: dict[str, Severity] = {}
        for table in self.tables:
            if table.patterns is None or (path != _UNNAMED and table.patterns.include(path)):
                document = table.values
                values |= {key: document.at(key) for key in document.data}
                ignore |= {rule.data: _source(rule) for rule in document.under("ignore")}
                severity |= {rule: Severity(word) for rule, word in document.data.get("severity", {}).items()}
        select = values.get("select")
        selected = frozenset[str]() if select is None else frozenset(select.data)
        format = values.get("format")
        return DeckSettings(
            None if format is None else _reference(format.data, Path(format.path).parent),
            format,
            values["as-of"].data if "as-of" in values else None,
            values["best-of"].data if "best-of" in values else None,
            Grading(selected or None, None if select is None else _source(select), ignore, severity),
        )

    def unmatched(self, searched: Sequence[str], decks: Sequence[str]) -> Iterator[Message]:
        """Yields messages on the patterns of tables for some decks, under the paths `searched`, that match none of these decks."""
        tops = [os.path.join(os.path.abspath(path), "") for path in searched]
        partial = [table.values for table in self.tables if table.patterns]
        nodes = [node for values in partial for node in values.under("path")]
        for node in nodes:
            root, pattern = Path(node.path).parent, compiled(node.data)
            place = os.path.join(os.path.abspath(root), folder_of(node.data), "")
            if pattern is None or not pattern.include or not place.startswith(tuple(tops)):
                continue
            if not any(map(Patterns(str(root), [pattern]).include, decks)):
                yield _("{place}: “{pattern}” matches no deck", place=node.place, pattern=node.data)


NO_SETTINGS = Settings()


def folders_above(folder: str) -> list[str]:
    """The absolute folder itself and all its parents, nearest first."""
    return [folder, *map(str, Path(folder).parents)]


# Finding the file


def settings_of(file: str) -> Settings:
    """The settings in a file. Raises UserError with every mistake, or for a file without settings."""
    settings = load_settings(Path(file))
    if settings is None:
        raise user_error(_("there is no [tool.deckcheck]"), path=file)
    return settings


def settings_for(paths: Sequence[str]) -> Settings:
    """The settings of the nearest file above all `paths`, or the working folder. Raises UserError with every mistake."""
    loaded = (load_settings(Path(file)) for file in _candidates(paths))
    return next(filter(None, loaded), NO_SETTINGS)


def _candidates(paths: Sequence[str]) -> Iterator[str]:
    """The files that may have settings, nearest first; a pyproject.toml only if it mentions deckcheck."""
    here = working_folder()
    for folder in folders_above(_common_folder(paths, here)):
        own, shared = os.path.join(folder, NAME), os.path.join(folder, SHARED_NAME)
        if os.path.isfile(own):
            yield _shown(own, here)
            continue
        # Reading a pipe would wait for its writer.
        if os.path.isfile(shared) and _names_us(shared):
            yield _shown(shared, here)


def _names_us(file: str) -> bool:
    try:
        with open(file, "rb") as opened:
            return b"deckcheck" in opened.read(_MOST_LOOKED_AT)
    except OSError:
        return False


def _common_folder(paths: Sequence[str], here: str) -> str:
    # Links aren't resolved.
    named = map(os.path.abspath, paths)
    folders = [path if os.path.isdir(path) else os.path.dirname(path) for path in named]
    try:
        return os.path.commonpath(folders) if folders else here
    except ValueError:
        # The paths are on several drives.
        return folders[0]


def _shown(path: str, here: str) -> str:
    """The path for messages: relative to the working folder if it is in that folder or one above."""
    try:
        if os.path.commonpath([here, path]) in (here, os.path.dirname(path)):
            return os.path.relpath(path, here)
    except ValueError:
        pass
    return path


# Reading the file

_COPIED = ("lang", "unknown", "output-format", "respect-gitignore", "force-exclude")


def load_settings(file: Path) -> Settings | None:
    """The settings in a file; None for a pyproject.toml without settings. Raises UserError with every mistake."""
    from deckcheck.support.toml import load_toml

    document = load_toml(file).section(SECTION if file.name == SHARED_NAME else ())
    if document is None:
        return None
    require_shape(document, "config")
    root, data, problems = file.parent, document.data, list[Problem]()
    tables = [DeckTable(document)]
    tables += [
        DeckTable(table, _patterns(table, "path", root, problems)) for table in document.under("decks")
    ]
    for day in (table.values.at("as-of") for table in tables if "as-of" in table.values.data):
        if not is_day(day.data):
            problems.append(day.problem(no_such_day(day.data)))
    formats = [table.values.data["format"] for table in tables if "format" in table.values.data]
    excluded = _patterns(document, "exclude", root, problems)
    settings = Settings(
        file=str(file),
        folders=own_folders(document, root, problems),
        cards=own_cards(document, root, problems),
        **{key.replace("-", "_"): data[key] for key in _COPIED if key in data},
        excluded=() if excluded is None else (excluded,),
        tables=tuple(tables),
        formats=tuple(_reference(format, root) for format in formats),
    )
    problems += _rule_problems(tables, settings.folders, settings.formats)
    if problems:
        raise UserError(in_order(problems)[:MOST_PROBLEMS])
    return settings


def _patterns(table: Document, key: str, root: Path, problems: list[Problem]) -> Patterns | None:
    """The patterns under a key; None without any."""
    if not table.data.get(key):
        return None
    patterns = []
    for node in table.under(key):
        try:
            pattern = compiled(node.data)
        except ValueError:
            problems.append(node.problem(_("{pattern!r} is not a valid pattern", pattern=node.data)))
            continue
        if pattern is not None and not {".", ".."} & set(node.data.split("/")):
            patterns.append(pattern)
            continue
        message = _(
            "{pattern!r} matches nothing: it is empty or a comment, or has . or .. in it", pattern=node.data
        )
        problems.append(node.problem(message))
    return Patterns(str(root), patterns)


def _rule_problems(
    tables: Sequence[DeckTable], folders: Folders, formats: Sequence[str]
) -> Iterator[Problem]:
    """The problems with rules in tables that don't exist or can't be treated so."""
    named = [
        (key, rule, table.values.at(key, rule if key == "severity" else place))
        for table in tables
        for key in ("select", "ignore", "severity")
        for place, rule in enumerate(table.values.data.get(key, ()))
    ]
    # None if a format can't be read.
    known = rule_ids(folders, formats) if named else None
    never_legal = _("a deck with something unknown in it is never called legal")
    for key, rule, node in named:
        if key == "ignore" and rule in NOT_SUPPRESSIBLE:
            hint = never_legal if rule in UNCLEAR else _("it reports suppressions that make no sense")
            yield node.problem(_("{rule!r} can't be ignored", rule=rule), hint)
        elif key == "severity" and rule in UNCLEAR:
            yield node.problem(_("the severity of {rule!r} can't be changed", rule=rule), never_legal)
        elif known is not None and rule not in known:
            yield node.problem(_("there is no rule {rule!r}", rule=rule), did_you_mean(rule, known))


def own_folders(document: Document, root: Path, problems: list[Problem]) -> Folders:
    """The user's own formats, banlists and games, as settings and the file of an event name them, from `root` on."""
    paths: dict[str, tuple[Path, ...]] = {}
    for key in ("formats", "banlists", "games"):
        nodes = document.under(key)
        paths[key] = tuple(root / node.data for node in nodes)
        for node, path in zip(nodes, paths[key], strict=True):
            if not os.path.isdir(path):
                problems.append(node.problem(_("there is no folder {name!r}", name=node.data)))
            elif key == "games":
                try:
                    game_files(path)
                except UserError as error:
                    problems.append(node.problem(error.problems[0].message))
    return Folders(paths["formats"], paths["banlists"]).with_games(paths["games"])


def own_cards(document: Document, root: Path, problems: list[Problem]) -> tuple[Path, ...]:
    """The files with the user's own cards, as settings and the file of an event name them, from `root` on."""
    cards: list[Path] = []
    for node in document.under("cards"):
        path = root / node.data
        if os.path.isdir(path):
            _folders, files = files_below(path, _CARD_ENDINGS)
            cards += files
        elif os.path.isfile(path):
            cards.append(path)
        else:
            problems.append(node.problem(_("there is no file or folder {name!r}", name=node.data)))
    return tuple(cards)


def _source(node: Document) -> Source:
    return Source(node.path, node.line() or 1)


def _reference(format: str, root: Path) -> str:
    return str(root / format) if format.endswith(ENDINGS) else format


# Additions by options


def with_options(
    settings: Settings,
    *,
    select: Sequence[str],
    ignore: Sequence[str],
    exclude: Sequence[str],
    force_exclude: bool,
    format: str | None,
) -> Settings:
    """The settings with tables of options: rules to select (instead of the file's) and to ignore, for all decks.

    What to `exclude` are patterns from the working folder; `format` is that of the command line. Raises UserError.
    """
    rules = {"select": select, "ignore": ignore}
    tables = [DeckTable(of_option(key, words)) for key, words in rules.items() if words]
    formats = settings.formats if format is None else (*settings.formats, format)
    problems = list(_rule_problems(tables, settings.folders, formats))
    excluded = _patterns(of_option("exclude", exclude), "exclude", Path(), problems) if exclude else None
    if problems:
        raise UserError(problems)
    return replace(
        settings,
        force_exclude=settings.force_exclude or force_exclude,
        excluded=settings.excluded if excluded is None else (excluded, *settings.excluded),
        tables=(*settings.tables, *tables),
    )


def add_folders(
    folders: Mapping[str, Sequence[Path]], beside: Path, config: str | None = None
) -> Message | None:
    """Name folders under keys ("cards", "banlists") in the settings that apply to `beside`, or say what to write there.

    Returns what was done, None if the settings name them all. Without settings, a deckcheck.toml is written: in the
    working folder if `beside` is in it, else next to `beside`. Raises UserError for settings that can't be read, and if
    the file can't be written.
    """
    from deckcheck.support.toml import as_toml

    settings = settings_of(config) if config is not None else settings_for([str(beside / "-")])
    before = settings.tables[0].values.data if settings.tables else {}
    if settings.file is not None:
        file = Path(settings.file)
    else:
        inside = real_path(beside).is_relative_to(real_path("."))
        file = Path(NAME) if inside else beside.parent / NAME
    lines = []
    for key, paths in folders.items():
        named = before.get(key, [])
        known = [os.path.normpath(name) for name in named]
        missing = [
            name
            for name in (path_from(file, path) for path in paths)
            # A folder above holds what is below it.
            if not any(PurePath(name).is_relative_to(outer) for outer in known)
        ]
        if missing:
            lines.append(f"{key} = {as_toml([*named, *missing])}")
    if not lines:
        return None
    if settings.file is not None:
        return _("write this into {file}: {lines}", file=str(file), lines="; ".join(lines))
    with open_output(str(file)) as stream:
        stream.write("".join(f"{line}\n" for line in lines).encode())
    return _("{file}: now names {folder}", file=str(file), folder=str(beside))
