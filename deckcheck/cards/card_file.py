"""Card files: what a record may say in a game's words, reading records from JSON lines or YAML, and sets of them."""

import io
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.cards.names import Fold, make_fold
from deckcheck.model.card import INFINITY, several_cards
from deckcheck.model.game import Attribute, Game
from deckcheck.support.dates import is_day
from deckcheck.support.documents import Document, Keys, parse_yaml
from deckcheck.support.errors import Problem, UserError, did_you_mean, user_error
from deckcheck.support.files import MOST_BYTES as MOST_YAML_BYTES
from deckcheck.support.files import decoded
from deckcheck.support.json import parse_json
from deckcheck.support.messages import Words, _
from deckcheck.support.safe_text import UNSAFE, brief

Record = Mapping[str, Any]
"""A card as in a file: a plain mapping whose keys and types have been checked."""

MOST_BYTES = 64 * 1024 * 1024
MOST_LINE = 64 * 1024
MOST_CARDS = 200_000
MOST_PROBLEMS = 20
MOST_CHARACTERS = 300
"""The most characters of a name, far more than any has."""

MOST_ITEMS = 1000
MOST_NUMBER = 10**9

LISTS = ("aliases", "partial", "printings", "parts", "faces", "made_of")
"""The keys for which an empty list means the same as no key."""


RESERVED = ("name", "home", "released", "verified", *LISTS)
"""The keys of a record that aren't attributes."""


# What a record may say


class Flaw(Struct, frozen=True):
    """What is wrong at one place of a record, with a hint; `key` is one that shouldn't be there."""

    message: Words
    hint: Words | None = None
    route: Keys = ()
    key: str | None = None

    @property
    def labelled(self) -> Words:
        """The message with the place in the record."""
        label = "".join(f"[{step + 1}]" if isinstance(step, int) else f".{step}" for step in self.route)
        return (
            _("{place}: {message}", place=label.lstrip("."), message=self.message) if label else self.message
        )

    @property
    def keys(self) -> Keys:
        """The keys that lead to the flaw."""
        return self.route if self.key is None else (*self.route, self.key)


class Fields(Struct, frozen=True):
    """The shape of a mapping: the message for anything else, the required keys, and the shapes of values by key."""

    expected: Words
    required: tuple[str, ...]
    shapes: Mapping[str, "Shape"]


Shape = Callable[[Any], Flaw | None] | list[Any] | Fields
"""What a value must be: a function that finds the flaw of a plain value, a list of one shape, or a mapping."""


def flaws(shape: Shape, value: Any, route: Keys = ()) -> Iterator[Flaw]:
    """Yields the flaws of a value that should have a shape."""
    if isinstance(shape, Fields):
        if not isinstance(value, dict):
            yield Flaw(shape.expected, route=route)
            return
        for key in value:
            if key not in shape.shapes:
                hint = did_you_mean(brief(key), sorted(shape.shapes))
                yield Flaw(_("unknown key: {key}", key=brief(key)), hint, route, key)
        for key in shape.required:
            if key not in value:
                yield Flaw(_("has no {key}", key=key), route=route)
        for key, item in value.items():
            if key in shape.shapes:
                yield from flaws(shape.shapes[key], item, (*route, key))
    elif isinstance(shape, list):
        if not isinstance(value, list):
            yield Flaw(_("must be a list"), route=route)
        elif len(value) > MOST_ITEMS:
            yield Flaw(_("too many (at most {most})", most=MOST_ITEMS), route=route)
        else:
            for index, item in enumerate(value):
                yield from flaws(shape[0], item, (*route, index))
    else:
        flaw = shape(value)
        if flaw is not None:
            yield replace(flaw, route=route)


class Vocabulary(Struct, frozen=True):
    """What a record may say in one game; `card` is the shape of a whole record.

    `ranks` are the codes of the ranked attributes, `facts` the other attributes; the first of the `zones` is the default.
    """

    fold: Fold
    facts: Mapping[str, Attribute]
    ranks: Mapping[str, frozenset[str]]
    zones: tuple[str, ...]
    card: Fields


def vocabulary(game: Game) -> Vocabulary:
    """The words of `game`."""
    fold = make_fold(game.folding)
    facts = {key: item for key, item in game.attributes.items() if item.kind in ("values", "number")}
    ranks = {
        key: frozenset(code for step in item.order for code in step)
        for key, item in game.attributes.items()
        if item.kind == "rank"
    }

    def name(value: Any) -> Flaw | None:
        flaw = text(value)
        if flaw is None and not fold(value):
            flaw = Flaw(_("nothing is left of this name to compare: {name}", name=value))
        return flaw

    of_facts: dict[str, Shape] = {
        key: _number if item.kind == "number" else [_word_of(item.values) if item.values else text]
        for key, item in facts.items()
    }
    of_printing = {"set": text, "released": _date} | {key: _rank_of(codes) for key, codes in ranks.items()}
    parts = [Fields(_("must be a mapping with a name"), ("name",), {"name": name, **of_facts})]
    shapes: dict[str, Shape] = {
        **of_facts,
        "name": name,
        "aliases": [name],
        "home": _word_of(game.zones),
        "released": _date,
        "partial": [_word_of([key for key, item in facts.items() if item.kind == "values"])],
        "printings": [Fields(_("must be a mapping with a set"), ("set",), of_printing)],
        "parts": parts,
        "faces": parts,
        "made_of": [name],
        "verified": _flag,
    }
    card = Fields(_("a card must be a mapping of keys to values"), ("name",), shapes)
    return Vocabulary(fold, facts, ranks, tuple(game.zones), card)


