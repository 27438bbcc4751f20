"""Load a game's vocabulary and a format: find their files, check them, keep the result for the next run."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deckcheck.formats.lookup import BUNDLED_ONLY, Folders, format_file, searched_files
from deckcheck.model.card import Catalog
from deckcheck.model.format import Format, Predicate, SetAside, Source, from_plain, to_plain
from deckcheck.model.game import Attribute, Folding, Game, ListWords, Zone
from deckcheck.support.cache import cached
from deckcheck.support.errors import UserError, did_you_mean, user_error
from deckcheck.support.files import is_file, shipped
from deckcheck.support.messages import Localized, _, localized

if TYPE_CHECKING:
    from deckcheck.formats.inheritance import Inheritance
    from deckcheck.support.documents import Document

OpenGame = Callable[[str], tuple[Game, Catalog]]
"""From a game's id to its vocabulary and cards."""


def game_file(game_id: str) -> Path:
    """The file of the game of that id; there may be none."""
    return shipped("formats") / game_id / "game.yaml"


def bundled_games() -> list[str]:
    """The ids of all games."""
    return sorted(file.parent.name for file in shipped("formats").glob("*/game.yaml"))


def load_game(game_id: str) -> Game:
    """The game of that id. Raises UserError when there is none or when its file is wrong."""
    file = game_file(game_id)
    if not is_file(file):
        raise user_error(_("there is no game {game_id!r}", game_id=game_id))
    return game_from(cached(f"game-{game_id}", file, lambda: (_read_game(file), [file])))


def _read_game(file: Path) -> dict[str, Any]:
    from deckcheck.support.documents import load_yaml, require_shape

    document = load_yaml(file)
    require_shape(document, "game")
    data: dict[str, Any] = document.data
    known = [key for key, value in data["attributes"].items() if value["kind"] == "values"]
    problems = [
        chart.problem(
            _("{key!r} is not an attribute with values", key=chart.data), did_you_mean(chart.data, known)
        )
        for chart in document.under("charts")
        if chart.data not in known
    ]
    for key in data.get("assume_absent", {}):
        listed = data["attributes"].get(key, {}).get("values", ())
        problems += [
            value.problem(_("{value!r} is not a listed value of {key!r}", value=value.data, key=key))
            for value in document.at("assume_absent", key).items()
            if value.data not in listed
        ]
    if problems:
        raise UserError(problems)
    return data


def game_from(data: Mapping[str, Any]) -> Game:
    """A Game from the content of a game.yaml that keeps to the schema."""
    words = _with_tuples(data.get("words", {}))
    sets = {key: frozenset(words[key]) for key in ("labels", "totals") if key in words}
    return Game(
        id=data["game"],
        name=localized(data["name"]),
        folding=Folding(**data.get("names", {})),
        attributes={key: Attribute(**_named(key, value)) for key, value in data["attributes"].items()},
        zones={key: Zone(**_named(key, value)) for key, value in data["zones"].items()},
        statuses=_localized(data.get("statuses", {})),
        words=ListWords(**words | sets),
        charts=tuple(data.get("charts", ())),
        assumed_absent={key: frozenset(values) for key, values in data.get("assume_absent", {}).items()},
    )


