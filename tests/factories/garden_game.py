"""Garden, a game that nobody plays: its vocabulary, its cards, and formats written as strings."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from deckcheck.cards.names import make_fold
from deckcheck.checking.judge import GameData, LoadedFormat, check
from deckcheck.decklists.read import ListReader
from deckcheck.formats.grammar import Context
from deckcheck.formats.inheritance import Piece
from deckcheck.formats.loading import game_from, load_format
from deckcheck.formats.rule_parser import RuleParser, Scope
from deckcheck.model.banlist import Banlist, BanlistEntry, Change, Unconfirmed
from deckcheck.model.card import Card, Fact, Part, Printing
from deckcheck.model.deck import Deck, Diagnostic, Entry
from deckcheck.model.finding import Report
from deckcheck.model.format import EACH, Format, Predicate, Rule, Source
from deckcheck.model.game import Game
from deckcheck.support.documents import Document, parse_yaml
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.messages import Localized, localized
from factories.memory_catalog import MemoryCatalog

GAME_YAML = """
game: garden
name: {ja: 庭, en: Garden}
names:
  drop: "・-'~ー"
  replace: {〈: <, 〉: ">"}
attributes:
  colour:
    kind: values
    name: {ja: 色, en: colour}
    values: [red, blue, green]
    names: {red: {ja: 赤, en: Red}, blue: {ja: 青, en: Blue}, green: {ja: 緑, en: Green}}
  kind: {kind: values, name: {ja: 種類, en: kind}}
  cost: {kind: number, name: {ja: コスト, en: cost}}
  rarity: {kind: rank, name: {ja: 希少度, en: rarity}, order: [[C], [U], [R], [SR, SSR], [L]]}
  home: {kind: home, name: {ja: 置き場所, en: home}}
zones:
  main: {name: {ja: 花壇, en: Bed}, headings: [花壇, Bed]}
  leader: {name: {ja: 庭師, en: Gardener}, headings: [庭師, Gardener]}
  side: {name: {ja: 温室, en: Glasshouse}, headings: [温室, Glasshouse]}
statuses:
  rare: {ja: 制限, en: limited}
  pair: {ja: 組制限, en: paired}
  out: {ja: 禁止, en: forbidden}
"""
GAME: Game = game_from(parse_yaml(GAME_YAML, "game.yaml").data)
COLOURS = ("red", "blue", "green")
KINDS = ("flower", "tree", "Card 0")
"""The last is the name of a card, for what asks whether one card names another."""
COSTS = (0.0, 1.0, 2.0, 3.0)
RANKS = ("C", "U", "R", "SR", "SSR", "L")
ZONES = tuple(GAME.zones)
FOLD = make_fold(GAME.folding)


def card(
    name: str,
    *,
    colour: Iterable[str] | None = (),
    kind: Iterable[str] | None = ("flower",),
    cost: float | None = 1.0,
    home: str | None = "main",
    released: str | None = "2000-01-01",
    printings: Iterable[Printing] | None = None,
    partial: Iterable[str] = (),
    parts: Iterable[Part] = (),
    aliases: Iterable[str] = (),
    made_of: Iterable[str] = (),
) -> Card:
    """A card; a fact given as None is unknown. Without printings it has a plain one of rank C."""
    facts: dict[str, Fact] = {}
    if colour is not None:
        facts["colour"] = frozenset(colour)
    if kind is not None:
        facts["kind"] = frozenset(kind)
    if cost is not None:
        facts["cost"] = cost
    shown = (printing("C"),) if printings is None else tuple(printings)
    return Card(
        name,
        home,
        facts,
        partial=frozenset(partial),
        aliases=tuple(aliases),
        released=released,
        printings=shown,
        parts=tuple(parts),
        made_of=tuple(made_of),
    )


def printing(rank: str | None, released: str | None = "2000-01-01") -> Printing:
    """One printing; rank None is unknown."""
    return Printing("set", released, {} if rank is None else {"rarity": rank})


class Shelf(MemoryCatalog):
    """A catalog of the garden."""

    def __init__(self, cards: Iterable[Card]) -> None:
        super().__init__(FOLD, cards)


ROSE = card("Rose", colour=["red"], cost=2.0)
IRIS = card("Iris", colour=["blue"], cost=1.0)
FERN = card("Fern", colour=["green"], kind=["fern"], cost=0.0)
OAK = card("Great Oak", colour=["green", "red"], kind=["tree", "great tree"], cost=5.0)
GHOST = card("Ghost Orchid", colour=None, kind=None, cost=None, printings=(), released=None)
MOSS = card("Moss", colour=["green"], partial=["colour"], cost=math.inf)
PLUM = card("Plum", kind=["tree"], aliases=["Prune"], printings=[printing("R")])
WISP = card("Wisp", home="side")
GARDEN = Shelf([ROSE, IRIS, FERN, OAK, GHOST, MOSS, PLUM, WISP])


def opened(cards: Shelf = GARDEN) -> Callable[[str], tuple[Game, Shelf]]:
    """Opens the game for the format loader."""

    def open_game(game_id: str) -> tuple[Game, Shelf]:
        if game_id != "garden":
            raise UserError([Problem(Localized("ありません", f"no game {game_id}"))])
        return GAME, cards

    return open_game


def load(file: Path, cards: Shelf = GARDEN) -> LoadedFormat:
    """The format of a file, with the garden's cards."""
    return LoadedFormat(load_format(str(file), opened(cards)), table_of(cards))


