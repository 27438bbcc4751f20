"""`deckcheck impact`: the decks whose results change between two days, with the banlist entries of their cards that changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.checking.deck_files import DeckFile
from deckcheck.checking.judge import LoadedFormat, check
from deckcheck.checking.many_lists import Item, for_each
from deckcheck.checking.session import CheckOptions, OpenedDeck, Session, graded_by
from deckcheck.formats.banlist_files import (
    Announcement,
    read_announcement,
    unused_announcement,
    with_announcement,
)
from deckcheck.model.banlist import FREE_STATUS, Banlist, BanlistEntry, Change, Sides, change_on
from deckcheck.model.finding import Finding, Report, Verdict, singly
from deckcheck.model.format import Source
from deckcheck.report.json import SCHEMA, TOOL, json_page, problem_object
from deckcheck.report.markdown import MOST, fitting, markdown, markdown_code
from deckcheck.report.screen import Progress
from deckcheck.report.text import Paint, painted_verdict, painter, with_deck_name
from deckcheck.report.wording import status_name
from deckcheck.report.writer import RenderOptions
from deckcheck.support.dates import day_of_option, today
from deckcheck.support.errors import Problem, UserError, placed_at, user_error
from deckcheck.support.messages import Words, _, message_object, n_, plain, series
from deckcheck.support.safe_text import safe

_MOST_FORMATS = 16

_SUMMARY = n_(
    "{n:,} deck: {other_verdict:,} with another verdict ({worse:,} worse), {other_findings:,} with other findings, {unchanged:,} unchanged",
    "{n:,} decks: {other_verdict:,} with another verdict ({worse:,} worse), {other_findings:,} with other findings, {unchanged:,} unchanged",
    0,
)


class Status(Struct, frozen=True):
    """A status in a banlist: its id in the game ("free" for none), and its name."""

    status: str
    name: Words


class ChangedEntry(Struct, frozen=True):
    """An entry of a banlist whose status differs between the two days.

    A combination has several `sides`. `since` and `source` are those of the change in force on the later day.
    """

    list: str
    list_name: Words
    sides: tuple[tuple[str, ...], ...]
    before: Status
    after: Status
    since: str
    source: Source

    @property
    def names(self) -> frozenset[str]:
        """The names of its cards."""
        return frozenset(name for side in self.sides for name in side)


class ChangedFinding(Struct, frozen=True):
    """A finding that only one of the days has, and the changed entries of its cards; `gained`: the later one."""

    finding: Finding
    gained: bool
    entries: tuple[ChangedEntry, ...]


class Impact(Struct, frozen=True):
    """A deck whose verdict or findings differ between the two days."""

    path: str
    name: str | None
    format: str
    format_name: Words
    before: Verdict
    after: Verdict
    findings: tuple[ChangedFinding, ...]

    @property
    def changes_verdict(self) -> bool:
        """Whether the verdict changes."""
        return self.before != self.after

    @property
    def worse(self) -> bool:
        """Whether the verdict gets worse."""
        return self.after.gravity > self.before.gravity


class Days(Struct, frozen=True):
    """The two days, as ISO dates, and the announcement that is added to the banlists for the later one."""

    before: str
    after: str
    announcement: Announcement | None = None


class Impacts(Struct, frozen=True):
    """The results of a run: `decks` is the number of checked decks, `failed` that of the others."""

    days: Days
    impacts: tuple[Impact, ...]
    decks: int
    failed: int = 0
    problems: tuple[Problem, ...] = ()

    @property
    def with_other_verdict(self) -> list[Impact]:
        """The decks with another verdict."""
        return [impact for impact in self.impacts if impact.changes_verdict]

    @property
    def with_other_findings(self) -> list[Impact]:
        """The decks with the same verdict and other findings."""
        return [impact for impact in self.impacts if not impact.changes_verdict]

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of decks by kind of change."""
        return {
            "decks": self.decks,
            "other_verdict": len(self.with_other_verdict),
            "worse": sum(impact.worse for impact in self.impacts),
            "other_findings": len(self.with_other_findings),
            "unchanged": self.decks - len(self.impacts),
            "not_checked": self.failed,
        }


# Finding the impact


