"""The vocabulary of a game, read from its game.yaml."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deckcheck.model.game import Attribute, Folding, Game, ListWords, Status, Zone
from deckcheck.support.cache import cached
from deckcheck.support.errors import UserError, did_you_mean, user_error
from deckcheck.support.files import is_file, shipped
from deckcheck.support.messages import _, localized


def game_file(game_id: str) -> Path:
    """Where the vocabulary of the game of that id stands; there may be none."""
    return shipped("formats") / game_id / "game.yaml"


def load_game(game_id: str) -> Game:
    """The game of that id.

    Raises UserError when there is none or when its file is wrong.
    """
    file = game_file(game_id)
    if not is_file(file):
        raise user_error(_("there is no game {game_id!r}", game_id=game_id))
    return game_from(cached(f"game-{game_id}", file, lambda: (_read(file), [file])))


def _read(file: Path) -> dict[str, Any]:
    from deckcheck.support.schema import require_shape
    from deckcheck.support.yamlfile import load_yaml

    document = load_yaml(file)
    require_shape(document, "game")
    data: dict[str, Any] = document.data
    known = [key for key, value in data["attributes"].items() if value["kind"] == "values"]
    problems = [
        document.problem(
            ("charts", at), _("{key!r} is no attribute with values", key=key), did_you_mean(key, known)
        )
        for at, key in enumerate(data.get("charts", ()))
        if key not in known
    ]
    if problems:
        raise UserError(problems)
    return data


def game_from(data: Mapping[str, Any]) -> Game:
    """A Game from the content of a game.yaml that keeps to the schema."""
    names = data.get("names", {})
    words = data.get("words", {})
    return Game(
        id=data["game"],
        name=localized(data["name"]),
        folding=Folding(names.get("drop", ""), names.get("replace", {})),
        attributes={key: _attribute(key, value) for key, value in data["attributes"].items()},
        zones={key: _zone(key, value) for key, value in data["zones"].items()},
        statuses={key: Status(key, localized(value)) for key, value in data.get("statuses", {}).items()},
        words=ListWords(
            marks=words.get("marks", {}),
            labels=frozenset(words.get("labels", ())),
            totals=frozenset(words.get("totals", ())),
            columns={key: tuple(value) for key, value in words.get("columns", {}).items()},
            counters=tuple(words.get("counters", ())),
            notes=tuple(words.get("notes", ())),
            notations=tuple(words.get("notations", ())),
        ),
        charts=tuple(data.get("charts", ())),
    )


def _zone(key: str, data: Mapping[str, Any]) -> Zone:
    headings = tuple(data.get("headings", ()))
    return Zone(key, localized(data["name"]), headings, bool(data.get("ends_at_label", False)))


def _attribute(key: str, data: Mapping[str, Any]) -> Attribute:
    names = data.get("names")
    return Attribute(
        id=key,
        kind=data["kind"],
        name=localized(data["name"]),
        values=tuple(data.get("values", ())),
        names=None if names is None else {value: localized(words) for value, words in names.items()},
        order=tuple(tuple(rank) for rank in data.get("order", ())),
    )
