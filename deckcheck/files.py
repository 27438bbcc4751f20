"""Where what ships with deckcheck stands, and how files are read: bounded, and never by half."""

from __future__ import annotations

from pathlib import Path

from deckcheck.errors import wrong

MOST_BYTES = 4 * 1024 * 1024
"""No decklist, format or banlist comes near this; a larger file is a mistake or an attack."""


def shipped(folder: str) -> Path:
    """The folder of bundled "formats", "banlists" or "examples".

    Inside the package when it was installed from a wheel, beside it in a checkout.
    """
    package = Path(__file__).parent
    inside = package / "shipped" / folder
    return inside if inside.is_dir() else package.parent / folder


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
        raise wrong("ファイル名として使えません", "can't be a file's name", path=str(path)) from error
    if len(data) > most:
        raise wrong(
            f"大きすぎます（{most:,}バイトまで）", f"too large (at most {most:,} bytes)", path=str(path)
        )
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
        return wrong("ファイルがありません", "no such file", path=str(path))
    reason = error.strerror or str(error)
    return wrong(f"読めません: {reason}", f"can't be read: {reason}", path=str(path))
