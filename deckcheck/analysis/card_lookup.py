"""`deckcheck cards`: cards by a name or a part of it, in one game or all, and everything that is known about one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct

from deckcheck.checking.judge import GameData, OpenedGames, load_format, open_game_data
from deckcheck.checking.session import CheckOptions
from deckcheck.formats.loading import game_id, known_games
from deckcheck.formats.lookup import Folders, known_formats
from deckcheck.model.banlist import Banlist, Change, change_on
from deckcheck.model.card import NO_RANK, Card, Days, Fact, Printing
from deckcheck.model.game import Attribute, Game
from deckcheck.report.wording import status_name
from deckcheck.support.errors import UserError
from deckcheck.support.messages import Value, Words, _, card_series, p_, series
from deckcheck.support.safe_text import safe
from deckcheck.support.terminal import write_messages, write_stderr


class Match(Struct, frozen=True):
    """A card with the table that has it."""

    table: GameData
    card: Card


def card_tables(game: str | None, options: CheckOptions) -> list[GameData]:
    """The card table of the game, or of every game. Raises UserError if none can hold the user's own cards."""
    folders, files = options.folders, [Path(file) for file in options.cards]
    ids = known_games(folders) if game is None else [game_id(game, folders)]
    tables, errors = [], []
    for id in ids:
        try:
            tables.append(open_game_data(id, files, folders))
        except UserError as error:
            # The user's own cards belong to one game.
            errors.append(error)
            tables.append(open_game_data(id, (), folders))
    if len(errors) == len(ids):
        raise errors[0]
    return tables


def names_of(matches: Sequence[Match], lang: str, text: str = "") -> list[str]:
    """The cards' names, first the one that has the `text`, with their games if there are several."""
    several = len({match.table.game.id for match in matches}) > 1
    lines = []
    for match in matches:
        line, game = _name_with(text, match.table, match.card), match.table.game
        if several:
            line += f" ({game.name.in_(lang)}: --game {game.id})"
        lines.append(line)
    return lines


def _name_with(text: str, table: GameData, card: Card) -> str:
    """The card's name; before it in the language of `text` if only another of its names has that."""
    fold = table.catalog.fold
    key = fold(text)
    if key in fold(card.name):
        return card.name
    return next((f"{name} = {card.name}" for name in card.aliases if key in fold(name)), card.name)


def write_others(name: str, matches: Sequence[Match], tables: Sequence[GameData], lang: str) -> None:
    """Say on standard error that a name means no card or several, and which cards may be meant."""
    if matches:
        heading, names = _("“{name}” could be any of these:", name=safe(name)), names_of(matches, lang)
    else:
        write_messages(lang, _("“{name}” is not in the card table", name=safe(name)))
        heading = _("Did you mean:")
        names = [near for table in tables for near in table.catalog.suggest(name)]
    if names:
        write_stderr(heading.in_(lang) + "\n" + "".join(f"  {safe(line)}\n" for line in names))


# One card


class _ListedStatus(Struct, frozen=True):
    """The status of a card in one list on a day. Without `change` it is free, if `is_listed`, or not in the list."""

    banlist: Banlist
    change: Change | None
    with_cards: tuple[tuple[str, ...], ...] = ()
    is_listed: bool = True


def card_sheet(match: Match, folders: Folders, as_of: str, lang: str) -> str:
    """The card's facts, sides, printings, status on the day and corrections, ended by a line feed."""
    card, game = match.card, match.table.game
    lines: list[tuple[int, Words | str]] = [(0, card.name)]
    lines += ((1, line) for line in _whole(card, game))
    for label, parts in ((_("half"), card.parts), (_("other side"), card.faces)):
        for part in parts:
            lines.append((1, _pair(label, part.name)))
            lines += ((2, line) for line in _facts(part.facts, frozenset(), game))
    lines.append((0, _("printings:")))
    lines += ((1, _printing(printing, game)) for printing in card.printings)
    if not card.printings:
        lines.append((1, _("unknown")))
    lines.append((0, _("legal status on {day}:", day=as_of)))
    for banlist in _banlists_of(match.table, folders):
        for status in _statuses(card, banlist, as_of):
            lines.append((1, _status(status, game, as_of)))
            lines += ((2, line) for line in _uncertainties(status, card, game, as_of))
    if card.corrections:
        lines.append((0, _("corrections to the data:")))
        lines += ((1, line) for line in card.corrections)
    return "".join(
        "  " * depth + safe(line if isinstance(line, str) else line.in_(lang)) + "\n" for depth, line in lines
    )


def _pair(name: Value, value: Value) -> Words:
    return _("{name}: {value}", name=name, value=value)


