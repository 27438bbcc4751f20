"""`deckcheck impact`: the decks whose results change with the banlists between two days, and the entries responsible.

The effect of the banlists is the difference between the later day and the same day with the earlier banlists.
The effect of one entry is the difference if it alone changes, or else if all others do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple

from deckcheck.checking.deck_files import DeckFile
from deckcheck.checking.judge import LoadedFormat, check
from deckcheck.checking.session import CheckOptions, OpenedDeck, Session, graded_by
from deckcheck.formats.banlist_files import AnnouncedChange, Announcement, with_announcement
from deckcheck.model.banlist import FREE_STATUS, Banlist, BanlistEntry, Change, Sides, change_on
from deckcheck.model.finding import CardAt, Finding, Report, Verdict, singly
from deckcheck.model.format import Source
from deckcheck.report.findings import card_at
from deckcheck.report.json import SCHEMA, TOOL, json_line, json_list, message_object, plain, problem_object
from deckcheck.report.markdown import MOST, fitting, markdown, markdown_code
from deckcheck.report.text import Paint, painted_verdict, painter, with_deck_name
from deckcheck.report.wording import status_name
from deckcheck.report.writer import RenderOptions
from deckcheck.support.errors import Problem, UserError, placed_at
from deckcheck.support.messages import AND, Words, _, n_, series
from deckcheck.support.safe_text import safe

MOST_FORMATS = 16
MOST_HYPOTHETICAL = 256

_SUMMARY = n_(
    "{n:,} deck: {other_verdict:,} with another verdict ({worse:,} worse), {other_findings:,} with other findings, {unchanged:,} unchanged",
    "{n:,} decks: {other_verdict:,} with another verdict ({worse:,} worse), {other_findings:,} with other findings, {unchanged:,} unchanged",
    0,
)
_GRAVITY: tuple[Verdict, ...] = (Verdict.LEGAL, Verdict.UNDECIDED, Verdict.ILLEGAL)


class Status(NamedTuple):
    """A status in a banlist: its id in the game ("free" for none), and its name."""

    status: str
    name: Words


class Effect(NamedTuple):
    """An entry of a banlist whose status differs between the two days, and its effect on a deck.

    A combination has several `sides`. `since` and `source` are those of the change in force on the later day.
    `cards` are those of the entry in the deck; `gained` and `lost` are rules with findings added or removed.
    """

    list: str
    list_name: Words
    sides: tuple[tuple[str, ...], ...]
    before: Status
    after: Status
    since: str
    source: Source
    cards: tuple[CardAt, ...] = ()
    gained: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    decides: bool = False


class FindingChange(NamedTuple):
    """A finding that is added (`gained`) or removed and affects the verdict."""

    finding: Finding
    gained: bool

    @property
    def source(self) -> Source | None:
        """The line of the rule rather than of a banlist, which only names the card."""
        for place in self.finding.related[:1]:
            return Source(place.path, place.line)
        return self.finding.source


class Impact(NamedTuple):
    """A deck with another verdict on the later day, or with the same verdict and other findings because of `effects`."""

    path: str
    name: str | None
    format: str
    format_name: Words
    before: Verdict
    after: Verdict
    effects: tuple[Effect, ...]
    others: tuple[FindingChange, ...]

    @property
    def changes_verdict(self) -> bool:
        """Whether the verdict changes."""
        return self.before != self.after

    @property
    def worse(self) -> bool:
        """Whether the verdict gets worse."""
        return _GRAVITY.index(self.after) > _GRAVITY.index(self.before)


class Days(NamedTuple):
    """The two days, as ISO dates, and the announcement that is added to the banlists for the later one."""

    before: str
    after: str
    announcement: Announcement | None = None


class Impacts(NamedTuple):
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


class Comparison:
    """Compares decks on two days, which override all other dates; `lists` are the ids of the banlists so far."""

    def __init__(self, options: CheckOptions, days: Days) -> None:
        self._session = Session(options)
        self._days = days
        # Bounded, since decks with their own cards have formats of their own.
        self.transition = lru_cache(MOST_FORMATS)(self._make_transition)
        self.lists: set[str] = set()

    def compare(self, file: DeckFile) -> Impact | None:
        """The impact on a deck; None without any. Raises UserError, or AnnouncementError for an unusable announcement."""
        opened = self._session.open(file)
        transition = self.transition(opened.format)
        try:
            impact = transition.impact_on(opened)
        except UserError as error:
            raise placed_at(error, self._session.options.shown_name(file.path)) from error
        return impact

    def _make_transition(self, format: LoadedFormat) -> Transition:
        self.lists.update(banlist.id for banlist in format.format.banlists)
        banlists: Sequence[Banlist] = format.format.banlists
        if self._days.announcement is not None:
            data = format.game_data
            try:
                banlists = with_announcement(self._days.announcement, banlists, data.game, data.catalog)
            except UserError as error:
                raise AnnouncementError(error.problems) from error
        return Transition(format, _with_lists(format, banlists), self._days)


def _with_lists(format: LoadedFormat, banlists: Sequence[Banlist]) -> LoadedFormat:
    return LoadedFormat(format.format._replace(banlists=tuple(banlists)), format.game_data)


Key = tuple[int, Sides]
"""The key of an entry: the index of its banlist in the format, and its cards."""


def _entries(format: LoadedFormat) -> dict[Key, BanlistEntry]:
    banlists = enumerate(format.format.banlists)
    return {(at, entry.sides): entry for at, banlist in banlists for entry in banlist.entries}


_Sign = tuple[object, ...]
"""The identity of a finding across days, without its words and the line of the rule."""
_Signs = Mapping[_Sign, list[Finding]]


def _by_sign(report: Report) -> _Signs:
    by_sign: dict[_Sign, list[Finding]] = defaultdict(list)
    # A finding superseded by the errors of one day is the same on the day without them.
    superseded = [item.finding for item in report.superseded if not item.by]
    for finding in (*singly(report.findings), *superseded):
        allowed = None if finding.allowed is None else tuple(finding.allowed.items())
        place = (finding.line, finding.column, finding.zone)
        kind = (finding.rule, finding.severity, finding.verdict)
        by_sign[*kind, place, finding.cards, finding.found, allowed].append(finding)
    return by_sign


class Transition:
    """A format on both days, and the entries that change; the later banlists have all earlier entries."""

    def __init__(self, before: LoadedFormat, after: LoadedFormat, days: Days) -> None:
        self.before = before
        self.after = after
        self.days = days
        self.hypothetical = lru_cache(MOST_HYPOTHETICAL)(self._make_hypothetical)
        self.moves: dict[Key, Effect] = {}
        # Only the change in force on the earlier day; none for a free card.
        self._earlier: dict[Key, tuple[Change, ...]] = {}
        earlier = _entries(before)
        for key, entry in _entries(after).items():
            first = change_on(earlier[key].history, days.before) if key in earlier else None
            last = change_on(entry.history, days.after)
            ids = [FREE_STATUS if change is None else change.status for change in (first, last)]
            if ids[0] != ids[1]:
                self._earlier[key] = () if first is None else (first,)
                self.moves[key] = self._move(after.format.banlists[key[0]], entry, *ids)

    def _move(self, banlist: Banlist, entry: BanlistEntry, *statuses: str) -> Effect:
        # This includes the change that freed a card.
        past = [change for change in entry.history if change.since <= self.days.after]
        last = past[-1] if past else Change("", FREE_STATUS, 0)
        announced = self.days.announcement if isinstance(last, AnnouncedChange) else None
        source = Source(banlist.path if announced is None else announced.path, last.line)
        game = self.before.game_data.game
        before, after = (Status(id, status_name(id, game)) for id in statuses)
        names = tuple(tuple(sorted(side)) for side in entry.sides)
        return Effect(banlist.id, banlist.name, names, before, after, last.since, source)

    def impact_on(self, opened: OpenedDeck) -> Impact | None:
        """The impact on an opened deck; None without any. Raises UserError if it can't be checked."""
        before = _report_on(opened, self.before, self.days.before)
        after = _report_on(opened, self.after, self.days.after)
        if not before.findings and not after.findings:
            return None
        return _Causes(self, opened, before, after).impact()

    def _make_hypothetical(self, moved: frozenset[Key]) -> LoadedFormat:
        """The format on the later day if only these entries had changed."""
        banlists = list(self.after.format.banlists)
        for at, sides in self.moves.keys() - moved:
            undone = BanlistEntry(sides, self._earlier[at, sides])
            entries = (undone if entry.sides == sides else entry for entry in banlists[at].entries)
            banlists[at] = banlists[at]._replace(entries=tuple(entries))
        return _with_lists(self.after, banlists)


