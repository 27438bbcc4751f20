"""The settings of a project: the file, what it says of each deck, what the command line adds, and how they are shown."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from deckcheck.formats.lookup import BUNDLED_ONLY, CASES, Folders
from deckcheck.model.finding import UNCLEAR
from deckcheck.model.format import Source
from deckcheck.support.cache import cached
from deckcheck.support.dates import is_day, no_such_day
from deckcheck.support.errors import Problem, UserError, did_you_mean, in_order, user_error
from deckcheck.support.files import working_folder
from deckcheck.support.messages import Words, _
from deckcheck.support.safetext import safe

if TYPE_CHECKING:
    from deckcheck.config.patterns import Plain
    from deckcheck.report.suppressions import Grading
    from deckcheck.support.yamlfile import Document, Keys

NAME = "deckcheck.toml"
SHARED_NAME = "pyproject.toml"
_SECTION = ("tool", "deckcheck")
_MOST_LOOKED_AT = 1024 * 1024
_CARD_ENDINGS = (".yaml", ".yml", ".jsonl")
_FOLDERS = ("formats", "banlists")
_UNNAMED = "-"


class DeckSettings(NamedTuple):
    """What the settings say of one deck.

    `format` is a reference as on the command line, a file's path counts from the working folder; `format_source` is
    the line that gives it. `as_of` is an ISO date, `best_of` the games of a match. `grading` says which rules are
    reported, and how severe they are.
    """

    format: str | None = None
    format_source: Source | None = None
    as_of: str | None = None
    best_of: int | None = None
    grading: Grading | None = None


SettingsFor = Callable[[str], DeckSettings]
"""From the path of a deck, as named or found, to what the settings say of it."""

Excluded = Callable[[str, bool], bool | None]
"""Whether a path (as named or found; and whether it is a folder) is to be passed over; None: they don't say."""


class Setting(NamedTuple):
    """A value of the settings for people to look at: the way to its key, and the line, variable or option that gives it."""

    keys: tuple[str | int, ...]
    value: object
    place: str


class Settings(NamedTuple):
    """One project's settings.

    `file` is how messages name the file, None where there is none. `folders` hold formats and banlists of the
    project, `cards` are files with cards for all decks, `formats` the references to formats that the file names,
    and `entries` is what it says, to be shown. The others are as in schemas/config.schema.json.
    """

    file: str | None = None
    folders: Folders = BUNDLED_ONLY
    cards: tuple[Path, ...] = ()
    lang: str | None = None
    unknown: str | None = None
    output_format: str | None = None
    respect_gitignore: bool = True
    force_exclude: bool = False
    excluded: Excluded | None = None
    for_deck: SettingsFor | None = None
    formats: tuple[str, ...] = ()
    entries: tuple[Setting, ...] = ()


NO_SETTINGS = Settings()
_NO_DECK_SETTINGS = DeckSettings()


def folders_above(folder: str) -> Iterator[str]:
    """The folder itself, then each one that holds it."""
    above = ""
    while folder != above:
        yield folder
        above, folder = folder, os.path.dirname(folder)


# Where they are


def settings_of(file: str) -> Settings:
    """The settings in that file. Raises UserError with every mistake, and for a file without any settings."""
    found = load_settings(Path(file))
    if found is None:
        raise user_error(_("there is no [tool.deckcheck]"), path=file)
    return found


def settings_for(paths: Sequence[str]) -> Settings:
    """The settings of the nearest file above all of `paths`, or of the working folder where there are none.

    Raises UserError with every mistake in the file.
    """
    found = (load_settings(Path(file)) for file in _candidates(paths))
    return next(filter(None, found), NO_SETTINGS)


def nearest_file(paths: Sequence[str]) -> str | None:
    """The file whose settings hold for `paths`, as far as that shows without reading it."""
    return next(_candidates(paths), None)


def _candidates(paths: Sequence[str]) -> Iterator[str]:
    """The files that may hold settings, the nearest first: a folder's deckcheck.toml comes before its pyproject.toml.

    A pyproject.toml counts only with a table [tool.deckcheck]; most have none and need not be parsed.
    """
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
    folders = []
    for path in paths:
        try:
            # Links stay as they were named.
            whole = os.path.abspath(path)
            folders.append(whole if os.path.isdir(whole) else os.path.dirname(whole))
        except ValueError:
            # A name that no file can have is reported later.
            continue
    try:
        return os.path.commonpath(folders) if folders else here
    except ValueError:
        # On several drives.
        return folders[0]


