"""Private links: by a random token, a player comes back to what was submitted on the event's page.

A link is a file beside the event's log, named by the hash of its token, that holds the ids of the player's
submissions. Whoever reads the files can't tell the tokens.
"""

import json
import re
import secrets
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from deckcheck.support.errors import user_error
from deckcheck.support.files import read_bytes, write_atomically
from deckcheck.support.messages import _

_TOKEN_BYTES = 16
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22}")
_MOST_SUBMISSIONS = 1_000


class Link(NamedTuple):
    """A private link with the ids of the player's submissions, oldest first."""

    token: str
    submissions: tuple[str, ...]


class Links:
    """The private links of an event, in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()

    def create(self, submission: str) -> Link:
        """A new link to a submission."""
        link = Link(secrets.token_urlsafe(_TOKEN_BYTES), (submission,))
        self._write(link)
        return link

    def add(self, token: str, submission: str) -> None:
        """Add a further submission of its player to the link. Raises UserError for too many."""
        with self._lock:
            link = self.find(token) or Link(token, ())
            if len(link.submissions) >= _MOST_SUBMISSIONS:
                raise user_error(_("this list was corrected too often; ask the organiser"))
            self._write(Link(token, (*link.submissions, submission)))

    def find(self, token: str) -> Link | None:
        """The link with this token; None if there is none."""
        file = self._file(token) if _TOKEN.fullmatch(token) else None
        if file is None or not file.is_file():
            return None
        hash, submissions = _read(file)
        # The name of a file is compared by the file system, in whatever time; its content is compared here.
        return Link(token, submissions) if secrets.compare_digest(hash, _hash(token)) else None

    def corrections(self) -> dict[str, str]:
        """For each submission that its player corrected, the one that the player sent last."""
        corrected: dict[str, str] = {}
        for file in sorted(self._folder.glob("*.json")):
            _hash_of_token, submissions = _read(file)
            corrected |= dict.fromkeys(submissions[:-1], submissions[-1])
        return corrected

    def _file(self, token: str) -> Path:
        return self._folder / f"{_hash(token)[:32]}.json"

    def _write(self, link: Link) -> None:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        content = {"link": _hash(link.token), "submissions": link.submissions}
        write_atomically(self._file(link.token), json.dumps(content).encode() + b"\n", durable=True)


def _read(file: Path) -> tuple[str, tuple[str, ...]]:
    """The hash of the token and the submissions in a link's file. Raises UserError if it was damaged."""
    try:
        content = json.loads(read_bytes(str(file)))
        return str(content["link"]), tuple(map(str, content["submissions"]))
    except (ValueError, KeyError, TypeError):
        raise user_error(_("not the file of a private link; remove it"), path=str(file)) from None


def _hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()