def table_of(cards: Shelf = GARDEN) -> GameData:
    """The garden and its cards."""
    return GameData(GAME, cards, ListReader(GAME, cards))


def format_of(
    *rules: Mapping[str, Any],
    cards: Shelf = GARDEN,
    zones: Iterable[str] = ("main", "leader", "side"),
    banlists: Iterable[Mapping[str, Any]] = (),
) -> LoadedFormat:
    """A format of rules in plain values, past the checks of the loader."""
    return format_with(
        read_rules(*rules, cards=cards, zones=zones), cards=cards, zones=zones, banlists=banlists
    )


def format_with(
    rules: tuple[Rule, ...],
    cards: Shelf = GARDEN,
    zones: Iterable[str] = ("main", "leader", "side"),
    banlists: Iterable[Mapping[str, Any]] = (),
) -> LoadedFormat:
    """A format of rules that were read before."""
    format = Format(
        id="garden/test",
        name=Localized("Test", "Test"),
        game="garden",
        aliases=(),
        abstract=False,
        title=None,
        editions=(),
        zones={zone: GAME.zones[zone].name for zone in zones},
        rules=rules,
        set_aside=(),
        banlists=tuple(banlist_from(one) for one in banlists),
        source=Source("f.yaml", 1),
    )
    return LoadedFormat(format, table_of(cards))


def banlist_from(data: Mapping[str, Any]) -> Banlist:
    """A banlist from plain values in the form of its file, with a line for each change."""
    unconfirmed = data.get("unconfirmed", {})
    return Banlist(
        id=data.get("banlist", "garden/list"),
        name=localized(data.get("name", "List")),
        title=None,
        editions=(),
        path=data.get("path", "l.yaml"),
        complete_through=data.get("complete_through"),
        entries=tuple(
            BanlistEntry(tuple(map(frozenset, one.get("sides") or [[one["card"]]])), _history(one))
            for part in ("cards", "combinations")
            for one in data.get(part, ())
        ),
        seen_by=unconfirmed.get("seen_by"),
        unconfirmed=tuple(
            Unconfirmed(one["card"], one["from"], one["to"]) for one in unconfirmed.get("changes", ())
        ),
        partial=data.get("partial", False),
        complete_from=data.get("complete_from"),
    )


def _history(data: Mapping[str, Any]) -> tuple[Change, ...]:
    return tuple(Change(one["from"], one["status"], one["line"]) for one in data["history"])


def read_rules(
    *rules: Mapping[str, Any], cards: Shelf = GARDEN, zones: Iterable[str] = ZONES
) -> tuple[Rule, ...]:
    """Rules in plain values as the loader reads them, whatever is wrong with their words."""
    read = []
    for at, rule in enumerate(rules):
        document = Document("f.yaml", {"id": f"rule-{at}", **rule}, {(): (at + 1, 1)}, ())
        read.append(RuleParser(Context(GAME, cards, tuple(zones))).rule(Piece(document))[0])
    return tuple(read)


def condition_of(data: Mapping[str, Any], cards: Shelf = GARDEN) -> Predicate:
    """A condition in plain values as the loader reads it."""
    document = Document("f.yaml", dict(data), {}, ())
    return RuleParser(Context(GAME, cards, ZONES)).resolved(document, Scope(EACH))


Held = tuple[Card | str | tuple[Card, ...], int] | tuple[Card | str | tuple[Card, ...], int, str]


def deck_of(*held: Held, diagnostics: Iterable[Diagnostic] = ()) -> Deck:
    """A deck of (card, copies[, zone]); a string is an unknown name, a tuple an ambiguous one."""
    entries = []
    for line, (what, copies, *zone) in enumerate(held, 1):
        cards = () if isinstance(what, str) else (what,) if isinstance(what, Card) else what
        written = what if isinstance(what, str) else " or ".join(one.name for one in cards)
        entries.append(Entry(written, cards, copies, zone[0] if zone else "main", line, 1))
    return deck_from(entries, diagnostics)


def deck_from(entries: Iterable[Entry], diagnostics: Iterable[Diagnostic] = ()) -> Deck:
    """A deck of entries made elsewhere."""
    return Deck("deck.txt", tuple(entries), tuple(diagnostics), {}, "text", ())


def unread(zone: str | None = "main", line: int = 99) -> Diagnostic:
    """A line that can't be read."""
    return Diagnostic("invalid-line", Localized("読めません", "can't be read"), line, 1, zone, "???")


def judged(rule: Mapping[str, Any], *held: Held, as_of: str = "2020-01-01", **more: Any) -> Report:
    """The report of a deck against one rule."""
    return check(deck_of(*held), format_of(rule, **more), as_of=as_of)


def verdict(rule: Mapping[str, Any], *held: Held, as_of: str = "2020-01-01", **more: Any) -> str:
    """The verdict of a deck against one rule."""
    return judged(rule, *held, as_of=as_of, **more).verdict
