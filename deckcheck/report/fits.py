"""In which formats a deck is legal: the model of `deckcheck which`."""

from collections.abc import Sequence
from typing import NamedTuple

from deckcheck.model.finding import Finding, Report, Verdict
from deckcheck.support.messages import Words


class InGame(NamedTuple):
    """A list read as a deck of one game, in every format of that game.

    `reports` stand legal first, then undecided, then illegal, those with the
    fewest errors first. `told` is what every format finds alike, since it is
    about the list and not about the format: names that nobody knows, lines
    that can't be read, a wrong total.
    """

    game: str
    name: Words
    told: tuple[Finding, ...]
    reports: tuple[Report, ...]


class Fits(NamedTuple):
    """A list in the formats of every game that knows one of its cards.

    `said` is the format that the list names itself, which counts for nothing here.
    """

    path: str
    said: str | None
    games: tuple[InGame, ...]

    @property
    def verdict(self) -> Verdict:
        """Legal where some format calls it so, else undecided where one leaves it open."""
        verdicts = {report.verdict for game in self.games for report in game.reports}
        return "legal" if "legal" in verdicts else "undecided" if "undecided" in verdicts else "illegal"


def apart(report: Report, told: Sequence[Finding]) -> tuple[Finding, ...]:
    """What the report finds beyond what was told of the list as such."""
    known = {same(finding) for finding in told}
    return tuple(finding for finding in report.findings if same(finding) not in known)


def in_the_way(report: Report, told: Sequence[Finding]) -> tuple[Finding, ...]:
    """What keeps the deck from being legal in this format, sure errors first; of a legal one its warnings."""
    found = apart(report, told)
    if report.verdict == "legal":
        return tuple(finding for finding in found if finding.severity == "warning")
    errors = [finding for finding in found if finding.severity == "error"]
    return tuple(sorted(errors, key=lambda finding: finding.verdict != "violated"))


def sure_errors(report: Report) -> int:
    """How many errors make the deck illegal."""
    return sum(one.severity == "error" and one.verdict == "violated" for one in report.findings)


def same(finding: Finding) -> tuple[str, int | None, int | None, str]:
    """What two findings share that tell the same."""
    return finding.rule, finding.line, finding.column, finding.message.ja
