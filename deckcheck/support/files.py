"""Files: our folders, reading within bounds, atomic writing, and walking through folders."""

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import cache
from pathlib import Path
from typing import BinaryIO, Literal

from msgspec import Struct

from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import Words, _

MOST_BYTES = 4 * 1024 * 1024
"""The default bound for reading; decklists, formats and banlists are much smaller."""
_USUAL_BYTES = 64 * 1024

_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_LONGEST_NAME = 180

PATIENCE = 60.0
"""How many seconds to wait for a lock: more than what is done under one takes."""


# Our folders


@cache
def shipped(folder: str) -> Path:
    """The folder of bundled "formats", "banlists" or "examples", in the package or, in a checkout, next to it."""
    package = Path(__file__).parent.parent
    inside = package / "shipped" / folder
    return inside if inside.is_dir() else package.parent / folder


def is_installed(file: Path) -> bool:
    """Whether it is a file of an installed package, whose tests have checked its shape."""
    return file.is_relative_to(Path(__file__).parent.parent / "shipped")


def user_folder(kind: Literal["cache", "data"]) -> Path:
    """$DECKCHECK_CACHE_DIR or $DECKCHECK_DATA_DIR, else the system's folder."""
    import platformdirs

    named = os.environ.get(f"DECKCHECK_{kind.upper()}_DIR")
    if named:
        return Path(named)
    return Path((platformdirs.user_cache_dir if kind == "cache" else platformdirs.user_data_dir)("deckcheck"))


def working_folder() -> str:
    """The working folder as an absolute path. Raises UserError if it was deleted."""
    try:
        return os.getcwd()
    except FileNotFoundError as error:
        raise user_error(_("the working directory no longer exists")) from error


# Reading


def read_bytes(path: str | Path, *, most: int = MOST_BYTES, stream: BinaryIO | None = None) -> bytes:
    """The content of a file, or of `stream` in its place. Raises UserError if it can't be read or is too large.

    A pipe to which nothing writes is empty.
    """
    try:
        with open(path, "rb", opener=_open_at_once) if stream is None else nullcontext(stream) as file:
            # A buffer for the largest file allowed would cost more than reading a decklist.
            data = file.read(_USUAL_BYTES)
            if len(data) == _USUAL_BYTES <= most:
                data += file.read(most + 1 - _USUAL_BYTES)
    except OSError as error:
        raise cannot_read(path, error) from error
    except ValueError as error:
        raise user_error(_("can't be a file's name"), path=str(path)) from error
    if len(data) > most:
        raise user_error(_("too large (at most {most:,} bytes)", most=most), path=str(path))
    return data


def _open_at_once(path: str, flags: int) -> int:
    """A descriptor of the file, for `open`; opening a pipe usually waits for somebody who writes to it."""
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    if hasattr(os, "O_NONBLOCK"):
        os.set_blocking(descriptor, True)
    return descriptor


def read_text(path: Path, *, most: int = MOST_BYTES, shown_as: str | None = None) -> str:
    """The text of a UTF-8 file; `shown_as` is its path for messages. Raises UserError."""
    return decoded(read_bytes(path, most=most), shown_as or str(path))


def decoded(data: bytes, path: str, first_line: int = 1) -> str:
    """UTF-8 data as text, without a byte order mark. Raises UserError, with line, for anything else."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = first_line + data.count(b"\n", 0, error.start)
        raise user_error(_("not UTF-8"), path=path, line=line) from error


def is_file(file: Path) -> bool:
    """Whether the path is a file; False for an invalid path."""
    return os.path.isfile(file)


def is_folder(path: Path) -> bool:
    """Whether the path is a folder; False for an invalid path."""
    return os.path.isdir(path)


def cannot_read(path: str | Path, error: OSError | ValueError) -> UserError:
    """The UserError for a failure to read."""
    if isinstance(error, FileNotFoundError):
        return user_error(_("no such file"), path=str(path))
    return user_error(_("can't be read: {reason}", reason=reason_of(error)), path=str(path))


def cannot_write(path: str | Path, error: OSError | ValueError) -> UserError:
    """The UserError for a failure to write."""
    return user_error(_("can't be written: {reason}", reason=reason_of(error)), path=str(path))


def reason_of(error: object) -> str:
    """What an error of the system or of a connection says, else its type."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


# Writing


