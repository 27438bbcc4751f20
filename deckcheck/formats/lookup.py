"""Finds the file for the name of a format or banlist: a project's own, else an imported or bundled one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from unicodedata import normalize

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.support.cache import cached
from deckcheck.support.errors import Problem, UserError, suggest, user_error
from deckcheck.support.files import is_file, is_installed, read_bytes, real_path, shipped, user_folder, walk
from deckcheck.support.messages import OR, Localized, Words, _, localized, series

if TYPE_CHECKING:
    from deckcheck.support.documents import Document

MOST_FILES = 5_000
MOST_DEEP = 20
"""A folder with more files and folders, or levels, isn't one of formats but perhaps a whole disk."""
CASES = ".cases"
"""The ending of the name of a folder with cases: decks that may be illegal on purpose."""

ENDINGS = (".yaml", ".yml")
GAME = "game.yaml"
REPLACES = "replaces_bundled"
"""The key of a file that is used in place of the bundled one with its id."""
# Lists may also have a format and a name; only formats have these keys.
_OF_FORMATS = ("rules", "extends", "abstract", "zones", "banlists", "drop", REPLACES)
_OF_FORMATS_ONLY = frozenset(["rules", "extends"])
"""The keys that no other file in a folder of formats has, such as that of a game or an event."""
_OF_ZONES = frozenset(["name", "listed_as", "on_top"])
_KINDS: tuple[Literal["format", "banlist"], ...] = ("format", "banlist")
_ID = re.compile("[a-z0-9][a-z0-9-]*(/[a-z0-9][a-z0-9-]*)?")
_WRITTEN_KEY = re.compile(rf"(?m)^(?:{'|'.join(_OF_FORMATS)}|banlist)[ \t]*:")
_WRITTEN_ID = re.compile(r"(?m)^(?P<kind>format|banlist)[ \t]*:[ \t]*[\"']?(?P<id>[a-z0-9][a-z0-9/-]*)")


class Folders(Struct, frozen=True):
    """A project's own folders of formats and banlists, searched before the bundled ones, and of games.

    The formats and banlists of a game are anywhere in its folder, which is also among the other folders.
    """

    formats: tuple[Path, ...] = ()
    banlists: tuple[Path, ...] = ()
    games: tuple[Path, ...] = ()

    def with_games(self, games: Sequence[Path]) -> Folders:
        """These folders and those of more games."""
        return Folders((*self.formats, *games), (*self.banlists, *games), (*self.games, *games))


BUNDLED_ONLY = Folders()


class FormatEntry(Struct, frozen=True):
    """A format or a banlist before it is loaded, with the ids of its own rules.

    Of a "broken" file, which can't be read or has rules but no id, at most the kind and the id are known, else "";
    a "possible" one lacks all keys that only formats have.
    """

    path: str
    kind: Literal["format", "banlist", ""]
    id: str
    name: Localized
    state: Literal["sure", "possible", "broken"] = "sure"
    aliases: tuple[str, ...] = ()
    abstract: bool = False
    rules: tuple[str, ...] = ()

    @property
    def file(self) -> Path:
        """The file that has it."""
        return Path(self.path)

    @property
    def names(self) -> set[str]:
        """All names for the format, folded."""
        return folded_names(self.id, self.name, self.aliases)

    @property
    def shown(self) -> Words:
        """Its name with its id."""
        return _("{name} ({id})", name=self.name, id=self.id)


def folded_names(id: str, name: Localized, aliases: Iterable[str]) -> set[str]:
    """All names for a format, folded: its id, also without the game, its names and aliases."""
    return set(map(folded, (id, id.rpartition("/")[2], *name.both, *aliases)))


def folded(name: str) -> str:
    """A name without differences that don't matter: width, letter case, blanks."""
    return "".join(normalize("NFKC", name).casefold().split())


class SeveralFormatsError(UserError):
    """A name that several formats have; `ids` are theirs."""

    def __init__(self, reference: str, ids: tuple[str, ...]) -> None:
        message = _("{reference!r} may be any of {ids}", reference=reference, ids=series(ids))
        super().__init__([Problem(message)])
        self.ids = ids


def taken_id(id: str) -> tuple[Words, Words]:
    """The message and the hint for a file of the user's own with a bundled id."""
    return (
        _("the id {id!r} is that of a bundled file", id=id),
        _("choose another id, or write `{key}: true` to use this file in its place", key=REPLACES),
    )


