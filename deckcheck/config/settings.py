"""The settings of a project: reading the file, the settings of each deck, additions by options, and showing them."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from deckcheck.formats.lookup import BUNDLED_ONLY, CASES, ENDINGS, Folders
from deckcheck.model.finding import UNCLEAR
from deckcheck.model.format import Source
from deckcheck.support.cache import cached
from deckcheck.support.dates import is_day, no_such_day
from deckcheck.support.errors import Problem, UserError, did_you_mean, in_order, user_error
from deckcheck.support.files import working_folder
from deckcheck.support.messages import Words, _
from deckcheck.support.safe_text import safe

if TYPE_CHECKING:
    from deckcheck.config.patterns import Plain, Verdict
    from deckcheck.report.suppressions import Grading
    from deckcheck.support.documents import Document, Keys

NAME = "deckcheck.toml"
SHARED_NAME = "pyproject.toml"
SECTION = ("tool", "deckcheck")
_MOST_LOOKED_AT = 1024 * 1024
_CARD_ENDINGS = (".yaml", ".yml", ".jsonl")
_UNNAMED = "-"

Refuse = Callable[..., None]
"""Records a problem: the keys of a value, the message, and an optional hint."""

Table = Mapping[str, tuple[Any, int, Sequence[int]]]
"""A table of the file: for each key the value, its line, and the lines of a list's items."""


Shown = tuple[Any, str]
"""A value to be shown, and the line, environment variable or option that it comes from."""


class DeckSettings(NamedTuple):
    """The settings of one deck: its format (as on the command line) and the source of that, the day, the
    games of a match, and which rules are reported with which severity."""

    format: str | None = None
    format_source: Source | None = None
    as_of: str | None = None
    best_of: int | None = None
    grading: "Grading | None" = None


SettingsFor = Callable[[str], DeckSettings]
"""Maps the path of a deck, as named or found, to its settings."""


class Settings(NamedTuple):
    """The settings of a project; `file` is its path for messages.

    `formats` are its references to formats, `tables` all its values; for the rest see config.schema.json.
    """

    file: str | None = None
    folders: Folders = BUNDLED_ONLY
    cards: tuple[Path, ...] = ()
    lang: str | None = None
    unknown: str | None = None
    output_format: str | None = None
    respect_gitignore: bool = True
    force_exclude: bool = False
    excluded: "Verdict | None" = None
    for_deck: SettingsFor | None = None
    formats: tuple[str, ...] = ()
    tables: tuple[Table, ...] = (MappingProxyType({}),)


NO_SETTINGS = Settings()
_NO_DECK_SETTINGS = DeckSettings()


def folders_above(folder: str) -> Iterator[str]:
    """The folder itself and all its parents, nearest first."""
    above = ""
    while folder != above:
        yield folder
        above, folder = folder, os.path.dirname(folder)


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


def nearest_file(paths: Sequence[str]) -> str | None:
    """The nearest file that may have the settings for `paths`, without reading it."""
    return next(_candidates(paths), None)


def _candidates(paths: Sequence[str]) -> Iterator[str]:
    """The files that may have settings, nearest first; a pyproject.toml only if it mentions deckcheck."""
    here = working_folder()
    for folder in folders_above(_common_folder(paths, here)):
        own, shared = os.path.join(folder, NAME), os.path.join(folder, SHARED_NAME)
        if os.path.isfile(own):
            yield _shown(own, here)
            continue
        try:
            with open(shared, "rb") as opened:
                may_name_us = b"deckcheck" in opened.read(_MOST_LOOKED_AT)
        except (OSError, ValueError):
            continue
        if may_name_us:
            yield _shown(shared, here)


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

_PLAIN = ("lang", "unknown", "output-format", "respect-gitignore", "force-exclude")


def load_settings(file: Path) -> Settings | None:
    """The settings in a file; None for a pyproject.toml without settings. Raises UserError with every mistake."""
    content = cached("settings", file, lambda: _read(file))
    if content is None:
        return None
    tables, patterns, cards = content
    root, shown = file.parent, str(file)
    top = {key: value for key, (value, *_lines) in tables[0].items()}
    folders = _folders(top, root)
    return Settings(
        file=shown,
        folders=folders,
        cards=tuple(map(Path, cards)),
        **{key.replace("-", "_"): top[key] for key in _PLAIN if key in top},
        excluded=_excluded(patterns[0], root, folders),
        for_deck=_for_deck(tables, patterns[1:], shown, root),
        formats=tuple(_reference(table["format"][0], root) for table in tables if "format" in table),
        tables=tuple(tables),
    )


