"""Players' private links: by a random token, a player comes back to what was submitted on the event's page.

A link is a file beside the event's log, named by the hash of its token, that holds the ids of the player's
submissions. Whoever reads the files can't tell the tokens.
"""

import re
import secrets
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Annotated

from msgspec import DecodeError, Meta, Struct, json

from deckcheck.support.errors import user_error
from deckcheck.support.files import read_bytes, write_atomically
from deckcheck.support.messages import _

_TOKEN_BYTES = 16
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22}")
_MOST_SUBMISSIONS = 1_000


class _Link(Struct, frozen=True):
    """What the file of a link holds: the hash of its token, and the player's submissions, oldest first."""

    link: str
    submissions: Annotated[tuple[str, ...], Meta(min_length=1)]


class Links:
    """The private links of an event, in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()

    def create(self, submission: str) -> str:
        """The token of a new link to a submission."""
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        self._write(token, (submission,))
        return token

    def add(self, token: str, submission: str) -> None:
        """Add a further submission of its player to the link. Raises UserError for too many."""
        with self._lock:
            submissions = self.find(token)
            if len(submissions) >= _MOST_SUBMISSIONS:
                raise user_error(_("this list was corrected too often; ask the organiser"))
            self._write(token, (*submissions, submission))

    def find(self, token: str) -> tuple[str, ...]:
        """The submissions of the link with this token, oldest first; () if there is none."""
        file = self._file(token) if _TOKEN.fullmatch(token) else None
        if file is None or not file.is_file():
            return ()
        link = _read_link(file)
        # The name of a file is compared by the file system, in whatever time; its content is compared here.
        return link.submissions if secrets.compare_digest(link.link, _hash(token)) else ()

    def chains(self) -> list[tuple[str, ...]]:
        """The submissions of each link, oldest first: the last one is what its player sent last."""
        return [_read_link(file).submissions for file in sorted(self._folder.glob("*.json"))]

    def _file(self, token: str) -> Path:
        return self._folder / f"{_hash(token)[:32]}.json"

    def _write(self, token: str, submissions: tuple[str, ...]) -> None:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        content = json.format(json.encode(_Link(_hash(token), submissions)), indent=0)
        write_atomically(self._file(token), content + b"\n", durable=True)


def _read_link(file: Path) -> _Link:
    """The content of a link's file. Raises UserError if it was damaged."""
    try:
        return json.decode(read_bytes(str(file)), type=_Link)
    except DecodeError:
        raise user_error(_("not the file of a private link; remove it"), path=str(file)) from None


def _hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()
