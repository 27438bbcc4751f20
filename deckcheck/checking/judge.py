"""Loads formats and games, and checks one deck by one format."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.decklists.header_directives_comments import day_of, games_of, without_repeated_format
from deckcheck.decklists.implied_zones import ImpliedZones, TopCards
from deckcheck.decklists.lines import GAP_BEGINS_SIDE, counted_lines
from deckcheck.decklists.read import ListReader, ReadLine
from deckcheck.decklists.vocabulary import Vocabulary
from deckcheck.formats import loading
from deckcheck.formats.lookup import BUNDLED_ONLY, Folders, folded, folded_names, known_formats
from deckcheck.model.banlist import statuses_at
from deckcheck.model.card import Catalog
from deckcheck.model.deck import NAMED_CARDS, Deck, Diagnostic, Entry
from deckcheck.model.finding import Finding, FindingId, ListUsed, Report, Superseded, Verdict, verdict_of
from deckcheck.model.format import Clause, Format, zones_needed
from deckcheck.model.game import Game
from deckcheck.report.findings import (
    assumption_finding,
    card_findings,
    diagnostic_finding,
    entries_by_card,
    foreign_zone_findings,
    format_findings,
    grouped,
    in_place_order,
    list_used,
    partial_finding,
    rule_finding,
    set_aside,
    uncertain_findings,
    unconfirmed_findings,
    written_names,
)
from deckcheck.report.suppressions import suppressed
from deckcheck.report.wording import Names
from deckcheck.rules.clauses import PreparedClause, compile_rules
from deckcheck.rules.counting import tally
from deckcheck.rules.evaluator import evaluate, one_per_cause
from deckcheck.rules.predicates import World
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.files import shipped
from deckcheck.support.messages import Words, _

_MOST_PREPARED = 64


class GameData(Struct, frozen=True):
    """A game with its cards and a reader of lists."""

    game: Game
    catalog: Catalog
    read: ListReader


_Loaded = TypeVar("_Loaded")


def remembered(known: dict[str, _Loaded | UserError], key: str, load: Callable[[str], _Loaded]) -> _Loaded:
    """What `load` gives for a key, loaded once. Raises its UserError, each time again."""
    if key not in known:
        try:
            known[key] = load(key)
        except UserError as error:
            known[key] = error
    result = known[key]
    if isinstance(result, UserError):
        # It would keep the frames through which it passed before.
        raise result.with_traceback(None)
    return result


class PreparedFormat(Struct, frozen=True):
    """A format prepared for a day and the games of a match; `partial` is the finding for incomplete banlists."""

    world: World
    zones: frozenset[str]
    """All zones that the format or its game knows."""
    unsure_zones: frozenset[str]
    """Those whose unknown cards may belong to another zone, by their home or the format's `listed_as`."""
    clauses: tuple[PreparedClause, ...]
    names: Names
    lists: tuple[ListUsed, ...]
    edition: str | None
    partial: Finding | None


class LoadedFormat:
    """A format with the data of its game, which can check many decks."""

    def __init__(self, format: Format, game_data: GameData) -> None:
        self.format = format
        self.game_data = game_data
        self.implied_zones = ImpliedZones(format, game_data.game)
        # Bounded, since lists have any day.
        self._prepared = lru_cache(_MOST_PREPARED)(self._prepare)

    def with_catalog(self, catalog: Catalog) -> "LoadedFormat":
        """The format with another catalog of the same cards; shares what is prepared."""
        other = LoadedFormat(self.format, replace(self.game_data, catalog=catalog))
        other._prepared = self._prepared
        return other

    @property
    def zone_names(self) -> Mapping[str, Words]:
        """The names of the zones of the game, and as the format calls them, by id."""
        zones = self.game_data.game.zones.values()
        return {zone.id: zone.name for zone in zones} | dict(self.format.zones)

    def prepared(self, as_of: str, best_of: int | None = None) -> PreparedFormat:
        """The format prepared for a day and the games of a match, cached. Raises UserError for an abstract one."""
        return self._prepared(as_of, best_of)

    def _prepare(self, as_of: str, best_of: int | None) -> PreparedFormat:
        rules, game = self.format, self.game_data.game
        if rules.abstract:
            raise user_error(_("{format!r} can only be extended", format=rules.id))
        strictness = {status: rank for rank, status in enumerate(game.statuses)}
        statuses = statuses_at(rules.banlists, strictness, as_of)
        in_force = {card: listing.status for card, listing in statuses.items()}
        world = World(as_of, in_force, self.game_data.catalog)
        zones = self.zone_names
        clauses = compile_rules(rules.rules, rules.banlists, world, best_of)
        return PreparedFormat(
            world,
            frozenset(zones),
            frozenset(rules.listed_as) | ({game.default_zone} if game.has_homes else set()),
            clauses,
            Names(game, rules, zones, statuses),
            tuple(list_used(banlist, game, as_of) for banlist in rules.banlists),
            rules.edition(as_of),
            partial_finding([banlist for banlist in rules.banlists if banlist.partial_on(as_of)]),
        )