def _folders(top: Mapping[str, Any], root: Path) -> Folders:
    formats, banlists, games = (
        tuple(root / name for name in top.get(key, ())) for key in ("formats", "banlists", "games")
    )
    return Folders(formats, banlists).with_games(games)


def _reference(format: str, root: Path) -> str:
    return str(root / format) if format.endswith(ENDINGS) else format


def _excluded(
    patterns: "Sequence[Plain]", root: Path, folders: Folders, below: "Verdict | None" = None
) -> "Verdict | None":
    if not patterns and not folders.formats:
        return below
    from deckcheck.config.patterns import make_relative, make_verdict

    by_patterns = make_verdict(str(root), patterns, below)
    in_formats = [make_relative(str(folder)) for folder in folders.formats]

    def excluded(path: str, is_folder: bool) -> bool | None:
        # The cases of a format aren't the user's decks.
        if is_folder and path.endswith(CASES) and any(relative(path) for relative in in_formats):
            return True
        return by_patterns(path, is_folder)

    return excluded


def _for_deck(
    tables: Sequence[Table], patterns: "Sequence[Sequence[Plain]]", shown: str, root: Path
) -> SettingsFor:
    """The settings by deck: the first table applies to all, the others to paths that match their patterns."""
    if not patterns:
        of_all = _combine(tables, shown, root)
        return lambda _path: of_all
    from deckcheck.config.patterns import Patterns, make_relative

    relative, rules = make_relative(str(root)), list(map(Patterns, patterns))
    known: dict[tuple[int, ...], DeckSettings] = {}

    def for_deck(path: str) -> DeckSettings:
        inner = None if path == _UNNAMED else relative(path)
        hits = tuple(at for at, rule in enumerate(rules, start=1) if inner and rule.include(inner))
        if hits not in known:
            known[hits] = _combine([tables[at] for at in (0, *hits)], shown, root)
        return known[hits]

    return for_deck


def _combine(tables: Sequence[Table], shown: str, root: Path) -> DeckSettings:
    """The settings of several tables together: the last one with a key wins; ignored rules add up."""
    values: dict[str, tuple[Any, int, Sequence[int]]] = {}
    ignore: dict[str, Source] = {}
    severity: dict[str, Any] = {}
    for table in tables:
        values |= table
        rules, _line, lines = table.get("ignore", ((), 0, ()))
        ignore |= {rule: Source(shown, line) for rule, line in zip(rules, lines, strict=True)}
        severity |= table.get("severity", ({},))[0]
    format, format_line, _lines = values.get("format", (None, 0, ()))
    select, select_line, _lines = values.get("select", ((), 0, ()))
    grading = None
    if select or ignore or severity:
        from deckcheck.report.suppressions import Grading

        selected = frozenset(select) if select else None
        grading = Grading(selected, Source(shown, select_line), ignore, severity)
    as_of, best_of = (values[key][0] if key in values else None for key in ("as-of", "best-of"))
    source = None if format is None else Source(shown, format_line)
    return DeckSettings(format and _reference(format, root), source, as_of, best_of, grading)


def _read(file: Path) -> "tuple[tuple[list[Table], list[list[Plain]], list[str]] | None, list[Path]]":
    """The tables of a file, the patterns of each, and the card files (None without settings); and all files read."""
    from deckcheck.support.documents import MOST_PROBLEMS, load_toml, require_shape

    document: Document | None = load_toml(file)
    if file.name == SHARED_NAME and document is not None:
        document = document.section(SECTION)
    if document is None:
        return None, [file]
    require_shape(document, "config")
    tables = [
        ((), document.data),
        *((("decks", at), table) for at, table in enumerate(document.data.get("decks", ()))),
    ]
    problems: list[Problem] = []

    def refuse(keys: "Keys", message: Words, hint: Words | None = None) -> None:
        problems.append(document.problem(message, hint, keys))

    cards, sources = _find_files(document.data, file.parent, refuse)
    patterns = []
    for keys, table in tables:
        key = "path" if keys else "exclude"
        patterns.append(_translated((*keys, key), table.get(key, []), refuse))
        if "as-of" in table and not is_day(table["as-of"]):
            refuse((*keys, "as-of"), no_such_day(table["as-of"]))
    sources += _check_rules(tables, file.parent, refuse)
    if problems:
        raise UserError(in_order(problems)[:MOST_PROBLEMS])
    with_lines = [_with_lines(document, keys, table) for keys, table in tables]
    return (with_lines, patterns, list(map(str, cards))), [file, *sources]


