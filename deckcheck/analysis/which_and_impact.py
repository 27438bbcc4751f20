"""`deckcheck which` and `deckcheck impact`: what lists are in every format, and what becomes of them between two days."""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.checking.deck_files import DeckFile
from deckcheck.checking.judge import LoadedFormat, check, read_deck
from deckcheck.checking.many_lists import Item, for_each
from deckcheck.checking.session import CheckOptions, OpenedDeck, Session, games_that_know
from deckcheck.formats.banlist_files import (
    Announcement,
    read_announcement,
    unused_announcement,
    with_announcement,
)
from deckcheck.model.banlist import FREE_STATUS, Banlist, BanlistEntry, Change, Sides, change_on
from deckcheck.model.deck import Deck
from deckcheck.model.finding import (
    ENGINE_IDS,
    INFOS,
    Finding,
    FindingId,
    ListUsed,
    Report,
    State,
    Verdict,
    singly,
)
from deckcheck.model.format import Severity, Source
from deckcheck.model.game import Game
from deckcheck.report.findings import list_used
from deckcheck.report.json import json_answer
from deckcheck.report.markdown import MOST, fitting, markdown, markdown_code
from deckcheck.report.results import RenderOptions
from deckcheck.report.suppressions import graded
from deckcheck.report.text import Progress, answer, outdated_lines
from deckcheck.report.wording import status_name
from deckcheck.support.dates import day_of_option, today
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.messages import Words, _, fields_of, message_object, series
from deckcheck.support.safe_text import safe
from deckcheck.support.terminal import show


class FormatMatch(Struct, frozen=True):
    """A deck in one format; the `findings` that are common to all formats of the game aren't among them."""

    format: str
    name: Words
    edition: str | None
    verdict: Verdict
    findings: tuple[Finding, ...]
    suppressed: int

    @property
    def errors(self) -> int:
        """The number of errors that make the deck illegal."""
        return _violations(self.findings)

    @property
    def obstacles(self) -> list[list[Finding]]:
        """By rule, the errors that make the deck not legal, violations first; for a legal deck its warnings."""
        wanted = Severity.WARNING if self.verdict == Verdict.LEGAL else Severity.ERROR
        by_rule: dict[str, list[Finding]] = {}
        for finding in sorted(self.findings, key=_is_violation, reverse=True):
            if finding.severity == wanted:
                by_rule.setdefault(finding.rule, []).append(finding)
        return list(by_rule.values())


class GameMatches(Struct, frozen=True):
    """A list read as a deck of one game, in every format of that game, by verdict and number of errors.

    `common` are the findings about the list itself, `cards` is the number of cards.
    """

    game: str
    name: Words
    as_of: str
    cards: int
    common: tuple[Finding, ...]
    formats: tuple[FormatMatch, ...]


class FormatMatches(Struct, frozen=True):
    """The results of a list in all formats of the games that know its cards; its own format has no influence.

    The verdict is the best of all formats, `lists` are the banlists in use.
    """

    path: str
    name: str | None
    own_format: str | None
    verdict: Verdict
    games: tuple[GameMatches, ...]
    lists: tuple[ListUsed, ...]


def _is_violation(finding: Finding) -> bool:
    return finding.severity == Severity.ERROR and finding.verdict == State.VIOLATED


def _violations(findings: Iterable[Finding]) -> int:
    return sum(map(_is_violation, findings))


def identity_of(finding: Finding) -> tuple[str, int | None, int | None, Words]:
    """What makes a finding the same in every format."""
    return finding.rule, finding.line, finding.column, finding.message


def which(
    text: str,
    path: str,
    formats: Sequence[LoadedFormat],
    options: CheckOptions,
    decks: Mapping[str, Deck],
) -> FormatMatches:
    """The list checked by each of the formats, by game; the game that knows most of its cards comes first.

    `decks` is the list as each game reads it. The options override the list, which overrides the settings. Games that
    know far fewer cards than another one are left out. Raises UserError for a list that is empty or has no known card.
    """
    settings = options.settings.for_deck(path)
    by_game: dict[str, list[LoadedFormat]] = {}
    for format in formats:
        by_game.setdefault(format.format.game, []).append(format)
    known = {
        game: sum(bool(entry.cards) for entry in decks[game].entries)
        for game in games_that_know(decks)
        if game in by_game
    }
    if not known:
        raise _no_deck(path, list(decks.values()))
    games = []
    lists: dict[ListUsed, None] = {}
    for game in sorted(known, key=lambda id: (-known[id], id)):
        reports, suggested = list[Report](), list[Report]()
        for format in by_game[game]:
            deck = read_deck(format, text, path, options.notation)
            as_of, best_of = options.unless_written(deck, settings)
            report = check(deck, format, as_of=as_of, best_of=best_of)
            reports.append(graded(report, settings.grading))
            suggested += reports[-1:] if format.format.suggested else []
        # Those that nearly any cards fit are named only if no other one fits.
        if any(report.verdict != Verdict.ILLEGAL for report in suggested):
            reports = suggested
        reports.sort(key=lambda report: (report.verdict.gravity, _violations(report.findings), report.format))
        lists |= {used: None for report in reports for used in report.lists}
        games.append(_game_matches(by_game[game][0].game_data.game, decks[game], reports))
    best = min((game.formats[0].verdict for game in games), key=lambda verdict: verdict.gravity)
    own_formats = (deck.header.get("format") for deck in decks.values())
    return FormatMatches(
        path,
        decks[games[0].game].header.get("deck"),
        next(filter(None, own_formats), None),
        best,
        tuple(games),
        tuple(lists),
    )