def _shown(path: str, here: str) -> str:
    """The path as people at work here would write it: from the working folder, if it lies in it or above it."""
    try:
        if os.path.commonpath([here, path]) in (here, os.path.dirname(path)):
            return os.path.relpath(path, here)
    except ValueError:
        pass
    return path


# What it says


def load_settings(file: Path) -> Settings | None:
    """The settings in a file; None for a pyproject.toml without any. Raises UserError with every mistake."""
    data = cached("settings", file, lambda: _read(file))
    if data is None:
        return None
    shown, folders = str(file), _folders(data)
    return Settings(
        file=shown,
        folders=folders,
        cards=tuple(map(Path, data["cards"])),
        **data["plain"],
        excluded=_excluded(data["exclude"], file.parent, folders),
        for_deck=_for_deck(data["tables"], shown, file.parent),
        formats=_references(data),
        entries=tuple(
            Setting(tuple(keys), value, f"{shown}:{line}") for keys, value, line in data["entries"]
        ),
    )


def _folders(data: Mapping[str, Any]) -> Folders:
    return Folders(*(tuple(map(Path, data[key])) for key in _FOLDERS))


def _references(data: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(table["format"][0] for table in data["tables"] if "format" in table)


def _excluded(patterns: Sequence[Plain], root: Path, folders: Folders) -> Excluded | None:
    if not patterns and not folders.formats:
        return None
    from deckcheck.config.patterns import make_below, make_verdict

    by_patterns = make_verdict(str(root), patterns)
    formats = [make_below(str(folder)) for folder in folders.formats]

    def excluded(path: str, is_folder: bool) -> bool | None:
        # Cases show what a format forbids; they are not the user's decks.
        if is_folder and path.endswith(CASES) and any(way(path) for way in formats):
            return True
        return by_patterns(path, is_folder)

    return excluded


def _for_deck(tables: Sequence[Mapping[str, Any]], shown: str, root: Path) -> SettingsFor:
    """What the first table says of every deck, and the others of those that their patterns mean."""
    from deckcheck.config.patterns import Patterns, make_below

    below = make_below(str(root))
    patterns = [Patterns(table["path"]) for table in tables[1:]]
    known: dict[tuple[int, ...], DeckSettings] = {}

    def for_deck(path: str) -> DeckSettings:
        way = below(path) if patterns and path != _UNNAMED else None
        hits = tuple(at for at, rules in enumerate(patterns, start=1) if way and rules.include(way))
        if hits not in known:
            known[hits] = _combined([tables[at] for at in (0, *hits)], shown)
        return known[hits]

    return for_deck


def _combined(tables: Sequence[Mapping[str, Any]], shown: str) -> DeckSettings:
    """What several tables say together: the last one that says a thing counts, and what is ignored adds up."""
    values: dict[str, Any] = {}
    ignore: dict[str, Source] = {}
    severity: dict[str, Any] = {}
    for table in tables:
        values |= table
        ignore |= {rule: Source(shown, line) for rule, line in table["ignore"].items()}
        severity |= table.get("severity", {})
    reference, line = values.get("format", (None, 0))
    selected, selected_line = values.get("select", (None, 0))
    grading = None
    if selected or ignore or severity:
        from deckcheck.report.suppressions import Grading

        select = frozenset(selected) if selected else None
        grading = Grading(select, Source(shown, selected_line), ignore, severity)
    source = None if reference is None else Source(shown, line)
    return DeckSettings(reference, source, values.get("as-of"), values.get("best-of"), grading)


# What is cached


def _read(file: Path) -> tuple[dict[str, Any] | None, list[Path]]:
    """What the file says, and the files and folders that it depends on; None for a pyproject.toml that says nothing.

    Paths in it count from its folder and come as paths from the working folder. Raises UserError with every mistake.
    """
    from deckcheck.config.toml import load_toml
    from deckcheck.support.yamlfile import MOST_PROBLEMS, require_shape

    document = load_toml(file)
    if file.name == SHARED_NAME:
        section = document.section(_SECTION)
        if section is None:
            return None, [file]
        document = section
    require_shape(document, "config")
    reader = _Reader(document, file.parent)
    values = reader.values()
    if reader.problems:
        raise UserError(in_order(reader.problems)[:MOST_PROBLEMS])
    return values, [file, *reader.sources]


class _Reader:
    """Makes plain values of a file of the right shape.

    What is wrong in it goes to `problems`, the files and folders that the values depend on to `sources`.
    """

    def __init__(self, document: Document, root: Path) -> None:
        self.document = document
        self.root = root
        self.problems: list[Problem] = []
        self.sources: list[Path] = []
        decks = enumerate(document.data.get("decks", []))
        self._tables: list[tuple[Keys, Mapping[str, Any]]] = [((), document.data)]
        self._tables += [(("decks", at), table) for at, table in decks]

    def values(self) -> dict[str, Any]:
        """All that the file says."""
        data = self.document.data
        keys = ("lang", "unknown", "output-format", "respect-gitignore", "force-exclude")
        values = {
            "plain": {key.replace("-", "_"): data[key] for key in keys if key in data},
            "exclude": self._patterns(("exclude",), data.get("exclude", [])),
            **{key: list(map(str, self._paths(key))) for key in (*_FOLDERS, "cards")},
            "tables": [self._table(keys, table) for keys, table in self._tables],
            "entries": [
                ((*keys, key), value, self.document.line((*keys, key)))
                for keys, table in self._tables
                for key, value in table.items()
                if key != "decks"
            ],
        }
        self._check_rules(values)
        return values

    def _wrong(self, keys: Keys, message: Words, hint: Words | None = None) -> None:
        self.problems.append(self.document.problem(keys, message, hint))

    def _paths(self, key: str) -> Iterator[Path]:
        """The folders, or for "cards" the files, that the file names."""
        from deckcheck.formats.lookup import files_below

        for at, name in enumerate(self.document.data.get(key, [])):
            path = self.root / name
            kind = _kind_of(path)
            if key == "cards" and kind is None:
                self._wrong((key, at), _("there is no file or folder {name!r}", name=name))
            elif key != "cards" and kind != "folder":
                self._wrong((key, at), _("there is no folder {name!r}", name=name))
            elif key == "cards" and kind == "folder":
                folders, files = files_below(path, _CARD_ENDINGS)
                self.sources += folders
                yield from files
            else:
                self.sources.append(path)
                yield path

    def _patterns(self, keys: Keys, patterns: str | list[str]) -> list[Plain]:
        from deckcheck.config.patterns import translated

        found = []
        for at, pattern in enumerate([patterns] if isinstance(patterns, str) else patterns):
            place = keys if isinstance(patterns, str) else (*keys, at)
            try:
                plain = translated(pattern)
            except ValueError:
                self._wrong(place, _("{pattern!r} is not a valid pattern", pattern=pattern))
                continue
            if plain is not None and not {".", ".."} & set(pattern.split("/")):
                found.append(plain)
                continue
            message = _(
                "{pattern!r} matches nothing: paths are relative to the folder of this file", pattern=pattern
            )
            self._wrong(place, message)
        return found

    def _table(self, keys: Keys, data: Mapping[str, Any]) -> dict[str, Any]:
        """What one table says of its decks; what a report may point at comes with its line."""
        line = self.document.line
        values: dict[str, Any] = {key: data[key] for key in ("as-of", "best-of", "severity") if key in data}
        if keys:
            values["path"] = self._patterns((*keys, "path"), data["path"])
        if "as-of" in data and not is_day(data["as-of"]):
            self._wrong((*keys, "as-of"), no_such_day(data["as-of"]))
        if "format" in data:
            is_file = data["format"].endswith((".yaml", ".yml"))
            reference = str(self.root / data["format"]) if is_file else data["format"]
            values["format"] = [reference, line((*keys, "format"))]
        if "select" in data:
            values["select"] = [data["select"], line((*keys, "select"))]
        ignored = enumerate(data.get("ignore", ()))
        values["ignore"] = {rule: line((*keys, "ignore", at)) for at, rule in ignored}
        return values

    def _check_rules(self, values: Mapping[str, Any]) -> None:
        named = [
            ((*keys, key, rule if key == "severity" else at), key, rule)
            for keys, table in self._tables
            for key in ("select", "ignore", "severity")
            for at, rule in enumerate(table.get(key, ()))
        ]
        if not named:
            return
        from deckcheck.formats.inheritance import rule_ids

        ids = rule_ids(_folders(values), _references(values))
        self.sources += ids.files
        for place, key, rule in named:
            problem = rule_problem(rule, key, ids.all)
            if problem is not None:
                self._wrong(place, problem.message, problem.hint)


def _kind_of(path: Path) -> str | None:
    """Whether a path is a "file" or a "folder"; None for what isn't there, and for a name that no file can have."""
    try:
        return "folder" if path.is_dir() else "file" if path.is_file() else None
    except (OSError, ValueError):
        return None


# What the command line adds


def with_rules(
    settings: Settings, select: Sequence[str], ignore: Sequence[str], format: str | None
) -> Settings:
    """The settings with rules selected (instead of those of the file) and ignored (besides those), for all decks.

    `format` is that of the command line, whose rules may be named. Raises UserError
    for a rule that there is not, or that can't be ignored.
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
        if (problem := rule_problem(rule, key, known)) is not None
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


def rule_problem(rule: str, key: str, known: frozenset[str] | None) -> Problem | None:
    """Why "select", "ignore" or "severity" can't have a rule's id; None where it can, or where no rule is `known`."""
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


def with_exclude(settings: Settings, patterns: Sequence[str], force: bool) -> Settings:
    """The settings with more patterns of what to pass over, from the working folder on; `force` as --force-exclude.

    Raises UserError for a pattern that can't be understood.
    """
    if force:
        settings = settings._replace(force_exclude=True)
    if not patterns:
        return settings
    from deckcheck.config.patterns import make_verdict, translated

    plain = []
    for pattern in patterns:
        try:
            plain.append(translated(pattern))
        except ValueError as error:
            raise user_error(_("--exclude: {pattern!r} is not a valid pattern", pattern=pattern)) from error
    added, of_file = make_verdict(".", list(filter(None, plain))), settings.excluded

    def excluded(path: str, is_folder: bool) -> bool | None:
        verdict = added(path, is_folder)
        return of_file(path, is_folder) if verdict is None and of_file is not None else verdict

    return settings._replace(excluded=excluded)


# Shown as a settings file would say them

_ADDED = ("cards", "exclude", "ignore")


def settings_lines(settings: Settings, options: Sequence[Setting], lang: str) -> Iterator[str]:
    """The settings in force, each with the file, variable or option that gives it.

    `options` are those of the command line and the environment.
    """
    from deckcheck.config.toml import as_toml
    from deckcheck.support.yamlfile import load_schema

    yield "# " + (_("no settings file").in_(lang) if settings.file is None else safe(settings.file))
    top = {setting.keys[0]: setting for setting in settings.entries if len(setting.keys) == 1}
    given = {setting.keys[0]: setting for setting in options}
    for key, schema in load_schema("config")["properties"].items():
        setting = _together(top.get(key), given.get(key))
        if setting is not None:
            yield f"{key} = {as_toml(setting.value)}  # {safe(setting.place)}"
        elif "default" in schema:
            yield f"{key} = {as_toml(schema['default'])}  # " + _("default").in_(lang)
    table = None
    for setting in settings.entries:
        if setting.keys[0] == "decks":
            if setting.keys[1] != table:
                yield from ("", "[[decks]]")
            table = setting.keys[1]
            yield f"{setting.keys[2]} = {as_toml(setting.value)}  # {safe(setting.place)}"


def _together(below: Setting | None, above: Setting | None) -> Setting | None:
    if below is None or above is None or above.keys[0] not in _ADDED:
        return above or below
    # What the command line adds does not take the place of what the file says.
    items = [
        item
        for setting in (below, above)
        for item in (setting.value if isinstance(setting.value, list | tuple) else [setting.value])
    ]
    return above._replace(value=items, place=f"{below.place}, {above.place}")
