"""What a change of the lists does to decks: the model of `deckcheck impact`, and its outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from deckcheck.model.finding import CardAt, Finding, Verdict
from deckcheck.model.format import Source
from deckcheck.report.json import SCHEMA, TOOL, json_line, message_object, problem_object
from deckcheck.report.markdown import markdown, markdown_code
from deckcheck.report.text import Paint, painted_verdict, painter
from deckcheck.report.wording import VERDICTS
from deckcheck.report.writer import RenderOptions
from deckcheck.support.errors import Problem
from deckcheck.support.messages import AND, Words, _, n_, series
from deckcheck.support.safetext import safe

_GRAVITY: tuple[Verdict, ...] = ("legal", "undecided", "illegal")
Shown = Callable[[str], str]
"""What makes text that comes from files fit to be shown."""


class Status(NamedTuple):
    """What a list says of cards: its id in the game, and in words. The id of nothing is "free"."""

    id: str
    name: Words


class Move(NamedTuple):
    """An entry of a list that says one thing on the earlier day and another on the later one.

    `sides` hold one side of one name for a card by itself, more for a
    combination. `since` is the day of the change that stands in the end,
    `source` the line that says so.
    """

    banlist: str
    list_name: Words
    sides: tuple[tuple[str, ...], ...]
    before: Status
    after: Status
    since: str
    source: Source


class Effect(NamedTuple):
    """What one moved entry does to one deck.

    `at` are the lines of the deck with its cards, `gained` and `lost` the ids
    of the rules whose findings come and go because of it. `decides` tells
    whether one of them has to do with the verdict.
    """

    move: Move
    at: tuple[CardAt, ...]
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    decides: bool


class Other(NamedTuple):
    """A finding that comes (`gained`) or goes for a reason that is no list's, and has to do with the verdict.

    `source` is the line of the rule; None for what the engine itself tells.
    """

    finding: Finding
    source: Source | None
    gained: bool


class Impact(NamedTuple):
    """One deck that is judged otherwise on the later day, by its verdict or by its findings.

    Where the verdict stays there are only effects that don't decide, and no others.
    """

    path: str
    name: str | None
    format: str
    format_name: Words
    before: Verdict
    after: Verdict
    effects: tuple[Effect, ...]
    others: tuple[Other, ...]

    @property
    def turned(self) -> bool:
        """Whether the verdict is another one."""
        return self.before != self.after

    @property
    def worse(self) -> bool:
        """Whether the verdict is a worse one."""
        return _GRAVITY.index(self.after) > _GRAVITY.index(self.before)


class Announced(NamedTuple):
    """The file with changes that are not yet in force, and the list that it changes."""

    path: str
    banlist: str


class Days(NamedTuple):
    """The two days, as ISO dates, and the announcement that is laid over the lists for the later one."""

    before: str
    after: str
    announced: Announced | None = None


class Impacts(NamedTuple):
    """All that a run has to tell.

    `turned` are the decks with another verdict, `touched` those with the same
    one and other findings because of a list, both in the order in which they
    were found. `decks` counts all that were judged, `failed` those that could
    not be, for the reasons in `problems`.
    """

    days: Days
    turned: tuple[Impact, ...]
    touched: tuple[Impact, ...]
    decks: int
    failed: int = 0
    problems: tuple[Problem, ...] = ()

    @property
    def worse(self) -> int:
        """How many decks have a worse verdict."""
        return sum(impact.worse for impact in self.turned)

    @property
    def unchanged(self) -> int:
        """How many decks there is nothing to tell of."""
        return self.decks - len(self.turned) - len(self.touched)


def render_json(impacts: Impacts, options: RenderOptions) -> str:
    """One JSON object, one line a deck, those with another verdict first; its shape is in schemas/impact.schema.json."""
    lang, days = options.lang, impacts.days
    decks = ",".join("\n" + json_line(_deck(one, lang)) for one in (*impacts.turned, *impacts.touched))
    announcement = None if days.announced is None else days.announced._asdict()
    parts = {
        "days": {"from": days.before, "to": days.after, "announcement": announcement},
        "errors": [problem_object(problem, lang) for problem in impacts.problems],
        "summary": {
            "decks": impacts.decks,
            "other_verdict": len(impacts.turned),
            "worse": impacts.worse,
            "other_findings": len(impacts.touched),
            "unchanged": impacts.unchanged,
            "not_checked": impacts.failed,
        },
    }
    return (
        f'{{"schema": {SCHEMA}, "tool": {json_line(dict(TOOL))},\n"days": {json_line(parts["days"])},\n"decks": [{decks}\n],\n'
        f'"errors": {json_line(parts["errors"])},\n"summary": {json_line(parts["summary"])}}}\n'
    )


def _deck(impact: Impact, lang: str) -> dict[str, Any]:
    return {
        "path": impact.path,
        "name": impact.name,
        "format": impact.format,
        "before": impact.before,
        "after": impact.after,
        "worse": impact.worse,
        "entries": [_entry(effect, lang) for effect in impact.effects],
        "other_causes": [
            {
                "rule": other.finding.rule,
                **message_object(other.finding.message, lang),
                "line": other.finding.line,
                "source": None if other.source is None else other.source._asdict(),
                "change": "gained" if other.gained else "lost",
            }
            for other in impact.others
        ],
    }


def _entry(effect: Effect, lang: str) -> dict[str, Any]:
    move = effect.move
    return {
        "list": move.banlist,
        "list_name": move.list_name.in_(lang),
        "sides": move.sides,
        "before": {"status": move.before.id, "name": move.before.name.in_(lang)},
        "after": {"status": move.after.id, "name": move.after.name.in_(lang)},
        "since": move.since,
        "source": move.source._asdict(),
        "cards": [card._asdict() for card in effect.at],
        "gained": effect.gained,
        "lost": effect.lost,
        "decides": effect.decides,
    }


def render_text(impacts: Impacts, options: RenderOptions) -> str:
    """All that there is to tell as text for people, ended by a line feed. What comes from a file is made safe to show."""
    lang, paint = options.lang, painter(options.color)
    lines = [_days(impacts.days, lang, safe), ""]
    if impacts.turned:
        lines += [paint(_("other verdict:").in_(lang), "dim"), ""]
    for impact in impacts.turned:
        lines += [*_turned(impact, lang, paint), ""]
    if impacts.touched:
        lines += [paint(_("same verdict, other findings:").in_(lang), "dim"), ""]
        for impact in impacts.touched:
            lines.append(_head(impact, painted_verdict(impact.after, lang, paint), lang, paint))
            for effect in impact.effects:
                change, by = _change(effect, lang)
                lines.append("  " + _("{change}, {place}", change=change, place=by).in_(lang))
        lines.append("")
    return "".join(line + "\n" for line in [*lines, _summary(impacts, lang)])


def _turned(impact: Impact, lang: str, paint: Paint) -> Iterator[str]:
    before, after = (painted_verdict(verdict, lang, paint) for verdict in (impact.before, impact.after))
    yield _head(impact, f"{before} → {after}", lang, paint)
    for effect in impact.effects:
        if effect.decides:
            yield from _indented("  ", *_change(effect, lang))
    if impact.others:
        yield "  " + _("for other reasons:").in_(lang)
    for other in impact.others:
        yield "    " + _other(other, lang, safe)
        if other.source is not None:
            yield "      " + safe(_place(other.source))
    also = [effect for effect in impact.effects if not effect.decides]
    if also:
        yield "  " + _("without influence on the verdict:").in_(lang)
        for effect in also:
            yield from _indented("    ", *_change(effect, lang))


def _indented(indent: str, change: str, by: str) -> tuple[str, str]:
    return indent + change, f"{indent}  {by}"


def _head(impact: Impact, verdict: str, lang: str, paint: Paint) -> str:
    format_name = safe(impact.format_name.in_(lang))
    head = _("{verdict} ({format})", verdict=verdict, format=format_name)
    if impact.name:
        head = _("“{name}” {verdict}", name=safe(impact.name), verdict=head)
    return f"{paint(safe(impact.path) + ':', 'bold')} {head.in_(lang)}"


def _change(effect: Effect, lang: str) -> tuple[str, str]:
    """Which card moved from where to where, and which line of which list says so."""
    list_name, place = safe(effect.move.list_name.in_(lang)), safe(_place(effect.move.source))
    change = f"{_cards(effect, lang, safe)}: {_statuses(effect.move, lang, safe)}"
    return change, _("{list}, {place}", list=list_name, place=place).in_(lang)


MOST_BYTES = 60_000
"""GitHub takes no more than 65,536 in a comment."""


def render_markdown(impacts: Impacts, options: RenderOptions) -> str:
    """Markdown for a comment or a job's summary: a table of the decks with another verdict, one of those with other findings.

    Decks that would make it too long are only counted. What comes from a file
    is shown and never obeyed.
    """
    lang = options.lang
    title = _("What the lists change").in_(lang)
    parts = [f"## {title}\n\n{_days(impacts.days, lang, markdown)}\n\n{_summary(impacts, lang)}\n"]
    room = MOST_BYTES - len(parts[0].encode())
    tables = (
        (_("Other verdict"), impacts.turned),
        (_("Same verdict, other findings"), impacts.touched),
    )
    for heading, decks in tables:
        if decks:
            part = _table(heading.in_(lang), decks, lang, room)
            room -= len(part.encode())
            parts.append(part)
    return "".join(parts)


def _table(title: str, decks: Sequence[Impact], lang: str, room: int) -> str:
    heads = _("| Deck | Verdict | Because of | Change | Place |").in_(lang)
    table = f"\n### {title}\n\n{heads}\n|---|---|---|---|---|\n"
    room -= len(table.encode()) + 100
    for at, impact in enumerate(decks):
        rows = "".join(f"| {' | '.join(cells)} |\n" for cells in _rows(impact, lang))
        room -= len(rows.encode())
        if room < 0:
            more = n_("and {n:,} more deck", "and {n:,} more decks", len(decks) - at)
            return f"{table}\n{more.in_(lang)}\n"
        table += rows
    return table


def _rows(impact: Impact, lang: str) -> Iterator[tuple[str, ...]]:
    deck = markdown_code(impact.path) + (f" {markdown(impact.name)}" if impact.name else "")
    verdicts = (
        [VERDICTS[impact.before], VERDICTS[impact.after]] if impact.turned else [VERDICTS[impact.after]]
    )
    verdict = " → ".join(one.in_(lang) for one in verdicts)
    name = markdown(impact.format_name.in_(lang))
    first = (deck, _("{verdict} ({format})", verdict=verdict, format=name).in_(lang))
    deciding = [effect for effect in impact.effects if effect.decides or not impact.turned]
    rows = [_cells(effect, lang) for effect in deciding]
    for other in impact.others:
        place = "" if other.source is None else markdown_code(_place(other.source))
        rows.append((_other(other, lang, markdown), _("other reason").in_(lang), place))
    for effect in impact.effects:
        if effect not in deciding:
            cards, change, place = _cells(effect, lang)
            rows.append((cards, _("{change} (no influence on the verdict)", change=change).in_(lang), place))
    for cells in rows:
        yield (*first, *cells)
        # The deck is named once.
        first = ("", "")


def _cells(effect: Effect, lang: str) -> tuple[str, str, str]:
    name, line = markdown(effect.move.list_name.in_(lang)), markdown_code(_place(effect.move.source))
    return _cards(effect, lang, markdown), _statuses(effect.move, lang, markdown), f"{name} {line}"


def _days(days: Days, lang: str, shown: Shown) -> str:
    """The two days, and the announcement that counts on the later one."""
    line = f"{days.before} → {days.after}"
    if days.announced is None:
        return line
    return _("{days} (announcement: {path})", days=line, path=shown(days.announced.path)).in_(lang)


def _statuses(move: Move, lang: str, shown: Shown) -> str:
    """What the list said, says now, and since when."""
    before, after = shown(move.before.name.in_(lang)), shown(move.after.name.in_(lang))
    return _("{before} → {after} since {day}", before=before, after=after, day=move.since).in_(lang)


def _cards(effect: Effect, lang: str, shown: Shown) -> str:
    """The cards of an entry with the lines of the deck where they stand."""
    lines: dict[str, list[str]] = {}
    for card in effect.at:
        lines.setdefault(shown(card.name), []).append(str(card.line))
    cards = [
        n_("{card} (line {lines})", "{card} (lines {lines})", len(at), card=name, lines=series(at))
        for name, at in lines.items()
    ]
    return series(cards, AND).in_(lang)


def _other(other: Other, lang: str, shown: Shown) -> str:
    """A finding that comes (+) or goes (-)."""
    finding = other.finding
    line = f"{'+' if other.gained else '−'} {shown(finding.rule)}: {shown(finding.message.in_(lang))}"
    if finding.line is None:
        return line
    return _("{finding} (line {line})", finding=line, line=finding.line).in_(lang)


def _place(source: Source) -> str:
    """A line of a file, not yet fit to be shown."""
    return f"{source.path}:{source.line}"


def _summary(impacts: Impacts, lang: str) -> str:
    """How many decks of a run change, and how."""
    line = n_(
        "{n:,} deck: {turned:,} with another verdict ({worse:,} worse), {touched:,} with other findings, {unchanged:,} unchanged",
        "{n:,} decks: {turned:,} with another verdict ({worse:,} worse), {touched:,} with other findings, {unchanged:,} unchanged",
        impacts.decks,
        turned=len(impacts.turned),
        worse=impacts.worse,
        touched=len(impacts.touched),
        unchanged=impacts.unchanged,
    )
    if impacts.failed:
        line = _("{summary} (and {failed:,} that could not be checked)", summary=line, failed=impacts.failed)
    return line.in_(lang)
