"""A piece of a file that remembers where it stands."""

from typing import Any, NamedTuple

from deckcheck.support.yamlfile import Document, Keys


class Placed(NamedTuple):
    """A piece of a file: its plain value and where it stands."""

    data: Any
    document: Document
    keys: Keys

    @property
    def place(self) -> str:
        """The shown path and the line."""
        return f"{self.document.path}:{self.document.line(self.keys)}"