def _report_on(opened: OpenedDeck, format: LoadedFormat, as_of: str) -> Report:
    report = check(opened.deck, format, as_of=as_of, best_of=opened.best_of)
    return graded_by(opened.settings, report)


class _Causes:
    """The findings of a deck that differ between two reports, and the cause of each."""

    def __init__(self, transition: Transition, opened: OpenedDeck, before: Report, after: Report) -> None:
        self._every = transition.moves.keys()
        self._before = before
        self._after = after
        self._entries = [entry for entry in opened.deck.entries if entry.most]
        names = {card.name for entry in self._entries for card in entry.cards}
        # Moves with cards of the deck.
        self._moves = {
            key: move for key, move in transition.moves.items() if not all(map(names.isdisjoint, move.sides))
        }
        self._earlier = _by_sign(before)
        self._later = _by_sign(after)
        self._hypothetical = cache(
            lambda moved: _by_sign(_report_on(opened, transition.hypothetical(moved), after.as_of))
        )

    def impact(self) -> Impact | None:
        """The impact on the deck with its causes; None without any."""
        before, after = self._before, self._after
        signs = dict.fromkeys([*self._earlier, *self._later])
        differ = [sign for sign in signs if len(self._earlier[sign]) != len(self._later[sign])]
        causes: dict[Key, list[FindingChange]] = defaultdict(list)
        others = []
        for sign in differ:
            gained = len(self._later[sign]) > len(self._earlier[sign])
            difference = FindingChange((self._later if gained else self._earlier)[sign][0], gained)
            keys, has_other_cause = self._causes_of(sign)
            for key in keys:
                causes[key].append(difference)
            if has_other_cause and self._decides(difference):
                others.append(difference)
        effects = [self._effect(move, causes[key]) for key, move in self._moves.items() if key in causes]
        impact = Impact(
            after.deck.path,
            after.name,
            after.format,
            after.format_name,
            before.verdict,
            after.verdict,
            tuple(effects),
            tuple(others),
        )
        return impact if effects or impact.changes_verdict else None

    def _count(self, sign: _Sign, keys: Collection[Key]) -> int:
        """The number of such findings on the later day if only these entries change."""
        return len(self._hypothetical(frozenset(keys))[sign])

    def _causes_of(self, sign: _Sign) -> tuple[list[Key], bool]:
        """The entries that add or remove such a finding, and whether there is another cause too."""
        if not self._moves:
            return [], True
        later, unmoved = len(self._later[sign]), self._count(sign, ())
        keys: list[Key] = []
        if unmoved != later:
            # Entries with an effect alone; else those that are necessary; else all of them together.
            keys = [key for key in self._moves if self._count(sign, [key]) != unmoved]
            keys = keys or [key for key in self._moves if self._count(sign, self._every - {key}) != later]
            if not keys and self._count(sign, self._moves) != unmoved:
                keys = list(self._moves)
        return keys, len(self._earlier[sign]) != unmoved or not keys

    def _decides(self, other: FindingChange) -> bool:
        """Whether the finding contributes to the change of the verdict."""
        finding, after = other.finding, self._after.verdict
        if self._before.verdict == after or finding.severity != "error":
            return False
        if other.gained:
            return (finding.verdict == "violated") == (after == "illegal")
        # Removing a finding can only improve the verdict.
        return after == "legal" or (after == "undecided" and finding.verdict == "violated")

    def _effect(self, move: Effect, findings: Collection[FindingChange]) -> Effect:
        names = {name for side in move.sides for name in side}
        cards = [card_at(entry) for entry in self._entries if any(card.name in names for card in entry.cards)]
        return move._replace(
            cards=tuple(cards),
            gained=tuple(dict.fromkeys(other.finding.rule for other in findings if other.gained)),
            lost=tuple(dict.fromkeys(other.finding.rule for other in findings if not other.gained)),
            decides=any(map(self._decides, findings)),
        )


