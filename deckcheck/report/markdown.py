"""GitHub Flavored Markdown, for the summary of a job or a comment on a pull request.

Everything that comes from a file is shown as it is: no HTML, no link, no
picture and no mention comes of it. What GitHub takes for a comment has an
end, so the gravest decks come first and the rest is counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate

from deckcheck.model.finding import Finding, Report, Verdict
from deckcheck.report.escaping import markdown, markdown_code
from deckcheck.report.summary import render_lists, render_tally
from deckcheck.report.wording import LABELS, VERDICTS, label_of
from deckcheck.report.writer import Ending, Writer, place_of
from deckcheck.support.messages import Words, _, n_, series

MOST = 60_000
"""So many characters at most; GitHub takes 65,536, and whoever posts them may want to add a few."""

_MOST_IN_CELL = 500
_MOST_OF_PROBLEMS = 20_000
_MOST_OF_LISTS = 10_000
_RANKS: dict[Verdict, str] = {"illegal": "0", "undecided": "1", "legal": "2"}
_ROWS_FROM = 6


class MarkdownWriter(Writer):
    """A table for each deck of which there is something to tell; the others are only counted."""

    gathers = True

    def fragment(self, report: Report) -> str:
        if not report.findings and not report.suppressed:
            return ""
        # Before it how far up it goes: that is known in the end only.
        return _RANKS[report.verdict] + _block(self._section(report))

    def closing(self, ending: Ending) -> str:
        tally = render_tally(ending.tally, ending.failed, ending.suppressed, self.lang).strip()
        title = self._words(_("Deck check"))
        above = [f"## {title}\n\n**{tally}**\n", *self._problems(ending)]
        below = list(self._lists(ending))
        room = MOST - sum(len(part) + 1 for part in above + below) - 200
        sections = sorted((text for text in ending.texts if text), key=lambda text: text[0])
        return "\n".join([*above, *self._fitting(sections, room), *below])

    def _words(self, words: Words) -> str:
        return words.in_(self.lang)

    def _section(self, report: Report) -> Iterator[str]:
        """What there is to tell of one deck, line by line."""
        path = markdown_code(_cut(report.deck.path))
        verdict = VERDICTS[report.verdict]
        yield "### " + self._words(_("{path}: {verdict}", path=path, verdict=verdict))
        yield ""
        parts = (report.name, self._words(report.format_name), report.edition, report.as_of)
        yield self._words(series(_text(part) for part in parts if part))
        yield ""
        yield self._words(_("| Place | | Rule | Message |"))
        yield "| ---: | --- | --- | --- |"
        for finding in report.findings:
            label = LABELS[label_of(finding, self.options.lenient)]
            yield self._row(finding, label, finding.hint)
        for one in report.suppressed:
            yield self._row(one.finding, _("ignored"), one.reason)

    def _row(self, finding: Finding, label: Words, more: Words | str | None) -> str:
        place = self._words(_("deck")) if finding.line is None else str(finding.line)
        message = _text(self._with(finding.message, more))
        return f"| {place} | {self._words(label)} | {markdown_code(finding.rule)} | {message} |"

    def _with(self, text: Words, more: Words | str | None) -> str:
        return self._words(_("{text} ({more})", text=text, more=more) if more else text)

    def _fitting(self, sections: Iterable[str], room: int) -> Iterator[str]:
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
        if rows:
            missing = n_(
                "There is no room here for {rows:,} more in {n:,} deck.",
                "There is no room here for {rows:,} more in {n:,} decks.",
                decks,
                rows=rows,
            )
            yield self._words(missing) + "\n"

    def _problems(self, ending: Ending) -> Iterator[str]:
        rows = []
        for problem in ending.problems:
            place = markdown_code(_cut(place_of(problem.path, problem.line, problem.column)))
            rows.append(f"| {place} | {_text(self._with(problem.message, problem.hint))} |")
        if rows:
            heads = ["", self._words(_("| Place | Reason |")), "| --- | --- |"]
            yield self._titled(_("Could not be checked"), heads, rows, _MOST_OF_PROBLEMS)

    def _lists(self, ending: Ending) -> Iterator[str]:
        lines = render_lists(ending.lists, ending.held, self.lang, color=False).splitlines()[1:]
        # What stands beneath a list is set in beneath it here, too.
        items = [
            f"{' ' * (len(line) - len(line.lstrip(' ')) - 2)}- {_text(line.strip(' '))}" for line in lines
        ]
        if items:
            yield self._titled(_("Lists used"), [""], items, _MOST_OF_LISTS)

    def _titled(self, title: Words, heads: list[str], lines: list[str], room: int) -> str:
        """As many lines under a title as there is room for, and how many are missing."""
        shown = _fit(lines, room)
        more = len(lines) - shown
        missing = ["", self._words(_("and {number:,} more", number=more))] if more else []
        return _block([f"### {self._words(title)}", *heads, *lines[:shown], *missing])


def _text(text: str) -> str:
    return markdown(_cut(text))


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_IN_CELL else text[: _MOST_IN_CELL - 1] + "…"


def _fit(lines: Iterable[str], room: int) -> int:
    """How many of the lines, from the first on, fit into so many characters."""
    return sum(total <= room for total in accumulate(len(line) + 1 for line in lines))


def _block(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
