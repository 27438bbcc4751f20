"""The results of a check: findings, the report that every output format renders, and a deck's canonical list with its hash."""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from deckcheck.model.deck import Deck, Diagnostic, Entry
from deckcheck.model.format import Severity, Source
from deckcheck.support.json import digest, is_name
from deckcheck.support.messages import Localized, Words, fields_of, message_object, plain


class Verdict(StrEnum):
    """What is said of a deck."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    UNDECIDED = "undecided"

    @property
    def gravity(self) -> int:
        """Its place from the best verdict to the worst."""
        return ("legal", "undecided", "illegal").index(self)


class State(StrEnum):
    """How a deck stands to a clause; that of a finding, which is never KEPT, says whether it is certain."""

    KEPT = "kept"
    VIOLATED = "violated"
    UNDECIDED = "undecided"


Number = int | tuple[int, int | None]
"""A count, or its interval, with None for no upper bound."""

Allowed = Mapping[str, int | tuple[int, ...]]
"""The allowed counts, by "exactly", "at_least", "at_most" (or both), or "one_of"."""


class FindingId(StrEnum):
    """The ids of the findings that deckcheck itself makes; no rule may have one of them."""

    UNKNOWN_CARD = "unknown-card"
    """A name is not in the card table."""
    AMBIGUOUS_NAME = "ambiguous-name"
    """A name, or the number of its copies, has several meanings."""
    INVALID_LINE = "invalid-line"
    """A line can't be read."""
    UNKNOWN_ZONE = "unknown-zone"
    """It isn't known to which zone cards belong."""
    PARTIAL_BANLIST = "partial-banlist"
    """A banlist in use lacks some entries."""
    NOT_YET_RELEASED = "not-yet-released"
    TOTAL_MISMATCH = "total-mismatch"
    """A stated sum isn't that of the cards."""
    UNCONFIRMED_CHANGE = "unconfirmed-change"
    """The status of a card changed on an unknown day."""
    INVALID_SUPPRESSION = "invalid-suppression"
    UNUSED_SUPPRESSION = "unused-suppression"
    ASSUMED = "assumed"
    """A card was assumed to lack a value of which nothing is known."""
    NOT_IN_DECK = "not-in-deck"
    """Cards under a heading for what isn't in the deck weren't counted."""
    CARD_IN_COMMENT = "card-in-comment"
    """A comment holds cards with counts."""
    EMPTY_LINE = "empty-line"
    """Cards below an empty line were counted in the same zone as those above it."""
    MOVED_TO_HOME_ZONE = "moved-to-home-zone"
    """Cards were counted in a zone other than the one in which they are written."""
    REMARKS = "remarks"
    """Sentences above or below the cards weren't read as cards."""
    NAME_AS_TITLE = "name-as-title"
    """A card's name above a list was taken as the deck's name."""
    OVERRIDDEN = "overridden"
    """A file of the user's own is used in place of a bundled format or list, or changes it."""
    OWN_FACTS = "own-facts"
    """Cards were judged by the user's own files; said once for a run."""


UNCLEAR = frozenset(
    {FindingId.UNKNOWN_CARD, FindingId.AMBIGUOUS_NAME, FindingId.INVALID_LINE, FindingId.UNKNOWN_ZONE}
)
"""The ids that make a deck's content uncertain and so the verdict undecided; they can't be ignored."""

UNDECIDED = UNCLEAR | {FindingId.PARTIAL_BANLIST}
"""The ids that make the verdict undecided; all other built-in ones don't affect it."""

UNCOUNTED = frozenset({FindingId.NOT_IN_DECK, FindingId.CARD_IN_COMMENT, FindingId.REMARKS})
"""The ids of findings about text in which no card was counted."""

WARNINGS = frozenset(
    {
        FindingId.NOT_YET_RELEASED,
        FindingId.TOTAL_MISMATCH,
        FindingId.UNCONFIRMED_CHANGE,
        FindingId.INVALID_SUPPRESSION,
        FindingId.UNUSED_SUPPRESSION,
    }
)

ENGINE_IDS: frozenset[str] = frozenset(id.value for id in FindingId)
"""The built-in ids, which no rule may have."""

INFOS = ENGINE_IDS - UNDECIDED - WARNINGS


class CardAt(Struct, frozen=True):
    """A card on a line of the list, with the 1-based line and column (code points) of its name."""

    name: str
    copies: int
    line: int
    column: int


class Related(Struct, frozen=True):
    """Another place related to a finding."""

    message: Words
    path: str
    line: int


