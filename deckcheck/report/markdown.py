"""GitHub Flavored Markdown, for the summary of a job or a comment on a pull request.

Text from files is shown as it is. A comment's length is limited, so the gravest decks come first; the rest are counted.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from itertools import accumulate

from msgspec import Struct

from deckcheck.model.finding import Finding, Report, Verdict
from deckcheck.report.results import RenderOptions, Results, Write
from deckcheck.report.text import list_in_brief, own_lines, render_tally
from deckcheck.report.wording import LABELS, VERDICTS, hint_of, label_of
from deckcheck.support.messages import Words, _, n_, series, shortened
from deckcheck.support.safe_text import cut, safe

MOST = 60_000
"""The most characters; GitHub takes 65,536, so there is room for a few more words."""

_MOST_IN_CELL = 500
_MOST_PLACES = 40
_MOST_BESIDE = 15_000
"""The most characters for the lists that could not be checked, and for the banlists."""

# The syntax of Markdown in a line, and of GitHub's and GitLab's links, mentions, pictures and formulas.
_READ_BY_MARKDOWN = re.compile(
    r"[\\`*_{}\[\]<>|~&@$#^]|[!%]\w|//|\w\.\w|:[\w+-]+:|\bGH-\d|\b[0-9a-f]{7}|\b(?:mailto|xmpp):"
    r"|^(?:[-+=]|\d+[.)])|^\s|\s$|\s\s"
)


def markdown(text: str) -> str:
    """`text` for a line or a cell of a table: as it is, or as code if Markdown would interpret something in it."""
    visible = safe(text)
    return markdown_code(visible) if _READ_BY_MARKDOWN.search(visible) else visible


def markdown_code(text: str) -> str:
    """`text` as code, in which nothing is interpreted."""
    # In a table, bars end a cell even within code, so they are put between pieces of code.
    return r"\|".join(_code_span(part) for part in safe(text).split("|"))


def _code_span(text: str) -> str:
    if not text:
        return ""
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    # One blank at each end is removed when the code is shown, unless it has only blanks.
    room = " " if text.strip(" ") and (text[0] in "` " or text[-1] in "` ") else ""
    return f"{fence}{room}{text}{room}{fence}"


class _Section(Struct, frozen=True):
    """A deck: its heading with the head of its table, and the table's rows."""

    verdict: Verdict
    head: list[str]
    rows: list[str]


def record_markdown(report: Report, options: RenderOptions) -> _Section | None:
    """The section of a deck with findings; None for any other, which is only counted."""
    lang = options.lang
    rows = [
        _row(finding, LABELS[label_of(finding, options.lenient)], hint_of(finding), lang)
        for finding in report.findings
    ]
    rows += [_row(ignored.finding, _("ignored"), ignored.reason, lang) for ignored in report.suppressed]
    if not rows:
        return None
    path, verdict = markdown_code(cut(report.deck.path, _MOST_IN_CELL)), VERDICTS[report.verdict]
    parts = (report.name, report.format_name.in_(lang), report.edition, report.as_of)
    head = [
        "### " + _("{path}: {verdict}", path=path, verdict=verdict).in_(lang),
        "",
        series(_text(part) for part in parts if part).in_(lang),
        "",
        *_repair(report, lang),
        _("| Place | | Rule | Message |").in_(lang),
        "| ---: | --- | --- | --- |",
    ]
    return _Section(report.verdict, head, rows)


def write_markdown(
    records: Iterable[_Section | None], results: Results, options: RenderOptions, out: Write
) -> None:
    """Write the tally and a table for each deck with findings, the gravest first, as far as there is room."""
    lang = options.lang
    sections = sorted((one for one in records if one), key=lambda section: -section.verdict.gravity)
    tally = render_tally(results, lang).strip()
    title = _("Deck check").in_(lang)
    unchecked = [
        f"| {markdown_code(cut(problem.place, _MOST_IN_CELL))} | "
        f"{_text(_with(problem.message, problem.hint).in_(lang))} |"
        for problem in results.problems
    ]
    heads = ["", _("| Place | Reason |").in_(lang), "| --- | --- |"]
    lists = [f"- {_text(list_in_brief(used).in_(lang))}" for used in results.lists]
    above = [f"## {title}\n\n**{tally}**\n", *_titled(_("Could not be checked"), heads, unchecked, lang)]
    after = _titled(_("Lists used"), [""], lists, lang)
    after += [f"{_text(line)}\n" for line in own_lines(results, lang)]
    room = MOST - sum(len(part) + 1 for part in above + after) - 200
    out("\n".join([*above, *_fitting_sections(sections, room, lang), *after]))


def _repair(report: Report, lang: str) -> list[str]:
    """The command that finds a small change to an illegal deck."""
    deck = report.deck
    if not report.is_repairable or deck.path == "-":
        return []
    is_format_known = "format" in deck.header or report.chosen_by is not None
    options = [] if is_format_known else ["--format", report.format]
    command = markdown_code(shlex.join(["deckcheck", "repair", deck.path, *options]))
    return [_("A small change that makes it legal: {command}", command=command).in_(lang), ""]


def _row(finding: Finding, label: Words, more: Words | str | None, lang: str) -> str:
    lines = dict.fromkeys(part.line for part in finding.parts or (finding,))
    place = (_("deck") if finding.line is None else shortened([*lines], _MOST_PLACES)).in_(lang)
    message = _text(_with(finding.message, more).in_(lang))
    return f"| {place} | {label.in_(lang)} | {markdown_code(finding.rule)} | {message} |"


def _with(text: Words, more: Words | str | None) -> Words:
    return _("{text} ({more})", text=text, more=more) if more else text


def _fitting_sections(sections: Iterable[_Section], room: int, lang: str) -> Iterator[str]:
    """Yields the sections that fit, the last one cut between two rows, then a note on how much is missing."""
    missing = decks = 0
    for section in sections:
        room -= sum(len(line) + 1 for line in section.head) + 1
        # Nothing is shown after a cut, however short.
        count = 0 if missing else fitting(section.rows, room)
        room -= sum(len(line) + 1 for line in section.rows[:count])
        if count:
            yield _block(section.head + section.rows[:count])
        if count < len(section.rows):
            missing += len(section.rows) - count
            decks += 1
    if missing:
        note = n_(
            "There is no room here for {rows:,} more in {n:,} deck.",
            "There is no room here for {rows:,} more in {n:,} decks.",
            decks,
            rows=missing,
        )
        yield note.in_(lang) + "\n"


def _titled(title: Words, heads: list[str], lines: list[str], lang: str) -> list[str]:
    """A title with as many lines as fit, and the number of missing ones; nothing without lines."""
    if not lines:
        return []
    count = fitting(lines, _MOST_BESIDE)
    more = len(lines) - count
    missing = ["", _("and {number:,} more", number=more).in_(lang)] if more else []
    return [_block([f"### {title.in_(lang)}", *heads, *lines[:count], *missing])]


def _text(text: str) -> str:
    return markdown(cut(text, _MOST_IN_CELL))


def fitting(lines: Iterable[str], room: int) -> int:
    """How many of the lines, from the first one, fit into `room` characters."""
    return sum(total <= room for total in accumulate(len(line) + 1 for line in lines))


def _block(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
