"""Lists of Magic as people paste them: what stands where, with the bundled words and cards."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from deckcheck.checking.judge import LoadedFormat, check, load_format, read_deck
from deckcheck.model.deck import Deck
from deckcheck.rewriting.formatter import Formatter

PARTNERS = """\
cards:
  - {name: Tin Survivor, tag: [partner-survivors], supertype: [Legendary], type: [Creature], subtype: [], identity: [],
     partner_with: [], pool: [commander]}
  - {name: Brass Survivor, tag: [partner-survivors], supertype: [Legendary], type: [Creature], subtype: [], identity: [],
     partner_with: [], pool: [commander]}
  - {name: Tin Father, tag: [partner-father-and-son], supertype: [Legendary], type: [Creature], subtype: [], identity: [],
     partner_with: [], pool: [commander]}
"""


def commander() -> LoadedFormat:
    return load_format("magic/commander")


def zones(deck: Deck) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    for entry in deck.entries:
        found.setdefault(entry.zone, Counter())[entry.cards[0].name if entry.cards else entry.written] += (
            entry.copies
        )
    return found


# The commander on top, the others sorted by their types.

SORTED = """\
Commander{told}
1x Abdel Adrian, Gorion's Ward
1x Candlekeep Sage

Artifacts (2)
1x Sol Ring
1x Arcane Signet

