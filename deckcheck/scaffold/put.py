"""Put a file where there is none: whole, and never over another."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from deckcheck.support.errors import wrong
from deckcheck.support.messages import _


def put(file: Path, content: str | bytes) -> bool:
    """Write a file that is not there yet, with the folders that it needs; whether it was written.

    What stands there already is kept, even if it comes to stand there at the
    same moment. Raises UserError when it can't be written.
    """
    if os.path.lexists(file):
        return False
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        return _put(file, content.encode() if isinstance(content, str) else content)
    except OSError as error:
        reason = error.strerror or str(error)
        raise wrong(_("can't be written: {reason}", reason=reason), path=str(file)) from error


def _put(file: Path, content: bytes) -> bool:
    handle, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    whole = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        whole.chmod(0o666 & ~_umask())
        try:
            file.hardlink_to(whole)
        except FileExistsError:
            return False
        except OSError:
            # Some file systems know no links. Replacing is as whole, but sees no other writer.
            if os.path.lexists(file):
                return False
            whole.replace(file)
        return True
    finally:
        with suppress(FileNotFoundError):
            whole.unlink()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
