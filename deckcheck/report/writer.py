"""What an output format is: how one deck is told, and what stands before, between and after the decks.

Each format is a module beside this one with a function `make_writer(look)`;
none knows another. See outputs.py for their names.
"""

from collections.abc import Callable
from typing import NamedTuple

from deckcheck.model.finding import ListUsed, Report
from deckcheck.model.rule import Severity, Source
from deckcheck.report.closing import Tally
from deckcheck.support.errors import Problem
from deckcheck.support.messages import Words


class Look(NamedTuple):
    """How results are to look.

    `lang` is "ja" or "en"; `width` is how many cells an excerpt may take.
    `lenient` shows what is unknown as a warning, `brief` tells a deck without
    findings in one line.
    """

    lang: str = "en"
    color: bool = False
    width: int = 100
    lenient: bool = False
    brief: bool = False


class RuleInfo(NamedTuple):
    """A rule of a format that was used, for formats that describe their rules.

    `summary` says in words what it asks, a sentence a clause.
    """

    format: str
    format_name: Words
    id: str
    severity: Severity
    summary: Words
    cite: str | None
    source: Source


class Ending(NamedTuple):
    """What the end of a run tells of all decks together.

    `failed` counts lists that could not be checked, for the reasons in
    `problems`. `held` names cards in the decks of which a list tells a change
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


class Writer(NamedTuple):
    """One output format, made for one run.

    The output is `opening`, then the `fragment` of each deck with `separator`
    between two of them, then `closing`. A writer that `gathers` gets all
    fragments at the end instead, and they are written only as `closing` says.
    `exact` output is UTF-8 whatever the terminal's encoding.
    """

    fragment: Callable[[Report], str]
    closing: Callable[[Ending], str]
    opening: str = ""
    separator: str = ""
    exact: bool = True
    gathers: bool = False
    wants_rules: bool = False
