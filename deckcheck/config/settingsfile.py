"""The settings file of a project: where it is found, and what it says, checked and cached as plain values."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deckcheck.config.settings import (
    NO_SETTINGS,
    DeckSettings,
    Excluded,
    Setting,
    Settings,
    SettingsFor,
    folders_above,
    rule_problem,
)
from deckcheck.formats.lookup import CASES, Folders
from deckcheck.model.format import Source
from deckcheck.support.cache import cached
from deckcheck.support.dates import is_day, no_such_day
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.files import working_folder
from deckcheck.support.messages import Words, _

if TYPE_CHECKING:
    from deckcheck.config.patterns import Plain
    from deckcheck.support.yamlfile import Document, Keys

NAME = "deckcheck.toml"
SHARED_NAME = "pyproject.toml"
_MOST_LOOKED_AT = 1024 * 1024
SECTION = ("tool", "deckcheck")
CARD_ENDINGS = (".yaml", ".yml", ".jsonl")
_RULES = ("select", "ignore", "severity")
_FOLDERS = ("formats", "banlists")
_UNNAMED = "-"


# Where they are


def settings_of(file: str) -> Settings:
    """The settings in that file. Raises UserError with every mistake, and for a file that says nothing of deckcheck."""
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
    from deckcheck.config.patterns import Patterns, make_below

    below, rules = make_below(str(root)), Patterns(patterns)
    formats = [make_below(str(folder)) for folder in folders.formats]

    def excluded(path: str, is_folder: bool) -> bool | None:
        # Cases show what a format forbids; they are not the user's decks.
        if is_folder and path.endswith(CASES) and any(way(path) for way in formats):
            return True
        way = below(path)
        return rules.verdict(way, is_folder) if way else None

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
        section = document.section(SECTION)
        if section is None:
            return None, [file]
        document = section
    require_shape(document, "config")
    reader = _Reader(document, file.parent)
    values = reader.values()
    if reader.problems:
        reader.problems.sort(key=lambda problem: (problem.line or 0, problem.column or 0))
        raise UserError(reader.problems[:MOST_PROBLEMS])
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
            **{key: list(map(str, self._project_folders(key))) for key in _FOLDERS},
            "cards": list(map(str, self._cards())),
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

    def _project_folders(self, key: str) -> Iterator[Path]:
        for at, name in enumerate(self.document.data.get(key, [])):
            path = self.root / name
            if _kind_of(path) != "folder":
                self._wrong((key, at), _("there is no folder {name!r}", name=name))
            self.sources.append(path)
            yield path

    def _cards(self) -> Iterator[Path]:
        from deckcheck.formats.lookup import files_below

        for at, name in enumerate(self.document.data.get("cards", [])):
            path = self.root / name
            match _kind_of(path):
                case "folder":
                    folders, files = files_below(path, CARD_ENDINGS)
                    self.sources += folders
                    yield from files
                case "file":
                    self.sources.append(path)
                    yield path
                case _:
                    self._wrong(("cards", at), _("there is no file or folder {name!r}", name=name))

    def _patterns(self, keys: Keys, patterns: str | list[str]) -> list[Plain]:
        from deckcheck.config.patterns import translated

        listed: list[tuple[Keys, str]] = [(keys, patterns)] if isinstance(patterns, str) else []
        listed = listed or [((*keys, at), pattern) for at, pattern in enumerate(patterns)]
        found = []
        for place, pattern in listed:
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
            for key in _RULES
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
