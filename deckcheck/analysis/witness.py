"""Decks that a model found: judged by the evaluator, and written as lists."""

from collections.abc import Mapping

from deckcheck.checking.judge import LoadedFormat, check
from deckcheck.model.deck import Deck, Entry
from deckcheck.model.finding import Report
from deckcheck.rules.counting import Tally, tally

Copies = Mapping[str, Mapping[str, int]]
"""By zone, the copies of each name."""


def deck_of(copies: Copies, format: LoadedFormat) -> Deck:
    """The copies as a deck, an entry for each name in a zone."""
    find = format.game_data.catalog.find
    entries: list[Entry] = []
    for zone, names in copies.items():
        for name, number in names.items():
            cards = tuple(card for card in find(name) if card.name == name)
            entries.append(Entry(name, cards, number, number, zone, len(entries) + 1, 1))
    return Deck("-", tuple(entries), (), {}, "text", ())


def tally_of(copies: Copies, format: LoadedFormat) -> Tally:
    """The copies as the evaluator counts them."""
    return tally(deck_of(copies, format).entries, 0, frozenset(format.format.zones))


def judged(copies: Copies, format: LoadedFormat, as_of: str, best_of: int | None = None) -> Report:
    """What the evaluator says of the copies on an ISO date, in a match of so many games."""
    return check(deck_of(copies, format), format, as_of=as_of, best_of=best_of)


def violated_rules(report: Report) -> set[str]:
    """The ids of the rules that the deck breaks for certain, with an error."""
    return {
        finding.rule
        for finding in report.findings
        if finding.severity == "error" and finding.verdict == "violated"
    }


def list_of(copies: Copies, format: LoadedFormat, lang: str, header: Mapping[str, str]) -> str:
    """The copies as a list with these headers, which reads as the same deck."""
    lines = [f"# {key}: {value}" for key, value in header.items()]
    for zone, names in copies.items():
        if any(names.values()):
            lines += [""] if lines else []
            lines.append(format.format.zones[zone].in_(lang))
            lines += [f"{number} x {name}" for name, number in names.items() if number]
    return "\n".join(lines) + "\n"
