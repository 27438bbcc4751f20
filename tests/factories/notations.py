"""A list in each notation of other tools, of cards that the game has whose players use it."""

from __future__ import annotations

from functools import cache

from deckcheck.cards.names import make_fold
from deckcheck.checking.judge import GameData, Loader
from deckcheck.decklists.read import ListReader
from factories.memory_catalog import MemoryCatalog

CARDS = [
    "Lightning Bolt", "Mountain", "Pyroblast", "Lurrus of the Dream-Den", "Krenko, Mob Boss", "Fire // Ice",
    "Erase (Not the Urza's Legacy One)", "+2 Mace", "Look at Me, I'm R&D", "Jötun Grunt", "Sol Ring",
]  # fmt: skip

MTGO = """4 Lightning Bolt
20 Mountain
1 Fire/Ice

2 Pyroblast
1 Krenko, Mob Boss
"""
ARENA = """About
Name Red Deck Wins

Companion
1 Lurrus of the Dream-Den (IKO) 226

Deck
4 Lightning Bolt (M10) 146
20 Mountain (ANB) 114
1 Fire // Ice (MH2) 290

Sideboard
2 Pyroblast (EMA) 142
1 Lurrus of the Dream-Den (IKO) 226
"""
MOXFIELD = """4 Lightning Bolt (M10) 146 *F*
20 Mountain (SLD) 254★
1 Fire // Ice (MH2) 290 *E* #Split cards #!Red
1 Erase (Not the Urza's Legacy One) (UNH) 10

SIDEBOARD:
2 Pyroblast (EMA) 142
"""
DEK = """<?xml version="1.0" encoding="utf-8"?>
<Deck xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <NetDeckID>0</NetDeckID>
  <PreconstructedDeckID>0</PreconstructedDeckID>
  <Cards CatID="44517" Quantity="4" Sideboard="false" Name="Lightning Bolt" Annotation="0" />
  <Cards CatID="40110" Quantity="20" Sideboard="false" Name="Mountain" Annotation="0" />
  <Cards CatID="20578" Quantity="1" Sideboard="false" Name="Fire/Ice" Annotation="0" />
  <Cards CatID="60012" Quantity="2" Sideboard="true" Name="Pyroblast" Annotation="0" />
  <Cards CatID="60013" Quantity="1" Sideboard="true" Name="Look at Me, I&apos;m R&amp;D" Annotation="0" />
</Deck>
"""
COCKATRICE = """<?xml version="1.0" encoding="UTF-8"?>
<cockatrice_deck version="1">
    <deckname>Red Deck Wins</deckname>
    <comments>burn &amp; more
burn</comments>
    <zone name="main">
        <card number="4" price="0" name="Lightning Bolt"/>
        <card number="20" price="0" name="Mountain"/>
        <card
            number="1"
            name='Fire // Ice'/>
    </zone>
    <zone name="side">
        <card number="2" price="0" name="Pyroblast"/>
    </zone>
    <zone name="tokens">
        <card number="1" name="Goblin Token"/>
    </zone>
</cockatrice_deck>
"""
FORGE = """[metadata]
Name=Red Deck Wins
Description=burn = more burn
[Commander]
1 Krenko, Mob Boss|M13|1
[Main]
4 Lightning Bolt+|M10|1
20 Mountain|M10|[242]
1 Fire // Ice|APC
1 +2 Mace|AFR|1
[Sideboard]
2 Pyroblast|ICE
"""
XMAGE = """NAME:Red Deck Wins
AUTHOR:nobody
4 [M10:146] Lightning Bolt
20 [M10:242] Mountain
NR:1 [APC:128] Fire // Ice
SB: 2 [ICE:213] Pyroblast
LAYOUT MAIN:(1,1)(NONE,false,50)|([M10:146],[M10:242])
LAYOUT SIDEBOARD:(1,1)(NONE,false,50)|([ICE:213])
"""
YDK = """#created by somebody
#main
46986414
46986415
5318639
12345678
#extra
23995346
!side
89631139
"""
SAMPLES = {
    "mtgo": MTGO,
    "arena": ARENA,
    "moxfield": MOXFIELD,
    "dek": DEK,
    "cockatrice": COCKATRICE,
    "forge": FORGE,
    "xmage": XMAGE,
    "ydk": YDK,
}
ENDINGS = {
    "mtgo": "txt",
    "arena": "txt",
    "moxfield": "txt",
    "dek": "dek",
    "cockatrice": "cod",
    "forge": "dck",
    "xmage": "dck",
    "ydk": "ydk",
}


DUELISTS = [
    "Dark Magician",
    "Blue-Eyes White Dragon",
    "Blue-Eyes Ultimate Dragon",
    "Mystical Space Typhoon",
    "7",
]
WITHOUT_A_NUMBER = "Twisted Personality"


def _small(game: str, names: list[str]) -> GameData:
    """A game with so few cards that suggestions take no time."""
    data = Loader().game(game)
    catalog = MemoryCatalog(make_fold(data.game.folding), [data.catalog.find(name)[0] for name in names])
    return GameData(data.game, catalog, ListReader(data.game, catalog))


@cache
def magic() -> GameData:
    """The game of Magic with the cards of the samples."""
    return _small("magic", CARDS)


@cache
def yugioh() -> GameData:
    """The game of Yu-Gi-Oh! with the cards of the samples."""
    return _small("yugioh", [*DUELISTS, WITHOUT_A_NUMBER])


def table_for(notation: str) -> GameData:
    """The cards of the game whose tools write that notation."""
    return yugioh() if notation == "ydk" else magic()
