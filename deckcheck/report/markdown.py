"""GitHub Flavored Markdown, for the summary of a job or a comment on a pull request.

Everything that comes from a file is shown as it is: no HTML, no link, no
picture and no mention comes of it. What GitHub takes for a comment has an
end, so the gravest decks come first and the rest is counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate

from deckcheck.model.finding import Finding, Report, Verdict
from deckcheck.report.closing import render_lists, render_tally
from deckcheck.report.labels import LABELS, VERDICTS, label_of
from deckcheck.report.markup import code, inline
from deckcheck.report.writer import Ending, Look, Writer
from deckcheck.support.errors import Problem
from deckcheck.support.messages import _

MOST = 60_000
"""So many characters at most; GitHub takes 65,536, and whoever posts them may want to add a few."""

_MOST_IN_CELL = 500
_MOST_OF_PROBLEMS = 20_000
_MOST_OF_LISTS = 10_000
_RANKS: dict[Verdict, str] = {"illegal": "0", "undecided": "1", "legal": "2"}
_HEAD = _("Deck check")
_COLUMNS = _("| Place | | Rule | Message |")
_RULER = "| ---: | --- | --- | --- |"
_ROWS_FROM = 6
_WHOLE = _("deck")
_IGNORED = _("ignored")
_NOT_CHECKED = _("Could not be checked")
_PROBLEM_COLUMNS = _("| Place | Reason |")
_LISTS = _("Lists used")


def make_writer(look: Look) -> Writer:
    """A table for each deck of which there is something to tell; the others are only counted."""

    def fragment(report: Report) -> str:
        if not report.findings and not report.suppressed:
            return ""
        # Before it how far up it goes: that is known in the end only.
        return _RANKS[report.verdict] + _block(_section(report, look))

    return Writer(fragment, lambda ending: _closing(ending, look.lang), gathers=True)


def _section(report: Report, look: Look) -> Iterator[str]:
    lang = look.lang
    verdict = VERDICTS[report.verdict].in_(lang)
    yield f"### {_path(report.deck.path)}{'：' if lang == 'ja' else ': '}{verdict}"
    yield ""
    parts = (report.name, report.format_name.in_(lang), report.edition, report.as_of)
    yield ("・" if lang == "ja" else ", ").join(_text(part) for part in parts if part)
    yield ""
    yield _COLUMNS.in_(lang)
    yield _RULER
    for one in report.findings:
        label = LABELS[label_of(one, look.lenient)].in_(lang)
        hint = "" if one.hint is None else one.hint.in_(lang)
        yield _row(one, label, _with(one.message.in_(lang), hint, lang), lang)
    for left in report.suppressed:
        said = _with(left.finding.message.in_(lang), left.reason, lang)
        yield _row(left.finding, _IGNORED.in_(lang), said, lang)


def _row(finding: Finding, label: str, message: str, lang: str) -> str:
    place = _WHOLE.in_(lang) if finding.line is None else str(finding.line)
    return f"| {place} | {label} | {code(finding.rule)} | {_text(message)} |"


def _with(text: str, more: str, lang: str) -> str:
    if not more:
        return text
    return _("{text} ({more})", text=text, more=more).in_(lang)


def _text(text: str) -> str:
    return inline(_cut(text))


def _path(text: str) -> str:
    return code(_cut(text))


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_IN_CELL else text[: _MOST_IN_CELL - 1] + "…"


def _closing(ending: Ending, lang: str) -> str:
    tally = render_tally(ending.tally, ending.failed, ending.suppressed, lang).strip()
    parts = [f"## {_HEAD.in_(lang)}\n\n**{tally}**\n", *_problems(ending.problems, lang)]
    below = list(_lists(ending, lang))
    room = MOST - sum(len(part) + 1 for part in parts + below) - 200
    parts += _fitting(sorted((text for text in ending.texts if text), key=lambda text: text[0]), room, lang)
    return "\n".join(parts + below)


def _fitting(sections: Iterable[str], room: int, lang: str) -> Iterator[str]:
    """The sections as far as there is room, the last one cut between two rows; then how much is missing."""
    rows = decks = 0
    for section in sections:
        lines = section[1:].splitlines()
        head, table = lines[:_ROWS_FROM], lines[_ROWS_FROM:]
        room -= sum(len(line) + 1 for line in head) + 1
        # Nothing comes after what was cut, be it ever so short.
        shown = 0 if rows else _fit(table, room)
        room -= sum(len(line) + 1 for line in table[:shown])
        if shown:
            yield _block(head + table[:shown])
        if shown < len(table):
            rows += len(table) - shown
            decks += 1
    if rows and lang == "ja":
        yield f"ここに載せきれない指摘が、デッキ{decks:,}件に{rows:,}件あります。\n"
    elif rows:
        yield f"There is no room here for {rows:,} more in {decks:,} {'deck' if decks == 1 else 'decks'}.\n"


def _problems(problems: Iterable[Problem], lang: str) -> Iterator[str]:
    rows = []
    for one in problems:
        place = ":".join(str(part) for part in (one.path, one.line, one.column) if part)
        hint = "" if one.hint is None else one.hint.in_(lang)
        rows.append(f"| {_path(place)} | {_text(_with(one.message.in_(lang), hint, lang))} |")
    if rows:
        head = [f"### {_NOT_CHECKED.in_(lang)}", "", _PROBLEM_COLUMNS.in_(lang), "| --- | --- |"]
        shown = _fit(rows, _MOST_OF_PROBLEMS)
        yield _block(head + rows[:shown] + _more(len(rows) - shown, lang))


def _lists(ending: Ending, lang: str) -> Iterator[str]:
    told = render_lists(ending.lists, ending.held, lang, color=False).splitlines()[1:]
    # What stands beneath a list is set in beneath it here, too.
    items = [f"{' ' * (len(line) - len(line.lstrip(' ')) - 2)}- {_text(line.strip(' '))}" for line in told]
    if items:
        shown = _fit(items, _MOST_OF_LISTS)
        yield _block([f"### {_LISTS.in_(lang)}", "", *items[:shown], *_more(len(items) - shown, lang)])


def _fit(lines: Iterable[str], room: int) -> int:
    """How many of the lines, from the first on, fit into so many characters."""
    return sum(total <= room for total in accumulate(len(line) + 1 for line in lines))


def _more(number: int, lang: str) -> list[str]:
    return ["", _("and {number:,} more", number=number).in_(lang)] if number else []


def _block(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
