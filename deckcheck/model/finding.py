"""What a check found: findings and the report that every output format writes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from deckcheck.model.deck import Deck
from deckcheck.model.format import Severity, Source
from deckcheck.support.messages import Localized, Words

Verdict = Literal["legal", "illegal", "undecided"]
State = Literal["violated", "undecided"]

Zones = Mapping[str, Mapping[str, int]]
"""Copies by zone and name; a zone without cards is left out."""

Number = int | tuple[int, int | None]
"""A count, or the interval that holds it; None at its end where there is no upper bound."""

Allowed = Mapping[str, int | tuple[int, ...]]
"""What a count may be: "exactly", "at_least", "at_most", both of these, or "one_of"."""

PARTIAL = "partial-banlist"
"""A list in use holds only some of its entries."""

EMPTY_LINE = "empty-line"
"""Cards below an empty line were counted where those above it were."""

COMMENTED = "card-in-comment"
"""A comment holds cards with counts."""

ZONE_OF_ONE_LINE = "zone-of-one-line"
"""A zone named in front of a card was taken to hold for that line only."""

MOVED = "moved-to-home-zone"
"""Cards were counted in another zone than the one in which they are written."""

TITLE = "name-as-title"
"""A card's name over a list was taken as the deck's."""

UNCLEAR = frozenset({"unknown-card", "ambiguous-name", "invalid-line", "unknown-zone"})
"""What keeps a verdict open since nobody knows what is in the deck; nobody can ignore it."""

UNDECIDED = UNCLEAR | {PARTIAL}
"""What keeps a verdict open; everything else that the engine reports only informs."""

WARNINGS = frozenset(
    ["invalid-suppression", "not-yet-released", "total-mismatch", "unconfirmed-change", "unused-suppression"]
)

INFOS = frozenset({"assumed", COMMENTED, EMPTY_LINE, ZONE_OF_ONE_LINE, MOVED, TITLE, "own-facts"})

ENGINE_IDS = UNDECIDED | WARNINGS | INFOS
"""The ids of what the engine itself reports of a list; no rule may bear one of them."""


class CardAt(NamedTuple):
    """A card on a line of the list: 1-based line and column (code points) of its name."""

    name: str
    copies: int
    line: int
    column: int


class Related(NamedTuple):
    """Another place that has to do with a finding."""

    message: Words
    path: str
    line: int


class Finding(NamedTuple):
    """One thing to report of a deck."""

    rule: str
    severity: Severity
    verdict: State
    message: Words
    line: int | None = None
    """The primary place in the list, None where the deck as a whole is meant."""
    column: int | None = None
    zone: str | None = None
    cards: tuple[CardAt, ...] = ()
    found: Number | None = None
    allowed: Allowed | None = None
    cite: str | None = None
    """The place in the rule text."""
    source: Source | None = None
    """The line of the format or banlist that says so, None for what the engine itself reports."""
    related: tuple[Related, ...] = ()
    hint: Words | None = None


class Suppressed(NamedTuple):
    """A finding that was left out because somebody asked for it."""

    finding: Finding
    by: Literal["line", "file", "settings"]
    """On the finding's own line, for the whole file of the list, or in the settings."""
    reason: str
    """What is written there, "" for nothing."""
    source: Source
    """Where it is written."""


class Superseded(NamedTuple):
    """A finding that says nothing new beside those of other rules about the same places."""

    finding: Finding
    by: tuple[str, ...]
    """The ids of those rules; none where it says nothing new beside any error that is sure."""


class UnappliedChange(NamedTuple):
    """A change that was seen without its date, in words."""

    card: str
    change: Words


class ListUsed(NamedTuple):
    """A dated list as it stood in a check: its newest change by then, and how far it is known."""

    id: str
    name: Localized
    title: str | None
    edition: str | None
    latest: str | None
    complete_through: str | None
    notes: tuple[Words, ...]
    unapplied: tuple[UnappliedChange, ...] = ()
    """Changes that may stand by then and were not applied."""


class Report(NamedTuple):
    """What was found in one deck. The verdict follows from the findings."""

    deck: Deck
    game: str
    format: str
    format_name: Localized
    as_of: str
    edition: str | None
    """The edition of the rule text in force."""
    verdict: Verdict
    findings: tuple[Finding, ...]
    """In the order of their place in the list, those about the deck as a whole first."""
    zones: Mapping[str, Words]
    """The format's zones in order."""
    zone_names: Mapping[str, Words]
    """All zones that the game has."""
    lists: tuple[ListUsed, ...]
    title: str | None = None
    """What the rule text is called."""
    suppressed: tuple[Suppressed, ...] = ()
    """What was left out of the findings."""
    chosen_by: Source | None = None
    """The line of the settings that gave the format, None where the list or the command line named it."""
    superseded: tuple[Superseded, ...] = ()
    """What has to be reported once the findings that speak for it are left out."""

    @property
    def name(self) -> str | None:
        """The deck's own name, when the list gives it."""
        return self.deck.header.get("deck")

    @property
    def sizes(self) -> dict[str, int]:
        """Copies per zone; zones of the format that are empty included."""
        sizes = dict.fromkeys(self.zones, 0)
        for entry in self.deck.entries:
            sizes[entry.zone] = sizes.get(entry.zone, 0) + entry.copies
        return sizes

    @property
    def fingerprint(self) -> str | None:
        """See `fingerprint`."""
        return fingerprint(self.deck, self.game)


def fingerprint(deck: Deck, game: str) -> str | None:
    """A SHA-256 in hex, the same in every notation; None while a line can't be read or a name is not one certain card."""
    if any(diagnostic.id in ("invalid-line", "unknown-zone") for diagnostic in deck.diagnostics):
        return None
    zones: dict[str, dict[str, int]] = {}
    for entry in deck.entries:
        if len(entry.cards) != 1 or entry.copies != entry.most:
            return None
        if entry.copies:
            cards = zones.setdefault(entry.zone, {})
            name = entry.cards[0].name
            cards[name] = cards.get(name, 0) + entry.copies
    return fingerprint_of(game, zones, {})


def fingerprint_of(game: str, cards: Zones, unknown: Zones) -> str:
    """The hash of a deck, from the copies of its cards and of names that are in no card table."""
    from deckcheck.support.hashes import digest

    return digest("deck", {"game": game, "cards": cards, "unknown": unknown})


def verdict_of(findings: tuple[Finding, ...] | list[Finding]) -> Verdict:
    """Illegal if an error is sure, undecided if one is open; warnings and infos never count."""
    errors = {finding.verdict for finding in findings if finding.severity == "error"}
    return "illegal" if "violated" in errors else "undecided" if errors else "legal"