class Loader:
    """Loads games and formats with the same files of the user's own cards, each once."""

    def __init__(self, cards: Sequence[Path] = (), folders: Folders = BUNDLED_ONLY) -> None:
        self._cards, self._folders = cards, folders
        self._games: dict[str, GameData | UserError] = {}
        self._formats: dict[str, LoadedFormat | UserError] = {}

    def game(self, id: str) -> GameData:
        """The game with that id, its cards as of `open_cards`, and its reader. Raises UserError, each time again."""
        return remembered(self._games, id, self._open_game)

    def _open_game(self, id: str) -> GameData:
        game, catalog = loading.open_cards(id, self._cards, self._folders)
        return GameData(game, catalog, ListReader(game, catalog))

    def games(self) -> Iterator[GameData]:
        """Each game with its cards, without those that can't be opened."""
        for id in loading.known_games(self._folders):
            try:
                yield self.game(id)
            except UserError:
                continue

    def format(self, reference: str) -> LoadedFormat:
        """The format with that id ("game/name"), alias, name or path. Raises UserError, each time again."""
        return remembered(self._formats, reference, self._load_format)

    def _load_format(self, reference: str) -> LoadedFormat:
        def open_game(id: str) -> tuple[Game, Catalog]:
            data = self.game(id)
            return data.game, data.catalog

        format = loading.load_format(reference, open_game, self._folders)
        return LoadedFormat(format, _with_own_headings(self.game(format.game), format))

    def playable_formats(
        self, games: Collection[str] | None = None
    ) -> tuple[tuple[LoadedFormat, ...], tuple[Problem, ...]]:
        """All formats that can be played, by id, and the problems of the others; bundled ones of these `games` only."""
        formats: list[LoadedFormat] = []
        problems: list[Problem] = []
        for entry in known_formats(self._folders):
            is_bundled = entry.file.is_relative_to(shipped("formats"))
            is_unwanted = games is not None and is_bundled and entry.id.partition("/")[0] not in games
            if entry.abstract or is_unwanted:
                continue
            try:
                formats.append(self.format(entry.id))
            except UserError as error:
                problems += error.problems
        return tuple(sorted(formats, key=lambda loaded: loaded.format.id)), tuple(problems)


def load_format(
    reference: str | Path, *, cards: Sequence[Path] = (), folders: Folders = BUNDLED_ONLY
) -> LoadedFormat:
    """The format with that id ("game/name"), alias, name or path. Raises UserError with every mistake in the files."""
    return Loader(cards, folders).format(str(reference))


def _with_own_headings(data: GameData, format: Format) -> GameData:
    """The game, in whose lists the names that a format gives to zones are headings, before words of the game."""
    named = {id: name for id, name in format.zones.items() if id in data.game.zones}
    if all(name == data.game.zones[id].name for id, name in named.items()):
        return data
    zones = {
        id: replace(zone, headings=(*named[id].both, *zone.headings)) if id in named else zone
        for id, zone in data.game.zones.items()
    }
    game = replace(data.game, zones=zones)
    return GameData(game, data.catalog, ListReader(game, data.catalog))


def check(
    deck: str | Deck,
    format: LoadedFormat,
    *,
    as_of: str | None = None,
    best_of: int | None = None,
    path: str = "-",
    suppressions: bool = True,
) -> Report:
    """Check a deck, given as the text of a list, as already read, or as made by `Deck.of`.

    `as_of` is an ISO date (default: that of the list, else today), `best_of` the games of a match (default:
    that of the list, else unknown). `path` is that of the list for the report. `suppressions`: apply the
    directives in the list. Raises UserError if the list can't be read, and TypeError for values of other types.
    """
    if not isinstance(format, LoadedFormat):
        raise TypeError(f"check() takes a format of load_format(), not {type(format).__name__}")
    if not isinstance(deck, str | Deck):
        raise TypeError(f"check() takes the text of a list or a Deck, not {type(deck).__name__}")
    read = read_deck(format, deck, path) if isinstance(deck, str) else deck
    prepared = format.prepared(day_of(read, as_of), games_of(read, best_of))
    if read.notation == NAMED_CARDS:
        read = with_cards(read, format.game_data, prepared.zones)
    report = _judge(read, format, prepared)
    if report.verdict != "undecided" and any(item.id == FindingId.EMPTY_LINE for item in read.diagnostics):
        other = format.implied_zones.other_reading(read)
        if other is not None and _judge(other[0], format, prepared).verdict != report.verdict:
            _in_second, doubted, unsure_after = other
            report = _judge(doubted, format, prepared, unsure_after if report.verdict == "illegal" else {})
    if format.format.on_top and report.verdict == Verdict.ILLEGAL:
        report = _with_top_in_doubt(report, read, format, prepared)
    if suppressions and read.directives:
        rules = format.format
        ids = {rule.id for rule in rules.rules} | {kind.id for kind in rules.set_aside}
        report = suppressed(report, ids)
    # A line of the list may ignore the finding about its own card only.
    return replace(report, findings=grouped(report.findings)) if report.findings else report


