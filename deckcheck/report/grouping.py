"""Combines findings of one rule with the same cause into one finding."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from deckcheck.model.finding import UNKNOWN_CARD, Finding
from deckcheck.report.findings import ADD_CARDS
from deckcheck.report.wording import NONE_ALLOWED, card_names
from deckcheck.support.messages import Message, Words, _, shortened

_MOST_NAMES = 4


def grouped(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings; those with the same cause become the `parts` of one, in the place of the first."""
    if len(findings) < 2:
        return tuple(findings)
    by_cause: dict[Hashable, list[Finding]] = {}
    for at, finding in enumerate(findings):
        by_cause.setdefault(_cause(finding) or at, []).append(finding)
    return tuple(alike[0] if len(alike) == 1 else _summed_up(alike) for alike in by_cause.values())


def _cause(finding: Finding) -> Hashable:
    """A key shared by findings with the same cause; None for a finding that is never combined."""
    message = finding.message
    if not finding.cards or finding.line is None or not isinstance(message, Message):
        return None
    # Cards that a clause refuses have one cause, other findings of rules their own; banlists are the source of theirs.
    if finding.source is not None and finding.allowed != NONE_ALLOWED:
        return None
    head = (finding.rule, finding.severity, finding.verdict, finding.source)
    if finding.rule == UNKNOWN_CARD:
        return head
    # Only the names of the cards may differ in the message.
    texts = (message.key, message.plural or "", message.japanese or "")
    shown = (field for field in message.fields if any(f"{{{field[0]}" in text for text in texts))
    return *head, message.key, tuple(field for field in shown if field[0] != "card")


def _summed_up(parts: Sequence[Finding]) -> Finding:
    first, counts = parts[0], [part.found for part in parts]
    names = list(dict.fromkeys(card.name for part in parts for card in part.cards))
    hint = first.hint if len({part.hint for part in parts}) == 1 else None
    if first.rule == UNKNOWN_CARD:
        hint = hint or ADD_CARDS
    return first._replace(
        message=first.message if len(names) == 1 else _message(first, names),
        cards=tuple(card for part in parts for card in part.cards),
        zone=first.zone if len({part.zone for part in parts}) == 1 else None,
        found=sum(count for count in counts if isinstance(count, int)) if None not in counts else None,
        hint=hint,
        parts=tuple(parts),
    )


def _message(first: Finding, names: Sequence[str]) -> Words:
    if first.rule == UNKNOWN_CARD:
        quoted = shortened([_("{name!r}", name=name) for name in names], _MOST_NAMES)
        return _("{number} names are not in the card table: {names}", number=len(names), names=quoted)
    return _(
        "{message}; the same goes for {number} more: {cards}",
        message=first.message,
        number=len(names) - 1,
        cards=card_names(names[1:]),
    )
