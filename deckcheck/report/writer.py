"""What an output format is: how one deck is written, and what stands before, between and after the decks.

Each format is a class in a module beside this one; none knows another.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from importlib import import_module
from typing import Literal, NamedTuple, get_args

from deckcheck.model.finding import ListUsed, Report, Verdict
from deckcheck.model.format import RuleInfo
from deckcheck.support.errors import Problem

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
    "text": ("text", "TextWriter"),
    "json": ("json", "JsonWriter"),
    "json-lines": ("json", "JsonLinesWriter"),
    "concise": ("concise", "ConciseWriter"),
    "statistics": ("statistics", "StatisticsWriter"),
    "github": ("github", "GithubWriter"),
    "gitlab": ("gitlab", "GitlabWriter"),
    "junit": ("junit", "JunitWriter"),
    "sarif": ("sarif", "SarifWriter"),
    "rdjson": ("rdjson", "RdjsonWriter"),
    "markdown": ("markdown", "MarkdownWriter"),
}


class RenderOptions(NamedTuple):
    """How results are to look.

    `lang` is "ja" or "en"; `width` is how many cells an excerpt may take.
    `lenient` shows what is unknown as a warning, `brief` writes a deck without
    findings in one line.
    """

    lang: str = "en"
    color: bool = False
    width: int = 100
    lenient: bool = False
    brief: bool = False


class Tally(NamedTuple):
    """How many decks of a run got which verdict."""

    legal: int = 0
    illegal: int = 0
    undecided: int = 0

    @property
    def decks(self) -> int:
        """All of them."""
        return sum(self)

    def plus(self, other: "Tally") -> "Tally":
        """Both together."""
        return Tally(*(mine + more for mine, more in zip(self, other, strict=True)))


def tally_of(verdicts: Iterable[Verdict]) -> Tally:
    """The tally of some verdicts."""
    given = list(verdicts)
    return Tally(given.count("legal"), given.count("illegal"), given.count("undecided"))


class Ending(NamedTuple):
    """What the end of a run says of all decks together.

    `failed` counts lists that could not be checked, for the reasons in
    `problems`. `held` names cards in the decks for which a list knows a change
    that was not applied. `rules` are those of every format that was used,
    where the writer asked for them, `texts` what `fragment` made, where it
    gathers them.
    """

    tally: Tally = Tally()
    failed: int = 0
    suppressed: int = 0
    lists: tuple[ListUsed, ...] = ()
    problems: tuple[Problem, ...] = ()
    held: frozenset[str] = frozenset()
    rules: tuple[RuleInfo, ...] = ()
    texts: tuple[str, ...] = ()

    @property
    def lines(self) -> list[str]:
        """The lines of all texts, for writers whose fragments are rows."""
        return [line for text in self.texts for line in text.splitlines()]


class Writer(ABC):
    """One output format, made for one run.

    The output is `opening`, then the `fragment` of each deck with `separator`
    between two of them, then `closing`. A writer that `gathers` gets all
    fragments at the end instead, and they are written only as `closing` says.
    `exact` output is UTF-8 whatever the terminal's encoding.
    """

    opening = ""
    separator = ""
    exact = True
    gathers = False
    wants_rules = False

    def __init__(self, options: RenderOptions) -> None:
        self.options = options
        self.lang = options.lang

    @abstractmethod
    def fragment(self, report: Report) -> str:
        """What is written of one deck."""

    @abstractmethod
    def closing(self, ending: Ending) -> str:
        """What is written once all decks are done."""


def make_writer(name: str, options: RenderOptions) -> Writer:
    """The writer of an output format of OUTPUT_FORMATS, or of "statistics"; it is loaded only now."""
    module, writer = _WRITERS[name]
    made: Writer = getattr(import_module(f"deckcheck.report.{module}"), writer)(options)
    return made


def problem_lines(problem: Problem, lang: str) -> list[str]:
    """What is wrong, and what to do about it."""
    texts = [problem.message] if problem.hint is None else [problem.message, problem.hint]
    return [text.in_(lang) for text in texts]


def place_of(path: str | None, line: int | None, column: int | None) -> str:
    """`path:line:column` as far as they are known."""
    return ":".join(str(part) for part in (path, line, column) if part)