def _with_top_in_doubt(report: Report, deck: Deck, format: LoadedFormat, prepared: PreparedFormat) -> Report:
    """The report, or that of the deck if other cards than the first may be those of a zone on top."""

    def may_be_legal(other: Deck) -> bool:
        return _judge(other, format, prepared).verdict != Verdict.ILLEGAL

    doubted = _top_cards(format, prepared).doubted(deck, may_be_legal)
    if doubted is None:
        return report
    # One message says what to write; of the rules, only those count for which the zones make no difference.
    by_zone = {rule.id for rule in format.format.rules if not all(map(_is_of_any_zone, rule.clauses))}
    judged = _judge(doubted, format, prepared)
    follow = [item for item in judged.findings if item.rule in by_zone]
    findings = tuple(item for item in judged.findings if item not in follow)
    return replace(
        judged,
        findings=findings,
        superseded=(*judged.superseded, *(Superseded(item, (FindingId.UNKNOWN_ZONE,)) for item in follow)),
        verdict=verdict_of(findings),
    )


def _is_of_any_zone(clause: Clause) -> bool:
    """Whether a clause counts cards wherever they are."""
    predicates = zones_needed(clause.selection.where)
    return clause.selection.zones is None and clause.when is None and not clause.terms and not predicates


def _top_cards(format: LoadedFormat, prepared: PreparedFormat) -> TopCards:
    return TopCards(format.format, prepared.clauses, format.game_data.game.default_zone)


def explain(
    text: str, format: LoadedFormat, *, path: str = "-", notation: str | None = None
) -> tuple[ReadLine, ...]:
    """What each line of a list, and each part of it, was taken for. Raises UserError as reading the list does."""
    return format.game_data.read.outline(text, path, notation).explained()


def read_deck(format: LoadedFormat, text: str, path: str, notation: str | None = None) -> Deck:
    """The deck in a list, with zones fitted to `format`; `notation` is that of the list if known. Raises UserError."""
    data, zones = format.game_data, format.format.zones.keys()
    deck = data.read(text, path, notation)
    on_top = (
        _top_cards(format, format.prepared(day_of(deck), games_of(deck))) if format.format.on_top else None
    )

    def with_top(deck: Deck) -> Deck:
        return deck if on_top is None else on_top.placed(deck)

    def keeps_rules(entries: Sequence[Entry], zone: str) -> bool:
        return on_top is None or zone not in format.format.on_top or on_top.keeps_rules(entries, zone)

    if deck.diagnostics:
        called = folded_names(format.format.id, format.format.name, format.format.aliases)
        deck = without_repeated_format(_without_aside(deck), lambda name: folded(name) in called)
    implied = format.implied_zones
    deck = implied.with_told_parts(with_top(deck), data.read.words)
    used = {entry.zone for entry in deck.entries}
    if used <= zones:
        return (
            implied.by_sizes(deck, data.read.words) if format.format.exchange and notation is None else deck
        )
    if data.game.default_zone in zones:
        deck = implied.by_headings(deck)
    by_gaps = notation is None and deck.notation in GAP_BEGINS_SIDE
    as_text = (lambda: with_top(data.read(text, path, "text"))) if by_gaps else None
    return implied.in_format(deck, data.catalog, keeps_rules, as_text)


def _without_aside(deck: Deck) -> Deck:
    """The deck without the cards that aren't in it, as the list says, and without remarks on their lines.

    What is told of a line that may be a heading above some of these cards stays, for they may be in the deck.
    """
    aside = {item.zone for item in deck.diagnostics if item.id == FindingId.NOT_IN_DECK}
    if not aside:
        return deck
    last = max(entry.line for entry in deck.entries if entry.zone in aside)
    return replace(
        deck,
        entries=tuple(entry for entry in deck.entries if entry.zone not in aside),
        diagnostics=tuple(
            item
            for item in deck.diagnostics
            if item.id == FindingId.NOT_IN_DECK
            or item.zone not in aside
            or (item.may_head and item.line < last)
        ),
    )