Lands (96)
48x Plains
48x Island
"""


@pytest.mark.parametrize("told", ["", " (2)", ":"])
def test_a_type_below_the_commanders_begins_the_main_deck(told: str) -> None:
    deck = read_deck(commander(), SORTED.format(told=told), "-")
    assert zones(deck) == {
        "commander": {"Abdel Adrian, Gorion's Ward": 1, "Candlekeep Sage": 1},
        "main": {"Sol Ring": 1, "Arcane Signet": 1, "Plains": 48, "Island": 48},
    }
    assert deck.diagnostics == ()


def test_a_type_within_the_commanders_begins_nothing() -> None:
    parted = "Creature\n1 Wilson, Refined Grizzly\nEnchantment\n1 Raised by Giants\n"
    for text in (f"Commander (2)\n{parted}Land\n98 Forest\n", f"Commander\n{parted}\nDeck\n98 Forest\n"):
        found = zones(read_deck(commander(), text, "-"))
        assert found["commander"] == {"Wilson, Refined Grizzly": 1, "Raised by Giants": 1}, text
        assert found["main"] == {"Forest": 98}, text


def test_types_in_a_sideboard_stay_in_it() -> None:
    text = "60 Mountain\nSideboard\n1 Lightning Bolt\nLands\n14 Mountain\n"
    found = zones(read_deck(load_format("magic/modern"), text, "-"))
    assert found == {"main": {"Mountain": 60}, "side": {"Lightning Bolt": 1, "Mountain": 14}}


def test_a_sorted_list_with_sets_is_read_alike() -> None:
    text = "Commander\n1 Tymna the Weaver (C16) 48\n\nCreatures\n1 Serra Angel (DOM) 33\n"
    deck = read_deck(commander(), text, "-")
    assert deck.notation == "arena"
    assert zones(deck) == {"commander": {"Tymna the Weaver": 1}, "main": {"Serra Angel": 1}}


@pytest.mark.parametrize("told", ["", " (2)"])
def test_the_canonical_notation_of_a_sorted_list_is_the_same_deck(told: str) -> None:
    loaded = commander()
    text = SORTED.format(told=told)
    laid = Formatter(loaded.game_data).format(text, "deck.txt")
    assert zones(read_deck(loaded, laid, "deck.txt")) == zones(read_deck(loaded, text, "deck.txt"))
    assert "Artifacts (2)\n1 x Sol Ring\n" in laid
    assert Formatter(loaded.game_data).format(laid, "deck.txt") == laid


# Names.


@pytest.mark.parametrize(
    "name",
    [
        "Fire // Ice",
        "Fire/Ice",
        "Fire",
        "Ice",
        "Fire+Ice",
        "火+氷/Fire+Ice",
        "火 // 氷",
        "火/氷",
        "Fire ／ Ice",
    ],
)
def test_a_split_card_by_any_of_its_spellings(name: str) -> None:
    deck = read_deck(load_format("magic/legacy"), f"4 {name}\n56 Island\n", "-")
    assert zones(deck) == {"main": {"Fire // Ice": 4, "Island": 56}}


@pytest.mark.parametrize("line", ["1 Rain // Shine", "1 Rain // Shine (AAA) 7", "1 Rain // Shine *F*"])
def test_an_unknown_split_card_is_told_with_both_halves(line: str) -> None:
    deck = read_deck(load_format("magic/legacy"), f"59 Island\n{line}\n", "-")
    assert [entry.written for entry in deck.entries if not entry.cards] == ["Rain // Shine"]


def test_a_comment_behind_two_slashes_is_none_of_the_name() -> None:
    deck = read_deck(load_format("magic/legacy"), "4 Lightning Bolt // the best\n", "-")
    assert zones(deck) == {"main": {"Lightning Bolt": 4}}


def test_labels_with_colours_behind_a_category_are_no_part_of_a_card() -> None:
    text = (
        "1x Tymna the Weaver (c16) 48 [Commander{top}]\n"
        "1x Sakura-Tribe Elder (c21) 210 [Ramp] ^Have,#37d67a^\n"
        "97x Forest (c21) 1 ^Get,#f47373^\n"
    )
    deck = read_deck(commander(), text, "-")
    assert zones(deck) == {
        "commander": {"Tymna the Weaver": 1},
        "main": {"Sakura-Tribe Elder": 1, "Forest": 97},
    }
    assert deck.diagnostics == ()


# A companion that stands in the sideboard, too.

BARE = "Companion\n1 Kaheera, the Orphanguard\n\nDeck\n{more}60 Plains\n\nSideboard\n{side}"


def test_a_companion_in_the_sideboard_too_is_one_card_without_sets_as_well() -> None:
    text = BARE.format(more="", side="1 Kaheera, the Orphanguard\n14 Plains\n")
    for given in (text, f"# date: 2025-12-01\n\n{text}"):
        deck = read_deck(load_format("magic/legacy"), given, "-")
        assert deck.notation == "arena"
        assert zones(deck) == {
            "companion": {"Kaheera, the Orphanguard": 1},
            "main": {"Plains": 60},
            "side": {"Plains": 14},
        }
    other = load_format("duel-masters/original")
    assert read_deck(other, text, "-").notation == "text"


def test_a_companion_beside_copies_in_the_deck_counts_with_them() -> None:
    text = BARE.format(more="3 Kaheera, the Orphanguard\n", side="1 Kaheera, the Orphanguard\n")
    legacy = load_format("magic/legacy")
    assert "copies" not in [one.rule for one in check(text, legacy, as_of="2025-12-01").findings]
    over = text.replace("3 Kaheera", "4 Kaheera")
    assert "copies" in [one.rule for one in check(over, legacy, as_of="2025-12-01").findings]


# Kinds of partner that go with their own alone.


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        ("Tin Survivor", "Brass Survivor", True),
        ("Tin Survivor", "Tin Father", False),
        ("Tin Survivor", "Tymna the Weaver", False),
        ("Tin Survivor", "Cecily, Haunted Mage", False),
    ],
)
def test_each_kind_of_partner_goes_with_its_own(tmp_path: Path, one: str, other: str, together: bool) -> None:
    file = tmp_path / "cards.yaml"
    file.write_text(PARTNERS, encoding="utf-8")
    loaded = load_format("magic/commander", cards=[file])
    text = f"Commander\n1 {one}\n1 {other}\nDeck\n98 Wastes\n"
    found = [finding.rule for finding in check(text, loaded, as_of="2025-12-01").findings]
    assert ("commander-pair" not in found) == together


# The commander on top, and nothing but an empty line above the others.


@pytest.mark.parametrize(
    "text",
    [
        "Commander\n1 Tymna the Weaver\n\n98 Plains\n\n1 Sol Ring\n",
        "Commander\n\n1 Tymna the Weaver\n\n98 Plains\n1 Sol Ring\n",
        "Commander (1)\n1x Tymna the Weaver (C16) 48\n\n98x Plains (DOM) 250\n1x Sol Ring (C21) 263\n",
        "統率者\n《Tymna the Weaver》\n\n98 平地\n1 《Sol Ring》\n",
    ],
)
def test_an_empty_line_below_the_commanders_begins_the_main_deck(text: str) -> None:
    deck = read_deck(commander(), text, "-")
    assert zones(deck) == {"commander": {"Tymna the Weaver": 1}, "main": {"Plains": 98, "Sol Ring": 1}}
    assert deck.diagnostics == ()
    assert zones(
        read_deck(commander(), Formatter(commander().game_data).format(text, "a.txt"), "-")
    ) == zones(deck)


def test_a_heading_that_tells_how_many_lead_waits_for_all_of_them() -> None:
    text = "Commander (2)\n1 Tymna the Weaver\n\n1 Thrasios, Triton Hero\n\n98 Plains\n"
    assert zones(read_deck(commander(), text, "-")) == {
        "commander": {"Tymna the Weaver": 1, "Thrasios, Triton Hero": 1},
        "main": {"Plains": 98},
    }


@pytest.mark.parametrize(
    "text",
    [
        "98 Plains\n1 Sol Ring\nCommander\n1 Tymna the Weaver\n\n1 Thrasios, Triton Hero\n",
        "Commander\n1 Tymna the Weaver\n\n1 Thrasios, Triton Hero\nDeck\n98 Plains\n1 Sol Ring\n",
        "Commander\n1 Tymna the Weaver\n\n1 Thrasios, Triton Hero\nLands\n98 Plains\nArtifacts\n1 Sol Ring\n",
    ],
)
def test_where_the_main_deck_is_told_an_empty_line_ends_nothing(text: str) -> None:
    assert zones(read_deck(commander(), text, "-")) == {
        "commander": {"Tymna the Weaver": 1, "Thrasios, Triton Hero": 1},
        "main": {"Plains": 98, "Sol Ring": 1},
    }


def test_commanders_alone_are_no_main_deck() -> None:
    text = "Commander\n1 Tymna the Weaver\n\nSideboard\n1 Sol Ring\n"
    assert zones(read_deck(commander(), text, "-")) == {
        "commander": {"Tymna the Weaver": 1},
        "side": {"Sol Ring": 1},
    }
