"""Card files: what a record may say in a game's words, reading records from JSON lines or YAML, and sets of them."""

import io
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, ValidationError, convert, defstruct
from msgspec.json import schema as json_schema

from deckcheck.cards.names import Fold, make_fold
from deckcheck.model.card import INFINITY, several_cards
from deckcheck.model.game import Attribute, Game
from deckcheck.support.documents import MOST_PROBLEMS, Document, Keys, parse_yaml, shape_problems
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.files import decoded
from deckcheck.support.json import parse_object
from deckcheck.support.messages import _, localized
from deckcheck.support.safe_text import SAFE_TEXT, brief

Record = Mapping[str, Any]
"""A card as in a file: a plain mapping whose keys and types have been checked."""

MOST_BYTES = 64 * 1024 * 1024
MOST_LINE = 64 * 1024
MOST_CARDS = 200_000
MOST_ITEMS = 1000

_MOST_CHARACTERS = 300
"""The most characters of a name, far more than any has."""

_MOST_NUMBER = 10**9

LISTS = ("aliases", "partial", "printings", "parts", "faces", "made_of")
"""The keys for which an empty list means the same as no key."""


RESERVED = ("name", "home", "released", "verified", *LISTS)
"""The keys of a record that aren't attributes."""


# What a record may say


class Vocabulary(Struct, frozen=True):
    """What a record may say in one game; `card` is the type of a whole record.

    `ranks` are the codes of the ranked attributes, `facts` the other attributes; the first of the `zones` is the default.
    """

    fold: Fold
    facts: Mapping[str, Attribute]
    ranks: Mapping[str, frozenset[str]]
    zones: tuple[str, ...]
    card: type[Struct]


_TEXT: Any = Annotated[str, Meta(min_length=1, max_length=_MOST_CHARACTERS, pattern=SAFE_TEXT)]
_NUMBER: Any = Annotated[float, Meta(ge=-_MOST_NUMBER, le=_MOST_NUMBER)] | Literal[INFINITY]
_LITERAL: Any = Literal


def vocabulary(game: Game) -> Vocabulary:
    """The words of `game`."""
    facts = {key: item for key, item in game.attributes.items() if item.kind in ("values", "number")}
    ranks = {
        key: frozenset(code for step in item.order for code in step)
        for key, item in game.attributes.items()
        if item.kind == "rank"
    }
    of_facts = {
        key: _NUMBER if item.kind == "number" else _list_of(_word_of(item.values))
        for key, item in facts.items()
    }
    of_ranks = {key: _rank_of(codes) for key, codes in ranks.items()}
    part = _mapping("part", {"name": _TEXT, **of_facts})
    keys = {
        "name": _TEXT,
        "aliases": _list_of(_TEXT),
        "home": _word_of(game.zones),
        "released": date,
        "partial": _list_of(_word_of([key for key, item in facts.items() if item.kind == "values"])),
        "printings": _list_of(_mapping("printing", {"set": _TEXT, "released": date, **of_ranks})),
        "parts": _list_of(part),
        "faces": _list_of(part),
        "made_of": _list_of(_TEXT),
        "verified": bool,
    }
    card = _mapping("card", keys | of_facts)
    return Vocabulary(make_fold(game.folding), facts, ranks, tuple(game.zones), card)


def _mapping(name: str, types: Mapping[str, Any]) -> type[Struct]:
    """A mapping with these types of values; the first one is required."""
    # A field's name must be an identifier, which the id of an attribute need not be: so fields are numbered.
    keys = {f"field_{number}": key for number, key in enumerate(types)}
    required, *others = [(field, types[key]) for field, key in keys.items()]
    optional = [(field, type, None) for field, type in others]
    return defstruct(name, [required, *optional], rename=keys, forbid_unknown_fields=True)


def _list_of(item: Any) -> Any:
    return Annotated[list[item], Meta(max_length=MOST_ITEMS)]


def _word_of(words: Collection[str]) -> Any:
    """One of these words; any, if there are none."""
    return _LITERAL[tuple(words)] if words else _TEXT


def _rank_of(codes: Collection[str]) -> Any:
    """A code, one after "<=" or "?", or the code for none."""
    ordered = sorted(codes)
    return _LITERAL[(*ordered, *(f"<={code}" for code in ordered), *(f"?{code}" for code in ordered), None)]


def mistakes(card: Document, words: Vocabulary) -> list[Problem]:
    """What is wrong with a record."""
    try:
        convert(card.data, words.card)
    except ValidationError as error:
        # It tells only one, and in English.
        return shape_problems(card, json_schema(words.card)) or [card.problem(localized(str(error)))]
    return [
        card.problem(_("nothing is left of this name to compare: {name}", name=brief(name)), keys=keys)
        for keys, name in _folded_names(card.data)
        if not words.fold(name)
    ]


def _folded_names(record: Record) -> Iterator[tuple[Keys, str]]:
    """The names in a record that are compared, with their places."""
    yield ("name",), record["name"]
    for key in ("aliases", "made_of"):
        for place, name in enumerate(record.get(key, ())):
            yield (key, place), name
    for key in ("parts", "faces"):
        for place, part in enumerate(record.get(key, ())):
            yield (key, place, "name"), part["name"]


def normal(record: Record) -> dict[str, Any]:
    """The record without keys with default values."""
    return {
        key: value
        for key, value in record.items()
        if not (key in LISTS and value == []) and not (key == "verified" and value is True)
    }


