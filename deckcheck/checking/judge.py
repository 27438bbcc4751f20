"""One deck against one format."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from deckcheck.checking.declared import day_of, games_of, options_for
from deckcheck.formats import load
from deckcheck.formats.find import BUNDLED_ONLY, Folders
from deckcheck.model.banlist import statuses_at
from deckcheck.model.card import Card, Catalog
from deckcheck.model.deck import Deck, Reader
from deckcheck.model.finding import Finding, ListUsed, Report, Superseded, verdict_of
from deckcheck.model.format import Format
from deckcheck.model.game import Game, load_game
from deckcheck.report.findings import called_in, finding_of, in_place_order
from deckcheck.report.lists import list_used
from deckcheck.report.reading import (
    of_cards,
    of_diagnostic,
    of_entry,
    of_format_to_come,
    of_partial,
    of_unapplied,
    set_beside,
    zones_not_played,
)
from deckcheck.report.wording import Wording
from deckcheck.rules.counting import is_ban
from deckcheck.rules.evaluate import evaluate
from deckcheck.rules.judging import World
from deckcheck.rules.program import Program, compile_rules
from deckcheck.rules.stricter import told_once
from deckcheck.rules.tally import copies_in, tally
from deckcheck.support.errors import wrong
from deckcheck.support.messages import _

MOST_SUGGESTED = 20
"""A suggestion takes a search through all names; who has more names unknown has another list."""


class Table(NamedTuple):
    """A game's vocabulary and cards, with a reader of lists that knows them."""

    game: Game
    catalog: Catalog
    read: Reader


class _Noted(dict[Card, bool]):
    """Of each card whether there is something to tell that no rule says: facts of one's own, a release to come."""

    def __init__(self, as_of: str) -> None:
        super().__init__()
        self._as_of = as_of

    def __missing__(self, card: Card) -> bool:
        noted = self[card] = card.own is not None or (card.released or "") > self._as_of
        return noted


class Day(NamedTuple):
    """A format made ready for one day and one set of options.

    `partial` is what to tell of every deck whose lists hold only some of their entries, `noted` of which cards there
    is something to tell.
    """

    program: Program
    words: Wording
    lists: tuple[ListUsed, ...]
    edition: str | None
    partial: Finding | None
    noted: _Noted


class LoadedFormat:
    """A format with its card table, ready to check many decks.

    `days` keeps what was prepared for the days and options asked so far.
    """

    __slots__ = ("days", "format", "table")

    def __init__(self, format: Format, table: Table) -> None:
        self.format = format
        self.table = table
        self.days: dict[tuple[str, tuple[tuple[str, int], ...]], Day] = {}


def open_table(game_id: str, cards: Sequence[Path] = ()) -> Table:
    """The game of that id with its card table, and with the cards of extra files laid over it.

    Raises UserError for a game that is not there or a file that can't be used.
    """
    from deckcheck.cards.catalog import open_catalog
    from deckcheck.decklists.read import make_reader

    game = load_game(game_id)
    catalog = open_catalog(game, extra=cards)
    return Table(game, catalog, make_reader(game, catalog))


