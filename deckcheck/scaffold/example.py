"""A deck to begin with, for a folder that has none."""

from deckcheck.checking.batch import make_judge
from deckcheck.checking.session import Wish
from deckcheck.checking.walk import DeckFile
from deckcheck.support.errors import UserError
from deckcheck.support.files import read_bytes, shipped


def example_deck(format: str | None) -> tuple[str, bytes] | None:
    """Name and content of a bundled deck that is legal in the format that it names.

    That is the one of the id `format`, where one is asked for; None where
    there is no such deck.
    """
    judged = make_judge(Wish())
    for file in sorted(shipped("examples").iterdir()):
        try:
            report, _ = judged(DeckFile(str(file)))
        except UserError:
            continue
        if report.verdict == "legal" and format in (None, report.format):
            return file.name, read_bytes(file)
    return None
