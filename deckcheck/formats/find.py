"""Which file is meant by the name of a format or a banlist."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from deckcheck.support.cache import cached
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.files import is_file, shipped
from deckcheck.support.messages import _

if TYPE_CHECKING:
    from deckcheck.formats.named import Named


class Folders(NamedTuple):
    """A project's own folders of formats and of banlists, searched before what is bundled."""

    formats: tuple[Path, ...] = ()
    banlists: tuple[Path, ...] = ()


BUNDLED_ONLY = Folders()


class SeveralFormatsError(UserError):
    """A name that several formats go by; `ids` are theirs."""

    def __init__(self, reference: str, ids: tuple[str, ...]) -> None:
        listed = ", ".join(ids)
        message = _("{reference!r} may be any of {listed}", reference=reference, listed=listed)
        super().__init__([Problem(message)])
        self.ids = ids


def bundled_formats() -> "list[Named]":
    """Every bundled format, by id."""
    from deckcheck.formats.named import named_from

    folder = shipped("formats")
    entries = cached("bundled", folder, lambda: _index(folder))
    return [named_from(one, folder) for one in entries]


def known_formats(folders: Folders = BUNDLED_ONLY) -> "list[Named]":
    """Every format that can be asked for: those in `folders`, then those bundled ones whose id is still free.

    Raises UserError when two files in `folders` give one id.
    """
    if not folders.formats:
        return bundled_formats()
    from deckcheck.formats.folders import own_formats, require_single

    own = own_formats(folders.formats)
    for one in own:
        require_single(one, own)
    taken = {one.id for one in own}
    return own + [one for one in bundled_formats() if one.id not in taken]


def _index(folder: Path) -> tuple[list[Any], list[Path]]:
    from deckcheck.formats.named import entry_of
    from deckcheck.support.yamlfile import load_yaml

    files = sorted(file for file in folder.glob("*/*.yaml") if file.name != "game.yaml")
    read = [(load_yaml(file, shown_path(file)).data, file) for file in files]
    entries = [entry_of(data, data["format"], file, folder) for data, file in read]
    return entries, [folder, *sorted(folder.glob("*")), *files]


def format_file(reference: str, beside: Path | None = None, folders: Folders = BUNDLED_ONLY) -> Path:
    """The file of a format named by id, alias, bare name or path.

    A path is looked for beside the file that names it, when there is one; a
    file that names its own id means the bundled format of that id. Raises
    UserError, with suggestions, when nothing has that name, and SeveralFormatsError
    when several have it.
    """
    if reference.endswith((".yaml", ".yml")):
        return (beside.parent / reference) if beside is not None else Path(reference)
    own: list[Named] = []
    if folders.formats:
        from deckcheck.formats.folders import own_formats, require_single

        here = None if beside is None else beside.absolute()
        own = [one for one in own_formats(folders.formats) if one.file.absolute() != here]
        for one in own:
            if one.id == reference:
                require_single(one, own)
                return one.file
    folder = shipped("formats")
    direct = folder / f"{reference}.yaml"
    if _inside(direct, folder) and is_file(direct):
        return direct
    known = bundled_formats()
    hits = _named(reference, own) or _named(reference, known)
    if len(hits) == 1:
        return hits[0].file
    if hits:
        raise SeveralFormatsError(reference, tuple(one.id for one in hits))
    error = unknown_format(reference, [name for one in own + known for name in (one.id, *one.aliases)])
    if not folders.formats:
        raise error
    from deckcheck.formats.folders import likely_formats, unread_formats

    # Whoever loads that is told what is wrong with it.
    for one in likely_formats(folders.formats):
        if one.id == reference:
            return one.file
    # It may be in one of those.
    raise UserError([*error.problems, *unread_formats(folders.formats)])


def unknown_format(reference: str, known: list[str]) -> UserError:
    """What to say of a format that nobody knows."""
    from deckcheck.support.errors import did_you_mean

    message = _("there is no format {reference!r}", reference=reference)
    listed = _("deckcheck formats lists them")
    return UserError([Problem(message, hint=did_you_mean(reference, known) or listed)])


def _named(reference: str, known: "list[Named]") -> "list[Named]":
    wanted = reference.casefold()
    return [one for one in known if wanted in _names(one)]


def _names(one: "Named") -> set[str]:
    bare = one.id.rpartition("/")[2]
    return {name.casefold() for name in (one.id, bare, one.ja, one.en, *one.aliases) if name}


def banlist_file(reference: str, beside: Path, folders: Folders = BUNDLED_ONLY) -> Path:
    """The file of a banlist named by id, or by a path beside the format that names it; it need not be there.

    Raises UserError when two files in `folders` give that id.
    """
    if reference.endswith((".yaml", ".yml")):
        return beside.parent / reference
    if folders.banlists:
        from deckcheck.formats.folders import own_banlists, require_single

        own = own_banlists(folders.banlists)
        for one in own:
            if one.id == reference:
                require_single(one, own)
                return one.file
    folder = shipped("banlists")
    file = folder / f"{reference}.yaml"
    return file if _inside(file, folder) else folder / "-"


def bundled_banlists() -> list[str]:
    """The ids of the bundled banlists."""
    folder = shipped("banlists")
    return sorted(f"{file.parent.name}/{file.stem}" for file in folder.glob("*/*.yaml"))


def known_banlists(folders: Folders = BUNDLED_ONLY) -> list[str]:
    """The ids of all banlists that a format can name."""
    if not folders.banlists:
        return bundled_banlists()
    from deckcheck.formats.folders import own_banlists

    return sorted({*bundled_banlists(), *(one.id for one in own_banlists(folders.banlists))})


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


def source_file(shown: str) -> Path:
    """The file of a format that messages name so; as `shown_path`, the other way round."""
    folder = shipped("formats")
    bundled = folder / shown.removeprefix("formats/")
    return bundled if shown == shown_path(bundled) else Path(shown)
