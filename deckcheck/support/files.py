"""Where what ships with deckcheck stands, and how files are read: bounded, and never by half."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from deckcheck.support.errors import wrong
from deckcheck.support.messages import _

MOST_BYTES = 4 * 1024 * 1024
"""No decklist, format or banlist comes near this; a larger file is a mistake or an attack."""

_AT_ONCE = 8


def shipped(folder: str) -> Path:
    """The folder of bundled "formats", "banlists" or "examples".

    Inside the package when it was installed from a wheel, beside it in a checkout.
    """
    package = Path(__file__).parent.parent
    inside = package / "shipped" / folder
    return inside if inside.is_dir() else package.parent / folder


def user_folder(kind: Literal["cache", "data"]) -> Path:
    """Where things are kept for the user between runs.

    $DECKCHECK_CACHE_DIR or $DECKCHECK_DATA_DIR, else the folder that the
    system has for that.
    """
    told = os.environ.get(f"DECKCHECK_{kind.upper()}_DIR")
    if told:
        return Path(told)
    if sys.platform.startswith("linux") and "ANDROID_DATA" not in os.environ:
        # The same that platformdirs says there, whose import takes longer than reading the list.
        variable, usual = _XDG[kind]
        base = os.environ.get(variable, "")
        return Path(base if base.strip() else Path(usual).expanduser()) / "deckcheck"
    import platformdirs

    ask = {"cache": platformdirs.user_cache_dir, "data": platformdirs.user_data_dir}[kind]
    return Path(ask("deckcheck"))


_XDG = {"cache": ("XDG_CACHE_HOME", "~/.cache"), "data": ("XDG_DATA_HOME", "~/.local/share")}


def read_bytes(path: Path, *, most: int = MOST_BYTES) -> bytes:
    """The content of a file.

    Raises UserError when it can't be read or holds more than `most` bytes.
    """
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise cannot_read(path, error) from error
    except ValueError as error:
        raise wrong(_("can't be a file's name"), path=str(path)) from error
    if len(data) > most:
        raise wrong(_("too large (at most {most:,} bytes)", most=most), path=str(path))
    return data


def is_file(file: Path) -> bool:
    """Whether there is such a file; a name that no file can have is none."""
    try:
        return file.is_file()
    except (OSError, ValueError):
        return False


def cannot_read(path: Path, error: OSError) -> Exception:
    """The user's side of an OSError."""
    if isinstance(error, FileNotFoundError):
        return wrong(_("no such file"), path=str(path))
    reason = error.strerror or str(error)
    return wrong(_("can't be read: {reason}", reason=reason), path=str(path))


def write_atomically(file: Path, data: bytes, *, durable: bool = False) -> None:
    """Write the whole file, for its owner alone to read, or leave what was there. Raises OSError.

    With `durable` it is on the disk, and not in memory only, when this returns.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    part = _part(file, data, durable)
    _put(part, file)
    if durable:
        _sync_folder(file.parent)


def write_many(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write these files into a folder that is there, each as `write_atomically` does when it is to be durable.

    It takes a fraction of the time. Raises OSError; then each file is there as it was or as it is to be.
    """
    from concurrent.futures import ThreadPoolExecutor

    # A disk writes several files in the time of one.
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        parts = [
            (folder / name, pool.submit(_part, folder / name, data, True)) for name, data in files.items()
        ]
    try:
        for file, part in parts:
            _put(part.result(), file)
    except BaseException:
        for _, part in parts:
            if part.exception() is None:
                part.result().unlink(missing_ok=True)
        raise
    _sync_folder(folder)


def _part(file: Path, data: bytes, durable: bool) -> Path:
    """A new file beside `file` with the data in it."""
    import tempfile

    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name[:100]}.", suffix=".part")
    try:
        try:
            left = memoryview(data)
            while left:
                left = left[os.write(handle, left) :]
            if durable:
                os.fsync(handle)
        finally:
            os.close(handle)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name)


def _put(part: Path, file: Path) -> None:
    try:
        part.replace(file)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _sync_folder(path: Path) -> None:
    if os.name != "posix":
        return
    # A file's new name is on the disk only when its folder is.
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def remove_parts(file: Path) -> None:
    """Take away what a write of `file` that was cut off has left; nobody else may be writing it now."""
    from glob import escape

    for part in file.parent.glob(f".{escape(file.name[:100])}.*.part"):
        part.unlink(missing_ok=True)