def write_atomically(file: Path, data: bytes, *, durable: bool = False, private: bool = True) -> None:
    """Write a file atomically, creating its folders; `durable`: with fsync. Raises OSError.

    A `private` file is readable only by its owner; another one keeps the mode of the file that it replaces.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    with open_atomically(file, durable=durable, private=private) as stream:
        stream.write(data)


@contextmanager
def open_atomically(file: Path, *, durable: bool = False, private: bool = True) -> Iterator[BinaryIO]:
    """A stream that replaces the file when it is closed; like `write_atomically`."""
    name = file.name.encode("utf-8", "surrogateescape")[:_LONGEST_NAME].decode("utf-8", "ignore")
    part = file.with_name(f".{name}.{os.urandom(8).hex()}.part")
    try:
        with os.fdopen(os.open(part, _NEW_FILE, 0o600 if private else 0o666), "wb") as stream:
            if not private and file.exists():
                part.chmod(stat.S_IMODE(file.stat().st_mode))
            yield stream
            stream.flush()
            if durable:
                os.fsync(stream.fileno())
        part.replace(file)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    if durable:
        _sync_folder(file.parent)


def write_new(file: Path, data: bytes) -> bool:
    """Write a file and its missing folders unless it exists; whether it was written. Raises OSError."""
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        stream = file.open("xb")
    except FileExistsError:
        return False
    with stream:
        stream.write(data)
    return True


def _sync_folder(path: Path) -> None:
    if os.name != "posix":
        return
    # A renamed file is durable only when its folder is synced.
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def real_path(path: str | Path) -> Path:
    """The absolute path without links; a link to itself stays as it is."""
    return Path(os.path.realpath(path))


def path_from(file: Path, path: Path) -> str:
    """A path as it is written in the file: relative to its folder, with slashes."""
    try:
        return Path(os.path.relpath(real_path(path), real_path(file.parent))).as_posix()
    except ValueError:
        # On another drive.
        return path.absolute().as_posix()


@contextmanager
def open_output(path: str, *, private: bool = False) -> Iterator[BinaryIO]:
    """A stream for a path given by the user: an atomic file, or a pipe or device. Follows links. Raises UserError."""
    try:
        is_device = not stat.S_ISREG(os.stat(path).st_mode) and not os.path.isdir(path)
    except FileNotFoundError:
        is_device = False
    except (OSError, ValueError) as error:
        raise cannot_write(path, error) from error
    target = real_path(path)
    try:
        with target.open("wb") if is_device else open_atomically(target, private=private) as stream:
            yield stream
    except OSError as error:
        raise cannot_write(path, error) from error


@contextmanager
def locked(path: Path, busy: Words, *, lock: Path | None = None) -> Iterator[None]:
    """Hold the lock of a file or folder, a hidden file beside it or `lock`.

    Raises UserError if that can't be written, or (`busy`) is held for longer than `PATIENCE`.
    """
    from filelock import FileLock, Timeout

    lock = lock or path.with_name(f".{path.name}.lock")
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(lock, timeout=PATIENCE):
            yield
    except Timeout as error:
        raise user_error(busy, path=str(path), hint=_("wait a moment and try again")) from error
    except OSError as error:
        raise cannot_write(path, error) from error


# Walking


Kind = Literal["folder", "file", "other", "unreadable"]


class Item(Struct, frozen=True):
    """An item in a folder."""

    path: str
    name: str
    depth: int
    """The number of folders between it and the top."""
    kind: Kind
    """Links to files are "file"; links to folders, pipes and the like are "other"; a folder may be "unreadable"."""
    error: OSError | None = None
    """Why a folder can't be searched or a link can't be followed."""


def walk(top: str, enter: Callable[[Item], bool] = lambda _item: True) -> Iterator[Item]:
    """All items below a folder by name, folders before their content, without hidden ones or linked folders."""
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
            return Item(entry.path, entry.name, depth, "other", error)
        return Item(entry.path, entry.name, depth, kind)

    try:
        with os.scandir(folder) as entries:
            items = [item(entry) for entry in entries if not entry.name.startswith(".")]
    except OSError as error:
        return [Item(folder, "", depth, "unreadable", error)]
    return sorted(items, key=lambda item: item.path)


# Files that must not be lost


def protect_inputs(
    targets: str | Iterable[str] | None, files: Iterable[Path], folders: Iterable[Path] = ()
) -> None:
    """Raises UserError if a target is one of the files or in one of the folders."""
    named = [targets] if isinstance(targets, str) else [*(targets or ())]
    if not named:
        return
    inputs = {identity for file in files for identity in _identities(file)}
    inside = [folder.resolve() for folder in folders]
    for target in named:
        identities = _identities(Path(target))
        if not inputs.isdisjoint(identities) or any(
            isinstance(place, Path) and place.is_relative_to(folder)
            for folder in inside
            for place in identities
        ):
            raise user_error(_("this is one of the inputs and will not be overwritten"), path=target)


def _identities(file: Path) -> list[Path | tuple[int, int]]:
    """The path of a file and, if it exists, its device and inode."""
    identities: list[Path | tuple[int, int]] = []
    with suppress(OSError, ValueError, RuntimeError):
        identities.append(file.resolve())
        status = file.stat()
        identities.append((status.st_dev, status.st_ino))
    return identities