def _with_lines(document: "Document", keys: "Keys", table: Mapping[str, Any]) -> Table:
    values = {}
    for key, value in table.items():
        if key != "decks":
            items = range(len(value) if isinstance(value, list) else 0)
            lines = [document.line((*keys, key, at)) for at in items]
            values[key] = (value, document.line((*keys, key)), lines)
    return values


def _find_files(data: Mapping[str, Any], root: Path, refuse: Refuse) -> tuple[list[Path], list[Path]]:
    """The card files, and the files and folders that they depend on."""
    from deckcheck.formats.lookup import files_below, game_files

    cards, sources = [], []
    for key in ("formats", "banlists", "games", "cards"):
        for at, name in enumerate(data.get(key, ())):
            path = root / name
            if key == "games" and os.path.isdir(path):
                try:
                    sources += game_files(path)
                except UserError as error:
                    refuse((key, at), error.problems[0].message)
            elif os.path.isdir(path):
                folders, files = files_below(path, _CARD_ENDINGS) if key == "cards" else ([path], [])
                sources += folders
                cards += files
            elif key == "cards" and os.path.isfile(path):
                sources.append(path)
                cards.append(path)
            elif key == "cards":
                refuse((key, at), _("there is no file or folder {name!r}", name=name))
            else:
                refuse((key, at), _("there is no folder {name!r}", name=name))
    return cards, sources


def _translated(keys: "Keys", patterns: str | list[str], refuse: Refuse) -> "list[Plain]":
    """The translated patterns at `keys`."""
    if not patterns:
        return []
    from deckcheck.config.patterns import translate

    result = []
    for at, pattern in enumerate([patterns] if isinstance(patterns, str) else patterns):
        place = keys if isinstance(patterns, str) else (*keys, at)
        try:
            plain = translate(pattern)
        except ValueError:
            refuse(place, _("{pattern!r} is not a valid pattern", pattern=pattern))
            continue
        if plain is None or {".", ".."} & set(pattern.split("/")):
            message = _(
                "{pattern!r} matches nothing: paths are relative to the folder of this file", pattern=pattern
            )
            refuse(place, message)
        else:
            result.append(plain)
    return result


def _check_rules(
    tables: "Sequence[tuple[Keys, Mapping[str, Any]]]", root: Path, refuse: Refuse
) -> Sequence[Path]:
    """Refuses unknown rules; the files that define the known ones."""
    named = [
        ((*keys, key, rule if key == "severity" else at), key, rule)
        for keys, table in tables
        for key in ("select", "ignore", "severity")
        for at, rule in enumerate(table.get(key, ()))
    ]
    if not named:
        return ()
    from deckcheck.formats.inheritance import rule_ids

    formats = [_reference(table["format"], root) for _keys, table in tables if "format" in table]
    ids = rule_ids(_folders(tables[0][1], root), formats)
    for place, key, rule in named:
        problem = _rule_problem(rule, key, ids.all)
        if problem is not None:
            refuse(place, problem.message, problem.hint)
    return ids.files


# Additions by options


