"""What all outputs share: the results of a run, the parts of an output, and the identity of a finding."""

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable
from importlib import import_module
from typing import Any, Literal, NamedTuple, get_args

from deckcheck.model.finding import Finding, ListUsed, Report, Verdict
from deckcheck.model.format import RuleInfo
from deckcheck.report.locations import line_of
from deckcheck.support.errors import Problem
from deckcheck.support.messages import Message, Words

OutputFormat = Literal[
    "text",
    "json",
    "json-lines",
    "concise",
    "github",
    "gitlab",
    "junit",
    "sarif",
    "markdown",
]

OUTPUT_FORMATS: tuple[str, ...] = get_args(OutputFormat)

_WRITERS = {
    "github": ("annotations", "GithubWriter"),
    "gitlab": ("annotations", "GitlabWriter"),
    "rdjson": ("annotations", "RdjsonWriter"),
    "json-lines": ("json", "JsonLinesWriter"),
    "concise": ("text", "ConciseWriter"),
    "statistics": ("text", "StatisticsWriter"),
}


class RenderOptions(NamedTuple):
    """How results look: `width` is that of excerpts in cells.

    `lenient` shows missing card data as warnings; `brief` leaves out decks without findings, or with `verbose` shows them
    in a line.
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
    `skipped`. `held` are cards of the decks with
    unapplied changes, `rules` those of all formats, `own_facts` the cards judged by files of the
    user's own, by file. `fragments` are what each writer of the run made of each deck, in a tuple;
    for a writer's `closing` they are what it gathered itself.
    """

    def __init__(self, size: int = 0) -> None:
        self.size = size
        self.verdicts: Counter[Verdict] = Counter()
        self.suppressed = 0
        self.fragments: list[Any] = []
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
        """Add the results of more decks, without their fragments: the caller keeps those if they are needed."""
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


class Writer(ABC):
    """One output format, made for one run: `opening`, the `fragment`s of decks with `separator`s, and `closing`.

    If the writer `gathers`, a fragment is a list of whatever `closing` needs of the deck to write them all. `exact` output
    is always UTF-8.
    """

    opening = ""
    separator = ""
    exact = True
    gathers = False
    wants_rules = False
    tells_own_facts = False

    def __init__(self, options: RenderOptions) -> None:
        self.options = options
        self.lang = options.lang
        self.lenient = options.lenient

    @abstractmethod
    def fragment(self, report: Report) -> Any:
        """The output for one deck, or what `closing` needs for it."""

    @abstractmethod
    def closing(self, results: Results) -> str:
        """The output after all decks."""


def make_writer(name: str, options: RenderOptions) -> Writer:
    """The writer of an output format of OUTPUT_FORMATS, or of "statistics"; it is loaded only now."""
    module, writer = _WRITERS.get(name, (name, f"{name.title()}Writer"))
    made: Writer = getattr(import_module(f"deckcheck.report.{module}"), writer)(options)
    return made


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
    """Yields the hashes in the same order, with a new one for each repetition."""
    counts: Counter[str] = Counter()
    found = []
    for known in identities:
        counts[known] += 1
        found.append(known if counts[known] == 1 else hash_of(known, counts[known]))
    return found


def hash_of(*parts: str | int | list[str] | None) -> str:
    """A hash of what identifies a finding. Bytes of a path that aren't text are escaped."""
    from deckcheck.support.hashes import digest

    return digest("finding", [_as_text(part) for part in parts])


def _as_text(part: object) -> object:
    if isinstance(part, list):
        return [_as_text(inner) for inner in part]
    return part.encode("utf-8", "backslashreplace").decode() if isinstance(part, str) else part