def bundled_formats() -> list[FormatEntry]:
    """Every bundled format, by id."""
    return own_formats([shipped("formats")])


def known_formats(folders: Folders = BUNDLED_ONLY) -> list[FormatEntry]:
    """Every format in `folders`, and the bundled ones whose id is still free. Raises UserError for an id given twice."""
    own = own_formats(folders.formats)
    taken = {entry.id for entry in own if single_file(entry.id, own)}
    return own + [entry for entry in bundled_formats() if entry.id not in taken]


def format_file(reference: str, beside: Path | None = None, folders: Folders = BUNDLED_ONLY) -> Path:
    """The file of a format named by id, alias, bare name, or path (relative to the file `beside`).

    A file that names its own id means the bundled format. Raises UserError, with suggestions, or SeveralFormatsError.
    """
    if reference.endswith(ENDINGS):
        return (beside.parent / reference) if beside is not None else Path(reference)
    here = None if beside is None else beside.absolute()
    own = [entry for entry in own_formats(folders.formats) if entry.file.absolute() != here]
    direct = single_file(reference, own) or _with_id(shipped("formats"), reference)
    if is_file(direct):
        return direct
    wanted = folded(reference)
    hits = [entry for entry in own if wanted in entry.names]
    hits = hits or [entry for entry in bundled_formats() if wanted in entry.names]
    # A possible format is loaded to report what is wrong with it.
    hits = hits or [entry for entry in _entries(folders.formats, "format") if entry.id == reference]
    if len(hits) > 1:
        raise SeveralFormatsError(reference, tuple(entry.id for entry in hits))
    if hits:
        return hits[0].file
    playable = [entry for entry in known_formats(folders) if not entry.abstract]
    message = _("there is no format {reference!r}", reference=reference)
    problem = Problem(message, hint=_nearest(wanted, playable))
    raise UserError([problem, *unread_formats(folders.formats)])


def format_id(reference: str, folders: Folders = BUNDLED_ONLY) -> str:
    """The id of the format that `format_file` finds for a name. Raises UserError as that does."""
    file = format_file(reference, folders=folders)
    return next((entry.id for entry in known_formats(folders) if entry.file == file), reference)


def _nearest(wanted: str, entries: Sequence[FormatEntry]) -> Words:
    """The hint for an unknown folded name: formats with it as a part of a name, else the most similar ones."""
    parts = [entry for entry in entries if len(wanted) > 1 and any(wanted in name for name in entry.names)]
    names = list(dict.fromkeys(name for entry in entries for name in sorted(entry.names)))
    nearest = suggest(wanted, names, most=1)
    near = parts or [entry for entry in entries if not entry.names.isdisjoint(nearest)]
    if not near:
        return _("`deckcheck formats` lists them")
    return _("did you mean {formats}?", formats=series([entry.shown for entry in near[:3]], OR))


def banlist_file(reference: str, beside: Path, folders: Folders = BUNDLED_ONLY) -> Path:
    """The file of a banlist named by id or path; it need not exist. Raises UserError if two files in `folders` give it.

    Of an imported and a bundled list, the newer one counts: an old import must not hide newer data.
    """
    if reference.endswith(ENDINGS):
        return beside.parent / reference
    own = single_file(reference, own_banlists(folders.banlists))
    if own is not None:
        return own
    imported, bundled = imported_banlist(reference), bundled_banlist(reference)
    if not is_file(imported) or (is_file(bundled) and _known_through(imported) < _known_through(bundled)):
        return bundled
    return imported


def bundled_banlist(id: str) -> Path:
    """The file of the bundled banlist with that id, which may not exist."""
    return _with_id(shipped("banlists"), id)


def imported_banlist(id: str) -> Path:
    """The file of the user's own banlist with that id, which applies in every folder; it may not exist."""
    return _with_id(imported_banlists(), id)


def imported_banlists() -> Path:
    """The folder of the user's own banlists; it may not exist."""
    return user_folder("data") / "banlists"


def _known_through(file: Path) -> bytes:
    """The day through which a banlist is complete, as written; b"" for none."""
    match = re.search(rb"(?m)^complete_through:[ \t]*(\d{4}-\d\d-\d\d)", read_bytes(file))
    return match[1] if match else b""


def _with_id(folder: Path, id: str) -> Path:
    """The file in a folder of formats or banlists for an id, which may not exist."""
    return folder / f"{id if _ID.fullmatch(id) else '-'}.yaml"


