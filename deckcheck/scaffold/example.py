"""A deck to begin with, for a folder that has none."""

from deckcheck.checking.session import CheckOptions, Session
from deckcheck.checking.walk import DeckFile
from deckcheck.support.errors import UserError
from deckcheck.support.files import read_bytes, shipped


def example_deck(format: str | None) -> tuple[str, bytes] | None:
    """Name and content of a bundled deck that is legal in the format that it names.

    That is the one of the id `format`, where one is asked for; None where
    there is no such deck.
    """
    session = Session(CheckOptions())
    for file in sorted(shipped("examples").iterdir()):
        try:
            report = session.open(DeckFile(str(file))).check()
        except UserError:
            continue
        if report.verdict == "legal" and format in (None, report.format):
            return file.name, read_bytes(file)
    return None
