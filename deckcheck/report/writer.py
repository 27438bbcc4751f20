"""What all outputs share: the results of a run, how an output is put together, and where findings are."""

import os
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from deckcheck.model.deck import Deck
from deckcheck.model.finding import Finding, ListUsed, Report, Verdict
from deckcheck.model.format import RuleInfo
from deckcheck.report.wording import authority_of
from deckcheck.support.errors import Problem
from deckcheck.support.files import with_slashes
from deckcheck.support.messages import Message, Words, _

OutputFormat = Literal[
    "text",
    "json",
    "json-lines",
    "concise",
    "github",
    "gitlab",
    "junit",
    "sarif",
    "rdjson",
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
_ROOTS = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")


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
    for a writer's `closing` they are its own.
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

    If the writer `gathers`, fragments are whatever `closing` needs to write them all. `exact` output is always UTF-8.
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
        """What is written of one deck, or what `closing` needs of it."""

    @abstractmethod
    def closing(self, results: Results) -> str:
        """What is written once all decks are done."""


def make_writer(name: str, options: RenderOptions) -> Writer:
    """The writer of an output format of OUTPUT_FORMATS, or of "statistics"; it is loaded only now."""
    module, writer = _WRITERS.get(name, (name, f"{name.title()}Writer"))
    made: Writer = getattr(import_module(f"deckcheck.report.{module}"), writer)(options)
    return made


def problem_lines(problem: Problem, lang: str) -> list[str]:
    """The message of a problem and, if there is one, the hint."""
    return [text.in_(lang) for text in (problem.message, problem.hint) if text is not None]


def place_of(path: str | None, line: int | None, column: int | None) -> str:
    """`path:line:column` as far as they are known."""
    return ":".join(str(part) for part in (path, line, column) if part)


class Mark(NamedTuple):
    """A stretch of a line: 1-based line and column, and how many code points. Column 0 is the whole line."""

    line: int
    column: int = 0
    length: int = 0


def marks(finding: Finding, deck: Deck) -> list[Mark]:
    """The places of a finding in the list, one per line, the primary one first; none for the deck as a whole."""
    if finding.line is None:
        return []
    firsts = {finding.line: finding.column or 1}
    for card in finding.cards:
        firsts.setdefault(card.line, card.column)
    written = {(entry.line, entry.column): entry.written for entry in deck.entries}
    written |= {(diagnostic.line, diagnostic.column): diagnostic.written for diagnostic in deck.diagnostics}
    found = []
    for line, column in firsts.items():
        name = written.get((line, column), "")
        # In YAML and JSON a name may be written otherwise than it reads.
        as_written = 0 < line <= len(deck.lines) and deck.lines[line - 1].startswith(name, column - 1)
        found.append(Mark(line, column, (len(name) or 1) if as_written else 1))
    return found


def line_of(report: Report, number: int) -> str:
    """A line of the list by its 1-based number; "" where there is none."""
    return report.deck.lines[number - 1] if 0 < number <= len(report.deck.lines) else ""


def related_places(finding: Finding, report: Report, lang: str) -> Iterator[tuple[str, str, Mark]]:
    """The other places of a finding, each with a message ("" for none) and its path: further cards, then sources."""
    for mark in marks(finding, report.deck)[1:]:
        card = next(card for card in finding.cards if card.line == mark.line)
        copies = _("{card}: {copies}", card=card.name, copies=card.copies)
        yield copies.in_(lang), report.deck.path, mark
    if finding.source is not None:
        authority = authority_of(finding.cite, report.title)
        yield authority.in_(lang) if authority else "", finding.source.path, Mark(finding.source.line)
    for related in finding.related:
        yield related.message.in_(lang), related.path, Mark(related.line)


def from_root(path: str) -> str:
    """`path` from the root of the repository, if CI names it, else from the working folder, with forward slashes.

    A path outside of both stays as it is.
    """
    if path == "-":
        return path
    roots = [os.environ[name] for name in _ROOTS if os.environ.get(name)]
    # Links stay as they are.
    whole, *above = (Path(os.path.abspath(each)) for each in (path, *roots, os.curdir))  # noqa: PTH100
    for root in above:
        if whole.is_relative_to(root):
            return whole.relative_to(root).as_posix()
    return with_slashes(os.path.normpath(path))


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
    """The same hashes in the same order, with a new one in place of each repetition."""
    counts: Counter[str] = Counter()
    found = []
    for known in identities:
        counts[known] += 1
        found.append(known if counts[known] == 1 else hash_of(known, counts[known]))
    return found


def hash_of(*parts: str | int | list[str] | None) -> str:
    """A hash of what tells one finding from others. Bytes of a path that are no text are escaped."""
    from deckcheck.support.hashes import digest

    return digest("finding", [_as_text(part) for part in parts])


def _as_text(part: object) -> object:
    if isinstance(part, list):
        return [_as_text(inner) for inner in part]
    return part.encode("utf-8", "backslashreplace").decode() if isinstance(part, str) else part