# Outputs


def render_json(impacts: Impacts, options: RenderOptions) -> str:
    """The results as JSON by schemas/impact.schema.json, with one line per deck, changed verdicts first."""
    lang, (before, after, announced) = options.lang, impacts.days
    announcement = announced and {"path": announced.path, "banlist": announced.banlist}
    ordered = (*impacts.with_other_verdict, *impacts.with_other_findings)
    parts = {
        "days": json_line({"from": before, "to": after, "announcement": announcement}),
        "decks": json_list(json_line(_deck(impact, lang)) for impact in ordered),
        "errors": json_line([problem_object(problem, lang) for problem in impacts.problems]),
        "summary": json_line(impacts.counts),
    }
    body = "".join(f',\n"{key}": {value}' for key, value in parts.items())
    return f'{{"schema": {SCHEMA}, "tool": {json_line(dict(TOOL))}{body}}}\n'


def _deck(impact: Impact, lang: str) -> dict[str, Any]:
    return {
        "path": impact.path,
        "name": impact.name,
        "format": impact.format,
        "before": impact.before,
        "after": impact.after,
        "worse": impact.worse,
        "entries": plain(impact.effects, lang),
        "other_causes": [
            {
                "rule": other.finding.rule,
                **message_object(other.finding.message, lang),
                "line": other.finding.line,
                "source": plain(other.source, lang),
                "change": "gained" if other.gained else "lost",
            }
            for other in impact.others
        ],
    }


Shown = Callable[[str], str]
"""Escapes text from files for an output."""


class _Cause(NamedTuple):
    """A cause in words: an entry that decides the verdict or doesn't ("also"), or another reason, without `change`."""

    kind: Literal["decides", "other", "also"]
    what: str
    change: str
    list: str
    place: str


