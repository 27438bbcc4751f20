"""Files: where ours lie, reading within bounds, writing all or nothing, walking through folders."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from stat import S_IMODE
from time import time
from typing import BinaryIO, Literal, NamedTuple, Self

from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import _

MOST_BYTES = 4 * 1024 * 1024
"""No decklist, format or banlist comes near this; a larger file is a mistake or an attack."""

_XDG = {"cache": ("XDG_CACHE_HOME", ".cache"), "data": ("XDG_DATA_HOME", ".local/share")}
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_LONGEST_NAME = 180
_STALE_AFTER = 3600.0
_WRITTEN_AT_ONCE = 8


# Where ours lie


def shipped(folder: str) -> Path:
    """The folder of bundled "formats", "banlists" or "examples": in an installed package, or beside it in a checkout."""
    package = Path(__file__).parent.parent
    inside = package / "shipped" / folder
    return inside if inside.is_dir() else package.parent / folder


def user_folder(kind: Literal["cache", "data"]) -> Path:
    """Where things are kept between runs: $DECKCHECK_CACHE_DIR or $DECKCHECK_DATA_DIR, else the system's folder for that.

    Raises UserError where the user has no home.
    """
    named = os.environ.get(f"DECKCHECK_{kind.upper()}_DIR")
    if named:
        return Path(named)
    if sys.platform.startswith("linux") and "ANDROID_DATA" not in os.environ:
        # The same that platformdirs says there, whose import takes longer than reading the list.
        variable, usual = _XDG[kind]
        base = Path(os.environ.get(variable, "").strip())
        return (base if base.is_absolute() else _home() / usual) / "deckcheck"
    import platformdirs

    return Path((platformdirs.user_cache_dir if kind == "cache" else platformdirs.user_data_dir)("deckcheck"))


def _home() -> Path:
    home = Path(os.environ.get("HOME", ""))
    if home.is_absolute():
        return home
    import pwd

    try:
        return Path(pwd.getpwuid(os.getuid()).pw_dir)
    except KeyError as error:
        raise user_error(_("HOME is not an absolute path")) from error


def working_folder() -> str:
    """The working folder as an absolute path. Raises UserError when it was deleted."""
    try:
        return os.getcwd()
    except FileNotFoundError as error:
        raise user_error(_("the working directory no longer exists")) from error


# Reading


def read_bytes(path: str | Path, *, most: int = MOST_BYTES, stream: BinaryIO | None = None) -> bytes:
    """The content of a file, or of a `stream` that `path` names in messages.

    Raises UserError when it can't be read or holds more than `most` bytes.
    """
    try:
        with open(path, "rb") if stream is None else nullcontext(stream) as file:
            data = file.read(most + 1)
    except OSError as error:
        raise cannot_read(path, error) from error
    except ValueError as error:
        raise user_error(_("can't be a file's name"), path=str(path)) from error
    if len(data) > most:
        raise user_error(_("too large (at most {most:,} bytes)", most=most), path=str(path))
    return data


def read_text(path: Path, *, most: int = MOST_BYTES, shown: str | None = None) -> str:
    """The text of a file, decoded as by `decoded`; messages show the path as `shown`. Raises UserError."""
    return decoded(read_bytes(path, most=most), shown or str(path))


def decoded(data: bytes, path: str, first_line: int = 1) -> str:
    """UTF-8 as text, without its byte order mark. Raises UserError with the line of what is not UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = first_line + data.count(b"\n", 0, error.start)
        raise user_error(_("not UTF-8"), path=path, line=line) from error


def is_file(file: Path) -> bool:
    """Whether there is such a file; a name that no file can have is none."""
    try:
        return file.is_file()
    except (OSError, ValueError):
        return False


def with_slashes(path: str) -> str:
    """`path` with forward slashes, also where the system has others."""
    return path.replace(os.sep, "/")


def cannot_read(path: str | Path, error: OSError | ValueError) -> UserError:
    """The user's side of an error in reading."""
    if isinstance(error, FileNotFoundError):
        return user_error(_("no such file"), path=str(path))
    reason = getattr(error, "strerror", None) or str(error)
    return user_error(_("can't be read: {reason}", reason=reason), path=str(path))


def cannot_write(path: str | Path, error: OSError | ValueError) -> UserError:
    """The user's side of an error in writing."""
    reason = getattr(error, "strerror", None) or str(error)
    return user_error(_("can't be written: {reason}", reason=reason), path=str(path))


# Writing


def write_atomically(file: Path, data: bytes, *, durable: bool = False, private: bool = True) -> None:
    """Write the whole file, with the folders that it needs, or leave what was there. Raises OSError.

    With `durable` it is on the disk when this returns. Only its owner may read it, or,
    unless it is `private`, whoever may read the file that it replaces.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    with open_atomically(file, durable=durable, private=private) as stream:
        stream.write(data)


@contextmanager
def open_atomically(file: Path, *, durable: bool = False, private: bool = True) -> Iterator[BinaryIO]:
    """A stream whose content becomes the file once all of it is written; as `write_atomically`."""
    with _Part(file, private=private) as part:
        yield part.stream
        part.flush(durable)
        part.replace(file)
    if durable:
        _sync_folder(file.parent)


def write_new(file: Path, data: bytes) -> bool:
    """Write a file, with the folders that it needs, unless there is one; whether it was written. Raises OSError."""
    if os.path.lexists(file):
        return False
    file.parent.mkdir(parents=True, exist_ok=True)
    with _Part(file, private=False) as part:
        part.stream.write(data)
        part.flush(durable=False)
        return part.place(file)


def write_many(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a folder, each durably and privately as `write_atomically` does, but faster. Raises OSError.

    Then each file is there as it was or as it is to be.
    """
    from concurrent.futures import ThreadPoolExecutor

    def write(name: str) -> None:
        with _Part(folder / name, private=True) as part:
            part.stream.write(files[name])
            part.flush(durable=True)
            part.replace(folder / name)

    # A disk writes several files in the time of one.
    with ThreadPoolExecutor(_WRITTEN_AT_ONCE) as pool:
        list(pool.map(write, files))
    _sync_folder(folder)


