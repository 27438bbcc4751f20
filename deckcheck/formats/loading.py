"""Load a game's vocabulary and a format: find their files, check them, keep the result for the next run."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, convert
from msgspec.structs import astuple

from deckcheck.formats.lookup import (
    BUNDLED_ONLY,
    GAME,
    Folders,
    format_file,
    game_files,
    hides_bundled,
    imported_banlist,
    imported_banlists,
    load,
    searched_files,
)
from deckcheck.model.banlist import FREE_STATUS
from deckcheck.model.card import Catalog
from deckcheck.model.format import Format, SetAside, Source
from deckcheck.model.game import Game
from deckcheck.support.cache import cached
from deckcheck.support.errors import Problem, UserError, placed_at, user_error, which_of
from deckcheck.support.files import is_file, real_path, shipped
from deckcheck.support.messages import Localized, _, localized, series

if TYPE_CHECKING:
    from deckcheck.formats.inheritance import Inheritance
    from deckcheck.support.documents import Document

COMMON_WORDS = Path(__file__).parents[1] / "data" / "words.yaml"
"""The words around cards in lists of any game."""

OpenGame = Callable[[str], tuple[Game, Catalog]]
"""Maps a game's id to its vocabulary and cards."""


def game_file(game_id: str, folders: Folders = BUNDLED_ONLY) -> Path:
    """The file of the game with that id, which may not exist. Raises UserError for invalid folders of games."""
    return own_games(folders.games).get(game_id) or shipped("formats") / game_id / GAME


def known_games(folders: Folders = BUNDLED_ONLY) -> list[str]:
    """The ids of the bundled games and of those in the folders. Raises UserError for invalid folders."""
    bundled = (file.parent.name for file in shipped("formats").glob(f"*/{GAME}"))
    return sorted({*bundled, *own_games(folders.games)})


def own_games(folders: Sequence[Path]) -> dict[str, Path]:
    """The files of the games in the folders, by their ids: each folder is a game, or holds a few.

    Raises UserError for a folder without any, a file that is wrong, and an id that another game has.
    """
    by_id: dict[str, Path] = {}
    files: dict[Path, Path] = {}
    for file in (file for folder in folders for file in game_files(folder)):
        files.setdefault(real_path(file), file)
    for file in files.values():
        id = _game(file).id
        if id in by_id or is_file(game_file(id)):
            from deckcheck.support.documents import load_yaml

            message = _("the id {game!r} is that of a bundled game", game=id)
            if id in by_id:
                message = _("{file} already has the id {game!r}", file=str(by_id[id]), game=id)
            raise UserError([load_yaml(file).at("game").problem(message, _("choose another id"))])
        by_id[id] = file
    return by_id


def load_game(game_id: str, folders: Folders = BUNDLED_ONLY) -> Game:
    """The game with that id. Raises UserError if there is none or its file is invalid."""
    file = game_file(game_id, folders)
    if not is_file(file):
        raise _no_game(game_id, known_games(folders))
    return _game(file)


def _no_game(id: str, known: Sequence[str]) -> UserError:
    return user_error(_("there is no game {id!r}", id=id), hint=which_of(id, known))


def game_id(value: str | None, folders: Folders = BUNDLED_ONLY) -> str:
    """The id of the game that --game names, else of the only one. Raises UserError for an unknown name or a choice to make."""
    known = known_games(folders)
    if value is None and len(known) == 1:
        return known[0]
    if value is None:
        raise user_error(_("--game is required; choose from {games}", games=series(known)))
    if value not in known:
        raise placed_at(_no_game(value, known), "--game")
    return value


def open_cards(
    game_id: str, cards: Sequence[Path] = (), folders: Folders = BUNDLED_ONLY
) -> tuple[Game, Catalog]:
    """The game with that id and its card table, with cards of extra files. Raises UserError.

    A file named after the id of another game has cards of that game.
    """
    from deckcheck.cards.catalog import open_catalog

    game, own = load_game(game_id, folders), own_games(folders.games).get(game_id)
    others = {*known_games(folders)} - {game_id} if cards else ()
    extra = [file for file in cards if file.stem not in others]
    catalog = open_catalog(game, extra=extra, bundled=own and own.parent)
    if own is not None and not len(catalog):
        message = _("the game {game!r} has no cards", game=game_id)
        raise user_error(
            message, path=str(own.parent / "cards.jsonl"), hint=_("write one card per line here")
        )
    return game, catalog


def _game(file: Path) -> Game:
    """The game of a file, kept for the next run."""
    return cached(f"game-{file.parent.name}", file, Game, lambda: (read_game(file), [file, COMMON_WORDS]))