def to_json(value: Any) -> str:
    """The value as JSON without blanks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def line_of(record: Record) -> bytes:
    """The record as a line of a card file."""
    return (to_json(record) + "\n").encode()


# Reading


def card_at(record: Record, path: str = "", line: int = 0) -> Document:
    """A record that is on a line of a file, or (0) nowhere."""
    return Document(path, record, {(): (line, 0)}, ())


def read_cards(path: Path, data: bytes, words: Vocabulary) -> list[Document]:
    """The checked cards of a file: YAML by its ending, else JSON lines. Raises UserError with at most MOST_PROBLEMS."""
    is_yaml = path.suffix.lower() in (".yaml", ".yml")
    problems: list[Problem] = []
    cards: dict[str, Document] = {}
    for item in _yaml_items(path, data) if is_yaml else _line_items(path, data):
        wrong = list(item.problems) if isinstance(item, UserError) else mistakes(item, words)
        if not wrong and isinstance(item, Document):
            earlier = cards.setdefault(item.data["name"], item)
            if earlier is not item:
                message = _(
                    "line {line} has a card of the same name: {name}",
                    line=earlier.line(),
                    name=item.data["name"],
                )
                wrong = [item.problem(message, keys=("name",))]
        problems += wrong
        if len(problems) >= MOST_PROBLEMS:
            break
        if len(cards) > MOST_CARDS:
            raise too_many_cards(path)
    if problems:
        raise UserError(sorted(problems, key=lambda problem: problem.line or 0)[:MOST_PROBLEMS])
    return list(cards.values())


def too_many_cards(path: Path | None = None) -> UserError:
    """The error for more cards than a file may hold."""
    message = _("too many cards (at most {most:,})", most=MOST_CARDS)
    return user_error(message, path=None if path is None else str(path))


def _yaml_items(path: Path, data: bytes) -> list[Document]:
    """The records in a YAML file. Raises UserError."""
    document = parse_yaml(decoded(data, str(path)), str(path))
    value = document.data
    if not isinstance(value, dict) or list(value) != ["cards"] or not isinstance(value["cards"], list):
        raise UserError([document.problem(_("must hold a list under the key {key} only", key="cards"))])
    return document.under("cards")


def _line_items(path: Path, data: bytes) -> Iterator[Document | UserError]:
    """Yields the records of the lines that aren't blank, or the problem with one that has none."""
    for number, line in enumerate(io.BytesIO(data), 1):
        if not line.strip():
            continue
        try:
            if len(line.rstrip(b"\n")) > MOST_LINE:
                message = _("the line is too long (at most {most:,} bytes)", most=MOST_LINE)
                raise user_error(message, path=str(path), line=number)
            yield card_at(parse_object(line.rstrip(b"\r\n"), str(path), number), str(path), number)
        except UserError as error:
            yield error


class Entry(Struct, frozen=True):
    """A card of a set: its record with the place, and the reasons of its corrections.

    One of the user's own has the record that it replaces, if any.
    """

    item: Document
    corrections: tuple[str, ...] = ()
    replaced: Record | None = None

    @property
    def record(self) -> Record:
        """The card's record."""
        record: Record = self.item.data
        return record

    @property
    def name(self) -> str:
        """The card's name."""
        return str(self.item.data["name"])


class CardSet:
    """Cards by name, in order. If two names fold alike, an exact spelling decides."""

    def __init__(self, fold: Fold) -> None:
        self.fold = fold
        self._cards: dict[str, Entry] = {}
        self._alike: dict[str, list[str]] = {}

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._cards.values())

    def __contains__(self, name: str) -> bool:
        return name in self._cards

    def alike(self, name: str) -> list[str]:
        """The names of the cards whose name folds like this one."""
        return list(self._alike.get(self.fold(name), ()))

    def find(self, name: str, written: Collection[str] = ()) -> list[Entry]:
        """The cards that a name can mean: the one with just this name, else those whose names fold alike.

        Cards with the names `written`, which come with it, are no other spellings of it.
        """
        names = [name] if name in self._cards else [name for name in self.alike(name) if name not in written]
        return [self._cards[known] for known in names]

    def put(self, entry: Entry, instead_of: str | None = None) -> None:
        """Add a card, in place of one with the same name or the one named."""
        if instead_of is not None and instead_of != entry.name:
            del self._cards[instead_of]
            self._alike[self.fold(instead_of)].remove(instead_of)
        if entry.name not in self._cards:
            self._alike.setdefault(self.fold(entry.name), []).append(entry.name)
        self._cards[entry.name] = entry

    def put_own(self, item: Document, replaced: Entry | None) -> Entry:
        """Add a card of the user's own, in place of another one."""
        entry = Entry(item, replaced=None if replaced is None else replaced.record)
        self.put(entry, None if replaced is None else replaced.name)
        return entry

    def put_over(self, items: Sequence[Document]) -> list[Entry]:
        """Add the cards of one of the user's files.

        A card with the same name is replaced, else the only one whose name folds alike. Raises UserError for a name by
        which several cards could be meant.
        """
        written = {item.data["name"] for item in items}
        taken: list[Entry] = []
        problems: list[Problem] = []
        for item in items:
            name = item.data["name"]
            meant = self.find(name, written)
            if len(meant) > 1:
                message = several_cards(name, sorted(entry.name for entry in meant))
                problems.append(item.problem(message, keys=("name",)))
                continue
            taken.append(self.put_own(item, meant[0] if meant else None))
        if problems:
            raise UserError(problems)
        return taken