def with_rules(
    settings: Settings, select: Sequence[str], ignore: Sequence[str], format: str | None
) -> Settings:
    """The settings with rules selected (instead of the file's) and ignored (in addition) for all decks.

    `format` is that of the command line. Raises UserError for a rule that doesn't exist or can't be ignored.
    """
    if not select and not ignore:
        return settings
    from deckcheck.formats.inheritance import rule_ids
    from deckcheck.report.suppressions import Grading

    known = rule_ids(settings.folders, [*settings.formats, *([format] if format is not None else [])]).all
    problems = [
        problem._replace(message=_("{option}: {message}", option=f"--{key}", message=problem.message))
        for key, rules in (("select", select), ("ignore", ignore))
        for rule in rules
        if (problem := _rule_problem(rule, key, known)) is not None
    ]
    if problems:
        raise UserError(problems)
    selected_at = Source("--select", 1)
    ignored = {rule: Source("--ignore", 1) for rule in ignore}
    of_file = settings.for_deck

    def for_deck(path: str) -> DeckSettings:
        deck = _NO_DECK_SETTINGS if of_file is None else of_file(path)
        grading = deck.grading or Grading(None, selected_at, {}, {})
        grading = grading._replace(ignore={**grading.ignore, **ignored})
        if select:
            grading = grading._replace(select=frozenset(select), selected_at=selected_at)
        return deck._replace(grading=grading)

    return settings._replace(for_deck=for_deck)


def _rule_problem(rule: str, key: str, known: frozenset[str] | None) -> Problem | None:
    """Why "select", "ignore" or "severity" can't have this rule; None if it can. `known` is None if not available."""
    from deckcheck.report.suppressions import NOT_SUPPRESSIBLE

    never_legal = _("a deck with something unknown in it is never called legal")
    if key == "ignore" and rule in NOT_SUPPRESSIBLE:
        hint = never_legal if rule in UNCLEAR else _("it reports suppressions that make no sense")
        return Problem(_("{rule!r} can't be ignored", rule=rule), hint=hint)
    if key == "severity" and rule in UNCLEAR:
        return Problem(_("the severity of {rule!r} can't be changed", rule=rule), hint=never_legal)
    if known is None or rule in known:
        return None
    return Problem(_("there is no rule {rule!r}", rule=rule), hint=did_you_mean(rule, known))


def with_games(settings: Settings, games: Sequence[str]) -> Settings:
    """The settings with more folders of games."""
    folders = tuple(map(Path, games))
    excluded = _excluded((), Path(), Folders(folders), settings.excluded)
    return settings._replace(folders=settings.folders.with_games(folders), excluded=excluded)


def with_exclude(settings: Settings, patterns: Sequence[str], force: bool) -> Settings:
    """The settings with additional patterns to exclude, relative to the working folder. Raises UserError."""
    if force:
        settings = settings._replace(force_exclude=True)
    if not patterns:
        return settings
    from deckcheck.config.patterns import make_verdict, translate

    plain = []
    for pattern in patterns:
        try:
            plain.append(translate(pattern))
        except ValueError as error:
            raise user_error(_("--exclude: {pattern!r} is not a valid pattern", pattern=pattern)) from error
    excluded = make_verdict(".", list(filter(None, plain)), settings.excluded)
    return settings._replace(excluded=excluded)


# Showing settings

_ADDED = ("cards", "games", "exclude", "ignore")


def settings_lines(settings: Settings, options: Mapping[str, Shown], lang: str) -> Iterator[str]:
    """The effective settings as TOML, each with its source; `options` are those of the command line."""
    from deckcheck.support.documents import as_toml, load_schema

    yield "# " + (_("no settings file").in_(lang) if settings.file is None else safe(settings.file))
    top, *decks = [
        {key: (value, f"{settings.file}:{line}") for key, (value, line, _lines) in table.items()}
        for table in settings.tables
    ]
    for key, schema in load_schema("config")["properties"].items():
        default = (schema.get("default"), _("default").in_(lang))
        value, place = _merge(key, top.get(key), options.get(key)) or default
        if value is not None:
            yield f"{key} = {as_toml(value)}  # {safe(place)}"
    for table in decks:
        yield from ("", "[[decks]]")
        yield from (f"{key} = {as_toml(value)}  # {safe(place)}" for key, (value, place) in table.items())


def _merge(key: str, below: Shown | None, above: Shown | None) -> Shown | None:
    if below is None or above is None or key not in _ADDED:
        return above or below
    # The command line adds to the file's values.
    lists = (value if isinstance(value, list | tuple) else [value] for value, _place in (below, above))
    return [item for items in lists for item in items], f"{below[1]}, {above[1]}"