def hides_bundled(file: Path, id: str) -> bool:
    """Whether a format file of the user's own has the id of a bundled format."""
    formats = shipped("formats")
    return is_file(_with_id(formats, id)) and not real_path(file).is_relative_to(real_path(formats))


def single_file(id: str, own: Iterable[FormatEntry]) -> Path | None:
    """The file with that id among a project's own, if there is one. Raises UserError if several have it."""
    files = list(dict.fromkeys(entry.file for entry in own if entry.id == id))
    if len(files) > 1:
        paths = series(map(str, files))
        raise user_error(_("{id!r} is in {number} files: {files}", id=id, number=len(files), files=paths))
    return files[0] if files else None


def known_banlists(folders: Folders = BUNDLED_ONLY) -> list[str]:
    """The ids of all banlists that a format can name."""
    places = (shipped("banlists"), imported_banlists())
    files = ((place, file) for place in places for file in place.rglob("*.yaml"))
    known = (file.relative_to(place).with_suffix("").as_posix() for place, file in files)
    return sorted({*known, *(entry.id for entry in own_banlists(folders.banlists))})


def load(file: Path, schema: str) -> Document:
    """A file of the format language; one of the user's own has to fit the schema. Raises UserError."""
    from deckcheck.support.documents import load_yaml, require_shape

    document = load_yaml(file, shown_path(file))
    if not is_installed(file):
        require_shape(document, schema)
    return document


def shown_path(file: Path) -> str:
    """The path of a file in messages: bundled ones begin with "formats" or "banlists", others are as they were given."""
    for name in ("formats", "banlists", "examples"):
        folder = shipped(name)
        if file.is_relative_to(folder):
            return f"{name}/{file.relative_to(folder).as_posix()}"
    return str(file)


def own_path(file: Path) -> str:
    """The path of one of the user's own files; "" for one that ships with deckcheck."""
    path = shown_path(file)
    return path if path == str(file) else ""


def source_file(path: str) -> Path:
    """The file with that `shown_path`: one of the user's, which may have the same path, else one that ships with deckcheck."""
    own = Path(path)
    first, _slash, rest = path.partition("/")
    if first not in ("formats", "banlists") or ".." in rest.split("/") or is_file(own):
        return own
    bundled = shipped(first) / rest
    return bundled if is_file(bundled) else own


def is_bundled(path: str) -> bool:
    """Whether a shown path is that of a file that ships with deckcheck, not one of the user's."""
    return source_file(path) != Path(path)


def own_formats(folders: Sequence[Path]) -> list[FormatEntry]:
    """Every format in the folders, in order; of a broken one, what can be read. Raises UserError for too many files."""
    return [entry for entry in _entries(folders, "format") if entry.state != "possible"]


def own_banlists(folders: Sequence[Path]) -> list[FormatEntry]:
    """Every banlist in the folders; like `own_formats`."""
    return _entries(folders, "banlist")


def any_broken(folders: Sequence[Path]) -> bool:
    """Whether some file in the folders of formats can't be read, so that not all rules are known."""
    return any(entry.state == "broken" for entry in _entries(folders, "format", "banlist", ""))


def unread_formats(folders: Sequence[Path]) -> list[Problem]:
    """The problems with files in the folders of formats that can't be read or lack the id of a format."""
    problems: list[Problem] = []
    for entry in _entries(folders, "banlist", ""):
        try:
            if entry.state == "broken":
                load(entry.file, entry.kind or "format")
        except UserError as error:
            problems += error.problems
    return problems


def searched_files(folders: Folders) -> list[Path]:
    """The files and folders on which the meaning of ids and names in these folders depends."""
    searched = dict.fromkeys((*folders.formats, *folders.banlists))
    return list(dict.fromkeys(folder / path for folder in searched for path in _searched(folder).paths))


def project_files(folders: Folders) -> list[Path]:
    """The used files in these folders that aren't decks: `searched_files` and the cards of games."""
    games = [file for folder in folders.games for file in game_files(folder)]
    cards = [file.with_name(name) for file in games for name in ("cards.jsonl", "sets.json")]
    return searched_files(folders) + cards


