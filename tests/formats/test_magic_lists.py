"""Lists of Magic as people paste them: what stands where, with the bundled words and cards."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import pytest

from deckcheck.checking.judge import LoadedFormat, check, load_format, read_deck
from deckcheck.model.deck import Deck
from deckcheck.rewriting.formatter import Formatter


class Pasted(NamedTuple):
    """A list and how it is read: by zone, `COPIES NAME` divided by semicolons."""

    name: str
    format: str
    text: str
    zones: dict[str, str]
    notation: str | None = None


SORTED = """\
Commander{told}
1x Abdel Adrian, Gorion's Ward
1x Candlekeep Sage

Artifacts (2)
1x Sol Ring
1x Arcane Signet

Lands (96)
50x Plains
46x Island
"""
SORTED_ZONES = {
    "commander": "1 Abdel Adrian, Gorion's Ward; 1 Candlekeep Sage",
    "main": "1 Sol Ring; 1 Arcane Signet; 50 Plains; 46 Island",
}
WILSON = "1 Wilson, Refined Grizzly\nEnchantment\n1 Raised by Giants\n"
WILSON_ZONES = {"commander": "1 Wilson, Refined Grizzly; 1 Raised by Giants", "main": "98 Forest"}
TYMNA = {"commander": "1 Tymna the Weaver", "main": "98 Plains; 1 Sol Ring"}
BOTH = {"commander": "1 Tymna the Weaver; 1 Thrasios, Triton Hero", "main": "98 Plains; 1 Sol Ring"}
COMPANION = (
    "Companion\n1 Kaheera, the Orphanguard\n\nDeck\n{more}60 Plains\n\n"
    "Sideboard\n1 Kaheera, the Orphanguard\n14 Plains\n"
)
COMPANION_ZONES = {"companion": "1 Kaheera, the Orphanguard", "main": "60 Plains", "side": "14 Plains"}
SPLIT = (
    "Fire // Ice", "Fire/Ice", "Fire", "Ice", "Fire+Ice", "火+氷/Fire+Ice", "火 // 氷", "火/氷", "Fire ／ Ice",
)  # fmt: skip

LISTS = [
    # The commander on top, the others sorted by their types.
    *(Pasted(f"sorted{told}", "commander", SORTED.format(told=told), SORTED_ZONES) for told in ("", " (2)", ":")),
    Pasted("types of commanders, counted", "commander", f"Commander (2)\nCreature\n{WILSON}Land\n98 Forest\n", WILSON_ZONES),
    Pasted("types of commanders", "commander", f"Commander\nCreature\n{WILSON}\nDeck\n98 Forest\n", WILSON_ZONES),
    Pasted("types in a sideboard", "modern", "60 Mountain\nSideboard\n1 Lightning Bolt\nLands\n14 Mountain\n", {"main": "60 Mountain", "side": "1 Lightning Bolt; 14 Mountain"}),
    Pasted("sorted, with sets", "commander", "Commander\n1 Tymna the Weaver (C16) 48\n\nCreatures\n1 Serra Angel (DOM) 33\n", {"commander": "1 Tymna the Weaver", "main": "1 Serra Angel"}, "arena"),
    # Nothing but an empty line above the others.
    Pasted("an empty line", "commander", "Commander\n1 Tymna the Weaver\n\n98 Plains\n\n1 Sol Ring\n", TYMNA),
    Pasted("two empty lines", "commander", "Commander\n\n1 Tymna the Weaver\n\n98 Plains\n1 Sol Ring\n", TYMNA),
    Pasted("an empty line, with sets", "commander", "Commander (1)\n1x Tymna the Weaver (C16) 48\n\n98x Plains (DOM) 250\n1x Sol Ring (C21) 263\n", TYMNA),
    Pasted("an empty line in Japanese", "commander", "統率者\n《Tymna the Weaver》\n\n98 平地\n1 《Sol Ring》\n", TYMNA),
    Pasted("a heading that waits for two", "commander", "Commander (2)\n1 Tymna the Weaver\n\n1 Thrasios, Triton Hero\n\n98 Plains\n1 Sol Ring\n", BOTH),
    Pasted("commanders below", "commander", "98 Plains\n1 Sol Ring\nCommander\n1 Tymna the Weaver\n\n1 Thrasios, Triton Hero\n", BOTH),
    Pasted("a heading of the deck", "commander", "Commander\n1 Tymna the Weaver\n\n1 Thrasios, Triton Hero\nDeck\n98 Plains\n1 Sol Ring\n", BOTH),
    Pasted("headings of types", "commander", "Commander\n1 Tymna the Weaver\n\n1 Thrasios, Triton Hero\nLands\n98 Plains\nArtifacts\n1 Sol Ring\n", BOTH),
    Pasted("no main deck", "commander", "Commander\n1 Tymna the Weaver\n\nSideboard\n1 Sol Ring\n", {"commander": "1 Tymna the Weaver", "side": "1 Sol Ring"}),
    # Names.
    *(Pasted(name, "legacy", f"4 {name}\n56 Island\n", {"main": "4 Fire // Ice; 56 Island"}) for name in SPLIT),
    *(Pasted(line, "legacy", f"59 Island\n{line}\n", {"main": "59 Island; 1 Rain // Shine"}) for line in ("1 Rain // Shine", "1 Rain // Shine (AAA) 7", "1 Rain // Shine *F*")),
    Pasted("a comment", "legacy", "4 Lightning Bolt // the best\n", {"main": "4 Lightning Bolt"}),
    Pasted("labels with colours", "commander", "1x Tymna the Weaver (c16) 48 [Commander{top}]\n1x Sakura-Tribe Elder (c21) 210 [Ramp] ^Have,#37d67a^\n97x Forest (c21) 1 ^Get,#f47373^\n", {"commander": "1 Tymna the Weaver", "main": "1 Sakura-Tribe Elder; 97 Forest"}),
    # A companion that stands in the sideboard, too.
    Pasted("a companion twice", "legacy", COMPANION.format(more=""), COMPANION_ZONES, "arena"),
    Pasted("a companion twice, below a header", "legacy", "# date: 2025-12-01\n\n" + COMPANION.format(more=""), COMPANION_ZONES, "arena"),
]  # fmt: skip


def zones_of(deck: Deck) -> dict[str, Counter[str]]:
    zones: dict[str, Counter[str]] = {}
    for entry in deck.entries:
        name = entry.cards[0].name if entry.cards else entry.written
        zones.setdefault(entry.zone, Counter())[name] += entry.copies
    return zones


def said(zones: dict[str, str]) -> dict[str, Counter[str]]:
    cards: dict[str, Counter[str]] = {}
    for zone, lines in zones.items():
        pairs = [line.split(" ", 1) for line in lines.split("; ")]
        cards[zone] = Counter({name: int(copies) for copies, name in pairs})
    return cards


@pytest.mark.parametrize("pasted", LISTS, ids=[pasted.name for pasted in LISTS])
def test_every_card_is_read_into_its_zone_and_stays_there_when_laid_out(pasted: Pasted) -> None:
    loaded = load_format(f"magic/{pasted.format}")
    deck = read_deck(loaded, pasted.text, "-")
    assert zones_of(deck) == said(pasted.zones)
    assert pasted.notation in (None, deck.notation)
    assert deck.diagnostics == ()
    formatter = Formatter(loaded.game_data)
    laid = formatter.format(pasted.text, "deck.txt")
    assert zones_of(read_deck(loaded, laid, "deck.txt")) == zones_of(deck)
    assert formatter.format(laid, "deck.txt") == laid


def test_a_companion_beside_copies_in_the_deck_counts_with_them() -> None:
    legacy = load_format("magic/legacy")
    for copies, is_over in ((3, False), (4, True)):
        text = COMPANION.format(more=f"{copies} Kaheera, the Orphanguard\n")
        rules = [finding.rule for finding in check(text, legacy, as_of="2025-12-01").findings]
        assert ("copies" in rules) == is_over
    other = load_format("duel-masters/original")
    assert read_deck(other, COMPANION.format(more=""), "-").notation == "text"


PARTNERS = "cards:\n" + "".join(
    f"  - {{name: {name}, tag: [{tag}], supertype: [Legendary], type: [Creature], subtype: [], identity: [],\n"
    "     partner_with: [], pool: [commander]}\n"
    for name, tag in (
        ("Tin Survivor", "partner-survivors"),
        ("Brass Survivor", "partner-survivors"),
        ("Tin Father", "partner-father-and-son"),
    )
)


@pytest.fixture(scope="module")
def commander(tmp_path_factory: pytest.TempPathFactory) -> LoadedFormat:
    """The format with partners of ones own."""
    file = tmp_path_factory.mktemp("partners") / "cards.yaml"
    file.write_text(PARTNERS, encoding="utf-8")
    return load_format("magic/commander", cards=[file])


@pytest.mark.parametrize(
    ("other", "together"),
    [
        ("Brass Survivor", True),
        ("Tin Father", False),
        ("Tymna the Weaver", False),
        ("Cecily, Haunted Mage", False),
    ],
)
def test_each_kind_of_partner_goes_with_its_own(commander: LoadedFormat, other: str, together: bool) -> None:
    text = f"Commander\n1 Tin Survivor\n1 {other}\nDeck\n98 Wastes\n"
    report = check(text, commander, as_of="2025-12-01")
    assert ("commander-pair" not in [finding.rule for finding in report.findings]) == together