class AnnouncementError(UserError):
    """The announcement itself can't be used, so no deck can be compared."""


def days_between(before: str | None, later: str) -> Days:
    """The days of the options --from (default: today) and --to, or the newest day of the announcement in that file.

    Raises UserError for days that make no sense, and for an announcement that can't be used.
    """
    first, announcement = before or today().isoformat(), None
    if later.lower().endswith((".yaml", ".yml")):
        announcement = read_announcement(later)
        last = announcement.newest
    else:
        last = day_of_option("--to", later, hint=_("the name of a banlist file must end in .yaml"))
    if first > last:
        raise user_error(
            _("--from: {before} is after {after}", before=first, after=last),
            hint=_("use --from to set the earlier day (default: today)") if before is None else None,
        )
    return Days(first, last, announcement)


def compare_lists(items: Sequence[Item], options: CheckOptions, days: Days, lang: str) -> Impacts:
    """The impacts on the lists of a run, with errors told. Raises UserError for an announcement that can't be used."""
    session, progress = Session(options), Progress(len(items), lang)
    results: list[Impact | None] = []
    lists: set[str] = set()

    # Bounded, since decks with their own cards have formats of their own.
    @lru_cache(_MOST_FORMATS)
    def transition(format: LoadedFormat) -> Transition:
        lists.update(banlist.id for banlist in format.format.banlists)
        return Transition(format, _announced(format, days.announcement), days)

    def work(file: DeckFile) -> None:
        opened = session.open(file)
        change = transition(opened.format)
        try:
            results.append(change.impact_on(opened))
        except UserError as error:
            raise placed_at(error, opened.deck.path) from error

    failed = for_each(items, progress, work, fatal=AnnouncementError)
    announcement = days.announcement
    if announcement is not None and results and announcement.banlist not in lists:
        raise unused_announcement(announcement, lists)
    impacts = tuple(impact for impact in results if impact is not None)
    return Impacts(days, impacts, len(results), failed, tuple(progress.problems))


def _announced(format: LoadedFormat, announcement: Announcement | None) -> LoadedFormat:
    """The format with the announced changes. Raises AnnouncementError if they can't be used."""
    if announcement is None:
        return format
    data, rules = format.game_data, format.format
    try:
        banlists = with_announcement(announcement, rules.banlists, data.game, data.catalog)
    except UserError as error:
        raise AnnouncementError(error.problems) from error
    return LoadedFormat(replace(rules, banlists=tuple(banlists)), data)


class Transition:
    """A format on both days, and the entries that change; the later banlists have all earlier entries."""

    def __init__(self, before: LoadedFormat, after: LoadedFormat, days: Days) -> None:
        self._before, self._after, self._days = before, after, days
        self.entries: list[ChangedEntry] = []
        earlier = _entries(before)
        for key, entry in _entries(after).items():
            first = change_on(earlier[key].history, days.before) if key in earlier else None
            last = change_on(entry.history, days.after)
            statuses = [FREE_STATUS if change is None else change.status for change in (first, last)]
            if statuses[0] != statuses[1]:
                self.entries.append(self._changed(after.format.banlists[key[0]], entry, *statuses))

    def _changed(self, banlist: Banlist, entry: BanlistEntry, *statuses: str) -> ChangedEntry:
        # This includes the change that freed a card.
        past = [change for change in entry.history if change.since <= self._days.after]
        last = past[-1] if past else Change("", FREE_STATUS, 0)
        source = Source(last.announcement or banlist.path, last.line)
        game = self._before.game_data.game
        before, after = (Status(id, status_name(id, game)) for id in statuses)
        sides = tuple(tuple(sorted(side)) for side in entry.sides)
        return ChangedEntry(banlist.id, banlist.name, sides, before, after, last.since, source)

    def impact_on(self, opened: OpenedDeck) -> Impact | None:
        """The impact on an opened deck; None without any. Raises UserError if it can't be checked."""
        before = _report_on(opened, self._before, self._days.before)
        after = _report_on(opened, self._after, self._days.after)
        earlier, later = _by_identity(before), _by_identity(after)
        findings = []
        for identity in dict.fromkeys((*earlier, *later)):
            lost, gained = earlier.get(identity, []), later.get(identity, [])
            if len(lost) != len(gained):
                is_gained = len(gained) > len(lost)
                finding = (gained if is_gained else lost)[0]
                findings.append(ChangedFinding(finding, is_gained, self._entries_of(finding, opened)))
        if not findings and before.verdict == after.verdict:
            return None
        return Impact(
            after.deck.path,
            after.name,
            after.format,
            after.format_name,
            before.verdict,
            after.verdict,
            tuple(findings),
        )

    def _entries_of(self, finding: Finding, opened: OpenedDeck) -> tuple[ChangedEntry, ...]:
        """The changed entries of the cards of a finding."""
        lines = {card.line for card in finding.cards}
        names = {card.name for entry in opened.deck.entries if entry.line in lines for card in entry.cards}
        return tuple(entry for entry in self.entries if not entry.names.isdisjoint(names))


