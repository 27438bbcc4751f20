"""A game's vocabulary: what its cards, zones and statuses are called.

All that tells one game from another stands in `formats/<game>/game.yaml`; this
module only carries it.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from deckcheck.support.cache import cached
from deckcheck.support.errors import UserError, wrong
from deckcheck.support.files import is_file, shipped
from deckcheck.support.messages import Localized, _, localized

if TYPE_CHECKING:
    from deckcheck.support.yamlfile import Document

Kind = Literal["values", "number", "rank", "home"]


class Folding(NamedTuple):
    """What a game's names lose before they are compared.

    `drop` holds the characters that never tell two cards apart (white space
    always goes); `replace` maps single characters that normalisation leaves
    unequal. Letter case and compatibility forms (NFKC) never count.
    """

    drop: str = ""
    replace: Mapping[str, str] = MappingProxyType({})


class Attribute(NamedTuple):
    """One thing a card has.

    `kind`: "values" (a set of words), "number", "rank" (one of `order`, found
    on printings) or "home" (the zone where the card lives). `values` lists the
    words that exist, empty where any word may come; `order` lists the ranks
    from low to high, ranks that count alike together.
    """

    id: str
    kind: Kind
    name: Localized
    values: tuple[str, ...] = ()
    names: Mapping[str, Localized] | None = None
    order: tuple[tuple[str, ...], ...] = ()


class Zone(NamedTuple):
    """A place in a deck and the headings under which lists write it.

    `ends_at_label` tells that a label below its cards ends it, or an empty line where the first zone holds nothing:
    what follows stands in the first zone.
    """

    id: str
    name: Localized
    headings: tuple[str, ...] = ()
    ends_at_label: bool = False


class Status(NamedTuple):
    """What a banlist can say of a card. The order in `Game.statuses` is from mild to strict."""

    id: str
    name: Localized


class Words(NamedTuple):
    """What people write around the cards, for the readers.

    `marks` maps words on a card's own line to the zone they name,
    `labels` are headings that sort cards within a zone (types, costs,
    civilizations), `totals` the words that stand before or behind a sum,
    `columns` the heads of table columns by what they hold ("count", "name",
    "zone"; "kind" for sorts of cards that may name a zone, "other" for what never does), `counters` the words behind a number of copies (枚), `notes`
    what sites glue to a name and what is no part of it. `notations` are those
    of other tools in which lists of this game come without saying so.
    """

    marks: Mapping[str, str]
    labels: frozenset[str]
    totals: frozenset[str]
    columns: Mapping[str, tuple[str, ...]]
    counters: tuple[str, ...]
    notes: tuple[str, ...]
    notations: tuple[str, ...] = ()


class Game(NamedTuple):
    """One game's vocabulary. The first zone is where a card stands unless told otherwise.

    `charts` are the attributes by whose values a field of decks is worth looking at.
    """

    id: str
    name: Localized
    folding: Folding
    attributes: Mapping[str, Attribute]
    zones: Mapping[str, Zone]
    statuses: Mapping[str, Status]
    words: Words
    charts: tuple[str, ...] = ()

    @property
    def default_zone(self) -> str:
        """The id of the zone for entries under no heading."""
        return next(iter(self.zones))


def game_file(game_id: str) -> Path:
    """Where the vocabulary of the game of that id stands; there may be none."""
    return shipped("formats") / game_id / "game.yaml"


def load_game(game_id: str) -> Game:
    """The game of that id.

    Raises UserError when there is none or when its file is wrong.
    """
    file = game_file(game_id)
    if not is_file(file):
        raise wrong(_("there is no game {game_id!r}", game_id=game_id))
    return game_from(cached(f"game-{game_id}", file, lambda: (_read(file), [file])))


def _read(file: Path) -> dict[str, Any]:
    from deckcheck.support.schema import require_shape
    from deckcheck.support.yamlfile import load_yaml

    document = load_yaml(file)
    require_shape(document, "game")
    data: dict[str, Any] = document.data
    _require_charts(document)
    return data


def _require_charts(document: "Document") -> None:
    """Raises UserError for a chart of what is no attribute, or of one without values."""
    from deckcheck.support.errors import did_you_mean

    attributes = document.data["attributes"]
    known = [key for key, value in attributes.items() if value["kind"] == "values"]
    problems = [
        document.problem(
            ("charts", at),
            _("{key!r} is no attribute with values", key=key),
            did_you_mean(key, known),
        )
        for at, key in enumerate(document.data.get("charts", ()))
        if key not in known
    ]
    if problems:
        raise UserError(problems)


def game_from(data: Mapping[str, Any]) -> Game:
    """A Game from the content of a game.yaml that keeps to the schema."""
    names = data.get("names", {})
    words = data.get("words", {})
    return Game(
        id=data["game"],
        name=localized(data["name"]),
        folding=Folding(names.get("drop", ""), names.get("replace", {})),
        attributes={key: _attribute(key, value) for key, value in data["attributes"].items()},
        zones={
            key: Zone(
                key,
                localized(value["name"]),
                tuple(value.get("headings", ())),
                bool(value.get("ends_at_label", False)),
            )
            for key, value in data["zones"].items()
        },
        statuses={key: Status(key, localized(value)) for key, value in data.get("statuses", {}).items()},
        words=Words(
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


def _attribute(key: str, data: Mapping[str, Any]) -> Attribute:
    names = data.get("names")
    return Attribute(
        id=key,
        kind=data["kind"],
        name=localized(data["name"]),
        values=tuple(data.get("values", ())),
        names=None if names is None else {value: localized(said) for value, said in names.items()},
        order=tuple(tuple(rank) for rank in data.get("order", ())),
    )