def text(value: Any) -> Flaw | None:
    """Why a value can't be a name or a code."""
    if not isinstance(value, str):
        return Flaw(_("must be text (in YAML, put it in quotes)"))
    if not value.strip():
        return Flaw(_("is empty"))
    if len(value) > MOST_CHARACTERS:
        return Flaw(_("too long (at most {most} characters)", most=MOST_CHARACTERS))
    return Flaw(_("contains a control character")) if re.search(UNSAFE, value) else None


def _word_of(known: Collection[str]) -> Shape:
    return lambda value: None if isinstance(value, str) and value in known else _unknown(value, value, known)


def _rank_of(codes: Collection[str]) -> Shape:
    """Checks a code, one after "<=" or "?", or the code for none."""

    def rank(value: Any) -> Flaw | None:
        code = value
        if isinstance(value, str) and not value.startswith("<=?"):
            code = value.removeprefix("<=").removeprefix("?")
        is_known = value is None or (isinstance(code, str) and code in codes)
        return None if is_known else _unknown(value, code, codes)

    return rank


def _unknown(value: Any, code: Any, known: Collection[str]) -> Flaw:
    hint = did_you_mean(brief(code), sorted(known)) if isinstance(code, str) else None
    return Flaw(_("unknown value: {value}", value=brief(value)), hint)


def _number(value: Any) -> Flaw | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if value == INFINITY or (is_number and abs(value) <= MOST_NUMBER):
        return None
    return Flaw(_("must be a number or {infinity}: {value}", infinity=INFINITY, value=brief(value)))


def _date(value: Any) -> Flaw | None:
    return None if is_day(value) else Flaw(_("not a date (YYYY-MM-DD): {value}", value=brief(value)))


def _flag(value: Any) -> Flaw | None:
    return None if isinstance(value, bool) else Flaw(_("must be true or false"))


def normal(record: Record) -> dict[str, Any]:
    """The record without keys with default values."""
    return {
        key: value
        for key, value in record.items()
        if not (key in LISTS and value == []) and not (key == "verified" and value is True)
    }


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def to_json(value: Any) -> str:
    """The value as JSON without blanks."""
    return _ENCODER.encode(value)


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
        mistakes = item.problems if isinstance(item, UserError) else _mistakes(item, words, cards)
        problems += mistakes
        if not mistakes and isinstance(item, Document):
            cards[item.data["name"]] = item
        if len(problems) >= MOST_PROBLEMS:
            break
        if len(cards) > MOST_CARDS:
            raise too_many_cards(path)
    if problems:
        raise UserError(sorted(problems, key=lambda problem: problem.line or 0)[:MOST_PROBLEMS])
    return list(cards.values())


def _mistakes(item: Document, words: Vocabulary, earlier: Mapping[str, Document]) -> list[Problem]:
    """The mistakes in a record, or that an earlier one of the file has its name."""
    mistakes = [item.problem(flaw.labelled, flaw.hint, flaw.keys) for flaw in flaws(words.card, item.data)]
    if mistakes or item.data["name"] not in earlier:
        return mistakes
    name = item.data["name"]
    message = _("line {line} has a card of the same name: {name}", line=earlier[name].line(), name=name)
    return [item.problem(message, keys=("name",))]


def too_many_cards(path: Path | None = None) -> UserError:
    """The error for more cards than a file may hold."""
    message = _("too many cards (at most {most:,})", most=MOST_CARDS)
    return user_error(message, path=None if path is None else str(path))


def _yaml_items(path: Path, data: bytes) -> list[Document]:
    """The records in a YAML file. Raises UserError."""
    if len(data) > MOST_YAML_BYTES:
        raise user_error(_("too large (at most {most:,} bytes)", most=MOST_YAML_BYTES), path=str(path))
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
            yield card_at(parse_json(line.rstrip(b"\r\n"), str(path), number), str(path), number)
        except UserError as error:
            yield error


class Entry(Struct, frozen=True):
    """A card of a set: its record with the place, and the reasons of its corrections.

    `own` is the place of a card of the user's that replaces another one.
    """

    item: Document
    corrections: tuple[str, ...] = ()
    own: str | None = None

    @property
    def record(self) -> Record:
        """The card's record."""
        record: Record = self.item.data
        return record

    @property
    def name(self) -> str:
        """The card's name."""
        return str(self.item.data["name"])


class NewCard(Struct, frozen=True):
    """A card of the user's own, and the record that it replaces, if any."""

    record: Record
    replaced: Record | None


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

    def find(self, name: str) -> list[Entry]:
        """The cards that a name can mean."""
        names = [name] if name in self._cards else self.alike(name)
        return [self._cards[known] for known in names]

    def replaced_by(self, name: str, written: Collection[str]) -> list[Entry]:
        """The cards that one with this name could replace: that with the name, else those whose names fold alike.

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

    def put_over(self, items: Sequence[Document]) -> list[NewCard]:
        """Add the cards of one of the user's files; returns each with the record that it replaces.

        A card with the same name is replaced, else the only one whose name folds alike. Raises UserError for a name by
        which several cards could be meant.
        """
        written = {item.data["name"] for item in items}
        taken: list[NewCard] = []
        problems: list[Problem] = []
        for item in items:
            name = item.data["name"]
            meant = self.replaced_by(name, written)
            if len(meant) > 1:
                message = several_cards(name, sorted(entry.name for entry in meant))
                problems.append(item.problem(message, keys=("name",)))
                continue
            replaced = meant[0] if meant else None
            taken.append(NewCard(item.data, None if replaced is None else replaced.record))
            if replaced is None:
                self.put(Entry(item))
            else:
                self.put(Entry(item, own=item.place), replaced.name)
        if problems:
            raise UserError(problems)
        return taken
