"""One deck against one format."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from deckcheck.decklists.header import header_place
from deckcheck.formats import loading
from deckcheck.formats.loading import load_game
from deckcheck.formats.lookup import BUNDLED_ONLY, Folders
from deckcheck.model.banlist import statuses_at
from deckcheck.model.card import Card, Catalog
from deckcheck.model.deck import Deck, Reader
from deckcheck.model.finding import Finding, ListUsed, Report, Superseded, verdict_of
from deckcheck.model.format import Format
from deckcheck.model.game import Game
from deckcheck.report.findings import (
    assumption_finding,
    card_findings,
    coming_format_finding,
    diagnostic_finding,
    foreign_zone_findings,
    in_place_order,
    list_used,
    partial_finding,
    rule_finding,
    set_aside,
    uncertain_findings,
    unconfirmed_findings,
    written_names,
)
from deckcheck.report.wording import Names
from deckcheck.rules.counting import tally
from deckcheck.rules.evaluator import PreparedClause, compile_rules, evaluate, one_per_cause
from deckcheck.rules.predicates import World
from deckcheck.support.dates import no_such_day, parse_day, today
from deckcheck.support.errors import UserError, placed_at, user_error
from deckcheck.support.messages import _

_MOST_PREPARED = 64
_MOST_REMEMBERED = 10_000


class GameData(NamedTuple):
    """A game and its cards, with a reader of lists that knows them."""

    game: Game
    catalog: Catalog
    read: Reader


class SuggestionCache:
    """A catalog that remembers its suggestions; with a `budget` it searches for so many names at most."""

    def __init__(self, catalog: Catalog, budget: int | None = None) -> None:
        self._catalog = catalog
        self._budget = budget
        self._suggested: dict[str, list[str]] = {}
        self.exhausted = False
        self.version = catalog.version
        self.fold = catalog.fold
        self.find = catalog.find
        self.beginning = catalog.beginning

    def suggest(self, name: str) -> list[str]:
        """The names that the catalog suggests."""
        found = self._suggested.get(name)
        if found is not None:
            return found
        if self._budget is not None and len(self._suggested) >= self._budget:
            self.exhausted = True
            return []
        found = self._catalog.suggest(name)
        if len(self._suggested) < _MOST_REMEMBERED:
            self._suggested[name] = found
        return found

    def __iter__(self) -> Iterator[Card]:
        return iter(self._catalog)

    def __len__(self) -> int:
        return len(self._catalog)


class PreparedFormat(NamedTuple):
    """A format made ready for a day and the games of a match; `partial` is the finding for incomplete banlists."""

    world: World
    clauses: tuple[PreparedClause, ...]
    names: Names
    lists: tuple[ListUsed, ...]
    edition: str | None
    partial: Finding | None


class LoadedFormat:
    """A format with the data of its game, ready to check many decks."""

    __slots__ = ("_prepared_cache", "format", "game_data")

    def __init__(self, format: Format, game_data: GameData) -> None:
        self.format = format
        self.game_data = game_data
        self._prepared_cache: dict[tuple[str, int | None], PreparedFormat] = {}

    def with_catalog(self, catalog: Catalog) -> "LoadedFormat":
        """The format with another way to its cards; what is prepared for some day stays so."""
        other = LoadedFormat(self.format, self.game_data._replace(catalog=catalog))
        other._prepared_cache = self._prepared_cache
        return other

    def prepared(self, as_of: str, best_of: int | None = None) -> PreparedFormat:
        """The format made ready for a day and the games of a match, and kept. Raises UserError for an abstract one."""
        cache = self._prepared_cache
        found = cache.get((as_of, best_of))
        if found is None:
            if len(cache) >= _MOST_PREPARED:
                cache.clear()
            found = cache[as_of, best_of] = self._prepare(as_of, best_of)
        return found

    def _prepare(self, as_of: str, best_of: int | None) -> PreparedFormat:
        rules, game = self.format, self.game_data.game
        if rules.abstract:
            raise user_error(_("{format!r} can only be extended", format=rules.id))
        strictness = {status: at for at, status in enumerate(game.statuses)}
        statuses = statuses_at(rules.banlists, strictness, as_of)
        in_force = {card: listing.status for card, listing in statuses.items()}
        world = World(as_of, in_force, self.game_data.catalog)
        zones = {zone.id: zone.name for zone in game.zones.values()} | dict(rules.zones)
        return PreparedFormat(
            world,
            compile_rules(rules.rules, rules.banlists, world, best_of),
            Names(game, rules.zones, zones, statuses),
            tuple(list_used(banlist, game, as_of) for banlist in rules.banlists),
            rules.edition(as_of),
            partial_finding([banlist for banlist in rules.banlists if banlist.partial_on(as_of)]),
        )


def open_game_data(game_id: str, cards: Sequence[Path] = ()) -> GameData:
    """The game of that id with its card table, and the cards of extra files. Raises UserError."""
    from deckcheck.cards.catalog import open_catalog
    from deckcheck.decklists.read import make_reader

    game = load_game(game_id)
    catalog = open_catalog(game, extra=cards)
    return GameData(game, catalog, make_reader(game, catalog))


def load_format(
    reference: str | Path,
    *,
    cards: Sequence[Path] = (),
    games: dict[str, GameData] | None = None,
    folders: Folders = BUNDLED_ONLY,
) -> LoadedFormat:
    """The format of that id ("game/name"), alias, name or file. Raises UserError with every mistake in the files.

    Formats of one game share its data when the same `games` dict is passed to each call.
    """
    opened = {} if games is None else games

    def open_game(game_id: str) -> tuple[Game, Catalog]:
        if game_id not in opened:
            opened[game_id] = open_game_data(game_id, cards)
        return opened[game_id].game, opened[game_id].catalog

    loaded = loading.load_format(reference, open_game, folders)
    return LoadedFormat(loaded, opened[loaded.game])


def check(
    deck: str | Deck,
    format: LoadedFormat,
    *,
    as_of: str | None = None,
    best_of: int | None = None,
    path: str = "-",
    suppressions: bool = True,
) -> Report:
    """Judge a deck, given as the text of a list or as read before.

    `as_of` is an ISO date (default: the list's own, else today), `best_of` the games of a match (default: the list's
    own, else unknown). `path` names the list in the report. With `suppressions` what the list asks to ignore is left
    out of the findings. Raises UserError when the list can't be read at all.
    """
    read = read_deck(format, deck, path) if isinstance(deck, str) else deck
    report = _judge(read, format, format.prepared(day_of(read, as_of), games_of(read, best_of)))
    if not suppressions or not read.directives:
        return report
    from deckcheck.report.suppressions import suppressed

    rules = format.format
    return suppressed(report, {rule.id for rule in rules.rules} | {kind.id for kind in rules.set_aside})


def read_deck(format: LoadedFormat, text: str, path: str, notation: str | None = None) -> Deck:
    """The deck in the text of a list for `format`, in `notation` if that is known; see `fit_zones`. Raises UserError."""
    data, zones = format.game_data, format.format.zones.keys()
    deck = data.read(text, path, notation)
    if {entry.zone for entry in deck.entries} <= zones and all(one.zone in zones for one in deck.diagnostics):
        return deck
    from deckcheck.decklists.impliedzones import fit_zones
    from deckcheck.decklists.read import BY_GAPS

    by_gaps = notation is None and deck.notation in BY_GAPS
    as_text = (lambda: data.read(text, path, "text")) if by_gaps else None
    names = {zone.id: zone.name for zone in data.game.zones.values()}
    return fit_zones(deck, format.format, data.catalog, names, as_text)


def day_of(deck: Deck, as_of: str | None = None) -> str:
    """The day of a check: as given, else as the list says, else today. Raises UserError, placed, for an invalid day."""
    key = "as-of" if deck.header.get("as-of") else "date"
    written = as_of if as_of is not None else deck.header.get(key)
    if written is None:
        return today().isoformat()
    day = parse_day(written)
    if day is None:
        error = user_error(no_such_day(written), hint=_("write YYYY-MM-DD"))
        raise error_in_header(error, "" if as_of is not None else key, deck.lines, deck.path)
    return day.isoformat()


def games_of(deck: Deck, best_of: int | None = None) -> int | None:
    """The games of a match: as given, else as the list says, else None. Raises UserError, placed, for no number."""
    written = deck.header.get("best-of")
    if best_of is not None or written is None:
        return best_of
    if not written.isdecimal() or len(written) > 9:
        error = user_error(_("best-of is not a number: {text}", text=written))
        raise error_in_header(error, "best-of", deck.lines, deck.path)
    return int(written)


def error_in_header(error: UserError, key: str, lines: Sequence[str], path: str) -> UserError:
    """The error with the line of a list's header that says `key`, where it has no place of its own."""
    line, column = header_place(lines, key) or (None, None)
    return placed_at(error, path, line, column, lines[line - 1] if line else None)


