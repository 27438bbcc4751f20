"""What a change of the lists does to decks, as text for people."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.model.finding import Verdict
from deckcheck.report.effects import Effect, Impact, Impacts
from deckcheck.report.impactwords import ARROW, cards_at, days_line, other_said, place, statuses, summary
from deckcheck.report.labels import VERDICTS
from deckcheck.report.paint import Paint, painter
from deckcheck.report.writer import Look
from deckcheck.support.messages import _
from deckcheck.support.safetext import safe

_TURNED = _("other verdict:")
_TOUCHED = _("same verdict, other findings:")
_ALSO = _("without a say in the verdict:")
_OTHERS = _("for reasons that are no list's:")


def render(impacts: Impacts, look: Look) -> str:
    """All that there is to tell, ended by a line feed. What comes from a file is made safe to show."""
    paint = painter(look.color)
    lines = [days_line(impacts.days, look.lang, safe), ""]
    if impacts.turned:
        lines += [paint(_TURNED.in_(look.lang), "dim"), ""]
    for one in impacts.turned:
        lines += [*_turned(one, look.lang, paint), ""]
    if impacts.touched:
        lines += [paint(_TOUCHED.in_(look.lang), "dim"), ""]
        for one in impacts.touched:
            lines += _touched(one, look.lang, paint)
        lines.append("")
    return "".join(line + "\n" for line in [*lines, summary(impacts, look.lang)])


def _turned(impact: Impact, lang: str, paint: Paint) -> Iterator[str]:
    yield _head(impact, _verdict(impact.before, lang, paint) + ARROW, lang, paint)
    for effect in impact.effects:
        if effect.decides:
            yield from _effect(effect, lang, "  ")
    if impact.others:
        yield "  " + _OTHERS.in_(lang)
    for other in impact.others:
        yield "    " + other_said(other, lang, safe)
        if other.source is not None:
            yield "      " + safe(place(other.source))
    also = [effect for effect in impact.effects if not effect.decides]
    if also:
        yield "  " + _ALSO.in_(lang)
        for effect in also:
            yield from _effect(effect, lang, "    ")


def _touched(impact: Impact, lang: str, paint: Paint) -> Iterator[str]:
    yield _head(impact, "", lang, paint)
    for effect in impact.effects:
        said, by = _said(effect, lang)
        yield f"  {said}　{by}" if lang == "ja" else f"  {said}, {by}"


def _head(impact: Impact, before: str, lang: str, paint: Paint) -> str:
    path, name = paint(safe(impact.path) + ":", "bold"), safe(impact.name or "")
    said = before + _verdict(impact.after, lang, paint)
    format_name = safe(impact.format_name.in_(lang))
    return (
        _("{path} “{name}” {said} ({format_name})", path=path, name=name, said=said, format_name=format_name)
        if name
        else _("{path} {said} ({format_name})", path=path, said=said, format_name=format_name)
    ).in_(lang)


def _verdict(verdict: Verdict, lang: str, paint: Paint) -> str:
    said = VERDICTS[verdict].in_(lang)
    return paint(said, "green" if verdict == "legal" else "red" if verdict == "illegal" else "yellow")


def _effect(effect: Effect, lang: str, indent: str) -> Iterator[str]:
    said, by = _said(effect, lang)
    yield indent + said
    yield f"{indent}  {by}"


def _said(effect: Effect, lang: str) -> tuple[str, str]:
    """Which card moved from where to where, and which line of which list says so."""
    name, line = safe(effect.move.list_name.in_(lang)), safe(place(effect.move.source))
    said = f"{cards_at(effect, lang, safe)}: {statuses(effect.move, lang, safe)}"
    return said, f"{name}　{line}" if lang == "ja" else f"{name}, {line}"
