"""What a change of the banlists does to decks: the records of `deckcheck impact`, and its outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from deckcheck.model.finding import CardAt, Finding, Verdict
from deckcheck.model.format import Source
from deckcheck.report.json import (
    SCHEMA,
    TOOL,
    json_line,
    json_list,
    message_object,
    problem_object,
    source_object,
)
from deckcheck.report.markdown import markdown, markdown_code
from deckcheck.report.text import Paint, painted_verdict, painter, with_deck_name
from deckcheck.report.wording import VERDICTS
from deckcheck.report.writer import RenderOptions
from deckcheck.support.errors import Problem
from deckcheck.support.messages import AND, Words, _, n_, series
from deckcheck.support.safetext import safe

if TYPE_CHECKING:
    from deckcheck.formats.banlistfile import Announcement

_GRAVITY: tuple[Verdict, ...] = ("legal", "undecided", "illegal")


class Status(NamedTuple):
    """What a list says of cards: its id in the game, and in words. The id of nothing is "free"."""

    id: str
    name: Words


class Move(NamedTuple):
    """An entry of a list with another status on the later day than on the earlier one.

    `sides` hold one side of one name for a card by itself, more for a
    combination. `since` is the day of the change in force on the later day,
    `source` its line.
    """

    banlist: str
    list_name: Words
    sides: tuple[tuple[str, ...], ...]
    before: Status
    after: Status
    since: str
    source: Source


class Effect(NamedTuple):
    """The effect of one moved entry on one deck.

    `at` are the lines of the deck with its cards, `gained` and `lost` the ids
    of the rules whose findings come and go because of it. `decides` tells
    whether one of them bears on the verdict.
    """

    move: Move
    at: tuple[CardAt, ...]
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    decides: bool


class Other(NamedTuple):
    """A finding that bears on the verdict and comes (`gained`) or goes for another reason than a list.

    `source` is the line of the rule; None for deckcheck's own findings.
    """

    finding: Finding
    source: Source | None
    gained: bool


class Impact(NamedTuple):
    """One deck with another verdict or other findings on the later day.

    If the verdict stays there are only effects that don't decide, and no others.
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
        """Whether the verdict changes."""
        return self.before != self.after

    @property
    def worse(self) -> bool:
        """Whether the verdict gets worse."""
        return _GRAVITY.index(self.after) > _GRAVITY.index(self.before)


class Days(NamedTuple):
    """The two days, as ISO dates, and the announcement that is laid over the lists for the later one."""

    before: str
    after: str
    announcement: Announcement | None = None


class Impacts(NamedTuple):
    """The results of a run: `decks` counts all that were judged, `failed` those that could not be."""

    days: Days
    impacts: tuple[Impact, ...]
    decks: int
    failed: int = 0
    problems: tuple[Problem, ...] = ()

    @property
    def turned(self) -> list[Impact]:
        """The decks with another verdict."""
        return [impact for impact in self.impacts if impact.turned]

    @property
    def touched(self) -> list[Impact]:
        """The decks with the same verdict and other findings."""
        return [impact for impact in self.impacts if not impact.turned]

    @property
    def worse(self) -> int:
        """How many decks get a worse verdict."""
        return sum(impact.worse for impact in self.impacts)

    @property
    def unchanged(self) -> int:
        """How many decks have the same findings as before."""
        return self.decks - len(self.impacts)


def render_json(impacts: Impacts, options: RenderOptions) -> str:
    """One JSON object, one line a deck, those with another verdict first; its shape is in schemas/impact.schema.json."""
    lang, (before, after, announced) = options.lang, impacts.days
    decks = json_list(json_line(_deck(one, lang)) for one in (*impacts.turned, *impacts.touched))
    announcement = announced and {"path": announced.path, "banlist": announced.banlist}
    errors = [problem_object(problem, lang) for problem in impacts.problems]
    summary = {
        "decks": impacts.decks,
        "other_verdict": len(impacts.turned),
        "worse": impacts.worse,
        "other_findings": len(impacts.touched),
        "unchanged": impacts.unchanged,
        "not_checked": impacts.failed,
    }
    days = {"from": before, "to": after, "announcement": announcement}
    return (
        f'{{"schema": {SCHEMA}, "tool": {json_line(dict(TOOL))},\n"days": {json_line(days)},\n"decks": {decks},\n'
        f'"errors": {json_line(errors)},\n"summary": {json_line(summary)}}}\n'
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
                "source": source_object(other.source),
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
        "source": source_object(move.source),
        "cards": [card._asdict() for card in effect.at],
        "gained": effect.gained,
        "lost": effect.lost,
        "decides": effect.decides,
    }


class _Cause(NamedTuple):
    """A cause of the change of a deck in words: a moved entry that decides or doesn't, or another reason.

    `change` is the entry's change of status, "" for another reason; `list` and
    `place` say where it is written.
    """

    kind: Literal["decides", "other", "also"]
    what: str
    change: str
    list: str
    place: str


