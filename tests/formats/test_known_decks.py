"""Ordinary decks of the bundled games on days for which the bundled facts are complete: a verdict, nothing undecided."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

from deckcheck.checking.judge import check, load_format, open_game_data
from deckcheck.formats.loading import load_game
from deckcheck.support.files import shipped

LISTS = sorted(shipped("banlists").glob("*/*.yaml"))

ENERGY = """\
Deck
4 Guide of Souls
4 Ocelot Pride
4 Ajani, Nacatl Pariah
4 Ragavan, Nimble Pilferer
4 Lightning Bolt
4 Seasoned Pyromancer
4 Galvanic Discharge
2 Static Prison
3 Goblin Bombardment
2 Blood Moon
2 Thraben Charm
4 Arid Mesa
4 Flooded Strand
2 Windswept Heath
4 Marsh Flats
3 Sacred Foundry
1 Elegant Parlor
3 Plains
2 Mountain

Sideboard
3 Surgical Extraction
2 Wear // Tear
2 Damping Sphere
3 Obsidian Charmaw
2 Celestial Purge
1 Sheoldred's Edict
2 Leyline Binding
"""

RED = """\
4 Voldaren Epicure
4 Ghitu Lavarunner
4 Guttersnipe
4 Kessig Flamebreather
4 Lightning Bolt
4 Lava Spike
4 Rift Bolt
4 Chain Lightning
4 Skewer the Critics
4 Needle Drop
4 Fireblast
16 Mountain

サイドボード
4 Red Elemental Blast
4 紅蓮破
3 Smash to Smithereens
4 Relic of Progenitus
"""

DELVER = """\
4 Delver of Secrets
4 Dragon's Rage Channeler
4 Tamiyo, Inquisitive Student
4 Murktide Regent
4 Brainstorm
4 Ponder
4 Force of Will
3 Daze
4 Lightning Bolt
2 Unholy Heat
1 Brazen Borrower
1 Mishra's Bauble
4 Wasteland
4 Scalding Tarn
4 Misty Rainforest
3 Volcanic Island
1 Steam Vents
4 Flooded Strand
1 Island

Sideboard
3 Force of Negation
3 Red Elemental Blast
2 Surgical Extraction
2 Null Rod
2 Rough // Tumble
2 Hydroblast
1 Meltdown
"""

POWER = """\
1 Ancestral Recall
1 Black Lotus
1 Mox Sapphire
1 Mox Jet
1 Mox Ruby
1 Mox Pearl
1 Mox Emerald
1 Time Walk
1 Sol Ring
1 Mana Crypt
1 Mana Vault
1 Brainstorm
1 Ponder
1 Demonic Tutor
1 Vampiric Tutor
1 Yawgmoth's Will
1 Tinker
1 Treasure Cruise
1 Dig Through Time
4 Force of Will
3 Force of Negation
4 Paradoxical Outcome
1 Mental Misstep
3 Flusterstorm
1 Bolas's Citadel
1 Tendrils of Agony
1 Hurkyl's Recall
4 Urza's Bauble
4 Mishra's Bauble
1 Tolarian Academy
4 Polluted Delta
2 Flooded Strand
4 Underground Sea
5 Island

Sideboard
4 Leyline of the Void
3 Nature's Claim
3 Tormod's Crypt
3 Steel Sabotage
2 Fatal Push
"""

CONTROL = """\
4 Teferi, Hero of Dominaria
4 Absorb
4 Censor
4 Supreme Verdict
4 Dovin's Veto
2 Shark Typhoon
4 Memory Deluge
4 March of Otherworldly Light
4 Fateful Absence
4 Hallowed Fountain
4 Glacial Fortress
4 Irrigated Farmland
4 Deserted Beach
1 Castle Ardenvale
4 Plains
5 Island

