"""Which file is meant by the name of a format or a banlist."""

from pathlib import Path
from typing import Any, NamedTuple

from deckcheck.cache import kept
from deckcheck.errors import Problem, UserError
from deckcheck.files import is_file, shipped
from deckcheck.text import Text


class Named(NamedTuple):
    """A bundled format: its id, its names and whether it is only to be extended."""

    id: str
    ja: str
    en: str
    aliases: tuple[str, ...]
    abstract: bool


class Folders(NamedTuple):
    """A project's own folders of formats and of banlists, searched before what is bundled."""

    formats: tuple[Path, ...] = ()
    banlists: tuple[Path, ...] = ()


BUNDLED_ONLY = Folders()


def bundled_formats() -> list[Named]:
    """Every bundled format, by id."""
    folder = shipped("formats")
    entries = kept("formats", folder, lambda: _index(folder))
    return [Named(name, ja, en, tuple(aliases), abstract) for name, ja, en, aliases, abstract in entries]


def _index(folder: Path) -> tuple[list[Any], list[Path]]:
    from deckcheck.text import both
    from deckcheck.yamlfile import load_yaml

    files = sorted(file for file in folder.glob("*/*.yaml") if file.name != "game.yaml")
    entries = []
    for file in files:
        data = load_yaml(file, shown_path(file)).data
        name = both(data["name"])
        entries.append(
            (data["format"], name.ja, name.en, data.get("aliases", []), bool(data.get("abstract")))
        )
    return entries, [folder, *sorted(folder.glob("*")), *files]


def format_file(reference: str, beside: Path | None = None, folders: Folders = BUNDLED_ONLY) -> Path:
    """The file of a format named by id, alias, bare name or path.

    A path is looked for beside the file that names it, when there is one.
    Raises UserError, with suggestions, when nothing has that name.
    """
    if reference.endswith((".yaml", ".yml")):
        return (beside.parent / reference) if beside is not None else Path(reference)
    folder = shipped("formats")
    direct = folder / f"{reference}.yaml"
    if _inside(direct, folder) and is_file(direct):
        return direct
    known = bundled_formats()
    wanted = reference.casefold()
    hits = [one.id for one in known if wanted in _names(one)]
    if len(hits) == 1:
        return folder / f"{hits[0]}.yaml"
    if hits:
        listed = ", ".join(hits)
        message = Text(f"「{reference}」は {listed} のどれですか", f"{reference!r} may be any of {listed}")
        raise UserError([Problem(message)])
    raise unknown_format(reference, [name for one in known for name in (one.id, *one.aliases)])


def unknown_format(reference: str, known: list[str]) -> UserError:
    """What to say of a format that nobody knows."""
    from deckcheck.schema import did_you_mean

    message = Text(f"「{reference}」というフォーマットはありません", f"there is no format {reference!r}")
    listed = Text("一覧は deckcheck formats", "deckcheck formats lists them")
    return UserError([Problem(message, hint=did_you_mean(reference, known) or listed)])


def _names(one: Named) -> set[str]:
    bare = one.id.rpartition("/")[2]
    return {name.casefold() for name in (one.id, bare, one.ja, one.en, *one.aliases)}


def banlist_file(reference: str, beside: Path) -> Path:
    """The file of a banlist named by id, or by a path beside the format that names it."""
    if reference.endswith((".yaml", ".yml")):
        return beside.parent / reference
    folder = shipped("banlists")
    file = folder / f"{reference}.yaml"
    return file if _inside(file, folder) else folder / "-"


def bundled_banlists() -> list[str]:
    """The ids of the bundled banlists."""
    folder = shipped("banlists")
    return sorted(f"{file.parent.name}/{file.stem}" for file in folder.glob("*/*.yaml"))


def _inside(file: Path, folder: Path) -> bool:
    try:
        return file.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError):
        return False


def shown_path(file: Path) -> str:
    """How messages name a file: bundled ones from "formats" or "banlists" on, others as they were given."""
    for name in ("formats", "banlists", "examples"):
        folder = shipped(name)
        if file.is_relative_to(folder):
            return f"{name}/{file.relative_to(folder).as_posix()}"
    return str(file)
