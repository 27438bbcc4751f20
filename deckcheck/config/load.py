"""From a settings file to the record of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from deckcheck.config.patterns import make_below, make_includes, make_says
from deckcheck.config.settings import DeckSettings, Excluded, Settings, SettingsFor
from deckcheck.config.written import Setting
from deckcheck.formats.find import Folders
from deckcheck.formats.folders import CASES
from deckcheck.model.rule import Source
from deckcheck.report.suppressions import Grading
from deckcheck.support.cache import cached

_UNNAMED = "-"


def load_settings(file: Path) -> Settings | None:
    """The settings in a file; None for a pyproject.toml without any. Raises UserError with every mistake."""

    def read() -> tuple[Any, list[Path]]:
        from deckcheck.config.read import read_settings

        return read_settings(file)

    data = cached("settings", file, read)
    if data is None:
        return None
    shown, root = str(file), file.parent
    folders = Folders(*(tuple(map(Path, data[key])) for key in ("formats", "banlists")))
    tables = [data["top"], *data["decks"]]
    return Settings(
        file=shown,
        root=root,
        folders=folders,
        cards=tuple(map(Path, data["cards"])),
        lang=data["lang"],
        unknown=data["unknown"],
        output_format=data["output-format"],
        respect_gitignore=data["respect-gitignore"],
        force_exclude=data["force-exclude"],
        excluded=_excluded(data["exclude"], root, folders),
        for_deck=_for_deck(data["top"], data["decks"], shown, root),
        formats=tuple(one["format"][0] for one in tables if "format" in one),
        written=tuple(
            Setting(tuple(keys), value, f"{shown}:{line}") for keys, value, line in data["written"]
        ),
    )


def _excluded(patterns: Sequence[Any], root: Path, folders: Folders) -> Excluded | None:
    if not patterns and not folders.formats:
        return None
    below, says = make_below(str(root)), make_says(patterns)
    formats = [make_below(str(folder)) for folder in folders.formats]

    def excluded(path: str, folder: bool) -> bool | None:
        # Cases show what a format forbids: they are nobody's decks.
        if folder and path.endswith(CASES) and any(way(path) for way in formats):
            return True
        way = below(path)
        return says(way, folder) if way else None

    return excluded


def _for_deck(
    top: Mapping[str, Any], decks: Sequence[Mapping[str, Any]], shown: str, root: Path
) -> SettingsFor:
    below = make_below(str(root))
    tables = [(make_includes(one["path"]), one) for one in decks]
    known: dict[tuple[int, ...], DeckSettings] = {}

    def for_deck(path: str) -> DeckSettings:
        way = below(path) if tables and path != _UNNAMED else None
        hits = tuple(at for at, (includes, _) in enumerate(tables) if way and includes(way))
        found = known.get(hits)
        if found is None:
            found = known[hits] = _together([top, *(tables[at][1] for at in hits)], shown)
        return found

    return for_deck


def _together(tables: Sequence[Mapping[str, Any]], shown: str) -> DeckSettings:
    """What several tables say together: the last one that says a thing counts, and what is ignored adds up."""
    said: dict[str, Any] = {}
    ignore: dict[str, Source] = {}
    severity: dict[str, Any] = {}
    for table in tables:
        said |= table
        ignore |= {rule: Source(shown, line) for rule, line in table["ignore"].items()}
        severity |= table.get("severity", {})
    reference, line = said.get("format", (None, 0))
    selected, selected_line = said.get("select", (None, 0))
    grading = None
    if selected or ignore or severity:
        select = frozenset(selected) if selected else None
        grading = Grading(select, Source(shown, selected_line), ignore, severity)
    return DeckSettings(
        reference,
        None if reference is None else Source(shown, line),
        said.get("as-of"),
        said.get("best-of"),
        grading,
    )
