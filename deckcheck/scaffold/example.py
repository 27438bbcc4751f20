"""A deck to begin with, for a folder that has none."""

from deckcheck.batch import make_judge
from deckcheck.errors import UserError
from deckcheck.files import read_bytes, shipped
from deckcheck.opening import Wish
from deckcheck.walk import Found


def example_deck(format: str | None) -> tuple[str, bytes] | None:
    """Name and content of a bundled deck that is legal in the format that it names.

    That is the one of the id `format`, where one is asked for; None where
    there is no such deck.
    """
    judged = make_judge(Wish())
    for file in sorted(shipped("examples").iterdir()):
        try:
            report, _ = judged(Found(str(file)))
        except UserError:
            continue
        if report.verdict == "legal" and format in (None, report.format):
            return file.name, read_bytes(file)
    return None
