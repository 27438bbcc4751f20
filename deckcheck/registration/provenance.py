"""Which rules a verdict came from: hashes of the content of a format and of the lists it leans on.

Both are taken over the SHA-256 of files, with CR LF read as LF so that a checkout
on Windows is the same. A banlist's covers its file; a format's covers its file,
every file that it extends (in the order in which they are read) and its game's.
"""

from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from deckcheck.formats.loading import game_file
from deckcheck.formats.lookup import BUNDLED_ONLY, Folders, banlist_file, format_file, shown_path
from deckcheck.model.format import Format
from deckcheck.support.canonicaljson import digest
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import read_bytes
from deckcheck.support.messages import _


class Stamp(NamedTuple):
    """A format or a banlist: its id and the hash of its content in hex."""

    id: str
    sha256: str


class Provenance(NamedTuple):
    """The format with all that it extends, and each of its banlists, as they stand in files now."""

    format: Stamp
    banlists: tuple[Stamp, ...]


def provenance(reference: str, folders: Folders = BUNDLED_ONLY) -> Provenance:
    """The content of the format of that id, alias, name or path, in hashes. Raises UserError."""
    from deckcheck.formats.inheritance import inherit
    from deckcheck.support.yamlfile import load_yaml

    found = inherit(format_file(reference, folders=folders), folders)
    files = [*found.files, game_file(str(found.game))]
    whole = digest("format", [_content(file) for file in files])
    lists = []
    for named in found.banlists:
        file = banlist_file(str(named.data), Path(named.document.path), folders)
        if not file.is_file():
            hint = _("check the format")
            raise user_error(
                _("a banlist of the format is missing"),
                path=str(file),
                hint=hint,
            )
        lists.append(Stamp(str(load_yaml(file).data["banlist"]), digest("banlist", _content(file))))
    return Provenance(Stamp(str(found.document.data["format"]), whole), tuple(lists))


def reference_of(format: Format, folders: Folders = BUNDLED_ONLY) -> str:
    """By what a format that was loaded can be asked for again: its id, or its file where the id means another or nothing."""
    try:
        same = shown_path(format_file(format.id, folders=folders)) == format.source.path
    except UserError:
        same = False
    return format.id if same else format.source.path


def _content(file: Path) -> str:
    return sha256(read_bytes(file).replace(b"\r\n", b"\n")).hexdigest()
