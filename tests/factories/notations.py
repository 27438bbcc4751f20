"""Two small games in the way of those whose tools write these notations, and lists in each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from deckcheck.cards.names import make_fold
from deckcheck.checking.judge import GameData
from deckcheck.decklists.read import make_reader
from deckcheck.formats.loading import read_game
from deckcheck.model.card import Card, Part, Printing
from deckcheck.model.deck import Deck
from deckcheck.model.game import Game
from factories.memory_catalog import MemoryCatalog

WIZARDS_YAML = """
game: wizards
name: {ja: 魔法, en: Wizards}
names: {drop: "',.-"}
attributes:
  home: {kind: home, name: {ja: 置き場所, en: home}}
zones:
  main: {name: {ja: メインデッキ, en: Main deck}, headings: [メインデッキ, Main, Main deck, Deck, Mainboard]}
  sideboard: {name: {ja: サイドボード, en: Sideboard}, headings: [サイドボード, Sideboard, Side]}
  commander: {name: {ja: 統率者, en: Commander}, headings: [統率者, Commander]}
  companion: {name: {ja: 相棒, en: Companion}, headings: [相棒, Companion]}
words:
  marks: {SB: sideboard}
  notations: [arena, moxfield, mtgo]
  columns:
    other: [Tradelist Count, Edition, Condition, Language, Foil, Tags, Last Modified, Collector Number, Alter, Proxy, Purchase Price]
  notes: ["*F*", "*E*"]
"""
DUEL_YAML = """
game: duel
name: {ja: 決闘, en: Duel}
names: {drop: "-・"}
attributes:
  home: {kind: home, name: {ja: 置き場所, en: home}}
zones:
  main: {name: {ja: メインデッキ, en: Main deck}, headings: [メインデッキ, Main]}
  extra: {name: {ja: エクストラデッキ, en: Extra deck}, headings: [エクストラデッキ, Extra]}
  side: {name: {ja: サイドデッキ, en: Side deck}, headings: [サイドデッキ, Side]}
"""


def _card(
    name: str, home: str = "main", *aliases: str, sets: Iterable[str] = (), parts: Iterable[str] = ()
) -> Card:
    printings = tuple(Printing(one, None, {}) for one in sets)
    return Card(
        name, home, {}, aliases=aliases, printings=printings, parts=tuple(Part(one, {}) for one in parts)
    )


WIZARDS = [
    _card("Lightning Bolt", sets=["LEA", "M10"]),
    _card("Mountain", sets=["M10"]),
    _card("Pyroblast", sets=["Ice Age", "ICE"]),
    _card("Lurrus of the Dream-Den", sets=["IKO"]),
    _card("Krenko, Mob Boss"),
    _card("Fire // Ice", parts=["Fire", "Ice"]),
    _card("Erase (Not the Urza's Legacy One)"),
    _card("+2 Mace"),
    _card("Look at Me, I'm R&D"),
    _card("Jötun Grunt"),
    _card("1996 World Champion"),
    _card("Sol Ring"),
]
DUELISTS = [
    _card("Dark Magician", "main", "46986414", "46986415"),
    _card("Blue-Eyes White Dragon", "main", "89631139"),
    _card("Blue-Eyes Ultimate Dragon", "extra", "23995346"),
    _card("Mystical Space Typhoon", "main", "05318639"),
    _card("Pot of Greed", "main"),
    _card("7", "main", "67048711"),
]


class Small(NamedTuple):
    """A game, its cards, and a table of both."""

    game: Game
    shelf: MemoryCatalog
    game_data: GameData


def _small(text: str, cards: Iterable[Card]) -> Small:
    with TemporaryDirectory() as folder:
        file = Path(folder, "game.yaml")
        file.write_text(text, encoding="utf-8")
        game = read_game(file)
    shelf = MemoryCatalog(make_fold(game.folding), cards)
    return Small(game, shelf, GameData(game, shelf, make_reader(game, shelf)))


@cache
def wizards() -> Small:
    return _small(WIZARDS_YAML, WIZARDS)


@cache
def duel() -> Small:
    return _small(DUEL_YAML, DUELISTS)


Reading = Callable[..., Deck]

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


def table_for(notation: str) -> GameData:
    """The table of the game whose tools write that notation."""
    return (duel() if notation == "ydk" else wizards()).game_data
