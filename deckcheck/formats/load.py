"""Load a format: find its files, check them, keep the result for the next run."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deckcheck.formats.build import format_from
from deckcheck.formats.find import BUNDLED_ONLY, Folders, format_file
from deckcheck.formats.games import game_file
from deckcheck.model.card import Catalog
from deckcheck.model.format import Format
from deckcheck.model.game import Game
from deckcheck.support.cache import cached
from deckcheck.support.errors import UserError
from deckcheck.support.messages import _

if TYPE_CHECKING:
    from deckcheck.support.yamlfile import Document

Open = Callable[[str], tuple[Game, Catalog]]
"""From a game's id to its vocabulary and cards."""


def load_format(reference: str | Path, open_game: Open, folders: Folders = BUNDLED_ONLY) -> Format:
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
    game, _ = open_game(data["game"])
    return format_from(data, game)


def _mark(folders: Folders) -> str:
    """What tells apart the results for other folders, and for these seen from elsewhere."""
    if folders == BUNDLED_ONLY:
        return ""
    said = repr([(str(path), str(path.absolute())) for paths in folders for path in (*paths, Path())])
    return f"-{zlib.crc32(said.encode('utf-8', 'surrogateescape')):08x}"


def _opened(game: str, document: Document, open_game: Open) -> tuple[Game, Catalog]:
    try:
        return open_game(game)
    except UserError as error:
        if any(problem.path is not None for problem in error.problems):
            raise
        # There is no such game, and this is the line that asks for it.
        key = "game" if "game" in document.data else "format"
        [message] = [problem.message for problem in error.problems]
        raise UserError([document.problem((key,), message)]) from error


def _read(file: Path, open_game: Open, folders: Folders) -> tuple[dict[str, Any], list[Path]]:
    from deckcheck.formats.checks import check_head, check_unused, settle_rule
    from deckcheck.formats.effects import check_effects
    from deckcheck.formats.lists import check_effect, settle_banlist
    from deckcheck.formats.merge import merge
    from deckcheck.formats.vocabulary import Context

    merged = merge(file, folders)
    document = merged.document
    game, catalog = _opened(str(merged.game), document, open_game)
    context = Context(game, catalog, list(merged.zones), merged.definitions, merged.lent)
    check_head(merged, context)
    rules = [settle_rule(place, context) for place in merged.rules.values()]
    if not context.problems:
        check_effects(merged, rules, context)
    for rule in rules:
        before = merged.said["rules"][rule["id"]][-1].instead_of
        rule["instead_of"] = [
            {"path": one.document.path, "line": one.document.line(one.keys)} for one in before
        ]
    lists = [(named, *settle_banlist(named, context, folders)) for named in merged.banlists]
    abstract = bool(document.data.get("abstract"))
    if not abstract:
        check_effect([(named, data) for named, data, _unused in lists], context)
        for key, empty in (("zones", not merged.zones), ("rules", not rules)):
            if empty:
                context.problems.append(document.problem((), _("there are no {key}", key=key)))
    check_unused(merged, context)
    if context.problems:
        raise UserError(context.problems)
    settled = dict(document.data) | {
        "game": game.id,
        "cards": catalog.version,
        "path": document.path,
        "line": document.line(("format",)),
        "zones": {name: place.data for name, place in merged.zones.items()},
        "exchange": merged.exchange.data if merged.exchange is not None else [],
        "rules": rules,
        "beside": [
            place.data | {"path": place.document.path, "line": place.document.line(place.keys)}
            for place in merged.beside.values()
        ],
        "banlists": [data for _place, data, _file in lists],
    }
    files = [game_file(game.id), *merged.files, *(file for _place, _data, file in lists)]
    if folders != BUNDLED_ONLY:
        from deckcheck.formats.folders import looked_through

        # Another file of the same id may come, go or take its place.
        files += looked_through(*folders)
    return settled, files
