"""What there is to tell of a rule: the model of `deckcheck rule`."""

from typing import NamedTuple

from deckcheck.model.finding import Report
from deckcheck.report.writer import RuleInfo
from deckcheck.support.messages import Words


class Example(NamedTuple):
    """A list that shows a rule.

    `path` is how messages name it, `note` what it shows in its own words.
    `lines` are shown as they are, where the list is short enough. `report`
    holds only the findings of the rule, None where there are none.
    """

    path: str
    note: Words
    lines: tuple[str, ...] = ()
    report: Report | None = None


class RulePage(NamedTuple):
    """A rule in one format; `title` is what the rule text is called."""

    info: RuleInfo
    title: str | None
    breaks: Example | None
    keeps: Example | None


class EnginePage(NamedTuple):
    """An id of the engine, with a list that has it told and the same list mended."""

    id: str
    breaks: Example | None
    keeps: Example | None