def game_files(folder: Path) -> list[Path]:
    """The file of the game that the folder is, else those of the games in it. Raises UserError if there is none."""
    own = folder / GAME
    try:
        files = [own] if is_file(own) else sorted(file for file in folder.glob(f"*/{GAME}") if is_file(file))
    except OSError:
        files = []
    if not files:
        message = _("there is no {file} in this folder, nor in one in it", file=GAME)
        raise UserError([Problem(message, str(folder))])
    return files


def _entries(folders: Sequence[Path], *kinds: str) -> list[FormatEntry]:
    # One folder may be inside another.
    entries: dict[Path, FormatEntry] = {}
    for folder in folders:
        for entry in _searched(folder).entries:
            file = folder / entry.path
            if entry.kind in kinds:
                entries.setdefault(file.absolute(), replace(entry, path=str(file)))
    return list(entries.values())


class _Searched(Struct, frozen=True):
    """The entries of a folder, and the paths of all that was searched, from the folder on."""

    entries: list[FormatEntry]
    paths: list[str]


def _searched(folder: Path) -> _Searched:
    def search() -> tuple[_Searched, list[Path]]:
        places, files = files_below(folder, ENDINGS)
        paths = [path.relative_to(folder).as_posix() for path in places + files]
        named = zip(files, paths[len(places) :], strict=True)
        entries = [entry for file, path in named for entry in _entries_in(file, path)]
        return _Searched(entries, paths), places + files

    return cached("own-files", folder, _Searched, search)


def _entries_in(file: Path, path: str) -> Iterator[FormatEntry]:
    """The entries of a file, with that path; the shape of its values may be wrong.

    A file with the keys of a format and of a banlist counts as both: whichever of them is loaded, the mistake is told.
    """
    from deckcheck.support.documents import load_yaml

    try:
        data = load_yaml(file).data
    except UserError:
        yield from _broken(file, path)
        return
    if not isinstance(data, dict):
        return
    said = {key for key in _OF_FORMATS if key in data and _is_of_format(key, data[key])}
    if _OF_FORMATS_ONLY & said and data.keys().isdisjoint(_KINDS):
        yield FormatEntry(path, "", "", localized(""), "broken")
    name, aliases, is_format = data.get("name"), data.get("aliases"), bool(said)
    ja, en = (name.get("ja"), name.get("en")) if isinstance(name, dict) else (name, name)
    sections = [data.get(key) for key in ("rules", "beside")]
    rules = [rule for section in sections if isinstance(section, list) for rule in section]
    for kind in _KINDS:
        id, is_certain = data.get(kind), is_format or kind == "banlist"
        if isinstance(id, str) and id and (is_certain or name):
            yield FormatEntry(
                path,
                kind,
                id,
                Localized(str(ja or en or id), str(en or id)),
                state="sure" if is_certain else "possible",
                aliases=tuple(map(str, aliases)) if isinstance(aliases, list) else (),
                abstract=data.get("abstract") is True,
                rules=tuple(
                    rule["id"] for rule in rules if isinstance(rule, dict) and isinstance(rule.get("id"), str)
                ),
            )


def _is_of_format(key: str, value: object) -> bool:
    """Whether a value is of the kind that a format has under a key, and not one of a decklist, such as cards."""
    if key == "zones":
        zones = value.values() if isinstance(value, dict) else [value]
        return all(zone is None or (isinstance(zone, dict) and zone.keys() <= _OF_ZONES) for zone in zones)
    return key != "rules" or not isinstance(value, str)


def _broken(file: Path, path: str) -> Iterator[FormatEntry]:
    """The entries of a file that can't be read; loading it by its id reports why.

    What has no key of formats but the id is perhaps a decklist for that format.
    """
    text = "\ufffd"
    with suppress(UserError):
        text = read_bytes(file).decode("utf-8-sig", "replace")
    is_certain = "\ufffd" in text or _WRITTEN_KEY.search(text) is not None
    ids = {match["kind"]: match["id"] for match in reversed([*_WRITTEN_ID.finditer(text)])}
    for kind in _KINDS:
        if kind in ids:
            state: Literal["broken", "possible"] = "broken" if is_certain else "possible"
            yield FormatEntry(path, kind, ids[kind], localized(ids[kind]), state)
    if is_certain and not ids:
        yield FormatEntry(path, "", "", localized(""), "broken")


def files_below(folder: Path, endings: tuple[str, ...]) -> tuple[list[Path], list[Path]]:
    """The folders, and the files with one of the endings, below a folder, in order. Raises UserError for too many.

    Hidden files and folders of cases don't count, and links to folders are not followed.
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