def read_game(file: Path) -> Game:
    """The game of a file, without the cache. Raises UserError if it is invalid."""
    document = load(file, "game")
    problems = [*_mistakes(document), *_mistakes_of_lists(document)]
    if problems:
        raise UserError(problems)
    return game_from({**document.data, "words": _with_common_words(document.data.get("words", {}))})


def _with_common_words(own: Mapping[str, Any]) -> dict[str, Any]:
    """The words of a game with those that lists of any game use; a head of a column means what the game says."""
    from deckcheck.support.documents import load_yaml

    common = load_yaml(COMMON_WORDS).data
    columns, heads = common.pop("columns"), own.get("columns", {})
    taken = {head.casefold() for listed in heads.values() for head in listed}
    return {
        **own,
        **{key: [*dict.fromkeys([*listed, *own.get(key, ())])] for key, listed in common.items()},
        "columns": {
            role: [*(head for head in listed if head.casefold() not in taken), *heads.get(role, ())]
            for role, listed in columns.items()
        },
    }


def _mistakes(document: Document) -> Iterator[Problem]:
    """Yields problems with attributes that can't be named, and with words for unknown zones."""
    from deckcheck.cards.card_file import RESERVED
    from deckcheck.formats.grammar import Grammar

    taken = {*Grammar().conditions, *RESERVED}
    for id, attribute in document.data["attributes"].items():
        place = document.at("attributes", id)
        if id in taken and attribute["kind"] != "home":
            yield place.problem(_("{id!r} already has another meaning", id=id), _("choose another id"))
        if attribute["kind"] == "rank" and not attribute.get("order"):
            yield place.problem(_("a rank needs its order"))
        listed = attribute.get("values") or attribute.get("names", ())
        for value in attribute.get("names", ()):
            if value not in listed:
                message = _("{value!r} is not a listed value of {key!r}", value=value, key=id)
                yield place.at("names", value).problem(message)
    if FREE_STATUS in document.data.get("statuses", ()):
        message = _("{id!r} already has another meaning", id=FREE_STATUS)
        yield document.at("statuses", FREE_STATUS).problem(message, _("choose another id"))
    zones = document.data["zones"]
    for word, zone in document.data.get("words", {}).get("marks", {}).items():
        if zone not in zones:
            message = _("the game has no zone {zone!r}", zone=zone)
            yield document.at("words", "marks", word).problem(message, which_of(zone, zones))


def _mistakes_of_lists(document: Document) -> Iterator[Problem]:
    """Yields problems with repeated items, and with attributes and values that are named but not listed."""
    from deckcheck.formats.inheritance import LISTED_TWICE, duplicate_problems

    data, headings = document.data, set[str]()
    for node in (node for zone in data["zones"] for node in document.at("zones", zone).under("headings")):
        if node.data.casefold() in headings:
            yield node.problem(LISTED_TWICE.filled(name=node.data))
        headings.add(node.data.casefold())
    for id in data["attributes"]:
        steps = document.at("attributes", id).under("order")
        yield from duplicate_problems(code for step in steps for code in step.items())
    for key in data.get("assume_absent", {}):
        listed = data["attributes"].get(key, {}).get("values", ())
        for value in document.at("assume_absent", key).items():
            if value.data not in listed:
                message = _("{value!r} is not a listed value of {key!r}", value=value.data, key=key)
                yield value.problem(message)


def game_from(data: Mapping[str, Any]) -> Game:
    """A Game from the content of a game.yaml that is valid by the schema."""
    return convert(
        {
            "id": data["game"],
            "name": localized(data["name"]),
            "folding": data.get("names", {}),
            "attributes": {key: _named(key, value) for key, value in data["attributes"].items()},
            "zones": {key: _named(key, value) for key, value in data["zones"].items()},
            "statuses": _localized(data.get("statuses", {})),
            "words": data.get("words", {}),
            "assumed_absent": data.get("assume_absent", {}),
        },
        Game,
    )