def _causes_of(impact: Impact, lang: str, shown: Shown) -> Iterator[_Cause]:
    """The causes: deciding entries first, then other reasons, then other entries."""
    deciding = [effect for effect in impact.effects if effect.decides or not impact.changes_verdict]
    yield from (_cause_of("decides", effect, lang, shown) for effect in deciding)
    for other in impact.others:
        finding, source = other.finding, other.source
        line = f"{'+' if other.gained else '−'} {shown(finding.rule)}: {shown(finding.message.in_(lang))}"
        if finding.line is not None:
            line = _("{finding} (line {line})", finding=line, line=finding.line).in_(lang)
        yield _Cause("other", line, "", "", "" if source is None else source.place)
    yield from (_cause_of("also", effect, lang, shown) for effect in impact.effects if effect not in deciding)


def _cause_of(kind: Literal["decides", "also"], effect: Effect, lang: str, shown: Shown) -> _Cause:
    lines: dict[str, list[int]] = defaultdict(list)
    for card in effect.cards:
        lines[shown(card.name)].append(card.line)
    cards = [
        n_("{card} (line {lines})", "{card} (lines {lines})", len(at), card=name, lines=series(at))
        for name, at in lines.items()
    ]
    before, after = shown(effect.before.name.in_(lang)), shown(effect.after.name.in_(lang))
    change = _("{before} → {after} since {day}", before=before, after=after, day=effect.since).in_(lang)
    listed = effect.list_name.in_(lang)
    return _Cause(kind, series(cards, AND).in_(lang), change, listed, effect.source.place)


def _days(days: Days, lang: str, shown: Shown) -> str:
    line = f"{days.before} → {days.after}"
    if days.announcement is None:
        return line
    return _("{days} (announcement: {path})", days=line, path=shown(days.announcement.path)).in_(lang)


def _summary(impacts: Impacts, lang: str) -> str:
    """The summary of a run in words."""
    line = _SUMMARY.filled(n=impacts.decks, **impacts.counts)
    if impacts.failed:
        line = _("{summary} (and {failed:,} that could not be checked)", summary=line, failed=impacts.failed)
    return line.in_(lang)


def _verdict(impact: Impact, lang: str, paint: Paint, shown: Shown) -> str:
    """The verdict or its change, and the format."""
    verdicts = dict.fromkeys([impact.before, impact.after])
    verdict = " → ".join(painted_verdict(verdict, lang, paint) for verdict in verdicts)
    return _("{verdict} ({format})", verdict=verdict, format=shown(impact.format_name.in_(lang))).in_(lang)


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
    headings = {"other": _("for other reasons:"), "also": _("no effect on the verdict:")}
    for kind, what, change, list_name, place in _causes_of(impact, lang, safe):
        if kind in headings:
            yield "  " + headings.pop(kind).in_(lang)
        indent = "  " if kind == "decides" else "    "
        yield indent + (f"{what}: {change}" if change else what)
        where = safe(place)
        if change:
            where = _("{list}, {place}", list=safe(list_name), place=where).in_(lang)
        if where:
            yield f"{indent}  {where}"


def render_markdown(impacts: Impacts, options: RenderOptions) -> str:
    """The results as Markdown: tables of the decks with another verdict and with other findings, cut to fit."""
    lang = options.lang
    title = _("What the lists change").in_(lang)
    text = f"## {title}\n\n{_days(impacts.days, lang, markdown)}\n\n{_summary(impacts, lang)}\n"
    heads = _("| Deck | Verdict | Because of | Change | Place |").in_(lang)
    for heading, decks in (
        (_("Other verdict"), impacts.with_other_verdict),
        (_("Same verdict, other findings"), impacts.with_other_findings),
    ):
        if decks:
            text += f"\n### {heading.in_(lang)}\n\n{heads}\n|---|---|---|---|---|\n"
            rows = [_rows(impact, lang) for impact in decks]
            shown = fitting(rows, MOST - len(text) - 200)
            text += "".join(rows[:shown])
            if shown < len(rows):
                more = n_("and {n:,} more deck", "and {n:,} more decks", len(rows) - shown)
                text += f"\n{more.in_(lang)}\n"
    return text


def _rows(impact: Impact, lang: str) -> str:
    deck = markdown_code(impact.path) + (f" {markdown(impact.name)}" if impact.name else "")
    # Only the first row names the deck.
    first, rows = (deck, _verdict(impact, lang, painter(False), markdown)), ""
    for kind, what, change, list_name, place in _causes_of(impact, lang, markdown):
        if kind == "other":
            change = _("other reason").in_(lang)
        elif kind == "also":
            change = _("{change} (no effect on the verdict)", change=change).in_(lang)
        where = [markdown(list_name)] * bool(list_name) + [markdown_code(place)]
        rows += f"| {' | '.join((*first, what, change, ' '.join(where)))} |\n"
        first = ("", "")
    return rows
