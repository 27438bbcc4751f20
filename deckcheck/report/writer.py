"""What all outputs share: how results look, and the results of a run.

Each output is a module with two functions. `record(report, options)` makes of one deck what the output needs of it, as
text or plain values; it runs where the deck is checked. `write(records, results, options, out)` writes them all; the
results are complete once it has taken the last record. A variant has its own: "json-lines" `write_lines`, "concise"
also a `record_concise` of the text.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any, Literal, get_args

from msgspec import Struct

from deckcheck.model.finding import ListUsed, Report, Verdict
from deckcheck.model.format import RuleInfo
from deckcheck.support.errors import Problem

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

    `size` counts all decklists, also those that can't be checked because of `problems`, but not the files that were
    `skipped`. `rules` are those of all formats, `own_facts` the cards judged by files of the user's own, by file.
    `records` has, for each deck, what each output of the run made of it.
    """

    def __init__(self, size: int = 0) -> None:
        self.size = size
        self.verdicts: Counter[Verdict] = Counter()
        self.suppressed = 0
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
        for file, cards in other.own_facts.items():
            self.own_facts.setdefault(file, set()).update(cards)
        self.skipped += other.skipped


class Output(Struct, frozen=True):
    """The two functions of an output."""

    record: Callable[[Report, RenderOptions], Any]
    """What the output needs of one deck."""
    write: Callable[[Iterable[Any], Results, RenderOptions, Write], None]
    """Writes the records of all decks and what is said of the whole run."""


class _Place(Struct, frozen=True):
    """Where the functions of an output are."""

    module: str
    record: str = "record"
    write: str = "write"


_PLACES = {
    "json-lines": _Place("json", write="write_lines"),
    "concise": _Place("text", "record_concise", "write_concise"),
}
"""The outputs that share a module with another one."""


def output_named(name: str) -> Output:
    """The output with that name of OUTPUT_FORMATS; it is loaded only now."""
    place = _PLACES.get(name, _Place(name))
    module = import_module(f"deckcheck.report.{place.module}")
    return Output(getattr(module, place.record), getattr(module, place.write))


def problem_lines(problem: Problem, lang: str) -> list[str]:
    """The message of a problem and, if there is one, the hint."""
    return [text.in_(lang) for text in (problem.message, problem.hint) if text is not None]