def _named(id: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """An attribute or a zone with its id, and with all names in both languages."""
    names = {key: _localized(data[key]) for key in ("names", "says") if key in data}
    return {**data, **names, "id": id, "name": localized(data["name"])}


def _localized(data: Mapping[str, Any]) -> dict[str, Localized]:
    return {key: localized(name) for key, name in data.items()}


def load_format(reference: str | Path, open_game: OpenGame, folders: Folders = BUNDLED_ONLY) -> Format:
    """The format with that id, alias, name or file. Raises UserError with every mistake in its files."""
    file = format_file(str(reference), folders=folders)

    def is_current(compiled: _CompiledFormat) -> bool:
        # The canonical names depend on the cards.
        return compiled.cards == open_game(compiled.format.game)[1].version

    name = f"format-{file.stem}-{_mark(folders)}"
    return cached(name, file, _CompiledFormat, lambda: _read(file, open_game, folders), is_current).format


class _CompiledFormat(Struct, frozen=True):
    """A format, and the version of the cards on which it depends."""

    format: Format
    cards: str


def _mark(folders: Folders) -> str:
    """A mark that distinguishes results for other folders, or for these seen from another working folder."""
    places = [
        (str(path), str(path.absolute()))
        for paths in astuple(folders)
        for path in (*paths, imported_banlists())
    ]
    return f"{zlib.crc32(repr(places).encode('utf-8', 'surrogateescape')):08x}"


def _read(file: Path, open_game: OpenGame, folders: Folders) -> tuple[_CompiledFormat, list[Path]]:
    """The format of a file, and all files that it depends on."""
    from deckcheck.formats import lint
    from deckcheck.formats.banlist_files import read_banlist
    from deckcheck.formats.grammar import Context, editions_of
    from deckcheck.formats.inheritance import inherit
    from deckcheck.formats.rule_parser import RuleParser

    inherited = inherit(file, folders)
    top, zones = inherited.top, inherited.zones
    game, catalog = _opened(inherited, open_game, folders)
    context = Context(
        game, catalog, list(zones), inherited.definitions, inherited.unplayed, own_path=top.path
    )
    lint.check_names(inherited, context)
    lint.check_settings(inherited, context)
    stated = inherited.stated_under("rules")
    if not top.data.get("abstract"):
        for key, items in (("zones", zones), ("rules", stated)):
            if not items:
                context.report(top, _("there are no {key}", key=key))
    if not zones:
        # Without zones, every word for one would be wrong.
        context.refuse()
    parser = RuleParser(context)
    parsed = [parser.rule(piece) for piece in stated]
    listed_as = {
        zone: parser.listed_as(node.at("listed_as"))
        for zone, node in zones.items()
        if "listed_as" in node.data
    }
    banlists = tuple(read_banlist(name, context, folders) for name in inherited.banlists.values())
    unused = lint.unused_definitions(inherited, parser, context)
    context.refuse()
    # What has no effect is certain only if all words are valid.
    lint.check_effects(inherited, [clause for _rule, clauses in parsed for clause in clauses], context)
    if not top.data.get("abstract"):
        lint.check_statuses(inherited.banlists.values(), banlists, context)
        for node in unused:
            context.report(node, _("no rule uses {name!r}, so it has no effect", name=node.keys[-1]))
    context.refuse()
    source = top.data.get("source", {})
    format = Format(
        id=top.data["format"],
        name=localized(top.data["name"]),
        game=game.id,
        aliases=tuple(top.data.get("aliases", ())),
        abstract=bool(top.data.get("abstract")),
        title=source.get("title"),
        editions=editions_of(source),
        zones={
            zone: localized(node.data["name"]) if "name" in node.data else game.zones[zone].name
            for zone, node in zones.items()
        },
        rules=tuple(rule for rule, _clauses in parsed),
        set_aside=tuple(_set_aside(piece.node) for piece in inherited.stated_under("beside")),
        banlists=banlists,
        source=Source(top.path, top.line(("format",))),
        exchange=() if inherited.exchange is None else tuple(inherited.exchange.data),
        listed_as=listed_as,
        suggested=top.data.get("suggested", True),
        on_top=tuple(zone for zone, node in zones.items() if node.data.get("on_top")),
        descriptions=tuple(context.descriptions.items()),
        replaces_bundled=hides_bundled(file, top.data["format"]),
    )
    files = [game_file(game.id, folders), *inherited.files, *context.files]
    # A list that is imported later replaces the bundled one.
    files += [imported_banlist(banlist.id) for banlist in banlists]
    # In the user's own folders, another file with the same id may appear, disappear or replace it.
    return _CompiledFormat(format, catalog.version), files + searched_files(folders)


def _set_aside(node: Document) -> SetAside:
    from deckcheck.formats.grammar import cite_of

    data, message = node.data, localized(node.data["message"])
    return SetAside(data["id"], tuple(data["names"]), message, Source(node.path, node.line()), cite_of(data))


def _opened(inherited: Inheritance, open_game: OpenGame, folders: Folders) -> tuple[Game, Catalog]:
    """The game of a format and its cards. Raises UserError, for an unknown game at the line that names it."""
    try:
        return open_game(inherited.game)
    except UserError as error:
        if any(problem.path is not None for problem in error.problems):
            raise
        top, hint = inherited.top, which_of(inherited.game, known_games(folders))
        if "game" in top.data:
            raise UserError([top.at("game").problem(error.problems[0].message, hint)]) from error
        message = _("the line `game:` is missing, and {game!r} is no game", game=inherited.game)
        raise UserError([top.at("format").problem(message, hint)]) from error
