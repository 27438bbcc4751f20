"""Load a format: find its files, check them, keep the result for the next run."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deckcheck.formats.games import game_file
from deckcheck.formats.lookup import BUNDLED_ONLY, Folders, format_file, searched_files
from deckcheck.model.banlist import banlist_from
from deckcheck.model.card import Catalog
from deckcheck.model.format import Edition, Format, SetAside
from deckcheck.model.game import Game
from deckcheck.model.rule import Source, from_plain, to_plain
from deckcheck.support.cache import cached
from deckcheck.support.errors import UserError
from deckcheck.support.messages import Localized, _, localized

if TYPE_CHECKING:
    from deckcheck.formats.inheritance import Inheritance
    from deckcheck.formats.nodes import Context
    from deckcheck.formats.parsing import ParsedRule

OpenGame = Callable[[str], tuple[Game, Catalog]]
"""From a game's id to its vocabulary and cards."""


def load_format(reference: str | Path, open_game: OpenGame, folders: Folders = BUNDLED_ONLY) -> Format:
    """The format of that id, alias, name or file, with what it names looked for in `folders` first.

    Raises UserError with every mistake that was found in its files.
    """
    file = format_file(str(reference), folders=folders)
    made: list[Format] = []

    def usable(data: Any) -> bool:
        game, catalog = open_game(data["game"])
        # On the cards hang the canonical names.
        if data["cards"] != catalog.version:
            return False
        made[:] = [format_from(data, game)]
        return True

    data = cached(
        f"format-{file.stem}{_mark(folders)}", file, lambda: _read(file, open_game, folders), usable
    )
    if made:
        return made[0]
    game, _cards = open_game(data["game"])
    return format_from(data, game)


def _mark(folders: Folders) -> str:
    """What tells apart the results for other folders, and for these seen from elsewhere."""
    if folders == BUNDLED_ONLY:
        return ""
    places = repr([(str(path), str(path.absolute())) for paths in folders for path in (*paths, Path())])
    return f"-{zlib.crc32(places.encode('utf-8', 'surrogateescape')):08x}"


def _read(file: Path, open_game: OpenGame, folders: Folders) -> tuple[dict[str, Any], list[Path]]:
    from deckcheck.formats import validation
    from deckcheck.formats.banlists import check_statuses, read_banlist
    from deckcheck.formats.inheritance import inherit
    from deckcheck.formats.nodes import Context, whole

    found = inherit(file, folders)
    game, catalog = _opened(found, open_game)
    context = Context(game, catalog, list(found.zones), found.definitions, found.zones_of)
    validation.check_settings(found, context)
    rules = _parse_rules(found, context)
    problems = len(context.problems)
    lists = [(name, *read_banlist(name, context, folders)) for name in found.banlists]
    readable = len(context.problems) == problems
    top, abstract = whole(found.document), bool(found.document.data.get("abstract"))
    if not abstract:
        if readable:
            check_statuses([(name, data) for name, data, _file in lists], context)
        for key, items in (("zones", found.zones), ("rules", rules)):
            if not items:
                context.problems.append(top.problem(_("there are no {key}", key=key)))
    validation.check_unused(found, context)
    if context.problems:
        raise UserError(list(dict.fromkeys(context.problems)))
    plain = top.data | {
        "game": game.id,
        "cards": catalog.version,
        "path": found.document.path,
        "line": found.document.line(("format",)),
        "zones": {name: node.data for name, node in found.zones.items()},
        "exchange": found.exchange.data if found.exchange is not None else [],
        "rules": to_plain(tuple(_with_replaced(rule, found) for rule in rules)),
        "beside": [
            node.data | {"path": node.document.path, "line": node.line} for node in found.beside.values()
        ],
        "banlists": [data for _name, data, _file in lists],
    }
    # With folders of one's own another file of the same id may come, go or take its place.
    files = [game_file(game.id), *found.files, *(file for _name, _data, file in lists)]
    return plain, files + searched_files(folders)


def _opened(found: Inheritance, open_game: OpenGame) -> tuple[Game, Catalog]:
    document = found.document
    try:
        return open_game(found.game)
    except UserError as error:
        if any(problem.path is not None for problem in error.problems):
            raise
        # There is no such game, and this is the line that asks for it.
        key = "game" if "game" in document.data else "format"
        raise UserError([document.problem((key,), one.message) for one in error.problems]) from error


def _parse_rules(found: Inheritance, context: Context) -> list[ParsedRule]:
    from deckcheck.formats.parsing import RuleParser
    from deckcheck.formats.validation import check_effects, check_rule

    parser, rules = RuleParser(context), []
    for node in found.rules.values():
        problems = len(context.problems)
        rules.append(parser.rule(node))
        if len(context.problems) == problems:
            check_rule(rules[-1], context)
    if not context.problems:
        check_effects(found, rules, context)
    return rules


def _with_replaced(parsed: ParsedRule, found: Inheritance) -> Any:
    replaced = found.statements["rules"][parsed.rule.id][-1].replaces
    return parsed.rule._replace(replaces=tuple(Source(node.document.path, node.line) for node in replaced))


def format_from(data: Mapping[str, Any], game: Game) -> Format:
    """The format of plain values that were read and checked before."""
    source = data.get("source") or {}
    editions = source.get("editions") or ([source] if "edition" in source else [])
    return Format(
        id=data["format"],
        name=localized(data["name"]),
        game=game.id,
        aliases=tuple(data.get("aliases") or ()),
        abstract=bool(data.get("abstract")),
        title=source.get("title"),
        editions=tuple(Edition(edition["edition"], edition.get("date")) for edition in editions),
        zones={zone: _zone_name(zone, value, game) for zone, value in data["zones"].items()},
        rules=from_plain(data["rules"]),
        set_aside=tuple(map(_set_aside, data.get("beside") or ())),
        banlists=tuple(map(banlist_from, data["banlists"])),
        source=Source(data["path"], data["line"]),
        exchange=tuple(data.get("exchange") or ()),
        listed_as={
            zone: (value["listed_as"]["zone"], value["listed_as"]["at_most"])
            for zone, value in data["zones"].items()
            if "listed_as" in value
        },
    )


def _zone_name(zone: str, data: Mapping[str, Any], game: Game) -> Localized:
    if "name" in data:
        return localized(data["name"])
    return game.zones[zone].name if zone in game.zones else Localized(zone, zone)


def _set_aside(data: Mapping[str, Any]) -> SetAside:
    source = Source(data["path"], data["line"])
    return SetAside(data["id"], tuple(data["names"]), localized(data["message"]), source, data.get("cite"))