def _entries(format: LoadedFormat) -> dict[tuple[int, Sides], BanlistEntry]:
    """The entries by the index of their banlist in the format, and their cards."""
    banlists = enumerate(format.format.banlists)
    return {(nth, entry.sides): entry for nth, banlist in banlists for entry in banlist.entries}


def _report_on(opened: OpenedDeck, format: LoadedFormat, as_of: str) -> Report:
    return graded_by(opened.settings, check(opened.deck, format, as_of=as_of, best_of=opened.best_of))


def _by_identity(report: Report) -> Mapping[tuple[object, ...], list[Finding]]:
    """The findings that aren't only for information, by what makes one the same on both days."""
    findings: dict[tuple[object, ...], list[Finding]] = defaultdict(list)
    # A finding superseded by the errors of one day is the same on the day without them.
    superseded = [item.finding for item in report.superseded if not item.by]
    for finding in (*singly(report.findings), *superseded):
        if finding.severity != "info":
            allowed = None if finding.allowed is None else tuple(finding.allowed.items())
            kind = (finding.rule, finding.severity, finding.verdict)
            place = (finding.line, finding.column, finding.zone)
            findings[*kind, *place, finding.cards, finding.found, allowed].append(finding)
    return findings


# Outputs


def render_json(impacts: Impacts, options: RenderOptions) -> str:
    """The results as JSON by schemas/impact.schema.json, changed verdicts first."""
    lang, announced = options.lang, impacts.days.announcement
    announcement = announced and {"path": announced.path, "banlist": announced.banlist}
    ordered = (*impacts.with_other_verdict, *impacts.with_other_findings)
    values = {
        "schema": SCHEMA,
        "tool": dict(TOOL),
        "days": {"from": impacts.days.before, "to": impacts.days.after, "announcement": announcement},
        "decks": [_deck_object(impact, lang) for impact in ordered],
        "errors": [problem_object(problem, lang) for problem in impacts.problems],
        "summary": impacts.counts,
    }
    return json_page(values)


def _deck_object(impact: Impact, lang: str) -> dict[str, Any]:
    return {
        "path": impact.path,
        "name": impact.name,
        "format": impact.format,
        "before": impact.before,
        "after": impact.after,
        "worse": impact.worse,
        "findings": [
            {
                "change": "gained" if changed.gained else "lost",
                "rule": changed.finding.rule,
                "severity": changed.finding.severity,
                **message_object(changed.finding.message, lang),
                "line": changed.finding.line,
                "source": plain(changed.finding.source, lang),
                "entries": plain(changed.entries, lang),
            }
            for changed in impact.findings
        ],
    }


Shown = Callable[[str], str]
"""Escapes text from files for an output."""


def _days(days: Days, lang: str, escape: Shown) -> str:
    line = f"{days.before} → {days.after}"
    if days.announcement is None:
        return line
    return _("{days} (announcement: {path})", days=line, path=escape(days.announcement.path)).in_(lang)


def _summary(impacts: Impacts, lang: str) -> str:
    """The summary of a run in words."""
    line = _SUMMARY.filled(n=impacts.decks, **impacts.counts)
    if impacts.failed:
        line = _("{summary} (and {failed:,} that could not be checked)", summary=line, failed=impacts.failed)
    return line.in_(lang)