def _causes(impact: Impact, lang: str, shown: Callable[[str], str]) -> Iterator[_Cause]:
    """The causes in order: entries that decide, other reasons, other entries. `shown` makes text fit for the output."""
    deciding = [effect for effect in impact.effects if effect.decides or not impact.turned]
    yield from (_moved("decides", effect, lang, shown) for effect in deciding)
    for finding, source, gained in impact.others:
        line = f"{'+' if gained else '−'} {shown(finding.rule)}: {shown(finding.message.in_(lang))}"
        if finding.line is not None:
            line = _("{finding} (line {line})", finding=line, line=finding.line).in_(lang)
        yield _Cause("other", line, "", "", "" if source is None else f"{source.path}:{source.line}")
    yield from (_moved("also", one, lang, shown) for one in impact.effects if one not in deciding)


def _moved(
    kind: Literal["decides", "also"], effect: Effect, lang: str, shown: Callable[[str], str]
) -> _Cause:
    move = effect.move
    before, after = shown(move.before.name.in_(lang)), shown(move.after.name.in_(lang))
    change = _("{before} → {after} since {day}", before=before, after=after, day=move.since).in_(lang)
    place = f"{move.source.path}:{move.source.line}"
    return _Cause(kind, _cards(effect, lang, shown), change, move.list_name.in_(lang), place)


def _cards(effect: Effect, lang: str, shown: Callable[[str], str]) -> str:
    """The cards of an entry with their lines in the deck."""
    lines: dict[str, list[str]] = {}
    for card in effect.at:
        lines.setdefault(shown(card.name), []).append(str(card.line))
    cards = [
        n_("{card} (line {lines})", "{card} (lines {lines})", len(at), card=name, lines=series(at))
        for name, at in lines.items()
    ]
    return series(cards, AND).in_(lang)


def _days(days: Days, lang: str, shown: Callable[[str], str]) -> str:
    line = f"{days.before} → {days.after}"
    if days.announcement is None:
        return line
    return _("{days} (announcement: {path})", days=line, path=shown(days.announcement.path)).in_(lang)


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


def render_text(impacts: Impacts, options: RenderOptions) -> str:
    """The results as text for people, ended by a line feed. Text that comes from a file is made safe to show."""
    lang, paint = options.lang, painter(options.color)
    lines = [_days(impacts.days, lang, safe), ""]
    if impacts.turned:
        lines += [paint(_("other verdict:").in_(lang), "dim"), ""]
    for impact in impacts.turned:
        lines += [*_turned(impact, lang, paint), ""]
    if impacts.touched:
        lines += [paint(_("same verdict, other findings:").in_(lang), "dim"), ""]
        for impact in impacts.touched:
            lines.append(_head(impact, lang, paint))
            for cause in _causes(impact, lang, safe):
                change, place = _in_text(cause, lang)
                lines.append("  " + _("{change}, {place}", change=change, place=place).in_(lang))
        lines.append("")
    return "".join(line + "\n" for line in [*lines, _summary(impacts, lang)])


def _turned(impact: Impact, lang: str, paint: Paint) -> Iterator[str]:
    yield _head(impact, lang, paint)
    headings = {"other": _("for other reasons:"), "also": _("without influence on the verdict:")}
    for cause in _causes(impact, lang, safe):
        if cause.kind in headings:
            yield "  " + headings.pop(cause.kind).in_(lang)
        indent = "  " if cause.kind == "decides" else "    "
        what, place = _in_text(cause, lang)
        yield indent + what
        if place:
            yield f"{indent}  {place}"


def _in_text(cause: _Cause, lang: str) -> tuple[str, str]:
    place = safe(cause.place)
    if not cause.change:
        return cause.what, place
    return f"{cause.what}: {cause.change}", _("{list}, {place}", list=safe(cause.list), place=place).in_(lang)


def _head(impact: Impact, lang: str, paint: Paint) -> str:
    verdicts = [impact.before, impact.after] if impact.turned else [impact.after]
    verdict = " → ".join(painted_verdict(verdict, lang, paint) for verdict in verdicts)
    head = _("{verdict} ({format})", verdict=verdict, format=safe(impact.format_name.in_(lang)))
    return f"{paint(safe(impact.path) + ':', 'bold')} {with_deck_name(impact.name, head, lang)}"


MOST_BYTES = 60_000
"""GitHub takes no more than 65,536 in a comment."""


def render_markdown(impacts: Impacts, options: RenderOptions) -> str:
    """Markdown for a comment or a job's summary: a table of the decks with another verdict, one of those with other findings.

    Decks that would make it too long are only counted. Text that comes from a
    file is shown and never obeyed.
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
    verdicts = [impact.before, impact.after] if impact.turned else [impact.after]
    verdict = " → ".join(VERDICTS[verdict].in_(lang) for verdict in verdicts)
    name = markdown(impact.format_name.in_(lang))
    first = (deck, _("{verdict} ({format})", verdict=verdict, format=name).in_(lang))
    for kind, what, change, list_name, place in _causes(impact, lang, markdown):
        if kind == "other":
            change = _("other reason").in_(lang)
        elif kind == "also":
            change = _("{change} (no influence on the verdict)", change=change).in_(lang)
        where = [markdown(list_name)] * bool(list_name) + [markdown_code(place)]
        yield (*first, what, change, " ".join(where))
        # The deck is named once.
        first = ("", "")