Sideboard
4 Rest in Peace
4 Mystical Dispute
3 Aether Gust
4 Lyra Dawnbringer
"""

STANDARD = """\
4 Hired Claw
4 Emberheart Challenger
4 Slickshot Show-Off
4 Burst Lightning
4 Lightning Strike
4 Shock
4 Boltwave
4 Burnout Bashtronaut
4 Razorkin Needlehead
4 Rockface Village
20 Mountain

Sideboard
4 Torch the Tower
4 Ghost Vacuum
4 Sunspine Lynx
3 Soul-Guide Lantern
"""

ELVES = """\
Commander
1 背教の主導者、エズーリ

Deck
1 Llanowar Elves
1 Elvish Mystic
1 Fyndhorn Elves
1 Elvish Archdruid
1 Priest of Titania
1 Joraga Treespeaker
1 Wirewood Symbiote
1 Quirion Ranger
1 Elvish Champion
1 Imperious Perfect
1 Elvish Visionary
1 Reclamation Sage
1 Beast Whisperer
1 Craterhoof Behemoth
1 Heritage Druid
1 Nettle Sentinel
1 Timberwatch Elf
1 Wellwisher
1 Eternal Witness
1 Dwynen's Elite
1 Sol Ring
1 Arcane Signet
1 Skullclamp
1 Swiftfoot Boots
1 Lightning Greaves
1 Cultivate
1 Kodama's Reach
1 Harmonize
1 Overrun
1 Beast Within
1 Natural Order
1 Green Sun's Zenith
1 Chord of Calling
1 Finale of Devastation
1 Return of the Wildspeaker
1 Nissa, Who Shakes the World
1 Worldly Tutor
1 Sylvan Library
1 Ancient Tomb
1 Gaea's Cradle
1 Nykthos, Shrine to Nyx
1 Reliquary Tower
57 Forest
"""

NIV = """\
Commander
1 Niv-Mizzet, Parun

Deck
1 Opt
1 Consider
1 Lightning Strike
1 Shock
1 Essence Scatter
1 Negate
1 Saheeli, Sublime Artificer
1 Arcane Signet
1 Command Tower
1 Steam Vents
1 Spirebluff Canal
1 Sulfur Falls
1 Fabled Passage
1 Expressive Iteration
43 Island
42 Mountain
"""

BLUE_EYES = """\
Main Deck
3 Blue-Eyes White Dragon
3 Sage with Eyes of Blue
3 Maiden of White
3 The White Stone of Ancients
3 Dictator of D.
2 灰流うらら
3 エフェクト・ヴェーラー
3 Protector with Eyes of Blue
3 Trade-In
3 The Melody of Awakening Dragon
3 Bingo Machine, Go!!!
1 Polymerization
1 Monster Reborn
3 Infinite Impermanence
3 True Light

Extra Deck
3 Blue-Eyes Spirit Dragon
2 Spirit with Eyes of Blue
1 Blue-Eyes Ultimate Spirit Dragon
1 Number 39: Utopia
2 I:P Masquerena

Side Deck
3 Nibiru, the Primal Being
2 Raigeki
"""


CHANDRA = """\
Oathbreaker
1 Chandra, Awakened Inferno

Signature spell
1 Fireblast