def _verdict(impact: Impact, lang: str, paint: Paint, escape: Shown) -> str:
    """The verdict or its change, and the format."""
    verdicts = dict.fromkeys([impact.before, impact.after])
    verdict = " → ".join(painted_verdict(verdict, lang, paint) for verdict in verdicts)
    return _("{verdict} ({format})", verdict=verdict, format=escape(impact.format_name.in_(lang))).in_(lang)


def _finding(changed: ChangedFinding, lang: str, escape: Shown) -> str:
    finding = changed.finding
    text = f"{'+' if changed.gained else '−'} {escape(finding.rule)}: {escape(finding.message.in_(lang))}"
    if finding.line is None:
        return text
    return _("{finding} (line {line})", finding=text, line=finding.line).in_(lang)


def _entry(entry: ChangedEntry, lang: str, escape: Shown) -> str:
    """The cards of an entry and its change."""
    change = _(
        "{before} → {after} since {day}",
        before=escape(entry.before.name.in_(lang)),
        after=escape(entry.after.name.in_(lang)),
        day=entry.since,
    )
    cards = " + ".join(series(map(escape, side)).in_(lang) for side in entry.sides)
    return f"{cards}: {change.in_(lang)}"


def render_text(impacts: Impacts, options: RenderOptions) -> str:
    """The results as text for terminals, ending in a line feed."""
    lang, paint = options.lang, painter(options.color)
    lines = [_days(impacts.days, lang, safe), ""]
    for heading, decks in (
        (_("other verdict:"), impacts.with_other_verdict),
        (_("same verdict, other findings:"), impacts.with_other_findings),
    ):
        if decks:
            lines += [paint(heading.in_(lang), "dim"), ""]
        for impact in decks:
            lines += [*_deck_lines(impact, lang, paint), ""]
    return "".join(line + "\n" for line in [*lines, _summary(impacts, lang)])


def _deck_lines(impact: Impact, lang: str, paint: Paint) -> Iterator[str]:
    verdict = with_deck_name(impact.name, _verdict(impact, lang, paint, safe), lang)
    yield f"{paint(safe(impact.path) + ':', 'bold')} {verdict}"
    for changed in impact.findings:
        yield f"  {_finding(changed, lang, safe)}"
        for entry in changed.entries:
            yield f"      {_entry(entry, lang, safe)}"
            place, name = safe(entry.source.place), safe(entry.list_name.in_(lang))
            yield "        " + _("{list}, {place}", list=name, place=place).in_(lang)


def render_markdown(impacts: Impacts, options: RenderOptions) -> str:
    """The results as Markdown: tables of the decks with another verdict and with other findings, cut to fit."""
    lang = options.lang
    title = _("What the lists change").in_(lang)
    text = f"## {title}\n\n{_days(impacts.days, lang, markdown)}\n\n{_summary(impacts, lang)}\n"
    heads = _("| Deck | Verdict | Finding | Banlist entry |").in_(lang)
    for heading, decks in (
        (_("Other verdict"), impacts.with_other_verdict),
        (_("Same verdict, other findings"), impacts.with_other_findings),
    ):
        if decks:
            text += f"\n### {heading.in_(lang)}\n\n{heads}\n|---|---|---|---|\n"
            rows = [_rows(impact, lang) for impact in decks]
            fitting_rows = fitting(rows, MOST - len(text) - 200)
            text += "".join(rows[:fitting_rows])
            if fitting_rows < len(rows):
                more = n_("and {n:,} more deck", "and {n:,} more decks", len(rows) - fitting_rows)
                text += f"\n{more.in_(lang)}\n"
    return text


def _rows(impact: Impact, lang: str) -> str:
    deck = markdown_code(impact.path) + (f" {markdown(impact.name)}" if impact.name else "")
    # Only the first row names the deck.
    first, rows = (deck, _verdict(impact, lang, painter(False), markdown)), ""
    for changed in impact.findings:
        entries = [
            f"{_entry(entry, lang, markdown)} {markdown_code(entry.source.place)}"
            for entry in changed.entries
        ]
        rows += f"| {' | '.join((*first, _finding(changed, lang, markdown), '<br>'.join(entries)))} |\n"
        first = ("", "")
    return rows
