"""What all outputs share: how results look, the results of a run, and where findings are.

Each output has two functions. `record(report, options)` makes of one deck what the output needs of it, as
text or plain values; it runs where the deck is checked. `write(records, results, options, out)` writes them all; the
results are complete once it has taken the last record. Both are named after the output.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any, Literal, get_args

from msgspec import Struct

from deckcheck.model.deck import Deck
from deckcheck.model.finding import Finding, ListUsed, Report, Verdict
from deckcheck.model.format import RuleInfo
from deckcheck.support.errors import Problem

OutputFormat = Literal[
    "text", "json", "json-lines", "concise", "github", "gitlab", "junit", "sarif", "markdown"
]
OUTPUT_FORMATS: tuple[str, ...] = get_args(OutputFormat)

FOR_PEOPLE = frozenset({"text", "concise"})
"""The outputs that may be in the terminal's encoding; others are always UTF-8."""

ONLY_FINDINGS = frozenset({"concise", "gitlab", "junit", "sarif"})
"""The outputs that don't say which banlists and which of the user's own files were used."""

DESCRIBE_RULES = frozenset({"sarif"})
"""The outputs that need `Results.rules`."""

Write = Callable[[str], object]
"""Writes a text, like the method of a stream."""


class RenderOptions(Struct, frozen=True):
    """How results look: `width` is that of excerpts in cells.

    `lenient` shows missing card data as warnings; `brief` leaves out decks without findings, or with `verbose` shows them
    in a line; `verbose` also names the lists that were used one by one.
    """

    lang: str = "en"
    color: bool = False
    width: int = 100
    lenient: bool = False
    brief: bool = False
    verbose: bool = False


class Results:
    """The results of some decks or of a whole run.

    `failed` counts the lists that can't be checked because of `problems`, without the files that were `skipped`;
    `repairable` counts the decks that `deckcheck repair` can answer. `rules` are those of all formats, `own_facts` the cards judged by files of the user's own, by file.
    `records` has, for each deck, what each output of the run made of it.
    """

    def __init__(self) -> None:
        self.verdicts: Counter[Verdict] = Counter()
        self.failed = 0
        self.suppressed = 0
        self.repairable = 0
        self.records: list[tuple[Any, ...]] = []
        self.problems: dict[Problem, None] = {}
        self.lists: dict[ListUsed, None] = {}
        self.rules: dict[RuleInfo, None] = {}
        self.own_facts: dict[str, set[str]] = {}
        self.skipped: list[str] = []

    @property
    def decks(self) -> int:
        """How many decks were checked."""
        return self.verdicts.total()

    def add_report(self, report: Report) -> None:
        """Count a deck that was checked."""
        self.verdicts[report.verdict] += 1
        self.suppressed += len(report.suppressed)
        self.repairable += report.is_repairable
        self.lists |= dict.fromkeys(report.lists)

    def add(self, other: "Results") -> None:
        """Add the results of more decks, without their records: the caller keeps those that are needed."""
        self.verdicts += other.verdicts
        self.failed += other.failed
        self.suppressed += other.suppressed
        self.repairable += other.repairable
        self.problems |= other.problems
        self.lists |= other.lists
        self.rules |= other.rules
        for file, cards in other.own_facts.items():
            self.own_facts.setdefault(file, set()).update(cards)
        self.skipped += other.skipped


class Output(Struct, frozen=True):
    """The two functions of an output."""

    record: Callable[[Report, RenderOptions], Any]
    """What the output needs of one deck."""
    write: Callable[[Iterable[Any], Results, RenderOptions, Write], None]
    """Writes the records of all decks and what is said of the whole run."""


_MODULES = {
    "text": "text",
    "concise": "text",
    "json": "json",
    "json-lines": "json",
    "markdown": "markdown",
}
"""The modules of the outputs that aren't for services."""


def output_named(name: str) -> Output:
    """The output with that name of OUTPUT_FORMATS; it is loaded only now."""
    module = import_module(f"deckcheck.report.{_MODULES.get(name, 'github_gitlab_junit_sarif')}")
    ending = name.replace("-", "_")
    return Output(getattr(module, f"record_{ending}"), getattr(module, f"write_{ending}"))


# Where findings are


class Mark(Struct, frozen=True):
    """A stretch of a line: 1-based line and column, and how many code points. Column 0 is the whole line."""

    line: int
    column: int = 0
    length: int = 0


class Places:
    """Where the findings of a deck are in its list."""

    def __init__(self, deck: Deck) -> None:
        self._lines = deck.lines
        self._written = {(entry.line, entry.column): entry.written for entry in deck.entries}
        for diagnostic in deck.diagnostics:
            self._written[diagnostic.line, diagnostic.column] = diagnostic.written

    def of(self, finding: Finding) -> list[Mark]:
        """The marks of a finding, one per line, the primary one first; none for the deck as a whole."""
        if finding.line is None:
            return []
        firsts = {finding.line: finding.column or 1}
        for card in finding.cards:
            firsts.setdefault(card.line, card.column)
        return [self._mark(line, column) for line, column in firsts.items()]

    def _mark(self, line: int, column: int) -> Mark:
        name = self._written.get((line, column), "")
        # In YAML and JSON, a name may be written with escapes.
        as_written = 0 < line <= len(self._lines) and self._lines[line - 1].startswith(name, column - 1)
        return Mark(line, column, (len(name) or 1) if as_written else 1)


def line_of(report: Report, number: int) -> str:
    """A line of the list by its 1-based number; "" if there is none."""
    return report.deck.lines[number - 1] if 0 < number <= len(report.deck.lines) else ""