def _game_matches(game: Game, deck: Deck, reports: Sequence[Report]) -> GameMatches:
    """The reports on a deck by the formats of one game, in order, with what is common to them told once."""
    in_all = set.intersection(*(set(map(identity_of, report.findings)) for report in reports))
    about_list = ENGINE_IDS - INFOS - {FindingId.PARTIAL_BANLIST}
    common = {
        identity_of(finding): finding
        for finding in reports[0].findings
        if finding.rule in about_list and identity_of(finding) in in_all
    }
    formats = tuple(
        FormatMatch(
            report.format,
            report.format_name,
            report.edition,
            report.verdict,
            tuple(finding for finding in report.findings if identity_of(finding) not in common),
            len(report.suppressed),
        )
        for report in reports
    )
    cards = sum(entry.copies for entry in deck.entries)
    return GameMatches(game.id, game.name, reports[0].as_of, cards, tuple(common.values()), formats)


def _no_deck(path: str, decks: Sequence[Deck]) -> UserError:
    unknown = next((deck for deck in decks if deck.entries or deck.diagnostics), None)
    if unknown is None:
        return user_error(_("no card is listed here"), path=path)
    names = [_("{name!r}", name=entry.written) for entry in unknown.entries[:3]]
    hint = _("not in the card table: {names}", names=series(names)) if names else None
    return user_error(_("no card is known here"), path=path, hint=hint)


def write_matches(
    items: Sequence[Item],
    session: Session,
    look: RenderOptions,
    *,
    is_text: bool,
    check_options: Sequence[str] = (),
) -> set[Verdict] | None:
    """Write the formats of each list as text or JSON; `check_options` are added to the suggested command.

    Returns the best verdicts; None if a list couldn't be read, or might be legal in a format that can't be tried.
    """
    progress = Progress(len(items), look.lang, quiet=not is_text)
    done: list[FormatMatches] = []

    def work(deck: DeckFile) -> None:
        matches = session.with_text(deck, matches_of)
        if is_text:
            progress.clear()
            show(("\n" if done else "") + matches_text(matches, look, check_options))
        done.append(matches)

    def matches_of(file: DeckFile, text: str, path: str) -> FormatMatches:
        decks = session.read_in_games(file, text, path)
        # If no game knows a card, the problems of formats may say why, such as a wrong file of cards.
        wanted = games_that_know(decks) or None
        formats, problems = session.loader(*file.cards).playable_formats(wanted)
        progress.write_messages(problems)
        return which(text, path, formats, session.options, decks)

    failed = for_each(items, progress, work)
    if not is_text:
        # By schemas/which.schema.json.
        answers = {"decks": done, "errors": [*progress.problems]}
        show(json_answer(answers, look.lang, in_line=True), exact=True)
    verdicts = {matches.verdict for matches in done}
    is_incomplete = failed or (progress.problems and verdicts != {Verdict.LEGAL})
    return None if is_incomplete else verdicts


def matches_text(matches: FormatMatches, look: RenderOptions, check_options: Sequence[str] = ()) -> str:
    """The formats with the obstacles in each as text; `check_options` are added to the suggested command."""
    command = ["deckcheck", "check", safe(matches.path), "--format", "ID", *map(safe, check_options)]
    return answer(
        "which.txt",
        look,
        matches=matches,
        outdated=outdated_lines(matches.lists, look.lang),
        command=shlex.join(command),
    )


# Impact

_MOST_FORMATS = 16

_MOST_AROUND = 5000
"""Room for the Markdown around the rows."""


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

    def to_dict(self, lang: str) -> dict[str, Any]:
        """The finding as plain values."""
        return {
            "change": "gained" if self.gained else "lost",
            **fields_of(self.finding, ("rule", "severity"), lang),
            **message_object(self.finding.message, lang),
            **fields_of(self.finding, ("line", "source"), lang),
            "entries": self.entries,
        }


class Impact(Struct, frozen=True):
    """A deck whose verdict or findings differ between the two days."""

    path: str
    name: str | None
    format: str
    format_name: Words
    before: Verdict
    after: Verdict
    findings: tuple[ChangedFinding, ...]

    def to_dict(self, lang: str) -> dict[str, Any]:
        """The deck as plain values."""
        return fields_of(self, ("path", "name", "format", "before", "after", "worse", "findings"), lang)

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

    def to_dict(self, lang: str) -> dict[str, Any]:
        """The days as plain values."""
        announced = self.announcement and fields_of(self.announcement, ("path", "banlist"), lang)
        return {"from": self.before, "to": self.after, "announcement": announced}


