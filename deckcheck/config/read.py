"""A settings file, checked, as plain values that can be kept for the next run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

from deckcheck.config.patterns import Plain, translated
from deckcheck.config.rules import Key, unusable_rule
from deckcheck.config.toml import load_toml
from deckcheck.formats.find import Folders
from deckcheck.formats.folders import files_below
from deckcheck.formats.ruleids import rule_ids
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.messages import Words, _
from deckcheck.support.schema import MOST_PROBLEMS, require_shape
from deckcheck.support.yamlfile import Document, Keys

SECTION = ("tool", "deckcheck")
CARD_ENDINGS = (".yaml", ".yml", ".jsonl")
_RULES: tuple[Key, ...] = ("select", "ignore", "severity")
_FOR_DECKS = ("format", "as-of", "best-of", *_RULES)
_FOLDERS = ("formats", "banlists")


def read_settings(file: Path) -> tuple[dict[str, Any] | None, list[Path]]:
    """What the file says, and the files and folders on which that hangs; None for a pyproject.toml that says nothing.

    Paths in it count from its folder and come as paths from the working
    folder. Raises UserError with every mistake.
    """
    document = load_toml(file)
    if file.name == "pyproject.toml":
        section = _section(document)
        if section is None:
            return None, [file]
        document = section
    require_shape(document, "config")
    problems: list[Problem] = []
    plain = _Reading(document, file.parent, problems).settled()
    if problems:
        problems.sort(key=lambda one: (one.line or 0, one.column or 0))
        raise UserError(problems[:MOST_PROBLEMS])
    return plain, [file, *map(Path, plain.pop("seen"))]


def _section(document: Document) -> Document | None:
    """The part of a pyproject.toml that is ours, as if it stood alone."""
    data = document.data
    for key in SECTION:
        if not isinstance(data, dict) or key not in data:
            return None
        data = data[key]
    size = len(SECTION)
    marks = {keys[size:]: place for keys, place in document.marks.items() if keys[:size] == SECTION}
    return Document(document.path, data, marks, document.lines)


class _Reading:
    """One file on its way to plain values; what is wrong in it goes to `problems`."""

    def __init__(self, document: Document, root: Path, problems: list[Problem]) -> None:
        self.document = document
        self.root = root
        self.problems = problems
        self.seen: list[Path] = []

    def settled(self) -> dict[str, Any]:
        """All that the file says."""
        data = self.document.data
        folders = {key: [str(one) for one in self._folders(key)] for key in _FOLDERS}
        cards = [str(file) for file in self._cards()]
        settled = {
            "lang": data.get("lang"),
            "unknown": data.get("unknown"),
            "output-format": data.get("output-format"),
            "respect-gitignore": data.get("respect-gitignore", True),
            "force-exclude": data.get("force-exclude", False),
            "exclude": self._patterns(("exclude",), data.get("exclude", [])),
            **folders,
            "cards": cards,
            "top": self._for_decks(data, ()),
            "decks": [
                {"path": self._path(one["path"], at), **self._for_decks(one, ("decks", at))}
                for at, one in enumerate(data.get("decks", []))
            ],
            "written": [
                [keys, value, self.document.line(tuple(keys))] for keys, value in _values(self.document.data)
            ],
        }
        self._check_rules(Folders(*(tuple(map(Path, folders[key])) for key in _FOLDERS)), settled)
        return {**settled, "seen": [str(path) for path in self.seen]}

    def _wrong(self, keys: Keys, message: Words, **more: Any) -> None:
        self.problems.append(self.document.problem(keys, message, **more))

    def _folders(self, key: str) -> Iterator[Path]:
        for at, said in enumerate(self.document.data.get(key, [])):
            path = self.root / said
            if not _there(path.is_dir):
                message = _("there is no folder {said!r}", said=said)
                self._wrong((key, at), message)
            self.seen.append(path)
            yield path

    def _cards(self) -> Iterator[Path]:
        for at, said in enumerate(self.document.data.get("cards", [])):
            path = self.root / said
            if _there(path.is_dir):
                places, files = files_below(path, CARD_ENDINGS)
                self.seen += places
                yield from files
            elif _there(path.is_file):
                self.seen.append(path)
                yield path
            else:
                self._wrong(("cards", at), _("there is no file or folder {said!r}", said=said))

    def _path(self, said: str | list[str], at: int) -> list[Plain]:
        keys: Keys = ("decks", at, "path")
        if isinstance(said, list):
            return self._patterns(keys, said)
        return self._patterns(keys, [said], alone=True)

    def _patterns(self, keys: Keys, said: list[str], *, alone: bool = False) -> list[Plain]:
        found = []
        for at, pattern in enumerate(said):
            place = keys if alone else (*keys, at)
            try:
                made = translated(pattern)
            except ValueError:
                message = _("{pattern!r} is no pattern", pattern=pattern)
                self._wrong(place, message)
                continue
            if made is None or {".", ".."} & set(pattern.split("/")):
                self._wrong(
                    place,
                    _("no path is like {pattern!r}: they begin at the folder of this file", pattern=pattern),
                )
            else:
                found.append(made)
        return found

    def _for_decks(self, data: Mapping[str, Any], keys: Keys) -> dict[str, Any]:
        """What one table says of its decks; what a report may point at comes with its line."""
        said: dict[str, Any] = {key: data[key] for key in ("as-of", "best-of", "severity") if key in data}
        if "as-of" in data:
            self._day(data["as-of"], (*keys, "as-of"))
        if "format" in data:
            reference = data["format"]
            if reference.endswith((".yaml", ".yml")):
                reference = str(self.root / reference)
            said["format"] = [reference, self.document.line((*keys, "format"))]
        if "select" in data:
            said["select"] = [data["select"], self.document.line((*keys, "select"))]
        said["ignore"] = {
            rule: self.document.line((*keys, "ignore", at)) for at, rule in enumerate(data.get("ignore", ()))
        }
        return said

    def _day(self, said: str, keys: Keys) -> None:
        try:
            date.fromisoformat(said)
        except ValueError:
            self._wrong(keys, _("there is no day {said!r}", said=said))

    def _check_rules(self, folders: Folders, settled: Mapping[str, Any]) -> None:
        named = list(self._named_rules())
        if not named:
            return
        said = [one["format"][0] for one in (settled["top"], *settled["decks"]) if "format" in one]
        ids = rule_ids(folders, said)
        self.seen += ids.files
        for keys, key, rule in named:
            problem = unusable_rule(rule, key, ids.all)
            if problem is not None:
                self._wrong(keys, problem.message, hint=problem.hint)

    def _named_rules(self) -> Iterator[tuple[Keys, Key, str]]:
        tables: list[tuple[Keys, Mapping[str, Any]]] = [((), self.document.data)]
        tables += [(("decks", at), one) for at, one in enumerate(self.document.data.get("decks", []))]
        for keys, table in tables:
            for key in _RULES:
                for at, rule in enumerate(table.get(key, ())):
                    yield (*keys, key, rule if key == "severity" else at), key, rule


def _values(data: Mapping[str, Any]) -> Iterator[tuple[list[str | int], Any]]:
    for key, value in data.items():
        if key == "decks":
            for at, table in enumerate(value):
                yield from (([key, at, inner], one) for inner, one in table.items())
        else:
            yield [key], value


def _there(look: Any) -> bool:
    """Whether something is there; a name that no file can have is nowhere."""
    try:
        return bool(look())
    except (OSError, ValueError):
        return False