@contextmanager
def open_output(path: str, *, private: bool = False) -> Iterator[BinaryIO]:
    """A stream for a path that the user names: a file whole or not at all, or straight into a pipe or a device.

    A link stays one. Raises UserError when it can't be written.
    """
    try:
        target = Path(path).resolve()
        is_device = target.exists() and not (target.is_file() or target.is_dir())
    except (OSError, ValueError) as error:
        raise cannot_write(path, error) from error
    try:
        with target.open("wb") if is_device else open_atomically(target, private=private) as stream:
            yield stream
    except OSError as error:
        raise cannot_write(path, error) from error


class _Part:
    """What is to become a file, beside its place under a hidden name of its own.

    The name is always the same, and the file is locked while its writer lives,
    so the next writer can tell what a killed one has left.
    """

    def __init__(self, file: Path, *, private: bool) -> None:
        name = file.name.encode("utf-8", "surrogateescape")[:_LONGEST_NAME].decode("utf-8", "ignore")
        self.path = file.with_name(f".{name}.part")
        mode = None
        if not private:
            with suppress(FileNotFoundError):
                mode = S_IMODE(file.stat().st_mode)
        self.stream = os.fdopen(self._create(0o666 if not private and mode is None else 0o600), "wb")
        if mode is not None:
            self.path.chmod(mode)
        self._in_place = False

    def _create(self, mode: int) -> int:
        usual = self.path
        while True:
            try:
                handle = os.open(self.path, _NEW_FILE, mode)
            except FileExistsError:
                if not _remove_stale(usual):
                    # Somebody else writes the file, too; whoever ends last has it.
                    self.path = usual.with_suffix(f".{os.urandom(4).hex()}.part")
            else:
                if _lock(handle) is not False and os.fstat(handle).st_nlink:
                    return handle
                # It was removed as stale before it was locked.
                os.close(handle)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        if not self._in_place:
            with suppress(OSError):
                self.path.unlink()
        with suppress(OSError):
            self.stream.close()

    def flush(self, durable: bool) -> None:
        """All of it is written."""
        self.stream.flush()
        if durable:
            os.fsync(self.stream.fileno())

    def replace(self, file: Path) -> None:
        """Make it the file, whatever was there."""
        if os.name != "posix":
            # No open file can be moved there.
            self.stream.close()
        self.path.replace(file)
        self._in_place = True
        self.stream.close()

    def place(self, file: Path) -> bool:
        """Make it the file, where there is none; whether it was done."""
        try:
            file.hardlink_to(self.path)
        except FileExistsError:
            return False
        except OSError:
            # Some file systems know no links. Replacing is as whole, but sees no other writer.
            if os.path.lexists(file):
                return False
            self.replace(file)
        return True


def _lock(handle: int) -> bool | None:
    """Lock a file for this process: whether nobody else has, None where there are no locks."""
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock

        flock(handle, LOCK_EX | LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        return None
    return True


def _remove_stale(part: Path) -> bool:
    """Remove what a writer that was killed has left; False where that is not so or can't be done."""
    try:
        handle = os.open(part, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
        try:
            locked, status = _lock(handle), os.fstat(handle)
            if locked is None:
                locked = time() - status.st_mtime > _STALE_AFTER
            if locked and os.path.samestat(status, part.lstat()):
                part.unlink()
            return locked
        finally:
            os.close(handle)
    except FileNotFoundError:
        return True
    except OSError:
        return False


def _sync_folder(path: Path) -> None:
    if os.name != "posix":
        return
    # A file's new name is on the disk only when its folder is.
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


# Walking


Kind = Literal["folder", "file", "other", "unreadable"]


class Item(NamedTuple):
    """Something that lies in a folder."""

    path: str
    name: str
    folder: str
    """The path of the folder."""
    depth: int
    """How many folders it lies in below the top."""
    kind: Kind
    """A link to a file is a "file", one to a folder is "other", as is a pipe; "unreadable" says that the folder
    at `path` can't be searched."""
    error: OSError | None = None
    """Why a folder can't be searched, or a link (to itself, say) not be followed."""


def walk(top: str, enter: Callable[[Item], bool] = lambda _item: True) -> Iterator[Item]:
    """All that lies below a folder, in the order of names, each folder before what is in it; nothing hidden.

    Links to folders are not followed. `enter` says of each folder whether to search it.
    """
    levels = [iter(_items(top, 0))]
    while levels:
        item = next(levels[-1], None)
        if item is None:
            levels.pop()
            continue
        yield item
        if item.kind == "folder" and enter(item):
            levels.append(iter(_items(item.path, item.depth + 1)))


def _items(folder: str, depth: int) -> list[Item]:
    def item(entry: os.DirEntry[str]) -> Item:
        try:
            is_folder = entry.is_dir(follow_symlinks=False)
            kind: Kind = "folder" if is_folder else "file" if entry.is_file() else "other"
        except OSError as error:
            return Item(entry.path, entry.name, folder, depth, "other", error)
        return Item(entry.path, entry.name, folder, depth, kind)

    try:
        with os.scandir(folder) as entries:
            return sorted(item(entry) for entry in entries if not entry.name.startswith("."))
    except OSError as error:
        return [Item(folder, "", folder, depth, "unreadable", error)]