class Impacts(Struct, frozen=True):
    """The results of a run, changed verdicts first: `decks` is the number of checked decks, `failed` that of the others."""

    days: Days
    impacts: tuple[Impact, ...]
    decks: int
    failed: int = 0
    problems: tuple[Problem, ...] = ()
    lists: tuple[ListUsed, ...] = ()
    """The banlists on the later day."""

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of decks by kind of change."""
        other_verdict = sum(impact.changes_verdict for impact in self.impacts)
        return {
            "decks": self.decks,
            "other_verdict": other_verdict,
            "worse": sum(impact.worse for impact in self.impacts),
            "other_findings": len(self.impacts) - other_verdict,
            "unchanged": self.decks - len(self.impacts),
            "not_checked": self.failed,
        }


def days_between(before: str | None, later: str) -> Days:
    """The days of the options --from (default: today) and --to, or the newest day of the announcement in that file.

    Raises UserError for days that make no sense, and for an announcement that can't be used.
    """
    first, announcement = before or today().isoformat(), None
    if later.lower().endswith((".yaml", ".yml")):
        announcement = read_announcement(later)
        last = str(announcement.newest.data)
    else:
        last = day_of_option("--to", later, hint=_("the name of a banlist file must end in .yaml"))
    if first > last:
        message = _("--from: {before} is after {after}", before=first, after=last)
        hint = _("use --from to set the earlier day (default: today)") if before is None else None
        newest = None if announcement is None else announcement.newest
        raise UserError([Problem(message, hint=hint) if newest is None else newest.problem(message, hint)])
    return Days(first, last, announcement)


def compare_lists(items: Sequence[Item], session: Session, days: Days, lang: str) -> Impacts:
    """The impacts on the lists of a run, with errors told. Raises UserError for an announcement that no list is for."""
    progress = Progress(len(items), lang)
    results: list[Impact | None] = []
    lists: dict[str, ListUsed] = {}

    # Bounded, since decks with their own cards have formats of their own.
    @lru_cache(_MOST_FORMATS)
    def transition(format: LoadedFormat) -> Transition:
        data, after = format.game_data, format.format
        if days.announcement is not None:
            changed = with_announcement(days.announcement, after.banlists, data.game, data.catalog)
            after = replace(after, banlists=changed)
        lists.update((banlist.id, list_used(banlist, data.game, days.after)) for banlist in after.banlists)
        return Transition(format, LoadedFormat(after, data), days)

    def work(file: DeckFile) -> None:
        opened = session.open(file)
        results.append(transition(opened.format).impact_on(opened))

    failed = for_each(items, progress, work)
    announcement = days.announcement
    if announcement is not None and results and announcement.banlist not in lists:
        raise unused_announcement(announcement, lists)
    impacts = [impact for impact in results if impact is not None]
    impacts.sort(key=lambda impact: not impact.changes_verdict)
    return Impacts(
        days, tuple(impacts), len(results), failed, tuple(progress.problems), tuple(lists.values())
    )


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
        before = replace(opened, format=self._before, as_of=self._days.before).check()
        after = replace(opened, format=self._after, as_of=self._days.after).check()
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


def render_json(impacts: Impacts, options: RenderOptions) -> str:
    """The results as JSON by schemas/impact.schema.json."""
    values = {
        "days": impacts.days,
        "decks": impacts.impacts,
        "lists": impacts.lists,
        "errors": impacts.problems,
        "summary": impacts.counts,
    }
    return json_answer(values, options.lang)


def render_text(impacts: Impacts, options: RenderOptions) -> str:
    """The results as text for terminals, ending in a line feed."""
    outdated = outdated_lines(impacts.lists, options.lang)
    return answer("impact.txt", options, impacts=impacts, outdated=outdated)


def render_markdown(impacts: Impacts, options: RenderOptions) -> str:
    """The results as Markdown: tables of the decks with another verdict and with other findings, cut to fit."""
    look = replace(options, color=False)

    def written(template: str, **fields: Any) -> str:
        return answer(template, look, escape=markdown, code=markdown_code, **fields)

    rows = [written("impact-rows.txt", impact=impact) for impact in impacts.impacts]
    most = fitting(rows, MOST - _MOST_AROUND)
    verdicts = impacts.counts["other_verdict"]
    tables = [
        {"rows": rows[: min(most, verdicts)], "more": max(verdicts - most, 0)},
        {"rows": rows[verdicts:most], "more": len(rows) - max(most, verdicts)},
    ]
    outdated = outdated_lines(impacts.lists, options.lang)
    return written("impact-markdown.txt", impacts=impacts, tables=tables, outdated=outdated)