def load_format(
    reference: str | Path,
    *,
    cards: Sequence[Path] = (),
    tables: dict[str, Table] | None = None,
    folders: Folders = BUNDLED_ONLY,
) -> LoadedFormat:
    """The format of that id ("game/name"), alias, name or file.

    `cards` are files with cards of one's own. Formats of one game share their
    table when the same `tables` dict is passed to each call. `folders` are
    looked through before what is bundled. Raises UserError with every mistake found in the format's files.
    """
    opened = {} if tables is None else tables

    def open_game(game_id: str) -> tuple[Game, Catalog]:
        if game_id not in opened:
            opened[game_id] = open_table(game_id, cards)
        return opened[game_id].game, opened[game_id].catalog

    loaded = load.load_format(reference, open_game, folders)
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

    `as_of` is an ISO date (default: the list's own, else today), `best_of` the
    games of a match (default: the list's own, else unsaid). `path` names the
    list in the report. With `suppressions` what the list asks to ignore is
    left out of the findings. Raises UserError when the list can't be read at all.
    """
    read = read_deck(format, deck, path) if isinstance(deck, str) else deck
    day = ready(format, day_of(read, as_of), options_for(games_of(read, best_of)))
    report = _judge(read, format, day)
    if not suppressions or not read.directives:
        return report
    from deckcheck.report.suppress import suppressed

    rules = format.format
    return suppressed(report, {rule.id for rule in rules.rules} | {one.id for one in rules.set_aside})


def read_deck(format: LoadedFormat, text: str, path: str, notation: str | None = None) -> Deck:
    """The deck in the text of a list that is for `format`; `notation` is that of the list, where it is told.

    Where nothing but empty lines divides it, and the format lacks a zone that
    they would begin, they mean nothing; see also `fitted`. Raises UserError as the reader does.
    """
    table = format.table
    deck = table.read(text, path, notation)
    zones = format.format.zones.keys()
    if {entry.zone for entry in deck.entries} <= zones and all(one.zone in zones for one in deck.diagnostics):
        return deck
    from deckcheck.decklists.fitted import fitted
    from deckcheck.decklists.read import BY_GAPS

    by_gaps = notation is None and deck.notation in BY_GAPS
    as_text = (lambda: table.read(text, path, "text")) if by_gaps else None
    names = {zone.id: zone.name for zone in table.game.zones.values()}
    return fitted(deck, format.format, names, as_text)


def ready(format: LoadedFormat, as_of: str, options: Mapping[str, int]) -> Day:
    """The format made ready for a day; kept for the next deck."""
    key = (as_of, tuple(sorted(options.items())))
    day = format.days.get(key)
    if day is None:
        if len(format.days) > 64:
            format.days.clear()
        day = format.days[key] = _prepare(format, as_of, options)
    return day


def _prepare(format: LoadedFormat, as_of: str, options: Mapping[str, int]) -> Day:
    rules, table = format.format, format.table
    if rules.abstract:
        message = _("{id!r} is only there to be extended", id=rules.id)
        raise wrong(message)
    strictness = {status: at for at, status in enumerate(table.game.statuses)}
    standings = statuses_at(rules.banlists, strictness, as_of)
    statuses = {card: standing.status for card, standing in standings.items()}
    world = World(as_of, statuses, table.catalog)
    zones = {zone.id: zone.name for zone in table.game.zones.values()} | dict(rules.zones)
    edition = rules.edition(as_of)
    return Day(
        compile_rules(rules.rules, rules.banlists, world, options),
        Wording(table.game, rules.zones, zones, standings),
        tuple(list_used(banlist, table.game, as_of) for banlist in rules.banlists),
        None if edition is None else edition.edition,
        of_partial([banlist for banlist in rules.banlists if banlist.partial_on(as_of)]),
        _Noted(as_of),
    )


def _unsettled(deck: Deck, catalog: Catalog) -> list[Finding]:
    near: dict[str, list[str]] = {}
    findings = []
    for entry in deck.entries:
        if len(entry.cards) == 1 and entry.copies == entry.most:
            continue
        if not entry.cards and entry.written not in near and len(near) < MOST_SUGGESTED:
            near[entry.written] = catalog.suggest(entry.written)[:3]
        findings.append(of_entry(entry, near.get(entry.written, ())))
    return findings


def _judge(deck: Deck, format: LoadedFormat, day: Day) -> Report:
    program, words, lists, edition, partial, noted = day
    table, rules = format.table, format.format
    findings: list[Finding] = []
    counted = deck
    if rules.set_aside:
        entries, findings = set_beside(deck, rules.set_aside, table.catalog)
        if findings:
            counted = deck._replace(entries=entries)
    unread = sum(diagnostic.id == "invalid-line" for diagnostic in deck.diagnostics)
    held = tally(counted.entries, unread, frozenset(words.zones))
    outcomes, idle = told_once(evaluate(program, held))
    superseded: list[Superseded] = []
    if outcomes:
        words = words._replace(called=called_in(counted.entries, table.catalog.fold))
        findings += [finding_of(outcome, counted, words) for outcome in outcomes]
        superseded = [Superseded(finding_of(outcome, counted, words), by) for outcome, by in idle]
    findings += map(of_diagnostic, deck.diagnostics)
    if held.loose:
        findings += _unsettled(counted, table.catalog)
    if held.loose or not held.zones.keys() <= rules.zones.keys():
        refusing = [one for one in outcomes if is_ban(one.clause) and one.clause.severity == "error"]
        refused = {card for one in refusing for card in one.cards}
        told = list(zones_not_played(counted, rules.zones, words.zones, refused))
        findings += told
        if refused:
            by = tuple(one.rule.id for one in refusing)
            every = zones_not_played(counted, rules.zones, words.zones, ())
            superseded += [Superseded(one, by) for one in every if one not in told]
    for used in lists:
        if used.unapplied:
            findings += of_unapplied(counted, used)
    as_of = program.world.as_of
    first = rules.editions[0].date if rules.editions else None
    if first is not None and as_of < first:
        findings.append(of_format_to_come(rules.name, first, as_of))
    if any(map(noted.__getitem__, copies_in(held, None))):
        findings += of_cards(counted, as_of)
    verdict = verdict_of(findings) if findings else "legal"
    if partial is not None and verdict == "illegal":
        superseded.append(Superseded(partial, ()))
    elif partial is not None:
        findings.append(partial)
        verdict = "undecided"
    return Report(
        deck=counted,
        game=table.game.id,
        format=rules.id,
        format_name=rules.name,
        as_of=as_of,
        edition=edition,
        verdict=verdict,
        findings=in_place_order(findings) if findings else (),
        zones=rules.zones,
        zone_names=words.zones,
        lists=lists,
        title=rules.title,
        superseded=tuple(superseded),
    )
