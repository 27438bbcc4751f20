"""What became of a deck between two reports, and which entry of which list did it.

Nothing is guessed. What the lists do is what differs between the later day as
it is and the same day with the lists of the earlier one; what one entry does
is what differs when it alone is moved, or else when all but it are.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence

from deckcheck.analysis.impact_moves import Key
from deckcheck.model.deck import Deck
from deckcheck.model.finding import CardAt, Finding, Report, Verdict
from deckcheck.model.rule import Source
from deckcheck.report.effects import Effect, Impact, Move, Other

Imagine = Callable[[frozenset[Key]], Report]
"""From the entries that are moved, all others being as on the earlier day, to the report of the later day."""

_Sign = tuple[object, ...]


def compare(
    before: Report, after: Report, moves: Mapping[Key, Move], every: Collection[Key], imagine: Imagine
) -> Impact | None:
    """What became of a deck between two reports, and why; None where there is nothing to tell.

    `moves` are the moved entries that name its cards, among `every` one of
    its format's lists.
    """
    earlier, later = _Signs(before), _Signs(after)
    differ = [one for one in dict.fromkeys([*earlier.counts, *later.counts]) if earlier[one] != later[one]]
    turned = before.verdict != after.verdict
    if not differ or not (moves or turned):
        return None
    causes, rest = _traced(differ, earlier, later, moves, frozenset(every), imagine)
    deciding = {one for one in differ if _decides(one, earlier, later, before.verdict, after.verdict)}
    effects = tuple(
        _effect(move, causes[key], deciding, earlier, later, after.deck)
        for key, move in moves.items()
        if key in causes
    )
    if not effects and not turned:
        return None
    return Impact(
        after.deck.path,
        after.name,
        after.format,
        after.format_name,
        before.verdict,
        after.verdict,
        effects,
        tuple(_other(one, earlier, later) for one in rest if one in deciding),
    )


class _Signs:
    """The findings of a report by what tells them apart from day to day: not the words, nor the line that says so."""

    __slots__ = ("counts", "findings")

    def __init__(self, report: Report) -> None:
        self.findings: dict[_Sign, Finding] = {}
        self.counts: Counter[_Sign] = Counter()
        # What says nothing new beside an error of one day is no other on the day without it.
        quiet = [one.finding for one in report.superseded if not one.by]
        for one in (*report.findings, *quiet):
            allowed = None if one.allowed is None else tuple(one.allowed.items())
            place = (one.line, one.column, one.zone)
            sign = (one.rule, one.severity, one.verdict, place, one.cards, one.found, allowed)
            self.findings.setdefault(sign, one)
            self.counts[sign] += 1

    def __getitem__(self, sign: _Sign) -> int:
        return self.counts[sign]


def _traced(
    differ: Sequence[_Sign],
    earlier: _Signs,
    later: _Signs,
    moves: Mapping[Key, Move],
    every: frozenset[Key],
    imagine: Imagine,
) -> tuple[dict[Key, list[_Sign]], list[_Sign]]:
    """Which findings each entry brings or takes away, and those that something else does, or does too."""
    if not moves:
        return {}, list(differ)
    known = {every: later}

    def moved(keys: frozenset[Key]) -> _Signs:
        if keys not in known:
            known[keys] = _Signs(imagine(keys))
        return known[keys]

    unmoved = moved(frozenset())
    causes: dict[Key, list[_Sign]] = {}
    rest = []
    for sign in differ:
        mine: list[Key] = []
        if unmoved[sign] != later[sign]:
            # Where none does it by itself, each may be needed; where none is, they only make it together.
            mine = [key for key in moves if moved(frozenset([key]))[sign] != unmoved[sign]]
            mine = mine or [key for key in moves if moved(every - {key})[sign] != later[sign]]
            if not mine and moved(frozenset(moves))[sign] != unmoved[sign]:
                mine = list(moves)
        for key in mine:
            causes.setdefault(key, []).append(sign)
        if earlier[sign] != unmoved[sign] or not mine:
            rest.append(sign)
    return causes, rest


def _decides(sign: _Sign, earlier: _Signs, later: _Signs, before: Verdict, after: Verdict) -> bool:
    """Whether the finding has to do with the verdict's being another one."""
    if before == after:
        return False
    gained = later[sign] > earlier[sign]
    finding = (later if gained else earlier).findings[sign]
    if finding.severity != "error":
        return False
    if gained:
        return (finding.verdict == "violated") == (after == "illegal")
    # What goes makes a deck better, if at all.
    return after == "legal" or (after == "undecided" and finding.verdict == "violated")


def _effect(
    move: Move,
    signs: Sequence[_Sign],
    deciding: Collection[_Sign],
    earlier: _Signs,
    later: _Signs,
    deck: Deck,
) -> Effect:
    names = {name for side in move.sides for name in side}
    at = tuple(
        CardAt(
            entry.cards[0].name if len(entry.cards) == 1 else entry.written,
            entry.copies,
            entry.line,
            entry.column,
        )
        for entry in deck.entries
        if entry.most and any(card.name in names for card in entry.cards)
    )
    gained = [later.findings[one].rule for one in signs if later[one] > earlier[one]]
    lost = [earlier.findings[one].rule for one in signs if later[one] < earlier[one]]
    decides = any(one in deciding for one in signs)
    return Effect(move, at, tuple(dict.fromkeys(gained)), tuple(dict.fromkeys(lost)), decides)


def _other(sign: _Sign, earlier: _Signs, later: _Signs) -> Other:
    gained = later[sign] > earlier[sign]
    finding = (later if gained else earlier).findings[sign]
    source = finding.source
    if finding.related:
        # A list says so of the card, but that it counts is the rule's doing.
        source = Source(finding.related[0].path, finding.related[0].line)
    return Other(finding.rule, finding.message, finding.line, source, gained)