def _named(id: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of an attribute or a zone."""
    names = {"names": _localized(data["names"])} if "names" in data else {}
    return {**_with_tuples(data), "id": id, "name": localized(data["name"])} | names


def _localized(data: Mapping[str, Any]) -> dict[str, Localized]:
    return {key: localized(name) for key, name in data.items()}


def _with_tuples(value: Any) -> Any:
    """The value with tuples in the place of lists."""
    if isinstance(value, Mapping):
        return {key: _with_tuples(item) for key, item in value.items()}
    return tuple(map(_with_tuples, value)) if isinstance(value, list) else value


def load_format(reference: str | Path, open_game: OpenGame, folders: Folders = BUNDLED_ONLY) -> Format:
    """The format of that id, alias, name or file. Raises UserError with every mistake in its files."""
    file = format_file(str(reference), folders=folders)

    def read() -> tuple[dict[str, Any], list[Path]]:
        format, version, files = _read(file, open_game, folders)
        return {"game": format.game, "cards": version, "format": to_plain(format)}, files

    def usable(data: Any) -> bool:
        # The canonical names hang on the cards.
        return bool(data["cards"] == open_game(data["game"])[1].version)

    format: Format = from_plain(cached(f"format-{file.stem}{_mark(folders)}", file, read, usable)["format"])
    return format


def _mark(folders: Folders) -> str:
    """What tells apart the results for other folders, and for these seen from elsewhere."""
    if folders == BUNDLED_ONLY:
        return ""
    places = repr([(str(path), str(path.absolute())) for paths in folders for path in (*paths, Path())])
    return f"-{zlib.crc32(places.encode('utf-8', 'surrogateescape')):08x}"


def _read(file: Path, open_game: OpenGame, folders: Folders) -> tuple[Format, str, list[Path]]:
    """The format of a file, the version of the cards, and all files that it depends on."""
    from deckcheck.formats import lint
    from deckcheck.formats.banlistfile import read_banlist
    from deckcheck.formats.inheritance import BESIDE, DEFINITIONS, RULES, inherit
    from deckcheck.formats.parsing import Context, RuleParser, Scope, editions_of

    found = inherit(file, folders)
    game, catalog = _opened(found, open_game)
    context = Context(game, catalog, list(found.zones), found.pieces(DEFINITIONS), found.zones_of)
    lint.check_settings(found, context)
    parser, rules, clauses = RuleParser(context), [], []
    for name, node in found.rules.items():
        problems = len(context.problems)
        replaced = tuple(Source(old.path, old.line()) for old in found.statements[RULES, name][-1].replaces)
        rule, parsed = parser.rule(node, replaced)
        rules.append(rule)
        clauses += parsed
        if len(context.problems) == problems:
            lint.check_clauses(parsed, context)
    if not context.problems:
        lint.check_effects(found, clauses, context)
    # From a zone to where its cards are listed instead, how many, and which.
    listed_as: dict[str, tuple[str, int, Predicate | None]] = {}
    for zone, node in found.zones.items():
        for other in node.under("listed_as"):
            scope = Scope(inside="listed_as")
            where = parser.resolved(other.at("where"), scope) if "where" in other.data else None
            listed_as[zone] = other.data["zone"], other.data["at_most"], where
    problems = len(context.problems)
    banlists = [(name, *read_banlist(name, context, folders)) for name in found.banlists]
    data, source = found.top.data, found.top.data.get("source", {})
    if not data.get("abstract"):
        if len(context.problems) == problems:
            lint.check_statuses([(name, banlist) for name, banlist, _file in banlists], context)
        for key, items in (("zones", found.zones), ("rules", rules)):
            if not items:
                context.report(found.top, _("there are no {key}", key=key))
    lint.check_unused(found, parser, context)
    context.refuse()
    format = Format(
        id=data["format"],
        name=localized(data["name"]),
        game=game.id,
        aliases=tuple(data.get("aliases", ())),
        abstract=bool(data.get("abstract")),
        title=source.get("title"),
        editions=editions_of(source),
        zones={
            zone: localized(node.data["name"]) if "name" in node.data else game.zones[zone].name
            for zone, node in found.zones.items()
        },
        rules=tuple(rules),
        set_aside=tuple(map(_set_aside, found.pieces(BESIDE).values())),
        banlists=tuple(banlist for _name, banlist, _file in banlists),
        source=Source(found.top.path, found.top.line(("format",))),
        exchange=() if found.exchange is None else tuple(found.exchange.data),
        listed_as=listed_as,
    )
    # With folders of one's own another file of the same id may come, go or take its place.
    files = [game_file(game.id), *found.files, *(file for _name, _banlist, file in banlists)]
    return format, catalog.version, files + searched_files(folders)


def _set_aside(node: Document) -> SetAside:
    data, message = node.data, localized(node.data["message"])
    return SetAside(
        data["id"], tuple(data["names"]), message, Source(node.path, node.line()), data.get("cite")
    )


def _opened(found: Inheritance, open_game: OpenGame) -> tuple[Game, Catalog]:
    try:
        return open_game(found.game)
    except UserError as error:
        if any(problem.path is not None for problem in error.problems):
            raise
        # There is no such game, and this is the line that asks for it.
        node = found.top.at("game" if "game" in found.top.data else "format")
        raise UserError([node.problem(problem.message) for problem in error.problems]) from error