def _judge(
    deck: Deck,
    format: LoadedFormat,
    prepared: PreparedFormat,
    unsure_after: Mapping[str, tuple[int, int]] = MappingProxyType({}),
) -> Report:
    data, rules, names, partial = format.game_data, format.format, prepared.names, prepared.partial
    as_of, lists = prepared.world.as_of, prepared.lists
    findings: list[Finding] = []
    if rules.set_aside:
        entries, findings = set_aside(deck, rules.set_aside, data.catalog)
        if findings:
            deck = replace(deck, entries=entries)
    invalid = [diagnostic for diagnostic in deck.diagnostics if diagnostic.id == FindingId.INVALID_LINE]
    unsure_after = {**unsure_after, **_unsure_below(deck, invalid)}
    has_unknown_names = any(not entry.cards for entry in deck.entries)
    counted = counted_lines(deck.entries, deck.lines) if has_unknown_names else ()
    contents = tally(deck.entries, len(invalid), prepared.zones, counted, prepared.unsure_zones, unsure_after)
    all_outcomes, assumptions = evaluate(prepared.clauses, contents, data.game.assumed_absent)
    outcomes, redundant = one_per_cause(all_outcomes)
    superseded: list[Superseded] = []
    if outcomes:
        names = replace(names, written=written_names(deck.entries, data.catalog.fold))
        placed = entries_by_card(deck)
        findings += [rule_finding(outcome, deck, placed, names) for outcome in outcomes]
        superseded = [
            Superseded(rule_finding(item.outcome, deck, placed, names), item.by) for item in redundant
        ]
    findings += [assumption_finding(assumption, deck, data.game) for assumption in assumptions]
    findings += map(diagnostic_finding, deck.diagnostics)
    if contents.uncertain:
        findings += uncertain_findings(deck, data.catalog)
    if contents.uncertain or not contents.zones.keys() <= rules.zones.keys():
        bans = [item for item in outcomes if item.clause.is_ban and item.clause.severity == "error"]
        refused = {card for ban in bans for card in ban.cards}
        by = tuple(ban.rule.id for ban in bans)
        for finding, is_refused in foreign_zone_findings(deck, names, refused):
            # Bans on all cards of a zone make its other findings redundant.
            if is_refused:
                superseded.append(Superseded(finding, by))
            else:
                findings.append(finding)
    findings += unconfirmed_findings(deck, lists)
    findings += format_findings(rules, as_of)
    if any(card.own is not None or (card.released or "") > as_of for card in contents.copies_in(None)):
        findings += card_findings(deck, as_of)
    verdict = verdict_of(findings)
    if partial is not None and verdict == Verdict.ILLEGAL:
        superseded.append(Superseded(partial, ()))
    elif partial is not None:
        findings.append(partial)
        verdict = Verdict.UNDECIDED
    return Report(
        deck=deck,
        game=data.game.id,
        format=rules.id,
        format_name=rules.name,
        as_of=as_of,
        edition=prepared.edition,
        verdict=verdict,
        findings=in_place_order(findings) if findings else (),
        zones=rules.zones,
        zone_names=names.zones,
        lists=lists,
        title=rules.title,
        superseded=tuple(superseded),
    )


def _unsure_below(deck: Deck, unread: Sequence[Diagnostic]) -> dict[str, tuple[int, int]]:
    """The zones with cards behind an unread text that may be their heading or begin another list, with its line and column."""
    unsure_after: dict[str, tuple[int, int]] = {}
    for line in unread:
        headed = {line.zone} if line.zone is not None else {entry.zone for entry in deck.entries}
        for zone in headed if line.may_head else ():
            unsure_after.setdefault(zone, (line.line, line.column))
    return unsure_after


def zone_meant(word: str, zones: Collection[str], words: Vocabulary) -> str | None:
    """The id of a zone by its id or heading, the word itself if it is neither; None for what isn't in the deck."""
    if not word or word in zones:
        return word
    zone = words.zones.get(words.fold(word), word)
    return None if zone in words.aside else zone


def with_cards(deck: Deck, data: GameData, zones: Collection[str]) -> Deck:
    """A deck of names with its cards and zones, as if it were a list. Cards without a zone go to their home.

    Cards in a zone such as that of cards left out aren't in the deck, and a zone that nobody knows is reported.
    """
    entries, unknown = list[Entry](), dict[str, int]()
    for entry in deck.entries:
        zone = zone_meant(entry.zone, zones, data.read.words)
        if zone is None:
            continue
        cards = tuple(data.catalog.find(entry.written))
        zone = zone or (cards[0].home if len(cards) == 1 else None) or data.game.default_zone
        entries.append(replace(entry, cards=cards, zone=zone))
        if zone not in zones:
            unknown.setdefault(zone, entry.line)
    diagnostics = [
        Diagnostic(FindingId.UNKNOWN_ZONE, _("no zone is called “{zone}”", zone=zone), line, 1, zone, zone)
        for zone, line in unknown.items()
    ]
    return replace(deck, entries=tuple(entries), diagnostics=tuple(diagnostics))
