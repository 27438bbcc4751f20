"""A list that stays secret until it is opened: a commitment now, the list and its salt later."""

from typing import NamedTuple

from deckcheck.report.violation import Verdict


class Seal(NamedTuple):
    """What is told of a secret list.

    `commitment` is a SHA-256 in hex; `verdict` is what the one who sealed the
    list says of it, by the format with the id `format` (its content hash in
    `format_hash`) on the day `as_of`.
    """

    commitment: str
    verdict: Verdict
    game: str
    format: str
    format_hash: str
    as_of: str
