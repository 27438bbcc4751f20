"""What the text and the Markdown of an impact say alike, in both languages.

`shown` makes what comes from files fit to be shown.
"""

from __future__ import annotations

from collections.abc import Callable

from deckcheck.model.rule import Source
from deckcheck.report.effects import Days, Effect, Impact, Impacts, Move, Other
from deckcheck.report.labels import VERDICTS
from deckcheck.support.messages import _

ARROW = " → "

Shown = Callable[[str], str]


def days_line(days: Days, lang: str, shown: Shown) -> str:
    """The two days, and the announcement that counts on the later one."""
    said = days.before + ARROW + days.after
    if days.announced is None:
        return said
    path = shown(days.announced.path)
    return _("{said} (announcement: {path})", said=said, path=path).in_(lang)


def verdicts(impact: Impact, lang: str) -> str:
    """The verdict before and after, or the one that stays."""
    before, after = VERDICTS[impact.before].in_(lang), VERDICTS[impact.after].in_(lang)
    return before + ARROW + after if impact.turned else after


def statuses(move: Move, lang: str, shown: Shown) -> str:
    """What the list said, says now, and since when."""
    said = shown(move.before.name.in_(lang)) + ARROW + shown(move.after.name.in_(lang))
    return _("{said} since {since}", said=said, since=move.since).in_(lang)


def cards_at(effect: Effect, lang: str, shown: Shown) -> str:
    """The cards of an entry with the lines of the deck where they stand."""
    lines: dict[str, list[str]] = {}
    for card in effect.at:
        lines.setdefault(shown(card.name), []).append(str(card.line))
    if lang == "ja":
        return "と".join(f"《{name}》（{'・'.join(at)}行目）" for name, at in lines.items())
    return " and ".join(
        f"{name} (line{'s' if len(at) > 1 else ''} {', '.join(at)})" for name, at in lines.items()
    )


def other_said(other: Other, lang: str, shown: Shown) -> str:
    """A finding that comes (+) or goes (-)."""
    mark = "+" if other.gained else "−"
    at = "" if other.line is None else _(" (line {line})", line=other.line).in_(lang)
    return f"{mark} {shown(other.rule)}: {shown(other.message.in_(lang))}{at}"


def place(source: Source) -> str:
    """A line of a file, not yet fit to be shown."""
    return f"{source.path}:{source.line}"


def summary(impacts: Impacts, lang: str) -> str:
    """How many decks of a run change, and how."""
    turned, touched, failed = len(impacts.turned), len(impacts.touched), impacts.failed
    if lang == "ja":
        said = f"{impacts.decks:,}件のデッキ: 判定が変わる{turned:,}（うち悪くなる{impacts.worse:,}）"
        said += f"、指摘だけ変わる{touched:,}、変わらない{impacts.unchanged:,}"
        return said + (f"（ほかに調べられなかったもの{failed:,}）" if failed else "")
    decks = "deck" if impacts.decks == 1 else "decks"
    said = f"{impacts.decks:,} {decks}: {turned:,} with another verdict ({impacts.worse:,} worse)"
    said += f", {touched:,} with other findings, {impacts.unchanged:,} unchanged"
    return said + (f" (and {failed:,} that could not be checked)" if failed else "")