def _whole(card: Card, game: Game) -> Iterator[Words]:
    if card.aliases:
        yield _pair(_("also called"), card_series(card.aliases))
    if card.made_of:
        yield _pair(_("made of"), card_series(card.made_of))
    home = _("unknown") if card.home is None else game.zones[card.home].name
    for attribute in game.attributes.values():
        if attribute.kind == "home":
            yield _pair(attribute.name, home)
    yield _pair(_("released"), card.released or _("unknown"))
    yield from _facts(card.facts, card.partial, game, card.dated)
    if not card.verified:
        yield _("only one source has this card")


def _facts(
    facts: Mapping[str, Fact],
    partial: frozenset[str],
    game: Game,
    dated: Mapping[str, Mapping[str, Days]] = MappingProxyType({}),
) -> Iterator[Words]:
    for attribute in game.attributes.values():
        if attribute.kind in ("values", "number"):
            fact = facts.get(attribute.id)
            value = _("unknown") if fact is None else _fact(attribute, fact, dated.get(attribute.id, {}))
            if attribute.id in partial:
                value = _("{values} and perhaps more", values=value)
            yield _pair(attribute.name, value)


def _fact(attribute: Attribute, fact: Fact, dated: Mapping[str, Days]) -> Words | str:
    if not isinstance(fact, frozenset):
        return "∞" if fact == float("inf") else f"{fact:g}"
    if not dated:
        return attribute.value_names(fact)
    return series(_since(attribute.value_name(value), dated.get(value)) for value in sorted(fact))


def _since(value: Words, days: Days | None) -> Words:
    if days is None:
        return value
    if days.first == days.sure:
        return _("{value} (since {day})", value=value, day=days.sure)
    return _("{value} (since {day} at the latest)", value=value, day=days.sure)


def _printing(printing: Printing, game: Game) -> Words:
    parts: list[Value] = [printing.set, printing.released or _("date unknown")]
    for attribute in game.attributes.values():
        if attribute.kind == "rank":
            rank = _rank(printing.ranks.get(attribute.id))
            parts.append(_("{attribute} {rank}", attribute=attribute.name, rank=rank))
    return series(parts, p_("columns", "  "))


def _rank(code: str | None) -> Words | str:
    if code is None:
        return _("unknown")
    if code == NO_RANK:
        return _("none")
    if code.startswith("<="):
        return _("{rank} or below", rank=code[2:])
    if code.startswith("?"):
        return _("probably {rank} (unconfirmed)", rank=code[1:])
    return code


def _banlists_of(table: GameData, folders: Folders) -> Iterable[Banlist]:
    """Every list that a format of the game uses, by id."""
    tables: OpenedGames = {table.game.id: table}
    lists: dict[str, Banlist] = {}
    for entry in known_formats(Folders().with_games(folders.games)):
        if entry.id.startswith(f"{table.game.id}/"):
            format = load_format(entry.id, games=tables, folders=folders).format
            lists |= {banlist.id: banlist for banlist in format.banlists}
    return [lists[name] for name in sorted(lists)]


def _statuses(card: Card, banlist: Banlist, as_of: str) -> Iterator[_ListedStatus]:
    """Yields the status of the card in a list on a day: its own, then each combination that it is in."""
    entries = [entry for entry in banlist.entries if any(card.name in side for side in entry.sides)]
    history = next((entry.history for entry in entries if not entry.is_combination), ())
    is_listed = any(change.since <= as_of for change in history)
    yield _ListedStatus(banlist, change_on(history, as_of), is_listed=is_listed)
    for entry in entries:
        change = change_on(entry.history, as_of)
        if change is not None and entry.is_combination:
            others = tuple(tuple(sorted(side)) for side in entry.sides if card.name not in side)
            yield _ListedStatus(banlist, change, others)


def _status(listed: _ListedStatus, game: Game, as_of: str) -> Words:
    banlist, change, others = listed.banlist, listed.change, listed.with_cards
    if change is None:
        if listed.is_listed or not banlist.partial_on(as_of):
            return _pair(banlist.name, _("not limited"))
        return _pair(banlist.name, _("unknown, for only some entries of this list are known"))
    status = game.statuses[change.status]
    since = _("{status} (since {day})", status=status, day=change.since)
    if others:
        cards = series((card_series(side) for side in others), _(" / "))
        since = _("{status}, with {cards}", status=since, cards=cards)
    return _pair(banlist.name, _("{status}  {place}", status=since, place=f"{banlist.path}:{change.line}"))


def _uncertainties(listed: _ListedStatus, card: Card, game: Game, as_of: str) -> Iterator[Words]:
    """Why the status may be different."""
    banlist, is_incomplete = listed.banlist, listed.banlist.incomplete_on(as_of)
    if listed.with_cards or not (is_incomplete or banlist.partial):
        return
    if is_incomplete:
        yield _("(only known to be complete through {day})", day=banlist.complete_through)
    for change in banlist.unconfirmed:
        if change.card == card.name:
            after = status_name(change.after, game)
            yield _("(changed on an unknown date: {status})", status=after)
