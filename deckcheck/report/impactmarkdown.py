"""What a change of the lists does to decks, as Markdown for a comment or a job's summary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deckcheck.report.effects import Effect, Impact, Impacts
from deckcheck.report.impactwords import cards_at, days_line, other_said, place, statuses, summary, verdicts
from deckcheck.report.markup import code, inline
from deckcheck.report.writer import Look
from deckcheck.support.messages import Words, _

MOST_BYTES = 60_000
"""GitHub takes no more than 65,536 in a comment."""

_TITLE = _("What the lists change")
_TURNED = _("Other verdict")
_TOUCHED = _("Same verdict, other findings")
_HEADS = _("| Deck | Verdict | Because of | Change | Place |")
_OTHER = _("no list's doing")
_ALSO = _("no say in the verdict")


def render(impacts: Impacts, look: Look) -> str:
    """A table of the decks with another verdict and one of those with other findings.

    Decks that would make it too long are only counted. What comes from a file
    is shown and never obeyed.
    """
    lang = look.lang
    parts = [
        f"## {_TITLE.in_(lang)}\n\n{days_line(impacts.days, lang, inline)}\n\n{summary(impacts, lang)}\n"
    ]
    room = MOST_BYTES - len(parts[0].encode())
    for title, decks in ((_TURNED, impacts.turned), (_TOUCHED, impacts.touched)):
        if decks:
            part = _table(title, decks, lang, room)
            room -= len(part.encode())
            parts.append(part)
    return "".join(parts)


def _table(title: Words, decks: Sequence[Impact], lang: str, room: int) -> str:
    said = f"\n### {title.in_(lang)}\n\n{_HEADS.in_(lang)}\n|---|---|---|---|---|\n"
    room -= len(said.encode()) + 100
    for at, impact in enumerate(decks):
        rows = "".join(f"| {' | '.join(cells)} |\n" for cells in _rows(impact, lang))
        room -= len(rows.encode())
        if room < 0:
            more = len(decks) - at
            return said + (_("\nand {more:,} more decks\n", more=more).in_(lang))
        said += rows
    return said


def _rows(impact: Impact, lang: str) -> Iterator[tuple[str, ...]]:
    deck = code(impact.path) + (f" {inline(impact.name)}" if impact.name else "")
    name = inline(impact.format_name.in_(lang))
    first = (deck, verdicts(impact, lang) + (_(" ({name})", name=name).in_(lang)))
    also = _(" ({also})", also=_ALSO).in_(lang)
    deciding = [one for one in impact.effects if one.decides or not impact.turned]
    for cells in (
        *(_effect(one, "", lang) for one in deciding),
        *(
            (
                other_said(one, lang, inline),
                _OTHER.in_(lang),
                "" if one.source is None else code(place(one.source)),
            )
            for one in impact.others
        ),
        *(_effect(one, also, lang) for one in impact.effects if one not in deciding),
    ):
        yield (*first, *cells)
        # The deck is named once.
        first = ("", "")


def _effect(effect: Effect, note: str, lang: str) -> tuple[str, str, str]:
    name, line = inline(effect.move.list_name.in_(lang)), code(place(effect.move.source))
    return cards_at(effect, lang, inline), statuses(effect.move, lang, inline) + note, f"{name} {line}"
