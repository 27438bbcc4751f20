"""What all outputs share: the results of a run, and the identity of a finding.

Each output is a module with two functions. `record(report, options)` makes of one deck what the output needs of it, as
text or plain values; it runs where the deck is checked. `write(records, results, options, out)` writes them all; the
results are complete once it has taken the last record.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any, Literal, NamedTuple, Protocol, cast, get_args

from deckcheck.model.finding import Finding, ListUsed, Report, Verdict
from deckcheck.model.format import RuleInfo
from deckcheck.report.locations import line_of
from deckcheck.support.errors import Problem
from deckcheck.support.hashes import digest
from deckcheck.support.messages import Message, Words

OutputFormat = Literal[
    "text", "json", "json-lines", "concise", "github", "gitlab", "junit", "sarif", "markdown"
]
OUTPUT_FORMATS: tuple[str, ...] = get_args(OutputFormat)

FOR_PEOPLE = frozenset({"text", "concise"})
"""The outputs that may be in the terminal's encoding; others are always UTF-8."""

TELL_OWN_FACTS = frozenset({"text", "json", "json-lines", "markdown"})
"""The outputs that say which cards were judged by the user's own files."""

TELL_OUTDATED_LISTS = frozenset(OUTPUT_FORMATS) - {"gitlab"}
"""The outputs that say whose banlists are only known through a day before that of a deck."""

DESCRIBE_RULES = frozenset({"sarif"})
"""The outputs that need `Results.rules`."""

Write = Callable[[str], object]
"""Writes a text, like the method of a stream."""


class RenderOptions(NamedTuple):
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

    `size` counts all decklists, also those that can't be checked because of `problems`, but not the files that were
    `skipped`. `held` are cards of the decks with unapplied changes, `rules` those of all formats, `own_facts` the cards
    judged by files of the user's own, by file. `records` has, for each deck, what each output of the run made of it.
    """

    def __init__(self, size: int = 0) -> None:
        self.size = size
        self.verdicts: Counter[Verdict] = Counter()
        self.suppressed = 0
        self.records: list[tuple[Any, ...]] = []
        self.problems: dict[Problem, None] = {}
        self.lists: dict[ListUsed, None] = {}
        self.rules: dict[RuleInfo, None] = {}
        self.held: set[str] = set()
        self.own_facts: dict[str, set[str]] = {}
        self.skipped: list[str] = []

    @property
    def decks(self) -> int:
        """How many decks were checked."""
        return self.verdicts.total()

    @property
    def failed(self) -> int:
        """How many could not be checked."""
        return self.size - self.decks

    def add(self, other: "Results") -> None:
        """Add the results of more decks, without their records: the caller keeps those that are needed."""
        self.size += other.size
        self.verdicts += other.verdicts
        self.suppressed += other.suppressed
        self.problems |= other.problems
        self.lists |= other.lists
        self.rules |= other.rules
        self.held |= other.held
        for file, cards in other.own_facts.items():
            self.own_facts.setdefault(file, set()).update(cards)
        self.skipped += other.skipped


class Output(Protocol):
    """A module of an output."""

    def record(self, report: Report, options: RenderOptions) -> Any:
        """What the output needs of one deck."""

    def write(self, records: Iterable[Any], results: Results, options: RenderOptions, out: Write) -> None:
        """Write the records of all decks and what is said of the whole run."""


def output_named(name: str) -> Output:
    """The output with that name of OUTPUT_FORMATS; it is loaded only now."""
    return cast(Output, import_module(f"deckcheck.report.{name.replace('-', '_')}"))


def problem_lines(problem: Problem, lang: str) -> list[str]:
    """The message of a problem and, if there is one, the hint."""
    return [text.in_(lang) for text in (problem.message, problem.hint) if text is not None]


def identity(finding: Finding, report: Report) -> str:
    """A hash of the rule and its subject, without places and counts, the same in every language."""
    names = sorted({card.name for card in finding.cards})
    about = names or line_of(report, finding.line or 0).strip()
    wording = re.sub(r"\d+", "#", _singular(finding.message).in_("en"))
    return hash_of(report.format, finding.rule, finding.zone, about, wording)


def _singular(words: Words) -> Words:
    """The words without plurals: one copy and several have different templates."""
    if not isinstance(words, Message):
        return words
    fields = tuple(
        (name, _singular(value) if isinstance(value, Message) else value) for name, value in words.fields
    )
    return words._replace(fields=fields, plural=None)


def numbered(identities: Iterable[str]) -> list[str]:
    """The hashes in the same order, with a new one for each repetition."""
    counts: Counter[str] = Counter()
    unique = []
    for known in identities:
        counts[known] += 1
        unique.append(known if counts[known] == 1 else hash_of(known, counts[known]))
    return unique


def hash_of(*parts: str | int | list[str] | None) -> str:
    """A hash of what identifies a finding. Bytes of a path that aren't text are escaped."""
    return digest("finding", [_as_text(part) for part in parts])


def _as_text(part: object) -> object:
    if isinstance(part, list):
        return [_as_text(inner) for inner in part]
    return part.encode("utf-8", "backslashreplace").decode() if isinstance(part, str) else part