Deck
1 Lightning Bolt
1 Goblin Guide
1 Eidolon of the Great Revel
1 Young Pyromancer
1 Skullclamp
1 Mind Stone
1 Ruby Medallion
1 Pyretic Ritual
1 Blood Moon
1 Chaos Warp
48 Mountain
"""

LEGAL = {
    "modern": (ENERGY, "2026-08-01"),
    "pauper": (RED, "2026-08-01"),
    "legacy": (DELVER, "2026-08-01"),
    "vintage": (POWER, "2026-08-01"),
    "pioneer": (CONTROL, "2026-08-01"),
    "standard": (STANDARD, "2026-08-01"),
    "magic/commander": (ELVES, "2026-08-01"),
    "brawl": (NIV, "2026-08-01"),
    "oathbreaker": (CHANDRA, "2026-08-01"),
    "advanced": (BLUE_EYES, "2026-09-28"),
    "traditional": (BLUE_EYES, "2026-09-28"),
    "ocg": (BLUE_EYES, "2026-10-01"),
}


def broken_rules(format: str, deck: str, day: str) -> set[str]:
    """The rules with errors, once it is sure that nothing is undecided."""
    report = check(deck, load_format(format), as_of=day)
    assert report.verdict in ("legal", "illegal"), [finding.message.en for finding in report.findings]
    assert not [finding.message.en for finding in report.findings if finding.verdict == "undecided"]
    return {finding.rule for finding in report.findings if finding.severity == "error"}


def swapped(format: str, swap: str) -> str:
    """The legal deck of the format with one line in place of another: "OLD -> NEW"."""
    deck, (old, new) = LEGAL[format][0], swap.split(" -> ")
    assert f"{old}\n" in deck
    return deck.replace(f"{old}\n", f"{new}\n", 1)


@pytest.mark.parametrize("format", LEGAL)
def test_an_ordinary_deck_is_legal(format: str) -> None:
    deck, day = LEGAL[format]
    assert broken_rules(format, deck, day) == set()


@pytest.mark.parametrize(
    ("format", "swap", "rule"),
    [
        ("modern", "3 Plains -> 2 Plains", "main-size"),
        ("modern", "2 Damping Sphere -> 3 Damping Sphere", "side-size"),
        ("modern", "2 Blood Moon -> 2 Chain Lightning", "pool"),
        ("modern", "4 Lightning Bolt -> 4 稲妻", ""),
        ("modern", "2 Wear // Tear -> 2 摩耗+損耗", ""),
        ("pauper", "4 Fireblast -> 4 Firebolt", ""),
        ("pauper", "4 Fireblast -> 4 Price of Progress", "common"),
        ("legacy", "3 Daze -> 3 Mental Misstep", "banned"),
        ("vintage", "1 Brainstorm -> 2 Brainstorm", "restricted"),
        ("pioneer", "4 Censor -> 4 Counterspell", "pool"),
        ("standard", "4 Shock -> 4 Lightning Bolt", "pool"),
        ("magic/commander", "1 Sol Ring -> 1 Mana Crypt", "banned"),
        ("magic/commander", "1 Overrun -> 1 Lightning Bolt", "identity"),
        ("magic/commander", "1 Overrun -> 1 Harmonize", "singleton"),
        ("brawl", "1 Opt -> 1 Fireblast", "pool"),
        ("oathbreaker", "1 Skullclamp -> 1 Sol Ring", "banned"),
        ("advanced", "1 Polymerization -> 1 Pot of Greed", "forbidden"),
        ("traditional", "1 Polymerization -> 1 Pot of Greed", ""),
        ("traditional", "3 Trade-In -> 3 Pot of Greed", "forbidden"),
        ("ocg", "1 Polymerization -> 1 Pot of Greed", "forbidden"),
        ("ocg", "3 True Light -> 3 心変わり", ""),
    ],
)
def test_one_card_makes_it_illegal_or_not(format: str, swap: str, rule: str) -> None:
    assert broken_rules(format, swapped(format, swap), LEGAL[format][1]) == ({rule} if rule else set())


@pytest.mark.parametrize(
    ("format", "swap", "day", "before", "after"),
    [
        ("modern", "4 Lightning Bolt -> 4 Amped Raptor", "2024-12-16", "", "banned"),
        ("modern", "4 Lightning Bolt -> 4 Phlage, Titan of Fire's Fury", "2026-05-18", "", "banned"),
        ("modern", "4 Lightning Bolt -> 4 Mox Opal", "2024-12-16", "banned", ""),
        ("pauper", "4 Rift Bolt -> 4 Kuldotha Rebirth", "2025-03-31", "", "banned"),
        ("pauper", "4 Rift Bolt -> 4 High Tide", "2025-03-31", "banned", ""),
        ("pauper", "4 Rift Bolt -> 4 High Tide", "2025-11-10", "", "banned"),
        ("legacy", "3 Daze -> 3 Psychic Frog", "2024-12-16", "", "banned"),
        ("legacy", "3 Daze -> 3 Entomb", "2025-11-10", "", "banned"),
        ("vintage", "4 Paradoxical Outcome -> 4 Urza's Saga", "2024-08-26", "", "restricted"),
        ("pioneer", "4 Censor -> 4 Smuggler's Copter", "2023-12-04", "banned", ""),
        ("standard", "4 Shock -> 4 Screaming Nemesis", "2025-11-10", "", "banned"),
        ("magic/commander", "1 Sol Ring -> 1 Jeweled Lotus", "2024-09-23", "", "banned"),
        ("magic/commander", "1 Overrun -> 1 Biorhythm", "2026-02-09", "banned", ""),
        ("brawl", "1 Opt -> 1 Force of Will", "2026-06-29", "", "banned"),
        ("advanced", "3 True Light -> 3 Dimensional Barrier", "2025-10-27", "", "forbidden"),
        ("advanced", "3 True Light -> 3 Solemn Judgment", "2025-09-15", "", "limited"),
        ("traditional", "3 True Light -> 1 Dimensional Barrier", "2025-10-27", "main-size", "main-size"),
        ("traditional", "3 True Light -> 3 Dimensional Barrier", "2025-10-27", "", "forbidden"),
        ("ocg", "1 Polymerization -> 1 Called by the Grave", "2026-07-01", "", "forbidden"),
        ("ocg", "3 True Light -> 3 Metamorphosis", "2026-10-01", "semi-limited", ""),
    ],
)
def test_a_change_of_the_list_counts_from_its_day(
    format: str, swap: str, day: str, before: str, after: str
) -> None:
    deck, eve = swapped(format, swap), str(date.fromisoformat(day) - timedelta(days=1))
    assert broken_rules(format, deck, eve) == ({before} if before else set())
    assert broken_rules(format, deck, day) == ({after} if after else set())


# The lists themselves.


@pytest.mark.parametrize("file", LISTS, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_list_names_cards_and_goes_on_by_the_day(file: Path) -> None:
    data: dict[str, Any] = yaml.safe_load(file.read_text("utf-8"))
    game = load_game(file.parent.name)
    catalog = open_game_data(file.parent.name).catalog
    assert "partial" not in data
    names = [entry["card"] for entry in data["cards"]]
    assert [[card.name for card in catalog.find(name)] for name in names] == [[name] for name in names]
    for entry in data["cards"]:
        changes = [(str(change["from"]), change["status"]) for change in entry["history"]]
        assert all(day < later for (day, _), (later, _) in pairwise(changes)), entry["card"]
        assert all(status != other for (_, status), (_, other) in pairwise(changes)), entry["card"]
        assert changes[0][1] != "free", entry["card"]
        assert {status for _, status in changes} <= {*game.statuses, "free"}, entry["card"]
        assert changes[-1][0] <= str(data.get("complete_through", "9999")), entry["card"]


@pytest.mark.parametrize("format", LEGAL)
def test_before_the_list_is_complete_and_after_it_the_report_says_so(format: str) -> None:
    deck, day = LEGAL[format]
    [used] = check(deck, load_format(format), as_of=day).lists
    assert used.complete_through is not None
    assert [note.en for note in used.notes] == []
    [used] = check(deck, load_format(format), as_of="2026-12-01").lists
    assert [note.en for note in used.notes] == [
        f"this list is only known to be complete through {used.complete_through}"
    ]
    early = check(deck, load_format(format), as_of="2004-01-01")
    assert any("only known to be complete from" in note.en for note in early.lists[0].notes)