class Finding(Struct, frozen=True):
    """A result about a deck."""

    rule: str
    severity: Severity
    verdict: State
    message: Words
    line: int | None = None
    """The primary place in the list, None for the deck as a whole."""
    column: int | None = None
    zone: str | None = None
    cards: tuple[CardAt, ...] = ()
    found: Number | None = None
    allowed: Allowed | None = None
    cite: Words | None = None
    """The place in the rule text."""
    source: Source | None = None
    """The line of the format or banlist, None for a built-in finding."""
    related: tuple[Related, ...] = ()
    hint: Words | None = None
    parts: "tuple[Finding, ...]" = ()
    """The findings that this one sums up, each about one card; their cards are its cards."""

    def text(self, lang: str = "en") -> str:
        """The message in `lang`: "ja", or English for anything else."""
        return self.message.in_(lang)

    def to_dict(self, lang: str = "en") -> dict[str, Any]:
        """The finding as in the published JSON, by the definition in schemas/report.schema.json."""
        interval = (
            {"min": self.found[0], "max": self.found[1]} if isinstance(self.found, tuple) else self.found
        )
        return {
            "rule": self.rule,
            "severity": self.severity,
            "verdict": self.verdict,
            **message_object(self.message, lang),
            **fields_of(self, self.__struct_fields__, lang),
            "found": interval,
        }