def _judge(deck: Deck, format: LoadedFormat, prepared: PreparedFormat) -> Report:
    world, clauses, names, lists, edition, partial = prepared
    data, rules, as_of = format.game_data, format.format, world.as_of
    findings: list[Finding] = []
    if rules.set_aside:
        entries, findings = set_aside(deck, rules.set_aside, data.catalog)
        if findings:
            deck = deck._replace(entries=entries)
    unread = sum(diagnostic.id == "invalid-line" for diagnostic in deck.diagnostics)
    # An unknown card under the first heading may live in another zone, and one may be listed in another than its own.
    unsure_zones = {*rules.listed_as} | ({data.game.default_zone} if data.game.has_homes else set())
    held = tally(deck.entries, unread, frozenset(names.zones), deck.lines, unsure_zones)
    found, assumptions = evaluate(clauses, held, data.game.assumed_absent)
    outcomes, idle = one_per_cause(found)
    superseded: list[Superseded] = []
    if outcomes:
        names = names._replace(written=written_names(deck.entries, data.catalog.fold))
        findings += [rule_finding(outcome, deck, names) for outcome in outcomes]
        superseded = [Superseded(rule_finding(outcome, deck, names), by) for outcome, by in idle]
    findings += [assumption_finding(assumption, deck, data.game) for assumption in assumptions]
    findings += map(diagnostic_finding, deck.diagnostics)
    if held.uncertain:
        findings += uncertain_findings(deck, data.catalog)
    if held.uncertain or not held.zones.keys() <= rules.zones.keys():
        refusing = [one for one in outcomes if one.clause.is_ban and one.clause.severity == "error"]
        foreign = list(foreign_zone_findings(deck, names, {card for one in refusing for card in one.cards}))
        findings += foreign
        # What rules that refuse all cards of a zone leave to say of it.
        by = tuple(one.rule.id for one in refusing)
        every = foreign_zone_findings(deck, names, ()) if refusing else ()
        superseded += [Superseded(finding, by) for finding in every if finding not in foreign]
    findings += unconfirmed_findings(deck, lists)
    first = rules.editions[0].date if rules.editions else None
    if first is not None and as_of < first:
        findings.append(coming_format_finding(rules.name, first, as_of))
    if any(card.own is not None or (card.released or "") > as_of for card in held.copies_in(None)):
        findings += card_findings(deck, as_of)
    verdict = verdict_of(findings) if findings else "legal"
    if partial is not None and verdict == "illegal":
        superseded.append(Superseded(partial, ()))
    elif partial is not None:
        findings.append(partial)
        verdict = "undecided"
    return Report(
        deck=deck,
        game=data.game.id,
        format=rules.id,
        format_name=rules.name,
        as_of=as_of,
        edition=edition,
        verdict=verdict,
        findings=in_place_order(findings) if findings else (),
        zones=rules.zones,
        zone_names=names.zones,
        lists=lists,
        title=rules.title,
        superseded=tuple(superseded),
    )
