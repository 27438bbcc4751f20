"""Each receipt as a file of its own, beside the log: copies for players and judges; the log is what counts."""

from pathlib import Path
from typing import NamedTuple

from deckcheck.registration.accept import receipt_file, receipt_page
from deckcheck.registration.log import PATIENCE, Log, read_entry
from deckcheck.registration.receipts import Entry, Receipt
from deckcheck.support.errors import UserError, wrong
from deckcheck.support.files import read_bytes, write_many
from deckcheck.support.messages import _

_MOST_ASIDE = 1000


class Written(NamedTuple):
    """How many files were written, and the numbers of those in whose place another receipt stood."""

    number: int
    aside: tuple[int, ...]


def write_receipts(log: Log, folder: Path) -> Written:
    """Write each receipt of the log into a file of its own, where it doesn't stand there already.

    All is on the disk when this returns. What a run that was cut off has left
    is taken away, and a file that is broken is written anew. A whole receipt that says
    something else than the log may be what proves that the log was rewritten: it is kept
    beside, where an audit finds it. Raises UserError where they can't be written.
    """
    from filelock import FileLock, Timeout

    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with FileLock(folder.with_name(f".{folder.name}.lock"), timeout=PATIENCE):
            for part in folder.glob(".*.part"):
                part.unlink(missing_ok=True)
            wanted = [
                (entry, receipt_file(folder, entry.number), receipt_page(entry).encode())
                for entry in log.entries
                if isinstance(entry.value, Receipt)
            ]
            stale = [one for one in wanted if not _stands(one[1], one[2])]
            aside = tuple(entry.number for entry, file, _unused in stale if _put_aside(file, entry))
            if stale:
                write_many(folder, {file.name: page for _unused, file, page in stale})
            return Written(len(stale), aside)
    except Timeout as error:
        raise wrong(
            _("another desk is writing the receipts"),
            path=str(folder),
            hint=_("wait a moment and try again"),
        ) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise wrong(_("can't be written: {reason}", reason=reason), path=str(folder)) from error


def _stands(file: Path, page: bytes) -> bool:
    try:
        return read_bytes(file, most=len(page)) == page
    except UserError:
        return False


def _put_aside(file: Path, entry: Entry) -> bool:
    """Whether a whole receipt stood there that says something else, and was given another name."""
    try:
        found = read_entry(file)
    except UserError:
        return False
    if found == entry:
        return False
    names = (
        file.with_name(f"{file.stem}.replaced{f'-{at}' if at > 1 else ''}.json")
        for at in range(1, _MOST_ASIDE)
    )
    free = next((one for one in names if not one.exists()), None)
    if free is None:
        raise OSError("too many receipts were put aside")
    file.rename(free)
    return True
