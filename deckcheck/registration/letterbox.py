"""The letters to players as files that nobody else can read, one a player."""

import re
from pathlib import Path

from deckcheck.registration.letters import letter
from deckcheck.registration.model import Event, Roster, Row
from deckcheck.registration.tables.told import is_unclear
from deckcheck.support.errors import wrong
from deckcheck.support.files import write_atomically
from deckcheck.support.messages import _

MARK = ".deckcheck-letters"
"""Stands in a folder of letters and names their event, so that nobody else's files are taken for letters."""

_LETTER = re.compile(r"\d{3,}\.txt")


def write_letters(roster: Roster, folder: Path) -> int:
    """Write a letter to every player, named by the number of the submission, and return how many there are.

    The folder is made where there is none. Letters of an earlier run that no
    longer hold are taken away. Raises UserError when the folder holds anything
    else, or can't be written.
    """
    event = roster.event
    letters = {
        f"{row.submission.number:03}.txt": letter(row, roster, _language(row, event))
        for row in _heads(roster)
    }
    try:
        _claim(folder, event)
        for file in folder.iterdir():
            if _LETTER.fullmatch(file.name) and file.name not in letters:
                file.unlink()
        for name, text in letters.items():
            write_atomically(folder / name, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        reason = error.strerror or str(type(error).__name__)
        raise wrong(_("can't be written: {reason}", reason=reason), path=str(folder)) from error
    return len(letters)


def _claim(folder: Path, event: Event) -> None:
    """Make the folder one of letters for this event alone. Raises UserError when it belongs to anything else."""
    if folder.is_dir():
        mark = folder / MARK
        if not mark.is_file():
            if any(folder.iterdir()):
                hint = _("name an empty or a new folder")
                raise wrong(
                    _("there are other files in this folder"),
                    path=str(folder),
                    hint=hint,
                )
        elif mark.read_bytes()[:1000].decode("utf-8", "replace").strip() != event.id:
            hint = _("name another folder for each event")
            raise wrong(
                _("these are another event's letters"),
                path=str(folder),
                hint=hint,
            )
    else:
        folder.mkdir(parents=True, mode=0o700)
    folder.chmod(0o700)
    write_atomically(folder / MARK, f"{event.id}\n".encode())


def _heads(roster: Roster) -> list[Row]:
    """The row of each player that stands for them; the first where nobody can tell."""
    heads: dict[int, Row] = {}
    for row in roster.rows:
        if row.counts or (is_unclear(row) and row.group not in heads):
            heads[row.group] = row
    return list(heads.values())


def _language(row: Row, event: Event) -> str:
    said = row.submission.player.language or event.language or "ja"
    return said if said in ("ja", "en") else "ja"