def singly(findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings with the parts of those that sum up others in their place: what is to be shown at each line."""
    for finding in findings:
        yield from finding.parts or (finding,)


class Suppressed(Struct, frozen=True):
    """A finding that was suppressed."""

    finding: Finding
    by: Literal["line", "file", "settings"]
    """By a directive on its line, by one for the whole file, or by the settings."""
    reason: str
    """The reason as written, or ""."""
    source: Source
    """Where it is written."""


class Superseded(Struct, frozen=True):
    """A finding that is redundant because of those of other rules about the same places."""

    finding: Finding
    by: tuple[str, ...]
    """The ids of those rules; empty if any certain error makes it redundant."""


class UnappliedChange(Struct, frozen=True):
    """A change without a known date, in words."""

    card: str
    change: Words


class ListUsed(Struct, frozen=True):
    """A banlist as used in a check: its newest change by then, and how far it is known."""

    id: str
    name: Localized
    title: str | None
    edition: str | None
    latest: str | None
    complete_through: str | None
    notes: tuple[Words, ...]
    unapplied: tuple[UnappliedChange, ...] = ()
    """Changes that may be in force and weren't applied."""
    outdated: bool = False
    """Whether the deck's day is after the last one through which the list is known."""

    def to_dict(self, lang: str) -> dict[str, Any]:
        """The banlist as plain values, as all JSON outputs have it."""
        keys = ("id", "name", "edition", "latest", "complete_through", "notes", "unapplied")
        return fields_of(self, keys, lang)


class Report(Struct, frozen=True):
    """The result of checking a deck. The verdict follows from the findings."""

    deck: Deck
    game: str
    format: str
    format_name: Localized
    as_of: str
    edition: str | None
    """The edition of the rule text in force."""
    verdict: Verdict
    findings: tuple[Finding, ...]
    """In list order, after those about the deck as a whole."""
    zones: Mapping[str, Words]
    """The format's zones in order."""
    zone_names: Mapping[str, Words]
    """All zones of the game."""
    lists: tuple[ListUsed, ...]
    title: str | None = None
    """The title of the rule text."""
    suppressed: tuple[Suppressed, ...] = ()
    """The suppressed findings."""
    chosen_by: Source | None = None
    """The line of the settings that gave the format, None if the list or command line did."""
    superseded: tuple[Superseded, ...] = ()
    """Redundant findings, which are reported if those that replace them are suppressed."""

    @property
    def name(self) -> str | None:
        """The deck's name in the list; None without one."""
        return self.deck.header.get("deck")

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that make the deck illegal or undecided."""
        return tuple(finding for finding in self.findings if finding.severity == Severity.ERROR)

    @property
    def uncertain(self) -> tuple[Finding, ...]:
        """The findings, also ignored ones, because of which the deck isn't known or judged with certainty.

        Cards in a zone of the game that the format lacks are known.
        """
        beside = [item.finding for item in self.superseded] + [item.finding for item in self.suppressed]
        partial = [finding for finding in beside if finding.rule == FindingId.PARTIAL_BANLIST]
        return tuple(
            finding
            for finding in (*singly(self.findings), *partial)
            if finding.rule in UNDECIDED
            and not (finding.rule == FindingId.UNKNOWN_ZONE and finding.zone in self.zone_names)
        )

    @property
    def is_repairable(self) -> bool:
        """Whether the deck is illegal, and known well enough to look for the nearest legal one."""
        return self.verdict == Verdict.ILLEGAL and not self.uncertain

    @property
    def sizes(self) -> dict[str, int]:
        """Copies by zone, including the empty zones of the format."""
        sizes = dict.fromkeys(self.zones, 0)
        for entry in self.deck.entries:
            sizes[entry.zone] = sizes.get(entry.zone, 0) + entry.copies
        return sizes

    @property
    def fingerprint(self) -> str | None:
        """See `fingerprint`."""
        return fingerprint(self.deck, self.game)

    def to_dict(self, lang: str = "en") -> dict[str, Any]:
        """The report as a deck of the published JSON, by the definition in schemas/report.schema.json."""
        keys = ("name", "game", "format", "edition", "as_of", "verdict", "sizes", "fingerprint")
        return {
            "path": self.deck.path,
            **fields_of(self, keys, lang),
            "findings": [finding.to_dict(lang) for finding in self.findings],
            "suppressed": [
                fields_of(suppressed, ("by", "reason", "source"), lang)
                | {"finding": suppressed.finding.to_dict(lang)}
                for suppressed in self.suppressed
            ],
            "format_chosen_by": plain(self.chosen_by, lang),
        }


# Canonical lists, and their hashes

Name = Annotated[str, Meta(pattern=r"\A[^\x00-\x1f\x7f-\x9f]*\Z")]
CopiesInList = Annotated[int, Meta(ge=1, le=100_000)]


class Copies(Struct, frozen=True, order=True):
    """Copies of a card in a zone; `card` is a canonical name if `known`, else as written."""

    zone: str
    card: str
    copies: int
    known: bool = True


CopiesByZone = Mapping[Name, Annotated[Mapping[Name, CopiesInList], Meta(min_length=1)]]


class CanonicalList(Struct, frozen=True, forbid_unknown_fields=True):
    """The cards of a deck by zone and canonical name, and the `unknown` ones as written; as in JSON, sorted."""

    cards: CopiesByZone
    unknown: CopiesByZone

    def fingerprint(self, game: str) -> str:
        """The hash of the list; if all cards are known, it is the fingerprint of the deck."""
        return digest("deck", {"game": game, "cards": self.cards, "unknown": self.unknown})

    @property
    def copies(self) -> list[Copies]:
        """The cards in a row, sorted by zone and name."""
        return sorted(
            Copies(zone, card, copies, known)
            for zones, known in ((self.cards, True), (self.unknown, False))
            for zone, names in zones.items()
            for card, copies in names.items()
        )


def list_of(deck: Deck) -> CanonicalList | None:
    """The canonical list of a deck, with unknown or ambiguous names as written; None if it has `uncertain_lines`."""
    if uncertain_lines(deck):
        return None
    cards: dict[str, dict[str, int]] = {}
    unknown: dict[str, dict[str, int]] = {}
    for entry in sorted(deck.entries, key=lambda entry: (entry.zone, entry.name)):
        if entry.copies:
            zones = unknown if entry.card is None else cards
            names = zones.setdefault(entry.zone, {})
            names[entry.name] = names.get(entry.name, 0) + entry.copies
    return CanonicalList(cards, unknown)


def uncertain_lines(deck: Deck) -> list[Diagnostic | Entry]:
    """The lines and entries that make the cards of a deck uncertain, sorted by place."""
    unread = (
        item for item in deck.diagnostics if item.id in (FindingId.INVALID_LINE, FindingId.UNKNOWN_ZONE)
    )
    unsure = (entry for entry in deck.entries if entry.card is None and not is_name(entry.written))
    return sorted([*unread, *unsure], key=lambda line: (line.line, line.column))


def fingerprint(deck: Deck, game: str) -> str | None:
    """A SHA-256 in hex, the same in every notation; None if any line or name isn't certain."""
    listed = None if any(entry.card is None for entry in deck.entries) else list_of(deck)
    return None if listed is None else listed.fingerprint(game)


def verdict_of(findings: Iterable[Finding]) -> Verdict:
    """Illegal with a certain error, undecided with an open one; warnings and infos don't count."""
    errors = {finding.verdict for finding in findings if finding.severity == Severity.ERROR}
    if State.VIOLATED in errors:
        return Verdict.ILLEGAL
    return Verdict.UNDECIDED if errors else Verdict.LEGAL
