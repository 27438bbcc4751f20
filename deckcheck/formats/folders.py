"""The formats and banlists in a project's own folders."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from deckcheck.formats.named import Named, entry_of, named_from
from deckcheck.support.cache import cached
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.files import walk
from deckcheck.support.messages import _

Sort = Literal["format", "banlist"]

MOST_FILES = 5_000
MOST_DEEP = 20
"""More than that is no folder of formats but somebody's whole disk."""

# A list may name its format, and itself, too; these are what only a format has.
_OF_FORMATS = frozenset(["rules", "extends", "abstract", "zones", "banlists", "drop"])
_ENDINGS = (".yaml", ".yml")
CASES = ".cases"
"""The end of the name of a folder with cases: decks that are there to be wrong."""


def own_formats(folders: Sequence[Path]) -> list[Named]:
    """Every format in the folders, in the order of folders and paths; one that is broken has what could be told.

    Raises UserError for a folder that holds more than can be searched.
    """
    return _named("format", folders)


def likely_formats(folders: Sequence[Path]) -> list[Named]:
    """What may be formats of which much is wrong, or lists."""
    return [named_from(one, folder) for folder in folders for one in _kept("format", folder)["maybe"]]


def own_banlists(folders: Sequence[Path]) -> list[Named]:
    """Every banlist in the folders; as `own_formats`."""
    return _named("banlist", folders)


def any_broken(folders: Sequence[Path]) -> bool:
    """Whether some file in the folders of formats can't be read, so that nobody knows all of its rules."""
    return any(_kept("format", folder)["broken"] for folder in folders)


def unread_formats(folders: Sequence[Path]) -> list[Problem]:
    """What is wrong with those files in the folders of formats of which not even the id can be told."""
    from deckcheck.support.yamlfile import load_yaml

    problems: list[Problem] = []
    for folder in folders:
        for file in _kept("format", folder)["unread"]:
            try:
                load_yaml(folder / file)
            except UserError as error:
                problems += error.problems
    return problems


def require_single(one: Named, own: list[Named]) -> None:
    """Raise UserError when another file gives the same id."""
    same = list(dict.fromkeys(str(other.file) for other in own if other.id == one.id))
    if len(same) > 1:
        listed = ", ".join(same)
        message = _("{id!r} stands in {n} files: {listed}", id=one.id, n=len(same), listed=listed)
        raise UserError([Problem(message)])


def looked_through(formats: Sequence[Path], banlists: Sequence[Path]) -> list[Path]:
    """The files and folders on which hangs what ids and names mean in these folders."""
    kept_ones = [(folder, _kept("format", folder)) for folder in formats]
    kept_ones += [(folder, _kept("banlist", folder)) for folder in banlists]
    return list(dict.fromkeys(folder / path for folder, found in kept_ones for path in found["seen"]))


def _named(sort: Sort, folders: Sequence[Path]) -> list[Named]:
    found = [named_from(one, folder) for folder in folders for one in _kept(sort, folder)["named"]]
    # One folder may lie in another.
    seen: dict[Path, Named] = {}
    for one in found:
        seen.setdefault(one.file.absolute(), one)
    return list(seen.values())


def _kept(sort: Sort, folder: Path) -> Any:
    return cached(f"own-{sort}s", folder, lambda: _look_through(sort, folder))


def _look_through(sort: Sort, folder: Path) -> tuple[dict[str, Any], list[Path]]:
    found: dict[str, list[Any]] = {"named": [], "maybe": [], "unread": [], "broken": []}
    places, files = files_below(folder, _ENDINGS)
    for file in files:
        way = file.relative_to(folder).as_posix()
        data, told = _told_by(sort, file)
        if data is None:
            found["broken"].append(way)
        if told is not None:
            sure = data is None or sort == "banlist" or bool(_OF_FORMATS & data.keys())
            found["named" if sure else "maybe"].append(entry_of(data or {}, told, file, folder))
        elif data is None:
            found["unread"].append(way)
    seen = places + files
    return {**found, "seen": [path.relative_to(folder).as_posix() for path in seen]}, seen


def files_below(folder: Path, endings: tuple[str, ...]) -> tuple[list[Path], list[Path]]:
    """The folder with all below it, and the files with one of the endings in them, each in order.

    Hidden ones and the folders of cases don't count, and links to folders are
    not followed. Raises UserError for more than can be searched.
    """
    places, files = [folder], []
    for item in walk(str(folder), lambda inner: not inner.name.endswith(CASES)):
        if item.kind == "folder" and not item.name.endswith(CASES):
            places.append(Path(item.path))
        elif item.kind == "file" and item.name.lower().endswith(endings):
            files.append(Path(item.path))
        if item.depth > MOST_DEEP or len(files) + len(places) > MOST_FILES:
            raise UserError([Problem(_("too many files, or nested too deeply"), str(folder))])
    return sorted(places), sorted(files)


def _told_by(sort: Sort, file: Path) -> tuple[Any, str | None]:
    """The plain values of a file (None: it can't be read) and the id that it gives (None: it is something else)."""
    from deckcheck.support.files import read_bytes
    from deckcheck.support.yamlfile import load_yaml

    try:
        data = load_yaml(file).data
    except UserError:
        # Whoever asks for it is told what is wrong with it.
        try:
            text = read_bytes(file).decode("utf-8-sig", "replace")
        except UserError:
            return None, None
        said = re.search(rf"(?m)^{sort}[ \t]*:[ \t]*[\"']?([a-z0-9][a-z0-9/-]*)", text)
        return None, said[1] if said is not None else None
    if not isinstance(data, dict):
        return {}, None
    told = data.get(sort)
    fits = sort == "banlist" or bool((_OF_FORMATS | {"name"}) & data.keys())
    return data, told if isinstance(told, str) and fits else None
